// Drawings read back: their texts, and the panels that most of them are made of.
#ifndef TESTS_FORMATS_PLOT_DRAWING_H
#define TESTS_FORMATS_PLOT_DRAWING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/plot/axis.h"

enum { PAPER_LEFT = 60, PAPER_RIGHT = 740, PAPER_WIDE = 960 }; // pixels: edges of all panels, and of the page

/// A line of text; `words` as in the file, without tags.
typedef struct drawn_text {
    double x, y;
    char style[160];
    char words[400];
} drawn_text;

/// The next text between two places.   @return  behind it; NULL: there is none
const char *drawing_text(const char *from, const char *to, drawn_text *out);

/// The text with these words; fails where there is none.
drawn_text drawing_find(const char *from, const char *to, const char *words);

/// Where `mark` stands next; fails where it does not, or only behind `to`.
const char *drawing_mark(const char *from, const char *to, const char *mark);

/// How often it stands there.
int drawing_count(const char *from, const char *to, const char *mark);

/// Where a value stands on an axis, worked out here.
double drawing_place(const eri_axis *axis, double value);

/// A panel's heading, frame, grid and numbers: all stand where these axes have them. `up` goes from the frame's bottom
/// to its top, or to a place below that.
void drawing_expect_panel(const char *from, const char *to, double top, const eri_axis *across, const eri_axis *up,
                          const char *name, const char *besides, const char *unit);

#endif
