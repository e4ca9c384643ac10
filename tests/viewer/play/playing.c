// The scene's file, the player upon it, and its hands.
#include "playing.h"

#include <stdio.h>
#include <unistd.h>

#include "viewer/window/keys.h"

static char path[] = "/tmp/eigenrig_play_XXXXXX";

const char *scene_path(void)
{
    return path;
}

static player *played;

static void end_playing(void)
{
    if (played == NULL) return;
    scene_events_destroy(played->record);
    player_finish(played);
    free(played);
    played = NULL;
}

static int end_group(void **state)
{
    end_playing();
    return stage_end(state);
}

int run_playing(const struct CMUnitTest *tests, size_t count)
{
    int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    int failed = _cmocka_run_group_tests("play", tests, count, stage_begin, end_group);
    unlink(path);
    return failed;
}

void write_scene(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

player *begin_playing(stage *s, const char *text, play_window_def *def)
{
    end_playing();
    write_scene(text);
    def->path = path;
    player *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->context = s->context;
    p->def = def;
    assert_int_equal(draw_target_resize(s->target, WIDTH, HEIGHT), ER_OK);
    played = p;
    if (player_init(p, 1.0, &(app_host){0}) != ER_OK) fail_msg("%s", er_context_error(s->context));
    return p;
}

void frame(stage *s, player *p, double seconds)
{
    draw_target_bind(s->target);
    if (player_frame(p, WIDTH, HEIGHT, 1.0, seconds) != ER_OK) fail_msg("%s", er_context_error(s->context));
}

void press(player *p, const char *name)
{
    int key, modifiers;
    assert_true(key_read(name, &key, &modifiers));
    for (int down = 1; down >= 0; --down)
        player_event(p, &(gui_event){.kind = GUI_KEY, .key = key, .modifiers = modifiers, .down = down == 1});
}

void press_control(player *p, bool down)
{
    enum { LEFT_CONTROL = 341 }; // as GLFW numbers it
    int modifiers = down ? GUI_CONTROL : 0;
    player_event(p, &(gui_event){.kind = GUI_KEY, .key = LEFT_CONTROL, .modifiers = modifiers, .down = down});
}

void move(player *p, double x, double y)
{
    player_event(p, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = x, .y = y});
}

void press_button(player *p, int button, int modifiers, bool down)
{
    player_event(p, &(gui_event){.kind = GUI_MOUSE_BUTTON, .button = button, .modifiers = modifiers, .down = down});
}

void type(player *p, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c)
        player_event(p, &(gui_event){.kind = GUI_CHARACTER, .character = (unsigned char)*c});
}

const char *ask(player *p, const char *line)
{
    static char answer[256];
    if (!scene_player_run(p->play, line, answer, sizeof answer)) fail_msg("%s: %s", line, answer);
    return answer;
}
