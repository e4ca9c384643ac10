// Models from bytes, read in this process by the readers of glTF and BVH.
#include <eigenrig/formats.h>

#include <string.h>

#include "base/text.h"
#include "formats/import/scene_reader.h"
#include "formats/import/skin_fit.h"

static er_result check_arguments(er_context *context, const char *name, const void *bytes, size_t size,
                                 int beside_count, const er_named_bytes *beside)
{
    if (name == NULL || (bytes == NULL && size > 0) || beside_count < 0 || (beside == NULL && beside_count > 0))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_import_bytes() was given NULL or a negative count");
    for (int i = 0; i < beside_count; ++i)
        if (beside[i].name == NULL || (beside[i].bytes == NULL && beside[i].size > 0))
            return er_fail(context, ER_ERROR_ARGUMENT, "file %d beside the model has no name or no bytes", i);
    if (size == 0)
        return er_fail(context, ER_ERROR_FORMAT, "%s: the file is empty; export or download the model again", name);
    return ER_OK;
}

static er_result read_by_content(imp_reader *reader, imp_bytes file)
{
    size_t at = eri_utf8_mark(file.at, file.size);
    while (at < file.size && strchr(" \t\r\n", file.at[at]) != NULL && file.at[at] != '\0')
        ++at;
    size_t left = file.size - at;
    if ((left >= 4 && memcmp(file.at + at, "glTF", 4) == 0) || (left > 0 && file.at[at] == '{'))
        return imp_read_gltf(reader, file);
    if (left >= 9 && memcmp(file.at + at, "HIERARCHY", 9) == 0) return imp_read_bvh(reader, file);
    return er_fail(reader->context, ER_ERROR_FORMAT,
                   "the bytes are neither glTF nor BVH; convert the model to glTF 2.0 (.glb)");
}

er_result er_import_bytes(er_context *context, const char *name, const void *bytes, size_t size, int beside_count,
                          const er_named_bytes *beside, er_scene **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_arena *arena = NULL;
    er_scene *scene = NULL;
    imp_bytes file = {0};
    er_result r = check_arguments(context, name, bytes, size, beside_count, beside);
    if (r != ER_OK) return r;
    imp_reader reader = {
        .context = context, .in_memory = true, .beside_count = beside_count, .beside = beside, .fit = imp_fit_skins};
    ERI_TRY(eri_arena_create(context, &arena));
    reader.path = eri_arena_string(arena, name);
    if (reader.path == NULL) ERI_TRY(ER_ERROR_MEMORY);
    ERI_TRY(imp_keep_bytes(arena, bytes, size, &file));
    r = imp_reader_read_bytes(&reader, read_by_content, file, arena, &scene);
    if (r != ER_OK && r != ER_ERROR_MEMORY) {
        char line[1024];
        imp_one_line(er_context_error(context), line, sizeof line);
        r = er_fail(context, r, "%s: %s", name, line);
    }
    if (r != ER_OK) goto done;
    scene->arena = arena;
    arena = NULL;
    *out = scene;
done:
    eri_arena_destroy(arena);
    return r;
}
