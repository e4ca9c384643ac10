// A Collada file from its parts: asset, pictures and materials, meshes and skins, the clip, the scene.
#include <eigenrig/formats.h>

#include "base/file.h"
#include "formats/collada/clip.h"
#include "formats/collada/images.h"
#include "formats/collada/scene.h"
#include "scene/writing.h"

// The one clip to write, as the only one of a copy of the scene.
static er_result choose_clip(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                             const char *path, er_scene *chosen)
{
    *chosen = *scene;
    if (clip_count > 0) {
        chosen->clip_count = clip_count;
        chosen->clip = clip;
    }
    if (chosen->clip_count > 1)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "%s: cannot be written: there are %d clips, and a Collada file holds one; choose one, or write a "
            ".glb",
            path, chosen->clip_count);
    return er_scene_check(context, chosen, path);
}

static void put_asset(er_xml *xml, const er_dae_plan *plan)
{
    static const char *const no_time = "1970-01-01T00:00:00Z"; // equal input gives equal bytes
    er_xml_open(xml, "asset");
    er_xml_open(xml, "contributor");
    er_xml_leaf(xml, "authoring_tool", "eigenrig " ER_VERSION);
    er_xml_close(xml);
    er_xml_leaf(xml, "created", no_time);
    er_xml_leaf(xml, "modified", no_time);
    er_xml_open(xml, "unit");
    er_xml_attribute(xml, "name", "unit");
    er_xml_attribute_number(xml, "meter", plan->scene->metres_per_unit);
    er_xml_close(xml);
    er_xml_leaf(xml, "up_axis", plan->up_axis);
    er_xml_close(xml);
}

static er_result put_document(er_xml *xml, const er_dae_plan *plan, const char *const *image)
{
    er_result r = ER_OK;
    er_xml_open(xml, "COLLADA");
    er_xml_attribute(xml, "xmlns", "http://www.collada.org/2005/11/COLLADASchema");
    er_xml_attribute(xml, "version", "1.4.1");
    put_asset(xml, plan);
    if (plan->scene->clip_count > 0) ER_TRY(er_dae_put_clip(xml, plan, plan->scene->clip));
    ER_TRY(er_dae_put_scene(xml, plan, image));
    er_xml_close(xml);
    r = er_xml_check(xml);
done:
    return r;
}

static er_result write_scene(er_context *context, const er_scene *scene, const char *path)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_xml xml;
    er_beside beside = {.path = path};
    er_dae_plan plan;
    const char *const *image;
    ER_TRY(er_arena_create(context, &arena));
    beside.arena = arena;
    er_xml_start(&xml, arena, path);
    ER_TRY(er_dae_make_plan(&xml, scene, &plan));
    ER_TRY(er_dae_name_images(arena, scene, &image));
    ER_TRY(put_document(&xml, &plan, image));
    ER_TRY(er_dae_write_images(&beside, scene, image));
    ER_TRY(er_file_write(context, path, xml.text.bytes, xml.text.size));
    er_beside_keep(&beside);
done:
    er_beside_remove(&beside);
    er_arena_destroy(arena);
    return r;
}

er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                           const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL || path == NULL || clip_count < 0 || (clip_count > 0 && clip == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_collada_write needs a scene, %d clips and a path", clip_count);
    if (!er_path_ends_in(path, ".dae"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: Collada files end in .dae", path);
    er_scene chosen;
    er_result r = choose_clip(context, scene, clip_count, clip, path, &chosen);
    return r == ER_OK ? write_scene(context, &chosen, path) : r;
}
