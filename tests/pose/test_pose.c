// Poses of displacements, judged by the joints of the rig and by finite differences.
#include <eigenrig/pose.h>

#include <string.h>

#include "../modal/judge.h"
#include "../rig/hand.h"
#include "base/arena.h"
#include "pose/kinematics.h"

static er_context *context;

static int set_up(void **state)
{
    (void)state;
    context = hand_context();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    measured_report();
    er_context_destroy(context);
    return 0;
}

// ---- what a pose is judged by

// How far the two halves of the joints stand apart over the rig's size: points that a joint holds together, and axes
// that it keeps parallel. Shifts and point-on-plane joints are left to their planes and axes.
static double joint_gap(const er_model *m, const er_pose *pose)
{
    double worst = 0.0;
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        er_pose child = er_pose_mul(pose[j->child], er_pose_mul(er_pose_inverse(m->body[j->child].pose), j->frame));
        er_pose parent = j->frame;
        if (j->parent >= 0)
            parent = er_pose_mul(pose[j->parent], er_pose_mul(er_pose_inverse(m->body[j->parent].pose), j->frame));
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        bool is_free[6] = {false};
        for (int i = 0; i < count; ++i)
            is_free[axis[i]] = true;
        er_vec3 apart = er_q_rotate(er_q_conj(parent.q), er_v3_sub(child.p, parent.p));
        double shift[3] = {apart.x, apart.y, apart.z};
        for (int i = 0; i < 3; ++i)
            if (!is_free[3 + i]) worst = fmax(worst, fabs(shift[i]) / m->size);
        er_mat3 a = er_m3_from_q(parent.q), b = er_m3_from_q(child.q);
        if (!is_free[0] && !is_free[1]) // an axis z, in both
            worst = fmax(worst, er_v3_norm(er_v3_cross(er_m3_column(a, 2), er_m3_column(b, 2))));
        if (is_free[0] && is_free[1] && !is_free[2]) // a cross: x of one side at right angles to y of the other
            worst = fmax(worst, fabs(er_v3_dot(er_m3_column(a, 0), er_m3_column(b, 1))));
        if (!is_free[0] && !is_free[1] && !is_free[2])
            worst = fmax(worst, er_v3_norm(er_v3_cross(er_m3_column(a, 0), er_m3_column(b, 0))));
    }
    return worst;
}

static er_vec3 centre_of(const er_model *m, const er_pose *pose)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        er_pose p = pose != NULL ? pose[b] : m->body[b].pose;
        sum = er_v3_madd(sum, m->body[b].mass, er_pose_point(p, m->body[b].com));
        mass += m->body[b].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

static void place(const er_model *m, const er_mode *mode, double factor, er_pose *pose)
{
    er_kinematics *k = NULL;
    double x[6 * RIG_MAX];
    assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
    assert_true(er_kinematics_width(k) <= 6 * RIG_MAX);
    er_kinematics_mode(k, mode, x);
    for (int c = 0; c < er_kinematics_width(k); ++c)
        x[c] *= factor;
    if (er_kinematics_pose(k, x, pose) != ER_OK) fail_msg("%s", er_context_error(context));
    er_kinematics_destroy(k);
}

// eta against the twists between two poses close to equilibrium, over the largest entry of eta.
static double derivative_error(const er_model *m, const er_mode *mode)
{
    static er_pose forth[RIG_MAX], back[RIG_MAX];
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < 6 * m->body_count; ++i)
        largest = fmax(largest, fabs(mode->body[i]));
    double h = 1e-4 / largest;
    place(m, mode, h, forth);
    place(m, mode, -h, back);
    for (int b = 0; b < m->body_count; ++b) {
        const double *eta = mode->body + 6 * b;
        er_vec3 turn = er_q_log(er_q_mul(er_q_conj(back[b].q), forth[b].q));
        er_vec3 shift = er_q_rotate(er_q_conj(m->body[b].pose.q), er_v3_sub(forth[b].p, back[b].p));
        worst = fmax(worst, er_v3_distance(er_v3_scale(0.5 / h, turn), er_v3(eta[0], eta[1], eta[2])));
        worst = fmax(worst, er_v3_distance(er_v3_scale(0.5 / h, shift), er_v3(eta[3], eta[4], eta[5])));
    }
    return worst / largest;
}

static void expect_sound_poses(const er_model *m, bool floats, double degrees)
{
    static er_pose pose[RIG_MAX];
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        place(m, mode, 0.0, pose);
        for (int b = 0; b < m->body_count; ++b) {
            measure_at_most("shift at factor 0", er_v3_distance(pose[b].p, m->body[b].pose.p) / m->size, 1e-14);
            measure_at_most("turn at factor 0", 1.0 - fabs(er_q_dot(pose[b].q, m->body[b].pose.q)), 1e-14);
        }
        if (mode->kind == ER_MODE_RIGID) continue;
        measure_at_most("derivative at 0", derivative_error(m, mode), 1e-6);
        for (int side = -1; side <= 1; side += 2) {
            place(m, mode, side * er_pose_amplitude(m, mode, degrees), pose);
            measure_at_most("gap of joints", joint_gap(m, pose), 1e-9);
            measure_at_most("gap by er_pose_joint_gap", er_pose_joint_gap(m, pose) / m->size, 1e-9);
            if (floats)
                measure_at_most("centre of mass", er_v3_distance(centre_of(m, pose), centre_of(m, NULL)) / m->size,
                                1e-12);
        }
    }
    er_modes_destroy(modes);
}

// ---- poses

static void trees_stay_joined_at_sixty_degrees(void **state)
{
    (void)state;
    static hand h;
    hand_chain(&h);
    for (int root = 0; root < 2; ++root)
        for (int rule = 0; rule < 2; ++rule) {
            er_rig_def def = er_default_rig_def();
            def.root = root == 0 ? ER_ROOT_FREE : ER_ROOT_FIXED;
            def.joints = rule == 0 ? ER_JOINTS_SPHERICAL : ER_JOINTS_REVOLUTE;
            er_rig *chain = hand_rig(context, &h.scene, &def);
            expect_sound_poses(chain->model, root == 0, 60.0);
            er_rig_destroy(chain);
        }
}

// Bodies in general position, one tree, joints of every kind that a tree can have.
static void make_mixed_tree(rig *r, dice *d, bool held)
{
    static const er_joint_type types[] = {ER_JOINT_REVOLUTE,    ER_JOINT_UNIVERSAL, ER_JOINT_SPHERICAL,
                                          ER_JOINT_CYLINDRICAL, ER_JOINT_PLANAR,    ER_JOINT_POINT_ON_PLANE,
                                          ER_JOINT_PRISMATIC,   ER_JOINT_FIXED};
    memset(r, 0, sizeof *r);
    for (int i = 0; i < 8; ++i) {
        er_pose pose = dice_pose(d);
        double m = dice_uniform(d, 0.5, 2.0);
        rig_add_body(r, m, er_v3(0.03 * m, 0.04 * m, 0.05 * m), dice_quat(d), er_v3_madd(pose.p, 0.3, dice_vec3(d)),
                     pose);
        if (i == 0 && !held) continue;
        bool crossed = i > 0 && dice_below(d, 2) == 0;
        int other = i > 0 ? dice_below(d, i) : -1;
        er_joint *j = rig_add_joint(r, types[(i + 7) % 8], crossed ? i : other, crossed ? other : i, dice_pose(d));
        for (int c = 0; c < er_joint_type_freedom(j->type, NULL); ++c)
            j->stiffness[c] = dice_uniform(d, 1.0, 20.0);
    }
}

static void joints_of_every_kind_stay_joined(void **state)
{
    (void)state;
    static rig r;
    dice d = {5};
    for (int round = 0; round < 20; ++round) {
        make_mixed_tree(&r, &d, round % 2 == 0);
        er_model *m = rig_model(context, &r);
        expect_sound_poses(m, round % 2 == 1, 60.0);
        er_model_destroy(m);
    }
}

static void closed_loops_stay_closed(void **state)
{
    (void)state;
    static rig r;
    static double square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, odd[][2] = {{0, 0}, {2, 0.1}, {1.7, 1.4}, {0.2, 1}},
                  six[][2] = {{0, 0}, {1, -0.4}, {2, 0}, {2.1, 1}, {1, 1.5}, {-0.2, 1}};
    static const struct {
        double (*corner)[2];
        int count;
        double degrees;
    } loops[] = {{square, 4, 60.0}, {odd, 4, 30.0}, {six, 6, 30.0}};
    dice d = {8};
    for (size_t i = 0; i < ER_COUNT(loops); ++i)
        for (int held = 0; held < 2; ++held) {
            memset(&r, 0, sizeof r);
            rig_loop(&r, loops[i].count, loops[i].corner, dice_pose(&d), 3.0);
            if (held) rig_add_joint(&r, ER_JOINT_FIXED, -1, 0, er_pose_identity());
            er_model *m = rig_model(context, &r);
            expect_sound_poses(m, !held, loops[i].degrees);
            er_model_destroy(m);
        }
}

static double largest_turn(const er_model *m, const er_pose *pose)
{
    double turn = 0.0;
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        if (j->parent < 0) continue;
        er_quat before = er_q_mul(er_q_conj(m->body[j->parent].pose.q), m->body[j->child].pose.q);
        er_quat now = er_q_mul(er_q_conj(pose[j->parent].q), pose[j->child].q);
        turn = fmax(turn, er_v3_norm(er_q_log(er_q_mul(now, er_q_conj(before)))));
    }
    return turn * 180.0 / ER_PI;
}

static void the_joint_that_turns_most_turns_by_the_amplitude(void **state)
{
    (void)state;
    static hand h;
    static er_pose pose[RIG_MAX];
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    static const double degrees[] = {0.001, 20.0, 60.0, 179.0};
    for (int k = modes->rigid_count; k < modes->count; ++k)
        for (size_t i = 0; i < ER_COUNT(degrees); ++i) {
            place(chain->model, &modes->mode[k], er_pose_amplitude(chain->model, &modes->mode[k], degrees[i]), pose);
            measure_at_most("amplitude", relative_error(largest_turn(chain->model, pose), degrees[i]), 1e-9);
        }
    for (int k = 0; k < modes->rigid_count; ++k)
        assert_true(isfinite(er_pose_amplitude(chain->model, &modes->mode[k], 20.0)));
    er_modes_destroy(modes);
    er_rig_destroy(chain);
    // two weights on a slide: 20 degrees stand for a tenth of the size
    static rig r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 2; ++i) {
        er_pose at = {er_q_identity(), er_v3(0, 0, 3.0 * i)};
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), at.p, at);
    }
    rig_add_joint(&r, ER_JOINT_PRISMATIC, 0, 1, er_pose_identity())->stiffness[0] = 5.0;
    er_model *slide = rig_model(context, &r);
    modes = rig_modes(context, slide, ER_MODAL_AUTO);
    const er_mode *last = &modes->mode[modes->count - 1];
    place(slide, last, er_pose_amplitude(slide, last, 20.0), pose);
    measure_at_most("amplitude of a slide",
                    relative_error(fabs(er_v3_distance(pose[0].p, pose[1].p) - 3.0), 0.1 * slide->size), 1e-9);
    er_modes_destroy(modes);
    er_model_destroy(slide);
    // turning and sliding at once: whichever reaches its measure first
    r.joint[0].type = ER_JOINT_CYLINDRICAL;
    r.joint[0].stiffness[0] = r.joint[0].stiffness[1] = 5.0;
    er_model *both = rig_model(context, &r);
    modes = rig_modes(context, both, ER_MODAL_AUTO);
    for (int k = modes->rigid_count; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        double factor = er_pose_amplitude(both, mode, 20.0);
        double turn = fabs(factor * mode->joint[0]) * 180.0 / ER_PI / 20.0, shift = fabs(factor * mode->joint[1]);
        measure_at_most("amplitude of both", relative_error(fmax(turn, shift / (0.1 * both->size)), 1.0), 1e-12);
    }
    er_modes_destroy(modes);
    er_model_destroy(both);
}

// ---- frames side by side

enum { WIDTH_MAX = 6 * RIG_MAX, STRIDE = 37 };

// A displacement whose joints turn by up to `most`, and one in four by just that.
static void throw_displacement(dice *d, const er_kinematics *k, double most, double *x)
{
    for (int i = 0; i < k->model->body_count; ++i) {
        const er_carrier *c = &k->carrier[i];
        int axis[6], count = er_joint_type_freedom(c->type, axis);
        double turn = 0.0, share = dice_below(d, 4) == 0 ? 1.0 : dice_uniform(d, 0.0, 1.0);
        for (int a = 0; a < count; ++a) {
            x[c->first + a] = dice_uniform(d, -1.0, 1.0);
            if (axis[a] < 3) turn = hypot(turn, x[c->first + a]);
        }
        for (int a = 0; a < count; ++a)
            if (axis[a] < 3) x[c->first + a] *= share * most / turn;
    }
}

static double apart(const er_model *m, const double side[7], er_pose pose)
{
    er_quat q = {side[0], side[1], side[2], side[3]}; // of the same sign
    double turn = hypot(hypot(q.w - pose.q.w, q.x - pose.q.x), hypot(q.y - pose.q.y, q.z - pose.q.z));
    return fmax(turn, er_v3_distance(er_v3(side[4], side[5], side[6]), pose.p) / m->size);
}

// One displacement a lane, each against er_kinematics_pose(); rows of single precision begin anywhere.
static void expect_frames(dice *d, er_arena *arena, er_kinematics *k, double most, int times, double off[2])
{
    static double x[ER_FRAMES32][WIDTH_MAX], pose64[7 * RIG_MAX * ER_FRAMES64];
    static float pose32[7 * RIG_MAX * STRIDE + 1];
    static er_vec64 x64[2 * WIDTH_MAX];
    static er_vec32 x32[2 * WIDTH_MAX];
    int halvings[RIG_MAX];
    er_frames32 *single;
    assert_int_equal(er_frames32_create(arena, k, &single), ER_OK);
    for (int i = 0; i < k->model->body_count; ++i)
        halvings[i] = times;
    for (int f = 0; f < ER_FRAMES32; ++f) {
        throw_displacement(d, k, most, x[f]);
        for (int c = 0; c < k->width; ++c) {
            x32[2 * c + f / 16][f % 16] = (float)x[f][c];
            if (f < ER_FRAMES64) x64[2 * c + f / 8][f % 8] = x[f][c];
        }
    }
    er_frames64_pose(k->frames64, halvings, x64, ER_FRAMES64, pose64);
    er_frames32_pose(single, halvings, x32, STRIDE, pose32 + 1);
    for (int f = 0; f < ER_FRAMES32; ++f) {
        er_pose pose[RIG_MAX];
        assert_int_equal(er_kinematics_pose(k, x[f], pose), ER_OK);
        for (int b = 0; b < k->model->body_count; ++b) {
            double p64[7], p32[7];
            for (int i = 0; i < 7; ++i) {
                p64[i] = pose64[(7 * b + i) * ER_FRAMES64 + f % ER_FRAMES64];
                p32[i] = (double)pose32[1 + (7 * b + i) * STRIDE + f];
            }
            if (f < ER_FRAMES64) off[0] = fmax(off[0], apart(k->model, p64, pose[b]));
            off[1] = fmax(off[1], apart(k->model, p32, pose[b]));
        }
    }
}

static void frames_side_by_side_are_the_poses_of_each_at_any_turn(void **state)
{
    (void)state;
    static rig r;
    static const struct {
        double most;
        int halvings;
    } turns[] = {{0.1, 0}, {ER_PI, 0}, {2.0 * ER_PI, 1}, {16.0 * ER_PI, 4}, {0.1, 4}};
    dice d = {11};
    for (size_t t = 0; t < ER_COUNT(turns); ++t) {
        double off[2] = {0.0, 0.0};
        for (int round = 0; round < 20; ++round) {
            er_kinematics *k = NULL;
            er_arena *arena = NULL;
            make_mixed_tree(&r, &d, round % 2 == 0);
            er_model *m = rig_model(context, &r);
            assert_int_equal(er_arena_create(context, &arena), ER_OK);
            assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
            expect_frames(&d, arena, k, turns[t].most, turns[t].halvings, off);
            er_kinematics_destroy(k);
            er_arena_destroy(arena);
            er_model_destroy(m);
        }
        double scale = fmax(1.0, turns[t].most); // what a turn's last place is worth
        measure_at_most("frames, double", off[0] / scale, 1e-14);
        measure_at_most("frames, single", off[1] / scale, 5e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_stay_joined_at_sixty_degrees),
        cmocka_unit_test(joints_of_every_kind_stay_joined),
        cmocka_unit_test(closed_loops_stay_closed),
        cmocka_unit_test(the_joint_that_turns_most_turns_by_the_amplitude),
        cmocka_unit_test(frames_side_by_side_are_the_poses_of_each_at_any_turn),
    };
    return cmocka_run_group_tests_name("pose", tests, set_up, tear_down);
}
