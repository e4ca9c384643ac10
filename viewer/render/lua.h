/// @file
/// The Lua module `eigenrig` with pictures: that of the script room, and model:render().
#ifndef ERI_VIEWER_RENDER_LUA_H
#define ERI_VIEWER_RENDER_LUA_H

struct lua_State;

/// Opens the module: what Lua's require finds in the loadable module, and what script_def.open may be.
int luaopen_eigenrig(struct lua_State *L);

#endif
