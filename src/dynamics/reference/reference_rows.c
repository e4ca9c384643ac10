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

void eri_reference_add_part(eri_reference_row *a, int limb, er_vec3 torque, er_vec3 force)
{
    int e = 0;
    if (limb < 0) return;
    while (e < a->end_count && a->limb[e] != limb)
        ++e;
    if (e == a->end_count) a->limb[a->end_count++] = limb;
    put(er_v3_add(get(a->J[e]), torque), a->J[e]);
    put(er_v3_add(get(a->J[e] + 3), force), a->J[e] + 3);
}

double eri_reference_rate(const eri_reference_row *a, const double *V)
{
    double rate = 0.0;
    for (int e = 0; e < a->end_count; ++e)
        rate += inner(a->J[e], V + 6 * a->limb[e]);
    return rate;
}

double eri_reference_speed(const eri_reference_row *a, const double *V)
{
    return eri_reference_rate(a, V) + a->bias + a->compliance * a->x;
}

double eri_reference_speed_bound(const eri_reference_row *a, const double *V)
{
    double sum = fabs(a->bias);
    for (int e = 0; e < a->end_count; ++e)
        for (int c = 0; c < 6; ++c)
            sum += fabs(a->J[e][c] * V[6 * a->limb[e] + c]);
    return sum;
}

void eri_reference_apply_alone(const eri_reference_row *a, double impulse, double *V)
{
    for (int e = 0; e < a->end_count; ++e)
        for (int c = 0; c < 6; ++c)
            V[6 * a->limb[e] + c] += impulse * a->Y[e][c];
}

void eri_reference_apply(const eri_reference_row *a, double impulse, double *V)
{
    for (int e = 0; e < a->span_count; ++e) {
        const eri_reference_span *span = &a->response[e];
        for (int c = 0; c < 6 * span->count; ++c)
            V[6 * span->limb + c] += impulse * span->twist[c];
    }
}

void eri_reference_add_impulse(const eri_reference_row *a, double impulse, const eri_joint_response *g, double *out)
{
    for (int e = 0; e < a->end_count; ++e) {
        int at = a->limb[e] - g->first_limb;
        for (int c = 0; c < 6 && at >= 0 && a->limb[e] < g->last_limb; ++c)
            out[6 * at + c] += impulse * a->J[e][c];
    }
}

double eri_reference_response(const eri_reference_row *a, const eri_reference_row *b)
{
    double sum = 0.0;
    for (int k = 0; k < b->span_count; ++k) {
        const eri_reference_span *span = &b->response[k];
        for (int e = 0; e < a->end_count; ++e) {
            int at = a->limb[e] - span->limb;
            if (at >= 0 && at < span->count) sum += inner(a->J[e], span->twist + 6 * at);
        }
    }
    return sum;
}

double eri_reference_coupling(const eri_reference_row *a, const eri_reference_row *b)
{
    double sum = 0.0;
    for (int e = 0; e < a->end_count; ++e)
        for (int k = 0; k < b->end_count; ++k)
            if (a->limb[e] == b->limb[k]) sum += inner(a->J[e], b->Y[k]);
    return sum;
}

double eri_reference_set_masses(er_world *w, eri_reference_row *a, double cfm)
{
    const eri_reference_solver *s = w->contacts->reference;
    for (int e = 0; e < a->end_count; ++e) {
        double mass = w->model->body[w->tree->link[a->limb[e]].body].mass;
        put(er_m3_mul_v(er_m3_inverse(s->inertia[a->limb[e]]), get(a->J[e])), a->Y[e]);
        put(er_v3_scale(1.0 / mass, get(a->J[e] + 3)), a->Y[e] + 3);
    }
    double own = eri_reference_coupling(a, a);
    a->compliance += cfm * own;
    return own;
}

// Whether a row has a span of the bodies that an articulation's joints connect.
static bool has_span(const eri_reference_row *a, const eri_joint_response *g)
{
    for (int k = 0; k < a->span_count; ++k)
        if (a->response[k].limb == g->first_limb) return true;
    return false;
}

// The twists by a unit impulse along a row, with joints holding.
static er_result find_response(er_world *w, eri_reference_row *a)
{
    er_result r = ER_OK;
    eri_reference_solver *s = w->contacts->reference;
    for (int e = 0; e < a->end_count; ++e) {
        int at = w->contacts->bodies.index_of[w->tree->link[a->limb[e]].body].articulation;
        eri_reference_span *span = &a->response[a->span_count];
        if (at >= 0 && has_span(a, &s->response[at])) continue;
        ++a->span_count;
        *span = (eri_reference_span){a->limb[e], 1, a->Y[e]};
        if (at < 0) continue;
        const eri_joint_response *g = &s->response[at];
        *span = (eri_reference_span){g->first_limb, g->last_limb - g->first_limb, NULL};
        ERI_TRY_NEW(span->twist, w->contacts->narrow.now.arena, double, 6 * (size_t)span->count);
        memset(s->impulse, 0, 6 * (size_t)span->count * sizeof *s->impulse);
        eri_reference_add_impulse(a, 1.0, g, s->impulse);
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
