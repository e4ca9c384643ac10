// A finished character as a binary glTF 2.0 file.
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "glb.h"
#include "util.h"

enum { // glTF 2.0 codes
    TYPE_BYTE = 5121,
    TYPE_SHORT = 5123,
    TYPE_FLOAT = 5126,
    TARGET_NONE = 0,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963
};

typedef struct bytes {
    uint8_t *data;
    size_t count;
} bytes;

typedef struct writer {
    const figure *f;
    const surface *s;
    const int *region;
    const influence *influences;
    bytes binary;
    bytes json;               // all but the accessors and views
    bytes views, accessors;   // their JSON, comma-separated
    int accessor_count;       // as many views
    er_pose local[MAX_BONES]; // rest, to the parent, as the file's decimals have it
    er_pose world[MAX_BONES];
} writer;

static void append(bytes *b, const void *data, size_t count)
{
    b->data = grow_array(b->data, b->count + count, 1);
    memcpy(b->data + b->count, data, count);
    b->count += count;
}

static void print(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(bytes *b, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= (int)sizeof text) stop("a piece of JSON is too long");
    append(b, text, (size_t)n);
}

static void pad(bytes *b, uint8_t with)
{
    while (b->count % 4 != 0)
        append(b, &with, 1);
}

static double rounded(double x, double step)
{
    return floor(x / step + 0.5) * step;
}

static er_vec3 rounded_vec(er_vec3 v, double step)
{
    return er_v3(rounded(v.x, step), rounded(v.y, step), rounded(v.z, step));
}

// Appends an array, its view and its accessor.   @param extra more members of the accessor, "" for none
static int add_accessor(writer *w, const void *data, size_t size, int count, int component, const char *type,
                        int target, const char *extra)
{
    const char *comma = w->accessor_count > 0 ? "," : "";
    pad(&w->binary, 0);
    print(&w->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", comma, w->binary.count, size);
    if (target != TARGET_NONE) print(&w->views, ",\"target\":%d", target);
    print(&w->views, "}");
    print(&w->accessors, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}", comma,
          w->accessor_count, component, count, type, extra);
    append(&w->binary, data, size);
    return w->accessor_count++;
}

static void put3(float *out, er_vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static int add_positions(writer *w, const int *vertex, int count)
{
    float *data = NEW(float, 3 * count), low[3] = {0}, high[3] = {0};
    for (int i = 0; i < count; ++i) {
        float *p = &data[3 * i];
        put3(p, w->s->position[vertex[i]]);
        for (int k = 0; k < 3; ++k) {
            low[k] = i == 0 || p[k] < low[k] ? p[k] : low[k];
            high[k] = i == 0 || p[k] > high[k] ? p[k] : high[k];
        }
    }
    char extra[256];
    snprintf(extra, sizeof extra, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0], (double)low[1],
             (double)low[2], (double)high[0], (double)high[1], (double)high[2]);
    int accessor = add_accessor(w, data, (size_t)count * 12, count, TYPE_FLOAT, "VEC3", TARGET_VERTICES, extra);
    free(data);
    return accessor;
}

static int add_normals(writer *w, const er_vec3 *normal, int count)
{
    float *data = NEW(float, 3 * count);
    for (int i = 0; i < count; ++i)
        put3(&data[3 * i], rounded_vec(normal[i], 1.0 / 32768.0));
    int accessor = add_accessor(w, data, (size_t)count * 12, count, TYPE_FLOAT, "VEC3", TARGET_VERTICES, "");
    free(data);
    return accessor;
}

static int add_colors(writer *w, const int *vertex, const er_vec3 *normal, int count, int region)
{
    uint8_t *data = NEW(uint8_t, 4 * count);
    for (int i = 0; i < count; ++i) {
        double tint[3];
        field_tint(w->f, w->s->position[vertex[i]], normal[i], region, tint);
        for (int c = 0; c < 3; ++c)
            data[4 * i + c] = (uint8_t)floor(255.0 * tint[c] + 0.5);
        data[4 * i + 3] = 255;
    }
    int accessor =
        add_accessor(w, data, (size_t)count * 4, count, TYPE_BYTE, "VEC4", TARGET_VERTICES, ",\"normalized\":true");
    free(data);
    return accessor;
}

static int add_joints(writer *w, const int *vertex, int count)
{
    uint8_t *data = NEW(uint8_t, INFLUENCES * count);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < INFLUENCES; ++k)
            data[INFLUENCES * i + k] = (uint8_t)w->influences[vertex[i]].bone[k];
    int accessor = add_accessor(w, data, (size_t)count * 4, count, TYPE_BYTE, "VEC4", TARGET_VERTICES, "");
    free(data);
    return accessor;
}

static int add_weights(writer *w, const int *vertex, int count)
{
    float *data = NEW(float, INFLUENCES *count);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < INFLUENCES; ++k)
            data[INFLUENCES * i + k] = (float)w->influences[vertex[i]].weight[k] / (float)WEIGHT_ONE;
    int accessor = add_accessor(w, data, (size_t)count * 16, count, TYPE_FLOAT, "VEC4", TARGET_VERTICES, "");
    free(data);
    return accessor;
}

// The triangles of one region, with vertices of its own.   @return whether there are any
static bool write_primitive(writer *w, int region, bool first)
{
    const surface *s = w->s;
    int *renamed = NEW(int, s->vertex_count), *vertex = NEW(int, s->vertex_count), count = 0, corners = 0;
    uint16_t *index = NEW(uint16_t, 3 * s->triangle_count);
    for (int t = 0; t < s->triangle_count; ++t) {
        if (w->region[t] != region) continue;
        for (int i = 0; i < 3; ++i) {
            int v = s->triangle[t][i];
            if (renamed[v] == 0) {
                vertex[count++] = v;
                renamed[v] = count;
            }
            index[corners++] = (uint16_t)(renamed[v] - 1);
        }
    }
    if (count > UINT16_MAX) stop("%s: more than %d vertices in a region", w->f->name, UINT16_MAX);
    if (count > 0) {
        er_vec3 *normal = NEW(er_vec3, count);
        for (int i = 0; i < count; ++i)
            normal[i] = er_v3_unit(field_gradient(w->f, s->position[vertex[i]]), er_v3(0, 1, 0));
        int position = add_positions(w, vertex, count), normals = add_normals(w, normal, count);
        int color = add_colors(w, vertex, normal, count, region);
        int joints = add_joints(w, vertex, count), weights = add_weights(w, vertex, count);
        int indices = add_accessor(w, index, (size_t)corners * 2, corners, TYPE_SHORT, "SCALAR", TARGET_INDICES, "");
        print(&w->json,
              "%s{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d},"
              "\"indices\":%d,\"material\":%d}",
              first ? "" : ",", position, normals, color, joints, weights, indices, region);
        free(normal);
    }
    free(renamed);
    free(vertex);
    free(index);
    return count > 0;
}

static void write_mesh(writer *w)
{
    print(&w->json, "\"meshes\":[{\"name\":\"%s\",\"primitives\":[", w->f->name);
    bool first = true;
    for (int r = 0; r < w->f->region_count; ++r)
        if (write_primitive(w, r, first)) first = false;
    print(&w->json, "]}],\n\"materials\":[");
    for (int r = 0; r < w->f->region_count; ++r) {
        const region_def *m = &w->f->regions[r];
        print(&w->json,
              "%s\n{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.4f,%.4f,%.4f,1],"
              "\"metallicFactor\":0,\"roughnessFactor\":%.2f}}",
              r > 0 ? "," : "", m->name, m->color[0], m->color[1], m->color[2], m->roughness);
    }
    print(&w->json, "],\n");
}

// y along the bone, z forward, or up for a bone that points forward or back.
static er_quat bone_orientation(const bone_def *b)
{
    er_vec3 y = er_v3_unit(er_v3_sub(b->tail, b->head), er_v3(0, 1, 0));
    er_vec3 towards = fabs(y.z) < 0.8 ? er_v3(0, 0, 1) : er_v3(0, 1, 0);
    er_vec3 x = er_v3_unit(er_v3_cross(y, towards), er_v3(1, 0, 0)), z = er_v3_cross(x, y);
    er_mat3 axes = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return er_q_from_m3(axes);
}

// Rest poses from the numbers that will be printed, so that nodes and inverse bind matrices agree.
static void pose_bones(writer *w)
{
    for (int i = 0; i < w->f->bone_count; ++i) {
        const bone_def *b = &w->f->bones[i];
        er_pose up = b->parent < 0 ? er_pose_identity() : w->world[b->parent];
        er_pose local = er_pose_mul(er_pose_inverse(up), (er_pose){bone_orientation(b), b->head});
        local.p = rounded_vec(local.p, 1e-6);
        local.q = er_q(rounded(local.q.w, 1e-7), rounded(local.q.x, 1e-7), rounded(local.q.y, 1e-7),
                       rounded(local.q.z, 1e-7));
        w->local[i] = local;
        w->world[i] = er_pose_mul(up, local);
        w->world[i].q = er_q_unit(w->world[i].q);
    }
}

static void write_nodes(writer *w)
{
    const figure *f = w->f;
    print(&w->json, "\"nodes\":[");
    for (int i = 0; i < f->bone_count; ++i) {
        er_pose p = w->local[i];
        print(&w->json, "\n{\"name\":\"%s\",\"translation\":[%.6f,%.6f,%.6f],\"rotation\":[%.7f,%.7f,%.7f,%.7f]",
              f->bones[i].name, p.p.x, p.p.y, p.p.z, p.q.x, p.q.y, p.q.z, p.q.w);
        int children = 0;
        for (int j = i + 1; j < f->bone_count; ++j)
            if (f->bones[j].parent == i) print(&w->json, "%s%d", children++ == 0 ? ",\"children\":[" : ",", j);
        print(&w->json, children > 0 ? "]}," : "},");
    }
    print(&w->json, "\n{\"name\":\"%s_skin\",\"mesh\":0,\"skin\":0}],\n", f->name);
}

static void write_skin(writer *w)
{
    int bones = w->f->bone_count;
    float *data = NEW(float, 16 * bones);
    for (int i = 0; i < bones; ++i) {
        er_affine inverse = er_affine_from_pose(er_pose_inverse(w->world[i]));
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row)
                data[16 * i + 4 * column + row] = (float)inverse.linear.m[row][column];
        put3(&data[16 * i + 12], inverse.translation);
        data[16 * i + 15] = 1.0f;
    }
    int accessor = add_accessor(w, data, (size_t)bones * 64, bones, TYPE_FLOAT, "MAT4", TARGET_NONE, "");
    print(&w->json, "\"skins\":[{\"name\":\"%s\",\"inverseBindMatrices\":%d,\"skeleton\":0,\"joints\":[", w->f->name,
          accessor);
    for (int i = 0; i < bones; ++i)
        print(&w->json, "%s%d", i > 0 ? "," : "", i);
    print(&w->json, "]}]");
    free(data);
}

// A clip's stances, one a key.   To be freed.
static stance *stances_of(const figure *f, const clip_def *clip)
{
    stance *all = NEW(stance, clip->keys);
    for (int k = 0; k < clip->keys; ++k) {
        for (int b = 0; b < f->bone_count; ++b)
            all[k].turn[b] = er_q_identity();
        clip->pose(f, k + 1 < clip->keys ? (double)k / (clip->keys - 1) : 0.0, &all[k]); // ends as it began
    }
    return all;
}

static bool turns(const clip_def *clip, const stance *all, int bone)
{
    bool any = false;
    for (int k = 0; k < clip->keys; ++k)
        any = any || er_v3_norm(er_v3(all[k].turn[bone].x, all[k].turn[bone].y, all[k].turn[bone].z)) > 0.0;
    return any;
}

static bool shifts(const clip_def *clip, const stance *all)
{
    bool any = false;
    for (int k = 0; k < clip->keys; ++k)
        any = any || er_v3_norm(all[k].shift) > 0.0;
    return any;
}

// The clip's keys of a bone: rotations against its parent.
static int add_rotations(writer *w, const clip_def *clip, const stance *all, int bone)
{
    float *value = NEW(float, 4 * clip->keys);
    er_quat world = w->world[bone].q;
    for (int k = 0; k < clip->keys; ++k) {
        er_quat turned_here = er_q_mul(er_q_conj(world), er_q_mul(all[k].turn[bone], world));
        er_quat q = er_q_unit(er_q_mul(w->local[bone].q, turned_here));
        value[4 * k] = (float)rounded(q.x, 1e-7);
        value[4 * k + 1] = (float)rounded(q.y, 1e-7);
        value[4 * k + 2] = (float)rounded(q.z, 1e-7);
        value[4 * k + 3] = (float)rounded(q.w, 1e-7);
    }
    int accessor = add_accessor(w, value, (size_t)clip->keys * 16, clip->keys, TYPE_FLOAT, "VEC4", TARGET_NONE, "");
    free(value);
    return accessor;
}

static int add_translations(writer *w, const clip_def *clip, const stance *all)
{
    float *value = NEW(float, 3 * clip->keys);
    for (int k = 0; k < clip->keys; ++k)
        put3(&value[3 * k], rounded_vec(er_v3_add(w->local[0].p, all[k].shift), 1e-6));
    int accessor = add_accessor(w, value, (size_t)clip->keys * 12, clip->keys, TYPE_FLOAT, "VEC3", TARGET_NONE, "");
    free(value);
    return accessor;
}

static int add_times(writer *w, const clip_def *clip)
{
    float *time = NEW(float, clip->keys);
    for (int k = 0; k < clip->keys; ++k)
        time[k] = (float)(clip->seconds * k / (clip->keys - 1));
    char extra[64];
    snprintf(extra, sizeof extra, ",\"min\":[0],\"max\":[%.9g]", (double)time[clip->keys - 1]);
    int accessor = add_accessor(w, time, (size_t)clip->keys * 4, clip->keys, TYPE_FLOAT, "SCALAR", TARGET_NONE, extra);
    free(time);
    return accessor;
}

// A sampler into the JSON, and its channel beside it.
static void write_channel(writer *w, bytes *channels, int *count, int input, int output, int node, const char *path)
{
    const char *comma = *count > 0 ? "," : "";
    print(&w->json, "%s{\"input\":%d,\"output\":%d}", comma, input, output);
    print(channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", comma, *count, node, path);
    ++*count;
}

static void write_clip(writer *w, const clip_def *clip)
{
    stance *all = stances_of(w->f, clip);
    int input = add_times(w, clip), count = 0;
    bytes channels = {0};
    print(&w->json, "{\"name\":\"%s\",\"samplers\":[", clip->name);
    if (shifts(clip, all)) write_channel(w, &channels, &count, input, add_translations(w, clip, all), 0, "translation");
    for (int b = 0; b < w->f->bone_count; ++b)
        if (turns(clip, all, b))
            write_channel(w, &channels, &count, input, add_rotations(w, clip, all, b), b, "rotation");
    print(&w->json, "],\"channels\":[");
    append(&w->json, channels.data, channels.count);
    print(&w->json, "]}");
    free(channels.data);
    free(all);
}

static void write_clips(writer *w)
{
    if (w->f->clip_count == 0) return;
    print(&w->json, ",\n\"animations\":[");
    for (int i = 0; i < w->f->clip_count; ++i) {
        if (i > 0) print(&w->json, ",\n");
        write_clip(w, &w->f->clips[i]);
    }
    print(&w->json, "]");
}

static void put_word(bytes *b, size_t value)
{
    uint8_t word[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    append(b, word, sizeof word);
}

static void put_chunk(bytes *b, const char *kind, const bytes *chunk)
{
    put_word(b, chunk->count);
    append(b, kind, 4);
    append(b, chunk->data, chunk->count);
}

static void save(const char *path, const bytes *b)
{
    FILE *out = fopen(path, "wb");
    if (out == NULL) stop("%s: %s", path, strerror(errno));
    bool whole = fwrite(b->data, 1, b->count, out) == b->count;
    if (fclose(out) != 0 || !whole) stop("%s: cannot be written whole", path);
}

void glb_write(const char *path, const figure *f, const surface *s, const int *region, const influence *influences)
{
    writer *w = NEW(writer, 1);
    *w = (writer){.f = f, .s = s, .region = region, .influences = influences};
    pose_bones(w);
    print(&w->json,
          "{\"asset\":{\"version\":\"2.0\",\"generator\":\"eigenrig models\",\"copyright\":\"MIT licence\"},\n");
    print(&w->json, "\"scene\":0,\"scenes\":[{\"name\":\"%s\",\"nodes\":[0,%d]}],\n", f->name, f->bone_count);
    write_nodes(w);
    write_mesh(w);
    write_skin(w);
    write_clips(w);
    pad(&w->binary, 0);
    print(&w->json, ",\n\"accessors\":[");
    append(&w->json, w->accessors.data, w->accessors.count);
    print(&w->json, "],\n\"bufferViews\":[");
    append(&w->json, w->views.data, w->views.count);
    print(&w->json, "],\n\"buffers\":[{\"byteLength\":%zu}]}", w->binary.count);
    pad(&w->json, ' ');

    bytes file = {0};
    append(&file, "glTF", 4);
    put_word(&file, 2);
    put_word(&file, 12 + 8 + w->json.count + 8 + w->binary.count);
    put_chunk(&file, "JSON", &w->json);
    put_chunk(&file, "BIN\0", &w->binary);
    save(path, &file);
    free(file.data);
    free(w->binary.data);
    free(w->json.data);
    free(w->views.data);
    free(w->accessors.data);
    free(w);
}
