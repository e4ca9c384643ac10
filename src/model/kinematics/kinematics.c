// The exact poses of a displacement: down the tree, loops closed, centres of mass put back.
#include "model/kinematics/kinematics.h"

#include <string.h>

// --- the tree as constants

static void set_placements(er_kinematics *k)
{
    const er_model *model = k->model;
    k->width = model->coordinate_count;
    eri_tree_begin(&k->tree, model, NULL, NULL);
    eri_tree_grow(&k->tree, -1, ERI_BREADTH_FIRST);
    for (int b = 0; b < model->body_count; ++b) {
        if (model->tree_joint[b] >= 0) continue;
        k->placement[k->tree.link_count].first = k->width;
        k->width += 6;
        eri_tree_grow(&k->tree, b, ERI_BREADTH_FIRST);
    }
    for (int i = 0; i < model->body_count; ++i) {
        const eri_link *l = &k->tree.link[i];
        er_pose rest = model->body[l->body].pose, frame = l->joint >= 0 ? model->joint[l->joint].frame : rest;
        er_pose hold = l->above >= 0 ? er_pose_inverse(model->body[l->above].pose) : er_pose_identity();
        k->placement[i] = (eri_placement){.first = l->joint >= 0 ? l->coordinate : k->placement[i].first,
                                          .group = -1,
                                          .before = er_pose_mul(hold, frame),
                                          .after = er_pose_mul(er_pose_inverse(frame), rest),
                                          .frame = frame};
    }
}

static er_result set_units(er_kinematics *k)
{
    er_result r = ER_OK;
    const er_model *model = k->model;
    ERI_TRY_NEW(k->unit, k->arena, double, k->width);
    ERI_TRY_NEW(k->closing, k->arena, bool, k->width);
    for (int j = 0; j < model->joint_count; ++j) {
        int axis[6], count = er_joint_type_freedom(model->joint[j].type, axis);
        for (int i = 0; i < count; ++i) {
            k->unit[model->coordinate[j] + i] = axis[i] < 3 ? 1.0 : model->size;
            k->closing[model->coordinate[j] + i] = model->joint[j].closes_loop;
        }
    }
    for (int c = model->coordinate_count; c < k->width; ++c)
        k->unit[c] = (c - model->coordinate_count) % 6 < 3 ? 1.0 : model->size;
done:
    return r;
}

er_result er_kinematics_create(er_context *context, const er_model *model, er_kinematics **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_kinematics_create needs a model");
    er_result r = ER_OK;
    er_kinematics *k;
    er_arena *arena = NULL, *scratch = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(k, arena, er_kinematics, 1);
    *k = (er_kinematics){.model = model, .arena = arena, .scratch = scratch};
    ERI_TRY(eri_tree_reserve(arena, scratch, model->body_count, model->joint_count, &k->tree));
    ERI_TRY_NEW(k->placement, arena, eri_placement, model->body_count);
    set_placements(k);
    ERI_TRY(set_units(k));
    ERI_TRY(eri_kinematics_set_groups(k));
    ERI_TRY_NEW(k->root, arena, er_pose, model->body_count);
    ERI_TRY_NEW(k->twist, arena, double, 6 * (size_t)model->body_count);
    if (model->loop_count > 0) ERI_TRY(eri_kinematics_weigh(k, context));
    ERI_TRY(eri_frames64_create(arena, k, &k->frames64));
    eri_arena_reset(scratch);
    *out = k;
    arena = scratch = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_kinematics_destroy(er_kinematics *k)
{
    if (k == NULL) return;
    eri_arena_destroy(k->scratch);
    eri_arena_destroy(k->arena);
}

int er_kinematics_width(const er_kinematics *k)
{
    return k->width;
}

// --- poses

void eri_kinematics_settle(er_kinematics *k, er_pose *pose)
{
    for (int g = 0; g < k->group_count; ++g)
        k->drift[g] = er_v3_scale(-1.0, k->group_centre[g]);
    for (int i = 0; i < k->model->body_count; ++i) {
        const int b = k->tree.link[i].body, g = k->placement[i].group;
        const er_body *body = &k->model->body[b];
        if (g >= 0)
            k->drift[g] = er_v3_madd(k->drift[g], body->mass / k->group_mass[g], er_pose_point(pose[b], body->com));
    }
    for (int i = 0; i < k->model->body_count; ++i) {
        const int b = k->tree.link[i].body, g = k->placement[i].group;
        if (g >= 0) pose[b].p = er_v3_sub(pose[b].p, k->drift[g]);
    }
}

er_result er_kinematics_pose(er_kinematics *k, double *x, er_pose *pose)
{
    if (k == NULL) return ER_ERROR_ARGUMENT;
    er_context *context = eri_arena_context(k->arena);
    if (x == NULL || pose == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_kinematics_pose needs a displacement and a place for the poses");
    for (int i = 0; i < k->width; ++i)
        if (!(fabs(x[i]) <= 1e9))
            return er_fail(context, ER_ERROR_ARGUMENT, "displacement %g of coordinate %d is not within 1e9", x[i], i);
    eri_kinematics_open(k, x, pose);
    er_result r = eri_kinematics_closes(k) ? eri_kinematics_close(k, x, pose) : ER_OK;
    if (r == ER_OK) eri_kinematics_settle(k, pose);
    return r;
}

// --- to first order

void er_kinematics_twists(er_kinematics *k, const double *x, double *twist)
{
    const er_model *model = k->model;
    for (int i = 0; i < model->body_count; ++i) {
        const eri_link *l = &k->tree.link[i];
        const eri_placement *c = &k->placement[i];
        int axis[6], count = er_joint_type_freedom(l->type, axis);
        double rate[6] = {0};
        for (int a = 0; a < count; ++a)
            rate[axis[a]] = x[c->first + a];
        if (l->pitch != 0.0) rate[5] = l->pitch * rate[2];
        double sign = l->inverse ? -1.0 : 1.0;
        er_twist joint = {er_v3(sign * rate[0], sign * rate[1], sign * rate[2]),
                          er_v3(sign * rate[3], sign * rate[4], sign * rate[5])};
        // from the joint's frame to the body's, and what the body it hangs on has
        er_twist v = er_twist_transform(er_pose_inverse(c->after), joint);
        if (l->above >= 0) {
            const double *u = twist + 6 * (ptrdiff_t)l->above;
            er_pose between = er_pose_mul(er_pose_inverse(model->body[l->body].pose), model->body[l->above].pose);
            er_twist carried = er_twist_transform(between, (er_twist){{u[0], u[1], u[2]}, {u[3], u[4], u[5]}});
            v.angular = er_v3_add(v.angular, carried.angular);
            v.linear = er_v3_add(v.linear, carried.linear);
        }
        const double all[6] = {v.angular.x, v.angular.y, v.angular.z, v.linear.x, v.linear.y, v.linear.z};
        memcpy(twist + 6 * (ptrdiff_t)l->body, all, sizeof all);
    }
}

void er_kinematics_linear(er_kinematics *k, const double *x, er_pose *pose)
{
    const er_model *model = k->model;
    er_kinematics_twists(k, x, k->twist);
    for (int b = 0; b < model->body_count; ++b) {
        const double *v = k->twist + 6 * (ptrdiff_t)b;
        er_pose rest = model->body[b].pose;
        pose[b].q = er_q_mul(rest.q, er_q_exp(er_v3(v[0], v[1], v[2])));
        pose[b].p = er_v3_add(rest.p, er_q_rotate(rest.q, er_v3(v[3], v[4], v[5])));
    }
}
