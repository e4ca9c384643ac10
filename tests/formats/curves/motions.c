// Motions of made-up rigs, their numbers known.
#include "motions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- making

motion motion_make(er_context *context, int joint_count, int type_count, const er_joint_type *type,
                   const char *const *name, int frames)
{
    motion m = {.context = context};
    size_t bodies = (size_t)joint_count + 1;
    er_body *body = calloc(bodies, sizeof *body);
    er_joint *joint = calloc(bodies, sizeof *joint);
    for (int i = 0; i <= joint_count; ++i)
        body[i] = (er_body){name != NULL && i < joint_count ? name[i] : NULL, 1.0, er_v3(0, 0, 0), er_m3_identity(),
                            er_pose_identity()};
    for (int k = 0; k < joint_count; ++k) {
        joint[k] = (er_joint){.name = name != NULL ? name[k] : NULL, .parent = k, .child = k + 1};
        joint[k].type = type[k % type_count];
        joint[k].frame = er_pose_identity();
        for (int i = 0; i < 6; ++i) {
            joint[k].limit[i][0] = -HUGE_VAL;
            joint[k].limit[i][1] = HUGE_VAL;
        }
    }
    er_model_def def = er_default_model_def();
    def.name = "made up";
    def.body_count = joint_count + 1;
    def.body = body;
    def.joint_count = joint_count;
    def.joint = joint;
    if (er_model_create(context, &def, &m.model) != ER_OK) fail_msg("%s", er_context_error(context));
    free(body);
    free(joint);
    m.time = calloc((size_t)frames, sizeof *m.time);
    m.q = calloc((size_t)frames * (size_t)m.model->coordinate_count + 1, sizeof *m.q);
    m.pose = calloc((size_t)frames * bodies, sizeof *m.pose);
    for (int f = 0; f < frames; ++f)
        m.time[f] = f / 60.0;
    for (size_t i = 0; i < (size_t)frames * bodies; ++i)
        m.pose[i] = er_pose_identity();
    m.plot.title = "A motion";
    m.plot.curves = (er_curves){m.model, frames, m.time, m.q, m.pose};
    return m;
}

static double shake(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    double part = (double)(*state >> 11) / 9007199254740992.0 - 0.5;
    return part * pow(10.0, (double)((*state >> 7) % 12) - 9.0);
}

void motion_shake(motion *m)
{
    const double special[] = {0.0, -0.0, 0.1, 1e50, -1e50, 5e-324, 3.141592653589793};
    unsigned long long state = 7;
    size_t frames = (size_t)m->plot.curves.frame_count, count = frames * (size_t)m->model->coordinate_count;
    for (size_t i = 0; i < count; ++i)
        m->q[i] = i < sizeof special / sizeof *special ? special[i] : shake(&state);
    for (size_t i = 0; i < frames * (size_t)m->model->body_count; ++i)
        m->pose[i] = (er_pose){{shake(&state), shake(&state), shake(&state), shake(&state)},
                               {shake(&state), shake(&state), shake(&state)}};
}

void motion_modes(motion *m, int count, double low, double high)
{
    m->line = calloc((size_t)count, sizeof *m->line);
    m->label = calloc((size_t)count, sizeof *m->label);
    for (int i = 0; i < count; ++i) {
        snprintf(m->label[i], sizeof m->label[i], "mode %02d", i);
        m->line[i] = (er_spectrum_line){count > 1 ? low + (high - low) * i / (count - 1) : low, 0.0, m->label[i]};
    }
    m->plot.line_count = count;
    m->plot.line = m->line;
}

void motion_free(motion *m)
{
    er_model_destroy(m->model);
    free(m->time);
    free(m->q);
    free(m->pose);
    free(m->line);
    free(m->label);
}

// --- named ones

static const er_joint_type ball = ER_JOINT_SPHERICAL, hinge = ER_JOINT_REVOLUTE, slider = ER_JOINT_PRISMATIC;

static double *at(motion *m, int frame, int joint, int coordinate)
{
    return &m->q[(size_t)frame * (size_t)m->model->coordinate_count +
                 (size_t)(m->model->coordinate[joint] + coordinate)];
}

// Joint k swings at `hz` by amplitude / (k + 1), its last coordinate most.
static void swing(motion *m, double hz, double amplitude)
{
    for (int f = 0; f < m->plot.curves.frame_count; ++f)
        for (int k = 0; k < m->model->joint_count; ++k) {
            int count = er_joint_type_freedom(m->model->joint[k].type, NULL);
            for (int i = 0; i < count; ++i)
                *at(m, f, k, i) =
                    amplitude / (k + 1) / (count - i) * sin(2.0 * ER_PI * hz * m->time[f] + 0.3 * k * (i + 1));
        }
}

static motion make_plain(er_context *context)
{
    static const er_joint_type types[] = {ER_JOINT_SPHERICAL, ER_JOINT_CYLINDRICAL, ER_JOINT_FIXED, ER_JOINT_FREE,
                                          ER_JOINT_UNIVERSAL, ER_JOINT_PRISMATIC,   ER_JOINT_PLANAR};
    static const char *const names[] = {"spine", "knee_l", "weld", "drift", "hip", "slide", "skate"};
    motion m = motion_make(context, 7, 7, types, names, 40);
    motion_shake(&m);
    return m;
}

static motion make_names(er_context *context)
{
    static const char *const names[] = {"",
                                        "",
                                        "a,b",
                                        "say \"hi\"",
                                        "line\nbreak\r",
                                        "\xC3\x96l \xE9\xAA\xA8 \xF0\x9D\x84\x9E",
                                        "twin",
                                        "twin",
                                        "twin (2)",
                                        "twin",
                                        "joint 0",
                                        "bad \xFF\xC3 end",
                                        "<a href='x'>&amp;</a>",
                                        "\x01\x1B[31mred\x7F \xC2\x9B \xEF\xBF\xBF",
                                        "=1+1"};
    motion m = motion_make(context, 15, 1, &hinge, names, 5);
    m.plot.curves.pose = NULL;
    swing(&m, 12.0, 0.5);
    motion_modes(&m, 3, 1.0, 5.0);
    m.line[0].label = names[12];
    m.line[1].label = names[13];
    for (int i = 0; i < 3; ++i)
        m.line[i].degrees = 3.0 + i;
    m.plot.title = names[12];
    m.plot.subtitle = names[11];
    return m;
}

// One hinge that swings by 30 degrees for two periods of one second.
static motion make_sine(er_context *context)
{
    static const char *const name[] = {"hinge"};
    motion m = motion_make(context, 1, 1, &hinge, name, 121);
    for (int f = 0; f < 121; ++f)
        m.q[f] = ER_PI / 6.0 * sin(2.0 * ER_PI * m.time[f]);
    motion_modes(&m, 4, 1.0, 4.0);
    m.line[0].degrees = 30.0;
    return m;
}

static motion make_crowd(er_context *context)
{
    static char name[60][96];
    static const char *names[60];
    for (int k = 0; k < 60; ++k) {
        snprintf(name[k], sizeof name[k], "a_name_longer_than_anyone_reads:of_some_pipeline:left_arm_%02d_L", k);
        names[k] = name[k];
    }
    static const er_joint_type types[] = {ER_JOINT_SPHERICAL, ER_JOINT_PLANAR, ER_JOINT_PRISMATIC};
    motion m = motion_make(context, 60, 3, types, names, 600);
    swing(&m, 0.7, 0.9);
    motion_modes(&m, 186, 0.01, 40.0);
    for (int i = 0; i < 186; i += 9)
        m.line[i].degrees = 20.0 / (i + 1);
    m.plot.title = "A title that is much longer than the picture is wide, and goes on and on and on, says nothing that "
                   "anyone had to know, and does not end";
    m.plot.subtitle = m.plot.title;
    return m;
}

// Neighbours that differ in the sixth digit, one of them twice, and modes at 0 Hz.
static motion make_close(er_context *context)
{
    motion m = motion_make(context, 3, 1, &ball, NULL, 300);
    swing(&m, 1.0, 0.4);
    motion_modes(&m, 12, 2.0, 2.00002);
    for (int i = 0; i < 12; ++i)
        m.line[i].degrees = i + 1.0;
    m.line[5].hz = m.line[6].hz;
    return m;
}

static motion make_wide(er_context *context)
{
    motion m = motion_make(context, 3, 1, &ball, NULL, 300);
    swing(&m, 1.0, 0.4);
    motion_modes(&m, 200, 0.0, 300.0);
    for (int i = 0; i < 200; ++i)
        m.line[i].degrees = 1.0 + i % 7;
    m.line[1].hz = 0.0;
    return m;
}

static motion make_extreme(er_context *context)
{
    motion m = motion_make(context, 3, 1, &ball, NULL, 3);
    const double time[] = {-1e50, 0.0, 1e50};
    memcpy(m.time, time, sizeof time);
    motion_shake(&m);
    motion_modes(&m, 3, 0.0, 1e50);
    m.line[1].hz = 1e-50;
    m.line[1].degrees = 1e50;
    m.line[2].degrees = 1e-300;
    return m;
}

static motion make_epoch(er_context *context)
{
    motion m = motion_make(context, 2, 1, &slider, NULL, 50);
    swing(&m, 2.0, 3e6);
    for (int f = 0; f < 50; ++f)
        m.time[f] += 1.7e9;
    return m;
}

static motion make_huge(er_context *context)
{
    motion m = motion_make(context, 500, 1, &ball, NULL, 10000);
    for (int f = 0; f < 10000; ++f)
        for (int i = 0; i < 1500; ++i)
            m.q[(size_t)f * 1500 + (size_t)i] = ((f * 7919 + i * 104729) % 10007) * 1e-4 / (1 + i % 50);
    motion_modes(&m, 5000, 0.1, 900.0);
    for (int i = 0; i < 5000; i += 2)
        m.line[i].degrees = 1.0 + i % 11;
    return m;
}

static motion make_still(er_context *context)
{
    return motion_make(context, 0, 1, &hinge, NULL, 1);
}

static motion make_frame(er_context *context)
{
    motion m = motion_make(context, 2, 1, &slider, NULL, 1);
    m.q[0] = 0.5;
    m.q[1] = -0.25;
    return m;
}

motion motion_case(er_context *context, const char *name)
{
    static const struct {
        const char *name;
        motion (*make)(er_context *context);
    } cases[] = {{"plain", make_plain},     {"names", make_names}, {"sine", make_sine},  {"crowd", make_crowd},
                 {"close", make_close},     {"wide", make_wide},   {"huge", make_huge},  {"still", make_still},
                 {"extreme", make_extreme}, {"epoch", make_epoch}, {"frame", make_frame}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (strcmp(cases[i].name, name) == 0) return cases[i].make(context);
    fail_msg("there is no motion %s", name);
    return (motion){0};
}
