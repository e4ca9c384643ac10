// A rig whose numbers change under its modes. The solver works on a model of its own that shares all but them.
#include <string.h>

#include "modal/canonical.h"
#include "modal/damping.h"
#include "modal/reduced.h"
#include "model/check.h"

struct er_modal_solver {
    er_context *context;
    er_arena *arena;
    er_arena *damping; // work space of dampers that couple modes, emptied for each solve
    er_arena *damped;  // and what they give
    er_arena *work;    // of what is reduced
    er_model model;
    er_body *body;
    er_joint *joint;
    double *stiffness;    // [coordinate_count]
    er_modal_def def;     // as asked for
    er_modal_def route;   // the solver's own way
    bool whole;           // that route takes no rig like this one: every solve is er_modal_solve()'s
    eri_reduced *reduced; // NULL: `whole`, or the last model set could not be had
    er_modes modes;
    er_modes *other;       // those of another route, where its own are not accurate enough
    const er_modes *last;  // of the last solve: `modes` or `other`; NULL: none, or it failed
    er_arena *before;      // of er_modal_solver_follow(): what follows
    er_modes before_modes; // the shapes and frequencies of the solve before
    er_mode_match *match;  // [before_modes.count]
};

static er_result copy_model(er_modal_solver *s, const er_model *model)
{
    er_result r = ER_OK;
    s->model = *model;
    ERI_TRY_NEW(s->body, s->arena, er_body, model->body_count);
    ERI_TRY_NEW(s->joint, s->arena, er_joint, model->joint_count);
    ERI_TRY_NEW(s->stiffness, s->arena, double, model->coordinate_count);
    memcpy(s->body, model->body, (size_t)model->body_count * sizeof *s->body);
    if (model->joint_count > 0) memcpy(s->joint, model->joint, (size_t)model->joint_count * sizeof *s->joint);
    s->model.body = s->body;
    s->model.joint = s->joint;
done:
    return r;
}

static void drop_reduced(er_modal_solver *s)
{
    eri_reduced_destroy(s->reduced);
    eri_arena_destroy(s->work);
    s->reduced = NULL;
    s->work = NULL;
}

// Method auto goes by whole solves where loops are too many for its route.
static er_result reduce(er_modal_solver *s)
{
    eri_reduced *made = NULL;
    er_result r = eri_arena_create(s->context, &s->work);
    if (r == ER_OK) r = eri_reduced_create(s->work, s->work, &s->model, &s->route, &made);
    s->reduced = made;
    s->whole = r == ER_ERROR_RIG && s->def.method == ER_MODAL_AUTO && s->model.loop_count > 0;
    if (r == ER_OK)
        made->again = true;
    else
        drop_reduced(s);
    if (s->whole) return ER_OK;
    return r;
}

er_result er_modal_solver_create(er_context *context, const er_model *model, const er_modal_def *def,
                                 er_modal_solver **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_modal_solver *s = NULL;
    er_modal_def d = def != NULL ? *def : er_default_modal_def(), asked = d;
    bool loops = model != NULL && model->loop_count > 0;
    if (loops && d.method == ER_MODAL_AUTO) d.method = ER_MODAL_SPARSE;
    ERI_TRY(eri_modal_check(context, model, &d));
    if (d.method == ER_MODAL_QR || d.method == ER_MODAL_SVD)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_modal_solver solves by tree or sparse, not by %s",
                       er_modal_method_name(d.method));
    if (loops && d.method != ER_MODAL_SPARSE)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_modal_solver solves rigs with loops by sparse, not by %s",
                       er_modal_method_name(d.method));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(s, arena, er_modal_solver, 1);
    s->context = context;
    s->arena = arena;
    s->def = asked;
    ERI_TRY(eri_arena_create(context, &s->damping));
    ERI_TRY(eri_arena_create(context, &s->damped));
    ERI_TRY(eri_arena_create(context, &s->before));
    ERI_TRY(copy_model(s, model));
    s->route = d;
    s->route.whole = true; // edits need not be symmetric
    ERI_TRY(reduce(s));
    *out = s;
    s = NULL;
    arena = NULL;
done:
    if (s != NULL)
        er_modal_solver_destroy(s);
    else
        eri_arena_destroy(arena);
    return r;
}

static bool is_empty(const er_modal_solver *s)
{
    return s->reduced == NULL && !s->whole;
}

static er_result fail_empty(const er_modal_solver *s)
{
    return er_fail(s->context, ER_ERROR_ARGUMENT, "the solver has no model, since the last could not be set");
}

er_result er_modal_solver_set_stiffness(er_modal_solver *s, const double *stiffness)
{
    if (s == NULL) return ER_ERROR_ARGUMENT;
    if (stiffness == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "no stiffnesses were given");
    if (is_empty(s)) return fail_empty(s);
    const int *at = s->model.coordinate;
    for (int k = 0; k < s->model.joint_count; ++k) {
        er_joint joint = s->joint[k];
        memcpy(joint.stiffness, stiffness + at[k], (size_t)(at[k + 1] - at[k]) * sizeof(double));
        er_result r = eri_model_check_joint(s->context, k, &joint, s->model.body_count);
        if (r != ER_OK) return r;
    }
    for (int k = 0; k < s->model.joint_count; ++k)
        memcpy(s->joint[k].stiffness, stiffness + at[k], (size_t)(at[k + 1] - at[k]) * sizeof(double));
    if (s->reduced == NULL) return ER_OK;
    eri_forest_set_stiffness(s->reduced->tree, stiffness);
    if (s->reduced->pencil != NULL) eri_loops_set_stiffness(s->reduced->pencil->loops, s->reduced->tree, stiffness);
    return ER_OK;
}

er_result er_modal_solver_set_damping(er_modal_solver *s, const double *damping, double damping_ratio,
                                      double rayleigh_mass, double rayleigh_stiffness)
{
    if (s == NULL) return ER_ERROR_ARGUMENT;
    if (damping == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "no damping was given");
    const int *at = s->model.coordinate;
    er_model_def def = er_default_model_def();
    def.damping_ratio = damping_ratio;
    def.rayleigh_mass = rayleigh_mass;
    def.rayleigh_stiffness = rayleigh_stiffness;
    er_result r = eri_model_check_damping(s->context, &def);
    for (int k = 0; k < s->model.joint_count && r == ER_OK; ++k) {
        er_joint joint = s->joint[k];
        memcpy(joint.damping, damping + at[k], (size_t)(at[k + 1] - at[k]) * sizeof(double));
        r = eri_model_check_joint(s->context, k, &joint, s->model.body_count);
    }
    if (r != ER_OK) return r;
    for (int k = 0; k < s->model.joint_count; ++k)
        memcpy(s->joint[k].damping, damping + at[k], (size_t)(at[k + 1] - at[k]) * sizeof(double));
    s->model.damping_ratio = damping_ratio;
    s->model.rayleigh_mass = rayleigh_mass;
    s->model.rayleigh_stiffness = rayleigh_stiffness;
    return ER_OK;
}

er_result er_modal_solver_set_bodies(er_modal_solver *s, const er_body *body)
{
    if (s == NULL) return ER_ERROR_ARGUMENT;
    if (body == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "no bodies were given");
    if (is_empty(s)) return fail_empty(s);
    for (int i = 0; i < s->model.body_count; ++i) {
        er_result r = eri_model_check_body(s->context, i, &body[i]);
        if (r != ER_OK) return r;
    }
    for (int i = 0; i < s->model.body_count; ++i) {
        s->body[i].mass = body[i].mass;
        s->body[i].com = body[i].com;
        s->body[i].inertia = body[i].inertia;
    }
    if (s->reduced != NULL) eri_forest_set_bodies(s->reduced->tree, s->body);
    return ER_OK;
}

// ---- another model

static bool same_ties(const er_model *a, const er_model *b)
{
    bool same = a->body_count == b->body_count && a->joint_count == b->joint_count &&
                a->coordinate_count == b->coordinate_count;
    for (int k = 0; same && k < a->joint_count; ++k) {
        const er_joint *i = &a->joint[k], *j = &b->joint[k];
        same = i->type == j->type && i->parent == j->parent && i->child == j->child && i->closes_loop == j->closes_loop;
    }
    for (int i = 0; same && i < a->body_count; ++i)
        same = a->tree_joint[i] == b->tree_joint[i];
    return same;
}

static bool same_pose(er_pose a, er_pose b)
{
    return a.p.x == b.p.x && a.p.y == b.p.y && a.p.z == b.p.z && a.q.w == b.q.w && a.q.x == b.q.x && a.q.y == b.q.y &&
           a.q.z == b.q.z;
}

static bool same_places(const er_model *a, const er_model *b)
{
    bool same = a->size == b->size;
    for (int i = 0; same && i < a->body_count; ++i)
        same = same_pose(a->body[i].pose, b->body[i].pose);
    for (int k = 0; same && k < a->joint_count; ++k)
        same = same_pose(a->joint[k].frame, b->joint[k].frame);
    return same;
}

// Names stay the solver's.
static void take_model(er_modal_solver *s, const er_model *model)
{
    for (int i = 0; i < model->body_count; ++i) {
        const char *name = s->body[i].name;
        s->body[i] = model->body[i];
        s->body[i].name = name;
    }
    for (int k = 0; k < model->joint_count; ++k) {
        const char *name = s->joint[k].name;
        s->joint[k] = model->joint[k];
        s->joint[k].name = name;
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            s->stiffness[c] = model->joint[k].stiffness[c - model->coordinate[k]];
    }
    s->model.size = model->size;
    s->model.damping_ratio = model->damping_ratio;
    s->model.rayleigh_mass = model->rayleigh_mass;
    s->model.rayleigh_stiffness = model->rayleigh_stiffness;
}

er_result er_modal_solver_set_model(er_modal_solver *s, const er_model *model)
{
    if (s == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || !same_ties(&s->model, model))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the solver takes models of the same bodies and joints alone");
    bool moved = !same_places(&s->model, model);
    take_model(s, model);
    if (s->whole && !moved) return ER_OK;
    if (s->reduced == NULL || (moved && s->reduced->pencil != NULL)) {
        drop_reduced(s);
        return reduce(s);
    }
    eri_forest *t = s->reduced->tree;
    if (moved)
        eri_forest_set_pose(t, s->body, NULL);
    else
        eri_forest_set_bodies(t, s->body);
    eri_forest_set_stiffness(t, s->stiffness);
    if (s->reduced->pencil != NULL) eri_loops_set_stiffness(s->reduced->pencil->loops, t, s->stiffness);
    eri_reduced_fit(s->reduced);
    return ER_OK;
}

static er_result solve_reduced(er_modal_solver *s)
{
    eri_arena_reset(s->damping);
    eri_arena_reset(s->damped);
    s->modes = (er_modes){.arena = s->damped};
    int threads = eri_modal_limit_threads(&s->model, s->reduced->def.method);
    er_result r = eri_reduced_solve(s->reduced, &s->modes);
    if (r == ER_OK) r = eri_canonical_basis(s->context, s->damping, &s->model, &s->modes, s->reduced->mode);
    if (r == ER_OK) r = eri_modal_damp(s->damping, &s->model, s->reduced->def.rank_tol, &s->modes, s->reduced->mode);
    eri_linalg_set_threads(threads);
    return r;
}

er_result er_modal_solver_solve(er_modal_solver *s, const er_modes **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (s == NULL) return ER_ERROR_ARGUMENT;
    if (is_empty(s)) return fail_empty(s);
    er_modes_destroy(s->other);
    s->other = NULL;
    s->last = NULL;
    er_result r = s->reduced != NULL ? solve_reduced(s) : ER_ERROR_RIG;
    s->last = *out = r == ER_OK ? &s->modes : NULL;
    if (s->def.method != ER_MODAL_AUTO || r == ER_ERROR_MEMORY || (r == ER_OK && eri_modal_is_accurate(&s->modes)))
        return r;
    r = er_modal_solve(s->context, &s->model, &s->def, &s->other);
    s->last = *out = s->other;
    return r;
}

// ---- who went where

// Copies the modes of the last solve, which end with the next.
static er_result keep_last(er_modal_solver *s)
{
    er_result r = ER_OK;
    size_t columns = 6 * (size_t)s->model.body_count;
    er_mode *mode;
    eri_arena_reset(s->before);
    s->before_modes = (er_modes){0};
    if (s->last == NULL) return ER_OK;
    int count = s->last->count;
    ERI_TRY_NEW(mode, s->before, er_mode, count);
    ERI_TRY_NEW(s->match, s->before, er_mode_match, count);
    for (int k = 0; k < count; ++k) {
        double *body;
        mode[k] = s->last->mode[k];
        ERI_TRY_RESERVE(body, s->before, double, columns);
        memcpy(body, mode[k].body, columns * sizeof *body);
        mode[k].body = body;
    }
    s->before_modes = (er_modes){.count = count, .first = s->last->first, .mode = mode};
done:
    return r;
}

er_result er_modal_solver_follow(er_modal_solver *s, const er_modes **out, const er_mode_match **match, int *count)
{
    if (out != NULL) *out = NULL;
    if (match != NULL) *match = NULL;
    if (count != NULL) *count = 0;
    if (s == NULL || out == NULL || match == NULL || count == NULL) return ER_ERROR_ARGUMENT;
    er_result r = keep_last(s);
    if (r == ER_OK) r = er_modal_solver_solve(s, out);
    if (r == ER_OK) r = er_modes_match(s->context, &s->model, &s->before_modes, &s->model, *out, s->match);
    if (r != ER_OK) return r;
    *match = s->match;
    *count = s->before_modes.count;
    return ER_OK;
}

void er_modal_solver_destroy(er_modal_solver *s)
{
    if (s == NULL) return;
    er_modes_destroy(s->other);
    drop_reduced(s);
    eri_arena_destroy(s->damping);
    eri_arena_destroy(s->damped);
    eri_arena_destroy(s->before);
    eri_arena_destroy(s->arena);
}
