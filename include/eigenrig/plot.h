/// @file
/// A motion as a picture: curves of the joints that move most, and the spectrum of modes it is mixed from.
#ifndef EIGENRIG_PLOT_H
#define EIGENRIG_PLOT_H

#include <eigenrig/curves.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mode of the spectrum.
typedef struct er_plot_line {
    double hz;         ///< frequency, >= 0, at most 1e50
    double degrees;    ///< amplitude in the mix, at most 1e50; 0 where the mix does not use the mode
    const char *label; ///< what the mode is called, UTF-8; NULL or "": its place in the array, from 0
} er_plot_line;

/// What is drawn; all of it borrowed.
typedef struct er_plot {
    const char *title;        ///< UTF-8; NULL is ""
    const char *subtitle;     ///< UTF-8, a second line; NULL or "" for none
    er_curves curves;         ///< poses are not looked at
    int line_count;           ///< >= 0; 0 for no spectrum
    const er_plot_line *line; ///< [line_count], in any order; NULL where there are none
} er_plot;

/// Writes a drawing as SVG 1.1: white background, colours that any eye tells apart, text as text, the same bytes for
/// the same motion, under 1 MB whatever its length. A 960 pixels wide column of up to three panels:
///   angles    degrees over seconds, at most 12 joints: those that turn most, each by the rotation of its frame that
///             moves most ("shin_l tx")
///   lengths   metres over seconds, likewise, where joints shift
///   spectrum  a stem a mode over Hz (logarithmic where frequencies lie far apart), as high as its amplitude and named
///             with it where the mix uses it (at most 48 names: the largest), a short grey one elsewhere
/// A panel says how many joints, or names, are left out. Names are those of curves.h, cut in the middle where they are
/// too long (whole in the tip shown over a curve); control characters are left out.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a time, a coordinate, a frequency or an amplitude that may not be: named),
///          ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_plot_write(er_context *context, const er_plot *plot, const char *path);

#ifdef __cplusplus
}
#endif
#endif
