// Masses of what surfaces enclose and of capsules: solids are shared out among bodies, exactly or by cells, and added
// up.
#include "rig/mass/mass.h"

#include <stdlib.h>
#include <string.h>

#include "math/moments.h"
#include "rig/mass/cells.h"

#define FLAT 1e-6        // volume / area^1.5 below which a surface bounds nothing
#define BACKWARDS 1e-6   // share of the volume, as cells see it, that may wind backwards and count as none
#define ROUNDING 1e-12   // of a volume
#define LEAST_SHARE 1e-9 // share of the volume below which a body gets nothing: less than one of the finest cells
#define ONE_SIGN .5      // |integral of w| / integral of |w| from which on the exact volume says how much there is

// Adds `mass`, in unit coordinates: x = centre + size x'.
static void add_in_metres(eri_mass *sum, const eri_mass *mass, double density, er_vec3 centre, double size)
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

// The volume of |w|: by the divergence theorem, corrected by quadrature for the component that w < 0 takes.
static double true_volume(const eri_region *region, const eri_cells *cells)
{
    double share = cells->signed_volume / cells->volume;
    return share > ONE_SIGN && region->volume > 0.0 ? region->volume / share : cells->volume;
}

static void add_scaled(eri_mass *sum, double scale, const eri_mass *mass)
{
    sum->mass += scale * mass->mass;
    sum->moment = er_v3_madd(sum->moment, scale, mass->moment);
    sum->second = er_m3_madd(sum->second, scale, mass->second);
}

static void add_exact(const eri_mass_solid *solid, const eri_region *region, eri_mass *sum)
{
    eri_mass exact = eri_region_moments(solid, region);
    add_scaled(&sum[region->owner], 1.0, &exact);
}

static double total_mass(const eri_mass *mass, int count)
{
    double total = 0.0;
    for (int i = 0; i < count; ++i)
        total += mass[i].mass;
    return total;
}

static bool bounds_nothing(const eri_region *region, double volume)
{
    return !(volume > FLAT * pow(region->area, 1.5));
}

static er_result add_cells(er_arena *arena, const eri_mass_solid *solid, const eri_region *region, eri_cells *cells,
                           eri_mass *sum)
{
    er_result r = ER_OK;
    eri_face_tree *tree = NULL;
    long count = cells->count;
    memset(cells->mass, 0, ((size_t)solid->body_count + 1) * sizeof *cells->mass);
    cells->volume = cells->signed_volume = 0.0;
    ERI_TRY(eri_face_tree_build(arena, solid, region->count, solid->order + region->first, &tree));
    ERI_TRY(eri_cells_integrate(arena, tree, region, cells));
    if (bounds_nothing(region, cells->volume)) {
        cells->count = count;
        goto done;
    }
    bool forward = cells->volume - cells->signed_volume <= BACKWARDS * cells->volume;
    if (region->owner >= 0 && forward && !bounds_nothing(region, region->volume)) {
        add_exact(solid, region, sum);
        goto done;
    }
    double scale = true_volume(region, cells) / total_mass(cells->mass, solid->body_count + 1);
    for (int b = 0; b <= solid->body_count; ++b)
        add_scaled(&sum[b], scale, &cells->mass[b]);
done:
    return r;
}

// A solid of one body needs no cells where none of it winds backwards, and nothing is needed of what bounds nothing.
static er_result add_region(er_arena *arena, const eri_mass_solid *solid, const eri_region *region, eri_cells *cells,
                            eri_mass *sum)
{
    double most = eri_region_most(solid, region);
    if (bounds_nothing(region, most)) return ER_OK;
    if (region->owner < 0 || most > (1.0 + ROUNDING) * region->volume)
        return add_cells(arena, solid, region, cells, sum);
    add_exact(solid, region, sum);
    return ER_OK;
}

// The share of caps, which are faces with an apex, in the area.
static double cap_share(const eri_mass_solid *solid, int vertex_count)
{
    double area = 0.0, caps = 0.0;
    for (int f = 0; f < solid->face_count; ++f) {
        const int *v = solid->face[f].vertex;
        er_vec3 a = er_v3_sub(solid->position[v[1]], solid->position[v[0]]),
                b = er_v3_sub(solid->position[v[2]], solid->position[v[0]]);
        double twice = er_v3_norm(er_v3_cross(a, b));
        area += twice;
        caps += v[0] >= vertex_count || v[1] >= vertex_count || v[2] >= vertex_count ? twice : 0.0;
    }
    return caps > 0.0 ? caps / area : 0.0;
}

er_result eri_mass_from_surface(er_context *context, const eri_skin_surface *surface, int body_count, double density,
                                int cells, eri_mass *mass, double *volume, double *caps, long *count)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_mass_solid *solid = NULL;
    eri_cells found = {0};
    eri_mass *sum = NULL;
    *volume = 0.0;
    *caps = 0.0;
    *count = 0;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_solid_build(arena, surface, body_count, &solid));
    if (solid->face_count == 0) goto done;
    ERI_TRY(eri_solid_grade(arena, solid, cells));
    ERI_TRY(eri_solid_orient(arena, solid));
    ERI_TRY_NEW(sum, arena, eri_mass, (size_t)body_count + 1);
    ERI_TRY_NEW(found.mass, arena, eri_mass, (size_t)body_count + 1);
    for (int s = 0; s < solid->region_count; ++s)
        ERI_TRY(add_region(arena, solid, &solid->region[s], &found, sum));
    *caps = cap_share(solid, surface->vertex_count);
    *count = found.count;
    double whole = total_mass(sum, body_count + 1), given = 0.0;
    for (int b = 0; b <= body_count; ++b)
        if (sum[b].mass < LEAST_SHARE * whole) sum[b] = (eri_mass){0};
    double kept = total_mass(sum, body_count + 1);
    for (int b = 0; b < body_count && kept > 0.0; ++b) {
        add_in_metres(&mass[b], &sum[b], density * whole / kept, solid->centre, solid->size);
        given += sum[b].mass * whole / kept;
    }
    *volume = given * solid->size * solid->size * solid->size;
done:
    eri_arena_destroy(arena);
    return r;
}

// Bodies of one surface among all, so that many surfaces of few bodies each take no longer than they are large.
typedef struct numbering {
    int *last;   // [body_count], the surface that a body was met in, from 1
    int *number; // [body_count], in that surface
    int count;
    int *body; // [count], ascending
} numbering;

static int ascending(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static er_result number_bodies(er_arena *arena, const eri_skin_surface *surface, int mark, numbering *n,
                               eri_skin_surface *out)
{
    er_result r = ER_OK;
    int influences = surface->influence_start[surface->vertex_count], *renamed;
    ERI_TRY_NEW(n->body, arena, int, influences);
    ERI_TRY_NEW(renamed, arena, int, influences);
    n->count = 0;
    for (int i = 0; i < influences; ++i) {
        int b = surface->influence_body[i];
        if (n->last[b] == mark) continue;
        n->last[b] = mark;
        n->body[n->count++] = b;
    }
    qsort(n->body, (size_t)n->count, sizeof *n->body, ascending);
    for (int k = 0; k < n->count; ++k)
        n->number[n->body[k]] = k;
    for (int i = 0; i < influences; ++i)
        renamed[i] = n->number[surface->influence_body[i]];
    *out = *surface;
    out->influence_body = renamed;
done:
    return r;
}

static er_result weigh_surface(er_arena *arena, const eri_skin_surface *surface, int mark, double density, numbering *n,
                               eri_mass *mass, double *volume, double *caps)
{
    er_result r = ER_OK;
    eri_skin_surface own;
    eri_mass *component;
    long count;
    ERI_TRY(number_bodies(arena, surface, mark, n, &own));
    ERI_TRY_NEW(component, arena, eri_mass, n->count);
    ERI_TRY(eri_mass_from_surface(eri_arena_context(arena), &own, n->count, density, ERI_MASS_CELLS, component, volume,
                                  caps, &count));
    for (int k = 0; k < n->count; ++k)
        add_scaled(&mass[n->body[k]], 1.0, &component[k]);
done:
    return r;
}

er_result eri_mass_from_surfaces(er_context *context, int surface_count, const eri_skin_surface *surface,
                                 int body_count, double density, eri_mass *mass, eri_mass_info *info)
{
    er_result r = ER_OK;
    double open = 0.0;
    er_arena *arena = NULL, *scratch = NULL;
    numbering n = {0};
    *info = (eri_mass_info){0};
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(n.last, arena, int, body_count);
    ERI_TRY_NEW(n.number, arena, int, body_count);
    for (int s = 0; s < surface_count; ++s) {
        double volume, caps;
        eri_arena_reset(scratch);
        ERI_TRY(weigh_surface(scratch, &surface[s], s + 1, density, &n, mass, &volume, &caps));
        if (!(volume > 0.0)) continue;
        info->volume += volume;
        open += caps > 0.0 ? volume : 0.0;
        info->cap_share += caps * volume;
        info->closed_count += caps > 0.0 ? 0 : 1;
        info->open_count += caps > 0.0 ? 1 : 0;
    }
    info->open_share = info->volume > 0.0 ? open / info->volume : 0.0;
    info->cap_share = info->volume > 0.0 ? info->cap_share / info->volume : 0.0;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

// Along its axis a capsule of length h has a cylinder, and a half ball at each end whose centre of mass lies 3 r / 8
// from its plane side: second moments across  m_cyl r^2 / 4 + m_ball r^2 / 5,  along
// m_cyl h^2 / 12 + m_ball (r^2 / 5 + h^2 / 4 + 3 h r / 8).
void eri_mass_add_capsule(eri_mass *mass, er_vec3 a, er_vec3 b, double radius, double density)
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
void eri_mass_centre(const eri_mass *mass, er_vec3 *centre, er_mat3 *inertia)
{
    er_vec3 c = er_v3_scale(1.0 / mass->mass, mass->moment);
    er_mat3 s = er_m3_madd(mass->second, -mass->mass, er_m3_outer(c, c));
    *centre = c;
    *inertia = eri_inertia_from_second(s);
}
