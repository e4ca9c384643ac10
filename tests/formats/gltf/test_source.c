// Sources that are added to: buffers and pictures as the kind of file that is written wants them, and clips beside
// those that are there. The sources are made by hand, as the importer would hand them on.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <sys/stat.h>

#include "glb.h"
#include "scene/scene_source.h"
#include "support/pieces.h"
#include "support/place.h"

static const er_export_def only_new = {.drop_clips = true, .tag = ER_DEF_TAG};

enum { MOST = 8 };

typedef struct made {
    er_scene scene;
    er_source source;
    eri_source_chunk chunk[MOST];
    eri_source_bytes buffer[MOST], image[MOST];
    er_node node[MOST];
} made;

static int open_place(void **state)
{
    return place_open(state, "out.glb", "out.gltf", "model.gltf");
}

// A source in a folder that is not there any more; its nodes are those of the JSON, in another order: the last comes
// first.
static void make(made *m, place *p, const char *json, int nodes)
{
    *m = (made){.scene = *empty_scene(p->arena, 1.0, er_v3(0, 1, 0)),
                .source = {.json = json, .json_size = strlen(json)}};
    m->scene.format = ER_FORMAT_GLTF;
    m->scene.path = eri_arena_printf(p->arena, "%s/gone/model.gltf", p->folder);
    m->scene.source = &m->source;
    m->scene.node = m->node;
    m->scene.node_count = nodes;
    for (int i = 0; i < nodes; ++i)
        m->node[i] = (er_node){.name = "n", .parent = -1, .local = er_affine_identity(), .source_index = nodes - 1 - i};
    for (int i = 0; i < MOST; ++i)
        m->buffer[i] = m->image[i] = (eri_source_bytes){.path = "", .why = ""};
    m->source.chunk = m->chunk;
    m->source.buffer = m->buffer;
    m->source.image = m->image;
}

#define HEAD "{\"asset\":{\"version\":\"2.0\"}"
static const uint8_t five[8] = {1, 2, 3, 4, 5, 9, 9, 9};

static const double second[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
static const er_channel moves = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, second, shift};
static const er_clip move = {"move", 1.0, 1, &moves};

static glb written(place *p, const made *m, int clip_count, const er_clip *clip)
{
    if (er_gltf_write(p->own, &m->scene, clip_count, clip, NULL, p->out) != ER_OK)
        fail_msg("%s", er_context_error(p->own));
    return glb_open(p->out);
}

static json_t *written_text(place *p, const made *m, int clip_count, const er_clip *clip)
{
    if (er_gltf_write(p->own, &m->scene, clip_count, clip, NULL, p->again) != ER_OK)
        fail_msg("%s", er_context_error(p->own));
    json_t *root = json_load_file(p->again, 0, NULL);
    assert_non_null(root);
    return root;
}

static const json_t *nth(const json_t *root, const char *list, size_t i)
{
    return json_array_get(json_object_get(root, list), i);
}

// --- chunks and buffers

static void a_chunk_of_data_is_cut_to_its_buffer_and_others_follow(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, HEAD ",\"buffers\":[{\"byteLength\":5}]}", 0);
    m.source.chunk_count = 3;
    m.chunk[0] = (eri_source_chunk){7, (const uint8_t *)"abcdef", 6};
    m.chunk[1] = (eri_source_chunk){ERI_SOURCE_BIN, five, 8};
    m.chunk[2] = (eri_source_chunk){8, NULL, 0};
    glb g = written(p, &m, 0, NULL);
    assert_int_equal(g.bin_size, 8);
    assert_memory_equal(g.bin, "\1\2\3\4\5\0\0\0", 8);
    assert_int_equal(glb_number(glb_element(&g, "buffers", 0), "byteLength"), 5);
    assert_null(json_object_get(glb_element(&g, "buffers", 0), "uri"));
    assert_int_equal(g.after_size, 8 + 8 + 8);
    assert_memory_equal(g.after, "\10\0\0\0\7\0\0\0abcdef\0\0\0\0\0\0\10\0\0\0", 24);
    glb_close(&g);
    json_t *root = written_text(p, &m, 0, NULL);
    assert_string_equal(glb_text(nth(root, "buffers", 0), "uri"), "data:application/octet-stream;base64,AQIDBAU=");
    assert_int_equal(glb_number(nth(root, "buffers", 0), "byteLength"), 5);
    json_decref(root);
    root = written_text(p, &m, 1, (const er_clip[]){{"none", 1, 0, NULL}}); // a clip of nothing is none
    assert_null(json_object_get(root, "animations"));
    json_decref(root);
    static const struct {
        const char *json, *named;
    } broken[] = {{HEAD ",\"buffers\":[{\"byteLength\":9}]}", "buffer 0"},
                  {HEAD ",\"buffers\":[{\"byteLength\":0}]}", "buffer 0"},
                  {HEAD ",\"buffers\":[{}]}", "buffer 0"}};
    for (size_t i = 0; i < ERI_COUNT(broken); ++i) {
        m.source.json = broken[i].json;
        m.source.json_size = strlen(broken[i].json);
        assert_refused(p, er_gltf_write, &m.scene, NULL, p->out, ER_ERROR_FORMAT, broken[i].named);
        assert_refused(p, er_gltf_write, &m.scene, NULL, p->again, ER_ERROR_FORMAT, broken[i].named);
    }
    m.source.json = HEAD ",\"buffers\":[{\"byteLength\":8}]}";
    m.source.json_size = strlen(m.source.json);
    g = written(p, &m, 0, NULL);
    assert_memory_equal(g.bin, five, 8);
    glb_close(&g);
}

// Only the first buffer may be the chunk of data: where it is something else, what is new goes into the file's text.
static void new_data_goes_where_there_is_room_for_it(void **state)
{
    place *p = *state;
    static const struct {
        const char *json;
        bool chunk, bytes;
        int count;    // of buffers then
        int mine;     // the new data's
        bool in_text; // that is a data URI
    } cases[] = {{HEAD ",\"nodes\":[{}]}", false, false, 1, 0, false},
                 {HEAD ",\"nodes\":[{}]}", true, false, 1, 0, true},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5}]}", true, false, 1, 0, false},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5}]}", false, false, 2, 1, true},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5,\"uri\":\"x:y\"}]}", false, false, 2, 1, true},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5,\"uri\":\"x:y\"}]}", true, false, 2, 1, true},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5,\"uri\":\"a.bin\"}]}", false, true, 1, 0, false},
                 {HEAD ",\"nodes\":[{}],\"buffers\":[{\"byteLength\":5,\"uri\":\"a.bin\"}]}", true, true, 2, 1, true}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        made m;
        make(&m, p, cases[i].json, 1);
        m.source.chunk_count = cases[i].chunk;
        m.chunk[0] = (eri_source_chunk){ERI_SOURCE_BIN, five, 8};
        m.source.buffer_count = cases[i].bytes;
        m.buffer[0] = (eri_source_bytes){"a.bin", "", five, 5};
        glb g = written(p, &m, 1, &move);
        const json_t *buffers = json_object_get(g.root, "buffers"),
                     *mine = json_array_get(buffers, (size_t)cases[i].mine);
        if ((int)json_array_size(buffers) != cases[i].count) fail_msg("case %zu: %zu", i, json_array_size(buffers));
        assert_int_equal(strncmp(glb_text(mine, "uri"), "data:", 5) == 0, cases[i].in_text);
        int64_t view = glb_number(glb_element(&g, "accessors", 0), "bufferView");
        assert_int_equal(glb_number(glb_element(&g, "bufferViews", view), "buffer"), cases[i].mine);
        bool first = cases[i].mine == 0 && cases[i].count == 1 && !cases[i].in_text;
        assert_int_equal(g.bin != NULL, first || cases[i].chunk);
        if (cases[i].bytes && first) assert_null(json_object_get(mine, "uri"));
        glb_close(&g);
    }
}

// A file beside the source is needed where something uses it; into a .glb it goes as text, the first one as the chunk.
static void buffers_in_files_go_into_the_file(void **state)
{
    place *p = *state;
    made m;
    make(&m, p,
         HEAD ",\"buffers\":[{\"byteLength\":5,\"uri\":\"a.bin\"},{\"byteLength\":2,\"uri\":\"b.bin\"},"
              "{\"byteLength\":2,\"uri\":\"data:,x\"},{\"byteLength\":2,\"uri\":\"c.bin\"}]}",
         0);
    m.source.buffer_count = 3; // nothing is known of the fourth
    m.buffer[0] = (eri_source_bytes){"a.bin", "", five, 8};
    m.buffer[1] = (eri_source_bytes){"b.bin", "", five + 3, 2};
    m.buffer[2] = (eri_source_bytes){"", "", five, 2};
    m.buffer[3] = (eri_source_bytes){"c.bin", "", five, 2};
    glb g = written(p, &m, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(g.root, "buffers")), 4);
    assert_null(json_object_get(glb_element(&g, "buffers", 0), "uri"));
    assert_memory_equal(g.bin, "\1\2\3\4\5\0\0\0", 8);
    assert_string_equal(glb_text(glb_element(&g, "buffers", 1), "uri"), "data:application/octet-stream;base64,BAU=");
    assert_string_equal(glb_text(glb_element(&g, "buffers", 2), "uri"), "data:,x");
    assert_string_equal(glb_text(glb_element(&g, "buffers", 3), "uri"), "c.bin");
    glb_close(&g);
    for (int i = 0; i < 2; ++i) {
        const char *path = eri_arena_printf(p->arena, "%s/gone/%s: %s", p->folder, m.buffer[i].path, m.scene.path);
        m.buffer[i].why = "it is gone";
        assert_refused(p, er_gltf_write, &m.scene, NULL, p->out, ER_ERROR_FILE, path);
        assert_refused(p, er_gltf_write, &m.scene, NULL, p->again, ER_ERROR_FILE, "it is gone");
        m.buffer[i].why = "";
    }
    m.buffer[0].size = 4;
    assert_refused(p, er_gltf_write, &m.scene, NULL, p->out, ER_ERROR_FORMAT, "buffer 0");
    m.buffer[0] = (eri_source_bytes){"a.bin", "", NULL, 0}; // that nothing uses
    g = written(p, &m, 0, NULL);
    assert_true(g.bin == NULL && strcmp(glb_text(glb_element(&g, "buffers", 0), "uri"), "a.bin") == 0);
    glb_close(&g);
}

// --- pictures

static const struct {
    const char *path, *bytes, *mime;
    size_t size;
} pictures[] = {{"a.png", "\x89PNG\r\n\x1A\n", "image/png", 8},
                {"b.x/b.jpg", "\xFF\xD8\xFF", "image/jpeg", 3},
                {".c/c.webp", "RIFF....WEBP", "image/webp", 12},
                {"d/.d/d.ktx2", "\xABKTX 20", "image/ktx2", 7},
                {"e.png", "\x89PNG\r\n\x1A", NULL, 7}, // too short to say
                {"../f.gif", "GIF89a", NULL, 6},
                {"g.webp", "RIFF....WEB", NULL, 11}};

static void make_pictures(made *m, place *p)
{
    make(m, p,
         HEAD ",\"images\":[{\"uri\":\"0\"},{\"uri\":\"1\"},{\"uri\":\"2\"},{\"uri\":\"3\"},{\"uri\":\"4\"},"
              "{\"uri\":\"5\"},{\"uri\":\"6\"},{\"uri\":\"7\"}]}",
         0);
    m->source.image_count = (int)ERI_COUNT(pictures); // and one of which nothing is known
    for (size_t i = 0; i < ERI_COUNT(pictures); ++i)
        m->image[i] = (eri_source_bytes){pictures[i].path, "", (const uint8_t *)pictures[i].bytes, pictures[i].size};
}

static void pictures_of_known_kinds_go_into_a_glb(void **state)
{
    place *p = *state;
    made m;
    make_pictures(&m, p);
    glb g = written(p, &m, 0, NULL);
    for (size_t i = 0; i <= ERI_COUNT(pictures); ++i) {
        const json_t *image = glb_element(&g, "images", (int64_t)i);
        const char *mime = i < ERI_COUNT(pictures) ? pictures[i].mime : NULL, number[2] = {(char)('0' + i)};
        assert_string_equal(glb_text(image, "uri"), mime != NULL ? "" : number);
        assert_string_equal(glb_text(image, "mimeType"), mime != NULL ? mime : "");
        if (mime == NULL) continue;
        const json_t *view = glb_element(&g, "bufferViews", glb_number(image, "bufferView"));
        assert_int_equal(glb_number(view, "byteLength"), pictures[i].size);
        assert_memory_equal(g.bin + glb_number(view, "byteOffset"), pictures[i].bytes, pictures[i].size);
    }
    glb_close(&g);
}

static bool lies_beside(const place *p, const char *path, const void *bytes, size_t size)
{
    char full[300], got[64];
    snprintf(full, sizeof full, "%s/%s", p->folder, path);
    FILE *file = fopen(full, "rb");
    if (file == NULL) return false;
    size_t count = fread(got, 1, sizeof got, file);
    fclose(file);
    assert_int_equal(remove(full), 0);
    return count == size && memcmp(got, bytes, size) == 0;
}

// Beside a .gltf they are laid where they lay; but for what nobody would see there, which goes into it where it can.
static void files_that_are_hidden_or_above_are_not_laid_beside(void **state)
{
    place *p = *state;
    made m;
    make_pictures(&m, p);
    json_t *root = written_text(p, &m, 0, NULL);
    for (size_t i = 0; i < ERI_COUNT(pictures); ++i) {
        bool hidden = i == 2 || i == 3 || i == 5, inside = hidden && pictures[i].mime != NULL;
        const char *uri = glb_text(nth(root, "images", i), "uri"), number[2] = {(char)('0' + i)};
        char want[64];
        snprintf(want, sizeof want, "data:%s;base64,", pictures[i].mime);
        if (inside) assert_memory_equal(uri, want, strlen(want));
        if (!inside) assert_string_equal(uri, number);
        assert_int_equal(lies_beside(p, pictures[i].path, pictures[i].bytes, pictures[i].size), !hidden);
    }
    json_decref(root);
    char folder[300];
    snprintf(folder, sizeof folder, "%s/b.x", p->folder);
    assert_int_equal(remove(folder), 0);
    m.scene.path = p->beside; // where they lie already
    root = written_text(p, &m, 0, NULL);
    for (size_t i = 0; i < ERI_COUNT(pictures); ++i) {
        const char number[2] = {(char)('0' + i)};
        assert_string_equal(glb_text(nth(root, "images", i), "uri"), number);
        assert_false(lies_beside(p, pictures[i].path, pictures[i].bytes, pictures[i].size));
    }
    json_decref(root);
}

// Buffers may share a file, each with a length of its own: it is laid beside once, with all that any has.
static void files_that_are_shared_are_laid_beside_once(void **state)
{
    place *p = *state;
    static const size_t sizes[][3] = {{2, 5, 3}, {5, 2, 2}, {2, 3, 5}, {4, 4, 4}};
    for (size_t i = 0; i < ERI_COUNT(sizes); ++i) {
        made m;
        make(&m, p,
             HEAD ",\"buffers\":[{\"byteLength\":1,\"uri\":\"s\"},{\"byteLength\":1,\"uri\":\"t\"},"
                  "{\"byteLength\":1,\"uri\":\"s\"},{\"byteLength\":1,\"uri\":\"s\"}]}",
             0);
        m.source.buffer_count = 4;
        for (int k = 0, n = 0; k < 4; ++k)
            m.buffer[k] = k == 1 ? (eri_source_bytes){"other.bin", "", five, 1}
                                 : (eri_source_bytes){"shared.bin", "", five, sizes[i][n++]};
        json_t *root = written_text(p, &m, 0, NULL);
        json_decref(root);
        size_t most = i < 3 ? 5 : 4;
        assert_true(lies_beside(p, "shared.bin", five, most));
        assert_true(lies_beside(p, "other.bin", five, 1));
    }
}

// --- what is wrong with a source

static void broken_sources_are_told(void **state)
{
    place *p = *state;
    static const struct {
        const char *json, *named;
    } cases[] = {{"{\"a\" 5}", "byte 6"},
                 {"[1]", "byte 0"},
                 {"", "byte 0"},
                 {HEAD ",\"nodes\":[]}", "node 0"},
                 {HEAD ",\"nodes\":[5]}", "node 0"},
                 {HEAD ",\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]}]}", "matrix"},
                 {HEAD ",\"nodes\":[{}],\"animations\":{}}", "\"animations\""},
                 {HEAD ",\"nodes\":[{}],\"accessors\":7}", "\"accessors\""}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        made m;
        make(&m, p, cases[i].json, 1);
        assert_refused(p, er_gltf_write, &m.scene, &move, p->out, ER_ERROR_FORMAT, cases[i].named);
    }
}

static void only_a_vrm_is_written_as_one(void **state)
{
    place *p = *state;
    static const struct {
        const char *json;
        bool is;
    } cases[] = {{HEAD "}", false},
                 {HEAD ",\"extensions\":{\"VRM\":{}}}", true},
                 {HEAD ",\"extensions\":{\"VRMC_vrm\":{}}}", true},
                 {HEAD ",\"extensions\":{\"VRM\":5}}", false}};
    char path[160];
    snprintf(path, sizeof path, "%s/out.vrm", p->folder);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        made m;
        make(&m, p, cases[i].json, 0);
        if (!cases[i].is) assert_refused(p, er_gltf_write, &m.scene, NULL, path, ER_ERROR_ARGUMENT, path);
        if (!cases[i].is) continue;
        assert_int_equal(er_gltf_write(p->own, &m.scene, 0, NULL, NULL, path), ER_OK);
        glb g = glb_open(path);
        glb_close(&g);
        assert_int_equal(remove(path), 0);
        glb other = written(p, &m, 0, NULL);
        glb_close(&other);
        remove(p->out);
    }
}

// --- clips

static void expect_floats(const glb *g, int64_t accessor, const char *type, int count, const double *want, int numbers)
{
    const json_t *a = glb_element(g, "accessors", accessor);
    assert_string_equal(glb_text(a, "type"), type);
    assert_int_equal(glb_number(a, "count"), count);
    const float *got = glb_floats(g, accessor);
    for (int i = 0; i < numbers; ++i)
        if (!(fabs((double)got[i] - want[i]) < 1e-6)) fail_msg("number %d is %g, not %g", i, (double)got[i], want[i]);
}

static const json_t *channel_of(const glb *g, int64_t animation, size_t i, const json_t **sampler)
{
    const json_t *a = glb_element(g, "animations", animation),
                 *channel = json_array_get(json_object_get(a, "channels"), i);
    *sampler = json_array_get(json_object_get(a, "samplers"), (size_t)glb_number(channel, "sampler"));
    assert_int_equal(json_array_size(json_object_get(a, "samplers")), json_array_size(json_object_get(a, "channels")));
    return json_object_get(channel, "target");
}

#define MORPHS                                                                                                         \
    HEAD ",\"meshes\":[{\"primitives\":[{\"attributes\":{},\"targets\":[{},{}]}],\"weights\":[0.25,0.5]},"             \
         "{\"primitives\":[{\"attributes\":{}}]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[1,0]},"             \
         "{},{\"mesh\":1},{\"mesh\":\"0\"},{\"mesh\":9}]}"

// Morphs are held by the weights of the node, or else of its mesh, for as long as the clip lasts; where there are none
// nothing is. Values of a channel's own are written as they are.
static void morphs_are_held_or_moved_where_there_are_targets(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, MORPHS, 6); // scene node n is 5 - n of the file
    static const double values[] = {0.1, 0.2, 0.3, 0.4};
    const er_channel hold[] = {
        {5, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL}, {4, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL},
        {3, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL}, {2, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL},
        {1, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL}, {0, ER_PATH_MORPH, ER_LINEAR, 2, second, NULL}};
    const er_channel own[] = {{5, ER_PATH_MORPH, ER_STEP, 2, second, values}};
    const er_clip clips[] = {{"two", 2.0, 6, hold},
                             {"none", 2.0, 4, hold + 2},
                             {"still", 0.0, 1, hold},
                             {"three", 3.0, 2, hold},
                             {"own", 1.0, 1, own}};
    glb g = written(p, &m, 5, clips);
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 4);
    static const double lengths[] = {2, 0, 3, 1};
    static const int channels[] = {2, 1, 2, 1};
    for (int a = 0; a < 4; ++a) {
        const json_t *sampler, *first = NULL;
        for (int i = 0; i < channels[a]; ++i) {
            const json_t *target = channel_of(&g, a, (size_t)i, &sampler);
            assert_int_equal(glb_number(target, "node"), i);
            assert_string_equal(glb_text(target, "path"), "weights");
            assert_string_equal(glb_text(sampler, "interpolation"), a == 3 ? "STEP" : "LINEAR");
            int keys = a == 1 ? 1 : 2;
            expect_floats(&g, glb_number(sampler, "input"), "SCALAR", keys, (const double[]){0, lengths[a]}, keys);
            const double held[2][4] = {{0.25, 0.5, 0.25, 0.5}, {1, 0, 1, 0}};
            expect_floats(&g, glb_number(sampler, "output"), "SCALAR", 2 * keys, a == 3 ? values : held[i], 2 * keys);
            if (first != NULL) assert_int_equal(glb_number(first, "input"), glb_number(sampler, "input"));
            first = sampler;
        }
        const json_t *target = json_array_get(json_object_get(glb_element(&g, "animations", a), "channels"), 2);
        assert_null(target);
    }
    glb_close(&g);
}

// Times that are the same array are one accessor, in clips that begin alike; they ascend as floats too.
static void times_are_shared_and_ascend(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, HEAD ",\"nodes\":[{},{},{}]}", 3);
    static const double a[] = {0, 1, 2}, b[] = {0, 1, 2}, late[] = {1e6, 1e6 + 1e-9, 1e6 + 2e-9}, early[] = {-1, 0};
    static const double turn[] = {0, 0, 0, 2, 1.8, 0, 0, -2.4, 0, 0, 3, 4}, at[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const er_channel first[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 3, a, at},
                                {1, ER_PATH_ROTATION, ER_LINEAR, 3, a, turn},
                                {2, ER_PATH_SCALE, ER_STEP, 2, a, at},
                                {2, ER_PATH_TRANSLATION, ER_LINEAR, 3, b, at},
                                {1, ER_PATH_SCALE, ER_LINEAR, 3, late, at}};
    const er_channel then[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 3, a, at},
                               {1, ER_PATH_TRANSLATION, ER_LINEAR, 2, early, at}};
    const er_clip clips[] = {{"first", 1e6 + 1, 5, first}, {"then", 2.0, 2, then}, {"again", 2.0, 1, then}};
    glb g = written(p, &m, 3, clips);
    const json_t *s[5], *t[2], *u[1];
    for (size_t i = 0; i < 5; ++i)
        assert_int_equal(glb_number(channel_of(&g, 0, i, &s[i]), "node"), 2 - first[i].node);
    for (size_t i = 0; i < 2; ++i)
        channel_of(&g, 1, i, &t[i]);
    channel_of(&g, 2, 0, &u[0]);
    int64_t input[8] = {glb_number(s[0], "input"), glb_number(s[1], "input"), glb_number(s[2], "input"),
                        glb_number(s[3], "input"), glb_number(s[4], "input"), glb_number(t[0], "input"),
                        glb_number(t[1], "input"), glb_number(u[0], "input")};
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < i; ++k) {
            bool same = (i == 1 && k == 0) || (i == 7 && k <= 1);
            if ((input[i] == input[k]) != same) fail_msg("inputs %d and %d", i, k);
        }
    expect_floats(&g, input[0], "SCALAR", 3, a, 3);
    expect_floats(&g, input[2], "SCALAR", 2, a, 2);
    expect_floats(&g, input[5], "SCALAR", 3, (const double[]){1, 2, 3}, 3); // from the clip's begin on
    expect_floats(&g, input[6], "SCALAR", 2, (const double[]){0, 1}, 2);
    const float *close = glb_floats(&g, input[4]);
    assert_true(close[0] == 1e6f && close[1] == nextafterf(1e6f, 2e6f) && close[2] == nextafterf(close[1], 2e6f));
    for (int i = 0; i < 7; ++i) {
        const json_t *accessor = glb_element(&g, "accessors", input[i]);
        const float *times = glb_floats(&g, input[i]);
        int64_t last = glb_number(accessor, "count") - 1;
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "min"), 0)) == (double)times[0]);
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "max"), 0)) == (double)times[last]);
        assert_int_equal(json_array_size(json_object_get(accessor, "max")), 1);
    }
    // unit, and each on the side of the one before
    expect_floats(&g, glb_number(s[1], "output"), "VEC4", 3,
                  (const double[]){0, 0, 0, 1, -0.6, 0, 0, 0.8, 0, 0, 0.6, 0.8}, 12);
    expect_floats(&g, glb_number(s[0], "output"), "VEC3", 3, at, 9);
    expect_floats(&g, glb_number(s[2], "output"), "VEC3", 2, at, 6);
    assert_string_equal(glb_text(s[2], "interpolation"), "STEP");
    // all of it in one view
    for (size_t i = 0; i < json_array_size(json_object_get(g.root, "accessors")); ++i)
        assert_int_equal(glb_number(glb_element(&g, "accessors", (int64_t)i), "bufferView"), 0);
    assert_int_equal(json_array_size(json_object_get(g.root, "bufferViews")), 1);
    assert_null(json_object_get(glb_element(&g, "bufferViews", 0), "target"));
    glb_close(&g);
}

static void splines_keep_their_tangents_but_for_a_lone_key(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, HEAD ",\"nodes\":[{}]}", 1);
    static const double three[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    static const double turns[] = {0, 0, 0, 0.5, 0, 0, 0, -2, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 2, 0, 0, 5, 0};
    for (int keys = 1; keys <= 2; ++keys) {
        const er_channel c[] = {{0, ER_PATH_TRANSLATION, ER_CUBIC, keys, second, three},
                                {0, ER_PATH_ROTATION, ER_CUBIC, keys, second, turns}};
        const er_clip clip = {"spline", 1.0, 2, c};
        glb g = written(p, &m, 1, &clip);
        const json_t *s, *r;
        channel_of(&g, 0, 0, &s);
        channel_of(&g, 0, 1, &r);
        assert_string_equal(glb_text(s, "interpolation"), keys == 1 ? "STEP" : "CUBICSPLINE");
        expect_floats(&g, glb_number(s, "output"), "VEC3", keys == 1 ? 1 : 6, keys == 1 ? three + 3 : three,
                      keys == 1 ? 3 : 18);
        static const double one[] = {0, 0, 0, -1}; // made unit; those of splines hold for their tangents
        expect_floats(&g, glb_number(r, "output"), "VEC4", keys == 1 ? 1 : 6, keys == 1 ? one : turns,
                      keys == 1 ? 4 : 24);
        glb_close(&g);
    }
}

// New clips come before those of the file, and get numbers where one has their name; those without a name need none.
static void new_clips_come_first_and_get_other_names(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, HEAD ",\"nodes\":[{}],\"animations\":[{\"name\":\"Take\"},{\"name\":\"Take\"},{},{\"name\":\"walk\"}]}",
         1);
    const er_clip clips[] = {
        {"Take", 1, 1, &moves}, {"", 1, 1, &moves}, {"run", 1, 1, &moves}, {"run", 1, 1, &moves}, {"", 1, 1, &moves}};
    static const char *const all[] = {"Take (2)", "", "run", "run (2)", "", "Take", "Take", "", "walk"},
                             *const alone[] = {"Take", "", "run", "run (2)", ""};
    glb g = written(p, &m, 5, clips);
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 9);
    for (int i = 0; i < 9; ++i)
        assert_string_equal(glb_text(glb_element(&g, "animations", i), "name"), all[i]);
    assert_null(json_object_get(glb_element(&g, "animations", 1), "name"));
    glb_close(&g);
    assert_int_equal(er_gltf_write(p->own, &m.scene, 5, clips, &only_new, p->out), ER_OK);
    g = glb_open(p->out);
    assert_int_equal(json_array_size(json_object_get(g.root, "animations")), 5);
    for (int i = 0; i < 5; ++i)
        assert_string_equal(glb_text(glb_element(&g, "animations", i), "name"), alone[i]);
    glb_close(&g);
    assert_int_equal(er_gltf_write(p->own, &m.scene, 0, NULL, &only_new, p->out), ER_OK);
    g = glb_open(p->out);
    assert_null(json_object_get(g.root, "animations")); // glTF knows no empty lists
    glb_close(&g);
}

#define OWN(input, more)                                                                                               \
    HEAD ",\"nodes\":[{},{}],\"accessors\":[" input ",{\"count\":2,\"min\":[0]}],\"animations\":[{\"samplers\":["      \
         "{\"input\":1,\"output\":1},{\"input\":0,\"output\":1}],\"channels\":["                                       \
         "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"scale\"}},"                                                 \
         "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"                                           \
         "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}" more "]}]}"

// A channel of the scene's own goes by the accessors that it has, if they are what the scene has of it.
static void channels_of_the_source_keep_their_accessors(void **state)
{
    place *p = *state;
    static const struct {
        const char *json;
        bool own;
    } cases[] = {
        {OWN("{\"count\":2,\"min\":[0]}", ""), true},
        {OWN("{\"count\":3,\"min\":[0]}", ""), false},
        {OWN("{\"count\":2,\"min\":[0.5]}", ""), false},
        {OWN("{\"count\":2}", ""), false},
        {OWN("{\"count\":2,\"min\":[\"0\"]}", ""), false},
        {OWN("{\"count\":2,\"min\":[0]}", ",{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}"), false},
        {OWN("{\"count\":2,\"min\":[0]}", ",{\"sampler\":0,\"target\":{\"node\":1,\"path\":7}}"), true}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int other = 0; other < 5; ++other) {
            made m;
            make(&m, p, cases[i].json, 2); // scene node 0 is the file's 1
            const double *time = COPY(p->arena, second), *value = COPY(p->arena, shift);
            const er_channel own = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, second, shift};
            const er_channel add = {other == 3,
                                    other == 4 ? ER_PATH_SCALE : ER_PATH_TRANSLATION,
                                    ER_LINEAR,
                                    2,
                                    other == 1 ? time : second,
                                    other == 2 ? value : shift};
            const er_clip theirs = {"theirs", 1.0, 1, &own}, mine = {"mine", 1.0, 1, &add};
            m.scene.clip = &theirs;
            m.scene.clip_count = 1;
            glb g = written(p, &m, 1, &mine);
            bool kept = cases[i].own && other == 0;
            if (json_array_size(json_object_get(g.root, "accessors")) != (kept ? 2 : 4))
                fail_msg("case %zu, %d", i, other);
            const json_t *sampler, *target = channel_of(&g, 0, 0, &sampler);
            assert_int_equal(glb_number(target, "node"), other == 3 ? 0 : 1);
            assert_string_equal(glb_text(target, "path"), other == 4 ? "scale" : "translation");
            if (kept) assert_true(glb_number(sampler, "input") == 0 && glb_number(sampler, "output") == 1);
            if (!kept) assert_true(glb_number(sampler, "input") == 2 && glb_number(sampler, "output") == 3);
            glb_close(&g);
        }
}

// An animated node may have no matrix (glTF 2.0, 3.11); one that stays keeps it.
static void a_matrix_of_a_moved_node_becomes_its_parts(void **state)
{
    place *p = *state;
    made m;
    // turned by a right angle about Z and stretched: (x, y, z) to (-3 y + 4, 2 x + 5, -5 z + 6), which mirrors
    make(&m, p,
         HEAD ",\"nodes\":[{\"matrix\":[0,2,0,0,-3,0,0,0,0,0,-5,0,4,5,6,1]},{\"matrix\":[0,2,0,0,-3,0,0,0,0,0,-5,0,4,5,"
              "6,1]}]}",
         2);
    const er_channel c = {1, ER_PATH_TRANSLATION, ER_LINEAR, 2, second, shift};
    const er_clip clip = {"clip", 1, 1, &c};
    glb g = written(p, &m, 1, &clip);
    const json_t *node = glb_element(&g, "nodes", 0), *t = json_object_get(node, "translation"),
                 *r = json_object_get(node, "rotation"), *s = json_object_get(node, "scale");
    assert_null(json_object_get(node, "matrix"));
    assert_non_null(json_object_get(glb_element(&g, "nodes", 1), "matrix"));
    double q[4], size[3];
    for (size_t k = 0; k < 4; ++k)
        q[k] = json_number_value(json_array_get(r, k));
    for (size_t k = 0; k < 3; ++k) {
        size[k] = json_number_value(json_array_get(s, k));
        assert_true(json_number_value(json_array_get(t, k)) == 4.0 + (double)k);
    }
    er_mat3 turn = er_m3_from_q(er_q(q[3], q[0], q[1], q[2]));
    static const double want[3][3] = {{0, -3, 0}, {2, 0, 0}, {0, 0, -5}};
    for (int i = 0; i < 9; ++i)
        assert_true(fabs(turn.m[i / 3][i % 3] * size[i % 3] - want[i / 3][i % 3]) < 1e-12);
    glb_close(&g);
}

// Times and values to the ends of floats.
static void clips_are_written_as_far_as_floats_go(void **state)
{
    place *p = *state;
    made m;
    make(&m, p, HEAD ",\"nodes\":[{}]}", 1);
    double time[] = {0, (double)FLT_MAX}, value[] = {(double)FLT_MAX, 0, 0, -(double)FLT_MAX, 0, 0};
    er_channel c = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, value};
    er_clip clip = {"far", (double)FLT_MAX, 1, &c};
    glb g = written(p, &m, 1, &clip);
    glb_close(&g);
    remove(p->out);
    time[1] = 1.1 * (double)FLT_MAX;
    assert_refused(p, er_gltf_write, &m.scene, &clip, p->out, ER_ERROR_ARGUMENT, "\"far\"");
    time[1] = 1.0;
    clip.duration = 1.1 * (double)FLT_MAX;
    assert_refused(p, er_gltf_write, &m.scene, &clip, p->out, ER_ERROR_ARGUMENT, "\"far\"");
    clip.duration = 1.0;
    value[3] *= 1.1;
    assert_refused(p, er_gltf_write, &m.scene, &clip, p->out, ER_ERROR_ARGUMENT, "-3.7");
    value[3] = 0.0;
    c.node = 1; // there is one node
    assert_refused(p, er_gltf_write, &m.scene, &clip, p->out, ER_ERROR_ARGUMENT, "channel 0 of clip \"far\"");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(a_chunk_of_data_is_cut_to_its_buffer_and_others_follow),
        TEST(new_data_goes_where_there_is_room_for_it),
        TEST(buffers_in_files_go_into_the_file),
        TEST(pictures_of_known_kinds_go_into_a_glb),
        TEST(files_that_are_hidden_or_above_are_not_laid_beside),
        TEST(files_that_are_shared_are_laid_beside_once),
        TEST(broken_sources_are_told),
        TEST(only_a_vrm_is_written_as_one),
        TEST(morphs_are_held_or_moved_where_there_are_targets),
        TEST(times_are_shared_and_ascend),
        TEST(splines_keep_their_tangents_but_for_a_lone_key),
        TEST(new_clips_come_first_and_get_other_names),
        TEST(channels_of_the_source_keep_their_accessors),
        TEST(a_matrix_of_a_moved_node_becomes_its_parts),
        TEST(clips_are_written_as_far_as_floats_go),
    };
    return cmocka_run_group_tests_name("gltf_source", tests, NULL, NULL);
}
