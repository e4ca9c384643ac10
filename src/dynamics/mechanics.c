/// @file
/// Mechanics of a model at one state, by the sweeps of articulated.h over its tree.
#include <eigenrig/mechanics.h>

#include <string.h>

#include "dynamics/world.h"

struct er_mechanics {
    er_context *context;
    er_arena *arena;
    const er_model *model;
    er_vec3 gravity;
    double mass;
    int width;
    eri_multibody *multibody;
    eri_limbs *limbs;
    eri_ground_state *ground; // [body_count + 1]: only the world's is read
    int *place;               // [velocity_count], of each velocity among the width
    double *q, *u;            // [position_count], [velocity_count]: the state
    double *needed;           // [6 limb_count]: what the limbs need at zero accelerations
    er_mat3 *inertia;         // [limb_count], about the centre of mass, world axes
    er_vec3 *arm;             // [limb_count], from the reference point to the centre of mass
    double *wrench, *twist;   // [6 limb_count], work space
    double *x, *y;            // [velocity_count], work space
    er_pose *pose;            // [body_count], work space
    er_twist *spin;           // [body_count], work space
};

// ---- Vectors of limbs: torque and force about the reference point, angular and linear part there

static void put(double *out, er_vec3 a, er_vec3 l)
{
    const double six[6] = {a.x, a.y, a.z, l.x, l.y, l.z};
    memcpy(out, six, sizeof six);
}

static er_vec3 angular_of(const double *six)
{
    return er_v3(six[0], six[1], six[2]);
}

static er_vec3 linear_of(const double *six)
{
    return er_v3(six[3], six[4], six[5]);
}

// Coordinates of the caller to those of the limbs, and back.
static const double *gather(const er_mechanics *s, const double *from, double *to)
{
    for (int i = 0; i < s->multibody->velocity_count; ++i)
        to[i] = from != NULL ? from[s->place[i]] : 0.0;
    return to;
}

static void scatter(const er_mechanics *s, const double *from, double *to)
{
    memset(to, 0, (size_t)s->width * sizeof *to);
    for (int i = 0; i < s->multibody->velocity_count; ++i)
        to[s->place[i]] = from[i];
}

// The wrench that a limb's inertia opposes to a twist's rate.
static void weigh(const er_mechanics *s, int limb, er_vec3 turn, er_vec3 shift, double *out)
{
    er_vec3 c = s->arm[limb];
    er_vec3 force = er_v3_scale(s->multibody->limb[limb].mass, er_v3_add(shift, er_v3_cross(turn, c)));
    put(out, er_v3_add(er_m3_mul_v(s->inertia[limb], turn), er_v3_cross(c, force)), force);
}

// ---- State

static er_result check_state(const er_mechanics *s, const er_pose *pose, const er_twist *twist)
{
    for (int b = 0; b < s->model->body_count; ++b) {
        const char *name = s->model->body[b].name;
        if (pose != NULL && !(er_v3_finite(pose[b].p) && fabs(er_q_dot(pose[b].q, pose[b].q) - 1.0) <= 2e-3))
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "pose of body %d \"%s\": not finite, or no unit quaternion (identity: w = 1)", b, name);
        if (twist != NULL && !(er_v3_finite(twist[b].angular) && er_v3_finite(twist[b].linear)))
            return er_fail(s->context, ER_ERROR_ARGUMENT, "the twist of body %d \"%s\" is not finite", b, name);
    }
    return ER_OK;
}

static void move(er_mechanics *s)
{
    eri_limbs_move(s->limbs, s->q, s->u, s->ground, s->needed);
}

er_result er_mechanics_set(er_mechanics *s, const er_pose *pose, const er_twist *twist)
{
    er_result r = check_state(s, pose, twist);
    if (r != ER_OK) return r;
    for (int b = 0; b < s->model->body_count; ++b) {
        s->pose[b] = pose != NULL ? pose[b] : s->model->body[b].pose;
        s->pose[b].q = er_q_unit(s->pose[b].q);
        s->spin[b] = twist != NULL ? twist[b] : (er_twist){{0, 0, 0}, {0, 0, 0}};
    }
    eri_multibody_rest(s->multibody, s->q);
    eri_minimal_set_bodies(s->multibody, s->pose, s->spin, s->q, s->u);
    move(s);
    for (int i = 0; i < s->multibody->tree.link_count; ++i) {
        const double *I = s->multibody->limb[i].inertia;
        eri_limb_motion m = eri_limbs_motion(s->limbs, i);
        er_mat3 own = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
        s->inertia[i] = er_m3_mul(er_m3_mul(m.axes, own), er_m3_transpose(m.axes));
        s->arm[i] = m.com;
    }
    return ER_OK;
}

int er_mechanics_width(const er_mechanics *s)
{
    return s->width;
}

void er_mechanics_velocity(const er_mechanics *s, double *velocity)
{
    scatter(s, s->u, velocity);
}

// ---- Dynamics

// Sets s->wrench: the wrenches that the limbs need at zero accelerations, less the applied ones.
static void need(er_mechanics *s, const er_wrench *applied)
{
    int count = s->multibody->tree.link_count;
    memcpy(s->wrench, s->needed, 6 * (size_t)count * sizeof *s->wrench);
    for (int i = 0; i < count && applied != NULL; ++i) {
        const er_wrench *f = &applied[s->multibody->tree.link[i].body];
        double *w = s->wrench + 6 * (size_t)i;
        er_vec3 torque = er_v3_add(f->torque, er_v3_cross(s->arm[i], f->force));
        put(w, er_v3_sub(angular_of(w), torque), er_v3_sub(linear_of(w), f->force));
    }
}

// Adds to s->wrench what accelerations need, those of the limbs' coordinates.
static void need_accelerations(er_mechanics *s, const double *rate)
{
    eri_limbs_twists(s->limbs, rate, s->twist);
    for (int i = 0; i < s->multibody->tree.link_count; ++i) {
        const double *t = s->twist + 6 * (size_t)i;
        double *w = s->wrench + 6 * (size_t)i, more[6];
        weigh(s, i, angular_of(t), linear_of(t), more);
        for (int k = 0; k < 6; ++k)
            w[k] += more[k];
    }
}

void er_mechanics_forces(er_mechanics *s, const double *acceleration, const er_wrench *applied, double *force)
{
    need(s, applied);
    need_accelerations(s, gather(s, acceleration, s->x));
    eri_limbs_force(s->limbs, s->wrench, s->y);
    scatter(s, s->y, force);
}

void er_mechanics_accelerations(er_mechanics *s, const double *force, const er_wrench *applied, double *acceleration)
{
    move(s); // factors take the place of the limbs' inertias
    need(s, applied);
    eri_limbs_factor_and_solve(s->limbs, NULL, gather(s, force, s->x), s->wrench, s->y, s->twist);
    scatter(s, s->y, acceleration);
}

void er_mechanics_mass_product(er_mechanics *s, const double *x, double *out)
{
    memset(s->wrench, 0, 6 * (size_t)s->multibody->tree.link_count * sizeof *s->wrench);
    need_accelerations(s, gather(s, x, s->x));
    eri_limbs_force(s->limbs, s->wrench, s->y);
    scatter(s, s->y, out);
}

void er_mechanics_mass_matrix(er_mechanics *s, double *M)
{
    size_t n = (size_t)s->width;
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < s->multibody->velocity_count; ++i) {
        double *row = M + n * (size_t)s->place[i];
        row[s->place[i]] = 1.0;
        er_mechanics_mass_product(s, row, row);
    }
    for (size_t i = 0; i < n; ++i) // to the bit
        for (size_t j = 0; j < i; ++j)
            M[n * j + i] = M[n * i + j];
}

// ---- Momentum

// The transpose of what velocities give, of wrenches on limbs: a row of a map.
static void put_row(er_mechanics *s, double *row)
{
    eri_limbs_force(s->limbs, s->wrench, s->y);
    scatter(s, s->y, row);
}

static er_vec3 unit(int axis)
{
    return er_v3(axis == 0, axis == 1, axis == 2);
}

// A component of momentum is the product of all bodies' momenta with one motion of space, about the centre of mass.
static void put_momentum_row(er_mechanics *s, er_vec3 centre, int index, double *row)
{
    er_vec3 turn = index < 3 ? unit(index) : er_v3(0, 0, 0), shift = index < 3 ? er_v3(0, 0, 0) : unit(index - 3);
    for (int i = 0; i < s->multibody->tree.link_count; ++i) {
        er_vec3 from = er_v3_sub(eri_limbs_origin(s->limbs, i), centre);
        weigh(s, i, turn, er_v3_add(shift, er_v3_cross(turn, from)), s->wrench + 6 * (size_t)i);
    }
    put_row(s, row);
}

er_momentum er_mechanics_momentum(er_mechanics *s, double *map)
{
    er_momentum out = {.mass = s->mass};
    int count = s->multibody->tree.link_count;
    for (int i = 0; i < count; ++i)
        out.centre = er_v3_madd(out.centre, s->multibody->limb[i].mass / (s->mass > 0.0 ? s->mass : 1.0),
                                eri_limbs_com(s->limbs, i));
    for (int i = 0; i < count; ++i) {
        eri_limb_motion m = eri_limbs_motion(s->limbs, i);
        const double *n = s->needed + 6 * (size_t)i;
        er_vec3 from = er_v3_sub(m.origin, out.centre);
        double own[6];
        weigh(s, i, m.angular, m.linear, own);
        out.linear = er_v3_add(out.linear, linear_of(own));
        out.angular = er_v3_add(out.angular, er_v3_add(angular_of(own), er_v3_cross(from, linear_of(own))));
        out.linear_bias = er_v3_add(out.linear_bias, linear_of(n));
        out.angular_bias = er_v3_add(out.angular_bias, er_v3_add(angular_of(n), er_v3_cross(from, linear_of(n))));
    }
    out.linear_bias = er_v3_madd(out.linear_bias, s->mass, s->gravity); // weights have no torque about the centre
    for (int k = 0; k < 6 && map != NULL; ++k)
        put_momentum_row(s, out.centre, k, map + (size_t)k * (size_t)s->width);
    return out;
}

// ---- Points

er_point_motion er_mechanics_point(er_mechanics *s, int body, er_vec3 point, double *jacobian)
{
    int limb = s->multibody->tree.link_of_body[body];
    eri_limb_motion m = eri_limbs_motion(s->limbs, limb);
    er_vec3 arm = er_m3_mul_v(m.axes, er_pose_point(s->multibody->limb[limb].body_frame, point));
    er_point_motion out = {er_v3_add(m.origin, arm), m.angular, m.linear, m.angular_rate, m.linear_rate};
    er_vec3 swing = er_v3_cross(m.angular, arm);
    out.linear = er_v3_add(out.linear, swing);
    out.linear_bias = er_v3_add(er_v3_add(out.linear_bias, s->gravity), er_v3_cross(m.angular_rate, arm));
    out.linear_bias = er_v3_add(out.linear_bias, er_v3_cross(m.angular, swing));
    for (int k = 0; k < 6 && jacobian != NULL; ++k) {
        memset(s->wrench, 0, 6 * (size_t)s->multibody->tree.link_count * sizeof *s->wrench);
        er_vec3 force = k < 3 ? er_v3(0, 0, 0) : unit(k - 3), torque = k < 3 ? unit(k) : er_v3_cross(arm, force);
        put(s->wrench + 6 * (size_t)limb, torque, force);
        put_row(s, jacobian + (size_t)k * (size_t)s->width);
    }
    return out;
}

// ---- Making and ending

// Where the limbs' velocities stand among the model's coordinates and its roots.
static void find_places(er_mechanics *s)
{
    const er_model *m = s->model;
    const eri_tree *t = &s->multibody->tree;
    s->width = m->coordinate_count;
    for (int b = 0; b < m->body_count; ++b) {
        int i = t->link_of_body[b], at = t->link[i].coordinate;
        if (at < 0) at = s->width;
        if (m->tree_joint[b] < 0) s->width += 6;
        for (int c = 0; c < s->multibody->limb[i].freedom; ++c)
            s->place[s->multibody->limb[i].u + c] = at + c;
    }
}

static er_result fill(er_mechanics *s)
{
    er_result r = ER_OK;
    ERI_TRY(eri_multibody_create(s->arena, s->model, NULL, &s->multibody));
    ERI_TRY(eri_limbs_create(s->arena, s->multibody, &s->limbs));
    size_t limbs = (size_t)s->multibody->tree.link_count, bodies = (size_t)s->model->body_count;
    size_t velocities = (size_t)s->multibody->velocity_count;
    ERI_TRY_NEW(s->ground, s->arena, eri_ground_state, bodies + 1);
    s->ground[bodies].axes = er_m3_identity();
    s->ground[bodies].linear_rate = er_v3_scale(-1.0, s->gravity);
    ERI_TRY_NEW(s->place, s->arena, int, velocities);
    ERI_TRY_NEW(s->q, s->arena, double, s->multibody->position_count);
    ERI_TRY_NEW(s->u, s->arena, double, velocities);
    ERI_TRY_NEW(s->x, s->arena, double, velocities);
    ERI_TRY_NEW(s->y, s->arena, double, velocities);
    ERI_TRY_NEW(s->needed, s->arena, double, 6 * limbs);
    ERI_TRY_NEW(s->wrench, s->arena, double, 6 * limbs);
    ERI_TRY_NEW(s->twist, s->arena, double, 6 * limbs);
    ERI_TRY_NEW(s->inertia, s->arena, er_mat3, limbs);
    ERI_TRY_NEW(s->arm, s->arena, er_vec3, limbs);
    ERI_TRY_NEW(s->pose, s->arena, er_pose, bodies);
    ERI_TRY_NEW(s->spin, s->arena, er_twist, bodies);
    for (size_t i = 0; i < limbs; ++i)
        s->mass += s->multibody->limb[i].mass;
    find_places(s);
    ERI_TRY(er_mechanics_set(s, NULL, NULL));
done:
    return r;
}

er_result er_mechanics_create(er_context *context, const er_model *model, er_vec3 gravity, er_mechanics **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "model is NULL");
    if (!er_v3_finite(gravity)) return er_fail(context, ER_ERROR_ARGUMENT, "gravity is not finite");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_mechanics *s;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, er_mechanics, 1);
    *s = (er_mechanics){.context = context, .arena = arena, .model = model, .gravity = gravity};
    ERI_TRY(fill(s));
    *out = s;
    return ER_OK;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_mechanics_destroy(er_mechanics *s)
{
    if (s != NULL) eri_arena_destroy(s->arena);
}
