// model:carry(): mixes and gaits of another model.
#include "app/lua/lua_inside.h"
#include "app/project/project_carry.h"

SCRIPT_DESTROYS(destroy_mix, er_mix_destroy)

static er_gait_def body_of(const script_model *m)
{
    er_gait_def def = er_default_gait_def();
    def.feet = m->feet;
    def.forward = m->forward;
    return def;
}

static double read_pace(lua_State *L, int table)
{
    static const char *const keys[] = {"pace", NULL};
    reader r = {.L = L};
    if (lua_isnil(L, table)) return 0.0;
    reader_check_keys(&r, table, keys);
    return reader_number(&r, table, "pace", 0.0, 1000.0, 0.0);
}

static void carry_mix(lua_State *L, const er_carry_def *def)
{
    er_mix *mix = (er_mix *)(uintptr_t)script_check_mix(L, 2), *made = NULL;
    lua_getiuservalue(L, 2, MIX_MODEL);
    int source = lua_gettop(L);
    const script_model *was = script_check_model(L, source), *now = script_check_model(L, 1);
    const er_gait_def body[2] = {body_of(was), body_of(now)};
    script_warner ear = {L, now->path};
    project_listener listener = script_listener(&ear);
    script_push_modes(L, source, project_modes_of_mixes(script_model_of(was), &mix, 1, 1));
    const script_modes *own = lua_touserdata(L, -1);
    script_push_modes(L, 1, 0);
    const script_modes *other = lua_touserdata(L, -1);
    const project_carry_rig from = {own->model, script_rig_of(was), &body[0], own->modes->object},
                            to = {other->model, script_rig_of(now), &body[1], other->modes->object};
    handle *h = script_push_handle(L, destroy_mix);
    script_check(L, project_carry_mix(script_context(L), &from, mix, &to, def, &listener, &made));
    h->object = made;
    script_push_library_mix(L, 1, made);
}

static void carry_gait(lua_State *L, const er_carry_def *def)
{
    script_gaits *of;
    er_gaits *made = NULL;
    const er_gait *gait = script_check_gait(L, 2, &of);
    lua_getiuservalue(L, 2, 1);
    lua_getiuservalue(L, -1, GAITS_MODEL);
    const script_model *was = script_check_model(L, -1), *now = script_check_model(L, 1);
    const er_gait_def body[2] = {body_of(was), body_of(now)};
    script_warner ear = {L, now->path};
    project_listener listener = script_listener(&ear);
    script_gaits *gaits = script_push_gaits(L);
    int at = lua_gettop(L);
    er_gait_def paces = body[1];
    paces.fps = 60.0;
    const project_carry_rig from = {of->modes->model, script_rig_of(was), &body[0], of->modes->modes->object},
                            to = {gaits->modes->model, script_rig_of(now), &body[1], gaits->modes->modes->object};
    script_check(L, project_carry_gait(script_context(L), &from, gait, &to, &paces, def, &listener, &made));
    gaits->gaits->object = made;
    script_push_gait(L, at, 0);
}

int script_model_carry(lua_State *L)
{
    er_carry_def def = er_default_carry_def();
    script_check_model(L, 1);
    luaL_checkany(L, 2);
    lua_settop(L, 3);
    script_pause_gc(L);
    def.pace = read_pace(L, 3);
    if (luaL_testudata(L, 2, script_gait_class.name) != NULL)
        carry_gait(L, &def);
    else
        carry_mix(L, &def);
    return 1;
}
