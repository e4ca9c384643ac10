// What all panels of a drawing have: a heading, and a grid with its numbers.
#include "formats/plot/panel.h"

#include <math.h>

#include "formats/plot/svg.h"

void er_panel_heading(er_out *out, er_frame frame, const char *name, const char *besides)
{
    er_out_printf(out, "<text x=\"%d\" y=\"%.1f\"><tspan font-weight=\"bold\">", ER_PLOT_LEFT, frame.top - 10.0);
    er_svg_escaped(out, name);
    er_out_text(out, "</tspan><tspan dx=\"10\" fill=\"#666\">");
    er_svg_escaped(out, besides);
    er_out_text(out, "</tspan></text>\n");
}

void er_panel_grid(er_out *out, er_frame frame, const er_axis *across, const er_axis *up, const char *unit)
{
    const double name_room = 14.0, line_room = 24.0;
    er_ticks x = er_axis_ticks(across, name_room, true), y = er_axis_ticks(up, line_room, false);
    er_out_text(out, "<path d=\"");
    for (int i = 0; i < x.count; ++i)
        er_out_printf(out, "M%.1f %.1fV%.1f", er_axis_at(across, x.value[i]), frame.top, frame.bottom);
    for (int i = 0; i < y.count; ++i)
        er_out_printf(out, "M%d %.1fH%d", ER_PLOT_LEFT, er_axis_at(up, y.value[i]), ER_PLOT_RIGHT);
    er_out_text(out, "\" stroke=\"#e4e4e4\"/>\n");
    er_out_printf(out, "<path d=\"M%d %.1fV%.1fH%d\" stroke=\"#999\" fill=\"none\"/>\n", ER_PLOT_LEFT, frame.top,
                  frame.bottom, ER_PLOT_RIGHT);
    if (up->low < 0.0 && up->high > 0.0)
        er_out_printf(out, "<path class=\"zero\" d=\"M%d %.1fH%d\" stroke=\"#999\"/>\n", ER_PLOT_LEFT,
                      er_axis_at(up, 0.0), ER_PLOT_RIGHT);
    for (int i = 0; i < x.count; ++i)
        er_svg_text(out, er_axis_at(across, x.value[i]), frame.bottom + 15.0,
                    " class=\"x\" text-anchor=\"middle\" fill=\"#666\"", x.name[i]);
    for (int i = 0; i < y.count; ++i)
        er_svg_text(out, ER_PLOT_LEFT - 6.0, er_axis_at(up, y.value[i]) + 4.0,
                    " class=\"y\" text-anchor=\"end\" fill=\"#666\"", y.name[i]);
    double beside = ER_PLOT_RIGHT + 24.0;
    if (x.count > 0)
        beside = fmax(beside, er_axis_at(across, x.value[x.count - 1]) +
                                  er_svg_width(x.name[x.count - 1], ER_SVG_FONT) / 2.0 + 10.0);
    er_svg_text(out, beside, frame.bottom + 15.0, " fill=\"#666\"", unit);
}
