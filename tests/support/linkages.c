// Fourteen linkages of known mobility, of random proportions.
#include "linkages.h"

#include <stdio.h>
#include <string.h>

static er_pose at(er_pose frame, double x, double y, double z)
{
    return (er_pose){frame.q, er_pose_point(frame, er_v3(x, y, z))};
}

// A body of its own shape, somewhere about the point.
static int add_link(rig *r, dice *d, er_vec3 near)
{
    double mass = dice_uniform(d, 0.5, 4.0);
    er_quat axes = dice_quat(d);
    er_vec3 com = er_v3_madd(near, 0.2, dice_vec3(d));
    return rig_add_body(r, mass, er_v3(0.10 * mass, 0.12 * mass, 0.15 * mass), axes, com, dice_pose(d));
}

static er_joint *add_joint(rig *r, dice *d, er_joint_type type, int parent, int child, er_pose frame)
{
    er_joint *j = rig_add_joint(r, type, parent, child, frame);
    for (int i = 0; i < er_joint_type_freedom(type, NULL); ++i)
        j->stiffness[i] = dice_uniform(d, 1.0, 10.0);
    return j;
}

static void close_loop(rig *r, dice *d, er_joint_type type, int parent, int child, er_pose frame)
{
    add_joint(r, d, type, parent, child, frame)->closes_loop = true;
}

// A closed chain of hinges with the given axes (z of the frames); the first link is the world where `held`.
static void ring(rig *r, dice *d, int count, const er_pose *axis, bool held)
{
    for (int i = held; i < count; ++i)
        add_link(r, d, axis[i].p);
    for (int i = 0; i < count; ++i) { // axis i between links i and i + 1
        int parent = i - held, child = (i + 1) % count - held;
        if (i == count - 1 && held) { // the world is no child
            close_loop(r, d, ER_JOINT_REVOLUTE, -1, parent, axis[i]);
            continue;
        }
        add_joint(r, d, ER_JOINT_REVOLUTE, parent, child, axis[i])->closes_loop = i == count - 1;
    }
}

// A planar ring of n hinges, not regular.
static void planar_ring(rig *r, dice *d, int count, bool held)
{
    er_pose plane = dice_pose(d), axis[16];
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * ER_PI * (i + dice_uniform(d, -0.3, 0.3)) / count, radius = dice_uniform(d, 0.3, 0.6);
        axis[i] = at(plane, radius * cos(angle), radius * sin(angle), 0.0);
    }
    ring(r, d, count, axis, held);
}

static void four_bar(rig *r, dice *d)
{
    planar_ring(r, d, 4, true);
}

static void ring_4(rig *r, dice *d)
{
    planar_ring(r, d, 4, false);
}

static void ring_8(rig *r, dice *d)
{
    planar_ring(r, d, 8, false);
}

static void ring_16(rig *r, dice *d)
{
    planar_ring(r, d, 16, false);
}

// Watt's: a four-bar whose coupler and rocker carry a second one.
static void six_bar(rig *r, dice *d)
{
    er_pose p = dice_pose(d);
    const double corner[7][2] = {{0, 0}, {0.1, 0.5}, {0.9, 0.7}, {1.0, 0}, {0.6, 1.2}, {1.5, 1.4}, {1.4, 0.6}};
    er_pose axis[7];
    for (int i = 0; i < 7; ++i) {
        double x = corner[i][0] + dice_uniform(d, -0.05, 0.05), y = corner[i][1] + dice_uniform(d, -0.05, 0.05);
        axis[i] = at(p, x, y, 0);
    }
    for (int i = 0; i < 5; ++i) // crank, coupler, rocker, upper link, far link
        add_link(r, d, axis[i + 1].p);
    const int ends[7][2] = {{-1, 0}, {0, 1}, {1, 2}, {-1, 2}, {1, 3}, {3, 4}, {2, 4}};
    for (int i = 0; i < 7; ++i)
        add_joint(r, d, ER_JOINT_REVOLUTE, ends[i][0], ends[i][1], axis[i])->closes_loop = i == 2 || i == 6;
}

// Stages of two crossed bars; the lowest left end is pinned, the lowest right one on a slide.
static void scissor_lift(rig *r, dice *d)
{
    enum { STAGES = 5 };
    er_pose p = dice_pose(d);
    double wide = dice_uniform(d, 0.6, 1.0), high = dice_uniform(d, 0.3, 0.6);
    er_pose along = {er_q_mul(p.q, er_q_exp(er_v3(0, ER_PI / 2, 0))), er_pose_point(p, er_v3(wide, 0, 0))};
    int slide = add_link(r, d, along.p), left = -1, right = slide;
    add_joint(r, d, ER_JOINT_PRISMATIC, -1, slide, along);
    for (int s = 0; s < STAGES; ++s) { // left, right: what carries the lower ends of the bars
        int rising = add_link(r, d, at(p, wide / 2, (s + 0.5) * high, 0).p);
        int falling = add_link(r, d, at(p, wide / 2, (s + 0.5) * high, 0).p);
        add_joint(r, d, ER_JOINT_REVOLUTE, left, rising, at(p, 0, s * high, 0));
        add_joint(r, d, ER_JOINT_REVOLUTE, rising, falling, at(p, wide / 2, (s + 0.5) * high, 0));
        close_loop(r, d, ER_JOINT_REVOLUTE, right, falling, at(p, wide, s * high, 0));
        left = falling;
        right = rising;
    }
}

// Three equal cranks under one coupler: a plane's count leaves no motion.
static void three_cranks(rig *r, dice *d)
{
    er_pose p = dice_pose(d);
    double x = dice_uniform(d, 0.1, 0.3), y = dice_uniform(d, 0.4, 0.6), foot[3] = {0, 1, dice_uniform(d, 0.3, 0.7)};
    int coupler = add_link(r, d, at(p, 0.5 + x, y, 0).p);
    for (int i = 0; i < 3; ++i) {
        int crank = add_link(r, d, at(p, foot[i] + x / 2, y / 2, 0).p);
        add_joint(r, d, ER_JOINT_REVOLUTE, -1, crank, at(p, foot[i], 0, 0));
        add_joint(r, d, ER_JOINT_REVOLUTE, crank, coupler, at(p, foot[i] + x, y, 0))->closes_loop = i > 0;
    }
}

// Bennett's: four hinges askew, opposite links alike, sines of twists as lengths.
static void bennett(rig *r, dice *d)
{
    double small = dice_uniform(d, 0.3, 0.6), large = dice_uniform(d, 0.8, 1.2);
    double twist[2] = {small, large}, length[2] = {0.7 * sin(small), 0.7 * sin(large)};
    double first = dice_uniform(d, 0.8, 2.0);
    double ratio = sin((twist[1] + twist[0]) / 2) / sin((twist[1] - twist[0]) / 2);
    double second = 2 * atan(ratio / tan(first / 2)), turn[4] = {first, second, -first, -second};
    er_pose axis[5] = {dice_pose(d)};
    for (int i = 0; i < 4; ++i) { // Denavit and Hartenberg's steps
        er_pose about = {er_q_exp(er_v3(0, 0, turn[i])), er_v3(0, 0, 0)};
        er_pose out = {er_q_exp(er_v3(twist[i % 2], 0, 0)), er_v3(length[i % 2], 0, 0)};
        axis[i + 1] = er_pose_mul(er_pose_mul(axis[i], about), out);
    }
    assert_true(er_v3_norm(er_v3_sub(axis[4].p, axis[0].p)) < 1e-14);
    ring(r, d, 4, axis, false);
}

// Axes through one point.
static void spherical_four_bar(rig *r, dice *d)
{
    er_vec3 centre = dice_vec3(d);
    er_pose axis[4];
    for (int i = 0; i < 4; ++i) {
        axis[i].q = dice_quat(d);
        axis[i].p = er_v3_add(centre, er_q_rotate(axis[i].q, er_v3(0, 0, dice_uniform(d, 0.3, 1.0))));
    }
    ring(r, d, 4, axis, true);
}

// Sarrus': a platform on two folding legs, each of three parallel hinges, goes straight up.
static void sarrus(rig *r, dice *d)
{
    er_pose base = dice_pose(d);
    int platform = add_link(r, d, at(base, 0, 0, 1).p);
    for (int leg = 0; leg < 2; ++leg) {
        er_quat to_leg = er_q_exp(er_v3(0, 0, leg * dice_uniform(d, 0.8, 2.2)));
        er_pose p = er_pose_mul(base, (er_pose){to_leg, er_v3(0, 0, 0)});
        p.q = er_q_mul(p.q, er_q_exp(er_v3(-ER_PI / 2, 0, 0))); // hinges along the leg's y, up is -y
        double out = dice_uniform(d, 0.3, 0.6);
        int lower = add_link(r, d, at(p, out, -0.3, 0).p), upper = add_link(r, d, at(p, out, -0.7, 0).p);
        add_joint(r, d, ER_JOINT_REVOLUTE, -1, lower, at(p, 0.5, 0, 0));
        add_joint(r, d, ER_JOINT_REVOLUTE, lower, upper, at(p, 0.5 + out, -0.5, 0));
        add_joint(r, d, ER_JOINT_REVOLUTE, upper, platform, at(p, 0.5, -1, 0))->closes_loop = leg == 1;
    }
}

// Fingers of three hinges out of a palm hold one bar by ball joints: loops that share palm and bar.
static void closed_hand(rig *r, dice *d)
{
    int palm = add_link(r, d, dice_vec3(d)), bar = -1;
    for (int finger = 0; finger < 3; ++finger) {
        int from = palm;
        for (int i = 0; i < 3; ++i) {
            int bone = add_link(r, d, dice_vec3(d));
            add_joint(r, d, ER_JOINT_REVOLUTE, from, bone, dice_pose(d));
            from = bone;
        }
        if (bar < 0) bar = add_link(r, d, dice_vec3(d));
        add_joint(r, d, ER_JOINT_SPHERICAL, from, bar, dice_pose(d))->closes_loop = finger > 0;
    }
}

// A body that floats on a free joint, its two legs on balls in the ground: the ground closes both loops.
static void standing(rig *r, dice *d)
{
    int hip = add_link(r, d, dice_vec3(d));
    add_joint(r, d, ER_JOINT_FREE, -1, hip, dice_pose(d));
    for (int side = 0; side < 2; ++side) {
        int thigh = add_link(r, d, dice_vec3(d)), shank = add_link(r, d, dice_vec3(d));
        add_joint(r, d, ER_JOINT_SPHERICAL, hip, thigh, dice_pose(d));
        add_joint(r, d, ER_JOINT_REVOLUTE, thigh, shank, dice_pose(d));
        close_loop(r, d, ER_JOINT_SPHERICAL, -1, shank, dice_pose(d));
    }
}

// The same joint twice: the second says nothing.
static void twice(rig *r, dice *d)
{
    for (int i = 0; i < 3; ++i)
        add_link(r, d, dice_vec3(d));
    er_pose hinge = dice_pose(d);
    add_joint(r, d, ER_JOINT_REVOLUTE, 0, 1, hinge);
    add_joint(r, d, ER_JOINT_UNIVERSAL, 1, 2, dice_pose(d));
    close_loop(r, d, ER_JOINT_REVOLUTE, 1, 0, hinge);
}

// Two floating chains that only a joint marked as closing a loop ties: there is no loop.
static void tied(rig *r, dice *d)
{
    for (int i = 0; i < 4; ++i)
        add_link(r, d, dice_vec3(d));
    add_joint(r, d, ER_JOINT_REVOLUTE, 0, 1, dice_pose(d));
    add_joint(r, d, ER_JOINT_SPHERICAL, 2, 3, dice_pose(d));
    close_loop(r, d, ER_JOINT_UNIVERSAL, 1, 2, dice_pose(d));
}

const linkage linkages[LINKAGE_COUNT] = {
    {"four-bar", four_bar, 0, 1, 3, "3: tx ty z"},
    {"loop of 4", ring_4, 6, 1, 3, "3: tx ty z"},
    {"loop of 8", ring_8, 6, 5, 3, "7: tx ty z"},
    {"loop of 16", ring_16, 6, 13, 3, "15: tx ty z"},
    {"Watt's six-bar", six_bar, 0, 1, 6, "2: tx ty z, 6: tx ty z"},
    {"scissor lift", scissor_lift, 0, 1, 15, "3: tx ty z, 6: tx ty z, 9: tx ty z, 12: tx ty z, 15: tx ty z"},
    {"three cranks", three_cranks, 0, 1, 7, "3: tx ty z, 5: tx ty y z"},
    {"Bennett's linkage", bennett, 6, 1, 3, "3: x y z"},
    {"spherical four-bar", spherical_four_bar, 0, 1, 3, "3: x y z"},
    {"Sarrus' linkage", sarrus, 0, 1, 1, NULL},
    {"closed hand", closed_hand, 6, 6, 0, ""},
    {"standing on two legs", standing, 0, 8, 0, ""},
    {"the same hinge twice", twice, 6, 3, 5, "2: tx ty x y z"},
    {"two chains tied", tied, 6, 6, 0, ""},
};

void expect_same_rows(const er_modes *a, const er_modes *b)
{
    assert_int_equal(a->redundant_count, b->redundant_count);
    for (int i = 0; i < a->redundant_count; ++i) {
        assert_int_equal(a->redundant[i].joint, b->redundant[i].joint);
        assert_int_equal(a->redundant[i].axis, b->redundant[i].axis);
    }
}

void write_rows(char text[1024], const er_redundant_row *row, int count)
{
    static const char *const axis[] = {"tx", "ty", "tz", "x", "y", "z"};
    int at = 0;
    text[0] = '\0';
    for (int i = 0; i < count && at < 1000; ++i) {
        bool first = i == 0 || row[i].joint != row[i - 1].joint;
        if (first) at += snprintf(text + at, 1024 - (size_t)at, "%s%d:", i > 0 ? ", " : "", row[i].joint);
        at += snprintf(text + at, 1024 - (size_t)at, " %s", axis[row[i].axis]);
    }
}
