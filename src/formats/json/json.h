/// @file
/// JSON files read and written, and their values checked with a place for the message.
#ifndef ER_FORMATS_JSON_JSON_H
#define ER_FORMATS_JSON_JSON_H

#include <jansson.h>

#include "base/file.h"

/// Bytes that a file of ours has at most: a rig of a million bodies takes about 1 GiB.
#define ER_JSON_SIZE_LIMIT ((size_t)1 << 31)

/// Reads a file as JSON.   @param what  for messages, such as "a rig file"
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT, ER_ERROR_MEMORY
er_result er_json_read(er_context *context, const char *path, const char *what, json_t **out);

/// Whether "format" is this text.
bool er_json_has_format(const json_t *json, const char *format);

/// Not missing and not null.
bool er_json_is_given(const json_t *value);

/// An array of just `count` numbers.
bool er_json_read_numbers(const json_t *array, double *x, size_t count);

/// The word of a list, ended by NULL, that a key is, or is nearly; NULL where it is like none.
const char *er_json_nearest(const char *key, const char *const *words);

/// A JSON file being written, value by value. Each goes with a key in an object, with NULL in a list. What goes wrong
/// is told at the end.
typedef struct er_json_out {
    er_stream stream;
    er_arena *arena;
    char *text; ///< what is not yet in the file
    size_t used;
    int depth;
    bool begun; ///< something stands in the object or list that is open
    bool wrong; ///< a number that is not finite, a text that is not UTF-8
} er_json_out;

/// Begins a file with an object that is open.   Errors: ER_ERROR_FILE, ER_ERROR_MEMORY: there is nothing to end
er_result er_json_begin(er_context *context, const char *path, er_json_out **out);

/// Closes the object and puts the file in its place.
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (what is not finite, or not UTF-8): nothing is left behind
er_result er_json_end(er_json_out *out);

/// Opens an object, '{', or a list, '['; closes it by '}' or ']'.
void er_json_open(er_json_out *out, const char *key, char bracket);
void er_json_close(er_json_out *out, char bracket);

void er_json_text(er_json_out *out, const char *key, const char *text);
void er_json_integer(er_json_out *out, const char *key, int x);
void er_json_number(er_json_out *out, const char *key, double x);

/// Numbers as a list, on one line.
void er_json_numbers(er_json_out *out, const char *key, const double *x, int count);

/// A word: true, false, null.
void er_json_word(er_json_out *out, const char *key, const char *word);

#endif
