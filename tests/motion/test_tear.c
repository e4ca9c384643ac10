// How far modes tear a skin, on boxes whose corners are tied by triangles: recomputed from one turn about one axis.
#include "support/hand.h"

#include <string.h>

#include <eigenrig/motion.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"

static const double angle = 15.0 * ER_PI / 180.0;

// Ties corners of boxes, by their vertices.
static void tie(hand *h, int a, int b, int c)
{
    int *index = h->index + 3 * h->triangles++;
    index[0] = a;
    index[1] = b;
    index[2] = c;
    ++h->mesh[0].triangle_count;
}

// Boxes one above the other, each on a node; the last one's node is below the first.
static void make_stack(hand *h, int count)
{
    static const char *const names[] = {"foot", "shin", "thigh", "hips"};
    static const int joints[] = {0, 1, 2, 3};
    hand_init(h);
    for (int i = 0; i < count; ++i)
        hand_node(h, names[i], i - 1, hand_at(0, i > 0, 0));
    int mesh = hand_mesh(h);
    for (int i = 0; i < count; ++i)
        hand_box(h, er_v3(-0.3, i, -0.2), er_v3(0.3, i + 1, 0.2), i);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(h, "s", count, joints));
}

// The tear of the lowest `count` elastic modes.
static er_tear tear_of_modes(const hand *h, const er_rig_def *def, int count, er_model **model)
{
    er_rig *built = hand_rig(context, &h->scene, def);
    er_modes *modes = NULL;
    assert_int_equal(er_modal_solve(context, built->model, NULL, &modes), ER_OK);
    er_recording_target target = er_rig_target(built);
    er_tear tear;
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, count, 15.0, &tear), ER_OK);
    er_modes_destroy(modes);
    *model = built->model;
    built->model = NULL;
    er_rig_destroy(built);
    return tear;
}

static er_tear tear_of(const hand *h, const er_rig_def *def, er_model **model)
{
    return tear_of_modes(h, def, 12, model);
}

static er_vec3 corner(const hand *h, int v)
{
    return er_v3((double)h->position[3 * v], (double)h->position[3 * v + 1], (double)h->position[3 * v + 2]);
}

// The tear of an edge from the lower box, which stays, to the upper, which turns about a joint.
static double expected(const hand *h, const er_model *m, int low, int high, double *stretch)
{
    const er_pose frame = m->joint[0].frame;
    er_vec3 axis = er_q_rotate(frame.q, er_v3(0, 0, 1)), u = corner(h, low), v = corner(h, high), c = frame.p;
    double worst = 0.0, reach = fmax(er_v3_distance(u, c), er_v3_distance(v, c));
    for (int side = -1; side <= 1; side += 2) {
        er_quat turn = er_q_exp(er_v3_scale(side * angle, axis));
        er_vec3 there = er_v3_add(c, er_q_rotate(turn, er_v3_sub(v, c)));
        worst = fmax(worst, er_v3_distance(u, there) - er_v3_distance(u, v));
    }
    *stretch = worst;
    return worst / (2.0 * sin(0.5 * angle) * fmax(reach, 0.01 * m->size));
}

static void an_edge_is_measured_by_the_turn_of_a_neighbour(void **state)
{
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    er_model *m;
    for (int scaled = 0; scaled < 2; ++scaled) {
        make_stack(&h, 2);
        def.height = scaled == 1 ? 20.0 : 0.0; // ten times the size: the same number
        er_tear none = tear_of(&h, &def, &m);
        assert_true(none.torn == 0.0 && none.mode == -1 && none.body[0] == -1);
        er_model_destroy(m);
        tie(&h, 2, 8, 3); // upper corners 2, 3, 6, 7 of the first, lower 8, 9, 12, 13 of the second
        er_tear one = tear_of(&h, &def, &m);
        double stretch, worst = 0.0, longest = 0.0;
        static const int low[] = {2, 3}, high[] = {8, 8};
        double unit = scaled == 1 ? 10.0 : 1.0;
        er_model *small = m;
        if (scaled == 1) {
            er_rig_def plain = def;
            plain.height = 0.0;
            tear_of(&h, &plain, &small);
        }
        for (int k = 0; k < 2; ++k) {
            double e = expected(&h, small, low[k], high[k], &stretch);
            if (e > worst) longest = stretch;
            worst = fmax(worst, e);
        }
        assert_true(worst > 0.5);
        assert_true(fabs(one.torn / worst - 1.0) < 1e-6); // corners are floats
        assert_true(fabs(one.stretch / (unit * longest) - 1.0) < 1e-6);
        assert_int_equal(one.mode, 6);
        assert_int_equal(one.body[0] + one.body[1], 1);
        if (small != m) er_model_destroy(small);
        er_model_destroy(m);
    }
}

// The side of a swing that stretches an edge more counts, wherever the edge is. An edge next to its joint is measured
// by a hundredth of the rig's size.
static void the_wider_side_of_a_swing_counts(void **state)
{
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    er_model *m;
    int seen = 0;
    static const int lower[] = {2, 7, 1, 4}, upper[] = {8, 9, 12, 13}; // corners where the boxes meet, and two below
    for (int which = 0; which < 17; ++which) {
        bool near = which == 16;
        make_stack(&h, 2);
        int low = lower[which % 4], high = upper[which / 4 % 4];
        if (near) { // two corners some millimetres from the joint, of a rig of two metres
            low = 2;
            high = 8;
            const float at[2][3] = {{0.001f, 0.999f, 0.002f}, {-0.002f, 1.003f, 0.001f}};
            memcpy(h.position + 3 * low, at[0], sizeof at[0]);
            memcpy(h.position + 3 * high, at[1], sizeof at[1]);
        }
        tie(&h, low, high, low);
        er_tear tear = tear_of(&h, &def, &m);
        double stretch, worst = expected(&h, m, low, high, &stretch);
        er_model_destroy(m);
        if (!near && worst < 0.05) continue; // along the turn
        ++seen;
        assert_true(fabs(tear.torn / worst - 1.0) < (near ? 1e-3 : 1e-6)); // corners are floats
        assert_true(fabs(tear.stretch / stretch - 1.0) < (near ? 1e-3 : 1e-5));
    }
    assert_true(seen >= 5);
}

// Three boxes on two hinges have two elastic modes, after six rigid ones: one is asked for, two, and more than there
// are.
static void only_elastic_modes_count(void **state)
{
    static hand h;
    er_rig_def def = er_default_rig_def();
    def.joints = ER_JOINTS_REVOLUTE;
    make_stack(&h, 3);
    for (int i = 0; i < 2; ++i)
        tie(&h, 8 * i + 2, 8 * i + 8, 8 * i + 3);
    er_model *m;
    er_tear by[3];
    for (int k = 0; k < 3; ++k) {
        by[k] = tear_of_modes(&h, &def, k + 1, &m);
        er_model_destroy(m);
    }
    assert_true(by[0].torn > 0.0 && by[0].mode == 6 && by[1].torn >= by[0].torn);
    assert_true(by[2].torn == by[1].torn && by[2].mode == by[1].mode);
}

static void what_stays_behind_tears(void **state)
{
    static hand h;
    for (int wrong = 0; wrong < 2; ++wrong) {
        make_stack(&h, 4);
        h.node[0].name = "hips"; // turned about: the leg stands on its hips
        h.node[3].name = "foot";
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 2; ++c)
                tie(&h, 8 * i + 2 + c, 8 * i + 8 + c, 8 * i + 6);
        static const er_hang says[] = {{"foot", "hips", false}};
        er_rig_def def = er_default_rig_def();
        def.hang = says;
        def.hang_count = wrong;
        er_model *m;
        er_tear tear = tear_of(&h, &def, &m);
        assert_true(wrong == 1 ? tear.torn > ER_TORN : tear.torn < 2.0);
        if (wrong == 1) assert_true(tear.body[0] + tear.body[1] == 5); // the foot and what it stood on
        er_model_destroy(m);
    }
}

// ---- edges by hand: weights of several bodies, joints, modes and scenes that nobody solved for

enum { MOST_LINKS = 20, HELD = -2, NONE = -1 };

// One end of an edge: where it is, in metres, and how much of it each body has; a row ends with a weight of 0.
typedef struct end {
    er_vec3 at;
    struct {
        int node; // of a link; or of a node without a body, which stays
        float weight;
    } share[MOST_LINKS];
} end;

// Links on hinges about z, each on the one before it, the first free or on a hinge to the world.
typedef struct links {
    int count, root; // root: HELD or NONE
    er_vec3 hinge[MOST_LINKS];
    double turn[MOST_LINKS]; // rad, of each hinge, that of the root aside
} links;

static er_model *model_of_links(const links *l)
{
    rig r = {0};
    for (int b = 0; b < l->count; ++b) {
        er_pose at = {er_q_identity(), l->hinge[b]};
        rig_add_body(&r, 1.0 + b, er_v3(0.1, 0.1, 0.1), at.q, er_v3_add(at.p, er_v3(0.3, 0.1, 0)), at);
        if (b > 0 || l->root == HELD) rig_add_joint(&r, ER_JOINT_REVOLUTE, b - 1, b, at)->stiffness[0] = 1.0;
    }
    return rig_model(context, &r);
}

// Where a point of a link goes, seen from the first one.
static er_vec3 turned_by(const links *l, double factor, int link, er_vec3 x)
{
    for (int b = link; b > 0; --b)
        x = er_v3_add(l->hinge[b], er_q_rotate(er_q_exp(er_v3(0, 0, factor * l->turn[b])), er_v3_sub(x, l->hinge[b])));
    return x;
}

static er_vec3 blended(const links *l, double factor, const end *e)
{
    er_vec3 sum = {0, 0, 0};
    for (int k = 0; k < MOST_LINKS && e->share[k].weight > 0.0f; ++k)
        sum = er_v3_madd(sum, (double)e->share[k].weight, turned_by(l, factor, e->share[k].node, e->at));
    return sum;
}

// The lesser mode of a tear: a scene of one edge, after instances that have no skin, or no weights. The first mode
// turns all hinges by more, and is no elastic one.
static er_tear tear_of_edge(const links *l, const er_model *m, const end e[2], double degrees, int count)
{
    const double unit = 0.5; // metres
    er_node node[MOST_LINKS + 1];
    er_affine world[MOST_LINKS + 1], inverse[MOST_LINKS + 1];
    int node_body[MOST_LINKS + 1], joint[MOST_LINKS + 1], start[3] = {0}, influence[2 * MOST_LINKS], used = 0;
    float position[6], weight[2 * MOST_LINKS];
    for (int i = 0; i <= l->count; ++i) {
        node[i] = (er_node){.name = "", .parent = -1, .local = er_affine_identity()};
        world[i] = er_affine_from_trs(er_v3(0.1 * i, 1.0, -i), er_q_exp(er_v3(0.2 * i, 1.0, 0.5)), er_v3(1, 2, 1));
        inverse[i] = er_affine_inverse(world[i]);
        joint[i] = i;
        node_body[i] = i < l->count ? i : -1;
    }
    for (int k = 0; k < 2; ++k) {
        const float at[3] = {(float)(e[k].at.x / unit), (float)(e[k].at.y / unit), (float)(e[k].at.z / unit)};
        memcpy(position + 3 * k, at, sizeof at);
        for (int i = 0; i < MOST_LINKS && e[k].share[i].weight > 0.0f; ++i) {
            influence[used] = e[k].share[i].node;
            weight[used++] = e[k].share[i].weight;
        }
        start[k + 1] = used;
    }
    static const int index[3] = {0, 1, 0};
    const er_mesh mesh[2] = {{.vertex_count = 2, .triangle_count = 1, .position = position, .index = index},
                             {.vertex_count = 2,
                              .triangle_count = 1,
                              .position = position,
                              .index = index,
                              .influence_start = start,
                              .influence_joint = influence,
                              .influence_weight = weight}};
    const er_skin skin[2] = {{"", 0, NULL, NULL}, {"", l->count + 1, joint, inverse}};
    const er_instance instance[] = {{1, 1, -1}, {0, 0, 1}, {0, 1, 1}};
    const er_scene scene = {.node_count = l->count + 1,
                            .node = node,
                            .mesh_count = 2,
                            .mesh = mesh,
                            .skin_count = 2,
                            .skin = skin,
                            .instance_count = 3,
                            .instance = instance};
    double shape[2][MOST_LINKS], body[6 * MOST_LINKS] = {0};
    for (int b = 0, c = 0; b < l->count; ++b) {
        if (b == 0 && l->root != HELD) continue;
        shape[0][c] = 5.0 + b;
        shape[1][c++] = b == 0 ? 0.0 : 0.7 * l->turn[b]; // its length says nothing
    }
    const er_mode mode[] = {{.kind = ER_MODE_MECHANISM, .joint = shape[0], .body = body},
                            {.kind = ER_MODE_ELASTIC, .joint = shape[1], .body = body}};
    const er_modes modes = {.count = 2, .first = 3, .dof = 9, .mode = mode};
    const er_recording_target target = {&scene, node_body, NULL, world, unit};
    er_tear tear;
    if (er_modes_tear(context, m, &modes, &target, count, degrees, &tear) != ER_OK)
        fail_msg("%s", er_context_error(context));
    return tear;
}

// Expects the tear of an edge whose nearest joint, among those that count, is that of link `nearest`; NONE: the size
// counts.
static void expect_edge(const links *l, const end e[2], double degrees, int nearest, int body_0, int body_1)
{
    er_model *m = model_of_links(l);
    double most = 0.0, stretched = 0.0, rest = er_v3_distance(e[0].at, e[1].at), turn = degrees * ER_PI / 180.0;
    for (int b = 1; b < l->count; ++b)
        most = fmax(most, fabs(l->turn[b]));
    for (int side = -1; side <= 1; side += 2) {
        double factor = side * turn / most;
        stretched = fmax(stretched, er_v3_distance(blended(l, factor, &e[0]), blended(l, factor, &e[1])) - rest);
    }
    double reach = m->size;
    if (nearest >= 0)
        reach = fmax(er_v3_distance(e[0].at, l->hinge[nearest]), er_v3_distance(e[1].at, l->hinge[nearest]));
    er_tear tear = tear_of_edge(l, m, e, degrees, 1);
    double known = stretched / (2.0 * sin(0.5 * turn) * reach);
    assert_true(known > 0.02);
    measure_at_most("tear of an edge by hand", fabs(tear.torn / known - 1.0), 1e-5); // corners are floats
    measure_at_most("stretch of an edge by hand", fabs(tear.stretch / stretched - 1.0), 1e-5);
    int first = tear.body[0] == body_0 ? 0 : 1; // an edge is looked at both ways
    assert_true(tear.mode == 4 && tear.body[first] == body_0 && tear.body[1 - first] == body_1);
    er_model_destroy(m);
}

static const links three = {3, NONE, {{0, 0, 0}, {1, 0.2, 0}, {1.45, 0.3, 0}}, {0, 1.0, -0.6}};

// The joint that is nearest counts, of those whose body has a tenth of the edge.
static void joints_of_bodies_with_a_tenth_of_an_edge_count(void **state)
{
    const end plain[2] = {{{0.7, 0.5, 0}, {{0, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 1.0f}}}};
    const end little[2] = {{{1.1, 0.5, 0}, {{0, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 0.92f}, {2, 0.08f}}}};
    const end both[2] = {{{1.1, 0.5, 0}, {{2, 0.06f}, {0, 0.94f}}}, {{1.5, 0.6, 0}, {{1, 0.93f}, {2, 0.07f}}}};
    const end one[2] = {{{1.1, 0.5, 0}, {{0, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 0.88f}, {2, 0.12f}}}};
    const end mixed[2] = {{{1.4, 0.5, 0.3}, {{1, 0.4f}, {0, 0.6f}}}, {{1.7, 0.6, 0}, {{1, 0.3f}, {2, 0.7f}}}};
    const end back[2] = {{{1.7, 0.6, 0}, {{2, 0.7f}, {1, 0.3f}}}, {{1.4, 0.5, 0.3}, {{0, 0.6f}, {1, 0.4f}}}};
    static const double degrees[] = {15.0, 90.0};
    for (int k = 0; k < 2; ++k) {
        expect_edge(&three, plain, degrees[k], 1, 0, 1);
        expect_edge(&three, little, degrees[k], 1, 0, 1);
        expect_edge(&three, both, degrees[k], 2, 0, 1);
        expect_edge(&three, one, degrees[k], 2, 0, 1);
        expect_edge(&three, mixed, degrees[k], 2, 0, 2);
        expect_edge(&three, back, degrees[k], 2, 2, 0);
    }
}

// A joint to the world turns no neighbour, however near it is; and of edges of one body, or of one and of what no body
// moves, nothing is said.
static void edges_between_no_two_bodies_tear_nothing(void **state)
{
    links held = three;
    held.root = HELD;
    held.hinge[0] = er_v3(1.2, 0.55, 0);
    const end plain[2] = {{{0.7, 0.5, 0}, {{0, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 1.0f}}}};
    expect_edge(&held, plain, 15.0, 1, 0, 1);
    er_model *m = model_of_links(&three);
    const end same[2] = {{{0.7, 0.5, 0}, {{1, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 1.0f}}}};
    const end stays[2] = {{{0.7, 0.5, 0}, {{3, 1.0f}}}, {{1.5, 0.6, 0}, {{1, 1.0f}}}};
    const end moves[2] = {{{0.7, 0.5, 0}, {{2, 1.0f}}}, {{1.5, 0.6, 0}, {{3, 1.0f}}}};
    const end *none[] = {same, stays, moves};
    for (int i = 0; i < 3; ++i) {
        er_tear tear = tear_of_edge(&three, m, none[i], 15.0, 1);
        assert_true(tear.torn == 0.0 && tear.stretch == 0.0 && tear.mode == -1);
        assert_true(tear.body[0] == -1 && tear.body[1] == -1);
    }
    er_model_destroy(m);
}

// Twelve bodies have a share of one end, the one whose joint is nearest the last of them.
static void many_bodies_may_share_an_edge(void **state)
{
    links many = {.count = 14, .root = NONE};
    end e[2] = {{{0.6, 0.1, 0}, {{0, 1.0f}}}, {{1.2, 0.2, 0}, {{0, 0.0f}}}};
    for (int b = 0; b < 14; ++b) {
        many.hinge[b] = er_v3(0.1 * b - 1.0, -0.1, 0);
        many.turn[b] = b % 2 == 0 ? 0.3 : -0.2;
        if (b > 0 && b < 13) {
            e[1].share[b - 1].node = b;
            e[1].share[b - 1].weight = b == 11 || b == 12 ? 0.15f : 0.07f;
        }
    }
    expect_edge(&many, e, 15.0, 12, 0, 11);
}

static void bad_arguments_are_refused(void **state)
{
    static hand h;
    make_stack(&h, 2);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    er_modes *modes = rig_modes(context, built->model, ER_MODAL_AUTO);
    er_recording_target target = er_rig_target(built);
    er_tear tear;
    static const struct {
        int count;
        double degrees;
    } rows[] = {{0, 15.0}, {-1, 15.0}, {1, 0.0}, {1, NAN}, {1, 90.1}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        assert_refusal(context,
                       er_modes_tear(context, built->model, modes, &target, rows[i].count, rows[i].degrees, &tear),
                       ER_ERROR_ARGUMENT, "degrees");
    assert_true(tear.mode == -1 && tear.torn == 0.0 && tear.body[0] == -1 && tear.body[1] == -1);
    for (int lacks = 0; lacks < 5; ++lacks) {
        er_recording_target bad = target;
        if (lacks == 0) bad.scene = NULL;
        if (lacks == 1) bad.node_body = NULL;
        if (lacks == 2) bad.world = NULL;
        if (lacks >= 3) bad.metres_per_unit = lacks == 3 ? 0.0 : NAN;
        assert_refusal(context, er_modes_tear(context, built->model, modes, &bad, 1, 15.0, &tear), ER_ERROR_ARGUMENT,
                       "target");
    }
    assert_int_equal(er_modes_tear(context, built->model, modes, &target, 1, 90.0, &tear), ER_OK);
    er_modes_destroy(modes);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_measured_by_the_turn_of_a_neighbour),
        cmocka_unit_test(the_wider_side_of_a_swing_counts),
        cmocka_unit_test(only_elastic_modes_count),
        cmocka_unit_test(what_stays_behind_tears),
        cmocka_unit_test(joints_of_bodies_with_a_tenth_of_an_edge_count),
        cmocka_unit_test(edges_between_no_two_bodies_tear_nothing),
        cmocka_unit_test(many_bodies_may_share_an_edge),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("tear", tests, set_up, tear_down);
}
