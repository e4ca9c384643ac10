// Text as the system's C library handles it, on POSIX.
#include "base/platform.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

const void *eri_platform_find(const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
    return memmem(bytes, size, wanted, wanted_size);
}

ptrdiff_t eri_platform_read_line(char **line, size_t *room, int end, FILE *file)
{
    return getdelim(line, room, end, file);
}

FILE *eri_platform_text_stream(char **text, size_t *size)
{
    return open_memstream(text, size);
}

int eri_platform_text_end(FILE *stream, char **text, size_t *size)
{
    (void)size;
    bool whole = ferror(stream) == 0;
    return fclose(stream) == 0 && whole && *text != NULL ? 0 : -1;
}

FILE *eri_platform_null_stream(void)
{
    return fopen("/dev/null", "we");
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
