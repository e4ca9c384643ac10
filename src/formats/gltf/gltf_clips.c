// Clips appended to a glTF document as animations: accessors shared, rotations in one hemisphere.
#include "formats/gltf/gltf_clips.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "formats/gltf/gltf_scene.h"
#include "formats/gltf/gltf_trs.h"
#include "scene/writing.h"

// One input accessor: the times of the channels that point at the same array, in clips that begin alike.
typedef struct time_line {
    const double *time;
    int count;
    double start;
    int accessor; // -1 until written
} time_line;

typedef struct clip_writer {
    eri_gltf_document *document;
    const er_scene *scene;
    time_line *line; // [line_count], sorted
    int line_count;
    int view;        // bufferView of all that is added here, -1 before
    size_t begin;    // its offset in the buffer
    eri_names taken; // of clips
    int hold[2];     // input accessors of a held morph: [0] of one key, [1] of two; -1 until the clip needs it
    unsigned *seen;  // [node count of the scene], clip by clip: paths met
} clip_writer;

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};
static const char *const interpolation_names[] = {"STEP", "LINEAR", "CUBICSPLINE"};

// --- arguments

static er_result refuse(clip_writer *w, const er_clip *clip, int channel, const char *what)
{
    return er_fail(eri_arena_context(w->document->arena), ER_ERROR_ARGUMENT,
                   "%s: cannot be written: channel %d of clip \"%s\" %s", w->document->path, channel, clip->name, what);
}

static er_result check_channel(clip_writer *w, const er_clip *clip, int i)
{
    const er_channel *c = &clip->channel[i];
    if (c->node < 0 || c->node >= w->scene->node_count) return refuse(w, clip, i, "moves a node that is not there");
    if ((unsigned)c->path > ER_PATH_MORPH || (unsigned)c->interpolation > ER_CUBIC)
        return refuse(w, clip, i, "has an unknown path or interpolation");
    if ((w->seen[c->node] & 1u << c->path) != 0) return refuse(w, clip, i, "moves what another channel moves already");
    w->seen[c->node] |= 1u << c->path;
    if (c->path == ER_PATH_MORPH && c->value == NULL) return ER_OK;
    if (c->key_count < 1 || c->time == NULL || c->value == NULL) return refuse(w, clip, i, "has no keys");
    for (int k = 0; k < c->key_count; ++k)
        if (!(fabs(c->time[k]) <= FLT_MAX) || (k > 0 && !(c->time[k] > c->time[k - 1])))
            return refuse(w, clip, i, "has times that are not finite or do not ascend");
    return ER_OK;
}

static er_result check_clip(clip_writer *w, const er_clip *clip)
{
    memset(w->seen, 0, (size_t)w->scene->node_count * sizeof *w->seen);
    for (int i = 0; i < clip->channel_count; ++i) {
        er_result r = check_channel(w, clip, i);
        if (r != ER_OK) return r;
    }
    if (!(clip->duration >= 0.0 && clip->duration <= (double)FLT_MAX))
        return er_fail(eri_arena_context(w->document->arena), ER_ERROR_ARGUMENT,
                       "%s: cannot be written: clip \"%s\" lasts %g s", w->document->path, clip->name, clip->duration);
    return ER_OK;
}

// --- data

// Room for `count` floats and where it lies in the view.
static float *add_floats(clip_writer *w, size_t count, size_t *offset)
{
    size_t at = 0;
    float *room = (float *)(void *)eri_gltf_add_bytes(w->document, count * sizeof(float), &at);
    if (room == NULL) return NULL;
    if (w->view < 0) {
        w->begin = at;
        w->view = eri_gltf_view(w->document, at, 0, 0);
    }
    *offset = at - w->begin;
    return room;
}

// Doubles that ascend may meet as floats: each key then goes to the next float.
static int add_times(clip_writer *w, const double *time, int count, double start)
{
    size_t offset = 0;
    float *room = add_floats(w, (size_t)count, &offset);
    if (room == NULL) return -1;
    for (int k = 0; k < count; ++k) {
        room[k] = (float)(time[k] - start);
        if (k > 0 && room[k] <= room[k - 1]) room[k] = nextafterf(room[k - 1], HUGE_VALF);
    }
    double low = (double)room[0], high = (double)room[count - 1];
    int index;
    json_t *accessor = eri_gltf_accessor(w->document, w->view, offset, ERI_GLTF_FLOAT, count, "SCALAR", &index);
    eri_gltf_put_numbers(w->document, accessor, "min", &low, 1);
    eri_gltf_put_numbers(w->document, accessor, "max", &high, 1);
    return index;
}

static int compare_lines(const void *left, const void *right)
{
    const time_line *a = left, *b = right;
    if (a->time != b->time) return (uintptr_t)a->time < (uintptr_t)b->time ? -1 : 1;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

static er_result gather_lines(clip_writer *w, int clip_count, const er_clip *clip)
{
    er_result r = ER_OK;
    size_t total = 0;
    for (int i = 0; i < clip_count; ++i)
        total += (size_t)clip[i].channel_count;
    ERI_TRY_NEW(w->line, w->document->arena, time_line, total);
    size_t count = 0;
    for (int i = 0; i < clip_count; ++i) {
        double start = eri_clip_start(&clip[i]);
        for (int k = 0; k < clip[i].channel_count; ++k)
            w->line[count++] = (time_line){clip[i].channel[k].time, clip[i].channel[k].key_count, start, -1};
    }
    if (count > 1) qsort(w->line, count, sizeof *w->line, compare_lines);
    for (size_t i = 0; i < count; ++i)
        if (i == 0 || compare_lines(&w->line[i], &w->line[w->line_count - 1]) != 0)
            w->line[w->line_count++] = w->line[i];
done:
    return r;
}

static int input_accessor(clip_writer *w, const er_channel *c, double start)
{
    time_line key = {c->time, c->key_count, start, -1};
    time_line *line = bsearch(&key, w->line, (size_t)w->line_count, sizeof key, compare_lines);
    if (line->accessor < 0) line->accessor = add_times(w, c->time, c->key_count, start);
    return line->accessor;
}

// --- channels

// Values of one key's property.
static int component_count(er_path path, int weight_count)
{
    return path == ER_PATH_MORPH ? weight_count : path == ER_PATH_ROTATION ? 4 : 3;
}

static void unit_rotation(float *key)
{
    er_quat q = er_q_unit(er_q((double)key[3], (double)key[0], (double)key[1], (double)key[2]));
    key[0] = (float)q.x;
    key[1] = (float)q.y;
    key[2] = (float)q.z;
    key[3] = (float)q.w;
}

// q and -q turn alike, but a viewer that blends them number by number passes through zero. Splines are left alone:
// their tangents hold for the numbers that they have.
static void same_hemisphere(float *key, int count)
{
    for (int k = 1; k < count; ++k, key += 4) {
        float dot = key[0] * key[4] + key[1] * key[5] + key[2] * key[6] + key[3] * key[7];
        for (int i = 4; dot < 0.0f && i < 8; ++i)
            key[i] = -key[i];
    }
}

// A clip turns a node from the rest that the scene splits its matrix into, R S; a file that mirrors other axes has
// R' S' = R S. The turn to multiply the clip's rotations by from the right: C = R^-1 R', and S' = C^-1 S.
static er_quat rest_change(const json_t *node)
{
    eri_trs file = eri_gltf_get_trs(node);
    double shear;
    eri_trs scene = eri_gltf_split(er_affine_from_trs(file.translation, file.rotation, file.scale), &shear);
    er_quat change = er_q_mul(er_q_conj(scene.rotation), file.rotation);
    // other mirrored axes make a half turn about an axis; anything else comes of scales of zero, and shows nothing
    bool half_turn = fmax(fabs(change.x), fmax(fabs(change.y), fabs(change.z))) > 0.999;
    return half_turn ? change : er_q_identity();
}

// C is a half turn about an axis, so C^-1 S only changes signs.
static void change_rest(float *key, er_path path, er_quat change)
{
    if (path == ER_PATH_ROTATION) {
        er_quat q = er_q_mul(er_q((double)key[3], (double)key[0], (double)key[1], (double)key[2]), change);
        key[0] = (float)q.x;
        key[1] = (float)q.y;
        key[2] = (float)q.z;
        key[3] = (float)q.w;
    } else {
        er_mat3 c = er_m3_from_q(change);
        for (int i = 0; i < 3; ++i)
            key[i] *= (float)c.m[i][i];
    }
}

static int add_output(clip_writer *w, const double *value, int keys, int components, er_path path, bool cubic,
                      er_quat change)
{
    static const char *const types[] = {"VEC3", "VEC4", "VEC3", "SCALAR"};
    size_t elements = (size_t)keys * (cubic ? 3 : 1), count = elements * (size_t)components;
    size_t offset = 0;
    float *room = add_floats(w, count, &offset);
    if (room == NULL) return -1;
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(value[i]) <= (double)FLT_MAX)) {
            eri_gltf_fail(w->document, ER_ERROR_ARGUMENT, "%s: cannot be written: a %s key is %g, which no float holds",
                          w->document->path, path_names[path], value[i]);
            return -1;
        }
        room[i] = (float)value[i];
    }
    if (change.w != 1.0 && (path == ER_PATH_ROTATION || path == ER_PATH_SCALE))
        for (size_t i = 0; i < elements; ++i)
            change_rest(room + (size_t)components * i, path, change);
    if (path == ER_PATH_ROTATION && !cubic) {
        for (int k = 0; k < keys; ++k)
            unit_rotation(room + 4 * k);
        same_hemisphere(room, keys);
    }
    if (path == ER_PATH_MORPH) elements = count;
    int index;
    eri_gltf_accessor(w->document, w->view, offset, ERI_GLTF_FLOAT, (int)elements, types[path], &index);
    return index;
}

// A channel and its sampler, which is taken over.
static void put_sampler(clip_writer *w, json_t *animation, int node, er_path path, json_t *sampler)
{
    eri_gltf_document *d = w->document;
    json_t *samplers = eri_gltf_list(d, animation, "samplers");
    eri_gltf_push(d, samplers, sampler);
    json_t *channel = eri_gltf_push(d, eri_gltf_list(d, animation, "channels"), json_object());
    eri_gltf_put(d, channel, "sampler", json_integer((json_int_t)json_array_size(samplers) - 1));
    json_t *target = eri_gltf_put(d, channel, "target", json_object());
    eri_gltf_put(d, target, "node", json_integer(node));
    eri_gltf_put(d, target, "path", json_string(path_names[path]));
}

static void put_channel(clip_writer *w, json_t *animation, int node, er_path path, er_interpolation interpolation,
                        int input, int output)
{
    put_sampler(w, animation, node, path,
                json_pack("{s:i, s:i, s:s}", "input", input, "output", output, "interpolation",
                          interpolation_names[interpolation]));
}

static json_t *mesh_of(const eri_gltf_document *d, const json_t *node)
{
    json_t *mesh = json_object_get(node, "mesh");
    return json_is_integer(mesh) ? eri_gltf_at(d, "meshes", json_integer_value(mesh)) : NULL;
}

// How many morph weights a node has.
static int weight_count(const eri_gltf_document *d, const json_t *node)
{
    json_t *primitive = json_array_get(json_object_get(mesh_of(d, node), "primitives"), 0);
    return (int)json_array_size(json_object_get(primitive, "targets"));
}

static double default_weight(const eri_gltf_document *d, const json_t *node, int i)
{
    json_t *weights = json_object_get(node, "weights");
    if (weights == NULL) weights = json_object_get(mesh_of(d, node), "weights");
    return json_number_value(json_array_get(weights, (size_t)i));
}

static er_result add_held_morph(clip_writer *w, json_t *animation, const er_clip *clip, int node, int weights)
{
    er_result r = ER_OK;
    int keys = clip->duration > 0.0 ? 2 : 1;
    double ends[2] = {0.0, clip->duration};
    double *value;
    ERI_TRY_NEW(value, w->document->arena, double, 2 * weights);
    for (int i = 0; i < 2 * weights; ++i)
        value[i] = default_weight(w->document, eri_gltf_at(w->document, "nodes", node), i % weights);
    int *hold = &w->hold[keys - 1];
    if (*hold < 0) *hold = add_times(w, ends, keys, 0.0);
    int output = add_output(w, value, keys, weights, ER_PATH_MORPH, false, er_q_identity());
    put_channel(w, animation, node, ER_PATH_MORPH, ER_LINEAR, *hold, output);
done:
    return r;
}

// The source's own sampler of a channel that is one of the scene's: its accessors can be used again, bit for bit. NULL
// where reading changed its times, or the source has two.
static const json_t *source_sampler(const clip_writer *w, const er_channel *c)
{
    const json_t *found = NULL;
    if (w->scene->format != ER_FORMAT_GLTF) return NULL;
    for (int k = 0; k < w->scene->clip_count; ++k)
        for (int i = 0; i < w->scene->clip[k].channel_count; ++i) {
            const er_channel *own = &w->scene->clip[k].channel[i];
            if (own->time != c->time || own->value != c->value || own->node != c->node || own->path != c->path)
                continue;
            const json_t *animation = eri_gltf_at(w->document, "animations", k), *channel, *list;
            list = json_object_get(animation, "channels");
            size_t at;
            json_array_foreach((json_t *)list, at, channel)
            {
                const json_t *target = json_object_get(channel, "target"), *path = json_object_get(target, "path");
                if (json_integer_value(json_object_get(target, "node")) != eri_gltf_node(w->scene, c->node) ||
                    !json_is_string(path) || strcmp(json_string_value(path), path_names[c->path]) != 0)
                    continue;
                if (found != NULL) return NULL;
                json_int_t sampler = json_integer_value(json_object_get(channel, "sampler"));
                found = json_array_get(json_object_get(animation, "samplers"), (size_t)sampler);
            }
        }
    json_t *input = eri_gltf_at(w->document, "accessors", json_integer_value(json_object_get(found, "input")));
    const json_t *first = json_array_get(json_object_get(input, "min"), 0);
    bool same = json_integer_value(json_object_get(input, "count")) == c->key_count && json_is_number(first) &&
                c->key_count > 0 && (float)json_number_value(first) == (float)c->time[0];
    return same ? found : NULL;
}

static er_result add_channel(clip_writer *w, json_t *animation, const er_clip *clip, const er_channel *c, double start)
{
    int node = eri_gltf_node(w->scene, c->node);
    json_t *object = eri_gltf_at(w->document, "nodes", node);
    eri_gltf_matrix_to_trs(w->document, object);
    int components = component_count(c->path, weight_count(w->document, object));
    const json_t *own = source_sampler(w, c);
    if (own != NULL) {
        put_sampler(w, animation, node, c->path, json_copy((json_t *)own));
        return ER_OK;
    }
    if (c->path == ER_PATH_MORPH && c->value == NULL) return add_held_morph(w, animation, clip, node, components);
    // a spline needs two keys (glTF 2.0, 3.11); one key is a constant, whatever its tangents
    bool lone = c->interpolation == ER_CUBIC && c->key_count == 1;
    er_interpolation interpolation = lone ? ER_STEP : c->interpolation;
    const double *value = lone ? c->value + components : c->value;
    int input = input_accessor(w, c, start);
    int output =
        add_output(w, value, c->key_count, components, c->path, interpolation == ER_CUBIC, rest_change(object));
    put_channel(w, animation, node, c->path, interpolation, input, output);
    return ER_OK;
}

// --- clips

static er_result unique_name(clip_writer *w, const char *name, const char **unique)
{
    *unique = eri_utf8_repair(w->document->arena, name);
    if (*unique != NULL && name[0] != '\0') *unique = eri_names_take(&w->taken, *unique);
    return *unique != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static bool writable(const clip_writer *w, const er_channel *c)
{
    json_t *node = eri_gltf_at(w->document, "nodes", eri_gltf_node(w->scene, c->node));
    return c->path != ER_PATH_MORPH || weight_count(w->document, node) > 0;
}

static er_result check_targets(clip_writer *w, const er_clip *clip, int *count)
{
    *count = 0;
    for (int i = 0; i < clip->channel_count; ++i) {
        er_result r = eri_gltf_check_node(w->document, w->scene, clip->channel[i].node);
        if (r != ER_OK) return r;
        if (writable(w, &clip->channel[i])) ++*count;
    }
    return ER_OK;
}

static er_result add_clip(clip_writer *w, const er_clip *clip)
{
    er_result r = ER_OK;
    int count;
    ERI_TRY(check_targets(w, clip, &count));
    if (count == 0) goto done; // an animation must have a channel
    const char *name;
    ERI_TRY(unique_name(w, clip->name, &name));
    int index;
    json_t *animation = eri_gltf_new(w->document, "animations", &index);
    eri_gltf_put_text(w->document, animation, "name", name);
    double start = eri_clip_start(clip);
    w->hold[0] = w->hold[1] = -1;
    for (int i = 0; i < clip->channel_count; ++i)
        if (writable(w, &clip->channel[i])) ERI_TRY(add_channel(w, animation, clip, &clip->channel[i], start));
done:
    return r;
}

static er_result take_names(clip_writer *w)
{
    er_result r = ER_OK;
    json_t *animations = json_object_get(w->document->root, "animations");
    for (size_t i = 0; i < json_array_size(animations); ++i) {
        const char *name = json_string_value(json_object_get(json_array_get(animations, i), "name"));
        if (name != NULL && eri_names_find(&w->taken, name) == NULL) ERI_TRY(eri_names_add(&w->taken, name));
    }
done:
    return r;
}

er_result eri_gltf_check_clips(eri_gltf_document *document, const er_scene *scene, int clip_count, const er_clip *clip)
{
    er_result r = ER_OK;
    clip_writer w = {.document = document, .scene = scene};
    ERI_TRY_NEW(w.seen, document->arena, unsigned, scene->node_count);
    for (int i = 0; i < clip_count; ++i)
        ERI_TRY(check_clip(&w, &clip[i]));
done:
    return r;
}

er_result eri_gltf_add_clips(eri_gltf_document *document, const er_scene *scene, int clip_count, const er_clip *clip,
                             bool beside)
{
    er_result r = ER_OK;
    clip_writer w = {.document = document, .scene = scene, .view = -1, .taken = {.arena = document->arena}};
    ERI_TRY(eri_gltf_check_clips(document, scene, clip_count, clip));
    ERI_TRY(gather_lines(&w, clip_count, clip));
    if (beside) ERI_TRY(take_names(&w));
    for (int i = 0; i < clip_count; ++i)
        ERI_TRY(add_clip(&w, &clip[i]));
    ERI_TRY(eri_gltf_check(document));
    if (w.view >= 0) {
        json_t *view = eri_gltf_at(document, "bufferViews", w.view);
        eri_gltf_put(document, view, "byteLength", json_integer((json_int_t)(document->bytes.size - w.begin)));
    }
    r = eri_gltf_check(document);
done:
    return r;
}

size_t eri_gltf_count_clips(const eri_gltf_document *document)
{
    return json_array_size(json_object_get(document->root, "animations"));
}

void eri_gltf_bring_forward(eri_gltf_document *document, size_t before, bool keep)
{
    json_t *animations = json_object_get(document->root, "animations");
    for (size_t i = 0; i < before; ++i) {
        if (keep) json_array_append(animations, json_array_get(animations, 0));
        json_array_remove(animations, 0);
    }
    if (animations != NULL && json_array_size(animations) == 0) json_object_del(document->root, "animations");
}
