// Random trees and free bodies over minutes: energy, momentum and joints, at several steps.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/scenes.h"
#include "support/context.h"
#include "support/trials.h"

static const double steps[] = {1.0 / 60.0, 1.0 / 240.0, 1.0 / 30.0};
static const char *const names[] = {"1/60 s", "1/240 s", "1/30 s"};

static scene s;

// How far a motion has strayed: changes over the energy and the angular momentum at the begin.
typedef struct drift {
    double gained, lost, momentum, gap;
} drift;

static double duration(void)
{
    return every() ? 600.0 : 5.0;
}

static int animals(void)
{
    return every() ? 200 : 6;
}

// The names of what is measured have to last as long as the test.
static void measure(const char *what, int step, double value, double limit)
{
    static char line[32][96];
    int at = 0;
    char wanted[96];
    snprintf(wanted, sizeof wanted, "%s, step %s", what, names[step]);
    while (line[at][0] != 0 && strcmp(line[at], wanted) != 0)
        ++at;
    memcpy(line[at], wanted, sizeof wanted);
    measure_at_most(line[at], value, limit);
}

static void note(drift *worst, drift now)
{
    worst->gained = fmax(worst->gained, now.gained);
    worst->lost = fmax(worst->lost, now.lost);
    worst->momentum = fmax(worst->momentum, now.momentum);
    worst->gap = fmax(worst->gap, now.gap);
}

// @param scale  J: what changes of energy are measured by
static drift run(er_world *w, double scale)
{
    drift d = {0};
    er_vec3 first, now;
    er_world_measure_momentum(w, NULL, &first);
    double energy = er_world_measure_energy(w).mechanical, end = duration();
    for (int k = 1; k <= 100; ++k) {
        scene_advance(w, 0.01 * k * end);
        double change = (er_world_measure_energy(w).mechanical - energy) / scale;
        er_world_measure_momentum(w, NULL, &now);
        note(&d, (drift){change, -change, er_v3_distance(first, now) / er_v3_norm(first), er_world_measure_gap(w)});
    }
    return d;
}

static er_world *begin(double step)
{
    s.def.contact.sleep_time = 0.0;
    s.def.max_step = step * (1.0 + 1e-9);
    s.def.integrator = ER_INTEGRATE_CONTACT;
    return scene_begin(&s);
}

// ---- Free bodies

// A body of any ratio of moments up to 1 to 1000, its frame off its centre of mass.
static void throw_body(dice *d, int parent)
{
    double a = pow(10.0, dice_uniform(d, -3.0, 0.0)), b = dice_uniform(d, 0.0, 1.0), c = 1.0;
    double size = pow(10.0, dice_uniform(d, -1.0, 0.5)), mass = pow(10.0, dice_uniform(d, -1.0, 1.0));
    double unit = mass * size * size / 12.0;
    er_vec3 principal = er_v3(unit * (a + b * c), unit * (a + c), unit * (b * c + c)); // any that a solid can have
    int body = rig_throw_body(&s.rig, d, mass, principal);
    if (parent < 0) return;
    static const er_joint_type types[] = {ER_JOINT_REVOLUTE, ER_JOINT_SPHERICAL, ER_JOINT_UNIVERSAL};
    er_pose frame = dice_pose(d);
    rig_add_joint(&s.rig, types[dice_below(d, 3)], parent, body, frame);
}

static void free_bodies_conserve(void **state)
{
    for (int step = 0; step < 3; ++step) {
        drift worst = {0};
        for (int seed = 0; seed < animals(); ++seed) {
            dice d = {(unsigned long long)seed + 1};
            scene_clear(&s);
            s.def.gravity = er_v3(0, 0, 0);
            throw_body(&d, -1);
            er_world *w = begin(steps[step]);
            er_twist twist = dice_twist(&d);
            double rate = pow(10.0, dice_uniform(&d, -1.0, 2.5));
            twist.angular = er_v3_scale(rate / er_v3_norm(twist.angular), twist.angular);
            if (er_world_set_state(w, 0.0, NULL, &twist) != ER_OK) fail_msg("%s", er_context_error(context));
            note(&worst, run(w, er_world_measure_energy(w).kinetic));
            scene_end(&s, w);
        }
        measure("energy that free bodies gain or lose", step, fmax(worst.gained, worst.lost), 1e-6);
        measure("angular momentum that free bodies lose", step, worst.momentum, 1e-5);
    }
}

// ---- Trees

// A tree of 2 to 6 bodies that floats, or hangs on a joint.
static void grow_tree(dice *d, bool hangs)
{
    int count = 2 + dice_below(d, 5);
    throw_body(d, -1);
    for (int i = 1; i < count; ++i)
        throw_body(d, dice_below(d, i));
    if (hangs) rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, -1, 0, dice_pose(d));
}

static void set_twists(er_world *w, dice *d, double speed)
{
    er_twist twist[RIG_MAX];
    for (int i = 0; i < s.rig.body_count; ++i) {
        twist[i] = dice_twist(d);
        twist[i].angular = er_v3_scale(speed, twist[i].angular);
    }
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void trees_conserve(void **state)
{
    for (int step = 0; step < 3; ++step) {
        drift floating = {0}, hanging = {0};
        for (int seed = 0; seed < animals(); ++seed) {
            bool hangs = seed % 2 == 1;
            dice d = {(unsigned long long)seed + 1001};
            scene_clear(&s);
            if (!hangs) s.def.gravity = er_v3(0, 0, 0);
            grow_tree(&d, hangs);
            er_world *w = begin(steps[step]);
            set_twists(w, &d, 3.0);
            double mass = 0.0;
            for (int i = 0; i < s.rig.body_count; ++i)
                mass += s.rig.body[i].mass;
            double fall = hangs ? mass * g * s.model->size : 0.0;
            note(hangs ? &hanging : &floating, run(w, er_world_measure_energy(w).kinetic + fall));
            scene_end(&s, w);
        }
        measure("energy that floating trees gain", step, floating.gained, 1e-5);
        measure("energy that floating trees lose", step, floating.lost, 1e-5);
        measure("angular momentum that floating trees lose", step, floating.momentum, 1e-9);
        measure("energy that hanging trees gain", step, hanging.gained, 1e-5);
        // one of the hundred needs more parts than a step may have
        measure("energy that hanging trees lose", step, hanging.lost, every() ? 1.0 : 1e-5);
        measure("gap of trees", step, fmax(floating.gap, hanging.gap), 1e-9);
    }
}

// The angular momentum about the centre of mass; velocities count from that of the centre.
static er_vec3 measure_spin(const er_world *w)
{
    er_vec3 spin = er_v3(0, 0, 0), velocity = spin, first = er_world_pose(w)[0].p;
    double mass = 0.0;
    for (int b = 0; b < s.rig.body_count; ++b)
        mass += s.rig.body[b].mass;
    er_world_measure_momentum(w, &velocity, NULL);
    velocity = er_v3_scale(1.0 / mass, velocity);
    for (int b = 0; b < s.rig.body_count; ++b) {
        const er_body *body = &s.rig.body[b];
        er_pose at = er_world_pose(w)[b];
        er_twist v = er_world_twist(w)[b];
        er_vec3 own = er_v3_add(v.linear, er_v3_cross(v.angular, body->com));
        er_vec3 momentum = er_v3_scale(body->mass, er_v3_sub(er_q_rotate(at.q, own), velocity));
        er_vec3 arm = er_v3_add(er_v3_sub(at.p, first), er_q_rotate(at.q, body->com));
        spin = er_v3_add(spin, er_v3_cross(arm, momentum));
        spin = er_v3_add(spin, er_q_rotate(at.q, er_m3_mul_v(body->inertia, v.angular)));
    }
    return spin;
}

// 4 km away numbers tell places of 0.5 pm apart: a step errs by that, and steps must not add up.
static void trees_far_away_keep_their_spin(void **state)
{
    dice d = {1015};
    scene_clear(&s);
    s.def.gravity = er_v3(0, 0, 0);
    grow_tree(&d, false);
    er_world *w = begin(1.0 / hz);
    er_twist twist[RIG_MAX];
    for (int i = 0; i < s.rig.body_count; ++i) {
        twist[i] = dice_twist(&d);
        twist[i].linear = er_q_rotate(er_q_conj(er_world_pose(w)[i].q), er_v3(200, 0, 0));
    }
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
    er_vec3 first = measure_spin(w);
    double worst = 0.0;
    for (int k = 1; k <= 20; ++k) {
        scene_advance(w, k);
        worst = fmax(worst, er_v3_distance(first, measure_spin(w)) / er_v3_norm(first));
    }
    measure_at_most("spin that a tree 4 km away loses", worst, 1e-11);
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_bodies_conserve), cmocka_unit_test(trees_conserve),
                                       cmocka_unit_test(trees_far_away_keep_their_spin)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
