// The background: a picture, a panorama, or a sky that is computed here.
#include <stdlib.h>

#include <epoxy/gl.h>

#include "viewer/draw/forms.h"
#include "viewer/draw/images.h"

enum { SKY_WIDTH = 2048, SKY_HEIGHT = 1024 };

static unsigned make_texture(int width, int height, const uint8_t *rgba)
{
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    return texture;
}

er_result draw_image_create(painter *p, size_t size, const uint8_t *bytes, draw_image **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (p == NULL || bytes == NULL) return ER_ERROR_ARGUMENT;
    const er_image image = {.bytes = bytes, .size = size};
    GLint side = 0;
    int width, height;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    uint8_t *rgba = image_decode(&image, side, &width, &height);
    if (rgba == NULL)
        return er_fail(p->context, ER_ERROR_FORMAT, "a background is a whole PNG or JPEG of at most %d x %d pixels",
                       IMAGE_MOST_SIDE, IMAGE_MOST_SIDE);
    draw_image *made = malloc(sizeof *made);
    painter_has_failed(); // by others
    if (made != NULL) {
        *made = (draw_image){++p->models, make_texture(width, height, rgba), width, height};
        glGenerateMipmap(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    free(rgba);
    if (made != NULL && !painter_has_failed()) {
        *out = made;
        return ER_OK;
    }
    draw_image_destroy(made);
    return er_fail(p->context, ER_ERROR_MEMORY, "out of memory for a background of %d x %d pixels", width, height);
}

void draw_image_destroy(draw_image *image)
{
    if (image != NULL) glDeleteTextures(1, &image->texture);
    free(image);
}

static void paint_sky(const painter *p)
{
    unsigned program = p->solids->program[SOLID_SKY];
    glViewport(0, 0, SKY_WIDTH, SKY_HEIGHT);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "size"), SKY_WIDTH, SKY_HEIGHT);
    painter_strip(p, program, 3);
    glUseProgram(0);
}

er_result sky_create(painter *p)
{
    GLint bound = 0, viewport[4];
    GLuint frame = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glGetIntegerv(GL_VIEWPORT, viewport);
    painter_has_failed(); // by others
    unsigned sky = make_texture(SKY_WIDTH, SKY_HEIGHT, NULL);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sky, 0);
    bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (whole) paint_sky(p);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    glDeleteFramebuffers(1, &frame);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    if (whole && !painter_has_failed()) {
        p->solids->sky = sky;
        return ER_OK;
    }
    glDeleteTextures(1, &sky);
    return er_fail(p->context, ER_ERROR_MEMORY, "the graphics card has no room for a sky");
}

int environment_size(const painter *p, int *width, int *height)
{
    const draw_stage *s = &p->solids->stage;
    bool sky = s->background == DRAW_SKY, none = s->background == DRAW_COLOURS || (!sky && s->image == NULL);
    *width = none ? 1 : sky ? SKY_WIDTH : s->image->width;
    *height = none ? 1 : sky ? SKY_HEIGHT : s->image->height;
    return none ? 0 : (int)s->background;
}

void environment_bind(const painter *p)
{
    int width, height, kind = environment_size(p, &width, &height);
    glActiveTexture(GL_TEXTURE0 + UNIT_SURROUNDING);
    glBindTexture(GL_TEXTURE_2D, kind == 0               ? p->white
                                 : kind == (int)DRAW_SKY ? p->solids->sky
                                                         : p->solids->stage.image->texture);
}

bool solids_draw_background(const painter *p)
{
    int width, height;
    if (environment_size(p, &width, &height) == 0) return false;
    painter_strip(p, p->solids->program[SOLID_SURROUNDING], 3);
    return true;
}
