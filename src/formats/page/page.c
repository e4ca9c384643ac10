// A model and its motions as one page: what draws and moves it is page.html, page.css and the scripts beside them. All
// data is one GLB; what glTF has no place for stands in its "extras".
#include <string.h>

#include "base/file.h"
#include "formats/gltf/gltf_clips.h"
#include "formats/gltf/gltf_scene.h"
#include "formats/gltf/uri.h"
#include "formats/page/page_modes.h"
#include "formats/page_text.h"
#include "formats/scene_writer.h"
#include "scene/writing.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Clips of the source are kept bit by bit by er_gltf_write(); a page draws them from the scene's arrays.
static er_result fill(eri_gltf_document *document, const er_scene *scene, const er_page_modes *modes, int clip_count,
                      const er_clip *clip, bool drop_clips)
{
    er_result r = ER_OK;
    er_scene plain = *scene;
    char name[256];
    plain.format = ER_FORMAT_OTHER;
    plain.source = NULL;
    ERI_TRY(eri_gltf_put_scene(document, &plain));
    ERI_TRY(eri_gltf_add_clips(document, &plain, clip_count, clip, false));
    if (!drop_clips) ERI_TRY(eri_gltf_add_clips(document, &plain, plain.clip_count, plain.clip, true));
    json_t *extras = eri_gltf_put(document, document->root, "extras", json_object());
    const double up[3] = {scene->up.x, scene->up.y, scene->up.z};
    er_text_plain(base_name(scene->path), name, sizeof name);
    eri_gltf_put_text(document, extras, "name", name);
    eri_gltf_put(document, extras, "new_clips", json_integer(clip_count));
    eri_gltf_put(document, extras, "node_count", json_integer(scene->node_count));
    eri_gltf_put_numbers(document, extras, "up", up, 3);
    if (modes != NULL) ERI_TRY(eri_page_put_modes(document, extras, modes));
    r = eri_gltf_check(document);
done:
    return r;
}

static void put_lines(eri_stream *stream, const char *const *line, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        eri_stream_put(stream, line[i], strlen(line[i]));
}

static er_result save(er_context *context, eri_gltf_document *document, const char *path)
{
    eri_stream stream;
    eri_buffer glb = {.arena = document->arena};
    er_result r = eri_gltf_lay_out(document, &glb);
    if (r != ER_OK) return r;
    const char *uri = eri_uri_from_bytes(document->arena, "model/gltf-binary", glb.bytes, glb.size);
    if (uri == NULL) return ER_ERROR_MEMORY;
    r = eri_stream_open(&stream, context, path);
    if (r != ER_OK) return r;
    put_lines(&stream, page_head, sizeof page_head / sizeof *page_head);
    eri_stream_put(&stream, uri, strlen(uri));
    put_lines(&stream, page_tail, sizeof page_tail / sizeof *page_tail);
    return eri_stream_close(&stream);
}

er_result er_page_write_modes(er_context *context, const er_scene *scene, const er_page_modes *modes, int clip_count,
                              const er_clip *clip, const er_export_def *def, const char *path)
{
    er_result r = eri_scene_writer_check(context, "er_page_write", scene, clip_count, clip, &def, path);
    if (r != ER_OK) return r;
    if (!er_path_ends_in(path, ".html"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: pages end in .html", path);
    er_arena *arena = NULL;
    eri_gltf_document document = {0};
    ERI_TRY(eri_scene_check(context, scene, path));
    ERI_TRY(eri_arena_create(context, &arena));
    eri_gltf_start(&document, arena, path, true);
    ERI_TRY(fill(&document, scene, modes, clip_count, clip, def->drop_clips));
    ERI_TRY(save(context, &document, path));
done:
    eri_gltf_finish(&document);
    eri_arena_destroy(arena);
    return r;
}

er_result er_page_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                        const er_export_def *def, const char *path)
{
    return er_page_write_modes(context, scene, NULL, clip_count, clip, def, path);
}
