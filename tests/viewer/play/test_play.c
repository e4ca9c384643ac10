// Scenes in a window that is not there: the clock, keys and mouse, the prompt, files read again, and what is drawn.
#include "playing.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/draw/painter.h"

static void steps_follow_the_clock(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s, SCENE(""), &def);
    static const struct {
        double ticks;
        long steps;
        const char *key;
    } part[] = {{2.5, 2, NULL},  {0.5, 3, NULL}, {1.0, 3, "P"},   {1.0, 4, "N"},      {1.0, 5, "N"},
                {1.0, 7, "P"}, // the step that was shown at once, and its own
                {1.0, 7, "-"},   {1.0, 8, NULL}, {1.0, 9, "="},   {1000.0, 16, NULL}, {1000.0, 17, "T"},
                {0.1, 18, NULL}, {1.0, 18, "-"}, {1.0, 19, NULL}, {2.0, 20, "T"}};
    for (size_t i = 0; i < sizeof part / sizeof *part; ++i) {
        if (part[i].key != NULL) press(p, part[i].key);
        frame(s, p, part[i].ticks * tick);
        if (engine_steps(p->scene) != part[i].steps)
            fail_msg("after part %zu there were %ld steps", i, engine_steps(p->scene));
    }
}

static void type_line(stage *s, player *p, const char *text)
{
    type(p, text);
    frame(s, p, tick);
    press(p, "Enter");
    for (int i = 0; i < 4; ++i)
        frame(s, p, tick);
}

static void lines_run_at_the_prompt(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s, SCENE("scene:on('key_down', function(e) heard = e.key end)"), &def);
    press(p, "Tab");
    for (int i = 0; i < 3; ++i)
        frame(s, p, tick);
    press(p, "P"); // a letter
    type_line(s, p, "1 + 1");
    assert_false(p->paused);
    assert_int_equal(p->line_count, 2);
    assert_string_equal(p->line[0].text, "1 + 1");
    assert_string_equal(p->line[1].text, "2");
    type_line(s, p, "error('no')");
    assert_int_equal(p->line[p->line_count - 1].kind, LINE_WRONG);
    assert_string_equal(ask(p, "heard"), "nil");
    press(p, "Tab");
    frame(s, p, tick);
    press(p, "X");
    frame(s, p, tick);
    assert_string_equal(ask(p, "heard"), "x");
}

static void a_file_that_is_saved_is_read_again(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s, SCENE(""), &def);
    frame(s, p, 5 * tick);
    write_scene(SCENE("scene:actor{name = 'second', sphere = 0.2, at = {0, 3, 0}}"));
    for (double seconds = 0.0; seconds < 0.6; seconds += 0.1)
        frame(s, p, 0.1);
    assert_int_equal(engine_actor_count(p->scene), 2);
    assert_int_equal(p->line[p->line_count - 1].kind, LINE_ANSWER);
    assert_string_equal(p->line[p->line_count - 1].text, "read anew");
    const engine *kept = p->scene;
    write_scene("this is no Lua");
    press(p, "R");
    frame(s, p, tick);
    assert_ptr_equal(p->scene, kept);
    assert_int_equal(p->line[p->line_count - 1].kind, LINE_WRONG);
}

static void what_goes_wrong_is_said_and_the_scene_goes_on(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s,
                              SCENE("scene.background = {picture = '/no/where.png'}\n"
                                    "scene:script(function() error('not so') end):start()"),
                              &def);
    frame(s, p, 3 * tick);
    frame(s, p, tick);
    assert_int_equal(engine_steps(p->scene), 4);
    assert_int_equal(p->line_count, 2);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(p->line[i].kind, LINE_WRONG);
}

// Pushes the ball by keys, at frames of uneven lengths.
static uint64_t play_keys(stage *s, play_window_def *def, bool by_hand)
{
    player *p = begin_playing(
        s, SCENE("scene:on('key_down', function(e) ball:push({0, e.key == 'up' and 900 or -700, 0}) end)"), def);
    for (int i = 0; engine_steps(p->scene) < 40; ++i) {
        if (by_hand && i % 5 == 2) press(p, i % 2 == 0 ? "Up" : "Down");
        frame(s, p, by_hand ? (0.4 + 0.3 * (i % 4)) * tick : tick);
    }
    uint64_t hash = engine_hash(p->scene);
    if (def->record != NULL) assert_int_equal(scene_events_write(s->context, p->record, 0, def->record), ER_OK);
    return hash;
}

static void what_hands_did_happens_again_to_the_bit(void **state)
{
    stage *s = need_stage(state);
    char events[] = "/tmp/eigenrig_events_XXXXXX";
    play_window_def def = play_default_window();
    int file = mkstemp(events);
    assert_true(file >= 0);
    close(file);
    uint64_t plain = play_keys(s, &def, false);
    def.record = events;
    uint64_t hash = play_keys(s, &def, true);
    def.record = NULL;
    def.replay = events;
    assert_true(play_keys(s, &def, false) == hash && hash != plain);
    unlink(events);
}

// @return whether a frame is a draft, by the target that it makes, and how high that is
static bool is_drafted(stage *s, player *p, int *height)
{
    for (int k = 0; k < 2; ++k) {
        draw_target_destroy(p->target[k]);
        p->target[k] = NULL;
    }
    draw_target_bind(s->target);
    assert_int_equal(player_frame(p, 90, 71, 1.0, tick), ER_OK);
    assert_int_not_equal(p->target[0] != NULL, p->target[1] != NULL);
    target_frame(p->target[p->target[1] != NULL], height);
    return p->target[1] != NULL;
}

static void what_moves_is_drafted_in_software(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s, SCENE(""), &def);
    int height;
    if (!painter_is_software(p->painter)) skip();
    p->quiet = 9.0;
    assert_true(is_drafted(s, p, &height));
    assert_int_equal(height, 36);
    p->paused = true;
    assert_false(is_drafted(s, p, &height));
    assert_int_equal(height, 71);
    p->quiet = 0.25; // hands may go on
    assert_true(is_drafted(s, p, &height));
    p->quiet = 0.29;
    assert_false(is_drafted(s, p, &height));
    p->paused = false;
    p->ended = true;
    p->quiet = 9.0;
    assert_false(is_drafted(s, p, &height));
    p->ended = false;
    def.frames = p->frames + 2; // of the last one a picture may be taken
    assert_true(is_drafted(s, p, &height));
    assert_false(is_drafted(s, p, &height));
    assert_int_equal(player_frame(p, 0, 71, 1.0, tick), ER_OK); // no window is left to draw in
}

// The ball's place as it is seen, m along x from the middle: by the mean of its pixels.
static double seen_at(stage *s, player *p)
{
    static uint8_t rgba[4 * WIDTH * HEIGHT];
    draw_camera c = play_renderer_camera(p->scene);
    double sum = 0.0, count = 0.0, unit[2];
    frame(s, p, 1e-6);
    draw_target_read(p->target[0], rgba);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        if (rgba[4 * i] > 100) {
            sum += i % WIDTH + 0.5;
            count += 1.0;
        }
    assert_true(count > 20.0 && draw_camera_project(&c, WIDTH, HEIGHT, er_v3(1, 0, 0), unit));
    return (sum / count - WIDTH / 2) / (unit[0] - WIDTH / 2);
}

static void pictures_lie_between_steps_by_what_is_owed(void **state)
{
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    player *p = begin_playing(s,
                              SCENE("scene.step = 1 scene.ambient = {1, 1, 1} ball.velocity = {1, 0, 0} "
                                    "scene.camera = {eye = {0, 0, 9}, target = {0, 0, 0}}"),
                              &def);
    frame(s, p, 0.6);
    assert_int_equal(engine_steps(p->scene), 0);
    frame(s, p, 0.65); // a second is owed, and a quarter of one more
    assert_int_equal(engine_steps(p->scene), 1);
    p->paused = true;
    p->quiet = 9.0;
    double quarter = seen_at(s, p);
    p->ended = true; // all of the last step
    double whole = seen_at(s, p);
    assert_true(fabs(whole - quarter - 0.75) < 0.1 && quarter > 0.15); // its bright side is seen alone
}

static void the_file_is_looked_at_twice_a_second(void **state)
{
    static const char *const words[] = {"one", "two"};
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    def.words = words;
    def.word_count = 2;
    player *p = begin_playing(s, SCENE("said = arg[1] .. arg[2]"), &def);
    assert_string_equal(ask(p, "said"), "onetwo");
    assert_string_equal(p->title, "ball - eigenrig");
    frame(s, p, 3 * tick);
    p->since_checked = 0.0;
    p->saved += 1; // as if it had been saved since
    frame(s, p, 0.45);
    assert_true(p->line_count == 0);
    long steps = engine_steps(p->scene);
    frame(s, p, 0.06);
    assert_int_equal(p->line_count, 1);
    assert_int_equal(p->ending.steps, steps); // of the scene that was
    assert_true(p->since_checked == 0.0 && engine_steps(p->scene) < steps);
    p->saved -= 1000000000;
    def.frames = 1000; // pictures repeat
    frame(s, p, 0.6);
    assert_int_equal(p->line_count, 1);
    def.frames = 0;
    unlink(scene_path());
    frame(s, p, 0.6);
    assert_int_equal(p->line_count, 1);
}

static void a_record_is_kept_each_second(void **state)
{
    char record[] = "/tmp/eigenrig_record_XXXXXX";
    stage *s = need_stage(state);
    play_window_def def = play_default_window();
    close(mkstemp(record));
    unlink(record);
    def.record = record;
    player *p = begin_playing(s, SCENE("scene:on('key_down', function() end)"), &def);
    press(p, "A");
    frame(s, p, 0.6);
    assert_int_not_equal(access(record, F_OK), 0);
    frame(s, p, 0.5);
    assert_int_equal(access(record, F_OK), 0);
    unlink(record);
    frame(s, p, 1.1); // nothing has been done since
    assert_int_not_equal(access(record, F_OK), 0);
    def.record = "/no/where/record";
    press(p, "A");
    frame(s, p, 1.1);
    assert_int_equal(p->line[p->line_count - 1].kind, LINE_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_the_clock),
        cmocka_unit_test(lines_run_at_the_prompt),
        cmocka_unit_test(a_file_that_is_saved_is_read_again),
        cmocka_unit_test(what_goes_wrong_is_said_and_the_scene_goes_on),
        cmocka_unit_test(what_hands_did_happens_again_to_the_bit),
        cmocka_unit_test(what_moves_is_drafted_in_software),
        cmocka_unit_test(pictures_lie_between_steps_by_what_is_owed),
        cmocka_unit_test(the_file_is_looked_at_twice_a_second),
        cmocka_unit_test(a_record_is_kept_each_second),
    };
    return run_playing(tests, sizeof tests / sizeof *tests);
}
