// Words that people try first, and the names of this module for them.
#include <string.h>

#include "app/lua/lua_inside.h"
#include "base/suggest.h"

// `of` is a class, or "" for the module. `hint` is the text to type instead of `word`.
static const struct {
    const char *of, *word, *hint;
} others[] = {
    {"", "open", "load"},
    {"", "import", "load"},
    {"", "read", "load"},
    {"", "model", "load"},
    {"", "mix", "model:mix(\"7:12\")"},
    {"", "modes", "model:modes()"},
    {"", "gaits", "model:gaits()"},
    {"", "render", "model:render(\"out.png\")"},
    {"", "vector", "vec3"},
    {"model", "mode", "model:modes()[INDEX]"},
    {"model", "gait", "model:gaits():named(\"trot\")"},
    {"model", "animate", "model:export(\"out.glb\", \"7:12\")"},
    {"model", "palette", "model:export(\"out.glb\")"},
    {"model", "write", "model:export(\"out.glb\") or model:save(\"rig.json\")"},
    {"model", "set", "model:change{...}"},
    {"model", "stiffness", "model:change{stiffness = \"graded:2\"}"},
    {"model", "damping", "damping_ratio"},
    {"model", "info", "print(model), model.notes and model:bodies()"},
    {"model", "print", "print(model), model.notes and model:bodies()"},
    {"model", "warnings", "notes"},
    {"model", "bones", "model:bodies()"},
    {"model", "draw", "model:render(\"out.png\")"},
    {"model", "solve", "model:modes()"},
    {"model", "frequencies", "mode.frequency_hz of for index, mode in pairs(model:modes())"},
    {"model", "validate", "eigenrig validate MODEL"},
    {"modes", "frequency_hz", "mode.frequency_hz of for index, mode in pairs(model:modes())"},
    {"modes", "frequencies", "mode.frequency_hz of for index, mode in pairs(model:modes())"},
    {"modes", "table", "for index, mode in pairs(model:modes())"},
    {"mode", "hz", "frequency_hz"},
    {"mode", "freq", "frequency_hz"},
    {"mode", "frequency", "frequency_hz"},
    {"mode", "damping", "damping_ratio"},
    {"mode", "joints", "mode:movers() and mode:joint_travel()"},
    {"mode", "shape", "mode:joint_travel()"},
    {"joint", "frequency", "hz"},
    {"joint", "position", "the body's, model:body(name).position"},
    {"body", "weight", "mass"},
    {"gait", "export", "model:export(\"out.glb\", gait)"},
    {"mix", "export", "model:export(\"out.glb\", mix)"},
};

const char *script_hint(const char *of, const char *word)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        if (strcmp(others[i].of, of) == 0 && strcmp(others[i].word, word) == 0) return others[i].hint;
    return NULL;
}

// The module has no such field.
static int fail_field(lua_State *L)
{
    const char *word = luaL_tolstring(L, 2, NULL), *other = script_hint("", word);
    suggestion hint = {.word = word};
    for (lua_pushnil(L); other == NULL && lua_next(L, 1) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING) suggestion_try(&hint, lua_tostring(L, -2));
    if (other == NULL) other = hint.best;
    if (other == NULL) return luaL_error(L, "eigenrig has no field \"%s\"", word);
    return luaL_error(L, "eigenrig has no field \"%s\"; did you mean %s", word, other);
}

void script_guard_module(lua_State *L)
{
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, fail_field);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

void script_expand_shorthand(lua_State *L, int index, const char *key)
{
    if (lua_type(L, index) != LUA_TNUMBER) return;
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, index);
    lua_setfield(L, -2, key);
    lua_replace(L, index);
}

void script_default_table(lua_State *L, int index)
{
    if (!lua_isnil(L, index)) return;
    lua_newtable(L);
    lua_replace(L, index);
}
