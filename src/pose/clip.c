// A period of a mode as keys on nodes. A node's world transform is the equilibrium one moved by its body's
// displacement; its local one follows from its parent's.
#include <eigenrig/pose.h>

#include <string.h>

#include "base/arena.h"
#include "scene/trs.h"

er_pose_clip_def er_default_pose_clip_def(void)
{
    er_pose_clip_def def = {20.0, 48, ER_DEF_TAG};
    return def;
}

typedef struct track {
    bool keyed;
    bool still; // moves with its parent: two keys say it all
    bool translation, scale;
    double *t, *r, *s; // [(steps + 1) x 3, 4, 3]
} track;

typedef struct clip_builder {
    er_context *context;
    const er_model *model;
    const er_mode *mode;
    const er_pose_target *target;
    er_pose_clip_def def;
    er_arena *arena, *scratch;
    er_pose *pose; // [(steps + 1) x body_count]
    track *track;  // [node_count]
} clip_builder;

// The displacement of a body in file units: D = P(t) P(0)^-1, its shift divided by the unit.
static er_affine displacement(const clip_builder *b, int body, int step)
{
    er_pose now = b->pose[(size_t)step * (size_t)b->model->body_count + (size_t)body];
    er_pose moved = er_pose_mul(now, er_pose_inverse(b->model->body[body].pose));
    moved.p = er_v3_scale(1.0 / b->target->metres_per_unit, moved.p);
    return er_affine_from_pose(moved);
}

static er_affine world_at(const clip_builder *b, int node, int step)
{
    int body = b->target->node_body[node];
    er_affine rest = b->target->world[node];
    return body >= 0 ? er_affine_mul(displacement(b, body, step), rest) : rest;
}

static er_affine local_at(const clip_builder *b, int node, int step)
{
    int parent = b->target->scene->node[node].parent;
    er_affine world = world_at(b, node, step);
    if (parent < 0) return world;
    er_affine above = world_at(b, parent, step);
    // below a node scaled to nothing all local transforms show the same
    if (!(fabs(er_m3_det(above.linear)) > 0.0)) return b->target->scene->node[node].local;
    return er_affine_mul(er_affine_inverse(above), world);
}

// All poses of a period; a loop that cannot follow gets a smaller amplitude.
static er_result sample_period(clip_builder *b, double *degrees)
{
    er_result r = ER_OK;
    int steps = b->def.steps, n = b->model->body_count;
    ER_TRY_NEW(b->pose, b->scratch, er_pose, (size_t)(steps + 1) * (size_t)n);
    *degrees = b->def.degrees;
    for (int attempt = 0;; ++attempt) {
        double amplitude = er_pose_amplitude(b->model, b->mode, *degrees);
        for (int k = 0; k <= steps && r == ER_OK; ++k) {
            double phase = sin(2.0 * ER_PI * (k % steps) / steps); // the last key is the first, to the bit
            r = er_pose_mode(b->context, b->model, b->mode, amplitude * phase, b->pose + (size_t)k * (size_t)n);
        }
        if (r != ER_ERROR_NO_CONVERGENCE || attempt == 8) break;
        *degrees *= 0.5;
        r = ER_OK;
    }
done:
    return r;
}

// The paths of a node that clips of the scene key: bit 1 << path.
static unsigned source_keys(const er_scene *scene, int node)
{
    unsigned keys = 0;
    for (int c = 0; c < scene->clip_count; ++c)
        for (int k = 0; k < scene->clip[c].channel_count; ++k)
            if (scene->clip[c].channel[k].node == node) keys |= 1u << scene->clip[c].channel[k].path;
    return keys;
}

static er_result fill_track(clip_builder *b, int node)
{
    er_result r = ER_OK;
    const er_pose_target *target = b->target;
    int body = target->node_body[node], parent = target->scene->node[node].parent, steps = b->def.steps;
    track *out = &b->track[node];
    const unsigned translation = 1u << ER_PATH_TRANSLATION, rotation = 1u << ER_PATH_ROTATION,
                   scale = 1u << ER_PATH_SCALE;
    unsigned source = source_keys(target->scene, node) & (translation | rotation | scale);
    out->keyed =
        (target->keyed != NULL && target->keyed[node]) || (body >= 0 && (target->keyed == NULL || source != 0));
    if (!out->keyed) return ER_OK;
    out->still = parent >= 0 && target->node_body[parent] == body;
    ER_TRY_NEW(out->t, b->arena, double, 3 * (steps + 1));
    ER_TRY_NEW(out->r, b->arena, double, 4 * (steps + 1));
    ER_TRY_NEW(out->s, b->arena, double, 3 * (steps + 1));
    er_trs rest = er_trs_from_affine(target->scene->node[node].local), before = rest;
    double moved = 0.0, scaled = 0.0, size = er_v3_norm(rest.translation);
    for (int k = 0; k <= steps; ++k) {
        er_trs now = er_trs_from_affine(local_at(b, node, out->still ? 0 : k));
        if (er_q_dot(now.rotation, before.rotation) < 0.0)
            now.rotation = er_q(-now.rotation.w, -now.rotation.x, -now.rotation.y, -now.rotation.z);
        before = now;
        moved = fmax(moved, er_v3_distance(now.translation, rest.translation));
        scaled = fmax(scaled, er_v3_distance(now.scale, rest.scale));
        const double t[3] = {now.translation.x, now.translation.y, now.translation.z},
                     s[3] = {now.scale.x, now.scale.y, now.scale.z},
                     q[4] = {now.rotation.x, now.rotation.y, now.rotation.z, now.rotation.w};
        memcpy(out->t + 3 * k, t, sizeof t);
        memcpy(out->r + 4 * k, q, sizeof q);
        memcpy(out->s + 3 * k, s, sizeof s);
    }
    double tiny = 1e-7 * (size + b->model->size / target->metres_per_unit);
    out->translation = moved > tiny || (source & translation) != 0;
    out->scale = scaled > 1e-5 * (1e-12 + er_v3_norm(rest.scale)) || (source & scale) != 0;
done:
    return r;
}

static bool is_constant(const double *value, int width, int keys)
{
    for (int k = 1; k < keys; ++k)
        for (int i = 0; i < width; ++i)
            if (fabs(value[k * width + i] - value[i]) > 1e-9 * (1e-3 + fabs(value[i]))) return false;
    return true;
}

static void add_channel(clip_builder *b, er_channel *out, int node, er_path path, double *value, const double *time,
                        const double *ends)
{
    int width = path == ER_PATH_ROTATION ? 4 : 3, keys = b->def.steps + 1;
    bool constant = is_constant(value, width, keys);
    if (constant) memcpy(value + width, value, (size_t)width * sizeof *value); // the last key is the first, to the bit
    *out = (er_channel){node, path, ER_LINEAR, constant ? 2 : keys, constant ? ends : time, value};
}

static er_result collect_channels(clip_builder *b, er_clip *clip, double period)
{
    er_result r = ER_OK;
    int steps = b->def.steps, nodes = b->target->scene->node_count, count = 0;
    double *time, *ends;
    er_channel *channel;
    ER_TRY_NEW(time, b->arena, double, steps + 1);
    ER_TRY_NEW(ends, b->arena, double, 2);
    for (int k = 0; k <= steps; ++k)
        time[k] = k < steps ? period * k / steps : period;
    ends[1] = period;
    for (int i = 0; i < nodes; ++i)
        if (b->track[i].keyed) count += 1 + b->track[i].translation + b->track[i].scale;
    ER_TRY_NEW(channel, b->arena, er_channel, count);
    count = 0;
    for (int i = 0; i < nodes; ++i) {
        const track *t = &b->track[i];
        if (!t->keyed) continue;
        add_channel(b, &channel[count++], i, ER_PATH_ROTATION, t->r, time, ends);
        if (t->translation) add_channel(b, &channel[count++], i, ER_PATH_TRANSLATION, t->t, time, ends);
        if (t->scale) add_channel(b, &channel[count++], i, ER_PATH_SCALE, t->s, time, ends);
    }
    clip->duration = period;
    clip->channel_count = count;
    clip->channel = channel;
done:
    return r;
}

er_result er_pose_mode_clip(er_context *context, const er_model *model, const er_mode *mode, int index,
                            const er_pose_target *target, const er_pose_clip_def *def, er_pose_clip **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_pose_clip_def d = def != NULL ? *def : er_default_pose_clip_def();
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || mode == NULL || target == NULL || d.tag != ER_DEF_TAG)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "er_pose_mode_clip needs a model, a mode, a target, and NULL or a def made by er_default_pose_clip_def()");
    if (target->scene == NULL || target->node_body == NULL || target->world == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a pose target needs a scene, the nodes' bodies and world transforms");
    if (!(target->metres_per_unit > 0.0) || !isfinite(target->metres_per_unit))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g metres per unit is not a positive number",
                       target->metres_per_unit);
    if (mode->kind != ER_MODE_ELASTIC)
        return er_fail(context, ER_ERROR_ARGUMENT, "mode %d is %s: it has no period", index,
                       er_mode_kind_name(mode->kind));
    if (!(d.degrees > 0.0 && d.degrees <= 180.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "amplitude %g is not in (0, 180] degrees", d.degrees);
    if (d.steps < 4 || d.steps > 10000)
        return er_fail(context, ER_ERROR_ARGUMENT, "%d keys a period is not between 4 and 10000", d.steps);
    er_result r = ER_OK;
    er_pose_clip *clip;
    clip_builder b = {.context = context, .model = model, .mode = mode, .target = target, .def = d};
    ER_TRY(er_arena_create(context, &b.arena));
    ER_TRY(er_arena_create(context, &b.scratch));
    ER_TRY_NEW(clip, b.arena, er_pose_clip, 1);
    ER_TRY_NEW(b.track, b.scratch, track, target->scene->node_count);
    ER_TRY(sample_period(&b, &clip->degrees));
    for (int i = 0; i < target->scene->node_count; ++i)
        ER_TRY(fill_track(&b, i));
    ER_TRY(collect_channels(&b, &clip->clip, 1.0 / mode->frequency_hz));
    clip->clip.name = er_arena_printf(b.arena, "mode %02d  %.2f Hz", index, mode->frequency_hz);
    ER_TRY(clip->clip.name != NULL ? ER_OK : ER_ERROR_MEMORY);
    clip->arena = b.arena;
    *out = clip;
    b.arena = NULL;
done:
    er_arena_destroy(b.scratch);
    er_arena_destroy(b.arena);
    return r;
}

void er_pose_clip_destroy(er_pose_clip *clip)
{
    if (clip != NULL) er_arena_destroy(clip->arena);
}
