// model:render() of Lua and its options, by what is written down of the picture.
#include "paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/lua/scene/scene_player.h"
#include "viewer/render/lua.h"

static paper *const p = &sheet_of_paper;
static scene_player *play;
static char picture[64], film[64];

static void ask(const char *line, bool goes_well, const char *says)
{
    char answer[1024];
    paper_clear(session_model(gnome)->body_count);
    bool went = scene_player_run(play, line, answer, sizeof answer);
    if (went != goes_well || (says != NULL && strstr(answer, says) == NULL)) fail_msg("%s: %s", line, answer);
}

// Renders `what`, with options, onto the picture or the film; `says` of what it returns.
static void render(const char *path, const char *what, const char *options, const char *says)
{
    char line[2048];
    snprintf(line, sizeof line,
             "(function() local r = model:render('%s', %s, %s) return r.width .. ' ' .. r.height .. ' ' .. r.frames .. "
             "' ' .. "
             "r.cells .. ' ' .. r.duration end)()",
             path, what, options);
    ask(line, true, says);
}

static void refuse(const char *path, const char *what, const char *options, const char *says)
{
    char line[2048];
    snprintf(line, sizeof line, "model:render('%s', %s, %s)", path, what, options);
    ask(line, false, says);
}

static int begin_all(void **state)
{
    char file[] = "/tmp/eigenrig_lua_XXXXXX", model[4096];
    if (paper_begin(state) != 0) return -1;
    snprintf(model, sizeof model, "%s/models/gnome.glb", getenv("EIGENRIG_SOURCE"));
    int number = mkstemp(file);
    assert_true(number >= 0);
    assert_true(dprintf(number,
                        "eigenrig = require('eigenrig')\nmodel = eigenrig.load('%s')\nreturn eigenrig.scene{}\n",
                        model) > 0);
    close(number);
    er_result r = scene_player_open(paper_context, &(scene_player_def){.path = file, .open = luaopen_eigenrig}, &play);
    unlink(file);
    if (r != ER_OK) print_error("%s\n", er_context_error(paper_context));
    snprintf(picture, sizeof picture, "/tmp/eigenrig_lua_%d.png", (int)getpid());
    snprintf(film, sizeof film, "/tmp/eigenrig_lua_%d.apng", (int)getpid());
    return r == ER_OK ? 0 : -1;
}

static int end_all(void **state)
{
    unlink(picture);
    unlink(film);
    scene_player_close(play);
    return paper_end(state);
}

static void sizes_views_and_looks_are_taken(void **state)
{
    const draw_style dark = draw_default_style(true), light = draw_default_style(false);
    render(picture, "nil", "{size = {16, 40}}", "16 40 1 0 0");
    assert_true(p->width == 16 && p->height == 40 && p->picture_count == 1);
    const noted_picture *of = &p->picture[0];
    assert_true(of->style.mesh && !of->style.skeleton && !of->style.transparent && of->style.surface == DRAW_SHADED);
    assert_memory_equal(of->style.background, light.background, sizeof light.background);
    render(picture, "nil", "nil", "960 720 1 0 0");
    render(picture, "nil", "{size = {16, 16}, view = {30, -20}}", "16 16");
    near(of->camera.yaw, 30.0 * ER_PI / 180.0, 1e-12);
    near(of->camera.pitch, -20.0 * ER_PI / 180.0, 1e-12);
    render(picture, "nil", "{size = {16, 16}, view = 'top'}", "16 16");
    near(of->camera.pitch, 0.5 * ER_PI, 1e-12);
    render(picture, "nil", "{size = {16, 16}, view = 'three-quarter'}", "16 16");
    near(of->camera.pitch, 0.16, 1e-12);
    static const char *const shows[] = {"mesh", "joints", "both"}, *const surfaces[] = {"shaded", "wireframe",
                                                                                        "points"};
    for (int k = 0; k < 3; ++k) {
        char options[128];
        snprintf(options, sizeof options, "{size = {16, 16}, show = '%s', surface = '%s'}", shows[k], surfaces[k]);
        render(picture, "nil", options, "16 16");
        assert_true(of->style.mesh == (k != 1) && of->style.skeleton == (k != 0) &&
                    of->style.surface == (draw_surface)k);
    }
    render(picture, "nil", "{size = {16, 16}, theme = 'dark', transparent = true}", "16 16");
    assert_true(of->style.transparent);
    assert_memory_equal(of->style.background, dark.background, sizeof dark.background);
    refuse(picture, "nil", "{size = {16}}", "size");
    refuse(picture, "nil", "{size = 16}", "size");
    refuse(picture, "nil", "{size = {16, 9000}}", "8192");
    refuse(picture, "nil", "{size = {15, 16}}", "16");
    refuse(picture, "nil", "{view = {0, 91}}", "90");
    refuse(picture, "nil", "{view = 'given'}", "given");
}

static void modes_are_shown_at_their_amplitude_and_phase(void **state)
{
    render(picture, "9", "{size = {16, 16}}", "16 16 1");
    expect_mode(&p->picture[0].figure[0], 9, 20.0, 0.5 * ER_PI, 1e-6); // an end of its swing; nothing bounds this mode
    render(picture, "9", "nil", "960 720");
    expect_mode(&p->picture[0].figure[0], 9, 20.0, 0.5 * ER_PI, 1e-6);
    render(picture, "model:modes()[8]", "{size = {16, 16}, amplitude = 35, phase = 30}", "16 16 1");
    expect_mode(&p->picture[0].figure[0], 8, 35.0, ER_PI / 6.0, 1e-6);
    render(picture, "9", "{size = {16, 16}, ghosts = true}", "16 16 1");
    assert_int_equal(p->picture[0].figure_count, 3);
    expect_mode(&p->picture[0].figure[2], 9, 20.0, 0.0, 1e-6);
    render(film, "9", "{size = {16, 16}, fps = 10, duration = 1.2, phase = 90}", "16 16 12 0 1.2");
    assert_int_equal(p->picture_count, 12);
    expect_mode(&p->picture[0].figure[0], 9, 20.0, 0.5 * ER_PI, 1e-6);
    refuse(picture, "-1", "nil", NULL);
    refuse(picture, "1000000000", "nil", NULL);
    refuse(picture, "999999", "nil", "999999");
    refuse(picture, "7", "{amplitude = 181}", "180");
}

static void sheets_have_so_many_cells(void **state)
{
    render(picture, "'sheet'", "{count = 3, title = 'a title'}", " 1 3 0");
    assert_int_equal(p->picture_count, 4);
    assert_string_equal(p->mark[0].text, "a title");
    assert_non_null(strstr(p->mark[1].text, "bodies"));
    assert_non_null(strstr(p->mark[1].text, "stiffness graded:")); // the law that its joints have
    refuse(picture, "'sheet'", "{count = 401}", "400");
}

static void mixes_are_shown_at_a_time_with_what_stays(void **state)
{
    const er_model *model = session_model(gnome);
    const er_gait_body *body = session_gait_body(gnome);
    assert_true(body != NULL && body->foot_count > 0);
    int foot = body->foot[0].body;
    double moved[3];
    for (int k = 0; k < 3; ++k) {
        render(picture, "'7:20,8:20'",
               k == 0   ? "{size = {16, 16}, time = 0.25}"
               : k == 1 ? "{size = {16, 16}, time = 0}"
                        : "{size = {16, 16}, time = 0.25, plant = 'feet'}",
               "16 16 1");
        moved[k] = er_v3_distance(p->picture[0].figure[0].pose[foot].p, model->body[foot].pose.p);
    }
    assert_true(moved[0] > 1e-4 && moved[1] < 1e-6 && moved[2] < 1e-6);
}

// Options that make no sense for what is drawn are errors.
static void options_belong_to_what_is_drawn(void **state)
{
    static const struct {
        const char *option, *what;
        bool still, film;
    } cases[] = {{"fps = 30", "nil", false, true},
                 {"duration = 0.1", "7", false, true},
                 {"amplitude = 3", "nil", false, false},
                 {"amplitude = 3", "7", true, true},
                 {"amplitude = 3", "'7:20'", false, false},
                 {"amplitude = 3", "'sheet'", true, true},
                 {"time = 1", "7", false, false},
                 {"time = 1", "'7:20'", true, false},
                 {"plant = 'feet'", "7", false, false},
                 {"plant = 'feet'", "'7:20'", true, true},
                 {"phase = 1", "nil", false, false},
                 {"phase = 1", "'sheet'", true, true},
                 {"phase = 1", "'7:20'", false, false},
                 {"count = 2", "7", false, false},
                 {"count = 2", "'sheet'", true, true},
                 {"ghosts = true", "nil", false, false},
                 {"ghosts = true", "'7:20'", true, true},
                 {"ghosts = true", "'sheet'", false, false},
                 {"title = 'x'", "nil", false, false},
                 {"title = 'x'", "'sheet'", true, true},
                 {"transparent = true", "'sheet'", true, true},
                 {"theme = 'dark'", "'7:20'", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int moves = 0; moves < 2; ++moves) {
            char options[128], key[32];
            bool page = strcmp(cases[i].what, "'sheet'") == 0;
            snprintf(options, sizeof options, "{size = {%s}%s%s, %s}", page ? "640, 480" : "16, 16",
                     page && strncmp(cases[i].option, "count", 5) != 0 ? ", count = 1" : "",
                     moves && strncmp(cases[i].option, "duration", 8) != 0 ? ", duration = 0.1" : "", cases[i].option);
            snprintf(key, sizeof key, "%.*s", (int)strcspn(cases[i].option, " "), cases[i].option);
            if (moves ? cases[i].film : cases[i].still)
                render(moves ? film : picture, cases[i].what, options, NULL);
            else
                refuse(moves ? film : picture, cases[i].what, options, key);
        }
}

static void films_tell_how_far_they_are(void **state)
{
    ask("(function() local n = 0 model:render('/tmp/eigenrig_lua_told.apng', nil, {size = {16, 16}, fps = 5, duration "
        "= 1, "
        "progress = function(done, all) n = n + 10 * done + all end}) return n end)()",
        true, "175"); // 10 (1 + 2 + 3 + 4 + 5) + 5 times 5
    unlink("/tmp/eigenrig_lua_told.apng");
    refuse("/tmp/a.jpg", "nil", "nil", "/tmp/a.jpg");
    refuse("/tmp/a.mp4", "nil", "{transparent = true}", ".mp4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_views_and_looks_are_taken),
        cmocka_unit_test(modes_are_shown_at_their_amplitude_and_phase),
        cmocka_unit_test(sheets_have_so_many_cells),
        cmocka_unit_test(mixes_are_shown_at_a_time_with_what_stays),
        cmocka_unit_test(options_belong_to_what_is_drawn),
        cmocka_unit_test(films_tell_how_far_they_are),
    };
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
