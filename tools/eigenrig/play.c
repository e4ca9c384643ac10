// `eigenrig play`: a living scene, in the window or without one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_recording.h"
#include "base/platform.h"
#include "tools/eigenrig/cli.h"
#include "viewer/play/play.h"
#include "viewer/render/film.h"
#include "viewer/render/png.h"

enum { USUAL_FRAMES = 600, FILM_FPS = 30 };

typedef struct playing {
    er_context *context;
    const options *o;
    scene_player *play;
    scene_events *replay; // NULL: nothing
    engine_recording *recording;
    play_canvas *canvas; // NULL: nothing is drawn
    film *films[MOST_OUTPUTS];
    er_result failure;
    char failed[1024]; // the first failure of physics
    char wrong[1024];  // the first error of a script
} playing;

static void on_note(void *user, const char *text)
{
    const playing *p = user;
    print_warning(p->o, "%s", text);
}

// The first error is that of the program, after the others.
static void on_wrong(void *user, const char *text)
{
    playing *p = user;
    if (*p->wrong == '\0')
        snprintf(p->wrong, sizeof p->wrong, "%s", text);
    else
        print_warning(p->o, "%s", text);
}

static void on_failure(void *user, er_result result, const char *text)
{
    playing *p = user;
    if (p->failure != ER_OK) return;
    p->failure = result;
    snprintf(p->failed, sizeof p->failed, "%s", text);
}

// ---- Output

static bool is_array(const char *path)
{
    return er_path_ends_in(path, ".npz");
}

// Frames go into one of these: a scene file, or arrays.
static bool is_motion(const char *path)
{
    const project_format *format = project_find_format(path);
    bool humanoid = er_path_ends_in(path, ".vrm") || er_path_ends_in(path, ".vrma"); // a scene has no humanoid map
    return is_array(path) || (format != NULL && format->scene != NULL && !humanoid);
}

static bool is_picture(const char *path)
{
    return !film_is_path(path) && er_path_ends_in(path, ".png");
}

static int check_outputs(const options *o)
{
    const play_options *p = &o->play;
    if (p->headless && p->record != NULL) return fail_usage("play", "--record needs a window; leave out --headless");
    if (p->frames > 0 && p->record != NULL)
        return fail_usage(
            "play", "--record has nothing to record, because --frames ignores keys and mouse; leave one of them out");
    if (p->headless && p->screenshot != NULL)
        return fail_usage("play", "--screenshot needs a window; without one use -o %s", p->screenshot);
    if (!p->headless && p->duration > 0.0)
        return fail_usage("play", "--duration needs --headless; in a window use --frames N");
    if (p->frames > 0 && p->duration > 0.0) return fail_usage("play", "give only one of --frames and --duration");
    if (o->output_count > 0 && !p->headless)
        return fail_usage("play", "-o needs --headless: --headless -o %s", o->output);
    for (int i = 0; i < o->output_count; ++i) {
        if (!is_motion(o->outputs[i]) && !is_picture(o->outputs[i]) && !film_is_path(o->outputs[i]))
            return fail_usage(
                "play",
                "\"%s\" must end in %s for the motion, .npz for arrays, .png for a picture, or .mp4, .webm, "
                ".gif or .apng for a film",
                o->outputs[i], ".glb, .gltf, .fbx, .html or .dae");
        for (int k = 0; k < i; ++k)
            if (same_file(o->outputs[i], o->outputs[k]))
                return fail_usage("play", "\"%s\" would be written twice; give each output its own file",
                                  o->outputs[i]);
    }
    return check_terminal("play", o);
}

static int width_of(const options *o)
{
    return o->play.width > 0 ? o->play.width : 1280;
}

static int height_of(const options *o)
{
    return o->play.height > 0 ? o->play.height : 720;
}

// Warns of a background that cannot be read, and draws the picture without it.
static er_result draw(const playing *p, const uint8_t **rgba)
{
    *rgba = NULL;
    er_result r = play_canvas_draw(p->canvas, 1.0, rgba);
    if (r == ER_OK || *rgba == NULL) return r;
    print_warning(p->o, "%s", er_context_error(p->context));
    return ER_OK;
}

static er_result open_pictures(playing *p)
{
    er_result r = ER_OK;
    const play_options *o = &p->o->play;
    for (int i = 0; i < p->o->output_count && r == ER_OK; ++i) {
        const char *path = p->o->outputs[i];
        bool films = film_is_path(path);
        if (!films && !is_picture(path)) continue;
        if (p->canvas == NULL)
            r = play_canvas_create(p->context, scene_player_scene(p->play), width_of(p->o), height_of(p->o),
                                   &p->canvas);
        const film_def def = {path, width_of(p->o), height_of(p->o), o->fps > 0.0 ? o->fps : FILM_FPS, false};
        if (r == ER_OK && films) r = film_open(p->context, &def, &p->films[i]);
    }
    return r;
}

// Writes the frames of a film that are due after a step; the first shows the beginning.
static er_result film_step(playing *p, long step, double seconds)
{
    double fps = p->o->play.fps > 0.0 ? p->o->play.fps : FILM_FPS;
    long before = step > 0 ? lround(floor((double)(step - 1) * seconds * fps + 1e-6)) : -1;
    long due = lround(floor((double)step * seconds * fps + 1e-6)) - before;
    const uint8_t *rgba = NULL;
    er_result r = ER_OK;
    for (int i = 0; i < p->o->output_count && r == ER_OK; ++i)
        for (long k = 0; k < due && p->films[i] != NULL && r == ER_OK; ++k) {
            if (rgba == NULL) r = draw(p, &rgba);
            if (r == ER_OK) r = film_frame(p->films[i], rgba);
        }
    return r;
}

static er_result close_pictures(playing *p, er_result r)
{
    for (int i = 0; i < p->o->output_count; ++i) {
        er_result closed = p->films[i] != NULL ? film_close(p->films[i], r == ER_OK) : ER_OK;
        if (r == ER_OK) r = closed;
    }
    play_canvas_destroy(p->canvas);
    p->canvas = NULL;
    return r;
}

static er_result write_one(const playing *p, const char *path)
{
    if (is_array(path)) return engine_recording_write_npz(p->context, p->recording, path);
    if (is_motion(path))
        return engine_recording_write(p->context, p->recording, project_find_format(path)->scene,
                                      scene_player_name(p->play), path);
    if (!is_picture(path)) return ER_OK;
    const uint8_t *rgba;
    er_result r = draw(p, &rgba);
    return r == ER_OK ? png_write(p->context, width_of(p->o), height_of(p->o), rgba, path) : r;
}

static const char *what_is_in(const char *path)
{
    return is_array(path)     ? "arrays of all actors"
           : is_motion(path)  ? "the scene, with its motion as a clip"
           : is_picture(path) ? "a picture"
                              : "a film";
}

static er_result write_all(const playing *p)
{
    er_result r = ER_OK;
    for (int i = 0; i < p->o->output_count && r == ER_OK; ++i) {
        r = write_one(p, p->o->outputs[i]);
        if (r == ER_OK && !p->o->quiet) print_note("%s: %s", p->o->outputs[i], what_is_in(p->o->outputs[i]));
    }
    return r;
}

// ---- Without a window

static int frames_of(const playing *p)
{
    const engine_settings *rules = engine_get_settings(scene_player_scene(p->play));
    double seconds = p->o->play.duration > 0.0 ? p->o->play.duration : rules->length;
    if (p->o->play.frames > 0) return p->o->play.frames;
    return seconds > 0.0 ? (int)fmin(ceil(seconds / rules->step - 1e-6), 1e9) : USUAL_FRAMES;
}

static er_result play_frames(playing *p, int frames)
{
    engine *e = scene_player_scene(p->play);
    er_result r = engine_recording_create(e, &p->recording);
    bool keeps = p->o->output_count > 0, lives = true;
    progress bar = progress_begin(p->o, "frames");
    if (r == ER_OK && keeps) r = engine_recording_take(p->recording);
    if (r == ER_OK) r = film_step(p, 0, engine_get_settings(e)->step);
    if (p->replay != NULL) scene_events_post(p->replay, 0, p->play);
    for (int i = 0; i < frames && r == ER_OK && lives && !interrupts_came(); ++i) {
        lives = scene_player_advance(p->play);
        if (p->failure != ER_OK) r = er_fail(p->context, p->failure, "%s", p->failed);
        if (r == ER_OK && keeps && lives) r = engine_recording_take(p->recording);
        if (r == ER_OK && lives) r = film_step(p, i + 1, engine_get_settings(e)->step);
        if (p->replay != NULL) scene_events_post(p->replay, engine_steps(e), p->play);
        scene_player_handle_events(p->play);
        progress_step(&bar, i + 1, frames);
    }
    progress_end(&bar);
    return r;
}

// Reads a block, which more lines can complete.
static bool goes_on(const char *answer)
{
    static const char end[] = "<eof>";
    size_t length = strlen(answer);
    return length >= sizeof end - 1 && strcmp(answer + length - (sizeof end - 1), end) == 0;
}

// Reads lines of the terminal until they end; an empty line ends a block.
static void answer_lines(const playing *p)
{
    enum { MOST = 65536 };
    char *line = NULL, *answer = malloc(MOST), *block = calloc(MOST, 1);
    size_t size = 0;
    bool asks = eri_platform_is_terminal(ERI_INPUT);
    while (answer != NULL && block != NULL) {
        if (asks) {
            fputs(*block == '\0' ? "> " : ">> ", stdout);
            fflush(stdout);
        }
        bool is_last = eri_platform_read_line(&line, &size, '\n', stdin) < 0;
        if (is_last && *block == '\0') break;
        bool is_empty = is_last || strcspn(line, "\r\n") == 0;
        if (is_empty && *block == '\0') continue;
        if (!is_empty) strncat(block, line, MOST - 1 - strlen(block));
        bool ok = scene_player_run(p->play, block, answer, MOST);
        if (!ok && !is_empty && goes_on(answer)) continue;
        if (!ok)
            print_warning(p->o, "%s", answer);
        else if (*answer != '\0')
            puts(answer);
        *block = '\0';
        if (is_last) break;
    }
    free(block);
    free(answer);
    free(line);
}

static void print_ending(const play_ending *e)
{
    print_note("%ld steps, %.4g s, %d actors; state %016llx", e->steps, e->time, e->actors,
               (unsigned long long)e->hash);
}

static er_result play_alone(playing *p)
{
    if (p->o->prompt) answer_lines(p);
    bool plays = !p->o->prompt || p->o->output_count > 0 || p->o->play.frames > 0 || p->o->play.duration > 0.0;
    er_result r = open_pictures(p);
    if (r == ER_OK && plays) r = play_frames(p, frames_of(p));
    if (r == ER_OK) r = write_all(p);
    r = close_pictures(p, r);
    scene_player_finish(p->play);
    play_ending ending = play_ending_of(scene_player_scene(p->play));
    if (r == ER_OK && !p->o->quiet) print_ending(&ending);
    if (r == ER_OK && *p->wrong != '\0') r = er_fail(p->context, ER_ERROR_ARGUMENT, "%s", p->wrong);
    return r;
}

static int play_in_window(er_context *context, const options *o)
{
    play_window_def def = play_default_window();
    const play_options *p = &o->play;
    def.path = o->model;
    def.words = p->words;
    def.word_count = p->word_count;
    def.prompt = o->prompt;
    def.replay = p->replay;
    def.record = p->record;
    def.screenshot = p->screenshot;
    def.frames = p->frames;
    def.open = luaopen_eigenrig;
    if (p->width > 0) {
        def.width = p->width;
        def.height = p->height;
    }
    play_ending ending;
    er_result r = scene_player_check_file(context, def.path);
    if (r == ER_OK && def.replay != NULL) r = scene_player_check_file(context, def.replay);
    if (r == ER_OK) r = play_window(context, &def, &ending);
    if (r == ER_OK && !o->quiet) print_ending(&ending);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}

int run_play(er_context *context, options *o)
{
    playing p = {.context = context, .o = o};
    int status = check_outputs(o);
    if (status != EXIT_DONE) return status;
    er_modal_set_threads(o->threads);
    if (!o->play.headless) return play_in_window(context, o);
    const scene_player_def def = {.path = o->model,
                                  .words = o->play.words,
                                  .word_count = o->play.word_count,
                                  .tell = on_note,
                                  .wrong = on_wrong,
                                  .fail = on_failure,
                                  .user = &p,
                                  .open = luaopen_eigenrig};
    er_result r = o->play.replay != NULL ? scene_events_read(context, o->play.replay, &p.replay) : ER_OK;
    if (r == ER_OK) r = scene_player_open(context, &def, &p.play);
    interrupts_begin();
    if (r == ER_OK) r = play_alone(&p);
    status = r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
    engine_recording_destroy(p.recording);
    scene_player_close(p.play);
    scene_events_destroy(p.replay);
    interrupts_end();
    return status;
}
