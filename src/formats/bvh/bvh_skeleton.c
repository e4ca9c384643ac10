// Which nodes a BVH file has as joints and ends, in its order, and where they are at rest.
#include "formats/bvh/bvh_skeleton.h"

#include "math/polar.h"

#define NONE (-1)
#define LARGEST 1e100 // of a coordinate: sums and products of a few stay finite
#define LEAF_LENGTH 0.5
#define LONE_LENGTH 0.1

// The tree of joints and ends, before it has the file's order. Arrays are [node_count].
typedef struct tree {
    const er_scene *scene;
    bool *joint;
    int *up;           // nearest joint above, NONE without one
    bool *has_joint;   // below it, nearest
    bool *has_end;     // likewise
    int *first, *next; // child joints and ends
    int root;          // first of the roots
    bool keeps;        // a BVH source: roots and End Sites stay as they are
    bool is_common;    // a root is put above the roots
} tree;

static bool is_end(const tree *t, int node)
{
    return (t->scene->node[node].flags & ER_NODE_END_SITE) != 0;
}

static void choose_joints(tree *t, const bool *bone)
{
    bool flagged = false;
    for (int i = 0; i < t->scene->node_count; ++i)
        flagged = flagged || (t->scene->node[i].flags & ER_NODE_JOINT) != 0;
    for (int i = 0; i < t->scene->node_count; ++i) {
        bool chosen = bone != NULL ? bone[i] : !flagged || (t->scene->node[i].flags & ER_NODE_JOINT) != 0;
        t->joint[i] = chosen && !is_end(t, i);
    }
}

static void find_parents(tree *t)
{
    for (int i = 0; i < t->scene->node_count; ++i) {
        int p = t->scene->node[i].parent;
        t->up[i] = p == NONE || t->joint[p] ? p : t->up[p];
        if (t->joint[i] && t->up[i] != NONE) t->has_joint[t->up[i]] = true;
    }
}

// BVH sources keep every End Site; of others the first counts, where it ends a leaf.
static bool keep_end(tree *t, int node)
{
    int up = t->up[node];
    bool kept = is_end(t, node) && up != NONE && (t->keeps || (!t->has_joint[up] && !t->has_end[up]));
    if (kept) t->has_end[up] = true;
    return kept;
}

static er_result link_children(tree *t, er_arena *arena, int *roots)
{
    er_result r = ER_OK;
    int n = t->scene->node_count;
    bool *kept;
    ERI_TRY_NEW(kept, arena, bool, n);
    for (int i = 0; i < n; ++i)
        kept[i] = t->joint[i] || keep_end(t, i);
    t->root = NONE;
    for (int i = 0; i < n; ++i)
        t->first[i] = NONE;
    *roots = 0;
    for (int i = n - 1; i >= 0; --i) { // backwards, so that lists begin with their first
        if (!kept[i]) continue;
        int *head = t->up[i] == NONE ? &t->root : &t->first[t->up[i]];
        t->next[i] = *head;
        *head = i;
        *roots += t->up[i] == NONE;
    }
done:
    return r;
}

static er_result grow_tree(tree *t, er_arena *arena, const bool *bone, const char *path)
{
    er_result r = ER_OK;
    int n = t->scene->node_count, roots = 0;
    ERI_TRY_NEW(t->joint, arena, bool, n);
    ERI_TRY_NEW(t->has_joint, arena, bool, n);
    ERI_TRY_NEW(t->has_end, arena, bool, n);
    ERI_TRY_NEW(t->up, arena, int, n);
    ERI_TRY_NEW(t->first, arena, int, n);
    ERI_TRY_NEW(t->next, arena, int, n);
    t->keeps = t->scene->format == ER_FORMAT_BVH;
    choose_joints(t, bone);
    find_parents(t);
    ERI_TRY(link_children(t, arena, &roots));
    if (roots == 0)
        ERI_TRY(er_fail(eri_arena_context(arena), ER_ERROR_RIG,
                        "%s: cannot be written: none of %d nodes is a joint; choose some", path, n));
    t->is_common = roots > 1 && !t->keeps;
done:
    return r;
}

// ---- the file's order ----

static eri_bvh_joint *add(eri_bvh_skeleton *s, int node, int parent, bool end)
{
    eri_bvh_joint *j = &s->joint[s->count++];
    *j = (eri_bvh_joint){.node = node, .parent = parent, .is_end = end, .turn = er_q_identity()};
    j->depth = parent == NONE ? 0 : s->joint[parent].depth + 1;
    return j;
}

static void add_node(const tree *t, eri_bvh_skeleton *s, const er_affine *world, const int *index, int node)
{
    int up = t->up[node];
    eri_bvh_joint *j = add(s, node, up != NONE ? index[up] : t->is_common ? 0 : NONE, is_end(t, node));
    er_quat above = j->parent != NONE ? s->joint[j->parent].turn : er_q_identity();
    j->head = er_affine_point(s->upright, world[node].translation);
    j->turn = eri_bvh_turn_of(s, &world[node], above);
    // some readers add a root's offset to its positions, some put these in its place: an offset of 0 is the same to all
    bool root = j->parent == NONE && !t->keeps;
    er_vec3 base = j->parent != NONE ? s->joint[j->parent].head : root ? j->head : er_v3(0, 0, 0);
    j->offset = er_v3_sub(j->head, base);
}

static void add_leaf_end(eri_bvh_skeleton *s, int leaf)
{
    const eri_bvh_joint *j = &s->joint[leaf];
    bool has_bone = j->parent != NONE && s->joint[j->parent].node != NONE && er_v3_norm(j->offset) > 0.0;
    er_vec3 offset = has_bone ? er_v3_scale(LEAF_LENGTH, j->offset) : er_v3(0, LONE_LENGTH * s->size, 0);
    add(s, NONE, leaf, true)->offset = offset;
}

// Depth first without recursion: a chain may have any length.
static void order_joints(const tree *t, eri_bvh_skeleton *s, const er_affine *world, int *index)
{
    if (t->is_common) add(s, NONE, NONE, false);
    for (int at = t->root; at != NONE;) {
        index[at] = s->count;
        add_node(t, s, world, index, at);
        bool ends = t->joint[at] && t->first[at] == NONE && !t->keeps;
        if (ends) add_leaf_end(s, index[at]);
        if (t->first[at] != NONE) {
            at = t->first[at];
            continue;
        }
        while (at != NONE && t->next[at] == NONE)
            at = t->up[at];
        if (at != NONE) at = t->next[at];
    }
}

// ---- rest ----

bool eri_bvh_writable(er_vec3 place)
{
    return fabs(place.x) <= LARGEST && fabs(place.y) <= LARGEST && fabs(place.z) <= LARGEST;
}

er_quat eri_bvh_turn_of(const eri_bvh_skeleton *skeleton, const er_affine *world, er_quat fallback)
{
    return eri_polar_rotation(er_m3_mul(skeleton->upright.linear, world->linear), fallback, NULL);
}

static er_result measure(const tree *t, er_arena *arena, const er_affine *world, const char *path, eri_bvh_skeleton *s)
{
    er_vec3 low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = er_v3_scale(-1.0, low);
    for (int i = 0; i < t->scene->node_count; ++i) {
        er_vec3 p = er_affine_point(s->upright, world[i].translation);
        if (!t->joint[i] && !is_end(t, i)) continue;
        if (!eri_bvh_writable(p))
            return er_fail(eri_arena_context(arena), ER_ERROR_ARGUMENT,
                           "%s: cannot be written: node %d \"%s\" lies at (%g, %g, %g); mend its transform", path, i,
                           t->scene->node[i].name, p.x, p.y, p.z);
        if (!t->joint[i]) continue;
        low = er_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = er_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    s->size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    if (!(s->size > 0.0)) s->size = 1.0;
    return ER_OK;
}

er_result eri_bvh_skeleton_build(er_arena *arena, const er_scene *scene, const bool *bone, const char *path,
                                 eri_bvh_skeleton *out)
{
    er_result r = ER_OK;
    tree t = {.scene = scene};
    er_affine *local, *world;
    int *index;
    size_t n = (size_t)scene->node_count;
    *out = (eri_bvh_skeleton){.upright = {er_m3_from_q(er_q_upright(scene->up)), {0, 0, 0}}};
    ERI_TRY_NEW(local, arena, er_affine, n);
    ERI_TRY_NEW(world, arena, er_affine, n);
    ERI_TRY_NEW(index, arena, int, n);
    ERI_TRY_NEW(out->joint, arena, eri_bvh_joint, 2 * n + 1); // each with an end, and a root
    er_scene_sample(scene, NULL, 0.0, local);
    er_scene_world(scene, local, world);
    ERI_TRY(grow_tree(&t, arena, bone, path));
    ERI_TRY(measure(&t, arena, world, path, out));
    order_joints(&t, out, world, index);
    ERI_TRY(eri_bvh_name_joints(arena, scene, out));
done:
    return r;
}
