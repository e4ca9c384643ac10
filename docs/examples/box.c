// A box slides down a plane of 30 degrees with friction 0.2. The last column is the closed form, a t^2 / 2.
#include <eigenrig/eigenrig.h>
#include <stdio.h>

int main(void)
{
    er_context *context = NULL;
    er_model *model = NULL;
    er_world *world = NULL;
    const double slope = ER_PI / 6.0, mu = 0.2;
    er_body box = er_default_body();
    er_model_def def = er_default_model_def();
    er_world_def motion = er_default_world_def();
    er_world_shape shape[] = {er_default_world_shape(), er_default_world_shape()};
    shape[0].shape = (er_shape){.kind = ER_SHAPE_BOX, .half = {0.5, 0.5, 0.5}};
    shape[0].body = 0;
    shape[1].shape.kind = ER_SHAPE_PLANE; // of the world, solid below z = 0
    shape[0].friction = shape[1].friction = mu;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    bool ok = er_shape_mass(context, &shape[0].shape, 1000.0, &box.mass, &box.com, &box.inertia) == ER_OK;
    box.pose.p = er_v3(0, 0, 0.5);
    def.body_count = 1;
    def.body = &box;
    ok = ok && er_model_create(context, &def, &model) == ER_OK;
    motion.model = model;
    motion.gravity = er_v3(9.81 * sin(slope), 0, -9.81 * cos(slope)); // the world is tilted, not the plane
    motion.shape_count = 2;
    motion.shape = shape;
    motion.max_step = 1.0 / 240;
    ok = ok && er_world_create(context, &motion, &world) == ER_OK;
    for (int k = 0; ok && k <= 10; ++k) {
        double t = 0.1 * k, way = 0.5 * 9.81 * (sin(slope) - mu * cos(slope)) * t * t;
        ok = er_world_advance(world, t, NULL) == ER_OK;
        printf("%.1f s  %.5f m  %.5f m\n", t, er_world_pose(world)[0].p.x, way);
    }
    if (!ok) fprintf(stderr, "%s\n", er_context_error(context));
    er_world_destroy(world);
    er_model_destroy(model);
    er_context_destroy(context);
    return !ok;
}
