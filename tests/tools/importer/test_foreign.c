// What Assimp reads, on small files made on the spot: FBX, Wavefront and PLY as text, with every value worked out by
// hand from what the formats mean.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/sample.h"

static er_scene *import(const char *name, const char *text)
{
    er_scene *scene = NULL;
    if (er_import_file(context, sample_write(name, text, strlen(text)), NULL, &scene) != ER_OK)
        fail_msg("%s", er_context_error(context));
    assert_int_equal(er_scene_validate(context, scene), ER_OK);
    return scene;
}

static int node_named(const er_scene *scene, const char *name)
{
    for (int i = 0; i < scene->node_count; ++i)
        if (strcmp(scene->node[i].name, name) == 0) return i;
    fail_msg("no node \"%s\"", name);
    return -1;
}

// The node of a name that draws no mesh.
static int limb_named(const er_scene *scene, const char *name)
{
    for (int i = 0; i < scene->node_count; ++i) {
        bool drawn = false;
        for (int k = 0; k < scene->instance_count; ++k)
            drawn |= scene->instance[k].node == i;
        if (!drawn && strcmp(scene->node[i].name, name) == 0) return i;
    }
    fail_msg("no limb \"%s\"", name);
    return -1;
}

static bool noted(const er_scene *scene, er_note_kind kind, const char *words)
{
    for (int i = 0; i < scene->note_count; ++i)
        if (scene->note[i].kind == kind && strstr(scene->note[i].text, words) != NULL) return true;
    return false;
}

static void assert_floats(const float *got, const float *want, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!(fabsf(got[i] - want[i]) <= 1e-6f))
            fail_msg("number %zu is %g, not %g", i, (double)got[i], (double)want[i]);
}

static void assert_affine(er_affine got, er_affine want)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(fabs(got.linear.m[i][k] - want.linear.m[i][k]) <= 2e-6))
                fail_msg("entry %d %d is %g, not %g", i, k, got.linear.m[i][k], want.linear.m[i][k]);
    assert_true(er_v3_distance(got.translation, want.translation) <= 2e-6);
}

// World transforms at a time of the first clip, or at rest before 0.
static void pose(const er_scene *scene, double time, er_affine *world)
{
    er_affine local[16];
    assert_in_range(scene->node_count, 1, 16);
    er_scene_sample(scene, time >= 0.0 ? &scene->clip[0] : NULL, time, local);
    er_scene_world(scene, local, world);
}

static er_affine turned(er_vec3 at, er_quat q, er_vec3 scale)
{
    return er_affine_from_trs(at, q, scale);
}

static er_quat turn(double x, double y, double z)
{
    return er_q_exp(er_v3(x * ER_PI / 180, y * ER_PI / 180, z * ER_PI / 180));
}

// ---- FBX

static char *fbx; // the file in the making
static size_t fbx_size;
static FILE *fbx_stream;

// A file with bones "upper" (100) and "lower" (101) on top of each other, each with properties of its own.
static void begin_fbx(const char *settings, const char *upper, const char *lower)
{
    fbx_stream = open_memstream(&fbx, &fbx_size);
    fprintf(fbx_stream,
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
            "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n%s\t}\n}\nObjects:  {\n"
            "Model: 100, \"Model::upper\", \"LimbNode\" {\n\tProperties70:  {\n%s\t}\n}\n"
            "Model: 101, \"Model::lower\", \"LimbNode\" {\n\tProperties70:  {\n%s\t}\n}\n",
            settings, upper, lower);
}

#define VECTOR(name, x, y, z) "P: \"" name "\", \"" name "\", \"\", \"A\"," #x "," #y "," #z "\n"
#define ANGLES(name, x, y, z) "P: \"" name "\", \"Vector3D\", \"Vector\", \"\"," #x "," #y "," #z "\n"
#define NUMBER(name, v) "P: \"" name "\", \"int\", \"Integer\", \"\"," #v "\n"
#define REAL(name, v) "P: \"" name "\", \"double\", \"Number\", \"\"," #v "\n"
#define SECOND "46186158000"

static void add_stack(void)
{
    fputs("AnimationStack: 500, \"AnimStack::bend\", \"\" {\n\tProperties70:  {\n\t\tP: \"LocalStop\", \"KTime\", "
          "\"Time\", \"\"," SECOND "\n\t}\n}\nAnimationLayer: 501, \"AnimLayer::base\", \"\" {\n}\n",
          fbx_stream);
}

// A property's curve node and its three curves, straight from one value at 0 s to another at 1 s.
static void add_curves(int id, const double from[3], const double to[3])
{
    fprintf(fbx_stream, "AnimationCurveNode: %d, \"AnimCurveNode::C\", \"\" {\n}\n", id);
    for (int k = 0; k < 3; ++k)
        fprintf(fbx_stream,
                "AnimationCurve: %d, \"AnimCurve::\", \"\" {\n\tDefault: 0\n\tKeyVer: 4008\n"
                "\tKeyTime: *2 {\n\t\ta: 0," SECOND "\n\t}\n\tKeyValueFloat: *2 {\n\t\ta: %g,%g\n\t}\n"
                "\tKeyAttrFlags: *1 {\n\t\ta: 24836\n\t}\n\tKeyAttrDataFloat: *4 {\n\t\ta: 0,0,0,0\n\t}\n"
                "\tKeyAttrRefCount: *1 {\n\t\ta: 2\n\t}\n}\n",
                id + 1 + k, from[k], to[k]);
}

static void begin_connections(void)
{
    fputs("}\nConnections:  {\n\tC: \"OO\",100,0\n\tC: \"OO\",101,100\n", fbx_stream);
}

static void connect_curves(int id, int model, const char *property)
{
    static const char axes[] = "XYZ";
    fprintf(fbx_stream, "\tC: \"OO\",501,500\n\tC: \"OO\",%d,501\n\tC: \"OP\",%d,%d, \"%s\"\n", id, id, model,
            property);
    for (int k = 0; k < 3; ++k)
        fprintf(fbx_stream, "\tC: \"OP\",%d,%d, \"d|%c\"\n", id + 1 + k, id, axes[k]);
}

static er_scene *end_fbx(void)
{
    fputs("}\n", fbx_stream);
    fclose(fbx_stream);
    er_scene *scene = import("bones.fbx", fbx);
    free(fbx);
    return scene;
}

static void an_fbx_says_its_units_and_axes(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        double unit;
        er_vec3 up;
    } cases[] = {
        {"", 0.01, {0, 1, 0}},
        {NUMBER("UpAxis", 2) NUMBER("UpAxisSign", 1) REAL("UnitScaleFactor", 2.5), 0.025, {0, 0, 1}},
        {NUMBER("UpAxis", 0) NUMBER("UpAxisSign", -1) REAL("UnitScaleFactor", 100), 1.0, {-1, 0, 0}},
        {NUMBER("UpAxis", 1) NUMBER("UpAxisSign", -1) REAL("UnitScaleFactor", -3), 0.01, {0, -1, 0}},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        begin_fbx(cases[i].settings, VECTOR("Lcl Translation", 0, 1, 0), VECTOR("Lcl Translation", 0, 3, 0));
        begin_connections();
        er_scene *scene = end_fbx();
        assert_int_equal(scene->format, ER_FORMAT_FBX);
        assert_string_equal(scene->format_name, "Autodesk FBX");
        assert_true(fabs(scene->metres_per_unit - cases[i].unit) < 1e-9);
        assert_true(er_v3_distance(scene->up, cases[i].up) == 0.0);
        assert_int_equal(scene->node[node_named(scene, "lower")].flags, ER_NODE_JOINT);
        assert_int_equal(scene->node[0].flags, 0); // the root
        assert_true(noted(scene, ER_NOTE_WARNING, "2 nodes are taken as a skeleton's joints, from \"upper\" down"));
        er_scene_destroy(scene);
    }
}

// InheritType 2: a node does not take its parent's scale, though its offset from it does.
static void segment_scale_compensation_holds_at_rest_and_in_clips(void **state)
{
    (void)state;
    const er_vec3 one = er_v3(1, 1, 1);
    er_affine world[16];
    // The parent is scaled at rest, the child turns.
    begin_fbx("", VECTOR("Lcl Translation", 0, 1, 0) VECTOR("Lcl Scaling", 2, 4, 1),
              NUMBER("InheritType", 2) VECTOR("Lcl Translation", 0, 3, 0));
    add_stack();
    add_curves(510, (double[]){0, 0, 0}, (double[]){0, 0, 90});
    begin_connections();
    connect_curves(510, 101, "Lcl Rotation");
    er_scene *scene = end_fbx();
    int lower = node_named(scene, "lower");
    pose(scene, -1, world);
    assert_affine(world[lower], turned(er_v3(0, 13, 0), er_q_identity(), one));
    pose(scene, 0, world);
    assert_affine(world[lower], turned(er_v3(0, 13, 0), er_q_identity(), one));
    pose(scene, 1, world);
    assert_affine(world[lower], turned(er_v3(0, 13, 0), turn(0, 0, 90), one));
    er_scene_destroy(scene);
    // The parent is scaled by the clip alone, and the child has no channel in it.
    begin_fbx("", VECTOR("Lcl Translation", 0, 1, 0), NUMBER("InheritType", 2) VECTOR("Lcl Translation", 0, 3, 0));
    add_stack();
    add_curves(510, (double[]){1, 1, 1}, (double[]){1, 2, 1});
    begin_connections();
    connect_curves(510, 100, "Lcl Scaling");
    scene = end_fbx();
    pose(scene, 0, world);
    assert_affine(world[lower], turned(er_v3(0, 4, 0), er_q_identity(), one));
    pose(scene, 1, world);
    assert_affine(world[node_named(scene, "upper")], turned(er_v3(0, 1, 0), er_q_identity(), er_v3(1, 2, 1)));
    assert_affine(world[lower], turned(er_v3(0, 7, 0), er_q_identity(), one));
    er_scene_destroy(scene);
    // Without it the child takes the scale.
    begin_fbx("", VECTOR("Lcl Scaling", 2, 4, 1), NUMBER("InheritType", 1) VECTOR("Lcl Translation", 0, 3, 0));
    begin_connections();
    scene = end_fbx();
    pose(scene, -1, world);
    assert_affine(world[lower], turned(er_v3(0, 12, 0), er_q_identity(), er_v3(2, 4, 1)));
    er_scene_destroy(scene);
}

// T Pre R Post^-1 S, at rest and by each of the ways that Assimp tells of an animated chain.
static void rotations_before_and_after_hold_at_rest_and_in_clips(void **state)
{
    (void)state;
    static const char *const animated[] = {"Lcl Rotation", "Lcl Translation"};
    const er_quat pre = turn(90, 0, 0), post = turn(0, 30, 0);
    for (int i = 0; i < 2; ++i) {
        er_affine world[16];
        begin_fbx("", VECTOR("Lcl Translation", 0, 0, 0),
                  VECTOR("Lcl Translation", 0, 3, 0) ANGLES("PreRotation", 90, 0, 0) ANGLES("PostRotation", 0, 30, 0)
                      NUMBER("RotationActive", 1));
        add_stack();
        if (i == 0)
            add_curves(510, (double[]){0, 0, 0}, (double[]){0, 0, 60});
        else
            add_curves(510, (double[]){0, 3, 0}, (double[]){5, 3, 0});
        begin_connections();
        connect_curves(510, 101, animated[i]);
        er_scene *scene = end_fbx();
        int lower = node_named(scene, "lower");
        er_quat still = er_q_mul(pre, er_q_conj(post)),
                moved = er_q_mul(pre, er_q_mul(turn(0, 0, 60), er_q_conj(post)));
        pose(scene, -1, world);
        assert_affine(world[lower], turned(er_v3(0, 3, 0), still, er_v3(1, 1, 1)));
        pose(scene, 0, world);
        assert_affine(world[lower], turned(er_v3(0, 3, 0), still, er_v3(1, 1, 1)));
        pose(scene, 1, world);
        assert_affine(world[lower], turned(er_v3(i == 0 ? 0 : 5, 3, 0), i == 0 ? moved : still, er_v3(1, 1, 1)));
        assert_true(scene->clip[0].duration == 1.0);
        assert_string_equal(scene->clip[0].name, "bend");
        assert_true(noted(scene, ER_NOTE_FACT, "helper nodes for pivots"));
        assert_int_equal(scene->node_count, 3);
        er_scene_destroy(scene);
    }
}

// Neighbouring rotations lie in one hemisphere, whatever the angles were.
static void rotations_take_the_short_way(void **state)
{
    (void)state;
    begin_fbx("", VECTOR("Lcl Translation", 0, 1, 0), VECTOR("Lcl Translation", 0, 3, 0));
    add_stack();
    add_curves(510, (double[]){0, 0, 0}, (double[]){0, 0, 300});
    begin_connections();
    connect_curves(510, 101, "Lcl Rotation");
    er_scene *scene = end_fbx();
    const er_channel *c = scene->clip[0].channel;
    while (c->path != ER_PATH_ROTATION)
        ++c;
    for (int k = 1; k < c->key_count; ++k) {
        const double *q = c->value + 4 * k, *p = q - 4;
        assert_true(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] >= 0.0);
    }
    const double *last = c->value + 4 * (c->key_count - 1);
    assert_true(fabs(fabs(last[2]) - 0.5) < 1e-6);
    er_scene_destroy(scene);
}

// A triangle and a loose point on two bones, drawn twice; by one skin where the binds are equal.
static void check_skins(double second_bind, const char *const mesh_name[2])
{
    begin_fbx("", VECTOR("Lcl Translation", 0, 1, 0), VECTOR("Lcl Translation", 0, 3, 0));
    for (int i = 0; i < 2; ++i) {
        fprintf(fbx_stream,
                "Geometry: %d, \"Geometry::\", \"Mesh\" {\n\tVertices: *12 {\n\t\ta: 0,0,0,1,0,0,0,1,0,1,1,0\n\t}\n"
                "\tPolygonVertexIndex: *6 {\n\t\ta: 0,1,-3,2,1,-4\n\t}\n}\n"
                "Model: %d, \"Model::%s\", \"Mesh\" {\n\tVersion: 232\n}\n"
                "Deformer: %d, \"Deformer::\", \"Skin\" {\n\tVersion: 101\n}\n",
                200 + i, 210 + i, mesh_name[i], 220 + i);
        for (int k = 0; k < 2; ++k)
            fprintf(fbx_stream,
                    "Deformer: %d, \"SubDeformer::\", \"Cluster\" {\n\tVersion: 100\n\tIndexes: *2 {\n\t\ta: %s\n\t}\n"
                    "\tWeights: *2 {\n\t\ta: %s\n\t}\n"
                    "\tTransform: *16 {\n\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,%g,0,1\n\t}\n"
                    "\tTransformLink: *16 {\n\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,%d,0,1\n\t}\n}\n",
                    230 + 2 * i + k, k == 0 ? "0,1" : "1,2", k == 0 ? "1,0.25" : "0.75,0.5",
                    i == 0 || k == 0 ? -1.0 - 3 * k : second_bind, k == 0 ? 1 : 4);
    }
    begin_connections();
    for (int i = 0; i < 2; ++i) {
        fprintf(fbx_stream, "\tC: \"OO\",%d,0\n\tC: \"OO\",%d,%d\n\tC: \"OO\",%d,%d\n", 210 + i, 200 + i, 210 + i,
                220 + i, 200 + i);
        for (int k = 0; k < 2; ++k)
            fprintf(fbx_stream, "\tC: \"OO\",%d,%d\n\tC: \"OO\",%d,%d\n", 230 + 2 * i + k, 220 + i, 100 + k,
                    230 + 2 * i + k);
    }
    er_scene *scene = end_fbx();
    int upper = limb_named(scene, "upper"), lower = limb_named(scene, "lower");
    assert_int_equal(scene->mesh_count, 2);
    assert_int_equal(scene->instance_count, 2);
    bool equal = second_bind == -4.0;
    assert_int_equal(scene->skin_count, equal ? 1 : 2);
    assert_int_equal(scene->node[upper].flags, ER_NODE_JOINT);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(scene->node[scene->instance[i].node].flags, 0);
    const er_skin *skin = &scene->skin[0];
    assert_int_equal(skin->joint_count, 2);
    int u = skin->joint[0] == upper ? 0 : 1;
    assert_int_equal(skin->joint[u], upper);
    assert_int_equal(skin->joint[1 - u], lower);
    assert_affine(skin->inverse_bind[u], turned(er_v3(0, -1, 0), er_q_identity(), er_v3(1, 1, 1)));
    assert_affine(skin->inverse_bind[1 - u], turned(er_v3(0, -4, 0), er_q_identity(), er_v3(1, 1, 1)));
    for (int i = 0; i < 2; ++i) {
        const er_mesh *mesh = &scene->mesh[scene->instance[i].mesh];
        assert_int_equal(scene->instance[i].skin, equal ? 0 : i);
        assert_int_equal(mesh->triangle_count, 2);
        for (int v = 0; v < mesh->vertex_count; ++v) {
            int number = (int)mesh->position[3 * v] + 2 * (int)mesh->position[3 * v + 1];
            float sum[2] = {0, 0};
            static const float want[4][2] = {{1, 0}, {0.25f, 0.75f}, {0, 1}, {0, 0}};
            for (int k = mesh->influence_start[v]; k < mesh->influence_start[v + 1]; ++k)
                sum[mesh->influence_joint[k] == u ? 0 : 1] += mesh->influence_weight[k];
            assert_floats(sum, want[number], 2);
        }
    }
    assert_true(noted(scene, ER_NOTE_FACT, "2 vertices had weights that did not sum to 1"));
    assert_true(noted(scene, ER_NOTE_WARNING, "2 vertices of skinned meshes have no weight"));
    er_scene_destroy(scene);
}

static void weights_and_binds_of_an_fbx_come_through(void **state)
{
    (void)state;
    static const char *const names[2] = {"skin0", "skin1"};
    check_skins(-4.0, names);
    check_skins(-5.0, names);
}

static void a_mesh_that_bears_a_bones_name_is_not_the_bone(void **state)
{
    (void)state;
    static const char *const names[2] = {"lower", "upper"};
    check_skins(-4.0, names);
}

// ---- B3D

static void put_chunk(FILE *to, const char *tag, const void *bytes, size_t size)
{
    uint32_t length = (uint32_t)size;
    fwrite(tag, 1, 4, to);
    fwrite(&length, sizeof length, 1, to);
    fwrite(bytes, 1, size, to);
}

static void put_triangle(FILE *to)
{
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const int32_t forms[3] = {0, 0, 0}, brush = -1, triangle[4] = {-1, 0, 1, 2};
    char vertices[sizeof forms + sizeof corners], *bytes;
    size_t size;
    FILE *f = open_memstream(&bytes, &size);
    memcpy(vertices, forms, sizeof forms);
    memcpy(vertices + sizeof forms, corners, sizeof corners);
    fwrite(&brush, sizeof brush, 1, f);
    put_chunk(f, "VRTS", vertices, sizeof vertices);
    put_chunk(f, "TRIS", triangle, sizeof triangle);
    fclose(f);
    put_chunk(to, "MESH", bytes, size);
    free(bytes);
}

// A node with a triangle, at (0, 1, 0), that is there in frame 1 and at (2, 1, 0) in frame `frames`.
static void put_node(FILE *to, int frames)
{
    static const float place[10] = {0, 1, 0, 1, 1, 1, 1, 0, 0, 0}, there[3] = {2, 1, 0};
    char *bytes;
    size_t size;
    FILE *f = open_memstream(&bytes, &size);
    fwrite("moves", 1, 6, f);
    fwrite(place, sizeof place, 1, f);
    put_triangle(f);
    char keys[4 + 2 * 16];
    const int32_t flags = 1, number[2] = {1, frames}, anim[2] = {0, frames - 1};
    const float fps = 10;
    memcpy(keys, &flags, 4);
    for (int k = 0; k < 2; ++k) {
        memcpy(keys + 4 + 16 * k, &number[k], 4);
        memcpy(keys + 8 + 16 * k, k == 0 ? place : there, 12);
    }
    put_chunk(f, "KEYS", keys, sizeof keys);
    char chunk[12];
    memcpy(chunk, anim, 8);
    memcpy(chunk + 8, &fps, 4);
    put_chunk(f, "ANIM", chunk, sizeof chunk);
    fclose(f);
    put_chunk(to, "NODE", bytes, size);
    free(bytes);
}

// Exporters write a key in a frame that is one past the number of frames.
static void a_b3d_with_a_clip_opens(void **state)
{
    (void)state;
    enum { FRAMES = 11 };
    char *bytes, *file;
    size_t size, file_size;
    FILE *f = open_memstream(&bytes, &size);
    const int32_t version = 1;
    fwrite(&version, 4, 1, f);
    put_node(f, FRAMES);
    fclose(f);
    f = open_memstream(&file, &file_size);
    put_chunk(f, "BB3D", bytes, size);
    fclose(f);
    er_scene *scene = NULL;
    er_affine world[16];
    if (er_import_file(context, sample_write("moves.b3d", file, file_size), NULL, &scene) != ER_OK)
        fail_msg("%s", er_context_error(context));
    assert_int_equal(scene->clip_count, 1);
    pose(scene, scene->clip[0].duration, world);
    assert_true(fabs(fabs(world[node_named(scene, "moves")].translation.x) - 2) < 1e-6);
    er_scene_destroy(scene);
    free(bytes);
    free(file);
}

// ---- nodes

static void cameras_and_lights_are_flagged(void **state)
{
    (void)state;
    er_scene *scene =
        import("cameras.dae",
               "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
               "version=\"1.4.1\"><asset>"
               "<created>2020-01-01T00:00:00Z</created><modified>2020-01-01T00:00:00Z</modified>"
               "<unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis></asset>"
               "<library_cameras><camera id=\"c\" name=\"c\"><optics><technique_common><perspective><xfov>45</xfov>"
               "<znear>0.1</znear><zfar>10</zfar></perspective></technique_common></optics></camera></library_cameras>"
               "<library_lights><light id=\"l\" name=\"l\"><technique_common><point><color>1 1 1</color></point>"
               "</technique_common></light></library_lights><library_visual_scenes><visual_scene id=\"s\" name=\"s\">"
               "<node id=\"eye\" name=\"eye\"><translate>1 2 3</translate><instance_camera url=\"#c\"/></node>"
               "<node id=\"sun\" name=\"sun\"><instance_light url=\"#l\"/></node>"
               "<node id=\"bone\" name=\"bone\"><node id=\"tip\" name=\"tip\"/></node>"
               "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
    er_affine world[16];
    assert_int_equal(scene->node[node_named(scene, "eye")].flags, ER_NODE_CAMERA);
    assert_int_equal(scene->node[node_named(scene, "sun")].flags, ER_NODE_LIGHT);
    assert_int_equal(scene->node[node_named(scene, "bone")].flags, ER_NODE_JOINT);
    assert_true(noted(scene, ER_NOTE_WARNING, "2 nodes are taken as a skeleton's joints, from \"bone\" down"));
    pose(scene, -1, world); // metres, y up: z comes to be y, and y to be -z
    assert_true(er_v3_distance(world[node_named(scene, "eye")].translation, er_v3(0.01, 0.03, -0.02)) < 1e-6);
    er_scene_destroy(scene);
}

// ---- meshes and materials

static void lines_are_left_out_and_counted(void **state)
{
    (void)state;
    er_scene *scene = import("mixed.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no wire\nl 1 2 3\no sheet\nf 1 2 4 3\n");
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->instance_count, 1);
    assert_string_equal(scene->mesh[0].name, "sheet");
    assert_int_equal(scene->mesh[0].triangle_count, 2);
    assert_int_equal(scene->instance[0].node, node_named(scene, "sheet"));
    assert_true(noted(scene, ER_NOTE_FACT, "2 faces are points, lines or broken"));
    er_scene_destroy(scene);
    scene = import("wire.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n");
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->instance_count, 0);
    assert_true(noted(scene, ER_NOTE_FACT, "2 faces are points, lines or broken"));
    er_scene_destroy(scene);
}

static void colors_of_vertices_come_through(void **state)
{
    (void)state;
    er_scene *scene = import(
        "colors.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                      "property float nx\nproperty float ny\nproperty float nz\nproperty uchar red\n"
                      "property uchar green\nproperty uchar blue\nproperty uchar alpha\nelement face 1\n"
                      "property list uchar int vertex_indices\nend_header\n0 0 0 0 0 1 255 0 51 255\n"
                      "1 0 0 0 0 1 0 255 51 255\n0 1 0 0 0 1 0 0 51 102\n3 0 1 2\n");
    static const float color[] = {1, 0, 0.2f, 1, 0, 1, 0.2f, 1, 0, 0, 0.2f, 0.4f},
                       normal[] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    assert_int_equal(scene->mesh[0].vertex_count, 3);
    assert_floats(scene->mesh[0].color, color, ERI_COUNT(color));
    assert_floats(scene->mesh[0].normal, normal, ERI_COUNT(normal));
    er_scene_destroy(scene);
}

static void materials_and_their_pictures_come_through(void **state)
{
    (void)state;
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 1, 2, 3}, jpeg[] = {0xFF, 0xD8, 0xFF, 7};
    static const char mtl[] = "newmtl clay\nKd 0.2 0.4 0.6\nKe 0.1 0.2 0.3\nNs 98\nd 0.5\nmap_Kd C:\\art\\skin.png\n"
                              "norm maps/bump.jpg\nnewmtl bare\nKd 2 0.5 0.25\nmap_Kd odd.tga\nmap_Ke lost.png\n"
                              "newmtl twice\nKd 0.5 0.25 0.125\nmap_Kd C:\\art\\skin.png\nd 0\n";
    char folder[300];
    snprintf(folder, sizeof folder, "%s/Textures", sample_folder());
    assert_int_equal(mkdir(folder, 0777), 0);
    sample_write("skin.png", png, sizeof png);
    sample_write("Textures/bump.jpg", jpeg, sizeof jpeg);
    sample_write("odd.tga", "neither", 7);
    sample_write("t.mtl", mtl, strlen(mtl));
    er_scene *scene =
        import("t.obj", "mtllib t.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0.25\nvt 1 0.25\nvt 0 1\no sheet\n"
                        "usemtl clay\nf 1/1 2/2 3/3\no quad\nusemtl bare\nf 1 2 4 3\no third\nusemtl twice\nf 1 2 4\n");
    assert_int_equal(scene->mesh_count, 3);
    const er_material *clay = &scene->material[scene->mesh[0].material],
                      *bare = &scene->material[scene->mesh[1].material],
                      *twice = &scene->material[scene->mesh[2].material];
    static const float clay_color[] = {1, 1, 1, 0.5f}, glow[] = {0.1f, 0.2f, 0.3f}, bare_color[] = {1, 0.5f, 0.25f, 1};
    assert_string_equal(clay->name, "clay");
    assert_floats(clay->base_color, clay_color, 4); // the picture stands in place of the colour
    assert_floats(clay->emissive, glow, 3);
    assert_int_equal(clay->alpha_mode, ER_ALPHA_BLEND);
    assert_floats(&clay->roughness, (float[]){0.141421356f}, 1); // sqrt(2 / (98 + 2))
    assert_floats(&clay->metallic, (float[]){0}, 1);
    assert_string_equal(bare->name, "bare");
    assert_floats(bare->base_color, bare_color, 4);
    assert_int_equal(bare->alpha_mode, ER_ALPHA_OPAQUE);
    assert_floats(&bare->roughness, (float[]){1}, 1);
    assert_int_equal(bare->base_color_image, -1);
    assert_int_equal(bare->emissive_image, -1);
    assert_int_equal(scene->image_count, 2);
    assert_int_equal(twice->base_color_image, clay->base_color_image);
    assert_true(twice->base_color[3] == 1.0f); // an opacity of 0 says nothing
    const er_image *skin = &scene->image[clay->base_color_image], *bump = &scene->image[clay->normal_image];
    assert_string_equal(skin->mime, "image/png");
    assert_string_equal(bump->mime, "image/jpeg");
    assert_int_equal(skin->size, sizeof png);
    assert_memory_equal(skin->bytes, png, sizeof png);
    assert_memory_equal(bump->bytes, jpeg, sizeof jpeg);
    assert_true(noted(scene, ER_NOTE_WARNING, "\"odd.tga\" is neither PNG nor JPEG"));
    assert_true(noted(scene, ER_NOTE_WARNING, "\"lost.png\" was not found"));
    static const float uv[] = {0, 0.75f, 1, 0.75f, 0, 0}; // v runs down here
    assert_floats(scene->mesh[0].uv, uv, ERI_COUNT(uv));
    er_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_fbx_says_its_units_and_axes),
        cmocka_unit_test(segment_scale_compensation_holds_at_rest_and_in_clips),
        cmocka_unit_test(rotations_before_and_after_hold_at_rest_and_in_clips),
        cmocka_unit_test(rotations_take_the_short_way),
        cmocka_unit_test(weights_and_binds_of_an_fbx_come_through),
        cmocka_unit_test(a_mesh_that_bears_a_bones_name_is_not_the_bone),
        cmocka_unit_test(a_b3d_with_a_clip_opens),
        cmocka_unit_test(cameras_and_lights_are_flagged),
        cmocka_unit_test(lines_are_left_out_and_counted),
        cmocka_unit_test(colors_of_vertices_come_through),
        cmocka_unit_test(materials_and_their_pictures_come_through),
    };
    return cmocka_run_group_tests_name("import_foreign", tests, set_up, tear_down);
}
