/// @file
/// Private: text and lines of an SVG file.
#ifndef ER_FORMATS_PLOT_SVG_H
#define ER_FORMATS_PLOT_SVG_H

#include "formats/curves/out.h"

enum { ER_SVG_FONT = 11 }; ///< pixels, of all text that says nothing else

/// Characters as XML text: <, >, & and quotes escaped, controls and what XML 1.0 may not hold left out, bytes that are
/// not UTF-8 as U+FFFD.
void er_svg_escaped(er_out *out, const char *words);

/// One line of text with its left end, or its middle or right end, at x; `more` are further attributes, "" for none.
void er_svg_text(er_out *out, double x, double y, const char *more, const char *words);

/// Pixels that a line of text takes at most, in a common sans-serif font.
double er_svg_width(const char *words, double size);

/// The text, or as much of its two ends as fits a width, with an ellipsis between; NULL when there is no memory.
const char *er_svg_fit(er_arena *arena, const char *words, double size, double width);

#endif
