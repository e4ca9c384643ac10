#include "mass/mass.h"

#include "mass/cells.h"

#define FLAT 1e-6   // volume / area^1.5 below which a surface bounds nothing
#define CRUMB 1e-9  // share of the volume below which a body gets nothing: less than one of the finest cells
#define ONE_SIGN .5 // |integral of w| / integral of |w| from which on the exact volume says how much there is

// Adds `mass`, in unit coordinates: x = centre + size x'.
static void add_in_metres(er_mass *sum, const er_mass *mass, double density, er_vec3 centre, double size)
{
    double scale = density * size * size * size, m = scale * mass->mass;
    er_vec3 moment = er_v3_scale(scale * size, mass->moment); // about the centre
    er_mat3 second = er_m3_outer(centre, moment);
    second = er_m3_madd(second, 1.0, er_m3_transpose(second));
    second = er_m3_madd(second, scale * size * size, mass->second);
    second = er_m3_madd(second, m, er_m3_outer(centre, centre));
    sum->mass += m;
    sum->moment = er_v3_add(sum->moment, er_v3_madd(moment, m, centre));
    sum->second = er_m3_madd(sum->second, 1.0, second);
}

static double surface_area(const er_solid *solid)
{
    double area = 0.0;
    for (int p = 0; p < solid->part_count; ++p)
        area += solid->part[p].area;
    return area;
}

// The volume of |w|: by the divergence theorem, corrected by quadrature for the part that w < 0 takes.
static double true_volume(const er_solid *solid, const er_cells *cells)
{
    double exact = 0.0;
    for (int p = 0; p < solid->part_count; ++p)
        exact += solid->part[p].volume;
    double share = cells->signed_volume / cells->volume;
    return share > ONE_SIGN && exact > 0.0 ? exact / share : cells->volume;
}

er_result er_mass_from_surface(er_context *context, const er_surface *surface, int body_count, double density,
                               int cells, er_mass *mass, double *volume, bool *closed, long *count)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_solid *solid = NULL;
    er_tree *tree = NULL;
    er_cells sum;
    *volume = 0.0;
    *closed = false;
    *count = 0;
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_solid_build(arena, surface, body_count, &solid));
    if (solid->face_count == 0) goto done;
    ER_TRY(er_solid_grade(arena, solid, cells));
    ER_TRY(er_tree_build(arena, solid, &tree));
    ER_TRY(er_solid_turn(arena, solid, tree));
    ER_TRY(er_cells_integrate(arena, tree, &sum));
    *closed = solid->closed;
    *count = sum.count;
    if (!(sum.volume > FLAT * pow(surface_area(solid), 1.5))) goto done;
    double kept = 0.0, given = 0.0;
    for (int b = 0; b <= body_count; ++b) {
        if (sum.mass[b].mass < CRUMB * sum.volume) sum.mass[b] = (er_mass){0};
        kept += sum.mass[b].mass;
    }
    double scale = true_volume(solid, &sum) / kept;
    for (int b = 0; b < body_count; ++b) {
        add_in_metres(&mass[b], &sum.mass[b], scale * density, solid->centre, solid->size);
        given += scale * sum.mass[b].mass;
    }
    *volume = given * solid->size * solid->size * solid->size;
done:
    er_arena_destroy(arena);
    return r;
}

er_result er_mass_from_surfaces(er_context *context, int surface_count, const er_surface *surface, int body_count,
                                double density, er_mass *mass, er_mass_info *info)
{
    er_result r = ER_OK;
    double open = 0.0;
    *info = (er_mass_info){0};
    for (int s = 0; s < surface_count; ++s) {
        double volume;
        bool closed;
        long count;
        ER_TRY(er_mass_from_surface(context, &surface[s], body_count, density, ER_MASS_CELLS, mass, &volume, &closed,
                                    &count));
        if (!(volume > 0.0)) continue;
        info->volume += volume;
        open += closed ? 0.0 : volume;
        info->closed_count += closed ? 1 : 0;
        info->open_count += closed ? 0 : 1;
    }
    info->open_share = info->volume > 0.0 ? open / info->volume : 0.0;
done:
    return r;
}

// Along its axis a capsule of length h has a cylinder, and a half ball at each end whose centre of mass lies 3 r / 8
// from its flat side: second moments across  m_cyl r^2 / 4 + m_ball r^2 / 5,  along
// m_cyl h^2 / 12 + m_ball (r^2 / 5 + h^2 / 4 + 3 h r / 8).
void er_mass_add_capsule(er_mass *mass, er_vec3 a, er_vec3 b, double radius, double density)
{
    er_vec3 axis = er_v3_sub(b, a), centre = er_v3_scale(0.5, er_v3_add(a, b));
    double h = er_v3_norm(axis), r2 = radius * radius;
    er_vec3 unit = er_v3_unit(axis, er_v3(0, 0, 1));
    double cylinder = density * ER_PI * r2 * h, ball = density * 4.0 / 3.0 * ER_PI * r2 * radius, m = cylinder + ball;
    double across = cylinder * r2 / 4.0 + ball * r2 / 5.0;
    double along = cylinder * h * h / 12.0 + ball * (r2 / 5.0 + h * h / 4.0 + 3.0 * h * radius / 8.0);
    mass->mass += m;
    mass->moment = er_v3_madd(mass->moment, m, centre);
    mass->second = er_m3_madd(mass->second, across, er_m3_identity());
    mass->second = er_m3_madd(mass->second, along - across, er_m3_outer(unit, unit));
    mass->second = er_m3_madd(mass->second, m, er_m3_outer(centre, centre));
}

// J = tr(S) 1 - S with S the second moment about the centre, S_o - m c c'.
void er_mass_centre(const er_mass *mass, er_vec3 *centre, er_mat3 *inertia)
{
    er_vec3 c = er_v3_scale(1.0 / mass->mass, mass->moment);
    er_mat3 s = er_m3_madd(mass->second, -mass->mass, er_m3_outer(c, c));
    *centre = c;
    *inertia = er_m3_madd((er_mat3){{{0}}}, s.m[0][0] + s.m[1][1] + s.m[2][2], er_m3_identity());
    *inertia = er_m3_madd(*inertia, -1.0, s);
}
