// A module for Lua with worlds of other simulators: rivals.world("bullet", step, gravity).
#include <lua.hpp>

#include <exception>

#include "tools/reality/rivals.hpp"

namespace
{

const char world_type[] = "eigenrig rival";

template <size_t N> std::array<double, N> list(lua_State *L, int at)
{
    std::array<double, N> v;
    for (size_t i = 0; i < N; ++i) {
        lua_geti(L, at, lua_Integer(i) + 1);
        v[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return v;
}

template <size_t N> void read(lua_State *L, const char *name, std::array<double, N> &to)
{
    if (lua_getfield(L, 2, name) != LUA_TNIL) to = list<N>(L, lua_gettop(L));
    lua_pop(L, 1);
}

void read(lua_State *L, const char *name, double &to)
{
    if (lua_getfield(L, 2, name) != LUA_TNIL) to = luaL_checknumber(L, -1);
    lua_pop(L, 1);
}

void read(lua_State *L, const char *name, int &to)
{
    if (lua_getfield(L, 2, name) != LUA_TNIL) to = int(luaL_checkinteger(L, -1));
    lua_pop(L, 1);
}

void read(lua_State *L, const char *name, std::string &to)
{
    if (lua_getfield(L, 2, name) != LUA_TNIL) to = luaL_checkstring(L, -1);
    lua_pop(L, 1);
}

void read_mesh(lua_State *L, rival_shape &s)
{
    if (lua_getfield(L, 2, "points") != LUA_TNIL)
        for (lua_Integer i = 1; lua_geti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
            s.points.push_back(list<3>(L, lua_gettop(L)));
    lua_settop(L, 2);
    if (lua_getfield(L, 2, "triangles") != LUA_TNIL)
        for (lua_Integer i = 1; lua_geti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
            for (double corner : list<3>(L, lua_gettop(L)))
                s.corners.push_back(int(corner) - 1);
    lua_settop(L, 2);
}

rival_world &self(lua_State *L)
{
    return **static_cast<std::unique_ptr<rival_world> *>(luaL_checkudata(L, 1, world_type));
}

// Calls a function that may throw, as errors of Lua.
template <int F(lua_State *)> int guard(lua_State *L)
{
    try {
        return F(L);
    } catch (const std::exception &e) {
        lua_pushstring(L, e.what());
    }
    return lua_error(L);
}

int add(lua_State *L)
{
    rival_body b;
    read(L, "kind", b.shape.kind);
    read(L, "size", b.shape.size);
    read(L, "along", b.shape.along);
    read_mesh(L, b.shape);
    read(L, "motion", b.motion);
    read(L, "mass", b.mass);
    read(L, "inertia", b.inertia);
    read(L, "p", b.p);
    read(L, "q", b.q);
    read(L, "velocity", b.velocity);
    read(L, "spin", b.spin);
    read(L, "friction", b.friction);
    read(L, "restitution", b.restitution);
    read(L, "swept_radius", b.swept_radius);
    lua_pushinteger(L, self(L).add(b));
    return 1;
}

int join(lua_State *L)
{
    rival_joint j;
    read(L, "kind", j.kind);
    read(L, "a", j.a);
    read(L, "b", j.b);
    read(L, "at", j.at);
    read(L, "axis", j.axis);
    std::array<double, 2> pair;
    j.is_limited = lua_getfield(L, 2, "limits") != LUA_TNIL;
    if (j.is_limited) pair = list<2>(L, lua_gettop(L)), j.low = pair[0], j.high = pair[1];
    lua_settop(L, 2);
    j.is_driven = lua_getfield(L, 2, "speed") != LUA_TNIL;
    lua_settop(L, 2);
    read(L, "speed", j.speed);
    read(L, "most", j.most);
    self(L).join(j);
    return 0;
}

int lead(lua_State *L)
{
    self(L).lead(int(luaL_checkinteger(L, 2)), list<3>(L, 3), list<4>(L, 4));
    return 0;
}

int set(lua_State *L)
{
    self(L).set(int(luaL_checkinteger(L, 2)), list<3>(L, 3), list<3>(L, 4));
    return 0;
}

template <size_t N> void push(lua_State *L, const std::array<double, N> &v)
{
    lua_createtable(L, int(N), 0);
    for (size_t i = 0; i < N; ++i) {
        lua_pushnumber(L, v[i]);
        lua_seti(L, -2, lua_Integer(i) + 1);
    }
}

int state(lua_State *L)
{
    rival_state s = self(L).state(int(luaL_checkinteger(L, 2)));
    push(L, s.p);
    push(L, s.q);
    push(L, s.velocity);
    push(L, s.spin);
    return 4;
}

int step(lua_State *L)
{
    self(L).step();
    return 0;
}

int destroy(lua_State *L)
{
    using owner = std::unique_ptr<rival_world>;
    static_cast<owner *>(luaL_checkudata(L, 1, world_type))->~owner();
    return 0;
}

int world(lua_State *L)
{
    std::string engine = luaL_checkstring(L, 1);
    double h = luaL_checknumber(L, 2);
    vector3 gravity = list<3>(L, 3);
    using owner = std::unique_ptr<rival_world>;
    auto place = new (lua_newuserdatauv(L, sizeof(owner), 0)) owner;
    luaL_setmetatable(L, world_type);
    if (engine == "bullet")
        *place = make_bullet(h, gravity);
    else
        *place = make_ode(h, gravity, lua_toboolean(L, 4) != 0);
    return 1;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int luaopen_rivals(lua_State *L)
{
    const luaL_Reg methods[] = {{"add", guard<add>}, {"join", guard<join>}, {"lead", lead},    {"set", set},
                                {"state", state},    {"step", step},        {"__gc", destroy}, {nullptr, nullptr}};
    luaL_newmetatable(L, world_type);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    lua_newtable(L);
    lua_pushcfunction(L, guard<world>);
    lua_setfield(L, -2, "world");
    return 1;
}
