// Descriptions of rigs: what their tables say, and what of it is a change of a rig that stands.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <lua.h>

#include "app/description/description.h"
#include "base/arena.h"
#include "base/platform.h"
#include "support/context.h"
#include "support/judge.h"

static const char path[] = "test_sidecar.rig.lua";
static const double degree = ER_PI / 180.0;

static int remove_description(void **state)
{
    remove(path);
    return tear_down(state);
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
    open_description s = open_text(
        "return {root = 'fixed', joints = 'revolute', stiffness = 'uniform:7', damping = 0.25,"
        "rayleigh = {3, 0.5}, density = 900, mass = 80, height = 1.8, pose = 'run fast@1.5',"
        "skeleton = 'hips', infer_parents = true, props = 'sword,*hat', hang = {foot = 'shin', hips = false}}");
    const er_rig_def *d = &s.settings.rig;
    assert_int_equal(s.settings.given, 2 * GIVEN_HANG - 1);
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
    assert_int_equal(s.settings.given, GIVEN_ROOT | GIVEN_POSE);
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
    open_description s =
        open_text("return {joints = {knee = {type = 'revolute', axis = 'y', stiffness = 9, damping = {ty = 2},"
                  "limits = {-10, 150}, swing = 40, twist = {-20, 30}, mass = 3, damping_ratio = 0.5},"
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
    expect_near(knee->swing, 40.0 * degree);
    expect_near(knee->twist[0], -20.0 * degree), expect_near(knee->twist[1], 30.0 * degree);
    assert_true(isnan(slide->swing) && isnan(slide->twist[0]) && isnan(slide->twist[1]));
    assert_true(slide->axis.y == 3.0 && slide->axis.z == 4.0);
    assert_true(slide->spring[2] == 4.0 && slide->spring[3] == 5.0);
    assert_memory_equal(&slide->spring[0], &none.spring[0], sizeof(double));
    expect_near(slide->limit[0][0], -90.0 * degree);
    assert_true(slide->limit[5][0] == -2.0 && slide->limit[5][1] == 3.0); // metres
    description_close(&s);
}

static void loops_and_places_are_read(void **state)
{
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
        const rig_place *p = &s.settings.place[i];
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
    s = open_text("return {pose = 'sit.json'}");
    assert_string_equal(s.settings.pose_file, "sit.json");
    assert_string_equal(s.settings.pose_named, "sit.json");
    assert_string_equal(s.settings.pose_in, path);
    description_close(&s);
    s = open_text("return {pose = 'rest'}");
    assert_null(s.settings.pose_in);
    description_close(&s);
}

// ---- the budget

// Finding the line of a wrong key is bounded too: it takes one pass. These cases took minutes when the search began
// again at each blank.
static void the_line_of_a_key_is_found_in_one_pass(void **state)
{
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
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        open_description s;
        char *to = stpcpy(text, cases[i].begin);
        for (size_t n = strlen(cases[i].fill); to + n < text + SIZE; to += n)
            memcpy(to, cases[i].fill, n);
        strcpy(to, cases[i].end);
        double start = eri_seconds();
        assert_int_equal(try_open(text, &s), ER_ERROR_FORMAT);
        assert_true(eri_seconds() - start < 5.0);
    }
    free(text);
}

static void a_wrong_key_is_found_however_it_is_written(void **state)
{
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
        {"local k = 'h' .. 'z'\nreturn {[k] = 1} -- end", "rig.lua: hz"},
        {"local s = '--[[' return {hz = 1}", "rig.lua: hz"}, // no comment, but taken for one
        {"--[ hz = 2\nreturn {hz = 1}", ":2: hz"},
        {"-- [[ hz = 2\nreturn {hz = 1}", ":2: hz"},
        {"local x = 3 - 2 return {hz = 1}", ":1: hz"},
        {"hz = 2\nreturn {hz = 1}", ":1: hz"}, // the first that gives it a value
        {"return {mass = 1,\njoints = {a = {hz = 1,\nmas = 2}}}", ":3: joints.a.mas"},
        {"return {joints = {a = {hz = 1,\n[('x'):upper()] = 2}}}", ":1: joints.a.X"}, // the innermost that is found
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        open_description s;
        assert_int_equal(try_open(cases[i].text, &s), ER_ERROR_FORMAT);
        if (strstr(er_context_error(context), cases[i].line) == NULL)
            fail_msg("%s: %s", cases[i].text, er_context_error(context));
    }
    char text[400], key[300];
    for (int length = 256; length <= 257; ++length) { // the longest that is looked for
        open_description s;
        memset(key, 'k', (size_t)length);
        key[length] = '\0';
        snprintf(text, sizeof text, "\nreturn {%s = 1}", key);
        assert_int_equal(try_open(text, &s), ER_ERROR_FORMAT);
        assert_int_equal(strstr(er_context_error(context), "rig.lua:2: kkk") != NULL, length == 256);
    }
}

// Whoever sends a model may lay anything beside it; who names a description may name anything.
static void what_lies_beside_a_model_is_a_regular_file_of_its_folder(void **state)
{
    static const char secret[] = "return root:x:0:0", name[] = "./test_sidecar_beside.rig.lua";
    char elsewhere[64];
    open_description s;
    snprintf(elsewhere, sizeof elsewhere, "/tmp/eigenrig-secret-%ld.lua", (long)getpid());
    assert_int_equal(er_file_write(context, elsewhere, secret, strlen(secret)), ER_OK);
    assert_int_equal(symlink(elsewhere, name), 0);
    assert_refusal(context, description_open(context, name, DESCRIPTION_BESIDE, &s), ER_ERROR_FILE, name);
    assert_null(strstr(er_context_error(context), "root"));
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE | DESCRIPTION_OUTSIDE, &s), ER_ERROR_FORMAT);
    assert_int_equal(description_open(context, name, 0, &s), ER_ERROR_FORMAT);
    assert_int_equal(unlink(name) + unlink(elsewhere), 0);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_refusal(context, description_open(context, name, DESCRIPTION_BESIDE, &s), ER_ERROR_FILE, name); // no wait
    assert_int_equal(unlink(name), 0);
    assert_int_equal(symlink("/dev/zero", name), 0);
    assert_int_equal(description_open(context, name, DESCRIPTION_BESIDE | DESCRIPTION_OUTSIDE, &s), ER_ERROR_FILE);
    assert_int_equal(unlink(name), 0);
}

// ---- the sandbox

// All that a description sees: these names, and in three tables so many.
static void a_description_sees_what_it_may_call_and_no_more(void **state)
{
    open_description s = open_text(
        "local function count(t) local n = 0 for _ in pairs(t) do n = n + 1 end return n end\n"
        "assert(_G == nil and load == nil and pcall == nil and setmetatable == nil and rawget == nil and io == nil)\n"
        "assert(string.rep == nil and string.find == nil and string.gsub == nil and string.dump == nil)\n"
        "assert(table.sort == nil and table.insert == nil and table.move == nil and math.random == nil)\n"
        "assert(('a'):upper() == 'A' and ('abc'):len() == 3 and ('').rep == nil and ('').find == nil)\n"
        "assert(select('#', table.unpack(table.pack(1, 2))) == 2 and table.concat({1, 2}) == '12')\n"
        "assert(type(next({1})) == 'number' and tonumber('7') == 7 and math.type(math.maxinteger) == 'integer')\n"
        "local f = function() error('x') end\n"
        "for _, i in ipairs({1}) do assert(i == 1) end\n"
        "return {mass = count(_ENV), density = count(math), height = count(string), damping = count(table)}");
    assert_true(s.settings.rig.mass == 12.0); // nine functions, and the tables
    assert_true(s.settings.rig.density == 25.0 && s.settings.rig.height == 8.0 && s.settings.rig.damping_ratio == 3.0);
    description_close(&s);
}

// Ten million steps, 16 MiB at a time, and a source of one; a step is a turn of an empty loop.
static void a_description_is_stopped_at_its_budget_and_not_before(void **state)
{
    static const char *const enough[] = {
        "for i = 1, 9900000 do end return {}",
        "local t = {} for i = 1, 1 << 19 do t[i] = i end return {}", // 8 MiB, the most that double
        "for i = 1, 500000 do local t = {i} end return {}",          // 36 MiB, but not at once
    };
    static const struct {
        const char *text, *says;
    } much[] = {{"for i = 1, 10100000 do end return {}", "test_sidecar.rig.lua:1: "},
                {"local t = {} for i = 1, (1 << 19) + 1 do t[i] = i end return {}", "test_sidecar.rig.lua: "}};
    open_description s;
    for (size_t i = 0; i < ERI_COUNT(enough); ++i) {
        double start = eri_seconds();
        er_result r = try_open(enough[i], &s); // which a machine that does much else may end by its seconds
        if (r != ER_OK && eri_seconds() - start < 4.0) fail_msg("%s", er_context_error(context));
        description_close(&s);
    }
    for (size_t i = 0; i < ERI_COUNT(much); ++i) {
        clock_t start = clock();
        double began = eri_seconds();
        assert_int_equal(try_open(much[i].text, &s), ER_ERROR_FORMAT);
        if (eri_seconds() - began < 4.0 && strstr(er_context_error(context), much[i].says) == NULL)
            fail_msg("%s", er_context_error(context));
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2.0); // by steps: time would end it after 5 s
    }
    static const size_t mebibyte = 1 << 20;
    char *text = malloc(mebibyte + 2);
    for (size_t size = mebibyte; size <= mebibyte + 1; ++size) {
        strcpy(text, "return {} --");
        memset(text + strlen(text), 'x', size - strlen(text));
        text[size] = '\0';
        assert_int_equal(try_open(text, &s), size == mebibyte ? ER_OK : ER_ERROR_FILE);
        if (size > mebibyte) assert_non_null(strstr(er_context_error(context), "1 MiB"));
        description_close(&s);
    }
    free(text);
}

static void what_is_no_text_is_no_description(void **state)
{
    open_description s;
    assert_refusal(context, description_open(context, ".", 0, &s), ER_ERROR_FILE, ".: ");
    assert_refusal(context, try_open("\033Lua", &s), ER_ERROR_FORMAT, path);
    assert_int_equal(er_file_write(context, path, "return {}\0", 10), ER_OK);
    assert_refusal(context, description_open(context, path, 0, &s), ER_ERROR_FORMAT, path);
    assert_refusal(context, description_open(context, "nowhere/a.rig.lua", 0, &s), ER_ERROR_FILE,
                   "nowhere/a.rig.lua: ");
    assert_null(s.state);
}

// Texts and arrays are the settings' as long as the description is open, whatever its collector does.
static void what_was_read_stays_until_it_is_closed(void **state)
{
    open_description s = open_text("local function name(a) return a .. '_that_is_made_for_it' end\n"
                                   "return {skeleton = name('hips'), hang = {[name('foot')] = name('shin')},"
                                   "joints = {[name('knee')] = {hz = 3}}, plant = {name('a'), name('b')},"
                                   "loops = {{child = name('c'), at = name('d')}}, pose = {[name('e')] = {}}}");
    lua_gc(s.state, LUA_GCCOLLECT);
    for (int i = 0; i < 2000; ++i)
        lua_pushfstring(s.state, "%d_in_the_place_of_all_that_went", 10000 + i), lua_pop(s.state, 1);
    assert_string_equal(s.settings.rig.skeleton, "hips_that_is_made_for_it");
    assert_string_equal(s.settings.rig.hang[0].bone, "foot_that_is_made_for_it");
    assert_string_equal(s.settings.rig.hang[0].on, "shin_that_is_made_for_it");
    assert_string_equal(s.settings.joint[0].pattern, "knee_that_is_made_for_it");
    assert_string_equal(s.settings.plant, "a_that_is_made_for_it,b_that_is_made_for_it");
    assert_string_equal(s.settings.change.loop[0].child, "c_that_is_made_for_it");
    assert_string_equal(s.settings.change.loop[0].at_body, "d_that_is_made_for_it");
    assert_string_equal(s.settings.place[0].name, "e_that_is_made_for_it");
    description_close(&s);
    assert_true(s.state == NULL && s.settings.given == 0);
    description_close(&s);
}

// ---- changes of a rig that stands

static void densities_are_factors_of_the_rig_s(void **state)
{
    open_description s =
        open_text("return {joints = {a = {density = 500}, b = {hz = 2}}, bodies = {c = {density = 3000}}}");
    assert_int_equal(rig_settings_set_densities(context, &s.settings, 1000.0), ER_OK);
    assert_true(s.settings.joint[0].density == 0.5 && s.settings.joint[1].density == 1.0);
    assert_true(s.settings.body[0].density == 3.0);
    description_close(&s);
    const char *const single[] = {"return {joints = {a = {density = 500}}}", "return {bodies = {a = {density = 500}}}"};
    for (int i = 0; i < 2; ++i) {
        er_rig_change change;
        s = open_text(single[i]);
        assert_refusal(context, rig_settings_change(context, &s.settings, 0.0, &change), ER_ERROR_ARGUMENT, "\"a\"");
        description_close(&s);
    }
}

static void what_was_given_is_changed(void **state)
{
    er_rig_change change;
    open_description s =
        open_text("return {root = 'fixed', stiffness = 'uniform:7', damping = 0.25, rayleigh = {3, 0.5}, mass = 80}");
    assert_int_equal(rig_settings_change(context, &s.settings, 0.0, &change), ER_OK);
    assert_ptr_equal(change.stiffness, &s.settings.rig.stiffness);
    assert_true(change.damping_ratio == 0.25 && change.rayleigh_mass == 3.0 && change.rayleigh_stiffness == 0.5);
    assert_true(change.mass == 80.0 && change.fix_root);
    description_close(&s);
    const er_rig_change none = er_default_rig_change();
    s = open_text("return {feet = 'a', forward = 'x', plant = 'b', damping = 0}"); // no rig is made anew by these
    assert_int_equal(rig_settings_change(context, &s.settings, 0.0, &change), ER_OK);
    assert_true(change.damping_ratio == 0.0 && change.stiffness == NULL && change.mass == 0.0);
    description_close(&s);
    er_rig_def def = er_default_rig_def();
    def.rayleigh_mass = 4.0;
    change = rig_settings_given_changes(GIVEN_DAMPING, &def);
    assert_true(change.tag == none.tag && change.damping_ratio == 0.0 && change.stiffness == NULL);
    assert_memory_equal(&change.rayleigh_mass, &none.rayleigh_mass, sizeof(double));
    s = open_text("return {welds = {'a'}}");
    assert_int_equal(rig_settings_change(context, &s.settings, 0.0, &change), ER_OK);
    assert_true(change.stiffness == NULL && change.joint_count == 1 && !change.fix_root);
    assert_memory_equal(&change.damping_ratio, &none.damping_ratio, sizeof(double));
    assert_memory_equal(&change.rayleigh_mass, &none.rayleigh_mass, sizeof(double));
    description_close(&s);
}

static void what_makes_a_model_a_rig_comes_too_late(void **state)
{
    static const char *const fields[] = {"joints = 'auto'",    "density = 900",        "height = 2",
                                         "pose = 'rest'",      "skeleton = 'a'",       "props = 'a'",
                                         "hang = {a = false}", "infer_parents = true", "root = 'free'"};
    char text[100];
    er_rig_change change;
    for (size_t i = 0; i < ERI_COUNT(fields); ++i) {
        snprintf(text, sizeof text, "return {%s}", fields[i]);
        open_description s = open_text(text);
        assert_int_equal(rig_settings_change(context, &s.settings, 1000.0, &change), ER_ERROR_ARGUMENT);
        assert_memory_equal(er_context_error(context), fields[i], strcspn(fields[i], " "));
        assert_int_equal(er_context_error(context)[strcspn(fields[i], " ")], ':');
        description_close(&s);
    }
}

// ---- what is wrong, and where

static void what_is_wrong_is_said_with_its_place(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {{"return {\nmas = 3}", "mas"},
                 {"return {\nmass = 0}", ":2: mass"},
                 {"return {mass = -1}", "mass"},
                 {"return {rayleigh = {1}}", "rayleigh"},
                 {"return {joints = {a = {limits = {5, 3}}}}", "joints.a.limits"},
                 {"return {joints = {a = {swing = -5}}}", "joints.a.swing"},
                 {"return {joints = {a = {twist = {5, 3}}}}", "joints.a.twist"},
                 {"return {joints = {a = {twist = 5}}}", "joints.a.twist"},
                 {"return {joints = {a = {type = 'ball'}}}", "ball"},
                 {"return {joints = {{hz = 1}}}", "joints[1]"},
                 {"return {joints = {'ball', a = {hz = 1}}}", "ball"},
                 {"return {joints = {{pattern = 'a', hz = 1}, 'revolute'}}", "joints[2]"},
                 {"return {bodies = {'revolute'}}", "bodies[1]"},
                 {"return {mirror = {{'a', 'a'}}}", "mirror"},
                 {"return {loops = {{at = 'a'}}}", "loops[1]"},
                 {"return {loops = {{child = 'a', at = 'b', type = 'free'}}}", "loops[1]"},
                 {"return {pose = {{position = {1, 2, 3}}}}", "pose[1]"},
                 {"return {pose = {a = {position = {1, 2}}}}", "pose.a.position"},
                 {"return 5", "number"},
                 {"", "return {...}"},
                 {"while true do end", "10 million"},
                 {"error({})", ""},
                 {"error('bare', 0)", "bare"},
                 {"return {mass = #io.open('x')}", "io"},
                 {"local t = {} for i = 1, 1e9 do t[i] = i end", "16 MiB"}};
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
    assert_true(description_find("test_sidecar.glb", found, sizeof path));
    assert_false(description_find("test_sidecar.glb", found, sizeof path - 1));
    static const char *const beside[][2] = {{"some.where/model", "some.where/model.rig.lua"},
                                            {"a.b.glb", "a.b.rig.lua"},
                                            {".glb", ".glb.rig.lua"},
                                            {"here/.glb", "here/.glb.rig.lua"}};
    for (size_t i = 0; i < ERI_COUNT(beside); ++i) {
        assert_false(description_find(beside[i][0], found, sizeof found));
        assert_string_equal(found, beside[i][1]);
    }
}

// A word before all entries is the rule for all.
static void joints_may_begin_with_their_rule(void **state)
{
    open_description s = open_text("return {joints = {'revolute', {pattern = 'knee', hz = 3}, head = {hz = 2}}}");
    assert_true((s.settings.given & GIVEN_JOINTS) != 0);
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
        cmocka_unit_test(a_description_sees_what_it_may_call_and_no_more),
        cmocka_unit_test(a_description_is_stopped_at_its_budget_and_not_before),
        cmocka_unit_test(what_is_no_text_is_no_description),
        cmocka_unit_test(what_was_read_stays_until_it_is_closed),
        cmocka_unit_test(densities_are_factors_of_the_rig_s),
        cmocka_unit_test(what_was_given_is_changed),
        cmocka_unit_test(what_makes_a_model_a_rig_comes_too_late),
        cmocka_unit_test(what_is_wrong_is_said_with_its_place),
        cmocka_unit_test(a_description_lies_beside_its_model),
    };
    return cmocka_run_group_tests(tests, set_up, remove_description);
}
