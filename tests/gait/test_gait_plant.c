// Where feet are to be, by closed forms: soles that roll over their corners while they stand, what swings between, and
// which way legs bend for it.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "gait/stride/reach.h"
#include "support/judge.h"
#include "walkers.h"

enum { FRAMES = 240, FIRST = 30, LENGTH = 120 }; // of a stride; a stance

// A biped whose feet have toes that are turned up, or none, and the frames of its left foot.
typedef struct print {
    er_model *model;
    er_gait_body *body;
    er_pose pose[FRAMES * MOST_PARTS];
    er_vec3 root[FRAMES];
    bool stands[FRAMES];
    double work[2 * FRAMES];
    eri_target out[FRAMES];
} print;

static er_model *make_toes(void)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.6, 0.1), 1.0);
    int up[2] = {hips, hips};
    walker_pair(&m, "thigh_%c", up, er_v3(0.1, 0.9, 0), er_v3(0.05, 0.49, -0.05), er_v3(0.15, 0.9, 0.05));
    walker_pair(&m, "shin_%c", up, er_v3(0.1, 0.49, 0.01), er_v3(0.06, 0.1, -0.04), er_v3(0.14, 0.49, 0.04));
    walker_pair(&m, "foot_%c", up, er_v3(0.1, 0.08, 0), er_v3(0.06, 0.0, -0.06), er_v3(0.14, 0.06, 0.1));
    walker_pair(&m, "toe_%c", up, er_v3(0.1, 0.04, 0.1), er_v3(0.06, 0.02, 0.1), er_v3(0.14, 0.06, 0.2));
    return walker_finish(&m);
}

static void begin(print *p, er_model *model)
{
    p->model = model;
    p->body = read_body(model, NULL);
    assert_int_equal(p->body->foot_count, 2);
    for (int i = 0; i < FRAMES * model->body_count; ++i)
        p->pose[i] = model->body[i % model->body_count].pose;
    for (int i = 0; i < FRAMES; ++i) {
        p->root[i] = er_v3(0, -0.25, 0); // so low that legs reach
        p->stands[i] = i >= FIRST && i < FIRST + LENGTH;
    }
}

static void end(print *p)
{
}

static void plant(print *p, double length)
{
    const eri_paths paths = {.count = FRAMES, .feet = 2};
    const eri_stride stride = {.length = length};
    eri_plant(p->model, p->body, 0, &paths, &stride, p->stands, p->root, p->pose, p->work, p->out);
}

static er_pose *foot_at(print *p, int frame)
{
    return &p->pose[frame % FRAMES * p->model->body_count + p->body->foot[0].body];
}

static double smooth(double u)
{
    return u <= 0.0 ? 0.0 : u >= 1.0 ? 1.0 : 3.0 * u * u - 2.0 * u * u * u;
}

// A moving average of 13 frames, three times over.
static void soften(double *x)
{
    for (int turn = 0; turn < 3; ++turn) {
        double mean[FRAMES];
        for (int i = 0; i < FRAMES; ++i) {
            mean[i] = 0.0;
            for (int k = -6; k <= 6; ++k)
                mean[i] += x[(i + k + FRAMES) % FRAMES] / 13.0;
        }
        memcpy(x, mean, sizeof mean);
    }
}

// Where the ankle of a sole is that rolls by an angle: over a corner until the next one comes down, without sliding.
static er_vec3 rolled(double pitch, bool toes, double z)
{
    double ground = pitch < 0.0 || toes ? -0.06 : 0.17, ahead = ground, up = -0.08;
    if (toes && pitch > atan2(0.02, 0.26)) { // from the heel, which alone is down, on to the tip of the toe
        ahead = 0.2;
        up = -0.06;
        ground += hypot(0.26, 0.02);
    }
    // the ankle from that corner, turned: heel up for an angle above 0
    er_vec3 arm = {0, -up * cos(pitch) + ahead * sin(pitch), -ahead * cos(pitch) - up * sin(pitch)};
    return er_v3(0.1, arm.y, z + ground + arm.z);
}

// The mix rolls the foot by some angle all the time: three fifths of it count, within bounds, at the ends of the stance
// and not in its middle, softened.
static void soles_roll_at_the_ends_of_stances(void **state)
{
    static print p;
    static const double angles[] = {-0.7, -0.45, -0.2, 0.15, 0.5, 0.8, 1.1};
    const double length = 0.3;
    for (int toes = 0; toes < 2; ++toes) {
        double most = 0.0;
        begin(&p, toes == 1 ? make_toes() : make_biped(usual));
        const er_gait_foot *foot = &p.body->foot[0];
        assert_true(foot->flat && fabs(foot->rest - 0.08) < 1e-12);
        for (size_t k = 0; k < ERI_COUNT(angles); ++k) {
            double pitch[FRAMES];
            for (int i = 0; i < FRAMES; ++i) {
                foot_at(&p, i)->q = er_q_exp(er_v3(angles[k], 0, 0)); // walkers' left is +X
                double u = (double)((i - FIRST + FRAMES) % FRAMES) / (LENGTH - 1),
                       rolls = u > 1.0 ? 1.0 : 1.0 - smooth(u / 0.35) + smooth((u - 0.65) / 0.35);
                pitch[i] = 0.6 * rolls * fmin(fmax(angles[k], -0.45), 0.8);
            }
            soften(pitch);
            plant(&p, length);
            for (int i = FIRST; i < FIRST + LENGTH; ++i) {
                double z = -length * (i - FIRST - 0.5 * (LENGTH - 1)) / FRAMES;
                const eri_target *t = &p.out[i];
                measure_at_most("roll of a sole", er_v3_distance(er_q_log(t->sole), er_v3(pitch[i], 0, 0)), 1e-9);
                measure_at_most("heel of a sole that rolls", er_v3_distance(t->heel, rolled(pitch[i], toes == 1, z)),
                                1e-9);
                assert_true(t->holds == 1.0);
                most = fmax(most, fabs(pitch[i]));
            }
        }
        assert_true(most > 0.3);
        end(&p);
    }
}

// The mix has the foot on its footprint while it stands, so that nothing is to be eased: while it swings it goes as the
// mix has it, lifted where its sole would be near the ground, and no farther from the hip than the leg is long.
static void swings_go_as_the_mix_has_them_but_for_the_ground_and_the_leg(void **state)
{
    static print p;
    const double length = 0.4;
    int lifted = 0, pulled = 0;
    for (int high = 0; high < 6; ++high) {
        begin(&p, make_biped(usual));
        const er_gait_foot *foot = &p.body->foot[0];
        double leg = p.body->leg;
        for (int i = FIRST; i < FIRST + FRAMES; ++i) {
            double t = (i - FIRST - 0.5 * (LENGTH - 1)) / FRAMES, z = -length * t, y = 0.0;
            if (i > FIRST + LENGTH + 2 && i < FIRST + FRAMES - 3) { // beyond where velocities are read off
                double u = (double)(i - FIRST - LENGTH - 2) / (FRAMES - LENGTH - 5);
                y = (0.025 * high - 0.03) * sin(ER_PI * u);
                z += length * smooth(u) + (high == 5 ? 0.7 : 0.0) * sin(ER_PI * u);
            } else if (i >= FIRST + FRAMES - 3) {
                z += length; // of the next footprint
            }
            foot_at(&p, i)->p = er_v3(0.1, 0.08 + y + 0.25, z);
        }
        plant(&p, length);
        for (int i = FIRST + LENGTH; i < FIRST + FRAMES; ++i) {
            const eri_target *t = &p.out[i % FRAMES];
            double u = (double)(i - FIRST - LENGTH + 1) / (FRAMES - LENGTH + 1), bell = 4.0 * u * (1.0 - u);
            er_vec3 heel = er_v3_add(foot_at(&p, i)->p, er_v3(0, -0.25, 0)), before = heel;
            // four corners of a level sole, as high as each other
            double soft = 0.008 * leg * bell, rise = 0.01 * leg * bell,
                   sunk = soft * log(4.0) - (heel.y - 0.08) + 0.012 * leg * bell;
            heel.y += 0.5 * (sunk + sqrt(sunk * sunk + rise * rise));
            lifted += heel.y > before.y + 0.005;
            er_vec3 hip = er_v3_add(p.model->joint[foot->joint[0]].frame.p, er_v3(0, -0.25, 0)),
                    d = er_v3_sub(heel, hip);
            double far = er_v3_norm(d) / foot->reach;
            if (far > 0.96) {
                heel = er_v3_madd(hip, (0.96 + 0.015 * tanh((far - 0.96) / 0.015)) / far, d);
                ++pulled;
            }
            measure_at_most("heel of a foot that swings", er_v3_distance(t->heel, heel), 1e-9);
            measure_at_most("sole of a foot that swings", er_v3_norm(er_q_log(t->sole)), 1e-9);
            measure_at_most("how a foot that swings is held",
                            fabs(t->holds - 1.0 + smooth(u / 0.35) - smooth((u - 0.65) / 0.35)), 1e-12);
        }
        end(&p);
    }
    assert_true(lifted > 50 && pulled > 10);
}

// ---- knees

// Legs of a thigh and a shin on feet, the knee so far down and so far ahead, with bounds about x, which is to the left;
// its joint is that of the part below, or crossed.
static er_model *make_legs(double down, double ahead, double low, double high, bool crossed)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.3, 0.1), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        double x = 0.1 * s, knee = 0.9 - down;
        const char *side = s > 0 ? "L" : "R";
        char name[3][16];
        snprintf(name[0], 16, "thigh_%s", side), snprintf(name[1], 16, "shin_%s", side),
            snprintf(name[2], 16, "foot_%s", side);
        int thigh =
            walker_box(&m, name[0], 0, er_v3(x, 0.9, 0), er_v3(x - 0.02, knee, -0.02), er_v3(x + 0.02, 0.9, 0.03), 1.0);
        int shin = walker_box(&m, name[1], thigh, er_v3(x, knee, ahead), er_v3(x - 0.02, 0.05, -0.02),
                              er_v3(x + 0.02, knee, 0.03), 1.0);
        walker_box(&m, name[2], shin, er_v3(x, 0.05, 0), er_v3(x - 0.03, 0.0, -0.05), er_v3(x + 0.03, 0.05, 0.15), 1.0);
        er_joint *joint = &m.joint[shin - 1];
        joint->limit[0][0] = low;
        joint->limit[0][1] = high;
        if (crossed) joint->parent = shin, joint->child = thigh;
    }
    return walker_finish(&m);
}

// The left leg of a model, as it is at rest.
typedef struct limb {
    er_model *model;
    er_gait_body *body;
    er_kinematics *kinematics;
    er_arena *arena;
    eri_leg leg;
} limb;

static limb left_leg(er_model *model)
{
    limb l = {.model = model, .body = read_body(model, NULL)};
    ok(eri_arena_create(context, &l.arena));
    ok(er_kinematics_create(context, model, &l.kinematics));
    ok(eri_leg_create(l.arena, model, l.kinematics, l.body, &l.body->foot[0], &l.leg));
    return l;
}

static void end_leg(limb *l)
{
    er_kinematics_destroy(l->kinematics);
    eri_arena_destroy(l->arena);
}

// The link of the knee of the left leg, and which way it bends: 1 to what is below going back; 0 without a knee.
static int knee_of(er_model *model, int *side)
{
    limb l = left_leg(model);
    int knee = l.leg.knee;
    *side = 0;
    if (knee > 0) {
        er_vec3 hinge = er_q_rotate(model->body[eri_leg_link(&l.leg, knee)->above].pose.q, l.leg.hinge);
        *side = er_v3_dot(hinge, l.body->left) > 0.0 ? 1 : -1;
        assert_true(fabs(fabs(er_v3_dot(hinge, l.body->left)) - 1.0) < 1e-9);
    }
    end_leg(&l);
    return knee;
}

// A knee that is straight bends to the side that its limits leave more room to, by a tenth of a radian at least; one
// that is bent as it is.
static void limits_say_which_way_straight_knees_bend(void **state)
{
    const struct {
        double ahead, low, high;
        int side;
    } rows[] = {{0, -HUGE_VAL, HUGE_VAL, 1}, {0, -0.2, 2.0, 1},       {0, -2.0, 0.2, -1},  {0, -1.0, 0.91, 1},
                {0, -1.0, 0.89, -1},         {0, -HUGE_VAL, 0.2, -1}, {0.1, -2.0, 0.2, 1}, {-0.1, -0.2, 2.0, -1}};
    for (int crossed = 0; crossed < 2; ++crossed)
        for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
            int side, told = rows[i].side;
            if (crossed == 1 && rows[i].ahead == 0.0 && (i == 1 || i == 2 || i > 3)) told = -told; // seen from below
            assert_int_equal(knee_of(make_legs(0.4, rows[i].ahead, rows[i].low, rows[i].high, crossed == 1), &side), 1);
            if (side != told) fail_msg("row %zu, crossed %d: %d", i, crossed, side);
        }
}

// For a knee with three axes the limits of the axis across the body count, whichever it is and whichever way it points.
// The limits of the others say the contrary and do not count. If all three axes are as far from across, none counts.
static void limits_are_those_of_the_axis_across_the_body(void **state)
{
    static const double turns[] = {0.0, -2.0 * ER_PI / 3.0, 2.0 * ER_PI / 3.0}; // that bring x, y, z to x
    static const double tilt[] = {0.0, 40.0 * ER_PI / 180.0, 44.7 * ER_PI / 180.0, -44.7 * ER_PI / 180.0};
    for (int k = 0; k < 50; ++k) {
        static er_joint joint[MOST_PARTS];
        int across = k % 3, told = k / 3 % 2 == 0 ? 1 : -1, way = k / 6 % 2 == 0 ? 1 : -1, side;
        er_model *straight = make_legs(0.4, 0.0, -HUGE_VAL, HUGE_VAL, false);
        er_quat turn = er_q_exp(er_v3_scale(turns[across] / sqrt(3.0), er_v3(1, 1, 1)));
        turn = er_q_mul(er_q_exp(er_v3(0, tilt[k / 12 % 4] + (way < 0 ? ER_PI : 0.0), 0)), turn);
        if (k >= 48) { // x, which is across, is (1, 1, 1) in the joint's frame
            er_vec3 from = er_v3_scale(1.0 / sqrt(3.0), er_v3(1, 1, 1)), about = er_v3_cross(from, er_v3(1, 0, 0));
            turn = er_q_exp(er_v3_scale(acos(from.x) / er_v3_norm(about), about));
            told = 1;
        }
        for (int j = 0; j < straight->joint_count; ++j) {
            joint[j] = straight->joint[j];
            if (j % 3 != 1) continue;
            joint[j].frame.q = turn;
            for (int a = 0; a < 3 && k >= 48; ++a) {
                joint[j].limit[a][0] = k == 48 ? -2.0 : -0.2;
                joint[j].limit[a][1] = k == 48 ? 0.2 : 2.0;
            }
            for (int a = 0; a < 3 && k < 48; ++a) {
                double more = (a == across) == (told * way > 0) ? 2.0 : 0.2;
                joint[j].limit[a][0] = more - 2.2;
                joint[j].limit[a][1] = more;
            }
        }
        straight = make_model(straight->body_count, straight->body, straight->joint_count, joint);
        assert_int_equal(knee_of(straight, &side), 1);
        assert_int_equal(side, told);
    }
}

// A part shorter than 0.15 of the leg is no part of one that bends, and a knee does not lead aside of the way to the
// heel by more than arc cos 0.3.
static void knees_halve_their_legs(void **state)
{
    static const struct {
        double down, ahead;
        int knee;
    } rows[] = {{0.11, 0, 0},    {0.14, 0, 1},   {0.4, 0, 1},      {0.71, 0, 1},   {0.74, 0, 0},
                {0.3, 0.888, 1}, {0.3, 1.03, 0}, {0.55, 0.888, 1}, {0.55, 1.03, 0}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        int side, knee = knee_of(make_legs(rows[i].down, rows[i].ahead, -HUGE_VAL, HUGE_VAL, false), &side);
        if (knee != rows[i].knee) fail_msg("row %zu: %d", i, knee);
    }
}

// Straight legs that lead out to the sides by so much.
static er_model *make_splayed(double out)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.3, 0.1), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        static const double y[] = {0.9, 0.45, 0.05, 0.0};
        for (int k = 0, up = 0; k < 3; ++k) {
            static const char *const part[] = {"thigh", "shin", "foot"};
            char name[16];
            snprintf(name, sizeof name, "%s_%c", part[k], s > 0 ? 'L' : 'R');
            double x = s * (0.1 + out * (0.9 - y[k]) / 0.85);
            up = walker_box(&m, name, up, er_v3(x, y[k], 0), er_v3(x - 0.03, y[k + 1], -0.03),
                            er_v3(x + 0.03, y[k], k == 2 ? 0.15 : 0.03), 1.0);
        }
    }
    return walker_finish(&m);
}

// A knee bends about the axis across the body; where what it bends is all along that, there is none.
static void legs_that_lie_across_the_body_have_no_knee(void **state)
{
    int side;
    assert_int_equal(knee_of(make_splayed(0.5), &side), 1);
    assert_int_equal(knee_of(make_splayed(2.5), &side), 1);
    assert_int_equal(knee_of(make_splayed(2.7), &side), 0); // 0.4 of 2.68 are 0.15
}

// Legs that lead aside are folded to the length that is asked for all the same.
static void splayed_legs_fold_to_any_length(void **state)
{
    dice d = {4602};
    limb l = left_leg(make_splayed(0.5));
    const er_gait_foot *foot = l.leg.foot;
    er_pose pose[MOST_PARTS];
    assert_int_equal(l.leg.knee, 1);
    for (int turn = 0; turn < 40; ++turn) {
        double x[6 * MOST_PARTS] = {0}, far = dice_uniform(&d, 0.55, 0.8) * foot->reach;
        eri_kinematics_open(l.kinematics, x, pose);
        er_vec3 hip = l.model->joint[foot->joint[0]].frame.p;
        eri_leg_two_bone(&l.leg, er_v3_add(hip, er_v3(0, -far, 0)), x, pose);
        double found = er_v3_distance(hip, er_pose_point(pose[foot->body], foot->heel));
        measure_at_most("length of a splayed leg", fabs(found - far) / foot->reach, 2e-3); // asked for softly
    }
    end_leg(&l);
}

// A leg of two parts whose sole turns with it comes to where its sole is to be, by its lowest corner.
static void legs_without_ankle_bring_their_soles_down(void **state)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.9, 0), er_v3(-0.2, 0.9, -0.1), er_v3(0.2, 1.3, 0.1), 1.0);
    int up[2] = {0, 0};
    walker_pair(&m, "leg_1_%c", up, er_v3(0.1, 0.9, 0), er_v3(0.06, 0.45, -0.05), er_v3(0.14, 0.9, 0.05));
    walker_pair(&m, "leg_2_%c", up, er_v3(0.1, 0.45, 0.03), er_v3(0.06, 0.0, -0.08), er_v3(0.14, 0.45, 0.12));
    limb l = left_leg(walker_finish(&m));
    er_pose pose[MOST_PARTS];
    dice d = {4603};
    const er_gait_foot *foot = l.leg.foot;
    assert_true(l.leg.count == 2 && !foot->flat && foot->rest == 0.0);
    for (int turn = 0; turn < 40; ++turn) {
        double x[6 * MOST_PARTS] = {0}, height = dice_uniform(&d, 0.05, 0.3), left = dice_uniform(&d, -0.1, 0.1);
        eri_target t = {er_v3(0.1 + left, height, 0.02 + dice_uniform(&d, -0.2, 0.2)), er_q_identity(), 1.0};
        eri_kinematics_open(l.kinematics, x, pose);
        eri_leg_reach(&l.leg, l.model, l.body, &t, x, pose);
        er_vec3 off = er_v3_sub(er_pose_point(pose[foot->body], foot->heel), t.heel);
        measure_at_most("sole of a leg without ankle, on the level", hypot(off.x, off.z), 1e-4);
        double lowest = HUGE_VAL;
        for (int k = 0; k < foot->point_count; ++k) {
            er_vec3 own = er_pose_point_inverse(l.model->body[foot->body].pose, foot->point[k]);
            lowest = fmin(lowest, er_pose_point(pose[foot->body], own).y);
        }
        measure_at_most("height of a leg without ankle", fabs(lowest - height), 5e-3); // corners are soft
    }
    end_leg(&l);
}

// The same model with springs that are told joint by joint and axis by axis.
static er_model *with_springs(er_model *model, double (*spring)(int joint, int axis))
{
    static er_joint joint[MOST_PARTS];
    for (int k = 0; k < model->joint_count; ++k) {
        joint[k] = model->joint[k];
        for (int a = 0; a < 3; ++a)
            joint[k].stiffness[a] = spring(k, a);
    }
    return make_model(model->body_count, model->body, model->joint_count, joint);
}

static double all_unlike(int joint, int axis)
{
    return 10.0 * (joint + 1) + 3.0 * axis;
}
static double one_lacks(int joint, int axis)
{
    return joint % 3 == 2 ? 0.0 : 5.0 + axis;
}
static double all_lack(int joint, int axis)
{
    return 0.0 * joint * axis;
}

// Springs of a leg are over their mean, of a hundredth at least; those of the knee along its hinge and across it, where
// they are twenty times as stiff.
static void springs_of_legs_are_over_their_mean(void **state)
{
    double (*const springs[])(int joint, int axis) = {all_unlike, one_lacks, all_lack};
    for (int k = 0; k < 3; ++k) {
        limb l = left_leg(with_springs(make_legs(0.4, 0.1, -HUGE_VAL, HUGE_VAL, false), springs[k]));
        const eri_leg leg = l.leg;
        assert_true(leg.count == 3 && leg.width == 9 && leg.knee == 1);
        double mean = 0.0, own[9];
        for (int c = 0; c < 9; ++c)
            mean += springs[k](leg.foot->joint[c / 3], c % 3) / 9.0;
        for (int c = 0; c < 9; ++c) {
            double spring = springs[k](leg.foot->joint[c / 3], c % 3);
            own[c] = mean > 0.0 ? fmax(spring / mean, 0.01) : 1.0;
        }
        er_vec3 unit[3];
        for (int c = 0; c < 9; ++c) {
            const eri_leg_direction *way = &leg.direction[c];
            assert_int_equal(way->owner, c / 3);
            if (c / 3 != 1) {
                assert_true(way->count == 1 && way->axis == c % 3 && way->unit[0] == 1.0);
                assert_int_equal(way->first, eri_leg_placement(&leg, c / 3)->first + c % 3);
                assert_true(fabs(way->stiffness - own[c]) < 1e-12);
                continue;
            }
            const double *u = way->unit;
            double along = u[0] * u[0] * own[3] + u[1] * u[1] * own[4] + u[2] * u[2] * own[5];
            unit[c - 3] = er_v3(u[0], u[1], u[2]);
            assert_true(way->count == 3 && way->axis == 0 && way->first == eri_leg_placement(&leg, 1)->first);
            assert_true(fabs(way->stiffness - (c == 3 ? 1.0 : 20.0) * along) < 1e-12);
        }
        // frames of joints are along the axes; a knee that is ahead bends about the axis to the left
        assert_true(er_v3_distance(unit[0], er_v3(1, 0, 0)) < 1e-9);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                assert_true(fabs(er_v3_dot(unit[a], unit[b]) - (a == b)) < 1e-12);
        end_leg(&l);
    }
}

// Legs of any joints, crossed or not, are where the whole rig has them, and their directions move them as they say.
static void legs_of_any_joints_are_where_the_rig_has_them(void **state)
{
    static const er_joint_type types[] = {ER_JOINT_REVOLUTE,  ER_JOINT_PRISMATIC, ER_JOINT_CYLINDRICAL,
                                          ER_JOINT_UNIVERSAL, ER_JOINT_SPHERICAL, ER_JOINT_PLANAR,
                                          ER_JOINT_FREE};
    const double h = 1e-6;
    dice d = {4601};
    for (size_t k = 0; k < 2 * ERI_COUNT(types); ++k) {
        static er_joint joint[MOST_PARTS];
        er_model *model = make_legs(0.4, 0.1, -HUGE_VAL, HUGE_VAL, k % 2 == 1);
        for (int j = 0; j < model->joint_count; ++j) {
            joint[j] = model->joint[j];
            if (j % 3 == 1) joint[j].type = types[k / 2]; // the knee
            joint[j].frame.q = dice_quat(&d);
            for (int a = 0; a < 6; ++a) {
                joint[j].stiffness[a] = 1.0 + a;
                joint[j].limit[a][0] = -HUGE_VAL;
                joint[j].limit[a][1] = HUGE_VAL;
            }
        }
        model = make_model(model->body_count, model->body, model->joint_count, joint);
        limb l = left_leg(model);
        eri_leg *leg = &l.leg;
        bool turns = types[k / 2] == ER_JOINT_SPHERICAL || types[k / 2] == ER_JOINT_FREE;
        int width = er_kinematics_width(l.kinematics), foot = leg->foot->body, hinged = 0;
        er_pose open[MOST_PARTS], own[MOST_PARTS];
        double x[6 * MOST_PARTS] = {0};
        for (int c = 0; c < width; ++c)
            x[c] = dice_uniform(&d, -0.4, 0.4);
        eri_kinematics_open(l.kinematics, x, open);
        memcpy(own, open, sizeof own);
        for (int i = 0; i < leg->count; ++i)
            own[eri_leg_link(leg, i)->body] = er_pose_identity();
        eri_leg_pose(leg, x, own);
        for (int b = 0; b < model->body_count; ++b) {
            measure_at_most("place of a leg's body", er_v3_distance(open[b].p, own[b].p), 1e-12);
            measure_at_most("turn of a leg's body", er_v3_norm(er_q_log(er_q_mul(er_q_conj(open[b].q), own[b].q))),
                            1e-12);
        }
        for (int c = 0; c < leg->width; ++c) {
            er_twist twist = eri_leg_twist(leg, c, x, own);
            er_pose there[MOST_PARTS];
            memcpy(there, own, sizeof there);
            eri_leg_step(leg, c, h, x);
            eri_leg_pose(leg, x, there);
            eri_leg_step(leg, c, -h, x);
            er_vec3 turn = er_v3_scale(1.0 / h, er_q_log(er_q_mul(there[foot].q, er_q_conj(own[foot].q)))),
                    way = er_v3_scale(1.0 / h, er_v3_sub(there[foot].p, own[foot].p));
            measure_at_most("turn along a direction", er_v3_distance(turn, twist.angular), 1e-5);
            measure_at_most("way along a direction",
                            er_v3_distance(way, er_v3_add(twist.linear, er_v3_cross(twist.angular, own[foot].p))),
                            1e-5);
            hinged += leg->direction[c].count == 3;
        }
        assert_int_equal(hinged, leg->knee == 1 && turns ? 3 : leg->knee == 1 ? 0 : hinged);
        end_leg(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soles_roll_at_the_ends_of_stances),
        cmocka_unit_test(swings_go_as_the_mix_has_them_but_for_the_ground_and_the_leg),
        cmocka_unit_test(limits_say_which_way_straight_knees_bend),
        cmocka_unit_test(limits_are_those_of_the_axis_across_the_body),
        cmocka_unit_test(knees_halve_their_legs),
        cmocka_unit_test(legs_that_lie_across_the_body_have_no_knee),
        cmocka_unit_test(splayed_legs_fold_to_any_length),
        cmocka_unit_test(legs_without_ankle_bring_their_soles_down),
        cmocka_unit_test(springs_of_legs_are_over_their_mean),
        cmocka_unit_test(legs_of_any_joints_are_where_the_rig_has_them),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
