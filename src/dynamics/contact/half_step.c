/// @file
/// Contacts of round shapes that roll and slide, at the middle of a step (docs/math/contact.md).
///
/// A step moves a body along the plane of contact at its begin, and the next one pushes it out of a curved ground: this
/// lifts it without taking speed from it. The plane half a step ahead is parallel to the chord of the way.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

static const double least_way = 5e-3, most_way = 0.5; // of the radius: what a shorter way lifts goes by its square
static const double least_tilt = 0.05;  // rad: a cylinder that leans by less touches with a cap or its side
static const double most_turn = 0.2;    // rad in a step: a faster one touches as at the begin
static const double most_rim_way = 0.4; // of the radius: likewise for the way of its lowest point
static const double off_centre = 1e-6;  // of the radius: farther from the centre of mass likewise
static const double same_normal = 1e-9; // 1 - cosine

bool eri_shape_is_round(const er_world_shape *shape)
{
    return shape->shape.kind == ER_SHAPE_SPHERE || shape->shape.kind == ER_SHAPE_CAPSULE ||
           shape->shape.kind == ER_SHAPE_CYLINDER;
}

er_vec3 eri_shape_velocity_at(const er_world *w, int shape, er_vec3 point)
{
    int body = w->contacts->broad.shape[shape].body;
    if (body < 0) return er_v3(0, 0, 0);
    const er_pose *pose = &w->pose[body];
    er_vec3 velocity = er_q_rotate(pose->q, w->twist[body].linear), arm = er_v3_sub(point, pose->p);
    if (er_v3_dot(arm, arm) == 0.0) return velocity;
    return er_v3_add(velocity, er_v3_cross(er_q_rotate(pose->q, w->twist[body].angular), arm));
}

// At least the length of a vector, and at most 1.8 times that.
static double sum_of(er_vec3 a)
{
    return fabs(a.x) + fabs(a.y) + fabs(a.z);
}

// No point of a shape's body as far from its origin as a given one is faster.
static double most_speed_at(const er_world *w, int shape, er_vec3 point)
{
    int body = w->contacts->broad.shape[shape].body;
    if (body < 0) return 0.0;
    const er_twist *twist = &w->twist[body];
    return sum_of(twist->linear) + sum_of(twist->angular) * sum_of(er_v3_sub(point, w->pose[body].p));
}

// The spin of a shape's body, world.
static er_vec3 spin_of(const er_world *w, int shape)
{
    int body = w->contacts->broad.shape[shape].body;
    return body < 0 ? er_v3(0, 0, 0) : er_q_rotate(w->pose[body].q, w->twist[body].angular);
}

// How the farthest point of a cylinder along n, r (n - along axis) / across + half axis, moves about its centre.
static er_vec3 rim_velocity(const er_world *w, int round, er_vec3 n, er_vec3 spin)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const er_shape *shape = &broad->shape[round].shape;
    er_vec3 axis = er_q_rotate(broad->pose[round].q, er_v3(0, 0, 1)), turned = er_v3_cross(spin, axis);
    double along = er_v3_dot(n, axis), across = sqrt(1.0 - along * along), rate = er_v3_dot(n, turned);
    er_vec3 out = er_v3_scale(1.0 / across, er_v3_madd(n, -along, axis));
    er_vec3 change = er_v3_scale(-1.0 / across, er_v3_add(er_v3_scale(rate, axis), er_v3_scale(along, turned)));
    change = er_v3_madd(change, along * rate / (across * across), out);
    return er_v3_madd(er_v3_scale(shape->radius, change), copysign(0.5 * shape->length, along), turned);
}

// Whether a cylinder rolls on a point of its rim: neither a cap nor its side comes to lie on the other shape within two
// steps. It then touches at its lowest point, which goes round. A second point of the rim would stop it. One that has
// sunk in to the middle of its cap or side is pushed out at all its points: at the lowest alone it would tip over, and
// back in the next step.
// @param n     from the cylinder to the other shape
// @param deep  m: how far it overlaps
static bool rolls_on_rim(const er_world *w, int round, int other, er_vec3 n, er_vec3 spin, double deep, double h)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const er_world_shape *shape = &broad->shape[round];
    if (shape->shape.kind != ER_SHAPE_CYLINDER || shape->body < 0 || w->contacts->reference != NULL) return false;
    if (eri_shape_is_round(&broad->shape[other])) return false;
    double radius = shape->shape.radius;
    if (er_v3_distance(shape->pose.p, w->model->body[shape->body].com) > off_centre * radius) return false;
    er_vec3 axis = er_q_rotate(broad->pose[round].q, er_v3(0, 0, 1)), across = er_v3_cross(n, axis);
    double sine = er_v3_norm(across), cosine = fabs(er_v3_dot(n, axis));
    if (deep > fmin(radius * sine, 0.5 * shape->shape.length * cosine)) return false;
    double least = fmax(least_tilt, 2.0 * h * fabs(er_v3_dot(spin, across)) / fmax(sine, least_tilt));
    if (!(fmin(sine, cosine) > least && h * er_v3_norm(spin) < most_turn)) return false;
    return h * er_v3_norm(rim_velocity(w, round, n, spin)) < most_rim_way * radius;
}

static double deepest_of(int count, const er_manifold_point *touch)
{
    double least = touch[0].distance;
    for (int k = 1; k < count; ++k)
        least = fmin(least, touch[k].distance);
    return -least;
}

// Keeps the deepest of the points, if all have one normal.   @return their count
static int keep_deepest(int count, er_manifold_point *touch)
{
    int deepest = 0;
    for (int k = 1; k < count; ++k) {
        if (er_v3_dot(touch[k].normal, touch[0].normal) < 1.0 - same_normal) return count;
        if (touch[k].distance < touch[deepest].distance) deepest = k;
    }
    touch[0] = touch[deepest];
    return 1;
}

// Whether a shape rather than another one is the round one that rolls: a turntable is not, nor is the larger of two.
static bool rolls_more(const er_world *w, int a, int b)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const eri_solver_bodies *s = &w->contacts->bodies;
    if (!eri_shape_is_round(&broad->shape[b])) return true;
    if (!eri_shape_is_round(&broad->shape[a])) return false;
    bool is_moved = eri_moving_slot(s, a) >= 0;
    if (is_moved != (eri_moving_slot(s, b) >= 0)) return is_moved;
    return broad->radius[a] <= broad->radius[b];
}

int eri_half_step_manifold(const er_world *w, int a, int b, double h, er_closest_cache *cache, int count,
                           er_manifold_point *touch)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const er_world_shape *A = &broad->shape[a], *B = &broad->shape[b];
    if (!eri_shape_is_round(A) && !eri_shape_is_round(B)) return count;
    int round = rolls_more(w, a, b) ? a : b, other = round == a ? b : a;
    er_vec3 centre = broad->pose[round].p, n = touch[0].normal;
    // n sub-steps go h v + (n + 1) / 2n h^2 a: the weight acts at this share of the step before its middle
    double n_steps = w->contacts->reference != NULL ? 1.0 : w->contacts->state.substeps;
    double time = 0.5 * h * (1.0 - 1.0 / n_steps);
    double radius = broad->shape[round].shape.radius;
    bool is_turning = broad->shape[round].shape.kind == ER_SHAPE_CYLINDER;
    double most = time * (most_speed_at(w, round, centre) + most_speed_at(w, other, centre));
    if (!is_turning && !(most > least_way * radius)) return count;
    er_vec3 way =
        er_v3_scale(time, er_v3_sub(eri_shape_velocity_at(w, round, centre), eri_shape_velocity_at(w, other, centre)));
    way = er_v3_madd(way, -er_v3_dot(way, n), n);
    double length = er_v3_norm(way);
    er_vec3 turn = er_v3(0, 0, 0);
    if (is_turning) {
        er_vec3 spin = er_v3_sub(spin_of(w, round), spin_of(w, other));
        er_vec3 down = round == a ? n : er_v3_scale(-1.0, n);
        is_turning = rolls_on_rim(w, round, other, down, spin, deepest_of(count, touch), h);
        if (is_turning) count = keep_deepest(count, touch);
        is_turning &= count == 1;
        turn = er_v3_scale(0.5 * h, spin);
    }
    double gap = touch[0].distance;
    if (!(length > least_way * radius) && !is_turning) return count;
    way = er_v3_scale(fmin(1.0, most_way * radius / length), way);
    er_pose pose[2] = {broad->pose[a], broad->pose[b]};
    er_pose *moved = &pose[round == a ? 0 : 1];
    moved->p = er_v3_add(moved->p, way);
    if (is_turning) moved->q = er_q_unit(er_q_mul(er_q_exp(turn), moved->q));
    er_manifold_point ahead[ER_MANIFOLD_MAX];
    double margin = broad->reach[a] + broad->reach[b];
    int now = er_shape_manifold(&A->shape, pose[0], &B->shape, pose[1], margin, cache, ahead);
    if (now == 0) return count;
    if (is_turning) now = keep_deepest(now, ahead);
    is_turning &= now == 1;
    for (int k = 0; k < now; ++k) {
        touch[k] = ahead[k];
        touch[k].distance += (round == a ? 1.0 : -1.0) * er_v3_dot(ahead[k].normal, way);
        for (int side = 0; side < 2; ++side)
            touch[k].point[side] = er_v3_sub(ahead[k].point[side], way);
    }
    if (is_turning) {
        touch[0].distance = gap;
        touch[0].feature = ERI_FEATURE_RIM;
    }
    return now;
}

er_vec3 eri_rim_acceleration(const er_world *w, const eri_contact_point *c)
{
    int side = w->contacts->broad.shape[c->shape[0]].shape.kind == ER_SHAPE_CYLINDER ? 0 : 1;
    er_vec3 spin = er_v3_sub(spin_of(w, c->shape[side]), spin_of(w, c->shape[1 - side]));
    return er_v3_cross(spin, rim_velocity(w, c->shape[side], er_v3_scale(side == 0 ? 1.0 : -1.0, c->normal), spin));
}
