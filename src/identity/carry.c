// A mix carried to another rig: least squares over what both rigs' probes measure.
#include <math.h>
#include <string.h>

#include "base/failure.h"
#include "identity/probes.h"

enum {
    MOST_CHOICES = 48, // gaits that are judged by their footfalls
    MOST_COLUMNS = 3,  // modes that make a component, or components that make a gait
    MOST_MODES = 64,   // of the other rig
    GAIT_MODES = 32    // the same for gaits, of which all sets are tried
};

// A mode that is worth less than this share is left out.
static const double LEAST_GAIN = 0.03;

// The largest weight of a foot's lift beside its swing.
static const double MOST_LIFT = 4.0;

er_carry_def er_default_carry_def(void)
{
    return (er_carry_def){.least = 0.25, .tag = ER_DEF_TAG};
}

typedef struct carrier {
    er_context *context;
    er_arena *arena;
    const er_carry_side *from, *to;
    er_carry_def def;
    bool gait;         // the sum of all components is carried, not each
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

typedef struct column_set {
    int count;
    int column[MOST_COLUMNS];
    double factor[MOST_COLUMNS][2]; // of sines and cosines
    double gain;                    // by which the sum of squares falls
} column_set;

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
    double *effort;  // [count], the price of a column's square; NULL: free
    double whole;    // the wanted motion's sum of squares
} normal_equations;

static void try_choice(const normal_equations *e, column_set *c)
{
    static const double RIDGE = 1e-9; // columns may be alike
    double a[MOST_COLUMNS][MOST_COLUMNS] = {0};
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

static bool holds(const column_set *c, int column)
{
    for (int i = 0; i < c->count; ++i)
        if (c->column[i] == column) return true;
    return false;
}

// Adds the best column while it gains enough.
static column_set choose_greedily(const normal_equations *e)
{
    column_set best = {0};
    for (int n = 0; n < MOST_COLUMNS; ++n) {
        column_set next = best;
        for (int i = 0; i < e->count; ++i) {
            column_set c = best;
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

// The best sets of columns, the best first.
typedef struct column_sets {
    int count;
    column_set best[MOST_CHOICES];
} column_sets;

static void keep(column_sets *list, const column_set *c)
{
    int at = list->count < MOST_CHOICES ? list->count++ : MOST_CHOICES - 1;
    if (at == MOST_CHOICES - 1 && list->best[at].count > 0 && list->best[at].gain >= c->gain) return;
    for (; at > 0 && list->best[at - 1].gain < c->gain; --at)
        list->best[at] = list->best[at - 1];
    list->best[at] = *c;
}

// The price of a column_set, a share of the wanted motion.
static double effort_of(const normal_equations *e, const double *effort, const column_set *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->count; ++i)
        sum += effort[c->column[i]] * (c->factor[i][0] * c->factor[i][0] + c->factor[i][1] * c->factor[i][1]);
    return sum / e->whole;
}

// Sets are solved as if effort were free, and then ordered by their gain less its price.
static void try_sets(const normal_equations *e, const double *effort, column_sets *out)
{
    for (int i = 0; i < e->count; ++i)
        for (int k = i; k < e->count; ++k)
            for (int l = k; l < e->count; ++l) {
                if (k == i && l != k) continue;
                column_set c = {.count = l > k ? 3 : k > i ? 2 : 1, .column = {i, k, l}};
                try_choice(e, &c);
                c.gain -= effort_of(e, effort, &c) * e->whole;
                if (c.gain > 0.0) keep(out, &c);
            }
}

// ---- both rigs

static er_result list_modes(carrier *s)
{
    er_result r = ER_OK;
    const er_modes *modes = s->to->modes;
    ERI_TRY_NEW(s->mode, s->arena, const er_mode *, MOST_MODES);
    ERI_TRY_NEW(s->column, s->arena, double, MOST_MODES * s->rows);
    int most = s->gait ? GAIT_MODES : MOST_MODES;
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
    like.degrees = fmin(hypot(x, y) / unit, s->gait ? ER_GAIT_MAX_DEGREES : 3600.0);
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

// Modes that turn joints much and yet move little pay for it, beside the component's own mode.
static void price_columns(const carrier *s, const er_mix_component *component, normal_equations *e)
{
    static const double PRICE = 0.02;
    for (int i = 0; i < e->count; ++i) {
        double unit = er_mode_amplitude(s->to->model, s->mode[i], component->degrees);
        e->effort[i] = unit > 0.0 ? PRICE * e->whole / (unit * unit) : 0.0;
    }
}

// The squared cosine between the old motion and the new one.
static double likeness(const carrier *s, const column_set *c)
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
static double lead_ratio(const carrier *s, const column_set *c)
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
    price_columns(s, component, e);
    column_set c = choose_greedily(e);
    s->match[index] = (er_carry_match){.share = fmin(1.0, likeness(s, &c))};
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
    ERI_TRY_NEW(e.effort, s->arena, double, s->modes);
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

// The feet's paths forward and up count alike, as a foot lifts little and yet enough to step.
static void balance_feet(carrier *s)
{
    double sum[2] = {0};
    for (int i = 0; i < s->mix->component_count; ++i) {
        read_component(s, &s->mix->component[i]);
        for (int p = 0; p < s->probes.count; ++p) {
            sum[0] += s->wanted[3 * p] * s->wanted[3 * p];
            sum[1] += s->wanted[3 * p + 2] * s->wanted[3 * p + 2];
        }
    }
    double factor = sum[1] > 0.0 ? fmax(1.0, fmin(MOST_LIFT, sqrt(sum[0] / sum[1]))) : 1.0;
    for (int p = 0; p < s->probes.count; ++p) {
        s->probes.from[p].weight.z *= factor;
        s->probes.to[p].weight.z *= factor;
    }
}

static er_result place_probes(carrier *s)
{
    er_result r = ER_OK;
    if (s->gait) ERI_TRY(eri_probe_feet(s->arena, s->from, s->to, &s->probes));
    bool feet = s->probes.count > 0;
    if (!feet) ERI_TRY(eri_probe_regions(s->arena, s->from, s->to, &s->probes));
    s->rows = 3 * s->probes.count;
    ERI_TRY_NEW(s->wanted, s->arena, double, s->rows);
    if (feet) balance_feet(s);
    ERI_TRY(list_modes(s));
    ERI_TRY_NEW(s->match, s->arena, er_carry_match, s->mix->component_count);
    ERI_TRY_NEW(s->made, s->arena, er_mix_component, MOST_COLUMNS * s->mix->component_count + MOST_COLUMNS);
done:
    return r;
}

static er_result begin(carrier *s, const er_mix *mix, er_mix **fitted)
{
    er_result r = check(s->context, s->from, mix, s->to, &s->def);
    if (r == ER_OK) r = er_mix_fit(s->context, s->from->model, s->from->modes, mix, NULL, fitted);
    if (r == ER_OK) r = eri_arena_create(s->context, &s->arena);
    if (r != ER_OK) return r;
    s->mix = *fitted;
    s->pace = s->def.pace > 0.0 ? s->def.pace : natural_pace(s->from, s->to);
    return place_probes(s);
}

static er_result finish(const carrier *s, er_mix **out)
{
    const er_mix made = {
        .name = s->mix->name, .cycle = cycle_of(s) / s->pace, .component_count = s->made_count, .component = s->made};
    return er_mix_fit(s->context, s->to->model, s->to->modes, &made, NULL, out);
}

er_result er_mix_carry(er_context *context, const er_carry_side *from, const er_mix *mix, const er_carry_side *to,
                       const er_carry_def *def, er_carry_match *match, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_mix *fitted = NULL;
    carrier s = {.context = context, .from = from, .to = to, .def = def != NULL ? *def : er_default_carry_def()};
    ERI_TRY(begin(&s, mix, &fitted));
    ERI_TRY(carry_components(&s));
    if (s.made_count == 0)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "no component of the mix has a counterpart in the other rig"));
    ERI_TRY(finish(&s, out));
    if (match != NULL) memcpy(match, s.match, (size_t)mix->component_count * sizeof *match);
done:
    eri_arena_destroy(s.arena);
    er_mix_destroy(fitted);
    return r;
}

// How far Froude numbers are apart, by a factor of e.
static double speeds_apart(const er_gait *wanted, const er_gait *made)
{
    return wanted->froude > 0.0 && made->froude > 0.0 ? fabs(log(made->froude / wanted->froude)) : HUGE_VAL;
}

// How far footfalls are from those wanted; 0: the same phases and duties in the same family, as fast
// and without more slip.
static double footfalls_apart(const carrier *s, const er_gait *wanted, const er_gait *made)
{
    const er_gait_body *a = s->from->regions->body, *b = s->to->regions->body;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < a->foot_count; ++i) {
        int k = eri_foot_like(a, i, b);
        if (k < 0) continue;
        double apart = wanted->step[i].phase - made->step[k].phase;
        sum += 0.5 - 0.5 * cos(2.0 * ER_PI * apart) + fabs(wanted->step[i].duty - made->step[k].duty);
        ++count;
    }
    return (count > 0 ? sum / count : 0.0) + (wanted->family != made->family ? 3.0 : 0.0) +
           0.2 * fmin(10.0, speeds_apart(wanted, made)) + 0.3 * fmin(2.0, fmax(0.0, made->slip - wanted->slip));
}

// Modes that turn joints more than the gait's own modes do pay for it.
static void price_gait(const carrier *s, const normal_equations *e, double *effort)
{
    static const double PRICE = 0.03;
    double squares = 0.0;
    for (int i = 0; i < s->mix->component_count; ++i)
        squares += s->mix->component[i].degrees * s->mix->component[i].degrees;
    for (int i = 0; i < e->count; ++i) {
        double unit = er_mode_amplitude(s->to->model, s->mode[i % s->modes], sqrt(squares));
        effort[i] = unit > 0.0 ? PRICE * e->whole / (unit * unit) : 0.0;
    }
}

// Mixes that are tried, and the best of them.
typedef struct gait_trial {
    const er_gait *gait; // wanted
    const er_rig *rig;
    const er_gait_def *paces;
    er_gaits *best; // NULL: none travels
    double apart;   // of its footfalls, and of its share from 1
    double share;
    column_set column_set;
    const normal_equations *equations;
    double *effort; // [count of columns]
} gait_trial;

static er_result try_gait(carrier *s, gait_trial *t, const column_set *c, double share)
{
    double ratio = fmin(2.0, 1.0 / sqrt(share)); // least squares shorten what they do not reach
    er_mix *mix = NULL;
    er_gaits *made = NULL;
    s->made_count = 0;
    for (int i = 0; i < c->count; ++i) {
        er_mix_component like = er_default_mix_component();
        like.harmonic = c->column[i] / s->modes + 1;
        add_part(s, like, s->mode[c->column[i] % s->modes],
                 (double[2]){ratio * c->factor[i][0], ratio * c->factor[i][1]});
    }
    er_result r = finish(s, &mix);
    if (r == ER_OK) r = er_gait_of_mix(s->context, s->to->model, t->rig, s->to->modes, mix, t->paces, &made);
    er_mix_destroy(mix);
    if (r != ER_OK) return r == ER_ERROR_RIG ? ER_OK : r; // it does not travel
    double apart = footfalls_apart(s, t->gait, &made->gait[0]) + 1.0 - share + effort_of(t->equations, t->effort, c);
    bool better = apart < t->apart - 1e-9;
    er_gaits_destroy(better ? t->best : made);
    if (!better) return ER_OK;
    t->best = made;
    t->apart = apart;
    t->share = share;
    t->column_set = *c;
    return ER_OK;
}

// Turns and scales one component of the best mix after the other while its footfalls come nearer.
static er_result improve(carrier *s, gait_trial *t)
{
    enum { ROUNDS = 6, WAYS = 4 };
    static const double NEAR_ENOUGH = 0.3; // powers of e between Froude numbers
    double turn = ER_PI / 6.0, scale = 1.5;
    er_result r = ER_OK;
    for (int round = 0; round < ROUNDS && t->best != NULL; ++round) {
        double before = t->apart;
        if (t->best->gait[0].family == t->gait->family && speeds_apart(t->gait, &t->best->gait[0]) < NEAR_ENOUGH) break;
        for (int k = 0; k < WAYS * t->column_set.count && r == ER_OK; ++k) {
            column_set c = t->column_set;
            double *f = c.factor[k / WAYS], x = f[0], y = f[1], angle = k % 2 == 0 ? turn : -turn,
                   size = k % 2 == 0 ? scale : 1.0 / scale;
            f[0] = k % WAYS < 2 ? cos(angle) * x - sin(angle) * y : size * x;
            f[1] = k % WAYS < 2 ? sin(angle) * x + cos(angle) * y : size * y;
            r = try_gait(s, t, &c, t->share);
        }
        if (r != ER_OK) return r;
        if (t->apart < before) continue;
        turn *= 0.5;
        scale = sqrt(scale);
    }
    return r;
}

er_result er_gait_carry(er_context *context, const er_carry_side *from, const er_gait *gait, const er_carry_side *to,
                        const er_rig *rig, const er_gait_def *paces, const er_carry_def *def, double *share,
                        er_gaits **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_mix *fitted = NULL;
    normal_equations e;
    column_sets *list;
    gait_trial trial = {.apart = HUGE_VAL};
    carrier s = {
        .context = context, .from = from, .to = to, .gait = true, .def = def != NULL ? *def : er_default_carry_def()};
    ERI_TRY(begin(&s, gait != NULL ? gait->mix : NULL, &fitted));
    ERI_TRY_NEW(list, s.arena, column_sets, 1);
    if (s.modes > 0) {
        ERI_TRY(make_equations(&s, GAIT_HARMONICS * s.modes, &e));
        ERI_TRY(sum_components(&s, &e));
        ERI_TRY_NEW(trial.effort, s.arena, double, e.count);
        price_gait(&s, &e, trial.effort);
        try_sets(&e, trial.effort, list);
    }
    trial.gait = gait;
    trial.rig = rig;
    trial.paces = paces;
    trial.equations = &e;
    for (int i = 0; i < list->count && list->best[i].gain >= s.def.least * e.whole; ++i) {
        const column_set *c = &list->best[i];
        ERI_TRY(try_gait(&s, &trial, c, c->gain / e.whole + effort_of(&e, trial.effort, c)));
    }
    ERI_TRY(improve(&s, &trial));
    if (share != NULL) *share = fmin(1.0, trial.share);
    *out = trial.best;
    trial.best = NULL;
    if (*out == NULL) ERI_TRY(er_fail(context, ER_ERROR_RIG, "no mix of modes moves the other rig like this gait"));
done:
    er_gaits_destroy(trial.best);
    eri_arena_destroy(s.arena);
    er_mix_destroy(fitted);
    return r;
}
