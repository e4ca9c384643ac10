// Travel without steps, from poses alone: waves, wings, and the best pairs of modes for either.
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
    body = read_body(model, NULL);
    for (int lies = 0; lies < 2; ++lies)
        for (int upright = 0; upright < 2; ++upright) {
            body->lies = lies == 1;
            ok(eri_wave_create(arena, model, body, upright == 1, &wave));
            for (int i = 0; i < model->body_count; ++i)
                assert_int_equal(wave.neighbour[i], known[i]);
            assert_true(wave.count == model->body_count && wave.ratio == (lies == 1 ? 10.0 : 8.0));
            assert_true(er_v3_distance(wave.across, upright == 1 ? body->up : body->left) == 0.0);
        }
}

static er_gait_body plain_body(void)
{
    static int mirror[MOST_PARTS]; // each its own
    for (int i = 0; i < MOST_PARTS; ++i)
        mirror[i] = i;
    return (er_gait_body){.up = {0, 1, 0},
                          .forward = {0, 0, 1},
                          .left = {1, 0, 0},
                          .height = 2.0,
                          .leg = 1.0,
                          .gravity = 9.81,
                          .mirror = mirror};
}

// A wave of so many frames along a fish: travelling back by `back`, or standing for 0, bending upright or to the sides.
static void pose_wave(const er_model *model, int frames, double back, bool upright, er_pose *pose)
{
    int n = model->body_count;
    for (int f = 0; f < frames; ++f)
        for (int b = 0; b < n; ++b) {
            double s = 2.0 * ER_PI * b / n, t = 2.0 * ER_PI * f / frames,
                   bend = back * sin(s - t) + (1.0 - back) * sin(s) * cos(t);
            er_pose *p = &pose[f * n + b];
            *p = model->body[b].pose;
            *(upright ? &p->p.y : &p->p.x) += 0.05 * bend;
            p->q = er_q_exp(upright ? er_v3(0.1 * bend, 0, 0) : er_v3(0, 0.1 * bend, 0));
        }
}

// At every frame the drags on all bodies cancel, as the body goes: a rod's is its length times its velocity, across it
// by so much more than along it.
static void drags_cancel_along_a_waves_way(void **state)
{
    enum { FRAMES = 48, RODS = 12 };
    er_model *model = make_fish(RODS);
    er_gait_body body = plain_body();
    er_pose *pose = eri_arena_alloc(arena, (size_t)FRAMES * RODS, sizeof *pose);
    er_vec3 path[FRAMES + 1], middle[FRAMES][RODS];
    for (int k = 0; k < 4; ++k) {
        bool upright = k % 2 == 1;
        eri_wave wave;
        body.lies = k / 2 == 1;
        double ratio = body.lies ? 10.0 : 8.0;
        er_vec3 across = upright ? body.up : body.left;
        ok(eri_wave_create(arena, model, &body, upright, &wave));
        pose_wave(model, FRAMES, 0.8, upright, pose);
        eri_wave_travel(&wave, model, &body, FRAMES, pose, path);
        for (int f = 0; f < FRAMES; ++f)
            for (int b = 0; b < RODS; ++b)
                middle[f][b] = er_pose_point(pose[f * RODS + b], model->body[b].com);
        assert_true(er_v3_norm(path[0]) == 0.0 && path[FRAMES].z > 0.01);
        for (int f = 0; f < FRAMES; ++f) {
            er_vec3 drag = {0, 0, 0}, went = er_v3_sub(path[f + 1], path[f]);
            double size = 0.0;
            for (int b = 0; b < RODS; ++b) { // a rod's way is from the one that it hangs on, the first's to the second
                const er_vec3 *now = middle[f], *before = middle[(f + FRAMES - 1) % FRAMES],
                              *after = middle[(f + 1) % FRAMES];
                er_vec3 t = er_v3_sub(now[b], now[b > 0 ? b - 1 : 1]);
                er_vec3 v = er_v3_add(er_v3_scale(0.5, er_v3_sub(after[b], before[b])), went);
                t = er_v3_add(er_v3_scale(er_v3_dot(t, body.forward), body.forward),
                              er_v3_scale(er_v3_dot(t, across), across));
                v = er_v3_add(er_v3_scale(er_v3_dot(v, body.forward), body.forward),
                              er_v3_scale(er_v3_dot(v, across), across));
                double length = er_v3_norm(t), along = er_v3_dot(v, t) / length;
                er_vec3 one = er_v3_madd(er_v3_scale(ratio, v), (1.0 - ratio) * along / length, t);
                drag = er_v3_madd(drag, length, one);
                size += length * er_v3_norm(one);
            }
            assert_true(er_v3_norm(drag) < 1e-9 * size && size > 0.0);
        }
    }
}

// If a wave travels in part, the ellipse's shorter axis is that part of the longer one.
static void purity_is_a_ratio_of_axes(void **state)
{
    enum { FRAMES = 64, RODS = 20 };
    er_model *model = make_fish(RODS);
    er_gait_body body = plain_body();
    eri_wave wave;
    er_pose *pose = eri_arena_alloc(arena, (size_t)FRAMES * RODS, sizeof *pose);
    er_vec3 path[FRAMES + 1];
    ok(eri_wave_create(arena, model, &body, false, &wave));
    for (double part = 0.0; part <= 1.0; part += 0.25) {
        for (int i = 0; i < FRAMES * RODS; ++i) { // sin s cos t - part cos s sin t
            double s = 2.0 * ER_PI * (i % RODS) / RODS, t = 2.0 * ER_PI * (i / RODS) / FRAMES;
            pose[i] = model->body[i % RODS].pose;
            pose[i].p.x += 0.05 * (sin(s) * cos(t) - part * cos(s) * sin(t));
        }
        assert_true(fabs(eri_wave_travel(&wave, model, &body, FRAMES, pose, path) - part) < 1e-6);
    }
}

// A mix of a fish is judged as it goes forward, and what is said of it is what its path says.
static void waves_are_judged_as_they_go_forward(void **state)
{
    bench b = begin(make_fish(8), 6);
    eri_wave wave;
    int turned = 0, straight = 0;
    er_gait_weights weights = defaults.weights;
    ok(eri_wave_create(arena, b.model, b.body, false, &wave));
    for (int k = 0; k < 60; ++k) {
        eri_gait_mix mix = {2, {{k % 6, 1, 0.3, 0.0}, {(k + 1 + k / 6 % 5) % 6, 1, 0.2, k < 30 ? 1.5 : -1.5}}},
                     asked = mix;
        eri_stride s;
        er_vec3 path[ERI_GAIT_FRAMES + 1];
        er_pose pose[ERI_GAIT_FRAMES * 8];
        double most[3] = {0};
        eri_wave_evaluate(b.w, &wave, &mix, &s);
        if (s.length < 1e-4) continue;
        *(mix.component[0].phase != asked.component[0].phase ? &turned : &straight) += 1;
        eri_mix_sampler_pose(b.w, &mix);
        for (int i = 0; i < ERI_GAIT_FRAMES * 8; ++i)
            pose[i] = eri_mix_sampler_lane(b.w, i % 8, i / 8);
        double pure = eri_wave_travel(&wave, b.model, b.body, ERI_GAIT_FRAMES, pose, path);
        for (int i = 0; i < 3 * b.w->trunk_count * ERI_GAIT_FRAMES; ++i)
            most[i / ERI_GAIT_FRAMES % 3] = fmax(most[i / ERI_GAIT_FRAMES % 3], fabs(b.w->paths.tilt[i]));
        assert_true(fabs(s.length - er_v3_dot(path[ERI_GAIT_FRAMES], b.body->forward)) < 1e-9 && s.length > 0.0);
        assert_true(fabs(s.drift - er_v3_dot(path[ERI_GAIT_FRAMES], b.body->left)) < 1e-9);
        assert_true(fabs(s.slip - 1.0 + pure) < 1e-9);
        assert_true(fabs(s.period - eri_gait_period(b.body, s.length)) < 1e-12 && s.effort > 0.0 && s.own_hz > 0.0);
        for (int a = 0; a < 3; ++a)
            assert_true(fabs(s.tilt[a] - most[a]) < 1e-12);
        assert_true(eri_wave_cost(b.model, &weights, false, &s) < HUGE_VAL);
    }
    print_message("# %d waves went backward, %d forward\n", turned, straight);
    assert_true(turned > 3 && straight > 3);
    end(&b);
}

// Each fault of a wave is told by its own term, as gait.md has it of strides but for the sizes that are right for
// waves.
static void each_fault_of_a_wave_is_punished_by_its_own_term(void **state)
{
    enum { PROGRESS, DRIFT, SLIP, CLEARANCE, SHARE, EFFORT, ATTITUDE, EXCURSION, FAULTS = 8 };
    static const int term[FAULTS] = {PROGRESS, DRIFT, SLIP, EFFORT, ATTITUDE, ATTITUDE, EXCURSION, PROGRESS};
    static const double value[FAULTS] = {1.0, 0.16, 0.75, 1.0, 1.0, 1.0, 1.0, 0.0};
    er_model *model = make_fish(4);
    for (int upright = 0; upright < 2; ++upright)
        for (int k = 0; k < FAULTS; ++k) {
            eri_stride s = {.length = 0.2 * model->size};
            double *const changed[FAULTS] = {&s.length,  &s.drift,
                                             &s.slip,    &s.effort,
                                             &s.tilt[0], &s.tilt[upright == 1 ? 2 : 1],
                                             &s.angle,   &s.tilt[upright == 1 ? 1 : 2]}; // at last the way it bends
            const double to[FAULTS] = {0.05 * model->size, 0.04 * model->size, 0.5, 0.2, 0.35, 0.35, 1.2, 0.35};
            *changed[k] = to[k];
            for (int weighed = 0; weighed < ER_GAIT_WEIGHT_COUNT; ++weighed) {
                double weight[ER_GAIT_WEIGHT_COUNT] = {0}, rare = upright == 1 ? 0.5 : 0.0;
                er_gait_weights weights;
                weight[weighed] = 2.0;
                memcpy(&weights, weight, sizeof weights);
                double found = eri_wave_cost(model, &weights, upright == 1, &s),
                       known = rare + (weighed == term[k] ? 2.0 * value[k] : 0.0);
                if (fabs(found - known) > 1e-12) fail_msg("fault %d, weight %d: %g, not %g", k, weighed, found, known);
            }
        }
    eri_stride still = {.length = 0.0};
    assert_true(eri_wave_cost(model, &defaults.weights, false, &still) == HUGE_VAL);
}

// ---- wings

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_are_the_best_of_every_pair),
        cmocka_unit_test(ways_of_bodies_are_read_off_their_neighbours),
        cmocka_unit_test(flaps_are_as_bad_as_their_wings_are),
        cmocka_unit_test(flaps_are_the_best_of_pairs_that_beat_alike),
        cmocka_unit_test(drags_cancel_along_a_waves_way),
        cmocka_unit_test(purity_is_a_ratio_of_axes),
        cmocka_unit_test(waves_are_judged_as_they_go_forward),
        cmocka_unit_test(each_fault_of_a_wave_is_punished_by_its_own_term),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
