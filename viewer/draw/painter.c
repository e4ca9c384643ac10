// The renderer's life, and the frame of a picture.
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "base/platform.h"
#include "viewer/draw/forms.h"

enum { PAGE_TEXELS = 1 << 22 }; // 64 MiB

er_result painter_make_body_room(painter *p, int bodies)
{
    if (bodies <= p->body_room) return ER_OK;
    er_pose *displacement = realloc(p->displacement, (size_t)bodies * sizeof *displacement);
    if (displacement != NULL) p->displacement = displacement;
    er_affine *moved = realloc(p->moved, (size_t)bodies * sizeof *moved);
    if (moved != NULL) p->moved = moved;
    if (displacement == NULL || moved == NULL)
        return er_fail(p->context, ER_ERROR_MEMORY, "out of memory for %d bodies", bodies);
    p->body_room = bodies;
    return ER_OK;
}

static void create_white(painter *p)
{
    const uint8_t texel[4] = {255, 255, 255, 255};
    glGenTextures(1, &p->white);
    glBindTexture(GL_TEXTURE_2D, p->white);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
}

// Mesa's rasterisers, and what others call theirs.
static bool is_software(void)
{
    static const char *const name[] = {"llvmpipe",    "softpipe", "swrast",     "SWR",
                                       "SwiftShader", "Software", "GDI Generic"};
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; renderer != NULL && i < sizeof name / sizeof *name; ++i)
        if (strstr(renderer, name[i]) != NULL) return true;
    return false;
}

static er_result build_programs(painter *p)
{
    for (int i = 0; i < PROGRAM_COUNT; ++i) {
        er_result r = program_build(p->context, &shader_texts[i], &p->program[i]);
        if (r != ER_OK) return r;
        p->shape_from_sun[i] = glGetUniformLocation(p->program[i], "from_sun");
    }
    meshes_find_places(p);
    return ER_OK;
}

static bool create_parts(painter *p)
{
    glGenBuffers(1, &p->frame_buffer);
    glGenVertexArrays(1, &p->empty_array);
    create_white(p);
    bool whole = shadow_create(p);
    shapes_create(p);
    lines_create(p);
    return !painter_has_failed() && whole;
}

er_result painter_create(er_context *context, painter **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (!epoxy_is_desktop_gl() || epoxy_gl_version() < 33)
        return er_fail(context, ER_ERROR_SYSTEM, "this graphics driver has OpenGL %d.%d; 3.3 is needed",
                       epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    painter *p = malloc(sizeof *p);
    if (p == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    *p = (painter){.context = context, .software = is_software()};
    GLint texels = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
    p->most_texels = texels < PAGE_TEXELS ? texels : PAGE_TEXELS;
    er_result r = build_programs(p);
    painter_has_failed(); // by others
    if (r == ER_OK && !create_parts(p))
        r = er_fail(context, ER_ERROR_MEMORY, "the graphics card has no room to draw with");
    if (r != ER_OK) {
        painter_destroy(p);
        return r;
    }
    *out = p;
    return ER_OK;
}

void painter_destroy(painter *p)
{
    if (p == NULL) return;
    for (int i = 0; i < PROGRAM_COUNT; ++i)
        glDeleteProgram(p->program[i]);
    for (int i = 0; i < p->page_room; ++i) {
        glDeleteTextures(1, &p->page[i].texture);
        stream_free(&p->page[i].texels);
    }
    for (int i = 0; i < LAYER_COUNT * SHAPE_COUNT; ++i)
        stream_free(&p->shapes[i / SHAPE_COUNT][i % SHAPE_COUNT]);
    stream_free(&p->lines);
    const GLuint buffers[2] = {p->frame_buffer, p->shape_buffer};
    const GLuint arrays[3] = {p->empty_array, p->shape_array, p->line_array};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(3, arrays);
    glDeleteTextures(1, &p->white);
    shadow_destroy(p);
    solids_destroy(p);
    free(p->page);
    free(p->run);
    free(p->displacement);
    free(p->moved);
    free(p);
}

static void forget_picture(painter *p)
{
    for (int i = 0; i < p->page_count; ++i)
        p->page[i].texels.size = 0;
    for (int i = 0; i < LAYER_COUNT * SHAPE_COUNT; ++i)
        p->shapes[i / SHAPE_COUNT][i % SHAPE_COUNT].size = 0;
    p->lines.size = 0;
    p->page_count = p->run_count = p->figure_count = 0;
    p->depth[0] = p->floor = HUGE_VAL;
    p->depth[1] = -HUGE_VAL;
    p->cast[0] = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    p->cast[1] = er_v3_scale(-1.0, p->cast[0]);
    p->foot[0] = p->cast[0];
    p->foot[1] = p->cast[1];
    p->radius = 0.0;
    solids_forget(p); // of a picture that was never ended
}

void painter_begin(painter *p, draw_target *t, int x, int y, int width, int height, const draw_camera *camera,
                   const draw_style *style)
{
    forget_picture(p);
    p->target = t;
    p->part[0] = x;
    p->part[1] = y;
    p->part[2] = width;
    p->part[3] = height;
    p->camera = *camera;
    p->style = *style;
    p->origin = camera->target;
    draw_camera_axes(camera, p->axis);
    draw_camera sun = {.up = camera->up, .yaw = style->light_yaw, .pitch = style->light_pitch, .distance = 1.0};
    draw_camera_axes(&sun, p->sun);
}

draw_uploads painter_uploads(const painter *p)
{
    return p->uploads;
}

bool painter_is_software(const painter *p)
{
    return p->software;
}

double painter_gl_seconds(const painter *p)
{
    return p->gl_seconds;
}

static void draw_recorded(painter *p)
{
    double start = eri_thread_seconds();
    GLint bound = 0, viewport[4];
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glGetIntegerv(GL_VIEWPORT, viewport);
    int from_top = p->part[1] + p->part[3], height = 0;
    if (p->target != NULL) {
        unsigned frame = target_frame(p->target, &height);
        passes_draw(p, frame, p->part[0], height - from_top);
    } else {
        passes_draw(p, (unsigned)bound, viewport[0] + p->part[0], viewport[1] + viewport[3] - from_top);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    p->gl_seconds += eri_thread_seconds() - start;
}

bool painter_end(painter *p)
{
    if (solids_active(p)) solids_sort(p);
    bool drawn = p->target == NULL || !target_shows(p->target, painter_digest(p));
    if (drawn) draw_recorded(p);
    solids_forget(p);
    return drawn;
}
