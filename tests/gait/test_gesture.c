// Gestures from poses: how parts go, what is worth what, and modes that keep what else moves still.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "gait/gesture.h"
#include "model/kinematics/kinematics.h"
#include "support/judge.h"
#include "walkers.h"

static er_arena *arena;

static int set_up_gestures(void **state)
{
    return set_up(state) == 0 && eri_arena_create(context, &arena) == ER_OK ? 0 : 1;
}

static int tear_down_gestures(void **state)
{
    eri_arena_destroy(arena);
    return tear_down(state);
}

// A quadruped with a tail, its parts as they were made, watched.
typedef struct watched {
    er_model *model;
    er_modes *modes;
    eri_gesture_search m;
} watched;

static int part_of(const char *name)
{
    static const struct {
        const char *word;
        int part;
    } parts[] = {
        {"tail", PART_TAIL}, {"neck", PART_HEAD}, {"head", PART_HEAD}, {"left", PART_LEGS}, {"right", PART_LEGS}};
    for (size_t i = 0; i < ERI_COUNT(parts); ++i)
        if (strncmp(name, parts[i].word, strlen(parts[i].word)) == 0) return parts[i].part;
    return PART_TRUNK;
}

static int part_of_biped(const char *name)
{
    return strstr(name, "arm") != NULL ? PART_ARMS : strchr(name, '_') != NULL ? PART_LEGS : part_of(name);
}

// Takes the model.
static watched watch_parts(er_model *model, int (*part_named)(const char *name), bool planted, int modes)
{
    watched w = {.model = model, .modes = modes_of(model)};
    size_t n = (size_t)w.model->body_count;
    w.m = (eri_gesture_search){.context = context, .model = w.model, .modes = w.modes};
    w.m.body = read_body(w.model, NULL);
    w.m.mode_count = w.modes->count < modes ? w.modes->count : modes;
    w.m.part = eri_arena_alloc(arena, n, sizeof(int));
    w.m.middle = eri_arena_alloc(arena, n, sizeof(er_vec3));
    w.m.moves = eri_arena_alloc(arena, n * (size_t)w.m.mode_count, sizeof(er_vec3));
    w.m.goes = eri_arena_alloc(arena, n * (size_t)w.m.mode_count, sizeof(er_vec3));
    w.m.seen = eri_arena_alloc(arena, (size_t)w.m.mode_count, sizeof(bool));
    w.m.used = eri_arena_alloc(arena, (size_t)w.m.mode_count, sizeof(bool));
    for (int b = 0; b < w.model->body_count; ++b) {
        const er_body *body = &w.model->body[b];
        w.m.part[b] = part_named(body->name);
        w.m.middle[b] = er_pose_point(body->pose, body->com);
        w.m.mass += body->mass;
    }
    ok(eri_gesture_sample_modes(&w.m, planted, arena));
    return w;
}

static watched sample_mode(bool planted, int modes)
{
    walker_def def = usual;
    def.tail = 3;
    return watch_parts(make_quadruped(def), part_of, planted, modes);
}

static void look_away(watched *w)
{
    er_kinematics_destroy(w->m.kinematics);
}

// ---- what modes do

// How each mode at two degrees moves centres of mass: in the world, and from what the part hangs on; the trunk's from
// the feet. Feet stay where they are planted.
static void parts_are_seen_from_what_they_hang_on(void **state)
{
    for (int planted = 0; planted < 2; ++planted) {
        watched w = sample_mode(planted == 1, 30);
        int n = w.model->body_count, seen = 0;
        er_hold hold[4];
        er_kinematics *posed = NULL;
        double x[6 * MOST_PARTS], pace = 0.0; // of the slowest mode
        for (int i = 0; i < 4; ++i) {
            const er_gait_foot *foot = &w.m.body->foot[i];
            hold[i] = (er_hold){foot->body, !foot->flat || foot->sole != foot->body, foot->heel};
        }
        for (int k = w.m.mode_count - 1; k >= 0; --k)
            if (w.modes->mode[k].kind == ER_MODE_ELASTIC) pace = 2.0 * ER_PI * w.modes->mode[k].frequency_hz;
        ok(er_kinematics_create(context, w.model, &posed));
        if (planted == 1) ok(eri_kinematics_hold(posed, context, 4, hold, pace));
        for (int k = 0; k < w.m.mode_count; ++k) {
            const er_mode *mode = &w.modes->mode[k];
            assert_true(w.m.seen[k] == (mode->kind == ER_MODE_ELASTIC));
            if (!w.m.seen[k]) continue;
            er_pose pose[MOST_PARTS];
            er_vec3 feet = {0, 0, 0};
            double factor = er_mode_amplitude(w.model, mode, 2.0);
            er_kinematics_mode(posed, mode, x);
            for (int c = 0; c < er_kinematics_width(posed); ++c)
                x[c] *= factor;
            ok(er_kinematics_pose(posed, x, pose));
            for (int i = 0; i < 4; ++i) {
                const er_gait_foot *foot = &w.m.body->foot[i];
                er_vec3 went = er_v3_sub(er_pose_point(pose[foot->body], foot->heel),
                                         er_pose_point(w.model->body[foot->body].pose, foot->heel));
                feet = er_v3_madd(feet, 0.25, went);
            }
            for (int b = 0; b < n; ++b) {
                const er_body *body = &w.model->body[b];
                er_vec3 rest = er_pose_point(body->pose, body->com), now = er_pose_point(pose[b], body->com);
                int up = b;
                while (up >= 0 && w.m.part[up] == w.m.part[b])
                    up = w.model->tree_parent[up];
                er_vec3 base = rest;
                if (w.m.part[b] == PART_TRUNK)
                    base = er_v3_add(rest, feet);
                else if (up >= 0)
                    base = er_pose_point(pose[up], er_pose_point_inverse(w.model->body[up].pose, rest));
                er_vec3 goes = er_v3_scale(1.0 / factor, er_v3_sub(now, rest)),
                        moves = er_v3_scale(1.0 / factor, er_v3_sub(now, base));
                double most = er_v3_norm(goes) + er_v3_norm(moves) + 1e-3;
                measure_at_most("way of a body", er_v3_distance(w.m.goes[k * n + b], goes) / most, 1e-12);
                measure_at_most("way of a part", er_v3_distance(w.m.moves[k * n + b], moves) / most, 1e-12);
            }
            ++seen;
        }
        assert_true(seen > 15);
        er_kinematics_destroy(posed);
        look_away(&w);
    }
}

// ---- what is worth what

static double along(const watched *w, int way, er_vec3 v)
{
    const er_gait_body *b = w->m.body;
    return way == WAY_SIDE ? er_v3_dot(v, b->left) : way == WAY_UP ? er_v3_dot(v, b->up) : er_v3_dot(v, b->forward);
}

// The score of a gesture by docs/math/gait.md, of parts W, A and A of the part, and how far it goes.
typedef struct worth {
    double share, sigma, most, all, scale, degrees;
    er_vec3 sum;
} worth;

static worth worth_of(const watched *w, const eri_gesture *g, const eri_gesture_goal *asked)
{
    worth out = {0};
    double W = 0.0, own = 0.0, all = 0.0;
    int n = w->model->body_count;
    for (int b = 0; b < n; ++b) {
        er_vec3 u = {0, 0, 0}, v = {0, 0, 0};
        double mass = w->model->body[b].mass;
        for (int i = 0; i < g->count; ++i) {
            u = er_v3_madd(u, g->factor[i], w->m.goes[g->mode[i] * n + b]);
            v = er_v3_madd(v, g->factor[i], w->m.moves[g->mode[i] * n + b]);
        }
        if (mass > 1e-5 * w->m.mass) out.all = fmax(out.all, er_v3_norm(u));
        if (w->m.part[b] != asked->part) {
            if (w->m.part[b] != PART_LEGS) all += mass * er_v3_dot(v, v);
            continue;
        }
        if (asked->part == PART_TRUNK) u = v;
        double part = 0.5 * mass * (er_v3_dot(u, u) + er_v3_dot(v, v));
        own += part;
        all += part;
        W += mass * (asked->way == WAY_ANY ? er_v3_dot(u, v) : along(w, asked->way, u) * along(w, asked->way, v));
        out.sum = er_v3_madd(out.sum, mass, v);
        out.most = fmax(out.most, asked->way == WAY_ANY ? er_v3_norm(v) : fabs(along(w, asked->way, v)));
    }
    out.share = W / all;
    out.sigma = W / all * (W / own) * fmin(1.0, 3.0 * out.most / out.all);
    double way = 0.01 * asked->percent * fmax(w->m.body->height, 0.5 * w->model->size);
    out.scale = fmin(way / out.most, 3.0 * way / out.all);
    for (int i = 0; i < g->count; ++i)
        out.degrees = fmax(out.degrees, out.scale * fabs(g->factor[i]) /
                                            er_mode_amplitude(w->model, &w->modes->mode[g->mode[i]], 1.0));
    return out;
}

// Feet follow to both ends of a gesture, and nothing goes more than twice as far as it did at little degrees.
static void expect_to_follow(const watched *w, const eri_gesture *g, const eri_gesture_fit *how)
{
    double x[6 * MOST_PARTS], mode[6 * MOST_PARTS],
        scale = how->scale * fmin(1.0, ER_PRESET_MOST_DEGREES / how->degrees);
    int width = er_kinematics_width(w->m.kinematics);
    for (int side = -1; side <= 1; side += 2) {
        er_pose pose[MOST_PARTS];
        memset(x, 0, sizeof x);
        for (int i = 0; i < g->count; ++i) {
            er_kinematics_mode(w->m.kinematics, &w->modes->mode[g->mode[i]], mode);
            for (int c = 0; c < width; ++c)
                x[c] += side * scale * g->factor[i] * mode[c];
        }
        ok(er_kinematics_pose(w->m.kinematics, x, pose));
        for (int b = 0; b < w->model->body_count; ++b) {
            er_vec3 now = er_pose_point(pose[b], w->model->body[b].com);
            assert_true(er_v3_distance(now, w->m.middle[b]) <= 2.0 * scale * how->all + 1e-9);
        }
    }
}

// Straight legs cannot rise: what is asked of a trunk on them is done to both sides by something, or not at all.
static void gestures_go_to_both_sides(void **state)
{
    int found = 0, none = 0;
    for (int kind = 0; kind < 2; ++kind)
        for (int part = 0; part < PART_COUNT; ++part)
            for (int way = 0; way < WAY_COUNT; ++way) {
                watched w = watch_parts(kind == 0 ? make_biped(usual) : make_stool(), part_of_biped, true, 40);
                eri_gesture_goal asked = {part, way, 1, 1.0 + part + way, 0.0};
                eri_gesture_fit how = {0};
                eri_gesture g = {0};
                ok(eri_gesture_find(&w.m, &asked, &how, &g));
                if (g.count > 0) expect_to_follow(&w, &g, &how);
                ++*(g.count > 0 ? &found : &none);
                look_away(&w);
            }
    print_message("# %d gestures follow, %d are none\n", found, none);
    assert_true(found > 10 && none > 3);
}

// A gesture is what is said of it; none of its modes with another factor, and no mode by itself, is worth more.
static void gestures_are_the_best_of_their_modes(void **state)
{
    static const eri_gesture_goal wishes[] = {{PART_TAIL, WAY_SIDE, 1, 8.0, 0.0},  {PART_TAIL, WAY_UP, 1, 2.0, 0.0},
                                              {PART_HEAD, WAY_SIDE, 1, 1.0, 0.0},  {PART_HEAD, WAY_UP, 1, 50.0, 0.0},
                                              {PART_TRUNK, WAY_SIDE, 1, 1.0, 0.0}, {PART_TRUNK, WAY_AHEAD, 1, 3.0, 0.0},
                                              {PART_HEAD, WAY_ANY, 1, 1.0, 0.0}};
    int several = 0, capped = 0;
    for (int planted = 0; planted < 2; ++planted)
        for (size_t i = 0; i < ERI_COUNT(wishes); ++i) {
            watched w = sample_mode(planted == 1, 40);
            const eri_gesture_goal *asked = &wishes[i];
            eri_gesture_fit how = {0};
            eri_gesture g = {0};
            ok(eri_gesture_find(&w.m, asked, &how, &g));
            assert_true(g.count >= 1 && g.count <= ERI_GESTURE_MOST_TOGETHER);
            worth known = worth_of(&w, &g, asked);
            measure_at_most("score of a gesture", fabs(how.score - known.sigma), 1e-9);
            measure_at_most("way of a gesture", fabs(how.most / known.most - 1.0), 1e-9);
            measure_at_most("way of all", fabs(how.all / known.all - 1.0), 1e-9);
            measure_at_most("scale of a gesture", fabs(how.scale / known.scale - 1.0), 1e-9);
            measure_at_most("degrees of a gesture", fabs(how.degrees / known.degrees - 1.0), 1e-9);
            assert_true(how.score >= 0.1);
            expect_to_follow(&w, &g, &how);
            if (asked->way != WAY_ANY) assert_true(how.sense == (along(&w, asked->way, known.sum) < 0.0 ? -1.0 : 1.0));
            double most = 0.0;
            for (int k = 0; k < g.count; ++k) {
                double own = eri_gesture_degrees(&w.m, &g, k, &how),
                       plain =
                           how.scale * fabs(g.factor[k]) / er_mode_amplitude(w.model, &w.modes->mode[g.mode[k]], 1.0);
                most = fmax(most, own);
                measure_at_most("degrees of a mode in a gesture",
                                fabs(own / (plain * fmin(1.0, ER_PRESET_MOST_DEGREES / how.degrees)) - 1.0), 1e-9);
                assert_true(plain > 0.0199 * how.degrees); // what all but stands still is left out
                for (int l = 0; l < k; ++l)
                    assert_int_not_equal(g.mode[l], g.mode[k]);
            }
            capped += how.degrees > ER_PRESET_MOST_DEGREES;
            assert_true(most <= ER_PRESET_MOST_DEGREES);
            several += g.count > 1;
            look_away(&w);
        }
    print_message("# of %d gestures %d are of several modes, %d as far as modes go\n", 2 * (int)ERI_COUNT(wishes),
                  several, capped);
    assert_true(several > 4 && capped > 0);
}

// With as much of the last mode as makes the part's share of all that moves the greatest: a little more or less is
// worse.
static void the_last_mode_has_the_best_factor(void **state)
{
    static const eri_gesture_goal wishes[] = {{PART_TAIL, WAY_SIDE, 1, 2.0, 0.0},
                                              {PART_HEAD, WAY_SIDE, 1, 1.0, 0.0},
                                              {PART_TAIL, WAY_UP, 1, 1.0, 0.0},
                                              {PART_HEAD, WAY_UP, 1, 1.0, 0.0},
                                              {PART_HEAD, WAY_ANY, 1, 1.0, 0.0}};
    int judged = 0;
    for (size_t i = 0; i < ERI_COUNT(wishes); ++i) {
        watched w = sample_mode(true, 40);
        const eri_gesture_goal *asked = &wishes[i];
        eri_gesture_fit how = {0};
        eri_gesture g = {0};
        ok(eri_gesture_find(&w.m, asked, &how, &g));
        double share[3];
        for (int k = 0; k < 3 && g.count > 1; ++k) {
            eri_gesture other = g;
            other.factor[g.count - 1] *= 1.0 + 0.02 * (k - 1);
            share[k] = worth_of(&w, &other, asked).share;
        }
        if (g.count > 1) {
            ++judged;
            assert_true(share[1] > share[0] && share[1] > share[2]);
        }
        look_away(&w);
    }
    assert_true(judged > 1);
}

// One that begins with a mode that another has taken counts a tenth; and what no mode does, as what is not there, is
// none.
static void modes_that_others_took_count_a_tenth(void **state)
{
    watched w = sample_mode(true, 40);
    const eri_gesture_goal wag = {PART_TAIL, WAY_SIDE, 1, 2.0, 0.0}, ahead = {PART_WINGS, WAY_AHEAD, 1, 2.0, 0.0};
    eri_gesture_fit how = {0};
    eri_gesture first = {0}, second = {0}, none = {.count = 1};
    ok(eri_gesture_find(&w.m, &wag, &how, &first));
    w.m.used[first.mode[0]] = true;
    ok(eri_gesture_find(&w.m, &wag, &how, &second));
    assert_int_not_equal(first.mode[0], second.mode[0]);
    ok(eri_gesture_find(&w.m, &ahead, &how, &none));
    assert_int_equal(none.count, 0);
    look_away(&w);
}

// ---- made ways: what is seen of modes is put in their place

enum { SLOW = 6, QUICK = 7 }; // the slowest elastic modes, of which alone is anything seen below

// A body that floats, on which the slow mode moves the tail alone, all of it to the left, twice as far as that mode
// moves anything; and the quick one nothing.
static watched watch_made(double *tail)
{
    watched w = sample_mode(false, 40);
    int n = w.model->body_count;
    double most = 0.0;
    *tail = 0.0;
    for (int b = 0; b < n; ++b)
        most = fmax(most, er_v3_norm(w.m.goes[SLOW * n + b]));
    memset(w.m.goes, 0, (size_t)(n * w.m.mode_count) * sizeof *w.m.goes);
    memset(w.m.moves, 0, (size_t)(n * w.m.mode_count) * sizeof *w.m.moves);
    for (int k = 0; k < w.m.mode_count; ++k) {
        assert_true(w.m.seen[k] || (k != SLOW && k != QUICK));
        w.m.seen[k] = k == SLOW || k == QUICK;
    }
    for (int b = 0; b < n; ++b) {
        if (w.m.part[b] != PART_TAIL) continue;
        w.m.goes[SLOW * n + b] = w.m.moves[SLOW * n + b] = er_v3_scale(2.0 * most, w.m.body->left);
        *tail += w.model->body[b].mass;
    }
    return w;
}

static eri_gesture find_wag(watched *w, double percent, eri_gesture_fit *how)
{
    const eri_gesture_goal wag = {PART_TAIL, WAY_SIDE, 1, percent, 0.0};
    eri_gesture g = {0};
    *how = (eri_gesture_fit){0};
    ok(eri_gesture_find(&w->m, &wag, how, &g));
    return g;
}

// Nothing goes more than three times as far as the part is meant to; what would is worth so much less, and nothing
// below a tenth.
static void what_goes_much_farther_lessens_a_gesture(void **state)
{
    static const double times[] = {2.9, 4.0, 29.0, 31.0};
    for (size_t i = 0; i < ERI_COUNT(times); ++i) {
        double tail;
        eri_gesture_fit how;
        watched w = watch_made(&tail);
        int n = w.model->body_count, at = 0;
        while (w.m.part[at] != PART_TAIL)
            ++at;
        w.m.goes[SLOW * n] = er_v3_scale(times[i], w.m.goes[SLOW * n + at]); // the trunk, by no part of a score
        eri_gesture g = find_wag(&w, 1.0, &how);
        assert_int_equal(g.count, times[i] < 30.0);
        if (g.count > 0) {
            double part = fmin(1.0, 3.0 / times[i]),
                   way = 0.01 * fmax(w.m.body->height, 0.5 * w.model->size) / er_v3_norm(w.m.goes[SLOW * n + at]);
            measure_at_most("score of what is carried far", fabs(how.score - part), 1e-12);
            measure_at_most("scale of what is carried far", fabs(how.scale / (part * way) - 1.0), 1e-12);
        }
        look_away(&w);
    }
}

// A mode that turns out to move all much farther than it did at little degrees is tried once, and others after it.
static void what_buckles_is_left_for_the_next(void **state)
{
    double tail;
    eri_gesture_fit how;
    watched w = watch_made(&tail);
    int n = w.model->body_count;
    for (int b = 0; b < n; ++b) {
        w.m.goes[QUICK * n + b] = er_v3_scale(10.0, w.m.goes[SLOW * n + b]);
        w.m.moves[QUICK * n + b] = er_v3_scale(10.0, w.m.moves[SLOW * n + b]);
    }
    eri_gesture g = find_wag(&w, 0.001, &how);
    assert_true(g.count == 1 && g.mode[0] == SLOW);
    for (int b = 0; b < n; ++b) {
        w.m.goes[SLOW * n + b] = er_v3_scale(0.01, w.m.goes[SLOW * n + b]);
        w.m.moves[SLOW * n + b] = er_v3_scale(0.01, w.m.moves[SLOW * n + b]);
    }
    g = find_wag(&w, 0.001, &how);
    assert_true(g.count == 1 && g.mode[0] == QUICK);
    assert_true(!w.m.seen[SLOW] && w.m.seen[QUICK]);
    look_away(&w);
}

// Two modes of which the other keeps the trunk still; by so much of it that all goes much farther than it did, so that
// the first is left alone, if that is worth anything by itself.
static void a_gesture_that_buckles_is_its_first_mode(void **state)
{
    static const double shares[] = {0.5, 0.12, 0.09}; // of the tail, in what moves
    for (int little = 0; little < 2; ++little)
        for (size_t i = 0; i < ERI_COUNT(shares); ++i) {
            double tail;
            eri_gesture_fit how;
            watched w = watch_made(&tail);
            int n = w.model->body_count, at = 0;
            while (w.m.part[at] != PART_TAIL)
                ++at;
            double far = sqrt((1.0 / shares[i] - 1.0) * tail / w.model->body[0].mass);
            double e = little == 1 ? far / 30.0 : far;
            er_vec3 way = w.m.goes[SLOW * n + at];
            w.m.moves[SLOW * n] = er_v3_scale(far, way);
            w.m.goes[QUICK * n] = w.m.moves[QUICK * n] = er_v3_scale(e, way);
            eri_gesture g = find_wag(&w, 1e-4, &how);
            if (little == 0) { // it follows
                assert_true(g.count == 2 && g.mode[0] == SLOW && g.mode[1] == QUICK);
                measure_at_most("factor of what keeps the trunk still", fabs(g.factor[1] + 1.0), 1e-9);
                measure_at_most("score of what keeps the trunk still", fabs(how.score - 1.0), 1e-9);
            } else if (shares[i] > 0.1) {
                assert_true(g.count == 1 && g.mode[0] == SLOW);
                measure_at_most("score of a mode that is left alone", fabs(how.score - shares[i]), 1e-9);
            } else {
                assert_int_equal(g.count, 0);
            }
            look_away(&w);
        }
}

// The slower of two gestures is taken, unless it reaches the most that modes go.
static void gestures_that_reach_go_before_slow_ones(void **state)
{
    for (int far = 0; far < 2; ++far) {
        double tail;
        eri_gesture_fit how;
        watched w = watch_made(&tail);
        int n = w.model->body_count;
        for (int b = 0; b < n; ++b) {
            w.m.goes[QUICK * n + b] = er_v3_scale(10.0, w.m.goes[SLOW * n + b]);
            w.m.moves[QUICK * n + b] = er_v3_scale(10.0, w.m.moves[SLOW * n + b]);
        }
        double quick = w.modes->mode[QUICK].frequency_hz, slow = w.modes->mode[SLOW].frequency_hz;
        assert_true(quick < 3.0 * slow);
        eri_gesture g = find_wag(&w, 1e-4, &how);
        assert_int_equal(g.mode[0], SLOW);
        g = find_wag(&w, far == 1 ? 1e-4 * 60.0 / how.degrees : 1e-4 * 19.0 / how.degrees, &how);
        assert_int_equal(g.mode[0], far == 1 ? QUICK : SLOW);
        look_away(&w);
    }
}

// ---- parts of bodies

static int part_of_bird(const char *name)
{
    return strncmp(name, "wing", 4) == 0 ? PART_WINGS : strchr(name, '_') != NULL ? PART_LEGS : part_of(name);
}

// Twelve rods in a row, the first the thick end: the last third is the tail, the first sixth the head.
static int part_of_fish(const char *name)
{
    int rod = 10 * (name[4] - '0') + name[5] - '0';
    double at = (11 - rod) / 11.0;
    return at < 1.0 / 3.0 ? PART_TAIL : at > 5.0 / 6.0 ? PART_HEAD : PART_TRUNK;
}

// Without names: what is ahead and above in the middle, up to where it branches, is the head; what hangs on it is of
// it. A hump behind is higher, but not as far ahead.
static er_model *make_nameless(void)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int seat = walker_box(&m, "seat", -1, er_v3(0, 0.6, 0), er_v3(-0.12, 0.5, -0.3), er_v3(0.12, 0.7, 0.35), 1.0),
        up = walker_box(&m, "t1", seat, er_v3(0, 0.65, 0.1), er_v3(-0.05, 0.6, 0.1), er_v3(0.05, 0.7, 0.3), 1.0);
    walker_box(&m, "t2", up, er_v3(0, 0.7, 0.1), er_v3(-0.03, 0.7, 0.08), er_v3(0.03, 0.75, 0.12), 1.0);
    walker_box(&m, "t4", seat, er_v3(0, 0.7, -0.2), er_v3(-0.03, 0.7, -0.22), er_v3(0.03, 1.8, -0.18), 0.3);
    for (int i = 0; i < 4; ++i) {
        double x = i % 2 == 0 ? 0.1 : -0.1, z = i < 2 ? 0.25 : -0.25;
        walker_box(&m, i % 2 == 0 ? "l-left" : "l-right", seat, er_v3(x, 0.5, z), er_v3(x - 0.02, 0, z - 0.03),
                   er_v3(x + 0.02, 0.5, z + 0.05), 1.0);
    }
    for (int i = 0; i < 2; ++i) {
        double y = 0.7 + 0.2 * i;
        up = walker_box(&m, i == 0 ? "h1" : "h2", up, er_v3(0, y, 0.3), er_v3(-0.03, y, 0.27),
                        er_v3(0.03, y + 0.2, 0.4), 1.0);
    }
    walker_box(&m, "t3", seat, er_v3(0, 0.7, -0.2), er_v3(-0.05, 0.7, -0.25), er_v3(0.05, 0.8, -0.15), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        walker_rod(&m, s > 0 ? "h-left" : "h-right", up, er_v3(0.03 * s, 1.05, 0.35), er_v3(0.15 * s, 1.1, 0.35));
        walker_rod(&m, s > 0 ? "a-left" : "a-right", seat, er_v3(0.12 * s, 0.6, 0), er_v3(0.4 * s, 0.6, 0));
    }
    return walker_finish(&m);
}

// On two feet the head is above more than ahead.
static er_model *make_nameless_biped(void)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.8, 0), er_v3(-0.2, 0.8, -0.1), er_v3(0.2, 1.2, 0.1), 1.0);
    walker_box(&m, "h1", hips, er_v3(0, 1.2, 0), er_v3(-0.08, 1.2, -0.15), er_v3(0.08, 1.45, 0.05), 1.0);
    walker_box(&m, "t1", hips, er_v3(0, 1.0, 0.1), er_v3(-0.05, 0.95, 0.1), er_v3(0.05, 1.05, 1.1), 0.3);
    int up[2] = {hips, hips};
    walker_pair(&m, "l1-%c", up, er_v3(0.1, 0.8, 0), er_v3(0.06, 0.4, -0.04), er_v3(0.14, 0.8, 0.04));
    walker_pair(&m, "l2-%c", up, er_v3(0.1, 0.4, 0.02), er_v3(0.07, 0.05, -0.03), er_v3(0.13, 0.4, 0.03));
    walker_pair(&m, "l3-%c", up, er_v3(0.1, 0.05, 0), er_v3(0.07, 0, -0.05), er_v3(0.13, 0.05, 0.15));
    return walker_finish(&m);
}

// A sole that hangs on the hips where a leg ends is of the leg, and no arm.
static er_model *make_soles(void)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.16, 0.88, -0.09), er_v3(0.16, 1.3, 0.09), 1.0);
    int up[2] = {0, 0};
    walker_pair(&m, "l_thigh_%c", up, er_v3(0.1, 0.9, 0), er_v3(0.04, 0.49, -0.06), er_v3(0.16, 0.9, 0.06));
    walker_pair(&m, "l_shin_%c", up, er_v3(0.1, 0.49, 0.01), er_v3(0.05, 0.04, -0.04), er_v3(0.15, 0.49, 0.05));
    walker_pair(&m, "l_foot_%c", (int[2]){0, 0}, er_v3(0.1, 0.08, 0), er_v3(0.055, 0.0, -0.06),
                er_v3(0.145, 0.06, 0.12));
    return walker_finish(&m);
}

static int part_of_nameless(const char *name)
{
    if (strcmp(name, "hips") == 0) return PART_TRUNK;
    return *name == 'l' ? PART_LEGS : *name == 'h' ? PART_HEAD : *name == 'a' ? PART_ARMS : PART_TRUNK;
}

// A preset is the gestures of its wishes, one after the other, of the parts that the body was made of.
static void presets_are_the_gestures_of_their_wishes(void **state)
{
    static const char *const part[] = {"trunk", "head", "tail", "arms", "legs", "wings"}, *const way[] = {"side", "up",
                                                                                                          "ahead",
                                                                                                          "any"};
    int components = 0;
    for (int kind = 0; kind < 7; ++kind)
        for (int planted = 0; planted < 2; ++planted) {
            walker_def def = usual;
            def.tail = 3;
            er_model *model = kind == 0   ? make_biped(usual)
                              : kind == 1 ? make_quadruped(def)
                              : kind == 2 ? make_bird(true)
                              : kind == 3 ? make_fish(12)
                              : kind == 4 ? make_nameless()
                              : kind == 5 ? make_nameless_biped()
                                          : make_soles();
            int (*const named[])(const char *name) = {part_of_biped,    part_of,          part_of_bird,    part_of_fish,
                                                      part_of_nameless, part_of_nameless, part_of_nameless};
            watched w = watch_parts(model, named[kind], planted == 1, 256);
            char moves[600] = "";
            eri_gesture_goal wishes[12];
            int count = 0, at = 0;
            for (int i = 0; i < PART_COUNT; ++i) {
                bool any = false;
                for (int b = 0; b < model->body_count; ++b)
                    any |= w.m.part[b] == i;
                for (int k = 0; k < 2 && any; ++k, ++count) {
                    int turn = 30 * count - 100;
                    wishes[count] =
                        (eri_gesture_goal){i, (i + k + kind) % WAY_COUNT, 1 + count, 0.5 + count, turn * ER_PI / 180.0};
                    size_t used = strlen(moves);
                    snprintf(moves + used, sizeof moves - used, "%s%s:%s:%g@%d%+d", used > 0 ? "," : "", part[i],
                             way[wishes[count].way], wishes[count].percent, wishes[count].cycles, turn);
                }
            }
            const er_preset preset = {"all", 3.0, planted == 1 ? "feet" : "none", moves};
            er_mix *mix = NULL;
            ok(er_preset_mix(context, model, NULL, w.modes, NULL, &preset, &mix));
            for (int i = 0; i < count; ++i) {
                eri_gesture_fit how = {0};
                eri_gesture g = {0};
                ok(eri_gesture_find(&w.m, &wishes[i], &how, &g));
                if (g.count > 0) w.m.used[g.mode[0]] = true;
                for (int k = 0; k < g.count; ++k, ++at) {
                    const er_mix_component *v = &mix->component[at];
                    assert_true(at < mix->component_count);
                    assert_int_equal(v->mode, er_modes_index(w.modes, &w.modes->mode[g.mode[k]]));
                    assert_true(v->harmonic == wishes[i].cycles &&
                                v->shape_hz == w.modes->mode[g.mode[k]].frequency_hz);
                    assert_true(fabs(v->degrees - eri_gesture_degrees(&w.m, &g, k, &how)) < 1e-9);
                    double phase = wishes[i].phase + (how.sense * g.factor[k] < 0.0 ? ER_PI : 0.0);
                    assert_true(fabs(remainder(v->phase - phase, 2.0 * ER_PI)) < 1e-9);
                }
            }
            assert_true(at == mix->component_count && at > 0);
            components += at;
            er_mix_destroy(mix);
            look_away(&w);
        }
    print_message("# %d components\n", components);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_seen_from_what_they_hang_on),
        cmocka_unit_test(gestures_are_the_best_of_their_modes),
        cmocka_unit_test(gestures_go_to_both_sides),
        cmocka_unit_test(the_last_mode_has_the_best_factor),
        cmocka_unit_test(modes_that_others_took_count_a_tenth),
        cmocka_unit_test(what_goes_much_farther_lessens_a_gesture),
        cmocka_unit_test(what_buckles_is_left_for_the_next),
        cmocka_unit_test(a_gesture_that_buckles_is_its_first_mode),
        cmocka_unit_test(gestures_that_reach_go_before_slow_ones),
        cmocka_unit_test(presets_are_the_gestures_of_their_wishes),
    };
    return cmocka_run_group_tests_name("gesture", tests, set_up_gestures, tear_down_gestures);
}
