/// @file
/// Private to the script room: tables of options, read field by field; what is wrong in them is said by its path, and
/// by its line where the source is known.
#ifndef ER_SCRIPT_READER_H
#define ER_SCRIPT_READER_H

#include <lua.h>

#include <eigenrig/base.h>
#include <eigenrig/math.h>

enum { READER_DEPTH = 8 };

typedef struct script_reader {
    lua_State *L;
    const char *file;   ///< of the description; NULL for a table of a script, whose line Lua says itself
    const char *source; ///< its text
    int depth;
    const char *path[READER_DEPTH]; ///< keys from the outermost table on; borrowed
} script_reader;

/// A field to be read, between the two: further errors are about it.
void script_enter(script_reader *r, const char *key);
void script_leave(script_reader *r);

/// A Lua error: the path, and what is wrong there. Does not return.
int script_wrong(script_reader *r, const char *format, ...) ER_PRINTF(2, 3);

/// Whether the table at a stack index is one, and every key of it is a word of the list, ended by NULL; else an error.
void script_check_keys(script_reader *r, int table, const char *const *keys);

/// Pushes a field; false, and nothing pushed, where it is nil. Otherwise script_done() when it was read.
bool script_field(script_reader *r, int table, const char *key);
void script_done(script_reader *r);

/// The field's value, `otherwise` where it is nil; an error where it is none, or out of the range (bounds included).
double script_number(script_reader *r, int table, const char *key, double least, double most, double otherwise);
int script_whole(script_reader *r, int table, const char *key, int least, int most, int otherwise);
bool script_flag(script_reader *r, int table, const char *key, bool otherwise);

/// The field's text, borrowed as long as the table holds it; `otherwise` where it is nil.
const char *script_text(script_reader *r, int table, const char *key, const char *otherwise);

/// The place of the field's word in a list of `count`; `otherwise` where it is nil.
int script_choice(script_reader *r, int table, const char *key, const char *const *words, int count, int otherwise);

/// The value on the top of the stack as a number within bounds.
double script_top_number(script_reader *r, double least, double most);
const char *script_top_text(script_reader *r);

#endif
