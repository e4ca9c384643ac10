// Solves for modes while numbers and positions of the model change. Two solvers take turns, so that the present modes
// stay valid until the next ones are ready.
#include <stdlib.h>
#include <string.h>

#include "app/project/project_modes.h"
#include "app/session/session_inside.h"

static bool same_structure(const er_model *a, const er_model *b)
{
    bool same = a->body_count == b->body_count && a->joint_count == b->joint_count;
    for (int k = 0; same && k < a->joint_count; ++k) {
        const er_joint *i = &a->joint[k], *j = &b->joint[k];
        same = i->type == j->type && i->pitch == j->pitch && i->parent == j->parent && i->child == j->child &&
               i->closes_loop == j->closes_loop;
    }
    return same;
}

static er_result solvers_create(er_context *context, const er_model *model, solvers **out)
{
    er_rig_change none = er_default_rig_change();
    solvers *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL) return eri_no_memory(context);
    er_result r = er_rig_change_model(context, model, &none, &s->model);
    if (r != ER_OK) {
        free(s);
        return r;
    }
    *out = s;
    return ER_OK;
}

void session_solvers_destroy(solvers *s)
{
    if (s == NULL) return;
    er_modal_solver_destroy(s->solver[0]);
    er_modal_solver_destroy(s->solver[1]);
    er_model_destroy(s->model);
    free(s);
}

static er_result solve_live(er_context *context, solvers *s, int which, const er_model *model, const er_modes **out)
{
    er_modal_solver **solver = &s->solver[which];
    er_result r = ER_OK;
    *out = NULL;
    if (*solver == NULL) {
        s->def[which] = er_default_modal_def();
        project_count_modes(model, project_usual_modes(model), &s->def[which]);
        r = er_modal_solver_create(context, s->model, &s->def[which], solver);
    }
    if (r == ER_OK) r = er_modal_solver_set_model(*solver, model);
    if (r == ER_OK) r = er_modal_solver_solve(*solver, out);
    return r;
}

// Solves with another solver if the number of modes of eigenvalue 0 has changed.
static er_result solve_elastic(er_context *context, solvers *s, int which, const er_model *model, const er_modes **out)
{
    er_modal_solver **solver = &s->solver[which];
    er_result r = solve_live(context, s, which, model, out);
    if (r != ER_OK || !project_recount_modes(*out, project_usual_modes(model), &s->def[which])) return r;
    er_modal_solver_destroy(*solver);
    *solver = NULL;
    r = er_modal_solver_create(context, s->model, &s->def[which], solver);
    return r == ER_OK ? solve_live(context, s, which, model, out) : r;
}

er_result session_solve(session *s, layers *next)
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
    return solve_elastic(s->context, next->solvers, which, model, &next->solution.modes);
}
