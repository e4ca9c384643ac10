// The initial state of a simulation: the equilibrium, a pose file, or a frame of a clip with its velocities.
#include "app/project/initial_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/clip_poser.h"
#include "app/project/project_parts.h"
#include "app/settings/setting.h"
#include "base/failure.h"
#include "base/suggest.h"

// The end of a spline is felt at every knot 0.27 times less, so 16 knots beyond the ends suffice.
enum { GUIDE_FPS = 60, MOST_GUIDES = 1000000, BEYOND = 16 };

#define MOMENT 1e-3 // s, between the two poses that give a velocity

typedef struct initial_state_reader {
    clip_poser at; // its clip is NULL for a pose file, or none
    double time;   // s, in the clip
} initial_state_reader;

// --- the beginning

static er_result find_source(initial_state_reader *s, const char *from)
{
    char name[256];
    const char *at = strrchr(from, '@');
    if (s->at.rig == NULL)
        return er_fail(s->at.context, ER_ERROR_ARGUMENT,
                       "from needs a clip or a pose of a model, and a rig file has none");
    if (at == NULL || (size_t)(at - from) >= sizeof name)
        return er_pose_file_read(s->at.context, from, s->at.rig->scene, s->at.local);
    snprintf(name, sizeof name, "%.*s", (int)(at - from), from);
    er_result r = er_scene_find_clip(s->at.context, s->at.rig->scene, name, &s->at.clip);
    if (r == ER_OK && (!setting_number(at + 1, &s->time) || !(s->time >= 0.0 && s->time <= s->at.clip->duration)))
        r = er_fail(s->at.context, ER_ERROR_ARGUMENT, "from %s: the clip has times from 0 to %g s", from,
                    s->at.clip->duration);
    return r;
}

static er_result find_rates(initial_state_reader *s, project_initial_state *out)
{
    double half = 0.5 * MOMENT;
    double *before = malloc((size_t)s->at.width * sizeof *before);
    er_result r =
        before != NULL ? clip_poser_displacement(&s->at, s->time - half, before) : eri_no_memory(s->at.context);
    if (r == ER_OK) r = clip_poser_displacement(&s->at, s->time + half, out->rate);
    for (int i = 0; i < s->at.width && r == ER_OK; ++i)
        out->rate[i] = (out->rate[i] - before[i]) / MOMENT;
    free(before);
    return r;
}

static er_result begin(initial_state_reader *s, const char *from, project_initial_state *out)
{
    out->x = calloc((size_t)s->at.width + 1, sizeof *out->x);
    out->rate = calloc((size_t)s->at.width + 1, sizeof *out->rate);
    if (out->x == NULL || out->rate == NULL) return eri_no_memory(s->at.context);
    er_result r = find_source(s, from);
    if (r != ER_OK) return r;
    if (s->at.clip == NULL) {
        r = clip_poser_place(&s->at);
        if (r == ER_OK) clip_poser_read(&s->at, out->x);
        return r;
    }
    r = clip_poser_displacement(&s->at, s->time, out->x);
    return r == ER_OK && s->at.clip->duration > 0.0 ? find_rates(s, out) : r;
}

// --- held bodies

// Parts of the body are found only where patterns do not suffice, since that takes longer.
static er_result find_held_parts(initial_state_reader *s, const char *list, bool *held)
{
    const er_gait_def body = er_default_gait_def();
    er_regions *regions = NULL;
    er_result r = er_regions_create(s->at.context, s->at.model, s->at.rig, &body, &regions);
    if (r == ER_OK) r = project_find_parts(s->at.context, s->at.model, regions, "hold", list, false, held);
    er_regions_destroy(regions);
    return r;
}

static er_result find_held(initial_state_reader *s, const char *list, project_initial_state *out)
{
    int count = 0;
    out->held = calloc((size_t)s->at.model->body_count, sizeof *out->held);
    if (out->held == NULL) return eri_no_memory(s->at.context);
    er_result r = project_find_parts(s->at.context, s->at.model, NULL, "hold", list, false, out->held);
    if (r == ER_ERROR_ARGUMENT && s->at.model->body_count <= ER_MIRROR_MAX_BODIES)
        r = find_held_parts(s, list, out->held);
    if (r != ER_OK) return r;
    for (int b = 0; b < s->at.model->body_count; ++b)
        count += out->held[b];
    if (count == s->at.model->body_count)
        return er_fail(s->at.context, ER_ERROR_ARGUMENT, "hold %s holds every body, and none is left to move", list);
    return ER_OK;
}

// The poses at frames of the clip, with the joints of the model kept together.
// @param loops  the duration is the clip's: frames divide it, and the spline goes on beyond both ends
static er_result make_track(initial_state_reader *s, double duration, bool loops, project_initial_state *out)
{
    size_t bodies = (size_t)s->at.model->body_count;
    double frames = ceil(duration * GUIDE_FPS) + 2.0;
    if (!(frames <= MOST_GUIDES))
        return er_fail(s->at.context, ER_ERROR_ARGUMENT, "%g s are too long for bodies to be led by a clip", duration);
    int before = loops ? BEYOND : 0, cycle = (int)ceil(duration * GUIDE_FPS - 1e-6);
    int count = loops ? cycle + 2 * BEYOND + 1 : (int)frames;
    double step = loops ? duration / cycle : 1.0 / GUIDE_FPS;
    double *time = malloc((size_t)count * sizeof *time), *x = malloc(((size_t)s->at.width + 1) * sizeof *x);
    er_pose *pose = malloc((size_t)count * bodies * sizeof *pose);
    er_result r = time != NULL && x != NULL && pose != NULL ? ER_OK : eri_no_memory(s->at.context);
    for (int k = 0; k < count && r == ER_OK; ++k) {
        time[k] = loops ? (k - before) * step : (double)k / GUIDE_FPS;
        r = clip_poser_poses(&s->at, s->time + time[k], x, pose + (size_t)k * bodies);
    }
    if (r == ER_OK) r = er_trajectory_create(s->at.context, count, time, (int)bodies, pose, &out->track);
    free(pose);
    free(x);
    free(time);
    return r;
}

er_result project_initial_state_read(er_context *context, const er_model *model, const er_rig *rig,
                                     const project_simulation_def *def, double duration,
                                     const project_listener *listener, project_initial_state *out)
{
    *out = (project_initial_state){0};
    initial_state_reader s = {.time = 0.0};
    er_result r = clip_poser_create(context, model, rig, &s.at);
    if (r == ER_OK && def->from != NULL) r = begin(&s, def->from, out);
    if (r == ER_OK && def->hold != NULL) r = find_held(&s, def->hold, out);
    if (s.at.clip != NULL) out->period = s.at.clip->duration;
    if (def->loop) duration = out->period;
    bool led = def->hold != NULL || def->rest == PROJECT_REST_CLIP;
    if (r == ER_OK && led && s.at.clip != NULL) r = make_track(&s, duration, def->loop, out);
    if (r == ER_OK && def->hold != NULL && s.at.clip == NULL && def->from != NULL)
        project_notify(listener, ER_NOTE_WARNING,
                       "held bodies stay where they are at equilibrium, not where from has them");
    clip_poser_clear(&s.at);
    return r;
}

void project_initial_state_clear(project_initial_state *start)
{
    er_trajectory_destroy(start->track);
    free(start->held);
    free(start->rate);
    free(start->x);
    *start = (project_initial_state){0};
}

// --- pushes

static er_result refuse_push(er_context *context, const char *text)
{
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "push takes JOINT:NS@S, newton seconds forwards at a time, or JOINT:X,Y,Z@S, not \"%s\"", text);
}

// NS, or X,Y,Z.
static bool read_impulse(char *text, er_vec3 forward, er_vec3 *out)
{
    double number[3];
    int count = 0;
    for (char *word = text, *next; word != NULL; word = next, ++count) {
        next = strchr(word, ',');
        if (next != NULL) *next++ = '\0';
        if (count == 3 || !setting_number(word, &number[count])) return false;
    }
    *out = count == 1 ? er_v3_scale(number[0], forward) : er_v3(number[0], number[1], number[2]);
    return (count == 1 || count == 3) && er_v3_finite(*out);
}

// The child of the joint of this name, or the body of this name: roots have no joint.
static int find_pushed(const er_model *model, suggestion *nearest)
{
    for (int k = 0; k < model->joint_count; ++k) {
        if (strcmp(model->joint[k].name, nearest->word) == 0) return model->joint[k].child;
        suggestion_try(nearest, model->joint[k].name);
    }
    for (int b = 0; b < model->body_count; ++b) {
        if (strcmp(model->body[b].name, nearest->word) == 0) return b;
        suggestion_try(nearest, model->body[b].name);
    }
    return -1;
}

er_result project_impulse_read(er_context *context, const er_model *model, er_vec3 forward, const char *text,
                               project_impulse *out)
{
    char words[512];
    snprintf(words, sizeof words, "%s", text);
    char *colon = strrchr(words, ':'), *at = strrchr(words, '@');
    if (strlen(text) >= sizeof words || colon == NULL || at == NULL || at < colon) return refuse_push(context, text);
    *colon = *at = '\0';
    if (!read_impulse(colon + 1, forward, &out->impulse) || !setting_number(at + 1, &out->time) || !(out->time >= 0.0))
        return refuse_push(context, text);
    suggestion nearest = {.word = words};
    char end[SUGGESTION_TEXT];
    out->body = find_pushed(model, &nearest);
    if (out->body < 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "push %s: no joint is called \"%s\"%s", text, words,
                       suggestion_text(&nearest, end));
    out->point = model->body[out->body].com;
    return ER_OK;
}
