/// @file
/// Rig and JSON value, both ways.
#ifndef ER_FILE_RIG_JSON_H
#define ER_FILE_RIG_JSON_H

#include <jansson.h>

#include <eigenrig/model.h>

#include "base/arena.h"

/// A new reference to the rig's JSON object, or NULL when memory ran out.
json_t *er_rig_to_json(const er_model *model);

/// The rig in a JSON object.   @param path  of the file, for messages
/// Errors   ER_ERROR_FORMAT, ER_ERROR_RIG, ER_ERROR_MEMORY
er_result er_rig_from_json(er_context *context, const char *path, const json_t *json, er_model **out);

/// Appends to *list, taking the reference. When memory ran out for either, *list is given back and becomes NULL, so
/// that whoever packs it in fails too.
void er_json_append(json_t **list, json_t *item);

/// Sets a key of *object, taking the reference. When memory ran out for either, *object is given back and becomes NULL.
void er_json_set(json_t **object, const char *key, json_t *value);

/// A new list of numbers, or NULL when memory ran out or one is not finite.
json_t *er_json_numbers(const double *x, int count);

#endif
