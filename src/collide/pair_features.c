/// @file
/// What two hulls have at their ends along a direction, and where these features face each other.
#include "collide/pair.h"

#define FLATTEST 1e-9      ///< of a hull's radius: what is wanted at an end may lie as far off
#define CORNERS 32         ///< of a face that are looked at, evenly spaced where it has more: any part of it will do
#define MOST (2 * CORNERS) ///< clipping by a half plane adds a corner at most

// ---- Features

int eri_feature_count(const er_hull *hull, er_feature feature)
{
    if (feature.kind == ER_FEATURE_FACE) return hull->face_start[feature.index + 1] - hull->face_start[feature.index];
    return feature.kind == ER_FEATURE_EDGE ? 2 : 1;
}

int eri_feature_vertex(const er_hull *hull, er_feature feature, int k)
{
    if (feature.kind == ER_FEATURE_FACE) return hull->face_vertex[hull->face_start[feature.index] + k];
    return feature.kind == ER_FEATURE_EDGE ? hull->edge[feature.index].vertex[k] : feature.index;
}

/// How far the vertices of a feature are from the plane through one of them.
static double spread(const er_hull *hull, er_feature feature, er_vec3 n, int vertex)
{
    double most = 0.0;
    for (int k = 0; k < eri_feature_count(hull, feature); ++k) {
        er_vec3 x = hull->vertex[eri_feature_vertex(hull, feature, k)];
        most = fmax(most, fabs(er_v3_dot(n, er_v3_sub(x, hull->vertex[vertex]))));
    }
    return most;
}

er_feature eri_pair_end(const eri_pair *pair, int side, er_vec3 normal, int count, const int *vertex)
{
    const er_hull *hull = pair->hull[side];
    er_vec3 n = eri_pair_outward(pair, side, normal);
    double flat = ERI_FLAT * hull->radius, facing = 0.0;
    for (int k = 1; k < count; ++k)
        flat = fmax(flat, spread(hull, (er_feature){ER_FEATURE_VERTEX, vertex[k]}, n, vertex[0]));
    flat = fmin(flat, FLATTEST * hull->radius);
    er_feature end = {ER_FEATURE_VERTEX, vertex[0]};
    double least = flat;
    for (int s = hull->vertex_start[vertex[0]]; s < hull->vertex_start[vertex[0] + 1]; ++s) {
        er_feature edge = {ER_FEATURE_EDGE, hull->vertex_edge[s]};
        double d = spread(hull, edge, n, vertex[0]);
        if (d > flat) continue;
        if (end.kind != ER_FEATURE_FACE && d <= least) {
            end = edge;
            least = d;
        }
        for (int k = 0; k < 2 && hull->face_count > 0; ++k) {
            er_feature face = {ER_FEATURE_FACE, hull->edge[edge.index].face[k]};
            double cosine = er_v3_dot(n, hull->plane[face.index].normal);
            if (cosine > facing && spread(hull, face, n, vertex[0]) <= flat) {
                end = face;
                facing = cosine;
            }
        }
    }
    return end;
}

// ---- Points of features that face each other

typedef struct eri_polygon {
    int count;
    er_vec3 corner[MOST];
} eri_polygon;

static eri_polygon polygon_of(const eri_pair *pair, int side, er_feature feature)
{
    eri_polygon polygon = {0};
    int count = eri_feature_count(pair->hull[side], feature), step = (count + CORNERS - 1) / CORNERS;
    for (int k = 0; k < count; k += step)
        polygon.corner[polygon.count++] = eri_pair_vertex(pair, side, eri_feature_vertex(pair->hull[side], feature, k));
    return polygon;
}

/// Keeps what lies where out . (x - at) <= slack (Sutherland, Hodgman 1974).
static void clip(eri_polygon *polygon, er_vec3 at, er_vec3 out, double slack)
{
    eri_polygon from = *polygon;
    polygon->count = 0;
    for (int k = 0; k < from.count; ++k) {
        er_vec3 p = from.corner[k], q = from.corner[(k + 1) % from.count];
        double height = er_v3_dot(out, er_v3_sub(p, at)) - slack, next = er_v3_dot(out, er_v3_sub(q, at)) - slack;
        if (height <= 0.0 && polygon->count < MOST) polygon->corner[polygon->count++] = p;
        if ((height <= 0.0) != (next <= 0.0) && polygon->count < MOST)
            polygon->corner[polygon->count++] = er_v3_madd(p, height / (height - next), er_v3_sub(q, p));
    }
}

/// The middle of a polygon's outline: it moves evenly as corners do, and corners given twice change nothing.
static er_vec3 middle(const eri_polygon *polygon)
{
    er_vec3 sum = {0};
    double length = 0.0;
    for (int k = 0; k < polygon->count; ++k) {
        er_vec3 p = polygon->corner[k], q = polygon->corner[(k + 1) % polygon->count];
        double l = er_v3_distance(p, q);
        sum = er_v3_madd(sum, 0.5 * l, er_v3_add(p, q));
        length += l;
    }
    return length > 0.0 ? er_v3_scale(1.0 / length, sum) : polygon->corner[0];
}

/// The middle of what one side's feature has above or below the other's.
/// @param n  outward from `side`
/// @return   whether there is any
static bool middle_facing(const eri_pair *pair, int side, const er_feature *feature, er_vec3 n, er_vec3 *point)
{
    eri_polygon mine = polygon_of(pair, side, feature[side]), other = polygon_of(pair, 1 - side, feature[1 - side]);
    double slack = ERI_FLAT * (pair->hull[0]->radius + pair->hull[1]->radius);
    for (int k = 0; k < other.count; ++k) {
        er_vec3 p = other.corner[k], along = er_v3_sub(other.corner[(k + 1) % other.count], p);
        // Around a face that looks along -n; past the ends of an edge.
        er_vec3 out = other.count > 2 ? er_v3_cross(n, along) : er_v3_scale(-1.0, along);
        clip(&mine, p, er_v3_unit(out, out), slack);
    }
    if (mine.count > 0) *point = middle(&mine);
    return mine.count > 0;
}

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

void eri_segments_closest(const er_vec3 *p, const er_vec3 *q, er_vec3 *point)
{
    er_vec3 u = er_v3_sub(p[1], p[0]), v = er_v3_sub(q[1], q[0]), w = er_v3_sub(p[0], q[0]);
    double uu = er_v3_dot(u, u), uv = er_v3_dot(u, v), vv = er_v3_dot(v, v), uw = er_v3_dot(u, w), vw = er_v3_dot(v, w);
    er_vec3 cross = er_v3_cross(u, v);
    double area2 = er_v3_dot(cross, cross);
    double s = area2 > 0.0 ? clamp(er_v3_dot(er_v3_cross(v, w), cross) / area2) : 0.0;
    double t = (uv * s + vw) / vv;
    if (!(t >= 0.0 && t <= 1.0)) {
        t = clamp(t);
        s = clamp((uv * t - uw) / uu);
    }
    point[0] = er_v3_madd(p[0], s, u);
    point[1] = er_v3_madd(q[0], t, v);
}

static bool edges_cross(const er_vec3 *p, const er_vec3 *q)
{
    er_vec3 u = er_v3_sub(p[1], p[0]), v = er_v3_sub(q[1], q[0]);
    return er_v3_norm(er_v3_cross(u, v)) > ERI_PARALLEL * er_v3_norm(u) * er_v3_norm(v);
}

void eri_pair_facing(const eri_pair *pair, const er_feature *feature, er_vec3 n, double gap, er_vec3 *point)
{
    int side = feature[0].kind <= feature[1].kind ? 0 : 1; // of the smaller feature
    if (feature[0].kind == ER_FEATURE_EDGE && feature[1].kind == ER_FEATURE_EDGE) {
        eri_polygon p = polygon_of(pair, 0, feature[0]), q = polygon_of(pair, 1, feature[1]);
        if (edges_cross(p.corner, q.corner)) {
            eri_segments_closest(p.corner, q.corner, point);
            return;
        }
    }
    double away = side == 0 ? 1.0 : -1.0;
    if (feature[side].kind == ER_FEATURE_VERTEX)
        point[side] = eri_pair_vertex(pair, side, feature[side].index);
    else if (!middle_facing(pair, side, feature, er_v3_scale(away, n), &point[side]))
        return;
    point[1 - side] = er_v3_madd(point[side], away * gap, n);
}
