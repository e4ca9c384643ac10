// Fields of a table of Lua to the settings of a rig.
#include "app/description/description_settings.h"

#include <lauxlib.h>
#include <string.h>

static const char *const setting_keys[] = {"root",   "joints", "stiffness", "damping",  "rayleigh",      "density",
                                           "mass",   "height", "pose",      "skeleton", "infer_parents", "props",
                                           "hang",   "feet",   "forward",   "plant",    "symmetrize",    "character",
                                           "bodies", "welds",  "mirror",    "loops",    "optional",      NULL};

static const double most = 1e50; // as in er_model_create()

// "rest", "bind", "CLIP@SECONDS", a pose file, or places of bodies. Values that are borrowed stay on the stack.
static void read_pose(reader *r, rig_settings *out)
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

static void read_rayleigh(reader *r, rig_settings *out)
{
    double *factor[] = {&out->rig.rayleigh_mass, &out->rig.rayleigh_stiffness};
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected two numbers: {1/s, s}");
    for (int i = 0; i < 2; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        *factor[i] = reader_top_number(r, 0.0, most);
        lua_pop(r->L, 1);
    }
}

static void read_stiffness(reader *r, rig_settings *out)
{
    if (er_stiffness_parse(r->context, reader_top_text(r), &out->rig.stiffness) != ER_OK)
        reader_wrong(r, "%s", er_context_error(r->context));
}

// {bone = "other bone", ...}, false for none. The table and the array stay on the stack: names are borrowed.
static void read_hang(reader *r, rig_settings *out)
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
            reader_wrong(r, "expected names of bones, or false for a bone without parent");
        hang[i++] = (er_hang){lua_tostring(L, -2), none ? NULL : lua_tostring(L, -1), out->optional};
    }
    out->rig.hang = hang;
    out->rig.hang_count = count;
}

static void read_feet(reader *r, rig_settings *out)
{
    out->feet = reader_top_text(r);
}

static void read_forward(reader *r, rig_settings *out)
{
    out->forward = reader_top_way(r);
}

static void read_plant(reader *r, rig_settings *out)
{
    out->plant = reader_top_names(r);
}

// Joints are a rule for all, or a table of changes, which may begin with the rule and is read elsewhere.
static bool read_rule(reader *r, int table, rig_settings *out)
{
    lua_State *L = r->L;
    const char *key = rig_setting_key(GIVEN_JOINTS);
    if (lua_getfield(L, table, key) == LUA_TTABLE) {
        lua_rawgeti(L, -1, 1);
        lua_remove(L, -2);
    }
    bool given = lua_type(L, -1) == LUA_TSTRING;
    lua_createtable(L, 0, 1);
    lua_insert(L, -2);
    lua_setfield(L, -2, key);
    if (given) reader_setting(r, lua_gettop(L), key, rig_setting(GIVEN_JOINTS), &out->rig);
    lua_pop(L, 1);
    return given;
}

typedef void read_field(reader *r, rig_settings *out);

// The reader of a setting that fills more than one field; NULL for others.
static read_field *reader_of(unsigned bit)
{
    switch (bit) {
    case GIVEN_STIFFNESS:
        return read_stiffness;
    case GIVEN_RAYLEIGH:
        return read_rayleigh;
    case GIVEN_POSE:
        return read_pose;
    case GIVEN_HANG:
        return read_hang;
    case GIVEN_FEET:
        return read_feet;
    case GIVEN_FORWARD:
        return read_forward;
    case GIVEN_PLANT:
        return read_plant;
    default:
        return NULL;
    }
}

// Whether the field is there.
static bool read_setting(reader *r, int table, unsigned bit, rig_settings *out)
{
    const char *key = rig_setting_key(bit);
    read_field *read = reader_of(bit);
    if (bit == GIVEN_JOINTS) return read_rule(r, table, out);
    if (read == NULL) return reader_setting(r, table, key, rig_setting(bit), &out->rig);
    if (!reader_field(r, table, key)) return false;
    read(r, out);
    if (bit == GIVEN_HANG || bit == GIVEN_PLANT)
        reader_leave(r); // names are borrowed
    else
        reader_done(r);
    return true;
}

void description_read_settings(reader *r, int table, rig_settings *out)
{
    table = lua_absindex(r->L, table);
    reader_check_keys(r, table, setting_keys);
    out->optional = reader_flag(r, table, "optional", out->optional);
    for (unsigned bit = 1; bit <= GIVEN_CHARACTER; bit <<= 1)
        if (read_setting(r, table, bit, out)) out->given |= bit;
    description_read_change(r, table, out);
}
