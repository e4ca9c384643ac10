/// @file
/// Tables of options, read field by field; what is wrong in them is said by its path, and
/// by its line where the source is known.
#ifndef ERI_APP_DESCRIPTION_READER_H
#define ERI_APP_DESCRIPTION_READER_H

#include <lua.h>

#include <eigenrig/base.h>
#include <eigenrig/math.h>

#include "app/settings/setting.h"

enum { READER_DEPTH = 8 };

typedef struct reader {
    lua_State *L;
    er_context *context; ///< for what the library reads; NULL where it reads nothing
    const char *file;    ///< of the description; NULL for a table of a script, whose line Lua says itself
    const char *source;  ///< its text
    int depth;
    const char *path[READER_DEPTH]; ///< keys from the outermost table on; borrowed
} reader;

/// A field to be read, between the two: further errors are about it.
void reader_enter(reader *r, const char *key);
void reader_leave(reader *r);

/// A Lua error: the path, and what is wrong there. Does not return.
int reader_wrong(reader *r, const char *format, ...) ER_PRINTF(2, 3);

/// Whether the table at a stack index is one, and every key of it is a word of the list, ended by NULL; else an error.
void reader_check_keys(reader *r, int table, const char *const *keys);

/// The same of a list that has fields beside its items: of its keys that are texts.
void reader_check_words(reader *r, int table, const char *const *keys);

/// Pushes a field; false, and nothing pushed, where it is nil. Otherwise reader_done() when it was read.
bool reader_field(reader *r, int table, const char *key);
void reader_done(reader *r);

/// The field's value, `otherwise` where it is nil; an error where it is none, or out of the range (bounds included).
double reader_number(reader *r, int table, const char *key, double least, double most, double otherwise);
int reader_whole(reader *r, int table, const char *key, int least, int most, int otherwise);
bool reader_flag(reader *r, int table, const char *key, bool otherwise);

/// The field's text, borrowed as long as the table holds it; `otherwise` where it is nil.
const char *reader_text(reader *r, int table, const char *key, const char *otherwise);

/// The place of the field's word in a list of `count`; `otherwise` where it is nil.
int reader_choice(reader *r, int table, const char *key, const char *const *words, int count, int otherwise);

/// The field by its setting, put to its place among the fields of a struct; an error where it is not allowed.
/// @param s  not of SETTING_OTHER   @return whether it is there: nothing is put otherwise
bool reader_setting(reader *r, int table, const char *key, const setting *s, void *fields);

/// The value on the top of the stack as a number within bounds.
double reader_top_number(reader *r, double least, double most);
const char *reader_top_text(reader *r);
const char *reader_top_names(reader *r); ///< a text, or a list of texts as one with commas between, which then is there
er_vec3 reader_top_way(reader *r);       ///< "x", "-z" and so on, or a vector that is not 0

// --- values

/// Objects of scripts that may stand for three or four numbers: userdata of these classes hold an er_vec3, an er_quat.
#define READER_VEC3 "eigenrig.vec3"
#define READER_QUAT "eigenrig.quat"

/// The value at a stack index as a vector: a vec3, or a table {x, y, z}.   @return whether it is one
bool reader_to_vec3(lua_State *L, int index, er_vec3 *out);
bool reader_to_quat(lua_State *L, int index, er_quat *out); ///< likewise, made unit: {w, x, y, z}

/// Work space that is collected: `count` elements of `size` bytes, zeroed; pushes its userdata.
void *reader_push_array(lua_State *L, size_t count, size_t size);

#endif
