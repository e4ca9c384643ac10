// The drawing of a simulation's energies, judged by the numbers that stand along its own axes; and drawings as PDF,
// with a program of ours in the converter's place.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bytes.h"
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

static void energies_have_these_bytes(void **state)
{
    static const known_bytes known[] = {
        {"few", 0x6e713446d12d6568}, {"many", 0x2010fa3508573820}, {"more", 0x89fdd54848cbf5f2}, {NULL, 0}};
    static const int frames[] = {150, 4000, 9001}; // of many only some are drawn
    static const double sizes[] = {1.0, 1e-6, 4e7};
    static const char *const names[] = {"few", "many", "more"};
    for (size_t i = 0; i < ERI_COUNT(frames); ++i) {
        simulated s;
        simulate(&s, frames[i], sizes[i]);
        assert_int_equal(er_frames_plot_energy(context, &s.frames, path), ER_OK);
        expect_bytes(path, names[i], known);
        forget(&s);
    }
}

// Where nothing moves, and of one frame, there is a page all the same.
static void energies_that_stand_still_are_drawn(void **state)
{
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
    assert_refusal(context, none, ER_ERROR_SYSTEM, pdf);
    assert_non_null(strstr(er_context_error(context), "rsvg-convert"));
    er_modes_destroy(modes);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_have_these_bytes),
        cmocka_unit_test(energies_that_stand_still_are_drawn),
        cmocka_unit_test(a_drawing_goes_through_the_converter),
    };
    return cmocka_run_group_tests_name("energy_plot", tests, open_folder, tear_down);
}
