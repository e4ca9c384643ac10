// Tables about single joints and bodies to an er_rig_change. Degrees become radians here.
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/description/description_settings.h"

static const double degree = ER_PI / 180.0, most = 1e50;

enum { MOST_ENTRIES = 10000, MOST_PAIRS = 16, LONGEST_PATTERN = 255 };

static void check_list(reader *r, int least)
{
    if (!lua_istable(r->L, -1) || (int)lua_rawlen(r->L, -1) < least) reader_wrong(r, "expected a list");
}

// --- joints

static const char *const coordinates[] = {"tx", "ty", "tz", "x", "y", "z", NULL};

// One number for all coordinates, or a table of such by coordinate.
static void read_values(reader *r, int table, const char *key, double value[6])
{
    if (!reader_field(r, table, key)) return;
    if (lua_type(r->L, -1) == LUA_TNUMBER)
        for (int i = 0; i < 6; ++i)
            value[i] = reader_top_number(r, 0.0, most);
    else {
        reader_check_keys(r, -1, coordinates);
        for (int i = 0; i < 6; ++i)
            value[i] = reader_number(r, -1, coordinates[i], 0.0, most, value[i]);
    }
    reader_done(r);
}

static void read_range(reader *r, double unit, double limit[2])
{
    check_list(r, 2);
    for (int k = 0; k < 2; ++k) {
        lua_rawgeti(r->L, -1, k + 1);
        limit[k] = unit * reader_top_number(r, -HUGE_VAL, HUGE_VAL);
        lua_pop(r->L, 1);
    }
    if (limit[0] > limit[1]) reader_wrong(r, "expected the lower limit first");
}

// {lowest, highest} of all rotations, in degrees, or a table of such by coordinate: tx ty tz, and x y z in metres.
static void read_limits(reader *r, int table, double limit[6][2])
{
    if (!reader_field(r, table, "limits")) return;
    if (lua_istable(r->L, -1) && lua_rawlen(r->L, -1) > 0) {
        read_range(r, degree, limit[0]);
        for (int i = 1; i < 3; ++i)
            memcpy(limit[i], limit[0], sizeof limit[i]);
    } else {
        reader_check_keys(r, -1, coordinates);
        for (int i = 0; i < 6; ++i) {
            if (!reader_field(r, -1, coordinates[i])) continue;
            read_range(r, i < 3 ? degree : 1.0, limit[i]);
            reader_done(r);
        }
    }
    reader_done(r);
}

static int read_type(reader *r, int table, int otherwise)
{
    const char *names[ER_JOINT_TYPE_COUNT];
    for (int i = 0; i < ER_JOINT_TYPE_COUNT; ++i)
        names[i] = er_joint_type_name((er_joint_type)i);
    return reader_choice(r, table, "type", names, ER_JOINT_TYPE_COUNT, otherwise);
}

static void read_axis(reader *r, int table, er_vec3 *out)
{
    static const char *const names[] = {"x", "y", "z"};
    if (!reader_field(r, table, "axis")) return;
    const char *word = lua_type(r->L, -1) == LUA_TSTRING ? lua_tostring(r->L, -1) : "";
    for (int i = 0; i < 3; ++i)
        if (strcmp(word, names[i]) == 0) *out = er_v3(i == 0, i == 1, i == 2);
    if (er_v3_norm(*out) == 0.0 && (!reader_to_vec3(r->L, -1, out) || !(er_v3_norm(*out) > 0.0)))
        reader_wrong(r, "expected x, y, z or a vector that is not 0");
    reader_done(r);
}

void description_read_joint(reader *r, int table, er_joint_change *out)
{
    static const char *const keys[] = {"pattern",  "type",          "axis",   "hz",    "stiffness",
                                       "damping",  "damping_ratio", "limits", "mass",  "density",
                                       "optional", "pitch",         "swing",  "twist", NULL};
    table = lua_absindex(r->L, table);
    reader_check_keys(r, table, keys);
    out->type = read_type(r, table, out->type);
    read_axis(r, table, &out->axis);
    out->hz = reader_number(r, table, "hz", 1e-6, 1e6, 0.0);
    read_values(r, table, "stiffness", out->spring);
    read_values(r, table, "damping", out->damper);
    out->damping_ratio = reader_number(r, table, "damping_ratio", 0.0, most, -1.0);
    out->pitch = reader_number(r, table, "pitch", -most, most, NAN);
    read_limits(r, table, out->limit);
    out->swing = reader_number(r, table, "swing", 0.0, HUGE_VAL, out->swing / degree) * degree;
    if (reader_field(r, table, "twist")) {
        read_range(r, degree, out->twist);
        reader_done(r);
    }
    out->optional = reader_flag(r, table, "optional", out->optional);
    out->mass = reader_number(r, table, "mass", 1e-50, most, 0.0);
    out->density = reader_number(r, table, "density", 1e-50, most, 1.0);
}

// --- tables by pattern

/// A named entry. Entries with more letters come later, so that they win.
typedef struct entry {
    const char *pattern;
    int letters;
} entry;

static int later(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->letters != y->letters ? (x->letters > y->letters) - (x->letters < y->letters)
                                    : strcmp(x->pattern, y->pattern);
}

static int letters_of(const char *pattern)
{
    int letters = 0;
    bool exact = true;
    for (; *pattern != '\0'; ++pattern) {
        bool wild = *pattern == '*' || *pattern == '?';
        exact &= !wild;
        letters += !wild;
    }
    return exact ? 1 << 20 : letters;
}

// Counts the entries of the table on top of the stack, with names and in its list.
static void count_entries(reader *r, int *named, int *listed)
{
    lua_State *L = r->L;
    if (!lua_istable(L, -1)) reader_wrong(r, "expected a table");
    *named = 0;
    *listed = (int)lua_rawlen(L, -1);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        int whole = 0;
        lua_Integer index = lua_isinteger(L, -2) ? lua_tointegerx(L, -2, &whole) : 0;
        if (lua_type(L, -2) == LUA_TSTRING)
            ++*named;
        else if (!whole || index < 1 || index > *listed)
            reader_wrong(r, "expected names, or a list");
    }
    if (*named + *listed > MOST_ENTRIES) reader_wrong(r, "more than %d entries", MOST_ENTRIES);
}

// The names of the table at `table`, in the order they apply in.
static const entry *push_names(lua_State *L, int table, int count)
{
    entry *e = reader_push_array(L, (size_t)count, sizeof *e);
    int i = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) continue;
        e[i].pattern = lua_tostring(L, -2);
        e[i].letters = letters_of(e[i].pattern);
        ++i;
    }
    qsort(e, (size_t)count, sizeof *e, later);
    return e;
}

static const char *list_pattern(reader *r)
{
    if (!lua_istable(r->L, -1)) reader_wrong(r, "expected a table with a pattern");
    const char *pattern = reader_text(r, -1, "pattern", NULL);
    if (pattern == NULL) reader_wrong(r, "it has no pattern");
    return pattern;
}

static void check_pattern(reader *r, const char *pattern)
{
    if (strlen(pattern) > LONGEST_PATTERN) reader_wrong(r, "a pattern longer than %d bytes", LONGEST_PATTERN);
}

static void read_joint_entry(reader *r, const char *pattern, bool optional, er_joint_change *out)
{
    *out = er_default_joint_change();
    out->optional = optional;
    out->pattern = pattern;
    description_read_joint(r, -1, out);
}

static void read_body_entry(reader *r, const char *pattern, bool optional, er_body_change *out)
{
    static const char *const keys[] = {"pattern", "mass", "density", "optional", NULL};
    *out = er_default_body_change();
    out->pattern = pattern;
    reader_check_keys(r, -1, keys);
    out->optional = reader_flag(r, -1, "optional", optional);
    out->mass = reader_number(r, -1, "mass", 1e-50, most, 0.0);
    out->density = reader_number(r, -1, "density", 1e-50, most, 1.0);
}

// How many list elements of the table on top of the stack come before its entries: joints may begin with their rule.
static int count_rules(lua_State *L, bool joints)
{
    bool rule = joints && lua_rawgeti(L, -1, 1) == LUA_TSTRING;
    if (joints) lua_pop(L, 1);
    return rule;
}

// The entries of the field `key` into one of the arrays; the other is NULL.   @return how many
static int read_entries(reader *r, bool optional, er_joint_change *joint, er_body_change *body)
{
    lua_State *L = r->L;
    int table = lua_gettop(L), named, listed, rules = count_rules(L, joint != NULL);
    count_entries(r, &named, &listed);
    listed -= rules;
    const entry *e = push_names(L, table, named);
    for (int i = 0; i < named + listed; ++i) {
        char index[16];
        int at = i - named + 1 + rules;
        snprintf(index, sizeof index, "[%d]", at);
        reader_enter(r, i < named ? e[i].pattern : index);
        if (i < named) {
            lua_pushstring(L, e[i].pattern);
            lua_rawget(L, table);
        } else
            lua_rawgeti(L, table, at);
        const char *pattern = i < named ? e[i].pattern : list_pattern(r);
        check_pattern(r, pattern);
        if (joint != NULL)
            read_joint_entry(r, pattern, optional, &joint[i]);
        else
            read_body_entry(r, pattern, optional, &body[i]);
        lua_pop(L, 1);
        reader_leave(r);
    }
    lua_pop(L, 1);
    return named + listed;
}

// --- lists

// A copy, with room for `more` behind it, of `count` elements.
static void *push_longer(lua_State *L, const void *array, int count, int more, size_t size)
{
    void *longer = reader_push_array(L, (size_t)count + (size_t)more, size);
    if (count > 0) memcpy(longer, array, (size_t)count * size);
    return longer;
}

static const char *text_at(reader *r, int table, int index)
{
    lua_rawgeti(r->L, table, index);
    const char *text = reader_top_text(r);
    lua_pop(r->L, 1);
    return text;
}

// A pattern, or a table of one and whether it is optional.
static const char *weld_at(reader *r, int table, int index, bool *optional)
{
    static const char *const keys[] = {"pattern", "optional", NULL};
    bool plain = lua_rawgeti(r->L, table, index) != LUA_TTABLE;
    if (plain) {
        lua_pop(r->L, 1);
        return text_at(r, table, index);
    }
    reader_check_keys(r, -1, keys);
    const char *pattern = list_pattern(r);
    *optional = reader_flag(r, -1, "optional", *optional);
    lua_pop(r->L, 1);
    return pattern;
}

static void read_welds(reader *r, int count, bool optional, er_joint_change *joint)
{
    int table = lua_gettop(r->L);
    if ((int)lua_rawlen(r->L, table) != count) reader_wrong(r, "expected a list of patterns");
    for (int i = 0; i < count; ++i) {
        joint[i] = er_default_joint_change();
        joint[i].optional = optional;
        joint[i].pattern = weld_at(r, table, i + 1, &joint[i].optional);
        check_pattern(r, joint[i].pattern);
        joint[i].type = ER_JOINT_FIXED;
    }
}

static void read_mirror(reader *r, int table, er_rig_change *change)
{
    lua_State *L = r->L;
    if (!reader_field(r, table, "mirror")) return;
    int list = lua_gettop(L);
    check_list(r, 0);
    int count = (int)lua_rawlen(L, list);
    if (count > MOST_PAIRS) reader_wrong(r, "more than %d pairs", MOST_PAIRS);
    er_name_pair *pairs = push_longer(L, change->pair, change->pair_count, count, sizeof *pairs);
    er_name_pair *pair = pairs + change->pair_count;
    for (int i = 0; i < count; ++i) {
        lua_rawgeti(L, list, i + 1);
        if (!lua_istable(L, -1) || lua_rawlen(L, -1) != 2)
            reader_wrong(r, "expected pairs such as {\"left\", \"right\"}");
        pair[i] = (er_name_pair){text_at(r, lua_gettop(L), 1), text_at(r, lua_gettop(L), 2)};
        if (*pair[i].left == '\0' || *pair[i].right == '\0' || strcmp(pair[i].left, pair[i].right) == 0)
            reader_wrong(r, "expected pairs of texts that differ");
        lua_pop(L, 1);
    }
    change->pair = pairs;
    change->pair_count += count;
    reader_leave(r);
}

static void read_loop(reader *r, int table, bool optional, er_loop_joint *out)
{
    static const char *const keys[] = {"name", "parent",    "child", "type",     "at",
                                       "axis", "stiffness", "pitch", "optional", NULL};
    reader_check_keys(r, table, keys);
    *out = er_default_loop_joint();
    out->optional = reader_flag(r, table, "optional", optional);
    out->name = reader_text(r, table, "name", NULL);
    out->parent = reader_text(r, table, "parent", NULL);
    out->child = reader_text(r, table, "child", NULL);
    if (out->child == NULL) reader_wrong(r, "it has no child");
    out->type = (er_joint_type)read_type(r, table, ER_JOINT_REVOLUTE);
    if (out->type == ER_JOINT_FREE) reader_wrong(r, "a free joint cannot close a loop");
    if (!reader_field(r, table, "at")) reader_wrong(r, "it has no point: at = a body's name, or {x, y, z} in metres");
    if (lua_type(r->L, -1) == LUA_TSTRING)
        out->at_body = reader_top_text(r);
    else if (!reader_to_vec3(r->L, -1, &out->at))
        reader_wrong(r, "expected a body's name, or {x, y, z} in metres");
    reader_done(r);
    read_axis(r, table, &out->axis);
    out->stiffness = reader_number(r, table, "stiffness", 0.0, most, 0.0);
    out->pitch = reader_number(r, table, "pitch", -most, most, 0.0);
}

static void read_loops(reader *r, int table, bool optional, er_rig_change *change)
{
    lua_State *L = r->L;
    if (!reader_field(r, table, "loops")) return;
    int list = lua_gettop(L);
    check_list(r, 0);
    int count = (int)lua_rawlen(L, list);
    if (count > MOST_ENTRIES) reader_wrong(r, "more than %d entries", MOST_ENTRIES);
    er_loop_joint *loops = push_longer(L, change->loop, change->loop_count, count, sizeof *loops);
    er_loop_joint *loop = loops + change->loop_count;
    for (int i = 0; i < count; ++i) {
        char index[16];
        snprintf(index, sizeof index, "[%d]", i + 1);
        reader_enter(r, index);
        lua_rawgeti(L, list, i + 1);
        read_loop(r, lua_gettop(L), optional, &loop[i]);
        lua_pop(L, 1);
        reader_leave(r);
    }
    change->loop = loops;
    change->loop_count += count;
    reader_leave(r);
}

// --- in order

// How many entries the field has; -1 if it is no table but may be another value (`joints` as a word).
static int count_field(reader *r, int table, const char *key, bool word)
{
    int named = 0, listed = 0, rules = 0;
    if (!reader_field(r, table, key)) return 0;
    if (!word || lua_type(r->L, -1) != LUA_TSTRING) {
        count_entries(r, &named, &listed);
        rules = count_rules(r->L, word);
    }
    reader_done(r);
    return named + listed - rules;
}

void description_read_change(reader *r, int table, rig_settings *out)
{
    lua_State *L = r->L;
    er_rig_change *change = &out->change;
    luaL_checkstack(L, 32, NULL);
    int joints = count_field(r, table, "joints", true), bodies = count_field(r, table, "bodies", false);
    int welds = count_field(r, table, "welds", false);
    out->joint = push_longer(L, out->joint, change->joint_count, joints + welds, sizeof *out->joint);
    out->body = push_longer(L, out->body, change->body_count, bodies, sizeof *out->body);
    if (joints > 0) {
        reader_field(r, table, "joints");
        read_entries(r, out->optional, out->joint + change->joint_count, NULL);
        reader_done(r);
    }
    if (welds > 0) {
        reader_field(r, table, "welds");
        read_welds(r, welds, out->optional, out->joint + change->joint_count + joints);
        reader_done(r);
    }
    if (bodies > 0) {
        reader_field(r, table, "bodies");
        read_entries(r, out->optional, NULL, out->body + change->body_count);
        reader_done(r);
    }
    change->joint_count += joints + welds;
    change->joint = out->joint;
    change->body_count += bodies;
    change->body = out->body;
    read_mirror(r, table, change);
    read_loops(r, table, out->optional, change);
}
