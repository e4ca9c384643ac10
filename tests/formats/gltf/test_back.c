// What er_gltf_write() writes, read back by the importer: nodes, what is drawn, surfaces and clips are what they were.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include <eigenrig/formats.h>

#include "scenes.h"
#include "support/place.h"

static int open_place(void **state)
{
    return place_open(state, "out.glb", "out.gltf", "beside.glb");
}

static er_scene *read_back(place *p, const char *path)
{
    er_scene *back = NULL;
    if (er_import_file(p->own, path, NULL, &back) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return back;
}

// Two scenes side by side; `to` has the node of `back` for each of `scene`, and `by` takes the one's world to the
// other's: metres, Y up.
typedef struct pair {
    const er_scene *scene, *back;
    int to[320];
    er_affine by, local[330], world[330], there[330];
    double size;
} pair;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

// The k-th of a name is the k-th of that name, below the node that its parent is.
static void match_nodes(pair *p)
{
    for (int i = 0; i < p->scene->node_count; ++i) {
        const er_node *node = &p->scene->node[i];
        int nth = 0, k = 0;
        for (int j = 0; j < i; ++j)
            nth += strcmp(p->scene->node[j].name, node->name) == 0;
        for (; k < p->back->node_count; ++k)
            if (strcmp(p->back->node[k].name, node->name) == 0 && nth-- == 0) break;
        if (k == p->back->node_count) fail_msg("there is no node \"%s\"", node->name);
        p->to[i] = k;
        int above = p->back->node[k].parent;
        if (node->parent >= 0) assert_int_equal(above, p->to[node->parent]);
        if (node->parent < 0) assert_true(above < 0 || p->back->node[above].parent < 0); // one that turns all
    }
}

static er_affine moved(const pair *p, er_affine a)
{
    return er_affine_mul(p->by, a);
}

static void pose_at(pair *p, const er_clip *clip, double time, const er_clip *there, double then)
{
    er_scene_sample(p->scene, clip, time, p->local);
    er_scene_world(p->scene, p->local, p->world);
    er_scene_sample(p->back, there, then, p->local);
    er_scene_world(p->back, p->local, p->there);
}

static void same_nodes(const pair *p, double tolerance)
{
    for (int i = 0; i < p->scene->node_count; ++i) {
        er_affine want = moved(p, p->world[i]), got = p->there[p->to[i]];
        double longest = 1e-30, off = er_v3_distance(want.translation, got.translation) / p->size;
        for (int k = 0; k < 3; ++k)
            longest = fmax(longest, er_v3_norm(er_m3_column(want.linear, k)));
        for (int k = 0; k < 3; ++k)
            off = fmax(off, er_v3_distance(er_m3_column(want.linear, k), er_m3_column(got.linear, k)) / longest);
        if (!(off <= tolerance)) fail_msg("node \"%s\" is off by %g", p->scene->node[i].name, off);
    }
}

// --- what is drawn

static bool is_drawn(const er_mesh *mesh)
{
    return mesh->vertex_count > 0 && mesh->triangle_count > 0;
}

// Programs read eight influences of a vertex: whether a mesh has more, of other joints.
static bool has_more_than_eight(const er_mesh *mesh)
{
    for (int i = 0; mesh->influence_start != NULL && i < mesh->vertex_count; ++i)
        if (mesh->influence_start[i + 1] - mesh->influence_start[i] > 8) return true;
    return false;
}

// Corners of the triangles of an instance in the world. To be freed.
static double *corners(const er_scene *scene, int instance, const er_affine *world, const er_affine *by)
{
    const er_mesh *mesh = &scene->mesh[scene->instance[instance].mesh];
    size_t n = 3 * (size_t)mesh->triangle_count;
    double *position = room(3 * (size_t)mesh->vertex_count, sizeof *position), *at = room(3 * n, sizeof *at);
    er_scene_skin(scene, instance, world, position);
    for (size_t k = 0; k < n; ++k) {
        const double *v = position + 3 * (size_t)mesh->index[k];
        er_vec3 x = er_v3(v[0], v[1], v[2]);
        if (by != NULL) x = er_affine_point(*by, x);
        at[3 * k] = x.x, at[3 * k + 1] = x.y, at[3 * k + 2] = x.z;
    }
    free(position);
    return at;
}

static bool alike(const float *a, const int *a_index, const float *b, const int *b_index, size_t corner_count,
                  int width)
{
    if ((a == NULL) != (b == NULL)) return false;
    for (size_t k = 0; a != NULL && k < corner_count; ++k)
        for (int i = 0; i < width; ++i)
            if (fabsf(a[width * a_index[k] + i] - b[width * b_index[k] + i]) > 1e-6f) return false;
    return true;
}

// Unit vectors that point where the scene's do; those without direction may point anywhere.
static bool same_normals(const er_mesh *a, const er_mesh *b)
{
    if ((a->normal == NULL) != (b->normal == NULL)) return false;
    for (int k = 0; a->normal != NULL && k < 3 * a->triangle_count; ++k) {
        const float *n = a->normal + 3 * a->index[k], *m = b->normal + 3 * b->index[k];
        er_vec3 u = er_v3((double)n[0], (double)n[1], (double)n[2]),
                v = er_v3((double)m[0], (double)m[1], (double)m[2]);
        if (fabs(er_v3_norm(v) - 1.0) > 1e-6) return false;
        if (er_v3_norm(u) > 0.0 && er_v3_distance(er_v3_unit(u, u), v) > 1e-6) return false;
    }
    return true;
}

static bool same_image(const pair *p, int a, int b)
{
    if (a < 0 || b < 0) return a == b;
    const er_image *x = &p->scene->image[a], *y = &p->back->image[b];
    return x->size == y->size && memcmp(x->bytes, y->bytes, x->size) == 0 && strcmp(x->mime, y->mime) == 0 &&
           strcmp(x->name, y->name) == 0;
}

static bool same_numbers(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; ++i)
        if (fabsf(a[i] - b[i]) > 1e-6f) return false;
    return true;
}

static bool same_material(const pair *p, const er_mesh *a, const er_mesh *b)
{
    if (a->material < 0 || b->material < 0) return a->material < 0 && b->material < 0;
    const er_material *x = &p->scene->material[a->material], *y = &p->back->material[b->material];
    bool flat = a->uv == NULL; // then pictures have no place
    return strcmp(x->name, y->name) == 0 && same_numbers(x->base_color, y->base_color, 4) &&
           same_numbers(x->emissive, y->emissive, 3) && same_numbers(&x->metallic, &y->metallic, 1) &&
           same_numbers(&x->roughness, &y->roughness, 1) && x->alpha_mode == y->alpha_mode &&
           x->double_sided == y->double_sided &&
           (x->alpha_mode != ER_ALPHA_MASK || same_numbers(&x->alpha_cutoff, &y->alpha_cutoff, 1)) &&
           same_image(p, flat ? -1 : x->base_color_image, y->base_color_image) &&
           same_image(p, flat ? -1 : x->normal_image, y->normal_image) &&
           same_image(p, flat ? -1 : x->emissive_image, y->emissive_image);
}

// Whether an instance of the one is one of the other: corner by corner in the world, its surface too where asked for.
static bool is_instance(const pair *p, int a, int b, double tolerance, bool surface)
{
    const er_mesh *x = &p->scene->mesh[p->scene->instance[a].mesh], *y = &p->back->mesh[p->back->instance[b].mesh];
    size_t n = 3 * (size_t)x->triangle_count;
    if (x->triangle_count != y->triangle_count) return false;
    double *want = corners(p->scene, a, p->world, &p->by), *got = corners(p->back, b, p->there, NULL);
    bool same = p->scene->instance[a].skin >= 0 || p->back->instance[b].skin < 0;
    for (size_t k = 0; k < 3 * n && !has_more_than_eight(x); ++k)
        same = same && fabs(want[k] - got[k]) <= tolerance * p->size;
    free(want);
    free(got);
    if (!same || !surface) return same;
    return alike(x->uv, x->index, y->uv, y->index, n, 2) && alike(x->color, x->index, y->color, y->index, n, 4) &&
           same_normals(x, y) && same_material(p, x, y);
}

static void same_drawing(const pair *p, double tolerance, bool surface)
{
    bool *used = room((size_t)p->back->instance_count, sizeof *used);
    int left = p->back->instance_count;
    for (int a = 0; a < p->scene->instance_count; ++a) {
        const er_mesh *mesh = &p->scene->mesh[p->scene->instance[a].mesh];
        if (!is_drawn(mesh)) continue;
        int b = 0;
        while (b < p->back->instance_count && (used[b] || !is_instance(p, a, b, tolerance, surface)))
            ++b;
        if (b == p->back->instance_count) fail_msg("mesh \"%s\" of instance %d is not there", mesh->name, a);
        used[b] = true;
        --left;
    }
    assert_int_equal(left, 0);
    free(used);
}

// --- clips

static double start_of(const er_clip *clip)
{
    double start = 0.0;
    for (int i = 0; i < clip->channel_count; ++i)
        start = fmin(start, clip->channel[i].time[0]);
    return start;
}

static double size_of(const pair *p)
{
    double size = 1e-30;
    for (int i = 0; i < p->scene->node_count; ++i)
        size = fmax(size, er_v3_norm(moved(p, p->world[i]).translation));
    for (int i = 0; i < p->scene->instance_count; ++i) {
        double *at = corners(p->scene, i, p->world, &p->by);
        for (int k = 0; k < 9 * p->scene->mesh[p->scene->instance[i].mesh].triangle_count; ++k)
            size = fmax(size, fabs(at[k]));
        free(at);
    }
    return size;
}

static void same_clip(pair *p, const er_clip *clip, const er_clip *there)
{
    double start = start_of(clip);
    assert_string_equal(clip->name, there->name);
    assert_true(fabs(clip->duration - start - there->duration) < 1e-6);
    for (int k = 0; k < 12; ++k) {
        double time = (clip->duration - start) * (k + 0.37) / 12; // no key, most likely
        pose_at(p, clip, start + time, there, time);
        p->size = size_of(p);
        same_nodes(p, 1e-4); // a chain of 300 nodes adds up the rounding of its floats
        same_drawing(p, 1e-4, false);
    }
}

static pair *compare(const er_scene *scene, const er_scene *back)
{
    pair *p = room(1, sizeof *p);
    p->scene = scene;
    p->back = back;
    match_nodes(p);
    pose_at(p, NULL, 0.0, NULL, 0.0);
    p->by = er_affine_mul(p->there[p->to[0]], er_affine_inverse(p->world[0]));
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(er_v3_norm(er_m3_column(p->by.linear, k)) / scene->metres_per_unit - 1.0) < 1e-6);
    assert_true(er_m3_det(p->by.linear) > 0.0);
    er_vec3 up = er_v3_scale(1.0 / scene->metres_per_unit, er_m3_mul_v(p->by.linear, scene->up));
    assert_true(er_v3_distance(up, er_v3(0, 1, 0)) < 1e-6);
    assert_true(back->metres_per_unit == 1.0 && er_v3_distance(back->up, er_v3(0, 1, 0)) == 0.0);
    p->size = size_of(p);
    assert_true(er_v3_norm(p->by.translation) < 1e-5 * p->size);
    same_nodes(p, 2e-6);
    same_drawing(p, 2e-6, true);
    return p;
}

// Without the scales, which grow beyond all bounds down a chain of 300 nodes.
static er_clip without_scales(place *p, er_clip clip)
{
    er_channel *kept = ER_NEW(p->arena, er_channel, clip.channel_count);
    int count = 0;
    for (int i = 0; i < clip.channel_count; ++i)
        if (clip.channel[i].path != ER_PATH_SCALE) kept[count++] = clip.channel[i];
    return (er_clip){clip.name, clip.duration, count, kept};
}

// Turns about one axis after another, past half a turn, for the first nodes; the signs of every other key are turned.
static er_clip spin(place *p, const er_scene *scene)
{
    enum { KEYS = 12, MOST = 3 };
    double *time = ER_NEW(p->arena, double, KEYS);
    er_channel *channel = ER_NEW(p->arena, er_channel, MOST);
    int count = scene->node_count < MOST ? scene->node_count : MOST;
    for (int i = 0; i < count; ++i) {
        double *value = ER_NEW(p->arena, double, 4 * KEYS);
        for (int k = 0; k < KEYS; ++k) {
            double half = 0.3 * k, sign = k % 2 == 1 ? -1.0 : 1.0;
            time[k] = 0.25 * k;
            value[4 * k + i] = sign * sin(half);
            value[4 * k + 3] = sign * cos(half);
        }
        channel[i] = (er_channel){i, ER_PATH_ROTATION, ER_LINEAR, KEYS, time, value};
    }
    return (er_clip){"spin", 0.25 * (KEYS - 1), count, channel};
}

// Programs that blend keys number by number take the shorter way from one to the next.
static void expect_shorter_ways(const er_clip *clip)
{
    for (int c = 0; c < clip->channel_count; ++c) {
        const er_channel *ch = &clip->channel[c];
        for (int k = 1; ch->path == ER_PATH_ROTATION && ch->interpolation == ER_LINEAR && k < ch->key_count; ++k) {
            const double *v = ch->value + 4 * k;
            assert_true(v[0] * v[-4] + v[1] * v[-3] + v[2] * v[-2] + v[3] * v[-1] > -1e-6);
        }
    }
}

static void turns_go_the_shorter_way(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "strip");
    const er_clip clips[2] = {spin(p, scene), make_clip(p->arena, scene, "mode")};
    assert_int_equal(er_gltf_write_new(p->own, scene, 2, clips, p->out), ER_OK);
    er_scene *back = read_back(p, p->out);
    pair *both = compare(scene, back);
    assert_int_equal(back->clip_count, 2);
    for (int i = 0; i < 2; ++i) {
        same_clip(both, &clips[i], &back->clip[i]);
        expect_shorter_ways(&back->clip[i]);
    }
    free(both);
    er_scene_destroy(back);
}

// Any unit and any way up; a file in metres, Y up, has no node more than the scene.
static void units_and_axes_become_a_node_above(void **state)
{
    place *p = *state;
    static const struct {
        double unit;
        er_vec3 up;
        bool above;
    } cases[] = {{1, {0, 1, 0}, false}, {0.5, {0, 1, 0}, true},       {2, {0, 1, 0}, true}, {1, {0, 0, 1}, true},
                 {1, {1, 0, 0}, true},  {0.01, {0, -0.6, 0.8}, true}, {1, {0, -1, 0}, true}};
    int plain = 0; // nodes of a file in metres, Y up
    for (size_t i = 0; i < ER_COUNT(cases); ++i) {
        er_scene *scene = make_scene(p->arena, "strip");
        scene->metres_per_unit = cases[i].unit;
        scene->up = cases[i].up;
        assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, p->out), ER_OK);
        er_scene *back = read_back(p, p->out);
        pair *both = compare(scene, back);
        if (i == 0) plain = back->node_count;
        assert_int_equal(back->node_count, plain + cases[i].above);
        same_clip(both, &scene->clip[0], &back->clip[0]);
        free(both);
        er_scene_destroy(back);
    }
}

// ---- the bytes of a .glb

typedef struct glb {
    uint8_t *bytes;
    json_t *root;
    const uint8_t *bin;
} glb;

static glb open_glb(const char *path)
{
    glb g = {.bytes = room(1 << 20, 1)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(g.bytes, 1, 1 << 20, file);
    fclose(file);
    uint32_t head[5], bin[2];
    memcpy(head, g.bytes, sizeof head);
    assert_true(head[0] == 0x46546C67 && head[1] == 2 && head[2] == size && head[3] % 4 == 0 && head[4] == 0x4E4F534A);
    g.root = json_loadb((const char *)g.bytes + 20, head[3], 0, NULL);
    assert_non_null(g.root);
    if (size > 20 + head[3]) {
        memcpy(bin, g.bytes + 20 + head[3], sizeof bin);
        assert_true(bin[1] == 0x004E4942 && 28 + head[3] + bin[0] == size);
        g.bin = g.bytes + 28 + head[3];
    }
    return g;
}

static void close_glb(glb *g)
{
    json_decref(g->root);
    free(g->bytes);
}

static int64_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const json_t *element(const glb *g, const char *list, int64_t index)
{
    return json_array_get(json_object_get(g->root, list), (size_t)index);
}

// Element `i` of an accessor, its numbers as they are stored; their type in `type`.
static const uint8_t *accessed(const glb *g, int64_t accessor, size_t i, int64_t *type)
{
    const json_t *a = element(g, "accessors", accessor), *view = element(g, "bufferViews", number(a, "bufferView"));
    *type = number(a, "componentType");
    size_t width = *type == 5126 ? 4 : *type == 5123 ? 2 : 1, stride = (size_t)number(view, "byteStride");
    if (stride == 0) stride = 4 * width;
    assert_true((int64_t)i < number(a, "count"));
    return g->bin + number(view, "byteOffset") + number(a, "byteOffset") + i * stride;
}

// The joints and weights of each vertex of a skinned primitive: no joint twice that counts, and weights that sum to 1.
static int expect_sound_weights(const glb *g, const json_t *primitive)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    int64_t count = number(element(g, "accessors", number(attributes, "POSITION")), "count");
    if (json_object_get(attributes, "JOINTS_0") == NULL) return 0;
    for (int64_t v = 0; v < count; ++v) {
        int joint[8], used = 0;
        double sum = 0.0;
        for (int set = 0; set < 2; ++set) {
            char joints[16], weights[16];
            int64_t type, floats;
            snprintf(joints, sizeof joints, "JOINTS_%d", set);
            snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
            if (json_object_get(attributes, joints) == NULL) continue;
            const uint8_t *j = accessed(g, number(attributes, joints), (size_t)v, &type);
            float w[4];
            memcpy(w, accessed(g, number(attributes, weights), (size_t)v, &floats), sizeof w);
            assert_int_equal(floats, 5126);
            for (int i = 0; i < 4; ++i) {
                int index = type == 5123 ? j[2 * i] + 256 * j[2 * i + 1] : j[i];
                if (w[i] == 0.0f) {
                    assert_int_equal(index, 0);
                    continue;
                }
                for (int k = 0; k < used; ++k)
                    assert_int_not_equal(joint[k], index);
                joint[used++] = index;
                sum += (double)w[i];
            }
        }
        if (!(fabs(sum - 1.0) < 1e-6)) fail_msg("weights that sum to %g", sum);
    }
    return 1;
}

static void weights_sum_to_one_and_joints_come_once(void **state)
{
    place *p = *state;
    static const char *const names[] = {"strip", "crowd"};
    for (size_t i = 0; i < ER_COUNT(names); ++i) {
        er_scene *scene = make_scene(p->arena, names[i]);
        er_mesh *mesh = (er_mesh *)(uintptr_t)&scene->mesh[0];
        int *joint = (int *)(uintptr_t)mesh->influence_joint, skinned = 0;
        if (i == 0) // the same joint for both influences of some vertices
            for (int v = 0; v < mesh->vertex_count; ++v)
                for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k)
                    joint[k] = v % 3 == 1 ? v % 2 : joint[k];
        assert_int_equal(er_gltf_write_new(p->own, scene, 0, NULL, p->out), ER_OK);
        er_scene *back = read_back(p, p->out);
        free(compare(scene, back));
        er_scene_destroy(back);
        glb g = open_glb(p->out);
        const json_t *list = json_object_get(g.root, "meshes");
        for (size_t m = 0; m < json_array_size(list); ++m) {
            const json_t *primitives = json_object_get(json_array_get(list, m), "primitives");
            for (size_t k = 0; k < json_array_size(primitives); ++k)
                skinned += expect_sound_weights(&g, json_array_get(primitives, k));
        }
        assert_true(skinned > 0 && (i == 0 || skinned > 2));
        close_glb(&g);
    }
}

// A scene of nothing is a file of nothing: glTF knows no empty lists.
static void a_scene_of_nothing_is_a_file_of_nothing(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "blank");
    assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, p->out), ER_OK);
    glb g = open_glb(p->out);
    const char *key;
    json_t *value;
    json_object_foreach(g.root, key, value) if (json_is_array(value)) assert_true(json_array_size(value) > 0);
    assert_null(json_object_get(g.root, "nodes"));
    assert_null(json_object_get(json_array_get(json_object_get(g.root, "scenes"), 0), "nodes"));
    assert_null(g.bin);
    close_glb(&g);
}

static void scenes_read_back_as_they_were(void **state)
{
    place *p = *state;
    static const char *const names[] = {"strip", "parts", "crowd", "bones"};
    for (size_t i = 0; i < ER_COUNT(names); ++i)
        for (int text = 0; text < 2; ++text) {
            const er_scene *scene = make_scene(p->arena, names[i]);
            er_clip clip = make_clip(p->arena, scene, "mode");
            if (strcmp(names[i], "crowd") == 0) clip = without_scales(p, clip);
            const char *path = text == 1 ? p->again : p->out;
            bool bones = strcmp(names[i], "bones") == 0;
            if (er_gltf_write(p->own, scene, bones ? 0 : 1, &clip, path) != ER_OK)
                fail_msg("%s", er_context_error(p->own));
            er_scene *back = read_back(p, path);
            pair *both = compare(scene, back);
            int own = bones ? 2 : scene->clip_count; // a clip that only holds morphs of no mesh is none
            assert_int_equal(back->clip_count, own + (bones ? 0 : 1));
            if (!bones) same_clip(both, &clip, &back->clip[0]);
            if (own > 0) same_clip(both, &scene->clip[0], &back->clip[bones ? 0 : 1]);
            if (bones) assert_true(strcmp(back->clip[1].name, "Take") != 0); // two of one name
            free(both);
            er_scene_destroy(back);
            assert_int_equal(er_gltf_write_new(p->own, scene, bones ? 0 : 1, &clip, path), ER_OK);
            back = read_back(p, path);
            free(compare(scene, back));
            if (!bones) assert_true(back->clip_count == 1 && strcmp(back->clip[0].name, "mode") == 0);
            er_scene_destroy(back);
        }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_read_back_as_they_were),           TEST(turns_go_the_shorter_way),
        TEST(units_and_axes_become_a_node_above),      TEST(weights_sum_to_one_and_joints_come_once),
        TEST(a_scene_of_nothing_is_a_file_of_nothing),
    };
    return cmocka_run_group_tests_name("gltf_back", tests, NULL, NULL);
}
