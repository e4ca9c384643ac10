// Skins in another scale or at another place than their skeleton, as Collada, FBX and glTF: the reading that makes them
// fit is found, and there is none where nothing fits.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/sample.h"

enum { JOINTS = 4, VERTICES = 2 * JOINTS };

// A strip 1 wide and 3 high on four joints that stand 1 above each other, under a scaled armature.
typedef struct strip {
    double armature; // its scale
    double wrong;    // factor of the skin
    double away;     // of the skin, along x
    double node;     // place of the mesh's node, along x
    double missing;  // of the distance between nodes, whose skin binds them 1 apart
} strip;

static char *text;
static size_t text_size;
static FILE *out;

static void put_matrix(double scale, double x, double y, bool rows)
{
    if (rows)
        fprintf(out, "%g 0 0 %g 0 %g 0 %g 0 0 %g 0 0 0 0 1 ", scale, x, scale, y, scale);
    else
        fprintf(out, "%g,0,0,0,0,%g,0,0,0,0,%g,0,%g,%g,0,1", scale, scale, scale, x, y);
}

// Numbers of the inverse bind matrix of a joint: scale, x and y.
static void bind_of(const strip *s, int k, double bind[3])
{
    bind[0] = s->wrong / s->armature;
    bind[1] = s->away / s->armature;
    bind[2] = -k / s->armature;
}

static void put_corners(const char *between)
{
    for (int v = 0; v < VERTICES; ++v)
        fprintf(out, "%s%g%s%d%s0", v > 0 ? between : "", v % 2 - 0.5, between, v / 2, between);
}

static void put_source(const char *id, int count, int stride, const char *array)
{
    fprintf(out, "<source id=\"%s\"><%s id=\"%s-a\" count=\"%d\">", id, array, id, count * stride);
}

static void end_source(const char *id, int count, int stride, const char *array, const char *type)
{
    fprintf(out, "</%s><technique_common><accessor source=\"#%s-a\" count=\"%d\" stride=\"%d\">", array, id, count,
            stride);
    for (int k = 0; k < (stride == 3 ? 3 : 1); ++k)
        fprintf(out, "<param name=\"%c\" type=\"%s\"/>", "XYZ"[k], type);
    fputs("</accessor></technique_common></source>", out);
}

static const char *write_collada(const strip *s)
{
    fputs("<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
          "<asset><unit name=\"meter\" meter=\"1\"/><up_axis>Y_UP</up_axis></asset><library_geometries>"
          "<geometry id=\"g\"><mesh>",
          out);
    put_source("p", VERTICES, 3, "float_array");
    put_corners(" ");
    end_source("p", VERTICES, 3, "float_array", "float");
    fputs("<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"6\">"
          "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>",
          out);
    for (int k = 0; k < 6; ++k)
        fprintf(out, "%d %d %d ", k, k + 1, k + 2);
    fputs("</p></triangles></mesh></geometry></library_geometries><library_controllers><controller id=\"c\">"
          "<skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>",
          out);
    put_source("j", JOINTS, 1, "Name_array");
    fputs("j0 j1 j2 j3", out);
    end_source("j", JOINTS, 1, "Name_array", "name");
    put_source("b", JOINTS, 16, "float_array");
    for (int k = 0; k < JOINTS; ++k) {
        double bind[3];
        bind_of(s, k, bind);
        put_matrix(bind[0], bind[1], bind[2], true);
    }
    end_source("b", JOINTS, 16, "float_array", "float4x4");
    put_source("w", 1, 1, "float_array");
    fputs("1", out);
    end_source("w", 1, 1, "float_array", "float");
    fputs("<joints><input semantic=\"JOINT\" source=\"#j\"/><input semantic=\"INV_BIND_MATRIX\" source=\"#b\"/>"
          "</joints><vertex_weights count=\"8\"><input semantic=\"JOINT\" source=\"#j\" offset=\"0\"/>"
          "<input semantic=\"WEIGHT\" source=\"#w\" offset=\"1\"/><vcount>1 1 1 1 1 1 1 1</vcount>"
          "<v>0 0 0 0 1 0 1 0 2 0 2 0 3 0 3 0</v></vertex_weights></skin></controller></library_controllers>"
          "<library_visual_scenes><visual_scene id=\"s\"><node id=\"a\" name=\"armature\"><matrix>",
          out);
    put_matrix(s->armature, 0, 0, true);
    fputs("</matrix>", out);
    for (int k = 0; k < JOINTS; ++k) {
        fprintf(out, "<node id=\"j%d\" name=\"j%d\" sid=\"j%d\" type=\"JOINT\"><matrix>", k, k, k);
        put_matrix(1, 0, k > 0 ? (1.0 - s->missing) / s->armature : 0, true);
        fputs("</matrix>", out);
    }
    fprintf(out,
            "</node></node></node></node></node><node id=\"m\" name=\"m\"><translate>%g 0 "
            "0</translate><instance_controller url=\"#c\">"
            "<skeleton>#j0</skeleton></instance_controller></node></visual_scene></library_visual_scenes>"
            "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
            s->node);
    fclose(out);
    return sample_write("fit.dae", text, text_size);
}

static const char *write_fbx(const strip *s)
{
    fputs("; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"
          "Objects:  {\n\tGeometry: 200, \"Geometry::\", \"Mesh\" {\n\tVertices: *24 {\n\t\ta: ",
          out);
    put_corners(",");
    fputs("\n\t}\n\tPolygonVertexIndex: *18 {\n\t\ta: ", out);
    for (int k = 0; k < 6; ++k)
        fprintf(out, "%s%d,%d,%d", k > 0 ? "," : "", k, k + 1, -(k + 2) - 1);
    fprintf(out,
            "\n\t}\n}\nModel: 210, \"Model::m\", \"Mesh\" {\n\tVersion: 232\n\tProperties70:  {\n"
            "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",%g,0,0\n}\n}\n"
            "Model: 90, \"Model::armature\", \"Null\" {\n\tProperties70:  {\n"
            "P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",%g,%g,%g\n}\n}\n"
            "Deformer: 220, \"Deformer::\", \"Skin\" {\n\tVersion: 101\n}\n",
            s->node, s->armature, s->armature, s->armature);
    for (int k = 0; k < JOINTS; ++k) {
        double bind[3];
        bind_of(s, k, bind);
        fprintf(out,
                "Model: %d, \"Model::j%d\", \"LimbNode\" {\n\tProperties70:  {\n"
                "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,%g,0\n}\n}\n"
                "Deformer: %d, \"SubDeformer::\", \"Cluster\" {\n\tVersion: 100\n\tIndexes: *2 {\n\t\ta: %d,%d\n\t}\n"
                "\tWeights: *2 {\n\t\ta: 1,1\n\t}\n\tTransform: *16 {\n\t\ta: ",
                100 + k, k, k > 0 ? (1.0 - s->missing) / s->armature : 0.0, 230 + k, 2 * k, 2 * k + 1);
        put_matrix(bind[0], bind[1], bind[2], false);
        fputs("\n\t}\n\tTransformLink: *16 {\n\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t}\n}\n", out);
    }
    fputs("}\nConnections:  {\n\tC: \"OO\",90,0\n\tC: \"OO\",210,0\n\tC: \"OO\",200,210\n\tC: \"OO\",220,200\n", out);
    for (int k = 0; k < JOINTS; ++k)
        fprintf(out, "\tC: \"OO\",%d,%d\n\tC: \"OO\",%d,220\n\tC: \"OO\",%d,%d\n", 100 + k, k > 0 ? 99 + k : 90,
                230 + k, 100 + k, 230 + k);
    fputs("}\n", out);
    fclose(out);
    return sample_write("fit.fbx", text, text_size);
}

static const char *write_gltf(const strip *s)
{
    struct {
        float position[VERTICES][3];
        uint8_t joint[VERTICES][4];
        float weight[VERTICES][4];
        float bind[JOINTS][16];
        uint16_t index[18];
    } b = {0};
    for (int v = 0; v < VERTICES; ++v) {
        b.position[v][0] = (float)(v % 2) - 0.5f;
        b.position[v][1] = (float)(v / 2);
        b.joint[v][0] = (uint8_t)(v / 2);
        b.weight[v][0] = 1.0f;
    }
    for (int k = 0; k < 18; ++k)
        b.index[k] = (uint16_t)(k / 3 + k % 3);
    for (int k = 0; k < JOINTS; ++k) {
        double bind[3];
        bind_of(s, k, bind);
        for (int i = 0; i < 3; ++i)
            b.bind[k][5 * i] = (float)bind[0];
        b.bind[k][12] = (float)bind[1];
        b.bind[k][13] = (float)bind[2];
        b.bind[k][15] = 1.0f;
    }
    fprintf(out,
            "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,5]}],\"nodes\":["
            "{\"name\":\"armature\",\"scale\":[%g,%g,%g],\"children\":[1]}",
            s->armature, s->armature, s->armature);
    for (int k = 0; k < JOINTS; ++k)
        fprintf(out, ",{\"name\":\"j%d\",\"translation\":[0,%g,0]%s%.0d%s}", k,
                k > 0 ? (1.0 - s->missing) / s->armature : 0.0, k + 1 < JOINTS ? ",\"children\":[" : "",
                k + 1 < JOINTS ? k + 2 : 0, k + 1 < JOINTS ? "]" : "");
    fprintf(out, ",{\"name\":\"m\",\"translation\":[%g,0,0]", s->node);
    fputs(
        ",\"mesh\":0,\"skin\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
        "\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":4}]}],\"skins\":[{\"joints\":[1,2,3,4],"
        "\"inverseBindMatrices\":3}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\",\"min\":[-0.5,0,0],\"max\":[0.5,3,0]},"
        "{\"bufferView\":1,\"componentType\":5121,\"count\":8,\"type\":\"VEC4\"},"
        "{\"bufferView\":2,\"componentType\":5126,\"count\":8,\"type\":\"VEC4\"},"
        "{\"bufferView\":3,\"componentType\":5126,\"count\":4,\"type\":\"MAT4\"},"
        "{\"bufferView\":4,\"componentType\":5123,\"count\":18,\"type\":\"SCALAR\"}],\"bufferViews\":["
        "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},{\"buffer\":0,\"byteOffset\":96,\"byteLength\":32},"
        "{\"buffer\":0,\"byteOffset\":128,\"byteLength\":128},{\"buffer\":0,\"byteOffset\":256,\"byteLength\":256},"
        "{\"buffer\":0,\"byteOffset\":512,\"byteLength\":36}],\"buffers\":[{\"byteLength\":548}]}",
        out);
    fclose(out);
    size_t size;
    uint8_t *glb = sample_pack(text, (const uint8_t *)&b, sizeof b, &size);
    const char *path = sample_write("fit.glb", glb, size);
    free(glb);
    return path;
}

static bool warned(const er_scene *scene)
{
    for (int i = 0; i < scene->note_count; ++i)
        if (scene->note[i].kind == ER_NOTE_WARNING && strstr(scene->note[i].text, "apply all transforms") != NULL)
            return true;
    return false;
}

// The skinned strip at rest: its width, height and place along x.
static void measure(const er_scene *scene, double size[3])
{
    er_affine local[16], world[16];
    double position[3 * 64], low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    const er_mesh *mesh = &scene->mesh[0];
    assert_in_range(scene->node_count, 1, 16);
    assert_in_range(mesh->vertex_count, 8, 64);
    assert_int_equal(scene->instance_count, 1);
    er_scene_sample(scene, NULL, 0, local);
    er_scene_world(scene, local, world);
    er_scene_skin(scene, 0, world, position);
    for (int v = 0; v < mesh->vertex_count; ++v)
        for (int k = 0; k < 2; ++k) {
            low[k] = fmin(low[k], position[3 * v + k]);
            high[k] = fmax(high[k], position[3 * v + k]);
        }
    size[0] = high[0] - low[0];
    size[1] = high[1] - low[1];
    size[2] = 0.5 * (low[0] + high[0]);
}

static void skins_are_read_so_that_they_fit_their_skeleton(void **state)
{
    (void)state;
    static const struct {
        strip s;
        double size, away; // as read; without a warning if as written
    } rows[] = {
        {{1, 1, 0, 1000, 0}, 1, 0},       // right as it is
        {{0.01, 1, 0, 1000, 0}, 1, 0},    // likewise, under an armature in centimetres
        {{0.01, 100, 0, 1000, 0}, 1, 0},  // the scale of the armature is missing
        {{0.01, 0.01, 0, 1000, 0}, 1, 0}, // and is there twice
        {{1, 1000, 0, 1000, 0}, 1, 0},    // millimetres
        {{1, 0.01, 0, 1000, 0}, 1, 0},    // metres, and joints in centimetres
        {{1, 1, 50, 0, 0}, 1, 0},         // the place of the mesh's node
        {{1, 15, 0, 1000, 0}, 15, 0},     // hands and feet of a giant: not beyond doubt
        {{1, 30, 0, 1000, 0}, 30, 0},     // no reading fits
        {{1, 250, 80, 1000, 0}, 250, 80}, // likewise
        {{1, 1, 0, 1000, 1}, 1, 0},       // all nodes in one place: the bind pose
        {{0.01, 1, 0, 1000, 1}, 1, 0},    // likewise, under an armature
        {{1, 1, 0, 1000, 0.999}, 1, 0},   // a thousandth of the distances
        {{1, 1, 0, 1000, -99}, 1, 0},     // a hundred times: the skin is torn
        {{1, 1, 0, 1000, -1}, 1, 0},      // twice: bones may stretch
    };
    static const char *(*const write[])(const strip *) = {write_collada, write_fbx, write_gltf};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        for (size_t f = 0; f < ERI_COUNT(write); ++f) {
            er_scene *scene = NULL;
            double size[3];
            out = open_memstream(&text, &text_size);
            const char *path = write[f](&rows[i].s);
            free(text);
            if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
            measure(scene, size);
            bool changed = rows[i].s.wrong != rows[i].size || rows[i].s.away != rows[i].away ||
                           rows[i].s.missing > 0.5 || rows[i].s.missing < -9;
            double high = rows[i].s.missing == -1 ? 6 : 3;
            if (!(fabs(size[0] - rows[i].size) < 1e-4 * rows[i].size) ||
                !(fabs(size[1] - high * rows[i].size) < 1e-4 * rows[i].size) ||
                !(fabs(size[2] - rows[i].away) < 1e-4 * rows[i].size) || warned(scene) != changed)
                fail_msg("row %zu, format %zu: %g wide, %g high, at %g, %s", i, f, size[0], size[1], size[2],
                         warned(scene) ? "with a warning" : "without a warning");
            er_scene_destroy(scene);
        }
}

// The weight of a blend shape is that of its channel, in percent. Assimp drops it.
static void weights_of_blend_shapes_at_rest_are_warned_of_in_fbx(void **state)
{
    (void)state;
    static const char *const percents[] = {"0", "40", "-1e-3", "0.0", "none"};
    static const bool is_lost[] = {false, true, true, false, false};
    for (size_t i = 0; i < ERI_COUNT(percents); ++i) {
        er_scene *scene = NULL;
        out = open_memstream(&text, &text_size);
        write_fbx(&(strip){1, 1, 0, 1000, 0});
        char *shaped = malloc(text_size + 200), *rest = strstr(text, "}\nConnections:");
        assert_true(shaped != NULL && rest != NULL);
        int size = sprintf(shaped,
                           "%.*sDeformer: 300, \"SubDeformer::c\", \"BlendShapeChannel\" {\n\tVersion: 100\n"
                           "\tDeformPercent: %s\n}\n%s",
                           (int)(rest - text), text, percents[i], rest);
        const char *path = sample_write("shapes.fbx", shaped, (size_t)size);
        if (er_import_file(context, path, NULL, &scene) != ER_OK) fail_msg("%s", er_context_error(context));
        bool warned = false;
        for (int k = 0; k < scene->note_count; ++k)
            warned |= scene->note[k].kind == ER_NOTE_WARNING && strstr(scene->note[k].text, "blend shape") != NULL;
        if (warned != is_lost[i]) fail_msg("%s %%: %s", percents[i], warned ? "warned" : "no warning");
        er_scene_destroy(scene);
        free(shaped);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_blend_shapes_at_rest_are_warned_of_in_fbx),
        cmocka_unit_test(skins_are_read_so_that_they_fit_their_skeleton),
    };
    return cmocka_run_group_tests_name("import_fit", tests, set_up, tear_down);
}
