// The words and keys of presets in time.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "gait/act.h"
#include "gait/stride.h"

static const char *const act_ways[ERI_ACT_WAYS] = {"side", "up", "ahead", "any", "nod", "tilt", "turn", "jump", "fall"};

static bool take_word(const char **at, int count, const char *const *names, int *out)
{
    size_t length = strcspn(*at, ":,|");
    for (*out = 0; *out < count; ++*out)
        if (strlen(names[*out]) == length && strncmp(*at, names[*out], length) == 0) break;
    *at += length;
    return *out < count && *(*at)++ == ':';
}

static int part_of(const char **at)
{
    const char *parts[ERI_ACT_PARTS];
    int part;
    memcpy(parts, eri_part_names, sizeof eri_part_names);
    parts[ERI_ACT_BODY] = "body";
    return take_word(at, ERI_ACT_PARTS, parts, &part) ? part : -1;
}

// Degrees are of the body, the head and the trunk; jumps and falls of the body alone.
static bool suits(int part, int way)
{
    if (way == WAY_ANY) return false;
    if (part == ERI_ACT_BODY) return true;
    return way < WAY_COUNT || (eri_act_turns(way) && (part == PART_HEAD || part == PART_TRUNK));
}

static bool parse_key(const char **at, eri_act_track *t)
{
    double value, when;
    if (!eri_take_number(at, &value) || !(fabs(value) <= 180.0) || *(*at)++ != '@') return false;
    if (!eri_take_number(at, &when) || !(when >= 0.0 && when <= 1.0)) return false;
    if (t->count == 0 && when > 0.0 && t->way < ERI_ACT_JUMP) t->at[t->count++] = 0.0;
    if (t->count == ERI_ACT_MOST_KEYS || (t->count > 0 && !(when > t->at[t->count - 1]))) return false;
    t->at[t->count] = when;
    t->value[t->count++] = value;
    if (fabs(value) > fabs(t->most)) t->most = value;
    return true;
}

// A jump is HEIGHT@FROM/HEIGHT@TO, a fall HEIGHT@TO.
static bool parse_track(const char **at, eri_act_track *t)
{
    *t = (eri_act_track){0};
    *at += strspn(*at, " ");
    t->part = part_of(at);
    if (t->part < 0 || !take_word(at, ERI_ACT_WAYS, act_ways, &t->way) || !suits(t->part, t->way)) return false;
    do
        if (!parse_key(at, t)) return false;
    while (**at == '/' && *(*at)++ == '/');
    *at += strspn(*at, " ");
    bool ends = **at == ',' || **at == '\0' || **at == '|';
    if (t->way == ERI_ACT_JUMP) return ends && t->count == 2 && t->most > 0.0;
    if (t->way == ERI_ACT_FALL) return ends && t->count == 1 && t->most > 0.0 && t->at[0] > 0.0;
    return ends && t->count >= 2 && t->most != 0.0;
}

er_result eri_act_parse(er_context *context, const char *moves, int feet, eri_act *out)
{
    const char *other = strchr(moves, '|');
    *out = (eri_act){0};
    for (const char *at = other != NULL && feet > 2 ? other + 1 : moves;; ++at) {
        const char *word = at;
        if (out->count == ER_PRESET_MOST_MOVES || !parse_track(&at, &out->track[out->count]))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "\"%.*s\" is no part of a preset in time: PART:WAY:VALUE@FRACTION/VALUE@FRACTION such as "
                           "head:turn:40@0.3/0@1; %d at most",
                           (int)strcspn(word, ",|"), word, (int)ER_PRESET_MOST_MOVES);
        ++out->count;
        if (*at != ',') return ER_OK;
    }
}

const eri_act_track *eri_act_find(const eri_act *act, int part, int way)
{
    for (int i = 0; i < act->count; ++i)
        if (act->track[i].part == part && act->track[i].way == way) return &act->track[i];
    return NULL;
}

bool eri_act_moves_body(const eri_act *act)
{
    for (int i = 0; i < act->count; ++i)
        if (act->track[i].part == ERI_ACT_BODY || act->track[i].part == PART_TRUNK) return true;
    return false;
}

double eri_act_value(const eri_act_track *t, double at)
{
    if (t == NULL) return 0.0;
    for (int i = 1; i < t->count; ++i) {
        if (at > t->at[i]) continue;
        double share = eri_ease((at - t->at[i - 1]) / (t->at[i] - t->at[i - 1]));
        return t->value[i - 1] + share * (t->value[i] - t->value[i - 1]);
    }
    return t->value[t->count - 1];
}

const char *eri_act_way_name(int way)
{
    return act_ways[way];
}

bool er_preset_is_timed(const er_preset *preset)
{
    return preset != NULL && preset->moves != NULL && strpbrk(preset->moves, "/") != NULL;
}
