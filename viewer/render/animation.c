// Poses of a mode, a mix, a clip or a gait at a time.
#include "viewer/render/animation.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_FRAMES = 8 }; // a cycle: with fewer, motion seems to stop or to go backwards

animation animation_at_rest(const er_model *model)
{
    return (animation){.model = model, .share = 1.0};
}

double animation_period(double hz)
{
    const double least = 2.0, longest = 20.0;
    double period = hz > 0.0 ? 1.0 / hz : HUGE_VAL;
    return period > longest ? least : period * ceil(least / period - 1e-9);
}

// Whole cycles in a film, with at least LEAST_FRAMES frames each.
static double cycles_in(double own_hz, double duration, int frames)
{
    return fmax(fmin(round(own_hz * duration), floor(frames / (double)LEAST_FRAMES)), 1.0);
}

static er_result create(er_context *context, const render_subject *subject, const er_mix_component *component,
                        double duration, er_motion **out)
{
    er_mix mix = {.name = "", .component_count = 1, .component = component};
    er_motion_def def = er_default_motion_def();
    def.duration = duration;
    def.loop = true;
    return er_motion_create(context, subject->model, subject->modes, &mix, &def, out);
}

er_result animation_of_mode(er_context *context, const render_subject *subject, const render_def *def, int mode,
                            double duration, int frames, animation *out)
{
    *out = animation_at_rest(subject->model);
    const er_mode *held = er_modes_find(subject->modes, mode);
    if (held == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no mode %d; there are %d to %d", mode,
                       subject->modes->first, subject->modes->first + subject->modes->count - 1);
    double own = held->frequency_hz;
    double cycles = frames > 0 ? cycles_in(own, duration, frames) : 1.0;
    er_mix_component component = er_default_mix_component();
    component.mode = mode;
    component.degrees = def->bound != NULL ? def->bound[held - subject->modes->mode].degrees : def->degrees;
    component.phase = def->phase;
    out->hz = component.hz = cycles / duration;
    if (frames > 0 && own * duration > cycles + 0.5) out->slowed = own;
    out->phase = def->phase;
    out->duration = duration;
    er_result r = create(context, subject, &component, duration, &out->motion);
    if (r == ER_OK && subject->model->loop_count > 0)
        r = er_motion_reach(out->motion, 48.0 * component.hz, &out->share);
    if (r == ER_OK && out->share < 1.0) {
        component.degrees *= out->share;
        er_motion_destroy(out->motion);
        out->motion = NULL;
        r = create(context, subject, &component, duration, &out->motion);
    }
    return r;
}

static bool can_loop(const er_mix *mix)
{
    bool loops = true;
    for (int v = 0; v < mix->component_count; ++v)
        loops &= mix->component[v].attack == 0.0 && mix->component[v].decay == 0.0 && mix->component[v].damping == 0.0;
    return loops;
}

er_result animation_of_mix(er_context *context, const render_subject *subject, const render_def *def, animation *out)
{
    *out = animation_at_rest(subject->model);
    er_mix *fitted = NULL;
    er_motion_def motion = er_default_motion_def();
    motion.loop = can_loop(def->mix);
    motion.fps = def->fps;
    motion.plant = def->plant;
    motion.plant_count = def->plant_count;
    motion.duration = def->duration;
    er_result r = er_mix_fit(context, subject->model, subject->modes, def->mix, NULL, &fitted);
    if (r == ER_OK) r = er_motion_create(context, subject->model, subject->modes, fitted, &motion, &out->motion);
    if (r == ER_OK) out->duration = out->motion->duration;
    er_mix_destroy(fitted);
    return r;
}

er_result animation_of_clip(er_context *context, const render_subject *subject, const render_def *def, animation *out)
{
    render_def whole = *def;
    whole.duration = def->clip->duration;
    er_result r = ER_OK;
    *out = animation_at_rest(subject->model);
    if (def->mix != NULL) r = animation_of_mix(context, subject, &whole, out);
    if (r == ER_OK)
        r = project_play_make(context, subject->model, def->body_node, subject->target, def->clip, out->motion,
                              def->fps, &out->clip);
    out->context = context;
    out->duration = def->clip->duration;
    if (r != ER_OK) animation_finish(out);
    return r;
}

// ---- gaits

animation animation_of_gait(const er_gait_motion *gait, double duration, int frames)
{
    animation s = animation_at_rest(gait->model);
    double stride = gait->time[gait->frame_count - 1],
           cycles = frames > 0 ? cycles_in(1.0 / stride, duration, frames) : 1.0;
    s.gait = gait;
    s.duration = frames > 0 ? duration / cycles : stride;
    s.hz = 1.0 / s.duration;
    if (duration > (cycles + 0.5) * stride) s.slowed = 1.0 / stride;
    return s;
}

// --- ways of clips

// A clip's centre of mass along the ground, from that of its first frame, is smoothed by a moving average of a second,
// twice, so that a camera does not sway with the steps.
static void smooth_way(int count, int half, er_vec3 *way, er_vec3 *work)
{
    enum { TIMES = 2 };
    for (int t = 0; t < TIMES; ++t) {
        for (int i = 0; i < count; ++i) {
            int reach = i < half ? i : half;
            if (reach > count - 1 - i) reach = count - 1 - i; // so that both ends stay
            er_vec3 sum = {0, 0, 0};
            for (int k = -reach; k <= reach; ++k)
                sum = er_v3_madd(sum, 1.0 / (2 * reach + 1), way[i + k]);
            work[i] = sum;
        }
        for (int i = 0; i < count; ++i)
            way[i] = work[i];
    }
}

static er_vec3 centre_along(const er_model *model, const er_pose *pose, er_vec3 up)
{
    er_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(pose[b], model->body[b].com));
        mass += model->body[b].mass;
    }
    er_vec3 at = er_v3_scale(1.0 / mass, sum);
    return er_v3_madd(at, -er_v3_dot(at, up), up);
}

er_result animation_find_way(animation *s, er_vec3 up)
{
    enum { PER_SECOND = 12, MOST = 4096 };
    const double least = 0.5; // of the size
    if (s->clip.clip == NULL) return ER_OK;
    double far = 0.0, last = s->duration * (1.0 - 1e-9); // at its end a clip begins again
    int count = (int)fmin(ceil(s->duration * PER_SECOND), MOST) + 1;
    er_result r = ER_OK;
    er_pose *pose = malloc((size_t)s->model->body_count * sizeof *pose);
    er_vec3 *way = malloc(2 * (size_t)count * sizeof *way), first = {0, 0, 0};
    if (pose == NULL || way == NULL) r = er_fail(s->context, ER_ERROR_MEMORY, "no memory for the way of a clip");
    for (int i = 0; i < count && r == ER_OK; ++i) {
        r = animation_pose(s, last * i / (count - 1), pose);
        er_vec3 at = r == ER_OK ? centre_along(s->model, pose, up) : first;
        if (i == 0) first = at;
        way[i] = er_v3_sub(at, first);
        far = fmax(far, er_v3_norm(way[i]));
    }
    free(pose);
    if (r != ER_OK || far < least * s->model->size) {
        free(way);
        return r;
    }
    smooth_way(count, PER_SECOND / 2, way, way + count);
    s->way = way;
    s->way_count = count;
    return ER_OK;
}

bool animation_moves(const animation *s)
{
    return s->motion != NULL || s->gait != NULL || s->clip.clip != NULL;
}

er_vec3 animation_travel(const animation *s, double time)
{
    if (s->gait != NULL) return project_gait_pose(s->gait, time / s->duration, NULL);
    if (s->way == NULL) return er_v3(0.0, 0.0, 0.0);
    double u = (s->way_count - 1) * (time / s->duration - floor(time / s->duration));
    int i = (int)fmin(u, s->way_count - 2.0);
    return er_v3_madd(s->way[i], u - i, er_v3_sub(s->way[i + 1], s->way[i]));
}

void animation_finish(animation *s)
{
    project_play_clear(&s->clip);
    er_motion_destroy(s->motion);
    s->motion = NULL;
    free(s->way);
    s->way = NULL;
}

er_result animation_pose(animation *s, double time, er_pose *pose)
{
    if (s->clip.clip != NULL) {
        er_result r = project_play_pose(s->context, &s->clip, time, pose);
        er_vec3 gone = animation_travel(s, time);
        for (int b = 0; b < s->model->body_count && r == ER_OK; ++b)
            pose[b].p = er_v3_sub(pose[b].p, gone);
        return r;
    }
    if (s->motion != NULL) return er_motion_poses(s->motion, 1, &time, NULL, pose);
    if (s->gait != NULL) project_gait_pose(s->gait, time / s->duration, pose);
    for (int b = 0; s->gait == NULL && b < s->model->body_count; ++b)
        pose[b] = s->model->body[b].pose;
    return ER_OK;
}

double animation_peak_time(const animation *s, int sign)
{
    return (sign * 0.5 * ER_PI - s->phase) / (2.0 * ER_PI * s->hz);
}
