// What is said on standard error: plain lines, errors, warnings.
#include <stdarg.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

const char *plain(const char *text)
{
    static char copy[4][4096]; // in turn, so that one line can hold several
    static int turn;
    char *line = copy[turn = (turn + 1) % 4];
    er_text_plain(text, line, sizeof copy[0]);
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
