// A model falls from 1 m as a ragdoll: ragdoll MODEL
#include <eigenrig/eigenrig.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    er_context *context = NULL;
    er_opened *opened = NULL;
    er_rig_shapes *solid = NULL;
    er_world *world = NULL;
    const er_vec3 up = {0, 1, 0};
    er_world_def motion = er_default_world_def();
    if (argc < 2 || er_context_create(NULL, &context) != ER_OK) return 1;
    bool ok = er_file_open(context, argv[1], NULL, NULL, &opened) == ER_OK &&
              er_rig_shapes_create(context, opened->model, opened->rig, &solid) == ER_OK;
    er_world_shape *shape = ok ? calloc((size_t)solid->count + 1, sizeof *shape) : NULL;
    for (int i = 0; shape != NULL && i <= solid->count; ++i) {
        shape[i] = er_default_world_shape();
        if (i == solid->count) break;
        shape[i].shape = solid->shape[i].shape;
        shape[i].body = solid->shape[i].body;
        shape[i].pose = solid->shape[i].pose;
        shape[i].groups = shape[i].ignores = 1; // its own parts do not collide
    }
    if (shape != NULL) {
        shape[solid->count].shape.kind = ER_SHAPE_PLANE; // of the world, solid below its z, 1 m below the origin
        shape[solid->count].pose = er_joint_frame_along(er_v3(0, -1, 0), up);
        motion.model = opened->model;
        motion.gravity = er_v3(0, -9.81, 0);
        motion.shape_count = solid->count + 1;
        motion.shape = shape;
        motion.max_step = 1.0 / 240;
    }
    ok = shape != NULL && er_world_create(context, &motion, &world) == ER_OK;
    for (int k = 0; ok && k <= 30; ++k) {
        ok = er_world_advance(world, 0.1 * k, NULL) == ER_OK;
        er_world_energy energy = er_world_measure_energy(world);
        double lowest = er_rig_shapes_lowest(solid, er_world_pose(world), up);
        printf("%.1f s  %7.4f m  %10.3f J  %10.3f J\n", 0.1 * k, lowest, energy.mechanical, energy.heat);
    }
    if (!ok) fprintf(stderr, "%s\n", er_context_error(context));
    er_world_destroy(world);
    free(shape);
    er_rig_shapes_destroy(solid);
    er_opened_destroy(opened);
    er_context_destroy(context);
    return !ok;
}
