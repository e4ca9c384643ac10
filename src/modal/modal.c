// The choice of a route, and shares and travel of joints in a mode.
#include <eigenrig/modal.h>

#include <math.h>

#include "math/dense/dense.h"
#include "modal/canonical.h"
#include "modal/damping.h"
#include "modal/dense_modes.h"
#include "modal/mode_shape.h"
#include "modal/reduced.h"

void er_modal_set_threads(int threads)
{
    eri_linalg_set_threads(threads);
}

// The modes of a model in tree coordinates.
// @param halves  written: whether it was solved in halves
static er_result solve_reduced(er_context *context, const er_model *model, const er_modal_def *def, bool *halves,
                               er_modes **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_modes *modes;
    eri_reduced *s = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(modes, arena, er_modes, 1);
    modes->arena = arena;
    ERI_TRY(eri_reduced_create(scratch, arena, model, def, &s));
    *halves = s->halves != NULL;
    ERI_TRY(eri_reduced_solve(s, modes));
    ERI_TRY(eri_canonical_basis(context, scratch, model, modes, s->mode));
    ERI_TRY(eri_modal_damp(scratch, model, def->rank_tol, modes, s->mode));
    arena = NULL;
    *out = modes;
done:
    eri_reduced_destroy(s);
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

// Whether the admissible motions are formed as a dense matrix: by factoring G, or where loops tie the coordinates of
// the tree.
static bool is_dense(const er_model *model, er_modal_method method)
{
    return method == ER_MODAL_QR || method == ER_MODAL_SVD || (method == ER_MODAL_TREE && model->loop_count > 0);
}

// Slices win where loops hold few of the motions, the fewer the more modes are wanted: docs/math/tree.md has the
// measure. Small rigs take no time either way, and the dense problem keeps more digits where numbers are far apart.
static er_modal_method choose_for_loops(const er_model *model, const er_modal_def *def)
{
    int held = 0, motions = 6 * (model->body_count - model->joint_count) + model->coordinate_count; // Gruebler's count
    for (int k = 0; k < model->joint_count; ++k)
        if (model->joint[k].closes_loop) held += 6 - er_joint_type_freedom(model->joint[k].type, NULL);
    int wanted = def->mode_count > 0 && def->mode_count < motions ? def->mode_count : motions;
    bool few = motions >= 60 && held <= 0.6 * motions - 0.4 * wanted;
    return few || model->body_count > ER_MODAL_MAX_BODIES ? ER_MODAL_SPARSE : ER_MODAL_TREE;
}

// Without loops slices win but for small rigs of which most modes are wanted: docs/bench.md. Characters in files hold
// frequencies so far apart that the dense problem takes its slower, graded way.
static er_modal_method choose(const er_model *model, const er_modal_def *def)
{
    if (model->loop_count > 0) return choose_for_loops(model, def);
    int all = model->coordinate_count, wanted = def->mode_count > 0 && def->mode_count < all ? def->mode_count : all;
    bool slices = all >= 120 || (all >= 50 && wanted <= 0.6 * all) || def->min_hz > 0.0;
    return slices ? ER_MODAL_SPARSE : ER_MODAL_TREE;
}

er_result eri_modal_check(er_context *context, const er_model *model, er_modal_def *d)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "modes need a model");
    er_result r = eri_modal_check_def(context, d);
    if (r == ER_OK) r = eri_linalg_ready(context);
    if (r == ER_OK && d->method == ER_MODAL_AUTO) d->method = choose(model, d);
    return r;
}

int eri_modal_limit_threads(const er_model *model, er_modal_method method)
{
    return model->body_count < (is_dense(model, method) ? 100 : 300) ? eri_linalg_one_thread() : 0;
}

static er_result solve_by(er_context *context, const er_model *model, er_modal_def d, er_modal_method method,
                          er_modes **out)
{
    d.method = method;
    int threads = eri_modal_limit_threads(model, method);
    bool halves = false;
    er_result r = is_dense(model, method) ? eri_modal_dense(context, model, &d, out)
                                          : solve_reduced(context, model, &d, &halves, out);
    if (halves && (r == ER_ERROR_NO_CONVERGENCE || r == ER_ERROR_NOT_POSDEF)) {
        d.whole = true;
        r = solve_reduced(context, model, &d, &halves, out);
    }
    eri_linalg_set_threads(threads);
    return r;
}

static double lost_digits(const er_modes *modes)
{
    return eri_worse(modes->residuals.gram, modes->residuals.constraint);
}

bool eri_modal_is_accurate(const er_modes *modes)
{
    return lost_digits(modes) < 1e-9;
}

// Asks the other routes if masses or stiffnesses lie so far apart that the chosen route loses digits; keeps the best.
static er_result ask_others(er_context *context, const er_model *model, const er_modal_def *d, er_result r,
                            er_modes **out)
{
    const er_modal_method others[] = {ER_MODAL_SPARSE, ER_MODAL_QR};
    for (size_t i = 0; i < ERI_COUNT(others); ++i) {
        er_modes *other = NULL;
        if (r == ER_OK ? eri_modal_is_accurate(*out) : r != ER_ERROR_NO_CONVERGENCE && r != ER_ERROR_NOT_POSDEF) break;
        if (others[i] == d->method || (others[i] == ER_MODAL_QR && model->body_count > ER_MODAL_MAX_BODIES)) continue;
        er_result s = solve_by(context, model, *d, others[i], &other);
        bool better = s == ER_OK && (r != ER_OK || lost_digits(other) < lost_digits(*out));
        er_modes_destroy(better ? *out : other);
        if (better) *out = other;
        if (s == ER_OK || s == ER_ERROR_MEMORY) r = s;
        if (s == ER_ERROR_MEMORY) er_modes_destroy(*out), *out = NULL;
    }
    return r;
}

er_result er_modal_solve(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_modal_def d = def != NULL ? *def : er_default_modal_def();
    bool chosen = d.method == ER_MODAL_AUTO;
    er_result r = eri_modal_check(context, model, &d);
    if (r != ER_OK) return r;
    r = solve_by(context, model, d, d.method, out);
    return chosen ? ask_others(context, model, &d, r, out) : r;
}

er_result er_modal_count(er_context *context, const er_model *model, double hz, int *count)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || count == NULL || !(hz > 0.0 && hz < HUGE_VAL))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_modal_count needs a model and a frequency above 0, not %g", hz);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_forest *tree;
    eri_shifted *shifted;
    eri_condensed *condensed;
    eri_loop_pencil *pencil = NULL;
    double sigma[ERI_LANE_COUNT], growth[ERI_LANE_COUNT];
    int below[ERI_LANE_COUNT], best = 0;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_forest_create(scratch, model, &tree));
    ERI_TRY(eri_shifted_create(scratch, tree, &shifted));
    eri_shifted_prepare(shifted, tree);
    for (int k = 0; k < ERI_LANE_COUNT; ++k) // a hair's breadth from each other, of which the least magnified counts
        sigma[k] = eri_modal_eigenvalue(hz) * (1.0 + 1e-13 * k);
    eri_shifted_factor(shifted, tree, sigma, below, growth);
    if (tree->loop_count > 0) {
        ERI_TRY(eri_condensed_create(scratch, tree, &condensed));
        ERI_TRY(eri_condensed_factor(condensed, tree, context));
        ERI_TRY(eri_loop_pencil_create(scratch, scratch, tree, er_default_modal_def().rank_tol, &pencil));
        ERI_TRY(eri_loop_pencil_prepare(pencil, tree, condensed));
        eri_loop_pencil_factor(pencil, tree, shifted, below, growth);
    }
    for (int k = 1; k < ERI_LANE_COUNT; ++k)
        if (growth[k] < growth[best]) best = k;
    *count = below[best];
done:
    eri_loop_pencil_destroy(pencil);
    eri_arena_destroy(scratch);
    return r;
}

const er_mode *er_modes_find(const er_modes *modes, int index)
{
    bool held = modes != NULL && index >= modes->first && index - modes->first < modes->count;
    return held ? &modes->mode[index - modes->first] : NULL;
}

int er_modes_index(const er_modes *modes, const er_mode *mode)
{
    return modes->first + (int)(mode - modes->mode);
}

void er_modes_destroy(er_modes *modes)
{
    if (modes != NULL) eri_arena_destroy(modes->arena);
}

void er_mode_joint_shares(const er_model *model, const er_mode *mode, double *share)
{
    double whole = 0.0;
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        share[k] = 0.0;
        for (int i = 0; i < count; ++i) {
            double q = mode->joint[model->coordinate[k] + i];
            double weight = mode->kind == ER_MODE_ELASTIC ? model->joint[k].stiffness[i]
                            : axis[i] < 3                 ? 1.0
                                                          : 1.0 / (model->size * model->size);
            share[k] += weight * q * q;
        }
        whole += share[k];
    }
    for (int k = 0; k < model->joint_count && whole > 0.0; ++k)
        share[k] /= whole;
}

void er_mode_joint_travel(const er_model *model, const er_mode *mode, double *travel)
{
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        double turn = 0.0, shift = 0.0;
        for (int i = 0; i < count; ++i)
            if (axis[i] < 3)
                turn = hypot(turn, mode->joint[model->coordinate[k] + i]);
            else
                shift = hypot(shift, mode->joint[model->coordinate[k] + i]);
        travel[k] = count > 0 && axis[0] < 3 ? turn : shift / model->size;
    }
}
