// Harmonic balance of a mode to second order. Derived in docs/math/validity.md.
#include "motion/mode_truth.h"

#include <eigenrig/dynamics.h>

#include <string.h>

#include "dynamics/ensemble.h"
#include "motion/mode_swing.h"

enum { PHASES = ER_ENSEMBLE_SIZE, PERIODS = 10, MODES = 128 };
static const double DEGREES = 3.0;          // of the trial; the results grow as its square
static const double STEP = 1e-3;            // of a period, in which accelerations are measured
static const double FASTEST_STEP = 0.05;    // rad of the rig's highest frequency, the longest step
static const double SAME_EIGENVALUE = 1e-6; // relative difference of eigenvalues of one frequency
static const double MOST_DEGREES = 180.0;   // beyond, nothing is bounded

static double square(double x)
{
    return x * x;
}

struct eri_truth {
    er_arena *arena;
    const er_model *model;
    er_model *undamped;
    er_modes *solved; // NULL: `modes` are the caller's
    const er_modes *modes;
    er_kinematics *kinematics;
    er_world *world;
    er_ensemble *ensemble;
    double fastest;       // rad/s
    int width, count;     // of displacements, and of elastic modes
    const er_mode **mode; // [count]
    double *shape;        // [count x width]
    eri_lanes *weight;    // [count x coordinate_count], of joint coordinates in a mode's coordinate
    int *root;            // [body_count], the free root that a body hangs on; -1: held
    double *x, *rate;     // [width]
    er_pose *pose;        // [body_count]
    er_twist *twist;      // [body_count]
    double *response;     // [count x 2], of each mode: constant, and twice as fast as the mode in question
    double *driven;       // [2 x width], the sum of these
};

// The caller's modes if they are enough, or the lowest of the rig.
static er_result solve_modes(er_context *context, eri_truth *t, const er_modes *modes)
{
    er_modal_def def = er_default_modal_def();
    int last = modes->count > 0 ? er_modes_index(modes, &modes->mode[modes->count - 1]) + 1 : 0;
    t->modes = modes;
    if (modes->count >= MODES || modes->count == modes->dof) return ER_OK;
    def.mode_count = last > MODES ? last : MODES;
    er_result r = er_modal_solve(context, t->model, &def, &t->solved);
    if (r == ER_OK) t->modes = t->solved;
    return r;
}

static er_result list_modes(eri_truth *t)
{
    er_result r = ER_OK;
    const er_model *model = t->model;
    const er_modes *modes = t->modes;
    int coordinates = model->coordinate_count;
    ERI_TRY_NEW(t->mode, t->arena, const er_mode *, modes->count);
    for (int k = 0; k < modes->count; ++k)
        if (modes->mode[k].kind == ER_MODE_ELASTIC) t->mode[t->count++] = &modes->mode[k];
    ERI_TRY_NEW(t->shape, t->arena, double, (size_t)t->count *(size_t)t->width);
    ERI_TRY_NEW(t->weight, t->arena, eri_lanes, (size_t)t->count * (size_t)coordinates);
    ERI_TRY_NEW(t->response, t->arena, double, 2 * t->count);
    ERI_TRY_NEW(t->driven, t->arena, double, 2 * t->width);
    for (int k = 0; k < t->count; ++k) {
        er_kinematics_mode(t->kinematics, t->mode[k], t->shape + (ptrdiff_t)k * t->width);
        for (int j = 0; j < model->joint_count; ++j)
            for (int c = model->coordinate[j]; c < model->coordinate[j + 1]; ++c)
                for (int lane = 0; lane < PHASES; ++lane)
                    t->weight[(ptrdiff_t)k * coordinates + c][lane] =
                        t->mode[k]->joint[c] * model->joint[j].stiffness[c - model->coordinate[j]] /
                        t->mode[k]->eigenvalue;
    }
done:
    return r;
}

er_result eri_truth_create(er_context *context, const er_model *model, const er_modes *modes, eri_truth **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_truth *t = NULL;
    er_world_def def = er_default_world_def();
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(t, arena, eri_truth, 1);
    t->arena = arena;
    t->model = model;
    ERI_TRY(eri_undamped_model(context, arena, model, &t->undamped));
    ERI_TRY(er_kinematics_create(context, t->undamped, &t->kinematics));
    def.model = t->undamped;
    ERI_TRY(er_world_create(context, &def, &t->world));
    ERI_TRY(er_ensemble_create(context, t->world, &t->ensemble));
    t->fastest = eri_ensemble_fastest(t->ensemble);
    t->width = er_kinematics_width(t->kinematics);
    ERI_TRY_NEW(t->x, arena, double, t->width);
    ERI_TRY_NEW(t->rate, arena, double, t->width);
    ERI_TRY_NEW(t->pose, arena, er_pose, model->body_count);
    ERI_TRY_NEW(t->twist, arena, er_twist, model->body_count);
    ERI_TRY_NEW(t->root, arena, int, model->body_count);
    for (int b = 0; b < model->body_count; ++b) {
        int top = b;
        while (model->tree_parent[top] >= 0)
            top = model->tree_parent[top];
        t->root[b] = model->tree_joint[top] < 0 ? top : -1;
    }
    ERI_TRY(solve_modes(context, t, modes));
    ERI_TRY(list_modes(t));
    *out = t;
    return ER_OK;
done:
    if (t != NULL)
        eri_truth_destroy(t);
    else
        eri_arena_destroy(arena);
    return r;
}

void eri_truth_destroy(eri_truth *t)
{
    if (t == NULL) return;
    er_ensemble_destroy(t->ensemble);
    er_world_destroy(t->world);
    er_modes_destroy(t->solved);
    er_kinematics_destroy(t->kinematics);
    er_model_destroy(t->undamped);
    eri_arena_destroy(t->arena);
}

// ---- states

typedef struct tree_momentum {
    double mass;
    er_vec3 com, momentum, spin; // the spin about `com`
    er_mat3 inertia;             // about `com`
} tree_momentum;

static tree_momentum measure(const eri_truth *t, int root)
{
    const er_model *model = t->model;
    tree_momentum m = {0};
    for (int pass = 0; pass < 2; ++pass) {
        for (int b = 0; b < model->body_count; ++b) {
            const er_body *body = &model->body[b];
            if (t->root[b] != root) continue;
            er_vec3 at = er_pose_point(t->pose[b], body->com);
            er_quat q = t->pose[b].q;
            er_vec3 v = er_q_rotate(q, er_v3_add(t->twist[b].linear, er_v3_cross(t->twist[b].angular, body->com)));
            if (pass == 0) {
                m.mass += body->mass;
                m.com = er_v3_madd(m.com, body->mass, at);
                m.momentum = er_v3_madd(m.momentum, body->mass, v);
                continue;
            }
            er_vec3 arm = er_v3_sub(at, m.com);
            er_mat3 turn = er_m3_from_q(q), own = er_m3_mul(turn, er_m3_mul(body->inertia, er_m3_transpose(turn)));
            m.spin = er_v3_add(m.spin, er_v3_madd(er_q_rotate(q, er_m3_mul_v(body->inertia, t->twist[b].angular)),
                                                  body->mass, er_v3_cross(arm, v)));
            m.inertia = er_m3_madd(er_m3_madd(m.inertia, 1.0, own), body->mass * er_v3_dot(arm, arm), er_m3_identity());
            m.inertia = er_m3_madd(m.inertia, -body->mass, er_m3_outer(arm, arm));
        }
        if (pass == 0 && m.mass > 0.0) m.com = er_v3_scale(1.0 / m.mass, m.com);
    }
    return m;
}

// Takes the momenta of a free tree away, as the motion began at rest.
static void stop_tree(eri_truth *t, int root)
{
    const er_model *model = t->model;
    tree_momentum m = measure(t, root);
    if (!(m.mass > 0.0) || !(er_m3_det(m.inertia) > 0.0)) return;
    er_vec3 spin = er_m3_mul_v(er_m3_inverse(m.inertia), m.spin), drift = er_v3_scale(1.0 / m.mass, m.momentum);
    for (int b = 0; b < model->body_count; ++b) {
        if (t->root[b] != root) continue;
        er_quat back = er_q_conj(t->pose[b].q);
        er_vec3 shift = er_v3_add(drift, er_v3_cross(spin, er_v3_sub(t->pose[b].p, m.com)));
        t->twist[b].angular = er_v3_sub(t->twist[b].angular, er_q_rotate(back, spin));
        t->twist[b].linear = er_v3_sub(t->twist[b].linear, er_q_rotate(back, shift));
    }
}

static double angle_of(int phase)
{
    return ER_PI * (phase + 0.5) / PHASES; // half a period: by symmetry in time the other half is the same
}

// Sets a lane to the reference motion: the mode by itself, and the responses of all.
static er_result set_phase(eri_truth *t, int own, double amplitude, int phase)
{
    er_result r = ER_OK;
    const double *shape = t->shape + (ptrdiff_t)own * t->width, *still = t->driven, *twice = t->driven + t->width;
    double angle = angle_of(phase), omega = sqrt(t->mode[own]->eigenvalue);
    for (int i = 0; i < t->width; ++i) {
        t->x[i] = amplitude * cos(angle) * shape[i] + still[i] + cos(2.0 * angle) * twice[i];
        t->rate[i] = -omega * (amplitude * sin(angle) * shape[i] + 2.0 * sin(2.0 * angle) * twice[i]);
    }
    ERI_TRY(er_world_set_displacement(t->world, 0.0, t->x, t->rate));
    memcpy(t->pose, er_world_pose(t->world), (size_t)t->model->body_count * sizeof *t->pose);
    memcpy(t->twist, er_world_twist(t->world), (size_t)t->model->body_count * sizeof *t->twist);
    for (int b = 0; b < t->model->body_count; ++b)
        if (t->root[b] == b) stop_tree(t, b);
    ERI_TRY(er_world_set_state(t->world, 0.0, t->pose, t->twist));
    ERI_TRY(er_ensemble_set(t->ensemble, phase, t->world));
done:
    return r;
}

// ---- harmonic balance

// Lets all phases move on by a short time.   @return that time, s
static er_result move_on(eri_truth *t, int own, double amplitude, double *h)
{
    er_result r = ER_OK;
    const bool halts[PHASES] = {false};
    double omega = sqrt(t->mode[own]->eigenvalue), way[PHASES];
    eri_lanes step, turn;
    *h = fmin(STEP * 2.0 * ER_PI / omega, t->fastest > 0.0 ? FASTEST_STEP / t->fastest : HUGE_VAL);
    for (int phase = 0; phase < PHASES; ++phase) {
        ERI_TRY(set_phase(t, own, amplitude, phase));
        step[phase] = *h;
    }
    eri_ensemble_step(t->ensemble, &step, halts, way, &turn);
done:
    return r;
}

// Measures by how much a mode's acceleration in full dynamics is larger than that of the reference motion.
static void measure_force(eri_truth *t, int k, int own, double amplitude, double h, double *force)
{
    eri_lanes sum, rate;
    double omega = sqrt(t->mode[own]->eigenvalue);
    eri_ensemble_project(t->ensemble, t->weight + (ptrdiff_t)k * t->model->coordinate_count, &sum, &rate);
    for (int phase = 0; phase < PHASES; ++phase) {
        double angle = angle_of(phase) + omega * h;
        double reference =
            (k == own ? amplitude * cos(angle) : 0.0) + t->response[2 * k] + t->response[2 * k + 1] * cos(2.0 * angle);
        force[phase] = 2.0 * (sum[phase] - reference) / (h * h);
    }
}

static double harmonic_of(const double *force, int harmonic)
{
    double sum = 0.0;
    for (int phase = 0; phase < PHASES; ++phase)
        sum += force[phase] * cos(harmonic * angle_of(phase));
    return (harmonic == 0 ? 1.0 : 2.0) * sum / PHASES;
}

static bool same_frequency(const er_mode *a, const er_mode *b)
{
    return fabs(a->eigenvalue / b->eigenvalue - 1.0) <= SAME_EIGENVALUE;
}

// The energy of a mode that starts at rest while a force drives it at `omega`: response cos(omega t) less its own free
// swing. This beats; it is the largest within PERIODS, or half of that if the beat is shorter than these.
static double energy_of(const er_mode *mode, double response, double omega, double own)
{
    double beat = fabs(sqrt(mode->eigenvalue) - omega) * PERIODS * 2.0 * ER_PI / own;
    double most = 2.0 * response * sin(0.5 * fmin(beat, ER_PI));
    return 0.5 * mode->eigenvalue * most * most * (1.0 - 0.5 * fmin(1.0, beat / ER_PI));
}

// Sets a mode's responses, which are even harmonics.   @return the energy that it takes
static double respond(eri_truth *t, int k, int own, const double *force)
{
    double omega = sqrt(t->mode[own]->eigenvalue), energy = 0.0;
    for (int even = 0; even < 2; ++even) {
        double pull = t->mode[k]->eigenvalue - square(2 * even * omega);
        double least = 1e-3 * t->mode[k]->eigenvalue; // at resonance the response grows as long as the mode swings
        double response = harmonic_of(force, 2 * even) / (fabs(pull) > least ? pull : copysign(least, pull));
        const double *shape = t->shape + (ptrdiff_t)k * t->width;
        t->response[2 * k + even] = response;
        for (int i = 0; i < t->width; ++i)
            t->driven[even * t->width + i] += response * shape[i];
        if (!same_frequency(t->mode[k], t->mode[own]))
            energy += energy_of(t->mode[k], response, 2 * even * omega, omega);
    }
    return energy;
}

er_result eri_truth_find(eri_truth *t, int index, double shift, double leak, double *out)
{
    er_result r = ER_OK;
    int own = 0;
    const er_mode *mode = er_modes_find(t->modes, index);
    double amplitude = mode != NULL ? er_mode_amplitude(t->model, mode, DEGREES) : 0.0, force[PHASES], h, energy = 0.0;
    *out = HUGE_VAL;
    while (own < t->count && t->mode[own] != mode)
        ++own;
    if (own == t->count || !(amplitude > 0.0)) return ER_OK;
    memset(t->response, 0, 2 * (size_t)t->count * sizeof *t->response);
    memset(t->driven, 0, 2 * (size_t)t->width * sizeof *t->driven);
    ERI_TRY(move_on(t, own, amplitude, &h));
    for (int k = 0; k < t->count; ++k) {
        measure_force(t, k, own, amplitude, h, force);
        energy += respond(t, k, own, force);
    }
    ERI_TRY(move_on(t, own, amplitude, &h));
    measure_force(t, own, own, amplitude, h, force);
    double shifts = fabs(harmonic_of(force, 1)) / (2.0 * mode->eigenvalue * amplitude);
    double leaks = energy / (0.5 * mode->eigenvalue * square(amplitude));
    double degrees = DEGREES * sqrt(1.0 / fmax(shifts / shift, leaks / leak));
    if (degrees < MOST_DEGREES) *out = degrees;
done:
    return r;
}
