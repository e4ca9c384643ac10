// Functions for JavaScript: numbers, strings and pointers to objects, so that index.js knows no layout of a struct
// except poses (seven doubles: w x y z of the quaternion, x y z in m). Functions that can fail return NULL, -1 or
// false.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include <eigenrig/eigenrig.h>

#define EXPORT EMSCRIPTEN_KEEPALIVE

// A model that was opened. The live solver owns its modes.
typedef struct web_rig {
    er_scene *scene;
    er_rig *rig;
    const er_model *model; // the rig's
    er_model *tuned;       // with other stiffnesses, made when first needed
    er_modal_solver *solver;
    const er_modes *modes;
    er_regions *regions;
    er_mode_names *names;
    er_modes *all; // for gaits and mixes: as many as they look among
    er_gaits *gaits;
    double *stiffness;
} web_rig;

// Poses at times: of a mix, a gait or a follow-through.
typedef struct web_frames {
    int count, body_count;
    double *time;    // [count]
    er_pose *pose;   // [count x body_count]
    er_vec3 *travel; // [count], or NULL
    bool loops;
} web_frames;

static er_context *context;
static er_named_bytes *beside;
static int beside_count;

static bool ready(void)
{
    er_context_def def = er_default_context_def();
    def.flush = false;
    return context != NULL || er_context_create(&def, &context) == ER_OK;
}

EXPORT const char *web_error(void)
{
    return er_context_error(context);
}

EXPORT const char *web_version(void)
{
    return er_version();
}

// ---- Opening

// Takes over both.
EXPORT bool web_beside(char *name, void *bytes, size_t size)
{
    er_named_bytes *grown = realloc(beside, ((size_t)beside_count + 1) * sizeof *beside);
    if (grown == NULL) return false;
    beside = grown;
    beside[beside_count++] = (er_named_bytes){name, bytes, size};
    return true;
}

static void forget_beside(void)
{
    for (int i = 0; i < beside_count; ++i) {
        free((void *)(uintptr_t)beside[i].name);
        free((void *)(uintptr_t)beside[i].bytes);
    }
    free(beside);
    beside = NULL;
    beside_count = 0;
}

EXPORT void web_close(web_rig *rig)
{
    if (rig == NULL) return;
    er_gaits_destroy(rig->gaits);
    er_modes_destroy(rig->all);
    er_mode_names_destroy(rig->names);
    er_regions_destroy(rig->regions);
    er_modal_solver_destroy(rig->solver);
    er_model_destroy(rig->tuned);
    er_rig_destroy(rig->rig);
    er_scene_destroy(rig->scene);
    free(rig->stiffness);
    free(rig);
}

// The stiffnesses of a model in the order of its coordinates.
static double *stiffness_of(const er_model *model)
{
    double *stiffness = calloc((size_t)model->coordinate_count + 1, sizeof *stiffness);
    for (int i = 0; stiffness != NULL && i < model->joint_count; ++i)
        for (int k = model->coordinate[i]; k < model->coordinate[i + 1]; ++k)
            stiffness[k] = model->joint[i].stiffness[k - model->coordinate[i]];
    return stiffness;
}

EXPORT web_rig *web_open(const char *name, const void *bytes, size_t size)
{
    web_rig *rig = ready() ? calloc(1, sizeof *rig) : NULL;
    bool opened = rig != NULL &&
                  er_import_bytes(context, name, bytes, size, beside_count, beside, &rig->scene) == ER_OK &&
                  er_rig_build(context, rig->scene, NULL, &rig->rig) == ER_OK;
    forget_beside();
    if (opened) {
        rig->model = rig->rig->model;
        rig->stiffness = stiffness_of(rig->model);
        opened = rig->stiffness != NULL;
    }
    if (opened) return rig;
    web_close(rig);
    return NULL;
}

// ---- Facts

EXPORT int web_body_count(const web_rig *rig)
{
    return rig->model->body_count;
}

EXPORT const char *web_body_name(const web_rig *rig, int i)
{
    return rig->model->body[i].name;
}

EXPORT double web_body_mass(const web_rig *rig, int i)
{
    return rig->model->body[i].mass;
}

EXPORT int web_body_parent(const web_rig *rig, int i)
{
    return rig->model->tree_parent[i];
}

EXPORT int web_body_node(const web_rig *rig, int i)
{
    return rig->rig->body_node[i];
}

EXPORT const er_pose *web_body_pose(const web_rig *rig, int i)
{
    return &rig->model->body[i].pose;
}

EXPORT int web_coordinate_count(const web_rig *rig)
{
    return rig->model->coordinate_count;
}

EXPORT double *web_stiffness(web_rig *rig)
{
    return rig->stiffness;
}

EXPORT int web_coordinate_joint(const web_rig *rig, int coordinate)
{
    int joint = 0;
    while (joint < rig->model->joint_count - 1 && rig->model->coordinate[joint + 1] <= coordinate)
        ++joint;
    return joint;
}

EXPORT const char *web_joint_name(const web_rig *rig, int i)
{
    return rig->model->joint[i].name;
}

EXPORT double web_height(const web_rig *rig)
{
    return rig->rig->height;
}

EXPORT double web_metres_per_unit(const web_rig *rig)
{
    return rig->rig->metres_per_unit;
}

EXPORT int web_note_count(const web_rig *rig)
{
    return rig->scene->note_count + rig->rig->note_count;
}

EXPORT const char *web_note(const web_rig *rig, int i)
{
    int n = rig->scene->note_count;
    return i < n ? rig->scene->note[i].text : rig->rig->note[i - n].text;
}

EXPORT int web_node_count(const web_rig *rig)
{
    return rig->scene->node_count;
}

EXPORT const char *web_node_name(const web_rig *rig, int i)
{
    return rig->scene->node[i].name;
}

EXPORT int web_node_source(const web_rig *rig, int i)
{
    return rig->scene->node[i].source_index;
}

EXPORT int web_clip_count(const web_rig *rig)
{
    return rig->scene->clip_count;
}

EXPORT const char *web_clip_name(const web_rig *rig, int i)
{
    return rig->scene->clip[i].name;
}

// ---- Stiffness

static er_result copy_model(const web_rig *rig, double damping_ratio, er_model **out)
{
    er_model_def def = er_model_def_of(rig->model);
    er_joint *joint = malloc(((size_t)def.joint_count + 1) * sizeof *joint);
    if (joint == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    memcpy(joint, def.joint, (size_t)def.joint_count * sizeof *joint);
    for (int i = 0; i < def.joint_count; ++i)
        for (int k = rig->model->coordinate[i]; k < rig->model->coordinate[i + 1]; ++k)
            joint[i].stiffness[k - rig->model->coordinate[i]] = rig->stiffness[k];
    def.joint = joint;
    def.damping_ratio = damping_ratio;
    er_result r = er_model_create(context, &def, out);
    free(joint);
    return r;
}

// Forgets what depends on the stiffnesses in web_stiffness(), which were changed.
EXPORT bool web_tune(web_rig *rig)
{
    er_gaits_destroy(rig->gaits);
    er_modes_destroy(rig->all);
    er_mode_names_destroy(rig->names);
    er_model_destroy(rig->tuned);
    rig->gaits = NULL;
    rig->all = NULL;
    rig->names = NULL;
    rig->modes = NULL;
    rig->tuned = NULL;
    return copy_model(rig, rig->model->damping_ratio, &rig->tuned) == ER_OK;
}

static const er_model *present(const web_rig *rig)
{
    return rig->tuned != NULL ? rig->tuned : rig->model;
}

// ---- Modes

static er_result name_modes(web_rig *rig)
{
    er_mode_names_destroy(rig->names);
    rig->names = NULL;
    if (rig->regions == NULL) {
        er_result r = er_regions_create(context, rig->model, rig->rig, NULL, &rig->regions);
        if (r != ER_OK) return r;
    }
    return er_mode_names_create(context, present(rig), rig->regions, rig->modes, &rig->names);
}

// All modes, or the lowest `count`; solves again with the stiffnesses in web_stiffness().
EXPORT int web_modes(web_rig *rig, int count, bool names)
{
    er_modal_def def = er_default_modal_def();
    def.mode_count = count;
    if (rig->solver == NULL && er_modal_solver_create(context, rig->model, &def, &rig->solver) != ER_OK) return -1;
    if (er_modal_solver_set_stiffness(rig->solver, rig->stiffness) != ER_OK) return -1;
    if (er_modal_solver_solve(rig->solver, &rig->modes) != ER_OK) return -1;
    er_mode_names_destroy(rig->names);
    rig->names = NULL;
    if (names && name_modes(rig) != ER_OK) return -1;
    return rig->modes->count;
}

// Ends the solver, so that the next web_modes() may ask for another count.
EXPORT void web_forget_modes(web_rig *rig)
{
    er_modal_solver_destroy(rig->solver);
    rig->solver = NULL;
    rig->modes = NULL;
}

EXPORT const char *web_mode_kind(const web_rig *rig, int i)
{
    return er_mode_kind_name(rig->modes->mode[i].kind);
}

EXPORT double web_mode_hz(const web_rig *rig, int i)
{
    return rig->modes->mode[i].frequency_hz;
}

EXPORT double web_mode_damping(const web_rig *rig, int i)
{
    return rig->modes->mode[i].damping_ratio;
}

EXPORT const double *web_mode_body(const web_rig *rig, int i)
{
    return rig->modes->mode[i].body;
}

EXPORT const double *web_mode_joint(const web_rig *rig, int i)
{
    return rig->modes->mode[i].joint;
}

EXPORT const char *web_mode_name(const web_rig *rig, int i)
{
    return rig->names != NULL ? rig->names->mode[i].name : "";
}

// ---- Frames

EXPORT void web_frames_free(web_frames *frames)
{
    if (frames == NULL) return;
    free(frames->time);
    free(frames->pose);
    free(frames->travel);
    free(frames);
}

EXPORT web_frames *web_frames_make(int count, int body_count, bool travels, bool loops)
{
    web_frames *frames = calloc(1, sizeof *frames);
    if (frames == NULL) return NULL;
    *frames = (web_frames){.count = count, .body_count = body_count, .loops = loops};
    frames->time = calloc((size_t)count, sizeof *frames->time);
    frames->pose = calloc((size_t)count * (size_t)body_count, sizeof *frames->pose);
    if (travels) frames->travel = calloc((size_t)count, sizeof *frames->travel);
    if (frames->time != NULL && frames->pose != NULL && (!travels || frames->travel != NULL)) return frames;
    web_frames_free(frames);
    er_fail(context, ER_ERROR_MEMORY, "out of memory");
    return NULL;
}

EXPORT int web_frames_count(const web_frames *frames)
{
    return frames->count;
}

EXPORT double *web_frames_time(web_frames *frames)
{
    return frames->time;
}

EXPORT er_pose *web_frames_pose(web_frames *frames)
{
    return frames->pose;
}

EXPORT er_vec3 *web_frames_travel(web_frames *frames)
{
    return frames->travel;
}

EXPORT bool web_frames_loop(const web_frames *frames)
{
    return frames->loops;
}

// ---- Mixes

// The modes of the present stiffnesses, all of them.
static const er_modes *all_modes(web_rig *rig)
{
    if (rig->modes != NULL && rig->modes->count == rig->modes->dof) return rig->modes;
    if (rig->all == NULL) er_modal_solve(context, present(rig), NULL, &rig->all);
    return rig->all;
}

// Frames of a mix over its duration; seconds 0: chosen by the library.
EXPORT web_frames *web_mix(web_rig *rig, const char *text, double seconds, double fps, bool loop)
{
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    web_frames *frames = NULL;
    er_motion_def def = er_default_motion_def();
    def.duration = seconds;
    def.fps = fps;
    def.loop = loop;
    const er_modes *modes = all_modes(rig);
    if (modes == NULL || er_mix_parse(context, text, &mix) != ER_OK ||
        er_motion_create(context, present(rig), modes, mix, &def, &motion) != ER_OK)
        goto done;
    int count = (int)(motion->duration * fps + 0.5) + 1;
    frames = web_frames_make(count > 2 ? count : 2, rig->model->body_count, false, motion->loops);
    if (frames == NULL) goto done;
    for (int i = 0; i < frames->count; ++i)
        frames->time[i] = motion->duration * i / (frames->count - 1);
    if (er_motion_poses(motion, frames->count, frames->time, NULL, frames->pose) != ER_OK) {
        web_frames_free(frames);
        frames = NULL;
    }
done:
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    return frames;
}

// ---- Gaits

EXPORT int web_gaits(web_rig *rig, int best)
{
    er_gait_def def = er_default_gait_def();
    def.best = best;
    const er_modes *modes = all_modes(rig);
    er_gaits_destroy(rig->gaits);
    rig->gaits = NULL;
    if (modes == NULL || er_gaits_find(context, present(rig), rig->rig, modes, &def, &rig->gaits) != ER_OK) return -1;
    return rig->gaits->count;
}

EXPORT const char *web_gait_name(const web_rig *rig, int i)
{
    return rig->gaits->gait[i].name;
}

EXPORT const char *web_gait_family(const web_rig *rig, int i)
{
    return er_gait_family_name(rig->gaits->gait[i].family);
}

// Strides per second, m/s, m, duty factor, score.
EXPORT void web_gait_numbers(const web_rig *rig, int i, double out[5])
{
    const er_gait *gait = &rig->gaits->gait[i];
    const double numbers[5] = {gait->hz, gait->speed, gait->stride, gait->duty, gait->score};
    memcpy(out, numbers, sizeof numbers);
}

EXPORT web_frames *web_gait(web_rig *rig, int i, double fps)
{
    er_gait_motion *motion = NULL;
    const er_modes *modes = all_modes(rig);
    if (modes == NULL ||
        er_gait_move(context, present(rig), modes, rig->gaits, &rig->gaits->gait[i], fps, &motion) != ER_OK)
        return NULL;
    web_frames *frames = web_frames_make(motion->frame_count, rig->model->body_count, true, true);
    if (frames != NULL) {
        size_t n = (size_t)motion->frame_count;
        memcpy(frames->time, motion->time, n * sizeof *frames->time);
        memcpy(frames->pose, motion->pose, n * (size_t)rig->model->body_count * sizeof *frames->pose);
        memcpy(frames->travel, motion->travel, n * sizeof *frames->travel);
    }
    er_gait_motion_destroy(motion);
    return frames;
}

// ---- Follow-through

// Moves the bodies with loose[i] != 0 along the frames. hz 0: by their own springs. bounce negative: own damping.
EXPORT web_frames *web_follow(web_rig *rig, const web_frames *from, const uint8_t *loose, double hz, double bounce,
                              const double *gravity)
{
    int n = rig->model->body_count;
    er_trajectory *trajectory = NULL;
    er_follow *follow = NULL;
    web_frames *frames = NULL;
    bool *flag = calloc((size_t)n, sizeof *flag);
    er_follow_def def = er_default_follow_def();
    if (flag == NULL) return NULL;
    for (int i = 0; i < n; ++i)
        flag[i] = loose[i] != 0;
    def.loose = flag;
    def.hz = hz;
    def.bounce = bounce;
    def.gravity = er_v3(gravity[0], gravity[1], gravity[2]);
    if (er_trajectory_create(context, from->count, from->time, n, from->pose, &trajectory) == ER_OK &&
        er_follow_create(context, present(rig), trajectory, from->time[from->count - 1], from->count, from->loops, &def,
                         &follow) == ER_OK)
        frames = web_frames_make(follow->count, n, from->travel != NULL, from->loops);
    if (frames != NULL) {
        memcpy(frames->time, follow->time, (size_t)follow->count * sizeof *frames->time);
        memcpy(frames->pose, follow->pose, (size_t)follow->count * (size_t)n * sizeof *frames->pose);
        if (from->travel != NULL) memcpy(frames->travel, from->travel, (size_t)from->count * sizeof *frames->travel);
    }
    er_follow_destroy(follow);
    er_trajectory_destroy(trajectory);
    free(flag);
    return frames;
}

// ---- Dynamics

typedef struct web_world {
    er_model *model; // the rig's, with its springs as they are now and without a ratio of modal damping
    er_rig_shapes *shapes;
    er_world *world;
} web_world;

EXPORT void web_world_free(web_world *world)
{
    if (world == NULL) return;
    er_world_destroy(world->world);
    er_rig_shapes_destroy(world->shapes);
    er_model_destroy(world->model);
    free(world);
}

static er_result begin_world(web_rig *rig, web_world *world, er_vec3 gravity, bool ground)
{
    er_world_def def = er_default_world_def();
    er_result r = copy_model(rig, 0.0, &world->model);
    if (r == ER_OK) r = er_rig_shapes_create(context, world->model, rig->rig, &world->shapes);
    if (r != ER_OK) return r;
    int count = world->shapes->count;
    er_world_shape *shape = calloc((size_t)count + 1, sizeof *shape);
    er_pose *rest = malloc((size_t)world->model->body_count * sizeof *rest);
    if (shape == NULL || rest == NULL) r = er_fail(context, ER_ERROR_MEMORY, "out of memory");
    for (int i = 0; i <= count && r == ER_OK; ++i) {
        shape[i] = er_default_world_shape();
        if (i == count) break;
        shape[i].shape = world->shapes->shape[i].shape;
        shape[i].body = world->shapes->shape[i].body;
        shape[i].pose = world->shapes->shape[i].pose;
    }
    for (int i = 0; i < world->model->body_count && r == ER_OK; ++i)
        rest[i] = world->model->body[i].pose;
    if (r == ER_OK && ground) {
        er_vec3 up = er_v3_norm(gravity) > 0.0 ? er_v3_scale(-1.0 / er_v3_norm(gravity), gravity) : rig->scene->up;
        double height = er_rig_shapes_lowest(world->shapes, rest, up);
        shape[count].shape = (er_shape){.kind = ER_SHAPE_PLANE};
        shape[count].pose = er_joint_frame_along(er_v3_scale(height, up), up);
    }
    def.model = world->model;
    def.gravity = gravity;
    def.shape = shape;
    def.shape_count = count + ground;
    def.apart = world->shapes->pair;
    def.apart_count = world->shapes->pair_count;
    def.integrator = ER_INTEGRATE_CONTACT;
    def.max_step = 1.0 / 240.0;
    def.enforce_limits = true;
    if (r == ER_OK) r = er_world_create(context, &def, &world->world);
    free(shape);
    free(rest);
    return r;
}

EXPORT web_world *web_world_make(web_rig *rig, double x, double y, double z, bool ground)
{
    web_world *world = calloc(1, sizeof *world);
    if (world == NULL || begin_world(rig, world, er_v3(x, y, z), ground) == ER_OK) return world;
    web_world_free(world);
    return NULL;
}

EXPORT bool web_world_advance(web_world *world, double until)
{
    return er_world_advance(world->world, until, NULL) == ER_OK;
}

EXPORT double web_world_time(const web_world *world)
{
    return er_world_time(world->world);
}

EXPORT const er_pose *web_world_pose(const web_world *world)
{
    return er_world_pose(world->world);
}

EXPORT bool web_world_push(web_world *world, int body, const double *point, const double *impulse)
{
    return er_world_push(world->world, body, er_v3(point[0], point[1], point[2]),
                         er_v3(impulse[0], impulse[1], impulse[2])) == ER_OK;
}

// ---- Drawing

// World transforms of nodes, file units: [node_count x 12], rows of the 3 x 3 matrix, then the translation. Nodes
// without a body move with the nearest node above them that has one.
EXPORT void web_nodes(const web_rig *rig, const er_pose *pose, er_affine *world)
{
    const er_scene *scene = rig->scene;
    for (int i = 0; i < scene->node_count; ++i) {
        int body = rig->rig->node_body[i], parent = scene->node[i].parent;
        if (body < 0) {
            world[i] = rig->rig->world[i];
            if (parent >= 0)
                world[i] =
                    er_affine_mul(world[parent], er_affine_mul(er_affine_inverse(rig->rig->world[parent]), world[i]));
            continue;
        }
        er_pose moved = er_pose_displacement(rig->model->body[body].pose, pose[body]);
        moved.p = er_v3_scale(1.0 / rig->rig->metres_per_unit, moved.p);
        world[i] = er_affine_mul(er_affine_from_pose(moved), rig->rig->world[i]);
    }
}

EXPORT int web_instance_count(const web_rig *rig)
{
    return rig->scene->instance_count;
}

EXPORT int web_vertex_count(const web_rig *rig, int instance)
{
    return rig->scene->mesh[rig->scene->instance[instance].mesh].vertex_count;
}

EXPORT int web_triangle_count(const web_rig *rig, int instance)
{
    return rig->scene->mesh[rig->scene->instance[instance].mesh].triangle_count;
}

EXPORT const int *web_triangles(const web_rig *rig, int instance)
{
    return rig->scene->mesh[rig->scene->instance[instance].mesh].index;
}

EXPORT void web_skin(const web_rig *rig, int instance, const er_affine *world, double *position)
{
    er_scene_skin(rig->scene, instance, world, position);
}

// ---- Writing

static char *written;
static size_t written_size;

static bool take_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    free(written);
    written = NULL;
    if (file == NULL) return false;
    fseek(file, 0, SEEK_END);
    written_size = (size_t)ftell(file);
    rewind(file);
    written = malloc(written_size + 1);
    bool read = written != NULL && fread(written, 1, written_size, file) == written_size;
    fclose(file);
    remove(path);
    return read;
}

EXPORT const char *web_written(void)
{
    return written;
}

EXPORT size_t web_written_size(void)
{
    return written_size;
}

// Writes one clip by the format that `path` ends in; the bytes are web_written() until the next call.
EXPORT bool web_write(web_rig *rig, const web_frames *frames, const char *name, double tolerance, const char *path)
{
    er_recording *recording = NULL;
    er_recording_def how = er_default_recording_def();
    er_recording_target target = er_rig_target(rig->rig);
    er_recorded_poses poses = {.model = rig->model,
                               .count = frames->count,
                               .time = frames->time,
                               .pose = frames->pose,
                               .loops = frames->loops,
                               .ground_node = -1};
    how.name = name;
    how.tolerance = tolerance;
    er_result r = er_poses_record(context, &poses, &target, &how, &recording);
    double fps = (frames->count - 1) / frames->time[frames->count - 1];
    if (r == ER_OK && er_path_ends_in(path, ".bvh"))
        r = er_bvh_write(context, rig->scene, rig->rig->bone, &recording->clip, fps, path);
    else if (r == ER_OK && er_path_ends_in(path, ".dae"))
        r = er_collada_write(context, rig->scene, 1, &recording->clip, NULL, path);
    else if (r == ER_OK)
        r = er_gltf_write(context, rig->scene, 1, &recording->clip, NULL, path);
    er_recording_destroy(recording);
    return r == ER_OK && take_file(path);
}

// The rig and its modes, as a palette file.
EXPORT bool web_palette(web_rig *rig)
{
    static const char path[] = "palette.json";
    return er_palette_file_write(context, present(rig), rig->modes, rig->names, NULL, NULL, path) == ER_OK &&
           take_file(path);
}
