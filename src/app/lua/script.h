/// @file
/// Lua 5.4: the module `eigenrig`, and the scripts that are run with it (docs/lua.md is its manual).
///
/// The module has no pictures and no windows: rooms above this one open it by script_open() and add their own methods
/// (script_add_methods() of lua_inside.h). Each Lua state has its own er_context, which ends with it. Errors of the
/// library are Lua errors. No misuse of the module's objects can do more than raise one.
#ifndef ERI_APP_LUA_SCRIPT_H
#define ERI_APP_LUA_SCRIPT_H

#include <eigenrig/base.h>

struct lua_State;

/// Opens the module in a Lua 5.4 state: pushes its table, for luaL_requiref().   @return 1
int script_open(struct lua_State *L);

/// A script, or lines from standard input, to be run.
typedef struct script_def {
    const char *path; ///< the script, "-" for standard input; NULL for none
    char **words;     ///< [word_count], the command line that Lua's `arg` is made of
    int word_count;
    int script;  ///< index into words of the script, `arg[0]`; those behind it are its arguments
    bool prompt; ///< read lines from standard input, after the script where there is one
    void (*warn)(void *user, const char *text); ///< hears warn() and warnings of rigs; NULL: nobody
    void *user;                                 ///< handed to it
    bool verbose;                               ///< a traceback follows an error
    int (*open)(struct lua_State *L);           ///< opens the module, with additions of others; NULL: script_open()
    bool hosted;                                ///< os.exit() is an error, since the program goes on after the script
} script_def;

/// Runs it to its end in a Lua state of its own, the module loaded as `eigenrig`.
/// Errors   ER_ERROR_FILE (the script cannot be read), ER_ERROR_ARGUMENT (its error: FILE:LINE: message),
///          ER_ERROR_MEMORY. Errors at the prompt are printed there.
/// Memory   ends with the state.   Threads: one call per context at a time.
er_result script_run(er_context *context, const script_def *def);

/// Checks that a script can be read and is Lua, without running it.
/// Errors, memory and threads as of script_run()
er_result script_check_file(er_context *context, const char *path);

#endif
