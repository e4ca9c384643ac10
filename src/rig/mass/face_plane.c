// Distances from a triangle.
#include "rig/mass/box.h"

#define ROUNDING 1e-6 // of a unit coordinate as a float, with room to spare

void eri_face_plane_set(const eri_mass_solid *solid, int face, eri_face_plane *plane)
{
    er_vec3 p[3] = {face_point(solid, face, 0), face_point(solid, face, 1), face_point(solid, face, 2)};
    er_vec3 ab = er_v3_sub(p[1], p[0]), ac = er_v3_sub(p[2], p[0]), n = er_v3_cross(ab, ac);
    double n2 = er_v3_dot(n, n);
    *plane = (eri_face_plane){.corner = p[0], .face = face};
    plane->thin = !(n2 > 1e-20 * er_v3_dot(ab, ab) * er_v3_dot(ac, ac)); // its plane means nothing
    for (int corner = 0; corner < 3; ++corner) {
        er_vec3 edge = er_v3_sub(p[(corner + 2) % 3], p[(corner + 1) % 3]);
        double length2 = er_v3_dot(edge, edge);
        plane->edge[corner] = edge;
        plane->inverse_length2[corner] = length2 > 0.0 ? 1.0 / length2 : 0.0;
    }
    er_vec3 middle = er_v3_scale(1.0 / 3.0, er_v3_add(p[0], er_v3_add(p[1], p[2])));
    for (int k = 0; k < 3; ++k) {
        plane->middle[k] = (float)eri_axis(middle, k);
        plane->radius = fmaxf(plane->radius, (float)(er_v3_distance(p[k], middle) + ROUNDING));
    }
    if (plane->thin) return;
    plane->normal = er_v3_scale(1.0 / sqrt(n2), n);
    plane->dual[0] = er_v3_scale(1.0 / n2, er_v3_cross(ac, n));
    plane->dual[1] = er_v3_scale(1.0 / n2, er_v3_cross(n, ab));
}

// Keeps the point of the edge opposite to `corner` where it is nearer.   d: from that edge's first point to x
static void try_edge(const eri_face_plane *plane, int corner, er_vec3 d, eri_nearest *best)
{
    double t = er_v3_dot(d, plane->edge[corner]) * plane->inverse_length2[corner];
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    d = er_v3_madd(d, -t, plane->edge[corner]);
    double distance2 = er_v3_dot(d, d);
    if (distance2 >= best->distance2) return;
    best->face = plane->face;
    best->distance2 = distance2;
    best->share[corner] = 0.0;
    best->share[(corner + 1) % 3] = 1.0 - t;
    best->share[(corner + 2) % 3] = t;
}

// Barycentric coordinates of the foot on the plane; where one is negative the nearest point is on an edge opposite to
// such a corner, because the way from x to the triangle crosses that edge.
void eri_face_plane_try(const eri_face_plane *plane, er_vec3 x, eri_nearest *best)
{
    er_vec3 a = er_v3_sub(x, plane->corner);
    double height = er_v3_dot(a, plane->normal);
    if (height * height >= best->distance2) return;
    double s1 = er_v3_dot(a, plane->dual[0]), s2 = er_v3_dot(a, plane->dual[1]), s0 = 1.0 - s1 - s2;
    if (plane->thin) s0 = s1 = s2 = -1.0;
    if (s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0) {
        *best = (eri_nearest){plane->face, {s0, s1, s2}, height * height};
        return;
    }
    if (s0 < 0.0) try_edge(plane, 0, er_v3_sub(a, plane->edge[2]), best);
    if (s1 < 0.0) try_edge(plane, 1, er_v3_add(a, plane->edge[1]), best);
    if (s2 < 0.0) try_edge(plane, 2, a, best);
}

double eri_cube_reach2(const eri_mass_solid *solid, eri_cube cube, const eri_nearest *nearest)
{
    er_vec3 p = {0};
    for (int corner = 0; corner < 3; ++corner)
        p = er_v3_madd(p, nearest->share[corner], face_point(solid, nearest->face, corner));
    double dx = fabs(p.x - cube.centre.x) + cube.half, dy = fabs(p.y - cube.centre.y) + cube.half,
           dz = fabs(p.z - cube.centre.z) + cube.half;
    return (dx * dx + dy * dy + dz * dz) * (1.0 + 1e-9); // rounding
}
