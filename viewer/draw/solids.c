// Solids on the graphics card: many of one form at once, those that are seen through by their distance.
#include "viewer/draw/forms.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "viewer/draw/camera.h"

// The block `Stage` of the programs (solid_shaders.c), std140.
typedef struct stage_block {
    float view[3][4], world[3][4], image[4], around[4];
    float place[DRAW_MOST_LIGHTS][4], spread[DRAW_MOST_LIGHTS][4], body[DRAW_MOST_LIGHTS][4],
        shiny[DRAW_MOST_LIGHTS][4];
} stage_block;

void solids_destroy(painter *p)
{
    struct solids *s = p->solids;
    if (s == NULL) return;
    for (int i = 0; i < SOLID_PROGRAMS; ++i)
        glDeleteProgram(s->program[i]);
    for (int i = 0; i < KINDS * LEVELS; ++i)
        draw_form_destroy(s->form[i / LEVELS][i % LEVELS]);
    glDeleteBuffers(1, &s->block);
    glDeleteTextures(1, &s->sky);
    stream_free(&s->translucent);
    stream_free(&s->sorted);
    free(s);
}

void solids_forget(painter *p)
{
    struct solids *s = p->solids;
    if (s == NULL) return;
    for (draw_form *f = s->first; f != NULL; f = f->next) {
        f->placed.size = 0;
        f->shown = false;
    }
    s->first = NULL;
    s->translucent.size = s->sorted.size = 0;
    s->active = false;
}

// ---- programs

static bool shows_edges(const draw_stage *s)
{
    return s->shading == DRAW_WIRE && s->facets != DRAW_POINT;
}

static int program_of(const painter *p)
{
    draw_shading shading = p->solids->stage.shading;
    return shading == DRAW_WIRE ? SOLID_WIRE : p->style.draft ? SOLID_DRAFT + (int)shading : (int)shading;
}

static er_result need(painter *p, int program)
{
    unsigned *made = &p->solids->program[program];
    return *made != 0 ? ER_OK : program_build(p->context, &solid_texts[program], made);
}

er_result solids_prepare(painter *p)
{
    er_result r = need(p, program_of(p));
    if (r == ER_OK && p->style.shadow) r = need(p, SOLID_CAST);
    if (r == ER_OK && p->solids->stage.background != DRAW_COLOURS) r = need(p, SOLID_SURROUNDING);
    if (r == ER_OK && p->solids->stage.background == DRAW_SKY && p->solids->sky == 0) {
        r = need(p, SOLID_SKY);
        if (r == ER_OK) r = sky_create(p);
    }
    if (p->solids->block == 0) glGenBuffers(1, &p->solids->block);
    return r;
}

// ---- what is seen through

static int farther_first(const void *a, const void *b)
{
    double x = ((const translucent *)a)->away, y = ((const translucent *)b)->away;
    return (x < y) - (x > y);
}

void solids_sort(painter *p)
{
    stream *from = &p->solids->translucent;
    translucent *g = (translucent *)(void *)from->data;
    size_t count = from->size / sizeof *g;
    placed *to = count > 0 ? stream_take(&p->solids->sorted, count * sizeof *to) : NULL;
    if (to == NULL) return;
    qsort(g, count, sizeof *g, farther_first);
    for (size_t i = 0; i < count; ++i)
        to[i] = g[i].placed;
}

// ---- light

static void put_colour(float to[4], const float rgb[3], float w)
{
    const float v[4] = {rgb[0], rgb[1], rgb[2], w};
    memcpy(to, v, sizeof v);
}

static void put_lights(const painter *p, stage_block *b)
{
    const draw_stage *s = &p->solids->stage;
    put_colour(b->around, s->ambient, (float)s->light_count);
    for (int i = 0; i < s->light_count; ++i) {
        const draw_light *l = &s->light[i];
        put_vector(b->place[i], painter_place(p, l->position), 1.0);
        put_colour(b->spread[i], l->ambient, 0.0f);
        put_colour(b->body[i], l->diffuse, 0.0f);
        put_colour(b->shiny[i], l->specular, 0.0f);
    }
}

// A bitmap keeps its shape and fills the picture.
static void put_image(const painter *p, stage_block *b)
{
    int width, height, kind = environment_size(p, &width, &height);
    double wide = (double)p->part[2] / p->part[3], image = (double)width / height;
    b->world[0][3] = (float)kind;
    b->image[0] = (float)fmin(wide / image, 1.0);
    b->image[1] = (float)fmin(image / wide, 1.0);
    b->image[2] = (float)(kind == 1 ? 0.5 * width : width / (2.0 * ER_PI)); // texels a radian
}

void solids_send(painter *p)
{
    const draw_camera *c = &p->camera;
    er_quat upright = er_q_conj(er_q_upright(c->up));
    stage_block b = {.image = {1.0f}};
    double high = 0.5 * p->part[3] * p->solids->pixel * (c->fov > 0.0 ? 1.0 : 1.0 / c->distance);
    const double half[3] = {high * p->part[2] / p->part[3], high, 0.0};
    for (int k = 0; k < 3; ++k) {
        put_vector(b.view[k], p->axis[k], half[k]);
        put_vector(b.world[k], er_q_rotate(upright, er_v3(k == 0, k == 1, k == 2)), 0.0);
    }
    put_image(p, &b);
    put_lights(p, &b);
    glBindBuffer(GL_UNIFORM_BUFFER, p->solids->block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof b, &b, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, p->solids->block);
    for (draw_form *f = p->solids->first; f != NULL; f = f->next)
        stream_send(&f->placed, GL_ARRAY_BUFFER);
    if (p->solids->sorted.size > 0) stream_send(&p->solids->sorted, GL_ARRAY_BUFFER);
    environment_bind(p);
}

// The light sees the ball round all that casts, whose size and place change in steps, so that shadows do not creep.
// From within it sees what is towards its middle.
bool solids_fit_sun(const painter *p, int side, frame_block *f)
{
    static const double widest = 1.05; // rad, half the angle
    const draw_stage *s = &p->solids->stage;
    if (s->light_count == 0) return false;
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(p->cast[0], p->cast[1]));
    double radius = exp2(ceil(4.0 * log2(0.6 * er_v3_distance(p->cast[0], p->cast[1]))) / 4.0), step = 0.1 * radius;
    const double along[3] = {middle.x, middle.y, middle.z};
    er_vec3 centre = p->origin;
    for (int k = 0; k < 3; ++k)
        centre = er_v3_madd(centre, step * round(along[k] / step), p->sun[k]);
    double away = er_v3_distance(s->light[0].position, centre);
    double angle = radius < sin(widest) * away ? asin(radius / away) : widest;
    draw_camera eye = draw_camera_look(s->light[0].position, centre, p->camera.up, 2.0 * angle);
    float clip[16];
    draw_camera_clip(&eye, 1.0, p->origin, fmax(away - radius, 0.02 * radius), away + radius, clip);
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3; ++i)
            f->sun_clip[4 * k + i] = 0.5f * (clip[4 * k + i] + clip[4 * k + 3]);
        f->sun_clip[4 * k + 3] = clip[4 * k + 3];
    }
    f->shadow[0] = 1.0f / (float)side;
    f->shadow[1] = (float)(2.0 * fmax(away, radius) * tan(angle) / side);
    return true;
}

// ---- drawing

static void point_at(const stream *from, size_t first)
{
    glBindBuffer(GL_ARRAY_BUFFER, from->buffer);
    for (GLuint k = 0; k < 7; ++k)
        glVertexAttribPointer(2 + k, 4, GL_FLOAT, GL_FALSE, sizeof(placed),
                              (const void *)(first * sizeof(placed) + 4 * sizeof(float) * k));
}

static void draw_form_at(const draw_form *f, draw_facets facets, const stream *from, size_t first, size_t count)
{
    glBindVertexArray(f->array);
    point_at(from, first);
    if (facets == DRAW_POINT) {
        glDrawArraysInstanced(GL_POINTS, 0, f->corner_count, (GLsizei)count);
    } else {
        bool lines = facets == DRAW_LINE;
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, lines ? f->lines : f->triangles);
        glDrawElementsInstanced(lines ? GL_LINES : GL_TRIANGLES, lines ? f->line_corners : f->triangle_corners,
                                GL_UNSIGNED_INT, NULL, (GLsizei)count);
    }
}

static bool is_plane(const painter *p, const draw_form *f)
{
    return f == p->solids->form[ER_SHAPE_PLANE][0];
}

static const draw_form *caster(const draw_form *f)
{
    return f->coarse != NULL ? f->coarse : f;
}

static void draw_sorted(const painter *p, draw_facets facets, bool casts)
{
    const translucent *g = (const translucent *)(const void *)p->solids->translucent.data;
    size_t count = p->solids->sorted.size / sizeof(placed);
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && g[end].form == g[first].form)
            ++end;
        if (casts && is_plane(p, g[first].form)) continue;
        painter_cull(!g[first].form->open);
        draw_form_at(casts ? caster(g[first].form) : g[first].form, facets, &p->solids->sorted, first, end - first);
    }
}

static draw_facets begin(const painter *p)
{
    const draw_stage *s = &p->solids->stage;
    draw_facets facets = shows_edges(s) ? DRAW_LINE : s->facets;
    unsigned program = p->solids->program[program_of(p)];
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "point_size"),
                facets == DRAW_POINT ? 3.0f + (float)p->part[3] / 720.0f : 0.0f);
    return facets;
}

static void end(void)
{
    glDisable(GL_CULL_FACE);
    glBindVertexArray(0);
}

static void draw_each(const painter *p, draw_facets facets, bool planes)
{
    for (draw_form *f = p->solids->first; f != NULL; f = f->next) {
        if (is_plane(p, f) != planes) continue;
        painter_cull(!f->open);
        draw_form_at(f, facets, &f->placed, 0, f->placed.size / sizeof(placed));
    }
}

void solids_draw_opaque(const painter *p)
{
    draw_each(p, begin(p), false);
    end();
}

void solids_draw_translucent(const painter *p)
{
    draw_facets facets = begin(p);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, p->style.transparent); // many layers would round it down
    glDepthMask(GL_TRUE);
    draw_each(p, facets, true);
    glDepthMask(GL_FALSE);
    draw_sorted(p, facets, false);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    end();
}

void solids_draw_depth(const painter *p)
{
    glUseProgram(p->solids->program[SOLID_CAST]);
    for (draw_form *f = p->solids->first; f != NULL; f = f->next)
        if (!is_plane(p, f)) draw_form_at(caster(f), DRAW_FILL, &f->placed, 0, f->placed.size / sizeof(placed));
    if (!p->style.draft) draw_sorted(p, DRAW_FILL, true); // the mean of one texel is no shade
    end();
}
