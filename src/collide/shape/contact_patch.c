/// @file
/// The overlap of two faces seen along a normal: the corners of each within the other, and the crossings of their
/// outlines. A corner within a slack of the other's outline is within, so that coinciding outlines do not flicker.
#include "collide/shape/contact_patch.h"

#include <string.h>

#define STEEP 0.1     // the cosine below which a face does not face the other shape
#define CROSSING 1e-5 // the sine below which edges do not cross
#define ALONG 0.01    // the squared sine below which segments lie along each other

eri_projection eri_projection_at(er_vec3 at, er_vec3 n)
{
    er_vec3 x = er_v3_perpendicular(n);
    return (eri_projection){at, x, er_v3_cross(n, x), n};
}

void eri_outline_begin(eri_outline *outline)
{
    outline->count = 0;
    outline->size = 0.0;
}

void eri_outline_add(eri_outline *outline, const eri_projection *screen, er_vec3 p, int vertex, int edge)
{
    int k = outline->count++;
    er_vec3 d = er_v3_sub(p, screen->at);
    outline->x[k] = er_v3_dot(d, screen->x);
    outline->y[k] = er_v3_dot(d, screen->y);
    outline->height[k] = er_v3_dot(d, screen->n);
    outline->vertex[k] = vertex;
    outline->edge[k] = edge;
    double x = outline->x[k] - outline->x[0], y = outline->y[k] - outline->y[0];
    outline->size = eri_max(outline->size, sqrt(x * x + y * y));
}

void eri_outline_slope(eri_outline *outline, const eri_projection *screen, er_vec3 m)
{
    double up = er_v3_dot(m, screen->n);
    outline->slope[0] = -er_v3_dot(m, screen->x) / up;
    outline->slope[1] = -er_v3_dot(m, screen->y) / up;
    outline->top = outline->height[0] - outline->slope[0] * outline->x[0] - outline->slope[1] * outline->y[0];
}

/// The face of a feature, or at it, that looks most along n, outward from its side; -1: none does.
static int face_along(const er_hull *hull, er_feature end, er_vec3 n)
{
    if (end.kind == ER_FEATURE_FACE) return end.index;
    bool edge = end.kind == ER_FEATURE_EDGE;
    int best = -1, first = edge ? 0 : hull->vertex_start[end.index],
        last = edge ? 2 : hull->vertex_start[end.index + 1];
    double most = STEEP;
    for (int s = first; s < last; ++s) {
        const er_hull_edge *spoke = &hull->edge[edge ? end.index : hull->vertex_edge[s]];
        int f = spoke->face[edge ? s : spoke->vertex[0] == end.index ? 0 : 1];
        double cosine = er_v3_dot(n, hull->plane[f].normal);
        if (cosine > most) {
            most = cosine;
            best = f;
        }
    }
    return best;
}

static bool outline_of_face(const eri_pair *pair, int side, const eri_projection *screen, er_feature end,
                            eri_outline *outline)
{
    const er_hull *hull = pair->hull[side];
    int f = face_along(hull, end, eri_pair_outward(pair, side, screen->n));
    if (f < 0) return false;
    int start = hull->face_start[f], count = hull->face_start[f + 1] - start;
    int step = (count + ERI_CORNERS - 1) / ERI_CORNERS;
    // B's face looks against the normal: its corners are taken backward.
    for (int k = 0; k < count; k += step) {
        int c = side == 0 ? start + k : start + count - 1 - k;
        int edge = side == 0 ? hull->face_edge[c] : hull->face_edge[c > start ? c - 1 : start + count - 1];
        eri_outline_add(outline, screen, eri_pair_vertex(pair, side, hull->face_vertex[c]), hull->face_vertex[c], edge);
    }
    eri_outline_slope(outline, screen, eri_pair_normal(pair, side, f));
    return true;
}

bool eri_outline_of(const eri_pair *pair, int side, const eri_projection *screen, er_feature end, eri_outline *outline)
{
    const er_hull *hull = pair->hull[side];
    eri_outline_begin(outline);
    if (hull->face_count > 0) return outline_of_face(pair, side, screen, end, outline);
    for (int v = 0; v < hull->vertex_count; ++v)
        eri_outline_add(outline, screen, eri_pair_vertex(pair, side, v), v, 0);
    return hull->vertex_count > 1;
}

static double height_at(const eri_outline *face, double x, double y)
{
    return face->top + face->slope[0] * x + face->slope[1] * y;
}

/// Whether a point lies in a face, or out of it by no more than the slack.
static bool holds(const eri_outline *face, double x, double y, double slack)
{
    for (int k = 0, from = face->count - 1; k < face->count; from = k++) {
        double ux = face->x[k] - face->x[from], uy = face->y[k] - face->y[from];
        double out = (x - face->x[from]) * uy - (y - face->y[from]) * ux;
        if (out > slack * sqrt(ux * ux + uy * uy)) return false;
    }
    return true;
}

/// Points found in the projection, with the heights of A and B there.
typedef struct eri_crossings {
    const eri_projection *screen;
    eri_patch *patch;
    double most, slack;
    int count;
    double x[ERI_PATCH_MAX], y[ERI_PATCH_MAX];
} eri_crossings;

static bool is_new(const eri_crossings *found, double x, double y)
{
    for (int k = 0; k < found->count; ++k)
        if (fabs(x - found->x[k]) <= 2.0 * found->slack && fabs(y - found->y[k]) <= 2.0 * found->slack) return false;
    return true;
}

static er_vec3 on_screen(const eri_projection *s, double x, double y, double height)
{
    return er_v3_madd(er_v3_madd(er_v3_madd(s->at, x, s->x), y, s->y), height, s->n);
}

static void find(eri_crossings *found, double x, double y, double a, double b, uint64_t feature)
{
    if (found->count == ERI_PATCH_MAX || b - a > found->most || !is_new(found, x, y)) return;
    found->x[found->count] = x;
    found->y[found->count++] = y;
    eri_patch_add(found->patch, on_screen(found->screen, x, y, a), b - a, found->screen->n, feature);
}

static int edges_of(const eri_outline *outline)
{
    return outline->count > 2 ? outline->count : 1;
}

static void find_crossings(eri_crossings *found, const eri_outline *a, const eri_outline *b)
{
    for (int i = 0; i < edges_of(a); ++i) {
        int i2 = i + 1 < a->count ? i + 1 : 0;
        double ux = a->x[i2] - a->x[i], uy = a->y[i2] - a->y[i], u = ux * ux + uy * uy;
        for (int j = 0; j < edges_of(b); ++j) {
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
                 eri_feature_id(ERI_FEATURES_EDGES, a->edge[i], b->edge[j]));
        }
    }
}

/// The ends of a segment before another one that lies along it: beside each other, they need not cross.
static void find_ends(eri_crossings *found, const eri_outline *own, const eri_outline *other, eri_feature_kinds meet)
{
    double ux = other->x[1] - other->x[0], uy = other->y[1] - other->y[0], u2 = ux * ux + uy * uy;
    int side = meet == ERI_FEATURES_VERTEX_A ? 0 : 1;
    for (int k = 0; k < 2; ++k) {
        double t = ((own->x[k] - other->x[0]) * ux + (own->y[k] - other->y[0]) * uy) / u2;
        if (!(t >= -ERI_SLACK && t <= 1.0 + ERI_SLACK)) continue;
        double height = other->height[0] + t * (other->height[1] - other->height[0]);
        double gap = side == 0 ? height - own->height[k] : own->height[k] - height;
        if (gap > found->most || !is_new(found, own->x[k], own->y[k])) continue;
        found->x[found->count] = own->x[k];
        found->y[found->count++] = own->y[k];
        eri_patch_point *point = &found->patch->point[found->patch->count++];
        point->at[side] = on_screen(found->screen, own->x[k], own->y[k], own->height[k]);
        point->at[1 - side] = on_screen(found->screen, other->x[0] + t * ux, other->y[0] + t * uy, height);
        point->distance = gap;
        point->feature = eri_feature_id(meet, own->vertex[k], 0);
    }
}

/// The corners of a face that a segment goes through.
static void find_through(eri_crossings *found, const eri_outline *segment, const eri_outline *face,
                         eri_feature_kinds meet)
{
    double ux = segment->x[1] - segment->x[0], uy = segment->y[1] - segment->y[0], u2 = ux * ux + uy * uy;
    for (int k = 0; k < face->count; ++k) {
        double x = face->x[k] - segment->x[0], y = face->y[k] - segment->y[0], t = (x * ux + y * uy) / u2;
        double aside = x * uy - y * ux;
        if (!(t >= 0.0 && t <= 1.0) || aside * aside > found->slack * found->slack * u2) continue;
        double height = segment->height[0] + t * (segment->height[1] - segment->height[0]);
        if (meet == ERI_FEATURES_VERTEX_A)
            find(found, face->x[k], face->y[k], face->height[k], height, eri_feature_id(meet, face->vertex[k], 0));
        else
            find(found, face->x[k], face->y[k], height, face->height[k], eri_feature_id(meet, 0, face->vertex[k]));
    }
}

static bool lie_along(const eri_outline *a, const eri_outline *b)
{
    double ux = a->x[1] - a->x[0], uy = a->y[1] - a->y[0], vx = b->x[1] - b->x[0], vy = b->y[1] - b->y[0];
    double cross = ux * vy - uy * vx;
    return cross * cross < ALONG * (ux * ux + uy * uy) * (vx * vx + vy * vy);
}

double eri_outlines_overlap(const eri_projection *screen, const eri_outline *a, const eri_outline *b, double most,
                            eri_patch *patch)
{
    double slack = ERI_SLACK * eri_min(a->size, b->size);
    eri_crossings found = {.screen = screen, .patch = patch, .most = most, .slack = slack};
    if (a->count == 2 && b->count == 2) {
        if (lie_along(a, b)) {
            find_ends(&found, a, b, ERI_FEATURES_VERTEX_A);
            find_ends(&found, b, a, ERI_FEATURES_VERTEX_B);
        }
        find_crossings(&found, a, b);
        return slack;
    }
    for (int i = 0; b->count > 2 && i < a->count; ++i)
        if (holds(b, a->x[i], a->y[i], slack))
            find(&found, a->x[i], a->y[i], a->height[i], height_at(b, a->x[i], a->y[i]),
                 eri_feature_id(ERI_FEATURES_VERTEX_A, a->vertex[i], 0));
    for (int j = 0; a->count > 2 && j < b->count; ++j)
        if (holds(a, b->x[j], b->y[j], slack))
            find(&found, b->x[j], b->y[j], height_at(a, b->x[j], b->y[j]), b->height[j],
                 eri_feature_id(ERI_FEATURES_VERTEX_B, 0, b->vertex[j]));
    if (a->count == 2) find_through(&found, a, b, ERI_FEATURES_VERTEX_B);
    if (b->count == 2) find_through(&found, b, a, ERI_FEATURES_VERTEX_A);
    find_crossings(&found, a, b);
    return slack;
}

double eri_patch_min_distance(const eri_patch *patch)
{
    double least = HUGE_VAL;
    for (int k = 0; k < patch->count; ++k)
        least = eri_min(least, patch->point[k].distance);
    return least;
}

// ---- The four that matter

/// Chooses the greatest, of those alike the farthest along the skew direction.
static int choose(const eri_patch *patch, const double *score, double slack)
{
    int best = 0;
    double most = score[0];
    for (int k = 1; k < patch->count; ++k)
        most = eri_max(most, score[k]);
    double far = -HUGE_VAL;
    for (int k = 0; k < patch->count; ++k) {
        double along = er_v3_dot(patch->skew, patch->point[k].at[0]);
        if (score[k] >= most - slack && along > far) {
            far = along;
            best = k;
        }
    }
    return best;
}

static void score_depth(const eri_patch *patch, double *score)
{
    for (int k = 0; k < patch->count; ++k)
        score[k] = -patch->point[k].distance;
}

static void score_distance(const eri_patch *patch, er_vec3 from, double *score)
{
    for (int k = 0; k < patch->count; ++k)
        score[k] = er_v3_distance(patch->point[k].at[0], from);
}

/// How far to the left of the line from p to q, as seen against n.
static double left_of(er_vec3 p, er_vec3 q, er_vec3 n, er_vec3 x)
{
    er_vec3 u = er_v3_sub(q, p);
    return er_v3_dot(er_v3_cross(n, er_v3_unit(u, u)), er_v3_sub(x, p));
}

static void score_aside(const eri_patch *patch, er_vec3 p, er_vec3 q, er_vec3 n, double *score)
{
    for (int k = 0; k < patch->count; ++k)
        score[k] = fabs(left_of(p, q, n, patch->point[k].at[0]));
}

/// How far out of a triangle.
static void score_outside(const eri_patch *patch, const er_vec3 *corner, er_vec3 n, double *score)
{
    double turn = left_of(corner[0], corner[1], n, corner[2]) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < patch->count; ++k) {
        score[k] = -HUGE_VAL;
        for (int e = 0; e < 3; ++e)
            score[k] = eri_max(score[k], -turn * left_of(corner[e], corner[(e + 1) % 3], n, patch->point[k].at[0]));
    }
}

void eri_patch_reduce(eri_patch *patch, er_vec3 n, double slack)
{
    if (patch->count <= ERI_KEPT) return;
    double score[ERI_PATCH_MAX];
    er_vec3 corner[3];
    int kept[ERI_KEPT], count = 0;
    for (; count < ERI_KEPT; ++count) {
        if (count == 0) score_depth(patch, score);
        if (count == 1) score_distance(patch, corner[0], score);
        if (count == 2) score_aside(patch, corner[0], corner[1], n, score);
        if (count == 3) score_outside(patch, corner, n, score);
        int best = choose(patch, score, slack);
        if (count > 0 && !(score[best] > slack)) break;
        kept[count] = best;
        if (count < 3) corner[count] = patch->point[best].at[0];
    }
    eri_patch_point point[ERI_KEPT];
    for (int k = 0; k < count; ++k)
        point[k] = patch->point[kept[k]];
    memcpy(patch->point, point, (size_t)count * sizeof *point);
    patch->count = count;
}
