// Files of er_gltf_write(), read back by the importer: nodes, meshes, materials and clips stay the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include <eigenrig/formats.h>

#include "glb.h"
#include "scenes.h"
#include "support/place.h"

static const er_export_def only_new = {.drop_clips = true, .tag = ER_DEF_TAG};

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
           (p->scene->format == ER_FORMAT_GLTF || strcmp(x->name, y->name) == 0); // else called as its file is
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
    bool flat = a->uv == NULL && p->scene->format != ER_FORMAT_GLTF; // then pictures have no place
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
    er_channel *kept = ERI_NEW(p->arena, er_channel, clip.channel_count);
    int count = 0;
    for (int i = 0; i < clip.channel_count; ++i)
        if (clip.channel[i].path != ER_PATH_SCALE) kept[count++] = clip.channel[i];
    return (er_clip){clip.name, clip.duration, count, kept};
}

// Turns about one axis after another, past half a turn, for the first nodes; the signs of every other key are turned.
static er_clip spin(place *p, const er_scene *scene)
{
    enum { KEYS = 12, MOST = 3 };
    double *time = ERI_NEW(p->arena, double, KEYS);
    er_channel *channel = ERI_NEW(p->arena, er_channel, MOST);
    int count = scene->node_count < MOST ? scene->node_count : MOST;
    for (int i = 0; i < count; ++i) {
        double *value = ERI_NEW(p->arena, double, 4 * KEYS);
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
    assert_int_equal(er_gltf_write(p->own, scene, 2, clips, &only_new, p->out), ER_OK);
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
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_scene *scene = make_scene(p->arena, "strip");
        scene->metres_per_unit = cases[i].unit;
        scene->up = cases[i].up;
        assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, NULL, p->out), ER_OK);
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

// The joints and weights of each vertex of a skinned primitive: no joint twice that counts, and weights that sum to 1.
static int expect_sound_weights(const glb *g, const json_t *primitive)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    int64_t count = glb_number(glb_element(g, "accessors", glb_number(attributes, "POSITION")), "count");
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
            const uint8_t *j = glb_accessed(g, glb_number(attributes, joints), (size_t)v, &type);
            float w[4];
            memcpy(w, glb_accessed(g, glb_number(attributes, weights), (size_t)v, &floats), sizeof w);
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
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        er_scene *scene = make_scene(p->arena, names[i]);
        er_mesh *mesh = (er_mesh *)(uintptr_t)&scene->mesh[0];
        int *joint = (int *)(uintptr_t)mesh->influence_joint, skinned = 0;
        if (i == 0) // the same joint for both influences of some vertices
            for (int v = 0; v < mesh->vertex_count; ++v)
                for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k)
                    joint[k] = v % 3 == 1 ? v % 2 : joint[k];
        mesh = (er_mesh *)(uintptr_t)&scene->mesh[1];
        joint = i == 1 ? (int *)(uintptr_t)mesh->influence_joint : NULL;
        for (int v = 0; i == 1 && v < mesh->vertex_count; ++v) // the first and the last of three
            if (mesh->influence_start[v + 1] - mesh->influence_start[v] == 3)
                joint[mesh->influence_start[v] + 2] = joint[mesh->influence_start[v]];
        assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, &only_new, p->out), ER_OK);
        er_scene *back = read_back(p, p->out);
        free(compare(scene, back));
        er_scene_destroy(back);
        glb g = glb_open(p->out);
        const json_t *list = json_object_get(g.root, "meshes");
        for (size_t m = 0; m < json_array_size(list); ++m) {
            const json_t *primitives = json_object_get(json_array_get(list, m), "primitives");
            for (size_t k = 0; k < json_array_size(primitives); ++k)
                skinned += expect_sound_weights(&g, json_array_get(primitives, k));
        }
        assert_true(skinned > 0 && (i == 0 || skinned > 2));
        glb_close(&g);
    }
}

// Indices are as narrow as they may be: 65535 itself is none of two bytes, so as many vertices have such.
static void indices_are_as_narrow_as_they_may_be(void **state)
{
    place *p = *state;
    static const int counts[] = {65535, 65536};
    for (size_t i = 0; i < ERI_COUNT(counts); ++i) {
        er_scene *scene = make_scene(p->arena, "parts");
        float *position = ERI_NEW(p->arena, float, 3 * counts[i]);
        const int corner[3] = {0, 1, counts[i] - 1};
        position[3] = position[3 * counts[i] - 2] = 1.0f;
        const er_mesh mesh = {.name = "large",
                              .vertex_count = counts[i],
                              .triangle_count = 1,
                              .position = position,
                              .index = corner,
                              .material = -1};
        const er_instance instance = {0, 0, -1};
        scene->mesh = &mesh;
        scene->instance = &instance;
        scene->mesh_count = scene->instance_count = 1;
        assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, &only_new, p->out), ER_OK);
        er_scene *back = read_back(p, p->out);
        free(compare(scene, back));
        er_scene_destroy(back);
        glb g = glb_open(p->out);
        const json_t *primitive = json_array_get(json_object_get(glb_element(&g, "meshes", 0), "primitives"), 0);
        const json_t *accessor = glb_element(&g, "accessors", glb_number(primitive, "indices"));
        assert_int_equal(glb_number(accessor, "componentType"), i == 0 ? 5123 : 5125);
        glb_close(&g);
    }
}

// A scene of nothing is a file of nothing: glTF knows no empty lists.
static void a_scene_of_nothing_is_a_file_of_nothing(void **state)
{
    place *p = *state;
    const er_scene *scene = make_scene(p->arena, "blank");
    assert_int_equal(er_gltf_write(p->own, scene, 0, NULL, NULL, p->out), ER_OK);
    glb g = glb_open(p->out);
    const char *key;
    json_t *value;
    json_object_foreach(g.root, key, value) if (json_is_array(value)) assert_true(json_array_size(value) > 0);
    assert_null(json_object_get(g.root, "nodes"));
    assert_null(json_object_get(json_array_get(json_object_get(g.root, "scenes"), 0), "nodes"));
    assert_null(g.bin);
    glb_close(&g);
}

static void scenes_read_back_as_they_were(void **state)
{
    place *p = *state;
    static const char *const names[] = {"strip", "parts", "crowd", "bones"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i)
        for (int text = 0; text < 2; ++text) {
            const er_scene *scene = make_scene(p->arena, names[i]);
            er_clip clip = make_clip(p->arena, scene, "mode");
            if (strcmp(names[i], "crowd") == 0) clip = without_scales(p, clip);
            const char *path = text == 1 ? p->again : p->out;
            bool bones = strcmp(names[i], "bones") == 0;
            if (er_gltf_write(p->own, scene, bones ? 0 : 1, &clip, NULL, path) != ER_OK)
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
            assert_int_equal(er_gltf_write(p->own, scene, bones ? 0 : 1, &clip, &only_new, path), ER_OK);
            back = read_back(p, path);
            free(compare(scene, back));
            if (!bones) assert_true(back->clip_count == 1 && strcmp(back->clip[0].name, "mode") == 0);
            er_scene_destroy(back);
        }
}

// ---- clips of a source

// The written file has the scene's nodes, and this clip first.
static void clip_reads_back(place *p, const er_scene *scene, const er_clip *clip)
{
    er_scene *back = read_back(p, p->out);
    pair *both = compare(scene, back);
    same_clip(both, clip, &back->clip[0]);
    free(both);
    er_scene_destroy(back);
}

// A source's own clip, written again, goes by the accessors that it has.
static void a_clip_of_the_source_is_written_as_it_is(void **state)
{
    place *p = *state;
    assert_int_equal(er_gltf_write(p->own, make_scene(p->arena, "strip"), 0, NULL, NULL, p->beside), ER_OK);
    er_scene *scene = read_back(p, p->beside);
    int same = 0;
    er_clip again = scene->clip[0];
    again.name = "again";
    assert_int_equal(er_gltf_write(p->own, scene, 1, &again, &only_new, p->out), ER_OK);
    glb was = glb_open(p->beside), is = glb_open(p->out);
    assert_int_equal(json_array_size(json_object_get(is.root, "accessors")),
                     json_array_size(json_object_get(was.root, "accessors")));
    assert_int_equal(json_array_size(json_object_get(is.root, "animations")), 1);
    const json_t *a = glb_element(&was, "animations", 0), *b = glb_element(&is, "animations", 0);
    assert_string_equal(json_string_value(json_object_get(b, "name")), "again");
    const json_t *had = json_object_get(a, "channels"), *has = json_object_get(b, "channels");
    assert_true(json_array_size(had) == 3 && json_array_size(has) == 3);
    for (size_t i = 0; i < 9; ++i) { // a node's property goes by the sampler that it went by
        const json_t *x = json_array_get(had, i / 3), *y = json_array_get(has, i % 3);
        if (!json_equal(json_object_get(x, "target"), json_object_get(y, "target"))) continue;
        assert_true(json_equal(json_array_get(json_object_get(a, "samplers"), (size_t)glb_number(x, "sampler")),
                               json_array_get(json_object_get(b, "samplers"), (size_t)glb_number(y, "sampler"))));
        ++same;
    }
    assert_int_equal(same, 3);
    glb_close(&was);
    glb_close(&is);
    er_channel other = scene->clip[0].channel[0]; // the same keys of another node are new ones
    other.node = other.node == 0 ? 1 : 0;
    const er_clip moved_on = {"other", scene->clip[0].duration, 1, &other};
    assert_int_equal(er_gltf_write(p->own, scene, 1, &moved_on, &only_new, p->out), ER_OK);
    clip_reads_back(p, scene, &moved_on);
    er_scene_destroy(scene);
}

// A node that its file mirrors on other axes than the scene does: the same in the world, by other numbers.
static void mirrored_nodes_move_as_the_clip_says(void **state)
{
    place *p = *state;
    static const char mirrored[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"a\","
        "\"rotation\":[0.1,0.5,0.1,0.8544003745],\"translation\":[1,2,3],\"scale\":[%s]}]}";
    static const char *const scales[] = {"-2,1,3", "2,-1,3", "2,1,-3", "-2,-1,-3", "-2,-1,3", "2,1,3"};
    static const double time[] = {0, 1}, shift[] = {1, -2, 3, -4, 5, 6}, size[] = {1, 2, 3, 2, -1, 0.5};
    static const double turn[] = {0, 0, 0, 1, 0.48, 0.36, 0, 0.8};
    const er_channel channel[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift},
                                  {0, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn},
                                  {0, ER_PATH_SCALE, ER_LINEAR, 2, time, size}};
    for (size_t i = 0; i < ERI_COUNT(scales); ++i)
        for (int which = 0; which < 4; ++which) {
            char text[400];
            const er_clip clip = {"clip", 1.0, which == 3 ? 3 : 1, which == 3 ? channel : channel + which};
            snprintf(text, sizeof text, mirrored, scales[i]);
            assert_int_equal(er_file_write(p->own, p->again, text, strlen(text)), ER_OK);
            er_scene *scene = read_back(p, p->again);
            assert_int_equal(er_gltf_write(p->own, scene, 1, &clip, NULL, p->out), ER_OK);
            clip_reads_back(p, scene, &clip);
            er_scene_destroy(scene);
        }
}

// ---- VRM animation

// A pelvis that is turned at rest, a spine, a chest that no map has, a head with an eye, and a thumb.
static er_scene *make_human(place *p, bool turned)
{
    static const char *const roles[] = {"", "hips", "spine", "", "head", "leftEye", "leftThumbProximal"};
    static const int parents[] = {-1, 0, 1, 2, 3, 4, 3};
    er_node *node = ERI_NEW(p->arena, er_node, ERI_COUNT(roles));
    er_scene *scene = ERI_NEW(p->arena, er_scene, 1);
    for (int i = 0; i < (int)ERI_COUNT(roles); ++i)
        node[i] = (er_node){.name = eri_arena_printf(p->arena, "node %d", i),
                            .role = roles[i],
                            .parent = parents[i],
                            .local = er_affine_from_trs(er_v3(0.1 * i, 0.3, 0.05 * (i % 2)),
                                                        er_q_exp(er_v3(0.2 * i, 0.1, -0.3 * i)), er_v3(1, 1, 1)),
                            .source_index = -1};
    *scene = (er_scene){.path = "",
                        .format = ER_FORMAT_OTHER,
                        .format_name = "by hand",
                        .metres_per_unit = 1,
                        .up = {0, 1, 0},
                        .forward = {0, 0, turned ? -1 : 1},
                        .node_count = (int)ERI_COUNT(roles),
                        .node = node};
    return scene;
}

// Half a turn about Y, or none.
static er_vec3 faced(bool turned, er_vec3 v)
{
    return turned ? er_v3(-v.x, v.y, -v.z) : v;
}

static er_quat world_turn(const er_affine *world, int node)
{
    return er_q_from_m3(world[node].linear);
}

// In the world each bone of the map turns from rest as the scene's does, whatever lies between two of them; the hips go
// where the scene's go.
static void a_vrm_animation_moves_its_bones_as_the_scene_does(void **state)
{
    place *p = *state;
    static const double time[] = {-0.5, 0.25, 1.5}, turn[] = {0, 0, 0, 1, 0.48, 0.36, 0, 0.8, 0, -0.6, 0, 0.8};
    static const double shift[] = {0, 1, 0, 0.5, 1.25, -0.5, 0, 0.75, 1},
                        other[] = {0, 0, 0.6, 0.8, 0, 0, 0, 1, 1, 0, 0, 0};
    const er_channel channel[] = {
        {0, ER_PATH_TRANSLATION, ER_LINEAR, 3, time, shift}, {1, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn},
        {3, ER_PATH_ROTATION, ER_LINEAR, 3, time, other},    {4, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn},
        {5, ER_PATH_ROTATION, ER_LINEAR, 3, time, other},    {6, ER_PATH_ROTATION, ER_STEP, 3, time, other}};
    const er_clip clip = {"nod", 1.5, 6, channel};
    static const int bones[] = {1, 2, 4, 6};
    for (int turned = 0; turned < 2; ++turned) {
        const char *const names[] = {"hips", "spine", "head",
                                     turned == 1 ? "leftThumbMetacarpal" : "leftThumbProximal"};
        er_scene *scene = make_human(p, turned == 1);
        char path[160];
        snprintf(path, sizeof path, "%s/out.vrma", p->folder);
        assert_int_equal(er_vrma_write(p->own, scene, 1, &clip, &only_new, path), ER_OK);
        assert_int_equal(rename(path, p->out), 0);
        er_scene *back = read_back(p, p->out);
        glb g = glb_open(p->out);
        const json_t *map = json_object_get(json_object_get(g.root, "extensions"), "VRMC_vrm_animation");
        assert_string_equal(json_string_value(json_object_get(map, "specVersion")), "1.0");
        map = json_object_get(json_object_get(map, "humanoid"), "humanBones");
        assert_int_equal(json_object_size(map), 4);
        int to[4] = {-1, -1, -1, -1};
        for (int b = 0; b < 4; ++b)
            for (int k = 0; k < back->node_count; ++k)
                if (back->node[k].source_index == glb_number(json_object_get(map, names[b]), "node")) to[b] = k;
        assert_true(back->clip_count == 1 && fabs(back->clip[0].duration - 2.0) < 1e-6);
        er_affine local[7], rest[7], world[7], there[7];
        er_scene_sample(scene, NULL, 0.0, local);
        er_scene_world(scene, local, rest);
        er_scene_sample(back, NULL, 0.0, local);
        er_scene_world(back, local, there);
        for (int b = 0; b < 4; ++b) {
            assert_string_equal(back->node[to[b]].name, scene->node[bones[b]].name);
            assert_true(er_v3_distance(there[to[b]].translation, faced(turned == 1, rest[bones[b]].translation)) <
                        1e-6);
            assert_true(er_v3_norm(er_q_log(world_turn(there, to[b]))) < 1e-6);
        }
        for (int k = 0; k < 20; ++k) {
            double at = 0.1 * k + 0.033;
            er_scene_sample(scene, &clip, at - 0.5, local);
            er_scene_world(scene, local, world);
            er_scene_sample(back, &back->clip[0], at, local);
            er_scene_world(back, local, there);
            assert_true(er_v3_distance(there[to[0]].translation, faced(turned == 1, world[1].translation)) < 2e-5);
            for (int b = 0; b < 4; ++b) {
                er_quat d = er_q_mul(world_turn(world, bones[b]), er_q_conj(world_turn(rest, bones[b])));
                er_vec3 axis = faced(turned == 1, er_v3(d.x, d.y, d.z));
                er_quat want = er_q(d.w, axis.x, axis.y, axis.z);
                double off = er_v3_norm(er_q_log(er_q_mul(er_q_conj(want), world_turn(there, to[b]))));
                if (!(off < 3e-4)) fail_msg("%s is off by %g at %g s", names[b], off, at); // 64 lines an interval
            }
        }
        glb_close(&g);
        er_scene_destroy(back);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_read_back_as_they_were),
        TEST(turns_go_the_shorter_way),
        TEST(units_and_axes_become_a_node_above),
        TEST(weights_sum_to_one_and_joints_come_once),
        TEST(indices_are_as_narrow_as_they_may_be),
        TEST(a_scene_of_nothing_is_a_file_of_nothing),
        TEST(a_clip_of_the_source_is_written_as_it_is),
        TEST(mirrored_nodes_move_as_the_clip_says),
        TEST(a_vrm_animation_moves_its_bones_as_the_scene_does),
    };
    return cmocka_run_group_tests_name("gltf_back", tests, NULL, NULL);
}
