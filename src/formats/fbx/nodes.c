// Models of nodes, and the bind pose.
#include <string.h>

#include "formats/fbx/euler.h"
#include "formats/fbx/writer.h"

#define DEGREES (180.0 / ER_PI)

static void put_model(er_fbx_writer *w, int64_t id, const char *name, const char *type, er_trs trs, int order)
{
    er_fbx_document *d = w->document;
    er_vec3 angles = er_fbx_euler_from_q(trs.rotation, order, er_v3(0, 0, 0));
    er_fbx_open_object(d, ER_FBX_MODEL, id, name, "Model", type);
    er_fbx_put_int(d, "Version", 232);
    er_fbx_open(d, "Properties70");
    if (order != 0) { // an order counts only where rotation is "active"
        er_fbx_property_int(d, "RotationActive", "bool", 1);
        er_fbx_property_int(d, "RotationOrder", "enum", order);
    }
    er_fbx_property_int(d, "InheritType", "enum", 1); // the parent's matrix times one's own
    er_fbx_property_vector(d, "Lcl Translation", "Lcl Translation", trs.translation);
    er_fbx_property_vector(d, "Lcl Rotation", "Lcl Rotation", er_v3_scale(DEGREES, angles));
    er_fbx_property_vector(d, "Lcl Scaling", "Lcl Scaling", trs.scale);
    er_fbx_close(d);
    er_fbx_open(d, "Shading");
    er_fbx_add_bool(d, true);
    er_fbx_close(d);
    er_fbx_put_text(d, "Culling", "CullingOff");
    er_fbx_close(d);
}

// The attribute that says what a Model without mesh is.
static void put_attribute(er_fbx_writer *w, int64_t model, const char *name, const char *type)
{
    er_fbx_document *d = w->document;
    int64_t id = er_fbx_new_id(d);
    bool limb = strcmp(type, "LimbNode") == 0;
    er_fbx_open_object(d, ER_FBX_NODE_ATTRIBUTE, id, name, "NodeAttribute", type);
    er_fbx_put_text(d, "TypeFlags", limb ? "Skeleton" : type);
    er_fbx_close(d);
    er_fbx_connect(d, id, model, NULL);
}

// A name for a node's Model, `given` or the node's own, that readers can tell from all others; NULL without memory.
static const char *model_name(er_fbx_writer *w, int node, const char *given)
{
    if (given[0] == '\0') given = w->scene->node[node].name;
    if (given[0] == '\0') given = er_arena_printf(w->document->arena, "node %d", node);
    return given != NULL ? er_names_take(&w->names, given) : NULL;
}

int64_t er_fbx_put_model_apart(er_fbx_writer *writer, int node, bool at_root, er_trs place, const char *name,
                               const char *type)
{
    er_fbx_document *d = writer->document;
    const char *unique = model_name(writer, node, name);
    if (unique == NULL) {
        d->failure = ER_ERROR_MEMORY;
        return 0;
    }
    int64_t id = er_fbx_new_id(d);
    put_model(writer, id, unique, type, place, 0);
    er_fbx_connect(d, id, at_root ? 0 : writer->model[node], NULL);
    if (strcmp(type, "LimbNode") == 0) put_attribute(writer, id, unique, type);
    return id;
}

// --- the tree

// The root that a reader of FBX put there.
static bool is_own_root(const er_fbx_writer *w)
{
    const er_scene *scene = w->scene;
    if (scene->node_count == 0 || strcmp(scene->node[0].name, "RootNode") != 0 || w->limb[0] || w->keyed[0] != 0)
        return false;
    for (int i = 1; i < scene->node_count; ++i)
        if (scene->node[i].parent == ER_FBX_NONE) return false;
    for (int i = 0; i < scene->instance_count; ++i)
        if (scene->instance[i].node == 0) return false;
    return er_affine_near(scene->node[0].local, er_affine_identity(), 0.0);
}

// @param draw  what the Model draws, or NULL
static er_result put_node(er_fbx_writer *w, int node, const er_fbx_draw *draw)
{
    const char *name = model_name(w, node, "");
    const char *type = w->limb[node] ? "LimbNode" : draw != NULL ? "Mesh" : "Null";
    if (name == NULL) return ER_ERROR_MEMORY;
    int parent = w->scene->node[node].parent;
    w->model[node] = er_fbx_new_id(w->document);
    put_model(w, w->model[node], name, type, draw != NULL ? draw->place : w->rest[node], w->order[node]);
    er_fbx_connect(w->document, w->model[node], parent != ER_FBX_NONE ? w->model[parent] : 0, NULL);
    if (w->limb[node] || draw == NULL) put_attribute(w, w->model[node], name, type);
    return ER_OK;
}

er_result er_fbx_put_nodes(er_fbx_writer *writer)
{
    er_result r = ER_OK;
    const er_scene *scene = writer->scene;
    const er_fbx_draw *draw = writer->draw, *end = draw + writer->draw_count;
    const er_trs same = {er_v3(0, 0, 0), er_q_identity(), er_v3(1, 1, 1)};
    if (er_names_take(&writer->names, "RootNode") == NULL) return ER_ERROR_MEMORY;
    ER_TRY_NEW(writer->model, writer->document->arena, int64_t, scene->node_count);
    for (int i = is_own_root(writer) ? 1 : 0; i < scene->node_count; ++i) {
        const er_fbx_draw *own = NULL;
        for (; draw < end && draw->node <= i; ++draw)
            if (draw->node == i && !draw->apart) own = draw;
        ER_TRY(put_node(writer, i, own));
    }
    for (int s = 0; s < scene->skin_count; ++s)
        for (int k = 0; k < scene->skin[s].joint_count; ++k) {
            er_fbx_double *twice = &writer->doubles[writer->first_double[s] + k];
            if (twice->node != ER_FBX_NONE)
                twice->model = er_fbx_put_model_apart(writer, twice->node, false, same, "", "LimbNode");
        }
done:
    return r;
}

// --- the bind pose

static void put_pose_of(er_fbx_document *d, int64_t model, er_affine world)
{
    er_fbx_open(d, "PoseNode");
    er_fbx_open(d, "Node");
    er_fbx_add_long(d, model);
    er_fbx_close(d);
    er_fbx_put_affine(d, "Matrix", world);
    er_fbx_close(d);
}

void er_fbx_put_pose(er_fbx_writer *writer)
{
    er_fbx_document *d = writer->document;
    const er_scene *scene = writer->scene;
    int joints = scene->skin_count > 0
                     ? writer->first_double[scene->skin_count - 1] + scene->skin[scene->skin_count - 1].joint_count
                     : 0;
    int count = 0;
    for (int i = 0; i < scene->node_count; ++i)
        count += writer->limb[i];
    if (count == 0) return;
    for (int k = 0; k < joints; ++k)
        count += writer->doubles[k].node != ER_FBX_NONE;
    for (int i = 0; i < writer->draw_count; ++i)
        count += writer->draw[i].skin != ER_FBX_NONE;
    er_fbx_open_object(d, ER_FBX_POSE, er_fbx_new_id(d), "BindPose", "Pose", "BindPose");
    er_fbx_put_text(d, "Type", "BindPose");
    er_fbx_put_int(d, "Version", 100);
    er_fbx_put_int(d, "NbPoseNodes", count);
    for (int i = 0; i < scene->node_count; ++i)
        if (writer->limb[i]) put_pose_of(d, writer->model[i], writer->bind[i]);
    for (int k = 0; k < joints; ++k)
        if (writer->doubles[k].node != ER_FBX_NONE) put_pose_of(d, writer->doubles[k].model, writer->doubles[k].bind);
    for (int i = 0; i < writer->draw_count; ++i)
        if (writer->draw[i].skin != ER_FBX_NONE)
            put_pose_of(d, writer->draw[i].model, writer->mesh_bind[writer->draw[i].skin]);
    er_fbx_close(d);
}
