// Worlds in files: told apart, read, written, freed.
#include "formats/world/world.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "formats/json/json.h"

enum { LOOKED_AT = 1 << 16 };

bool er_file_is_world(er_context *context, const char *path)
{
    if (context == NULL || path == NULL) return false;
    if (er_path_ends_in(path, ".cfg")) return true;
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false; // looking into a pipe would empty it
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool ours = er_arena_create(context, &scratch) == ER_OK &&
                er_file_read(scratch, path, ER_JSON_SIZE_LIMIT, &bytes, &size) == ER_OK && bytes != NULL &&
                bytes[strspn((const char *)bytes, " \t\r\n")] == '{' &&
                memmem(bytes, size, "\"eigenrig-world\"", 16) != NULL;
    er_arena_destroy(scratch);
    return ours;
}

er_result er_file_read_world(er_context *context, const char *path, er_world_file **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_file_read_world needs a path");
    er_result r =
        er_path_ends_in(path, ".cfg") ? er_bacin_read(context, path, out) : er_world_read_json(context, path, out);
    if (r == ER_OK) return ER_OK;
    er_world_file_destroy(*out);
    *out = NULL;
    return r;
}

er_result er_file_write_world(er_context *context, const er_world_file *file, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (file == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write_world needs a world and a path");
    return er_path_ends_in(path, ".cfg") ? er_bacin_write(context, file, path)
                                         : er_world_write_json(context, file, path);
}

er_result er_world_file_begin(er_context *context, er_world_file **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_world_file *file;
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY_NEW(file, arena, er_world_file, 1);
    file->arena = arena;
    file->name = "";
    file->def = er_default_world_def();
    *out = file;
    arena = NULL;
done:
    er_arena_destroy(arena);
    return r;
}

void er_world_file_destroy(er_world_file *file)
{
    if (file == NULL) return;
    for (int i = 0; i < file->solid_count; ++i)
        er_hull_destroy((er_hull *)file->solid[i].hull);
    er_model_destroy((er_model *)file->model);
    er_arena_destroy(file->arena);
}

// Each face as a fan; its corners are the hull's vertices, which are some of the solid's.
static er_result fan(er_arena *arena, const er_hull *hull, er_solid *solid)
{
    er_result r = ER_OK;
    int *triangle, count = 0;
    ER_TRY_NEW(triangle, arena, int, 6 * (size_t)hull->edge_count);
    for (int f = 0; f < hull->face_count; ++f) {
        const int *corner = hull->face_vertex + hull->face_start[f];
        for (int k = 2; k < hull->face_start[f + 1] - hull->face_start[f]; ++k, ++count)
            for (int i = 0; i < 3; ++i)
                triangle[3 * count + i] = hull->source[corner[i == 0 ? 0 : k + i - 2]];
    }
    solid->triangle_count = count;
    solid->triangle = triangle;
done:
    return r;
}

er_result er_solid_complete(er_arena *arena, bool collide, er_solid *solid)
{
    er_context *context = er_arena_context(arena);
    bool surface = solid->triangle_count > 0;
    er_hull *hull = NULL;
    er_result r = ER_OK;
    solid->hull = NULL;
    if (surface && collide)
        r = er_hull_create_faces(context, solid->vertex_count, solid->vertex, solid->triangle_count, solid->triangle,
                                 &hull);
    else if (!surface)
        r = er_hull_create(context, solid->vertex_count, solid->vertex, &hull);
    if (r == ER_OK && !surface) r = fan(arena, hull, solid);
    if (collide)
        solid->hull = hull;
    else
        er_hull_destroy(hull);
    return r;
}
