// The sample models, read from their files by a reader of our own: the promises of their README, recomputed here.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <eigenrig/math.h>

// ---- characters ----

enum { INFLUENCES = 4, MAX_BONES = 128 };

typedef struct vertex {
    er_vec3 position, normal;
    int bone[INFLUENCES];
    double weight[INFLUENCES];
} vertex;

typedef struct character {
    json_t *json;
    uint8_t *file;
    const uint8_t *binary;
    int vertex_count, triangle_count, bone_count;
    vertex *vertices;
    int *corner; // [3 triangle_count], vertices welded by position
} character;

static const char *const names[] = {"hand", "horse", "gnome", "fox"};
enum { HAND, HORSE, GNOME, FOX, CHARACTERS };

static uint8_t *read_file(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) fail_msg("%s cannot be opened", path);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static uint32_t word_at(const uint8_t *p)
{
    uint32_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

static int get_int(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

// The k-th number of element i of an accessor, whatever its component type.
static double component(const character *c, int accessor, int i, int k)
{
    json_t *a = json_array_get(json_object_get(c->json, "accessors"), (size_t)accessor);
    json_t *view = json_array_get(json_object_get(c->json, "bufferViews"), (size_t)get_int(a, "bufferView"));
    const char *type = json_string_value(json_object_get(a, "type"));
    int width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : type[3] - '0';
    const uint8_t *data = c->binary + get_int(view, "byteOffset");
    int kind = get_int(a, "componentType"), n = i * width + k;
    assert_in_range(i, 0, get_int(a, "count") - 1);
    if (kind == 5121) return data[n];
    if (kind == 5123) return data[2 * n] + 256 * data[2 * n + 1];
    assert_int_equal(kind, 5126);
    float f;
    memcpy(&f, data + 4 * n, sizeof f);
    return (double)f;
}

static int count_of(const character *c, int accessor)
{
    return get_int(json_array_get(json_object_get(c->json, "accessors"), (size_t)accessor), "count");
}

static er_vec3 vec_at(const character *c, int accessor, int i)
{
    return er_v3(component(c, accessor, i, 0), component(c, accessor, i, 1), component(c, accessor, i, 2));
}

static const character *sorted_character; // for qsort

static int compare_positions(const void *a, const void *b)
{
    const er_vec3 *p = &sorted_character->vertices[*(const int *)a].position;
    const er_vec3 *q = &sorted_character->vertices[*(const int *)b].position;
    return memcmp(p, q, sizeof *p);
}

static void weld(character *c)
{
    int *order = malloc((size_t)c->vertex_count * sizeof *order),
        *first = malloc((size_t)c->vertex_count * sizeof *first);
    for (int i = 0; i < c->vertex_count; ++i)
        order[i] = i;
    sorted_character = c;
    qsort(order, (size_t)c->vertex_count, sizeof *order, compare_positions);
    for (int i = 0; i < c->vertex_count; ++i)
        first[order[i]] = i > 0 && compare_positions(&order[i], &order[i - 1]) == 0 ? first[order[i - 1]] : order[i];
    for (int i = 0; i < 3 * c->triangle_count; ++i)
        c->corner[i] = first[c->corner[i]];
    free(order);
    free(first);
}

static void add_primitive(character *c, const json_t *primitive)
{
    json_t *attributes = json_object_get(primitive, "attributes");
    int position = get_int(attributes, "POSITION"), normal = get_int(attributes, "NORMAL");
    int joints = get_int(attributes, "JOINTS_0"), weights = get_int(attributes, "WEIGHTS_0");
    int indices = get_int(primitive, "indices"), count = count_of(c, position), corners = count_of(c, indices);
    c->vertices = realloc(c->vertices, (size_t)(c->vertex_count + count) * sizeof *c->vertices);
    c->corner = realloc(c->corner, (size_t)(3 * c->triangle_count + corners) * sizeof *c->corner);
    for (int i = 0; i < corners; ++i)
        c->corner[3 * c->triangle_count + i] = c->vertex_count + (int)component(c, indices, i, 0);
    for (int i = 0; i < count; ++i) {
        vertex *v = &c->vertices[c->vertex_count + i];
        v->position = vec_at(c, position, i);
        v->normal = vec_at(c, normal, i);
        for (int k = 0; k < INFLUENCES; ++k) {
            v->bone[k] = (int)component(c, joints, i, k);
            v->weight[k] = component(c, weights, i, k);
        }
    }
    c->vertex_count += count;
    c->triangle_count += corners / 3;
}

static character load(int which)
{
    character c = {0};
    char name[64];
    snprintf(name, sizeof name, "%s.glb", names[which]);
    size_t size;
    c.file = read_file(name, &size);
    assert_int_equal(word_at(c.file + 8), size);
    uint32_t text = word_at(c.file + 12);
    c.json = json_loadb((const char *)c.file + 20, text, 0, NULL);
    assert_non_null(c.json);
    c.binary = c.file + 20 + text + 8;
    json_t *mesh = json_array_get(json_object_get(c.json, "meshes"), 0), *primitive;
    size_t i;
    json_array_foreach(json_object_get(mesh, "primitives"), i, primitive) add_primitive(&c, primitive);
    json_t *skin = json_array_get(json_object_get(c.json, "skins"), 0);
    c.bone_count = (int)json_array_size(json_object_get(skin, "joints"));
    assert_in_range(c.bone_count, 1, MAX_BONES);
    weld(&c);
    return c;
}

static void unload(character *c)
{
    json_decref(c->json);
    free(c->file);
    free(c->vertices);
    free(c->corner);
}

static er_vec3 corner_position(const character *c, int corner)
{
    return c->vertices[c->corner[corner]].position;
}

// By the divergence theorem.
static double volume_of(const character *c)
{
    double sum = 0.0;
    for (int t = 0; t < c->triangle_count; ++t)
        sum += er_v3_dot(corner_position(c, 3 * t),
                         er_v3_cross(corner_position(c, 3 * t + 1), corner_position(c, 3 * t + 2))) /
               6.0;
    return sum;
}

typedef struct edge {
    int from, to;
} edge;

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(edge));
}

static void skins_are_closed_manifolds(void **state)
{
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        int count = 3 * c.triangle_count, vertices = 0;
        edge *edges = malloc((size_t)count * sizeof *edges);
        for (int i = 0; i < count; ++i)
            edges[i] = (edge){c.corner[i], c.corner[i % 3 == 2 ? i - 2 : i + 1]};
        qsort(edges, (size_t)count, sizeof *edges, compare_edges);
        for (int i = 0; i < count; ++i) {
            edge back = {edges[i].to, edges[i].from};
            assert_int_not_equal(edges[i].from, edges[i].to);
            if (i > 0) assert_int_not_equal(compare_edges(&edges[i - 1], &edges[i]), 0); // once in each direction
            assert_non_null(bsearch(&back, edges, (size_t)count, sizeof *edges, compare_edges));
            vertices += i == 0 || edges[i - 1].from != edges[i].from;
        }
        assert_int_equal(vertices - count / 2 + c.triangle_count, 2); // Euler: one sphere, no handle
        assert_in_range(c.triangle_count, 6000, 15000);
        assert_true(volume_of(&c) > 0.0); // turned outwards
        free(edges);
        unload(&c);
    }
}

static void normals_are_unit_and_agree_with_the_triangles(void **state)
{
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        for (int i = 0; i < c.vertex_count; ++i)
            assert_true(fabs(er_v3_norm(c.vertices[i].normal) - 1.0) < 1e-4); // steps of 2^-15 in each entry
        for (int t = 0; t < c.triangle_count; ++t) {
            er_vec3 a = corner_position(&c, 3 * t), b = corner_position(&c, 3 * t + 1),
                    d = corner_position(&c, 3 * t + 2);
            er_vec3 n = er_v3_cross(er_v3_sub(b, a), er_v3_sub(d, a)), mean = er_v3(0, 0, 0);
            for (int k = 0; k < 3; ++k)
                mean = er_v3_add(mean, c.vertices[c.corner[3 * t + k]].normal);
            assert_true(er_v3_dot(n, mean) > 0.0);
        }
        unload(&c);
    }
}

static void weights_sum_to_one(void **state)
{
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        for (int i = 0; i < c.vertex_count; ++i) {
            double sum = 0.0;
            for (int k = 0; k < INFLUENCES; ++k) {
                assert_true(c.vertices[i].weight[k] >= 0.0);
                assert_in_range(c.vertices[i].bone[k], 0, c.bone_count - 1);
                sum += c.vertices[i].weight[k];
            }
            assert_true(sum == 1.0); // multiples of 2^-14: exact
        }
        unload(&c);
    }
}

// Where the line through (x, y) along z crosses the triangle.   @return false when it does not
static bool crosses(er_vec3 a, er_vec3 b, er_vec3 c, double x, double y, double *z)
{
    double wa = (b.x - x) * (c.y - y) - (c.x - x) * (b.y - y), wb = (c.x - x) * (a.y - y) - (a.x - x) * (c.y - y),
           wc = (a.x - x) * (b.y - y) - (b.x - x) * (a.y - y);
    if (!((wa > 0 && wb > 0 && wc > 0) || (wa < 0 && wb < 0 && wc < 0))) return false;
    *z = (wa * a.z + wb * b.z + wc * c.z) / (wa + wb + wc);
    return true;
}

static int compare_doubles(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static int compare_heights(const void *a, const void *b)
{
    const vertex *p = *(const vertex *const *)a, *q = *(const vertex *const *)b;
    return (p->position.y > q->position.y) - (p->position.y < q->position.y);
}

// All vertices from the lowest up. To be freed.
static const vertex **by_height(const character *c)
{
    const vertex **sorted = calloc((size_t)c->vertex_count, sizeof *sorted);
    assert_non_null(sorted);
    for (int i = 0; i < c->vertex_count; ++i)
        sorted[i] = &c->vertices[i];
    qsort(sorted, (size_t)c->vertex_count, sizeof *sorted, compare_heights);
    return sorted;
}

typedef struct nearest {
    const vertex *vertex;
    double d2;
} nearest;

// Takes the vertex where it is nearer, or as near and before the other.   @return false where none beyond can be
static bool take_nearer(nearest *n, const vertex *v, er_vec3 x)
{
    er_vec3 d = er_v3_sub(v->position, x);
    if (d.y * d.y > n->d2) return false;
    double d2 = er_v3_dot(d, d);
    if (d2 < n->d2 || (d2 == n->d2 && v < n->vertex)) *n = (nearest){v, d2};
    return true;
}

// Vertices by their height: from that of x upwards, and downwards.
static const vertex *nearest_vertex(int count, const vertex *const *sorted, er_vec3 x)
{
    int middle = 0, end = count;
    while (middle < end) {
        int half = (middle + end) / 2;
        if (sorted[half]->position.y < x.y)
            middle = half + 1;
        else
            end = half;
    }
    nearest n = {NULL, HUGE_VAL};
    for (int i = middle; i < count && take_nearer(&n, sorted[i], x);)
        ++i;
    for (int i = middle - 1; i >= 0 && take_nearer(&n, sorted[i], x);)
        --i;
    return n.vertex;
}

// The triangles that reach to both sides of x, in their order.   @return how many
static int triangles_at(const character *c, double x, int *slice)
{
    int count = 0;
    for (int t = 0; t < c->triangle_count; ++t) {
        double a = corner_position(c, 3 * t).x, b = corner_position(c, 3 * t + 1).x,
               d = corner_position(c, 3 * t + 2).x;
        if (fmin(a, fmin(b, d)) <= x && x <= fmax(a, fmax(b, d))) slice[count++] = t;
    }
    return count;
}

// Points of a grid inside the skin, each given to bones by the weights of the nearest vertex.
static void every_bone_has_a_volume_of_its_own(void **state)
{
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        const vertex **sorted = by_height(&c);
        int *slice = calloc((size_t)c.triangle_count, sizeof *slice);
        assert_non_null(slice);
        double share[MAX_BONES] = {0}, total = 0.0, volume = volume_of(&c), h = cbrt(volume / 20000.0);
        er_vec3 low = c.vertices[0].position, high = low;
        for (int i = 0; i < c.vertex_count; ++i) {
            er_vec3 p = c.vertices[i].position;
            low = er_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
            high = er_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        }
        for (double x = low.x + 0.4999 * h; x < high.x; x += h) {
            int cut = triangles_at(&c, x, slice);
            for (double y = low.y + 0.4999 * h; y < high.y; y += h) {
                double hit[64];
                int hits = 0;
                for (int t = 0; t < cut; ++t)
                    if (crosses(corner_position(&c, 3 * slice[t]), corner_position(&c, 3 * slice[t] + 1),
                                corner_position(&c, 3 * slice[t] + 2), x, y, &hit[hits]) &&
                        hits < 63)
                        ++hits;
                assert_int_equal(hits % 2, 0);
                qsort(hit, (size_t)hits, sizeof *hit, compare_doubles);
                for (int i = 0; i + 1 < hits; i += 2)
                    for (double z = low.z + h * ceil((hit[i] - low.z) / h); z < hit[i + 1]; z += h) {
                        const vertex *v = nearest_vertex(c.vertex_count, sorted, er_v3(x, y, z));
                        for (int k = 0; k < INFLUENCES; ++k)
                            share[v->bone[k]] += v->weight[k] * h * h * h;
                        total += h * h * h;
                    }
            }
        }
        assert_true(fabs(total - volume) < 0.01 * volume); // measured: below 0.002
        for (int b = 0; b < c.bone_count; ++b)
            if (!(share[b] > 1e-5 * volume))
                fail_msg("%s: bone %d has %g of the volume", names[which], b, share[b] / volume);
        free(slice);
        free(sorted);
        unload(&c);
    }
}

static er_quat quat_of(const json_t *array) // glTF order x, y, z, w
{
    double q[4];
    for (size_t i = 0; i < 4; ++i)
        q[i] = json_number_value(json_array_get(array, i));
    return er_q(q[3], q[0], q[1], q[2]);
}

static er_vec3 vec_of(const json_t *array)
{
    return er_v3(json_number_value(json_array_get(array, 0)), json_number_value(json_array_get(array, 1)),
                 json_number_value(json_array_get(array, 2)));
}

static void place_children(const character *c, int node, er_pose parent, er_pose *world)
{
    json_t *n = json_array_get(json_object_get(c->json, "nodes"), (size_t)node), *child;
    er_pose local = {quat_of(json_object_get(n, "rotation")), vec_of(json_object_get(n, "translation"))};
    world[node] = er_pose_mul(parent, local);
    size_t i;
    json_array_foreach(json_object_get(n, "children"), i, child)
        place_children(c, (int)json_integer_value(child), world[node], world);
}

static void rest_pose_is_bind_pose(void **state)
{
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        er_pose world[MAX_BONES];
        place_children(&c, 0, er_pose_identity(), world);
        int matrices = get_int(json_array_get(json_object_get(c.json, "skins"), 0), "inverseBindMatrices");
        for (int b = 0; b < c.bone_count; ++b) {
            er_mat3 r = er_m3_from_q(world[b].q), bind;
            er_vec3 shift;
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    bind.m[row][column] = component(&c, matrices, b, 4 * column + row);
            shift =
                er_v3(component(&c, matrices, b, 12), component(&c, matrices, b, 13), component(&c, matrices, b, 14));
            er_mat3 product = er_m3_mul(r, bind);
            er_vec3 rest = er_v3_add(er_m3_mul_v(r, shift), world[b].p);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    assert_true(fabs(product.m[i][j] - (i == j)) < 2e-6); // the decimals of the rotations down the tree
            assert_true(er_v3_norm(rest) < 2e-6);
        }
        unload(&c);
    }
}

// Highest and lowest vertex within `reach` of the line z along y.
static void extent(const character *c, double z, double reach, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < c->vertex_count; ++i) {
        er_vec3 p = c->vertices[i].position;
        if (fabs(p.z - z) > reach) continue;
        *low = fmin(*low, p.y);
        *high = fmax(*high, p.y);
    }
}

static void characters_stand_on_the_ground_at_their_size(void **state)
{
    double low, high;
    for (int which = 0; which < CHARACTERS; ++which) {
        character c = load(which);
        extent(&c, 0.0, 100.0, &low, &high);
        assert_true(fabs(low) < 0.001 * high);
        if (which == GNOME) assert_true(fabs(high - 0.9) < 0.01);
        if (which == HAND) assert_true(fabs(high - 0.065 - 0.19) < 0.004); // above the wrist
        if (which == HORSE) {
            extent(&c, 0.38, 0.05, &low, &high); // the withers
            assert_true(fabs(high - 1.6) < 0.02);
        }
        if (which == FOX) {
            extent(&c, 0.08, 0.02, &low, &high);
            assert_true(fabs(high - 0.41) < 0.01);
        }
        unload(&c);
    }
}

// ---- clips ----

typedef struct clip_case {
    int character;
    const char *name;
    double seconds;
} clip_case;

static const clip_case clips[] = {{GNOME, "idle", 4.0}, {FOX, "run", 0.5}, {FOX, "idle", 4.0}};
enum { CLIPS = sizeof clips / sizeof clips[0], RUN = 1 };

static json_t *clip_named(const character *c, const char *name)
{
    json_t *clip;
    size_t i;
    json_array_foreach(json_object_get(c->json, "animations"), i, clip)
    {
        if (strcmp(json_string_value(json_object_get(clip, "name")), name) == 0) return clip;
    }
    fail_msg("no clip %s", name);
    return NULL;
}

// Each key's rotation has unit length; everything that has keys moves, and ends as it began.
static void clips_loop(void **state)
{
    for (int which = 0; which < CLIPS; ++which) {
        character c = load(clips[which].character);
        json_t *clip = clip_named(&c, clips[which].name), *channel;
        size_t i;
        json_array_foreach(json_object_get(clip, "channels"), i, channel)
        {
            json_t *sampler = json_array_get(json_object_get(clip, "samplers"), (size_t)get_int(channel, "sampler"));
            bool turns =
                strcmp(json_string_value(json_object_get(json_object_get(channel, "target"), "path")), "rotation") == 0;
            int input = get_int(sampler, "input"), output = get_int(sampler, "output"), width = turns ? 4 : 3;
            int keys = count_of(&c, output);
            assert_int_equal(count_of(&c, input), keys);
            assert_true(component(&c, input, keys - 1, 0) == clips[which].seconds);
            double swing = 0.0;
            for (int k = 0; k < keys; ++k) {
                double norm = 0.0;
                for (int j = 0; j < width; ++j) {
                    norm += pow(component(&c, output, k, j), 2.0);
                    swing = fmax(swing, fabs(component(&c, output, k, j) - component(&c, output, 0, j)));
                }
                assert_true(!turns || fabs(norm - 1.0) < 1e-6);
            }
            assert_true(swing > (turns ? 0.005 : 0.002));
            for (int j = 0; j < width; ++j)
                assert_true(component(&c, output, keys - 1, j) == component(&c, output, 0, j));
        }
        unload(&c);
    }
}

static int bone_named(const character *c, const char *name)
{
    json_t *node;
    size_t i;
    json_array_foreach(json_object_get(c->json, "nodes"), i, node)
    {
        if (strcmp(json_string_value(json_object_get(node, "name")), name) == 0) return (int)i;
    }
    fail_msg("no bone %s", name);
    return -1;
}

// Bones in the world half way between two keys, or at one: `at` counts keys.
static void pose_at(const character *c, const json_t *clip, double at, er_pose *world)
{
    json_t *nodes = json_object_get(c->json, "nodes"), *posed = json_deep_copy(nodes), *channel;
    int key = (int)at;
    double u = at - key;
    size_t i;
    json_array_foreach(json_object_get(clip, "channels"), i, channel)
    {
        json_t *sampler = json_array_get(json_object_get(clip, "samplers"), (size_t)get_int(channel, "sampler"));
        json_t *target = json_object_get(channel, "target"), *value = json_array();
        const char *path = json_string_value(json_object_get(target, "path"));
        int output = get_int(sampler, "output"), width = strcmp(path, "rotation") == 0 ? 4 : 3;
        double entry[4], norm = 0.0;
        for (int j = 0; j < width; ++j) {
            entry[j] = component(c, output, key, j);
            if (u > 0.0) entry[j] += u * (component(c, output, key + 1, j) - entry[j]);
            norm += entry[j] * entry[j];
        }
        for (int j = 0; j < width; ++j)
            json_array_append_new(value, json_real(width == 4 ? entry[j] / sqrt(norm) : entry[j]));
        json_object_set_new(json_array_get(posed, (size_t)get_int(target, "node")), path, value);
    }
    character there = *c;
    there.json = json_pack("{s:o}", "nodes", posed);
    place_children(&there, 0, er_pose_identity(), world);
    json_decref(there.json);
}

// The height of the lowest point that the bone moves most of.
static double lowest_of(const character *c, const er_pose *rest, const er_pose *world, int bone)
{
    double lowest = HUGE_VAL;
    for (int i = 0; i < c->vertex_count; ++i) {
        const vertex *v = &c->vertices[i];
        if (v->bone[0] != bone) continue;
        er_vec3 p = er_v3(0, 0, 0);
        for (int k = 0; k < INFLUENCES; ++k)
            p = er_v3_madd(p, v->weight[k],
                           er_pose_point(world[v->bone[k]], er_pose_point_inverse(rest[v->bone[k]], v->position)));
        lowest = fmin(lowest, p.y);
    }
    return lowest;
}

// A rotary gallop: left and right hind foot, right and left front foot, and after each pair a flight. Feet on the
// ground go with it, and the head is carried steadily.
static void the_fox_gallops(void **state)
{
    static const char *const foot[4] = {"left_hind_toes", "right_hind_toes", "right_front_toes", "left_front_toes"};
    enum { STEPS = 64 }; // two for a key
    character c = load(FOX);
    json_t *clip = clip_named(&c, "run");
    er_pose rest[MAX_BONES], world[MAX_BONES];
    place_children(&c, 0, er_pose_identity(), rest);
    bool down[STEPS][4];
    double head_low = HUGE_VAL, head_high = 0.0, z[STEPS][4];
    for (int i = 0; i < STEPS; ++i) {
        pose_at(&c, clip, 0.5 * i, world);
        for (int k = 0; k < 4; ++k) {
            int bone = bone_named(&c, foot[k]);
            double height = lowest_of(&c, rest, world, bone);
            assert_true(height > -0.005); // lower between keys, where bones turn straight on, than at them
            down[i][k] = height < 0.004;
            z[i][k] = er_pose_point(world[bone], er_v3(0, 0.038, 0)).z; // the toes' tip
        }
        double height = world[bone_named(&c, "head")].p.y;
        head_low = fmin(head_low, height);
        head_high = fmax(head_high, height);
    }
    assert_true(head_high - head_low < 0.04);
    int flights = 0, touchdown[4] = {-1, -1, -1, -1};
    for (int i = 0; i < STEPS; ++i) {
        int before = (i + STEPS - 1) % STEPS, standing = 0, stood = 0;
        for (int k = 0; k < 4; ++k) {
            standing += down[i][k];
            stood += down[before][k];
            if (down[i][k] && !down[before][k]) {
                assert_int_equal(touchdown[k], -1); // once a stride
                touchdown[k] = i;
            }
            // at 3.2 m/s, in 1/128 s; as the toes roll their tip goes on by up to 1 mm; between two keys they may just
            // land
            if (down[i][k] && down[before][k] && down[(i + STEPS - 2) % STEPS][k])
                assert_true(fabs(z[before][k] - z[i][k] - 3.2 / 128.0) < 0.002);
        }
        flights += standing == 0 && stood > 0;
    }
    assert_int_equal(flights, 2);
    for (int k = 0; k < 4; ++k) {
        assert_true(touchdown[k] >= 0);
        if (k > 0)
            assert_true((touchdown[k] - touchdown[0] + STEPS) % STEPS >
                        (touchdown[k - 1] - touchdown[0] + STEPS) % STEPS);
    }
    unload(&c);
}

// ---- rigs ----

typedef struct rig_case {
    const char *file, *type;
    int bodies, joints, freedom; // freedom: dimension of the null space of the constraints
} rig_case;

static const rig_case rigs[] = {
    // a planar loop of n bodies: 6 n - 5 n + 3, since three of the constraints repeat what the others say
    {"loop_4.json", "revolute", 4, 4, 7},
    {"loop_9.json", "revolute", 9, 9, 12},
    {"loop_8_asymmetric.json", "revolute", 8, 8, 11},
    {"loop_16.json", "revolute", 16, 16, 19},
    {"chain_20.json", "spherical", 20, 20, 60},
    {"four_bar.json", "revolute", 3, 4, 1},
};
enum { RIGS = sizeof rigs / sizeof rigs[0], MAX_BODIES = 20 };

typedef struct rig {
    json_t *json;
    er_pose body[MAX_BODIES];
    double mass[MAX_BODIES], length[MAX_BODIES];
} rig;

static er_pose rig_pose(const json_t *object)
{
    json_t *q = json_object_get(object, "orientation");
    double w[4];
    for (size_t i = 0; i < 4; ++i)
        w[i] = json_number_value(json_array_get(q, i));
    return (er_pose){er_q(w[0], w[1], w[2], w[3]), vec_of(json_object_get(object, "position"))};
}

static rig load_rig(const rig_case *expected)
{
    rig r = {0};
    size_t size;
    uint8_t *text = read_file(expected->file, &size);
    r.json = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(r.json);
    assert_string_equal(json_string_value(json_object_get(r.json, "format")), "eigenrig-rig");
    assert_int_equal(get_int(r.json, "version"), 1);
    json_t *bodies = json_object_get(r.json, "bodies"), *body;
    assert_int_equal(json_array_size(bodies), expected->bodies);
    assert_int_equal(json_array_size(json_object_get(r.json, "joints")), expected->joints);
    size_t i;
    json_array_foreach(bodies, i, body)
    {
        r.body[i] = rig_pose(body);
        r.mass[i] = json_number_value(json_object_get(body, "mass"));
        r.length[i] = 2.0 * vec_of(json_object_get(body, "com")).x;
    }
    return r;
}

static void bars_are_uniform_boxes(void **state)
{
    for (int k = 0; k < RIGS; ++k) {
        rig r = load_rig(&rigs[k]);
        json_t *body;
        size_t i;
        json_array_foreach(json_object_get(r.json, "bodies"), i, body)
        {
            double inertia[3];
            for (size_t j = 0; j < 3; ++j)
                inertia[j] = vec_of(json_array_get(json_object_get(body, "inertia"), j)).x;
            inertia[1] = vec_of(json_array_get(json_object_get(body, "inertia"), 1)).y;
            inertia[2] = vec_of(json_array_get(json_object_get(body, "inertia"), 2)).z;
            double width2 = 6.0 * inertia[0] / r.mass[i]; // Ix = m (w^2 + w^2) / 12
            double across = r.mass[i] * (r.length[i] * r.length[i] + width2) / 12.0;
            assert_true(r.mass[i] > 0.0 && width2 > 0.0 && width2 < 0.05 * r.length[i] * r.length[i]);
            assert_true(fabs(inertia[1] - across) < 1e-14 && fabs(inertia[2] - across) < 1e-14);
        }
        json_decref(r.json);
    }
}

// A joint sits at an end of each body that it joins, and only the last one of a mechanism with a loop closes it.
static void joints_meet_the_ends_of_their_bars(void **state)
{
    for (int k = 0; k < RIGS; ++k) {
        rig r = load_rig(&rigs[k]);
        json_t *joint;
        size_t i;
        json_array_foreach(json_object_get(r.json, "joints"), i, joint)
        {
            er_vec3 p = vec_of(json_object_get(joint, "position"));
            int ends[2] = {get_int(joint, "parent"), get_int(joint, "child")};
            assert_in_range(ends[1], 0, rigs[k].bodies - 1);
            for (int j = 0; j < 2; ++j) {
                if (ends[j] == -1) continue;
                er_pose b = r.body[ends[j]];
                er_vec3 tail = er_pose_point(b, er_v3(r.length[ends[j]], 0, 0));
                assert_true(fmin(er_v3_distance(p, b.p), er_v3_distance(p, tail)) < 1e-15);
            }
            bool last = (int)i == rigs[k].joints - 1, loop = strcmp(rigs[k].file, "chain_20.json") != 0;
            assert_int_equal(json_is_true(json_object_get(joint, "closes_loop")), last && loop);
            assert_string_equal(json_string_value(json_object_get(joint, "type")), rigs[k].type);
            assert_true(json_is_null(json_object_get(joint, "limits")));
            assert_true(json_number_value(json_array_get(json_object_get(joint, "stiffness"), 0)) > 0.0);
        }
        json_decref(r.json);
    }
}

enum { MAX_ROWS = 100, MAX_COLUMNS = 6 * MAX_BODIES };

// The change of coordinate `row` of the joint's frame by a unit velocity of a body's frame.
static double constraint_entry(er_pose joint, er_pose body, int row, int column)
{
    double unit[6] = {0};
    unit[column] = 1.0;
    er_twist v = {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}};
    er_twist at_joint = er_twist_transform(er_pose_mul(er_pose_inverse(joint), body), v);
    double out[6] = {at_joint.angular.x, at_joint.angular.y, at_joint.angular.z,
                     at_joint.linear.x,  at_joint.linear.y,  at_joint.linear.z};
    return out[row];
}

// Rank by elimination with full pivoting.
static int rank_of(double (*g)[MAX_COLUMNS], int rows, int columns)
{
    int rank = 0;
    for (; rank < rows && rank < columns; ++rank) {
        int pr = rank, pc = rank;
        for (int i = rank; i < rows; ++i)
            for (int j = rank; j < columns; ++j)
                if (fabs(g[i][j]) > fabs(g[pr][pc])) {
                    pr = i;
                    pc = j;
                }
        if (fabs(g[pr][pc]) < 1e-10) break; // entries are of order 1; what is zero comes out below 1e-15
        for (int j = 0; j < columns; ++j) {
            double t = g[rank][j];
            g[rank][j] = g[pr][j];
            g[pr][j] = t;
        }
        for (int i = 0; i < rows; ++i) {
            double t = g[i][rank];
            g[i][rank] = g[i][pc];
            g[i][pc] = t;
        }
        for (int i = rank + 1; i < rows; ++i) {
            double f = g[i][rank] / g[rank][rank];
            for (int j = rank; j < columns; ++j)
                g[i][j] -= f * g[rank][j];
        }
    }
    return rank;
}

static void rigs_have_the_freedom_of_their_kind(void **state)
{
    static double g[MAX_ROWS][MAX_COLUMNS];
    for (int k = 0; k < RIGS; ++k) {
        rig r = load_rig(&rigs[k]);
        memset(g, 0, sizeof g);
        bool spherical = strcmp(rigs[k].type, "spherical") == 0;
        int rows = 0;
        json_t *joint;
        size_t i;
        json_array_foreach(json_object_get(r.json, "joints"), i, joint)
        {
            er_pose frame = rig_pose(joint);
            int parent = get_int(joint, "parent"), child = get_int(joint, "child");
            for (int row = 0; row < 6; ++row) {
                if (row == 2 || (spherical && row < 3)) continue; // the free rotations
                for (int column = 0; column < 6; ++column) {
                    g[rows][6 * child + column] += constraint_entry(frame, r.body[child], row, column);
                    if (parent >= 0)
                        g[rows][6 * parent + column] -= constraint_entry(frame, r.body[parent], row, column);
                }
                ++rows;
            }
        }
        assert_int_equal(6 * rigs[k].bodies - rank_of(g, rows, 6 * rigs[k].bodies), rigs[k].freedom);
        json_decref(r.json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_are_closed_manifolds),
        cmocka_unit_test(normals_are_unit_and_agree_with_the_triangles),
        cmocka_unit_test(weights_sum_to_one),
        cmocka_unit_test(every_bone_has_a_volume_of_its_own),
        cmocka_unit_test(rest_pose_is_bind_pose),
        cmocka_unit_test(characters_stand_on_the_ground_at_their_size),
        cmocka_unit_test(clips_loop),
        cmocka_unit_test(the_fox_gallops),
        cmocka_unit_test(bars_are_uniform_boxes),
        cmocka_unit_test(joints_meet_the_ends_of_their_bars),
        cmocka_unit_test(rigs_have_the_freedom_of_their_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
