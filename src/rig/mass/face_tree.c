// A tree of boxes over faces: halved at the median along the axis where they spread most.
#include "rig/mass/box.h"

#include <assert.h>

#include "math/nth_element.h"

static int widest_axis(const eri_centroid *order, int count)
{
    int axis = 0;
    double width[3];
    for (int k = 0; k < 3; ++k) {
        double low = order[0].at[k], high = low;
        for (int i = 1; i < count; ++i) {
            low = order[i].at[k] < low ? order[i].at[k] : low;
            high = order[i].at[k] > high ? order[i].at[k] : high;
        }
        width[k] = high - low;
        if (width[k] > width[axis]) axis = k;
    }
    return axis;
}

static void cover_face(const eri_mass_solid *solid, int face, eri_face_tree_node *node)
{
    for (int k = 0; k < 3; ++k) {
        double a = eri_axis(face_point(solid, face, 0), k), b = eri_axis(face_point(solid, face, 1), k),
               c = eri_axis(face_point(solid, face, 2), k);
        node->low[k] = smaller(a, smaller(b, c));
        node->high[k] = larger(a, larger(b, c));
    }
    node->face = face;
    node->finest = solid->face[face].cell_size;
    node->owner = solid->face[face].owner;
}

static void cover_both(const eri_face_tree_node *a, const eri_face_tree_node *b, eri_face_tree_node *node)
{
    for (int k = 0; k < 3; ++k) {
        node->low[k] = smaller(a->low[k], b->low[k]);
        node->high[k] = larger(a->high[k], b->high[k]);
    }
    node->face = -1;
    node->finest = smaller(a->finest, b->finest);
    node->owner = a->owner == b->owner ? a->owner : -1;
}

// Writes the subtree of order[0 .. count) from node `at` on; returns the first node after it.
static int build(eri_face_tree *tree, int at, eri_centroid *order, int count)
{
    eri_face_tree_node *node = &tree->node[at];
    int after = at + 1;
    if (count == 1) {
        cover_face(tree->solid, order[0].index, node);
        eri_face_plane_set(tree->solid, order[0].index, &tree->plane[order[0].index]);
    } else {
        int half = count / 2;
        eri_nth_element(order, count, half, widest_axis(order, count));
        node->second = build(tree, at + 1, order, half);
        after = build(tree, node->second, order + half, count - half);
        cover_both(node + 1, &tree->node[node->second], node);
    }
    double x = node->high[0] - node->low[0], y = node->high[1] - node->low[1], z = node->high[2] - node->low[2];
    node->extent = larger(x, larger(y, z));
    return after;
}

er_result eri_face_tree_build(er_arena *arena, const eri_mass_solid *solid, int count, const int *face,
                              eri_face_tree **out)
{
    er_result r = ER_OK;
    eri_face_tree *tree = NULL;
    eri_centroid *order = NULL;
    *out = NULL;
    ERI_TRY_NEW(tree, arena, eri_face_tree, 1);
    ERI_TRY_NEW(tree->node, arena, eri_face_tree_node, 2 * (size_t)count);
    ERI_TRY_NEW(order, arena, eri_centroid, count);
    for (int i = 0; i < count; ++i) {
        er_vec3 sum = er_v3_add(face_point(solid, face[i], 0),
                                er_v3_add(face_point(solid, face[i], 1), face_point(solid, face[i], 2)));
        order[i] = (eri_centroid){{sum.x, sum.y, sum.z}, face[i]};
    }
    assert(count > 0);
    tree->solid = solid;
    tree->plane = solid->plane;
    build(tree, 0, order, count);
    *out = tree;
done:
    return r;
}

// Looks below a node that may be nearer.
static void try_subtree(const eri_face_tree *tree, int root, er_vec3 x, eri_nearest *best)
{
    struct {
        int node;
        double distance2;
    } stack[ERI_TREE_STACK];
    int depth = 0;
    stack[depth].node = root;
    stack[depth++].distance2 = 0.0;
    while (depth > 0) {
        int at = stack[--depth].node;
        if (stack[depth].distance2 >= best->distance2) continue;
        const eri_face_tree_node *node = &tree->node[at];
        if (node->face >= 0) {
            eri_face_plane_try(&tree->plane[node->face], x, best);
            continue;
        }
        double first = box_distance2(&tree->node[at + 1], x, 0.0);
        double second = box_distance2(&tree->node[node->second], x, 0.0);
        assert(depth + 2 <= ERI_TREE_STACK);
        bool swap = second < first; // the nearer child is looked at first: it comes last onto the stack
        stack[depth].node = swap ? at + 1 : node->second;
        stack[depth++].distance2 = swap ? first : second;
        stack[depth].node = swap ? node->second : at + 1;
        stack[depth++].distance2 = swap ? second : first;
    }
}

eri_nearest eri_face_tree_nearest(const eri_face_tree *tree, eri_near near, er_vec3 x, int seed)
{
    eri_nearest best = {seed, {1.0, 0.0, 0.0}, DBL_MAX};
    eri_face_plane_try(&tree->plane[seed], x, &best);
    for (int i = 0; i < near.count; ++i)
        if (box_distance2(&tree->node[near.node[i]], x, 0.0) < best.distance2)
            try_subtree(tree, near.node[i], x, &best);
    return best;
}

// The cube that a search narrows its lists to, and what it has found so far.
typedef struct narrowing {
    const eri_face_tree *tree;
    eri_cube cube;
    double reach2;
    int *out, kept;
    eri_vicinity *vicinity;
} narrowing;

// Keeps what matters below a node. Where both children are kept whole the node stands for them; returns whether it is.
static bool narrow_below(narrowing *n, int at)
{
    const eri_face_tree_node *node = &n->tree->node[at];
    double distance2 = box_distance2(node, n->cube.centre, n->cube.half);
    if (distance2 > n->reach2) return false;
    int before = n->kept;
    if (node->face < 0 && node->extent > 4.0 * n->cube.half) {
        bool first = narrow_below(n, at + 1), second = narrow_below(n, node->second);
        if (!first || !second) return false;
        n->kept = before;
    } else {
        n->vicinity->finest = smaller(n->vicinity->finest, node->finest);
        if (n->vicinity->owner != node->owner) n->vicinity->owner = -1;
        if (distance2 <= 0.0) n->vicinity->passed = true;
    }
    n->out[n->kept++] = at;
    return true;
}

int eri_face_tree_narrow(const eri_face_tree *tree, eri_near near, eri_cube cube, const eri_nearest *nearest, int *out,
                         eri_vicinity *vicinity)
{
    narrowing n = {tree, cube, eri_cube_reach2(tree->solid, cube, nearest), out, 0, vicinity};
    *vicinity = (eri_vicinity){DBL_MAX, tree->solid->face[nearest->face].owner, false};
    for (int i = 0; i < near.count; ++i)
        narrow_below(&n, near.node[i]);
    return n.kept;
}

int eri_face_tree_passing(const eri_face_tree *tree, eri_near near, eri_cube cube, int *out)
{
    int count = 0, stack[ERI_TREE_STACK];
    for (int i = 0; i < near.count; ++i) {
        int depth = 0;
        stack[depth++] = near.node[i];
        while (depth > 0) {
            int at = stack[--depth];
            const eri_face_tree_node *node = &tree->node[at];
            if (box_distance2(node, cube.centre, cube.half) > 0.0) continue;
            if (node->face >= 0) {
                out[count++] = at;
                continue;
            }
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
        }
    }
    return count;
}
