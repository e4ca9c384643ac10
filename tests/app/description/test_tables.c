// Tables that describe rigs: what each field says, and what is said of those that say nothing.
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "app/description/description_settings.h"
#include "tables.h"

// ---- what describes a rig

static rig_settings s;
static void (*look)(void); // at what was read, while its table is there

static void read_settings_of(reader *r, int table)
{
    s = rig_settings_default();
    description_read_settings(r, table, &s);
    if (look != NULL) look();
}

static void read_both(reader *r, int table)
{
    s = rig_settings_default();
    for (int i = 1; i <= 2; ++i) {
        lua_rawgeti(r->L, table, i);
        description_read_settings(r, -1, &s);
    }
    if (look != NULL) look();
}

static void each_field_is_given_by_its_key_alone(void **state)
{
    static const struct {
        unsigned bit;
        const char *table;
        size_t place;
    } rows[] = {{GIVEN_ROOT, "{root = 'free'}", offsetof(er_rig_def, root)},
                {GIVEN_JOINTS, "{joints = 'auto'}", offsetof(er_rig_def, joints)},
                {GIVEN_STIFFNESS, "{stiffness = 'graded:2'}", offsetof(er_rig_def, stiffness)},
                {GIVEN_DAMPING, "{damping = 0}", offsetof(er_rig_def, damping_ratio)},
                {GIVEN_RAYLEIGH, "{rayleigh = {0, 0}}", offsetof(er_rig_def, rayleigh_mass)},
                {GIVEN_DENSITY, "{density = 1}", offsetof(er_rig_def, density)},
                {GIVEN_MASS, "{mass = 1}", offsetof(er_rig_def, mass)},
                {GIVEN_HEIGHT, "{height = 1}", offsetof(er_rig_def, height)},
                {GIVEN_POSE, "{pose = 'rest'}", offsetof(er_rig_def, pose)},
                {GIVEN_SKELETON, "{skeleton = 'a'}", offsetof(er_rig_def, skeleton)},
                {GIVEN_CHARACTER, "{character = 'a'}", offsetof(er_rig_def, character)},
                {GIVEN_INFER, "{infer_parents = true}", offsetof(er_rig_def, infer_parents)},
                {GIVEN_PROPS, "{props = 'a'}", offsetof(er_rig_def, props)},
                {GIVEN_HANG, "{hang = {a = 'b'}}", offsetof(er_rig_def, hang)},
                {GIVEN_FEET, "{feet = 'a'}", 0},
                {GIVEN_FORWARD, "{forward = 'x'}", 0},
                {GIVEN_PLANT, "{plant = 'a'}", 0},
                {GIVEN_SYMMETRIZE, "{symmetrize = true}", offsetof(er_rig_def, symmetrize)},
                {GIVEN_TUNE, "{tune = 'tail:1'}", 0}};
    look = NULL;
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        expect_said(rows[i].table, read_settings_of, "");
        assert_int_equal(s.given, rows[i].bit);
        assert_int_equal(rig_setting(rows[i].bit)->place, rows[i].place);
    }
    assert_int_equal(rig_setting(GIVEN_SKELETON)->kind, SETTING_TEXT);
    assert_int_equal(rig_setting(GIVEN_INFER)->kind, SETTING_FLAG);
    assert_true(rig_setting(GIVEN_HEIGHT)->length && !rig_setting(GIVEN_MASS)->length);
}

static void look_at_gaits(void)
{
    assert_string_equal(s.feet, "foot*");
    assert_string_equal(s.plant, "a,b");
    assert_true(s.forward.x == 0.0 && s.forward.y == 0.0 && s.forward.z == -1.0);
    assert_true(s.rig.joints == ER_JOINTS_SPHERICAL && s.rig.root == ER_ROOT_FREE);
}

static void look_at_clip(void)
{
    assert_int_equal(s.rig.pose, ER_POSE_CLIP);
    assert_string_equal(s.rig.pose_clip, "a@b");
    assert_true(s.rig.pose_time == -2.5 && s.pose_file == NULL);
}

static void look_at_file(void)
{
    assert_int_equal(s.rig.pose, ER_POSE_GIVEN);
    assert_string_equal(s.pose_file, "a@b");
    assert_int_equal(s.place_count, 0);
}

static void look_at_places(void)
{
    assert_int_equal(s.rig.pose, ER_POSE_GIVEN);
    assert_true(s.pose_file == NULL && s.place_count == 1 && s.place[0].at && !s.place[0].faces);
    assert_true(s.place[0].position.x == 1e12 && s.place[0].position.y == -1e12 && s.place[0].position.z == 1e12);
    assert_true(s.place[0].turn.x == 0.0 && s.place[0].body == 3 && !s.place[0].optional);
    assert_string_equal(s.place[0].name, "c");
}

static void poses_are_told_by_what_is_said(void **state)
{
    look = look_at_gaits;
    expect_said("{joints = 'spherical', feet = 'foot*', plant = {'a', 'b'}, forward = '-z'}", read_settings_of, "");
    look = look_at_clip;
    expect_said("{pose = 'a@b@-2.5'}", read_settings_of, "");
    expect_said("{{pose = 'a.json'}, {pose = 'a@b@-2.5'}}", read_both, "");
    look = look_at_file;
    expect_said("{pose = 'a@b'}", read_settings_of, "");
    expect_said("{{pose = {a = {turn = {1, 2, 3}}}}, {pose = 'a@b'}}", read_both, "");
    look = look_at_places;
    expect_said("{pose = {{name = 'c', index = 3, position = {1e12, -1e12, 1e12}}}}", read_settings_of, "");
    expect_said("{{pose = 'b'}, {pose = {{name = 'c', index = 3, position = {1e12, -1e12, 1e12}}}}}", read_both, "");
}

static void look_at_options(void)
{
    const er_rig_change *c = &s.change;
    assert_true(s.optional && s.rig.hang[0].optional);
    assert_int_equal(c->joint_count, 4);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(c->joint[i].optional, i % 2 == 0);
    assert_int_equal(c->body_count, 2);
    assert_true(c->body[0].optional && !c->body[1].optional);
    assert_int_equal(c->loop_count, 2);
    assert_true(c->loop[0].optional && !c->loop[1].optional);
    assert_int_equal(s.place_count, 2);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(s.place[i].optional, strcmp(s.place[i].name, "a") == 0);
}

static void what_is_optional_is_said_of_all_or_of_one(void **state)
{
    look = look_at_options;
    expect_said("{optional = true, hang = {a = 'b'}, joints = {a = {}, b = {optional = false}},"
                "welds = {'c', {pattern = 'd', optional = false}}, bodies = {a = {}, b = {optional = false}},"
                "loops = {{child = 'x', at = 'y'}, {child = 'x', at = {0, 0, 0}, optional = false}},"
                "pose = {a = {}, b = {optional = false}}}",
                read_settings_of, "");
}

static void look_at_both(void)
{
    const er_rig_change *c = &s.change;
    static const char *const patterns[] = {"a", "w", "b", "c", "v"};
    assert_int_equal(s.given, GIVEN_MASS | GIVEN_DENSITY);
    assert_true(s.rig.mass == 3.0 && s.rig.density == 5.0);
    assert_int_equal(c->joint_count, 5);
    for (int i = 0; i < 5; ++i)
        assert_string_equal(c->joint[i].pattern, patterns[i]);
    assert_ptr_equal(c->joint, s.joint);
    assert_true(c->joint[0].hz == 1.0 && c->joint[2].hz == 2.0 && c->joint[3].hz == 3.0);
    assert_true(c->joint[1].type == ER_JOINT_FIXED && c->joint[4].type == ER_JOINT_FIXED && c->joint[3].type == -1);
    assert_int_equal(c->body_count, 2);
    assert_ptr_equal(c->body, s.body);
    assert_true(c->body[0].mass == 1.0 && c->body[1].density == 2.0);
    assert_string_equal(c->body[1].pattern, "e");
    assert_int_equal(c->pair_count, 2);
    assert_string_equal(c->pair[0].left, "l");
    assert_string_equal(c->pair[1].right, "R");
    assert_int_equal(c->loop_count, 3);
    assert_string_equal(c->loop[0].child, "x");
    assert_string_equal(c->loop[1].child, "y");
    assert_string_equal(c->loop[2].child, "z");
    assert_true(c->loop[2].axis.y == 1.0 && c->loop[2].stiffness == 4.0 && c->loop[1].at.z == 3.0);
}

static void tables_that_are_read_one_after_the_other_add_up(void **state)
{
    look = look_at_both;
    expect_said("{{mass = 3, joints = {a = {hz = 1}}, welds = {'w'}, bodies = {d = {mass = 1}}, mirror = {{'l', 'r'}},"
                "loops = {{child = 'x', at = 'y'}}},"
                "{density = 5, joints = {c = {hz = 3}, b = {hz = 2}}, welds = {'v'}, bodies = {e = {density = 2}},"
                "mirror = {{'L', 'R'}}, loops = {{child = 'y', at = {1, 2, 3}},"
                "{child = 'z', at = 'a', axis = 'y', stiffness = 4}}}}",
                read_both, "");
}

// A list as long as it may be, and one longer; `entry` is one of its entries, `i` its number.
static void expect_most(const char *key, const char *entry, int count, const char *says)
{
    char table[200];
    for (int more = 0; more < 2; ++more) {
        snprintf(table, sizeof table, "(function() local t, e = {}, {} for i = 1, %d do %s end return {%s = t} end)()",
                 count + more, entry, key);
        expect_said(table, read_settings_of, more == 1 ? says : "");
    }
}

static void lists_have_a_most(void **state)
{
    look = NULL;
    expect_most("joints", "t['j' .. i] = e", 10000, "joints: ");
    expect_most("welds", "t[i] = 'j'", 10000, "welds: ");
    expect_most("mirror", "t[i] = {'a', 'b'}", 16, "mirror: ");
    expect_most("loops", "t[i] = {child = 'a', at = 'b'}", 10000, "loops: ");
    expect_most("pose", "e.name = 'a' t[i] = e", 100000, "pose: ");
    expect_said("{pose = ('x'):rep(255) .. '@1'}", read_settings_of, "");
    expect_said("{pose = ('x'):rep(256) .. '@1'}", read_settings_of, "pose: ");
    expect_said("{welds = {('x'):rep(255)}, bodies = {{pattern = ('x'):rep(255)}}}", read_settings_of, "");
    expect_said("{welds = {('x'):rep(256)}}", read_settings_of, "welds: ");
    expect_said("{bodies = {{pattern = ('x'):rep(256)}}}", read_settings_of, "bodies[1]: ");
}

static void what_no_table_of_a_rig_says_is_told_by_its_path(void **state)
{
    static const struct {
        const char *table, *says;
    } rows[] = {
        {"{mas = 1}", "mas: "},
        {"{mass = 0}", "mass: "},
        {"{density = 0}", "density: "},
        {"{height = 0}", "height: "},
        {"{mass = 1e51}", "mass: "},
        {"{damping = -1}", "damping: "},
        {"{root = 'held'}", "root: "},
        {"{joints = 'ball'}", "joints: "},
        {"{joints = 5}", "joints: "},
        {"{rayleigh = 5}", "rayleigh: "},
        {"{rayleigh = {1}}", "rayleigh: "},
        {"{rayleigh = {1, 2, 3}}", "rayleigh: "},
        {"{rayleigh = {1, -1}}", "rayleigh: "},
        {"{hang = 5}", "hang: "},
        {"{hang = {a = 5}}", "hang: "},
        {"{hang = {a = true}}", "hang: "},
        {"{hang = {'a'}}", "hang: "},
        {"{pose = 5}", "pose: "},
        {"{pose = {{}}}", "pose[1]: "},
        {"{pose = {[1.5] = {}}}", "pose: "},
        {"{pose = {a = 5}}", "pose.a: "},
        {"{pose = {{index = -1}}}", "pose[1].index: "},
        {"{pose = {a = {position = {1, 2}}}}", "pose.a.position: "},
        {"{pose = {a = {position = {1e13, 0, 0}}}}", "pose.a.position: "},
        {"{pose = {a = {turn = {0, 1e13, 0}}}}", "pose.a.turn: "},
        {"{pose = {a = {turn = {0, 0, -1e13}}}}", "pose.a.turn: "},
        {"{pose = {a = {orientation = {0, 0, 0, 0}}}}", "pose.a.orientation: "},
        {"{bodies = 'x'}", "bodies: "},
        {"{bodies = {[1.5] = {}}}", "bodies: "},
        {"{bodies = {[0] = {}}}", "bodies: "},
        {"{bodies = {[7] = {}}}", "bodies: "},
        {"{bodies = {{pattern = 'a'}, 5}}", "bodies[2]: "},
        {"{bodies = {a = {}, {mass = 1}}}", "bodies[1]: "},
        {"{bodies = {a = 5}}", "bodies.a: "},
        {"{bodies = {a = {hz = 1}}}", "bodies.a.hz: "},
        {"{bodies = {a = {mass = 0}}}", "bodies.a.mass: "},
        {"{bodies = {{pattern = 'a', density = 0}}}", "bodies[1].density: "},
        {"{welds = {'a', 5}}", "welds: "},
        {"{welds = {a = 'b'}}", "welds: "},
        {"{welds = {{}}}", "welds: "},
        {"{welds = {{pattern = 'a', hz = 1}}}", "welds.hz: "},
        {"{mirror = 5}", "mirror: "},
        {"{mirror = {5}}", "mirror: "},
        {"{mirror = {{'a'}}}", "mirror: "},
        {"{mirror = {{'a', 'b', 'c'}}}", "mirror: "},
        {"{mirror = {{'', 'a'}}}", "mirror: "},
        {"{mirror = {{'a', ''}}}", "mirror: "},
        {"{mirror = {{'a', 'a'}}}", "mirror: "},
        {"{loops = 5}", "loops: "},
        {"{loops = {5}}", "loops[1]: "},
        {"{loops = {{at = 'a'}}}", "loops[1]: "},
        {"{loops = {{child = 'a', at = 'b'}, {child = 'a'}}}", "loops[2]: "},
        {"{loops = {{child = 'a', at = 5}}}", "loops[1].at: "},
        {"{loops = {{child = 'a', at = 'b', type = 'free'}}}", "loops[1]: "},
        {"{loops = {{child = 'a', at = 'b', stiffness = -1}}}", "loops[1].stiffness: "},
        {"{loops = {{child = 'a', at = 'b', axis = 'w'}}}", "loops[1].axis: "},
        {"{loops = {{child = 'a', at = 'b', axis = {0, 0, 0}}}}", "loops[1].axis: "},
        {"{joints = {a = {hz = 0}}}", "joints.a.hz: "},
        {"{joints = {a = {hz = 2e6}}}", "joints.a.hz: "},
        {"{joints = {a = {stiffness = -1}}}", "joints.a.stiffness: "},
        {"{joints = {a = {damping = {q = 1}}}}", "joints.a.damping.q: "},
        {"{joints = {a = {damping = {x = -1}}}}", "joints.a.damping.x: "},
        {"{joints = {a = {damping_ratio = -1}}}", "joints.a.damping_ratio: "},
        {"{joints = {a = {limits = {1}}}}", "joints.a.limits: "},
        {"{joints = {a = {limits = {3, 1}}}}", "joints.a.limits: "},
        {"{joints = {a = {limits = 5}}}", "joints.a.limits: "},
        {"{joints = {a = {limits = {tx = 5}}}}", "joints.a.limits.tx: "},
        {"{joints = {a = {limits = {z = {1, 'x'}}}}}", "joints.a.limits.z: "},
        {"{joints = {a = {mass = 0}}}", "joints.a.mass: "},
        {"{joints = {a = {density = 0}}}", "joints.a.density: "},
        {"{joints = {a = {optional = 1}}}", "joints.a.optional: "},
        {"{joints = {a = {axis = '-x'}}}", "joints.a.axis: "},
        {"{joints = {'auto', {hz = 1}}}", "joints[2]: "},
        {"{joints = {{pattern = 'a', hz = 0}}}", "joints[1].hz: "},
        {"{joints = {{pattern = 'a'}, 'auto'}}", "joints[2]: "},
    };
    look = NULL;
    for (size_t i = 0; i < ERI_COUNT(rows); ++i)
        expect_said(rows[i].table, read_settings_of, rows[i].says);
    static const char *const taken[] = {"{damping = 0}",
                                        "{rayleigh = {0, 0}}",
                                        "{joints = {a = {limits = {1, 1}}}}",
                                        "{joints = {a = {limits = {-math.huge, math.huge}}}}",
                                        "{joints = {a = {hz = 1e6}, b = {hz = 1e-6}, c = {damping = 0}}}",
                                        "{joints = {}, bodies = {}, welds = {}, mirror = {}, loops = {}, hang = {}}"};
    for (size_t i = 0; i < ERI_COUNT(taken); ++i)
        expect_said(taken[i], read_settings_of, "");
    expect_said("{stiffness = 'soft'}", read_settings_of, "stiffness: ");
    expect_said("{loops = {{child = 'a', at = 'b', type = 'ball'}}}", read_settings_of, "loops[1].type: ");
}

// Those that say more of a name come later, letters alone after all others; among equals the alphabet decides.
static void look_at_order(void)
{
    static const char *const patterns[] = {"*", "?", "*a", "?b", "a*", "*aa", "abcd", "b", "c"};
    assert_int_equal(s.change.joint_count, ERI_COUNT(patterns));
    for (int i = 0; i < s.change.joint_count; ++i)
        assert_string_equal(s.change.joint[i].pattern, patterns[i]);
}

static void entries_apply_in_the_order_of_what_their_names_fix(void **state)
{
    look = look_at_order;
    expect_said("{joints = {abcd = {}, ['a*'] = {}, ['*'] = {}, c = {}, ['?b'] = {}, ['*aa'] = {}, ['?'] = {}, b = {},"
                "['*a'] = {}}}",
                read_settings_of, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_field_is_given_by_its_key_alone),
        cmocka_unit_test(poses_are_told_by_what_is_said),
        cmocka_unit_test(what_is_optional_is_said_of_all_or_of_one),
        cmocka_unit_test(tables_that_are_read_one_after_the_other_add_up),
        cmocka_unit_test(lists_have_a_most),
        cmocka_unit_test(what_no_table_of_a_rig_says_is_told_by_its_path),
        cmocka_unit_test(entries_apply_in_the_order_of_what_their_names_fix),
    };
    return cmocka_run_group_tests_name("tables", tests, set_up_lua, tear_down_lua);
}
