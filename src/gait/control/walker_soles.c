// Soles: the points of a foot's shapes on which it stands.
#include "gait/control/walker.h"

#define FLAT 0.04 // legs: points so far above the lowest one belong to the sole,
#define TILT 0.05 // or up to so steep a way from it

// Lowest points of shapes, or corners of soles, of all feet.
typedef struct points {
    int count, room;
    int *body;
    er_vec3 *at; // model's axes, at equilibrium
} points;

static void add_point(points *p, int body, er_vec3 at)
{
    p->body[p->count] = body;
    p->at[p->count++] = at;
}

static int room_of(const er_shape *s)
{
    return s->kind == ER_SHAPE_HULL ? s->hull->vertex_count : s->kind == ER_SHAPE_BOX ? 8 : 2;
}

static void add_shape(const er_walker *w, const er_body_shape *s, points *p)
{
    er_pose pose = er_pose_mul(w->model->body[s->body].pose, s->pose);
    const er_shape *shape = &s->shape;
    for (int k = 0; k < room_of(shape); ++k) {
        er_vec3 at = er_v3(0, 0, (k & 1 ? 0.5 : -0.5) * (shape->kind == ER_SHAPE_SPHERE ? 0.0 : shape->length));
        if (shape->kind == ER_SHAPE_HULL) at = shape->hull->vertex[k];
        if (shape->kind == ER_SHAPE_BOX)
            at = er_v3(k & 1 ? shape->half.x : -shape->half.x, k & 2 ? shape->half.y : -shape->half.y,
                       k & 4 ? shape->half.z : -shape->half.z);
        bool round = shape->kind != ER_SHAPE_HULL && shape->kind != ER_SHAPE_BOX;
        add_point(p, s->body, er_v3_madd(er_pose_point(pose, at), round ? -shape->radius : 0.0, w->up));
    }
}

static er_result list_points(er_walker *w, points *p)
{
    er_result r = ER_OK;
    const er_gait_body *body = w->def.body;
    const er_rig_shapes *shapes = w->def.shapes;
    for (int i = 0; i < w->leg_count; ++i)
        p->room += body->foot[i].point_count + 1;
    for (int k = 0; shapes != NULL && k < shapes->count; ++k)
        p->room += room_of(&shapes->shape[k].shape);
    ERI_TRY_NEW(p->body, w->arena, int, p->room);
    ERI_TRY_NEW(p->at, w->arena, er_vec3, p->room);
    for (int k = 0; shapes != NULL && k < shapes->count; ++k)
        if (w->body[shapes->shape[k].body].foot >= 0) add_shape(w, &shapes->shape[k], p);
done:
    return r;
}

static bool has_points(const er_walker *w, const points *p, int foot)
{
    for (int k = 0; k < p->count; ++k)
        if (w->body[p->body[k]].foot == foot) return true;
    return false;
}

// Whether a point is low enough to bear when the foot's lowest one does.
static bool is_low(const er_walker *w, er_vec3 at, er_vec3 lowest)
{
    er_vec3 off = er_v3_sub(at, lowest);
    double up = er_v3_dot(off, w->up), along = er_v3_norm(er_v3_madd(off, -up, w->up));
    return up <= fmax(FLAT * w->leg_length, TILT * along);
}

// Chooses among a foot's low points those farthest towards four sides.
static void choose_points(er_walker *w, const points *p, int foot)
{
    eri_walk_leg *leg = &w->leg[foot];
    int at[ERI_WALK_POINTS] = {0};
    double low = HUGE_VAL;
    er_vec3 lowest = er_v3(0, 0, 0);
    for (int k = 0; k < p->count; ++k)
        if (w->body[p->body[k]].foot == foot && er_v3_dot(p->at[k], w->up) < low)
            low = er_v3_dot(p->at[k], w->up), lowest = p->at[k];
    for (int side = 0; side < ERI_WALK_POINTS; ++side) {
        double best = -HUGE_VAL;
        for (int k = 0; k < p->count; ++k) {
            if (w->body[p->body[k]].foot != foot || !is_low(w, p->at[k], lowest)) continue;
            double ahead = er_v3_dot(p->at[k], w->forward), aside = er_v3_dot(p->at[k], w->left);
            double far = (side & 2 ? -ahead : ahead) + (side & 1 ? -aside : aside);
            if (far > best + 1e-9 * w->leg_length) best = far, at[side] = k;
        }
        bool known = false;
        for (int k = 0; k < side; ++k)
            known |= at[k] == at[side];
        if (known) continue;
        int body = p->body[at[side]];
        leg->point_body[leg->point_count] = body;
        leg->point[leg->point_count++] = er_pose_point_inverse(w->model->body[body].pose, p->at[at[side]]);
    }
}

er_result eri_walk_read_soles(er_walker *w)
{
    er_result r = ER_OK;
    points p = {0};
    ERI_TRY(list_points(w, &p));
    for (int i = 0; i < w->leg_count; ++i) {
        const er_gait_foot *foot = &w->def.body->foot[i];
        if (!has_points(w, &p, i))
            for (int k = 0; k < foot->point_count; ++k)
                if (w->body[foot->point_body[k]].foot == i) add_point(&p, foot->point_body[k], foot->point[k]);
        if (!has_points(w, &p, i)) // its sole is elsewhere in the rig
            add_point(&p, foot->body, er_pose_point(w->model->body[foot->body].pose, foot->heel));
        choose_points(w, &p, i);
        eri_walk_leg *leg = &w->leg[i];
        leg->ankle = er_v3_sub(er_pose_point(w->model->body[leg->body].pose, leg->heel), eri_walk_sole(leg, w->rest));
    }
done:
    return r;
}
