// Figures as they are added: their matrices, and how far they reach.
#include <stdlib.h>
#include <string.h>

#include "viewer/draw/painter.h"

enum { TEXEL = 4 * sizeof(float), TEXELS_A_SLOT = 4, MOST_FIGURES = 4096 };

static int texels_of(const draw_model *m)
{
    return 1 + TEXELS_A_SLOT * m->slot_count;
}

static int page_texels(const page *g)
{
    return (int)(g->texels.size / TEXEL);
}

// The page with room for so many texels more, the last or a new one; -1 without memory.
static int find_page(painter *p, int texels)
{
    if (p->page_count > 0 && texels <= p->most_texels - page_texels(&p->page[p->page_count - 1]))
        return p->page_count - 1;
    if (p->page_count == p->page_room) {
        int room = p->page_room + 4;
        page *grown = realloc(p->page, (size_t)room * sizeof *grown);
        if (grown == NULL) return -1;
        memset(grown + p->page_room, 0, 4 * sizeof *grown);
        p->page = grown;
        p->page_room = room;
    }
    return p->page_count++;
}

// The run that a figure joins, or a new one; NULL without memory.
static run *find_run(painter *p, draw_model *m, run_kind kind, int at)
{
    run *last = p->run_count > 0 ? &p->run[p->run_count - 1] : NULL;
    if (last != NULL && last->model == m && last->kind == kind && last->page == at) return last;
    if (p->run_count == p->run_room) {
        int room = 2 * p->run_room + 16;
        run *grown = realloc(p->run, (size_t)room * sizeof *grown);
        if (grown == NULL) return NULL;
        p->run = grown;
        p->run_room = room;
    }
    run *made = &p->run[p->run_count++];
    *made = (run){m, kind, at, page_texels(&p->page[at]), 0};
    return made;
}

// world - origin = D(body) rest + shift - origin, three rows; then whether the body is the selected one.
static void write_slot(const painter *p, const slot *s, er_vec3 shift, bool marked, float texel[4][4])
{
    er_affine world = er_affine_mul(p->moved[s->body], s->rest);
    put_rows(texel, &world.linear, painter_place(p, er_v3_add(world.translation, shift)));
    const float last[4] = {marked};
    memcpy(texel[3], last, sizeof last);
}

static void add_matrices(painter *p, draw_model *m, const draw_figure *f)
{
    run_kind kind = f->opacity < 1.0f ? RUN_GHOST : p->style.skeleton ? RUN_TRANSLUCENT : RUN_SOLID;
    int at = find_page(p, texels_of(m));
    if (at < 0) return;
    run *r = find_run(p, m, kind, at);
    if (r == NULL) return;
    float(*texel)[4] = stream_take(&p->page[at].texels, TEXEL * (size_t)texels_of(m));
    if (texel == NULL) return; // an empty run draws nothing
    ++r->count;
    memcpy(texel[0], f->tint, sizeof f->tint);
    texel[0][3] = kind == RUN_TRANSLUCENT ? 0.36f : fmaxf(f->opacity, 0.0f);
    for (int i = 0; i < m->slot_count; ++i) {
        const slot *s = &m->slot[i];
        write_slot(p, s, f->shift, s->body == f->selected, texel + 1 + TEXELS_A_SLOT * (size_t)i);
    }
}

static void widen_range(double *low, double *high, double from, double to)
{
    *low = fmin(*low, from);
    *high = fmax(*high, to);
}

void painter_reach(painter *p, er_vec3 x, double radius, bool casts)
{
    double away = er_v3_dot(x, p->axis[2]);
    widen_range(&p->depth[0], &p->depth[1], away - radius, away + radius);
    if (!casts) return;
    er_vec3 lit = er_v3(er_v3_dot(x, p->sun[0]), er_v3_dot(x, p->sun[1]), er_v3_dot(x, p->sun[2]));
    widen_range(&p->cast[0].x, &p->cast[1].x, lit.x - radius, lit.x + radius);
    widen_range(&p->cast[0].y, &p->cast[1].y, lit.y - radius, lit.y + radius);
    widen_range(&p->cast[0].z, &p->cast[1].z, lit.z - radius, lit.z + radius);
}

static void add_reach(painter *p, const draw_model *m, const draw_figure *f)
{
    int still = m->model->body_count;
    for (int b = 0; b <= still + 1; ++b) {
        const sphere *s = &m->reach[b];
        bool casts = f->opacity >= 1.0f && (b <= still || p->style.scenery >= 1.0f);
        er_vec3 x = painter_place(p, er_v3_add(er_affine_point(p->moved[b < still ? b : still], s->centre), f->shift));
        if (s->radius >= 0.0) painter_reach(p, x, f->scale * s->radius, casts);
    }
    er_vec3 centre = er_v3_madd(f->shift, f->scale, m->rest.centre);
    widen_range(&p->foot[0].x, &p->foot[1].x, centre.x, centre.x);
    widen_range(&p->foot[0].y, &p->foot[1].y, centre.y, centre.y);
    widen_range(&p->foot[0].z, &p->foot[1].z, centre.z, centre.z);
    p->floor = fmin(p->floor, f->scale * m->rest.floor + er_v3_dot(f->shift, m->up));
    p->radius = fmax(p->radius, f->scale * m->rest.radius);
}

static er_affine scaled(double scale, er_affine a)
{
    for (int i = 0; i < 9; ++i)
        a.linear.m[i / 3][i % 3] *= scale;
    a.translation = er_v3_scale(scale, a.translation);
    return a;
}

void painter_add(painter *p, draw_model *m, const draw_figure *f)
{
    if (p->figure_count >= MOST_FIGURES || f->opacity <= 0.0f) return;
    ++p->figure_count;
    for (int b = 0; b <= m->model->body_count; ++b)
        p->moved[b] = scaled(f->scale, er_affine_from_pose(model_displacement(m, f->pose, b)));
    add_reach(p, m, f);
    if (p->style.mesh && m->vertex_count > 0) add_matrices(p, m, f);
    skeleton_add(p, m, f);
}
