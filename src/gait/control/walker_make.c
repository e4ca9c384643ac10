// A walker's creation: what it reads of the model, the body and the gait.
#include "gait/control/walker.h"

#include <string.h>

enum { SPARSELY = 8 }; // frames of the gait to the next that is looked at

#define TURN_LENGTH 0.3 // legs
#define LOW 0.08        // legs: leg bodies so near the ground count as feet

er_walker_def er_default_walker_def(void)
{
    return (er_walker_def){.friction = 0.6,
                           .torque = 3.0,
                           .duty = 0.5,
                           .lowering = 0.07,
                           .clearance = 0.12,
                           .width = 1.0,
                           .style = 0.7,
                           .place = er_pose_identity(),
                           .scale = 1.0,
                           .weight = 1.0,
                           .tag = ER_DEF_TAG};
}

static er_result check(er_context *context, const er_walker_def *def)
{
    if (def == NULL || def->tag != ER_DEF_TAG || def->model == NULL || def->body == NULL || def->motion == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a walker needs a def made by er_default_walker_def(), with a model, its body and a motion");
    if (def->motion->model != def->model || def->motion->foot_count != def->body->foot_count || def->motion->once)
        return er_fail(context, ER_ERROR_ARGUMENT, "the motion is not one stride of the walker's model");
    const double range[][3] = {{def->speed, 1e-9, 1e6},         {def->hz, 1e-9, 1e4},      {def->friction, 1e-3, 1e3},
                               {def->torque, 1e-6, 1e9},        {def->duty, 1e-3, 0.999},  {def->lowering, 0.0, 0.5},
                               {def->clearance, 0.0, 0.5},      {def->width, 1e-3, 1e3},   {def->even, 0.0, 1.0},
                               {def->style, 0.0, 1.0},          {def->floor, -1e50, 1e50}, {def->first_body, 0, 1e9},
                               {def->first_coordinate, 0, 1e9}, {def->scale, 1e-6, 1e6},   {def->weight, 1e-6, 1e6},
                               {def->gravity, 0.0, 1e6}};
    const char *const name[] = {"speed",  "hz",     "friction", "torque", "duty",       "lowering",         "clearance",
                                "width",  "even",   "style",    "floor",  "first_body", "first_coordinate", "scale",
                                "weight", "gravity"};
    for (size_t i = 0; i < ERI_COUNT(range); ++i)
        if (!(range[i][0] >= range[i][1] && range[i][0] <= range[i][2]))
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: %g is not between %g and %g", name[i], range[i][0],
                           range[i][1], range[i][2]);
    if (!er_v3_finite(def->place.p) || !(fabs(er_q_dot(def->place.q, def->place.q) - 1.0) <= 1e-3))
        return er_fail(context, ER_ERROR_ARGUMENT, "place: its numbers are not finite, or its quaternion is not unit");
    if (def->body->foot_count == 0) return er_fail(context, ER_ERROR_RIG, "a walker needs feet, and the rig has none");
    return ER_OK;
}

// ---- The tree

static er_result find_root(er_walker *w)
{
    const er_model *m = w->model;
    int b = w->def.body->foot[0].trunk;
    while (m->tree_parent[b] >= 0)
        b = m->tree_parent[b];
    w->root = b;
    if (m->tree_joint[b] >= 0 && m->joint[m->tree_joint[b]].type != ER_JOINT_FREE)
        return er_fail(w->context, ER_ERROR_RIG, "\"%s\" is joined to the world and cannot walk", m->body[b].name);
    return ER_OK;
}

static er_result read_joint(er_walker *w, int i)
{
    const er_model *m = w->model;
    eri_walk_body *b = &w->body[i];
    if (b->parent < 0) return ER_OK;
    const er_joint *j = &m->joint[m->tree_joint[i]];
    if (j->child != i)
        return er_fail(w->context, ER_ERROR_RIG,
                       "joint \"%s\": its child is nearer to the root; exchange parent and child", j->name);
    er_pose far = er_pose_mul(er_pose_inverse(m->body[i].pose), j->frame);
    int axis[6], count = er_joint_type_freedom(j->type, axis);
    b->anchor = far.p;
    b->near = er_q_mul(er_q_conj(m->body[b->parent].pose.q), j->frame.q);
    b->far = far.q;
    b->universal = j->type == ER_JOINT_UNIVERSAL;
    for (int c = 0; c < count; ++c) {
        if (axis[c] >= 3) continue;
        b->axis_of[b->turns] = axis[c];
        b->coordinate[b->turns++] = c;
    }
    return ER_OK;
}

static er_result read_tree(er_walker *w)
{
    er_result r = ER_OK;
    const er_model *m = w->model;
    ERI_TRY_NEW(w->body, w->arena, eri_walk_body, m->body_count);
    ERI_TRY_NEW(w->order, w->arena, int, m->body_count);
    ERI_TRY_NEW(w->ground, w->arena, er_wrench, m->body_count);
    ERI_TRY_NEW(w->rest, w->arena, er_pose, m->body_count);
    for (int b = 0; b < m->body_count; ++b)
        w->rest[b] = m->body[b].pose;
    ERI_TRY(find_root(w));
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i], parent = m->tree_parent[b];
        eri_walk_body *body = &w->body[b];
        *body = (eri_walk_body){.parent = parent,
                                .joint = m->tree_joint[b],
                                .leg = -1,
                                .foot = -1,
                                .mass = m->body[b].mass,
                                .com = m->body[b].com,
                                .moment = m->body[b].inertia,
                                .heavy = m->body[b].mass};
        bool ours = b == w->root || (parent >= 0 && w->body[parent].all > 0.0);
        if (!ours) continue;
        body->all = 1.0; // marks the tree
        w->order[w->body_count++] = b;
        w->mass += body->mass;
        if (b == w->root) body->parent = -1;
        ERI_TRY(read_joint(w, b));
    }
    for (int i = w->body_count - 1; i > 0; --i)
        w->body[w->body[w->order[i]].parent].heavy += w->body[w->order[i]].heavy;
done:
    return r;
}

// ---- Legs

static er_result read_leg(er_walker *w, int i)
{
    er_result r = ER_OK;
    const er_gait_foot *foot = &w->def.body->foot[i];
    eri_walk_leg *leg = &w->leg[i];
    *leg = (eri_walk_leg){.body = foot->body,
                          .mirror = foot->mirror,
                          .flat = foot->flat,
                          .heel = foot->heel,
                          .rest = foot->rest,
                          .reach = foot->reach};
    for (int b = foot->body; b >= 0 && b != foot->trunk; b = w->body[b].parent)
        ++leg->count;
    ERI_TRY_NEW(leg->chain, w->arena, int, leg->count);
    int k = leg->count, b = foot->body;
    for (; k > 0; b = w->body[b].parent) {
        leg->chain[--k] = b;
        w->body[b].leg = i;
    }
    if (b != foot->trunk || w->body[leg->chain[0]].parent < 0)
        return er_fail(w->context, ER_ERROR_RIG, "the leg of \"%s\" holds the root of the rig, which must be above it",
                       w->model->body[foot->body].name);
    w->body[foot->body].foot = i;
    for (int p = 0; p < foot->point_count; ++p)
        if (w->body[foot->point_body[p]].foot < 0) w->body[foot->point_body[p]].foot = i;
done:
    return r;
}

// Leg bodies as low as a foot bear weight as it does.
static void find_low_bodies(er_walker *w)
{
    const er_rig_shapes *shapes = w->def.shapes;
    for (int k = 0; shapes != NULL && k < shapes->count; ++k) {
        er_rig_shapes one = *shapes;
        eri_walk_body *b = &w->body[shapes->shape[k].body];
        one.count = 1;
        one.shape = &shapes->shape[k];
        if (b->leg < 0 || b->foot >= 0) continue;
        if (er_rig_shapes_lowest(&one, w->rest, w->up) < w->def.body->ground + LOW * w->leg_length) b->foot = b->leg;
    }
}

// Shapes that reach the ground in the gait, with its hips lowered, though they are not a foot's.
static er_result find_dragging(er_walker *w)
{
    er_result r = ER_OK;
    const er_rig_shapes *shapes = w->def.shapes;
    ERI_TRY_NEW(w->drags, w->arena, bool, shapes != NULL ? shapes->count : 0);
    for (int k = 0; shapes != NULL && k < shapes->count; ++k) {
        er_rig_shapes one = *shapes;
        double low = HUGE_VAL;
        one.count = 1;
        one.shape = &shapes->shape[k];
        for (int f = 0; f < w->frame_count; f += SPARSELY)
            low = fmin(
                low, er_rig_shapes_lowest(&one, w->def.motion->pose + (size_t)f * (size_t)w->model->body_count, w->up));
        w->drags[k] =
            low - w->def.lowering * w->leg_length < w->def.body->ground && w->body[shapes->shape[k].body].foot < 0;
    }
done:
    return r;
}

bool er_walker_drags(const er_walker *walker, int shape)
{
    return walker->drags[shape];
}

static er_result read_legs(er_walker *w)
{
    er_result r = ER_OK;
    w->leg_count = w->def.body->foot_count;
    ERI_TRY_NEW(w->leg, w->arena, eri_walk_leg, w->leg_count);
    ERI_TRY_NEW(w->edge, w->arena, eri_walk_edge, (size_t)w->leg_count * ERI_WALK_PUSHES);
    for (int i = 0; i < w->leg_count; ++i)
        ERI_TRY(read_leg(w, i));
    for (int i = 1; i < w->body_count; ++i) { // what hangs on a foot is of it
        eri_walk_body *b = &w->body[w->order[i]];
        if (b->foot < 0 && b->leg < 0) b->foot = w->body[b->parent].foot;
    }
    ERI_TRY(eri_walk_read_soles(w));
    find_low_bodies(w);
    ERI_TRY(find_dragging(w));
done:
    return r;
}

// The trunk is the centroid of the tree: without it the heaviest part left is lightest. Legs are left out.
static void find_trunk(er_walker *w)
{
    double least = HUGE_VAL;
    for (int i = 0; i < w->body_count; ++i) {
        int at = w->order[i];
        double most = w->mass - w->body[at].heavy;
        for (int k = 1; k < w->body_count; ++k) {
            const eri_walk_body *child = &w->body[w->order[k]];
            if (child->parent == at) most = fmax(most, child->heavy);
        }
        bool leg = w->body[at].leg >= 0 || w->body[at].foot >= 0;
        if (!leg && most < least) least = most, w->trunk = at;
    }
}

// ---- Together

static er_result make_memory(er_walker *w)
{
    w->memory_size = sizeof *w->memory + (size_t)w->leg_count * sizeof *w->memory_step;
    char *bytes = ERI_NEW(w->arena, char, w->memory_size);
    if (bytes == NULL) return ER_ERROR_MEMORY;
    w->memory = (eri_walk_memory *)bytes;
    w->memory_step = (eri_walk_step *)(bytes + sizeof *w->memory);
    return ER_OK;
}

static void take_sizes(er_walker *w)
{
    const er_gait_body *body = w->def.body;
    w->up = body->up, w->forward = body->forward, w->left = body->left;
    w->g = body->gravity;
    w->leg_length = body->leg;
    w->turn_length = TURN_LENGTH * body->leg;
    w->stride = 1.0 / w->def.hz;
    w->speed = w->def.speed;
    w->frame_count = w->def.motion->frame_count - 1;
}

er_result er_walker_create(er_context *context, const er_walker_def *def, er_walker **out)
{
    er_arena *arena = NULL;
    *out = NULL;
    er_result r = check(context, def);
    if (r != ER_OK) return r;
    er_walker *w = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(w, arena, er_walker, 1);
    *w = (er_walker){.context = context, .arena = arena, .def = *def, .model = def->model};
    take_sizes(w);
    ERI_TRY(read_tree(w));
    ERI_TRY(read_legs(w));
    find_trunk(w);
    ERI_TRY(make_memory(w));
    ERI_TRY(eri_walk_read_gait(w, def->motion));
    ERI_TRY_NEW(w->plan, w->arena, eri_walk_plan, ERI_WALK_PHASES);
    eri_walk_read_footfalls(w, def->motion);
    w->height = w->gait_height - def->body->ground - def->lowering * w->leg_length;
    if (!(w->height > 0.0)) {
        r = er_fail(context, ER_ERROR_RIG, "the centre of mass is at the ground: the rig cannot walk");
        goto done;
    }
    ERI_TRY(eri_walk_make_stand(w));
    eri_walk_settle(w);
    eri_walk_make_bounce(w);
    ERI_TRY(eri_walk_make_limp(w));
    ERI_TRY(eri_walk_make_motors(w));
    w->def.body = NULL; // no longer borrowed
    w->def.motion = NULL;
    w->def.shapes = NULL;
done:
    if (r != ER_OK && w != NULL) er_model_destroy(w->limp);
    if (r != ER_OK) eri_arena_destroy(arena);
    if (r == ER_OK) *out = w;
    return r;
}

void er_walker_destroy(er_walker *walker)
{
    if (walker == NULL) return;
    er_model_destroy(walker->limp);
    eri_arena_destroy(walker->arena);
}

const er_model *er_walker_model(const er_walker *walker)
{
    return walker->limp;
}

const er_motor *er_walker_motors(const er_walker *walker, int *count)
{
    *count = walker->motor_count;
    return walker->motor;
}

int er_walker_trunk(const er_walker *walker)
{
    return walker->trunk;
}

int er_walker_foot_of(const er_walker *walker, int body)
{
    return walker->body[body].foot;
}

double er_walker_step(const er_walker *walker)
{
    return walker->longest;
}

double er_walker_stride(const er_walker *walker)
{
    return walker->stride;
}
