// A scene as the client of a window.
#include <stdlib.h>

#include "viewer/play/player.h"

static er_result begin(void *user, double scale, const app_host *host)
{
    return player_init(user, scale, host);
}

static void end(void *user)
{
    player_finish(user);
}

static void event(void *user, const gui_event *event)
{
    player_event(user, event);
}

static void focus(void *user, bool focused)
{
    player_focus(user, focused);
}

static er_result frame(void *user, int width, int height, double scale, double seconds)
{
    return player_frame(user, width, height, scale, seconds);
}

static bool is_moving(void *user)
{
    const player *p = user;
    bool types = p->prompts && p->quiet < 1.0; // the gui takes typed letters one by one
    return (!p->paused && !p->ended) || p->single || p->event_count > 0 || types;
}

static bool is_over(void *user)
{
    return ((player *)user)->wants_close;
}

static const char *title(void *user)
{
    return ((player *)user)->title;
}

play_window_def play_default_window(void)
{
    return (play_window_def){.width = 1280, .height = 800};
}

er_result play_window(er_context *context, const play_window_def *def, play_ending *ending)
{
    player *p = calloc(1, sizeof *p);
    if (p == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    p->context = context;
    p->def = def;
    const window_client client = {p, begin, end, event, NULL, focus, frame, is_moving, is_over, title};
    const window_def window = {.width = def->width,
                               .height = def->height,
                               .frames = def->frames,
                               .scripted = def->frames > 0,
                               .screenshot = def->screenshot,
                               .instead = "without a window, eigenrig play --headless makes pictures and films"};
    er_result r = window_run(context, &window, &client);
    if (r == ER_OK && p->record != NULL) r = scene_events_write(context, p->record, 0, def->record);
    scene_events_destroy(p->record);
    *ending = p->ending;
    free(p);
    return r;
}
