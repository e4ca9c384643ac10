// `eigenrig modes --track`: frequencies over the stiffness of some joints.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "app/project/moving_joints.h"
#include "base/failure.h"
#include "base/platform.h"
#include "tools/eigenrig/options.h"

enum { POINTS = 41, MODES = 12, LABEL = 120 };
static const double least = 1e-12; // factor of stiffness, and the inverse of the largest

// A number, and nothing behind it before `end`.
static bool read_number(const char *text, const char *end, double *out)
{
    char word[40];
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return setting_number(word, out) && *out >= least && *out <= 1.0 / least;
}

// JOINTS=A..B[:POINTS]
bool read_track(const given_option *s)
{
    track_def *t = &s->o->track;
    const char *equals = strrchr(s->text, '='), *dots = equals != NULL ? strstr(equals, "..") : NULL;
    if (dots == NULL || equals == s->text) return false;
    const char *colon = strchr(dots, ':'), *end = colon != NULL ? colon : dots + strlen(dots);
    double points = POINTS;
    *t = (track_def){.pattern = s->text, .pattern_length = (int)(equals - s->text)};
    if (!read_number(equals + 1, dots, &t->def.from) || !read_number(dots + 2, end, &t->def.to)) return false;
    if (colon != NULL && !read_number(colon + 1, colon + strlen(colon), &points)) return false;
    if (points < 2.0 || points > ER_MODE_TRACKS_MAX_POINTS || points != floor(points)) return false;
    t->def.point_count = (int)points;
    return t->def.to > t->def.from;
}

static er_result choose_joints(er_context *context, const track_def *t, const er_model *model, bool *joint)
{
    bool any = false;
    char *pattern = strndup(t->pattern, (size_t)t->pattern_length);
    if (pattern == NULL) return eri_no_memory(context);
    for (int k = 0; k < model->joint_count; ++k)
        any |= joint[k] = eri_platform_match(pattern, model->joint[k].name);
    er_result r = any ? ER_OK
                      : er_fail(context, ER_ERROR_ARGUMENT,
                                "--track: no joint's name matches \"%s\"; info lists the joints", pattern);
    free(pattern);
    return r;
}

static void print_track(const er_mode_tracks *t, int k, const char *label)
{
    const double *last = t->hz + (ptrdiff_t)(t->point_count - 1) * t->count, *first = t->hz;
    double sure = 1.0;
    for (int p = 0; p < t->point_count; ++p)
        sure = fmin(sure, t->certainty[(ptrdiff_t)p * t->count + k]);
    printf("%5d  %9.4f  %9.4f  %6.0f %%  %s\n", t->mode[k], first[k], last[k], 100.0 * sure, label);
}

static void print_tracks(const er_mode_tracks *t, const char *const *label)
{
    printf("%5s  %9.3g  %9.3g  %8s  %s\n", "mode", t->factor[0], t->factor[t->point_count - 1], "followed",
           "joints that move most");
    for (int k = 0; k < t->count; ++k)
        print_track(t, k, strchr(label[k], ' ') + 1);
}

// "13 left_thigh, right_thigh": the index, and the joints that move most in the rig as it is.
static void write_labels(const er_model *model, const er_modes *modes, const er_mode_tracks *t, double *travel,
                         char (*label)[LABEL], const char **name)
{
    for (int k = 0; k < t->count; ++k) {
        const er_mode *mode = er_modes_find(modes, t->mode[k]);
        int joint[2], count = mode != NULL ? project_moving_joints(model, mode, travel, 2, joint) : 0;
        int used = snprintf(label[k], LABEL, "%d ", t->mode[k]);
        for (int i = 0; i < count; ++i)
            used += snprintf(label[k] + used, (size_t)(LABEL - used), "%s%.40s", i > 0 ? ", " : "",
                             plain(model->joint[joint[i]].name));
        name[k] = label[k];
    }
}

static er_result write_tracks(er_context *context, const options *o, const er_mode_tracks *t, const char *const *name,
                              const char *title)
{
    er_result r = o->output != NULL ? er_mode_tracks_write_csv(context, t, o->output) : ER_OK;
    if (r == ER_OK && o->plot != NULL) r = er_mode_tracks_plot(context, t, name, title, o->plot);
    return r;
}

int check_track(const options *o)
{
    static const char *const ends[] = {".csv", NULL};
    if (o->json || o->matrices != NULL)
        return fail_usage("modes", "--track writes .csv by -o and .svg by --plot, so leave out --%s",
                          o->json ? "json" : "matrices");
    if (o->output_count > 1)
        return fail_usage("modes", "--track writes one file by -o; leave out \"%s\"", o->outputs[1]);
    if (o->plot != NULL && strcmp(o->plot, "-") != 0 && !er_path_ends_in(o->plot, ".svg"))
        return fail_usage("modes", "--track draws .svg, but \"%s\" has another ending", o->plot);
    return check_output_ending("modes", ends, o);
}

int run_track(er_context *context, const options *o, const loaded *l, const er_modes *modes, bool prints)
{
    const er_model *model = l->model;
    er_mode_tracks *tracks = NULL;
    er_mode_tracks_def def = o->track.def;
    def.mode_count = o->count > 0 ? o->count : MODES;
    bool *joint = calloc((size_t)model->joint_count + 1, sizeof *joint);
    double *travel = calloc((size_t)model->joint_count + 1, sizeof *travel);
    char(*label)[LABEL] = calloc((size_t)def.mode_count, sizeof *label);
    const char **name = calloc((size_t)def.mode_count, sizeof *name);
    er_result r = joint == NULL || travel == NULL || label == NULL || name == NULL ? eri_no_memory(context) : ER_OK;
    if (r == ER_OK) r = choose_joints(context, &o->track, model, joint);
    if (r == ER_OK) r = er_mode_tracks_create(context, model, joint, &def, &tracks);
    if (r == ER_OK) {
        write_labels(model, modes, tracks, travel, label, name);
        r = write_tracks(context, o, tracks, name, model->name);
    }
    if (r == ER_OK && prints) print_tracks(tracks, name);
    er_mode_tracks_destroy(tracks);
    free(joint);
    free(travel);
    free(label);
    free(name);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
}
