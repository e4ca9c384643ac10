// Bacin's sets: what they say is what the world becomes, and what is written reads back.
#include "set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/hand.h"

static er_world_file *read_experiment(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/models/bacin/%s.cfg", getenv("EIGENRIG_SOURCE"), name);
    assert_true(er_file_is_world(context, path));
    return read_world(path);
}

static void expect_near(er_vec3 a, double x, double y, double z, double tolerance)
{
    if (er_v3_distance(a, er_v3(x, y, z)) > tolerance)
        fail_msg("(%.17g %.17g %.17g) is not (%g %g %g)", a.x, a.y, a.z, x, y, z);
}

// The rates of Euler parameters are half the angular velocity where nothing is turned.
static void the_first_two_turn_as_printed(void **state)
{
    const er_vec3 omega[2] = {{0, 0, 0.4}, {0.4, 0.64, 0.46}};
    for (int k = 0; k < 2; ++k) {
        er_world_file *w = read_experiment(k == 0 ? "9.2" : "9.3");
        const er_body *bar = &w->model->body[0];
        assert_int_equal(w->model->body_count, 1);
        assert_int_equal(w->model->joint_count, 0);
        assert_true(bar->mass == 10.0 && bar->inertia.m[0][0] == 1.66 && bar->inertia.m[1][1] == 9.66 &&
                    bar->inertia.m[2][2] == 8.66);
        expect_near(w->twist[0].angular, omega[k].x, omega[k].y, omega[k].z, 1e-15);
        expect_near(w->twist[0].linear, 0, 0, 0, 0);
        expect_near(w->def.gravity, 0, 0, 0, 0);
        assert_true(w->def.tolerance == 1e-4 && w->duration == 10.0 && w->time == 0.0);
        assert_int_equal(w->frame_count, 300);
        assert_int_equal(w->solid_count, 1);
        expect_near(w->solid[0].hull->high, 5, 2, 1, 0);
        assert_true(fabs(w->solid[0].hull->volume - 80.0) < 1e-12);
        er_world_file_destroy(w);
    }
}

// Tips of bars, 6 m from their centres.
static er_vec3 tip(const er_world_file *w, int body, double side)
{
    return er_pose_point(w->pose[body], er_v3(6 * side, 0, 0));
}

static void the_bars_hang_from_their_point(void **state)
{
    er_world_file *w = read_experiment("9.4");
    assert_int_equal(w->model->joint_count, 2);
    assert_int_equal(w->model->joint[0].parent, -1);
    assert_int_equal(w->model->joint[0].type, ER_JOINT_SPHERICAL);
    expect_near(w->model->joint[0].frame.p, 0, 0, 25, 1e-14);
    expect_near(tip(w, 0, -1), 0, 0, 25, 1e-14);
    expect_near(tip(w, 0, 1), 0, 0, 13, 1e-14);
    expect_near(tip(w, 1, -1), 0, 0, 13, 1e-14);
    expect_near(w->model->joint[1].frame.p, 0, 0, 13, 1e-14);
    expect_near(w->def.gravity, 0, 0, -9.81, 0);
    expect_near(w->solid[0].hull->high, 6, 1, 1, 0);
    assert_true(fabs(w->solid[0].hull->volume - (40.0 + 2.0 * 4.0 / 3.0)) < 1e-12); // box and two pyramids
    assert_true(w->model->body[1].mass == 10.0 && w->model->body[1].inertia.m[0][0] == 1.71);
    assert_int_equal(w->frame_count, 450);
    er_world_file_destroy(w);
}

static void the_tetrahedron_falls_on_a_fixed_body(void **state)
{
    er_world_file *w = read_experiment("9.5");
    const er_quat q = w->pose[0].q;
    double norm = sqrt(0.97 * 0.97 + 2 * 0.11 * 0.11 + 0.21 * 0.21);
    assert_true(fabs(q.w - 0.97 / norm) + fabs(q.x - 0.11 / norm) + fabs(q.z - 0.21 / norm) < 1e-15);
    expect_near(w->pose[0].p, 0, 3, 4, 0);
    for (int i = 0; i < 4; ++i)
        assert_true(fabs(er_v3_norm(w->solid[0].vertex[i]) - 2.0) < 1e-15);
    assert_true(fabs(w->solid[0].hull->volume - 64.0 * sqrt(3.0) / 27.0) < 1e-14); // 8 sqrt(3) R^3 / 27, R = 2
    assert_int_equal(w->model->joint_count, 1);
    assert_int_equal(w->model->joint[0].type, ER_JOINT_FIXED);
    assert_int_equal(w->model->joint[0].child, 1);
    assert_int_equal(w->model->loop_count, 0);
    assert_true(w->collide && w->solid[1].hull->high.z == 0.0 && w->solid[1].restitution == 1.0);
    er_world_file_destroy(w);
}

static void the_falling_bars_meet(void **state)
{
    er_world_file *w = read_experiment("9.6");
    expect_near(tip(w, 0, 1), 2, 0, 11.5, 1e-14);
    expect_near(tip(w, 1, -1), 2, 0, 11.5, 4e-15); // the decimals of its place
    er_vec3 down = er_v3_sub(tip(w, 1, 1), tip(w, 1, -1));
    assert_true(fabs(down.z / er_v3_norm(down) + 0.5) < 1e-15); // 30 degrees below the horizontal
    er_vec3 side = er_q_rotate(w->pose[0].q, er_v3(0, 1, 0));
    expect_near(side, 0, sqrt(0.5), sqrt(0.5), 1e-15); // 45 degrees about x
    assert_int_equal(w->model->joint_count, 2);
    er_world_file_destroy(w);
}

// ---- a set with everything

static const er_joint *joint_named(const er_model *m, const char *name)
{
    for (int k = 0; k < m->joint_count; ++k)
        if (strcmp(m->joint[k].name, name) == 0) return &m->joint[k];
    fail_msg("no joint %s", name);
    return NULL;
}

static void every_joint_becomes_its_type(void **state)
{
    static const struct {
        const char *name, *parent, *child;
        er_joint_type type;
        er_vec3 origin, axis;
    } expected[] = {
        {"foot_a", NULL, "base", ER_JOINT_FIXED, {0, 0, 0}, {0, 0, 1}},
        {"rail", "base", "slider", ER_JOINT_PRISMATIC, {1, 0, 0}, {1, 0, 0}},
        {"axle", "base", "wheel", ER_JOINT_REVOLUTE, {0, 4, 0}, {1, 0, 0}},
        {"sleeve", NULL, "rod", ER_JOINT_CYLINDRICAL, {0, 4, 5}, {0, 1, 0}},
        {"ankle", "rod", "ball", ER_JOINT_SPHERICAL, {1, 4, 5}, {0, 0, 1}},
        {"ice", NULL, "skate", ER_JOINT_POINT_ON_PLANE, {9, 9, 0.5}, {0, 0, 1}},
        {"tie", "rod", "ball", ER_JOINT_POINT_ON_PLANE, {1, 4, 6}, {0, 1, 0}},
    };
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    const er_model *m = w->model;
    assert_int_equal(m->joint_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        const er_joint *j = joint_named(m, expected[i].name);
        assert_int_equal(j->type, expected[i].type);
        assert_int_equal(j->parent, expected[i].parent != NULL ? hand_body(m, expected[i].parent, false) : -1);
        assert_int_equal(j->child, hand_body(m, expected[i].child, false));
        assert_int_equal(j->closes_loop, strcmp(j->name, "tie") == 0);
        expect_near(j->frame.p, expected[i].origin.x, expected[i].origin.y, expected[i].origin.z, 1e-15);
        expect_near(er_q_rotate(j->frame.q, er_v3(0, 0, 1)), expected[i].axis.x, expected[i].axis.y, expected[i].axis.z,
                    1e-15);
    }
    er_world_file_destroy(w);
}

// A box a x b x c of density rho: m = rho a b c, Jx = m (b^2 + c^2) / 12, ...
static void scale_and_density_make_another_box(void **state)
{
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    const er_body *b = &w->model->body[hand_body(w->model, "slider", false)];
    const double side[3] = {1 * 2, 2 * 3, 3 * 0.5}, mass = 2 * 1.5 * side[0] * side[1] * side[2];
    assert_true(fabs(b->mass - mass) < 1e-13 * mass);
    for (int i = 0; i < 3; ++i) {
        double u = side[(i + 1) % 3], v = side[(i + 2) % 3], J = mass * (u * u + v * v) / 12;
        assert_true(fabs(b->inertia.m[i][i] - J) < 1e-13 * J);
    }
    const er_solid *s = &w->solid[1];
    for (int i = 0; i < 8; ++i)
        expect_near(er_v3(fabs(s->vertex[i].x), fabs(s->vertex[i].y), fabs(s->vertex[i].z)), 1, 3, 0.75, 0);
    b = &w->model->body[hand_body(w->model, "wheel", false)];
    assert_true(b->mass == 24.0 && b->inertia.m[0][0] == 26.0 && b->inertia.m[2][2] == 10.0);
    er_world_file_destroy(w);
}

// omega = 2 theta' theta*, of a body that is turned: here by a quarter about z, two digits of it printed.
static void states_become_twists_of_the_body(void **state)
{
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    int ball = hand_body(w->model, "ball", false), rod = hand_body(w->model, "rod", false),
        skate = hand_body(w->model, "skate", false);
    assert_true(w->time == 0.25);
    assert_true(fabs(er_q_dot(w->pose[ball].q, w->pose[ball].q) - 1.0) < 1e-15);
    expect_near(w->twist[ball].linear, 0, 0, -0.5, 1e-15);
    expect_near(w->twist[rod].angular, 0, 0.5, 0, 1e-15);
    expect_near(w->twist[skate].angular, 0, 0, 1, 1e-15);
    expect_near(w->twist[skate].linear, 1, 2, 0, 0);
    er_world_file_destroy(w);

    // 9 0 0 turned by 60 degrees about z; theta' = omega theta / 2 for omega = (0, 3, 0)
    write_text("s.bds", "begin bodies (format of 95-01-09)\nbodies = 1\nb box 1 1 1 1\nend bodies\n");
    write_text("s.ste", "begin state (format of 95-01-09)\nbodies = 1 time = 0\n"
                        "b 0 0 0  0.8660254037844386 0 0 0.5  1 0 0  0 0.75 1.299038105676658 0 end state\n");
    unlink(sample_path("s.ctr"));
    unlink(sample_path("s.for"));
    w = read_world(sample_path("s.cfg"));
    er_vec3 omega = er_q_rotate(w->pose[0].q, w->twist[0].angular), v = er_q_rotate(w->pose[0].q, w->twist[0].linear);
    expect_near(omega, 0, 3, 0, 1e-14);
    expect_near(v, 1, 0, 0, 1e-15);
    expect_near(w->twist[0].linear, 0.5, -sqrt(0.75), 0, 1e-15);
    er_world_file_destroy(w);

    // parameters of two digits: omega = (0, 0, 1) all the same
    write_text("s.ste", "begin state (format of 95-01-09)\nbodies = 1 time = 0\n"
                        "b 0 0 0  0.71 0 0 0.71  0 0 0  -0.355 0 0 0.355 end state\n");
    w = read_world(sample_path("s.cfg"));
    expect_near(w->twist[0].angular, 0, 0, 1, 1e-15);
    er_world_file_destroy(w);
}

// Three points in one line leave a turn about it: they stay as they are, two of them closing loops.
static void points_in_one_line_hold_no_body(void **state)
{
    write_set();
    unlink(sample_path("s.for"));
    write_text("s.bds", "begin bodies (format of 95-01-09)\nbodies = 1\nb box 1 1 1 1\nend bodies\n");
    write_text("s.ste",
               "begin state (format of 95-01-09)\nbodies = 1 time = 0\nb 0 0 0 1 0 0 0 0 0 0 0 0 0 0 end state\n");
    write_text("s.ctr", "begin constraints (format of 95-01-09)\nconstraints = 3\n"
                        "a Fixed b 1 1 1\nb Fixed b 2 2 2\nc Fixed b -3 -3 -3\nend constraints\n");
    er_world_file *w = read_world(sample_path("s.cfg"));
    assert_int_equal(w->model->joint_count, 3);
    assert_int_equal(w->model->loop_count, 2);
    for (int k = 0; k < 3; ++k)
        assert_int_equal(w->model->joint[k].type, ER_JOINT_SPHERICAL);
    er_world_file_destroy(w);
}

// Two bodies that share three points are held by the first of those joints, whoever else has joints among them, and
// whichever of both is named first; two points, or three that lie nearly in one line, hold no body.
static void bodies_that_share_three_points_are_welded(void **state)
{
    write_set();
    unlink(sample_path("s.for"));
    write_text("s.bds", "begin bodies (format of 95-01-09)\nbodies = 4\na box 1 1 1 1\nb box 1 1 1 1\nc box 1 1 1 1\n"
                        "d box 1 1 1 1\nend bodies\n");
    write_text("s.ste", "begin state (format of 95-01-09)\nbodies = 4 time = 0\n"
                        "a 0 0 0 1 0 0 0 0 0 0 0 0 0 0\nb 0 0 0 1 0 0 0 0 0 0 0 0 0 0\n"
                        "c 0 0 0 1 0 0 0 0 0 0 0 0 0 0\nd 0 0 0 1 0 0 0 0 0 0 0 0 0 0 end state\n");
    write_text("s.ctr",
               "begin constraints (format of 95-01-09)\nconstraints = 14\n"
               "j0 Fixed c 0 0 0\nj1 Universal a 1 0 0 b 1 0 0\nj2 Fixed b 2 0 0\nj3 Fixed c 1 0 0\n"
               "j4 Universal b 0 1 0 a 0 1 0\nj5 Fixed c 0 1 0\nj6 Fixed b 0 2 0\nj7 Universal a 0 0 1 b 0 0 1\n"
               "j8 Universal d 0 0 0 a 0 0 0\nj9 Universal d 1 0 0 a 1 0 0\nj10 Universal d 1000 1e-4 0 a 1000 1e-4 0\n"
               "j11 Universal b 5 0 0 c 5 0 0\nj12 Revolution d 0 0 3 0 1 0 b 0 0 3 0 1 0\n"
               "j13 Prismatic World 0 0 0 0 0 2 3 4 5 d 0 0 0 0 0 1 6 8 -1\nend constraints\n");
    er_world_file *w = read_world(sample_path("s.cfg"));
    static const struct {
        const char *name;
        er_joint_type type;
        bool loop;
    } kept[] = {{"j0", ER_JOINT_FIXED, false},     {"j1", ER_JOINT_FIXED, false},     {"j2", ER_JOINT_SPHERICAL, false},
                {"j6", ER_JOINT_SPHERICAL, true},  {"j8", ER_JOINT_SPHERICAL, false}, {"j9", ER_JOINT_SPHERICAL, true},
                {"j10", ER_JOINT_SPHERICAL, true}, {"j11", ER_JOINT_SPHERICAL, true}, {"j12", ER_JOINT_REVOLUTE, true},
                {"j13", ER_JOINT_PRISMATIC, true}};
    assert_int_equal(w->model->joint_count, sizeof kept / sizeof *kept);
    for (int k = 0; k < w->model->joint_count; ++k) {
        const er_joint *j = &w->model->joint[k];
        assert_string_equal(j->name, kept[k].name);
        if (j->type != kept[k].type || j->closes_loop != kept[k].loop) fail_msg("%s is otherwise", j->name);
    }
    er_quat slides = w->model->joint[9].frame.q; // along w, and across it where u is
    expect_near(er_q_rotate(slides, er_v3(0, 0, 1)), 0, 0, 1, 1e-15);
    expect_near(er_q_rotate(slides, er_v3(1, 0, 0)), 0.6, 0.8, 0, 1e-15);
    const char *out = sample_path("out.cfg"); // by three points each, they are welded again
    if (er_world_file_write(context, w, out) != ER_OK) fail_msg("%s", er_context_error(context));
    er_world_file *back = read_world(out);
    expect_same_world(w, back, 1e-14);
    er_world_file_destroy(back);
    er_world_file_destroy(w);
}

static void forces_and_switches_are_read(void **state)
{
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    const er_force *f = w->def.force;
    assert_int_equal(w->def.force_count, 3);
    assert_true(f[0].kind == ER_FORCE_SPRING && f[0].stiffness == 120.0 && f[0].rest == 1.5 && f[0].damping == 0.0);
    assert_true(f[0].body == 1 && f[0].other == 0 && f[0].other_point.y == 1.0);
    assert_true(f[1].body == 4 && f[1].other == -1 && f[1].other_point.z == 9.0 && f[1].point.z == 0.0);
    assert_true(f[2].kind == ER_FORCE_SCHEDULE && f[2].sample_count == 3 && !f[2].body_axes && f[2].body == 5);
    assert_true(f[2].sample[1].time == 1.0 && f[2].sample[1].force.x == 5.0 && f[2].sample[1].torque.z == 2.0);
    assert_true(!w->collide && w->solid[0].hull == NULL && w->def.drift_tolerance == HUGE_VAL);
    assert_true(w->def.gravity.z == 0.0 && w->def.min_step == 1e-6 && w->def.max_step == 0.01);
    er_world_file_destroy(w);
    write_text("s.for", "begin forces (format of 95-01-09)\nforces = 1\ncoil Spring 120 1.5 base 0 1 0 slider 0 0 2\n"
                        "end forces\n");
    w = read_world(sample_path("s.cfg")); // the first is the first, be it body 0
    f = w->def.force;
    assert_true(f->body == 0 && f->other == 1 && f->point.y == 1.0 && f->other_point.z == 2.0);
    er_world_file_destroy(w);
}

// A shape with vertices alone is their hull. A shape without vertices is no solid.
static void shapes_need_no_faces(void **state)
{
    write_set();
    char *text = strdup(set_text[2]), *count = strstr(text, "faces = 12"), *face = strstr(text, "1 a b d");
    memcpy(count, "faces = 00", 10);
    strcpy(face, "end shape\n");
    write_text("box.shp", text);
    free(text);
    er_world_file *w = read_world(sample_path("s.cfg"));
    assert_int_equal(w->solid_count, 6);
    for (int i = 0; i < 6; ++i)
        assert_true(w->solid[i].vertex_count == 8 && w->solid[i].triangle_count == 12 && w->solid[i].body == i);
    er_world_file_destroy(w);
    write_text("box.shp", "begin shape (format of 95-01-09)\nmass = 12\nmoments = 13 10 5\nvertices = 0\nfaces = 0\n"
                          "end shape\n");
    w = read_world(sample_path("s.cfg"));
    assert_true(w->solid_count == 0 && w->model->body_count == 6 && w->model->body[0].mass == 12.0);
    er_world_file_destroy(w);
}

// ---- written

static void sets_that_are_written_read_the_same(void **state)
{
    static const char *const names[] = {"9.2", "9.3", "9.4", "9.5", "9.6", NULL};
    sample_remove_folder();
    write_set();
    for (int i = 0; i < 6; ++i) {
        er_world_file *w = names[i] != NULL ? read_experiment(names[i]) : read_world(sample_path("s.cfg")), *back;
        const char *out = sample_path("out.cfg");
        if (er_world_file_write(context, w, out) != ER_OK) fail_msg("%s", er_context_error(context));
        back = read_world(out);
        expect_same_world(w, back, 1e-14); // frames go into bodies and back
        // the same files again are no trouble; others in their place are
        assert_int_equal(er_world_file_write(context, w, out), ER_OK);
        write_text("out.ste", "mine");
        assert_refusal(context, er_world_file_write(context, w, out), ER_ERROR_FILE, "out.ste");
        er_world_file_destroy(back);
        er_world_file_destroy(w);
        sample_remove_folder();
        write_set();
    }
}

static void nothing_is_written_where_one_file_is_in_the_way(void **state)
{
    er_world_file *w = read_experiment("9.6");
    write_text("out-2.shp", "mine");
    int before = count_files(sample_folder());
    assert_int_equal(er_world_file_write(context, w, sample_path("out.cfg")), ER_ERROR_FILE);
    assert_int_equal(count_files(sample_folder()), before);
    er_world_file_destroy(w);
}

// A set's world whose parts may be changed.
typedef struct parts {
    er_world_file file;
    er_model model;
    er_body body[6];
    er_joint joint[9];
    er_solid solid[6];
    er_force force[3];
    er_pose pose[6];
} parts;

static void take_apart(const er_world_file *w, parts *p)
{
    *p = (parts){.file = *w, .model = *w->model};
    memcpy(p->body, w->model->body, sizeof *p->body * (size_t)w->model->body_count);
    memcpy(p->joint, w->model->joint, sizeof *p->joint * (size_t)w->model->joint_count);
    memcpy(p->solid, w->solid, sizeof *p->solid * (size_t)w->solid_count);
    memcpy(p->force, w->def.force, sizeof *p->force * (size_t)w->def.force_count);
    memcpy(p->pose, w->pose, sizeof *p->pose * (size_t)w->model->body_count);
    p->model.body = p->body;
    p->model.joint = p->joint;
    p->file.model = &p->model;
    p->file.solid = p->solid;
    p->file.def.force = p->force;
    p->file.pose = p->pose;
}

// One thing that no set can say; false after the last.
static bool spoil(int which, parts *p)
{
    static const er_motor motor;
    static const er_tie tie;
    static const er_joint_break load;
    static const er_body_pair pair = {0, 1};
    static const bool held[6] = {false, false, false, false, false, true};
    static const double rest[30];
    er_world_def *d = &p->file.def;
    er_joint *ball = &p->joint[0];
    int n = 0;
    while (strcmp(ball->name, "ankle") != 0)
        ++ball;
    if (which == n++) d->gravity.x = 1e-9;
    if (which == n++) d->gravity.y = 1e-9;
    if (which == n++) d->gravity.z = 9.81;
    if (which == n++) d->motor_count = 1, d->motor = &motor;
    if (which == n++) d->tie_count = 1, d->tie = &tie;
    if (which == n++) d->joint_break = &load;
    if (which == n++) d->rest = rest;
    if (which == n++) d->enforce_limits = true;
    if (which == n++) d->held = held;
    if (which == n++) p->model.damping_ratio = 0.1;
    if (which == n++) p->model.rayleigh_mass = 0.1;
    if (which == n++) p->model.rayleigh_stiffness = 0.1;
    if (which == n++) d->route = ER_ROUTE_MULTIPLIERS;
    if (which == n++) d->rotation_state = ER_ROTATION_MATRIX;
    if (which == n++) d->integrator = ER_INTEGRATE_RK4;
    if (which == n++) d->collide_connected = true;
    if (which == n++) d->apart_count = 1, d->apart = &pair;
    if (which == n++) d->restitution_rule = ER_COMBINE_MULTIPLY;
    if (which == n++) d->most_impacts += 1;
    if (which == n++) d->impact_tolerance *= 2.0;
    if (which == n++) d->drift_tolerance = 1e-3;
    if (which == n++) p->body[5].name = "two words";
    if (which == n++) p->body[5].name = "";
    if (which == n++) p->body[5].name = "World";
    if (which == n++) p->body[5].name = p->body[2].name;
    if (which == n++) p->body[5].com.z = 1e-9;
    if (which == n++) p->body[5].inertia.m[2][0] = 1e-9;
    if (which == n++) p->body[5].inertia.m[1][2] = 1e-9;
    if (which == n++) ball->name = "two words";
    if (which == n++) ball->stiffness[2] = 1e-9;
    if (which == n++) ball->damping[0] = 1e-9;
    if (which == n++) ball->limit[1][0] = -3.0;
    if (which == n++) ball->limit[2][1] = 3.0;
    if (which == n++) ball->swing = 1.0;
    if (which == n++) ball->twist[1] = 1.0;
    if (which == n++) ball->type = ER_JOINT_UNIVERSAL;
    if (which == n++) ball->type = ER_JOINT_PLANAR;
    for (int c = 3; which == n && c < 6; ++c)
        ball->limit[c][0] = -HUGE_VAL, ball->limit[c][1] = HUGE_VAL;
    if (which == n++) ball->type = ER_JOINT_FREE;
    if (which == n++) p->force[2].name = "two words";
    if (which == n++) p->force[2].name = NULL;
    if (which == n++) p->force[2].kind = ER_FORCE_CONSTANT;
    if (which == n++) p->force[1].kind = ER_FORCE_DRAG;
    if (which == n++) p->force[0].damping = 1e-9;
    if (which == n++) p->force[2].body_axes = true;
    if (which == n++) p->solid[5].shape.kind = ER_SHAPE_BOX;
    if (which == n++) p->solid[5].restitution = 0.5;
    if (which == n++) p->solid[5].friction = 0.5;
    if (which == n++) p->solid[5].rolling = 0.5;
    if (which == n++) p->solid[5].grain.x = 1.0;
    if (which == n++) p->solid[5].surface.linear.y = 1.0;
    if (which == n++) p->solid[5].groups = 1;
    if (which == n++) p->solid[5].ignores = 1;
    if (which == n++) p->solid[5].body = -1;
    if (which == n++) p->solid[5].body = 0;
    if (which == n++) p->pose[5].p.y = NAN;
    if (which == n++) p->pose[5].q.w = HUGE_VAL;
    if (which == n++) p->body[5].mass = NAN;
    if (which == n++) p->file.duration = HUGE_VAL;
    return which < n;
}

static void each_thing_a_set_cannot_say_is_refused(void **state)
{
    static const bool nobody[6];
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    parts p;
    sample_remove_folder();
    for (int i = 0; take_apart(w, &p), spoil(i, &p); ++i) {
        er_result r = er_world_file_write(context, &p.file, sample_path("out.cfg"));
        assert_int_equal(r, ER_ERROR_ARGUMENT);
        assert_null(strchr(er_context_error(context), '\n'));
        assert_int_equal(count_files(sample_folder()), 0);
    }
    take_apart(w, &p);
    er_result r = er_world_file_write(context, &p.file, sample_path("two words.cfg"));
    assert_refusal(context, r, ER_ERROR_ARGUMENT, "two words");
    p.file.def.held = nobody; // which holds none
    p.file.def.gravity.z = -9.81;
    p.file.collide = true;
    p.file.def.drift_tolerance = er_default_world_def().drift_tolerance;
    assert_int_equal(er_world_file_write(context, &p.file, sample_path("out.cfg")), ER_OK);
    er_world_file *back = read_world(sample_path("out.cfg"));
    assert_true(back->def.gravity.z == -9.81 && back->collide);
    assert_true(back->def.drift_tolerance == er_default_world_def().drift_tolerance);
    er_world_file_destroy(back);
    er_world_file_destroy(w);
}

// ---- surfaces and frames

// Files are read with fscanf. Velocities are compared with differences of positions of a body that keeps its twist.
static void frames_have_vertices_and_their_velocities(void **state)
{
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    int count = w->model->body_count, faces = 0, vertices = 0, corner[3];
    double t, step = 1e-6;
    er_twist twist[8];
    er_pose later[8];
    for (int b = 0; b < count; ++b) {
        twist[b] = (er_twist){{0.3 * b, -0.2, 0.5}, {1.0, 0.1 * b, -0.7}};
        er_twist part = {er_v3_scale(step, twist[b].angular), er_v3_scale(step, twist[b].linear)};
        later[b] = er_pose_mul(w->pose[b], er_pose_exp(part));
    }
    assert_int_equal(er_world_file_write_surface(context, w, sample_path("s.sur")), ER_OK);
    assert_int_equal(er_world_file_write_frame(context, w, 1.5, w->pose, twist, sample_path("s7.ste")), ER_OK);
    FILE *file = fopen(sample_path("s7.ste"), "r");
    assert_int_equal(fscanf(file, "begin state (format of 95-06-03) vertices = %d t = %lf", &vertices, &t), 2);
    assert_true(vertices == 48 && t == 1.5);
    for (int i = 0; i < vertices; ++i) {
        int number;
        er_vec3 p, v;
        assert_int_equal(fscanf(file, "%d: %lf %lf %lf %lf %lf %lf", &number, &p.x, &p.y, &p.z, &v.x, &v.y, &v.z), 7);
        assert_int_equal(number, i);
        er_vec3 x = w->solid[i / 8].vertex[i % 8], now = er_pose_point(w->pose[i / 8], x),
                then = er_pose_point(later[i / 8], x);
        expect_near(p, now.x, now.y, now.z, 0);
        expect_near(v, (then.x - now.x) / step, (then.y - now.y) / step, (then.z - now.z) / step, 2e-5); // O(step)
    }
    fclose(file);
    file = fopen(sample_path("s.sur"), "r");
    assert_int_equal(fscanf(file, "begin surface (format of 95-09-14) faces = %d", &faces), 1);
    assert_int_equal(faces, 72);
    for (int i = 0; i < faces; ++i) {
        assert_int_equal(fscanf(file, "%d %d %d", &corner[0], &corner[1], &corner[2]), 3);
        for (int k = 0; k < 3; ++k)
            assert_int_equal(corner[k], 8 * (i / 12) + w->solid[0].triangle[3 * (i % 12) + k]);
    }
    fclose(file);
    er_world_file_destroy(w);
}

static void frames_that_are_none_are_refused(void **state)
{
    write_set();
    er_world_file *w = read_world(sample_path("s.cfg"));
    const er_pose *good = w->pose;
    const er_twist twist[8] = {{{0, 0, 0}, {0, 0, 0}}};
    er_twist fast[8];
    er_pose far[8];
    memcpy(fast, twist, sizeof fast);
    memcpy(far, good, (size_t)w->model->body_count * sizeof *far);
    fast[0].linear.x = NAN; // no vertex's place tells it
    far[1].p.y = HUGE_VAL;  // no velocity does
    const struct {
        const er_world_file *world;
        double time;
        const er_pose *pose;
        const er_twist *twist;
        const char *path;
    } cases[] = {{w, 1.5, good, fast, "f.ste"},     {w, 1.5, far, twist, "f.ste"},  {w, HUGE_VAL, good, twist, "f.ste"},
                 {NULL, 1.5, good, twist, "f.ste"}, {w, 1.5, NULL, twist, "f.ste"}, {w, 1.5, good, NULL, "f.ste"},
                 {w, 1.5, good, twist, NULL}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const char *path = cases[i].path != NULL ? sample_path(cases[i].path) : NULL;
        er_result r =
            er_world_file_write_frame(context, cases[i].world, cases[i].time, cases[i].pose, cases[i].twist, path);
        assert_refusal(context, r, ER_ERROR_ARGUMENT, i < 3 ? "f.ste: " : "");
        assert_int_equal(access(sample_path("f.ste"), F_OK), -1);
    }
    assert_int_equal(er_world_file_write_frame(NULL, w, 1.5, good, twist, sample_path("f.ste")), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_write_surface(NULL, w, sample_path("f.sur")), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_write_surface(context, NULL, sample_path("f.sur")), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_write_surface(context, w, NULL), ER_ERROR_ARGUMENT);
    er_world_file_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_two_turn_as_printed),
        cmocka_unit_test(the_bars_hang_from_their_point),
        cmocka_unit_test(the_tetrahedron_falls_on_a_fixed_body),
        cmocka_unit_test(the_falling_bars_meet),
        cmocka_unit_test(every_joint_becomes_its_type),
        cmocka_unit_test(scale_and_density_make_another_box),
        cmocka_unit_test(states_become_twists_of_the_body),
        cmocka_unit_test(points_in_one_line_hold_no_body),
        cmocka_unit_test(bodies_that_share_three_points_are_welded),
        cmocka_unit_test(forces_and_switches_are_read),
        cmocka_unit_test(shapes_need_no_faces),
        cmocka_unit_test(sets_that_are_written_read_the_same),
        cmocka_unit_test(nothing_is_written_where_one_file_is_in_the_way),
        cmocka_unit_test(each_thing_a_set_cannot_say_is_refused),
        cmocka_unit_test(frames_have_vertices_and_their_velocities),
        cmocka_unit_test(frames_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, open_set, close_set);
}
