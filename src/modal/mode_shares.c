// Shares of modes: in the motion of bodies, in the mass of the rig, and of modes in a motion.
#include <eigenrig/modal.h>

#include <string.h>

#include "base/arena.h"
#include "base/failure.h"
#include "math/dense/dense.h"
#include "modal/mode_shape.h"

// ---- Bodies and axes

void er_mode_body_shares(const er_model *model, const er_mode *mode, double *share)
{
    double whole = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        eri_mass_factor f = eri_mass_factor_of(&model->body[b]);
        double x[6];
        memcpy(x, mode->body + 6 * (ptrdiff_t)b, sizeof x);
        eri_mass_multiply_transposed(&f, x);
        whole += share[b] = eri_linalg_dot(6, x, x);
    }
    for (int b = 0; b < model->body_count && whole > 0.0; ++b)
        share[b] /= whole;
}

// eta' M r of a rigid motion r of the whole is the momentum of the mode along r: of the bodies' momenta, the force part
// summed, and the moment about the centre.
void er_mode_effective_mass(const er_model *model, const er_mode *mode, double mass[6])
{
    er_vec3 centre = eri_centre_of_mass(model), turn = er_v3(0, 0, 0), push = er_v3(0, 0, 0);
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        const double *v = mode->body + 6 * (ptrdiff_t)b;
        er_vec3 w = er_v3(v[0], v[1], v[2]);
        er_vec3 p = er_v3_scale(body->mass, er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(w, body->com)));
        er_vec3 own = er_q_rotate(body->pose.q, er_m3_mul_v(body->inertia, w));
        er_vec3 arm = er_v3_sub(er_pose_point(body->pose, body->com), centre);
        p = er_q_rotate(body->pose.q, p);
        push = er_v3_add(push, p);
        turn = er_v3_add(turn, er_v3_add(own, er_v3_cross(arm, p)));
    }
    const double momentum[6] = {turn.x, turn.y, turn.z, push.x, push.y, push.z};
    for (int i = 0; i < 6; ++i)
        mass[i] = momentum[i] * momentum[i];
}

// ---- A motion in modes

typedef struct projector {
    er_arena *arena;
    const er_model *model;
    const er_modes *modes;
    er_kinematics *kinematics;
    double *mean;     // [width], the mean displacement
    double *x;        // [width]
    double *twist;    // [6 body_count]
    double *momentum; // [6 body_count], M twist
} projector;

static er_result make_room(er_context *context, projector *p)
{
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(context, &p->arena));
    ERI_TRY(er_kinematics_create(context, p->model, &p->kinematics));
    int width = er_kinematics_width(p->kinematics);
    ERI_TRY_NEW(p->mean, p->arena, double, width);
    ERI_TRY_NEW(p->x, p->arena, double, width);
    ERI_TRY_NEW(p->twist, p->arena, double, 6 * p->model->body_count);
    ERI_TRY_NEW(p->momentum, p->arena, double, 6 * p->model->body_count);
done:
    return r;
}

// The coefficients of a frame's deviation from the mean.   @return its square in the mass norm, without rigid modes
static double project_frame(const projector *p, const double *x, double *coefficient)
{
    int joints = p->model->coordinate_count, columns = 6 * p->model->body_count;
    for (int i = 0; i < joints; ++i) // roots that float stay: modes that do not move the whole have no momentum
        p->x[i] = x[i] - p->mean[i];
    er_kinematics_twists(p->kinematics, p->x, p->twist);
    eri_mass_times(p->model, p->twist, p->momentum);
    double square = eri_linalg_dot(columns, p->twist, p->momentum);
    for (int k = 0; k < p->modes->count; ++k) {
        coefficient[k] = eri_linalg_dot(columns, p->modes->mode[k].body, p->momentum);
        if (p->modes->mode[k].kind != ER_MODE_RIGID) continue;
        square -= coefficient[k] * coefficient[k];
        coefficient[k] = 0.0;
    }
    return square;
}

static void find_mean(projector *p, int frame_count, const double *x)
{
    int joints = p->model->coordinate_count, width = er_kinematics_width(p->kinematics);
    for (int f = 0; f < frame_count; ++f)
        for (int i = 0; i < joints; ++i)
            p->mean[i] += x[(ptrdiff_t)f * width + i] / frame_count;
}

er_result er_modes_project(er_context *context, const er_model *model, const er_modes *modes, int frame_count,
                           const double *x, double *coefficient, double *share)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || frame_count < 1 || x == NULL || coefficient == NULL || share == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_modes_project needs a model, its modes, frames and two results");
    if (modes->first > 0 && modes->rigid_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_modes_project needs the rigid modes too; solve from 0 Hz on");
    er_result r = ER_OK;
    projector p = {.model = model, .modes = modes};
    double whole = 0.0;
    ERI_TRY(make_room(context, &p));
    find_mean(&p, frame_count, x);
    memset(share, 0, (size_t)modes->count * sizeof *share);
    for (int f = 0; f < frame_count; ++f) {
        double *row = coefficient + (ptrdiff_t)f * modes->count;
        whole += project_frame(&p, x + (ptrdiff_t)f * er_kinematics_width(p.kinematics), row);
        for (int k = 0; k < modes->count; ++k)
            share[k] += row[k] * row[k];
    }
    for (int k = 0; k < modes->count && whole > 0.0; ++k)
        share[k] /= whole;
done:
    er_kinematics_destroy(p.kinematics);
    eri_arena_destroy(p.arena);
    return r;
}
