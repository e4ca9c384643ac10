// Sorting and texts of errors, by extensions of the GNU C library where it is the system's.
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
#ifdef __GLIBC__
    const char *text = strerrordesc_np(error); // strerror() speaks the locale's language
#else
    const char *text = strerror(error);
#endif
    return text != NULL ? text : "unknown error";
}

const char *eri_platform_signal_text(int signal)
{
#ifdef __GLIBC__
    const char *text = sigdescr_np(signal); // strsignal() speaks the locale's language
#else
    const char *text = strsignal(signal);
#endif
    return text != NULL ? text : "unknown signal";
}
