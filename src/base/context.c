// Contexts, arenas and notes: where the library's memory comes from, and where its sentences of failure stay.
#include "base/arena.h"
#include "base/letters.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitizer.h"

#define ALIGNMENT ((size_t)64)
#define RED_ZONE ((size_t)(ERI_SANITIZED ? 64 : 0)) // bytes behind each reservation that are nobody's
#define FIRST_BLOCK ((size_t)16384)
#define SPARE_LEAST ((size_t)1 << 16) // smaller blocks are cheap to get
#define SPARE_MOST ((size_t)1 << 27)

// Memory is poisoned but for what is reserved of it.
typedef struct block {
    struct block *next;
    char *memory; // aligned
    size_t size;
    size_t used;
} block;

struct er_context {
    er_context_def def;
    char error[1024];
    block *spare; // blocks that arenas gave back, for the next ones: a system's fresh memory costs more than what is
                  // done in it
    size_t spare_size;
    uint64_t folder[2]; // that it wrote to last: device and number
};

struct er_arena {
    er_context *context;
    block *head;
    block *idle; // of before the last reset
};

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

er_context_def er_default_context_def(void)
{
    er_context_def def = {default_allocate, default_release, NULL, true, ER_DEF_TAG};
    return def;
}

er_result er_context_create(const er_context_def *def, er_context **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_context_def d = def != NULL ? *def : er_default_context_def();
    if (d.tag != ER_DEF_TAG || d.allocate == NULL || d.release == NULL) return ER_ERROR_ARGUMENT;
    er_context *context = d.allocate(d.user, sizeof *context);
    if (context == NULL) return ER_ERROR_MEMORY;
    memset(context, 0, sizeof *context);
    context->def = d;
    *out = context;
    return ER_OK;
}

static void release_block(er_context *context, block *b)
{
    eri_unpoison(b->memory, b->size); // the allocator's again, who may use it otherwise
    context->def.release(context->def.user, b);
}

void er_context_destroy(er_context *context)
{
    if (context == NULL) return;
    for (block *b = context->spare, *next; b != NULL; b = next) {
        next = b->next;
        release_block(context, b);
    }
    context->def.release(context->def.user, context);
}

er_context_def eri_context_def_of(const er_context *context)
{
    return context->def;
}

bool eri_context_flushes(const er_context *context)
{
    return context->def.flush;
}

bool eri_context_enters(er_context *context, uint64_t device, uint64_t number)
{
    bool other = context->folder[0] != device || context->folder[1] != number;
    context->folder[0] = device;
    context->folder[1] = number;
    return other;
}

const char *er_context_error(const er_context *context)
{
    return context != NULL ? context->error : "";
}

er_result er_fail(er_context *context, er_result result, const char *format, ...)
{
    if (context == NULL) return result;
    char sentence[sizeof context->error]; // the last one may be among the arguments
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    strcpy(context->error, sentence);
    return result;
}

const char *er_result_name(er_result result)
{
    static const char *const names[] = {
        "ER_OK",           "ER_ERROR_ARGUMENT", "ER_ERROR_MEMORY",     "ER_ERROR_FILE",           "ER_ERROR_FORMAT",
        "ER_ERROR_IMPORT", "ER_ERROR_RIG",      "ER_ERROR_NOT_POSDEF", "ER_ERROR_NO_CONVERGENCE", "ER_ERROR_SYSTEM"};
    return (size_t)result < ERI_COUNT(names) ? names[result] : "unknown result";
}

const char *er_version(void)
{
    return ERI_VERSION;
}

er_result eri_arena_create(er_context *context, er_arena **out)
{
    *out = context->def.allocate(context->def.user, sizeof **out);
    if (*out == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    (*out)->context = context;
    (*out)->head = NULL;
    (*out)->idle = NULL;
    return ER_OK;
}

void eri_arena_destroy(er_arena *arena)
{
    if (arena == NULL) return;
    er_context *context = arena->context;
    eri_arena_reset(arena);
    for (block *b = arena->idle, *next; b != NULL; b = next) {
        next = b->next;
        if (b->size < SPARE_LEAST || context->spare_size + b->size > SPARE_MOST) {
            release_block(context, b);
            continue;
        }
        b->next = context->spare;
        context->spare = b;
        context->spare_size += b->size;
    }
    context->def.release(context->def.user, arena);
}

void eri_arena_reset(er_arena *arena)
{
    for (block *b = arena->head, *next; b != NULL; b = next) {
        next = b->next;
        eri_poison(b->memory, b->used);
        b->next = arena->idle;
        arena->idle = b;
    }
    arena->head = NULL;
}

// The smallest block of a list that holds so much, unless it is far too large.
static block *take(block **list, size_t size)
{
    block **best = NULL;
    for (block **b = list; *b != NULL; b = &(*b)->next)
        if ((*b)->size >= size && (*b)->size / 4 <= size && (best == NULL || (*b)->size < (*best)->size)) best = b;
    if (best == NULL) return NULL;
    block *found = *best;
    *best = found->next;
    return found;
}

static block *take_spare(er_context *context, size_t size)
{
    block *found = take(&context->spare, size);
    if (found != NULL) context->spare_size -= found->size;
    return found;
}

// Blocks double up to a limit, so that arenas cost few allocations and large ones little more than what is asked for.
static block *add_block(er_arena *arena, size_t bytes)
{
    const size_t limit = (size_t)16 << 20;
    size_t size = arena->head == NULL ? FIRST_BLOCK : arena->head->size < limit ? 2 * arena->head->size : limit;
    if (size < bytes) size = bytes;
    er_context_def *def = &arena->context->def;
    block *b = take(&arena->idle, size);
    if (b == NULL) b = take_spare(arena->context, size);
    if (b == NULL) {
        b = def->allocate(def->user, sizeof *b + size + ALIGNMENT);
        if (b == NULL) return NULL;
        uintptr_t start = (uintptr_t)(b + 1);
        b->memory = (char *)(b + 1) + ((ALIGNMENT - start % ALIGNMENT) % ALIGNMENT);
        b->size = size;
        eri_poison(b->memory, b->size);
    }
    assert((uintptr_t)b->memory % ALIGNMENT == 0 && b->size >= bytes);
    b->used = 0;
    b->next = arena->head;
    arena->head = b;
    return b;
}

void *eri_arena_reserve(er_arena *arena, size_t count, size_t size)
{
    size_t limit = SIZE_MAX / 4;
    bool fits = size == 0 || count <= limit / size;
    size_t bytes = fits ? (count * size + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : 0;
    if (bytes == 0) bytes = ALIGNMENT;
    block *b = arena->head;
    if (fits && (b == NULL || b->size - b->used < bytes)) b = add_block(arena, bytes);
    if (!fits || b == NULL) {
        er_fail(arena->context, ER_ERROR_MEMORY, "out of memory: %zu elements of %zu bytes", count, size);
        return NULL;
    }
    void *memory = b->memory + b->used;
    b->used += bytes;
    assert(b->used <= b->size);
    eri_unpoison(memory, count * size);
    return memory;
}

void *eri_arena_alloc(er_arena *arena, size_t count, size_t size)
{
    void *memory = eri_arena_reserve(arena, count, size);
    return memory != NULL ? memset(memory, 0, count * size) : NULL;
}

char *eri_arena_string(er_arena *arena, const char *text)
{
    if (text == NULL) text = "";
    size_t size = strlen(text) + 1;
    char *copy = eri_arena_alloc(arena, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

char *eri_arena_vprintf(er_arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? eri_arena_alloc(arena, (size_t)length + 1, 1) : NULL;
    if (text != NULL) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *eri_arena_printf(er_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = eri_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

er_context *eri_arena_context(const er_arena *arena)
{
    return arena->context;
}

er_result eri_notes_add(eri_notes *notes, er_note_kind kind, const char *format, ...)
{
    assert(notes->arena != NULL && notes->count <= notes->capacity);
    if (notes->count == notes->capacity) {
        int capacity = notes->capacity > 0 ? 2 * notes->capacity : 16;
        er_note *items = ERI_NEW(notes->arena, er_note, capacity);
        if (items == NULL) return ER_ERROR_MEMORY;
        if (notes->count > 0) memcpy(items, notes->items, (size_t)notes->count * sizeof *items);
        notes->items = items;
        notes->capacity = capacity;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text = eri_arena_vprintf(notes->arena, format, arguments);
    va_end(arguments);
    if (text == NULL) return ER_ERROR_MEMORY;
    notes->items[notes->count++] = (er_note){kind, text};
    return ER_OK;
}

bool er_path_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && eri_same_letters(path + length - tail, ending);
}
