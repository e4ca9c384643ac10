// A pose as a table: places of bodies, by name or as a list.
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#include "app/description/description_settings.h"

enum { MOST_PLACES = 100000 };

static const double degree = ER_PI / 180.0, farthest = 1e12;

static bool read_vector(reader *r, int table, const char *key, er_vec3 *out)
{
    if (!reader_field(r, table, key)) return false;
    bool valid = reader_to_vec3(r->L, -1, out) && fabs(out->x) <= farthest && fabs(out->y) <= farthest &&
                 fabs(out->z) <= farthest;
    if (!valid) reader_wrong(r, "expected a vector {x, y, z}");
    reader_done(r);
    return true;
}

static bool read_orientation(reader *r, int table, er_quat *out)
{
    if (!reader_field(r, table, "orientation")) return false;
    if (!reader_to_quat(r->L, -1, out)) reader_wrong(r, "expected a quaternion {w, x, y, z}");
    reader_done(r);
    return true;
}

// The table on the top of the stack.
static void read_place(reader *r, const char *name, bool optional, rig_place *out)
{
    static const char *const keys[] = {"index", "name", "position", "orientation", "turn", "optional", NULL};
    int table = lua_gettop(r->L);
    reader_check_keys(r, table, keys);
    *out = (rig_place){.body = reader_whole(r, table, "index", 0, 1000000000, -1)};
    out->name = reader_text(r, table, "name", name);
    if (out->name == NULL && out->body < 0) reader_wrong(r, "it has no name and no index");
    out->optional = reader_flag(r, table, "optional", optional);
    out->at = read_vector(r, table, "position", &out->position);
    out->faces = read_orientation(r, table, &out->orientation);
    if (read_vector(r, table, "turn", &out->turn)) out->turn = er_v3_scale(degree, out->turn);
}

static size_t count_places(reader *r, int table)
{
    size_t count = 0;
    for (lua_pushnil(r->L); lua_next(r->L, table); lua_pop(r->L, 1))
        ++count;
    if (count > MOST_PLACES) reader_wrong(r, "more than %d entries", MOST_PLACES);
    return count;
}

void description_read_places(reader *r, rig_settings *out)
{
    lua_State *L = r->L;
    luaL_checkstack(L, 16, NULL);
    int table = lua_gettop(L), count = 0;
    rig_place *place = reader_push_array(L, count_places(r, table), sizeof *place);
    lua_insert(L, table); // below the table, so that it outlives it
    ++table;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        char index[32];
        bool named = lua_type(L, -2) == LUA_TSTRING;
        snprintf(index, sizeof index, "[%lld]", lua_isinteger(L, -2) ? (long long)lua_tointeger(L, -2) : 0);
        if (!named && !lua_isinteger(L, -2)) reader_wrong(r, "expected names, or a list");
        reader_enter(r, named ? lua_tostring(L, -2) : index);
        read_place(r, named ? lua_tostring(L, -2) : NULL, out->optional, &place[count++]);
        reader_leave(r);
    }
    out->place = place;
    out->place_count = count;
}
