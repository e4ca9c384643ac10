// The sub-steps' passes, gone over until they stay, against the reference solver's sweeps, which are judged by
// pivoting: of one problem, bodies without joints and trees.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"
#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

// Overlaps of a little, so that every contact bears at once.
static const double deep = 1e-5;

static void build_stack(void)
{
    for (int i = 0; i < 3; ++i)
        scene_add(&s, scene_brick(0.5, 0.4, 0.3), 1.0 + i, at(0.05 * i, 0.02 * i, (0.3 - deep) * (2 * i + 1)), 0.5,
                  0.0);
}

static void build_balls(void)
{
    for (int i = 0; i < 3; ++i)
        scene_add(&s, scene_ball(0.5), 1.0 + i, at((1.0 - deep) * i, 0, 0.5 - deep), 0.4, 0.0);
}

static void build_chain(void)
{
    scene_chain(&s, 4, 0.08 - deep, 20.0);
}

// A ball hinged upon a ball: one contact, that slides.
static void build_pair(void)
{
    scene_add(&s, scene_ball(0.4), 1.0, at(0, 0, 0.4 - deep), 1e-3, 0.0);
    scene_add(&s, scene_ball(0.3), 0.5, at(0.1, 0, 1.2), 0.1, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, 0, 1, (er_pose){er_q_exp(er_v3(1, 0.3, 0)), er_v3(0, 0, 0.8)});
}

static void momenta_of(const er_body *b, er_pose pose, er_twist twist, er_vec3 *linear, er_vec3 *angular)
{
    er_vec3 v = er_v3_add(twist.linear, er_v3_cross(twist.angular, b->com));
    *linear = er_v3_scale(b->mass, er_q_rotate(pose.q, v));
    *angular = er_q_rotate(pose.q, er_m3_mul_v(b->inertia, twist.angular));
}

// Finds contacts, and the velocities that they will change in a step.
static void begin_step(er_world *w, double h)
{
    eri_contacts *c = w->contacts;
    eri_account account = {0};
    memcpy(c->state.q, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(c->state.u, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    assert_int_equal(eri_contacts_collide(w, h), ER_OK);
    eri_minimal_focus(w, true);
    assert_int_equal(eri_minimal_impel(w, 0.0, c->state.q, c->state.u, h, &account, c->state.du), ER_OK);
    eri_solver_load_velocities(w, c->state.du);
}

// A step's problem of a world, solved over and over from the impulses that were, until it stays; the twists it leaves.
static void settle(er_world *w, double h, er_twist *twist)
{
    eri_contacts *c = w->contacts;
    double heat = 0.0;
    static double begin[1000], u[1000];
    begin_step(w, h);
    assert_true(c->bodies.width < 1000 && w->velocity_count < 1000);
    memcpy(begin, c->state.V, (size_t)c->bodies.width * sizeof *begin);
    for (int round = 0; round < 4000; ++round) {
        memcpy(c->state.V, begin, (size_t)c->bodies.width * sizeof *begin);
        for (int i = 0; i < c->narrow.now.point_count; ++i)
            c->narrow.now.point[i].distance = -0.1;
        assert_int_equal(eri_tree_constraints_prepare(w), ER_OK);
        assert_int_equal(eri_body_constraints_prepare(w), ER_OK);
        eri_contacts_solve(w, h);
        assert_int_equal(eri_tree_constraints_finish(w, h, &heat), ER_OK);
    }
    memcpy(u, c->state.u, (size_t)w->velocity_count * sizeof *u);
    for (int i = 0; i < c->bodies.articulation_count; ++i) {
        const eri_articulation *a = &c->bodies.articulation[i];
        for (int k = a->first_velocity; k < a->first_velocity + a->velocity_count; ++k)
            u[k] += c->state.rate_change[k];
    }
    eri_minimal_focus(w, false);
    er_pose pose[16];
    eri_minimal_bodies(w, 0.0, c->state.q, u, pose, twist);
    for (int i = c->bodies.static_count; i < c->bodies.count; ++i) { // frames are at the centres of mass
        int b = c->bodies.model_body[i];
        const double *V = c->state.V + ERI_LANE_COUNT * i;
        er_quat back = er_q_conj(w->pose[b].q);
        twist[b] = (er_twist){er_q_rotate(back, er_v3(V[0], V[1], V[2])), er_q_rotate(back, er_v3(V[3], V[4], V[5]))};
    }
}

// Three pills bent to a hook whose ends touch, a ball upon it.
static void build_hook(void)
{
    const er_quat along = er_q_exp(er_v3(0, 0.5 * ER_PI, 0));
    const er_pose frame[3] = {{along, er_v3(0, 0, 0.1 - deep)},
                              {er_q_identity(), er_v3(-0.4, 0, 0.2)},
                              {along, er_v3(0, 0, 0.3 - 2.0 * deep)}};
    for (int i = 0; i < 3; ++i)
        scene_add(&s, scene_pill(0.1, i == 1 ? 0.1 : 0.6), 1.0 + i, frame[i], 0.5, 0.0);
    rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, 0, 1, at(-0.4, 0, 0.1));
    rig_add_joint(&s.rig, ER_JOINT_UNIVERSAL, 1, 2, at(-0.4, 0, 0.3));
    scene_add(&s, scene_ball(0.2), 2.0, at(0.1, 0, 0.6 - 3.0 * deep), 0.3, 0.0);
}

// Eight pills in a ring, by hinges, loads on it.
static void build_ring(void)
{
    for (int i = 0; i < 8; ++i) {
        double turn = 0.25 * ER_PI * i;
        er_quat q = er_q_mul(er_q_exp(er_v3(0, 0, turn)), er_q_exp(er_v3(0.5 * ER_PI, 0, 0)));
        scene_add(&s, scene_pill(0.1, 0.4), 1.0, (er_pose){q, er_v3(cos(turn), sin(turn), 0.1 - deep)}, 0.5, 0.0);
        s.shape[s.shape_count - 1].groups = s.shape[s.shape_count - 1].ignores = 1;
    }
    for (int i = 0; i < 8; ++i) {
        double turn = 0.25 * ER_PI * (i + 0.5), far = 1.0 / cos(0.125 * ER_PI);
        er_pose frame = {er_q_exp(er_v3(0, 0, turn)), er_v3(far * cos(turn), far * sin(turn), 0.1 - deep)};
        er_joint *j = rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, i, (i + 1) % 8, frame);
        j->closes_loop = i == 7;
    }
    scene_add(&s, scene_ball(0.3), 5.0, at(1.0, 0, 0.5 - 2.0 * deep), 0.3, 0.0);
}

static const struct {
    const char *name;
    void (*build)(void);
    double limit; // the reference holds joints at the step's end too, where bodies have turned: steps are short there
} small[] = {{"stack", build_stack, 1e-8},
             {"balls", build_balls, 1e-8},
             {"chain", build_chain, 1e-4},
             {"pair", build_pair, 1e-4}};

static void passes_come_to_what_sweeps_find(void **state)
{
    for (int k = 0; k < 12; ++k) {
        scene_clear(&s);
        small[k % 4].build();
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        // links that a hinge ties may share a load in many ways, and slide or stick by it: friction that decides
        for (int i = 0; i < s.shape_count && k % 4 == 2; ++i)
            s.shape[i].friction = k == 2 ? 0.5 : k == 6 ? 50.0 : 0.0;
        s.def.contact =
            (er_contact_def){.substeps = 1, .threads = 1, .frequency = 30.0, .damping = 1e15, .push_out = 3.0};
        s.def.reference = (er_reference_def){.iterations = 100000, .accuracy = 1e-14, .relaxation = 1.0, .cone = true};
        if (k % 4 >= 2) s.def.max_step = 1e-5;
        er_world *soft = scene_begin(&s);
        s.def.route = ER_ROUTE_MULTIPLIERS;
        er_world *swept = scene_another(&s);
        er_vec3 blow = er_v3_scale(k / 4, er_v3(0.7, 0.4, -1.0)); // at rest, sticking and sliding
        er_world *both[2] = {soft, swept};
        for (int i = 0; i < 2; ++i)
            if (er_world_push(both[i], s.rig.body_count - 1, er_v3(0, 0, 0.01), blow) != ER_OK)
                fail_msg("%s", er_context_error(context));
        er_twist twist[16];
        settle(soft, s.def.max_step, twist);
        scene_advance(swept, s.def.max_step);
        assert_true(er_world_reference_report(swept).residual <= 1e-12);
        assert_int_equal(er_world_contact_count(swept), soft->contacts->narrow.now.point_count);
        for (int b = 0; b < s.rig.body_count; ++b) {
            er_vec3 P, L, P0, L0;
            momenta_of(&s.model->body[b], er_world_pose(soft)[b], twist[b], &P, &L);
            momenta_of(&s.model->body[b], er_world_pose(swept)[b], er_world_twist(swept)[b], &P0, &L0);
            double apart = er_v3_distance(P, P0) + er_v3_distance(L, L0);
            measure_at_most(small[k % 4].name, apart, small[k % 4].limit);
        }
        er_world_destroy(swept);
        scene_end(&s, soft);
    }
}

// Where limbs are struck, what blows make of their velocities and ways one by one, from limb to limb, is what all of
// them make of the trees' rates at once.
static void blows_reach_all_limbs(void **state)
{
    void (*const build[])(void) = {build_chain, build_pair, build_hook, build_ring};
    for (int k = 0; k < 4; ++k) {
        scene_clear(&s);
        build[k]();
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        er_world *w = scene_begin(&s);
        for (int b = 0; b < s.rig.body_count; ++b)
            if (er_world_push(w, b, er_v3(0, 0, 0), er_v3(0.3 * sin(b), 0.2 * cos(b), -0.3)) != ER_OK)
                fail_msg("%s", er_context_error(context));
        eri_contacts *c = w->contacts;
        double h = s.def.max_step, heat = 0.0, was[6], fastest = 0.0;
        begin_step(w, h);
        assert_int_equal(eri_tree_constraints_prepare(w), ER_OK);
        assert_int_equal(eri_body_constraints_prepare(w), ER_OK);
        eri_contacts_solve(w, h);
        assert_int_equal(eri_tree_constraints_finish(w, h, &heat), ER_OK);
        for (int i = 0; i < c->narrow.now.point_count; ++i)
            for (int e = 0; e < 2; ++e) {
                int body = c->broad.shape[c->narrow.now.point[i].shape[e]].body,
                    limb = body >= 0 ? w->tree->link_of_body[body] : -1;
                if (body < 0 || limb >= w->multibody->jointed_count) continue;
                const double *V = c->state.V + c->bodies.limbs_offset + ERI_LANE_COUNT * limb,
                             *way = c->state.displacement + (V - c->state.V);
                memcpy(was, eri_minimal_own_twists(w) + 6 * limb, sizeof was);
                for (int d = 0; d < 6; ++d) {
                    double change = eri_minimal_twists(w, c->state.rate_change)[6 * limb + d];
                    measure_at_most("velocity", fabs(was[d] + change - V[d]), 1e-12);
                    measure_at_most(
                        "way", fabs(eri_minimal_twists(w, c->state.coordinate_change)[6 * limb + d] - way[d]), 1e-13);
                    fastest = fmax(fastest, fabs(change));
                }
            }
        assert_true(fastest > 0.1);
        eri_minimal_focus(w, false);
        scene_end(&s, w);
    }
}

// Eleven tons on ten links of 54 kg, let go from where they lie stretched: the load swings as one pendulum, though its
// links under it would go round thrice in a step.
static void heavy_loads_swing_on_light_chains(void **state)
{
    const double length = 5.7;
    scene_clear(&s);
    for (int i = 0; i < 11; ++i) {
        er_pose at = {er_q_identity(), {i < 10 ? -0.5 * i - 0.25 : -length, 0, 9}};
        scene_add(&s, i < 10 ? scene_pill(0.07, 0.36) : scene_ball(0.7), i < 10 ? 54.0 : 11000.0, at, 0.5, 0.0);
        rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, i - 1, i, (er_pose){er_q_identity(), {-0.5 * i, 0, 9}});
    }
    er_world *w = scene_begin(&s);
    double all = scene_energy(w), fall = 11000.0 * g * length, fastest = 0.0;
    for (int step = 1; step <= 180; ++step) {
        scene_advance(w, step / hz);
        er_vec3 p = er_world_pose(w)[10].p;
        measure_at_most("a load's energy gained", (scene_energy(w) - all) / fall, 1e-3);
        measure_at_most("a load's way out of the plane", fabs(p.y), 1e-6);
        measure_at_most("a load off its circle", fabs(er_v3_distance(p, er_v3(0, 0, 9)) / length - 1.0), 0.06);
        fastest = fmax(fastest, er_v3_norm(er_world_twist(w)[10].linear));
    }
    measure_at_most("a load's speed, less than it fell for", 1.0 - fastest / sqrt(2.0 * g * length), 0.03);
    measure_at_most("gap of a loaded chain", er_world_measure_gap(w), 1e-12);
    scene_end(&s, w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_come_to_what_sweeps_find),
                                       cmocka_unit_test(blows_reach_all_limbs),
                                       cmocka_unit_test(heavy_loads_swing_on_light_chains)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
