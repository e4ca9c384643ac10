// Motions in time: signals by closed forms, poses by the scalar route, energy, cycles, and how far loops reach.
#include <eigenrig/motion.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "motion/signal.h"
#include "support/context.h"
#include "support/forest.h"
#include "support/hand.h"
#include "support/linkages.h"

// ---- rigs and motions

typedef struct sample {
    er_model *model;
    er_modes *modes;
} sample;

static sample sample_of(const rig *r)
{
    sample s = {rig_model(context, r), NULL};
    s.modes = rig_modes(context, s.model, ER_MODAL_AUTO);
    return s;
}

// The linkages in turn, then forests of fewer than `most` + 2 bodies.
static sample linkage_or_forest(rig *r, dice *d, int round, int most)
{
    memset(r, 0, sizeof *r);
    if (round < LINKAGE_COUNT)
        linkages[round].build(r, d);
    else
        rig_forest(r, d, 2 + dice_below(d, most), false);
    return sample_of(r);
}

static void free_sample(sample s)
{
    er_modes_destroy(s.modes);
    er_model_destroy(s.model);
}

// A rod on a hinge in the world, of that frequency; further ones beside it.
static void make_rods(rig *r, int count, const double *hz)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < count; ++i) {
        er_pose at = {er_q_identity(), er_v3(3.0 * i, 0, 0)};
        rig_add_body(r, 1.0, er_v3(1, 1, 1), at.q, at.p, at);
        double omega = 2.0 * ER_PI * hz[i];
        rig_add_joint(r, ER_JOINT_REVOLUTE, -1, i, at)->stiffness[0] = omega * omega;
    }
}

static er_mix_component component_of(int mode, double degrees)
{
    er_mix_component v = er_default_mix_component();
    v.mode = mode;
    v.degrees = degrees;
    return v;
}

static er_result try_motion(sample s, int count, const er_mix_component *component, double cycle,
                            const er_motion_def *def, er_motion **out)
{
    const er_mix mix = {.name = "", .cycle = cycle, .component_count = count, .component = component};
    return er_motion_create(context, s.model, s.modes, &mix, def, out);
}

static er_motion *motion_of(sample s, int count, const er_mix_component *component, double cycle,
                            const er_motion_def *def)
{
    er_motion *motion = NULL;
    if (try_motion(s, count, component, cycle, def, &motion) != ER_OK) fail_msg("%s", er_context_error(context));
    return motion;
}

static er_motion_def lasting(double duration, bool loop)
{
    er_motion_def def = er_default_motion_def();
    def.duration = duration;
    def.loop = loop;
    return def;
}

static void expect_refusal(er_result result, const char *named)
{
    assert_refusal(context, result, ER_ERROR_ARGUMENT, named);
}

static void poses_at(er_motion *motion, int count, const double *time, double *x, er_pose *pose)
{
    if (er_motion_poses(motion, count, time, x, pose) != ER_OK) fail_msg("%s", er_context_error(context));
}

// The largest distance between two poses: turns in rad, shifts over the rig's size.
static double pose_distance(const er_model *m, const er_pose *a, const er_pose *b)
{
    double worst = 0.0;
    for (int i = 0; i < m->body_count; ++i) {
        er_quat d = er_q_mul(er_q_conj(a[i].q), b[i].q);
        worst = fmax(worst, 2.0 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
        worst = fmax(worst, er_v3_distance(a[i].p, b[i].p) / m->size);
    }
    return worst;
}

// ---- frequencies

static void a_component_plays_at_its_own_a_given_or_a_harmonic_frequency(void **state)
{
    static rig r;
    make_rods(&r, 3, (double[]){1.3, 2.1, 3.7});
    sample s = sample_of(&r);
    er_mix_component component[3] = {component_of(0, 10), component_of(1, 20), component_of(2, 30)};
    component[1].hz = 0.9;
    component[2].harmonic = 3;
    er_motion *motion = motion_of(s, 3, component, 2.0, NULL);
    static const double hz[] = {1.3, 0.9, 1.5};
    assert_true(motion->duration == 2.0 && motion->component_count == 3 && motion->width == 3 && !motion->loops);
    for (int i = 0; i < 3; ++i) {
        const er_motion_component *v = &motion->component[i];
        assert_true(v->mode == i && v->degrees == component[i].degrees);
        measure_at_most("frequency", relative_error(v->hz, hz[i]), 1e-12);
        assert_true(v->hz == v->asked_hz);
        measure_at_most("factor", relative_error(v->factor, er_mode_amplitude(s.model, &s.modes->mode[i], v->degrees)),
                        1e-15);
    }
    er_motion_destroy(motion);
    // a loop of 2.4 s: whole cycles, the nearest
    er_motion_def def = lasting(2.4, true);
    motion = motion_of(s, 3, component, 2.0, &def);
    assert_true(motion->duration == 2.4 && motion->loops);
    static const double cycles[] = {3, 2, 3}; // 3.12, 2.16, and three of the one common cycle that goes into it
    for (int i = 0; i < 3; ++i) {
        measure_at_most("frequency in a loop", relative_error(motion->component[i].hz, cycles[i] / 2.4), 1e-15);
        measure_at_most("frequency asked for", relative_error(motion->component[i].asked_hz, hz[i]), 1e-12);
    }
    er_motion_destroy(motion);
    // one cycle at least; harmonics of the loop itself where the mix has no cycle
    def = lasting(0.2, true);
    motion = motion_of(s, 3, component, 0.0, &def);
    for (int i = 0; i < 3; ++i)
        measure_at_most("frequency in a short loop", relative_error(motion->component[i].hz * 0.2, i == 2 ? 3 : 1),
                        1e-15);
    er_motion_destroy(motion);
    // without either, of the cycle whose harmonics are the modes' own frequencies in the mean: 1 / 1.3 and 3 / 3.7 s
    component[0].harmonic = 1;
    component[1].hz = 0.0;
    motion = motion_of(s, 3, component, 0.0, NULL);
    double own = sqrt(1 / 1.3 * 3 / 3.7);
    measure_at_most("own cycle", relative_error(motion->duration, own), 1e-12);
    measure_at_most("first of it", relative_error(motion->component[0].hz * own, 1), 1e-12);
    measure_at_most("free component", relative_error(motion->component[1].hz, 2.1), 1e-12);
    measure_at_most("third of it", relative_error(motion->component[2].hz * own, 3), 1e-12);
    er_motion_destroy(motion);
    component[0].harmonic = 0;
    // 5 s where nothing says how long; whole cycles loop without being asked to
    motion = motion_of(s, 1, component, 0.0, NULL);
    assert_true(motion->duration == 5.0 && !motion->loops);
    er_motion_destroy(motion);
    component[0].hz = 0.4;
    motion = motion_of(s, 1, component, 0.0, NULL);
    assert_true(motion->duration == 5.0 && motion->loops);
    er_motion_destroy(motion);
    free_sample(s);
}

static void components_that_cannot_play_are_refused(void **state)
{
    static rig r;
    make_rods(&r, 2, (double[]){1.0, 2.0});
    r.joint[0].stiffness[0] = 0.0;
    sample s = sample_of(&r);
    er_motion *motion = NULL;
    er_motion_def loop = lasting(2.0, true), once = lasting(2.0, false);
    er_mix_component v = component_of(0, 10);
    expect_refusal(try_motion(s, 1, &v, 0, NULL, &motion), "0:10@1");
    v = component_of(2, 10);
    expect_refusal(try_motion(s, 1, &v, 0, NULL, &motion), "mode 2");
    v = component_of(0, 10); // a mode of no frequency
    v.harmonic = 2;
    expect_refusal(try_motion(s, 1, &v, 0, NULL, &motion), "cycle");
    v = component_of(1, NAN);
    expect_refusal(try_motion(s, 1, &v, 0, NULL, &motion), "amplitude");
    // no faster than a million a second, whatever makes them so
    v = component_of(1, 10);
    v.harmonic = 10000;
    expect_refusal(try_motion(s, 1, &v, 0.0099, NULL, &motion), "mode 1");
    assert_int_equal(try_motion(s, 1, &v, 0.0101, NULL, &motion), ER_OK);
    er_motion_destroy(motion);
    motion = NULL;
    v = component_of(1, 10);
    er_motion_def brief = lasting(0.99e-6, true);
    expect_refusal(try_motion(s, 1, &v, 0, &brief, &motion), "9.9e-07 s");
    brief.duration = 1.01e-6;
    assert_int_equal(try_motion(s, 1, &v, 0, &brief, &motion), ER_OK);
    er_motion_destroy(motion);
    motion = NULL;
    // envelopes
    v = component_of(1, 10);
    v.decay = 2.5;
    expect_refusal(try_motion(s, 1, &v, 0, &once, &motion), "decay of 2.5");
    v.decay = 2.0; // as long as that
    v.attack = 2.0;
    assert_int_equal(try_motion(s, 1, &v, 0, &once, &motion), ER_OK);
    er_motion_destroy(motion);
    motion = NULL;
    v = component_of(1, 10);
    v.decay = 1.0;
    expect_refusal(try_motion(s, 1, &v, 0, &loop, &motion), "mode 1");
    v = component_of(1, 10);
    v.attack = 2.5;
    expect_refusal(try_motion(s, 1, &v, 0, &once, &motion), "attack of 2.5");
    v.attack = 1.0;
    expect_refusal(try_motion(s, 1, &v, 0, &loop, &motion), "mode 1");
    v.attack = 0.0;
    v.damping = 0.1;
    expect_refusal(try_motion(s, 1, &v, 0, &loop, &motion), "mode 1");
    // options
    static const double durations[] = {-1.0, NAN, HUGE_VAL, 1.1e5}, rates[] = {0.0, -60.0, NAN, 1.1e5};
    v = component_of(1, 10);
    for (int i = 0; i < 4; ++i) {
        er_motion_def def = lasting(durations[i], false);
        expect_refusal(try_motion(s, 1, &v, 0, &def, &motion), "duration");
        def = lasting(1.0, false);
        def.fps = rates[i];
        expect_refusal(try_motion(s, 1, &v, 0, &def, &motion), "frames a second");
    }
    er_motion_def most = lasting(1e5, false); // the bounds are inside
    most.fps = 1e5;
    assert_int_equal(try_motion(s, 1, &v, 0, &most, &motion), ER_OK);
    assert_true(motion->duration == 1e5);
    er_motion_destroy(motion);
    motion = NULL;
    // a cycle chosen here is bound as one that is given
    v.hz = 1e-90;
    er_motion_def chosen = lasting(0.0, true);
    expect_refusal(try_motion(s, 1, &v, 0, &chosen, &motion), "100000");
    v.hz = 1e-320;
    expect_refusal(try_motion(s, 1, &v, 0, &chosen, &motion), "100000");
    v.hz = 1.0;
    chosen.fps = 1e-300;
    expect_refusal(try_motion(s, 1, &v, 0, &chosen, &motion), "100000");
    free_sample(s);
}

static void a_chosen_cycle_is_the_shortest_that_moves_little(void **state)
{
    static rig r;
    dice d = {31};
    int within = 0;
    for (int turn = 0; turn < 300; ++turn) {
        double hz[4], fps = (const double[]){24, 30, 60, 144}[turn % 4];
        int count = 1 + dice_below(&d, 4);
        for (int i = 0; i < count; ++i)
            hz[i] = pow(10.0, dice_uniform(&d, -1, 0.5));
        make_rods(&r, count, hz);
        sample s = sample_of(&r);
        er_mix_component component[4];
        for (int i = 0; i < count; ++i)
            component[i] = component_of(i, 10);
        er_motion_def def = lasting(0.0, true);
        def.fps = fps;
        er_motion *motion = motion_of(s, count, component, 0.0, &def);
        double T = motion->duration, shift = 0.0, slowest = HUGE_VAL;
        measure_at_most("part of a frame", fabs(T * fps - round(T * fps)), 1e-9);
        for (int i = 0; i < count; ++i) {
            slowest = fmin(slowest, motion->component[i].asked_hz);
            shift = fmax(shift, fabs(motion->component[i].hz / motion->component[i].asked_hz - 1.0));
            measure_at_most("part of a cycle", fabs(motion->component[i].hz * T - round(motion->component[i].hz * T)),
                            1e-12);
        }
        double shortest = 0.0; // of 1 to 24 cycles of the slowest component, in whole frames
        for (int n = 1; n <= 24 && shortest == 0.0; ++n) {
            double length = round(n / slowest * fps) / fps, worst = 0.0;
            for (int i = 0; i < count; ++i) {
                double cycles = motion->component[i].asked_hz * length;
                worst = fmax(worst, fabs(round(cycles) / cycles - 1.0));
            }
            if (worst <= 0.02) shortest = length;
        }
        if (shortest > 0.0) {
            ++within;
            measure_at_most("shift of a frequency", shift, 0.02);
            measure_at_most("length of a cycle", fabs(T - shortest), 1e-12);
        }
        er_motion_destroy(motion);
        free_sample(s);
    }
    assert_true(within > 200);
}

// Loops are whole frames and whole common cycles, whatever the cycle is, and harmonics stay what they were of it.
static void a_common_cycle_loops_on_whole_frames(void **state)
{
    static rig r;
    make_rods(&r, 3, (double[]){1.3, 2.1, 3.7});
    sample s = sample_of(&r);
    dice d = {7};
    const int harmonic[] = {1, 7, 400};
    for (int turn = 0; turn < 300; ++turn) {
        double fps = (const double[]){24, 30, 59.94, 144}[turn % 4], cycle = pow(10.0, dice_uniform(&d, -2, 1));
        er_mix_component component[3];
        for (int i = 0; i < 3; ++i) {
            component[i] = component_of(i, 10);
            component[i].harmonic = harmonic[i];
        }
        er_motion_def def = lasting(turn % 3 == 0 ? 3.0 * dice_uniform(&d, 0.1, 1) : 0.0, true);
        def.fps = fps;
        er_motion *motion = motion_of(s, 3, component, cycle, &def);
        double T = motion->duration, turns = fmax(1.0, round(T / cycle));
        assert_true(motion->loops);
        if (def.duration > 0.0)
            assert_true(T == def.duration);
        else
            measure_at_most("part of a frame", fabs(T * fps - round(T * fps)), 1e-9);
        if (def.duration == 0.0 && cycle * fps >= 1.0) // 24 of them are within 1/24 of a frame of whole ones
            measure_at_most("change of a cycle", fabs(turns * cycle / T - 1.0), 0.02);
        for (int i = 0; i < 3; ++i)
            measure_at_most("harmonics of it", fabs(motion->component[i].hz * T / turns / harmonic[i] - 1.0), 1e-12);
        er_motion_destroy(motion);
    }
    free_sample(s);
}

// A cycle that nobody gave is there as often as the longest attack and decay of a component need together.
static void a_chosen_cycle_has_room_for_envelopes(void **state)
{
    static rig r;
    make_rods(&r, 1, (const double[]){2.0}); // a cycle of half a second
    sample s = sample_of(&r);
    static const struct {
        double attack, decay, duration;
    } rows[] = {{0.1, 0.1, 0.5}, {0.25, 0.25, 0.5}, {0.3, 0.4, 1.0}, {1.0, 1.2, 2.5}, {0.1, 2.5, 3.0}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix_component component = component_of(0, 10);
        component.attack = rows[i].attack;
        component.decay = rows[i].decay;
        er_motion_def def = lasting(0.0, true);
        er_motion *motion = motion_of(s, 1, &component, 0.0, &def);
        measure_at_most("cycles with envelopes", fabs(motion->duration - rows[i].duration), 1e-12);
        assert_true(motion->loops);
        er_motion_destroy(motion);
    }
    free_sample(s);
}

// A leap is more than four times what sines and envelopes can move a coordinate by.
static void leaps_are_told_by_the_fastest_that_components_can_be(void **state)
{
    static rig r;
    make_rods(&r, 1, (const double[]){2.0});
    sample s = sample_of(&r);
    static const struct {
        double attack, decay, damping;
    } rows[] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.05, 0}, {0, 0, 0.5}, {0.2, 0.3, 0.1}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix_component component = component_of(0, 10);
        component.attack = rows[i].attack;
        component.decay = rows[i].decay;
        component.damping = rows[i].damping;
        er_motion_def def = lasting(3.0, false);
        er_motion *motion = motion_of(s, 1, &component, 0.0, &def);
        assert_int_equal(motion->width, 1);
        double rate = 2.0 * ER_PI * 2.0 * (1.0 + rows[i].damping);
        rate += rows[i].attack > 0.0 ? 0.5 * ER_PI / rows[i].attack : 0.0;
        rate += rows[i].decay > 0.0 ? 0.5 * ER_PI / rows[i].decay : 0.0;
        const double seconds = 0.02, before = 0.3, most = 4.0 * rate * 10.0 * ER_PI / 180.0 * seconds + 1e-6;
        assert_false(eri_motion_leaps(motion, seconds, &before, &(double){before - 0.999 * most}));
        assert_true(eri_motion_leaps(motion, seconds, &before, &(double){before - 1.001 * most}));
        assert_true(eri_motion_leaps(motion, seconds, &before, &(double){before + 1.001 * most}));
        er_motion_destroy(motion);
    }
    free_sample(s);
}

// ---- signals

static double rise(double t, double length)
{
    return t >= length ? 1.0 : 0.5 * (1.0 - cos(ER_PI * t / length));
}

static double envelope(const er_motion *motion, const er_motion_component *v, double t)
{
    return rise(t, v->attack) * rise(motion->duration - t, v->decay) * exp(-v->damping * 2.0 * ER_PI * v->hz * t);
}

// x(t) as motion.h writes it, t within the motion.
static void displacement_at(const er_motion *motion, sample s, er_kinematics *k, double t, double *x)
{
    static double column[6 * RIG_MAX];
    memset(x, 0, (size_t)motion->width * sizeof *x);
    for (int i = 0; i < motion->component_count; ++i) {
        const er_motion_component *v = &motion->component[i];
        double value = v->factor * envelope(motion, v, t) * sin(2.0 * ER_PI * v->hz * t + v->phase);
        er_kinematics_mode(k, &s.modes->mode[v->mode], column);
        for (int c = 0; c < motion->width; ++c)
            x[c] += value * column[c];
    }
}

static void envelopes_rise_fall_and_die_away(void **state)
{
    static rig r;
    make_rods(&r, 1, (double[]){1.7});
    r.damping_ratio = 0.03;
    sample s = sample_of(&r);
    static const struct {
        double attack, decay, damping;
    } rows[] = {{0, 0, 0},   {1, 0, 0},         {0, 2, 0},  {1.5, 1, 0}, {4, 4, 0},
                {0, 0, 0.1}, {0.5, 0.25, 0.02}, {0, 0, -1}, {0, 0, 10}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix_component v = component_of(0, 25);
        v.attack = rows[i].attack;
        v.decay = rows[i].decay;
        v.damping = rows[i].damping;
        v.phase = 0.7;
        er_motion_def def = lasting(4.0, false);
        er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
        measure_at_most("damping", fabs(motion->component[0].damping - (v.damping < 0.0 ? 0.03 : v.damping)), 1e-12);
        for (int k = 0; k <= 400; ++k) {
            double t = 0.01 * k, x;
            if (motion->loops && k == 400) continue; // that is the start
            poses_at(motion, 1, &t, &x, NULL);
            double e =
                rise(t, v.attack) * rise(4.0 - t, v.decay) * exp(-motion->component[0].damping * 2.0 * ER_PI * 1.7 * t);
            double expected = 25.0 * ER_PI / 180.0 * e * sin(2.0 * ER_PI * 1.7 * t + 0.7);
            measure_at_most("signal", fabs(x - expected), 1e-13);
        }
        er_motion_destroy(motion);
    }
    free_sample(s);
}

static void times_come_in_any_order_and_beyond_the_ends(void **state)
{
    static rig r;
    make_rods(&r, 2, (double[]){1.0, 2.5});
    sample s = sample_of(&r);
    er_mix_component component[2] = {component_of(0, 30), component_of(1, 20)};
    for (int loop = 0; loop < 2; ++loop) {
        er_motion_def def = lasting(2.1, loop == 1);
        er_motion *motion = motion_of(s, 2, component, 0.0, &def);
        assert_int_equal(motion->loops, loop == 1);
        double T = motion->duration;
        const double given[] = {2.0, -0.1, 0.3, 2.1, 2.2, 1e-300, -1e-300, 0.0,   -2.1, 4.2,   -21.0, 0.5,   1e6 + 0.3,
                                1.7, 1.0,  0.2, 0.1, 0.0, 3.3,    -1e5,    2.099, 1e15, -1e15, 1e300, -1e300};
        enum { COUNT = (int)ERI_COUNT(given) };
        er_pose pose[2 * COUNT], one[2];
        poses_at(motion, COUNT, given, NULL, pose);
        for (int i = 0; i < COUNT; ++i) {
            double within = given[i] < 0.0 ? 0.0 : given[i] > T ? T : given[i];
            if (loop == 1) {
                within = fmod(given[i], T);
                if (within < 0.0) within += T;
            }
            poses_at(motion, 1, &within, NULL, one);
            measure_at_most("pose beyond the ends", pose_distance(s.model, one, pose + 2 * i), 1e-13);
        }
        static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
        float frames[14 * 3];
        for (int i = 0; i < 3; ++i) {
            const double times[3] = {0.0, bad[i], 1.0};
            expect_refusal(er_motion_poses(motion, 3, times, NULL, pose), "finite");
            expect_refusal(er_motion_frames(motion, 3, times, frames), "finite");
        }
        expect_refusal(er_motion_poses(motion, -1, given, NULL, pose), "-1 times");
        assert_int_equal(er_motion_poses(motion, 0, NULL, NULL, NULL), ER_OK);
        assert_int_equal(er_motion_frames(motion, 0, NULL, NULL), ER_OK);
        er_motion_destroy(motion);
    }
    free_sample(s);
}

static void a_loop_ends_as_it_begins(void **state)
{
    static rig r;
    static er_pose pose[5][RIG_MAX];
    dice d = {33};
    for (int round = 0; round < 2 * LINKAGE_COUNT; ++round) {
        sample s = linkage_or_forest(&r, &d, round, 10);
        er_mix_component component[3];
        for (int i = 0; i < 3; ++i) {
            component[i] = component_of(dice_below(&d, s.modes->count), 5.0);
            component[i].phase = dice_uniform(&d, -4, 4);
            component[i].hz = dice_uniform(&d, 0.5, 2.0);
        }
        if (round % 3 == 0) component[1].attack = 1.0, component[1].decay = 0.7;
        er_motion_def def = lasting(2.7, true);
        er_motion *motion = motion_of(s, 3, component, 0.0, &def);
        assert_true(motion->loops);
        // the velocity's change across the seam against that elsewhere
        const double h = 1e-4, T = motion->duration, at[5] = {T - 2.0 * h, T - h, T, h, 2.0 * h};
        for (int i = 0; i < 5; ++i)
            poses_at(motion, 1, &at[i], NULL, pose[i]);
        double kink[3] = {0};
        for (int i = 1; i < 4; ++i)
            for (int b = 0; b < s.model->body_count; ++b) {
                er_vec3 forth = er_q_log(er_q_mul(er_q_conj(pose[i][b].q), pose[i + 1][b].q));
                er_vec3 back = er_q_log(er_q_mul(er_q_conj(pose[i - 1][b].q), pose[i][b].q));
                kink[i - 1] = fmax(kink[i - 1], er_v3_distance(forth, back) / h);
                er_vec3 step = er_v3_sub(pose[i + 1][b].p, pose[i][b].p),
                        last = er_v3_sub(pose[i][b].p, pose[i - 1][b].p);
                kink[i - 1] = fmax(kink[i - 1], er_v3_distance(step, last) / h / s.model->size);
            }
        // 5 degrees at 2 Hz, three times, are accelerations of some 40 rad/s^2
        measure_at_most("jump of the velocity, 1/s", fmax(kink[0], fmax(kink[1], kink[2])), 100.0 * h);
        poses_at(motion, 1, &(double){0.0}, NULL, pose[0]);
        assert_memory_equal(pose[0], pose[2], (size_t)s.model->body_count * sizeof(er_pose));
        er_motion_destroy(motion);
        free_sample(s);
    }
}

// ---- poses: side by side against one by one

static void frames_side_by_side_are_those_one_by_one(void **state)
{
    enum { TIMES = 53 };
    static rig r;
    static er_pose pose[TIMES * RIG_MAX], one[RIG_MAX];
    static double x[TIMES * 6 * RIG_MAX], asked[6 * RIG_MAX];
    static float frames[7 * RIG_MAX * TIMES];
    static const double degrees[] = {2, 20, 60, 179, 400};
    dice d = {34};
    for (int round = 0; round < 100; ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 40), false);
        sample s = sample_of(&r);
        if (s.modes->count == 0) {
            free_sample(s);
            continue;
        }
        er_kinematics *k = NULL;
        assert_int_equal(er_kinematics_create(context, s.model, &k), ER_OK);
        er_mix_component component[4];
        int count = 1 + dice_below(&d, 4), bodies = s.model->body_count;
        for (int i = 0; i < count; ++i) {
            component[i] = component_of(dice_below(&d, s.modes->count), degrees[round % 5] / count);
            component[i].hz = dice_uniform(&d, 0.2, 3.0);
            component[i].phase = dice_uniform(&d, -10, 10);
            if (i == 1) component[i].damping = 0.05, component[i].attack = 0.5;
        }
        er_motion_def def = lasting(3.0, false);
        er_motion *motion = motion_of(s, count, component, 0.0, &def);
        assert_int_equal(motion->width, er_kinematics_width(k));
        double time[TIMES];
        for (int t = 0; t < TIMES; ++t)
            time[t] = dice_uniform(&d, 0.0, 3.0);
        poses_at(motion, TIMES, time, x, pose);
        assert_int_equal(er_motion_frames(motion, TIMES, time, frames), ER_OK);
        for (int t = 0; t < TIMES; ++t) {
            displacement_at(motion, s, k, time[t], asked);
            double *row = x + (size_t)t * (size_t)motion->width;
            for (int c = 0; c < motion->width; ++c)
                measure_at_most("displacement", fabs(row[c] - asked[c]) / (1.0 + s.model->size), 1e-13);
            assert_int_equal(er_kinematics_pose(k, row, one), ER_OK);
            measure_at_most("pose side by side", pose_distance(s.model, one, pose + t * bodies), 1e-13);
            for (int b = 0; b < bodies; ++b) {
                const float *f = frames + (size_t)7 * (size_t)b * TIMES + t;
                er_pose p = {er_q(f[0], f[TIMES], f[2 * TIMES], f[3 * TIMES]),
                             er_v3(f[4 * TIMES], f[5 * TIMES], f[6 * TIMES])};
                measure_at_most("norm of a frame's quaternion", fabs(er_q_dot(p.q, p.q) - 1.0), 1e-5);
                p.q = er_q_unit(p.q);
                er_model lone = *s.model; // one body
                lone.body_count = 1;
                measure_at_most("pose of a frame", pose_distance(&lone, &one[b], &p), 1e-5);
            }
        }
        er_motion_destroy(motion);
        er_kinematics_destroy(k);
        free_sample(s);
    }
}

static void frame_rates_agree_at_common_times(void **state)
{
    static rig r;
    static const int rates[] = {24, 30, 60, 144};
    static er_pose pose[4][289 * 40];
    dice d = {35};
    for (int round = 0; round < LINKAGE_COUNT + 10; ++round) {
        sample s = linkage_or_forest(&r, &d, round, 30);
        int bodies = s.model->body_count;
        er_mix_component component[2] = {component_of(s.modes->count - 1, 8), component_of(s.modes->count / 2, 7)};
        component[0].hz = 1.1, component[1].hz = 0.7;
        er_motion_def def = lasting(2.0, false);
        er_motion *motion = motion_of(s, 2, component, 0.0, &def);
        for (int f = 0; f < 4; ++f) {
            double time[289];
            for (int k = 0; k <= 2 * rates[f]; ++k)
                time[k] = (double)k / rates[f];
            poses_at(motion, 2 * rates[f] + 1, time, NULL, pose[f]);
        }
        for (int t = 0; t <= 12; ++t) // sixths of a second
            for (int f = 1; f < 4; ++f)
                measure_at_most("pose at another frame rate",
                                pose_distance(s.model, pose[0] + t * 4 * bodies, pose[f] + t * rates[f] / 6 * bodies),
                                1e-12);
        er_motion_destroy(motion);
        free_sample(s);
    }
}

// ---- energy

// Kinetic energy by differences of poses; h s between them.
static double kinetic_energy(const er_model *m, const er_pose *before, const er_pose *after, double h)
{
    double sum = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        const er_body *body = &m->body[b];
        er_vec3 v = er_v3_sub(er_pose_point(after[b], body->com), er_pose_point(before[b], body->com));
        er_vec3 w = er_q_log(er_q_mul(er_q_conj(before[b].q), after[b].q));
        sum += 0.5 * (body->mass * er_v3_dot(v, v) + er_v3_dot(w, er_m3_mul_v(body->inertia, w))) / (h * h);
    }
    return sum;
}

// Energy of the springs of hinges and balls, by the turn between their sides.
static double potential_energy(const er_model *m, const er_pose *pose)
{
    double sum = 0.0;
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        er_quat child = er_q_mul(pose[j->child].q, er_q_mul(er_q_conj(m->body[j->child].pose.q), j->frame.q));
        er_quat parent = j->frame.q;
        if (j->parent >= 0)
            parent = er_q_mul(pose[j->parent].q, er_q_mul(er_q_conj(m->body[j->parent].pose.q), j->frame.q));
        er_vec3 turn = er_q_log(er_q_mul(er_q_conj(parent), child));
        const double all[3] = {turn.x, turn.y, turn.z};
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        for (int i = 0; i < count; ++i)
            sum += 0.5 * j->stiffness[i] * all[axis[i]] * all[axis[i]];
    }
    return sum;
}

// How much the energy of a mode varies over its period, over its mean.
static double energy_variation(sample s, int mode, double degrees)
{
    static er_pose pose[3][RIG_MAX];
    er_mix_component v = component_of(mode, degrees);
    er_motion_def def = lasting(1.0 / s.modes->mode[mode].frequency_hz, true);
    er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
    double least = HUGE_VAL, most = 0.0, h = 2e-4 * motion->duration;
    for (int k = 0; k < 24; ++k) {
        const double t = motion->duration * k / 24.0, times[3] = {t - h, t, t + h};
        for (int i = 0; i < 3; ++i)
            poses_at(motion, 1, &times[i], NULL, pose[i]);
        double energy = kinetic_energy(s.model, pose[0], pose[2], 2.0 * h) + potential_energy(s.model, pose[1]);
        least = fmin(least, energy);
        most = fmax(most, energy);
    }
    er_motion_destroy(motion);
    return (most - least) / (most + least);
}

static void a_mode_alone_keeps_its_energy(void **state)
{
    static hand h;
    static rig r;
    static double hexagon[][2] = {{0, 0}, {1, -0.4}, {2, 0}, {2.1, 1}, {1, 1.5}, {-0.2, 1}};
    for (int which = 0; which < 3; ++which) {
        sample s;
        er_rig *chain = NULL;
        if (which < 2) {
            hand_chain(&h);
            er_rig_def def = er_default_rig_def();
            def.root = which == 0 ? ER_ROOT_FREE : ER_ROOT_FIXED;
            chain = hand_rig(context, &h.scene, &def);
            s = (sample){chain->model, rig_modes(context, chain->model, ER_MODAL_AUTO)};
        } else {
            memset(&r, 0, sizeof r);
            rig_loop(&r, 6, hexagon, er_pose_identity(), 3.0);
            s = sample_of(&r);
        }
        for (int k = s.modes->rigid_count; k < s.modes->count; ++k) {
            double small = energy_variation(s, k, 0.1), large = energy_variation(s, k, 1.0);
            // what differences of poses leave: (2 pi 2e-4)^2 / 6
            measure_at_most("energy at 0.1 degrees", small, 0.02);
            measure_at_most("energy at 0.1 degrees over that at 1", small / (large + 1e-5), 0.15);
        }
        er_modes_destroy(s.modes);
        if (chain != NULL)
            er_rig_destroy(chain);
        else
            er_model_destroy(s.model);
    }
}

// ---- what is said of a motion

static void the_linear_form_is_measured_as_it_is(void **state)
{
    enum { TIMES = 10 };
    static rig r;
    static er_pose exact[RIG_MAX], linear[RIG_MAX];
    static double x[6 * RIG_MAX];
    dice d = {36};
    for (int round = 0; round < LINKAGE_COUNT + 10; ++round) {
        sample s = linkage_or_forest(&r, &d, round, 30);
        er_kinematics *k = NULL;
        assert_int_equal(er_kinematics_create(context, s.model, &k), ER_OK);
        er_mix_component v = component_of(s.modes->count - 1, 15);
        v.hz = 0.8;
        er_motion_def def = lasting(2.0, false);
        er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
        double shift = 0.0, turn = 0.0, tear = 0.0, correction = 0.0, asked[6 * RIG_MAX];
        er_motion_errors said;
        for (int t = 0; t < TIMES; ++t) {
            double time = 2.0 * (t + 0.5) / TIMES;
            displacement_at(motion, s, k, time, x);
            memcpy(asked, x, sizeof asked);
            er_kinematics_linear(k, x, linear);
            assert_int_equal(er_kinematics_pose(k, x, exact), ER_OK);
            for (int j = 0; j < s.model->joint_count; ++j)
                for (int c = s.model->coordinate[j]; !s.model->joint[j].closes_loop && c < s.model->coordinate[j + 1];
                     ++c)
                    if (s.model->joint[j].type == ER_JOINT_REVOLUTE)
                        correction = fmax(correction, fabs(x[c] - asked[c]));
            for (int b = 0; b < s.model->body_count; ++b) {
                shift = fmax(shift, er_v3_distance(exact[b].p, linear[b].p));
                turn = fmax(turn, er_v3_norm(er_q_log(er_q_mul(er_q_conj(linear[b].q), exact[b].q))));
            }
            tear = fmax(tear, er_pose_joint_gap(s.model, linear));
        }
        double times[TIMES];
        for (int t = 0; t < TIMES; ++t)
            times[t] = 2.0 * (t + 0.5) / TIMES;
        assert_int_equal(er_motion_measure(motion, TIMES, times, &said), ER_OK);
        measure_at_most("shift of the linear form", fabs(said.shift - shift) / s.model->size, 1e-9);
        measure_at_most("turn of the linear form", fabs(said.turn - turn), 1e-9);
        measure_at_most("tear of the linear form", fabs(said.tear - tear) / s.model->size, 1e-9);
        assert_true(said.correction >= correction - 1e-9); // shifts and roots count too
        assert_true(s.model->loop_count > 0 || said.correction == 0.0);
        expect_refusal(er_motion_measure(motion, 0, times, &said), "er_motion_measure");
        er_motion_destroy(motion);
        er_kinematics_destroy(k);
        free_sample(s);
    }
}

// Whether every frame of a motion can be posed.
static bool follows(er_motion *motion, double fps)
{
    for (int f = 0; f <= ceil(motion->duration * fps); ++f) {
        double time = f / fps;
        er_result result = er_motion_poses(motion, 1, &time, NULL, NULL);
        if (result == ER_OK) continue;
        char moment[40];
        snprintf(moment, sizeof moment, "%.4g s", time);
        assert_refusal(context, result, ER_ERROR_NO_CONVERGENCE, moment);
        return false;
    }
    return true;
}

static void the_reach_is_what_loops_follow(void **state)
{
    static rig r;
    dice d = {37};
    int less = 0, all = 0;
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        memset(&r, 0, sizeof r);
        linkages[l].build(&r, &d);
        sample s = sample_of(&r);
        for (int k = s.modes->rigid_count; k < s.modes->count && k < s.modes->rigid_count + (every() ? 3 : 1); ++k) {
            er_mix_component v = component_of(k, 175);
            v.hz = 1.0;
            er_motion_def def = lasting(1.0, true);
            er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
            double share = -1.0;
            assert_int_equal(er_motion_reach(motion, 12.0, &share), ER_OK);
            assert_int_equal(share == 1.0, follows(motion, 12.0));
            er_motion_destroy(motion);
            ++(share < 1.0 ? &less : &all)[0];
            assert_true(share > 0.05 && share <= 1.0);
            v.degrees = 175.0 * share * (1.0 - 1e-9);
            motion = motion_of(s, 1, &v, 0.0, &def);
            assert_true(follows(motion, 12.0));
            er_motion_destroy(motion);
            if (share == 1.0) continue;
            v.degrees = 175.0 * (share + 1.0 / 128.0); // where the bisection's last failure was
            motion = motion_of(s, 1, &v, 0.0, &def);
            assert_false(follows(motion, 12.0));
            er_motion_destroy(motion);
        }
        free_sample(s);
    }
    print_message("# %d motions followed to 175 degrees, %d not\n", all, less);
    assert_true(less > (every() ? 5 : 3) && all > 5);
}

static void reaches_of_senseless_frame_rates_are_refused(void **state)
{
    static rig r;
    dice d = {38};
    memset(&r, 0, sizeof r);
    linkages[0].build(&r, &d);
    sample s = sample_of(&r);
    er_mix_component v = component_of(0, 10);
    er_motion_def def = lasting(1e5, false);
    er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
    double share;
    static const double rates[] = {0.0, -1.0, NAN, HUGE_VAL, 1.1e5};
    for (size_t i = 0; i < ERI_COUNT(rates); ++i)
        expect_refusal(er_motion_reach(motion, rates[i], &share), "frames a second");
    expect_refusal(er_motion_reach(motion, 1e5, &share), "10 million");
    er_motion_destroy(motion);
    free_sample(s);
    // nothing holds a tree back, and nobody has to look at its frames
    make_rods(&r, 1, (double[]){1.0});
    s = sample_of(&r);
    motion = motion_of(s, 1, &v, 0.0, &def);
    assert_int_equal(er_motion_reach(motion, 1e5, &share), ER_OK);
    assert_true(share == 1.0);
    er_motion_destroy(motion);
    free_sample(s);
}

// A loop so large that a hundredth of it is more than a displacement may be: said as that, and not as a loop's failure.
static void displacements_without_measure_are_refused(void **state)
{
    static rig r;
    static double square[][2] = {{0, 0}, {1e13, 0}, {1e13, 1e13}, {0, 1e13}};
    static er_pose pose[RIG_MAX];
    memset(&r, 0, sizeof r);
    rig_loop(&r, 4, square, er_pose_identity(), 3.0);
    for (int i = 0; i < r.joint_count; ++i) // it floats
        if (r.joint[i].parent < 0) r.joint[i] = r.joint[--r.joint_count];
    sample s = sample_of(&r);
    int refused = 0;
    for (int k = 0; k < s.modes->count; ++k) {
        er_mix_component v = component_of(k, 20);
        v.hz = 1.0;
        er_motion_def def = lasting(1.0, true);
        er_motion *motion = motion_of(s, 1, &v, 0.0, &def);
        double time = 0.25, share;
        er_motion_errors errors;
        if (er_motion_poses(motion, 1, &time, NULL, pose) == ER_ERROR_ARGUMENT) {
            ++refused;
            assert_int_equal(er_motion_measure(motion, 1, &time, &errors), ER_ERROR_ARGUMENT);
            assert_int_equal(er_motion_reach(motion, 12.0, &share), ER_ERROR_ARGUMENT);
        }
        er_motion_destroy(motion);
    }
    print_message("# %d of %d modes are refused\n", refused, s.modes->count);
    assert_true(refused > 0);
    free_sample(s);
}

static void centres_of_mass_stay_over_whole_motions(void **state)
{
    static rig r;
    static er_pose pose[61 * 40];
    dice d = {39};
    for (int round = 0; round < 12; ++round) {
        // chains that float, and two of them that only a closing joint ties
        int chosen = round % 2 == 0 ? LINKAGE_COUNT - 1 : 10;
        memset(&r, 0, sizeof r);
        linkages[chosen].build(&r, &d);
        sample s = sample_of(&r);
        int bodies = s.model->body_count;
        er_mix_component component[3] = {component_of(6, 12), component_of(8, 10), component_of(10, 10)};
        er_motion_def def = lasting(0.0, true);
        er_motion *motion = motion_of(s, 3, component, 0.0, &def);
        double time[61];
        for (int t = 0; t <= 60; ++t)
            time[t] = motion->duration * t / 60.0;
        poses_at(motion, 61, time, NULL, pose);
        er_vec3 rest = er_v3(0, 0, 0);
        double mass = 0.0;
        for (int b = 0; b < bodies; ++b) {
            const er_body *body = &s.model->body[b];
            rest = er_v3_madd(rest, body->mass, er_pose_point(body->pose, body->com));
            mass += body->mass;
        }
        for (int t = 0; t <= 60; ++t) {
            er_vec3 sum = er_v3_scale(-1.0, rest);
            for (int b = 0; b < bodies; ++b)
                sum = er_v3_madd(sum, s.model->body[b].mass, er_pose_point(pose[t * bodies + b], s.model->body[b].com));
            measure_at_most("drift of the centre of mass", er_v3_norm(sum) / (mass * s.model->size), 1e-13);
            measure_at_most("gap of a joint", er_pose_joint_gap(s.model, pose + t * bodies) / s.model->size, 1e-9);
        }
        er_motion_destroy(motion);
        free_sample(s);
    }
}

// ---- memory

static void every_allocation_may_fail(void **state)
{
    static rig r;
    static er_pose pose[20 * RIG_MAX];
    static float frames[20 * 7 * RIG_MAX];
    for (int which = 0; which < 3; ++which) {
        dice d = {40};
        memset(&r, 0, sizeof r);
        if (which == 0)
            linkages[0].build(&r, &d);
        else
            rig_forest(&r, &d, 12, false);
        sample s = sample_of(&r);
        er_mix_component component[2] = {component_of(0, which == 2 ? 400 : 20), component_of(s.modes->count - 1, 10)};
        component[0].hz = component[1].hz = 1.0;
        const er_mix mix = {.component_count = 2, .component = component};
        double time[20];
        for (int i = 0; i < 20; ++i)
            time[i] = 0.05 * i;
        er_result result = ER_ERROR_MEMORY;
        for (long n = 0; result != ER_OK; ++n) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            er_motion *motion = (er_motion *)&l; // not NULL
            double share;
            er_motion_errors error;
            l.left = n;
            result = er_motion_create(own, s.model, s.modes, &mix, NULL, &motion);
            assert_true((result == ER_OK) == (motion != NULL));
            if (result == ER_OK) result = er_motion_poses(motion, 20, time, NULL, pose);
            if (result == ER_OK) result = er_motion_frames(motion, 20, time, frames);
            if (result == ER_OK) result = er_motion_measure(motion, 3, time, &error);
            if (result == ER_OK) result = er_motion_reach(motion, 5.0, &share);
            assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            long asked = l.asked;
            if (result == ER_OK) { // none after the first call
                assert_int_equal(er_motion_poses(motion, 20, time, NULL, pose), ER_OK);
                assert_int_equal(er_motion_frames(motion, 20, time, frames), ER_OK);
                assert_int_equal(l.asked, asked);
            }
            er_motion_destroy(motion);
            ledger_end(&l, own);
        }
        free_sample(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_plays_at_its_own_a_given_or_a_harmonic_frequency),
        cmocka_unit_test(components_that_cannot_play_are_refused),
        cmocka_unit_test(a_chosen_cycle_is_the_shortest_that_moves_little),
        cmocka_unit_test(a_common_cycle_loops_on_whole_frames),
        cmocka_unit_test(a_chosen_cycle_has_room_for_envelopes),
        cmocka_unit_test(leaps_are_told_by_the_fastest_that_components_can_be),
        cmocka_unit_test(envelopes_rise_fall_and_die_away),
        cmocka_unit_test(times_come_in_any_order_and_beyond_the_ends),
        cmocka_unit_test(a_loop_ends_as_it_begins),
        cmocka_unit_test(frames_side_by_side_are_those_one_by_one),
        cmocka_unit_test(frame_rates_agree_at_common_times),
        cmocka_unit_test(a_mode_alone_keeps_its_energy),
        cmocka_unit_test(the_linear_form_is_measured_as_it_is),
        cmocka_unit_test(the_reach_is_what_loops_follow),
        cmocka_unit_test(reaches_of_senseless_frame_rates_are_refused),
        cmocka_unit_test(displacements_without_measure_are_refused),
        cmocka_unit_test(centres_of_mass_stay_over_whole_motions),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("motion", tests, set_up, tear_down);
}
