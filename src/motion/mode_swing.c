// Releases a mode in a world of its own model: the frequency of its swings, and the energy that goes to other modes.
// Derived in docs/math/validity.md.
#include "motion/mode_swing.h"

#include <eigenrig/dynamics.h>

#include <string.h>

#include "base/arena.h"
#include "base/lanes.h"
#include "dynamics/ensemble.h"
#include "motion/signal.h"

enum {
    PERIODS = 10,                   // measured for a frequency
    SAMPLES = 32,                   // of a period: a cubic through two of them finds a crossing to 1e-7 of PERIODS
    MOST_PERIODS = PERIODS * 3 / 2, // periods of the mode in which PERIODS of the swing must end
    LEAST_STEPS = 5 * SAMPLES,      // of a period
    MOST_HALVINGS = 2,              // of the steps of a swing that loses or gains energy
    PARTS = 64,                     // of a step; a ball joint passes half a turn within one of them
    MOST_SECANTS = 30,              // to an amplitude of loops
    WILD = 20,                      // passes of joints over half a turn that make a swing chaotic
    STEPS_TOGETHER = 8              // before the queue is asked
};
static const double longest_step = 2.5; // rad of the rig's highest frequency; RK4 is stable up to 2.8
static const double most_steps = 1e7;   // between samples
static const double good_drift = 1e-3;  // of the energy; more is tried with shorter steps
static const double most_turn = 0.5;    // rad, of a joint in a step
static const double most_drift = 0.1;   // with the shortest
static const double drift_order = 5.0;  // RK4's of free oscillations
static const double tolerance =
    1e-5; // the integrator's tolerance, of the amplitude in rad: shifts to 1e-7, energy to 1e-4
static const double least_tolerance = 1e-13; // rounding
static const double same_angle = 1e-9;       // of an amplitude
static const double most_stretch = 2.0;      // of a linear amplitude, to reach it once loops are closed
static const double same_eigenvalue = 1e-6;  // relative difference of eigenvalues of one frequency

struct eri_swings {
    er_arena *arena;
    const er_modes *modes;
    er_model *undamped; // the model without dampers
    er_kinematics *kinematics;
    double *x;         // [width]
    er_pose *pose;     // [body_count], work space
    double *q, *rate;  // [coordinate_count]
    double *stiffness; // [coordinate_count]
    er_world *world;   // of the lanes; NULL where loops need worlds of their own
    er_ensemble *ensemble;
    double fastest;    // rad/s, of the rig
    eri_lanes *weight; // [coordinate_count], of joint coordinates in the modes' coordinates
};

// --- the model without dampers

er_result eri_undamped_model(er_context *context, er_arena *scratch, const er_model *model, er_model **out)
{
    er_result r = ER_OK;
    er_joint *joint;
    er_model_def def = er_default_model_def();
    ERI_TRY_NEW(joint, scratch, er_joint, model->joint_count);
    for (int k = 0; k < model->joint_count; ++k) {
        joint[k] = model->joint[k];
        memset(joint[k].damping, 0, sizeof joint[k].damping);
    }
    def.body_count = model->body_count;
    def.body = model->body;
    def.joint_count = model->joint_count;
    def.joint = joint;
    ERI_TRY(er_model_create(context, &def, out));
done:
    return r;
}

static void take_stiffness(const er_model *model, double *stiffness)
{
    for (int k = 0; k < model->joint_count; ++k)
        memcpy(stiffness + model->coordinate[k], model->joint[k].stiffness,
               (size_t)(model->coordinate[k + 1] - model->coordinate[k]) * sizeof *stiffness);
}

static er_result create_lanes(er_context *context, eri_swings *s)
{
    er_result r = ER_OK;
    er_world_def def = er_default_world_def();
    def.model = s->undamped;
    ERI_TRY_NEW(s->weight, s->arena, eri_lanes, s->undamped->coordinate_count);
    ERI_TRY(er_world_create(context, &def, &s->world));
    ERI_TRY(er_ensemble_create(context, s->world, &s->ensemble));
    s->fastest = eri_ensemble_fastest(s->ensemble);
done:
    return r;
}

er_result eri_swings_create(er_context *context, const er_model *model, const er_modes *modes, eri_swings **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_swings *s = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, eri_swings, 1);
    s->arena = arena;
    s->modes = modes;
    ERI_TRY(eri_undamped_model(context, arena, model, &s->undamped));
    ERI_TRY(er_kinematics_create(context, s->undamped, &s->kinematics));
    ERI_TRY_NEW(s->x, arena, double, er_kinematics_width(s->kinematics));
    ERI_TRY_NEW(s->pose, arena, er_pose, model->body_count);
    ERI_TRY_NEW(s->q, arena, double, model->coordinate_count);
    ERI_TRY_NEW(s->rate, arena, double, model->coordinate_count);
    ERI_TRY_NEW(s->stiffness, arena, double, model->coordinate_count);
    take_stiffness(model, s->stiffness);
    if (model->loop_count == 0) ERI_TRY(create_lanes(context, s));
    *out = s;
    return ER_OK;
done:
    if (s != NULL)
        eri_swings_destroy(s);
    else
        eri_arena_destroy(arena);
    return r;
}

void eri_swings_destroy(eri_swings *s)
{
    if (s == NULL) return;
    er_ensemble_destroy(s->ensemble);
    er_world_destroy(s->world);
    er_kinematics_destroy(s->kinematics);
    er_model_destroy(s->undamped);
    eri_arena_destroy(s->arena);
}

// --- modal coordinates

typedef struct sample {
    double time, a, rate; // a = eta' K x / lambda
} sample;

static void read_world(eri_swings *s, er_world *world)
{
    er_world_coordinates(world, s->q, s->rate);
}

static sample project(const eri_swings *s, const er_mode *mode, double time)
{
    sample at = {.time = time};
    for (int c = 0; c < s->undamped->coordinate_count; ++c) {
        double weight = mode->joint[c] * s->stiffness[c] / mode->eigenvalue;
        at.a += weight * s->q[c];
        at.rate += weight * s->rate[c];
    }
    return at;
}

// The root of the cubic through the values and rates at both ends, whose values have different signs.
static double cross_zero(sample from, sample to)
{
    double h = to.time - from.time, low = 0.0, high = 1.0;
    for (int i = 0; i < 50; ++i) {
        double t = 0.5 * (low + high), u = 1.0 - t;
        double a =
            u * u * ((1.0 + 2.0 * t) * from.a + t * h * from.rate) + t * t * ((1.0 + 2.0 * u) * to.a - u * h * to.rate);
        if (a > 0.0)
            low = t;
        else
            high = t;
    }
    return from.time + h * 0.5 * (low + high);
}

// --- one swing

static er_result check_mode(const eri_swings *s, const er_mode *mode)
{
    if (mode->frequency_hz > 0.0 && isfinite(mode->frequency_hz)) return ER_OK;
    return er_fail(eri_arena_context(s->arena), ER_ERROR_ARGUMENT, "a mode of %g Hz does not swing",
                   mode->frequency_hz);
}

static void scale(eri_swings *s, const er_mode *mode, double factor)
{
    er_kinematics_mode(s->kinematics, mode, s->x);
    for (int i = 0; i < er_kinematics_width(s->kinematics); ++i)
        s->x[i] *= factor;
}

// The factor at which the joint that moves most is at the asked angle once loops are closed: by secants.
static er_result find_factor(eri_swings *s, const eri_swing *swing, double *factor)
{
    er_result r = ER_OK;
    double linear = *factor, before = 0.0, reached = 0.0, asked = swing->degrees; // of the last factor
    for (int n = 0; n < MOST_SECANTS; ++n) {
        scale(s, swing->mode, *factor);
        ERI_TRY(er_kinematics_pose(s->kinematics, s->x, s->pose));
        double now = eri_mode_amplitude_of(s->undamped, swing->mode, s->x),
               slope = (now - reached) / (*factor - before);
        if (fabs(now - asked) <= same_angle * asked) return ER_OK;
        if (!(slope > 0.0)) break;
        before = *factor, reached = now;
        *factor = fmin(*factor + (asked - now) / slope, most_stretch * linear);
    }
    r = er_fail(eri_arena_context(s->arena), ER_ERROR_NO_CONVERGENCE, "a loop cannot follow as far as %g degrees",
                asked);
done:
    return r;
}

// Puts a world at the end of a swing.
static er_result displace(eri_swings *s, const eri_swing *swing, er_world *world)
{
    er_result r = ER_OK;
    double factor = er_mode_amplitude(s->undamped, swing->mode, swing->degrees);
    if (s->undamped->loop_count > 0) ERI_TRY(find_factor(s, swing, &factor));
    scale(s, swing->mode, factor);
    r = er_world_set_displacement(world, 0.0, s->x, NULL);
done:
    return r;
}

static er_result release(eri_swings *s, const eri_swing *swing, er_world **out)
{
    er_result r = ER_OK;
    er_world_def def = er_default_world_def();
    double period = 1.0 / swing->mode->frequency_hz;
    def.model = s->undamped;
    def.tolerance = fmax(fmin(1.0, swing->degrees * ER_PI / 180.0) * tolerance, least_tolerance);
    def.max_step = period;
    def.min_step = 1e-9 * period;
    ERI_TRY(er_world_create(eri_arena_context(s->arena), &def, out));
    ERI_TRY(displace(s, swing, *out));
done:
    return r;
}

// Counts and times the falls of a through 0.
typedef struct falls {
    int count;
    double first, last;
} falls;

static void watch(falls *f, sample before, sample now)
{
    if (!(before.a > 0.0 && now.a <= 0.0)) return;
    f->last = cross_zero(before, now);
    if (f->count++ == 0) f->first = f->last;
}

static double period_of(const falls *f)
{
    return f->count > 1 ? (f->last - f->first) / (f->count - 1) : 0.0;
}

// The time of the turning point after the last fall.
static double turn_after(const falls *f, double now)
{
    return f->count > 1 ? fmax(f->last + 0.25 * period_of(f), now) : now;
}

// The share of the energy outside the modes of its frequency. A motion that loops bend has springs' energy that no mode
// has: there the other modes' energy is summed, if all are known.
static double leakage_of(eri_swings *s, er_world *world, const er_mode *mode, double energy)
{
    double own = 0.0, others = 0.0;
    read_world(s, world);
    for (int j = 0; j < s->modes->count; ++j) {
        const er_mode *mate = &s->modes->mode[j];
        if (mate->kind != ER_MODE_ELASTIC) continue;
        bool same = fabs(mate->eigenvalue / mode->eigenvalue - 1.0) <= same_eigenvalue;
        sample at = project(s, mate, 0.0);
        *(same ? &own : &others) += 0.5 * (mate->eigenvalue * at.a * at.a + at.rate * at.rate);
    }
    bool sums = s->undamped->loop_count > 0 && s->modes->count == s->modes->dof;
    return fmin(fmax(sums ? others / energy : 1.0 - own / energy, 0.0), 1.0);
}

// @param world  at the turning point
static void judge(eri_swings *s, er_world *world, const falls *f, double energy, eri_swing *swing)
{
    double now = er_world_measure_energy(world).mechanical, period = period_of(f);
    swing->trial = (er_trial){.degrees = swing->degrees, .shift = -1.0};
    if (period > 0.0) swing->trial.shift = 1.0 / (period * swing->mode->frequency_hz) - 1.0;
    swing->trial.leakage = leakage_of(s, world, swing->mode, now);
    swing->drift = fabs(now / energy - 1.0);
}

static er_result follow(eri_swings *s, er_world *world, const er_mode *mode, const eri_swing_queue *queue, falls *f)
{
    er_result r = ER_OK;
    double step = 1.0 / (SAMPLES * mode->frequency_hz);
    read_world(s, world);
    sample before = project(s, mode, 0.0);
    for (int k = 1; f->count <= PERIODS && k <= MOST_PERIODS * SAMPLES; ++k) {
        if (queue != NULL && !queue->goes_on(queue->user)) return ER_ERROR_NO_CONVERGENCE;
        ERI_TRY(er_world_advance(world, k * step, NULL));
        read_world(s, world);
        sample now = project(s, mode, k * step);
        watch(f, before, now);
        before = now;
    }
done:
    return r;
}

er_result eri_swings_measure(eri_swings *s, eri_swing *swing, const eri_swing_queue *queue)
{
    er_result r = ER_OK;
    er_world *world = NULL;
    falls f = {0};
    ERI_TRY(check_mode(s, swing->mode));
    ERI_TRY(release(s, swing, &world));
    double energy = er_world_measure_energy(world).mechanical;
    ERI_TRY(follow(s, world, swing->mode, queue, &f));
    ERI_TRY(er_world_advance(world, turn_after(&f, er_world_time(world)), NULL));
    judge(s, world, &f, energy, swing);
done:
    swing->result = r;
    er_world_destroy(world);
    return r;
}

// --- eight swings side by side

// The swing of a lane. Each has its own step, a whole part of the time between samples. Times are counted in parts.
typedef struct lane {
    eri_swing swing;
    enum { FREE, SWINGS, LANDS } state;
    int interval;  // between samples
    int left;      // to the next sample, or to the turning point
    int rest;      // of the step
    int length;    // of that, to be taken next
    bool halted;   // a joint passes half a turn after that
    int passes;    // so far, of joints over half a turn
    int samples;   // so far
    double part;   // s
    double energy; // J, at first
    sample before; // the last sample
    falls falls;
} lane;

static void set_weights(eri_swings *s, const er_mode *mode, int at)
{
    for (int c = 0; c < s->undamped->coordinate_count; ++c)
        s->weight[c][at] = mode->joint[c] * s->stiffness[c] / mode->eigenvalue;
}

// Lets a lane swing from the start.
static er_result start(eri_swings *s, lane *l, int at)
{
    er_result r = ER_OK;
    double period = 1.0 / l->swing.mode->frequency_hz;
    double steps = ldexp(fmax(LEAST_STEPS, s->fastest * period / longest_step), l->swing.halvings);
    ERI_TRY(displace(s, &l->swing, s->world));
    ERI_TRY(er_ensemble_set(s->ensemble, at, s->world));
    set_weights(s, l->swing.mode, at);
    read_world(s, s->world);
    l->state = SWINGS;
    l->interval = l->left = PARTS * (int)fmin(ceil(steps / SAMPLES), most_steps);
    l->part = period / SAMPLES / l->interval;
    l->samples = 0;
    l->rest = l->length = PARTS;
    l->halted = false;
    l->passes = 0;
    l->energy = er_world_measure_energy(s->world).mechanical;
    l->before = project(s, l->swing.mode, 0.0);
    l->falls = (falls){0};
done:
    return r;
}

static void end(lane *l, er_result result, const eri_swing_queue *queue)
{
    l->state = FREE;
    l->swing.result = result;
    queue->give(queue->user, &l->swing);
}

// The step is halved as often as the error of the energy so far asks for.
static void restart(eri_swings *s, lane *l, int at, double drift, const eri_swing_queue *queue)
{
    er_result r = ER_OK;
    double all = drift * (PERIODS + 1) * SAMPLES / l->samples, halvings = ceil(log2(all / good_drift) / drift_order);
    if (l->swing.halvings < MOST_HALVINGS) {
        l->swing.halvings += (int)fmin(fmax(halvings, 1.0), MOST_HALVINGS - l->swing.halvings);
        r = start(s, l, at);
    } else {
        r = er_fail(eri_arena_context(s->arena), ER_ERROR_NO_CONVERGENCE,
                    "a swing of %g degrees cannot be integrated with steps of %.3g s", l->swing.degrees,
                    PARTS * l->part);
    }
    if (r != ER_OK) end(l, r, queue);
}

// Shows the lane in s->world. Restarts it if the energy has changed too much. If joints pass half a turn again and
// again the motion is chaotic: shorter steps find another motion, and no better one.
static bool is_steady(eri_swings *s, lane *l, int at, const eri_swing_queue *queue)
{
    double drift = HUGE_VAL;
    if (eri_ensemble_show(s->ensemble, at, s->world) == ER_OK)
        drift = fabs(er_world_measure_energy(s->world).mechanical / l->energy - 1.0);
    bool is_last = l->swing.halvings == MOST_HALVINGS || l->passes >= WILD;
    if (drift <= (is_last ? most_drift : good_drift)) return true;
    restart(s, l, at, drift, queue);
    return false;
}

static void land(lane *l)
{
    double now = l->before.time, way = turn_after(&l->falls, now) - now, step = PARTS * l->part;
    l->state = LANDS;
    l->left = PARTS * (int)ceil(way / step);
    if (l->left > 0) l->part = way / l->left;
}

static void take_sample(eri_swings *s, lane *l, int at, double a, double rate, const eri_swing_queue *queue)
{
    sample now = {(double)++l->samples / (SAMPLES * l->swing.mode->frequency_hz), a, rate};
    l->left = l->interval;
    if (!isfinite(a) || l->samples % SAMPLES == 0)
        if (!is_steady(s, l, at, queue)) return;
    watch(&l->falls, l->before, now);
    l->before = now;
    if (l->falls.count > PERIODS || l->samples == MOST_PERIODS * SAMPLES) land(l);
}

// The share by which RK4 lowers the frequency of a linear oscillation.   @param step  rad
static double lag(double step)
{
    return step * step * step * step / 120.0;
}

static void finish(eri_swings *s, lane *l, int at, const eri_swing_queue *queue)
{
    if (!is_steady(s, l, at, queue)) return;
    judge(s, s->world, &l->falls, l->energy, &l->swing);
    if (l->falls.count > 1) l->swing.trial.shift += lag(2.0 * ER_PI / SAMPLES * PARTS / l->interval);
    end(l, ER_OK, queue);
}

// After a step of all lanes: takes samples that are due, and ends swings.
static void look(eri_swings *s, lane *lanes, const eri_swing_queue *queue)
{
    bool due = false;
    eri_lanes a, rate;
    for (int at = 0; at < ERI_LANE_COUNT; ++at)
        due |= lanes[at].state == SWINGS && lanes[at].left == 0;
    if (due) eri_ensemble_project(s->ensemble, s->weight, &a, &rate);
    for (int at = 0; at < ERI_LANE_COUNT; ++at) {
        lane *l = &lanes[at];
        if (l->state == SWINGS && l->left == 0) take_sample(s, l, at, a[at], rate[at], queue);
        if (l->state == LANDS && l->left == 0) finish(s, l, at, queue);
    }
}

// Chooses the next step: up to the pass of a joint over half a turn, one part across it, the rest of the step.
static void go_on(lane *l, double way, double turn)
{
    if (way < 1.0) {
        l->length = (int)fmax(way * l->length, 1.0);
        l->halted = l->length > 1;
        ++l->passes;
        return;
    }
    l->left -= l->length;
    l->rest -= l->length;
    if (l->rest == 0) l->rest = PARTS;
    l->length = l->halted ? 1 : (int)fmax(fmin(most_turn / (turn * l->part), l->rest), 1.0);
    l->halted = false;
}

static void step(eri_swings *s, lane *lanes)
{
    eri_lanes h, turn;
    bool halts[ERI_LANE_COUNT];
    double way[ERI_LANE_COUNT];
    for (int at = 0; at < ERI_LANE_COUNT; ++at) {
        h[at] = lanes[at].state == FREE ? 0.0 : lanes[at].length * lanes[at].part;
        halts[at] = lanes[at].state != FREE && lanes[at].length > 1;
    }
    eri_ensemble_step(s->ensemble, &h, halts, way, &turn);
    for (int at = 0; at < ERI_LANE_COUNT; ++at)
        if (lanes[at].state != FREE) go_on(&lanes[at], way[at], turn[at]);
}

// Gives free lanes something to do.   @return whether any lane has
static bool fill(eri_swings *s, lane *lanes, const eri_swing_queue *queue)
{
    bool any = false;
    for (int at = 0; at < ERI_LANE_COUNT; ++at) {
        lane *l = &lanes[at];
        while (l->state == FREE && queue->take(queue->user, &l->swing)) {
            er_result r = check_mode(s, l->swing.mode);
            if (r == ER_OK) r = start(s, l, at);
            if (r != ER_OK) end(l, r, queue);
        }
        any |= l->state != FREE;
    }
    return any;
}

static void run_lanes(eri_swings *s, const eri_swing_queue *queue)
{
    lane lanes[ERI_LANE_COUNT] = {0};
    while (queue->goes_on(queue->user) && fill(s, lanes, queue))
        for (int n = 0; n < STEPS_TOGETHER; ++n) {
            step(s, lanes);
            look(s, lanes, queue);
        }
}

void eri_swings_run(eri_swings *s, const eri_swing_queue *queue)
{
    eri_swing one;
    if (s->ensemble != NULL) {
        run_lanes(s, queue);
        return;
    }
    while (queue->goes_on(queue->user) && queue->take(queue->user, &one)) {
        eri_swings_measure(s, &one, queue);
        if (queue->goes_on(queue->user)) queue->give(queue->user, &one);
    }
}
