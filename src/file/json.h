/// @file
/// JSON files read and written, and their values checked with a place for the message.
#ifndef ER_FILE_JSON_H
#define ER_FILE_JSON_H

#include <jansson.h>

#include "base/arena.h"

/// Bytes that a file of ours has at most: a rig of a million bodies takes about 1 GiB.
#define ER_JSON_SIZE_LIMIT ((size_t)1 << 31)

/// Reads a file as JSON.   @param what  for messages, such as "a rig file"
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT, ER_ERROR_MEMORY
er_result er_json_read(er_context *context, const char *path, const char *what, json_t **out);

/// Writes a file, whole or not at all; takes the reference, and NULL is out of memory.
er_result er_json_write(er_context *context, json_t *json, const char *path);

/// Whether "format" is this text.
bool er_json_has_format(const json_t *json, const char *format);

/// Not missing and not null.
bool er_json_is_given(const json_t *value);

/// An array of just `count` numbers.
bool er_json_read_numbers(const json_t *array, double *x, size_t count);

/// Appends to *list, taking the reference. When memory ran out for either, *list is given back and becomes NULL, so
/// that whoever packs it in fails too.
void er_json_append(json_t **list, json_t *item);

/// Sets a key of *object, taking the reference. When memory ran out for either, *object is given back and becomes NULL.
void er_json_set(json_t **object, const char *key, json_t *value);

/// A new list of numbers, or NULL when memory ran out or one is not finite.
json_t *er_json_numbers(const double *x, int count);

#endif
