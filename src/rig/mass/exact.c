// Moments of a polyhedron in closed form: over the tetrahedron of the origin and a triangle abc, of volume V, the
// integral of 1 is V, of x is V s / 4, of x x' is V (a a' + b b' + c c' + s s') / 20, with s = a + b + c (Tonon 2004).
#include "rig/mass/solid.h"

static void corners(const er_solid *solid, int face, er_vec3 *p)
{
    const er_face *f = &solid->face[face];
    bool turned = solid->part[f->part].sign < 0;
    p[0] = solid->position[f->vertex[0]];
    p[1] = solid->position[f->vertex[turned ? 2 : 1]];
    p[2] = solid->position[f->vertex[turned ? 1 : 2]];
}

er_mass er_shell_moments(const er_solid *solid, const er_shell *shell)
{
    er_mass sum = {0};
    for (int i = shell->first; i < shell->first + shell->count; ++i) {
        er_vec3 p[4];
        corners(solid, solid->order[i], p);
        p[3] = er_v3_add(er_v3_add(p[0], p[1]), p[2]);
        double volume = er_v3_dot(p[0], er_v3_cross(p[1], p[2])) / 6.0;
        sum.mass += volume;
        sum.moment = er_v3_madd(sum.moment, volume / 4.0, p[3]);
        for (int k = 0; k < 4; ++k)
            sum.second = er_m3_madd(sum.second, volume / 20.0, er_m3_outer(p[k], p[k]));
    }
    return sum;
}

// The chain is the sum of the tetrahedra of any one place and its triangles.
double er_shell_most(const er_solid *solid, const er_shell *shell)
{
    er_vec3 centre = {0}, p[3];
    double area = 0.0, most = 0.0;
    for (int i = shell->first; i < shell->first + shell->count; ++i) {
        corners(solid, solid->order[i], p);
        double twice = er_v3_norm(er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0])));
        centre = er_v3_madd(centre, twice / 3.0, er_v3_add(p[0], er_v3_add(p[1], p[2])));
        area += twice;
    }
    if (!(area > 0.0)) return 0.0;
    centre = er_v3_scale(1.0 / area, centre);
    for (int i = shell->first; i < shell->first + shell->count; ++i) {
        corners(solid, solid->order[i], p);
        er_vec3 a = er_v3_sub(p[0], centre), b = er_v3_sub(p[1], centre), c = er_v3_sub(p[2], centre);
        most += fabs(er_v3_dot(a, er_v3_cross(b, c))) / 6.0;
    }
    return most;
}
