// A rule of base.h for all functions: a pointer that may not be NULL, or a def made elsewhere, is refused with one
// sentence, and the result is NULL. In C nothing else keeps a caller from either.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/formats.h>
#include <eigenrig/math.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>
#include <eigenrig/plots.h>
#include <eigenrig/rig.h>
#include <eigenrig/scene.h>

static er_context *context;
static er_model *model;
static er_modes *modes;
static er_mix *mix;
static er_motion *motion;
static er_scene *scene; // one bone a body
static const int *node_body;
static er_affine world[2];
static er_recording *recording;

#define SENTENCE "of the call before"

// Refused, with a sentence of its own: one line that does not end in a stop.
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        er_fail(context, ER_OK, SENTENCE);                                                                             \
        assert_int_equal((call), ER_ERROR_ARGUMENT);                                                                   \
        assert_one_line(er_context_error(context));                                                                    \
    } while (0)

// The same where nothing can hold a sentence.
#define REFUSED_SILENTLY(call) assert_int_equal((call), ER_ERROR_ARGUMENT)

// The result is NULL after a refusal, whatever the place held before.
#define MAKES_NOTHING(type, call)                                                                                      \
    do {                                                                                                               \
        static char before;                                                                                            \
        type *out = (type *)(void *)&before;                                                                           \
        REFUSED(call);                                                                                                 \
        assert_null(out);                                                                                              \
    } while (0)

static void assert_one_line(const char *sentence)
{
    size_t length = strlen(sentence);
    assert_string_not_equal(sentence, SENTENCE);
    assert_true(length > 10 && strchr(sentence, '\n') == NULL && sentence[length - 1] != '.');
}

static int make_all(void **state)
{
    const er_mat3 inertia = {{{0.01, 0, 0}, {0, 0.09, 0}, {0, 0, 0.09}}};
    const er_pose place = {{1, 0, 0, 0}, {1, 0, 0}};
    const er_body body[2] = {{"a", 1.0, {0.5, 0, 0}, inertia, er_pose_identity()},
                             {"b", 1.0, {0.5, 0, 0}, inertia, place}};
    const er_joint joint = {.parent = 0, .child = 1, .frame = place, .stiffness = {40.0}};
    er_model_def def = er_default_model_def();
    def.body_count = 2;
    def.body = body;
    def.joint_count = 1;
    def.joint = &joint;
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_int_equal(er_modal_solve(context, model, NULL, &modes), ER_OK);
    assert_int_equal(er_mix_parse(context, "6:10", &mix), ER_OK);
    assert_int_equal(er_motion_create(context, model, modes, mix, NULL, &motion), ER_OK);
    assert_int_equal(er_rig_bone_scene(context, model, NULL, &scene, &node_body), ER_OK);
    er_affine local[2];
    er_scene_sample(scene, NULL, 0.0, local);
    er_scene_world(scene, local, world);
    er_recording_target target = {scene, node_body, NULL, world, 1.0};
    assert_int_equal(er_motion_record(context, motion, &target, NULL, &recording), ER_OK);
    return 0;
}

static int destroy_all(void **state)
{
    er_recording_destroy(recording);
    er_scene_destroy(scene);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    er_modes_destroy(modes);
    er_model_destroy(model);
    er_context_destroy(context);
    return 0;
}

static void destroying_nothing_is_fine(void **state)
{
    er_context_destroy(NULL);
    er_scene_destroy(NULL);
    er_model_destroy(NULL);
    er_rig_destroy(NULL);
    er_constraints_destroy(NULL);
    er_nullspace_destroy(NULL);
    er_redundancy_destroy(NULL);
    er_modes_destroy(NULL);
    er_modal_solver_destroy(NULL);
    er_kinematics_destroy(NULL);
    er_mix_destroy(NULL);
    er_motion_destroy(NULL);
    er_recording_destroy(NULL);
    assert_string_equal(er_context_error(NULL), "");
}

static void scenes_and_rigs_need_what_they_are_made_of(void **state)
{
    const er_clip *clip;
    er_stiffness law = {.uniform = true};
    er_rig_change change = er_default_rig_change();
    double stiffness[1];
    REFUSED_SILENTLY(er_context_create(NULL, NULL));
    MAKES_NOTHING(er_scene, er_import_file(context, NULL, NULL, &out));
    MAKES_NOTHING(er_scene, er_import_file(context, "a.glb", &(er_import_def){.time_limit = 1.0}, &out));
    REFUSED_SILENTLY(er_import_file(context, "a.glb", NULL, NULL));
    REFUSED(er_scene_validate(context, NULL));
    MAKES_NOTHING(const er_clip, er_scene_find_clip(context, NULL, "0", &out));
    MAKES_NOTHING(const er_clip, er_scene_find_clip(context, scene, NULL, &out));
    REFUSED_SILENTLY(er_scene_find_clip(context, scene, "0", NULL));
    REFUSED_SILENTLY(er_scene_find_clip(NULL, scene, "0", &clip));
    MAKES_NOTHING(er_rig, er_rig_build(context, NULL, NULL, &out));
    MAKES_NOTHING(er_rig, er_rig_build(context, scene, &(er_rig_def){.density = 1.0}, &out));
    REFUSED_SILENTLY(er_rig_build(context, scene, NULL, NULL));
    REFUSED(er_stiffness_parse(context, NULL, &law));
    REFUSED(er_stiffness_parse(context, "uniform:1", NULL));
    REFUSED(er_stiffness_apply(context, NULL, &law, stiffness));
    REFUSED(er_stiffness_apply(context, model, NULL, stiffness));
    REFUSED(er_stiffness_apply(context, model, &law, NULL));
    MAKES_NOTHING(er_model, er_rig_change_model(context, NULL, &change, &out));
    MAKES_NOTHING(er_model, er_rig_change_model(context, model, NULL, &out));
    MAKES_NOTHING(er_model, er_rig_change_model(context, model, &(er_rig_change){.density = 1.0}, &out));
    REFUSED_SILENTLY(er_rig_change_model(context, model, &change, NULL));
    MAKES_NOTHING(er_scene, er_rig_bone_scene(context, NULL, NULL, &out, NULL));
    REFUSED_SILENTLY(er_rig_bone_scene(context, model, NULL, NULL, NULL));
    bool here[2];
    REFUSED(er_joint_change_find(context, NULL, &change, 0, here));
    REFUSED(er_joint_change_find(context, model, NULL, 0, here));
    REFUSED(er_joint_change_find(context, model, &change, 0, NULL));
    REFUSED(er_body_change_find(context, NULL, &change, 0, here));
    REFUSED(er_body_change_find(context, model, NULL, 0, here));
    REFUSED(er_body_change_find(context, model, &change, 0, NULL));
    REFUSED_SILENTLY(er_joint_change_find(NULL, model, &change, 0, here));
    REFUSED_SILENTLY(er_body_change_find(NULL, model, &change, 0, here));
    REFUSED_SILENTLY(er_rig_build(NULL, scene, NULL, &(er_rig *){NULL}));
    REFUSED_SILENTLY(er_rig_change_model(NULL, model, &change, &(er_model *){NULL}));
    REFUSED_SILENTLY(er_rig_bone_scene(NULL, model, NULL, &(er_scene *){NULL}, NULL));
    REFUSED_SILENTLY(er_stiffness_parse(NULL, "uniform:1", &law));
    MAKES_NOTHING(er_bones, er_bones_create(context, NULL, &out));
    REFUSED_SILENTLY(er_bones_create(context, model, NULL));
    REFUSED_SILENTLY(er_bones_create(NULL, model, &(er_bones *){NULL}));
    MAKES_NOTHING(er_rig_shapes, er_rig_shapes_create(context, NULL, NULL, &out));
    REFUSED_SILENTLY(er_rig_shapes_create(context, model, NULL, NULL));
    REFUSED_SILENTLY(er_rig_shapes_create(NULL, model, NULL, &(er_rig_shapes *){NULL}));
    MAKES_NOTHING(er_model, er_model_create(context, NULL, &out));
    MAKES_NOTHING(er_model, er_model_create(context, &(er_model_def){.body_count = 1}, &out));
    REFUSED_SILENTLY(er_model_create(context, &(er_model_def){.tag = ER_DEF_TAG}, NULL));
}

static void arrays_that_are_counted_must_be_there(void **state)
{
    er_model *none;
    er_model_def def = er_default_model_def();
    def.body_count = 2;
    assert_int_equal(er_model_create(context, &def, &none), ER_ERROR_RIG);
    assert_non_null(strstr(er_context_error(context), "NULL"));
    def.body = model->body;
    def.joint_count = 1;
    assert_int_equal(er_model_create(context, &def, &none), ER_ERROR_RIG);
    assert_non_null(strstr(er_context_error(context), "NULL"));
    er_rig_change change = er_default_rig_change();
    change.joint_count = 1;
    MAKES_NOTHING(er_model, er_rig_change_model(context, model, &change, &out));
    change = er_default_rig_change();
    change.body_count = 1;
    MAKES_NOTHING(er_model, er_rig_change_model(context, model, &change, &out));
    change = er_default_rig_change();
    change.loop_count = 1;
    MAKES_NOTHING(er_model, er_rig_change_model(context, model, &change, &out));
}

static void solvers_need_a_model(void **state)
{
    const double A[1] = {1.0};
    int count;
    er_modal_def def = {.rank_tol = 0.1};
    er_result result[1];
    const er_model *const none[1] = {NULL};
    MAKES_NOTHING(er_constraints, er_constraints_create(context, NULL, &out));
    REFUSED_SILENTLY(er_constraints_create(context, model, NULL));
    MAKES_NOTHING(er_constraints, er_constraints_at(context, NULL, NULL, &out));
    REFUSED_SILENTLY(er_constraints_at(context, model, NULL, NULL));
    MAKES_NOTHING(er_nullspace, er_nullspace_create(context, ER_NULLSPACE_QR, 1, 1, NULL, 1e-10, &out));
    REFUSED_SILENTLY(er_nullspace_create(context, ER_NULLSPACE_QR, 1, 1, A, 1e-10, NULL));
    MAKES_NOTHING(er_redundancy, er_redundancy_create(context, NULL, 1e-10, &out));
    REFUSED_SILENTLY(er_redundancy_create(context, model, 1e-10, NULL));
    MAKES_NOTHING(er_modes, er_modal_solve(context, NULL, NULL, &out));
    MAKES_NOTHING(er_modes, er_modal_solve(context, model, &def, &out));
    REFUSED_SILENTLY(er_modal_solve(context, model, NULL, NULL));
    REFUSED(er_modal_count(context, NULL, 1.0, &count));
    REFUSED(er_modal_count(context, model, 1.0, NULL));
    REFUSED(er_modal_solve_batch(context, 1, NULL, NULL, &modes, result));
    REFUSED(er_modal_solve_batch(context, 1, none, NULL, NULL, result));
    REFUSED(er_modal_solve_batch(context, 1, none, NULL, &modes, NULL));
    er_modes *each[1] = {modes};
    er_fail(context, ER_OK, SENTENCE);
    assert_int_equal(er_modal_solve_batch(context, 1, none, NULL, each, result), ER_OK);
    assert_int_equal(result[0], ER_ERROR_ARGUMENT);
    assert_null(each[0]);
    assert_one_line(er_context_error(context));
}

static void a_solver_is_edited_with_arrays(void **state)
{
    er_modal_solver *solver;
    const er_modes *live = modes;
    const double damping[1] = {0.0};
    MAKES_NOTHING(er_modal_solver, er_modal_solver_create(context, NULL, NULL, &out));
    MAKES_NOTHING(er_modal_solver, er_modal_solver_create(context, model, &(er_modal_def){.rank_tol = 0.1}, &out));
    REFUSED_SILENTLY(er_modal_solver_create(context, model, NULL, NULL));
    assert_int_equal(er_modal_solver_create(context, model, NULL, &solver), ER_OK);
    REFUSED(er_modal_solver_set_stiffness(solver, NULL));
    REFUSED(er_modal_solver_set_damping(solver, NULL, 0.0, 0.0, 0.0));
    REFUSED(er_modal_solver_set_bodies(solver, NULL));
    REFUSED(er_modal_solver_set_model(solver, NULL));
    REFUSED_SILENTLY(er_modal_solver_solve(solver, NULL));
    REFUSED_SILENTLY(er_modal_solver_set_stiffness(NULL, damping));
    REFUSED_SILENTLY(er_modal_solver_set_damping(NULL, damping, 0.0, 0.0, 0.0));
    REFUSED_SILENTLY(er_modal_solver_set_bodies(NULL, model->body));
    REFUSED_SILENTLY(er_modal_solver_set_model(NULL, model));
    REFUSED_SILENTLY(er_modal_solver_solve(NULL, &live));
    assert_null(live);
    er_modal_solver_destroy(solver);
}

static void motions_need_modes_a_mix_and_times(void **state)
{
    const double time[1] = {0.0};
    double share, x[12] = {0};
    float frame[14];
    er_motion_errors errors;
    er_kinematics *kinematics;
    er_pose pose[2];
    er_mix_component zero = {.degrees = 1.0};
    er_mix untagged = {.component_count = 1, .component = &zero};
    MAKES_NOTHING(er_mix, er_mix_create(context, NULL, &out));
    MAKES_NOTHING(er_mix, er_mix_create(context, &untagged, &out));
    REFUSED_SILENTLY(er_mix_create(context, mix, NULL));
    MAKES_NOTHING(er_mix, er_mix_parse(context, NULL, &out));
    REFUSED_SILENTLY(er_mix_parse(context, "6:10", NULL));
    MAKES_NOTHING(er_mix, er_mix_fit(context, NULL, modes, mix, NULL, &out));
    MAKES_NOTHING(er_mix, er_mix_fit(context, model, NULL, mix, NULL, &out));
    MAKES_NOTHING(er_mix, er_mix_fit(context, model, modes, NULL, NULL, &out));
    REFUSED_SILENTLY(er_mix_fit(context, model, modes, mix, NULL, NULL));
    MAKES_NOTHING(er_motion, er_motion_create(context, NULL, modes, mix, NULL, &out));
    MAKES_NOTHING(er_motion, er_motion_create(context, model, NULL, mix, NULL, &out));
    MAKES_NOTHING(er_motion, er_motion_create(context, model, modes, NULL, NULL, &out));
    MAKES_NOTHING(er_motion, er_motion_create(context, model, modes, mix, &(er_motion_def){.fps = 1.0}, &out));
    REFUSED_SILENTLY(er_motion_create(context, model, modes, mix, NULL, NULL));
    REFUSED(er_motion_poses(motion, 1, NULL, NULL, NULL));
    REFUSED(er_motion_frames(motion, 1, NULL, frame));
    REFUSED(er_motion_frames(motion, 1, time, NULL));
    REFUSED(er_motion_measure(motion, 1, NULL, &errors));
    REFUSED(er_motion_measure(motion, 1, time, NULL));
    REFUSED(er_motion_reach(motion, 30.0, NULL));
    REFUSED_SILENTLY(er_motion_poses(NULL, 1, time, NULL, NULL));
    REFUSED_SILENTLY(er_motion_frames(NULL, 1, time, frame));
    REFUSED_SILENTLY(er_motion_measure(NULL, 1, time, &errors));
    REFUSED_SILENTLY(er_motion_reach(NULL, 30.0, &share));
    MAKES_NOTHING(er_kinematics, er_kinematics_create(context, NULL, &out));
    REFUSED_SILENTLY(er_kinematics_create(context, model, NULL));
    assert_int_equal(er_kinematics_create(context, model, &kinematics), ER_OK);
    REFUSED(er_kinematics_pose(kinematics, NULL, pose));
    REFUSED(er_kinematics_pose(kinematics, x, NULL));
    REFUSED_SILENTLY(er_kinematics_pose(NULL, x, pose));
    er_kinematics_destroy(kinematics);
}

static void takes_need_a_motion_and_a_target(void **state)
{
    er_recording_target target = {scene, node_body, NULL, world, 1.0};
    const double time[2] = {0.0, 1.0};
    er_recorded_poses poses = {model, 2, time, NULL, false, 0, NULL};
    MAKES_NOTHING(er_recording, er_motion_record(context, NULL, &target, NULL, &out));
    MAKES_NOTHING(er_recording, er_motion_record(context, motion, NULL, NULL, &out));
    MAKES_NOTHING(er_recording, er_motion_record(context, motion, &(er_recording_target){.scene = scene}, NULL, &out));
    MAKES_NOTHING(er_recording, er_motion_record(context, motion, &target, &(er_recording_def){.fps = 60.0}, &out));
    REFUSED_SILENTLY(er_motion_record(context, motion, &target, NULL, NULL));
    MAKES_NOTHING(er_recording, er_poses_record(context, NULL, &target, NULL, &out));
    MAKES_NOTHING(er_recording, er_poses_record(context, &poses, &target, NULL, &out));
    REFUSED_SILENTLY(er_poses_record(context, &poses, &target, NULL, NULL));
    const er_pose still[4] = {model->body[0].pose, model->body[1].pose, model->body[0].pose, model->body[1].pose};
    const er_recorded_poses two = {model, 2, time, still, false, 0, NULL};
    REFUSED(er_poses_record(context, &two, NULL, NULL, &(er_recording *){NULL}));
    REFUSED(er_poses_record(context, &two, &target, &(er_recording_def){.fps = 60.0}, &(er_recording *){NULL}));
    REFUSED_SILENTLY(er_poses_record(NULL, &two, &target, NULL, &(er_recording *){NULL}));
    REFUSED_SILENTLY(er_motion_record(NULL, motion, &target, NULL, &(er_recording *){NULL}));
    REFUSED_SILENTLY(er_motion_create(NULL, model, modes, mix, NULL, &(er_motion *){NULL}));
    REFUSED_SILENTLY(er_mix_create(NULL, mix, &(er_mix *){NULL}));
    er_affine local[2];
    er_pose pose[2];
    const int body_node[2] = {0, 1};
    REFUSED_SILENTLY(er_poses_of_nodes(NULL, model, &target, body_node, local, pose));
    REFUSED(er_poses_of_nodes(context, NULL, &target, body_node, local, pose));
    REFUSED(er_poses_of_nodes(context, model, NULL, body_node, local, pose));
    REFUSED(er_poses_of_nodes(context, model, &target, NULL, local, pose));
    REFUSED(er_poses_of_nodes(context, model, &target, body_node, NULL, pose));
    REFUSED(er_poses_of_nodes(context, model, &target, body_node, local, NULL));
    MAKES_NOTHING(er_trajectory, er_trajectory_create(context, 2, NULL, 2, still, &out));
    MAKES_NOTHING(er_trajectory, er_trajectory_create(context, 2, time, 2, NULL, &out));
    REFUSED_SILENTLY(er_trajectory_create(context, 2, time, 2, still, NULL));
    REFUSED_SILENTLY(er_trajectory_create(NULL, 2, time, 2, still, &(er_trajectory *){NULL}));
    er_tear tear;
    REFUSED(er_modes_tear(context, NULL, modes, &target, 1, 15.0, &tear));
    REFUSED(er_modes_tear(context, model, NULL, &target, 1, 15.0, &tear));
    REFUSED(er_modes_tear(context, model, modes, NULL, 1, 15.0, &tear));
    REFUSED_SILENTLY(er_modes_tear(context, model, modes, &target, 1, 15.0, NULL));
    REFUSED_SILENTLY(er_modes_tear(NULL, model, modes, &target, 1, 15.0, &tear));
    MAKES_NOTHING(er_validity, er_modes_validate(context, model, NULL, NULL, &out));
    MAKES_NOTHING(er_validity, er_modes_validate(context, model, modes, &(er_validity_def){.shift = 0.02}, &out));
    REFUSED_SILENTLY(er_modes_validate(context, model, modes, NULL, NULL));
    REFUSED_SILENTLY(er_modes_validate(NULL, model, modes, NULL, &(er_validity *){NULL}));
}

static void files_need_what_they_hold(void **state)
{
    const er_curves curves = {.model = model, .frame_count = 1};
    const er_curves_figure plot = {.curves = curves};
    const er_validity validity = {.shift = 0.02};
    REFUSED(er_gltf_write(context, NULL, 0, NULL, NULL, "a.glb"));
    REFUSED(er_gltf_write(context, scene, 1, NULL, NULL, "a.glb"));
    REFUSED(er_gltf_write(context, scene, 1, &recording->clip, NULL, NULL));
    REFUSED(er_fbx_write(context, NULL, 0, NULL, NULL, "a.fbx"));
    REFUSED(er_fbx_write(context, scene, 1, NULL, NULL, "a.fbx"));
    REFUSED(er_fbx_write(context, scene, 1, &recording->clip, NULL, NULL));
    REFUSED(er_collada_write(context, NULL, 0, NULL, NULL, "a.dae"));
    REFUSED(er_collada_write(context, scene, 1, NULL, NULL, "a.dae"));
    REFUSED(er_collada_write(context, scene, 1, &recording->clip, NULL, NULL));
    REFUSED(er_bvh_write(context, NULL, NULL, NULL, 30.0, "a.bvh"));
    REFUSED(er_bvh_write(context, scene, NULL, NULL, 30.0, NULL));
    REFUSED(er_curves_write_csv(context, NULL, "a.csv"));
    REFUSED(er_curves_write_csv(context, &curves, "a.csv"));
    REFUSED(er_curves_write_csv(context, &curves, NULL));
    REFUSED(er_curves_write_npz(context, NULL, "a.npz"));
    REFUSED(er_curves_write_npz(context, &curves, "a.npz"));
    REFUSED(er_curves_write_npz(context, &curves, NULL));
    REFUSED(er_curves_plot(context, NULL, "a.svg"));
    REFUSED(er_curves_plot(context, &plot, "a.svg"));
    REFUSED(er_curves_plot(context, &plot, NULL));
    MAKES_NOTHING(er_model, er_rig_file_read(context, NULL, NULL, NULL, &out));
    REFUSED(er_rig_file_write(context, NULL, "a.json"));
    REFUSED(er_rig_file_write(context, model, NULL));
    REFUSED(er_palette_file_write(context, NULL, modes, NULL, NULL, NULL, "a.json"));
    REFUSED(er_palette_file_write(context, model, NULL, NULL, NULL, NULL, "a.json"));
    REFUSED(er_palette_file_write(context, model, modes, NULL, NULL, NULL, NULL));
    MAKES_NOTHING(er_validity, er_modes_validate(context, NULL, modes, NULL, &out));
    REFUSED(er_validity_write_csv(context, NULL, "a.csv"));
    REFUSED(er_validity_write_csv(context, &validity, NULL));
    REFUSED(er_validity_plot(context, NULL, "", "a.svg"));
    REFUSED(er_validity_plot(context, &validity, "", NULL));
    MAKES_NOTHING(er_mix, er_mix_file_read(context, NULL, &out));
    REFUSED(er_mix_file_write(context, NULL, "a.json"));
    REFUSED(er_mix_file_write(context, mix, NULL));
    REFUSED(er_pose_file_read(context, NULL, scene, world));
    REFUSED(er_pose_file_read(context, "a.json", NULL, world));
    REFUSED(er_pose_file_read(context, "a.json", scene, NULL));
    REFUSED(er_pose_file_write(context, NULL, world, "a.json"));
    REFUSED(er_pose_file_write(context, scene, NULL, "a.json"));
    REFUSED(er_pose_file_write(context, scene, world, NULL));
    REFUSED(er_file_write(context, NULL, "", 1));
    REFUSED(er_file_write(context, "a", NULL, 1));
}

// A scene as C makes it of nothing, which says that it is glTF, and one whose tree is upside down.
static void no_writer_takes_a_scene_that_breaks_its_promises(void **state)
{
    er_node node[2] = {{.name = "a", .parent = 1, .local = er_affine_identity()},
                       {.name = "b", .parent = -1, .local = er_affine_identity()}};
    const er_scene broken[2] = {{.path = NULL},
                                {.path = "",
                                 .format = ER_FORMAT_OTHER,
                                 .format_name = "",
                                 .metres_per_unit = 1.0,
                                 .up = {0, 1, 0},
                                 .node_count = 2,
                                 .node = node}};
    for (int i = 0; i < 2; ++i) {
        REFUSED(er_gltf_write(context, &broken[i], 0, NULL, NULL, "/dev/null/a.glb"));
        REFUSED(er_fbx_write(context, &broken[i], 0, NULL, NULL, "/dev/null/a.fbx"));
        REFUSED(er_collada_write(context, &broken[i], 0, NULL, NULL, "/dev/null/a.dae"));
        REFUSED(er_bvh_write(context, &broken[i], NULL, NULL, 30.0, "/dev/null/a.bvh"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(destroying_nothing_is_fine),
        cmocka_unit_test(scenes_and_rigs_need_what_they_are_made_of),
        cmocka_unit_test(arrays_that_are_counted_must_be_there),
        cmocka_unit_test(solvers_need_a_model),
        cmocka_unit_test(a_solver_is_edited_with_arrays),
        cmocka_unit_test(motions_need_modes_a_mix_and_times),
        cmocka_unit_test(takes_need_a_motion_and_a_target),
        cmocka_unit_test(files_need_what_they_hold),
        cmocka_unit_test(no_writer_takes_a_scene_that_breaks_its_promises),
    };
    return cmocka_run_group_tests_name("refusals", tests, make_all, destroy_all);
}
