// Bodies and joints of a model by their names: the lists of those that match a pattern, and one alone.
#include <string.h>

#include "app/lua/lua_inside.h"
#include "base/platform.h"

typedef const char *(*name_of)(const er_model *model, int index);

static const char *body_name(const er_model *model, int index)
{
    return model->body[index].name;
}

static const char *joint_name(const er_model *model, int index)
{
    return model->joint[index].name;
}

static int push_matching(lua_State *L, int count, name_of name, void (*push)(lua_State *, int, int))
{
    const char *pattern = luaL_optstring(L, 2, "*");
    lua_settop(L, 2);
    script_pause_gc(L);
    const er_model *model = script_model_of(script_check_model(L, 1));
    lua_newtable(L);
    for (int i = 0, found = 0; i < count; ++i) {
        if (!eri_platform_match(pattern, name(model, i))) continue;
        push(L, 1, i);
        lua_rawseti(L, -2, ++found);
    }
    return 1;
}

static int fail_name(lua_State *L, const char *what, const char *wanted, int count, name_of name, const er_model *model)
{
    suggestion nearest = {.word = wanted};
    for (int i = 0; i < count; ++i)
        suggestion_try(&nearest, name(model, i));
    if (nearest.best != NULL)
        return luaL_error(L, "no %s is called \"%s\"; did you mean \"%s\"", what, wanted, nearest.best);
    if (strpbrk(wanted, "*?[") == NULL) return luaL_error(L, "no %s is called \"%s\"", what, wanted);
    return luaL_error(L, "no %s is called \"%s\"; patterns are for the lists of bodies() and joints()", what, wanted);
}

// By its name or its index, 0 for the first, as `info` prints it.
static int push_one(lua_State *L, const char *what, int count, name_of name, void (*push)(lua_State *, int, int))
{
    const er_model *model = script_model_of(script_check_model(L, 1));
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_Integer index = luaL_checkinteger(L, 2);
        if (index < 0 || index >= count)
            return luaL_error(L, "there is no %s %I; there are 0 to %d", what, index, count - 1);
        push(L, 1, (int)index);
        return 1;
    }
    const char *wanted = luaL_checkstring(L, 2);
    int found = -1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(name(model, i), wanted) != 0) continue;
        if (found >= 0) return luaL_error(L, "several %ss are called \"%s\"; name it by its index", what, wanted);
        found = i;
    }
    if (found < 0) return fail_name(L, what, wanted, count, name, model);
    push(L, 1, found);
    return 1;
}

int script_model_bodies(lua_State *L)
{
    return push_matching(L, script_model_of(script_check_model(L, 1))->body_count, body_name, script_push_body);
}

int script_model_joints(lua_State *L)
{
    return push_matching(L, script_model_of(script_check_model(L, 1))->joint_count, joint_name, script_push_joint);
}

int script_model_body(lua_State *L)
{
    return push_one(L, "body", script_model_of(script_check_model(L, 1))->body_count, body_name, script_push_body);
}

int script_model_joint(lua_State *L)
{
    return push_one(L, "joint", script_model_of(script_check_model(L, 1))->joint_count, joint_name, script_push_joint);
}
