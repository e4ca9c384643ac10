// Stiffness by result: Newton's method on logarithms of eigenvalues, whose derivatives are shares of strain.
#include <eigenrig/modal.h>

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/failure.h"
#include "math/dense/dense.h"

enum { MOST_STEPS = 40, MOST_HALVINGS = 10, TOWARDS_LEAST = 3, SPARE = 24, ALL_UP_TO = 120 };

#define MET 2e-10       // of log(hz^2): the aim is met
#define LONGEST 0.7     // the largest change of a logarithm in a step: a factor of two
#define FOUND 0.5       // cosine: a mode that has kept less of its shape is lost, and the step is halved
#define KEPT 0.95       // but a mode that is lost already may lose this little more
#define SHORT 1e-3      // a step as short as this leaves the least change as it is
#define DEPENDENT 1e-10 // aims whose shares of strain differ by less ask for the same springs
#define STILL 1e-12     // a step as short as this changes nothing

typedef struct tuner {
    er_context *context;
    er_arena *arena, *scratch;
    const er_model *model;
    const er_tune_def *def;
    er_model edited;  // with joints of its own
    er_joint *joints; // [joint_count]
    er_modal_def solve;
    er_modes *modes;  // of `edited`
    double *f;        // [joint_count], logarithms of factors
    double *target;   // [joint_count], the least that Newton's method says would meet the aims
    double *nearest;  // [joint_count], likewise, the nearest to f
    double *tried;    // [joint_count]
    double *share;    // [count x joint_count]
    double *off;      // [count], log(aim^2 / hz^2)
    double least;     // how much of its shape the mode that changed most has kept, a cosine
    bool *binds;      // [count]: is met exactly
    int *was;         // [count], places in def->modes
    bool follows;     // from step to step
    double *likeness; // [count], of the modes found last to what they were
    int *at;          // [count], places in `modes`
    int *next;        // [count]
    er_mode_match *match;
    er_tuned_mode *mode; // [count]
    int solves;
} tuner;

// ---- Solves

static er_result solve_at(tuner *t, const double *f, er_modes **out)
{
    for (int k = 0; k < t->model->joint_count; ++k) {
        t->joints[k] = t->model->joint[k];
        for (int c = 0; c < er_joint_type_freedom(t->joints[k].type, NULL); ++c)
            t->joints[k].stiffness[c] *= exp(f[k]);
    }
    ++t->solves;
    return er_modal_solve(t->context, &t->edited, &t->solve, out);
}

// Finds the modes aimed at by the shapes that they had before tuning, or, to follow them, by those of the step before.
// @param least  written: how much of its shape before tuning the mode that changed most has kept, a cosine
static er_result find_again(tuner *t, const er_modes *to, int *now, double *least)
{
    er_result r = ER_OK;
    int count = t->def->count;
    if (t->follows) r = er_modes_match(t->context, t->model, t->modes, t->model, to, t->match);
    for (int i = 0; i < count && r == ER_OK && t->follows; ++i)
        now[i] = t->match[t->at[i]].group_likeness >= FOUND ? t->match[t->at[i]].now : -1;
    if (r == ER_OK) r = er_modes_match(t->context, t->model, t->def->modes, t->model, to, t->match);
    *least = 1.0;
    for (int i = 0; i < count && r == ER_OK; ++i) {
        const er_mode_match *m = &t->match[t->was[i]];
        if (!t->follows) now[i] = m->now;
        bool same = now[i] == m->now, other = now[i] == m->other;
        t->likeness[i] = now[i] < 0 ? 0.0 : same ? m->group_likeness : other ? fabs(m->other_likeness) : 0.0;
        *least = fmin(*least, t->likeness[i]);
    }
    return r;
}

static double longest_way(const tuner *t, const double *to)
{
    double longest = 0.0;
    for (int k = 0; k < t->model->joint_count; ++k)
        longest = fmax(longest, fabs(to[k] - t->f[k]));
    return longest;
}

// The sum of squares of what aims that bind lack.
static double lack_of(const tuner *t, const er_modes *modes, const int *at)
{
    double sum = 0.0;
    for (int i = 0; i < t->def->count; ++i) {
        double off = 2.0 * log(t->def->aim[i].hz / modes->mode[at[i]].frequency_hz);
        if (t->binds[i] || off > 0.0) sum += off * off;
    }
    return sum;
}

static void take_step(tuner *t, er_modes *modes, double least)
{
    for (int i = 0; i < t->def->count; ++i)
        t->mode[i].likeness = t->likeness[i];
    t->least = least;
    er_modes_destroy(t->modes);
    t->modes = modes;
    memcpy(t->at, t->next, (size_t)t->def->count * sizeof *t->at);
    memcpy(t->f, t->tried, (size_t)t->model->joint_count * sizeof *t->f);
}

// Goes towards the target: as far as modes are found again and their frequencies come nearer to the aims; then towards
// what meets the aims with the least step. Where two modes meet, a long step passes to the other side, and a short one
// would follow the wrong mode.
static er_result step(tuner *t, bool *moved)
{
    double before = lack_of(t, t->modes, t->at), least;
    *moved = false;
    for (int halvings = 0; halvings < MOST_HALVINGS && !*moved; ++halvings) {
        bool far = halvings < TOWARDS_LEAST;
        const double *to = far ? t->target : t->nearest;
        double longest = longest_way(t, to), part = ldexp(1.0, -(far ? halvings : halvings - TOWARDS_LEAST));
        if (longest * part <= STILL) continue;
        if (longest > LONGEST) part *= LONGEST / longest;
        for (int k = 0; k < t->model->joint_count; ++k)
            t->tried[k] = t->f[k] + part * (to[k] - t->f[k]);
        er_modes *modes = NULL;
        er_result r = solve_at(t, t->tried, &modes);
        if (r == ER_OK) r = find_again(t, modes, t->next, &least);
        *moved = r == ER_OK && least >= fmin(FOUND, KEPT * t->least) && least > 0.0 &&
                 lack_of(t, modes, t->next) < fmax(before, MET * MET);
        if (*moved)
            take_step(t, modes, least);
        else
            er_modes_destroy(modes);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

// ---- Newton's step

static void measure(tuner *t)
{
    int joints = t->model->joint_count;
    for (int i = 0; i < t->def->count; ++i) {
        const er_mode *mode = &t->modes->mode[t->at[i]];
        double *share = t->share + (ptrdiff_t)i * joints;
        er_mode_joint_shares(&t->edited, mode, share);
        for (int k = 0; k < joints; ++k)
            if (t->def->joint != NULL && !t->def->joint[k]) share[k] = 0.0;
        t->off[i] = 2.0 * log(t->def->aim[i].hz / mode->frequency_hz);
    }
}

// The change of f of the least sum of squares with S change = S from + off, over aims that bind.
static er_result solve_shares(tuner *t, const double *from, double *change)
{
    er_result r = ER_OK;
    int joints = t->model->joint_count, rows = 0, at = 0;
    eri_matrix a, b;
    memset(change, 0, (size_t)joints * sizeof *change);
    for (int i = 0; i < t->def->count; ++i)
        rows += t->binds[i];
    if (rows == 0) return ER_OK;
    eri_arena_reset(t->scratch);
    ERI_TRY(eri_matrix_create(t->scratch, rows, joints, &a));
    ERI_TRY(eri_matrix_create(t->scratch, rows, 1, &b));
    for (int i = 0; i < t->def->count; ++i) {
        if (!t->binds[i]) continue;
        const double *share = t->share + (ptrdiff_t)i * joints;
        for (int k = 0; k < joints; ++k)
            eri_matrix_column(a, k)[at] = share[k];
        eri_matrix_column(b, 0)[at++] = t->off[i] + (from != NULL ? eri_linalg_dot(joints, share, from) : 0.0);
    }
    r = eri_linalg_least_squares(t->scratch, a, DEPENDENT, b, change);
done:
    return r;
}

// Finds what each aim that binds adds to the target: target = S' pull.
static er_result find_pulls(tuner *t, double *pull)
{
    er_result r = ER_OK;
    int joints = t->model->joint_count, rows = 0, at = 0;
    eri_matrix a, b;
    double *x;
    for (int i = 0; i < t->def->count; ++i)
        rows += t->binds[i];
    if (rows == 0) return ER_OK;
    eri_arena_reset(t->scratch);
    ERI_TRY(eri_matrix_create(t->scratch, joints, rows, &a));
    ERI_TRY(eri_matrix_create(t->scratch, joints, 1, &b));
    ERI_TRY_NEW(x, t->scratch, double, rows);
    for (int i = 0; i < t->def->count; ++i)
        if (t->binds[i])
            memcpy(eri_matrix_column(a, at++), t->share + (ptrdiff_t)i * joints, (size_t)joints * sizeof *t->share);
    memcpy(eri_matrix_column(b, 0), t->target, (size_t)joints * sizeof *t->target);
    ERI_TRY(eri_linalg_least_squares(t->scratch, a, DEPENDENT, b, x));
    for (int i = 0, k = 0; i < t->def->count; ++i)
        pull[i] = t->binds[i] ? x[k++] : 0.0;
done:
    return r;
}

// Aims of at least a frequency bind if they are not met otherwise, and as long as they pull it up.
static er_result choose_target(tuner *t, double *pull)
{
    er_result r = ER_OK;
    int joints = t->model->joint_count;
    for (int round = 0; round <= 2 * t->def->count; ++round) {
        bool changed = false;
        r = solve_shares(t, t->f, t->target);
        if (r == ER_OK) r = find_pulls(t, pull);
        for (int i = 0; i < t->def->count && r == ER_OK; ++i) {
            const double *share = t->share + (ptrdiff_t)i * joints;
            double lacks = t->off[i] + eri_linalg_dot(joints, share, t->f) - eri_linalg_dot(joints, share, t->target);
            bool binds = !t->def->aim[i].at_least || (t->binds[i] ? pull[i] > 0.0 : lacks > MET);
            changed |= binds != t->binds[i];
            t->binds[i] = binds;
        }
        if (r != ER_OK || !changed) break;
    }
    if (r == ER_OK) r = solve_shares(t, NULL, t->nearest);
    for (int k = 0; k < joints && r == ER_OK; ++k)
        t->nearest[k] += t->f[k];
    return r;
}

static double missed(const tuner *t)
{
    double most = 0.0;
    for (int i = 0; i < t->def->count; ++i)
        most = fmax(most, t->def->aim[i].at_least ? t->off[i] : fabs(t->off[i]));
    return most;
}

static er_result descend(tuner *t, double *pull)
{
    er_result r = ER_OK;
    bool moved = true;
    for (int steps = 0; moved && steps < MOST_STEPS; ++steps) {
        measure(t);
        ERI_TRY(choose_target(t, pull));
        if (missed(t) <= MET && (longest_way(t, t->target) <= SHORT || steps >= MOST_STEPS / 2)) break;
        ERI_TRY(step(t, &moved));
    }
    measure(t);
done:
    return r;
}

// Where modes mix, no mode with the shape from before may have the aim. Then the mixed one is followed to it.
static er_result tune(tuner *t)
{
    er_result r = ER_OK;
    double *pull;
    ERI_TRY_NEW(pull, t->arena, double, t->def->count);
    ERI_TRY(descend(t, pull));
    if (missed(t) <= MET) return r;
    t->follows = true;
    ERI_TRY(descend(t, pull));
done:
    return r;
}

// ---- Beginning and end

static er_result check(er_context *context, const er_model *model, const er_tune_def *d)
{
    if (model == NULL || d == NULL || d->modes == NULL || d->aim == NULL || d->count < 1 || d->count > ER_TUNE_MAX_AIMS)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_tuning_create needs a model, its modes, and 1 to %d aims",
                       ER_TUNE_MAX_AIMS);
    for (int i = 0; i < d->count; ++i) {
        const er_mode *mode = er_modes_find(d->modes, d->aim[i].mode);
        if (mode == NULL || mode->kind != ER_MODE_ELASTIC)
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "mode %d cannot be tuned: it is not among the elastic modes held", d->aim[i].mode);
        if (!(d->aim[i].hz > 0.0 && d->aim[i].hz <= 1e6))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d cannot be tuned to %g Hz", d->aim[i].mode,
                           d->aim[i].hz);
        for (int k = 0; k < i; ++k)
            if (d->aim[k].mode == d->aim[i].mode)
                return er_fail(context, ER_ERROR_ARGUMENT, "mode %d is tuned twice", d->aim[i].mode);
    }
    bool any = d->joint == NULL;
    for (int k = 0; k < model->joint_count && !any; ++k)
        any = d->joint[k];
    return any ? ER_OK : er_fail(context, ER_ERROR_ARGUMENT, "no joint may change, so no mode can be tuned");
}

static er_result begin(tuner *t)
{
    er_result r = ER_OK;
    size_t count = (size_t)t->def->count, joints = (size_t)t->model->joint_count;
    int highest = 0;
    ERI_TRY_NEW(t->joints, t->arena, er_joint, joints);
    ERI_TRY_NEW(t->f, t->arena, double, joints);
    ERI_TRY_NEW(t->target, t->arena, double, joints);
    ERI_TRY_NEW(t->nearest, t->arena, double, joints);
    ERI_TRY_NEW(t->tried, t->arena, double, joints);
    ERI_TRY_NEW(t->share, t->arena, double, count *joints);
    ERI_TRY_NEW(t->likeness, t->arena, double, count);
    ERI_TRY_NEW(t->off, t->arena, double, count);
    ERI_TRY_NEW(t->binds, t->arena, bool, count);
    ERI_TRY_NEW(t->at, t->arena, int, count);
    ERI_TRY_NEW(t->next, t->arena, int, count);
    ERI_TRY_NEW(t->was, t->arena, int, count);
    ERI_TRY_NEW(t->mode, t->arena, er_tuned_mode, count);
    for (size_t i = 0; i < count; ++i) {
        t->was[i] = t->def->aim[i].mode - t->def->modes->first;
        highest = t->def->aim[i].mode > highest ? t->def->aim[i].mode : highest;
        t->mode[i].likeness = 1.0;
        t->binds[i] = !t->def->aim[i].at_least;
    }
    t->edited = *t->model;
    t->edited.joint = t->joints;
    t->solve = er_default_modal_def();
    if (t->model->body_count > ALL_UP_TO) t->solve.mode_count = 2 * highest + SPARE;
    ERI_TRY(solve_at(t, t->f, &t->modes));
    ERI_TRY_NEW(t->match, t->arena, er_mode_match, // other factors may part or join modes of one frequency
                t->modes->dof > t->def->modes->count ? t->modes->dof : t->def->modes->count);
    ERI_TRY(find_again(t, t->modes, t->at, &t->least));
    if (t->least < FOUND) r = er_fail(t->context, ER_ERROR_ARGUMENT, "the modes to tune are not those of the model");
done:
    return r;
}

static er_result finish(tuner *t, er_tuning *out)
{
    er_result r = ER_OK;
    double *factor;
    ERI_TRY_NEW(factor, t->arena, double, t->model->joint_count);
    for (int k = 0; k < t->model->joint_count; ++k)
        factor[k] = exp(t->f[k]);
    for (int i = 0; i < t->def->count; ++i) {
        const er_mode *mode = &t->modes->mode[t->at[i]];
        t->mode[i].now = er_modes_index(t->modes, mode);
        t->mode[i].hz = mode->frequency_hz;
    }
    double miss = missed(t);
    *out = (er_tuning){factor, t->mode, miss > MET ? fabs(expm1(0.5 * miss)) : 0.0, t->solves, t->arena};
done:
    return r;
}

er_result er_tuning_create(er_context *context, const er_model *model, const er_tune_def *def, er_tuning **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, def);
    if (r != ER_OK) return r;
    tuner t = {.context = context, .model = model, .def = def};
    er_tuning *tuning;
    ERI_TRY(eri_arena_create(context, &t.arena));
    ERI_TRY(eri_arena_create(context, &t.scratch));
    ERI_TRY_NEW(tuning, t.arena, er_tuning, 1);
    ERI_TRY(begin(&t));
    ERI_TRY(tune(&t));
    ERI_TRY(finish(&t, tuning));
    *out = tuning;
    t.arena = NULL;
done:
    er_modes_destroy(t.modes);
    eri_arena_destroy(t.scratch);
    eri_arena_destroy(t.arena);
    return r;
}

void er_tuning_destroy(er_tuning *tuning)
{
    if (tuning != NULL) eri_arena_destroy(tuning->arena);
}
