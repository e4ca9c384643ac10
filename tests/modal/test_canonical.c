// Modes of equal frequency have one basis, whatever the order of bodies and joints and the route; modes of symmetric
// rigs are symmetric or antisymmetric.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/modal.h>
#include <eigenrig/rig.h>

#include "support/context.h"
#include "support/near.h"

enum { MOST = 16 };

typedef struct parts {
    er_body body[MOST];
    er_joint joint[MOST];
    char name[MOST][16];
    int bodies, joints;
} parts;

static int add_body(parts *p, double mass, er_vec3 at, er_vec3 com, er_mat3 inertia)
{
    int i = p->bodies++;
    snprintf(p->name[i], sizeof p->name[i], "part %d", i);
    p->body[i] = er_default_body();
    p->body[i].name = p->name[i];
    p->body[i].mass = mass;
    p->body[i].inertia = inertia;
    p->body[i].com = com;
    p->body[i].pose.p = at;
    return i;
}

static void add_joint(parts *p, int parent, int child, er_vec3 at, double stiffness, bool closes_loop)
{
    er_joint *j = &p->joint[p->joints++];
    *j = er_default_joint();
    j->parent = parent;
    j->child = child;
    j->type = ER_JOINT_SPHERICAL;
    j->frame.p = at;
    j->closes_loop = closes_loop;
    for (int i = 0; i < 3; ++i)
        j->stiffness[i] = stiffness;
}

static er_mat3 ball(double moment)
{
    return er_m3_madd((er_mat3){0}, moment, er_m3_identity());
}

static er_vec3 on_circle(int i, int count, double radius)
{
    double angle = 2.0 * ER_PI * i / count + 0.3;
    return er_v3(radius * cos(angle), 0.0, radius * sin(angle));
}

// Spokes of balls on a hub.
static void make_star(parts *p, int spokes)
{
    int hub = add_body(p, 2.0, er_v3(0, 0, 0), er_v3(0, 0, 0), ball(0.5));
    for (int i = 0; i < spokes; ++i) {
        er_vec3 at = on_circle(i, spokes, 0.5);
        add_joint(p, hub, add_body(p, 1.0, at, er_v3_scale(1.0, at), ball(0.05)), at, 20.0, false);
    }
}

// Balls in a closed ring, joined in the middle between two.
static void make_ring(parts *p, int count)
{
    for (int i = 0; i < count; ++i)
        add_body(p, 1.0, on_circle(i, count, 1.0), er_v3(0, 0, 0), ball(0.05));
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count;
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(p->body[i].pose.p, p->body[next].pose.p));
        add_joint(p, i, next, middle, 15.0, next == 0);
    }
}

// A trunk with two pairs of limbs and a tail, exactly symmetric about x = 0, turned by `turn` about y. If the world
// holds the trunk, limbs of both sides have equal frequencies.
static void make_animal(parts *p, double turn, bool held)
{
    er_quat q = er_q_exp(er_v3(0, turn, 0));
    int trunk = add_body(p, 10.0, er_v3(0, 0, 0), er_v3(0, 0, 0), ball(1.0));
    for (int i = 0; i < 4; ++i) {
        er_vec3 at = er_v3(i % 2 == 0 ? 0.3 : -0.3, -0.1, i < 2 ? 0.6 : -0.5);
        int upper = add_body(p, 1.0 + (i < 2), at, er_v3(0, -0.2, 0), ball(0.03));
        er_vec3 knee = er_v3_add(at, er_v3(0, -0.4, 0));
        add_joint(p, trunk, upper, at, 30.0 + 10.0 * (i < 2), false);
        add_joint(p, upper, add_body(p, 0.5, knee, er_v3(0, -0.2, 0.05), ball(0.01)), knee, 12.0, false);
    }
    er_vec3 root = er_v3(0, 0.1, -0.8), middle = er_v3(0, 0.1, -1.2);
    int tail = add_body(p, 0.7, root, er_v3(0, 0, -0.2), ball(0.02));
    add_joint(p, trunk, tail, root, 6.0, false);
    add_joint(p, tail, add_body(p, 0.4, middle, er_v3(0, 0, -0.2), ball(0.01)), middle, 3.0, false);
    if (held) {
        add_joint(p, -1, trunk, er_v3(0, 0, 0), 0.0, false);
        p->joint[p->joints - 1].type = ER_JOINT_FIXED;
    }
    for (int i = 0; i < p->bodies; ++i)
        p->body[i].pose = er_pose_mul((er_pose){q, er_v3(0, 0, 0)}, p->body[i].pose);
    for (int i = 0; i < p->joints; ++i)
        p->joint[i].frame = er_pose_mul((er_pose){q, er_v3(0, 0, 0)}, p->joint[i].frame);
}

// Bodies and joints in another order, drawn by a seed; loops stay loops.   @param to  [bodies], written: new indices
static er_model *shuffled(const parts *p, unsigned seed, int *to)
{
    int at[MOST], joint_at[MOST];
    parts out = *p;
    er_model *model = NULL;
    for (int i = 0; i < MOST; ++i)
        at[i] = joint_at[i] = i;
    for (int i = MOST - 1; i > 0 && seed != 0; --i) {
        seed = seed * 1664525u + 1013904223u;
        int k = (int)(seed >> 16) % (i + 1), other;
        if (i < p->bodies && k < p->bodies) other = at[i], at[i] = at[k], at[k] = other;
        if (i < p->joints && k < p->joints) other = joint_at[i], joint_at[i] = joint_at[k], joint_at[k] = other;
    }
    for (int i = 0; i < p->bodies; ++i) {
        to[at[i]] = i;
        out.body[i] = p->body[at[i]];
    }
    for (int i = 0; i < p->joints; ++i) {
        out.joint[i] = p->joint[joint_at[i]];
        if (out.joint[i].parent >= 0) out.joint[i].parent = to[out.joint[i].parent];
        out.joint[i].child = to[out.joint[i].child];
    }
    er_model_def def = er_default_model_def();
    def.body = out.body;
    def.body_count = p->bodies;
    def.joint = out.joint;
    def.joint_count = p->joints;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("%s", er_context_error(context));
    return model;
}

static er_modes *solve(const er_model *model, er_modal_method method)
{
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    def.method = method;
    if (er_modal_solve(context, model, &def, &modes) != ER_OK) fail_msg("%s", er_context_error(context));
    return modes;
}

static bool in_group(const er_modes *modes, int k)
{
    const er_mode *m = modes->mode;
    bool below = k > 0 && m[k].eigenvalue - m[k - 1].eigenvalue < 1e-8 * m[k].eigenvalue,
         above = k + 1 < modes->count && m[k + 1].eigenvalue - m[k].eigenvalue < 1e-8 * m[k].eigenvalue;
    return m[k].kind == ER_MODE_ELASTIC && (below || above);
}

// Modes of equal frequency have the same shapes as those of the reference, the sign included.   @return their number
static int assert_same_groups(const er_modes *a, const er_modes *b, const int *to, int bodies)
{
    int count = 0;
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; ++k) {
        if (!in_group(a, k)) continue;
        ++count;
        for (int i = 0; i < bodies; ++i)
            for (int c = 0; c < 6; ++c)
                near(b->mode[k].body[6 * to[i] + c], a->mode[k].body[6 * i + c], 2e-6);
    }
    return count;
}

static void judge_orders_and_routes(const parts *p, int least)
{
    int to[MOST];
    er_model *plain = shuffled(p, 0, to);
    er_modes *reference = solve(plain, ER_MODAL_SVD);
    for (er_modal_method method = ER_MODAL_QR; method <= ER_MODAL_SPARSE; ++method)
        for (unsigned seed = 0; seed < 4; ++seed) {
            er_model *model = shuffled(p, 77u * seed, to);
            er_modes *modes = solve(model, method);
            assert_in_range(assert_same_groups(reference, modes, to, p->bodies), least, 1000);
            er_modes_destroy(modes);
            er_model_destroy(model);
        }
    er_modes_destroy(reference);
    er_model_destroy(plain);
}

static void stars_have_one_basis_by_every_route_and_order(void **state)
{
    (void)state;
    for (int spokes = 3; spokes <= 8; ++spokes) {
        parts p = {0};
        make_star(&p, spokes);
        judge_orders_and_routes(&p, 4);
    }
}

static void rings_have_one_basis_by_every_route_and_order(void **state)
{
    (void)state;
    for (int count = 6; count <= 9; ++count) {
        parts p = {0};
        make_ring(&p, count);
        judge_orders_and_routes(&p, 4);
    }
}

// A hanging chain: each frequency is that of a bend in either upright plane, and heavy dampers at the joints make pairs
// of equal roots too.
static void make_chain(parts *p, int links, double damping)
{
    for (int i = 0; i < links; ++i) {
        er_vec3 at = er_v3(0, -0.1 * i, 0);
        add_joint(p, i - 1, add_body(p, 0.08, at, er_v3(0, -0.05, 0), ball(7e-5)), at, 1.0, false);
        for (int c = 0; c < 3; ++c)
            p->joint[i].damping[c] = damping * (1.0 + 0.3 * i);
    }
}

static void assert_same_damping(const er_modes *a, const er_modes *b)
{
    assert_int_equal(a->damped_count, a->count);
    assert_int_equal(b->damped_count, a->count);
    for (int k = 0; k < a->count; ++k) {
        near(b->mode[k].damping_ratio / a->mode[k].damping_ratio, 1.0, 1e-6);
        near(b->mode[k].damped_hz, a->mode[k].damped_hz, 1e-6 * a->mode[k].frequency_hz);
        for (int side = 0; side < 2; ++side)
            near(b->damped[k].decay[side] / a->damped[k].decay[side], 1.0, 1e-6);
    }
}

static void equal_modes_share_their_roots_by_every_route_alike(void **state)
{
    (void)state;
    static const double damping[] = {0.001, 0.01, 0.03, 0.3};
    for (size_t i = 0; i < sizeof damping / sizeof *damping; ++i) {
        parts p = {0};
        int to[MOST];
        make_chain(&p, 10, damping[i]);
        er_model *plain = shuffled(&p, 0, to);
        er_modes *reference = solve(plain, ER_MODAL_SVD);
        for (er_modal_method method = ER_MODAL_QR; method <= ER_MODAL_SPARSE; ++method) {
            er_model *model = shuffled(&p, 77u * method, to);
            er_modes *modes = solve(model, method);
            assert_same_damping(reference, modes);
            er_modes_destroy(modes);
            er_model_destroy(model);
        }
        er_modes_destroy(reference);
        er_model_destroy(plain);
    }
}

static er_mirror *find_mirror(const er_model *model)
{
    er_mirror *mirror = NULL;
    if (er_mirror_find(context, model, NULL, er_v3(0, 1, 0), &mirror) != ER_OK)
        fail_msg("%s", er_context_error(context));
    return mirror;
}

static void symmetric_rigs_have_modes_of_parity_one(void **state)
{
    (void)state;
    double image[6 * MOST];
    for (unsigned seed = 0; seed < 4; ++seed)
        for (er_modal_method method = ER_MODAL_QR; method <= ER_MODAL_SPARSE; ++method) {
            parts p = {0};
            int to[MOST], odd = 0;
            make_animal(&p, seed >= 2 ? 0.5 : 0.0, seed % 2 == 1);
            er_model *model = shuffled(&p, 77u * seed, to);
            er_mirror *mirror = find_mirror(model);
            er_modes *modes = solve(model, method);
            near(mirror->distance, 0.0, 1e-12);
            near(mirror->mass + mirror->stiffness + mirror->unpaired, 0.0, 0.0);
            for (int k = modes->rigid_count; k < modes->count; ++k) {
                double parity = er_mode_parity(model, mirror, &modes->mode[k], image);
                near(fabs(parity), 1.0, 1e-9);
                odd += parity < 0.0;
            }
            assert_int_equal(odd, 16); // of 30: twists and sideways bends of the tail, half of those of limbs
            er_modes_destroy(modes);
            er_mirror_destroy(mirror);
            er_model_destroy(model);
        }
}

// One limb is heavier and softer than its twin, and a body has none.
static void a_mirror_says_how_far_off_it_is(void **state)
{
    (void)state;
    parts p = {0};
    int to[MOST];
    make_animal(&p, 0.0, false);
    p.body[1].mass *= 1.25;
    p.joint[0].stiffness[1] *= 0.4; // of three: 80 % of the twin's sum
    p.body[2].pose.p.x += 0.02;
    er_model *model = shuffled(&p, 0, to);
    er_mirror *mirror = find_mirror(model);
    near(mirror->mass, 0.2, 1e-12);
    near(mirror->stiffness, 0.2, 1e-12);
    near(mirror->distance * model->size, 0.02, 0.011); // the plane may move by half of it
    assert_int_equal(mirror->body[1], 3);
    assert_int_equal(mirror->body[3], 1);
    assert_int_equal(mirror->body[0], 0);
    assert_int_equal(mirror->joint[0], 2);
    er_modes *modes = solve(model, ER_MODAL_AUTO);
    double image[6 * MOST], least = 1.0;
    for (int k = modes->rigid_count; k < modes->count; ++k)
        least = fmin(least, fabs(er_mode_parity(model, mirror, &modes->mode[k], image)));
    assert_true(least < 0.9);
    er_modes_destroy(modes);
    er_mirror_destroy(mirror);
    er_model_destroy(model);
}

// Reflected twice, a motion is itself; the image of a turn about the upright axis turns the other way.
static void reflected_twice_a_motion_is_itself(void **state)
{
    (void)state;
    parts p = {0};
    int to[MOST];
    double v[6 * MOST], image[6 * MOST], again[6 * MOST];
    make_animal(&p, 0.4, false);
    er_model *model = shuffled(&p, 5, to);
    er_mirror *mirror = find_mirror(model);
    for (int i = 0; i < 6 * p.bodies; ++i)
        v[i] = sin(1.7 * i);
    er_mirror_reflect(model, mirror, v, image);
    er_mirror_reflect(model, mirror, image, again);
    for (int i = 0; i < 6 * p.bodies; ++i)
        near(again[i], v[i], 1e-12);
    near(image[6 * to[0] + 1], -v[6 * to[0] + 1], 1e-12);
    er_mirror_destroy(mirror);
    er_model_destroy(model);
}

static void a_mirror_refuses_another_rig(void **state)
{
    (void)state;
    er_mirror *mirror = NULL;
    assert_refusal(context, er_mirror_find(context, NULL, NULL, er_v3(0, 1, 0), &mirror), ER_ERROR_ARGUMENT, "model");
    assert_null(mirror);
    assert_int_equal(er_mirror_find(NULL, NULL, NULL, er_v3(0, 1, 0), &mirror), ER_ERROR_ARGUMENT);
    assert_int_equal(er_mirror_find(context, NULL, NULL, er_v3(0, 1, 0), NULL), ER_ERROR_ARGUMENT);
    er_mirror_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_have_one_basis_by_every_route_and_order),
        cmocka_unit_test(rings_have_one_basis_by_every_route_and_order),
        cmocka_unit_test(equal_modes_share_their_roots_by_every_route_alike),
        cmocka_unit_test(symmetric_rigs_have_modes_of_parity_one),
        cmocka_unit_test(a_mirror_says_how_far_off_it_is),
        cmocka_unit_test(reflected_twice_a_motion_is_itself),
        cmocka_unit_test(a_mirror_refuses_another_rig),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
