// How far modes are true as a drawing: shift and leakage over amplitude, a line a mode.
#include <eigenrig/plots.h>

#include <math.h>
#include <stdio.h>

#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { HEIGHT = 290, TOP = 52, NAMES = 15 };
static const double least = 1e-9; // smaller ones are drawn there

typedef struct validity_sheet {
    eri_out out;
    const er_validity *validity;
    eri_axis across;
} validity_sheet;

static double shift_of(const er_trial *t)
{
    return fabs(t->shift);
}

static double leakage_of(const er_trial *t)
{
    return t->leakage;
}

// From blue, the lowest mode, by green to red; of one lightness, so that any line is seen.
static void put_colour(const validity_sheet *s, int k, char colour[40])
{
    double share = s->validity->count > 1 ? (double)k / (s->validity->count - 1) : 0.0;
    snprintf(colour, 40, "hsl(%.0f,70%%,42%%)", 220.0 * (1.0 - share));
}

static void put_line(validity_sheet *s, int k, const eri_axis *up, double (*value)(const er_trial *))
{
    const er_mode_validity *mode = &s->validity->mode[k];
    char colour[40];
    put_colour(s, k, colour);
    eri_out_text(&s->out, "<polyline points=\"");
    for (int i = 0; i < mode->trial_count; ++i)
        eri_out_printf(&s->out, "%.1f,%.1f ", eri_axis_at(&s->across, mode->trial[i].degrees),
                       eri_axis_at(up, fmax(value(&mode->trial[i]), least)));
    eri_out_printf(&s->out,
                   "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\" stroke-linejoin=\"round\"><title>mode "
                   "%d</title></polyline>\n",
                   colour, mode->mode);
}

static void put_panel(validity_sheet *s, double top, const char *name, const char *besides,
                      double (*value)(const er_trial *))
{
    eri_frame frame = {top, top + HEIGHT};
    eri_axis up = {true, least, 1.0, frame.bottom, frame.top};
    eri_panel_heading(&s->out, frame, name, besides);
    eri_panel_grid(&s->out, frame, &s->across, &up, "degrees");
    for (int k = 0; k < s->validity->count; ++k)
        put_line(s, k, &up, value);
    if (value != shift_of) return;
    eri_out_printf(&s->out, "<path d=\"M%d %.1fH%d\" stroke=\"#333\" stroke-dasharray=\"5 4\"/>\n", ERI_PLOT_LEFT,
                   eri_axis_at(&up, s->validity->shift), ERI_PLOT_RIGHT);
}

// At most NAMES of the modes, evenly from the lowest to the highest, and how far each is true.
static void put_names(validity_sheet *s, double top)
{
    int count = s->validity->count, shown = count < NAMES ? count : NAMES;
    char colour[40], words[80];
    for (int i = 0; i < shown; ++i) {
        int k = shown > 1 ? i * (count - 1) / (shown - 1) : 0;
        const er_mode_validity *mode = &s->validity->mode[k];
        double y = top + 14.0 + 18.0 * i;
        put_colour(s, k, colour);
        snprintf(words, sizeof words, "mode %d: true to %s%.3g\u00b0", mode->mode, mode->at_least ? "\u2265 " : "",
                 mode->true_to_degrees);
        eri_out_printf(&s->out, "<path d=\"M%d %.1fh18\" stroke=\"%s\" stroke-width=\"1.6\"/>\n", ERI_PLOT_RIGHT + 14,
                       y, colour);
        eri_svg_text(&s->out, ERI_PLOT_RIGHT + 38.0, y + 4.0, "", words);
    }
}

static void draw(validity_sheet *s, const char *title)
{
    double first = TOP + ERI_PANEL_HEADING, second = first + HEIGHT + ERI_PANEL_FOOT + ERI_PANEL_HEADING;
    int height = (int)(second + HEIGHT + ERI_PANEL_FOOT);
    char besides[80];
    eri_svg_begin(&s->out, ERI_PLOT_WIDTH, height, title);
    eri_svg_text(&s->out, ERI_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title);
    s->across = (eri_axis){true, 0.01, 60.0, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
    snprintf(besides, sizeof besides, "of the modal one, over amplitude; dashed: %.3g %%", 100.0 * s->validity->shift);
    put_panel(s, first, "Shift of the frequency", besides, shift_of);
    put_names(s, first);
    put_panel(s, second, "Leakage", "share of the energy in other modes after ten periods", leakage_of);
    eri_out_text(&s->out, "</svg>\n");
}

er_result er_validity_plot(er_context *context, const er_validity *validity, const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (validity == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_validity_plot needs a validity and a path");
    er_result r = ER_OK;
    validity_sheet s = {.validity = validity};
    ERI_TRY(eri_out_begin(&s.out, context));
    draw(&s, title != NULL ? title : "");
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}
