// eigenrig-import FILE --memory BYTES --time SECONDS [--allow-outside]: reads one scene file under limits and writes
// the answer of import/wire.h to standard output. Started by er_import_file(), not by people.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/sanitizer.h"
#include "formats/import/scene_reader.h"
#include "formats/import/skin_fit.h"
#include "scene/import/wire.h"
#include "tools/importer/all_decoders.h"
#include "tools/importer/assimp_reader.h"
#include "tools/importer/new_handler.h"
#include "tools/importer/sandbox.h"

#define USAGE 2
#define NO_ANSWER 3

static FILE *answer;
static double memory_limit;

static const char *out_of_memory(void)
{
    static char sentence[200];
    snprintf(
        sentence, sizeof sentence,
        "reading it takes more memory than the limit of %.0f MiB; the file is damaged, or the limit has to be raised",
        memory_limit / (1024 * 1024));
    return sentence;
}

static void give_up_for_memory(void)
{
    eri_wire_write_failure(answer, ER_ERROR_MEMORY, out_of_memory());
    _Exit(0);
}

static void set_limits(double memory, double seconds)
{
    eri_platform_end_with_parent(); // nobody is left to read the answer
    eri_platform_limit(ERI_LIMIT_MEMORY, memory);
    eri_platform_limit(ERI_LIMIT_SECONDS, seconds);
    eri_platform_limit(ERI_LIMIT_CORE, 0.0);
}

static er_result refuse(er_context *context, const char *what, const char *then)
{
    return er_fail(context, ER_ERROR_FORMAT, "%s cannot be read; %s", what, then);
}

static bool starts_with(imp_bytes file, const char *magic)
{
    return file.size >= strlen(magic) && memcmp(file.at, magic, strlen(magic)) == 0;
}

// Formats from which no reader here gets a skeleton. Refused with a reason, instead of read as a mesh.
static er_result refuse_unreadable(imp_reader *reader, imp_bytes file)
{
    static const struct {
        const char *ending, *name;
    } unreadable[] = {{".iqm", "Inter-Quake models"}, {".ogex", "OpenGEX scenes"}, {".m3d", "M3D models"},
                      {".usd", "USD scenes"},         {".usdc", "USD scenes"},     {".usda", "USD scenes"},
                      {".usdz", "USD scenes"},        {".ma", "Maya scenes"},      {".mb", "Maya scenes"},
                      {".max", "3ds Max scenes"},     {".c4d", "Cinema 4D scenes"}};
    if (starts_with(file, "BLENDER") || imp_ends_in(reader->path, ".blend"))
        return refuse(reader->context, "Blender's own files", "export as glTF 2.0 (.glb) from Blender");
    for (size_t i = 0; i < ERI_COUNT(unreadable); ++i)
        if (imp_ends_in(reader->path, unreadable[i].ending))
            return refuse(reader->context, unreadable[i].name, "convert to glTF, FBX, Collada or BVH");
    return ER_OK;
}

static er_result read_by_format(imp_reader *reader, imp_bytes file)
{
    static const char *const gltf[] = {".gltf", ".glb", ".vrm"};
    if (starts_with(file, "glTF")) return imp_read_gltf(reader, file);
    for (size_t i = 0; i < ERI_COUNT(gltf); ++i)
        if (imp_ends_in(reader->path, gltf[i])) return imp_read_gltf(reader, file);
    if (imp_ends_in(reader->path, ".bvh") || starts_with(file, "HIERARCHY")) return imp_read_bvh(reader, file);
    er_result r = refuse_unreadable(reader, file);
    return r == ER_OK ? imp_read_assimp(reader, file) : r;
}

static bool answer_with(er_context *context, er_result r, er_scene *scene)
{
    if (r == ER_OK) return eri_wire_write_scene(answer, scene);
    if (r == ER_ERROR_MEMORY) return eri_wire_write_failure(answer, ER_ERROR_MEMORY, out_of_memory());
    char line[1024];
    imp_one_line(er_context_error(context), line, sizeof line);
    return eri_wire_write_failure(answer, r, line);
}

int main(int count, char **word)
{
    eri_platform_fill_streams();
    bool outside = count == 7 && strcmp(word[6], "--allow-outside") == 0;
    if (count != (outside ? 7 : 6) || strcmp(word[2], "--memory") != 0 || strcmp(word[4], "--time") != 0) {
        fprintf(stderr, "usage: eigenrig-import FILE --memory BYTES --time SECONDS [--allow-outside]\n"
                        "Writes a scene in a private form; use eigenrig instead.\n");
        return USAGE;
    }
    memory_limit = strtod(word[3], NULL);
    double seconds = strtod(word[5], NULL);
    if (!(memory_limit >= 1.0) || !(seconds >= 1.0)) return USAGE;
    answer = eri_platform_take_output(); // messages of libraries must not get into the answer
    if (answer == NULL) return USAGE;
    set_limits(memory_limit, seconds);
    if (!ERI_SANITIZED) imp_sandbox_enter(word[1], outside); // the leak sanitizer reads processes and files
    imp_set_new_handler(give_up_for_memory);
    er_context *context = NULL;
    er_arena *arena = NULL;
    er_scene *scene = NULL;
    if (er_context_create(NULL, &context) != ER_OK) return NO_ANSWER;
    imp_reader reader = {.context = context,
                         .path = word[1],
                         .allow_outside = outside,
                         .decoders = &imp_all_decoders,
                         .fit = imp_fit_skins};
    er_result r = imp_reader_read(&reader, read_by_format, &arena, &scene);
    bool told = answer_with(context, r, scene);
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return fclose(answer) == 0 && told ? 0 : NO_ANSWER;
}
