/// @file
/// Private: text and lines of an SVG file.
#ifndef ERI_FORMATS_PLOT_SVG_H
#define ERI_FORMATS_PLOT_SVG_H

#include "formats/curves/out.h"

enum { ERI_SVG_FONT = 11 }; ///< pixels, of all text that says nothing else

/// Begins a picture on white.   @param title  for screen readers and tips
void eri_svg_begin(eri_out *out, double width, double height, const char *title);

/// Characters as XML text: <, >, & and quotes escaped, controls and what XML 1.0 may not hold left out, bytes that are
/// not UTF-8 as U+FFFD.
void eri_svg_escaped(eri_out *out, const char *words);

/// One line of text with its left end, or its middle or right end, at x; `more` are further attributes, "" for none.
void eri_svg_text(eri_out *out, double x, double y, const char *more, const char *words);

/// Pixels that a line of text takes at most, in a common sans-serif font.
double eri_svg_width(const char *words, double size);

/// The text, or as much of its two ends as fits a width, with an ellipsis between; NULL when there is no memory.
const char *eri_svg_fit(er_arena *arena, const char *words, double size, double width);

#endif
