/// @file
/// Private half of the base room: the context's insides, arenas, and the macros that pass failures on.
#ifndef ERI_BASE_ARENA_H
#define ERI_BASE_ARENA_H

#include <stdarg.h>

#include <eigenrig/base.h>

/// Runs a fallible call; on failure keeps its result in `r` and goes to `done`.
#define ERI_TRY(call)                                                                                                  \
    do {                                                                                                               \
        r = (call);                                                                                                    \
        if (r != ER_OK) goto done;                                                                                     \
    } while (0)

#define ERI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Memory that is given back all at once. An object owns one; a call keeps its scratch in one.
typedef struct er_arena er_arena;

/// A new, empty arena.   Errors: ER_ERROR_MEMORY; *out is NULL then.
er_result eri_arena_create(er_context *context, er_arena **out);

/// Gives everything back. NULL is fine.
void eri_arena_destroy(er_arena *arena);

/// Empties an arena but keeps its memory, so that the same work again allocates nothing.
void eri_arena_reset(er_arena *arena);

/// `count` zeroed elements of `size` bytes, 64-byte aligned; NULL (with ER_ERROR_MEMORY's sentence on the context) when
/// there is no memory or count x size overflows. A count of 0 gives a valid pointer.
void *eri_arena_alloc(er_arena *arena, size_t count, size_t size);

/// The same, not zeroed: for large arrays that are written before they are read.
void *eri_arena_reserve(er_arena *arena, size_t count, size_t size);

/// A copy of a string; NULL on failure as above. NULL text copies as "".
char *eri_arena_string(er_arena *arena, const char *text);

/// A formatted string; NULL on failure as above.
char *eri_arena_printf(er_arena *arena, const char *format, ...) ER_PRINTF(2, 3);
char *eri_arena_vprintf(er_arena *arena, const char *format, va_list arguments);

/// The def that a context was made from, with its allocator.
er_context_def eri_context_def_of(const er_context *context);

/// er_context_def.flush.
bool eri_context_flushes(const er_context *context);

/// Whether a context comes to a folder from another; from then on it is in that one.   @param device, number  st_dev,
/// st_ino
bool eri_context_enters(er_context *context, uint64_t device, uint64_t number);

/// The context an arena was made with.
er_context *eri_arena_context(const er_arena *arena);

/// `count` elements of `type`, or NULL.
#define ERI_NEW(arena, type, count) ((type *)eri_arena_alloc((arena), (size_t)(count), sizeof(type)))

/// Assigns a new array, or fails with ER_ERROR_MEMORY through ERI_TRY's path.
#define ERI_TRY_NEW(pointer, arena, type, count)                                                                       \
    do {                                                                                                               \
        (pointer) = ERI_NEW(arena, type, count);                                                                       \
        if ((pointer) == NULL) {                                                                                       \
            r = ER_ERROR_MEMORY;                                                                                       \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/// The same without zeroes: eri_arena_reserve().
#define ERI_TRY_RESERVE(pointer, arena, type, count)                                                                   \
    do {                                                                                                               \
        (pointer) = (type *)eri_arena_reserve((arena), (size_t)(count), sizeof(type));                                 \
        if ((pointer) == NULL) {                                                                                       \
            r = ER_ERROR_MEMORY;                                                                                       \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

/// A growing list of notes in an arena.
typedef struct eri_notes {
    er_arena *arena;
    er_note *items; ///< [count]
    int count;
    int capacity;
} eri_notes;

/// Appends a note.   Errors: ER_ERROR_MEMORY.
er_result eri_notes_add(eri_notes *notes, er_note_kind kind, const char *format, ...) ER_PRINTF(3, 4);

#endif
