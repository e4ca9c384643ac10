/// @file
/// Tables of options, read field by field. Errors name the path of the field, and its line where the source is known.
#ifndef ERI_APP_DESCRIPTION_READER_H
#define ERI_APP_DESCRIPTION_READER_H

#include <lua.h>

#include <eigenrig/base.h>
#include <eigenrig/math.h>

#include "app/settings/setting.h"

enum { READER_DEPTH = 8 };

typedef struct reader {
    lua_State *L;
    er_context *context; ///< for texts that the library parses; NULL without any
    const char *file;    ///< of the description; NULL for a table of a script, whose line Lua reports
    const char *source;  ///< its text
    int depth;
    const char *path[READER_DEPTH]; ///< keys from the outermost table on; borrowed
} reader;

/// Between these two calls errors are about the field `key`.
void reader_enter(reader *r, const char *key);
void reader_leave(reader *r);

/// Raises a Lua error with the path of the field. Does not return.
int reader_wrong(reader *r, const char *format, ...) ER_PRINTF(2, 3);

/// Raises an error unless the value at a stack index is a table with only these keys, ended by NULL.
void reader_check_keys(reader *r, int table, const char *const *keys);

/// The same for a list with fields: checks only its text keys.
void reader_check_words(reader *r, int table, const char *const *keys);

/// Pushes a field for reader_done(); false, and nothing pushed, if it is nil.
bool reader_field(reader *r, int table, const char *key);
void reader_done(reader *r);

/// The field's value; `otherwise` if it is nil. An error if it has another type or is out of range (bounds included).
double reader_number(reader *r, int table, const char *key, double least, double most, double otherwise);
int reader_whole(reader *r, int table, const char *key, int least, int most, int otherwise);
bool reader_flag(reader *r, int table, const char *key, bool otherwise);

/// The field's text, borrowed from the table; `otherwise` if it is nil.
const char *reader_text(reader *r, int table, const char *key, const char *otherwise);

/// The index of the field's word among `count`; `otherwise` if it is nil.
int reader_choice(reader *r, int table, const char *key, const char *const *words, int count, int otherwise);

/// Reads a field by its setting into a struct; an error if the value is not allowed.
/// @param s  not of SETTING_OTHER   @return whether the field is there; if not, the struct stays
bool reader_setting(reader *r, int table, const char *key, const setting *s, void *fields);

/// The value on the top of the stack as a number within bounds.
double reader_top_number(reader *r, double least, double most);
const char *reader_top_text(reader *r);
const char *reader_top_names(reader *r); ///< a text, or a list of texts joined by commas, which replaces the list
er_vec3 reader_top_way(reader *r);       ///< "x", "-z" and so on, or a vector that is not 0

// --- values

/// Classes of userdata that hold an er_vec3 or an er_quat.
#define READER_VEC3 "eigenrig.vec3"
#define READER_QUAT "eigenrig.quat"

/// The value at a stack index as a vector: a vec3, or a table {x, y, z}.   @return whether it is one
bool reader_to_vec3(lua_State *L, int index, er_vec3 *out);
bool reader_to_quat(lua_State *L, int index, er_quat *out); ///< likewise, made unit: {w, x, y, z}

/// Garbage-collected work space: `count` elements of `size` bytes, zeroed; pushes its userdata.
void *reader_push_array(lua_State *L, size_t count, size_t size);

#endif
