// Planes of symmetry of a rig, by places and masses of its bodies (docs/math/identity.md, 2).
#include "modal/planes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/disjoint.h"
#include "math/dense/dense.h"
#include "modal/mode_shape.h"

const double eri_same_place = 1e-6, eri_same_mass = 1e-6;

// A body by its distance from a plane, which its image shares.
typedef struct off_plane {
    double distance;
    int body;
} off_plane;

static int by_distance(const void *a, const void *b)
{
    const off_plane *x = a, *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

static bool is_like(const eri_planes *p, int a, int b)
{
    double mass = p->model->body[a].mass;
    return p->part[a] == p->part[b] && fabs(p->model->body[b].mass - mass) <= eri_same_mass * mass;
}

// The mirror image of a body's place.
static er_vec3 across(const eri_planes *p, int axis, int body)
{
    double off = eri_component(p->middle[body], axis) - eri_component(p->centre, axis);
    return er_v3_madd(p->middle[body], -2.0 * off, er_v3(axis == 0, axis == 1, axis == 2));
}

// The nearest body like `body` at its mirror image; of equally near ones the first; -1 for none.
static int image_of(const eri_planes *p, int axis, const off_plane *sorted, int at)
{
    int body = sorted[at].body, best = -1;
    er_vec3 there = across(p, axis, body);
    double most = eri_same_place * p->model->size, nearest = most;
    for (int way = -1; way <= 1; way += 2)
        for (int k = way < 0 ? at : at + 1; k >= 0 && k < p->model->body_count; k += way) {
            if (fabs(sorted[k].distance - sorted[at].distance) >= most) break;
            int other = sorted[k].body;
            double distance = er_v3_distance(there, p->middle[other]);
            if (distance > nearest || (distance == nearest && (best < 0 || other > best))) continue;
            if (!is_like(p, body, other)) continue;
            nearest = distance;
            best = other;
        }
    return best;
}

static double distance_of(const eri_planes *p, int axis, int body)
{
    return fabs(eri_component(p->middle[body], axis) - eri_component(p->centre, axis));
}

// Whether a body lies where the one farthest from the plane has its image. Most axes fail here, before anything is
// sorted.
static bool may_be_plane(const eri_planes *p, int axis)
{
    int n = p->model->body_count, far = 0;
    for (int i = 1; i < n; ++i)
        if (distance_of(p, axis, i) > distance_of(p, axis, far)) far = i;
    er_vec3 there = across(p, axis, far);
    for (int i = 0; i < n; ++i)
        if (er_v3_distance(there, p->middle[i]) < eri_same_place * p->model->size && is_like(p, far, i)) return true;
    return false;
}

static bool is_plane(const eri_planes *p, int axis, off_plane *sorted, int *image)
{
    int n = p->model->body_count;
    if (!may_be_plane(p, axis)) return false;
    for (int i = 0; i < n; ++i)
        sorted[i] = (off_plane){distance_of(p, axis, i), i};
    qsort(sorted, (size_t)n, sizeof *sorted, by_distance);
    for (int i = n - 1; i >= 0; --i) { // those far off first: they have few others beside them
        int at = image_of(p, axis, sorted, i);
        if (at < 0) return false;
        image[sorted[i].body] = at;
    }
    for (int i = 0; i < n; ++i)
        if (image[image[i]] != i) return false;
    return true;
}

static void place_bodies(eri_planes *p)
{
    for (int i = 0; i < p->model->body_count; ++i) {
        const er_body *body = &p->model->body[i];
        p->middle[i] = eri_along_planes(p, er_pose_point(body->pose, body->com));
    }
    p->centre = eri_along_planes(p, eri_centre_of_mass(p->model));
}

static void find_planes(eri_planes *p, off_plane *sorted)
{
    place_bodies(p);
    p->count = 0;
    for (int a = 0; a < 3; ++a)
        if (is_plane(p, a, sorted, p->image[p->count])) p->plane[p->count++] = a;
}

static er_result take_principal_axes(er_context *context, eri_planes *p)
{
    double second[9] = {0}, moment[3];
    for (int i = 0; i < p->model->body_count; ++i) {
        er_vec3 d = er_v3_sub(p->middle[i], p->centre);
        for (int k = 0; k < 9; ++k)
            second[k] += p->model->body[i].mass * eri_component(d, k % 3) * eri_component(d, k / 3);
    }
    er_result r = eri_linalg_small_eigen(context, 3, second, moment);
    for (int a = 0; a < 3; ++a)
        p->axis[a] = er_v3(second[3 * a], second[3 * a + 1], second[3 * a + 2]);
    return r;
}

static er_result find_parts(er_arena *arena, eri_planes *p)
{
    er_result r = ER_OK;
    const er_model *m = p->model;
    int *up;
    ERI_TRY_NEW(up, arena, int, m->body_count);
    ERI_TRY_NEW(p->part, arena, int, m->body_count);
    for (int i = 0; i < m->body_count; ++i)
        up[i] = i;
    for (int j = 0; j < m->joint_count; ++j)
        if (m->joint[j].parent >= 0) up[eri_set_find(up, m->joint[j].parent)] = eri_set_find(up, m->joint[j].child);
    for (int i = 0; i < m->body_count; ++i)
        p->part[i] = eri_set_find(up, i);
done:
    return r;
}

er_result eri_planes_find(er_context *context, er_arena *arena, const er_model *model, eri_planes *out)
{
    er_result r = ER_OK;
    int n = model->body_count;
    const er_vec3 world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    off_plane *sorted;
    *out = (eri_planes){.model = model};
    memcpy(out->axis, world, sizeof world);
    ERI_TRY_NEW(out->middle, arena, er_vec3, n);
    ERI_TRY_NEW(sorted, arena, off_plane, n);
    for (int a = 0; a < 3; ++a)
        ERI_TRY_NEW(out->image[a], arena, int, n);
    ERI_TRY(find_parts(arena, out));
    find_planes(out, sorted);
    if (out->count > 0) return ER_OK;
    ERI_TRY(take_principal_axes(context, out));
    find_planes(out, sorted);
    if (out->count > 0) return ER_OK;
    memcpy(out->axis, world, sizeof world);
    place_bodies(out);
done:
    return r;
}
