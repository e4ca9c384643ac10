// Plans a Collada file: axes, ids and names of bones, and the one bind pose that all skins share.
#include "formats/collada/collada_plan.h"

#include <string.h>

#include "scene/trs.h"
#include "scene/writing.h"

enum { NONE = -1, BLENDER_NAME_SIZE = 63 };

// Bind matrices that differ by this much of their size are one: float files keep seven digits, and inverses lose one or
// two.
#define SAME_BIND 1e-5
// A joint that the bind pose has this near its rest needs no keys.
#define SAME_POSE 1e-5

// --- axes

static void choose_axis(eri_dae_plan *plan)
{
    er_vec3 up = plan->scene->up, y = er_v3(0, 1, 0), across = er_v3_cross(up, y);
    bool z_up = er_v3_distance(up, er_v3(0, 0, 1)) < 1e-6;
    plan->up_axis = z_up ? "Z_UP" : "Y_UP";
    plan->turn = er_affine_identity();
    if (z_up) return;
    double angle = atan2(er_v3_norm(across), er_v3_dot(up, y));
    er_vec3 axis = er_v3_unit(across, er_v3_perpendicular(y));
    plan->turn.linear = er_m3_from_q(er_q_exp(er_v3_scale(angle, axis)));
}

static er_result place_nodes(er_arena *arena, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    er_affine *local, *world;
    ERI_TRY_NEW(local, arena, er_affine, scene->node_count);
    ERI_TRY_NEW(world, arena, er_affine, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i) {
        bool root = scene->node[i].parent == NONE;
        local[i] = root ? er_affine_mul(plan->turn, scene->node[i].local) : scene->node[i].local;
    }
    er_scene_world(scene, local, world);
    plan->local = local;
    plan->world = world;
done:
    return r;
}

// --- names

static er_result make_ids(eri_xml *xml, eri_dae_plan *plan)
{
    for (int i = 0; i < plan->scene->node_count; ++i) {
        plan->bone[i].id = eri_xml_id(xml, plan->scene->node[i].name);
        if (plan->bone[i].id == NULL) return ER_ERROR_MEMORY;
    }
    plan->scene_id = eri_xml_id(xml, "Scene");
    if (plan->scene_id == NULL) return ER_ERROR_MEMORY;
    int roots = 0;
    for (int i = 0; i < plan->scene->node_count; ++i)
        roots += plan->scene->node[i].parent == NONE;
    plan->top_made = roots > 1; // Blender makes an armature of each root, and errs when a skin has two
    plan->top_id = plan->top_made ? eri_xml_id(xml, "eigenrig-root") : roots == 1 ? plan->bone[0].id : "";
    return plan->top_id != NULL ? ER_OK : ER_ERROR_MEMORY;
}

// Blender knows a bone by its name, or by its id where it has none: no two may be alike.
static er_result name_nodes(eri_xml *xml, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    const char **name;
    eri_names taken = {.arena = xml->arena};
    ERI_TRY_NEW(name, xml->arena, const char *, plan->scene->node_count);
    for (int i = 0; i < plan->scene->node_count; ++i) {
        const char *own = plan->scene->node[i].name;
        bool is_id = strcmp(own, plan->bone[i].id) == 0;
        bool is_free = eri_names_find(&xml->ids, own) == NULL && eri_names_find(&taken, own) == NULL;
        if (!is_id && (own[0] == '\0' || strlen(own) > BLENDER_NAME_SIZE || !is_free)) continue;
        name[i] = own;
        if (!is_id) ERI_TRY(eri_names_add(&taken, own));
    }
    plan->name = name;
done:
    return r;
}

// --- bind pose

// The bone at a node with this inverse bind that mesh `drawn` does not have yet.
static int take_bone(eri_dae_plan *plan, int node, er_affine inverse_bind, int drawn)
{
    int *link = NULL;
    for (int i = node; i != NONE; i = *link) {
        eri_dae_bone *bone = &plan->bone[i];
        if (!bone->bound) {
            bone->bound = true;
            bone->inverse_bind = inverse_bind;
        }
        if (bone->drawn != drawn && eri_affine_near(bone->inverse_bind, inverse_bind, SAME_BIND)) {
            bone->drawn = drawn;
            return i;
        }
        link = &bone->next;
    }
    *link = plan->bone_count;
    plan->bone[plan->bone_count] = (eri_dae_bone){
        .node = node, .bound = true, .inverse_bind = inverse_bind, .posed = true, .next = NONE, .drawn = drawn};
    return plan->bone_count++;
}

// Puts a skin into the bind pose that its joints have already, or at rest. S = B_j K_j.
static er_affine shape_of_skin(const eri_dae_plan *plan, const er_skin *skin)
{
    er_affine shape, bind, unused;
    for (int k = 0; k < skin->joint_count; ++k) {
        const eri_dae_bone *bone = &plan->bone[skin->joint[k]];
        if (!bone->bound || !eri_affine_invert(bone->inverse_bind, &bind)) continue;
        shape = er_affine_mul(bind, skin->inverse_bind[k]);
        if (eri_affine_invert(shape, &unused)) return shape;
    }
    for (int k = 0; k < skin->joint_count; ++k) {
        shape = er_affine_mul(plan->world[skin->joint[k]], skin->inverse_bind[k]);
        if (eri_affine_invert(shape, &unused)) return shape;
    }
    return er_affine_identity();
}

static er_result bind_skin(er_arena *arena, eri_dae_plan *plan, eri_dae_drawn *drawn, int index)
{
    er_result r = ER_OK;
    const er_instance *instance = &plan->scene->instance[drawn->instance];
    const er_skin *skin = &plan->scene->skin[instance->skin];
    int *bones;
    ERI_TRY_NEW(bones, arena, int, skin->joint_count + 1);
    drawn->bind_shape = shape_of_skin(plan, skin);
    er_affine inverse = er_affine_inverse(drawn->bind_shape);
    for (int k = 0; k < skin->joint_count; ++k)
        bones[drawn->bone_count++] =
            take_bone(plan, skin->joint[k], er_affine_mul(skin->inverse_bind[k], inverse), index);
    if (eri_mesh_has_unweighted(&plan->scene->mesh[instance->mesh]))
        bones[drawn->bone_count++] = take_bone(plan, instance->node, inverse, index);
    drawn->bone = bones;
done:
    return r;
}

// A rigid part follows its node.
static er_result bind_part(er_arena *arena, eri_dae_plan *plan, eri_dae_drawn *drawn, int index)
{
    er_result r = ER_OK;
    int *bones, node = plan->scene->instance[drawn->instance].node;
    er_affine inverse = plan->bone[node].inverse_bind;
    ERI_TRY_NEW(bones, arena, int, 1);
    drawn->bind_shape = plan->world[node];
    bool good = plan->bone[node].bound ? eri_affine_invert(inverse, &drawn->bind_shape)
                                       : eri_affine_invert(drawn->bind_shape, &inverse);
    if (!good) drawn->bind_shape = inverse = er_affine_identity();
    bones[0] = take_bone(plan, node, inverse, index);
    drawn->bone = bones;
    drawn->bone_count = 1;
done:
    return r;
}

static er_result bind_all(eri_xml *xml, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    eri_dae_drawn *drawn;
    ERI_TRY_NEW(drawn, xml->arena, eri_dae_drawn, scene->instance_count);
    for (int i = 0; i < scene->instance_count; ++i)
        if (eri_mesh_is_drawn(&scene->mesh[scene->instance[i].mesh])) drawn[plan->drawn_count++].instance = i;
    plan->drawn = drawn;
    for (int i = 0; i < plan->drawn_count; ++i) // first, as they say what the bind pose is
        if (scene->instance[drawn[i].instance].skin != NONE) ERI_TRY(bind_skin(xml->arena, plan, &drawn[i], i));
    for (int i = 0; i < plan->drawn_count; ++i)
        if (scene->instance[drawn[i].instance].skin == NONE) ERI_TRY(bind_part(xml->arena, plan, &drawn[i], i));
    for (int i = scene->node_count; i < plan->bone_count; ++i) {
        plan->bone[i].id = eri_xml_id(xml, "eigenrig-joint");
        if (plan->bone[i].id == NULL) ERI_TRY(ER_ERROR_MEMORY);
    }
done:
    return r;
}

// All bind matrices, and which joints stand elsewhere than at rest, seen from their parents.
static er_result find_bind_pose(er_arena *arena, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    er_affine *bind;
    ERI_TRY_NEW(bind, arena, er_affine, plan->scene->node_count);
    for (int i = 0; i < plan->scene->node_count; ++i) {
        int parent = plan->scene->node[i].parent;
        er_affine rest = parent == NONE ? plan->local[i] : er_affine_mul(bind[parent], plan->local[i]);
        if (plan->bone[i].bound && eri_affine_invert(plan->bone[i].inverse_bind, &bind[i]))
            plan->bone[i].posed = !eri_affine_near(rest, bind[i], SAME_POSE);
        else
            bind[i] = rest;
    }
    plan->bind = bind;
done:
    return r;
}

// Godot takes a joint that no skin lists to stand at its parent, and loses a scale or a turn above the skeleton.
static er_result list_above(er_arena *arena, eri_dae_plan *plan, eri_dae_drawn *drawn)
{
    er_result r = ER_OK;
    int *above;
    ERI_TRY_NEW(above, arena, int, plan->scene->node_count);
    for (int k = 0; k < drawn->bone_count; ++k)
        for (int i = plan->bone[drawn->bone[k]].node; i != NONE && !plan->bone[i].listed;
             i = plan->scene->node[i].parent) {
            eri_dae_bone *bone = &plan->bone[i];
            bone->listed = true;
            if (bone->bound || !eri_affine_invert(plan->bind[i], &bone->inverse_bind)) continue;
            above[drawn->above_count++] = i;
        }
    drawn->above = above;
done:
    return r;
}

// --- the whole

// As many as there can be: one a node, and one a joint of what is drawn.
static er_result make_bones(er_arena *arena, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    size_t most = (size_t)scene->node_count;
    for (int i = 0; i < scene->instance_count; ++i)
        most += scene->instance[i].skin != NONE ? (size_t)scene->skin[scene->instance[i].skin].joint_count + 1 : 1;
    ERI_TRY_NEW(plan->bone, arena, eri_dae_bone, most);
    for (; plan->bone_count < scene->node_count; ++plan->bone_count)
        plan->bone[plan->bone_count] = (eri_dae_bone){.node = plan->bone_count, .next = NONE, .drawn = NONE};
done:
    return r;
}

er_result eri_dae_make_plan(eri_xml *xml, const er_scene *scene, eri_dae_plan *plan)
{
    er_result r = ER_OK;
    *plan = (eri_dae_plan){.scene = scene};
    choose_axis(plan);
    ERI_TRY(place_nodes(xml->arena, plan));
    ERI_TRY(make_bones(xml->arena, plan));
    ERI_TRY(make_ids(xml, plan));
    ERI_TRY(name_nodes(xml, plan));
    ERI_TRY(bind_all(xml, plan));
    ERI_TRY(find_bind_pose(xml->arena, plan));
    for (int i = 0; i < plan->drawn_count; ++i)
        ERI_TRY(list_above(xml->arena, plan, &plan->drawn[i]));
done:
    return r;
}
