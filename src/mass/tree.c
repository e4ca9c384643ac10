#include "mass/tree.h"

#include <float.h>

#define STACK 64 // halving splits: depth <= log2(faces) + 1

static er_vec3 face_point(const er_solid *solid, int face, int corner)
{
    return solid->position[solid->face[face].vertex[corner]];
}

static double middle(const er_solid *solid, int face, int axis)
{
    return er_axis(face_point(solid, face, 0), axis) + er_axis(face_point(solid, face, 1), axis) +
           er_axis(face_point(solid, face, 2), axis);
}

// Hoare's selection: afterwards order[0 .. half) <= order[half] <= the rest.
static void split_in_halves(const er_solid *solid, int *order, int count, int half, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = middle(solid, order[low + (high - low) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(solid, order[i], axis) < pivot)
                ++i;
            while (middle(solid, order[j], axis) > pivot)
                --j;
            if (i <= j) {
                int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static void cover(const er_solid *solid, const int *order, int count, er_tree_node *node)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k] = DBL_MAX;
        node->high[k] = -DBL_MAX;
    }
    node->finest = DBL_MAX;
    node->owner = solid->face[order[0]].owner;
    for (int i = 0; i < count; ++i) {
        const er_face *face = &solid->face[order[i]];
        node->finest = fmin(node->finest, face->grain);
        if (face->owner != node->owner) node->owner = -1;
        for (int corner = 0; corner < 3; ++corner)
            for (int k = 0; k < 3; ++k) {
                double x = er_axis(solid->position[face->vertex[corner]], k);
                node->low[k] = fmin(node->low[k], x);
                node->high[k] = fmax(node->high[k], x);
            }
    }
}

// Writes the subtree of order[0 .. count) from node `at` on; returns the first node after it.
static int build(er_tree *tree, int at, int *order, int count)
{
    er_tree_node *node = &tree->node[at];
    cover(tree->solid, order, count, node);
    node->face = count == 1 ? order[0] : -1;
    if (count == 1) return at + 1;
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis]) axis = k;
    int half = count / 2;
    split_in_halves(tree->solid, order, count, half, axis);
    node->second = build(tree, at + 1, order, half);
    return build(tree, node->second, order + half, count - half);
}

er_result er_tree_build(er_arena *arena, const er_solid *solid, er_tree **out)
{
    er_result r = ER_OK;
    er_tree *tree = NULL;
    int *order = NULL;
    *out = NULL;
    ER_TRY_NEW(tree, arena, er_tree, 1);
    ER_TRY_NEW(tree->node, arena, er_tree_node, 2 * (size_t)solid->face_count);
    ER_TRY_NEW(order, arena, int, solid->face_count);
    for (int i = 0; i < solid->face_count; ++i)
        order[i] = i;
    tree->solid = solid;
    build(tree, 0, order, solid->face_count);
    *out = tree;
done:
    return r;
}

// How far x lies outside [low, high]; unlike fmax() the comparisons become single instructions.
static double outside(double low, double high, double x)
{
    double below = low - x, above = x - high, most = below > above ? below : above;
    return most > 0.0 ? most : 0.0;
}

static double box_distance2(const er_tree_node *node, er_vec3 x)
{
    double dx = outside(node->low[0], node->high[0], x.x);
    double dy = outside(node->low[1], node->high[1], x.y);
    double dz = outside(node->low[2], node->high[2], x.z);
    return dx * dx + dy * dy + dz * dz;
}

// Keeps the point of the edge opposite to `corner` where it is nearer.
static void try_edge(const er_vec3 *p, int corner, er_vec3 x, er_nearest *best, int face)
{
    int i = (corner + 1) % 3, j = (corner + 2) % 3;
    er_vec3 edge = er_v3_sub(p[j], p[i]);
    double length2 = er_v3_dot(edge, edge);
    double t = length2 > 0.0 ? er_v3_dot(er_v3_sub(x, p[i]), edge) / length2 : 0.0;
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    er_vec3 d = er_v3_sub(x, er_v3_madd(p[i], t, edge));
    double distance2 = er_v3_dot(d, d);
    if (distance2 >= best->distance2) return;
    best->face = face;
    best->distance2 = distance2;
    best->share[corner] = 0.0;
    best->share[i] = 1.0 - t;
    best->share[j] = t;
}

// Barycentric coordinates of the foot on the plane; where one is negative the nearest point is on an edge opposite to
// such a corner, because the way from x to the triangle crosses that edge.
static void try_face(const er_solid *solid, int face, er_vec3 x, er_nearest *best)
{
    er_vec3 p[3] = {face_point(solid, face, 0), face_point(solid, face, 1), face_point(solid, face, 2)};
    er_vec3 ab = er_v3_sub(p[1], p[0]), ac = er_v3_sub(p[2], p[0]), ax = er_v3_sub(x, p[0]);
    er_vec3 n = er_v3_cross(ab, ac);
    double n2 = er_v3_dot(n, n), b2 = er_v3_dot(ab, ab), c2 = er_v3_dot(ac, ac);
    if (!(n2 > 1e-20 * b2 * c2)) { // too thin for its plane to mean anything
        for (int corner = 0; corner < 3; ++corner)
            try_edge(p, corner, x, best, face);
        return;
    }
    double s1 = er_v3_dot(er_v3_cross(ax, ac), n) / n2, s2 = er_v3_dot(er_v3_cross(ab, ax), n) / n2, s0 = 1.0 - s1 - s2;
    if (s0 >= 0.0 && s1 >= 0.0 && s2 >= 0.0) {
        double height = er_v3_dot(ax, n), distance2 = height * height / n2;
        if (distance2 >= best->distance2) return;
        *best = (er_nearest){face, {s0, s1, s2}, distance2};
        return;
    }
    if (s0 < 0.0) try_edge(p, 0, x, best, face);
    if (s1 < 0.0) try_edge(p, 1, x, best, face);
    if (s2 < 0.0) try_edge(p, 2, x, best, face);
}

er_nearest er_tree_nearest(const er_tree *tree, er_vec3 x, int seed)
{
    er_nearest best = {seed, {1.0, 0.0, 0.0}, DBL_MAX};
    struct {
        int node;
        double distance2;
    } stack[STACK];
    int depth = 0;
    try_face(tree->solid, seed, x, &best);
    stack[depth].node = 0;
    stack[depth++].distance2 = box_distance2(&tree->node[0], x);
    while (depth > 0) {
        int at = stack[--depth].node;
        if (stack[depth].distance2 >= best.distance2) continue;
        const er_tree_node *node = &tree->node[at];
        if (node->face >= 0) {
            try_face(tree->solid, node->face, x, &best);
            continue;
        }
        double first = box_distance2(&tree->node[at + 1], x), second = box_distance2(&tree->node[node->second], x);
        bool swap = second < first; // the nearer child is looked at first: it comes last onto the stack
        stack[depth].node = swap ? at + 1 : node->second;
        stack[depth++].distance2 = swap ? first : second;
        stack[depth].node = swap ? node->second : at + 1;
        stack[depth++].distance2 = swap ? second : first;
    }
    return best;
}

// How often, with sign, the ray from (u, v) towards +u is crossed by the edge i -> j, seen along `axis`. It only
// changes sign when the edge is walked the other way, rounding included, so that over a closed chain all terms cancel.
static int edge_passes(const er_solid *solid, int i, int j, int axis, double u, double v)
{
    er_vec3 a = solid->position[i < j ? i : j], b = solid->position[i < j ? j : i];
    int ku = (axis + 1) % 3, kv = (axis + 2) % 3;
    double au = er_axis(a, ku), av = er_axis(a, kv), bu = er_axis(b, ku), bv = er_axis(b, kv);
    bool upward = av <= v;
    if (upward == (bv <= v) || (u > au && u > bu)) return 0;
    if (!(u < au && u < bu)) {
        double side = (bu - au) * (v - av) - (bv - av) * (u - au);
        if (upward ? !(side > 0.0) : !(side < 0.0)) return 0;
    }
    return upward == (i < j) ? 1 : -1;
}

// The coordinate where the line meets the face, kept within the face's own range.
static double meeting(const er_solid *solid, int face, int axis, double u, double v)
{
    int ku = (axis + 1) % 3, kv = (axis + 2) % 3;
    double du[3], dv[3], t[3];
    for (int i = 0; i < 3; ++i) {
        er_vec3 p = face_point(solid, face, i);
        du[i] = er_axis(p, ku) - u;
        dv[i] = er_axis(p, kv) - v;
        t[i] = er_axis(p, axis);
    }
    double s0 = du[1] * dv[2] - du[2] * dv[1], s1 = du[2] * dv[0] - du[0] * dv[2], s2 = du[0] * dv[1] - du[1] * dv[0];
    double at = (s0 * t[0] + s1 * t[1] + s2 * t[2]) / (s0 + s1 + s2);
    double low = fmin(t[0], fmin(t[1], t[2])), high = fmax(t[0], fmax(t[1], t[2]));
    return isfinite(at) ? fmin(fmax(at, low), high) : 0.5 * (low + high);
}

int er_tree_line(const er_tree *tree, int axis, er_vec3 x, double end, er_crossing *out)
{
    const er_solid *solid = tree->solid;
    int ku = (axis + 1) % 3, kv = (axis + 2) % 3;
    double u = er_axis(x, ku), v = er_axis(x, kv);
    int stack[STACK], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const er_tree_node *node = &tree->node[at];
        if (u < node->low[ku] || u > node->high[ku] || v < node->low[kv] || v > node->high[kv] || node->low[axis] > end)
            continue;
        if (node->face < 0) {
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
            continue;
        }
        const int *vertex = solid->face[node->face].vertex;
        int turns = edge_passes(solid, vertex[0], vertex[1], axis, u, v) +
                    edge_passes(solid, vertex[1], vertex[2], axis, u, v) +
                    edge_passes(solid, vertex[2], vertex[0], axis, u, v);
        if (turns == 0) continue;
        double t = meeting(solid, node->face, axis, u, v);
        if (t > end) continue;
        int sign = solid->part[solid->face[node->face].part].sign;
        out[count++] = (er_crossing){t, -sign * turns, node->face}; // a face seen from its back is an exit
    }
    return count;
}

er_vicinity er_tree_vicinity(const er_tree *tree, er_vec3 x, double reach, double fine)
{
    er_vicinity found = {DBL_MAX, -1};
    bool any = false;
    int stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const er_tree_node *node = &tree->node[at];
        if (box_distance2(node, x) > reach * reach) continue;
        if (node->face >= 0 || (node->owner >= 0 && node->finest >= fine)) {
            found.finest = fmin(found.finest, node->finest);
            found.owner = !any || found.owner == node->owner ? node->owner : -1;
            any = true;
            if (found.owner < 0 && found.finest < fine) break;
            continue;
        }
        stack[depth++] = node->second;
        stack[depth++] = at + 1;
    }
    return found;
}
