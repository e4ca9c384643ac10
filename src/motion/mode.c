// Modes as displacements, and their amplitudes.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/platform.h"
#include "base/suggest.h"
#include "model/kinematics/kinematics.h"
#include "motion/signal.h"

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

// The largest norms of rotations and of translations among groups of coordinates.
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

double er_mode_amplitude(const er_model *model, const er_mode *mode, double degrees)
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

double eri_mode_amplitude_of(const er_model *model, const er_mode *mode, const double *x)
{
    extent most = {0.0, 0.0}, there = {0.0, 0.0};
    for (int k = 0; k < model->joint_count; ++k) {
        extent e = {0.0, 0.0}, of = {0.0, 0.0};
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        widen(&e, count, axis, mode->joint + model->coordinate[k]);
        widen(&of, count, axis, x + model->coordinate[k]);
        if (e.turn > most.turn) most.turn = e.turn, there.turn = of.turn;
        if (e.shift > most.shift) most.shift = e.shift, there.shift = of.shift;
    }
    double turned = there.turn * 180.0 / ER_PI, slid = there.shift / (0.1 * model->size) * 20.0;
    return most.turn * 180.0 / ER_PI >= most.shift / (0.1 * model->size) * 20.0 ? turned : slid;
}

// Twists are of body axes, at the body frame's origin.
static double excursion_of(const er_body *body, const double *v)
{
    er_vec3 linear = er_v3(v[3], v[4], v[5]), tip = er_v3_scale(2.0, body->com);
    return fmax(er_v3_norm(linear), er_v3_norm(er_v3_add(linear, er_v3_cross(er_v3(v[0], v[1], v[2]), tip))));
}

double er_mode_excursion(const er_model *model, const er_mode *mode, int body)
{
    double most = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        if (body < 0 || b == body) most = fmax(most, excursion_of(&model->body[b], mode->body + 6 * (ptrdiff_t)b));
    return most;
}

// How far a mode moves the body of a name, or the body matching a pattern that moves most.
static er_result find_way(er_context *context, const er_model *model, const er_mode *mode, const char *name,
                          double *out)
{
    suggestion meant = {.word = name};
    bool found = false;
    *out = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        const char *own = model->body[b].name;
        if (strcmp(own, name) == 0) {
            *out = er_mode_excursion(model, mode, b);
            return ER_OK;
        }
        suggestion_try(&meant, own);
        if (!eri_platform_match(name, own)) continue;
        found = true;
        *out = fmax(*out, er_mode_excursion(model, mode, b));
    }
    char text[SUGGESTION_TEXT];
    if (found) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "an amplitude at \"%s\": no body has this name%s", name,
                   suggestion_text(&meant, text));
}

er_result eri_component_factor(er_context *context, const er_model *model, const er_mode *mode,
                               const er_mix_component *v, double *out)
{
    if (!(v->metres > 0.0)) {
        *out = er_mode_amplitude(model, mode, v->degrees);
        return ER_OK;
    }
    double most = er_mode_excursion(model, mode, -1), way = most;
    er_result r = v->at != NULL ? find_way(context, model, mode, v->at, &way) : ER_OK;
    if (r != ER_OK) return r;
    if (!(way > 1e-6 * most))
        return er_fail(context, ER_ERROR_ARGUMENT, "mode %d does not move %s, so it has no amplitude there", v->mode,
                       v->at != NULL ? v->at : "anything");
    *out = v->metres / way;
    return ER_OK;
}

double eri_factor_degrees(const er_model *model, const er_mode *mode, double factor)
{
    double one = er_mode_amplitude(model, mode, 1.0);
    return one > 0.0 ? factor / one : 0.0;
}
