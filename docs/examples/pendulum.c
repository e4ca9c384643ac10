// A pendulum in full motion: a rod of 1 m and 2 kg hangs on a hinge and is let go at 1 rad.
#include <eigenrig/eigenrig.h>
#include <stdio.h>

int main(void)
{
    er_context *context = NULL;
    er_model *model = NULL;
    er_world *world = NULL;
    er_body rod = er_default_body();
    er_joint hinge = er_default_joint(); // about z through the origin, from the world to body 0
    er_model_def def = er_default_model_def();
    er_world_def motion = er_default_world_def();
    rod.mass = 2.0;
    rod.com = er_v3(0, -0.5, 0);
    rod.inertia = (er_mat3){{{2.0 / 12, 0, 0}, {0, 0.01, 0}, {0, 0, 2.0 / 12}}};
    def.body_count = def.joint_count = 1;
    def.body = &rod;
    def.joint = &hinge;
    motion.gravity = er_v3(0, -9.81, 0);
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    bool ok = er_model_create(context, &def, &model) == ER_OK;
    motion.model = model;
    ok = ok && er_world_create(context, &motion, &world) == ER_OK;
    double angle = 1.0, rate = 0.0;
    ok = ok && er_world_set_displacement(world, 0.0, &angle, &rate) == ER_OK;
    for (int k = 0; ok && k <= 40; ++k) {
        ok = er_world_advance(world, 0.05 * k, NULL) == ER_OK;
        er_world_coordinates(world, &angle, &rate);
        double energy = er_world_measure_energy(world).mechanical;
        printf("%.2f s  %9.6f rad  %9.6f rad/s  %.6f J\n", 0.05 * k, angle, rate, energy);
    }
    if (!ok) fprintf(stderr, "%s\n", er_context_error(context));
    er_world_destroy(world);
    er_model_destroy(model);
    er_context_destroy(context);
    return !ok;
}
