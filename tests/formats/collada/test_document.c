// Compares the files of er_collada_write() with the scene and Collada 1.4.1, element by element; and tests their XML.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "../bytes.h"
#include "formats/collada/xml.h"
#include "scenes.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/pieces.h"
#include "support/place.h"
#include "tree.h"

static int open_place(void **state)
{
    return place_open(state, "out.dae", "again.dae", "");
}

static const dae_element *written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_collada_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK)
        fail_msg("%s", er_context_error(p->own));
    const dae_element *root = dae_read(p->arena, p->out);
    files(p, true);
    return root;
}

// --- XML

static const char *text_of(place *p, const eri_xml *xml)
{
    assert_int_equal(eri_xml_check(xml), ER_OK);
    char *text = ERI_NEW(p->arena, char, xml->text.size + 1);
    memcpy(text, xml->text.bytes, xml->text.size);
    return text;
}

static void elements_and_numbers_are_laid_out_for_people(void **state)
{
    place *p = *state;
    eri_xml xml;
    eri_xml_start(&xml, p->arena, p->out);
    eri_xml_open(&xml, "a");
    eri_xml_attribute(&xml, "x", "<\"&>\t\n\r\x7f");
    eri_xml_attribute_f(&xml, "y", "%d-%s", 7, "z");
    eri_xml_attribute_number(&xml, "n", -0.0);
    eri_xml_open(&xml, "b");
    eri_xml_close(&xml);
    eri_xml_leaf(&xml, "c", "one & ");
    eri_xml_open(&xml, "d");
    eri_xml_text(&xml, "two");
    eri_xml_text(&xml, " three");
    eri_xml_close(&xml);
    eri_xml_open(&xml, "e");
    eri_xml_doubles(&xml, (const double[]){1, -0.0, 0.1, 123456789012.0, -2.5e-7}, 5, 2);
    eri_xml_close(&xml);
    eri_xml_open(&xml, "f");
    eri_xml_floats(&xml, (const float[]){0.5f, 16777216.0f, 0.1f}, 3, 3);
    eri_xml_close(&xml);
    eri_xml_open(&xml, "g");
    eri_xml_ints(&xml, (const int[]){-1, 2, 30, 4}, 4, 3);
    eri_xml_close(&xml);
    eri_xml_open(&xml, "h");
    eri_xml_ints(&xml, NULL, 0, 3);
    eri_xml_close(&xml);
    er_affine a = {{{{1, 2, 3}, {5, 6, 7}, {9, 10, 11}}}, {4, 8, 12}};
    eri_xml_open(&xml, "m");
    eri_xml_affine(&xml, a);
    eri_xml_close(&xml);
    eri_xml_close(&xml);
    assert_string_equal(text_of(p, &xml),
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<a x=\"&lt;&quot;&amp;&gt;&#9;&#10;&#13;\x7f\" y=\"7-z\" n=\"0\">\n<b/>\n<c>one &amp; </c>\n"
                        "<d>two three</d>\n<e>1 0\n0.1 1.23456789e+11\n-2.5e-07</e>\n"
                        "<f>0.5 16777216 0.100000001</f>\n<g>-1 2 30\n4</g>\n<h></h>\n"
                        "<m>1 2 3 4 5 6 7 8 9 10 11 12 0 0 0 1</m>\n</a>\n");
}

static void elements_nest_to_any_depth(void **state)
{
    place *p = *state;
    static const char *const names[3] = {"x", "y", "z"};
    eri_xml xml;
    eri_xml_start(&xml, p->arena, p->out);
    for (int i = 0; i < 500; ++i)
        eri_xml_open(&xml, names[i % 3]);
    for (int i = 0; i < 500; ++i)
        eri_xml_close(&xml);
    const char *text = text_of(p, &xml);
    for (int i = 499; i-- > 0;) { // each is closed by its own name, the innermost at once
        char end[8];
        snprintf(end, sizeof end, "</%s>\n", names[i % 3]);
        size_t length = strlen(text), tail = strlen(end) * (size_t)(i + 1);
        assert_memory_equal(text + length - tail, end, strlen(end));
    }
}

// Ids are letters, digits, "_" and "-", the first no digit, of 63 bytes at most; no two are alike.
static void ids_are_legal_and_differ(void **state)
{
    place *p = *state;
    static const struct {
        const char *wanted, *id;
    } cases[] = {{"azAZ_09-", "azAZ_09-"},
                 {"9lives", "_lives"},
                 {"-dash", "_dash"},
                 {"a b.c:d\xc3\xa9", "a_b_c_d__"},
                 {"", "node"},
                 {"node", "node-2"},
                 {"no de", "no_de"},
                 {"node", "node-3"},
                 {"node-2", "node-2-2"},
                 {"a{|}@[`/", "a_______"},
                 {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopq",
                  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"},
                 {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopq",
                  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghi-2"}};
    eri_xml xml;
    eri_xml_start(&xml, p->arena, p->out);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        assert_string_equal(eri_xml_id(&xml, cases[i].wanted), cases[i].id);
    assert_string_equal(eri_xml_part_id(&xml, "owner", "part"), "owner-part");
    assert_string_equal(eri_xml_part_id(&xml, "owner", "part"), "owner-part-2");
    const char *part = eri_xml_part_id(&xml, cases[10].wanted, "part");
    assert_string_equal(part, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdef-part");
}

// The first failure stays, and nothing is written after it.
static void a_document_keeps_its_first_failure(void **state)
{
    place *p = *state;
    static const double bad[] = {1e39, -1e39, HUGE_VAL, -HUGE_VAL, NAN};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        eri_xml xml;
        eri_xml_start(&xml, p->arena, p->out);
        eri_xml_open(&xml, "a");
        eri_xml_doubles(&xml, (const double[]){(double)FLT_MAX, -(double)FLT_MAX, bad[i], 5}, 4, 4);
        size_t size = xml.text.size;
        assert_memory_equal(xml.text.bytes + size - 30, "3.40282347e+38 -3.40282347e+38", 30);
        assert_int_equal(eri_xml_check(&xml), ER_ERROR_ARGUMENT);
        char number[32];
        snprintf(number, sizeof number, " %g", bad[i]);
        assert_refusal(p->own, ER_ERROR_ARGUMENT, ER_ERROR_ARGUMENT, number);
        xml.text.failure = ER_ERROR_MEMORY;
        eri_xml_doubles(&xml, (const double[]){7, 2e39}, 2, 2);
        eri_xml_floats(&xml, (const float[]){7}, 1, 2);
        eri_xml_ints(&xml, (const int[]){7}, 1, 2);
        eri_xml_text(&xml, "text");
        eri_xml_open(&xml, "b");
        eri_xml_close(&xml);
        assert_true(xml.text.size == size && xml.depth == 1);
        assert_refusal(p->own, eri_xml_check(&xml), ER_ERROR_ARGUMENT, number);
    }
}

// Normals are transformed by the inverse transpose, so they stay normal to the triangles, on the same side.
static void expect_normals(place *p, const dae_element *root, const dae_element *mesh, const er_mesh *of)
{
    if (of->normal == NULL) return;
    const dae_element *triangles = dae_one(mesh, "triangles");
    dae_source normal = dae_input(p->arena, root, triangles, "NORMAL"),
               position = dae_input(p->arena, root, dae_one(mesh, "vertices"), "POSITION");
    for (int t = 0; t < of->triangle_count; ++t) {
        er_vec3 x[3], n[3];
        for (int k = 0; k < 3; ++k) {
            const double *a = position.value + 3 * of->index[3 * t + k], *b = normal.value + 3 * of->index[3 * t + k];
            x[k] = er_v3(a[0], a[1], a[2]);
            n[k] = er_v3(b[0], b[1], b[2]);
        }
        er_vec3 across = er_v3_cross(er_v3_sub(x[1], x[0]), er_v3_sub(x[2], x[0]));
        if (er_v3_norm(across) < 1e-9) continue; // flattened
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(er_v3_norm(n[k]) - 1.0) < 1e-6);
            double cosine = er_v3_dot(n[k], er_v3_unit(across, across));
            assert_true(fabs(fabs(cosine) - 1.0) < 1e-5);
        }
    }
}

// --- materials

static void materials_have_their_colours_or_pictures(void **state)
{
    place *p = *state;
    er_scene *scene = make_scene(p->arena, "parts");
    static const er_image image[] = {{"one.png", "image/png", red_png, sizeof red_png},
                                     {"two.png", "image/png", red_png, sizeof red_png},
                                     {"three.png", "image/png", red_png, sizeof red_png}};
    static const int uses[][3] = {{-1, -1, -1}, {0, 1, 2}, {0, 0, 0},   {1, 0, 1},
                                  {0, 0, 1},    {0, 1, 1}, {-1, 2, -1}, {-1, -1, 2}};
    er_material material[ERI_COUNT(uses)];
    for (int i = 0; i < (int)ERI_COUNT(uses); ++i)
        material[i] = (er_material){.name = i == 3 ? "" : "paint",
                                    .base_color = {0.1f, 0.2f, 0.3f, 0.25f},
                                    .emissive = {0.4f, 0.5f, 0.6f},
                                    .metallic = 0.125f * (float)i,
                                    .roughness = 0.2f * (float)(i % 6),
                                    .alpha_mode = i % 3 == 0   ? ER_ALPHA_OPAQUE
                                                  : i % 3 == 1 ? ER_ALPHA_BLEND
                                                               : ER_ALPHA_MASK,
                                    .double_sided = i % 2 == 0,
                                    .base_color_image = uses[i][0],
                                    .normal_image = uses[i][1],
                                    .emissive_image = uses[i][2]};
    scene->image = image;
    scene->image_count = 3;
    scene->material = material;
    scene->material_count = (int)ERI_COUNT(uses);
    static const known_bytes known[] = {{"materials", 0x03c7abde3a48e92d}, {NULL, 0}};
    assert_int_equal(er_collada_write(p->own, scene, 0, NULL, NULL, p->out), ER_OK);
    expect_bytes(p->out, "materials", known);
}

// A box, its normals outward, on a node that mirrors and stretches it: they stay outward and across its sides; one that
// has no direction has none.
static void normals_stay_across_what_is_stretched_and_mirrored(void **state)
{
    place *p = *state;
    for (int mirrored = 0; mirrored < 2; ++mirrored) {
        float position[24 * 3], normal[24 * 3];
        int index[36];
        for (int side = 0; side < 6; ++side)
            for (int c = 0; c < 4; ++c) {
                float *x = position + 3 * (4 * side + c), *n = normal + 3 * (4 * side + c);
                int axis = side / 2;
                float s = side % 2 == 0 ? -1.0f : 1.0f;
                for (int k = 0; k < 3; ++k)
                    n[k] = k == axis ? 2.0f * s : 0.0f; // to be made unit
                x[axis] = s;
                x[(axis + 1) % 3] = c % 2 == 0 ? -1.0f : 1.0f;
                x[(axis + 2) % 3] = c / 2 == 0 ? -1.0f : 1.0f;
            }
        for (int side = 0; side < 6; ++side)
            for (int k = 0; k < 6; ++k)
                index[6 * side + k] = 4 * side + (const int[]){0, 1, 3, 0, 3, 2}[k];
        const er_mesh mesh = {.name = "",
                              .vertex_count = 24,
                              .triangle_count = 12,
                              .position = position,
                              .normal = normal,
                              .index = index,
                              .material = -1};
        hand h;
        hand_init(&h);
        hand_node(&h, "box", -1, hand_turned(er_v3(1, 2, 3), er_v3(0.3, 0.5, -0.2), er_v3(mirrored ? -1 : 1, 3, 0.25)));
        h.mesh[0] = mesh;
        h.scene.mesh_count = 1;
        hand_draw(&h, 0, 0, -1);
        const dae_element *root = written(p, &h.scene, 0, NULL),
                          *geometry = dae_one(dae_one(root, "library_geometries"), "geometry"),
                          *made = dae_one(geometry, "mesh");
        assert_null(dae_attribute(geometry, "name"));
        expect_normals(p, root, made, &mesh);
        dae_source n = dae_input(p->arena, root, dae_one(made, "triangles"), "NORMAL"),
                   x = dae_input(p->arena, root, dae_one(made, "vertices"), "POSITION");
        for (int v = 0; v < 24; ++v) {
            er_vec3 out = er_v3(x.value[3 * v] - 1, x.value[3 * v + 1] - 2, x.value[3 * v + 2] - 3);
            assert_true(er_v3_dot(out, er_v3(n.value[3 * v], n.value[3 * v + 1], n.value[3 * v + 2])) > 0.1);
        }
        memset(normal, 0, sizeof normal);
        root = written(p, &h.scene, 0, NULL);
        made = dae_one(dae_one(dae_one(root, "library_geometries"), "geometry"), "mesh");
        n = dae_input(p->arena, root, dae_one(made, "triangles"), "NORMAL");
        for (int k = 0; k < 72; ++k)
            assert_true(n.value[k] == 0.0);
    }
}

// Empty libraries are left out.
static void libraries_of_nothing_are_left_out(void **state)
{
    place *p = *state;
    er_scene *scene = empty_scene(p->arena, 1.0, er_v3(0, 1, 0));
    const dae_element *root = written(p, scene, 0, NULL);
    for (const dae_element *e = root->first; e != NULL; e = e->next)
        if (strncmp(e->name, "library", 7) == 0) assert_string_equal(e->name, "library_visual_scenes");
    assert_int_equal(dae_count(root, "node"), 0);
}

static void scenes_have_these_bytes(void **state)
{
    static const known_bytes known[] = {{"puppet", 0xa5695725876e231c},
                                        {"leaning", 0xa46ea2c9fc7cabe4},
                                        {"bent", 0x1d01d62214b87675},
                                        {"parts", 0x757c052494f9d437},
                                        {"wheel", 0xd7929157448f5624},
                                        {"posed", 0xd7f1f17855063bd4},
                                        {NULL, 0}};
    place *p = *state;
    for (int i = 0; scene_names[i] != NULL; ++i) {
        const er_scene *scene = make_scene(p->arena, scene_names[i]);
        assert_int_equal(er_collada_write(p->own, scene, 0, NULL, NULL, p->out), ER_OK);
        expect_bytes(p->out, scene_names[i], known);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_have_these_bytes),
        TEST(elements_and_numbers_are_laid_out_for_people),
        TEST(elements_nest_to_any_depth),
        TEST(ids_are_legal_and_differ),
        TEST(a_document_keeps_its_first_failure),
        TEST(materials_have_their_colours_or_pictures),
        TEST(normals_stay_across_what_is_stretched_and_mirrored),
        TEST(libraries_of_nothing_are_left_out),
    };
    return cmocka_run_group_tests_name("collada_document", tests, NULL, NULL);
}
