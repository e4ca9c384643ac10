// Joint coordinates over time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/curves/curve_names.h"
#include "formats/plot/panel.h"
#include "formats/plot/svg.h"

enum { LINE = 13 }; // pixels from one name to the next

// --- which joints

static void insert(eri_curve_set *list, eri_curve m)
{
    int at = list->count;
    while (at > 0 && m.peak > list->curve[at - 1].peak * (1.0 + 1e-9)) // equal but for rounding: by index
        --at;
    if (at == ERI_CURVE_MOST) return;
    if (list->count < ERI_CURVE_MOST) ++list->count;
    memmove(&list->curve[at + 1], &list->curve[at], (size_t)(list->count - 1 - at) * sizeof m);
    list->curve[at] = m;
}

void eri_curve_set_pick(const er_model *model, const double *peak, bool shifts, eri_curve_set *out)
{
    const double visible = 0.002; // of the largest: half a pixel
    *out = (eri_curve_set){.shifts = shifts};
    for (int k = 0; k < model->joint_count; ++k) {
        eri_curve best = {.peak = -1.0};
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            double p = peak[model->coordinate[k] + i];
            if ((axis[i] >= 3) == shifts && p > best.peak * (1.0 + 1e-9))
                best = (eri_curve){k, axis[i], model->coordinate[k] + i, p};
        }
        if (best.peak < 0.0) continue;
        ++out->total;
        insert(out, best);
    }
    double rounding = shifts ? 1e-9 * model->size : 1e-9;
    while (out->count > 0 && out->curve[out->count - 1].peak <= fmax(rounding, visible * out->curve[0].peak))
        --out->count;
}

// --- names at the ends of curves

// Places near those wanted, LINE apart, between low and high: the mean of pushing each below the one before it, from
// the top, and of pushing each above the one after it, from the bottom.
static void spread(int count, double *place, double low, double high)
{
    int order[ERI_CURVE_MOST];
    double down[ERI_CURVE_MOST], up[ERI_CURVE_MOST];
    for (int i = 0; i < count; ++i) {
        int at = i;
        for (; at > 0 && place[order[at - 1]] > place[i]; --at)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0, k = count - 1; i < count; ++i, --k) {
        down[i] = fmax(fmin(place[order[i]], high - LINE * k), i > 0 ? down[i - 1] + LINE : low);
        up[k] = fmin(fmax(place[order[k]], low + LINE * k), i > 0 ? up[k + 1] - LINE : high);
    }
    for (int i = 0; i < count; ++i)
        place[order[i]] = (down[i] + up[i]) / 2.0;
}

typedef struct panel {
    eri_out *out;
    eri_frame frame;
    const er_curves *curves;
    const eri_curve_set *set;
    const char *const *name;
    eri_axis across, up;
} panel;

static double unit(const panel *p)
{
    return p->set->shifts ? 1.0 : 180.0 / ER_PI;
}

static double value_at(const panel *p, int curve, int frame)
{
    size_t row = (size_t)frame * (size_t)p->curves->model->coordinate_count;
    return unit(p) * p->curves->q[row + (size_t)p->set->curve[curve].index];
}

static const char *stroke(int curve, char text[80])
{
    // Okabe and Ito's colours (2008), told apart by any eye; the second six are dashed
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a6a00", "#56b4e9"};
    bool dashed = (size_t)curve >= ERI_COUNT(colours);
    snprintf(text, 80, "fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s",
             colours[(size_t)curve % ERI_COUNT(colours)], dashed ? " stroke-dasharray=\"5 2\"" : "");
    return text;
}

static er_result put_name(const panel *p, int curve, double end_x, double end_y, double place)
{
    const double text_x = ERI_PLOT_RIGHT + 26.0;
    const eri_curve *m = &p->set->curve[curve];
    char style[80], tail[8];
    snprintf(tail, sizeof tail, " %s", eri_coordinate_name(m->axis));
    double room = ERI_PLOT_WIDTH - 4.0 - text_x - eri_svg_width(tail, ERI_SVG_FONT);
    const char *name = eri_svg_fit(p->out->text.arena, p->name[m->joint], ERI_SVG_FONT, room);
    if (name == NULL) return ER_ERROR_MEMORY;
    eri_out_printf(p->out, "<path d=\"M%.1f %.1fL%d %.1fh12\" %s stroke-opacity=\"0.8\"/>\n", end_x, end_y,
                   ERI_PLOT_RIGHT + 10, place, stroke(curve, style));
    eri_out_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", text_x, place + 4.0);
    eri_svg_escaped(p->out, name);
    eri_out_printf(p->out, "%s</text>\n", tail);
    return ER_OK;
}

// --- curves

static void put_point(const panel *p, int curve, int frame)
{
    eri_out_printf(p->out, "%.1f,%.1f ", eri_axis_at(&p->across, p->curves->time[frame]),
                   eri_axis_at(&p->up, value_at(p, curve, frame)));
}

// Draws the first and the last frame, and only the lowest and highest of the frames in one column of pixels.
static void put_points(const panel *p, int curve)
{
    int count = p->curves->frame_count, shown = 0;
    put_point(p, curve, 0);
    for (int f = 1; f < count;) {
        double column = floor(eri_axis_at(&p->across, p->curves->time[f]));
        int low = f, high = f;
        for (; f < count && floor(eri_axis_at(&p->across, p->curves->time[f])) == column; ++f) {
            if (value_at(p, curve, f) < value_at(p, curve, low)) low = f;
            if (value_at(p, curve, f) > value_at(p, curve, high)) high = f;
        }
        int first = low < high ? low : high, second = low < high ? high : low;
        put_point(p, curve, first);
        if (second != first) put_point(p, curve, second);
        shown = second;
    }
    if (shown < count - 1 || count == 1) put_point(p, curve, count - 1);
}

static void put_curve(const panel *p, int curve)
{
    const eri_curve *m = &p->set->curve[curve];
    char style[80];
    eri_out_text(p->out, "<g><title>");
    eri_svg_escaped(p->out, p->name[m->joint]);
    eri_out_printf(p->out, " %s, up to %.3g%s</title>", eri_coordinate_name(m->axis), unit(p) * m->peak,
                   p->set->shifts ? " m" : "\xC2\xB0");
    eri_out_text(p->out, "<polyline points=\"");
    put_points(p, curve);
    eri_out_printf(p->out, "\" %s stroke-linejoin=\"round\" stroke-linecap=\"round\"/></g>\n", stroke(curve, style));
}

static er_result put_curves(const panel *p)
{
    er_result r = ER_OK;
    double place[ERI_CURVE_MOST];
    int count = p->set->count, last = p->curves->frame_count - 1;
    for (int i = 0; i < count; ++i)
        place[i] = eri_axis_at(&p->up, value_at(p, i, last));
    spread(count, place, p->frame.top + 4.0, p->frame.bottom - 4.0);
    for (int i = count - 1; i >= 0 && r == ER_OK; --i) { // the largest is drawn last, on top
        put_curve(p, i);
        r = put_name(p, i, eri_axis_at(&p->across, p->curves->time[last]), eri_axis_at(&p->up, value_at(p, i, last)),
                     place[i]);
    }
    return r;
}

// --- the panel

// Values from the least to the largest, zero among them, with some air.
static eri_axis value_axis(const panel *p, double top)
{
    double low = 0.0, high = 0.0;
    for (int i = 0; i < p->set->count; ++i)
        for (int f = 0; f < p->curves->frame_count; ++f) {
            low = fmin(low, value_at(p, i, f));
            high = fmax(high, value_at(p, i, f));
        }
    if (low == high) high = (low = -1.0) + 2.0;
    double air = 0.04 * (high - low);
    return (eri_axis){false, low - air, high + air, p->frame.bottom, top};
}

static eri_axis time_axis(const er_curves *c)
{
    double low = c->time[0], high = c->time[c->frame_count - 1];
    if (low == high) low -= fmax(1.0, 1e-6 * fabs(low)); // a single frame stands at the right, before its names
    return (eri_axis){false, low, high, ERI_PLOT_LEFT, ERI_PLOT_RIGHT};
}

// A ruler for the eye above the curves.
static er_result put_period(const panel *p, double period, const char *called)
{
    char words[64];
    double start = p->curves->time[0], left = eri_axis_at(&p->across, start),
           right = eri_axis_at(&p->across, start + period), y = p->frame.top + 17.0;
    const char *name = eri_svg_fit(p->out->text.arena, called, ERI_SVG_FONT, 300.0);
    if (name == NULL) return ER_ERROR_MEMORY;
    eri_out_printf(p->out,
                   "<path class=\"period\" d=\"M%.1f %.1fv6m0 -3H%.1fm0 -3v6\" stroke=\"#666\" fill=\"none\"/>\n", left,
                   y, right);
    snprintf(words, sizeof words, "%.3g s, one period of ", period);
    eri_out_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#666\">%s", left + 6.0, y - 4.0, words);
    eri_svg_escaped(p->out, name);
    eri_out_text(p->out, "</text>\n");
    return ER_OK;
}

// The part of the heading that counts joints not shown.
static void leave_out(const eri_curve_set *m, char *text, size_t size)
{
    int left = m->total - m->count;
    text[0] = '\0';
    if (m->count == 0)
        snprintf(text, size, "no joint moves");
    else if (left > 0 && m->count == ERI_CURVE_MOST)
        snprintf(text, size, "the %d joints of %d that move most; %d are left out", m->count, m->total, left);
    else if (left > 0)
        snprintf(text, size, "%d of %d joints; %d that hardly %s left out", m->count, m->total, left,
                 left == 1 ? "moves is" : "move are");
}

er_result eri_curve_set_draw(eri_out *out, eri_frame frame, const er_curves *curves, const eri_curve_set *set,
                             const char *const *name, double period, const char *called)
{
    const double ruler = 24.0; // pixels
    panel p = {out, frame, curves, set, name, .across = time_axis(curves)};
    bool cycle = period > 0.0 && period <= (p.across.high - p.across.low) * (1.0 + 1e-9) && curves->frame_count > 1;
    p.up = value_axis(&p, frame.top + (cycle ? ruler : 0.0));
    eri_out_printf(out, "<g id=\"%s\">\n", set->shifts ? "lengths" : "angles");
    char besides[96];
    leave_out(set, besides, sizeof besides);
    eri_panel_heading(out, frame, set->shifts ? "Joint shifts, metres" : "Joint angles, degrees", besides);
    eri_panel_grid(out, frame, &p.across, &p.up, "seconds");
    er_result r = cycle ? put_period(&p, period, called) : ER_OK;
    if (r == ER_OK) r = put_curves(&p);
    eri_out_text(out, "</g>\n");
    return r;
}
