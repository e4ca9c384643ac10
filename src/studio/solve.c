// Modes of a model whose numbers and places change under a slider or a gizmo: two solvers take turns, so that the modes
// in place stay.
#include <stdlib.h>
#include <string.h>

#include "studio/inside.h"

enum { SMALL_RIG = 100, FEW_MODES = 64 }; // bodies; of a larger one nobody looks at all modes

static const double lost_digits = 1e-9; // of right angles and constraints; beyond, er_modal_solve() asks other routes

static er_modal_def modal_def(const er_model *model)
{
    er_modal_def def = er_default_modal_def();
    def.mode_count = model->body_count > SMALL_RIG ? FEW_MODES : 0;
    return def;
}

static bool same_structure(const er_model *a, const er_model *b)
{
    bool same = a->body_count == b->body_count && a->joint_count == b->joint_count;
    for (int k = 0; same && k < a->joint_count; ++k) {
        const er_joint *i = &a->joint[k], *j = &b->joint[k];
        same = i->type == j->type && i->parent == j->parent && i->child == j->child && i->closes_loop == j->closes_loop;
    }
    return same;
}

static er_result solvers_create(er_context *context, const er_model *model, solvers **out)
{
    er_rig_change none = er_default_rig_change();
    solvers *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) return studio_no_memory(context);
    er_result r = er_rig_change_model(context, model, &none, &s->model);
    if (r != ER_OK) {
        free(s);
        return r;
    }
    *out = s;
    return ER_OK;
}

void studio_solvers_destroy(solvers *s)
{
    if (s == NULL) return;
    er_modal_solver_destroy(s->solver[0]);
    er_modal_solver_destroy(s->solver[1]);
    er_model_destroy(s->model);
    free(s);
}

static er_result solve_live(er_context *context, solvers *s, int which, const er_model *model, const er_modes **out)
{
    er_modal_def def = modal_def(model);
    er_result r = ER_OK;
    *out = NULL;
    if (s->solver[which] == NULL) r = er_modal_solver_create(context, s->model, &def, &s->solver[which]);
    if (r == ER_OK) r = er_modal_solver_set_model(s->solver[which], model);
    if (r == ER_OK) r = er_modal_solver_solve(s->solver[which], out);
    return r;
}

static bool is_exact(const er_modes *modes)
{
    return modes->residuals.gram < lost_digits && modes->residuals.constraint < lost_digits;
}

er_result studio_solve(studio *s, layers *next)
{
    const er_model *model = next->tuned->model;
    er_result r = ER_OK;
    int which = 1 - s->in.solution.which;
    if (next->solvers == NULL || !same_structure(next->solvers->model, model)) {
        which = 0;
        next->solvers = NULL;
        r = solvers_create(s->context, model, &next->solvers);
        if (r != ER_OK) return r;
    }
    next->solution = (solution){.which = which};
    r = solve_live(s->context, next->solvers, which, model, &next->solution.modes);
    if (r == ER_ERROR_MEMORY || (r == ER_OK && is_exact(next->solution.modes))) return r;
    // what a solver refuses, or is not sharp enough for
    er_modal_def def = modal_def(model);
    r = er_modal_solve(s->context, model, &def, &next->solution.own);
    next->solution.modes = next->solution.own;
    return r;
}
