// The mix in time, and modes by themselves.
#include <stdlib.h>

#include <eigenrig/motion.h>
#include <string.h>

#include "app/project/project_motion.h"
#include "app/session/session_inside.h"

bool session_plays(const session_setup *setup, int i)
{
    bool solo = false;
    for (int k = 0; k < setup->component_count; ++k)
        solo |= setup->component[k].solo;
    return !setup->component[i].mute && (!solo || setup->component[i].solo);
}

static er_mix_component component_of(const er_modes *modes, const session_component *v, double share)
{
    const er_mode *mode = er_modes_find(modes, v->mode);
    er_mix_component component = er_default_mix_component();
    component.mode = v->mode;
    component.degrees = v->degrees * share;
    component.hz = v->hz > 0.0 || mode->frequency_hz > 0.0 ? v->hz : 1.0; // a mode without frequency plays at 1 Hz
    component.phase = v->phase;
    component.shape = mode->body;
    component.shape_hz = mode->frequency_hz;
    return component;
}

// Checks all components, also those that do not play.
static er_result check_components(er_context *context, const er_model *model, const er_modes *modes,
                                  const session_setup *setup)
{
    er_mix_component component[SESSION_MAX_COMPONENTS];
    er_mix *mix = NULL;
    for (int i = 0; i < setup->component_count; ++i) {
        if (er_modes_find(modes, setup->component[i].mode) == NULL)
            return er_fail(context, ER_ERROR_ARGUMENT, "there is no mode %d; there are %d to %d",
                           setup->component[i].mode, modes->first, modes->first + modes->count - 1);
        if (!(setup->component[i].hz >= 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d: a frequency of %g Hz is not 0 or more",
                           setup->component[i].mode, setup->component[i].hz);
        component[i] = component_of(modes, &setup->component[i], 1.0);
    }
    er_mix wanted = {.name = setup->mix_name,
                     .body_count = model->body_count,
                     .size = model->size,
                     .component_count = setup->component_count,
                     .component = component};
    er_result r = setup->component_count > 0 ? er_mix_create(context, &wanted, &mix) : ER_OK;
    er_mix_destroy(mix);
    return r;
}

er_result session_make_mix(er_context *context, const er_model *model, const er_modes *modes,
                           const session_setup *setup, double share, er_mix **out)
{
    er_mix_component component[SESSION_MAX_COMPONENTS];
    er_mix mix = {
        .name = setup->mix_name, .body_count = model->body_count, .size = model->size, .component = component};
    for (int i = 0; i < setup->component_count; ++i)
        if (session_plays(setup, i))
            component[mix.component_count++] = component_of(modes, &setup->component[i], share);
    *out = NULL;
    return mix.component_count > 0 ? er_mix_create(context, &mix, out) : ER_OK;
}

// @param share  of the amplitudes; 0: to be measured
static er_result make_motion(er_context *context, const layers *in, const session_setup *setup, const er_clip *over,
                             double share, playback *s)
{
    er_mix *mix = NULL;
    er_motion_def def = er_default_motion_def();
    const er_model *model = in->tuned->model;
    const er_modes *modes = in->solution.modes;
    def.loop = true;
    def.fps = FRAMES_A_SECOND;
    def.duration = over != NULL ? over->duration : 0.0;
    def.plant_count = in->plants != NULL ? in->plants->count : 0;
    def.plant = in->plants != NULL ? in->plants->hold : NULL;
    s->measured = share == 0.0;
    s->share = s->measured ? 1.0 : share;
    er_result r = session_make_mix(context, model, modes, setup, s->share, &mix);
    if (r != ER_OK || mix == NULL) return r;
    r = s->measured ? project_reach_motion(context, model, modes, mix, &def, FRAMES_A_SECOND, &s->share, &s->motion)
                    : er_motion_create(context, model, modes, mix, &def, &s->motion);
    er_mix_destroy(mix);
    return r;
}

er_result session_follow_clips(er_context *context, const er_model *model, const er_rig *rig,
                               const session_setup *setup, const char *clip, double fps,
                               const project_listener *listener, project_follow *out)
{
    const session_follow *has = &setup->follow;
    project_follow_def def = project_default_follow_def();
    def.parts = has->parts;
    def.clip = clip;
    def.follow.hz = has->hz;
    def.follow.bounce = has->bounce;
    def.follow.weight = has->weight;
    def.follow.amount = has->amount;
    def.follow.rest_pose = has->rest_pose;
    def.body = session_gait_def(setup);
    def.recording.fps = fps;
    return project_follow_clips(context, model, rig, &def, listener, NULL, out);
}

// The clip below the mix, and the playback of both.
static er_result lay_over(er_context *context, const layers *in, const session_setup *setup, double share, playback *s)
{
    const er_clip *clip = NULL;
    const er_rig *rig = in->untuned->rig;
    const char *name = setup->over[0] != '\0' ? setup->over : NULL;
    er_result r = project_find_over(context, rig != NULL ? rig->scene : NULL, name, NULL, &clip);
    if (r == ER_OK && clip != NULL && setup->follow.parts[0] != '\0') {
        r = session_follow_clips(context, in->tuned->model, rig, setup, name, FRAMES_A_SECOND, NULL, &s->followed);
        if (r == ER_OK) clip = &s->followed.recording[0]->clip;
    }
    if (r == ER_OK) r = make_motion(context, in, setup, clip, share, s);
    if (r != ER_OK || clip == NULL) return r;
    return project_play_make(context, in->tuned->model, rig->body_node, &in->untuned->shown.target, clip, s->motion,
                             FRAMES_A_SECOND, &s->over);
}

static void stand_still(const er_model *model, er_pose *pose)
{
    for (int i = 0; i < model->body_count; ++i)
        pose[i] = model->body[i].pose;
}

er_result session_make_playback(er_context *context, const layers *in, const session_setup *setup, bool measure,
                                playback **out)
{
    const er_model *model = in->tuned->model;
    double begin = 0.0, share = measure || model->loop_count == 0 || in->playback == NULL ? 0.0 : in->playback->share;
    playback *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) return eri_no_memory(context);
    s->last = malloc((size_t)model->body_count * sizeof *s->last);
    er_result r =
        s->last != NULL ? check_components(context, model, in->solution.modes, setup) : eri_no_memory(context);
    if (r == ER_OK) r = lay_over(context, in, setup, share, s);
    if (r == ER_OK && s->motion != NULL) r = er_motion_poses(s->motion, 1, &begin, NULL, s->last); // allocates memory
    if (r == ER_ERROR_NO_CONVERGENCE) r = ER_OK;
    if (r == ER_OK) stand_still(model, s->last);
    if (r != ER_OK) {
        session_playback_destroy(s);
        s = NULL;
    }
    *out = s;
    return r;
}

void session_playback_destroy(playback *s)
{
    if (s == NULL) return;
    project_play_clear(&s->over);
    project_follow_clear(&s->followed);
    er_motion_destroy(s->motion);
    free(s->last);
    free(s);
}

// --- poses

double session_cycle(const session *s)
{
    const playback *playing = s->in.playback;
    if (playing != NULL && playing->over.clip != NULL) return playing->over.duration;
    return playing != NULL && playing->motion != NULL ? playing->motion->duration : 1.0;
}

const er_follow *session_followed(const session *s)
{
    return s->in.playback != NULL && s->in.playback->followed.count > 0 ? s->in.playback->followed.follow[0] : NULL;
}

double session_reach(const session *s)
{
    return s->in.playback != NULL ? s->in.playback->share : 1.0;
}

er_result session_pose(session *s, double time, er_pose *pose)
{
    if (!session_is_open(s)) return session_check_open(s);
    if (!isfinite(time)) return er_fail(s->context, ER_ERROR_ARGUMENT, "%g s is not a valid time", time);
    const playback *playing = s->in.playback;
    size_t size = (size_t)s->in.tuned->model->body_count * sizeof *pose;
    er_result r = ER_OK;
    if (playing->over.clip != NULL) return project_play_pose(s->context, &playing->over, time, pose);
    if (playing->motion != NULL) r = er_motion_poses(playing->motion, 1, &time, NULL, pose);
    if (r != ER_OK && r != ER_ERROR_NO_CONVERGENCE) return r;
    if (r == ER_OK && playing->motion != NULL)
        memcpy(playing->last, pose, size);
    else
        memcpy(pose, playing->last, size); // at rest, or while a loop of joints cannot follow
    return ER_OK;
}

er_result session_mode_pose(session *s, int index, double degrees, double phase, er_pose *pose)
{
    const er_mode *mode = session_mode(s, index);
    if (mode == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no mode %d to pose", index);
    if (!(degrees >= 0.0 && degrees <= 3600.0) || !isfinite(phase))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "mode %d cannot be posed at %g degrees, phase %g", index, degrees,
                       phase);
    tuned *t = s->in.tuned;
    int width = er_kinematics_width(t->kinematics);
    double factor = er_mode_amplitude(t->model, mode, degrees) * sin(phase);
    er_result r = ER_ERROR_NO_CONVERGENCE;
    for (int tries = 0; tries < 16 && r == ER_ERROR_NO_CONVERGENCE; ++tries, factor *= 0.75) {
        er_kinematics_mode(t->kinematics, mode, t->x);
        for (int i = 0; i < width; ++i)
            t->x[i] *= factor;
        r = er_kinematics_pose(t->kinematics, t->x, pose);
    }
    if (r == ER_ERROR_NO_CONVERGENCE) {
        stand_still(t->model, pose);
        return ER_OK;
    }
    return r;
}
