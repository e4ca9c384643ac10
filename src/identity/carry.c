// A mix carried to another rig: least squares over what both rigs' probes measure.
#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "identity/carrier.h"

// A mode that is worth less than this share is left out.
static const double LEAST_GAIN = 0.03;

er_carry_def er_default_carry_def(void)
{
    return (er_carry_def){.least = 0.25, .tag = ER_DEF_TAG};
}

static bool holds(const eri_column_set *c, int column)
{
    for (int i = 0; i < c->count; ++i)
        if (c->column[i] == column) return true;
    return false;
}

// Adds the best column while it gains enough.
static eri_column_set choose_greedily(const eri_equations *e)
{
    eri_column_set best = {0};
    for (int n = 0; n < ERI_CARRY_COLUMNS; ++n) {
        eri_column_set next = best;
        for (int i = 0; i < e->count; ++i) {
            eri_column_set c = best;
            if (holds(&best, i)) continue;
            c.column[c.count++] = i;
            eri_equations_solve(e, &c);
            if (c.gain > next.gain) next = c;
        }
        if (!(next.gain > best.gain + LEAST_GAIN * e->whole)) break;
        best = next;
    }
    return best;
}

// A component's frequency, attack and decay at the new pace.
static er_mix_component at_new_pace(const eri_carrier *s, const er_mix_component *component)
{
    er_mix_component like = *component;
    const er_mode *mode = er_modes_find(s->from->modes, component->mode);
    if (like.harmonic == 0) like.hz = s->pace * (like.hz > 0.0 ? like.hz : mode->frequency_hz);
    like.attack /= s->pace;
    like.decay /= s->pace;
    return like;
}

// Modes that turn joints much and yet move little pay for it, beside the component's own mode.
static void price_columns(const eri_carrier *s, const er_mix_component *component, eri_equations *e)
{
    static const double PRICE = 0.02;
    for (int i = 0; i < e->count; ++i) {
        double unit = er_mode_amplitude(s->to->model, s->mode[i], component->degrees);
        e->effort[i] = unit > 0.0 ? PRICE * e->whole / (unit * unit) : 0.0;
    }
}

// The squared cosine between the old motion and the new one.
static double likeness(const eri_carrier *s, const eri_column_set *c)
{
    double both = 0.0, was = 0.0, now = 0.0;
    for (int row = 0; row < s->rows; ++row) {
        double made = 0.0;
        for (int i = 0; i < c->count; ++i)
            made += c->factor[i][0] * s->column[(ptrdiff_t)c->column[i] * s->rows + row];
        both += made * s->wanted[row];
        was += s->wanted[row] * s->wanted[row];
        now += made * made;
    }
    return now > 0.0 && was > 0.0 ? both * both / (was * now) : 0.0;
}

// How far the region that moves most swings in the old motion, over the new one.
static double lead_ratio(const eri_carrier *s, const eri_column_set *c)
{
    double was = 0.0, now = 0.0, most = 0.0;
    for (int part = 0; part < s->probes.part_count; ++part) {
        double a = 0.0, b = 0.0;
        for (int row = 0; row < s->rows; ++row) {
            double made = 0.0;
            if (s->probes.part[row / 3] != part) continue;
            for (int i = 0; i < c->count; ++i)
                made += c->factor[i][0] * s->column[(ptrdiff_t)c->column[i] * s->rows + row];
            a += s->wanted[row] * s->wanted[row];
            b += made * made;
        }
        if (!(a > most) || !(b > 0.0)) continue;
        most = was = a;
        now = b;
    }
    return now > 0.0 ? fmax(0.5, fmin(2.0, sqrt(was / now))) : 1.0;
}

static void carry_component(eri_carrier *s, int index, eri_equations *e, er_carry_match *match)
{
    const er_mix_component *component = &s->mix->component[index];
    eri_carrier_read(s, component);
    e->whole = eri_row_product(s->rows, s->wanted, s->wanted);
    for (int i = 0; i < e->count; ++i)
        e->wanted[2 * i] = eri_row_product(s->rows, s->wanted, s->column + (ptrdiff_t)i * s->rows);
    price_columns(s, component, e);
    eri_column_set c = choose_greedily(e);
    *match = (er_carry_match){.share = fmin(1.0, likeness(s, &c))};
    match->carried = c.count > 0 && match->share >= s->def.least;
    if (!match->carried) return;
    er_mix_component like = at_new_pace(s, component);
    double ratio = lead_ratio(s, &c), turn[2] = {cos(component->phase), sin(component->phase)};
    for (int i = 0; i < c.count; ++i) {
        double size = ratio * c.factor[i][0];
        eri_carrier_add(s, like, s->mode[c.column[i]], (double[2]){size * turn[0], size * turn[1]});
    }
}

static er_result carry_components(eri_carrier *s, er_carry_match *match)
{
    er_result r = ER_OK;
    eri_equations e;
    ERI_TRY(eri_carrier_equations(s, s->modes, &e));
    ERI_TRY_NEW(e.effort, s->arena, double, s->modes);
    for (int i = 0; i < s->mix->component_count; ++i)
        carry_component(s, i, &e, &match[i]);
done:
    return r;
}

er_result er_mix_carry(er_context *context, const er_carry_side *from, const er_mix *mix, const er_carry_side *to,
                       const er_carry_def *def, er_carry_match *match, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_carry_match *found;
    eri_carrier s = {.context = context,
                     .from = from,
                     .to = to,
                     .def = def != NULL ? *def : er_default_carry_def(),
                     .most_degrees = 3600.0};
    ERI_TRY(eri_carrier_begin(&s, mix));
    ERI_TRY(eri_probe_regions(s.arena, from, to, &s.probes));
    ERI_TRY(eri_carrier_read_modes(&s));
    ERI_TRY_NEW(found, s.arena, er_carry_match, mix->component_count);
    ERI_TRY(carry_components(&s, found));
    if (s.made_count == 0)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "no component of the mix has a counterpart in the other rig"));
    ERI_TRY(eri_carrier_finish(&s, out));
    if (match != NULL) memcpy(match, found, (size_t)mix->component_count * sizeof *match);
done:
    eri_carrier_end(&s);
    return r;
}
