/// @file
/// Trees by the sparse factors of route multipliers, loops by a Schur complement.
#include "dynamics/reference/joint_response.h"

#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

// A row follows from the others if they leave less than this of its change by a unit impulse on free bodies.
static const double rank_tol = 1e-9;

static double row_rate(const eri_joint_response *s, const eri_joint_row *a, const double *twist)
{
    double sum = 0.0;
    for (int e = 0; e < 2; ++e)
        for (int c = 0; c < 6 && a->limb[e] >= 0; ++c)
            sum += a->J[e][c] * twist[6 * (a->limb[e] - s->first_limb) + c];
    return sum;
}

// The change of a row's rate by a unit impulse along it, its bodies free. It is never 0, even if joints hold the row.
static double free_response(const er_world *w, const eri_joint_row *a)
{
    double sum = 0.0;
    for (int e = 0; e < 2; ++e) {
        if (a->limb[e] < 0) continue;
        int b = w->tree->link[a->limb[e]].body;
        const double *J = a->J[e];
        er_vec3 force = er_v3(J[3], J[4], J[5]);
        er_vec3 torque = er_m3_mul_v(er_m3_transpose(w->motion[b].axes), er_v3(J[0], J[1], J[2]));
        sum += er_v3_dot(torque, er_m3_mul_v(er_m3_inverse(w->model->body[b].inertia), torque));
        sum += er_v3_dot(force, force) / w->model->body[b].mass;
    }
    return sum;
}

static bool is_within(const eri_joint_response *s, const eri_closure *l)
{
    int limb = l->parent.limb >= 0 ? l->parent.limb : l->child.limb;
    return limb >= s->first_limb && limb < s->last_limb;
}

static er_result list_loop_rows(er_world *w, er_arena *arena, eri_joint_response *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->loop_row, arena, eri_loop_row, 6 * (size_t)w->multibody->loop_count);
    for (int l = 0; l < w->multibody->loop_count; ++l) {
        int joint = w->multibody->loop[l].joint;
        eri_joint_row rows[6];
        if (!is_within(s, &w->multibody->loop[l])) continue;
        int count = eri_maximal_rows(w, joint, rows);
        for (int k = 0; k < count; ++k)
            s->loop_row[s->loop_row_count++] = (eri_loop_row){.row = rows[k], .at = 6 * joint + k};
    }
    ERI_TRY_NEW(s->force, arena, double, s->loop_row_count);
done:
    return r;
}

static er_result factor_loops(er_world *w, er_arena *arena, const double *compliance, eri_joint_response *s)
{
    er_result r = ER_OK;
    size_t width = 6 * (size_t)(s->last_limb - s->first_limb);
    int n = s->loop_row_count;
    double *impulse;
    ERI_TRY_NEW(impulse, arena, double, width);
    ERI_TRY(eri_semidefinite_create(arena, n, &s->S));
    s->S.count = n;
    for (int k = 0; k < n; ++k) {
        eri_loop_row *a = &s->loop_row[k];
        ERI_TRY_NEW(a->twist, arena, double, width);
        memset(impulse, 0, width * sizeof *impulse);
        for (int e = 0; e < 2; ++e)
            for (int c = 0; c < 6 && a->row.limb[e] >= 0; ++c)
                impulse[6 * (a->row.limb[e] - s->first_limb) + c] += a->row.J[e][c];
        eri_maximal_respond(w, s->first_limb, s->last_limb, impulse, NULL, a->twist);
        a->scale = 1.0 / sqrt(free_response(w, &a->row) + compliance[a->at]);
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const eri_loop_row *a = &s->loop_row[i], *b = &s->loop_row[j];
            double entry = 0.5 * (row_rate(s, &a->row, b->twist) + row_rate(s, &b->row, a->twist));
            s->S.S[(size_t)i * (size_t)n + (size_t)j] =
                a->scale * b->scale * (entry + (i == j ? compliance[a->at] : 0.0));
        }
    eri_semidefinite_factor(&s->S, rank_tol);
done:
    return r;
}

er_result eri_joint_response_factor(er_world *w, er_arena *arena, const double *compliance, eri_joint_response *out)
{
    er_result r = ER_OK;
    const eri_solver_bodies *bodies = &w->contacts->bodies;
    eri_maximal_factor(w, compliance);
    for (int i = 0; i < bodies->articulation_count; ++i) {
        const eri_articulation *g = &bodies->articulation[i];
        out[i] = (eri_joint_response){.first_limb = g->first_limb, .last_limb = g->last_limb};
        if (!g->is_looped) continue;
        ERI_TRY(list_loop_rows(w, arena, &out[i]));
        ERI_TRY(factor_loops(w, arena, compliance, &out[i]));
    }
done:
    return r;
}

void eri_joint_response_solve(er_world *w, const eri_joint_response *s, const double *impulse, const double *b,
                              double *twist)
{
    int width = 6 * (s->last_limb - s->first_limb);
    eri_maximal_respond(w, s->first_limb, s->last_limb, impulse, b, twist);
    if (s->loop_row_count == 0) return;
    for (int k = 0; k < s->loop_row_count; ++k) {
        const eri_loop_row *a = &s->loop_row[k];
        s->force[k] = a->scale * ((b != NULL ? b[a->at] : 0.0) - row_rate(s, &a->row, twist));
    }
    eri_semidefinite_solve(&s->S, s->force);
    for (int k = 0; k < s->loop_row_count; ++k)
        for (int c = 0; c < width; ++c)
            twist[c] += s->force[k] * s->loop_row[k].scale * s->loop_row[k].twist[c];
}
