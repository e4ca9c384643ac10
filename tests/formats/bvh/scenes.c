// Scenes for BVH files, and the joints and poses that the files must show, found without the writer.
#include "scenes.h"

#include <string.h>

#include "math/polar.h"
#include "support/hand.h"
#include "support/pieces.h"

const char *const scene_names[] = {"crooked", "forest", "spin", "lone", "slack", NULL};

const char odd_bvh[] = "HIERARCHY\n"
                       "ROOT hips of it\n{\n  OFFSET 1.5 -2.25 3\n"
                       "  CHANNELS 6 Yrotation Xposition Zrotation Zposition Xrotation Yposition\n"
                       "  End Site\n  {\n    OFFSET 0 -1 0\n  }\n"
                       "  JOINT knee\n  {\n    OFFSET 0 4 0.125\n    CHANNELS 1 Xrotation\n"
                       "    JOINT slide\n    {\n      OFFSET 0.5 2 0\n      CHANNELS 2 Yposition Zrotation\n"
                       "      JOINT weld\n      {\n        OFFSET 0 1 1\n        CHANNELS 0\n"
                       "        JOINT wrist\n        {\n          OFFSET 1 0 0\n"
                       "          CHANNELS 2 Zrotation Yrotation\n"
                       "          End Site\n          {\n            OFFSET 0.25 0 0\n          }\n"
                       "        }\n      }\n    }\n  }\n"
                       "  JOINT tip\n  {\n    OFFSET -1 -1 -1\n    CHANNELS 3 Yrotation Zrotation Xrotation\n  }\n}\n"
                       "ROOT other\n{\n  OFFSET 10 0 0\n  CHANNELS 3 Xrotation Zrotation Yrotation\n"
                       "  End Site\n  {\n    OFFSET 0 1 0\n  }\n}\n"
                       "MOTION\nFrames: 4\nFrame Time: 0.0333333\n"
                       "0 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0\n"
                       "10.5 1.25 -20 2.5 30 3.75 45 2.5 -90 30 -40 170 10 20 -30 40 -50\n"
                       "40.25 -1 -60 2 75.5 -3 120.5 1.5 12 100 -89 185 -20 65 -60 80 -110\n"
                       "90 -1.125 -80 2 89 -3.5 200 1.5 33.375 175 -30 200 -30 140 -90.5 88 -179\n";

static er_node node(const char *name, int parent, unsigned flags, er_affine local)
{
    er_node n = {.name = name, .parent = parent, .local = local, .source_index = -1, .flags = flags};
    return n;
}

static er_scene *new_scene(er_arena *arena, er_vec3 up, int node_count, const er_node *nodes, double duration,
                           int channel_count, const er_channel *channels)
{
    er_scene *scene = empty_scene(arena, 0.01, up);
    er_clip clip = {"clip", duration, channel_count, copy(arena, channels, (size_t)channel_count * sizeof *channels)};
    scene->node_count = node_count;
    scene->node = copy(arena, nodes, (size_t)node_count * sizeof *nodes);
    scene->clip_count = 1;
    scene->clip = copy(arena, &clip, sizeof clip);
    return scene;
}

// x, y, z, w of a turn, as channels have it.
static void put_turn(double *value, er_vec3 turn)
{
    er_quat q = er_q_exp(turn);
    value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
}

// A mirrored, unevenly scaled and sheared way down to bones, with a node that is none between two of them, and a clip
// of turns, shifts and scales; a camera and an end besides.
static er_scene *make_crooked(er_arena *arena)
{
    enum { J = ER_NODE_JOINT };
    er_affine sheared = hand_at(3, 1, -2);
    sheared.linear.m[0][1] = 0.4;
    sheared.linear.m[2][1] = -0.7;
    const er_node nodes[] = {
        node("armature", -1, 0, hand_turned(er_v3(2, 0, 1), er_v3(0.3, -1, 0.2), er_v3(-100, 80, 120))),
        node("eye", 0, ER_NODE_CAMERA, hand_at(0, 0, 9)),
        node("hips", 0, J, hand_turned(er_v3(0.5, 1, 0), er_v3(1, 0.5, 0), er_v3(1, 1, 1))),
        node("spine", 2, J, hand_turned(er_v3(0, 1, 0.25), er_v3(0, 0.5, 0), er_v3(1, 2, 1))),
        node("between", 3, 0, sheared),
        node("leg", 2, J, hand_turned(er_v3(0.25, -1, 0), er_v3(0, 0, 3), er_v3(1, 1, 1))),
        node("chest", 4, J, hand_turned(er_v3(0, 1, 0), er_v3(0.5, 0.5, 0), er_v3(0.5, 0.5, 0.5))),
        node("leg_end", 5, ER_NODE_END_SITE, hand_at(0, 2, 0)),
        node("head", 6, J, hand_at(0, 1.5, 0)),
        node("ear", 6, J, hand_at(1, 1, 1)),
        node("hidden", 8, J, hand_turned(er_v3(0.5, 0, 0), er_v3(0, 1, 0), er_v3(0, 0, 0))),
        node("in it", 10, J, hand_at(1, 2, 3)),
    };
    const double times[] = {0.0, 0.25, 0.4, 1.0};
    double turn[4][4], wave[12][4], shift[4][3] = {{0, 1, 0.25}, {0, 1.5, 0.25}, {0.5, 1, 0}, {0, 1, 0.25}},
                                    scale[4][3] = {{1, 1, 1}, {1, 1.5, 0.5}, {2, 0.25, 1}, {1, 1, 1}};
    for (int k = 0; k < 4; ++k)
        put_turn(turn[k], er_v3(0.5 * k, -0.25 * k * k, 1 - k));
    memset(wave, 0, sizeof wave);
    for (int k = 0; k < 4; ++k)
        put_turn(wave[3 * k + 1], er_v3(0, 0.75 * k, 0.25 * k));
    const double *time = COPY(arena, times);
    const er_channel channels[] = {
        {0, ER_PATH_ROTATION, ER_LINEAR, 4, time, COPY(arena, turn)},
        {2, ER_PATH_ROTATION, ER_CUBIC, 4, time, COPY(arena, wave)},
        {3, ER_PATH_TRANSLATION, ER_LINEAR, 4, time, COPY(arena, shift)},
        {3, ER_PATH_ROTATION, ER_LINEAR, 4, time, COPY(arena, turn)},
        {4, ER_PATH_SCALE, ER_LINEAR, 4, time, COPY(arena, scale)},
        {6, ER_PATH_ROTATION, ER_STEP, 4, time, COPY(arena, turn)},
        {10, ER_PATH_ROTATION, ER_LINEAR, 4, time, COPY(arena, turn)},
    };
    return new_scene(arena, er_v3(0, 1, 0), (int)ERI_COUNT(nodes), nodes, 1.0, (int)ERI_COUNT(channels), channels);
}

// Four trees, +Z up, with names that a file cannot take as they are.
static er_scene *make_forest(er_arena *arena)
{
    enum { J = ER_NODE_JOINT };
    const er_node nodes[] = {
        node("", -1, 0, hand_at(100, 0, 0)),
        node("left  arm", 0, J, hand_at(0, 0, 0)),
        node("left_arm", 1, J, hand_at(0, 1, 0)),
        node("", 2, J, hand_at(0, 1, 0)),
        node("a{b}\nc\td\x7f\xc2\x85\xc3\xa9", 0, J, hand_at(5, 0, 0)),
        node(" left_arm ", 4, J, hand_at(0, 0, 2)),
        node("left_arm_2", 5, J, hand_at(0, 0, 2)),
        node("  ", -1, J, hand_at(1e-5, 0, 0)),
        node("root", 7, J, hand_at(0, 0, 0)),
        node("lamp", -1, J, hand_at(0, 0, 40)),
    };
    const double times[] = {0.0, 0.5};
    double turn[2][4], shift[2][3] = {{0, 0, 0}, {1, 2, 3}};
    put_turn(turn[0], er_v3(0, 0, 0));
    put_turn(turn[1], er_v3(1, 1, 0));
    const double *time = COPY(arena, times);
    const er_channel channels[] = {
        {1, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, COPY(arena, shift)},
        {2, ER_PATH_ROTATION, ER_LINEAR, 2, time, COPY(arena, turn)},
        {4, ER_PATH_ROTATION, ER_LINEAR, 2, time, COPY(arena, turn)},
        {8, ER_PATH_ROTATION, ER_LINEAR, 2, time, COPY(arena, turn)},
    };
    return new_scene(arena, er_v3(0, 0, 1), (int)ERI_COUNT(nodes), nodes, 0.5, (int)ERI_COUNT(channels), channels);
}

// Nodes alone, none flagged: one turns three times about an axis, one through both poles of Euler's angles.
static er_scene *make_spin(er_arena *arena)
{
    enum { KEYS = 49 };
    const er_node nodes[] = {
        node("base", -1, 0, hand_at(0, 0, 0)),
        node("wheel", 0, 0, hand_at(0, 1, 0)),
        node("crank", 1, 0, hand_at(0, 0, 2)),
        node("hand", 2, 0, hand_at(1, 0, 0)),
    };
    double time[KEYS], wheel[KEYS][4], crank[KEYS][4];
    for (int k = 0; k < KEYS; ++k) {
        time[k] = k / 24.0;
        put_turn(wheel[k], er_v3(0, 6 * ER_PI * k / (KEYS - 1), 0));
        put_turn(crank[k], er_v3(2 * ER_PI * k / (KEYS - 1), 0, 0));
    }
    const double *shared = COPY(arena, time);
    const er_channel channels[] = {
        {1, ER_PATH_ROTATION, ER_LINEAR, KEYS, shared, COPY(arena, wheel)},
        {2, ER_PATH_ROTATION, ER_LINEAR, KEYS, shared, COPY(arena, crank)},
    };
    return new_scene(arena, er_v3(0, 1, 0), (int)ERI_COUNT(nodes), nodes, 2.0, (int)ERI_COUNT(channels), channels);
}

// One joint that falls, -Y up.
static er_scene *make_lone(er_arena *arena)
{
    const er_node nodes[] = {node("alone", -1, ER_NODE_JOINT, hand_at(3, 2, 1))};
    const double time[] = {0.0, 0.7}, shift[2][3] = {{3, 2, 1}, {3, 7, 1}};
    const er_channel channels[] = {{0, ER_PATH_TRANSLATION, ER_LINEAR, 2, COPY(arena, time), COPY(arena, shift)}};
    return new_scene(arena, er_v3(0, -1, 0), (int)ERI_COUNT(nodes), nodes, 0.7, 1, channels);
}

// A chain that stretches by so little at every joint that no joint alone would need positions.
static er_scene *make_slack(er_arena *arena)
{
    enum { N = 40 };
    const double time[] = {0.0, 1.0};
    er_node nodes[N];
    er_channel channels[N];
    const double *shared = COPY(arena, time);
    for (int i = 0; i < N; ++i) {
        const double shift[2][3] = {{0, 1, 0}, {0, 1 + 0.4e-6 * N, 0}};
        nodes[i] = node(eri_arena_printf(arena, "link %d", i), i - 1, 0, hand_at(0, 1, 0));
        channels[i] = (er_channel){i, ER_PATH_TRANSLATION, ER_LINEAR, 2, shared, COPY(arena, shift)};
    }
    return new_scene(arena, er_v3(0, 1, 0), N, nodes, 1.0, N, channels);
}

er_scene *make_scene(er_arena *arena, const char *name)
{
    if (strcmp(name, "slack") == 0) return make_slack(arena);
    if (strcmp(name, "crooked") == 0) return make_crooked(arena);
    if (strcmp(name, "forest") == 0) return make_forest(arena);
    if (strcmp(name, "spin") == 0) return make_spin(arena);
    if (strcmp(name, "lone") == 0) return make_lone(arena);
    return NULL;
}

// ---- what a file must show ----

static bool is_joint(const er_scene *scene, const bool *bone, int node)
{
    bool flagged = false;
    for (int i = 0; i < scene->node_count; ++i)
        flagged |= (scene->node[i].flags & ER_NODE_JOINT) != 0;
    if ((scene->node[node].flags & ER_NODE_END_SITE) != 0) return false;
    return bone != NULL ? bone[node] : !flagged || (scene->node[node].flags & ER_NODE_JOINT) != 0;
}

static void visit(const er_scene *scene, const bool *joint, int node, int above, joint_list *list)
{
    int here = joint[node] ? list->count++ : above;
    if (joint[node]) {
        list->node[here] = node;
        list->parent[here] = above;
    }
    for (int i = node + 1; i < scene->node_count; ++i)
        if (scene->node[i].parent == node) visit(scene, joint, i, here, list);
}

static void visit_all(const er_scene *scene, const bool *joint, int above, joint_list *list)
{
    list->count = above + 1;
    for (int i = 0; i < scene->node_count; ++i)
        if (scene->node[i].parent < 0) visit(scene, joint, i, above, list);
}

joint_list list_joints(er_arena *arena, const er_scene *scene, const bool *bone)
{
    size_t n = (size_t)scene->node_count + 1;
    joint_list list = {0, ERI_NEW(arena, int, n), ERI_NEW(arena, int, n), 0.0};
    bool *joint = ERI_NEW(arena, bool, n);
    int roots = 0;
    for (int i = 0; i < scene->node_count; ++i)
        joint[i] = is_joint(scene, bone, i);
    visit_all(scene, joint, -1, &list);
    for (int k = 0; k < list.count; ++k)
        roots += list.parent[k] < 0;
    if (roots > 1 && scene->format != ER_FORMAT_BVH) {
        list.node[0] = list.parent[0] = -1;
        visit_all(scene, joint, 0, &list);
    }
    er_pose *pose = ERI_NEW(arena, er_pose, list.count);
    pose_joints(arena, scene, &list, NULL, 0.0, pose);
    for (int k = 0; k < list.count; ++k)
        for (int i = 0; i < list.count; ++i)
            if (list.node[k] >= 0 && list.node[i] >= 0) {
                er_vec3 d = er_v3_sub(pose[k].p, pose[i].p);
                list.size = fmax(list.size, fmax(d.x, fmax(d.y, d.z)));
            }
    if (list.size == 0.0) list.size = 1.0;
    return list;
}

static er_quat upright(er_vec3 up)
{
    er_vec3 axis = er_v3_cross(up, er_v3(0, 1, 0));
    double angle = atan2(er_v3_norm(axis), up.y);
    return er_q_exp(er_v3_scale(angle, er_v3_unit(axis, er_v3(1, 0, 0))));
}

void pose_joints(er_arena *arena, const er_scene *scene, const joint_list *list, const er_clip *clip, double time,
                 er_pose *pose)
{
    er_affine *local = ERI_NEW(arena, er_affine, scene->node_count),
              *rest = ERI_NEW(arena, er_affine, scene->node_count),
              *world = ERI_NEW(arena, er_affine, scene->node_count);
    er_scene_sample(scene, NULL, 0.0, local);
    er_scene_world(scene, local, rest);
    er_scene_sample(scene, clip, time, local);
    er_scene_world(scene, local, world);
    er_quat turn = upright(scene->up);
    for (int k = 0; k < list->count; ++k) {
        int node = list->node[k];
        pose[k] = er_pose_identity();
        if (node < 0) continue;
        eri_stretch stretch, stretch_now;
        er_quat held = list->parent[k] >= 0 ? pose[list->parent[k]].q : er_q_identity(),
                before = eri_polar_rotation(rest[node].linear, er_q_identity(), &stretch),
                now = eri_polar_rotation(world[node].linear, er_q_identity(), &stretch_now);
        er_quat change = er_q_mul(er_q_mul(turn, er_q_mul(now, er_q_conj(before))), er_q_conj(turn));
        pose[k].q = stretch.singular || stretch_now.singular ? held : change;
        pose[k].p = er_q_rotate(turn, world[node].translation);
    }
}
