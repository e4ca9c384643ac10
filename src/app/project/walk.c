// A gait in full dynamics: motors that follow its joints, a floor, and the test for a fall.
#include "app/project/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_frames.h"
#include "base/failure.h"

#define RATE 240.0     // steps a second at least
#define AFTERWARDS 1.0 // s, simulated after a fall
#define BEARING_SECONDS 0.1
#define MOST_FPS 1e4

typedef struct walker {
    er_context *context;
    const er_model *model; // as it is driven
    const er_rig *rig;
    const er_gaits *gaits;
    const project_walk_def *def;
    er_gait_motion *motion; // a frame a step, over one stride
    int strides;            // frames of a stride
    double step;            // s
    er_model *limp;         // the model without springs and dampers
    er_motor *motor;        // [motor_count]
    int motor_count;
    bool *foot; // [body_count], may touch the ground
    project_ground ground;
    er_world *world;
    const er_world_shape *shape;
    double mass;    // kg, of all
    double borne;   // N, by bodies other than feet
    double squares; // rad^2, sum of squared errors of joints
    long samples;
    project_walk *out;
} walker;

project_walk_def project_default_walk_def(void)
{
    return (project_walk_def){
        .seconds = 10.0, .fps = 60.0, .gain = 1.0, .friction = project_default_ground_def().friction};
}

// --- the gait in time

// The frame of the gait at a step, of any stride.
static int frame_of(const walker *w, int step)
{
    return ((step % w->strides) + w->strides) % w->strides;
}

static er_vec3 travel_of(const walker *w, int step)
{
    int strides = (step - frame_of(w, step)) / w->strides;
    return er_v3_madd(w->motion->travel[frame_of(w, step)], strides, w->motion->travel[w->strides]);
}

static er_pose pose_of(const walker *w, int step, int body)
{
    er_pose pose = w->motion->pose[(size_t)frame_of(w, step) * (size_t)w->model->body_count + (size_t)body];
    pose.p = er_v3_add(pose.p, travel_of(w, step));
    return pose;
}

static double coordinate_of(const walker *w, int step, int c)
{
    return w->motion->q[(size_t)frame_of(w, step) * (size_t)w->model->coordinate_count + (size_t)c];
}

static double rate_of(const walker *w, int step, int c)
{
    return (coordinate_of(w, step + 1, c) - coordinate_of(w, step - 1, c)) / (2.0 * w->step);
}

static er_twist twist_of(const walker *w, int body)
{
    er_pose before = pose_of(w, -1, body), now = pose_of(w, 0, body), after = pose_of(w, 1, body);
    er_quat turn = er_q_mul(er_q_conj(before.q), after.q);
    er_vec3 shift = er_q_rotate(er_q_conj(now.q), er_v3_sub(after.p, before.p));
    return (er_twist){er_v3_scale(0.5 / w->step, er_q_log(turn)), er_v3_scale(0.5 / w->step, shift)};
}

// --- motors

// Replaces springs and dampers by motors, so that their rest can move.
static er_result make_motors(walker *w)
{
    const er_model *m = w->model;
    er_joint *joint = malloc((size_t)m->joint_count * sizeof *joint + 1);
    w->motor = malloc((size_t)m->coordinate_count * sizeof *w->motor + 1);
    if (joint == NULL || w->motor == NULL) {
        free(joint);
        return eri_no_memory(w->context);
    }
    for (int k = 0; k < m->joint_count; ++k) {
        joint[k] = m->joint[k];
        for (int c = m->coordinate[k]; c < m->coordinate[k + 1]; ++c) {
            double *stiffness = &joint[k].stiffness[c - m->coordinate[k]],
                   *damping = &joint[k].damping[c - m->coordinate[k]];
            er_motor motor = er_default_motor();
            motor.coordinate = c;
            motor.stiffness = w->def->gain * *stiffness;
            motor.damping = sqrt(w->def->gain) * (*damping + m->rayleigh_stiffness * *stiffness);
            *stiffness = *damping = 0.0;
            if (motor.stiffness > 0.0 || motor.damping > 0.0) w->motor[w->motor_count++] = motor;
        }
    }
    er_model_def def = er_default_model_def();
    def.name = m->name;
    def.source = m->source;
    def.body_count = m->body_count;
    def.body = m->body;
    def.joint_count = m->joint_count;
    def.joint = joint;
    def.rayleigh_mass = m->rayleigh_mass;
    er_result r = er_model_create(w->context, &def, &w->limp);
    free(joint);
    return r;
}

// Sets the motors' targets at a step's end.
static er_result drive(walker *w, int step)
{
    er_result r = ER_OK;
    for (int i = 0; i < w->motor_count && r == ER_OK; ++i) {
        int c = w->motor[i].coordinate;
        r = er_world_drive(w->world, c, coordinate_of(w, step, c), rate_of(w, step, c));
    }
    return r;
}

// --- the ground

// Marks the feet and their descendants.
static er_result find_feet(walker *w)
{
    const er_gait_body *body = w->gaits->body;
    const er_model *m = w->model;
    w->foot = calloc((size_t)m->body_count, sizeof *w->foot);
    if (w->foot == NULL) return eri_no_memory(w->context);
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        w->foot[foot->body] = w->foot[foot->sole] = true;
        for (int k = 0; k < foot->point_count; ++k)
            w->foot[foot->point_body[k]] = true;
    }
    for (int i = 0; i < m->body_count; ++i) {
        int b = m->order[i], parent = m->tree_parent[b];
        if (parent >= 0 && w->foot[parent]) w->foot[b] = true;
    }
    return ER_OK;
}

static er_result make_world(walker *w)
{
    const er_gait_body *body = w->gaits->body;
    size_t n = (size_t)w->model->body_count;
    er_pose *pose = malloc(n * sizeof *pose);
    er_twist *twist = malloc(n * sizeof *twist);
    er_result r = pose != NULL && twist != NULL ? ER_OK : eri_no_memory(w->context);
    project_ground_def ground = project_default_ground_def();
    er_world_def def = er_default_world_def();
    ground.floor = true;
    ground.friction = w->def->friction;
    for (int b = 0; b < (int)n && r == ER_OK; ++b) {
        pose[b] = pose_of(w, 0, b);
        twist[b] = twist_of(w, b);
    }
    if (r == ER_OK) r = project_ground_create(w->context, w->limp, w->rig, &ground, pose, body->up, NULL, &w->ground);
    if (r == ER_OK) {
        w->ground.floor = fmin(w->ground.floor, body->ground);
        def.model = w->limp;
        def.gravity = er_v3_scale(-body->gravity, body->up);
        def.motor_count = w->motor_count;
        def.motor = w->motor;
        project_ground_apply(&w->ground, &ground, &def);
        w->shape = def.shape;
        r = er_world_create(w->context, &def, &w->world);
    }
    if (r == ER_OK) r = er_world_set_state(w->world, 0.0, pose, twist);
    free(twist);
    free(pose);
    return r;
}

// --- the walk

static double forward_of_mass(const walker *w)
{
    double sum = 0.0;
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        sum += body->mass * er_v3_dot(er_pose_point(er_world_pose(w->world)[b], body->com), w->gaits->body->forward);
    }
    return sum / w->mass;
}

// The share of the weight on bodies other than feet, averaged over about a tenth of a second.
// @param body  written if there is one: the body that bears most now
static double borne_by_others(walker *w, int *body)
{
    double most = 0.0, sum = 0.0;
    for (int k = 0; k < er_world_contact_count(w->world); ++k) {
        er_contact c = er_world_contact(w->world, k);
        const er_world_shape *on = &w->shape[c.shape[0]];
        double impulse = fabs(er_v3_dot(c.impulse, w->gaits->body->up));
        if (w->shape[c.shape[1]].body >= 0 || w->foot[on->body]) continue;
        sum += impulse;
        if (impulse > most) most = impulse, *body = on->body;
    }
    double fade = exp(-w->step / BEARING_SECONDS);
    w->borne = fade * w->borne + (1.0 - fade) * sum / w->step;
    return w->borne / (w->mass * w->gaits->body->gravity);
}

// The angle between the trunk's up axis and its up axis in the gait.
static double lean(const walker *w, int step)
{
    int trunk = w->gaits->body->foot[0].trunk;
    er_vec3 up = w->gaits->body->up, own = er_q_rotate(er_q_conj(pose_of(w, step, trunk).q), up);
    return acos(fmin(fmax(er_v3_dot(er_q_rotate(er_world_pose(w->world)[trunk].q, own), up), -1.0), 1.0));
}

static er_result add_off(walker *w, int step)
{
    double *q = malloc((size_t)w->model->coordinate_count * sizeof *q + 1);
    if (q == NULL) return eri_no_memory(w->context);
    er_world_coordinates(w->world, q, NULL);
    for (int k = 0; k < w->model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(w->model->joint[k].type, axis);
        bool free_joint = w->model->joint[k].type == ER_JOINT_FREE;
        for (int i = 0; i < count && !free_joint; ++i) {
            if (axis[i] >= 3) continue; // a shift
            int c = w->model->coordinate[k] + i;
            double off = q[c] - coordinate_of(w, step, c);
            w->squares += off * off;
            ++w->samples;
        }
    }
    free(q);
    return ER_OK;
}

// Whether it has fallen by the end of a step.
static bool has_fallen(walker *w, int step)
{
    if (w->gaits->body->foot_count == 0) return false;
    if (borne_by_others(w, &w->out->touches) > PROJECT_FALL_LOAD) return true;
    w->out->touches = -1;
    return lean(w, step) > PROJECT_FALL_LEAN;
}

static er_result walk(walker *w)
{
    project_walk *out = w->out;
    er_world_frames *frames = &out->simulation.frames;
    int every = (int)fmax(floor(1.0 / (w->def->fps * w->step) * (1.0 + 1e-9)), 1.0);
    int last = (int)fmax(ceil(w->def->seconds / w->step), 1.0), after = (int)ceil(AFTERWARDS / w->step);
    double began = forward_of_mass(w);
    frames->model = w->limp;
    out->simulation.fps = 1.0 / (every * w->step);
    out->touches = -1;
    er_result r = project_frames_reserve(w->context, frames, last / every + 2);
    if (r == ER_OK) r = project_frames_take(w->context, w->world, ER_ROUTE_REDUCED, w->shape, w->step, frames);
    for (int k = 1; k <= last && r == ER_OK; ++k) {
        r = drive(w, k);
        if (r == ER_OK) r = er_world_advance(w->world, k * w->step, NULL);
        if (r == ER_OK && k % every == 0)
            r = project_frames_take(w->context, w->world, ER_ROUTE_REDUCED, w->shape, w->step, frames);
        if (r != ER_OK || out->fell) continue;
        out->time = k * w->step;
        out->distance = forward_of_mass(w) - began;
        r = add_off(w, k);
        out->fell = has_fallen(w, k);
        if (out->fell && k + after < last) last = k + after;
    }
    out->off = sqrt(w->squares / fmax((double)w->samples, 1.0));
    return r;
}

static er_result check(er_context *context, const er_gait *gait, const project_walk_def *def)
{
    if (gait->family == ER_GAIT_SWIM || gait->family == ER_GAIT_FLAP)
        return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\" needs water or air, and there is only ground to simulate on",
                       gait->name);
    bool fine = def->seconds > 0.0 && def->seconds <= 1e5 && def->fps > 0.0 && def->fps <= MOST_FPS &&
                def->gain > 0.0 && isfinite(def->gain) && def->friction >= 0.0;
    return fine ? ER_OK
                : er_fail(context, ER_ERROR_ARGUMENT,
                          "%g s, %g frames a second, a gain of %g, friction %g: one of these is out of range",
                          def->seconds, def->fps, def->gain, def->friction);
}

er_result project_walk_simulate(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                project_walk *out)
{
    const project_ground_def ground = {.floor = true};
    er_model *damped = NULL;
    walker w = {.context = context, .rig = rig, .gaits = gaits, .def = def, .out = out};
    *out = (project_walk){0};
    er_result r = check(context, gait, def);
    if (r == ER_OK) r = project_damp(context, model, project_damping(model, &ground), &damped);
    w.model = damped;
    for (int b = 0; b < model->body_count; ++b)
        w.mass += model->body[b].mass;
    if (r == ER_OK) r = er_gait_move(context, model, modes, gaits, gait, RATE, &w.motion);
    if (r == ER_OK) {
        w.strides = w.motion->frame_count - 1;
        w.step = w.motion->time[w.strides] / w.strides;
        r = make_motors(&w);
    }
    if (r == ER_OK) r = find_feet(&w);
    if (r == ER_OK) r = make_world(&w);
    if (r == ER_OK) r = walk(&w);
    out->simulation.damped = w.limp;
    er_world_destroy(w.world);
    project_ground_clear(&w.ground);
    er_gait_motion_destroy(w.motion);
    er_model_destroy(damped);
    free(w.motor);
    free(w.foot);
    if (r != ER_OK) project_walk_clear(out);
    return r;
}

void project_walk_explain_fall(const project_walk *walk, char *text, size_t size)
{
    if (walk->touches >= 0)
        snprintf(text, size, "%s bears weight", walk->simulation.frames.model->body[walk->touches].name);
    else
        snprintf(text, size, "the trunk leans");
}

void project_walk_clear(project_walk *walk)
{
    project_simulation_clear(&walk->simulation);
    *walk = (project_walk){0};
}
