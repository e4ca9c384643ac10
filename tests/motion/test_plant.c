// Bodies that stay while a mix plays: where they are, and by the least energy, judged by derivatives taken by steps.
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gait/walkers.h"
#include "motion/signal.h"
#include "support/judge.h"

typedef struct planted {
    er_model *model;
    er_modes *modes;
    er_motion *motion, *free; // the same mix, nothing planted
    int count;
    er_hold hold[4];
} planted;

static er_result try_plants(planted *p, int count, const er_hold *hold, double degrees, er_motion **out)
{
    er_mix_component component[4];
    for (int i = 0; i < 4; ++i) {
        component[i] = er_default_mix_component();
        component[i].mode = 6 + i;
        component[i].degrees = degrees / (1 + i);
        component[i].phase = i;
    }
    const er_mix mix = {.name = "", .component_count = 4, .component = component};
    er_motion_def def = er_default_motion_def();
    def.duration = 2.0;
    def.loop = true;
    def.plant_count = count;
    def.plant = hold;
    return er_motion_create(context, p->model, p->modes, &mix, &def, out);
}

static planted plant(er_model *model, int count, const er_hold *hold, double degrees)
{
    planted p = {.model = model, .modes = modes_of(model), .count = count};
    memcpy(p.hold, hold, (size_t)count * sizeof *hold);
    ok(try_plants(&p, count, hold, degrees, &p.motion));
    ok(try_plants(&p, 0, NULL, degrees, &p.free));
    return p;
}

static void dig_up(planted *p)
{
    er_motion_destroy(p->free);
    er_motion_destroy(p->motion);
}

static planted biped_on_its_feet(double degrees)
{
    er_model *model = make_biped(usual);
    const er_hold feet[2] = {{.body = body_named(model, "left_foot")}, {.body = body_named(model, "right_foot")}};
    return plant(model, 2, feet, degrees);
}

static double turned(er_quat a, er_quat b)
{
    return er_v3_norm(er_q_log(er_q_mul(a, er_q_conj(b))));
}

enum { TIMES = 24, MOST_BODIES = 40, MOST_WIDTH = 128, MOST_ROWS = 24 };

// ---- where they stay

static void feet_stay_and_all_else_moves(void **state)
{
    planted p = biped_on_its_feet(20.0);
    double still = 0.0, gap = 0.0, trunk = 0.0, knee = 0.0;
    int chest = body_named(p.model, "chest"), shin = body_named(p.model, "left_shin");
    for (int i = 0; i < TIMES; ++i) {
        er_pose pose[MOST_BODIES];
        ok(er_motion_poses(p.motion, 1, &(double){2.0 * i / TIMES}, NULL, pose));
        for (int h = 0; h < p.count; ++h) {
            er_pose rest = p.model->body[p.hold[h].body].pose, now = pose[p.hold[h].body];
            still = fmax(still, fmax(er_v3_distance(rest.p, now.p), turned(rest.q, now.q)));
        }
        gap = fmax(gap, er_pose_joint_gap(p.model, pose));
        trunk = fmax(trunk, er_v3_distance(pose[chest].p, p.model->body[chest].pose.p));
        knee = fmax(knee, turned(pose[shin].q, p.model->body[shin].pose.q));
    }
    measure_at_most("planted feet move, m and rad", still, 1e-9);
    measure_at_most("joints part, m", gap, 1e-12);
    assert_true(trunk > 0.02 && knee > 0.02);
    dig_up(&p);
}

static void a_point_stays_and_its_body_turns(void **state)
{
    er_model *model = make_quadruped(usual);
    const char *const hoof[4] = {"left_fore_hoof", "right_fore_hoof", "left_hind_hoof", "right_hind_hoof"};
    er_hold hold[4];
    for (int i = 0; i < 4; ++i)
        hold[i] = (er_hold){.body = body_named(model, hoof[i]), .turns = true, .point = er_v3(0, -0.08, 0)};
    planted p = plant(model, 4, hold, 15.0);
    double still = 0.0, turn = 0.0;
    for (int i = 0; i < TIMES; ++i) {
        er_pose pose[MOST_BODIES];
        ok(er_motion_poses(p.motion, 1, &(double){2.0 * i / TIMES}, NULL, pose));
        for (int h = 0; h < 4; ++h) {
            er_pose rest = p.model->body[hold[h].body].pose, now = pose[hold[h].body];
            still = fmax(still, er_v3_distance(er_pose_point(rest, hold[h].point), er_pose_point(now, hold[h].point)));
            turn = fmax(turn, turned(rest.q, now.q));
        }
    }
    measure_at_most("planted points move, m", still, 1e-9);
    assert_true(turn > 0.01);
    dig_up(&p);
}

// The root alone takes nothing from the joints: all of it moves as it did, seen from the root.
static void a_planted_root_leaves_joints_as_they_are(void **state)
{
    er_model *model = make_biped(usual);
    planted p = plant(model, 1, &(er_hold){.body = body_named(model, "hips")}, 20.0);
    double worst = 0.0;
    for (int i = 0; i < TIMES; ++i) {
        double x[MOST_WIDTH], asked[MOST_WIDTH];
        ok(er_motion_poses(p.motion, 1, &(double){2.0 * i / TIMES}, x, NULL));
        ok(er_motion_poses(p.free, 1, &(double){2.0 * i / TIMES}, asked, NULL));
        for (int c = 0; c < p.motion->width; ++c)
            worst = fmax(worst, fabs(x[c] - (c < p.model->coordinate_count ? asked[c] : 0.0)));
    }
    measure_at_most("joints that a planted root changes, rad", worst, 1e-12);
    dig_up(&p);
}

// ---- over other poses

static void over_another_pose_they_stay_as_in_that_one(void **state)
{
    planted p = biped_on_its_feet(20.0);
    double still = 0.0, gap = 0.0, trunk = 0.0;
    int chest = body_named(p.model, "chest");
    for (int i = 0; i < TIMES; ++i) {
        er_pose base[MOST_BODIES], pose[MOST_BODIES];
        ok(er_motion_poses(p.free, 1, &(double){0.37 * i}, NULL, base));
        ok(eri_motion_pose_over(p.motion, 2.0 * i / TIMES, base, pose));
        for (int h = 0; h < p.count; ++h) {
            er_pose before = base[p.hold[h].body], now = pose[p.hold[h].body];
            still = fmax(still, fmax(er_v3_distance(before.p, now.p), turned(before.q, now.q)));
        }
        gap = fmax(gap, er_pose_joint_gap(p.model, pose));
        trunk = fmax(trunk, er_v3_distance(pose[chest].p, base[chest].p));
    }
    measure_at_most("planted feet move, m and rad", still, 1e-9);
    measure_at_most("joints part, m", gap, 1e-12);
    assert_true(trunk > 0.02);
    dig_up(&p);
}

// A rig carried elsewhere as a whole moves there as it does at home, and at home again as before.
static void where_the_whole_rig_stands_makes_no_difference(void **state)
{
    planted p = biped_on_its_feet(20.0);
    const er_pose carried = {er_q_exp(er_v3(0.4, -1.1, 0.7)), {3.0, -0.5, 1.0}};
    double apart = 0.0;
    for (int i = 0; i < TIMES; ++i) {
        double time = 2.0 * i / TIMES;
        er_pose base[MOST_BODIES], there[MOST_BODIES], home[MOST_BODIES], again[MOST_BODIES];
        for (int b = 0; b < p.model->body_count; ++b)
            base[b] = er_pose_mul(carried, p.model->body[b].pose);
        ok(er_motion_poses(p.motion, 1, &time, NULL, home));
        ok(eri_motion_pose_over(p.motion, time, base, there));
        ok(er_motion_poses(p.motion, 1, &time, NULL, again));
        for (int b = 0; b < p.model->body_count; ++b) {
            er_pose expected = er_pose_mul(carried, home[b]);
            apart = fmax(apart, er_v3_distance(there[b].p, expected.p) + turned(there[b].q, expected.q));
            assert_memory_equal(&home[b], &again[b], sizeof home[b]);
        }
    }
    measure_at_most("poses there and at home differ, m and rad", apart, 1e-8);
    dig_up(&p);
}

// ---- by the least energy

// Where held bodies are at a displacement of a rig with one root: three numbers of the place, three of the turn.
static void place_of(const planted *p, const double *x, double *out)
{
    er_pose pose[MOST_BODIES], root[MOST_BODIES];
    const double *at = x + p->model->coordinate_count;
    for (int b = 0; b < p->model->body_count; ++b) {
        er_pose rest = p->model->body[b].pose, moved = {er_q_exp(er_v3(at[0], at[1], at[2])), {at[3], at[4], at[5]}};
        if (p->model->tree_joint[b] < 0) root[b] = er_pose_mul(er_pose_mul(rest, moved), er_pose_inverse(rest));
    }
    er_model_pose(p->model, x, root, pose);
    for (int h = 0; h < p->count; ++h) {
        er_pose rest = p->model->body[p->hold[h].body].pose, now = pose[p->hold[h].body];
        er_vec3 turn = er_q_log(er_q_mul(now.q, er_q_conj(rest.q)));
        const double all[6] = {now.p.x, now.p.y, now.p.z, turn.x, turn.y, turn.z};
        memcpy(out + 6 * (ptrdiff_t)h, all, sizeof all);
    }
}

// K (x - asked) of the joints, and of the root pace^2 times the momentum that x - asked is a velocity of.
static void gradient_of(const planted *p, double pace2, const double *x, const double *asked, double *out)
{
    er_kinematics *k = NULL;
    double rate[MOST_WIDTH] = {0}, twist[6 * MOST_BODIES], unit[6 * MOST_BODIES];
    int n = p->model->coordinate_count;
    for (int j = 0; j < p->model->joint_count; ++j)
        for (int c = p->model->coordinate[j]; c < p->model->coordinate[j + 1]; ++c)
            out[c] = p->model->joint[j].stiffness[c - p->model->coordinate[j]] * (x[c] - asked[c]);
    for (int c = n; c < n + 6; ++c)
        rate[c] = x[c] - asked[c];
    ok(er_kinematics_create(context, p->model, &k));
    er_kinematics_twists(k, rate, twist);
    for (int c = n; c < n + 6; ++c) {
        memset(rate, 0, sizeof rate);
        rate[c] = 1.0;
        er_kinematics_twists(k, rate, unit);
        out[c] = 0.0;
        for (int b = 0; b < p->model->body_count; ++b) {
            const er_body *body = &p->model->body[b];
            const double *v = twist + 6 * (ptrdiff_t)b, *u = unit + 6 * (ptrdiff_t)b;
            er_vec3 wv = er_v3(v[0], v[1], v[2]), wu = er_v3(u[0], u[1], u[2]);
            er_vec3 vv = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(wv, body->com)),
                    vu = er_v3_add(er_v3(u[3], u[4], u[5]), er_v3_cross(wu, body->com));
            out[c] += pace2 * (body->mass * er_v3_dot(vv, vu) + er_v3_dot(wu, er_m3_mul_v(body->inertia, wv)));
        }
    }
    er_kinematics_destroy(k);
}

// The part of g that is not along the rows of J, over g: by Gram and Schmidt, twice.
static double left_of(int rows, int width, double J[][MOST_WIDTH], double *g)
{
    double before = 0.0, after = 0.0;
    for (int c = 0; c < width; ++c)
        before += g[c] * g[c];
    for (int i = 0; i < rows; ++i)
        for (int again = 0; again < 2; ++again) {
            for (int k = 0; k < i; ++k) {
                double dot = 0.0;
                for (int c = 0; c < width; ++c)
                    dot += J[i][c] * J[k][c];
                for (int c = 0; c < width; ++c)
                    J[i][c] -= dot * J[k][c];
            }
            double norm = 0.0;
            for (int c = 0; c < width; ++c)
                norm += J[i][c] * J[i][c];
            for (int c = 0; c < width; ++c)
                J[i][c] /= sqrt(norm);
        }
    for (int i = 0; i < rows; ++i) {
        double dot = 0.0;
        for (int c = 0; c < width; ++c)
            dot += J[i][c] * g[c];
        for (int c = 0; c < width; ++c)
            g[c] -= dot * J[i][c];
    }
    for (int c = 0; c < width; ++c)
        after += g[c] * g[c];
    return sqrt(after / before);
}

static double own_pace2(const er_motion *motion, const er_modes *modes)
{
    double energy = 0.0, squared = 0.0;
    for (int i = 0; i < motion->component_count; ++i) {
        double f2 = motion->component[i].factor * motion->component[i].factor,
               omega = 2.0 * ER_PI * er_modes_find(modes, motion->component[i].mode)->frequency_hz;
        energy += f2 * omega * omega;
        squared += f2;
    }
    return energy / squared;
}

// Where energy is least, its gradient pulls on what is held alone: g = J' mu.
static void nothing_but_the_feet_is_strained(void **state)
{
    planted p = biped_on_its_feet(12.0);
    static double J[MOST_ROWS][MOST_WIDTH];
    int width = p.motion->width, rows = 6 * p.count;
    const double h = 1e-5; // of derivatives: h^2 and rounding over h are both near 1e-10
    double worst = 0.0;
    for (int i = 0; i < 6; ++i) {
        double time = 0.31 * i + 0.1, x[MOST_WIDTH], asked[MOST_WIDTH], g[MOST_WIDTH], a[MOST_ROWS], b[MOST_ROWS];
        ok(er_motion_poses(p.motion, 1, &time, x, NULL));
        ok(er_motion_poses(p.free, 1, &time, asked, NULL));
        for (int c = 0; c < width; ++c) {
            double there[MOST_WIDTH];
            memcpy(there, x, sizeof there);
            there[c] = x[c] + h;
            place_of(&p, there, a);
            there[c] = x[c] - h;
            place_of(&p, there, b);
            for (int k = 0; k < rows; ++k)
                J[k][c] = (a[k] - b[k]) / (2.0 * h);
        }
        gradient_of(&p, own_pace2(p.motion, p.modes), x, asked, g);
        worst = fmax(worst, left_of(rows, width, J, g));
    }
    measure_at_most("energy's slope besides what is held", worst, 1e-6);
    dig_up(&p);
}

// ---- in time

static void poses_do_not_hang_on_those_before(void **state)
{
    planted p = biped_on_its_feet(20.0);
    double time[TIMES + 1], worst = 0.0;
    er_pose pose[(TIMES + 1) * MOST_BODIES], alone[MOST_BODIES];
    size_t n = (size_t)p.model->body_count;
    for (int i = 0; i <= TIMES; ++i)
        time[i] = 2.0 * i / TIMES;
    ok(er_motion_poses(p.motion, TIMES + 1, time, NULL, pose));
    assert_memory_equal(pose, pose + TIMES * n, n * sizeof *pose);
    for (int i = TIMES; i >= 0; --i) {
        ok(er_motion_poses(p.motion, 1, &time[i], NULL, alone));
        for (size_t b = 0; b < n; ++b)
            worst = fmax(worst, er_v3_distance(alone[b].p, pose[(size_t)i * n + b].p));
    }
    measure_at_most("poses alone and in a row differ, m", worst, 0.0);
    dig_up(&p);
}

// A pop would make the second difference of a path grow as the frames come closer; it is to fall by their square.
static void nothing_pops(void **state)
{
    planted p = biped_on_its_feet(20.0);
    double most[2] = {0};
    for (int fine = 0; fine < 2; ++fine) {
        int n = fine == 0 ? 120 : 480;
        er_pose pose[3][MOST_BODIES];
        for (int i = 0; i < n; ++i) {
            double time[3] = {2.0 * (i - 1) / n, 2.0 * i / n, 2.0 * (i + 1) / n};
            for (int k = 0; k < 3; ++k)
                ok(er_motion_poses(p.motion, 1, &time[k], NULL, pose[k]));
            for (int b = 0; b < p.model->body_count; ++b) {
                er_vec3 a = er_v3_sub(pose[0][b].p, pose[1][b].p), c = er_v3_sub(pose[2][b].p, pose[1][b].p);
                most[fine] = fmax(most[fine], n * n * er_v3_norm(er_v3_add(a, c)));
            }
        }
    }
    measure_at_most("acceleration on frames four times as close", most[1] / most[0], 1.1);
    dig_up(&p);
}

// ---- what cannot be

static void senseless_plants_are_refused(void **state)
{
    planted p = biped_on_its_feet(5.0);
    const er_hold wrong[][2] = {{{.body = -1}, {.body = 0}},
                                {{.body = p.model->body_count}, {.body = 0}},
                                {{.body = 3}, {.body = 3}},
                                {{.body = 1, .turns = true, .point = {NAN, 0, 0}}, {.body = 0}}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        er_motion *motion = (er_motion *)&p; // not NULL
        refused(try_plants(&p, 2, wrong[i], 5.0, &motion), ER_ERROR_ARGUMENT, &motion, "plant");
    }
    er_motion *motion = NULL;
    assert_int_equal(try_plants(&p, -1, wrong[0], 5.0, &motion), ER_ERROR_ARGUMENT);
    assert_int_equal(try_plants(&p, 1, NULL, 5.0, &motion), ER_ERROR_ARGUMENT);
    dig_up(&p);
}

// Joints that turn twice about are more than can be taken back: whoever poses or records them is told so, and when.
static void what_planted_feet_cannot_follow_is_told(void **state)
{
    planted p = biped_on_its_feet(800.0);
    er_scene *bones;
    const int *node_body;
    er_recording *recording = (er_recording *)&p; // not NULL
    ok(er_rig_bone_scene(context, p.model, NULL, &bones, &node_body));
    er_affine *local = calloc((size_t)bones->node_count, sizeof *local),
              *world = calloc((size_t)bones->node_count, sizeof *world);
    er_scene_sample(bones, NULL, 0.0, local);
    er_scene_world(bones, local, world);
    const er_recording_target target = {bones, node_body, NULL, world, 1.0};
    er_recording_def def = er_default_recording_def();
    def.fps = 12.0;
    double share, first = -1.0;
    char known[40];
    for (int i = 0; i <= 24 && first < 0.0; ++i) {
        double time = i / 12.0;
        er_result r = er_motion_poses(p.motion, 1, &time, NULL, NULL);
        if (r == ER_OK) continue;
        snprintf(known, sizeof known, "%.4g s", time);
        assert_refusal(context, r, ER_ERROR_NO_CONVERGENCE, known);
        first = time;
    }
    assert_true(first >= 0.0);
    ok(er_motion_reach(p.motion, 12.0, &share));
    assert_true(share > 0.0 && share < 1.0);
    const er_motion_component *v = &p.motion->component[0];
    er_result r = er_motion_record(context, p.motion, &target, &def, &recording);
    snprintf(known, sizeof known, " %.0f %% ", 100.0 * share);
    refused(r, ER_ERROR_NO_CONVERGENCE, &recording, known);
    snprintf(known, sizeof known, "%.3g degrees of mode %d", share * v->degrees, v->mode);
    refused(r, ER_ERROR_NO_CONVERGENCE, &recording, known);
    // over a clip that holds still
    const er_clip still = {"still", 2.0, 0, NULL};
    def.over = &still;
    recording = (er_recording *)&p;
    r = er_motion_record(context, p.motion, &target, &def, &recording);
    snprintf(known, sizeof known, "%.4g s", first);
    refused(r, ER_ERROR_NO_CONVERGENCE, &recording, known);
    assert_refusal(context, r, ER_ERROR_NO_CONVERGENCE, "\"still\"");
    free(local);
    free(world);
    er_scene_destroy(bones);
    dig_up(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_stay_and_all_else_moves),
        cmocka_unit_test(a_point_stays_and_its_body_turns),
        cmocka_unit_test(a_planted_root_leaves_joints_as_they_are),
        cmocka_unit_test(over_another_pose_they_stay_as_in_that_one),
        cmocka_unit_test(where_the_whole_rig_stands_makes_no_difference),
        cmocka_unit_test(nothing_but_the_feet_is_strained),
        cmocka_unit_test(poses_do_not_hang_on_those_before),
        cmocka_unit_test(nothing_pops),
        cmocka_unit_test(senseless_plants_are_refused),
        cmocka_unit_test(what_planted_feet_cannot_follow_is_told),
    };
    return cmocka_run_group_tests_name("plant", tests, set_up, tear_down);
}
