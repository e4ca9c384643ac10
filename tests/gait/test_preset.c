// Mixes told by what they move, judged by how far parts go in the poses that come of them.
#include <eigenrig/gait.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gait/walkers.h"
#include "support/judge.h"

enum { TIMES = 16, MOST_BODIES = 40 };

// Where a body's centre of mass is, seen from another body; from between the feet for -1.
static er_vec3 place_of(const er_model *model, const er_pose *pose, int body, int from)
{
    er_vec3 at = er_pose_point(pose[body], model->body[body].com);
    if (from >= 0) {
        er_pose seen = er_pose_mul(pose[from], er_pose_inverse(model->body[from].pose));
        return er_pose_point_inverse(seen, at);
    }
    int left = body_named(model, "left_foot"), right = body_named(model, "right_foot");
    return er_v3_sub(at, er_v3_scale(0.5, er_v3_add(pose[left].p, pose[right].p)));
}

// Modes of one wish play in step, or against each other, at most four of them.
static void expect_in_step(const er_mix *mix, int first, int count)
{
    const er_mix_component *v = mix->component + first;
    assert_true(count >= 1 && count <= 4);
    for (int i = 0; i < count; ++i) {
        double apart = fabs(remainder(v[i].phase - v[0].phase, 2.0 * ER_PI));
        assert_int_equal(v[i].harmonic, v[0].harmonic);
        assert_true(apart < 1e-9 || fabs(apart - ER_PI) < 1e-9);
        for (int k = 0; k < i; ++k)
            assert_int_not_equal(v[i].mode, v[k].mode);
    }
}

// A preset as a motion whose feet are planted.
static er_motion *stand(const er_model *model, const er_gait_body *body, const er_preset *preset)
{
    er_modes *modes = modes_of(model);
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_hold hold[4];
    er_motion_def def = er_default_motion_def();
    def.plant_count = body->foot_count;
    def.plant = hold;
    for (int i = 0; i < body->foot_count; ++i)
        hold[i] = (er_hold){body->foot[i].body, !body->foot[i].flat, body->foot[i].heel};
    ok(er_preset_mix(context, model, NULL, modes, NULL, preset, &mix));
    ok(er_motion_create(context, model, modes, mix, &def, &motion));
    er_mix_destroy(mix);
    return motion;
}

// Where feet stay, the trunk goes as far as is asked, and nothing much farther, whatever a mode does that floats.
static void what_stands_goes_as_it_is_told_too(void **state)
{
    for (int four = 0; four < 2; ++four) {
        er_model *model = four ? make_quadruped(usual) : make_biped(usual);
        const er_preset sway = {"sway", 4.0, "feet", "trunk:side:3@1"};
        er_gait_body *body = read_body(model, NULL);
        er_motion *motion = stand(model, body, &sway);
        double asked = 0.03 * fmax(body->height, 0.5 * model->size), trunk = 0.0, all = 0.0;
        for (int i = 0; i < TIMES; ++i) {
            er_pose pose[MOST_BODIES];
            ok(er_motion_poses(motion, 1, &(double){motion->duration * i / TIMES}, NULL, pose));
            for (int b = 0; b < model->body_count; ++b) {
                const er_body *at = &model->body[b];
                er_vec3 went = er_v3_sub(er_pose_point(pose[b], at->com), er_pose_point(at->pose, at->com));
                all = fmax(all, er_v3_norm(went));
                if (strcmp(at->name, "chest") == 0 || strcmp(at->name, "hips") == 0) trunk = fmax(trunk, fabs(went.x));
            }
        }
        measure_at_most("way of a trunk on its feet, over what was asked", trunk / asked, 1.1);
        measure_at_most("farthest of all, over what was asked", all / asked, 3.3);
        assert_true(trunk > 0.5 * asked);
        er_motion_destroy(motion);
    }
}

// Cycles, phases, which way first, another mode for each wish, the most of a mode, and time by the height.
static void words_say_when_and_how_much(void **state)
{
    er_model *model = make_quadruped(usual);
    er_modes *modes = modes_of(model);
    er_gait_body *body = NULL;
    er_mix *mix = NULL;
    body = read_body(model, NULL);
    const er_preset two = {"two", 4.0, "none", "head:side:3@1+30,head:side:3@5-170,trunk:any:100@2"};
    ok(er_preset_mix(context, model, NULL, modes, NULL, &two, &mix));
    assert_string_equal(mix->name, "two");
    assert_non_null(mix->component->shape);
    const er_mix_component *v = mix->component;
    int first[4] = {0}, wishes = 0;
    double most[3] = {0};
    for (int i = 0; i < mix->component_count; ++i) {
        if (i == 0 || v[i].harmonic != v[i - 1].harmonic) first[wishes++] = i;
        assert_true(wishes <= 3);
        most[wishes - 1] = fmax(most[wishes - 1], v[i].degrees);
    }
    first[wishes] = mix->component_count;
    assert_int_equal(wishes, 3);
    for (int i = 0; i < 3; ++i)
        expect_in_step(mix, first[i], first[i + 1] - first[i]);
    assert_true(v[0].harmonic == 1 && v[first[1]].harmonic == 5 && v[first[2]].harmonic == 2);
    assert_int_not_equal(v[0].mode, v[first[1]].mode);
    assert_true(most[0] < ER_PRESET_MOST_DEGREES && most[2] == ER_PRESET_MOST_DEGREES);
    measure_at_most("cycle", fabs(mix->cycle / (4.0 * sqrt(body->height / 1.7)) - 1.0), 1e-12); // of 0.6 to 4.6 m
    er_mix_destroy(mix);
    for (int i = 0; i < 4; ++i) { // to the left or up first, or half a cycle later
        static const char *const moves[] = {"head:side:3@1", "head:side:3@1+180", "head:up:3@1", "head:up:3@1+180"};
        const er_preset one = {"one", 4.0, "none", moves[i]};
        ok(er_preset_mix(context, model, NULL, modes, NULL, &one, &mix));
        double phase = remainder(mix->component->phase, 2.0 * ER_PI);
        int head = body_named(model, "head"), chest = body_named(model, "chest");
        er_motion *motion = NULL;
        er_pose rest[MOST_BODIES], pose[MOST_BODIES];
        assert_true(fabs(phase) < 1e-9 || fabs(fabs(phase) - ER_PI) < 1e-9);
        for (int k = 0; k < model->body_count; ++k)
            rest[k] = model->body[k].pose;
        ok(er_motion_create(context, model, modes, mix, NULL, &motion));
        ok(er_motion_poses(motion, 1, &(double){0.05 * mix->cycle}, NULL, pose));
        er_vec3 d = er_v3_sub(place_of(model, pose, head, chest), place_of(model, rest, head, chest));
        assert_true((i < 2 ? d.x : d.y) * (i % 2 == 0 ? 1.0 : -1.0) > 0.0); // walkers' left is +X
        er_motion_destroy(motion);
        er_mix_destroy(mix);
    }
}

static bool is_tail(const er_model *model, int body)
{
    return strncmp(model->body[body].name, "tail", 4) == 0;
}

// Wagging moves the tail: it has the most motion, and nothing else goes half as far. Long tails of many bodies, stiff
// ones of one, on small bodies and large: no single mode does that.
static void a_tail_wags_and_the_rest_is_still(void **state)
{
    for (int i = 0; i < 6; ++i) {
        const walker_def def = {.scale = i % 2 == 0 ? 1.0 : 0.3, .mirror = 1.0, .heavy = 1.0, .tail = 1 + i};
        er_model *model = make_quadruped(def);
        er_pose pose[MOST_BODIES];
        double energy[2] = {0}, far[2] = {0};
        er_motion *motion = stand(model, read_body(model, NULL), er_preset_named("wag"));
        for (int k = 0; k < TIMES; ++k) {
            ok(er_motion_poses(motion, 1, &(double){motion->duration * k / TIMES}, NULL, pose));
            for (int b = 0; b < model->body_count; ++b) {
                const er_body *at = &model->body[b];
                double went = er_v3_distance(er_pose_point(pose[b], at->com), er_pose_point(at->pose, at->com));
                energy[is_tail(model, b)] += at->mass * went * went;
                far[is_tail(model, b)] = fmax(far[is_tail(model, b)], went);
            }
        }
        measure_at_most("rest over tail, by mass and way squared", energy[0] / energy[1],
                        1.0); // 1.4 of one mode
        measure_at_most("rest over tail, by way", far[0] / far[1], 0.5);
        assert_true(far[1] > 0.03 * model->size);
        er_motion_destroy(motion);
    }
}

static void presets_have_names_and_suit_any_body(void **state)
{
    static const char *const names[] = {"idle", "breathe", "sway", "nervous"};
    for (int four = 0; four < 2; ++four) {
        er_model *model = four ? make_quadruped(usual) : make_biped(usual);
        er_modes *modes = modes_of(model);
        for (int i = 0; i < 4; ++i) {
            er_mix *mix = NULL;
            ok(er_preset_mix(context, model, NULL, modes, NULL, er_preset_named(names[i]), &mix));
            for (int v = 0; v < mix->component_count; ++v)
                assert_true(mix->component[v].degrees > 0.0 && mix->component[v].degrees <= 20.0 &&
                            mix->component[v].harmonic >= 1);
            er_mix_destroy(mix);
        }
    }
    // people at rest breathe 12 to 20 times a minute; a dog wags once or twice a second; what idles takes its time
    static const struct {
        const char *name;
        double least, most; // s
    } times[] = {{"idle", 5, 10}, {"breathe", 3, 5}, {"wag", 1, 2}, {"sway", 2, 6}, {"nervous", 2, 5}};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        const er_preset *preset = er_preset_named(times[i].name);
        assert_true(preset != NULL && preset->seconds >= times[i].least && preset->seconds <= times[i].most);
        assert_string_equal(preset->name, times[i].name);
        assert_string_equal(preset->plant, "feet");
    }
    assert_true(er_preset_named("Idle") != NULL && er_preset_named("Idle") == er_preset_named("idle"));
    assert_null(er_preset_named("nothing"));
    assert_null(er_preset_named(NULL));
}

// --- presets in time

// The height of the centre of mass at a frame.
static double centre_height(const er_gait_motion *m, int frame)
{
    double sum = 0.0, mass = 0.0;
    for (int b = 0; b < m->model->body_count; ++b) {
        const er_body *body = &m->model->body[b];
        sum += body->mass * er_pose_point(m->pose[frame * m->model->body_count + b], body->com).y;
        mass += body->mass;
    }
    return sum / mass;
}

// Feet that stand stay where they are, and no sole goes below the ground.
static void expect_planted(const er_gait_motion *m, const er_gait_body *body)
{
    double off = 0.0;
    for (int i = 0; i < m->frame_count; ++i)
        for (int f = 0; f < body->foot_count; ++f) {
            const er_gait_foot *foot = &body->foot[f];
            er_vec3 rest = er_pose_point(m->model->body[foot->body].pose, foot->heel),
                    now = er_pose_point(m->pose[i * m->model->body_count + foot->body], foot->heel);
            if (!foot->flat) now.y = rest.y; // it rolls
            if (m->stands[i * body->foot_count + f]) off = fmax(off, er_v3_distance(rest, now));
        }
    measure_at_most("standing feet off their place, over the leg", off / body->leg, 0.004);
    assert_true(m->sink < 0.004 * body->leg && m->slide <= off + 1e-9);
}

static er_gait_motion *perform(const er_model *model, const er_preset *preset, er_preset_part *part, int *count)
{
    er_gait_motion *motion = NULL;
    ok(er_preset_move(context, model, NULL, modes_of(model), NULL, preset, 60.0, &motion));
    ok(er_preset_measure(context, model, NULL, NULL, preset, motion->frame_count, motion->pose, part, count));
    return motion;
}

// All that can be performed is, as far as is asked, over feet that stay; what should repeat does.
static void bodies_crouch_over_their_feet(void **state)
{
    static const char *const names[] = {"squash",    "jump",        "land", "sit",  "hit",
                                        "turn_head", "look_around", "nod",  "shake"};
    for (int four = 0; four < 2; ++four)
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
            er_model *model = four ? make_quadruped(usual) : make_biped(usual);
            er_gait_body *body = read_body(model, NULL);
            er_preset_part part[ER_PRESET_MOST_MOVES];
            int count;
            er_gait_motion *m = perform(model, er_preset_named(names[i]), part, &count);
            assert_true(count >= 1 && er_preset_is_timed(er_preset_named(names[i])));
            expect_planted(m, body);
            for (int k = 0; k < count; ++k) {
                bool whole = strcmp(part[k].part, "body") == 0;
                if (whole && strcmp(part[k].way, "up") == 0)
                    assert_true(part[k].asked < 0.0 && part[k].reached < 0.3 * part[k].asked);
                assert_true((part[k].why == NULL) == (fabs(part[k].reached) >= 0.9 * fabs(part[k].asked)));
            }
            bool stays = strcmp(names[i], "sit") == 0 || strcmp(names[i], "land") == 0;
            assert_int_equal(m->once, stays);
            er_gait_motion_destroy(m);
        }
}

// The largest difference of the acceleration of the centre of mass in flight from gravity, over gravity.
static double off_gravity(const er_gait_motion *m, double gravity)
{
    double step = m->time[1], worst = 0.0;
    int flying = 0;
    for (int i = 1; i + 1 < m->frame_count; ++i) {
        if (m->stands[(i - 1) * m->foot_count] || m->stands[(i + 1) * m->foot_count]) continue;
        double second = centre_height(m, i + 1) - 2.0 * centre_height(m, i) + centre_height(m, i - 1);
        worst = fmax(worst, fabs(second / (step * step) / gravity + 1.0));
        ++flying;
    }
    assert_true(flying > 10);
    return worst;
}

// In flight the centre of mass falls freely, leaves and lands with the speed of the flight, and nothing stands.
static void jumps_are_ballistic(void **state)
{
    const er_preset jump = {"leap", 1.8, "feet", "body:jump:14@0.35/14@0.55,body:up:-12@0.35/-10@0.55/0@1"};
    er_model *model = make_biped(usual);
    er_gait_body *body = read_body(model, NULL);
    er_preset_part part[ER_PRESET_MOST_MOVES];
    er_gait_motion *m = NULL;
    int count;
    double rest = 0.0, top = 0.0, fastest = 0.0;
    ok(er_preset_move(context, model, NULL, modes_of(model), NULL, &jump, 240.0, &m));
    ok(er_preset_measure(context, model, NULL, NULL, &jump, m->frame_count, m->pose, part, &count));
    rest = centre_height(m, 0);
    double step = m->time[1];
    for (int i = 1; i + 1 < m->frame_count; ++i) {
        double before = centre_height(m, i - 1), now = centre_height(m, i), after = centre_height(m, i + 1);
        top = fmax(top, now - rest);
        fastest = fmax(fastest, fabs(after - 2.0 * now + before) / step);
    }
    measure_at_most("acceleration in flight, off gravity", off_gravity(m, body->gravity), 1e-3);
    measure_at_most("height of the jump, off what was asked", fabs(top / (0.14 * body->height) - 1.0), 1e-3);
    measure_at_most("largest change of speed between frames, over the speed of the flight",
                    fastest / sqrt(2.0 * body->gravity * top), 0.15);
    assert_true(fabs(part[0].reached - 14.0) < 0.05 && part[0].why == NULL);
    er_gait_motion_destroy(m);
}

// A toy: a head as heavy as the rest, on a trunk that turns at the waist, on straight legs with knees or without.
static er_model *make_toy(bool knees)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.4, 0), er_v3(-0.2, 0.35, -0.1), er_v3(0.2, 0.5, 0.1), 1.0);
    int chest = walker_box(&m, "chest", hips, er_v3(0, 0.5, 0), er_v3(-0.2, 0.5, -0.1), er_v3(0.2, 0.8, 0.1), 1.0);
    walker_box(&m, "head", chest, er_v3(0, 0.8, 0), er_v3(-0.3, 0.8, -0.25), er_v3(0.3, 1.3, 0.25), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        char name[3][16];
        static const char *const parts[] = {"thigh", "shin", "foot"};
        double x = 0.1 * s;
        for (int i = 0; i < 3; ++i)
            snprintf(name[i], sizeof name[i], "%s_%s", s > 0 ? "left" : "right", parts[i]);
        if (!knees) {
            walker_box(&m, name[2], hips, er_v3(x, 0.35, 0), er_v3(x - 0.05, 0, -0.06), er_v3(x + 0.05, 0.35, 0.1), 1);
            continue;
        }
        int thigh = walker_rod(&m, name[0], hips, er_v3(x, 0.35, 0), er_v3(x, 0.2, 0));
        int shin = walker_rod(&m, name[1], thigh, er_v3(x, 0.2, 0), er_v3(x, 0.05, 0));
        walker_box(&m, name[2], shin, er_v3(x, 0.05, 0), er_v3(x - 0.05, 0, -0.06), er_v3(x + 0.05, 0.05, 0.14), 1.0);
    }
    return walker_finish(&m);
}

// Straight legs crouch and jump under a head that nods far; legs without a knee hop, and the report says why.
static void straight_legs_jump(void **state)
{
    for (int k = 0; k < 2; ++k) {
        er_model *model = make_toy(k == 0);
        er_gait_body *body = read_body(model, NULL);
        er_preset_part part[ER_PRESET_MOST_MOVES];
        int count;
        er_gait_motion *m = perform(model, er_preset_named("jump"), part, &count);
        double gravity = off_gravity(m, body->gravity);
        measure_at_most("acceleration of a toy in flight, off gravity", gravity, 0.01);
        if (k == 0) expect_planted(m, body);
        assert_string_equal(part[0].way, "jump");
        assert_string_equal(part[1].way, "up");
        assert_true(fabs(part[0].reached - part[0].asked) < 0.2);
        assert_true(k == 0 ? part[1].reached < -5.0 : part[1].reached > -4.0 && part[1].why != NULL);
        er_gait_motion_destroy(m);
    }
}

// Presets say the reason for what a rig cannot do.
static void a_rig_says_what_it_cannot_do(void **state)
{
    const er_preset deep = {"deep", 1.0, "feet", "body:up:-80@0.5/0@1,tail:side:5@0.5/0@1"};
    er_model *model = make_biped(usual);
    er_preset_part part[ER_PRESET_MOST_MOVES];
    int count;
    er_gait_motion *m = perform(model, &deep, part, &count), *none = (er_gait_motion *)&deep;
    assert_int_equal(count, 2);
    assert_true(part[0].asked == -80.0 && part[0].reached > -70.0 && part[0].reached < -5.0 && part[0].why != NULL);
    assert_true(part[1].reached > -4.0 && part[1].why != NULL);
    expect_planted(m, read_body(model, NULL));
    er_gait_motion_destroy(m);
    static const char *const bad[] = {"head:turn:40@0.3/0@0.2", "head:jump:4@0.3/4@0.5", "body:up:-4@1.5/0@2",
                                      "tail:turn:4@0.5/0@1",    "body:up:-4@0.5/0@1,",   "body:jump:4@0.3/4@0.5",
                                      "body:up:0@0.5/0@1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        const er_preset wrong = {"wrong", 1.0, "feet", bad[i]};
        assert_int_equal(er_preset_move(context, model, NULL, modes_of(model), NULL, &wrong, 60.0, &none),
                         ER_ERROR_ARGUMENT);
        assert_null(none);
    }
}

static er_result try_preset(const er_model *model, const er_modes *modes, double seconds, const char *moves,
                            er_mix **out)
{
    const er_preset preset = {"try", seconds, "none", moves};
    *out = (er_mix *)&preset; // not NULL
    return er_preset_mix(context, model, NULL, modes, NULL, &preset, out);
}

// Parts that are there can be moved, others are said to be lacking: tails, arms and wings by names, the head where it
// is.
static void bodies_have_the_parts_that_they_were_made_of(void **state)
{
    static const char *const parts[] = {"trunk", "head", "tail", "arms", "legs", "wings"};
    static const bool known[][6] = {{true, true, false, true, true, false},    // biped
                                    {true, true, false, false, true, false},   // quadruped
                                    {true, true, true, false, true, false},    // with a tail
                                    {true, true, false, false, true, true},    // bird with legs
                                    {true, true, true, false, false, false},   // fish
                                    {true, false, false, false, true, false}}; // stool
    for (int k = 0; k < (int)(sizeof known / sizeof known[0]); ++k) {
        walker_def def = usual;
        def.tail = k == 2 ? 2 : 0;
        er_model *model = k == 0   ? make_biped(usual)
                          : k < 3  ? make_quadruped(def)
                          : k == 3 ? make_bird(true)
                          : k == 4 ? make_fish(8)
                                   : make_stool();
        er_modes *modes = modes_of(model);
        for (int i = 0; i < 6; ++i) {
            char moves[40], lacking[40];
            er_mix *mix;
            snprintf(moves, sizeof moves, "%s:any:3", parts[i]);
            snprintf(lacking, sizeof lacking, "%s", parts[i]);
            er_result r = try_preset(model, modes, 4.0, moves, &mix);
            if (!known[k][i])
                refused(r, ER_ERROR_RIG, &mix, lacking);
            else if (r != ER_OK) // it is there
                refused(r, ER_ERROR_RIG, &mix, parts[i]);
            if (r == ER_OK) er_mix_destroy(mix);
        }
    }
}

// A row of rods has a tail, unless some name tells of limbs: a hand has none.
static void what_has_limbs_by_name_is_no_fish(void **state)
{
    static const char *const limbs[] = {"foot", "toe", "shin", "upperarm", "palm", "thumb"}, *const none[] = {
                                                                                                 "part", "fin",
                                                                                                 "hair", "hind",
                                                                                                 "jaw",  "ankle"};
    for (int k = 0; k < 12; ++k) {
        static walker_maker m;
        er_mix *mix;
        m = (walker_maker){.def = usual};
        for (int i = 0; i < 7; ++i) {
            double z = -0.15 * i, thick = 0.1 - 0.01 * i;
            walker_box(&m,
                       i != 3  ? "part"
                       : k < 6 ? limbs[k]
                               : none[k - 6],
                       i - 1, er_v3(0, 0, z), er_v3(-thick, -thick, z - 0.15), er_v3(thick, thick, z), 1.0);
        }
        er_model *model = walker_finish(&m);
        er_modes *modes = modes_of(model);
        er_result r = try_preset(model, modes, 1.0, "tail:any:3", &mix);
        if (k < 6) {
            refused(r, ER_ERROR_RIG, &mix, "tail");
        } else {
            ok(r);
            er_mix_destroy(mix);
        }
    }
}

// The cycle is that of a body of 1.7 m: of small bodies shorter, of large ones longer, within bounds.
static void small_bodies_are_quick(void **state)
{
    static const struct {
        double scale, cycle;
    } rows[] = {{1.0, 1.0}, {0.5, 0.70710678118654752}, {0.2, 0.6}, {2.0, 1.4142135623730951}, {3.0, 1.6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        walker_def def = usual;
        def.scale = rows[i].scale;
        er_model *model = make_biped(def);
        er_modes *modes = modes_of(model);
        er_mix *mix;
        ok(try_preset(model, modes, 3.0, "trunk:side:1", &mix));
        assert_true(fabs(mix->cycle / (3.0 * rows[i].cycle) - 1.0) < 1e-9 && mix->size == model->size);
        er_mix_destroy(mix);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    er_model *model = make_biped(usual);
    er_modes *modes = modes_of(model);
    er_mix *mix;
    static const char *const wrong[] = {"",
                                        "trunk",
                                        "trunk:side",
                                        "trunk:side:x",
                                        "tusk:side:3",
                                        "trun:side:3",
                                        "trunks:side:3",
                                        "trunk:down:3",
                                        "trunk:side:3@0",
                                        "trunk:side:3@1.5",
                                        "trunk:side:3@1001",
                                        "trunk:side:3@",
                                        "trunk:side:3+",
                                        "trunk:side:3+1000001",
                                        "trunk:side:3-1000001",
                                        "trunk:side:3+90+90",
                                        "trunk:side:3;",
                                        "trunk:side:-1",
                                        "trunk:side:nan",
                                        "trunk:side:3,",
                                        ",trunk:side:3",
                                        "trunk:side:101"};
    static const char *const right[] = {"trunk:side:3@1000", "trunk:side:3-1000000", " trunk:side:3 , trunk:up:3 ",
                                        "trunk:side:100"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        refused(try_preset(model, modes, 4.0, wrong[i], &mix), ER_ERROR_ARGUMENT, &mix, "preset");
    for (size_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        ok(try_preset(model, modes, 4.0, right[i], &mix));
        er_mix_destroy(mix);
    }
    char many[33 * 13 + 1] = "";
    for (int i = 0; i < 33; ++i) {
        strcat(many, i > 0 ? ",head:side:0" : "trunk:side:1");
        if (i == 31) {
            ok(try_preset(model, modes, 4.0, many, &mix));
            er_mix_destroy(mix);
        }
    }
    refused(try_preset(model, modes, 4.0, many, &mix), ER_ERROR_ARGUMENT, &mix, "32");
    refused(try_preset(model, modes, 4.0, "tail:side:3", &mix), ER_ERROR_RIG, &mix, "tail");
    static const double seconds[] = {0.0, -1.0, 600.1, NAN};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; ++i)
        refused(try_preset(model, modes, seconds[i], "trunk:side:3", &mix), ER_ERROR_ARGUMENT, &mix, "600");
    ok(try_preset(model, modes, 600.0, "trunk:side:3", &mix));
    er_mix_destroy(mix);
    refused(try_preset(model, modes, 4.0, NULL, &mix), ER_ERROR_ARGUMENT, &mix, "what it moves");
    refused(try_preset(NULL, modes, 4.0, "trunk:side:3", &mix), ER_ERROR_ARGUMENT, &mix, "needs a model");
    refused(try_preset(model, NULL, 4.0, "trunk:side:3", &mix), ER_ERROR_ARGUMENT, &mix, "needs a model");
    refused(er_preset_mix(context, model, NULL, modes, NULL, NULL, &mix), ER_ERROR_ARGUMENT, &mix, "needs a model");
    const er_preset nameless = {NULL, 4.0, "none", "trunk:side:3"}, sway = {"sway", 4.0, NULL, "trunk:side:3"};
    refused(er_preset_mix(context, model, NULL, modes, NULL, &nameless, &mix), ER_ERROR_ARGUMENT, &mix, "a name");
    assert_int_equal(er_preset_mix(context, model, NULL, modes, NULL, &sway, NULL), ER_ERROR_ARGUMENT);
    mix = (er_mix *)&sway;
    assert_int_equal(er_preset_mix(NULL, model, NULL, modes, NULL, &sway, &mix), ER_ERROR_ARGUMENT);
    assert_null(mix);
    ok(er_preset_mix(context, model, NULL, modes, NULL, &sway, &mix)); // who says nothing plants feet
    const er_preset planted = {"sway", 4.0, "feet", "trunk:side:3"};
    er_mix *same;
    ok(er_preset_mix(context, model, NULL, modes, NULL, &planted, &same));
    assert_true(mix->component_count == same->component_count);
    for (int i = 0; i < mix->component_count; ++i)
        assert_true(mix->component[i].mode == same->component[i].mode &&
                    mix->component[i].degrees == same->component[i].degrees);
    er_mix_destroy(mix);
    er_mix_destroy(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_goes_as_it_is_told_too),
        cmocka_unit_test(a_tail_wags_and_the_rest_is_still),
        cmocka_unit_test(words_say_when_and_how_much),
        cmocka_unit_test(presets_have_names_and_suit_any_body),
        cmocka_unit_test(bodies_crouch_over_their_feet),
        cmocka_unit_test(jumps_are_ballistic),
        cmocka_unit_test(straight_legs_jump),
        cmocka_unit_test(a_rig_says_what_it_cannot_do),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(bodies_have_the_parts_that_they_were_made_of),
        cmocka_unit_test(small_bodies_are_quick),
        cmocka_unit_test(what_has_limbs_by_name_is_no_fish),
    };
    return cmocka_run_group_tests_name("preset", tests, set_up, tear_down);
}
