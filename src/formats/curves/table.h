/// @file
/// Private: a table of numbers as CSV (RFC 4180), under construction.
#ifndef ER_FORMATS_CURVES_TABLE_H
#define ER_FORMATS_CURVES_TABLE_H

#include <eigenrig/model.h>

#include "formats/curves/out.h"

/// A cell of words, in quotes where RFC 4180 asks for them. What spreadsheets would take for a formula, and run, stands
/// behind an apostrophe, which makes it text to them.
void er_table_word(er_out *out, const char *text);

/// A comma, and a cell "NAME.PART".   Errors: ER_ERROR_MEMORY
er_result er_table_head(er_out *out, const char *name, const char *part);

/// A cell "JOINT.COORDINATE" for every coordinate of a model, and the end of the line.   Errors: ER_ERROR_MEMORY
er_result er_table_coordinates(er_out *out, const er_model *model);

/// Commas, and numbers that read back as the same doubles.
void er_table_numbers(er_out *out, const double *number, int count);

#endif
