// Clips as curves. Readers blend keys by straight lines, of Euler angles or of quaternions, whatever the file says of
// tangents; so keys are put where a straight line leaves the clip.
#include <float.h>
#include <string.h>

#include "formats/fbx/fbx_euler.h"
#include "formats/fbx/fbx_writer.h"

#define DEGREES (180.0 / ER_PI)
#define TURN_TOLERANCE 3e-6   // rad; readers that blend angles were seen to be off by 1e-5 of the size
#define SPLINE_TOLERANCE 1e-5 // of the range of a channel
#define ROUNDING 1e-7         // of the largest value: floats hold no more
#define STEP 2e-5             // s, that a step takes
#define SHORTEST 1e-4         // s; keys come no closer to chase a curve
#define STEEP 0.9             // sine of the second angle from which another order is looked for
#define LONGEST 1e8           // s; 64 bits of ticks hold twice as much

// A curve being made: keys in order.
typedef struct tracer {
    eri_fbx_writer *w;
    er_arena *arena;
    const er_channel *channel;
    int order;
    double start, tolerance;
    int64_t *tick; // [count]
    double *value; // [3 count], angles in radians
    int count, capacity;
} tracer;

// --- the survey

static int64_t ticks(double seconds)
{
    return (int64_t)llround(seconds * ERI_FBX_SECOND);
}

static int64_t clip_stop(const er_clip *clip, double start)
{
    int64_t stop = ticks(clip->duration - start);
    return stop > 0 ? stop : 1; // Assimp drops what has no length
}

static bool moves(const er_clip *clip)
{
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].path != ER_PATH_MORPH) return true;
    return false;
}

int64_t eri_fbx_longest(const er_scene *scene)
{
    int64_t longest = 0;
    for (int i = 0; i < scene->clip_count; ++i) {
        int64_t stop = clip_stop(&scene->clip[i], eri_clip_start(&scene->clip[i]));
        if (stop > longest) longest = stop;
    }
    return longest;
}

static const double *key_values(const er_channel *c, int k)
{
    int n = c->path == ER_PATH_ROTATION ? 4 : 3;
    return c->value + (c->interpolation == ER_CUBIC ? 3 * n * (ptrdiff_t)k + n : n * (ptrdiff_t)k);
}

static er_quat key_rotation(const er_channel *c, int k)
{
    const double *v = key_values(c, k);
    return er_q_unit(er_q(v[3], v[0], v[1], v[2]));
}

static void raise_sines(double *steepest, er_quat q)
{
    for (int order = 0; order < ERI_FBX_ORDERS; ++order)
        steepest[order] = fmax(steepest[order], fabs(eri_fbx_euler_sine(q, order)));
}

static uint8_t best_order(const double *steepest)
{
    int best = 0; // XYZ, which all readers know, as long as it will do
    for (int order = 1; order < ERI_FBX_ORDERS && steepest[0] > STEEP; ++order)
        if (steepest[order] < steepest[best]) best = order;
    return (uint8_t)best;
}

er_result eri_fbx_survey_clips(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    const er_scene *scene = writer->scene;
    er_arena *arena = writer->document->arena;
    double *steepest;
    uint8_t *keyed, *order;
    ERI_TRY_NEW(steepest, arena, double, ERI_FBX_ORDERS *(size_t)scene->node_count);
    ERI_TRY_NEW(keyed, arena, uint8_t, scene->node_count);
    ERI_TRY_NEW(order, arena, uint8_t, scene->node_count);
    for (int i = 0; i < scene->clip_count; ++i) {
        const er_clip *clip = &scene->clip[i];
        double length = clip->duration - eri_clip_start(clip);
        if (!(length <= LONGEST))
            return er_fail(eri_arena_context(arena), ER_ERROR_ARGUMENT,
                           "%s: cannot be written: clip \"%s\" lasts %g s, and FBX counts to %g; cut it",
                           writer->document->path, clip->name, length, LONGEST);
        for (int c = 0; c < clip->channel_count; ++c) {
            const er_channel *channel = &clip->channel[c];
            if (channel->path == ER_PATH_MORPH) continue;
            keyed[channel->node] |= (uint8_t)(1u << channel->path);
            for (int k = 0; channel->path == ER_PATH_ROTATION && k < channel->key_count; ++k)
                raise_sines(steepest + ERI_FBX_ORDERS * channel->node, key_rotation(channel, k));
        }
    }
    for (int i = 0; i < scene->node_count; ++i)
        order[i] = best_order(steepest + ERI_FBX_ORDERS * i);
    writer->keyed = keyed;
    writer->order = order;
done:
    return r;
}

// --- tracing

static bool is_rotation(const tracer *t)
{
    return t->channel->path == ER_PATH_ROTATION;
}

static eri_trs sample(const tracer *t, double time)
{
    eri_trs trs = {er_v3(0, 0, 0), er_q_identity(), er_v3(1, 1, 1)};
    eri_trs_apply(t->channel, time, &trs);
    return trs;
}

// The clip's value; angles are the ones nearest to `near`.
static er_vec3 value_of(const tracer *t, const eri_trs *trs, er_vec3 near)
{
    if (is_rotation(t)) return eri_fbx_euler_from_q(trs->rotation, t->order, near);
    return t->channel->path == ER_PATH_TRANSLATION ? trs->translation : trs->scale;
}

static er_vec3 last_value(const tracer *t)
{
    if (t->count == 0) return er_v3(0, 0, 0);
    const double *v = t->value + 3 * (ptrdiff_t)(t->count - 1);
    return er_v3(v[0], v[1], v[2]);
}

static er_result push(tracer *t, int64_t tick, er_vec3 v)
{
    er_result r = ER_OK;
    if (t->count == t->capacity) {
        int capacity = 2 * t->capacity + 64;
        int64_t *grown;
        double *value;
        ERI_TRY_RESERVE(grown, t->arena, int64_t, capacity);
        ERI_TRY_RESERVE(value, t->arena, double, 3 * (size_t)capacity);
        if (t->count > 0) {
            memcpy(grown, t->tick, (size_t)t->count * sizeof *grown);
            memcpy(value, t->value, 3 * (size_t)t->count * sizeof *value);
        }
        t->tick = grown;
        t->value = value;
        t->capacity = capacity;
    }
    if (t->count > 0 && tick <= t->tick[t->count - 1]) tick = t->tick[t->count - 1] + 1; // keys ascend
    t->tick[t->count] = tick;
    const double entry[3] = {v.x, v.y, v.z};
    memcpy(t->value + 3 * (ptrdiff_t)t->count++, entry, sizeof entry);
done:
    return r;
}

static er_result push_at(tracer *t, double time)
{
    eri_trs trs = sample(t, time);
    return push(t, ticks(time - t->start), value_of(t, &trs, last_value(t)));
}

static double turn_between(er_quat a, er_quat b)
{
    return er_v3_norm(er_q_log(er_q_mul(er_q_conj(a), b)));
}

static er_quat blend(er_quat a, er_quat b, double f)
{
    double s = er_q_dot(a, b) < 0.0 ? -f : f, g = 1.0 - f;
    return er_q_unit(er_q(g * a.w + s * b.w, g * a.x + s * b.x, g * a.y + s * b.y, g * a.z + s * b.z));
}

// Whether straight lines from a to b, at both ends of a piece, stay close to the clip.
static bool fits(const tracer *t, er_vec3 a, er_vec3 b, double from, double to)
{
    er_quat start = eri_fbx_euler_to_q(a, t->order), end = eri_fbx_euler_to_q(b, t->order);
    for (int i = 1; i < 4; ++i) {
        double f = 0.25 * i;
        eri_trs want = sample(t, from + f * (to - from));
        er_vec3 line = er_v3_madd(er_v3_scale(1.0 - f, a), f, b);
        if (is_rotation(t)) {
            if (turn_between(eri_fbx_euler_to_q(line, t->order), want.rotation) > TURN_TOLERANCE) return false;
            if (turn_between(blend(start, end, f), want.rotation) > TURN_TOLERANCE) return false;
        } else if (er_v3_distance(line, value_of(t, &want, line)) > t->tolerance) {
            return false;
        }
    }
    return true;
}

// Follows the clip from the last key, at `from`, to a new one at `to`.
static er_result follow(tracer *t, double from, double to)
{
    er_result r = ER_OK;
    eri_trs end = sample(t, to);
    er_vec3 a = last_value(t), b = value_of(t, &end, a);
    double middle = 0.5 * (from + to);
    if (to - from > SHORTEST && !fits(t, a, b, from, to)) {
        ERI_TRY(follow(t, from, middle));
        ERI_TRY(follow(t, middle, to));
    } else {
        ERI_TRY(push(t, ticks(to - t->start), b));
    }
done:
    return r;
}

// How far a spline may be left: by its range, and what a float rounds off.
static double tolerance_of(const er_channel *c)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, range = 0.0, most = 0;
    for (int k = 0; k < c->key_count; ++k)
        for (int i = 0; i < 3; ++i) {
            low[i] = fmin(low[i], key_values(c, k)[i]);
            high[i] = fmax(high[i], key_values(c, k)[i]);
        }
    for (int i = 0; i < 3; ++i) {
        range = fmax(range, high[i] - low[i]);
        most = fmax(most, fmax(fabs(low[i]), fabs(high[i])));
    }
    return SPLINE_TOLERANCE * range + ROUNDING * most;
}

// The keys of a channel, from both ends of its clip.
static er_result trace(tracer *t, int64_t stop)
{
    er_result r = ER_OK;
    const er_channel *c = t->channel;
    t->tolerance = is_rotation(t) ? 0.0 : tolerance_of(c);
    if (c->time[0] > t->start) ERI_TRY(push_at(t, t->start));
    ERI_TRY(push_at(t, c->time[0]));
    for (int k = 1; k < c->key_count; ++k) {
        double from = c->time[k - 1], to = c->time[k];
        if (c->interpolation == ER_STEP) {
            ERI_TRY(push(t, ticks(to - fmin(STEP, 0.5 * (to - from)) - t->start), last_value(t)));
            ERI_TRY(push_at(t, to));
        } else {
            ERI_TRY(follow(t, from, to));
        }
    }
    if (t->tick[t->count - 1] < stop) ERI_TRY(push(t, stop, last_value(t)));
done:
    return r;
}

// --- curves

// A property that never changes keeps its first and last key.
static void shorten(tracer *t)
{
    for (int i = 3; i < 3 * t->count; ++i)
        if (t->value[i] != t->value[i % 3]) return;
    t->tick[1] = t->tick[t->count - 1];
    t->count = 2;
}

// A curve of one number of the keys. All three of a property have keys at the same times, as three.js takes for
// granted.
static er_result put_curve(tracer *t, int axis, double scale, int64_t curve_node)
{
    static const char *const properties[3] = {"d|X", "d|Y", "d|Z"};
    er_result r = ER_OK;
    eri_fbx_document *d = t->w->document;
    float *value;
    ERI_TRY_RESERVE(value, t->arena, float, t->count);
    for (int k = 0; k < t->count; ++k) {
        double v = scale * t->value[3 * (ptrdiff_t)k + axis];
        if (!(fabs(v) <= (double)FLT_MAX))
            return er_fail(eri_arena_context(d->arena), ER_ERROR_ARGUMENT,
                           "%s: cannot be written: a key is %g, which no float holds", d->path, v);
        value[k] = (float)v;
    }
    int64_t id = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_CURVE, id, "", "AnimCurve", "");
    eri_fbx_open(d, "Default");
    eri_fbx_add_double(d, (double)value[0]);
    eri_fbx_close(d);
    eri_fbx_put_int(d, "KeyVer", 4008);
    eri_fbx_open(d, "KeyTime");
    eri_fbx_add_longs(d, t->tick, (size_t)t->count);
    eri_fbx_close(d);
    eri_fbx_open(d, "KeyValueFloat");
    eri_fbx_add_floats(d, value, (size_t)t->count);
    eri_fbx_close(d);
    eri_fbx_open(d, "KeyAttrFlags");
    eri_fbx_add_ints(d, &(int){4}, 1); // linear
    eri_fbx_close(d);
    eri_fbx_open(d, "KeyAttrDataFloat");
    eri_fbx_add_floats(d, (const float[4]){0}, 4);
    eri_fbx_close(d);
    eri_fbx_open(d, "KeyAttrRefCount");
    eri_fbx_add_ints(d, &t->count, 1);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_connect(d, id, curve_node, properties[axis]);
done:
    return r;
}

static er_result put_curves(tracer *t, int node, er_path path, int64_t layer)
{
    static const char *const names[3] = {"T", "R", "S"};
    static const char *const properties[3] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};
    er_result r = ER_OK;
    eri_fbx_document *d = t->w->document;
    double scale = path == ER_PATH_ROTATION ? DEGREES : path == ER_PATH_TRANSLATION ? t->w->unit : 1.0;
    int64_t id = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_CURVE_NODE, id, names[path], "AnimCurveNode", "");
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_number(d, "d|X", scale * t->value[0]);
    eri_fbx_property_number(d, "d|Y", scale * t->value[1]);
    eri_fbx_property_number(d, "d|Z", scale * t->value[2]);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_connect(d, id, layer, NULL);
    eri_fbx_connect(d, id, t->w->model[node], properties[path]);
    for (int axis = 0; axis < 3; ++axis)
        ERI_TRY(put_curve(t, axis, scale, id));
done:
    return r;
}

// The rest, where a clip leaves alone what others move.
static er_result push_rest(tracer *t, int node, er_path path, int64_t stop)
{
    eri_trs rest = eri_trs_from_affine(t->w->scene->node[node].local);
    er_vec3 v = path == ER_PATH_TRANSLATION ? rest.translation
                : path == ER_PATH_ROTATION  ? eri_fbx_euler_from_q(rest.rotation, t->order, er_v3(0, 0, 0))
                                            : rest.scale;
    er_result r = push(t, 0, v);
    return r == ER_OK ? push(t, stop, v) : r;
}

static er_result put_clip(eri_fbx_writer *w, er_arena *scratch, const er_clip *clip, const eri_fbx_take *take)
{
    er_result r = ER_OK;
    eri_fbx_document *d = w->document;
    double start = eri_clip_start(clip);
    int64_t stop = take->stop, stack = eri_fbx_new_id(d), layer = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_STACK, stack, take->name, "AnimStack", "");
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_ticks(d, "LocalStart", 0);
    eri_fbx_property_ticks(d, "LocalStop", stop);
    eri_fbx_property_ticks(d, "ReferenceStart", 0);
    eri_fbx_property_ticks(d, "ReferenceStop", stop);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_open_object(d, ERI_FBX_LAYER, layer, take->name, "AnimLayer", "");
    eri_fbx_open(d, "Properties70");
    eri_fbx_property_number(d, "Weight", 100.0);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_connect(d, layer, stack, NULL);
    const er_channel **of;
    ERI_TRY_NEW(of, scratch, const er_channel *, 3 * (size_t)w->scene->node_count);
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].path != ER_PATH_MORPH)
            of[3 * (ptrdiff_t)clip->channel[i].node + clip->channel[i].path] = &clip->channel[i];
    for (int node = 0; node < w->scene->node_count; ++node)
        for (er_path path = ER_PATH_TRANSLATION; path <= ER_PATH_SCALE; ++path) {
            if ((w->keyed[node] & 1u << path) == 0) continue;
            const er_channel *channel = of[3 * (ptrdiff_t)node + path];
            tracer t = {w, scratch, channel, w->order[node], start, 0.0, NULL, NULL, 0, 0};
            ERI_TRY(channel != NULL ? trace(&t, stop) : push_rest(&t, node, path, stop));
            shorten(&t);
            ERI_TRY(put_curves(&t, node, path, layer));
        }
done:
    return r;
}

// Those that differ: the scene's own clips choose first. One without a name goes by its index in its list.
static er_result name_clips(eri_fbx_writer *writer, eri_fbx_take *take)
{
    int count = writer->scene->clip_count;
    eri_names names = {.arena = writer->document->arena};
    for (int i = 0; i < count; ++i) {
        int which = (i + writer->added) % count;
        const er_clip *clip = &writer->scene->clip[which];
        if (!moves(clip)) continue;
        int index = which < writer->added ? which : which - writer->added;
        const char *name = clip->name[0] != '\0' ? clip->name : eri_arena_printf(names.arena, "clip %d", index);
        if (name != NULL) name = eri_names_take(&names, name);
        if (name == NULL) return ER_ERROR_MEMORY;
        take[which] = (eri_fbx_take){name, clip_stop(clip, eri_clip_start(clip))};
    }
    return ER_OK;
}

er_result eri_fbx_put_clips(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    eri_fbx_document *d = writer->document;
    eri_fbx_take *take;
    er_arena *scratch = NULL;
    ERI_TRY_NEW(take, d->arena, eri_fbx_take, writer->scene->clip_count);
    ERI_TRY(name_clips(writer, take));
    ERI_TRY(eri_arena_create(eri_arena_context(d->arena), &scratch));
    for (int i = 0; i < writer->scene->clip_count; ++i) {
        if (!moves(&writer->scene->clip[i])) continue;
        ERI_TRY(put_clip(writer, scratch, &writer->scene->clip[i], &take[i]));
        eri_arena_reset(scratch);
        take[d->take_count++] = take[i]; // without those left out
    }
    d->take = take;
done:
    eri_arena_destroy(scratch);
    return r;
}
