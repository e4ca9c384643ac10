// Scenes made by hand and what a BVH file of them must show, found without the writer.
#ifndef TESTS_FORMATS_BVH_SCENES_H
#define TESTS_FORMATS_BVH_SCENES_H

#include <eigenrig/scene.h>

#include "base/arena.h"

// Names of the scenes, ended by NULL. Each has one clip.
extern const char *const scene_names[];

// A scene by name, in an arena that has memory to spare; NULL when there is none of that name.
er_scene *make_scene(er_arena *arena, const char *name);

// Two skeletons with channels of every kind, in BVH.
extern const char odd_bvh[];

// The joints of a scene as a file must have them.
typedef struct joint_list {
    int count;
    int *node;   // [count], depth first; -1 for the joint "root" above several roots
    int *parent; // [count], of this list
    double size; // largest side of the box about the heads at rest; 1 where that is 0
} joint_list;

joint_list list_joints(er_arena *arena, const er_scene *scene, const bool *bone);

// Heads and turns from rest, +Y up, at a time of a clip.
void pose_joints(er_arena *arena, const er_scene *scene, const joint_list *list, const er_clip *clip, double time,
                 er_pose *pose);

#endif
