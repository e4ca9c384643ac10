// Writes a file with er_gltf_write(), for the Python tests.
//   gltf_samples SCENE OUT          a scene made by hand, with two clips more
//   gltf_samples add SOURCE OUT     a .gltf or .glb with two clips added
//   gltf_samples outside SOURCE OUT the same, and files outside its folder may be read
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "scenes.h"

int main(int argc, char **argv)
{
    bool outside = argc == 4 && strcmp(argv[1], "outside") == 0,
         add = outside || (argc == 4 && strcmp(argv[1], "add") == 0);
    er_context *context = NULL;
    er_arena *arena = NULL;
    er_scene *scene = NULL, *read = NULL;
    er_result r = ER_OK;
    if ((argc != 3 && !add) || er_context_create(NULL, &context) != ER_OK || eri_arena_create(context, &arena) != ER_OK)
        return 2;
    er_import_def def = er_default_import_def();
    def.allow_outside = outside;
    if (add) r = er_import_file(context, argv[2], &def, &read);
    scene = add ? read : make_scene(arena, argv[1]);
    if (scene != NULL) {
        er_clip clip = make_clip(arena, scene, "mode 03  1.42 Hz"), clips[2] = {clip, clip};
        r = er_gltf_write(context, scene, 2, clips, NULL, argv[argc - 1]);
    }
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    er_scene_destroy(read);
    eri_arena_destroy(arena);
    er_context_destroy(context);
    return scene == NULL && r == ER_OK ? 2 : r != ER_OK;
}
