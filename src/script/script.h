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
    er_joint_change *joint; ///< change.joint; densities in kg/m^3 until script_change_of(), 1 where there is none
    er_body_change *body;   ///< change.body, likewise
} script_settings;

/// Whether there is anything in `change`.
bool script_has_change(const script_settings *s);

/// All of it as one change of a rig that stands: `change`, and of `rig` what was given and can be changed there.
/// @param density  kg/m^3 that the rig was built with; 0 where nobody knows: single densities are then refused
/// @param out      borrows from `s`; written on ER_OK
/// Errors   ER_ERROR_ARGUMENT.   Memory: none.
er_result script_change_of(er_context *context, script_settings *s, double density, er_rig_change *out);

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
