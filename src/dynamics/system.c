/// @file
/// A world as the mechanical system that integrators know, by either route.
#include "dynamics/world.h"

#include <string.h>

#include "model/joint/joint.h"

static void drift(void *user, const double *q, const double *u, double *dq)
{
    const er_world *w = user;
    if (eri_world_is_reduced(w))
        eri_multibody_drift(w->multibody, 0, w->tree->link_count, q, u, dq);
    else
        eri_maximal_drift(w, q, u, dq);
}

static void normalise(void *user, double *q)
{
    const er_world *w = user;
    if (eri_world_is_reduced(w))
        eri_multibody_normalise(w->multibody, 0, w->tree->link_count, q);
    else
        eri_maximal_normalise(w, q);
}

er_result eri_world_find(er_world *w, double t, const double *q, const double *u, const eri_evaluation *e, double *du)
{
    return eri_world_is_reduced(w) ? eri_minimal_evaluate(w, t, q, u, e, du) : eri_maximal_evaluate(w, t, q, u, e, du);
}

er_result eri_world_close(er_world *w, double t, bool always, double *q, double *u)
{
    return eri_world_is_reduced(w) ? eri_minimal_restore(w, t, always, q, u) : eri_maximal_restore(w, t, always, q, u);
}

static er_result evaluate(er_world *w, double t, const double *q, const double *u, double step, double *du)
{
    eri_account account = {0};
    eri_evaluation e = {.step = step, .account = &account};
    er_result r = eri_world_find(w, t, q, u, &e, du);
    du[w->velocity_count - 2] = account.work;
    du[w->velocity_count - 1] = account.heat;
    return r;
}

static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    return evaluate(user, t, q, u, 0.0, du);
}

static er_result implicit(void *user, double t, const double *q, const double *u, double h, double *du)
{
    er_world *w = user;
    er_result r = evaluate(w, t, q, u, h, du);
    for (int i = 0; i < w->velocity_count; ++i)
        du[i] *= h;
    return r;
}

void eri_world_follow(er_world *w, const double *q)
{
    const er_model *m = w->model;
    double x[6];
    for (int i = 0; i < w->tree->link_count && eri_world_is_reduced(w); ++i) {
        const eri_link *link = &w->tree->link[i];
        const eri_limb *l = &w->multibody->limb[i];
        if (link->joint < 0) continue;
        double *near = w->near + link->coordinate;
        if (l->turns_freely)
            eri_joint_coordinates(link->type, link->pitch, eri_limb_displacement(w->multibody, i, q + l->q), near, x);
        else
            memcpy(x, q + l->q, (size_t)l->freedom * sizeof *x);
        memcpy(near, x, (size_t)l->freedom * sizeof *near);
    }
    for (int k = 0; k < m->joint_count; ++k) {
        if (eri_world_is_reduced(w) && w->tree->has_joint[k]) continue;
        double *near = w->near + m->coordinate[k];
        er_pose P = eri_joint_parent_side(m, k, w->pose), Q = eri_joint_child_side(m, k, w->pose);
        eri_joint_coordinates(m->joint[k].type, m->joint[k].pitch, er_pose_mul(er_pose_inverse(P), Q), near, x);
        memcpy(near, x, (size_t)(m->coordinate[k + 1] - m->coordinate[k]) * sizeof *near);
    }
}

void eri_world_bodies(er_world *w, double t, const double *q, const double *u, er_pose *pose, er_twist *twist)
{
    if (eri_world_is_reduced(w))
        eri_minimal_bodies(w, t, q, u, pose, twist);
    else
        eri_maximal_bodies(w, t, q, u, pose, twist);
}

void eri_world_apply_impulse(er_world *w, double t, const double *q, int body, er_wrench impulse, double *u)
{
    if (eri_world_is_reduced(w))
        eri_minimal_push(w, t, q, body, impulse, u);
    else
        eri_maximal_push(w, t, q, body, impulse, u);
}

void eri_world_show(er_world *w, double time, const double *q, const double *u)
{
    if (w->contacts != NULL && eri_world_is_reduced(w))
        eri_contacts_show(w, time, q, u, true);
    else
        eri_world_bodies(w, time, q, u, w->pose, w->twist);
    eri_world_follow(w, q);
}

static er_result restore(void *user, double t, double *q, double *u)
{
    er_world *w = user;
    er_result r = eri_world_close(w, t, false, q, u);
    bool follows = !eri_world_is_reduced(w) || w->multibody->loop_count > 0; // else angles are positions
    if (r == ER_OK && follows) eri_world_show(w, t, q, u);
    return r;
}

er_result eri_world_create_solver(er_world *w, er_arena *scratch)
{
    er_result r = ER_OK;
    static const er_ode_method method[] = {
        [ER_INTEGRATE_EULER] = ER_ODE_EULER,
        [ER_INTEGRATE_SEMI_IMPLICIT] = ER_ODE_SEMI_IMPLICIT_EULER,
        [ER_INTEGRATE_HEUN] = ER_ODE_HEUN,
        [ER_INTEGRATE_RK4] = ER_ODE_RK4,
        [ER_INTEGRATE_FEHLBERG] = ER_ODE_FEHLBERG,
        [ER_INTEGRATE_IMPLICIT] = ER_ODE_IMPLICIT,
        [ER_INTEGRATE_CONTACT] = ER_ODE_SEMI_IMPLICIT_EULER, // holds the state; steps are in contact/
    };
    double *scale, mass = 0.0, size = w->model->size;
    int nq = w->position_count, nu = w->velocity_count;
    ERI_TRY_NEW(scale, scratch, double, nq + nu);
    for (int i = 0; i < nq + nu; ++i)
        scale[i] = 1.0;
    for (int i = 0; i < w->tree->link_count; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        int extra = l->turns_freely, row = nq / w->tree->link_count;
        mass += l->mass;
        for (int c = 0; c < l->freedom && eri_world_is_reduced(w); ++c)
            if (l->axis[c] >= 3) scale[l->q + extra + c] = scale[nq + l->u + c] = size;
        for (int c = 3; c < 6 && !eri_world_is_reduced(w); ++c)
            scale[row * (i + 1) + c - 6] = scale[nq + 6 * i + c] = size;
    }
    for (int a = 1; a <= ERI_WORLD_ACCOUNTS; ++a)
        scale[nq + nu - a] = mass > 0.0 ? mass * size * size : 1.0; // J
    eri_ode ode = {.user = w,
                   .position_count = nq,
                   .velocity_count = nu,
                   .drift = drift,
                   .accelerate = accelerate,
                   .implicit = implicit,
                   .restore = restore,
                   .normalise = normalise,
                   .changes = &w->rank_changes,
                   .scale = scale};
    eri_ode_options options = {.method = method[w->def.integrator],
                               .step = w->def.max_step,
                               .min_step = w->def.min_step,
                               .max_step = w->def.max_step,
                               .absolute = w->def.tolerance,
                               .relative = w->def.tolerance};
    ERI_TRY(eri_ode_create(w->context, &ode, &options, &w->solver));
done:
    return r;
}

er_result eri_world_go_on(er_world *w, double time)
{
    er_result r = ER_OK;
    ERI_TRY(eri_world_close(w, time, false, w->q, w->u));
    eri_world_show(w, time, w->q, w->u);
    ERI_TRY(eri_ode_start(w->solver, time, w->q, w->u, eri_ode_next_step(w->solver)));
done:
    return r;
}
