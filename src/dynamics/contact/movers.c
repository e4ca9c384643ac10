/// @file
/// What contacts move: bodies without joints, and trees whole, joints exact (contact.h).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

// ---- Which

static bool is_lone(const er_world *w, int limb)
{
    const er_tree *t = w->tree;
    bool has_children = limb + 1 < t->limb_count && t->limb[limb + 1].up == limb;
    if (t->limb[limb].joint >= 0 || has_children) return false;
    for (int k = 0; k < t->loop_count; ++k)
        if (t->loop[k].parent.limb == limb || t->loop[k].child.limb == limb) return false;
    return true;
}

// The last limb that a loop ties to those up to a limb, or the limb.
static int tied_last(const er_tree *t, int first, int last)
{
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb;
        if (a >= first && a < last && b >= last) last = b + 1;
        if (b >= first && b < last && a >= last) last = a + 1;
    }
    return last;
}

// Where trees end that begin at a limb: with the subtree, and all that loops tie to it and what stands between.
static int trees_end(const er_tree *t, int first)
{
    int last = first + 1, tied = last;
    do {
        last = tied;
        while (last < t->limb_count && t->limb[last].up >= 0)
            ++last;
        tied = tied_last(t, first, last);
    } while (tied > last);
    return last;
}

// Whether nothing but its root, which is free, hangs on the ground.
static bool is_floating(const er_world *w, int first, int last)
{
    const er_tree *t = w->tree;
    for (int i = first + 1; i < last; ++i)
        if (t->limb[i].up < 0) return false;
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb;
        if ((a < 0 && b >= first && b < last) || (b < 0 && a >= first && a < last)) return false;
    }
    return t->limb[first].joint < 0;
}

er_result er_movers_create(er_world *w, er_contacts *s)
{
    er_result r = ER_OK;
    const er_tree *t = w->tree;
    ER_TRY_NEW(s->mover, w->arena, er_mover, t->limb_count);
    ER_TRY_NEW(s->mover_of_body, w->arena, int, w->model->body_count);
    memset(s->mover_of_body, -1, (size_t)w->model->body_count * sizeof(int));
    for (int first = 0, last; first < t->limb_count; first = last) {
        last = trees_end(t, first);
        const er_limb *begin = &t->limb[first];
        int end = last < t->limb_count ? t->limb[last].u : t->velocity_count;
        er_mover *m = &s->mover[s->mover_count];
        *m = (er_mover){is_lone(w, first) ? first : -1, first, last, s->width, end - begin->u, begin->u,
                        is_floating(w, first, last)};
        s->width += m->count;
        for (int i = first; i < last; ++i)
            s->mover_of_body[t->limb[i].body] = s->mover_count;
        ++s->mover_count;
    }
    size_t n = (size_t)s->width;
    ER_TRY_NEW(s->V, w->arena, double, n);
    ER_TRY_NEW(s->dV, w->arena, double, n);
    ER_TRY_NEW(s->way, w->arena, double, n);
done:
    return r;
}

// ---- Bodies without joints

typedef struct lone {
    er_mat3 axes, turns; // of the body; of its velocities among the tree's rates
    er_mat3 inertia;     // world axes
    er_vec3 com;         // from the body's origin, world axes
} lone;

static er_mat3 turned(er_mat3 axes, er_mat3 inertia)
{
    return er_m3_mul(er_m3_mul(axes, inertia), er_m3_transpose(axes));
}

static lone lone_of(const er_world *w, const er_mover *m)
{
    const er_limb *l = &w->tree->limb[m->limb];
    const er_body *b = &w->model->body[l->body];
    er_mat3 axes = er_m3_from_q(w->pose[l->body].q);
    return (lone){axes, l->near_axes, turned(axes, b->inertia), er_m3_mul_v(axes, b->com)};
}

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static void take_lone(const er_world *w, const er_mover *m, const double *du, double *V, double *dV)
{
    lone b = lone_of(w, m);
    const er_twist *v = &w->twist[w->tree->limb[m->limb].body];
    er_vec3 spin = er_m3_mul_v(b.axes, v->angular), rate = er_m3_mul_v(b.turns, get(du));
    put(spin, V);
    put(er_v3_add(er_m3_mul_v(b.axes, v->linear), er_v3_cross(spin, b.com)), V + 3);
    put(rate, dV);
    put(er_v3_add(er_m3_mul_v(b.turns, get(du + 3)), er_v3_cross(rate, b.com)), dV + 3);
}

// Goes by `way`, turned about the angular velocity that the same momentum has half way.
static void give_lone(const er_world *w, const er_mover *m, const double *V, const double *way, double *q, double *u)
{
    lone b = lone_of(w, m);
    const er_limb *l = &w->tree->limb[m->limb];
    const er_body *body = &w->model->body[l->body];
    er_pose pose = w->pose[l->body];
    er_vec3 turn = get(way), com = er_v3_add(er_pose_point(pose, body->com), get(way + 3));
    er_quat half = er_q_mul(er_q_exp(er_v3_scale(0.5, turn)), pose.q);
    er_mat3 there = turned(er_m3_from_q(half), body->inertia);
    turn = er_m3_mul_v(er_m3_inverse(there), er_m3_mul_v(b.inertia, turn));
    pose.q = er_q_unit(er_q_mul(er_q_exp(turn), pose.q));
    er_mat3 axes = er_m3_from_q(pose.q);
    er_vec3 arm = er_m3_mul_v(axes, body->com);
    pose.p = er_v3_sub(com, arm);
    er_vec3 momentum = er_m3_mul_v(b.inertia, get(V));
    er_vec3 spin = er_m3_mul_v(er_m3_inverse(turned(axes, body->inertia)), momentum);
    er_vec3 linear = er_v3_sub(get(V + 3), er_v3_cross(spin, arm));
    er_pose near = {er_q_from_m3(l->near_axes), l->near_origin};
    er_limb_set_displacement(l, er_pose_mul(er_pose_inverse(near), pose), q + l->q);
    put(er_m3_mul_v(er_m3_transpose(b.turns), spin), u + l->u);
    put(er_m3_mul_v(er_m3_transpose(b.turns), linear), u + l->u + 3);
}

// ---- Trees that float

// Shifts all of a tree as one to where its centre of mass goes, and turns it as one so that its angular momentum is
// what it was: bodies that go round a joint in steps lose a little of both.
static void keep_spin(const er_world *w, const er_mover *m, const er_spin *before, const er_wrench *momentum, double *q,
                      double *u)
{
    er_spin now;
    const er_limb *root = &w->tree->limb[m->first_limb];
    er_minimal_spin(w, m->first_limb, m->last_limb, momentum, &now);
    er_vec3 turn = er_m3_mul_v(er_m3_inverse(now.inertia), er_v3_sub(before->momentum, now.momentum));
    er_vec3 slide = er_v3_cross(turn, er_v3_sub(er_minimal_origin(w, m->first_limb), now.centre));
    er_mat3 back = er_m3_transpose(root->near_axes);
    double *at = u + root->u;
    put(er_v3_add(get(at), er_m3_mul_v(back, turn)), at);
    put(er_v3_add(get(at + 3), er_m3_mul_v(back, slide)), at + 3);
    double *shift = q + root->q + 4;
    put(er_v3_add(get(shift), er_m3_mul_v(back, er_v3_sub(before->centre, now.centre))), shift);
}

// ---- All

void er_movers_take(er_world *w, const double *du)
{
    er_contacts *s = w->contacts;
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        if (m->limb >= 0) {
            take_lone(w, m, du + m->velocity, s->V + m->first, s->dV + m->first);
            continue;
        }
        memcpy(s->V + m->first, s->u + m->velocity, (size_t)m->count * sizeof(double));
        memcpy(s->dV + m->first, du + m->velocity, (size_t)m->count * sizeof(double));
    }
}

er_result er_movers_give(er_world *w, double time, double *q, double *u)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    er_wrench *momentum;
    er_spin *spin;
    double *change = s->du;
    ER_TRY_NEW(momentum, s->now.arena, er_wrench, w->tree->limb_count);
    ER_TRY_NEW(spin, s->now.arena, er_spin, s->mover_count);
    memset(change, 0, (size_t)w->velocity_count * sizeof(double));
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        for (int k = 0; m->limb < 0 && k < m->count; ++k)
            change[m->velocity + k] = s->V[m->first + k] - u[m->velocity + k];
    }
    er_minimal_momenta(w, change, momentum);
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        if (m->limb < 0 && m->floats) er_minimal_spin(w, m->first_limb, m->last_limb, momentum, &spin[i]);
    }
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        if (m->limb < 0) memcpy(change + m->velocity, s->way + m->first, (size_t)m->count * sizeof(double));
    }
    const double *twist = er_minimal_twists(w, change);
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        if (m->limb >= 0 || !m->floats) continue;
        er_vec3 drift = er_minimal_drift(w, m->first_limb, m->last_limb, twist);
        spin[i].centre = er_v3_add(spin[i].centre, drift);
    }
    er_tree_move(w->tree, change, q);
    er_minimal_keep(w, time, q, momentum, u);
    er_minimal_momenta(w, u, momentum);
    for (int i = 0; i < s->mover_count; ++i) {
        const er_mover *m = &s->mover[i];
        if (m->limb < 0 && m->floats) keep_spin(w, m, &spin[i], momentum, q, u);
        if (m->limb >= 0) give_lone(w, m, s->V + m->first, s->way + m->first, q, u);
    }
done:
    return r;
}

// ---- How contacts act on them

static double inner(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

// Of a body that takes `sign` of the impulses; adds to what is there.   @param row  [2 count], work space
static void feel(er_world *w, const er_mover *m, int body, er_vec3 point, const er_vec3 axis[3], double sign,
                 er_contact_side *side, double *row)
{
    for (int d = 0; d < 3; ++d) {
        double *J = side->J + d * side->count, *Y = side->Y + d * side->count;
        er_vec3 force = er_v3_scale(sign, axis[d]);
        if (m->limb < 0) {
            er_minimal_respond(w, m->first_limb, m->last_limb, w->tree->limb_of_body[body], point, force, row,
                               row + side->count);
            for (int i = 0; i < side->count; ++i)
                J[i] += row[i], Y[i] += row[side->count + i];
            continue;
        }
        lone b = lone_of(w, m);
        er_vec3 com = er_pose_point(w->pose[body], w->model->body[body].com);
        er_vec3 torque = er_v3_cross(er_v3_sub(point, com), force);
        put(torque, J), put(force, J + 3);
        put(er_m3_mul_v(er_m3_inverse(b.inertia), torque), Y);
        put(er_v3_scale(1.0 / w->model->body[body].mass, force), Y + 3);
    }
}

double er_touching_speed(const er_touching *c, int direction, const double *V)
{
    double speed = c->given[direction];
    for (int k = 0; k < 2; ++k) {
        const er_contact_side *s = &c->side[k];
        if (s->count > 0) speed += inner(s->count, s->J + direction * s->count, V + s->first);
    }
    return speed;
}

// What an impulse along one direction changes the speed along another by.
static double response(const er_touching *c, int to, int from)
{
    double sum = 0.0;
    for (int k = 0; k < 2; ++k) {
        const er_contact_side *s = &c->side[k];
        if (s->count > 0) sum += inner(s->count, s->J + to * s->count, s->Y + from * s->count);
    }
    return sum;
}

static er_vec3 velocity_at(const er_world *w, int body, er_vec3 point)
{
    if (body < 0) return er_v3(0, 0, 0);
    er_twist v = w->twist[body];
    er_vec3 arm = er_q_rotate(er_q_conj(w->pose[body].q), er_v3_sub(point, w->pose[body].p));
    return er_q_rotate(w->pose[body].q, er_v3_add(v.linear, er_v3_cross(v.angular, arm)));
}

// Of the speeds, what no mover makes: held bodies' motion, and what it gives to all that hangs on them.
static void find_given(const er_world *w, er_touching *c)
{
    const er_contacts *s = w->contacts;
    if (w->def.guide == NULL) return;
    er_vec3 apart = er_v3_sub(velocity_at(w, s->shape[c->shape[1]].body, c->point),
                              velocity_at(w, s->shape[c->shape[0]].body, c->point));
    for (int d = 0; d < 3; ++d)
        c->given[d] = er_v3_dot(c->axis[d], apart) - er_touching_speed(c, d, s->V);
}

static er_result feel_one(er_world *w, er_touching *c, double *row)
{
    er_result r = ER_OK;
    const er_contacts *s = w->contacts;
    for (int k = 0; k < 2; ++k) {
        int body = s->shape[c->shape[1 - k]].body, index = body < 0 ? -1 : s->mover_of_body[body];
        if (index < 0) continue;
        const er_mover *m = &s->mover[index];
        er_contact_side *side =
            k == 1 && c->side[0].count > 0 && c->side[0].first == m->first ? &c->side[0] : &c->side[k];
        if (side->count == 0) {
            side->first = m->first;
            side->count = m->count;
            ER_TRY_NEW(side->J, s->now.arena, double, 6 * m->count);
            side->Y = side->J + 3 * m->count;
        }
        feel(w, m, body, c->point, c->axis, k == 0 ? 1.0 : -1.0, side, row);
    }
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
            c->K[d][e] = response(c, d, e);
    find_given(w, c);
done:
    return r;
}

er_result er_movers_feel(er_world *w)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    double *row;
    ER_TRY_NEW(row, s->now.arena, double, 2 * (size_t)s->width);
    for (int i = 0; i < s->now.count; ++i)
        ER_TRY(feel_one(w, &s->now.item[i], row));
done:
    return r;
}
