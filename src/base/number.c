// Numbers as text where there is no C++ compiler: the fewest digits that read back, found by trying.
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers have a point, whatever the locale of the program.
static locale_t enter_plain_locale(locale_t *plain)
{
    *plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return uselocale(*plain);
}

static void leave_plain_locale(locale_t before, locale_t plain)
{
    uselocale(before);
    if (plain != (locale_t)0) freelocale(plain);
}

int eri_number_digits(double x, int digits, char *text)
{
    locale_t plain, before = enter_plain_locale(&plain);
    int length = snprintf(text, ERI_NUMBER_ROOM, "%.*g", digits, x);
    leave_plain_locale(before, plain);
    return length;
}

int eri_number_places(double x, int places, char *text)
{
    locale_t plain, before = enter_plain_locale(&plain);
    int length = snprintf(text, ERI_NUMBER_PLACES_ROOM, "%.*f", places, x);
    leave_plain_locale(before, plain);
    return length;
}

int eri_number_text(double x, char *text)
{
    locale_t plain, before = enter_plain_locale(&plain);
    int length = 0;
    for (int digits = 1; digits <= 17; ++digits) {
        length = snprintf(text, ERI_NUMBER_ROOM, "%.*g", digits, x);
        if (!isfinite(x) || strtod(text, NULL) == x) break;
    }
    leave_plain_locale(before, plain);
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
    locale_t plain, before = enter_plain_locale(&plain);
    char *end;
    double x = strtod(c, &end);
    leave_plain_locale(before, plain);
    if (end == c || !isfinite(x)) return false;
    *at = end;
    *out = x;
    return true;
}
