// Pictures as files beside a .dae: safe names, each different.
#include "formats/collada/collada_images.h"

#include <stdio.h>
#include <string.h>

#include "base/letters.h"

enum { STEM_SIZE = 80 };

static bool is_safe(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

// "C:\art\red fox.PNG" to "red_fox".
static void stem_of(const char *name, char stem[STEM_SIZE])
{
    for (const char *c = name; *c != '\0'; ++c)
        if (*c == '/' || *c == '\\') name = c + 1;
    const char *dot = strrchr(name, '.');
    bool ending = dot != NULL &&
                  (eri_same_letters(dot, ".png") || eri_same_letters(dot, ".jpg") || eri_same_letters(dot, ".jpeg"));
    snprintf(stem, STEM_SIZE, "%.*s", ending ? (int)(dot - name) : STEM_SIZE, name);
    if (stem[0] == '\0') snprintf(stem, STEM_SIZE, "picture");
    for (char *c = stem; *c != '\0'; ++c)
        if (!is_safe(*c) || (c == stem && *c == '.')) *c = '_';
}

static bool is_taken(const char *const *name, int count, const char *wanted)
{
    for (int i = 0; i < count; ++i)
        if (eri_same_letters(name[i], wanted)) return true;
    return false;
}

er_result eri_dae_name_images(er_arena *arena, const er_scene *scene, const char *const **out)
{
    er_result r = ER_OK;
    const char **name;
    ERI_TRY_NEW(name, arena, const char *, scene->image_count);
    for (int i = 0; i < scene->image_count; ++i) {
        const er_image *image = &scene->image[i];
        const char *ending = strcmp(image->mime, "image/png") == 0 ? ".png" : ".jpg";
        char stem[STEM_SIZE];
        stem_of(image->name, stem);
        char *file = eri_arena_printf(arena, "%s%s", stem, ending);
        for (int k = 2; file != NULL && is_taken(name, i, file); ++k)
            file = eri_arena_printf(arena, "%s-%d%s", stem, k, ending);
        if (file == NULL) ERI_TRY(ER_ERROR_MEMORY);
        name[i] = file;
    }
    *out = name;
done:
    return r;
}

er_result eri_dae_write_images(eri_beside *beside, const er_scene *scene, const char *const *name)
{
    er_result r = ER_OK;
    for (int i = 0; i < scene->image_count; ++i) {
        const char *to = eri_beside_path(beside->arena, beside->path, name[i]);
        if (to == NULL) ERI_TRY(ER_ERROR_MEMORY);
        ERI_TRY(eri_beside_put(beside, to, scene->image[i].bytes, scene->image[i].size, "a picture of the model"));
    }
done:
    return r;
}
