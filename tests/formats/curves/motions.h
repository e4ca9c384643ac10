// Motions of made-up rigs, for the tests of curves and plots.
#ifndef TESTS_FORMATS_CURVES_MOTIONS_H
#define TESTS_FORMATS_CURVES_MOTIONS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <eigenrig/plots.h>

/// A motion and what it borrows from.
typedef struct motion {
    er_context *context;
    er_model *model;
    double *time, *q;
    er_pose *pose;
    er_spectrum_line *line;
    char (*label)[20];
    er_curves_figure plot; // its curves are the motion
} motion;

/// A chain of joint_count + 1 bodies, all at the origin and at rest, for `frames` frames at 1/60 s.
/// @param type  of joint k: type[k % type_count]
/// @param name  of joint k and of body k; NULL leaves them without
motion motion_make(er_context *context, int joint_count, int type_count, const er_joint_type *type,
                   const char *const *name, int frames);

/// Numbers of all sizes for every coordinate and pose, the same in every run.
void motion_shake(motion *m);

/// `count` modes from `low` to `high` Hz, equally far apart, none used.
void motion_modes(motion *m, int count, double low, double high);

void motion_free(motion *m);

/// A named one of the motions that the Python tests read back: "plain", "names", "still", ...; fails for another name.
motion motion_case(er_context *context, const char *name);

#endif
