// How far a scene that was read back is from the one that was written.
#ifndef TESTS_FORMATS_FBX_JUDGE_H
#define TESTS_FORMATS_FBX_JUDGE_H

#include <eigenrig/scene.h>

// Largest errors. Lengths are relative to the size of the scene, the largest side of what it shows and its nodes.
typedef struct judgement {
    double rest;   // of world transforms at rest: places, and columns relative to the longest; not of what a skin is on
    double motion; // the same at ten times of every clip
    double skin;   // of corners of triangles, at rest and at ten times of every clip
    double length; // s, of clips
    int more;      // nodes that the written scene does not have
    char wrong[256]; // what cannot be compared, "" when all can
} judgement;

// World transforms of what is written: at a time of a clip (NULL: at rest), shear taken from every local transform.
// `local` is room for them.
void pose_written(const er_scene *scene, const er_clip *clip, double time, er_affine *local, er_affine *world);

// Whether a clip moves anything but morph targets, and so is written.
bool is_written(const er_clip *clip);

// Seconds that a clip is shifted by, to begin at 0: the time it begins at, where that is below.
double start_of(const er_clip *clip);

// Judges `back` by the scene and the clips that were written.
judgement judge(const er_scene *scene, int clip_count, const er_clip *clip, const er_scene *back);

#endif
