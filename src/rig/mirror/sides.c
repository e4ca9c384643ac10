// Left and right: the plane across hips and shoulders, or else the vertical plane of best symmetry.
#include "rig/mirror/mirror.h"

// --- planes

typedef struct plane {
    er_vec3 normal;
    double offset;
    double cost; // mean distance of bodies from their images, over the size
} plane;

static er_vec3 reflect(plane p, er_vec3 x)
{
    return er_v3_madd(x, -2.0 * (er_v3_dot(p.normal, x) - p.offset), p.normal);
}

// The body most like the image of one: its twin, or the nearest body of similar mass without a twin.
static int find_image(const eri_mirror_search *s, plane p, int body, double *distance)
{
    er_vec3 image = reflect(p, s->middle[body]);
    int best = -1, twin = s->twin[body], first = twin >= 0 ? twin : 0,
        end = twin >= 0 ? twin + 1 : s->model->body_count;
    double reach = HUGE_VAL; // square of the distance above which no body is nearer, with room for rounding
    *distance = HUGE_VAL;
    for (int i = first; i < end; ++i) {
        er_vec3 apart = er_v3_sub(image, s->middle[i]);
        if ((twin < 0 && s->twin[i] >= 0) || er_v3_dot(apart, apart) > reach) continue;
        double d = er_v3_norm(apart) / s->model->size;
        if (d >= *distance) continue;
        d += 0.02 * fabs(log(s->model->body[i].mass / s->model->body[body].mass));
        if (d >= *distance) continue;
        *distance = d;
        reach = d * d * s->model->size * s->model->size * (1.0 + 1e-9);
        best = i;
    }
    return best;
}

static void weigh_plane(const eri_mirror_search *s, plane *p)
{
    double sum = 0.0;
    int n = s->model->body_count;
    for (int i = 0; i < n; ++i) {
        double distance;
        find_image(s, *p, i, &distance);
        sum += fmin(distance, 0.3);
    }
    p->cost = sum / n;
}

// The horizontal directions of largest and least spread: eigenvectors of the 2 x 2 matrix of second moments.
static er_vec3 spread(const eri_mirror_search *s, er_vec3 u, er_vec3 v)
{
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int i = 0; i < s->model->body_count; ++i) {
        er_vec3 d = er_v3_sub(s->middle[i], s->centre);
        double x = er_v3_dot(d, u), y = er_v3_dot(d, v), m = s->model->body[i].mass;
        uu += m * x * x;
        uv += m * x * y;
        vv += m * y * y;
    }
    double angle = 0.5 * atan2(2.0 * uv, uu - vv);
    return er_v3_add(er_v3_scale(cos(angle), u), er_v3_scale(sin(angle), v));
}

static er_vec3 flatten(const eri_mirror_search *s, er_vec3 x)
{
    return er_v3_madd(x, -er_v3_dot(x, s->up), s->up);
}

static const double along_axes = 0.03; // of the size, by which rigs made along the axes may fit worse

// Rigs are modelled along the axes. Hips turned by less than this may be in mid-stride, unless the whole body is
// turned.
static plane snap(const eri_mirror_search *s, er_vec3 way, er_vec3 middle)
{
    const er_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double askew = cos(15.0 * ER_PI / 180.0);
    plane own = {.normal = way, .offset = er_v3_dot(way, middle)};
    weigh_plane(s, &own);
    for (int i = 0; i < 3; ++i) {
        er_vec3 flat = flatten(s, axis[i]), unit = er_v3_unit(flat, axis[i]);
        plane p = {.normal = unit, .offset = er_v3_dot(unit, middle)};
        if (er_v3_norm(flat) < 0.7 || fabs(er_v3_dot(unit, way)) < askew) continue;
        weigh_plane(s, &p);
        if (p.cost < own.cost + along_axes) return p;
    }
    return own;
}

// Which pairs count: hips and shoulders, or also feet and hands, which may be in mid-stride.
static bool is_across(const eri_mirror_search *s, int body, bool ends_too)
{
    const unsigned ends = ERI_PART_FOOT | ERI_PART_ANKLE | ERI_PART_TOE | ERI_PART_HAND;
    return s->twin[body] > body && eri_tops_limb(s->model, s->twin, body) &&
           (ends_too || (s->named[body].parts & ends) == 0);
}

// The direction across the body from limb to limb: hips, shoulders, wings.   @return false if there are no pairs, or
// they lie above each other
static bool across_pairs(eri_mirror_search *s, bool ends_too, plane *out)
{
    er_vec3 u = er_v3_perpendicular(s->up), v = er_v3_cross(s->up, u), middle = {0, 0, 0};
    double uu = 0.0, uv = 0.0, vv = 0.0, weight = 0.0, upright = 0.0;
    for (int i = 0; i < s->model->body_count; ++i) {
        if (!is_across(s, i, ends_too)) continue;
        er_vec3 here = eri_mirror_origin(s, i), there = eri_mirror_origin(s, s->twin[i]), d = er_v3_sub(here, there);
        double x = er_v3_dot(d, u), y = er_v3_dot(d, v), w = er_v3_dot(d, d), z = er_v3_dot(d, s->up);
        uu += x * x, uv += x * y, vv += y * y, upright += z * z;
        middle = er_v3_madd(middle, 0.5 * w, er_v3_add(here, there));
        weight += w;
    }
    s->on_side |= upright > uu + vv;
    double all = uu + vv, apart = hypot(uu - vv, 2.0 * uv); // the difference of the eigenvalues
    if (!(all > 1e-6 * s->model->size * s->model->size) || apart < 0.5 * all || upright > all) return false;
    double angle = 0.5 * atan2(2.0 * uv, uu - vv);
    er_vec3 way = er_v3_add(er_v3_scale(cos(angle), u), er_v3_scale(sin(angle), v));
    *out = snap(s, way, er_v3_scale(1.0 / weight, middle));
    return true;
}

// The plane of best symmetry, across a model's axis or a direction of spread.
static plane find_symmetry(const eri_mirror_search *s)
{
    enum { MOST = 5 };
    int count = 0;
    er_vec3 normal[MOST];
    const er_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        er_vec3 flat = flatten(s, axis[i]);
        if (er_v3_norm(flat) > 0.7) normal[count++] = er_v3_unit(flat, axis[i]);
    }
    int axes = count;
    er_vec3 u = er_v3_perpendicular(s->up), v = er_v3_cross(s->up, u);
    normal[count++] = spread(s, u, v);
    normal[count] = er_v3_cross(s->up, normal[count - 1]), ++count;
    plane best = {.cost = HUGE_VAL};
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i)
        for (int by_root = 0; by_root < 2; ++by_root) {
            er_vec3 through = by_root != 0 ? eri_mirror_origin(s, s->model->order[0]) : s->centre;
            plane p = {.normal = normal[i], .offset = er_v3_dot(normal[i], through)};
            weigh_plane(s, &p);
            double cost = i < axes ? p.cost : p.cost + along_axes;
            if (cost >= least - 1e-9) continue;
            least = cost;
            best = p;
        }
    return best;
}

er_result eri_mirror_read_sides(eri_mirror_search *s)
{
    er_result r = ER_OK;
    int *mirror;
    plane best;
    if (!across_pairs(s, false, &best) && !across_pairs(s, true, &best)) best = find_symmetry(s);
    s->left = best.normal;
    s->cost = best.cost;
    s->offset = best.offset;
    ERI_TRY(eri_mirror_pair_limbs(s));
    ERI_TRY_NEW(mirror, s->arena, int, s->model->body_count);
    for (int i = 0; i < s->model->body_count; ++i) {
        double distance;
        int image = find_image(s, best, i, &distance);
        mirror[i] = distance < 0.15 || s->twin[i] >= 0 ? image : -1;
    }
    for (int i = 0; i < s->model->body_count; ++i) // both ways or not at all
        if (mirror[i] >= 0 && mirror[mirror[i]] != i) mirror[i] = -1;
    s->image = mirror;
done:
    return r;
}
