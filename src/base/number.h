/// @file
/// Private: numbers as text.
#ifndef ERI_BASE_NUMBER_H
#define ERI_BASE_NUMBER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ERI_NUMBER_ROOM = 32, ERI_NUMBER_PLACES = 128, ERI_NUMBER_PLACES_ROOM = 512 };

/// Writes a number in the fewest characters that read back as the same double, with a point whatever the locale:
/// 0.1, -1.5e-07, 1e+22, 3; infinities and NaN as inf and nan.
/// @param text  [ERI_NUMBER_ROOM], zero-terminated
/// @return  its length
/// Source   Adams, Ryu: fast float-to-string conversion, PLDI 2018, in the C++ library's std::to_chars().
int eri_number_text(double x, char *text);

/// Writes a number as printf()'s %.*g, with a point whatever the locale.
/// @param digits  1 to 17
/// @param text    [ERI_NUMBER_ROOM], zero-terminated
/// @return  its length
int eri_number_digits(double x, int digits, char *text);

/// Writes a number as printf()'s %.*f, with a point whatever the locale.
/// @param places  behind the point, 0 to ERI_NUMBER_PLACES
/// @param text    [ERI_NUMBER_PLACES_ROOM], zero-terminated
/// @return  its length
int eri_number_places(double x, int places, char *text);

/// Reads a finite decimal number, after spaces and a sign if there are any, its point a point whatever the locale, and
/// moves `at` past it; false, and nothing is written, where there is none.
bool eri_take_number(const char **at, double *out);

#ifdef __cplusplus
}
#endif
#endif
