/// @file
/// Private: drawings as PDF.
#ifndef ERI_FORMATS_PLOT_PDF_H
#define ERI_FORMATS_PLOT_PDF_H

#include "formats/curves/out.h"

/// Writes a drawing, whole or not at all: as PDF where the path ends in .pdf, which takes the program rsvg-convert,
/// else as the SVG that it is.
/// Errors   ER_ERROR_MEMORY, ER_ERROR_FILE, ER_ERROR_SYSTEM (no rsvg-convert, or it fails)
er_result eri_drawing_write(const eri_out *svg, const char *path);

#endif
