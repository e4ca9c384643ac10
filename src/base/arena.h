/// @file
/// Private half of the base room: the context's insides, arenas, and the macros that pass failures on.
#ifndef ER_BASE_ARENA_H
#define ER_BASE_ARENA_H

#include <stdarg.h>

#include <eigenrig/base.h>

/// Runs a fallible call; on failure keeps its result in `r` and goes to `done`.
#define ER_TRY(call)                                                                                                   \
    do {                                                                                                               \
        r = (call);                                                                                                    \
        if (r != ER_OK) goto done;                                                                                     \
    } while (0)

#define ER_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Memory that is given back all at once. An object owns one; a call keeps its scratch in one.
typedef struct er_arena er_arena;

/// A new, empty arena.   Errors: ER_ERROR_MEMORY; *out is NULL then.
er_result er_arena_create(er_context *context, er_arena **out);

/// Gives everything back. NULL is fine.
void er_arena_destroy(er_arena *arena);

/// Empties an arena but keeps its memory, so that the same work again allocates nothing.
void er_arena_reset(er_arena *arena);

/// `count` zeroed elements of `size` bytes, 64-byte aligned; NULL (with ER_ERROR_MEMORY's sentence on the context) when
/// there is no memory or count x size overflows. A count of 0 gives a valid pointer.
void *er_arena_alloc(er_arena *arena, size_t count, size_t size);

/// The same, not zeroed: for large arrays that are written before they are read.
void *er_arena_reserve(er_arena *arena, size_t count, size_t size);

/// A copy of a string; NULL on failure as above. NULL text copies as "".
char *er_arena_string(er_arena *arena, const char *text);

/// A formatted string; NULL on failure as above.
char *er_arena_printf(er_arena *arena, const char *format, ...) ER_PRINTF(2, 3);
char *er_arena_vprintf(er_arena *arena, const char *format, va_list arguments);

/// What a context was made of, its allocator among it.
er_context_def er_context_def_of(const er_context *context);

/// er_context_def.flush.
bool er_context_flushes(const er_context *context);

/// Whether a context comes to a folder from another; from then on it is in that one.   @param device, number  st_dev,
/// st_ino
bool er_context_enters(er_context *context, uint64_t device, uint64_t number);

/// The context an arena was made with.
er_context *er_arena_context(const er_arena *arena);

/// `count` elements of `type`, or NULL.
#define ER_NEW(arena, type, count) ((type *)er_arena_alloc((arena), (size_t)(count), sizeof(type)))

/// Assigns a new array, or fails with ER_ERROR_MEMORY through ER_TRY's path.
#define ER_TRY_NEW(pointer, arena, type, count)                                                                        \
    do {                                                                                                               \
        (pointer) = ER_NEW(arena, type, count);                                                                        \
        if ((pointer) == NULL) {                                                                                       \
            r = ER_ERROR_MEMORY;                                                                                       \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/// The same without zeroes: er_arena_reserve().
#define ER_TRY_RESERVE(pointer, arena, type, count)                                                                    \
    do {                                                                                                               \
        (pointer) = (type *)er_arena_reserve((arena), (size_t)(count), sizeof(type));                                  \
        if ((pointer) == NULL) {                                                                                       \
            r = ER_ERROR_MEMORY;                                                                                       \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/// A growing list of notes in an arena.
typedef struct er_notes {
    er_arena *arena;
    er_note *items; ///< [count]
    int count;
    int capacity;
} er_notes;

/// Appends a note.   Errors: ER_ERROR_MEMORY.
er_result er_notes_add(er_notes *notes, er_note_kind kind, const char *format, ...) ER_PRINTF(3, 4);

#endif
