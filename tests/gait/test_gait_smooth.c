// Motions of gaits go smoothly: no body and no joint leaps, of any gait, sampled some four times as finely as clips
// are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <eigenrig/import.h>

#include "walkers.h"

// Frames of a stride. A leap of 1 % of the size within one is a jump of velocity by 2.56 sizes a stride, a foot that is
// set down at the speed it swings with one by 1 or so; a sine of the fastest mode's reach jumps by less than 0.2.
enum { FRAMES = 256 };
static const double jump_of_place = 1.8, jump_of_turn = 20.0; // sizes, and radians, a stride

static const walker_def usual = {1.0, 1.0, 1.0, false};
static er_context *context;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context) == ER_OK ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    return 0;
}

static void ok(er_result r)
{
    if (r != ER_OK) fail_msg("%s: %s", er_result_name(r), er_context_error(context));
}

typedef struct leap {
    double place, turn; // largest jumps of velocity: sizes, rad a stride
    int placed, turned; // of which body
} leap;

// Velocity before and after a frame, of a body's place and of its turn against its parent.
static void look_at(const er_model *model, const er_pose *const frame[3], int b, leap *most)
{
    er_vec3 bend = er_v3_add(er_v3_madd(frame[0][b].p, -2.0, frame[1][b].p), frame[2][b].p);
    double place = FRAMES * er_v3_norm(bend) / model->size;
    if (place > most->place) *most = (leap){place, most->turn, b, most->turned};
    int parent = model->tree_parent[b];
    if (parent < 0) return;
    er_quat turn[3];
    for (int k = 0; k < 3; ++k)
        turn[k] = er_q_mul(er_q_conj(frame[k][parent].q), frame[k][b].q);
    er_vec3 before = er_q_log(er_q_mul(turn[1], er_q_conj(turn[0]))),
            after = er_q_log(er_q_mul(turn[2], er_q_conj(turn[1])));
    double jump = FRAMES * er_v3_distance(before, after);
    if (jump > most->turn) *most = (leap){most->place, jump, most->placed, b};
}

static leap largest_leap(const er_model *model, const er_gait_motion *m)
{
    leap most = {0.0, 0.0, 0, 0};
    size_t bodies = (size_t)model->body_count;
    int n = m->frame_count - 1; // the last is the first
    for (int i = 0; i < n; ++i) {
        const er_pose *const frame[3] = {m->pose + (size_t)((i + n - 1) % n) * bodies, m->pose + (size_t)i * bodies,
                                         m->pose + (size_t)((i + 1) % n) * bodies};
        for (int b = 0; b < model->body_count; ++b)
            look_at(model, frame, b, &most);
    }
    return most;
}

static int leaping_gaits(const char *name, const er_model *model, const er_rig *rig, const er_modes *modes)
{
    er_gaits *gaits;
    int leaping = 0;
    ok(er_gaits_find(context, model, rig, modes, NULL, &gaits));
    assert_true(gaits->count > 0);
    for (int i = 0; i < gaits->count; ++i) {
        const er_gait *gait = &gaits->gait[i];
        er_gait_motion *m;
        ok(er_gait_move(context, model, modes, gaits, gait, FRAMES * gait->hz, &m));
        assert_int_equal(m->frame_count, FRAMES + 1);
        leap l = largest_leap(model, m);
        bool leaps = l.place > jump_of_place || l.turn > jump_of_turn;
        print_message("# %s%s, %s: %.2f sizes (%s), %.1f rad (%s) a stride\n", leaps ? "LEAPS: " : "", name, gait->name,
                      l.place, model->body[l.placed].name, l.turn, model->body[l.turned].name);
        leaping += leaps;
        er_gait_motion_destroy(m);
    }
    er_gaits_destroy(gaits);
    return leaping;
}

static int leaping_gaits_of_file(const char *path)
{
    char importer[1024];
    er_scene *scene;
    er_rig *rig;
    er_modes *modes;
    er_import_def def = er_default_import_def();
    er_rig_def rig_def = er_default_rig_def();
    snprintf(importer, sizeof importer, "%s/src/importer/eigenrig-import", getenv("EIGENRIG_BUILD"));
    def.importer = importer;
    ok(er_import_file(context, path, &def, &scene));
    ok(er_rig_build(context, scene, &rig_def, &rig));
    ok(er_modal_solve(context, rig->model, NULL, &modes));
    int leaping = leaping_gaits(path, rig->model, rig, modes);
    er_modes_destroy(modes);
    er_rig_destroy(rig);
    er_scene_destroy(scene);
    return leaping;
}

static void no_gait_of_our_models_leaps(void **state)
{
    (void)state;
    static const char *const name[] = {"horse.glb", "gnome.glb"};
    int leaping = 0;
    for (int i = 0; i < 2; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), name[i]);
        leaping += leaping_gaits_of_file(path);
    }
    assert_int_equal(leaping, 0);
}

static void no_gait_of_real_rigs_leaps(void **state)
{
    (void)state;
    static const char *const name[] = {"CesiumMan.glb",        "Fox.glb", "RobotExpressive.glb", "greenman.glb",
                                       "quaternius_horse.fbx", "walk.dae"};
    int leaping = 0;
    for (int i = 0; i < 6; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/../shared/rigs/%s", getenv("EIGENRIG_SOURCE"), name[i]);
        if (access(path, R_OK) != 0) {
            print_message("# there is no %s\n", path);
            skip();
        }
        leaping += leaping_gaits_of_file(path);
    }
    assert_int_equal(leaping, 0);
}

// Legs that are straight at rest have a knee all the same, and it bends one way.
static void no_gait_of_straight_legs_leaps(void **state)
{
    (void)state;
    er_model *const models[] = {make_biped(context, usual), make_quadruped(context, usual)};
    static const char *const name[] = {"biped", "quadruped"};
    int leaping = 0;
    for (int i = 0; i < 2; ++i) {
        er_modes *modes = modes_of(context, models[i]);
        leaping += leaping_gaits(name[i], models[i], NULL, modes);
        er_modes_destroy(modes);
        er_model_destroy(models[i]);
    }
    assert_int_equal(leaping, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gait_of_straight_legs_leaps),
        cmocka_unit_test(no_gait_of_our_models_leaps),
        cmocka_unit_test(no_gait_of_real_rigs_leaps),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
