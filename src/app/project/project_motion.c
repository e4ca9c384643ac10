// Mixes read, bound to a model as motions, and recorded as clips, with notes for the user.
#include "app/project/project_motion.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/project_modes.h"
#include "base/failure.h"
#include "base/letters.h"
#include "base/platform.h"

enum { LONGEST = 100000, MOST_FPS = 100000, LEAST_KEYS = 8 }; // s, 1/s: what recordings hold
enum { MANY_FRAMES = 100000, LEAST_FRAMES = 2 };
enum { KEYS_A_PERIOD = 48, KEYS_OF_LOOPS = 192 }; // with 48 a slerp is off by at most 1/470 of the amplitude

#define MUCH 0.1         // a change of frequency that is worth a warning
#define LITTLE_LEFT 0.25 // the share of a mix that planting leaves, likewise

void project_notify(const project_listener *listener, er_note_kind kind, const char *format, ...)
{
    char text[512];
    va_list arguments;
    if (listener == NULL || listener->notify == NULL) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    listener->notify(listener->user, kind, text);
}

// --- mixes

bool project_names_file(const char *text)
{
    return er_path_ends_in(text, ".json") || strcmp(text, "-") == 0 ||
           (*text != '\0' && eri_platform_access(text, ERI_EXISTS));
}

bool project_is_folder(const char *path)
{
    return eri_platform_is_folder(path);
}

bool project_mix_has_names(const char *text)
{
    if (project_names_file(text)) return false;
    for (const char *at = text; *at != '\0'; ++at) {
        at += strspn(at, " ");
        if (eri_is_letter(*at) || (unsigned char)*at >= 0x80) return true;
        at += strcspn(at, ",");
        if (*at == '\0') break;
    }
    return false;
}

er_result project_read_mix(er_context *context, const char *text, er_mix **out)
{
    return project_names_file(text) ? er_mix_file_read(context, text, out) : er_mix_parse(context, text, out);
}

int project_modes_of_mixes(const er_model *model, er_mix *const *mix, int count, int usual)
{
    int highest = 0, most = model->coordinate_count + 6 * model->body_count;
    bool shapes = false;
    if (usual == 0) return 0;
    for (int i = 0; i < count; ++i)
        for (int v = 0; v < mix[i]->component_count; ++v) {
            highest = highest > mix[i]->component[v].mode ? highest : mix[i]->component[v].mode;
            shapes |= mix[i]->component[v].shape != NULL;
        }
    if (highest > most) highest = most;
    int wanted = shapes ? 2 * (highest + 1) : highest + 1;
    return wanted > usual ? wanted : usual;
}

int project_find_node(const er_rig *rig, const char *pattern)
{
    for (int i = 0; rig != NULL && i < rig->scene->node_count; ++i)
        if (rig->node_body[i] >= 0 && eri_platform_match(pattern, rig->scene->node[i].name)) return rig->node_body[i];
    return -1;
}

// The name of the body of the first node that matches a pattern; the pattern itself if it matches a body, or nothing.
static const char *body_at(const er_model *model, const er_rig *rig, const char *pattern)
{
    for (int b = 0; b < model->body_count; ++b)
        if (eri_platform_match(pattern, model->body[b].name) || strcmp(pattern, model->body[b].name) == 0)
            return pattern;
    int body = project_find_node(rig, pattern);
    return body >= 0 ? model->body[body].name : pattern;
}

er_result project_fit_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                          const er_mix *mix, const project_listener *listener, er_mix **out)
{
    *out = NULL;
    er_mix named = *mix;
    er_mix_match *match = calloc((size_t)mix->component_count, sizeof *match);
    er_mix_component *component = calloc((size_t)mix->component_count, sizeof *component);
    er_result r = match != NULL && component != NULL ? ER_OK : eri_no_memory(context);
    for (int v = 0; v < mix->component_count && r == ER_OK; ++v) {
        component[v] = mix->component[v];
        if (component[v].at != NULL) component[v].at = body_at(model, rig, component[v].at);
    }
    named.component = component;
    if (r == ER_OK) r = er_mix_fit(context, model, modes, &named, match, out);
    for (int v = 0; r == ER_OK && v < mix->component_count; ++v)
        if (match[v].likeness < 0.95)
            project_notify(listener, ER_NOTE_WARNING, "mode %d of the mix is like mode %d of this rig by %.0f %% only",
                           match[v].was, match[v].now, 100.0 * match[v].likeness);
        else if (match[v].was != match[v].now)
            project_notify(listener, ER_NOTE_FACT, "mode %d of the mix is mode %d of this rig", match[v].was,
                           match[v].now);
    free(component);
    free(match);
    return r;
}

bool project_has_envelope(const er_mix *mix)
{
    bool shaped = false;
    for (int v = 0; v < mix->component_count; ++v)
        shaped |= mix->component[v].attack > 0.0 || mix->component[v].decay > 0.0 || mix->component[v].damping != 0.0;
    return shaped;
}

bool project_any_damping(const er_modes *modes)
{
    bool damped = false;
    for (int k = 0; k < modes->count; ++k)
        damped |= modes->mode[k].damping_ratio > 0.0;
    return damped;
}

// All harmonics change by the same ratio, so one warning is enough.
static void tell_of_cycle(const er_motion *m, const er_mix *mix, const project_listener *listener)
{
    double ratio = 1.0;
    for (int v = 0; v < m->component_count; ++v)
        if (mix->component[v].harmonic > 0) ratio = m->component[v].asked_hz / m->component[v].hz;
    if (fabs(1.0 / ratio - 1.0) > MUCH && mix->cycle > 0.0)
        project_notify(
            listener, ER_NOTE_WARNING, "its cycle of %.3g s becomes one of %.3g s, %+.0f %%, to fit %.4g s%s",
            mix->cycle, ratio * mix->cycle, 100.0 * (ratio - 1.0), m->duration,
            ratio < 0.5 ? "; --pose CLIP@SECONDS instead of --over keeps it, over one pose of the clip" : "");
}

static void tell_of_component(const er_motion *m, const er_motion_component *component, const er_mix_component *request,
                              double fps, const project_listener *listener)
{
    if (request->metres > m->model->size)
        project_notify(listener, ER_NOTE_WARNING, "mode %d: %g cm to each side are more than the model's size, %.3g m",
                       component->mode, 100.0 * request->metres, m->model->size);
    double change = component->hz / component->asked_hz - 1.0;
    if (fps < 6.0 * component->hz)
        project_notify(listener, ER_NOTE_WARNING, "mode %d at %.3g Hz gets %.2g frames a cycle; %.0f a second would do",
                       component->mode, component->hz, fps / component->hz, ceil(12.0 * component->hz));
    if (component->factor == 0.0 && component->degrees > 0.0)
        project_notify(listener, ER_NOTE_WARNING, "mode %d moves nothing that an amplitude could be of, and stays out",
                       component->mode);
    if (fabs(change) > MUCH && request->harmonic == 0)
        project_notify(listener, ER_NOTE_WARNING,
                       "mode %d plays at %.3g Hz in place of %.3g, %+.0f %%, to fit whole cycles in %.3g s",
                       component->mode, component->hz, component->asked_hz, 100.0 * change, m->duration);
}

// kg m^2: the sum over times of mass times squared distance from the equilibrium.
static er_result measure_way(er_context *context, er_motion *motion, double *out)
{
    enum { TIMES = 16 };
    const er_model *m = motion->model;
    er_pose *pose = malloc((size_t)m->body_count * sizeof *pose);
    er_result r = pose != NULL ? ER_OK : eri_no_memory(context);
    *out = 0.0;
    for (int i = 0; i < TIMES && r == ER_OK; ++i) {
        double time = motion->duration * i / TIMES;
        r = er_motion_poses(motion, 1, &time, NULL, pose);
        for (int b = 0; b < m->body_count && r == ER_OK; ++b) {
            const er_body *body = &m->body[b];
            er_vec3 at = er_pose_point(body->pose, body->com), goes = er_v3_sub(er_pose_point(pose[b], body->com), at);
            *out += body->mass * er_v3_dot(goes, goes);
        }
    }
    free(pose);
    return r;
}

er_result project_make_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                              const er_motion_def *def, const project_listener *listener, er_motion **out)
{
    *out = NULL;
    if (def->loop && def->duration > 0.0 && def->duration * def->fps < LEAST_FRAMES - 1e-6)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a loop of %.4g s is less than %d frames at %g a second, and would show nothing; make it longer",
                       def->duration, LEAST_FRAMES, def->fps);
    er_result r = er_motion_create(context, model, modes, mix, def, out);
    for (int v = 0; r == ER_OK && v < (*out)->component_count; ++v)
        tell_of_component(*out, &(*out)->component[v], &mix->component[v], def->fps, listener);
    if (r == ER_OK) tell_of_cycle(*out, mix, listener);
    return r;
}

er_result project_warn_planted(er_context *context, const er_modes *modes, const er_mix *mix, const er_motion_def *def,
                               er_motion *planted, const project_listener *listener)
{
    er_motion *free_one = NULL;
    er_motion_def unplanted = *def;
    double with, without, left;
    if (def->plant_count == 0) return ER_OK;
    unplanted.plant_count = 0;
    er_result r = er_motion_create(context, planted->model, modes, mix, &unplanted, &free_one);
    if (r == ER_OK) r = measure_way(context, planted, &with);
    if (r == ER_OK) r = measure_way(context, free_one, &without);
    er_motion_destroy(free_one);
    if (r != ER_OK || !(without > 0.0)) return r;
    left = sqrt(with / without);
    if (left < LITTLE_LEFT)
        project_notify(
            listener, ER_NOTE_WARNING,
            "%s: with what is planted only %.2g %% of the motion is left; take modes that move other parts, or "
            "plant less",
            *mix->name != '\0' ? mix->name : "the mix", 100.0 * left);
    return r;
}

double project_whole_frames(double duration, double fps)
{
    double frames = fmax(1.0, round(duration * fps));
    return fabs(frames - duration * fps) > 1e-9 * frames ? frames / fps : duration;
}

er_result project_scale_mix(er_context *context, const er_mix *mix, double share, er_mix **out)
{
    er_mix less = *mix;
    er_mix_component *component = malloc((size_t)mix->component_count * sizeof *component);
    if (component == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < mix->component_count; ++i) {
        component[i] = mix->component[i];
        component[i].degrees *= share;
        component[i].metres *= share;
    }
    less.component = component;
    er_result r = er_mix_create(context, &less, out);
    free(component);
    return r;
}

er_result project_reach_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                               const er_motion_def *def, double fps, double *share, er_motion **out)
{
    er_mix *less = NULL;
    *share = 1.0;
    er_result r = er_motion_create(context, model, modes, mix, def, out);
    if (r != ER_OK || model->loop_count == 0) return r;
    r = er_motion_reach(*out, fps, share);
    if (r == ER_OK && *share == 1.0) return r;
    er_motion_destroy(*out);
    *out = NULL;
    if (r == ER_OK) r = project_scale_mix(context, mix, *share, &less);
    if (r == ER_OK) r = er_motion_create(context, model, modes, less, def, out);
    er_mix_destroy(less);
    return r;
}

// --- clips

er_result project_find_over(er_context *context, const er_scene *scene, const char *name,
                            const project_listener *listener, const er_clip **out)
{
    *out = NULL;
    if (name == NULL) return ER_OK;
    if (scene == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a rig file has no clips to lay the mix over");
    er_result r = er_scene_find_clip(context, scene, name, out);
    if (r != ER_OK || (*out)->duration > 0.0) return r;
    const char *clip = (*out)->name;
    *out = NULL;
    if (listener == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "the clip \"%s\" is a pose without duration", clip);
    project_notify(listener, ER_NOTE_WARNING,
                   "the clip \"%s\" is a pose without duration: take it as the equilibrium's pose", clip);
    return ER_OK;
}

er_result project_record_motion(er_context *context, er_motion *motion, const er_recording_target *target,
                                const er_recording_def *def, const project_listener *listener, er_recording **out)
{
    er_recording_def d = *def;
    bool loops = motion->model->loop_count > 0;
    d.cubic |= d.tolerance == 0.0 && loops;
    if (d.tolerance > 0.0 && loops)
        project_notify(listener, ER_NOTE_WARNING,
                       "keys left out part the loops of this rig, by as much as the tolerance allows");
    if (motion->duration * def->fps > MANY_FRAMES)
        project_notify(listener, ER_NOTE_WARNING, "%.4g s are %.0f frames, which takes its time", motion->duration,
                       motion->duration * def->fps);
    return er_motion_record(context, motion, target, &d, out);
}

enum { MOST_CLIP_NAME = 63 }; // bytes that Blender keeps

// The full name of a mode, or the brief one where a program would cut it.
static void name_clip(int index, double hz, const er_mode_name *called, char name[MOST_CLIP_NAME + 1])
{
    char pace[32];
    int used = snprintf(name, MOST_CLIP_NAME + 1, "mode %02d  ", index),
        end = snprintf(pace, sizeof pace, "%.2f Hz", hz);
    if (called != NULL) {
        bool fits = used + (int)strlen(called->name) + 2 + end <= MOST_CLIP_NAME;
        used += snprintf(name + used, (size_t)(MOST_CLIP_NAME + 1 - used), "%s  ", fits ? called->name : called->brief);
    }
    snprintf(name + used, (size_t)(MOST_CLIP_NAME + 1 - used), "%s", pace);
}

// One period of an elastic mode, looping, named "mode 03  1.42 Hz". The amplitude is reduced if loops of joints cannot
// follow. `out` is NULL if the mode is too fast or too slow for a clip.
static er_result record_mode(er_context *context, const er_model *model, const er_modes *modes, const er_mode *mode,
                             const er_mode_name *called, double degrees, const er_recording_target *target,
                             const project_listener *listener, er_recording **out)
{
    int index = er_modes_index(modes, mode);
    double hz = mode->frequency_hz, share = 1.0;
    char name[MOST_CLIP_NAME + 1];
    er_motion *motion = NULL;
    er_mix_component component = er_default_mix_component();
    er_mix mix = {.name = "", .component_count = 1, .component = &component};
    er_motion_def period = er_default_motion_def();
    er_recording_def def = er_default_recording_def();
    *out = NULL;
    component.mode = index;
    component.degrees = degrees;
    def.cubic = model->loop_count > 0; // not all viewers take tangents
    def.fps = fmin((def.cubic ? KEYS_OF_LOOPS : KEYS_A_PERIOD) * hz, MOST_FPS);
    def.name = name;
    if (def.fps < LEAST_KEYS * hz || hz * LONGEST < 1.0) {
        project_notify(listener, ER_NOTE_WARNING, "mode %d, at %.3g Hz, is too %s for a clip and stays out", index, hz,
                       hz > 1.0 ? "fast" : "slow");
        return ER_OK;
    }
    name_clip(index, hz, called, name);
    period.duration = 1.0 / hz;
    period.loop = true;
    er_result r = project_reach_motion(context, model, modes, &mix, &period, def.fps, &share, &motion);
    if (r == ER_OK) r = er_motion_record(context, motion, target, &def, out);
    if (r == ER_OK && share < 1.0)
        project_notify(listener, ER_NOTE_WARNING, "mode %d: its loop follows only %.3g of %g degrees", index,
                       share * degrees, degrees);
    er_motion_destroy(motion);
    return r;
}

static void tell_bound(int mode, const er_mode_bound *bound, const project_listener *listener)
{
    static const char *const why[] = {NULL, "a joint reaches its limit", "parts of the body meet",
                                      "full dynamics move in another way"};
    if (bound->by != ER_BOUND_ASKED)
        project_notify(listener, ER_NOTE_FACT, "mode %d swings by %.3g degrees: beyond, %s", mode, bound->degrees,
                       why[bound->by]);
}

// Says nothing if there are elastic modes: record_mode() has warned about those without a clip.
static void tell_of_no_clips(const er_modes *modes, const project_listener *listener)
{
    if (project_elastic_count(modes) > 0) return;
    if (modes->count < modes->dof)
        project_notify(listener, ER_NOTE_WARNING,
                       "none of the %d modes in the window of frequencies is elastic, so no clip was added",
                       modes->count);
    else
        project_notify(listener, ER_NOTE_WARNING,
                       "the rig has no elastic mode, so no clip was added (%d mechanisms: joints without stiffness)",
                       modes->mechanism_count);
}

er_result project_record_palette(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                 const er_mode_names *names, bool whole_body, double degrees,
                                 const er_recording_target *target, const project_listener *listener,
                                 const project_progress *progress, project_palette *out)
{
    er_result r = ER_OK;
    er_mode_bound *bound = NULL;
    *out = (project_palette){.recording = calloc((size_t)modes->count + 1, sizeof(er_recording *))};
    if (out->recording == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    if (degrees == 0.0) r = project_bound_modes(context, model, rig, modes, &bound);
    for (int k = 0; k < modes->count && r == ER_OK; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        if (whole_body && names != NULL && !names->mode[k].whole_body) continue;
        er_recording **recording = &out->recording[out->count];
        if (bound != NULL) tell_bound(er_modes_index(modes, &modes->mode[k]), &bound[k], listener);
        r = record_mode(context, model, modes, &modes->mode[k], er_mode_names_at(names, modes->first + k),
                        bound != NULL ? bound[k].degrees : degrees, target, listener, recording);
        out->count += *recording != NULL;
        if (r == ER_OK && progress != NULL && progress->step != NULL &&
            !progress->step(progress->user, k + 1, modes->count))
            r = er_fail(context, ER_ERROR_ARGUMENT, "the palette was ended after %d of %d modes", k + 1, modes->count);
    }
    free(bound);
    if (r == ER_OK)
        tell_of_no_clips(modes, listener);
    else
        project_palette_clear(out);
    return r;
}

void project_palette_clear(project_palette *palette)
{
    for (int i = 0; i < palette->count; ++i)
        er_recording_destroy(palette->recording[i]);
    free(palette->recording);
    *palette = (project_palette){0};
}
