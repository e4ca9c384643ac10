/// @file
/// Private: the panels of a plot.
#ifndef ER_FORMATS_PLOT_PANEL_H
#define ER_FORMATS_PLOT_PANEL_H

#include <eigenrig/formats.h>

#include "formats/curves/out.h"
#include "formats/plot/axis.h"

/// Pixels: the width of the picture, and the left and right edge of every panel; names stand right of it.
enum { ER_PLOT_WIDTH = 960, ER_PLOT_LEFT = 60, ER_PLOT_RIGHT = 740 };

/// Pixels between the top of a panel and its frame, where its heading stands, and below its frame, for the ticks.
enum { ER_PANEL_HEADING = 26, ER_PANEL_FOOT = 36 };

/// The place of a panel's frame.
typedef struct er_frame {
    double top, bottom;
} er_frame;

/// A panel's heading: its name, and what is to be said besides.
void er_panel_heading(er_out *out, er_frame frame, const char *name, const char *besides);

/// Grid lines with their names, below the frame and left of it; `unit` behind the former.
void er_panel_grid(er_out *out, er_frame frame, const er_axis *across, const er_axis *up, const char *unit);

// --- curves over time

enum { ER_MOVER_MOST = 12 };

/// A joint, and the coordinate of it that moves most.
typedef struct er_mover {
    int joint;
    int axis;    ///< 0 to 5: er_joint_type_freedom()'s
    int index;   ///< in q
    double peak; ///< largest |q|, rad or m
} er_mover;

/// Joints that move most, in one kind of coordinates.
typedef struct er_movers {
    bool shifts; ///< lengths; else angles
    int total;   ///< joints with such coordinates
    int count;
    er_mover mover[ER_MOVER_MOST]; ///< [count], peaks descending
} er_movers;

/// Chooses them.
/// @param peak  [coordinate_count], largest |q| of each coordinate
void er_movers_pick(const er_model *model, const double *peak, bool shifts, er_movers *out);

enum { ER_ANGLES_HEIGHT = 270, ER_LENGTHS_HEIGHT = 170 };

/// Draws them.
/// @param name    [joint_count], names of joints
/// @param period  s, of the mode that the motion is most of; 0 for none
/// @param called  its name
/// Errors   ER_ERROR_MEMORY
er_result er_movers_draw(er_out *out, er_frame frame, const er_curves *curves, const er_movers *movers,
                         const char *const *name, double period, const char *called);

// --- the spectrum

enum { ER_FLAG_MOST = 48 };

/// The name of a mode, on a pole over its stem.
typedef struct er_flag {
    int line;
    int row; ///< from 0, upwards
    double x;
    const char *words;
} er_flag;

typedef struct er_spectrum {
    int count;      ///< modes that the mix uses
    int zero_count; ///< modes at 0 Hz that a logarithmic axis keeps a place for
    int flag_count, row_count;
    er_flag flag[ER_FLAG_MOST]; ///< [flag_count], from right to left
    er_axis across;
    double tallest; ///< degrees
} er_spectrum;

/// What a mode is called.   NULL when there is no memory.
const char *er_line_name(er_arena *arena, const er_plot *plot, int line);

/// Lays a spectrum out.   Errors: ER_ERROR_MEMORY
er_result er_spectrum_arrange(er_arena *arena, const er_plot *plot, er_spectrum *out);

/// Pixels of its frame.
double er_spectrum_height(const er_spectrum *spectrum);

/// Draws it.   Errors: ER_ERROR_MEMORY
er_result er_spectrum_draw(er_out *out, er_frame frame, const er_plot *plot, const er_spectrum *spectrum);

#endif
