// Releases a mode in a world of its own model: the frequency of its swings, and the energy that goes to other modes.
// Derived in docs/math/validity.md.
#include "motion/mode_swing.h"

#include <eigenrig/dynamics.h>

#include <string.h>

#include "base/arena.h"

enum {
    PERIODS = 10,                  // measured for a frequency
    SAMPLES = 32,                  // of a period: a cubic through two of them finds a crossing to 1e-7 of PERIODS
    MOST_PERIODS = PERIODS * 3 / 2 // periods of the mode in which PERIODS of the swing must end
};
static const double tolerance =
    1e-5; // the integrator's tolerance, of the amplitude in rad: shifts to 1e-7, energy to 1e-4
static const double least_tolerance = 1e-13; // rounding
static const double same_eigenvalue = 1e-6;  // relative difference of eigenvalues of one frequency

struct eri_swings {
    er_arena *arena;
    const er_modes *modes;
    er_model *undamped; // the model without dampers
    er_kinematics *kinematics;
    double *x;         // [width]
    double *q, *rate;  // [coordinate_count]
    double *stiffness; // [coordinate_count]
};

// --- the model without dampers

static er_result remove_damping(er_context *context, er_arena *scratch, const er_model *model, er_model **out)
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

er_result eri_swings_create(er_context *context, const er_model *model, const er_modes *modes, eri_swings **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_swings *s = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, eri_swings, 1);
    s->arena = arena;
    s->modes = modes;
    ERI_TRY(remove_damping(context, arena, model, &s->undamped));
    ERI_TRY(er_kinematics_create(context, s->undamped, &s->kinematics));
    ERI_TRY_NEW(s->x, arena, double, er_kinematics_width(s->kinematics));
    ERI_TRY_NEW(s->q, arena, double, model->coordinate_count);
    ERI_TRY_NEW(s->rate, arena, double, model->coordinate_count);
    ERI_TRY_NEW(s->stiffness, arena, double, model->coordinate_count);
    take_stiffness(model, s->stiffness);
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

static er_result release(eri_swings *s, const er_mode *mode, double degrees, er_world **out)
{
    er_result r = ER_OK;
    er_world_def def = er_default_world_def();
    double factor = er_mode_amplitude(s->undamped, mode, degrees), period = 1.0 / mode->frequency_hz;
    er_kinematics_mode(s->kinematics, mode, s->x);
    for (int i = 0; i < er_kinematics_width(s->kinematics); ++i)
        s->x[i] *= factor;
    def.model = s->undamped;
    def.tolerance = fmax(fmin(1.0, degrees * ER_PI / 180.0) * tolerance, least_tolerance);
    def.max_step = period;
    def.min_step = 1e-9 * period;
    ERI_TRY(er_world_create(eri_arena_context(s->arena), &def, out));
    ERI_TRY(er_world_set_displacement(*out, 0.0, s->x, NULL));
done:
    return r;
}

// Counts and times the falls of a through 0.
typedef struct falls {
    int count;
    double first, last;
} falls;

static er_result swing(eri_swings *s, er_world *world, const er_mode *mode, falls *f)
{
    er_result r = ER_OK;
    double step = 1.0 / (SAMPLES * mode->frequency_hz);
    read_world(s, world);
    sample before = project(s, mode, 0.0);
    for (int k = 1; f->count <= PERIODS && k <= MOST_PERIODS * SAMPLES; ++k) {
        ERI_TRY(er_world_advance(world, k * step, NULL));
        read_world(s, world);
        sample now = project(s, mode, k * step);
        if (before.a > 0.0 && now.a <= 0.0) {
            f->last = cross_zero(before, now);
            if (f->count++ == 0) f->first = f->last;
        }
        before = now;
    }
done:
    return r;
}

// The share of the energy outside the modes of its frequency.
static double leakage_of(eri_swings *s, er_world *world, const er_mode *mode)
{
    double held = 0.0, energy = er_world_measure_energy(world).mechanical;
    read_world(s, world);
    for (int j = 0; j < s->modes->count; ++j) {
        const er_mode *mate = &s->modes->mode[j];
        if (!(fabs(mate->eigenvalue / mode->eigenvalue - 1.0) <= same_eigenvalue)) continue;
        sample at = project(s, mate, 0.0);
        held += 0.5 * (mate->eigenvalue * at.a * at.a + at.rate * at.rate);
    }
    return fmin(fmax(1.0 - held / energy, 0.0), 1.0);
}

er_result eri_swings_measure(eri_swings *s, const er_mode *mode, double degrees, er_trial *out)
{
    er_result r = ER_OK;
    er_world *world = NULL;
    falls f = {0};
    *out = (er_trial){.degrees = degrees, .shift = -1.0};
    ERI_TRY(release(s, mode, degrees, &world));
    ERI_TRY(swing(s, world, mode, &f));
    if (f.count > 1) {
        double period = (f.last - f.first) / (f.count - 1);
        out->shift = 1.0 / (period * mode->frequency_hz) - 1.0;
        ERI_TRY(er_world_advance(world, fmax(f.last + 0.25 * period, er_world_time(world)), NULL)); // at the turning
                                                                                                    // point of a
    }
    out->leakage = leakage_of(s, world, mode);
done:
    er_world_destroy(world);
    return r;
}
