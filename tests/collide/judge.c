/// @file
/// Distances and depths of hulls by trying everything, in long double.
#include "collide/judge.h"

#include <stdlib.h>

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;

static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec madd(vec a, real s, vec b)
{
    return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A hull's vertices in the world, and its faces as triangles.
typedef struct solid {
    const er_hull *hull;
    vec *vertex;
    int triangle_count;
    int (*triangle)[3];
} solid;

static vec place(er_pose pose, er_vec3 v)
{
    vec x = {v.x, v.y, v.z}, u = {pose.q.x, pose.q.y, pose.q.z};
    real w = pose.q.w, norm2 = w * w + dot(u, u);
    vec t = cross(u, x), turned = madd(madd(x, 2 * w / norm2, t), 2 / norm2, cross(u, t));
    return madd((vec){pose.p.x, pose.p.y, pose.p.z}, 1, turned);
}

static solid solid_of(const er_hull *hull, er_pose pose)
{
    solid s = {hull, malloc((size_t)hull->vertex_count * sizeof(vec)), 0,
               malloc((size_t)hull->edge_count * 2 * sizeof(int[3]))};
    for (int v = 0; v < hull->vertex_count; ++v)
        s.vertex[v] = place(pose, hull->vertex[v]);
    for (int f = 0; f < hull->face_count; ++f)
        for (int c = hull->face_start[f] + 1; c + 1 < hull->face_start[f + 1]; ++c) {
            int *t = s.triangle[s.triangle_count++];
            t[0] = hull->face_vertex[hull->face_start[f]];
            t[1] = hull->face_vertex[c];
            t[2] = hull->face_vertex[c + 1];
        }
    return s;
}

static void solid_free(solid *s)
{
    free(s->vertex);
    free(s->triangle);
}

static real clamp(real x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/// Squared, of a point and a segment.
static real point_segment(vec x, vec p, vec q)
{
    vec u = sub(q, p);
    vec d = sub(x, madd(p, clamp(dot(sub(x, p), u) / dot(u, u)), u));
    return dot(d, d);
}

static real point_triangle(vec x, vec a, vec b, vec c)
{
    vec n = cross(sub(b, a), sub(c, a));
    real n2 = dot(n, n), height = dot(sub(x, a), n);
    bool inside = dot(cross(sub(b, a), sub(x, a)), n) >= 0 && dot(cross(sub(c, b), sub(x, b)), n) >= 0 &&
                  dot(cross(sub(a, c), sub(x, c)), n) >= 0;
    if (inside && n2 > 0) return height * height / n2;
    real d = fminl(point_segment(x, a, b), point_segment(x, b, c));
    return fminl(d, point_segment(x, c, a));
}

/// The ends against the other segment, and the crossing as seen along the common normal.
static real segment_segment(vec p, vec q, vec r, vec s)
{
    real d = fminl(fminl(point_segment(p, r, s), point_segment(q, r, s)),
                   fminl(point_segment(r, p, q), point_segment(s, p, q)));
    vec u = sub(q, p), v = sub(s, r), w = sub(r, p), n = cross(u, v);
    real n2 = dot(n, n);
    if (n2 > 0) {
        real a = dot(cross(w, v), n) / n2, b = dot(cross(w, u), n) / n2;
        if (a > 0 && a < 1 && b > 0 && b < 1) d = fminl(d, dot(w, n) * dot(w, n) / n2);
    }
    return d;
}

double judge_distance(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b)
{
    solid s[2] = {solid_of(a, pose_a), solid_of(b, pose_b)};
    real d = HUGE_VALL;
    for (int side = 0; side < 2; ++side)
        for (int t = 0; t < s[side].triangle_count; ++t) {
            const int *c = s[side].triangle[t];
            const vec *p = s[side].vertex;
            for (int v = 0; v < s[1 - side].hull->vertex_count; ++v)
                d = fminl(d, point_triangle(s[1 - side].vertex[v], p[c[0]], p[c[1]], p[c[2]]));
        }
    for (int i = 0; i < a->edge_count; ++i)
        for (int j = 0; j < b->edge_count; ++j) {
            const int *e = a->edge[i].vertex, *f = b->edge[j].vertex;
            d = fminl(d, segment_segment(s[0].vertex[e[0]], s[0].vertex[e[1]], s[1].vertex[f[0]], s[1].vertex[f[1]]));
        }
    solid_free(&s[0]);
    solid_free(&s[1]);
    return (double)sqrtl(d);
}

static real gap_along(const solid *s, vec n)
{
    real most = -HUGE_VALL, least = HUGE_VALL, length = sqrtl(dot(n, n));
    if (!(length > 0)) return -HUGE_VALL;
    vec at = s[0].vertex[0];
    for (int v = 0; v < s[0].hull->vertex_count; ++v)
        most = fmaxl(most, dot(n, sub(s[0].vertex[v], at)));
    for (int v = 0; v < s[1].hull->vertex_count; ++v)
        least = fminl(least, dot(n, sub(s[1].vertex[v], at)));
    return (least - most) / length;
}

double judge_gap(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b)
{
    solid s[2] = {solid_of(a, pose_a), solid_of(b, pose_b)};
    real gap = -HUGE_VALL;
    for (int side = 0; side < 2; ++side)
        for (int t = 0; t < s[side].triangle_count; ++t) {
            const int *c = s[side].triangle[t];
            const vec *p = s[side].vertex;
            vec n = cross(sub(p[c[1]], p[c[0]]), sub(p[c[2]], p[c[0]]));
            gap = fmaxl(gap, gap_along(s, madd((vec){0}, side == 0 ? 1 : -1, n)));
        }
    for (int i = 0; i < a->edge_count; ++i)
        for (int j = 0; j < b->edge_count; ++j) {
            const int *e = a->edge[i].vertex, *f = b->edge[j].vertex;
            vec u = sub(s[0].vertex[e[1]], s[0].vertex[e[0]]), v = sub(s[1].vertex[f[1]], s[1].vertex[f[0]]);
            vec n = cross(u, v);
            if (dot(n, n) < 1e-20L * dot(u, u) * dot(v, v)) continue; // parallel: a face's normal serves
            gap = fmaxl(gap, fmaxl(gap_along(s, n), gap_along(s, madd((vec){0}, -1, n))));
        }
    solid_free(&s[0]);
    solid_free(&s[1]);
    return (double)gap;
}

/// The vertices of a feature in the world.   @return how many
static int corners(const er_hull *hull, er_pose pose, er_feature f, vec *out)
{
    int count = 0;
    if (f.kind == ER_FEATURE_VERTEX) out[count++] = place(pose, hull->vertex[f.index]);
    if (f.kind == ER_FEATURE_EDGE)
        for (int k = 0; k < 2; ++k)
            out[count++] = place(pose, hull->vertex[hull->edge[f.index].vertex[k]]);
    if (f.kind == ER_FEATURE_FACE)
        for (int c = hull->face_start[f.index]; c < hull->face_start[f.index + 1]; ++c)
            out[count++] = place(pose, hull->vertex[hull->face_vertex[c]]);
    return count;
}

double judge_features(const er_hull *a, er_pose pose_a, er_feature fa, const er_hull *b, er_pose pose_b, er_feature fb)
{
    vec p[2][500];
    int n[2] = {corners(a, pose_a, fa, p[0]), corners(b, pose_b, fb, p[1])};
    real d = HUGE_VALL;
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < n[side]; ++i)
            for (int k = 0; k + 2 < n[1 - side]; ++k)
                d = fminl(d, point_triangle(p[side][i], p[1 - side][0], p[1 - side][k + 1], p[1 - side][k + 2]));
    for (int i = 0; i < n[0]; ++i)
        for (int j = 0; j < n[1]; ++j) {
            vec x = p[0][i], y = p[1][j], w = sub(x, y);
            d = fminl(d, dot(w, w));
            if (n[0] > 1) d = fminl(d, point_segment(y, x, p[0][(i + 1) % n[0]]));
            if (n[1] > 1) d = fminl(d, point_segment(x, y, p[1][(j + 1) % n[1]]));
            if (n[0] > 1 && n[1] > 1) d = fminl(d, segment_segment(x, p[0][(i + 1) % n[0]], y, p[1][(j + 1) % n[1]]));
        }
    return (double)sqrtl(d);
}
