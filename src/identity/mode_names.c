// Names of modes: the group that a mode moves most, how, and what moves with it.
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/letters.h"
#include "base/suggest.h"
#include "identity/group_motion.h"

enum { MOST_NAME = 160, USUAL_TOLD = 2, MOST_TOLD = 4, NONE = -1, NAME = 0, BRIEF = 1 };

static const double LEAST_TOLD = 0.12; // of the strain, of a unit that a name tells to say more
static const double MOST_OF_IT = 0.65; // of the strain: names that tell it need tell no more
static const double OUTWEIGHS = 1.25;  // a limb leads in place of a trunk with this many times its score

// A name that a mode has, in a hash table, and the last number given to one like it.
typedef struct taken {
    const char *text; // NULL: free
    int last;
} taken;

typedef struct namer {
    er_arena *arena;
    taken *table[2]; // of names and of brief names
    size_t mask;     // size of a table, a power of two, less one
    const er_regions *regions;
    eri_motion_reader motion;
    int *unit;     // [group_count], the group whose unit a group is part of: the leg of a foot
    int *carrier;  // [group_count], the unit that carries a group: that of the head for ears
    double *score; // [group_count], of units
    double *left;  // [group_count], of units, shares that a name does not tell yet
    er_mode_name *mode;
    double *share; // [2 x group_count] of each mode: of strain, then of motion
    int count;
} namer;

// --- phrases

// A text that is written bit by bit and cut where the room ends.
typedef struct text_line {
    char *text;
    size_t room, used;
} text_line;

static void add_part(text_line *l, const char *text, size_t length)
{
    if (length > l->room - l->used) length = l->room - l->used;
    memcpy(l->text + l->used, text, length);
    l->text[l->used += length] = '\0';
}

static void add(text_line *l, const char *text)
{
    add_part(l, text, strlen(text));
}

static const char *ordinal_word(int bend)
{
    static const char *const words[] = {"", "", "second bend", "third bend", "fourth bend", "fifth bend"};
    return bend <= 5 ? words[bend] : "many bends";
}

static bool is_limb(er_region_kind kind)
{
    return kind == ER_REGION_LEG || kind == ER_REGION_ARM || kind == ER_REGION_HAND || kind == ER_REGION_FINGER;
}

typedef struct phrase {
    const char *verb; // without an s
    const char *way;  // "sideways", or ""
    const char *brief;
    bool says_manner; // the verb says whether sides move together
    int bend;         // to be said, 1 for none
} phrase;

static phrase of_trunk(const eri_group_motion *m)
{
    static const char *const way[] = {"fore and aft", "sideways", "up and down", ""};
    static const char *const brief[] = {"ahead", "side", "up", "twist"};
    bool twists = m->way == ERI_WAY_TWIST;
    int bend = twists && m->bend > 2 ? 2 : m->bend; // more are not seen
    return (phrase){twists ? "twist" : "bend", way[m->way], brief[m->way], true, bend};
}

static phrase of_head(const eri_group_motion *m)
{
    static const char *const verb[] = {"nod", "turn", "nod", "tilt"};
    return (phrase){verb[m->way], "", verb[m->way], true, 1};
}

// Sideways, twins that move together as in a mirror spread, and twins that alternate swing to one side.
static phrase of_limb(const eri_group_motion *m)
{
    bool spreads = m->way == ERI_WAY_SIDE && m->manner == ERI_MANNER_TOGETHER;
    if (m->bend > 1) {
        static const char *const way[] = {"", "sideways", "", ""};
        if (m->way == ERI_WAY_TWIST) return (phrase){"twist", "", "twist", false, m->bend};
        return (phrase){"bend", way[m->way], m->way == ERI_WAY_SIDE ? "bend side" : "bend", false, m->bend - 1};
    }
    switch (m->way) {
    case ERI_WAY_SIDE:
        return spreads ? (phrase){"spread", "", "spread", true, 1} : (phrase){"swing", "sideways", "side", true, 1};
    case ERI_WAY_UP:
        return (phrase){"lift", "", "lift", false, 1};
    case ERI_WAY_TWIST:
        return (phrase){"twist", "", "twist", false, 1};
    default:
        return (phrase){"swing", "", "swing", false, 1};
    }
}

static phrase of_foot(const eri_group_motion *m)
{
    static const char *const verb[] = {"flap", "turn", "flap", "tilt"};
    return (phrase){verb[m->way], "", verb[m->way], false, 1};
}

static phrase of_wing(const eri_group_motion *m)
{
    static const char *const verb[] = {"sweep", "flap", "flap", "twist"};
    return (phrase){verb[m->way], "", verb[m->way], false, m->bend};
}

static phrase of_tail(const eri_group_motion *m)
{
    static const char *const verb[] = {"swing", "sway", "swing", "twist"};
    static const char *const way[] = {"fore and aft", "", "up and down", ""};
    static const char *const brief[] = {"ahead", "side", "up", "twist"};
    return (phrase){verb[m->way], way[m->way], brief[m->way], false, m->bend};
}

static phrase of_rest(const eri_group_motion *m, const char *verb)
{
    static const char *const way[] = {"fore and aft", "sideways", "up and down", ""};
    static const char *const brief[] = {"ahead", "side", "up", "twist"};
    bool pair = m->way == ERI_WAY_SIDE && (m->manner == ERI_MANNER_TOGETHER || m->manner == ERI_MANNER_ALTERNATING);
    if (pair && m->manner == ERI_MANNER_TOGETHER) return (phrase){"spread", "", "spread", true, m->bend};
    return (phrase){m->way == ERI_WAY_TWIST ? "twist" : verb, way[m->way], brief[m->way], pair, m->bend};
}

static phrase phrase_of(const eri_group_motion *m, er_region_kind kind)
{
    if (kind == ER_REGION_TRUNK) return of_trunk(m);
    if (kind == ER_REGION_HEAD) return of_head(m);
    if (kind == ER_REGION_FOOT) return of_foot(m);
    if (kind == ER_REGION_NECK) return of_rest(m, "bend");
    if (kind == ER_REGION_TAIL) return of_tail(m);
    if (kind == ER_REGION_WING || kind == ER_REGION_FIN) return of_wing(m);
    if (kind == ER_REGION_JAW && m->way != ERI_WAY_SIDE && m->way != ERI_WAY_TWIST)
        return (phrase){"open", "", "open", true, 1};
    return is_limb(kind) ? of_limb(m) : of_rest(m, "swing");
}

// A motion between two directions is called neither; heads, feet and wings have verbs that allow for it.
static phrase aslant(phrase p, er_region_kind kind)
{
    if (kind == ER_REGION_HEAD || kind == ER_REGION_FOOT || kind == ER_REGION_WING || kind == ER_REGION_FIN) return p;
    if (is_limb(kind)) p.verb = p.bend > 1 ? "bend" : "swing";
    if (kind == ER_REGION_TAIL) p.verb = "swing";
    p.way = "diagonally";
    p.brief = "diag";
    p.says_manner = kind == ER_REGION_TRUNK;
    return p;
}

static const char *subject_of(const namer *n, int group, const eri_group_motion *m, bool *plural)
{
    const er_region_group *g = &n->regions->group[group];
    bool both = g->region_count > 1 && m->manner != ERI_MANNER_ALONE;
    *plural = g->plural && (both || g->kind == ER_REGION_FINGER);
    return both ? g->name : n->regions->region[m->region].name;
}

// Bytes of a text, at most `room`, without half a letter.
static size_t whole_letters(const char *text, size_t room)
{
    size_t length = strlen(text);
    if (length <= room) return length;
    while (room > 0 && ((unsigned char)text[room] & 0xc0) == 0x80)
        --room;
    return room;
}

static void write_phrase(const namer *n, int group, const eri_group_motion *m, char name[MOST_NAME],
                         char brief[ER_MODE_BRIEF + 1])
{
    er_region_kind kind = n->regions->group[group].kind;
    phrase p = phrase_of(m, kind);
    if (m->aslant) p = aslant(p, kind);
    bool plural;
    const char *subject = subject_of(n, group, m, &plural);
    static const char *const manners[] = {"", ", together", ", alternating", ""};
    text_line long_one = {.text = name, .room = MOST_NAME - 1}, short_one = {.text = brief, .room = ER_MODE_BRIEF};
    add(&long_one, subject);
    add(&long_one, " ");
    add(&long_one, p.verb);
    if (!plural) add(&long_one, "s");
    if (*p.way != '\0') add(&long_one, " ");
    add(&long_one, p.way);
    if (!p.says_manner) add(&long_one, manners[m->manner]);
    if (p.bend > 1) add(&long_one, ", ");
    add(&long_one, ordinal_word(p.bend));
    static const char *const bends[] = {"", "", " 2nd", " 3rd", " 4th", " 5th"};
    const char *bend = p.bend <= 5 ? bends[p.bend] : " many";
    const char *alt = !p.says_manner && m->manner == ERI_MANNER_ALTERNATING ? " alt" : "";
    size_t room = ER_MODE_BRIEF - (strlen(p.brief) + strlen(bend) + strlen(alt)) - 1 - 3; // 3: for a number
    add_part(&short_one, subject, whole_letters(subject, room));
    add(&short_one, " ");
    add(&short_one, p.brief);
    add(&short_one, alt);
    add(&short_one, bend);
}

// --- one mode

static taken *slot_of(const namer *n, int which, const char *text)
{
    size_t at = (size_t)eri_hash_text(text, strlen(text)) & n->mask;
    while (n->table[which][at].text != NULL && strcmp(n->table[which][at].text, text) != 0)
        at = (at + 1) & n->mask;
    return &n->table[which][at];
}

static bool is_taken(const namer *n, int which, const char *text)
{
    return slot_of(n, which, text)->text != NULL;
}

// " 12"; a tenth of the time of all names would go into snprintf().
static size_t write_number(int number, char text[16])
{
    size_t from = 15, end = from;
    text[from] = '\0';
    for (; number > 0; number /= 10)
        text[--from] = (char)('0' + number % 10);
    text[--from] = ' ';
    memmove(text, text + from, end - from + 1);
    return end - from;
}

// Numbers a name that is taken, and keeps it.
static const char *keep(namer *n, int which, char *text, size_t size)
{
    taken *same = slot_of(n, which, text), *own = same;
    size_t length = strlen(text);
    for (int k = same->last + 2; own->text != NULL; ++k) {
        char number[16];
        size_t digits = write_number(k, number);
        memcpy(text + whole_letters(text, length + digits < size ? length : size - 1 - digits), number, digits + 1);
        same->last = k - 1;
        own = slot_of(n, which, text);
    }
    own->text = eri_arena_string(n->arena, text);
    return own->text;
}

static void name_rigid(const er_modes *modes, int k, char name[MOST_NAME], char brief[ER_MODE_BRIEF + 1])
{
    snprintf(name, MOST_NAME, "drifts or turns as a whole, %d", modes->first + k + 1);
    snprintf(brief, ER_MODE_BRIEF + 1, "rigid %d", modes->first + k + 1);
}

static void write_other(namer *n, int group, int other, eri_way way, char *text, size_t size)
{
    const er_region_group *all = n->regions->group;
    bool alone = all[group].region_count == 1 && all[other].region_count == 1;
    bool against = alone && way != ERI_WAY_TWIST && eri_motion_phase(&n->motion, group, other, way) < 0;
    text_line l = {.text = text, .room = size - 1};
    add(&l, against ? ", " : ", with ");
    add(&l, all[other].name);
    if (against) add(&l, " against it");
}

// Tells a mode from one before by a group that moves with it: the one with the largest share that makes the name new,
// groups of the same unit last.
static void add_group(namer *n, const er_mode_name *own, eri_way way, char name[MOST_NAME])
{
    size_t used = strlen(name);
    for (int same = 0; same < 2; ++same)
        for (double below = 2.0;;) {
            int next = NONE;
            for (int g = 0; g < n->regions->group_count; ++g)
                if ((n->unit[g] == n->unit[own->group]) == same && g != own->group && own->share[g] < below &&
                    (next == NONE || own->share[g] > own->share[next]))
                    next = g;
            if (next == NONE || own->share[next] < 0.05) break;
            below = own->share[next];
            write_other(n, own->group, next, way, name + used, MOST_NAME - used);
            if (!is_taken(n, NAME, name)) return;
        }
    name[used] = '\0';
}

// How many of the names with this much of the motion in them were right, by eye: docs/math/identity.md.
static double chance_of(double told)
{
    double left = 1.0 - told;
    return fmax(0.0, 0.95 * (1.0 - 2.2 * left * left * left));
}

static bool is_head(const namer *n, int group)
{
    er_region_kind kind = n->regions->group[group].kind;
    return kind == ER_REGION_NECK || kind == ER_REGION_HEAD;
}

// The units that a name tells beside the leading one.
typedef struct told_units {
    int count, unit[MOST_TOLD];
    bool legs[MOST_TOLD]; // of all pairs, told as one
    double share;         // of the strain, with that of the leading unit
} told_units;

static void sum_units(const namer *n, const double *share)
{
    memset(n->left, 0, (size_t)n->regions->group_count * sizeof *n->left);
    for (int g = 0; g < n->regions->group_count; ++g)
        n->left[n->unit[g]] += share[g];
}

static int largest(const double *share, int count)
{
    int best = 0;
    for (int g = 1; g < count; ++g)
        if (share[g] > share[best]) best = g;
    return best;
}

// Takes a unit out of those left. Other pairs of legs that strain alike go with a pair of legs, if no legs lead.
static double take_unit(namer *n, int lead, int unit, bool *legs)
{
    const er_region_group *all = n->regions->group;
    double share = n->left[unit], others = 0.0;
    n->left[unit] = 0.0;
    *legs = false;
    if (all[unit].kind != ER_REGION_LEG || all[n->unit[lead]].kind == ER_REGION_LEG) return share;
    for (int g = 0; g < n->regions->group_count; ++g)
        if (all[g].kind == ER_REGION_LEG) others += n->left[g];
    if (others < 0.5 * share) return share;
    *legs = true;
    for (int g = 0; g < n->regions->group_count; ++g)
        if (all[g].kind == ER_REGION_LEG) n->left[g] = 0.0;
    return share + others;
}

static void tell_unit(namer *n, int lead, int unit, told_units *t)
{
    bool legs;
    int at = t->count;
    t->share += take_unit(n, lead, unit, &legs);
    if (n->regions->group[lead].kind == ER_REGION_TRUNK && is_head(n, unit)) return; // it follows the trunk
    for (; at > 0 && t->unit[at - 1] > unit; --at) {
        t->unit[at] = t->unit[at - 1];
        t->legs[at] = t->legs[at - 1];
    }
    t->unit[at] = unit;
    t->legs[at] = legs;
    ++t->count;
}

// Units are told that strain nearly as much as the leading one, and more until most of the strain is told. They stand
// in the order of groups, so nearly equal ones keep their places.
static told_units tell_units(namer *n, int lead)
{
    told_units t = {.count = 0};
    double own = t.share = n->left[n->unit[lead]];
    n->left[n->unit[lead]] = 0.0;
    while (t.count < USUAL_TOLD) {
        int next = largest(n->left, n->regions->group_count);
        double most = n->left[next];
        if (most < LEAST_TOLD || most < (t.share < MOST_OF_IT ? 0.4 : 0.75) * own) break;
        tell_unit(n, lead, next, &t);
    }
    return t;
}

static void write_told(namer *n, int group, const told_units *t, eri_way way, char *text, size_t size)
{
    if (t->count == 1 && !t->legs[0]) {
        write_other(n, group, t->unit[0], way, text, size);
        return;
    }
    text_line l = {.text = text, .room = size - 1};
    for (int k = 0; k < t->count; ++k) {
        add(&l, k == 0 ? ", with " : k < t->count - 1 ? ", " : " and ");
        add(&l, t->legs[k] ? "legs" : n->regions->group[t->unit[k]].name);
    }
}

static void name_elastic(namer *n, er_mode_name *out, char name[MOST_NAME], char brief[ER_MODE_BRIEF + 1])
{
    eri_group_motion m = eri_motion_of_group(&n->motion, out->group);
    told_units told = tell_units(n, out->group);
    double left = n->left[largest(n->left, n->regions->group_count)];
    write_phrase(n, out->group, &m, name, brief);
    size_t used = strlen(name);
    if (told.count > 0) {
        write_told(n, out->group, &told, m.way, name + used, MOST_NAME - used);
        left = fmax(0.0, 1.0 - told.share);
    }
    out->sure = chance_of(n->regions->region[m.region].sure * m.clear * told.share / (told.share + left));
    if (!is_taken(n, NAME, name)) return;
    if (told.count == 0) {
        add_group(n, out, m.way, name);
        return;
    }
    while (told.count < MOST_TOLD && is_taken(n, NAME, name)) {
        int next = largest(n->left, n->regions->group_count);
        if (n->left[next] < 0.05) break;
        tell_unit(n, out->group, next, &told);
        write_told(n, out->group, &told, m.way, name + used, MOST_NAME - used);
    }
}

// A neck and its head are seen to move as one; so are a leg and its foot, and an arm, its hand and its fingers.
static bool is_end_of(er_region_kind kind, er_region_kind above)
{
    if (kind == ER_REGION_HEAD) return above == ER_REGION_NECK;
    if (kind == ER_REGION_FOOT) return above == ER_REGION_LEG;
    if (kind == ER_REGION_HAND) return above == ER_REGION_ARM;
    return kind == ER_REGION_FINGER && (above == ER_REGION_HAND || above == ER_REGION_ARM);
}

static void find_units(namer *n)
{
    const er_regions *regions = n->regions;
    for (int g = 0; g < regions->group_count; ++g) {
        int unit = g, carrier = g;
        bool ends = true;
        for (int at = g;;) {
            int anchor = regions->anchor[regions->region[regions->group[at].region[0]].body[0]];
            int above = anchor < 0 ? NONE : regions->region[regions->of_body[anchor]].group;
            er_region_kind kind = regions->group[at].kind;
            if (above < 0 || above == g) break;
            ends &= is_end_of(kind, regions->group[above].kind);
            if (ends) unit = above;
            if (!ends && er_region_kind_is_main(kind)) break;
            carrier = at = above;
        }
        n->unit[g] = unit;
        n->carrier[g] = carrier;
    }
}

// A trunk, if no group strains more and no limb moves much more. Otherwise the unit that strains most, where motion
// counts half, and in it the group that strains most. A neck or head that nods while the trunk bends is a part of that.
static int leading_group(const namer *n, const double *share, const double *motion)
{
    const er_regions *regions = n->regions;
    int count = regions->group_count, most = largest(share, count);
    memset(n->score, 0, (size_t)count * sizeof *n->score);
    for (int g = 0; g < count; ++g) {
        n->score[n->unit[g]] += share[g] + 0.5 * motion[g];
        if (n->carrier[g] != n->unit[g]) n->score[n->carrier[g]] += 0.5 * motion[g];
    }
    for (int g = 0; g < count; ++g)
        if (regions->group[g].kind == ER_REGION_TRUNK && g != most) n->score[g] = 0.0;
    int lead = largest(n->score, count), first = NONE;
    if (regions->group[most].kind == ER_REGION_TRUNK &&
        (is_head(n, lead) || n->score[lead] < OUTWEIGHS * n->score[most]))
        return most;
    double strain = n->left[lead];
    for (int g = 0; g < count; ++g)
        if (n->unit[g] == lead && (first < 0 || share[g] > share[first])) first = g;
    if (!is_head(n, lead)) return first;
    n->left[lead] = 0.0;
    int beside = largest(n->left, count);
    n->left[lead] = strain;
    bool bends = regions->group[beside].kind == ER_REGION_TRUNK && n->left[beside] > 0.4 * strain;
    return bends ? beside : first;
}

static er_result name_mode(namer *n, const er_modes *modes)
{
    int k = n->count;
    const er_mode *mode = &modes->mode[k];
    er_mode_name *out = &n->mode[k];
    char name[MOST_NAME], brief[ER_MODE_BRIEF + 1];
    double *share = n->share + 2 * (ptrdiff_t)k * n->regions->group_count, *motion = share + n->regions->group_count;
    *out = (er_mode_name){.group = NONE, .share = share, .motion = motion, .sure = 1.0, .whole_body = true};
    if (k % ERI_LANE_COUNT == 0)
        eri_motion_read(&n->motion, mode, modes->count - k < ERI_LANE_COUNT ? modes->count - k : ERI_LANE_COUNT);
    eri_motion_choose(&n->motion, k % ERI_LANE_COUNT, share, motion);
    out->parity = (*n->motion.sums.parity)[k % ERI_LANE_COUNT];
    sum_units(n, share);
    int first = mode->kind == ER_MODE_RIGID ? NONE : leading_group(n, share, motion);
    if (first < 0 || !(share[first] > 0.0)) {
        memset(share, 0, (size_t)n->regions->group_count * sizeof *share);
        name_rigid(modes, k, name, brief);
    } else {
        out->group = first;
        out->whole_body = er_region_kind_is_main(n->regions->group[first].kind);
        name_elastic(n, out, name, brief);
    }
    out->name = keep(n, NAME, name, sizeof name);
    out->brief = keep(n, BRIEF, brief, sizeof brief);
    ++n->count;
    return out->name != NULL && out->brief != NULL ? ER_OK : ER_ERROR_MEMORY;
}

er_result er_mode_names_create(er_context *context, const er_model *model, const er_regions *regions,
                               const er_modes *modes, er_mode_names **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || regions == NULL || modes == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "names of modes need a model, its regions and its modes");
    if (regions->body_count != model->body_count)
        return er_fail(context, ER_ERROR_ARGUMENT, "the regions are not those of the model beside them");
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_mode_names *names;
    const char **group_name;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    namer n = {.arena = arena, .regions = regions, .mask = 15};
    while (n.mask < 4 * (size_t)modes->count)
        n.mask = 2 * n.mask + 1;
    ERI_TRY_NEW(names, arena, er_mode_names, 1);
    ERI_TRY_NEW(n.mode, arena, er_mode_name, modes->count);
    ERI_TRY_RESERVE(n.share, arena, double, 2 * (size_t)modes->count * (size_t)regions->group_count);
    for (int which = NAME; which <= BRIEF; ++which)
        ERI_TRY_NEW(n.table[which], scratch, taken, n.mask + 1);
    ERI_TRY(eri_motion_reader_create(scratch, model, regions, &n.motion));
    ERI_TRY_NEW(n.unit, scratch, int, regions->group_count);
    ERI_TRY_NEW(n.carrier, scratch, int, regions->group_count);
    ERI_TRY_NEW(n.score, scratch, double, regions->group_count);
    ERI_TRY_NEW(n.left, scratch, double, regions->group_count);
    find_units(&n);
    for (int k = 0; k < modes->count; ++k)
        ERI_TRY(name_mode(&n, modes));
    ERI_TRY_NEW(group_name, arena, const char *, regions->group_count);
    for (int g = 0; g < regions->group_count; ++g) {
        group_name[g] = eri_arena_string(arena, regions->group[g].name);
        if (group_name[g] == NULL) ERI_TRY(ER_ERROR_MEMORY);
    }
    *names = (er_mode_names){.count = n.count,
                             .first = modes->first,
                             .mode = n.mode,
                             .group_count = regions->group_count,
                             .group_name = group_name,
                             .arena = arena};
    *out = names;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_mode_names_destroy(er_mode_names *names)
{
    if (names != NULL) eri_arena_destroy(names->arena);
}

const er_mode_name *er_mode_names_at(const er_mode_names *names, int index)
{
    bool held = names != NULL && index >= names->first && index - names->first < names->count;
    return held ? &names->mode[index - names->first] : NULL;
}

// --- finding

static bool begins_with(const char *name, const char *start)
{
    size_t length = strlen(start);
    return strlen(name) >= length && eri_same_start(name, start, length) &&
           (name[length] == '\0' || name[length] == ' ' || name[length] == ',');
}

int er_mode_names_find(const er_mode_names *names, const char *name)
{
    if (names == NULL || name == NULL || *name == '\0') return NONE;
    for (int k = 0; k < names->count; ++k)
        if (eri_same_letters(names->mode[k].name, name)) return names->first + k;
    for (int k = 0; k < names->count; ++k)
        if (eri_same_letters(names->mode[k].brief, name)) return names->first + k;
    for (int k = 0; k < names->count; ++k)
        if (names->mode[k].group >= 0 && begins_with(names->mode[k].name, name)) return names->first + k;
    int group = 0, best = NONE;
    while (group < names->group_count && !eri_same_letters(names->group_name[group], name))
        ++group;
    for (int k = 0; k < names->count && group < names->group_count; ++k)
        if (names->mode[k].group >= 0 && (best < 0 || names->mode[k].share[group] > names->mode[best].share[group]))
            best = k;
    return best >= 0 ? names->first + best : NONE;
}

// --- names in mixes

static size_t skip_spaces(const char *text, size_t at)
{
    while (text[at] == ' ')
        ++at;
    return at;
}

// Names hold commas, so a name reaches to the colon before its amplitude.
er_result er_mode_names_in_mix(er_context *context, er_mode_names *names, const char *text, const char **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (names == NULL || text == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a mix by names needs names and a text");
    char *result = eri_arena_reserve(names->arena, strlen(text) + 16 * strlen(text) / 2 + 16, 1);
    size_t used = 0;
    if (result == NULL) return ER_ERROR_MEMORY;
    for (size_t at = 0; text[at] != '\0';) {
        at = skip_spaces(text, at);
        size_t colon = at + strcspn(text + at, ":"), end = colon;
        bool named = eri_is_letter(text[at]) || (unsigned char)text[at] >= 0x80;
        if (named && text[colon] == ':') {
            char name[MOST_NAME], suggested[SUGGESTION_TEXT];
            while (end > at && text[end - 1] == ' ')
                --end;
            snprintf(name, sizeof name, "%.*s", (int)(end - at), text + at);
            int index = er_mode_names_find(names, name);
            suggestion meant = {.word = name};
            for (int k = 0; k < names->count && index < 0; ++k)
                suggestion_try(&meant, names->mode[k].name);
            if (index < 0)
                return er_fail(context, ER_ERROR_ARGUMENT, "the mix names \"%s\", which no mode is called%s", name,
                               suggestion_text(&meant, suggested));
            used += (size_t)sprintf(result + used, "%d", index);
            at = colon;
        }
        size_t next = at + strcspn(text + at, ",");
        memcpy(result + used, text + at, next - at);
        used += next - at;
        at = next;
        if (text[at] == ',') result[used++] = text[at++];
    }
    result[used] = '\0';
    *out = result;
    return ER_OK;
}
