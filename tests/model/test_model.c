// Models that er_model_create() accepts, the tree it finds, and the poses of er_model_pose().
#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

#include <string.h>

// A sound rig to spoil: body 0 hinged to the world, 1 on 0 by a ball, 2 on 1 by a hinge.
static rig sound_rig(void)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i) {
        er_pose pose = {er_q_identity(), er_v3(i, 0, 0)};
        rig_add_body(&r, 1.0, er_v3(0.1, 0.2, 0.2), er_q_identity(), er_v3(i + 0.5, 0, 0), pose);
        rig_add_joint(&r, i == 1 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, i - 1, i, pose)->stiffness[0] = 1.0;
    }
    return r;
}

// Refused as a rig, with a sentence that holds `word`.
static void refused(const rig *r, const char *word)
{
    er_model_def def = rig_def(r);
    er_model *model = (er_model *)&def;
    assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, word);
    assert_null(model);
}

static void a_sound_rig_is_copied(void **state)
{
    rig r = sound_rig();
    char name[] = "spine";
    r.body[1].name = name;
    r.joint[2].name = NULL;
    er_model *model = rig_model(context, &r);
    memset(name, 'x', sizeof name - 1);
    memset(&r.joint[0], 0, sizeof r.joint[0]);
    assert_string_equal(model->body[1].name, "spine");
    assert_string_equal(model->joint[2].name, "");
    assert_string_equal(model->name, "");
    assert_int_equal(model->joint[0].type, ER_JOINT_REVOLUTE);
    assert_int_equal(model->coordinate_count, 5);
    const int starts[] = {0, 1, 4, 5};
    assert_memory_equal(model->coordinate, starts, sizeof starts);
    assert_true(relative_error(model->size, 2.5) < 1e-15); // from the first frame at 0 to the last com at 2.5
    er_model_destroy(model);
    er_model_destroy(NULL);
}

// A turn that is unit to rounding is not rounded once more; one that is off by more becomes unit.
static void unit_turns_stay_as_they_are(void **state)
{
    dice d = {12};
    int kept = 0;
    for (int trial = 0; trial < 200; ++trial) {
        rig r = sound_rig();
        er_quat q = dice_quat(&d), *turn = trial % 2 == 0 ? &r.body[1].pose.q : &r.joint[1].frame.q;
        q.w *= 1.0 + 4e-16 * dice_below(&d, 3);
        *turn = q;
        er_model *model = rig_model(context, &r);
        const er_quat *found = trial % 2 == 0 ? &model->body[1].pose.q : &model->joint[1].frame.q;
        assert_memory_equal(found, &q, sizeof q);
        kept += er_q_dot(q, q) != 1.0;
        er_model_destroy(model);
        turn->x *= 1.0 + 1e-9;
        model = rig_model(context, &r);
        found = trial % 2 == 0 ? &model->body[1].pose.q : &model->joint[1].frame.q;
        measure_at_most("length of a turn", fabs(er_q_dot(*found, *found) - 1.0), 1e-15);
        er_model_destroy(model);
    }
    assert_true(kept > 20);
}

static void wrong_calls_are_refused(void **state)
{
    rig r = sound_rig();
    er_model_def def = rig_def(&r);
    er_model *model = NULL;
    assert_int_equal(er_model_create(context, &def, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_model_create(NULL, &def, &model), ER_ERROR_ARGUMENT);
    assert_int_equal(er_model_create(context, NULL, &model), ER_ERROR_ARGUMENT);
    def.tag = 0;
    model = (er_model *)&r;
    assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_ARGUMENT);
    assert_null(model);
    static const int counts[] = {0, -1, 2000000000};
    for (size_t i = 0; i < ERI_COUNT(counts); ++i) {
        def = rig_def(&r);
        def.body_count = counts[i];
        assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_RIG);
        assert_non_null(strstr(er_context_error(context), "a rig needs 1 to "));
    }
    def = rig_def(&r);
    def.joint = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_RIG);
    def = rig_def(&r);
    def.body = NULL;
    assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_RIG);
    def = rig_def(&r);
    def.joint_count = -1;
    assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_RIG);
    def.joint_count = 2000000000;
    assert_int_equal(er_model_create(context, &def, &model), ER_ERROR_RIG);
    assert_non_null(strstr(er_context_error(context), "a rig has 0 to "));
    assert_null(model);
}

// Every number of a body and of a joint in turn is made NaN and infinite; limits alone may be infinite.
static void every_number_must_be_finite(void **state)
{
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < 3; ++b) {
        double *slot;
        for (int i = 0; i < 20; ++i) {
            rig r = sound_rig();
            er_body *body = &r.body[1];
            double *slots[] = {&body->mass,     &body->com.x,    &body->com.y,    &body->com.z,
                               &body->pose.q.w, &body->pose.q.x, &body->pose.q.y, &body->pose.q.z,
                               &body->pose.p.x, &body->pose.p.y, &body->pose.p.z};
            slot = i < 11 ? slots[i] : &body->inertia.m[(i - 11) / 3][(i - 11) % 3];
            *slot = bad[b];
            refused(&r, "body 1");
        }
        for (int i = 0; i < 13; ++i) {
            rig r = sound_rig();
            er_joint *j = &r.joint[1]; // three coordinates
            double *slots[] = {&j->frame.q.w, &j->frame.q.x, &j->frame.q.y, &j->frame.q.z,
                               &j->frame.p.x, &j->frame.p.y, &j->frame.p.z};
            *(i < 7 ? slots[i] : i < 10 ? &j->stiffness[i - 7] : &j->damping[i - 10]) = bad[b];
            refused(&r, "joint 1");
        }
    }
    for (int i = 0; i < 3; ++i) {
        rig r = sound_rig();
        r.joint[1].limit[i][0] = NAN;
        refused(&r, "limits");
    }
    for (int b = 0; b < 2; ++b) {
        rig r = sound_rig();
        r.damping_ratio = bad[b];
        refused(&r, "damping ratio");
        r.damping_ratio = 0.0;
        r.rayleigh_mass = bad[b];
        refused(&r, "factor of the mass");
        r.rayleigh_mass = 0.0;
        r.rayleigh_stiffness = bad[b];
        refused(&r, "factor of the stiffness");
    }
}

static void what_no_body_has_is_refused(void **state)
{
    const double masses[] = {0.0, -0.0, -1.0};
    for (int i = 0; i < 3; ++i) {
        rig r = sound_rig();
        r.body[2].mass = masses[i];
        refused(&r, "body 2");
    }
    static const er_mat3 inertias[] = {
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},    // nothing
        {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},   // a negative moment
        {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}},    // a line without width
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2.01}}}, // more than the sum of the other two
        {{{2.01, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{{1, 0, 0}, {0, 2.01, 0}, {0, 0, 1}}},
        {{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}},   // indefinite
        {{{1, 0, 0.1}, {0, 1, 0}, {0, 0, 1}}}, // not symmetric
    };
    for (size_t i = 0; i < sizeof inertias / sizeof *inertias; ++i) {
        rig r = sound_rig();
        r.body[0].inertia = inertias[i];
        refused(&r, "inertia");
    }
    const er_quat turns[] = {{0, 0, 0, 0}, {2, 0, 0, 0}, {0.5, 0.5, 0.5, 0.6}};
    for (int i = 0; i < 3; ++i) {
        rig r = sound_rig();
        r.body[0].pose.q = turns[i];
        refused(&r, "body 0");
        r = sound_rig();
        r.joint[0].frame.q = turns[i];
        refused(&r, "joint 0");
    }
}

// Random inertias against their principal moments: the sum of the other two is the bound, whatever the axes.
static void the_triangle_inequality_is_the_bound(void **state)
{
    dice d = {5};
    for (int i = 0; i < 2000; ++i) {
        double a = pow(10, dice_uniform(&d, -3, 0)), b = pow(10, dice_uniform(&d, -3, 0));
        double slack = pow(10, dice_uniform(&d, -6, -1)) * (i % 2 == 0 ? 1 : -1) * (a < b ? a : b);
        if (i % 10 == 0) slack = 0.0; // a plate
        rig r = {0};
        rig_throw_body(&r, &d, 1, er_v3(a, b, a + b - slack));
        er_model_def def = rig_def(&r);
        er_model *model = NULL;
        er_result result = er_model_create(context, &def, &model);
        if (i % 2 == 0)
            assert_int_equal(result, ER_OK);
        else if (-slack > 1e-6 * (a + b))
            assert_int_equal(result, ER_ERROR_RIG);
        er_model_destroy(model);
    }
}

static void default_bodies_and_joints_lack_mass_alone(void **state)
{
    er_body body = er_default_body();
    er_joint joint = er_default_joint();
    er_model_def def = er_default_model_def();
    def.body = &body, def.body_count = 1;
    def.joint = &joint, def.joint_count = 1;
    er_model *model = NULL;
    assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, "mass 0");
    body.mass = 1.0;
    assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, "inertia");
    body.inertia = er_m3_identity();
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    for (int c = 0; c < 6; ++c)
        assert_true(joint.limit[c][0] == -HUGE_VAL && joint.limit[c][1] == HUGE_VAL);
    er_model_destroy(model);
    body.pose = (er_pose){0};
    assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, "pose");
    body.pose = er_pose_identity();
    joint = (er_joint){.parent = -1};
    assert_refusal(context, er_model_create(context, &def, &model), ER_ERROR_RIG, "frame");
}

static void a_frame_along_a_line_has_its_z_there(void **state)
{
    dice d = {29};
    const er_vec3 origin = er_v3(1, 2, 3), ez = er_v3(0, 0, 1);
    for (int trial = 0; trial < 100; ++trial) {
        er_vec3 axis = trial < 6
                           ? er_v3_scale(trial % 2 ? -1 : 1, er_v3(trial / 2 == 0, trial / 2 == 1, trial / 2 == 2))
                           : dice_vec3(&d);
        er_pose frame = er_joint_frame_along(origin, er_v3_scale(pow(10, dice_uniform(&d, -100, 100)), axis));
        er_vec3 z = er_q_rotate(frame.q, ez);
        measure_at_most("axis of a frame, off", er_v3_distance(z, er_v3_unit(axis, ez)), 1e-15);
        measure_at_most("length of its turn, off", fabs(er_q_dot(frame.q, frame.q) - 1.0), 1e-15);
        assert_memory_equal(&frame.p, &origin, sizeof origin);
    }
    er_vec3 z = er_q_rotate(er_joint_frame_along(origin, er_v3(0, 0, 0)).q, ez);
    measure_at_most("axis of no direction, off", er_v3_distance(z, ez), 1e-15);
}

static void joints_must_join_two_bodies(void **state)
{
    const struct {
        int parent, child;
    } ends[] = {{3, 2}, {-2, 2}, {1, 3}, {1, -1}, {-1, -1}, {2, 2}, {1, 2147483647}, {-2147483647, 1}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        rig r = sound_rig();
        r.joint[2].parent = ends[i].parent;
        r.joint[2].child = ends[i].child;
        refused(&r, "joint 2");
    }
    const int types[] = {-1, ER_JOINT_TYPE_COUNT, 1000};
    for (int i = 0; i < 3; ++i) {
        rig r = sound_rig();
        r.joint[2].type = (er_joint_type)types[i];
        refused(&r, "type");
    }
}

static void springs_dampers_and_limits_must_be_sound(void **state)
{
    rig r = sound_rig();
    r.joint[1].stiffness[2] = -1e-300;
    refused(&r, "stiffness");
    r = sound_rig();
    r.joint[1].damping[2] = -1;
    refused(&r, "damping");
    r = sound_rig();
    r.joint[1].limit[2][0] = 1;
    r.joint[1].limit[2][1] = 0.5;
    refused(&r, "limits");
    r = sound_rig();
    r.damping_ratio = -0.1;
    refused(&r, "damping ratio");
    static const double ends[] = {1e-50, 1e50}; // the last that may be said, and the first that may not
    for (int i = 0; i < 2; ++i) {
        double beyond = ends[i] * (i == 0 ? 0.99 : 1.01);
        r = sound_rig();
        r.joint[1].stiffness[2] = ends[i];
        r.joint[1].damping[2] = i == 0 ? 0.0 : ends[i];
        r.joint[1].limit[2][0] = r.joint[1].limit[2][1] = 0.25;
        r.damping_ratio = r.rayleigh_mass = r.rayleigh_stiffness = r.joint[1].damping[2];
        er_model_destroy(rig_model(context, &r));
        r.joint[1].stiffness[2] = beyond;
        refused(&r, "stiffness");
        r = sound_rig();
        r.body[0].mass = beyond;
        refused(&r, "mass");
        if (i == 0) continue;
        r = sound_rig();
        r.joint[1].damping[2] = beyond;
        refused(&r, "damping");
        r = sound_rig();
        r.rayleigh_stiffness = beyond;
        refused(&r, "factor of the stiffness");
    }
    r = sound_rig(); // what is not a coordinate of the joint is not looked at, and reads as 0
    r.joint[0].stiffness[1] = NAN;
    r.joint[0].damping[5] = -1;
    r.joint[0].limit[3][0] = 7;
    er_model *model = rig_model(context, &r);
    assert_true(model->joint[0].stiffness[1] == 0.0 && model->joint[0].damping[5] == 0.0);
    assert_true(model->joint[0].limit[3][0] == 0.0 && model->joint[0].limit[3][1] == 0.0);
    er_model_destroy(model);
}

static void cycles_must_be_marked(void **state)
{
    rig r = sound_rig(); // 0 - 1 - 2 - 0
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 2, 0, er_pose_identity());
    refused(&r, "closes_loop");
    r.joint[3].closes_loop = true;
    er_model *model = rig_model(context, &r);
    assert_int_equal(model->loop_count, 1);
    er_model_destroy(model);

    r = sound_rig(); // the world twice
    rig_add_joint(&r, ER_JOINT_SPHERICAL, -1, 2, er_pose_identity());
    refused(&r, "closes_loop");

    r = sound_rig(); // the same two bodies twice
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 1, 2, er_pose_identity());
    refused(&r, "closes_loop");

    r = sound_rig(); // every body a child: no root to start from
    r.joint[0].parent = 2;
    refused(&r, "closes_loop");

    r = sound_rig(); // a cycle that hangs on nothing, beside a sound tree
    r.joint[1].parent = 2;
    r.joint[1].child = 1;
    refused(&r, "closes_loop");
}

// The tree against its definition: parents first, each body reached once, by a joint that has both at its ends.
static void the_tree_spans_the_rig(void **state)
{
    dice d = {17};
    for (int i = 0; i < 300; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        bool placed[RIG_MAX] = {false}, used[RIG_MAX] = {false};
        int free_roots = 0, tree_joints = 0;
        for (int k = 0; k < m->body_count; ++k) {
            int b = m->order[k], t = m->tree_joint[b], p = m->tree_parent[b];
            assert_in_range(b, 0, m->body_count - 1);
            assert_false(placed[b]);
            placed[b] = true;
            if (t < 0) {
                assert_int_equal(p, -1);
                ++free_roots;
                continue;
            }
            assert_false(used[t] || m->joint[t].closes_loop);
            used[t] = true;
            assert_true((m->joint[t].child == b && m->joint[t].parent == p) ||
                        (m->joint[t].parent == b && m->joint[t].child == p));
            assert_true(p < 0 || placed[p]);
        }
        for (int k = 0; k < m->joint_count; ++k)
            tree_joints += !m->joint[k].closes_loop;
        assert_int_equal(tree_joints, m->joint_count - m->loop_count);
        assert_int_equal(tree_joints + free_roots, m->body_count); // a forest: a joint or a free root a body
        er_model_destroy(m);
    }
}

static void joint_types_have_the_freedoms_of_the_table(void **state)
{
    static const struct {
        er_joint_type type;
        const char *name;
        const char *free; // of t T (rotation) and x: one letter a coordinate of (tx ty tz x y z)
    } table[] = {
        {ER_JOINT_REVOLUTE, "revolute", "..1..."},
        {ER_JOINT_UNIVERSAL, "universal", "11...."},
        {ER_JOINT_SPHERICAL, "spherical", "111..."},
        {ER_JOINT_PRISMATIC, "prismatic", ".....1"},
        {ER_JOINT_CYLINDRICAL, "cylindrical", "..1..1"},
        {ER_JOINT_PLANAR, "planar", "..111."},
        {ER_JOINT_POINT_ON_PLANE, "point_on_plane", "11111."},
        {ER_JOINT_FIXED, "fixed", "......"},
        {ER_JOINT_FREE, "free", "111111"},
        {ER_JOINT_SCREW, "screw", "..1..."},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        int axis[6], count = er_joint_type_freedom(table[i].type, axis), next = 0;
        for (int c = 0; c < 6; ++c)
            if (table[i].free[c] == '1') {
                assert_true(next < count);
                assert_int_equal(axis[next++], c);
            }
        assert_int_equal(next, count);
        assert_int_equal(er_joint_type_freedom(table[i].type, NULL), count);
        assert_string_equal(er_joint_type_name(table[i].type), table[i].name);
        assert_int_equal(er_joint_type_find(table[i].name), table[i].type);
        assert_non_null(strstr(er_joint_type_list(), table[i].name));
    }
    assert_int_equal(er_joint_type_freedom((er_joint_type)ER_JOINT_TYPE_COUNT, NULL), 0);
    assert_string_equal(er_joint_type_name((er_joint_type)-1), "unknown");
    assert_int_equal(ERI_COUNT(table), ER_JOINT_TYPE_COUNT);
    assert_true(er_joint_type_find("hinge") == -1 && er_joint_type_find(NULL) == -1);
}

// ---- forward kinematics written out again, in 4x4 matrices

typedef struct mat4 {
    double m[4][4];
} mat4;

static mat4 mul4(mat4 a, mat4 b)
{
    mat4 c = {{{0}}};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static mat4 from_pose(er_pose p)
{
    er_mat3 r = er_m3_from_q(p.q);
    mat4 a = {{{0, 0, 0, p.p.x}, {0, 0, 0, p.p.y}, {0, 0, 0, p.p.z}, {0, 0, 0, 1}}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] = r.m[i][j];
    return a;
}

static mat4 inverse4(mat4 a) // of a rigid motion
{
    mat4 b = {{{0}}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            b.m[i][j] = a.m[j][i];
            b.m[i][3] -= a.m[j][i] * a.m[j][3];
        }
    b.m[3][3] = 1.0;
    return b;
}

static mat4 turn_about(int axis, double angle)
{
    mat4 a = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    a.m[i][i] = a.m[j][j] = cos(angle);
    a.m[j][i] = sin(angle);
    a.m[i][j] = -sin(angle);
    return a;
}

static mat4 rodrigues(const double r[3])
{
    double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    mat4 a = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    if (angle == 0.0) return a;
    double u[3] = {r[0] / angle, r[1] / angle, r[2] / angle}, c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] = (i == j ? c : 0.0) + (1 - c) * u[i] * u[j];
    for (int i = 0; i < 3; ++i) {
        a.m[(i + 1) % 3][i] += s * u[(i + 2) % 3];
        a.m[i][(i + 1) % 3] -= s * u[(i + 2) % 3];
    }
    return a;
}

// The child's side of a joint's frame seen from the parent's, as the header words it.
static mat4 across(er_joint_type type, const double *q)
{
    int axis[6], count = er_joint_type_freedom(type, axis);
    double full[6] = {0};
    for (int i = 0; i < count; ++i)
        full[axis[i]] = q[i];
    if (type == ER_JOINT_SCREW) full[5] = 0.5 * full[2]; // of rig_add_joint()
    mat4 x = type == ER_JOINT_UNIVERSAL ? mul4(turn_about(0, full[0]), turn_about(1, full[1])) : rodrigues(full);
    for (int i = 0; i < 3; ++i)
        x.m[i][3] = full[3 + i];
    return x;
}

static double difference(mat4 a, mat4 b)
{
    double worst = 0.0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            worst = fmax(worst, fabs(a.m[i][j] - b.m[i][j]));
    return worst;
}

// A joint's frame as one of its sides carries it.
static mat4 side(const er_model *m, const er_pose *pose, int body, int joint)
{
    mat4 frame = from_pose(m->joint[joint].frame);
    if (body < 0) return frame;
    return mul4(from_pose(pose[body]), mul4(inverse4(from_pose(m->body[body].pose)), frame));
}

// At any coordinates, however large, the two sides of every joint of the tree differ by exactly those coordinates, in
// whichever direction the tree crosses it; free roots go where they are told.
static void poses_put_every_joint_at_its_coordinates(void **state)
{
    dice d = {23};
    for (int i = 0; i < 300; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        double q[6 * RIG_MAX];
        er_pose root[RIG_MAX], pose[RIG_MAX];
        for (int k = 0; k < m->coordinate_count; ++k)
            q[k] = dice_uniform(&d, -4, 4);
        for (int b = 0; b < m->body_count; ++b)
            root[b] = dice_pose(&d);
        er_model_pose(m, q, i % 2 == 0 ? root : NULL, pose);
        for (int b = 0; b < m->body_count; ++b) {
            measure_at_most("unit norm of posed quaternions", fabs(er_q_dot(pose[b].q, pose[b].q) - 1),
                            1e-14); // 5.6e-16
            int t = m->tree_joint[b];
            if (t < 0) {
                mat4 rest = from_pose(m->body[b].pose);
                mat4 wanted = i % 2 == 0 ? mul4(from_pose(root[b]), rest) : rest;
                measure_at_most("free roots", difference(from_pose(pose[b]), wanted), 1e-14); // 9.7e-16
                continue;
            }
            const er_joint *j = &m->joint[t];
            mat4 between = mul4(inverse4(side(m, pose, j->parent, t)), side(m, pose, j->child, t));
            measure_at_most("joint coordinates", difference(between, across(j->type, q + m->coordinate[t])),
                            1e-12); // 8.4e-15
        }
        er_model_destroy(m);
    }
}

// Turns within half a turn of the equilibrium, where a pose has one set of coordinates.
static void coordinates_are_read_off_the_poses_they_made(void **state)
{
    dice d = {31};
    for (int i = 0; i < 300; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        double q[6 * RIG_MAX], back[6 * RIG_MAX];
        er_pose root[RIG_MAX], root_back[RIG_MAX], pose[RIG_MAX];
        for (int k = 0; k < m->coordinate_count; ++k)
            q[k] = dice_uniform(&d, -1.5, 1.5);
        for (int b = 0; b < m->body_count; ++b)
            root[b] = dice_pose(&d);
        er_model_pose(m, q, root, pose);
        er_model_coordinates(m, pose, back, root_back);
        for (int b = 0; b < m->body_count; ++b) {
            int t = m->tree_joint[b];
            if (t < 0)
                measure_at_most("roots read off", difference(from_pose(root_back[b]), from_pose(root[b])), 1e-12);
            int first = t < 0 ? 0 : m->coordinate[t], end = t < 0 ? 0 : m->coordinate[t + 1];
            for (int k = first; k < end; ++k)
                measure_at_most("coordinates read off", fabs(back[k] - q[k]), 1e-11);
        }
        er_model_coordinates(m, pose, back, NULL);
        er_model_destroy(m);
    }
}

static void zero_coordinates_are_the_equilibrium(void **state)
{
    dice d = {29};
    for (int i = 0; i < 100; ++i) {
        rig r;
        rig_random(&r, &d, true);
        er_model *m = rig_model(context, &r);
        double q[6 * RIG_MAX] = {0};
        er_pose pose[RIG_MAX];
        er_model_pose(m, q, NULL, pose);
        for (int b = 0; b < m->body_count; ++b)
            measure_at_most("equilibrium", difference(from_pose(pose[b]), from_pose(m->body[b].pose)),
                            1e-13); // 2.9e-15
        er_model_destroy(m);
    }
}

// A planar two-link arm, by the textbook.
static void a_two_link_arm_reaches_where_trigonometry_says(void **state)
{
    rig r = {0};
    er_pose shoulder = {er_q_identity(), er_v3(0, 0, 0)}, elbow = {er_q_identity(), er_v3(2, 0, 0)};
    rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(1, 0, 0), shoulder);
    rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(2.5, 0, 0), elbow);
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, shoulder);
    rig_add_joint(&r, ER_JOINT_REVOLUTE, 0, 1, elbow);
    er_model *m = rig_model(context, &r);
    double q[2] = {0.7, -1.9};
    er_pose pose[2];
    er_model_pose(m, q, NULL, pose);
    er_vec3 tip = er_pose_point(pose[1], er_v3(1.5, 0, 0));
    double x = 2 * cos(0.7) + 1.5 * cos(0.7 - 1.9), y = 2 * sin(0.7) + 1.5 * sin(0.7 - 1.9);
    measure_at_most("two-link arm", er_v3_distance(tip, er_v3(x, y, 0)), 1e-14); // 6.3e-16
    er_model_destroy(m);
}

// ---- memory

static void any_allocation_may_fail(void **state)
{
    static rig r;
    dice d = {31};
    rig_random(&r, &d, true);
    for (int i = 0; i < 150; ++i) // long enough for several blocks of an arena
        rig_add_body(&r, 1, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model_def def = rig_def(&r);
    static char text[4][1 << 22]; // each takes a block of its own
    const char **const texts[] = {&def.name, &def.source, &r.body[0].name, &r.joint[0].name};
    for (size_t i = 0; i < ERI_COUNT(texts); ++i) {
        memset(text[i], 'x', (sizeof text[i] >> (6 - 2 * i)) - 1);
        *texts[i] = text[i];
    }
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger l = {.left = 1 + k};
        er_context *own = ledger_context(&l);
        er_model *model = (er_model *)&def;
        result = er_model_create(own, &def, &model);
        assert_true(result == ER_OK ||
                    (result == ER_ERROR_MEMORY && model == NULL && er_context_error(own)[0] != '\0'));
        assert_int_equal(result == ER_OK, l.asked <= 1 + k);
        er_model_destroy(model);
        ledger_end(&l, own);
    }
    assert_true(k > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_rig_is_copied),
        cmocka_unit_test(unit_turns_stay_as_they_are),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(every_number_must_be_finite),
        cmocka_unit_test(what_no_body_has_is_refused),
        cmocka_unit_test(the_triangle_inequality_is_the_bound),
        cmocka_unit_test(default_bodies_and_joints_lack_mass_alone),
        cmocka_unit_test(a_frame_along_a_line_has_its_z_there),
        cmocka_unit_test(joints_must_join_two_bodies),
        cmocka_unit_test(springs_dampers_and_limits_must_be_sound),
        cmocka_unit_test(cycles_must_be_marked),
        cmocka_unit_test(the_tree_spans_the_rig),
        cmocka_unit_test(joint_types_have_the_freedoms_of_the_table),
        cmocka_unit_test(poses_put_every_joint_at_its_coordinates),
        cmocka_unit_test(coordinates_are_read_off_the_poses_they_made),
        cmocka_unit_test(zero_coordinates_are_the_equilibrium),
        cmocka_unit_test(a_two_link_arm_reaches_where_trigonometry_says),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("model", tests, set_up, tear_down);
}
