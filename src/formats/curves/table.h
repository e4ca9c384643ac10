/// @file
/// Private: a table of numbers as CSV (RFC 4180), under construction.
#ifndef ERI_FORMATS_CURVES_TABLE_H
#define ERI_FORMATS_CURVES_TABLE_H

#include <eigenrig/model.h>

#include "formats/curves/out.h"

/// A cell of words, in quotes where RFC 4180 asks for them. An apostrophe in front keeps spreadsheets from running it
/// as a formula.
void eri_table_word(eri_out *out, const char *text);

/// A comma, and a cell "NAME.PART".   Errors: ER_ERROR_MEMORY
er_result eri_table_head(eri_out *out, const char *name, const char *part);

/// A comma, and a cell "JOINT.COORDINATE" with an ending, for every coordinate of a model.   Errors: ER_ERROR_MEMORY
/// @param ending  such as ".force"; "" for none
er_result eri_table_coordinates(eri_out *out, const er_model *model, const char *ending);

/// Commas, and numbers that read back as the same doubles.
void eri_table_numbers(eri_out *out, const double *number, int count);

#endif
