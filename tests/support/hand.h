// Shared by the tests of rig, pose and file: scenes built by hand, real models, and a context that must not fail.
#ifndef TESTS_SUPPORT_HAND_H
#define TESTS_SUPPORT_HAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

enum { HAND_NODES = 32, HAND_VERTICES = 512, HAND_CHANNELS = 16, HAND_LINKS = 4 };

/// A scene under construction. Its arrays live in it, so it must stay where it is.
typedef struct hand {
    er_scene scene;
    er_node node[HAND_NODES];
    er_mesh mesh[4];
    er_instance instance[HAND_NODES];
    er_skin skin[4];
    er_clip clip[4];
    er_channel channel[4][HAND_CHANNELS];
    double key[4][HAND_CHANNELS][8];
    float position[3 * HAND_VERTICES];
    int index[6 * HAND_VERTICES];
    int start[4][HAND_VERTICES + 1];
    int joint[4][HAND_VERTICES];
    float weight[HAND_VERTICES];
    int skin_joint[4][HAND_NODES];
    er_affine inverse_bind[4][HAND_NODES];
    int vertices, triangles; // used of all meshes
} hand;

/// An empty scene: metres, Y up.
void hand_init(hand *h);

/// Adds a node and returns its index.
int hand_node(hand *h, const char *name, int parent, er_affine local);

/// Moves: translation; with a turn; with a scale too.
er_affine hand_at(double x, double y, double z);
er_affine hand_turned(er_vec3 at, er_vec3 turn, er_vec3 scale);

/// Starts a mesh and returns its index; boxes then go to it.
int hand_mesh(hand *h);

/// Adds a closed box to the last mesh, every vertex bound to one joint of its skin (-1: to none).
void hand_box(hand *h, er_vec3 low, er_vec3 high, int joint);

/// Draws a mesh at a node; skin -1: rigidly.
void hand_draw(hand *h, int node, int mesh, int skin);

/// A skin over nodes, bound where they stand at rest; the nodes become joints.
int hand_skin(hand *h, const char *name, int count, const int *nodes);

/// Adds a channel of two keys, at 0 s and 1 s, to the last clip; `from` and `to` hold 3 or 4 (x y z w) numbers.
int hand_clip(hand *h, const char *name);
void hand_channel(hand *h, int node, er_path path, const double *from, const double *to);

/// World transforms of the rest pose.
void hand_world(const er_scene *scene, er_affine *world);

/// Four links along x, each a box 0.8 m long in a joint 1 m from the last, one skin; bent in space.
/// Nodes 0 to 3 are the joints "link 0" to "link 3", node 4 carries the mesh.
void hand_chain(hand *h);

/// A context with malloc's memory that does not wait for the disk; the tests' own, destroyed by them.
er_context *hand_context(void);

/// The rig of a validated scene; fails the test when it is refused.
er_rig *hand_rig(er_context *context, const er_scene *scene, const er_rig_def *def);

/// Whether one of the rig's notes has this in it.
bool hand_noted(const er_rig *rig, er_note_kind kind, const char *text);

/// The body of that name; fails the test when there is none. -1 where `may_lack`.
int hand_body(const er_model *model, const char *name, bool may_lack);

/// A real model by its file name, or NULL, with the reason printed, where the folder of models is not there.
er_scene *hand_import(er_context *context, const char *file);

#endif
