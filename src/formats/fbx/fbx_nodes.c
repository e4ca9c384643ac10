// Models of nodes, and the bind pose.
#include <string.h>

#include "formats/fbx/fbx_euler.h"
#include "formats/fbx/fbx_writer.h"

#define DEGREES (180.0 / ER_PI)

static void put_model(eri_fbx_writer *w, int64_t id, const char *name, const char *type, eri_trs trs, int order)
{
    eri_fbx_document *d = w->document;
    er_vec3 angles = eri_fbx_euler_from_q(trs.rotation, order, er_v3(0, 0, 0));
    eri_fbx_open_object(d, ERI_FBX_MODEL, id, name, "Model", type);
    eri_fbx_put_int(d, "Version", 232);
    eri_fbx_open(d, "Properties70");
    if (order != 0) { // an order counts only where rotation is "active"
        eri_fbx_property_int(d, "RotationActive", "bool", 1);
        eri_fbx_property_int(d, "RotationOrder", "enum", order);
    }
    eri_fbx_property_int(d, "InheritType", "enum", 1); // the parent's matrix times one's own
    eri_fbx_property_vector(d, "Lcl Translation", "Lcl Translation", trs.translation);
    eri_fbx_property_vector(d, "Lcl Rotation", "Lcl Rotation", er_v3_scale(DEGREES, angles));
    eri_fbx_property_vector(d, "Lcl Scaling", "Lcl Scaling", trs.scale);
    eri_fbx_close(d);
    eri_fbx_open(d, "Shading");
    eri_fbx_add_bool(d, true);
    eri_fbx_close(d);
    eri_fbx_put_text(d, "Culling", "CullingOff");
    eri_fbx_close(d);
}

// The attribute that says what a Model without mesh is.
static void put_attribute(eri_fbx_writer *w, int64_t model, const char *name, const char *type)
{
    eri_fbx_document *d = w->document;
    int64_t id = eri_fbx_new_id(d);
    bool limb = strcmp(type, "LimbNode") == 0;
    eri_fbx_open_object(d, ERI_FBX_NODE_ATTRIBUTE, id, name, "NodeAttribute", type);
    eri_fbx_put_text(d, "TypeFlags", limb ? "Skeleton" : type);
    eri_fbx_close(d);
    eri_fbx_connect(d, id, model, NULL);
}

// A name for a node's Model, `given` or the node's own, that readers can tell from all others; NULL without memory.
static const char *model_name(eri_fbx_writer *w, int node, const char *given)
{
    if (given[0] == '\0') given = w->scene->node[node].name;
    if (given[0] == '\0') given = eri_arena_printf(w->document->arena, "node %d", node);
    return given != NULL ? eri_names_take(&w->names, given) : NULL;
}

int64_t eri_fbx_put_model_apart(eri_fbx_writer *writer, int node, bool at_root, eri_trs place, const char *name,
                                const char *type)
{
    eri_fbx_document *d = writer->document;
    const char *unique = model_name(writer, node, name);
    if (unique == NULL) {
        d->failure = ER_ERROR_MEMORY;
        return 0;
    }
    int64_t id = eri_fbx_new_id(d);
    put_model(writer, id, unique, type, place, 0);
    eri_fbx_connect(d, id, at_root ? 0 : writer->model[node], NULL);
    if (strcmp(type, "LimbNode") == 0) put_attribute(writer, id, unique, type);
    return id;
}

// --- the tree

// The root that a reader of FBX put there.
static bool is_own_root(const eri_fbx_writer *w)
{
    const er_scene *scene = w->scene;
    if (scene->node_count == 0 || strcmp(scene->node[0].name, "RootNode") != 0 || w->limb[0] || w->keyed[0] != 0)
        return false;
    for (int i = 1; i < scene->node_count; ++i)
        if (scene->node[i].parent == ERI_FBX_NONE) return false;
    for (int i = 0; i < scene->instance_count; ++i)
        if (scene->instance[i].node == 0) return false;
    return eri_affine_near(scene->node[0].local, er_affine_identity(), 0.0);
}

// @param draw  what the Model draws, or NULL
static er_result put_node(eri_fbx_writer *w, int node, const eri_fbx_draw *draw)
{
    const char *name = model_name(w, node, "");
    const char *type = w->limb[node] ? "LimbNode" : draw != NULL ? "Mesh" : "Null";
    if (name == NULL) return ER_ERROR_MEMORY;
    int parent = w->scene->node[node].parent;
    w->model[node] = eri_fbx_new_id(w->document);
    put_model(w, w->model[node], name, type, draw != NULL ? draw->place : w->rest[node], w->order[node]);
    eri_fbx_connect(w->document, w->model[node], parent != ERI_FBX_NONE ? w->model[parent] : 0, NULL);
    if (w->limb[node] || draw == NULL) put_attribute(w, w->model[node], name, type);
    return ER_OK;
}

er_result eri_fbx_put_nodes(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    const er_scene *scene = writer->scene;
    const eri_fbx_draw *draw = writer->draw, *end = draw + writer->draw_count;
    const eri_trs same = {er_v3(0, 0, 0), er_q_identity(), er_v3(1, 1, 1)};
    if (eri_names_take(&writer->names, "RootNode") == NULL) return ER_ERROR_MEMORY;
    ERI_TRY_NEW(writer->model, writer->document->arena, int64_t, scene->node_count);
    for (int i = is_own_root(writer) ? 1 : 0; i < scene->node_count; ++i) {
        const eri_fbx_draw *own = NULL;
        for (; draw < end && draw->node <= i; ++draw)
            if (draw->node == i && !draw->apart) own = draw;
        ERI_TRY(put_node(writer, i, own));
    }
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 0; k < scene->skin[s].joint_count; ++k) {
            eri_fbx_duplicate *twice = &writer->duplicates[writer->first_duplicate[s] + k];
            if (twice->node != ERI_FBX_NONE)
                twice->model = eri_fbx_put_model_apart(writer, twice->node, false, same, "", "LimbNode");
        }
done:
    return r;
}

// --- the bind pose

static void put_pose_of(eri_fbx_document *d, int64_t model, er_affine world)
{
    eri_fbx_open(d, "PoseNode");
    eri_fbx_open(d, "Node");
    eri_fbx_add_long(d, model);
    eri_fbx_close(d);
    eri_fbx_put_affine(d, "Matrix", world);
    eri_fbx_close(d);
}

void eri_fbx_put_pose(eri_fbx_writer *writer)
{
    eri_fbx_document *d = writer->document;
    const er_scene *scene = writer->scene;
    int joints = scene->skin_count > 0
                     ? writer->first_duplicate[scene->skin_count - 1] + scene->skin[scene->skin_count - 1].joint_count
                     : 0;
    int count = 0;
    for (int i = 0; i < scene->node_count; ++i)
        count += writer->limb[i];
    if (count == 0) return;
    for (int k = 0; k < joints; ++k)
        count += writer->duplicates[k].node != ERI_FBX_NONE;
    for (int i = 0; i < writer->draw_count; ++i)
        count += writer->draw[i].skin != ERI_FBX_NONE;
    eri_fbx_open_object(d, ERI_FBX_POSE, eri_fbx_new_id(d), "BindPose", "Pose", "BindPose");
    eri_fbx_put_text(d, "Type", "BindPose");
    eri_fbx_put_int(d, "Version", 100);
    eri_fbx_put_int(d, "NbPoseNodes", count);
    for (int i = 0; i < scene->node_count; ++i)
        if (writer->limb[i]) put_pose_of(d, writer->model[i], writer->bind[i]);
    for (int k = 0; k < joints; ++k)
        if (writer->duplicates[k].node != ERI_FBX_NONE)
            put_pose_of(d, writer->duplicates[k].model, writer->duplicates[k].bind);
    for (int i = 0; i < writer->draw_count; ++i)
        if (writer->draw[i].skin != ERI_FBX_NONE)
            put_pose_of(d, writer->draw[i].model, writer->mesh_bind[writer->draw[i].skin]);
    eri_fbx_close(d);
}
