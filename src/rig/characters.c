// Several characters in one file: group nodes above them join nothing, and one of them can be chosen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig/build.h"

enum { FEWEST_JOINTS = 3 }; // or rigid parts, of a character under a group: eyes and props have fewer

// Marks nodes at which branches of a skin's joints meet.
static er_result mark_ties(builder *b, bool *tied)
{
    er_result r = ER_OK;
    int *last; // the skin that came by a node last, from 1
    ERI_TRY_NEW(last, b->scratch, int, b->scene->node_count);
    for (int s = 0; s < b->scene->skin_count; ++s)
        for (int j = 0; j < b->scene->skin[s].joint_count; ++j) {
            int at = b->scene->skin[s].joint[j];
            while (at >= 0 && last[at] != s + 1) {
                last[at] = s + 1;
                at = b->scene->node[at].parent;
            }
            if (at >= 0) tied[at] = true;
        }
done:
    return r;
}

// Marks candidates that move something: joints, and nodes that a rigid mesh moves with.
static er_result count_parts(builder *b, const bool *candidate, int *joints, int *parts)
{
    er_result r = ER_OK;
    const er_node *node = b->scene->node;
    int n = b->scene->node_count, *mover; // the nearest candidate at or above a node, from 1
    ERI_TRY_NEW(mover, b->scratch, int, n);
    for (int i = 0; i < n; ++i) {
        mover[i] = candidate[i] ? i + 1 : node[i].parent >= 0 ? mover[node[i].parent] : 0;
        joints[i] = candidate[i] && (node[i].flags & ER_NODE_JOINT) != 0;
    }
    for (int k = 0; k < b->scene->instance_count; ++k) {
        const er_instance *instance = &b->scene->instance[k];
        if (instance->skin < 0 && mover[instance->node] > 0) parts[mover[instance->node] - 1] = 1;
    }
    for (int i = n - 1; i >= 0; --i) {
        if (node[i].parent < 0) continue;
        joints[node[i].parent] += joints[i];
        parts[node[i].parent] += parts[i];
    }
done:
    return r;
}

er_result eri_rig_find_groups(builder *b, const bool *candidate, bool *group)
{
    er_result r = ER_OK;
    const er_node *node = b->scene->node;
    int n = b->scene->node_count, *joints, *parts, *branches, *characters;
    bool *tied, *apart;
    ERI_TRY_NEW(tied, b->scratch, bool, n);
    ERI_TRY_NEW(apart, b->scratch, bool, n);
    ERI_TRY_NEW(joints, b->scratch, int, n);     // at or below a node
    ERI_TRY_NEW(parts, b->scratch, int, n);      // likewise, with rigid meshes
    ERI_TRY_NEW(branches, b->scratch, int, n);   // children of a node with joints at or below; with parts, without any
    ERI_TRY_NEW(characters, b->scratch, int, n); // those with enough of either
    ERI_TRY(mark_ties(b, tied));
    ERI_TRY(count_parts(b, candidate, joints, parts));
    ERI_TRY(eri_rig_find_branches_apart(b, parts, FEWEST_JOINTS, apart));
    for (int i = 0; i < n; ++i) {
        int p = node[i].parent, count = p >= 0 && joints[p] > 0 ? joints[i] : parts[i];
        if (p < 0 || count == 0) continue;
        ++branches[p];
        characters[p] += count >= FEWEST_JOINTS;
    }
    for (int i = 0; i < n; ++i) {
        bool above = node[i].parent < 0 || group[node[i].parent], rigid = joints[i] == 0;
        group[i] =
            above && !candidate[i] && !tied[i] && (branches[i] == 1 || (characters[i] >= 2 && (!rigid || apart[i])));
    }
done:
    return r;
}

// ---- one of several

// The topmost bone above a bone.
static int top_of(const builder *b, int bone)
{
    while (b->parent[bone] >= 0)
        bone = b->parent[bone];
    return bone;
}

// Whether a name is that of a node at or above a bone.
static bool is_named(const builder *b, int bone, const char *name)
{
    for (int i = bone; i >= 0; i = b->scene->node[i].parent)
        if (strcmp(b->name[i], name) == 0) return true;
    return false;
}

er_result eri_rig_keep_character(builder *b)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, count = 0, named = 0, kept = -1;
    const char *name = b->def.character;
    char *end, list[400] = "";
    if (name == NULL) return ER_OK;
    long number = strtol(name, &end, 10);
    bool by_number = end != name && *end == '\0';
    for (int i = 0; i < n; ++i) {
        if (b->body[i] != i || (b->parent[i] >= 0 && b->body[top_of(b, i)] != i)) continue;
        ++count;
        bool found = by_number ? number == count : is_named(b, i, name);
        size_t used = strlen(list);
        if (used < sizeof list - 80)
            snprintf(list + used, sizeof list - used, "%s%d \"%.60s\"", used > 0 ? ", " : "", count, b->name[i]);
        if (!found) continue;
        ++named;
        kept = top_of(b, i);
    }
    if (named != 1)
        ERI_TRY(er_fail(b->context, ER_ERROR_ARGUMENT, "%s character is \"%s\"; this file has: %s",
                        named == 0 ? "no" : "more than one", name, list));
    for (int i = 0; i < n; ++i)
        if (b->body[i] >= 0 && top_of(b, i) != kept) b->body[i] = -1;
done:
    return r;
}
