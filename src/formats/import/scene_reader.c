// Shared by all readers of scenes: texts, files beside the model, pictures, influences, completion of clips.
#include "formats/import/scene_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/platform.h"
#include "base/reference.h"
#include "base/text.h"

#define MOST_NOTES 100

bool imp_ends_in(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && eri_same_letters(text + n - m, ending);
}

char *imp_reader_text(imp_reader *reader, const char *text)
{
    if (text == NULL) text = "";
    char *clean = eri_arena_alloc(reader->arena, 2 * strlen(text) + 1, 1), *to = clean;
    if (clean == NULL) return NULL;
    while (*text != '\0') {
        size_t n = eri_utf8_length(text);
        if (n == 0) { // one byte, one code point below 256
            unsigned char c = (unsigned char)*text++;
            *to++ = (char)(0xC0 | c >> 6);
            *to++ = (char)(0x80 | (c & 0x3F));
        }
        memcpy(to, text, n);
        to += n;
        text += n;
    }
    return clean;
}

er_result imp_reader_note(imp_reader *reader, er_note_kind kind, const char *format, ...)
{
    if (reader->notes.count >= MOST_NOTES) {
        ++reader->notes_left_out;
        return ER_OK;
    }
    va_list arguments;
    va_start(arguments, format);
    char *given = eri_arena_vprintf(reader->arena, format, arguments);
    va_end(arguments);
    char *text = given != NULL ? imp_reader_text(reader, given) : NULL;
    if (text == NULL) return ER_ERROR_MEMORY;
    for (char *c = text; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    return eri_notes_add(&reader->notes, kind, "%s", text);
}

// Reads a regular file into an arena, with a zero byte after its end.
static er_result read_file(er_arena *arena, const char *path, imp_bytes *out)
{
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    uint8_t *bytes = NULL;
    size_t size = 0;
    eri_file_info info;
    int fd = eri_platform_open(path, ERI_OPEN_READ | ERI_OPEN_NO_WAIT); // opening a pipe would block
    if (fd < 0 || eri_platform_stat_open(fd, &info) != 0)
        ERI_TRY(er_fail(context, ER_ERROR_FILE, "the file \"%s\" cannot be opened (%s)", path,
                        eri_platform_error_text(errno)));
    if (info.kind != ERI_FILE_REGULAR) ERI_TRY(er_fail(context, ER_ERROR_FILE, "\"%s\" is not a regular file", path));
    ERI_TRY_NEW(bytes, arena, uint8_t, (size_t)info.size + 1);
    while (size < (size_t)info.size) {
        ptrdiff_t got = eri_platform_read(fd, bytes + size, (size_t)info.size - size);
        if (got <= 0) break;
        size += (size_t)got;
    }
    if (size != (size_t)info.size)
        ERI_TRY(er_fail(context, ER_ERROR_FILE, "the file \"%s\" cannot be read (%s)", path,
                        eri_platform_error_text(errno)));
    out->at = bytes;
    out->size = size;
done:
    if (fd >= 0) eri_platform_close(fd);
    return r;
}

// A file given with the model's bytes, cut to `most` bytes.
static er_result take_beside(imp_reader *reader, er_arena *arena, const char *reference, unsigned flags, size_t most,
                             imp_bytes *out)
{
    char path[ER_FILE_NAME_MAX], name[ER_FILE_NAME_MAX];
    if (eri_reference_path(reference, flags, path))
        for (int i = 0; i < reader->beside_count; ++i) {
            const er_named_bytes *beside = &reader->beside[i];
            if (!eri_reference_path(beside->name, 0, name) || strcmp(name, path) != 0) continue;
            return imp_keep_bytes(arena, beside->bytes, beside->size < most ? beside->size : most, out);
        }
    return er_fail(reader->context, ER_ERROR_FILE, "\"%.200s\" is not among the files given with the model; add it",
                   reference);
}

er_result imp_reader_reference(imp_reader *reader, er_arena *arena, const char *reference, bool uri, size_t most,
                               imp_bytes *out)
{
    unsigned flags = (uri ? ER_REFERENCE_URI : 0u) | (reader->allow_outside ? ER_REFERENCE_OUTSIDE : 0u);
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = (imp_bytes){0};
    if (reader->in_memory) return take_beside(reader, arena, reference, flags, most, out);
    er_result r = eri_reference_read(arena, reader->path, reference, flags, most, &bytes, &size);
    if (r == ER_OK) *out = (imp_bytes){bytes, size};
    return r;
}

er_result imp_keep_bytes(er_arena *arena, const void *bytes, size_t size, imp_bytes *out)
{
    er_result r = ER_OK;
    uint8_t *kept = NULL;
    ERI_TRY_NEW(kept, arena, uint8_t, size + 1);
    if (size > 0) memcpy(kept, bytes, size);
    *out = (imp_bytes){kept, size};
done:
    return r;
}

void imp_one_line(const char *sentence, char *line, size_t size)
{
    snprintf(line, size, "%s", sentence);
    size_t n = strlen(line);
    while (n > 0 && ((unsigned char)line[n - 1] <= ' ' || line[n - 1] == '.'))
        line[--n] = '\0';
    for (char *c = line; *c != '\0';) {
        size_t length = eri_utf8_length(c);
        if (length == 0) *c = '?'; // not within a character of several bytes
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
        c += length > 0 ? length : 1;
    }
}

// ---- pictures ----

static const char *picture_mime(imp_bytes b)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, jpeg[3] = {0xFF, 0xD8, 0xFF};
    if (b.size > sizeof png && memcmp(b.at, png, sizeof png) == 0) return "image/png";
    if (b.size > sizeof jpeg && memcmp(b.at, jpeg, sizeof jpeg) == 0) return "image/jpeg";
    return NULL;
}

er_result imp_reader_image(imp_reader *reader, const char *name, imp_bytes bytes, int *out)
{
    *out = -1;
    er_scene *scene = reader->scene;
    const char *mime = picture_mime(bytes);
    if (mime == NULL)
        return imp_reader_note(reader, ER_NOTE_WARNING, "the picture \"%s\" is neither PNG nor JPEG and is left out",
                               name);
    if (scene->image_count == reader->image_room) {
        int room = reader->image_room > 0 ? 2 * reader->image_room : 16;
        er_image *grown = ERI_NEW(reader->arena, er_image, room);
        if (grown == NULL) return ER_ERROR_MEMORY;
        if (scene->image_count > 0) memcpy(grown, reader->image, (size_t)scene->image_count * sizeof *grown);
        reader->image = grown;
        reader->image_room = room;
    }
    scene->image = reader->image;
    *out = scene->image_count++;
    reader->image[*out] = (er_image){name, mime, bytes.at, bytes.size};
    return ER_OK;
}

// ---- influences ----

static bool weighs(double weight)
{
    return weight > 0.0 && weight < HUGE_VAL;
}

er_result imp_reader_influences(imp_reader *reader, er_mesh *mesh, size_t count, const int *vertex, const int *joint,
                                const double *weight, int *uneven)
{
    size_t n = (size_t)mesh->vertex_count, kept = 0;
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    double *sum = NULL;
    int *start = NULL, *at = NULL, *to_joint = NULL;
    float *to_weight = NULL;
    ERI_TRY(eri_arena_create(reader->context, &scratch));
    ERI_TRY_NEW(sum, scratch, double, n);
    ERI_TRY_NEW(at, scratch, int, n + 1);
    ERI_TRY_NEW(start, reader->arena, int, n + 1);
    // Drops weights that round to zero in float after normalisation.
    for (size_t k = 0; k < count; ++k)
        if (weighs(weight[k])) sum[vertex[k]] += weight[k];
    for (size_t k = 0; k < count; ++k)
        if (weighs(weight[k]) && (float)(weight[k] / sum[vertex[k]]) > 0.0f) {
            ++start[vertex[k] + 1];
            ++kept;
        }
    if (kept > INT32_MAX) ERI_TRY(er_fail(reader->context, ER_ERROR_FORMAT, "a mesh has more than 2^31 weights"));
    for (size_t i = 0; i < n; ++i) {
        start[i + 1] += start[i];
        at[i] = start[i];
        if (sum[i] > 0.0 && fabs(sum[i] - 1.0) > 0.01) ++*uneven;
    }
    ERI_TRY_NEW(to_joint, reader->arena, int, kept);
    ERI_TRY_NEW(to_weight, reader->arena, float, kept);
    for (size_t k = 0; k < count; ++k) {
        int i = vertex[k];
        float normalised = weighs(weight[k]) ? (float)(weight[k] / sum[i]) : 0.0f;
        if (!(normalised > 0.0f)) continue;
        to_joint[at[i]] = joint[k];
        to_weight[at[i]++] = normalised;
    }
    mesh->influence_start = start;
    mesh->influence_joint = to_joint;
    mesh->influence_weight = to_weight;
done:
    eri_arena_destroy(scratch);
    return r;
}

// ---- clips ----

static double norm_of_four(const double *v)
{
    return hypot(hypot(v[0], v[1]), hypot(v[2], v[3]));
}

void imp_reader_clean_channel(er_channel *channel, double *time, double *value, int *dropped)
{
    int n = channel->path == ER_PATH_ROTATION ? 4 : channel->path == ER_PATH_MORPH ? 0 : 3;
    if (channel->interpolation == ER_CUBIC) n *= 3;
    bool unit = channel->path == ER_PATH_ROTATION && channel->interpolation != ER_CUBIC;
    int kept = 0;
    for (int k = 0; k < channel->key_count; ++k) {
        ptrdiff_t from = n * (ptrdiff_t)k, to = n * (ptrdiff_t)kept; // a morph has no values
        bool good = isfinite(time[k]) && (kept == 0 || time[k] > time[kept - 1]);
        for (int i = 0; i < n; ++i)
            good = good && isfinite(value[from + i]);
        double norm = unit && good ? norm_of_four(value + from) : 1.0;
        if (!good || !(norm > 1e-6 && norm < HUGE_VAL)) continue;
        for (int i = 0; i < n; ++i)
            value[to + i] = value[from + i] / norm;
        time[kept++] = time[k];
    }
    *dropped += channel->key_count - kept;
    channel->key_count = kept;
    channel->time = time;
    channel->value = value;
}

static int by_node_and_path(const void *a, const void *b)
{
    const er_channel *x = a, *y = b;
    return x->node != y->node ? (x->node > y->node) - (x->node < y->node) : (int)x->path - (int)y->path;
}

static er_result constant_channel(imp_reader *reader, int node, er_path path, const eri_trs *trs, double time,
                                  er_channel *out)
{
    er_result r = ER_OK;
    double *times = NULL, *v = NULL;
    ERI_TRY_NEW(times, reader->arena, double, 1);
    ERI_TRY_NEW(v, reader->arena, double, 4);
    times[0] = time;
    er_quat q = trs->rotation;
    er_vec3 x = path == ER_PATH_SCALE ? trs->scale : trs->translation;
    if (path == ER_PATH_ROTATION)
        v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    else
        v[0] = x.x, v[1] = x.y, v[2] = x.z;
    *out = (er_channel){node, path, ER_STEP, 1, times, v};
done:
    return r;
}

// Whether the transform's matrix loses information that its parts have.
static bool matrix_loses(const eri_trs *t)
{
    return t->scale.x == 0.0 || t->scale.y <= 0.0 || t->scale.z <= 0.0 ||
           (t->scale.x < 0.0) != (t->scale.x * t->scale.y * t->scale.z < 0.0);
}

static er_result complete_paths(imp_reader *reader, er_channel **channel, int *count, const eri_trs *rest)
{
    er_result r = ER_OK;
    er_channel *all = NULL;
    int n = 0;
    ERI_TRY_NEW(all, reader->arena, er_channel, 4 * (size_t)*count);
    for (int i = 0; i < *count;) {
        int node = (*channel)[i].node;
        unsigned have = 0;
        double first = (*channel)[i].time[0];
        for (; i < *count && (*channel)[i].node == node; ++i) {
            all[n++] = (*channel)[i];
            have |= 1u << (*channel)[i].path;
        }
        bool moved = (have & ~(1u << ER_PATH_MORPH)) != 0;
        for (int path = ER_PATH_TRANSLATION; path <= ER_PATH_SCALE && moved && matrix_loses(&rest[node]); ++path)
            if ((have & 1u << path) == 0)
                ERI_TRY(constant_channel(reader, node, (er_path)path, &rest[node], first, &all[n++]));
    }
    *channel = all;
    *count = n;
done:
    return r;
}

// Makes one new array for all channels that share one, so that they still share it.
static er_result shift_times(imp_reader *reader, er_channel *channel, int count, double by)
{
    const double *before = NULL, *shifted = NULL;
    for (int i = 0; i < count; ++i) {
        er_channel *c = &channel[i];
        if (c->time != before) {
            double *time = ERI_NEW(reader->arena, double, c->key_count);
            if (time == NULL) return ER_ERROR_MEMORY;
            for (int k = 0; k < c->key_count; ++k)
                time[k] = c->time[k] + by;
            before = c->time;
            shifted = time;
        }
        c->time = shifted;
    }
    return ER_OK;
}

er_result imp_reader_finish_clip(imp_reader *reader, er_clip *clip, er_channel *channel, int count, const eri_trs *rest)
{
    er_result r = ER_OK;
    qsort(channel, (size_t)count, sizeof *channel, by_node_and_path);
    int kept = 0;
    double first = 0.0;
    for (int i = 0; i < count; ++i) {
        if (kept > 0 && by_node_and_path(&channel[kept - 1], &channel[i]) == 0) continue;
        channel[kept++] = channel[i];
        first = fmin(first, channel[i].time[0]);
    }
    if (kept < count)
        ERI_TRY(imp_reader_note(reader, ER_NOTE_WARNING,
                                "the clip \"%s\" moves a property of a node twice (%d times); one is kept", clip->name,
                                count - kept));
    if (rest != NULL) ERI_TRY(complete_paths(reader, &channel, &kept, rest));
    if (first < 0.0) {
        ERI_TRY(shift_times(reader, channel, kept, -first));
        ERI_TRY(imp_reader_note(reader, ER_NOTE_FACT, "the clip \"%s\" starts at %g s and was moved to start at 0",
                                clip->name, first));
    }
    clip->duration = 0.0;
    for (int i = 0; i < kept; ++i)
        clip->duration = fmax(clip->duration, channel[i].time[channel[i].key_count - 1]);
    clip->channel = channel;
    clip->channel_count = kept;
done:
    return r;
}

// ---- nodes ----

// Flags the leaves named *_end that neither draw nor deform anything: the bone tips that Blender's exporters add.
static er_result flag_ends(imp_reader *reader)
{
    er_scene *scene = reader->scene;
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    bool *busy = NULL; // has children, channels of its own, draws something or deforms something
    er_node *node = (er_node *)(uintptr_t)scene->node;
    ERI_TRY(eri_arena_create(reader->context, &scratch));
    ERI_TRY_NEW(busy, scratch, bool, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i) {
        busy[i] = busy[i] || node[i].channel_count > 0;
        if (node[i].parent >= 0) busy[node[i].parent] = true;
    }
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_instance *drawn = &scene->instance[i];
        const er_mesh *mesh = &scene->mesh[drawn->mesh];
        busy[drawn->node] = true;
        if (drawn->skin < 0 || mesh->influence_start == NULL) continue;
        for (int k = 0; k < mesh->influence_start[mesh->vertex_count]; ++k)
            busy[scene->skin[drawn->skin].joint[mesh->influence_joint[k]]] = true;
    }
    int count = 0;
    for (int i = 0; i < scene->node_count; ++i) {
        bool ends = imp_ends_in(node[i].name, "_end") && node[i].parent >= 0 && (node[i].flags & ER_NODE_END_SITE) == 0;
        if (!ends || busy[i] || (node[node[i].parent].flags & ER_NODE_JOINT) == 0) continue;
        node[i].flags |= ER_NODE_END_SITE;
        ++count;
    }
    if (count > 0)
        ERI_TRY(imp_reader_note(reader, ER_NOTE_FACT, "%d leaf nodes named *_end are taken as ends of bones", count));
done:
    eri_arena_destroy(scratch);
    return r;
}

static er_result begin_scene(imp_reader *reader, er_arena *arena)
{
    er_result r = ER_OK;
    reader->arena = arena;
    reader->notes.arena = arena;
    ERI_TRY_NEW(reader->scene, arena, er_scene, 1);
    reader->scene->path = reader->path;
    reader->scene->metres_per_unit = 1.0;
    reader->scene->up = er_v3(0, 1, 0);
done:
    return r;
}

static er_result read_scene(imp_reader *reader, er_result (*read)(imp_reader *, imp_bytes), imp_bytes file,
                            er_scene **out)
{
    er_context *context = reader->context;
    er_result r = ER_OK;
    ERI_TRY(read(reader, file));
    r = er_scene_validate(context, reader->scene);
    if (r == ER_ERROR_FORMAT) {
        const char *broken = eri_arena_string(reader->arena, er_context_error(context));
        r = broken == NULL ? ER_ERROR_MEMORY : er_fail(context, r, "%s; export the model again", broken);
    }
    if (r != ER_OK) goto done;
    ERI_TRY(flag_ends(reader));
    ERI_TRY(reader->fit(reader));
    if (reader->notes_left_out > 0)
        ERI_TRY(eri_notes_add(&reader->notes, ER_NOTE_WARNING, "and %d more such notes", reader->notes_left_out));
    reader->scene->note = reader->notes.items;
    reader->scene->note_count = reader->notes.count;
    *out = reader->scene;
done:
    return r;
}

er_result imp_reader_read(imp_reader *reader, er_result (*read)(imp_reader *, imp_bytes), er_arena **arena,
                          er_scene **out)
{
    er_result r = ER_OK;
    imp_bytes file = {0};
    ERI_TRY(eri_arena_create(reader->context, arena));
    ERI_TRY(begin_scene(reader, *arena));
    ERI_TRY(read_file(*arena, reader->path, &file));
    r = read_scene(reader, read, file, out);
done:
    return r;
}

er_result imp_reader_read_bytes(imp_reader *reader, er_result (*read)(imp_reader *, imp_bytes), imp_bytes file,
                                er_arena *arena, er_scene **out)
{
    er_result r = begin_scene(reader, arena);
    return r == ER_OK ? read_scene(reader, read, file, out) : r;
}
