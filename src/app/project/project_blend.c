// Gaits in words, alone and blended, and the strides of a blend space.
#include "app/project/project_blend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_A_STRIDE 192.0 // of gaits to blend: between rows a cubic is off by less than a key

enum { LONGEST_NAME = 64, LONGEST_TEXT = 4096 };

typedef struct blend_words {
    char from[LONGEST_NAME], to[LONGEST_NAME];
    double share; // of `from`
} blend_words;

// Names contain neither colon nor plus.   @return whether the text is a blend
static bool read_blend(const char *text, blend_words *out)
{
    const char *colon = strchr(text, ':');
    char *end;
    if (colon == NULL) return false;
    out->share = strtod(colon + 1, &end);
    if (end == colon + 1 || *end != '+' || colon == text || end[1] == '\0') return false;
    snprintf(out->from, sizeof out->from, "%.*s", (int)(colon - text), text);
    snprintf(out->to, sizeof out->to, "%s", end + 1);
    return true;
}

bool project_is_blend(const char *text)
{
    blend_words words;
    return read_blend(text, &words);
}

static er_result no_such(er_context *context, const er_gaits *gaits, const char *name)
{
    char names[512] = "";
    for (int i = 0; i < gaits->count; ++i)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "", gaits->gait[i].name);
    return er_fail(context, ER_ERROR_ARGUMENT, "the rig has no gait \"%s\"; it has %s", name,
                   *names != '\0' ? names : "none");
}

static er_result make_gait(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                           const char *name, double fps, er_gait_motion **out)
{
    const er_gait *gait = er_gaits_named(gaits, name);
    if (gait == NULL) return no_such(context, gaits, name);
    return er_gait_move(context, model, modes, gaits, gait, fmax(fps, ROWS_A_STRIDE * gait->hz), out);
}

er_result project_make_stride(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                              const char *text, double fps, er_gait_motion **out)
{
    blend_words words;
    er_gait_motion *from = NULL, *to = NULL;
    *out = NULL;
    if (!read_blend(text, &words)) return make_gait(context, model, modes, gaits, text, fps, out);
    if (!(words.share >= 0.0 && words.share <= 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "blend \"%s\": the share %g of %s is not between 0 and 1", text,
                       words.share, words.from);
    er_result r = make_gait(context, model, modes, gaits, words.from, fps, &from);
    if (r == ER_OK) r = make_gait(context, model, modes, gaits, words.to, fps, &to);
    if (r == ER_OK) r = er_gait_blend(context, model, gaits->body, from, to, 1.0 - words.share, fps, out);
    er_gait_motion_destroy(from);
    er_gait_motion_destroy(to);
    return r;
}

// --- blend spaces

static double seconds_of(const er_gait_motion *m)
{
    return m->time[m->frame_count - 1];
}

static er_result make_each(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                           char *text, double fps, project_strides *out)
{
    er_result r = ER_OK;
    for (char *name = text, *comma; name != NULL && r == ER_OK; name = comma) {
        comma = strchr(name, ',');
        if (comma != NULL) *comma++ = '\0';
        name += strspn(name, " ");
        size_t n = strlen(name);
        while (n > 0 && name[n - 1] == ' ')
            name[--n] = '\0';
        if (out->count == PROJECT_MOST_STRIDES)
            return er_fail(context, ER_ERROR_ARGUMENT, "a blend space has %d strides at most", PROJECT_MOST_STRIDES);
        er_gait_motion **m = &out->motion[out->count];
        r = project_make_stride(context, model, modes, gaits, name, fmax(fps, ROWS_A_STRIDE), m);
        if (r != ER_OK) return r;
        double speed = er_v3_norm((*m)->travel[(*m)->frame_count - 1]) / seconds_of(*m);
        out->speed[out->count] = speed;
        snprintf(out->name[out->count], sizeof out->name[0], "%.*s %.0fcm_s", LONGEST_NAME - 1, name, 100.0 * speed);
        for (char *c = out->name[out->count]; *c != '\0'; ++c)
            if (*c == ':' || *c == '+') *c = '-'; // engines refuse these in names
        ++out->count;
    }
    return r;
}

// Each stride begins at the phase of the one before it, and all have as many frames.
static er_result align(er_context *context, const er_model *model, const er_gaits *gaits, double fps,
                       project_strides *s)
{
    er_result r = ER_OK;
    double longest = 0.0;
    for (int i = 0; i < s->count; ++i)
        longest = fmax(longest, seconds_of(s->motion[i]));
    double frames = fmax(ceil(longest * fps - 1e-6), 16.0);
    er_gait_motion *made[PROJECT_MOST_STRIDES] = {NULL};
    for (int i = 0; i < s->count && r == ER_OK; ++i)
        r = er_gait_blend(context, model, gaits->body, i > 0 ? made[i - 1] : s->motion[0], s->motion[i], 1.0,
                          frames / seconds_of(s->motion[i]), &made[i]);
    for (int i = 0; i < s->count; ++i) {
        er_gait_motion_destroy(s->motion[i]);
        s->motion[i] = made[i];
    }
    return r;
}

er_result project_make_strides(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                               const char *text, double fps, project_strides *out)
{
    char words[LONGEST_TEXT];
    *out = (project_strides){0};
    if (snprintf(words, sizeof words, "%s", text) >= (int)sizeof words)
        return er_fail(context, ER_ERROR_ARGUMENT, "the blend space is longer than %d letters", LONGEST_TEXT - 1);
    er_result r = make_each(context, model, modes, gaits, words, fps, out);
    if (r == ER_OK && out->count < 2)
        r = er_fail(context, ER_ERROR_ARGUMENT, "a blend space needs two strides or more, as in \"walk,run\"");
    if (r == ER_OK) r = align(context, model, gaits, fps, out);
    if (r != ER_OK) project_strides_clear(out);
    return r;
}

void project_strides_clear(project_strides *strides)
{
    for (int i = 0; i < strides->count; ++i)
        er_gait_motion_destroy(strides->motion[i]);
    *strides = (project_strides){0};
}
