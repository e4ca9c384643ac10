#include "render/cell.h"

#include <stdlib.h>
#include <string.h>

#include "render/aim.h"

#define GHOST_OPACITY 0.6f

// What the camera must see: rest and both ends of a mode's swing; a mix at times all over it. Bones at the ends.
static er_result find_outlines(easel *e, const render_def *def, cell *c, outline *shown, outline *bones)
{
    enum { TIMES = 12 };
    bool is_mode = c->mode >= 0;
    int bodies = c->s.model->body_count, count = c->s.motion == NULL ? 1 : is_mode ? 3 : TIMES;
    er_result r = ER_OK;
    for (int k = 0; k < count && r == ER_OK; ++k) {
        double time = !is_mode ? c->s.duration * k / TIMES : k < 2 ? swing_end(&c->s, k == 0 ? 1 : -1) : 0.0;
        r = swing_pose(&c->s, time, c->pose);
        if (r == ER_OK && def->mesh) r = outline_add_meshes(e->context, e->subject, c->pose, shown);
        if (r == ER_OK && def->skeleton) r = outline_add_bones(e->context, e->drawn, bodies, c->pose, shown);
        if (r == ER_OK && is_mode && k < 2) r = outline_add_bones(e->context, e->drawn, bodies, c->pose, bones);
    }
    return r;
}

er_result cell_init(easel *e, const render_def *def, swing s, int mode, double aspect, cell *out)
{
    outline shown = {0}, bones = {0};
    *out = (cell){.s = s, .mode = mode, .view = def->view};
    out->ghosts = s.motion != NULL && (def->ghosts || def->what == RENDER_SHEET);
    out->pose = malloc(3 * (size_t)s.model->body_count * sizeof *out->pose);
    if (out->pose == NULL) return er_fail(e->context, ER_ERROR_MEMORY, "no memory for poses");
    er_result r = find_outlines(e, def, out, &shown, &bones);
    if (r == ER_OK && def->view == RENDER_VIEW_BEST)
        out->view = mode >= 0 ? aim_best(e->up, &bones) : RENDER_VIEW_THREE_QUARTER;
    if (r == ER_OK) out->camera = aim_camera(&shown, e->up, aspect, out->view, def->yaw, def->pitch);
    free(shown.point);
    free(bones.point);
    return r;
}

void cell_finish(cell *c)
{
    swing_finish(&c->s);
    free(c->pose);
}

er_result cell_draw(easel *e, cell *c, double time, int x, int y, int width, int height)
{
    size_t n = (size_t)c->s.model->body_count;
    er_result r = swing_pose(&c->s, time, c->pose + 2 * n);
    for (int k = 0; k < 2 && c->ghosts && r == ER_OK; ++k) {
        int sign = k == 0 ? 1 : -1;
        double at = c->mode >= 0 ? swing_end(&c->s, sign) : time + sign * c->s.duration / 8.0;
        r = swing_pose(&c->s, at, c->pose + (size_t)k * n);
    }
    if (r != ER_OK) return r;
    draw_look look = e->look;
    if (c->ghosts) { // which are told apart by colours
        look.textures = false;
        memcpy(look.bone, look.clay, sizeof look.bone);
    }
    painter_begin(e->painter, e->target, x, y, width, height, &c->camera, &look);
    for (int k = c->ghosts ? 0 : 2; k < 3; ++k) {
        draw_figure figure = draw_default_figure();
        figure.pose = c->pose + (size_t)k * n;
        for (int i = 0; k < 2 && i < 3; ++i)
            figure.tint[i] = e->colours.ghost[k][i];
        if (k < 2) figure.opacity = GHOST_OPACITY;
        painter_add(e->painter, e->drawn, &figure);
    }
    painter_end(e->painter);
    return ER_OK;
}
