// What stands in the files of er_collada_write(), element by element, held against the scene and Collada 1.4.1; and the
// XML that they are made of.
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "formats/collada/xml.h"
#include "scenes.h"
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
        char words[300];
        snprintf(words, sizeof words, "%s: cannot be written: it comes to the number %g, which no float holds", p->out,
                 bad[i]);
        assert_memory_equal(er_context_error(p->own), words, strlen(words));
        xml.text.failure = ER_ERROR_MEMORY;
        eri_xml_doubles(&xml, (const double[]){7, 2e39}, 2, 2);
        eri_xml_floats(&xml, (const float[]){7}, 1, 2);
        eri_xml_ints(&xml, (const int[]){7}, 1, 2);
        eri_xml_text(&xml, "text");
        eri_xml_open(&xml, "b");
        eri_xml_close(&xml);
        assert_true(xml.text.size == size && xml.depth == 1);
        assert_int_equal(eri_xml_check(&xml), ER_ERROR_ARGUMENT);
        assert_memory_equal(er_context_error(p->own), words, strlen(words));
    }
}

static bool is_identity(er_affine a)
{
    const er_affine same = er_affine_identity();
    return memcmp(&a, &same, sizeof a) == 0;
}

// --- references

static void expect_references(const dae_element *root)
{
    static const struct {
        const char *element, *attribute, *target;
    } known[] = {{"instance_animation", "url", "animation"},
                 {"instance_effect", "url", "effect"},
                 {"instance_controller", "url", "controller"},
                 {"instance_visual_scene", "url", "visual_scene"},
                 {"instance_material", "target", "material"},
                 {"skin", "source", "geometry"},
                 {"channel", "source", "sampler"}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        for (const dae_element *e = NULL; (e = dae_next(root, known[i].element, e)) != NULL;)
            dae_referred(root, dae_attribute(e, known[i].attribute), known[i].target);
    for (const dae_element *e = NULL; (e = dae_next(root, "channel", e)) != NULL;) { // "joint/transform"
        char joint[64];
        const char *target = dae_attribute(e, "target"), *slash = strchr(target, '/');
        assert_true(slash != NULL && strcmp(slash, "/transform") == 0);
        snprintf(joint, sizeof joint, "%.*s", (int)(slash - target), target);
        const dae_element *node = dae_find(root, joint);
        assert_true(node != NULL && strcmp(node->name, "node") == 0);
        assert_string_equal(dae_attribute(dae_one(node, "matrix"), "sid"), "transform");
    }
    for (const dae_element *e = NULL; (e = dae_next(root, "skeleton", e)) != NULL;)
        assert_string_equal(dae_attribute(dae_referred(root, e->text, "node"), "type"), "JOINT");
}

static void collect_ids(const dae_element *root, const dae_element *e)
{
    const char *id = dae_attribute(e, "id"), *sid = dae_attribute(e, "sid");
    if (id != NULL) assert_true(dae_find(root, id) == e); // the first of that id
    if (strcmp(e->name, "node") == 0) assert_string_equal(sid, id);
    for (e = e->first; e != NULL; e = e->next)
        collect_ids(root, e);
}

static void references_lead_to_what_they_should_and_ids_differ(void **state)
{
    place *p = *state;
    for (int i = 0; scene_names[i] != NULL; ++i) {
        const er_scene *scene = make_scene(p->arena, scene_names[i]);
        const dae_element *root = written(p, scene, 0, NULL);
        expect_references(root);
        collect_ids(root, root);
        const dae_element *asset = dae_one(root, "asset"), *unit = dae_one(asset, "unit");
        assert_string_equal(dae_attribute(root, "xmlns"), "http://www.collada.org/2005/11/COLLADASchema");
        assert_string_equal(dae_attribute(root, "version"), "1.4.1");
        assert_string_equal(dae_one(dae_one(asset, "contributor"), "authoring_tool")->text, "eigenrig " ERI_VERSION);
        assert_true(fabs(strtod(dae_attribute(unit, "meter"), NULL) / scene->metres_per_unit - 1.0) < 1e-8);
        const char *up = scene->up.z == 1.0 ? "Z_UP" : "Y_UP";
        assert_string_equal(dae_one(asset, "up_axis")->text, up);
        assert_string_equal(dae_one(asset, "created")->text, dae_one(asset, "modified")->text);
    }
}

// --- skins

// The joints of a file: where each stands, by its id.
static const dae_element *joint_of(const dae_element *root, const char *sid)
{
    for (const dae_element *e = NULL; (e = dae_next(root, "node", e)) != NULL;)
        if (strcmp(dae_attribute(e, "sid"), sid) == 0 && strcmp(dae_attribute(e, "type"), "JOINT") == 0) return e;
    fail_msg("there is no joint %s", sid);
    return NULL;
}

static er_affine matrix_of(place *p, const dae_element *node)
{
    double *row;
    assert_int_equal(dae_numbers(p->arena, dae_one(node, "matrix"), &row), 16);
    return dae_affine(row);
}

static er_affine world_of(place *p, const dae_element *node)
{
    er_affine world = matrix_of(p, node);
    for (const dae_element *e = node->parent; strcmp(e->name, "node") == 0; e = e->parent)
        world = er_affine_mul(matrix_of(p, e), world);
    return world;
}

// From the scene's axes to the file's: by the shortest turn that takes up to +Y, unless it is +Z.
static er_affine turn_of(const er_scene *scene)
{
    er_affine turn = er_affine_identity();
    er_vec3 y = er_v3(0, 1, 0), axis = er_v3_cross(scene->up, y);
    if (er_v3_distance(scene->up, er_v3(0, 0, 1)) < 1e-6) return turn;
    double angle = acos(fmax(-1.0, fmin(1.0, scene->up.y)));
    turn.linear = er_m3_from_q(er_q_exp(er_v3_scale(angle, er_v3_unit(axis, er_v3(0, 0, 1)))));
    return turn;
}

static void expect_inputs(place *p, const dae_element *root, const dae_element *mesh, const er_mesh *of)
{
    static const struct {
        const char *semantic, *names, *set;
    } known[] = {{"NORMAL", "X Y Z", NULL}, {"TEXCOORD", "S T", "0"}, {"COLOR", "R G B A", "0"}};
    const void *const arrays[3] = {of->normal, of->uv, of->color};
    const dae_element *triangles = dae_one(mesh, "triangles"), *first = dae_child(triangles, "input", 0);
    const dae_element *vertices = dae_referred(root, dae_attribute(first, "source"), "vertices");
    dae_source positions = dae_input(p->arena, root, vertices, "POSITION");
    assert_string_equal(dae_attribute(first, "semantic"), "VERTEX");
    assert_string_equal(dae_attribute(first, "offset"), "0");
    assert_null(dae_attribute(first, "set"));
    assert_null(dae_attribute(dae_one(vertices, "input"), "offset"));
    assert_true(vertices->parent == mesh && positions.count == of->vertex_count);
    assert_string_equal(positions.names, "X Y Z");
    assert_string_equal(positions.type, "float");
    int next = 1;
    for (int i = 0; i < 3; ++i) {
        if (arrays[i] == NULL) continue;
        const dae_element *input = dae_child(triangles, "input", next++);
        assert_string_equal(dae_attribute(input, "semantic"), known[i].semantic);
        assert_string_equal(dae_attribute(input, "offset"), "0");
        assert_true((dae_attribute(input, "set") != NULL) == (known[i].set != NULL));
        dae_source s = dae_input(p->arena, root, triangles, known[i].semantic);
        assert_true(s.count == of->vertex_count && dae_find(root, s.id)->parent == mesh);
        assert_string_equal(s.names, known[i].names);
        assert_string_equal(s.type, "float");
        for (int k = 0; i > 0 && k < s.count * s.stride; ++k) {
            double want = i == 1 ? (double)of->uv[k] : (double)of->color[k];
            if (i == 1 && k % 2 == 1) want = 1.0 - want; // from below
            assert_true(fabs(s.value[k] - want) < 1e-7);
        }
    }
    assert_null(dae_child(triangles, "input", next));
    assert_int_equal(dae_count(mesh, "source"), next);
    double *corner;
    assert_int_equal(atoi(dae_attribute(triangles, "count")), of->triangle_count);
    assert_int_equal(dae_numbers(p->arena, dae_one(triangles, "p"), &corner), 3 * of->triangle_count);
    for (int k = 0; k < 3 * of->triangle_count; ++k)
        assert_true(corner[k] == of->index[k]);
}

// Each vertex goes with the weighted joints of the file where the scene's skin has it; and no joint comes twice.
static void expect_skin(place *p, const dae_element *root, const er_scene *scene, int instance, const double *wanted,
                        const dae_element *skin)
{
    const er_mesh *of = &scene->mesh[scene->instance[instance].mesh];
    const dae_element *joints = dae_one(skin, "joints"), *weights = dae_one(skin, "vertex_weights");
    const dae_element *geometry = dae_referred(root, dae_attribute(skin, "source"), "geometry"),
                      *mesh = dae_one(geometry, "mesh");
    dae_source joint = dae_input(p->arena, root, joints, "JOINT"),
               bind = dae_input(p->arena, root, joints, "INV_BIND_MATRIX"),
               same = dae_input(p->arena, root, weights, "JOINT"),
               weight = dae_input(p->arena, root, weights, "WEIGHT");
    assert_string_equal(same.id, joint.id);
    assert_string_equal(joint.names, "JOINT");
    assert_string_equal(bind.names, "TRANSFORM");
    assert_string_equal(bind.type, "float4x4");
    assert_string_equal(weight.names, "WEIGHT");
    assert_string_equal(weight.type, "float");
    assert_string_equal(dae_attribute(dae_child(weights, "input", 0), "offset"), "0");
    assert_string_equal(dae_attribute(dae_child(weights, "input", 1), "offset"), "1");
    assert_int_equal(joint.count, bind.count);
    double *shape, *count, *pair;
    assert_int_equal(dae_numbers(p->arena, dae_one(skin, "bind_shape_matrix"), &shape), 16);
    assert_true(is_identity(dae_affine(shape)));
    int vertices = dae_numbers(p->arena, dae_one(weights, "vcount"), &count),
        pairs = dae_numbers(p->arena, dae_one(weights, "v"), &pair) / 2, at = 0;
    assert_true(vertices == of->vertex_count && atoi(dae_attribute(weights, "count")) == vertices);
    assert_int_equal(pairs, weight.count);
    er_affine *matrix = ERI_NEW(p->arena, er_affine, (size_t)joint.count);
    for (int k = 0; k < joint.count; ++k) {
        matrix[k] = er_affine_mul(world_of(p, joint_of(root, joint.word[k])), dae_affine(bind.value + 16 * k));
        for (int i = 0; i < k; ++i)
            assert_true(strcmp(joint.word[k], joint.word[i]) != 0);
    }
    expect_inputs(p, root, mesh, of);
    const dae_element *vertex =
        dae_referred(root, dae_attribute(dae_child(dae_one(mesh, "triangles"), "input", 0), "source"), "vertices");
    dae_source position = dae_input(p->arena, root, vertex, "POSITION");
    double size = 1e-9;
    for (int k = 0; k < 3 * vertices; ++k)
        size = fmax(size, fabs(wanted[k]));
    for (int v = 0; v < vertices; ++v) {
        const double *x = position.value + 3 * v;
        er_vec3 got = er_v3(0, 0, 0);
        double sum = 0.0;
        int used[16], first = at;
        assert_true(count[v] >= 1 && count[v] <= 16);
        for (; at < first + (int)count[v]; ++at) {
            int j = (int)pair[2 * at];
            double w = weight.value[(int)pair[2 * at + 1]];
            assert_true(j >= 0 && j < joint.count && pair[2 * at + 1] == at && w > 0.0);
            for (int i = first; i < at; ++i)
                assert_int_not_equal(used[i - first], j);
            used[at - first] = j;
            got = er_v3_madd(got, w, er_affine_point(matrix[j], er_v3(x[0], x[1], x[2])));
            sum += w;
        }
        assert_true(fabs(sum - 1.0) < 1e-6);
        double away =
            er_v3_distance(er_v3_scale(1.0 / sum, got), er_v3(wanted[3 * v], wanted[3 * v + 1], wanted[3 * v + 2]));
        if (!(away < 3e-7 * size))
            fail_msg("vertex %d of instance %d is off by %g of the size", v, instance, away / size);
    }
    assert_int_equal(at, pairs);
}

// What a skin does not move goes by the axes of its inverse's transpose: still across the triangles, to the same side.
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

static void skins_in_the_file_move_as_those_of_the_scene(void **state)
{
    place *p = *state;
    for (int s = 0; scene_names[s] != NULL; ++s) {
        const er_scene *scene = make_scene(p->arena, scene_names[s]);
        const dae_element *root = written(p, scene, 0, NULL);
        er_affine *local = ERI_NEW(p->arena, er_affine, scene->node_count),
                  *world = ERI_NEW(p->arena, er_affine, scene->node_count), turn = turn_of(scene);
        er_scene_sample(scene, NULL, 0.0, local);
        er_scene_world(scene, local, world);
        const dae_element *controllers = dae_child(root, "library_controllers", 0);
        int drawn = 0;
        for (int i = 0; i < scene->instance_count; ++i) {
            const er_mesh *mesh = &scene->mesh[scene->instance[i].mesh];
            if (mesh->triangle_count == 0) continue;
            double *wanted = ERI_NEW(p->arena, double, 3 * (size_t)mesh->vertex_count);
            er_scene_skin(scene, i, world, wanted);
            for (int v = 0; v < mesh->vertex_count; ++v) {
                double *x = wanted + 3 * v;
                er_vec3 y = er_affine_point(turn, er_v3(x[0], x[1], x[2]));
                x[0] = y.x, x[1] = y.y, x[2] = y.z;
            }
            const dae_element *controller = dae_child(controllers, "controller", drawn);
            const dae_element *skin = dae_one(controller, "skin"),
                              *geometry = dae_child(dae_one(root, "library_geometries"), "geometry", drawn);
            assert_true(dae_referred(root, dae_attribute(skin, "source"), "geometry") == geometry);
            expect_skin(p, root, scene, i, wanted, skin);
            expect_normals(p, root, dae_one(geometry, "mesh"), mesh);
            const char *name = dae_attribute(geometry, "name");
            assert_true(name != NULL && strcmp(name, mesh->name) == 0);
            // and it is drawn, by a node of its own, with the material that its triangles name
            const dae_element *draws = NULL;
            for (const dae_element *e = NULL; (e = dae_next(root, "instance_controller", e)) != NULL;)
                if (dae_referred(root, dae_attribute(e, "url"), "controller") == controller) draws = e;
            assert_non_null(draws);
            assert_string_equal(dae_attribute(draws->parent, "type"), "NODE");
            assert_string_equal(dae_attribute(draws->parent, "name"), mesh->name);
            const dae_element *binding = dae_next(draws, "instance_material", NULL),
                              *triangles = dae_one(dae_one(geometry, "mesh"), "triangles");
            assert_int_equal(binding != NULL, mesh->material >= 0);
            assert_int_equal(dae_attribute(triangles, "material") != NULL, mesh->material >= 0);
            if (binding != NULL) {
                assert_string_equal(dae_attribute(binding, "symbol"), dae_attribute(triangles, "material"));
                const dae_element *material = dae_referred(root, dae_attribute(binding, "target"), "material"),
                                  *uv = dae_one(binding, "bind_vertex_input");
                assert_string_equal(dae_attribute(material, "name"), scene->material[mesh->material].name);
                assert_string_equal(dae_attribute(uv, "semantic"), "UVMap");
                assert_string_equal(dae_attribute(uv, "input_semantic"), "TEXCOORD");
                assert_string_equal(dae_attribute(uv, "input_set"), "0");
            }
            ++drawn;
        }
        assert_int_equal(dae_count(root, "controller"), drawn);
        assert_int_equal(dae_count(root, "geometry"), drawn);
        assert_int_equal(dae_count(root, "instance_controller"), drawn);
        assert_int_equal(dae_count(root, "skeleton"), drawn);
    }
}

// --- nodes

static void expect_node(place *p, const er_scene *scene, int i, const dae_element *node, er_affine local)
{
    er_affine got = matrix_of(p, node);
    double size = er_v3_norm(local.translation), away = er_v3_distance(got.translation, local.translation);
    for (int k = 0; k < 3; ++k) {
        size = fmax(size, er_v3_norm(er_m3_column(local.linear, k)));
        away = fmax(away, er_v3_distance(er_m3_column(got.linear, k), er_m3_column(local.linear, k)));
    }
    assert_true(away <= 3e-9 * size);
    assert_string_equal(dae_attribute(node, "type"), "JOINT");
    const char *name = dae_attribute(node, "name");
    if (name != NULL) assert_string_equal(name, scene->node[i].name);
    int next = 0;
    for (const dae_element *e = node->first; e != NULL; e = e->next) {
        if (strcmp(e->name, "node") != 0) continue;
        if (strncmp(dae_attribute(e, "id"), "eigenrig-joint", 14) == 0) { // for a node that is bound in several ways
            assert_null(dae_attribute(e, "name"));
            assert_string_equal(dae_attribute(e, "type"), "JOINT");
            assert_true(is_identity(matrix_of(p, e)) && dae_count(e, "node") == 0 && next == 0);
            continue;
        }
        int child = -1, nth = next;
        for (int k = 0; k < scene->node_count && child < 0; ++k)
            if (scene->node[k].parent == i && nth-- == 0) child = k;
        assert_true(child >= 0);
        expect_node(p, scene, child, e, scene->node[child].local);
        ++next;
    }
    for (int k = 0; k < scene->node_count; ++k)
        next -= scene->node[k].parent == i;
    assert_int_equal(next, 0);
}

static void nodes_are_the_scenes_in_its_order(void **state)
{
    place *p = *state;
    for (int s = 0; scene_names[s] != NULL; ++s) {
        const er_scene *scene = make_scene(p->arena, scene_names[s]);
        const dae_element *root = written(p, scene, 0, NULL),
                          *visual = dae_one(dae_one(root, "library_visual_scenes"), "visual_scene");
        int roots = 0;
        for (int i = 0; i < scene->node_count; ++i)
            roots += scene->node[i].parent < 0;
        const dae_element *top = visual;
        if (roots > 1) {
            top = dae_child(visual, "node", 0);
            assert_string_equal(dae_attribute(top, "id"), "eigenrig-root");
            assert_null(dae_attribute(top, "name"));
            assert_string_equal(dae_attribute(top, "type"), "JOINT");
            assert_true(is_identity(matrix_of(p, top)));
        }
        int at = 0;
        for (int i = 0; i < scene->node_count; ++i)
            if (scene->node[i].parent < 0)
                expect_node(p, scene, i, dae_child(top, "node", at++),
                            er_affine_mul(turn_of(scene), scene->node[i].local));
        assert_string_equal(dae_attribute(visual, "id"), dae_attribute(visual, "name"));
        for (const dae_element *e = NULL; (e = dae_next(root, "skeleton", e)) != NULL;)
            assert_true(dae_referred(root, e->text, "node") == dae_child(visual, "node", 0));
    }
}

// --- materials

static void expect_color(place *p, const dae_element *of, const double *rgba, const char *sampler)
{
    double *got;
    if (sampler != NULL) {
        assert_string_equal(dae_attribute(dae_one(of, "texture"), "texture"), sampler);
        assert_string_equal(dae_attribute(dae_one(of, "texture"), "texcoord"), "UVMap");
        assert_null(dae_child(of, "color", 0));
        return;
    }
    assert_int_equal(dae_numbers(p->arena, dae_one(of, "color"), &got), 4);
    for (int i = 0; i < 4; ++i)
        assert_true(fabs(got[i] - rgba[i]) < 1e-7);
}

static double float_of(place *p, const dae_element *of)
{
    double *got;
    assert_int_equal(dae_numbers(p->arena, dae_one(of, "float"), &got), 1);
    return got[0];
}

// The parameters of an effect: for each picture of it, once, a surface and a sampler of that.
static void expect_parameters(const dae_element *root, const dae_element *profile, int count, const int *images)
{
    char sampler[80], surface[80];
    const dae_element *library = dae_child(root, "library_images", 0);
    for (int i = 0; i < count; ++i) {
        const char *image = dae_attribute(dae_child(library, "image", images[i]), "id");
        const dae_element *first = dae_child(profile, "newparam", 2 * i),
                          *second = dae_child(profile, "newparam", 2 * i + 1);
        snprintf(surface, sizeof surface, "%s-surface", image);
        snprintf(sampler, sizeof sampler, "%s-sampler", image);
        assert_string_equal(dae_attribute(first, "sid"), surface);
        assert_string_equal(dae_attribute(second, "sid"), sampler);
        assert_string_equal(dae_attribute(dae_one(first, "surface"), "type"), "2D");
        assert_string_equal(dae_one(dae_one(first, "surface"), "init_from")->text, image);
        assert_string_equal(dae_one(dae_one(second, "sampler2D"), "source")->text, surface);
    }
    assert_null(dae_child(profile, "newparam", 2 * count));
}

static const char *sampler_of(place *p, const dae_element *root, int image)
{
    if (image < 0) return NULL;
    const dae_element *e = dae_child(dae_one(root, "library_images"), "image", image);
    return eri_arena_printf(p->arena, "%s-sampler", dae_attribute(e, "id"));
}

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
    const dae_element *root = written(p, scene, 0, NULL), *library = dae_one(root, "library_materials");
    for (int i = 0; i < 3; ++i) {
        const dae_element *e = dae_child(dae_one(root, "library_images"), "image", i);
        assert_string_equal(dae_attribute(e, "id"), dae_attribute(e, "name"));
        assert_string_equal(dae_one(e, "init_from")->text, image[i].name);
    }
    for (int i = 0; i < (int)ERI_COUNT(uses); ++i) {
        const er_material *m = &material[i];
        const dae_element *e = dae_child(library, "material", i);
        const char *name = dae_attribute(e, "name");
        assert_true(m->name[0] == '\0' ? name == NULL : strcmp(name, "paint") == 0);
        const dae_element *effect = dae_referred(root, dae_attribute(dae_one(e, "instance_effect"), "url"), "effect");
        assert_true(effect == dae_child(dae_one(root, "library_effects"), "effect", i));
        const dae_element *profile = dae_one(effect, "profile_COMMON"), *technique = dae_one(profile, "technique"),
                          *phong = dae_one(technique, "phong");
        assert_string_equal(dae_attribute(technique, "sid"), "common");
        int images[3], count = 0;
        for (int k = 0; k < 3; ++k) { // the picture of the colour first, then of light, then of normals
            int one = uses[i][(const int[]){0, 2, 1}[k]];
            bool known = one < 0;
            for (int n = 0; n < count; ++n)
                known = known || images[n] == one;
            if (!known) images[count++] = one;
        }
        expect_parameters(root, profile, count, images);
        const double glow[4] = {(double)m->emissive[0], (double)m->emissive[1], (double)m->emissive[2], 1},
                     base[4] = {(double)m->base_color[0], (double)m->base_color[1], (double)m->base_color[2], 1},
                     clear[4] = {1, 1, 1, (double)m->base_color[3]};
        expect_color(p, dae_one(phong, "emission"), glow, sampler_of(p, root, m->emissive_image));
        expect_color(p, dae_one(phong, "diffuse"), base, sampler_of(p, root, m->base_color_image));
        double r = fmax((double)m->roughness, 0.01), shine = 2.0 / (r * r) - 2.0;
        assert_true(fabs(float_of(p, dae_one(phong, "shininess")) - shine) < 1e-5 * (1.0 + shine));
        assert_true(fabs(float_of(p, dae_one(phong, "reflectivity")) - (double)m->metallic) < 1e-7);
        assert_int_equal(dae_child(phong, "transparent", 0) != NULL, m->alpha_mode != ER_ALPHA_OPAQUE);
        assert_int_equal(dae_child(phong, "transparency", 0) != NULL, m->alpha_mode != ER_ALPHA_OPAQUE);
        if (m->alpha_mode != ER_ALPHA_OPAQUE) {
            const dae_element *transparent = dae_one(phong, "transparent");
            assert_string_equal(dae_attribute(transparent, "opaque"), "A_ONE");
            expect_color(p, transparent, clear, sampler_of(p, root, m->base_color_image));
            double share = m->base_color_image >= 0 ? (double)m->base_color[3] : 1.0;
            assert_true(fabs(float_of(p, dae_one(phong, "transparency")) - share) < 1e-7);
        }
        const dae_element *bump = dae_child(technique, "extra", 0), *sides = dae_child(profile, "extra", 0);
        assert_int_equal(bump != NULL, m->normal_image >= 0);
        if (bump != NULL) {
            assert_string_equal(dae_attribute(dae_one(bump, "technique"), "profile"), "FCOLLADA");
            expect_color(p, dae_one(dae_one(bump, "technique"), "bump"), NULL, sampler_of(p, root, m->normal_image));
        }
        assert_int_equal(sides != NULL, m->double_sided);
        if (sides == NULL) continue;
        assert_string_equal(dae_attribute(dae_one(sides, "technique"), "profile"), "GOOGLEEARTH");
        assert_string_equal(dae_one(dae_one(sides, "technique"), "double_sided")->text, "1");
    }
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

// What there is none of is left out.
static void libraries_of_nothing_are_left_out(void **state)
{
    place *p = *state;
    er_scene *scene = empty_scene(p->arena, 1.0, er_v3(0, 1, 0));
    const dae_element *root = written(p, scene, 0, NULL);
    for (const dae_element *e = root->first; e != NULL; e = e->next)
        if (strncmp(e->name, "library", 7) == 0) assert_string_equal(e->name, "library_visual_scenes");
    assert_int_equal(dae_count(root, "node"), 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(elements_and_numbers_are_laid_out_for_people),
        TEST(elements_nest_to_any_depth),
        TEST(ids_are_legal_and_differ),
        TEST(a_document_keeps_its_first_failure),
        TEST(references_lead_to_what_they_should_and_ids_differ),
        TEST(skins_in_the_file_move_as_those_of_the_scene),
        TEST(nodes_are_the_scenes_in_its_order),
        TEST(materials_have_their_colours_or_pictures),
        TEST(normals_stay_across_what_is_stretched_and_mirrored),
        TEST(libraries_of_nothing_are_left_out),
    };
    return cmocka_run_group_tests_name("collada_document", tests, NULL, NULL);
}
