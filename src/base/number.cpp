#include "base/number.h"

#include <charconv>
#include <cmath>
#include <cstring>

int er_number_text(double x, char *text)
{
    char *end = std::to_chars(text, text + ER_NUMBER_ROOM - 1, x).ptr;
    *end = '\0';
    return static_cast<int>(end - text);
}

bool er_take_number(const char **at, double *out)
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
