// Masses of bones with a short closed form: plates, rods, trees without mass, and props.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "rig/mass/mass.h"
#include "support/context.h"
#include "support/hand.h"
#include "support/judge.h"

static hand h;

static int joint(const char *name, int parent, double x, double y, double z)
{
    int node = hand_node(&h, name, parent, hand_at(x, y, z));
    h.node[node].flags = ER_NODE_JOINT;
    return node;
}

static double mass_of(const er_rig *of, const char *name)
{
    return of->model->body[hand_body(of->model, name, false)].mass;
}

static void expect_mass(const er_rig *of, const char *name, double expected)
{
    measure_at_most("mass of a body", relative_error(mass_of(of, name), expected), 1e-9);
}

static er_vec3 middle(er_vec3 a, er_vec3 b)
{
    return er_v3_scale(0.5, er_v3_add(a, b));
}

static er_vec3 vertex_of(int v)
{
    return er_v3((double)h.position[3 * v], (double)h.position[3 * v + 1], (double)h.position[3 * v + 2]);
}

// Each triangle in three at its vertices, as far as the middles of its sides: each part weighs as a square as large.
static void plates_are_thirds_of_their_triangles(void **state)
{
    hand_init(&h);
    int joints[] = {joint("a", -1, 0.5, 0.25, 0), joint("b", 0, 1, 0, 0)};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 0.5, 0), 0);
    hand_box(&h, er_v3(1.5, 0, 0), er_v3(1.5, 0.75, 0.5), 1);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 2, joints));
    h.scene.metres_per_unit = 0.5;
    er_rig_def def = er_default_rig_def();
    def.density = 700.0;
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_string_equal(built->mass_source, "flat meshes, taken as plates");
    assert_true(hand_noted(built, ER_NOTE_WARNING, "bound no volume: they weigh as plates 0.015 m thick"));
    assert_true(built->volume == 0.0);
    double unit = 0.5, thick = 0.02 * 1.5 * unit;
    for (int b = 0; b < 2; ++b) {
        eri_mass sum = {0};
        for (int t = 12 * b; t < 12 * b + 12; ++t) {
            er_vec3 v[3], g = {0};
            for (int c = 0; c < 3; ++c) {
                v[c] = er_v3_scale(unit, vertex_of(h.index[3 * t + c]));
                g = er_v3_madd(g, 1.0 / 3.0, v[c]);
            }
            double area = 0.5 * er_v3_norm(er_v3_cross(er_v3_sub(v[1], v[0]), er_v3_sub(v[2], v[0]))) / 3.0;
            for (int c = 0; c < 3;
                 ++c) { // two triangles, as large as each other, that meet from the vertex to the middle
                er_vec3 rest = er_v3_add(middle(v[c], v[(c + 1) % 3]), middle(v[c], v[(c + 2) % 3]));
                er_vec3 at = er_v3_scale(1.0 / 6.0, er_v3_madd(rest, 2.0, er_v3_add(v[c], g)));
                double m = 700.0 * thick * area;
                sum.mass += m;
                sum.moment = er_v3_madd(sum.moment, m, at);
                sum.second = er_m3_madd(sum.second, m, er_m3_outer(at, at));
                sum.second = er_m3_madd(sum.second, m * (area + thick * thick) / 12.0, er_m3_identity());
            }
        }
        er_vec3 centre;
        er_mat3 inertia;
        eri_mass_centre(&sum, &centre, &inertia);
        const er_body *body = &built->model->body[b];
        measure_at_most("mass of a plate", relative_error(body->mass, sum.mass), 1e-9);
        measure_at_most("centre of a plate", er_v3_distance(er_pose_point(body->pose, body->com), centre), 1e-9);
        for (int i = 0; i < 9; ++i)
            measure_at_most("inertia of a plate", fabs(body->inertia.m[i / 3][i % 3] - inertia.m[i / 3][i % 3]),
                            1e-9 * inertia.m[2][2]);
    }
    er_rig_destroy(built);
}

// ---- rods

static double limb(double way, double extent)
{
    return ER_PI * pow(0.045 * extent, 2.0) * pow(way / extent, 1.25);
}

// A trunk of two bones with two legs and two arms, which have fingers; a root on the ground; end sites at all tips.
static void rods_are_limbs_or_as_thick_as_all_limbs(void **state)
{
    for (int finger = 0; finger < 2; ++finger) {
        double e = 2.0, tip = finger == 0 ? 0.149 * e : 0.151 * e; // what is shorter is no limb beside another
        hand_init(&h);
        int root = joint("root", -1, 0, 0, 0), hips = joint("hips", root, 0, 1, 0);
        int spine = joint("spine", hips, 0, 0.25, 0), chest = joint("chest", spine, 0, 0.25, 0);
        int head = hand_node(&h, "end of chest", chest, hand_at(0, 0.2, 0));
        h.node[head].flags = ER_NODE_END_SITE;
        for (int s = 1; s >= -1; s -= 2) {
            int leg = joint(s > 0 ? "left leg" : "right leg", hips, 0.1 * s, 0, 0);
            int arm = joint(s > 0 ? "left arm" : "right arm", chest, 0.25 * s, 0, 0);
            int end = hand_node(&h, "end of leg", leg, hand_at(0, -0.75, 0));
            int hand_end = hand_node(&h, "end of arm", arm, hand_at(0.75 * s, 0, 0));
            int finger_end = hand_node(&h, "end of finger", arm, hand_at(0, -tip, 0));
            h.node[end].flags = h.node[hand_end].flags = h.node[finger_end].flags = ER_NODE_END_SITE;
        }
        er_rig_def def = er_default_rig_def();
        def.density = 500.0;
        er_rig *built = hand_rig(context, &h.scene, &def);
        assert_string_equal(built->mass_source, "capsules along the bones");
        assert_true(hand_noted(built, ER_NOTE_FACT, "there is no mesh: bones weigh as capsules"));
        assert_true(fabs(built->extent - e) < 1e-12);
        // an arm of one limb goes on from the chest; one of two is as thick as both
        double arms = finger == 0 ? limb(1.0, e) : limb(0.75, e) + limb(tip, e), legs = limb(0.85, e);
        double all = 2.0 * arms + 2.0 * legs;
        expect_mass(built, "left leg", 500.0 * 0.75 * limb(0.75, e));
        expect_mass(built, "right arm", 500.0 * (0.75 * limb(0.75, e) + tip * limb(tip, e)));
        expect_mass(built, "spine", 500.0 * 0.25 * all);
        expect_mass(built, "hips", 500.0 * (0.25 * all + 2.0 * 0.1 * legs));
        // nothing joins the root's way but what it leads into; a head is short
        expect_mass(built, "root", 500.0 * limb(1.0, e));
        double shoulder = finger == 0 ? arms : all; // a branch of two limbs, with as many elsewhere
        expect_mass(built, "chest", 500.0 * (0.2 * limb(0.2, e) + 2.0 * 0.25 * shoulder));
        er_rig_destroy(built);
    }
}

// A rod shorter than a ten thousandth of the model is none, however thick the limb is that it begins.
static void rods_of_no_length_weigh_nothing(void **state)
{
    for (int i = 0; i < 2; ++i) {
        hand_init(&h);
        int a = joint("a", -1, 0, 0, 0), b = joint("b", a, 1, 0, 0);
        int c = joint("c", b, 0, i == 0 ? 0.9e-4 : 1.1e-4, 0);
        joint("d", c, 0, 1, 0);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(hand_body(built->model, "b", true) >= 0, i == 1);
        assert_int_equal(built->model->body_count, 2 + i);
        er_rig_destroy(built);
    }
}

// Control bones, told by their names, are no rods and carry none. If fewer than two bones would remain, names do not
// count.
static void controls_weigh_nothing(void **state)
{
    for (int named = 0; named < 2; ++named) {
        hand_init(&h);
        int root = joint("root", -1, 0, 0, 0), a = joint("a", root, 0, 1, 0), b = joint("b", a, 0, 1, 0);
        joint("c", b, 0, 1, 0);
        int control = joint(named == 1 ? "ik_target" : "d", a, 0, 0, 3),
            pole = joint(named == 1 ? "pole" : "e", control, 0, 0, 1);
        int end = hand_node(&h, "end", pole, hand_at(0, 0, 1));
        h.node[end].flags = ER_NODE_END_SITE;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        const double e = 5.0; // the size is of all nodes
        assert_true(fabs(built->extent - e) < 1e-12);
        if (named == 1) {
            expect_mass(built, "root", 1000.0 * limb(3.0, e));
            expect_mass(built, "a", 1000.0 * limb(2.0, e));
            expect_mass(built, "b", 1000.0 * limb(1.0, e));
        }
        assert_int_equal(hand_body(built->model, named == 1 ? "ik_target" : "d", true) >= 0, named == 0);
        assert_int_equal(built->model->body_count, named == 1 ? 3 : 5);
        er_rig_destroy(built);
    }
    for (int left = 1; left < 3; ++left) {
        hand_init(&h);
        int root = joint(left == 2 ? "a" : "ik_a", -1, 0, 0, 0), second = joint("ik_b", root, 0, 1, 0);
        joint("c", second, 0, 1, 0);
        er_rig *built = NULL;
        if (left == 1) { // told by nothing: two rods
            built = hand_rig(context, &h.scene, NULL);
            assert_int_equal(built->model->body_count, 2);
            er_rig_destroy(built);
        } else { // all rods begin or end at a control
            assert_int_equal(er_rig_build(context, &h.scene, NULL, &built), ER_ERROR_RIG);
        }
    }
}

// ---- trees

// Boxes of one skin, one a joint.
static void draw_boxes(int count, const int *joints, const er_vec3 *low, const er_vec3 *high)
{
    int mesh = hand_mesh(&h);
    for (int i = 0; i < count; ++i)
        hand_box(&h, low[i], high[i], i);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", count, joints));
}

static void trees_that_weigh_nothing_are_left_out(void **state)
{
    hand_init(&h);
    int a = joint("a", -1, 0, 0, 0), b = joint("b", a, 2, 0, 0), ghost = joint("ghost", -1, 9, 9, 9);
    int child = joint("ghost's child", ghost, 1, 0, 0);
    const int joints[] = {a, b, ghost, child};
    const er_vec3 low[] = {{0, 0, 0}, {2, 0, 0}}, high[] = {{1, 1, 1}, {3, 1, 1}};
    int mesh = hand_mesh(&h);
    for (int i = 0; i < 2; ++i)
        hand_box(&h, low[i], high[i], i);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_int_equal(built->model->body_count, 2);
    assert_true(hand_noted(built, ER_NOTE_FACT, "1 bone trees without any mass were left out"));
    for (int i = ghost; i <= child; ++i) {
        assert_int_equal(built->role[i], ER_ROLE_OUTSIDE);
        assert_int_equal(built->node_body[i], -1);
        assert_true(built->bone[i]); // a clip keys it all the same
    }
    assert_string_equal(built->mass_source, "meshes, closed");
    measure_at_most("volume of boxes", relative_error(built->volume, 2.0), 1e-9);
    er_rig_destroy(built);
}

// Below a root without weight: a prop that weighs more than the body does not stand for it.
static void a_root_is_one_with_what_is_no_prop(void **state)
{
    hand_init(&h);
    int root = joint("root", -1, 0, 0, 0), slot = joint("weapon slot", root, 5, 0, 0),
        hips = joint("hips", root, 0, 1, 0);
    int spine = joint("spine", hips, 0, 1, 0), mesh = hand_mesh(&h);
    const int joints[] = {root, slot, hips, spine};
    hand_box(&h, er_v3(0, 1, 0), er_v3(1, 2, 1), 2);
    hand_box(&h, er_v3(0, 2.25, 0), er_v3(1, 2.75, 1), 3);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
    int cart = hand_mesh(&h);
    hand_box(&h, er_v3(0, 0, 0), er_v3(4, 5, 2), -1); // 4 t, as light as props are
    hand_draw(&h, slot, cart, -1);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_true(built->prop[slot]);
    assert_int_equal(built->model->body_count, 2);
    assert_int_equal(built->node_body[root], hand_body(built->model, "hips", false));
    assert_int_equal(built->node_body[slot], built->node_body[root]);
    measure_at_most("mass with a prop", relative_error(mass_of(built, "hips"), 1000.0 + 4000.0), 1e-6);
    measure_at_most("mass beside it", relative_error(mass_of(built, "spine"), 500.0), 1e-6);
    er_rig_destroy(built);
}

// Holes of a few of several surfaces; the share is that of the volume.
static void what_is_open_is_told_by_its_share(void **state)
{
    static const char *const sources[] = {"meshes, closed", "meshes, some open: their holes were capped",
                                          "meshes, open: their holes were capped"};
    for (int open = 0; open < 3; ++open) {
        hand_init(&h);
        const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 2, 0, 0)};
        hand_skin(&h, "s", 2, joints);
        for (int i = 0; i < 2; ++i) {
            int mesh = hand_mesh(&h);
            hand_box(&h, er_v3(2 * i, 0, 0), er_v3(2 * i + (i == 0 ? 1 : 3), 1, 1), i);
            if (i < open) h.mesh[mesh].triangle_count -= 2; // the side at the end of x
            hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, 0);
        }
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_string_equal(built->mass_source, sources[open]);
        measure_at_most("volume with caps", relative_error(built->volume, 4.0), 1e-6);
        const char *told = open == 1
                               ? "1 of 2 surfaces are not closed; their holes were capped to weigh them (25 % of"
                               : "2 of 2 surfaces are not closed; their holes were capped to weigh them (100 % of";
        assert_int_equal(hand_noted(built, ER_NOTE_FACT, told), open > 0);
        er_rig_destroy(built);
    }
}

static void meshes_on_no_bone_are_counted(void **state)
{
    hand_init(&h);
    const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 2, 0, 0)};
    const er_vec3 low[] = {{0, 0, 0}, {2, 0, 0}}, high[] = {{1, 1, 1}, {3, 1, 1}};
    draw_boxes(2, joints, low, high);
    int rock = hand_mesh(&h);
    hand_box(&h, er_v3(7, 0, 0), er_v3(9, 9, 9), -1);
    for (int i = 0; i < 3; ++i)
        hand_draw(&h, hand_node(&h, "rock", -1, hand_at(0, 0, 0)), rock, -1);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    assert_true(hand_noted(built, ER_NOTE_FACT, "3 meshes belong to no bone"));
    measure_at_most("mass without rocks", relative_error(built->total_mass, 2000.0), 1e-9);
    assert_true(fabs(built->extent - 3.0) < 1e-12 && fabs(built->height - 1.0) < 1e-12); // nor are they its size
    er_rig_destroy(built);
}

// The last mesh loses its triangles from `from` on; a new one gets `count` of them.
static int cut_mesh(int from, int count)
{
    int whole = h.scene.mesh_count - 1, part = h.scene.mesh_count++;
    h.mesh[part] = h.mesh[whole];
    h.mesh[part].index += 3 * (size_t)from;
    h.mesh[part].triangle_count = count;
    h.mesh[whole].triangle_count = from;
    return part;
}

// A surface that is cut by material or into objects weighs as the whole one does: two sides of a box, or one of a tube,
// whose seam is a quarter of its boundary.
static void meshes_that_share_a_seam_are_one_surface(void **state)
{
    static const int first[] = {20, 18}, cut[] = {4, 2};
    static const char *const source[] = {"meshes, closed", "meshes, open: their holes were capped"};
    for (int k = 0; k < 4; ++k) {
        int open = k % 2, split = k / 2;
        hand_init(&h);
        const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 2, 0, 0)};
        int skin = hand_skin(&h, "s", 2, joints), node = hand_node(&h, "mesh", -1, hand_at(0, 0, 0)),
            sides = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(2, 0, 0), er_v3(4, 1, 1), 1);
        int lids = cut_mesh(first[open], cut[open]);
        hand_draw(&h, node, sides, skin);
        hand_draw(&h, split == 1 ? hand_node(&h, "lids", -1, hand_at(0, 0, 0)) : node, lids, skin);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_string_equal(built->mass_source, source[open]);
        measure_at_most("mass of a split box", relative_error(mass_of(built, "b"), 2000.0), 1e-9);
        measure_at_most("mass of a whole box", relative_error(mass_of(built, "a"), 1000.0), 1e-9);
        er_rig_destroy(built);
    }
}

// A sword of two objects, one in the other's box, is one prop. Two swords in one place are one too: the other is spare.
static void a_prop_weighs_as_a_whole_however_it_is_cut(void **state)
{
    for (int copies = 0; copies < 2; ++copies) {
        hand_init(&h);
        int root = joint("root", -1, 0, 0, 0), slot = joint("weapon slot", root, 2, 0, 0);
        const int joints[] = {root, slot};
        int mesh = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 2, joints));
        int sword = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(2, 1, 1), -1);
        int end = copies == 1 ? sword : cut_mesh(6, 6);
        h.mesh[sword].triangle_count -= 2 * copies; // with an open end: their boundaries are the same
        hand_draw(&h, hand_node(&h, "blade", slot, hand_at(0, 0, 0)), sword, -1);
        hand_draw(&h, hand_node(&h, "edge", slot, hand_at(0, 0, 0)), end, -1);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        measure_at_most("mass with a prop", relative_error(built->total_mass, 1000.0 + 0.1 * 2000.0), 1e-9);
        er_rig_destroy(built);
    }
}

// Quantization opens the seams of a mesh that was cut: less than a thousandth of the size is closed again.
static void seams_that_steps_opened_are_closed(void **state)
{
    for (int k = 0; k < 2; ++k) {
        double apart = k == 0 ? 0.0038 : 0.0042; // of 4 m
        hand_init(&h);
        const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 2, 0, 0)};
        int skin = hand_skin(&h, "s", 2, joints), sides = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
        hand_box(&h, er_v3(2, 0, 0), er_v3(4, 1, 1), 1);
        int lids = cut_mesh(20, 4);
        float *moved = h.position + 3 * 16;
        memcpy(moved, h.position, 3 * 16 * sizeof *moved);
        for (int v = 8; v < 16; ++v)
            moved[3 * v + 1] += (float)apart;
        h.mesh[lids].position = moved;
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), sides, skin);
        hand_draw(&h, hand_node(&h, "lids", -1, hand_at(0, 0, 0)), lids, skin);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        assert_int_equal(strcmp(built->mass_source, "meshes, closed") == 0, k == 0);
        assert_int_equal(hand_noted(built, ER_NOTE_FACT, "edges of seams were open"), k == 0);
        if (k == 0) measure_at_most("mass across a closed seam", relative_error(mass_of(built, "b"), 2000.0), 2e-3);
        er_rig_destroy(built);
    }
}

// Skin outside the requested skeleton belongs to no body. Vertices without joints follow the node that they are drawn
// at.
static void vertices_of_no_joint_go_with_their_node_or_nobody(void **state)
{
    hand_init(&h);
    int a = joint("a", -1, 0, 0, 0), b = joint("b", a, 2, 0, 0), c = joint("c", b, 2, 0, 0);
    const int joints[] = {a, b, c};
    int mesh = hand_mesh(&h), skin = hand_skin(&h, "s", 3, joints);
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), 0);
    hand_box(&h, er_v3(2, 0, 0), er_v3(3, 1, 2), 1);
    hand_box(&h, er_v3(4, 0, 0), er_v3(5, 1, 3), 2);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, skin);
    er_rig_def def = er_default_rig_def();
    def.skeleton = "b";
    er_rig *built = hand_rig(context, &h.scene, &def);
    assert_int_equal(built->model->body_count, 2);
    measure_at_most("mass of a skeleton", relative_error(built->total_mass, 5000.0), 1e-9);
    er_rig_destroy(built);
    for (int v = 8; v < 16; ++v) { // the second box's vertices have no joint, and are drawn at b: as they stand there
        h.start[0][v + 1] = h.start[0][8];
        h.position[3 * v] -= 2.0f;
    }
    for (int v = 16; v < 24; ++v) {
        h.start[0][v + 1] = h.start[0][v] + 1;
        h.joint[0][h.start[0][v]] = 2;
    }
    h.instance[0].node = b;
    built = hand_rig(context, &h.scene, NULL);
    measure_at_most("mass of what has no joint", relative_error(mass_of(built, "b"), 2000.0), 1e-9);
    measure_at_most("mass beside what has no joint", relative_error(mass_of(built, "c"), 3000.0), 1e-9);
    er_rig_destroy(built);
}

// ---- props

typedef struct worn {
    const char *parent, *bone; // on whose bone the part is drawn
    double skin[2];            // area of skin of each, as boxes of that length 1 m wide; 0: none
    bool skinned;              // the part is a skin of the bone alone
    double part;               // length of the part's box, 1 m wide
    const char *props;
    bool is_prop;
} worn;

static const double one = 1.0;

static void box_along(double x, double length, int of)
{
    hand_box(&h, er_v3(x, 0, 0), er_v3(x + length, one, one), of);
}

static void rigid_parts_are_props_by_what_they_are_worn_on(void **state)
{
    // a box 1 m wide has 2 + 4 l square metres: 6 of skin are half of 12
    static const worn cases[] = {{"chest", "head", {1, 1}, false, 2.25, NULL, true},
                                 {"chest", "head", {1, 1}, false, 2.75, NULL, false},
                                 {"chest", "head", {1, 0}, false, 2.25, NULL, false},
                                 {"chest", "hand", {1, 1}, false, 2.75, NULL, true},
                                 {"chest", "hand", {1, 0}, false, 2.75, NULL, false},
                                 {"hand", "Bone", {1, 0}, false, 2.75, NULL, true},
                                 {"hand", "Bone", {0, 0}, false, 0.45, NULL, false}, // as light as a finger
                                 {"chest", "Bone", {1, 0}, false, 2.75, NULL, false},
                                 {"chest", "tool", {1, 0}, false, 2.75, NULL, false}, // nothing holds it
                                 {"chest", "socket", {1, 0}, false, 2.75, NULL, true},
                                 {"chest", "hand", {1, 1}, true, 2.75, NULL, true},
                                 {"chest", "hand", {1, 0}, true, 2.75, NULL, false},
                                 {"chest", "Bone", {1, 0}, false, 2.75, "Bo*", true},
                                 {"chest", "Bone", {1, 0}, false, 2.75, "part", true},
                                 {"chest", "head", {1, 1}, false, 2.25, "hat,Bone", false},
                                 {"chest", "head", {1, 1}, false, 2.25, "none", false}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        const worn *c = &cases[i];
        hand_init(&h);
        int root = joint("root", -1, 0, 0, 0), parent = joint(c->parent, root, 1, 0, 0),
            bone = joint(c->bone, parent, 1, 0, 0);
        const int joints[] = {root, parent, bone};
        int skin_mesh = hand_mesh(&h), skin = hand_skin(&h, "s", 3, joints);
        box_along(-1, 1, 0);
        for (int k = 0; k < 2; ++k)
            if (c->skin[k] > 0.0) box_along(2.0 * k + 0.25, c->skin[k], 1 + k);
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), skin_mesh, skin);
        int part_mesh = hand_mesh(&h), part = hand_node(&h, "part", c->skinned ? -1 : bone, hand_at(0, 0, 0));
        box_along(c->skinned ? 6 : 0, c->part, c->skinned ? 2 : -1);
        hand_draw(&h, part, part_mesh, c->skinned ? skin : -1);
        er_rig_def def = er_default_rig_def();
        def.props = c->props;
        er_rig *built = hand_rig(context, &h.scene, &def);
        if (built->prop[part] != c->is_prop) fail_msg("case %zu", i);
        double skins = 1.0 + c->skin[0] + c->skin[1];
        measure_at_most("mass of what is worn",
                        relative_error(built->total_mass, 1000.0 * (skins + (c->is_prop ? 0.1 : 1.0) * c->part)), 1e-6);
        er_rig_destroy(built);
    }
}

// If two parts on one bone share 3/10 of the smaller one's room, only the first has a mass.
static void parts_in_one_place_are_there_one_at_a_time(void **state)
{
    static const struct {
        er_vec3 at[3]; // of boxes a metre wide and deep, the second half as deep
        double deep;   // all of them, in that share
        int there;     // bits
    } cases[] = {{{{0, 0, 0}, {0.66, 0, 0}, {9, 0, 0}}, 1, 1 | 4},
                 {{{0, 0, 0}, {0.74, 0, 0}, {9, 0, 0}}, 1, 1 | 2 | 4},
                 {{{0, 0, 0}, {-0.66, 0, 0}, {9, 0, 0}}, 1, 1 | 4},
                 {{{0, 0, 0}, {0, 0.66, 0}, {9, 0, 0}}, 1, 1 | 4},
                 {{{0, 0, 0}, {0, -0.74, 0}, {9, 0, 0}}, 1, 1 | 2 | 4},
                 {{{0, 0, 0}, {0, 0, 0.8}, {9, 0, 0}}, 1, 1 | 4},
                 {{{0, 0, 0}, {0, 0, 0.9}, {9, 0, 0}}, 1, 1 | 2 | 4},
                 {{{0, 0, 0}, {0.6, 0, 0}, {1.2, 0, 0}}, 1, 1 | 4}, // what is not there stands in for nothing
                 {{{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}}, 1, 1},
                 {{{0, 0, 0}, {5, 0, 0}, {5.5, 0, 0}}, 1, 1 | 2},
                 {{{0, 0, 0}, {0, 0, 0.015}, {9, 0, 0}}, 0.01, 1 | 4}, // sheets count as a little deeper
                 {{{0, 0, 0}, {0, 0, 0.05}, {9, 0, 0}}, 0.01, 1 | 2 | 4}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand_init(&h);
        const int joints[] = {joint("arm", -1, -2, 0, 0), joint("socket", 0, 2, 0, 0),
                              joint("other socket", 0, 2, 0, 0)};
        const er_vec3 low[] = {{-2, 0, 0}}, high[] = {{-1, 1, 1}};
        draw_boxes(1, joints, low, high);
        h.node[1].flags = h.node[2].flags = ER_NODE_JOINT;
        h.skin[0].joint_count = 3;
        for (int k = 1; k < 3; ++k) {
            h.skin_joint[0][k] = k;
            h.inverse_bind[0][k] = hand_at(0, 0, 0);
        }
        double mass = 1000.0;
        int whole = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
        int flat = hand_mesh(&h);
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 0.5), -1);
        for (int k = 0; k < 3; ++k) {
            int node =
                hand_node(&h, "part", 1, hand_turned(cases[i].at[k], er_v3(0, 0, 0), er_v3(1, 1, cases[i].deep)));
            hand_draw(&h, node, k == 1 ? flat : whole, -1);
            if ((cases[i].there >> k & 1) != 0) mass += (k == 1 ? 50.0 : 100.0) * cases[i].deep;
        }
        hand_draw(&h, hand_node(&h, "part", 2, hand_at(0, 0, 0)), whole,
                  -1); // in the first one's place, on another bone
        mass += 100.0;
        er_rig *built = hand_rig(context, &h.scene, NULL);
        if (relative_error(built->total_mass, mass) > 1e-6)
            fail_msg("case %zu: %g kg, not %g", i, built->total_mass, mass);
        er_rig_destroy(built);
    }
}

// Patterns are at most 255 bytes long; longer ones, and those between two commas, are nobody's.
static void props_are_listed_by_patterns(void **state)
{
    char longest[600];
    for (int i = 0; i < 6; ++i) {
        hand_init(&h);
        const int joints[] = {joint("a", -1, 0, 0, 0)};
        const er_vec3 low[] = {{0, 0, 0}}, high[] = {{1, 1, 1}};
        draw_boxes(1, joints, low, high);
        int mesh = hand_mesh(&h), part = hand_node(&h, "sword", 0, hand_at(5, 0, 0));
        hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 1), -1);
        hand_draw(&h, part, mesh, -1);
        int stars = i == 4 ? 254 : 255; // and a letter
        memset(longest, '*', sizeof longest);
        strcpy(longest + stars, i == 4 ? "d" : "d,");
        const char *const lists[] = {"sword", "hat,,s?ord", ",sword,", "hat,swor", longest, longest};
        er_rig_def def = er_default_rig_def();
        def.props = lists[i];
        er_rig *built = hand_rig(context, &h.scene, &def);
        assert_int_equal(built->prop[part], i < 3 || i == 4);
        er_rig_destroy(built);
    }
}

// A rig that weighs like another keeps what both say of props, and weighs anew where they say something else.
static void a_rig_like_another_has_its_props(void **state)
{
    static const char *const props[] = {NULL, "sword", "none", "auto"};
    hand_init(&h);
    const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 2, 0, 0)};
    const er_vec3 low[] = {{0, 0, 0}, {2, 0, 0}}, high[] = {{1, 1, 1}, {3, 1, 1}};
    draw_boxes(2, joints, low, high);
    int mesh = hand_mesh(&h), part = hand_node(&h, "sword", 1, hand_at(5, 0, 0));
    hand_box(&h, er_v3(0, 0, 0), er_v3(1, 1, 4), -1);
    hand_draw(&h, part, mesh, -1);
    for (size_t i = 0; i < ERI_COUNT(props); ++i)
        for (size_t k = 0; k < ERI_COUNT(props); ++k) {
            er_rig_def def = er_default_rig_def();
            def.props = props[i];
            er_rig *first = hand_rig(context, &h.scene, &def);
            def.props = props[k];
            def.like = first;
            er_rig *second = hand_rig(context, &h.scene, &def);
            assert_int_equal(second->prop[part], k == 1);
            measure_at_most("mass like another", relative_error(mass_of(second, "b"), k == 1 ? 1400.0 : 5000.0), 1e-6);
            er_rig_destroy(second);
            er_rig_destroy(first);
        }
}

// Flat wings beside a closed body have bodies and joints of their own; lashes, a thousandth of the area, have none.
static void flat_parts_weigh_as_thin_plates(void **state)
{
    hand_init(&h);
    int joints[] = {joint("trunk", -1, 0, 0, 0), joint("wing.L", 0, 1, 0, 0), joint("wing.R", 0, -1, 0, 0),
                    joint("lash", 0, 0, 0.5, 0.5)};
    int mesh = hand_mesh(&h);
    hand_box(&h, er_v3(-1, -0.5, -0.5), er_v3(1, 0.5, 0.5), 0);
    hand_box(&h, er_v3(1, 0, -0.375), er_v3(2, 0, 0.375), 1);
    hand_box(&h, er_v3(-2, 0, -0.375), er_v3(-1, 0, 0.375), 2);
    hand_box(&h, er_v3(-0.05, 0.6, 0.5), er_v3(0.05, 0.65, 0.5), 3);
    hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(&h, "s", 4, joints));
    h.scene.metres_per_unit = 0.5;
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const double thick = 0.002 * 4 * 0.5, area = 2 * 0.75 * 0.5 * 0.5; // of both sides
    assert_int_equal(built->model->body_count, 3);
    expect_mass(built, "trunk", 1000.0 * 2 * 0.125);
    expect_mass(built, "wing.L", 1000.0 * area * thick);
    expect_mass(built, "wing.R", 1000.0 * area * thick);
    assert_true(hand_noted(built, ER_NOTE_FACT, "2 bones move only flat parts, which weigh as plates 0.004 m thick"));
    er_rig_destroy(built);
}

// Joints far smaller or larger than their skin, or beside it, are doubted: their bind pose has another scale or place.
static void skeletons_that_do_not_fit_their_skin_are_doubted(void **state)
{
    static const struct {
        double scale, away;
        const char *said; // NULL: nothing
    } rows[] = {{1.0, 0.0, NULL},
                {15.0, 0.0, NULL},
                {0.08, 0.0, NULL},
                {100.0, 0.0, "joints span"},
                {0.04, 0.0, "joints span"},
                {1.0, 5.0, "away from them"},
                {1.0, -5.0, "away from them"},
                {1.0, 0.1, NULL}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        hand_init(&h);
        const int joints[] = {joint("a", -1, 0, 0, 0), joint("b", 0, 1, 0, 0), joint("c", 1, 1, 0, 0),
                              joint("d", 2, 1, 0, 0)};
        int mesh = hand_mesh(&h), skin = hand_skin(&h, "s", 4, joints);
        for (int k = 0; k < 4; ++k) {
            hand_box(&h, er_v3(k, 0, 0), er_v3(k + 0.9, 0.5, 0.5), k);
            er_affine wrong = hand_turned(er_v3(0, rows[i].away, 0), er_v3(0, 0, 0),
                                          er_v3(1.0 / rows[i].scale, 1.0 / rows[i].scale, 1.0 / rows[i].scale));
            h.inverse_bind[0][k] = er_affine_mul(h.inverse_bind[0][k], wrong);
        }
        hand_draw(&h, hand_node(&h, "mesh", -1, hand_at(0, 0, 0)), mesh, skin);
        er_rig *built = hand_rig(context, &h.scene, NULL);
        bool doubted =
            hand_noted(built, ER_NOTE_WARNING, "joints span") || hand_noted(built, ER_NOTE_WARNING, "away from them");
        if (doubted != (rows[i].said != NULL) || (doubted && !hand_noted(built, ER_NOTE_WARNING, rows[i].said)))
            fail_msg("row %zu", i);
        er_rig_destroy(built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_are_thirds_of_their_triangles),
        cmocka_unit_test(flat_parts_weigh_as_thin_plates),
        cmocka_unit_test(rods_are_limbs_or_as_thick_as_all_limbs),
        cmocka_unit_test(rods_of_no_length_weigh_nothing),
        cmocka_unit_test(controls_weigh_nothing),
        cmocka_unit_test(trees_that_weigh_nothing_are_left_out),
        cmocka_unit_test(a_root_is_one_with_what_is_no_prop),
        cmocka_unit_test(what_is_open_is_told_by_its_share),
        cmocka_unit_test(meshes_on_no_bone_are_counted),
        cmocka_unit_test(meshes_that_share_a_seam_are_one_surface),
        cmocka_unit_test(a_prop_weighs_as_a_whole_however_it_is_cut),
        cmocka_unit_test(seams_that_steps_opened_are_closed),
        cmocka_unit_test(vertices_of_no_joint_go_with_their_node_or_nobody),
        cmocka_unit_test(rigid_parts_are_props_by_what_they_are_worn_on),
        cmocka_unit_test(parts_in_one_place_are_there_one_at_a_time),
        cmocka_unit_test(props_are_listed_by_patterns),
        cmocka_unit_test(a_rig_like_another_has_its_props),
        cmocka_unit_test(skeletons_that_do_not_fit_their_skin_are_doubted),
    };
    return cmocka_run_group_tests_name("weigh", tests, set_up, tear_down);
}
