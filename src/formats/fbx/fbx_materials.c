// Materials, and pictures: a Video that holds the file, and a Texture that says how to lay it.
#include <string.h>

#include "formats/fbx/fbx_writer.h"

static er_vec3 color(const float *rgb)
{
    return er_v3((double)rgb[0], (double)rgb[1], (double)rgb[2]);
}

static void put_material(eri_fbx_document *d, int64_t id, const er_material *m)
{
    double opacity = m->alpha_mode == ER_ALPHA_BLEND ? (double)m->base_color[3] : 1.0;
    double smooth = 10.0 * (1.0 - (double)m->roughness); // Blender's rule, which Assimp follows
    double metallic = (double)m->metallic;
    eri_fbx_open_object(d, ERI_FBX_MATERIAL, id, m->name, "Material", "");
    eri_fbx_put_int(d, "Version", 102);
    eri_fbx_put_text(d, "ShadingModel", "Phong");
    eri_fbx_put_int(d, "MultiLayer", 0);
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_vector(d, "DiffuseColor", "Color", color(m->base_color));
    eri_fbx_property_number(d, "DiffuseFactor", 1.0);
    eri_fbx_property_vector(d, "EmissiveColor", "Color", color(m->emissive));
    eri_fbx_property_number(d, "EmissiveFactor", 1.0);
    eri_fbx_property_vector(d, "TransparentColor", "Color", er_v3(1, 1, 1));
    eri_fbx_property_number(d, "TransparencyFactor", 1.0 - opacity);
    eri_fbx_property_number(d, "Opacity", opacity);
    eri_fbx_property_vector(d, "SpecularColor", "Color", er_v3(1, 1, 1));
    eri_fbx_property_number(d, "SpecularFactor", 0.25); // what Blender takes for a Principled surface's half
    eri_fbx_property_number(d, "Shininess", smooth * smooth);
    eri_fbx_property_number(d, "ShininessExponent", smooth * smooth);
    eri_fbx_property_number(d, "ReflectionFactor", metallic);
    eri_fbx_property_number(d, "Maya|metallic", metallic); // where Assimp looks for it
    eri_fbx_close(d);
    eri_fbx_close(d);
}

// --- pictures

// The last part of a path, with the ending that its kind has.
static const char *file_name(eri_fbx_writer *w, eri_names *taken, const er_image *image)
{
    const char *name = image->name;
    for (const char *c = image->name; *c != '\0'; ++c)
        if (*c == '/' || *c == '\\') name = c + 1;
    const char *ending = strcmp(image->mime, "image/png") == 0 ? ".png" : ".jpg";
    const char *dot = strrchr(name, '.');
    int length = dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name);
    const char *stem = length > 0 ? eri_arena_printf(w->document->arena, "%.*s", length, name) : "picture";
    if (stem != NULL) stem = eri_names_take(taken, stem);
    return stem != NULL ? eri_arena_printf(w->document->arena, "%s%s", stem, ending) : NULL;
}

static int64_t put_picture(eri_fbx_document *d, const char *file, const er_image *image)
{
    int64_t video = eri_fbx_new_id(d), texture = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_VIDEO, video, file, "Video", "Clip");
    eri_fbx_put_text(d, "Type", "Clip");
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_int(d, "UseMipMap", "bool", 0);
    eri_fbx_close(d);
    eri_fbx_put_int(d, "UseMipMap", 0);
    eri_fbx_put_text(d, "Filename", file);
    eri_fbx_put_text(d, "RelativeFilename", file);
    eri_fbx_open(d, "Content");
    eri_fbx_add_bytes(d, image->bytes, image->size);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_open_object(d, ERI_FBX_TEXTURE, texture, file, "Texture", "");
    eri_fbx_put_text(d, "Type", "TextureVideoClip");
    eri_fbx_put_int(d, "Version", 202);
    eri_fbx_put_text(d, "TextureName", file);
    eri_fbx_put_text(d, "Media", file);
    eri_fbx_put_text(d, "FileName", file);
    eri_fbx_put_text(d, "RelativeFilename", file);
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_int(d, "UseMaterial", "bool", 1);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_connect(d, video, texture, NULL);
    return texture;
}

static er_result put_pictures(eri_fbx_writer *w)
{
    er_result r = ER_OK;
    const er_scene *scene = w->scene;
    eri_names taken = {.arena = w->document->arena};
    int64_t *texture;
    ERI_TRY_NEW(texture, w->document->arena, int64_t, scene->image_count);
    for (int i = 0; i < scene->material_count; ++i) {
        const er_material *m = &scene->material[i];
        const struct {
            int image;
            const char *property;
        } uses[] = {{m->base_color_image, "DiffuseColor"},
                    {m->normal_image, "NormalMap"},
                    {m->emissive_image, "EmissiveColor"}};
        for (size_t k = 0; k < ERI_COUNT(uses); ++k) {
            if (uses[k].image == ERI_FBX_NONE) continue;
            int64_t *id = &texture[uses[k].image];
            if (*id == 0) {
                const char *file = file_name(w, &taken, &scene->image[uses[k].image]);
                if (file == NULL) return ER_ERROR_MEMORY;
                *id = put_picture(w->document, file, &scene->image[uses[k].image]);
            }
            eri_fbx_connect(w->document, *id, w->material[i], uses[k].property);
        }
    }
done:
    return r;
}

er_result eri_fbx_put_materials(eri_fbx_writer *writer)
{
    static const er_material plain = {.name = "DefaultMaterial", .base_color = {0.8f, 0.8f, 0.8f, 1}, .roughness = 1};
    er_result r = ER_OK;
    const er_scene *scene = writer->scene;
    bool bare = false;
    ERI_TRY_NEW(writer->material, writer->document->arena, int64_t, (size_t)scene->material_count + 1);
    for (int i = 0; i < scene->instance_count; ++i)
        bare = bare || scene->mesh[scene->instance[i].mesh].material == ERI_FBX_NONE;
    for (int i = 0; i < scene->material_count + bare; ++i) {
        writer->material[i] = eri_fbx_new_id(writer->document);
        put_material(writer->document, writer->material[i], i < scene->material_count ? &scene->material[i] : &plain);
    }
    r = put_pictures(writer);
done:
    return r;
}
