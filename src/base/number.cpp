#include "base/number.h"

#include <charconv>

int er_number_text(double x, char *text)
{
    char *end = std::to_chars(text, text + ER_NUMBER_ROOM - 1, x).ptr;
    *end = '\0';
    return static_cast<int>(end - text);
}
