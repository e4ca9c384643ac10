// The node tree of an Assimp scene: as an array, by name, and as nodes of ours with their rest transforms.
#include "tools/importer/assimp.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HELPER "_$AssimpFbx$_"

er_affine imp_assimp_affine(const struct aiMatrix4x4 *m)
{
    er_affine r = {{{{m->a1, m->a2, m->a3}, {m->b1, m->b2, m->b3}, {m->c1, m->c2, m->c3}}}, {m->a4, m->b4, m->c4}};
    return r;
}

static bool is_helper(const imp_assimp *a, int i)
{
    const struct aiNode *node = a->source[i].node;
    return node->mNumMeshes == 0 && strstr(node->mName.data, HELPER) != NULL;
}

// Breadth first, which needs no recursion: hostile trees are deep.
static er_result flatten(imp_assimp *a)
{
    er_result r = ER_OK;
    int room = 64, waiting = 1; // source[source_count .. waiting) are queued
    ERI_TRY_NEW(a->source, a->scratch, imp_source_node, room);
    a->source[0] = (imp_source_node){a->from->mRootNode, -1, -1};
    for (; a->source_count < waiting; ++a->source_count) {
        const struct aiNode *node = a->source[a->source_count].node;
        if (node->mNumChildren > (unsigned)(room - waiting)) {
            imp_source_node *grown = NULL;
            if (node->mNumChildren > INT_MAX / 4 - (unsigned)room)
                ERI_TRY(er_fail(a->reader->context, ER_ERROR_FORMAT, "has too many nodes; split the scene"));
            room = 2 * (room + (int)node->mNumChildren);
            ERI_TRY_NEW(grown, a->scratch, imp_source_node, room);
            memcpy(grown, a->source, (size_t)waiting * sizeof *grown);
            a->source = grown;
        }
        for (unsigned k = 0; k < node->mNumChildren; ++k)
            if (node->mChildren[k] != NULL)
                a->source[waiting++] = (imp_source_node){node->mChildren[k], a->source_count, -1};
    }
done:
    return r;
}

static const imp_source_node *sorting; // qsort() has no context argument in C17; the importer has one thread

static int by_name(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    int order = strcmp(sorting[a].node->mName.data, sorting[b].node->mName.data);
    return order != 0 ? order : a - b;
}

int imp_assimp_named(const imp_assimp *a, const char *name, int *count)
{
    int low = 0, high = a->source_count; // the first one not below `name` is in [low, high]
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(a->source[a->by_name[middle]].node->mName.data, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < a->source_count && strcmp(a->source[a->by_name[low + *count]].node->mName.data, name) == 0)
        ++*count;
    return low;
}

// Whether a node draws meshes, or helps one that does.
static bool draws(const imp_assimp *a, int source)
{
    const struct aiNode *node = a->source[source].node;
    for (; strstr(node->mName.data, HELPER) != NULL && node->mNumChildren > 0 && node->mChildren[0] != NULL;)
        node = node->mChildren[0];
    return node->mNumMeshes > 0;
}

// The depth of the closest common ancestor of two nodes; 0 for none.
static int common_depth(const er_scene *scene, int node, int other)
{
    while (node != other && node >= 0 && other >= 0) {
        if (node > other)
            node = scene->node[node].parent;
        else
            other = scene->node[other].parent;
    }
    int depth = 0;
    for (int i = node == other ? node : -1; i >= 0; i = scene->node[i].parent)
        ++depth;
    return depth;
}

int imp_assimp_bone(imp_assimp *a, const char *name, int node)
{
    int count, first = imp_assimp_named(a, name, &count), best = -1, best_depth = -1;
    bool tie = false, best_draws = true;
    for (int k = first; k < first + count; ++k) {
        int candidate = a->source[a->by_name[k]].ours;
        if (candidate < 0) continue;
        bool drawn = draws(a, a->by_name[k]);
        int depth = node >= 0 && count > 1 ? common_depth(a->reader->scene, candidate, node) : 0;
        if (drawn && !best_draws) continue;
        if (best >= 0 && drawn == best_draws && depth <= best_depth) {
            tie = tie || depth == best_depth;
            continue;
        }
        tie = false;
        best = candidate;
        best_depth = depth;
        best_draws = drawn;
    }
    a->ambiguous += tie;
    return best;
}

int imp_assimp_animated(imp_assimp *a, const char *name)
{
    int count, first = imp_assimp_named(a, name, &count), best = -1, candidates = 0;
    for (int pass = 0; pass < 2 && candidates == 0; ++pass)
        for (int k = first; k < first + count; ++k) {
            if (pass == 0 && draws(a, a->by_name[k])) continue;
            if (candidates++ == 0) best = a->by_name[k];
        }
    a->ambiguous += candidates > 1;
    return best;
}

er_affine imp_assimp_local(const imp_assimp *a, int source)
{
    er_affine local = imp_assimp_affine(&a->source[source].node->mTransformation);
    for (int i = a->source[source].parent; i >= 0 && a->source[i].ours < 0; i = a->source[i].parent)
        local = er_affine_mul(imp_assimp_affine(&a->source[i].node->mTransformation), local);
    return local;
}

int imp_assimp_parent(const imp_assimp *a, int source)
{
    int parent = a->source[source].parent;
    while (parent >= 0 && a->source[parent].ours < 0)
        parent = a->source[parent].parent;
    return parent;
}

bool imp_assimp_compensates(const imp_assimp *a, int source)
{
    return imp_assimp_parent(a, source) >= 0 &&
           imp_assimp_number(a->source[source].node->mMetaData, "InheritType", 1.0) == 2.0;
}

er_affine imp_assimp_compensate(er_affine local, er_affine parent)
{
    er_vec3 scale = eri_trs_from_affine(parent).scale;
    const double s[3] = {scale.x, scale.y, scale.z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3 && s[i] != 0.0 && fabs(s[i] - 1.0) > 1e-6; ++j) // a difference by float rounding is not a
                                                                              // scale
            local.linear.m[i][j] /= s[i];
    return local;
}

er_result imp_assimp_nodes(imp_assimp *a)
{
    er_scene *scene = a->reader->scene;
    er_node *node = NULL;
    int helpers = 0;
    er_result r = ER_OK;
    ERI_TRY(flatten(a));
    ERI_TRY_NEW(a->by_name, a->scratch, int, a->source_count);
    ERI_TRY_NEW(a->source_of, a->scratch, int, a->source_count);
    ERI_TRY_NEW(node, a->reader->arena, er_node, a->source_count);
    for (int i = 0; i < a->source_count; ++i) {
        a->by_name[i] = i;
        if (is_helper(a, i)) {
            ++helpers;
            continue;
        }
        int k = scene->node_count++, parent = imp_assimp_parent(a, i);
        a->source[i].ours = k;
        a->source_of[k] = i;
        node[k].name = imp_reader_text(a->reader, a->source[i].node->mName.data);
        if (node[k].name == NULL) ERI_TRY(ER_ERROR_MEMORY);
        node[k].parent = parent >= 0 ? a->source[parent].ours : -1;
        node[k].local = imp_assimp_local(a, i);
        if (imp_assimp_compensates(a, i))
            node[k].local = imp_assimp_compensate(node[k].local, imp_assimp_local(a, parent));
        node[k].source_index = -1;
    }
    scene->node = node;
    sorting = a->source;
    qsort(a->by_name, (size_t)a->source_count, sizeof *a->by_name, by_name);
    if (helpers > 0)
        ERI_TRY(imp_reader_note(a->reader, ER_NOTE_FACT, "%d helper nodes for pivots were folded into their nodes",
                                helpers));
done:
    return r;
}
