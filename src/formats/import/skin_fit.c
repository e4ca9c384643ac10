// Skins that exporters wrote in another scale or at another place than their skeleton.
#include "formats/import/skin_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_room = 0.05, most_room = 20.0, most_apart = 0.05; // of the meshes: beyond, they do not fit
static const double least_good = 0.4, most_good = 1.5, beside = 0.1;        // a reading that fits: its room; its reach
static const double inside_share = 0.9;                                     // of the joints, in the meshes' box
static const double most_stretch = 5.0; // of a bone between the nodes' pose and the bind pose: beyond, it is torn
static const double torn_share = 0.5;   // of the bones: beyond, the nodes' pose is none of the skin
static const double least_bone = 1e-3;  // of the joints' extent: shorter bones say nothing
enum { FEWEST_JOINTS = 3, MOST_VERTICES = 20000 }; // compared, of each mesh

typedef struct box {
    er_vec3 low, high;
} box;

// A skin as the scene draws it at rest.
typedef struct fit_skin {
    int node;          // that draws it first, -1: none
    int first;         // its first joint with weight, -1: none
    er_affine *joint;  // [joint_count], from the mesh to the world
    er_affine changed; // by the reading at hand, of the mesh, before the joints move it
} fit_skin;

typedef struct fit_search {
    const er_scene *scene;
    er_affine *world;
    fit_skin *skin;
    bool *weighted; // [node_count]
    int weighted_count;
    box joints;
    er_affine *bind; // [node_count], places in the world at the bind pose; as `world` where no skin binds a node
    bool *bound;     // [node_count]
} fit_search;

// Another reading of the file.
typedef struct reading {
    enum { READ_ARMATURE, READ_ARMATURE_INVERSE, READ_NODE, READ_UNIT, READ_BIND } kind;
    double unit;
    const char *text;
} reading;

static const reading readings[] = {
    {READ_ARMATURE, 0.0, "the scale of the armature was applied to them"},
    {READ_ARMATURE_INVERSE, 0.0, "the scale of the armature was removed from them"},
    {READ_NODE, 0.0, "they were put where their nodes are"},
    {READ_UNIT, 0.01, "they were taken to be in centimetres and made 100 times smaller"},
    {READ_UNIT, 100.0, "they were made 100 times larger"},
    {READ_UNIT, 0.001, "they were taken to be in millimetres and made 1000 times smaller"},
    {READ_UNIT, 1000.0, "they were made 1000 times larger"},
    {READ_UNIT, 0.0254, "they were taken to be in inches"},
    {READ_UNIT, 1.0 / 0.0254, "they were made 39.37 times larger, as if the joints were in inches"},
    {READ_BIND, 0.0, "the bind pose of the skin was taken as the rest pose"},
};

static box no_box(void)
{
    return (box){er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), er_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
}

static void grow(box *b, er_vec3 p)
{
    b->low = er_v3(fmin(b->low.x, p.x), fmin(b->low.y, p.y), fmin(b->low.z, p.z));
    b->high = er_v3(fmax(b->high.x, p.x), fmax(b->high.y, p.y), fmax(b->high.z, p.z));
}

static double longest_side(box b)
{
    er_vec3 side = er_v3_sub(b.high, b.low);
    return fmax(side.x, fmax(side.y, side.z));
}

static double most_of(er_vec3 v)
{
    return fmax(v.x, fmax(v.y, v.z));
}

static er_affine scaled_by(double scale)
{
    er_affine a = er_affine_identity();
    for (int k = 0; k < 3; ++k)
        a.linear.m[k][k] = scale;
    return a;
}

static double scale_of(er_affine a)
{
    return cbrt(fabs(er_m3_det(a.linear)));
}

static er_vec3 skinned_vertex(const fit_search *f, const er_instance *instance, int v)
{
    const er_mesh *mesh = &f->scene->mesh[instance->mesh];
    const fit_skin *skin = &f->skin[instance->skin];
    const float *p = mesh->position + 3 * (size_t)v;
    er_vec3 from = er_affine_point(skin->changed, er_v3(p[0], p[1], p[2])), at = {0};
    for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k)
        at = er_v3_madd(at, (double)mesh->influence_weight[k],
                        er_affine_point(skin->joint[mesh->influence_joint[k]], from));
    return at;
}

static bool is_skinned(const er_scene *scene, const er_instance *instance)
{
    return instance->skin >= 0 && scene->mesh[instance->mesh].influence_start != NULL;
}

static box meshes_box(const fit_search *f)
{
    box b = no_box();
    for (int i = 0; i < f->scene->instance_count; ++i) {
        const er_instance *instance = &f->scene->instance[i];
        if (!is_skinned(f->scene, instance)) continue;
        const er_mesh *mesh = &f->scene->mesh[instance->mesh];
        int step = 1 + mesh->vertex_count / MOST_VERTICES;
        for (int v = 0; v < mesh->vertex_count; v += step)
            if (mesh->influence_start[v + 1] > mesh->influence_start[v]) grow(&b, skinned_vertex(f, instance, v));
    }
    return b;
}

static bool cannot_fit(box joints, box meshes)
{
    double extent = longest_side(meshes), room = longest_side(joints) / extent;
    double apart = fmax(most_of(er_v3_sub(meshes.low, joints.high)), most_of(er_v3_sub(joints.low, meshes.high)));
    if (extent == 0.0) return true; // all joints have a scale of 0
    return extent > 0.0 && extent < HUGE_VAL && (room < least_room || room > most_room || apart > most_apart * extent);
}

static bool fits_well(const fit_search *f, box meshes)
{
    double extent = longest_side(meshes), room = longest_side(f->joints) / extent, reach = beside * extent;
    int inside = 0;
    for (int i = 0; i < f->scene->node_count; ++i) {
        er_vec3 p = f->world[i].translation;
        double out = fmax(most_of(er_v3_sub(meshes.low, p)), most_of(er_v3_sub(p, meshes.high)));
        inside += f->weighted[i] && out <= reach;
    }
    return extent > 0.0 && room >= least_good && room <= most_good && inside >= inside_share * f->weighted_count;
}

// The transform that a reading puts between a mesh and its joints.
static er_affine change_by(const fit_search *f, const reading *how, const fit_skin *skin, int first_node)
{
    int up = f->scene->node[first_node].parent;
    while (up >= 0 && (f->scene->node[up].flags & ER_NODE_JOINT) != 0)
        up = f->scene->node[up].parent;
    double armature = up >= 0 ? scale_of(f->world[up]) : 1.0;
    er_affine place = skin->joint[skin->first];
    if (how->kind == READ_UNIT) return scaled_by(how->unit);
    if (how->kind == READ_NODE)
        return scale_of(place) > 0.0 ? er_affine_mul(er_affine_inverse(place), f->world[skin->node])
                                     : er_affine_identity();
    return armature > 0.0 ? scaled_by(how->kind == READ_ARMATURE ? armature : 1.0 / armature) : er_affine_identity();
}

static void measure_joints(fit_search *f)
{
    f->joints = no_box();
    for (int i = 0; i < f->scene->node_count; ++i)
        if (f->weighted[i]) grow(&f->joints, f->world[i].translation);
}

// From here on the joints are where the skins bind them.
static void take_bind_pose(fit_search *f)
{
    f->world = f->bind;
    measure_joints(f);
    for (int k = 0; k < f->scene->skin_count; ++k) {
        const er_skin *from = &f->scene->skin[k];
        f->skin[k].changed = er_affine_identity();
        for (int j = 0; j < from->joint_count; ++j)
            f->skin[k].joint[j] = er_affine_mul(f->world[from->joint[j]], from->inverse_bind[j]);
    }
}

static void try_reading(fit_search *f, const reading *how)
{
    if (how->kind == READ_BIND) {
        take_bind_pose(f);
        return;
    }
    for (int s = 0; s < f->scene->skin_count; ++s) {
        fit_skin *skin = &f->skin[s];
        if (skin->first >= 0) skin->changed = change_by(f, how, skin, f->scene->skin[s].joint[skin->first]);
    }
}

static void apply_bind_pose(const fit_search *f)
{
    for (int i = 0; i < f->scene->node_count; ++i) {
        er_node *node = (er_node *)(uintptr_t)&f->scene->node[i];
        bool placed = node->parent >= 0 && scale_of(f->bind[node->parent]) > 0.0;
        if (!f->bound[i] || (node->parent >= 0 && !placed)) continue;
        node->local = placed ? er_affine_mul(er_affine_inverse(f->bind[node->parent]), f->bind[i]) : f->bind[i];
    }
}

static er_result apply_reading(const fit_search *f, const reading *how, er_arena *arena)
{
    er_result r = ER_OK;
    if (how->kind == READ_BIND) apply_bind_pose(f);
    for (int s = 0; s < f->scene->skin_count; ++s) {
        er_skin *skin = (er_skin *)(uintptr_t)&f->scene->skin[s];
        er_affine *inverse_bind;
        ERI_TRY_NEW(inverse_bind, arena, er_affine, skin->joint_count);
        for (int j = 0; j < skin->joint_count; ++j)
            inverse_bind[j] = er_affine_mul(skin->inverse_bind[j], f->skin[s].changed);
        skin->inverse_bind = inverse_bind;
    }
done:
    return r;
}

static void mark_weighted(fit_search *f, const er_instance *instance)
{
    const er_mesh *mesh = &f->scene->mesh[instance->mesh];
    fit_skin *skin = &f->skin[instance->skin];
    if (skin->node < 0) skin->node = instance->node;
    for (int k = 0; k < mesh->influence_start[mesh->vertex_count]; ++k) {
        int joint = mesh->influence_joint[k], node = f->scene->skin[instance->skin].joint[joint];
        if (skin->first < 0) skin->first = joint;
        if (f->weighted[node]) continue;
        f->weighted[node] = true;
        ++f->weighted_count;
    }
}

// The skin's place at the bind pose, from the mesh to the world: that of a joint which another skin has bound, else of
// its first joint at rest, or of the mesh's node where the joint has no size.
static er_affine bind_place(const fit_search *f, int which)
{
    const er_skin *skin = &f->scene->skin[which];
    const fit_skin *own = &f->skin[which];
    for (int j = 0; j < skin->joint_count; ++j)
        if (f->bound[skin->joint[j]]) return er_affine_mul(f->bind[skin->joint[j]], skin->inverse_bind[j]);
    return scale_of(own->joint[own->first]) > 0.0 ? own->joint[own->first] : f->world[own->node];
}

static void find_bind_pose(fit_search *f)
{
    const er_scene *s = f->scene;
    for (int k = 0; k < s->skin_count; ++k) {
        if (f->skin[k].first < 0) continue;
        er_affine place = bind_place(f, k);
        for (int j = 0; j < s->skin[k].joint_count; ++j) {
            int node = s->skin[k].joint[j];
            if (!f->weighted[node] || f->bound[node] || !(scale_of(s->skin[k].inverse_bind[j]) > 0.0)) continue;
            f->bind[node] = er_affine_mul(place, er_affine_inverse(s->skin[k].inverse_bind[j]));
            f->bound[node] = true;
        }
    }
    for (int i = 0; i < s->node_count; ++i) {
        int up = s->node[i].parent;
        if (!f->bound[i]) f->bind[i] = up >= 0 ? er_affine_mul(f->bind[up], s->node[i].local) : s->node[i].local;
    }
}

static er_result begin(fit_search *f, er_arena *arena)
{
    er_result r = ER_OK;
    const er_scene *s = f->scene;
    er_affine *local;
    ERI_TRY_NEW(local, arena, er_affine, s->node_count);
    ERI_TRY_NEW(f->world, arena, er_affine, s->node_count);
    ERI_TRY_NEW(f->bind, arena, er_affine, s->node_count);
    ERI_TRY_NEW(f->bound, arena, bool, s->node_count);
    ERI_TRY_NEW(f->weighted, arena, bool, s->node_count);
    ERI_TRY_NEW(f->skin, arena, fit_skin, s->skin_count);
    for (int i = 0; i < s->node_count; ++i)
        local[i] = s->node[i].local;
    er_scene_world(s, local, f->world);
    for (int k = 0; k < s->skin_count; ++k) {
        const er_skin *from = &s->skin[k];
        f->skin[k] = (fit_skin){.node = -1, .first = -1, .changed = er_affine_identity()};
        ERI_TRY_NEW(f->skin[k].joint, arena, er_affine, from->joint_count);
        for (int j = 0; j < from->joint_count; ++j)
            f->skin[k].joint[j] = er_affine_mul(f->world[from->joint[j]], from->inverse_bind[j]);
    }
    for (int i = 0; i < s->instance_count; ++i)
        if (is_skinned(s, &s->instance[i])) mark_weighted(f, &s->instance[i]);
    measure_joints(f);
    find_bind_pose(f);
done:
    return r;
}

// Whether most bones are so much longer or shorter than at the bind pose that the skin is torn. Turns do not matter.
static bool is_torn(const fit_search *f)
{
    int bones = 0, torn = 0;
    double least = least_bone * longest_side(f->joints);
    for (int i = 0; i < f->scene->node_count; ++i) {
        int up = f->scene->node[i].parent;
        while (up >= 0 && !f->weighted[up])
            up = f->scene->node[up].parent;
        if (!f->weighted[i] || up < 0 || !f->bound[i] || !f->bound[up]) continue;
        double now = er_v3_distance(f->world[i].translation, f->world[up].translation);
        double then = er_v3_distance(f->bind[i].translation, f->bind[up].translation);
        if (fmax(now, then) <= least) continue;
        ++bones;
        torn += now > most_stretch * then || then > most_stretch * now;
    }
    return bones >= FEWEST_JOINTS - 1 && torn > torn_share * bones;
}

static void describe_misfit(const fit_search *f, box meshes, bool torn, size_t room, char *reason)
{
    double extent = longest_side(meshes);
    if (torn)
        snprintf(reason, room, "most of the %d joints are at another distance from their parents than in the skin",
                 f->weighted_count);
    else if (extent > 0.0)
        snprintf(reason, room, "the %d joints span %.2g %% of the skinned meshes", f->weighted_count,
                 100.0 * longest_side(f->joints) / extent);
    else
        snprintf(reason, room, "the %d joints shrink the skinned meshes to a point", f->weighted_count);
}

er_result imp_fit_skins(imp_reader *reader)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    fit_search f = {.scene = reader->scene, .joints = no_box()};
    if (reader->scene->skin_count == 0) return ER_OK;
    ERI_TRY(eri_arena_create(reader->context, &scratch));
    ERI_TRY(begin(&f, scratch));
    if (f.weighted_count < FEWEST_JOINTS) goto done;
    box meshes = meshes_box(&f);
    bool torn = !cannot_fit(f.joints, meshes);
    if (torn && !is_torn(&f)) goto done;
    char reason[128];
    describe_misfit(&f, meshes, torn, sizeof reason, reason);
    for (size_t i = torn ? ERI_COUNT(readings) - 1 : 0; i < ERI_COUNT(readings); ++i) {
        try_reading(&f, &readings[i]);
        if (!fits_well(&f, meshes_box(&f))) continue;
        ERI_TRY(apply_reading(&f, &readings[i], reader->arena));
        ERI_TRY(imp_reader_note(reader, ER_NOTE_WARNING,
                                "%s, so these do not fit as the file has them: %s; apply all transforms and export the "
                                "model again if that is wrong",
                                reason, readings[i].text));
        break;
    }
done:
    eri_arena_destroy(scratch);
    return r;
}
