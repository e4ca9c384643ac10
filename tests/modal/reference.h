// All modes of a rig by a route that is trusted, and how far those of another are from them.
#ifndef TESTS_MODAL_REFERENCE_H
#define TESTS_MODAL_REFERENCE_H

#include "support/judge.h"

typedef struct reference {
    int n;     // 6 bodies
    int count; // all modes there are
    int rigid, mechanism;
    double *hz;  // [count], ascending
    real *shape; // [n x count], column-major: L' eta, so that the mass metric is the plain one
    int *begin;  // [count], first mode of the cluster a mode is in
    int *end;    // [count], one past its last
} reference;

/// The modes of a model by svd or qr; fails the test when they are refused.
reference reference_by(er_context *context, const er_model *model, er_modal_method method);

/// The modes of as many rigs side by side, each like the one given but for where it is.
reference reference_repeat(const reference *one, int times);

void reference_destroy(reference *ref);

/// The modes that a call must return: the first one's place among all, and how many.
void reference_window(const reference *ref, const er_modal_def *def, int *first, int *count);

/// Fails unless modes are those of the reference that `def` asks for: counts and kinds equal, frequencies to 1e-9
/// (`what` names the rigs, to be measured by), each shape in the span of its cluster. Clusters are eigenvalues closer
/// than 1e-6. Shapes are not looked at where what[1] is NULL.
void reference_compare(const char *const what[2], const reference *ref, const er_model *model, const er_modal_def *def,
                       const er_modes *modes);

/// Solves by a route and compares.
void reference_judge(er_context *context, const char *const what[2], const reference *ref, const er_model *model,
                     const er_modal_def *def);

#endif
