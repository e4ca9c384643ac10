// A basis of modes of equal frequency that depends on the rig alone (docs/math/identity.md, 2).
#include "modal/canonical.h"

#include <math.h>
#include <stddef.h>

#include "modal/mode_shape.h"
#include "modal/planes.h"

enum { MOST_MODES = 32 }; // of one frequency; more stay as the route found them

static const double tied = 1e-6; // relative: entries that symmetry makes equal, with rounding

typedef struct basis {
    const er_model *model;
    eri_planes planes;
    double *unit;    // [coordinate_count]
    int entry_count; // of a mode: 6 along the axes, a body, for each combination of signs
    double *entry[MOST_MODES];
} basis;

// --- entries: motions of bodies, summed over their images with each combination of signs

// Weighted by mass, so that an entry's square is an energy.
static void motion_of(const basis *s, const er_mode *mode, int body, double out[6])
{
    const er_body *b = &s->model->body[body];
    const double *v = mode->body + 6 * (ptrdiff_t)body;
    er_vec3 turn = er_v3(v[0], v[1], v[2]), shift = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(turn, b->com));
    double inertia = sqrt((b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2]) / 3.0), mass = sqrt(b->mass);
    turn = eri_along_planes(&s->planes, er_q_rotate(b->pose.q, turn));
    shift = eri_along_planes(&s->planes, er_q_rotate(b->pose.q, shift));
    for (int a = 0; a < 3; ++a) {
        out[a] = mass * eri_component(shift, a);
        out[3 + a] = inertia * eri_component(turn, a);
    }
}

// A mirror turns round a shift across its plane, and a turn along it.
static double mirror_sign(int plane, int k)
{
    bool across = k % 3 == plane;
    return across == (k < 3) ? -1.0 : 1.0;
}

static void list_entries(const basis *s, const er_mode *mode, double *raw, double *entry)
{
    int n = s->model->body_count, combinations = 1 << s->planes.count;
    for (int b = 0; b < n; ++b)
        motion_of(s, mode, b, raw + 6 * (ptrdiff_t)b);
    for (int b = 0; b < n; ++b)
        for (int signs = 0; signs < combinations; ++signs)
            for (int k = 0; k < 6; ++k) {
                double sum = 0.0;
                int itself = 0;
                for (int images = 0; images < combinations; ++images) {
                    int at = b;
                    double sign = 1.0;
                    for (int p = 0; p < s->planes.count; ++p) {
                        if ((images >> p & 1) == 0) continue;
                        at = s->planes.image[p][at];
                        sign *= mirror_sign(s->planes.plane[p], k) * ((signs >> p & 1) != 0 ? -1.0 : 1.0);
                    }
                    sum += sign * raw[6 * (ptrdiff_t)at + k];
                    itself += at == b;
                }
                entry[((ptrdiff_t)b * combinations + signs) * 6 + k] = sum / sqrt(itself);
            }
}

// Whether a body comes first by its place: farther along the first axis on which two differ.
static bool is_first(const basis *s, int body, int other)
{
    for (int a = 0; a < 3; ++a) {
        double apart = eri_component(s->planes.middle[body], a) - eri_component(s->planes.middle[other], a);
        if (fabs(apart) > eri_same_place * s->model->size) return apart > 0.0;
    }
    return false;
}

static double square_of(const basis *s, int first, int end, int at)
{
    double sum = 0.0;
    for (int j = first; j < end; ++j)
        sum += s->entry[j][at] * s->entry[j][at];
    return sum;
}

// The largest entry over the modes left; of those that symmetry makes equal the first by signs, axis and place.
static int find_pivot(const basis *s, int first, int end)
{
    int block = 6 * (1 << s->planes.count), best = -1;
    double most = 0.0;
    for (int i = 0; i < s->entry_count; ++i)
        most = fmax(most, square_of(s, first, end, i));
    for (int k = 0; k < block && best < 0; ++k)
        for (int i = k; i < s->entry_count; i += block)
            if (square_of(s, first, end, i) >= most * (1.0 - tied) &&
                (best < 0 || is_first(s, i / block, best / block)))
                best = i;
    return best;
}

static void reflect(double *const *column, int count, const double *w, ptrdiff_t length)
{
    for (ptrdiff_t i = 0; i < length; ++i) {
        double sum = 0.0;
        for (int j = 0; j < count; ++j)
            sum += w[j] * column[j][i];
        for (int j = 0; j < count; ++j)
            column[j][i] -= 2.0 * sum * w[j];
    }
}

// Turns the modes left so that the first of them alone has the pivot's entry, positive: a Householder reflection.
static void give_entry(const basis *s, er_mode *mode, int first, int end, int pivot)
{
    double w[MOST_MODES], norm = sqrt(square_of(s, first, end, pivot)), length = 0.0;
    double *body[MOST_MODES], *joint[MOST_MODES];
    int count = end - first;
    for (int j = 0; j < count; ++j) {
        w[j] = s->entry[first + j][pivot] - (j == 0 ? norm : 0.0);
        body[j] = (double *)mode[first + j].body;
        joint[j] = (double *)mode[first + j].joint;
        length = hypot(length, w[j]);
    }
    if (!(length > 1e-15 * norm)) return;
    for (int j = 0; j < count; ++j)
        w[j] /= length;
    reflect(s->entry + first, count, w, s->entry_count);
    reflect(body, count, w, 6 * (ptrdiff_t)s->model->body_count);
    reflect(joint, count, w, s->model->coordinate_count);
}

// The largest joint entry is positive; if several are equally large, one of them is enough.
static void fix_sign(const basis *s, er_mode *mode)
{
    double most = 0.0;
    int n = s->model->coordinate_count;
    double *joint = (double *)mode->joint, *body = (double *)mode->body;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(joint[i]) / s->unit[i]);
    for (int i = 0; i < n; ++i)
        if (joint[i] / s->unit[i] >= most * (1.0 - tied)) return;
    for (int i = 0; i < n; ++i)
        joint[i] = 0.0 - joint[i];
    for (ptrdiff_t i = 0; i < 6 * (ptrdiff_t)s->model->body_count; ++i)
        body[i] = 0.0 - body[i];
}

static er_result turn_group(er_arena *scratch, basis *s, er_mode *mode, int count)
{
    er_result r = ER_OK;
    double *raw;
    s->entry_count = 6 * s->model->body_count * (1 << s->planes.count);
    ERI_TRY_NEW(raw, scratch, double, 6 * (size_t)s->model->body_count);
    for (int j = 0; j < count; ++j) {
        ERI_TRY_NEW(s->entry[j], scratch, double, s->entry_count);
        list_entries(s, &mode[j], raw, s->entry[j]);
    }
    for (int first = 0; first < count; ++first)
        give_entry(s, mode, first, count, find_pivot(s, first, count));
    for (int j = 0; j < count; ++j)
        fix_sign(s, &mode[j]);
done:
    return r;
}

er_result eri_canonical_basis(er_context *context, er_arena *scratch, const er_model *model, const er_modes *modes,
                              er_mode *mode)
{
    er_result r = ER_OK;
    basis s = {.model = model};
    for (int first = 0, end; first < modes->count; first = end) {
        for (end = first + 1; end < modes->count; ++end)
            if (!eri_is_one_frequency(&mode[end], &mode[first], eri_same_eigenvalue)) break;
        if (mode[first].kind != ER_MODE_ELASTIC || end - first == 1 || end - first > MOST_MODES) continue;
        if (s.planes.middle == NULL) {
            ERI_TRY(eri_planes_find(context, scratch, model, &s.planes));
            ERI_TRY_NEW(s.unit, scratch, double, model->coordinate_count);
            eri_modal_units(model, s.unit);
        }
        ERI_TRY(turn_group(scratch, &s, mode + first, end - first));
    }
done:
    return r;
}
