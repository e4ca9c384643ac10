// Ways without steps: waves and wings, each pair of modes at its best; and which modes, bodies and sides the search
// looks at, from poses alone.
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "support/judge.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double square(double x)
{
    return x * x;
}

// ---- waves

typedef struct swimmer {
    bench b;
    eri_wave wave;
    bool upright;
    long long asked;
} swimmer;

static void judge_wave(void *self, eri_gait_mix mix, eri_candidate *out)
{
    swimmer *s = self;
    *out = (eri_candidate){.mix = mix};
    eri_wave_evaluate(s->b.w, &s->wave, &out->mix, &out->stride);
    out->cost = eri_wave_cost(s->b.model, &defaults.weights, s->upright, &out->stride);
    ++s->asked;
}

typedef struct told {
    int calls, done, all;
} told;

static void tell(void *user, int done, int all)
{
    told *t = user;
    assert_true(done > t->done && (t->calls == 0 || all == t->all));
    *t = (told){t->calls + 1, done, all};
}

// Every pair of modes once in every plane that the body bends in, the best first.
static void waves_are_the_best_of_every_pair(void **state)
{
    enum { MODES = 4, PAIRS = MODES * (MODES - 1) / 2 };
    for (int planes = 1; planes <= 3; ++planes) { // bits: to the sides, up and down
        swimmer s = {.b = begin(make_fish(6), MODES)};
        told t = {0};
        er_gait_def def = defaults;
        eri_candidate *found;
        er_gaits size = {0};
        double known[2 * PAIRS];
        int count, pairs = 0, upright = 0, ways = 0;
        s.b.body->waves[0] = (planes & 1) != 0;
        s.b.body->waves[1] = (planes & 2) != 0;
        s.b.body->lies = planes == 1;
        def.progress = tell;
        def.user = &t;
        ok(eri_wave_search(arena, s.b.w, &def, &found, &count, &size));
        for (int plane = 0; plane < 2; ++plane) {
            if ((planes >> plane & 1) == 0) continue;
            s.upright = plane == 1;
            ok(eri_wave_create(arena, s.b.model, s.b.body, s.upright, &s.wave));
            for (int a = 0; a < MODES; ++a)
                for (int c = a + 1; c < MODES; ++c) {
                    known[pairs] = eri_pair_search(judge_wave, &s, a, c).cost;
                    pairs += known[pairs] < HUGE_VAL;
                }
            ++ways;
        }
        qsort(known, (size_t)pairs, sizeof *known, by_size);
        assert_true(count == pairs && pairs > 3);
        for (int i = 0; i < count; ++i) {
            assert_true(fabs(found[i].cost - known[i]) < 1e-9);
            assert_int_equal(found[i].family, planes == 1 ? ER_GAIT_SLITHER : ER_GAIT_SWIM);
            upright += found[i].upright;
            if (planes != 3) assert_int_equal(found[i].upright, planes == 2);
        }
        assert_true(planes != 3 || (upright > 0 && upright < count));
        assert_true(size.tried == s.asked && size.posed == s.asked);
        assert_true(t.calls == ways * MODES && t.done == ways * MODES && t.all == ways * MODES);
        end(&s.b);
    }
}

// A body's direction in a wave is read off its parent, the root's off its heaviest child. A limb held out to a side is
// no part of the wave.
static void ways_of_bodies_are_read_off_their_neighbours(void **state)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    eri_wave wave;
    er_gait_body *body;
    walker_box(&m, "hull", -1, er_v3(0, 0, 0), er_v3(-0.1, -0.1, -0.2), er_v3(0.1, 0.1, 0.2), 1.0);
    walker_box(&m, "a", 0, er_v3(0, 0, 0.2), er_v3(-0.03, -0.03, 0.2), er_v3(0.03, 0.03, 0.4), 1.0);
    walker_box(&m, "b", 0, er_v3(0, 0, -0.2), er_v3(-0.08, -0.08, -0.5), er_v3(0.08, 0.08, -0.2), 1.0);
    walker_box(&m, "c", 2, er_v3(0, 0, -0.5), er_v3(-0.09, -0.09, -1.1), er_v3(0.09, 0.09, -0.5), 1.0);
    walker_box(&m, "d", 0, er_v3(0, 0.1, 0), er_v3(-0.02, 0.1, -0.02), er_v3(0.02, 0.3, 0.02), 1.0);
    for (int s = 1; s >= -1; s -= 2)
        walker_rod(&m, s > 0 ? "fin_L" : "fin_R", 0, er_v3(0.1 * s, 0, 0), er_v3(0.3 * s, 0, 0));
    er_model *model = walker_finish(&m);
    static const int known[] = {2, 0, 0, 2, 0, 5, 6};
    ok(er_gait_body_read(context, model, NULL, NULL, &body));
    for (int lies = 0; lies < 2; ++lies)
        for (int upright = 0; upright < 2; ++upright) {
            body->lies = lies == 1;
            ok(eri_wave_create(arena, model, body, upright == 1, &wave));
            for (int i = 0; i < model->body_count; ++i)
                assert_int_equal(wave.neighbour[i], known[i]);
            assert_true(wave.count == model->body_count && wave.ratio == (lies == 1 ? 10.0 : 8.0));
            assert_true(er_v3_distance(wave.across, upright == 1 ? body->up : body->left) == 0.0);
        }
    er_gait_body_destroy(body);
    er_model_destroy(model);
}

// ---- wings

// A bird whose wings have bodies as they are, with a walker of the modes that move these.
static bench begin_flying(er_model *model, int modes)
{
    bench b = begin(model, modes);
    eri_mix_sampler_destroy(b.w);
    ok(eri_mix_sampler_create(context, arena, model, b.body, b.modes, modes, true, &b.w));
    return b;
}

// Motion of wings in a stride, from poses: displacement of each tip from rest, up and ahead, over its length.
typedef struct beats {
    double up[2][ERI_GAIT_FRAMES], ahead[2][ERI_GAIT_FRAMES], pushed, tilt[3];
} beats;

static beats beats_of(const bench *b)
{
    enum { N = ERI_GAIT_FRAMES };
    beats out = {0};
    const er_gait_body *body = b->body;
    double push = 0.0, all = 0.0;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < N; ++i) {
            const er_gait_wing *wing = &body->wing[k];
            er_pose carried =
                er_pose_displacement(b->model->body[wing->trunk].pose, eri_mix_sampler_lane(b->w, wing->trunk, i));
            er_vec3 tip = er_pose_point(eri_mix_sampler_lane(b->w, wing->tip, i), wing->end),
                    rest = er_pose_point(b->model->body[wing->tip].pose, wing->end);
            er_vec3 moved = er_v3_sub(er_pose_point(er_pose_inverse(carried), tip), rest);
            out.up[k][i] = er_v3_dot(moved, body->up) / wing->span;
            out.ahead[k][i] = er_v3_dot(moved, body->forward) / wing->span;
        }
    for (int c = 0; c < b->model->body_count; ++c) {
        const er_body *of = &b->model->body[c];
        const er_gait_wing *wing = NULL;
        for (int k = 0; k < 2; ++k)
            for (int up = c; up >= 0; up = b->model->tree_parent[up])
                if (up == body->wing[k].body) wing = &body->wing[k];
        if (wing == NULL) continue;
        // a plate along the wing's length and the way ahead
        er_vec3 joint = b->model->joint[b->model->tree_joint[wing->body]].frame.p,
                along = er_v3_sub(er_pose_point(b->model->body[wing->tip].pose, wing->end), joint),
                normal = er_v3_unit(er_v3_cross(along, body->forward), er_v3(0, 0, 0));
        for (int i = 0; i < N; ++i) {
            er_pose now = eri_mix_sampler_lane(b->w, c, i);
            er_vec3 v = er_v3_sub(er_pose_point(eri_mix_sampler_lane(b->w, c, (i + 1) % N), of->com),
                                  er_pose_point(eri_mix_sampler_lane(b->w, c, (i + N - 1) % N), of->com)),
                    n = er_q_rotate(er_q_mul(now.q, er_q_conj(of->pose.q)), normal);
            double across = er_v3_dot(v, n);
            push -= of->mass * fabs(across) * across * er_v3_dot(n, body->forward);
            all += of->mass * across * across;
        }
    }
    out.pushed = push / all;
    for (int k = 0; k < 3 * b->w->trunk_count; ++k)
        for (int i = 0; i < N; ++i)
            out.tilt[k % 3] = fmax(out.tilt[k % 3], fabs(b->w->paths.tilt[k * N + i]));
    return out;
}

static double range_of(const double *x)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < ERI_GAIT_FRAMES; ++i) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    return high - low;
}

// docs/math/gait.md's table of flaps, by weights that are all different.
static void flaps_are_as_bad_as_their_wings_are(void **state)
{
    enum { N = ERI_GAIT_FRAMES, MODES = 8 };
    dice d = {4201};
    int turned = 0, straight = 0, little = 0, far = 0, wide = 0;
    for (int legs = 0; legs < 2; ++legs) {
        bench b = begin_flying(make_bird(legs == 1), MODES);
        er_gait_weights w = defaults.weights;
        eri_flap flap;
        for (int i = 0; i < ER_GAIT_WEIGHT_COUNT; ++i)
            *er_gait_weight(&w, i) = dice_uniform(&d, 0.5, 2.0);
        ok(eri_flap_create(arena, b.w, &w, &flap));
        assert_int_equal(b.body->wing_count, 2);
        for (int turn = 0; turn < trials(160); ++turn) {
            eri_gait_mix mix = {.count = 2};
            eri_candidate found;
            for (int v = 0; v < 2; ++v)
                mix.component[v] = (eri_gait_component){(turn + v * (1 + turn / 8 % 7)) % MODES, 1,
                                                        dice_uniform(&d, 0.0, turn % 3 == 0 ? 0.01 : 0.8),
                                                        dice_uniform(&d, -3.0, 3.0)};
            double period = turn % 2 == 0 ? 0.0 : dice_uniform(&d, 0.2, 2.0);
            eri_flap_evaluate(&flap, period, mix, &found);
            assert_int_equal(found.family, ER_GAIT_FLAP);
            eri_mix_sampler_pose(b.w, &mix);
            beats now = beats_of(&b);
            eri_stride s = found.stride;
            double span = fmax(b.body->wing[0].span, b.body->wing[1].span), way = 0.0, least = HUGE_VAL, own = 0.0,
                   all = 0.0;
            for (int k = 0; k < 2; ++k) {
                way += 0.5 * range_of(now.up[k]) * b.body->wing[k].span;
                least = fmin(least, range_of(now.up[k]));
                for (int i = 0; i < N; ++i) {
                    double mean = 0.5 * (now.up[0][i] + now.up[1][i]);
                    own += square(now.up[k][i] - mean) + square(now.ahead[k][i]);
                    all += square(now.up[k][i]) + square(now.ahead[k][i]);
                }
            }
            measure_at_most("a flap's stride", fabs(s.length - way / 0.3), 1e-4 * (span + s.length));
            if (all > 1e-3) measure_at_most("what of a flap is no beat", fabs(s.slip - sqrt(own / all)), 1e-6);
            assert_true(s.flight == 1.0 && s.feet == b.body->foot_count);
            double pace = period > 0.0 ? period : sqrt(2.0 * span / b.body->gravity) / 1.5;
            measure_at_most("a flap's period", fabs(s.period / pace - 1.0), 1e-12);
            for (int a = 0; a < 3; ++a)
                measure_at_most("a flapping trunk's turn", fabs(s.tilt[a] - now.tilt[a]), 1e-6);
            eri_stride effort = s;
            eri_gait_effort(b.w, &mix, &effort);
            assert_true(s.effort == effort.effort && s.angle == effort.angle);
            if (least < 0.0099 || least > 0.0101) assert_int_equal((found.cost < HUGE_VAL), (least > 0.01));
            little += least < 0.01;
            if (!(found.cost < HUGE_VAL)) continue;
            bool back = found.mix.component[0].phase != mix.component[0].phase;
            if (fabs(now.pushed) > 1e-3) assert_int_equal(back, now.pushed < 0.0);
            *(back ? &turned : &straight) += 1;
            for (int v = 0; v < 2 && back; ++v)
                assert_true(fabs(remainder(found.mix.component[v].phase - ER_PI + mix.component[v].phase,
                                           2.0 * ER_PI)) < 1e-12);
            double part = least / 1.2;
            far += part > 1.2;
            wide += fabs(now.pushed) > 0.15;
            double known = w.progress * (4.0 * square(fmax(0.0, 1.0 - part)) + square(fmax(0.0, part - 1.2)) +
                                         0.5 * square(fmax(0.0, 1.0 - fabs(now.pushed) / 0.15))) +
                           w.slip * 3.0 * square(s.slip) + w.effort * s.effort / 0.2 +
                           w.excursion * pow(s.angle / 1.2, 4.0) +
                           w.attitude * (square(s.tilt[0] / 0.35) + square(s.tilt[1] / 0.35) + square(s.tilt[2] / 0.5));
            measure_at_most("cost of a flap", fabs(found.cost - known), 1e-6 * (1.0 + known));
        }
        end(&b);
    }
    print_message("# %d flaps forth, %d back, %d too little, %d too far, %d push well\n", straight, turned, little, far,
                  wide);
    assert_true(ERI_SANITIZED || (straight > 5 && turned > 5 && little > 5 && far > 2 && wide > 5));
}

// Keeps the best twelve of all pairs of modes that move both wings alike, the best first.
static void flaps_are_the_best_of_pairs_that_beat_alike(void **state)
{
    enum { MODES = 14, BEST = 12 };
    bench b = begin_flying(make_bird(false), MODES);
    eri_candidate *found;
    er_gaits size = {.tried = 7, .posed = 3};
    int count, pairs = 0, alike = 0;
    double known[MODES * MODES];
    long long least = 36;
    ok(eri_flap_search(arena, b.w, &defaults, &found, &count, &size));
    for (int m = 0; m < MODES; ++m)
        alike += b.w->parity[m] > 0.5;
    assert_true(size.tried - 7 == size.posed - 3 && size.tried - 7 >= least * alike * (alike - 1) / 2);
    assert_true(size.tried - 7 <= (least + 42) * alike * (alike - 1) / 2);
    eri_flap flap;
    ok(eri_flap_create(arena, b.w, &defaults.weights, &flap));
    for (int a = 0; a < MODES; ++a)
        for (int c = a + 1; c < MODES; ++c) {
            double best = HUGE_VAL;
            if (!(b.w->parity[a] > 0.5 && b.w->parity[c] > 0.5)) continue;
            for (int i = 0; i < count; ++i) {
                const eri_gait_component *part = found[i].mix.component;
                if (part[0].mode == a && part[1].mode == c) best = found[i].cost;
            }
            if (best < HUGE_VAL) known[pairs++] = best;
        }
    assert_true(count == pairs && count > 0 && count <= BEST && alike * (alike - 1) / 2 >= count);
    qsort(known, (size_t)pairs, sizeof *known, by_size);
    for (int i = 0; i < count; ++i) {
        eri_candidate again;
        assert_true(found[i].cost == known[i]);
        eri_flap_evaluate(&flap, 0.0, found[i].mix, &again);
        assert_true(fabs(again.cost - found[i].cost) < 1e-2 * (1.0 + known[i]));
    }
    print_message("# %d modes beat alike, %d pairs are told of\n", alike, count);
    end(&b);
}

// ---- what is looked at

// How far one mode out by a little moves a body's centre of mass, an angle of it.
static er_vec3 velocity_of(const bench *b, int body)
{
    const double angle = 0.02;
    const er_body *of = &b->model->body[body];
    er_vec3 v = er_v3_sub(er_pose_point(eri_mix_sampler_lane(b->w, body, 0), of->com),
                          er_pose_point(eri_mix_sampler_lane(b->w, body, 1), of->com));
    return er_v3_scale(0.5 / angle, v);
}

static void pose_mode(const bench *b, int mode)
{
    eri_vec32 signal[1][2] = {0};
    signal[0][0][0] = 0.02f;
    signal[0][0][1] = -0.02f;
    eri_mix_sampler_pose_signals(b->w, 1, &mode, (const eri_vec32(*)[2])signal);
}

// A mode's parity is how much of its motion is what the mirror makes of it: of one heavy on one side it lies between.
static void parity_is_what_the_mirror_makes_of_a_mode(void **state)
{
    walker_def uneven = usual;
    uneven.heavy = 1.5;
    int between = 0, odd = 0, even = 0;
    for (int which = 0; which < 3; ++which) {
        bench b = begin(which == 0 ? make_biped(usual) : which == 1 ? make_quadruped(uneven) : make_bird(true), 10);
        for (int m = 0; m < b.w->mode_count; ++m) {
            double same = 0.0, all = 0.0;
            pose_mode(&b, m);
            for (int i = 0; i < b.model->body_count; ++i) {
                int image = b.body->mirror[i];
                er_vec3 v = velocity_of(&b, i), there;
                all += b.model->body[i].mass * er_v3_dot(v, v);
                if (image < 0) continue;
                there = velocity_of(&b, image);
                v = er_v3_madd(v, -2.0 * er_v3_dot(v, b.body->left), b.body->left);
                same += b.model->body[i].mass * er_v3_dot(v, there);
            }
            measure_at_most("parity of a mode", fabs(b.w->parity[m] - same / all), 2e-4);
            between += fabs(b.w->parity[m]) < 0.95;
            odd += b.w->parity[m] < -0.99;
            even += b.w->parity[m] > 0.99;
        }
        end(&b);
    }
    assert_true(between > 2 && odd > 5 && even > 5);
}

// How far a mode moves a wing's tip up and down, seen from what the wing hangs on.
static double beat_of(const bench *b)
{
    double most = 0.0;
    for (int k = 0; k < b->body->wing_count; ++k) {
        const er_gait_wing *wing = &b->body->wing[k];
        er_vec3 end = er_pose_point(b->model->body[wing->tip].pose, wing->end), at[2];
        for (int i = 0; i < 2; ++i) {
            er_pose carried =
                er_pose_displacement(b->model->body[wing->trunk].pose, eri_mix_sampler_lane(b->w, wing->trunk, i));
            at[i] = er_v3_sub(er_pose_point(eri_mix_sampler_lane(b->w, wing->tip, i), wing->end),
                              er_pose_point(carried, end));
        }
        most = fmax(most, fabs(er_v3_dot(er_v3_sub(at[0], at[1]), b->body->up)) / 0.04);
    }
    return most;
}

// Few modes that may take part in a flap are those that move tips most; they ascend.
static void modes_that_move_wings_take_part(void **state)
{
    enum { FEW = 6 };
    bench all = begin_flying(make_bird(true), 64), few = begin_flying(make_bird(true), FEW);
    double least = HUGE_VAL, most = 0.0;
    int k = 0;
    assert_true(all.w->mode_count > 20 && few.w->mode_count == FEW);
    for (int m = 0; m < all.w->mode_count; ++m) {
        pose_mode(&all, m);
        double beat = beat_of(&all);
        if (k < FEW && few.w->index[k] == all.w->index[m]) {
            least = fmin(least, beat);
            ++k;
        } else {
            most = fmax(most, beat);
        }
    }
    print_message("# modes that take part move tips by %g m a radian, others by up to %g\n", least, most);
    assert_true(k == FEW && least > most - 2e-3 && most > 0.0);
    end(&all);
    end(&few);
}

// The trunk is the heaviest body that is of no wing, the highest in the middle, and what legs hang on; each once.
static void trunks_are_the_heaviest_the_highest_and_what_legs_hang_on(void **state)
{
    static const char *const known[][3] = {
        {"chest", "head", "hips"}, {"chest", "head", "rump"}, {"body", "head", NULL}};
    for (int which = 0; which < 3; ++which) {
        bench b = begin(which == 0 ? make_biped(usual) : which == 1 ? make_quadruped(usual) : make_bird(true), 2);
        int count = 0;
        for (int k = 0; k < 3 && known[which][k] != NULL; ++k, ++count)
            assert_string_equal(b.model->body[b.w->trunk[k]].name, known[which][k]);
        assert_int_equal(b.w->trunk_count, count);
        if (which == 2)
            for (int i = 0; i < b.model->body_count; ++i) {
                const char *name = b.model->body[i].name;
                int wing = eri_wing_of(b.model, b.body, i);
                assert_int_equal(wing, strncmp(name, "wing", 4) != 0 ? -1 : strchr(name, 'L') != NULL ? 0 : 1);
            }
        double mass = 0.0;
        for (int i = 0; i < b.model->body_count; ++i)
            mass += b.model->body[i].mass;
        assert_true(fabs(b.w->mass / mass - 1.0) < 1e-12);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_are_the_best_of_every_pair),
        cmocka_unit_test(ways_of_bodies_are_read_off_their_neighbours),
        cmocka_unit_test(flaps_are_as_bad_as_their_wings_are),
        cmocka_unit_test(flaps_are_the_best_of_pairs_that_beat_alike),
        cmocka_unit_test(parity_is_what_the_mirror_makes_of_a_mode),
        cmocka_unit_test(modes_that_move_wings_take_part),
        cmocka_unit_test(trunks_are_the_heaviest_the_highest_and_what_legs_hang_on),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
