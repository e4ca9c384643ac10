// Modes as displacements: along x, and by which factor.
#include <eigenrig/motion.h>

#include <string.h>

#include "model/kinematics/kinematics.h"

void er_kinematics_mode(const er_kinematics *k, const er_mode *mode, double *x)
{
    const er_model *model = k->model;
    memcpy(x, mode->joint, (size_t)model->coordinate_count * sizeof *x);
    double *root = x + model->coordinate_count;
    for (int b = 0; b < model->body_count; ++b)
        if (model->tree_joint[b] < 0) {
            memcpy(root, mode->body + 6 * (ptrdiff_t)b, 6 * sizeof *x);
            root += 6;
        }
}

// The largest norms of the turns and of the shifts among groups of coordinates.
typedef struct extent {
    double turn, shift;
} extent;

static void widen(extent *e, int count, const int *axis, const double *value)
{
    double turn = 0.0, shift = 0.0;
    for (int i = 0; i < count; ++i) {
        double *sum = axis[i] < 3 ? &turn : &shift;
        *sum = hypot(*sum, value[i]);
    }
    e->turn = fmax(e->turn, turn);
    e->shift = fmax(e->shift, shift);
}

double er_pose_amplitude(const er_model *model, const er_mode *mode, double degrees)
{
    extent e = {0.0, 0.0};
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        widen(&e, count, axis, mode->joint + model->coordinate[k]);
    }
    if (e.turn == 0.0 && e.shift == 0.0)
        for (int b = 0; b < model->body_count; ++b)
            if (model->tree_joint[b] < 0) widen(&e, 6, (const int[]){0, 1, 2, 3, 4, 5}, mode->body + 6 * (ptrdiff_t)b);
    double by_turn = e.turn > 0.0 ? degrees * ER_PI / 180.0 / e.turn : HUGE_VAL;
    double by_shift = e.shift > 0.0 ? degrees / 20.0 * 0.1 * model->size / e.shift : HUGE_VAL;
    double factor = fmin(by_turn, by_shift);
    return factor < HUGE_VAL ? factor : 0.0;
}
