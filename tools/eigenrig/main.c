// The program: its table of commands, messages, progress, and exit codes.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tools/eigenrig/cli.h"

const command commands[] = {
    {"info", "the rig that is understood in a model: bodies, joints, masses, units, warnings",
     "MODEL [--json] [-o RIG.json]", "wrjo", "eigenrig info horse.glb", run_info},
    {"modes", "the natural modes: a table, and the palette file", "MODEL [-o PALETTE.json]", "wrmo",
     "eigenrig modes horse.glb --count 20", run_modes},
    {"palette", "the model with one looping clip per elastic mode", "MODEL -o OUT.glb", "wrmpo",
     "eigenrig palette horse.glb -o horse_palette.glb", run_palette},
    {"animate", "mixes of modes as clips and curves, in the format that OUT ends in",
     "MODEL --mix MIX [--mix MIX] -o OUT", "wrmafo", "eigenrig animate horse.glb --mix 7:15,9:8+90 -o trot.glb",
     run_animate},
    {"render", "pictures, contact sheets and films, without a window",
     "MODEL [--mode K | --mix MIX | --gait NAME | --sheet] -o OUT", "wrdfo",
     "eigenrig render horse.glb --sheet --count 12 -o horse_palette.png", run_render},
    {"view", "the window: modes watched, mixed, tuned and exported", "[MODEL]", "wrv", "eigenrig view horse.glb",
     run_view},
    {"gait", "the gaits that a rig finds in its own modes, feet held: a table, clips, mixes, footfalls",
     "MODEL [-o OUT.glb]", "wrmgfo", "eigenrig gait horse.glb -o horse_gaits.glb", run_gait},
    {"run", "a Lua script with the module eigenrig, or a prompt", "SCRIPT.lua [ARGUMENT...]", "s",
     "eigenrig run table.lua horse.glb", run_script},
    {"batch", "palettes of many models, with a manifest", "INPUT... -o DIR", "wrmpB",
     "eigenrig batch characters --write json,glb -o palettes", run_batch},
    {"bench", "what modes, poses, pictures and folders take in time and memory, on rigs made for it",
     "[modes|batch|motion|view|folder] [-o FILE.csv]", "bo",
     "eigenrig bench modes --rigs character --sizes 60 --routes qr,dsyevd -o bench.csv", run_bench},
};
const int command_count = (int)(sizeof commands / sizeof commands[0]);

const char *plain(const char *text)
{
    static char copy[4][4096]; // in turn, so that one line can hold several
    static int turn;
    char *line = copy[turn = (turn + 1) % 4];
    snprintf(line, sizeof copy[0], "%s", text);
    for (char *c = line; *c != '\0'; ++c)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
    return line;
}

void say(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "eigenrig: %s\n", plain(text));
}

int fail_work(er_context *context, er_result r, const char *file)
{
    const char *message = er_context_error(context);
    // Messages about a file begin with its path; the others get it here.
    bool named = file == NULL || r == ER_ERROR_FILE || strncmp(message, file, strlen(file)) == 0;
    say("error: %s%s%s", named ? "" : file, named ? "" : ": ", *message != '\0' ? message : er_result_name(r));
    return EXIT_WORK;
}

int fail_usage(const char *name, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say("error: %s; see eigenrig %s%s--help", text, name, *name != '\0' ? " " : "");
    return EXIT_USAGE;
}

void say_warning(const options *o, const char *format, ...)
{
    static bool named; // the model is, by the first of them
    if (o->quiet && o->heard == NULL) return;
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (o->heard != NULL)
        o->heard(o->hearer, plain(text));
    else if (named)
        say("warning: %s", text);
    else
        say("warning: %s: %s", strcmp(o->model, "-") == 0 ? "standard input" : o->model, text);
    named = true;
}

static void hear(void *user, er_note_kind kind, const char *text)
{
    const options *o = user;
    if (kind == ER_NOTE_WARNING)
        say_warning(o, "%s", text);
    else if (o->verbose && !o->quiet)
        say("%s", text);
}

project_listener listener_of(const options *o)
{
    return (project_listener){hear, (void *)(uintptr_t)o};
}

progress progress_begin(const options *o, const char *what)
{
    bool wanted =
        !o->quiet && (o->progress == PROGRESS_ALWAYS || (o->progress == PROGRESS_AUTO && isatty(STDERR_FILENO)));
    progress p = {.what = what, .wanted = wanted, .start = er_seconds()};
    return p;
}

void progress_step(progress *p, int done, int all)
{
    double t = er_seconds();
    if (!p->wanted || t - p->start < 1.0 || t - p->last < 0.1) return;
    double rate = done / (t - p->start);
    fprintf(stderr, "\r%s  %d of %d  %.1f/s  %.0f s left \033[K", p->what, done, all, rate,
            rate > 0.0 ? (all - done) / rate : 0.0);
    p->shown = true;
    p->last = t;
}

void progress_end(progress *p)
{
    if (p->shown) fprintf(stderr, "\r\033[K");
}

static int fail_command(const char *word)
{
    suggestion meant = {.word = word};
    for (int i = 0; i < command_count; ++i)
        suggestion_try(&meant, commands[i].name);
    if (meant.best == NULL) return fail_usage("", "there is no command \"%s\"", word);
    return fail_usage("", "there is no command \"%s\"; did you mean %s", word, meant.best);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_program_help(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0) {
        printf("eigenrig %s\n", er_version());
        return EXIT_DONE;
    }
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "help") == 0) {
        print_program_help(stdout);
        return EXIT_DONE;
    }
    const command *found = NULL;
    for (int i = 0; i < command_count; ++i)
        if (strcmp(commands[i].name, word) == 0) found = &commands[i];
    if (found == NULL && word[0] == '-') return fail_usage("", "option \"%s\" is not known", word);
    if (found == NULL && access(word, F_OK) == 0)
        return fail_usage("", "there is no command \"%s\"; did you mean eigenrig info %s", word, word);
    if (found == NULL) return fail_command(word);

    er_context *context = NULL;
    options o = {0};
    if (er_context_create(NULL, &context) != ER_OK) {
        fprintf(stderr, "eigenrig: error: out of memory\n");
        return EXIT_WORK;
    }
    int status = parse_options(found, argc - 1, argv + 1, context, &o);
    o.words = argv;
    o.word_count = argc;
    if (status == EXIT_DONE) {
        status = found->run(context, &o);
        if (fflush(stdout) != 0 || ferror(stdout)) {
            fprintf(stderr, "eigenrig: error: standard output cannot be written\n");
            status = EXIT_WORK;
        }
    }
    er_context_destroy(context);
    free(o.said);
    return status < 0 ? EXIT_DONE : status;
}
