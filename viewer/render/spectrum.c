// Stems over an axis of frequency, drawn as lines with ticks and letters.
#include "viewer/render/spectrum.h"

#include <math.h>
#include <stdio.h>

#include "viewer/render/label.h"

enum {
    SMALL = 12,
    NAMES = 18,
    NUMBERS = 20,
    LEFT = 96
}; // points: letters; rows of names above, of numbers below; room

typedef struct axis {
    bool logarithmic;
    double low, high; // Hz
    double from, to;  // points
} axis;

static double place(const axis *a, double hz)
{
    double share = a->logarithmic ? log(hz / a->low) / log(a->high / a->low) : (hz - a->low) / (a->high - a->low);
    return a->from + share * (a->to - a->from);
}

// Linear from 0; logarithmic if the highest frequency exceeds ten times the lowest.
static axis axis_of(const er_modes *modes, int first, double from, double to)
{
    double low = modes->mode[first].frequency_hz, high = modes->mode[modes->count - 1].frequency_hz;
    if (high > 10.0 * low) return (axis){true, low / 1.1, high * 1.1, from, to};
    return (axis){false, 0.0, 1.06 * high, from, to};
}

// The number of joints that share a mode's energy, as if each held the same part.
static double participation(const er_model *model, const er_mode *mode, double *share)
{
    double sum = 0.0;
    er_mode_joint_shares(model, mode, share);
    for (int k = 0; k < model->joint_count; ++k)
        sum += share[k] * share[k];
    return sum > 0.0 ? 1.0 / sum : 1.0;
}

static void draw_number(canvas *e, const axis *a, double hz, double bottom, double *free_from)
{
    char text[32];
    double x = place(a, hz), at[2][2] = {{x, bottom}, {x, bottom + 4.0}};
    snprintf(text, sizeof text, "%.4g", hz);
    double half = 0.5 * gui_text_width(e->overlay, SMALL, text);
    if (x - half < *free_from || x > a->to + 1.0) return;
    gui_draw_line(e->overlay, at[0], at[1], 1.0, e->colours.dim);
    label_draw(e, x, bottom + 5.0, SMALL, 0.5, 100.0, e->colours.dim, text);
    *free_from = x + half + 8.0;
}

// Round numbers along the axis: 1, 2, 5 of every decade, or some eight steps.
static void draw_numbers(canvas *e, const axis *a, double bottom)
{
    double free_from = a->from - 20.0;
    double decade = pow(10.0, floor(log10(a->logarithmic ? a->low : a->high / 8.0)));
    if (a->logarithmic) {
        static const double steps[] = {1.0, 2.0, 5.0};
        for (; decade <= a->high; decade *= 10.0)
            for (int i = 0; i < 3; ++i)
                if (steps[i] * decade >= a->low && steps[i] * decade <= a->high)
                    draw_number(e, a, steps[i] * decade, bottom, &free_from);
        return;
    }
    double wanted = a->high / (8.0 * decade), step = decade * (wanted > 5.0 ? 10.0 : wanted > 2.0 ? 5.0 : 2.0);
    for (int i = 0; i * step <= a->high; ++i)
        draw_number(e, a, i * step, bottom, &free_from);
}

// The name of one stem, or of several that stand too close for names of their own: "9-11".
typedef struct stem_name {
    int first, last;      ///< indices of modes; first -1 for none
    double from, to, top; ///< points: of the stems, and of the highest of them
} stem_name;

// @return its width, points
static double word_name(canvas *e, const stem_name *n, char text[32])
{
    snprintf(text, 32, n->last > n->first ? "%d-%d" : "%d", n->first, n->last);
    return gui_text_width(e->overlay, SMALL, text);
}

static void write_name(canvas *e, const stem_name *n)
{
    char text[32];
    if (n->first < 0) return;
    word_name(e, n, text);
    label_draw(e, 0.5 * (n->from + n->to), n->top - NAMES, SMALL, 0.5, 100.0, e->colours.text, text);
}

// Adds a stem to the name if they would overlap; otherwise writes the name and begins the next.
static stem_name add_name(canvas *e, stem_name n, int index, double at, double top)
{
    char text[32];
    const stem_name own = {index, index, at, at, top};
    double right = 0.5 * (n.from + n.to) + 0.5 * word_name(e, &n, text) + 3.0;
    if (n.first >= 0 && at - 0.5 * word_name(e, &own, text) < right)
        return (stem_name){n.first, index, n.from, at, fmin(n.top, top)};
    write_name(e, &n);
    return own;
}

void spectrum_draw(canvas *e, const er_model *model, const er_modes *modes, int first, int count, double x, double y,
                   double width, double height, double *share)
{
    axis a = axis_of(modes, first, x + LEFT, x + width - 12.0);
    double bottom = y + height - NUMBERS, stems = height - NUMBERS - NAMES, tallest = 1.0;
    stem_name name = {.first = -1};
    double base[2][2] = {{a.from, bottom}, {a.to, bottom}};
    for (int k = first; k < modes->count; ++k)
        tallest = fmax(tallest, participation(model, &modes->mode[k], share));
    gui_draw_line(e->overlay, base[0], base[1], 1.0, e->colours.dim);
    label_draw(e, x, bottom - 34.0, SMALL, 0.0, LEFT - 12.0, e->colours.text, "Hz");
    label_draw(e, x, bottom - 17.0, SMALL, 0.0, LEFT - 12.0, e->colours.dim, "height: joints");
    label_draw(e, x, bottom - 2.0, SMALL, 0.0, LEFT - 12.0, e->colours.dim, "that take part");
    draw_numbers(e, &a, bottom);
    for (int pass = 0; pass < 2; ++pass) // modes with a cell are drawn over the others
        for (int k = first; k < modes->count; ++k) {
            bool named = k < first + count;
            if (named != (pass == 1)) continue;
            double at = place(&a, modes->mode[k].frequency_hz);
            double top = bottom - stems * participation(model, &modes->mode[k], share) / tallest;
            double ends[2][2] = {{at, bottom}, {at, top}};
            gui_draw_line(e->overlay, ends[0], ends[1], named ? 2.0 : 1.0, named ? e->colours.accent : e->colours.line);
            if (!named) continue;
            gui_draw_box(e->overlay, at - 3.0, top - 3.0, 6.0, 6.0, e->colours.accent, 3.0);
            name = add_name(e, name, er_modes_index(modes, &modes->mode[k]), at, top);
        }
    write_name(e, &name);
}
