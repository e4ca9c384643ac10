/// @file
/// A rig as a JSON object, both ways.
#ifndef ERI_FORMATS_JSON_RIG_JSON_H
#define ERI_FORMATS_JSON_RIG_JSON_H

#include <eigenrig/formats.h>
#include <eigenrig/model.h>

#include "formats/json/json.h"

/// Writes the members of the rig's JSON object, which is open.
void eri_rig_to_json(eri_json_out *out, const er_model *model);

/// The rig in a JSON object.   @param path  of the file, for messages
/// Errors   ER_ERROR_FORMAT, ER_ERROR_RIG, ER_ERROR_MEMORY
er_result eri_rig_from_json(er_context *context, const char *path, const json_t *json, er_model **out);

/// Warns of keys in a rig's object, its bodies and its joints that resemble known keys, the first eight.
void eri_rig_warn_misspelled(const json_t *json, er_warning_callback *warn, void *user);

#endif
