// `eigenrig play`: a living scene, in the window or without one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/engine/recording.h"
#include "tools/eigenrig/cli.h"

enum { USUAL_FRAMES = 600 };

typedef struct playing {
    er_context *context;
    const options *o;
    script_play *play;
    script_events *replay; // NULL: nothing
    engine_recording *recording;
    int told;
} playing;

static void hear(void *user, const char *text)
{
    playing *p = user;
    p->told++;
    say_warning(p->o, "%s", text);
}

// ---- What is written

static bool is_array(const char *path)
{
    return er_path_ends_in(path, ".npz");
}

// Frames go into this one: a scene file, or arrays.
static bool is_motion(const char *path)
{
    const project_format *format = project_find_format(path);
    return is_array(path) || (format != NULL && project_holds_clips(format));
}

static int check_outputs(const options *o)
{
    const play_options *p = &o->play;
    if (p->frames > 0 && p->duration > 0.0) return fail_usage("play", "--frames and --duration say the same twice");
    if (o->output_count > 0 && !p->headless)
        return fail_usage("play", "-o is written without a window: --headless -o %s", o->output);
    for (int i = 0; i < o->output_count; ++i) {
        if (!is_motion(o->outputs[i]))
            return fail_usage("play", "\"%s\" must end in %s, or .npz for arrays", o->outputs[i],
                              project_format_endings(true));
        for (int k = 0; k < i; ++k)
            if (same_file(o->outputs[i], o->outputs[k]))
                return fail_usage("play", "\"%s\" is to be written twice", o->outputs[i]);
    }
    return check_terminal("play", o);
}

static er_result write_motions(const playing *p)
{
    er_result r = ER_OK;
    for (int i = 0; i < p->o->output_count && r == ER_OK; ++i) {
        const char *path = p->o->outputs[i];
        r = is_array(path) ? engine_recording_write_npz(p->context, p->recording, path)
                           : engine_recording_write(p->context, p->recording, project_find_format(path)->scene,
                                                    script_play_name(p->play), path);
        if (r == ER_OK && !p->o->quiet)
            say("%s: %s", path, is_array(path) ? "arrays of all actors" : "the scene, with its motion as a clip");
    }
    return r;
}

// ---- Without a window

static int frames_of(const playing *p)
{
    const engine_rules *rules = engine_rules_of(script_play_scene(p->play));
    double seconds = p->o->play.duration > 0.0 ? p->o->play.duration : rules->length;
    if (p->o->play.frames > 0) return p->o->play.frames;
    return seconds > 0.0 ? (int)fmin(ceil(seconds / rules->step - 1e-6), 1e9) : USUAL_FRAMES;
}

static er_result play_frames(playing *p, int frames)
{
    engine *e = script_play_scene(p->play);
    er_result r = engine_recording_create(e, &p->recording);
    bool keeps = p->o->output_count > 0, lives = true;
    progress bar = progress_begin(p->o, "frames");
    if (r == ER_OK && keeps) r = engine_recording_take(p->recording);
    for (int i = 0; i < frames && r == ER_OK && lives && !stops_came(); ++i) {
        lives = script_play_advance(p->play);
        if (keeps && lives) r = engine_recording_take(p->recording);
        if (p->replay != NULL) script_events_post(p->replay, engine_steps(e), p->play);
        script_play_events(p->play);
        progress_step(&bar, i + 1, frames);
    }
    progress_end(&bar);
    return r;
}

// Lines of the terminal, until they end.
static void answer_lines(const playing *p)
{
    char *line = NULL, *answer = malloc(65536);
    size_t size = 0;
    bool asks = isatty(STDIN_FILENO);
    while (answer != NULL) {
        if (asks) {
            fputs("> ", stdout);
            fflush(stdout);
        }
        if (getline(&line, &size, stdin) < 0) break;
        line[strcspn(line, "\r\n")] = '\0';
        if (*line == '\0') continue;
        bool ok = script_play_run(p->play, line, answer, 65536);
        if (!ok)
            say_warning(p->o, "%s", answer);
        else if (*answer != '\0')
            puts(answer);
    }
    free(answer);
    free(line);
}

static er_result play_alone(playing *p)
{
    if (p->o->prompt) answer_lines(p);
    bool plays = !p->o->prompt || p->o->output_count > 0 || p->o->play.frames > 0 || p->o->play.duration > 0.0;
    er_result r = plays ? play_frames(p, frames_of(p)) : ER_OK;
    if (r == ER_OK) r = write_motions(p);
    engine *e = script_play_scene(p->play);
    if (r == ER_OK && !p->o->quiet)
        say("%ld steps, %.4g s, %d actors; state %016llx", engine_steps(e), engine_time(e), engine_actor_count(e),
            (unsigned long long)engine_hash(e));
    return r;
}

int run_play(er_context *context, options *o)
{
    playing p = {.context = context, .o = o};
    int status = check_outputs(o);
    if (status != EXIT_DONE) return status;
    const script_play_def def = {.path = o->model,
                                 .words = o->play.words,
                                 .word_count = o->play.word_count,
                                 .tell = hear,
                                 .user = &p,
                                 .open = luaopen_eigenrig};
    er_result r = o->play.replay != NULL ? script_events_read(context, o->play.replay, &p.replay) : ER_OK;
    if (r == ER_OK) r = script_play_open(context, &def, &p.play);
    stops_begin();
    if (r == ER_OK) r = play_alone(&p);
    status = r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
    engine_recording_destroy(p.recording);
    script_play_close(p.play);
    script_events_destroy(p.replay);
    stops_end();
    return status;
}
