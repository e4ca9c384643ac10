// A simulation's energies as a drawing: what there is of each kind, and how far the balance is from closing.
#include <math.h>
#include <stdio.h>

#include "formats/curves/frames_csv.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { HEIGHT = 270, TOP = 52, KINDS = 4 };

typedef struct line {
    const char *name, *colour;
    double *value; // [frame_count], J
} line;

typedef struct energy_sheet {
    eri_out out;
    const er_world_frames *frames;
    line kind[KINDS];
    line balance;
} energy_sheet;

static er_result take_energies(energy_sheet *s)
{
    // Okabe and Ito's colours (2008), told apart by any eye
    static const char *const name[KINDS] = {"kinetic", "potential", "elastic", "mechanical"};
    static const char *const colour[KINDS] = {"#d55e00", "#0072b2", "#009e73", "#333333"};
    er_result r = ER_OK;
    int count = s->frames->frame_count;
    const er_world_energy *e = s->frames->energy;
    for (int k = 0; k < KINDS; ++k) {
        s->kind[k] = (line){.name = name[k], .colour = colour[k]};
        ERI_TRY_NEW(s->kind[k].value, s->out.text.arena, double, count);
    }
    s->balance = (line){.name = "error", .colour = "#333333"};
    ERI_TRY_NEW(s->balance.value, s->out.text.arena, double, count);
    for (int f = 0; f < count; ++f) {
        const double value[KINDS] = {e[f].kinetic, e[f].potential, e[f].elastic, e[f].mechanical};
        for (int k = 0; k < KINDS; ++k)
            s->kind[k].value[f] = value[k];
        s->balance.value[f] = (e[f].mechanical - e[f].work + e[f].heat) - (e->mechanical - e->work + e->heat);
    }
done:
    return r;
}

static double deviation(const double *value, int count)
{
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < count; ++i)
        mean += value[i] / count;
    for (int i = 0; i < count; ++i)
        sum += (value[i] - mean) * (value[i] - mean) / count;
    return sqrt(sum);
}

static void put_line(energy_sheet *s, const line *l, const eri_axis *across, const eri_axis *up)
{
    int count = s->frames->frame_count, step = 1 + count / 4000;
    eri_out_text(&s->out, "<polyline points=\"");
    for (int f = 0; f < count; f += step)
        eri_out_printf(&s->out, "%.1f,%.2f ", eri_axis_at(across, s->frames->time[f]), eri_axis_at(up, l->value[f]));
    eri_out_printf(&s->out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n",
                   l->colour);
}

static void put_panel(energy_sheet *s, double top, const line *lines, int count, const char *name, const char *besides)
{
    const er_world_frames *frames = s->frames;
    eri_frame frame = {top, top + HEIGHT};
    double low = HUGE_VAL, high = -HUGE_VAL, begin = frames->time[0], end = frames->time[frames->frame_count - 1];
    for (int k = 0; k < count; ++k)
        for (int f = 0; f < frames->frame_count; ++f) {
            low = fmin(low, lines[k].value[f]);
            high = fmax(high, lines[k].value[f]);
        }
    double air = fmax(0.04 * (high - low), fmax(1e-12 * fmax(fabs(low), fabs(high)), 1e-30));
    eri_axis across = {false, begin, end > begin ? end : begin + 1.0, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
    eri_axis up = {false, low - air, high + air, frame.bottom, frame.top};
    eri_panel_heading(&s->out, frame, name, besides);
    eri_panel_grid(&s->out, frame, &across, &up, "s");
    for (int k = 0; k < count; ++k) {
        put_line(s, &lines[k], &across, &up);
        if (count == 1) continue;
        eri_panel_key(&s->out, frame.top + 14.0 + 18.0 * k, lines[k].colour, lines[k].name);
    }
}

static er_result draw(energy_sheet *s, const char *title)
{
    er_result r = ER_OK;
    char besides[80];
    int height = TOP + 2 * (ERI_PANEL_HEADING + HEIGHT + ERI_PANEL_FOOT);
    ERI_TRY(take_energies(s));
    eri_panels_begin(&s->out, height, title);
    eri_svg_text(&s->out, ERI_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title);
    put_panel(s, TOP + ERI_PANEL_HEADING, s->kind, KINDS, "Energies", "joules over seconds");
    snprintf(besides, sizeof besides, "joules; standard deviation %.3g J",
             deviation(s->balance.value, s->frames->frame_count));
    put_panel(s, TOP + 2 * ERI_PANEL_HEADING + HEIGHT + ERI_PANEL_FOOT, &s->balance, 1,
              "Mechanical energy less work, and heat, against the start", besides);
    eri_out_text(&s->out, "</svg>\n");
done:
    return r;
}

er_result er_frames_plot_energy(er_context *context, const er_world_frames *frames, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    energy_sheet s = {.frames = frames};
    ERI_TRY(eri_frames_check(context, frames, path, "er_frames_plot_energy"));
    ERI_TRY(eri_out_begin(&s.out, context));
    ERI_TRY(draw(&s, frames->model->name));
    ERI_TRY(eri_out_write(&s.out, path));
done:
    eri_out_end(&s.out);
    return r;
}
