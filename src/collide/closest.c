/// @file
/// Closest points of two hulls: the point of A - B nearest to the origin, by simplices of its corners (Gilbert,
/// Johnson, Keerthi 1988), each step along the normal of the simplex, which stays sharp where the hulls nearly touch.
/// Hulls that touch or overlap get the widest gap instead. The features are those at both ends of the normal.
#include "collide/pair.h"
#include "collide/simplex.h"

#define STEPS 1000    // each ends nearer to the origin, so these are never taken
#define TOUCH 1e-15   // of the size: nearer than this is rounding
#define NONE 1e-140   // m: the square of a distance below has lost digits
#define DOUBT 1e-14   // of the size: no gap is as wide as the distance, so slivers have cost digits
#define SHARPER 4e-15 // of the size: as wide a gap is the distance
#define LEAN 1e-12    // 1 - cosine of the angle within which a face's normal may be meant

static void add_corner(const eri_pair *pair, eri_simplex *simplex, const int *vertex)
{
    int k = simplex->count++;
    for (int side = 0; side < 2; ++side)
        simplex->vertex[side][k] = vertex[side];
    simplex->w[k] = er_v3_sub(eri_pair_vertex(pair, 0, vertex[0]), eri_pair_vertex(pair, 1, vertex[1]));
}

static bool has_corner(const eri_simplex *simplex, const int *vertex)
{
    for (int k = 0; k < simplex->count; ++k)
        if (simplex->vertex[0][k] == vertex[0] && simplex->vertex[1][k] == vertex[1]) return true;
    return false;
}

static bool is_of(const eri_pair *pair, const int *vertex)
{
    return vertex[0] >= 0 && vertex[0] < pair->hull[0]->vertex_count && vertex[1] >= 0 &&
           vertex[1] < pair->hull[1]->vertex_count;
}

/// Begins where the last query ended, else with the vertices that face each other.
static eri_simplex begin(eri_pair *pair, const er_closest_cache *cache)
{
    eri_simplex simplex = {0};
    for (int k = 0; cache != NULL && k < cache->count && k < 4; ++k) {
        int vertex[2] = {cache->vertex[0][k], cache->vertex[1][k]};
        if (is_of(pair, vertex)) add_corner(pair, &simplex, vertex);
    }
    if (simplex.count == 0) {
        int vertex[2];
        er_vec3 centre = er_v3_add(er_m3_mul_v(pair->turn, pair->hull[1]->centre), pair->shift);
        eri_pair_gap(pair, er_v3_sub(centre, pair->hull[0]->centre), vertex);
        add_corner(pair, &simplex, vertex);
    }
    for (int side = 0; side < 2; ++side)
        pair->hint[side] = simplex.vertex[side][0];
    return simplex;
}

/// The simplex of A - B that has its nearest point to the origin.
/// @param gap  written: the widest gap met on the way
static eri_simplex nearest_simplex(eri_pair *pair, const er_closest_cache *cache, double *gap)
{
    eri_simplex simplex = begin(pair, cache), nearest = {.distance = HUGE_VAL};
    *gap = -HUGE_VAL;
    for (int step = 0; step < STEPS; ++step) {
        eri_simplex_reduce(&simplex);
        if (!(simplex.distance < nearest.distance)) break;
        nearest = simplex;
        int vertex[2];
        if (nearest.distance <= fmax(TOUCH * pair->size, NONE)) break;
        *gap = fmax(*gap, eri_pair_gap(pair, nearest.normal, vertex));
        if (nearest.distance <= *gap || has_corner(&nearest, vertex)) break;
        add_corner(pair, &simplex, vertex);
    }
    return nearest;
}

static void remember(const eri_simplex *simplex, er_closest_cache *cache)
{
    cache->count = simplex->count;
    for (int k = 0; k < simplex->count; ++k)
        for (int side = 0; side < 2; ++side)
            cache->vertex[side][k] = simplex->vertex[side][k];
}

/// Takes a normal that is known better, where it parts the hulls as far as they are apart.
static bool sharpen(eri_pair *pair, er_vec3 better, double *distance, er_vec3 *normal)
{
    int vertex[2];
    double gap = eri_pair_gap(pair, better, vertex);
    if (gap < *distance - SHARPER * pair->size) return false;
    *distance = gap;
    *normal = better;
    return true;
}

/// The normal of a face next to a support that looks along n, of A's or of B's.
static bool sharpen_by_face(eri_pair *pair, int side, int support, double *distance, er_vec3 *normal)
{
    const er_hull *hull = pair->hull[side];
    if (hull->face_count == 0) return false;
    er_vec3 n = eri_pair_outward(pair, side, *normal);
    for (int s = hull->vertex_start[support]; s < hull->vertex_start[support + 1]; ++s) {
        const er_hull_edge *edge = &hull->edge[hull->vertex_edge[s]];
        int face = edge->face[edge->vertex[0] == support ? 0 : 1];
        if (er_v3_dot(n, hull->plane[face].normal) < 1.0 - LEAN) continue;
        er_vec3 better = er_v3_scale(side == 0 ? 1.0 : -1.0, eri_pair_normal(pair, side, face));
        if (sharpen(pair, better, distance, normal)) return true;
    }
    return false;
}

/// Takes the supports of the widest gap for what is closest, where the hulls touch or overlap.
/// @param sure  they do; otherwise only where no gap says they do not
static void touch(eri_pair *pair, bool sure, eri_simplex *simplex)
{
    er_vec3 normal;
    int vertex[2];
    double gap = eri_pair_widest_gap(pair, &normal);
    if (!sure && gap > 0.0) return;
    eri_pair_gap(pair, normal, vertex);
    simplex->count = 0;
    add_corner(pair, simplex, vertex);
    simplex->share[0] = 1.0;
    simplex->distance = gap;
    simplex->normal = normal;
}

/// The features at both ends of a normal, and the points where they face each other.
static void finish(const eri_pair *pair, const eri_simplex *simplex, double distance, er_vec3 normal,
                   er_closest *closest)
{
    closest->distance = distance;
    closest->normal = normal;
    for (int side = 0; side < 2; ++side) {
        closest->feature[side] = eri_pair_end(pair, side, normal, simplex->count, simplex->vertex[side]);
        closest->point[side] = er_v3(0, 0, 0);
        for (int k = 0; k < simplex->count; ++k)
            closest->point[side] = er_v3_madd(closest->point[side], simplex->share[k],
                                              eri_pair_vertex(pair, side, simplex->vertex[side][k]));
    }
    eri_pair_facing(pair, closest->feature, normal, distance, closest->point);
}

void eri_pair_meeting(const eri_pair *pair, er_vec3 n, double gap, const int *vertex, er_closest *closest)
{
    eri_simplex simplex = {.share = {1.0}};
    add_corner(pair, &simplex, vertex);
    finish(pair, &simplex, gap, n, closest);
}

void eri_pair_closest(eri_pair *pair, er_closest_cache *cache, er_closest *closest)
{
    double gap;
    eri_simplex simplex = nearest_simplex(pair, cache, &gap);
    if (cache != NULL) remember(&simplex, cache);
    bool sure = simplex.distance <= fmax(TOUCH * pair->size, NONE);
    if (sure || simplex.distance > gap + DOUBT * pair->size) touch(pair, sure, &simplex);
    double distance = simplex.distance;
    er_vec3 normal = simplex.normal;
    if (!sharpen_by_face(pair, 0, simplex.vertex[0][0], &distance, &normal))
        sharpen_by_face(pair, 1, simplex.vertex[1][0], &distance, &normal);
    finish(pair, &simplex, distance, normal, closest);
}

void er_hull_closest(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b, er_closest_cache *cache,
                     er_closest *closest)
{
    eri_pair pair = eri_pair_begin(a, pose_a, b, pose_b);
    eri_pair_closest(&pair, cache, closest);
    eri_pair_finish(pose_a, closest->normal, closest->distance, closest);
}
