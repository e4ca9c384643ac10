/// @file
/// Walkers made for tests: bodies that it is known of where their feet are, which way they face and how they can go.
#ifndef TESTS_GAIT_WALKERS_H
#define TESTS_GAIT_WALKERS_H

#include <eigenrig/gait.h>

#include "support/context.h"

/// Fails the test, with the context's error, unless the result is ER_OK.
void ok(er_result r);

/// The call was refused with this code, its message names the field, value or place, and it made nothing.
/// @param out  address of the pointer that it should have set
void refused(er_result r, er_result code, const void *out, const char *named);

enum { MOST_PARTS = 40 };

typedef struct walker_def {
    double scale;  // 1: a biped of 1.7 m, a quadruped of 1.3 m
    double mirror; // -1: the mirror image, left for right
    double heavy;  // times the left limbs' mass
    bool one_leg;  // of a biped
    int tail;      // bodies of a quadruped's tail
} walker_def;

extern const walker_def usual;

/// A walker under construction, from {.def = usual} on.
typedef struct walker_maker {
    walker_def def;
    int count;
    er_body body[MOST_PARTS];
    er_joint joint[MOST_PARTS];
    char name[MOST_PARTS][32];
} walker_maker;

/// Adds a box between two corners, on a spherical joint at `at`, and returns its index; parent -1 for the first.
int walker_box(walker_maker *m, const char *name, int parent, er_vec3 at, er_vec3 low, er_vec3 high, double heavy);

/// A thin rod from one place to another, hung at its beginning.
int walker_rod(walker_maker *m, const char *name, int parent, er_vec3 from, er_vec3 to);

/// Adds a box to each side, the left one (+X) between two corners. Their names are PATTERN with L and R in it.
/// @param up  their parents, left and right; the boxes after it
void walker_pair(walker_maker *m, const char *pattern, int up[2], er_vec3 at, er_vec3 low, er_vec3 high);

/// Begins with a box about a place along Z, so long and so wide either way.
int walker_trunk(walker_maker *m, const char *name, er_vec3 at, double long_, double wide);

/// Models, modes and bodies made here live until the tests end.
er_model *make_model(int body_count, const er_body *body, int joint_count, const er_joint *joint);
er_modes *modes_of(const er_model *model); ///< all of a small rig
er_gait_body *read_body(const er_model *model, const er_gait_def *def);

int body_named(const er_model *model, const char *name);

/// The model, joints by the graded law.
er_model *walker_finish(walker_maker *m);

/// Facing +Z, up +Y.
er_model *make_biped(walker_def def);
er_model *make_quadruped(walker_def def);

/// A chain of `count` rods along Z, thick at +Z: a fish. Its lowest points are its thick end's.
er_model *make_fish(int count);

/// A seat on four legs of one box each, whose soles turn with them: "left_a", "right_a" in front, "left_b", "right_b".
er_model *make_stool(void);

/// A trunk along Z with a head, wings of two rods to each side, and legs where it has some.
er_model *make_bird(bool legs);

/// The defaults, with mixes of the `modes` lowest modes.
er_gait_def few_modes(int modes);

/// A model with its modes and gaits.
typedef struct gait_search {
    er_model *model;
    er_modes *modes;
    er_gaits *gaits;
} gait_search;

/// Finds the gaits of a model by its `modes` lowest modes; lose() destroys them.
gait_search find(er_model *model, int modes);
void lose(gait_search *f);

#endif
