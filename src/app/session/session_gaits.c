// Searches for gaits in a thread, on copies of the model and its modes, and poses bodies in a gait.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/outputs.h"
#include "app/project/project_play.h"
#include "app/project/project_preset.h"
#include "app/project/project_sequence.h"
#include "app/session/session_inside.h"
#include "app/session/worker.h"

enum { LONGEST_SEQUENCE = SESSION_MAX_PIECES * 280 };

// The thread owns `own`, `result`, `found` and `next` while it works, and reads the model, its modes and the texts.
struct gait_search {
    er_context *own; // the thread's
    worker *worker;
    untuned *untuned; // for its rig, shared
    er_model *model;
    er_modes modes;
    er_mode *mode;
    double *shape; // [modes.count x (6 body_count + coordinate_count)]
    session_setup setup;
    er_result result;
    er_gaits *gaits;
    bool busy, searched;
    bool sequencing;                                     // the work is a sequence
    char text[LONGEST_SEQUENCE], made[LONGEST_SEQUENCE]; // of that sequence, and of the last one
    er_gaits *found;                                     // by the thread
    er_gait_motion *next, *sequence;                     // made by the thread, and taken
    unsigned version;                                    // of the session's modes
    atomic_int done;                                     // percent
    atomic_bool given_up;                                // the search is to end
    int moving;                                          // the gait of `motion`, -1
    er_gait_motion *motion;                              // of the gait shown last
};

static void note_part(void *user, int done, int all)
{
    gait_search *g = user;
    atomic_store(&g->done, all > 0 ? 100 * done / all : 0);
}

static bool is_given_up(void *user)
{
    return atomic_load(&((gait_search *)user)->given_up);
}

static void work(void *user)
{
    gait_search *g = user;
    er_gait_def def = session_gait_def(&g->setup);
    def.progress = note_part;
    def.stop = is_given_up;
    def.user = g;
    const project_sequence_def sequence = {g->model, g->untuned->rig, &g->modes, &def, g->text,
                                           -1.0,     FRAMES_A_SECOND, &g->found};
    g->result = g->sequencing ? project_make_sequence(g->own, &sequence, NULL, &g->next)
                              : er_gaits_find(g->own, g->model, g->untuned->rig, &g->modes, &def, &g->found);
}

void session_drop_gaits(gait_search *g)
{
    if (g == NULL) return;
    atomic_store(&g->given_up, true);
    worker_destroy(g->worker);
    er_gait_motion_destroy(g->motion);
    er_gait_motion_destroy(g->sequence);
    er_gait_motion_destroy(g->next);
    er_gaits_destroy(g->found);
    er_model_destroy(g->model);
    session_untuned_destroy(g->untuned);
    er_context_destroy(g->own);
    free(g->mode);
    free(g->shape);
    free(g);
}

er_result session_copy_modes(const session *s, const er_mode *from, int count, er_mode *mode, double **out)
{
    const er_model *model = session_model(s);
    size_t bodies = 6 * (size_t)model->body_count, width = bodies + (size_t)model->coordinate_count;
    double *shape = *out = malloc(((size_t)count * width + 1) * sizeof *shape);
    if (shape == NULL) return eri_no_memory(s->context);
    for (int k = 0; k < count; ++k, shape += width) {
        mode[k] = from[k];
        mode[k].body = memcpy(shape, from[k].body, bodies * sizeof *shape);
        mode[k].joint = memcpy(shape + bodies, from[k].joint, (width - bodies) * sizeof *shape);
    }
    return ER_OK;
}

static er_result copy_modes(const session *s, gait_search *g)
{
    const er_modes *modes = session_modes(s);
    g->mode = malloc(((size_t)modes->count + 1) * sizeof *g->mode);
    if (g->mode == NULL) return eri_no_memory(s->context);
    er_result r = session_copy_modes(s, modes->mode, modes->count, g->mode, &g->shape);
    g->modes = (er_modes){.count = modes->count,
                          .first = modes->first,
                          .dof = modes->dof,
                          .rigid_count = modes->rigid_count,
                          .mechanism_count = modes->mechanism_count,
                          .mode = g->mode};
    return r;
}

static er_result begin(session *s, gait_search *g)
{
    const er_rig_change none = er_default_rig_change();
    g->untuned = session_untuned_share(s->in.untuned);
    g->setup = s->now.setup;
    g->version = s->modes_version;
    g->moving = -1;
    er_result r = er_context_create(NULL, &g->own);
    if (r == ER_OK) r = er_rig_change_model(s->context, session_model(s), &none, &g->model);
    if (r == ER_OK) r = copy_modes(s, g);
    if (r == ER_OK) r = worker_create(s->context, work, g, &g->worker);
    return r;
}

static void start(gait_search *g, bool sequencing)
{
    g->busy = true;
    g->sequencing = sequencing;
    atomic_store(&g->done, 0);
    worker_begin(g->worker);
}

// Whether the search is for the present modes.
static bool is_present(const session *s)
{
    return s->gaits != NULL && s->gaits->version == s->modes_version;
}

// Makes what searches and sequences need of the present modes.
static er_result prepare(session *s)
{
    if (!session_is_open(s)) return session_check_open(s);
    if (is_present(s)) return ER_OK;
    session_drop_gaits(s->gaits);
    s->gaits = calloc(1, sizeof *s->gaits);
    if (s->gaits == NULL) return eri_no_memory(s->context);
    er_result r = begin(s, s->gaits);
    if (r == ER_OK) return ER_OK;
    session_drop_gaits(s->gaits);
    s->gaits = NULL;
    return r;
}

er_result session_search_gaits(session *s)
{
    er_result r = prepare(s);
    if (r == ER_OK && !s->gaits->busy && !s->gaits->searched) start(s->gaits, false);
    return r;
}

static er_result write_sequence(const session *s, char *text, size_t size)
{
    const session_setup *setup = &s->now.setup;
    size_t used = 0;
    for (int i = 0; i < setup->piece_count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s %.4gs", i > 0 ? ", " : "", setup->piece[i].what,
                                 setup->piece[i].seconds);
    if (used == 0 || used >= size)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the sequence has %s", used == 0 ? "no piece" : "too many words");
    return ER_OK;
}

er_result session_make_sequence(session *s)
{
    char text[LONGEST_SEQUENCE];
    er_result r = prepare(s);
    if (r == ER_OK) r = write_sequence(s, text, sizeof text);
    if (r != ER_OK || s->gaits->busy || strcmp(s->gaits->made, text) == 0) return r;
    memcpy(s->gaits->text, text, sizeof text);
    start(s->gaits, true);
    return ER_OK;
}

bool session_is_making_sequence(const session *s)
{
    return s->gaits != NULL && s->gaits->busy && s->gaits->sequencing;
}

// A sequence that cannot be made leaves the one before, and is not tried again.
static void take_sequence(gait_search *g)
{
    memcpy(g->made, g->text, sizeof g->made);
    if (g->result != ER_OK) return;
    er_gait_motion_destroy(g->sequence);
    g->sequence = g->next;
    g->next = NULL;
}

bool session_mix_piece(const session *s, session_piece *out)
{
    const session_setup *setup = &s->now.setup;
    size_t used = 0;
    *out = (session_piece){.seconds = 4.0};
    for (int i = 0; i < setup->component_count && used < sizeof out->what; ++i) {
        const session_component *v = &setup->component[i];
        char hz[32] = "";
        if (!session_plays(setup, i)) continue;
        if (v->hz > 0.0) snprintf(hz, sizeof hz, "@%.6g", v->hz);
        used += (size_t)snprintf(out->what + used, sizeof out->what - used, "%s%d:%.6g%s%+.6g", used > 0 ? "," : "",
                                 v->mode, v->degrees, hz, v->phase * 180.0 / ER_PI);
    }
    return used > 0 && used < sizeof out->what;
}

er_result session_wait_for_gaits(session *s, double patience)
{
    gait_search *g = s->gaits;
    if (g == NULL || !g->busy || !worker_wait(g->worker, patience)) return ER_OK;
    g->busy = false;
    g->gaits = g->found;
    g->searched |= !g->sequencing || g->gaits != NULL;
    if (g->sequencing) take_sequence(g);
    if (g->result != ER_OK && is_present(s)) return er_fail(s->context, g->result, "%s", er_context_error(g->own));
    return ER_OK;
}

bool session_is_searching_gaits(const session *s, double *share)
{
    bool seeks = s->gaits != NULL && s->gaits->busy && !s->gaits->sequencing;
    *share = seeks ? 0.01 * atomic_load(&s->gaits->done) : 1.0;
    return seeks;
}

const er_gaits *session_gaits(const session *s)
{
    return is_present(s) && s->gaits->searched ? s->gaits->gaits : NULL;
}

static er_result move(session *s, int which)
{
    const er_gaits *gaits = session_gaits(s);
    if (gaits == NULL || which < 0 || which >= gaits->count)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no gait %d", which);
    gait_search *g = s->gaits;
    if (g->moving == which) return ER_OK;
    er_gait_motion *motion = NULL;
    const er_gait *gait = &gaits->gait[which];
    double fps = fmax(240.0 * gait->hz, FRAMES_A_SECOND); // many frames, since poses between them are interpolated
    er_result r = er_gait_move(s->context, g->model, &g->modes, gaits, gait, fps, &motion);
    if (r != ER_OK) return r;
    er_gait_motion_destroy(g->motion);
    g->motion = motion;
    g->moving = which;
    return ER_OK;
}

// The motion of the preset in time, NULL if there is none of the present modes.
static const er_gait_motion *timed_motion(const session *s)
{
    return s->timed.version == s->modes_version ? s->timed.motion : NULL;
}

bool session_has_sequence(const session *s)
{
    return is_present(s) && s->gaits->sequence != NULL;
}

// The motion that plays in place of a gait; NULL: a gait, or no such motion.
static const er_gait_motion *made_motion(const session *s, int which)
{
    if (which == SESSION_TIMED_PRESET) return timed_motion(s);
    return which == SESSION_SEQUENCE && session_has_sequence(s) ? s->gaits->sequence : NULL;
}

bool session_has_timed_preset(const session *s)
{
    return timed_motion(s) != NULL;
}

er_result session_move_preset(session *s, const char *name)
{
    const project_listener listener = session_listen(s);
    er_gait_motion *motion = NULL;
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    er_gait_def gait = session_gait_def(&s->now.setup);
    r = project_move_preset(s->context, session_model(s), session_rig(s), session_modes(s), &gait, name, 240.0,
                            &listener, NULL, &motion);
    if (r != ER_OK) return r;
    er_gait_motion_destroy(s->timed.motion);
    s->timed.motion = motion;
    s->timed.version = s->modes_version;
    snprintf(s->timed.name, sizeof s->timed.name, "%s", name);
    if (s->warnings[0] != '\0') snprintf(s->message, sizeof s->message, "%.255s", s->warnings);
    return ER_OK;
}

const char *session_gait_name(const session *s, int which)
{
    const er_gaits *gaits = session_gaits(s);
    if (which == SESSION_TIMED_PRESET) return s->timed.name;
    if (which == SESSION_SEQUENCE) return "sequence";
    return gaits != NULL && which >= 0 && which < gaits->count ? gaits->gait[which].name : "";
}

double session_gait_cycle(const session *s, int which)
{
    const er_gait_motion *made = made_motion(s, which);
    if (made != NULL) return made->time[made->frame_count - 1];
    const er_gaits *gaits = session_gaits(s);
    return gaits != NULL && which >= 0 && which < gaits->count ? 1.0 / gaits->gait[which].hz : 1.0;
}

er_result session_gait_pose(session *s, int which, bool travels, double time, er_pose *pose)
{
    const er_gait_motion *made = made_motion(s, which);
    er_result r = isfinite(time) ? ER_OK : er_fail(s->context, ER_ERROR_ARGUMENT, "%g s is not a valid time", time);
    if (r == ER_OK && made == NULL) r = move(s, which);
    if (r != ER_OK) return r;
    double cycle = session_gait_cycle(s, which);
    er_vec3 travel = project_gait_pose(made != NULL ? made : s->gaits->motion, time / cycle, pose);
    for (int b = 0; travels && b < session_model(s)->body_count; ++b)
        pose[b].p = er_v3_add(pose[b].p, travel);
    return ER_OK;
}

er_result session_write_gait(session *s, int which, bool travels, const session_export *def, const char *path)
{
    const er_gaits *gaits = session_gaits(s);
    const project_format *format = project_find_format(path);
    er_gait_motion *motion = NULL;
    er_recording *recording = NULL;
    er_recording_def how = er_default_recording_def();
    const bool timed = which == SESSION_TIMED_PRESET && session_has_timed_preset(s);
    const bool sequence = which == SESSION_SEQUENCE && session_has_sequence(s);
    if (!timed && !sequence && (gaits == NULL || which < 0 || which >= gaits->count))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no gait %d", which);
    if (format == NULL || format->curves)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "gaits are written to files of clips: %s",
                       project_format_endings(true));
    how.name = def->name != NULL ? def->name : session_gait_name(s, which);
    how.fps = def->fps;
    how.tolerance = def->tolerance * ER_PI / 180.0;
    how.cubic = def->splines;
    er_gait_def body = session_gait_def(&s->now.setup);
    const project_sequence_def pieces = {session_model(s),
                                         session_rig(s),
                                         session_modes(s),
                                         &body,
                                         sequence ? s->gaits->made : "",
                                         -1.0,
                                         def->fps,
                                         NULL};
    er_result r = sequence ? project_make_sequence(s->context, &pieces, NULL, &motion)
                  : timed  ? project_move_preset(s->context, session_model(s), session_rig(s), session_modes(s), &body,
                                                 s->timed.name, def->fps, NULL, NULL, &motion)
                           : er_gait_move(s->context, s->gaits->model, &s->gaits->modes, gaits, &gaits->gait[which],
                                          def->fps, &motion);
    if (r == ER_OK) r = er_gait_record(s->context, motion, travels && !timed, session_target(s), &how, &recording);
    if (r == ER_OK) r = project_write_takes(s->context, session_target(s), 1, &recording, false, path);
    er_recording_destroy(recording);
    er_gait_motion_destroy(motion);
    return r;
}
