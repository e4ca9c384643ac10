// Messages on standard error: plain lines, or JSON objects.
#include "tools/program/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

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
    const char *program, *name; // name: of the command
    bool json;
} log_of = {.program = "eigenrig", .name = ""};

void messages_begin(const char *program, const char *name, bool json)
{
    log_of.program = program;
    log_of.name = name;
    log_of.json = json;
}

bool messages_are_json(void)
{
    return log_of.json;
}

bool errors_are_json(char *const *words)
{
    for (; *words != NULL && strcmp(*words, "--") != 0; ++words)
        if (strcmp(*words, "--errors=json") == 0 ||
            (strcmp(*words, "--errors") == 0 && words[1] != NULL && strcmp(words[1], "json") == 0))
            return true;
    return false;
}

// ---- objects, one a line

void message_put_exact(const message_line *l, const char *key, const char *text)
{
    if (text == NULL || l->out == NULL) return;
    fprintf(l->out, ", \"%s\": \"", key);
    for (const char *c = text; *c != '\0'; ++c)
        fprintf(l->out, (unsigned char)*c < 0x20 ? "\\u%04x" : strchr("\"\\", *c) != NULL ? "\\%c" : "%c", *c);
    fputc('"', l->out);
}

void message_put(const message_line *l, const char *key, const char *text)
{
    if (text != NULL) message_put_exact(l, key, plain(text));
}

void message_line_begin(message_line *l, const char *kind)
{
    l->out = eri_platform_text_stream(&l->text, &l->size);
    if (l->out == NULL) return;
    fprintf(l->out, "{\"kind\": \"%s\"", kind);
    message_put(l, "command", *log_of.name != '\0' ? log_of.name : NULL);
}

void message_line_end(message_line *l)
{
    if (l->out == NULL) return;
    fputs("}\n", l->out);
    eri_platform_text_end(l->out, &l->text, &l->size);
    if (l->text != NULL) fputs(l->text, stderr);
    free(l->text);
}

// ---- messages

void write_message(const message *m, const char *text)
{
    if (!log_of.json) {
        fprintf(stderr, "%s: %s%s%s%s\n", log_of.program, m->word, m->file != NULL ? plain(m->file) : "",
                m->file != NULL ? ": " : "", plain(text));
        return;
    }
    message_line l = {0};
    message_line_begin(&l, m->kind);
    message_put(&l, "file", m->file);
    message_put(&l, "code", m->code);
    if (l.out != NULL && m->exit != EXIT_DONE) fprintf(l.out, ", \"exit\": %d", m->exit);
    message_put(&l, "message", text);
    message_line_end(&l);
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

int fail_usage(const char *name, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "; see %s %s%s--help", log_of.program, name,
             *name != '\0' ? " " : "");
    write_message(&(message){"error", "error: ", NULL, "usage", EXIT_USAGE}, text);
    return EXIT_USAGE;
}
