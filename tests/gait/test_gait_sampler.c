// The sampler of mixes against exact poses: paths of feet and trunk, and which modes, bodies and sides it looks at.
#include <string.h>

#include "grid.h"
#include "support/judge.h"

// A trunk that rolls, pitches and yaws by a little, and a foot that is moved: as it was put.
static void paths_are_what_poses_say(void **state)
{
    bench b = begin(make_biped(usual), 1);
    eri_paths p;
    er_pose pose[MOST_PARTS];
    const int trunk[] = {0, 1};
    const er_vec3 turn[2] = {{0.011, -0.02, 0.03}, {-0.015, 0.01, 0.022}}, shift = {0.01, 0.05, -0.04};
    ok(eri_paths_create(arena, 2, 2, 3, &p));
    for (int i = 0; i < b.model->body_count; ++i)
        pose[i] = b.model->body[i].pose;
    for (int k = 0; k < 2; ++k) {
        er_vec3 about = er_v3_madd(er_v3_madd(er_v3_scale(turn[k].x, b.body->forward), turn[k].y, b.body->left),
                                   turn[k].z, b.body->up);
        pose[trunk[k]].q = er_q_mul(er_q_exp(about), pose[trunk[k]].q);
    }
    int foot = b.body->foot[1].body;
    pose[foot].p = er_v3_add(pose[foot].p, shift);
    eri_paths_set(&p, b.body, b.model, trunk, 1, pose);
    for (int k = 0; k < 2; ++k) {
        const double known[] = {turn[k].x, turn[k].y, turn[k].z};
        for (int a = 0; a < 3; ++a) {
            assert_true(fabs(p.tilt[(3 * k + a) * 3 + 1] - known[a]) < 1e-5); // of third order: 4e-6
            assert_true(p.tilt[(3 * k + a) * 3] == 0.0);
        }
    }
    const double moved[2][3] = {{0, 0, 0}, {shift.z, shift.x, shift.y}};
    for (int f = 0; f < 2; ++f) {
        assert_true(fabs(p.ahead[3 * f + 1] - moved[f][0]) < 1e-12);
        assert_true(fabs(p.left[3 * f + 1] - moved[f][1]) < 1e-12);
        assert_true(fabs(p.up[3 * f + 1] - moved[f][2]) < 1e-12);
    }
    end(&b);
}

// A biped that drags a long chain behind, whose modes are the lowest.
static er_model *make_chained_biped(void)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.16, 0.88, -0.09), er_v3(0.16, 1.2, 0.09), 1.0);
    for (int k = 0, up = hips; k < 8; ++k) {
        double z = -0.1 - 0.2 * k;
        up = walker_box(&m, "link", up, er_v3(0, 1.1, z), er_v3(-0.03, 1.07, z - 0.2), er_v3(0.03, 1.13, z), 1.0);
    }
    int up[2] = {hips, hips};
    walker_pair(&m, "leg_%c", up, er_v3(0.1, 0.9, 0), er_v3(0.05, 0.1, -0.05), er_v3(0.15, 0.9, 0.05));
    walker_pair(&m, "foot_%c", up, er_v3(0.1, 0.1, 0), er_v3(0.05, 0, -0.05), er_v3(0.15, 0.1, 0.15));
    return walker_finish(&m);
}

// How far a mode moves a foot from where its trunk would carry it, over its angle.
static double reach_of(const bench *b, int mode)
{
    const double angle = 0.01;
    double most = 0.0;
    eri_mix_sampler_pose(b->w, &(eri_gait_mix){1, {{mode, 1, angle, 0.5 * ER_PI}}}); // farthest in frame 0
    for (int f = 0; f < b->body->foot_count; ++f) {
        const er_gait_foot *foot = &b->body->foot[f];
        er_vec3 heel = er_pose_point(b->model->body[foot->body].pose, foot->heel);
        er_pose carried =
            er_pose_displacement(b->model->body[foot->trunk].pose, eri_mix_sampler_lane(b->w, foot->trunk, 0));
        er_vec3 now = er_pose_point(eri_mix_sampler_lane(b->w, foot->body, 0), foot->heel);
        most = fmax(most, er_v3_distance(now, er_pose_point(carried, heel)) / angle);
    }
    return most;
}

// Few modes that may take part are those that move legs, or wings, most, whatever else is lower; they ascend.
static void expect_most_moving(bench *all, bench *few, int count, double (*way)(const bench *b, int mode))
{
    double least = HUGE_VAL, most = 0.0;
    int k = 0;
    assert_true(all->w->mode_count > 20 && few->w->mode_count == count);
    for (int m = 0; m < all->w->mode_count; ++m) {
        double far = way(all, m);
        if (k < count && few->w->index[k] == all->w->index[m]) {
            least = fmin(least, far);
            ++k;
        } else {
            most = fmax(most, far);
        }
    }
    print_message("# modes that take part move by %g m a radian, others by up to %g\n", least, most);
    assert_true(k == count && least > most - 2e-3 && most > 0.0);
    end(all);
    end(few);
}

static void modes_that_move_legs_take_part(void **state)
{
    enum { FEW = 5 };
    bench all = begin(make_chained_biped(), 64), few = begin(make_chained_biped(), FEW);
    assert_int_equal(all.body->foot_count, 2);
    expect_most_moving(&all, &few, FEW, reach_of);
}

// The same model, the turns of its bodies' frames told by the opposite quaternions.
static er_model *opposite(er_model *model)
{
    static er_body body[MOST_PARTS];
    for (int i = 0; i < model->body_count; ++i) {
        body[i] = model->body[i];
        body[i].pose.q = er_q(-body[i].pose.q.w, -body[i].pose.q.x, -body[i].pose.q.y, -body[i].pose.q.z);
    }
    return make_model(model->body_count, body, model->joint_count, model->joint);
}

// Frames side by side in single precision against er_motion_poses().
static void paths_of_the_search_are_those_of_exact_poses(void **state)
{
    for (int other = 0; other < 2; ++other) {
        er_model *model = other == 0 ? make_biped(usual) : opposite(make_biped(usual));
        er_modes *modes = modes_of(model);
        eri_mix_sampler *w;
        er_gait_body *body = read_body(model, NULL);
        ok(eri_mix_sampler_create(context, arena, model, body, modes, 6, false, &w));
        eri_gait_mix mix = {2, {{1, 1, 0.5, 0.3}, {3, 2, 0.4, -1.0}}};
        eri_mix_sampler_pose(w, &mix);
        er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
        for (int v = 0; v < 2; ++v) {
            component[v].mode = w->index[mix.component[v].mode];
            component[v].harmonic = mix.component[v].harmonic;
            component[v].degrees = mix.component[v].angle * 180.0 / ER_PI;
            component[v].phase = mix.component[v].phase;
        }
        er_mix asked = {.name = "", .cycle = 1.0, .component_count = 2, .component = component};
        er_motion_def def = er_default_motion_def();
        er_motion *motion;
        def.loop = true;
        ok(er_motion_create(context, model, modes, &asked, &def, &motion));
        eri_paths exact;
        ok(eri_paths_create(arena, body->foot_count, w->trunk_count, ERI_GAIT_FRAMES, &exact));
        er_pose pose[MOST_PARTS];
        double worst = 0.0;
        for (int i = 0; i < ERI_GAIT_FRAMES; ++i) {
            double time = (double)i / ERI_GAIT_FRAMES;
            ok(er_motion_poses(motion, 1, &time, NULL, pose));
            eri_paths_set(&exact, body, model, w->trunk, i, pose);
        }
        for (int i = 0; i < body->foot_count * ERI_GAIT_FRAMES; ++i) {
            worst = fmax(worst, fabs(exact.ahead[i] - w->paths.ahead[i]));
            worst = fmax(worst, fabs(exact.left[i] - w->paths.left[i]));
            worst = fmax(worst, fabs(exact.up[i] - w->paths.up[i]));
        }
        for (int i = 0; i < 3 * w->trunk_count * ERI_GAIT_FRAMES; ++i)
            worst = fmax(worst, fabs(exact.tilt[i] - w->paths.tilt[i]));
        assert_true(worst < 1e-5); // 5e-7 of 1.7 m was measured
        er_motion_destroy(motion);
        eri_mix_sampler_destroy(w);
    }
}

// How far one mode out by a little moves a body's centre of mass, an angle of it.
static er_vec3 velocity_of(const bench *b, int body)
{
    const double angle = 0.02;
    const er_body *of = &b->model->body[body];
    er_vec3 v = er_v3_sub(er_pose_point(eri_mix_sampler_lane(b->w, body, 0), of->com),
                          er_pose_point(eri_mix_sampler_lane(b->w, body, 1), of->com));
    return er_v3_scale(0.5 / angle, v);
}

static void pose_mode(const bench *b, int mode)
{
    eri_vec32 signal[1][2] = {0};
    signal[0][0][0] = 0.02f;
    signal[0][0][1] = -0.02f;
    eri_mix_sampler_pose_signals(b->w, 1, &mode, (const eri_vec32(*)[2])signal);
}

// A mode's parity is how much of its motion is what the mirror makes of it: of one heavy on one side it lies between.
static void parity_is_what_the_mirror_makes_of_a_mode(void **state)
{
    walker_def uneven = usual;
    uneven.heavy = 1.5;
    int between = 0, odd = 0, even = 0;
    for (int which = 0; which < 3; ++which) {
        bench b = begin(which == 0 ? make_biped(usual) : which == 1 ? make_quadruped(uneven) : make_bird(true), 10);
        for (int m = 0; m < b.w->mode_count; ++m) {
            double same = 0.0, all = 0.0;
            pose_mode(&b, m);
            for (int i = 0; i < b.model->body_count; ++i) {
                int image = b.body->mirror[i];
                er_vec3 v = velocity_of(&b, i), there;
                all += b.model->body[i].mass * er_v3_dot(v, v);
                if (image < 0) continue;
                there = velocity_of(&b, image);
                v = er_v3_madd(v, -2.0 * er_v3_dot(v, b.body->left), b.body->left);
                same += b.model->body[i].mass * er_v3_dot(v, there);
            }
            measure_at_most("parity of a mode", fabs(b.w->parity[m] - same / all), 2e-4);
            between += fabs(b.w->parity[m]) < 0.95;
            odd += b.w->parity[m] < -0.99;
            even += b.w->parity[m] > 0.99;
        }
        end(&b);
    }
    assert_true(between > 2 && odd > 5 && even > 5);
}

// How far a mode moves a wing's tip up and down, seen from what the wing hangs on.
static double beat_of(const bench *b, int mode)
{
    double most = 0.0;
    pose_mode(b, mode);
    for (int k = 0; k < b->body->wing_count; ++k) {
        const er_gait_wing *wing = &b->body->wing[k];
        er_vec3 end = er_pose_point(b->model->body[wing->tip].pose, wing->end), at[2];
        for (int i = 0; i < 2; ++i) {
            er_pose carried =
                er_pose_displacement(b->model->body[wing->trunk].pose, eri_mix_sampler_lane(b->w, wing->trunk, i));
            at[i] = er_v3_sub(er_pose_point(eri_mix_sampler_lane(b->w, wing->tip, i), wing->end),
                              er_pose_point(carried, end));
        }
        most = fmax(most, fabs(er_v3_dot(er_v3_sub(at[0], at[1]), b->body->up)) / 0.04);
    }
    return most;
}

static void modes_that_move_wings_take_part(void **state)
{
    enum { FEW = 6 };
    bench all = begin_flying(make_bird(true), 64), few = begin_flying(make_bird(true), FEW);
    expect_most_moving(&all, &few, FEW, beat_of);
}

// The trunk is the heaviest body that is of no wing, the highest in the middle, and what legs hang on; each once.
static void trunks_are_the_heaviest_the_highest_and_what_legs_hang_on(void **state)
{
    static const char *const known[][3] = {
        {"chest", "head", "hips"}, {"chest", "head", "rump"}, {"body", "head", NULL}};
    for (int which = 0; which < 3; ++which) {
        bench b = begin(which == 0 ? make_biped(usual) : which == 1 ? make_quadruped(usual) : make_bird(true), 2);
        int count = 0;
        for (int k = 0; k < 3 && known[which][k] != NULL; ++k, ++count)
            assert_string_equal(b.model->body[b.w->trunk[k]].name, known[which][k]);
        assert_int_equal(b.w->trunk_count, count);
        if (which == 2)
            for (int i = 0; i < b.model->body_count; ++i) {
                const char *name = b.model->body[i].name;
                int wing = eri_wing_of(b.model, b.body, i);
                assert_int_equal(wing, strncmp(name, "wing", 4) != 0 ? -1 : strchr(name, 'L') != NULL ? 0 : 1);
            }
        double mass = 0.0;
        for (int i = 0; i < b.model->body_count; ++i)
            mass += b.model->body[i].mass;
        assert_true(fabs(b.w->mass / mass - 1.0) < 1e-12);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_what_poses_say),
        cmocka_unit_test(paths_of_the_search_are_those_of_exact_poses),
        cmocka_unit_test(modes_that_move_legs_take_part),
        cmocka_unit_test(parity_is_what_the_mirror_makes_of_a_mode),
        cmocka_unit_test(modes_that_move_wings_take_part),
        cmocka_unit_test(trunks_are_the_heaviest_the_highest_and_what_legs_hang_on),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
