// Sampling, posing and skinning against closed forms, and every promise of scene.h broken one at a time.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "scene/trs.h"
#include "scene/writing.h"
#include "support/context.h"

#define assert_near(got, want, tolerance) assert_true(fabs((got) - (want)) <= (tolerance)) // cmocka's is for floats

// ---- a two-bone strip along y, its upper bone animated ----

// Vertices on the strip's left edge and one that nothing weighs.
static const float strip_position[] = {0, 0, 0, 0, 0.5f, 0, 0, 1, 0, 0, 1.5f, 0, 0, 2, 0, 3, 0, 0};
static const int strip_index[] = {0, 1, 2, 2, 3, 4};
static const int strip_start[] = {0, 1, 2, 4, 5, 6, 6};
static const int strip_joint[] = {0, 0, 0, 1, 1, 1};
static const float strip_weight[] = {1, 1, 0.5f, 0.5f, 1, 1};
static const int joints[] = {1, 2};

typedef struct strip {
    er_node node[4];
    er_affine inverse_bind[2];
    er_mesh mesh;
    er_skin skin;
    er_instance instance;
    er_material material;
    er_image image;
    double time[3], rotation[12], translation[9];
    er_channel channel[2];
    er_clip clip;
    er_note note;
    er_scene scene;
} strip;

static er_affine shift(double x, double y, double z)
{
    er_affine r = er_affine_identity();
    r.translation = er_v3(x, y, z);
    return r;
}

static void make_strip(strip *s)
{
    static const uint8_t bytes[4] = {1, 2, 3, 4};
    memset(s, 0, sizeof *s);
    s->node[0] = (er_node){.name = "mesh", .parent = -1, .local = shift(10, 0, 0), .source_index = -1};
    s->node[1] =
        (er_node){.name = "lower", .parent = -1, .local = shift(0, 0, 5), .flags = ER_NODE_JOINT, .source_index = -1};
    s->node[2] =
        (er_node){.name = "upper", .parent = 1, .local = shift(0, 1, 0), .flags = ER_NODE_JOINT, .source_index = -1};
    s->node[3] =
        (er_node){.name = "tip", .parent = 2, .local = shift(0, 1, 0), .flags = ER_NODE_END_SITE, .source_index = -1};
    s->inverse_bind[0] = er_affine_identity();
    s->inverse_bind[1] = shift(0, -1, 0);
    s->mesh = (er_mesh){.name = "strip",
                        .vertex_count = 6,
                        .triangle_count = 2,
                        .position = strip_position,
                        .index = strip_index,
                        .material = 0,
                        .influence_start = strip_start,
                        .influence_joint = strip_joint,
                        .influence_weight = strip_weight};
    s->skin = (er_skin){"skin", 2, joints, s->inverse_bind};
    s->instance = (er_instance){0, 0, 0};
    s->material = (er_material){.name = "grey",
                                .base_color = {0.5f, 0.5f, 0.5f, 1},
                                .roughness = 1,
                                .base_color_image = 0,
                                .normal_image = -1,
                                .emissive_image = -1};
    s->image = (er_image){"image", "image/png", bytes, sizeof bytes};
    s->time[0] = 1, s->time[1] = 2, s->time[2] = 4;
    const double angle[3] = {0, ER_PI / 2, ER_PI}; // about z
    for (int k = 0; k < 3; ++k) {
        s->rotation[4 * k + 2] = sin(angle[k] / 2);
        s->rotation[4 * k + 3] = cos(angle[k] / 2);
        s->translation[3 * k] = k * k;
        s->translation[3 * k + 1] = 1;
    }
    s->channel[0] = (er_channel){2, ER_PATH_TRANSLATION, ER_LINEAR, 3, s->time, s->translation};
    s->channel[1] = (er_channel){2, ER_PATH_ROTATION, ER_LINEAR, 3, s->time, s->rotation};
    s->clip = (er_clip){"bend", 4, 2, s->channel};
    s->note = (er_note){ER_NOTE_FACT, "made by hand"};
    s->scene = (er_scene){.path = "strip",
                          .format = ER_FORMAT_OTHER,
                          .format_name = "hand",
                          .metres_per_unit = 1,
                          .up = {0, 1, 0},
                          .node_count = 4,
                          .node = s->node,
                          .mesh_count = 1,
                          .mesh = &s->mesh,
                          .instance_count = 1,
                          .instance = &s->instance,
                          .skin_count = 1,
                          .skin = &s->skin,
                          .material_count = 1,
                          .material = &s->material,
                          .image_count = 1,
                          .image = &s->image,
                          .clip_count = 1,
                          .clip = &s->clip,
                          .note_count = 1,
                          .note = &s->note};
}

static er_affine upper_at(const strip *s, double time)
{
    er_affine local[4];
    er_scene_sample(&s->scene, &s->scene.clip[0], time, local);
    return local[2];
}

static void assert_affine(er_affine got, er_affine want, double tolerance)
{
    assert_true(eri_affine_near(got, want, tolerance));
}

static er_affine turned(double angle, double x, double y, double z)
{
    return er_affine_from_trs(er_v3(x, y, z), er_q(cos(angle / 2), 0, 0, sin(angle / 2)), er_v3(1, 1, 1));
}

static void rest_is_sampled_without_a_clip(void **state)
{
    strip s;
    make_strip(&s);
    er_affine local[4];
    er_scene_sample(&s.scene, NULL, 3.0, local);
    for (int i = 0; i < 4; ++i)
        assert_memory_equal(&local[i], &s.node[i].local, sizeof local[i]);
}

static void linear_keys_are_lines_and_arcs(void **state)
{
    strip s;
    make_strip(&s);
    // Rotation by 90 degrees from 1 s to 2 s and by another 90 from 2 s to 4 s; x = 0, 1, 4 at the keys.
    assert_affine(upper_at(&s, 1.5), turned(ER_PI / 4, 0.5, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 2.0), turned(ER_PI / 2, 1, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 3.5), turned(ER_PI * 7 / 8, 3.25, 1, 0), 1e-15);
}

static void values_are_held_outside_the_keys(void **state)
{
    strip s;
    make_strip(&s);
    assert_affine(upper_at(&s, -7.0), turned(0, 0, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 1.0), turned(0, 0, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 4.0), turned(ER_PI, 4, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 1e300), turned(ER_PI, 4, 1, 0), 1e-15);
}

static void step_keys_hold_until_the_next(void **state)
{
    strip s;
    make_strip(&s);
    s.channel[0].interpolation = s.channel[1].interpolation = ER_STEP;
    assert_affine(upper_at(&s, 1.999), turned(0, 0, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 2.0), turned(ER_PI / 2, 1, 1, 0), 1e-15);
    assert_affine(upper_at(&s, 3.999), turned(ER_PI / 2, 1, 1, 0), 1e-15);
}

// A cubic spline with the right tangents is the cubic itself, on each axis, on keys of uneven steps.
static void cubic_keys_reproduce_a_cubic(void **state)
{
    strip s;
    make_strip(&s);
    static const double a[3][4] = {{0, -2, 0, 1}, {1, 0.5, -3, 0.25}, {-2, 1, 1, -1}}; // of t^0 to t^3
    double value[27];
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) {
            double t = s.time[k], slope = a[i][1] + 2 * a[i][2] * t + 3 * a[i][3] * t * t;
            value[9 * k + i] = value[9 * k + 6 + i] = slope;
            value[9 * k + 3 + i] = a[i][0] + a[i][1] * t + a[i][2] * t * t + a[i][3] * t * t * t;
        }
    s.channel[0].interpolation = ER_CUBIC;
    s.channel[0].value = value;
    for (double t = 1.0; t <= 4.0; t += 0.125) {
        er_vec3 at = upper_at(&s, t).translation;
        const double got[3] = {at.x, at.y, at.z};
        for (int i = 0; i < 3; ++i)
            assert_near(got[i], a[i][0] + a[i][1] * t + a[i][2] * t * t + a[i][3] * t * t * t, 1e-12);
    }
}

static void cubic_rotations_come_out_unit(void **state)
{
    strip s;
    make_strip(&s);
    double value[36] = {0};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 4; ++i) {
            value[12 * k + i] = 0.3 * i - 0.2 * k; // tangents of no meaning
            value[12 * k + 4 + i] = 1.5 * s.rotation[4 * k + i];
            value[12 * k + 8 + i] = 0.1 * k - 0.4 * i;
        }
    s.channel[1].interpolation = ER_CUBIC;
    s.channel[1].value = value;
    for (double t = 1.0; t <= 4.0; t += 0.25) {
        er_affine a = upper_at(&s, t);
        er_affine product = {er_m3_mul(a.linear, er_m3_transpose(a.linear)), {0, 0, 0}};
        assert_affine(product, er_affine_identity(), 1e-14);
    }
}

static void channels_leave_the_rest_of_a_node_alone(void **state)
{
    strip s;
    make_strip(&s);
    // A mirrored, scaled rest; a clip that only moves it must keep its linear part.
    s.node[2].local = er_affine_from_trs(er_v3(0, 1, 0), er_q_exp(er_v3(0.3, -0.7, 0.2)), er_v3(-2, 0.5, 3));
    s.clip.channel_count = 1;
    er_affine want = s.node[2].local, got = upper_at(&s, 2.0);
    want.translation = er_v3(1, 1, 0);
    assert_affine(got, want, 1e-15);
}

// A scale of the clip takes the rest's place, and the rest's shift and turn stay.
static void sizes_are_sampled_like_places(void **state)
{
    strip s;
    make_strip(&s);
    const double size[] = {1, 1, 1, 2, 4, -8, 3, 1, 1};
    er_quat q = er_q_exp(er_v3(0.3, -0.7, 0.2));
    s.node[2].local = er_affine_from_trs(er_v3(0, 1, 0), q, er_v3(5, 6, 7));
    s.channel[0] = (er_channel){2, ER_PATH_SCALE, ER_LINEAR, 3, s.time, size};
    s.clip.channel_count = 1;
    assert_affine(upper_at(&s, 1.25), er_affine_from_trs(er_v3(0, 1, 0), q, er_v3(1.25, 1.75, -1.25)), 1e-15);
    assert_affine(upper_at(&s, 3.0), er_affine_from_trs(er_v3(0, 1, 0), q, er_v3(2.5, 2.5, -3.5)), 1e-15);
}

// Two nodes of one clip, and what each channel moves.
static void each_node_has_its_own_channels(void **state)
{
    strip s;
    make_strip(&s);
    const er_channel both[] = {
        {1, ER_PATH_TRANSLATION, ER_LINEAR, 3, s.time, s.translation}, s.channel[0], s.channel[1]};
    s.clip.channel = both;
    s.clip.channel_count = 3;
    er_affine local[4];
    er_scene_sample(&s.scene, &s.clip, 3.5, local);
    assert_affine(local[1], shift(3.25, 1, 0), 1e-15);
    assert_affine(local[2], turned(ER_PI * 7 / 8, 3.25, 1, 0), 1e-15);
    assert_memory_equal(&local[3], &s.node[3].local, sizeof local[3]);
}

static void a_transform_is_inverted_or_refused(void **state)
{
    er_affine a = er_affine_from_trs(er_v3(1, -2, 3), er_q_exp(er_v3(0.3, -0.7, 0.2)), er_v3(2, 0.5, -3)), inverse;
    assert_true(eri_affine_invert(a, &inverse));
    assert_affine(er_affine_mul(a, inverse), er_affine_identity(), 1e-14);
    assert_affine(er_affine_mul(inverse, a), er_affine_identity(), 1e-14);
    a.linear.m[0][2] = a.linear.m[1][2] = a.linear.m[2][2] = 0;
    assert_false(eri_affine_invert(a, &inverse));
}

static void world_is_the_product_of_locals(void **state)
{
    strip s;
    make_strip(&s);
    er_affine local[4], world[4];
    er_scene_sample(&s.scene, &s.scene.clip[0], 2.0, local);
    er_scene_world(&s.scene, local, world);
    assert_true(er_v3_distance(world[2].translation, er_v3(1, 1, 5)) < 1e-15);
    assert_true(er_v3_distance(world[3].translation, er_v3(0, 1, 5)) < 1e-15); // the tip, turned from +y to -x
    assert_memory_equal(&world[0], &local[0], sizeof world[0]);
    s.node[1].parent = 0; // the first node is a parent like any other
    er_scene_world(&s.scene, local, world);
    assert_true(er_v3_distance(world[1].translation, er_v3_add(er_v3(10, 0, 0), local[1].translation)) < 1e-15);
}

static void skinning_blends_the_bones(void **state)
{
    strip s;
    make_strip(&s);
    s.clip.channel = &s.channel[1]; // rotation alone, about the joint at y = 1
    s.clip.channel_count = 1;
    er_affine local[4], world[4];
    double p[18];
    er_scene_sample(&s.scene, &s.scene.clip[0], 2.0, local);
    er_scene_world(&s.scene, local, world);
    er_scene_skin(&s.scene, 0, world, p);
    // The lower half stays, the upper lies along -x from (0, 1); the vertex at the joint is where both put it; the
    // vertex without weights goes with the mesh's node, ten to the right.
    const double want[18] = {0, 0, 5, 0, 0.5, 5, 0, 1, 5, -0.5, 1, 5, -1, 1, 5, 13, 0, 0};
    for (int i = 0; i < 18; ++i)
        assert_near(p[i], want[i], 1e-15);
    s.instance.skin = -1;
    er_scene_skin(&s.scene, 0, world, p);
    for (int i = 0; i < 18; ++i)
        assert_near(p[i], strip_position[i] + (i % 3 == 0 ? 10 : 0), 1e-15);
}

// ---- validation ----

static void a_good_scene_is_valid(void **state)
{
    strip s;
    make_strip(&s);
    assert_int_equal(er_scene_validate(context, &s.scene), ER_OK);
    assert_int_equal(er_scene_validate(context, NULL), ER_ERROR_ARGUMENT);
    er_scene_destroy(NULL);
}

// Each of these breaks one promise, of what the message must name.
#define BREAK(named, ...)                                                                                              \
    do {                                                                                                               \
        strip s;                                                                                                       \
        make_strip(&s);                                                                                                \
        __VA_ARGS__;                                                                                                   \
        assert_refusal(context, er_scene_validate(context, &s.scene), ER_ERROR_FORMAT, named);                         \
    } while (0)

static void every_broken_promise_is_found(void **state)
{
    static const float hole[] = {0, 0, 0, 0, 0.5f, 0, 0, 1, 0, 0, 1.5f, 0, 0, NAN, 0, 3, 0, 0};
    static const float twice[] = {2, 1, 0.5f, 0.5f, 1, 1}, negative[] = {1, 1, -0.5f, 1.5f, 1, 1};
    static const int far_joint[] = {0, 0, 0, 2, 1, 1}, outside[] = {0, 1, 2, 2, 3, 6}, back[] = {0, 1, 2, 1, 5, 6, 6};
    static const int lost[] = {1, 4}, before[] = {-1, 2}, under[] = {0, 1, 2, -1, 3, 4};
    static const int nobody[] = {0, 0, 0, -1, 1, 1}, all[] = {0, 1, 2, 3, 4, 5, 6};
    static const float light[] = {1, 1, 1, 1, 1, 0.9999f};
    BREAK("node", s.scene.node = NULL);
    BREAK("meshes", s.scene.mesh_count = -1);
    BREAK("metres", s.scene.metres_per_unit = 0);
    BREAK("metres", s.scene.metres_per_unit = NAN);
    BREAK("up", s.scene.up = er_v3(0, 2, 0));
    BREAK("format", s.scene.format = (er_format)9);
    BREAK("format", s.scene.format_name = NULL);
    BREAK("name", s.node[1].name = "\xFF");
    BREAK("parent", s.node[2].parent = 2);
    BREAK("parent", s.node[2].parent = -2);
    BREAK("node 2", s.node[2].local.linear.m[1][1] = HUGE_VAL);
    BREAK("flags", s.node[2].flags = 64);
    BREAK("source", s.node[2].source_index = -2);
    BREAK("channels", s.node[2].channel_count = 7);
    BREAK("channel", s.node[2].channel_count = 1, s.node[2].channels[0] = 6);
    BREAK("position", s.mesh.position = hole);
    BREAK("position", s.mesh.position = NULL);
    BREAK("normal", s.mesh.normal = hole);
    BREAK("texture", s.mesh.uv = hole + 3);
    BREAK("colour", s.mesh.vertex_count = 4, s.mesh.index = NULL, s.mesh.triangle_count = 0,
          s.mesh.influence_start = NULL, s.mesh.color = strip_position);
    BREAK("vertex", s.mesh.index = outside);
    BREAK("material", s.mesh.material = 1);
    BREAK("vertices", s.mesh.vertex_count = -1);
    BREAK("start", s.mesh.influence_start = strip_start + 1);
    BREAK("vertex 2", s.mesh.influence_start = back);
    BREAK("vertex 0 of mesh 0", s.mesh.influence_weight = twice);
    BREAK("vertex 2 of mesh 0", s.mesh.influence_weight = negative);
    BREAK("joint 2", s.mesh.influence_joint = far_joint);
    BREAK("joint 1 of skin 0", s.skin.joint = lost);
    BREAK("joint 1 of skin 0", s.inverse_bind[1].translation.y = NAN);
    BREAK("node", s.instance.node = 4);
    BREAK("mesh", s.instance.mesh = -1);
    BREAK("mesh", s.instance.mesh = 1);
    BREAK("skin", s.instance.skin = 1);
    BREAK("[0, 1]", s.material.roughness = 1.5f);
    BREAK("alpha", s.material.alpha_mode = (er_alpha_mode)3);
    BREAK("image", s.material.emissive_image = 1);
    BREAK("PNG", s.image.mime = "image/gif");
    BREAK("empty", s.image.size = 0);
    BREAK("node", s.channel[0].node = 4);
    BREAK("path", s.channel[0].path = (er_path)4);
    BREAK("keys", s.channel[0].key_count = 0);
    BREAK("clip 0 on node 2", s.time[1] = 1);
    BREAK("key 1 of clip 0", s.translation[4] = NAN);
    BREAK("clip 0", s.rotation[3] = 1.1);
    BREAK("clip 0", s.channel[1] = s.channel[0]);
    BREAK("clip 0", s.clip.duration = 3.5);
    BREAK("duration", s.clip.duration = NAN);
    BREAK("note", s.note.text = "two\nlines");
    BREAK("note", s.note.text = "two\rlines");
    BREAK("note", s.note.text = NULL);
    BREAK("-1 nodes", s.scene.node_count = -1);
    BREAK("instances", s.scene.instance = NULL);
    BREAK("skins", s.scene.skin = NULL);
    BREAK("materials", s.scene.material = NULL);
    BREAK("images", s.scene.image = NULL);
    BREAK("clips", s.scene.clip = NULL);
    BREAK("notes", s.scene.note = NULL);
    BREAK("-1 of 1 instances", s.scene.added_count = -1);
    BREAK("2 of 1 instances", s.scene.added_count = 2);
    BREAK("no path", s.scene.path = NULL);
    BREAK("format -1", s.scene.format = (er_format)-1);
    BREAK(" frames", s.scene.fps = -1);
    BREAK(" frames", s.scene.fps = NAN);
    BREAK(" frames", s.scene.fps = HUGE_VAL);
    BREAK("metres", s.scene.metres_per_unit = HUGE_VAL);
    BREAK("up", s.scene.up = er_v3(0, 0.999, 0));
    BREAK("forward", s.scene.forward = er_v3(0, 0, 0.5));
    BREAK("forward", s.scene.forward = er_v3(0, 0, NAN));
    BREAK("name of node 2", s.node[2].name = NULL);
    BREAK("role of node 2", s.node[2].role = "\xFF");
    BREAK("node 2", s.node[2].local.linear.m[2][0] = NAN);
    BREAK("node 2", s.node[2].local.linear.m[0][2] = NAN);
    BREAK("node 2", s.node[2].local.translation.z = NAN);
    BREAK("kind 6", s.node[3].channel_count = 6, s.node[3].channels[5] = 6);
    BREAK("name of mesh 0", s.mesh.name = NULL);
    BREAK("-1 triangles", s.mesh.triangle_count = -1);
    BREAK("-1 morph", s.mesh.morph_count = -1);
    BREAK("mesh 0", s.mesh.index = NULL);
    BREAK("triangle 1 of mesh 0 has vertex -1", s.mesh.index = under);
    BREAK("material", s.mesh.material = -2);
    BREAK("mesh 0", s.mesh.influence_joint = NULL);
    BREAK("mesh 0", s.mesh.influence_weight = NULL);
    BREAK("joint -1", s.mesh.influence_joint = nobody);
    BREAK("vertex 5 of mesh 0", s.mesh.influence_start = all, s.mesh.influence_weight = light);
    BREAK("name of skin 0", s.skin.name = "\x80");
    BREAK("-1 joints", s.skin.joint_count = -1);
    BREAK("skin 0", s.skin.joint = NULL);
    BREAK("skin 0", s.skin.inverse_bind = NULL);
    BREAK("node -1 of 4", s.skin.joint = before);
    BREAK("node -1", s.instance.node = -1);
    BREAK("skin -2", s.instance.skin = -2);
    BREAK("instance 0", s.scene.added_count = 1);
    BREAK("name of material 0", s.material.name = NULL);
    BREAK("[0, 1]", s.material.base_color[3] = 1.5f);
    BREAK("[0, 1]", s.material.base_color[0] = -0.5f);
    BREAK("[0, 1]", s.material.emissive[2] = NAN);
    BREAK("[0, 1]", s.material.metallic = -0.25f);
    BREAK("[0, 1]", s.material.alpha_cutoff = NAN);
    BREAK("alpha", s.material.alpha_mode = (er_alpha_mode)-1);
    BREAK("image", s.material.base_color_image = -2);
    BREAK("image", s.material.normal_image = 1);
    BREAK("name of image 0", s.image.name = NULL);
    BREAK("PNG", s.image.mime = NULL);
    BREAK("empty", s.image.bytes = NULL);
    BREAK("name of clip 0", s.clip.name = NULL);
    BREAK("-1 channels", s.clip.channel_count = -1);
    BREAK("clip 0", s.clip.channel = NULL);
    BREAK("node -1 of 4", s.channel[0].node = -1);
    BREAK("path -1", s.channel[0].path = (er_path)-1);
    BREAK("interpolation 3", s.channel[0].interpolation = (er_interpolation)3);
    BREAK("interpolation -1", s.channel[0].interpolation = (er_interpolation)-1);
    BREAK("on node 2", s.channel[1].time = NULL);
    BREAK("on node 2", s.channel[1].value = NULL);
    BREAK("key 2", s.time[2] = NAN);
    BREAK("key 2 of clip 0", s.translation[8] = HUGE_VAL);
    BREAK("key 2 of clip 0", s.rotation[10] = 0.999);
    double tangents[27] = {0};
    tangents[26] = NAN; // of the last key's tangent
    BREAK("key 2 of clip 0", s.channel[0] = (er_channel){2, ER_PATH_TRANSLATION, ER_CUBIC, 3, s.time, tangents});
    BREAK("key 0 of clip 0", s.channel[1].interpolation = ER_STEP, s.rotation[0] = 0.1);
}

// Each of these is the last that a promise allows.
#define KEEP(...)                                                                                                      \
    do {                                                                                                               \
        strip s;                                                                                                       \
        make_strip(&s);                                                                                                \
        __VA_ARGS__;                                                                                                   \
        if (er_scene_validate(context, &s.scene) != ER_OK) fail_msg(#__VA_ARGS__ ": %s", er_context_error(context));   \
    } while (0)

static void what_a_promise_just_allows_is_valid(void **state)
{
    static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    static const int nobody[7] = {0}, last[] = {3, 3};
    KEEP(s.instance.skin = -1, s.scene.added_count = 1);
    KEEP(s.scene.format = ER_FORMAT_GLTF);
    KEEP(s.scene.forward = er_v3(0, 0, -1));
    KEEP(s.scene.clip_count = 0, s.scene.clip = NULL);
    KEEP(s.node[3].source_index = 0);
    KEEP(s.node[2].channel_count = 6; for (int k = 0; k < 6; ++k) s.node[2].channels[k] = (unsigned char)k);
    KEEP(s.mesh.vertex_count = 4, s.mesh.index = NULL, s.mesh.triangle_count = 0, s.mesh.influence_start = NULL,
         s.mesh.color = corners);
    KEEP(s.mesh.influence_start = nobody, s.mesh.influence_joint = NULL, s.mesh.influence_weight = NULL);
    KEEP(s.mesh.material = -1);
    KEEP(s.skin.joint = last);
    KEEP(s.skin.joint_count = 0, s.mesh.influence_start = nobody);
    KEEP(s.instance.node = 3);
    KEEP(s.material.roughness = 0, s.material.metallic = 1);
    KEEP(s.material.alpha_cutoff = 7);
    KEEP(s.material.alpha_mode = ER_ALPHA_BLEND);
    KEEP(s.image.size = 1);
    KEEP(s.channel[0].node = 3, s.channel[0].key_count = 1);
    KEEP(s.channel[0].interpolation = ER_STEP);
    KEEP(s.clip.channel_count = 0);
    KEEP(s.clip.channel_count = 0, s.clip.channel = NULL);
    KEEP(s.clip.duration = 5);
    KEEP(s.scene.fps = 24);
    KEEP(s.scene.forward = er_v3(0, 0.6, 0.8));
    KEEP(s.node[2].role = "leftFoot");
    KEEP(s.node[2].flags = ER_NODE_JOINT | ER_NODE_CAMERA | ER_NODE_LIGHT | ER_NODE_END_SITE);
    KEEP(s.mesh.morph_count = 3);
    KEEP(s.mesh.normal = strip_position, s.mesh.uv = strip_position);
    KEEP(s.image.mime = "image/jpeg");
    KEEP(s.material.emissive_image = 0, s.material.normal_image = 0, s.material.base_color_image = -1);
    KEEP(s.channel[1] = (er_channel){2, ER_PATH_SCALE, ER_LINEAR, 3, s.time, s.translation});
    KEEP(s.channel[1] = (er_channel){2, ER_PATH_MORPH, ER_LINEAR, 3, s.time, NULL});
    // cubic rotations are made unit when they are sampled
    KEEP(s.channel[1] = (er_channel){2, ER_PATH_ROTATION, ER_CUBIC, 1, s.time, s.rotation},
         s.rotation[0] = s.rotation[4] = 2);
}

// Clips may move the same nodes: channels are compared within a clip. Faults are found in any clip, at any node.
static void clips_are_judged_one_by_one(void **state)
{
    strip s;
    make_strip(&s);
    er_channel more[3] = {s.channel[0], s.channel[1], s.channel[0]};
    more[2].node = 1;
    er_clip two[3] = {s.clip, {"again", 4, 3, more}, {"and again", 4, 2, s.channel}};
    s.scene.clip = two;
    s.scene.clip_count = 3;
    assert_int_equal(er_scene_validate(context, &s.scene), ER_OK);
    more[2].path = ER_PATH_ROTATION;
    more[2].value = s.rotation;
    assert_int_equal(er_scene_validate(context, &s.scene), ER_OK);
    two[1].duration = 3.9;
    assert_refusal(context, er_scene_validate(context, &s.scene), ER_ERROR_FORMAT, "clip 1 ends at 3.9 s");
    two[1].duration = 4;
    more[2] = (er_channel){2, ER_PATH_SCALE, ER_LINEAR, 3, s.time, s.translation};
    more[1].node = 1; // channels of node 2 on both sides
    assert_refusal(context, er_scene_validate(context, &s.scene), ER_ERROR_FORMAT, "clip 1 on node 2");
}

// A mesh's joints must be in the skin that it is drawn with, whichever mesh that is.
static void a_skin_has_the_joints_of_its_mesh(void **state)
{
    strip s;
    make_strip(&s);
    er_mesh two[2] = {s.mesh, s.mesh};
    two[0].influence_start = NULL;
    er_skin skins[2] = {s.skin, s.skin};
    skins[1].joint_count = 1;
    s.scene.mesh = two;
    s.scene.mesh_count = 2;
    s.scene.skin = skins;
    s.scene.skin_count = 2;
    static const struct {
        er_instance drawn;
        er_result result;
    } cases[] = {{{0, 0, 0}, ER_OK},  {{0, 0, 1}, ER_OK},           {{0, 1, 0}, ER_OK},          {{0, 1, -1}, ER_OK},
                 {{0, 0, -1}, ER_OK}, {{0, 1, 1}, ER_ERROR_FORMAT}, {{0, 1, 2}, ER_ERROR_FORMAT}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        s.instance = cases[i].drawn;
        assert_int_equal(er_scene_validate(context, &s.scene), cases[i].result);
    }
}

// A scene that is about to be written is told of with its file.
static void what_may_not_be_written_is_told_with_its_file(void **state)
{
    strip s;
    make_strip(&s);
    assert_int_equal(eri_scene_check(context, &s.scene, "out.glb"), ER_OK);
    s.scene.fps = -1;
    assert_refusal(context, eri_scene_check(context, &s.scene, "out.glb"), ER_ERROR_ARGUMENT, "-1 frames");
    assert_memory_equal(er_context_error(context), "out.glb: ", 9);
    assert_int_equal(eri_scene_check(context, NULL, "out.glb"), ER_ERROR_ARGUMENT);
    assert_int_equal(er_scene_validate(NULL, &s.scene), ER_ERROR_ARGUMENT);
}

static void clips_are_found_by_name_and_by_index(void **state)
{
    const er_clip clip[3] = {{.name = "walk"}, {.name = "0"}, {.name = "walk"}}, *found = NULL;
    const er_scene scene = {.clip_count = 3, .clip = clip};
    assert_int_equal(er_scene_find_clip(context, &scene, "walk", &found), ER_OK);
    assert_ptr_equal(found, &clip[0]);
    assert_int_equal(er_scene_find_clip(context, &scene, "0", &found), ER_OK); // a name comes before an index
    assert_ptr_equal(found, &clip[1]);
    const er_scene plain = {.clip_count = 2, .clip = (const er_clip[2]){{.name = "walk"}, {.name = "run"}}};
    assert_int_equal(er_scene_find_clip(context, &plain, "0", &found), ER_OK);
    assert_ptr_equal(found, &plain.clip[0]);
    assert_int_equal(er_scene_find_clip(context, &plain, "1", &found), ER_OK);
    assert_ptr_equal(found, &plain.clip[1]);
    assert_int_equal(er_scene_find_clip(context, &scene, "02", &found), ER_OK);
    assert_ptr_equal(found, &clip[2]);
    static const char *const none[] = {"", "run", "3", "-1", "+1", " 1", "1 ", "1x", "99999999999999999999"};
    for (size_t i = 0; i < ERI_COUNT(none); ++i) {
        found = clip;
        assert_refusal(context, er_scene_find_clip(context, &scene, none[i], &found), ER_ERROR_ARGUMENT, none[i]);
        assert_null(found);
    }
}

// A name that nobody has brings those that are like it.
static void a_clip_that_is_not_there_is_told_by_what_is(void **state)
{
    const er_clip clip[3] = {{.name = "Walk"}, {.name = "run"}, {.name = "RUN"}}, *found = NULL;
    er_scene scene = {.clip_count = 3, .clip = clip};
    static const struct {
        const char *name;
        int clip;
        const char *named;
    } cases[] = {{"walk", 0, NULL},     {"RUN", 2, NULL},       {"Run", 1, NULL},         {"2", 2, NULL},
                 {"3", -1, "\"Walk\""}, {"rum", -1, "\"run\""}, {"wakl", -1, "\"Walk\""}, {"swim", -1, "\"Walk\""}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_result r = er_scene_find_clip(context, &scene, cases[i].name, &found);
        if (cases[i].named == NULL) assert_int_equal(r, ER_OK);
        if (cases[i].named != NULL) assert_refusal(context, r, ER_ERROR_ARGUMENT, cases[i].named);
        assert_ptr_equal(found, cases[i].clip >= 0 ? &clip[cases[i].clip] : NULL);
    }
    scene.clip_count = 0;
    assert_refusal(context, er_scene_find_clip(context, &scene, "walk", &found), ER_ERROR_ARGUMENT, "\"walk\"");
    assert_int_equal(er_scene_find_clip(context, &scene, "0", &found), ER_ERROR_ARGUMENT);
    assert_int_equal(er_scene_find_clip(context, &scene, "0", NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_scene_find_clip(NULL, &scene, "0", &found), ER_ERROR_ARGUMENT);
    assert_int_equal(er_scene_find_clip(context, NULL, "0", &found), ER_ERROR_ARGUMENT);
    assert_int_equal(er_scene_find_clip(context, &scene, NULL, &found), ER_ERROR_ARGUMENT);
}

static void morphs_move_no_node(void **state)
{
    strip s;
    er_affine local[4];
    make_strip(&s);
    const er_channel channel = {2, ER_PATH_MORPH, ER_LINEAR, 3, s.time, NULL};
    const er_clip clip = {"morph", 1, 1, &channel};
    er_scene_sample(&s.scene, &clip, 0.25, local);
    for (int i = 0; i < 4; ++i)
        assert_memory_equal(&local[i], &s.node[i].local, sizeof local[i]);
}

// Weights kept as floats sum to 1 only to float rounding, and the vertex must not drift by that.
static void a_vertex_of_many_influences_stays_where_it_is(void **state)
{
    static const float position[3] = {1000, 0, 0}, weight[3] = {0.3f, 0.3f, 0.4f};
    static const int start[2] = {0, 3}, joint[3] = {0, 1, 0}, joint_node[2] = {0, 0};
    const er_affine bind[2] = {er_affine_identity(), er_affine_identity()}, world[1] = {er_affine_identity()};
    const er_mesh mesh = {.vertex_count = 1,
                          .position = position,
                          .influence_start = start,
                          .influence_joint = joint,
                          .influence_weight = weight};
    const er_skin skin = {"", 2, joint_node, bind};
    const er_instance instance = {0, 0, 0};
    const er_scene scene = {.mesh = &mesh, .skin = &skin, .instance = &instance};
    double out[3];
    er_scene_skin(&scene, 0, world, out);
    assert_near(out[0], 1000, 1e-12); // 3e-5 off with the sum that the floats have
}

// The tolerance is relative to the largest column of the second.
static void transforms_are_near_by_their_size(void **state)
{
    er_affine a = shift(0, 0, 0), b = a;
    b.linear.m[1][1] = 1.05;
    assert_true(eri_affine_near(a, b, 0.0501) && !eri_affine_near(a, b, 0.04));
    for (int i = 0; i < 3; ++i)
        a.linear.m[i][i] = b.linear.m[i][i] = 100;
    b.linear.m[0][2] = 1;
    assert_true(eri_affine_near(a, b, 0.0101) && !eri_affine_near(a, b, 0.009));
    b = a;
    b.translation.y = 3;
    assert_true(eri_affine_near(a, b, 0.0301) && !eri_affine_near(a, b, 0.029));
    a.translation.y = b.translation.y = 1000;
    b.translation.x = 1;
    assert_true(eri_affine_near(a, b, 0.00101) && !eri_affine_near(a, b, 0.0009));
}

// ---- what writers ask

static void a_clip_starts_at_its_first_key_but_not_after_zero(void **state)
{
    static const double late[] = {0.5, 1}, early[] = {-0.5, 1}, earlier[] = {-9};
    const er_channel all[] = {{0, ER_PATH_MORPH, ER_LINEAR, 0, NULL, NULL},
                              {0, ER_PATH_MORPH, ER_LINEAR, 2, NULL, NULL},
                              {0, ER_PATH_MORPH, ER_LINEAR, 0, earlier, NULL},
                              {1, ER_PATH_SCALE, ER_LINEAR, 2, late, NULL},
                              {2, ER_PATH_SCALE, ER_LINEAR, 2, early, NULL}};
    const er_clip none = {"none", 1, 3, all}, after = {"after", 1, 4, all}, before = {"before", 1, 5, all};
    assert_true(eri_clip_start(&none) == 0.0);
    assert_true(eri_clip_start(&after) == 0.0);
    assert_true(eri_clip_start(&before) == -0.5);
}

static void what_is_drawn_is_sorted_by_node_and_skin(void **state)
{
    static const er_mesh mesh[] = {
        {.vertex_count = 3, .triangle_count = 1}, {.vertex_count = 3}, {.triangle_count = 1}};
    static const er_instance instance[] = {{2, 0, 1}, {1, 0, 0}, {2, 0, -1}, {0, 1, 0},
                                           {2, 0, 1}, {0, 2, 0}, {1, 0, -1}};
    const er_scene scene = {.mesh = mesh, .instance = instance, .instance_count = 7};
    static const int want[] = {6, 1, 2, 0, 4};
    int order[7];
    assert_int_equal(eri_scene_draws(&scene, order), 5);
    assert_memory_equal(order, want, sizeof want);
}

static void loose_vertices_are_found(void **state)
{
    static const int all[] = {0, 1, 2}, last[] = {0, 1, 1}, first[] = {0, 0, 1};
    er_mesh mesh = {.vertex_count = 2};
    assert_true(eri_mesh_has_unweighted(&mesh));
    mesh.influence_start = all;
    assert_false(eri_mesh_has_unweighted(&mesh));
    mesh.influence_start = last;
    assert_true(eri_mesh_has_unweighted(&mesh));
    mesh.influence_start = first;
    assert_true(eri_mesh_has_unweighted(&mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_is_sampled_without_a_clip),
        cmocka_unit_test(linear_keys_are_lines_and_arcs),
        cmocka_unit_test(values_are_held_outside_the_keys),
        cmocka_unit_test(step_keys_hold_until_the_next),
        cmocka_unit_test(cubic_keys_reproduce_a_cubic),
        cmocka_unit_test(cubic_rotations_come_out_unit),
        cmocka_unit_test(channels_leave_the_rest_of_a_node_alone),
        cmocka_unit_test(sizes_are_sampled_like_places),
        cmocka_unit_test(each_node_has_its_own_channels),
        cmocka_unit_test(a_transform_is_inverted_or_refused),
        cmocka_unit_test(world_is_the_product_of_locals),
        cmocka_unit_test(skinning_blends_the_bones),
        cmocka_unit_test(a_good_scene_is_valid),
        cmocka_unit_test(every_broken_promise_is_found),
        cmocka_unit_test(what_a_promise_just_allows_is_valid),
        cmocka_unit_test(clips_are_judged_one_by_one),
        cmocka_unit_test(a_skin_has_the_joints_of_its_mesh),
        cmocka_unit_test(what_may_not_be_written_is_told_with_its_file),
        cmocka_unit_test(clips_are_found_by_name_and_by_index),
        cmocka_unit_test(a_clip_that_is_not_there_is_told_by_what_is),
        cmocka_unit_test(morphs_move_no_node),
        cmocka_unit_test(a_vertex_of_many_influences_stays_where_it_is),
        cmocka_unit_test(transforms_are_near_by_their_size),
        cmocka_unit_test(a_clip_starts_at_its_first_key_but_not_after_zero),
        cmocka_unit_test(what_is_drawn_is_sorted_by_node_and_skin),
        cmocka_unit_test(loose_vertices_are_found),
    };
    return cmocka_run_group_tests_name("scene", tests, set_up, tear_down);
}
