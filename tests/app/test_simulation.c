// A model let go from the mix on screen, judged by mechanics that are known without the world: falls, momenta, modes.
#include "app/session/simulation.h"

#include <stdio.h>
#include <string.h>

#include "app/project/outputs.h"
#include "app/project/project_simulate.h"
#include "base/arena.h"
#include "base/platform.h"
#include "stand.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

enum { MOST_BODIES = 64 };

static double mass_of(const er_model *model)
{
    double sum = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        sum += model->body[b].mass;
    return sum;
}

static er_vec3 mass_centre(const er_model *model, const er_pose *pose)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int b = 0; b < model->body_count; ++b)
        sum = er_v3_madd(sum, model->body[b].mass, er_pose_point(pose[b], model->body[b].com));
    return er_v3_scale(1.0 / mass_of(model), sum);
}

static simulation *begin(session *s, double gravity, const bool *held, bool follow, double time)
{
    simulation *sim = NULL;
    simulation_def def = simulation_default_def();
    def.gravity = gravity;
    def.held = held;
    def.follow = follow;
    stand_ok(context, simulation_create(s, &def, time, &sim));
    return sim;
}

static void play(simulation *sim, double seconds)
{
    assert_true(fabs(simulation_play(sim, seconds, HUGE_VAL) - seconds) < 1e-12);
    assert_string_equal(simulation_error(sim), "");
}

// A session of a mode at an amplitude.
static session *open_swinging(const char *file, double degrees)
{
    session *s = stand_open(context, file);
    stand_ok(context, session_play(s, stand_first_elastic(s)));
    session_setup setup = *session_get(s);
    setup.component[0].degrees = degrees;
    stand_ok(context, session_set(s, &setup, true));
    return s;
}

// The mix's reach: the furthest from rest in its cycle.
static double reach_of(session *s)
{
    er_pose rest[MOST_BODIES], mix[MOST_BODIES];
    double most = 0.0;
    for (int b = 0; b < session_model(s)->body_count; ++b)
        rest[b] = session_model(s)->body[b].pose;
    for (int k = 0; k < 16; ++k) {
        stand_ok(context, session_pose(s, k / 16.0 * session_cycle(s), mix));
        most = fmax(most, stand_apart(session_model(s), rest, mix));
    }
    return most;
}

// Without gravity a small swing goes on as its mode does: position and velocity were taken over. A loop has whole
// frames, so its frequency, in the velocity and later, is off by a known part.
static void a_mode_goes_on_as_it_swung(void **state)
{
    static const char *const files[] = {"chain_20.json", "loop_8_asymmetric.json"};
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        session *s = open_swinging(files[i], 1.0);
        double cycle = session_cycle(s), time = 0.1 * cycle, reach = reach_of(s);
        double off = fabs(1.0 / (cycle * session_mode(s, stand_first_elastic(s))->frequency_hz) - 1.0);
        simulation *sim = begin(s, 0.0, NULL, false, time);
        er_pose mix[MOST_BODIES];
        for (int k = 0; k < 5; ++k) {
            stand_ok(context, session_pose(s, time + simulation_time(sim), mix));
            double away = stand_apart(session_model(s), simulation_pose(sim), mix) / reach;
            double known = off * (1.0 + 2.0 * ER_PI * simulation_time(sim) / cycle);
            measure_at_most("a swing against its mix, beside that", away - known, 5e-3);
            play(sim, ceil(0.25 * cycle * SIMULATION_FPS) / SIMULATION_FPS); // to a frame
        }
        simulation_destroy(sim);
        session_destroy(s);
    }
}

static void in_silence_it_begins_at_rest(void **state)
{
    session *s = stand_open(context, "chain_20.json");
    simulation *sim = begin(s, 0.0, NULL, false, 0.3);
    er_pose rest[MOST_BODIES];
    stand_ok(context, session_pose(s, 0.3, rest));
    play(sim, 0.5);
    assert_true(stand_apart(session_model(s), simulation_pose(sim), rest) < 1e-9);
    simulation_destroy(sim);
    session_destroy(s);
}

// The mass centre of what nothing holds falls as a stone, thrown as the mix had it, whatever its joints do.
static void a_free_rig_falls_as_a_stone(void **state)
{
    session *s = open_swinging("hand.glb", 20.0);
    const er_model *model = session_model(s);
    simulation *sim = begin(s, 9.81, NULL, false, 0.2);
    er_vec3 at[3];
    double half = 0.25;
    for (int k = 0; k < 3; ++k) {
        at[k] = mass_centre(model, simulation_pose(sim));
        play(sim, half);
    }
    er_vec3 bend = er_v3_scale(1.0 / (half * half), er_v3_add(er_v3_sub(at[2], at[1]), er_v3_sub(at[0], at[1])));
    er_vec3 up = session_rig(s)->scene->up;
    measure_at_most("fall against g", er_v3_norm(er_v3_madd(bend, 9.81, up)) / 9.81, 1e-4);
    simulation_destroy(sim);
    session_destroy(s);
}

static void held_bodies_stay_or_follow_the_mix(void **state)
{
    session *s = open_swinging("chain_20.json", 20.0);
    stand_ok(context, session_play(s, stand_first_elastic(s) + 3)); // of a shorter cycle
    bool held[MOST_BODIES] = {[0] = true, [1] = true};
    double begun = 0.15 * session_cycle(s);
    er_pose mix[MOST_BODIES];
    for (int follow = 0; follow < 2; ++follow) {
        simulation *sim = begin(s, 9.81, held, follow, begun);
        for (int k = 0; k < 4; ++k) {
            double time = begun + (follow ? simulation_time(sim) : 0.0);
            stand_ok(context, session_pose(s, time, mix));
            for (int b = 0; b < 2; ++b) {
                measure_at_most("held bodies, m", er_v3_distance(simulation_pose(sim)[b].p, mix[b].p), 1e-5);
                measure_at_most("held bodies, 1 - cos", 1.0 - fabs(er_q_dot(simulation_pose(sim)[b].q, mix[b].q)),
                                1e-6); // splines between 60 poses a second
            }
            play(sim, 0.3 * session_cycle(s)); // past the end of the cycle
        }
        stand_ok(context, session_pose(s, begun + simulation_time(sim), mix));
        assert_true(stand_apart(session_model(s), simulation_pose(sim), mix) > 0.05); // the others fall
        simulation_destroy(sim);
    }
    session_destroy(s);
}

// Nothing of what the user made is touched.
static void setup_and_undo_stay_as_they_are(void **state)
{
    session *s = open_swinging("chain_20.json", 20.0);
    session_setup before = *session_get(s);
    stand_modes kept = stand_keep(s);
    er_pose pose[MOST_BODIES], again[MOST_BODIES];
    stand_ok(context, session_pose(s, 0.4, pose));
    simulation *sim = begin(s, 9.81, NULL, false, 0.4);
    simulation_pull(sim, 10, er_v3(0, 0, 0), er_v3(1, 1, 1));
    play(sim, 0.5);
    simulation_destroy(sim);
    assert_memory_equal(&before, session_get(s), sizeof before);
    stand_expect(s, &kept);
    stand_ok(context, session_pose(s, 0.4, again));
    assert_memory_equal(pose, again, (size_t)session_model(s)->body_count * sizeof *pose);
    assert_false(session_can_redo(s));
    stand_free(&kept);
    session_destroy(s);
}

// A pulled body follows. After its release the momentum of a free rig is conserved.
static void what_is_pulled_comes_and_is_thrown(void **state)
{
    session *s = stand_open(context, "hand.glb");
    const er_model *model = session_model(s);
    simulation *sim = begin(s, 0.0, NULL, false, 0.0);
    enum { BODY = 6 };
    er_vec3 point = model->body[BODY].com, grip = er_pose_point(simulation_pose(sim)[BODY], point), from, to;
    er_vec3 goal = er_v3_add(grip, er_v3(0.3 * model->size, 0, 0)), began = mass_centre(model, simulation_pose(sim));
    for (int k = 0; k < 90; ++k) {
        simulation_pull(sim, BODY, point, goal);
        play(sim, 1.0 / SIMULATION_FPS);
    }
    assert_true(simulation_get_pull(sim, &from, &to));
    measure_at_most("a point pulled, of the way", er_v3_distance(from, goal) / er_v3_distance(grip, goal), 0.4);
    simulation_release(sim);
    assert_false(simulation_get_pull(sim, &from, &to));
    er_vec3 at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = mass_centre(model, simulation_pose(sim));
        play(sim, 0.2);
    }
    assert_true(er_v3_sub(at[0], began).x > 0.1 * model->size);
    double bend = er_v3_norm(er_v3_add(er_v3_sub(at[2], at[1]), er_v3_sub(at[0], at[1])));
    measure_at_most("a thrown rig, bend over way", bend / er_v3_distance(at[0], at[2]), 1e-3);
    simulation_destroy(sim);
    session_destroy(s);
}

// The recording is shown again, to the bit on frames.
static void what_is_recorded_is_shown_again(void **state)
{
    session *s = open_swinging("chain_20.json", 20.0);
    size_t size = (size_t)session_model(s)->body_count * sizeof(er_pose);
    simulation *sim = begin(s, 9.81, NULL, false, 0.0);
    er_pose kept[10][MOST_BODIES];
    for (int k = 0; k < 10; ++k) {
        memcpy(kept[k], simulation_pose(sim), size);
        play(sim, 3.0 / SIMULATION_FPS);
    }
    double length = simulation_length(sim);
    for (int k = 9; k >= 0; k -= 2) {
        simulation_show(sim, 3.0 * k / SIMULATION_FPS);
        measure_at_most("a frame shown again", stand_apart(session_model(s), simulation_pose(sim), kept[k]), 1e-12);
    }
    simulation_show(sim, -5.0);
    assert_true(simulation_time(sim) == 0.0);
    simulation_show(sim, 1e9);
    assert_true(simulation_time(sim) == length && simulation_length(sim) == length);
    simulation_destroy(sim);
    session_destroy(s);
}

// A rig whose mass centre falls with less gravity, stiffer springs, and a body more that is held, all while it moves.
static void settings_change_while_it_moves(void **state)
{
    session *s = stand_open(context, "hand.glb");
    const er_model *model = session_model(s);
    simulation *sim = begin(s, 9.81, NULL, false, 0.0);
    simulation_def def = simulation_default_def();
    play(sim, 0.2);
    def.gravity = 0.0;
    stand_ok(context, simulation_change(sim, s, &def));
    play(sim, 2.0 / SIMULATION_FPS); // shown frames are all of the new world
    er_vec3 at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = mass_centre(model, simulation_pose(sim));
        play(sim, 0.1);
    }
    double bend = er_v3_norm(er_v3_add(er_v3_sub(at[2], at[1]), er_v3_sub(at[0], at[1])));
    measure_at_most("flight without gravity, bend over way", bend / er_v3_distance(at[0], at[2]), 1e-3);
    bool held[MOST_BODIES] = {[3] = true};
    def.held = held;
    stand_ok(context, simulation_change(sim, s, &def));
    play(sim, 1.0 / SIMULATION_FPS);
    er_pose there = simulation_pose(sim)[3];
    play(sim, 0.3);
    assert_true(er_v3_distance(there.p, simulation_pose(sim)[3].p) < 1e-12 * model->size);
    session_setup setup = *session_get(s);
    setup.root = ER_ROOT_FIXED; // a joint more
    stand_ok(context, session_set(s, &setup, true));
    assert_int_equal(simulation_change(sim, s, &def), ER_ERROR_ARGUMENT);
    play(sim, 0.1); // it goes on as it was
    simulation_destroy(sim);
    session_destroy(s);
}

// The frames from the end of a swing until the springs are slack, and tight again.
static int frames_of_half_a_swing(session *s)
{
    simulation *sim = begin(s, 0.0, NULL, false, 0.25 * session_cycle(s));
    double energy[3] = {simulation_energy(sim).elastic};
    int frames = 0;
    do {
        energy[2] = energy[1];
        energy[1] = energy[0];
        play(sim, 1.0 / SIMULATION_FPS);
        energy[0] = simulation_energy(sim).elastic;
    } while (++frames < 3 || energy[1] < energy[0] || energy[1] < energy[2]);
    simulation_destroy(sim);
    return frames - 1;
}

static void springs_are_those_of_the_tuning(void **state)
{
    session *s = open_swinging("four_bar.json", 2.0);
    session_setup setup = *session_get(s);
    for (int k = 0; k < 2; ++k) {
        setup.stiffness.hz *= k == 0 ? 0.3 : 0.5;
        stand_ok(context, session_set(s, &setup, true));
        double half = 0.5 * SIMULATION_FPS / session_mode(s, stand_first_elastic(s))->frequency_hz;
        measure_at_most("half a swing, frames from the mode's", fabs(frames_of_half_a_swing(s) - half), 1.0);
    }
    session_destroy(s);
}

static void a_failure_is_one_sentence_and_keeps_what_there_is(void **state)
{
    session *s = open_swinging("chain_20.json", 20.0);
    simulation *sim = begin(s, 9.81, NULL, false, 0.0);
    play(sim, 0.5);
    double length = simulation_length(sim);
    simulation_pull(sim, 10, er_v3(0, 0, 0), er_v3(1e200, 0, 0)); // out of the range of numbers
    assert_true(simulation_play(sim, 1.0, HUGE_VAL) < 0.5);
    assert_true(simulation_is_over(sim));
    const char *said = simulation_error(sim);
    assert_true(strlen(said) > 20 && strchr(said, '\n') == NULL);
    assert_string_equal(simulation_error(sim), "");
    assert_true(simulation_length(sim) >= length);
    assert_true(simulation_play(sim, 1.0, HUGE_VAL) == 0.0);
    simulation_show(sim, 0.25);
    assert_true(simulation_time(sim) == 0.25);
    char path[256];
    snprintf(path, sizeof path, "%s/kept.csv", sample_folder());
    stand_ok(context, simulation_write(sim, s, path));
    simulation_destroy(sim);
    session_destroy(s);
}

// A caller that does not wait gets the finished frames, and learns how far they go.
static void nobody_waits_for_what_takes_long(void **state)
{
    session *s = open_swinging("gnome.glb", 20.0);
    simulation *sim = begin(s, 9.81, NULL, false, 0.0);
    double start = eri_seconds();
    for (int k = 0; k < 1000; ++k)
        simulation_play(sim, 1.0 / SIMULATION_FPS, 0.0);
    assert_true(eri_seconds() - start < 5.0); // 17 s were asked for
    assert_true(simulation_pace(sim) < 0.9);
    assert_true(simulation_time(sim) < 0.9 * 1000.0 / SIMULATION_FPS);
    start = eri_seconds();
    simulation_destroy(sim); // in the middle of a frame
    assert_true(eri_seconds() - start < 5.0);
    session_destroy(s);
}

// The pace is what came over what was asked for, of about the last second: each counts less by e^-1 for every second
// that was asked for since.
static void the_pace_is_of_the_last_second(void **state)
{
    static const double seconds[] = {0.5, 0.25, 0.25, 0.1}, patience[] = {0.0, HUGE_VAL, 0.0, HUGE_VAL};
    session *s = stand_open(context, "chain_20.json");
    simulation *sim = begin(s, 0.0, NULL, false, 0.0);
    double request = 0.0, gone = 0.0;
    assert_true(simulation_pace(sim) == 1.0);
    for (int k = 0; k < 4; ++k) {
        double came = simulation_play(sim, seconds[k], patience[k]), fade = exp(-seconds[k]);
        request = fade * request + seconds[k];
        gone = fade * gone + came;
        assert_true(came <= seconds[k] && (k % 2 == 0 || fabs(came - seconds[k]) < 1e-9));
        measure_at_most("pace", fabs(simulation_pace(sim) - gone / request), 1e-9);
    }
    simulation_destroy(sim);
    session_destroy(s);
}

// A pendulum that is let go level stops at its limit, if limits count.
static void limits_hold_where_they_are_asked_for(void **state)
{
    rig r = {0};
    char path[256];
    session *s = NULL;
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(0.5, 0, 0), er_pose_identity());
    er_joint *hinge = rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity());
    hinge->limit[0][0] = -0.4;
    hinge->limit[0][1] = 0.4;
    hinge->stiffness[0] = 0.1;
    er_model *model = rig_model(context, &r);
    snprintf(path, sizeof path, "%s/hinge.json", sample_folder());
    stand_ok(context, er_rig_file_write(context, model, path));
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, path, NULL));
    for (int limits = 0; limits < 2; ++limits) {
        simulation *sim = NULL;
        simulation_def def = simulation_default_def();
        def.limits = limits;
        stand_ok(context, simulation_create(s, &def, 0.0, &sim));
        double most = 0.0;
        for (int k = 0; k < 60; ++k) {
            play(sim, 1.0 / SIMULATION_FPS);
            most = fmax(most, er_v3_norm(er_q_log(simulation_pose(sim)[0].q)));
        }
        assert_true(limits ? most > 0.4 && most < 0.8 : most > 1.2);
        simulation_destroy(sim);
    }
    er_model_destroy(model);
    session_destroy(s);
}

static simulation *begin_on_ground(session *s, double drop)
{
    simulation *sim = NULL;
    simulation_def def = simulation_default_def();
    def.ground.floor = true;
    def.ground.drop = drop;
    stand_ok(context, simulation_create(s, &def, 0.0, &sim));
    return sim;
}

// The same bodies at the same places as a simulation by the command has them, whose own tests say that they are right.
static void what_falls_on_the_ground_falls_as_the_command_has_it(void **state)
{
    session *s = stand_open(context, "gnome.glb");
    const er_model *model = session_model(s);
    simulation *sim = begin_on_ground(s, 0.2);
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    def.ground.floor = true;
    def.ground.drop = 0.2;
    def.duration = 0.5;
    stand_ok(context, project_simulate(context, model, session_rig(s), &def, NULL, NULL, &done));
    for (int k = 1; k < done.frames.frame_count; ++k) {
        const er_frame_contact *contact;
        int first = done.frames.contact_end[k - 1], count = done.frames.contact_end[k] - first;
        play(sim, 1.0 / SIMULATION_FPS);
        const er_pose *pose = done.frames.pose + (size_t)k * (size_t)model->body_count;
        double apart = stand_apart(model, simulation_pose(sim), pose);
        if (first + count == 0) measure_at_most("a fall beside the command's, until it lands", apart, 1e-9);
        assert_true((simulation_contacts(sim, &contact) > 0) == (count > 0));
    }
    const er_pose *last = done.frames.pose + (size_t)(done.frames.frame_count - 1) * (size_t)model->body_count;
    er_vec3 off = er_v3_sub(mass_centre(model, simulation_pose(sim)), mass_centre(model, last));
    measure_at_most("and after that, of the size", er_v3_norm(off) / model->size, 0.02); // contacts magnify rounding
    assert_true(done.frames.contact_end[done.frames.frame_count - 1] > 0);
    project_simulation_clear(&done);
    simulation_destroy(sim);
    session_destroy(s);
}

static double lightest_end(const er_model *model, int *body)
{
    double least = HUGE_VAL;
    for (int b = 0; b < model->body_count; ++b)
        if (model->body[b].mass < least) least = model->body[ *body = b].mass;
    return least;
}

// Lifted by its lightest body, off the floor, and let fall: the floor bears its weight again. A spring that is taken at
// the step's begin would tear at what is so light.
static void what_lies_is_lifted_and_falls_again(void **state)
{
    session *s = stand_open(context, "gnome.glb");
    const er_model *model = session_model(s);
    simulation *sim = begin_on_ground(s, 0.0);
    const er_frame_contact *contact;
    int body = -1;
    double weight = 9.81 * mass_of(model);
    assert_true(lightest_end(model, &body) < 0.01 * mass_of(model));
    play(sim, 2.0);
    er_vec3 point = model->body[body].com, at = er_pose_point(simulation_pose(sim)[body], point), from, to;
    for (int k = 0; k < 120; ++k) {
        simulation_pull(sim, body, point, er_v3_add(at, er_v3(0, 2.0 * model->size * fmin(k / 60.0, 1.0), 0)));
        play(sim, 1.0 / SIMULATION_FPS);
    }
    assert_true(simulation_get_pull(sim, &from, &to));
    measure_at_most("a point lifted, of the way", er_v3_distance(from, to) / er_v3_distance(at, to), 0.2);
    assert_int_equal(simulation_contacts(sim, &contact), 0);
    simulation_release(sim);
    play(sim, 3.0);
    double borne = 0.0;
    for (int k = simulation_contacts(sim, &contact); k-- > 0;)
        borne -= contact[k].force.y;
    measure_at_most("weight borne, off by", fabs(borne / weight - 1.0), 0.03);
    simulation_destroy(sim);
    session_destroy(s);
}

// The floor goes, and comes for the first time, while it moves.
static void the_ground_changes_while_it_moves(void **state)
{
    session *s = stand_open_walker(context, 1);
    const er_model *model = session_model(s);
    simulation_def def = simulation_default_def();
    const er_frame_contact *contact;
    double height;
    simulation *sim = begin_on_ground(s, 0.0);
    play(sim, 0.3);
    assert_true(simulation_contacts(sim, &contact) > 0 && simulation_floor(sim, &height));
    stand_ok(context, simulation_change(sim, s, &def));
    play(sim, 2.0 / SIMULATION_FPS); // shown frames are all of the new world
    er_vec3 at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = mass_centre(model, simulation_pose(sim));
        play(sim, 0.1);
    }
    double fall = -er_v3_add(er_v3_sub(at[2], at[1]), er_v3_sub(at[0], at[1])).y / 0.01;
    measure_at_most("a fall without the floor, off g by", fabs(fall - 9.81), 1e-2);
    assert_true(simulation_contacts(sim, &contact) == 0 && !simulation_floor(sim, &height));
    simulation_destroy(sim);
    sim = begin(s, 9.81, NULL, false, 0.0);
    play(sim, 2.0 / SIMULATION_FPS);
    def.ground.floor = true;
    stand_ok(context, simulation_change(sim, s, &def));
    play(sim, 1.0);
    assert_true(simulation_contacts(sim, &contact) > 0);
    assert_true(mass_centre(model, simulation_pose(sim)).y > height);
    simulation_destroy(sim);
    session_destroy(s);
}

// Whether it is one island, and sleeps.
static bool sleeps(const simulation *sim, int count)
{
    bool first, asleep;
    assert_int_equal(simulation_island(sim, 0, &first), 0);
    for (int b = 1; b < count; ++b) {
        assert_int_equal(simulation_island(sim, b, &asleep), 0);
        assert_true(asleep == first);
    }
    return first;
}

static void what_rests_falls_asleep_where_it_is_let(void **state)
{
    session *s = stand_open_walker(context, 1);
    int count = session_model(s)->body_count;
    bool asleep;
    simulation *sim = begin_on_ground(s, 0.0);
    double time = 0.0;
    assert_false(sleeps(sim, count));
    for (; !sleeps(sim, count) && time < 20.0; time += 0.5)
        play(sim, 0.5);
    print_message("# it sleeps within %g s\n", time);
    assert_true(time < 20.0);
    simulation_show(sim, 0.5);
    assert_false(sleeps(sim, count)); // each frame has its own
    simulation_show(sim, HUGE_VAL);
    assert_true(sleeps(sim, count));
    er_pose at = simulation_pose(sim)[0];
    simulation_pull(sim, 0, er_v3(0, 0, 0), er_v3_add(at.p, er_v3(0, 0.1, 0)));
    play(sim, 0.1);
    assert_false(sleeps(sim, count));
    simulation_release(sim);
    simulation_def def = simulation_default_def();
    def.ground.floor = true;
    def.ground.sleep = 0.0;
    stand_ok(context, simulation_change(sim, s, &def));
    play(sim, time);
    assert_false(sleeps(sim, count));
    simulation_destroy(sim);
    sim = begin(s, 9.81, NULL, false, 0.0); // nothing is met
    play(sim, 0.1);
    assert_int_equal(simulation_island(sim, 0, &asleep), -1);
    assert_false(asleep);
    simulation_destroy(sim);
    session_destroy(s);
}

static void what_cannot_begin_is_said(void **state)
{
    session *s = NULL;
    simulation *sim = NULL;
    simulation_def def = simulation_default_def();
    stand_ok(context, session_create(context, &s));
    assert_int_equal(simulation_create(s, &def, 0.0, &sim), ER_ERROR_ARGUMENT);
    stand_ok(context, session_open(s, stand_path("chain_20.json"), NULL));
    assert_int_equal(simulation_create(s, &def, NAN, &sim), ER_ERROR_ARGUMENT);
    static const double gravities[] = {NAN, -1.0, INFINITY};
    for (int i = 0; i < 3; ++i) {
        def.gravity = gravities[i];
        assert_refusal(context, simulation_create(s, &def, 0.0, &sim), ER_ERROR_ARGUMENT, "0 s");
        assert_null(sim);
    }
    const bool held[MOST_BODIES] = {true};
    def = simulation_default_def();
    def.ground.drop = 1.0;
    def.held = held;
    assert_refusal(context, simulation_create(s, &def, 0.0, &sim), ER_ERROR_ARGUMENT, "held");
    def = simulation_default_def();
    def.ground.statics = "nowhere.glb";
    assert_int_equal(simulation_create(s, &def, 0.0, &sim), ER_ERROR_FILE);
    assert_null(sim);
    session_destroy(s);
}

// Curves at the frames are the energies that are told of them, the potential from its lowest; between them the line.
static void curves_are_the_energies_of_the_frames(void **state)
{
    enum { FRAMES = 13 };
    session *s = open_swinging("hand.glb", 10.0);
    simulation *sim = begin(s, 9.81, NULL, false, 0.0);
    float curve[3][2 * FRAMES - 1], *const curves[3] = {curve[0], curve[1], curve[2]};
    er_world_energy energy[FRAMES];
    double least = HUGE_VAL, height;
    er_quat turn;
    play(sim, (FRAMES - 1) / 60.0);
    for (int k = 0; k < FRAMES; ++k) {
        simulation_show(sim, k / 60.0);
        energy[k] = simulation_energy(sim);
        least = fmin(least, energy[k].potential);
    }
    for (int finer = 0; finer < 2; ++finer) {
        int count = finer == 1 ? 2 * FRAMES - 1 : FRAMES;
        assert_true(simulation_curves(sim, count, (float **)curves));
        for (int i = 0; i < count; ++i) {
            const er_world_energy *a = &energy[finer == 1 ? i / 2 : i], *b = &energy[finer == 1 ? (i + 1) / 2 : i];
            const double expected[3] = {a->kinetic + b->kinetic, a->potential + b->potential - 2.0 * least,
                                        a->elastic + b->elastic};
            for (int k = 0; k < 3; ++k)
                measure_at_most("energy of a curve", fabs((double)curve[k][i] - 0.5 * expected[k]),
                                1e-6 * (1.0 + fabs(expected[k])));
        }
    }
    assert_null(simulation_scene(sim, &turn));
    assert_false(simulation_floor(sim, &height));
    simulation_destroy(sim);
    session_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_goes_on_as_it_swung),
        cmocka_unit_test(in_silence_it_begins_at_rest),
        cmocka_unit_test(a_free_rig_falls_as_a_stone),
        cmocka_unit_test(held_bodies_stay_or_follow_the_mix),
        cmocka_unit_test(setup_and_undo_stay_as_they_are),
        cmocka_unit_test(what_is_pulled_comes_and_is_thrown),
        cmocka_unit_test(what_is_recorded_is_shown_again),
        cmocka_unit_test(settings_change_while_it_moves),
        cmocka_unit_test(springs_are_those_of_the_tuning),
        cmocka_unit_test(a_failure_is_one_sentence_and_keeps_what_there_is),
        cmocka_unit_test(nobody_waits_for_what_takes_long),
        cmocka_unit_test(the_pace_is_of_the_last_second),
        cmocka_unit_test(limits_hold_where_they_are_asked_for),
        cmocka_unit_test(what_falls_on_the_ground_falls_as_the_command_has_it),
        cmocka_unit_test(what_lies_is_lifted_and_falls_again),
        cmocka_unit_test(the_ground_changes_while_it_moves),
        cmocka_unit_test(what_rests_falls_asleep_where_it_is_let),
        cmocka_unit_test(what_cannot_begin_is_said),
        cmocka_unit_test(curves_are_the_energies_of_the_frames),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
