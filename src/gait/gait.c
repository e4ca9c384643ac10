// Gaits of a rig: selects and names the candidates of the search, and evaluates given mixes as gaits.
#include <string.h>

#include "base/letters.h"
#include "gait/stride.h"

// --- gaits from candidates

typedef struct gait_finder {
    er_context *context;
    const er_model *model;
    const er_modes *modes;
    er_gait_def def;
    er_arena *arena, *scratch;
    er_gait_body *body;
    eri_mix_sampler *sampler, *wing_sampler; // of the modes that move feet, and wings
    er_gaits *out;
    er_gait *gait; // [out->count]
    er_mix **mix;  // [def.best], owned by the result
} gait_finder;

// The result's own: mixes are objects beside its arena.
typedef struct gaits_work {
    er_gaits gaits;
    er_gait_body *body;
    er_mix **mix;
    int mix_count;
} gaits_work;

static er_result make_mix(gait_finder *f, const eri_candidate *candidate, const char *name, er_mix **out)
{
    er_result r;
    er_mix_component component[ERI_GAIT_MAX_COMPONENTS];
    for (int v = 0; v < candidate->mix.count; ++v) {
        const eri_gait_component *from = &candidate->mix.component[v];
        component[v] = er_default_mix_component();
        component[v].mode = (candidate->family == ER_GAIT_FLAP ? f->wing_sampler : f->sampler)->index[from->mode];
        component[v].degrees = from->angle * 180.0 / ER_PI;
        component[v].harmonic = from->harmonic;
        component[v].phase = remainder(from->phase, 2.0 * ER_PI);
    }
    er_mix mix = {.name = name,
                  .cycle = candidate->stride.period,
                  .component_count = candidate->mix.count,
                  .component = component};
    r = er_mix_fit(f->context, f->model, f->modes, &mix, NULL, out);
    return r;
}

// Steps with phases from the first foot of the hindmost pair on.
static er_result copy_steps(gait_finder *f, const eri_stride *s, const er_gait_step **out)
{
    er_result r = ER_OK;
    er_gait_step *step;
    int first = s->feet >= 2 && s->feet % 2 == 0 ? s->feet - 2 : 0;
    ERI_TRY_NEW(step, f->arena, er_gait_step, s->feet);
    for (int i = 0; i < s->feet; ++i) {
        double phase = s->step[i].phase - s->step[first].phase;
        step[i] = s->step[i];
        step[i].phase = phase - floor(phase);
    }
    *out = step;
done:
    return r;
}

static er_result name_gait(gait_finder *f, er_gait_family family, const char **out)
{
    int same = 1;
    for (int i = 0; i < f->out->count; ++i)
        same += f->gait[i].family == family;
    const char *name = er_gait_family_name(family);
    *out = same > 1 ? eri_arena_printf(f->arena, "%s %d", name, same) : name;
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

// --- the pace

static double paced(const gait_finder *f, const eri_stride *s)
{
    double period = f->def.hz > 0.0 ? 1.0 / f->def.hz : f->def.speed > 0.0 ? s->length / f->def.speed : s->period;
    return f->def.fps > 0.0 ? fmax(1.0, round(period * f->def.fps)) / f->def.fps : period;
}

// The same mix at another pace. Height, stance and slip depend on it and are found again.
static er_result set_period(gait_finder *f, double period, eri_candidate *candidate)
{
    bool flaps = candidate->family == ER_GAIT_FLAP;
    if (f->body->foot_count > 0 && !flaps) {
        eri_evaluator judge;
        er_result r = eri_evaluator_create(f->scratch, f->sampler, &f->def.weights, &judge);
        if (r == ER_OK) eri_evaluator_evaluate_finely(&judge, period, candidate);
        return r;
    }
    candidate->stride.period = period;
    eri_gait_effort(flaps ? f->wing_sampler : f->sampler, &candidate->mix, &candidate->stride);
    return ER_OK;
}

// Iterates, because the stride's length depends on its period, and the period wanted on the length.
static er_result keep_pace(gait_finder *f, eri_candidate *candidate)
{
    enum { TURNS = 16 };
    er_result r = ER_OK;
    er_gait_family family = candidate->family;
    for (int turn = 0; turn < TURNS && r == ER_OK; ++turn) {
        double period = paced(f, &candidate->stride);
        if (fabs(period / candidate->stride.period - 1.0) < 1e-9) break;
        r = set_period(f, period, candidate);
    }
    candidate->family = family; // the name stays that of its own pace
    return r;
}

static er_result add_gait(gait_finder *f, const eri_candidate *own_pace)
{
    er_result r = ER_OK;
    eri_candidate changed = *own_pace, *candidate = &changed;
    const eri_stride *s = &candidate->stride;
    const er_gait_body *body = f->body;
    er_gait *gait = &f->gait[f->out->count];
    ERI_TRY(keep_pace(f, candidate));
    if (!(candidate->cost < HUGE_VAL)) { // it does not travel at that pace
        ++f->out->lost;
        return ER_OK;
    }
    double speed = s->length / s->period, duty = 0.0, clearance = s->feet > 0 ? HUGE_VAL : 0.0;
    for (int i = 0; i < s->feet; ++i) {
        duty += s->step[i].duty / s->feet;
        clearance = fmin(clearance, s->step[i].clearance);
    }
    *gait = (er_gait){.family = candidate->family,
                      .hz = 1.0 / s->period,
                      .own_hz = s->own_hz,
                      .speed = speed,
                      .froude = speed * speed / (body->gravity * body->leg),
                      .stride = s->length,
                      .slip = s->slip,
                      .clearance = clearance,
                      .bob = s->bob,
                      .flight = s->flight,
                      .duty = duty,
                      .cost = s->effort,
                      .score = 1.0 / (1.0 + candidate->cost)};
    ERI_TRY(name_gait(f, candidate->family, &gait->name));
    ERI_TRY(copy_steps(f, s, &gait->step));
    ERI_TRY(make_mix(f, candidate, gait->name, &f->mix[f->out->count]));
    gait->mix = f->mix[f->out->count++];
    ((gaits_work *)f->out)->mix_count = f->out->count;
done:
    return r;
}

// Whether two gaits look alike: the same family, similar length, and two strong modes in common.
static bool alike(const eri_candidate *a, const eri_candidate *b)
{
    if (a->family != b->family || fabs(a->stride.length / b->stride.length - 1.0) > 0.2) return false;
    int common = 0;
    for (int i = 0; i < a->mix.count; ++i)
        for (int k = 0; k < b->mix.count; ++k)
            common += a->mix.component[i].mode == b->mix.component[k].mode && a->mix.component[i].angle > 0.05 &&
                      b->mix.component[k].angle > 0.05;
    return common >= 2;
}

// Takes the best of each family, then second ones. Poor candidates count only if there are no good ones.
static er_result choose(gait_finder *f, const eri_candidate *candidate, int count)
{
    er_result r = ER_OK;
    int *rank; // within its family; -1 if it is poor, or too similar to a better one
    const double good = 2.5, poor = 4.0;
    double most = poor;
    for (int i = 0; i < count; ++i)
        if (candidate[i].cost < good) most = good;
    ERI_TRY_NEW(rank, f->scratch, int, count);
    for (int i = 0; i < count; ++i) {
        if (!(candidate[i].cost < most)) rank[i] = -1;
        for (int k = 0; k < i && rank[i] >= 0; ++k) {
            if (rank[k] < 0) continue;
            rank[i] += candidate[k].family == candidate[i].family;
            if (alike(&candidate[k], &candidate[i])) rank[i] = -1;
        }
    }
    for (int turn = 0; turn < f->def.best; ++turn)
        for (int i = 0; i < count && f->out->count < f->def.best; ++i)
            if (rank[i] == turn) ERI_TRY(add_gait(f, &candidate[i]));
done:
    return r;
}

// --- checks

static er_result check(er_context *context, const er_model *model, const er_modes *modes, const er_gait_def *d)
{
    if (model == NULL || modes == NULL || d->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "gaits need a model, its modes, and NULL or a def made by er_default_gait_def()");
    if (d->best < 1 || d->best > 100)
        return er_fail(context, ER_ERROR_ARGUMENT, "the number of gaits, %d, is not between 1 and 100", d->best);
    if (d->mode_count < 1 || d->mode_count > 64)
        return er_fail(context, ER_ERROR_ARGUMENT, "the number of modes to search, %d, is not between 1 and 64",
                       d->mode_count);
    er_gait_weights weights = d->weights;
    for (int i = 0; i < ER_GAIT_WEIGHT_COUNT; ++i) {
        double weight = *er_gait_weight(&weights, i);
        if (!(weight >= 0.0 && weight <= 1e6))
            return er_fail(context, ER_ERROR_ARGUMENT, "a weight of %g is not between 0 and 1000000", weight);
    }
    if (!(d->hz >= 0.0 && d->hz <= 1e3) || !(d->speed >= 0.0 && d->speed <= 1e6) || !(d->fps >= 0.0 && d->fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a pace of %g Hz, %g m/s and %g frames a second is not between 0 and 1000, 1e6, 1e5", d->hz,
                       d->speed, d->fps);
    if (model->body_count > ER_GAIT_MAX_BODIES)
        return er_fail(context, ER_ERROR_RIG, "%d bodies are too many to search for gaits; %d are the most",
                       model->body_count, ER_GAIT_MAX_BODIES);
    for (int j = 0; j < model->joint_count; ++j)
        if (model->joint[j].parent < 0)
            return er_fail(
                context, ER_ERROR_RIG,
                "the rig is held to the world by \"%s\" and cannot travel; --root free lets a model go, and a rig "
                "file wants no joint to the world",
                model->joint[j].name);
    return ER_OK;
}

static er_result begin(gait_finder *f, const er_rig *rig)
{
    er_result r = ER_OK;
    gaits_work *work;
    ERI_TRY(er_gait_body_read(f->context, f->model, rig, &f->def, &f->body));
    if (f->body->foot_count == 1)
        ERI_TRY(er_fail(f->context, ER_ERROR_RIG, "a gait needs two feet or more, and there is only \"%s\"",
                        f->model->body[f->body->foot[0].body].name));
    if (f->body->foot_count > ERI_GAIT_MOST_FEET)
        ERI_TRY(er_fail(f->context, ER_ERROR_RIG, "%d feet are too many; choose at most %d with --feet",
                        f->body->foot_count, ERI_GAIT_MOST_FEET));
    ERI_TRY(eri_arena_create(f->context, &f->arena));
    ERI_TRY(eri_arena_create(f->context, &f->scratch));
    ERI_TRY_NEW(work, f->arena, gaits_work, 1);
    ERI_TRY_NEW(f->gait, f->arena, er_gait, f->def.best);
    f->mix = work->mix = ERI_NEW(f->arena, er_mix *, f->def.best);
    ERI_TRY(f->mix != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(eri_mix_sampler_create(f->context, f->scratch, f->model, f->body, f->modes, f->def.mode_count, false,
                                   &f->sampler));
    if (f->sampler->mode_count == 0)
        ERI_TRY(er_fail(f->context, ER_ERROR_RIG, "the rig has no elastic mode that could move it forward"));
    work->body = f->body;
    f->out = &work->gaits;
    *f->out = (er_gaits){.body = f->body, .gait = f->gait, .arena = f->arena};
done:
    return r;
}

// Adds flight behind the gaits on the ground.
static er_result fly(gait_finder *f, eri_candidate **candidate, int *count)
{
    er_result r = ER_OK;
    eri_candidate *flap, *both;
    int flaps;
    ERI_TRY(eri_mix_sampler_create(f->context, f->scratch, f->model, f->body, f->modes, f->def.mode_count, true,
                                   &f->wing_sampler));
    ERI_TRY(eri_flap_search(f->scratch, f->wing_sampler, &f->def, &flap, &flaps, f->out));
    ERI_TRY_NEW(both, f->scratch, eri_candidate, *count + flaps);
    for (int i = 0; i < *count + flaps; ++i)
        both[i] = i < *count ? (*candidate)[i] : flap[i - *count];
    *candidate = both;
    *count += flaps;
done:
    return r;
}

static void end(gait_finder *f, er_result r, er_gaits **out)
{
    eri_mix_sampler_destroy(f->sampler);
    eri_mix_sampler_destroy(f->wing_sampler);
    eri_arena_destroy(f->scratch);
    if (r == ER_OK) {
        *out = f->out;
        return;
    }
    if (f->out != NULL)
        er_gaits_destroy(f->out);
    else {
        er_gait_body_destroy(f->body);
        eri_arena_destroy(f->arena);
    }
}

er_result er_gaits_find(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                        const er_gait_def *def, er_gaits **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    gait_finder f = {
        .context = context, .model = model, .modes = modes, .def = def != NULL ? *def : er_default_gait_def()};
    eri_candidate *candidate = NULL;
    int count = 0;
    er_result r = check(context, model, modes, &f.def);
    if (r != ER_OK) return r;
    ERI_TRY(begin(&f, rig));
    bool flies = f.body->wing_count > 0;
    if (f.body->foot_count > 0)
        ERI_TRY(eri_gait_search(f.scratch, f.sampler, &f.def, &candidate, &count, f.out));
    else if (!flies)
        ERI_TRY(eri_wave_search(f.scratch, f.sampler, &f.def, &candidate, &count, f.out));
    if (flies) ERI_TRY(fly(&f, &candidate, &count));
    ERI_TRY(choose(&f, candidate, count));
done:
    end(&f, r, out);
    return r;
}

void er_gaits_destroy(er_gaits *gaits)
{
    if (gaits == NULL) return;
    gaits_work *work = (gaits_work *)gaits;
    for (int i = 0; i < work->mix_count; ++i)
        er_mix_destroy(work->mix[i]);
    er_gait_body_destroy(work->body);
    eri_arena_destroy(gaits->arena);
}

const er_gait *er_gaits_named(const er_gaits *gaits, const char *name)
{
    for (int i = 0; gaits != NULL && name != NULL && i < gaits->count; ++i)
        if (eri_same_letters(gaits->gait[i].name, name)) return &gaits->gait[i];
    return NULL;
}

// --- a mix as it stands

static er_result check_mix(er_context *context, const er_gait_body *body, const er_mix *mix)
{
    int most = body->foot_count < ERI_GAIT_MANY_FEET ? ERI_GAIT_FEW_COMPONENTS : ERI_GAIT_MAX_COMPONENTS;
    if (mix->component_count > most)
        return er_fail(context, ER_ERROR_ARGUMENT, "a gait of %d feet is a mix of %d modes at most, not %d",
                       body->foot_count, most, mix->component_count);
    for (int v = 0; v < mix->component_count; ++v)
        if (mix->component[v].degrees > ER_GAIT_MAX_DEGREES)
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d: %g degrees are too many for a gait; %d are the most",
                           mix->component[v].mode, mix->component[v].degrees, ER_GAIT_MAX_DEGREES);
    return ER_OK;
}

// Strides a second that a mix's frequencies are whole multiples of: the lowest; 0 where it has none.
static double stride_hz(const er_mix *mix)
{
    double lowest = 0.0;
    for (int v = 0; v < mix->component_count; ++v) {
        double hz = mix->component[v].hz;
        if (hz > 0.0 && (lowest == 0.0 || hz < lowest)) lowest = hz;
    }
    return lowest;
}

// How often a component swings a stride, once or twice.
static er_result count_cycles(er_context *context, const er_mix_component *v, double hz, int *out)
{
    double times = v->hz > 0.0 ? v->hz / hz : fmax(v->harmonic, 1.0);
    *out = (int)fmin(round(times), 100.0);
    if (*out >= 1 && *out <= 2 && fabs(times - *out) <= 0.05 * times) return ER_OK;
    return er_fail(
        context, ER_ERROR_ARGUMENT,
        "mode %d swings %.3g times a stride; a gait's modes swing once or twice, @%.4g or @%.4g Hz, or @1x, @2x",
        v->mode, times, hz > 0.0 ? hz : 1.0, hz > 0.0 ? 2.0 * hz : 2.0);
}

// A component as a part of the search's kind; false where the mode is not among the walker's.
static bool take_component(const gait_finder *f, const er_mix_component *component, int cycles, eri_gait_component *out)
{
    for (int m = 0; m < f->sampler->mode_count; ++m) {
        if (f->sampler->index[m] != component->mode) continue;
        *out = (eri_gait_component){m, cycles, component->degrees * ER_PI / 180.0, component->phase};
        return true;
    }
    return false;
}

static er_result judge_steps(gait_finder *f, double period, eri_candidate *candidate)
{
    eri_evaluator judge;
    er_result r = eri_evaluator_create(f->scratch, f->sampler, &f->def.weights, &judge);
    if (r != ER_OK) return r;
    judge.ground.period = period;
    eri_evaluator_evaluate(&judge, candidate->mix, candidate);
    eri_evaluator_evaluate_finely(&judge, period, candidate);
    return r;
}

// In place of what was found where the mix does more by its wings.
static er_result judge_flap(gait_finder *f, const eri_gait_mix *mix, double period, eri_candidate *candidate)
{
    er_result r = ER_OK;
    eri_flap flap;
    eri_candidate flown;
    ERI_TRY(eri_mix_sampler_create(f->context, f->scratch, f->model, f->body, f->modes, f->def.mode_count, true,
                                   &f->wing_sampler));
    ERI_TRY(eri_flap_create(f->scratch, f->wing_sampler, &f->def.weights, &flap));
    eri_flap_evaluate(&flap, period, *mix, &flown);
    if (flown.cost < candidate->cost) *candidate = flown;
done:
    return r;
}

// Takes the better of a wave to the sides and one up and down.
static er_result judge_wave(gait_finder *f, double period, eri_candidate *candidate)
{
    er_result r = ER_OK;
    candidate->cost = HUGE_VAL;
    for (int plane = 0; plane < 2; ++plane) {
        if (!f->body->waves[plane]) continue;
        eri_wave wave;
        eri_candidate one = {.mix = candidate->mix, .family = f->body->lies ? ER_GAIT_SLITHER : ER_GAIT_SWIM};
        ERI_TRY(eri_wave_create(f->scratch, f->model, f->body, plane == 1, &wave));
        eri_wave_evaluate(f->sampler, &wave, &one.mix, &one.stride);
        if (period > 0.0) one.stride.period = period;
        eri_gait_effort(f->sampler, &one.mix, &one.stride);
        one.cost = eri_wave_cost(f->model, &f->def.weights, plane == 1, &one.stride);
        if (one.cost < candidate->cost) *candidate = one;
    }
done:
    return r;
}

er_result er_gait_of_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                         const er_mix *mix, const er_gait_def *def, er_gaits **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    gait_finder f = {
        .context = context, .model = model, .modes = modes, .def = def != NULL ? *def : er_default_gait_def()};
    er_mix *fitted = NULL;
    eri_candidate candidate = {0};
    f.def.mode_count = 64;
    er_result r = check(context, model, modes, &f.def);
    if (r != ER_OK) return r;
    ERI_TRY(er_mix_fit(context, model, modes, mix, NULL, &fitted));
    ERI_TRY(begin(&f, rig));
    ERI_TRY(check_mix(context, f.body, fitted));
    double hz = stride_hz(fitted), period = fitted->cycle > 0.0 ? fitted->cycle : hz > 0.0 ? 1.0 / hz : 0.0;
    for (int v = 0; v < fitted->component_count; ++v) {
        int cycles;
        ERI_TRY(count_cycles(context, &fitted->component[v], period > 0.0 ? 1.0 / period : 0.0, &cycles));
        if (!take_component(&f, &fitted->component[v], cycles, &candidate.mix.component[candidate.mix.count++]))
            ERI_TRY(er_fail(context, ER_ERROR_ARGUMENT, "mode %d is not one of the elastic modes for gaits",
                            fitted->component[v].mode));
    }
    eri_gait_mix asked = candidate.mix;
    ERI_TRY(f.body->foot_count > 0 ? judge_steps(&f, period, &candidate) : judge_wave(&f, period, &candidate));
    if (f.body->wing_count > 0) ERI_TRY(judge_flap(&f, &asked, period, &candidate));
    if (!(candidate.cost < HUGE_VAL)) ERI_TRY(er_fail(context, ER_ERROR_RIG, "the mix does not move the body forward"));
    f.out->tried = f.out->posed = 1;
    ERI_TRY(add_gait(&f, &candidate));
    if (f.out->count == 0)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "the mix does not move the body forward at this pace"));
done:
    er_mix_destroy(fitted);
    end(&f, r, out);
    return r;
}
