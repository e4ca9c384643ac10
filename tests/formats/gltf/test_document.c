// The contents of files of er_gltf_write(): views and accessors, names, sources made by hand, and what a document
// keeps.
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <sys/stat.h>

#include "../bytes.h"
#include "formats/gltf/gltf_document.h"
#include "formats/gltf/uri.h"
#include "glb.h"
#include "scene/scene_source.h"
#include "scenes.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/pieces.h"
#include "support/place.h"

static int open_place(void **state)
{
    return place_open(state, "out.glb", "out.gltf", "beside.glb");
}

static glb written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_gltf_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return glb_open(p->out);
}

// --- views and accessors

// Not shared are a mesh alone and with another, nor one that is rigid and one with a skin, though all follow its
// joints.
static void what_is_drawn_otherwise_is_not_shared(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    for (int i = 0; i < 4; ++i)
        hand_node(&h, "node", i < 3 ? i - 1 : -1, hand_at(0, 1, 0));
    for (int m = 0; m < 2; ++m) {
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1 + m, 1), 0);
    }
    hand_skin(&h, "skin", 1, (const int[]){0});
    hand_skin(&h, "of nothing", 0, NULL);
    hand_draw(&h, 0, 0, -1);
    hand_draw(&h, 1, 0, -1);
    hand_draw(&h, 1, 1, -1);
    hand_draw(&h, 2, 0, 0);
    h.mesh[2] = h.mesh[0];
    h.mesh[2].influence_start = NULL; // all unweighted
    h.scene.mesh_count = 3;
    hand_draw(&h, 3, 2, 1);
    glb g = written(p, &h.scene, 0, NULL);
    static const size_t primitives[4] = {1, 2, 1, 1};
    static const bool joints[4] = {false, false, true, true};
    assert_int_equal(json_array_size(json_object_get(g.root, "meshes")), 4);
    for (int i = 0; i < 4; ++i) {
        const json_t *list = json_object_get(glb_element(&g, "meshes", i), "primitives");
        const json_t *attributes = json_object_get(json_array_get(list, 0), "attributes");
        assert_int_equal(json_array_size(list), primitives[i]);
        assert_int_equal(json_object_get(attributes, "JOINTS_0") != NULL, joints[i]);
    }
    const json_t *lone = json_object_get(glb_element(&g, "skins", 1), "joints");
    assert_true(json_array_size(lone) == 1 && json_integer_value(json_array_get(lone, 0)) == 3);
    assert_int_equal(json_array_size(json_object_get(g.root, "nodes")), 4 + 2); // none above: no skin spans two roots
    glb_close(&g);
}

// --- influences

// A mesh of one triangle, all of its vertices following the first `count` joints of a skin from `first` on.
static er_scene *followers(place *p, int count, int first, int joints, bool alike)
{
    er_scene *scene = empty_scene(p->arena, 1.0, er_v3(0, 1, 0));
    er_node *node = ERI_NEW(p->arena, er_node, joints + 1);
    int *joint = ERI_NEW(p->arena, int, joints), *start = ERI_NEW(p->arena, int, 4);
    er_affine *inverse = ERI_NEW(p->arena, er_affine, joints);
    for (int i = 0; i <= joints; ++i)
        node[i] = (er_node){.name = "n", .parent = i - 1, .local = er_affine_identity(), .source_index = -1};
    for (int i = 0; i < joints; ++i) {
        joint[i] = i;
        inverse[i] = er_affine_identity();
    }
    int *follows = ERI_NEW(p->arena, int, 3 * count);
    float *weight = ERI_NEW(p->arena, float, 3 * count);
    double sum = 0.5 * count * (count + 1);
    for (int v = 0; v < 3; ++v) {
        start[v + 1] = start[v] + count;
        for (int k = 0; k < count; ++k) { // some strong, some weak, in no order
            follows[start[v] + k] = first + k;
            weight[start[v] + k] = alike ? 1.0f / (float)count : (float)((1 + (k * 7 + v) % count) / sum);
        }
    }
    const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int index[3] = {0, 1, 2};
    const er_mesh mesh = {.name = "mesh",
                          .vertex_count = 3,
                          .triangle_count = 1,
                          .position = COPY(p->arena, corner),
                          .index = COPY(p->arena, index),
                          .material = -1,
                          .influence_start = start,
                          .influence_joint = follows,
                          .influence_weight = weight};
    const er_skin skin = {"skin", joints, joint, inverse};
    const er_instance instance = {joints, 0, 0};
    scene->node = node;
    scene->node_count = joints + 1;
    scene->mesh = copy(p->arena, &mesh, sizeof mesh);
    scene->skin = copy(p->arena, &skin, sizeof skin);
    scene->instance = copy(p->arena, &instance, sizeof instance);
    scene->mesh_count = scene->skin_count = scene->instance_count = 1;
    return scene;
}

static bool ranks_above(const er_mesh *mesh, int vertex, int n, int k)
{
    const float *w = mesh->influence_weight + mesh->influence_start[vertex];
    return w[n] > w[k] || (w[n] == w[k] && n < k);
}

// Sets of four, a second one from five on; the eight strongest at most, the strongest first, and shares of these.
// Joints take a byte as long as they may.
static void the_strongest_influences_are_kept_in_order(void **state)
{
    place *p = *state;
    static const struct {
        int count, first, joints;
        bool alike; // then the first count for more
    } cases[] = {{1, 0, 3, false},   {4, 0, 8, false},     {5, 0, 8, false},     {8, 1, 20, false}, {9, 2, 20, false},
                 {13, 0, 20, false}, {3, 253, 300, false}, {3, 254, 300, false}, {5, 0, 8, true},   {12, 0, 20, true}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const er_scene *scene = followers(p, cases[i].count, cases[i].first, cases[i].joints, cases[i].alike);
        const er_mesh *mesh = scene->mesh;
        glb g = written(p, scene, 0, NULL);
        const json_t *primitive = json_array_get(json_object_get(glb_element(&g, "meshes", 0), "primitives"), 0);
        const json_t *attributes = json_object_get(primitive, "attributes");
        int kept = cases[i].count < 8 ? cases[i].count : 8, sets = cases[i].count > 4 ? 2 : 1;
        assert_int_equal(json_object_get(attributes, "JOINTS_1") != NULL, sets == 2);
        assert_int_equal(json_object_get(attributes, "WEIGHTS_1") != NULL, sets == 2);
        int highest = cases[i].first + cases[i].count - 1;
        int64_t type = glb_number(glb_element(&g, "accessors", glb_number(attributes, "JOINTS_0")), "componentType");
        assert_int_equal(type, highest > 255 ? 5123 : 5121);
        for (int v = 0; v < 3; ++v) {
            double all = 0.0;
            for (int k = 0; k < cases[i].count; ++k) { // by rank
                double w = (double)mesh->influence_weight[mesh->influence_start[v] + k];
                int stronger = 0;
                for (int n = 0; n < cases[i].count; ++n)
                    stronger += ranks_above(mesh, v, n, k);
                if (stronger < kept) all += w;
            }
            for (int k = 0; k < cases[i].count; ++k) {
                double w = (double)mesh->influence_weight[mesh->influence_start[v] + k];
                int rank = 0;
                for (int n = 0; n < cases[i].count; ++n)
                    rank += ranks_above(mesh, v, n, k);
                if (rank >= kept) continue;
                const char *const names[2][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
                int64_t stored;
                const uint8_t *j = glb_accessed(&g, glb_number(attributes, names[rank / 4][0]), (size_t)v, &stored);
                int joint = stored == 5123 ? j[2 * (rank % 4)] + 256 * j[2 * (rank % 4) + 1] : j[rank % 4];
                float share[4];
                memcpy(share, glb_accessed(&g, glb_number(attributes, names[rank / 4][1]), (size_t)v, &stored),
                       sizeof share);
                assert_int_equal(joint, cases[i].first + k);
                assert_true(fabs((double)share[rank % 4] - w / all) < 2e-7);
            }
        }
        glb_close(&g);
    }
}

static void more_joints_than_gltf_counts_are_refused(void **state)
{
    place *p = *state;
    er_scene *scene = followers(p, 1, 0, 1, false);
    int *joint = ERI_NEW(p->arena, int, 65537);
    er_affine *inverse = ERI_NEW(p->arena, er_affine, 65537);
    const er_skin skin = {"skin", 65537, joint, inverse};
    for (int i = 0; i < 65537; ++i)
        inverse[i] = er_affine_identity();
    scene->skin = &skin;
    ((int *)(uintptr_t)scene->mesh->influence_joint)[1] = 65536;
    assert_refused(p, er_gltf_write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "65536");
}

// --- what stands above

// The joints of a skin must meet in one node, that of its unweighted vertices too; else one is put above all.
static void a_node_stands_above_where_a_skin_spans_roots(void **state)
{
    place *p = *state;
    static const struct {
        int second, drawn; // the nodes of the skin's second joint, and of what draws it
        bool unweighted, rigid, above;
    } cases[] = {{1, 3, false, false, false}, {2, 3, false, false, true}, {1, 3, true, false, true},
                 {1, 1, true, false, false},  {1, 3, true, true, false},  {1, 0, true, false, false}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        hand_init(&h);
        for (int n = 0; n < 4; ++n)
            hand_node(&h, "node", n == 1 ? 0 : -1, hand_at(0, n, 0));
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(0, 1, 0), er_v3(1, 2, 1), cases[i].unweighted ? -1 : 1);
        hand_skin(&h, "skin", 2, (const int[]){0, cases[i].second});
        hand_draw(&h, cases[i].drawn, 0, cases[i].rigid ? -1 : 0);
        if (cases[i].rigid) h.mesh[0].influence_start = NULL;
        glb g = written(p, &h.scene, 0, NULL);
        const json_t *roots = json_object_get(json_array_get(json_object_get(g.root, "scenes"), 0), "nodes");
        const json_t *top = glb_element(&g, "nodes", json_integer_value(json_array_get(roots, 0)));
        const char *name = glb_text(top, "name");
        if ((strcmp(name, "eigenrig units") == 0) != cases[i].above) fail_msg("case %zu: \"%s\" is a root", i, name);
        assert_int_equal(json_array_size(roots), (cases[i].above ? 1 : 3) + (cases[i].rigid ? 0 : 1)); // and what draws
        glb_close(&g);
    }
}

// Transforms are told by their parts, each only where it is not that of nothing; by a matrix where they have shear.
static void nodes_have_the_members_that_they_need(void **state)
{
    place *p = *state;
    static const double third = 1.0 / 3.0;
    hand h;
    hand_init(&h);
    for (int k = 0; k < 3; ++k) {
        double at[3] = {0}, turn[3] = {0}, size[3] = {1, 1, 1};
        at[k] = third, turn[k] = 0.5, size[k] = 1.1;
        hand_node(&h, "moved", -1, hand_at(at[0], at[1], at[2]));
        hand_node(&h, "turned", -1, hand_turned(er_v3(0, 0, 0), er_v3(turn[0], turn[1], turn[2]), er_v3(1, 1, 1)));
        hand_node(&h, "sized", -1, hand_turned(er_v3(0, 0, 0), er_v3(0, 0, 0), er_v3(size[0], size[1], size[2])));
    }
    hand_node(&h, "", -1, hand_at(0, 0, 0));
    er_affine sheared = hand_at(1, 2, 3);
    sheared.linear.m[0][1] = third;
    hand_node(&h, "sheared", -1, sheared);
    sheared.linear.m[0][1] = 0.9e-6; // within what floats leave
    hand_node(&h, "nearly", -1, sheared);
    sheared.linear.m[0][1] = 4e-6;
    hand_node(&h, "sheared", -1, sheared);
    glb g = written(p, &h.scene, 0, NULL);
    static const char *const members[] = {"translation", "rotation", "scale"};
    for (int i = 0; i < 9; ++i) {
        const json_t *node = glb_element(&g, "nodes", i), *numbers = json_object_get(node, members[i % 3]);
        assert_int_equal(json_object_size(node), 2); // its name too
        assert_int_equal(json_array_size(numbers), i % 3 == 1 ? 4 : 3);
        double got = json_number_value(json_array_get(numbers, (size_t)(i / 3)));
        if (i % 3 == 0) assert_true(got == third); // to the last bit
        if (i % 3 == 1) assert_true(fabs(got - sin(0.25)) < 1e-15);
        if (i % 3 == 2) assert_true(got == 1.1);
        if (i % 3 == 1) assert_true(fabs(json_number_value(json_array_get(numbers, 3)) - cos(0.25)) < 1e-15);
    }
    assert_int_equal(json_object_size(glb_element(&g, "nodes", 9)), 0);
    const json_t *matrix = json_object_get(glb_element(&g, "nodes", 10), "matrix");
    static const double wanted[16] = {1, 0, 0, 0, 1.0 / 3.0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1};
    assert_int_equal(json_array_size(matrix), 16);
    for (size_t k = 0; k < 16; ++k)
        assert_true(json_number_value(json_array_get(matrix, k)) == wanted[k]);
    assert_null(json_object_get(glb_element(&g, "nodes", 11), "matrix"));
    assert_non_null(json_object_get(glb_element(&g, "nodes", 12), "matrix"));
    glb_close(&g);
}

// --- materials

static void expect_numbers(const json_t *object, const char *key, int count, const float *want)
{
    const json_t *array = json_object_get(object, key);
    assert_int_equal(json_array_size(array), count);
    for (int i = 0; i < count; ++i)
        assert_true((float)json_number_value(json_array_get(array, (size_t)i)) == want[i]);
}

static void materials_have_all_their_members(void **state)
{
    place *p = *state;
    static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
    static const float cutoffs[3] = {0.25f, -1.0f, 2.0f}, cut[3] = {0.25f, 0.0f, 1.0f};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            er_scene *scene = make_scene(p->arena, "strip");
            er_material *m = (er_material *)(uintptr_t)scene->material;
            m->alpha_mode = (er_alpha_mode[]){ER_ALPHA_OPAQUE, ER_ALPHA_MASK, ER_ALPHA_BLEND}[i];
            m->alpha_cutoff = cutoffs[k];
            m->double_sided = k == 1;
            m->emissive[1] = 0.75f;
            m->base_color_image = k == 0 ? -1 : 0;
            m->normal_image = k == 1 ? -1 : 0;
            m->emissive_image = k == 2 ? -1 : 0;
            glb g = written(p, scene, 0, NULL);
            const json_t *material = glb_element(&g, "materials", 0),
                         *pbr = json_object_get(material, "pbrMetallicRoughness");
            expect_numbers(pbr, "baseColorFactor", 4, m->base_color);
            expect_numbers(material, "emissiveFactor", 3, m->emissive);
            assert_true((float)json_number_value(json_object_get(pbr, "metallicFactor")) == m->metallic);
            assert_true((float)json_number_value(json_object_get(pbr, "roughnessFactor")) == m->roughness);
            assert_string_equal(glb_text(material, "alphaMode"), modes[i]);
            const json_t *cutoff = json_object_get(material, "alphaCutoff");
            assert_int_equal(cutoff != NULL, i == 1);
            if (i == 1) assert_true((float)json_number_value(cutoff) == cut[k]);
            assert_int_equal(json_is_true(json_object_get(material, "doubleSided")), k == 1);
            assert_int_equal(json_object_get(pbr, "baseColorTexture") != NULL, k != 0);
            assert_int_equal(json_object_get(material, "normalTexture") != NULL, k != 1);
            assert_int_equal(json_object_get(material, "emissiveTexture") != NULL, k != 2);
            assert_int_equal(json_array_size(json_object_get(g.root, "textures")), 1);
            glb_close(&g);
        }
}

// As a .glb.
static void a_dash_is_standard_output(void **state)
{
    place *p = *state;
    assert_goes_to_standard_output(p, er_gltf_write, make_scene(p->arena, "strip"), p->out);
}

// --- documents

// RFC 4648, 10; and every letter.
static void bytes_become_base64(void **state)
{
    place *p = *state;
    static const char *const known[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char want[120];
    for (size_t i = 0; i < ERI_COUNT(known); ++i) {
        snprintf(want, sizeof want, "data:a/b;base64,%s", known[i][1]);
        assert_string_equal(eri_uri_from_bytes(p->arena, "a/b", (const uint8_t *)known[i][0], strlen(known[i][0])),
                            want);
    }
    uint8_t all[48];
    for (unsigned i = 0; i < 16; ++i) { // 0 to 63 as six bits each
        unsigned group = (4 * i) << 18 | (4 * i + 1) << 12 | (4 * i + 2) << 6 | (4 * i + 3);
        all[3 * i] = (uint8_t)(group >> 16), all[3 * i + 1] = (uint8_t)(group >> 8), all[3 * i + 2] = (uint8_t)group;
    }
    snprintf(want, sizeof want, "data:;base64,%s", letters);
    assert_string_equal(eri_uri_from_bytes(p->arena, "", all, sizeof all), want);
}

static void a_document_keeps_its_first_failure(void **state)
{
    place *p = *state;
    for (int kind = 0; kind < 5; ++kind) {
        eri_gltf_document d;
        size_t offset = 0;
        eri_gltf_start(&d, p->arena, p->out, true);
        assert_true(d.buffer == -1 && d.bin);
        json_object_set_new(d.root, "nodes", json_integer(7));
        if (kind == 0) eri_gltf_fail(&d, ER_ERROR_ARGUMENT, "it is %d", 7);
        if (kind == 1) assert_null(eri_gltf_list(&d, d.root, "nodes"));
        if (kind == 2) eri_gltf_put_numbers(&d, d.root, "one", (const double[]){1, HUGE_VAL}, 2);
        if (kind == 3) assert_null(eri_gltf_add_bytes(&d, SIZE_MAX - 2, &offset));
        if (kind == 4) {
            assert_non_null(eri_gltf_add_bytes(&d, 5, &offset));
            d.bytes.size = UINT32_MAX - 7;
            assert_null(eri_gltf_add_bytes(&d, 16, &offset));
        }
        static const er_result wanted[] = {ER_ERROR_ARGUMENT, ER_ERROR_FORMAT, ER_ERROR_ARGUMENT, ER_ERROR_FILE,
                                           ER_ERROR_FILE};
        static const char *const named[] = {"it is 7", "\"nodes\"", "one", "4 GiB", "4 GiB"};
        eri_gltf_fail(&d, ER_ERROR_RIG, "second");
        assert_refusal(p->own, eri_gltf_check(&d), wanted[kind], named[kind]);
        size_t size = d.bytes.size;
        assert_null(eri_gltf_add_bytes(&d, 4, &offset));
        eri_gltf_put_blob(&d, d.root, "image/png", red_png, sizeof red_png);
        assert_int_equal(d.bytes.size, size);
        assert_int_equal(eri_gltf_save(&d), wanted[kind]);
        assert_int_equal(files(p, false), 0);
        eri_gltf_finish(&d);
        assert_null(d.root);
    }
}

static void elements_are_found_where_they_are_objects(void **state)
{
    place *p = *state;
    eri_gltf_document d;
    eri_gltf_start(&d, p->arena, p->out, false);
    assert_false(d.bin);
    json_object_set_new(d.root, "list", json_pack("[{s:i}, i, {}]", "a", 1, 5));
    assert_int_equal(json_integer_value(json_object_get(eri_gltf_at(&d, "list", 0), "a")), 1);
    assert_null(eri_gltf_at(&d, "list", 1));
    assert_non_null(eri_gltf_at(&d, "list", 2));
    assert_null(eri_gltf_at(&d, "list", 3));
    assert_null(eri_gltf_at(&d, "list", -1));
    assert_null(eri_gltf_at(&d, "none", 0));
    int index = -1;
    assert_true(eri_gltf_new(&d, "list", &index) == json_array_get(json_object_get(d.root, "list"), 3) && index == 3);
    assert_true(eri_gltf_list(&d, d.root, "list") == json_object_get(d.root, "list"));
    size_t offset = 9;
    uint8_t *room = eri_gltf_add_bytes(&d, 5, &offset);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(room[i], 0);
    memset(room, 1, 5);
    assert_true(offset == 0 && d.buffer == 0 && d.bytes.size == 5);
    room = eri_gltf_add_bytes(&d, 2, &offset);
    assert_true(offset == 8 && d.bytes.size == 10 && room == d.bytes.bytes + 8 && room[0] == 0 && room[-1] == 0);
    eri_gltf_finish(&d);
}

// Scenes made by hand, of two clips more where there are not hundreds of nodes.
static void scenes_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"strip.glb", 0xdade8ac4a997c3a3},
                                        {"strip.gltf", 0x01a5dbc0e4b3653f},
                                        {"parts.glb", 0x97f60f5a8ff8af33},
                                        {"parts.gltf", 0x11417f98a3c495e6},
                                        {"crowd.glb", 0xd834623aeee7cfc8},
                                        {"crowd.gltf", 0x31f7c456018662de},
                                        {"bones.glb", 0xbd063a66939708ea},
                                        {"bones.gltf", 0x0aff7a381461792b},
                                        {"blank.glb", 0xf318a06a81b1278f},
                                        {"blank.gltf", 0x008503d7c4985cfe},
                                        {NULL, 0}};
    place *p = *state;
    for (int i = 0; scene_names[i] != NULL; ++i)
        for (int text = 0; text < 2; ++text) {
            const er_scene *scene = make_scene(p->arena, scene_names[i]);
            const er_clip clip = make_clip(p->arena, scene, "mode"), clips[2] = {clip, clip};
            const char *path = text ? p->again : p->out;
            assert_int_equal(er_gltf_write(p->own, scene, scene->node_count < 100 ? 2 : 0, clips, NULL, path), ER_OK);
            expect_bytes(path, eri_arena_printf(p->arena, "%s%s", scene_names[i], strrchr(path, '.')), known);
        }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_have_these_bytes),
        TEST(what_is_drawn_otherwise_is_not_shared),
        TEST(the_strongest_influences_are_kept_in_order),
        TEST(more_joints_than_gltf_counts_are_refused),
        TEST(a_node_stands_above_where_a_skin_spans_roots),
        TEST(nodes_have_the_members_that_they_need),
        TEST(materials_have_all_their_members),
        TEST(a_dash_is_standard_output),
        TEST(bytes_become_base64),
        TEST(a_document_keeps_its_first_failure),
        TEST(elements_are_found_where_they_are_objects),
    };
    return cmocka_run_group_tests_name("gltf_document", tests, NULL, NULL);
}
