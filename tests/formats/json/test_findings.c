// Findings about modes and gaits as JSON, judged by another reader of JSON; and how far modes are valid, in a palette.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <eigenrig/formats.h>
#include <eigenrig/plots.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static char path[512];

static int open_folder(void **state)
{
    int failed = set_up(state);
    snprintf(path, sizeof path, "%s", sample_path("found.json"));
    return failed;
}

static json_t *written(void)
{
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (json == NULL) fail_msg("%s", error.text);
    return json;
}

static const json_t *get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) fail_msg("there is no \"%s\"", key);
    return value;
}

static const json_t *item(const json_t *object, const char *key, size_t index, size_t count)
{
    const json_t *list = get(object, key);
    assert_int_equal(json_array_size(list), count);
    return json_array_get(list, index);
}

static void same_number(const json_t *object, const char *key, double want)
{
    double got = json_number_value(get(object, key));
    if (got != want) fail_msg("%s is %.17g, not %.17g", key, got, want);
}

static void same_text(const json_t *object, const char *key, const char *want)
{
    assert_string_equal(json_string_value(get(object, key)), want);
}

static void same_flag(const json_t *object, const char *key, bool want)
{
    const json_t *flag = get(object, key);
    assert_true(json_is_boolean(flag) && json_is_true(flag) == want);
}

// A rig of some elastic modes.
static er_model *make_rig(er_modes **modes)
{
    static rig r;
    dice d = {5};
    rig_random(&r, &d, true);
    er_model *m = rig_model(context, &r);
    *modes = rig_modes(context, m, ER_MODAL_AUTO);
    return m;
}

// ---- how far modes are true

static const er_trial swings[] = {{0.01, 1e-9, 0.0}, {5.0, 0.1, 0.25}, {60.0, -1.0, 1.0}};

static void verdicts_are_listed_mode_by_mode(void **state)
{
    er_modes *modes;
    er_model *m = make_rig(&modes);
    int last = er_modes_index(modes, &modes->mode[modes->count - 1]);
    const er_mode_validity mode[] = {{last, 12.5, false, 2, swings}, {last + 7, 60.0, true, 0, NULL}};
    const er_validity validity = {.shift = 0.03, .energy_drift = 2e-5, .count = 2, .mode = mode};
    assert_int_equal(er_validity_write_json(context, &validity, modes, "a \"rig\"", path), ER_OK);
    json_t *json = written();
    same_text(json, "format", "eigenrig-validity");
    same_text(json, "name", "a \"rig\"");
    same_number(json, "version", 1);
    same_number(json, "shift", 0.03);
    same_number(json, "energy_drift", 2e-5);
    const json_t *first = item(json, "modes", 0, 2), *second = item(json, "modes", 1, 2);
    same_number(first, "mode", last);
    same_number(first, "frequency_hz", modes->mode[modes->count - 1].frequency_hz);
    same_number(first, "true_to_degrees", 12.5);
    same_flag(first, "at_least", false);
    for (size_t i = 0; i < 2; ++i) {
        const json_t *trial = item(first, "trials", i, 2);
        same_number(trial, "amplitude_degrees", swings[i].degrees);
        same_number(trial, "frequency_shift", swings[i].shift);
        same_number(trial, "leakage", swings[i].leakage);
    }
    same_number(second, "mode", last + 7);
    assert_null(json_object_get(second, "frequency_hz")); // of no mode that there is
    same_flag(second, "at_least", true);
    assert_int_equal(json_array_size(get(second, "trials")), 0);
    json_decref(json);
    assert_int_equal(er_validity_write_json(context, &validity, modes, NULL, path), ER_OK);
    json = written();
    same_text(json, "name", "");
    json_decref(json);
    assert_int_equal(er_validity_write_json(NULL, &validity, modes, "", path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_json(context, NULL, modes, "", path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_json(context, &validity, NULL, "", path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_json(context, &validity, modes, "", NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_write_json(context, &validity, modes, "", "nowhere/at/all.json"), ER_ERROR_FILE);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// A palette that says of its second and its last elastic mode how far they are true; what is asked of other modes, or
// of one whose frequency is another now, it does not know.
static void a_palette_says_how_far_its_modes_are_true(void **state)
{
    er_modes *modes;
    er_model *m = make_rig(&modes);
    int last = modes->count - 1, other = last - 1;
    const er_mode_validity mode[] = {{er_modes_index(modes, &modes->mode[other]), 0.0, false, 1, swings},
                                     {er_modes_index(modes, &modes->mode[last]), 42.5, false, 2, swings}};
    const er_validity validity = {.shift = 0.02, .count = 2, .mode = mode};
    double *to = malloc((size_t)modes->count * sizeof *to);
    assert_non_null(to);
    assert_int_equal(er_palette_file_write(context, m, modes, NULL, &validity, NULL, path), ER_OK);
    assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
    for (int k = 0; k < modes->count; ++k)
        assert_true(k == last ? to[k] == 42.5 : k == other ? to[k] == 0.0 : isnan(to[k]));
    er_mode *changed = (er_mode *)(uintptr_t)&modes->mode[last];
    double hz = changed->frequency_hz;
    const double by[] = {1.0 + 0.5e-6, 1.0 + 3e-6, 1.0 - 3e-6};
    for (size_t i = 0; i < ERI_COUNT(by); ++i) {
        changed->frequency_hz = hz * by[i];
        assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
        assert_true(i == 0 ? to[last] == 42.5 : isnan(to[last]));
        assert_true(to[other] == 0.0);
    }
    changed->frequency_hz = hz;
    // numbers that no verdict has are passed over
    json_t *json = written(), *listed = json_array_get(json_object_get(json, "modes"), (size_t)last);
    static const double bad[] = {-1.0, 360.5};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        json_object_set_new(listed, "true_to_degrees", json_real(bad[i]));
        assert_int_equal(json_dump_file(json, path, JSON_REAL_PRECISION(17)), 0);
        assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
        assert_true(isnan(to[last]) && to[other] == 0.0);
    }
    json_object_set_new(listed, "true_to_degrees", json_integer(360));
    assert_int_equal(json_dump_file(json, path, JSON_REAL_PRECISION(17)), 0);
    assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
    assert_true(to[last] == 360.0);
    json_object_set_new(listed, "true_to_degrees", json_string("42"));
    assert_int_equal(json_dump_file(json, path, JSON_REAL_PRECISION(17)), 0);
    assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
    assert_true(isnan(to[last]));
    json_decref(json);
    assert_int_equal(er_rig_file_write(context, m, path), ER_OK); // which has no modes
    assert_int_equal(er_palette_file_read_validity(context, path, modes, to), ER_OK);
    for (int k = 0; k < modes->count; ++k)
        assert_true(isnan(to[k]));
    assert_int_equal(er_palette_file_read_validity(context, "nowhere.json", modes, to), ER_ERROR_FILE);
    assert_int_equal(er_palette_file_read_validity(NULL, path, modes, to), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_read_validity(context, NULL, modes, to), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_read_validity(context, path, NULL, to), ER_ERROR_ARGUMENT);
    assert_int_equal(er_palette_file_read_validity(context, path, modes, NULL), ER_ERROR_ARGUMENT);
    free(to);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- gaits

static void same_way(const json_t *object, const char *key, er_vec3 v)
{
    const double want[3] = {v.x, v.y, v.z};
    for (size_t i = 0; i < 3; ++i)
        assert_true(json_number_value(item(object, key, i, 3)) == want[i]);
}

static void gaits_are_listed_with_their_feet(void **state)
{
    er_modes *modes;
    er_model *m = make_rig(&modes);
    ((er_body *)(uintptr_t)m->body)[1].name = "left sole";
    const er_gait_foot foot[] = {{.name = "L", .body = 0, .sole = 1}, {.name = "R", .body = 1, .sole = 0}};
    const er_gait_body body = {
        .up = {0, 1, 0}, .forward = {0.6, 0, 0.8}, .left = {0.8, 0, -0.6}, .foot_count = 2, .foot = foot};
    er_mix_component component[3] = {er_default_mix_component(), er_default_mix_component(),
                                     er_default_mix_component()};
    for (int i = 0; i < 3; ++i) {
        component[i].mode = 6 + i;
        component[i].degrees = 1.5 + i;
        component[i].harmonic = 1 + i;
        component[i].phase = ER_PI / (2 << i);
    }
    const er_mix mix[] = {{.component_count = 3, .component = component},
                          {.component_count = 1, .component = component}};
    const er_gait_step step[] = {{0.625, 0.0, 0.03}, {0.5, 0.375, 0.04}, {0.25, 0.125, 0.05}, {0.75, 0.5, 0.06}};
    er_gait gait[2] = {{.name = "walk", .family = ER_GAIT_WALK, .mix = &mix[0], .step = step},
                       {.name = "trot 2", .family = ER_GAIT_TROT, .mix = &mix[1], .step = step + 2}};
    const struct {
        const char *key;
        size_t offset;
    } numbers[] = {{"score", offsetof(er_gait, score)},   {"hz", offsetof(er_gait, hz)},
                   {"own_hz", offsetof(er_gait, own_hz)}, {"speed_m_s", offsetof(er_gait, speed)},
                   {"froude", offsetof(er_gait, froude)}, {"stride_m", offsetof(er_gait, stride)},
                   {"slip", offsetof(er_gait, slip)},     {"clearance_m", offsetof(er_gait, clearance)},
                   {"bob_m", offsetof(er_gait, bob)},     {"flight", offsetof(er_gait, flight)},
                   {"duty", offsetof(er_gait, duty)},     {"cost_of_transport", offsetof(er_gait, cost)}};
    for (size_t g = 0; g < 2; ++g)
        for (size_t i = 0; i < ERI_COUNT(numbers); ++i) {
            double value = 0.125 + (double)i + 20.0 * (double)g;
            memcpy((char *)&gait[g] + numbers[i].offset, &value, sizeof value);
        }
    const er_gaits gaits = {.body = &body, .count = 2, .gait = gait};
    const er_gait_walk walk[] = {{.seconds = 0.0, .distance = 9.0},
                                 {2.5, -0.75, -0.5, true, "head bears weight", 4, 3, 0.125, 0.625, 0.375, "speed=0.6"}};
    for (int walked = 0; walked < 2; ++walked) {
        assert_int_equal(er_gaits_write_json(context, m, &gaits, walked == 1 ? walk : NULL, path), ER_OK);
        json_t *json = written();
        same_text(json, "format", "eigenrig-gaits");
        same_number(json, "version", 1);
        same_text(json, "name", m->name);
        same_way(json, "up", body.up);
        same_way(json, "forward", body.forward);
        same_text(item(json, "feet", 0, 2), "name", "L");
        same_text(item(json, "feet", 0, 2), "body", "left sole");
        same_text(item(json, "feet", 1, 2), "name", "R");
        same_text(item(json, "feet", 1, 2), "body", m->body[0].name);
        for (size_t g = 0; g < 2; ++g) {
            const json_t *one = item(json, "gaits", g, 2);
            same_text(one, "name", gait[g].name);
            same_text(one, "family", g == 0 ? "walk" : "trot");
            for (size_t i = 0; i < ERI_COUNT(numbers); ++i)
                same_number(one, numbers[i].key, 0.125 + (double)i + 20.0 * (double)g);
            size_t count = (size_t)mix[g].component_count;
            for (size_t i = 0; i < count; ++i) {
                const json_t *mode = item(one, "modes", i, count);
                same_number(mode, "mode", 6.0 + (double)i);
                same_number(mode, "degrees", 1.5 + (double)i);
                same_number(mode, "harmonic", 1.0 + (double)i);
                same_number(mode, "phase", 90.0 / (double)(1 << i));
            }
            for (size_t i = 0; i < 2; ++i) {
                const json_t *put = item(one, "steps", i, 2);
                same_text(put, "foot", foot[i].name);
                same_number(put, "duty", gait[g].step[i].duty);
                same_number(put, "phase", gait[g].step[i].phase);
                same_number(put, "clearance_m", gait[g].step[i].clearance);
            }
        }
        assert_int_equal(json_object_get(json, "simulated") != NULL, walked == 1);
        if (walked == 1) { // what took no time was not simulated
            const json_t *simulated = item(json, "simulated", 0, 1);
            same_text(simulated, "gait", gait[1].name);
            same_number(simulated, "seconds", 2.5);
            same_number(simulated, "distance_m", -0.75);
            same_number(simulated, "body_lengths", -0.5);
            same_flag(simulated, "fell", true);
            same_text(simulated, "until", "head bears weight");
            same_number(simulated, "pushes", 4);
            same_number(simulated, "pushes_survived", 3);
            same_number(simulated, "slip", 0.125);
            same_number(simulated, "cost_of_transport", 0.625);
            same_number(simulated, "animal", 0.375);
            same_text(simulated, "walk", "speed=0.6");
        }
        json_decref(json);
    }
    assert_int_equal(er_gaits_write_json(NULL, m, &gaits, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_write_json(context, NULL, &gaits, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_write_json(context, m, NULL, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_write_json(context, m, &gaits, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gaits_write_json(context, m, &gaits, NULL, "nowhere/at/all.json"), ER_ERROR_FILE);
    er_modes_destroy(modes);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_listed_mode_by_mode),
        cmocka_unit_test(a_palette_says_how_far_its_modes_are_true),
        cmocka_unit_test(gaits_are_listed_with_their_feet),
    };
    return cmocka_run_group_tests_name("findings", tests, open_folder, tear_down);
}
