// Modes over frequency. Names stand on poles, to the right of them; each is above all names whose poles it would
// cross, so that no two meet.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { STEMS = 120, ROW = 14, POLE = 10 }; // pixels: of the highest stem, of a row of names, and between the two
enum { ZERO_AT = 8, ZERO_ROOM = 30 };      // pixels: 0 Hz, and what it has left of a logarithmic axis
enum { SLOTS = 2 * (ERI_PLOT_RIGHT - ERI_PLOT_LEFT) + 1 }; // half pixels

const char *eri_line_name(er_arena *arena, const er_curves_figure *plot, int line)
{
    const char *label = plot->line[line].label;
    return label != NULL && label[0] != '\0' ? label : eri_arena_printf(arena, "%d", line);
}

// --- arrangement

// The axis is logarithmic beyond a factor of 10; otherwise it starts at 0, or near the lowest where all lie together.
static eri_axis frequency_axis(const er_curves_figure *plot, int *zero_count)
{
    double low = HUGE_VAL, high = 0.0;
    *zero_count = 0;
    for (int i = 0; i < plot->line_count; ++i) {
        double hz = plot->line[i].hz;
        if (hz > 0.0) low = fmin(low, hz);
        if (hz == 0.0) ++*zero_count;
        high = fmax(high, hz);
    }
    if (high == 0.0) return (eri_axis){false, 0.0, 1.0, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
    if (high > 10.0 * low)
        return (eri_axis){true, low / 1.1, high * 1.1, ERI_PLOT_LEFT + (*zero_count > 0 ? ZERO_ROOM : 0),
                          ERI_PLOT_RIGHT};
    double air = high > low ? fmax(0.08 * (high - low), 1e-6 * high) : 0.05 * high;
    bool from_zero = *zero_count > 0 || low < 0.4 * high;
    *zero_count = 0;
    return (eri_axis){false, from_zero ? 0.0 : low - air, high + air, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
}

static double place(const eri_spectrum *s, double hz)
{
    return s->zero_count > 0 && hz == 0.0 ? ERI_PLOT_LEFT + ZERO_AT : eri_axis_at(&s->across, hz);
}

// The largest amplitudes, in a list that is kept sorted.
static void pick_labels(const er_curves_figure *plot, eri_spectrum *s)
{
    for (int i = 0; i < plot->line_count; ++i) {
        double degrees = plot->line[i].degrees;
        if (degrees == 0.0) continue;
        ++s->count;
        s->tallest = fmax(s->tallest, degrees);
        int at = s->label_count;
        while (at > 0 && degrees > plot->line[s->label[at - 1].line].degrees)
            --at;
        if (at == ERI_LABEL_MOST) continue;
        if (s->label_count < ERI_LABEL_MOST) ++s->label_count;
        for (int k = s->label_count - 1; k > at; --k)
            s->label[k] = s->label[k - 1];
        s->label[at] = (eri_label){.line = i, .x = place(s, plot->line[i].hz)};
    }
}

static int from_the_right(const void *left, const void *right)
{
    const eri_label *a = left, *b = right;
    if (a->x != b->x) return a->x < b->x ? 1 : -1;
    return b->line - a->line; // ascending from the top
}

static double label_end(const eri_label *label)
{
    return label->x + 5.0 + eri_svg_width(label->words, ERI_SVG_FONT);
}

// Digits that tell the frequencies of named modes apart, 4 to 9.
static int hz_digits(const er_curves_figure *plot, const eri_spectrum *s)
{
    double nearest = 1.0;
    for (int i = 1; i < s->label_count; ++i) {
        double high = plot->line[s->label[i - 1].line].hz, low = plot->line[s->label[i].line].hz;
        if (high > low) nearest = fmin(nearest, (high - low) / high);
    }
    return (int)fmin(fmax(ceil(1.0 - log10(nearest)), 4.0), 9.0);
}

static const char *label_words(er_arena *arena, const er_curves_figure *plot, int line, int digits)
{
    const er_spectrum_line *l = &plot->line[line];
    const char *numbers = eri_arena_printf(arena, "  %.*g Hz  %.3g\xC2\xB0", digits, l->hz, l->degrees),
               *name = eri_line_name(arena, plot, line);
    if (numbers == NULL || name == NULL) return NULL;
    double room = ERI_PLOT_WIDTH - ERI_PLOT_RIGHT - 12.0 - eri_svg_width(numbers, ERI_SVG_FONT);
    name = eri_svg_fit(arena, name, ERI_SVG_FONT, room);
    return name != NULL ? eri_arena_printf(arena, "%s%s", name, numbers) : NULL;
}

er_result eri_spectrum_arrange(er_arena *arena, const er_curves_figure *plot, eri_spectrum *out)
{
    const double gap = 8.0;
    *out = (eri_spectrum){0};
    out->across = frequency_axis(plot, &out->zero_count);
    pick_labels(plot, out);
    qsort(out->label, (size_t)out->label_count, sizeof *out->label, from_the_right);
    int digits = hz_digits(plot, out);
    for (int i = 0; i < out->label_count; ++i) {
        eri_label *f = &out->label[i];
        f->words = label_words(arena, plot, f->line, digits);
        if (f->words == NULL) return ER_ERROR_MEMORY;
        for (int k = 0; k < i; ++k)
            if (out->label[k].x < label_end(f) + gap && out->label[k].row >= f->row) f->row = out->label[k].row + 1;
        if (f->row >= out->row_count) out->row_count = f->row + 1;
    }
    return ER_OK;
}

double eri_spectrum_height(const eri_spectrum *spectrum)
{
    return STEMS + POLE + ROW * spectrum->row_count;
}

// --- drawing

static void put_stems(eri_out *out, const double *height, double bottom, bool used)
{
    eri_out_printf(out, "<path class=\"%s\" d=\"", used ? "unnamed" : "unused");
    for (int i = 0; i < SLOTS; ++i)
        if (used ? height[i] > 0.0 : height[i] == 0.0)
            eri_out_printf(out, "M%.1f %.1fv-%.1f", ERI_PLOT_LEFT + 0.5 * i, bottom, used ? height[i] : 8.0);
    eri_out_text(out, used ? "\" stroke=\"#56b4e9\" stroke-width=\"1.5\"/>\n" : "\" stroke=\"#888\"/>\n");
}

// Stems without a name, no more than one every half pixel: the highest there.
static er_result put_unnamed(eri_out *out, eri_frame frame, const er_curves_figure *plot, const eri_spectrum *s,
                             const eri_axis *up)
{
    er_result r = ER_OK;
    double *height;
    ERI_TRY_RESERVE(height, out->text.arena, double, SLOTS);
    for (int i = 0; i < SLOTS; ++i)
        height[i] = -1.0;
    for (int i = 0; i < plot->line_count; ++i) {
        int slot = (int)lround(2.0 * (place(s, plot->line[i].hz) - ERI_PLOT_LEFT));
        height[slot] = fmax(height[slot], frame.bottom - eri_axis_at(up, plot->line[i].degrees));
    }
    put_stems(out, height, frame.bottom, false);
    if (s->count > s->label_count) put_stems(out, height, frame.bottom, true);
done:
    return r;
}

static void put_label(eri_out *out, eri_frame frame, const er_curves_figure *plot, const eri_label *f,
                      const eri_axis *up)
{
    double y = eri_axis_at(up, plot->line[f->line].degrees), row = frame.bottom - STEMS - POLE - ROW * f->row;
    eri_out_printf(out, "<path d=\"M%.1f %.1fV%.1fh3\" stroke=\"#aaa\" stroke-width=\"0.8\" fill=\"none\"/>\n", f->x, y,
                   row - 4.0);
    eri_out_printf(out, "<path class=\"used\" d=\"M%.1f %.1fV%.1f\" stroke=\"#0072b2\" stroke-width=\"3\"/>", f->x,
                   frame.bottom, y);
    eri_out_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#0072b2\"/>\n", f->x, y);
    eri_svg_text(out, f->x + 5.0, row, " class=\"flag\" xml:space=\"preserve\"", f->words);
}

static void say_besides(const er_curves_figure *plot, const eri_spectrum *s, char *text, size_t size)
{
    int used =
        snprintf(text, size, "%d mode%s, %d in the mix", plot->line_count, plot->line_count == 1 ? "" : "s", s->count);
    if (s->count > s->label_count)
        used += snprintf(text + used, size - (size_t)used, ", the %d largest named, %d not", s->label_count,
                         s->count - s->label_count);
    if (s->across.logarithmic) snprintf(text + used, size - (size_t)used, "; logarithmic axis");
}

// 0 Hz, which no logarithmic axis reaches: beyond a gap.
static void put_zero(eri_out *out, eri_frame frame)
{
    eri_out_printf(out, "<path d=\"M%d %.1fh6\" stroke=\"#fff\" stroke-width=\"3\"/>\n", ERI_PLOT_LEFT + 18,
                   frame.bottom);
    eri_svg_text(out, ERI_PLOT_LEFT + ZERO_AT, frame.bottom + 15.0, " text-anchor=\"middle\" fill=\"#666\"", "0");
}

er_result eri_spectrum_draw(eri_out *out, eri_frame frame, const er_curves_figure *plot, const eri_spectrum *spectrum)
{
    char besides[128];
    eri_axis up = {false, 0.0, spectrum->tallest > 0.0 ? spectrum->tallest : 1.0, frame.bottom, frame.bottom - STEMS};
    eri_out_text(out, "<g id=\"spectrum\">\n");
    say_besides(plot, spectrum, besides, sizeof besides);
    eri_panel_heading(out, frame, "Modes, degrees over frequency", besides);
    eri_panel_grid(out, frame, &spectrum->across, &up, "Hz");
    if (spectrum->zero_count > 0) put_zero(out, frame);
    er_result r = put_unnamed(out, frame, plot, spectrum, &up);
    for (int i = 0; i < spectrum->label_count; ++i)
        put_label(out, frame, plot, &spectrum->label[i], &up);
    eri_out_text(out, "</g>\n");
    return r;
}
