// Inverse dynamics of clips, mixes and gaits: poses in time, corners of soles that stand, forces frame by frame.
#include "app/project/project_inverse.h"

#include <stdlib.h>
#include <string.h>

#include "app/project/force_plate.h"
#include "app/project/pose_track.h"
#include "app/project/project_ground.h"
#include "base/failure.h"

#define GRAVITY 9.81 // m/s^2, of the speed at which corners stand
#define SPARSE 1.5   // frames from a key to the next, from which on frames lie between keys

// A corner of a sole.
typedef struct sole_corner {
    int foot;   // index of the loads' feet
    er_vec3 at; // m, world, in the present frame
} sole_corner;

typedef struct inverse_work {
    er_context *context;
    const er_model *model;
    const er_rig *rig;
    const project_inverse_def *def;
    const project_listener *listener;
    er_gait_body *body;
    pose_track track;
    er_trajectory *trajectory;
    force_plate plate;
    int *plate_foot; // [plate.body_count], index of the loads' feet
    int corner_count;
    sole_corner *corner;         // [corner_count]
    er_inverse_contact *contact; // [corner_count]
    double *height, *speed[2];   // [frame_count x corner_count]: above the origin; along the ground's two directions
    er_vec3 along[2];            // these directions
    er_inverse *solver;
    er_pose *pose; // of one frame, as the rest
    er_twist *twist, *rate;
    er_wrench *applied, *residual;
    er_vec3 *ground;
    bool *stands, *measured; // measured: [foot_count], by the plate
    project_inverse *out;
} inverse_work;

project_inverse_def project_default_inverse_def(void)
{
    return (project_inverse_def){
        .fps = 60.0, .friction = project_default_ground_def().friction, .gravity = -1.0, .body = er_default_gait_def()};
}

// Others see the loads as read-only; this file writes them.
#define WRITTEN(type, array) ((type *)(uintptr_t)(array))

// ---- The motion

// Keys between which a clip is linear have no accelerations but at keys.
static void warn_of_sparse_keys(const inverse_work *s, const er_clip *clip)
{
    const er_channel *most = NULL;
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].interpolation == ER_LINEAR &&
            (most == NULL || clip->channel[i].key_count > most->key_count))
            most = &clip->channel[i];
    if (most == NULL || most->key_count < 3 || s->def->cutoff > 0.0) return;
    double apart = (most->time[most->key_count - 1] - most->time[0]) / (most->key_count - 1);
    if (apart * s->out->fps < SPARSE) return;
    project_notify(s->listener, ER_NOTE_WARNING,
                   "the clip has %.3g keys a second and is linear between them, so %.3g frames a second show jerks at "
                   "keys; --fps %.3g takes keys alone, --cutoff 6 smooths",
                   1.0 / apart, s->out->fps, 1.0 / apart);
}

static er_result make_track(inverse_work *s)
{
    const project_inverse_def *def = s->def;
    const er_clip *clip = NULL;
    er_result r = ER_OK;
    if (def->clip != NULL && s->rig == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "clip needs a model with clips, and a rig file has none");
    if (def->clip != NULL) r = er_scene_find_clip(s->context, s->rig->scene, def->clip, &clip);
    if (r != ER_OK) return r;
    if (clip != NULL)
        r = pose_track_of_clip(s->context, s->model, s->rig, clip, def->fps, 0.0, true, &s->track);
    else if (def->motion != NULL)
        r = pose_track_of_motion(s->context, def->motion, def->fps, &s->track);
    else
        r = pose_track_of_gait(s->context, def->gait, &s->track);
    if (r == ER_OK) s->out->fps = 1.0 / pose_track_time(&s->track, 1);
    if (r == ER_OK && clip != NULL) warn_of_sparse_keys(s, clip);
    if (r == ER_OK) r = pose_track_extend(s->context, s->body->up, def->cutoff, &s->track);
    if (r == ER_OK && def->cutoff > 0.0) r = pose_track_smooth(s->context, def->cutoff, &s->track);
    if (r == ER_OK) r = pose_track_trajectory(s->context, &s->track, &s->trajectory);
    s->out->repeats = s->track.repeats;
    return r;
}

static void move_to(inverse_work *s, int frame)
{
    for (int b = 0; b < s->model->body_count; ++b)
        er_trajectory_at(s->trajectory, pose_track_time(&s->track, frame), b, &s->pose[b], &s->twist[b], &s->rate[b]);
    for (int i = 0; i < s->corner_count; ++i)
        s->corner[i].at = er_pose_point(s->pose[s->contact[i].body], s->contact[i].point);
}

// ---- Feet

static bool hangs_on(const er_model *m, int body, int on)
{
    while (body >= 0 && body != on)
        body = m->tree_parent[body];
    return body >= 0;
}

// Feet of the rig, then bodies that only the plate names.
static er_result list_feet(inverse_work *s)
{
    const er_gait_body *body = s->body;
    int feet = body->foot_count, most = feet + s->plate.body_count, corners = 0;
    for (int i = 0; i < feet; ++i)
        corners += body->foot[i].point_count;
    int *foot = calloc((size_t)most + 1, sizeof *foot);
    s->out->loads.foot = foot;
    s->corner = calloc((size_t)corners + 1, sizeof *s->corner);
    s->contact = calloc((size_t)corners + 1, sizeof *s->contact);
    s->measured = calloc((size_t)most + 1, sizeof *s->measured);
    s->plate_foot = calloc((size_t)s->plate.body_count + 1, sizeof *s->plate_foot);
    if (foot == NULL || s->corner == NULL || s->contact == NULL || s->measured == NULL || s->plate_foot == NULL)
        return eri_no_memory(s->context);
    for (int i = 0; i < feet; ++i) {
        const er_gait_foot *of = &body->foot[i];
        foot[i] = of->body;
        for (int k = 0; k < of->point_count; ++k) { // a sole elsewhere in the rig does not load the leg
            int on = hangs_on(s->model, of->point_body[k], of->body) ? of->point_body[k] : of->body;
            s->corner[s->corner_count].foot = i;
            s->contact[s->corner_count++] =
                (er_inverse_contact){on, er_pose_point_inverse(s->model->body[on].pose, of->point[k])};
        }
    }
    for (int i = 0; i < s->plate.body_count; ++i) {
        int k = 0;
        while (k < feet && foot[k] != s->plate.body[i])
            ++k;
        if (k == feet) foot[feet++] = s->plate.body[i];
        s->plate_foot[i] = k;
        s->measured[k] = true;
    }
    s->out->loads.foot_count = feet;
    s->out->found_feet = body->foot_count;
    return ER_OK;
}

static er_result read_plate(inverse_work *s)
{
    if (s->def->plate == NULL) return ER_OK;
    er_result r = force_plate_read(s->context, s->model, s->body->up, s->def->plate, &s->plate);
    if (r != ER_OK) return r;
    double end = pose_track_time(&s->track, s->track.count - 1), frame = pose_track_time(&s->track, 1);
    const double *time = s->plate.time;
    if (time[0] <= frame && time[s->plate.row_count - 1] >= end - frame) return ER_OK;
    return er_fail(s->context, ER_ERROR_FORMAT, "%s: it has times from %g to %g s, and the motion those from 0 to %g s",
                   s->def->plate, time[0], time[s->plate.row_count - 1], end);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int lowest_corner(const inverse_work *s, int frame)
{
    const double *height = s->height + (size_t)frame * (size_t)s->corner_count;
    int lowest = 0;
    for (int i = 1; i < s->corner_count; ++i)
        if (height[i] < height[lowest]) lowest = i;
    return lowest;
}

// The median speed of each frame's lowest corner: that of the ground, under a clip that walks in place.
static er_result find_ground_rate(inverse_work *s)
{
    project_inverse *out = s->out;
    int count = s->track.count;
    if (s->corner_count == 0) return ER_OK;
    double *speed = malloc((size_t)count * sizeof *speed);
    if (speed == NULL) return eri_no_memory(s->context);
    for (int c = 0; c < 2; ++c) {
        for (int f = 0; f < count; ++f)
            speed[f] = s->speed[c][(size_t)f * (size_t)s->corner_count + (size_t)lowest_corner(s, f)];
        qsort(speed, (size_t)count, sizeof *speed, by_size);
        out->ground_rate = er_v3_madd(out->ground_rate, speed[count / 2], s->along[c]);
    }
    if (er_v3_norm(out->ground_rate) < 0.2 * out->slow) out->ground_rate = er_v3(0, 0, 0);
    free(speed);
    return ER_OK;
}

// The heights and speeds of corners in all frames, and the ground.
static er_result watch_corners(inverse_work *s)
{
    project_inverse *out = s->out;
    size_t all = (size_t)s->track.count * (size_t)s->corner_count + 1;
    s->height = malloc(all * sizeof *s->height);
    for (int c = 0; c < 2; ++c)
        s->speed[c] = malloc(all * sizeof *s->speed[c]);
    if (s->height == NULL || s->speed[0] == NULL || s->speed[1] == NULL) return eri_no_memory(s->context);
    s->along[0] = er_v3_perpendicular(s->body->up);
    s->along[1] = er_v3_cross(s->body->up, s->along[0]);
    out->near = PROJECT_STANDS_BELOW * s->body->height;
    out->slow = PROJECT_STANDS_SLOWER * sqrt(GRAVITY * s->body->height);
    out->ground = s->corner_count > 0 ? HUGE_VAL : s->body->ground;
    size_t at = 0;
    for (int f = 0; f < s->track.count; ++f) {
        move_to(s, f);
        for (int i = 0; i < s->corner_count; ++i, ++at) {
            int b = s->contact[i].body;
            er_vec3 own = er_v3_add(s->twist[b].linear, er_v3_cross(s->twist[b].angular, s->contact[i].point));
            er_vec3 speed = er_q_rotate(s->pose[b].q, own);
            s->height[at] = er_v3_dot(s->body->up, s->corner[i].at);
            for (int c = 0; c < 2; ++c)
                s->speed[c][at] = er_v3_dot(s->along[c], speed);
            out->ground = fmin(out->ground, s->height[at]);
        }
    }
    return find_ground_rate(s);
}

static bool stands(const inverse_work *s, int frame, int i)
{
    const project_inverse *out = s->out;
    const er_gait_motion *gait = s->def->gait;
    size_t at = (size_t)frame * (size_t)s->corner_count + (size_t)i;
    int foot = s->corner[i].foot;
    double speed = 0.0;
    for (int c = 0; c < 2; ++c) {
        double off = s->speed[c][at] - er_v3_dot(s->along[c], out->ground_rate);
        speed += off * off;
    }
    if (s->measured[foot] || s->height[at] > out->ground + out->near) return false;
    if (gait != NULL && gait->foot_count == out->found_feet) return gait->stands[frame * gait->foot_count + foot];
    return sqrt(speed) <= out->slow;
}

// ---- Forces

static er_result make_room(inverse_work *s)
{
    const er_model *m = s->model;
    er_loads *l = &s->out->loads;
    size_t frames = (size_t)s->track.count, bodies = (size_t)m->body_count, corners = (size_t)s->corner_count + 1,
           numbers = frames * (size_t)m->coordinate_count + 1;
    l->model = m;
    l->frame_count = s->track.count;
    l->up = s->body->up;
    l->time = calloc(frames, sizeof *l->time);
    l->force = calloc(numbers, sizeof *l->force);
    l->passive = calloc(numbers, sizeof *l->passive);
    l->power = calloc(numbers, sizeof *l->power);
    l->joint = calloc(frames * (size_t)m->joint_count + 1, sizeof *l->joint);
    l->residual = calloc(frames, sizeof *l->residual);
    l->load = calloc(frames * (size_t)l->foot_count + 1, sizeof *l->load);
    s->applied = calloc(bodies, sizeof *s->applied);
    s->residual = calloc(bodies, sizeof *s->residual);
    s->ground = calloc(corners, sizeof *s->ground);
    s->stands = calloc(corners, sizeof *s->stands);
    bool made = l->time != NULL && l->force != NULL && l->passive != NULL && l->power != NULL && l->joint != NULL &&
                l->residual != NULL && l->load != NULL && s->applied != NULL && s->residual != NULL &&
                s->ground != NULL && s->stands != NULL;
    return made ? ER_OK : eri_no_memory(s->context);
}

static er_result make_solver(inverse_work *s)
{
    project_inverse *out = s->out;
    er_inverse_def def = er_default_inverse_def();
    out->gravity = s->def->gravity >= 0.0 ? s->def->gravity : s->body->gravity;
    def.model = s->model;
    def.gravity = er_v3_scale(-out->gravity, s->body->up);
    def.contact_count = s->corner_count;
    def.contact = s->contact;
    def.normal = s->body->up;
    def.friction = s->def->friction;
    for (int b = 0; b < s->model->body_count; ++b)
        out->loads.weight += s->model->body[b].mass * out->gravity;
    return er_inverse_create(s->context, &def, &s->solver);
}

// A foot's load from its wrench about the world's origin: the centre of pressure is where the ground's normal meets the
// axis of the wrench.
static er_foot_load load_of(const inverse_work *s, er_wrench w)
{
    er_vec3 up = s->body->up;
    double along = er_v3_dot(up, w.force);
    er_foot_load load = {.force = w.force};
    if (!(along > 1e-9 * s->out->loads.weight)) return load;
    er_vec3 below = er_v3_scale(s->out->ground, up);
    er_vec3 torque = er_v3_sub(w.torque, er_v3_cross(below, w.force));
    er_vec3 arm = er_v3_scale(1.0 / along, er_v3_cross(up, torque));
    load.centre = er_v3_add(below, arm);
    load.twist = er_v3_dot(up, er_v3_sub(torque, er_v3_cross(arm, w.force)));
    return load;
}

static void apply_plate(inverse_work *s, int frame, er_foot_load *load)
{
    for (int i = 0; i < s->plate.body_count; ++i) {
        int b = s->plate.body[i];
        er_wrench w = force_plate_at(&s->plate, i, pose_track_time(&s->track, frame));
        er_vec3 com = er_pose_point(s->pose[b], s->model->body[b].com);
        s->applied[b] = (er_wrench){er_v3_sub(w.torque, er_v3_cross(com, w.force)), w.force};
        load[s->plate_foot[i]] = load_of(s, w);
    }
}

static void add_ground(inverse_work *s, er_foot_load *load)
{
    for (int foot = 0; foot < s->out->found_feet; ++foot) {
        er_wrench w = {{0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < s->corner_count; ++i) {
            if (s->corner[i].foot != foot) continue;
            w.force = er_v3_add(w.force, s->ground[i]);
            w.torque = er_v3_add(w.torque, er_v3_cross(s->corner[i].at, s->ground[i]));
        }
        if (!s->measured[foot]) load[foot] = load_of(s, w);
    }
}

// The residuals of all roots together, about the common centre of mass.
static er_wrench add_residuals(const inverse_work *s)
{
    const er_model *m = s->model;
    er_wrench sum = {{0, 0, 0}, {0, 0, 0}};
    er_vec3 middle = {0, 0, 0};
    double mass = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        middle = er_v3_madd(middle, m->body[b].mass, er_pose_point(s->pose[b], m->body[b].com));
        mass += m->body[b].mass;
    }
    middle = er_v3_scale(1.0 / mass, middle);
    for (int b = 0; b < m->body_count; ++b) {
        er_vec3 arm = er_v3_sub(er_pose_point(s->pose[b], m->body[b].com), middle);
        er_wrench w = s->residual[b];
        sum.force = er_v3_add(sum.force, w.force);
        sum.torque = er_v3_add(sum.torque, er_v3_add(w.torque, er_v3_cross(arm, w.force)));
    }
    return sum;
}

static er_result solve_frame(inverse_work *s, int frame)
{
    er_loads *l = &s->out->loads;
    size_t row = (size_t)frame, coordinates = (size_t)s->model->coordinate_count;
    er_foot_load *load = WRITTEN(er_foot_load, l->load) + row * (size_t)l->foot_count;
    bool stood = s->plate.body_count > 0;
    move_to(s, frame);
    for (int i = 0; i < s->corner_count; ++i) {
        s->ground[i] = er_v3(0, 0, 0);
        s->stands[i] = stands(s, frame, i);
        stood |= s->stands[i];
    }
    apply_plate(s, frame, load);
    er_inverse_frame f = {.pose = s->pose,
                          .twist = s->twist,
                          .rate = s->rate,
                          .applied = s->applied,
                          .stands = s->stands,
                          .joint = WRITTEN(er_wrench, l->joint) + row * (size_t)s->model->joint_count,
                          .force = WRITTEN(double, l->force) + row * coordinates,
                          .passive = WRITTEN(double, l->passive) + row * coordinates,
                          .power = WRITTEN(double, l->power) + row * coordinates,
                          .ground = s->ground,
                          .residual = s->residual};
    er_result r = er_inverse_solve(s->solver, &f);
    if (r != ER_OK) return r;
    add_ground(s, load);
    er_wrench left = add_residuals(s);
    double size = er_v3_norm(left.force);
    WRITTEN(er_wrench, l->residual)[frame] = left;
    WRITTEN(double, l->time)[frame] = pose_track_time(&s->track, frame);
    s->out->standing += stood;
    s->out->usual += size * size;
    if (size > s->out->residual) s->out->residual = size, s->out->worst = frame;
    return ER_OK;
}

// ---- All of it

static er_result check(er_context *context, const project_inverse_def *def)
{
    if ((def->clip != NULL) + (def->motion != NULL) + (def->gait != NULL) != 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "forces are those of one motion: a clip, a mix or a gait");
    bool fine = def->fps > 0.0 && def->fps <= 1e5 && def->cutoff >= 0.0 && def->cutoff <= 1e5 && def->friction >= 0.0 &&
                def->friction <= 1e6 && def->gravity <= 1e6;
    return fine ? ER_OK
                : er_fail(context, ER_ERROR_ARGUMENT,
                          "fps %g, cutoff %g, friction %g, gravity %g: one of these is out of range", def->fps,
                          def->cutoff, def->friction, def->gravity);
}

static void tell(const inverse_work *s)
{
    const project_inverse *out = s->out;
    const project_listener *listener = s->listener;
    const char *feet = s->def->body.feet;
    if (out->found_feet == 0 && feet != NULL && strcmp(feet, "none") == 0)
        project_notify(listener, ER_NOTE_FACT,
                       "without feet the ground gives nothing: all that a floating root needs is its residual");
    else if (out->found_feet == 0)
        project_notify(listener, ER_NOTE_WARNING,
                       "no feet were found, so the ground gives nothing and all that a floating root needs is left as "
                       "its residual; --feet names feet");
    else if (out->standing == 0)
        project_notify(listener, ER_NOTE_WARNING,
                       "no foot stands in any frame: none is within %.3g m of its lowest place and slower than %.3g "
                       "m/s, so all is left as the root's residual",
                       out->near, out->slow);
    if (er_v3_norm(out->ground_rate) > 0.0)
        project_notify(
            listener, ER_NOTE_FACT,
            "the feet that stand move at %.3g m/s, so the clip walks in place and the ground moves with them",
            er_v3_norm(out->ground_rate));
}

static void clear_work(inverse_work *s)
{
    void *const all[] = {s->plate_foot, s->corner, s->contact, s->height,   s->speed[0], s->speed[1], s->pose,
                         s->twist,      s->rate,   s->applied, s->residual, s->ground,   s->stands,   s->measured};
    er_inverse_destroy(s->solver);
    er_trajectory_destroy(s->trajectory);
    force_plate_clear(&s->plate);
    pose_track_clear(&s->track);
    er_gait_body_destroy(s->body);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free(all[i]);
}

er_result project_inverse_solve(er_context *context, const er_model *model, const er_rig *rig,
                                const project_inverse_def *def, const project_listener *listener, project_inverse *out)
{
    size_t bodies = (size_t)model->body_count;
    inverse_work s = {.context = context, .model = model, .rig = rig, .def = def, .listener = listener, .out = out};
    *out = (project_inverse){0};
    er_result r = check(context, def);
    if (r == ER_OK) r = er_gait_body_read(context, model, rig, &def->body, &s.body);
    if (r == ER_OK) r = make_track(&s);
    if (r == ER_OK) r = read_plate(&s);
    if (r == ER_OK) r = list_feet(&s);
    s.pose = malloc(bodies * sizeof *s.pose);
    s.twist = malloc(bodies * sizeof *s.twist);
    s.rate = malloc(bodies * sizeof *s.rate);
    if (r == ER_OK && (s.pose == NULL || s.twist == NULL || s.rate == NULL)) r = eri_no_memory(context);
    if (r == ER_OK) r = watch_corners(&s);
    if (r == ER_OK) r = make_room(&s);
    if (r == ER_OK) r = make_solver(&s);
    for (int f = 0; f < s.track.count && r == ER_OK; ++f)
        r = solve_frame(&s, f);
    if (r == ER_OK) {
        out->usual = sqrt(out->usual / s.track.count);
        tell(&s);
    }
    clear_work(&s);
    if (r != ER_OK) project_inverse_clear(out);
    return r;
}

void project_inverse_clear(project_inverse *inverse)
{
    const er_loads *l = &inverse->loads;
    const void *const all[] = {l->time, l->force, l->passive, l->power, l->joint, l->residual, l->foot, l->load};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        free((void *)(uintptr_t)all[i]);
    *inverse = (project_inverse){0};
}

// ---- Files

const char *const project_inverse_ends[] = {".csv", ".npz", ".svg", NULL};

er_result project_inverse_write(er_context *context, const project_inverse *inverse, const char *title,
                                const char *path)
{
    if (er_path_ends_in(path, ".csv") || strcmp(path, "-") == 0)
        return er_loads_write_csv(context, &inverse->loads, path);
    if (er_path_ends_in(path, ".npz")) return er_loads_write_npz(context, &inverse->loads, path);
    if (er_path_ends_in(path, ".svg")) return er_loads_plot(context, &inverse->loads, title, path);
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in .csv, .npz or .svg", path);
}
