// Models of all formats, read through the importer's process: the first byte chooses the ending. Assimp may crash on a
// file; then the caller gets one sentence and goes on.
#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"in.fbx", "in.dae", "in.x", "in.ms3d", "in.b3d", "in.obj", "in.glb", "in.bvh"};
    if (size == 0) return 0;
    er_context *context = fuzz_context();
    er_import_def def = er_default_import_def();
    er_scene *scene = NULL;
    def.time_limit = 2.0;
    const char *path = fuzz_file(names[data[0] % ERI_COUNT(names)], data + 1, size - 1);
    er_result r = er_import_file(context, path, &def, &scene);
    const char *said = er_context_error(context);
    fuzz_promise((r == ER_OK) == (scene != NULL), context, "there is a scene or an error");
    fuzz_promise(r == ER_OK || strncmp(said, path, strlen(path)) == 0, context, "an error names the file");
    fuzz_promise(r == ER_OK || strpbrk(said, "\n\r\x1b") == NULL, context, "an error is one line");
    er_scene_destroy(scene);
    er_context_destroy(context);
    return 0;
}
