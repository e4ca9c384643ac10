// Least squares over what both rigs' probes measure, and the mix that is made of them.
#include "identity/carrier.h"

#include <math.h>

#include "base/failure.h"

enum { MOST_MODES = 64 }; // of the other rig

// ---- least squares with few columns

// Solves a x = b of a positive definite matrix; a and b are overwritten.   @return false if it is singular
static bool solve_small(int n, double a[ERI_CARRY_COLUMNS][ERI_CARRY_COLUMNS], double b[ERI_CARRY_COLUMNS][2])
{
    for (int i = 0; i < n; ++i) {
        if (!(a[i][i] > 0.0)) return false;
        for (int k = i + 1; k < n; ++k) {
            double f = a[k][i] / a[i][i];
            for (int j = i; j < n; ++j)
                a[k][j] -= f * a[i][j];
            b[k][0] -= f * b[i][0];
            b[k][1] -= f * b[i][1];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int c = 0; c < 2; ++c) {
            for (int j = i + 1; j < n; ++j)
                b[i][c] -= a[i][j] * b[j][c];
            b[i][c] /= a[i][i];
        }
    }
    return true;
}

void eri_equations_solve(const eri_equations *e, eri_column_set *c)
{
    static const double RIDGE = 1e-9; // columns may be alike
    double a[ERI_CARRY_COLUMNS][ERI_CARRY_COLUMNS] = {0};
    c->gain = 0.0;
    for (int i = 0; i < c->count; ++i) {
        for (int k = 0; k < c->count; ++k)
            a[i][k] = (i == k && e->effort != NULL ? e->effort[c->column[i]] : 0.0) +
                      e->product[(ptrdiff_t)c->column[i] * e->count + c->column[k]] * (i == k ? 1.0 + RIDGE : 1.0);
        for (int part = 0; part < 2; ++part)
            c->factor[i][part] = e->wanted[2 * c->column[i] + part];
    }
    if (!solve_small(c->count, a, c->factor)) return;
    for (int i = 0; i < c->count; ++i)
        for (int part = 0; part < 2; ++part)
            c->gain += c->factor[i][part] * e->wanted[2 * c->column[i] + part];
}

// ---- both rigs

static bool moves_feet(const eri_carrier *s, int mode)
{
    if (s->feet == NULL) return true;
    for (int i = 0; i < s->feet->mode_count; ++i)
        if (s->feet->index[i] == mode) return true;
    return false;
}

er_result eri_carrier_read_modes(eri_carrier *s)
{
    er_result r = ER_OK;
    const er_modes *modes = s->to->modes;
    s->rows = 3 * s->probes.count;
    ERI_TRY_NEW(s->wanted, s->arena, double, s->rows);
    ERI_TRY_NEW(s->mode, s->arena, const er_mode *, MOST_MODES);
    ERI_TRY_NEW(s->column, s->arena, double, MOST_MODES * s->rows);
    ERI_TRY_NEW(s->made, s->arena, er_mix_component, ERI_CARRY_COLUMNS * (s->mix->component_count + 1));
    for (int k = 0; k < modes->count && s->modes < MOST_MODES; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC || !moves_feet(s, er_modes_index(modes, &modes->mode[k]))) continue;
        s->mode[s->modes] = &modes->mode[k];
        eri_probes_read(s->to, s->probes.count, s->probes.to, &modes->mode[k],
                        s->column + (ptrdiff_t)s->modes * s->rows);
        ++s->modes;
    }
done:
    return r;
}

er_result eri_carrier_equations(eri_carrier *s, int columns, eri_equations *out)
{
    er_result r = ER_OK;
    *out = (eri_equations){.count = columns};
    ERI_TRY_NEW(out->product, s->arena, double, columns *columns);
    ERI_TRY_NEW(out->wanted, s->arena, double, 2 * columns);
    for (int i = 0; i < columns; ++i)
        for (int k = 0; k < columns; ++k)
            if (i / s->modes == k / s->modes) // of one harmonic
                out->product[(ptrdiff_t)i * columns + k] =
                    eri_row_product(s->rows, s->column + (ptrdiff_t)(i % s->modes) * s->rows,
                                    s->column + (ptrdiff_t)(k % s->modes) * s->rows);
done:
    return r;
}

void eri_carrier_read(eri_carrier *s, const er_mix_component *component)
{
    const er_mode *mode = er_modes_find(s->from->modes, component->mode);
    double factor = er_mode_amplitude(s->from->model, mode, component->degrees);
    eri_probes_read(s->from, s->probes.count, s->probes.from, mode, s->wanted);
    for (int i = 0; i < s->rows; ++i)
        s->wanted[i] *= factor;
}

// ---- the new mix

static bool sounds_alike(const er_mix_component *a, const er_mix_component *b)
{
    return a->mode == b->mode && a->harmonic == b->harmonic && a->hz == b->hz && a->attack == b->attack &&
           a->decay == b->decay && a->damping == b->damping;
}

void eri_carrier_add(eri_carrier *s, er_mix_component like, const er_mode *mode, const double factor[2])
{
    double unit = er_mode_amplitude(s->to->model, mode, 1.0), x = factor[0], y = factor[1];
    like.mode = er_modes_index(s->to->modes, mode);
    like.shape = NULL;
    like.shape_hz = 0.0;
    like.metres = 0.0;
    like.at = NULL;
    if (!(unit > 0.0)) return;
    er_mix_component *at = s->made;
    while (at < s->made + s->made_count && !sounds_alike(at, &like))
        ++at;
    if (at == s->made + s->made_count) {
        ++s->made_count;
    } else {
        x += at->degrees * unit * cos(at->phase);
        y += at->degrees * unit * sin(at->phase);
    }
    like.degrees = fmin(hypot(x, y) / unit, s->most_degrees);
    like.phase = atan2(y, x);
    *at = like;
}

// ---- all

// Equal Froude numbers: frequencies as the root of gravity over the length of a leg.
static double natural_pace(const er_carry_side *from, const er_carry_side *to)
{
    const er_gait_body *a = from->regions->body, *b = to->regions->body;
    double pace = sqrt(b->gravity / b->leg * a->leg / a->gravity);
    return isfinite(pace) && pace > 0.0 ? pace : 1.0;
}

// The cycle of a mix; without one the geometric mean of those that suit its modes.
static double cycle_of(const eri_carrier *s)
{
    double sum = 0.0;
    int count = 0;
    if (s->mix->cycle > 0.0) return s->mix->cycle;
    for (int i = 0; i < s->mix->component_count; ++i) {
        const er_mix_component *component = &s->mix->component[i];
        double hz = er_modes_find(s->from->modes, component->mode)->frequency_hz;
        if (component->harmonic == 0 || !(hz > 0.0)) continue;
        sum += log(component->harmonic / hz);
        ++count;
    }
    return count > 0 ? exp(sum / count) : 0.0;
}

static er_result check(const eri_carrier *s, const er_mix *mix)
{
    er_context *context = s->context;
    const er_carry_def *def = &s->def;
    const er_carry_side *side[] = {s->from, s->to};
    for (int i = 0; i < 2; ++i)
        if (side[i] == NULL || side[i]->model == NULL || side[i]->regions == NULL || side[i]->modes == NULL ||
            side[i]->regions->body_count != side[i]->model->body_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_carry needs two rigs with their regions and modes");
    if (mix == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_carry needs a mix, and a def from er_default_carry_def()");
    if (!(def->least >= 0.0 && def->least <= 1.0) || !(def->pace >= 0.0 && def->pace <= 1000.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a least share of %g and a pace of %g are not 0 to 1 and 0 to 1000",
                       def->least, def->pace);
    return ER_OK;
}

er_result eri_carrier_finish(const eri_carrier *s, er_mix **out)
{
    const er_mix made = {
        .name = s->mix->name, .cycle = cycle_of(s) / s->pace, .component_count = s->made_count, .component = s->made};
    return er_mix_fit(s->context, s->to->model, s->to->modes, &made, NULL, out);
}

er_result eri_carrier_begin(eri_carrier *s, const er_mix *mix)
{
    er_result r = check(s, mix);
    if (r == ER_OK) r = er_mix_fit(s->context, s->from->model, s->from->modes, mix, NULL, &s->fitted);
    if (r == ER_OK) r = eri_arena_create(s->context, &s->arena);
    if (r != ER_OK) return r;
    s->mix = s->fitted;
    s->pace = s->def.pace > 0.0 ? s->def.pace : natural_pace(s->from, s->to);
    return ER_OK;
}

void eri_carrier_end(eri_carrier *s)
{
    eri_arena_destroy(s->arena);
    er_mix_destroy(s->fitted);
}
