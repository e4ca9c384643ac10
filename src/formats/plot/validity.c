// How far modes are true as a drawing: shift and leakage over amplitude, a line a mode.
#include <eigenrig/formats.h>

#include <math.h>
#include <stdio.h>

#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { HEIGHT = 290, TOP = 52, NAMES = 15 };
static const double least = 1e-9; // smaller ones are drawn there

typedef struct sheet {
    er_out out;
    const er_validity *validity;
    er_axis across;
} sheet;

static double shift_of(const er_trial *t)
{
    return fabs(t->shift);
}

static double leakage_of(const er_trial *t)
{
    return t->leakage;
}

// From blue, the lowest mode, by green to red; of one lightness, so that any line is seen.
static void put_colour(const sheet *s, int k, char colour[40])
{
    double share = s->validity->count > 1 ? (double)k / (s->validity->count - 1) : 0.0;
    snprintf(colour, 40, "hsl(%.0f,70%%,42%%)", 220.0 * (1.0 - share));
}

static void put_line(sheet *s, int k, const er_axis *up, double (*value)(const er_trial *))
{
    const er_mode_validity *mode = &s->validity->mode[k];
    char colour[40];
    put_colour(s, k, colour);
    er_out_text(&s->out, "<polyline points=\"");
    for (int i = 0; i < mode->trial_count; ++i)
        er_out_printf(&s->out, "%.1f,%.1f ", er_axis_at(&s->across, mode->trial[i].degrees),
                      er_axis_at(up, fmax(value(&mode->trial[i]), least)));
    er_out_printf(&s->out,
                  "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\" stroke-linejoin=\"round\"><title>mode "
                  "%d</title></polyline>\n",
                  colour, mode->mode);
}

static void put_panel(sheet *s, double top, const char *name, const char *besides, double (*value)(const er_trial *))
{
    er_frame frame = {top, top + HEIGHT};
    er_axis up = {true, least, 1.0, frame.bottom, frame.top};
    er_panel_heading(&s->out, frame, name, besides);
    er_panel_grid(&s->out, frame, &s->across, &up, "degrees");
    for (int k = 0; k < s->validity->count; ++k)
        put_line(s, k, &up, value);
    if (value != shift_of) return;
    er_out_printf(&s->out, "<path d=\"M%d %.1fH%d\" stroke=\"#333\" stroke-dasharray=\"5 4\"/>\n", ER_PLOT_LEFT,
                  er_axis_at(&up, s->validity->shift), ER_PLOT_RIGHT);
}

// At most NAMES of the modes, evenly from the lowest to the highest, and how far each is true.
static void put_names(sheet *s, double top)
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
        er_out_printf(&s->out, "<path d=\"M%d %.1fh18\" stroke=\"%s\" stroke-width=\"1.6\"/>\n", ER_PLOT_RIGHT + 14, y,
                      colour);
        er_svg_text(&s->out, ER_PLOT_RIGHT + 38.0, y + 4.0, "", words);
    }
}

static void draw(sheet *s, const char *title)
{
    double first = TOP + ER_PANEL_HEADING, second = first + HEIGHT + ER_PANEL_FOOT + ER_PANEL_HEADING;
    int height = (int)(second + HEIGHT + ER_PANEL_FOOT);
    char besides[80];
    er_out_printf(&s->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                  "font-family=\"sans-serif\" font-size=\"%d\" fill=\"#333\" role=\"img\">\n<title>",
                  ER_PLOT_WIDTH, height, ER_PLOT_WIDTH, height, ER_SVG_FONT);
    er_svg_escaped(&s->out, title);
    er_out_text(&s->out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    er_svg_text(&s->out, ER_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title);
    s->across = (er_axis){true, 0.01, 60.0, ER_PLOT_LEFT, ER_PLOT_RIGHT};
    snprintf(besides, sizeof besides, "of the modal one, over amplitude; dashed: %.3g %%", 100.0 * s->validity->shift);
    put_panel(s, first, "Shift of the frequency", besides, shift_of);
    put_names(s, first);
    put_panel(s, second, "Leakage", "share of the energy in other modes after ten periods", leakage_of);
    er_out_text(&s->out, "</svg>\n");
}

er_result er_validity_plot(er_context *context, const er_validity *validity, const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (validity == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_validity_plot needs a validity and a path");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    sheet s = {.validity = validity};
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_out_begin(&s.out, arena));
    draw(&s, title != NULL ? title : "");
    ER_TRY(er_out_write(&s.out, path));
done:
    er_out_end(&s.out);
    er_arena_destroy(arena);
    return r;
}
