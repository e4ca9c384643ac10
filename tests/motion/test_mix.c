// Mixes: what may be in one, what a line of text says, and how one finds its modes again in a changed rig.
#include <eigenrig/motion.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

// One line that names the place, and no mix.
static void expect_refusal(er_result result, er_mix *const *mix, const char *named)
{
    assert_null(*mix);
    assert_refusal(context, result, ER_ERROR_ARGUMENT, named);
    assert_null(strchr(er_context_error(context), '\n'));
}

// ---- text

static void a_line_of_text_says_what_plays(void **state)
{
    static const struct {
        const char *text;
        int count;
        er_mix_component last;
    } rows[] = {{"7:12", 1, {.mode = 7, .degrees = 12}},
                {"7:12,9:5@1.1+90", 2, {.mode = 9, .degrees = 5, .hz = 1.1, .phase = ER_PI / 2}},
                {"0:0", 1, {.mode = 0, .degrees = 0}},
                {"3:1.5e1", 1, {.mode = 3, .degrees = 15}},
                {"3:15@.5", 1, {.mode = 3, .degrees = 15, .hz = 0.5}},
                {"3:15@2x", 1, {.mode = 3, .degrees = 15, .harmonic = 2}},
                {"3:15@10000x", 1, {.mode = 3, .degrees = 15, .harmonic = 10000}},
                {"3:15@2x-45", 1, {.mode = 3, .degrees = 15, .harmonic = 2, .phase = -ER_PI / 4}},
                {"3:15-30", 1, {.mode = 3, .degrees = 15, .phase = -ER_PI / 6}},
                {"3:15+30\xc2\xb0", 1, {.mode = 3, .degrees = 15, .phase = ER_PI / 6}},
                {"1:2+90\xc2\xb0,3:15@1-720\xc2\xb0", 2, {.mode = 3, .degrees = 15, .hz = 1, .phase = -4 * ER_PI}},
                {"7:12cm", 1, {.mode = 7, .degrees = 20, .metres = 0.12}},
                {"7:12cm@2x+90,8:5mm", 2, {.mode = 8, .degrees = 20, .metres = 0.005}},
                {"7:0.5m:Tail3", 1, {.mode = 7, .degrees = 20, .metres = 0.5, .at = "Tail3"}},
                {"7:5cm:DEF-spine.001@1.5-90",
                 1,
                 {.mode = 7, .degrees = 20, .metres = 0.05, .at = "DEF-spine.001", .hz = 1.5, .phase = -ER_PI / 2}},
                {"7:5cm:mixamorig:Left Foot+45, 3:1cm:a", 2, {.mode = 3, .degrees = 20, .metres = 0.01, .at = "a"}},
                {"3:3600@1e6", 1, {.mode = 3, .degrees = 3600, .hz = 1e6}}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix *mix = NULL;
        if (er_mix_parse(context, rows[i].text, &mix) != ER_OK) fail_msg("%s", er_context_error(context));
        assert_int_equal(strcspn(mix->name, ":,/[@"), strlen(mix->name)); // what other programs drop
        if (i == 0) assert_string_equal(mix->name, "mix 7");
        assert_int_equal(mix->component_count, rows[i].count);
        assert_int_equal(mix->body_count, 0);
        assert_true(mix->cycle == 0.0);
        const er_mix_component *v = &mix->component[rows[i].count - 1], *w = &rows[i].last;
        assert_int_equal(v->mode, w->mode);
        assert_int_equal(v->harmonic, w->harmonic);
        assert_true(v->degrees == w->degrees && v->hz == w->hz && fabs(v->metres - w->metres) < 1e-15);
        assert_true((v->at == NULL) == (w->at == NULL) && (v->at == NULL || strcmp(v->at, w->at) == 0));
        assert_true(fabs(v->phase - w->phase) < 1e-14);
        assert_true(v->attack == 0.0 && v->decay == 0.0 && v->damping == 0.0 && v->shape == NULL);
        er_mix_destroy(mix);
    }
    er_mix_destroy(NULL);
}

static void words_that_are_none_are_named(void **state)
{
    static const char *const alone[] = {"7",           "7:",      ":12",      "-1:12",   "1.5:12",     "1e10:12",
                                        "7:nan",       "7:inf",   "7:1e999",  "7:0x10",  "0x7:10",     "7:12@",
                                        "7:12@0",      "7:12@-1", "7:12@nan", "7:12@x",  "7:12@0x",    "7:12@1.5x",
                                        "7:12@10001x", "7:12@1y", "7:12+",    "7:12++9", "7:12+90+90", "7:12;8:3"};
    static const struct {
        const char *text, *said;
    } rows[] = {{"", "\"\""},
                {",", "\"\""},
                {"7:12,", "\"\""},
                {"7:12,,8:1", "\"\""},
                {"7:12+90\xc2", "7:12"},
                {"1:2,seven:12,3:4", "\"seven:12\""},
                {"7:-12", "amplitude -12 degrees"},
                {"7:3601", "amplitude 3601 degrees"},
                {"7:-3cm", "amplitude -3 cm"},
                {"7:-3mm:Tail", "amplitude -0.3 cm"},
                {"7:200000m", "amplitude 2e+07 cm"},
                {"7:12@1e7", "frequency 1e+07 Hz"},
                {"7:12+1e300", "phase"}};
    for (size_t i = 0; i < ERI_COUNT(alone); ++i) {
        er_mix *mix = (er_mix *)&mix; // not NULL
        expect_refusal(er_mix_parse(context, alone[i], &mix), &mix, alone[i]);
    }
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        er_mix *mix = (er_mix *)&mix; // not NULL
        expect_refusal(er_mix_parse(context, rows[i].text, &mix), &mix, rows[i].said);
    }
}

static void a_million_components_are_too_many(void **state)
{
    enum { MANY = 1000000 };
    char *text = malloc(4 * MANY + 4);
    assert_non_null(text);
    er_mix *mix = NULL;
    static const int counts[] = {ER_MIX_MAX_COMPONENTS, ER_MIX_MAX_COMPONENTS + 1, MANY};
    for (int i = 0; i < 3; ++i) {
        for (int v = 0; v < counts[i]; ++v)
            memcpy(text + 4 * v, "1:2,", 5);
        text[4 * counts[i] - 1] = '\0';
        er_result result = er_mix_parse(context, text, &mix);
        if (i == 0)
            assert_int_equal(result, ER_OK);
        else
            expect_refusal(result, &mix, "1000");
        er_mix_destroy(mix);
    }
    free(text);
    er_mix_component *component = calloc(MANY, sizeof *component);
    assert_non_null(component);
    for (int v = 0; v < MANY; ++v)
        component[v] = er_default_mix_component();
    const er_mix many = {.name = "", .component_count = MANY, .component = component};
    expect_refusal(er_mix_create(context, &many, &mix), &mix, "1000");
    free(component);
}

// A mix without a name is called after its modes, as long as that is short.
static void mixes_are_called_after_their_modes(void **state)
{
    char text[200] = "", known[200] = "mix";
    for (int count = 1; count <= 14; ++count) {
        er_mix *mix = NULL;
        size_t used = strlen(text), said = strlen(known);
        snprintf(text + used, sizeof text - used, "%s%d:1", count > 1 ? "," : "", 100 + count);
        snprintf(known + said, sizeof known - said, " %d", 100 + count);
        assert_int_equal(er_mix_parse(context, text, &mix), ER_OK);
        char many[20];
        snprintf(many, sizeof many, "mix of %d", count);
        assert_string_equal(mix->name, strlen(known) < 48 ? known : many);
        er_mix_destroy(mix);
    }
}

// ---- values

static const double shape_of_two[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static void a_copy_owns_all_it_holds(void **state)
{
    char name[] = "wave";
    double shape[12];
    memcpy(shape, shape_of_two, sizeof shape);
    er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
    component[1].shape = shape;
    component[1].shape_hz = 2.5;
    component[0].damping = -1.0;
    er_mix *mix = NULL;
    const er_mix made = {.name = name, .cycle = 3.0, .body_count = 2, .component_count = 2, .component = component};
    assert_int_equal(er_mix_create(context, &made, &mix), ER_OK);
    memset(name, 'x', sizeof name - 1);
    memset(shape, 0, sizeof shape);
    memset(component, 0, sizeof component);
    assert_string_equal(mix->name, "wave");
    assert_true(mix->cycle == 3.0 && mix->body_count == 2 && mix->component_count == 2);
    assert_null(mix->component[0].shape);
    assert_true(mix->component[0].damping == -1.0 && mix->component[1].shape_hz == 2.5);
    assert_memory_equal(mix->component[1].shape, shape_of_two, sizeof shape_of_two);
    er_mix_destroy(mix);
}

static void every_value_has_its_bounds(void **state)
{
    static const struct {
        size_t offset;
        double good[2], bad[3];
        const char *said;
    } rows[] = {
        {offsetof(er_mix_component, degrees), {0, 3600}, {-1e-9, 3600.1, NAN}, "amplitude"},
        {offsetof(er_mix_component, hz), {0, 1e6}, {-1, 1.1e6, NAN}, "frequency"},
        {offsetof(er_mix_component, phase), {-1e9, 1e9}, {-HUGE_VAL, 1.1e9, NAN}, "phase"},
        {offsetof(er_mix_component, attack), {0, 1e5}, {-1e-9, 1.1e5, NAN}, "attack"},
        {offsetof(er_mix_component, decay), {0, 1e5}, {-1e-9, HUGE_VAL, NAN}, "decay"},
        {offsetof(er_mix_component, damping), {-1, 10}, {10.1, HUGE_VAL, NAN}, "damping ratio"},
        {offsetof(er_mix_component, shape_hz), {0, 1e9}, {-1, -HUGE_VAL, NAN}, "shape's frequency"},
    };
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        for (int k = 0; k < 5; ++k) {
            er_mix_component component[3] = {er_default_mix_component(), er_default_mix_component(),
                                             er_default_mix_component()};
            double value = k < 2 ? rows[i].good[k] : rows[i].bad[k - 2];
            memcpy((char *)&component[1] + rows[i].offset, &value, sizeof value);
            er_mix *mix = NULL;
            er_result result = er_mix_create(context, &(er_mix){.component_count = 3, .component = component}, &mix);
            if (k >= 2) {
                expect_refusal(result, &mix, rows[i].said);
            } else {
                assert_int_equal(result, ER_OK);
                assert_memory_equal(mix->name, "mix ", 4);
            }
            er_mix_destroy(mix);
        }
}

static void mixes_refuse_what_they_cannot_be(void **state)
{
    double broken[12];
    memcpy(broken, shape_of_two, sizeof broken);
    broken[11] = NAN;
    er_mix_component component = er_default_mix_component();
    er_mix *mix = NULL;
    const er_mix one = {.component_count = 1, .component = &component},
                 none = {.component_count = 0, .component = &component},
                 less = {.component_count = -1, .component = &component}, empty = {.component_count = 1};
    expect_refusal(er_mix_create(context, &none, &mix), &mix, "mode");
    expect_refusal(er_mix_create(context, &less, &mix), &mix, "mode");
    expect_refusal(er_mix_create(context, &empty, &mix), &mix, "mode");
    static const double cycles[] = {-1.0, 1.1e5, NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(cycles); ++i) {
        er_mix bad = one;
        bad.cycle = cycles[i];
        expect_refusal(er_mix_create(context, &bad, &mix), &mix, "cycle");
    }
    static const int modes[] = {-1, 1000000001}, harmonics[] = {-1, 10001};
    for (int i = 0; i < 2; ++i) {
        component = er_default_mix_component();
        component.mode = modes[i];
        expect_refusal(er_mix_create(context, &one, &mix), &mix, "index");
        component = er_default_mix_component();
        component.harmonic = harmonics[i];
        expect_refusal(er_mix_create(context, &one, &mix), &mix, "harmonic");
    }
    component = er_default_mix_component();
    component.hz = 1.0;
    component.harmonic = 1;
    expect_refusal(er_mix_create(context, &one, &mix), &mix, "harmonic");
    component = er_default_mix_component();
    component.shape = shape_of_two;
    expect_refusal(er_mix_create(context, &one, &mix), &mix, "shape");
    component.shape = broken;
    er_mix shaped = one;
    shaped.body_count = 2;
    expect_refusal(er_mix_create(context, &shaped, &mix), &mix, "shape");
    component = er_default_mix_component();
    component.at = "hand"; // without a length
    expect_refusal(er_mix_create(context, &one, &mix), &mix, "amplitude");
    component.metres = 0.1;
    component.at = "\xff";
    expect_refusal(er_mix_create(context, &one, &mix), &mix, "UTF-8");
    component.at = "hand";
    component.metres = 1e5 * 1.01;
    expect_refusal(er_mix_create(context, &one, &mix), &mix, "1.01e+07 cm");
    component.metres = 1e5;
    assert_int_equal(er_mix_create(context, &one, &mix), ER_OK);
    assert_true(strcmp(mix->component->at, "hand") == 0 && mix->component->at != component.at);
    er_mix_destroy(mix);
    component = er_default_mix_component();
    static const double sizes[] = {-1.0, 1.1e50, NAN};
    for (size_t i = 0; i < ERI_COUNT(sizes); ++i) {
        er_mix bad = one;
        bad.size = sizes[i];
        expect_refusal(er_mix_create(context, &bad, &mix), &mix, "size");
    }
    er_mix named = one;
    named.name = "\xff";
    expect_refusal(er_mix_create(context, &named, &mix), &mix, "name");
    named.name = "";
    named.size = 1e50;
    assert_int_equal(er_mix_create(context, &named, &mix), ER_OK);
    assert_string_equal(mix->name, "");
    er_mix_destroy(mix);
}

// ---- fitting

// A chain of hand_chain() whose stiffness follows a law.
typedef struct sample {
    er_model *model;
    er_modes *modes;
} sample;

static sample make_sample(const er_model *chain, const char *law)
{
    er_rig_change change = er_default_rig_change();
    er_stiffness stiffness;
    assert_int_equal(er_stiffness_parse(context, law, &stiffness), ER_OK);
    change.stiffness = &stiffness;
    sample s = {NULL, NULL};
    assert_int_equal(er_rig_change_model(context, chain, &change, &s.model), ER_OK);
    s.modes = rig_modes(context, s.model, ER_MODAL_AUTO);
    return s;
}

static void free_sample(sample s)
{
    er_modes_destroy(s.modes);
    er_model_destroy(s.model);
}

static er_mix_component shaped_component(const er_modes *modes, int k)
{
    er_mix_component v = er_default_mix_component();
    v.mode = k;
    v.degrees = 5.0 + k;
    v.phase = 0.1 * k;
    v.shape_hz = modes->mode[k].frequency_hz;
    v.shape = modes->mode[k].body;
    return v;
}

// a' M b, M as the judge has it.
static double mass_product(const judge *j, const double *a, const double *b)
{
    real sum = 0.0L;
    for (int i = 0; i < j->n; ++i)
        for (int k = 0; k < j->n; ++k)
            sum += (real)a[i] * j->M[i * j->n + k] * (real)b[k];
    return (double)sum;
}

static er_rig *chain_rig(hand *h)
{
    hand_chain(h);
    er_rig_def def = er_default_rig_def();
    def.root = ER_ROOT_FIXED;
    return hand_rig(context, &h->scene, &def);
}

static void shapes_survive_a_change_of_stiffness(void **state)
{
    static hand h;
    er_rig *chain = chain_rig(&h);
    static const char *const laws[] = {"graded:2:0", "graded:2:0.5", "graded:3:1", "uniform:1"};
    int moved = 0, found = 0, lost = 0;
    for (size_t a = 0; a < ERI_COUNT(laws); ++a)
        for (size_t b = 0; b < ERI_COUNT(laws); ++b) {
            sample from = make_sample(chain->model, laws[a]), to = make_sample(chain->model, laws[b]);
            judge *j = judge_create(to.model);
            for (int k = 0; k < from.modes->count; ++k) {
                er_mix_component component = shaped_component(from.modes, k);
                er_mix given = {.name = "saved",
                                .cycle = 2.0,
                                .body_count = to.model->body_count,
                                .component_count = 1,
                                .component = &component};
                // the mode most like it, found here
                int best = 0;
                double like = 0.0;
                for (int m = 0; m < to.modes->count; ++m) {
                    double c = mass_product(j, component.shape, to.modes->mode[m].body);
                    if (fabs(c) > fabs(like)) like = c, best = m;
                }
                er_mix *mix = NULL;
                er_mix_match match;
                er_result result = er_mix_fit(context, to.model, to.modes, &given, &match, &mix);
                if (fabs(like) < 0.7) {
                    expect_refusal(result, &mix, "mode");
                    ++lost;
                    continue;
                }
                assert_int_equal(result, ER_OK);
                ++found;
                moved += best != k;
                assert_int_equal(match.was, k);
                assert_int_equal(match.now, best);
                measure_at_most("likeness", fabs(match.likeness - fabs(like)), 1e-9);
                const er_mix_component *v = &mix->component[0];
                assert_string_equal(mix->name, "saved");
                assert_true(mix->cycle == 2.0 && mix->body_count == to.model->body_count && mix->component_count == 1);
                assert_true(v->mode == best && v->degrees == component.degrees && v->hz == 0.0);
                measure_at_most("phase", fabs(v->phase - component.phase - (like < 0.0 ? ER_PI : 0.0)), 1e-15);
                assert_true(v->shape_hz == to.modes->mode[best].frequency_hz);
                assert_memory_equal(v->shape, to.modes->mode[best].body,
                                    6 * (size_t)j->model->body_count * sizeof(double));
                er_mix_destroy(mix);
            }
            judge_destroy(j);
            free_sample(from);
            free_sample(to);
        }
    print_message("# %d shapes found, %d of them at another index, %d lost\n", found, moved, lost);
    assert_true(moved > 0 && lost > 0);
    er_rig_destroy(chain);
}

// The motion of a shape is the same whichever sign it was saved with.
static void a_flipped_sign_turns_the_phase(void **state)
{
    static hand h;
    er_rig *chain = chain_rig(&h);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    double flipped[6 * HAND_LINKS];
    er_mix_component component = shaped_component(modes, 2);
    for (int i = 0; i < 6 * HAND_LINKS; ++i)
        flipped[i] = -3.0 * component.shape[i]; // its length says nothing
    component.shape = flipped;
    const er_mix given = {.body_count = HAND_LINKS, .component_count = 1, .component = &component};
    er_mix *mix = NULL;
    er_mix_match match;
    assert_int_equal(er_mix_fit(context, chain->model, modes, &given, &match, &mix), ER_OK);
    assert_true(match.now == 2 && fabs(match.likeness - 1.0) < 1e-12);
    measure_at_most("turned phase", fabs(mix->component[0].phase - component.phase - ER_PI), 1e-15);
    er_mix_destroy(mix);
    // without a shape the index tells, and the shape is given to it
    component.shape = NULL;
    component.shape_hz = 0.0;
    assert_int_equal(er_mix_fit(NULL, chain->model, modes, &given, NULL, &mix), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mix_fit(context, chain->model, modes, &given, NULL, &mix), ER_OK);
    assert_true(mix->component[0].mode == 2 && mix->component[0].phase == component.phase);
    assert_memory_equal(mix->component[0].shape, modes->mode[2].body, sizeof flipped);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

// In a window of frequencies, which begins above 0, components mean what they mean among all modes.
static void a_window_of_modes_keeps_their_indices(void **state)
{
    static hand h;
    er_rig *chain = chain_rig(&h);
    const er_model *m = chain->model;
    er_modes *all = rig_modes(context, m, ER_MODAL_AUTO), *window = NULL;
    er_modal_def def = er_default_modal_def();
    def.min_hz = 0.5 * (all->mode[2].frequency_hz + all->mode[3].frequency_hz);
    assert_int_equal(er_modal_solve(context, m, &def, &window), ER_OK);
    assert_int_equal(window->first, 3);
    for (int shaped = 0; shaped < 2; ++shaped) {
        er_mix_component component = shaped_component(all, 5), fitted[2];
        if (!shaped) component.shape = NULL;
        er_mix given = {.body_count = HAND_LINKS, .component_count = 1, .component = &component};
        for (int i = 0; i < 2; ++i) {
            const er_modes *modes = i == 0 ? all : window;
            er_mix_match match;
            er_mix *mix = NULL;
            assert_int_equal(er_mix_fit(context, m, modes, &given, &match, &mix), ER_OK);
            fitted[i] = mix->component[0];
            assert_int_equal(match.now, 5);
            assert_int_equal(fitted[i].mode, 5);
            assert_memory_equal(fitted[i].shape, modes->mode[5 - modes->first].body, sizeof(double[6 * HAND_LINKS]));
            er_mix_destroy(mix);
        }
        measure_at_most("frequency from a window", relative_error(fitted[1].shape_hz, fitted[0].shape_hz), 1e-12);
        const double time = 0.37;
        er_pose pose[2][HAND_LINKS];
        for (int i = 0; i < 2; ++i) {
            er_motion *motion = NULL;
            assert_int_equal(er_motion_create(context, m, i == 0 ? all : window, &given, NULL, &motion), ER_OK);
            assert_int_equal(er_motion_poses(motion, 1, &time, NULL, pose[i]), ER_OK);
            er_motion_destroy(motion);
        }
        for (int b = 0; b < HAND_LINKS; ++b)
            measure_at_most("poses from a window", er_v3_distance(pose[0][b].p, pose[1][b].p), 1e-12);
    }
    er_mix_component below = shaped_component(all, 2);
    below.shape = NULL;
    er_mix *mix = NULL;
    const er_mix given = {.body_count = HAND_LINKS, .component_count = 1, .component = &below};
    expect_refusal(er_mix_fit(context, m, window, &given, NULL, &mix), &mix, "3 to 8");
    er_modes_destroy(window);
    er_modes_destroy(all);
    er_rig_destroy(chain);
}

static void mixes_of_other_rigs_are_refused(void **state)
{
    static hand h;
    er_rig *chain = chain_rig(&h);
    const er_model *m = chain->model;
    er_modal_def def = er_default_modal_def();
    def.mode_count = 4;
    er_modes *modes = NULL, *all = rig_modes(context, m, ER_MODAL_AUTO);
    assert_int_equal(er_modal_solve(context, m, &def, &modes), ER_OK);
    er_mix *mix = NULL;
    er_mix_component component[2] = {shaped_component(all, 1), shaped_component(all, 1)};
    er_mix given = {.body_count = HAND_LINKS + 1, .component_count = 1, .component = component};
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "5 bodies");
    given.body_count = HAND_LINKS;
    // a mode that is there, but was not solved for
    component[0] = shaped_component(all, 8);
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "mode 8");
    component[0].shape = NULL;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "0 to 3");
    component[0].mode = 9;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "mode 9");
    // nothing: no motion is like it
    static const double still[6 * HAND_LINKS] = {0};
    component[0] = shaped_component(all, 1);
    component[0].shape = still;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "mode");
    // two components that were different modes and now are one
    component[0] = shaped_component(all, 1);
    component[1].mode = 7;
    given.component_count = 2;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "mode 1");
    component[1].mode = 1; // the same one twice is a mix as any
    assert_int_equal(er_mix_fit(context, m, modes, &given, NULL, &mix), ER_OK);
    er_mix_destroy(mix);
    // lengths of which a joint would have to turn ten times about, and as long as it may
    for (int more = 0; more < 2; ++more) {
        component[0] = er_default_mix_component();
        component[0].mode = 1;
        double one = er_mode_excursion(m, &all->mode[1], -1) * er_mode_amplitude(m, &all->mode[1], 3600.0);
        component[0].metres = one * (more == 1 ? 1.0 + 1e-9 : 1.0 - 1e-9);
        er_result r =
            er_mix_fit(context, m, modes, &(er_mix){.component_count = 1, .component = component}, NULL, &mix);
        if (more == 0) {
            assert_int_equal(r, ER_OK);
            measure_at_most("degrees of a length", fabs(mix->component->degrees / 3600.0 - 1.0), 1e-8);
            er_mix_destroy(mix);
            continue;
        }
        expect_refusal(r, &mix, "mode 1");
    }
    // mixes made by hand are checked before they are read
    given.body_count = 0;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "shape");
    given.body_count = HAND_LINKS;
    component[0] = shaped_component(all, 1);
    given.component_count = -1;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "mode");
    given.component_count = 1000000;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "1000");
    given.component_count = 1;
    component[0].degrees = NAN;
    expect_refusal(er_mix_fit(context, m, modes, &given, NULL, &mix), &mix, "amplitude");
    er_modes_destroy(modes);
    er_modes_destroy(all);
    er_rig_destroy(chain);
}

// ---- memory

static void every_allocation_may_fail(void **state)
{
    static hand h;
    er_rig *chain = chain_rig(&h);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    er_mix_component component[2] = {shaped_component(modes, 0), shaped_component(modes, 1)};
    const er_mix given = {.name = "given", .body_count = HAND_LINKS, .component_count = 2, .component = component};
    // names so long that each takes memory of its own
    enum { LONG = 300000 };
    static char name[LONG + 1], text[LONG + 10] = "1:2cm:";
    memset(name, 'x', LONG);
    strcat(text, name);
    er_mix_component named = er_default_mix_component();
    named.metres = 0.1;
    named.at = name;
    const er_mix long_one = {.name = name, .component_count = 1, .component = &named};
    for (int call = 0; call < 5; ++call) {
        er_result result = ER_ERROR_MEMORY;
        long n = 0;
        for (; result != ER_OK; ++n) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            er_mix *mix = (er_mix *)&l; // not NULL
            l.left = n;
            result = call == 3   ? er_mix_create(own, &long_one, &mix)
                     : call == 4 ? er_mix_parse(own, text, &mix)
                     : call == 0 ? er_mix_create(own, &given, &mix)
                     : call == 1 ? er_mix_parse(own, "1:2,3:4@5+6", &mix)
                                 : er_mix_fit(own, chain->model, modes, &given, NULL, &mix);
            assert_true((result == ER_OK) == (mix != NULL));
            assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            if (result == ER_OK && call > 2) assert_string_equal(mix->component->at, name);
            er_mix_destroy(mix);
            ledger_end(&l, own);
        }
        assert_true(n > 1);
    }
    er_modes_destroy(modes);
    er_rig_destroy(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_text_says_what_plays),    cmocka_unit_test(words_that_are_none_are_named),
        cmocka_unit_test(a_million_components_are_too_many), cmocka_unit_test(mixes_are_called_after_their_modes),
        cmocka_unit_test(a_copy_owns_all_it_holds),          cmocka_unit_test(every_value_has_its_bounds),
        cmocka_unit_test(mixes_refuse_what_they_cannot_be),  cmocka_unit_test(shapes_survive_a_change_of_stiffness),
        cmocka_unit_test(a_flipped_sign_turns_the_phase),    cmocka_unit_test(a_window_of_modes_keeps_their_indices),
        cmocka_unit_test(mixes_of_other_rigs_are_refused),   cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("mix", tests, set_up, tear_down);
}
