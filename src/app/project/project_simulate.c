// Worlds run frame by frame: from a model or a world file to frames in memory.
#include "app/project/project_simulate.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/project/initial_state.h"
#include "app/project/project_frames.h"
#include "base/failure.h"

enum { USUAL_SECONDS = 5, USUAL_FPS = 60, MOST_CYCLES = 100 };

#define GRAVITY 9.81
#define GIANT 10.0        // m: a taller model most likely has other units
#define USUAL_DAMPING 1.0 // ratio of joints without dampers, so that a fallen model comes to rest
#define MOST_ROOM 4e9     // bytes that all frames may take
#define PERIODIC 1e-4     // rad, or of the largest rate: a cycle ends as it began
#define CLOSED 1e-3       // of the size, or rad: a clip ends as it begins

const char *const project_routes[] = {
    [ER_ROUTE_REDUCED] = "reduced", [ER_ROUTE_MULTIPLIERS] = "multipliers", [ER_ROUTE_MULTIPLIERS + 1] = NULL};
const char *const project_integrators[] = {
    [ER_INTEGRATE_EULER] = "euler",       [ER_INTEGRATE_SEMI_IMPLICIT] = "semi-implicit",
    [ER_INTEGRATE_HEUN] = "heun",         [ER_INTEGRATE_RK4] = "rk4",
    [ER_INTEGRATE_FEHLBERG] = "fehlberg", [ER_INTEGRATE_IMPLICIT] = "implicit",
    [ER_INTEGRATE_CONTACT] = "contact",   [ER_INTEGRATE_CONTACT + 1] = NULL};

const char *const project_rests[] = {[PROJECT_REST_POSE] = "pose", [PROJECT_REST_CLIP] = "clip", NULL};

project_simulation_def project_default_simulation_def(void)
{
    return (project_simulation_def){
        .gravity = -1.0, .integrator = ER_INTEGRATE_FEHLBERG, .ground = project_default_ground_def()};
}

// A simulation in progress.
typedef struct run {
    er_context *context;
    er_world *world;
    const er_model *model;
    er_dynamics_route route;
    double start, duration;
    int count; // of frames
    project_impulse push[PROJECT_MOST_PUSHES];
    int push_count;
    project_ground ground;
    const er_world_shape *shape; // of the world; NULL without
    bool bounces;                // its shapes have impacts
    bool keeps_part;             // project_simulation_def.keeps_part
    double longest;              // s, of contact steps
    project_contact_sums sums;   // of contacts since the last frame
    bool loops;                  // project_simulation_def.loop
    const bool *held;            // [body_count]; NULL: none
    const er_trajectory *track;  // of held bodies, and where springs rest; NULL: none
    const project_listener *listener;
    const project_progress *progress;
    project_simulation *out;
} run;

// --- frames

static er_result make_frames(run *s)
{
    double room = (double)s->count * (project_frame_bytes(s->model) + 16.0);
    if (!(room <= MOST_ROOM))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "%d frames of %d bodies take %.3g GB; take fewer a second",
                       s->count, s->model->body_count, room / 1e9);
    s->out->frames = (er_world_frames){.model = s->model};
    return project_frames_reserve(s->context, &s->out->frames, s->count);
}

static er_result take_frame(run *s)
{
    return project_frames_take(s->context, s->world, s->route, &s->sums, &s->out->frames);
}

static void add_report(er_world_report *sum, const er_world_report *part)
{
    sum->steps += part->steps;
    sum->rejected += part->rejected;
    sum->evaluations += part->evaluations;
    sum->corrections += part->corrections;
    sum->gap = fmax(sum->gap, part->gap);
}

static er_result advance(run *s, double until)
{
    er_world_report report = {0};
    er_result taken = ER_OK;
    er_result r = s->shape != NULL && !s->bounces
                      ? project_contact_sums_advance(s->context, s->world, s->model, s->shape, s->longest, until,
                                                     &report, &s->sums)
                      : er_world_advance(s->world, until, &report);
    if (s->bounces) taken = project_frames_take_impacts(s->context, s->world, s->shape, &s->out->frames);
    if (r == ER_OK) r = taken;
    add_report(&s->out->report, &report);
    return r;
}

// Advances to a frame, and applies the pushes on the way.
static er_result advance_to_frame(run *s, double until)
{
    er_result r = ER_OK;
    double now = er_world_time(s->world);
    for (int i = 0; i < s->push_count && r == ER_OK; ++i) {
        const project_impulse *push = &s->push[i];
        double at = s->start + push->time;
        if (!(at >= now && at < until)) continue;
        r = advance(s, at);
        if (r == ER_OK) r = er_world_push(s->world, push->body, push->point, push->impulse);
    }
    return r == ER_OK ? advance(s, until) : r;
}

static int by_time(const void *a, const void *b)
{
    double x = ((const project_impulse *)a)->time, y = ((const project_impulse *)b)->time;
    return (x > y) - (x < y);
}

static er_result run_frames(run *s)
{
    er_result r = take_frame(s);
    for (int k = 1; k < s->count && r == ER_OK; ++k) {
        if (s->progress != NULL && s->progress->step != NULL &&
            !s->progress->step(s->progress->user, k, s->count - 1)) {
            s->out->stopped = true;
            break;
        }
        r = advance_to_frame(s, s->start + s->duration * k / (s->count - 1));
        if (r == ER_OK) r = take_frame(s);
    }
    return r;
}

// ---- cycles

// How far a cycle's end is from its beginning: the larger of two shares, of joint coordinates over a radian (lengths
// over the rig's size), and of their rates over the largest rate.
static double cycle_apart(const run *s)
{
    const er_world_frames *f = &s->out->frames;
    size_t width = (size_t)s->model->coordinate_count, last = (size_t)(f->frame_count - 1) * width;
    double places = 0.0, rates = 0.0, most = 0.0;
    for (int k = 0; k < s->model->joint_count; ++k) {
        const er_joint *j = &s->model->joint[k];
        int axis[6], freedom = er_joint_type_freedom(j->type, axis);
        if (j->closes_loop || s->held[j->child]) continue;
        for (int c = 0; c < freedom; ++c) {
            size_t at = (size_t)(s->model->coordinate[k] + c);
            double unit = axis[c] < 3 ? 1.0 : s->model->size;
            places = fmax(places, fabs(f->q[last + at] - f->q[at]) / unit);
            rates = fmax(rates, fabs(f->rate[last + at] - f->rate[at]) / unit);
            for (int i = 0; i < f->frame_count; ++i)
                most = fmax(most, fabs(f->rate[(size_t)i * width + at]) / unit);
        }
    }
    return fmax(places, most > 0.0 ? rates / most : 0.0);
}

static er_result check_cycle(const run *s)
{
    const er_world_frames *f = &s->out->frames;
    const er_pose *last = f->pose + (size_t)(f->frame_count - 1) * (size_t)s->model->body_count;
    for (int b = 0; b < s->model->body_count; ++b) {
        double turn = er_v3_norm(er_q_log(er_q_mul(er_q_conj(f->pose[b].q), last[b].q)));
        double shift = er_v3_distance(f->pose[b].p, last[b].p) / s->model->size;
        if (s->held[b] && fmax(turn, shift) > CLOSED)
            return er_fail(
                s->context, ER_ERROR_ARGUMENT,
                "loop: \"%s\" ends the clip elsewhere than it begins, by %.2g of the size and %.2g rad; take a "
                "clip that loops in place",
                s->model->body[b].name, shift, turn);
    }
    return ER_OK;
}

// Cycles of the clip, each from the end of the one before, until one ends as it began.
static er_result run_cycles(run *s)
{
    er_result r = ER_OK;
    er_world_frames *f = &s->out->frames;
    size_t bodies = (size_t)s->model->body_count;
    double apart = HUGE_VAL;
    int cycles = 0;
    while (r == ER_OK && !s->out->stopped && apart > PERIODIC && cycles < MOST_CYCLES) {
        size_t last = cycles > 0 ? (size_t)(f->frame_count - 1) * bodies : 0;
        if (cycles++ > 0) r = er_world_set_state(s->world, 0.0, f->pose + last, f->twist + last);
        f->frame_count = 0;
        if (r == ER_OK) r = run_frames(s);
        if (r == ER_OK && !s->out->stopped) r = check_cycle(s);
        if (r == ER_OK && !s->out->stopped) apart = cycle_apart(s);
    }
    if (r != ER_OK || s->out->stopped) return r;
    s->out->cycles = cycles;
    s->out->periodic = apart <= PERIODIC;
    if (!s->out->periodic)
        project_notify(
            s->listener, ER_NOTE_WARNING,
            "it does not become periodic: after %d cycles its end is off its beginning by %.2g rad or of its "
            "rates; more --damping would settle it",
            cycles, apart);
    return r;
}

static er_result run_world(run *s)
{
    er_result r = make_frames(s);
    qsort(s->push, (size_t)s->push_count, sizeof *s->push, by_time);
    if (r == ER_OK) r = s->loops ? run_cycles(s) : run_frames(s);
    if (r != ER_OK && s->keeps_part && s->out->frames.frame_count > 1) {
        s->out->failure = r;
        snprintf(s->out->reason, sizeof s->out->reason, "%s", er_context_error(s->context));
        return ER_OK;
    }
    if (r != ER_OK) return r;
    if (s->progress != NULL && s->progress->step != NULL && !s->out->stopped)
        s->progress->step(s->progress->user, s->count - 1, s->count - 1);
    return r;
}

static er_result count_frames(run *s, double fps)
{
    double frames = ceil(s->duration * fps - 1e-6) + 1.0;
    if (!(frames <= 1e7))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "%g s at %g frames a second are more than 10 million frames",
                       s->duration, fps);
    s->count = frames < 2.0 ? 2 : (int)frames;
    s->out->fps = (s->count - 1) / s->duration;
    return ER_OK;
}

static er_result read_pushes(run *s, const project_simulation_def *def, er_vec3 forward)
{
    er_result r = ER_OK;
    for (int i = 0; i < def->push_count && r == ER_OK; ++i)
        r = project_impulse_read(s->context, s->model, forward, def->push[i], &s->push[s->push_count++]);
    return r;
}

static er_result finish(er_result r, project_simulation *out)
{
    if (r != ER_OK) project_simulation_clear(out);
    return r;
}

// --- a model

static void lead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    er_trajectory_at(((const run *)user)->track, time, body, pose, twist, rate);
}

static void pull(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    er_follow_springs_apply(((const run *)user)->out->springs, time, pose, twist, wrench);
}

// A damping ratio of modes has no law for single joints, so each joint gets the ratio of moving alone.
er_result project_damp(er_context *context, const er_model *model, double ratio, er_model **out)
{
    er_joint_change joint = er_default_joint_change();
    joint.pattern = "*";
    joint.damping_ratio = ratio;
    er_rig_change change = er_default_rig_change();
    change.damping_ratio = 0.0;
    change.joint = &joint;
    change.joint_count = ratio > 0.0;
    return er_rig_change_model(context, model, &change, out);
}

static bool has_springs_alone(const er_model *m)
{
    bool springs = false, dampers = m->damping_ratio > 0.0 || m->rayleigh_mass > 0.0 || m->rayleigh_stiffness > 0.0;
    for (int k = 0; k < m->joint_count; ++k)
        for (int c = 0; c < 6; ++c) {
            springs |= m->joint[k].stiffness[c] > 0.0;
            dampers |= m->joint[k].damping[c] > 0.0;
        }
    return springs && !dampers;
}

double project_damping(const er_model *model, const project_ground_def *ground)
{
    if (model->damping_ratio != 0.0) return model->damping_ratio;
    return project_has_contacts(ground) && has_springs_alone(model) ? USUAL_DAMPING : 0.0;
}

// Makes a damped copy if the model has only a damping ratio, or no dampers although it falls; otherwise none.
static er_result damp_where_needed(er_context *context, const er_model *model, const project_simulation_def *def,
                                   const project_listener *listener, er_model **out)
{
    double ratio = project_damping(model, &def->ground);
    if (ratio == 0.0) return ER_OK;
    if (model->damping_ratio != 0.0)
        project_notify(listener, ER_NOTE_FACT, "damping ratio %g is that of each joint moving alone", ratio);
    else
        project_notify(listener, ER_NOTE_FACT,
                       "no joint has a damper: each gets one of ratio %g, alone; --damping says another", ratio);
    return project_damp(context, model, ratio, out);
}

er_vec3 project_up(const er_rig *rig)
{
    return rig != NULL ? er_v3_unit(rig->scene->up, er_v3(0, 1, 0)) : er_v3(0, 1, 0);
}

// The direction that a scene faces; if the file does not say it, the usual horizontal axis.
static er_vec3 forwards(const er_rig *rig, er_vec3 up)
{
    er_vec3 forward = rig != NULL ? rig->scene->forward : er_v3(0, 0, 0);
    if (er_v3_norm(forward) > 0.0) return forward;
    return fabs(up.z) < 0.5 ? er_v3(0, 0, 1) : er_v3(0, -1, 0);
}

static er_result check_integrator(er_context *context, const project_simulation_def *def)
{
    if (def->integrator == ER_INTEGRATE_FEHLBERG || def->integrator == ER_INTEGRATE_CONTACT) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "contacts need the integrator \"contact\"; leave the integrator out");
}

// The state at the start, raised.
static er_result raise(run *s, const er_world *from, double height, er_vec3 up)
{
    int n = s->model->body_count;
    er_pose *pose = malloc((size_t)n * sizeof *pose);
    if (pose == NULL) return eri_no_memory(s->context);
    for (int b = 0; b < n; ++b) {
        pose[b] = er_world_pose(from)[b];
        pose[b].p = er_v3_madd(pose[b].p, height, up);
    }
    er_result r = er_world_set_state(s->world, 0.0, pose, er_world_twist(from));
    free(pose);
    return r;
}

// Warns of a giant: the duration of a fall grows with the root of the height, and the file may have other units.
static void tell_size(const project_listener *listener, const er_rig *rig)
{
    if (rig != NULL && rig->height > GIANT)
        project_notify(listener, ER_NOTE_WARNING,
                       "it is %.3g m high, so that all takes %.2g times as long as for a person; --height says another",
                       rig->height, project_fall_scale(rig->height));
}

// Replaces the world by the same one with contacts.
static er_result let_meet(run *s, const er_rig *rig, const project_simulation_def *def,
                          const project_listener *listener, er_world_def *world)
{
    er_vec3 up = project_up(rig);
    er_world *alone = s->world;
    tell_size(listener, rig);
    s->world = NULL;
    er_result r =
        project_ground_create(s->context, s->model, rig, &def->ground, er_world_pose(alone), up, listener, &s->ground);
    if (r == ER_OK) {
        project_ground_apply(&s->ground, &def->ground, world);
        s->shape = world->shape;
        s->longest = world->max_step;
        r = er_world_create(s->context, world, &s->world);
    }
    if (r == ER_OK) r = raise(s, alone, def->ground.drop, up);
    er_world_destroy(alone);
    return r;
}

static er_result check_rest(er_context *context, const project_simulation_def *def)
{
    if (def->rest == PROJECT_REST_POSE) return ER_OK;
    if (def->from == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "rest clip needs a clip, which from CLIP@S names");
    if (project_has_contacts(&def->ground))
        return er_fail(context, ER_ERROR_ARGUMENT, "rest clip cannot be had with the ground and other contacts");
    return ER_OK;
}

// Springs of all joints that move, resting where the track has the joints.
static er_result move_rest(run *s, const project_simulation_def *def)
{
    const er_model *m = s->model;
    if (def->rest == PROJECT_REST_POSE) return ER_OK;
    if (s->track == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "rest clip: from %s gives no clip", def->from);
    bool *loose = malloc((size_t)m->body_count * sizeof *loose);
    if (loose == NULL) return eri_no_memory(s->context);
    for (int b = 0; b < m->body_count; ++b)
        loose[b] = !(s->held != NULL && s->held[b]) && m->tree_parent[b] >= 0 && m->joint[m->tree_joint[b]].child == b;
    er_result r = er_follow_springs_create(s->context, m, s->track, loose, NULL, &s->out->springs);
    free(loose);
    return r;
}

static er_result check_loop(er_context *context, const project_simulation_def *def)
{
    if (!def->loop) return ER_OK;
    if (def->from == NULL || def->hold == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "loop needs a clip and the bodies that it leads: from CLIP@S and hold");
    if (def->duration > 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "loop takes its duration from the clip; leave duration out");
    if (def->push_count > 0 || project_has_contacts(&def->ground))
        return er_fail(context, ER_ERROR_ARGUMENT, "loop is for springs alone; leave %s out",
                       def->push_count > 0 ? "push" : "the ground and other contacts");
    return ER_OK;
}

// The frames of a loop are those of its clip.
static er_result take_period(run *s, const project_simulation_def *def, const project_initial_state *start)
{
    s->held = start->held;
    s->track = start->track;
    if (!def->loop) return ER_OK;
    if (start->period == 0.0)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "loop: from %s gives no clip with a duration", def->from);
    s->loops = true;
    s->duration = start->period;
    return count_frames(s, def->fps > 0.0 ? def->fps : USUAL_FPS);
}

static er_result set_world(run *s, const er_rig *rig, const project_simulation_def *def,
                           const project_listener *listener, project_initial_state *start)
{
    er_world_def world = er_default_world_def();
    world.model = s->out->springs != NULL ? s->out->springs->model : s->model;
    world.gravity = er_v3_scale(def->gravity < 0.0 ? -GRAVITY : -def->gravity, project_up(rig));
    world.held = start->held;
    if (start->track != NULL && start->held != NULL) world.guide = lead;
    if (s->out->springs != NULL) world.apply = pull;
    world.user = s;
    world.route = s->route;
    world.integrator = def->integrator;
    world.enforce_limits = def->limits;
    if (def->tolerance > 0.0) world.tolerance = def->tolerance;
    er_result r = er_world_create(s->context, &world, &s->world);
    if (r == ER_OK && start->x != NULL) r = er_world_set_displacement(s->world, 0.0, start->x, start->rate);
    if (r == ER_OK && project_has_contacts(&def->ground)) r = let_meet(s, rig, def, listener, &world);
    return r;
}

er_result project_simulate(er_context *context, const er_model *model, const er_rig *rig,
                           const project_simulation_def *def, const project_listener *listener,
                           const project_progress *progress, project_simulation *out)
{
    *out = (project_simulation){0};
    run s = {.context = context,
             .route = def->route,
             .duration = def->duration > 0.0 ? def->duration : USUAL_SECONDS,
             .keeps_part = def->keeps_part,
             .listener = listener,
             .progress = progress,
             .out = out};
    project_initial_state start = {0};
    er_result r = ER_OK;
    if (project_has_contacts(&def->ground)) r = check_integrator(context, def);
    if (r == ER_OK) r = check_rest(context, def);
    if (r == ER_OK) r = check_loop(context, def);
    if (r == ER_OK) r = project_ground_check(context, model, def->hold != NULL, &def->ground);
    if (r == ER_OK) r = damp_where_needed(context, model, def, listener, &out->damped);
    s.model = out->damped != NULL ? out->damped : model;
    if (r == ER_OK) r = count_frames(&s, def->fps > 0.0 ? def->fps : USUAL_FPS);
    if (r == ER_OK) r = project_initial_state_read(context, s.model, rig, def, s.duration, listener, &start);
    if (r == ER_OK) r = take_period(&s, def, &start);
    if (r == ER_OK) r = move_rest(&s, def);
    if (r == ER_OK) r = read_pushes(&s, def, forwards(rig, project_up(rig)));
    if (r == ER_OK) r = set_world(&s, rig, def, listener, &start);
    if (r == ER_OK) r = run_world(&s);
    er_world_destroy(s.world);
    project_contact_sums_clear(&s.sums);
    project_ground_clear(&s.ground);
    project_initial_state_clear(&start);
    return finish(r, out);
}

// --- a world file

// The option that asks for contacts.
static const char *met_by(const project_ground_def *def)
{
    if (def->drop > 0.0) return "drop";
    if (def->floor) return "ground";
    return def->statics != NULL ? "static" : "self-collision";
}

er_world_file project_change_world(const er_world_file *file, const project_simulation_def *def)
{
    er_world_file changed = *file;
    er_world_def *world = &changed.def;
    double fps = def->fps > 0.0 ? def->fps : file->frame_count / file->duration;
    if (def->gravity >= 0.0) world->gravity = er_v3_scale(-def->gravity, er_world_file_up(file));
    if (def->tolerance > 0.0) world->tolerance = def->tolerance;
    if (def->integrator_given || def->integrator != ER_INTEGRATE_FEHLBERG) world->integrator = def->integrator;
    if (def->route_given || def->route != ER_ROUTE_REDUCED) world->route = def->route;
    if (def->limits) world->enforce_limits = true;
    if (def->duration > 0.0) changed.duration = def->duration;
    changed.frame_count = (int)fmin(fmax(round(changed.duration * fps), 1.0), 1e7);
    return changed;
}

er_result project_simulate_world(er_context *context, const er_world_file *file, const project_simulation_def *def,
                                 const project_listener *listener, const project_progress *progress,
                                 project_simulation *out)
{
    (void)listener;
    *out = (project_simulation){0};
    const char *of_models = def->from != NULL                ? "from"
                            : def->hold != NULL              ? "hold"
                            : def->rest == PROJECT_REST_CLIP ? "rest"
                            : def->loop                      ? "loop"
                                                             : NULL;
    if (of_models != NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s is for models; a world file has an initial state of its own",
                       of_models);
    if (project_has_contacts(&def->ground))
        return er_fail(context, ER_ERROR_ARGUMENT, "--%s is for models; a world file has its own shapes",
                       met_by(&def->ground));
    const er_world_file as_asked = project_change_world(file, def);
    run s = {.context = context,
             .model = file->model,
             .start = file->time,
             .duration = as_asked.duration,
             .keeps_part = def->keeps_part,
             .progress = progress,
             .out = out};
    const er_world_def world = as_asked.def;
    er_vec3 up = er_world_file_up(file);
    bool forward_is_y = er_v3_norm(file->def.gravity) > 0.0 && fabs(up.x) > 0.5;
    s.route = world.route;
    er_result r = count_frames(&s, def->fps > 0.0 ? def->fps : file->frame_count / file->duration);
    if (r == ER_OK) r = read_pushes(&s, def, forward_is_y ? er_v3(0, 1, 0) : er_v3(1, 0, 0));
    s.shape = world.shape;
    s.longest = world.max_step;
    s.bounces = world.integrator != ER_INTEGRATE_CONTACT && world.shape_count > 0;
    if (r == ER_OK) r = er_world_create(context, &world, &s.world);
    if (r == ER_OK) r = er_world_set_state(s.world, file->time, file->pose, file->twist);
    if (r == ER_OK) r = run_world(&s);
    er_world_destroy(s.world);
    project_contact_sums_clear(&s.sums);
    return finish(r, out);
}

void project_simulation_clear(project_simulation *simulation)
{
    project_frames_clear(&simulation->frames);
    er_follow_springs_destroy(simulation->springs);
    er_model_destroy(simulation->damped);
    *simulation = (project_simulation){0};
}
