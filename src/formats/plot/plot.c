// A motion as a drawing: panels of joints that move most and the spectrum, one below the other.
#include <eigenrig/plots.h>

#include <math.h>

#include "formats/curves/curve_names.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

typedef struct sheet {
    eri_out out;
    const er_curves_figure *plot;
    const char **name; // [joint_count]
    eri_curve_set angles, lengths;
    eri_spectrum spectrum;
    double y; // where the next panel starts
} sheet;

// --- arguments

static er_result check_lines(er_context *context, const er_curves_figure *plot, const char *path)
{
    const double most = 1e50; // as er_curves' numbers
    for (int i = 0; i < plot->line_count; ++i) {
        double hz = plot->line[i].hz, degrees = plot->line[i].degrees;
        if (!(hz >= 0.0 && hz <= most) || !(degrees >= 0.0 && degrees <= most))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s: cannot be written: line %d of the spectrum has %g degrees at %g Hz; both must be "
                           "finite, none below 0",
                           eri_path_name(path), i, degrees, hz);
    }
    return ER_OK;
}

static er_result check(er_context *context, const er_curves_figure *plot, const char *path)
{
    if (plot == NULL || plot->line_count < 0 || (plot->line_count > 0 && plot->line == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_curves_plot needs a plot, and as many lines as it counts");
    er_curves curves = plot->curves;
    curves.pose = NULL;
    er_result r = eri_curves_check(context, &curves, path, "er_curves_plot");
    return r == ER_OK ? check_lines(context, plot, path) : r;
}

// --- layout

static er_result pick_movers(sheet *s)
{
    er_result r = ER_OK;
    const er_curves *c = &s->plot->curves;
    const er_model *m = c->model;
    double *peak;
    ERI_TRY_NEW(peak, s->out.text.arena, double, m->coordinate_count);
    for (int f = 0; f < c->frame_count; ++f)
        for (int i = 0; i < m->coordinate_count; ++i)
            peak[i] = fmax(peak[i], fabs(c->q[(size_t)f * (size_t)m->coordinate_count + (size_t)i]));
    eri_curve_set_pick(m, peak, false, &s->angles);
    eri_curve_set_pick(m, peak, true, &s->lengths);
done:
    return r;
}

static bool shows_angles(const sheet *s)
{
    return s->angles.count > 0 || s->lengths.count == 0; // a plot of no motion says so there
}

static double panel_height(double frame)
{
    return ERI_PANEL_HEADING + frame + ERI_PANEL_FOOT;
}

static eri_frame next_frame(sheet *s, double height)
{
    eri_frame frame = {s->y + ERI_PANEL_HEADING, s->y + ERI_PANEL_HEADING + height};
    s->y += panel_height(height);
    return frame;
}

static bool has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

static double title_height(const er_curves_figure *plot)
{
    return 12.0 + (has_text(plot->title) ? 22.0 : 0.0) + (has_text(plot->subtitle) ? 18.0 : 0.0);
}

// --- drawing

static er_result put_titles(sheet *s)
{
    const char *line[2] = {s->plot->title, s->plot->subtitle};
    const double size[2] = {16.0, ERI_SVG_FONT}, below[2] = {17.0, 10.0};
    static const char *const style[2] = {" font-size=\"16\" font-weight=\"bold\"", " fill=\"#666\""};
    double y = 12.0;
    for (int i = 0; i < 2; ++i) {
        if (!has_text(line[i])) continue;
        double bold = i == 0 ? 1.2 : 1.0;
        const char *words =
            eri_svg_fit(s->out.text.arena, line[i], bold * size[i], ERI_PLOT_WIDTH - ERI_PLOT_LEFT - 8.0);
        if (words == NULL) return ER_ERROR_MEMORY;
        eri_svg_text(&s->out, ERI_PLOT_LEFT, y + below[i], style[i], words);
        y += i == 0 ? 22.0 : 18.0;
    }
    return ER_OK;
}

// The mode of the largest amplitude that has a period; -1 without one.
static int strongest(const er_curves_figure *plot)
{
    int best = -1;
    for (int i = 0; i < plot->line_count; ++i)
        if (plot->line[i].hz > 0.0 && plot->line[i].degrees > (best >= 0 ? plot->line[best].degrees : 0.0)) best = i;
    return best;
}

static er_result put_movers(sheet *s)
{
    er_result r = ER_OK;
    const er_curves_figure *plot = s->plot;
    int main_mode = strongest(plot);
    double period = main_mode >= 0 ? 1.0 / plot->line[main_mode].hz : 0.0;
    const char *called = main_mode >= 0 ? eri_line_name(s->out.text.arena, plot, main_mode) : "";
    ERI_TRY(called != NULL ? ER_OK : ER_ERROR_MEMORY);
    if (shows_angles(s))
        ERI_TRY(eri_curve_set_draw(&s->out, next_frame(s, ERI_ANGLES_HEIGHT), &plot->curves, &s->angles, s->name,
                                   period, called));
    if (s->lengths.count > 0)
        ERI_TRY(eri_curve_set_draw(&s->out, next_frame(s, ERI_LENGTHS_HEIGHT), &plot->curves, &s->lengths, s->name,
                                   shows_angles(s) ? 0.0 : period, called));
done:
    return r;
}

static er_result draw(sheet *s)
{
    er_result r = ER_OK;
    const er_curves_figure *plot = s->plot;
    ERI_TRY(pick_movers(s));
    ERI_TRY(eri_spectrum_arrange(s->out.text.arena, plot, &s->spectrum));
    s->y = title_height(plot);
    double height = s->y + (shows_angles(s) ? panel_height(ERI_ANGLES_HEIGHT) : 0.0) +
                    (s->lengths.count > 0 ? panel_height(ERI_LENGTHS_HEIGHT) : 0.0) +
                    (plot->line_count > 0 ? panel_height(eri_spectrum_height(&s->spectrum)) : 0.0);
    eri_svg_begin(&s->out, ERI_PLOT_WIDTH, height, has_text(plot->title) ? plot->title : plot->curves.model->name);
    ERI_TRY(put_titles(s));
    ERI_TRY(put_movers(s));
    if (plot->line_count > 0)
        ERI_TRY(eri_spectrum_draw(&s->out, next_frame(s, eri_spectrum_height(&s->spectrum)), plot, &s->spectrum));
    eri_out_text(&s->out, "</svg>\n");
done:
    return r;
}

er_result er_curves_plot(er_context *context, const er_curves_figure *plot, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    sheet s = {.plot = plot};
    ERI_TRY(check(context, plot, path));
    ERI_TRY(eri_out_begin(&s.out, context));
    s.name = eri_joint_names(s.out.text.arena, plot->curves.model);
    ERI_TRY(s.name != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(draw(&s));
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}
