// One picture, pass by pass.
#include <epoxy/gl.h>

#include "viewer/draw/camera.h"
#include "viewer/draw/forms.h"

enum { SOLID = 1u << RUN_SOLID, TRANSLUCENT = 1u << RUN_TRANSLUCENT, GHOST = 1u << RUN_GHOST };

// The distance from the middle of the figures at which the floor has faded, m.
static double floor_reach(const painter *p)
{
    return 7.0 * p->radius + er_v3_distance(p->foot[0], p->foot[1]);
}

static void put_colour(float to[4], const float srgb[3], bool linear)
{
    for (int k = 0; k < 3; ++k)
        to[k] = linear ? linear_of(srgb[k]) : srgb[k];
    to[3] = 1.0f;
}

// Depth of the nearest visible point of the floor. It lies in a corner of the picture.
static double nearest_floor(const painter *p)
{
    const draw_camera *c = &p->camera;
    double high = tan(0.5 * c->fov), wide = high * p->part[2] / p->part[3];
    double level = p->floor - er_v3_dot(draw_camera_eye(c), c->up), nearest = HUGE_VAL;
    for (int corner = 0; corner < 4; ++corner) {
        double x = corner & 1 ? wide : -wide, y = corner & 2 ? high : -high;
        er_vec3 way = er_v3_madd(er_v3_scale(x, p->axis[0]), y, p->axis[1]);
        double depth = level / er_v3_dot(er_v3_sub(way, p->axis[2]), c->up);
        if (depth > 0.0) nearest = fmin(nearest, depth);
    }
    return nearest;
}

static void set_camera(const painter *p, frame_block *f)
{
    const draw_camera *c = &p->camera;
    double floor = p->style.floor ? floor_reach(p) : 0.0, margin = 0.05 * (p->depth[1] - p->depth[0]);
    double far_depth = c->distance - p->depth[0] + margin + floor, near_depth = c->distance - p->depth[1] - margin;
    if (c->fov <= 0.0) {
        near_depth -= floor;
    } else {
        if (p->style.floor) near_depth = fmin(near_depth, 0.9 * nearest_floor(p));
        near_depth = fmax(fmin(near_depth, 0.3 * c->distance), far_depth / 4000.0);
    }
    draw_camera_clip(c, (double)p->part[2] / p->part[3], p->origin, near_depth, far_depth, f->clip);
    if (c->fov > 0.0)
        put_vector(f->eye, er_v3_scale(c->distance, p->axis[2]), 1.0);
    else
        put_vector(f->eye, p->axis[2], 0.0);
}

// Cells of 1, 2 or 5 times a power of ten, about five to a radius.
static double cell_size(double radius)
{
    double wanted = 0.22 * radius, ten = pow(10.0, floor(log10(wanted))), share = wanted / ten;
    return ten * (share >= 5.0 ? 5.0 : share >= 2.0 ? 2.0 : 1.0);
}

static void set_floor(const painter *p, frame_block *f)
{
    er_vec3 up = p->camera.up, x = er_q_rotate(er_q_conj(er_q_upright(up)), er_v3(1, 0, 0)), z;
    double cell = cell_size(p->radius), step = er_v3_norm(p->style.floor_step);
    if (step > 0.0) { // every fifth line is strong
        x = er_v3_scale(1.0 / step, p->style.floor_step);
        cell = step / (5.0 * fmax(1.0, round(step / (5.0 * cell))));
    }
    z = er_v3_cross(x, up);
    er_vec3 centre = er_v3_scale(0.5, er_v3_add(p->foot[0], p->foot[1]));
    centre = er_v3_madd(centre, p->floor - er_v3_dot(centre, up), up);
    double height = er_v3_dot(er_v3_sub(draw_camera_eye(&p->camera), centre), up);
    bool above = p->camera.fov > 0.0 ? height > 0.0 : p->camera.pitch > 0.0;
    put_vector(f->floor_centre, painter_place(p, centre), floor_reach(p));
    put_vector(f->floor_x, x, fmod(er_v3_dot(centre, x) / cell, 5.0));
    put_vector(f->floor_z, z, fmod(er_v3_dot(centre, z) / cell, 5.0));
    put_vector(f->floor_cell, er_v3(cell, above ? 1.0 : 0.25, 0.0), 0.0);
}

static void fill_frame(painter *p, int x, int y, frame_block *f)
{
    const draw_style *style = &p->style;
    er_vec3 left = er_v3_madd(er_v3_scale(-0.8, p->axis[0]), 0.5, p->axis[2]);
    *f = (frame_block){.part = {(float)x, (float)y, (float)p->part[2], (float)p->part[3]}};
    put_vector(f->fill, er_v3_unit(left, p->axis[2]), 0.0);
    put_vector(f->up, p->camera.up, style->exposure);
    put_colour(f->top, style->background[0], false);
    put_colour(f->bottom, style->background[1], false);
    put_colour(f->grid, style->grid, false);
    if (!style->lines) f->grid[3] = 0.0f;
    put_colour(f->marked, style->selected, true);
    set_camera(p, f);
    put_vector(f->sun, p->sun[2], shadow_fit(p, f) ? 0.9 : 0.0);
    set_floor(p, f);
}

static void send_pages(painter *p)
{
    for (int i = 0; i < p->page_count; ++i) {
        page *g = &p->page[i];
        stream_send(&g->texels, GL_TEXTURE_BUFFER);
        if (g->texture == 0) glGenTextures(1, &g->texture);
        glActiveTexture(GL_TEXTURE0 + UNIT_PALETTE);
        glBindTexture(GL_TEXTURE_BUFFER, g->texture);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, g->texels.buffer);
    }
    glBindBuffer(GL_TEXTURE_BUFFER, 0);
}

static void clear(const painter *p)
{
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (p->style.transparent) return;
    glDisable(GL_DEPTH_TEST);
    if (!solids_active(p) || !solids_draw_background(p)) painter_strip(p, p->program[PROGRAM_BACKGROUND], 3);
    glEnable(GL_DEPTH_TEST);
}

// Scenery is drawn behind all figures and ghosts, so that a wall in front of a character does not hide it.
static void draw_scenery(painter *p)
{
    if (p->style.scenery <= 0.0f) return;
    glDepthRange(0.75, 1.0);
    if (p->style.surface == DRAW_SHADED) {
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        meshes_draw_depth(p, SOLID | TRANSLUCENT, MESH_FADED, false);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    meshes_draw(p, SOLID | TRANSLUCENT, MESH_FADED);
    glEnable(GL_BLEND);
}

// Depth is drawn first, so that only the nearest translucent surface is seen.
static void draw_translucent(painter *p)
{
    bool shaded = p->style.surface == DRAW_SHADED;
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    if (shaded) meshes_draw_depth(p, TRANSLUCENT, MESH_ALL, false);
    glDepthRange(0.5, 0.75);
    if (shaded) meshes_draw_depth(p, GHOST, MESH_ALL, false);
    shapes_draw(p, LAYER_GHOST, PROGRAM_CAST, false);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    shapes_draw(p, LAYER_GHOST, PROGRAM_SHAPE, false);
    meshes_draw(p, GHOST, MESH_ALL);
    glDepthRange(0.0, 0.5);
    meshes_draw(p, TRANSLUCENT, MESH_ALL);
}

static void draw_main(painter *p)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    clear(p);
    glDepthRange(0.0, 0.5); // ghosts use the next quarter, behind all solid figures; scenery uses the last
    meshes_draw(p, SOLID, MESH_OPAQUE);
    shapes_draw(p, LAYER_SOLID, PROGRAM_SHAPE, false);
    if (solids_active(p)) solids_draw_opaque(p);
    glEnable(GL_BLEND);
    glDepthMask(GL_FALSE);
    if (p->style.floor && p->figure_count > 0)
        painter_strip(p, p->program[p->style.draft ? PROGRAM_FLOOR_DRAFT : PROGRAM_FLOOR], 4);
    if (p->style.surface == DRAW_SHADED) meshes_draw(p, SOLID, MESH_BLENDED);
    if (solids_active(p)) solids_draw_translucent(p);
    glDepthMask(GL_TRUE);
    glEnable(GL_BLEND);
    draw_scenery(p);
    draw_translucent(p);
    glDepthRange(0.0, 1.0);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP); // lines over everything are also over distant things
    lines_draw(p);
    glDisable(GL_BLEND);
    glEnable(GL_CULL_FACE); // instead of a depth test: balls are convex
    shapes_draw(p, LAYER_OVER, PROGRAM_SHAPE, false);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_PROGRAM_POINT_SIZE);
}

static void unbind(void)
{
    for (int i = 0; i < UNIT_COUNT; ++i) {
        glActiveTexture((GLenum)(GL_TEXTURE0 + i));
        glBindTexture(GL_TEXTURE_BUFFER, 0);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    glUseProgram(0);
    glDepthFunc(GL_LESS);
    glBlendFunc(GL_ONE, GL_ZERO);
}

void passes_draw(painter *p, unsigned frame, int x, int y)
{
    frame_block f;
    if (p->figure_count == 0 && !solids_active(p)) { // nothing tells the size of the world
        p->radius = p->camera.distance;
        p->depth[0] = p->depth[1] = 0.0;
        p->figure_count = 1;
        p->floor = er_v3_dot(p->origin, p->camera.up);
        p->foot[0] = p->foot[1] = p->origin;
    }
    if (!isnan(p->style.floor_height)) p->floor = p->style.floor_height;
    fill_frame(p, x, y, &f);
    glBindBuffer(GL_UNIFORM_BUFFER, p->frame_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof f, &f, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, p->frame_buffer);
    send_pages(p);
    if (solids_active(p)) solids_send(p);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    if (f.sun[3] > 0.0f) shadow_draw(p);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glViewport(x, y, p->part[2], p->part[3]);
    glScissor(x, y, p->part[2], p->part[3]);
    glEnable(GL_SCISSOR_TEST);
    draw_main(p);
    glDisable(GL_SCISSOR_TEST);
    unbind();
}
