// Cameras' places, films' lengths and the room of cells, by geometry and arithmetic worked out here.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/session/session.h"
#include "support/context.h"
#include "support/near.h"
#include "viewer/render/aim.h"
#include "viewer/render/animation.h"
#include "viewer/render/label.h"
#include "viewer/render/sheet.h"

// ---- cameras

static const er_vec3 ups[3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

static void what_goes_forward_goes_to_the_right_or_comes_near(void **state)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 8; ++k) {
            er_vec3 up = ups[i], axis[3], side = er_v3_perpendicular(up);
            er_vec3 forward = er_q_rotate(er_q_exp(er_v3_scale(0.8 * k + 0.1, up)), side);
            draw_camera c = {.up = up, .yaw = aim_yaw(up, forward)};
            draw_camera_axes(&c, axis);
            near(er_v3_dot(axis[0], forward), 1.0, 1e-12);
            c.yaw = aim_front(up, er_v3_scale(0.3, forward));
            draw_camera_axes(&c, axis);
            near(er_v3_dot(axis[2], forward), 1.0, 1e-12);
        }
    near(aim_front(ups[0], er_v3(0, 0, 0)), 0.0, 0.0);
}

// Corners of a box, and a spike on it.
static outline box(er_vec3 centre, er_vec3 half, er_vec3 point[9])
{
    for (int i = 0; i < 8; ++i)
        point[i] =
            er_v3_add(centre, er_v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z));
    point[8] = er_v3_add(centre, er_v3(1.7 * half.x, 0.2 * half.y, 0.9 * half.z));
    return (outline){9, 9, point};
}

static void views_are_about_the_front_and_show_all_as_large_as_fits(void **state)
{
    static const struct {
        render_view view;
        double yaw, pitch;
    } views[] = {{RENDER_VIEW_SIDE, 0.5 * ER_PI, 0.1}, {RENDER_VIEW_FRONT, 0.0, 0.1},
                 {RENDER_VIEW_TOP, 0.0, 0.5 * ER_PI},  {RENDER_VIEW_THREE_QUARTER, 0.6, 0.16},
                 {RENDER_VIEW_BEST, 0.6, 0.16},        {RENDER_VIEW_GIVEN, -1.3, -0.4}};
    static const er_vec3 halves[3] = {{1, 1, 1}, {0.6, 1.5, 0.8}, {2, 0.8, 1}};
    static const double aspects[3] = {0.5, 1.0, 2.0};
    for (size_t v = 0; v < sizeof views / sizeof *views; ++v)
        for (int h = 0; h < 3; ++h)
            for (int s = 0; s < 3; ++s) {
                er_vec3 point[9];
                const outline shown = box(er_v3(10, -3, 2), halves[h], point);
                int high = 1000, wide = (int)(1000 * aspects[s]);
                draw_camera c = aim_camera(&shown, ups[0], 0.7, aspects[s], views[v].view, -1.3, -0.4);
                near(c.yaw, views[v].yaw + (views[v].view == RENDER_VIEW_GIVEN ? 0.0 : 0.7), 1e-12);
                near(c.pitch, views[v].pitch, 1e-12);
                double low[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {-HUGE_VAL, -HUGE_VAL};
                for (int i = 0; i < 9; ++i) {
                    double pixel[2];
                    assert_true(draw_camera_project(&c, wide, high, point[i], pixel));
                    for (int k = 0; k < 2; ++k) {
                        low[k] = fmin(low[k], pixel[k]);
                        most[k] = fmax(most[k], pixel[k]);
                    }
                }
                const double side[2] = {wide, high};
                double fullest = 0.0;
                for (int k = 0; k < 2; ++k) {
                    double share = (most[k] - low[k]) / side[k];
                    assert_true(low[k] >= 0.039 * side[k] && most[k] <= 0.961 * side[k]);
                    near(low[k] + most[k], side[k], 0.02 * side[k]); // in the middle
                    fullest = fmax(fullest, share);
                }
                near(fullest, 0.92, 0.02);
            }
}

static void what_nobody_can_see_leaves_the_camera(void **state)
{
    er_vec3 one = er_v3(4, 5, 6), none[2] = {{NAN, 0, 0}, {0, 0, 0}};
    const outline empty = {0}, lost = {2, 2, none}, single = {1, 1, &one};
    draw_camera c = aim_camera(&empty, ups[0], 0.0, 1.0, RENDER_VIEW_FRONT, 0, 0);
    near(er_v3_norm(c.target), 0.0, 0.0);
    assert_true(c.distance > 0.0 && isfinite(c.distance));
    c = aim_camera(&lost, ups[0], 0.0, 1.0, RENDER_VIEW_FRONT, 0, 0);
    near(er_v3_norm(c.target), 0.0, 0.0);
    c = aim_camera(&single, ups[0], 0.0, 1.0, RENDER_VIEW_FRONT, 0, 0);
    near(er_v3_distance(c.target, one), 0.0, 1e-9);
    assert_true(c.distance > 0.0);
}

// Two bones along `bone`, one unit long, whose ends move by `way` times `move`.
static render_view best_of(er_vec3 bone, er_vec3 way, double front)
{
    er_vec3 point[8];
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i) {
            er_vec3 head = er_v3_madd(er_v3(3 * i, 1, -2), k == 0 ? 0.5 : -0.5, way);
            point[4 * k + i] = head;
            point[4 * k + 2 + i] = er_v3_add(head, bone);
        }
    const outline bones = {8, 8, point};
    return aim_best(ups[0], front, &bones);
}

static void modes_are_seen_from_where_they_sweep_most(void **state)
{
    er_vec3 x = er_v3(1, 0, 0), y = er_v3(0, 1, 0), z = er_v3(0, 0, 1), none = er_v3(0, 0, 0);
    assert_int_equal(best_of(y, z, 0.0), RENDER_VIEW_SIDE);
    assert_int_equal(best_of(y, x, 0.0), RENDER_VIEW_FRONT);
    assert_int_equal(best_of(z, x, 0.0), RENDER_VIEW_TOP);
    assert_int_equal(best_of(y, x, 0.5 * ER_PI), RENDER_VIEW_SIDE); // it faces x
    assert_int_equal(best_of(y, z, 0.5 * ER_PI), RENDER_VIEW_FRONT);
    assert_int_equal(best_of(y, er_v3(sin(1.0), 0, cos(1.0)), 0.0), RENDER_VIEW_FRONT);
    assert_int_equal(best_of(y, er_v3(cos(0.6), 0, -sin(0.6)), 0.0), RENDER_VIEW_THREE_QUARTER);
    assert_int_equal(best_of(none, x, 0.0), RENDER_VIEW_THREE_QUARTER);  // nothing moves
    assert_int_equal(best_of(y, er_v3(1, 0, 1), 0.0), RENDER_VIEW_SIDE); // as much as from the front: the first
    // From above 1 is seen, from the side, a little above it, 0.58 and 0.62: shapes are harder to tell from above.
    assert_int_equal(best_of(z, er_v3(1, -0.48, 0), 0.0), RENDER_VIEW_TOP);
    assert_int_equal(best_of(z, er_v3(1, -0.52, 0), 0.0), RENDER_VIEW_SIDE);
}

// ---- time

static void films_last_two_seconds_or_a_period(void **state)
{
    static const struct {
        double hz, lasts;
    } cases[] = {{0.0, 2.0},       {-1.0, 2.0}, {1.0, 2.0},       {0.9, 2.0 / 0.9},       {0.5, 2.0},
                 {0.3, 1.0 / 0.3}, {3.0, 2.0},  {0.7, 2.0 / 0.7}, {0.0501, 1.0 / 0.0501}, {0.049, 2.0},
                 {0.05, 20.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        near(animation_period(cases[i].hz), cases[i].lasts, 1e-9);
}

// ---- what is written

static void frequencies_have_three_or_four_digits(void **state)
{
    static const struct {
        double hz;
        const char *text;
    } cases[] = {{1.0849, "1.08 Hz"},   {0.0123, "0.0123 Hz"},   {0.1, "0.10 Hz"},     {99.994, "99.99 Hz"},
                 {100.0, "100 Hz"},     {9999.0, "9999 Hz"},     {1e4, "1.00e+04 Hz"}, {1e-3, "0.0010 Hz"},
                 {9e-4, "9.00e-04 Hz"}, {12345.0, "1.23e+04 Hz"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[32];
        label_hz(cases[i].hz, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void a_usual_phase_is_an_end_of_the_swing(void **state)
{
    render_def d = render_default_def();
    d.what = RENDER_MODE;
    near(render_default_phase(&d, "a.png"), 0.5 * ER_PI, 0.0);
    near(render_default_phase(&d, "a.apng"), 0.0, 0.0);
    d.ghosts = true;
    near(render_default_phase(&d, "a.png"), 0.0, 0.0);
    d.ghosts = false;
    d.what = RENDER_SHEET;
    near(render_default_phase(&d, "a.png"), 0.0, 0.0);
}

static void paths_are_checked_before_anything_is_drawn(void **state)
{
    static const struct {
        render_what what;
        bool transparent, fine;
        const char *path;
    } cases[] = {{RENDER_REST, false, true, "a.png"},    {RENDER_REST, false, true, "-"},
                 {RENDER_REST, false, true, "a.mp4"},    {RENDER_REST, true, true, "a.webm"},
                 {RENDER_REST, true, false, "a.mp4"},    {RENDER_REST, false, false, "a.jpg"},
                 {RENDER_REST, false, false, ""},        {RENDER_RIG, false, true, "a.png"},
                 {RENDER_RIG, false, false, "a.gif"},    {RENDER_STRIP, false, true, "a.png"},
                 {RENDER_STRIP, false, false, "a%d.png"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        render_def d = render_default_def();
        d.what = cases[i].what;
        d.transparent = cases[i].transparent;
        assert_int_equal(render_check_path(context, &d, cases[i].path), cases[i].fine ? ER_OK : ER_ERROR_ARGUMENT);
    }
}

static char heard[4][256];
static int heard_count;

static void hear(void *user, er_note_kind kind, const char *text)
{
    assert_ptr_equal(user, heard);
    assert_int_equal(kind, ER_NOTE_WARNING);
    if (heard_count < 4) snprintf(heard[heard_count++], sizeof heard[0], "%s", text);
}

static void expect_told(const render_def *d, const render_report *report, int count, const char *const number[])
{
    static const project_listener listener = {hear, heard};
    heard_count = 0;
    render_warn(d, report, &listener);
    assert_int_equal(heard_count, count);
    for (int i = 0; i < count; ++i)
        if (strstr(heard[i], number[i]) == NULL) fail_msg("%s is not in: %s", number[i], heard[i]);
}

static void what_is_not_as_asked_is_told(void **state)
{
    render_def d = render_default_def();
    render_report report = {.frames = 12, .share = 1.0};
    expect_told(&d, &report, 0, NULL);
    report = (render_report){.frames = 12, .share = 0.25, .texture_side = 512, .stale = true, .slowed = 7.5};
    expect_told(&d, &report, 4, (const char *const[]){"25", "512", "11", "7.5"});
    report = (render_report){.share = 1.0, .slowed = 2.5};
    d.what = RENDER_GAIT;
    expect_told(&d, &report, 1, (const char *const[]){"2.5"});
}

static void expect_subtitle(int bodies, double mass, const er_rig *rig, const er_stiffness *law, const char *wanted)
{
    er_body body[3] = {{.mass = mass / bodies}, {.mass = mass / bodies}, {.mass = mass / bodies}};
    const er_model model = {.body_count = bodies, .body = body, .joint_count = bodies - 1};
    char text[256];
    render_subtitle(&model, rig, law, text);
    assert_string_equal(text, wanted);
}

static void a_sheet_says_what_it_is_of(void **state)
{
    const er_rig rig = {.height = 1.234};
    const er_stiffness graded = {.hz = 2.5, .alpha = 0.5, .k = 7.0}, uniform = {.uniform = true, .k = 7.0};
    expect_subtitle(1, 1.234, NULL, NULL, "1 body \xC2\xB7 0 joints \xC2\xB7 1.23 kg");
    expect_subtitle(2, 999.4, &rig, &graded,
                    "2 bodies \xC2\xB7 1 joint \xC2\xB7 999 kg \xC2\xB7 1.23 m high \xC2\xB7 stiffness graded:2.5:0.5");
    expect_subtitle(3, 12345.6, NULL, &uniform,
                    "3 bodies \xC2\xB7 2 joints \xC2\xB7 12346 kg \xC2\xB7 stiffness uniform:7");
    expect_subtitle(1, 2e12, NULL, NULL, "1 body \xC2\xB7 0 joints \xC2\xB7 2e+12 kg");
}

// ---- sheets

static double natural(int cells, int size, int gap, int round)
{
    return round + cells * size + (cells - 1) * gap;
}

// The best of all numbers of columns, looked for one by one.
static void sheets_are_about_as_wide_as_16_to_10(void **state)
{
    const render_def d = render_default_def();
    for (int count = 1; count <= 40; ++count) {
        sheet_plan p = sheet_layout(&d, count);
        assert_true(p.count == count && p.columns >= 1 && p.columns * p.rows >= count &&
                    p.columns * (p.rows - 1) < count);
        near(p.width, natural(p.columns < 2 ? 2 : p.columns, 360, 16, 48), 0.5);
        near(p.height, natural(p.rows, 300, 16, 68 + 132 + 24), 0.5);
        near(p.scale, 1.0, 0.0);
        double least = HUGE_VAL, is = 0.0;
        for (int columns = 1; columns <= count; ++columns) {
            int rows = (count + columns - 1) / columns;
            double wide = natural(columns < 2 ? 2 : columns, 360, 16, 48), high = natural(rows, 300, 16, 224);
            double worse = fabs(log(wide / high / 1.6)) + 0.8 * (columns * rows - count) / columns;
            least = fmin(least, worse);
            if (columns == p.columns) is = worse;
        }
        near(is, least, 1e-12);
    }
}

static void modes_of_a_sheet_begin_with_the_first_that_is_elastic(void **state)
{
    er_mode mode[5] = {{.kind = ER_MODE_RIGID}, {.kind = ER_MODE_ELASTIC}, {.kind = ER_MODE_ELASTIC}};
    er_modes modes = {.count = 3, .mode = mode};
    int first = -1;
    assert_int_equal(sheet_modes(&modes, &first), 2);
    assert_int_equal(first, 1);
    modes.count = 1;
    assert_int_equal(sheet_modes(&modes, &first), 0);
    assert_int_equal(first, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_forward_goes_to_the_right_or_comes_near),
        cmocka_unit_test(views_are_about_the_front_and_show_all_as_large_as_fits),
        cmocka_unit_test(what_nobody_can_see_leaves_the_camera),
        cmocka_unit_test(modes_are_seen_from_where_they_sweep_most),
        cmocka_unit_test(films_last_two_seconds_or_a_period),
        cmocka_unit_test(frequencies_have_three_or_four_digits),
        cmocka_unit_test(a_usual_phase_is_an_end_of_the_swing),
        cmocka_unit_test(paths_are_checked_before_anything_is_drawn),
        cmocka_unit_test(what_is_not_as_asked_is_told),
        cmocka_unit_test(a_sheet_says_what_it_is_of),
        cmocka_unit_test(sheets_are_about_as_wide_as_16_to_10),
        cmocka_unit_test(modes_of_a_sheet_begin_with_the_first_that_is_elastic),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
