// The drawing of a motion's forces: which coordinates it shows, and where lines go.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../curves/motions.h"
#include "base/arena.h"
#include "drawing.h"
#include "support/context.h"
#include "support/sample.h"

enum { FRAMES = 5, JOINTS = 9, FEET = 8 };

static char path[512];

static int open_folder(void **state)
{
    int failed = set_up(state);
    snprintf(path, sizeof path, "%s", sample_path("forces.svg"));
    return failed;
}

typedef struct loaded {
    motion m;
    double force[FRAMES * JOINTS], passive[FRAMES * JOINTS], power[FRAMES * JOINTS];
    er_wrench joint[FRAMES * JOINTS], residual[FRAMES];
    er_foot_load load[FRAMES * FEET];
    er_loads loads;
} loaded;

// Hinges, the last but one a slide: peaks of torques fall from joint 8 to 0, those of powers from 0 to 8.
static void load_up(loaded *l)
{
    static const int foot[FEET] = {1, 2, 3, 4, 5, 6, 7, 8};
    er_joint_type type[JOINTS];
    for (int k = 0; k < JOINTS; ++k)
        type[k] = k == 7 ? ER_JOINT_PRISMATIC : ER_JOINT_REVOLUTE;
    *l = (loaded){.m = motion_make(context, JOINTS, JOINTS, type, NULL, FRAMES)};
    for (int f = 0; f < FRAMES; ++f) {
        for (int k = 0; k < JOINTS; ++k) {
            l->force[JOINTS * f + k] = (k + 1) * (f == 2 ? -10.0 : 5.0);
            l->power[JOINTS * f + k] = (JOINTS - k) * f;
        }
        for (int i = 0; i < FEET; ++i)
            l->load[FEET * f + i].force = er_v3(7.0, 100.0 * i + f, 9.0);
        l->residual[f].force = er_v3(3.0 * f, 0, 4.0 * f);
    }
    l->loads = (er_loads){.model = l->m.model,
                          .frame_count = FRAMES,
                          .time = l->m.time,
                          .force = l->force,
                          .passive = l->passive,
                          .power = l->power,
                          .joint = l->joint,
                          .residual = l->residual,
                          .foot_count = FEET,
                          .foot = foot,
                          .load = l->load,
                          .up = {0, 1, 0},
                          .weight = 700.0};
}

static char *drawn(const er_loads *loads, const char *title)
{
    size_t size;
    if (er_loads_plot(context, loads, title, path) != ER_OK) fail_msg("%s", er_context_error(context));
    return read_bytes(path, &size);
}

// Where a panel begins: its heading, or the end of the drawing.
static const char *panel_at(const char *svg, const char *heading)
{
    char mark[80];
    snprintf(mark, sizeof mark, "bold\">%s<", heading);
    const char *at = strstr(svg, mark);
    if (at == NULL) fail_msg("there is no panel \"%s\"", heading);
    return at;
}

static void expect_panel(const char *svg, const char *heading, const char *besides, int lines, const char *first)
{
    const char *at = panel_at(svg, heading), *next = strstr(at + 1, "bold\">");
    const char *to = next != NULL ? next : at + strlen(at);
    drawing_mark(at, to, besides);
    assert_int_equal(drawing_count(at, to, "<polyline"), lines);
    if (first != NULL) drawing_mark(at, strstr(strstr(at, "<polyline") + 1, "<polyline"), first);
}

static void panels_show_the_largest(void **state)
{
    static loaded l;
    load_up(&l);
    char *svg = drawn(&l.loads, "<a walk>");
    drawing_mark(svg, svg + strlen(svg), "&lt;a walk&gt;");
    expect_panel(svg, "Torques of joints", "the 6 of 8 coordinates", 6, ">joint 8 tz<");
    expect_panel(svg, "Forces along shifts", "newtons", 1, NULL);
    expect_panel(svg, "Powers of joints", "watts; the 6 of 8", 6, ">joint 0 tz<");
    expect_panel(svg, "Ground, upwards", "the first 6 of 8 feet; the body weighs 700 N", 6, NULL);
    expect_panel(svg, "Residual", "newtons", 1, NULL);
    free(svg);
    motion_free(&l.m);
}

// The residual's size is 5 f: its line goes from corner to corner, less the air of 4 %.
static void lines_go_through_their_values(void **state)
{
    static loaded l;
    load_up(&l);
    char *svg = drawn(&l.loads, NULL), want[80];
    const char *at = panel_at(svg, "Residual"), *line = strstr(at, "points=\"");
    double y0, x0, x, y;
    assert_int_equal(sscanf(strstr(line, "\"") + 1, "%lf,%lf", &x0, &y0), 2);
    for (int f = 0; f < FRAMES; ++f) {
        line = f == 0 ? strstr(line, "\"") + 1 : strchr(line, ' ') + 1;
        assert_int_equal(sscanf(line, "%lf,%lf", &x, &y), 2);
        assert_true(fabs(x - (PAPER_LEFT + f * (PAPER_RIGHT - PAPER_LEFT) / (FRAMES - 1.0))) < 0.06);
        assert_true(fabs(y - (y0 - f * 190.0 / 1.08 / (FRAMES - 1.0))) < 0.02);
    }
    snprintf(want, sizeof want, "height=\"%d\"", 52 + 5 * (26 + 190 + 36)); // five panels
    drawing_mark(svg, svg + 400, want);
    free(svg);
    motion_free(&l.m);
}

static void panels_without_lines_are_left_out(void **state)
{
    static loaded l;
    load_up(&l);
    l.loads.foot_count = 0;
    l.loads.weight = 0.0;
    char *svg = drawn(&l.loads, NULL);
    assert_null(strstr(svg, "Ground"));
    assert_null(strstr(svg, "nan"));
    free(svg);
    motion_free(&l.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_show_the_largest),
        cmocka_unit_test(lines_go_through_their_values),
        cmocka_unit_test(panels_without_lines_are_left_out),
    };
    return cmocka_run_group_tests_name("loads_plot", tests, open_folder, tear_down);
}
