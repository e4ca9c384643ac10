// Meshes of the figures, all of a run at once.
#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

void meshes_find_places(painter *p)
{
    for (int i = PROGRAM_SURFACE; i <= PROGRAM_DEPTH; ++i) {
        unsigned program = p->program[i];
        p->mesh[i] = (mesh_places){.figures = glGetUniformLocation(program, "figures"),
                                   .from_sun = glGetUniformLocation(program, "from_sun"),
                                   .point_size = glGetUniformLocation(program, "point_size"),
                                   .base_colour = glGetUniformLocation(program, "base_colour"),
                                   .finish = glGetUniformLocation(program, "finish"),
                                   .emissive = glGetUniformLocation(program, "emissive"),
                                   .bumpy = glGetUniformLocation(program, "bumpy"),
                                   .plain = glGetUniformLocation(program, "plain"),
                                   .fade = glGetUniformLocation(program, "fade"),
                                   .unlit = glGetUniformLocation(program, "unlit")};
    }
}

static void bind_texture(const painter *p, int unit, unsigned texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, texture != 0 ? texture : p->white);
}

// Clay, or what the scene says. A metal has nothing to mirror here, so it is half of one.
static surface surface_of(const painter *p, const draw_model *m, int material)
{
    const float *clay = p->style.surface == DRAW_WIREFRAME ? p->style.wire : p->style.clay;
    surface s = {.plain = true,
                 .roughness = 0.62f,
                 .cutoff = -1.0f,
                 .base = {linear_of(clay[0]), linear_of(clay[1]), linear_of(clay[2]), 1}};
    s.cull = material >= 0 && m->surface[material].cull;
    if (material < 0 || m->plain || !p->style.textures || p->style.surface == DRAW_WIREFRAME) return s;
    s = m->surface[material];
    s.metallic *= 0.5f;
    s.roughness = fmaxf(s.roughness, 0.15f);
    return s;
}

static void set_surface(const painter *p, const mesh_places *u, const surface *s)
{
    glUniform4fv(u->base_colour, 1, s->base);
    glUniform4f(u->finish, s->metallic, s->roughness, s->cutoff, s->blend ? 1.0f : 0.0f);
    glUniform3fv(u->emissive, 1, s->emissive);
    glUniform1f(u->plain, s->plain ? 1.0f : 0.0f);
    glUniform1i(u->bumpy, s->normal_texture != 0);
    bind_texture(p, UNIT_BASE, s->base_texture);
    bind_texture(p, UNIT_EMISSIVE, s->emissive_texture);
    bind_texture(p, UNIT_NORMAL, s->normal_texture);
}

static bool is_faded(const painter *p, const batch *b)
{
    return b->scenery && p->style.scenery < 1.0f;
}

static bool is_part(const painter *p, const batch *b, const surface *s, mesh_part part)
{
    if (part == MESH_FADED || is_faded(p, b)) return part == MESH_FADED && is_faded(p, b);
    return part == MESH_ALL || s->blend == (part == MESH_BLENDED);
}

static void draw_batch(const painter *p, const run *r, const batch *b)
{
    if (p->style.surface == DRAW_POINTS)
        glDrawArraysInstanced(GL_POINTS, b->first_vertex, b->vertex_count, r->count);
    else
        glDrawElementsInstanced(GL_TRIANGLES, b->count, GL_UNSIGNED_INT,
                                (const void *)((size_t)b->start * sizeof(uint32_t)), r->count);
}

static void draw_run(const painter *p, const run *r, int program, mesh_part part, bool cull)
{
    const mesh_places *u = &p->mesh[program];
    glActiveTexture(GL_TEXTURE0 + UNIT_PALETTE);
    glBindTexture(GL_TEXTURE_BUFFER, p->page[r->page].texture);
    glUniform2i(u->figures, r->first, 1 + 4 * r->model->slot_count);
    glBindVertexArray(r->model->vertex_array);
    for (int i = 0; i < r->model->batch_count; ++i) {
        const batch *b = &r->model->batch[i];
        surface s = surface_of(p, r->model, b->material);
        if (!is_part(p, b, &s, part)) continue;
        set_surface(p, u, &s);
        glUniform1f(u->fade, part == MESH_FADED ? fmaxf(p->style.scenery, 0.0f) : 1.0f);
        painter_cull(cull && s.cull);
        draw_batch(p, r, b);
    }
    glDisable(GL_CULL_FACE);
}

static void draw_runs(const painter *p, unsigned kinds, int program, mesh_part part, bool cull)
{
    for (int i = 0; i < p->run_count; ++i)
        if ((kinds >> p->run[i].kind & 1) != 0 && p->run[i].count > 0) draw_run(p, &p->run[i], program, part, cull);
    glBindVertexArray(0);
}

void meshes_draw_depth(painter *p, unsigned kinds, mesh_part part, bool from_sun)
{
    glUseProgram(p->program[PROGRAM_DEPTH]);
    glUniform1i(p->mesh[PROGRAM_DEPTH].from_sun, from_sun);
    draw_runs(p, kinds, PROGRAM_DEPTH, part, !from_sun);
}

// Lines that faces hide are faint.
static void draw_wires(painter *p, int program, unsigned kinds, mesh_part part)
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 1.0f);
    meshes_draw_depth(p, kinds, part, false);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glUseProgram(p->program[program]);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glDepthFunc(GL_GREATER);
    glUniform1f(p->mesh[program].unlit, 0.1f);
    draw_runs(p, kinds, program, part, false);
    glDepthFunc(GL_LEQUAL);
    glUniform1f(p->mesh[program].unlit, 0.7f);
    draw_runs(p, kinds, program, part, false);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void meshes_draw(painter *p, unsigned kinds, mesh_part part)
{
    bool points = p->style.surface == DRAW_POINTS, wires = p->style.surface == DRAW_WIREFRAME;
    int program = points ? PROGRAM_POINTS : p->style.draft ? PROGRAM_SURFACE_DRAFT : PROGRAM_SURFACE;
    glUseProgram(p->program[program]);
    glUniform1i(p->mesh[program].from_sun, 0);
    glUniform1f(p->mesh[program].unlit, 0.0f);
    glUniform1f(p->mesh[program].point_size, 3.0f + (float)p->part[3] / 720.0f);
    if (wires)
        draw_wires(p, program, kinds, part == MESH_FADED ? MESH_FADED : MESH_ALL);
    else
        draw_runs(p, kinds, program, part, true);
}
