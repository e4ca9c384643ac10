// Numbers as text where there is no C++ compiler: the fewest digits that read back, found by trying.
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

int eri_number_digits(double x, int digits, char *text)
{
    eri_point_locale locale;
    eri_point_begin(&locale);
    int length = snprintf(text, ERI_NUMBER_ROOM, "%.*g", digits, x);
    eri_point_end(&locale);
    return length;
}

int eri_number_places(double x, int places, char *text)
{
    eri_point_locale locale;
    eri_point_begin(&locale);
    int length = snprintf(text, ERI_NUMBER_PLACES_ROOM, "%.*f", places, x);
    eri_point_end(&locale);
    return length;
}

int eri_number_text(double x, char *text)
{
    eri_point_locale locale;
    eri_point_begin(&locale);
    int length = 0;
    for (int digits = 1; digits <= 17; ++digits) {
        length = snprintf(text, ERI_NUMBER_ROOM, "%.*g", digits, x);
        if (!isfinite(x) || strtod(text, NULL) == x) break;
    }
    eri_point_end(&locale);
    return length;
}

bool eri_take_number(const char **at, double *out)
{
    const char *c = *at + strspn(*at, " \t");
    const char *digits = c + (*c == '+' || *c == '-');
    if ((*digits < '0' || *digits > '9') && *digits != '.') return false; // strtod() takes more signs, and words
    if (digits[0] == '0' && (digits[1] | 32) == 'x') {                    // and hexadecimal numbers
        *at = digits + 1;
        *out = *c == '-' ? -0.0 : 0.0;
        return true;
    }
    eri_point_locale locale;
    eri_point_begin(&locale);
    char *end;
    double x = strtod(c, &end);
    eri_point_end(&locale);
    if (end == c || !isfinite(x)) return false;
    *at = end;
    *out = x;
    return true;
}
