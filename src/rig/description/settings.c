// A table's fields to er_rig_def.
#include <assert.h>
#include <lauxlib.h>
#include <string.h>

#include "rig/description/settings.h"

static const char *const setting_keys[] = {"root",   "joints", "stiffness", "damping",  "rayleigh",      "density",
                                           "mass",   "height", "pose",      "skeleton", "infer_parents", "props",
                                           "hang",   "feet",   "forward",   "plant",    "bodies",        "welds",
                                           "mirror", "loops",  "optional",  NULL};

enum {
    ROOT,
    JOINTS,
    STIFFNESS,
    DAMPING,
    RAYLEIGH,
    DENSITY,
    MASS,
    HEIGHT,
    POSE,
    SKELETON,
    INFER,
    PROPS,
    HANG,
    FEET,
    FORWARD,
    PLANT,
    ROW_COUNT
};

#define MOST 1e50 // as er_model_create() has it
#define PLACE(field) .place = offsetof(er_rig_def, field)

// In the order of the bits. What only makes a model a rig is refused of a rig file.
static const struct {
    const char *key;
    bool makes;
    setting of;
} rows[ROW_COUNT] = {
    [ROOT] = {"root", false, {SETTING_CHOICE, PLACE(root), .choices = (const char *const[]){"free", "fixed", NULL}}},
    [JOINTS] = {"joints",
                true,
                {SETTING_CHOICE, PLACE(joints),
                 .choices = (const char *const[]){"auto", "spherical", "revolute", NULL}}},
    [STIFFNESS] = {"stiffness", false, {SETTING_OTHER, PLACE(stiffness)}},
    [DAMPING] = {"damping", false, {SETTING_NUMBER, PLACE(damping_ratio), .most = MOST}},
    [RAYLEIGH] = {"rayleigh", false, {SETTING_OTHER, PLACE(rayleigh_mass)}},
    [DENSITY] = {"density", true, {SETTING_NUMBER, PLACE(density), .most = MOST, .above = true}},
    [MASS] = {"mass", false, {SETTING_NUMBER, PLACE(mass), .most = MOST, .above = true}},
    [HEIGHT] = {"height", true, {SETTING_NUMBER, PLACE(height), .most = MOST, .above = true, .length = true}},
    [POSE] = {"pose", true, {SETTING_OTHER, PLACE(pose)}},
    [SKELETON] = {"skeleton", true, {SETTING_TEXT, PLACE(skeleton)}},
    [INFER] = {"infer_parents", true, {SETTING_FLAG, PLACE(infer_parents)}},
    [PROPS] = {"props", true, {SETTING_TEXT, PLACE(props)}},
    [HANG] = {"hang", true, {SETTING_OTHER, PLACE(hang)}},
    [FEET] = {"feet", false, {.kind = SETTING_OTHER}},
    [FORWARD] = {"forward", false, {.kind = SETTING_OTHER}},
    [PLANT] = {"plant", false, {.kind = SETTING_OTHER}},
};

static_assert(DESCRIPTION_PLANT == 1 << PLANT, "rows are in the order of the bits");

const setting *description_setting(unsigned bit)
{
    int row = 0;
    while (bit >> row > 1u)
        ++row;
    return &rows[row].of;
}

// "rest", "bind", "CLIP@SECONDS", a pose file, or places of bodies. What is needed of these stays below the top.
static void read_pose(reader *r, description_settings *out)
{
    out->place_count = 0;
    out->pose_file = out->pose_in = out->pose_named = NULL;
    if (lua_istable(r->L, -1)) {
        description_read_places(r, out);
        out->rig.pose = ER_POSE_GIVEN;
        return;
    }
    const char *text = reader_top_text(r), *at = strrchr(text, '@');
    double time;
    if (strcmp(text, "rest") == 0 || strcmp(text, "bind") == 0) {
        out->rig.pose = *text == 'r' ? ER_POSE_REST : ER_POSE_BIND;
        return;
    }
    if (at == NULL || !setting_number(at + 1, &time)) {
        out->rig.pose = ER_POSE_GIVEN;
        out->pose_file = text;
        return;
    }
    if ((size_t)(at - text) >= sizeof out->clip) reader_wrong(r, "a clip's name of %d bytes", (int)(at - text));
    memcpy(out->clip, text, (size_t)(at - text));
    out->clip[at - text] = '\0';
    out->rig.pose = ER_POSE_CLIP;
    out->rig.pose_clip = out->clip;
    out->rig.pose_time = time;
}

static void read_rayleigh(reader *r, description_settings *out)
{
    double *factor[] = {&out->rig.rayleigh_mass, &out->rig.rayleigh_stiffness};
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected two numbers: {1/s, s}");
    for (int i = 0; i < 2; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        *factor[i] = reader_top_number(r, 0.0, MOST);
        lua_pop(r->L, 1);
    }
}

static void read_stiffness(reader *r, description_settings *out)
{
    if (er_stiffness_parse(r->context, reader_top_text(r), &out->rig.stiffness) != ER_OK)
        reader_wrong(r, "%s", er_context_error(r->context));
}

// {bone = "other bone", ...}, false for none. The table and the array stay below the top: names are borrowed from it.
static void read_hang(reader *r, description_settings *out)
{
    lua_State *L = r->L;
    int list = lua_gettop(L), count = 0;
    if (!lua_istable(L, list)) reader_wrong(r, "expected a table such as {foot = \"shin\"}");
    luaL_checkstack(L, 16, NULL);
    for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1))
        ++count;
    er_hang *hang = reader_push_array(L, (size_t)count + 1, sizeof *hang);
    int i = 0;
    for (lua_pushnil(L); lua_next(L, list); lua_pop(L, 1)) {
        bool none = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
        if (lua_type(L, -2) != LUA_TSTRING || (!none && lua_type(L, -1) != LUA_TSTRING))
            reader_wrong(r, "expected names of bones, or false for what hangs on none");
        hang[i++] = (er_hang){lua_tostring(L, -2), none ? NULL : lua_tostring(L, -1), out->optional};
    }
    out->rig.hang = hang;
    out->rig.hang_count = count;
}

static void read_feet(reader *r, description_settings *out)
{
    out->feet = reader_top_text(r);
}

static void read_forward(reader *r, description_settings *out)
{
    out->forward = reader_top_way(r);
}

static void read_plant(reader *r, description_settings *out)
{
    out->plant = reader_top_names(r);
}

// Joints are a rule for all, or a table of changes, which is read elsewhere and may begin with the rule.
static bool read_rule(reader *r, int table, description_settings *out)
{
    lua_State *L = r->L;
    if (lua_getfield(L, table, rows[JOINTS].key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        lua_remove(L, -2);
    }
    bool said = lua_type(L, -1) == LUA_TSTRING;
    lua_createtable(L, 0, 1);
    lua_insert(L, -2);
    lua_setfield(L, -2, rows[JOINTS].key);
    if (said) reader_setting(r, lua_gettop(L), rows[JOINTS].key, &rows[JOINTS].of, &out->rig);
    lua_pop(L, 1);
    return said;
}

// Whether the field is there.
static bool read_row(reader *r, int table, int row, description_settings *out)
{
    static void (*const others[ROW_COUNT])(reader *, description_settings *) = {
        [STIFFNESS] = read_stiffness, [RAYLEIGH] = read_rayleigh, [POSE] = read_pose,  [HANG] = read_hang,
        [FEET] = read_feet,           [FORWARD] = read_forward,   [PLANT] = read_plant};
    const char *key = rows[row].key;
    if (row == JOINTS) return read_rule(r, table, out);
    if (others[row] == NULL) return reader_setting(r, table, key, &rows[row].of, &out->rig);
    if (!reader_field(r, table, key)) return false;
    others[row](r, out);
    if (row == HANG || row == PLANT)
        reader_leave(r); // names are borrowed
    else
        reader_done(r);
    return true;
}

void description_read_settings(reader *r, int table, description_settings *out)
{
    table = lua_absindex(r->L, table);
    reader_check_keys(r, table, setting_keys);
    out->optional = reader_flag(r, table, "optional", out->optional);
    for (int row = 0; row < ROW_COUNT; ++row)
        if (read_row(r, table, row, out)) out->given |= 1u << row;
    description_read_change(r, table, out);
}

description_settings description_default_settings(void)
{
    description_settings s = {.rig = er_default_rig_def(), .change = er_default_rig_change()};
    return s;
}

er_result description_change_of(er_context *context, description_settings *s, double density, er_rig_change *out)
{
    for (int row = 0; row < ROW_COUNT; ++row)
        if (rows[row].makes && (s->given & 1u << row) != 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: says how a model becomes a rig; this one is a rig already",
                           rows[row].key);
    if ((s->given & DESCRIPTION_ROOT) != 0 && s->rig.root == ER_ROOT_FREE)
        return er_fail(context, ER_ERROR_ARGUMENT, "root: a rig that is held cannot be let go");
    er_result r = description_set_densities(context, s, density);
    if (r != ER_OK) return r;
    s->rig.change = &s->change;
    *out = description_changes(s->given, &s->rig);
    return ER_OK;
}

er_rig_change description_changes(unsigned given, const er_rig_def *rig)
{
    er_rig_change change = rig->change != NULL ? *rig->change : er_default_rig_change();
    if ((given & DESCRIPTION_STIFFNESS) != 0) change.stiffness = &rig->stiffness;
    if ((given & DESCRIPTION_DAMPING) != 0) change.damping_ratio = rig->damping_ratio;
    if ((given & DESCRIPTION_RAYLEIGH) != 0) {
        change.rayleigh_mass = rig->rayleigh_mass;
        change.rayleigh_stiffness = rig->rayleigh_stiffness;
    }
    change.mass = rig->mass;
    change.fix_root = rig->root == ER_ROOT_FIXED;
    return change;
}

er_result description_set_densities(er_context *context, description_settings *s, double density)
{
    for (int i = 0; i < s->change.joint_count; ++i)
        if (s->joint[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "joint \"%s\": nobody knows the density of a rig file; give a mass", s->joint[i].pattern);
        else if (s->joint[i].density != 1.0)
            s->joint[i].density /= density;
    for (int i = 0; i < s->change.body_count; ++i)
        if (s->body[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "body \"%s\": nobody knows the density of a rig file; give a mass", s->body[i].pattern);
        else if (s->body[i].density != 1.0)
            s->body[i].density /= density;
    return ER_OK;
}
