// How far modes are true: swings at amplitudes that grow until the frequency has shifted, then the amplitude between.
#include <string.h>

#include "base/arena.h"
#include "motion/swing.h"

static const double ladder[] = {0.01, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0}; // degrees
enum { LADDER = (int)ER_COUNT(ladder), SEARCH = 8, MOST = LADDER + SEARCH };
static const double near_enough = 0.01; // of the amplitude sought

er_validity_def er_default_validity_def(void)
{
    return (er_validity_def){.shift = 0.02, .tag = ER_DEF_TAG};
}

// The amplitudes between which the frequency shifts by more than is allowed, and the shifts there.
typedef struct bracket {
    double low, high; // degrees
    double low_shift, high_shift;
} bracket;

// Shifts grow as the square of the amplitude, so their roots lie on a line; kept off the ends.
static double guess(const bracket *b, double shift)
{
    double share = 0.5;
    if (b->high_shift < HUGE_VAL)
        share = (sqrt(shift) - sqrt(b->low_shift)) / (sqrt(b->high_shift) - sqrt(b->low_shift));
    return b->low + fmin(fmax(share, 0.02), 0.98) * (b->high - b->low);
}

static void insert(er_mode_validity *v, er_trial *list, er_trial swing)
{
    int at = v->trial_count++;
    for (; at > 0 && list[at - 1].degrees > swing.degrees; --at)
        list[at] = list[at - 1];
    list[at] = swing;
}

// A swing that loops or the integrator do not follow to its end has no frequency.
static er_result try_swing(er_swings *s, const er_mode *mode, double degrees, er_mode_validity *v, er_trial *list,
                           double *shift)
{
    er_trial swing;
    *shift = HUGE_VAL;
    er_result r = er_swings_measure(s, mode, degrees, &swing);
    if (r == ER_ERROR_NO_CONVERGENCE) return ER_OK;
    if (r != ER_OK) return r;
    *shift = fabs(swing.shift);
    insert(v, list, swing);
    return ER_OK;
}

static void narrow(bracket *b, double degrees, double shift, double allowed)
{
    if (shift < allowed) {
        b->low = degrees;
        b->low_shift = shift;
    } else {
        b->high = degrees;
        b->high_shift = shift;
    }
}

// Who is told of swings, and whether he has had enough.
typedef struct teller {
    const er_validity_def *def;
    int done, all;
    bool ended;
} teller;

static void tell(teller *t)
{
    if (!t->ended && t->def->progress != NULL) t->ended = !t->def->progress(t->def->user, t->done, t->all);
}

// @return  also where the teller ends it, and nothing is judged
static er_result judge_mode(er_swings *s, const er_mode *mode, teller *t, er_mode_validity *v, er_trial *list)
{
    er_result r = ER_OK;
    double shift, allowed = t->def->shift;
    bracket b = {.high = HUGE_VAL};
    for (int i = 0; i < LADDER && b.high == HUGE_VAL && !t->ended; ++i) {
        ER_TRY(try_swing(s, mode, ladder[i], v, list, &shift));
        narrow(&b, ladder[i], shift, allowed);
        tell(t);
    }
    v->at_least = b.high == HUGE_VAL;
    for (int i = 0; i < SEARCH && !v->at_least && b.high - b.low > near_enough * b.high && !t->ended; ++i) {
        double degrees = guess(&b, allowed);
        ER_TRY(try_swing(s, mode, degrees, v, list, &shift));
        narrow(&b, degrees, shift, allowed);
        tell(t);
    }
    v->true_to_degrees = b.low;
done:
    return r;
}

static int count_elastic(const er_modes *modes)
{
    int count = 0;
    for (int k = 0; k < modes->count; ++k)
        count += modes->mode[k].kind == ER_MODE_ELASTIC;
    return count;
}

static er_result judge_modes(er_context *context, const er_model *model, const er_modes *modes,
                             const er_validity_def *def, er_validity *out, er_mode_validity *of)
{
    er_result r = ER_OK;
    er_swings *s = NULL;
    teller t = {.def = def, .all = count_elastic(modes)};
    ER_TRY(er_swings_create(context, model, modes, &s));
    for (int k = 0; k < modes->count && !t.ended; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        er_trial *list;
        er_mode_validity *v = &of[out->count];
        ER_TRY_NEW(list, out->arena, er_trial, MOST);
        v->mode = er_modes_index(modes, &modes->mode[k]);
        v->trial = list;
        ER_TRY(judge_mode(s, &modes->mode[k], &t, v, list));
        if (t.ended) break;
        t.done = ++out->count;
        tell(&t);
    }
done:
    er_swings_destroy(s);
    return r;
}

er_result er_modes_validate(er_context *context, const er_model *model, const er_modes *modes,
                            const er_validity_def *def, er_validity **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_validity_def usual = er_default_validity_def();
    if (def == NULL) def = &usual;
    if (model == NULL || modes == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_modes_validate needs a model, its modes, and a def from er_default_validity_def()");
    if (!(def->shift > 0.0 && def->shift < 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a shift of %g is not in (0, 1)", def->shift);
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_validity *v;
    er_mode_validity *of;
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY_NEW(v, arena, er_validity, 1);
    ER_TRY_NEW(of, arena, er_mode_validity, modes->count);
    *v = (er_validity){.shift = def->shift, .mode = of, .arena = arena};
    ER_TRY(judge_modes(context, model, modes, def, v, of));
    *out = v;
    return ER_OK;
done:
    er_arena_destroy(arena);
    return r;
}

void er_validity_destroy(er_validity *validity)
{
    if (validity != NULL) er_arena_destroy(validity->arena);
}

const er_mode_validity *er_validity_find(const er_validity *validity, int index)
{
    for (int i = 0; validity != NULL && i < validity->count; ++i)
        if (validity->mode[i].mode == index) return &validity->mode[i];
    return NULL;
}
