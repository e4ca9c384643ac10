// The importer's answer, as if anybody had sent it: a scene, or none that the library takes. A scene that is taken can
// be written.
#include <string.h>

#include "base/arena.h"
#include "scene/import/wire.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_NODES = 100, MOST_KEYS = 10000, MOST_SECONDS = 20 };

static bool small(const er_scene *scene)
{
    int keys = 0;
    double seconds = 0.0;
    for (int i = 0; i < scene->clip_count; ++i) {
        if (scene->clip[i].duration > seconds) seconds = scene->clip[i].duration;
        for (int k = 0; k < scene->clip[i].channel_count; ++k)
            keys += scene->clip[i].channel[k].key_count;
    }
    return scene->node_count <= MOST_NODES && keys <= MOST_KEYS && seconds <= MOST_SECONDS;
}

static void write(er_context *context, const er_scene *scene)
{
    er_gltf_write(context, scene, 0, NULL, NULL, fuzz_path("out.glb"));
    er_fbx_write(context, scene, 0, NULL, NULL, fuzz_path("out.fbx"));
    er_collada_write(context, scene, 0, NULL, NULL, fuzz_path("out.dae"));
    er_bvh_write(context, scene, NULL, scene->clip_count > 0 ? &scene->clip[0] : NULL, 10.0, fuzz_path("out.bvh"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_arena *arena = NULL;
    size -= size % 8;
    if (eri_arena_create(context, &arena) == ER_OK) {
        er_scene *scene = ERI_NEW(arena, er_scene, 1);
        char *bytes = ERI_NEW(arena, char, size);
        memcpy(bytes, data, size);
        scene->path = fuzz_path("none.glb");
        if (eri_wire_read_scene(arena, bytes, size, scene) == ER_OK && er_scene_validate(context, scene) == ER_OK) {
            fuzz_cross_wire(context, scene);
            if (small(scene)) write(context, scene);
        }
    }
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return 0;
}
