// Sequences in words: finds what each item names, and makes its motion.
#include "app/project/project_sequence.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/pose_track.h"
#include "app/project/project_blend.h"
#include "app/project/project_plant.h"
#include "app/project/project_preset.h"
#include "base/failure.h"
#include "base/letters.h"

enum { LONGEST_TEXT = 4096 };

typedef struct item_words {
    char *what;
    double seconds;
} item_words;

typedef struct sequencer {
    er_context *context;
    const project_sequence_def *def;
    const project_listener *listener;
    char text[LONGEST_TEXT];
    int count;
    item_words words[ER_SEQUENCE_MOST_ITEMS];
    er_gaits *gaits; // NULL until a name asks for them
    er_gait_body *own_body;
    const er_gait_body *body;
    er_sequence_item item[ER_SEQUENCE_MOST_ITEMS];
    er_gait_motion *motion[ER_SEQUENCE_MOST_ITEMS]; // these three are owned
    er_motion *mix[ER_SEQUENCE_MOST_ITEMS];
    pose_track track[ER_SEQUENCE_MOST_ITEMS];
} sequencer;

// --- words

// Cuts the seconds off an item.   @return whether it ends in a number above 0
static bool cut_seconds(char *item, double *seconds)
{
    size_t n = strlen(item);
    while (n > 0 && isspace((unsigned char)item[n - 1]))
        item[--n] = '\0';
    char *word = strrchr(item, ' '), *end;
    if (word == NULL) return false;
    *seconds = strtod(word + 1, &end);
    if (end == word + 1 || !(*seconds > 0.0) || (*end != '\0' && strcmp(end, "s") != 0)) return false;
    while (word > item && isspace((unsigned char)word[-1]))
        --word;
    *word = '\0';
    return *item != '\0';
}

// A comma within a mix does not end an item: an item ends with its seconds.
static er_result read_words(sequencer *s)
{
    char *at = s->text;
    if (snprintf(s->text, sizeof s->text, "%s", s->def->text) >= (int)sizeof s->text)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the sequence is longer than %d letters", LONGEST_TEXT - 1);
    for (char *from = at; at != NULL;) {
        char *comma = strchr(at, ','), *first = from + strspn(from, " ");
        if (comma != NULL) *comma = '\0';
        if (s->count == ER_SEQUENCE_MOST_ITEMS)
            return er_fail(s->context, ER_ERROR_ARGUMENT, "a sequence has %d items at most", ER_SEQUENCE_MOST_ITEMS);
        if (cut_seconds(first, &s->words[s->count].seconds)) {
            s->words[s->count++].what = first;
            from = comma != NULL ? comma + 1 : NULL;
        } else if (comma != NULL) {
            *comma = ',';
        } else {
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "item %d of the sequence, \"%s\", needs its seconds, as in \"walk 4s\"", s->count + 1,
                           first);
        }
        at = comma != NULL ? comma + 1 : NULL;
    }
    return ER_OK;
}

// --- items

static er_result find_gaits(sequencer *s)
{
    if (s->gaits != NULL) return ER_OK;
    er_result r = er_gaits_find(s->context, s->def->model, s->def->rig, s->def->modes, s->def->gait, &s->gaits);
    if (r == ER_OK) s->body = s->gaits->body;
    return r;
}

static er_result make_stride(sequencer *s, int i, const char *text)
{
    er_result r =
        project_make_stride(s->context, s->def->model, s->def->modes, s->gaits, text, s->def->fps, &s->motion[i]);
    s->item[i].gait = s->motion[i];
    return r;
}

static er_result make_mix(sequencer *s, int i, const er_mix *mix, const project_plants *plants)
{
    er_motion_def def = er_default_motion_def();
    def.fps = s->def->fps;
    def.plant = plants->hold;
    def.plant_count = plants->count;
    if (project_has_envelope(mix))
        def.duration = s->words[i].seconds;
    else
        def.loop = true;
    s->item[i].stands = plants->count > 0;
    er_result r = project_make_motion(s->context, s->def->model, s->def->modes, mix, &def, s->listener, &s->mix[i]);
    s->item[i].mix = s->mix[i];
    return r;
}

// A preset in time is as a clip: its poses are there.
static er_result make_timed(sequencer *s, int i, const char *name)
{
    er_result r = project_move_preset(s->context, s->def->model, s->def->rig, s->def->modes, s->def->gait, name,
                                      fmax(s->def->fps, 60.0), s->listener, NULL, &s->motion[i]);
    if (r != ER_OK) return r;
    const er_gait_motion *m = s->motion[i];
    s->item[i].pose = m->pose;
    s->item[i].pose_count = m->frame_count;
    s->item[i].clip_seconds = m->time[m->frame_count - 1];
    s->item[i].repeats = !m->once;
    return r;
}

static er_result make_preset(sequencer *s, int i, const char *name)
{
    if (project_preset_is_timed(name)) return make_timed(s, i, name);
    project_plants plants = {0};
    er_mix *mix = NULL;
    er_result r = project_make_preset(s->context, s->def->model, s->def->rig, s->def->modes, s->def->gait, name,
                                      s->listener, &plants, NULL, &mix);
    if (r == ER_OK) r = make_mix(s, i, mix, &plants);
    er_mix_destroy(mix);
    project_plants_clear(&plants);
    return r;
}

static er_result make_words(sequencer *s, int i, const char *text)
{
    project_plants plants = {0};
    er_mix *mix = NULL, *fitted = NULL;
    er_result r = project_read_mix(s->context, text, &mix);
    if (r == ER_OK)
        r = project_fit_mix(s->context, s->def->model, s->def->rig, s->def->modes, mix, s->listener, &fitted);
    if (r == ER_OK && s->body->foot_count > 0)
        r = project_find_plants(s->context, s->def->model, s->def->rig, "feet", s->def->gait, &plants);
    if (r == ER_OK) r = make_mix(s, i, fitted, &plants);
    er_mix_destroy(mix);
    er_mix_destroy(fitted);
    project_plants_clear(&plants);
    return r;
}

static er_result make_clip(sequencer *s, int i, const er_clip *clip)
{
    pose_track *t = &s->track[i];
    er_result r =
        pose_track_of_clip(s->context, s->def->model, s->def->rig, clip, fmax(s->def->fps, 60.0), 0.0, false, t);
    if (r == ER_OK) r = pose_track_extend(s->context, s->body->up, 0.0, t);
    if (r != ER_OK) return r;
    er_sequence_item *item = &s->item[i];
    item->pose = t->pose + (size_t)t->pad * (size_t)s->def->model->body_count;
    item->pose_count = (t->count - 1) * t->samples + 1;
    item->clip_seconds = pose_track_time(t, t->count - 1);
    item->repeats = t->repeats;
    return r;
}

static void match_preset(void *user, const char *name)
{
    const char **wanted = user;
    if (*wanted != NULL && eri_same_letters(name, *wanted)) *wanted = NULL;
}

static bool is_preset(const char *name)
{
    const project_listener nobody = {0};
    const char *wanted = name;
    project_list_presets(&nobody, match_preset, &wanted);
    return er_preset_named(name) != NULL || wanted == NULL;
}

// The rest of an item after "KIND:"; NULL if it does not begin so.
static const char *after(const char *what, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(what, kind, n) == 0 && what[n] == ':' ? what + n + 1 : NULL;
}

// A clip of the name, or else of the same letters in other cases.
static const er_clip *clip_named(const sequencer *s, const char *name)
{
    const er_clip *alike = NULL;
    for (int i = 0; s->def->rig != NULL && i < s->def->rig->scene->clip_count; ++i) {
        const er_clip *clip = &s->def->rig->scene->clip[i];
        if (strcmp(clip->name, name) == 0) return clip;
        if (alike == NULL && eri_same_letters(clip->name, name)) alike = clip;
    }
    return alike;
}

static er_result no_such(const sequencer *s, const char *name)
{
    char names[512] = "";
    for (int i = 0; s->gaits != NULL && i < s->gaits->count; ++i)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "",
                 s->gaits->gait[i].name);
    return er_fail(s->context, ER_ERROR_ARGUMENT,
                   "sequence: \"%s\" is no preset, gait or clip of the model; its gaits are %s", name,
                   *names != '\0' ? names : "none");
}

static er_result make_named(sequencer *s, int i, const char *what)
{
    const char *gait = after(what, "gait"), *preset = after(what, "preset"), *clip = after(what, "clip");
    const er_clip *found = clip_named(s, clip != NULL ? clip : what);
    if (preset != NULL || (gait == NULL && clip == NULL && is_preset(what)))
        return make_preset(s, i, preset != NULL ? preset : what);
    if (clip != NULL) return found != NULL ? make_clip(s, i, found) : no_such(s, what);
    const char *stride = gait != NULL ? gait : what;
    er_result r = find_gaits(s);
    if (r == ER_OK && (project_is_blend(stride) || er_gaits_named(s->gaits, stride) != NULL))
        return make_stride(s, i, stride);
    if (found != NULL && gait == NULL) return make_clip(s, i, found);
    return r == ER_OK ? no_such(s, what) : r;
}

static er_result make_item(sequencer *s, int i)
{
    const char *what = s->words[i].what;
    s->item[i].seconds = s->words[i].seconds;
    if (isdigit((unsigned char)*what) || project_names_file(what)) return make_words(s, i, what);
    return make_named(s, i, what);
}

// --- clips on the spot

// The mean velocity of a foot along the ground while it is near its lowest, m/s.   @return its share of the time
static double mean_slide(const sequencer *s, const er_sequence_item *item, const er_gait_foot *foot, er_vec3 *out)
{
    const double near = 0.15; // of how far it is lifted
    size_t bodies = (size_t)s->def->model->body_count;
    double low = HUGE_VAL, high = -HUGE_VAL, step = item->clip_seconds / (item->pose_count - 1);
    int count = 0;
    *out = (er_vec3){0, 0, 0};
    for (int i = 0; i < item->pose_count; ++i) {
        double at =
            er_v3_dot(er_pose_point(item->pose[(size_t)i * bodies + (size_t)foot->body], foot->heel), s->body->up);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    for (int i = 1; i < item->pose_count; ++i) {
        er_vec3 a = er_pose_point(item->pose[(size_t)(i - 1) * bodies + (size_t)foot->body], foot->heel),
                b = er_pose_point(item->pose[(size_t)i * bodies + (size_t)foot->body], foot->heel);
        if (fmax(er_v3_dot(a, s->body->up), er_v3_dot(b, s->body->up)) > low + near * (high - low)) continue;
        *out = er_v3_madd(*out, 1.0 / step, er_v3_sub(b, a));
        ++count;
    }
    *out = er_v3_scale(1.0 / fmax(count, 1.0), er_v3_madd(*out, -er_v3_dot(*out, s->body->up), s->body->up));
    return high - low > 0.02 * s->body->leg ? (double)count / (item->pose_count - 1) : 0.0;
}

// Tells of a clip that steps without going on, beside a gait that travels.
static void tell_of_spot(const sequencer *s, int i)
{
    const double least = 0.25; // leg lengths a second
    const er_sequence_item *item = &s->item[i];
    er_vec3 sum = {0, 0, 0};
    int feet = 0;
    for (int f = 0; f < s->body->foot_count; ++f) {
        er_vec3 slide;
        if (mean_slide(s, item, &s->body->foot[f], &slide) == 0.0) continue;
        sum = er_v3_add(sum, slide);
        ++feet;
    }
    double speed = feet > 0 ? er_v3_norm(sum) / feet : 0.0;
    if (feet < 2 || speed < least * s->body->leg) return;
    project_notify(
        s->listener, ER_NOTE_WARNING,
        "sequence: the clip of item %d, \"%s\", steps on the spot, so the body stays there and its feet slide "
        "by %.3g m/s; a gait in its place travels",
        i + 1, s->words[i].what, speed);
}

static void tell_of_spots(const sequencer *s)
{
    bool travels = false;
    for (int i = 0; i < s->count; ++i)
        travels |= s->item[i].gait != NULL;
    for (int i = 0; i < s->count && travels; ++i)
        if (s->track[i].pose != NULL && s->item[i].repeats) tell_of_spot(s, i);
}

// One and a half strides of the slower gait: every foot steps within the transition, and none must hurry.
static double natural_blend(const sequencer *s, int i)
{
    double longest = 0.0;
    for (int k = i - 1; k <= i; ++k)
        if (s->item[k].gait != NULL) longest = fmax(longest, s->item[k].gait->time[s->item[k].gait->frame_count - 1]);
    return longest > 0.0 ? 1.5 * longest : 0.5;
}

static er_result make(sequencer *s, er_gait_motion **out)
{
    er_result r = read_words(s);
    if (r == ER_OK) r = er_gait_body_read(s->context, s->def->model, s->def->rig, s->def->gait, &s->own_body);
    s->body = s->own_body;
    for (int i = 0; i < s->count && r == ER_OK; ++i)
        r = make_item(s, i);
    if (r == ER_OK) tell_of_spots(s);
    for (int i = 1; i < s->count && r == ER_OK; ++i)
        s->item[i].blend = s->def->blend >= 0.0 ? s->def->blend : natural_blend(s, i);
    if (r == ER_OK) r = er_gait_sequence(s->context, s->def->model, s->body, s->count, s->item, s->def->fps, out);
    return r;
}

er_result project_make_sequence(er_context *context, const project_sequence_def *def, const project_listener *listener,
                                er_gait_motion **out)
{
    *out = NULL;
    sequencer *s = calloc(1, sizeof *s);
    if (s == NULL) return eri_no_memory(context);
    s->context = context;
    s->def = def;
    s->listener = listener;
    s->gaits = def->gaits != NULL ? *def->gaits : NULL;
    er_result r = make(s, out);
    for (int i = 0; i < ER_SEQUENCE_MOST_ITEMS; ++i) {
        er_gait_motion_destroy(s->motion[i]);
        er_motion_destroy(s->mix[i]);
        pose_track_clear(&s->track[i]);
    }
    if (def->gaits != NULL)
        *def->gaits = s->gaits;
    else
        er_gaits_destroy(s->gaits);
    er_gait_body_destroy(s->own_body);
    free(s);
    return r;
}
