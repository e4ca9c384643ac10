// Nodes added to a glTF source, with their children and as joints of its skins.
#include "formats/gltf/gltf_nodes.h"

#include <string.h>

#include "formats/gltf/gltf_scene.h"
#include "formats/gltf/gltf_trs.h"

// Takes a node out of a list of nodes.   @return whether it was there
static bool take_out(json_t *list, int node)
{
    for (size_t i = 0; i < json_array_size(list); ++i)
        if (json_integer_value(json_array_get(list, i)) == node) return json_array_remove(list, i) == 0;
    return false;
}

// The list of a node's children, or of a scene's roots; NULL for a scene without roots.
static json_t *list_above(const eri_gltf_document *document, const er_scene *scene, int parent, size_t place)
{
    if (parent >= 0)
        return json_object_get(eri_gltf_at(document, "nodes", scene->node[parent].source_index), "children");
    return json_object_get(json_array_get(json_object_get(document->root, "scenes"), place), "nodes");
}

static er_result add_node(eri_gltf_document *document, const er_scene *scene, er_node *node, int i)
{
    er_result r = ER_OK;
    size_t places = node[i].parent >= 0 ? 1 : json_array_size(json_object_get(document->root, "scenes"));
    json_t *object = eri_gltf_new(document, "nodes", &node[i].source_index);
    eri_gltf_put_text(document, object, "name", node[i].name);
    eri_gltf_put_trs(document, object, eri_trs_from_affine(node[i].local));
    json_t *children = eri_gltf_put(document, object, "children", json_array());
    for (int k = i + 1; k < scene->node_count; ++k) {
        if (node[k].parent != i) continue;
        ERI_TRY(eri_gltf_check_node(document, scene, k));
        eri_gltf_push(document, children, json_integer(node[k].source_index));
    }
    for (size_t place = 0; place < places; ++place) {
        json_t *list = list_above(document, scene, node[i].parent, place);
        bool any = false;
        for (int k = i + 1; k < scene->node_count && list != NULL; ++k)
            if (node[k].parent == i) any |= take_out(list, node[k].source_index);
        if (any) eri_gltf_push(document, list, json_integer(node[i].source_index));
    }
    r = eri_gltf_check(document);
done:
    return r;
}

// Adds the new nodes among a skin's joints, and writes its inverse bind matrices anew.
static er_result extend_skin(eri_gltf_document *document, const er_scene *before, const er_scene *after, int i)
{
    const er_skin *skin = &after->skin[i];
    bool any = false;
    json_t *object = eri_gltf_at(document, "skins", i), *joints = json_object_get(object, "joints");
    for (int k = 0; k < skin->joint_count; ++k)
        any |= before->node[skin->joint[k]].source_index < 0;
    if (!any) return ER_OK;
    for (int k = 0; k < skin->joint_count; ++k)
        if (before->node[skin->joint[k]].source_index < 0) {
            eri_gltf_push(document, joints, json_integer(after->node[skin->joint[k]].source_index));
            if (json_object_get(object, "skeleton") != NULL)
                eri_gltf_put(document, object, "skeleton", json_integer(after->node[skin->joint[k]].source_index));
        }
    eri_gltf_put_inverse_binds(document, object, skin, skin->joint_count);
    return json_array_size(joints) == (size_t)skin->joint_count
               ? eri_gltf_check(document)
               : er_fail(eri_arena_context(document->arena), ER_ERROR_FORMAT, "%s: skin %d has changed; read it again",
                         after->path, i);
}

er_result eri_gltf_add_nodes(eri_gltf_document *document, const er_scene *scene, er_scene *extended)
{
    er_result r = ER_OK;
    er_node *node;
    bool any = false;
    *extended = *scene;
    for (int i = 0; i < scene->node_count; ++i)
        any |= scene->node[i].source_index < 0;
    if (!any) goto done;
    ERI_TRY_NEW(node, document->arena, er_node, scene->node_count);
    memcpy(node, scene->node, (size_t)scene->node_count * sizeof *node);
    extended->node = node;
    for (int i = 0; i < scene->node_count; ++i)
        if (scene->node[i].source_index < 0) ERI_TRY(add_node(document, extended, node, i));
    for (int i = 0; i < scene->skin_count; ++i)
        ERI_TRY(extend_skin(document, scene, extended, i));
done:
    return r;
}
