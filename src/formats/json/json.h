/// @file
/// JSON files read and written, and their values checked with a place for the message.
#ifndef ERI_FORMATS_JSON_JSON_H
#define ERI_FORMATS_JSON_JSON_H

#include <jansson.h>

#include <eigenrig/math.h>

#include "base/file.h"

/// Bytes that a file of ours has at most: a rig of a million bodies takes about 1 GiB.
#define ERI_JSON_SIZE_LIMIT ((size_t)1 << 31)

/// Reads a file as JSON.   @param what  for messages, such as "a rig file"
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT, ER_ERROR_MEMORY
er_result eri_json_read(er_context *context, const char *path, const char *what, json_t **out);

/// Whether "format" is this text.
bool eri_json_has_format(const json_t *json, const char *format);

/// Not missing and not null.
bool eri_json_is_given(const json_t *value);

/// An array of just `count` numbers.
bool eri_json_read_numbers(const json_t *array, double *x, size_t count);

/// The word of a list, ended by NULL, that a key is, or is nearly; NULL where it is like none.
const char *eri_json_nearest(const char *key, const char *const *words);

/// A JSON file being written, value by value. The key is NULL in a list. The end reports the first failure.
typedef struct eri_json_out {
    eri_stream stream;
    er_arena *arena;
    char *text; ///< what is not yet in the file
    size_t used;
    int depth;
    bool begun; ///< something stands in the object or list that is open
    bool wrong; ///< a number that is not finite, a text that is not UTF-8
} eri_json_out;

/// Begins a file with an object that is open.   Errors: ER_ERROR_FILE, ER_ERROR_MEMORY: there is nothing to end
er_result eri_json_begin(er_context *context, const char *path, eri_json_out **out);

/// Closes the object and puts the file in its place.
/// Errors   ER_ERROR_FILE, ER_ERROR_ARGUMENT (what is not finite, or not UTF-8): nothing is left behind
er_result eri_json_end(eri_json_out *out);

/// Opens an object, '{', or a list, '['; closes it by '}' or ']'.
void eri_json_open(eri_json_out *out, const char *key, char bracket);
void eri_json_close(eri_json_out *out, char bracket);

void eri_json_text(eri_json_out *out, const char *key, const char *text);
void eri_json_integer(eri_json_out *out, const char *key, int x);
void eri_json_number(eri_json_out *out, const char *key, double x);

/// Numbers as a list, on one line.
void eri_json_numbers(eri_json_out *out, const char *key, const double *x, int count);

void eri_json_vec3(eri_json_out *out, const char *key, er_vec3 v);

/// "position", and "orientation" (w x y z).
void eri_json_pose(eri_json_out *out, er_pose pose);

/// A word: true, false, null.
void eri_json_word(eri_json_out *out, const char *key, const char *word);
void eri_json_flag(eri_json_out *out, const char *key, bool flag);

#endif
