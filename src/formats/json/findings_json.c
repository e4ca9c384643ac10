/// @file
/// What was found out about modes and gaits as JSON documents, for programs that read (docs/messages.md).
#include <eigenrig/plots.h>

#include <math.h>

#include "base/failure.h"
#include "formats/json/json.h"

static void begin_document(eri_json_out *out, const char *format, const char *name)
{
    eri_json_text(out, "format", format);
    eri_json_integer(out, "version", 1);
    eri_json_text(out, "name", name != NULL ? name : "");
}

// --- how far modes are true

static void put_judged(eri_json_out *out, const er_modes *modes, const er_mode_validity *judged)
{
    const er_mode *mode = er_modes_find(modes, judged->mode);
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "mode", judged->mode);
    if (mode != NULL) eri_json_number(out, "frequency_hz", mode->frequency_hz);
    eri_json_number(out, "true_to_degrees", judged->true_to_degrees);
    eri_json_flag(out, "at_least", judged->at_least);
    eri_json_open(out, "trials", '[');
    for (int i = 0; i < judged->trial_count; ++i) {
        const er_trial *trial = &judged->trial[i];
        eri_json_open(out, NULL, '{');
        eri_json_number(out, "amplitude_degrees", trial->degrees);
        eri_json_number(out, "frequency_shift", trial->shift);
        eri_json_number(out, "leakage", trial->leakage);
        eri_json_close(out, '}');
    }
    eri_json_close(out, ']');
    eri_json_close(out, '}');
}

er_result er_validity_write_json(er_context *context, const er_validity *validity, const er_modes *modes,
                                 const char *name, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (validity == NULL || modes == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_validity_write_json needs a validity, its modes and a path");
    eri_json_out *out;
    er_result r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    begin_document(out, "eigenrig-validity", name);
    eri_json_number(out, "shift", validity->shift);
    eri_json_number(out, "energy_drift", validity->energy_drift);
    eri_json_open(out, "modes", '[');
    for (int k = 0; k < validity->count; ++k)
        put_judged(out, modes, &validity->mode[k]);
    eri_json_close(out, ']');
    return eri_json_end(out);
}

// --- modes before and after an edit

static void put_match(eri_json_out *out, const er_comparison *c, int k)
{
    const er_modes *was = c->was, *now = c->now;
    const er_mode_match *match = &c->match[k];
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "old", er_modes_index(was, &was->mode[k]));
    eri_json_number(out, "old_hz", was->mode[k].frequency_hz);
    if (match->now >= 0) {
        eri_json_integer(out, "new", er_modes_index(now, &now->mode[match->now]));
        eri_json_number(out, "new_hz", now->mode[match->now].frequency_hz);
        eri_json_number(out, "likeness", match->likeness);
        eri_json_number(out, "group_likeness", match->group_likeness);
    }
    if (match->other >= 0) {
        eri_json_integer(out, "other", er_modes_index(now, &now->mode[match->other]));
        eri_json_number(out, "other_likeness", match->other_likeness);
    }
    if (c->differs != NULL) eri_json_flag(out, "differs", c->differs[k]);
    eri_json_close(out, '}');
}

static void put_appeared(eri_json_out *out, const er_modes *was, const er_modes *now, const er_mode_match *match)
{
    eri_json_open(out, "appeared", '[');
    for (int j = 0; j < now->count; ++j) {
        bool known = false;
        for (int k = 0; k < was->count && !known; ++k)
            known = match[k].now == j;
        if (known) continue;
        eri_json_open(out, NULL, '{');
        eri_json_integer(out, "new", er_modes_index(now, &now->mode[j]));
        eri_json_number(out, "new_hz", now->mode[j].frequency_hz);
        eri_json_close(out, '}');
    }
    eri_json_close(out, ']');
}

static void put_side(eri_json_out *out, const char *key, const char *word, const double *number, int count)
{
    if (word != NULL) eri_json_text(out, key, word);
    if (number != NULL) eri_json_numbers(out, key, number, count);
}

static void put_edits(eri_json_out *out, const er_comparison *c)
{
    eri_json_open(out, "changes", '[');
    for (int i = 0; i < c->edit_count; ++i) {
        const er_edit *edit = &c->edit[i];
        eri_json_open(out, NULL, '{');
        eri_json_text(out, "what", edit->what);
        eri_json_text(out, "name", edit->name);
        put_side(out, "old", edit->was_word, edit->was, edit->was_count);
        put_side(out, "new", edit->now_word, edit->now, edit->now_count);
        eri_json_close(out, '}');
    }
    eri_json_close(out, ']');
}

er_result er_mode_matches_write_json(er_context *context, const er_comparison *c, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (c == NULL || c->was == NULL || c->now == NULL || (c->match == NULL && c->was->count > 0) || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_mode_matches_write_json needs modes of two rigs, their matches and a path");
    eri_json_out *out;
    er_result r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    begin_document(out, "eigenrig-comparison", c->name);
    if (c->differs != NULL) eri_json_number(out, "tolerance_percent", 100.0 * c->tolerance);
    if (c->differs != NULL) eri_json_flag(out, "same", c->same);
    eri_json_open(out, "modes", '[');
    for (int k = 0; k < c->was->count; ++k)
        put_match(out, c, k);
    eri_json_close(out, ']');
    put_appeared(out, c->was, c->now, c->match);
    put_edits(out, c);
    return eri_json_end(out);
}

// --- gaits

static void put_foot(eri_json_out *out, const er_model *model, const er_gait_foot *foot)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", foot->name);
    eri_json_text(out, "body", model->body[foot->sole].name);
    eri_json_close(out, '}');
}

static void put_component(eri_json_out *out, const er_mix_component *component)
{
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "mode", component->mode);
    eri_json_number(out, "degrees", component->degrees);
    eri_json_integer(out, "harmonic", component->harmonic);
    eri_json_number(out, "phase", component->phase * 180.0 / ER_PI);
    eri_json_close(out, '}');
}

static void put_step(eri_json_out *out, const er_gait_foot *foot, const er_gait_step *step)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "foot", foot->name);
    eri_json_number(out, "duty", step->duty);
    eri_json_number(out, "phase", step->phase);
    eri_json_number(out, "clearance_m", step->clearance);
    eri_json_close(out, '}');
}

static void put_walk(eri_json_out *out, const er_gait *gait, const er_gait_walk *walk)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "gait", gait->name);
    eri_json_number(out, "distance_m", walk->distance);
    eri_json_number(out, "body_lengths", walk->lengths);
    eri_json_number(out, "seconds", walk->seconds);
    eri_json_flag(out, "fell", walk->fell);
    eri_json_text(out, "until", walk->until != NULL ? walk->until : "");
    eri_json_number(out, "pushes", walk->pushes);
    eri_json_number(out, "pushes_survived", walk->survived);
    eri_json_number(out, "slip", walk->slip);
    eri_json_number(out, "cost_of_transport", walk->cost);
    eri_json_number(out, "animal", walk->animal);
    eri_json_text(out, "walk", walk->style != NULL ? walk->style : "");
    eri_json_close(out, '}');
}

static void put_gait(eri_json_out *out, const er_gait_body *body, const er_gait *gait)
{
    const struct {
        const char *key;
        double value;
    } number[] = {{"score", gait->score},   {"hz", gait->hz},
                  {"own_hz", gait->own_hz}, {"speed_m_s", gait->speed},
                  {"froude", gait->froude}, {"stride_m", gait->stride},
                  {"slip", gait->slip},     {"clearance_m", gait->clearance},
                  {"bob_m", gait->bob},     {"flight", gait->flight},
                  {"duty", gait->duty},     {"cost_of_transport", gait->cost}};
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", gait->name);
    eri_json_text(out, "family", er_gait_family_name(gait->family));
    for (size_t i = 0; i < ERI_COUNT(number); ++i)
        eri_json_number(out, number[i].key, number[i].value);
    eri_json_open(out, "modes", '[');
    for (int i = 0; i < gait->mix->component_count; ++i)
        put_component(out, &gait->mix->component[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "steps", '[');
    for (int i = 0; i < body->foot_count; ++i)
        put_step(out, &body->foot[i], &gait->step[i]);
    eri_json_close(out, ']');
    eri_json_close(out, '}');
}

er_result er_gaits_write_json(er_context *context, const er_model *model, const er_gaits *gaits,
                              const er_gait_walk *walk, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || gaits == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gaits_write_json needs a model, its gaits and a path");
    eri_json_out *out;
    er_result r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    const er_gait_body *body = gaits->body;
    begin_document(out, "eigenrig-gaits", model->name);
    eri_json_vec3(out, "up", body->up);
    eri_json_vec3(out, "forward", body->forward);
    eri_json_open(out, "feet", '[');
    for (int i = 0; i < body->foot_count; ++i)
        put_foot(out, model, &body->foot[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "gaits", '[');
    for (int i = 0; i < gaits->count; ++i)
        put_gait(out, body, &gaits->gait[i]);
    eri_json_close(out, ']');
    if (walk != NULL) {
        eri_json_open(out, "simulated", '[');
        for (int i = 0; i < gaits->count; ++i)
            if (walk[i].seconds > 0.0) put_walk(out, &gaits->gait[i], &walk[i]);
        eri_json_close(out, ']');
    }
    return eri_json_end(out);
}
