// What stands in the files of er_fbx_write(), record by record, held against the scene and what readers ask of FBX:
// Assimp, by which test_fbx.c reads them, looks at little of it.
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

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

static const char *const names[] = {"strip", "parts", "crowd", "bones", "blank", "tumble"};

typedef void judge_file(place *p, const fbx_file *file, const er_scene *scene, int clip_count, const er_clip *clip);

// Each scene made by hand, with two clips more where there are not hundreds of nodes.
static void judge_each(place *p, judge_file *judge)
{
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        const er_scene *scene = made_scene(p->arena, names[i]);
        const er_clip clip = made_clip(p->arena, scene, "mode"), clips[2] = {clip, clip};
        int count = scene->node_count < 100 ? 2 : 0;
        fbx_file file = written(p, scene, count, clips);
        judge(p, &file, scene, count, clips);
    }
}

// --- the head

static void the_head_says_one_time_in_all_its_ways(void **state)
{
    place *p = *state;
    fbx_file file = written(p, made_scene(p->arena, "strip"), 0, NULL);
    static const char *const order[] = {
        "FBXHeaderExtension", "FileId",      "CreationTime", "Creator",     "GlobalSettings", "Documents",
        "References",         "Definitions", "Objects",      "Connections", "Takes"};
    assert_int_equal(file.root.record_count, (int)ERI_COUNT(order));
    for (size_t i = 0; i < ERI_COUNT(order); ++i)
        assert_string_equal(file.root.record[i].name, order[i]);
    const fbx_record *head = fbx_one(&file.root, "FBXHeaderExtension"), *stamp = fbx_one(head, "CreationTimeStamp");
    assert_int_equal(fbx_int(head, "FBXHeaderVersion"), 1003);
    assert_int_equal(fbx_int(head, "FBXVersion"), 7400);
    assert_int_equal(fbx_int(head, "EncryptionType"), 0);
    assert_int_equal(fbx_int(stamp, "Version"), 1000);
    char time[64];
    snprintf(time, sizeof time, "%04d-%02d-%02d %02d:%02d:%02d:%03d", (int)fbx_int(stamp, "Year"),
             (int)fbx_int(stamp, "Month"), (int)fbx_int(stamp, "Day"), (int)fbx_int(stamp, "Hour"),
             (int)fbx_int(stamp, "Minute"), (int)fbx_int(stamp, "Second"), (int)fbx_int(stamp, "Millisecond"));
    assert_string_equal(fbx_text(&file.root, "CreationTime"), time);
    assert_string_equal(fbx_text(head, "Creator"), "eigenrig " ERI_VERSION);
    assert_string_equal(fbx_text(&file.root, "Creator"), "eigenrig " ERI_VERSION);
    const fbx_record *id = fbx_one(&file.root, "FileId");
    assert_true(id->value_count == 1 && id->value[0].kind == 'R' && id->value[0].count == 16);
    const fbx_record *documents = fbx_one(&file.root, "Documents"), *document = fbx_one(documents, "Document"),
                     *root = fbx_one(document, "RootNode");
    assert_int_equal(fbx_int(documents, "Count"), 1);
    assert_true(document->value_count == 3 && document->value[0].integer > 0 && root->value[0].integer == 0);
    assert_null(fbx_object(&file, document->value[0].integer));
    assert_string_equal(document->value[1].text, "Scene");
    assert_string_equal(document->value[2].text, "Scene");
    const fbx_record *none = fbx_one(&file.root, "References"); // a list, and nothing in it
    assert_true(none->lists && none->record_count == 0 && none->value_count == 0);
}

static void objects_are_counted_and_joined(place *p, const fbx_file *file, const er_scene *scene, int clip_count,
                                           const er_clip *clip)
{
    (void)scene, (void)clip_count, (void)clip;
    const fbx_record *definitions = fbx_one(&file->root, "Definitions");
    int all = 1, types = 0; // the settings
    assert_int_equal(fbx_int(definitions, "Version"), 100);
    assert_true(file->objects->lists && fbx_one(&file->root, "Connections")->lists);
    for (int i = 0; i < definitions->record_count; ++i) {
        const fbx_record *type = &definitions->record[i];
        if (strcmp(type->name, "ObjectType") != 0) continue;
        const char *kind = type->value[0].text;
        ++types;
        bool settings = strcmp(kind, "GlobalSettings") == 0;
        assert_int_equal(fbx_int(type, "Count"), settings ? 1 : fbx_count(file, kind));
        if (!settings) all += fbx_count(file, kind);
    }
    assert_int_equal(types, 13);
    assert_int_equal(all, file->objects->record_count + 1);
    assert_int_equal(fbx_int(definitions, "Count"), all);
    bool *joined = ERI_NEW(p->arena, bool, (size_t)file->last_id + 1);
    for (int i = 0; i < file->link_count; ++i) {
        const fbx_link *link = &file->link[i];
        assert_non_null(fbx_object(file, link->child));
        assert_true(link->parent == 0 || fbx_object(file, link->parent) != NULL);
        joined[link->child] = joined[link->parent] = true;
        for (int k = i + 1; k < file->link_count && k < i + 40; ++k)
            assert_true(link->child != file->link[k].child || link->parent != file->link[k].parent ||
                        link->property != NULL);
    }
    for (int i = 0; i < file->objects->record_count; ++i) {
        const fbx_record *object = &file->objects->record[i];
        assert_true(object->value_count == 3 && object->value[0].kind == 'L');
        if (strcmp(object->name, "Pose") != 0 && strcmp(object->name, "Material") != 0 &&
            strcmp(object->name, "AnimationStack") != 0 && !joined[fbx_id(object)])
            fail_msg("a %s hangs on nothing", object->name);
    }
}

static void objects_are_counted_and_joined_in_all_files(void **state)
{
    judge_each(*state, objects_are_counted_and_joined);
}

// --- properties

// What FBX calls the types of properties: a type, a second name for it, flags, and the kinds of the values behind.
static const struct {
    const char *type, *label, *flags, *kinds, *names;
} property_types[] = {
    {"int", "Integer", "", "I",
     " UpAxis UpAxisSign FrontAxis FrontAxisSign CoordAxis CoordAxisSign OriginalUpAxis OriginalUpAxisSign "},
    {"enum", "", "", "I", " TimeMode RotationOrder InheritType "},
    {"bool", "", "", "I", " RotationActive UseMipMap UseMaterial "},
    {"KTime", "Time", "", "L", " TimeSpanStart TimeSpanStop LocalStart LocalStop ReferenceStart ReferenceStop "},
    {"double", "Number", "", "D",
     " UnitScaleFactor OriginalUnitScaleFactor CustomFrameRate Weight DiffuseFactor EmissiveFactor TransparencyFactor "
     "Opacity SpecularFactor Shininess ShininessExponent ReflectionFactor Maya|metallic "},
    {"Number", "", "A", "D", " d|X d|Y d|Z "},
    {"Lcl Translation", "", "A", "DDD", " Lcl_Translation "},
    {"Lcl Rotation", "", "A", "DDD", " Lcl_Rotation "},
    {"Lcl Scaling", "", "A", "DDD", " Lcl_Scaling "},
    {"Color", "", "A", "DDD", " DiffuseColor EmissiveColor TransparentColor SpecularColor "}};

static void expect_property(const fbx_record *p)
{
    char word[64];
    const fbx_value *v = p->value;
    assert_string_equal(p->name, "P");
    assert_true(p->value_count > 4 && !p->lists);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(v[i].kind, 'S');
    snprintf(word, sizeof word, " %s ", v[0].text);
    for (char *c = word + 1; c[1] != '\0'; ++c)
        if (*c == ' ') *c = '_';
    for (size_t i = 0; i < ERI_COUNT(property_types); ++i) {
        if (strstr(property_types[i].names, word) == NULL) continue;
        assert_string_equal(v[1].text, property_types[i].type);
        assert_string_equal(v[2].text, property_types[i].label);
        assert_string_equal(v[3].text, property_types[i].flags);
        assert_int_equal(p->value_count, 4 + (int)strlen(property_types[i].kinds));
        for (int k = 4; k < p->value_count; ++k)
            assert_int_equal(v[k].kind, property_types[i].kinds[k - 4]);
        return;
    }
    fail_msg("FBX does not know the property %s", v[0].text);
}

static void expect_properties(const fbx_record *record)
{
    for (int i = 0; i < record->record_count; ++i)
        if (strcmp(record->name, "Properties70") == 0)
            expect_property(&record->record[i]);
        else
            expect_properties(&record->record[i]);
}

static void properties_are_typed(place *p, const fbx_file *file, const er_scene *scene, int clip_count,
                                 const er_clip *clip)
{
    (void)p, (void)scene, (void)clip_count, (void)clip;
    expect_properties(&file->root);
}

static void properties_have_the_types_that_readers_know(void **state)
{
    judge_each(*state, properties_are_typed);
}

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

static void models_are_their_nodes(place *p, const fbx_file *file, const er_scene *scene, int clip_count,
                                   const er_clip *clip)
{
    (void)clip_count, (void)clip;
    int models = fbx_count(file, "Model");
    assert_true(models >= scene->node_count);
    for (int i = 0; i < models; ++i) {
        const fbx_record *model = fbx_nth(file, "Model", i), *order = fbx_property(model, "RotationOrder"),
                         *shading = fbx_one(model, "Shading");
        const char *type = fbx_type(model);
        assert_int_equal(fbx_int(model, "Version"), 232);
        assert_true(fbx_number(model, "InheritType") == 1.0); // RSrs: the parent's matrix times one's own
        assert_true((fbx_property(model, "RotationActive") != NULL) == (order != NULL));
        if (order != NULL) assert_true(order->value[4].integer > 0 && fbx_number(model, "RotationActive") == 1.0);
        assert_true(shading->value_count == 1 && shading->value[0].kind == 'C' && shading->value[0].integer == 1);
        assert_string_equal(fbx_text(model, "Culling"), "CullingOff");
        // a mesh is what its Geometry says; of others an attribute tells
        const fbx_record *attribute = fbx_child(file, fbx_id(model), NULL, "NodeAttribute", 0);
        bool mesh = strcmp(type, "Mesh") == 0;
        assert_true(mesh == (attribute == NULL));
        assert_true(mesh == (fbx_child(file, fbx_id(model), NULL, "Geometry", 0) != NULL) || !mesh);
        if (mesh) continue;
        if (i >= scene->node_count) { // a limb for a joint that a skin has twice: where the first one is
            assert_true(is_limb(model) && is_limb(fbx_above(file, model)));
            assert_true(er_v3_norm(fbx_vector(model, "Lcl Translation")) == 0.0);
            assert_true(er_v3_norm(fbx_vector(model, "Lcl Rotation")) == 0.0);
            assert_true(er_v3_distance(fbx_vector(model, "Lcl Scaling"), er_v3(1, 1, 1)) == 0.0);
        }
        assert_null(fbx_child(file, fbx_id(model), NULL, "NodeAttribute", 1));
        assert_string_equal(fbx_type(attribute), type);
        assert_string_equal(fbx_text(attribute, "TypeFlags"), strcmp(type, "LimbNode") == 0 ? "Skeleton" : "Null");
        size_t length = strlen(model->value[1].text);
        assert_memory_equal(attribute->value[1].text, model->value[1].text, length);
    }
    for (int i = 0; i < scene->node_count; ++i) { // first in the file, and in the scene's order
        const fbx_record *model = fbx_nth(file, "Model", i);
        int parent = scene->node[i].parent;
        assert_true(fbx_above(file, model) == (parent < 0 ? NULL : fbx_nth(file, "Model", parent)));
    }
    (void)p;
}

static void models_stand_for_the_nodes_in_their_order(void **state)
{
    judge_each(*state, models_are_their_nodes);
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

// What is drawn at one node with one skin: meshes in the order of their instances.
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

// Rigid groups hang on their nodes' Models or below them, and share what others draw already.
static void geometries_hold_the_meshes_one_after_another(void **state)
{
    place *p = *state;
    static const char *const scenes[] = {"parts", "strip", "crowd"};
    for (size_t s = 0; s < ERI_COUNT(scenes); ++s) {
        const er_scene *scene = made_scene(p->arena, scenes[s]);
        fbx_file file = written(p, scene, 0, NULL);
        group groups[32];
        int count = groups_of(scene, groups), shapes = 0, next = scene->node_count;
        while (next < fbx_count(&file, "Model") && strcmp(fbx_type(fbx_nth(&file, "Model", next)), "Mesh") != 0)
            ++next; // joints that a skin has twice
        for (int i = 0; i < count; ++i) {
            const fbx_record *model = fbx_nth(&file, "Model", groups[i].node);
            bool apart = strcmp(fbx_type(model), "Mesh") != 0 || (i > 0 && groups[i - 1].node == groups[i].node);
            if (apart) model = fbx_nth(&file, "Model", next++);
            expect_geometry(&file, model, scene, &groups[i]);
            bool known = false;
            for (int k = 0; k < i && groups[i].skin < 0; ++k)
                known = known || (groups[k].skin < 0 && groups[k].count == groups[i].count &&
                                  memcmp(groups[k].mesh, groups[i].mesh, sizeof groups[k].mesh) == 0);
            shapes += !known;
        }
        assert_int_equal(fbx_count(&file, "Geometry"), shapes);
        assert_int_equal(fbx_count(&file, "Model"), next);
    }
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

static void clusters_bind_as_their_skins_and_the_pose_say(void **state)
{
    judge_each(*state, clusters_bind);
}

// What draws a skin stands where its clusters were bound, here where the file's root is: as the node's own Model or
// below it; below the root where the node turns and stretches so that none could stand there, or its own draws a skin.
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
        int links = d.link_count, depth = d.depth;
        eri_fbx_open(&d, "A");
        eri_fbx_put_int(&d, "B", 1);
        eri_fbx_add_doubles(&d, (const double[40]){0}, 40);
        eri_fbx_connect(&d, 1, 0, NULL);
        eri_fbx_close(&d);
        assert_true(d.file.size == before && d.link_count == links && d.depth == depth && d.squeezing == NULL);
        assert_int_equal(eri_fbx_save(&d), want);
        assert_int_equal(files(p, false), 0);
        eri_fbx_finish(&d);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(the_head_says_one_time_in_all_its_ways),
        TEST(objects_are_counted_and_joined_in_all_files),
        TEST(properties_have_the_types_that_readers_know),
        TEST(axes_are_right_handed_whatever_is_up),
        TEST(frame_rates_have_the_numbers_of_fbx),
        TEST(models_stand_for_the_nodes_in_their_order),
        TEST(only_a_root_that_does_nothing_is_the_files_own),
        TEST(geometries_hold_the_meshes_one_after_another),
        TEST(clusters_bind_as_their_skins_and_the_pose_say),
        TEST(skins_are_drawn_by_a_model_of_their_own_where_the_nodes_cannot),
        TEST(what_a_limb_draws_is_below_it),
        TEST(a_dash_is_standard_output),
        TEST(a_document_keeps_its_first_failure),
    };
    return cmocka_run_group_tests_name("fbx_bytes", tests, NULL, NULL);
}
