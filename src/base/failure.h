/// @file
/// Private: sentences that everybody says alike. Inline, so that programs which link the shared library have them too.
#ifndef ERI_BASE_FAILURE_H
#define ERI_BASE_FAILURE_H

#include <eigenrig/base.h>

/// Keeps on the context that there is no memory.   @return ER_ERROR_MEMORY
static inline er_result eri_no_memory(er_context *context)
{
    return er_fail(context, ER_ERROR_MEMORY, "out of memory");
}

/// The same, with what it was wanted for: "the manifest".
static inline er_result eri_no_memory_for(er_context *context, const char *what)
{
    return er_fail(context, ER_ERROR_MEMORY, "out of memory for %s", what);
}

/// A result without a message, as the text of one. Never NULL.
static inline const char *eri_result_text(er_result r)
{
    return r == ER_ERROR_MEMORY ? "out of memory" : er_result_name(r);
}

#endif
