// Letters over a scene: how it runs, what was said, the prompt; and lines that come by standard input.
#include "playing.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

// A picture of the frame: over plain blue, since the ball is taken away.
static player *begin(stage *s, play_window_def *def)
{
    *def = play_default_window();
    player *p = begin_playing(s, SCENE("ball:remove()"), def);
    p->paused = true;
    return p;
}

static void style(stage *s, player *p, double seconds)
{
    free(s->rgba);
    s->rgba = calloc(WIDTH * HEIGHT, 4);
    assert_non_null(s->rgba);
    frame(s, p, seconds);
    draw_target_read(s->target, s->rgba);
}

static const uint8_t *at(const stage *s, int x, int y)
{
    return s->rgba + 4 * (y * WIDTH + x);
}

// The box of the pixels in some rows that are bright in red, as letters are and blue is not.
typedef struct written {
    int count, left, right, top, bottom;
    bool red; // far more so than green
} written;

static written find_written(const stage *s, int top, int bottom)
{
    written w = {.left = WIDTH, .right = -1, .top = HEIGHT, .bottom = -1};
    double sum[2] = {0.0, 0.0};
    for (int y = top; y < bottom; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            const uint8_t *c = at(s, x, y);
            if (c[0] < 110) continue;
            ++w.count;
            w.left = x < w.left ? x : w.left;
            w.right = x > w.right ? x : w.right;
            w.top = y < w.top ? y : w.top;
            w.bottom = y > w.bottom ? y : w.bottom;
            sum[0] += c[0];
            sum[1] += c[1];
        }
    w.red = sum[0] > 1.3 * sum[1];
    return w;
}

// A line of letters of 14 points that begins at (12, y).
static written expect_text(const stage *s, const player *p, int y, const char *text)
{
    written w = find_written(s, y, y + 19);
    double wide = gui_text_width(p->gui, 14.0, text);
    assert_in_range(w.left, 12, 15);
    if (fabs(w.right - 12.0 - wide) > 3.0) fail_msg("\"%s\" ends at %d, not %g", text, w.right, 12.0 + wide);
    assert_in_range(w.top, y + 1, y + 7);
    return w;
}

static void how_it_runs_is_written_in_the_corner(void **state)
{
    stage *s = need_stage(state);
    play_window_def def;
    player *p = begin(s, &def);
    engine_view *v = engine_get_view(p->scene);
    style(s, p, 0.02); // of a second 0.1 are taken for each frame
    assert_true(fabs(p->frame_seconds - 0.002) < 1e-12);
    style(s, p, 0.02);
    assert_true(fabs(p->frame_seconds - 0.0038) < 1e-12);
    p->frame_seconds = 0.02;
    style(s, p, 0.02);
    expect_text(s, p, 10, "0.00 s   50 fps   paused");
    p->speed = 0.25;
    style(s, p, 0.02);
    expect_text(s, p, 10, "0.00 s   50 fps   0.25 x   paused");
    v->pace = ENGINE_BY_PICTURE;
    style(s, p, 0.02);
    written w = expect_text(s, p, 10, "0.00 s   50 fps   0.25 x   a step a picture   paused");
    assert_false(w.red);
    p->speed = 1.0;
    v->pace = ENGINE_BY_CLOCK;
    p->ended = true;
    style(s, p, 0.02);
    expect_text(s, p, 10, "0.00 s   50 fps   ended");
    p->ended = p->paused = false;
    p->frame_seconds = 0.5 * tick; // the frames before seemed to be as short
    style(s, p, 1.5 * tick);
    snprintf(p->typed, sizeof p->typed, "%.2f s   %.0f fps   ", engine_time(p->scene), 1.0 / p->frame_seconds);
    expect_text(s, p, 10, "0.02 s   100 fps");
}

static void the_last_six_lines_are_seen_for_eight_seconds(void **state)
{
    static const line_kind kind[7] = {LINE_TYPED, LINE_WRONG, LINE_ANSWER, LINE_WRONG,
                                      LINE_TYPED, LINE_WRONG, LINE_ANSWER};
    stage *s = need_stage(state);
    play_window_def def;
    player *p = begin(s, &def);
    char text[16];
    for (int i = 0; i < 7; ++i) {
        snprintf(text, sizeof text, "%.*s", i + 2, "OOOOOOOOO");
        player_print(p, kind[i], text);
    }
    style(s, p, 0.02);
    double bright[2] = {0.0, 0.0};
    for (int i = 1; i < 7; ++i) { // one more letter in each
        snprintf(text, sizeof text, "%.*s", i + 2, "OOOOOOOOO");
        written w = expect_text(s, p, 32 + 19 * (i - 1), text);
        assert_int_equal(w.red, kind[i] == LINE_WRONG);
        for (int x = 12; x < 24 && kind[i] != LINE_WRONG; ++x)
            bright[kind[i] == LINE_ANSWER] = fmax(bright[kind[i] == LINE_ANSWER], at(s, x, 32 + 19 * (i - 1) + 8)[0]);
    }
    assert_true(bright[0] < bright[1] - 30); // typed words are paler than answers
    assert_int_equal(find_written(s, 32 + 6 * 19, HEIGHT).count, 0);
    p->line[6].age = 0.1;
    style(s, p, 7.95); // after which it has gone
    assert_true(fabs(p->line[1].age - 7.97) < 1e-9);
    assert_true(find_written(s, 32, 32 + 19).count > 0);
    assert_true(find_written(s, 32 + 4 * 19, 32 + 5 * 19).count > 0);
    assert_int_equal(find_written(s, 32 + 5 * 19, HEIGHT).count, 0);
    style(s, p, 0.04);
    assert_int_equal(find_written(s, 32, HEIGHT).count, 0);
}

static void the_last_two_hundred_lines_are_kept(void **state)
{
    play_window_def def;
    player *p = begin(need_stage(state), &def);
    char text[2 * PLAYER_LINE];
    for (int i = 0; i < PLAYER_LINES + 5; ++i) {
        snprintf(text, sizeof text, "line %d", i);
        player_print(p, i % 2 == 0 ? LINE_TYPED : LINE_WRONG, text);
    }
    assert_int_equal(p->line_count, PLAYER_LINES);
    assert_string_equal(p->line[0].text, "line 5");
    assert_string_equal(p->line[PLAYER_LINES - 1].text, "line 204");
    assert_true(p->line[0].kind == LINE_WRONG && p->line[PLAYER_LINES - 1].kind == LINE_TYPED);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    player_print(p, LINE_ANSWER, text);
    assert_int_equal(strlen(p->line[PLAYER_LINES - 1].text), PLAYER_LINE - 1);
}

static void what_was_typed_is_gone_when_it_has_run(void **state)
{
    stage *s = need_stage(state);
    play_window_def def;
    player *p = begin(s, &def);
    press(p, "Tab");
    for (int i = 0; i < 3; ++i)
        frame(s, p, tick);
    for (int i = 0; i < 2; ++i) { // the field has the focus still when the first line has run
        press(p, "Enter");        // of nothing
        for (int k = 0; k < 5; ++k)
            frame(s, p, tick);
        assert_int_equal(p->line_count, 2 * i);
        type(p, i == 0 ? "3 * 4" : "local x = 1");
        frame(s, p, tick);
        press(p, "Enter");
        for (int k = 0; k < 6; ++k)
            frame(s, p, tick);
        assert_string_equal(p->typed, "");
    }
    assert_int_equal(p->line_count, 3); // the second answers nothing
    assert_string_equal(p->line[1].text, "12");
    assert_true(p->line[0].kind == LINE_TYPED && p->line[1].kind == LINE_ANSWER);
    assert_string_equal(p->line[2].text, "local x = 1");
}

// This process reads from a pipe and prints to files meanwhile.
typedef struct terminal {
    int kept[3], in;
    FILE *said[2];
} terminal;

static terminal take_terminal(void)
{
    terminal t;
    int ends[2];
    fflush(stdout);
    for (int k = 0; k < 3; ++k)
        t.kept[k] = dup(k);
    assert_int_equal(pipe(ends), 0);
    for (int k = 0; k < 2; ++k) {
        t.said[k] = tmpfile();
        assert_non_null(t.said[k]);
        dup2(fileno(t.said[k]), k + 1);
    }
    dup2(ends[0], 0);
    close(ends[0]);
    t.in = ends[1];
    return t;
}

static void give_terminal_back(terminal *t, char text[2][512])
{
    fflush(stdout);
    for (int k = 0; k < 3; ++k) {
        dup2(t->kept[k], k);
        close(t->kept[k]);
    }
    for (int k = 0; k < 2; ++k) {
        rewind(t->said[k]);
        text[k][fread(text[k], 1, 511, t->said[k])] = '\0';
        fclose(t->said[k]);
    }
}

static void lines_of_standard_input_run(void **state)
{
    static const char lines[] = "6 * 7\n\nx = 5\nerror('not so', 0)\nx + 1";
    play_window_def def;
    player *p = begin(need_stage(state), &def);
    char said[2][512], longer[PLAYER_LINE + 40];
    terminal t = take_terminal();
    ssize_t wrote = write(t.in, lines, sizeof lines - 1);
    player_read_terminal(p); // nobody has asked for it
    bool waited = p->input_length == 0;
    def.prompt = true;
    player_read_terminal(p);
    bool open = !p->input_ended && p->input_length == 5;
    memset(longer, ' ', sizeof longer);
    longer[0] = '\n';
    memcpy(longer + 1, "y = 8", 5);
    memcpy(longer + sizeof longer - 6, "0 / 0\n", 6); // beyond what a line holds
    wrote += write(t.in, longer, sizeof longer);
    wrote += write(t.in, "y", 1);
    close(t.in);
    player_read_terminal(p); // the last line ends with the input
    bool ended = p->input_ended && p->input_length == 0;
    give_terminal_back(&t, said);
    assert_int_equal(wrote, sizeof lines + sizeof longer);
    assert_true(waited && open && ended);
    assert_string_equal(said[0], "42\n6\n8\n");
    assert_non_null(strstr(said[1], "not so\n"));
    assert_int_equal(p->line_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_it_runs_is_written_in_the_corner),
        cmocka_unit_test(the_last_six_lines_are_seen_for_eight_seconds),
        cmocka_unit_test(the_last_two_hundred_lines_are_kept),
        cmocka_unit_test(what_was_typed_is_gone_when_it_has_run),
        cmocka_unit_test(lines_of_standard_input_run),
    };
    return run_playing(tests, sizeof tests / sizeof *tests);
}
