// Gaits of walkers whose answer is known, judged from what they do: poses of bodies, soles on the ground.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "support/judge.h"
#include "support/ledger.h"
#include "walkers.h"

// Searched once, for whoever only looks at them.
static gait_search *shared_biped(void)
{
    static gait_search biped;
    if (biped.gaits == NULL) biped = find(make_biped(usual), 10);
    return &biped;
}

static int tear_down_shared(void **state)
{
    lose(shared_biped());
    return tear_down(state);
}

static const er_gait_foot *foot_named(const er_gait_body *body, const char *name)
{
    for (int i = 0; i < body->foot_count; ++i)
        if (strcmp(body->foot[i].name, name) == 0) return &body->foot[i];
    fail_msg("no foot \"%s\"", name);
    return NULL;
}

// ---- the body

static void a_quadrupeds_feet_are_named_from_the_front(void **state)
{
    er_model *model = make_quadruped(usual);
    er_gait_body *body = read_body(model, NULL);
    assert_int_equal(body->foot_count, 4);
    assert_true(body->forward.z > 0.999);
    assert_string_equal(model->body[foot_named(body, "LF")->body].name, "left_fore_hoof");
    assert_string_equal(model->body[foot_named(body, "RH")->body].name, "right_hind_hoof");
    assert_string_equal(model->body[foot_named(body, "LF")->trunk].name, "chest");
    assert_string_equal(model->body[foot_named(body, "LH")->trunk].name, "rump");
}

static void up_forward_and_feet_can_be_said(void **state)
{
    er_model *model = make_quadruped(usual);
    er_gait_def def = er_default_gait_def();
    def.forward = er_v3(0.1, 0.2, -2.0);
    def.feet = "*_fore_hoof,left_hind_h??f";
    er_gait_body *body = read_body(model, &def);
    assert_int_equal(body->foot_count, 3);
    assert_true(body->forward.z < -0.99 && body->facing == 1.0 && fabs(body->forward.y) < 1e-12);
    assert_string_equal(model->body[body->foot[0].body].name, "left_hind_hoof"); // now in front
    def.up = er_v3(0, 0, 1);
    def.feet = NULL;
    er_result r = er_gait_body_read(context, model, NULL, &def, &body); // 6 degrees off up
    refused(r, ER_ERROR_ARGUMENT, &body, "forward");
    def.forward = er_v3(0.3, 0.2, -2.0); // 10 degrees
    body = read_body(model, &def);       // on its tail: whatever it is, it is no crash
    assert_true(body->up.z == 1.0);
}

// ---- going

// How many modes swing by more than three degrees in both.
static int common_modes(const er_mix *a, const er_mix *b)
{
    int count = 0;
    for (int i = 0; i < a->component_count; ++i)
        for (int k = 0; k < b->component_count; ++k)
            count += a->component[i].mode == b->component[k].mode && a->component[i].degrees > 3.0 &&
                     b->component[k].degrees > 3.0;
    return count;
}

// Two of one family differ in what moves, or in how long their strides are.
static void expect_variety(const er_gaits *gaits)
{
    for (int i = 0; i < gaits->count; ++i)
        for (int k = 0; k < i; ++k) {
            const er_gait *a = &gaits->gait[i], *b = &gaits->gait[k];
            if (a->family != b->family || fabs(a->stride / b->stride - 1.0) > 0.15) continue;
            if (common_modes(a->mix, b->mix) >= 2) fail_msg("%s is %s again", a->name, b->name);
        }
}

// The best of every family first, then the second of each, called after their numbers; of one round the better first.
static void expect_order(const gait_search *f)
{
    int last = 1;
    assert_true(f->gaits->count <= 6); // as many as nobody asked for
    for (int i = 0; i < f->gaits->count; ++i) {
        const er_gait *gait = &f->gaits->gait[i];
        char name[40];
        int number = 1;
        for (int k = 0; k < i; ++k)
            number += f->gaits->gait[k].family == gait->family;
        snprintf(name, sizeof name, number > 1 ? "%s %d" : "%s", er_gait_family_name(gait->family), number);
        assert_string_equal(gait->name, name);
        assert_string_equal(gait->mix->name, name);
        assert_true(number >= last);
        if (i > 0 && number == last) assert_true(gait->score <= f->gaits->gait[i - 1].score);
        assert_ptr_equal(er_gaits_named(f->gaits, name), gait);
        last = number;
    }
    assert_null(er_gaits_named(f->gaits, NULL));
    assert_null(er_gaits_named(NULL, "walk"));
}

static void expect_gaits(const gait_search *f)
{
    bool far = false;
    expect_variety(f->gaits);
    expect_order(f);
    assert_true(f->gaits->count > 0);
    for (int i = 0; i < f->gaits->count; ++i) {
        const er_gait *gait = &f->gaits->gait[i];
        er_gait_motion *m;
        far |= gait->stride >= 0.3 * f->gaits->body->height;
        ok(er_gait_move(context, f->model, f->modes, f->gaits, gait, 60.0, &m));
        expect_held_feet(f->model, f->gaits->body, gait, m);
        expect_a_closed_loop(f->model, m);
        expect_travel(f->model, f->gaits->body, gait, m);
        er_gait_motion_destroy(m);
    }
    assert_true(far);
}

static void a_biped_walks_with_feet_that_stand_still(void **state)
{
    const gait_search *f = shared_biped();
    expect_gaits(f);
    const er_gait *walk = er_gaits_named(f->gaits, "walk");
    assert_non_null(walk);
    assert_true(fabs(walk->step[1].phase - walk->step[0].phase) > 0.4);
    assert_true(walk->duty > 0.45 && walk->flight < 0.1);
    assert_null(er_gaits_named(f->gaits, "trot"));
}

static void a_quadruped_has_gaits_of_several_families(void **state)
{
    gait_search f = find(make_quadruped(usual), 12);
    expect_gaits(&f);
    bool pairs = false, turns = false;
    for (int i = 0; i < f.gaits->count; ++i) {
        er_gait_family family = f.gaits->gait[i].family;
        turns |= family == ER_GAIT_TROT || family == ER_GAIT_PACE || family == ER_GAIT_WALK || family == ER_GAIT_AMBLE;
        pairs |=
            family == ER_GAIT_BOUND || family == ER_GAIT_GALLOP || family == ER_GAIT_CANTER || family == ER_GAIT_PRONK;
    }
    assert_true(pairs && turns);
    lose(&f);
}

static void a_fish_swims_by_a_wave(void **state)
{
    gait_search f = find(make_fish(10), 10);
    const er_gait_body *body = f.gaits->body;
    assert_int_equal(body->foot_count, 0);
    assert_true(!body->lies && body->forward.z > 0.99);
    assert_true(f.gaits->count > 0);
    const er_gait *swim = &f.gaits->gait[0];
    assert_int_equal(swim->family, ER_GAIT_SWIM);
    assert_true(swim->slip < 0.4 && swim->stride > 0.02);
    er_gait_motion *m;
    ok(er_gait_move(context, f.model, f.modes, f.gaits, swim, 60.0, &m));
    expect_a_closed_loop(f.model, m);
    expect_travel(f.model, body, swim, m);
    er_gait_motion_destroy(m);
    lose(&f);
}

// ---- what must not matter

static void twice_the_size_goes_by_the_root_of_two_faster(void **state)
{
    walker_def large = usual;
    large.scale = 2.0;
    gait_search a = find(make_biped(usual), 8), b = find(make_biped(large), 8);
    assert_int_equal(a.gaits->count, b.gaits->count);
    for (int i = 0; i < a.gaits->count; ++i) {
        const er_gait *x = &a.gaits->gait[i], *y = &b.gaits->gait[i];
        assert_string_equal(x->name, y->name);
        assert_true(fabs(y->speed / x->speed / sqrt(2.0) - 1.0) < 1e-3);
        assert_true(fabs(y->froude / x->froude - 1.0) < 1e-3);
        for (int k = 0; k < 2; ++k)
            assert_true(fabs(x->step[k].duty - y->step[k].duty) < 1e-3 &&
                        fabs(remainder(x->step[k].phase - y->step[k].phase, 1.0)) < 1e-3);
    }
    lose(&a);
    lose(&b);
}

// How far the trunk turns to the left and to the right, rad.
static void turns_of(const gait_search *f, const er_gaits *gaits, const er_gait *gait, double *left, double *right)
{
    er_gait_motion *m;
    ok(er_gait_move(context, f->model, f->modes, gaits, gait, 60.0, &m));
    *left = *right = 0.0;
    for (int i = 0; i < m->frame_count; ++i) {
        double yaw = er_v3_dot(er_q_log(m->pose[(size_t)i * (size_t)f->model->body_count].q), gaits->body->up);
        *left = fmax(*left, yaw);
        *right = fmax(*right, -yaw);
    }
    er_gait_motion_destroy(m);
}

// Whether a mode of the mirrored rig, whose body i is the image of body i, is the image of the mode or its opposite.
static double sign_of_image(const gait_search *f, const er_mode *mode, const er_mode *image)
{
    static const double flip[6] = {1, -1, -1, -1, 1, 1}; // turns and shifts across x, of bodies along the axes
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < 6 * f->model->body_count; ++i) {
        double weight = f->model->body[i / 6].mass * (i % 6 < 3 ? 0.01 : 1.0);
        sum += weight * flip[i % 6] * mode->body[i] * image->body[i];
        squares += weight * mode->body[i] * mode->body[i];
    }
    assert_true(fabs(fabs(sum) / squares - 1.0) < 1e-6);
    return sum;
}

// Every gait of an uneven rig, mirrored, is a gait of the mirrored rig: as fast, its left steps those of the right.
static void mirror_images_have_mirror_images_of_gaits(void **state)
{
    walker_def uneven = usual, mirrored;
    uneven.heavy = 1.3;
    mirrored = uneven;
    mirrored.mirror = -1.0;
    for (int four = 0; four < (every() ? 2 : 1); ++four) {
        er_model *(*make)(walker_def) = four != 0 ? make_quadruped : make_biped;
        gait_search a = find(make(uneven), 8), b = find(make(mirrored), 8);
        assert_true(a.gaits->count > 0);
        assert_string_equal(a.gaits->gait[0].name, b.gaits->gait[0].name); // of worse ones, rounding may choose another
        assert_true(fabs(b.gaits->gait[0].score / a.gaits->gait[0].score - 1.0) < 0.05);
        for (int i = 0; i < a.gaits->count; ++i) {
            const er_gait *x = &a.gaits->gait[i];
            er_mix_component component[3];
            er_mix mix = {
                .name = "", .cycle = x->mix->cycle, .component_count = x->mix->component_count, .component = component};
            for (int v = 0; v < mix.component_count; ++v) {
                const er_mix_component *from = &x->mix->component[v];
                int k = from->mode - a.modes->first;
                component[v] = er_default_mix_component();
                component[v].mode = from->mode;
                component[v].degrees = from->degrees;
                component[v].harmonic = from->harmonic;
                component[v].phase =
                    from->phase + (sign_of_image(&a, &a.modes->mode[k], &b.modes->mode[k]) < 0.0 ? ER_PI : 0.0);
            }
            er_gaits *image;
            ok(er_gait_of_mix(context, b.model, NULL, b.modes, &mix, NULL, &image));
            const er_gait *y = &image->gait[0];
            assert_int_equal(x->family, y->family);
            assert_true(fabs(y->speed / x->speed - 1.0) < 1e-3 && fabs(y->score - x->score) < 1e-3);
            for (int k = 0; k < a.gaits->body->foot_count; ++k)
                assert_true(fabs(x->step[k].duty - y->step[k ^ 1].duty) < 1e-3 &&
                            fabs(x->step[k].clearance - y->step[k ^ 1].clearance) < 1e-3);
            double left[2], right[2];
            turns_of(&a, a.gaits, x, &left[0], &right[0]);
            turns_of(&b, image, y, &left[1], &right[1]);
            assert_true(fabs(left[0] - right[1]) < 0.01 && fabs(right[0] - left[1]) < 0.01);
            er_gaits_destroy(image);
        }
        lose(&a);
        lose(&b);
    }
}

// ---- mixes and clips

static void a_gaits_own_mix_is_that_gait_again(void **state)
{
    const gait_search *f = shared_biped();
    for (int i = 0; i < f->gaits->count; ++i) {
        er_gaits *again;
        const er_gait *gait = &f->gaits->gait[i];
        ok(er_gait_of_mix(context, f->model, NULL, f->modes, gait->mix, NULL, &again));
        assert_int_equal(again->count, 1);
        assert_int_equal(again->gait[0].family, gait->family);
        assert_true(fabs(again->gait[0].stride / gait->stride - 1.0) < 1e-4);
        assert_true(fabs(again->gait[0].hz / gait->hz - 1.0) < 1e-9);
        er_gaits_destroy(again);
    }
}

static void clips_loop_on_the_spot_and_travel_a_stride(void **state)
{
    const gait_search *f = shared_biped();
    er_scene *bones;
    const int *node_body;
    ok(er_rig_bone_scene(context, f->model, NULL, &bones, &node_body));
    size_t n = (size_t)bones->node_count;
    er_affine *local = calloc(n, sizeof *local), *world = calloc(n, sizeof *world), *first = calloc(n, sizeof *first);
    er_scene_sample(bones, NULL, 0.0, local);
    er_scene_world(bones, local, world);
    er_recording_target target = {bones, node_body, NULL, world, 1.0};
    er_gait_motion *m;
    ok(er_gait_move(context, f->model, f->modes, f->gaits, &f->gaits->gait[0], 60.0, &m));
    for (int travels = 0; travels < 2; ++travels) {
        er_recording *recording;
        er_recording_def def = er_default_recording_def();
        def.name = "gait";
        ok(er_gait_record(context, m, travels == 1, &target, &def, &recording));
        er_scene_sample(bones, &recording->clip, 0.0, local);
        er_scene_world(bones, local, first);
        er_scene_sample(bones, &recording->clip, recording->clip.duration, local);
        er_scene_world(bones, local, world);
        er_vec3 way = travels == 1 ? m->travel[m->frame_count - 1] : er_v3(0, 0, 0);
        for (size_t i = 0; i < n; ++i) {
            if (node_body[i] < 0) continue;
            er_vec3 went = er_v3_sub(world[i].translation, first[i].translation);
            assert_true(er_v3_distance(went, way) < 1e-6);
        }
        er_scene_sample(bones, NULL, 0.0, local);
        er_scene_world(bones, local, world);
        er_recording_destroy(recording);
    }
    er_gait_motion_destroy(m);
    free(local);
    free(world);
    free(first);
    er_scene_destroy(bones);
}

// ---- pace

static er_gait paced(const gait_search *f, er_gait_def def, er_gaits **out)
{
    ok(er_gait_of_mix(context, f->model, NULL, f->modes, f->gaits->gait[0].mix, &def, out));
    assert_int_equal((*out)->count, 1);
    return (*out)->gait[0];
}

// A gait at a pace says what its motion does, and strides end on frames.
static void strides_keep_the_pace_that_is_asked_for(void **state)
{
    gait_search f = find(make_quadruped(usual), 8);
    const er_gait own = f.gaits->gait[0];
    for (int i = 0; i < 4; ++i) {
        er_gaits *one = NULL;
        er_gait_motion *m = NULL;
        er_gait_def def = few_modes(8);
        if (i < 2) def.hz = own.hz * (i == 0 ? 1.2 : 0.8);
        if (i == 2) def.speed = 1.1 * own.speed;
        if (i != 0) def.fps = i == 2 ? 0.0 : 24.0;
        er_gait g = paced(&f, def, &one);
        double asked = def.hz > 0.0 ? def.hz : own.hz, frames = def.fps / g.hz;
        if (i == 0) measure_at_most("strides a second", fabs(g.hz / asked - 1.0), 1e-9);
        if (def.fps > 0.0) {
            measure_at_most("part of a frame", fabs(frames - round(frames)), 1e-9);
            measure_at_most("frames from the pace asked for", fabs(frames - def.fps / asked), 0.5 + 1e-9);
        }
        if (i == 2) measure_at_most("speed", fabs(g.speed / def.speed - 1.0), 1e-6); // of rounds that come nearer
        assert_true(g.mix->cycle > 0.0 && fabs(g.mix->cycle * g.hz - 1.0) < 1e-12);
        ok(er_gait_move(context, f.model, f.modes, one, &one->gait[0], 60.0, &m));
        double seconds = m->time[m->frame_count - 1], way = er_v3_norm(m->travel[m->frame_count - 1]);
        measure_at_most("time of a stride", fabs(seconds * g.hz - 1.0), 1e-12);
        measure_at_most("speed of the motion", fabs(way / seconds / g.speed - 1.0), 1e-4); // whose frames are others
        er_gait_motion_destroy(m);
        er_gaits_destroy(one);
    }
    er_gait_def def = few_modes(8);
    er_gaits *none = NULL;
    def.hz = 40.0;
    ok(er_gaits_find(context, f.model, NULL, f.modes, &def, &none));
    assert_true(none->count == 0 && none->lost > 0 && f.gaits->lost == 0); // feet that fall slower than that
    er_gaits_destroy(none);
    lose(&f);
}

// ---- refusals

static void what_cannot_go_is_refused_by_a_sentence(void **state)
{
    er_model *model = make_biped(usual), *held;
    er_gaits *gaits;
    er_gait_body *body;
    er_gait_def def = er_default_gait_def();
    er_rig_change change = er_default_rig_change();
    change.fix_root = true;
    ok(er_rig_change_model(context, model, &change, &held));
    er_modes *few = modes_of(held);
    refused(er_gaits_find(context, held, NULL, few, NULL, &gaits), ER_ERROR_RIG, &gaits, "--root free");
    def.feet = "wing*";
    refused(er_gait_body_read(context, model, NULL, &def, &body), ER_ERROR_ARGUMENT, &body, "wing*");
    def.feet = "left_foot";
    refused(er_gait_body_read(context, model, NULL, &def, &body), ER_ERROR_ARGUMENT, &body, "left_foot");
    def.feet = "hips";
    refused(er_gait_body_read(context, model, NULL, &def, &body), ER_ERROR_ARGUMENT, &body, "hips");
    er_model_destroy(held);
}

static void weights_are_found_by_their_names(void **state)
{
    er_gait_weights w;
    const struct {
        const char *name;
        double *place;
    } field[] = {{"progress", &w.progress},   {"drift", &w.drift},         {"slip", &w.slip},
                 {"clearance", &w.clearance}, {"share", &w.share},         {"effort", &w.effort},
                 {"attitude", &w.attitude},   {"excursion", &w.excursion}, {"symmetry", &w.symmetry}};
    assert_int_equal(sizeof field / sizeof field[0], ER_GAIT_WEIGHT_COUNT);
    assert_int_equal(sizeof w, ER_GAIT_WEIGHT_COUNT * sizeof(double)); // no field is left out
    for (int i = 0; i < ER_GAIT_WEIGHT_COUNT; ++i) {
        assert_string_equal(er_gait_weight_name(i), field[i].name);
        assert_ptr_equal(er_gait_weight(&w, i), field[i].place);
    }
    for (int i = -1; i <= ER_GAIT_WEIGHT_COUNT; i += ER_GAIT_WEIGHT_COUNT + 1) {
        assert_null(er_gait_weight_name(i));
        assert_null(er_gait_weight(&w, i));
    }
}

static bool notes_say(const er_gait_body *body, const char *words)
{
    bool said = false;
    for (int i = 0; i < body->note_count; ++i)
        said |= strstr(body->note[i].text, words) != NULL;
    return said;
}

static void one_leg_and_a_body_on_its_side_are_no_crash(void **state)
{
    walker_def lame = usual;
    lame.one_leg = true;
    gait_search f = find(make_biped(lame), 6);
    assert_int_equal(f.gaits->body->foot_count, 0);
    assert_true(notes_say(f.gaits->body, "no feet"));
    lose(&f);
    er_model *model = make_biped(usual);
    er_modes *modes = modes_of(model);
    er_gait_def def = few_modes(6);
    def.up = er_v3(1, 0, 0);
    er_gaits *gaits;
    ok(er_gaits_find(context, model, NULL, modes, &def, &gaits));
    assert_true(notes_say(gaits->body, "no feet"));
    er_gaits_destroy(gaits);
}

// A trunk on legs to the sides, thigh up and shin down, three pairs or more.
static er_model *make_insect(int pairs)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    double half = 0.12 * pairs;
    walker_box(&m, "trunk", -1, er_v3(0, 0.2, 0), er_v3(-0.08, 0.15, -half), er_v3(0.08, 0.27, half), 1.0);
    for (int k = 0; k < 2 * pairs; ++k) {
        double s = k % 2 == 0 ? 1.0 : -1.0, z = 0.24 * (k / 2) - half + 0.12;
        const char *side = s > 0.0 ? "left" : "right";
        char name[32];
        snprintf(name, sizeof name, "%s_thigh", side);
        int thigh = walker_box(&m, name, 0, er_v3(0.08 * s, 0.2, z), er_v3(fmin(0.08 * s, 0.32 * s), 0.2, z - 0.02),
                               er_v3(fmax(0.08 * s, 0.32 * s), 0.26, z + 0.02), 1.0);
        snprintf(name, sizeof name, "%s_shin", side);
        walker_box(&m, name, thigh, er_v3(0.32 * s, 0.24, z), er_v3(0.34 * s - 0.02, 0, z - 0.02),
                   er_v3(0.34 * s + 0.02, 0.24, z + 0.02), 1.0);
    }
    return walker_finish(&m);
}

// Each of many legs steps: no foot hangs in the air all the time, or stands all the time, and they step in turn.
static void many_legs_step_in_turn(void **state)
{
    for (int pairs = 3; pairs <= (every() ? 4 : 3); ++pairs) {
        gait_search f = find(make_insect(pairs), 24); // so many modes move the feet of six legs; fewer cannot lift all
        assert_int_equal(f.gaits->body->foot_count, 2 * pairs);
        assert_true(f.gaits->count > 0);
        const er_gait *best = &f.gaits->gait[0];
        double least = 1.0, most = 0.0;
        for (int i = 0; i < 2 * pairs; ++i) {
            least = fmin(least, best->step[i].duty);
            most = fmax(most, best->step[i].duty);
        }
        print_message("# %d legs: %s, score %.2f, of %d modes, feet stand for %.2f to %.2f of a stride\n", 2 * pairs,
                      best->name, best->score, best->mix->component_count, least, most);
        assert_true(best->family >= ER_GAIT_TRIPOD && best->family <= ER_GAIT_RIPPLE);
        assert_true(best->score > 0.7 && least > 0.15 && most < 0.9); // 0.63 by three modes
        er_gait_motion *motion;
        ok(er_gait_move(context, f.model, f.modes, f.gaits, best, 60.0, &motion));
        expect_a_closed_loop(f.model, motion);
        er_gait_motion_destroy(motion);
        er_gaits *again; // as it stands
        ok(er_gait_of_mix(context, f.model, NULL, f.modes, best->mix, NULL, &again));
        assert_true(fabs(again->gait[0].score - best->score) < 1e-6 && again->gait[0].family == best->family);
        er_gaits_destroy(again);
        lose(&f);
    }
}

// A stride begins where the first foot of the hindmost pair comes down, or, where not all feet are in pairs, the first
// of all: of mixes of any two modes that lead somewhere.
static void phases_are_counted_from_one_foot(void **state)
{
    for (int legs = 3; legs <= 4; ++legs) {
        er_model *model = make_quadruped(usual);
        er_modes *modes = modes_of(model);
        er_gait_def def = er_default_gait_def();
        def.feet = legs == 3 ? "*_fore_hoof,left_hind_hoof" : NULL;
        int first = legs == 4 ? 2 : 0, seen = 0, off = 0;
        for (int k = 0; k < 40 && seen < 3; ++k) {
            er_mix_component component[2] = {er_default_mix_component(), er_default_mix_component()};
            for (int i = 0; i < 2; ++i) {
                component[i].mode = modes->rigid_count + (i == 0 ? k / 6 : k % 6 + k / 6 + 1);
                component[i].degrees = 12.0;
                component[i].harmonic = 1;
                component[i].phase = i * ER_PI / 2;
            }
            const er_mix mix = {.cycle = 1.0, .component_count = 2, .component = component};
            er_gaits *gaits = NULL;
            if (er_gait_of_mix(context, model, NULL, modes, &mix, &def, &gaits) != ER_OK) continue;
            for (int g = 0; g < gaits->count; ++g) {
                assert_int_equal(gaits->body->foot_count, legs);
                assert_true(gaits->gait[g].step[first].phase == 0.0);
                for (int i = 0; i < legs; ++i) {
                    double phase = gaits->gait[g].step[i].phase;
                    assert_true(phase >= 0.0 && phase < 1.0);
                    off += phase > 0.0;
                }
                ++seen;
            }
            er_gaits_destroy(gaits);
        }
        print_message("# %d legs: %d mixes lead somewhere\n", legs, seen);
        assert_true(seen > 0 && off > seen);
    }
}

// If weights are so heavy that no gait is good, the best is listed as long as it is some use.
static void poor_gaits_are_told_of_where_there_are_no_better(void **state)
{
    er_model *model = make_biped(usual);
    er_modes *modes = modes_of(model);
    const double wanted[] = {1.4, 3.6, 4.4}; // the best mix's cost
    double least = 0.0;
    for (int k = -1; k < 3; ++k) {
        er_gait_def def = few_modes(4);
        er_gaits *gaits;
        for (int i = 0; i < ER_GAIT_WEIGHT_COUNT && k >= 0; ++i)
            *er_gait_weight(&def.weights, i) = wanted[k] / least;
        ok(er_gaits_find(context, model, NULL, modes, &def, &gaits));
        if (k < 0) least = 1.0 / gaits->gait[0].score - 1.0;
        print_message("# %d gaits, the best scores %.3f\n", gaits->count,
                      gaits->count > 0 ? gaits->gait[0].score : 0.0);
        assert_true((gaits->count > 0) == (k < 2));
        for (int i = 0; i < gaits->count; ++i) // 1 / (1 + 2.5), 1 / (1 + 4)
            assert_true(gaits->gait[i].score > (k == 1 ? 0.2 : 0.2857));
        er_gaits_destroy(gaits);
    }
}

// ---- memory

static void every_allocation_may_fail(void **state)
{
    bool whole = false;
    er_model *model = make_biped(usual);
    er_modes *modes = modes_of(model);
    for (int k = 0; !whole; ++k) {
        ledger l = {.left = k + 1}; // the context itself
        er_context *poor = ledger_context(&l);
        er_gaits *gaits = NULL;
        er_gait_motion *motion = NULL;
        er_gait_def gait_def = few_modes(2);
        er_result result = er_gaits_find(poor, model, NULL, modes, &gait_def, &gaits);
        if (result == ER_OK && gaits->count > 0)
            result = er_gait_move(poor, model, modes, gaits, &gaits->gait[0], 30.0, &motion);
        assert_true(result == ER_OK || result == ER_ERROR_MEMORY);
        assert_true(k < 500);
        whole = result == ER_OK;
        er_gait_motion_destroy(motion);
        er_gaits_destroy(gaits);
        ledger_end(&l, poor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quadrupeds_feet_are_named_from_the_front),
        cmocka_unit_test(up_forward_and_feet_can_be_said),
        cmocka_unit_test(a_biped_walks_with_feet_that_stand_still),
        cmocka_unit_test(a_quadruped_has_gaits_of_several_families),
        cmocka_unit_test(a_fish_swims_by_a_wave),
        cmocka_unit_test(twice_the_size_goes_by_the_root_of_two_faster),
        cmocka_unit_test(mirror_images_have_mirror_images_of_gaits),
        cmocka_unit_test(a_gaits_own_mix_is_that_gait_again),
        cmocka_unit_test(clips_loop_on_the_spot_and_travel_a_stride),
        cmocka_unit_test(strides_keep_the_pace_that_is_asked_for),
        cmocka_unit_test(what_cannot_go_is_refused_by_a_sentence),
        cmocka_unit_test(weights_are_found_by_their_names),
        cmocka_unit_test(one_leg_and_a_body_on_its_side_are_no_crash),
        cmocka_unit_test(many_legs_step_in_turn),
        cmocka_unit_test(phases_are_counted_from_one_foot),
        cmocka_unit_test(poor_gaits_are_told_of_where_there_are_no_better),
        cmocka_unit_test(every_allocation_may_fail),
    };
    er_modal_set_threads(2);
    return cmocka_run_group_tests(tests, set_up, tear_down_shared);
}
