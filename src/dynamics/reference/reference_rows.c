/// @file
/// The algebra of rows: speeds, impulses, and responses with joints holding.
#include "dynamics/reference/reference_rows.h"

#include <math.h>
#include <string.h>

static const double immovable = 1e-9; // of a row's own entry: joints hold its bodies

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static double inner(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

double eri_reference_rate(const eri_reference_row *a, const double *V)
{
    double rate = 0.0;
    for (int e = 0; e < 2; ++e)
        if (a->limb[e] >= 0) rate += inner(a->J[e], V + 6 * a->limb[e]);
    return rate;
}

double eri_reference_speed(const eri_reference_row *a, const double *V)
{
    return eri_reference_rate(a, V) + a->bias + a->compliance * a->x;
}

double eri_reference_speed_bound(const eri_reference_row *a, const double *V)
{
    double sum = fabs(a->bias);
    for (int e = 0; e < 2; ++e)
        for (int c = 0; c < 6 && a->limb[e] >= 0; ++c)
            sum += fabs(a->J[e][c] * V[6 * a->limb[e] + c]);
    return sum;
}

void eri_reference_apply_alone(const eri_reference_row *a, double impulse, double *V)
{
    for (int e = 0; e < 2; ++e)
        for (int c = 0; c < 6 && a->limb[e] >= 0; ++c)
            V[6 * a->limb[e] + c] += impulse * a->Y[e][c];
}

void eri_reference_apply(const eri_reference_row *a, double impulse, double *V)
{
    for (int e = 0; e < 2; ++e) {
        const eri_reference_span *span = &a->response[e];
        for (int c = 0; c < 6 * span->count; ++c)
            V[6 * span->limb + c] += impulse * span->twist[c];
    }
}

double eri_reference_response(const eri_reference_row *a, const eri_reference_row *b)
{
    double sum = 0.0;
    for (int e = 0; e < 4; ++e) {
        const eri_reference_span *span = &b->response[e >> 1];
        int at = a->limb[e & 1] - span->limb;
        if (a->limb[e & 1] >= 0 && at >= 0 && at < span->count) sum += inner(a->J[e & 1], span->twist + 6 * at);
    }
    return sum;
}

double eri_reference_coupling(const eri_reference_row *a, const eri_reference_row *b)
{
    double sum = 0.0;
    for (int e = 0; e < 4; ++e)
        if (a->limb[e & 1] >= 0 && a->limb[e & 1] == b->limb[e >> 1]) sum += inner(a->J[e & 1], b->Y[e >> 1]);
    return sum;
}

double eri_reference_set_masses(er_world *w, eri_reference_row *a, double cfm)
{
    const eri_reference_solver *s = w->contacts->reference;
    for (int e = 0; e < 2; ++e) {
        if (a->limb[e] < 0) continue;
        double mass = w->model->body[w->tree->link[a->limb[e]].body].mass;
        put(er_m3_mul_v(er_m3_inverse(s->inertia[a->limb[e]]), get(a->J[e])), a->Y[e]);
        put(er_v3_scale(1.0 / mass, get(a->J[e] + 3)), a->Y[e] + 3);
    }
    double own = eri_reference_coupling(a, a);
    a->compliance += cfm * own;
    return own;
}

// The twists by a unit impulse along a row, with joints holding.
static er_result find_response(er_world *w, eri_reference_row *a)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    for (int e = 0; e < 2; ++e) {
        if (a->limb[e] < 0) continue;
        int at = w->contacts->bodies.index_of[w->tree->link[a->limb[e]].body].articulation;
        eri_reference_span *span = &a->response[e];
        if (at < 0) *span = (eri_reference_span){a->limb[e], 1, a->Y[e]};
        if (at < 0) continue;
        const eri_joint_response *g = &s->response[at];
        if (e == 1 && a->limb[0] >= g->first_limb && a->limb[0] < g->last_limb) continue; // the first span has both
        *span = (eri_reference_span){g->first_limb, g->last_limb - g->first_limb, NULL};
        ERI_TRY_NEW(span->twist, w->contacts->narrow.now.arena, double, 6 * (size_t)span->count);
        memset(s->impulse, 0, 6 * (size_t)span->count * sizeof *s->impulse);
        for (int k = e; k < 2; ++k)
            for (int c = 0; c < 6 && a->limb[k] >= g->first_limb && a->limb[k] < g->last_limb; ++c)
                s->impulse[6 * (a->limb[k] - g->first_limb) + c] += a->J[k][c];
        eri_joint_response_solve(w, g, s->impulse, NULL, span->twist);
    }
done:
    return r;
}

er_result eri_reference_finish_row(er_world *w, eri_reference_row *a)
{
    er_result r = ER_OK;
    double own = eri_reference_set_masses(w, a, w->def.reference.cfm);
    a->x = a->stored != NULL ? *a->stored : 0.0;
    ERI_TRY(find_response(w, a));
    double response = eri_reference_response(a, a);
    a->diagonal = (response > immovable * own ? response : 0.0) + a->compliance;
done:
    return r;
}
