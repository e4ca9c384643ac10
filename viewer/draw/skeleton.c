// Bones, joints and the centre of mass of a figure.
#include "viewer/draw/painter.h"

static const float axis_colour[3][4] = {{0.90f, 0.25f, 0.25f, 1}, {0.30f, 0.75f, 0.25f, 1}, {0.25f, 0.48f, 0.98f, 1}};

// A figure while its signs are placed.
typedef struct placed {
    painter *painter;
    const draw_model *m;
    const draw_figure *figure;
    layer layer;
    double size; // m, of the model
} placed;

static er_vec3 in_body(const placed *s, int body, er_vec3 x)
{
    return er_v3_madd(s->figure->shift, s->figure->scale, er_pose_point(model_frame(s->m, s->figure->pose, body), x));
}

// A point of the world at equilibrium, carried by a body; the world itself stays.
static er_vec3 carried(const placed *s, int body, er_vec3 x)
{
    if (body >= 0) x = er_pose_point(model_displacement(s->m, s->figure->pose, body), x);
    return er_v3_madd(s->figure->shift, s->figure->scale, x);
}

static void bone_colour(const placed *s, int body, float rgb[3])
{
    const draw_style *style = &s->painter->style;
    for (int k = 0; k < 3; ++k)
        rgb[k] = body == s->figure->selected ? style->selected[k] : style->bone[k] * s->figure->tint[k];
}

static void add_links(const placed *s)
{
    const er_model *model = s->m->model;
    float rgba[4] = {0, 0, 0, 0.8f * s->figure->opacity};
    for (int b = 0; b < model->body_count; ++b) {
        int parent = model->tree_parent[b];
        if (parent < 0) continue;
        er_vec3 from = in_body(s, parent, s->m->tip[parent]), to = in_body(s, b, s->m->head[b]);
        if (er_v3_distance(from, to) < 0.02 * s->size) continue;
        bone_colour(s, -2, rgba);
        add_line(s->painter, from, to, rgba, 2.0, 0.0);
    }
}

static void add_bones(const placed *s)
{
    const er_model *model = s->m->model;
    for (int b = 0; b < model->body_count; ++b) {
        float rgb[3];
        er_pose frame = model_frame(s->m, s->figure->pose, b);
        er_vec3 head = in_body(s, b, s->m->head[b]), tip = in_body(s, b, s->m->tip[b]);
        double length = er_v3_distance(head, tip);
        double half_width = fmin(0.12 * length, 0.045 * s->size);
        double ball = fmin(fmax(0.055 * length, 0.004 * s->size), 0.013 * s->size);
        bone_colour(s, b, rgb);
        add_bone(s->painter, s->layer, head, tip, er_q_rotate(frame.q, er_v3(0, 0, 1)), half_width, rgb,
                 s->figure->opacity);
        add_ball(s->painter, s->layer, SHAPE_BALL, (er_pose){frame.q, head}, ball, rgb, s->figure->opacity);
    }
}

// Short where bones are.
static double axis_length(const placed *s, int body)
{
    double bone = er_v3_distance(s->m->head[body], s->m->tip[body]);
    return fmin(fmax(0.5 * bone, 0.015 * s->size), 0.075 * s->size);
}

static void add_axes(const placed *s)
{
    const er_model *model = s->m->model;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int free[6], count = er_joint_type_freedom(j->type, free);
        er_pose frame = er_pose_mul(model_displacement(s->m, s->figure->pose, j->child), j->frame);
        frame.p = er_v3_madd(s->figure->shift, s->figure->scale, frame.p);
        for (int a = 0; a < 3; ++a) {
            bool is_free = false;
            for (int i = 0; i < count; ++i)
                is_free |= free[i] % 3 == a;
            static const float held[4] = {0.5f, 0.5f, 0.5f, 0.5f};
            double length = (is_free ? 1.0 : 0.5) * axis_length(s, j->child);
            er_vec3 along = er_q_rotate(frame.q, er_v3(a == 0, a == 1, a == 2));
            add_line(s->painter, frame.p, er_v3_madd(frame.p, length, along), is_free ? axis_colour[a] : held,
                     is_free ? 2.0 : 1.0, 0.0);
        }
    }
}

// From where a bone leads, to an anchor elsewhere.
static void add_loop_line(const placed *s, int body, er_vec3 anchor, const float colour[4])
{
    er_vec3 head = in_body(s, body, s->m->head[body]), tip = in_body(s, body, s->m->tip[body]);
    er_vec3 from = er_v3_distance(head, anchor) < er_v3_distance(tip, anchor) ? head : tip;
    if (er_v3_distance(from, anchor) > 0.02 * s->size) add_line(s->painter, from, anchor, colour, 2.0, 6.0);
}

// A loop's joint: the anchors of its two bodies, which are one place unless the loop gapes.
static void add_loops(const placed *s)
{
    static const float colour[4] = {0.93f, 0.36f, 0.62f, 1.0f};
    const er_model *model = s->m->model;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (!j->closes_loop) continue;
        const int end[2] = {j->parent, j->child};
        er_vec3 anchor[2];
        for (int e = 0; e < 2; ++e) {
            anchor[e] = carried(s, end[e], j->frame.p);
            if (end[e] >= 0) add_loop_line(s, end[e], anchor[e], colour);
            add_ball(s->painter, LAYER_OVER, SHAPE_BALL, (er_pose){er_q_identity(), anchor[e]}, 0.018 * s->size, colour,
                     s->figure->opacity);
        }
        add_line(s->painter, anchor[0], anchor[1], colour, 2.0, 6.0);
    }
}

static void add_mass_centre(const placed *s)
{
    enum { STEPS = 32 };
    static const float light[3] = {0.98f, 0.98f, 0.96f};
    const er_model *model = s->m->model;
    const float *top = s->painter->style.wire;
    const float colour[4] = {top[0], top[1], top[2], 0.85f};
    er_vec3 sum = {0}, up = s->m->up;
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        sum = er_v3_madd(sum, model->body[b].mass, in_body(s, b, model->body[b].com));
        mass += model->body[b].mass;
    }
    er_vec3 centre = er_v3_scale(1.0 / mass, sum), side = er_v3_perpendicular(up), other = er_v3_cross(up, side);
    double drop = er_v3_dot(er_v3_sub(centre, s->figure->shift), up) - s->figure->scale * s->m->rest.floor;
    er_vec3 foot = er_v3_madd(centre, -drop, up), last = er_v3_madd(foot, 0.05 * s->size, side);
    er_pose frame = {er_q_conj(er_q_upright(up)), centre};
    add_ball(s->painter, LAYER_OVER, SHAPE_MASS, frame, 0.03 * s->size, light, 1.0f);
    add_line(s->painter, centre, foot, colour, 1.5, 5.0);
    for (int i = 1; i <= STEPS; ++i) {
        double angle = 2.0 * ER_PI * i / STEPS, r = 0.05 * s->size;
        er_vec3 next = er_v3_madd(er_v3_madd(foot, r * cos(angle), side), r * sin(angle), other);
        add_line(s->painter, last, next, colour, 1.5, 0.0);
        last = next;
    }
}

void skeleton_add(painter *p, const draw_model *m, const draw_figure *f)
{
    const draw_style *style = &p->style;
    placed s = {p, m, f, f->opacity < 1.0f ? LAYER_GHOST : LAYER_SOLID, f->scale * m->rest.radius};
    if (style->skeleton) add_bones(&s);
    if (style->skeleton) add_links(&s);
    if (style->skeleton && style->loops) add_loops(&s);
    if (style->axes) add_axes(&s);
    if (style->mass_centre) add_mass_centre(&s);
}
