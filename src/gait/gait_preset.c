// Presets: mixes described by the parts that they move, made of the modes of a rig that move them so.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/letters.h"
#include "base/number.h"
#include "gait/gesture.h"

const char *const eri_part_names[PART_COUNT] = {"trunk", "head", "tail", "arms", "legs", "wings"};
const char *const eri_way_names[WAY_COUNT] = {"side", "up", "ahead", "any"};

enum { MOST_GOALS = ER_PRESET_MOST_MOVES, MOST_SECONDS = ERI_PRESET_MOST_SECONDS };

// --- words

static bool take_word(const char **at, int count, const char *const *names, int *out)
{
    size_t length = strcspn(*at, ":");
    for (*out = 0; *out < count; ++*out)
        if (strlen(names[*out]) == length && strncmp(*at, names[*out], length) == 0) break;
    *at += length;
    return *out < count && *(*at)++ == ':';
}

static bool parse_wish(const char **at, eri_gesture_goal *w)
{
    double number;
    *w = (eri_gesture_goal){.cycles = 1};
    *at += strspn(*at, " ");
    if (!take_word(at, PART_COUNT, eri_part_names, &w->part) || !take_word(at, WAY_COUNT, eri_way_names, &w->way))
        return false;
    if (!eri_take_number(at, &w->percent) || !(w->percent >= 0.0 && w->percent <= 100.0)) return false;
    if (**at == '@') {
        ++*at;
        if (!eri_take_number(at, &number) || number != floor(number) || !(number >= 1.0 && number <= 1000.0))
            return false;
        w->cycles = (int)number;
    }
    if (**at == '+' || **at == '-') {
        if (!eri_take_number(at, &number) || !(fabs(number) <= 1e6)) return false;
        w->phase = number * ER_PI / 180.0;
    }
    *at += strspn(*at, " ");
    return **at == ',' || **at == '\0';
}

er_result eri_gesture_parse(er_context *context, const char *text, eri_gesture_goal *out, int *count)
{
    *count = 0;
    for (const char *at = text;; ++at) {
        const char *word = at;
        if (*count == MOST_GOALS || !parse_wish(&at, &out[*count]))
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "\"%.*s\" is no part of a preset: PART:WAY:PERCENT[@CYCLES][+PHASE] such as tail:side:8@2+90, "
                "of trunk, head, tail, arms, legs, wings and side, up, ahead, any; %d at most",
                (int)strcspn(word, ","), word, MOST_GOALS);
        ++*count;
        if (*at == '\0') return ER_OK;
    }
}

// --- the mix

static er_mix_component component_of(const eri_gesture_search *m, const eri_gesture_goal *w, const eri_gesture *g,
                                     int i, const eri_gesture_fit *how)
{
    const er_mode *mode = &m->modes->mode[g->mode[i]];
    er_mix_component v = er_default_mix_component();
    v.mode = er_modes_index(m->modes, mode);
    v.degrees = eri_gesture_degrees(m, g, i, how);
    v.harmonic = w->cycles;
    v.phase = remainder(w->phase + (how->sense * g->factor[i] < 0.0 ? ER_PI : 0.0), 2.0 * ER_PI);
    v.shape_hz = mode->frequency_hz;
    v.shape = mode->body;
    return v;
}

// Reports that the rig has none of the parts, or that no mode moves them.
static er_result fail_parts(const eri_gesture_search *m, const char *name, int count, const eri_gesture_goal *goals)
{
    for (int i = 0; i < count; ++i)
        if (eri_gesture_has(m, goals[i].part))
            return er_fail(m->context, ER_ERROR_RIG, "preset %s: no mode of the rig moves its %s %s well enough", name,
                           eri_part_names[goals[i].part],
                           (const char *[]){"to the side", "up", "ahead", "at all"}[goals[i].way]);
    char parts[80] = "";
    for (int i = 0, length = 0; i < PART_COUNT; ++i)
        if (eri_gesture_has(m, i))
            length += snprintf(parts + length, sizeof parts - (size_t)length, "%s%s", length > 0 ? ", " : "",
                               eri_part_names[i]);
    return er_fail(m->context, ER_ERROR_RIG, "preset %s: the rig has no %s; its parts are %s", name,
                   eri_part_names[goals[0].part], parts);
}

er_result er_preset_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                        const er_gait_def *def, const er_preset *preset, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || preset == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_preset_mix needs a model, its modes and a preset");
    if (preset->name == NULL || preset->moves == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a preset needs a name and what it moves");
    if (!(preset->seconds > 0.0 && preset->seconds <= MOST_SECONDS))
        return er_fail(context, ER_ERROR_ARGUMENT, "preset %s: %g seconds are not between 0 and %d", preset->name,
                       preset->seconds, MOST_SECONDS);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_gesture_goal goals[MOST_GOALS];
    er_mix_component component[MOST_GOALS * ERI_GESTURE_MOST_TOGETHER];
    eri_gesture_search m = {.context = context, .model = model, .modes = modes};
    int count, made = 0;
    ERI_TRY(eri_gesture_parse(context, preset->moves, goals, &count));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_gesture_read(&m, rig, def, scratch));
    ERI_TRY(eri_gesture_sample_modes(&m, preset->plant == NULL || strcmp(preset->plant, "none") != 0, scratch));
    for (int i = 0; i < count; ++i) {
        eri_gesture_fit how = {0};
        eri_gesture g = {0};
        if (eri_gesture_has(&m, goals[i].part)) ERI_TRY(eri_gesture_find(&m, &goals[i], &how, &g));
        if (g.count > 0) m.used[g.mode[0]] = true;
        for (int k = 0; k < g.count; ++k)
            component[made++] = component_of(&m, &goals[i], &g, k, &how);
    }
    if (made == 0) ERI_TRY(fail_parts(&m, preset->name, count, goals));
    r = er_mix_create(context,
                      &(er_mix){.name = preset->name,
                                .cycle = preset->seconds * eri_preset_pace(m.body),
                                .body_count = model->body_count,
                                .size = model->size,
                                .component_count = made,
                                .component = component},
                      out);
done:
    er_kinematics_destroy(m.kinematics);
    er_gait_body_destroy(m.body);
    eri_arena_destroy(scratch);
    return r;
}

static const er_preset presets[] = {
    {"idle", 7.0, "feet", "trunk:side:1.8@1,trunk:ahead:0.7@2+60,head:side:1@1-70,tail:side:4@2+40,arms:any:1@2+100"},
    {"breathe", 4.0, "feet", "trunk:ahead:0.5@1,trunk:up:0.35@1+20,head:up:0.4@1+60,arms:any:0.8@1+40"},
    {"wag", 1.2, "feet", "tail:side:14@2"},
    {"sway", 3.5, "feet", "trunk:side:4@1,head:side:1.5@1-60"},
    {"nervous", 3.0, "feet",
     "trunk:side:0.5@11,head:side:1@7+50,head:up:0.7@10+130,trunk:ahead:0.4@8+200,tail:side:2@13,arms:any:0.7@12+"
     "80"},
    {"squash", 1.2, "feet",
     "body:up:-16@0.35/0@0.65/-4@0.8/0@1,trunk:nod:12@0.35/-3@0.65/0@1,head:nod:-6@0.4/4@0.68/0@1"
     "|body:up:-16@0.35/0@0.65/-4@0.8/0@1,head:nod:12@0.4/-6@0.68/0@1"},
    {"land", 1.6, "feet",
     "body:fall:14@0.3,body:up:-15@0.3/0@0.72/-2@0.86/0@1,trunk:nod:20@0.3/-3@0.72/0@1,"
     "head:nod:10@0/-14@0.3/4@0.72/0@1,arms:up:6@0/-3@0.3/1@0.72/0@1"
     "|body:fall:14@0.3,body:up:-14@0.3/0@0.72/-2@0.86/0@1,head:nod:-8@0/14@0.3/-4@0.72/0@1"},
    {"jump", 1.8, "feet",
     "body:jump:14@0.35/14@0.55,body:up:-16@0.35/-13@0.55/0@0.85/-1@0.93/0@1,trunk:nod:22@0.35/14@0.55/0@0.85/0@1,"
     "head:nod:-8@0.35/-8@0.55/0@0.85/0@1,arms:ahead:-6@0.35/6@0.55/0@0.9/0@1"
     "|body:jump:14@0.35/14@0.55,body:up:-14@0.35/-12@0.55/0@0.85/-1@0.93/0@1,"
     "head:nod:10@0.35/8@0.55/-3@0.85/0@1,tail:up:-4@0.35/5@0.55/0@0.85/0@1"},
    {"sit", 2.0, "feet",
     "body:up:-18@0.8/-18@1,body:ahead:-11@0.75/-11@1,trunk:nod:24@0.4/0@0.9/0@1,head:nod:-8@0.4/0@0.9/0@1"
     "|body:nod:-22@0.8/-22@1,body:up:-13@0.8/-13@1,head:nod:16@0.8/16@1"},
    {"hit", 0.9, "feet",
     "body:ahead:-2.5@0.14/1@0.45/0@0.8/0@1,body:up:-4@0.2/0@0.7/0@1,trunk:nod:-14@0.12/6@0.4/-2@0.7/0@1,"
     "head:nod:-20@0.16/9@0.45/-3@0.75/0@1"
     "|body:ahead:-3@0.14/1@0.45/0@0.8/0@1,body:up:-4@0.2/0@0.7/0@1,head:nod:-16@0.14/8@0.45/-3@0.75/0@1"},
    {"turn_head", 2.4, "feet", "head:turn:45@0.3/45@0.65/0@1,head:nod:5@0.15/0@0.3/0@0.65/5@0.82/0@1"},
    {"look_around", 6.0, "feet",
     "head:turn:42@0.15/42@0.32/-42@0.58/-42@0.78/0@1,head:nod:6@0.08/-3@0.2/-3@0.3/8@0.45/-4@0.62/-4@0.76/0@1,"
     "trunk:turn:10@0.18/10@0.34/-10@0.62/-10@0.78/0@1"},
    {"nod", 1.6, "feet", "head:nod:15@0.2/-4@0.4/12@0.6/-2@0.8/0@1"},
    {"shake", 1.6, "feet", "head:turn:24@0.15/-24@0.35/20@0.55/-14@0.75/0@1"}};

const er_preset *er_preset_named(const char *name)
{
    for (size_t i = 0; i < ERI_COUNT(presets); ++i)
        if (name != NULL && eri_same_letters(presets[i].name, name)) return &presets[i];
    return NULL;
}

const char *er_preset_name(int i)
{
    return i >= 0 && i < (int)ERI_COUNT(presets) ? presets[i].name : NULL;
}
