// A gait in full dynamics: a walker, or motors that follow the joints of what has no feet; a floor; pushes.
#include "app/project/walk_ground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_frames.h"
#include "base/failure.h"

#define RATE 240.0     // steps a second at least, without feet
#define FINE 120.0     // frames of a stride for the walker
#define AFTERWARDS 1.0 // s, simulated after a fall
#define PUSH_SECONDS 0.1
#define PUSH_AT 0.4 // of the whole time
#define MOST_FPS 1e4
#define ABOVE 1e3 // body lengths: over all ground
#define LOOPS 3.0 // strides of a walk, from which it has two from phase 0 on

enum { STARTS = 6 }; // that are tried

typedef struct trial {
    er_context *context;
    const er_model *model; // as it is driven
    const er_rig *rig;
    const er_gaits *gaits;
    const er_gait *gait;
    const project_walk_def *def;
    er_gait_motion *motion; // one stride
    int strides;            // frames of it
    double step;            // s
    er_rig_shapes *shapes;
    er_walker *walker; // NULL without feet
    bool flies;        // the walker keeps the gait's flights
    er_model *limp;    // without feet: the model without springs and dampers
    er_motor *motor;   // [motor_count]
    int motor_count;
    project_ground ground;
    project_walk_ground footing; // with feet
    er_world *world;
    const er_world_shape *shape;
    project_contact_sums sums; // of contacts since the last frame
    double speed;              // m/s, that is wanted
    double mass;               // kg, of all
    void *saved, *remembered;  // states of the world and of the walker at the time of the pushes
    project_walk *out;
} trial;

project_walk_def project_default_walk_def(void)
{
    project_walk_def def = {
        .lengths = 10.0, .push = 0.1, .fps = 60.0, .gain = 1.0, .friction = project_default_ground_def().friction};
    for (int i = 0; i < PROJECT_WALK_NUMBERS; ++i)
        ((double *)&def.style)[i] = project_walk_numbers[i].usual;
    return def;
}

// --- the gait in time, of what has no feet

// The frame of the gait at a step, of any stride.
static int frame_of(const trial *w, int step)
{
    return ((step % w->strides) + w->strides) % w->strides;
}

static er_vec3 travel_of(const trial *w, int step)
{
    int strides = (step - frame_of(w, step)) / w->strides;
    return er_v3_madd(w->motion->travel[frame_of(w, step)], strides, w->motion->travel[w->strides]);
}

static er_pose pose_of(const trial *w, int step, int body)
{
    er_pose pose = w->motion->pose[(size_t)frame_of(w, step) * (size_t)w->model->body_count + (size_t)body];
    pose.p = er_v3_add(pose.p, travel_of(w, step));
    return pose;
}

static double coordinate_of(const trial *w, int step, int c)
{
    return w->motion->q[(size_t)frame_of(w, step) * (size_t)w->model->coordinate_count + (size_t)c];
}

static double rate_of(const trial *w, int step, int c)
{
    return (coordinate_of(w, step + 1, c) - coordinate_of(w, step - 1, c)) / (2.0 * w->step);
}

static er_twist twist_of(const trial *w, int body)
{
    er_pose before = pose_of(w, -1, body), now = pose_of(w, 0, body), after = pose_of(w, 1, body);
    er_quat turn = er_q_mul(er_q_conj(before.q), after.q);
    er_vec3 shift = er_q_rotate(er_q_conj(now.q), er_v3_sub(after.p, before.p));
    return (er_twist){er_v3_scale(0.5 / w->step, er_q_log(turn)), er_v3_scale(0.5 / w->step, shift)};
}

// --- motors

// Replaces springs and dampers by motors, so that their rest can move.
static er_result make_motors(trial *w)
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
    er_model_def def = er_model_def_of(m);
    def.joint = joint;
    def.damping_ratio = def.rayleigh_stiffness = 0.0; // the motors have it
    er_result r = er_model_create(w->context, &def, &w->limp);
    free(joint);
    return r;
}

// Sets the motors' targets at a step's end.
static er_result drive(trial *w, int step)
{
    er_result r = ER_OK;
    for (int i = 0; i < w->motor_count && r == ER_OK; ++i) {
        int c = w->motor[i].coordinate;
        r = er_world_drive(w->world, c, coordinate_of(w, step, c), rate_of(w, step, c));
    }
    return r;
}

// --- the ground

static const er_model *driven(const trial *w)
{
    return w->walker != NULL ? er_walker_model(w->walker) : w->limp;
}

static er_result make_walker(trial *w)
{
    er_walker_def def = er_default_walker_def();
    def.model = w->model;
    def.body = w->gaits->body;
    def.motion = w->motion;
    const project_walk_style *style = &w->def->style;
    def.speed = w->speed;
    def.hz = w->gait->hz * style->tempo;
    def.duty = style->duty;
    def.lowering = style->lowering;
    def.clearance = style->clearance;
    def.width = style->width;
    def.style = style->sway;
    def.even = style->even;
    def.shapes = w->shapes;
    def.floor = w->gaits->body->ground;
    def.flies = w->flies;
    bool plane = w->footing.surface == NULL && w->footing.slope == 0.0;
    def.ground = plane ? NULL : project_walk_ground_height;
    def.user = plane ? NULL : &w->footing;
    er_result r = er_walker_create(w->context, &def, &w->walker);
    if (r == ER_OK) w->step = er_walker_step(w->walker);
    return r;
}

// @param phase  of a walker: negative: it stands, and sets out
static er_result place(const trial *w, double phase, er_pose *pose, er_twist *twist)
{
    for (int b = 0; b < w->model->body_count && w->walker == NULL; ++b) {
        pose[b] = pose_of(w, 0, b);
        twist[b] = twist_of(w, b);
    }
    if (w->walker == NULL) return ER_OK;
    er_vec3 normal, up = w->footing.up, above = er_v3_scale(ABOVE * w->out->length, up);
    project_walk_ground ground = w->footing;
    double height = project_walk_ground_height(&ground, above, &normal);
    er_vec3 at = er_v3_scale(ground.surface == NULL ? 0.0 : height + w->gaits->body->height, up);
    er_walker_place(w->walker, at, 0.0, phase, pose, twist);
    return er_walker_go(w->walker, (er_walker_wish){.ahead = w->speed});
}

// The state to begin with.
static er_result set_state(const trial *w, double phase)
{
    size_t n = (size_t)w->model->body_count;
    er_pose *pose = malloc(n * sizeof *pose);
    er_twist *twist = malloc(n * sizeof *twist);
    er_result r = pose != NULL && twist != NULL ? place(w, phase, pose, twist) : eri_no_memory(w->context);
    if (r == ER_OK) r = er_world_set_state(w->world, 0.0, pose, twist);
    free(twist);
    free(pose);
    return r;
}

static er_result make_world(trial *w)
{
    const er_gait_body *body = w->gaits->body;
    size_t n = (size_t)w->model->body_count;
    er_pose *pose = malloc(n * sizeof *pose);
    er_twist *twist = malloc(n * sizeof *twist);
    er_result r = pose != NULL && twist != NULL ? place(w, 0.0, pose, twist) : eri_no_memory(w->context);
    project_ground_def ground = project_default_ground_def();
    er_world_def def = er_default_world_def();
    ground.floor = true;
    ground.friction = w->def->friction;
    ground.sleep = 0.0;
    if (r == ER_OK) r = project_ground_create(w->context, driven(w), w->rig, &ground, pose, body->up, NULL, &w->ground);
    if (r == ER_OK) {
        w->ground.floor = w->walker != NULL ? body->ground : fmin(w->ground.floor, body->ground);
        def.model = driven(w);
        def.gravity = er_v3_scale(-body->gravity, body->up);
        def.max_step = fmax(w->step, def.min_step);
        def.motor_count = w->motor_count;
        def.motor = w->walker != NULL ? er_walker_motors(w->walker, &def.motor_count) : w->motor;
        project_ground_apply(&w->ground, &ground, &def);
        if (w->walker != NULL) project_walk_ground_apply(&w->footing, &w->ground, &def);
        if (w->walker != NULL) w->out->passing = project_walk_let_pass(w->walker, w->shapes, &w->ground);
        w->shape = def.shape;
        r = er_world_create(w->context, &def, &w->world);
    }
    free(twist);
    free(pose);
    return r;
}

// The body's length: the larger of its height and its extent ahead.
static er_result measure_length(trial *w)
{
    const er_gait_body *body = w->gaits->body;
    er_pose *pose = malloc((size_t)w->model->body_count * sizeof *pose);
    if (pose == NULL) return eri_no_memory(w->context);
    for (int b = 0; b < w->model->body_count; ++b)
        pose[b] = w->model->body[b].pose;
    double back = er_rig_shapes_lowest(w->shapes, pose, body->forward);
    double front = -er_rig_shapes_lowest(w->shapes, pose, er_v3_scale(-1.0, body->forward));
    w->out->length = fmax(body->height, front - back);
    free(pose);
    return ER_OK;
}

// --- the walk

static double forward_of_mass(const trial *w)
{
    double sum = 0.0;
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        sum += body->mass * er_v3_dot(er_pose_point(er_world_pose(w->world)[b], body->com), w->gaits->body->forward);
    }
    return sum / w->mass;
}

static bool goes_on(trial *w)
{
    if (w->def->goes_on != NULL && !w->def->goes_on(w->def->user)) w->out->stopped = true;
    return !w->out->stopped;
}

static er_result advance(trial *w, int step)
{
    er_result r = w->walker != NULL ? er_walker_control(w->walker, w->world) : drive(w, step);
    return r == ER_OK ? er_world_advance(w->world, step * w->step, NULL) : r;
}

static er_walker_fall has_fallen(const trial *w)
{
    return w->walker != NULL ? er_walker_measure(w->walker).fallen : ER_WALKER_UPRIGHT;
}

static er_result save(trial *w)
{
    w->saved = malloc(er_world_state_size(w->world));
    w->remembered = malloc(er_walker_state_size(w->walker));
    if (w->saved == NULL || w->remembered == NULL) return eri_no_memory(w->context);
    er_world_save(w->world, w->saved);
    er_walker_save(w->walker, w->remembered);
    return ER_OK;
}

static double longest(const trial *w)
{
    return w->def->seconds > 0.0 ? w->def->seconds : 1.5 * w->def->lengths * w->out->length / w->speed;
}

// Adds the world's state as a frame, and which feet bear load in it.
static er_result take_frame(trial *w, int last)
{
    er_world_frames *frames = &w->out->simulation.frames;
    int feet = w->walker != NULL ? w->gaits->body->foot_count : 0;
    if (feet > 0 && w->out->stands == NULL) {
        w->out->stands = calloc((size_t)last * (size_t)feet, sizeof *w->out->stands);
        if (w->out->stands == NULL) return eri_no_memory(w->context);
    }
    for (int f = 0; f < feet && frames->frame_count < last; ++f)
        w->out->stands[frames->frame_count * feet + f] = er_walker_load(w->walker, f) > 0.0;
    return project_frames_take(w->context, w->world, ER_ROUTE_REDUCED, &w->sums, frames);
}

// A run from a start.   @param pushed  written: the step at which it would be pushed
static er_result walk(trial *w, double phase, int *pushed)
{
    project_walk *out = w->out;
    er_world_frames *frames = &out->simulation.frames;
    double way = w->def->lengths * out->length;
    int every = (int)fmax(floor(1.0 / (w->def->fps * w->step) * (1.0 + 1e-9)), 1.0);
    int last = (int)fmax(ceil(longest(w) / w->step), 1.0), after = (int)ceil(AFTERWARDS / w->step);
    er_result r = set_state(w, phase);
    double began = forward_of_mass(w);
    bool pushes = w->walker != NULL && w->def->push > 0.0;
    *pushed = (int)(PUSH_AT * fmin(last * w->step, way / w->speed) / w->step);
    frames->model = driven(w);
    out->simulation.fps = 1.0 / (every * w->step);
    out->touches = -1;
    project_contact_sums_restart(&w->sums);
    int room = last / every + 2;
    if (w->walker != NULL) out->stride = er_walker_stride(w->walker);
    if (r == ER_OK) r = project_frames_reserve(w->context, frames, room);
    if (r == ER_OK) r = take_frame(w, room);
    for (int k = 1; k <= last && r == ER_OK && goes_on(w); ++k) {
        r = advance(w, k);
        if (r == ER_OK && w->shape != NULL)
            r = project_contact_sums_add(w->context, w->world, frames->model, w->shape, w->step, &w->sums);
        if (r == ER_OK && k % every == 0) r = take_frame(w, room);
        if (r != ER_OK || out->fell != ER_WALKER_UPRIGHT) continue;
        if (pushes && k == *pushed) r = save(w);
        out->time = k * w->step;
        out->distance = forward_of_mass(w) - began;
        out->fell = has_fallen(w);
        if (w->walker != NULL) out->phase = er_walker_measure(w->walker).phase - (k - 1) * w->step / out->stride;
        if (out->fell != ER_WALKER_UPRIGHT) {
            out->touches = er_walker_measure(w->walker).touches;
            if (k + after < last) last = k + after;
        } else if (out->distance >= way) {
            last = k;
        }
    }
    out->late = out->fell == ER_WALKER_UPRIGHT && out->distance < way && w->def->seconds == 0.0;
    return r;
}

// Forgets a run.
static void begin_again(trial *w)
{
    double length = w->out->length;
    int passing = w->out->passing;
    project_walk_clear(w->out);
    *w->out = (project_walk){.length = length, .passing = passing};
    free(w->saved);
    free(w->remembered);
    w->saved = w->remembered = NULL;
}

// Walks from the first of some starts from which it does not fall, or else from the one that leads farthest.
static er_result walk_best(trial *w, int *pushed)
{
    const double start[STARTS] = {
        w->walker != NULL ? er_walker_calm_phase(w->walker) : 0.0, -1.0, 0.0, 0.25, 0.5, 0.75};
    int count = w->walker != NULL ? STARTS : 1, best = 0;
    double farthest = -HUGE_VAL;
    er_result r = walk(w, start[0], pushed);
    for (int i = 0; i < count && r == ER_OK && w->out->fell != ER_WALKER_UPRIGHT && !w->out->stopped; ++i) {
        if (w->out->distance > farthest) farthest = w->out->distance, best = i;
        begin_again(w);
        r = walk(w, start[i + 1 < count ? i + 1 : best], pushed);
    }
    return r;
}

// The power that an animal of a mass takes in, over weight and speed: (10.7 m^-0.316 v + 6.03 m^-0.303) W per kilogram.
// Source: Taylor, Heglund, Maloiy, Energetics and mechanics of terrestrial locomotion I, 1982.
static double animal_cost(double mass, double speed, double gravity)
{
    return (10.7 * pow(mass, -0.316) + 6.03 * pow(mass, -0.303) / speed) / gravity;
}

static void measure(trial *w)
{
    project_walk *out = w->out;
    if (w->walker == NULL) return;
    er_walker_state state = er_walker_measure(w->walker);
    out->torque = state.torque;
    out->slip = out->distance > 0.0 ? state.slip * out->time / out->distance : 0.0;
    double weight = w->mass * w->gaits->body->gravity;
    if (!(out->distance > 0.0)) return;
    out->cost = state.work / (weight * out->distance);
    out->animal = animal_cost(w->mass, out->distance / out->time, w->gaits->body->gravity);
}

// Whether it stays upright when pushed for a while, until the time of the first run's end.
static er_result push(trial *w, int began, er_vec3 way, bool *fell)
{
    int trunk = er_walker_trunk(w->walker), last = (int)floor(w->out->time / w->step + 0.5);
    er_vec3 impulse = er_v3_scale(w->def->push * w->mass * w->gaits->body->gravity * w->step, way);
    er_result r = er_world_restore(w->world, w->saved);
    er_walker_restore(w->walker, w->remembered);
    *fell = false;
    for (int k = began + 1; k <= last && r == ER_OK && !*fell && goes_on(w); ++k) {
        if ((k - began) * w->step <= PUSH_SECONDS + 0.5 * w->step)
            r = er_world_push(w->world, trunk, w->model->body[trunk].com, impulse);
        if (r == ER_OK) r = advance(w, k);
        *fell = has_fallen(w) != ER_WALKER_UPRIGHT;
    }
    return r;
}

static er_result push_all(trial *w, int began)
{
    er_vec3 left = w->gaits->body->left, ahead = w->gaits->body->forward;
    const er_vec3 way[PROJECT_WALK_PUSHES] = {left, er_v3_scale(-1.0, left), ahead, er_v3_scale(-1.0, ahead)};
    er_result r = ER_OK;
    if (w->saved == NULL || w->out->fell != ER_WALKER_UPRIGHT) return r;
    for (int i = 0; i < PROJECT_WALK_PUSHES && r == ER_OK; ++i) {
        bool fell;
        r = push(w, began, way[i], &fell);
        ++w->out->pushes;
        w->out->survived += !fell;
    }
    return r;
}

static er_result check(er_context *context, const er_gaits *gaits, const er_gait *gait, const project_walk_def *def)
{
    if (gait->family == ER_GAIT_SWIM || gait->family == ER_GAIT_FLAP)
        return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\" needs water or air, and there is only ground to simulate on",
                       gait->name);
    if (gaits->body->foot_count > 0 && def->gain != 1.0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "\"%s\" walks on feet by its own torques; the gain is for gaits without feet", gait->name);
    bool flat = def->slope == 0.0 && def->terrain == NULL && def->heights == NULL;
    if (gaits->body->foot_count == 0 && !flat)
        return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\" has no feet, and only gaits with feet leave the plane",
                       gait->name);
    bool fine = def->seconds >= 0.0 && def->seconds <= 1e5 && def->lengths > 0.0 && def->lengths <= 1e5 &&
                def->push >= 0.0 && def->push <= 1e3 && def->fps > 0.0 && def->fps <= MOST_FPS && def->gain > 0.0 &&
                isfinite(def->gain) && def->friction >= 0.0 && fabs(def->slope) <= 0.25 * ER_PI;
    return fine ? ER_OK
                : er_fail(
                      context, ER_ERROR_ARGUMENT,
                      "%g s, %g lengths, pushes of %g, %g frames a second, a gain of %g, friction %g: one of these is "
                      "out of range",
                      def->seconds, def->lengths, def->push, def->fps, def->gain, def->friction);
}

static er_result prepare(trial *w, const er_model *model, const er_modes *modes)
{
    const project_ground_def ground = {.floor = true};
    bool feet = w->gaits->body->foot_count > 0;
    er_model *damped = NULL;
    er_result r = ER_OK;
    w->model = model;
    w->speed = w->gait->speed * (feet ? w->def->style.speed : 1.0);
    for (int b = 0; b < model->body_count; ++b)
        w->mass += model->body[b].mass;
    double fps = feet ? FINE * w->gait->hz : RATE;
    r = er_gait_move(w->context, model, modes, w->gaits, w->gait, fmin(fps, 1e5), &w->motion);
    if (r == ER_OK) r = er_rig_shapes_create(w->context, model, w->rig, &w->shapes);
    if (r != ER_OK) return r;
    w->strides = w->motion->frame_count - 1;
    w->step = w->motion->time[w->strides] / w->strides;
    r = measure_length(w);
    if (r != ER_OK) return r;
    if (feet) return project_walk_ground_make(w->context, w->gaits->body, w->def, w->out->length, &w->footing);
    r = project_damp(w->context, model, project_damping(model, &ground), &damped);
    if (r != ER_OK) return r;
    w->model = damped;
    r = make_motors(w);
    w->model = model;
    er_model_destroy(damped);
    return r;
}

static void end_run(trial *w)
{
    er_world_destroy(w->world);
    project_contact_sums_clear(&w->sums);
    er_walker_destroy(w->walker);
    project_ground_clear(&w->ground);
    free(w->saved);
    free(w->remembered);
    w->world = NULL;
    w->walker = NULL;
    w->saved = w->remembered = NULL;
}

static er_result run(trial *w, int *pushed)
{
    bool feet = w->gaits->body->foot_count > 0;
    er_result r = feet ? make_walker(w) : ER_OK;
    if (r == ER_OK) r = make_world(w);
    if (r == ER_OK) r = walk_best(w, pushed);
    if (r == ER_OK) measure(w);
    return r;
}

// A gait that flies is tried with its flights, where it fell with a foot on the ground at all times.
static er_result run_flying(trial *w, int *pushed)
{
    project_walk grounded = *w->out;
    if (w->walker == NULL || grounded.fell == ER_WALKER_UPRIGHT || !(w->gait->flight > 0.0)) return ER_OK;
    *w->out = (project_walk){.length = grounded.length};
    end_run(w);
    w->flies = true;
    er_result r = run(w, pushed);
    bool better = w->out->fell == ER_WALKER_UPRIGHT || w->out->distance > grounded.distance, stopped = w->out->stopped;
    project_walk worse = better ? grounded : *w->out;
    if (!better) *w->out = grounded;
    w->out->stopped = stopped;
    project_walk_clear(&worse);
    return r;
}

er_result project_walk_simulate(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                project_walk *out)
{
    trial w = {.context = context, .rig = rig, .gaits = gaits, .gait = gait, .def = def, .out = out};
    int pushed = 0;
    *out = (project_walk){0};
    er_result r = check(context, gaits, gait, def);
    if (r == ER_OK) r = prepare(&w, model, modes);
    if (r == ER_OK) r = run(&w, &pushed);
    if (r == ER_OK && !out->stopped) r = run_flying(&w, &pushed);
    if (r == ER_OK && !out->stopped) r = push_all(&w, pushed);
    out->style = def->style;
    out->simulation.damped = w.limp;
    if (w.walker != NULL) out->simulation.frames.model = model;
    end_run(&w);
    project_walk_ground_clear(&w.footing);
    er_rig_shapes_destroy(w.shapes);
    er_gait_motion_destroy(w.motion);
    free(w.motor);
    if (r != ER_OK) project_walk_clear(out);
    return r;
}

er_result project_walk_loop(er_context *context, const er_model *model, const er_gait_body *body,
                            const project_walk *walk, double fps, er_gait_motion **out)
{
    const er_world_frames *frames = &walk->simulation.frames;
    double step = 1.0 / walk->simulation.fps;
    er_gait_walk_frames of = {.count = (int)fmin(walk->time / step + 1.0, frames->frame_count),
                              .step = step,
                              .stride = walk->stride,
                              .phase = walk->phase - floor(walk->phase),
                              .pose = frames->pose,
                              .stands = walk->stands};
    *out = NULL;
    if (walk->stands == NULL || (of.count - 1) * step < LOOPS * walk->stride) return ER_OK;
    return er_gait_loop(context, model, body, &of, fps, out);
}

void project_walk_explain_end(const project_walk *walk, char *text, size_t size)
{
    static const char *const reason[] = {"the end", "the trunk leans", "", "it sinks down"};
    if (walk->fell == ER_WALKER_TOUCHES)
        snprintf(text, size, "%s bears weight",
                 walk->touches >= 0 ? walk->simulation.frames.model->body[walk->touches].name : "another body");
    else
        snprintf(text, size, "%s", walk->late ? "its time is over" : reason[walk->fell]);
}

void project_walk_clear(project_walk *walk)
{
    project_simulation_clear(&walk->simulation);
    free(walk->stands);
    *walk = (project_walk){0};
}
