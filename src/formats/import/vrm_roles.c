// Humanoid maps of VRM, which give the roles of bones of any name. Source: VRM 0.0 and 1.0 specifications, extensions
// "VRM" (humanoid.humanBones, an array) and "VRMC_vrm" (humanoid.humanBones, an object).
#include "formats/import/gltf_reader.h"

static er_result give_role(const imp_gltf *gltf, const int *node_at, er_node *node, const char *role, const json_t *at)
{
    json_int_t source = json_is_integer(at) ? json_integer_value(at) : -1;
    if (role == NULL || source < 0 || source >= gltf->node_count) return ER_OK;
    er_node *named = &node[node_at[source]];
    named->role = eri_arena_string(gltf->reader->arena, role);
    return named->role != NULL ? ER_OK : ER_ERROR_MEMORY;
}

er_result imp_gltf_read_vrm(const imp_gltf *gltf, const int *node_at, er_node *node, er_vec3 *forward)
{
    er_result r = ER_OK;
    const json_t *extensions = json_object_get(gltf->root, "extensions"),
                 *one = json_object_get(extensions, "VRMC_vrm"), *zero = json_object_get(extensions, "VRM");
    json_t *bones = json_object_get(json_object_get(one != NULL ? one : zero, "humanoid"), "humanBones"), *bone;
    const char *role;
    size_t i;
    if (one == NULL && zero == NULL) return ER_OK;
    *forward = er_v3(0, 0, one != NULL ? 1.0 : -1.0);
    json_object_foreach(bones, role, bone) ERI_TRY(give_role(gltf, node_at, node, role, json_object_get(bone, "node")));
    json_array_foreach(bones, i, bone) ERI_TRY(give_role(
        gltf, node_at, node, json_string_value(json_object_get(bone, "bone")), json_object_get(bone, "node")));
done:
    return r;
}
