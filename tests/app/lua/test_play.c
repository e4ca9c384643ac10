// Files of living scenes played frame by frame, their events in files, and scripts that are run.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/lua/scene/scene_player.h"
#include "app/lua/script.h"
#include "support/context.h"
#include "support/sample.h"

static char told[4000];

static void hear(void *user, const char *text)
{
    size_t length = strlen(told);
    assert_ptr_equal(user, told);
    snprintf(told + length, sizeof told - length, "%s\n", text);
}

static void expect_told(const char *words)
{
    if (strcmp(told, words) != 0) fail_msg("told \"%s\", not \"%s\"", told, words);
    told[0] = '\0';
}

static er_result try_open(const char *text, scene_player **out)
{
    static const char *const words[] = {"first", "second"};
    char path[512];
    snprintf(path, sizeof path, "%s", sample_write("a.scene.lua", text, strlen(text)));
    const scene_player_def def = {
        .path = path, .words = words, .word_count = 2, .tell = hear, .wrong = hear, .user = told};
    told[0] = '\0';
    return scene_player_open(context, &def, out);
}

static scene_player *open(const char *text)
{
    scene_player *p = NULL;
    if (try_open(text, &p) != ER_OK) fail_msg("%s", er_context_error(context));
    return p;
}

// A line at the prompt, and what it answers.
static void expect_answer(scene_player *p, const char *line, const char *wanted)
{
    char answer[400];
    bool ok = scene_player_run(p, line, answer, sizeof answer);
    if (!ok || strcmp(answer, wanted) != 0) fail_msg("%s: %s, not %s", line, answer, wanted);
}

static void expect_wrong(scene_player *p, const char *line, const char *named)
{
    char answer[400];
    assert_false(scene_player_run(p, line, answer, sizeof answer));
    if (strstr(answer, named) == NULL) fail_msg("%s: %s", line, answer);
}

static void expect_floats(const float *got, float x, float y, float z)
{
    assert_true(fabsf(got[0] - x) < 1e-6f && fabsf(got[1] - y) < 1e-6f && fabsf(got[2] - z) < 1e-6f);
}

// ---- Contents of files

static void rules_are_those_of_the_file(void **state)
{
    scene_player *p = open(
        "return eigenrig.scene{substeps = 7, stiffness = 33, threads = 3, sleep_time = 1.5, sleep_speed = 0.25,\n"
        "solver = 'reference', erp = 0.75, cfm = 0.125, iterations = 9, gravity = {1, 2, 3}, step = 0.5, length = 4}");
    const engine_settings *r = engine_get_settings(scene_player_scene(p));
    assert_true(r->substeps == 7 && r->stiffness == 33.0 && r->threads == 3 && r->sleep_time == 1.5 &&
                r->sleep_speed == 0.25);
    assert_true(r->reference && r->erp == 0.75 && r->cfm == 0.125 && r->iterations == 9 && r->step == 0.5 &&
                r->length == 4.0);
    assert_true(r->gravity.x == 1.0 && r->gravity.y == 2.0 && r->gravity.z == 3.0);
    expect_answer(p, "scene.solver = 'fast'", "");
    assert_true(!r->reference && r->substeps == 7 && r->erp == 0.75);
    static const struct {
        const char *field;
        size_t at;
    } numbers[] = {{"stiffness", offsetof(engine_settings, stiffness)},
                   {"sleep_time", offsetof(engine_settings, sleep_time)},
                   {"sleep_speed", offsetof(engine_settings, sleep_speed)},
                   {"erp", offsetof(engine_settings, erp)},
                   {"cfm", offsetof(engine_settings, cfm)},
                   {"step", offsetof(engine_settings, step)}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        char line[64];
        double value;
        snprintf(line, sizeof line, "scene.%s = 0.625", numbers[i].field);
        expect_answer(p, line, "");
        memcpy(&value, (const char *)r + numbers[i].at, sizeof value);
        assert_true(value == 0.625);
    }
    expect_answer(p, "scene.substeps = 11", "");
    expect_answer(p, "scene.iterations = 12", "");
    assert_true(r->substeps == 11 && r->iterations == 12 && r->threads == 3);
    scene_player_close(p);
}

static void a_view_is_that_of_the_file(void **state)
{
    scene_player *p =
        open("s = eigenrig.scene{ambient = {0, 0.5, 1}, shading = 'wireframe', polygons = 'point', shown = 'joints',\n"
             "pace = 'picture', shadows = false, background = {top = 1, bottom = '#00ff80'}}\n"
             "s.camera = {eye = {1, 2, 3}, fov = 90}\nball = s:actor{sphere = 1, at = {0, 5, 0}}\nreturn s");
    engine_view *v = engine_get_view(scene_player_scene(p));
    const float half = 0.21404114f; // linear of 0.5
    expect_floats(v->ambient, 0.0f, half, 1.0f);
    assert_true(v->shading == ENGINE_WIREFRAME && v->polygons == ENGINE_POINTS && v->shown == ENGINE_JOINTS);
    assert_true(v->pace == ENGINE_BY_PICTURE && !v->shadows && v->background == ENGINE_COLOUR);
    expect_floats(v->top, 1.0f, 1.0f, 1.0f);
    expect_floats(v->bottom, 0.0f, 1.0f, 0.21586050f);
    assert_true(er_v3_distance(v->eye, er_v3(1, 2, 3)) == 0.0 && fabs(v->fov - 0.5 * ER_PI) < 1e-12 && v->follow == 0);
    expect_answer(p, "scene.background = {colour = {0.02, 0.04045, 0.05}}", ""); // straight below, then a power
    expect_floats(v->top, 0.02f / 12.92f, 0.04045f / 12.92f, 0.00393594f);
    expect_floats(v->bottom, v->top[0], v->top[1], v->top[2]);
    expect_answer(p, "scene.background = {picture = 'hills.png'}", "");
    assert_int_equal(v->background, ENGINE_BITMAP);
    assert_string_equal(v->picture, "hills.png");
    expect_answer(p, "scene.background = {sky = 'around.png'}", "");
    assert_int_equal(v->background, ENGINE_ENVIRONMENT);
    assert_string_equal(v->picture, "around.png");
    expect_answer(p, "scene.background = {sky = true}", "");
    assert_int_equal(v->background, ENGINE_ENVIRONMENT);
    assert_string_equal(v->picture, "");
    expect_answer(p, "scene.background = {sky = false}", "");
    assert_int_equal(v->background, ENGINE_COLOUR);
    expect_answer(p, "scene.shadows = true; scene.pace = 'clock'", "");
    assert_true(v->shadows && v->pace == ENGINE_BY_CLOCK && v->shown == ENGINE_JOINTS);
    // a camera that follows goes as far as what it follows does
    expect_answer(p, "scene.camera = {follow = ball}", "");
    expect_answer(p, "ball:place({3, 5, 0})", "");
    engine_follow(scene_player_scene(p), 1.0);
    assert_true(er_v3_distance(v->eye, er_v3(4, 2, 3)) < 1e-9 && er_v3_distance(v->target, er_v3(3, 0, 0)) < 1e-9);
    scene_player_close(p);
}

static void materials_and_lights_are_those_of_the_file(void **state)
{
    scene_player *p = open(
        "s = eigenrig.scene{}\nm = s:material{colour = {1, 0, 0}, specular = {0, 1, 0}, shine = 5, opacity = 0.5, "
        "reflection = 0.25,\n"
        "friction = 2, restitution = 0.75, density = 30}\nn = s:material{ambient = {0, 0, 1}, diffuse = {0, 1, 1}}\n"
        "l = s:light{at = {1, 2, 3}, ambient = {1, 0, 0}, diffuse = {0, 1, 0}, specular = {0, 0, 1}}\nplain = "
        "s:light{}\n"
        "one = s:actor{sphere = 1, material = n}\ntwo = s:actor{parts = {{sphere = 1}, {sphere = 1, at = {1, 0, 0}, "
        "material = m}}, at = {9, 0, 0}}\nreturn s");
    engine *e = scene_player_scene(p);
    const engine_material *m = engine_material_at(e, 1), *n = engine_material_at(e, 2);
    expect_floats(m->ambient, 1, 0, 0);
    expect_floats(m->diffuse, 1, 0, 0);
    expect_floats(m->specular, 0, 1, 0);
    assert_true(m->shine == 5.0f && m->opacity == 0.5f && m->reflection == 0.25f && m->friction == 2.0 &&
                m->restitution == 0.75);
    assert_true(m->density == 30.0);
    expect_floats(n->ambient, 0, 0, 1);
    expect_floats(n->diffuse, 0, 1, 1);
    expect_floats(n->specular, 0.2f, 0.2f, 0.2f);
    assert_true(n->shine == 20.0f && n->opacity == 1.0f && n->reflection == 0.0f && n->friction == 0.5 &&
                n->restitution == 0.0);
    expect_answer(p,
                  "m.shine = 7; m.diffuse = 0; m.restitution = 0.5; m.reflection = 1; m.density = 1; m.specular = 1; "
                  "m.ambient = 0",
                  "");
    m = engine_material_at(e, 1);
    assert_true(m->shine == 7.0f && m->restitution == 0.5 && m->reflection == 1.0f && m->density == 1.0 &&
                m->friction == 2.0);
    expect_floats(m->diffuse, 0, 0, 0);
    expect_floats(m->ambient, 0, 0, 0);
    expect_floats(m->specular, 1, 1, 1);
    assert_int_equal(engine_light_count(e), 2);
    const engine_light *l = engine_light_at(e, 0);
    assert_true(er_v3_distance(l->position, er_v3(1, 2, 3)) == 0.0);
    expect_floats(l->ambient, 1, 0, 0);
    expect_floats(l->diffuse, 0, 1, 0);
    expect_floats(l->specular, 0, 0, 1);
    expect_floats(engine_light_at(e, 1)->ambient, 0, 0, 0);
    expect_floats(engine_light_at(e, 1)->diffuse, 0.8f, 0.8f, 0.8f);
    expect_floats(engine_light_at(e, 1)->specular, 0.5f, 0.5f, 0.5f);
    expect_answer(p, "l.specular = 1; l.ambient = 0; l.diffuse = {1, 0, 0}", "");
    expect_floats(l->diffuse, 1, 0, 0);
    expect_floats(l->specular, 1, 1, 1);
    const engine_actor *one = engine_actor_at(e, 0), *two = engine_actor_at(e, 1);
    assert_true(one->part[0].material == 2 && two->part[0].material == 0 && two->part[1].material == 1);
    expect_answer(p, "two.material = n", "");
    assert_true(two->part[0].material == 2 && two->part[1].material == 2);
    scene_player_close(p);
}

static void a_file_has_its_words_and_ends_no_program(void **state)
{
    scene_player *p = open(
        "assert(arg[0]:match('a.scene.lua$') and arg[1] == 'first' and arg[2] == 'second' and #arg == 2)\n"
        "warn('@on') warn('one ', 'two') local first = eigenrig.scene{name = 'first'}\neigenrig.scene{name = 'last'}");
    assert_string_equal(scene_player_name(p), "last"); // the one that was made last
    expect_told("one two\n");
    expect_wrong(p, "os.exit(1)", "os.exit()");
    scene_player_close(p);
    p = open("local a = eigenrig.scene{name = 'first'}\neigenrig.scene{name = 'last'}\nreturn a");
    assert_string_equal(scene_player_name(p), "first");
    expect_answer(p, "scene.name", "first");
    scene_player_close(p);
    assert_refusal(context, try_open("return 3", &p), ER_ERROR_ARGUMENT, "a.scene.lua: ");
    assert_null(p);
    assert_refusal(context, try_open("x = = 1", &p), ER_ERROR_ARGUMENT, "a.scene.lua:1: ");
    assert_refusal(context, try_open("\nerror('mine')", &p), ER_ERROR_ARGUMENT, "a.scene.lua:2: mine");
    assert_refusal(context, try_open("error({})", &p), ER_ERROR_ARGUMENT, "a.scene.lua:1: ");
    assert_refusal(context, try_open("error('plain', 0)", &p), ER_ERROR_ARGUMENT, "a.scene.lua: plain");
    p = open(
        "for i = 1, 60000000 do end return eigenrig.scene{}"); // more than a frame may take: a file computes a world
    expect_wrong(p, "for i = 1, 60000000 do end", "50 million");
    scene_player_close(p);
    const scene_player_def missing = {.path = "nosuch.scene.lua"};
    assert_refusal(context, scene_player_open(context, &missing, &p), ER_ERROR_FILE, "nosuch.scene.lua: ");
    scene_player_close(NULL);
}

// ---- Frames

static void a_play_goes_frame_by_frame_until_it_ends(void **state)
{
    scene_player *p =
        open("local s = eigenrig.scene{step = 0.5, gravity = {0, 0, 0}, script = function(self) began = true; "
             "self:wait(1); waited = scene.time end}\n"
             "ball = s:actor{sphere = 1, velocity = {2, 0, 0}}\ns:on('finish', function() ended = true end)\n"
             "s:on('frame', function() frames = (frames or 0) + 1; if frames == 3 then error('in a handler') end "
             "end)\nreturn s");
    engine *e = scene_player_scene(p);
    expect_answer(p, "began, frames", "nil, nil");
    for (int k = 1; k <= 4; ++k) {
        assert_true(scene_player_advance(p));
        assert_int_equal(engine_steps(e), k);
        scene_player_handle_events(p);
    }
    expect_answer(p, "began, frames, waited, ball.position.x", "true, 4, 1.0, 4.0");
    assert_non_null(strstr(told, "in a handler"));
    told[0] = '\0';
    scene_player_finish(p);
    expect_answer(p, "ended, scene.state", "true, terminated");
    assert_false(scene_player_advance(p));
    assert_int_equal(engine_steps(e), 4);
    scene_player_finish(p);
    expect_told("");
    scene_player_close(p);
}

static void what_goes_wrong_is_told_once(void **state)
{
    scene_player *p = open("local s = eigenrig.scene{}\ns:on('frame', function() error('again', 0) end)\nreturn s");
    for (int k = 0; k < 3; ++k) {
        assert_true(scene_player_advance(p));
        scene_player_handle_events(p);
    }
    expect_told("handler of frame: again\n");
    scene_player_close(p);
}

static void a_prompt_answers_with_values(void **state)
{
    scene_player *p = open("return eigenrig.scene{}");
    char few[4];
    expect_answer(p, "1 + 1, nil, 'x', {} ~= nil", "2, nil, x, true");
    expect_answer(p, "y = 3", "");
    expect_answer(p, "y", "3");
    expect_answer(p, "return", "");
    expect_answer(p, "local z = 4 return z * 2", "8");
    expect_wrong(p, "y +", "prompt:1: ");
    expect_wrong(p, "error('mine')", "prompt:1: mine");
    expect_answer(p, "y", "3");
    assert_true(scene_player_run(p, "12345", few, sizeof few));
    assert_string_equal(few, "123");
    scene_player_close(p);
}

// ---- Events

static const scene_event key = {.name = "key_down", .key = "a", .code = 97, .modifiers = SCRIPT_SHIFT},
                         wheel = {.name = "mouse_wheel",
                                  .modifiers = SCRIPT_ALT | SCRIPT_CONTROL,
                                  .button = "none",
                                  .x = 1.5,
                                  .y = -2.25,
                                  .way = {0.25, 0.5, 1},
                                  .clicks = 2,
                                  .delta = -3.5};

#define LISTENING                                                                                                      \
    "local s = eigenrig.scene{}\nfor _, name in ipairs{'key_down', 'mouse_wheel'} do s:on(name, function(e) heard = "  \
    "e end) end\nreturn s"

static void events_are_told_with_all_they_have(void **state)
{
    scene_player *p = open(LISTENING);
    assert_true(scene_player_listens(p, "key_down") && scene_player_listens(p, "mouse_wheel") &&
                !scene_player_listens(p, "key_up"));
    assert_true(scene_player_advance(p));
    scene_player_post(p, &key);
    expect_answer(p, "heard", "nil");
    scene_player_handle_events(p);
    expect_answer(p, "heard.name, heard.key, heard.code, heard.shift, heard.alt, heard.control, heard.x",
                  "key_down, a, 97, true, false, false, nil");
    scene_player_post(p, &wheel);
    scene_player_handle_events(p);
    expect_answer(p, "heard.name, heard.button, heard.x, heard.y, heard.clicks, heard.delta, heard.way",
                  "mouse_wheel, none, 1.5, -2.25, 2, -3.5, (0.25, 0.5, 1)");
    expect_answer(p, "heard.shift, heard.alt, heard.control, heard.key, heard.code", "false, true, true, nil, nil");
    const scene_event unknown = {.name = "key_dance"};
    scene_player_post(p, &unknown);
    assert_non_null(strstr(told, "\"key_dance\""));
    scene_player_close(p);
}

static bool is_same(const scene_event *a, const scene_event *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->key, b->key) == 0 && a->code == b->code &&
           a->modifiers == b->modifiers;
}

static void events_are_kept_in_files(void **state)
{
    scene_events *events = NULL, *again = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/events.txt", sample_folder());
    assert_int_equal(scene_events_create(context, &events), ER_OK);
    assert_true(scene_events_count(events) == 0);
    for (int i = 0; i < 40; ++i) {
        if (i == 1 || i == 15) // in parts
            assert_int_equal(scene_events_write(context, events, i == 1 ? 0 : 1, path), ER_OK);
        assert_int_equal(scene_events_add(events, i / 2, i % 2 == 0 ? &key : &wheel), ER_OK);
    }
    assert_true(scene_events_count(events) == 40);
    assert_int_equal(scene_events_write(context, events, 15, path), ER_OK);
    assert_int_equal(scene_events_read(context, path, &again), ER_OK);
    assert_true(scene_events_count(again) == 40);
    scene_player *p = open("local s = eigenrig.scene{}\nlog = {}\nfor _, name in ipairs{'key_down', 'mouse_wheel'} do "
                           "s:on(name, function(e) log[#log + 1] = e end) end\nreturn s");
    assert_true(scene_player_advance(p));
    scene_events_post(again, 7, p);
    scene_events_post(again, 20, p);
    scene_player_handle_events(p);
    expect_answer(p, "#log, log[1].key, log[1].code, log[1].shift, log[1].alt", "2, a, 97, true, false");
    expect_answer(p,
                  "log[2].button, log[2].x, log[2].y, log[2].clicks, log[2].delta, log[2].way, log[2].alt, "
                  "log[2].control, log[2].shift",
                  "none, 1.5, -2.25, 2, -3.5, (0.25, 0.5, 1), true, true, false");
    scene_player_close(p);
    scene_events_destroy(again);
    scene_events_destroy(events);
    scene_events_destroy(NULL);
    assert_true(is_same(&key, &key));
    assert_int_equal(scene_events_create(context, &events), ER_OK);
    assert_int_equal(scene_events_write(context, events, 0, "/nosuch/events.txt"), ER_ERROR_FILE);
    assert_int_equal(scene_events_write(context, events, 1, "/nosuch/events.txt"), ER_ERROR_FILE);
    scene_events_destroy(events);
}

static er_result read_events(const char *text, scene_events **out)
{
    char path[512];
    snprintf(path, sizeof path, "%s", sample_write("read.txt", text, strlen(text)));
    return scene_events_read(context, path, out);
}

static void a_line_that_is_no_event_is_named(void **state)
{
    scene_events *events = NULL;
    assert_int_equal(read_events("# a comment\n\n \t\n0 key_up x 1 0\n3 mouse_down left 1 2 1 0 0\n3 mouse_up left 1 2 "
                                 "1 0 0 0 0 1\n9 key_press space 32 7\n",
                                 &events),
                     ER_OK);
    assert_true(scene_events_count(events) == 4);
    scene_events_destroy(events);
    static const char *const wrong[] = {"0 key_dance x 1 0",
                                        "-1 key_up x 1 0",
                                        "x key_up x 1 0",
                                        "1 key_up x 1",
                                        "1 key_up x 1 0 2",
                                        "1 mouse_up left 1 2 1 0",
                                        "1 mouse_up left 1 2 1 0 0 0",
                                        "1 mouse_up left 1 2 1 0 0 0 0",
                                        "1 mouse_up left 1 2 1 0 0 0 0 1 2",
                                        "0 key_up x 1 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        char text[200];
        snprintf(text, sizeof text, "1 key_up x 1 0\n\n%s\n", wrong[i]);
        assert_refusal(context, read_events(text, &events), ER_ERROR_FORMAT, "read.txt:3: ");
        assert_null(events);
    }
    assert_refusal(context, scene_events_read(context, "nosuch.txt", &events), ER_ERROR_FILE, "nosuch.txt: ");
}

// ---- Scripts

static char output[2000];

// Runs a script with what it prints on standard error kept.
static er_result run(const char *text, script_def def)
{
    char path[512];
    snprintf(path, sizeof path, "%s", sample_write("script.lua", text, strlen(text)));
    char *words[] = {"run", path, "one", "two"};
    def.path = path;
    def.words = words;
    def.word_count = 4;
    def.script = 1;
    def.user = told;
    told[0] = '\0';
    return script_run(context, &def);
}

static void scripts_have_their_words_and_their_errors(void **state)
{
    const script_def plain = {.warn = hear}, verbose = {.warn = hear, .verbose = true},
                     hosted = {.warn = hear, .hosted = true};
    assert_int_equal(run("assert(arg[-1] == 'run' and arg[0]:match('script.lua$') and arg[1] == 'one' and arg[2] == "
                         "'two' and #arg == 2)\n"
                         "local a, b, c = ... assert(a == 'one' and b == 'two' and c == nil and eigenrig.load) "
                         "warn('@off') warn('a ', 'b') warn('@x', 'y')",
                         plain),
                     ER_OK);
    expect_told("a b\n@xy\n");
    assert_refusal(context, run("\nerror('mine')", plain), ER_ERROR_ARGUMENT, "script.lua:2: mine");
    assert_null(strstr(er_context_error(context), "stack traceback"));
    assert_refusal(context, run("local function deep() error('mine') end\ndeep()", verbose), ER_ERROR_ARGUMENT,
                   "stack traceback");
    assert_refusal(context, run("x = = 1", plain), ER_ERROR_ARGUMENT, "script.lua:1: ");
    assert_refusal(context, run("error{}", plain), ER_ERROR_ARGUMENT, "table");
    assert_refusal(context, run("error(setmetatable({}, {__tostring = function() return 'in words' end}))", plain),
                   ER_ERROR_ARGUMENT, "in words");
    assert_refusal(context, run("os.exit(3)", hosted), ER_ERROR_ARGUMENT, "os.exit()");
    static const char *const slips[][2] = {
        {"local v = eigenrig.vec3(3, 4, 0) print(v.length.x)", "model:modes()"},
        {"local v = eigenrig.vec3(3, 4, 0) for _ in ipairs(v.length) do end", "model:modes()"},
        {"for _ in {} do end", "ipairs(model:joints())"},
        {"eigenrig.scene{}.actors()", "model:modes()"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; ++i)
        assert_refusal(context, run(slips[i][0], plain), ER_ERROR_ARGUMENT, slips[i][1]);
    const script_def missing = {.path = "nosuch.lua"};
    assert_refusal(context, script_run(context, &missing), ER_ERROR_FILE, "nosuch.lua: ");
    assert_refusal(context, script_check_file(context, "nosuch.lua"), ER_ERROR_FILE, "nosuch.lua: ");
    char path[512];
    snprintf(path, sizeof path, "%s", sample_write("check.lua", "error('is not run')", 19));
    assert_int_equal(script_check_file(context, path), ER_OK);
    snprintf(path, sizeof path, "%s", sample_write("check.lua", "x = = 1", 7));
    assert_refusal(context, script_check_file(context, path), ER_ERROR_ARGUMENT, "check.lua:1: ");
}

// Lines on standard input, and what comes out on standard output and error.
static void at_prompt(const char *lines, script_def def, char out[2000], char err[2000])
{
    char in_path[512], out_path[512], err_path[512];
    snprintf(in_path, sizeof in_path, "%s", sample_write("in.txt", lines, strlen(lines)));
    snprintf(out_path, sizeof out_path, "%s/out.txt", sample_folder());
    snprintf(err_path, sizeof err_path, "%s/err.txt", sample_folder());
    fflush(NULL);
    int kept[3];
    for (int k = 0; k < 3; ++k)
        kept[k] = dup(k);
    assert_true(freopen(in_path, "r", stdin) != NULL && freopen(out_path, "w", stdout) != NULL &&
                freopen(err_path, "w", stderr) != NULL);
    def.prompt = true;
    er_result r = script_run(context, &def);
    fflush(NULL);
    for (int k = 0; k < 3; ++k) {
        dup2(kept[k], k);
        close(kept[k]);
    }
    clearerr(stdin);
    assert_int_equal(r, ER_OK);
    for (int k = 0; k < 2; ++k) {
        FILE *file = fopen(k == 0 ? out_path : err_path, "r");
        char *to = k == 0 ? out : err;
        to[fread(to, 1, 1999, file)] = '\0';
        fclose(file);
    }
}

static void a_prompt_shows_values_and_goes_on_after_errors(void **state)
{
    char err[2000], wide[1200];
    const script_def plain = {0}, verbose = {.verbose = true};
    at_prompt("x = 5\nx + 1\nfor i = 1, 2 do\nprint(i)\nend\nerror('no')\nx, nil\ny = = 1\nif x then "
              "print('in')\n\nend\nprint('out'",
              plain, output, err);
    assert_string_equal(output, "6\n1\n2\n5\tnil\nin\n");
    assert_non_null(strstr(err, "stdin:1: no\n"));
    assert_non_null(strstr(err, "near '='"));
    assert_non_null(strstr(err, "near <eof>"));
    assert_null(strstr(err, "traceback"));
    at_prompt("local function f() error('no') end f()\n", verbose, output, err);
    assert_non_null(strstr(err, "traceback"));
    assert_string_equal(output, "");
    // what is not plain is told plainly, and long lines come whole, cut between characters
    at_prompt("error('bell \\a end', 0)\nerror(('x'):rep(510) .. ('\\u{e9}'):rep(300), 0)\nerror('two\\nlines', 0)\n",
              plain, output, err);
    assert_null(strchr(err, '\a'));
    assert_non_null(strstr(err, "two\nlines\n"));
    memset(wide, 'x', 510);
    for (int i = 0; i < 300; ++i)
        memcpy(wide + 510 + 2 * i, "\xc3\xa9", 2);
    wide[1110] = '\0';
    assert_non_null(strstr(err, wide));
}

// ---- Scripts without end

// Each would run for ever where only their own instructions are counted.
static void no_script_escapes_its_limit(void **state)
{
    static const struct {
        const char *run, *named;
    } cases[] = {
        {"local x <close> = setmetatable({}, {__close = forever}) error('e')", "50 million"},
        {"local x <close> = setmetatable({}, {__close = forever}) self:wait() forever()", "50 million"},
        {"local x <close> = setmetatable({}, {__close = forever}) self:wait(100)", "50 million"},
        {"local f = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = forever}) forever() end) "
         "f()",
         "50 million"},
        {"local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = forever}) "
         "coroutine.yield() end) coroutine.resume(c) coroutine.close(c) self:wait()",
         "50 million"},
        {"xpcall(forever, forever)", "50 million"},
        {"xpcall(error, function() forever() end, 'e')", "50 million"},
        {"setmetatable({}, {__gc = forever}) collectgarbage()", "__gc"},
        {"debug.setmetatable({}, {__gc = forever}) collectgarbage()", "__gc"},
        {"debug.sethook() forever()", "hook"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[800];
        snprintf(text, sizeof text,
                 "local function forever() while true do end end\nlocal s = eigenrig.scene{}\n"
                 "s:script(function(self) %s end):start()\nreturn s",
                 cases[i].run);
        scene_player *p = open(text);
        for (int k = 0; k < 3; ++k)
            assert_true(scene_player_advance(p));
        scene_player_finish(p);
        if (strstr(told, cases[i].named) == NULL || strstr(told, "a.scene.lua:") == NULL)
            fail_msg("%s: %s", cases[i].run, told);
        scene_player_close(p);
    }
}

static void coroutines_and_handlers_of_a_scene_work_as_in_lua(void **state)
{
    scene_player *p = open("return eigenrig.scene{}");
    expect_answer(
        p,
        "(function() local f = coroutine.wrap(function(a, b) local c = coroutine.yield(a + b) return c, 'd' end) "
        "return f(1, 2), f(3) end)()",
        "3, 3, d");
    expect_answer(p, "xpcall(function(...) return select('#', ...), ... end, print, 7, nil)", "true, 2, 7, nil");
    expect_answer(p, "xpcall(error, function(e) return e .. '!' end, 'e')", "false, e!");
    expect_answer(p, "pcall(coroutine.wrap(function() error('e', 0) end))", "false, e");
    expect_answer(p, "getmetatable(setmetatable({}, {__index = 'x'})).__index", "x");
    expect_wrong(p, "coroutine.wrap(3)", "bad argument #1");
    expect_wrong(p, "setmetatable({})", "bad argument #2");
    scene_player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_those_of_the_file),
        cmocka_unit_test(a_view_is_that_of_the_file),
        cmocka_unit_test(materials_and_lights_are_those_of_the_file),
        cmocka_unit_test(a_file_has_its_words_and_ends_no_program),
        cmocka_unit_test(a_play_goes_frame_by_frame_until_it_ends),
        cmocka_unit_test(what_goes_wrong_is_told_once),
        cmocka_unit_test(a_prompt_answers_with_values),
        cmocka_unit_test(events_are_told_with_all_they_have),
        cmocka_unit_test(events_are_kept_in_files),
        cmocka_unit_test(a_line_that_is_no_event_is_named),
        cmocka_unit_test(scripts_have_their_words_and_their_errors),
        cmocka_unit_test(a_prompt_shows_values_and_goes_on_after_errors),
        cmocka_unit_test(no_script_escapes_its_limit),
        cmocka_unit_test(coroutines_and_handlers_of_a_scene_work_as_in_lua),
    };
    return cmocka_run_group_tests_name("scene_player", tests, set_up, tear_down);
}
