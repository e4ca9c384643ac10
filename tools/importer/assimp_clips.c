// Animations of an Assimp scene. An FBX node that became a chain may be animated in two ways: by channels on its
// helpers, which are composed here; or by one channel on the node itself, which then replaces the whole chain and has
// the post-rotation inverted. Assimp's GenerateSimpleNodeAnim and GenerateTransformationNodeChain (FBXConverter.cpp) do
// not agree on when a chain is needed.
#include "tools/importer/assimp.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HELPER "_$AssimpFbx$_"
#define ASSUMED_TICKS 25.0
#define SHEAR_TOLERANCE 1e-4

// A file's channel on one source node, as up to three of ours.
typedef struct track {
    er_channel channel[3];
    int count;
} track;

typedef struct clip_reader {
    imp_assimp *a;
    er_arena *scratch; // of one clip
    double ticks;      // a second
    track *track;      // [source_count]
} clip_reader;

// ---- keys ----

static void keep_hemisphere(er_channel *c, double *v)
{
    for (int k = 1; k < c->key_count; ++k) {
        double *q = v + 4 * (ptrdiff_t)k, *before = q - 4;
        if (q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] >= 0.0) continue;
        for (int i = 0; i < 4; ++i)
            q[i] = -q[i];
    }
}

static er_result add_channel(clip_reader *c, er_path path, unsigned count, double *time, double *value, track *out)
{
    er_channel *channel = &out->channel[out->count];
    *channel = (er_channel){.path = path, .interpolation = ER_LINEAR, .key_count = (int)count};
    imp_reader_clean_channel(channel, time, value, &c->a->dropped_keys);
    if (path == ER_PATH_ROTATION) keep_hemisphere(channel, value);
    out->count += channel->key_count > 0;
    return ER_OK;
}

static er_result add_vectors(clip_reader *c, er_path path, unsigned count, const struct aiVectorKey *key, track *out)
{
    double *time = NULL, *value = NULL;
    er_result r = ER_OK;
    if (count == 0 || key == NULL || count > INT_MAX / 8) goto done;
    ERI_TRY_NEW(time, c->a->reader->arena, double, count);
    ERI_TRY_NEW(value, c->a->reader->arena, double, 3 * (size_t)count);
    for (unsigned k = 0; k < count; ++k) {
        const double v[3] = {key[k].mValue.x, key[k].mValue.y, key[k].mValue.z};
        time[k] = key[k].mTime / c->ticks;
        memcpy(value + 3 * (size_t)k, v, sizeof v);
    }
    r = add_channel(c, path, count, time, value, out);
done:
    return r;
}

static er_result add_rotations(clip_reader *c, unsigned count, const struct aiQuatKey *key, track *out)
{
    double *time = NULL, *value = NULL;
    er_result r = ER_OK;
    if (count == 0 || key == NULL || count > INT_MAX / 8) goto done;
    ERI_TRY_NEW(time, c->a->reader->arena, double, count);
    ERI_TRY_NEW(value, c->a->reader->arena, double, 4 * (size_t)count);
    for (unsigned k = 0; k < count; ++k) {
        const double v[4] = {key[k].mValue.x, key[k].mValue.y, key[k].mValue.z, key[k].mValue.w};
        time[k] = key[k].mTime / c->ticks;
        memcpy(value + 4 * (size_t)k, v, sizeof v);
    }
    r = add_channel(c, ER_PATH_ROTATION, count, time, value, out);
done:
    return r;
}

static er_result read_track(clip_reader *c, const struct aiNodeAnim *from, track *out)
{
    er_result r = ER_OK;
    ERI_TRY(add_vectors(c, ER_PATH_TRANSLATION, from->mNumPositionKeys, from->mPositionKeys, out));
    ERI_TRY(add_rotations(c, from->mNumRotationKeys, from->mRotationKeys, out));
    ERI_TRY(add_vectors(c, ER_PATH_SCALE, from->mNumScalingKeys, from->mScalingKeys, out));
done:
    return r;
}

static er_result read_tracks(clip_reader *c, const struct aiAnimation *from)
{
    for (unsigned i = 0; i < from->mNumChannels && from->mChannels != NULL; ++i) {
        const struct aiNodeAnim *channel = from->mChannels[i];
        int source = channel != NULL ? imp_assimp_animated(c->a, channel->mNodeName.data) : -1;
        track *t = source >= 0 ? &c->track[source] : NULL;
        c->a->lost_channels += t == NULL;
        if (t == NULL || t->count > 0) continue;
        er_result r = read_track(c, channel, t);
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

// ---- chains ----

// Whether source node i is a helper of the node `of` itself, rather than one that undoes its parent's geometry offset.
static bool own_helper(const clip_reader *c, int i, int of)
{
    const struct aiString *name = &c->a->source[of].node->mName;
    const char *helper = c->a->source[i].node->mName.data;
    return strncmp(helper, name->data, name->length) == 0 &&
           strncmp(helper + name->length, HELPER, strlen(HELPER)) == 0;
}

static er_affine transform_at(const clip_reader *c, int i, double time)
{
    er_affine rest = imp_assimp_affine(&c->a->source[i].node->mTransformation);
    const track *t = &c->track[i];
    if (t->count == 0) return rest;
    eri_trs trs = eri_trs_from_affine(rest);
    for (int k = 0; k < t->count; ++k)
        eri_trs_apply(&t->channel[k], time, &trs);
    return er_affine_from_trs(trs.translation, trs.rotation, trs.scale);
}

// The channel of a node that replaces its chain: it has T (pre R post) S instead of T pre R post^-1 S. The helper holds
// post^-1, so multiplying by it twice corrects the rotation.
static er_affine whole_chain_at(const clip_reader *c, int of, double time)
{
    er_quat post_inverse = er_q_identity();
    for (int i = c->a->source[of].parent; i >= 0 && c->a->source[i].ours < 0 && own_helper(c, i, of);
         i = c->a->source[i].parent)
        if (imp_ends_in(c->a->source[i].node->mName.data, HELPER "PostRotation"))
            post_inverse = eri_trs_from_affine(imp_assimp_affine(&c->a->source[i].node->mTransformation)).rotation;
    eri_trs trs = {er_v3(0, 0, 0), er_q_identity(), er_v3(1, 1, 1)};
    for (int k = 0; k < c->track[of].count; ++k)
        eri_trs_apply(&c->track[of].channel[k], time, &trs);
    er_quat rotation = er_q_mul(trs.rotation, er_q_mul(post_inverse, post_inverse));
    return er_affine_from_trs(trs.translation, rotation, trs.scale);
}

// How a node of ours is animated.
typedef struct chain {
    bool moved;     // by any channel
    bool composed;  // from several channels or helpers
    bool overruled; // its own channel replaces its helpers
    int parent;     // the source node whose scale it ignores, or -1
} chain;

static chain look_at_chain(const clip_reader *c, int of)
{
    const imp_assimp *a = c->a;
    chain r = {c->track[of].count > 0, false, false, -1};
    for (int i = a->source[of].parent; i >= 0 && a->source[i].ours < 0; i = a->source[i].parent) {
        r.composed = true;
        r.moved = r.moved || c->track[i].count > 0;
        r.overruled = r.overruled || (own_helper(c, i, of) && c->track[of].count > 0);
    }
    return r;
}

static er_affine chain_at(const clip_reader *c, int of, chain how, double time)
{
    const imp_assimp *a = c->a;
    er_affine local = how.overruled ? whole_chain_at(c, of, time) : transform_at(c, of, time);
    for (int i = a->source[of].parent; i >= 0 && a->source[i].ours < 0; i = a->source[i].parent)
        if (!how.overruled || !own_helper(c, i, of)) local = er_affine_mul(transform_at(c, i, time), local);
    return local;
}

static bool scaled(er_affine a)
{
    er_vec3 s = eri_trs_from_affine(a).scale;
    return fmax(fabs(s.x - 1.0), fmax(fabs(s.y - 1.0), fabs(s.z - 1.0))) > 1e-6;
}

// Whether a source node's own transform has a scale at some key.
static bool ever_scaled(const clip_reader *c, int of)
{
    const track *t = &c->track[of];
    bool any = scaled(imp_assimp_local(c->a, of));
    for (int k = 0; k < t->count; ++k)
        for (int i = 0; i < 3 * t->channel[k].key_count && t->channel[k].path == ER_PATH_SCALE; ++i)
            any = any || fabs(t->channel[k].value[i] - 1.0) > 1e-6;
    return any;
}

static chain look_at(const clip_reader *c, int of)
{
    chain r = look_at_chain(c, of);
    int parent = imp_assimp_compensates(c->a, of) ? imp_assimp_parent(c->a, of) : -1;
    if (parent < 0) return r;
    chain above = look_at_chain(c, parent);
    if (!above.composed && !ever_scaled(c, parent)) return r;
    r.parent = parent;
    r.composed = true;
    r.moved = r.moved || above.moved;
    return r;
}

static er_affine local_at(const clip_reader *c, int of, chain how, double time)
{
    er_affine local = chain_at(c, of, how, time);
    return how.parent < 0 ? local
                          : imp_assimp_compensate(local, chain_at(c, how.parent, look_at_chain(c, how.parent), time));
}

// ---- composing ----

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Adds a track's key times. Skips single keys: they hold for ever, so their time does not matter.
static int add_times(const track *t, double *time, int count)
{
    for (int k = 0; k < t->count; ++k)
        for (int i = 0; i < t->channel[k].key_count && t->channel[k].key_count > 1; ++i)
            time[count++] = t->channel[k].time[i];
    return count;
}

// From a node up through its helpers: the next source node, or -1.
static int next_in_chain(const imp_assimp *a, int i)
{
    int above = a->source[i].parent;
    return above >= 0 && a->source[above].ours < 0 ? above : -1;
}

// The key times of all tracks that move a node, each once.
static er_result union_of_times(clip_reader *c, int of, chain how, int *count, double **out)
{
    const imp_assimp *a = c->a;
    const int chains[2] = {of, how.parent};
    size_t room = 1;
    int n = 0, kept = 0;
    er_result r = ER_OK;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = chains[pass]; i >= 0; i = next_in_chain(a, i))
            for (int k = 0; k < c->track[i].count; ++k)
                room += (size_t)c->track[i].channel[k].key_count;
    if (room > INT_MAX / 8) ERI_TRY(er_fail(a->reader->context, ER_ERROR_FORMAT, "a clip has too many keys; split it"));
    ERI_TRY_NEW(*out, a->reader->arena, double, room);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = chains[pass]; i >= 0; i = next_in_chain(a, i))
            n = add_times(&c->track[i], *out, n);
    qsort(*out, (size_t)n, sizeof **out, ascending);
    for (int i = 0; i < n; ++i)
        if (kept == 0 || (*out)[i] > (*out)[kept - 1]) (*out)[kept++] = (*out)[i];
    *count = kept > 0 ? kept : 1; // one key at time 0 if all keys are single
done:
    return r;
}

static er_result compose(clip_reader *c, int of, chain how, er_channel *channel)
{
    imp_assimp *a = c->a;
    int count = 0;
    double *time = NULL, *t = NULL, *q = NULL, *s = NULL;
    er_result r = ER_OK;
    ERI_TRY(union_of_times(c, of, how, &count, &time));
    ERI_TRY_NEW(t, a->reader->arena, double, 3 * (size_t)count);
    ERI_TRY_NEW(q, a->reader->arena, double, 4 * (size_t)count);
    ERI_TRY_NEW(s, a->reader->arena, double, 3 * (size_t)count);
    for (int k = 0; k < count; ++k) {
        er_affine local = local_at(c, of, how, time[k]);
        eri_trs p = eri_trs_from_affine(local);
        a->sheared_keys +=
            !eri_affine_near(er_affine_from_trs(p.translation, p.rotation, p.scale), local, SHEAR_TOLERANCE);
        const double tv[3] = {p.translation.x, p.translation.y, p.translation.z},
                     qv[4] = {p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w},
                     sv[3] = {p.scale.x, p.scale.y, p.scale.z};
        memcpy(t + 3 * (ptrdiff_t)k, tv, sizeof tv);
        memcpy(q + 4 * (ptrdiff_t)k, qv, sizeof qv);
        memcpy(s + 3 * (ptrdiff_t)k, sv, sizeof sv);
    }
    channel[0] = (er_channel){0, ER_PATH_TRANSLATION, ER_LINEAR, count, time, t};
    channel[1] = (er_channel){0, ER_PATH_ROTATION, ER_LINEAR, count, time, q};
    channel[2] = (er_channel){0, ER_PATH_SCALE, ER_LINEAR, count, time, s};
    keep_hemisphere(&channel[1], q);
done:
    return r;
}

// ---- clips ----

static er_result read_channels(clip_reader *c, er_channel *channel, int *count)
{
    imp_assimp *a = c->a;
    er_result r = ER_OK;
    for (int k = 0; k < a->reader->scene->node_count; ++k) {
        int of = a->source_of[k], n = 0;
        chain how = look_at(c, of);
        er_channel *first = channel + *count;
        if (!how.moved) continue;
        if (how.composed) {
            ERI_TRY(compose(c, of, how, first));
            n = 3;
        } else {
            n = c->track[of].count;
            memcpy(first, c->track[of].channel, (size_t)n * sizeof *first);
        }
        for (int i = 0; i < n; ++i)
            first[i].node = k;
        *count += n;
    }
done:
    return r;
}

static er_result read_clip(imp_assimp *a, const struct aiAnimation *from, er_clip *clip)
{
    clip_reader c = {.a = a, .ticks = from->mTicksPerSecond};
    er_channel *channel = NULL;
    int count = 0;
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(a->reader->context, &c.scratch));
    clip->name = imp_reader_text(a->reader, from->mName.data);
    if (clip->name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    if (!(c.ticks > 0.0 && c.ticks < HUGE_VAL)) {
        c.ticks = ASSUMED_TICKS;
        ERI_TRY(imp_reader_note(a->reader, ER_NOTE_WARNING,
                                "the clip \"%s\" has no frame rate; %g frames a second are assumed", clip->name,
                                ASSUMED_TICKS));
    }
    if (from->mNumMorphMeshChannels > 0 || from->mNumMeshChannels > 0)
        ERI_TRY(imp_reader_note(a->reader, ER_NOTE_WARNING,
                                "the clip \"%s\" also moves morph targets, which is left out", clip->name));
    ERI_TRY_NEW(c.track, c.scratch, track, a->source_count);
    ERI_TRY(read_tracks(&c, from));
    ERI_TRY_NEW(channel, a->reader->arena, er_channel, 3 * (size_t)a->reader->scene->node_count);
    ERI_TRY(read_channels(&c, channel, &count));
    ERI_TRY(imp_reader_finish_clip(a->reader, clip, channel, count, NULL));
done:
    eri_arena_destroy(c.scratch);
    return r;
}

er_result imp_assimp_clips(imp_assimp *a)
{
    er_clip *clip = NULL;
    er_result r = ER_OK;
    ERI_TRY_NEW(clip, a->reader->arena, er_clip, a->from->mNumAnimations);
    for (unsigned i = 0; i < a->from->mNumAnimations; ++i)
        if (a->from->mAnimations[i] != NULL)
            ERI_TRY(read_clip(a, a->from->mAnimations[i], &clip[a->reader->scene->clip_count++]));
    a->reader->scene->clip = clip;
done:
    return r;
}
