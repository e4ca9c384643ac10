// Descriptions of rigs: what their tables say, and what of it is a change of a rig that stands.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "rig/description/description.h"
#include "support/judge.h"

static er_context *context;
static const char path[] = "test_sidecar.rig.lua";
static const double degree = ER_PI / 180.0;

static int set_up(void **state)
{
    (void)state;
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    remove(path);
    er_context_destroy(context);
    return 0;
}

static er_result try_open(const char *text, open_description *out)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return description_open(context, path, 0, out);
}

static open_description open_text(const char *text)
{
    open_description s;
    if (try_open(text, &s) != ER_OK) fail_msg("%s", er_context_error(context));
    return s;
}

static void expect_near(double value, double expected)
{
    assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

static void settings_are_those_of_the_table(void **state)
{
    (void)state;
    open_description s = open_text(
        "return {root = 'fixed', joints = 'revolute', stiffness = 'uniform:7', damping = 0.25,"
        "rayleigh = {3, 0.5}, density = 900, mass = 80, height = 1.8, pose = 'run fast@1.5',"
        "skeleton = 'hips', infer_parents = true, props = 'sword,*hat', hang = {foot = 'shin', hips = false}}");
    const er_rig_def *d = &s.settings.rig;
    assert_int_equal(s.settings.given, 2 * DESCRIPTION_HANG - 1);
    assert_string_equal(d->props, "sword,*hat");
    assert_int_equal(d->hang_count, 2);
    for (int i = 0; i < 2; ++i)
        if (strcmp(d->hang[i].bone, "foot") == 0)
            assert_string_equal(d->hang[i].on, "shin");
        else
            assert_true(strcmp(d->hang[i].bone, "hips") == 0 && d->hang[i].on == NULL);
    assert_true(d->root == ER_ROOT_FIXED && d->joints == ER_JOINTS_REVOLUTE && d->infer_parents);
    assert_true(d->stiffness.uniform && d->stiffness.k == 7.0);
    assert_true(d->damping_ratio == 0.25 && d->rayleigh_mass == 3.0 && d->rayleigh_stiffness == 0.5);
    assert_true(d->density == 900.0 && d->mass == 80.0 && d->height == 1.8);
    assert_true(d->pose == ER_POSE_CLIP && d->pose_time == 1.5);
    assert_string_equal(s.settings.clip, "run fast");
    assert_string_equal(d->skeleton, "hips");
    description_close(&s);
    s = open_text("return {root = 'free', pose = 'bind'}");
    assert_int_equal(s.settings.given, DESCRIPTION_ROOT | DESCRIPTION_POSE);
    assert_true(s.settings.rig.root == ER_ROOT_FREE && s.settings.rig.pose == ER_POSE_BIND);
    description_close(&s);
    s = open_text("return {}");
    assert_int_equal(s.settings.given, 0);
    assert_int_equal(s.settings.change.joint_count + s.settings.change.body_count, 0);
    description_close(&s);
}

// Names that fix more of a name win, so they come later; lists come after them, in their order, and welds at last.
static void joints_are_in_the_order_they_apply_in(void **state)
{
    (void)state;
    open_description s = open_text("return {joints = {head = {hz = 3}, ['*'] = {hz = 1}, ['he*'] = {hz = 2},"
                                   "{pattern = '*x', hz = 4}, {pattern = 'a', hz = 5}}, welds = {'toe*'},"
                                   "mirror = {{'left', 'right'}, {'_l', '_r'}}}");
    static const char *const patterns[] = {"*", "he*", "head", "*x", "a", "toe*"};
    const er_rig_change *c = &s.settings.change;
    assert_int_equal(c->joint_count, 6);
    for (int i = 0; i < 6; ++i) {
        assert_string_equal(c->joint[i].pattern, patterns[i]);
        assert_true(c->joint[i].hz == (i < 5 ? i + 1 : 0));
        assert_int_equal(c->joint[i].type, i < 5 ? -1 : ER_JOINT_FIXED);
    }
    assert_int_equal(c->pair_count, 2);
    assert_string_equal(c->pair[1].left, "_l");
    assert_string_equal(c->pair[1].right, "_r");
    description_close(&s);
}

static void a_joint_is_told_by_coordinate(void **state)
{
    (void)state;
    open_description s =
        open_text("return {joints = {knee = {type = 'revolute', axis = 'y', stiffness = 9, damping = {ty = 2},"
                  "limits = {-10, 150}, mass = 3, damping_ratio = 0.5},"
                  "slide = {type = 'prismatic', axis = {0, 3, 4}, stiffness = {tz = 4, x = 5},"
                  "limits = {tx = {-90, 0}, z = {-2, 3}}}}}");
    const er_joint_change *knee = &s.settings.joint[0], *slide = &s.settings.joint[1];
    const er_joint_change none = er_default_joint_change();
    assert_int_equal(s.settings.change.joint_count, 2);
    assert_true(knee->type == ER_JOINT_REVOLUTE && knee->axis.y == 1.0 && knee->axis.x == 0.0);
    assert_true(knee->mass == 3.0 && knee->damping_ratio == 0.5 && knee->density == 1.0);
    for (int i = 0; i < 6; ++i) {
        assert_true(knee->spring[i] == 9.0);
        assert_true(i == 1 ? knee->damper[i] == 2.0 : memcmp(&knee->damper[i], &none.damper[i], sizeof(double)) == 0);
        if (i < 3)
            expect_near(knee->limit[i][1], 150.0 * degree), expect_near(knee->limit[i][0], -10.0 * degree);
        else
            assert_memory_equal(knee->limit[i], none.limit[i], sizeof none.limit[i]);
    }
    assert_true(slide->axis.y == 3.0 && slide->axis.z == 4.0);
    assert_true(slide->spring[2] == 4.0 && slide->spring[3] == 5.0);
    assert_memory_equal(&slide->spring[0], &none.spring[0], sizeof(double));
    expect_near(slide->limit[0][0], -90.0 * degree);
    assert_true(slide->limit[5][0] == -2.0 && slide->limit[5][1] == 3.0); // metres
    description_close(&s);
}

static void loops_and_places_are_read(void **state)
{
    (void)state;
    open_description s =
        open_text("return {loops = {{name = 'rod', parent = 'a', child = 'b', at = {1, 2, 3}, axis = 'z',"
                  "stiffness = 6}, {child = 'c', at = 'd', type = 'spherical'}},"
                  "pose = {b = {position = {1, 2, 3}, turn = {0, 90, 0}}, {index = 4, orientation = {0, 0, 0, 2}}}}");
    const er_rig_change *c = &s.settings.change;
    assert_int_equal(c->loop_count, 2);
    assert_string_equal(c->loop[0].name, "rod");
    assert_string_equal(c->loop[0].parent, "a");
    assert_string_equal(c->loop[0].child, "b");
    assert_true(c->loop[0].at.z == 3.0 && c->loop[0].axis.z == 1.0 && c->loop[0].stiffness == 6.0);
    assert_true(c->loop[0].type == ER_JOINT_REVOLUTE && c->loop[1].type == ER_JOINT_SPHERICAL);
    assert_null(c->loop[1].parent);
    assert_string_equal(c->loop[1].at_body, "d");
    assert_int_equal(s.settings.place_count, 2);
    for (int i = 0; i < 2; ++i) {
        const description_place *p = &s.settings.place[i];
        bool named = p->name != NULL;
        assert_int_equal(p->body, named ? -1 : 4);
        assert_true(p->at == named && p->faces == !named);
        if (named) expect_near(p->turn.y, 90.0 * degree);
        if (!named) assert_true(p->orientation.z == 1.0); // made unit
    }
    description_close(&s);
}

static void a_pose_file_lies_beside_the_description(void **state)
{
    (void)state;
    open_description s;
    FILE *file = fopen("./test_sidecar.rig.lua", "wb");
    assert_non_null(file);
    fputs("return {pose = 'sit.json'}", file);
    fclose(file);
    assert_int_equal(description_open(context, "./test_sidecar.rig.lua", 0, &s), ER_OK);
    assert_int_equal(s.settings.rig.pose, ER_POSE_GIVEN);
    assert_string_equal(s.settings.pose_file, "./sit.json");
    assert_string_equal(s.settings.pose_named, "sit.json");
    assert_string_equal(s.settings.pose_in, "./test_sidecar.rig.lua");
    description_close(&s);
    s = open_text("return {pose = '/there/sit.json'}");
    assert_string_equal(s.settings.pose_file, "/there/sit.json");
    description_close(&s);
}

// ---- the budget

// What is done for a description when it has run is as bounded as its running: the line of a wrong key is found in one
// pass. These took minutes when the search began anew at each blank.
static void the_line_of_a_key_is_found_in_one_pass(void **state)
{
    (void)state;
    enum { SIZE = 1000000 };
    static const struct {
        const char *begin, *fill, *end;
    } cases[] = {{"local k = ' '\nreturn {[k] = 1}\n", " ", ""},
                 {"local k = '\\''\nreturn {[k] = 1}\n", " ' ", ""},
                 {"return {a = 1}\n--", "a ", "\n"},
                 {"return {[\"", "a", "\"] = 1}"},
                 {"local k = '=' return {[k .. k .. k] = 1}--[=[", "= ", "]=]"},
                 {"return {[(' a'):sub(1, 1)] = 1}--", " a\t'\"]", ""}};
    char *text = malloc(SIZE + 200);
    for (size_t i = 0; i < ER_COUNT(cases); ++i) {
        open_description s;
        char *to = stpcpy(text, cases[i].begin);
        for (size_t n = strlen(cases[i].fill); to + n < text + SIZE; to += n)
            memcpy(to, cases[i].fill, n);
        strcpy(to, cases[i].end);
        double start = er_seconds();
        assert_int_equal(try_open(text, &s), ER_ERROR_FORMAT);
        assert_true(er_seconds() - start < 5.0);
    }
    free(text);
}

static void a_wrong_key_is_found_however_it_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"return {\n hz = 1}", ":2: hz"},
        {"return {\n\n ['hz'] = 1}", ":3: hz"},
        {"return {\n [\"hz\"]\t=1}", ":2: hz"},
        {"-- hz = 2\nreturn {--[[ hz = 3\n]]\n hz = 1}", ":4: hz"},
        {"local xhz = 1\nlocal same = xhz == 1\nreturn {hz = 1}", ":3: hz"},
        {"local hz2 = 1\nreturn {hz = 1}", ":2: hz"},
        {"local t = {} t.\nhz = 1\nreturn {mass = 1, joints = {a = {\nhzz = 1}}}", ":4: joints.a.hzz"},
        {"local k = 'h' .. 'z'\nreturn {[k] = 1}", "rig.lua: hz"}, // which no line says
    };
    for (size_t i = 0; i < ER_COUNT(cases); ++i) {
        open_description s;
        assert_int_equal(try_open(cases[i].text, &s), ER_ERROR_FORMAT);
        if (strstr(er_context_error(context), cases[i].line) == NULL)
            fail_msg("%s: %s", cases[i].text, er_context_error(context));
    }
}

// Whoever sends a model may lay anything beside it; who names a description may name anything.
static void what_lies_beside_a_model_is_a_regular_file_of_its_folder(void **state)
{
    (void)state;
    static const char secret[] = "return root:x:0:0", name[] = "./test_sidecar_beside.rig.lua";
    char elsewhere[64];
    open_description s;
    snprintf(elsewhere, sizeof elsewhere, "/tmp/eigenrig-secret-%ld.lua", (long)getpid());
    assert_int_equal(er_file_write(context, elsewhere, secret, strlen(secret)), ER_OK);
    assert_int_equal(symlink(elsewhere, name), 0);
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE, &s), ER_ERROR_FILE);
    assert_non_null(strstr(er_context_error(context), "lies outside"));
    assert_null(strstr(er_context_error(context), "root"));
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE | DESCRIPTION_OUTSIDE, &s), ER_ERROR_FORMAT);
    assert_int_equal(description_open(context, name, 0, &s), ER_ERROR_FORMAT);
    assert_int_equal(unlink(name) + unlink(elsewhere), 0);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE, &s), ER_ERROR_FILE); // and nobody waits
    assert_non_null(strstr(er_context_error(context), "not a regular file"));
    assert_int_equal(unlink(name), 0);
    assert_int_equal(symlink("/dev/zero", name), 0);
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE | DESCRIPTION_OUTSIDE, &s), ER_ERROR_FILE);
    assert_int_equal(unlink(name), 0);
}

// ---- changes of a rig that stands

static void densities_are_factors_of_the_rig_s(void **state)
{
    (void)state;
    open_description s =
        open_text("return {joints = {a = {density = 500}, b = {hz = 2}}, bodies = {c = {density = 3000}}}");
    assert_int_equal(description_set_densities(context, &s.settings, 1000.0), ER_OK);
    assert_true(s.settings.joint[0].density == 0.5 && s.settings.joint[1].density == 1.0);
    assert_true(s.settings.body[0].density == 3.0);
    description_close(&s);
    const char *const single[] = {"return {joints = {a = {density = 500}}}", "return {bodies = {a = {density = 500}}}"};
    for (int i = 0; i < 2; ++i) {
        er_rig_change change;
        s = open_text(single[i]);
        assert_int_equal(description_change_of(context, &s.settings, 0.0, &change), ER_ERROR_ARGUMENT);
        assert_non_null(strstr(er_context_error(context), "density of a rig file"));
        description_close(&s);
    }
}

static void what_was_given_is_changed(void **state)
{
    (void)state;
    er_rig_change change;
    open_description s =
        open_text("return {root = 'fixed', stiffness = 'uniform:7', damping = 0.25, rayleigh = {3, 0.5}, mass = 80}");
    assert_int_equal(description_change_of(context, &s.settings, 0.0, &change), ER_OK);
    assert_ptr_equal(change.stiffness, &s.settings.rig.stiffness);
    assert_true(change.damping_ratio == 0.25 && change.rayleigh_mass == 3.0 && change.rayleigh_stiffness == 0.5);
    assert_true(change.mass == 80.0 && change.fix_root);
    description_close(&s);
    const er_rig_change none = er_default_rig_change();
    s = open_text("return {welds = {'a'}}");
    assert_int_equal(description_change_of(context, &s.settings, 0.0, &change), ER_OK);
    assert_true(change.stiffness == NULL && change.joint_count == 1 && !change.fix_root);
    assert_memory_equal(&change.damping_ratio, &none.damping_ratio, sizeof(double));
    assert_memory_equal(&change.rayleigh_mass, &none.rayleigh_mass, sizeof(double));
    description_close(&s);
}

static void what_makes_a_model_a_rig_comes_too_late(void **state)
{
    (void)state;
    static const char *const fields[] = {"joints = 'auto'", "density = 900",  "height = 2",
                                         "pose = 'rest'",   "skeleton = 'a'", "infer_parents = true"};
    char text[100];
    er_rig_change change;
    for (int i = 0; i < 7; ++i) {
        snprintf(text, sizeof text, "return {%s}", i < 6 ? fields[i] : "root = 'free'");
        open_description s = open_text(text);
        assert_int_equal(description_change_of(context, &s.settings, 1000.0, &change), ER_ERROR_ARGUMENT);
        const char *key = i < 6 ? fields[i] : "root";
        assert_memory_equal(er_context_error(context), key, strcspn(key, " "));
        description_close(&s);
    }
}

// ---- what is wrong, and where

static void what_is_wrong_is_said_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {{"return {\nmas = 3}", "mas"},
                 {"return {\nmass = 0}", ":2: mass"},
                 {"return {mass = -1}", "mass"},
                 {"return {rayleigh = {1}}", "rayleigh"},
                 {"return {joints = {a = {limits = {5, 3}}}}", "joints.a.limits"},
                 {"return {joints = {a = {type = 'ball'}}}", "ball"},
                 {"return {joints = {{hz = 1}}}", "no pattern"},
                 {"return {joints = {'ball', a = {hz = 1}}}", "ball"},
                 {"return {joints = {{pattern = 'a', hz = 1}, 'revolute'}}", "joints[2]"},
                 {"return {bodies = {'revolute'}}", "bodies[1]"},
                 {"return {mirror = {{'a', 'a'}}}", "differ"},
                 {"return {loops = {{at = 'a'}}}", "no child"},
                 {"return {loops = {{child = 'a', at = 'b', type = 'free'}}}", "closes no loop"},
                 {"return {pose = {{position = {1, 2, 3}}}}", "no name and no index"},
                 {"return {pose = {a = {position = {1, 2}}}}", "pose.a.position"},
                 {"return 5", "not a table"},
                 {"", "returns nothing"},
                 {"while true do end", "runs on and on"},
                 {"error({})", "an error without words"},
                 {"error('bare', 0)", "bare"},
                 {"return {mass = #io.open('x')}", "io"},
                 {"local t = {} for i = 1, 1e9 do t[i] = ('x'):upper() .. i end", "16 MiB"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        open_description s;
        assert_int_equal(try_open(wrong[i].text, &s), ER_ERROR_FORMAT);
        assert_null(s.state);
        const char *said = er_context_error(context);
        assert_memory_equal(said, path, strlen(path));
        if (strstr(said, wrong[i].says) == NULL) fail_msg("\"%s\" does not say %s", said, wrong[i].says);
    }
    open_description s;
    assert_int_equal(description_open(context, "missing.rig.lua", 0, &s), ER_ERROR_FILE);
}

static void a_description_lies_beside_its_model(void **state)
{
    (void)state;
    char found[64], small[12];
    open_description s = open_text("return {}");
    description_close(&s);
    assert_true(description_find("test_sidecar.glb", found, sizeof found));
    assert_string_equal(found, path);
    assert_true(description_find("test_sidecar", found, sizeof found));
    assert_true(description_find("./test_sidecar.fbx", found, sizeof found));
    assert_string_equal(found, "./test_sidecar.rig.lua");
    assert_false(description_find("other.glb", found, sizeof found));
    assert_false(description_find("test_sidecar.glb", small, sizeof small));
}

// A word before all entries is the rule for all.
static void joints_may_begin_with_their_rule(void **state)
{
    (void)state;
    open_description s = open_text("return {joints = {'revolute', {pattern = 'knee', hz = 3}, head = {hz = 2}}}");
    assert_true((s.settings.given & DESCRIPTION_JOINTS) != 0);
    assert_int_equal(s.settings.rig.joints, ER_JOINTS_REVOLUTE);
    assert_int_equal(s.settings.change.joint_count, 2);
    assert_string_equal(s.settings.joint[0].pattern, "head");
    assert_string_equal(s.settings.joint[1].pattern, "knee");
    assert_true(s.settings.joint[1].hz == 3.0);
    description_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_those_of_the_table),
        cmocka_unit_test(joints_are_in_the_order_they_apply_in),
        cmocka_unit_test(joints_may_begin_with_their_rule),
        cmocka_unit_test(a_joint_is_told_by_coordinate),
        cmocka_unit_test(loops_and_places_are_read),
        cmocka_unit_test(a_pose_file_lies_beside_the_description),
        cmocka_unit_test(the_line_of_a_key_is_found_in_one_pass),
        cmocka_unit_test(a_wrong_key_is_found_however_it_is_written),
        cmocka_unit_test(what_lies_beside_a_model_is_a_regular_file_of_its_folder),
        cmocka_unit_test(densities_are_factors_of_the_rig_s),
        cmocka_unit_test(what_was_given_is_changed),
        cmocka_unit_test(what_makes_a_model_a_rig_comes_too_late),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(a_description_lies_beside_its_model),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
