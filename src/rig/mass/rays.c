// Where lines pass through the surface, counted so that over a closed chain all rounding cancels.
#include "rig/mass/box.h"

// A line that is not too far from parallel to an axis: at height t over its origin it stands at (su t, sv t).
typedef struct ray {
    int axis, ku, kv;
    er_vec3 origin;
    double su, sv;
} ray;

static ray axis_ray(int axis, er_vec3 origin)
{
    return (ray){axis, (axis + 1) % 3, (axis + 2) % 3, origin, 0.0, 0.0};
}

// A vertex as the ray sees it, and its height.
typedef struct seen {
    double u, v, t;
} seen;

static seen project_vertex(const ray *line, er_vec3 p)
{
    er_vec3 d = er_v3_sub(p, line->origin);
    double t = eri_axis(d, line->axis);
    return (seen){eri_axis(d, line->ku) - line->su * t, eri_axis(d, line->kv) - line->sv * t, eri_axis(p, line->axis)};
}

// How often, with sign, the half-line from the ray towards +u is crossed by the edge from a to b. It only changes sign
// when the edge is walked the other way, rounding included, so that over a closed chain all terms cancel.
static int edge_passes(const seen *a, const seen *b, bool forward)
{
    bool upward = a->v <= 0.0;
    if (upward == (b->v <= 0.0) || (a->u < 0.0 && b->u < 0.0)) return 0;
    if (!(a->u > 0.0 && b->u > 0.0)) {
        double side = (b->v - a->v) * a->u - (b->u - a->u) * a->v;
        if (upward ? !(side > 0.0) : !(side < 0.0)) return 0;
    }
    return upward == forward ? 1 : -1;
}

static int edge_turns(const int *vertex, const seen *p, int i, int j)
{
    return vertex[i] < vertex[j] ? edge_passes(&p[i], &p[j], true) : edge_passes(&p[j], &p[i], false);
}

// The height where the ray meets the face, kept within the face's own range.
static double meeting(const seen *p)
{
    double s0 = p[1].u * p[2].v - p[2].u * p[1].v, s1 = p[2].u * p[0].v - p[0].u * p[2].v,
           s2 = p[0].u * p[1].v - p[1].u * p[0].v;
    double at = (s0 * p[0].t + s1 * p[1].t + s2 * p[2].t) / (s0 + s1 + s2);
    double low = fmin(p[0].t, fmin(p[1].t, p[2].t)), high = fmax(p[0].t, fmax(p[1].t, p[2].t));
    return isfinite(at) ? fmin(fmax(at, low), high) : 0.5 * (low + high);
}

// Whether the ray crosses the face.
static bool crosses(const eri_mass_solid *solid, int face, const ray *line, eri_crossing *out)
{
    const eri_face *f = &solid->face[face];
    seen p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = project_vertex(line, solid->position[f->vertex[i]]);
    int turns = edge_turns(f->vertex, p, 0, 1) + edge_turns(f->vertex, p, 1, 2) + edge_turns(f->vertex, p, 2, 0);
    if (turns == 0) return false;
    *out = (eri_crossing){meeting(p), -solid->component[f->component].sign * turns,
                          face}; // seen from its back it is an exit
    return true;
}

int eri_face_tree_line(const eri_face_tree *tree, int axis, er_vec3 x, double end, eri_crossing *out)
{
    ray line = axis_ray(axis, x);
    double u = eri_axis(x, line.ku), v = eri_axis(x, line.kv);
    int stack[ERI_TREE_STACK], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const eri_face_tree_node *node = &tree->node[at];
        if (u < node->low[line.ku] || u > node->high[line.ku] || v < node->low[line.kv] || v > node->high[line.kv] ||
            node->low[axis] > end)
            continue;
        if (node->face < 0) {
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
        } else if (crosses(tree->solid, node->face, &line, &out[count]) && out[count].at <= end) {
            ++count;
        }
    }
    return count;
}

// The ray through x and y, along the axis on which they are farthest apart.
static ray ray_between(er_vec3 x, er_vec3 y)
{
    er_vec3 d = er_v3_sub(y, x);
    double a = fabs(d.x), b = fabs(d.y), c = fabs(d.z);
    ray line = axis_ray(a >= b && a >= c ? 0 : b >= c ? 1 : 2, x);
    double t = eri_axis(d, line.axis);
    line.su = t != 0.0 ? eri_axis(d, line.ku) / t : 0.0;
    line.sv = t != 0.0 ? eri_axis(d, line.kv) / t : 0.0;
    return line;
}

static int step_of_face(const eri_mass_solid *solid, int face, const ray *line, double from, double to)
{
    eri_crossing at;
    if (!crosses(solid, face, line, &at)) return 0;
    if (from < at.at && at.at <= to) return at.step;
    return to < at.at && at.at <= from ? -at.step : 0;
}

// Whether the box of two points and that of a node meet.
static bool boxes_meet(const double *low, const double *high, er_vec3 x, er_vec3 y)
{
    return smaller(x.x, y.x) <= high[0] && larger(x.x, y.x) >= low[0] && smaller(x.y, y.y) <= high[1] &&
           larger(x.y, y.y) >= low[1] && smaller(x.z, y.z) <= high[2] && larger(x.z, y.z) >= low[2];
}

int eri_face_tree_step(const eri_face_tree *tree, eri_near near, er_vec3 x, er_vec3 y)
{
    ray line = ray_between(x, y);
    double from = eri_axis(x, line.axis), to = eri_axis(y, line.axis);
    int stack[ERI_TREE_STACK], step = 0;
    for (int i = 0; i < near.count; ++i) {
        int depth = 0;
        stack[depth++] = near.node[i];
        while (depth > 0) {
            int at = stack[--depth];
            const eri_face_tree_node *node = &tree->node[at];
            if (!boxes_meet(node->low, node->high, x, y)) continue;
            if (node->face >= 0) {
                step += step_of_face(tree->solid, node->face, &line, from, to);
                continue;
            }
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
        }
    }
    return step;
}

int eri_leaves_step(const eri_face_tree *tree, int count, const int *leaf, er_vec3 x, er_vec3 y)
{
    ray line = ray_between(x, y);
    double from = eri_axis(x, line.axis), to = eri_axis(y, line.axis);
    int step = 0;
    for (int i = 0; i < count; ++i) {
        const eri_face_tree_node *node = &tree->node[leaf[i]];
        if (boxes_meet(node->low, node->high, x, y)) step += step_of_face(tree->solid, node->face, &line, from, to);
    }
    return step;
}

int eri_leaves_line(const eri_face_tree *tree, int count, const int *leaf, int axis, er_vec3 x, double low, double high,
                    eri_crossing *out)
{
    ray line = axis_ray(axis, x);
    double u = eri_axis(x, line.ku), v = eri_axis(x, line.kv);
    int found = 0;
    for (int i = 0; i < count; ++i) {
        const eri_face_tree_node *node = &tree->node[leaf[i]];
        if (u < node->low[line.ku] || u > node->high[line.ku] || v < node->low[line.kv] || v > node->high[line.kv])
            continue;
        if (crosses(tree->solid, node->face, &line, &out[found]) && low < out[found].at && out[found].at <= high)
            ++found;
    }
    return found;
}
