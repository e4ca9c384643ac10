/// @file
/// The mean loads of joints over a step, from what the momenta of bodies change by: forces, contacts and ties give a
/// part of the change, and joints give the rest, from the leaves of the trees to their roots.
#include <string.h>

#include "dynamics/contact/bounded_rows.h"

struct eri_joint_loads {
    er_vec3 *com;        // [body_count], m, at the step's begin
    er_wrench *momentum; // [body_count], N s and N m s, about the centre of mass, at the step's begin
    er_wrench *given;    // [body_count], N s and N m s, about the centre of mass: what joints give
    er_wrench *loop;     // [loops], N s and N m s: what loop joints give their child, about its side's origin
};

er_result eri_joint_loads_create(er_world *w)
{
    er_result r = ER_OK;
    eri_joint_loads *s;
    size_t bodies = (size_t)w->model->body_count;
    if (w->ties == NULL || w->ties->joint_count == 0) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_joint_loads, 1);
    ERI_TRY_NEW(s->com, w->arena, er_vec3, bodies);
    ERI_TRY_NEW(s->momentum, w->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->given, w->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->loop, w->arena, er_wrench, w->multibody->loop_count);
    w->ties->loads = s;
done:
    return r;
}

static eri_joint_loads *loads_of(const er_world *w)
{
    return w->ties != NULL ? w->ties->loads : NULL;
}

static er_vec3 com_of(const er_world *w, int body)
{
    return er_pose_point(w->pose[body], w->model->body[body].com);
}

static er_wrench momentum_of(const er_world *w, int body)
{
    const er_body *b = &w->model->body[body];
    er_quat q = w->pose[body].q;
    er_vec3 spin = w->twist[body].angular, v = er_v3_add(w->twist[body].linear, er_v3_cross(spin, b->com));
    return (er_wrench){er_q_rotate(q, er_m3_mul_v(b->inertia, spin)), er_q_rotate(q, er_v3_scale(b->mass, v))};
}

void eri_joint_loads_begin(er_world *w)
{
    eri_joint_loads *s = loads_of(w);
    if (s == NULL) return;
    memset(s->loop, 0, (size_t)w->multibody->loop_count * sizeof *s->loop);
    memset(s->given, 0, (size_t)w->model->body_count * sizeof *s->given);
    for (int b = 0; b < w->model->body_count; ++b) {
        s->com[b] = com_of(w, b);
        s->momentum[b] = momentum_of(w, b);
    }
}

void eri_joint_loads_add_loops(er_world *w, double factor, bool with_springs)
{
    eri_joint_loads *s = loads_of(w);
    for (int k = 0; s != NULL && k < w->multibody->loop_count; ++k) {
        er_wrench f = eri_minimal_loop_wrench(w, k, with_springs);
        s->loop[k].torque = er_v3_madd(s->loop[k].torque, factor, f.torque);
        s->loop[k].force = er_v3_madd(s->loop[k].force, factor, f.force);
    }
}

// Adds a wrench about a point, with a sign, to what a body needs.
static void add(eri_joint_loads *s, int body, double sign, er_wrench f, er_vec3 point, er_vec3 com)
{
    if (body < 0) return;
    er_vec3 torque = er_v3_add(f.torque, er_v3_cross(er_v3_sub(point, com), f.force));
    s->given[body].torque = er_v3_madd(s->given[body].torque, sign, torque);
    s->given[body].force = er_v3_madd(s->given[body].force, sign, f.force);
}

void eri_joint_loads_add(er_world *w, int body, er_wrench impulse)
{
    eri_joint_loads *s = loads_of(w);
    if (s != NULL && body >= 0) add(s, body, -1.0, impulse, s->com[body], s->com[body]);
}

void eri_joint_loads_add_loop(er_world *w, int joint, er_wrench impulse)
{
    eri_joint_loads *s = loads_of(w);
    for (int k = 0; s != NULL && k < w->multibody->loop_count; ++k)
        if (w->multibody->loop[k].joint == joint) {
            s->loop[k].torque = er_v3_add(s->loop[k].torque, impulse.torque);
            s->loop[k].force = er_v3_add(s->loop[k].force, impulse.force);
        }
}

static void subtract_contacts(er_world *w)
{
    eri_joint_loads *s = loads_of(w);
    const eri_contacts *c = w->contacts;
    for (int i = 0; i < er_world_contact_count(w); ++i) {
        er_contact at = er_world_contact(w, i);
        for (int k = 0; k < 2; ++k) {
            int body = c->broad.shape[at.shape[k]].body;
            er_wrench f = {{0, 0, 0}, at.impulse};
            if (body >= 0) add(s, body, k == 0 ? 1.0 : -1.0, f, at.point, s->com[body]);
        }
    }
    for (int i = 0; i < c->rows.count; ++i)
        for (int k = 0; k < c->rows.row[i].side_count; ++k) {
            const eri_row_side *side = &c->rows.row[i].side[k];
            const double *x = (const double *)&side->total;
            er_wrench f = {er_v3(x[0], x[1], x[2]), er_v3(x[3], x[4], x[5])};
            if (side->body >= 0) add(s, side->body, -1.0, f, side->origin, s->com[side->body]);
        }
}

// Finds what joints gave each body in the step.
static void find_given(er_world *w, double h)
{
    eri_joint_loads *s = loads_of(w);
    for (int b = 0; b < w->model->body_count; ++b) {
        er_wrench now = momentum_of(w, b);
        s->given[b].torque = er_v3_add(s->given[b].torque, er_v3_sub(now.torque, s->momentum[b].torque));
        s->given[b].force = er_v3_add(s->given[b].force, er_v3_sub(now.force, s->momentum[b].force));
        s->given[b].force = er_v3_madd(s->given[b].force, -h * w->model->body[b].mass, w->def.gravity);
        if (!w->forces->any) continue;
        s->given[b].torque = er_v3_madd(s->given[b].torque, -h, w->wrench[b].torque);
        s->given[b].force = er_v3_madd(s->given[b].force, -h, w->wrench[b].force);
    }
    subtract_contacts(w);
}

// Takes a joint's impulse on its child, about the joint's origin there, and hands it on to both bodies.
static void take(er_world *w, int joint, er_wrench impulse, double h)
{
    eri_joint_loads *s = loads_of(w);
    const er_joint *j = &w->model->joint[joint];
    er_vec3 origin = eri_world_joint_ends(w, joint, w->pose, w->twist).Q.p;
    add(s, j->child, -1.0, impulse, origin, com_of(w, j->child));
    if (j->parent >= 0) add(s, j->parent, 1.0, impulse, origin, com_of(w, j->parent));
    er_wrench load = {er_v3_scale(1.0 / h, impulse.torque), er_v3_scale(1.0 / h, impulse.force)};
    eri_ties_set_load(w->ties, joint, load);
}

void eri_joint_loads_end(er_world *w, double h)
{
    eri_joint_loads *s = loads_of(w);
    if (s == NULL) return;
    find_given(w, h);
    for (int k = 0; k < w->multibody->loop_count; ++k)
        take(w, w->multibody->loop[k].joint, s->loop[k], h);
    for (int i = w->multibody->jointed_count - 1; i >= 0; --i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint < 0) continue;
        er_vec3 origin = eri_world_joint_ends(w, l->joint, w->pose, w->twist).Q.p;
        er_wrench on = s->given[l->body]; // what the joint gives the limb, about the limb's centre of mass
        on.torque = er_v3_add(on.torque, er_v3_cross(er_v3_sub(com_of(w, l->body), origin), on.force));
        double sign = l->inverse ? -1.0 : 1.0;
        take(w, l->joint, (er_wrench){er_v3_scale(sign, on.torque), er_v3_scale(sign, on.force)}, h);
    }
}
