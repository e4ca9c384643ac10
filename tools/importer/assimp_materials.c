// Materials of an Assimp scene as metallic-roughness, and their pictures.
#include "tools/importer/assimp.h"

#include <assimp/material.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/reference.h"

typedef struct picture {
    const char *path; // as the material names it
    int image;        // ours, or -1
} picture;

typedef struct material_reader {
    imp_assimp *a;
    picture *known; // [count], room for three textures a material
    int count;
} material_reader;

// ---- pictures ----

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *last = slash == NULL || (back != NULL && back > slash) ? back : slash;
    return last != NULL ? last + 1 : path;
}

// "*3" is the fourth embedded texture; others are found by their file name.
static const struct aiTexture *embedded(const struct aiScene *from, const char *path)
{
    if (path[0] == '*') {
        unsigned long index = strtoul(path + 1, NULL, 10);
        return index < from->mNumTextures ? from->mTextures[index] : NULL;
    }
    for (unsigned i = 0; i < from->mNumTextures; ++i) {
        const struct aiTexture *t = from->mTextures[i];
        if (t != NULL && t->mFilename.length > 0 && strcmp(base_name(t->mFilename.data), base_name(path)) == 0)
            return t;
    }
    return NULL;
}

// Raw texels as a PNG file.
static er_result encode_texels(imp_assimp *a, const struct aiTexture *t, imp_bytes *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = t->mWidth,
                       .height = t->mHeight,
                       .format = PNG_FORMAT_BGRA}; // the order of aiTexel
    png_alloc_size_t size = 0;
    er_result r = ER_OK;
    *out = (imp_bytes){0};
    if (t->mWidth > 32768 || t->mHeight > 32768) goto done;
    if (png_image_write_to_memory(&image, NULL, &size, 0, t->pcData, 0, NULL) == 0) goto done;
    uint8_t *bytes = NULL;
    ERI_TRY_NEW(bytes, a->reader->arena, uint8_t, size);
    if (png_image_write_to_memory(&image, bytes, &size, 0, t->pcData, 0, NULL) != 0) *out = (imp_bytes){bytes, size};
done:
    png_image_free(&image);
    return r;
}

static er_result embedded_bytes(imp_assimp *a, const struct aiTexture *t, imp_bytes *out)
{
    *out = (imp_bytes){0};
    if (t->pcData == NULL || t->mWidth == 0) return ER_OK;
    if (t->mHeight > 0) return encode_texels(a, t, out);
    uint8_t *bytes = ERI_NEW(a->reader->arena, uint8_t, t->mWidth); // a compressed texture stores its size in the width
    if (bytes == NULL) return ER_ERROR_MEMORY;
    memcpy(bytes, t->pcData, t->mWidth);
    *out = (imp_bytes){bytes, t->mWidth};
    return ER_OK;
}

// Tries the reference as it is, then its file name beside the model, then in a folder for textures, because paths are
// often those of another machine.
static er_result file_bytes(imp_assimp *a, const char *path, imp_bytes *out)
{
    static const char *const folders[] = {NULL, "", "Textures/", "textures/"};
    for (size_t i = 0; i < ERI_COUNT(folders); ++i) {
        char *name = folders[i] == NULL ? eri_arena_string(a->scratch, path)
                                        : eri_arena_printf(a->scratch, "%s%s", folders[i], base_name(path));
        if (name == NULL) return ER_ERROR_MEMORY;
        er_result r = imp_reader_reference(a->reader, a->reader->arena, name, false, SIZE_MAX, out);
        if (r != ER_ERROR_FILE) return r;
    }
    *out = (imp_bytes){0};
    return ER_OK;
}

static bool leads_outside(const imp_reader *reader, const char *reference)
{
    char path[ER_FILE_NAME_MAX];
    return !reader->allow_outside && eri_reference_path(reference, 0, path) && eri_reference_climbs(path);
}

static er_result find_picture(material_reader *m, const char *path, int *out)
{
    imp_assimp *a = m->a;
    imp_bytes bytes = {0};
    er_result r = ER_OK;
    const char *name = imp_reader_text(a->reader, path);
    if (name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    for (int i = 0; i < m->count; ++i)
        if (strcmp(m->known[i].path, name) == 0) {
            *out = m->known[i].image;
            return ER_OK;
        }
    const struct aiTexture *t = embedded(a->from, path);
    if (t != NULL)
        ERI_TRY(embedded_bytes(a, t, &bytes));
    else
        ERI_TRY(file_bytes(a, path, &bytes));
    if (bytes.at != NULL)
        ERI_TRY(imp_reader_image(a->reader, name, bytes, out));
    else
        ERI_TRY(imp_reader_note(a->reader, ER_NOTE_WARNING,
                                "the picture \"%s\" was not found beside the model, nor in a folder Textures%s", name,
                                leads_outside(a->reader, path) ? "; outside the model's folder pictures are read with "
                                                                 "--allow-outside"
                                                               : ""));
    m->known[m->count++] = (picture){name, *out};
done:
    return r;
}

static er_result texture(material_reader *m, const struct aiMaterial *from, enum aiTextureType type, int *out)
{
    struct aiString path;
    if (*out >= 0 || aiGetMaterialTexture(from, type, 0, &path, NULL, NULL, NULL, NULL, NULL, NULL) != AI_SUCCESS ||
        path.length == 0)
        return ER_OK;
    return find_picture(m, path.data, out);
}

// ---- values ----

static float unit(float v)
{
    return fminf(fmaxf(v, 0.0f), 1.0f);
}

static bool number(const struct aiMaterial *from, const char *key, unsigned type, unsigned index, float *out)
{
    ai_real v;
    if (aiGetMaterialFloatArray(from, key, type, index, &v, NULL) != AI_SUCCESS || !isfinite(v)) return false;
    *out = (float)v;
    return true;
}

static bool color(const struct aiMaterial *from, const char *key, unsigned type, unsigned index, float *out, int n)
{
    struct aiColor4D c;
    if (aiGetMaterialColor(from, key, type, index, &c) != AI_SUCCESS) return false;
    const float v[4] = {c.r, c.g, c.b, c.a};
    for (int k = 0; k < n; ++k)
        out[k] = unit(v[k]);
    return true;
}

static er_result read_material(material_reader *m, const struct aiMaterial *from, er_material *out)
{
    imp_reader *reader = m->a->reader;
    struct aiString name = {0};
    float opacity = 1.0f, shininess = 0.0f;
    int two_sided = 0;
    er_result r = ER_OK;
    *out = (er_material){.base_color = {0.8f, 0.8f, 0.8f, 1.0f},
                         .roughness = 1.0f,
                         .alpha_cutoff = 0.5f,
                         .base_color_image = -1,
                         .normal_image = -1,
                         .emissive_image = -1};
    aiGetMaterialString(from, AI_MATKEY_NAME, &name);
    out->name = imp_reader_text(reader, name.data);
    if (out->name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    if (!color(from, AI_MATKEY_BASE_COLOR, out->base_color, 3))
        color(from, AI_MATKEY_COLOR_DIFFUSE, out->base_color, 3);
    color(from, AI_MATKEY_COLOR_EMISSIVE, out->emissive, 3);
    // Several exporters write an opacity of 0 when they have none.
    if (number(from, AI_MATKEY_OPACITY, &opacity) && opacity > 0.0f) out->base_color[3] = unit(opacity);
    if (out->base_color[3] < 1.0f) out->alpha_mode = ER_ALPHA_BLEND;
    if (number(from, AI_MATKEY_METALLIC_FACTOR, &out->metallic)) out->metallic = unit(out->metallic);
    if (number(from, AI_MATKEY_ROUGHNESS_FACTOR, &out->roughness))
        out->roughness = unit(out->roughness);
    else if (number(from, AI_MATKEY_SHININESS, &shininess) && shininess > 0.0f)
        out->roughness = unit(sqrtf(2.0f / (shininess + 2.0f))); // of equal highlight width (Blinn's exponent)
    out->double_sided =
        aiGetMaterialIntegerArray(from, AI_MATKEY_TWOSIDED, &two_sided, NULL) == AI_SUCCESS && two_sided;
    ERI_TRY(texture(m, from, aiTextureType_BASE_COLOR, &out->base_color_image));
    ERI_TRY(texture(m, from, aiTextureType_DIFFUSE, &out->base_color_image));
    ERI_TRY(texture(m, from, aiTextureType_NORMALS, &out->normal_image));
    ERI_TRY(texture(m, from, aiTextureType_EMISSIVE, &out->emissive_image));
    // In these formats a texture replaces the colour; in ours it multiplies it.
    for (int k = 0; k < 3 && out->base_color_image >= 0; ++k)
        out->base_color[k] = 1.0f;
done:
    return r;
}

er_result imp_assimp_materials(imp_assimp *a)
{
    material_reader m = {.a = a};
    size_t n = a->from->mNumMaterials;
    er_material *material = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(m.known, a->scratch, picture, 4 * n);
    ERI_TRY_NEW(material, a->reader->arena, er_material, n);
    for (size_t i = 0; i < n; ++i)
        if (a->from->mMaterials[i] != NULL)
            ERI_TRY(read_material(&m, a->from->mMaterials[i], &material[i]));
        else
            material[i] = (er_material){.name = "",
                                        .base_color = {1, 1, 1, 1},
                                        .roughness = 1.0f,
                                        .base_color_image = -1,
                                        .normal_image = -1,
                                        .emissive_image = -1};
    a->reader->scene->material = material;
    a->reader->scene->material_count = (int)n;
done:
    return r;
}
