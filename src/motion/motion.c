// A mix bound to a rig: frequencies, durations and cycles; poses and frames at any times.
#include <eigenrig/motion.h>

#include <string.h>

#include "model/kinematics/kinematics.h"
#include "motion/signal.h"

#define LONGEST 1e5 // s

typedef struct er_motion_work er_motion_work;
struct er_motion_work {
    er_motion motion;
    er_arena *arena;
    er_kinematics *kinematics;
    double share;     // of the amplitudes, for er_motion_reach()
    double speed;     // fastest(), at full share
    double *column;   // [component_count x width], displacement of each component at unit factor
    int *halvings;    // [body_count], for frames.h
    double *matrix64; // packed columns
    float *matrix32;
    eri_frames32 *frames32;
    eri_vec64 *signal64, *x64; // a block of frames
    eri_vec32 *signal32, *x32;
    double *pose64;
    float *pose32;
    double *x, *before, *after; // [width]
    er_pose *pose;              // [2 body_count]
    er_motion_component *component;
};

er_motion_def er_default_motion_def(void)
{
    return (er_motion_def){.fps = 60.0, .tag = ER_DEF_TAG};
}

// --- time

// The shortest cycle of whole frames and whole cycles of the slowest component that changes no frequency by more than
// 2 %, or else the one that changes them least.
static double choose_cycle(const er_motion_component *component, int count, double fps)
{
    enum { MOST_CYCLES = 24 };
    const double bound = 0.02;
    double slowest = HUGE_VAL, best = 0.0, least = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        slowest = fmin(slowest, component[i].asked_hz);
    for (int n = 1; n <= MOST_CYCLES && least > bound; ++n) {
        double T = fmax(1.0, round(n / slowest * fps)) / fps, worst = 0.0;
        for (int i = 0; i < count; ++i)
            worst = fmax(worst, fabs(fmax(1.0, round(component[i].asked_hz * T)) / (component[i].asked_hz * T) - 1.0));
        if (worst >= least) continue;
        least = worst;
        best = T;
    }
    return best;
}

// The cycle whose harmonics are nearest, in ratio, to the modes' own frequencies; 0 without harmonics.
static double own_cycle(const er_mix *mix, const er_motion_component *component)
{
    double sum = 0.0;
    int bound = 0;
    for (int i = 0; i < mix->component_count; ++i) {
        if (mix->component[i].harmonic == 0 || !(component[i].asked_hz > 0.0)) continue;
        sum += log(mix->component[i].harmonic / component[i].asked_hz);
        ++bound;
    }
    return bound > 0 ? exp(sum / bound) : 0.0;
}

static double longest_envelope(const er_motion_component *component, int count)
{
    double longest = 0.0;
    for (int i = 0; i < count; ++i)
        longest = fmax(longest, component[i].attack + component[i].decay);
    return longest;
}

static er_result check_envelope(er_context *context, const er_motion_component *v, double duration, bool loop)
{
    if (v->attack > duration || v->decay > duration)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "mode %d: an attack of %g s or a decay of %g s is longer than the motion, %g s", v->mode,
                       v->attack, v->decay, duration);
    bool shaped = v->attack > 0.0 || v->decay > 0.0 || v->damping > 0.0, rests = v->attack > 0.0 && v->decay > 0.0;
    if (loop && shaped && !rests)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "mode %d: a looping motion cannot only fade in or only fade out; give it both an attack and a "
                       "decay, or neither",
                       v->mode);
    return ER_OK;
}

static er_result set_time(er_context *context, const er_mix *mix, const er_motion_def *def, er_motion_work *w)
{
    er_motion *m = &w->motion;
    bool timed = mix->cycle > 0.0 || def->duration > 0.0;
    double own = timed ? mix->cycle : own_cycle(mix, w->component);
    const er_motion_component once = {.asked_hz = own > 0.0 ? 1.0 / own : 0.0}; // the common cycle as a component
    double T = def->duration > 0.0 ? def->duration : def->loop && own > 0.0 ? choose_cycle(&once, 1, def->fps) : own;
    double cycle = own > 0.0 ? own : def->duration, turns = fmax(1.0, round(T / cycle));
    for (int i = 0; i < m->component_count; ++i) {
        er_motion_component *v = &w->component[i];
        int harmonic = mix->component[i].harmonic;
        if (harmonic > 0 && !(cycle > 0.0))
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "mode %d is to be harmonic %d of a cycle, and has no frequency that could set one; give the mix a "
                "cycle, or the motion a duration",
                v->mode, harmonic);
        if (harmonic > 0) v->asked_hz = harmonic / cycle;
        if (!(v->asked_hz <= 1e6))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d would have %g Hz; 1e6 is the most", v->mode,
                           v->asked_hz);
        if (!(v->asked_hz > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "mode %d has no frequency of its own; give it one, as in %d:%g@1", v->mode, v->mode,
                           v->degrees);
    }
    if (!(T > 0.0) && def->loop) {
        T = choose_cycle(w->component, m->component_count, def->fps);
        T *= fmax(1.0, ceil(longest_envelope(w->component, m->component_count) / T));
    }
    if (!(T > 0.0)) T = 5.0;
    if (!(T <= LONGEST))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a cycle of these modes at %g frames a second takes longer than 100000 s; give a duration",
                       def->fps);
    m->duration = T;
    m->loops = true;
    for (int i = 0; i < m->component_count; ++i) {
        er_motion_component *v = &w->component[i];
        int harmonic = mix->component[i].harmonic; // keeps its ratio to the others
        double cycles = harmonic > 0 && def->loop ? turns * harmonic : fmax(1.0, round(v->asked_hz * T));
        v->hz = def->loop ? cycles / T : v->asked_hz;
        if (!(v->hz <= 1e6))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d would have %g Hz in a loop of %g s; 1e6 is the most",
                           v->mode, v->hz, T);
        er_result r = check_envelope(context, v, T, def->loop);
        if (r != ER_OK) return r;
        bool rests = v->attack > 0.0 && v->decay > 0.0,
             plain = v->attack == 0.0 && v->decay == 0.0 && v->damping == 0.0;
        m->loops = m->loops && (rests || (plain && fabs(v->hz * T - cycles) <= 1e-9 * cycles));
    }
    return ER_OK;
}

// --- planted bodies

// The mix's mean frequency, rad/s, weighted by energy. It does not depend on the playing speed, so poses do not either.
static double own_pace(const er_motion_work *w, const er_modes *modes)
{
    double energy = 0.0, squared = 0.0;
    for (int i = 0; i < w->motion.component_count; ++i) {
        const er_motion_component *v = &w->component[i];
        squared += v->factor * v->factor;
        energy += v->factor * v->factor * fmax(0.0, er_modes_find(modes, v->mode)->eigenvalue);
    }
    return energy > 0.0 ? sqrt(energy / squared) : 1.0;
}

static er_result plant(er_context *context, const er_motion_def *d, const er_modes *modes, er_motion_work *w)
{
    if (d->plant_count == 0) return ER_OK;
    w->motion.plant_count = d->plant_count;
    return eri_kinematics_hold(w->kinematics, context, d->plant_count, d->plant, own_pace(w, modes));
}

// --- binding

static er_result check_def(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                           const er_motion_def *d)
{
    if (model == NULL || modes == NULL || mix == NULL || mix->component == NULL || d->tag != ER_DEF_TAG)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "er_motion_create needs a model, its modes, a mix, and NULL or a def made by er_default_motion_def()");
    if (!(d->duration >= 0.0 && d->duration <= LONGEST))
        return er_fail(context, ER_ERROR_ARGUMENT, "a duration of %g s is not between 0 and 100000", d->duration);
    if (!(d->fps > 0.0 && d->fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", d->fps);
    return ER_OK;
}

static er_result set_components(er_context *context, const er_modes *modes, const er_mix *mix, er_motion_work *w)
{
    for (int i = 0; i < mix->component_count; ++i) {
        const er_mix_component *v = &mix->component[i];
        const er_mode *mode = er_modes_find(modes, v->mode);
        if (mode == NULL)
            return er_fail(context, ER_ERROR_ARGUMENT, "there is no mode %d among the %d given, from %d on", v->mode,
                           modes->count, modes->first);
        double factor;
        er_result r = eri_component_factor(context, w->motion.model, mode, v, &factor);
        if (r != ER_OK) return r;
        double degrees = v->metres > 0.0 ? eri_factor_degrees(w->motion.model, mode, factor) : v->degrees;
        w->component[i] = (er_motion_component){.mode = v->mode,
                                                .degrees = degrees,
                                                .factor = factor,
                                                .asked_hz = v->hz > 0.0 ? v->hz : mode->frequency_hz,
                                                .phase = v->phase,
                                                .attack = v->attack,
                                                .decay = v->decay,
                                                .damping = v->damping >= 0.0 ? v->damping : mode->damping_ratio};
        er_kinematics_mode(w->kinematics, mode, w->column + (size_t)i * (size_t)w->motion.width);
    }
    return ER_OK;
}

// How often the longest rotation vector that the components can add up to in a joint is halved to be at most pi.
static int count_halvings(const er_motion_work *w, int link)
{
    int axis[6], count = er_joint_type_freedom(w->kinematics->tree.link[link].type, axis);
    double longest = 0.0;
    for (int v = 0; v < w->motion.component_count; ++v) {
        const double *x = w->column + (size_t)v * (size_t)w->motion.width + w->kinematics->placement[link].first;
        double norm = 0.0;
        for (int a = 0; a < count; ++a)
            if (axis[a] < 3) norm = hypot(norm, x[a]);
        longest += norm * fabs(w->component[v].factor);
    }
    return longest > ER_PI ? (int)ceil(log2(longest / ER_PI)) : 0;
}

// An upper bound of the speed of a coordinate, by sines and envelopes, in units of er_kinematics.unit a second.
static double fastest(const er_motion_work *w)
{
    double speed = 0.0;
    for (int v = 0; v < w->motion.component_count; ++v) {
        const er_motion_component *component = &w->component[v];
        double rate = 2.0 * ER_PI * component->hz * (1.0 + component->damping);
        if (component->attack > 0.0) rate += 0.5 * ER_PI / component->attack;
        if (component->decay > 0.0) rate += 0.5 * ER_PI / component->decay;
        const double *column = w->column + (size_t)v * (size_t)w->motion.width;
        speed += fabs(component->factor) * rate * eri_kinematics_widest(w->kinematics, column, NULL);
    }
    return speed;
}

static er_result make_room(er_motion_work *w)
{
    er_result r = ER_OK;
    size_t bodies = (size_t)w->motion.model->body_count, components = (size_t)w->motion.component_count,
           width = (size_t)w->motion.width + 8;
    ERI_TRY(eri_frames64_pack(w->arena, w->motion.width, w->motion.component_count, w->column, &w->matrix64));
    ERI_TRY_NEW(w->signal64, w->arena, eri_vec64, 2 * components);
    ERI_TRY_NEW(w->x64, w->arena, eri_vec64, 2 * width);
    ERI_TRY_NEW(w->pose64, w->arena, double, 7 * ERI_FRAMES64 * bodies);
    ERI_TRY_NEW(w->x, w->arena, double, width);
    ERI_TRY_NEW(w->before, w->arena, double, width);
    ERI_TRY_NEW(w->after, w->arena, double, width);
    ERI_TRY_NEW(w->pose, w->arena, er_pose, 2 * bodies);
done:
    return r;
}

er_result er_motion_create(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                           const er_motion_def *def, er_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_motion_def d = def != NULL ? *def : er_default_motion_def();
    er_result r = check_def(context, model, modes, mix, &d);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    er_motion_work *w;
    er_kinematics *kinematics = NULL;
    er_mix *checked = NULL;
    ERI_TRY(er_mix_create(context, mix, &checked));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(w, arena, er_motion_work, 1);
    ERI_TRY(er_kinematics_create(context, model, &kinematics));
    *w = (er_motion_work){.arena = arena, .kinematics = kinematics, .share = 1.0};
    ERI_TRY_NEW(w->component, arena, er_motion_component, mix->component_count);
    w->motion = (er_motion){.model = model,
                            .component_count = mix->component_count,
                            .component = w->component,
                            .width = er_kinematics_width(kinematics),
                            .work = w};
    ERI_TRY_NEW(w->column, arena, double, (size_t)mix->component_count *(size_t)w->motion.width);
    ERI_TRY(set_components(context, modes, mix, w));
    ERI_TRY(plant(context, &d, modes, w));
    ERI_TRY(set_time(context, mix, &d, w));
    ERI_TRY_NEW(w->halvings, arena, int, model->body_count);
    for (int i = 0; i < model->body_count; ++i)
        w->halvings[i] = count_halvings(w, i);
    w->speed = fastest(w);
    ERI_TRY(make_room(w));
    *out = &w->motion;
    arena = NULL;
    kinematics = NULL;
done:
    er_mix_destroy(checked);
    er_kinematics_destroy(kinematics);
    eri_arena_destroy(arena);
    return r;
}

void er_motion_destroy(er_motion *motion)
{
    if (motion == NULL) return;
    er_kinematics_destroy(motion->work->kinematics);
    eri_arena_destroy(motion->work->arena);
}

// --- poses

// The signals of all components at a block of 16 times, those past `count` as the last.
static void signal_block(er_motion_work *w, int count, const double *time)
{
    eri_lanes clock[2];
    for (int i = 0; i < ERI_FRAMES64; ++i)
        clock[i / 8][i % 8] = eri_signal_clock(&w->motion, time[i < count ? i : count - 1]);
    eri_signal_block(&w->motion, w->share, clock, w->signal64);
}

static void gather_block(const er_motion_work *w, int count, double *x, er_pose *pose)
{
    size_t width = (size_t)w->motion.width, bodies = (size_t)w->motion.model->body_count;
    for (size_t c = 0; x != NULL && c < width; ++c)
        for (int f = 0; f < count; ++f)
            x[(size_t)f * width + c] = w->x64[2 * c + (size_t)f / 8][f % 8];
    for (size_t b = 0; pose != NULL && b < bodies; ++b)
        for (int f = 0; f < count; ++f) {
            const double *p = w->pose64 + 7 * ERI_FRAMES64 * b + f;
            pose[(size_t)f * bodies + b] = (er_pose){{p[0], p[16], p[32], p[48]}, {p[64], p[80], p[96]}};
        }
}

// Frame by frame, with loops closed.
static er_result pose_each(er_motion_work *w, int count, const double *time, double *x, er_pose *pose)
{
    int width = w->motion.width, bodies = w->motion.model->body_count;
    for (int f = 0; f < count; ++f) {
        for (int c = 0; c < width; ++c)
            w->x[c] = w->x64[2 * c + f / 8][f % 8];
        er_pose *out = pose != NULL ? pose + (size_t)f * (size_t)bodies : w->pose;
        er_result r = er_kinematics_pose(w->kinematics, w->x, out);
        if (r == ER_ERROR_NO_CONVERGENCE)
            return er_fail(eri_arena_context(w->arena), r,
                           "a loop of joints%s cannot follow the motion at %.4g s; use smaller amplitudes",
                           w->motion.plant_count > 0 ? ", or what is planted," : "", time[f]);
        if (r != ER_OK) return r;
        if (x != NULL) memcpy(x + (size_t)f * (size_t)width, w->x, (size_t)width * sizeof *x);
    }
    return ER_OK;
}

static er_result check_times(er_motion *motion, int count, const double *time)
{
    if (motion == NULL) return ER_ERROR_ARGUMENT;
    er_context *context = eri_arena_context(motion->work->arena);
    if (count < 0 || (count > 0 && time == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "a motion needs %d times to be posed at", count);
    for (int i = 0; i < count; ++i)
        if (!isfinite(time[i]))
            return er_fail(context, ER_ERROR_ARGUMENT, "time %g of a motion is not finite", time[i]);
    return ER_OK;
}

er_result er_motion_poses(er_motion *motion, int count, const double *time, double *x, er_pose *pose)
{
    er_result r = check_times(motion, count, time);
    if (r != ER_OK) return r;
    er_motion_work *w = motion->work;
    size_t width = (size_t)motion->width, bodies = (size_t)motion->model->body_count;
    for (int first = 0; first < count && r == ER_OK; first += ERI_FRAMES64) {
        int n = count - first < ERI_FRAMES64 ? count - first : ERI_FRAMES64;
        double *to_x = x != NULL ? x + (size_t)first * width : NULL;
        er_pose *to_pose = pose != NULL ? pose + (size_t)first * bodies : NULL;
        signal_block(w, n, time + first);
        eri_frames64_blend(motion->width, motion->component_count, w->matrix64, w->signal64, w->x64);
        if (eri_kinematics_closes(w->kinematics)) {
            r = pose_each(w, n, time + first, to_x, to_pose);
            continue;
        }
        eri_frames64_pose(w->kinematics->frames64, w->halvings, w->x64, ERI_FRAMES64, w->pose64);
        gather_block(w, n, to_x, to_pose);
    }
    return r;
}

er_result eri_motion_pose_over(er_motion *motion, double time, const er_pose *base, er_pose *pose)
{
    er_motion_work *w = motion->work;
    signal_block(w, 1, &time);
    eri_frames64_blend(motion->width, motion->component_count, w->matrix64, w->signal64, w->x64);
    for (int c = 0; c < motion->width; ++c)
        w->x[c] = w->x64[2 * c][0];
    eri_kinematics_start_from(w->kinematics, base);
    er_result r = er_kinematics_pose(w->kinematics, w->x, pose);
    eri_kinematics_start_from(w->kinematics, NULL);
    return r;
}

// --- frames in single precision

static er_result make_frames32(er_motion_work *w)
{
    er_result r = ER_OK;
    if (w->frames32 != NULL) return ER_OK;
    size_t bodies = (size_t)w->motion.model->body_count, components = (size_t)w->motion.component_count,
           width = (size_t)w->motion.width + 8;
    ERI_TRY(eri_frames32_pack(w->arena, w->motion.width, w->motion.component_count, w->column, &w->matrix32));
    ERI_TRY_NEW(w->signal32, w->arena, eri_vec32, 2 * components);
    ERI_TRY_NEW(w->x32, w->arena, eri_vec32, 2 * width);
    ERI_TRY_NEW(w->pose32, w->arena, float, 7 * ERI_FRAMES32 * bodies);
    ERI_TRY(eri_frames32_create(w->arena, w->kinematics, &w->frames32));
done:
    return r;
}

// A block of signals as one vector of floats each.
ERI_LANES_DO(shorten, (int count, const eri_vec64 *signal, eri_vec32 *out), (count, signal, out))
{
    typedef float eight __attribute__((vector_size(32), may_alias));
    for (int v = 0; v < count; ++v) {
        eight *half = (eight *)&out[2 * v];
        half[0] = __builtin_convertvector(signal[2 * v], eight);
        half[1] = __builtin_convertvector(signal[2 * v + 1], eight);
    }
}

er_result er_motion_frames(er_motion *motion, int count, const double *time, float *pose)
{
    er_result r = check_times(motion, count, time);
    if (r != ER_OK) return r;
    er_motion_work *w = motion->work;
    if (count > 0 && pose == NULL)
        return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT, "er_motion_frames needs a place for the poses");
    r = make_frames32(w);
    if (r != ER_OK) return r;
    int bodies = motion->model->body_count;
    for (int first = 0; first < count; first += ERI_FRAMES32) {
        int n = count - first < ERI_FRAMES32 ? count - first : ERI_FRAMES32;
        for (int half = 0; half < 2; ++half) { // sixteen times each
            int at = half * ERI_FRAMES64;
            if (at >= n) break;
            signal_block(w, n - at < ERI_FRAMES64 ? n - at : ERI_FRAMES64, time + first + at);
            shorten(motion->component_count, w->signal64, w->signal32 + half);
        }
        eri_frames32_blend(motion->width, motion->component_count, w->matrix32, w->signal32, w->x32);
        float *out = pose + first;
        if (n == ERI_FRAMES32) {
            eri_frames32_pose(w->frames32, w->halvings, w->x32, (size_t)count, out);
            continue;
        }
        eri_frames32_pose(w->frames32, w->halvings, w->x32, ERI_FRAMES32, w->pose32);
        for (int row = 0; row < 7 * bodies; ++row)
            memcpy(out + (size_t)row * (size_t)count, w->pose32 + ERI_FRAMES32 * (ptrdiff_t)row,
                   (size_t)n * sizeof *out);
    }
    return r;
}

// --- measurements

er_result er_motion_measure(er_motion *motion, int count, const double *time, er_motion_errors *out)
{
    er_result r = ER_OK;
    if (motion == NULL) return ER_ERROR_ARGUMENT;
    er_motion_work *w = motion->work;
    const er_model *model = motion->model;
    er_pose *exact = w->pose, *linear = w->pose + model->body_count;
    if (count < 1 || time == NULL || out == NULL)
        return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT,
                       "er_motion_measure needs times and a place for its results");
    *out = (er_motion_errors){0};
    for (int i = 0; i < count; ++i) {
        ERI_TRY(er_motion_poses(motion, 1, &time[i], w->after, exact));
        for (int c = 0; c < motion->width; ++c)
            w->x[c] = w->x64[2 * c][0];
        er_kinematics_linear(w->kinematics, w->x, linear);
        for (int b = 0; b < model->body_count; ++b) {
            out->shift = fmax(out->shift, er_v3_distance(exact[b].p, linear[b].p));
            out->turn = fmax(out->turn, er_v3_norm(er_q_log(er_q_mul(er_q_conj(exact[b].q), linear[b].q))));
        }
        out->tear = fmax(out->tear, er_pose_joint_gap(model, linear));
        if (eri_kinematics_closes(w->kinematics))
            out->correction = fmax(out->correction, eri_kinematics_widest(w->kinematics, w->after, w->x));
    }
done:
    return r;
}

bool eri_motion_leaps(const er_motion *motion, double seconds, const double *before, const double *after)
{
    const er_motion_work *w = motion->work;
    if (motion->plant_count > 0) return false; // a nearly straight knee moves fast
    return eri_kinematics_widest(w->kinematics, after, before) > 4.0 * w->share * w->speed * seconds + 1e-6;
}

// Whether what is planted can be held at one time, with `k` of PARTS of the amplitudes.
static er_result holds_at(er_motion *motion, double time, int k, int parts, bool *out)
{
    motion->work->share = (double)k / parts;
    er_result r = er_motion_poses(motion, 1, &time, motion->work->after, NULL);
    *out = r == ER_OK;
    return r == ER_ERROR_NO_CONVERGENCE ? ER_OK : r;
}

// The largest share at which all frames hold what is planted. A frame that holds it at one share does so at smaller
// ones, so each is bisected only where it fails at the least share of the frames before. Far frames come first.
static er_result reach_of_planted(er_motion *motion, double fps, double frames, double *share)
{
    enum { PARTS = 128, STRIDE = 16 };
    er_result r = ER_OK;
    int best = PARTS;
    for (int first = 0; first < STRIDE && r == ER_OK; ++first)
        for (double f = first; f <= frames && r == ER_OK && best > 0; f += STRIDE) {
            bool good;
            int low = 0, high = best;
            r = holds_at(motion, f / fps, best, PARTS, &good);
            if (good) continue;
            while (high - low > 1 && r == ER_OK) {
                int middle = (low + high) / 2;
                r = holds_at(motion, f / fps, middle, PARTS, &good);
                *(good ? &low : &high) = middle;
            }
            best = low;
        }
    motion->work->share = 1.0;
    *share = (double)best / PARTS;
    return r;
}

er_result er_motion_reach(er_motion *motion, double fps, double *share)
{
    if (motion == NULL) return ER_ERROR_ARGUMENT;
    er_motion_work *w = motion->work;
    if (!(fps > 0.0 && fps <= 1e5) || share == NULL)
        return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT,
                       "er_motion_reach needs frames a second from 0 to 100000, not %g", fps);
    double low = 0.0, high = 1.0, frames = ceil(motion->duration * fps);
    if (!eri_kinematics_closes(w->kinematics)) {
        *share = 1.0;
        return ER_OK;
    }
    if (frames > 1e7)
        return er_fail(eri_arena_context(w->arena), ER_ERROR_ARGUMENT,
                       "%g s at %g frames a second are more than 10 million frames", motion->duration, fps);
    er_result r = ER_OK;
    if (motion->plant_count > 0) return reach_of_planted(motion, fps, frames, share);
    for (w->share = 1.0; high - low > 0.01; w->share = 0.5 * (low + high)) {
        for (double f = 0.0; f <= frames && r == ER_OK; ++f) {
            r = er_motion_poses(motion, 1, &(double){f / fps}, w->after, NULL);
            if (r == ER_OK && f > 0.0 && eri_motion_leaps(motion, 1.0 / fps, w->before, w->after))
                r = ER_ERROR_NO_CONVERGENCE;
            memcpy(w->before, w->after, (size_t)motion->width * sizeof *w->before);
        }
        if (r == ER_OK) low = w->share;
        if (r == ER_ERROR_NO_CONVERGENCE) high = w->share, r = ER_OK;
        if (r != ER_OK || low == 1.0) break;
    }
    w->share = 1.0;
    *share = low;
    return r;
}
