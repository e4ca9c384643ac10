// Runs a scene: reads and reloads its file, steps by the clock, draws frames.
#include "viewer/play/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

static void tell(void *user, const char *text)
{
    player_print(user, LINE_WRONG, text);
}

static void tell_failure(void *user, er_result result, const char *text)
{
    (void)result;
    player_print(user, LINE_WRONG, text);
}

// ---- the file

static er_result open_scene(player *p, scene_player **out)
{
    const scene_player_def def = {.path = p->def->path,
                                  .words = p->def->words,
                                  .word_count = p->def->word_count,
                                  .tell = tell,
                                  .wrong = tell,
                                  .fail = tell_failure,
                                  .user = p,
                                  .open = p->def->open};
    eri_file_info file = {0};
    if (eri_platform_stat(p->def->path, &file) == 0) p->saved = file.changed;
    return scene_player_open(p->context, &def, out);
}

static void leave_scene(player *p)
{
    play_renderer_destroy(p->renderer);
    p->renderer = NULL;
    if (p->play == NULL) return;
    scene_player_finish(p->play);
    p->ending = play_ending_of(p->scene);
    scene_player_close(p->play);
}

static er_result take_scene(player *p, scene_player *play)
{
    leave_scene(p);
    p->play = play;
    p->scene = scene_player_scene(play);
    p->time_debt = 0.0;
    p->ended = false;
    p->posted_count = 0;
    snprintf(p->title, sizeof p->title, "%s - eigenrig", scene_player_name(play));
    return play_renderer_create(p->context, p->painter, p->scene, &p->renderer);
}

// Begins the recording again, since steps do.
static er_result restart_record(player *p)
{
    if (p->record == NULL) return ER_OK;
    scene_events_destroy(p->record);
    p->record = NULL;
    p->saved_count = 0;
    return scene_events_create(p->context, &p->record);
}

// Reads the file again; if that fails, the old scene goes on.
static void reload(player *p)
{
    scene_player *play = NULL;
    er_result r = open_scene(p, &play);
    if (r == ER_OK) r = take_scene(p, play);
    if (r == ER_OK) r = restart_record(p);
    player_print(p, r == ER_OK ? LINE_ANSWER : LINE_WRONG, r == ER_OK ? "read anew" : er_context_error(p->context));
}

// Whether the file was saved since it was read.
static bool was_saved(player *p, double seconds)
{
    eri_file_info file;
    p->since_checked += seconds;
    if (p->def->frames > 0 || p->since_checked < 0.5) return false;
    p->since_checked = 0.0;
    if (eri_platform_stat(p->def->path, &file) != 0) return false;
    return file.changed != p->saved;
}

// ---- life

static er_result read_events(player *p)
{
    er_result r = ER_OK;
    if (p->def->replay != NULL) r = scene_events_read(p->context, p->def->replay, &p->replay);
    if (r == ER_OK && p->def->record != NULL) r = scene_events_create(p->context, &p->record);
    return r;
}

er_result player_init(player *p, double scale, const app_host *host)
{
    scene_player *play = NULL;
    p->speed = 1.0;
    p->scale = scale;
    p->gui = gui_create(scale, true);
    if (p->gui == NULL) return er_fail(p->context, ER_ERROR_MEMORY, "the graphics card has no room for the window");
    gui_set_clipboard(p->gui, host->get_clipboard, host->set_clipboard, host->user);
    er_result r = painter_create(p->context, &p->painter);
    if (r == ER_OK) r = read_events(p);
    if (r == ER_OK) r = open_scene(p, &play);
    return r == ER_OK ? take_scene(p, play) : r;
}

play_ending play_ending_of(const engine *scene)
{
    return (play_ending){engine_steps(scene), engine_time(scene), engine_actor_count(scene), engine_hash(scene)};
}

void player_finish(player *p)
{
    scene_events_destroy(p->replay);
    leave_scene(p);
    for (int draft = 0; draft < 2; ++draft)
        draw_target_destroy(p->target[draft]);
    painter_destroy(p->painter);
    gui_destroy(p->gui);
}

// ---- time

// Sends events after the step. A replay sends them after the same step.
static void send_events(player *p)
{
    long step = engine_steps(p->scene);
    for (int i = 0; i < p->posted_count; ++i) {
        if (p->replay == NULL) scene_player_post(p->play, &p->posted[i]);
        if (p->record != NULL && scene_events_add(p->record, step, &p->posted[i]) != ER_OK)
            player_print(p, LINE_WRONG, er_context_error(p->context));
    }
    p->posted_count = 0;
    if (p->replay != NULL) scene_events_post(p->replay, step, p->play);
    scene_player_handle_events(p->play);
}

// Saves each second, so that little is lost if the program crashes.
static void save_record(player *p, double seconds)
{
    p->since_saved += seconds;
    if (p->record == NULL || p->since_saved < 1.0) return;
    p->since_saved = 0.0;
    int count = scene_events_count(p->record);
    if (count == p->saved_count) return;
    if (scene_events_write(p->context, p->record, p->saved_count, p->def->record) != ER_OK)
        player_print(p, LINE_WRONG, er_context_error(p->context));
    p->saved_count = count;
}

static void step(player *p)
{
    p->ended = !scene_player_advance(p->play);
    send_events(p);
}

// Takes the steps that are due by the clock, or one a picture. A slow machine skips time.
static void advance(player *p, double seconds)
{
    double length = engine_get_settings(p->scene)->step;
    bool clock = engine_get_view(p->scene)->pace == ENGINE_BY_CLOCK;
    if (p->paused || p->ended) {
        if (p->single && !p->ended) step(p);
        if (p->single) p->time_debt = length; // shown at once, subtracted by the next step
        p->single = false;
        return;
    }
    p->time_debt += clock ? fmin(p->speed * seconds, 0.1 + length) : p->speed * length;
    for (; p->time_debt >= length * (1.0 - 1e-9) && !p->ended; p->time_debt -= length)
        step(p);
}

// ---- frames

// If the processor draws, moving pictures are drafts of half the size. Pictures at rest and screenshots are not.
static bool is_drafted(const player *p)
{
    bool moves = (!p->paused && !p->ended) || p->quiet < 0.3;
    return painter_is_software(p->painter) && moves && !(p->def->frames > 0 && p->frames >= p->def->frames);
}

static er_result make_target(player *p, bool draft, int width, int height)
{
    draw_target **t = &p->target[draft];
    return *t == NULL ? draw_target_create(p->painter, width, height, draft ? 1 : 4, t)
                      : draw_target_resize(*t, width, height);
}

// @param target  set: the target that was drawn
static er_result draw_scene(player *p, draw_target **target)
{
    bool draft = is_drafted(p);
    int width = draft ? (p->width + 1) / 2 : p->width, height = draft ? (p->height + 1) / 2 : p->height;
    er_result r = make_target(p, draft, width, height);
    if (r != ER_OK) return r;
    *target = p->target[draft];
    double between = fmin(fmax(p->time_debt / engine_get_settings(p->scene)->step, 0.0), 1.0);
    r = play_renderer_draw(p->renderer, p->ended ? 1.0 : between, *target, width, height, draft);
    if (r != ER_ERROR_FILE && r != ER_ERROR_FORMAT) return r;
    player_print(p, LINE_WRONG, er_context_error(p->context));
    return ER_OK;
}

er_result player_frame(player *p, int width, int height, double scale, double seconds)
{
    ++p->frames;
    p->scale = scale;
    p->width = width;
    p->height = height;
    p->click_age += seconds;
    p->quiet += seconds;
    p->frame_seconds += 0.1 * (seconds - p->frame_seconds);
    gui_set_scale(p->gui, scale);
    player_handle_events(p);
    player_read_terminal(p);
    if (was_saved(p, seconds) || p->reloads) reload(p);
    p->reloads = false;
    advance(p, seconds);
    save_record(p, seconds);
    if (width <= 0 || height <= 0) return ER_OK;
    draw_target *target;
    er_result r = draw_scene(p, &target);
    if (r != ER_OK) return r;
    gui_begin(p->gui, width, height, seconds);
    gui_draw_image(p->gui, draw_target_texture(target), 0.0, 0.0, width / scale, height / scale);
    player_write(p, seconds);
    gui_end(p->gui);
    gui_paint(p->gui);
    return ER_OK;
}
