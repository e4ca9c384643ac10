// Poses of displacements, judged by the joints of the rig and by finite differences.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/arena.h"
#include "displacements.h"
#include "model/joint/joint.h"
#include "model/kinematics/kinematics.h"
#include "support/context.h"
#include "support/forest.h"
#include "support/hand.h"
#include "support/linkages.h"

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
        if (j->type == ER_JOINT_SCREW) {
            er_quat turn = er_q_mul(er_q_conj(parent.q), child.q);
            shift[2] = remainder(shift[2] - 2.0 * j->pitch * atan2(turn.z, turn.w), 2.0 * ER_PI * j->pitch);
        }
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
            place(m, mode, side * er_mode_amplitude(m, mode, degrees), pose);
            measure_at_most("gap of joints", joint_gap(m, pose), 1e-9);
            measure_at_most("gap by er_pose_joint_gap", er_pose_joint_gap(m, pose) / m->size, 1e-9);
            if (floats)
                measure_at_most("centre of mass", er_v3_distance(centre_of(m, pose), centre_of(m, NULL)) / m->size,
                                1e-12);
        }
    }
    er_modes_destroy(modes);
}

// ---- displacements: what a joint shows of them, what rates and energies they mean

// The poses of a displacement; false, with a reason, where a loop cannot follow.
static bool settle(er_kinematics *k, double *x, er_pose *pose)
{
    er_result r = er_kinematics_pose(k, x, pose);
    if (r == ER_OK) return true;
    if (r != ER_ERROR_NO_CONVERGENCE || strstr(er_context_error(context), "smaller amplitude") == NULL)
        fail_msg("%s", er_context_error(context));
    return false;
}

static void along(er_kinematics *k, const er_mode *mode, double factor, double *x)
{
    er_kinematics_mode(k, mode, x);
    for (int c = 0; c < er_kinematics_width(k); ++c)
        x[c] *= factor;
}

// A rotation matrix by Rodrigues' formula.
static er_mat3 turned_by(er_vec3 r)
{
    double angle = er_v3_norm(r);
    er_mat3 k = er_m3_skew(er_v3_unit(r, er_v3(1, 0, 0)));
    return er_m3_madd(er_m3_madd(er_m3_identity(), sin(angle), k), 1.0 - cos(angle), er_m3_mul(k, k));
}

// How far the two sides of the joints are from what their coordinates say, over the rig's size.
static double coordinate_error(const er_model *m, const double *x, const er_pose *pose)
{
    double worst = 0.0;
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        er_pose child = er_pose_mul(pose[j->child], er_pose_mul(er_pose_inverse(m->body[j->child].pose), j->frame));
        er_pose parent = j->frame;
        if (j->parent >= 0)
            parent = er_pose_mul(pose[j->parent], er_pose_mul(er_pose_inverse(m->body[j->parent].pose), j->frame));
        double q[6] = {0};
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        for (int i = 0; i < count; ++i)
            q[axis[i]] = x[m->coordinate[k] + i];
        if (j->type == ER_JOINT_SCREW) q[5] = j->pitch * q[2];
        er_mat3 turn = j->type == ER_JOINT_UNIVERSAL
                           ? er_m3_mul(turned_by(er_v3(q[0], 0, 0)), turned_by(er_v3(0, q[1], 0)))
                           : turned_by(er_v3(q[0], q[1], q[2]));
        er_mat3 seen = er_m3_mul(er_m3_transpose(er_m3_from_q(parent.q)), er_m3_from_q(child.q));
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, er_v3_distance(er_m3_column(turn, c), er_m3_column(seen, c)));
        er_vec3 shift = er_pose_point_inverse(parent, child.p);
        // the centre of mass of a joint to the world is put back: its shift is not to be seen
        if (j->type != ER_JOINT_FREE || j->parent >= 0)
            worst = fmax(worst, er_v3_distance(shift, er_v3(q[3], q[4], q[5])) / m->size);
    }
    return worst;
}

static double centre_error(const er_model *m, const er_pose *pose)
{
    static er_pose rest[RIG_MAX];
    int group[RIG_MAX];
    double worst = 0.0;
    find_groups(m, group);
    rest_poses(m, rest);
    for (int b = 0; b < m->body_count; ++b)
        if (group[b] == b)
            worst = fmax(worst,
                         er_v3_distance(group_centre(m, group, b, pose, NULL), group_centre(m, group, b, rest, NULL)));
    return worst / m->size;
}

// |a - b| over the largest of b, lengths in units of the rig's size.
static double twist_error(const er_model *m, const double *a, const double *b)
{
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < 6 * m->body_count; ++i) {
        double unit = i % 6 < 3 ? 1.0 : m->size;
        largest = fmax(largest, fabs(b[i]) / unit);
        worst = fmax(worst, fabs(a[i] - b[i]) / unit);
    }
    return worst / largest;
}

// ---- poses

static void trees_stay_joined_at_sixty_degrees(void **state)
{
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
        er_quat axes = dice_quat(d);
        er_vec3 com = er_v3_madd(pose.p, 0.3, dice_vec3(d));
        rig_add_body(r, m, er_v3(0.03 * m, 0.04 * m, 0.05 * m), axes, com, pose);
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
    static rig r;
    static double square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, odd[][2] = {{0, 0}, {2, 0.1}, {1.7, 1.4}, {0.2, 1}},
                  six[][2] = {{0, 0}, {1, -0.4}, {2, 0}, {2.1, 1}, {1, 1.5}, {-0.2, 1}};
    static const struct {
        double (*corner)[2];
        int count;
        double degrees;
    } loops[] = {{square, 4, 60.0}, {odd, 4, 30.0}, {six, 6, 30.0}};
    dice d = {8};
    for (size_t i = 0; i < ERI_COUNT(loops); ++i)
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
    static hand h;
    static er_pose pose[RIG_MAX];
    hand_chain(&h);
    er_rig *chain = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, chain->model, ER_MODAL_AUTO);
    static const double degrees[] = {0.001, 20.0, 60.0, 179.0};
    for (int k = modes->rigid_count; k < modes->count; ++k)
        for (size_t i = 0; i < ERI_COUNT(degrees); ++i) {
            place(chain->model, &modes->mode[k], er_mode_amplitude(chain->model, &modes->mode[k], degrees[i]), pose);
            measure_at_most("amplitude", relative_error(largest_turn(chain->model, pose), degrees[i]), 1e-9);
        }
    for (int k = 0; k < modes->rigid_count; ++k)
        assert_true(isfinite(er_mode_amplitude(chain->model, &modes->mode[k], 20.0)));
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
    place(slide, last, er_mode_amplitude(slide, last, 20.0), pose);
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
        double factor = er_mode_amplitude(both, mode, 20.0);
        double turn = fabs(factor * mode->joint[0]) * 180.0 / ER_PI / 20.0, shift = fabs(factor * mode->joint[1]);
        measure_at_most("amplitude of both", relative_error(fmax(turn, shift / (0.1 * both->size)), 1.0), 1e-12);
    }
    er_modes_destroy(modes);
    er_model_destroy(both);
}

// ---- rates

static void twists_of_a_mode_are_its_own(void **state)
{
    static rig r;
    dice d = {21};
    for (int round = 0; round < 60; ++round) {
        if (round < LINKAGE_COUNT) {
            memset(&r, 0, sizeof r);
            linkages[round].build(&r, &d);
        } else {
            rig_forest(&r, &d, 1 + dice_below(&d, 30), round % 2 == 0);
        }
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        for (int i = 0; i < modes->count; ++i) {
            double x[6 * RIG_MAX], twist[6 * RIG_MAX];
            along(k, &modes->mode[i], 1.0, x);
            er_kinematics_twists(k, x, twist);
            measure_at_most("twists of a mode", twist_error(m, twist, modes->mode[i].body), 1e-9);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// The poses at a small displacement and at its opposite, as twists in the body's axes at rest.
static void difference(er_kinematics *k, const er_model *m, const double *x, double h, double *twist)
{
    static er_pose pose[2][RIG_MAX];
    double step[6 * RIG_MAX];
    for (int side = 0; side < 2; ++side) {
        for (int c = 0; c < er_kinematics_width(k); ++c)
            step[c] = (side == 0 ? h : -h) * x[c];
        if (er_kinematics_pose(k, step, pose[side]) != ER_OK) fail_msg("%s", er_context_error(context));
    }
    for (int b = 0; b < m->body_count; ++b) {
        er_vec3 w = er_q_log(er_q_mul(er_q_conj(pose[1][b].q), pose[0][b].q));
        er_vec3 v = er_q_rotate(er_q_conj(m->body[b].pose.q), er_v3_sub(pose[0][b].p, pose[1][b].p));
        const double all[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
        for (int i = 0; i < 6; ++i)
            twist[6 * b + i] = all[i] / (2.0 * h);
    }
}

static void twists_are_what_poses_begin_with(void **state)
{
    static rig r;
    static er_pose rest[RIG_MAX];
    dice d = {22};
    for (int round = 0; round < 60; ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 30), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        double x[6 * RIG_MAX], twist[6 * RIG_MAX], seen[6 * RIG_MAX];
        int group[RIG_MAX];
        random_displacement(m, k, &d, 1.0, x);
        er_kinematics_twists(k, x, twist);
        difference(k, m, x, 1e-5, seen);
        find_groups(m, group);
        rest_poses(m, rest);
        static double expected[6 * RIG_MAX];
        memcpy(expected, twist, sizeof expected);
        for (int b = 0; b < m->body_count; ++b) { // centres of mass that float do not move
            if (group[b] < 0) continue;
            er_vec3 v = er_q_rotate(er_q_conj(rest[b].q), group_centre(m, group, group[b], rest, twist));
            expected[6 * b + 3] -= v.x;
            expected[6 * b + 4] -= v.y;
            expected[6 * b + 5] -= v.z;
        }
        measure_at_most("twists by differences", twist_error(m, seen, expected), 1e-7);
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
}

static void poses_begin_with_the_mode(void **state)
{
    static rig r;
    dice d = {23};
    for (int round = 0; round < 60; ++round) {
        if (round < LINKAGE_COUNT) {
            memset(&r, 0, sizeof r);
            linkages[round].build(&r, &d);
        } else {
            rig_forest(&r, &d, 2 + dice_below(&d, 8), round % 2 == 0);
        }
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        for (int i = 0; i < modes->count; ++i) {
            double x[6 * RIG_MAX], seen[6 * RIG_MAX];
            if (modes->mode[i].kind == ER_MODE_RIGID) continue;
            double factor = er_mode_amplitude(m, &modes->mode[i], 1.0);
            along(k, &modes->mode[i], factor, x);
            difference(k, m, x, 1e-3, seen);
            for (int c = 0; c < 6 * m->body_count; ++c)
                seen[c] /= factor;
            measure_at_most("mode by differences", twist_error(m, seen, modes->mode[i].body), 1e-6);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// ---- trees at any amplitude

static void every_joint_shows_its_coordinates(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {24};
    for (int round = 0; round < 60; ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 40), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        double x[6 * RIG_MAX];
        random_displacement(m, k, &d, round % 2 == 0 ? 1.0 : 9.0, x); // up to 500 degrees
        assert_int_equal(er_kinematics_pose(k, x, pose), ER_OK);
        measure_at_most("joints by their coordinates", coordinate_error(m, x, pose), 1e-12);
        measure_at_most("gap of trees", er_pose_joint_gap(m, pose) / m->size, 1e-12);
        measure_at_most("centres of mass of trees", centre_error(m, pose), 1e-12);
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
}

// A joint's coordinates read off its displacement are those it was made of: angles of hinges and crosses within half a
// turn of what is near, however many turns that is; rotation vectors shorter than half a turn; and shifts.
static void coordinates_are_read_off_displacements(void **state)
{
    static const er_joint_type types[] = {ER_JOINT_REVOLUTE,    ER_JOINT_UNIVERSAL, ER_JOINT_SPHERICAL,
                                          ER_JOINT_CYLINDRICAL, ER_JOINT_PLANAR,    ER_JOINT_POINT_ON_PLANE,
                                          ER_JOINT_PRISMATIC,   ER_JOINT_FREE,      ER_JOINT_SCREW};
    dice d = {64};
    for (int trial = 0; trial < 400; ++trial) {
        er_joint_type type = types[(size_t)trial % ERI_COUNT(types)];
        double x[6], near[6], got[6];
        int axis[6], count = er_joint_type_freedom(type, axis);
        bool about = trial % 3 > 0 && !eri_joint_turns_freely(type); // else nothing is said to be near
        for (int c = 0; c < count; ++c) {
            double most = eri_joint_turns_freely(type) ? 1.8 : about ? 30.0 : 3.1;
            x[c] = dice_uniform(&d, -1, 1) * most;
            near[c] = x[c] + dice_uniform(&d, -3.1, 3.1);
        }
        double pitch = type == ER_JOINT_SCREW ? dice_uniform(&d, -1, 1) : 0.0; // its shift counts its turns
        eri_joint_coordinates(type, pitch, eri_joint_displacement(type, pitch, x), about && pitch == 0.0 ? near : NULL,
                              got);
        for (int c = 0; c < count; ++c)
            measure_at_most("coordinate of a displacement", fabs(got[c] - x[c]), 1e-12);
    }
}

// ---- from another pose

// How far the sides of each joint of a tree stand from one another, besides what they do in the pose that displacements
// are from, and what their coordinates say; over the rig's size. The joint's frame is where the body it carries has it.
static double error_from(const er_model *m, const er_pose *base, const double *x, const er_pose *pose)
{
    double worst = 0.0;
    for (int b = 0; b < m->body_count; ++b) {
        const er_joint *j = m->tree_joint[b] >= 0 ? &m->joint[m->tree_joint[b]] : NULL;
        if (j == NULL || (j->type == ER_JOINT_FREE && j->parent < 0)) continue; // its centre of mass is put back
        er_pose frame = er_pose_mul(base[b], er_pose_mul(er_pose_inverse(m->body[b].pose), j->frame));
        er_pose child = er_pose_mul(pose[j->child], er_pose_mul(er_pose_inverse(base[j->child]), frame)),
                parent = frame;
        if (j->parent >= 0) parent = er_pose_mul(pose[j->parent], er_pose_mul(er_pose_inverse(base[j->parent]), frame));
        double q[6] = {0};
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        for (int i = 0; i < count; ++i)
            q[axis[i]] = x[m->coordinate[m->tree_joint[b]] + i];
        if (j->type == ER_JOINT_SCREW) q[5] = j->pitch * q[2];
        er_mat3 turn = j->type == ER_JOINT_UNIVERSAL
                           ? er_m3_mul(turned_by(er_v3(q[0], 0, 0)), turned_by(er_v3(0, q[1], 0)))
                           : turned_by(er_v3(q[0], q[1], q[2]));
        er_mat3 seen = er_m3_mul(er_m3_transpose(er_m3_from_q(parent.q)), er_m3_from_q(child.q));
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, er_v3_distance(er_m3_column(turn, c), er_m3_column(seen, c)));
        er_vec3 shift = er_pose_point_inverse(parent, child.p);
        worst = fmax(worst, er_v3_distance(shift, er_v3(q[3], q[4], q[5])) / m->size);
    }
    return worst;
}

// Displacements of trees of all joint types from a pose that is not the equilibrium, joints of which may even stand
// apart: that pose at 0, each joint's coordinates from there on, centres of mass where they are there. Then from the
// equilibrium again.
static void displacements_start_from_another_pose(void **state)
{
    static rig r;
    static er_pose base[RIG_MAX], pose[RIG_MAX], home[RIG_MAX];
    dice d = {61};
    for (int round = 0; round < 40; ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 20), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        double x[6 * RIG_MAX], zero[6 * RIG_MAX] = {0};
        int group[RIG_MAX];
        find_groups(m, group);
        random_displacement(m, k, &d, 1.0, x);
        assert_int_equal(er_kinematics_pose(k, x, base), ER_OK);
        for (int b = 0; b < m->body_count && round % 2 == 1; ++b)
            base[b] = er_pose_mul(base[b], (er_pose){er_q_exp(er_v3_scale(0.1, dice_vec3(&d))), dice_vec3(&d)});
        random_displacement(m, k, &d, 1.0, x);
        assert_int_equal(er_kinematics_pose(k, x, home), ER_OK);
        eri_kinematics_start_from(k, base);
        assert_int_equal(er_kinematics_pose(k, zero, pose), ER_OK);
        for (int b = 0; b < m->body_count; ++b) {
            measure_at_most("shift from a pose at 0", er_v3_distance(pose[b].p, base[b].p) / m->size, 1e-12);
            measure_at_most("turn from a pose at 0", 1.0 - fabs(er_q_dot(pose[b].q, base[b].q)), 1e-13);
        }
        assert_int_equal(er_kinematics_pose(k, x, pose), ER_OK);
        measure_at_most("joints by their coordinates from a pose", error_from(m, base, x, pose), 1e-11);
        for (int g = 0; g < m->body_count; ++g)
            if (group[g] == g)
                measure_at_most(
                    "centres of mass from a pose",
                    er_v3_distance(group_centre(m, group, g, pose, NULL), group_centre(m, group, g, base, NULL)) /
                        m->size,
                    1e-12);
        eri_kinematics_start_from(k, NULL);
        assert_int_equal(er_kinematics_pose(k, x, pose), ER_OK);
        for (int b = 0; b < m->body_count; ++b) {
            measure_at_most("shift from equilibrium again", er_v3_distance(pose[b].p, home[b].p) / m->size, 1e-12);
            measure_at_most("turn from equilibrium again", 1.0 - fabs(er_q_dot(pose[b].q, home[b].q)), 1e-13);
        }
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
}

// Turns are in radians, shifts in the rig's size; the widest is of those joints that close no loop.
static void displacements_are_measured_by_their_kind(void **state)
{
    static rig r;
    dice d = {62};
    int loops = 0;
    for (int round = 0; round < 40; ++round) {
        rig_forest(&r, &d, 1 + dice_below(&d, 20), true);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        double a[6 * RIG_MAX], b[6 * RIG_MAX], sum = 0.0, widest[2] = {0.0, 0.0};
        random_displacement(m, k, &d, 1.0, a);
        random_displacement(m, k, &d, 1.0, b);
        for (int c = 0; c < er_kinematics_width(k); ++c) {
            bool shift = (c - m->coordinate_count) % 6 >= 3, closing = false;
            for (int j = 0; j < m->joint_count && c < m->coordinate_count; ++j) {
                int axis[6], count = er_joint_type_freedom(m->joint[j].type, axis), i = c - m->coordinate[j];
                if (i < 0 || i >= count) continue;
                shift = axis[i] >= 3;
                closing = m->joint[j].closes_loop;
            }
            loops += closing;
            double unit = shift ? m->size : 1.0;
            sum += (a[c] - b[c]) * (a[c] - b[c]) / (unit * unit);
            if (closing) continue;
            widest[0] = fmax(widest[0], fabs(a[c]) / unit);
            widest[1] = fmax(widest[1], fabs(a[c] - b[c]) / unit);
        }
        measure_at_most("distance of displacements", relative_error(eri_kinematics_distance(k, a, b), sqrt(sum)),
                        1e-13);
        assert_true(eri_kinematics_widest(k, a, NULL) == widest[0] && eri_kinematics_widest(k, a, b) == widest[1]);
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    assert_true(loops > 40);
}

// The slope of log y over log x by least squares.
static double fitted_slope(int count, const double *x, const double *y)
{
    double mx = 0, my = 0, xy = 0, xx = 0;
    for (int i = 0; i < count; ++i) {
        mx += log(x[i]) / count;
        my += log(y[i]) / count;
    }
    for (int i = 0; i < count; ++i) {
        xy += (log(x[i]) - mx) * (log(y[i]) - my);
        xx += (log(x[i]) - mx) * (log(x[i]) - mx);
    }
    return xy / xx;
}

// How far the linear form is from the exact one, over the rig's size.
static double linear_error(er_kinematics *k, const er_model *m, const er_mode *mode, double degrees)
{
    static er_pose exact[RIG_MAX], linear[RIG_MAX];
    double x[6 * RIG_MAX], worst = 0.0;
    along(k, mode, er_mode_amplitude(m, mode, degrees), x);
    er_kinematics_linear(k, x, linear);
    if (er_kinematics_pose(k, x, exact) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int b = 0; b < m->body_count; ++b) {
        worst = fmax(worst, er_v3_distance(exact[b].p, linear[b].p) / m->size);
        worst = fmax(worst, er_v3_norm(er_q_log(er_q_mul(er_q_conj(exact[b].q), linear[b].q))));
    }
    return worst;
}

static void the_linear_form_errs_by_the_square_of_the_amplitude(void **state)
{
    static rig r;
    static const double degrees[] = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0};
    enum { COUNT = (int)ERI_COUNT(degrees) };
    dice d = {25};
    int squares = 0;
    for (int round = 0; round < 20 + LINKAGE_COUNT; ++round) {
        if (round < LINKAGE_COUNT) {
            memset(&r, 0, sizeof r);
            linkages[round].build(&r, &d);
        } else {
            make_mixed_tree(&r, &d, round % 2 == 0);
        }
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        for (int i = 0; i < modes->count; ++i) {
            double error[COUNT];
            if (modes->mode[i].kind == ER_MODE_RIGID) continue;
            for (int a = 0; a < COUNT; ++a)
                error[a] = linear_error(k, m, &modes->mode[i], degrees[a]);
            if (error[0] < 1e-9) continue; // shifts alone: no difference but rounding
            double slope = fitted_slope(COUNT, degrees, error);
            measure_at_most("2 less the slope of the linear form's error", 2.0 - slope, 0.1);
            squares += fabs(slope - 2.0) < 0.05;
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
    assert_true(squares > 100);
}

// ---- loops

// 14 linkages follow their modes up to 60 degrees of the joint that turns most.
static void linkages_follow_as_far_as_they_reach(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        dice d = {100};
        int followed = 0, asked = 0;
        for (int round = 0; round < 4; ++round) {
            memset(&r, 0, sizeof r);
            linkages[l].build(&r, &d);
            er_model *m = rig_model(context, &r);
            er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
            er_kinematics *k = kinematics_of(m);
            for (int i = 0; i < modes->count; ++i)
                for (int side = -1; side <= 1; side += 2) {
                    double x[6 * RIG_MAX];
                    ++asked;
                    along(k, &modes->mode[i], side * er_mode_amplitude(m, &modes->mode[i], 60.0), x);
                    if (!settle(k, x, pose)) continue;
                    ++followed;
                    measure_at_most("gap of linkages", joint_gap(m, pose), 1e-9);
                    measure_at_most("coordinates of linkages", coordinate_error(m, x, pose), 1e-9);
                    measure_at_most("centres of mass of linkages", centre_error(m, pose), 1e-12);
                }
            er_kinematics_destroy(k);
            er_modes_destroy(modes);
            er_model_destroy(m);
        }
        print_message("# %s: %d of %d at 60 degrees\n", linkages[l].name, followed, asked);
        assert_true(followed >= 0.9 * asked);
    }
}

// By a norm none of twelve poses about x, each led to where it may be, is nearer to what was asked; returns how many
// came to be.
static int compare_others(const char *what, er_kinematics *k, const er_model *m,
                          double (*norm)(er_kinematics *, const er_model *, const double *), dice *d,
                          const double *asked, const double *x)
{
    static er_pose pose[RIG_MAX];
    double other[6 * RIG_MAX], change[6 * RIG_MAX];
    int width = er_kinematics_width(k), compared = 0;
    for (int c = 0; c < width; ++c)
        change[c] = x[c] - asked[c];
    double least = norm(k, m, change), scale = norm(k, m, asked);
    for (int round = 0; round < 12; ++round) {
        random_displacement(m, k, d, pow(10.0, -1.0 - round % 4), other);
        for (int c = 0; c < width; ++c)
            other[c] += x[c];
        if (!settle(k, other, pose)) continue;
        for (int c = 0; c < width; ++c)
            change[c] = other[c] - asked[c];
        measure_at_most(what, (least - norm(k, m, change)) / scale, 1e-9);
        ++compared;
    }
    return compared;
}

static void no_closed_pose_near_is_nearer_to_what_was_asked(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {27};
    int compared = 0;
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        memset(&r, 0, sizeof r);
        linkages[l].build(&r, &d);
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        for (int i = 0; i < modes->count; ++i) {
            double asked[6 * RIG_MAX], x[6 * RIG_MAX];
            along(k, &modes->mode[i], er_mode_amplitude(m, &modes->mode[i], 30.0), asked);
            memcpy(x, asked, sizeof x);
            if (settle(k, x, pose))
                compared += compare_others("gain of another closed pose", k, m, energy_norm, &d, asked, x);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
    assert_true(compared > 500);
}

// A chain that can go anywhere, its end tied to the world, or to its beginning, by a joint of each type.
static void loops_close_by_joints_of_every_type(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {81};
    int compared = 0, closed[ER_JOINT_TYPE_COUNT] = {0};
    for (int trial = 0; trial < 2 * ER_JOINT_TYPE_COUNT; ++trial) {
        memset(&r, 0, sizeof r);
        for (int i = 0; i < 4; ++i) {
            rig_throw_body(&r, &d, 1.0, er_v3(0.1, 0.1, 0.15));
            er_joint *j = rig_add_joint(&r, i == 0 ? ER_JOINT_SPHERICAL : ER_JOINT_FREE, i - 1, i, dice_pose(&d));
            for (int c = 0; c < 6; ++c)
                j->stiffness[c] = dice_uniform(&d, 1.0, 20.0);
        }
        int type = trial % ER_JOINT_TYPE_COUNT, other = trial < ER_JOINT_TYPE_COUNT ? -1 : 0;
        er_joint *loop = rig_add_joint(&r, (er_joint_type)type, other, 3, dice_pose(&d));
        if (trial % 2 == 1 && other >= 0) loop->parent = 3, loop->child = other;
        loop->closes_loop = true;
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        for (int i = trial % 3; i < modes->count; i += 8) {
            double asked[6 * RIG_MAX], x[6 * RIG_MAX];
            along(k, &modes->mode[i], er_mode_amplitude(m, &modes->mode[i], 20.0), asked);
            memcpy(x, asked, sizeof x);
            if (!settle(k, x, pose)) continue;
            ++closed[type];
            measure_at_most("gap of a loop of its type", er_pose_joint_gap(m, pose) / m->size, 1e-9);
            measure_at_most("gap of axes of its type", joint_gap(m, pose), 1e-9);
            measure_at_most("coordinates of a loop of its type", coordinate_error(m, x, pose), 1e-9);
            compared += compare_others("gain of another pose, by type", k, m, energy_norm, &d, asked, x);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
    for (int type = 0; type < ER_JOINT_TYPE_COUNT; ++type)
        assert_true(closed[type] >= 2);
    assert_true(compared > 15 * ER_JOINT_TYPE_COUNT);
}

static void a_pose_depends_on_its_displacement_alone(void **state)
{
    enum { POSES = 20 };
    static rig r;
    static er_pose first[POSES][RIG_MAX], again[RIG_MAX];
    static double asked[POSES][6 * RIG_MAX];
    dice d = {28};
    for (int l = 0; l < LINKAGE_COUNT; ++l) {
        memset(&r, 0, sizeof r);
        linkages[l].build(&r, &d);
        er_model *m = rig_model(context, &r);
        er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
        er_kinematics *k = kinematics_of(m);
        bool follows[POSES];
        for (int i = 0; i < POSES; ++i) {
            const er_mode *mode = &modes->mode[dice_below(&d, modes->count)];
            along(k, mode, er_mode_amplitude(m, mode, dice_uniform(&d, -80, 80)), asked[i]);
            double x[6 * RIG_MAX];
            memcpy(x, asked[i], sizeof x);
            follows[i] = settle(k, x, first[i]);
        }
        for (int i = POSES - 1; i >= 0; --i) {
            assert_int_equal(settle(k, asked[i], again), follows[i]);
            size_t bytes = (size_t)m->body_count * sizeof *again;
            if (follows[i] && memcmp(again, first[i], bytes) != 0) fail_msg("%s: another pose", linkages[l].name);
        }
        er_kinematics_destroy(k);
        er_modes_destroy(modes);
        er_model_destroy(m);
    }
}

// ---- failures

// One body on one joint, moved by so much along or about one axis, either way.
static void the_gap_is_the_largest_that_joints_hold_open(void **state)
{
    dice d = {77};
    for (int type = 0; type < ER_JOINT_TYPE_COUNT; ++type)
        for (int axis = 0; axis < 6; ++axis)
            for (int side = -1; side <= 1; side += 2) {
                rig r = {0};
                er_pose body = dice_pose(&d), frame = dice_pose(&d);
                rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), body.p, body);
                rig_add_joint(&r, (er_joint_type)type, -1, 0, frame);
                er_model *m = rig_model(context, &r);
                double by[6] = {0}, expected = axis < 3 ? 0.1 * m->size : 0.1;
                by[axis] = 0.1 * side;
                er_pose moved = {er_q_exp(er_v3(by[0], by[1], by[2])), {by[3], by[4], by[5]}}, pose;
                pose = er_pose_mul(er_pose_mul(frame, moved), er_pose_mul(er_pose_inverse(frame), body));
                int freedom[6], count = er_joint_type_freedom((er_joint_type)type, freedom);
                for (int i = 0; i < count; ++i)
                    if (freedom[i] == axis) expected = type == ER_JOINT_SCREW ? 0.1 * r.joint[0].pitch : 0.0;
                measure_at_most("joint gap", fabs(er_pose_joint_gap(m, &pose) - expected), 1e-14 * (1.0 + m->size));
                er_model_destroy(m);
            }
}

static void poses_refuse_what_no_pose_can_be(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {29};
    memset(&r, 0, sizeof r);
    linkages[0].build(&r, &d);
    er_model *m = rig_model(context, &r);
    er_kinematics *k = (er_kinematics *)&r; // not NULL
    assert_int_equal(er_kinematics_create(context, NULL, &k), ER_ERROR_ARGUMENT);
    assert_null(k);
    k = kinematics_of(m);
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e200, -1.1e9};
    for (size_t i = 0; i < ERI_COUNT(bad); ++i) {
        double x[6 * RIG_MAX] = {0};
        x[er_kinematics_width(k) - 1] = bad[i];
        assert_int_equal(er_kinematics_pose(k, x, pose), ER_ERROR_ARGUMENT);
        assert_non_null(strstr(er_context_error(context), "not within 1e9"));
    }
    er_kinematics_destroy(k);
    er_kinematics_destroy(NULL);
    er_model_destroy(m);
}

static void every_allocation_may_fail(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    for (int l = 0; l < 2; ++l) {
        dice d = {30};
        if (l == 0) {
            memset(&r, 0, sizeof r);
            linkages[0].build(&r, &d);
        } else {
            rig_forest(&r, &d, 12, false);
        }
        er_result result = ER_ERROR_MEMORY;
        for (long n = 0; result != ER_OK; ++n) {
            ledger account = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&account);
            er_model *m = rig_model(own, &r);
            er_kinematics *k = (er_kinematics *)&r; // not NULL
            double x[6 * RIG_MAX] = {0};
            account.left = n;
            result = er_kinematics_create(own, m, &k);
            assert_true((result == ER_OK) == (k != NULL));
            if (result == ER_OK) result = er_kinematics_pose(k, x, pose);
            assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            er_kinematics_destroy(k);
            er_model_destroy(m);
            ledger_end(&account, own);
        }
    }
}

// ---- frames side by side

enum { WIDTH_MAX = 6 * RIG_MAX, STRIDE = 37 };

// A displacement whose joints turn by up to `most`, and one in four by just that.
static void throw_displacement(dice *d, const er_kinematics *k, double most, double *x)
{
    for (int i = 0; i < k->model->body_count; ++i) {
        const eri_placement *c = &k->placement[i];
        int axis[6], count = er_joint_type_freedom(k->tree.link[i].type, axis);
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
    static double x[ERI_FRAMES32][WIDTH_MAX], pose64[7 * RIG_MAX * ERI_FRAMES64];
    static float pose32[7 * RIG_MAX * STRIDE + 1];
    static eri_vec64 x64[2 * WIDTH_MAX];
    static eri_vec32 x32[2 * WIDTH_MAX];
    int halvings[RIG_MAX];
    eri_frames32 *single;
    assert_int_equal(eri_frames32_create(arena, k, &single), ER_OK);
    for (int i = 0; i < k->model->body_count; ++i)
        halvings[i] = times;
    for (int f = 0; f < ERI_FRAMES32; ++f) {
        throw_displacement(d, k, most, x[f]);
        for (int c = 0; c < k->width; ++c) {
            x32[2 * c + f / 16][f % 16] = (float)x[f][c];
            if (f < ERI_FRAMES64) x64[2 * c + f / 8][f % 8] = x[f][c];
        }
    }
    eri_frames64_pose(k->frames64, halvings, x64, ERI_FRAMES64, pose64);
    eri_frames32_pose(single, halvings, x32, STRIDE, pose32 + 1);
    for (int f = 0; f < ERI_FRAMES32; ++f) {
        er_pose pose[RIG_MAX];
        assert_int_equal(er_kinematics_pose(k, x[f], pose), ER_OK);
        for (int b = 0; b < k->model->body_count; ++b) {
            double p64[7], p32[7];
            for (int i = 0; i < 7; ++i) {
                p64[i] = pose64[(7 * b + i) * ERI_FRAMES64 + f % ERI_FRAMES64];
                p32[i] = (double)pose32[1 + (7 * b + i) * STRIDE + f];
            }
            if (f < ERI_FRAMES64) off[0] = fmax(off[0], apart(k->model, p64, pose[b]));
            off[1] = fmax(off[1], apart(k->model, p32, pose[b]));
        }
    }
}

static void frames_side_by_side_are_the_poses_of_each_at_any_turn(void **state)
{
    static rig r;
    static const struct {
        double most;
        int halvings;
    } turns[] = {{0.1, 0}, {ER_PI, 0}, {2.0 * ER_PI, 1}, {16.0 * ER_PI, 4}, {0.1, 4}};
    dice d = {11};
    for (size_t t = 0; t < ERI_COUNT(turns); ++t) {
        double off[2] = {0.0, 0.0};
        for (int round = 0; round < 20; ++round) {
            er_kinematics *k = NULL;
            er_arena *arena = NULL;
            make_mixed_tree(&r, &d, round % 2 == 0);
            er_model *m = rig_model(context, &r);
            assert_int_equal(eri_arena_create(context, &arena), ER_OK);
            assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
            expect_frames(&d, arena, k, turns[t].most, turns[t].halvings, off);
            er_kinematics_destroy(k);
            eri_arena_destroy(arena);
            er_model_destroy(m);
        }
        double scale = fmax(1.0, turns[t].most); // what a turn's last place is worth
        measure_at_most("frames, double", off[0] / scale, 1e-14);
        measure_at_most("frames, single", off[1] / scale, 5e-6);
    }
}

// ---- bodies that are held

// How far bodies are from where they are held, in units of the rig's size.
static double held_error(const er_model *m, int count, const er_hold *hold, const er_pose *pose)
{
    double worst = 0.0;
    for (int h = 0; h < count; ++h) {
        er_pose is = pose[hold[h].body], was = m->body[hold[h].body].pose;
        worst =
            fmax(worst, er_v3_distance(er_pose_point(is, hold[h].point), er_pose_point(was, hold[h].point)) / m->size);
        if (!hold[h].turns) worst = fmax(worst, er_v3_norm(er_q_log(er_q_mul(is.q, er_q_conj(was.q)))));
    }
    return worst;
}

// Trees of all joint types, some of their springs left out, one or two of their bodies held.
static void no_held_pose_near_is_nearer_to_what_was_asked(void **state)
{
    static rig r;
    static er_pose pose[RIG_MAX];
    dice d = {29};
    int compared = 0;
    for (int trial = 0; trial < trials(60); ++trial) {
        rig_forest(&r, &d, 3 + dice_below(&d, 8), false);
        er_model *m = rig_model(context, &r);
        er_kinematics *k = kinematics_of(m);
        double asked[6 * RIG_MAX], x[6 * RIG_MAX];
        int count = 1 + trial % 2, first = dice_below(&d, m->body_count);
        er_hold hold[2];
        for (int h = 0; h < count; ++h) {
            bool turns = dice_below(&d, 2) == 0;
            hold[h] = (er_hold){(first + h) % m->body_count, turns, er_v3_scale(0.2, dice_vec3(&d))};
        }
        assert_int_equal(eri_kinematics_hold(k, context, count, hold, HELD_PACE), ER_OK);
        random_displacement(m, k, &d, 0.2, asked);
        memcpy(x, asked, sizeof x);
        if (settle(k, x, pose)) {
            measure_at_most("what is held, off", held_error(m, count, hold, pose), 1e-9);
            compared += compare_others("gain of another held pose", k, m, held_norm, &d, asked, x);
        }
        er_kinematics_destroy(k);
        er_model_destroy(m);
    }
    assert_true(compared > trials(60) * 6);
}

// Holds must name existing bodies, each once, at finite points.
static void bodies_that_cannot_be_held_are_refused(void **state)
{
    static rig r;
    dice d = {63};
    rig_forest(&r, &d, 4, false);
    er_model *m = rig_model(context, &r);
    const struct {
        int count;
        er_hold hold[2];
        const char *words;
    } cases[] = {{-1, {{0}}, "-1 bodies"},
                 {10001, {{0}}, "10001 bodies"},
                 {1, {{.body = -1}}, "body -1 of 4"},
                 {2, {{.body = 0}, {.body = 4}}, "plant 1 is of body 4 of 4"},
                 {1, {{.body = 1, .turns = true, .point = {0, NAN, 0}}}, "not finite"},
                 {2, {{.body = 3}, {.body = 3, .turns = true}}, "body 3 is to be planted twice"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_kinematics *k = kinematics_of(m);
        assert_int_equal(eri_holds_check(context, m, cases[i].count, cases[i].hold), ER_ERROR_ARGUMENT);
        if (strstr(er_context_error(context), cases[i].words) == NULL)
            fail_msg("\"%s\", not \"%s\"", er_context_error(context), cases[i].words);
        assert_int_equal(eri_kinematics_hold(k, context, cases[i].count, cases[i].hold, HELD_PACE), ER_ERROR_ARGUMENT);
        er_kinematics_destroy(k);
    }
    const er_hold first_and_last[] = {{.body = 0}, {.body = 3, .turns = true, .point = {0, 1, 0}}};
    assert_int_equal(eri_holds_check(context, m, 2, first_and_last), ER_OK);
    assert_int_equal(eri_holds_check(context, m, 0, NULL), ER_OK);
    assert_int_equal(eri_holds_check(context, m, 1, NULL), ER_ERROR_ARGUMENT);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_stay_joined_at_sixty_degrees),
        cmocka_unit_test(joints_of_every_kind_stay_joined),
        cmocka_unit_test(closed_loops_stay_closed),
        cmocka_unit_test(the_joint_that_turns_most_turns_by_the_amplitude),
        cmocka_unit_test(twists_of_a_mode_are_its_own),
        cmocka_unit_test(twists_are_what_poses_begin_with),
        cmocka_unit_test(poses_begin_with_the_mode),
        cmocka_unit_test(every_joint_shows_its_coordinates),
        cmocka_unit_test(coordinates_are_read_off_displacements),
        cmocka_unit_test(displacements_start_from_another_pose),
        cmocka_unit_test(displacements_are_measured_by_their_kind),
        cmocka_unit_test(the_linear_form_errs_by_the_square_of_the_amplitude),
        cmocka_unit_test(linkages_follow_as_far_as_they_reach),
        cmocka_unit_test(no_closed_pose_near_is_nearer_to_what_was_asked),
        cmocka_unit_test(loops_close_by_joints_of_every_type),
        cmocka_unit_test(no_held_pose_near_is_nearer_to_what_was_asked),
        cmocka_unit_test(bodies_that_cannot_be_held_are_refused),
        cmocka_unit_test(a_pose_depends_on_its_displacement_alone),
        cmocka_unit_test(the_gap_is_the_largest_that_joints_hold_open),
        cmocka_unit_test(poses_refuse_what_no_pose_can_be),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(frames_side_by_side_are_the_poses_of_each_at_any_turn),
    };
    return cmocka_run_group_tests_name("pose", tests, set_up, tear_down);
}
