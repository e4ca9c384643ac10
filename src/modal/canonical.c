// A basis of modes of equal frequency that depends on the rig alone (docs/math/identity.md, 2).
#include "modal/canonical.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/disjoint.h"
#include "math/dense/dense.h"
#include "modal/mode_shape.h"

enum {
    MOST_MODES = 32,   // of one frequency; more stay as the route found them
    MOST_IMAGED = 2000 // bodies of a rig whose planes of symmetry are looked for
};

static const double same_frequency = 1e-9, // of an eigenvalue: routes differ by less
    tied = 1e-6,                           // relative: entries that symmetry makes equal, with rounding
    same_place = 1e-6;                     // over the size

typedef struct basis {
    const er_model *model;
    er_vec3 axis[3]; // normals of the planes
    int plane_count; // 0 to 3
    int plane[3];    // indices of `axis`
    int *part;       // [body_count], a body of those that joints connect with it
    int *image[3];   // [body_count], across each of them
    er_vec3 *middle; // [body_count], centres of mass along the axes
    double *unit;    // [coordinate_count]
    int entry_count; // of a mode: 6 along the axes, a body, for each combination of signs
    double *entry[MOST_MODES];
} basis;

static er_vec3 along_axes(const basis *s, er_vec3 x)
{
    return er_v3(er_v3_dot(x, s->axis[0]), er_v3_dot(x, s->axis[1]), er_v3_dot(x, s->axis[2]));
}

// --- planes of symmetry

static double coordinate(er_vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

// Whether a plane through the centre maps the bodies onto each other, each within its own part of the rig: modes of two
// equal characters in one file stay those of one of them.
static bool is_plane(const basis *s, er_vec3 centre, int axis, int *image)
{
    const er_model *m = s->model;
    er_vec3 normal = er_v3(axis == 0, axis == 1, axis == 2);
    for (int i = 0; i < m->body_count; ++i) {
        er_vec3 at =
            er_v3_madd(s->middle[i], -2.0 * (coordinate(s->middle[i], axis) - coordinate(centre, axis)), normal);
        double nearest = same_place * m->size;
        image[i] = -1;
        for (int k = 0; k < m->body_count; ++k) {
            double distance = er_v3_distance(at, s->middle[k]);
            if (distance >= nearest || s->part[i] != s->part[k] ||
                fabs(m->body[k].mass - m->body[i].mass) > tied * m->body[i].mass)
                continue;
            nearest = distance;
            image[i] = k;
        }
        if (image[i] < 0) return false;
    }
    for (int i = 0; i < m->body_count; ++i)
        if (image[image[i]] != i) return false;
    return true;
}

static er_vec3 centre_of(const basis *s)
{
    er_vec3 sum = {0, 0, 0};
    double mass = 0.0;
    for (int i = 0; i < s->model->body_count; ++i) {
        sum = er_v3_madd(sum, s->model->body[i].mass, s->middle[i]);
        mass += s->model->body[i].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

static void place_bodies(basis *s)
{
    for (int i = 0; i < s->model->body_count; ++i) {
        const er_body *body = &s->model->body[i];
        s->middle[i] = along_axes(s, er_pose_point(body->pose, body->com));
    }
}

static void find_planes(basis *s)
{
    place_bodies(s);
    er_vec3 centre = centre_of(s);
    s->plane_count = 0;
    for (int a = 0; a < 3; ++a)
        if (is_plane(s, centre, a, s->image[s->plane_count])) s->plane[s->plane_count++] = a;
}

static er_result take_principal_axes(er_context *context, basis *s)
{
    double second[9] = {0}, moment[3];
    er_vec3 centre = centre_of(s);
    for (int i = 0; i < s->model->body_count; ++i) {
        er_vec3 d = er_v3_sub(s->middle[i], centre);
        for (int k = 0; k < 9; ++k)
            second[k] += s->model->body[i].mass * coordinate(d, k % 3) * coordinate(d, k / 3);
    }
    er_result r = eri_linalg_small_eigen(context, 3, second, moment);
    for (int a = 0; a < 3; ++a)
        s->axis[a] = er_v3(second[3 * a], second[3 * a + 1], second[3 * a + 2]);
    return r;
}

static er_result find_parts(er_arena *scratch, basis *s)
{
    er_result r = ER_OK;
    const er_model *m = s->model;
    int *up;
    ERI_TRY_NEW(up, scratch, int, m->body_count);
    ERI_TRY_NEW(s->part, scratch, int, m->body_count);
    for (int i = 0; i < m->body_count; ++i)
        up[i] = i;
    for (int j = 0; j < m->joint_count; ++j)
        if (m->joint[j].parent >= 0) up[eri_set_find(up, m->joint[j].parent)] = eri_set_find(up, m->joint[j].child);
    for (int i = 0; i < m->body_count; ++i)
        s->part[i] = eri_set_find(up, i);
done:
    return r;
}

static er_result choose_axes(er_context *context, er_arena *scratch, basis *s)
{
    er_result r = ER_OK;
    int n = s->model->body_count;
    const er_vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(s->axis, world, sizeof world);
    ERI_TRY_NEW(s->middle, scratch, er_vec3, n);
    place_bodies(s);
    if (n > MOST_IMAGED) return ER_OK;
    ERI_TRY(find_parts(scratch, s));
    for (int a = 0; a < 3; ++a)
        ERI_TRY_NEW(s->image[a], scratch, int, n);
    find_planes(s);
    if (s->plane_count > 0) return ER_OK;
    ERI_TRY(take_principal_axes(context, s));
    find_planes(s);
    if (s->plane_count > 0) return ER_OK;
    memcpy(s->axis, world, sizeof world);
    place_bodies(s);
done:
    return r;
}

// --- entries: motions of bodies, summed over their images with each combination of signs

// Weighted by mass, so that an entry's square is an energy.
static void motion_of(const basis *s, const er_mode *mode, int body, double out[6])
{
    const er_body *b = &s->model->body[body];
    const double *v = mode->body + 6 * (ptrdiff_t)body;
    er_vec3 turn = er_v3(v[0], v[1], v[2]), shift = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(turn, b->com));
    double inertia = sqrt((b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2]) / 3.0), mass = sqrt(b->mass);
    turn = along_axes(s, er_q_rotate(b->pose.q, turn));
    shift = along_axes(s, er_q_rotate(b->pose.q, shift));
    for (int a = 0; a < 3; ++a) {
        out[a] = mass * coordinate(shift, a);
        out[3 + a] = inertia * coordinate(turn, a);
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
    int n = s->model->body_count, combinations = 1 << s->plane_count;
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
                    for (int p = 0; p < s->plane_count; ++p) {
                        if ((images >> p & 1) == 0) continue;
                        at = s->image[p][at];
                        sign *= mirror_sign(s->plane[p], k) * ((signs >> p & 1) != 0 ? -1.0 : 1.0);
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
        double apart = coordinate(s->middle[body], a) - coordinate(s->middle[other], a);
        if (fabs(apart) > same_place * s->model->size) return apart > 0.0;
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
    int block = 6 * (1 << s->plane_count), best = -1;
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
    s->entry_count = 6 * s->model->body_count * (1 << s->plane_count);
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
            if (mode[end].eigenvalue - mode[first].eigenvalue > same_frequency * mode[first].eigenvalue) break;
        if (mode[first].kind != ER_MODE_ELASTIC || end - first == 1 || end - first > MOST_MODES) continue;
        if (s.middle == NULL) {
            ERI_TRY(choose_axes(context, scratch, &s));
            ERI_TRY_NEW(s.unit, scratch, double, model->coordinate_count);
            eri_modal_units(model, s.unit);
        }
        ERI_TRY(turn_group(scratch, &s, mode + first, end - first));
    }
done:
    return r;
}
