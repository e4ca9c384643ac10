// A mix carried to another rig: least squares over what both rigs' probes measure.
#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "identity/probes.h"

enum {
    MOST_COLUMNS = 3, // modes that make a component, or components that make a gait
    MOST_MODES = 64,  // of the other rig
    GAIT_MODES = 32   // the same for gaits, of which all sets are tried
};

// A mode that is worth less than this share is left out.
static const double LEAST_GAIN = 0.03;

er_carry_def er_default_carry_def(void)
{
    return (er_carry_def){.least = 0.25, .tag = ER_DEF_TAG};
}

typedef struct carrier {
    er_context *context;
    er_arena *arena;
    const er_carry_side *from, *to;
    er_carry_def def;
    const er_mix *mix; // fitted to `from`
    eri_probes probes;
    int rows;               // three a probe
    int modes;              // of the other rig, these two
    const er_mode **mode;   // [modes]
    double *column;         // [modes x rows]
    double *wanted;         // [rows], of a component
    double pace;            // new frequencies over old ones
    er_mix_component *made; // [made_count]
    int made_count;
    er_carry_match *match; // [component_count of the mix]
} carrier;

// ---- least squares with few columns

typedef struct choice {
    int count;
    int column[MOST_COLUMNS];
    double factor[MOST_COLUMNS][2]; // of sines and cosines
    double gain;                    // by which the sum of squares falls
} choice;

// Solves a x = b of a positive definite matrix; a and b are overwritten.   @return false if it is singular
static bool solve_small(int n, double a[MOST_COLUMNS][MOST_COLUMNS], double b[MOST_COLUMNS][2])
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

// Normal equations of all columns: products of columns, and of columns with the wanted motion.
typedef struct normal_equations {
    int count;
    double *product; // [count x count]
    double *wanted;  // [count x 2]
    double whole;    // the wanted motion's sum of squares
} normal_equations;

static void try_choice(const normal_equations *e, choice *c)
{
    static const double RIDGE = 1e-9; // columns may be alike
    double a[MOST_COLUMNS][MOST_COLUMNS] = {0};
    c->gain = 0.0;
    for (int i = 0; i < c->count; ++i) {
        for (int k = 0; k < c->count; ++k)
            a[i][k] = e->product[(ptrdiff_t)c->column[i] * e->count + c->column[k]] * (i == k ? 1.0 + RIDGE : 1.0);
        for (int part = 0; part < 2; ++part)
            c->factor[i][part] = e->wanted[2 * c->column[i] + part];
    }
    if (!solve_small(c->count, a, c->factor)) return;
    for (int i = 0; i < c->count; ++i)
        for (int part = 0; part < 2; ++part)
            c->gain += c->factor[i][part] * e->wanted[2 * c->column[i] + part];
}

static bool holds(const choice *c, int column)
{
    for (int i = 0; i < c->count; ++i)
        if (c->column[i] == column) return true;
    return false;
}

// Adds the best column while it gains enough.
static choice choose_greedily(const normal_equations *e)
{
    choice best = {0};
    for (int n = 0; n < MOST_COLUMNS; ++n) {
        choice next = best;
        for (int i = 0; i < e->count; ++i) {
            choice c = best;
            if (holds(&best, i)) continue;
            c.column[c.count++] = i;
            try_choice(e, &c);
            if (c.gain > next.gain) next = c;
        }
        if (!(next.gain > best.gain + LEAST_GAIN * e->whole)) break;
        best = next;
    }
    return best;
}

// The best of all sets of columns; a larger one must gain enough.
static choice choose_of_all(const normal_equations *e)
{
    choice best[MOST_COLUMNS + 1] = {0}, c;
    for (int i = 0; i < e->count; ++i)
        for (int k = i; k < e->count; ++k)
            for (int l = k; l < e->count; ++l) {
                if (k == i && l != k) continue;
                c = (choice){.count = l > k ? 3 : k > i ? 2 : 1, .column = {i, k, l}};
                try_choice(e, &c);
                if (c.gain > best[c.count].gain) best[c.count] = c;
            }
    int taken = 0;
    for (int n = 1; n <= MOST_COLUMNS; ++n)
        if (best[n].gain > best[taken].gain + LEAST_GAIN * e->whole) taken = n;
    return best[taken];
}

// ---- both rigs

static er_result list_modes(carrier *s)
{
    er_result r = ER_OK;
    const er_modes *modes = s->to->modes;
    ERI_TRY_NEW(s->mode, s->arena, const er_mode *, MOST_MODES);
    ERI_TRY_NEW(s->column, s->arena, double, MOST_MODES * s->rows);
    ERI_TRY_NEW(s->wanted, s->arena, double, s->rows);
    int most = s->def.gait ? GAIT_MODES : MOST_MODES;
    for (int k = 0; k < modes->count && s->modes < most; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        s->mode[s->modes] = &modes->mode[k];
        eri_probes_read(s->to, s->probes.count, s->probes.to, &modes->mode[k],
                        s->column + (ptrdiff_t)s->modes * s->rows);
        ++s->modes;
    }
done:
    return r;
}

static double dot(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

static er_result make_equations(carrier *s, int columns, normal_equations *out)
{
    er_result r = ER_OK;
    *out = (normal_equations){.count = columns};
    ERI_TRY_NEW(out->product, s->arena, double, columns *columns);
    ERI_TRY_NEW(out->wanted, s->arena, double, 2 * columns);
    for (int i = 0; i < columns; ++i)
        for (int k = 0; k < columns; ++k)
            if (i / s->modes == k / s->modes) // of one harmonic
                out->product[(ptrdiff_t)i * columns + k] = dot(s->rows, s->column + (ptrdiff_t)(i % s->modes) * s->rows,
                                                               s->column + (ptrdiff_t)(k % s->modes) * s->rows);
done:
    return r;
}

// Reads a component's motion into `wanted`.
static void read_component(carrier *s, const er_mix_component *component)
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

// Adds a mode's part; parts of one mode and frequency are summed.
static void add_part(carrier *s, er_mix_component like, const er_mode *mode, double factor[2])
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
    like.degrees = fmin(hypot(x, y) / unit, s->def.gait ? ER_GAIT_MAX_DEGREES : 3600.0);
    like.phase = atan2(y, x);
    *at = like;
}

// A component's frequency, attack and decay at the new pace.
static er_mix_component at_new_pace(const carrier *s, const er_mix_component *component)
{
    er_mix_component like = *component;
    const er_mode *mode = er_modes_find(s->from->modes, component->mode);
    if (like.harmonic == 0) like.hz = s->pace * (like.hz > 0.0 ? like.hz : mode->frequency_hz);
    like.attack /= s->pace;
    like.decay /= s->pace;
    return like;
}

// How far the region that moves most swings in the old motion, over the new one.
static double lead_ratio(const carrier *s, const choice *c)
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

static er_result carry_component(carrier *s, int index, normal_equations *e)
{
    const er_mix_component *component = &s->mix->component[index];
    read_component(s, component);
    e->whole = dot(s->rows, s->wanted, s->wanted);
    for (int i = 0; i < e->count; ++i)
        e->wanted[2 * i] = dot(s->rows, s->wanted, s->column + (ptrdiff_t)i * s->rows);
    choice c = choose_greedily(e);
    s->match[index] = (er_carry_match){.share = e->whole > 0.0 ? fmin(1.0, c.gain / e->whole) : 0.0};
    s->match[index].carried = c.count > 0 && s->match[index].share >= s->def.least;
    if (!s->match[index].carried) return ER_OK;
    er_mix_component like = at_new_pace(s, component);
    double ratio = lead_ratio(s, &c), turn[2] = {cos(component->phase), sin(component->phase)};
    for (int i = 0; i < c.count; ++i) {
        double size = ratio * c.factor[i][0];
        add_part(s, like, s->mode[c.column[i]], (double[2]){size * turn[0], size * turn[1]});
    }
    return ER_OK;
}

static er_result carry_components(carrier *s)
{
    er_result r = ER_OK;
    normal_equations e;
    ERI_TRY(make_equations(s, s->modes, &e));
    for (int i = 0; i < s->mix->component_count; ++i)
        ERI_TRY(carry_component(s, i, &e));
done:
    return r;
}

// ---- gaits

enum { GAIT_HARMONICS = 2 };

static int harmonic_of(const er_mix_component *component)
{
    return component->harmonic == 2 ? 2 : 1;
}

// The wanted motion of each harmonic: sines, then cosines.
static er_result sum_components(carrier *s, normal_equations *e)
{
    er_result r = ER_OK;
    double *sum;
    ERI_TRY_NEW(sum, s->arena, double, 2 * GAIT_HARMONICS * s->rows);
    for (int i = 0; i < s->mix->component_count; ++i) {
        const er_mix_component *component = &s->mix->component[i];
        double *at = sum + (ptrdiff_t)(harmonic_of(component) - 1) * 2 * s->rows;
        read_component(s, component);
        for (int row = 0; row < s->rows; ++row) {
            at[row] += cos(component->phase) * s->wanted[row];
            at[s->rows + row] += sin(component->phase) * s->wanted[row];
        }
    }
    e->whole = dot(2 * GAIT_HARMONICS * s->rows, sum, sum);
    for (int i = 0; i < e->count; ++i)
        for (int part = 0; part < 2; ++part)
            e->wanted[2 * i + part] = dot(s->rows, sum + (ptrdiff_t)(i / s->modes * 2 + part) * s->rows,
                                          s->column + (ptrdiff_t)(i % s->modes) * s->rows);
done:
    return r;
}

static er_result carry_gait(carrier *s)
{
    er_result r = ER_OK;
    normal_equations e;
    ERI_TRY(make_equations(s, GAIT_HARMONICS * s->modes, &e));
    ERI_TRY(sum_components(s, &e));
    choice c = choose_of_all(&e);
    double share = e.whole > 0.0 ? fmin(1.0, c.gain / e.whole) : 0.0, ratio = share > 0.0 ? 1.0 / sqrt(share) : 1.0;
    for (int i = 0; i < s->mix->component_count; ++i)
        s->match[i] = (er_carry_match){.share = share, .carried = c.count > 0 && share >= s->def.least};
    if (!s->match[0].carried) return ER_OK;
    for (int i = 0; i < c.count; ++i) {
        er_mix_component like = er_default_mix_component();
        like.harmonic = c.column[i] / s->modes + 1;
        add_part(s, like, s->mode[c.column[i] % s->modes],
                 (double[2]){fmin(ratio, 2.0) * c.factor[i][0], fmin(ratio, 2.0) * c.factor[i][1]});
    }
done:
    return r;
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
static double cycle_of(const carrier *s)
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

static er_result check(er_context *context, const er_carry_side *from, const er_mix *mix, const er_carry_side *to,
                       const er_carry_def *def)
{
    const er_carry_side *side[] = {from, to};
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

static er_result place_probes(carrier *s)
{
    er_result r = ER_OK;
    if (s->def.gait) ERI_TRY(eri_probe_feet(s->arena, s->from, s->to, &s->probes));
    if (s->probes.count == 0) ERI_TRY(eri_probe_regions(s->arena, s->from, s->to, &s->probes));
    s->rows = 3 * s->probes.count;
    ERI_TRY(list_modes(s));
    ERI_TRY_NEW(s->match, s->arena, er_carry_match, s->mix->component_count);
    ERI_TRY_NEW(s->made, s->arena, er_mix_component, MOST_COLUMNS * s->mix->component_count + MOST_COLUMNS);
done:
    return r;
}

er_result er_mix_carry(er_context *context, const er_carry_side *from, const er_mix *mix, const er_carry_side *to,
                       const er_carry_def *def, er_carry_match *match, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_mix *fitted = NULL;
    carrier s = {.context = context, .from = from, .to = to, .def = def != NULL ? *def : er_default_carry_def()};
    er_result r = check(context, from, mix, to, &s.def);
    if (r != ER_OK) return r;
    ERI_TRY(er_mix_fit(context, from->model, from->modes, mix, NULL, &fitted));
    ERI_TRY(eri_arena_create(context, &s.arena));
    s.mix = fitted;
    s.pace = s.def.pace > 0.0 ? s.def.pace : natural_pace(from, to);
    ERI_TRY(place_probes(&s));
    ERI_TRY(s.def.gait && s.modes > 0 ? carry_gait(&s) : carry_components(&s));
    if (s.made_count == 0)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "no component of the mix has a counterpart in the other rig"));
    er_mix made = {
        .name = fitted->name, .cycle = cycle_of(&s) / s.pace, .component_count = s.made_count, .component = s.made};
    ERI_TRY(er_mix_fit(context, to->model, to->modes, &made, NULL, out));
    if (match != NULL) memcpy(match, s.match, (size_t)mix->component_count * sizeof *match);
done:
    eri_arena_destroy(s.arena);
    er_mix_destroy(fitted);
    return r;
}
