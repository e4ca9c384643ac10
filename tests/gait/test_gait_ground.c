// Strides on the ground, of feet whose paths are given: when they stand, how far they carry the body, how high it
// rides.
#include <string.h>

#include "gait/stride.h"
#include "plain.h"

// A plain body, paths of its two feet, and what comes of a stride.
static er_gait_body body;
static eri_paths p;
static eri_stride_ground g;
static eri_stride s;

static void new_paths(int trunks, int count)
{
    body = plain_body();
    s = (eri_stride){0};
    ok(eri_paths_create(arena, 2, trunks, count, &p));
    ok(eri_stride_ground_create(arena, 2, count, &g));
}

static void walk(void)
{
    eri_stride_ground_walk(&body, &p, &g, &s);
}

static void periods_follow_alexander(void **state)
{
    body = plain_body();
    body.leg = 0.8;
    body.gravity = 3.7;
    for (double length = 0.3 * 0.8; length < 4.0 * 0.8; length += 0.1) {
        double speed = length / eri_gait_period(&body, length), froude = speed * speed / (3.7 * 0.8);
        expect_near(2.3 * pow(froude, 0.3), length / 0.8, 1e-9, "a stride over the leg");
    }
    // no quicker than the shortest stride that is called one, no slower than the longest
    expect_near(eri_gait_period(&body, 0.0), eri_gait_period(&body, 0.3 * 0.8), 1e-12, "the period of standing");
    expect_near(eri_gait_period(&body, 99.0), eri_gait_period(&body, 4.0 * 0.8), 1e-12, "the period of a leap");
}

// Feet that kick at once, by so much.
static void kick(double lift)
{
    for (int f = 0; f < 2; ++f)
        for (int i = 0; i < p.count; ++i) {
            double a = 2.0 * ER_PI * i / p.count;
            p.ahead[f * p.count + i] = 0.3 * sin(a);
            p.up[f * p.count + i] = lift * cos(a);
        }
}

// Feet that all drop away: the body falls by gravity alone, and no sooner.
static void flight_is_ballistic(void **state)
{
    enum { FRAMES = 512 };
    new_paths(0, FRAMES);
    kick(0.3);
    g.period = 1.0;
    walk();
    assert_true(s.flight > 0.1 && s.flight < 0.9);
    assert_int_equal(eri_gait_family_of(&body, &s), ER_GAIT_HOP);
    double fall = 9.81 / ((double)FRAMES * FRAMES); // g h^2
    int free = 0;
    for (int i = 0; i < FRAMES; ++i) {
        int before = (i + FRAMES - 1) % FRAMES, next = (i + 1) % FRAMES;
        double up = p.up[i] + g.ride[i];
        assert_true(up > -1e-9); // nothing sinks
        if (up < 1e-6 || p.up[before] + g.ride[before] < 1e-6 || p.up[next] + g.ride[next] < 1e-6) continue;
        assert_true(fabs(g.ride[before] - 2.0 * g.ride[i] + g.ride[next] + fall) < 0.02 * fall + 1e-9);
        ++free;
    }
    assert_true(free > FRAMES / 10);
}

enum { TURNS = 128, HALF = TURNS / 2 }; // frames of the feet below

// Whether a foot of two that take turns stands, at a frame; and which of its frames of standing, or of swinging.
static bool takes_turn(int f, int i, int *at)
{
    int frame = (i + (f == 0 ? 0 : HALF)) % TURNS;
    *at = frame % HALF;
    return frame < HALF;
}

// Feet on the ground by turns, half of the stride each, going back and to the left at these rates a stride; 0.1 high in
// between. Rates hold a frame beyond a stance too, as they are read off neighbours.
static void take_turns(const double back[2], const double aside[2])
{
    for (int f = 0; f < 2; ++f)
        for (int i = 0; i < TURNS; ++i) {
            int at, k = f * TURNS + i;
            bool stands = takes_turn(f, i, &at);
            double t = stands ? at : at == HALF - 1 ? -1 : at == 0 ? HALF : 0.5 * HALF;
            t = (t - 0.5 * HALF) / TURNS;
            p.ahead[k] = -back[f] * t;
            p.left[k] = aside[f] * t;
            p.up[k] = stands ? 0.0 : 0.1;
        }
}

// One foot goes faster than the other, and they part: the body goes by the mean, and what is left is slip.
static void standing_feet_carry_the_body_by_their_mean(void **state)
{
    new_paths(2, TURNS);
    take_turns((double[]){1.5, 1.3}, (double[]){0.3, 0.1});
    p.tilt[(3 * 0 + 0) * TURNS + 5] = -0.3;
    p.tilt[(3 * 1 + 1) * TURNS + 9] = 0.2;
    p.tilt[(3 * 1 + 2) * TURNS + TURNS - 1] = 0.1;
    walk();
    expect_near(s.length, 1.4, 1e-12, "the length");
    expect_near(s.drift, -0.2, 1e-12, "the drift"); // feet that go left push the body to the right
    expect_near(s.slip, hypot(0.1, 0.1) / 1.4, 1e-12, "the slip");
    expect_near(s.period, eri_gait_period(&body, 1.4), 1e-12, "the period");
    expect_near(s.bob, 0.0, 1e-12, "the bob");
    expect_near(s.scrape, 0.0, 1e-12, "the scrape");
    static const double tilt[] = {0.3, 0.2, 0.1};
    for (int a = 0; a < 3; ++a)
        expect_near(s.tilt[a], tilt[a], 1e-12, "a tilt");
    // a foot touches below 0.02 legs, and a tenth of its lift: three tenths of a frame before it is down, and after
    for (int f = 0; f < 2; ++f) {
        double down = (f == 0 ? 0.0 : HALF) - 0.3;
        expect_near(s.step[f].duty, (HALF - 1 + 0.6) / TURNS, 1e-12, "a duty");
        expect_near(remainder(s.step[f].phase - down / TURNS, 1.0), 0.0, 1e-12, "a phase");
        expect_near(s.step[f].clearance, 0.1, 1e-12, "a clearance");
        for (int i = 0; i < TURNS; ++i) {
            int at;
            assert_int_equal(g.stands[f * TURNS + i], takes_turn(f, i, &at));
            double weight = !takes_turn(f, i, &at) ? 0.0 : at == 0 || at == HALF - 1 ? 0.8 : 1.0; // 0.3 for a half
            expect_near(g.weight[f * TURNS + i], weight, 1e-12, "a frame's part");
        }
    }
    expect_near(s.flight, 4 * 0.2 / TURNS, 1e-12, "the flight");
    g.period = 2.5;
    memset(p.tilt, 0, 6 * TURNS * sizeof *p.tilt);
    walk();
    assert_true(s.period == 2.5 && s.tilt[0] == 0.0 && s.tilt[1] == 0.0 && s.tilt[2] == 0.0);
}

static void a_foot_that_touches_twice_scrapes(void **state)
{
    new_paths(0, TURNS);
    take_turns((double[]){1.4, 1.4}, (double[]){0.0, 0.0});
    for (int i = HALF + 20; i < HALF + 26; ++i)
        p.up[i] = 0.0;
    walk();
    expect_near(s.scrape, 6.0 / TURNS / 2.0, 1e-12, "the scrape");
    expect_near(s.step[0].duty, (HALF - 1 + 0.6) / TURNS, 1e-12, "the duty");
    expect_near(s.length, 1.4, 1e-12, "the length");
}

static void feet_that_push_backward_or_never_lift_go_nowhere(void **state)
{
    new_paths(0, TURNS);
    take_turns((double[]){-1.0, -1.0}, (double[]){0.0, 0.0});
    walk();
    expect_near(s.length, -1.0, 1e-12, "the length");
    memset(p.up, 0, 2 * TURNS * sizeof *p.up);
    walk();
    for (int f = 0; f < 2; ++f)
        assert_true(s.step[f].duty == 1.0 && s.step[f].clearance == 0.0);
    expect_near(s.length, 0.0, 1e-12, "the length of dragging");
    assert_true(s.scrape == 0.0 && s.flight == 0.0);
}

// When a body that leaves a floor of height -lift cos a as that falls away by more than gravity lands on it again,
// strides after it left: their curves are followed in steps of a hundred thousandth.
static double flight_of(double lift, double gravity)
{
    double w = 2.0 * ER_PI, leaves = acos(-gravity / (lift * w * w)) / w;
    double high = -lift * cos(w * leaves), speed = lift * w * sin(w * leaves);
    for (double t = 1e-3; t < 3.0; t += 1e-5)
        if (high + speed * t - 0.5 * gravity * t * t < -lift * cos(w * (leaves + t))) return t;
    return HUGE_VAL;
}

// A body that is still in the air when its feet kick again makes no stride of it.
static void a_flight_longer_than_a_stride_makes_none(void **state)
{
    int some = 0, none = 0;
    new_paths(0, 256);
    kick(0.3);
    for (double period = 0.25; period < 1.1; period += 0.01) {
        double flight = flight_of(0.3, body.gravity * period * period);
        if (flight > 0.9 && flight < 1.05) continue; // it lands where it is to leave, or nearly so
        if (flight > 1.9) continue;
        g.period = period;
        walk();
        if ((s.length != 0.0) != (flight < 1.0)) fail_msg("%g strides of flight, %g m", flight, s.length);
        if (flight > 1.0)
            ++none;
        else {
            ++some;
            assert_true(s.flight < flight + 0.01); // a foot stands below some height
        }
    }
    assert_true(some > 20 && none > 10);
}

// Feet that push back do what feet that push ahead do in time turned round.
static void backward_strides_are_forward_ones_turned_round(void **state)
{
    eri_stride t = {0};
    new_paths(0, 256);
    eri_paths q = p;
    eri_stride_ground h = g;
    new_paths(0, 256);
    kick(0.3);
    for (int f = 0; f < 2; ++f)
        for (int i = 0; i < 256; ++i) {
            int from = f * 256 + i, to = f * 256 + (256 - i) % 256;
            p.up[from] += 0.05 * sin(4.0 * ER_PI * i / 256) + 0.1 * f * fmax(0.0, sin(2.0 * ER_PI * i / 256));
            q.up[to] = p.up[from];
            q.ahead[to] = p.ahead[from];
        }
    g.period = h.period = 1.0;
    walk();
    eri_stride_ground_walk(&body, &q, &h, &t);
    assert_true(s.flight > 0.05 && fabs(s.length) > 0.3);
    expect_near(t.length, -s.length, 1e-9, "the length");
    expect_near(t.flight, s.flight, 1e-9, "the flight");
    expect_near(t.period, s.period, 1e-12, "the period");
    expect_near(t.bob, s.bob, 1e-9, "the bob");
    expect_near(t.slip, s.slip, 1e-9, "the slip");
    for (int i = 0; i < 256; ++i)
        expect_near(h.ride[(256 - i) % 256], g.ride[i], 1e-9, "the ride");
}

// However high a foot is lifted, it stands below a twenty-fifth of a leg: as far as it is moved by contact there.
static void feet_that_are_lifted_high_stand_no_higher(void **state)
{
    new_paths(0, TURNS);
    for (int k = 0; k < 3; ++k) {
        const double lift[] = {0.15, 0.2, 0.8}, level[] = {0.035, 0.04, 0.04};
        take_turns((double[]){1.4, 1.4}, (double[]){0.0, 0.0});
        for (int i = 0; i < 2 * TURNS; ++i)
            p.up[i] *= lift[k] / 0.1;
        walk();
        for (int f = 0; f < 2; ++f) {
            expect_near(s.step[f].clearance, lift[k], 1e-12, "the clearance");
            expect_near(s.step[f].duty, (HALF - 1 + 2.0 * level[k] / lift[k]) / TURNS, 1e-12, "the duty");
        }
    }
}

// Feet that stand where they are carry nothing, and their slip is over no speed at all.
static void feet_that_keep_still_go_nowhere(void **state)
{
    new_paths(0, TURNS);
    take_turns((double[]){0.0, 0.0}, (double[]){0.2, 0.2});
    walk();
    assert_true(s.length == 0.0 && s.slip == HUGE_VAL);
    expect_near(s.drift, -0.2, 1e-12, "the drift");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_follow_alexander),
        cmocka_unit_test(flight_is_ballistic),
        cmocka_unit_test(standing_feet_carry_the_body_by_their_mean),
        cmocka_unit_test(a_foot_that_touches_twice_scrapes),
        cmocka_unit_test(feet_that_push_backward_or_never_lift_go_nowhere),
        cmocka_unit_test(a_flight_longer_than_a_stride_makes_none),
        cmocka_unit_test(backward_strides_are_forward_ones_turned_round),
        cmocka_unit_test(feet_that_are_lifted_high_stand_no_higher),
        cmocka_unit_test(feet_that_keep_still_go_nowhere),
    };
    return cmocka_run_group_tests(tests, set_up_plain, tear_down_plain);
}
