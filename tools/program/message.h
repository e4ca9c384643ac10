/// @file
/// Room `program`: messages of programs on standard error, each a line or a JSON object (docs/messages.md).
#ifndef ERI_TOOLS_PROGRAM_MESSAGE_H
#define ERI_TOOLS_PROGRAM_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include <eigenrig/base.h>

/// Exit statuses. EXIT_STOPPED: a batch could not begin or go on, so some models were not processed. EXIT_DIFFERS: two
/// rigs were compared, and differ.
enum { EXIT_DONE = 0, EXIT_WORK = 1, EXIT_USAGE = 2, EXIT_STOPPED = 3, EXIT_DIFFERS = 4 };

enum { ERRORS_TEXT, ERRORS_JSON };

/// A message. Fields may be NULL.
typedef struct message {
    const char *kind, *word; ///< for programs; the beginning of a line for people
    const char *file;        ///< NULL: the text names it, or there is none
    const char *code;        ///< of an error
    int exit;                ///< likewise, the status
} message;

/// Sets the program, the command and the format of messages.
void messages_begin(const char *program, const char *name, bool json);
bool messages_are_json(void);

/// Whether --errors json is given. Checked before the options are parsed, so that their errors are JSON too. Arguments
/// of a script count as well, because errors of the script itself are reported by the program.
/// @param words  after the program's name, NULL-ended
bool errors_are_json(char *const *words);

/// er_text_plain() in static memory; the result is valid for four more calls.
const char *plain(const char *text);

void write_message(const message *m, const char *text);
/// Prints a line on standard error after `eigenrig: `.
void print_note(const char *format, ...) ER_PRINTF(1, 2);
/// Prints an error of the command line, with advice.   @param name  of the command, or ""   @return the exit status
int fail_usage(const char *name, const char *format, ...) ER_PRINTF(2, 3);

/// A JSON object under construction, written in one piece.
typedef struct message_line {
    char *text;
    size_t size;
    FILE *out; ///< NULL: without memory
} message_line;

void message_line_begin(message_line *l, const char *kind);
void message_put(const message_line *l, const char *key, const char *text);
void message_put_exact(const message_line *l, const char *key, const char *text); ///< of UTF-8, unchanged
void message_line_end(message_line *l);

#endif
