// BVH: a file that is read goes through the pipe unchanged, and is written to a file that reads the same.
#include "tests/fuzz/fuzz.h"

enum { MOST_NODES = 100, MOST_SECONDS = 20 };

static const double fps = 10.0;

static void write_and_read(er_context *context, const er_scene *scene, const er_clip *clip)
{
    const char *path = fuzz_path("out.bvh");
    er_arena *arena = NULL;
    er_scene *back = NULL;
    if (er_bvh_write(context, scene, NULL, clip, fps, path) != ER_OK) return;
    er_result r = fuzz_read(context, imp_read_bvh, path, &arena, &back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a BVH that was written is read");
    if (r == ER_OK) fuzz_same_stance(context, scene, clip, back, back->clip, 1.0 / fps, 1e-6);
    eri_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_arena *arena = NULL;
    er_scene *scene = NULL;
    er_result r = fuzz_read(context, imp_read_bvh, fuzz_file("in.bvh", data, size), &arena, &scene);
    if (r == ER_OK) {
        fuzz_cross_wire(context, scene);
        if (scene->node_count <= MOST_NODES && scene->clip_count > 0 && scene->clip->duration <= MOST_SECONDS)
            write_and_read(context, scene, scene->clip);
    }
    eri_arena_destroy(arena);
    if (size > 0 && data[0] == 'H') fuzz_import_bytes(context, data, size, r != ER_ERROR_FORMAT);
    er_context_destroy(context);
    return 0;
}
