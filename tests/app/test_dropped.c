// Real rigs dropped from their own height: they come to rest within 10 s, and their meshes not through the floor.
#include <math.h>
#include <stdio.h>

#include <eigenrig/motion.h>

#include "app/project/project_simulate.h"
#include "app/project/target.h"
#include "support/context.h"
#include "support/hand.h"

enum { SECONDS = 10 };

// The lowest vertex of what is drawn, m, along the scene's way up, in a frame of a clip.
static double lowest_vertex(const er_recording_target *target, const er_clip *clip, double time)
{
    const er_scene *s = target->scene;
    size_t nodes = (size_t)s->node_count;
    er_affine *local = calloc(nodes, sizeof *local), *world = calloc(nodes, sizeof *world);
    double low = HUGE_VAL;
    er_scene_sample(s, clip, time, local);
    er_scene_world(s, local, world);
    for (int i = 0; i < s->instance_count; ++i) {
        int count = s->mesh[s->instance[i].mesh].vertex_count;
        double *p = calloc(3 * (size_t)count, sizeof *p);
        er_scene_skin(s, i, world, p);
        for (int v = 0; v < count; ++v)
            low = fmin(low, er_v3_dot(s->up, er_v3(p[3 * v], p[3 * v + 1], p[3 * v + 2])));
        free(p);
    }
    free(world);
    free(local);
    return low * target->metres_per_unit;
}

static er_recording *record(const project_simulation *done, const er_recording_target *target)
{
    const er_world_frames *f = &done->frames;
    const er_recorded_poses poses = {f->model, f->frame_count, f->time, f->pose, false, 0, NULL};
    er_recording_def def = er_default_recording_def();
    er_recording *out = NULL;
    if (er_poses_record(context, &poses, target, &def, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

// Whether it is at rest; it may be about to topple from an edge that it stood on for seconds, and is slow then.
static bool rests(const char *file, const er_rig *rig)
{
    project_simulation_def def = project_default_simulation_def();
    project_simulation done;
    project_target target;
    def.duration = SECONDS;
    def.fps = 30.0;
    def.ground.drop = rig->height;
    if (project_simulate(context, rig->model, rig, &def, NULL, NULL, &done) != ER_OK)
        fail_msg("%s: %s", file, er_context_error(context));
    assert_int_equal(project_target_set(context, done.frames.model, rig, NULL, &target), ER_OK);
    er_recording *clip = record(&done, &target.target);
    double fall = rig->total_mass * 9.81 * rig->height, most = 0.0, low = HUGE_VAL, high = -HUGE_VAL;
    double floor = lowest_vertex(&target.target, &clip->clip, 0.0) - rig->height;
    for (int k = 0; k < done.frames.frame_count; ++k) {
        double time = done.frames.time[k];
        if (time < SECONDS - 1) continue;
        double at = (lowest_vertex(&target.target, &clip->clip, time) - floor) / rig->height;
        low = fmin(low, at);
        high = fmax(high, at);
        most = fmax(most, done.frames.energy[k].kinetic / fall);
    }
    print_message("# %s: over the last second kinetic energy %.1e of the fall's, lowest vertex at %.2f to %.2f %%\n",
                  file, most, 100.0 * low, 100.0 * high);
    assert_true(most < 0.05);
    assert_true(low > -0.01 && high < 0.01); // of its height: skin bends at joints, bodies do not
    er_recording_destroy(clip);
    project_target_clear(&target);
    project_simulation_clear(&done);
    return most == 0.0; // it sleeps
}

static void what_is_dropped_from_its_height_comes_to_rest(void **state)
{
    static const char *const files[] = {"CesiumMan.glb",         "Shark.glb",
                                        "hand_glove_low_L.gltf", "kenney_character.glb",
                                        "quaternius_horse.fbx",  "cmu_jumping_jacks.bvh"};
    int tried = 0, resting = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        er_scene *scene = hand_import(context, files[i]);
        if (scene == NULL) continue;
        er_rig *rig = hand_rig(context, scene, NULL);
        resting += rests(files[i], rig);
        er_rig_destroy(rig);
        er_scene_destroy(scene);
        ++tried;
    }
    if (tried == 0) skip();
    assert_true(resting >= tried - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_dropped_from_its_height_comes_to_rest)};
    return cmocka_run_group_tests_name("dropped", tests, set_up, tear_down);
}
