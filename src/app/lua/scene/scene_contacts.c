// Lists of the contacts of a living scene.
#include "app/lua/scene/scene_script.h"

// Pushes a contact as one of its two actors has it.
static void push_contact(lua_State *L, int scene, const engine_contact *c, int side)
{
    double sign = side == 1 ? 1.0 : -1.0;
    lua_createtable(L, 0, 7);
    script_push_object(L, scene, SCRIPT_ACTOR, c->actor[side]);
    lua_setfield(L, -2, "actor");
    script_push_object(L, scene, SCRIPT_ACTOR, c->actor[1 - side]);
    lua_setfield(L, -2, "other");
    script_push_vec3(L, c->point);
    lua_setfield(L, -2, "point");
    script_push_vec3(L, er_v3_scale(sign, c->normal));
    lua_setfield(L, -2, "normal");
    script_set_number(L, "depth", c->depth);
    script_set_number(L, "impulse", er_v3_dot(c->impulse, c->normal));
    script_push_vec3(L, er_v3_scale(sign, c->force));
    lua_setfield(L, -2, "force");
}

// Pushes the contacts between actors that still exist: of one actor, or with id 0 all.
static int push_contacts(lua_State *L, int scene, const engine *e, int id)
{
    int at = 0;
    lua_newtable(L);
    for (int i = 0; i < engine_contact_count(e); ++i) {
        const engine_contact *c = engine_contact_at(e, i);
        if (engine_find_actor(e, c->actor[0]) == NULL || engine_find_actor(e, c->actor[1]) == NULL) continue;
        if (id != 0 && c->actor[0] != id && c->actor[1] != id) continue;
        push_contact(L, scene, c, id == c->actor[1] ? 1 : 0);
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

int script_scene_contacts(lua_State *L)
{
    return push_contacts(L, 1, script_check_scene(L, 1), 0);
}

int script_actor_contacts(lua_State *L)
{
    engine *e;
    int id = script_check_object(L, 1, SCRIPT_ACTOR, &e), scene = lua_gettop(L);
    if (engine_find_actor(e, id) == NULL) luaL_argerror(L, 1, "the actor was removed from its scene");
    return push_contacts(L, scene, e, id);
}
