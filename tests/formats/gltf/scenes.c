// Scenes made by hand that the tests of the glTF writer write.
#include "scenes.h"

#include <string.h>

#include "support/hand.h"
#include "support/pieces.h"

const char *const scene_names[] = {"strip", "parts", "crowd", "bones", "blank", NULL};

static er_node node(const char *name, int parent, er_affine local)
{
    er_node n = {.name = name, .parent = parent, .local = local, .source_index = -1};
    return n;
}

static er_channel channel(er_arena *arena, int target, er_path path, er_interpolation interpolation, int keys,
                          const double *time, const double *value, int values)
{
    er_channel c = {target, path, interpolation, keys, time, copy(arena, value, (size_t)values * sizeof *value)};
    return c;
}

// Two bones, a strip, centimetres, Z up: what an FBX looks like, with a clip, a material and a picture.
static er_scene *make_strip(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 0.01, er_v3(0, 0, 1));
    er_node nodes[] = {node("Armature", -1, hand_turned(er_v3(3, 0, 0), er_v3(0.3, 0, 0), er_v3(100, 100, 100))),
                       node("lower", 0, hand_at(0, 0, 0)),
                       node("upper", 1, hand_turned(er_v3(0, 0, 0.5), er_v3(0, 0.2, 0), er_v3(1, 1, 1))),
                       node("strip", 0, hand_at(9, 9, 9))};
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "strip", 8, 100.0)};
    influence(arena, &mesh[0], 2, 2, false);
    mesh[0].material = 0;
    SET(s, arena, mesh, mesh);
    er_skin skin[] = {bind_skin(arena, s, "bones", 1, 2, NULL)};
    SET(s, arena, skin, skin);
    er_instance instance[] = {{3, 0, 0}};
    SET(s, arena, instance, instance);
    er_material material[] = {{.name = "red",
                               .base_color = {1.0f, 0.25f, 0.1f, 0.5f},
                               .emissive = {0.1f, 0.0f, 0.0f},
                               .metallic = 0.2f,
                               .roughness = 0.7f,
                               .alpha_cutoff = 0.4f,
                               .alpha_mode = ER_ALPHA_MASK,
                               .double_sided = true,
                               .base_color_image = 0,
                               .normal_image = -1,
                               .emissive_image = 0}};
    SET(s, arena, material, material);
    er_image image[] = {{"dot", "image/png", red_png, sizeof red_png}};
    SET(s, arena, image, image);
    double times[] = {0.0, 0.5, 1.0};
    const double *time = COPY(arena, times);
    // the third key is minus the rotation nearest to the second
    double turn[] = {0, 0, 0, 1, 0, 0.3826834323650898, 0, 0.9238795325112867, 0, -0.5, 0, -0.8660254037844386};
    double slide[] = {0, 0, 0, 0, 0, 0.5, 0.1, 0, 0, 0.2, 0, 0, 0.1, 0, 0.7, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0};
    double size[] = {1, 1, 1, 1, 1, 1.5, 1, 1, 1};
    er_channel channels[] = {channel(arena, 2, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn, 12),
                             channel(arena, 2, ER_PATH_TRANSLATION, ER_CUBIC, 3, time, slide, 27),
                             channel(arena, 1, ER_PATH_SCALE, ER_STEP, 3, time, size, 9)};
    er_clip clip[] = {{"bend", 1.0, 3, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// Rigid parts: one mesh at many nodes, many meshes at one node, and transforms of every sort.
static er_scene *make_parts(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 1, 0));
    er_affine sheared = hand_at(0, 4, 0);
    sheared.linear.m[0][1] = 0.75;
    er_node nodes[] = {node("base", -1, hand_at(1, 2, 3)),
                       node("mirror", 0, hand_turned(er_v3(0, 1, 0), er_v3(0.1, 0.2, 0.3), er_v3(-1, 2, 0.5))),
                       node("flat", 1, hand_turned(er_v3(0, 0, 1), er_v3(0, 1, 0), er_v3(1, 0, 1))),
                       node("shear", 0, sheared),
                       node("point", 3, hand_turned(er_v3(1, 1, 1), er_v3(0, 0, 0), er_v3(0, 0, 0))),
                       node("other root", -1, hand_at(-5, 0, 0)),
                       node("line", 5, hand_turned(er_v3(0, 0, 1), er_v3(0, 0, 0), er_v3(0, 0, 2)))};
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "long", 3, 2.0),
                      ribbon(arena, "short", 1, 1.0),
                      ribbon(arena, "plain", 2, 1.0),
                      {.name = "empty", .material = 0}};
    mesh[0].material = 0;
    mesh[2].material = 0;
    mesh[2].uv = NULL; // with a material that has pictures
    mesh[2].normal = NULL;
    mesh[1].color = NULL;
    SET(s, arena, mesh, mesh);
    er_instance instance[] = {{0, 0, -1}, {0, 1, -1}, {0, 2, -1}, {1, 0, -1}, {2, 0, -1}, {3, 1, -1},
                              {4, 1, -1}, {5, 3, -1}, {6, 0, -1}, {0, 1, -1}, {3, 3, -1}};
    SET(s, arena, instance, instance);
    er_material material[] = {{.name = "painted",
                               .base_color = {1, 1, 1, 1},
                               .metallic = 0,
                               .roughness = 1,
                               .base_color_image = 0,
                               .normal_image = 1,
                               .emissive_image = -1}};
    SET(s, arena, material, material);
    er_image image[] = {{"dot", "image/png", red_png, sizeof red_png}, {"bump", "image/png", red_png, sizeof red_png}};
    SET(s, arena, image, image);
    return s;
}

// A chain of 300 joints and a second tree, one mesh in two skins, twelve influences, vertices that follow no joint.
static er_scene *make_crowd(er_arena *arena)
{
    enum { JOINTS = 300 };
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 1, 0));
    er_node *nodes = ERI_NEW(arena, er_node, JOINTS + 12);
    for (int i = 0; i < JOINTS; ++i)
        nodes[i] = node(eri_arena_printf(arena, "joint %d", i), i - 1,
                        hand_turned(er_v3(0, 0.01, 0), er_v3(0.01, 0, 0.02), er_v3(1, 1, 1)));
    for (int i = 0; i < 10; ++i)
        nodes[JOINTS + i] = node("twin", i == 0 ? -1 : JOINTS + i - 1,
                                 hand_turned(er_v3(0.1, 0.1, 0), er_v3(0, 0, 0.1), er_v3(1, 1, 1)));
    nodes[JOINTS + 10] = node("body", -1, hand_at(0, 0, 7));
    nodes[JOINTS + 11] = node("bodies", JOINTS + 10, hand_turned(er_v3(0, 1, 0), er_v3(0.5, 0, 0), er_v3(2, 2, 2)));
    s->node = nodes;
    s->node_count = JOINTS + 12;
    er_mesh mesh[] = {ribbon(arena, "twelve", 40, 3.0), ribbon(arena, "shared", 9, 1.0),
                      ribbon(arena, "loose", 6, 1.0)};
    influence(arena, &mesh[0], JOINTS, 12, false);
    influence(arena, &mesh[1], 10, 3, true);
    SET(s, arena, mesh, mesh);
    er_skin skin[] = {bind_skin(arena, s, "chain", 0, JOINTS, NULL), bind_skin(arena, s, "tail", JOINTS, 10, NULL),
                      bind_skin(arena, s, "head", 20, 20, NULL)};
    ((int *)(uintptr_t)skin[1].joint)[7] = JOINTS + 3; // the same joint twice, bound differently
    SET(s, arena, skin, skin);
    er_instance instance[] = {{JOINTS + 10, 0, 0}, {JOINTS + 11, 1, 1}, {JOINTS + 10, 1, 2}, {JOINTS + 10, 1, -1},
                              {JOINTS + 11, 2, 0}, {JOINTS, 1, 1},      {JOINTS + 11, 0, 0}};
    SET(s, arena, instance, instance);
    return s;
}

// A skeleton and nothing else, with names beyond ASCII, clips of equal names, and one that begins before zero.
static er_scene *make_bones(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 0.0254, er_v3(0, -1, 0));
    er_node nodes[] = {node("H\xc3\xbc"
                            "fte",
                            -1, hand_at(0, 40, 0)),
                       node("", 0, hand_turned(er_v3(0, 5, 0), er_v3(0, 0, 0.4), er_v3(1, 1, 1))),
                       node("\xe9\xaa\xa8 \xf0\x9f\xa6\xb4", 1, hand_at(0, 6, 0))};
    nodes[2].flags = ER_NODE_END_SITE;
    SET(s, arena, node, nodes);
    double before[] = {-1.5, -0.5, 0.5}, close[] = {1e6, 1e6 + 1e-9, 1e6 + 2e-9};
    const double *early = COPY(arena, before), *dense = COPY(arena, close);
    double turn[] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.8, 0, 0.6}, move[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double lone[] = {9, 9, 9, 0.5, 0.5, 0.5, 9, 9, 9};
    er_channel first[] = {channel(arena, 0, ER_PATH_ROTATION, ER_LINEAR, 3, early, turn, 12),
                          channel(arena, 0, ER_PATH_TRANSLATION, ER_STEP, 3, early, move, 9),
                          channel(arena, 2, ER_PATH_SCALE, ER_CUBIC, 1, early + 1, lone, 9)};
    er_channel second[] = {channel(arena, 1, ER_PATH_ROTATION, ER_LINEAR, 3, dense, turn, 12)};
    er_channel third[] = {{0, ER_PATH_MORPH, ER_LINEAR, 1, early, NULL}};
    er_clip clip[] = {{"Take", 0.5, 3, COPY(arena, first)},
                      {"Take", 1e6 + 2e-9, 1, COPY(arena, second)},
                      {"nothing", 1.0, 1, COPY(arena, third)}};
    SET(s, arena, clip, clip);
    return s;
}

er_scene *make_scene(er_arena *arena, const char *name)
{
    if (strcmp(name, "strip") == 0) return make_strip(arena);
    if (strcmp(name, "parts") == 0) return make_parts(arena);
    if (strcmp(name, "crowd") == 0) return make_crowd(arena);
    if (strcmp(name, "bones") == 0) return make_bones(arena);
    if (strcmp(name, "blank") == 0) return empty_scene(arena, 1.0, er_v3(0, 1, 0));
    return NULL;
}

er_clip make_clip(er_arena *arena, const er_scene *scene, const char *name)
{
    enum { KEYS = 9 };
    int n = scene->node_count, count = 0;
    double *time = ERI_NEW(arena, double, KEYS);
    er_channel *channels = ERI_NEW(arena, er_channel, 3 * n + 1);
    for (int k = 0; k < KEYS; ++k)
        time[k] = 2.0 * k / (KEYS - 1);
    for (int i = 0; i < n; ++i) {
        // to turn a flat or sheared node says nothing that two readers must agree on
        if (er_m3_det(scene->node[i].local.linear) == 0.0 || strcmp(scene->node[i].name, "shear") == 0) continue;
        double turn[4 * KEYS];
        for (int k = 0; k < KEYS; ++k) {
            double phase = ER_PI * time[k], sign = k % 3 == 1 ? -1.0 : 1.0; // signs that the writer must settle
            er_quat q = er_q_exp(er_v3(0.3 * sin(phase), 0.1 * (1 + i % 3), 0.2 * sin(phase + i)));
            double entry[4] = {sign * q.x, sign * q.y, sign * q.z, sign * q.w};
            memcpy(turn + 4 * k, entry, sizeof entry);
        }
        channels[count++] = channel(arena, i, ER_PATH_ROTATION, ER_LINEAR, KEYS, time, turn, 4 * KEYS);
        double size[3 * KEYS];
        for (int k = 0; k < 3 * KEYS; ++k)
            size[k] = 1.0 + 0.1 * ((5 * k + i) % 7);
        if (i % 3 != 1)
            channels[count++] =
                channel(arena, i, ER_PATH_SCALE, i % 2 == 0 ? ER_STEP : ER_LINEAR, KEYS, time, size, 3 * KEYS);
        er_channel hold = {i, ER_PATH_MORPH, ER_LINEAR, 1, time, NULL};
        channels[count++] = hold;
    }
    if (n > 0) {
        double slide[9 * KEYS];
        for (int k = 0; k < 9 * KEYS; ++k)
            slide[k] = 0.1 * ((7 * k) % 5);
        channels[count++] = channel(arena, 0, ER_PATH_TRANSLATION, ER_CUBIC, KEYS, time, slide, 9 * KEYS);
    }
    er_clip clip = {name, 2.0, count, channels};
    return clip;
}
