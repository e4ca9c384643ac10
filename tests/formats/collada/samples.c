// Writes a scene of scenes.h, or a model, with er_collada_write(), for the Python tests.
//   collada_samples MODEL OUT.dae CLIP      a clip of the model, by name or index
#include <stdio.h>

#include <eigenrig/formats.h>

#include "scenes.h"

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_arena *arena = NULL;
    er_scene *read = NULL;
    const er_clip *clip = NULL;
    if (argc != 4 || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK) return 2;
    er_scene *scene = make_scene(arena, argv[1]);
    er_result r = scene != NULL ? ER_OK : er_import_file(context, argv[1], NULL, &read);
    if (scene == NULL) scene = read;
    if (r == ER_OK) r = er_scene_find_clip(context, scene, argv[3], &clip);
    if (r == ER_OK) r = er_collada_write(context, scene, 1, clip, NULL, argv[2]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    er_scene_destroy(read);
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
