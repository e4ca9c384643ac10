/// @file
/// Moments of a region in closed form, and the most that they can be.
#include "math/moments.h"
#include "rig/mass/mass_solid.h"

static void corners(const eri_mass_solid *solid, int face, er_vec3 *p)
{
    const eri_face *f = &solid->face[face];
    bool turned = solid->component[f->component].sign < 0;
    p[0] = solid->position[f->vertex[0]];
    p[1] = solid->position[f->vertex[turned ? 2 : 1]];
    p[2] = solid->position[f->vertex[turned ? 1 : 2]];
}

eri_mass eri_region_moments(const eri_mass_solid *solid, const eri_region *region)
{
    eri_mass sum = {0};
    for (int i = region->first; i < region->first + region->count; ++i) {
        er_vec3 p[3];
        corners(solid, solid->order[i], p);
        eri_moments_add(&sum.mass, &sum.moment, &sum.second, p[0], p[1], p[2]);
    }
    return sum;
}

// The chain is the sum of the tetrahedra of any one place and its triangles.
double eri_region_most(const eri_mass_solid *solid, const eri_region *region)
{
    er_vec3 centre = {0}, p[3];
    double area = 0.0, most = 0.0;
    for (int i = region->first; i < region->first + region->count; ++i) {
        corners(solid, solid->order[i], p);
        double twice = er_v3_norm(er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0])));
        centre = er_v3_madd(centre, twice / 3.0, er_v3_add(p[0], er_v3_add(p[1], p[2])));
        area += twice;
    }
    if (!(area > 0.0)) return 0.0;
    centre = er_v3_scale(1.0 / area, centre);
    for (int i = region->first; i < region->first + region->count; ++i) {
        corners(solid, solid->order[i], p);
        er_vec3 a = er_v3_sub(p[0], centre), b = er_v3_sub(p[1], centre), c = er_v3_sub(p[2], centre);
        most += fabs(er_v3_dot(a, er_v3_cross(b, c))) / 6.0;
    }
    return most;
}
