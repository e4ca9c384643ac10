/// @file
/// Where two faces lie before each other, as seen along a normal: the corners of each within the other, and the
/// crossings of their outlines. A corner within a slack of the other's outline is within, so that outlines that fall
/// together do not flicker.
#include "collide/manifold.h"

#include <string.h>

#define CORNERS 32    // of a face that are looked at, evenly spaced where it has more
#define STEEP 0.1     // the cosine below which a face does not face the other shape
#define CROSSING 1e-5 // the sine below which edges do not cross

/// A face or a segment in the plane across the normal: corners counter-clockwise as seen against the normal, with their
/// heights along it.
typedef struct er_outline {
    int count;
    double x[CORNERS], y[CORNERS], height[CORNERS];
    int vertex[CORNERS], edge[CORNERS];
    double size;          ///< how far its corners are from the first
    double slope[2], top; ///< of a face: the height at (x, y) is top + slope . (x, y)
} er_outline;

/// The plane across the normal, around a point of A.
typedef struct er_screen {
    er_vec3 at, x, y, n;
} er_screen;

static er_screen screen_at(er_vec3 at, er_vec3 n)
{
    er_vec3 x = er_v3_perpendicular(n);
    return (er_screen){at, x, er_v3_cross(n, x), n};
}

static void add_corner(er_outline *outline, const er_screen *screen, er_vec3 p, int vertex, int edge)
{
    int k = outline->count++;
    er_vec3 d = er_v3_sub(p, screen->at);
    outline->x[k] = er_v3_dot(d, screen->x);
    outline->y[k] = er_v3_dot(d, screen->y);
    outline->height[k] = er_v3_dot(d, screen->n);
    outline->vertex[k] = vertex;
    outline->edge[k] = edge;
    outline->size = fmax(outline->size, hypot(outline->x[k] - outline->x[0], outline->y[k] - outline->y[0]));
}

/// The face around a vertex that looks most along n, outward from its side; -1: none does.
static int face_along(const er_hull *hull, int vertex, er_vec3 n)
{
    int best = -1;
    double most = STEEP;
    for (int s = hull->vertex_start[vertex]; s < hull->vertex_start[vertex + 1]; ++s) {
        const er_hull_edge *edge = &hull->edge[hull->vertex_edge[s]];
        int f = edge->face[edge->vertex[0] == vertex ? 0 : 1];
        double cosine = er_v3_dot(n, hull->plane[f].normal);
        if (cosine > most) {
            most = cosine;
            best = f;
        }
    }
    return best;
}

static bool outline_of_face(const er_pair *pair, int side, const er_screen *screen, int vertex, er_outline *outline)
{
    const er_hull *hull = pair->hull[side];
    int f = face_along(hull, vertex, er_pair_outward(pair, side, screen->n));
    if (f < 0) return false;
    int start = hull->face_start[f], count = hull->face_start[f + 1] - start, step = (count + CORNERS - 1) / CORNERS;
    outline->count = 0;
    outline->size = 0.0;
    // B's face looks against the normal: its corners are taken backward.
    for (int k = 0; k < count; k += step) {
        int c = side == 0 ? start + k : start + count - 1 - k;
        int edge = side == 0 ? hull->face_edge[c] : hull->face_edge[c > start ? c - 1 : start + count - 1];
        add_corner(outline, screen, er_pair_vertex(pair, side, hull->face_vertex[c]), hull->face_vertex[c], edge);
    }
    er_vec3 m = er_pair_normal(pair, side, f);
    double up = er_v3_dot(m, screen->n);
    outline->slope[0] = -er_v3_dot(m, screen->x) / up;
    outline->slope[1] = -er_v3_dot(m, screen->y) / up;
    outline->top = outline->height[0] - outline->slope[0] * outline->x[0] - outline->slope[1] * outline->y[0];
    return true;
}

static bool outline_of(const er_pair *pair, int side, const er_screen *screen, int vertex, er_outline *outline)
{
    const er_hull *hull = pair->hull[side];
    if (hull->face_count > 0) return outline_of_face(pair, side, screen, vertex, outline);
    outline->count = 0;
    outline->size = 0.0;
    for (int v = 0; v < hull->vertex_count; ++v)
        add_corner(outline, screen, er_pair_vertex(pair, side, v), v, 0);
    return true;
}

static double height_at(const er_outline *face, double x, double y)
{
    return face->top + face->slope[0] * x + face->slope[1] * y;
}

/// Whether a point lies in a face, or out of it by no more than the slack.
static bool holds(const er_outline *face, double x, double y, double slack)
{
    for (int k = 0, from = face->count - 1; k < face->count; from = k++) {
        double ux = face->x[k] - face->x[from], uy = face->y[k] - face->y[from];
        double out = (x - face->x[from]) * uy - (y - face->y[from]) * ux;
        if (out > slack * sqrt(ux * ux + uy * uy)) return false;
    }
    return true;
}

/// What is found on the screen: places, with the heights of A and B there.
typedef struct er_found {
    const er_screen *screen;
    er_spots *spots;
    double most, slack;
    int count;
    double x[ER_SPOTS], y[ER_SPOTS];
} er_found;

static bool is_new(const er_found *found, double x, double y)
{
    for (int k = 0; k < found->count; ++k)
        if (fabs(x - found->x[k]) <= 2.0 * found->slack && fabs(y - found->y[k]) <= 2.0 * found->slack) return false;
    return true;
}

static void find(er_found *found, double x, double y, double a, double b, uint64_t feature)
{
    if (found->count == ER_SPOTS || b - a > found->most || !is_new(found, x, y)) return;
    const er_screen *s = found->screen;
    er_vec3 at = er_v3_madd(er_v3_madd(er_v3_madd(s->at, x, s->x), y, s->y), a, s->n);
    found->x[found->count] = x;
    found->y[found->count++] = y;
    er_spots_add(found->spots, at, b - a, feature);
}

static void find_crossings(er_found *found, const er_outline *a, const er_outline *b)
{
    int a_edges = a->count > 2 ? a->count : a->count - 1;
    for (int i = 0; i < a_edges; ++i) {
        int i2 = (i + 1) % a->count;
        double ux = a->x[i2] - a->x[i], uy = a->y[i2] - a->y[i], u = ux * ux + uy * uy;
        for (int j = 0; j < b->count; ++j) {
            int j2 = j + 1 < b->count ? j + 1 : 0;
            double vx = b->x[j2] - b->x[j], vy = b->y[j2] - b->y[j];
            double wx = b->x[j] - a->x[i], wy = b->y[j] - a->y[i];
            double cross = ux * vy - uy * vx, s = wx * vy - wy * vx, t = wx * uy - wy * ux;
            if (cross < 0.0) {
                cross = -cross;
                s = -s;
                t = -t;
            }
            if (!(s > 0.0 && s < cross && t > 0.0 && t < cross)) continue;
            if (cross * cross <= CROSSING * CROSSING * u * (vx * vx + vy * vy)) continue;
            s /= cross;
            t /= cross;
            find(found, a->x[i] + s * ux, a->y[i] + s * uy, a->height[i] + s * (a->height[i2] - a->height[i]),
                 b->height[j] + t * (b->height[j2] - b->height[j]),
                 er_feature_id(ER_MEET_EDGES, a->edge[i], b->edge[j]));
        }
    }
}

static void find_all(er_found *found, const er_outline *a, const er_outline *b)
{
    for (int i = 0; i < a->count; ++i)
        if (holds(b, a->x[i], a->y[i], found->slack))
            find(found, a->x[i], a->y[i], a->height[i], height_at(b, a->x[i], a->y[i]),
                 er_feature_id(ER_MEET_VERTEX_A, a->vertex[i], 0));
    for (int j = 0; a->count > 2 && j < b->count; ++j)
        if (holds(a, b->x[j], b->y[j], found->slack))
            find(found, b->x[j], b->y[j], height_at(a, b->x[j], b->y[j]), b->height[j],
                 er_feature_id(ER_MEET_VERTEX_B, 0, b->vertex[j]));
    if (a->count > 1) find_crossings(found, a, b);
}

void er_manifold(er_pair *pair, er_vec3 n, double gap, const int *vertex, double most, const er_closest *closest,
                 er_spots *spots)
{
    er_screen screen = screen_at(er_pair_vertex(pair, 0, vertex[0]), n);
    er_outline a, b;
    spots->count = 0;
    double slack = ER_FLAT * pair->size, deepest = HUGE_VAL;
    if (outline_of(pair, 0, &screen, vertex[0], &a) && outline_of(pair, 1, &screen, vertex[1], &b)) {
        double size = a.count > 1 ? fmin(a.size, b.size) : b.size;
        er_found found = {.screen = &screen, .spots = spots, .most = most, .slack = ER_SLACK * size};
        slack = fmax(slack, found.slack);
        find_all(&found, &a, &b);
    }
    for (int k = 0; k < spots->count; ++k)
        deepest = fmin(deepest, spots->spot[k].distance);
    if (deepest > gap + slack) {
        er_closest meeting;
        if (closest == NULL) er_pair_meeting(pair, n, gap, vertex, &meeting);
        er_spots_add(spots, closest == NULL ? meeting.point[0] : closest->point[0], gap, 0);
    }
    er_spots_reduce(spots, n, slack);
}

// ---- The four that matter

/// Chooses the greatest, of those alike the farthest along the skew direction.
static int choose(const er_spots *spots, const double *score, double slack)
{
    int best = 0;
    double most = score[0];
    for (int k = 1; k < spots->count; ++k)
        most = fmax(most, score[k]);
    double far = -HUGE_VAL;
    for (int k = 0; k < spots->count; ++k) {
        double along = er_v3_dot(spots->skew, spots->spot[k].at);
        if (score[k] >= most - slack && along > far) {
            far = along;
            best = k;
        }
    }
    return best;
}

static void score_depth(const er_spots *spots, double *score)
{
    for (int k = 0; k < spots->count; ++k)
        score[k] = -spots->spot[k].distance;
}

static void score_distance(const er_spots *spots, er_vec3 from, double *score)
{
    for (int k = 0; k < spots->count; ++k)
        score[k] = er_v3_distance(spots->spot[k].at, from);
}

/// How far to the left of the line from p to q, as seen against n.
static double left_of(er_vec3 p, er_vec3 q, er_vec3 n, er_vec3 x)
{
    er_vec3 u = er_v3_sub(q, p);
    return er_v3_dot(er_v3_cross(n, er_v3_unit(u, u)), er_v3_sub(x, p));
}

static void score_aside(const er_spots *spots, er_vec3 p, er_vec3 q, er_vec3 n, double *score)
{
    for (int k = 0; k < spots->count; ++k)
        score[k] = fabs(left_of(p, q, n, spots->spot[k].at));
}

/// How far out of a triangle.
static void score_outside(const er_spots *spots, const er_vec3 *corner, er_vec3 n, double *score)
{
    double turn = left_of(corner[0], corner[1], n, corner[2]) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < spots->count; ++k) {
        score[k] = -HUGE_VAL;
        for (int e = 0; e < 3; ++e)
            score[k] = fmax(score[k], -turn * left_of(corner[e], corner[(e + 1) % 3], n, spots->spot[k].at));
    }
}

void er_spots_reduce(er_spots *spots, er_vec3 n, double slack)
{
    if (spots->count <= ER_KEPT) return;
    double score[ER_SPOTS];
    er_vec3 corner[3];
    int kept[ER_KEPT], count = 0;
    for (; count < ER_KEPT; ++count) {
        if (count == 0) score_depth(spots, score);
        if (count == 1) score_distance(spots, corner[0], score);
        if (count == 2) score_aside(spots, corner[0], corner[1], n, score);
        if (count == 3) score_outside(spots, corner, n, score);
        int best = choose(spots, score, slack);
        if (count > 0 && !(score[best] > slack)) break;
        kept[count] = best;
        if (count < 3) corner[count] = spots->spot[best].at;
    }
    er_spot spot[ER_KEPT];
    for (int k = 0; k < count; ++k)
        spot[k] = spots->spot[kept[k]];
    memcpy(spots->spot, spot, (size_t)count * sizeof *spot);
    spots->count = count;
}
