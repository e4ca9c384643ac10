// Draws the parts that all panels have: a heading, and a grid with its numbers.
#include "formats/plot/panel.h"

#include <math.h>

#include "formats/plot/svg.h"

void eri_panels_begin(eri_out *out, double height, const char *title)
{
    eri_out_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
                   "font-family=\"sans-serif\" font-size=\"%d\" fill=\"#333\" role=\"img\">\n<title>",
                   ERI_PLOT_WIDTH, height, ERI_PLOT_WIDTH, height, ERI_SVG_FONT);
    eri_svg_escaped(out, title);
    eri_out_text(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void eri_panel_key(eri_out *out, double y, const char *colour, const char *words)
{
    eri_out_printf(out, "<path d=\"M%d %.1fh18\" stroke=\"%s\" stroke-width=\"1.6\"/>\n", ERI_PLOT_RIGHT + 14, y,
                   colour);
    eri_svg_text(out, ERI_PLOT_RIGHT + 38.0, y + 4.0, "", words);
}

void eri_panel_heading(eri_out *out, eri_frame frame, const char *name, const char *besides)
{
    eri_out_printf(out, "<text x=\"%d\" y=\"%.1f\"><tspan font-weight=\"bold\">", ERI_PLOT_LEFT, frame.top - 10.0);
    eri_svg_escaped(out, name);
    eri_out_text(out, "</tspan><tspan dx=\"10\" fill=\"#666\">");
    eri_svg_escaped(out, besides);
    eri_out_text(out, "</tspan></text>\n");
}

void eri_panel_grid(eri_out *out, eri_frame frame, const eri_axis *across, const eri_axis *up, const char *unit)
{
    const double name_room = 14.0, line_room = 24.0;
    eri_ticks x = eri_axis_ticks(across, name_room, true), y = eri_axis_ticks(up, line_room, false);
    eri_out_text(out, "<path d=\"");
    for (int i = 0; i < x.count; ++i)
        eri_out_printf(out, "M%.1f %.1fV%.1f", eri_axis_at(across, x.value[i]), frame.top, frame.bottom);
    for (int i = 0; i < y.count; ++i)
        eri_out_printf(out, "M%d %.1fH%d", ERI_PLOT_LEFT, eri_axis_at(up, y.value[i]), ERI_PLOT_RIGHT);
    eri_out_text(out, "\" stroke=\"#e4e4e4\"/>\n");
    eri_out_printf(out, "<path d=\"M%d %.1fV%.1fH%d\" stroke=\"#999\" fill=\"none\"/>\n", ERI_PLOT_LEFT, frame.top,
                   frame.bottom, ERI_PLOT_RIGHT);
    if (up->low < 0.0 && up->high > 0.0)
        eri_out_printf(out, "<path class=\"zero\" d=\"M%d %.1fH%d\" stroke=\"#999\"/>\n", ERI_PLOT_LEFT,
                       eri_axis_at(up, 0.0), ERI_PLOT_RIGHT);
    for (int i = 0; i < x.count; ++i)
        eri_svg_text(out, eri_axis_at(across, x.value[i]), frame.bottom + 15.0,
                     " class=\"x\" text-anchor=\"middle\" fill=\"#666\"", x.name[i]);
    for (int i = 0; i < y.count; ++i)
        eri_svg_text(out, ERI_PLOT_LEFT - 6.0, eri_axis_at(up, y.value[i]) + 4.0,
                     " class=\"y\" text-anchor=\"end\" fill=\"#666\"", y.name[i]);
    double beside = ERI_PLOT_RIGHT + 24.0;
    if (x.count > 0)
        beside = fmax(beside, eri_axis_at(across, x.value[x.count - 1]) +
                                  eri_svg_width(x.name[x.count - 1], ERI_SVG_FONT) / 2.0 + 10.0);
    eri_svg_text(out, beside, frame.bottom + 15.0, " fill=\"#666\"", unit);
}

const char *eri_line_colour(int index)
{
    static const char *const colour[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a6a00", "#56b4e9"};
    return colour[index % (int)ERI_COUNT(colour)];
}

static void put_line(eri_out *out, int count, const double *time, const eri_line *l, const eri_axis *across,
                     const eri_axis *up)
{
    int step = 1 + count / 4000;
    eri_out_text(out, "<polyline points=\"");
    for (int f = 0; f < count; f += step)
        eri_out_printf(out, "%.1f,%.2f ", eri_axis_at(across, time[f]), eri_axis_at(up, l->value[f]));
    eri_out_printf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n", l->colour);
}

static eri_axis values_axis(eri_frame frame, int count, int lines, const eri_line *line)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < lines; ++k)
        for (int f = 0; f < count; ++f) {
            low = fmin(low, line[k].value[f]);
            high = fmax(high, line[k].value[f]);
        }
    double air = fmax(0.04 * (high - low), fmax(1e-12 * fmax(fabs(low), fabs(high)), 1e-30));
    return (eri_axis){false, low - air, high + air, frame.bottom, frame.top};
}

er_result eri_panel_lines(eri_out *out, eri_frame frame, int count, const double *time, int lines, const eri_line *line,
                          const char *name, const char *besides)
{
    double begin = time[0], end = time[count - 1];
    eri_axis across = {false, begin, end > begin ? end : begin + 1.0, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
    eri_axis up = values_axis(frame, count, lines, line);
    eri_panel_heading(out, frame, name, besides);
    eri_panel_grid(out, frame, &across, &up, "s");
    for (int k = 0; k < lines; ++k) {
        put_line(out, count, time, &line[k], &across, &up);
        if (lines == 1) continue;
        const double room = ERI_PLOT_WIDTH - ERI_PLOT_RIGHT - 42.0; // right of the key
        const char *words = eri_svg_fit(out->text.arena, line[k].name, ERI_SVG_FONT, room);
        if (words == NULL) return ER_ERROR_MEMORY;
        eri_panel_key(out, frame.top + 14.0 + 18.0 * k, line[k].colour, words);
    }
    return ER_OK;
}
