// A gait carried to another rig: mixes whose feet move like those of the gait, refined until they step like it.
#include <math.h>
#include <stdlib.h>

#include "base/failure.h"
#include "identity/carrier.h"

enum {
    HARMONICS = 2,
    FEET_MODES = 24,   // of the other rig, all sets of which are solved for
    MOST_POSED = 4000, // of these sets, the best by their squares
    MOST_TRIED = 96,   // sets that are refined, or judged if there are no feet
    MOST_POLISHED = 6  // mixes that are refined at fine frames
};

static const double least_angle = 0.03, most_angle = 0.7; // rad, of a component before it is refined

static int harmonic_of(const er_mix_component *component)
{
    return component->harmonic == 2 ? 2 : 1;
}

// ---- what is wanted

// The feet's paths forward and up count alike, as a foot lifts little and yet enough to step.
static void balance_feet(eri_carrier *s)
{
    static const double MOST_LIFT = 4.0; // the largest weight of a lift beside the swing
    double sum[2] = {0};
    for (int i = 0; i < s->mix->component_count; ++i) {
        eri_carrier_read(s, &s->mix->component[i]);
        for (int p = 0; p < s->probes.count; ++p) {
            sum[0] += s->wanted[3 * p] * s->wanted[3 * p];
            sum[1] += s->wanted[3 * p + 2] * s->wanted[3 * p + 2];
        }
    }
    double factor = sum[1] > 0.0 ? fmax(1.0, fmin(MOST_LIFT, sqrt(sum[0] / sum[1]))) : 1.0;
    for (int p = 0; p < s->probes.count; ++p)
        s->probes.from[p].weight.z *= factor;
    for (int i = 0; i < s->modes; ++i)
        for (int p = 0; p < s->probes.count; ++p)
            s->column[(ptrdiff_t)i * s->rows + 3 * p + 2] *= factor;
}

// Modes that turn joints more than the gait's own modes do pay for it.
static er_result price_gait(const eri_carrier *s, eri_equations *e)
{
    static const double PRICE = 0.03;
    er_result r = ER_OK;
    double squares = 0.0;
    ERI_TRY_NEW(e->effort, s->arena, double, e->count);
    for (int i = 0; i < s->mix->component_count; ++i)
        squares += eri_square(s->mix->component[i].degrees);
    for (int i = 0; i < e->count; ++i) {
        double unit = er_mode_amplitude(s->to->model, s->mode[i % s->modes], sqrt(squares));
        e->effort[i] = unit > 0.0 ? PRICE * e->whole / eri_square(unit) : 0.0;
    }
done:
    return r;
}

// The wanted motion of each harmonic: sines, then cosines.
static er_result sum_components(eri_carrier *s, eri_equations *e)
{
    er_result r = ER_OK;
    double *sum;
    ERI_TRY_NEW(sum, s->arena, double, 2 * HARMONICS * s->rows);
    for (int i = 0; i < s->mix->component_count; ++i) {
        const er_mix_component *component = &s->mix->component[i];
        double *at = sum + (ptrdiff_t)(harmonic_of(component) - 1) * 2 * s->rows;
        eri_carrier_read(s, component);
        for (int row = 0; row < s->rows; ++row) {
            at[row] += cos(component->phase) * s->wanted[row];
            at[s->rows + row] += sin(component->phase) * s->wanted[row];
        }
    }
    e->whole = eri_row_product(2 * HARMONICS * s->rows, sum, sum);
    for (int i = 0; i < e->count; ++i)
        for (int part = 0; part < 2; ++part)
            e->wanted[2 * i + part] = eri_row_product(s->rows, sum + (ptrdiff_t)(i / s->modes * 2 + part) * s->rows,
                                                      s->column + (ptrdiff_t)(i % s->modes) * s->rows);
    ERI_TRY(price_gait(s, e));
done:
    return r;
}

// ---- sets of columns

static int by_gain(const void *a, const void *b)
{
    const eri_column_set *x = a, *y = b;
    if (x->gain != y->gain) return (x->gain < y->gain) - (x->gain > y->gain);
    for (int i = 0; i < ERI_CARRY_COLUMNS; ++i)
        if (x->column[i] != y->column[i]) return x->column[i] - y->column[i];
    return x->count - y->count;
}

typedef struct column_sets {
    int count;
    eri_column_set *set; // the best first
} column_sets;

// All sets of at most three columns that gain something.
static er_result list_sets(const eri_carrier *s, const eri_equations *e, column_sets *out)
{
    er_result r = ER_OK;
    size_t n = (size_t)e->count;
    ERI_TRY_NEW(out->set, s->arena, eri_column_set, n + n * n / 2 + n * n * n / 6);
    for (int i = 0; i < e->count; ++i)
        for (int k = i; k < e->count; ++k)
            for (int l = k; l < e->count; ++l) {
                if (k == i && l != k) continue;
                eri_column_set set = {.count = l > k ? 3 : k > i ? 2 : 1, .column = {i, k, l}};
                eri_equations_solve(e, &set);
                if (set.gain >= s->def.least * e->whole) out->set[out->count++] = set;
            }
    qsort(out->set, (size_t)out->count, sizeof *out->set, by_gain);
done:
    return r;
}

// The squared cosine between the wanted motion and that of a set.
static double likeness(const eri_equations *e, const eri_column_set *set)
{
    double both = 0.0, square = 0.0;
    for (int i = 0; i < set->count; ++i)
        for (int part = 0; part < 2; ++part) {
            both += set->factor[i][part] * e->wanted[2 * set->column[i] + part];
            for (int k = 0; k < set->count; ++k)
                square += set->factor[i][part] * set->factor[k][part] *
                          e->product[(ptrdiff_t)set->column[i] * e->count + set->column[k]];
        }
    return both > 0.0 && square > 0.0 ? fmin(1.0, both * both / (square * e->whole)) : 0.0;
}

// ---- feet

// The search of a body's feet.
typedef struct stepper {
    eri_carrier *carrier;
    eri_equations equations;
    int *sampled; // [modes of the carrier], index into the sampler's modes
    eri_evaluator evaluator;
    eri_footfall_aim aim;
    int count;
    eri_candidate *best; // [count], ascending
} stepper;

static eri_gait_mix mix_of(const stepper *s, const eri_column_set *set)
{
    const eri_carrier *c = s->carrier;
    eri_gait_mix mix = {.count = set->count};
    double ratio = fmin(2.0, sqrt(s->equations.whole / set->gain)); // least squares shorten what they do not reach
    for (int i = 0; i < set->count; ++i) {
        int mode = s->sampled[set->column[i] % c->modes];
        double x = set->factor[i][0], y = set->factor[i][1], angle = ratio * hypot(x, y) / c->feet->factor[mode];
        mix.component[i] = (eri_gait_component){mode, set->column[i] / c->modes + 1,
                                                fmax(least_angle, fmin(most_angle, angle)), atan2(y, x)};
    }
    return mix;
}

static eri_column_set set_of(const stepper *s, const eri_gait_mix *mix)
{
    const eri_carrier *c = s->carrier;
    eri_column_set set = {.count = mix->count};
    for (int i = 0; i < mix->count; ++i) {
        const eri_gait_component *v = &mix->component[i];
        int column = 0;
        while (s->sampled[column] != v->mode)
            ++column;
        set.column[i] = column + (v->harmonic - 1) * c->modes;
        set.factor[i][0] = v->angle * c->feet->factor[v->mode] * cos(v->phase);
        set.factor[i][1] = v->angle * c->feet->factor[v->mode] * sin(v->phase);
    }
    return set;
}

static double price_of(const void *self, const eri_gait_mix *mix)
{
    const stepper *s = self;
    eri_column_set set = set_of(s, mix);
    return 1.0 - likeness(&s->equations, &set);
}

// The footfalls of the gait, foot by foot of the other rig. Families of other numbers of feet are not compared.
static er_result set_aim(stepper *s, const er_gait *gait)
{
    er_result r = ER_OK;
    const er_gait_body *from = s->carrier->from->regions->body, *to = s->carrier->to->regions->body;
    s->aim = (eri_footfall_aim){
        .family = gait->family, .any_family = from->foot_count != to->foot_count, .price = price_of, .user = s};
    ERI_TRY_NEW(s->aim.step, s->carrier->arena, er_gait_step, to->foot_count);
    for (int i = 0; i < to->foot_count; ++i)
        s->aim.step[i].duty = -1.0;
    for (int i = 0; i < from->foot_count; ++i) {
        int foot = eri_foot_like(from, i, to);
        if (foot >= 0) s->aim.step[foot] = gait->step[i];
    }
done:
    return r;
}

// Near the edge of a family its name depends on the last digits of the period, so it is the one that is played.
static double period_of(const eri_carrier *c, const er_gait *gait, const er_gait_def *paces)
{
    double hz = paces->hz > 0.0 ? paces->hz : gait->hz * c->pace;
    return paces->fps > 0.0 ? fmax(1.0, round(paces->fps / hz)) / paces->fps : 1.0 / hz;
}

static er_result create_stepper(stepper *s, eri_mix_sampler *sampler, const er_gait *gait, const er_gait_def *paces)
{
    er_result r = ER_OK;
    eri_carrier *c = s->carrier;
    ERI_TRY(eri_carrier_equations(c, HARMONICS * c->modes, &s->equations));
    ERI_TRY(sum_components(c, &s->equations));
    ERI_TRY_NEW(s->sampled, c->arena, int, c->modes);
    for (int i = 0; i < c->modes; ++i)
        while (sampler->index[s->sampled[i]] != er_modes_index(c->to->modes, c->mode[i]))
            ++s->sampled[i];
    ERI_TRY(set_aim(s, gait));
    ERI_TRY(eri_evaluator_create(c->arena, sampler, &paces->weights, &s->evaluator));
    s->evaluator.aim = &s->aim;
    s->evaluator.ground.period = period_of(c, gait, paces);
done:
    return r;
}

// Poses the best sets, and keeps those with the nearest footfalls.
static er_result pose_sets(stepper *s, const column_sets *sets)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->best, s->carrier->arena, eri_candidate, MOST_POSED);
    for (int i = 0; i < sets->count && i < MOST_POSED; ++i) {
        eri_candidate *next = &s->best[s->count];
        eri_evaluator_evaluate(&s->evaluator, mix_of(s, &sets->set[i]), next);
        s->count += next->cost < HUGE_VAL;
    }
    eri_candidates_sort(s->count, s->best);
done:
    return r;
}

// Refines the best candidates and sorts them.
static void refine(stepper *s, int most, bool finely)
{
    if (s->count > most) s->count = most;
    for (int i = 0; i < s->count; ++i) {
        eri_candidate *at = &s->best[i];
        if (finely) eri_evaluator_evaluate_finely(&s->evaluator, s->evaluator.ground.period, at);
        s->evaluator.any_family = s->aim.any_family || at->family != s->aim.family;
        eri_evaluator_refine(&s->evaluator, finely, at);
    }
    eri_candidates_sort(s->count, s->best);
}

static void add_components(stepper *s, const eri_candidate *from)
{
    eri_column_set set = set_of(s, &from->mix);
    for (int i = 0; i < set.count; ++i) {
        er_mix_component like = er_default_mix_component();
        like.harmonic = from->mix.component[i].harmonic;
        eri_carrier_add(s->carrier, like, s->carrier->mode[set.column[i] % s->carrier->modes], set.factor[i]);
    }
}

static er_result judge(const eri_carrier *s, const er_rig *rig, const er_gait_def *paces, er_gaits **out)
{
    er_mix *mix = NULL;
    er_result r = eri_carrier_finish(s, &mix);
    if (r == ER_OK) r = er_gait_of_mix(s->context, s->to->model, rig, s->to->modes, mix, paces, out);
    er_mix_destroy(mix);
    return r;
}

// A gait to be carried, and the result.
typedef struct carriage {
    const er_gait *gait;
    const er_rig *rig;
    const er_gait_def *paces;
    double share;
    er_gaits *gaits;
} carriage;

static er_result carry_steps(eri_carrier *c, eri_mix_sampler *sampler, carriage *out)
{
    er_result r = ER_OK;
    stepper s = {.carrier = c};
    column_sets sets = {0};
    const er_gait_def usual = er_default_gait_def();
    ERI_TRY(eri_carrier_read_modes(c));
    balance_feet(c);
    if (c->modes == 0) return ER_OK;
    ERI_TRY(create_stepper(&s, sampler, out->gait, out->paces != NULL ? out->paces : &usual));
    ERI_TRY(list_sets(c, &s.equations, &sets));
    ERI_TRY(pose_sets(&s, &sets));
    refine(&s, MOST_TRIED, false);
    refine(&s, MOST_POLISHED, true);
    for (int i = 0; i < s.count && out->gaits == NULL; ++i) {
        c->made_count = 0;
        add_components(&s, &s.best[i]);
        out->share = 1.0 - price_of(&s, &s.best[i].mix);
        r = judge(c, out->rig, out->paces, &out->gaits);
        if (r == ER_ERROR_RIG) r = ER_OK; // at this pace it does not travel
        if (r != ER_OK) return r;
    }
done:
    return r;
}

// ---- without feet

// Takes the fastest of the nearest mixes that travels as fast as the gait or nearly so.
static er_result carry_waves(eri_carrier *c, carriage *out)
{
    er_result r = ER_OK;
    eri_equations e;
    column_sets sets = {0};
    double best = HUGE_VAL;
    ERI_TRY(eri_probe_regions(c->arena, c->from, c->to, &c->probes));
    ERI_TRY(eri_carrier_read_modes(c));
    if (c->modes > FEET_MODES) c->modes = FEET_MODES;
    if (c->modes == 0) return ER_OK;
    ERI_TRY(eri_carrier_equations(c, HARMONICS * c->modes, &e));
    ERI_TRY(sum_components(c, &e));
    ERI_TRY(list_sets(c, &e, &sets));
    for (int i = 0; i < sets.count && i < MOST_TRIED; ++i) {
        const eri_column_set *set = &sets.set[i];
        er_gaits *made = NULL;
        c->made_count = 0;
        for (int k = 0; k < set->count; ++k) {
            er_mix_component like = er_default_mix_component();
            like.harmonic = set->column[k] / c->modes + 1;
            eri_carrier_add(c, like, c->mode[set->column[k] % c->modes], set->factor[k]);
        }
        r = judge(c, out->rig, out->paces, &made);
        if (r != ER_OK && r != ER_ERROR_RIG) return r;
        if (r != ER_OK) continue; // it does not travel
        const er_gait *gait = &made->gait[0];
        double slower = log(out->gait->froude / gait->froude);
        double apart =
            (gait->family != out->gait->family ? 3.0 : 0.0) + 0.2 * fmin(10.0, fabs(slower)) + 1.0 - likeness(&e, set);
        bool better = apart < best - 1e-9;
        er_gaits_destroy(better ? out->gaits : made);
        if (!better) continue;
        out->gaits = made;
        out->share = likeness(&e, set);
        best = apart;
    }
    r = ER_OK;
done:
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
    eri_mix_sampler *sampler = NULL;
    carriage found = {.gait = gait, .rig = rig, .paces = paces};
    eri_carrier s = {.context = context,
                     .from = from,
                     .to = to,
                     .def = def != NULL ? *def : er_default_carry_def(),
                     .most_degrees = ER_GAIT_MAX_DEGREES};
    ERI_TRY(eri_carrier_begin(&s, gait != NULL ? gait->mix : NULL));
    if (gait->family < ER_GAIT_SLITHER) ERI_TRY(eri_probe_feet(s.arena, from, to, &s.probes));
    if (s.probes.count > 0) {
        ERI_TRY(eri_mix_sampler_create(context, s.arena, to->model, to->regions->body, to->modes, FEET_MODES, false,
                                       &sampler));
        s.feet = sampler;
        ERI_TRY(carry_steps(&s, sampler, &found));
    } else {
        ERI_TRY(carry_waves(&s, &found));
    }
    if (found.gaits == NULL)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "no mix of modes moves the other rig like this gait"));
    if (share != NULL) *share = found.share;
    *out = found.gaits;
    found.gaits = NULL;
done:
    er_gaits_destroy(found.gaits);
    eri_mix_sampler_destroy(sampler);
    eri_carrier_end(&s);
    return r;
}
