// Mixes as they stand, judged as gaits: against the parts that judge them, and what is refused by which sentence.
#include <stdio.h>
#include <string.h>

#include "grid.h"
#include "support/judge.h"

static er_mix_component component_of(int mode, double degrees, int harmonic, double phase)
{
    er_mix_component v = er_default_mix_component();
    v.mode = mode;
    v.degrees = degrees;
    v.harmonic = harmonic;
    v.phase = phase;
    return v;
}

static er_result try_mix(const bench *b, int count, const er_mix_component *component, double cycle,
                         const er_gait_def *def, er_gaits **out)
{
    const er_mix mix = {.cycle = cycle, .component_count = count, .component = component};
    *out = (er_gaits *)&mix; // not NULL
    return er_gait_of_mix(context, b->model, NULL, b->modes, &mix, def, out);
}

// Expects the numbers of a gait to be those of its stride.
static void expect_told(const bench *b, const er_gait *gait, const eri_stride *s, double cost)
{
    double duty = 0.0, clearance = s->feet > 0 ? HUGE_VAL : 0.0, speed = s->length / s->period;
    for (int f = 0; f < s->feet; ++f) {
        duty += s->step[f].duty / s->feet;
        clearance = fmin(clearance, s->step[f].clearance);
        assert_true(fabs(gait->step[f].duty - s->step[f].duty) < 1e-9);
        assert_true(fabs(gait->step[f].clearance - s->step[f].clearance) < 1e-9);
        double apart = gait->step[f].phase - gait->step[0].phase - s->step[f].phase + s->step[0].phase;
        assert_true(fabs(remainder(apart, 1.0)) < 1e-9);
    }
    if (s->feet > 0) assert_true(gait->step[s->feet - 2].phase == 0.0); // the first of the hindmost pair
    const double told[] = {gait->hz,        gait->own_hz, gait->speed,  gait->froude, gait->stride, gait->slip,
                           gait->clearance, gait->bob,    gait->flight, gait->duty,   gait->cost,   gait->score},
                 known[] = {1.0 / s->period, s->own_hz, speed,     speed * speed / (b->body->gravity * b->body->leg),
                            s->length,       s->slip,   clearance, s->bob,
                            s->flight,       duty,      s->effort, 1.0 / (1.0 + cost)};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; ++i)
        measure_at_most("what is told of a gait", fabs(told[i] - known[i]) / (1.0 + fabs(known[i])), 1e-6);
    assert_true(fabs(gait->mix->cycle * gait->hz - 1.0) < 1e-12);
}

// At another pace a gait keeps its name, and is what its mix is in that time; frames of it are whole, one at least; and
// a speed is met where that can be.
static void paces_change_what_is_told_and_no_name(void **state)
{
    enum { ASKED = 9 };
    static const double hz[ASKED] = {0.5, 1.7, 4.0}, fps[ASKED] = {[3] = 0.1, 0.7, 24.0},
                        speed[ASKED] = {[6] = 0.6, 1.1, 1.6};
    dice d = {4302};
    int kept = 0, renamed = 0, met = 0, asked = 0;
    for (int four = 0; four < 2; ++four) {
        bench b = begin(four == 1 ? make_quadruped(usual) : make_biped(usual), 64);
        for (int turn = 0; turn < trials(40); ++turn) {
            eri_gait_mix mix = {.count = 2};
            er_mix_component component[2];
            er_gaits *own = NULL, *gaits = NULL;
            int first = dice_below(&d, 6);
            for (int v = 0; v < 2; ++v) {
                eri_gait_component *part = &mix.component[v];
                *part = (eri_gait_component){first + v * (1 + turn % 3), 1, dice_uniform(&d, 0.1, 0.4),
                                             dice_uniform(&d, -3.0, 3.0)};
                component[v] = component_of(b.w->index[part->mode], part->angle * 180.0 / ER_PI, 1, part->phase);
            }
            if (try_mix(&b, 2, component, 0.0, NULL, &own) != ER_OK) continue;
            const er_gait *as = &own->gait[0];
            for (int i = 0; i < ASKED; ++i) {
                er_gait_def def = er_default_gait_def();
                def.hz = hz[i] * as->hz;
                def.fps = fps[i] * as->hz;
                def.speed = speed[i] * as->speed;
                if (try_mix(&b, 2, component, 0.0, &def, &gaits) != ER_OK) continue;
                const er_gait *now = &gaits->gait[0];
                assert_int_equal(now->family, as->family);
                ++kept;
                if (hz[i] > 0.0) {
                    eri_candidate found = {.mix = mix};
                    measure_at_most("a pace that is asked for", fabs(now->hz / def.hz - 1.0), 1e-9);
                    eri_evaluator_evaluate(&b.judge, found.mix, &found); // turned round where it goes backward
                    eri_evaluator_evaluate_finely(&b.judge, 1.0 / now->hz, &found);
                    expect_told(&b, now, &found.stride, found.cost);
                    renamed += found.family != as->family;
                } else if (fps[i] > 0.0) {
                    measure_at_most("frames of a stride", fabs(def.fps / now->hz - fmax(1.0, round(fps[i]))), 1e-9);
                } else {
                    ++asked;
                    met += fabs(now->speed / def.speed - 1.0) < 1e-6;
                }
                er_gaits_destroy(gaits);
            }
            er_gaits_destroy(own);
        }
        end(&b);
    }
    print_message("# %d paces, %d would have another name; %d of %d speeds are met\n", kept, renamed, met, asked);
    assert_true(ERI_SANITIZED || (kept > 150 && renamed > 0 && met > asked / 2));
}

// Mixes of feet: judged in 256 frames, at the period that they have, or at their own.
static void mixes_of_steps_are_what_their_strides_are(void **state)
{
    dice d = {4301};
    int judged = 0;
    for (int four = 0; four < 2; ++four) {
        bench b = begin(four == 1 ? make_quadruped(usual) : make_biped(usual), 64);
        for (int turn = 0; turn < 60; ++turn) {
            eri_candidate found = {.mix = {.count = 2 + turn % 2}};
            er_mix_component component[3];
            double cycle = turn % 4 == 0 ? dice_uniform(&d, 0.4, 1.5) : 0.0;
            int first = dice_below(&d, 6);
            for (int v = 0; v < found.mix.count; ++v) {
                eri_gait_component *part = &found.mix.component[v];
                *part = (eri_gait_component){first + v * (1 + turn / 2 % 3), v == 2 ? 2 : 1, dice_uniform(&d, 0.1, 0.4),
                                             dice_uniform(&d, -3.0, 3.0)};
                component[v] =
                    component_of(b.w->index[part->mode], part->angle * 180.0 / ER_PI, part->harmonic, part->phase);
                if (turn % 3 == 0 && part->harmonic == 1) component[v].harmonic = 0; // as good as once
            }
            b.judge.ground.period = cycle;
            eri_evaluator_evaluate(&b.judge, found.mix, &found);
            eri_evaluator_evaluate_finely(&b.judge, cycle, &found);
            er_gaits *gaits = NULL;
            er_result r = try_mix(&b, found.mix.count, component, cycle, NULL, &gaits);
            if (!(found.cost < HUGE_VAL)) {
                refused(r, ER_ERROR_RIG, &gaits, "the mix");
                continue;
            }
            ok(r);
            ++judged;
            assert_true(gaits->count == 1 && gaits->tried == 1 && gaits->posed == 1 && gaits->lost == 0);
            assert_int_equal(gaits->gait[0].family, found.family);
            expect_told(&b, &gaits->gait[0], &found.stride, found.cost);
            for (int v = 0; v < found.mix.count; ++v) {
                const er_mix_component *made = &gaits->gait[0].mix->component[v];
                const eri_gait_component *part = &found.mix.component[v];
                assert_true(made->mode == b.w->index[part->mode] && made->harmonic == part->harmonic);
                assert_true(fabs(made->degrees - part->angle * 180.0 / ER_PI) < 1e-9);
                assert_true(fabs(remainder(made->phase - part->phase, 2.0 * ER_PI)) < 1e-9);
            }
            er_gaits_destroy(gaits);
        }
        end(&b);
    }
    assert_true(judged > 30);
}

// A body without feet takes the better of both planes, at the period that is asked for.
static void mixes_of_waves_are_what_their_better_plane_says(void **state)
{
    bench b = begin(make_fish(7), 64);
    int planes[2] = {0};
    assert_true(b.body->waves[0]);
    for (int turn = 0; turn < 40; ++turn) {
        eri_candidate best = {.cost = HUGE_VAL};
        const eri_gait_mix mix = {
            2, {{turn % 8, 1, 0.3, 0.4}, {(turn + 1 + turn / 8) % 8, 1, 0.25, turn % 2 == 0 ? 1.9 : -1.1}}};
        double cycle = turn % 3 == 0 ? 0.7 : 0.0;
        er_mix_component component[2];
        for (int v = 0; v < 2; ++v)
            component[v] = component_of(b.w->index[mix.component[v].mode], mix.component[v].angle * 180.0 / ER_PI, 1,
                                        mix.component[v].phase);
        for (int plane = 0; plane < 2; ++plane) {
            eri_wave wave;
            eri_candidate one = {.mix = mix};
            if (!b.body->waves[plane]) continue;
            ok(eri_wave_create(arena, b.model, b.body, plane == 1, &wave));
            eri_wave_evaluate(b.w, &wave, &one.mix, &one.stride);
            if (cycle > 0.0) one.stride.period = cycle;
            eri_gait_effort(b.w, &one.mix, &one.stride);
            one.cost = eri_wave_cost(b.model, &defaults.weights, plane == 1, &one.stride);
            if (one.cost < best.cost) best = one, best.upright = plane == 1;
        }
        er_gaits *gaits = NULL;
        er_result r = try_mix(&b, 2, component, cycle, NULL, &gaits);
        if (!(best.cost < HUGE_VAL)) {
            refused(r, ER_ERROR_RIG, &gaits, "the mix");
            continue;
        }
        ok(r);
        ++planes[best.upright];
        assert_int_equal(gaits->gait[0].family, ER_GAIT_SWIM);
        expect_told(&b, &gaits->gait[0], &best.stride, best.cost);
        er_gaits_destroy(gaits);
    }
    print_message("# %d waves to the sides, %d up and down\n", planes[0], planes[1]);
    assert_true(planes[0] > 5);
    end(&b);
}

// The stride is the mix's cycle, else one of the lowest frequency; components swing once or twice in it, to a
// twentieth.
static void frequencies_say_how_often_a_stride(void **state)
{
    static const struct {
        double hz[2], cycle;
        int harmonic[2];
        double stride_hz; // 0: refused
        int times[2];
    } rows[] = {{{1.0, 2.0}, 0, {0, 0}, 1.0, {1, 2}},     {{2.0, 1.0}, 0, {0, 0}, 1.0, {2, 1}},
                {{1.0, 1.0}, 0, {0, 0}, 1.0, {1, 1}},     {{1.0, 2.09}, 0, {0, 0}, 1.0, {1, 2}},
                {{1.0, 2.11}, 0, {0, 0}, 0, {0}},         {{1.0, 1.92}, 0, {0, 0}, 1.0, {1, 2}},
                {{1.0, 1.89}, 0, {0, 0}, 0, {0}},         {{1.0, 1.05}, 0, {0, 0}, 1.0, {1, 1}},
                {{1.0, 1.06}, 0, {0, 0}, 0, {0}},         {{1.0, 3.0}, 0, {0, 0}, 0, {0}},
                {{1.6, 1.6}, 0.625, {0, 0}, 1.6, {1, 1}}, {{0.8, 1.6}, 1.25, {0, 0}, 0.8, {1, 2}},
                {{0, 1.6}, 1.25, {1, 0}, 0.8, {1, 2}},    {{0, 0}, 1.25, {2, 1}, 0.8, {2, 1}},
                {{0, 0}, 1.25, {3, 1}, 0, {0}},           {{0, 1.2}, 0, {2, 0}, 1.2, {2, 1}},
                {{0.4, 0.8}, 1.25, {0, 0}, 0, {0}}};
    bench b = begin(make_biped(usual), 64);
    // a pair of modes that goes
    int one = -1, other = -1;
    double phase = 0.0;
    for (int k = 0; k < 2 * 12 * 12 && one < 0; ++k) {
        double turn = k < 12 * 12 ? 1.0 : -1.0;
        er_mix_component component[2] = {component_of(b.w->index[k % 12], 22, 1, 0.0),
                                         component_of(b.w->index[k / 12 % 12], 22, 1, turn)};
        er_gaits *gaits = NULL;
        if (k % 12 == k / 12 % 12 || try_mix(&b, 2, component, 0.0, NULL, &gaits) != ER_OK) continue;
        if (gaits->gait[0].stride > 0.2) one = k % 12, other = k / 12 % 12, phase = turn;
        er_gaits_destroy(gaits);
    }
    assert_true(one >= 0);
    int going = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        er_mix_component component[2] = {component_of(b.w->index[one], 22, rows[i].harmonic[0], 0.0),
                                         component_of(b.w->index[other], 22, rows[i].harmonic[1], phase)};
        er_gaits *gaits = NULL;
        for (int v = 0; v < 2; ++v)
            component[v].hz = rows[i].hz[v];
        er_result r = try_mix(&b, 2, component, rows[i].cycle, NULL, &gaits);
        if (rows[i].stride_hz == 0.0) {
            refused(r, ER_ERROR_ARGUMENT, &gaits, "mode");
            continue;
        }
        if (r == ER_ERROR_RIG) continue; // with other times it goes nowhere
        ++going;
        ok(r);
        assert_true(fabs(gaits->gait[0].hz / rows[i].stride_hz - 1.0) < 1e-9);
        for (int v = 0; v < 2; ++v)
            assert_int_equal(gaits->gait[0].mix->component[v].harmonic, rows[i].times[v]);
        er_gaits_destroy(gaits);
    }
    print_message("# %d mixes go\n", going);
    assert_true(going > 3);
    er_mix_component wild[2] = {component_of(b.w->index[one], 22, 0, 0.0),
                                component_of(b.w->index[other], 22, 0, phase)};
    er_gaits *gaits;
    char named[20];
    snprintf(named, sizeof named, "mode %d", b.w->index[other]);
    wild[0].hz = 0.5;
    wild[1].hz = 1.5;
    refused(try_mix(&b, 2, wild, 0.0, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, named);
    wild[0].hz = wild[1].hz = 0.0;
    wild[1].harmonic = 4;
    refused(try_mix(&b, 2, wild, 0.0, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, named);
    end(&b);
}

// A def with one field changed: a count, or a number.
typedef struct changed {
    size_t field;
    double to;
    const char *said;
} changed;

static er_gait_def with(const changed *c)
{
    er_gait_def def = er_default_gait_def();
    char *at = (char *)&def + c->field;
    if (c->field == offsetof(er_gait_def, best) || c->field == offsetof(er_gait_def, mode_count))
        memcpy(at, &(int){(int)c->to}, sizeof(int));
    else
        memcpy(at, &c->to, sizeof c->to);
    return def;
}

#define CHANGED(field, to, said)                                                                                       \
    {                                                                                                                  \
        offsetof(er_gait_def, field), to, said                                                                         \
    }

static void what_is_at_its_bounds_is_taken(void **state)
{
    static const changed rows[] = {
        CHANGED(best, 1, NULL),        CHANGED(best, 100, NULL),           CHANGED(mode_count, 1, NULL),
        CHANGED(mode_count, 64, NULL), CHANGED(weights.symmetry, 0, NULL), CHANGED(weights.progress, 1e6, NULL),
        CHANGED(hz, 1e3, NULL),        CHANGED(speed, 1e6, NULL),          CHANGED(fps, 1e5, NULL)};
    bench b = begin(make_biped(usual), 8);
    er_mix_component component[2] = {component_of(b.w->index[0], 22, 1, 0.0), component_of(b.w->index[1], 22, 1, 1.0)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        er_gaits *gaits;
        er_gait_def def = with(&rows[i]);
        er_result r = try_mix(&b, 2, component, 0.0, &def, &gaits);
        if (r != ER_OK && r != ER_ERROR_RIG) fail_msg("row %zu: %s", i, er_context_error(context));
        if (r == ER_OK) er_gaits_destroy(gaits);
    }
    end(&b);
}

static void what_cannot_be_is_refused(void **state)
{
    static const changed rows[] = {CHANGED(best, 0, "number of gaits, 0"),
                                   CHANGED(best, 101, "number of gaits, 101"),
                                   CHANGED(mode_count, 0, "modes to search, 0"),
                                   CHANGED(mode_count, 65, "modes to search, 65"),
                                   CHANGED(weights.symmetry, -1e-9, "-1e-09"),
                                   CHANGED(weights.progress, 1.1e6, "1.1e+06"),
                                   CHANGED(weights.slip, NAN, "weight"),
                                   CHANGED(hz, -1.0, "-1 Hz"),
                                   CHANGED(hz, 1001.0, "1001 Hz"),
                                   CHANGED(speed, -1.0, "-1 m/s"),
                                   CHANGED(speed, 1.1e6, "1.1e+06 m/s"),
                                   CHANGED(fps, NAN, "nan frames"),
                                   CHANGED(fps, 1.1e5, "110000 frames"),
                                   CHANGED(up.x, NAN, "up (nan"),
                                   CHANGED(forward.y, HUGE_VAL, "forward (0, inf"),
                                   CHANGED(gravity, -1.0, "gravity of -1"),
                                   CHANGED(gravity, HUGE_VAL, "gravity of inf")};
    bench b = begin(make_biped(usual), 8);
    er_gaits *gaits;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        er_gait_def def = with(&rows[i]);
        gaits = (er_gaits *)&def; // not NULL
        refused(er_gaits_find(context, b.model, NULL, b.modes, &def, &gaits), ER_ERROR_ARGUMENT, &gaits, rows[i].said);
    }
    const er_gait_def unmarked = {0};
    gaits = (er_gaits *)&b;
    refused(er_gaits_find(context, b.model, NULL, b.modes, &unmarked, &gaits), ER_ERROR_ARGUMENT, &gaits,
            "er_default_gait_def");
    refused(er_gaits_find(context, NULL, NULL, b.modes, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, "a model");
    refused(er_gaits_find(context, b.model, NULL, NULL, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, "a model");
    assert_int_equal(er_gaits_find(context, b.model, NULL, b.modes, NULL, NULL), ER_ERROR_ARGUMENT);
    gaits = (er_gaits *)&b;
    assert_int_equal(er_gaits_find(NULL, b.model, NULL, b.modes, NULL, &gaits), ER_ERROR_ARGUMENT);
    assert_null(gaits);
    // mixes
    er_mix_component component[4] = {component_of(b.w->index[0], 22, 1, 0.0), component_of(b.w->index[1], 90.1, 1, 1.0),
                                     component_of(b.w->index[2], 22, 1, 0.0), component_of(b.w->index[3], 22, 1, 0.0)};
    char said[200];
    snprintf(said, sizeof said, "mode %d: 90.1 degrees", b.w->index[1]);
    refused(try_mix(&b, 2, component, 0.0, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, said);
    component[1].degrees = 90.0;
    er_result r = try_mix(&b, 2, component, 0.0, NULL, &gaits);
    assert_true(r == ER_OK || r == ER_ERROR_RIG);
    if (r == ER_OK) er_gaits_destroy(gaits);
    refused(try_mix(&b, 4, component, 0.0, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, "4");
    component[0].mode = 0; // rigid
    component[0].hz = 1.0;
    component[0].harmonic = 0;
    refused(try_mix(&b, 1, component, 0.0, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, "mode 0");
    component[0] = component_of(b.w->index[0], 0.01, 1, 0.0); // it does next to nothing
    refused(try_mix(&b, 1, component, 0.0, NULL, &gaits), ER_ERROR_RIG, &gaits, "the mix");
    gaits = (er_gaits *)&b;
    refused(er_gait_of_mix(context, b.model, NULL, b.modes, NULL, NULL, &gaits), ER_ERROR_ARGUMENT, &gaits, "a mix");
    const er_mix mix = {.component_count = 1, .component = component};
    assert_int_equal(er_gait_of_mix(context, b.model, NULL, b.modes, &mix, NULL, NULL), ER_ERROR_ARGUMENT);
    gaits = (er_gaits *)&b;
    assert_int_equal(er_gait_of_mix(NULL, b.model, NULL, b.modes, &mix, NULL, &gaits), ER_ERROR_ARGUMENT);
    assert_null(gaits);
    end(&b);
    // a body that nothing moves within itself
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "stone", -1, er_v3(0, 0, 0), er_v3(-1, 0, -1), er_v3(1, 1, 1), 1.0);
    er_model *stone = walker_finish(&m);
    er_modes *modes = modes_of(stone);
    refused(er_gaits_find(context, stone, NULL, modes, NULL, &gaits), ER_ERROR_RIG, &gaits, "no elastic mode");
}

// Thirty-two feet are the most, two thousand bodies too.
static void what_is_too_much_is_refused(void **state)
{
    static walker_maker m;
    for (int pairs = 16; pairs <= 17; ++pairs) {
        m = (walker_maker){.def = usual};
        walker_box(&m, "trunk", -1, er_v3(0, 0.6, 0), er_v3(-0.1, 0.5, -2.0), er_v3(0.1, 0.7, 2.0), 1.0);
        for (int k = 0; k < 2 * pairs; ++k) {
            double x = k % 2 == 0 ? 0.1 : -0.1, z = 0.2 * (k / 2) - 1.6;
            walker_box(&m, k % 2 == 0 ? "left" : "right", 0, er_v3(x, 0.5, z), er_v3(x - 0.02, 0, z - 0.03),
                       er_v3(x + 0.02, 0.5, z + 0.03), 1.0);
        }
        er_model *model = walker_finish(&m);
        er_modes *modes = modes_of(model);
        er_gaits *gaits;
        er_gait_body *body = read_body(model, NULL);
        assert_int_equal(body->foot_count, 2 * pairs);
        er_mix_component component = component_of(modes->rigid_count, 0.01, 1, 0.0);
        const er_mix mix = {.component_count = 1, .component = &component};
        er_result r = er_gait_of_mix(context, model, NULL, modes, &mix, NULL, &gaits);
        refused(r, ER_ERROR_RIG, &gaits, pairs == 16 ? "the mix" : "34 feet");
    }
    static er_body many[ER_GAIT_MAX_BODIES + 1];
    for (int i = 0; i <= ER_GAIT_MAX_BODIES; ++i)
        many[i] = (er_body){
            .name = "", .mass = 1.0, .inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .pose = er_pose_identity()};
    const er_modes none = {.count = 0};
    for (int more = 0; more < 2; ++more) {
        er_gaits *gaits = NULL;
        const er_model *model = make_model(ER_GAIT_MAX_BODIES + more, many, 0, NULL);
        refused(er_gaits_find(context, model, NULL, &none, NULL, &gaits), ER_ERROR_RIG, &gaits,
                more == 1 ? "2001 bodies" : "no elastic mode");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_of_steps_are_what_their_strides_are),
        cmocka_unit_test(paces_change_what_is_told_and_no_name),
        cmocka_unit_test(what_is_at_its_bounds_is_taken),
        cmocka_unit_test(mixes_of_waves_are_what_their_better_plane_says),
        cmocka_unit_test(frequencies_say_how_often_a_stride),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(what_is_too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
