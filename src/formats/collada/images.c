// Pictures as files beside a .dae: safe names, each different.
#include "formats/collada/images.h"

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
    bool ending =
        dot != NULL && (er_same_letters(dot, ".png") || er_same_letters(dot, ".jpg") || er_same_letters(dot, ".jpeg"));
    snprintf(stem, STEM_SIZE, "%.*s", ending ? (int)(dot - name) : STEM_SIZE, name);
    if (stem[0] == '\0') snprintf(stem, STEM_SIZE, "picture");
    for (char *c = stem; *c != '\0'; ++c)
        if (!is_safe(*c) || (c == stem && *c == '.')) *c = '_';
}

static bool is_taken(const char *const *name, int count, const char *wanted)
{
    for (int i = 0; i < count; ++i)
        if (er_same_letters(name[i], wanted)) return true;
    return false;
}

er_result er_dae_name_images(er_arena *arena, const er_scene *scene, const char *const **out)
{
    er_result r = ER_OK;
    const char **name;
    ER_TRY_NEW(name, arena, const char *, scene->image_count);
    for (int i = 0; i < scene->image_count; ++i) {
        const er_image *image = &scene->image[i];
        const char *ending = strcmp(image->mime, "image/png") == 0 ? ".png" : ".jpg";
        char stem[STEM_SIZE];
        stem_of(image->name, stem);
        char *file = er_arena_printf(arena, "%s%s", stem, ending);
        for (int k = 2; file != NULL && is_taken(name, i, file); ++k)
            file = er_arena_printf(arena, "%s-%d%s", stem, k, ending);
        if (file == NULL) ER_TRY(ER_ERROR_MEMORY);
        name[i] = file;
    }
    *out = name;
done:
    return r;
}

er_result er_dae_write_images(er_beside *beside, const er_scene *scene, const char *const *name)
{
    er_result r = ER_OK;
    for (int i = 0; i < scene->image_count; ++i) {
        const char *to = er_beside_path(beside->arena, beside->path, name[i]);
        if (to == NULL) ER_TRY(ER_ERROR_MEMORY);
        ER_TRY(er_beside_put(beside, to, scene->image[i].bytes, scene->image[i].size, "a picture of the model"));
    }
done:
    return r;
}
