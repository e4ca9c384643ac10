// The drawing of a simulation's energies, judged by the numbers that stand along its own axes; and drawings as PDF,
// with a program of ours in the converter's place.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../curves/motions.h"
#include "base/arena.h"
#include "drawing.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static char path[300];

static int open_folder(void **state)
{
    int failed = set_up(state);
    snprintf(path, sizeof path, "%s/drawing.svg", sample_folder());
    return failed;
}

// Frames whose energies are known, and of a model of this name.
typedef struct simulated {
    motion m;
    er_world_energy *energy;
    er_twist *twist;
    er_world_frames frames;
} simulated;

static void simulate(simulated *s, int frames, double size)
{
    static const er_joint_type type = ER_JOINT_REVOLUTE;
    *s = (simulated){.m = motion_make(context, 1, 1, &type, NULL, frames)};
    s->energy = calloc((size_t)frames, sizeof *s->energy);
    s->twist = calloc((size_t)frames * 2, sizeof *s->twist);
    for (int f = 0; f < frames; ++f) {
        double t = f / 60.0;
        s->energy[f] = (er_world_energy){.kinetic = size * (1.0 + sin(t)),
                                         .potential = -size * (2.0 + cos(t)),
                                         .elastic = size * 0.25 * t,
                                         .work = size * 0.1 * t,
                                         .heat = size * 0.05 * t * t};
        s->energy[f].mechanical = s->energy[f].kinetic + s->energy[f].potential + s->energy[f].elastic;
    }
    s->frames = (er_world_frames){.model = s->m.model,
                                  .frame_count = frames,
                                  .time = s->m.time,
                                  .pose = s->m.pose,
                                  .twist = s->twist,
                                  .q = s->m.q,
                                  .energy = s->energy};
}

static void forget(simulated *s)
{
    free(s->energy);
    free(s->twist);
    motion_free(&s->m);
}

static char *text_of(const char *file)
{
    size_t size;
    char *bytes = read_bytes(file, &size), *text = realloc(bytes, size + 1);
    assert_non_null(text);
    text[size] = '\0';
    return text;
}

// A number as it is drawn: with a minus sign of its own.
static double drawn_number(const char *at)
{
    bool minus = strncmp(at, "\xE2\x88\x92", 3) == 0;
    double value = strtod(minus ? at + 3 : at, NULL);
    return minus ? -value : value;
}

// What a place along an axis is worth, by the first and the last of its numbers.
typedef struct scale {
    double place[2], value[2];
    int count;
} scale;

static double worth(const scale *s, double place)
{
    return s->value[0] + (place - s->place[0]) * (s->value[1] - s->value[0]) / (s->place[1] - s->place[0]);
}

// The numbers of a class between two places of the drawing; of "x" their x, of "y" their y, less what letters stand
// below their line.
static scale read_scale(const char *from, const char *to, const char *class)
{
    scale s = {0};
    char mark[16];
    snprintf(mark, sizeof mark, "class=\"%s\"", class);
    for (const char *at = from; (at = strstr(at, "<text x=\"")) != NULL && at < to; ++at) {
        double x, y;
        const char *begin = strchr(at, '>'), *is = strstr(at, mark);
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
        if (is == NULL || is > begin) continue;
        int k = s.count++ > 0;
        s.place[k] = class[0] == 'x' ? x : y - 4.0;
        s.value[k] = drawn_number(begin + 1);
    }
    assert_true(s.count > 1);
    return s;
}

// Every value of a line where the axes' numbers have it, to the pixels that are written.
static void expect_line(const char *points, const scale *x, const scale *y, const simulated *s,
                        double (*value)(const er_world_energy *, const er_world_energy *first))
{
    int count = s->frames.frame_count, step = 1 + count / 4000, seen = 0;
    double per_x = fabs(worth(x, 1.0) - worth(x, 0.0)), per_y = fabs(worth(y, 1.0) - worth(y, 0.0));
    const char *at = points + strlen("<polyline points=\"");
    for (int used; *at != '"'; at += used, ++seen) {
        double px, py;
        assert_int_equal(sscanf(at, "%lf,%lf %n", &px, &py, &used), 2);
        int f = seen * step;
        assert_true(f < count && px >= 60.0 && px <= 740.0);
        double want = value(&s->energy[f], s->energy);
        if (fabs(worth(x, px) - s->m.time[f]) > 0.2 * per_x || fabs(worth(y, py) - want) > 0.2 * per_y)
            fail_msg("frame %d is drawn at %g s, %g J, not %g s, %g J", f, worth(x, px), worth(y, py), s->m.time[f],
                     want);
    }
    assert_int_equal(seen, (count + step - 1) / step);
}

static double kinetic(const er_world_energy *e, const er_world_energy *first)
{
    (void)first;
    return e->kinetic;
}

static double potential(const er_world_energy *e, const er_world_energy *first)
{
    (void)first;
    return e->potential;
}

static double elastic(const er_world_energy *e, const er_world_energy *first)
{
    (void)first;
    return e->elastic;
}

static double mechanical(const er_world_energy *e, const er_world_energy *first)
{
    (void)first;
    return e->mechanical;
}

static double balance(const er_world_energy *e, const er_world_energy *first)
{
    return (e->mechanical - e->work + e->heat) - (first->mechanical - first->work + first->heat);
}

// The line of an energy has the colour that stands before its name, and each name a line of its own.
static const char *line_called(const char *from, const char *to, const char *name)
{
    char words[40], colour[16], stroke[40];
    double y, text_y;
    snprintf(words, sizeof words, ">%s</text>", name);
    const char *text = strstr(from, words), *key = text;
    assert_true(text != NULL && text < to);
    while (strncmp(key, "<path d=\"M754 ", 14) != 0)
        --key;
    assert_int_equal(sscanf(key, "<path d=\"M754 %lfh18\" stroke=\"%15[^\"]\"", &y, colour), 2);
    while (strncmp(text, "<text ", 6) != 0)
        --text;
    assert_int_equal(sscanf(text, "<text x=\"778.0\" y=\"%lf\"", &text_y), 1);
    assert_true(text_y == y + 4.0);
    snprintf(stroke, sizeof stroke, "stroke=\"%s\"", colour);
    for (const char *at = from; (at = strstr(at, "<polyline points=\"")) != NULL && at < to; ++at) {
        const char *end = strchr(at, '\n'), *is = strstr(at, stroke);
        if (is != NULL && is < end) return at;
    }
    fail_msg("no line of the colour of %s", name);
    return NULL;
}

// From the least to the largest of some energies, a twenty-fifth of air on both sides.
static eri_axis energies_up(const simulated *s, double top,
                            double (*const *value)(const er_world_energy *, const er_world_energy *), int count)
{
    eri_axis up = {false, HUGE_VAL, -HUGE_VAL, top + 270.0, top};
    for (int k = 0; k < count; ++k)
        for (int f = 0; f < s->frames.frame_count; ++f) {
            up.low = fmin(up.low, value[k](&s->energy[f], s->energy));
            up.high = fmax(up.high, value[k](&s->energy[f], s->energy));
        }
    double air = (up.high - up.low) / 25.0;
    up.low -= air;
    up.high += air;
    return up;
}

static void expect_panels(const char *one, const char *two, const char *end, const simulated *s, const char *besides)
{
    static double (*const kinds[])(const er_world_energy *, const er_world_energy *) = {kinetic, potential, elastic,
                                                                                        mechanical};
    static double (*const rest[])(const er_world_energy *, const er_world_energy *) = {balance};
    static const char *const names[] = {"kinetic", "potential", "elastic", "mechanical"};
    const eri_axis across = {false, s->m.time[0], s->m.time[s->frames.frame_count - 1], PAPER_LEFT, PAPER_RIGHT};
    eri_axis up = energies_up(s, 78.0, kinds, 4);
    drawing_expect_panel(one, two, 78.0, &across, &up, "Energies", "joules over seconds", "s");
    for (int k = 0; k < 4; ++k) { // names beside it, from the top down
        drawn_text text = drawing_find(one, two, names[k]);
        assert_true(text.x == PAPER_RIGHT + 38.0 && text.y == 78.0 + 18.0 + 18.0 * k);
    }
    up = energies_up(s, 410.0, rest, 1);
    drawing_expect_panel(two, end, 410.0, &across, &up, "Mechanical energy less work, and heat, against the start",
                         besides, "s");
    assert_int_equal(drawing_count(two, end, "stroke-width=\"1.6\""), 1); // one line, that needs no name
}

static void expect_drawing(const simulated *s)
{
    assert_int_equal(er_frames_plot_energy(context, &s->frames, path), ER_OK);
    char *svg = text_of(path), besides[80];
    const char *title = strstr(svg, "<text ");
    double wide, tall, mean = 0.0, sum = 0.0;
    const char *one = strstr(svg, ">Energies<"), *two = strstr(svg, ">Mechanical energy less work, and heat, against"),
               *end = svg + strlen(svg);
    assert_true(one != NULL && two > one && strcmp(end - 7, "</svg>\n") == 0);
    assert_non_null(strstr(svg, "<title>made up</title>"));
    assert_int_equal(sscanf(strstr(svg, "viewBox="), "viewBox=\"0 0 %lf %lf\" width=\"960\"", &wide, &tall), 2);
    double top[2], bottom[2]; // of both panels: the second below the first and its numbers
    for (int i = 0; i < 2; ++i) {
        const char *frame = i == 0 ? one : two;
        while ((frame = strstr(frame + 1, "<path d=\"M60 ")) != NULL &&
               sscanf(frame, "<path d=\"M60 %lfV%lfH740\"", &top[i], &bottom[i]) != 2)
            continue;
        assert_true(frame != NULL && bottom[i] - top[i] == 270.0);
    }
    assert_true(top[0] > 30.0 && top[1] > bottom[0] + 30.0 && bottom[1] < tall - 15.0);
    scale x = read_scale(one, two, "x"), y = read_scale(one, two, "y");
    expect_line(line_called(one, two, "kinetic"), &x, &y, s, kinetic);
    expect_line(line_called(one, two, "potential"), &x, &y, s, potential);
    expect_line(line_called(one, two, "elastic"), &x, &y, s, elastic);
    expect_line(line_called(one, two, "mechanical"), &x, &y, s, mechanical);
    int lines = 0;
    for (const char *at = svg; (at = strstr(at, "<polyline")) != NULL; ++at)
        ++lines;
    assert_int_equal(lines, 5);
    x = read_scale(two, end, "x");
    y = read_scale(two, end, "y");
    expect_line(strstr(two, "<polyline points=\""), &x, &y, s, balance);
    int count = s->frames.frame_count;
    for (int f = 0; f < count; ++f)
        mean += balance(&s->energy[f], s->energy) / count;
    for (int f = 0; f < count; ++f)
        sum += pow(balance(&s->energy[f], s->energy) - mean, 2.0) / count;
    snprintf(besides, sizeof besides, "joules; standard deviation %.3g J", sqrt(sum));
    while (strncmp(two, "<text", 5) != 0)
        --two;
    expect_panels(title, two, end, s, besides);
    assert_true(wide == 960.0 && tall == 716.0); // two panels below a title, each with its heading and its numbers
    drawn_text heading = drawing_find(svg, end, "made up");
    assert_true(heading.x == PAPER_LEFT && heading.y == 29.0);
    // curves lie within the page, the second panel below the first, and nothing is written beside it
    for (const char *at = svg; (at = strstr(at, "<text x=\"")) != NULL; ++at) {
        double px, py;
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &px, &py), 2);
        assert_true(px >= 0.0 && px < wide && py > 0.0 && py < tall);
    }
    free(svg);
}

static void energies_stand_where_the_axes_say(void **state)
{
    (void)state;
    static const int frames[] = {150, 4000, 9001}; // of many only some are drawn
    static const double sizes[] = {1.0, 1e-6, 4e7};
    for (size_t i = 0; i < ERI_COUNT(frames); ++i) {
        simulated s;
        simulate(&s, frames[i], sizes[i]);
        expect_drawing(&s);
        forget(&s);
    }
}

// Where nothing moves, and of one frame, there is a page all the same.
static void energies_that_stand_still_are_drawn(void **state)
{
    (void)state;
    for (int frames = 1; frames < 4; ++frames) {
        simulated s;
        simulate(&s, frames, 1.0);
        for (int f = 0; f < frames; ++f)
            s.energy[f] = (er_world_energy){.kinetic = 5.0, .mechanical = 5.0};
        assert_int_equal(er_frames_plot_energy(context, &s.frames, path), ER_OK);
        char *svg = text_of(path);
        assert_non_null(strstr(svg, "standard deviation 0 J"));
        assert_null(strstr(svg, "nan"));
        assert_null(strstr(svg, "inf"));
        char last[40]; // what is as at the start stays in the middle of its panel, and one frame at its left
        snprintf(last, sizeof last, "%s,545.00 \" fill", frames > 1 ? "740.0" : "60.0");
        assert_non_null(strstr(strstr(svg, "against the start"), last));
        for (int f = 0; f < frames; ++f) // as do energies that are all alike
            s.energy[f] = (er_world_energy){5e9, 5e9, 5e9, 5e9, 0.0, 0.0};
        free(svg);
        assert_int_equal(er_frames_plot_energy(context, &s.frames, path), ER_OK);
        svg = text_of(path);
        snprintf(last, sizeof last, "%s,213.00 \" fill", frames > 1 ? "740.0" : "60.0");
        assert_int_equal(drawing_count(svg, svg + strlen(svg), last), 4);
        free(svg);
        forget(&s);
    }
}

// ---- PDF

// A program called as the converter is, first on the path; none where `script` is NULL.
static er_result draw_by(const char *script, const er_modes_figure *figure, const char *to)
{
    char folder[300], program[400], *was = strdup(getenv("PATH")), search[8000];
    snprintf(folder, sizeof folder, "%s/programs", sample_folder());
    mkdir(folder, 0700);
    snprintf(program, sizeof program, "%s/rsvg-convert", folder);
    unlink(program);
    if (script != NULL) {
        FILE *file = fopen(program, "w");
        assert_true(file != NULL && fprintf(file, "#!/bin/sh\n%s\n", script) > 0 && fclose(file) == 0);
        assert_int_equal(chmod(program, 0755), 0);
    }
    snprintf(search, sizeof search, script != NULL ? "%s:%s" : "%s", folder, was);
    setenv("PATH", search, 1);
    er_result r = er_modes_plot(context, figure, to);
    setenv("PATH", was, 1);
    free(was);
    return r;
}

static void a_drawing_goes_through_the_converter(void **state)
{
    (void)state;
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {5};
    rig_random(&r, &d, true);
    er_model *model = rig_model(context, &r);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    for (int b = 0; b < model->body_count; ++b)
        pose[b] = model->body[b].pose;
    const er_mode_shape shape = {modes->count - 1, "a joint", {pose, pose}};
    const er_modes_figure figure = {"title", "", model, modes, {0, 0, -1}, 1, &shape};
    char pdf[300], want[700];
    const int files = count_files("/proc/self/fd");
    snprintf(pdf, sizeof pdf, "%s/drawing.pdf", sample_folder());
    assert_int_equal(er_modes_plot(context, &figure, path), ER_OK);
    assert_int_equal(draw_by("[ \"$*\" = --format=pdf ] && printf '%%PDF-1.7 of ' && cat", &figure, pdf), ER_OK);
    char *svg = text_of(path), *made = text_of(pdf);
    assert_int_equal(strncmp(made, "%PDF-1.7 of ", 12), 0);
    assert_string_equal(made + 12, svg); // the drawing goes in whole, and what comes out is the file
    free(svg);
    free(made);
    unlink(pdf);
    const struct {
        const char *script, *words;
    } cases[] = {
        {"echo no such font >&2; echo at all >&2; exit 1",
         "rsvg-convert cannot write it: no such font; write .svg instead"},
        {"printf '%0150d' 7 >&2; exit 1",
         "rsvg-convert cannot write it: "
         "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "000000000000000000000000000000000000000000000000000000000007; write .svg instead"},
        {"exit 3", "rsvg-convert cannot write it: it ended early; write .svg instead"},
        {"echo '%PDF-1.7'; kill -9 $$", "rsvg-convert cannot write it: it ended early; write .svg instead"},
        {"exit 0", "rsvg-convert cannot write it: it ended early; write .svg instead"},
        {"printf '%%PDF'", "rsvg-convert cannot write it: it ended early; write .svg instead"},
        {"cat", "rsvg-convert cannot write it: it ended early; write .svg instead"},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        assert_int_equal(draw_by(cases[i].script, &figure, pdf), ER_ERROR_SYSTEM);
        snprintf(want, sizeof want, "%s: %s", pdf, cases[i].words);
        assert_string_equal(er_context_error(context), want);
        assert_int_not_equal(access(pdf, F_OK), 0);
    }
    assert_int_equal(draw_by("printf '%%PDF-'", &figure, pdf), ER_OK); // the least that is one
    unlink(pdf);
    for (rlim_t room = 0; room < 3; ++room) { // of files that may be open
        struct rlimit limit, few;
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
        int next = dup(0);
        assert_true(next > 2 && close(next) == 0);
        few = (struct rlimit){(rlim_t)next + room, limit.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
        er_result result = er_modes_plot(context, &figure, pdf);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
        assert_int_equal(result, ER_ERROR_SYSTEM);
        snprintf(want, sizeof want, "%s: rsvg-convert cannot write it: %s; write .svg instead", pdf, strerror(EMFILE));
        assert_string_equal(er_context_error(context), want);
    }
    assert_int_equal(count_files("/proc/self/fd"), files); // none is left open, none closed that was
    char *was = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    er_result none = er_modes_plot(context, &figure, pdf);
    setenv("PATH", was, 1);
    free(was);
    assert_int_equal(none, ER_ERROR_SYSTEM);
    snprintf(want, sizeof want, "%s: takes the program rsvg-convert, which is not installed; install it, or write .svg",
             pdf);
    assert_string_equal(er_context_error(context), want);
    er_modes_destroy(modes);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_stand_where_the_axes_say),
        cmocka_unit_test(energies_that_stand_still_are_drawn),
        cmocka_unit_test(a_drawing_goes_through_the_converter),
    };
    return cmocka_run_group_tests_name("energy_plot", tests, open_folder, tear_down);
}
