// Pictures to draw into: several samples a pixel, resolved when the picture is read.
#include <stdlib.h>

#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

enum { MOST_SIDE = 16384 };

struct draw_target {
    painter *painter;
    int width, height, samples;
    unsigned many, one;     // framebuffers: drawn upon, and resolved
    unsigned colour, depth; // of the first
    unsigned texture;       // of the second
    bool stale;             // the second is out of date
    bool drawn;             // by the painter last
    uint64_t digest;        // of that picture
};

static void delete_parts(draw_target *t)
{
    const GLuint frames[2] = {t->many, t->one}, buffers[2] = {t->colour, t->depth};
    glDeleteFramebuffers(2, frames);
    glDeleteRenderbuffers(2, buffers);
    glDeleteTextures(1, &t->texture);
    t->many = t->one = t->colour = t->depth = t->texture = 0;
}

static void attach_buffer(unsigned *buffer, int samples, GLenum format, GLenum place, int width, int height)
{
    glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, *buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
}

static bool make_parts(draw_target *t, int width, int height, int samples)
{
    glGenFramebuffers(1, &t->many);
    glBindFramebuffer(GL_FRAMEBUFFER, t->many);
    attach_buffer(&t->colour, samples, GL_RGBA8, GL_COLOR_ATTACHMENT0, width, height);
    attach_buffer(&t->depth, samples, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, width, height);
    bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glGenTextures(1, &t->texture);
    glBindTexture(GL_TEXTURE_2D, t->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenFramebuffers(1, &t->one);
    glBindFramebuffer(GL_FRAMEBUFFER, t->one);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->texture, 0);
    whole &= glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    return !painter_has_failed() && whole;
}

static int most_side(void)
{
    GLint most = MOST_SIDE, limit[4] = {0};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit[0]);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit[1]);
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, &limit[2]);
    for (int i = 0; i < 4; ++i)
        if (limit[i] < most) most = limit[i];
    return most;
}

static er_result set_size(draw_target *t, int width, int height)
{
    er_context *context = t->painter->context;
    GLint samples = 0, bound = 0;
    if (width < 1 || height < 1 || width > most_side() || height > most_side())
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a picture of %d x %d pixels cannot be drawn: sides are 1 to %d here", width, height,
                       most_side());
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    painter_has_failed(); // by others
    draw_target made = {.painter = t->painter, .width = width, .height = height, .samples = t->samples, .stale = true};
    bool whole = false;
    for (samples = samples < t->samples ? samples : t->samples; !whole && samples > 0; samples /= 2) {
        whole = make_parts(&made, width, height, samples);
        if (!whole) delete_parts(&made);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    if (!whole)
        return er_fail(context, ER_ERROR_MEMORY, "the graphics card has no room for a picture of %d x %d pixels", width,
                       height);
    delete_parts(t);
    *t = made;
    return ER_OK;
}

er_result draw_target_create(painter *p, int width, int height, int samples, draw_target **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (p == NULL) return ER_ERROR_ARGUMENT;
    draw_target *t = malloc(sizeof *t);
    if (t == NULL) return er_fail(p->context, ER_ERROR_MEMORY, "out of memory");
    *t = (draw_target){.painter = p, .samples = samples};
    er_result r = set_size(t, width, height);
    if (r != ER_OK) {
        free(t);
        return r;
    }
    *out = t;
    return ER_OK;
}

er_result draw_target_resize(draw_target *t, int width, int height)
{
    return width == t->width && height == t->height ? ER_OK : set_size(t, width, height);
}

void draw_target_destroy(draw_target *t)
{
    if (t == NULL) return;
    delete_parts(t);
    free(t);
}

unsigned target_frame(draw_target *t, int *height)
{
    t->stale = true;
    *height = t->height;
    return t->many;
}

bool target_shows(draw_target *t, uint64_t digest)
{
    bool same = t->drawn && t->digest == digest;
    t->drawn = true;
    t->digest = digest;
    return same;
}

void draw_target_bind(draw_target *t)
{
    t->stale = true;
    t->drawn = false;
    glBindFramebuffer(GL_FRAMEBUFFER, t->many);
    glViewport(0, 0, t->width, t->height);
}

static void resolve(draw_target *t)
{
    GLint draw = 0, read = 0;
    if (!t->stale) return;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->one);
    glBlitFramebuffer(0, 0, t->width, t->height, 0, 0, t->width, t->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)draw);
    t->stale = false;
}

unsigned draw_target_texture(draw_target *t)
{
    resolve(t);
    return t->texture;
}

static void swap_rows(int width, int height, uint8_t *rgba)
{
    size_t row = 4 * (size_t)width;
    for (int y = 0; y < height / 2; ++y) {
        uint8_t *a = rgba + row * (size_t)y, *b = rgba + row * (size_t)(height - 1 - y);
        for (size_t k = 0; k < row; ++k) {
            uint8_t kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}

// Drawn colours are multiplied by their opacity, those of pictures are not.
static void divide_by_opacity(size_t pixels, uint8_t *rgba)
{
    for (uint8_t *p = rgba; p < rgba + 4 * pixels; p += 4)
        for (int k = 0; k < 3 && p[3] > 0 && p[3] < 255; ++k) {
            int c = (255 * p[k] + p[3] / 2) / p[3];
            p[k] = (uint8_t)(c < 255 ? c : 255);
        }
}

void draw_read_bound(int width, int height, uint8_t *rgba)
{
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    swap_rows(width, height, rgba);
}

void draw_target_read(draw_target *t, uint8_t *rgba)
{
    GLint read = 0;
    resolve(t);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->one);
    draw_read_bound(t->width, t->height, rgba);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)read);
    divide_by_opacity((size_t)t->width * (size_t)t->height, rgba);
}
