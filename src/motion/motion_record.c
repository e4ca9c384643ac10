// A motion as keys on nodes. A node's world transform is its equilibrium one, displaced as its body; its local
// transform follows from that of its parent.
#include <eigenrig/motion.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "motion/keyframes.h"
#include "motion/signal.h"
#include "scene/trs.h"

er_recording_def er_default_recording_def(void)
{
    return (er_recording_def){.name = "", .fps = 60.0, .tag = ER_DEF_TAG};
}

er_recording_target er_rig_target(const er_rig *rig)
{
    return (er_recording_target){rig->scene, rig->node_body, rig->bone, rig->world, rig->metres_per_unit};
}

enum { PATHS = 3 }; // translation, rotation, scale

typedef struct recorder {
    er_context *context;
    er_motion *motion; // NULL: poses are given
    const er_model *model;
    double duration;
    bool loops;
    const er_recording_target *target;
    const er_scene *scene;
    er_recording_def def;
    er_arena *arena, *scratch;
    double fps;               // at which the motion is sampled
    int count;                // frames
    double *time;             // [count]
    int ground_node;          // that moves by `ground`, with what is below
    const er_vec3 *ground;    // [count], m; NULL: none
    er_pose *pose;            // [count x body_count]
    bool from_clip;           // poses start from those of the clip below, not from the equilibrium
    er_pose *under_pose;      // [count x body_count], of the clip below, if `from_clip`
    er_affine *under_world;   // [count x node_count], likewise
    er_affine *rest;          // [node_count], local transforms at equilibrium
    unsigned *keyed;          // [node_count], paths that clips of the scene key: bit 1 << path
    const er_channel **under; // [node_count x PATHS], the channels of the clip below
    er_channel *channel;
    int channel_count;
    double end;           // of the clip
    double *value[PATHS]; // [count x 3, 4, 3], as er_path orders them: a node's; work space
    int *key;             // [count], likewise
    double error;
    int key_count;
} recorder;

// --- frames

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Every frame, the end, and the keys of the clip below: they are where its own curves bend.
static er_result set_times(recorder *b)
{
    er_result r = ER_OK;
    double T = b->duration, fps = b->fps, frames = ceil(T * fps - 1e-6);
    size_t most;
    if (!(frames <= 1e7))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "%g s at %g frames a second%s are more than 10 million frames", T,
                       fps, b->def.tolerance > 0.0 ? ", four times the rate for the tolerance's sake," : "");
    int steps = frames < 1.0 ? 1 : (int)frames;
    most = (size_t)steps + 1;
    for (int c = 0; b->def.over != NULL && c < b->def.over->channel_count; ++c)
        most += (size_t)b->def.over->channel[c].key_count;
    ERI_TRY_NEW(b->time, b->arena, double, most);
    for (int k = 0; k <= steps; ++k)
        b->time[b->count++] = k < steps ? fmin(k / fps, T) : T;
    for (int c = 0; b->def.over != NULL && c < b->def.over->channel_count; ++c)
        for (int k = 0; k < b->def.over->channel[c].key_count; ++k) {
            double t = b->def.over->channel[c].time[k];
            if (t > 0.0 && t < T) b->time[b->count++] = t;
        }
    if (b->def.over == NULL) return ER_OK;
    qsort(b->time, (size_t)b->count, sizeof *b->time, by_time);
    int kept = 1;
    for (int k = 1; k < b->count; ++k)
        if (b->time[k] - b->time[kept - 1] > 1e-6) b->time[kept++] = b->time[k];
    b->count = kept > 1 ? kept : 2;
    b->time[b->count - 1] = T;
done:
    return r;
}

static er_result cannot_follow(recorder *b)
{
    double share;
    er_result r = er_motion_reach(b->motion, b->fps, &share);
    if (r != ER_OK) return r;
    const er_motion_component *v = &b->motion->component[0];
    const char *also = b->motion->plant_count > 0 ? ", or what is planted," : "";
    if (share == 0.0)
        return er_fail(b->context, ER_ERROR_NO_CONVERGENCE,
                       "a loop of joints%s cannot follow this mix at any amplitude", also);
    return er_fail(b->context, ER_ERROR_NO_CONVERGENCE,
                   "a loop of joints%s follows this mix to %.0f %% of its amplitudes only: %.3g degrees of mode %d in "
                   "place of %.3g",
                   also, 100.0 * share, share * v->degrees, v->mode, v->degrees);
}

static er_result set_poses(recorder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->model->body_count, last = (size_t)b->count - 1;
    ERI_TRY_NEW(b->pose, b->scratch, er_pose, (size_t)b->count * n);
    bool tied = b->model->loop_count > 0;
    size_t width = (size_t)b->motion->width;
    double *x = NULL;
    if (tied) ERI_TRY_NEW(x, b->scratch, double, (size_t)b->count *width);
    r = er_motion_poses(b->motion, b->count, b->time, x, b->pose);
    for (size_t k = 1; tied && r == ER_OK && k <= last; ++k)
        if (eri_motion_leaps(b->motion, b->time[k] - b->time[k - 1], x + (k - 1) * width, x + k * width))
            r = ER_ERROR_NO_CONVERGENCE;
    if (r == ER_ERROR_NO_CONVERGENCE) r = cannot_follow(b);
    if (b->loops) memcpy(b->pose + last * n, b->pose, n * sizeof *b->pose);
done:
    return r;
}

// The topmost node of each body.
static er_result find_body_nodes(const recorder *b, int **out)
{
    er_result r = ER_OK;
    int *node;
    ERI_TRY_NEW(node, b->scratch, int, b->model->body_count);
    for (int i = b->scene->node_count - 1; i >= 0; --i) {
        int body = b->target->node_body[i], parent = b->scene->node[i].parent;
        if (body >= 0 && (parent < 0 || b->target->node_body[parent] != body)) node[body] = i;
    }
    *out = node;
done:
    return r;
}

// The poses of the clip below.
static er_result find_poses_under(recorder *b)
{
    er_result r = ER_OK;
    size_t bodies = (size_t)b->model->body_count, nodes = (size_t)b->scene->node_count, count = (size_t)b->count;
    er_affine *local;
    ERI_TRY_NEW(local, b->scratch, er_affine, nodes);
    int *body_node;
    ERI_TRY_NEW(b->under_pose, b->scratch, er_pose, count * bodies);
    ERI_TRY_NEW(b->under_world, b->scratch, er_affine, count * nodes);
    ERI_TRY(find_body_nodes(b, &body_node));
    for (size_t k = 0; k < count; ++k) {
        er_scene_sample(b->scene, b->def.over, b->time[k], local);
        er_scene_world(b->scene, local, b->under_world + k * nodes);
        ERI_TRY(er_poses_of_nodes(b->context, b->model, b->target, body_node, local, b->under_pose + k * bodies));
    }
done:
    return r;
}

// Planted bodies stay where the clip has them: the motion starts from the clip's poses.
static er_result set_poses_over(recorder *b)
{
    er_result r = ER_OK;
    size_t bodies = (size_t)b->model->body_count, count = (size_t)b->count;
    ERI_TRY(find_poses_under(b));
    ERI_TRY_NEW(b->pose, b->scratch, er_pose, count * bodies);
    for (size_t k = 0; k < count && r == ER_OK; ++k) {
        r = eri_motion_pose_over(b->motion, b->time[k], b->under_pose + k * bodies, b->pose + k * bodies);
        if (r == ER_ERROR_NO_CONVERGENCE)
            r = er_fail(b->context, r,
                        "planted bodies or a loop of joints cannot follow this mix over \"%s\" at %.4g s; use smaller "
                        "amplitudes",
                        b->def.over->name, b->time[k]);
    }
done:
    return r;
}

// --- nodes

// The displacement of a body in file units.
static er_affine displacement(const recorder *b, int body, int frame)
{
    size_t at = (size_t)frame * (size_t)b->model->body_count + (size_t)body;
    er_pose moved = er_pose_displacement(b->from_clip ? b->under_pose[at] : b->model->body[body].pose, b->pose[at]);
    moved.p = er_v3_scale(1.0 / b->target->metres_per_unit, moved.p);
    return er_affine_from_pose(moved);
}

static bool is_on_ground_node(const recorder *b, int node)
{
    while (node >= 0 && node != b->ground_node)
        node = b->scene->node[node].parent;
    return node >= 0;
}

static er_affine world_at(const recorder *b, int node, int frame)
{
    int body = b->target->node_body[node];
    if (frame < 0) return b->target->world[node];
    er_affine rest = b->from_clip ? b->under_world[(size_t)frame * (size_t)b->scene->node_count + (size_t)node]
                                  : b->target->world[node];
    if (body < 0 && b->ground != NULL && is_on_ground_node(b, node)) {
        er_vec3 by = er_v3_scale(1.0 / b->target->metres_per_unit, b->ground[frame]);
        return er_affine_mul(er_affine_from_pose((er_pose){er_q_identity(), by}), rest);
    }
    return body >= 0 ? er_affine_mul(displacement(b, body, frame), rest) : rest;
}

// At a frame; at equilibrium for -1.
static er_affine local_at(const recorder *b, int node, int frame)
{
    int parent = b->scene->node[node].parent;
    er_affine world = world_at(b, node, frame);
    if (parent < 0) return world;
    er_affine above = world_at(b, parent, frame);
    // below a node scaled to nothing all local transforms show the same
    if (!(fabs(er_m3_det(above.linear)) > 0.0)) return b->scene->node[node].local;
    return er_affine_mul(er_affine_inverse(above), world);
}

// b a / c, or b where c is 0.
static double scaled(double b, double a, double c)
{
    return c != 0.0 ? b * a / c : b;
}

static eri_trs clip_at(const recorder *b, int node, double time)
{
    eri_trs base = eri_trs_from_affine(b->scene->node[node].local);
    for (int p = 0; p < PATHS; ++p)
        if (b->under[PATHS * node + p] != NULL) eri_trs_apply(b->under[PATHS * node + p], time, &base);
    return base;
}

// The motion on top of the clip below, at a time.
static eri_trs layered(const recorder *b, int node, double time, const eri_trs *rest, eri_trs moved)
{
    eri_trs base = clip_at(b, node, time);
    moved.translation = er_v3_add(base.translation, er_v3_sub(moved.translation, rest->translation));
    moved.rotation = er_q_mul(base.rotation, er_q_mul(er_q_conj(rest->rotation), moved.rotation));
    moved.scale =
        er_v3(scaled(base.scale.x, moved.scale.x, rest->scale.x), scaled(base.scale.y, moved.scale.y, rest->scale.y),
              scaled(base.scale.z, moved.scale.z, rest->scale.z));
    return moved;
}

// How far one node moves over all frames.
typedef struct node_range {
    double moved[PATHS];   // by the motion, from equilibrium: units, rad, relative
    double changed[PATHS]; // by motion and clip, from the scene at rest
} node_range;

static void sample_node(recorder *b, int node, node_range *out)
{
    int parent = b->scene->node[node].parent;
    bool still = parent >= 0 && b->target->node_body[parent] == b->target->node_body[node];
    eri_trs shown = eri_trs_from_affine(b->scene->node[node].local), rest = eri_trs_from_affine(b->rest[node]),
            before = shown;
    *out = (node_range){0};
    double size = 1e-12 + er_v3_norm(rest.scale);
    for (int k = 0; k < b->count; ++k) {
        if (b->from_clip) rest = clip_at(b, node, b->time[k]);
        eri_trs now = still ? rest : eri_trs_from_affine(local_at(b, node, k));
        out->moved[0] = fmax(out->moved[0], er_v3_distance(now.translation, rest.translation));
        out->moved[1] = fmax(out->moved[1], er_v3_norm(er_q_log(er_q_mul(er_q_conj(rest.rotation), now.rotation))));
        out->moved[2] = fmax(out->moved[2], er_v3_distance(now.scale, rest.scale) / size);
        if (b->def.over != NULL && !b->from_clip) now = layered(b, node, b->time[k], &rest, now);
        if (er_q_dot(now.rotation, before.rotation) < 0.0)
            now.rotation = er_q(-now.rotation.w, -now.rotation.x, -now.rotation.y, -now.rotation.z);
        before = now;
        bool again = b->loops && (b->def.over == NULL || b->motion == NULL) &&
                     k == b->count - 1; // the last key is the first, signs too
        out->changed[0] = fmax(out->changed[0], er_v3_distance(now.translation, shown.translation));
        out->changed[2] = fmax(out->changed[2], er_v3_distance(now.scale, shown.scale) / size);
        const double t[3] = {now.translation.x, now.translation.y, now.translation.z},
                     s[3] = {now.scale.x, now.scale.y, now.scale.z},
                     q[4] = {now.rotation.x, now.rotation.y, now.rotation.z, now.rotation.w};
        memcpy(b->value[0] + 3 * (size_t)k, again ? b->value[0] : t, sizeof t);
        memcpy(b->value[1] + 4 * (size_t)k, again ? b->value[1] : q, sizeof q);
        memcpy(b->value[2] + 3 * (size_t)k, again ? b->value[2] : s, sizeof s);
    }
}

// --- channels

// Metres a unit of a node's translation, at equilibrium: its parent may be scaled.
static double metres(const recorder *b, int node)
{
    int parent = b->scene->node[node].parent;
    double scale = parent < 0 ? 1.0 : 0.0;
    for (int i = 0; parent >= 0 && i < 3; ++i)
        scale = fmax(scale, er_v3_norm(er_m3_column(b->target->world[parent].linear, i)));
    return b->target->metres_per_unit * fmax(scale, 1e-12);
}

static er_result add_channel(recorder *b, int node, er_path path)
{
    double measure = path == ER_PATH_ROTATION      ? 1.0
                     : path == ER_PATH_TRANSLATION ? 0.5 * b->model->size / metres(b, node)
                                                   : 1e-12 + er_v3_norm(eri_trs_from_affine(b->rest[node]).scale);
    eri_sampled_channel samples = {node,
                                   path,
                                   b->count,
                                   b->time,
                                   b->value[path],
                                   b->key,
                                   b->loops && b->def.over == NULL,
                                   b->def.tolerance * measure,
                                   b->def.cubic && b->def.over == NULL};
    er_channel *out = &b->channel[b->channel_count++];
    er_result r = eri_keyframes_choose(b->arena, &samples, out, &b->error);
    b->key_count += out->key_count;
    return r;
}

static void copy_channel(recorder *b, const er_channel *channel)
{
    b->channel[b->channel_count++] = *channel;
    b->key_count += channel->key_count;
    b->end = fmax(b->end, channel->time[channel->key_count - 1]);
}

// A motion alone: rotations always; translations and scales where they change, or other clips change them.
static er_result record_node(recorder *b, int node)
{
    er_result r = ER_OK;
    const er_recording_target *target = b->target;
    bool moves = target->node_body[node] >= 0, carried = b->ground != NULL && node == b->ground_node;
    if (!carried && !(target->keyed != NULL && target->keyed[node]) &&
        !(moves && (target->keyed == NULL || b->keyed[node] != 0)))
        return ER_OK;
    node_range t;
    sample_node(b, node, &t);
    double size = er_v3_norm(b->scene->node[node].local.translation) + b->model->size / metres(b, node);
    const double least[PATHS] = {1e-7 * size, -1.0, 1e-5};
    for (int p = 0; p < PATHS; ++p)
        if (t.changed[p] > least[p] || (b->keyed[node] & 1u << p) != 0) ERI_TRY(add_channel(b, node, (er_path)p));
done:
    return r;
}

// On top of a clip: new channels for what the motion moves; the rest is copied.
static er_result layer_node(recorder *b, int node)
{
    er_result r = ER_OK;
    const er_channel **under = &b->under[PATHS * node];
    bool moves = b->target->node_body[node] >= 0;
    node_range t = {0};
    if (moves) sample_node(b, node, &t);
    double size = er_v3_norm(b->scene->node[node].local.translation) + b->model->size / metres(b, node);
    const double least[PATHS] = {1e-7 * size, 1e-7, 1e-5};
    for (int p = 0; p < PATHS; ++p)
        if (t.moved[p] > least[p])
            ERI_TRY(add_channel(b, node, (er_path)p));
        else if (under[p] != NULL)
            copy_channel(b, under[p]);
    for (int c = 0; c < b->def.over->channel_count; ++c) {
        const er_channel *channel = &b->def.over->channel[c];
        if (channel->node == node && channel->path == ER_PATH_MORPH) copy_channel(b, channel);
    }
done:
    return r;
}

static er_result look_at_scene(recorder *b)
{
    er_result r = ER_OK;
    int nodes = b->scene->node_count;
    ERI_TRY_NEW(b->keyed, b->scratch, unsigned, nodes);
    ERI_TRY_NEW(b->rest, b->scratch, er_affine, nodes);
    ERI_TRY_NEW(b->under, b->scratch, const er_channel *, (size_t)nodes *PATHS);
    for (int i = 0; i < nodes; ++i)
        b->rest[i] = local_at(b, i, -1);
    for (int c = 0; c < b->scene->clip_count; ++c)
        for (int k = 0; k < b->scene->clip[c].channel_count; ++k) {
            const er_channel *channel = &b->scene->clip[c].channel[k];
            if (channel->path != ER_PATH_MORPH) b->keyed[channel->node] |= 1u << channel->path;
        }
    for (int k = 0; b->def.over != NULL && k < b->def.over->channel_count; ++k) {
        const er_channel *channel = &b->def.over->channel[k];
        if (channel->path != ER_PATH_MORPH) b->under[PATHS * channel->node + (int)channel->path] = channel;
    }
    ERI_TRY_NEW(b->key, b->scratch, int, b->count);
    for (int p = 0; p < PATHS; ++p)
        ERI_TRY_RESERVE(b->value[p], b->scratch, double, (p == ER_PATH_ROTATION ? 4 : 3) * (size_t)b->count);
    size_t most = PATHS * (size_t)nodes + (b->def.over != NULL ? (size_t)b->def.over->channel_count : 0);
    ERI_TRY_NEW(b->channel, b->arena, er_channel, most);
done:
    return r;
}

static er_result check(er_context *context, const er_model *model, const er_recording_target *target,
                       const er_recording_def *d)
{
    if (target->scene == NULL || target->node_body == NULL || target->world == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a recording's target needs a scene, the nodes' bodies and world transforms");
    if (!(target->metres_per_unit > 0.0) || !isfinite(target->metres_per_unit))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g metres per unit is not a positive number",
                       target->metres_per_unit);
    for (int i = 0; i < target->scene->node_count; ++i)
        if (target->node_body[i] < -1 || target->node_body[i] >= model->body_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "node %d moves with body %d, but the motion has %d", i,
                           target->node_body[i], model->body_count);
    for (int c = 0; d->over != NULL && c < d->over->channel_count; ++c)
        if (d->over->channel[c].node < 0 || d->over->channel[c].node >= target->scene->node_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "the clip \"%s\" is not of this scene: it moves node %d of %d",
                           d->over->name, d->over->channel[c].node, target->scene->node_count);
    if (!(d->fps > 0.0 && d->fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", d->fps);
    if (!(d->tolerance >= 0.0 && d->tolerance <= 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a tolerance of %g rad is not between 0 and 1", d->tolerance);
    return ER_OK;
}

static er_result begin(recorder *b)
{
    er_result r = check(b->context, b->model, b->target, &b->def);
    if (r != ER_OK) return r;
    b->scene = b->target->scene;
    b->fps = b->def.fps * (b->def.tolerance > 0.0 ? 4.0 : 1.0);
    b->end = b->duration;
    r = eri_arena_create(b->context, &b->arena);
    return r == ER_OK ? eri_arena_create(b->context, &b->scratch) : r;
}

// The clip, of times and poses that are there.
static er_result record(recorder *b, er_recording **out)
{
    er_result r = ER_OK;
    er_recording *recording;
    ERI_TRY_NEW(recording, b->arena, er_recording, 1);
    ERI_TRY(look_at_scene(b));
    for (int i = 0; i < b->scene->node_count; ++i)
        ERI_TRY(b->def.over != NULL ? layer_node(b, i) : record_node(b, i));
    recording->clip = (er_clip){eri_arena_string(b->arena, b->def.name), b->end, b->channel_count, b->channel};
    ERI_TRY(recording->clip.name != NULL ? ER_OK : ER_ERROR_MEMORY);
    recording->fps = b->motion != NULL ? b->def.fps : (b->count - 1) / b->duration;
    recording->frame_count = b->count;
    recording->key_count = b->key_count;
    recording->error = b->error;
    recording->arena = b->arena;
    *out = recording;
    b->arena = NULL;
done:
    return r;
}

er_result er_motion_record(er_context *context, er_motion *motion, const er_recording_target *target,
                           const er_recording_def *def, er_recording **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_recording_def d = def != NULL ? *def : er_default_recording_def();
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (motion == NULL || target == NULL || d.tag != ER_DEF_TAG)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "er_motion_record needs a motion, a target, and NULL or a def made by er_default_recording_def()");
    er_result r = ER_OK;
    recorder b = {.context = context,
                  .motion = motion,
                  .model = motion->model,
                  .duration = motion->duration,
                  .loops = motion->loops,
                  .target = target,
                  .def = d};
    ERI_TRY(begin(&b));
    ERI_TRY(set_times(&b));
    b.from_clip = d.over != NULL && motion->plant_count > 0;
    ERI_TRY(b.from_clip ? set_poses_over(&b) : set_poses(&b));
    ERI_TRY(record(&b, out));
done:
    eri_arena_destroy(b.scratch);
    eri_arena_destroy(b.arena);
    return r;
}

static er_result copy_poses(recorder *b, const er_recorded_poses *poses)
{
    er_result r = ER_OK;
    size_t count = (size_t)poses->count, bodies = (size_t)poses->model->body_count;
    b->count = poses->count;
    ERI_TRY_NEW(b->time, b->arena, double, count);
    memcpy(b->time, poses->time, count * sizeof *b->time);
    ERI_TRY_NEW(b->pose, b->scratch, er_pose, count * bodies);
    memcpy(b->pose, poses->pose, count * bodies * sizeof *b->pose);
    if (b->loops && b->def.over == NULL) memcpy(b->pose + (count - 1) * bodies, b->pose, bodies * sizeof *b->pose);
    b->from_clip = b->def.over != NULL;
    if (b->from_clip) r = find_poses_under(b);
done:
    return r;
}

er_result er_poses_record(er_context *context, const er_recorded_poses *poses, const er_recording_target *target,
                          const er_recording_def *def, er_recording **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_recording_def d = def != NULL ? *def : er_default_recording_def();
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (poses == NULL || poses->model == NULL || poses->time == NULL || poses->pose == NULL || target == NULL ||
        d.tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_poses_record needs poses, a target, and NULL or a def made by er_default_recording_def()");
    if (poses->ground != NULL &&
        (target->scene == NULL || poses->ground_node < 0 || poses->ground_node >= target->scene->node_count ||
         target->node_body[poses->ground_node] >= 0))
        return er_fail(context, ER_ERROR_ARGUMENT, "node %d is none of the scene, or moves with a body",
                       poses->ground_node);
    if (poses->count < 2 || poses->time[0] != 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT, "a clip needs two poses or more, from 0 s on");
    for (int k = 1; k < poses->count; ++k)
        if (!(poses->time[k] > poses->time[k - 1] && poses->time[k] <= 1e5))
            return er_fail(context, ER_ERROR_ARGUMENT, "time %g s of a pose does not come after %g s, or is above 1e5",
                           poses->time[k], poses->time[k - 1]);
    er_result r = ER_OK;
    recorder b = {.context = context,
                  .model = poses->model,
                  .duration = poses->time[poses->count - 1],
                  .loops = poses->loops,
                  .ground_node = poses->ground_node,
                  .ground = poses->ground,
                  .target = target,
                  .def = d};
    ERI_TRY(begin(&b));
    ERI_TRY(copy_poses(&b, poses));
    ERI_TRY(record(&b, out));
done:
    eri_arena_destroy(b.scratch);
    eri_arena_destroy(b.arena);
    return r;
}

void er_recording_destroy(er_recording *recording)
{
    if (recording != NULL) eri_arena_destroy(recording->arena);
}
