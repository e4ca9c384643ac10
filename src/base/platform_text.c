// Text as the system's C library handles it, on POSIX with the extensions of GNU.
#include "base/platform.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

const void *eri_platform_find(const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
    return memmem(bytes, size, wanted, wanted_size);
}

void eri_platform_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *user),
                       void *user)
{
    qsort_r(items, count, size, compare, user);
}

ptrdiff_t eri_platform_read_line(char **line, size_t *room, int end, FILE *file)
{
    return getdelim(line, room, end, file);
}

FILE *eri_platform_text_stream(char **text, size_t *size)
{
    return open_memstream(text, size);
}

FILE *eri_platform_null_stream(void)
{
    return fopen("/dev/null", "we");
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

bool eri_point_begin(eri_point_locale *locale)
{
    _Static_assert(sizeof(locale_t) == sizeof(void *), "a locale is a pointer");
    locale->plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (locale->plain == NULL) return false;
    locale->before = uselocale(locale->plain);
    return true;
}

void eri_point_end(eri_point_locale *locale)
{
    if (locale->plain == NULL) return;
    uselocale(locale->before);
    freelocale(locale->plain);
    locale->plain = NULL;
}
