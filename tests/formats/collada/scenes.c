// Scenes with all that a Collada file can hold.
#include "scenes.h"

#include <string.h>

#include "support/pieces.h"

const char *const scene_names[] = {"puppet", "leaning", "bent", "parts", "wheel", "posed", NULL};

static er_node node(const char *name, int parent, er_vec3 at, er_vec3 turn, er_vec3 scale)
{
    er_node n = {.name = name, .parent = parent, .source_index = -1};
    n.local = er_affine_from_trs(at, er_q_exp(turn), scale);
    return n;
}

static er_channel channel(er_arena *arena, int target, er_path path, er_interpolation interpolation, int keys,
                          const double *time, const double *value, size_t size)
{
    er_channel c = {target, path, interpolation, keys, time, copy(arena, value, size)};
    return c;
}

static const double plain[3] = {1, 1, 1};

// Centimetres, Z up, an armature of scale 100, names of all sorts, two skins of one armature that disagree on a joint,
// a joint twice in a skin, vertices without joints, rigid parts, materials, pictures of one name; a clip that begins
// below zero, outlasts its keys, and has steps, splines and lines.
static er_scene *make_puppet(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 0.01, er_v3(0, 0, 1));
    er_vec3 one = er_v3(plain[0], plain[1], plain[2]), none = er_v3(0, 0, 0);
    er_node nodes[] = {node("Armature", -1, er_v3(3, 0, 0), er_v3(0.3, 0, 0), er_v3(100, 100, 100)),
                       node("Bip01 L Foot", 0, none, none, one),
                       node("finger", 1, er_v3(0, 0, 0.5), er_v3(0, 0.2, 0), one),
                       node("finger", 2, er_v3(0, 0.1, 0.5), er_v3(0.2, 0, 0), one),
                       node("", 3, er_v3(0, 0, 0.3), none, one),
                       node("\xe9\xaa\xa8 <&> \"'", 1, er_v3(0.5, 0, 0.2), er_v3(0, 1, 0), one),
                       node("a-name-that-is-longer-than-the-sixty-three-bytes-that-Blender-has-room-for", 5,
                            er_v3(0, 0.2, 0), none, one),
                       node("finger-1", 0, er_v3(-0.5, 0, 0), er_v3(0, 0, 3), one),
                       node("puppet", 0, er_v3(9, 9, 9), none, one),
                       node("Prop", -1, er_v3(-50, 0, 20), er_v3(0, 0, 1), er_v3(20, 20, 20))};
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "puppet", 12, 1.0), ribbon(arena, "glove", 6, 1.0), ribbon(arena, "stick", 2, 1.0)};
    influence(arena, &mesh[0], 6, 3, true);
    influence(arena, &mesh[1], 4, 3, false);
    mesh[0].material = 0;
    mesh[2].material = 1;
    mesh[2].uv = NULL;
    mesh[2].normal = NULL;
    mesh[1].color = NULL;
    SET(s, arena, mesh, mesh);
    er_affine big = er_affine_from_trs(er_v3(3, 0, 0), er_q_exp(er_v3(0.3, 0, 0)), er_v3(100, 100, 100));
    er_skin skin[] = {bind_skin(arena, s, "body", 1, 6, &big), bind_skin(arena, s, "hands", 2, 4, &big)};
    ((int *)(uintptr_t)skin[0].joint)[4] = 3; // twice, bound differently
    ((er_affine *)(uintptr_t)skin[1].inverse_bind)[2].translation.y += 0.3;
    SET(s, arena, skin, skin);
    er_instance instance[] = {{8, 0, 0}, {8, 1, 1}, {4, 2, -1}, {9, 2, -1}, {8, 1, 1}};
    SET(s, arena, instance, instance);
    er_material material[] = {{.name = "red glass",
                               .base_color = {1.0f, 1.0f, 1.0f, 0.5f},
                               .roughness = 0.5f,
                               .alpha_mode = ER_ALPHA_BLEND,
                               .base_color_image = 0,
                               .normal_image = 1,
                               .emissive_image = 0},
                              {.name = "wood",
                               .base_color = {0.5f, 0.25f, 0.125f, 0.25f},
                               .emissive = {0.1f, 0.0f, 0.2f},
                               .metallic = 0.25f,
                               .roughness = 0.7f,
                               .alpha_mode = ER_ALPHA_BLEND,
                               .double_sided = true,
                               .base_color_image = -1,
                               .normal_image = -1,
                               .emissive_image = -1}};
    SET(s, arena, material, material);
    uint8_t *other = COPY(arena, red_png);
    other[sizeof red_png - 13] ^= 1; // in the checksum; the bytes count
    er_image image[] = {{"C:\\art\\dot of red.PNG", "image/png", red_png, sizeof red_png},
                        {"dot of red", "image/png", other, sizeof red_png}};
    SET(s, arena, image, image);
    static const double time[] = {-0.5, 0.1, 0.6, 1.1};
    double turn[] = {0, 0, 0, 1, 0, 0.6, 0, 0.8, 0, 0, 0.6, 0.8, 0.6, 0, 0, 0.8};
    double hop[] = {0, 0, 0, 0, 0, 0.2, 0.1, 0, 0.2, 0, 0.1, 0.1};
    double slide[] = {0, 0, 0, 0, 0, 0.5, 0.1, 0, 0,   0.2, 0, 0,   0.1, 0,   0.7, 0,   0, 0,
                      0, 0, 0, 0, 0, 0.5, 0,   0, 0.3, 0,   0, 0.3, 0.2, 0.1, 0.5, 0.1, 0, 0};
    double grow[] = {1, 1, 1, 1.5, 1.5, 1.5, 1, 1, 1, 0.5, 0.5, 0.5};
    er_channel channels[] = {channel(arena, 2, ER_PATH_ROTATION, ER_LINEAR, 4, time, turn, sizeof turn),
                             channel(arena, 2, ER_PATH_TRANSLATION, ER_CUBIC, 4, time, slide, sizeof slide),
                             channel(arena, 1, ER_PATH_TRANSLATION, ER_STEP, 4, time, hop, sizeof hop),
                             channel(arena, 3, ER_PATH_SCALE, ER_LINEAR, 4, time, grow, sizeof grow),
                             {8, ER_PATH_MORPH, ER_LINEAR, 1, time, NULL},
                             channel(arena, 9, ER_PATH_ROTATION, ER_LINEAR, 3, time + 1, turn, 12 * sizeof turn[0])};
    er_clip clip[] = {{"wave & bow", 1.5, (int)ERI_COUNT(channels), COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// A skeleton and nothing else, inches, two roots, up along no axis.
static er_scene *make_leaning(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 0.0254, er_v3(0.6, 0, -0.8));
    er_vec3 one = er_v3(1, 1, 1), none = er_v3(0, 0, 0);
    er_node nodes[] = {node("hip", -1, er_v3(0, 40, 0), none, one), node("knee", 0, er_v3(0, -18, 1), none, one),
                       node("foot", 1, er_v3(0, -17, -1), er_v3(0.5, 0, 0), one),
                       node("tail", -1, er_v3(0, 40, -5), none, one)};
    nodes[2].flags = ER_NODE_END_SITE;
    SET(s, arena, node, nodes);
    static const double time[] = {0.25, 0.75, 1.25};
    double turn[] = {0, 0, 0, 1, 0.6, 0, 0, 0.8, 0, 0.6, 0, 0.8};
    er_channel channels[] = {channel(arena, 0, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn, sizeof turn),
                             channel(arena, 1, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn, sizeof turn)};
    er_clip clip[] = {{"lean", 1.25, 2, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// A skin bound in another pose than at rest, and a clip that keys one joint alone.
static er_scene *make_bent(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 1, 0));
    er_vec3 one = er_v3(1, 1, 1), none = er_v3(0, 0, 0);
    er_node nodes[] = {node("base", -1, er_v3(1, 2, 3), er_v3(0.4, 0, 0), one), node("lower", 0, none, none, one),
                       node("middle", 1, er_v3(0, 0, 0.5), none, one), node("upper", 2, er_v3(0, 0, 0.5), none, one)};
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "ribbon", 9, 1.5)};
    influence(arena, &mesh[0], 3, 3, false);
    SET(s, arena, mesh, mesh);
    er_skin skin[] = {bind_skin(arena, s, "skin", 1, 3, NULL)};
    SET(s, arena, skin, skin);
    er_instance instance[] = {{0, 0, 0}};
    SET(s, arena, instance, instance);
    er_node *bent = (er_node *)(uintptr_t)s->node;
    bent[2].local = er_affine_from_trs(er_v3(0.1, 0, 0.4), er_q_exp(er_v3(0, 1.2, 0)), er_v3(1.2, 1.2, 1.2));
    bent[3].local = er_affine_from_trs(er_v3(0, 0.1, 0.6), er_q_exp(er_v3(-0.7, 0.2, 0)), one);
    static const double time[] = {0.0, 0.5, 1.0};
    double turn[] = {0, 0, 0, 1, 0, 0.28, 0, 0.96, 0.28, 0, 0, 0.96};
    er_channel channels[] = {channel(arena, 1, ER_PATH_ROTATION, ER_LINEAR, 3, time, turn, sizeof turn)};
    er_clip clip[] = {{"nod", 1.0, 1, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// Rigid parts without a joint: one mesh at many nodes, many at one; nodes that mirror, flatten, shear and vanish.
static er_scene *make_parts(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 1, 0));
    er_vec3 one = er_v3(1, 1, 1), none = er_v3(0, 0, 0);
    er_node nodes[] = {node("root", -1, er_v3(1, 2, 3), none, one),
                       node("mirror", 0, er_v3(0, 1, 0), er_v3(0.1, 0.2, 0.3), er_v3(-1, 1, 1)),
                       node("flat", 1, er_v3(0, 0, 1), er_v3(0, 1, 0), er_v3(1, 0, 1)),
                       node("shear", 0, er_v3(0, 4, 0), none, one),
                       node("point", 3, er_v3(1, 1, 1), none, none),
                       node("other", -1, er_v3(-5, 0, 0), none, one)};
    nodes[3].local.linear.m[0][1] = 0.75;
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "long", 3, 2.0), ribbon(arena, "short", 1, 1.0), {.name = "empty", .material = -1}};
    SET(s, arena, mesh, mesh);
    er_instance instance[] = {{0, 0, -1}, {0, 1, -1}, {1, 0, -1}, {3, 1, -1}, {5, 0, -1}, {5, 2, -1}};
    SET(s, arena, instance, instance);
    static const double time[] = {0.0, 1.0};
    double turn[] = {0, 0, 0, 1, 0, 0.6, 0, 0.8};
    er_channel channels[] = {channel(arena, 0, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn, sizeof turn),
                             channel(arena, 5, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn, sizeof turn)};
    er_clip clip[] = {{"", 1.0, 2, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// A wheel on a cart: two whole turns, in keys of a quarter turn, the first starting from more than a half turn away.
static er_scene *make_wheel(er_arena *arena)
{
    enum { KEYS = 9 };
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 0, 1));
    er_vec3 one = er_v3(1, 1, 1), none = er_v3(0, 0, 0);
    er_node nodes[] = {node("cart", -1, none, none, one), node("wheel", 0, er_v3(0, 1, 0), er_v3(0, 0, 3), one),
                       node("rim", 1, er_v3(1, 0, 0), none, one)};
    SET(s, arena, node, nodes);
    er_mesh mesh[] = {ribbon(arena, "spoke", 3, 1.0)};
    SET(s, arena, mesh, mesh);
    er_instance instance[] = {{1, 0, -1}, {2, 0, -1}};
    SET(s, arena, instance, instance);
    double time[KEYS], turn[4 * KEYS];
    for (int k = 0; k < KEYS; ++k) {
        er_quat q = er_q_exp(er_v3(0, 0, 4.0 + 0.5 * ER_PI * k));
        double entry[4] = {q.x, q.y, q.z, q.w};
        memcpy(turn + 4 * k, entry, sizeof entry);
        time[k] = 0.3 * k;
    }
    er_channel channels[] = {
        channel(arena, 1, ER_PATH_ROTATION, ER_LINEAR, KEYS, COPY(arena, time), turn, sizeof turn)};
    er_clip clip[] = {{"roll", time[KEYS - 1], 1, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

// Two skins of one skeleton, bound as one pose that is not rest, each with a mesh of its own place; the second begins
// with a joint that the first does not have.
static er_scene *make_posed(er_arena *arena)
{
    er_scene *s = empty_scene(arena, 1.0, er_v3(0, 1, 0));
    er_vec3 one = er_v3(1, 1, 1), none = er_v3(0, 0, 0);
    er_node bound[] = {node("hip", -1, er_v3(0, 1, 0), er_v3(0, 0.4, 0), one),
                       node("knee", 0, er_v3(0, 0, 0.5), er_v3(0.6, 0, 0), one),
                       node("toe", 1, er_v3(0, 0, 0.5), er_v3(0, 0, 0.5), one), node("mesh", -1, none, none, one)};
    SET(s, arena, node, bound);
    er_affine here = er_affine_identity(),
              there = er_affine_from_trs(er_v3(0.3, 0.2, 0), er_q_exp(er_v3(0, 1, 0)), one);
    er_skin skin[] = {bind_skin(arena, s, "leg", 1, 2, &here), bind_skin(arena, s, "sock", 0, 3, &there)};
    SET(s, arena, skin, skin);
    er_node rest[] = {bound[0], bound[1], bound[2], bound[3]};
    rest[0].local = er_affine_from_trs(er_v3(0, 1, 0), er_q_exp(er_v3(0, -0.2, 0.1)), one);
    rest[1].local = er_affine_from_trs(er_v3(0, 0, 0.5), er_q_exp(er_v3(-0.3, 0, 0.2)), one);
    SET(s, arena, node, rest);
    er_mesh mesh[] = {ribbon(arena, "leg", 6, 1.0), ribbon(arena, "sock", 6, 1.0)};
    influence(arena, &mesh[0], 2, 3, false);
    influence(arena, &mesh[1], 3, 3, false);
    SET(s, arena, mesh, mesh);
    er_instance instance[] = {{3, 0, 0}, {3, 1, 1}};
    SET(s, arena, instance, instance);
    static const double time[] = {0.0, 1.0};
    double turn[] = {0, 0, 0, 1, 0, 0.6, 0, 0.8};
    er_channel channels[] = {channel(arena, 1, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn, sizeof turn)};
    er_clip clip[] = {{"bend", 1.0, 1, COPY(arena, channels)}};
    SET(s, arena, clip, clip);
    return s;
}

er_scene *make_scene(er_arena *arena, const char *name)
{
    if (strcmp(name, "puppet") == 0) return make_puppet(arena);
    if (strcmp(name, "leaning") == 0) return make_leaning(arena);
    if (strcmp(name, "bent") == 0) return make_bent(arena);
    if (strcmp(name, "parts") == 0) return make_parts(arena);
    if (strcmp(name, "wheel") == 0) return make_wheel(arena);
    if (strcmp(name, "posed") == 0) return make_posed(arena);
    return NULL;
}
