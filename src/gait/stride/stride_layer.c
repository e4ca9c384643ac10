// Repeats a gait's strides and adds a mix; feet keep the places of the gait.
#include <string.h>

#include "gait/stride/reach.h"

typedef struct layerer {
    er_context *context;
    const er_gait_motion *base;
    const er_gait_body *body;
    const er_model *model;
    er_motion *mix;     // NULL: none
    const double *over; // [count x coordinate_count]; NULL: none
    bool *leg;          // [joint_count]
    er_arena *arena, *scratch;
    er_kinematics *kinematics;
    int strides, count; // frames of all strides, the last, which is the first again, aside
    double *x, *more;   // [width]
    er_pose *root;      // [body_count]
    er_gait_motion *out;
    double *time, *q;
    er_pose *pose;
    er_vec3 *travel;
    bool *stands;
} layerer;

static er_result make_room(layerer *l)
{
    er_result r = ER_OK;
    const er_gait_motion *b = l->base;
    size_t frames = (size_t)l->count + 1, bodies = (size_t)l->model->body_count;
    ERI_TRY_NEW(l->out, l->arena, er_gait_motion, 1);
    ERI_TRY_NEW(l->time, l->arena, double, frames);
    ERI_TRY_NEW(l->q, l->arena, double, frames *(size_t)l->model->coordinate_count);
    ERI_TRY_NEW(l->stands, l->arena, bool, frames *(size_t)b->foot_count);
    ERI_TRY_NEW(l->pose, l->arena, er_pose, frames * bodies);
    ERI_TRY_NEW(l->travel, l->arena, er_vec3, frames);
    ERI_TRY_NEW(l->root, l->scratch, er_pose, bodies);
    ERI_TRY_NEW(l->x, l->scratch, double, l->kinematics->width);
    ERI_TRY_NEW(l->more, l->scratch, double, l->kinematics->width);
done:
    return r;
}

// The bodies to hold: feet, and the bodies planted besides.
static er_result hold_bodies(layerer *l, int count, const er_hold *plant)
{
    er_result r = ER_OK;
    er_hold *hold;
    int held = 0, feet = l->base->foot_count;
    ERI_TRY_NEW(hold, l->scratch, er_hold, feet + count);
    for (int f = 0; f < feet; ++f)
        hold[held++] = eri_gait_hold_of(&l->body->foot[f]);
    for (int i = 0; i < count; ++i) {
        bool foot = false;
        for (int f = 0; f < feet; ++f)
            foot |= l->body->foot[f].body == plant[i].body || l->body->foot[f].sole == plant[i].body;
        if (!foot) hold[held++] = plant[i];
    }
    if (held > 0)
        r = eri_kinematics_hold(l->kinematics, l->context, held, hold,
                                2.0 * ER_PI / l->base->time[l->base->frame_count - 1]);
done:
    return r;
}

static er_result find_legs(layerer *l)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(l->leg, l->scratch, bool, l->model->joint_count);
    for (int f = 0; f < l->base->foot_count; ++f) {
        const er_gait_foot *foot = &l->body->foot[f];
        for (int k = 0; k < foot->joint_count; ++k)
            l->leg[foot->joint[k]] = true;
        for (int b = 0; b < l->model->body_count; ++b) // toes, and soles that hang elsewhere
            if (l->model->tree_joint[b] >= 0 &&
                (eri_hangs_on(l->model, foot->body, b) || eri_hangs_on(l->model, foot->sole, b)))
                l->leg[l->model->tree_joint[b]] = true;
    }
done:
    return r;
}

// Replaces the coordinates of all joints but those of the legs.
static void put_over(layerer *l, int frame)
{
    const int *coordinate = l->model->coordinate;
    const double *row = l->over + (size_t)frame * (size_t)l->model->coordinate_count;
    for (int j = 0; j < l->model->joint_count; ++j)
        for (int c = coordinate[j]; !l->leg[j] && c < coordinate[j + 1]; ++c)
            l->x[c] = row[c];
}

// Soles elsewhere in the rig stay with their legs, where the gait put them.
static void keep_soles(const layerer *l, const er_pose *from, er_pose *pose)
{
    for (int f = 0; f < l->base->foot_count; ++f) {
        const er_gait_foot *foot = &l->body->foot[f];
        for (int b = 0; b < l->model->body_count && foot->sole != foot->body; ++b)
            if (eri_hangs_on(l->model, foot->sole, b)) pose[b] = from[b];
    }
}

static er_result lay(layerer *l, int frame)
{
    er_result r = ER_OK;
    size_t bodies = (size_t)l->model->body_count;
    const er_pose *from = l->base->pose + (size_t)(frame % (l->base->frame_count - 1)) * bodies;
    er_pose *pose = l->pose + (size_t)frame * bodies;
    memcpy(pose, from, bodies * sizeof *pose);
    eri_pose_coordinates(l->model, from, l->root, l->x);
    if (l->over != NULL) put_over(l, frame);
    if (l->mix != NULL) {
        ERI_TRY(er_motion_poses(l->mix, 1, &l->time[frame], l->more, NULL));
        for (int c = 0; c < l->kinematics->width; ++c)
            l->x[c] += l->more[c];
    }
    if (l->mix != NULL || l->over != NULL) {
        l->kinematics->goal = from;
        eri_kinematics_open(l->kinematics, l->x, pose);
        if (eri_kinematics_closes(l->kinematics)) ERI_TRY(eri_kinematics_close(l->kinematics, l->x, pose));
        keep_soles(l, from, pose);
    }
    memcpy(l->q + (size_t)frame * (size_t)l->model->coordinate_count, l->x,
           (size_t)l->model->coordinate_count * sizeof *l->q);
done:
    return r;
}

// Time, travel and stances of each frame.
static void set_frames(layerer *l)
{
    const er_gait_motion *b = l->base;
    int n = b->frame_count - 1;
    for (int i = 0; i <= l->count; ++i) {
        int at = i % n, gone = i / n;
        l->time[i] = gone * b->time[n] + b->time[at];
        l->travel[i] = er_v3_madd(b->travel[at], gone, b->travel[n]);
        memcpy(l->stands + i * b->foot_count, b->stands + at * b->foot_count,
               (size_t)b->foot_count * sizeof *l->stands);
    }
}

static er_result check(er_context *context, const er_gait_motion *motion, const er_gait_body *body, int strides,
                       const er_motion *mix, int plant_count, const er_hold *plant)
{
    if (motion == NULL || body == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_layer needs a gait's motion and its body");
    if (strides < 1 || strides > 10000 || (double)strides * motion->frame_count > 1e6)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d strides of %d frames are too many, or none", strides,
                       motion->frame_count - 1);
    if (mix != NULL && mix->model != motion->model)
        return er_fail(context, ER_ERROR_ARGUMENT, "the mix is of another model than the gait");
    return eri_holds_check(context, motion->model, plant_count, plant);
}

er_result er_gait_layer(er_context *context, const er_gait_motion *motion, const er_gait_body *body, int strides,
                        er_motion *mix, const double *over, int plant_count, const er_hold *plant, er_gait_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, motion, body, strides, mix, plant_count, plant);
    if (r != ER_OK) return r;
    layerer l = {.context = context,
                 .base = motion,
                 .body = body,
                 .model = motion->model,
                 .mix = mix,
                 .over = over,
                 .strides = strides,
                 .count = strides * (motion->frame_count - 1)};
    ERI_TRY(eri_arena_create(context, &l.arena));
    ERI_TRY(eri_arena_create(context, &l.scratch));
    ERI_TRY(er_kinematics_create(context, l.model, &l.kinematics));
    ERI_TRY(make_room(&l));
    ERI_TRY(find_legs(&l));
    ERI_TRY(hold_bodies(&l, plant_count, plant));
    set_frames(&l);
    for (int i = 0; i < l.count; ++i)
        ERI_TRY(lay(&l, i));
    size_t last = (size_t)l.count, bodies = (size_t)l.model->body_count, width = (size_t)l.model->coordinate_count;
    memcpy(l.pose + last * bodies, l.pose, bodies * sizeof *l.pose);
    memcpy(l.q + last * width, l.q, width * sizeof *l.q);
    *l.out = *motion;
    l.out->frame_count = l.count + 1;
    l.out->time = l.time;
    l.out->q = l.q;
    l.out->pose = l.pose;
    l.out->travel = l.travel;
    l.out->stands = l.stands;
    l.out->arena = l.arena;
    *out = l.out;
    l.arena = NULL;
done:
    er_kinematics_destroy(l.kinematics);
    eri_arena_destroy(l.scratch);
    eri_arena_destroy(l.arena);
    return r;
}
