// Walkers on the ground: they go ten lengths, bear pushes, turn, stop and stand; forces are within friction and add up.
#include <eigenrig/control.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/walker.h"
#include "gait/walkers.h"

typedef struct walking {
    gait_search f;
    const er_gait *gait;
    er_gait_motion *stride;
    er_rig_shapes *shapes;
    er_walker *walker;
    er_world *world;
    long steps;
} walking;

// Feet are boxes of their inertia, as they were made.
static er_rig_shapes *with_box_feet(const walking *w, er_rig_shapes *out)
{
    er_body_shape *shape = calloc((size_t)w->shapes->count, sizeof *shape);
    memcpy(shape, w->shapes->shape, (size_t)w->shapes->count * sizeof *shape);
    for (int i = 0; i < w->shapes->count; ++i) {
        const er_body *b = &w->f.model->body[shape[i].body];
        double x = b->inertia.m[0][0], y = b->inertia.m[1][1], z = b->inertia.m[2][2], c = 1.5 / b->mass;
        if (strstr(b->name, "foot") == NULL) continue;
        shape[i].shape = (er_shape){.kind = ER_SHAPE_BOX, .half = {sqrt(c * (y + z - x)), sqrt(c * (x + z - y)), sqrt(c * (x + y - z))}};
        shape[i].pose = (er_pose){er_q_identity(), b->com};
    }
    *out = *w->shapes;
    out->shape = shape;
    return out;
}

static er_world_shape *shapes_of(const walking *w, const er_rig_shapes *shapes, int *count)
{
    const er_gait_body *body = w->f.gaits->body;
    er_world_shape *out = calloc((size_t)w->shapes->count + 1, sizeof *out);
    *count = w->shapes->count + 1;
    for (int i = 0; i < *count; ++i) {
        out[i] = er_default_world_shape();
        out[i].friction = 0.8;
    }
    for (int i = 0; i < w->shapes->count; ++i) {
        out[i].shape = shapes->shape[i].shape;
        out[i].pose = shapes->shape[i].pose;
        out[i].body = w->shapes->shape[i].body;
        out[i].groups = out[i].ignores = 1;
    }
    er_world_shape *floor = &out[w->shapes->count];
    floor->shape = (er_shape){.kind = ER_SHAPE_PLANE};
    floor->pose.q = er_q_upright(er_v3(0, 0, 1)); // its normal is z, and up is +Y
    floor->pose.p = er_v3_scale(body->ground, body->up);
    return out;
}

static void step_on(walking *w)
{
    ok(er_walker_control(w->walker, w->world));
    ok(er_world_advance(w->world, (double)++w->steps * er_walker_step(w->walker), NULL));
}

static void go_for(walking *w, double seconds)
{
    for (long until = w->steps + (long)(seconds / er_walker_step(w->walker)); w->steps < until;)
        step_on(w);
}

// Places it at a phase, negative: standing.
static void place(walking *w, double heading, double phase)
{
    size_t n = (size_t)w->f.model->body_count;
    er_pose *pose = calloc(n, sizeof *pose);
    er_twist *twist = calloc(n, sizeof *twist);
    er_walker_place(w->walker, er_v3(0, 0, 0), heading, phase, pose, twist);
    ok(er_world_set_state(w->world, 0.0, pose, twist));
    w->steps = 0;
    free(pose);
    free(twist);
}

static void begin(walking *w, er_model *model, int which)
{
    *w = (walking){.f = find(model, 12)};
    assert_true(w->f.gaits->count > which);
    w->gait = &w->f.gaits->gait[which];
    er_walker_def def = er_default_walker_def();
    er_world_def world = er_default_world_def();
    ok(er_gait_move(context, model, w->f.modes, w->f.gaits, w->gait, 120.0 * w->gait->hz, &w->stride));
    ok(er_rig_shapes_create(context, model, NULL, &w->shapes));
    def.model = model;
    def.body = w->f.gaits->body;
    def.motion = w->stride;
    def.speed = w->gait->speed;
    def.hz = w->gait->hz;
    er_rig_shapes feet;
    def.shapes = with_box_feet(w, &feet);
    def.floor = w->f.gaits->body->ground;
    ok(er_walker_create(context, &def, &w->walker));
    er_world_shape *shape = shapes_of(w, &feet, &world.shape_count);
    world.shape = shape;
    world.model = er_walker_model(w->walker);
    world.gravity = er_v3_scale(-w->f.gaits->body->gravity, w->f.gaits->body->up);
    world.motor = er_walker_motors(w->walker, &world.motor_count);
    world.max_step = er_walker_step(w->walker);
    ok(er_world_create(context, &world, &w->world));
    free(shape);
    free((void *)(uintptr_t)feet.shape);
    place(w, 0.0, 0.0);
}

static void end(walking *w)
{
    er_world_destroy(w->world);
    er_walker_destroy(w->walker);
    er_rig_shapes_destroy(w->shapes);
    er_gait_motion_destroy(w->stride);
    lose(&w->f);
}

static void look(walking *w, const char *when)
{
    er_walker_state s = er_walker_measure(w->walker);
    printf("# %s: t %.2f fell %d at %.3f %.3f %.3f v %.3f %.3f %.3f heading %.2f stands %d torque %.2f slip %.3f\n", when,
           er_world_time(w->world), s.fallen, s.centre.x, s.centre.y, s.centre.z, s.velocity.x, s.velocity.y, s.velocity.z,
           s.heading, s.stands, s.torque, s.slip);
}

static void it_goes(void **state)
{
    for (int kind = 0; kind < 2; ++kind) {
        walking w;
        begin(&w, kind == 0 ? make_biped(usual) : make_quadruped(usual), 0);
        printf("# %s %.2f m/s %.2f Hz leg %.2f\n", w.gait->name, w.gait->speed, w.gait->hz, w.f.gaits->body->leg);
        for (int i = 0; i < w.f.gaits->body->foot_count; ++i) {
            const er_gait_foot *f = &w.f.gaits->body->foot[i];
            const eri_walk_leg *l = &w.walker->leg[i];
            printf("#  foot %s flat %d points %d joints %d reach %.3f rest %.3f | td %.2f duty %.2f share %.2f at %.3f %.3f points %d\n", f->name, f->flat, f->point_count, f->joint_count, f->reach, f->rest, l->touchdown, l->duty, l->share, l->ahead, l->aside, l->point_count);
        }
        go_for(&w, 10.0);
        look(&w, "10 s");
        ok(er_walker_go(w.walker, (er_walker_wish){w.gait->speed, 0, 0.3}));
        go_for(&w, 6.0);
        look(&w, "turned");
        ok(er_walker_go(w.walker, (er_walker_wish){0.5 * w.gait->speed, 0, 0}));
        go_for(&w, 5.0);
        look(&w, "slower");
        ok(er_walker_go(w.walker, (er_walker_wish){0, 0.3 * w.gait->speed, 0}));
        go_for(&w, 5.0);
        look(&w, "aside");
        ok(er_walker_go(w.walker, (er_walker_wish){0, 0, 0}));
        go_for(&w, 6.0);
        look(&w, "stop");
        go_for(&w, 6.0);
        look(&w, "stood");
        ok(er_walker_go(w.walker, (er_walker_wish){w.gait->speed, 0, 0}));
        go_for(&w, 6.0);
        look(&w, "again");
        place(&w, 1.0, -1.0);
        go_for(&w, 5.0);
        look(&w, "stand");
        ok(er_walker_go(w.walker, (er_walker_wish){w.gait->speed, 0, 0}));
        go_for(&w, 6.0);
        look(&w, "off");
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_goes)};
    return cmocka_run_group_tests_name("walker", tests, set_up, tear_down);
}
