// A simulation's energies as a drawing: what there is of each kind, and how far the balance is from closing.
#include <math.h>
#include <stdio.h>

#include "formats/curves/frames_csv.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { HEIGHT = 270, TOP = 52, KINDS = 4 };

typedef struct energy_sheet {
    eri_out out;
    const er_world_frames *frames;
    eri_line kind[KINDS]; // J
    eri_line balance;
} energy_sheet;

static er_result take_energies(energy_sheet *s)
{
    // Okabe and Ito's colours (2008), told apart by any eye
    static const char *const name[KINDS] = {"kinetic", "potential", "elastic", "mechanical"};
    static const char *const colour[KINDS] = {"#d55e00", "#0072b2", "#009e73", "#333333"};
    er_result r = ER_OK;
    int count = s->frames->frame_count;
    double *value[KINDS], *balance;
    const er_world_energy *e = s->frames->energy;
    for (int k = 0; k < KINDS; ++k) {
        s->kind[k] = (eri_line){.name = name[k], .colour = colour[k]};
        ERI_TRY_NEW(value[k], s->out.text.arena, double, count);
        s->kind[k].value = value[k];
    }
    s->balance = (eri_line){.name = "error", .colour = "#333333"};
    ERI_TRY_NEW(balance, s->out.text.arena, double, count);
    s->balance.value = balance;
    for (int f = 0; f < count; ++f) {
        const double now[KINDS] = {e[f].kinetic, e[f].potential, e[f].elastic, e[f].mechanical};
        for (int k = 0; k < KINDS; ++k)
            value[k][f] = now[k];
        balance[f] = (e[f].mechanical - e[f].work + e[f].heat) - (e->mechanical - e->work + e->heat);
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

static er_result draw(energy_sheet *s, const char *title)
{
    er_result r = ER_OK;
    char besides[80];
    const int first = TOP + ERI_PANEL_HEADING, second = first + HEIGHT + ERI_PANEL_FOOT + ERI_PANEL_HEADING;
    int height = TOP + 2 * (ERI_PANEL_HEADING + HEIGHT + ERI_PANEL_FOOT);
    ERI_TRY(take_energies(s));
    eri_panels_begin(&s->out, height, title);
    eri_svg_text(&s->out, ERI_PLOT_LEFT, 29.0, " font-size=\"16\" font-weight=\"bold\"", title);
    const er_world_frames *f = s->frames;
    ERI_TRY(eri_panel_lines(&s->out, (eri_frame){first, first + HEIGHT}, f->frame_count, f->time, KINDS, s->kind,
                            "Energies", "joules over seconds"));
    snprintf(besides, sizeof besides, "joules; standard deviation %.3g J",
             deviation(s->balance.value, s->frames->frame_count));
    ERI_TRY(eri_panel_lines(&s->out, (eri_frame){second, second + HEIGHT}, f->frame_count, f->time, 1, &s->balance,
                            "Mechanical energy less work, and heat, against the start", besides));
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
