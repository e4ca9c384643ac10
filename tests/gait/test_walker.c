// Walkers on the ground: they go ten lengths, bear pushes, turn, stop and stand; forces are within friction and add up.
#include <eigenrig/control.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gait/control/walker.h"
#include "gait/walkers.h"
#include "support/judge.h"

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
        shape[i].shape = (er_shape){.kind = ER_SHAPE_BOX,
                                    .half = {sqrt(c * (y + z - x)), sqrt(c * (x + z - y)), sqrt(c * (x + y - z))}};
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

typedef enum kind { BIPED, QUADRUPED } kind;

static gait_search found[2]; // once for all tests

static void begin(walking *w, kind of)
{
    if (found[of].gaits == NULL) found[of] = find(of == BIPED ? make_biped(usual) : make_quadruped(usual), 12);
    er_model *model = found[of].model;
    *w = (walking){.f = found[of]};
    assert_true(w->f.gaits->count > 0);
    w->gait = &w->f.gaits->gait[0];
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
}

static int tear_down_found(void **state)
{
    for (int i = 0; i < 2; ++i)
        if (found[i].gaits != NULL) lose(&found[i]);
    return tear_down(state);
}

static er_vec3 centre_after(walking *w, double seconds)
{
    go_for(w, seconds);
    er_walker_state state = er_walker_measure(w->walker);
    assert_int_equal(state.fallen, ER_WALKER_UPRIGHT);
    return state.centre;
}

static void wish(walking *w, double ahead, double aside, double turn)
{
    ok(er_walker_go(w->walker, (er_walker_wish){ahead, aside, turn}));
}

// A biped and a quadruped follow wishes one after the other, and stand between.
static void it_goes_where_it_is_asked_to(void **state)
{
    for (kind of = BIPED; of <= QUADRUPED; ++of) {
        walking w;
        begin(&w, of);
        double v = w.gait->speed, leg = w.f.gaits->body->leg;
        er_vec3 ahead = w.f.gaits->body->forward, aside = w.f.gaits->body->left;
        er_vec3 a = centre_after(&w, 1.0), b = centre_after(&w, 4.0);
        measure_at_most("speed of a walk, off", fabs(er_v3_dot(er_v3_sub(b, a), ahead) / (4.0 * v) - 1.0), 0.15);
        wish(&w, v, 0.0, 0.4);
        go_for(&w, 4.0);
        double heading = er_walker_measure(w.walker).heading;
        measure_at_most("heading after a turn, rad, off", fabs(heading - 1.6), 0.15);
        wish(&w, 0.0, 0.3 * v, 0.0); // to its own left
        go_for(&w, 3.0);
        a = er_walker_measure(w.walker).centre;
        b = er_v3_sub(centre_after(&w, 4.0), a);
        heading = er_walker_measure(w.walker).heading;
        er_vec3 left = er_v3_madd(er_v3_scale(cos(heading), aside), -sin(heading), ahead);
        assert_true(er_v3_dot(b, left) > 0.5 * 4.0 * 0.3 * v);
        wish(&w, 0.0, 0.0, 0.0);
        a = centre_after(&w, 6.0);
        assert_true(er_walker_measure(w.walker).stands);
        b = centre_after(&w, 3.0);
        measure_at_most("way of a stand, legs", er_v3_distance(a, b) / leg, 0.02);
        wish(&w, v, 0.0, 0.0);
        b = centre_after(&w, 4.0);
        assert_true(er_v3_distance(a, b) > 2.0 * v && !er_walker_measure(w.walker).stands);
        assert_true(er_walker_measure(w.walker).torque < 1.0 && !er_walker_measure(w.walker).capped);
        measure_at_most("slip over speed", er_walker_measure(w.walker).slip / v, 0.02);
        end(&w);
    }
}

// A standing walker is set down, stays, and is pushed until it must step.
static void a_stand_bears_a_push(void **state)
{
    for (kind of = BIPED; of <= QUADRUPED; ++of) {
        walking w;
        begin(&w, of);
        int trunk = er_walker_trunk(w.walker);
        double weight = w.walker->mass * w.f.gaits->body->gravity;
        place(&w, 0.7, -1.0);
        er_vec3 a = centre_after(&w, 2.0), b = centre_after(&w, 2.0);
        measure_at_most("way of a stand, legs", er_v3_distance(a, b) / w.f.gaits->body->leg, 0.02);
        for (int side = -1; side <= 1; side += 2) {
            er_vec3 impulse = er_v3_scale(side * 0.05 * weight, w.f.gaits->body->left); // half the weight for 0.1 s
            ok(er_world_push(w.world, trunk, w.f.model->body[trunk].com, impulse));
            centre_after(&w, 5.0);
            assert_true(er_walker_measure(w.walker).stands);
        }
        end(&w);
    }
}

// The ground's forces: within the pyramid of friction, only at feet that stand, and they give momentum what is asked.
static void forces_are_within_friction_and_add_up(void **state)
{
    walking w;
    begin(&w, QUADRUPED);
    const er_walker *k = w.walker;
    for (int step = 0; step < 400; ++step) {
        step_on(&w);
        er_vec3 sum = er_v3(0, 0, 0), momentum = er_v3(0, 0, 0);
        for (int b = 0; b < w.f.model->body_count; ++b) {
            er_vec3 f = k->ground[b].force;
            double normal = er_v3_dot(f, k->up);
            er_vec3 along = er_v3_madd(f, -normal, k->up);
            assert_true(er_v3_norm(along) <= sqrt(2.0) * k->def.friction * normal + 1e-9 * k->mass);
            if (normal > 0.0) assert_true(k->memory_step[k->body[b].foot].stands);
            sum = er_v3_add(sum, f);
            const eri_walk_body *body = &k->body[b];
            er_vec3 arm = er_v3_sub(body->centre, body->pose.p);
            er_vec3 rate = er_v3_add(body->origin_rate, er_v3_cross(body->spin_rate, arm));
            rate = er_v3_add(rate, er_v3_cross(body->spin, er_v3_cross(body->spin, arm)));
            momentum = er_v3_madd(momentum, body->mass, er_v3_madd(rate, k->g, k->up));
        }
        measure_at_most("momentum, off", er_v3_distance(sum, momentum) / (k->mass * k->g), 1e-10);
    }
    end(&w);
}

// Torques beside er_inverse's, for the accelerations that a step plans and the forces that it counts on.
static void torques_are_those_of_inverse_dynamics(void **state)
{
    walking w;
    begin(&w, BIPED);
    const er_walker *k = w.walker;
    const er_model *m = er_walker_model(w.walker);
    int n = m->body_count;
    er_inverse *inverse = NULL;
    er_inverse_def def = er_default_inverse_def();
    def.model = m;
    def.gravity = er_v3_scale(-k->g, k->up);
    ok(er_inverse_create(context, &def, &inverse));
    er_twist *twist = calloc((size_t)n, sizeof *twist), *rate = calloc((size_t)n, sizeof *rate);
    er_wrench *joint = calloc((size_t)m->joint_count, sizeof *joint), *left = calloc((size_t)n, sizeof *left);
    double *force = calloc(3 * (size_t)m->coordinate_count + 3, sizeof *force);
    er_pose *pose = calloc((size_t)n, sizeof *pose);
    for (int step = 0; step < 60; ++step) {
        for (int b = 0; b < n; ++b) {
            pose[b] = er_world_pose(w.world)[b];
            twist[b] = er_world_twist(w.world)[b];
        }
        step_on(&w); // plans at that state
        for (int b = 0; b < n; ++b) {
            const eri_walk_body *body = &k->body[b];
            er_quat back = er_q_conj(pose[b].q);
            rate[b].angular = er_q_rotate(back, body->spin_rate);
            rate[b].linear =
                er_v3_sub(er_q_rotate(back, body->origin_rate), er_v3_cross(twist[b].angular, twist[b].linear));
        }
        er_inverse_frame frame = {.pose = pose,
                                  .twist = twist,
                                  .rate = rate,
                                  .applied = k->ground,
                                  .joint = joint,
                                  .force = force,
                                  .passive = force + m->coordinate_count,
                                  .power = force + 2 * m->coordinate_count,
                                  .residual = left};
        ok(er_inverse_solve(inverse, &frame));
        double largest = 0.0, off = 0.0;
        for (int b = 0; b < n; ++b) {
            if (b == k->root) continue;
            largest = fmax(largest, er_v3_norm(joint[m->tree_joint[b]].torque));
            off = fmax(off, er_v3_distance(joint[m->tree_joint[b]].torque, k->body[b].torque));
        }
        measure_at_most("torque beside inverse dynamics, off", off / largest, 1e-9);
        measure_at_most("force that the ground does not give, over the weight",
                        er_v3_norm(left[k->root].force) / (k->mass * k->g), 1e-9);
        measure_at_most("torque that it does not give, m g L",
                        er_v3_norm(left[k->root].torque) / (k->mass * k->g * k->leg_length), 1e-9);
    }
    free(pose);
    free(force);
    free(left);
    free(joint);
    free(rate);
    free(twist);
    er_inverse_destroy(inverse);
    end(&w);
}

// The plan obeys its two equations, at another speed too, and repeats.
static void the_plan_is_a_periodic_pendulum(void **state)
{
    walking w;
    begin(&w, QUADRUPED);
    er_walker *k = w.walker;
    const int count = ERI_WALK_PHASES;
    double h = k->stride / count;
    for (int fast = 0; fast < 2; ++fast) {
        double v = (1.0 + fast) * k->speed;
        k->memory->now.ahead = v;
        eri_walk_make_plan(k, v, 0.0);
        for (int i = 0; i < count; ++i)
            for (int c = 0; c < 2; ++c) { // exact where the pressure stays over a step
                const eri_walk_plan *a = &k->plan[i], *b = &k->plan[(i + 1) % count];
                double drift = c == 0 ? v / k->omega : 0.0, e = exp(k->omega * h);
                double xi = a->pressure[c] + drift + (a->divergent[c] - a->pressure[c] - drift) * e;
                double centre = a->divergent[c] - drift + (a->centre[c] - a->divergent[c] + drift) / e;
                measure_at_most("divergent component, legs, off", fabs(xi - b->divergent[c]) / k->leg_length, 1e-9);
                measure_at_most("centre of mass, legs, off", fabs(centre - b->centre[c]) / k->leg_length, 1e-9);
            }
    }
    end(&w);
}

// Between stances the planned centre of mass is ballistic; a stride's momentum is what gravity takes, and it repeats.
static void a_plan_with_flight_is_ballistic(void **state)
{
    walking w;
    begin(&w, BIPED);
    er_walker *k = w.walker;
    const int count = ERI_WALK_PHASES;
    double h = k->stride / count, v = k->speed, lift = 0.0;
    for (int i = 0; i < k->leg_count; ++i)
        k->leg[i].duty = 0.3;
    eri_walk_make_bounce(k);
    eri_walk_make_plan(k, v, 0.0);
    int flying = 0;
    for (int i = 0; i < count; ++i) {
        const eri_walk_plan *a = &k->plan[i], *b = &k->plan[(i + 1) % count], *c = &k->plan[(i + 2) % count];
        lift += a->lift / count;
        measure_at_most("height beside its rate, legs, off", fabs(b->rise - a->rise - h * a->climb) / k->leg_length,
                        1e-9);
        double next = (a->divergent[0] - a->centre[0]) / a->lead, after = (b->divergent[0] - b->centre[0]) / b->lead;
        if (a->pull == 0.0 && c->pull == 0.0) {
            ++flying;
            measure_at_most("fall in flight, g, off", fabs(a->lift / k->g + 1.0), 1e-12);
            measure_at_most("speed in flight, off", fabs(after / next - 1.0), 1e-3);
        } else if (a->pull > 0.0) { // c'' = pull (c - p)
            double wanted = a->pull * (a->centre[0] - a->pressure[0]);
            measure_at_most("pull, g, off", fabs((after - next) / h - wanted) / k->g, 0.05);
        }
    }
    assert_true(flying > count / 4);
    measure_at_most("mean lift, g", fabs(lift) / k->g, 1e-12);
    end(&w);
}

// Saved and restored, it goes on to the bit.
static void it_is_restored_to_the_bit(void **state)
{
    walking w;
    begin(&w, BIPED);
    go_for(&w, 0.7);
    void *world = malloc(er_world_state_size(w.world)), *walker = malloc(er_walker_state_size(w.walker));
    er_world_save(w.world, world);
    er_walker_save(w.walker, walker);
    long steps = w.steps;
    go_for(&w, 0.5);
    uint64_t hash = er_world_hash(w.world);
    ok(er_world_restore(w.world, world));
    er_walker_restore(w.walker, walker);
    w.steps = steps;
    go_for(&w, 0.5);
    assert_true(er_world_hash(w.world) == hash);
    free(walker);
    free(world);
    end(&w);
}

// At another place, size, mass and gravity it is the same walker, measured in its own units.
static void it_is_the_same_at_another_size(void **state)
{
    const double size = 0.6, weight = 3.0, gravity = 4.0;
    walking w;
    begin(&w, QUADRUPED);
    er_walker *large = w.walker, *small = NULL;
    int n = w.f.model->body_count;
    er_rig_shapes feet;
    er_walker_def def = er_default_walker_def();
    def.model = w.f.model;
    def.body = w.f.gaits->body;
    def.motion = w.stride;
    def.shapes = with_box_feet(&w, &feet);
    def.place = (er_pose){er_q_exp(er_v3(0.3, 1.1, -0.4)), {1, 2, 3}};
    def.scale = size;
    def.weight = weight;
    def.gravity = gravity;
    double slower = gravity / w.f.gaits->body->gravity, quick = sqrt(size * slower);
    def.speed = quick * w.gait->speed;
    def.hz = quick / size * w.gait->hz;
    def.floor = 0.0;
    ok(er_walker_create(context, &def, &small));
    er_pose *pose[2] = {calloc((size_t)n, sizeof **pose), calloc((size_t)n, sizeof **pose)};
    er_twist *twist[2] = {calloc((size_t)n, sizeof **twist), calloc((size_t)n, sizeof **twist)};
    er_walker_place(large, er_v3(0, 0, 0), 0.0, 0.3, pose[0], twist[0]);
    er_walker_place(small, er_v3(0, 0, 0), 0.0, 0.3, pose[1], twist[1]);
    for (int b = 0; b < n; ++b) {
        const er_body *body = &er_walker_model(small)->body[b];
        measure_at_most("mass, off", fabs(body->mass / (size * size * size * weight * w.f.model->body[b].mass) - 1.0),
                        1e-12);
        er_vec3 off = er_v3_scale(size, er_v3_sub(pose[0][b].p, pose[0][0].p));
        off = er_v3_sub(er_q_rotate(def.place.q, off), er_v3_sub(pose[1][b].p, pose[1][0].p));
        measure_at_most("place, m, off", er_v3_norm(off), 1e-9);
        measure_at_most("velocity, m/s, off",
                        er_v3_distance(er_v3_scale(quick, twist[0][b].linear), twist[1][b].linear), 1e-9);
    }
    measure_at_most("leg, off", fabs(small->leg_length / (size * large->leg_length) - 1.0), 1e-12);
    for (int i = 0; i < 2; ++i) {
        free(pose[i]);
        free(twist[i]);
    }
    free((void *)(uintptr_t)feet.shape);
    er_walker_destroy(small);
    end(&w);
}

static void what_cannot_walk_is_refused(void **state)
{
    walking w;
    begin(&w, QUADRUPED);
    er_walker *none = NULL;
    er_walker_def def = er_default_walker_def(), good;
    refused(er_walker_create(context, &def, &none), ER_ERROR_ARGUMENT, &none, "motion");
    def.model = w.f.model;
    def.body = w.f.gaits->body;
    def.motion = w.stride;
    def.speed = w.gait->speed;
    def.hz = w.gait->hz;
    good = def;
    const struct {
        double *field;
        const char *name;
    } wrong[] = {{&def.speed, "speed"},         {&def.hz, "hz"},         {&def.friction, "friction"},
                 {&def.torque, "torque"},       {&def.duty, "duty"},     {&def.lowering, "lowering"},
                 {&def.clearance, "clearance"}, {&def.width, "width"},   {&def.style, "style"},
                 {&def.scale, "scale"},         {&def.weight, "weight"}, {&def.gravity, "gravity"},
                 {&def.place.p.x, "place"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        for (int k = 0; k < 2; ++k) {
            def = good;
            *wrong[i].field = k == 0 && wrong[i].field != &def.place.p.x ? -1.0 : NAN;
            refused(er_walker_create(context, &def, &none), ER_ERROR_ARGUMENT, &none, wrong[i].name);
        }
    er_model_def turned = er_model_def_of(w.f.model); // a joint's ends are exchanged
    er_joint *joint = calloc((size_t)turned.joint_count, sizeof *joint);
    memcpy(joint, turned.joint, (size_t)turned.joint_count * sizeof *joint);
    int head = w.f.model->tree_joint[body_named(w.f.model, "head")];
    joint[head].child = turned.joint[head].parent;
    joint[head].parent = turned.joint[head].child;
    turned.joint = joint;
    er_model *exchanged = NULL;
    ok(er_model_create(context, &turned, &exchanged));
    er_gait_motion stride = *w.stride;
    stride.model = exchanged;
    def = good;
    def.model = exchanged;
    def.motion = &stride;
    refused(er_walker_create(context, &def, &none), ER_ERROR_RIG, &none, turned.joint[head].name);
    er_model_destroy(exchanged);
    free(joint);
    assert_int_equal(er_walker_go(w.walker, (er_walker_wish){NAN, 0, 0}), ER_ERROR_ARGUMENT);
    assert_int_equal(er_walker_go(w.walker, (er_walker_wish){4.0 * w.gait->speed, 0, 0}), ER_ERROR_ARGUMENT);
    assert_int_equal(er_walker_go(w.walker, (er_walker_wish){0, 0, 100.0}), ER_ERROR_ARGUMENT);
    er_walker_destroy(NULL);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_where_it_is_asked_to),
        cmocka_unit_test(a_stand_bears_a_push),
        cmocka_unit_test(forces_are_within_friction_and_add_up),
        cmocka_unit_test(torques_are_those_of_inverse_dynamics),
        cmocka_unit_test(the_plan_is_a_periodic_pendulum),
        cmocka_unit_test(a_plan_with_flight_is_ballistic),
        cmocka_unit_test(it_is_restored_to_the_bit),
        cmocka_unit_test(it_is_the_same_at_another_size),
        cmocka_unit_test(what_cannot_walk_is_refused),
    };
    return cmocka_run_group_tests_name("walker", tests, set_up, tear_down_found);
}
