// Messages on standard error: errors of the library, warnings, results of many models.
#include <stdarg.h>
#include <string.h>

#include "base/failure.h"
#include "tools/eigenrig/cli.h"

static int warnings; // printed so far
static eri_said said;

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

// ---- files that the command line names

enum { MOST_FILES = 256 };

// A path given on the command line. Messages of the library about a file begin with its path.
typedef struct named_file {
    const char *path;
    bool written;
} named_file;

static named_file known[MOST_FILES];
static int known_count;

void name_file(const char *path, bool written)
{
    if (known_count < MOST_FILES && *path != '\0') known[known_count++] = (named_file){path, written};
}

// The file that a message begins with: one that was named, or one below a folder that was.
// @param length  of its path in the text, written
static const named_file *find_file(const char *text, size_t *length)
{
    const named_file *found = NULL;
    *length = 0;
    for (int i = 0; i < known_count; ++i) {
        size_t own = strlen(known[i].path);
        if (own <= *length || strncmp(text, known[i].path, own) != 0) continue;
        const char *end = text[own] == '/' ? strstr(text + own, ": ") : text + own;
        if (end == NULL || strncmp(end, ": ", 2) != 0) continue;
        *length = (size_t)(end - text);
        found = &known[i];
    }
    return found;
}

int fail_work(er_context *context, er_result r, const char *file)
{
    return fail_with(EXIT_WORK, context, r, file);
}

// Splits a message about a file into its path and the rest.
// @param own  memory for a path   @return where the rest begins; *file may become NULL
static const char *take_file(const char *text, er_result r, const char **file, char own[ER_FILE_NAME_MAX],
                             bool *written)
{
    size_t given = *file != NULL ? strlen(*file) : 0, length;
    const char *place = strstr(text, ": "); // a script's name and line
    const named_file *found = find_file(text, &length);
    bool begins = *file != NULL && strncmp(text, *file, given) == 0, here = found != NULL;
    if (!here && place != NULL && messages_are_json() && *file == NULL) found = find_file(place + 2, &length);
    *written = found != NULL && found->written;
    if (found != NULL) {
        snprintf(own, ER_FILE_NAME_MAX, "%.*s", (int)length, here ? text : place + 2);
        *file = own;
        return here ? text + length + 2 : text;
    }
    if (begins && strncmp(text + given, ": ", 2) == 0) return text + given + 2;
    if (begins || r == ER_ERROR_FILE) *file = NULL;
    return text;
}

int fail_with(int status, er_context *context, er_result r, const char *file)
{
    char code[32], own[ER_FILE_NAME_MAX];
    const char *text = er_context_error(context);
    bool written;
    if (*text == '\0') text = eri_result_text(r);
    text = take_file(text, r, &file, own, &written);
    const char *word = written && r == ER_ERROR_FILE ? "write" : code_of(r, code);
    write_message(&(message){"error", "error: ", file, word, status}, text);
    return status;
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
    else if (!eri_said_before(&said, text))
        print_each_warning(o, text);
}

void print_each_warning(const options *o, const char *text)
{
    if (o->quiet && !o->strict) return;
    const char *model = o->model != NULL && strcmp(o->model, "-") == 0 ? "standard input" : o->model;
    bool named = warnings++ > 0 && !messages_are_json(); // the first warning names the model
    write_message(&(message){.kind = "warning", .word = "warning: ", .file = named ? NULL : model}, text);
}

int strict_status(const options *o, int status)
{
    if (status != EXIT_DONE || !o->strict || warnings == 0) return status;
    char text[80];
    snprintf(text, sizeof text, "%d warning%s, and --strict takes warnings as errors", warnings,
             warnings > 1 ? "s" : "");
    write_message(&(message){"error", "error: ", o->model, "strict", EXIT_WORK}, text);
    return EXIT_WORK;
}

static void write_model_message(const batch_result *result, bool warns)
{
    for (int i = 0; i < result->warning_count && warns; ++i)
        write_message(&(message){.kind = "warning", .word = "", .file = result->input}, result->warning[i]);
    message_line l = {0};
    message_line_begin(&l, "model");
    message_put_exact(&l, "input", result->input); // as in the manifest
    message_put(&l, "status", result->reason == NULL ? "done" : "failed");
    message_put(&l, "reason", result->reason);
    message_put(&l, "error", result->error);
    if (l.out != NULL)
        fprintf(l.out, ", \"warnings\": %d, \"seconds\": %.3f, \"ended\": %d, \"of\": %d", result->warning_count,
                result->seconds, result->ended, result->all);
    message_line_end(&l);
}

void print_model_result(const batch_result *result)
{
    char figures[96] = "";
    if (messages_are_json()) {
        write_model_message(result, true);
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
    if (messages_are_json()) {
        write_model_message(result, strcmp(result->reason, "warnings") == 0);
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
