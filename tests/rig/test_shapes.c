// Solids that stand for bodies, judged by closed forms of skins made by hand, and by the skins' own vertices.
#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/hand.h"

static er_rig_shapes *shapes_of(const er_model *model, const er_rig *rig)
{
    er_rig_shapes *s = NULL;
    if (er_rig_shapes_create(context, model, rig, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

static int add_vertex(hand *h, er_vec3 at, int joint)
{
    er_mesh *m = &h->mesh[h->scene.mesh_count - 1];
    int v = m->vertex_count++, *start = h->start[h->scene.mesh_count - 1] + v;
    assert_true(h->vertices < HAND_VERTICES);
    float *p = h->position + 3 * h->vertices++;
    p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
    start[1] = start[0] + 1;
    h->joint[h->scene.mesh_count - 1][start[0]] = joint;
    h->weight[v] = 1.0f;
    return v;
}

static void add_triangle(hand *h, int a, int b, int c)
{
    int *t = h->index + 3 * h->triangles++;
    t[0] = a, t[1] = b, t[2] = c;
    ++h->mesh[h->scene.mesh_count - 1].triangle_count;
}

typedef struct ring {
    er_vec3 centre;
    double radius;
    int joint;
} ring;

// A closed solid of revolution about an axis of X: rings of `sides` corners, its ends fans.
static void add_revolved(hand *h, int count, const ring *r, int sides)
{
    int first = add_vertex(h, r[0].centre, r[0].joint), last = add_vertex(h, r[count - 1].centre, r[count - 1].joint);
    int base = 0;
    for (int k = 1; k < count - 1; ++k) {
        for (int i = 0; i < sides; ++i) {
            double a = 2.0 * ER_PI * i / sides;
            int v =
                add_vertex(h, er_v3_add(r[k].centre, er_v3(0, r[k].radius * cos(a), r[k].radius * sin(a))), r[k].joint);
            if (k == 1 && i == 0) base = v;
        }
        int now = base + (k - 1) * sides;
        for (int i = 0; i < sides; ++i) {
            int next = (i + 1) % sides;
            if (k == 1) {
                add_triangle(h, first, now + next, now + i);
            } else {
                add_triangle(h, now - sides + i, now - sides + next, now + next);
                add_triangle(h, now - sides + i, now + next, now + i);
            }
            if (k == count - 2) add_triangle(h, last, now + i, now + next);
        }
    }
}

// A bar along X from -radius to length + radius, round at both ends, in two halves.
static int round_bar(ring *r, double length, double radius)
{
    int count = 0;
    for (int k = 0; k <= 4; ++k) {
        double a = 0.125 * ER_PI * k;
        r[count++] = (ring){{-radius * cos(a), 0, 0}, radius * sin(a), 0};
    }
    for (int k = 1; k < 8; ++k)
        r[count++] = (ring){{length * k / 8.0, 0, 0}, radius, k >= 4};
    for (int k = 4; k >= 0; --k) {
        double a = 0.125 * ER_PI * k;
        r[count++] = (ring){{length + radius * cos(a), 0, 0}, radius * sin(a), 1};
    }
    return count;
}

static er_affine turned_root(void)
{
    return hand_turned(er_v3(1, 2, 3), er_v3(0.3, -0.8, 0.5), er_v3(1, 1, 1));
}

static er_rig *bar_rig(hand *h, double length, double radius)
{
    static const int joints[] = {0, 1};
    ring r[32];
    hand_init(h);
    hand_node(h, "a", -1, hand_at(0, 0, 0));
    hand_node(h, "b", 0, hand_at(0.5 * length, 0, 0));
    hand_node(h, "mesh", -1, hand_at(0, 0, 0));
    int mesh = hand_mesh(h);
    add_revolved(h, round_bar(r, length, radius), r, 20);
    hand_draw(h, 2, mesh, hand_skin(h, "bar", 2, joints));
    h->node[0].local = turned_root(); // the skin goes with its bones
    return hand_rig(context, &h->scene, NULL);
}

static void a_round_bar_gives_capsules_of_its_radius(void **state)
{
    static hand h;
    const double length = 4.0, radius = 0.2;
    er_rig *rig = bar_rig(&h, length, radius);
    er_rig_shapes *s = shapes_of(rig->model, rig);
    assert_int_equal(s->count, 2);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(s->shape[i].body, i);
        assert_int_equal(s->shape[i].shape.kind, ER_SHAPE_CAPSULE);
        assert_true(fabs(s->shape[i].shape.radius / radius - 1.0) <
                    1e-2); // the hull of some of its points is less round
        er_vec3 axis = er_q_rotate(s->shape[i].pose.q, er_v3(0, 0, 1));
        assert_true(fabs(fabs(axis.x) - 1.0) < 1e-4);
        // along the bone it ends where the skin does
        double end = i == 0 ? -radius : 0.5 * length + radius, middle = s->shape[i].pose.p.x;
        double reach = 0.5 * s->shape[i].shape.length + radius;
        assert_true(fabs((i == 0 ? middle - reach : middle + reach) - end) < 5e-3);
    }
    assert_int_equal(s->pair_count, 0); // they overlap, and a joint ties them
    er_rig_shapes_destroy(s);
    er_rig_destroy(rig);
}

// Along any way up, the lowest point of the bar is that of the ball at its lower end.
static void the_lowest_point_is_that_of_the_skin(void **state)
{
    static hand h;
    const double length = 4.0, radius = 0.2;
    er_rig *rig = bar_rig(&h, length, radius);
    er_rig_shapes *s = shapes_of(rig->model, rig);
    er_pose pose[2] = {rig->model->body[0].pose, rig->model->body[1].pose};
    for (int k = 0; k < 8; ++k) {
        er_vec3 up = er_v3_unit(er_v3(cos(k), sin(2.0 * k), cos(3.0 * k)), er_v3(0, 1, 0));
        double a = er_v3_dot(up, er_pose_point(pose[0], er_v3(0, 0, 0))),
               b = er_v3_dot(up, er_pose_point(pose[0], er_v3(length, 0, 0)));
        assert_true(fabs(er_rig_shapes_lowest(s, pose, up) - (fmin(a, b) - radius)) < 5e-3);
    }
    er_rig_shapes_destroy(s);
    er_rig_destroy(rig);
}

static void a_box_gives_its_own_hull(void **state)
{
    static hand h;
    hand_chain(&h); // links of boxes
    er_rig *rig = hand_rig(context, &h.scene, NULL);
    er_rig_shapes *s = shapes_of(rig->model, rig);
    assert_int_equal(s->count, 4);
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(s->shape[i].shape.kind, ER_SHAPE_HULL);
        assert_int_equal(s->shape[i].shape.hull->vertex_count, 8);
        double mass = rig->model->body[i].mass; // of a solid of water
        assert_true(fabs(1000.0 * s->shape[i].shape.hull->volume / mass - 1.0) < 1e-6);
        assert_true(er_v3_distance(s->shape[i].shape.hull->centre, rig->model->body[i].com) < 1e-6);
    }
    er_rig_shapes_destroy(s);
    er_rig_destroy(rig);
}

static void a_sheet_of_skin_has_a_thickness(void **state)
{
    static hand h;
    static const int joints[] = {0};
    hand_init(&h);
    hand_node(&h, "a", -1, hand_at(0, 0, 0));
    hand_node(&h, "mesh", -1, hand_at(0, 0, 0));
    int mesh = hand_mesh(&h);
    for (int v = 0; v < 4; ++v)
        add_vertex(&h, er_v3(v % 2, 2.0 * (v / 2), 0.5), 0);
    add_triangle(&h, 0, 1, 3);
    add_triangle(&h, 0, 3, 2);
    hand_draw(&h, 1, mesh, hand_skin(&h, "sheet", 1, joints));
    er_rig *rig = hand_rig(context, &h.scene, NULL);
    er_rig_shapes *s = shapes_of(rig->model, rig);
    assert_int_equal(s->count, 1);
    double thick = s->shape[0].shape.hull->volume / 2.0; // of two square metres
    assert_true(fabs(thick / (0.005 * rig->model->size) - 1.0) < 1e-6);
    er_rig_shapes_destroy(s);
    er_rig_destroy(rig);
}

// Without a scene bones are rods of water that weigh what their bodies do, and reach from joint to joint.
static void bones_without_a_skin_are_capsules(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *rig = hand_rig(context, &h.scene, NULL);
    er_rig_shapes *s = shapes_of(rig->model, NULL);
    assert_int_equal(s->count, 4);
    for (int i = 0; i < 3; ++i) {
        const er_shape *c = &s->shape[i].shape;
        assert_int_equal(c->kind, ER_SHAPE_CAPSULE);
        assert_true(fabs(c->length + 2.0 * c->radius - 1.0) < 1e-9);
        double rod = sqrt(rig->model->body[i].mass / (1000.0 * ER_PI));
        assert_true(fabs(c->radius - fmin(rod, 1.0 / 3.0)) < 1e-9);
    }
    er_rig_shapes_destroy(s);
    er_rig_destroy(rig);
}

static void equal_calls_give_equal_shapes(void **state)
{
    static hand h;
    er_rig *rig = bar_rig(&h, 4.0, 0.2);
    er_rig_shapes *a = shapes_of(rig->model, rig), *b = shapes_of(rig->model, rig);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; ++i) {
        assert_memory_equal(&a->shape[i].pose, &b->shape[i].pose, sizeof(er_pose));
        assert_true(a->shape[i].shape.radius == b->shape[i].shape.radius);
        assert_true(a->shape[i].shape.length == b->shape[i].shape.length);
    }
    er_rig_shapes_destroy(b);
    er_rig_shapes_destroy(a);
    er_rig_destroy(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_bar_gives_capsules_of_its_radius),
        cmocka_unit_test(the_lowest_point_is_that_of_the_skin),
        cmocka_unit_test(a_box_gives_its_own_hull),
        cmocka_unit_test(a_sheet_of_skin_has_a_thickness),
        cmocka_unit_test(bones_without_a_skin_are_capsules),
        cmocka_unit_test(equal_calls_give_equal_shapes),
    };
    return cmocka_run_group_tests_name("shapes", tests, set_up, tear_down);
}
