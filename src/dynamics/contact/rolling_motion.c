/// @file
/// Bodies that roll without slip on one point of a flat still ground move by their exact equations
/// (docs/math/contact.md).
///
/// All vectors are in the body's axes unless said otherwise.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

static const double least_lean = 0.01;  // sine: a shape that leans by less comes to lie on a face or a line
static const double most_turn = 2.5;    // rad in a step, of the body and of the point round its rim
static const double part_turn = 0.05;   // rad in a part of a step
static const double most_gap = 0.01;    // of the radius
static const double probe_share = 0.01; // of the radius: how far above the ground its normal is probed
static const double same_normal = 1e-9; // 1 - cosine
static const double gap_kept = 0.8;     // of a gap or an overlap, in a step

// A body that rolls, and where it is.
typedef struct roller {
    const er_shape *shape;
    er_pose frame; // of the shape, in the body's frame
    er_vec3 com;
    er_mat3 inertia;
    double mass, friction;
    er_vec3 weight, up; // m/s^2, and the ground's normal: world
} roller;

// A state, and the rates of its numbers.
typedef struct roller_state {
    er_quat q;         // of the body
    er_vec3 spin, way; // rad/s; m, world: of the centre of mass
} roller_state;

// The contact of a state.
typedef struct roller_contact {
    er_vec3 force;      // m/s^2, world: of the ground, for each kg
    double point_speed; // m/s, of the touching point along the shape
    bool is_smooth;     // one point touches, and does not jump
} roller_contact;

// ---- Equations

// The farthest point of a round shape along a direction, and how it moves as the direction does.
// @return false if it may jump
static bool support(const er_shape *shape, er_vec3 d, er_vec3 change, er_vec3 *point, er_vec3 *rate)
{
    double r = shape->radius, end = 0.5 * shape->length, across = hypot(d.x, d.y);
    *point = er_v3_scale(r, d);
    *rate = er_v3_scale(r, change);
    if (shape->kind == ER_SHAPE_SPHERE) return true;
    point->z += copysign(end, d.z);
    if (shape->kind == ER_SHAPE_CAPSULE) return fabs(d.z) > least_lean;
    if (!(across > least_lean)) return false;
    double x = d.x / across, y = d.y / across, round = (x * change.y - y * change.x) / across;
    *point = er_v3(r * x, r * y, copysign(end, d.z));
    *rate = er_v3(-r * y * round, r * x * round, 0.0);
    return fabs(d.z) > least_lean;
}

// From the centre of mass to the touching point.
static bool arm_of(const roller *b, const roller_state *s, er_vec3 *arm, er_vec3 *rate)
{
    er_quat back = er_q_conj(b->frame.q);
    er_vec3 down = er_q_rotate(er_q_conj(s->q), er_v3_scale(-1.0, b->up)), point, change;
    bool is_smooth =
        support(b->shape, er_q_rotate(back, down), er_q_rotate(back, er_v3_cross(down, s->spin)), &point, &change);
    *arm = er_v3_sub(er_pose_point(b->frame, point), b->com);
    *rate = er_q_rotate(b->frame.q, change);
    return is_smooth;
}

// The inertia about the touching point.
static er_mat3 inertia_at(const roller *b, er_vec3 arm)
{
    er_mat3 J = er_m3_madd(b->inertia, -b->mass, er_m3_outer(arm, arm));
    return er_m3_madd(J, b->mass * er_v3_dot(arm, arm), er_m3_identity());
}

// With the velocity v = arm x spin of the centre of mass, the force of the ground is m (v' - g), and its torque about
// the centre turns the body.
static roller_state rate_of(const roller *b, const roller_state *s, roller_contact *touch)
{
    roller_state rate;
    er_vec3 arm, change, w = s->spin;
    touch->is_smooth = arm_of(b, s, &arm, &change);
    touch->point_speed = er_v3_norm(change);
    er_vec3 v = er_v3_cross(arm, w), fall = er_q_rotate(er_q_conj(s->q), b->weight);
    er_vec3 a = er_v3_sub(er_v3_add(er_v3_cross(change, w), er_v3_cross(w, v)), fall);
    er_vec3 torque = er_v3_sub(er_v3_scale(b->mass, er_v3_cross(arm, a)), er_v3_cross(w, er_m3_mul_v(b->inertia, w)));
    rate.spin = er_m3_mul_v(er_m3_inverse(inertia_at(b, arm)), torque);
    rate.way = er_q_rotate(s->q, v);
    rate.q = er_q_mul(s->q, er_q(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z));
    touch->force = er_q_rotate(s->q, er_v3_add(a, er_v3_cross(arm, rate.spin)));
    return rate;
}

static roller_state madd(const roller_state *s, double h, const roller_state *rate)
{
    er_quat q = {s->q.w + h * rate->q.w, s->q.x + h * rate->q.x, s->q.y + h * rate->q.y, s->q.z + h * rate->q.z};
    return (roller_state){q, er_v3_madd(s->spin, h, rate->spin), er_v3_madd(s->way, h, rate->way)};
}

static bool is_in_cone(const roller *b, er_vec3 force)
{
    double load = er_v3_dot(b->up, force);
    return load > 0.0 && er_v3_norm(er_v3_madd(force, -load, b->up)) <= b->friction * load;
}

static bool holds(const roller *b, const roller_contact *touch, double h)
{
    return touch->is_smooth && is_in_cone(b, touch->force) && h * touch->point_speed <= most_turn * b->shape->radius;
}

static double kinetic(const roller *b, const roller_state *s)
{
    er_vec3 arm, change;
    arm_of(b, s, &arm, &change);
    return 0.5 * er_v3_dot(s->spin, er_m3_mul_v(inertia_at(b, arm), s->spin));
}

// Rolls for h, and keeps the energy.   @return false if friction or the shape do not allow it
static bool roll(const roller *b, double h, roller_state *s)
{
    roller_contact touch, other;
    roller_state k[4], x;
    k[0] = rate_of(b, s, &touch);
    double turn = h * fmax(touch.point_speed / b->shape->radius, er_v3_norm(s->spin)), had = kinetic(b, s);
    er_vec3 from = s->way;
    if (!(turn <= most_turn)) return false;
    int parts = (int)ceil(fmax(turn / part_turn, 1.0));
    double part = h / parts;
    for (int i = 0; i < parts; ++i) {
        if (!holds(b, &touch, h)) return false;
        x = madd(s, 0.5 * part, &k[0]);
        k[1] = rate_of(b, &x, &other);
        x = madd(s, 0.5 * part, &k[1]);
        k[2] = rate_of(b, &x, &other);
        x = madd(s, part, &k[2]);
        k[3] = rate_of(b, &x, &other);
        for (int j = 0; j < 4; ++j)
            *s = madd(s, part / (j == 0 || j == 3 ? 6.0 : 3.0), &k[j]);
        s->q = er_q_unit(s->q);
        k[0] = rate_of(b, s, &touch);
    }
    if (!holds(b, &touch, h)) return false;
    double has = kinetic(b, s), wanted = had + b->mass * er_v3_dot(b->weight, er_v3_sub(s->way, from));
    if (!(wanted > 0.0 && has > 0.0)) return false;
    s->spin = er_v3_scale(sqrt(wanted / has), s->spin);
    return true;
}

// ---- Creation

static bool can_roll(const er_world *w, int shape)
{
    const eri_contacts *s = w->contacts;
    int slot = eri_moving_slot(&s->bodies, shape);
    if (slot < 0 || s->bodies.limb[shape] >= 0 || s->bodies.is_ball[shape]) return false;
    for (int i = 0; i < s->rows.tie_count; ++i)
        for (int k = 0; k < 4; ++k)
            if (s->rows.node[i].slot[k] == slot) return false;
    return eri_shape_is_round(&s->broad.shape[shape]);
}

er_result eri_rolling_motions_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    bool is_any = false;
    if (s->reference != NULL) return ER_OK;
    ERI_TRY_NEW(s->rolling.can_roll, w->arena, bool, s->broad.shape_count);
    for (int i = 0; i < s->broad.shape_count; ++i)
        is_any |= s->rolling.can_roll[i] = can_roll(w, i);
    if (is_any) ERI_TRY_NEW(s->rolling.motion, w->arena, eri_rolling_motion, s->bodies.count);
done:
    return r;
}

// ---- Steps

// The normal of a shape of the ground near a point of it, toward the outside.   @param probe  m: how near
// @param distance  written, m: of the point from the surface
static er_vec3 ground_normal(const eri_broad_phase *broad, int ground, er_vec3 point, er_vec3 up, double probe,
                             double *distance)
{
    const er_shape dot = {.kind = ER_SHAPE_SPHERE};
    er_closest c;
    er_pose at = {er_q_identity(), er_v3_madd(point, probe, up)};
    er_shape_closest(&dot, at, &broad->shape[ground].shape, broad->pose[ground], NULL, &c);
    *distance = c.distance - probe;
    return er_v3_scale(-1.0, c.normal);
}

static bool is_same(er_vec3 a, er_vec3 b)
{
    return er_v3_dot(a, b) >= 1.0 - same_normal;
}

// Whether all points of a manifold have one normal.
static bool is_flat(const eri_contacts *s, const eri_manifold *m)
{
    const eri_contact_point *c = s->narrow.now.point + m->first;
    for (int i = 1; i < m->count; ++i)
        if (!is_same(c[i].normal, c[0].normal)) return false;
    return true;
}

// Whether only still ground, friction that is the same in all directions, and weight act on a body in touch.
static bool is_plain(const er_world *w, const eri_manifold *m, int round)
{
    const eri_contacts *s = w->contacts;
    int ground = m->a == round ? m->b : m->a, body = s->broad.shape[round].body;
    const er_world_shape *A = &s->broad.shape[round], *B = &s->broad.shape[ground];
    if (eri_moving_slot(&s->bodies, ground) >= 0 || eri_shape_has_moved(w, ground) || m->time > 0.0) return false;
    if (eri_surface_runs(A) || eri_surface_runs(B) || eri_shape_has_grain(A) || eri_shape_has_grain(B)) return false;
    if (fmax(A->rolling, B->rolling) > 0.0 || fmax(A->spinning, B->spinning) > 0.0) return false;
    if (!w->forces->any) return true;
    const er_wrench f = w->wrench[body];
    return er_v3_dot(f.force, f.force) + er_v3_dot(f.torque, f.torque) == 0.0;
}

static bool touches(const roller *b, const eri_broad_phase *broad, int ground, er_vec3 place, double *gap)
{
    double r = b->shape->radius;
    er_vec3 up = ground_normal(broad, ground, place, b->up, probe_share * r, gap);
    return is_same(up, b->up) && fabs(*gap) <= most_gap * r;
}

// Rolls a body in touch for a step, if it can.
static void roll_body(er_world *w, const eri_manifold *m, int round, double h, eri_rolling_motion *out)
{
    const eri_contacts *s = w->contacts;
    const er_world_shape *A = &s->broad.shape[round];
    const er_body *body = &w->model->body[A->body];
    const eri_solver_body *now = &s->bodies.body[s->bodies.slot[round]];
    const double *V = s->state.V + ERI_LANE_COUNT * (size_t)s->bodies.slot[round];
    int ground = m->a == round ? m->b : m->a;
    const eri_contact_point *c = s->narrow.now.point + m->first;
    roller b = {.shape = &A->shape,
                .frame = A->pose,
                .com = body->com,
                .inertia = body->inertia,
                .mass = body->mass,
                .friction = c->friction,
                .weight = w->def.gravity,
                .up = c->shape[0] == round ? er_v3_scale(-1.0, c->normal) : c->normal};
    er_quat q = w->pose[A->body].q;
    er_vec3 spin = er_q_rotate(er_q_conj(q), er_v3(V[0], V[1], V[2])), velocity = er_v3(V[3], V[4], V[5]), arm, change;
    roller_state x = {q, spin, er_v3(0, 0, 0)};
    double gap, end_gap;
    if (!arm_of(&b, &x, &arm, &change)) return;
    if (!touches(&b, &s->broad, ground, er_v3_add(now->com, er_q_rotate(q, arm)), &gap)) return;
    if (!(2.0 * gap <= er_v3_norm(b.weight) * h * h)) return;
    // the impulse that stops the touching point
    er_vec3 v = er_q_rotate(er_q_conj(q), velocity), slip = er_v3_sub(v, er_v3_cross(arm, spin));
    if (!(er_v3_norm(slip) <= 2.0 * er_v3_norm(b.weight) * h)) return;
    er_vec3 momentum = er_v3_add(er_m3_mul_v(body->inertia, spin), er_v3_scale(-body->mass, er_v3_cross(arm, v)));
    x.spin = er_m3_mul_v(er_m3_inverse(inertia_at(&b, arm)), momentum);
    if (!roll(&b, h, &x)) return;
    arm_of(&b, &x, &arm, &change);
    er_vec3 end = er_q_rotate(x.q, er_v3_cross(arm, x.spin));
    er_vec3 impulse = er_v3_scale(body->mass, er_v3_madd(er_v3_sub(end, velocity), -h, b.weight));
    if (!is_in_cone(&b, impulse)) return;
    er_vec3 way = er_v3_madd(x.way, -(1.0 - gap_kept) * gap, b.up);
    if (!touches(&b, &s->broad, ground, er_v3_add(er_v3_add(now->com, way), er_q_rotate(x.q, arm)), &end_gap)) return;
    double had = 0.5 * (body->mass * er_v3_dot(v, v) + er_v3_dot(spin, er_m3_mul_v(body->inertia, spin)));
    *out = (eri_rolling_motion){.manifold = m,
                                .rolls = true,
                                .pose = {x.q, er_v3_sub(er_v3_add(now->com, way), er_q_rotate(x.q, b.com))},
                                .spin = er_q_rotate(x.q, x.spin),
                                .velocity = end,
                                .impulse = c->shape[0] == round ? er_v3_scale(-1.0, impulse) : impulse,
                                .gap = end_gap,
                                .heat = had + body->mass * er_v3_dot(b.weight, way) - kinetic(&b, &x)};
}

void eri_rolling_motions_find(er_world *w, double h)
{
    eri_contacts *s = w->contacts;
    eri_rolling_motion *motion = s->rolling.motion;
    if (motion == NULL) return;
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i)
        motion[i] = (eri_rolling_motion){0};
    for (int i = 0; i < s->narrow.now.manifold_count; ++i) {
        const eri_manifold *m = &s->narrow.now.manifold[i];
        for (int side = 0; side < 2; ++side) {
            int slot = eri_moving_slot(&s->bodies, side == 0 ? m->a : m->b);
            if (slot < s->bodies.static_count || slot >= s->bodies.count) continue;
            motion[slot].manifold = m;
            ++motion[slot].touched;
        }
    }
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        const eri_manifold *m = motion[i].manifold;
        if (motion[i].touched != 1 || eri_slot_is_asleep(&s->sleep, i)) continue;
        int round = s->bodies.slot[m->a] == i ? m->a : m->b;
        if (s->rolling.can_roll[round] && is_flat(s, m) && is_plain(w, m, round)) roll_body(w, m, round, h, &motion[i]);
    }
}

void eri_rolling_motions_finish(eri_contacts *s)
{
    for (int i = s->bodies.static_count; i < s->bodies.count && s->rolling.motion != NULL; ++i) {
        const eri_rolling_motion *motion = &s->rolling.motion[i];
        if (!motion->rolls) continue;
        eri_contact_point *c = s->narrow.now.point + motion->manifold->first, *deepest = c;
        for (int k = 1; k < motion->manifold->count; ++k)
            if (c[k].distance < deepest->distance) deepest = &c[k];
        for (int k = 0; k < motion->manifold->count; ++k) {
            const eri_contact_frame frame = eri_contact_frame_of(&c[k]);
            for (int d = 0; d < 3; ++d) {
                c[k].total[d] = &c[k] == deepest ? er_v3_dot(frame.axis[d], motion->impulse) : 0.0;
                c[k].impulse[d] = c[k].total[d] / s->state.substeps;
            }
        }
        deepest->distance = motion->gap;
    }
}
