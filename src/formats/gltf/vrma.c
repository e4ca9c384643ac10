// Clips as VRM animation: what they do to the bones of a humanoid map, for any VRM model.
// Bone b turns by D_b(t) = R_b(t) R_b(rest)^-1 in the world, and is written below its parent p among the bones, without
// a rotation at rest: D_p^-1 D_b is its rotation then, whatever lies between the two. VRM 0 faces -Z, VRM animation +Z:
// half a turn about Y takes (x, y, z) to (-x, y, -z), of points and of quaternions alike.
// Source: VRMC_vrm_animation 1.0 and how_to_transform_human_pose.md, VRM Consortium.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "formats/gltf/gltf_clips.h"
#include "formats/gltf/gltf_scene.h"
#include "formats/scene_writer.h"
#include "scene/trs.h"
#include "scene/writing.h"

#define NONE (-1)
#define SPLINE_PARTS 8 // lines in place of a piece of a spline
#define STEP 2e-5      // s, that a step takes
#define TOLERANCE 3e-6 // rad, and of the hips' height, that lines may leave the clip by
#define SHORTEST 1e-3  // s; keys come no closer to follow it
#define ROUNDS 6       // of halving

// The bones of a scene's map as a scene of their own.
typedef struct human {
    const er_scene *scene;
    er_arena *arena;
    bool turned;              // VRM 0
    int *bone;                // [node_count] of the scene: index among the bones, or NONE
    int count, hips;          // bones; hips is one of them
    int *node;                // [count], of the scene
    er_quat *rest;            // [count], world rotation
    er_scene bones;           // at rest
    er_affine *local, *world; // [node_count], room
} human;

static er_vec3 facing_point(const human *h, er_vec3 p)
{
    return h->turned ? er_v3(-p.x, p.y, -p.z) : p;
}

static er_quat facing_turn(const human *h, er_quat q)
{
    return h->turned ? er_q(q.w, -q.x, q.y, -q.z) : q;
}

// --- bones

// Eyes are not moved as bones.
static bool is_bone(const er_node *node)
{
    return node->role != NULL && node->role[0] != '\0' && strcmp(node->role, "leftEye") != 0 &&
           strcmp(node->role, "rightEye") != 0;
}

// A bone's name in VRM 1: the joints of thumbs had others in VRM 0.
static const char *bone_name(const human *h, const char *role)
{
    static const char *const thumbs[][2] = {{"leftThumbProximal", "leftThumbMetacarpal"},
                                            {"leftThumbIntermediate", "leftThumbProximal"},
                                            {"rightThumbProximal", "rightThumbMetacarpal"},
                                            {"rightThumbIntermediate", "rightThumbProximal"}};
    for (size_t i = 0; h->turned && i < ERI_COUNT(thumbs); ++i)
        if (strcmp(role, thumbs[i][0]) == 0) return thumbs[i][1];
    return role;
}

// The bone that a node hangs on, itself left out; NONE where there is none.
static int bone_above(const human *h, int node)
{
    int at = h->scene->node[node].parent;
    while (at != NONE && h->bone[at] == NONE)
        at = h->scene->node[at].parent;
    return at != NONE ? h->bone[at] : NONE;
}

static er_result find_bones(human *h, const char *path)
{
    er_result r = ER_OK;
    const er_scene *scene = h->scene;
    int n = scene->node_count;
    ERI_TRY_NEW(h->bone, h->arena, int, n);
    ERI_TRY_NEW(h->node, h->arena, int, n);
    h->hips = NONE;
    for (int i = 0; i < n; ++i) {
        h->bone[i] = NONE;
        if (!is_bone(&scene->node[i])) continue;
        if (strcmp(scene->node[i].role, "hips") == 0) h->hips = h->count;
        h->node[h->count] = i;
        h->bone[i] = h->count++;
    }
    if (h->hips == NONE)
        r = er_fail(eri_arena_context(h->arena), ER_ERROR_ARGUMENT,
                    "%s: cannot be written: VRM animation moves the bones of a humanoid map, and the model has none "
                    "with hips; give a VRM model, or write .glb",
                    path);
done:
    return r;
}

static er_result make_rest(human *h)
{
    er_result r = ER_OK;
    er_node *node;
    ERI_TRY_NEW(h->local, h->arena, er_affine, h->scene->node_count);
    ERI_TRY_NEW(h->world, h->arena, er_affine, h->scene->node_count);
    ERI_TRY_NEW(h->rest, h->arena, er_quat, h->count);
    ERI_TRY_NEW(node, h->arena, er_node, h->count);
    er_scene_sample(h->scene, NULL, 0.0, h->local);
    er_scene_world(h->scene, h->local, h->world);
    for (int b = 0; b < h->count; ++b) {
        int parent = bone_above(h, h->node[b]);
        er_vec3 base = parent != NONE ? h->world[h->node[parent]].translation : er_v3(0, 0, 0);
        er_vec3 from = er_v3_sub(h->world[h->node[b]].translation, base);
        h->rest[b] = eri_trs_from_affine(h->world[h->node[b]]).rotation;
        node[b] = h->scene->node[h->node[b]];
        node[b].parent = parent;
        node[b].local = er_affine_from_trs(facing_point(h, from), er_q_identity(), er_v3(1, 1, 1));
    }
    h->bones = (er_scene){.path = h->scene->path,
                          .format = ER_FORMAT_OTHER,
                          .format_name = h->scene->format_name,
                          .metres_per_unit = h->scene->metres_per_unit,
                          .up = h->scene->up,
                          .node_count = h->count,
                          .node = node};
done:
    return r;
}

// --- clips

typedef struct times {
    double *at; // [count]
    int count;
} times;

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The times at which the clip's lines may bend: keys, and within splines and before steps.
static er_result find_times(const human *h, const er_clip *clip, times *out)
{
    er_result r = ER_OK;
    size_t room = 2;
    for (int i = 0; i < clip->channel_count; ++i)
        room += (size_t)clip->channel[i].key_count * SPLINE_PARTS;
    ERI_TRY_RESERVE(out->at, h->arena, double, room);
    int count = 0;
    out->at[count++] = eri_clip_start(clip);
    out->at[count++] = clip->duration;
    for (int i = 0; i < clip->channel_count; ++i) {
        const er_channel *c = &clip->channel[i];
        for (int k = 0; c->path != ER_PATH_MORPH && k < c->key_count; ++k) {
            double from = c->time[k > 0 ? k - 1 : 0], to = c->time[k];
            out->at[count++] = to;
            if (c->interpolation == ER_STEP && k > 0) out->at[count++] = to - fmin(STEP, 0.5 * (to - from));
            for (int part = 1; c->interpolation == ER_CUBIC && k > 0 && part < SPLINE_PARTS; ++part)
                out->at[count++] = from + (to - from) * part / SPLINE_PARTS;
        }
    }
    qsort(out->at, (size_t)count, sizeof *out->at, by_time);
    for (int i = 0; i < count; ++i)
        if (out->count == 0 || out->at[i] > out->at[out->count - 1]) out->at[out->count++] = out->at[i];
done:
    return r;
}

// The pose of the bones at one time.
typedef struct moment {
    er_quat *turn, *rotation; // [count]: in the world, as written
    er_vec3 hips;             // as written
} moment;

static er_result new_moment(const human *h, moment *m)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(m->turn, h->arena, er_quat, h->count);
    ERI_TRY_NEW(m->rotation, h->arena, er_quat, h->count);
done:
    return r;
}

static void look(human *h, const er_clip *clip, double time, moment *m)
{
    er_scene_sample(h->scene, clip, time, h->local);
    er_scene_world(h->scene, h->local, h->world);
    for (int b = 0; b < h->count; ++b) {
        er_quat now = eri_trs_from_affine(h->world[h->node[b]]).rotation;
        int parent = h->bones.node[b].parent;
        m->turn[b] = er_q_unit(er_q_mul(now, er_q_conj(h->rest[b])));
        m->rotation[b] = facing_turn(h, parent != NONE ? er_q_mul(er_q_conj(m->turn[parent]), m->turn[b]) : m->turn[b]);
    }
    m->hips = facing_point(h, h->world[h->node[h->hips]].translation);
}

// Whether the hips, or all bones' rotations, are halfway from one moment to another in the middle between them.
static bool is_straight(const human *h, bool hips, const moment *from, const moment *middle, const moment *to)
{
    er_vec3 half = er_v3_scale(0.5, er_v3_add(from->hips, to->hips));
    double height = er_v3_norm(h->bones.node[h->hips].local.translation);
    if (hips) return er_v3_distance(half, middle->hips) <= TOLERANCE * height;
    for (int b = 0; b < h->count; ++b) {
        er_quat line = er_q_slerp(from->rotation[b], to->rotation[b], 0.5);
        er_quat off = er_q_mul(er_q_conj(line), middle->rotation[b]);
        if (er_v3_norm(er_v3(off.x, off.y, off.z)) > 0.5 * TOLERANCE) return false;
    }
    return true;
}

// Halves what is not straight: turns of nodes one on another are no line where each is.
static er_result halve(human *h, const er_clip *clip, bool hips, times *t)
{
    er_result r = ER_OK;
    moment from = {0}, middle = {0}, to = {0};
    times fine = {0};
    ERI_TRY_RESERVE(fine.at, h->arena, double, 2 * (size_t)t->count);
    ERI_TRY(new_moment(h, &from));
    ERI_TRY(new_moment(h, &middle));
    ERI_TRY(new_moment(h, &to));
    for (int i = 0; i < t->count; ++i) {
        double before = i > 0 ? t->at[i - 1] : t->at[i], half = 0.5 * (before + t->at[i]);
        look(h, clip, t->at[i], &to);
        if (t->at[i] - before > SHORTEST) {
            look(h, clip, half, &middle);
            if (!is_straight(h, hips, &from, &middle, &to)) fine.at[fine.count++] = half;
        }
        fine.at[fine.count++] = t->at[i];
        moment last = from;
        from = to;
        to = last;
    }
    *t = fine;
done:
    return r;
}

static er_result refine(human *h, const er_clip *clip, bool hips, times *t)
{
    er_result r = ER_OK;
    for (int round = 0, count = 0; round < ROUNDS && count != t->count; ++round) {
        count = t->count;
        ERI_TRY(halve(h, clip, hips, t));
    }
done:
    return r;
}

// The rotations of all bones, channel after channel.
static er_result make_turns(human *h, const er_clip *clip, times t, er_channel *channel)
{
    er_result r = ER_OK;
    moment now = {0};
    double *value;
    ERI_TRY(refine(h, clip, false, &t));
    ERI_TRY(new_moment(h, &now));
    ERI_TRY_RESERVE(value, h->arena, double, 4 * (size_t)t.count * (size_t)h->count);
    for (int k = 0; k < t.count; ++k) {
        look(h, clip, t.at[k], &now);
        for (int b = 0; b < h->count; ++b) {
            const double q[4] = {now.rotation[b].x, now.rotation[b].y, now.rotation[b].z, now.rotation[b].w};
            memcpy(value + 4 * ((size_t)b * (size_t)t.count + (size_t)k), q, sizeof q);
        }
    }
    for (int b = 0; b < h->count; ++b)
        channel[b] =
            (er_channel){b, ER_PATH_ROTATION, ER_LINEAR, t.count, t.at, value + 4 * (size_t)b * (size_t)t.count};
done:
    return r;
}

static er_result make_place(human *h, const er_clip *clip, times t, er_channel *channel)
{
    er_result r = ER_OK;
    moment now = {0};
    double *value;
    ERI_TRY(refine(h, clip, true, &t));
    ERI_TRY(new_moment(h, &now));
    ERI_TRY_RESERVE(value, h->arena, double, 3 * (size_t)t.count);
    for (int k = 0; k < t.count; ++k) {
        look(h, clip, t.at[k], &now);
        const double p[3] = {now.hips.x, now.hips.y, now.hips.z};
        memcpy(value + 3 * k, p, sizeof p);
    }
    *channel = (er_channel){h->hips, ER_PATH_TRANSLATION, ER_LINEAR, t.count, t.at, value};
done:
    return r;
}

static er_result make_clip(human *h, const er_clip *clip, er_clip *out)
{
    er_result r = ER_OK;
    times t = {0};
    er_channel *channel;
    ERI_TRY(find_times(h, clip, &t));
    ERI_TRY_NEW(channel, h->arena, er_channel, (size_t)h->count + 1);
    ERI_TRY(make_turns(h, clip, t, channel));
    ERI_TRY(make_place(h, clip, t, &channel[h->count]));
    *out = (er_clip){clip->name, clip->duration, h->count + 1, channel};
done:
    return r;
}

static er_result add_clips(human *h, eri_gltf_document *document, int count, const er_clip *clip, bool beside)
{
    er_result r = ER_OK;
    er_clip *made;
    ERI_TRY_NEW(made, h->arena, er_clip, count);
    for (int i = 0; i < count; ++i)
        ERI_TRY(make_clip(h, &clip[i], &made[i]));
    r = eri_gltf_add_clips(document, &h->bones, count, made, beside);
done:
    return r;
}

// --- the file

static void put_map(const human *h, eri_gltf_document *document)
{
    json_t *used = eri_gltf_list(document, document->root, "extensionsUsed");
    eri_gltf_push(document, used, json_string("VRMC_vrm_animation"));
    json_t *extensions = eri_gltf_put(document, document->root, "extensions", json_object());
    json_t *animation = eri_gltf_put(document, extensions, "VRMC_vrm_animation", json_object());
    eri_gltf_put_text(document, animation, "specVersion", "1.0");
    json_t *humanoid = eri_gltf_put(document, animation, "humanoid", json_object());
    json_t *bones = eri_gltf_put(document, humanoid, "humanBones", json_object());
    for (int b = 0; b < h->count; ++b) {
        const char *name = bone_name(h, h->scene->node[h->node[b]].role);
        json_t *bone = eri_gltf_put(document, bones, name, json_object());
        eri_gltf_put(document, bone, "node", json_integer(eri_gltf_node(&h->bones, b)));
    }
}

er_result er_vrma_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                        const er_export_def *def, const char *path)
{
    er_result r = eri_scene_writer_check(context, "er_vrma_write", scene, clip_count, clip, &def, path);
    if (r != ER_OK) return r;
    if (!er_path_ends_in(path, ".vrma"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: VRM animations end in .vrma", path);
    eri_gltf_document document = {0};
    human h = {.scene = scene, .turned = scene->forward.z < 0.0};
    ERI_TRY(eri_scene_check(context, scene, path));
    ERI_TRY(eri_arena_create(context, &h.arena));
    eri_gltf_start(&document, h.arena, path, true);
    ERI_TRY(find_bones(&h, path));
    ERI_TRY(eri_gltf_check_clips(&document, scene, clip_count, clip)); // which are sampled before they are written
    ERI_TRY(make_rest(&h));
    ERI_TRY(eri_gltf_put_scene(&document, &h.bones));
    put_map(&h, &document);
    if (!def->drop_clips) ERI_TRY(add_clips(&h, &document, scene->clip_count, scene->clip, false));
    size_t before = eri_gltf_count_clips(&document);
    ERI_TRY(add_clips(&h, &document, clip_count, clip, true));
    eri_gltf_bring_forward(&document, before, true);
    ERI_TRY(eri_gltf_save(&document));
done:
    eri_gltf_finish(&document);
    eri_arena_destroy(h.arena);
    return r;
}
