/// @file
/// Contacts of round shapes that roll and slide, at the middle of a step (docs/math/contact.md).
///
/// A step moves a body along the plane of contact at its begin, and the next one pushes it out of a curved ground: this
/// lifts it without taking speed from it. The plane half a step ahead is parallel to the chord of the way.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

static const double least_way = 5e-3, most_way = 0.5; // of the radius: what a shorter way lifts goes by its square

static bool is_round(const er_world_shape *shape)
{
    return shape->shape.kind == ER_SHAPE_SPHERE || shape->shape.kind == ER_SHAPE_CAPSULE ||
           shape->shape.kind == ER_SHAPE_CYLINDER;
}

// The velocity of a shape's body at a point, world.
static er_vec3 velocity_at(const er_world *w, int shape, er_vec3 point)
{
    int body = w->contacts->broad.shape[shape].body;
    if (body < 0) return er_v3(0, 0, 0);
    const er_pose *pose = &w->pose[body];
    er_vec3 spin = er_q_rotate(pose->q, w->twist[body].angular);
    return er_v3_add(er_q_rotate(pose->q, w->twist[body].linear), er_v3_cross(spin, er_v3_sub(point, pose->p)));
}

int eri_half_step_manifold(const er_world *w, int a, int b, double h, er_closest_cache *cache, int count,
                           er_manifold_point *touch)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    const er_world_shape *A = &broad->shape[a], *B = &broad->shape[b];
    if (!is_round(A) && !is_round(B)) return count;
    int round = is_round(A) ? a : b, other = round == a ? b : a;
    er_pose pose[2] = {broad->pose[a], broad->pose[b]};
    er_vec3 centre = broad->pose[round].p, n = touch[0].normal;
    // n sub-steps go h v + (n + 1) / 2n h^2 a: the weight acts at this share of the step before its middle
    double n_steps = w->contacts->reference != NULL ? 1.0 : w->contacts->state.substeps;
    double time = 0.5 * h * (1.0 - 1.0 / n_steps);
    er_vec3 way = er_v3_scale(time, er_v3_sub(velocity_at(w, round, centre), velocity_at(w, other, centre)));
    way = er_v3_madd(way, -er_v3_dot(way, n), n);
    double length = er_v3_norm(way), radius = broad->shape[round].shape.radius;
    if (!(length > least_way * radius)) return count;
    way = er_v3_scale(fmin(1.0, most_way * radius / length), way);
    er_pose *moved = &pose[round == a ? 0 : 1];
    moved->p = er_v3_add(moved->p, way);
    er_manifold_point ahead[ER_MANIFOLD_MAX];
    double margin = broad->reach[a] + broad->reach[b];
    int now = er_shape_manifold(&A->shape, pose[0], &B->shape, pose[1], margin, cache, ahead);
    if (now == 0) return count;
    for (int k = 0; k < now; ++k) {
        touch[k] = ahead[k];
        touch[k].distance += (round == a ? 1.0 : -1.0) * er_v3_dot(ahead[k].normal, way);
        for (int side = 0; side < 2; ++side)
            touch[k].point[side] = er_v3_sub(ahead[k].point[side], way);
    }
    return now;
}
