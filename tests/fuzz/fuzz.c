// See fuzz.h.
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/arena.h"
#include "formats/import/skin_fit.h"
#include "scene/import/wire.h"
#include "tools/importer/all_decoders.h"

enum { MOST_BYTES = 256 << 20, NAMES = 16, POOL = 512 };

// ---- contexts and files

static size_t given;

// The size stands before the memory, in a cache line's quarter so that alignment stays.
static void *take(void *user, size_t size)
{
    (void)user;
    if (size > MOST_BYTES || given + size > MOST_BYTES) return NULL;
    size_t *block = malloc(size + 16);
    if (block == NULL) return NULL;
    *block = size;
    given += size;
    return block + 2;
}

static void give_back(void *user, void *memory)
{
    (void)user;
    size_t *block = (size_t *)memory - 2;
    given -= *block;
    free(block);
}

er_context *fuzz_context(void)
{
    er_context_def def = er_default_context_def();
    def.allocate = take;
    def.release = give_back;
    def.flush = false;
    er_context *context = NULL;
    if (er_context_create(&def, &context) != ER_OK) abort();
    return context;
}

static char folder[64];

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) perror(command);
}

const char *fuzz_path(const char *name)
{
    static char path[NAMES][128];
    static int next;
    if (folder[0] == '\0') {
        strcpy(folder, "/dev/shm/eigenrig-fuzz-XXXXXX");
        if (mkdtemp(folder) == NULL || atexit(remove_folder) != 0) abort();
    }
    next = (next + 1) % NAMES;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

const char *fuzz_file(const char *name, const void *bytes, size_t size)
{
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
    return path;
}

static char *whole_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) abort();
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size || fclose(file) != 0) abort();
    return bytes;
}

bool fuzz_same_files(const char *a, const char *b)
{
    size_t m, n;
    char *x = whole_file(a, &m), *y = whole_file(b, &n);
    bool same = m == n && memcmp(x, y, m) == 0;
    free(x);
    free(y);
    return same;
}

void fuzz_promise(bool holds, const er_context *context, const char *sentence)
{
    if (holds) return;
    fprintf(stderr, "broken promise: %s (%s)\n", sentence, er_context_error(context));
    abort();
}

// ---- scenes

er_result fuzz_read(er_context *context, er_result (*read)(imp_reader *, imp_bytes), const char *path, er_arena **arena,
                    er_scene **out)
{
    imp_reader reader = {.context = context, .path = path, .decoders = &imp_all_decoders, .fit = imp_fit_skins};
    *out = NULL;
    return imp_reader_read(&reader, read, arena, out);
}

void fuzz_import_bytes(er_context *context, const uint8_t *data, size_t size, bool read)
{
    er_scene *scene = NULL;
    er_result r = er_import_bytes(context, "in", data, size, 0, NULL, &scene);
    const char *said = er_context_error(context);
    fuzz_promise((r == ER_OK) == (scene != NULL), context, "bytes make a scene or an error");
    fuzz_promise(r != ER_OK || read, context, "bytes make a scene if their file does");
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY || strncmp(said, "in: ", 4) == 0, context, "an error names them");
    fuzz_promise(r == ER_OK || strpbrk(said, "\n\r\x1b") == NULL, context, "an error is one line");
    er_scene_destroy(scene);
}

static char *answer(er_scene *scene, size_t *size)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    if (stream == NULL || !eri_wire_write_scene(stream, scene) || fclose(stream) != 0) abort();
    return bytes;
}

void fuzz_cross_wire(er_context *context, er_scene *scene)
{
    size_t size, again;
    char *first = answer(scene, &size);
    er_arena *arena = NULL;
    if (eri_arena_create(context, &arena) != ER_OK) abort();
    er_scene *back = ERI_NEW(arena, er_scene, 1);
    char *payload = ERI_NEW(arena, char, size);
    if (back != NULL && payload != NULL) {
        memcpy(payload, first + sizeof(eri_wire_header), size - sizeof(eri_wire_header));
        er_result r = eri_wire_read_scene(arena, payload, size - sizeof(eri_wire_header), back);
        fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "what goes into the pipe comes out");
        if (r == ER_OK) {
            char *second = answer(back, &again);
            fuzz_promise(again == size && memcmp(first, second, size) == 0, context, "the pipe changes nothing");
            free(second);
        }
    }
    eri_arena_destroy(arena);
    free(first);
}

// The node of y that node i of x became. By index if its name begins alike (equal names are numbered); else the k-th
// node of that name becomes the k-th; by index if a format took another name.
static int twin(const er_scene *x, int i, const er_scene *y)
{
    int before = 0;
    size_t length = strlen(x->node[i].name);
    if (x->node_count == y->node_count && strncmp(y->node[i].name, x->node[i].name, length) == 0) return i;
    for (int j = 0; j < i; ++j)
        before += strcmp(x->node[j].name, x->node[i].name) == 0;
    for (int j = 0; j < y->node_count; ++j)
        if (strcmp(y->node[j].name, x->node[i].name) == 0 && before-- == 0) return j;
    return x->node_count == y->node_count ? i : -1;
}

// World transforms in metres with +Y up.
static er_affine *stance(const er_scene *scene, const er_clip *clip, double time)
{
    size_t count = (size_t)scene->node_count + 1;
    er_affine *local = calloc(count, sizeof *local), *world = calloc(count, sizeof *world);
    if (local == NULL || world == NULL) abort();
    er_affine upright = er_affine_identity();
    upright.linear = er_m3_madd((er_mat3){0}, scene->metres_per_unit, er_m3_from_q(er_q_upright(scene->up)));
    er_scene_sample(scene, clip, time, local);
    er_scene_world(scene, local, world);
    for (int i = 0; i < scene->node_count; ++i)
        world[i] = er_affine_mul(upright, world[i]);
    free(local);
    return world;
}

static double size_of(const er_scene *scene, const er_affine *world)
{
    double size = 0.0;
    for (int i = 0; i < scene->node_count; ++i)
        size = fmax(size, er_v3_norm(world[i].translation));
    return size;
}

static void compare_places(er_context *context, const er_scene *x, const er_affine *p, const er_scene *y,
                           const er_affine *q, double size, double tolerance)
{
    if (!(size > 1e-6 && size < 1e6)) return; // beyond, formats round or refuse
    for (int i = 0; i < x->node_count; ++i) {
        int j = twin(x, i, y);
        fuzz_promise(j >= 0, context, "every node is there again");
        double off = er_v3_norm(er_v3_sub(p[i].translation, q[j].translation));
        if (!(off <= tolerance * (1.0 + size))) fprintf(stderr, "%s is %g m off\n", x->node[i].name, off);
        fuzz_promise(off <= tolerance * (1.0 + size), context, "every node stands where it stood");
    }
}

// The rotation of a node since rest; false if it has no volume.
static bool turned(er_affine rest, er_affine now, er_mat3 *out)
{
    if (!(fabs(er_m3_det(rest.linear)) > 1e-6)) return false;
    *out = er_m3_mul(now.linear, er_m3_inverse(rest.linear));
    return true;
}

// BVH has no axes of a joint's own, so what counts is how nodes turn.
static void compare_turns(er_context *context, const er_scene *x, const er_affine *rest_p, const er_affine *p,
                          const er_scene *y, const er_affine *rest_q, const er_affine *q, double tolerance)
{
    for (int i = 0; i < x->node_count; ++i) {
        int j = twin(x, i, y);
        er_mat3 u, v;
        if (!turned(rest_p[i], p[i], &u) || !turned(rest_q[j], q[j], &v)) continue;
        for (int k = 0; k < 3; ++k) {
            er_vec3 a = er_m3_column(u, k), b = er_m3_column(v, k);
            bool same = er_v3_norm(er_v3_sub(a, b)) <= 10.0 * tolerance * (1.0 + er_v3_norm(a));
            fuzz_promise(same, context, "every node turns as it turned");
        }
    }
}

void fuzz_same_stance(er_context *context, const er_scene *x, const er_clip *a, const er_scene *y, const er_clip *b,
                      double step, double tolerance)
{
    er_affine *rest_p = stance(x, NULL, 0.0), *rest_q = stance(y, NULL, 0.0);
    double size = size_of(x, rest_p);
    if (a == NULL) { // a BVH says by a frame of motion where its root stands
        er_affine *q = stance(y, b, 0.0);
        compare_places(context, x, rest_p, y, q, size, tolerance);
        free(q);
    }
    for (int k = 0; a != NULL && k < 4; ++k) {
        er_affine *p = stance(x, a, k * step), *q = stance(y, b, k * step);
        compare_places(context, x, p, y, q, fmax(size, size_of(x, p)), tolerance);
        compare_turns(context, x, rest_p, p, y, rest_q, q, tolerance);
        free(p);
        free(q);
    }
    free(rest_p);
    free(rest_q);
}

// ---- JSON

typedef struct values {
    unsigned state;
    int count;
    json_t *value[POOL];
} values;

static unsigned roll(values *v, unsigned sides)
{
    v->state = v->state * 1664525u + 1013904223u;
    return (v->state >> 8) % sides;
}

static void collect(values *v, json_t *json)
{
    if (v->count == POOL) return;
    v->value[v->count++] = json;
    const char *key;
    json_t *value;
    size_t i;
    if (json_is_object(json)) json_object_foreach(json, key, value) collect(v, value);
    if (json_is_array(json)) json_array_foreach(json, i, value) collect(v, value);
}

static json_t *any_value(values *v)
{
    static const double edge[] = {0,    1,    -1,     2,          0.5,          1e-300,       1e300, -1e308,
                                  1e50, 1e51, 5e-324, 2147483647, 2147483648.0, 4294967296.0, 255,   65536};
    switch (roll(v, 7)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(roll(v, 2));
    case 2:
        return json_string(roll(v, 2) ? "" : "a\xC3\xA4");
    case 3:
        return roll(v, 2) ? json_object() : json_array();
    case 4:
        return json_integer((json_int_t)roll(v, 8));
    case 5:
        return json_real(edge[roll(v, ERI_COUNT(edge))]);
    default:
        return json_deep_copy(v->value[roll(v, (unsigned)v->count)]);
    }
}

static void change_object(values *v, json_t *object)
{
    void *at = json_object_iter(object);
    for (unsigned k = roll(v, (unsigned)json_object_size(object)); k > 0; --k)
        at = json_object_iter_next(object, at);
    if (roll(v, 4) == 0)
        json_object_del(object, json_object_iter_key(at));
    else
        json_object_iter_set_new(object, at, any_value(v));
}

static void change_array(values *v, json_t *array)
{
    size_t k = roll(v, (unsigned)json_array_size(array));
    switch (roll(v, 4)) {
    case 0:
        json_array_remove(array, k);
        break;
    case 1:
        json_array_insert_new(array, k, any_value(v));
        break;
    case 2:
        json_array_append_new(array, json_deep_copy(json_array_get(array, k)));
        break;
    default:
        json_array_set_new(array, k, any_value(v));
    }
}

static void change(values *v, json_t *root)
{
    v->count = 0;
    collect(v, root);
    json_t *place = v->value[roll(v, (unsigned)v->count)];
    if (json_object_size(place) > 0) change_object(v, place);
    if (json_array_size(place) > 0) change_array(v, place);
}

size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    values v = {.state = seed};
    json_t *json = roll(&v, 8) > 0 ? json_loadb((const char *)data, size, 0, NULL) : NULL;
    for (unsigned k = roll(&v, 3) + 1; json != NULL && k > 0; --k)
        change(&v, json);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    size_t length = text != NULL ? strlen(text) : 0;
    bool fits = length > 0 && length <= room;
    if (fits) memcpy(data, text, length);
    free(text);
    json_decref(json);
    return fits ? length : LLVMFuzzerMutate(data, size, room);
}
