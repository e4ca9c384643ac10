// Messages on standard error: plain lines, errors, warnings.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

const char *plain(const char *text)
{
    static char copy[4][4096]; // used in turn, so that one line can hold several
    static int turn;
    char *line = copy[turn = (turn + 1) % 4];
    er_text_plain(text, line, sizeof copy[0]);
    return line;
}

// How messages are written.
static struct {
    const char *name; // of the command
    bool json;
    int warnings; // printed so far
    eri_said said;
} log_of = {.name = ""};

void messages_begin(const char *name, bool json)
{
    log_of.name = name;
    log_of.json = json;
}

bool messages_are_json(void)
{
    return log_of.json;
}

// ---- objects, one a line

// A line under construction, written in one piece.
typedef struct line {
    char *text;
    size_t size;
    FILE *out; // NULL: without memory
} line;

// A member whose text is UTF-8, unchanged; nothing without a text.
static void put_exact(const line *l, const char *key, const char *text)
{
    if (text == NULL || l->out == NULL) return;
    fprintf(l->out, ", \"%s\": \"", key);
    for (const char *c = text; *c != '\0'; ++c)
        fprintf(l->out, (unsigned char)*c < 0x20 ? "\\u%04x" : strchr("\"\\", *c) != NULL ? "\\%c" : "%c", *c);
    fputc('"', l->out);
}

static void put_text(const line *l, const char *key, const char *text)
{
    if (text != NULL) put_exact(l, key, plain(text));
}

static void begin_object(line *l, const char *kind)
{
    l->out = eri_platform_text_stream(&l->text, &l->size);
    if (l->out == NULL) return;
    fprintf(l->out, "{\"kind\": \"%s\"", kind);
    put_text(l, "command", *log_of.name != '\0' ? log_of.name : NULL);
}

static void end_object(line *l)
{
    if (l->out == NULL) return;
    fputs("}\n", l->out);
    fclose(l->out);
    if (l->text != NULL) fputs(l->text, stderr);
    free(l->text);
}

// ---- messages

typedef struct message {
    const char *kind, *word; // for programs; the beginning of a line for people
    const char *file;        // NULL: the text names it, or there is none
    const char *code;        // of an error
    int exit;                // likewise, the status
} message;

static void write_message(const message *m, const char *text)
{
    if (!log_of.json) {
        fprintf(stderr, "eigenrig: %s%s%s%s\n", m->word, m->file != NULL ? plain(m->file) : "",
                m->file != NULL ? ": " : "", plain(text));
        return;
    }
    line l = {0};
    begin_object(&l, m->kind);
    put_text(&l, "file", m->file);
    put_text(&l, "code", m->code);
    if (l.out != NULL && m->exit != EXIT_DONE) fprintf(l.out, ", \"exit\": %d", m->exit);
    put_text(&l, "message", text);
    end_object(&l);
}

void print_note(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_message(&(message){.kind = "note", .word = ""}, text);
}

// "ER_ERROR_NOT_POSDEF" is "not_posdef" to programs.
static const char *code_of(er_result r, char code[32])
{
    static const char prefix[] = "ER_ERROR_";
    const char *name = er_result_name(r);
    size_t i = 0;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
    for (; name[i] != '\0' && i < 31; ++i)
        code[i] = eri_lower(name[i]);
    code[i] = '\0';
    return code;
}

int fail_work(er_context *context, er_result r, const char *file)
{
    return fail_with(EXIT_WORK, context, r, file);
}

int fail_with(int status, er_context *context, er_result r, const char *file)
{
    char code[32];
    const char *text = er_context_error(context);
    size_t length = file != NULL ? strlen(file) : 0;
    if (*text == '\0') text = er_result_name(r);
    // Messages about a file begin with its path. The path is not repeated for them, and is added to others.
    bool begins = file != NULL && strncmp(text, file, length) == 0;
    if (begins && strncmp(text + length, ": ", 2) == 0)
        text += length + 2;
    else if (begins || r == ER_ERROR_FILE)
        file = NULL;
    write_message(&(message){"error", "error: ", file, code_of(r, code), status}, text);
    return status;
}

int fail_usage(const char *name, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "; see eigenrig %s%s--help", name, *name != '\0' ? " " : "");
    write_message(&(message){"error", "error: ", NULL, "usage", EXIT_USAGE}, text);
    return EXIT_USAGE;
}

void print_warning(const options *o, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (o->on_warning != NULL)
        o->on_warning(o->warning_user, plain(text));
    else if (!eri_said_before(&log_of.said, text))
        print_each_warning(o, text);
}

void print_each_warning(const options *o, const char *text)
{
    if (o->quiet && !o->strict) return;
    const char *model = o->model != NULL && strcmp(o->model, "-") == 0 ? "standard input" : o->model;
    bool named = log_of.warnings++ > 0 && !log_of.json; // the first warning names the model
    write_message(&(message){.kind = "warning", .word = "warning: ", .file = named ? NULL : model}, text);
}

int strict_status(const options *o, int status)
{
    if (status != EXIT_DONE || !o->strict || log_of.warnings == 0) return status;
    char text[80];
    snprintf(text, sizeof text, "%d warning%s, and --strict takes warnings as errors", log_of.warnings,
             log_of.warnings > 1 ? "s" : "");
    write_message(&(message){"error", "error: ", o->model, "strict", EXIT_WORK}, text);
    return EXIT_WORK;
}

static void write_model_message(const batch_result *result)
{
    line l = {0};
    begin_object(&l, "model");
    put_exact(&l, "input", result->input); // as in the manifest
    put_text(&l, "status", result->reason == NULL ? "done" : "failed");
    put_text(&l, "reason", result->reason);
    put_text(&l, "error", result->error);
    if (l.out != NULL)
        fprintf(l.out, ", \"warnings\": %d, \"seconds\": %.3f, \"ended\": %d, \"of\": %d", result->warning_count,
                result->seconds, result->ended, result->all);
    end_object(&l);
}

void print_model_result(const batch_result *result)
{
    char figures[96] = "";
    if (log_of.json) {
        write_model_message(result);
        return;
    }
    if (result->reason != NULL) {
        print_note("%d of %d: %s: failed, %s: %s", result->ended, result->all, result->input, result->reason,
                   result->error);
        return;
    }
    int length = snprintf(figures, sizeof figures, "%d %s", result->bodies, eri_bodies(result->bodies));
    if (result->lowest_hz > 0.0)
        length += snprintf(figures + length, sizeof figures - (size_t)length, ", lowest %.4g Hz", result->lowest_hz);
    if (result->warning_count > 0)
        snprintf(figures + length, sizeof figures - (size_t)length, ", %d warning%s", result->warning_count,
                 result->warning_count > 1 ? "s" : "");
    print_note("%d of %d: %s: done in %.2g s, %s", result->ended, result->all, result->input, result->seconds, figures);
}

void print_model_failure(const batch_result *result)
{
    if (log_of.json) {
        write_model_message(result);
        return;
    }
    char text[4096];
    snprintf(text, sizeof text, "failed, %s: %s", result->reason, result->error);
    write_message(&(message){.kind = "error", .word = "error: ", .file = result->input}, text);
}

bool shows_results(const options *o, bool written)
{
    return !(o->quiet && written);
}

static void on_note(void *user, er_note_kind kind, const char *text)
{
    const options *o = user;
    if (kind == ER_NOTE_WARNING)
        print_warning(o, "%s", text);
    else if (o->verbose && !o->quiet)
        print_note("%s", text);
}

project_listener listener_of(const options *o)
{
    return (project_listener){on_note, (void *)(uintptr_t)o};
}
