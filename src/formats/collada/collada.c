// A Collada file from its parts: asset, pictures and materials, meshes and skins, the clip, the scene.
#include "base/file.h"
#include "formats/collada/collada_clip.h"
#include "formats/collada/collada_images.h"
#include "formats/collada/collada_scene.h"
#include "formats/scene_writer.h"
#include "scene/writing.h"

// The one clip to write, as the only one of a copy of the scene.
static er_result choose_clip(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                             const er_export_def *def, const char *path, er_scene *chosen)
{
    *chosen = *scene;
    if (clip_count > 0 || def->drop_clips) {
        chosen->clip_count = clip_count;
        chosen->clip = clip;
    }
    if (chosen->clip_count > 1)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "%s: cannot be written: there are %d clips, and a Collada file holds one; choose one, or write a "
            ".glb",
            path, chosen->clip_count);
    return eri_scene_check(context, chosen, path);
}

static void put_asset(eri_xml *xml, const eri_dae_plan *plan)
{
    static const char *const no_time = "1970-01-01T00:00:00Z"; // equal input gives equal bytes
    eri_xml_open(xml, "asset");
    eri_xml_open(xml, "contributor");
    eri_xml_leaf(xml, "authoring_tool", "eigenrig " ERI_VERSION);
    eri_xml_close(xml);
    eri_xml_leaf(xml, "created", no_time);
    eri_xml_leaf(xml, "modified", no_time);
    eri_xml_open(xml, "unit");
    eri_xml_attribute(xml, "name", "unit");
    eri_xml_attribute_number(xml, "meter", plan->scene->metres_per_unit);
    eri_xml_close(xml);
    eri_xml_leaf(xml, "up_axis", plan->up_axis);
    eri_xml_close(xml);
}

static er_result put_document(eri_xml *xml, const eri_dae_plan *plan, const char *const *image)
{
    er_result r = ER_OK;
    eri_xml_open(xml, "COLLADA");
    eri_xml_attribute(xml, "xmlns", "http://www.collada.org/2005/11/COLLADASchema");
    eri_xml_attribute(xml, "version", "1.4.1");
    put_asset(xml, plan);
    if (plan->scene->clip_count > 0) ERI_TRY(eri_dae_put_clip(xml, plan, plan->scene->clip));
    ERI_TRY(eri_dae_put_scene(xml, plan, image));
    eri_xml_close(xml);
    r = eri_xml_check(xml);
done:
    return r;
}

static er_result write_scene(er_context *context, const er_scene *scene, const char *path)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_xml xml;
    eri_beside beside = {.path = path};
    eri_dae_plan plan;
    const char *const *image;
    ERI_TRY(eri_arena_create(context, &arena));
    beside.arena = arena;
    eri_xml_start(&xml, arena, path);
    ERI_TRY(eri_dae_make_plan(&xml, scene, &plan));
    ERI_TRY(eri_dae_name_images(arena, scene, &image));
    ERI_TRY(put_document(&xml, &plan, image));
    ERI_TRY(eri_dae_write_images(&beside, scene, image));
    ERI_TRY(er_file_write(context, path, xml.text.bytes, xml.text.size));
    eri_beside_keep(&beside);
done:
    eri_beside_remove(&beside);
    eri_arena_destroy(arena);
    return r;
}

er_result er_collada_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                           const er_export_def *def, const char *path)
{
    er_result r = eri_scene_writer_check(context, "er_collada_write", scene, clip_count, clip, &def, path);
    if (r != ER_OK) return r;
    if (!er_path_ends_in(path, ".dae"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: Collada files end in .dae", path);
    er_scene chosen;
    r = choose_clip(context, scene, clip_count, clip, def, path, &chosen);
    return r == ER_OK ? write_scene(context, &chosen, path) : r;
}
