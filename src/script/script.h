/// @file
/// Lua 5.4: the module `eigenrig`, and the scripts that are run with it (docs/lua.md is its manual).
///
/// The module is loaded into any Lua 5.4 by luaopen_eigenrig(). Each Lua state has an er_context of its own, which ends
/// with it. Errors of the library are Lua errors; whatever a script does with the module's objects, the worst is one.
#ifndef ER_SCRIPT_SCRIPT_H
#define ER_SCRIPT_SCRIPT_H

#include <eigenrig/rig.h>

/// Which fields of a rig's settings were named: bits.
enum {
    SCRIPT_ROOT = 1,
    SCRIPT_JOINTS = 2, ///< the rule for all
    SCRIPT_STIFFNESS = 4,
    SCRIPT_DAMPING = 8,
    SCRIPT_RAYLEIGH = 16,
    SCRIPT_DENSITY = 32,
    SCRIPT_MASS = 64,
    SCRIPT_HEIGHT = 128,
    SCRIPT_POSE = 256,
    SCRIPT_SKELETON = 512,
    SCRIPT_INFER = 1024
};

/// How a model becomes a rig, as a table says it.
typedef struct script_settings {
    unsigned given;
    er_rig_def rig;
    char clip[256];         ///< of a pose "CLIP@SECONDS", which rig.pose_clip then points to
    const char *pose_file;  ///< NULL where the pose is none
    er_rig_change change;   ///< single joints and bodies, welds, twins, loops; the law and what `rig` has are not in it
    er_joint_change *joint; ///< change.joint; densities in kg/m^3 until script_set_densities(), 1 where there is none
    er_body_change *body;   ///< change.body, likewise
} script_settings;

/// Makes factors of the densities of single joints and bodies: once, before `change` is used.
/// @param density  kg/m^3 that the rig has; 0 where nobody knows: single densities are then refused
/// Errors   ER_ERROR_ARGUMENT
er_result script_set_densities(er_context *context, script_settings *s, double density);

/// All of it as one change of a rig that stands: `change`, and of `rig` what was given and can be changed there.
/// @param density  as above
/// @param out      borrows from `s`; written on ER_OK
/// Errors   ER_ERROR_ARGUMENT.   Memory: none.
er_result script_change_of(er_context *context, script_settings *s, double density, er_rig_change *out);

/// A description of a rig, read.
typedef struct script_sidecar {
    script_settings settings; ///< borrows from the state
    struct lua_State *state;  ///< private
} script_sidecar;

/// Reads a description of a rig: Lua that returns a table (docs/lua.md). It runs in a state of its own, without files,
/// other code or whatever could run on for ever, for at most 10 million steps in 16 MiB.
/// @param out  ER_OK: to be closed; otherwise all zeros. A pose file is found from the description's folder
/// Errors   ER_ERROR_FILE (cannot be read; over 1 MiB), ER_ERROR_FORMAT (FILE:LINE: what is wrong), ER_ERROR_MEMORY
/// Memory   of its own until it is closed.   Threads: one call per context at a time.
er_result script_open_sidecar(er_context *context, const char *path, script_sidecar *out);

/// Closes it; all zeros are fine.
void script_close_sidecar(script_sidecar *sidecar);

/// The path of the description that lies beside a model: its own with `.rig.lua` in place of its ending. Whether there
/// is such a file.
/// @param out  [size], written
bool script_find_sidecar(const char *model, char *out, size_t size);

/// A script, or lines from standard input, to be run.
typedef struct script_def {
    const char *path; ///< the script, "-" for standard input; NULL for none
    char **words;     ///< [word_count], the command line that Lua's `arg` is made of
    int word_count;
    int script;   ///< index into words of the script, `arg[0]`; those behind it are its arguments
    bool prompt;  ///< read lines from standard input, after the script where there is one
    bool quiet;   ///< warn() says nothing
    bool verbose; ///< an error is followed by where it came from
} script_def;

/// Runs it to its end in a Lua state of its own, the module loaded as `eigenrig`.
/// Errors   ER_ERROR_FILE (the script cannot be read), ER_ERROR_ARGUMENT (its error: FILE:LINE: message),
///          ER_ERROR_MEMORY. Errors at the prompt are printed there.
/// Memory   ends with the state.   Threads: one call per context at a time.
er_result script_run(er_context *context, const script_def *def);

#endif
