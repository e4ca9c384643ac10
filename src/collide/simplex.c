/// @file
/// The nearest point of a simplex by trying each part of it: of those whose foot of the origin lies within, the nearest
/// one wins. A sign that rounding turns costs no more than a rounding of the distance, for the part beside it is as
/// near.
#include "collide/simplex.h"

#include "collide/hull.h"

/// A part of a simplex, as a set of its corners, with the foot of the origin.
typedef struct eri_simplex_part {
    int count;
    int corner[4];
    double share[4];
    double distance;
    er_vec3 normal;
} eri_simplex_part;

static bool vertex_foot(const er_vec3 *w, eri_simplex_part *part)
{
    er_vec3 x = w[part->corner[0]];
    part->distance = er_v3_norm(x);
    part->share[0] = 1.0;
    part->normal = er_v3_unit(er_v3_scale(-1.0, x), er_v3(0, 0, 0));
    return true;
}

static bool edge_foot(const er_vec3 *w, eri_simplex_part *part)
{
    er_vec3 p = w[part->corner[0]], u = er_v3_sub(w[part->corner[1]], p);
    double length2 = er_v3_dot(u, u), t = -er_v3_dot(p, u) / length2;
    if (!(t > 0.0 && t < 1.0)) return false;
    er_vec3 foot = t < 0.5 ? er_v3_madd(p, t, u) : er_v3_madd(w[part->corner[1]], t - 1.0, u);
    part->distance = er_v3_norm(foot);
    part->share[0] = 1.0 - t;
    part->share[1] = t;
    part->normal = eri_square_to(er_v3_unit(er_v3_scale(-1.0, foot), er_v3(0, 0, 0)), u);
    return true;
}

/// The unit normal of a triangle, from its two shorter sides.
static er_vec3 triangle_normal(const er_vec3 *p)
{
    er_vec3 side[3] = {er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[1]), er_v3_sub(p[0], p[2])};
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        if (er_v3_dot(side[k], side[k]) > er_v3_dot(side[longest], side[longest])) longest = k;
    er_vec3 n = er_v3_cross(side[(longest + 1) % 3], side[(longest + 2) % 3]);
    return er_v3_unit(n, er_v3(0, 0, 0));
}

static bool triangle_foot(const er_vec3 *w, eri_simplex_part *part)
{
    er_vec3 p[3] = {w[part->corner[0]], w[part->corner[1]], w[part->corner[2]]}, n = triangle_normal(p);
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) { // twice the area that the foot and the side opposite to k span
        part->share[k] = er_v3_dot(n, er_v3_cross(p[(k + 1) % 3], p[(k + 2) % 3]));
        if (!(part->share[k] > 0.0)) return false;
        sum += part->share[k];
    }
    er_vec3 foot = {0};
    for (int k = 0; k < 3; ++k) {
        part->share[k] /= sum;
        foot = er_v3_madd(foot, part->share[k], p[k]);
    }
    double height = er_v3_dot(n, foot);
    part->distance = fabs(height);
    part->normal = er_v3_scale(height > 0.0 ? -1.0 : 1.0, n);
    return true;
}

/// Whether the origin lies inside a tetrahedron: on the inner side of each face, and no higher than the apex. In a flat
/// tetrahedron the sides are rounding; the heights are not.
static bool inside(const er_vec3 *w)
{
    for (int k = 0; k < 4; ++k) {
        er_vec3 p[3] = {w[(k + 1) % 4], w[(k + 2) % 4], w[(k + 3) % 4]}, n = triangle_normal(p);
        double origin = -er_v3_dot(n, p[0]), apex = er_v3_dot(n, er_v3_sub(w[k], p[0]));
        if (!(origin * apex > 0.0 && fabs(origin) <= fabs(apex))) return false;
    }
    return true;
}

static void keep(eri_simplex *simplex, const eri_simplex_part *part)
{
    eri_simplex from = *simplex;
    simplex->count = part->count;
    simplex->distance = part->distance;
    simplex->normal = part->normal;
    for (int k = 0; k < part->count; ++k) {
        simplex->w[k] = from.w[part->corner[k]];
        simplex->share[k] = part->share[k];
        for (int side = 0; side < 2; ++side)
            simplex->vertex[side][k] = from.vertex[side][part->corner[k]];
    }
}

void eri_simplex_reduce(eri_simplex *simplex)
{
    static bool (*const foot[3])(const er_vec3 *, eri_simplex_part *) = {vertex_foot, edge_foot, triangle_foot};
    eri_simplex_part best = {.distance = HUGE_VAL};
    if (simplex->count == 4 && inside(simplex->w)) {
        simplex->distance = 0.0;
        simplex->normal = er_v3(0, 0, 0);
        for (int k = 0; k < 4; ++k)
            simplex->share[k] = 0.25; // as good as any
        return;
    }
    for (int size = 1; size <= 3; ++size) // of parts as near the one of fewer corners
        for (int set = 1; set < 1 << simplex->count; ++set) {
            eri_simplex_part part = {0};
            for (int k = 0; k < simplex->count; ++k)
                if (set & 1 << k) part.corner[part.count++] = k;
            if (part.count == size && foot[size - 1](simplex->w, &part) && part.distance < best.distance) best = part;
        }
    keep(simplex, &best);
}
