// What of a picture may be asked for: to the ends of what the header says, and no further.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "viewer/render/render.h"

// Nothing is ever drawn: what is fine but for that shows neither mesh nor skeleton.
static const char fine[] = "neither mesh nor skeleton is shown";

static void expect(const render_def *def, const char *words)
{
    render_def d = *def;
    render_subject none = {0};
    render_report report;
    d.mesh = d.skeleton = false;
    assert_int_equal(render_write(context, &none, &d, "never.png", &report), ER_ERROR_ARGUMENT);
    if (strstr(er_context_error(context), words) == NULL)
        fail_msg("\"%s\", not \"%s\"", er_context_error(context), words);
}

// Of a number both ends are fine, and what lies beyond them is not.
static void expect_ends(render_def *def, double *number, double low, double high, const char *words)
{
    const double was = *number, good[] = {low, high},
                 bad[] = {nextafter(low, -HUGE_VAL), nextafter(high, HUGE_VAL), -HUGE_VAL, HUGE_VAL, NAN};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        *number = good[i];
        expect(def, fine);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        *number = bad[i];
        expect(def, words);
    }
    *number = was;
}

static void expect_count(render_def *def, int *number, int low, int high, const char *words)
{
    const int was = *number, ends[] = {low - 1, low, high, high + 1};
    for (int i = 0; i < 4; ++i) {
        *number = ends[i];
        expect(def, i == 1 || i == 2 ? fine : words);
    }
    *number = was;
}

static void numbers_are_taken_up_to_their_ends(void **state)
{
    render_def d = render_default_def();
    expect(&d, fine);
    expect_ends(&d, &d.fps, 1e-3, 1000.0, "frames a second are not in [0.001, 1000]");
    expect_ends(&d, &d.duration, 0.0, 1000.0, "a duration of ");
    expect_ends(&d, &d.degrees, 0.0, 180.0, "degrees is not in [0, 180]");
    expect_ends(&d, &d.pitch, -0.5 * ER_PI, 0.5 * ER_PI, "pitch in [-90, 90]");
}

static void sizes_are_taken_up_to_their_ends(void **state)
{
    render_def d = render_default_def();
    expect_count(&d, &d.count, 1, 400, "1 to 400");
    d.width = d.height = 16;
    expect_count(&d, &d.width, 16, 8192, "16 to 8192 pixels");
    expect_count(&d, &d.height, 16, 8192, "16 to 8192 pixels");
    d.width = 0; // one alone
    expect(&d, "16 to 8192 pixels");
}

static void what_is_no_number_is_refused(void **state)
{
    render_def d = render_default_def();
    double *const free[] = {&d.phase, &d.time, &d.yaw};
    for (size_t i = 0; i < sizeof free / sizeof *free; ++i) {
        *free[i] = -1e300;
        expect(&d, fine);
        *free[i] = NAN;
        expect(&d, "must be finite");
        *free[i] = HUGE_VAL;
        expect(&d, "must be finite");
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
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
