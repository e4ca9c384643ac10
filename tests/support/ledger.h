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

/// A context of that; fails the test where `left` does not pay for it.
er_context *ledger_context(ledger *l);

/// Ends the context and fails the test when anything is still held.
void ledger_end(ledger *l, er_context *context);

#endif
