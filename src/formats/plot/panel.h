/// @file
/// Private: the panels of a plot.
#ifndef ERI_FORMATS_PLOT_PANEL_H
#define ERI_FORMATS_PLOT_PANEL_H

#include <eigenrig/plots.h>

#include "formats/curves/out.h"
#include "formats/plot/axis.h"

/// Pixels: the width of the picture, and the left and right edge of every panel; names stand right of it.
enum { ERI_PLOT_WIDTH = 960, ERI_PLOT_LEFT = 60, ERI_PLOT_RIGHT = 740 };

/// Pixels between the top of a panel and its frame, where its heading stands, and below its frame, for the ticks.
enum { ERI_PANEL_HEADING = 26, ERI_PANEL_FOOT = 36 };

/// The place of a panel's frame.
typedef struct eri_frame {
    double top, bottom;
} eri_frame;

/// Begins a picture of panels: its title, for readers of the screen, and white paper.
void eri_panels_begin(eri_out *out, double height, const char *title);

/// The key to a line's colour, right of the panels at height y.
void eri_panel_key(eri_out *out, double y, const char *colour, const char *words);

/// A panel's heading: its name, and what is to be said besides.
void eri_panel_heading(eri_out *out, eri_frame frame, const char *name, const char *besides);

/// Grid lines with their names, below the frame and left of it; `unit` behind the former.
void eri_panel_grid(eri_out *out, eri_frame frame, const eri_axis *across, const eri_axis *up, const char *unit);

// --- lines over time

/// A line of a panel.
typedef struct eri_line {
    const char *name, *colour;
    const double *value; ///< [count]
} eri_line;

/// Okabe and Ito's colours (2008), which any eye tells apart; the same again from the seventh on.
const char *eri_line_colour(int index);

/// Draws a panel of lines, with their names beside it if there are several.
/// @param time  [count], s   @param lines  as many as `line` has
/// Errors   ER_ERROR_MEMORY
er_result eri_panel_lines(eri_out *out, eri_frame frame, int count, const double *time, int lines, const eri_line *line,
                          const char *name, const char *besides);

// --- curves over time

enum { ERI_CURVE_MOST = 12 };

/// A joint, and the coordinate of it that moves most.
typedef struct eri_curve {
    int joint;
    int axis;    ///< 0 to 5: er_joint_type_freedom()'s
    int index;   ///< in q
    double peak; ///< largest |q|, rad or m
} eri_curve;

/// Joints that move most, in one kind of coordinates.
typedef struct eri_curve_set {
    bool shifts; ///< lengths; else angles
    int total;   ///< joints with such coordinates
    int count;
    eri_curve curve[ERI_CURVE_MOST]; ///< [count], peaks descending
} eri_curve_set;

/// Chooses them.
/// @param peak  [coordinate_count], largest |q| of each coordinate
void eri_curve_set_pick(const er_model *model, const double *peak, bool shifts, eri_curve_set *out);

enum { ERI_ANGLES_HEIGHT = 270, ERI_LENGTHS_HEIGHT = 170 };

/// Draws them.
/// @param name    [joint_count], names of joints
/// @param period  s, of the mode that the motion is most of; 0 for none
/// @param called  its name
/// Errors   ER_ERROR_MEMORY
er_result eri_curve_set_draw(eri_out *out, eri_frame frame, const er_curves *curves, const eri_curve_set *set,
                             const char *const *name, double period, const char *called);

// --- the spectrum

enum { ERI_LABEL_MOST = 48 };

/// The name of a mode, on a pole over its stem.
typedef struct eri_label {
    int line;
    int row; ///< from 0, upwards
    double x;
    const char *words;
} eri_label;

typedef struct eri_spectrum {
    int count;      ///< modes that the mix uses
    int zero_count; ///< modes at 0 Hz that a logarithmic axis keeps a place for
    int label_count, row_count;
    eri_label label[ERI_LABEL_MOST]; ///< [label_count], from right to left
    eri_axis across;
    double tallest; ///< degrees
} eri_spectrum;

/// The name of a mode.   NULL without memory.
const char *eri_line_name(er_arena *arena, const er_curves_figure *plot, int line);

/// Lays a spectrum out.   Errors: ER_ERROR_MEMORY
er_result eri_spectrum_arrange(er_arena *arena, const er_curves_figure *plot, eri_spectrum *out);

/// Pixels of its frame.
double eri_spectrum_height(const eri_spectrum *spectrum);

/// Draws it.   Errors: ER_ERROR_MEMORY
er_result eri_spectrum_draw(eri_out *out, eri_frame frame, const er_curves_figure *plot, const eri_spectrum *spectrum);

#endif
