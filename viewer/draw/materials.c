// Materials and their textures.
#include <stdlib.h>

#include <epoxy/gl.h>

#include "viewer/draw/images.h"
#include "viewer/draw/painter.h"

enum { AS_COLOURS, AS_NUMBERS };

enum { MOST_TEXELS = 64 << 20, LEAST_SIDE = 64 }; // of all textures of a model: 256 MiB, and a third more for mipmaps

static void mark_texture(const er_scene *scene, bool *used, int image, int kind)
{
    if (image >= 0 && image < scene->image_count) used[2 * image + kind] = true;
}

static size_t texels(const er_scene *scene, const bool *used, int side)
{
    size_t all = 0;
    for (int i = 0; i < scene->image_count; ++i) {
        int width, height, times = used[2 * i + AS_COLOURS] + used[2 * i + AS_NUMBERS];
        if (times == 0 || !image_size(&scene->image[i], &width, &height)) continue;
        image_fit(side, &width, &height);
        all += (size_t)times * (size_t)width * (size_t)height;
    }
    return all;
}

// The longest side of textures, such that all of them together keep within what they may take; 0 without memory.
static int choose_side(const er_scene *scene)
{
    bool *used = calloc(2 * (size_t)scene->image_count + 1, sizeof *used);
    if (used == NULL) return 0;
    for (int i = 0; i < scene->material_count; ++i) {
        mark_texture(scene, used, scene->material[i].base_color_image, AS_COLOURS);
        mark_texture(scene, used, scene->material[i].emissive_image, AS_COLOURS);
        mark_texture(scene, used, scene->material[i].normal_image, AS_NUMBERS);
    }
    int side = IMAGE_MOST_SIDE;
    while (side > LEAST_SIDE && texels(scene, used, side) > MOST_TEXELS)
        side /= 2;
    free(used);
    return side;
}

static unsigned make_texture(const er_image *image, int most, int kind)
{
    GLint side = 0;
    painter_has_failed(); // by others
    GLuint texture = 0;
    int width, height;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    uint8_t *rgba = image_decode(image, side < most ? side : most, &width, &height);
    if (rgba == NULL) return 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    if (epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic"))
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4.0f);
    glTexImage2D(GL_TEXTURE_2D, 0, kind == AS_COLOURS ? GL_SRGB8_ALPHA8 : GL_RGBA8, width, height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, rgba);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    free(rgba);
    if (painter_has_failed()) { // no room: the plain colour shows
        glDeleteTextures(1, &texture);
        return 0;
    }
    return texture;
}

static unsigned find_texture(const er_scene *scene, draw_model *m, int image, int kind)
{
    if (image < 0) return 0;
    unsigned *texture = &m->texture[2 * image + kind];
    if (*texture == 0) {
        *texture = make_texture(&scene->image[image], m->texture_side, kind);
        m->painter->uploads.textures += *texture != 0;
    }
    return *texture;
}

static surface read_material(const er_scene *scene, draw_model *m, const er_material *from)
{
    surface s = {.metallic = from->metallic, .roughness = from->roughness, .cutoff = -1.0f};
    for (int k = 0; k < 4; ++k)
        s.base[k] = from->base_color[k];
    for (int k = 0; k < 3; ++k)
        s.emissive[k] = from->emissive[k];
    if (from->alpha_mode == ER_ALPHA_MASK) s.cutoff = from->alpha_cutoff;
    s.blend = from->alpha_mode == ER_ALPHA_BLEND;
    s.cull = scene->format == ER_FORMAT_GLTF && !from->double_sided; // others rarely say, and turn faces as they like
    s.base_texture = find_texture(scene, m, from->base_color_image, AS_COLOURS);
    s.emissive_texture = find_texture(scene, m, from->emissive_image, AS_COLOURS);
    s.normal_texture = find_texture(scene, m, from->normal_image, AS_NUMBERS);
    return s;
}

static bool is_grey(const surface *s)
{
    bool dark = s->emissive[0] == 0.0f && s->emissive[1] == 0.0f && s->emissive[2] == 0.0f;
    return dark && s->base_texture == 0 && s->emissive_texture == 0 && fabsf(s->base[0] - s->base[1]) < 0.02f &&
           fabsf(s->base[1] - s->base[2]) < 0.02f;
}

// Whether all that is shown is one grey.
static bool is_plain(const draw_model *m)
{
    const surface *first = NULL;
    for (int i = 0; i < m->batch_count; ++i) {
        if (m->batch[i].material < 0) continue;
        const surface *s = &m->surface[m->batch[i].material];
        if (first == NULL) first = s;
        if (!is_grey(s) || fabsf(s->base[0] - first->base[0]) > 0.02f || s->blend) return false;
    }
    for (int i = 0; i < m->vertex_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (m->vertex[i].colour[k] != 65535) return false;
    return true;
}

int draw_model_texture_side(const draw_model *m)
{
    return m->texture_side < IMAGE_MOST_SIDE ? m->texture_side : 0;
}

er_result materials_upload(er_context *context, const er_scene *scene, draw_model *m)
{
    m->texture_count = 2 * scene->image_count;
    m->texture = calloc((size_t)m->texture_count + 1, sizeof *m->texture);
    m->surface = calloc((size_t)scene->material_count + 1, sizeof *m->surface);
    m->texture_side = choose_side(scene);
    if (m->texture == NULL || m->surface == NULL || m->texture_side == 0)
        return er_fail(context, ER_ERROR_MEMORY, "out of memory for %d materials", scene->material_count);
    for (int i = 0; i < scene->material_count; ++i)
        m->surface[m->surface_count++] = read_material(scene, m, &scene->material[i]);
    m->plain = is_plain(m);
    return ER_OK;
}
