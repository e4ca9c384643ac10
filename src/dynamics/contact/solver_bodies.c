/// @file
/// Divides a model into the bodies that contacts move: solver bodies and articulations (contact_solver.h).
#include <math.h>

#include "dynamics/contact/contact_solver.h"

static const double inertia_tol = 1e-12; // of an inertia: the same about all axes

// ---- Articulations

static bool is_floating(const eri_multibody *t, int first, int last)
{
    for (int i = first + 1; i < last; ++i)
        if (t->tree.link[i].parent < 0) return false;
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb;
        if ((a < 0 && b >= first && b < last) || (b < 0 && a >= first && a < last)) return false;
    }
    return t->tree.link[first].joint < 0;
}

static bool has_springs(const er_world *w, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint < 0 || !w->laws->acts[l->joint]) continue;
        for (int c = 0; c < w->multibody->limb[i].freedom; ++c)
            if (w->laws->law[l->coordinate + c].stiff > 0.0 && !w->laws->law[l->coordinate + c].conserves) return true;
    }
    return false;
}

static void list_articulations(const er_world *w, eri_solver_bodies *s)
{
    const eri_multibody *t = w->multibody;
    s->limbs_offset = s->width;
    for (int k = 0; k < t->group_count; ++k) {
        const eri_group *group = &t->group[k];
        int first = group->first_limb, last = group->last_limb;
        int begin = t->limb[first].u, end = last < t->tree.link_count ? t->limb[last].u : t->velocity_count;
        s->articulation[s->articulation_count] = (eri_articulation){.first_limb = first,
                                                                    .last_limb = last,
                                                                    .offset = s->width,
                                                                    .first_velocity = begin,
                                                                    .velocity_count = end - begin,
                                                                    .is_floating = is_floating(t, first, last),
                                                                    .has_springs = has_springs(w, first, last),
                                                                    .is_looped = group->last_loop > group->first_loop};
        s->width += ERI_LANE_COUNT * (last - first);
        for (int i = first; i < last; ++i)
            s->index_of[t->tree.link[i].body] = (eri_solver_index){-1, s->articulation_count};
        ++s->articulation_count;
    }
}

// ---- Solver bodies

// The least edge of the box with a body's mass and inertia: its moment about that edge is the largest.
static double least_edge(const er_body *body)
{
    const er_mat3 *J = &body->inertia;
    double mean = (J->m[0][0] + J->m[1][1] + J->m[2][2]) / 3.0, square = 0.0;
    er_mat3 D = *J;
    for (int i = 0; i < 3; ++i)
        D.m[i][i] -= mean;
    for (int i = 0; i < 9; ++i)
        square += D.m[i / 3][i % 3] * D.m[i / 3][i % 3] / 6.0;
    double size = sqrt(square), turn = size > 0.0 ? 0.5 * er_m3_det(D) / (size * square) : 0.0;
    double largest = mean + 2.0 * size * cos(acos(fmin(fmax(turn, -1.0), 1.0)) / 3.0);
    return sqrt(fmax(6.0 * (3.0 * mean - 2.0 * largest) / body->mass, 0.0));
}

static void list_bodies(const er_world *w, eri_solver_bodies *s)
{
    const eri_multibody *t = w->multibody;
    s->model_body[s->count++] = -1;
    for (int b = 0; b < w->model->body_count; ++b)
        if (t->tree.link_of_body[b] < 0) s->model_body[s->count++] = b;
    s->static_count = s->count;
    for (int i = t->jointed_count; i < t->tree.link_count; ++i)
        s->model_body[s->count++] = t->tree.link[i].body;
    for (int i = 1; i < s->count; ++i) {
        const er_body *b = &w->model->body[s->model_body[i]];
        const er_mat3 *J = &b->inertia;
        double x = J->m[0][0], most = fmax(fabs(J->m[0][1]), fmax(fabs(J->m[0][2]), fabs(J->m[1][2])));
        s->body[i].is_round = fmax(most, fmax(fabs(J->m[1][1] - x), fabs(J->m[2][2] - x))) <= inertia_tol * x;
        s->body[i].size = least_edge(b);
        s->body[i].inverse_mass = i < s->static_count ? 0.0 : 1.0 / b->mass;
        s->index_of[s->model_body[i]] = (eri_solver_index){i, -1};
    }
    for (int i = 0; i < s->static_count; ++i)
        s->body[i].is_round = true;
    s->width = ERI_LANE_COUNT * s->count;
}

// ---- Shapes

static bool is_ball(const er_world *w, const eri_solver_bodies *s, const er_world_shape *a)
{
    if (a->body < 0) return true;
    if (a->shape.kind != ER_SHAPE_SPHERE || s->index_of[a->body].articulation >= 0 || eri_is_static(s, a->body))
        return false;
    double off = er_v3_distance(a->pose.p, w->model->body[a->body].com);
    return s->body[s->index_of[a->body].body].is_round && off <= inertia_tol * a->shape.radius;
}

static er_result list_shapes(er_world *w, const eri_broad_phase *broad, eri_solver_bodies *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->is_ball, w->arena, bool, broad->shape_count);
    ERI_TRY_NEW(s->slot, w->arena, int, broad->shape_count);
    ERI_TRY_NEW(s->limb, w->arena, int, broad->shape_count);
    for (int i = 0; i < broad->shape_count; ++i) {
        int body = broad->shape[i].body;
        eri_solver_index at = body >= 0 ? s->index_of[body] : (eri_solver_index){0, -1};
        s->slot[i] = at.articulation >= 0 ? s->articulation[at.articulation].offset / ERI_LANE_COUNT : at.body;
        s->limb[i] = at.articulation >= 0 ? w->tree->link_of_body[body] : -1;
        s->is_ball[i] = is_ball(w, s, &broad->shape[i]);
    }
done:
    return r;
}

er_result eri_solver_bodies_create(er_world *w, const eri_broad_phase *broad, eri_solver_bodies *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->body, w->arena, eri_solver_body, w->model->body_count + 1);
    ERI_TRY_NEW(s->model_body, w->arena, int, w->model->body_count + 1);
    ERI_TRY_NEW(s->articulation, w->arena, eri_articulation, w->multibody->jointed_count);
    ERI_TRY_NEW(s->index_of, w->arena, eri_solver_index, w->model->body_count);
    list_bodies(w, s);
    list_articulations(w, s);
    ERI_TRY(list_shapes(w, broad, s));
done:
    return r;
}
