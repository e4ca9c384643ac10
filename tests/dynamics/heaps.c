#include "dynamics/heaps.h"

#include <math.h>

#include "support/context.h"

static const double wide = 2.5; // of the pit, to each side

static er_hull *hull;

static er_shape throw_shape(dice *d)
{
    double a = dice_uniform(d, 0.1, 0.35), b = dice_uniform(d, 0.1, 0.35), c = dice_uniform(d, 0.1, 0.35);
    int kind = dice_below(d, 5);
    if (kind == 0) return scene_ball(a);
    if (kind == 1) return scene_brick(a, b, c);
    if (kind == 2) return scene_pill(0.5 * a, b);
    if (kind == 3) return (er_shape){.kind = ER_SHAPE_CYLINDER, .radius = a, .length = b};
    return (er_shape){.kind = ER_SHAPE_HULL, .hull = hull};
}

static void make_hull(void)
{
    const er_vec3 corner[6] = {{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0.25, 0}, {0, -0.25, 0}, {0, 0, 0.2}, {0, 0, -0.2}};
    if (hull == NULL && er_hull_create(context, 6, corner, &hull) != ER_OK) fail_msg("%s", er_context_error(context));
}

void heap_free(void)
{
    er_hull_destroy(hull);
    hull = NULL;
}

static void add_pit(scene *s, double friction)
{
    scene_add_plane(s, er_v3(0, 0, 0), er_q_identity(), friction);
    for (int k = 0; k < 4; ++k) {
        er_quat turn = er_q_mul(er_q_exp(er_v3(0, 0, 0.5 * ER_PI * k)), er_q_exp(er_v3(0, 0.5 * ER_PI, 0)));
        scene_add_plane(s, er_q_rotate(turn, er_v3(0, 0, -wide)), turn, friction);
    }
}

void heap_throw(scene *s, dice *d, double ratio, bool joints, bool rebounds)
{
    static const er_joint_type type[4] = {ER_JOINT_REVOLUTE, ER_JOINT_SPHERICAL, ER_JOINT_UNIVERSAL,
                                          ER_JOINT_PRISMATIC};
    int count = 3 + dice_below(d, 10);
    make_hull();
    for (int i = 0; i < count; ++i) {
        double mass = pow(ratio, dice_uniform(d, -0.5, 0.5)), e = rebounds ? dice_uniform(d, 0.0, 1.0) : 0.0;
        double friction = dice_uniform(d, 0.0, 1.0);
        er_shape solid = throw_shape(d);
        er_vec3 place = er_v3(1.25 * (i % 3 - 1), 1.25 * (i / 3 % 3 - 1), 0.8 + 1.25 * (i / 9));
        er_pose pose = {dice_quat(d), place};
        int body = scene_add(s, solid, mass, pose, friction, e);
        if (!joints || i % 3 == 0 || dice_below(d, 2)) continue;
        er_joint *j = rig_add_joint(&s->rig, type[dice_below(d, 4)], body - 1, body,
                                    (er_pose){dice_quat(d), er_v3_add(place, er_v3(-0.625, 0, 0))});
        j->damping[0] = 0.05;
    }
    add_pit(s, 0.5);
}

static bool is_finite(const er_world *w, int body)
{
    er_twist v = er_world_twist(w)[body];
    return er_v3_finite(er_world_pose(w)[body].p) && er_v3_finite(v.angular) && er_v3_finite(v.linear);
}

static bool is_in_pit(const er_world *w, int body)
{
    er_vec3 p = er_world_pose(w)[body].p;
    return fmax(fabs(p.x), fabs(p.y)) < wide + 1.0 && p.z > -1.0;
}

double heap_run(scene *s, er_world *w, long steps, bool stays)
{
    double begin = er_world_time(w), before = scene_energy(w), most = fabs(before), grown = 0.0;
    for (long k = 1; k <= steps; ++k) {
        er_result r = er_world_advance(w, begin + (double)k * s->def.max_step, NULL);
        if (r != ER_OK) fail_msg("%s", er_context_error(context));
        for (int b = 0; b < s->rig.body_count; ++b) {
            if (!is_finite(w, b)) fail_msg("body %d in step %ld is not finite", b, k);
            if (stays && !is_in_pit(w, b)) fail_msg("body %d in step %ld is out of the pit", b, k);
        }
        double now = scene_energy(w);
        grown = fmax(grown, now - before);
        most = fmax(most, fabs(now));
        before = now;
    }
    return grown / most;
}
