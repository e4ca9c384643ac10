// er_gltf_write(): a source extended or a scene written whole, and the files beside it.
#include <string.h>

#include "formats/gltf/gltf_clips.h"
#include "formats/gltf/gltf_nodes.h"
#include "formats/gltf/gltf_scene.h"
#include "formats/gltf/gltf_source.h"
#include "formats/gltf/gltf_springs.h"
#include "formats/scene_writer.h"
#include "scene/writing.h"

// @param scene  its nodes get their indices in the document
static er_result fill(eri_gltf_document *document, er_scene *scene, eri_gltf_copies *copies)
{
    er_result r = ER_OK;
    if (scene->format == ER_FORMAT_GLTF) {
        ERI_TRY(eri_gltf_open_source(document, scene, copies));
        const er_scene before = *scene;
        ERI_TRY(eri_gltf_add_nodes(document, &before, scene));
        ERI_TRY(eri_gltf_add_instances(document, scene));
    } else {
        ERI_TRY(eri_gltf_put_scene(document, scene));
        ERI_TRY(eri_gltf_add_clips(document, scene, scene->clip_count, scene->clip, false));
    }
done:
    return r;
}

// VRM 0 or 1: extensions that a source brings.
static bool is_vrm(const eri_gltf_document *document)
{
    json_t *extensions = json_object_get(document->root, "extensions");
    return json_is_object(json_object_get(extensions, "VRM")) ||
           json_is_object(json_object_get(extensions, "VRMC_vrm"));
}

er_result er_gltf_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                        const er_export_def *def, const char *path)
{
    er_result r = eri_scene_writer_check(context, "er_gltf_write", scene, clip_count, clip, &def, path);
    if (r != ER_OK) return r;
    bool vrm = er_path_ends_in(path, ".vrm"), binary = vrm || er_path_ends_in(path, ".glb") || strcmp(path, "-") == 0;
    if (!binary && !er_path_ends_in(path, ".gltf"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: glTF files end in .glb or .gltf", path);
    er_arena *arena = NULL;
    eri_gltf_document document = {0};
    eri_gltf_copies copies = {0};
    eri_beside beside = {.path = path};
    ERI_TRY(eri_scene_check(context, scene, path));
    ERI_TRY(eri_arena_create(context, &arena));
    beside.arena = arena;
    eri_gltf_start(&document, arena, path, binary);
    er_scene extended = *scene;
    ERI_TRY(fill(&document, &extended, &copies));
    if (vrm && !is_vrm(&document))
        ERI_TRY(er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: the model is no VRM; write .glb", path));
    size_t before = eri_gltf_count_clips(&document);
    ERI_TRY(eri_gltf_add_clips(&document, &extended, clip_count, clip, !def->drop_clips));
    eri_gltf_bring_forward(&document, before, !def->drop_clips);
    if (def->springs != NULL) eri_gltf_put_springs(&document, scene, def->springs);
    ERI_TRY(eri_gltf_copy_files(&beside, &copies));
    ERI_TRY(eri_gltf_save(&document));
    eri_beside_keep(&beside);
done:
    eri_beside_remove(&beside);
    eri_gltf_finish(&document);
    eri_arena_destroy(arena);
    return r;
}
