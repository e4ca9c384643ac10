// An allocator that counts, refuses and finds leaks.
#include "ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sanitizer.h"
#include "sample.h"

enum { FENCE = 64, STEP = 16, SHIFTS = 4 }; // fence bytes that nobody may write; blocks begin at multiples of STEP
enum { FENCED = 0x5A, FRESH = 0xC3, ALIGNMENT = 64 };

// Stands right before each block.
typedef struct entry {
    void *start;
    size_t size;
} entry;

void *ledger_take(void *user, size_t size)
{
    ledger *l = user;
    size_t before = FENCE + STEP * (size_t)(l->asked++ % SHIFTS);
    if (l->left == 0) return NULL;
    if (l->left > 0) --l->left;
    char *start = aligned_alloc(ALIGNMENT, (before + size + FENCE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (start == NULL) return NULL;
    char *memory = start + before;
    memset(start, FENCED, before);
    memcpy(memory - sizeof(entry), &(entry){start, size}, sizeof(entry));
    memset(memory, FRESH, size);
    memset(memory + size, FENCED, FENCE);
    eri_poison(start, before);
    eri_poison(memory + size, FENCE);
    ++l->held;
    l->bytes += size;
    return memory;
}

void ledger_give(void *user, void *memory)
{
    ledger *l = user;
    entry e;
    eri_unpoison((char *)memory - sizeof e, sizeof e);
    memcpy(&e, (char *)memory - sizeof e, sizeof e);
    eri_unpoison(e.start, (size_t)((char *)memory - (char *)e.start));
    eri_unpoison((char *)memory + e.size, FENCE);
    for (unsigned char *at = e.start, *entry_at = (unsigned char *)memory - sizeof e; at < entry_at; ++at)
        assert_int_equal(*at, FENCED);
    for (size_t i = 0; i < FENCE; ++i)
        assert_int_equal(((unsigned char *)memory)[e.size + i], FENCED);
    --l->held;
    l->bytes -= e.size;
    free(e.start);
}

er_context_def ledger_def(ledger *l)
{
    er_context_def def = er_default_context_def();
    def.allocate = ledger_take;
    def.release = ledger_give;
    def.user = l;
    return def;
}

er_context *ledger_context(ledger *l)
{
    er_context_def def = ledger_def(l);
    def.flush = false; // what a test writes need not outlive the machine
    er_context *context = NULL;
    assert_int_equal(er_context_create(&def, &context), ER_OK);
    return context;
}

void ledger_end(ledger *l, er_context *context)
{
    er_context_destroy(context);
    assert_int_equal(l->held, 0);
    assert_int_equal(l->bytes, 0);
}

void ledger_refuse_each(ledger_call *call, const void *of, const char *path)
{
    char folder[512] = ".";
    er_result r = ER_ERROR_MEMORY;
    long k = 0;
    if (path != NULL) {
        unlink(path);
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    }
    int before = path != NULL ? count_files(folder) : 0;
    for (; r != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        l.left = k;
        r = call(own, of);
        if (r != ER_OK && (r != ER_ERROR_MEMORY || er_context_error(own)[0] == '\0'))
            fail_msg("allocation %ld: %s, \"%s\"", k, er_result_name(r), er_context_error(own));
        if (path != NULL) assert_int_equal(count_files(folder), before + (r == ER_OK));
        ledger_end(&l, own);
    }
    assert_true(k >= 2);
    if (path != NULL) assert_int_equal(unlink(path), 0);
}
