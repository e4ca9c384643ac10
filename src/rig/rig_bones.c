// Which nodes are bones.
#include <stdio.h>
#include <string.h>

#include "rig/build.h"

static bool varies(const er_channel *c)
{
    int width = c->path == ER_PATH_ROTATION ? 4 : c->path == ER_PATH_MORPH ? 0 : 3;
    int stride = c->interpolation == ER_CUBIC ? 3 * width : width, at = c->interpolation == ER_CUBIC ? width : 0;
    for (int k = 1; k < c->key_count; ++k)
        for (int i = 0; i < width; ++i) {
            double first = c->value[at + i], now = c->value[k * stride + at + i];
            if (fabs(now - first) > 1e-5 * (1.0 + fabs(first))) return true;
        }
    return false;
}

// Nodes that a clip moves. Exporters key everything they have, so a channel that never changes does not count, unless
// nothing else tells where the skeleton is.
static bool mark_animated(const builder *b, bool *animated, bool constant_too)
{
    bool any = false;
    for (int c = 0; c < b->scene->clip_count; ++c)
        for (int k = 0; k < b->scene->clip[c].channel_count; ++k) {
            const er_channel *channel = &b->scene->clip[c].channel[k];
            bool counts = channel->path != ER_PATH_MORPH && (constant_too || varies(channel));
            animated[channel->node] |= counts;
            any |= counts;
        }
    return any;
}

// A node that only carries skinned meshes moves nothing: their vertices go by the joints.
static bool only_carries_skin(const er_scene *scene, int node)
{
    bool skinned = false;
    for (int i = 0; i < scene->instance_count; ++i)
        if (scene->instance[i].node == node) {
            if (scene->instance[i].skin < 0) return false;
            skinned = true;
        }
    return skinned;
}

static er_result choose_candidates(builder *b, bool *candidate)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    bool *animated, any = false;
    ERI_TRY_NEW(animated, b->scratch, bool, s->node_count);
    for (int i = 0; i < s->node_count; ++i)
        any |= (s->node[i].flags & ER_NODE_JOINT) != 0;
    bool bare =
        any && s->instance_count == 0; // its joints are the skeleton, and what else moves are cameras and handles
    if (!bare && !mark_animated(b, animated, false) && !any) mark_animated(b, animated, true);
    for (int i = 0; i < s->node_count; ++i) {
        unsigned flags = s->node[i].flags;
        bool is_joint = (flags & ER_NODE_JOINT) != 0;
        bool other = (flags & (ER_NODE_CAMERA | ER_NODE_LIGHT | ER_NODE_END_SITE)) != 0;
        candidate[i] = !(flags & ER_NODE_END_SITE) && (is_joint || (animated[i] && !other && !only_carries_skin(s, i)));
    }
done:
    return r;
}

// Keeps the candidates at or below a node of that name, or below the joints of a skin of that name.
static er_result keep_skeleton(builder *b, bool *candidate)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    const char *name = b->def.skeleton;
    bool *inside, any = false;
    if (name == NULL) return ER_OK;
    ERI_TRY_NEW(inside, b->scratch, bool, s->node_count);
    for (int k = 0; k < s->skin_count; ++k)
        for (int j = 0; strcmp(s->skin[k].name, name) == 0 && j < s->skin[k].joint_count; ++j)
            inside[s->skin[k].joint[j]] = true;
    for (int i = 0; i < s->node_count; ++i) {
        int p = s->node[i].parent;
        inside[i] |= strcmp(b->name[i], name) == 0 || (p >= 0 && inside[p]);
        any |= inside[i] && candidate[i];
    }
    if (!any) {
        char roots[400] = "";
        for (int i = 0; i < s->node_count; ++i) {
            bool root = candidate[i] && (s->node[i].parent < 0 || !candidate[s->node[i].parent]);
            size_t used = strlen(roots);
            if (root && used < sizeof roots - 80)
                snprintf(roots + used, sizeof roots - used, "%s\"%.60s\"", used > 0 ? ", " : "", b->name[i]);
        }
        return er_fail(b->context, ER_ERROR_ARGUMENT, "no skeleton is named \"%s\"; this file has: %s", name, roots);
    }
    for (int i = 0; i < s->node_count; ++i)
        candidate[i] &= inside[i];
done:
    return r;
}

// Bones are the candidates and all between them and the lowest node that is above (or is) every one of them, for each
// root of the scene and each child of a group.
static er_result span(builder *b, const bool *candidate)
{
    er_result r = ER_OK;
    const er_node *node = b->scene->node;
    int n = b->scene->node_count, *below, *root, *common;
    bool *group;
    ERI_TRY_NEW(group, b->scratch, bool, n);
    ERI_TRY_NEW(below, b->scratch, int, n);  // candidates at or below a node
    ERI_TRY_NEW(root, b->scratch, int, n);   // of its tree
    ERI_TRY_NEW(common, b->scratch, int, n); // of a root: the lowest node with all of its candidates below
    ERI_TRY(eri_rig_find_groups(b, candidate, group));
    for (int i = 0; i < n; ++i)
        root[i] = node[i].parent < 0 || group[node[i].parent] ? i : root[node[i].parent];
    for (int i = n - 1; i >= 0; --i) {
        below[i] += candidate[i];
        if (root[i] != i) below[node[i].parent] += below[i];
    }
    // Parents come first, so the last node that still has them all is the lowest; a candidate ends the descent.
    for (int i = 0; i < n; ++i)
        if (i == root[i] || (below[i] == below[root[i]] && !candidate[common[root[i]]])) common[root[i]] = i;
    bool *under; // at or below the common root
    ERI_TRY_NEW(under, b->scratch, bool, n);
    for (int i = 0; i < n; ++i) {
        under[i] = common[root[i]] == i || (root[i] != i && under[node[i].parent]);
        b->bone[i] = below[i] > 0 && under[i];
    }
done:
    return r;
}

static void set_parents(builder *b)
{
    for (int i = 0; i < b->scene->node_count; ++i) {
        int p = b->scene->node[i].parent;
        b->owner[i] = b->bone[i] ? i : p >= 0 ? b->owner[p] : -1;
        b->parent[i] = b->bone[i] && p >= 0 && b->bone[p] ? p : -1;
    }
}

// The common parent of a skeleton without hierarchy, all candidates leaves side by side; -1 where there is a hierarchy.
static int flat_parent(const builder *b, const bool *candidate, int *count)
{
    int parent = -1;
    *count = 0;
    for (int i = 0; i < b->scene->node_count; ++i) {
        if (!candidate[i]) continue;
        int p = b->scene->node[i].parent;
        if (p < 0 || candidate[p] || (parent >= 0 && p != parent)) return -1;
        parent = p;
        ++*count;
    }
    return *count >= 3 ? parent : -1;
}

// Prim's minimum spanning tree over the bones' heads, from the one nearest to where their common parent stands.
static er_result infer_parents(builder *b, const bool *candidate, int top)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, *nearest;
    double *distance;
    bool *reached;
    ERI_TRY_NEW(nearest, b->scratch, int, n);
    ERI_TRY_NEW(distance, b->scratch, double, n);
    ERI_TRY_NEW(reached, b->scratch, bool, n);
    for (int i = 0; i < n; ++i) {
        nearest[i] = top;
        distance[i] = er_v3_distance(b->rest[i].translation, b->rest[top].translation);
    }
    for (;;) {
        int at = -1;
        for (int i = 0; i < n; ++i)
            if (candidate[i] && !reached[i] && (at < 0 || distance[i] < distance[at])) at = i;
        if (at < 0) break;
        bool first = nearest[at] == top;
        reached[at] = true;
        b->parent[at] = nearest[at];
        for (int i = 0; i < n; ++i) {
            double d = er_v3_distance(b->rest[i].translation, b->rest[at].translation);
            if (candidate[i] && !reached[i] && (first || d < distance[i])) {
                distance[i] = d;
                nearest[i] = at;
            }
        }
    }
done:
    return r;
}

er_result eri_rig_choose_bones(builder *b)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    bool *candidate;
    int count = 0;
    ERI_TRY_NEW(candidate, b->scratch, bool, s->node_count);
    ERI_TRY(choose_candidates(b, candidate));
    for (int i = 0; i < s->node_count; ++i)
        count += candidate[i];
    if (count == 0)
        return er_fail(b->context, ER_ERROR_RIG,
                       "there is nothing to rig: no skin, no skeleton and no animated node in it; give a rigged model");
    ERI_TRY(keep_skeleton(b, candidate));
    ERI_TRY(span(b, candidate));
    set_parents(b);
    for (int i = 0; i < s->node_count; ++i)
        b->hands |= b->bone[i] && eri_rig_names_hand(b->name[i]);
    int siblings = 0, top = flat_parent(b, candidate, &siblings);
    if (top >= 0 && b->def.infer_parents) {
        ERI_TRY(infer_parents(b, candidate, top));
        b->inferred = true;
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_WARNING, "%d bones without a hierarchy were joined by distance",
                              siblings));
    } else if (top >= 0) {
        ERI_TRY(eri_notes_add(
            &b->notes, ER_NOTE_WARNING,
            "%d bones are all siblings, so each moves by itself; --infer-parents joins them by distance", siblings));
    } else if (b->def.infer_parents) {
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "the bones have parents already, so there is nothing to infer"));
    }
done:
    return r;
}

er_result eri_rig_parents_first(builder *b, int **order, int *count)
{
    er_result r = ER_OK;
    int n = b->scene->node_count;
    int *way;
    bool *met;
    *count = 0;
    ERI_TRY_NEW(*order, b->scratch, int, n);
    ERI_TRY_NEW(way, b->scratch, int, n);
    ERI_TRY_NEW(met, b->scratch, bool, n);
    for (int i = 0; i < n; ++i) {
        int length = 0;
        for (int at = i; at >= 0 && b->bone[at] && !met[at]; at = b->parent[at]) {
            met[at] = true;
            way[length++] = at;
        }
        while (length > 0)
            (*order)[(*count)++] = way[--length];
    }
done:
    return r;
}
