// An allocator that keeps books: what a context took, what it has not given back, and the k-th allocation refused. Each
// allocation lies between fences, at one of the places that malloc() may choose, and is full of rubbish.
#ifndef TESTS_SUPPORT_LEDGER_H
#define TESTS_SUPPORT_LEDGER_H

#include <eigenrig/base.h>

enum { LEDGER_ALL = -1 };

typedef struct ledger {
    long left;    ///< allocations that succeed before each further one is refused, or LEDGER_ALL
    long held;    ///< allocations that were not given back
    long asked;   ///< allocations, refused ones too
    size_t bytes; ///< held
} ledger;

/// The allocator itself, `user` a ledger. Giving back NULL, or a block somebody wrote around, fails the test.
void *ledger_take(void *user, size_t size);
void ledger_give(void *user, void *memory);

/// The default context, its memory from the ledger.
er_context_def ledger_def(ledger *l);

/// A context of that, which does not wait for the disk; fails the test where `left` does not pay for it.
er_context *ledger_context(ledger *l);

/// Ends the context and fails the test when anything is still held.
void ledger_end(ledger *l, er_context *context);

/// A call with memory of `own`; `of` is what it works on.
typedef er_result ledger_call(er_context *own, const void *of);

/// Calls with the first allocation refused, then the second, and so on until the call succeeds, each time with a new
/// context. Every refusal must be ER_ERROR_MEMORY with a message, and all memory must be given back.
/// @param path  the file that the call writes, which must be there after success alone, with nothing else; or NULL
void ledger_refuse_each(ledger_call *call, const void *of, const char *path);

#endif
