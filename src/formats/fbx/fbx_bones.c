// Which nodes are bones, and the bind pose that goes with them.
//
// Blender makes a bone of every LimbNode and gives it the bind pose of its cluster, from which it drops the scale, but
// not from what hangs below. So a bind pose must be rigid in the axes of the armature A, the node above the topmost
// limb: bind = A rigid(A^-1 X), where X = M inverse_bind^-1 is where the skin has the joint, for one M of each skin.
// M is such that one joint of the skin, the topmost, is bound where it is at rest, or where an earlier skin bound it.
// It is where the Model that draws the skin stands, since some readers take that place for M.
#include <stdlib.h>
#include <string.h>

#include "formats/fbx/fbx_writer.h"

typedef struct bone_finder {
    eri_fbx_writer *w;
    bool *above, *below;                // [node_count], at or above a joint; at or below one
    int *anchor;                        // [node_count], the parent of the topmost limb of a limb's tree
    bool *limb, *bound;                 // [node_count]
    er_affine *bind, *armature, *rigid; // [node_count]
    er_affine *mesh_bind;               // [skin_count]
} bone_finder;

// --- limbs

// Every node between two marked ones is a limb too.
static void fill_limbs(bone_finder *f, const bool *marked)
{
    const er_scene *scene = f->w->scene;
    int n = scene->node_count;
    memcpy(f->above, marked, (size_t)n * sizeof *marked);
    for (int i = n - 1; i >= 0; --i)
        if (f->above[i] && scene->node[i].parent != ERI_FBX_NONE) f->above[scene->node[i].parent] = true;
    for (int i = 0; i < n; ++i) {
        int parent = scene->node[i].parent;
        f->below[i] = marked[i] || (parent != ERI_FBX_NONE && f->below[parent]);
        f->limb[i] = f->above[i] && f->below[i];
        f->anchor[i] = f->limb[i] && parent != ERI_FBX_NONE && f->limb[parent] ? f->anchor[parent] : parent;
    }
}

// The lowest node that all joints of a skin hang on. Ways up end where another joint's way went before, so all of them
// together are no longer than the tree.   @param way  [node_count], below `mark` so far
static int common_ancestor(const er_scene *scene, const er_skin *skin, int *way, int mark)
{
    int common = skin->joint[0]; // on the first joint's way, as what each other joint meets first of it or of a branch
    for (int k = 0; k < skin->joint_count; ++k) {
        int at = skin->joint[k];
        for (; at != ERI_FBX_NONE && way[at] != mark; at = scene->node[at].parent)
            way[at] = mark;
        if (k == 0) continue;
        if (at == ERI_FBX_NONE) return ERI_FBX_NONE;
        common = at < common ? at : common; // parents have smaller indices
    }
    return common;
}

// The joints of a skin must hang in one tree: marks what joins them.
//   @param top  [node_count], the root that a node hangs on
static void join_skin(const bone_finder *f, int s, const int *top, int *way, bool *marked)
{
    const er_skin *skin = &f->w->scene->skin[s];
    bool apart = false;
    for (int k = 1; k < skin->joint_count; ++k)
        apart = apart || f->anchor[skin->joint[k]] != f->anchor[skin->joint[0]];
    if (!apart) return;
    int common = common_ancestor(f->w->scene, skin, way, s + 1);
    if (common != ERI_FBX_NONE) marked[common] = true;
    for (int k = 0; common == ERI_FBX_NONE && k < skin->joint_count; ++k)
        marked[top[skin->joint[k]]] = true;
}

static er_result find_limbs(bone_finder *f)
{
    er_result r = ER_OK;
    const er_scene *scene = f->w->scene;
    bool *marked, *joined;
    int *top, *way;
    ERI_TRY_NEW(marked, f->w->document->arena, bool, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        marked[i] = (scene->node[i].flags & (ER_NODE_JOINT | ER_NODE_END_SITE)) != 0;
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 0; k < scene->skin[s].joint_count; ++k)
            marked[scene->skin[s].joint[k]] = true;
    fill_limbs(f, marked);
    ERI_TRY_NEW(joined, f->w->document->arena, bool, scene->node_count);
    memcpy(joined, marked, (size_t)scene->node_count * sizeof *marked);
    ERI_TRY_NEW(top, f->w->document->arena, int, scene->node_count);
    ERI_TRY_NEW(way, f->w->document->arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        top[i] = scene->node[i].parent != ERI_FBX_NONE ? top[scene->node[i].parent] : i;
    for (int s = 0; s < scene->skin_count; ++s)
        join_skin(f, s, top, way, joined);
    fill_limbs(f, joined);
done:
    return r;
}

// --- the bind pose

// A rigid(A^-1 X), or rigid(X) where A is flat.
static er_affine rigid_under(er_affine armature, er_affine x)
{
    er_affine inverse;
    bool flat = !eri_affine_invert(armature, &inverse);
    eri_trs trs = eri_trs_from_affine(flat ? x : er_affine_mul(inverse, x));
    er_affine rigid = er_affine_from_trs(trs.translation, trs.rotation, er_v3(1, 1, 1));
    return flat ? rigid : er_affine_mul(armature, rigid);
}

er_affine eri_fbx_scaled(const eri_fbx_writer *writer, er_affine a)
{
    a.translation = er_v3_scale(writer->unit, a.translation);
    return a;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double volume(const er_skin *skin, int k)
{
    return fabs(er_m3_det(skin->inverse_bind[k].linear));
}

// The volume that a unit cube of the skin has in the space of most of its joints.
static er_result usual_volume(const bone_finder *f, const er_skin *skin, double *usual)
{
    er_result r = ER_OK;
    double *of;
    ERI_TRY_RESERVE(of, f->w->document->arena, double, skin->joint_count);
    for (int k = 0; k < skin->joint_count; ++k)
        of[k] = volume(skin, k);
    qsort(of, (size_t)skin->joint_count, sizeof *of, by_value);
    *usual = skin->joint_count > 0 ? of[skin->joint_count / 2] : 0.0;
done:
    return r;
}

// The joint that ties a skin to the pose: of those bound at the scale of most, one that is bound already, else the
// topmost; of all, where there is none; NONE where none can be inverted.
static int tie_of(const bone_finder *f, const er_skin *skin, double usual)
{
    int best = ERI_FBX_NONE, best_rank = -1;
    er_affine inverse;
    for (int k = 0; k < skin->joint_count; ++k) {
        if (!eri_affine_invert(skin->inverse_bind[k], &inverse)) continue;
        int rank = 2 * (fabs(volume(skin, k) - usual) <= 0.1 * usual) + f->bound[skin->joint[k]];
        if (rank < best_rank || (rank == best_rank && skin->joint[k] >= skin->joint[best])) continue;
        best = k;
        best_rank = rank;
    }
    return best;
}

static er_result bind_skin(bone_finder *f, int s, int *last_user)
{
    er_result r = ER_OK;
    const er_skin *skin = &f->w->scene->skin[s];
    eri_fbx_duplicate *doubles = f->w->duplicates + f->w->first_duplicate[s];
    double usual;
    ERI_TRY(usual_volume(f, skin, &usual));
    int tie = tie_of(f, skin, usual);
    er_affine *mesh = &f->mesh_bind[s];
    *mesh = er_affine_identity();
    if (tie != ERI_FBX_NONE) {
        int node = skin->joint[tie];
        if (!f->bound[node]) f->bind[node] = f->rigid[node];
        f->bound[node] = true;
        *mesh = er_affine_mul(f->bind[node], eri_fbx_scaled(f->w, skin->inverse_bind[tie]));
    }
    for (int k = 0; k < skin->joint_count; ++k) {
        int node = skin->joint[k];
        er_affine inverse;
        bool can = tie != ERI_FBX_NONE && eri_affine_invert(eri_fbx_scaled(f->w, skin->inverse_bind[k]), &inverse);
        er_affine bind = can ? rigid_under(f->armature[node], er_affine_mul(*mesh, inverse)) : f->rigid[node];
        bool second = last_user[node] == s;
        last_user[node] = s;
        doubles[k] = (eri_fbx_duplicate){second ? node : ERI_FBX_NONE, bind, 0};
        if (second || f->bound[node]) continue;
        f->bind[node] = bind;
        f->bound[node] = can;
    }
done:
    return r;
}

// A node that no skin binds stands to its parent as it does at rest.
static void bind_others(bone_finder *f)
{
    const er_scene *scene = f->w->scene;
    for (int i = 0; i < scene->node_count; ++i) {
        int parent = scene->node[i].parent;
        er_affine inverse;
        if (!f->limb[i] || f->bound[i]) continue;
        f->bind[i] = f->rigid[i];
        if (parent != ERI_FBX_NONE && f->limb[parent] && eri_affine_invert(f->rigid[parent], &inverse))
            f->bind[i] = er_affine_mul(f->bind[parent], er_affine_mul(inverse, f->rigid[i]));
    }
}

// three.js stands a limb that no cluster names where the bind pose has it, without its scale. So each that is bound
// elsewhere than it rests gets a cluster without weights, in the first skin of its tree.
static er_result list_others(bone_finder *f)
{
    er_result r = ER_OK;
    const er_scene *scene = f->w->scene;
    int *lists;
    bool *joint;
    ERI_TRY_NEW(lists, f->w->document->arena, int, scene->node_count);
    ERI_TRY_NEW(joint, f->w->document->arena, bool, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        lists[i] = ERI_FBX_NONE;
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 0; k < scene->skin[s].joint_count; ++k) {
            joint[scene->skin[s].joint[k]] = true;
            for (int i = scene->skin[s].joint[k]; i != ERI_FBX_NONE && f->limb[i] && lists[i] == ERI_FBX_NONE;
                 i = scene->node[i].parent)
                lists[i] = s;
        }
    for (int i = 0; i < scene->node_count; ++i) { // parents come first
        int parent = scene->node[i].parent;
        if (f->limb[i] && lists[i] == ERI_FBX_NONE && parent != ERI_FBX_NONE) lists[i] = lists[parent];
    }
    for (int i = 0; i < scene->node_count; ++i)
        if (joint[i] || eri_affine_near(f->bind[i], f->w->world[i], 1e-6)) lists[i] = ERI_FBX_NONE;
    f->w->lists = lists;
done:
    return r;
}

static er_result bind(bone_finder *f)
{
    er_result r = ER_OK;
    eri_fbx_writer *w = f->w;
    er_arena *arena = w->document->arena;
    const er_scene *scene = w->scene;
    size_t joints = 0;
    int *last_user, *first;
    ERI_TRY_NEW(first, arena, int, scene->skin_count);
    w->first_duplicate = first;
    for (int s = 0; s < scene->skin_count; ++s) {
        first[s] = (int)joints;
        joints += (size_t)scene->skin[s].joint_count;
    }
    ERI_TRY_NEW(w->duplicates, arena, eri_fbx_duplicate, joints);
    ERI_TRY_NEW(last_user, arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i) {
        last_user[i] = ERI_FBX_NONE;
        f->armature[i] = f->anchor[i] != ERI_FBX_NONE ? w->world[f->anchor[i]] : er_affine_identity();
        f->rigid[i] = rigid_under(f->armature[i], w->world[i]);
    }
    for (int s = 0; s < scene->skin_count; ++s)
        ERI_TRY(bind_skin(f, s, last_user));
    bind_others(f);
    ERI_TRY(list_others(f));
done:
    return r;
}

static er_result find_world(eri_fbx_writer *w)
{
    er_result r = ER_OK;
    int n = w->scene->node_count;
    eri_trs *rest;
    er_affine *local, *world;
    ERI_TRY_NEW(rest, w->document->arena, eri_trs, n);
    ERI_TRY_NEW(local, w->document->arena, er_affine, n);
    ERI_TRY_NEW(world, w->document->arena, er_affine, n);
    for (int i = 0; i < n; ++i) {
        rest[i] = eri_trs_from_affine(eri_fbx_scaled(w, w->scene->node[i].local));
        local[i] = er_affine_from_trs(rest[i].translation, rest[i].rotation, rest[i].scale);
    }
    er_scene_world(w->scene, local, world);
    w->rest = rest;
    w->world = world;
done:
    return r;
}

er_result eri_fbx_find_bones(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    er_arena *arena = writer->document->arena;
    int n = writer->scene->node_count;
    bone_finder f = {.w = writer};
    ERI_TRY(find_world(writer));
    ERI_TRY_NEW(f.above, arena, bool, n);
    ERI_TRY_NEW(f.below, arena, bool, n);
    ERI_TRY_NEW(f.anchor, arena, int, n);
    ERI_TRY_NEW(f.limb, arena, bool, n);
    ERI_TRY_NEW(f.bound, arena, bool, n);
    ERI_TRY_NEW(f.bind, arena, er_affine, n);
    ERI_TRY_NEW(f.armature, arena, er_affine, n);
    ERI_TRY_NEW(f.rigid, arena, er_affine, n);
    ERI_TRY_NEW(f.mesh_bind, arena, er_affine, writer->scene->skin_count);
    ERI_TRY(find_limbs(&f));
    ERI_TRY(bind(&f));
    writer->limb = f.limb;
    writer->bind = f.bind;
    writer->armature = f.armature;
    writer->mesh_bind = f.mesh_bind;
done:
    return r;
}
