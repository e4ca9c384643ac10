// Numbers that pictures are asked for by: to the ends of what the header says, and no further.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/context.h"
#include "viewer/render/render.h"

// Nothing is ever drawn, since neither mesh nor skeleton is shown: a number that is fine leaves this as the complaint.
static char fine[256];

static void expect(const render_def *def, const char *named)
{
    render_def d = *def;
    render_subject none = {0};
    render_report report;
    d.mesh = d.skeleton = false;
    assert_refusal(context, render_write(context, &none, &d, "never.png", &report), ER_ERROR_ARGUMENT, named);
    if (named != fine) assert_string_not_equal(er_context_error(context), fine);
}

static int begin(void **state)
{
    const render_def d = render_default_def();
    int failed = set_up(state);
    if (failed != 0) return failed;
    expect(&d, "");
    snprintf(fine, sizeof fine, "%s", er_context_error(context));
    return 0;
}

// Both ends of a number's range are fine, and what lies beyond them is not.
static void expect_ends(render_def *def, double *number, double low, double high, const char *named)
{
    const double was = *number,
                 cases[] = {low, high, nextafter(low, -HUGE_VAL), nextafter(high, HUGE_VAL), -HUGE_VAL, HUGE_VAL, NAN};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        *number = cases[i];
        expect(def, i < 2 ? fine : named);
    }
    *number = was;
}

static void expect_count(render_def *def, int *number, int low, int high, const char *named)
{
    const int was = *number, ends[] = {low - 1, low, high, high + 1};
    for (int i = 0; i < 4; ++i) {
        *number = ends[i];
        expect(def, i == 1 || i == 2 ? fine : named);
    }
    *number = was;
}

static void numbers_are_taken_up_to_their_ends(void **state)
{
    render_def d = render_default_def();
    expect(&d, fine);
    expect_ends(&d, &d.fps, 1e-3, 1000.0, "[0.001, 1000]");
    expect_ends(&d, &d.duration, 0.0, 1000.0, "(0, 1000]");
    expect_ends(&d, &d.degrees, 0.0, 180.0, "[0, 180]");
    expect_ends(&d, &d.pitch, -0.5 * ER_PI, 0.5 * ER_PI, "[-90, 90]");
}

static void sizes_are_taken_up_to_their_ends(void **state)
{
    render_def d = render_default_def();
    expect_count(&d, &d.count, 1, 400, "400");
    d.width = d.height = 16;
    expect_count(&d, &d.width, 16, 8192, "8192");
    expect_count(&d, &d.height, 16, 8192, "8192");
    d.width = 0; // one alone
    expect(&d, "8192");
}

static void what_is_no_number_is_refused(void **state)
{
    render_def d = render_default_def();
    double *const free[] = {&d.phase, &d.time, &d.yaw};
    for (size_t i = 0; i < sizeof free / sizeof *free; ++i) {
        *free[i] = -1e300;
        expect(&d, fine);
        *free[i] = i % 2 == 0 ? NAN : HUGE_VAL;
        expect(&d, "");
        *free[i] = i % 2 == 0 ? HUGE_VAL : NAN;
        expect(&d, "");
        *free[i] = 0.0;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_taken_up_to_their_ends),
        cmocka_unit_test(sizes_are_taken_up_to_their_ends),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, begin, tear_down);
}
