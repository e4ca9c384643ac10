// The clip of a Collada file: keys of matrices, as dense as readers need that draw lines between them.
#include "formats/collada/collada_clip.h"

#include <stdlib.h>

#include "formats/collada/collada_source.h"
#include "scene/trs.h"
#include "scene/writing.h"

// Readers know only straight lines between keys: Assimp of a matrix's translation and scale, with the rotation along a
// great circle; Blender of the same parts of inverse(R) B_parent L inverse(B) R (collada_plan.h), R the bone at bind,
// its rotation along the chord below the circle, from quaternions that it makes w >= 0 at every key. Where the clip
// leaves Blender's line by more than this, it gets more keys: radians, stretches, and parts of the scene's size.
#define TOLERANCE 3e-5
// But not for ever: an interval between the clip's own keys is halved this often at most, and not below this length.
#define HALVINGS 10
#define SHORTEST 0.002
// A step as a ramp: seconds.
#define RAMP 0.001

typedef struct key {
    double time;
    er_affine local;
    eri_trs line; // what Blender draws lines between, but for R's turn, which changes no angle and no length
} key;

// A moved bone.
typedef struct node_track {
    int bone, key_count;
    eri_buffer keys;
    key *key; // [key_count], of `keys`
} node_track;

typedef struct sampler {
    er_arena *arena;
    const eri_dae_plan *plan;
    const er_clip *clip;
    double start;            // of the clip, where that is below 0
    double size;             // of the scene
    er_node alone;           // the node that is sampled now, as the only one of a scene
    er_clip channels;        // its channels
    er_affine turn;          // what its transforms are turned by
    er_affine before, after; // line = before local after
    node_track *out;
} sampler;

// --- one node

static double widest(er_affine a)
{
    double size = 0.0;
    for (int i = 0; i < 3; ++i)
        size = fmax(size, er_v3_norm(er_m3_column(a.linear, i)));
    return size;
}

static er_affine shift(er_vec3 by)
{
    er_affine a = er_affine_identity();
    a.translation = by;
    return a;
}

static void start_node(sampler *s, int node)
{
    const eri_dae_plan *plan = s->plan;
    int parent = plan->scene->node[node].parent;
    s->alone = plan->scene->node[node];
    s->turn = parent < 0 ? plan->turn : er_affine_identity();
    er_vec3 head = plan->bind[node].translation;
    er_affine above = parent < 0 ? er_affine_identity() : plan->bind[parent];
    s->before = er_affine_mul(shift(er_v3_scale(-1.0, head)), above);
    s->after = er_affine_mul(er_affine_inverse(plan->bind[node]), shift(head));
}

static key key_at(const sampler *s, double time)
{
    er_scene scene = {.node_count = 1, .node = &s->alone};
    key k = {.time = time};
    er_scene_sample(&scene, &s->channels, time + s->start, &k.local);
    k.local = er_affine_mul(s->turn, k.local);
    k.line = eri_trs_from_affine(er_affine_mul(s->before, er_affine_mul(k.local, s->after)));
    return k;
}

static er_affine between(eri_trs a, eri_trs b, double t)
{
    er_quat p = a.rotation, q = b.rotation;
    er_quat chord =
        er_q((1 - t) * p.w + t * q.w, (1 - t) * p.x + t * q.x, (1 - t) * p.y + t * q.y, (1 - t) * p.z + t * q.z);
    er_vec3 at = er_v3_madd(a.translation, t, er_v3_sub(b.translation, a.translation));
    er_vec3 scale = er_v3_madd(a.scale, t, er_v3_sub(b.scale, a.scale));
    return er_affine_from_trs(at, er_q_unit(chord), scale);
}

// Whether the clip runs along the line, judged at its quarters.
static bool is_straight(const sampler *s, const key *a, const key *b)
{
    for (int i = 1; i <= 3; ++i) {
        double t = 0.25 * i;
        key k = key_at(s, a->time + t * (b->time - a->time));
        er_affine meant = between(k.line, k.line, 0.0), got = between(a->line, b->line, t), off;
        off.linear = er_m3_madd(got.linear, -1.0, meant.linear);
        double away = er_v3_distance(got.translation, meant.translation);
        if (widest(off) > TOLERANCE * widest(meant) || away > TOLERANCE * s->size) return false;
    }
    return true;
}

static er_result add_key(sampler *s, key k)
{
    node_track *t = s->out;
    t->keys.arena = s->arena;
    eri_buffer_add(&t->keys, &k, sizeof k);
    t->key = (key *)(void *)t->keys.bytes;
    t->key_count += t->keys.failure == ER_OK;
    return t->keys.failure;
}

// The keys after `a` up to `b`.
static er_result add_between(sampler *s, key a, key b, int halvings)
{
    er_result r = ER_OK;
    if (halvings > 0 && b.time - a.time > SHORTEST && !is_straight(s, &a, &b)) {
        key middle = key_at(s, 0.5 * (a.time + b.time));
        ERI_TRY(add_between(s, a, middle, halvings - 1));
        ERI_TRY(add_between(s, middle, b, halvings - 1));
    } else {
        ERI_TRY(add_key(s, b));
    }
done:
    return r;
}

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// The times of all channels, the foot of every step's ramp, and the end of the clip; ascending, as floats too.
static er_result gather_times(const sampler *s, double **out, int *count)
{
    er_result r = ER_OK;
    double *time;
    size_t most = 1, n = 0;
    *count = 0;
    for (int i = 0; i < s->channels.channel_count; ++i)
        most += 2 * (size_t)s->channels.channel[i].key_count;
    ERI_TRY_RESERVE(time, s->arena, double, most);
    for (int i = 0; i < s->channels.channel_count; ++i) {
        const er_channel *c = &s->channels.channel[i];
        for (int k = 0; k < c->key_count; ++k) {
            time[n++] = c->time[k] - s->start;
            if (c->interpolation == ER_STEP && k > 0)
                time[n++] = c->time[k] - s->start - fmin(RAMP, 0.25 * (c->time[k] - c->time[k - 1]));
        }
    }
    time[n++] = s->clip->duration - s->start;
    qsort(time, n, sizeof *time, compare_times);
    for (size_t i = 0; i < n; ++i)
        if (*count == 0 || (float)time[i] > (float)time[*count - 1]) time[(*count)++] = time[i];
    *out = time;
done:
    return r;
}

static er_result sample_node(sampler *s, int node, int channel_count, const er_channel *channel)
{
    er_result r = ER_OK;
    er_channel *own;
    double *time;
    int count;
    ERI_TRY_NEW(own, s->arena, er_channel, channel_count);
    s->channels = (er_clip){.name = "", .channel = own};
    for (int i = 0; i < channel_count; ++i) {
        if (channel[i].path == ER_PATH_MORPH) continue;
        own[s->channels.channel_count] = channel[i];
        own[s->channels.channel_count++].node = 0;
    }
    if (s->channels.channel_count == 0) goto done;
    start_node(s, node);
    s->out->bone = node;
    ERI_TRY(gather_times(s, &time, &count));
    key last = key_at(s, time[0]);
    ERI_TRY(add_key(s, last));
    for (int i = 1; i < count; ++i) {
        key next = key_at(s, time[i]);
        ERI_TRY(add_between(s, last, next, HALVINGS));
        last = next;
    }
    ++s->out;
done:
    return r;
}

// --- the clip

// The diagonal of the box round all that is drawn, and all nodes, at rest.
static er_result scene_size(er_arena *arena, const eri_dae_plan *plan, double *size)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < scene->node_count; ++i) {
        const er_vec3 at = plan->world[i].translation;
        const double p[3] = {at.x, at.y, at.z};
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], p[k]);
            high[k] = fmax(high[k], p[k]);
        }
    }
    for (int i = 0; i < plan->drawn_count; ++i) {
        int instance = plan->drawn[i].instance, count = scene->mesh[scene->instance[instance].mesh].vertex_count;
        double *position;
        ERI_TRY_RESERVE(position, arena, double, 3 * (size_t)count);
        er_scene_skin(scene, instance, plan->world, position);
        for (ptrdiff_t k = 0; k < 3 * (ptrdiff_t)count; ++k) {
            low[k % 3] = fmin(low[k % 3], position[k]);
            high[k % 3] = fmax(high[k % 3], position[k]);
        }
    }
    er_vec3 diagonal = er_v3(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    *size = er_v3_norm(diagonal) > 0.0 ? er_v3_norm(diagonal) : 1.0;
done:
    return r;
}

// All moved bones: nodes with channels, then joints that stand elsewhere in the bind pose.
static er_result make_tracks(er_arena *arena, const eri_dae_plan *plan, const er_clip *clip, node_track **out,
                             int *count)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    node_track *tracks;
    bool *moved;
    ERI_TRY_NEW(tracks, arena, node_track, plan->bone_count);
    ERI_TRY_NEW(moved, arena, bool, plan->bone_count);
    sampler s = {.arena = arena, .plan = plan, .clip = clip, .start = eri_clip_start(clip), .out = tracks};
    ERI_TRY(scene_size(arena, plan, &s.size));
    for (int i = 0, end; i < clip->channel_count; i = end) {
        int node = clip->channel[i].node;
        for (end = i + 1; end < clip->channel_count && clip->channel[end].node == node;)
            ++end;
        const node_track *before = s.out;
        ERI_TRY(sample_node(&s, node, end - i, clip->channel + i));
        moved[node] = s.out > before;
    }
    for (int i = 0; i < plan->bone_count && s.out > tracks; ++i) {
        if (!plan->bone[i].posed || moved[i]) continue;
        key still = {.local = i < scene->node_count ? plan->local[i] : er_affine_identity()};
        s.out->bone = i;
        ERI_TRY(add_key(&s, still));
        ++s.out;
    }
    *out = tracks;
    *count = (int)(s.out - tracks);
done:
    return r;
}

// --- XML

static void put_times(eri_xml *xml, const node_track *t, const char *id, double *room)
{
    static const char *const names[] = {"TIME", NULL};
    for (int k = 0; k < t->key_count; ++k)
        room[k] = t->key[k].time;
    eri_dae_open_source(xml, id, "float_array", (size_t)t->key_count);
    eri_xml_doubles(xml, room, (size_t)t->key_count, 8);
    eri_dae_close_source(xml, id, t->key_count, names, "float");
}

static void put_matrices(eri_xml *xml, const node_track *t, const char *id, double *room)
{
    static const char *const names[] = {"TRANSFORM", NULL};
    for (int k = 0; k < t->key_count; ++k)
        eri_xml_rows(t->key[k].local, room + 16 * (ptrdiff_t)k);
    eri_dae_open_source(xml, id, "float_array", 16 * (size_t)t->key_count);
    eri_xml_doubles(xml, room, 16 * (size_t)t->key_count, 16);
    eri_dae_close_source(xml, id, t->key_count, names, "float4x4");
}

static void put_interpolation(eri_xml *xml, const node_track *t, const char *id)
{
    static const char *const names[] = {"INTERPOLATION", NULL};
    eri_dae_open_source(xml, id, "Name_array", (size_t)t->key_count);
    for (int k = 0; k < t->key_count; ++k)
        eri_xml_text(xml, k == 0 ? "LINEAR" : " LINEAR");
    eri_dae_close_source(xml, id, t->key_count, names, "name");
}

enum { ANIMATION, TIMES, MATRICES, INTERPOLATION, SAMPLER, ID_COUNT };

// One <animation> a bone, all of the clip's name: Assimp makes one clip of these, and calls it so.
//   @param out  its id
static er_result put_track(eri_xml *xml, const eri_dae_plan *plan, const char *clip, const node_track *t,
                           const char **out)
{
    static const char *const parts[ID_COUNT] = {"animation", "times", "matrices", "interpolation", "sampler"};
    er_result r = ER_OK;
    const char *bone = plan->bone[t->bone].id, *id[ID_COUNT];
    double *room;
    ERI_TRY_RESERVE(room, xml->arena, double, 16 * (size_t)t->key_count);
    for (int i = 0; i < ID_COUNT; ++i) {
        id[i] = eri_xml_part_id(xml, bone, parts[i]);
        if (id[i] == NULL) ERI_TRY(ER_ERROR_MEMORY);
    }
    *out = id[ANIMATION];
    eri_xml_open(xml, "animation");
    eri_xml_attribute(xml, "id", id[ANIMATION]);
    eri_xml_attribute(xml, "name", clip);
    put_times(xml, t, id[TIMES], room);
    put_matrices(xml, t, id[MATRICES], room);
    put_interpolation(xml, t, id[INTERPOLATION]);
    eri_xml_open(xml, "sampler");
    eri_xml_attribute(xml, "id", id[SAMPLER]);
    eri_dae_put_input(xml, "INPUT", id[TIMES], -1, -1);
    eri_dae_put_input(xml, "OUTPUT", id[MATRICES], -1, -1);
    eri_dae_put_input(xml, "INTERPOLATION", id[INTERPOLATION], -1, -1);
    eri_xml_close(xml); // sampler
    eri_xml_open(xml, "channel");
    eri_xml_attribute_f(xml, "source", "#%s", id[SAMPLER]);
    eri_xml_attribute_f(xml, "target", "%s/transform", bone);
    eri_xml_close(xml); // channel
    eri_xml_close(xml); // animation
done:
    return r;
}

// Names the clip, for readers that make one of no animations but of these.
static er_result put_animation_clip(eri_xml *xml, const er_clip *clip, int count, const char *const *animation)
{
    const char *id = eri_xml_id(xml, clip->name);
    if (id == NULL) return ER_ERROR_MEMORY;
    eri_xml_open(xml, "library_animation_clips");
    eri_xml_open(xml, "animation_clip");
    eri_xml_attribute(xml, "id", id);
    eri_xml_attribute(xml, "name", clip->name);
    eri_xml_attribute_number(xml, "start", 0.0);
    eri_xml_attribute_number(xml, "end", clip->duration - eri_clip_start(clip));
    for (int i = 0; i < count; ++i) {
        eri_xml_open(xml, "instance_animation");
        eri_xml_attribute_f(xml, "url", "#%s", animation[i]);
        eri_xml_close(xml);
    }
    eri_xml_close(xml);
    eri_xml_close(xml);
    return ER_OK;
}

er_result eri_dae_put_clip(eri_xml *xml, const eri_dae_plan *plan, const er_clip *clip)
{
    er_result r = ER_OK;
    node_track *tracks;
    int count;
    const char **id;
    ERI_TRY(make_tracks(xml->arena, plan, clip, &tracks, &count));
    if (count == 0) goto done;
    ERI_TRY_NEW(id, xml->arena, const char *, count);
    eri_xml_open(xml, "library_animations");
    for (int i = 0; i < count; ++i)
        ERI_TRY(put_track(xml, plan, clip->name, &tracks[i], &id[i]));
    eri_xml_close(xml);
    r = put_animation_clip(xml, clip, count, id);
done:
    return r;
}
