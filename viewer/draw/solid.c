// Solids and joints as they are added: which form, how fine, and where.
#include "viewer/draw/solid.h"

#include <stdlib.h>
#include <string.h>

#include "viewer/draw/camera.h"
#include "viewer/draw/forms.h"

static const double farthest = 500.0; // camera distances: solids beyond it would cost depth precision near by
static const double lit_reach = 12.0; // the same for shadows: one solid that falls for ever would blur all others

draw_material draw_default_material(void)
{
    return (draw_material){.ambient = {0.3f, 0.3f, 0.3f},
                           .diffuse = {0.7f, 0.7f, 0.7f},
                           .specular = {0.2f, 0.2f, 0.2f},
                           .shine = 20.0f,
                           .opacity = 1.0f};
}

draw_light draw_default_light(void)
{
    return (draw_light){.diffuse = {0.8f, 0.8f, 0.8f}, .specular = {0.5f, 0.5f, 0.5f}};
}

draw_stage draw_default_stage(void)
{
    return (draw_stage){.ambient = {0.25f, 0.25f, 0.25f}};
}

// The first light is the sun of figures and of shadows, seen from the target of the camera.
static void set_sun(painter *p, const draw_stage *s)
{
    if (s->light_count == 0) return;
    draw_camera sun = draw_camera_look(s->light[0].position, p->origin, p->camera.up, 0.0);
    draw_camera_axes(&sun, p->sun);
}

static void set_style(draw_style *style, const draw_stage *s)
{
    bool lines = s->shading == DRAW_WIRE || s->facets == DRAW_LINE;
    style->surface = s->facets == DRAW_POINT ? DRAW_POINTS : lines ? DRAW_WIREFRAME : DRAW_SHADED;
    style->mesh = style->mesh && s->shown != DRAW_JOINTS;
    style->skeleton = style->skeleton && s->shown != DRAW_JOINTS;
    style->floor = false;
}

er_result painter_stage(painter *p, const draw_stage *stage)
{
    if (p->solids == NULL) p->solids = calloc(1, sizeof *p->solids);
    if (p->solids == NULL) return er_fail(p->context, ER_ERROR_MEMORY, "out of memory");
    p->solids->stage = *stage;
    er_result r = solids_prepare(p);
    if (r != ER_OK) return r;
    set_sun(p, stage);
    set_style(&p->style, stage);
    painter_reach(p, er_v3(0, 0, 0), 0.001 * p->camera.distance, false);
    p->solids->pixel = draw_camera_pixel(&p->camera, p->part[3], p->origin);
    if (p->camera.fov > 0.0) p->solids->pixel /= p->camera.distance;
    p->solids->active = true;
    return ER_OK;
}

// ---- solids

// Half extents of the unit form, and by how much its ends are moved along z.
static er_vec3 scale_of(const draw_solid *s, double *stretch)
{
    const er_shape *of = s->shape;
    double r = of->radius;
    *stretch = 0.0;
    switch (of->kind) {
    case ER_SHAPE_CAPSULE:
        *stretch = 0.5 * of->length;
        return er_v3(r, r, r);
    case ER_SHAPE_SPHERE:
        return er_v3(r, r, r);
    case ER_SHAPE_CYLINDER:
        return er_v3(r, r, 0.5 * of->length);
    case ER_SHAPE_BOX:
        return of->half;
    case ER_SHAPE_PLANE:
        return er_v3(s->reach, s->reach, 1.0);
    default:
        return er_v3(1, 1, 1);
    }
}

// Distance of the farthest point from the origin of the frame, m.
static double radius_of(const draw_solid *s)
{
    const er_shape *of = s->shape;
    switch (of->kind) {
    case ER_SHAPE_SPHERE:
        return of->radius;
    case ER_SHAPE_CAPSULE:
        return of->radius + 0.5 * of->length;
    case ER_SHAPE_CYLINDER:
        return hypot(of->radius, 0.5 * of->length);
    case ER_SHAPE_BOX:
        return er_v3_norm(of->half);
    case ER_SHAPE_PLANE:
        return s->reach;
    default:
        return s->form != NULL ? s->form->radius : 0.0;
    }
}

static double pixel_at(const painter *p, er_vec3 x)
{
    double depth = p->camera.distance - er_v3_dot(x, p->axis[2]);
    return p->solids->pixel * (p->camera.fov > 0.0 ? fmax(depth, 1e-3 * p->camera.distance) : 1.0);
}

// Chords differ from arcs by a quarter of a pixel at most, in drafts by one. If facets or edges are drawn, their number
// does not depend on the distance.
static int level_of(const painter *p, double radius, er_vec3 x)
{
    const draw_stage *s = &p->solids->stage;
    if (s->shading != DRAW_PHONG || s->facets != DRAW_FILL) return LEVEL_OF_FACETS;
    double wanted = (p->style.draft ? 2.22 : 4.44) * sqrt(radius / pixel_at(p, x));
    int level = 0;
    while (level + 1 < LEVELS && (COARSE << level) < wanted)
        ++level;
    return level;
}

// A unit form. Its shadow is that of the next coarser form.
static draw_form *unit_form(painter *p, er_shape_kind kind, int level)
{
    draw_form **form = &p->solids->form[kind][level];
    if (*form != NULL) return *form;
    draw_form *coarse = level > 0 ? unit_form(p, kind, level - 1) : NULL;
    *form = form_of_kind(p, kind, level);
    if (*form != NULL) (*form)->coarse = coarse;
    return *form;
}

static draw_form *form_of(painter *p, const draw_solid *s, er_vec3 x)
{
    er_shape_kind kind = s->shape->kind;
    if (kind == ER_SHAPE_HULL || kind == ER_SHAPE_MESH) return s->form;
    bool round = kind != ER_SHAPE_BOX && kind != ER_SHAPE_PLANE;
    return unit_form(p, kind, round ? level_of(p, s->shape->radius, x) : 0);
}

static void set_colour(float to[4], const float rgb[3], const float tint[3], float last)
{
    for (int k = 0; k < 3; ++k)
        to[k] = rgb[k] * tint[k];
    to[3] = last;
}

static placed place(const draw_solid *s, er_vec3 x)
{
    const draw_material *m = s->material;
    double stretch;
    er_vec3 scale = scale_of(s, &stretch);
    er_mat3 axes = er_m3_from_q(s->pose.q);
    const double size[3] = {scale.x, scale.y, scale.z};
    placed t;
    put_vector(t.stretch, er_v3_scale(stretch, er_m3_column(axes, 2)), s->shape->kind == ER_SHAPE_PLANE);
    for (int i = 0; i < 9; ++i)
        axes.m[i / 3][i % 3] *= size[i % 3];
    put_rows(t.row, &axes, x);
    set_colour(t.ambient, m->ambient, s->tint, m->opacity);
    set_colour(t.diffuse, m->diffuse, s->tint, m->reflection);
    set_colour(t.specular, m->specular, (const float[3]){1, 1, 1}, m->shine);
    return t;
}

// Planes are drawn before all other translucent solids: nothing is behind them.
static void add_translucent(painter *p, draw_form *f, bool plane, er_vec3 x, const placed *t)
{
    er_vec3 eye = er_v3_scale(p->camera.distance, p->axis[2]);
    double away = p->camera.fov > 0.0 ? er_v3_distance(eye, x) : er_v3_dot(er_v3_sub(eye, x), p->axis[2]);
    translucent *g = stream_take(&p->solids->translucent, sizeof *g);
    if (g != NULL) *g = (translucent){plane ? HUGE_VAL : away, f, *t};
}

static void add_opaque(painter *p, draw_form *f, const placed *t)
{
    placed *room = stream_take(&f->placed, sizeof *room);
    if (room == NULL) return;
    *room = *t;
    if (f->shown) return;
    f->shown = true;
    f->next = p->solids->first;
    p->solids->first = f;
}

void painter_solid(painter *p, const draw_solid *s)
{
    if (!solids_active(p) || p->solids->stage.shown == DRAW_JOINTS) return;
    er_vec3 x = painter_place(p, s->pose.p);
    double radius = radius_of(s), away = er_v3_norm(x) - radius;
    bool plane = s->shape->kind == ER_SHAPE_PLANE;
    if (!(away < farthest * p->camera.distance)) return;
    draw_form *f = form_of(p, s, x);
    if (f == NULL) return;
    painter_reach(p, x, radius, !plane && away < lit_reach * p->camera.distance);
    placed t = place(s, x);
    if (s->material->opacity < 1.0f)
        add_translucent(p, f, plane, x, &t);
    else
        add_opaque(p, f, &t);
}

void painter_joint(painter *p, const draw_joint *joint)
{
    static const float anchor[3] = {1.0f, 0.62f, 0.12f}, link[4] = {0.20f, 0.78f, 0.95f, 0.9f},
                       axis[4] = {0.45f, 0.95f, 0.35f, 1.0f};
    if (!solids_active(p) || p->solids->stage.shown == DRAW_ACTORS) return;
    double pixel = pixel_at(p, painter_place(p, joint->anchor)), ball = 5.0 * pixel, length = 26.0 * pixel;
    for (int i = 0; i < joint->end_count; ++i)
        add_line(p, joint->anchor, joint->end[i], link, 2.0, 0.0);
    if (er_v3_norm(joint->axis) > 0.0)
        add_line(p, er_v3_madd(joint->anchor, -length, joint->axis), er_v3_madd(joint->anchor, length, joint->axis),
                 axis, 2.5, 0.0);
    add_ball(p, LAYER_OVER, SHAPE_BALL, (er_pose){er_q_identity(), joint->anchor}, ball, anchor, 1.0f);
}
