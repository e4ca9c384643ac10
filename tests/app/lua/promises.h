/// @file
/// Tests that are written in Lua and run in the test's own process: a file of functions, each a state of its own.
#ifndef TESTS_APP_LUA_PROMISES_H
#define TESTS_APP_LUA_PROMISES_H

/// Runs the promises of tests/app/lua/NAME.lua as a group of cmocka's, called `group`: each `function promise.words()`
/// is one, in their order, in a state with the module and what support.lua defines.   @return as cmocka's run does
int promises_run(const char *group, const char *name);

#endif
