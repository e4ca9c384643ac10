// Worlds in files: told apart, read and written by format.
#include "formats/world/world_file.h"

#include <string.h>

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "formats/json/json.h"

bool er_file_is_world(er_context *context, const char *path)
{
    if (context == NULL || path == NULL) return false;
    if (er_path_ends_in(path, ".cfg")) return true;
    if (!eri_platform_is_regular(path)) return false; // looking into a pipe would empty it
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0, first;
    bool ours = eri_arena_create(context, &scratch) == ER_OK &&
                eri_file_read(scratch, path, ERI_JSON_SIZE_LIMIT, &bytes, &size) == ER_OK && bytes != NULL &&
                bytes[first = eri_utf8_mark(bytes, size)] != '\0' &&
                bytes[first + strspn((const char *)bytes + first, " \t\r\n")] == '{' &&
                eri_platform_find(bytes, size, "\"eigenrig-world\"", 16) != NULL;
    eri_arena_destroy(scratch);
    return ours;
}

er_result er_world_file_read(er_context *context, const char *path, er_world_file **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_world_file_read needs a path");
    er_result r =
        er_path_ends_in(path, ".cfg") ? eri_bacin_read(context, path, out) : eri_world_read_json(context, path, out);
    if (r == ER_OK) r = eri_world_file_add_shapes(*out);
    if (r == ER_OK) return ER_OK;
    er_world_file_destroy(*out);
    *out = NULL;
    return r;
}

er_result er_world_file_write(er_context *context, const er_world_file *file, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (file == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_world_file_write needs a world and a path");
    return er_path_ends_in(path, ".cfg") ? eri_bacin_write(context, file, path)
                                         : eri_world_write_json(context, file, path);
}
