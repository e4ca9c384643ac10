// Numbers as text by the C++ library, whose conversions know no locale.
#include "base/number.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>

static int ended(char *text, char *end)
{
    *end = '\0';
    return static_cast<int>(end - text);
}

int eri_number_text(double x, char *text)
{
    return ended(text, std::to_chars(text, text + ERI_NUMBER_ROOM - 1, x).ptr);
}

int eri_number_digits(double x, int digits, char *text)
{
    assert(digits >= 1 && digits <= 17);
    return ended(text, std::to_chars(text, text + ERI_NUMBER_ROOM - 1, x, std::chars_format::general, digits).ptr);
}

int eri_number_places(double x, int places, char *text)
{
    assert(places >= 0 && places <= ERI_NUMBER_PLACES);
    char *most = text + ERI_NUMBER_PLACES_ROOM - 1;
    return ended(text, std::to_chars(text, most, x, std::chars_format::fixed, places).ptr);
}

bool eri_take_number(const char **at, double *out)
{
    const char *c = *at + std::strspn(*at, " \t");
    if (*c == '+' && c[1] != '-') ++c; // which from_chars() does not take
    double x;
    auto [end, error] = std::from_chars(c, c + std::strlen(c), x);
    if (error != std::errc() || !std::isfinite(x)) return false;
    *at = end;
    *out = x;
    return true;
}
