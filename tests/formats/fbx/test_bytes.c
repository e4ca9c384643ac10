// Compares the files of er_fbx_write() with the scene and with what readers of FBX need, record by record. test_fbx.c
// reads them through Assimp, which looks at little of it.
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "../bytes.h"
#include "formats/fbx/fbx_records.h"
#include "made.h"
#include "support/hand.h"
#include "support/place.h"
#include "tree.h"

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static fbx_file written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_fbx_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return fbx_read(p->arena, p->out);
}

typedef void judge_file(place *p, const fbx_file *file, const er_scene *scene, int clip_count, const er_clip *clip);

// --- settings

static er_vec3 axis_of(const fbx_record *settings, const char *axis, const char *sign)
{
    int i = (int)fbx_number(settings, axis);
    double s = fbx_number(settings, sign);
    assert_true(i >= 0 && i < 3 && fabs(s) == 1.0);
    return er_v3(i == 0 ? s : 0.0, i == 1 ? s : 0.0, i == 2 ? s : 0.0);
}

// The axis next to where the scene has up; Y, where two are as near. Right, up and front are a right-handed set.
static void axes_are_right_handed_whatever_is_up(void **state)
{
    place *p = *state;
    static const struct {
        er_vec3 up, axis;
    } cases[] = {{{1, 0, 0}, {1, 0, 0}},
                 {{0, 1, 0}, {0, 1, 0}},
                 {{0, 0, 1}, {0, 0, 1}},
                 {{-1, 0, 0}, {-1, 0, 0}},
                 {{0, -1, 0}, {0, -1, 0}},
                 {{0, 0, -1}, {0, 0, -1}},
                 {{0.6, 0, -0.8}, {0, 0, -1}},
                 {{-0.8, 0.6, 0}, {-1, 0, 0}},
                 {{0.48, 0.64, 0.6}, {0, 1, 0}},
                 {{0.36, 0.48, 0.8}, {0, 0, 1}},
                 {{M_SQRT1_2, M_SQRT1_2, 0}, {0, 1, 0}}};
    er_scene *scene = made_scene(p->arena, "strip");
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        scene->up = cases[i].up;
        fbx_file file = written(p, scene, 0, NULL);
        const fbx_record *settings = fbx_one(&file.root, "GlobalSettings");
        er_vec3 up = axis_of(settings, "UpAxis", "UpAxisSign"), right = axis_of(settings, "CoordAxis", "CoordAxisSign"),
                front = axis_of(settings, "FrontAxis", "FrontAxisSign");
        assert_true(er_v3_distance(up, cases[i].axis) == 0.0);
        assert_true(er_v3_distance(er_v3_cross(right, up), front) == 0.0);
        assert_true(er_v3_dot(right, up) == 0.0 && fbx_number(settings, "CoordAxisSign") == 1.0);
        assert_true(fbx_number(settings, "OriginalUpAxis") == -1.0);
        assert_true(fbx_number(settings, "OriginalUpAxisSign") == 1.0);
        assert_int_equal(fbx_int(settings, "Version"), 1000);
        assert_true(fbx_number(settings, "UnitScaleFactor") == 1.0); // centimetres
        assert_true(fbx_number(settings, "OriginalUnitScaleFactor") == 1.0);
    }
}

// Autodesk's FbxTime::EMode; 14 is any other rate, which stands beside it.
static void frame_rates_have_the_numbers_of_fbx(void **state)
{
    place *p = *state;
    static const struct {
        double fps;
        int mode;
        double custom;
    } cases[] = {{0, 6, -1},
                 {120, 1, -1},
                 {100, 2, -1},
                 {60, 3, -1},
                 {50, 4, -1},
                 {48, 5, -1},
                 {30, 6, -1},
                 {29.97, 9, -1},
                 {25, 10, -1},
                 {24, 11, -1},
                 {1000, 12, -1},
                 {23.976, 13, -1},
                 {96, 15, -1},
                 {72, 16, -1},
                 {59.94, 17, -1},
                 {119.88, 18, -1},
                 {12.5, 14, 12.5},
                 {15, 14, 15},
                 {29.99999, 6, -1},
                 {60.00003, 3, -1},
                 {29.9999, 14, 29.9999},
                 {30.0001, 14, 30.0001}};
    er_scene *scene = made_scene(p->arena, "bones");
    scene->clip_count = 0;
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        scene->fps = cases[i].fps;
        fbx_file file = written(p, scene, 0, NULL);
        const fbx_record *settings = fbx_one(&file.root, "GlobalSettings");
        assert_int_equal(fbx_number(settings, "TimeMode"), cases[i].mode);
        assert_true(fbx_number(settings, "CustomFrameRate") == cases[i].custom);
        assert_true(fbx_number(settings, "TimeSpanStart") == 0.0 && fbx_number(settings, "TimeSpanStop") == 0.0);
    }
}

// --- Models

static bool is_limb(const fbx_record *model)
{
    return model != NULL && strcmp(fbx_type(model), "LimbNode") == 0;
}

// A node that a reader of FBX put there stands for FBX's own root; any other of that name is a node, which has another.
static void only_a_root_that_does_nothing_is_the_files_own(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
    enum { OWN, NAMED, KEYED, JOINT, DRAWN, MOVED, SECOND_ROOT, CASES };
    for (int kind = 0; kind < CASES; ++kind) {
        hand h;
        hand_init(&h);
        er_affine at = hand_at(kind == MOVED ? 1e-9 : 0, 0, 0);
        hand_node(&h, kind == NAMED ? "root node" : "RootNode", -1, at);
        hand_node(&h, "hip", kind == SECOND_ROOT ? -1 : 0, hand_at(0, 1, 0));
        hand_node(&h, "RootNode", 0, hand_at(0, 2, 0));
        h.node[1].flags |= ER_NODE_JOINT;
        if (kind == JOINT) h.node[0].flags |= ER_NODE_JOINT;
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
        hand_draw(&h, kind == DRAWN ? 0 : 1, 0, -1);
        const er_channel channel = {kind == KEYED ? 0 : 1, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift};
        const er_clip clip = {"clip", 1.0, 1, &channel};
        fbx_file file = written(p, &h.scene, 1, &clip);
        const fbx_record *first = fbx_nth(&file, "Model", 0);
        const char *want = kind == OWN ? "hip" : kind == NAMED ? "root node" : "RootNode (2)";
        assert_string_equal(first->value[1].text, want);
        assert_memory_equal(first->value[1].text + strlen(want) + 1, "\1Model", 7);
        const fbx_record *last = fbx_nth(&file, "Model", kind == OWN ? 1 : 2);
        assert_string_equal(last->value[1].text, kind == OWN || kind == NAMED ? "RootNode (2)" : "RootNode (3)");
        int roots = 0;
        for (int k = 0; k < file.link_count; ++k)
            roots += file.link[k].parent == 0;
        assert_int_equal(roots, kind == OWN || kind == SECOND_ROOT ? 2 : 1);
    }
}

// --- Geometries

// The meshes drawn at one node with one skin, in the order of their instances.
typedef struct group {
    int node, skin, count, mesh[16];
} group;

static int groups_of(const er_scene *scene, group *out)
{
    int count = 0;
    for (int node = 0; node < scene->node_count; ++node)
        for (int skin = -1; skin < scene->skin_count; ++skin) {
            group g = {node, skin, 0, {0}};
            for (int i = 0; i < scene->instance_count; ++i) {
                const er_instance *one = &scene->instance[i];
                if (one->node == node && one->skin == skin && scene->mesh[one->mesh].triangle_count > 0)
                    g.mesh[g.count++] = one->mesh;
            }
            if (g.count > 0) out[count++] = g;
        }
    return count;
}

typedef const float *attribute(const er_mesh *mesh);

static const float *normals(const er_mesh *mesh)
{
    return mesh->normal;
}

static const float *uvs(const er_mesh *mesh)
{
    return mesh->uv;
}

static const float *colors(const er_mesh *mesh)
{
    return mesh->color;
}

// A layer of `width` numbers a vertex: every corner has its vertex's, what a mesh lacks its fallback.
static void expect_layer(const fbx_record *geometry, const er_scene *scene, const group *g, const char *layer,
                         const char *values, const char *indices, attribute *of, int width, const double *fallback)
{
    bool any = false;
    for (int m = 0; m < g->count; ++m)
        any = any || of(&scene->mesh[g->mesh[m]]) != NULL;
    const fbx_record *record = fbx_find(geometry, layer);
    assert_int_equal(record != NULL, any);
    if (!any) return;
    assert_true(record->value_count == 1 && record->value[0].integer == 0);
    assert_int_equal(fbx_int(record, "Version"), 101);
    assert_string_equal(fbx_text(record, "Name"), "");
    assert_string_equal(fbx_text(record, "MappingInformationType"), "ByPolygonVertex");
    assert_string_equal(fbx_text(record, "ReferenceInformationType"), "IndexToDirect");
    const fbx_value *value = fbx_array(record, values), *index = fbx_array(record, indices);
    size_t at = 0, corner = 0, base = 0;
    for (int m = 0; m < g->count; ++m) {
        const er_mesh *mesh = &scene->mesh[g->mesh[m]];
        const float *in = of(mesh);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            double want[4];
            for (int k = 0; k < width; ++k)
                want[k] = in != NULL ? (double)in[width * v + k] : fallback[k];
            if (of == normals) {
                er_vec3 n = er_v3_unit(er_v3(want[0], want[1], want[2]), er_v3(0, 1, 0));
                want[0] = n.x, want[1] = n.y, want[2] = n.z;
            }
            if (of == uvs) want[1] = 1.0 - want[1];
            for (int k = 0; k < width; ++k)
                assert_true(fabs(value->of[at++] - want[k]) < 1e-12);
        }
        for (int k = 0; k < 3 * mesh->triangle_count; ++k)
            assert_int_equal(index->whole[corner++], base + (size_t)mesh->index[k]);
        base += (size_t)mesh->vertex_count;
    }
    assert_true(value->count == at && index->count == corner);
}

// Which Material each triangle has: an index among those that are linked to the Model, in order, each once.
static void expect_materials(const fbx_file *file, const fbx_record *model, const fbx_record *geometry,
                             const er_scene *scene, const group *g)
{
    const fbx_record *record = fbx_one(geometry, "LayerElementMaterial");
    const fbx_value *slots = fbx_array(record, "Materials");
    int count = 0, triangle = 0;
    while (fbx_child(file, fbx_id(model), NULL, "Material", count) != NULL)
        ++count;
    assert_true(record->value[0].integer == 0 && fbx_int(record, "Version") == 101);
    assert_string_equal(fbx_text(record, "Name"), "");
    assert_string_equal(fbx_text(record, "MappingInformationType"), count > 1 ? "ByPolygon" : "AllSame");
    assert_string_equal(fbx_text(record, "ReferenceInformationType"), "IndexToDirect");
    bool used[16] = {false};
    for (int m = 0; m < g->count; ++m) {
        const er_mesh *mesh = &scene->mesh[g->mesh[m]];
        const char *name = mesh->material < 0 ? "DefaultMaterial" : scene->material[mesh->material].name;
        for (int k = 0; k < mesh->triangle_count; ++k, ++triangle) {
            int slot = (int)slots->whole[count > 1 ? triangle : 0];
            assert_true(slot >= 0 && slot < count);
            assert_string_equal(fbx_child(file, fbx_id(model), NULL, "Material", slot)->value[1].text, name);
            used[slot] = true;
        }
    }
    assert_int_equal(slots->count, count > 1 ? triangle : 1);
    for (int k = 0; k < count; ++k)
        assert_true(used[k]);
}

// The Layer lists what there is.
static void expect_list_of_layers(const fbx_record *geometry)
{
    const fbx_record *layer = fbx_one(geometry, "Layer");
    int next = 0;
    assert_true(layer->value_count == 1 && layer->value[0].integer == 0 && fbx_int(layer, "Version") == 100);
    for (int i = 0; i < geometry->record_count; ++i) {
        if (strncmp(geometry->record[i].name, "LayerElement", 12) != 0) continue;
        const fbx_record *element = &layer->record[1 + next++];
        assert_string_equal(element->name, "LayerElement");
        assert_string_equal(fbx_text(element, "Type"), geometry->record[i].name);
        assert_int_equal(fbx_int(element, "TypedIndex"), 0);
    }
    assert_int_equal(layer->record_count, 1 + next);
}

static void expect_loose(const fbx_file *file, const fbx_record *model, const er_scene *scene, int node,
                         const double *vertex, const float *position)
{
    er_affine world = er_affine_identity();
    for (int i = node; i >= 0; i = scene->node[i].parent)
        world = er_affine_mul(scene->node[i].local, world);
    er_vec3 want = er_affine_point(world, er_v3((double)position[0], (double)position[1], (double)position[2])),
            got = er_affine_point(fbx_world(file, model), er_v3(vertex[0], vertex[1], vertex[2]));
    double unit = 100.0 * scene->metres_per_unit;
    assert_true(er_v3_distance(got, er_v3_scale(unit, want)) < 1e-5 * unit * (1.0 + er_v3_norm(want)));
}

static void expect_geometry(const fbx_file *file, const fbx_record *model, const er_scene *scene, const group *g)
{
    static const double none[3] = {0, 0, 0}, white[4] = {1, 1, 1, 1};
    const fbx_record *geometry = fbx_child(file, fbx_id(model), NULL, "Geometry", 0);
    assert_non_null(geometry);
    assert_null(fbx_child(file, fbx_id(model), NULL, "Geometry", 1));
    assert_string_equal(geometry->value[1].text, scene->mesh[g->mesh[0]].name);
    assert_string_equal(fbx_type(geometry), "Mesh");
    assert_int_equal(fbx_int(geometry, "GeometryVersion"), 124);
    const fbx_value *vertices = fbx_array(geometry, "Vertices"), *corners = fbx_array(geometry, "PolygonVertexIndex");
    size_t at = 0, corner = 0, base = 0;
    for (int m = 0; m < g->count; ++m) {
        const er_mesh *mesh = &scene->mesh[g->mesh[m]];
        for (int k = 0; k < 3 * mesh->vertex_count; ++k, ++at) { // centimetres
            double want = 100.0 * scene->metres_per_unit * (double)mesh->position[k];
            const int *start = mesh->influence_start;
            bool loose = start == NULL || start[k / 3] == start[k / 3 + 1];
            if (g->skin >= 0 && loose) { // stays with the node
                if (k % 3 == 0) expect_loose(file, model, scene, g->node, vertices->of + at, mesh->position + k);
                continue;
            }
            assert_true(fabs(vertices->of[at] - want) <= 1e-12 * (1.0 + fabs(want)));
        }
        for (int k = 0; k < 3 * mesh->triangle_count; ++k) { // the last of three is complemented
            int64_t index = corners->whole[corner++];
            assert_int_equal(k % 3 == 2 ? ~index : index, base + (size_t)mesh->index[k]);
        }
        base += (size_t)mesh->vertex_count;
    }
    assert_true(vertices->count == at && corners->count == corner);
    expect_layer(geometry, scene, g, "LayerElementNormal", "Normals", "NormalsIndex", normals, 3, none);
    expect_layer(geometry, scene, g, "LayerElementUV", "UV", "UVIndex", uvs, 2, none);
    expect_layer(geometry, scene, g, "LayerElementColor", "Colors", "ColorIndex", colors, 4, white);
    expect_materials(file, model, geometry, scene, g);
    expect_list_of_layers(geometry);
}

// --- skins

static const fbx_record *cluster_model(const fbx_file *file, const fbx_record *cluster)
{
    const fbx_record *model = fbx_child(file, fbx_id(cluster), NULL, "Model", 0);
    assert_non_null(model);
    assert_null(fbx_child(file, fbx_id(cluster), NULL, "Model", 1));
    return model;
}

// Where the tree of limbs of a Model hangs.
static er_affine armature_of(const fbx_file *file, const fbx_record *model)
{
    const fbx_record *above = fbx_above(file, model);
    while (is_limb(above))
        above = fbx_above(file, above);
    return above != NULL ? fbx_world(file, above) : er_affine_identity();
}

// The weights of a joint on the vertices of a group, merged, by a walk over all.
static void expect_weights(place *p, const er_scene *scene, const group *g, int joint, const fbx_record *cluster)
{
    int vertices = 0, base = 0, count = 0;
    for (int m = 0; m < g->count; ++m)
        vertices += scene->mesh[g->mesh[m]].vertex_count;
    double *weight = ERI_NEW(p->arena, double, (size_t)vertices + 1);
    bool *has = ERI_NEW(p->arena, bool, (size_t)vertices + 1);
    for (int m = 0; m < g->count; ++m) {
        const er_mesh *mesh = &scene->mesh[g->mesh[m]];
        for (int v = 0; mesh->influence_start != NULL && v < mesh->vertex_count; ++v)
            for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k)
                if (mesh->influence_joint[k] == joint) {
                    weight[base + v] += (double)mesh->influence_weight[k];
                    has[base + v] = true;
                }
        base += mesh->vertex_count;
    }
    for (int v = 0; v < vertices; ++v)
        count += has[v];
    const fbx_record *indexes = fbx_find(cluster, "Indexes");
    assert_int_equal(indexes != NULL, count > 0);
    assert_int_equal(fbx_find(cluster, "Weights") != NULL, count > 0);
    if (count == 0) return;
    const fbx_value *index = fbx_array(cluster, "Indexes"), *value = fbx_array(cluster, "Weights");
    assert_true((int)index->count == count && (int)value->count == count);
    for (int i = 0; i < count; ++i) {
        assert_true(i == 0 || index->whole[i] > index->whole[i - 1]);
        assert_true(fabs(value->of[i] - weight[index->whole[i]]) < 1e-12 && has[index->whole[i]]);
    }
}

static double off(er_affine a, er_affine b)
{
    double worst = er_v3_distance(a.translation, b.translation), size = er_v3_norm(b.translation);
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)));
        size = fmax(size, er_v3_norm(er_m3_column(b.linear, k)));
    }
    return worst / size;
}

static er_affine pose_of(const fbx_file *file, const fbx_record *model)
{
    const fbx_record *pose = fbx_nth(file, "Pose", 0), *found = NULL;
    assert_non_null(pose);
    for (int i = 0; i < pose->record_count; ++i) {
        if (strcmp(pose->record[i].name, "PoseNode") != 0) continue;
        const fbx_record *node = fbx_one(&pose->record[i], "Node");
        if (node->value[0].integer != fbx_id(model)) continue;
        assert_null(found);
        found = &pose->record[i];
    }
    if (found == NULL) fail_msg("%s is not in the pose", model->value[1].text);
    return fbx_matrix(found, "Matrix");
}

// A bind pose stands rigidly on its armature, and the Model that draws stands where its clusters were bound.
static void clusters_bind(place *p, const fbx_file *file, const er_scene *scene, int clip_count, const er_clip *clip)
{
    (void)clip_count, (void)clip;
    group groups[32];
    int count = groups_of(scene, groups), skins = 0, posed = 0;
    for (int i = 0; i < count; ++i) {
        if (groups[i].skin < 0) continue;
        const er_skin *skin = &scene->skin[groups[i].skin];
        const fbx_record *deformer = NULL, *model = NULL, *geometry = NULL;
        for (int n = 0, at = 0; deformer == NULL; ++n) {
            const fbx_record *one = fbx_nth(file, "Deformer", n);
            assert_non_null(one);
            if (strcmp(fbx_type(one), "Skin") == 0 && at++ == skins) deformer = one;
        }
        ++skins;
        const fbx_record *accuracy = fbx_one(deformer, "Link_DeformAcuracy");
        assert_int_equal(fbx_int(deformer, "Version"), 101);
        assert_string_equal(deformer->value[1].text, skin->name);
        assert_true(accuracy->value[0].kind == 'D' && accuracy->value[0].number == 50.0);
        for (int k = 0; k < file->link_count; ++k)
            if (file->link[k].child == fbx_id(deformer)) geometry = fbx_object(file, file->link[k].parent);
        assert_true(geometry != NULL && strcmp(geometry->name, "Geometry") == 0);
        for (int k = 0; k < file->link_count; ++k)
            if (file->link[k].child == fbx_id(geometry)) model = fbx_object(file, file->link[k].parent);
        assert_true(model != NULL && strcmp(fbx_type(model), "Mesh") == 0);
        ++posed;
        assert_true(off(pose_of(file, model), fbx_world(file, model)) < 2e-6);
        for (int k = 0; fbx_child(file, fbx_id(deformer), NULL, "Deformer", k) != NULL; ++k) {
            const fbx_record *cluster = fbx_child(file, fbx_id(deformer), NULL, "Deformer", k),
                             *limb = cluster_model(file, cluster);
            er_affine link = fbx_matrix(cluster, "TransformLink"), transform = fbx_matrix(cluster, "Transform"),
                      armature = armature_of(file, limb), rigid = er_affine_mul(er_affine_inverse(armature), link);
            assert_true(strcmp(fbx_type(cluster), "Cluster") == 0 && fbx_int(cluster, "Version") == 100 &&
                        is_limb(limb));
            assert_true(off(fbx_matrix(cluster, "TransformAssociateModel"), armature) < 1e-9);
            assert_true(off(er_affine_mul(link, transform), fbx_world(file, model)) < 2e-6);
            assert_true(off(pose_of(file, limb), link) == 0.0);
            er_mat3 gram = er_m3_mul(er_m3_transpose(rigid.linear), rigid.linear);
            for (int e = 0; e < 9; ++e)
                assert_true(fabs(gram.m[e / 3][e % 3] - (e / 3 == e % 3)) < 1e-9);
            if (k >= skin->joint_count) { // a limb that no skin moves
                assert_null(fbx_find(cluster, "Indexes"));
                continue;
            }
            assert_string_equal(cluster->value[1].text, scene->node[skin->joint[k]].name);
            expect_weights(p, scene, &groups[i], k, cluster);
            er_affine inverse = skin->inverse_bind[k];
            inverse.translation = er_v3_scale(100.0 * scene->metres_per_unit, inverse.translation);
            assert_true(off(transform, inverse) < 1e-12);
        }
        assert_non_null(fbx_child(file, fbx_id(deformer), NULL, "Deformer", skin->joint_count - 1));
    }
    for (int i = 0; i < fbx_count(file, "Model"); ++i) {
        const fbx_record *model = fbx_nth(file, "Model", i);
        if (!is_limb(model)) continue;
        pose_of(file, model);
        ++posed;
    }
    assert_int_equal(fbx_count(file, "Pose"), posed > 0);
    if (posed == 0) return;
    const fbx_record *pose = fbx_nth(file, "Pose", 0);
    assert_string_equal(fbx_text(pose, "Type"), "BindPose");
    assert_string_equal(fbx_type(pose), "BindPose");
    assert_int_equal(fbx_int(pose, "Version"), 100);
    assert_int_equal(fbx_int(pose, "NbPoseNodes"), posed);
    assert_int_equal(pose->record_count, 3 + posed);
}

// The Model that draws a skin stands where its clusters were bound, here at the file's root. It is the node's own Model
// or below it. It is below the root if the node shears, or if the node's own Model draws another skin.
static void skins_are_drawn_by_a_model_of_their_own_where_the_nodes_cannot(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
    static const int joints[] = {0, 1};
    enum { THERE, ELSEWHERE, CARRIES, KEYED, LIMB, TWICE, BOTH, SHEARS, CASES };
    enum { OWN, BELOW, AT_ROOT };
    static const int wanted[CASES] = {OWN, OWN, BELOW, BELOW, BELOW, AT_ROOT, BELOW, AT_ROOT};
    for (int kind = 0; kind < CASES; ++kind) {
        hand h;
        hand_init(&h);
        hand_node(&h, "arm", -1, hand_turned(er_v3(0, 1, 0), er_v3(0.2, 0, 0.1), er_v3(1, 1, 1)));
        hand_node(&h, "hand", 0, hand_turned(er_v3(0, 1, 0), er_v3(0, 0.3, 0), er_v3(1, 1, 1)));
        int above = -1;
        if (kind == SHEARS)
            above = hand_node(&h, "stretch", -1, hand_turned(er_v3(0, 0, 0), er_v3(0, 0, 0.5), er_v3(1, 3, 1)));
        er_affine stands = hand_turned(er_v3(1, 2, 3), er_v3(0, 0.4, 0.7), er_v3(1, 1, 1));
        int node = hand_node(&h, "node", above, kind == THERE ? er_affine_identity() : stands);
        if (kind == CARRIES) hand_node(&h, "ring", node, hand_at(0, 1, 0));
        if (kind == LIMB) h.node[node].flags |= ER_NODE_JOINT;
        hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(0, 1, 0), er_v3(1, 2, 1), 1);
        hand_skin(&h, "one", 2, joints);
        if (kind == TWICE) hand_skin(&h, "two", 2, joints);
        hand_draw(&h, node, 0, 0);
        if (kind == TWICE) hand_draw(&h, node, 0, 1);
        if (kind == BOTH) hand_draw(&h, node, 0, -1);
        const er_channel channel = {node, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift};
        const er_clip clip = {"clip", 1.0, 1, &channel};
        fbx_file file = written(p, &h.scene, kind == KEYED, &clip);
        clusters_bind(p, &file, &h.scene, 0, NULL);
        int models = fbx_count(&file, "Model");
        const fbx_record *own = fbx_nth(&file, "Model", node), *last = fbx_nth(&file, "Model", models - 1);
        if (models != h.scene.node_count + (wanted[kind] != OWN)) fail_msg("case %d has %d models", kind, models);
        const fbx_record *draws = wanted[kind] == OWN ? own : last, *on = fbx_above(&file, draws);
        assert_string_equal(fbx_type(draws), "Mesh");
        assert_true(er_v3_norm(fbx_world(&file, draws).translation) < 1e-12);
        if (wanted[kind] == BELOW) assert_true(on == own);
        if (wanted[kind] == AT_ROOT) assert_null(on);
        if (wanted[kind] != OWN) assert_memory_equal(draws->value[1].text, "mesh", 5); // called as what it draws
        bool keeps = kind != ELSEWHERE && kind != TWICE; // a node whose Model draws a skin goes there
        if (keeps && kind != THERE)
            assert_true(er_v3_distance(fbx_vector(own, "Lcl Translation"), er_v3(100, 200, 300)) < 1e-9);
    }
}

// A limb draws nothing itself: its mesh is on a Model below it, in its place.
static void what_a_limb_draws_is_below_it(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    hand_node(&h, "arm", -1, hand_turned(er_v3(0, 1, 0), er_v3(0.2, 0, 0.1), er_v3(1, 2, 1)));
    hand_node(&h, "hand", 0, hand_turned(er_v3(0, 1, 0), er_v3(0, 0.3, 0), er_v3(1, 1, 1)));
    h.node[0].flags = h.node[1].flags = ER_NODE_JOINT;
    hand_mesh(&h);
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
    hand_draw(&h, 1, 0, -1);
    fbx_file file = written(p, &h.scene, 0, NULL);
    const fbx_record *limb = fbx_nth(&file, "Model", 1), *draws = fbx_nth(&file, "Model", 2);
    assert_int_equal(fbx_count(&file, "Model"), 3);
    assert_true(is_limb(limb) && fbx_above(&file, draws) == limb);
    assert_string_equal(fbx_type(draws), "Mesh");
    assert_true(off(fbx_world(&file, draws), fbx_world(&file, limb)) < 1e-12);
    const group g = {1, -1, 1, {0}};
    expect_geometry(&file, draws, &h.scene, &g);
}

// --- documents

static void a_dash_is_standard_output(void **state)
{
    place *p = *state;
    assert_goes_to_standard_output(p, er_fbx_write, made_scene(p->arena, "strip"), p->out);
}

// The first failure is kept, and nothing comes after it.
static void a_document_keeps_its_first_failure(void **state)
{
    place *p = *state;
    for (int kind = 0; kind < 3; ++kind) {
        eri_fbx_document d;
        eri_fbx_begin(&d, p->arena, p->out);
        eri_fbx_put_head(&d, 1, 1, 0, 0.0);
        static const double nothing;
        if (kind == 0) eri_fbx_fail(&d, ER_ERROR_ARGUMENT, "it is %d", 7);
        if (kind == 1) eri_fbx_put_doubles(&d, "Huge", &nothing, (size_t)INT32_MAX / 8 + 1);
        if (kind == 2) {
            eri_fbx_open(&d, "Last");
            d.file.size = INT32_MAX; // as many bytes as there may be
            eri_fbx_add_text(&d, "more");
        }
        eri_fbx_fail(&d, ER_ERROR_FORMAT, "second");
        const char *said = er_context_error(p->own);
        er_result want = kind == 0 ? ER_ERROR_ARGUMENT : ER_ERROR_FILE;
        assert_int_equal(d.failure, want);
        assert_non_null(strstr(said, kind == 0 ? "it is 7" : "more than 2 GiB; use a smaller model"));
        assert_memory_equal(said, p->out, strlen(p->out));
        assert_non_null(strstr(said, ": cannot be written: "));
        size_t before = d.file.size;
        int links = (int)d.links.size, depth = d.depth;
        eri_fbx_open(&d, "A");
        eri_fbx_put_int(&d, "B", 1);
        eri_fbx_add_doubles(&d, (const double[40]){0}, 40);
        eri_fbx_connect(&d, 1, 0, NULL);
        eri_fbx_close(&d);
        assert_true(d.file.size == before && (int)d.links.size == links && d.depth == depth && d.zlib_memory == NULL);
        assert_int_equal(eri_fbx_save(&d), want);
        assert_int_equal(files(p, false), 0);
        eri_fbx_finish(&d);
    }
}

// Hashes all records and values, numbers to nine digits: the last digits of angles depend on the machine.
static uint64_t hash_record(uint64_t hash, const fbx_record *record)
{
    char number[32];
    hash = hash_bytes(hash, record->name, strlen(record->name) + 1);
    for (int i = 0; i < record->value_count; ++i) {
        const fbx_value *v = &record->value[i];
        hash = hash_bytes(hash, &v->kind, 1);
        if (v->kind == 'S' || v->kind == 'R') hash = hash_bytes(hash, v->text, v->count);
        if (strchr("CIL", v->kind) != NULL) hash = hash_bytes(hash, &v->integer, sizeof v->integer);
        if (v->kind == 'D') hash = hash_bytes(hash, number, (size_t)sprintf(number, "%.9g", v->number + 0.0));
        for (size_t k = 0; strchr("ilfd", v->kind) != NULL && k < v->count; ++k)
            hash = v->kind == 'i' || v->kind == 'l'
                       ? hash_bytes(hash, &v->whole[k], sizeof v->whole[k])
                       : hash_bytes(hash, number, (size_t)sprintf(number, v->kind == 'f' ? "%.6g" : "%.9g", v->of[k]));
    }
    for (int i = 0; i < record->record_count; ++i)
        hash = hash_record(hash, &record->record[i]);
    return hash_bytes(hash, "}", 1);
}

static void scenes_have_these_records(void **state)
{
    static const known_bytes known[] = {{"strip", 0xe74d778dc15de6c8},
                                        {"parts", 0xd9b5099d585dded1},
                                        {"crowd", 0x5c3062aca742c116},
                                        {"bones", 0x00f56537df6a83b2},
                                        {"blank", 0xe9fe0fc88fdd649d},
                                        {"tumble", 0x8cd99ccaa2eda82c},
                                        {NULL, 0}};
    static const char *const names[] = {"strip", "parts", "crowd", "bones", "blank", "tumble"};
    place *p = *state;
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const er_scene *scene = made_scene(p->arena, names[i]);
        const er_clip clip = made_clip(p->arena, scene, "mode"), clips[2] = {clip, clip};
        fbx_file file = written(p, scene, scene->node_count < 100 ? 2 : 0, clips);
        expect_hash(hash_record(0, &file.root), names[i], known);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(scenes_have_these_records),
        TEST(axes_are_right_handed_whatever_is_up),
        TEST(frame_rates_have_the_numbers_of_fbx),
        TEST(only_a_root_that_does_nothing_is_the_files_own),
        TEST(skins_are_drawn_by_a_model_of_their_own_where_the_nodes_cannot),
        TEST(what_a_limb_draws_is_below_it),
        TEST(a_dash_is_standard_output),
        TEST(a_document_keeps_its_first_failure),
    };
    return cmocka_run_group_tests_name("fbx_bytes", tests, NULL, NULL);
}
