// See set.h.
#include "set.h"

#include <math.h>
#include <string.h>

ledger books;

int open_set(void **state)
{
    (void)state;
    books.left = LEDGER_ALL;
    context = ledger_context(&books);
    return 0;
}

int close_set(void **state)
{
    (void)state;
    sample_remove_folder();
    ledger_end(&books, context);
    return 0;
}

const char *write_text(const char *name, const char *text)
{
    return sample_write(name, text, strlen(text));
}

const char *const set_name[SET_FILES] = {"s.cfg", "s.bds", "box.shp", "s.ste", "s.ctr", "s.for"};
const char *const set_text[SET_FILES] = {
    "# a set\n"
    "begin animation (format of 95-01-09)\n"
    "  duration = 2.5\n  frames = 75\n  tolerance = 1e-7\n  min_step = 1e-6\n  max_step = 0.01\n"
    "  collision_test = off\n  gravity = off\n  correct_link_violation = off\n"
    "end animation\n",

    "begin bodies (format of 95-01-09)\n\n"
    "bodies = 6\n"
    "base box\n  1 1 1 1\n"
    "slider box   2 3 0.5 1.5\n"
    "wheel box\n  1 1 1 2 # as a disc\n"
    "rod box\n  1 1 1 1\n"
    "ball box\n  1 1 1 1\n"
    "skate box\n  1 1 1 1\n"
    "end bodies\n",

    "begin shape (format of 95-01-09)\n"
    "mass = 12\n"
    "moments = 13 10 5\n" // of a box 1 x 2 x 3 of density 2
    "vertices = 8\nfaces = 12\n"
    "a -0.5 -1 -1.5\nb -0.5 -1 1.5\nc -0.5 1 -1.5\nd -0.5 1 1.5\n"
    "e 0.5 -1 -1.5\nf 0.5 -1 1.5\ng 0.5 1 -1.5\nh 0.5 1 1.5\n"
    "1 a b d\n2 a d c\n3 e g h\n4 e h f\n5 a e f\n6 a f b\n7 c d h\n8 c h g\n9 a c g\n10 a g e\n11 b f h\n12 b h d\n"
    "end shape\n",

    "begin state (format of 95-01-09)\n"
    "bodies = 6\ntime = 0.25\n"
    "wheel  0 4 0  0.6 0.8 0 0\n  0 0 0  0 0 0 0\n" // in another order than the bodies
    "base   0 0 0  1 0 0 0\n      0 0 0  0 0 0 0\n"
    "slider 3 0 0  1 0 0 0\n      0.5 0 0  0 0 0 0\n"
    "rod    0 4 5  1 0 0 0\n      0 0 0  0 0 0.25 0\n"
    "ball   1 4 5  0.71 0 0 0.71\n 0 0 -0.5  0 0 0 0\n"
    "skate  9 9 1  1 0 0 0\n    1 2 0  0 0 0 0.5\n"
    "end state\n",

    "begin constraints (format of 95-01-09)\n"
    "constraints = 9\n"
    "foot_a Fixed\n  base 0 0 0\n"
    "rail Prismatic\n  base 1 0 0  1 0 0  0 1 0\n  slider -2 0 0  2 0 0  0.5 3 0\n"
    "foot_b Fixed\n  base 0 1 0\n"
    "foot_c Fixed\n  base 1 0 0\n"
    "axle Revolution\n  base 0 4 0  1 0 0\n  wheel 0 0 0  -1 0 0\n"
    "sleeve Cylindrical\n  World 0 4 5  0 1 0\n  rod 0 0 0  0 1 0\n"
    "ankle Universal\n  rod 1 0 0\n  ball 0 0 0\n"
    "ice Plane\n  skate 0 0 -0.5\n  World 0 0 2 -1\n"
    "tie Plane\n  ball 0 0 1\n  rod 0 1 0 0\n" // between what a joint ties already
    "end constraints\n",

    "begin forces (format of 95-01-09)\n"
    "forces = 3\n"
    "coil Spring\n  120 1.5\n  slider 0 0 0\n  base 0 1 0\n"
    "stay Spring\n  3 0\n  World 0 9 9\n  ball 0 0 0\n"
    "push Interpolated\n  skate 0 0 0.25\n  3\n"
    "  0.25 1 0 0 0 0 0\n  1 5 -1 0 0 0 2\n  2 0 0 0 0 0 0\n"
    "end forces\n"};

void write_set(void)
{
    for (int i = 0; i < SET_FILES; ++i)
        write_text(set_name[i], set_text[i]);
}

er_world_file *read_world(const char *path)
{
    er_world_file *file = NULL;
    if (er_world_file_read(context, path, &file) != ER_OK) fail_msg("%s", er_context_error(context));
    return file;
}

// ---- worlds that are the same

static double allowed;

static void same_numbers(const char *what, const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i)
        if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= allowed * (1.0 + fabs(a[i]))))
            fail_msg("%s, number %d: %.17g is %.17g", what, i, a[i], b[i]);
}

#define SAME(what, a, b)                                                                                               \
    same_numbers(what, (const double *)(const void *)&(a), (const double *)(const void *)&(b),                         \
                 sizeof(a) / sizeof(double))

static void same_model(const er_model *a, const er_model *b)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->joint_count, b->joint_count);
    SAME("the rig's damping ratio", a->damping_ratio, b->damping_ratio);
    for (int i = 0; i < a->body_count; ++i) {
        const er_body *x = &a->body[i], *y = &b->body[i];
        assert_string_equal(x->name, y->name);
        SAME("a body's mass", x->mass, y->mass);
        SAME("a body's centre of mass", x->com, y->com);
        SAME("a body's inertia", x->inertia, y->inertia);
        SAME("a body's pose", x->pose, y->pose);
    }
    for (int k = 0; k < a->joint_count; ++k) {
        const er_joint *x = &a->joint[k], *y = &b->joint[k];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->parent, y->parent);
        assert_int_equal(x->child, y->child);
        assert_int_equal(x->closes_loop, y->closes_loop);
        SAME("a joint's origin", x->frame.p, y->frame.p);
        SAME("a joint's stiffness", x->stiffness, y->stiffness);
        SAME("a joint's damping", x->damping, y->damping);
        er_vec3 u = er_q_rotate(x->frame.q, er_v3(0, 0, 1)), v = er_q_rotate(y->frame.q, er_v3(0, 0, 1));
        SAME("a joint's axis", u, v);
        if (allowed == 0.0) SAME("a joint's frame", x->frame, y->frame);
        for (int c = 0; c < er_joint_type_freedom(x->type, NULL); ++c)
            SAME("a joint's limit", x->limit[c], y->limit[c]);
    }
}

static void same_force(const er_force *x, const er_force *y)
{
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->body, y->body);
    assert_int_equal(x->body_axes, y->body_axes);
    assert_int_equal(x->other, y->other);
    assert_int_equal(x->sample_count, y->sample_count);
    SAME("a force's point", x->point, y->point);
    SAME("a force", x->force, y->force);
    SAME("a torque", x->torque, y->torque);
    SAME("a spring's other point", x->other_point, y->other_point);
    SAME("a spring's stiffness", x->stiffness, y->stiffness);
    SAME("a spring's damping", x->damping, y->damping);
    SAME("a spring's rest", x->rest, y->rest);
    SAME("linear drag", x->linear_drag, y->linear_drag);
    SAME("quadratic drag", x->quadratic_drag, y->quadratic_drag);
    SAME("angular drag", x->angular_drag, y->angular_drag);
    for (int i = 0; i < x->sample_count; ++i)
        SAME("a sample", x->sample[i], y->sample[i]);
}

static void same_contact(const er_world_def *a, const er_world_def *b)
{
    const er_contact_def *x = &a->contact, *y = &b->contact;
    const er_reference_def *r = &a->reference, *s = &b->reference;
    assert_int_equal(x->substeps, y->substeps);
    assert_int_equal(x->threads, y->threads);
    assert_int_equal(r->iterations, s->iterations);
    assert_int_equal(r->solver, s->solver);
    assert_int_equal(r->cone, s->cone);
    const double *const number[][2] = {{&x->frequency, &y->frequency},
                                       {&x->damping, &y->damping},
                                       {&x->push_out, &y->push_out},
                                       {&x->sleep_time, &y->sleep_time},
                                       {&x->sleep_speed, &y->sleep_speed},
                                       {&r->accuracy, &s->accuracy},
                                       {&r->relaxation, &s->relaxation},
                                       {&r->erp, &s->erp},
                                       {&r->cfm, &s->cfm}};
    for (size_t i = 0; i < sizeof number / sizeof *number; ++i)
        SAME("a number of contact", *number[i][0], *number[i][1]);
}

static void same_ties(const er_world_def *x, const er_world_def *y)
{
    assert_int_equal(x->tie_count, y->tie_count);
    for (int i = 0; i < x->tie_count; ++i) {
        const er_tie *a = &x->tie[i], *b = &y->tie[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->kind, b->kind);
        assert_memory_equal(a->body, b->body, sizeof a->body);
        assert_memory_equal(a->coordinate, b->coordinate, sizeof a->coordinate);
        for (int k = 0; k < 2; ++k) {
            SAME("a tie's point", a->point[k], b->point[k]);
            SAME("a tie's wheel", a->wheel[k], b->wheel[k]);
        }
        const double of_a[] = {a->least, a->most, a->stiffness, a->damping, a->ratio, a->break_force},
                     of_b[] = {b->least, b->most, b->stiffness, b->damping, b->ratio, b->break_force};
        assert_memory_equal(of_a, of_b, sizeof of_a);
    }
}

static void same_settings(const er_world_file *a, const er_world_file *b)
{
    const er_world_def *x = &a->def, *y = &b->def;
    SAME("gravity", x->gravity, y->gravity);
    SAME("tolerance", x->tolerance, y->tolerance);
    SAME("min_step", x->min_step, y->min_step);
    SAME("max_step", x->max_step, y->max_step);
    SAME("drift_tolerance", x->drift_tolerance, y->drift_tolerance);
    SAME("time", a->time, b->time);
    SAME("duration", a->duration, b->duration);
    assert_int_equal(a->frame_count, b->frame_count);
    assert_int_equal(a->collide, b->collide);
    assert_int_equal(x->collide_connected, y->collide_connected);
    assert_int_equal(x->friction_rule, y->friction_rule);
    assert_int_equal(x->restitution_rule, y->restitution_rule);
    assert_int_equal(x->apart_count, y->apart_count);
    if (x->apart_count > 0) assert_memory_equal(x->apart, y->apart, (size_t)x->apart_count * sizeof *x->apart);
    assert_int_equal(x->most_impacts, y->most_impacts);
    SAME("impact_tolerance", x->impact_tolerance, y->impact_tolerance);
    same_contact(x, y);
    assert_int_equal(x->enforce_limits, y->enforce_limits);
    assert_int_equal(x->route, y->route);
    assert_int_equal(x->rotation_state, y->rotation_state);
    assert_int_equal(x->integrator, y->integrator);
    assert_int_equal(x->rest == NULL, y->rest == NULL);
    if (x->rest != NULL) same_numbers("rest", x->rest, y->rest, a->model->coordinate_count);
    assert_int_equal(x->held == NULL, y->held == NULL);
    if (x->held != NULL) assert_memory_equal(x->held, y->held, (size_t)a->model->body_count * sizeof(bool));
    assert_int_equal(x->motor_count, y->motor_count);
    for (int i = 0; i < x->motor_count; ++i) {
        assert_int_equal(x->motor[i].coordinate, y->motor[i].coordinate);
        SAME("a motor's stiffness", x->motor[i].stiffness, y->motor[i].stiffness);
        SAME("a motor's position", x->motor[i].position, y->motor[i].position);
        SAME("a motor's damping", x->motor[i].damping, y->motor[i].damping);
        SAME("a motor's velocity", x->motor[i].velocity, y->motor[i].velocity);
        SAME("a motor's most", x->motor[i].most, y->motor[i].most);
    }
    same_ties(x, y);
    assert_int_equal(x->joint_break == NULL, y->joint_break == NULL);
    if (x->joint_break != NULL)
        assert_memory_equal(x->joint_break, y->joint_break, (size_t)a->model->joint_count * sizeof *x->joint_break);
}

void expect_same_world(const er_world_file *a, const er_world_file *b, double tolerance)
{
    allowed = tolerance;
    same_model(a->model, b->model);
    same_settings(a, b);
    for (int i = 0; i < a->model->body_count; ++i) {
        SAME("a pose", a->pose[i], b->pose[i]);
        SAME("a twist", a->twist[i], b->twist[i]);
    }
    assert_int_equal(a->def.force_count, b->def.force_count);
    for (int i = 0; i < a->def.force_count; ++i)
        same_force(&a->def.force[i], &b->def.force[i]);
    assert_int_equal(a->solid_count, b->solid_count);
    for (int i = 0; i < a->solid_count; ++i) {
        const er_solid *x = &a->solid[i], *y = &b->solid[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->body, y->body);
        assert_int_equal(x->vertex_count, y->vertex_count);
        assert_int_equal(x->triangle_count, y->triangle_count);
        SAME("a solid's pose", x->pose, y->pose);
        SAME("a restitution", x->restitution, y->restitution);
        SAME("a friction", x->friction, y->friction);
        SAME("a rolling resistance", x->rolling, y->rolling);
        SAME("a spinning resistance", x->spinning, y->spinning);
        SAME("a grain", x->grain, y->grain);
        SAME("friction along a grain", x->grain_friction, y->grain_friction);
        SAME("a surface that runs", x->surface, y->surface);
        assert_true(x->groups == y->groups && x->ignores == y->ignores);
        assert_int_equal(x->shape.kind, y->shape.kind);
        SAME("a radius", x->shape.radius, y->shape.radius);
        SAME("a length", x->shape.length, y->shape.length);
        SAME("half a box", x->shape.half, y->shape.half);
        if (x->shape.kind != ER_SHAPE_HULL) continue;
        same_numbers("vertices", &x->vertex->x, &y->vertex->x, 3 * x->vertex_count);
        assert_memory_equal(x->triangle, y->triangle, 3 * (size_t)x->triangle_count * sizeof(int));
        assert_int_equal(x->hull == NULL, y->hull == NULL);
    }
}
