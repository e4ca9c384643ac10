// A simulation of the open model: a thread advances a world frame by frame, and the frames are kept.
#include "app/session/simulation.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_frames.h"
#include "app/project/project_simulate.h"
#include "app/project/walk_ground.h"
#include "app/session/session_inside.h"
#include "app/session/worker.h"
#include "base/platform.h"

enum { FIRST_ROOM = 256, SPAN_FRAMES = 16 };

#define MOST_BYTES 1e9    // of frames
#define MOMENT 1e-3       // s, between the two poses that give a velocity
#define TOLERANCE 1e-4    // of a step: enough for watching
#define STIFF_HZ 500.0    // above it linearly implicit steps are faster
#define SAG 0.05          // of the rig's size: the stretch of a pull that carries its weight
#define PACE_SECONDS 1.0  // the pace is averaged over this time
#define WALK_FRAMES 120.0 // of a stride, for a walker
#define LAST_WAIT 2.0     // s, for a frame in work, before the recording is written

// A spring and a damper from a point of a body to a target that moves during a frame.
typedef struct mouse_pull {
    bool on;
    int body;
    er_vec3 point; // m, body frame
    er_vec3 from, to;
    double stiffness, damping; // N/m, N s/m; 0 until they are measured
    int count;                 // number of this pull
} mouse_pull;

// A request to the thread, and its answer. During the work the thread owns it, and all fields of the simulation that it
// uses.
typedef struct simulation_job {
    er_model *model; // the next one, then the previous one to be freed; NULL: no change
    mouse_pull pull; // in this frame
    er_walker_wish wish;
    er_walker_fall fallen;
    bool failed;     // no frame was made
    char said[1024]; // the error, or the reason why the world was not changed
} simulation_job;

struct simulation {
    er_context *context; // the session's
    er_context *own;     // the thread's
    er_model *model;     // as simulated
    simulation_def def;  // without `held`
    er_integrator integrator;
    bool *held, *was_held; // [body_count]
    bool *follows;         // [body_count]
    er_pose *stay;         // [body_count], poses of held bodies that do not follow
    er_pose *first;        // [body_count], at the start, without the drop
    project_ground ground; // all zeros: no contacts so far
    double step;           // s, of the world with contacts; otherwise 0
    er_walker *walker;     // NULL: nothing walks
    er_rig_shapes *shapes; // of the model, if it walks
    er_trajectory *track;  // of the mix, [-pad, cycle + pad]; NULL if no body follows
    double begun, cycle;   // s, into the mix
    er_vec3 up;
    er_world *world;
    bool set; // the world has its state, and held bodies are at their poses
    er_world_frames frames;
    project_contact_sums sums; // of the frame to come
    int room;
    int *island; // [room x body_count], of each frame; -2 - island for bodies that sleep
    simulation_job job;
    worker *worker;
    bool busy;
    atomic_bool given_up;
    // only for the session's thread
    mouse_pull pull;
    er_walker_wish wish;
    simulation_walking walking;
    int frame_count; // finished frames; the thread may be adding one
    double time;
    int body_count, joint_count, coordinate_count; // of every model
    er_pose *shown;                                // [body_count]
    er_world_energy shown_energy;
    er_frame_contact *shown_contact; // [shown_contact_room]
    int shown_contact_count, shown_contact_room;
    int *shown_island;    // [body_count]
    double request, gone; // s, fading
    bool over;
    er_model *next_model; // for the next frame; NULL: no change
    simulation_def next_def;
    project_ground next_ground; // for the next frame; all zeros: no change
    er_integrator next_integrator;
    bool *next_held; // [body_count]
    char said[1024], saying[1024];
};

simulation_def simulation_default_def(void)
{
    return (simulation_def){.gravity = 9.81, .ground = project_default_ground_def()};
}

// --- callbacks of the world

static void lead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    const simulation *sim = user;
    if (sim->set && sim->follows[body]) {
        double into = sim->begun + time;
        er_trajectory_at(sim->track, into - sim->cycle * floor(into / sim->cycle), body, pose, twist, rate);
        return;
    }
    *pose = sim->set ? sim->stay[body] : sim->model->body[body].pose;
    *twist = *rate = (er_twist){0};
}

static er_vec3 point_velocity(const er_pose *pose, const er_twist *twist, er_vec3 point)
{
    return er_q_rotate(pose->q, er_v3_add(twist->linear, er_v3_cross(twist->angular, point)));
}

// A force that is NaN ends an integration with error control.
static void give_up(er_wrench *wrench, int count)
{
    for (int b = 0; b < count; ++b)
        wrench[b].force.x = NAN;
}

// Applies the pull.
static void act(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    const simulation *sim = user;
    const mouse_pull *p = &sim->job.pull;
    if (sim->step == 0.0 && atomic_load_explicit(&sim->given_up, memory_order_relaxed))
        give_up(wrench, sim->model->body_count);
    if (!p->on) return;
    double frame = 1.0 / SIMULATION_FPS, since = time - (sim->frames.frame_count - 1) * frame;
    er_vec3 way = er_v3_sub(p->to, p->from), goal = er_v3_madd(p->from, since / frame, way);
    er_vec3 at = er_pose_point(pose[p->body], p->point);
    er_vec3 speed = er_v3_sub(er_v3_scale(1.0 / frame, way), point_velocity(&pose[p->body], &twist[p->body], p->point));
    er_vec3 force = er_v3_madd(er_v3_scale(p->stiffness, er_v3_sub(goal, at)), p->damping, speed);
    er_vec3 arm = er_v3_sub(at, er_pose_point(pose[p->body], sim->model->body[p->body].com));
    wrench[p->body].force = er_v3_add(wrench[p->body].force, force);
    wrench[p->body].torque = er_v3_add(wrench[p->body].torque, er_v3_cross(arm, force));
}

// --- the world

static bool any(const bool *flag, int count)
{
    return memchr(flag, true, (size_t)count * sizeof *flag) != NULL;
}

// Steps of control in a frame, as many as a walker needs.
static int steps_of(const simulation *sim)
{
    return (int)ceil(1.0 / (SIMULATION_FPS * er_walker_step(sim->walker)) - 1e-9);
}

static double step_of(const simulation *sim)
{
    return 1.0 / (SIMULATION_FPS * steps_of(sim));
}

// A world of the model with the present settings. Its state is set later: held bodies may be away from equilibrium.
static er_result make_world(simulation *sim, er_world **out)
{
    er_world_def def = er_default_world_def();
    bool holds = any(sim->held, sim->model->body_count);
    def.model = sim->model;
    def.gravity = er_v3_scale(-sim->def.gravity, sim->up);
    def.enforce_limits = sim->def.limits;
    def.held = holds ? sim->held : NULL;
    def.guide = holds ? lead : NULL;
    def.apply = act;
    def.user = sim;
    def.integrator = sim->integrator;
    def.tolerance = TOLERANCE;
    bool meets = project_has_contacts(&sim->def.ground);
    if (meets) project_ground_apply(&sim->ground, &sim->def.ground, &def);
    if (sim->walker != NULL) {
        def.motor = er_walker_motors(sim->walker, &def.motor_count);
        def.max_step = fmax(step_of(sim), def.min_step);
        project_walk_let_pass(sim->walker, sim->shapes, &sim->ground);
    }
    sim->step = meets ? def.max_step : 0.0;
    sim->set = false;
    er_result r = er_world_create(sim->own, &def, out);
    sim->set = true;
    return r;
}

// Replaces the world by one with the next settings, in the same state.
static er_result rebuild(simulation *sim)
{
    er_world *next = NULL;
    er_model *old = sim->model;
    size_t bodies = (size_t)old->body_count;
    for (size_t b = 0; b < bodies; ++b)
        if (sim->held[b] && !sim->was_held[b]) sim->stay[b] = er_world_pose(sim->world)[b];
    sim->model = sim->job.model;
    er_result r = make_world(sim, &next);
    if (r == ER_OK)
        r = er_world_set_state(next, er_world_time(sim->world), er_world_pose(sim->world), er_world_twist(sim->world));
    if (r != ER_OK) {
        sim->model = old;
        er_world_destroy(next);
        return r;
    }
    er_world_destroy(sim->world);
    sim->world = next;
    sim->job.model = old;
    sim->frames.model = sim->model;
    for (size_t b = 0; b < bodies; ++b) {
        sim->follows[b] &= sim->held[b];
        sim->was_held[b] = sim->held[b];
    }
    return ER_OK;
}

// The effective mass of a point: 3 / (sum over axes of the change of velocity by 1 N s). Pushes are tried and undone.
// 0: out of memory.
static double measure_inertia(simulation *sim, const mouse_pull *p)
{
    double sum = 0.0;
    void *memory = malloc(er_world_state_size(sim->world)); // the size grows with contacts
    if (memory == NULL) return 0.0;
    er_world_save(sim->world, memory);
    for (int axis = 0; axis < 3; ++axis) {
        er_vec3 e = er_v3(axis == 0, axis == 1, axis == 2);
        er_pose pose = er_world_pose(sim->world)[p->body];
        er_twist twist = er_world_twist(sim->world)[p->body];
        er_vec3 before = point_velocity(&pose, &twist, p->point);
        if (er_world_push(sim->world, p->body, p->point, e) != ER_OK) break;
        twist = er_world_twist(sim->world)[p->body];
        sum += er_v3_dot(e, er_v3_sub(point_velocity(&pose, &twist, p->point), before));
        er_world_restore(sim->world, memory);
    }
    free(memory);
    return sum > 0.0 ? 3.0 / sum : 0.0;
}

static double moving_mass(const simulation *sim)
{
    double sum = 0.0;
    for (int b = 0; b < sim->model->body_count; ++b)
        if (!sim->held[b]) sum += sim->model->body[b].mass;
    return sum;
}

// Moves a pull to the parent of its body, if it has one that is not held.
static bool hand_on(const simulation *sim, mouse_pull *p)
{
    int parent = sim->model->tree_parent[p->body];
    if (parent < 0 || sim->held[parent]) return false;
    const er_pose *pose = er_world_pose(sim->world);
    p->point = er_pose_point_inverse(pose[parent], er_pose_point(pose[p->body], p->point));
    p->body = parent;
    return true;
}

// Sets the spring and the damper of a pull. Steps of length h are unstable for masses below k h^2, so the parent is
// pulled instead. Both are reduced to their effect at the end of a step, with s = h sqrt(k / m): K = k (1 + s)^-2 and
// C = 2 h K / s.
static void measure_pull(simulation *sim, mouse_pull *p)
{
    if (p->stiffness > 0.0) return;
    double k = moving_mass(sim) * simulation_default_def().gravity / (SAG * sim->model->size), h = sim->step;
    double alone = measure_inertia(sim, p);
    while (alone < k * h * h && hand_on(sim, p))
        alone = measure_inertia(sim, p);
    double left = h > 0.0 ? 1.0 / (1.0 + h * sqrt(k / fmax(alone, k * h * h))) : 1.0;
    p->stiffness = k * left * left;
    p->damping = 2.0 * sqrt(k * alone) * left * left;
}

static er_result make_room(simulation *sim)
{
    if (sim->frames.frame_count < sim->room) return ER_OK;
    int room = sim->room > 0 ? 2 * sim->room : FIRST_ROOM;
    double bytes = project_frame_bytes(sim->model) * room + project_frames_contact_bytes(&sim->frames);
    if (bytes > MOST_BYTES)
        return er_fail(sim->own, ER_ERROR_MEMORY, "the recording is full at %.0f s; export it, or reset",
                       er_world_time(sim->world));
    er_result r = project_frames_reserve(sim->own, &sim->frames, room);
    if (r != ER_OK) return r;
    int *island = realloc(sim->island, (size_t)room * (size_t)sim->model->body_count * sizeof *island);
    if (island == NULL) return eri_no_memory(sim->own);
    sim->island = island;
    sim->room = room;
    return ER_OK;
}

// Takes the islands of the last frame.
static void take_islands(simulation *sim)
{
    int n = sim->model->body_count, *island = sim->island + (size_t)(sim->frames.frame_count - 1) * (size_t)n;
    er_world_islands(sim->world, island);
    for (int b = 0; b < n; ++b)
        if (er_world_is_asleep(sim->world, b)) island[b] = -2 - island[b];
}

static er_result take_frame(simulation *sim)
{
    er_result r = make_room(sim);
    if (r == ER_OK) r = project_frames_take(sim->own, sim->world, ER_ROUTE_REDUCED, &sim->sums, &sim->frames);
    if (r == ER_OK) take_islands(sim);
    return r;
}

// --- the thread

static void say(simulation *sim, bool failed)
{
    sim->job.failed = failed;
    snprintf(sim->job.said, sizeof sim->job.said, "%s", er_context_error(sim->own));
}

// Advances the world, and adds up its contacts if it has some.
static er_result go_until(simulation *sim, double time)
{
    if (!(sim->step > 0.0)) return er_world_advance(sim->world, time, NULL);
    return project_contact_sums_advance(sim->own, sim->world, sim->model, sim->ground.shape, sim->step, time, NULL,
                                        &sim->sums);
}

// Advances the world by a frame, under control if it walks.
static er_result advance(simulation *sim)
{
    project_contact_sums_restart(&sim->sums);
    double end = (double)sim->frames.frame_count / SIMULATION_FPS;
    int count = sim->walker != NULL ? steps_of(sim) : 1;
    er_result r = sim->walker != NULL ? er_walker_go(sim->walker, sim->job.wish) : ER_OK;
    for (int k = 1; k <= count && r == ER_OK; ++k) {
        if (sim->walker != NULL) r = er_walker_control(sim->walker, sim->world);
        if (r == ER_OK) r = go_until(sim, end - (double)(count - k) / (SIMULATION_FPS * count));
    }
    if (sim->walker != NULL) sim->job.fallen = er_walker_measure(sim->walker).fallen;
    return r;
}

// Makes one frame, in the thread.
static void work(void *user)
{
    simulation *sim = user;
    simulation_job *j = &sim->job;
    if (j->model != NULL && rebuild(sim) != ER_OK) {
        memcpy(sim->held, sim->was_held, (size_t)sim->model->body_count * sizeof *sim->held);
        say(sim, false);
    }
    if (j->pull.on && sim->held[j->pull.body]) j->pull.on = false;
    if (j->pull.on) measure_pull(sim, &j->pull);
    er_result r = make_room(sim);
    if (r == ER_OK) r = advance(sim);
    if (r == ER_OK) r = take_frame(sim);
    if (r != ER_OK) say(sim, true);
}

// --- the beginning

// The twist of a pose between two others.
static er_twist twist_between(er_pose from, er_pose middle, er_pose to, double seconds)
{
    er_quat turn = er_q_mul(er_q_conj(from.q), to.q);
    er_vec3 shift = er_q_rotate(er_q_conj(middle.q), er_v3_sub(to.p, from.p));
    return (er_twist){er_v3_scale(1.0 / seconds, er_q_log(turn)), er_v3_scale(1.0 / seconds, shift)};
}

// Copies an error from the thread's context to the session's.
static er_result tell(const simulation *sim, er_result r)
{
    return r == ER_OK ? ER_OK : er_fail(sim->context, r, "%s", er_context_error(sim->own));
}

static er_result set_state(simulation *sim, session *s, double time)
{
    size_t bodies = (size_t)sim->model->body_count;
    er_pose *around = malloc(2 * bodies * sizeof *around);
    er_twist *twist = malloc(bodies * sizeof *twist);
    er_result r = around != NULL && twist != NULL ? ER_OK : eri_no_memory(sim->context);
    if (r == ER_OK) r = session_pose(s, time - 0.5 * MOMENT, around);
    if (r == ER_OK) r = session_pose(s, time + 0.5 * MOMENT, around + bodies);
    for (size_t b = 0; b < bodies && r == ER_OK; ++b)
        twist[b] = twist_between(around[b], sim->stay[b], around[bodies + b], MOMENT);
    if (r == ER_OK) r = tell(sim, er_world_set_state(sim->world, 0.0, sim->stay, twist));
    free(twist);
    free(around);
    return r;
}

// A cycle of the mix, padded on both sides because a spline is wrong at its ends.
static er_result make_track(simulation *sim, session *s)
{
    sim->cycle = session_cycle(s);
    int steps = (int)ceil(sim->cycle * SIMULATION_FPS), count = steps + 2 * SPAN_FRAMES + 1;
    size_t bodies = (size_t)sim->model->body_count;
    double *time = malloc((size_t)count * sizeof *time);
    er_pose *pose = malloc((size_t)count * bodies * sizeof *pose);
    er_result r = time != NULL && pose != NULL ? ER_OK : eri_no_memory(sim->context);
    for (int k = 0; k < count && r == ER_OK; ++k) {
        time[k] = sim->cycle * (k - SPAN_FRAMES) / steps;
        r = session_pose(s, time[k], pose + (size_t)k * bodies);
    }
    if (r == ER_OK) r = er_trajectory_create(sim->context, count, time, (int)bodies, pose, &sim->track);
    free(pose);
    free(time);
    return r;
}

static er_result make_arrays(simulation *sim)
{
    size_t n = (size_t)sim->model->body_count;
    sim->held = calloc(n, sizeof *sim->held);
    sim->was_held = calloc(n, sizeof *sim->was_held);
    sim->next_held = calloc(n, sizeof *sim->next_held);
    sim->follows = calloc(n, sizeof *sim->follows);
    sim->stay = calloc(n, sizeof *sim->stay);
    sim->first = calloc(n, sizeof *sim->first);
    sim->shown = calloc(n, sizeof *sim->shown);
    sim->shown_island = calloc(n, sizeof *sim->shown_island);
    bool all = sim->held != NULL && sim->was_held != NULL && sim->next_held != NULL && sim->follows != NULL &&
               sim->stay != NULL && sim->first != NULL && sim->shown != NULL && sim->shown_island != NULL;
    return all ? ER_OK : eri_no_memory(sim->context);
}

// Whether springs would limit the steps of explicit integration, judged by the highest mode if it is held.
static bool is_stiff(const session *s)
{
    const er_modes *modes = session_modes(s);
    bool all = modes->count > 0 && modes->first + modes->count == modes->dof;
    return !all || modes->mode[modes->count - 1].frequency_hz > STIFF_HZ;
}

// Takes the settings for the next frame.
static void take_def(simulation *sim, const session *s, const simulation_def *def)
{
    sim->next_def = *def;
    sim->next_def.held = NULL;
    sim->next_integrator = is_stiff(s) ? ER_INTEGRATE_IMPLICIT : ER_INTEGRATE_FEHLBERG;
    for (int b = 0; b < sim->body_count; ++b)
        sim->next_held[b] = def->held != NULL && def->held[b];
}

static void put_def(simulation *sim)
{
    sim->def = sim->next_def;
    sim->integrator = sim->next_integrator;
    memcpy(sim->held, sim->next_held, (size_t)sim->model->body_count * sizeof *sim->held);
}

// The poses at the start, raised by the drop, and the shapes for contacts.
static er_result place(simulation *sim, session *s, const project_ground_def *ground, double time)
{
    er_result r = project_ground_check(sim->context, sim->model, any(sim->held, sim->body_count), ground);
    if (r == ER_OK) r = session_pose(s, time, sim->first);
    for (int b = 0; b < sim->body_count && r == ER_OK; ++b)
        sim->stay[b] = (er_pose){sim->first[b].q, er_v3_madd(sim->first[b].p, ground->drop, sim->up)};
    if (r != ER_OK || !project_has_contacts(ground)) return r;
    return project_ground_create(sim->context, sim->model, session_rig(s), ground, sim->first, sim->up, NULL,
                                 &sim->ground);
}

// The model as it is simulated.
static er_result damp(const simulation *sim, const session *s, const project_ground_def *ground, er_model **out)
{
    const er_model *model = session_model(s);
    return project_damp(sim->context, model, project_damping(model, ground), out);
}

// Makes what belongs to the model.
static er_result begin_model(simulation *sim, const session *s, const simulation_def *def)
{
    sim->body_count = sim->model->body_count;
    sim->joint_count = sim->model->joint_count;
    sim->coordinate_count = sim->model->coordinate_count;
    er_result r = make_arrays(sim);
    if (r != ER_OK) return r;
    take_def(sim, s, def);
    put_def(sim);
    memcpy(sim->was_held, sim->held, (size_t)sim->body_count * sizeof *sim->held);
    sim->frames.model = sim->model;
    return ER_OK;
}

static er_result begin_thread(simulation *sim)
{
    er_result r = tell(sim, take_frame(sim));
    return r == ER_OK ? worker_create(sim->context, work, sim, &sim->worker) : r;
}

static er_result begin(simulation *sim, session *s, const simulation_def *def, double time)
{
    er_result r = er_context_create(NULL, &sim->own);
    if (r == ER_OK) r = damp(sim, s, &def->ground, &sim->model);
    if (r == ER_OK) r = begin_model(sim, s, def);
    if (r != ER_OK) return r;
    sim->up = er_v3_unit(session_target(s)->scene->up, er_v3(0, 1, 0));
    sim->begun = time;
    r = place(sim, s, &def->ground, time);
    if (r == ER_OK && def->follow && session_get(s)->component_count > 0 && any(sim->held, sim->model->body_count)) {
        memcpy(sim->follows, sim->held, (size_t)sim->body_count * sizeof *sim->held);
        r = make_track(sim, s);
    }
    if (r == ER_OK) r = tell(sim, make_world(sim, &sim->world));
    if (r == ER_OK) r = set_state(sim, s, time);
    return r == ER_OK ? begin_thread(sim) : r;
}

static void show_contacts(simulation *sim, int frame)
{
    const er_frame_contact *contact;
    int count = project_frames_contacts(&sim->frames, frame, &contact);
    sim->shown_contact_count = 0;
    if (count > sim->shown_contact_room) {
        er_frame_contact *more = realloc(sim->shown_contact, (size_t)count * sizeof *more);
        if (more == NULL) return;
        sim->shown_contact = more;
        sim->shown_contact_room = count;
    }
    if (count > 0) memcpy(sim->shown_contact, contact, (size_t)count * sizeof *contact);
    sim->shown_contact_count = count;
}

static void show_frame(simulation *sim)
{
    double at = sim->time * SIMULATION_FPS;
    int last = sim->frame_count - 1, k = (int)fmin(floor(at + 1e-6), last), n = sim->model->body_count;
    double share = fmin(fmax(at - k, 0.0), 1.0);
    const er_pose *from = sim->frames.pose + (size_t)k * (size_t)n, *to = from + (k < last ? n : 0);
    for (int b = 0; b < n; ++b)
        sim->shown[b] = (er_pose){er_q_slerp(from[b].q, to[b].q, share),
                                  er_v3_madd(from[b].p, share, er_v3_sub(to[b].p, from[b].p))};
    sim->shown_energy = sim->frames.energy[k];
    memcpy(sim->shown_island, sim->island + (size_t)k * (size_t)n, (size_t)n * sizeof *sim->shown_island);
    show_contacts(sim, k);
}

// Shows the first frame, or destroys what did not begin.
static er_result finish(simulation *sim, er_result r, simulation **out)
{
    if (r != ER_OK) {
        simulation_destroy(sim);
        return r;
    }
    sim->frame_count = 1;
    show_frame(sim);
    *out = sim;
    return ER_OK;
}

// --- a character that walks

// Makes the walker, with the thread's context.
static er_result make_walker(simulation *sim, session *s, const er_gaits *gaits, const er_gait *gait)
{
    er_gait_motion *motion = NULL;
    const er_model *model = session_model(s);
    er_walker_def def = er_default_walker_def();
    er_result r = er_gait_move(sim->context, model, session_modes(s), gaits, gait, WALK_FRAMES * gait->hz, &motion);
    if (r == ER_OK) r = er_rig_shapes_create(sim->context, model, session_rig(s), &sim->shapes);
    if (r == ER_OK) {
        def.model = model;
        def.body = gaits->body;
        def.motion = motion;
        def.speed = gait->speed;
        def.hz = gait->hz;
        def.shapes = sim->shapes;
        def.floor = gaits->body->ground;
        r = tell(sim, er_walker_create(sim->own, &def, &sim->walker));
    }
    er_gait_motion_destroy(motion);
    if (r != ER_OK) return r;
    er_walker_bind(sim->walker, 0, NULL, step_of(sim));
    sim->walking =
        (simulation_walking){.speed = gait->speed, .turn = 1.0 / sqrt(gaits->body->leg / gaits->body->gravity)};
    const er_model_def limp = er_model_def_of(er_walker_model(sim->walker));
    return er_model_create(sim->context, &limp, &sim->model);
}

// Stands on the ground.
static er_result stand(simulation *sim, session *s, const er_gait_body *body, const project_ground_def *ground)
{
    er_twist *twist = malloc((size_t)sim->body_count * sizeof *twist);
    if (twist == NULL) return eri_no_memory(sim->context);
    er_walker_place(sim->walker, er_v3(0, 0, 0), 0.0, -1.0, sim->stay, twist);
    memcpy(sim->first, sim->stay, (size_t)sim->body_count * sizeof *sim->first);
    er_result r = project_ground_create(sim->context, sim->model, session_rig(s), ground, sim->first, sim->up, NULL,
                                        &sim->ground);
    sim->ground.floor = body->ground;
    if (r == ER_OK) r = tell(sim, make_world(sim, &sim->world));
    if (r == ER_OK) r = tell(sim, er_world_set_state(sim->world, 0.0, sim->stay, twist));
    free(twist);
    return r;
}

static er_result begin_walk(simulation *sim, session *s, const er_gaits *gaits, const er_gait *gait)
{
    simulation_def def = simulation_default_def();
    def.gravity = gaits->body->gravity;
    def.ground.floor = true;
    def.ground.sleep = 0.0;
    er_result r = er_context_create(NULL, &sim->own);
    if (r == ER_OK) r = make_walker(sim, s, gaits, gait);
    if (r == ER_OK) r = begin_model(sim, s, &def);
    sim->up = gaits->body->up;
    if (r == ER_OK) r = stand(sim, s, gaits->body, &def.ground);
    return r == ER_OK ? begin_thread(sim) : r;
}

er_result simulation_walk(session *s, int gait, simulation **out)
{
    const er_gaits *gaits = session_gaits(s);
    *out = NULL;
    if (gaits == NULL || gait < 0 || gait >= gaits->count || gaits->body->foot_count == 0)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no gait %d with feet to walk", gait);
    simulation *sim = calloc(1, sizeof *sim);
    if (sim == NULL) return eri_no_memory(s->context);
    sim->context = s->context;
    return finish(sim, begin_walk(sim, s, gaits, &gaits->gait[gait]), out);
}

bool simulation_walks(const simulation *sim, simulation_walking *out)
{
    if (sim == NULL || sim->walker == NULL) return false;
    *out = sim->walking;
    return true;
}

void simulation_go(simulation *sim, er_walker_wish wish)
{
    double fast = 3.0 * sim->walking.speed, turn = sim->walking.turn;
    sim->wish = (er_walker_wish){fmin(fmax(wish.ahead, -fast), fast), fmin(fmax(wish.aside, -fast), fast),
                                 fmin(fmax(wish.turn, -turn), turn)};
}

er_result simulation_create(session *s, const simulation_def *def, double time, simulation **out)
{
    *out = NULL;
    if (!session_is_open(s)) return session_check_open(s);
    if (!(def->gravity >= 0.0 && def->gravity <= 1e300) || !isfinite(time))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "gravity of %g m/s^2 at %g s is out of range", def->gravity,
                       time);
    simulation *sim = calloc(1, sizeof *sim);
    if (sim == NULL) return eri_no_memory(s->context);
    sim->context = s->context;
    return finish(sim, begin(sim, s, def, time), out);
}

void simulation_destroy(simulation *sim)
{
    if (sim == NULL) return;
    atomic_store(&sim->given_up, true);
    worker_destroy(sim->worker);
    er_world_destroy(sim->world);
    er_walker_destroy(sim->walker);
    er_rig_shapes_destroy(sim->shapes);
    er_trajectory_destroy(sim->track);
    er_model_destroy(sim->model);
    er_model_destroy(sim->next_model);
    er_model_destroy(sim->job.model);
    project_frames_clear(&sim->frames);
    project_contact_sums_clear(&sim->sums);
    project_ground_clear(&sim->ground);
    project_ground_clear(&sim->next_ground);
    er_context_destroy(sim->own);
    free(sim->shown_contact);
    free(sim->shown_island);
    free(sim->island);
    free(sim->first);
    free(sim->held);
    free(sim->was_held);
    free(sim->next_held);
    free(sim->follows);
    free(sim->stay);
    free(sim->shown);
    free(sim);
}

// --- other settings

static er_result check_parts(const simulation *sim, const session *s)
{
    const er_model *model = session_model(s);
    if (model != NULL && model->body_count == sim->body_count && model->joint_count == sim->joint_count &&
        model->coordinate_count == sim->coordinate_count)
        return ER_OK;
    return er_fail(sim->context, ER_ERROR_ARGUMENT, "the simulation is of a rig with other bodies or joints");
}

// Makes the shapes when contacts are switched on for the first time.
static er_result find_ground(simulation *sim, const session *s, const project_ground_def *def)
{
    if (!project_has_contacts(def) || sim->ground.shape != NULL || sim->next_ground.shape != NULL) return ER_OK;
    er_result r = project_ground_create(sim->context, session_model(s), session_rig(s), def, sim->first, sim->up, NULL,
                                        &sim->next_ground);
    if (r != ER_OK) project_ground_clear(&sim->next_ground);
    return r;
}

er_result simulation_change(simulation *sim, const session *s, const simulation_def *def)
{
    er_model *model = NULL;
    er_result r = check_parts(sim, s);
    if (sim->walker != NULL)
        return er_fail(sim->context, ER_ERROR_ARGUMENT, "a character that walks keeps its model and its ground");
    if (r == ER_OK) r = find_ground(sim, s, &def->ground);
    if (r == ER_OK) r = damp(sim, s, &def->ground, &model);
    if (r != ER_OK) return r;
    er_model_destroy(sim->next_model);
    sim->next_model = model;
    take_def(sim, s, def);
    return ER_OK;
}

void simulation_pull(simulation *sim, int body, er_vec3 point, er_vec3 to)
{
    int count = sim->pull.count + 1;
    if (!sim->pull.on) sim->pull = (mouse_pull){.on = true, .body = body, .point = point, .from = to, .count = count};
    sim->pull.to = to;
}

void simulation_release(simulation *sim)
{
    sim->pull.on = false;
}

bool simulation_get_pull(const simulation *sim, er_vec3 *from, er_vec3 *to)
{
    if (!sim->pull.on) return false;
    *from = er_pose_point(sim->shown[sim->pull.body], sim->pull.point);
    *to = sim->pull.to;
    return true;
}

// --- time

static void begin_job(simulation *sim)
{
    sim->job = (simulation_job){.model = sim->next_model, .pull = sim->pull, .wish = sim->wish};
    if (sim->next_model != NULL) put_def(sim);
    if (sim->next_ground.shape != NULL) sim->ground = sim->next_ground;
    sim->next_ground = (project_ground){0};
    sim->next_model = NULL;
    sim->pull.from = sim->pull.to;
    sim->busy = true;
    worker_begin(sim->worker);
}

// Waits for the thread, and takes its frame.   @return whether the thread is idle
static bool collect(simulation *sim, double patience)
{
    simulation_job *j = &sim->job;
    if (!sim->busy) return true;
    if (!worker_wait(sim->worker, patience)) return false;
    sim->busy = false;
    sim->frame_count = sim->frames.frame_count;
    sim->over |= j->failed;
    sim->walking.fallen = j->fallen;
    if (j->said[0] != '\0') memcpy(sim->said, j->said, sizeof sim->said);
    if (sim->pull.on && j->pull.on && sim->pull.count == j->pull.count) { // the thread has measured the pull
        er_vec3 from = sim->pull.from, to = sim->pull.to;
        sim->pull = j->pull;
        sim->pull.from = from;
        sim->pull.to = to;
    }
    er_model_destroy(j->model);
    j->model = NULL;
    show_frame(sim);
    return true;
}

double simulation_length(const simulation *sim)
{
    return (double)(sim->frame_count - 1) / SIMULATION_FPS;
}

static void pace(simulation *sim, double request, double gone)
{
    double fade = exp(-request / PACE_SECONDS);
    sim->request = fade * sim->request + request;
    sim->gone = fade * sim->gone + gone;
}

double simulation_play(simulation *sim, double seconds, double patience)
{
    double was = sim->time, wanted = was + seconds, late = eri_seconds() + patience;
    while (collect(sim, late - eri_seconds()) && !sim->over && simulation_length(sim) < wanted - 1e-9)
        begin_job(sim);
    sim->time = fmin(wanted, fmax(simulation_length(sim), was));
    if (!sim->busy) show_frame(sim);
    pace(sim, seconds, sim->over ? seconds : sim->time - was);
    return sim->time - was;
}

void simulation_show(simulation *sim, double time)
{
    sim->time = fmin(fmax(time, 0.0), simulation_length(sim));
    if (collect(sim, 0.0)) show_frame(sim);
}

double simulation_time(const simulation *sim)
{
    return sim->time;
}

double simulation_pace(const simulation *sim)
{
    return sim->request > 0.0 ? sim->gone / sim->request : 1.0;
}

bool simulation_is_over(const simulation *sim)
{
    return sim->over;
}

const char *simulation_error(simulation *sim)
{
    memcpy(sim->saying, sim->said, sizeof sim->saying);
    sim->said[0] = '\0';
    return sim->saying;
}

// --- the recording

const er_pose *simulation_pose(const simulation *sim)
{
    return sim->shown;
}

er_world_energy simulation_energy(const simulation *sim)
{
    return sim->shown_energy;
}

int simulation_contacts(const simulation *sim, const er_frame_contact **out)
{
    *out = sim->shown_contact;
    return sim->shown_contact_count;
}

int simulation_island(const simulation *sim, int body, bool *asleep)
{
    int island = sim->shown_island[body];
    *asleep = island < -1;
    return *asleep ? -2 - island : island;
}

static const project_ground *ground_of(const simulation *sim)
{
    return sim->ground.shape != NULL ? &sim->ground : &sim->next_ground;
}

bool simulation_floor(const simulation *sim, double *height)
{
    *height = ground_of(sim)->floor;
    return project_has_floor(&sim->next_def.ground);
}

const er_scene *simulation_scene(const simulation *sim, er_quat *turn)
{
    *turn = ground_of(sim)->turn;
    return ground_of(sim)->scene;
}

static double between(double a, double b, double share)
{
    return a + share * (b - a);
}

bool simulation_curves(simulation *sim, int count, float *curve[3])
{
    double least = HUGE_VAL;
    if (!collect(sim, 0.0)) return false;
    for (int k = 0; k < sim->frame_count; ++k)
        least = fmin(least, sim->frames.energy[k].potential);
    for (int i = 0; i < count; ++i) {
        double at = (double)i * (sim->frame_count - 1) / (count - 1), share = at - floor(at);
        const er_world_energy *e = &sim->frames.energy[(int)at], *next = e + (share > 0.0);
        curve[0][i] = (float)between(e->kinetic, next->kinetic, share);
        curve[1][i] = (float)(between(e->potential, next->potential, share) - least);
        curve[2][i] = (float)between(e->elastic, next->elastic, share);
    }
    return true;
}

er_result simulation_write(simulation *sim, const session *s, const char *path)
{
    er_result r = check_parts(sim, s);
    if (r != ER_OK) return r;
    if (!collect(sim, LAST_WAIT))
        return er_fail(sim->context, ER_ERROR_ARGUMENT, "a frame is still being computed: pause, and try again");
    const project_simulation done = {.frames = sim->frames, .fps = SIMULATION_FPS};
    return project_write_simulated(sim->context, &done, session_scene(s), session_target(s), path);
}
