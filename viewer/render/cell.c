// One rectangle of a picture is drawn: the model at a time, with ghosts, floor and letters.
#include "viewer/render/cell.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/render/aim.h"

#define GHOST_OPACITY 0.6f

// The view of a gait, rad: from the right side towards the front, and down.
#define AHEAD 0.35
#define ABOVE 0.14

// Adds points of the model at one time, as seen by a camera that travels with it to another time.
static er_result add_outline(canvas *e, const render_def *def, cell *c, double time, double camera_time, outline *shown)
{
    size_t first = shown->count;
    er_vec3 ahead = er_v3_sub(animation_travel(&c->s, time), animation_travel(&c->s, camera_time));
    er_result r = animation_pose(&c->s, time, c->pose);
    if (r == ER_OK && def->mesh) r = outline_add_meshes(e->context, e->subject, c->pose, shown);
    if (r == ER_OK && def->skeleton)
        r = outline_add_bones(e->context, e->drawn, c->s.model->body_count, c->pose, shown);
    for (size_t i = first; r == ER_OK && i < shown->count; ++i)
        shown->point[i] = er_v3_add(shown->point[i], ahead);
    return r;
}

// The ghosts of a gait stand at its earlier and later places.
static er_result add_ghosts(canvas *e, const render_def *def, cell *c, double time, outline *shown)
{
    er_result r = ER_OK;
    for (int sign = -1; sign < 2 && r == ER_OK && c->ghosts && c->s.gait != NULL; sign += 2)
        r = add_outline(e, def, c, time + sign * c->s.duration / 8.0, time, shown);
    return r;
}

// Points that the camera must see: of a mode at rest and at both ends of its swing; of other motions at twelve times;
// of a world's run, which may be irregular, at many times and at its end.
// @param bones  both ends of a mode's swing
static er_result find_outlines(canvas *e, const render_def *def, cell *c, outline *shown, outline *bones)
{
    bool is_mode = c->mode >= 0;
    int bodies = c->s.model->body_count, times = def->world ? 120 : 12;
    int count = !animation_moves(&c->s) ? 1 : is_mode ? 3 : times + def->world;
    er_result r = ER_OK;
    for (int k = 0; k < count && r == ER_OK; ++k) {
        double time = !is_mode ? c->s.duration * k / times : k < 2 ? animation_peak_time(&c->s, k == 0 ? 1 : -1) : 0.0;
        r = add_ghosts(e, def, c, time, shown);
        if (r == ER_OK) r = add_outline(e, def, c, time, time, shown);
        if (r == ER_OK && is_mode && k < 2) r = outline_add_bones(e->context, e->drawn, bodies, c->pose, bones);
    }
    return r;
}

er_result cell_init(canvas *e, const render_def *def, animation s, int mode, double aspect, cell *out)
{
    outline shown = {0}, bones = {0};
    *out = (cell){.s = s, .mode = mode, .view = def->view};
    out->ghosts = animation_moves(&s) && (def->ghosts || def->what == RENDER_SHEET);
    out->pose = malloc(3 * (size_t)s.model->body_count * sizeof *out->pose);
    if (out->pose == NULL) return er_fail(e->context, ER_ERROR_MEMORY, "no memory for poses");
    er_result r = def->world ? ER_OK : animation_find_way(&out->s, e->up); // a world's camera stays
    if (r == ER_OK) r = find_outlines(e, def, out, &shown, &bones);
    double yaw = def->yaw, pitch = def->pitch;
    if (r == ER_OK && def->view == RENDER_VIEW_BEST) {
        out->view = mode >= 0        ? aim_best(e->up, e->front, &bones)
                    : s.gait != NULL ? RENDER_VIEW_GIVEN
                                     : RENDER_VIEW_THREE_QUARTER;
        if (s.gait != NULL) yaw = aim_yaw(e->up, def->gaits->body->forward) + AHEAD;
        if (s.gait != NULL) pitch = ABOVE;
    }
    if (r == ER_OK) out->camera = aim_camera(&shown, e->up, e->front, aspect, out->view, yaw, pitch);
    free(shown.point);
    free(bones.point);
    return r;
}

void cell_finish(cell *c)
{
    animation_finish(&c->s);
    free(c->pose);
}

er_result cell_draw(canvas *e, cell *c, double time, int x, int y, int width, int height)
{
    size_t n = (size_t)c->s.model->body_count;
    double at[3] = {time, time, time};
    er_result r = animation_pose(&c->s, time, c->pose + 2 * n);
    for (int k = 0; k < 2 && c->ghosts && r == ER_OK; ++k) {
        int sign = k == 0 ? 1 : -1;
        at[k] = c->mode >= 0 ? animation_peak_time(&c->s, sign) : time + sign * c->s.duration / 8.0;
        r = animation_pose(&c->s, at[k], c->pose + (size_t)k * n);
    }
    if (r != ER_OK) return r;
    draw_style style = e->style;
    if (c->ghosts) { // ghosts are told apart by colour
        style.textures = false;
        memcpy(style.bone, style.clay, sizeof style.bone);
    }
    draw_camera camera = c->camera;
    camera.target = er_v3_add(camera.target, animation_travel(&c->s, time));
    if (c->s.gait != NULL) {
        style.floor_step = animation_travel(&c->s, c->s.duration);
        style.light_yaw = (float)camera.yaw - 0.6f; // the gait may go in any direction
    }
    painter_begin(e->painter, e->target, x, y, width, height, &camera, &style);
    for (int k = c->ghosts ? 0 : 2; k < 3; ++k) {
        draw_figure figure = draw_default_figure();
        figure.pose = c->pose + (size_t)k * n;
        for (int i = 0; k < 2 && i < 3; ++i)
            figure.tint[i] = e->colours.ghost[k][i];
        figure.shift = animation_travel(&c->s, at[k]);
        if (k < 2) figure.opacity = GHOST_OPACITY;
        painter_add(e->painter, e->drawn, &figure);
    }
    painter_end(e->painter);
    return ER_OK;
}
