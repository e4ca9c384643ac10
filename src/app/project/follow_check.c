// Follow-through beside full dynamics: the same springs, bodies and forces, run until they repeat.
#include "app/project/follow_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/dynamics.h>

#include "base/failure.h"

enum { MOST_CYCLES = 100, LEAST_SAMPLES = 24 };

#define TOLERANCE 1e-7
#define PERIODIC 1e-4 // rad, between two cycles

typedef struct checker {
    er_context *context;
    const er_model *model;
    const er_follow *follow;
    const er_trajectory *track;
    const bool *loose;
    er_follow_springs *springs;
    er_world *world;
    int samples, step; // instants that are looked at, and from one to the next
    bool *held;        // [body_count]
    int *part;         // [body_count], of loose bodies
    er_quat *seen;     // [samples x body_count], turns of loose bodies in their parents
    er_pose *pose;     // [3 x body_count]
    double *x, *rate;  // [width of a displacement], [3 x coordinates] at least
    double period;     // s; 0: the motion does not repeat
    er_pose once;      // displacement of a repetition
} checker;

// The time in the clip.   @param cycles  written: repetitions before
static double time_in_clip(const checker *s, double time, int *cycles)
{
    *cycles = s->period > 0.0 ? (int)floor(time / s->period) : 0;
    return time - *cycles * s->period;
}

static void lead(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    const checker *s = user;
    int cycles;
    double at = time_in_clip(s, time, &cycles);
    er_trajectory_at(s->track, at, body, pose, twist, rate);
    for (int k = 0; k < cycles; ++k)
        *pose = er_pose_mul(s->once, *pose);
}

static void pull(void *user, double time, const er_pose *pose, const er_twist *twist, er_wrench *wrench)
{
    const checker *s = user;
    int cycles;
    er_follow_springs_apply(s->springs, time_in_clip(s, time, &cycles), pose, twist, wrench);
}

static er_quat turn_in(const checker *s, const er_pose *pose, int body)
{
    return er_q_mul(er_q_conj(pose[s->model->tree_parent[body]].q), pose[body].q);
}

static double angle_of(er_quat a, er_quat b)
{
    return er_v3_norm(er_q_log(er_q_mul(er_q_conj(a), b)));
}

static er_result make_world(checker *s, const er_follow_def *def)
{
    er_world_def world = er_default_world_def();
    world.model = s->springs->model;
    world.gravity = def->gravity;
    world.held = s->held;
    world.guide = lead;
    world.apply = pull;
    world.user = s;
    world.integrator = ER_INTEGRATE_FEHLBERG;
    world.tolerance = TOLERANCE;
    return er_world_create(s->context, &world, &s->world);
}

static er_result make_room(checker *s)
{
    size_t bodies = (size_t)s->model->body_count, width = (size_t)s->model->coordinate_count + 6 * bodies;
    s->step = (s->follow->count - 1) / LEAST_SAMPLES;
    if (s->step < 1) s->step = 1;
    s->samples = (s->follow->count - 1) / s->step;
    s->held = malloc(bodies * sizeof *s->held);
    s->part = malloc(bodies * sizeof *s->part);
    s->seen = calloc((size_t)s->samples * bodies, sizeof *s->seen);
    s->pose = malloc(3 * bodies * sizeof *s->pose);
    s->x = calloc(3 * width, sizeof *s->x);
    s->rate = calloc(width, sizeof *s->rate);
    bool all =
        s->held != NULL && s->part != NULL && s->seen != NULL && s->pose != NULL && s->x != NULL && s->rate != NULL;
    return all ? ER_OK : eri_no_memory(s->context);
}

static void name_parts(checker *s)
{
    for (int i = 0, b; i < s->model->body_count; ++i) {
        b = s->model->order[i];
        s->held[b] = !s->loose[b];
        s->part[b] = -1;
        if (s->loose[b]) s->part[b] = s->part[s->model->tree_parent[b]];
        for (int k = 0; k < s->follow->part_count; ++k)
            if (s->follow->part[k].body == b) s->part[b] = k;
    }
}

// The state at 0: the clip's, or the follow-through's if that does not repeat.
static er_result begin(checker *s)
{
    size_t bodies = (size_t)s->model->body_count, n = (size_t)s->model->coordinate_count;
    double h = s->follow->time[1] - s->follow->time[0];
    er_twist twist, rate;
    for (size_t k = 0; k < 3; ++k) { // two steps give the rates to second order
        er_pose *pose = s->pose + k * bodies;
        for (size_t b = 0; b < bodies; ++b)
            er_trajectory_at(s->track, (double)k * h, (int)b, &pose[b], &twist, &rate);
        size_t instant = k < (size_t)s->follow->count ? k : (size_t)s->follow->count - 1;
        if (!s->follow->repeats) memcpy(pose, s->follow->pose + instant * bodies, bodies * sizeof *pose);
        er_model_coordinates(s->model, pose, s->x + k * n, NULL);
    }
    for (size_t c = 0; c < n; ++c) {
        double first = remainder(s->x[n + c] - s->x[c], 2.0 * ER_PI),
               both = remainder(s->x[2 * n + c] - s->x[c], 2.0 * ER_PI);
        s->rate[c] = (2.0 * first - 0.5 * both) / h;
    }
    memset(s->x + n, 0, 2 * n * sizeof *s->x); // roots follow
    return er_world_set_displacement(s->world, 0.0, s->x, s->rate);
}

// Runs once over the clip.   @param start  s   @param change  written: rad, the largest difference from the run before
static er_result run_once(checker *s, double start, double *change)
{
    er_result r = ER_OK;
    *change = 0.0;
    for (int k = 0; k < s->samples && r == ER_OK; ++k) {
        r = er_world_advance(s->world, start + s->follow->time[(k + 1) * s->step], NULL);
        for (int b = 0; b < s->model->body_count && r == ER_OK; ++b) {
            if (!s->loose[b]) continue;
            er_quat *seen = &s->seen[k * s->model->body_count + b], now = turn_in(s, er_world_pose(s->world), b);
            *change = fmax(*change, er_q_dot(*seen, *seen) > 0.0 ? angle_of(*seen, now) : ER_PI);
            *seen = now;
        }
    }
    return r;
}

// The way of the clip from its beginning to its end.
static void find_repetition(checker *s)
{
    er_pose first, last;
    er_twist twist, rate;
    int carrier = s->model->tree_parent[s->follow->part[0].body];
    s->period = s->follow->time[s->follow->count - 1];
    er_trajectory_at(s->track, 0.0, carrier, &first, &twist, &rate);
    er_trajectory_at(s->track, s->period, carrier, &last, &twist, &rate);
    s->once = er_pose_mul(last, er_pose_inverse(first));
}

// How far the clip takes joints of loose bodies apart, m.
static double joint_gap(const checker *s, const er_pose *pose)
{
    const er_model *m = s->model;
    double gap = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        if (!s->loose[b]) continue;
        int parent = m->tree_parent[b];
        er_vec3 at = m->joint[m->tree_joint[b]].frame.p;
        er_vec3 in = er_pose_point(er_pose_inverse(m->body[b].pose), at),
                out = er_pose_point(er_pose_inverse(m->body[parent].pose), at);
        gap = fmax(gap, er_v3_distance(er_pose_point(pose[b], in), er_pose_point(pose[parent], out)));
    }
    return gap;
}

static void compare(const checker *s, project_follow_off *off)
{
    size_t bodies = (size_t)s->model->body_count;
    for (int k = 0; k < s->samples; ++k)
        for (int b = 0; b < s->model->body_count; ++b) {
            if (!s->loose[b]) continue;
            const er_pose *pose = s->follow->pose + (size_t)((k + 1) * s->step) * bodies;
            project_follow_off *to = &off[s->part[b]];
            to->angle = fmax(to->angle, angle_of(turn_in(s, pose, b), s->seen[(size_t)k * bodies + (size_t)b]));
        }
}

static er_result run(checker *s, project_follow_off *off, int *cycles)
{
    double change = HUGE_VAL, gap = 0.0;
    er_result r = begin(s);
    if (s->follow->repeats) find_repetition(s);
    for (int k = 0; k < s->samples; ++k)
        gap = fmax(gap, joint_gap(s, s->follow->pose + (size_t)(k * s->step) * (size_t)s->model->body_count));
    while (r == ER_OK && change > PERIODIC && *cycles < (s->follow->repeats ? MOST_CYCLES : 1)) {
        r = run_once(s, *cycles * s->period, &change);
        ++*cycles;
    }
    for (int i = 0; i < s->follow->part_count; ++i)
        off[i] = (project_follow_off){.periodic = change <= PERIODIC, .gap = gap / s->model->size};
    if (r == ER_OK) compare(s, off);
    return r;
}

er_result project_follow_check(er_context *context, const er_follow *follow, const er_trajectory *trajectory,
                               const bool *loose, const er_follow_def *def, project_follow_off *off, int *cycles)
{
    checker s = {context, follow->model, follow, trajectory, loose, .springs = NULL};
    *cycles = 0;
    er_result r = make_room(&s);
    if (r == ER_OK) name_parts(&s);
    if (r == ER_OK)
        r = er_follow_springs_create(context, s.model, def->rest_pose ? NULL : trajectory, loose, follow, &s.springs);
    if (r == ER_OK) r = make_world(&s, def);
    if (r == ER_OK) r = run(&s, off, cycles);
    er_world_destroy(s.world);
    er_follow_springs_destroy(s.springs);
    free(s.rate);
    free(s.x);
    free(s.pose);
    free(s.seen);
    free(s.part);
    free(s.held);
    return r;
}
