// Mixes that nobody searched as motions: feet held, bodies carried, frames and coordinates of one kind; of legs with
// knees and without, feet with toes, soles that hang elsewhere.
#include <stdlib.h>
#include <string.h>

#include "gait/stride/reach.h"
#include "judge.h"
#include "support/judge.h"
#include "walkers.h"

// A model with a mix of two modes that carries it.
typedef struct going {
    er_model *model;
    er_modes *modes;
    er_gaits *gaits;
    const er_gait *gait;
} going;

// The first mix, of pairs of the lowest modes, that is some way long and flies little.
static going go(er_model *model, double degrees)
{
    enum { MODES = 20 };
    going g = {.model = model, .modes = modes_of(model)};
    int first = g.modes->rigid_count + g.modes->mechanism_count;
    for (int k = 0; k < MODES * MODES * 2; ++k) {
        er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
        er_mix mix = {.name = "", .component_count = 2, .component = component};
        component[0].mode = g.modes->first + first + k % MODES;
        component[1].mode = g.modes->first + first + k / MODES % MODES;
        component[1].phase = k < MODES * MODES ? 1.0 : -1.0;
        component[0].degrees = component[1].degrees = degrees;
        component[0].harmonic = component[1].harmonic = 1;
        if (component[0].mode == component[1].mode || component[1].mode >= g.modes->first + g.modes->count) continue;
        if (er_gait_of_mix(context, model, NULL, g.modes, &mix, NULL, &g.gaits) != ER_OK) continue;
        g.gait = &g.gaits->gait[0];
        bool steps = g.gait->stride > 0.2 * g.gaits->body->leg && g.gait->flight < 0.1;
        for (int f = 0; f < g.gaits->body->foot_count; ++f)
            steps &= g.gait->step[f].duty < 0.9;
        if (steps) return g;
        er_gaits_destroy(g.gaits);
    }
    fail_msg("no pair of modes carries it: %s", er_context_error(context));
    return g;
}

static void stop(going *g)
{
    er_gaits_destroy(g->gaits);
}

// Coordinates say how bodies are to one another, frame by frame, and what was said of soles and joints is so.
static void expect_one_motion(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    er_kinematics *k;
    er_pose open[MOST_PARTS];
    double x[6 * MOST_PARTS], sink = 0.0;
    size_t n = (size_t)model->body_count;
    ok(er_kinematics_create(context, model, &k));
    assert_true(er_kinematics_width(k) <= (int)ERI_COUNT(x));
    for (int i = 0; i < m->frame_count; ++i) {
        const er_pose *pose = m->pose + (size_t)i * n;
        memset(x, 0, sizeof x);
        memcpy(x, m->q + (size_t)i * (size_t)model->coordinate_count, (size_t)model->coordinate_count * sizeof *x);
        eri_kinematics_open(k, x, open);
        for (int b = 0; b < model->body_count; ++b) {
            int up = model->tree_parent[b];
            bool hangs = true; // soles that hang elsewhere go with their legs instead
            for (int f = 0; f < g->gaits->body->foot_count; ++f)
                hangs &= g->gaits->body->foot[f].sole != b || g->gaits->body->foot[f].body == b;
            if (up < 0 || !hangs) continue;
            er_pose own = er_pose_mul(er_pose_inverse(pose[up]), pose[b]),
                    known = er_pose_mul(er_pose_inverse(open[up]), open[b]);
            assert_true(er_v3_distance(own.p, known.p) < 1e-9);
            assert_true(er_v3_norm(er_q_log(er_q_mul(er_q_conj(own.q), known.q))) < 1e-9);
        }
        for (int f = 0; f < m->foot_count; ++f) {
            const er_gait_foot *foot = &g->gaits->body->foot[f];
            er_vec3 hip = er_pose_point_inverse(model->body[foot->trunk].pose, model->joint[foot->joint[0]].frame.p);
            double far =
                er_v3_distance(er_pose_point(pose[foot->trunk], hip), er_pose_point(pose[foot->body], foot->heel));
            if (foot->joint_count > 1) // the body comes down for legs that would be stretched
                measure_at_most(m->stands[i * m->foot_count + f] ? "standing leg over its length"
                                                                 : "swinging leg over its length",
                                far / foot->reach, m->stands[i * m->foot_count + f] ? 0.961 : 0.98);
            for (int c = 0; c < foot->point_count; ++c) {
                int b = foot->point_body[c];
                er_vec3 at = er_pose_point(pose[b], er_pose_point_inverse(model->body[b].pose, foot->point[c]));
                sink = fmax(sink, g->gaits->body->ground - er_v3_dot(at, g->gaits->body->up));
            }
        }
    }
    assert_true(fabs(m->sink - sink) < 1e-8);
    if (!(m->slide < 0.01 * g->gait->stride && m->correction < 2.5))
        fail_msg("heels are off by %g m, joints by %g rad", m->slide, m->correction);
    er_kinematics_destroy(k);
}

static bool is_toe(const going *g, int body)
{
    for (int f = 0; f < g->gaits->body->foot_count; ++f)
        for (int up = g->model->tree_parent[body]; up >= 0; up = g->model->tree_parent[up])
            if (up == g->gaits->body->foot[f].sole) return true;
    return false;
}

// The correction is the largest difference of any joint but toes from what the mix has it do at that time.
static void expect_correction(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    er_motion_def def = er_default_motion_def();
    er_motion *mix;
    double most = 0.0, x[6 * MOST_PARTS];
    def.duration = 1.0 / g->gait->hz;
    def.loop = true;
    ok(er_motion_create(context, model, g->modes, g->gait->mix, &def, &mix));
    for (int i = 0; i < m->frame_count; ++i) {
        ok(er_motion_poses(mix, 1, &m->time[i], x, NULL));
        for (int b = 0; b < model->body_count; ++b) {
            int joint = model->tree_joint[b];
            if (joint < 0 || is_toe(g, b)) continue;
            for (int c = model->coordinate[joint]; c < model->coordinate[joint + 1]; ++c)
                most = fmax(most, fabs(m->q[i * model->coordinate_count + c] - x[c]));
        }
    }
    measure_at_most("what is said of joints", fabs(m->correction - most), 1e-9);
    er_motion_destroy(mix);
}

// A mix at some frames: its poses, the paths of its feet, and the ground below them.
typedef struct strode {
    er_pose *pose;
    eri_paths paths;
    eri_stride_ground ground;
    eri_stride stride;
} strode;

static er_pose *poses_of(const going *g, er_arena *arena, int frames)
{
    er_motion_def def = er_default_motion_def();
    er_motion *mix;
    double *time = eri_arena_alloc(arena, (size_t)frames, sizeof *time);
    er_pose *pose = eri_arena_alloc(arena, (size_t)frames * (size_t)g->model->body_count, sizeof *pose);
    assert_true(time != NULL && pose != NULL);
    def.duration = 1.0 / g->gait->hz;
    def.loop = true;
    for (int i = 0; i < frames; ++i)
        time[i] = def.duration * i / frames;
    ok(er_motion_create(context, g->model, g->modes, g->gait->mix, &def, &mix));
    ok(er_motion_poses(mix, frames, time, NULL, pose));
    er_motion_destroy(mix);
    return pose;
}

static strode stride_of(const going *g, er_arena *arena, int frames)
{
    const er_gait_body *body = g->gaits->body;
    strode s = {.pose = poses_of(g, arena, frames)};
    ok(eri_paths_create(arena, body->foot_count, 0, frames, &s.paths));
    ok(eri_stride_ground_create(arena, body->foot_count, frames, &s.ground));
    s.ground.period = 1.0 / g->gait->hz;
    for (int i = 0; i < frames; ++i)
        eri_paths_set(&s.paths, body, g->model, NULL, i, s.pose + (size_t)i * (size_t)g->model->body_count);
    eri_stride_ground_walk(body, &s.paths, &s.ground, &s.stride);
    return s;
}

// The ground that gaits are told of, at other frames: the ride goes straight from one of its frames to the next.
static void look_up(const strode *fine, strode *s)
{
    int n = s->paths.count, many = fine->paths.count;
    for (int i = 0; i < n; ++i) {
        double at = (double)i * many / n;
        const double *ride = fine->ground.ride;
        s->ground.ride[i] = ride[(int)at] * (ceil(at) - at) + ride[(int)ceil(at) % many] * (at - floor(at));
        if (floor(at) == at) s->ground.ride[i] = ride[(int)at];
        for (int f = 0; f < s->paths.feet; ++f)
            s->ground.stands[f * n + i] = fine->ground.stands[f * many + (int)floor(at + 0.5) % many];
    }
    s->stride = fine->stride;
}

// How far down from its way the whole goes, how far down legs lack, and heels from where they are to be, m.
typedef struct short_of {
    double lowest, drop, lack, off, slide;
} short_of;

static void look_at_foot(const going *g, const er_gait_motion *m, const strode *s, int f, const eri_target *target,
                         const double *down, short_of *out)
{
    const er_model *model = g->model;
    const er_gait_body *body = g->gaits->body;
    const er_gait_foot *foot = &body->foot[f];
    er_vec3 joint = er_pose_point_inverse(model->body[foot->trunk].pose, model->joint[foot->joint[0]].frame.p);
    for (int i = 0; i < m->frame_count - 1; ++i) {
        const er_pose *pose = m->pose + (size_t)i * (size_t)model->body_count;
        er_vec3 off = er_v3_sub(er_pose_point(pose[foot->body], foot->heel), target[i].heel);
        bool stands = m->stands[i * m->foot_count + f];
        assert_int_equal(stands, s->ground.stands[f * s->paths.count + i]);
        out->off = fmax(out->off, er_v3_norm(off));
        if (!stands) continue;
        er_vec3 leg = er_v3_sub(er_pose_point(pose[foot->trunk], joint), target[i].heel);
        double high = er_v3_dot(leg, body->up), flat2 = er_v3_dot(leg, leg) - high * high,
               can = sqrt(fmax(0.0, pow(ERI_GAIT_STRETCH * foot->reach, 2) - flat2));
        out->lack = fmax(out->lack, high + down[i] - can);
        out->slide = fmax(out->slide, er_v3_norm(er_v3_madd(off, -er_v3_dot(off, body->up), body->up)));
    }
}

// The whole goes as eri_root_path() has it, and lower where legs would not reach; feet go to where eri_plant() has them
// then, and what is said to be missing to that is what is. Legs of one joint shift the whole to where they stand.
static void expect_way(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    const er_gait_body *body = g->gaits->body;
    bool stiff = body->foot[0].joint_count < 2;
    int n = m->frame_count - 1;
    size_t bodies = (size_t)model->body_count;
    er_arena *arena = NULL;
    ok(eri_arena_create(context, &arena));
    strode fine = stride_of(g, arena, ERI_GAIT_FINE), s = stride_of(g, arena, n);
    look_up(&fine, &s);
    er_vec3 *root = eri_arena_alloc(arena, (size_t)n, sizeof *root), centre = eri_root_centre(model);
    double *work = eri_arena_alloc(arena, 4 * (size_t)n, sizeof *work), *yaw = work + 2 * n, *down = work + 3 * n;
    eri_target *target = eri_arena_alloc(arena, (size_t)n, sizeof *target);
    short_of far = {0};
    assert_true(root != NULL && work != NULL && target != NULL);
    ok(eri_root_path(arena, model, body, &s.paths, &s.stride, s.pose, &s.ground, root, yaw));
    for (int i = 0; i < n; ++i) { // of body 0, which all else hangs on
        er_pose *raw = s.pose + (size_t)i * bodies,
                by = er_pose_mul(m->pose[(size_t)i * bodies], er_pose_inverse(*raw));
        er_quat turn = er_q_exp(er_v3_scale(yaw[i], body->up));
        measure_at_most("turn of the whole", er_v3_norm(er_q_log(er_q_mul(er_q_conj(turn), by.q))), 1e-9);
        er_vec3 went = er_v3_sub(er_pose_point(by, centre), centre), more = er_v3_sub(root[i], went);
        down[i] = er_v3_dot(more, body->up);
        for (size_t b = 0; b < bodies; ++b) {
            raw[b].p = er_v3_add(centre, er_q_rotate(turn, er_v3_sub(raw[b].p, centre)));
            raw[b].q = er_q_mul(turn, raw[b].q);
        }
        if (stiff) continue;
        measure_at_most("way of the whole on the level", er_v3_norm(er_v3_madd(more, -down[i], body->up)), 1e-9);
        far.lowest = fmin(far.lowest, down[i]);
        far.drop = fmax(far.drop, down[i]);
        root[i] = went;
    }
    for (int f = 0; f < body->foot_count; ++f) {
        eri_plant(model, body, f, &s.paths, &s.stride, s.ground.stands + f * n, root, s.pose, work, target);
        look_at_foot(g, m, &s, f, target, down, &far);
    }
    measure_at_most("what is said of heels", fabs(far.slide - m->slide), stiff ? 1e-9 : 1e-4); // 4e-5 m were measured
    if (stiff) {
        measure_at_most("slide of legs of one joint", far.slide, 3e-6);
    } else {
        assert_true(far.lowest > -1e-4 && far.off < 1e-4);
        measure_at_most("how much lower the whole goes than legs lack", fabs(far.drop - far.lack), 1.5e-3);
    }
    eri_arena_destroy(arena);
}

// A body without feet goes by the better of its waves, whose mean is the travel.
static void expect_wave(const going *g, const er_gait_motion *m)
{
    const er_gait_body *body = g->gaits->body;
    int n = m->frame_count - 1;
    size_t bodies = (size_t)g->model->body_count;
    er_arena *arena = NULL;
    ok(eri_arena_create(context, &arena));
    const er_pose *raw = poses_of(g, arena, n);
    double best = -HUGE_VAL;
    er_vec3 *path[2], *own = NULL;
    for (int k = 0; k < 2; ++k) {
        eri_wave wave;
        path[k] = eri_arena_alloc(arena, (size_t)n + 1, sizeof *path[k]);
        assert_non_null(path[k]);
        ok(eri_wave_create(arena, g->model, body, k == 1, &wave));
        double pure = eri_wave_travel(&wave, g->model, body, n, raw, path[k]),
               good = pure * er_v3_dot(path[k][n], body->forward);
        if (!(good > best) || (k == 1 && body->lies)) continue;
        best = good;
        own = path[k];
    }
    measure_at_most("travel of a wave",
                    er_v3_distance(m->travel[n], er_v3_scale(er_v3_dot(own[n], body->forward), body->forward)), 1e-12);
    for (size_t i = 0; i < (size_t)n * bodies; ++i) {
        size_t frame = i / bodies;
        er_vec3 by = er_v3_sub(own[frame], er_v3_scale((double)frame / n, own[n]));
        measure_at_most("way of a wave", er_v3_distance(m->pose[i].p, er_v3_add(raw[i].p, by)), 1e-12);
        assert_memory_equal(&m->pose[i].q, &raw[i].q, sizeof raw[i].q);
    }
    eri_arena_destroy(arena);
}

static void expect_sound(const going *g, double fps)
{
    er_gait_motion *m;
    ok(er_gait_move(context, g->model, g->modes, g->gaits, g->gait, fps, &m));
    int frames = (int)ceil(fps / g->gait->hz - 1e-6);
    assert_int_equal(m->frame_count, (frames < 16 ? 16 : frames) + 1);
    assert_int_equal(m->foot_count, g->gaits->body->foot_count);
    for (int i = 0; i < m->frame_count; ++i) {
        double part = (double)i / (m->frame_count - 1);
        assert_true(fabs(m->time[i] * g->gait->hz - part) < 1e-9);
        assert_true(er_v3_distance(m->travel[i], er_v3_scale(part, m->travel[m->frame_count - 1])) < 1e-9);
    }
    expect_held_feet(g->model, g->gaits->body, g->gait, m);
    expect_a_closed_loop(g->model, m);
    expect_travel(g->model, g->gaits->body, g->gait, m);
    expect_one_motion(g, m);
    expect_correction(g, m);
    (m->foot_count > 0 ? expect_way : expect_wave)(g, m);
    er_gait_motion_destroy(m);
}

static void a_biped_goes(void **state)
{
    going g = go(make_biped(usual), 22.0);
    assert_int_equal(g.gaits->body->foot_count, 2);
    static const double rates[] = {30.0, 60.0, 157.0};
    for (size_t i = 0; i < ERI_COUNT(rates); ++i)
        expect_sound(&g, rates[i]);
    stop(&g);
}

// So long a stride that the body has to come down for the legs to reach.
static void long_strides_are_reached(void **state)
{
    going g = go(make_biped(usual), 32.0);
    print_message("# stride %g, flight %g\n", g.gait->stride, g.gait->flight);
    expect_sound(&g, 90.0);
    stop(&g);
}

static void a_quadruped_goes(void **state)
{
    going g = go(make_quadruped(usual), 17.0);
    assert_int_equal(g.gaits->body->foot_count, 4);
    expect_sound(&g, 60.0);
    stop(&g);
}

// Legs of one box cannot lift their soles but by the body's leave.
static void a_stool_goes(void **state)
{
    going g = go(make_stool(), 12.0);
    assert_int_equal(g.gaits->body->foot[0].joint_count, 1);
    er_gait_motion *motion;
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 120.0, &motion));
    expect_a_closed_loop(g.model, motion);
    expect_travel(g.model, g.gaits->body, g.gait, motion);
    expect_one_motion(&g, motion);
    expect_way(&g, motion);
    assert_true(motion->sink < 1e-6);
    er_gait_motion_destroy(motion);
    stop(&g);
}

// A biped whose feet have toes, or hang on the hips as targets of inverse kinematics.
static er_model *other_biped(bool toes)
{
    walker_maker m = {.def = usual};
    walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.16, 0.88, -0.09), er_v3(0.16, 1.3, 0.09), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        double x = 0.1 * s;
        const char *names[2][4] = {{"thigh_L", "shin_L", "foot_L", "toe_L"}, {"thigh_R", "shin_R", "foot_R", "toe_R"}};
        const char **name = names[s > 0 ? 0 : 1];
        int thigh =
            walker_box(&m, name[0], 0, er_v3(x, 0.9, 0), er_v3(x - 0.06, 0.49, -0.06), er_v3(x + 0.06, 0.9, 0.06), 1.0);
        int shin = walker_box(&m, name[1], thigh, er_v3(x, 0.49, 0.01), er_v3(x - 0.05, toes ? 0.1 : 0.04, -0.04),
                              er_v3(x + 0.05, 0.49, 0.05), 1.0);
        int foot = walker_box(&m, name[2], toes ? shin : 0, er_v3(x, 0.08, 0), er_v3(x - 0.045, 0.0, -0.06),
                              er_v3(x + 0.045, 0.06, 0.12), 1.0);
        if (toes)
            walker_box(&m, name[3], foot, er_v3(x, 0.03, 0.12), er_v3(x - 0.045, 0.0, 0.12),
                       er_v3(x + 0.045, 0.04, 0.19), 1.0);
    }
    return walker_finish(&m);
}

static double smooth(double u)
{
    return u <= 0.0 ? 0.0 : u >= 1.0 ? 1.0 : (3.0 - 2.0 * u) * u * u;
}

// Between stances toes go over to what the mix has them do within a third of the swing and a little, and back as soon.
static void expect_toes_to_let_go(const going *g, const er_gait_motion *m)
{
    const er_model *model = g->model;
    int n = m->frame_count - 1, width = model->coordinate_count, swinging = 0;
    size_t bodies = (size_t)model->body_count;
    er_arena *arena = NULL;
    ok(eri_arena_create(context, &arena));
    const er_pose *raw = poses_of(g, arena, n);
    for (int f = 0; f < 2; ++f) {
        int toe = g->gaits->body->foot[f].body + 1, joint = model->tree_joint[toe], first = 0, length = 0;
        for (int i = 0; i < n; ++i) {
            length += m->stands[2 * i + f];
            if (m->stands[2 * i + f] && !m->stands[2 * ((i + n - 1) % n) + f]) first = i;
        }
        for (int k = 1; k <= n - length; ++k) {
            int i = (first + length - 1 + k) % n;
            double u = (double)k / (n - length + 1), free = smooth(u / 0.35) - smooth((u - 0.65) / 0.35), mix[256];
            er_pose root[MOST_PARTS];
            assert_true(width <= (int)ERI_COUNT(mix));
            er_model_coordinates(model, raw + (size_t)i * bodies, mix, root);
            for (int c = model->coordinate[joint]; c < model->coordinate[joint + 1]; ++c) {
                measure_at_most("toes in the air", fabs(m->q[i * width + c] - free * mix[c]), 1e-9);
                swinging += fabs(mix[c]) > 0.01;
            }
        }
    }
    assert_true(swinging > 10);
    eri_arena_destroy(arena);
}

// Toes lie as at rest on a foot that stands.
static void feet_with_toes_go(void **state)
{
    going g = go(other_biped(true), 17.0);
    const er_gait_body *body = g.gaits->body;
    er_gait_motion *m;
    expect_sound(&g, 60.0);
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, &m));
    for (int i = 0; i < m->frame_count; ++i)
        for (int f = 0; f < 2; ++f) {
            int foot = body->foot[f].body, toe = foot + 1;
            const er_pose *pose = m->pose + (size_t)i * (size_t)g.model->body_count;
            er_quat bend = er_q_mul(er_q_conj(pose[foot].q), pose[toe].q);
            assert_int_equal(g.model->tree_parent[toe], foot);
            if (m->stands[2 * i + f]) assert_true(er_v3_norm(er_q_log(bend)) < 1e-9);
        }
    expect_toes_to_let_go(&g, m);
    er_gait_motion_destroy(m);
    stop(&g);
}

// A sole that hangs on the hips goes with the leg that ends in it: its ankle stays at the leg's end.
static void soles_that_hang_elsewhere_go_with_their_legs(void **state)
{
    going g = go(other_biped(false), 17.0);
    er_gait_motion *m;
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, &m));
    for (int f = 0; f < 2; ++f) {
        const er_gait_foot *foot = &g.gaits->body->foot[f];
        assert_int_not_equal(foot->sole, foot->body);
        for (int i = 0; i < m->frame_count; ++i) {
            const er_pose *pose = m->pose + (size_t)i * (size_t)g.model->body_count;
            assert_true(er_v3_distance(pose[foot->sole].p, er_pose_point(pose[foot->body], foot->heel)) < 1e-6);
        }
    }
    expect_held_feet(g.model, g.gaits->body, g.gait, m);
    expect_a_closed_loop(g.model, m);
    // on top of it too, whatever hips they hang on are told to do
    int n = m->frame_count - 1, bodies = g.model->body_count, width = g.model->coordinate_count;
    double *over = calloc((size_t)n * (size_t)width, sizeof *over);
    er_gait_motion *all;
    assert_non_null(over);
    for (int i = 0; i < n * width; ++i)
        over[i] = 0.02 * sin(0.1 * i);
    ok(er_gait_layer(context, m, g.gaits->body, 1, NULL, over, 0, NULL, &all));
    for (int i = 0; i < n; ++i)
        for (int f = 0; f < 2; ++f) {
            const er_gait_foot *foot = &g.gaits->body->foot[f];
            const er_pose *now = all->pose + i * bodies, *base = m->pose + i * bodies;
            assert_memory_equal(&now[foot->sole], &base[foot->sole], sizeof *now);
            double q[256];
            er_pose root[MOST_PARTS];
            int joint = g.model->tree_joint[foot->sole];
            assert_true(width <= (int)ERI_COUNT(q));
            er_model_coordinates(g.model, base, q, root);
            for (int c = g.model->coordinate[joint]; c < g.model->coordinate[joint + 1]; ++c)
                assert_true(fabs(all->q[i * width + c] - q[c]) < 1e-9); // whatever is told of it
            assert_true(er_v3_distance(er_pose_point(now[foot->body], foot->heel),
                                       er_pose_point(base[foot->body], foot->heel)) < 1e-8);
        }
    free(over);
    er_gait_motion_destroy(all);
    er_gait_motion_destroy(m);
    stop(&g);
}

// A fish goes on by what its wave does, less the mean of that, which is its travel.
static void a_fish_goes(void **state)
{
    going g = go(make_fish(8), 15.0);
    expect_sound(&g, 60.0);
    stop(&g);
}

// A strut from the hips to a thigh, of two parts that slide in one another, goes with the leg that it is a loop with.
static void loops_stay_closed(void **state)
{
    er_model *open = make_biped(usual);
    static er_body body[MOST_PARTS];
    static er_joint joint[MOST_PARTS];
    int count = open->joint_count, strut = open->body_count, thigh = 0;
    memcpy(body, open->body, (size_t)strut * sizeof *body);
    memcpy(joint, open->joint, (size_t)count * sizeof *joint);
    while (strcmp(body[thigh].name, "left_thigh") != 0)
        ++thigh;
    const er_vec3 top = {0.1, 1.0, 0.15}, end = {0.1, 0.6, 0.08}, along = er_v3_unit(er_v3_sub(end, top), top);
    const er_vec3 across = er_v3_cross(er_v3(0, 0, 1), along);
    const er_quat turn = er_q_exp(er_v3_scale(acos(along.z), er_v3_unit(across, along)));
    for (int i = 0; i < 2; ++i)
        body[strut + i] = (er_body){.name = "strut",
                                    .mass = 0.1,
                                    .inertia = {{{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}},
                                    .pose = {turn, i == 0 ? top : end}};
    for (int i = 0; i < 3; ++i) {
        joint[count + i] = (er_joint){.name = "strut",
                                      .parent = i == 0   ? 0
                                                : i == 1 ? strut
                                                         : thigh,
                                      .child = strut + (i > 0),
                                      .type = i == 1 ? ER_JOINT_PRISMATIC : ER_JOINT_SPHERICAL,
                                      .closes_loop = i == 2,
                                      .frame = {turn, i == 0 ? top : end}};
        for (int a = 0; a < 3; ++a) {
            joint[count + i].limit[a][0] = -HUGE_VAL;
            joint[count + i].limit[a][1] = HUGE_VAL;
            joint[count + i].stiffness[a] = i == 0 ? 1.0 : 0.0;
        }
    }
    er_model *model = make_model(strut + 2, body, count + 3, joint);
    assert_int_equal(model->loop_count, 1);
    going g = go(model, 22.0);
    er_gait_motion *m;
    ok(er_gait_move(context, model, g.modes, g.gaits, g.gait, 30.0, &m));
    for (int i = 0; i < m->frame_count; ++i)
        measure_at_most("gap of a loop", er_pose_joint_gap(model, m->pose + (size_t)i * (size_t)model->body_count),
                        1e-9);
    expect_correction(&g, m);
    er_gait_motion_destroy(m);
    stop(&g);
}

static void what_cannot_be_moved_or_recorded_is_refused(void **state)
{
    going g = go(make_biped(usual), 22.0);
    er_gait_motion *m = (er_gait_motion *)&g; // not NULL
    for (int lacks = 0; lacks < 4; ++lacks) {
        er_result r = er_gait_move(context, lacks == 0 ? NULL : g.model, lacks == 1 ? NULL : g.modes,
                                   lacks == 2 ? NULL : g.gaits, lacks == 3 ? NULL : g.gait, 60.0, &m);
        refused(r, ER_ERROR_ARGUMENT, &m, "er_gait_move");
    }
    static const double rates[] = {0.0, -1.0, NAN, 1.1e5};
    for (size_t i = 0; i < ERI_COUNT(rates); ++i) {
        er_result r = er_gait_move(context, g.model, g.modes, g.gaits, g.gait, rates[i], &m);
        refused(r, ER_ERROR_ARGUMENT, &m, "frames a second");
    }
    er_gait slow = *g.gait;
    slow.hz = 0.0999;
    er_result r = er_gait_move(context, g.model, g.modes, g.gaits, &slow, 1e5, &m);
    refused(r, ER_ERROR_ARGUMENT, &m, "10.01 s");
    assert_int_equal(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 60.0, NULL), ER_ERROR_ARGUMENT);
    m = (er_gait_motion *)&g;
    assert_int_equal(er_gait_move(NULL, g.model, g.modes, g.gaits, g.gait, 60.0, &m), ER_ERROR_ARGUMENT);
    assert_null(m);
    er_recording *recording = (er_recording *)&g;
    r = er_gait_record(context, NULL, true, NULL, NULL, &recording);
    refused(r, ER_ERROR_ARGUMENT, &recording, "er_gait_record");
    ok(er_gait_move(context, g.model, g.modes, g.gaits, g.gait, 20.0, &m));
    r = er_gait_record(context, m, true, NULL, NULL, &recording);
    refused(r, ER_ERROR_ARGUMENT, &recording, "a target");
    assert_int_equal(er_gait_record(context, m, true, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    recording = (er_recording *)&g;
    assert_int_equal(er_gait_record(NULL, m, true, NULL, NULL, &recording), ER_ERROR_ARGUMENT);
    assert_null(recording);
    er_gait_motion_destroy(m);
    er_gait_motion_destroy(NULL);
    stop(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_biped_goes),
        cmocka_unit_test(long_strides_are_reached),
        cmocka_unit_test(a_quadruped_goes),
        cmocka_unit_test(a_stool_goes),
        cmocka_unit_test(feet_with_toes_go),
        cmocka_unit_test(soles_that_hang_elsewhere_go_with_their_legs),
        cmocka_unit_test(a_fish_goes),
        cmocka_unit_test(loops_stay_closed),
        cmocka_unit_test(what_cannot_be_moved_or_recorded_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
