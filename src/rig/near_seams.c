// Seams that quantization opened (KHR_mesh_quantization, Draco): two rims run side by side, closer than a fraction of
// their edges. The points of both move to their middle, so that the surface closes there.
#include <stdlib.h>

#include "rig/seams.h"

static const double nearest_edges = 1.0 / 3.0; // of the shorter edge
static const double nearest_points = 1e-3;     // of the extent: steps of 11 bits
static const double much_wider = 2.0;          // than the widest seam
enum { MOST_BESIDE = 256 };                    // edges that one is compared with: a tangle of rims is no seam

// An edge that only one triangle has.
typedef struct rim_edge {
    int64_t cell[3]; // of its middle
    int from, to;    // points
    int match;       // the nearest rim edge, -1 without one
    double apart;
} rim_edge;

typedef struct near_seams {
    builder *b;
    int points, rim_count;
    er_vec3 *at;    // [points]
    size_t edges;   // of all triangles
    eri_edge *edge; // [edges], sorted
    rim_edge *rim;  // [rim_count], sorted by cells
    int *same;      // [points], a point that is moved to the same place; roots of a forest
    bool *seam;     // [points], on a seam
    double widest;  // of the seams
} near_seams;

static int by_cell(const void *a, const void *b)
{
    const rim_edge *x = a, *y = b;
    for (int k = 0; k < 3; ++k)
        if (x->cell[k] != y->cell[k]) return x->cell[k] < y->cell[k] ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static double reach_of(const near_seams *n)
{
    return nearest_points * n->b->extent;
}

static er_result find_rims(near_seams *n)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(n->rim, n->b->scratch, rim_edge, n->edges);
    for (size_t i = 0; i < n->edges;) {
        size_t same = i + 1;
        while (same < n->edges && n->edge[same].from == n->edge[i].from && n->edge[same].to == n->edge[i].to)
            ++same;
        if (same == i + 1) {
            er_vec3 middle = er_v3_scale(0.5, er_v3_add(n->at[n->edge[i].from], n->at[n->edge[i].to]));
            const double x[3] = {middle.x, middle.y, middle.z};
            rim_edge *rim = &n->rim[n->rim_count++];
            *rim = (rim_edge){.from = n->edge[i].from, .to = n->edge[i].to, .match = -1, .apart = HUGE_VAL};
            for (int k = 0; k < 3; ++k)
                rim->cell[k] = fabs(x[k] / reach_of(n)) < 1e15 ? (int64_t)floor(x[k] / reach_of(n)) : 0;
        }
        i = same;
    }
    qsort(n->rim, (size_t)n->rim_count, sizeof *n->rim, by_cell);
done:
    return r;
}

static bool has_edge(const near_seams *n, int one, int other)
{
    size_t low = 0, high = n->edges;
    int from = one < other ? one : other, to = one < other ? other : one;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const eri_edge *e = &n->edge[middle];
        if (e->from < from || (e->from == from && e->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low < n->edges && n->edge[low].from == from && n->edge[low].to == to;
}

// How far apart the points of two rims are; HUGE_VAL if they are no seam. The sides of a narrow strip are no seam:
// edges run from one to the other.
static double distance_of(const near_seams *n, const rim_edge *one, const rim_edge *other)
{
    er_vec3 a = n->at[one->from], b = n->at[one->to], c = n->at[other->from], d = n->at[other->to];
    double straight = fmax(er_v3_distance(a, c), er_v3_distance(b, d)),
           crossed = fmax(er_v3_distance(a, d), er_v3_distance(b, c)), apart = fmin(straight, crossed);
    double length = fmin(er_v3_distance(a, b), er_v3_distance(c, d));
    if (apart > fmin(nearest_edges * length, reach_of(n))) return HUGE_VAL;
    bool is_straight = straight <= crossed;
    int first = is_straight ? other->from : other->to, second = is_straight ? other->to : other->from;
    return has_edge(n, one->from, first) || has_edge(n, one->to, second) ? HUGE_VAL : apart;
}

// The first rim edge whose cell is not before a place.
static int first_in(const near_seams *n, const int64_t cell[3])
{
    int low = 0, high = n->rim_count;
    const rim_edge key = {.cell = {cell[0], cell[1], cell[2]}, .from = -1, .to = -1};
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (by_cell(&n->rim[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_match(near_seams *n, int which)
{
    rim_edge *own = &n->rim[which];
    int seen = 0;
    for (int64_t dx = -1; dx <= 1; ++dx)
        for (int64_t dy = -1; dy <= 1; ++dy) {
            // cells that follow each other along z stand together
            const int64_t first[3] = {own->cell[0] + dx, own->cell[1] + dy, own->cell[2] - 1};
            for (int i = first_in(n, first); i < n->rim_count && seen < MOST_BESIDE; ++i) {
                const rim_edge *other = &n->rim[i];
                if (other->cell[0] != first[0] || other->cell[1] != first[1] || other->cell[2] > first[2] + 2) break;
                if (i == which) continue;
                ++seen;
                double apart = distance_of(n, own, other);
                if (!(apart < own->apart)) continue;
                own->apart = apart;
                own->match = i;
            }
        }
}

static int root_of(const near_seams *n, int point)
{
    while (n->same[point] != point)
        point = n->same[point];
    return point;
}

static void unite_points(near_seams *n, int one, int other)
{
    int a = root_of(n, one), b = root_of(n, other);
    n->same[a < b ? b : a] = a < b ? a : b;
    n->seam[one] = n->seam[other] = true;
}

// Unites the points of rims that are nearest to each other.   @return how many seams' edges there are
static int match_rims(near_seams *n)
{
    int found = 0;
    for (int i = 0; i < n->rim_count; ++i)
        find_match(n, i);
    for (int i = 0; i < n->rim_count; ++i) {
        const rim_edge *one = &n->rim[i];
        if (one->match <= i || n->rim[one->match].match != i) continue;
        const rim_edge *other = &n->rim[one->match];
        bool straight = fmax(er_v3_distance(n->at[one->from], n->at[other->from]),
                             er_v3_distance(n->at[one->to], n->at[other->to])) <= one->apart;
        unite_points(n, one->from, straight ? other->from : other->to);
        unite_points(n, one->to, straight ? other->to : other->from);
        n->widest = fmax(n->widest, one->apart);
        ++found;
    }
    return found;
}

// An edge from a seam's point.
typedef struct spoke {
    int hub, tip; // root, point
} spoke;

static int by_hub(const void *a, const void *b)
{
    const spoke *x = a, *y = b;
    return x->hub != y->hub ? x->hub - y->hub : x->tip - y->tip;
}

static er_result list_spokes(const near_seams *n, spoke **out, size_t *count)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(*out, n->b->scratch, spoke, 2 * n->edges);
    for (size_t i = 0; i < n->edges; ++i) {
        const eri_edge *e = &n->edge[i];
        if (n->seam[e->from]) (*out)[(*count)++] = (spoke){root_of(n, e->from), e->to};
        if (n->seam[e->to]) (*out)[(*count)++] = (spoke){root_of(n, e->to), e->from};
    }
    qsort(*out, *count, sizeof **out, by_hub);
done:
    return r;
}

// Where more than two triangles meet, one side of a seam has a rim and the other none. Such a rim goes on from a point
// of a seam: its other end is the nearest that an edge from there has, no farther than seams are wide.
static int follow_rim(near_seams *n, size_t count, const spoke *spokes, int hub, int tip)
{
    size_t low = 0, high = count;
    double nearest = much_wider * n->widest;
    int best = -1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (spokes[middle].hub < root_of(n, hub))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && spokes[low].hub == root_of(n, hub); ++low) {
        int other = spokes[low].tip;
        double apart = er_v3_distance(n->at[tip], n->at[other]);
        if (apart > nearest || root_of(n, other) == root_of(n, tip) || has_edge(n, tip, other)) continue;
        nearest = apart;
        best = other;
    }
    if (best >= 0) unite_points(n, tip, best);
    return best >= 0;
}

static er_result follow_rims(near_seams *n, int *closed)
{
    er_result r = ER_OK;
    spoke *spokes;
    size_t count = 0;
    ERI_TRY(list_spokes(n, &spokes, &count));
    for (int i = 0; i < n->rim_count; ++i) {
        const rim_edge *e = &n->rim[i];
        if (e->match >= 0 && n->rim[e->match].match == i) continue;
        if (n->seam[e->from]) *closed += follow_rim(n, count, spokes, e->from, e->to);
        if (n->seam[e->to]) *closed += follow_rim(n, count, spokes, e->to, e->from);
    }
done:
    return r;
}

// Every vertex moves to the middle of the points that are one, and to its own point: what lies within 1e-6 of the
// extent may be too far apart to be welded in a surface that is smaller.
static er_result move_points(near_seams *n, int count, eri_skin_surface *surface, int *const *point)
{
    er_result r = ER_OK;
    er_vec3 *sum;
    int *parts;
    ERI_TRY_NEW(sum, n->b->scratch, er_vec3, n->points);
    ERI_TRY_NEW(parts, n->b->scratch, int, n->points);
    for (int i = 0; i < n->points; ++i) {
        int root = root_of(n, i);
        sum[root] = er_v3_add(sum[root], n->at[i]);
        ++parts[root];
    }
    for (int s = 0; s < count; ++s) {
        double *position;
        ERI_TRY_NEW(position, n->b->scratch, double, 3 * (size_t)surface[s].vertex_count);
        for (int v = 0; v < surface[s].vertex_count; ++v) {
            int root = root_of(n, point[s][v]);
            er_vec3 at = er_v3_scale(1.0 / parts[root], sum[root]);
            position[3 * (size_t)v] = at.x;
            position[3 * (size_t)v + 1] = at.y;
            position[3 * (size_t)v + 2] = at.z;
        }
        surface[s].position = position;
    }
done:
    return r;
}

er_result eri_rig_close_seams(builder *b, int count, eri_skin_surface *surface, int *closed)
{
    er_result r = ER_OK;
    near_seams n = {.b = b};
    int **point;
    *closed = 0;
    if (count == 0 || !(b->extent > 0.0)) return ER_OK;
    ERI_TRY_NEW(point, b->scratch, int *, count);
    ERI_TRY(eri_rig_number_points(b, count, surface, point, &n.points));
    ERI_TRY(eri_rig_list_edges(b, count, surface, point, &n.edge, &n.edges));
    ERI_TRY_NEW(n.at, b->scratch, er_vec3, n.points);
    ERI_TRY_NEW(n.same, b->scratch, int, n.points);
    ERI_TRY_NEW(n.seam, b->scratch, bool, n.points);
    for (int s = 0; s < count; ++s)
        for (int v = 0; v < surface[s].vertex_count; ++v)
            n.at[point[s][v]] = eri_surface_point(&surface[s], v);
    for (int i = 0; i < n.points; ++i)
        n.same[i] = i;
    ERI_TRY(find_rims(&n));
    *closed = match_rims(&n);
    if (*closed > 0) ERI_TRY(follow_rims(&n, closed));
    ERI_TRY(move_points(&n, count, surface, point));
done:
    return r;
}
