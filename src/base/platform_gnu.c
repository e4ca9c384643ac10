// Sorting and texts of errors by extensions of the GNU C library.
#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

void eri_platform_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *user),
                       void *user)
{
    qsort_r(items, count, size, compare, user);
}

const char *eri_platform_error_text(int error)
{
    const char *text = strerrordesc_np(error);
    return text != NULL ? text : "unknown error";
}

const char *eri_platform_signal_text(int signal)
{
    const char *text = sigdescr_np(signal);
    return text != NULL ? text : "unknown signal";
}
