// Bodies and trees that contacts move: which bodies form a tree, its root, and the place of its velocities.
#include <math.h>

#include "dynamics/contact/contact_solver.h"
#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

static int add_ball(double x, double z)
{
    return scene_add(&s, scene_ball(0.1), 1.0, at(x, 0, z), 0.5, 0.0);
}

static er_joint *hinge(int parent, int child, double x, double z)
{
    return rig_add_joint(&s.rig, ER_JOINT_REVOLUTE, parent, child,
                         (er_pose){er_q_exp(er_v3(0.5 * ER_PI, 0, 0)), er_v3(x, 0, z)});
}

static er_joint *close(er_joint *j)
{
    j->closes_loop = true;
    return j;
}

static const eri_articulation *articulation_of(const er_world *w, int body)
{
    int index = w->contacts->bodies.index_of[body].articulation;
    return index >= 0 ? &w->contacts->bodies.articulation[index] : NULL;
}

static void assert_tree(const er_world *w, const char *name, int first, int last, bool floats, bool sprung)
{
    const eri_articulation *a = articulation_of(w, first);
    if (a == NULL) fail_msg("%s: no tree", name);
    for (int b = 0; b < s.rig.body_count; ++b)
        if ((articulation_of(w, b) == a) != (b >= first && b <= last)) fail_msg("%s: body %d", name, b);
    if (a->is_floating != floats) fail_msg("%s %s", name, a->is_floating ? "floats" : "does not float");
    if (a->has_springs != sprung) fail_msg("%s is %s", name, a->has_springs ? "sprung" : "not sprung");
}

// Trees in a row, of two bodies and more: one that a loop ties to the ground does not float, though its root is free;
// and nor do two that a loop makes one of, nor one that hangs.
static void trees_are_told_by_what_ties_them(void **state)
{
    scene_clear(&s);
    static const bool held[17] = {[16] = true};
    for (int i = 0; i < 17; ++i)
        add_ball(i, 1.0);
    hinge(0, 1, 0.5, 1.0);         // floats
    hinge(2, 3, 2.5, 1.0);         // a loop ties it to the ground
    close(hinge(-1, 3, 3.5, 1.0)); //
    hinge(4, 5, 4.5, 1.0);         // floats, sprung by its last coordinate
    close(hinge(4, 5, 4.6, 1.2))->stiffness[0] = 0.0;
    hinge(6, 7, 6.5, 1.0); // two trees, tied by a loop
    hinge(8, 9, 8.5, 1.0);
    close(hinge(9, 6, 7.5, 1.5));
    hinge(-1, 10, 9.5, 1.0); // hangs on the ground
    hinge(10, 11, 10.5, 1.0);
    er_joint *last = rig_add_joint(&s.rig, ER_JOINT_SPHERICAL, 11, 12, at(11.5, 0, 1.0));
    last->stiffness[2] = 3.0;
    last->damping[2] = 0.1;   // a slow spring without a damper keeps its energy
    hinge(14, 15, 14.5, 1.0); // a loop ties it to a body that is held
    close(hinge(15, 16, 15.5, 1.0));
    s.def.held = held;
    er_world *w = scene_begin(&s);
    assert_int_equal(w->contacts->bodies.articulation_count, 6);
    assert_tree(w, "a pair", 0, 1, true, false);
    assert_tree(w, "a pair on a loop", 2, 3, false, false);
    assert_tree(w, "a pair with a loop of its own", 4, 5, true, false);
    assert_tree(w, "two pairs in one loop", 6, 9, false, false);
    assert_tree(w, "a chain that hangs", 10, 12, false, true);
    assert_tree(w, "a pair on what is held", 14, 15, false, false);
    assert_null(articulation_of(w, 13));
    assert_null(articulation_of(w, 16));
    // rates and twists of one stand behind those of another, in the order of limbs, without a gap
    for (int i = 0, u = 0, v = w->contacts->bodies.limbs_offset; i < w->contacts->bodies.articulation_count; ++i) {
        const eri_articulation *a = NULL;
        for (int k = 0; k < w->contacts->bodies.articulation_count; ++k)
            if (w->contacts->bodies.articulation[k].first_velocity == u) a = &w->contacts->bodies.articulation[k];
        assert_non_null(a);
        assert_int_equal(a->offset, v);
        u += a->velocity_count;
        v += ERI_LANE_COUNT * (a->last_limb - a->first_limb);
        if (i + 1 == w->contacts->bodies.articulation_count) assert_int_equal(v, w->contacts->bodies.width);
    }
    scene_end(&s, w);
}

// A double pendulum hung by the joint that closes a loop, by its parent or by its child, swings as one hung by its
// tree.
static void hanging_by_a_loop_is_hanging(void **state)
{
    er_vec3 way[2];
    double energy[2];
    for (int k = 0; k < 2; ++k) {
        scene_clear(&s);
        add_ball(0.5, 0.0);
        add_ball(1.0, 0.0);
        hinge(-1, 0, 0.0, 0.0)->closes_loop = k > 0;
        hinge(0, 1, 0.5, 0.0);
        s.def.max_step = 1.0 / 480.0;
        er_world *w = scene_begin(&s);
        double first = scene_energy(w);
        scene_advance(w, 0.75);
        way[k] = er_world_pose(w)[1].p;
        energy[k] = scene_energy(w) - first;
        measure_at_most("gap of what hangs by a loop", er_world_measure_gap(w), 1e-9);
        scene_end(&s, w);
    }
    measure_at_most("what hangs by a loop, off its swing, m", er_v3_distance(way[0], way[1]), 0.02);
    measure_at_most("energy of what hangs by a loop, J", fabs(energy[1]), 0.02 * 2.0 * g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_are_told_by_what_ties_them),
                                       cmocka_unit_test(hanging_by_a_loop_is_hanging)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
