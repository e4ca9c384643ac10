// Motions of mixes against exact poses: paths of feet and trunk, polynomials of them, the surrogate's strides, and the
// way of a wave against the forces on it.
#include <string.h>

#include "grid.h"

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
    for (int s = 1; s >= -1; s -= 2) {
        double x = 0.1 * s;
        int leg = walker_box(&m, s > 0 ? "left_leg" : "right_leg", hips, er_v3(x, 0.9, 0), er_v3(x - 0.05, 0.1, -0.05),
                             er_v3(x + 0.05, 0.9, 0.05), 1.0);
        walker_box(&m, s > 0 ? "left_foot" : "right_foot", leg, er_v3(x, 0.1, 0), er_v3(x - 0.05, 0, -0.05),
                   er_v3(x + 0.05, 0.1, 0.15), 1.0);
    }
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

// Few modes that may take part are those that move legs most, whatever else is lower; they ascend.
static void modes_that_move_legs_take_part(void **state)
{
    enum { FEW = 5 };
    bench all = begin(make_chained_biped(), 64), few = begin(make_chained_biped(), FEW);
    assert_int_equal(all.body->foot_count, 2);
    assert_true(all.w->mode_count > 20 && few.w->mode_count == FEW);
    double least = HUGE_VAL, most = 0.0;
    for (int m = 0, k = 0; m < all.w->mode_count; ++m) {
        double reach = reach_of(&all, m);
        if (k < FEW && few.w->index[k] == all.w->index[m]) {
            least = fmin(least, reach);
            ++k;
        } else {
            most = fmax(most, reach);
        }
        assert_true(m + 1 < all.w->mode_count || k == FEW);
    }
    print_message("# modes that take part move legs by %g m a radian, others by up to %g\n", least, most);
    assert_true(least > most - 1e-3 && most > 0.0);
    assert_true(few.w->index[FEW - 1] > all.w->index[FEW - 1]);
    end(&all);
    end(&few);
}

// For three small amplitudes, in any order, polynomials are exact poses but for the fourth order.
static void polynomials_are_exact_poses_to_third_order(void **state)
{
    bench b = begin(make_quadruped(usual), 6);
    eri_path_polynomials s;
    double worst = 0.0, most = 0.0;
    int feet = b.body->foot_count;
    ok(eri_path_polynomials_create(arena, b.w, &s));
    assert_int_equal(s.feet, feet);
    assert_int_equal(s.rows, 2 * feet + s.tips + 3 * s.trunks);
    for (int k = 0; k < 216; ++k) {
        const int mode[3] = {k % 6, k / 6 % 6, k / 36};
        const double out[3] = {0.1, -0.15, 0.12};
        if (mode[0] == mode[1] || mode[1] == mode[2] || mode[0] == mode[2]) continue;
        eri_vec32 signal[3][2] = {0};
        for (int v = 0; v < 3; ++v)
            signal[v][0][0] = (float)out[v];
        eri_mix_sampler_pose_signals(b.w, 3, mode, (const eri_vec32(*)[2])signal);
        er_pose pose[MOST_PARTS];
        eri_paths p;
        for (int i = 0; i < b.model->body_count; ++i)
            pose[i] = eri_mix_sampler_lane(b.w, i, 0);
        ok(eri_paths_create(arena, feet, s.trunks, 1, &p));
        eri_paths_set(&p, b.body, b.model, b.w->trunk, 0, pose);
        for (int row = 0; row < s.rows; ++row) {
            int tip = row - 2 * feet, tilt = tip - s.tips;
            double known = row < feet       ? p.ahead[row]
                           : row < 2 * feet ? p.left[row - feet]
                           : tilt >= 0      ? p.tilt[tilt]
                                            : 0.0;
            double found = row_of(&s, row, 3, mode, out);
            if (row >= 2 * feet && tilt < 0) { // hooves are flat: a tip a foot
                assert_int_equal(s.tips, feet);
                known = p.up[s.foot_of[tip]];
            }
            worst = fmax(worst, fabs(found - known));
            most = fmax(most, fabs(known));
        }
    }
    print_message("# polynomials are off by %g of %g\n", worst, most);
    assert_true(worst < 1.5e-3 && most > 0.05); // 1.2e-3 was measured, of the fourth order
    end(&b);
}

// Eight mixes at once from polynomials against exact poses one by one: over mixes that are any good, most scores agree.
static void the_screen_scores_as_exact_poses_do(void **state)
{
    bench b = begin(make_biped(usual), 5);
    eri_path_polynomials swing;
    eri_surrogate *screen;
    int good = 0, close = 0, family = 0;
    ok(eri_path_polynomials_create(arena, b.w, &swing));
    ok(eri_surrogate_create(arena, &swing, b.body, false, &screen));
    for (int k = 0; k < 15 * 240 * 30; ++k) { // the last component at phase 0: the lanes are its phases
        eri_gait_mix mix;
        eri_stride stride[ERI_GAIT_PHASES];
        if (!mix_of_grid(k, 3, 5, &mix)) continue;
        eri_surrogate_set_first(screen, 2, mix.component);
        eri_surrogate_set_last(screen, mix.component[2].mode, mix.component[2].harmonic);
        eri_surrogate_sample(screen, mix.component[2].angle, stride);
        for (int p = 0; p < ERI_GAIT_PHASES; ++p) {
            eri_candidate exact;
            mix.component[2].phase = 2.0 * ER_PI * p / ERI_GAIT_PHASES;
            if (!(stride[p].length > 0.0)) continue;
            eri_gait_effort(b.w, &mix, &stride[p]);
            double cost = eri_stride_cost(b.body, &defaults.weights, &stride[p]);
            if (!(cost < 2.5)) continue;
            eri_evaluator_evaluate(&b.judge, mix, &exact);
            ++good;
            close += fabs(1.0 / (1.0 + cost) - 1.0 / (1.0 + exact.cost)) < 0.03;
            family += exact.cost < HUGE_VAL && eri_gait_family_of(b.body, &stride[p]) == exact.family;
        }
    }
    print_message("# of %d mixes %d score alike, %d are of one family\n", good, close, family);
    assert_true(good > 50 && close > 0.9 * good && family > 0.9 * good);
    end(&b);
}

// The same model, the turns of its bodies' frames told by the opposite quaternions.
static er_model *opposite(er_model *model)
{
    static er_body body[MOST_PARTS];
    er_model_def def = er_default_model_def();
    er_model *out;
    for (int i = 0; i < model->body_count; ++i) {
        body[i] = model->body[i];
        body[i].pose.q = er_q(-body[i].pose.q.w, -body[i].pose.q.x, -body[i].pose.q.y, -body[i].pose.q.z);
    }
    def.body_count = model->body_count;
    def.body = body;
    def.joint_count = model->joint_count;
    def.joint = model->joint;
    ok(er_model_create(context, &def, &out));
    er_model_destroy(model);
    return out;
}

// Frames side by side in single precision against er_motion_poses().
static void paths_of_the_search_are_those_of_exact_poses(void **state)
{
    for (int other = 0; other < 2; ++other) {
        er_model *model = other == 0 ? make_biped(usual) : opposite(make_biped(usual));
        er_modes *modes = modes_of(model);
        er_gait_body *body;
        eri_mix_sampler *w;
        ok(er_gait_body_read(context, model, NULL, NULL, &body));
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
        er_gait_body_destroy(body);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
}

static er_gait_body plain_body(void)
{
    static int mirror[MOST_PARTS]; // each its own
    for (int i = 0; i < MOST_PARTS; ++i)
        mirror[i] = i;
    return (er_gait_body){.up = {0, 1, 0},
                          .forward = {0, 0, 1},
                          .left = {1, 0, 0},
                          .height = 2.0,
                          .leg = 1.0,
                          .gravity = 9.81,
                          .mirror = mirror};
}

// A travelling wave of a row of points is pure, a standing one is not.
static void purity_tells_travelling_from_standing(void **state)
{
    enum { FRAMES = 64 };
    er_model *model = make_fish(20);
    er_gait_body body = plain_body();
    eri_wave wave;
    er_pose *pose = eri_arena_alloc(arena, (size_t)FRAMES * 20, sizeof *pose);
    er_vec3 path[FRAMES + 1];
    ok(eri_wave_create(arena, model, &body, false, &wave));
    for (int standing = 0; standing < 2; ++standing) {
        for (int f = 0; f < FRAMES; ++f)
            for (int b = 0; b < 20; ++b) {
                double s = 2.0 * ER_PI * b / 20.0, t = 2.0 * ER_PI * f / FRAMES;
                pose[f * 20 + b] = model->body[b].pose;
                pose[f * 20 + b].p.x += 0.05 * (standing != 0 ? sin(s) * cos(t) : sin(s - t));
            }
        double pure = eri_wave_travel(&wave, model, &body, FRAMES, pose, path);
        assert_true(standing != 0 ? pure < 1e-6 : pure > 0.99);
        // b counts from the thick end backward, so that the wave runs back and drives the body ahead
        assert_true(standing != 0 ? fabs(path[FRAMES].z) < 1e-3 : path[FRAMES].z > 0.01);
    }
    er_model_destroy(model);
}

// A wave of so many frames along a fish: travelling back by `back`, or standing for 0, bending upright or to the sides.
static void pose_wave(const er_model *model, int frames, double back, bool upright, er_pose *pose)
{
    int n = model->body_count;
    for (int f = 0; f < frames; ++f)
        for (int b = 0; b < n; ++b) {
            double s = 2.0 * ER_PI * b / n, t = 2.0 * ER_PI * f / frames,
                   bend = back * sin(s - t) + (1.0 - back) * sin(s) * cos(t);
            er_pose *p = &pose[f * n + b];
            *p = model->body[b].pose;
            *(upright ? &p->p.y : &p->p.x) += 0.05 * bend;
            p->q = er_q_exp(upright ? er_v3(0.1 * bend, 0, 0) : er_v3(0, 0.1 * bend, 0));
        }
}

// At every frame the drags on all bodies cancel, as the body goes: a rod's is its length times its velocity, across it
// by so much more than along it.
static void drags_cancel_along_a_waves_way(void **state)
{
    enum { FRAMES = 48, RODS = 12 };
    er_model *model = make_fish(RODS);
    er_gait_body body = plain_body();
    er_pose *pose = eri_arena_alloc(arena, (size_t)FRAMES * RODS, sizeof *pose);
    er_vec3 path[FRAMES + 1], middle[FRAMES][RODS];
    for (int k = 0; k < 4; ++k) {
        bool upright = k % 2 == 1;
        eri_wave wave;
        body.lies = k / 2 == 1;
        double ratio = body.lies ? 10.0 : 8.0;
        er_vec3 across = upright ? body.up : body.left;
        ok(eri_wave_create(arena, model, &body, upright, &wave));
        pose_wave(model, FRAMES, 0.8, upright, pose);
        eri_wave_travel(&wave, model, &body, FRAMES, pose, path);
        for (int f = 0; f < FRAMES; ++f)
            for (int b = 0; b < RODS; ++b)
                middle[f][b] = er_pose_point(pose[f * RODS + b], model->body[b].com);
        assert_true(er_v3_norm(path[0]) == 0.0 && path[FRAMES].z > 0.01);
        for (int f = 0; f < FRAMES; ++f) {
            er_vec3 drag = {0, 0, 0}, went = er_v3_sub(path[f + 1], path[f]);
            double size = 0.0;
            for (int b = 0; b < RODS; ++b) { // a rod's way is from the one that it hangs on, the first's to the second
                const er_vec3 *now = middle[f], *before = middle[(f + FRAMES - 1) % FRAMES],
                              *after = middle[(f + 1) % FRAMES];
                er_vec3 t = er_v3_sub(now[b], now[b > 0 ? b - 1 : 1]);
                er_vec3 v = er_v3_add(er_v3_scale(0.5, er_v3_sub(after[b], before[b])), went);
                t = er_v3_add(er_v3_scale(er_v3_dot(t, body.forward), body.forward),
                              er_v3_scale(er_v3_dot(t, across), across));
                v = er_v3_add(er_v3_scale(er_v3_dot(v, body.forward), body.forward),
                              er_v3_scale(er_v3_dot(v, across), across));
                double length = er_v3_norm(t), along = er_v3_dot(v, t) / length;
                er_vec3 one = er_v3_madd(er_v3_scale(ratio, v), (1.0 - ratio) * along / length, t);
                drag = er_v3_madd(drag, length, one);
                size += length * er_v3_norm(one);
            }
            assert_true(er_v3_norm(drag) < 1e-9 * size && size > 0.0);
        }
    }
    er_model_destroy(model);
}

// If a wave travels in part, the ellipse's shorter axis is that part of the longer one.
static void purity_is_a_ratio_of_axes(void **state)
{
    enum { FRAMES = 64, RODS = 20 };
    er_model *model = make_fish(RODS);
    er_gait_body body = plain_body();
    eri_wave wave;
    er_pose *pose = eri_arena_alloc(arena, (size_t)FRAMES * RODS, sizeof *pose);
    er_vec3 path[FRAMES + 1];
    ok(eri_wave_create(arena, model, &body, false, &wave));
    for (double part = 0.0; part <= 1.0; part += 0.25) {
        for (int i = 0; i < FRAMES * RODS; ++i) { // sin s cos t - part cos s sin t
            double s = 2.0 * ER_PI * (i % RODS) / RODS, t = 2.0 * ER_PI * (i / RODS) / FRAMES;
            pose[i] = model->body[i % RODS].pose;
            pose[i].p.x += 0.05 * (sin(s) * cos(t) - part * cos(s) * sin(t));
        }
        assert_true(fabs(eri_wave_travel(&wave, model, &body, FRAMES, pose, path) - part) < 1e-6);
    }
    er_model_destroy(model);
}

// A mix of a fish is judged as it goes forward, and what is said of it is what its path says.
static void waves_are_judged_as_they_go_forward(void **state)
{
    bench b = begin(make_fish(8), 6);
    eri_wave wave;
    int turned = 0, straight = 0;
    er_gait_weights weights = defaults.weights;
    ok(eri_wave_create(arena, b.model, b.body, false, &wave));
    for (int k = 0; k < 60; ++k) {
        eri_gait_mix mix = {2, {{k % 6, 1, 0.3, 0.0}, {(k + 1 + k / 6 % 5) % 6, 1, 0.2, k < 30 ? 1.5 : -1.5}}},
                     asked = mix;
        eri_stride s;
        er_vec3 path[ERI_GAIT_FRAMES + 1];
        er_pose pose[ERI_GAIT_FRAMES * 8];
        double most[3] = {0};
        eri_wave_evaluate(b.w, &wave, &mix, &s);
        if (s.length < 1e-4) continue;
        *(mix.component[0].phase != asked.component[0].phase ? &turned : &straight) += 1;
        eri_mix_sampler_pose(b.w, &mix);
        for (int i = 0; i < ERI_GAIT_FRAMES * 8; ++i)
            pose[i] = eri_mix_sampler_lane(b.w, i % 8, i / 8);
        double pure = eri_wave_travel(&wave, b.model, b.body, ERI_GAIT_FRAMES, pose, path);
        for (int i = 0; i < 3 * b.w->trunk_count * ERI_GAIT_FRAMES; ++i)
            most[i / ERI_GAIT_FRAMES % 3] = fmax(most[i / ERI_GAIT_FRAMES % 3], fabs(b.w->paths.tilt[i]));
        assert_true(fabs(s.length - er_v3_dot(path[ERI_GAIT_FRAMES], b.body->forward)) < 1e-9 && s.length > 0.0);
        assert_true(fabs(s.drift - er_v3_dot(path[ERI_GAIT_FRAMES], b.body->left)) < 1e-9);
        assert_true(fabs(s.slip - 1.0 + pure) < 1e-9);
        assert_true(fabs(s.period - eri_gait_period(b.body, s.length)) < 1e-12 && s.effort > 0.0 && s.own_hz > 0.0);
        for (int a = 0; a < 3; ++a)
            assert_true(fabs(s.tilt[a] - most[a]) < 1e-12);
        assert_true(eri_wave_cost(b.model, &weights, false, &s) < HUGE_VAL);
    }
    print_message("# %d waves went backward, %d forward\n", turned, straight);
    assert_true(turned > 3 && straight > 3);
    end(&b);
}

// Each fault of a wave is told by its own term, as gait.md has it of strides but for the sizes that are right for
// waves.
static void each_fault_of_a_wave_is_punished_by_its_own_term(void **state)
{
    enum { PROGRESS, DRIFT, SLIP, CLEARANCE, SHARE, EFFORT, ATTITUDE, EXCURSION, FAULTS = 8 };
    static const int term[FAULTS] = {PROGRESS, DRIFT, SLIP, EFFORT, ATTITUDE, ATTITUDE, EXCURSION, PROGRESS};
    static const double value[FAULTS] = {1.0, 0.16, 0.75, 1.0, 1.0, 1.0, 1.0, 0.0};
    er_model *model = make_fish(4);
    for (int upright = 0; upright < 2; ++upright)
        for (int k = 0; k < FAULTS; ++k) {
            eri_stride s = {.length = 0.2 * model->size};
            switch (k) {
            case 0:
                s.length = 0.05 * model->size;
                break;
            case 1:
                s.drift = 0.04 * model->size;
                break;
            case 2:
                s.slip = 0.5;
                break;
            case 3:
                s.effort = 0.2;
                break;
            case 4:
                s.tilt[0] = 0.35;
                break;
            case 5:
                s.tilt[upright == 1 ? 2 : 1] = 0.35;
                break;
            case 6:
                s.angle = 1.2;
                break;
            default:
                s.tilt[upright == 1 ? 1 : 2] = 0.35;
                break; // the way it bends
            }
            for (int weighed = 0; weighed < ER_GAIT_WEIGHT_COUNT; ++weighed) {
                double weight[ER_GAIT_WEIGHT_COUNT] = {0}, rare = upright == 1 ? 0.5 : 0.0;
                er_gait_weights weights;
                weight[weighed] = 2.0;
                memcpy(&weights, weight, sizeof weights);
                double found = eri_wave_cost(model, &weights, upright == 1, &s),
                       known = rare + (weighed == term[k] ? 2.0 * value[k] : 0.0);
                if (fabs(found - known) > 1e-12) fail_msg("fault %d, weight %d: %g, not %g", k, weighed, found, known);
            }
        }
    eri_stride still = {.length = 0.0};
    assert_true(eri_wave_cost(model, &defaults.weights, false, &still) == HUGE_VAL);
    er_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_what_poses_say),
        cmocka_unit_test(paths_of_the_search_are_those_of_exact_poses),
        cmocka_unit_test(modes_that_move_legs_take_part),
        cmocka_unit_test(polynomials_are_exact_poses_to_third_order),
        cmocka_unit_test(the_screen_scores_as_exact_poses_do),
        cmocka_unit_test(purity_tells_travelling_from_standing),
        cmocka_unit_test(purity_is_a_ratio_of_axes),
        cmocka_unit_test(drags_cancel_along_a_waves_way),
        cmocka_unit_test(waves_are_judged_as_they_go_forward),
        cmocka_unit_test(each_fault_of_a_wave_is_punished_by_its_own_term),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
