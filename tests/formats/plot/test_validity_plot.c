// The drawing of how far modes are true, of verdicts made by hand: lines against logarithms of what they show.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/plots.h>

#include "drawing.h"
#include "support/context.h"
#include "support/ledger.h"
#include "support/sample.h"

enum { MODES = 3, TRIALS = 4 };

static char path[512];

typedef struct line {
    double x[TRIALS], y[TRIALS];
    char colour[40];
    int mode;
} line;

static const er_trial swings[MODES][TRIALS] = {
    {{.degrees = 0.1, .shift = 1e-6, .leakage = 1e-8},
     {.degrees = 1.0, .shift = 1e-4, .leakage = 1e-5},
     {.degrees = 10.0, .shift = -0.01, .leakage = 1e-3},
     {.degrees = 30.0, .shift = 0.1, .leakage = 0.5}},
    {{.degrees = 0.1, .shift = 1e-12, .leakage = 0.0},
     {.degrees = 1.0, .shift = -1e-5, .leakage = 1e-9},
     {.degrees = 10.0, .shift = 0.02, .leakage = 1e-6},
     {.degrees = 50.0, .shift = 0.3, .leakage = 0.9}},
    {{.degrees = 0.02, .shift = 1e-3, .leakage = 2e-3},
     {.degrees = 0.2, .shift = 2e-3, .leakage = 3e-3},
     {.degrees = 2.0, .shift = 3e-3, .leakage = 4e-3},
     {.degrees = 20.0, .shift = 4e-3, .leakage = 5e-3}},
};
static const er_mode_validity modes[MODES] = {
    {.mode = 6, .trial_count = TRIALS, .trial = swings[0], .true_to_degrees = 9.5},
    {.mode = 7, .trial_count = TRIALS, .trial = swings[1], .true_to_degrees = 5.25},
    {.mode = 11, .trial_count = TRIALS, .trial = swings[2], .true_to_degrees = 30.0, .at_least = true}};
static const er_validity validity = {.count = MODES, .mode = modes, .shift = 0.01};

static char *drawn(const er_validity *what)
{
    size_t size;
    if (er_validity_plot(context, what, "<one & all>", path) != ER_OK) fail_msg("%s", er_context_error(context));
    return read_bytes(path, &size);
}

static const char *next_line(const char *at, line *out)
{
    at = strstr(at + 1, "<polyline points=\"");
    if (at == NULL) return NULL;
    const char *p = at + strlen("<polyline points=\"");
    for (int i = 0, used; i < TRIALS; ++i, p += used)
        assert_int_equal(sscanf(p, "%lf,%lf%n", &out->x[i], &out->y[i], &used), 2);
    p = strstr(p, "stroke=\"");
    assert_int_equal(sscanf(p, "stroke=\"%39[^\"]\"", out->colour), 1);
    assert_int_equal(sscanf(strstr(p, "<title>"), "<title>mode %d<", &out->mode), 1);
    return at;
}

// Two panels, one above the other, with a line a mode; both axes are logarithmic, and the smallest are drawn at 1e-9.
static void lines_show_shift_and_leakage(void **state)
{
    char *text = drawn(&validity);
    const char *at = text;
    line l[2][MODES];
    double lowest = 0.0, dashed = 0.0;
    const char *end = text + strlen(text);
    const eri_axis across = {true, 0.01, 60.0, PAPER_LEFT, PAPER_RIGHT};
    for (int panel = 0; panel < 2; ++panel) { // 352 pixels apart: a panel of 290, its numbers and the next heading
        const double top = 78.0 + 352.0 * panel;
        const eri_axis up = {true, 1e-9, 1.0, top + 290.0, top};
        drawing_expect_panel(panel == 0 ? text : strstr(text, "Leakage<") - 80,
                             panel == 0 ? strstr(text, "Leakage<") : end, top, &across, &up,
                             panel == 0 ? "Shift of the frequency" : "Leakage",
                             panel == 0 ? "of the modal one, over amplitude; dashed: 1 %"
                                        : "share of the energy in other modes after ten periods",
                             "degrees");
    }
    drawing_mark(text, end, "viewBox=\"0 0 960 756\" width=\"960\" height=\"756\"");
    drawn_text heading = drawing_find(text, end, "&lt;one &amp; all&gt;");
    assert_true(heading.x == PAPER_LEFT && heading.y == 29.0);
    for (int panel = 0; panel < 2; ++panel)
        for (int k = 0; k < MODES; ++k) {
            at = next_line(at, &l[panel][k]);
            assert_non_null(at);
            assert_int_equal(l[panel][k].mode, modes[k].mode);
            assert_string_equal(l[panel][k].colour, l[0][k].colour);
            for (int other = 0; other < k; ++other)
                assert_string_not_equal(l[panel][k].colour, l[panel][other].colour);
        }
    assert_null(next_line(at, &(line){.mode = 0}));
    double decade = l[0][0].x[1] - l[0][0].x[0],
           rise = (l[0][0].y[0] - l[0][0].y[1]) / 2.0; // of 0.1 and 1, 1e-6 and 1e-4
    assert_true(decade > 50.0 && rise > 15.0);
    for (int panel = 0; panel < 2; ++panel) {
        double base = panel == 0 ? l[0][0].y[1] - 4.0 * rise : l[1][0].y[1] - 5.0 * rise; // where 1 is
        assert_true(panel == 0 || base > lowest);                                         // below the other one
        for (int k = 0; k < MODES; ++k)
            for (int i = 0; i < TRIALS; ++i) {
                const er_trial *t = &swings[k][i];
                double value = fmax(panel == 0 ? fabs(t->shift) : t->leakage, 1e-9);
                assert_true(fabs(l[panel][k].x[i] - l[0][0].x[1] - decade * log10(t->degrees)) < 0.3);
                assert_true(fabs(l[panel][k].y[i] - base + rise * log10(value)) < 0.5);
                lowest = fmax(lowest, l[panel][k].y[i]);
            }
    }
    const char *dashes = strstr(text, "stroke-dasharray");
    assert_non_null(dashes);
    while (*dashes != 'M')
        --dashes;
    assert_int_equal(sscanf(dashes, "M%*f %lfH", &dashed), 1);
    assert_true(fabs(dashed - l[0][0].y[2]) < 0.2); // that trial's shift is the limit
    assert_null(strstr(strstr(text, "stroke-dasharray") + 1, "stroke-dasharray"));
    free(text);
}

static void names_tell_how_far_each_is_true(void **state)
{
    char *text = drawn(&validity);
    assert_non_null(strstr(text, "<title>&lt;one &amp; all&gt;</title>"));
    static const char *const names[] = {"mode 6: true to 9.5\u00b0<", "mode 7: true to 5.25\u00b0<",
                                        "mode 11: true to \u2265 30\u00b0<"};
    double before = 0.0;
    for (int k = 0; k < MODES; ++k) {
        const char *name = strstr(text, names[k]), *stroke = name;
        double x, y;
        line l;
        if (name == NULL) fail_msg("no \"%s\"", names[k]);
        while (strncmp(stroke, "<path", 5) != 0)
            --stroke;
        assert_int_equal(sscanf(stroke, "<path d=\"M%lf %lfh18\" stroke=\"%39[^\"]\"", &x, &y, l.colour), 3);
        assert_true(y > before + 10.0 && x == PAPER_RIGHT + 14.0 && y == 78.0 + 14.0 + 18.0 * k);
        before = y;
        char words[80];
        snprintf(words, sizeof words, "%.*s", (int)strlen(names[k]) - 1, names[k]);
        drawn_text said = drawing_find(text, text + strlen(text), words);
        assert_true(said.x == PAPER_RIGHT + 38.0 && said.y == y + 4.0);
        line drawn_line = {.mode = 0};
        const char *at = text;
        while (drawn_line.mode != modes[k].mode)
            at = next_line(at, &drawn_line);
        assert_string_equal(drawn_line.colour, l.colour);
    }
    free(text);
}

// Fifteen of many modes have a name, the first and the last among them.
static void of_many_modes_some_are_named(void **state)
{
    er_mode_validity many[40];
    const er_validity all = {.count = 40, .mode = many, .shift = 0.01};
    int named = 0;
    for (int k = 0; k < 40; ++k) {
        many[k] = modes[0];
        many[k].mode = 100 + k;
    }
    char *text = drawn(&all);
    for (const char *at = text; (at = strstr(at, ": true to ")) != NULL; ++at)
        ++named;
    assert_int_equal(named, 15);
    for (int i = 0; i < 15; ++i) { // evenly, from blue, 220 degrees, to red
        char name[40];
        line l = {.mode = 0};
        snprintf(name, sizeof name, "mode %d: true to 9.5\u00b0", 100 + 39 * i / 14);
        drawing_find(text, text + strlen(text), name);
        const char *at = text;
        while (l.mode != 100 + 39 * i / 14)
            at = next_line(at, &l);
        snprintf(name, sizeof name, "hsl(%.0f,70%%,42%%)", 220.0 - 220.0 * (39 * i / 14) / 39.0);
        assert_string_equal(l.colour, name);
    }
    assert_true(strstr(text, "mode 100: ") != NULL && strstr(text, "mode 139: ") != NULL);
    free(text);
    const er_validity one = {.count = 1, .mode = modes, .shift = 0.01}, none = {.count = 0, .shift = 0.01};
    text = drawn(&one);
    assert_non_null(strstr(text, "mode 6: true to"));
    assert_int_equal(drawing_count(text, text + strlen(text), "stroke=\"hsl(220,70%,42%)\""), 3); // lines and a name
    free(text);
    text = drawn(&none);
    assert_null(strstr(text, "true to"));
    free(text);
}

static er_result write_validity(er_context *own, const void *of)
{
    return er_validity_plot(own, of, "title", path);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    unlink(path);
    assert_int_equal(er_validity_plot(NULL, &validity, "", path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_plot(context, NULL, "", path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_plot(context, &validity, "", NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_validity_plot(context, &validity, "", "nowhere/at/all.svg"), ER_ERROR_FILE);
    assert_int_equal(count_files(sample_folder()), 0);
    assert_int_equal(er_validity_plot(context, &validity, NULL, path), ER_OK);
    ledger_refuse_each(write_validity, &validity, path);
}

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.svg"));
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_show_shift_and_leakage),
        cmocka_unit_test(names_tell_how_far_each_is_true),
        cmocka_unit_test(of_many_modes_some_are_named),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests_name("validity_plot", tests, open_folder, tear_down);
}
