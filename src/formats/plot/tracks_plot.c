// Frequencies over a change of springs as a drawing: a line a mode, which keeps its colour through crossings.
#include <eigenrig/plots.h>

#include <math.h>
#include <stdio.h>

#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { TOP = 52, HEIGHT = 520, NAMES = 28 };
static const double sure = 0.8;       // certainty below which a line is dashed
static const double far_apart = 20.0; // a ratio of frequencies that a logarithmic axis shows better

typedef struct tracks_sheet {
    eri_out out;
    const er_mode_tracks *tracks;
    const char *const *name; // [count]
    eri_axis across, up;
} tracks_sheet;

static double hz_at(const tracks_sheet *s, int point, int k)
{
    return s->tracks->hz[(ptrdiff_t)point * s->tracks->count + k];
}

static bool is_sure(const tracks_sheet *s, int point, int k)
{
    return s->tracks->certainty[(ptrdiff_t)point * s->tracks->count + k] >= sure;
}

static void put_axes(tracks_sheet *s, eri_frame frame)
{
    const er_mode_tracks *t = s->tracks;
    double least = HUGE_VAL, most = 0.0;
    for (int p = 0; p < t->point_count; ++p)
        for (int k = 0; k < t->count; ++k) {
            double hz = hz_at(s, p, k);
            if (!(hz > 0.0)) continue; // also if lost
            least = fmin(least, hz);
            most = fmax(most, hz);
        }
    if (!(most > 0.0)) least = most = 1.0;
    s->across = (eri_axis){true, t->factor[0], t->factor[t->point_count - 1], ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
    bool far = most > far_apart * least;
    s->up = (eri_axis){far, far ? least / 1.06 : 0.0, most * 1.06, frame.bottom, frame.top};
}

// The way from one point to the next.
static void put_stretch(tracks_sheet *s, int p, int k)
{
    double from = hz_at(s, p - 1, k), to = hz_at(s, p, k);
    if (!(from > 0.0 && to > 0.0)) return;
    // Points below the rig as it is are reached from above, so the earlier one tells how certain the way is.
    bool certain = is_sure(s, s->tracks->factor[p] <= 1.0 ? p - 1 : p, k);
    eri_out_printf(&s->out, "M%.1f %.2fL%.1f %.2f", eri_axis_at(&s->across, s->tracks->factor[p - 1]),
                   eri_axis_at(&s->up, from), eri_axis_at(&s->across, s->tracks->factor[p]), eri_axis_at(&s->up, to));
    if (!certain)
        eri_out_printf(&s->out,
                       "\" stroke-dasharray=\"3 3\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/>\n<path d=\"",
                       eri_line_colour(k));
}

static void put_track(tracks_sheet *s, int k)
{
    eri_out_text(&s->out, "<g><title>");
    eri_svg_escaped(&s->out, s->name[k]);
    eri_out_text(&s->out, "</title><path d=\"M0 0");
    for (int p = 1; p < s->tracks->point_count; ++p)
        put_stretch(s, p, k);
    eri_out_printf(&s->out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/></g>\n", eri_line_colour(k));
}

static er_result put_names(tracks_sheet *s, double top)
{
    for (int k = 0; k < s->tracks->count && k < NAMES; ++k) {
        const char *words =
            eri_svg_fit(s->out.text.arena, s->name[k], ERI_SVG_FONT, ERI_PLOT_WIDTH - ERI_PLOT_RIGHT - 42.0);
        if (words == NULL) return ER_ERROR_MEMORY;
        eri_panel_key(&s->out, top + 14.0 + 18.0 * k, eri_line_colour(k), words);
    }
    return ER_OK;
}

static er_result draw(tracks_sheet *s, const char *title)
{
    eri_frame frame = {TOP + ERI_PANEL_HEADING, TOP + ERI_PANEL_HEADING + HEIGHT};
    eri_panels_begin(&s->out, frame.bottom + ERI_PANEL_FOOT, title);
    eri_svg_text(&s->out, ERI_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title);
    put_axes(s, frame);
    eri_panel_heading(&s->out, frame, "Frequency in Hz", "over the factor of stiffness; dashed: modes mix on the way");
    eri_panel_grid(&s->out, frame, &s->across, &s->up, "of the stiffness");
    for (int k = 0; k < s->tracks->count; ++k)
        put_track(s, k);
    er_result r = put_names(s, frame.top);
    eri_out_text(&s->out, "</svg>\n");
    return r;
}

er_result er_mode_tracks_plot(er_context *context, const er_mode_tracks *tracks, const char *const *name,
                              const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (tracks == NULL || (name == NULL && tracks->count > 0) || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mode_tracks_plot needs tracks, names of their modes and a path");
    er_result r = ER_OK;
    tracks_sheet s = {.tracks = tracks, .name = name};
    ERI_TRY(eri_out_begin(&s.out, context));
    ERI_TRY(draw(&s, title != NULL ? title : ""));
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}
