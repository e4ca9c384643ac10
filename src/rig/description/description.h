/// @file
/// Descriptions of rigs in Lua (docs/lua.md), read in a sandbox: the one door to Lua of what lies below scripts.
#ifndef ERI_RIG_DESCRIPTION_DESCRIPTION_H
#define ERI_RIG_DESCRIPTION_DESCRIPTION_H

#include <eigenrig/rig.h>

#include "rig/description/setting.h"

/// Which fields of a rig's settings were named: bits.
enum {
    DESCRIPTION_ROOT = 1,
    DESCRIPTION_JOINTS = 2, ///< the rule for all
    DESCRIPTION_STIFFNESS = 4,
    DESCRIPTION_DAMPING = 8,
    DESCRIPTION_RAYLEIGH = 16,
    DESCRIPTION_DENSITY = 32,
    DESCRIPTION_MASS = 64,
    DESCRIPTION_HEIGHT = 128,
    DESCRIPTION_POSE = 256,
    DESCRIPTION_SKELETON = 512,
    DESCRIPTION_INFER = 1024,
    DESCRIPTION_PROPS = 2048,
    DESCRIPTION_HANG = 4096,
    DESCRIPTION_FEET = 8192,
    DESCRIPTION_FORWARD = 16384,
    DESCRIPTION_PLANT = 32768
};

/// What a field of a rig's settings may be, and its place in er_rig_def; SETTING_OTHER where it is more than one field.
/// @param bit  one of the above   Memory: static.
const setting *description_setting(unsigned bit);

/// Where a body is to be at equilibrium. What is not said of it is as it comes along with what it hangs on, which is
/// placed before it.
typedef struct description_place {
    const char *name;    ///< of the body; NULL: `body` alone tells
    int body;            ///< its index; -1: the name alone tells
    bool at, faces;      ///< whether the next two are said
    er_vec3 position;    ///< of its frame, m, world
    bool optional;       ///< it is left out where no body is called so
    er_quat orientation; ///< likewise
    er_vec3 turn;        ///< rotation vector about where it is, world axes, rad: in the end; 0: none
} description_place;

/// How a model becomes a rig, as a table says it.
typedef struct description_settings {
    unsigned given;
    bool optional; ///< what a model lacks of all that is named is left out, where it is not said otherwise
    er_rig_def rig;
    char clip[256];                 ///< of a pose "CLIP@SECONDS", which rig.pose_clip then points to
    const char *pose_file;          ///< of ER_POSE_GIVEN: NULL where it is none
    const char *pose_in;            ///< the description that names it, by pose_named; NULL: who named it may name any
    const char *pose_named;         ///< as it stands there
    int place_count;                ///< likewise: 0 where it is a file
    const description_place *place; ///< [place_count]
    const char *feet;     ///< bodies that are feet, as gaits take them: patterns of names with commas between; NULL
    const char *plant;    ///< what mixes leave in its place, by patterns of names with commas between; NULL
    er_vec3 forward;      ///< which way the body faces, likewise; zero: read off its shape
    er_rig_change change; ///< single joints and bodies, welds, twins, loops; the law and what `rig` has are not in it
    er_joint_change
        *joint; ///< change.joint; densities in kg/m^3 until description_set_densities(), 1 where there is none
    er_body_change *body; ///< change.body, likewise
} description_settings;

/// Makes factors of the densities of single joints and bodies: once, before `change` is used.
/// @param density  kg/m^3 that the rig has; 0 where nobody knows: single densities are then refused
/// Errors   ER_ERROR_ARGUMENT
er_result description_set_densities(er_context *context, description_settings *s, double density);

/// All of it as one change of a rig that stands: `change`, and of `rig` what was given and can be changed there.
/// @param density  as above
/// @param out      borrows from `s`; written on ER_OK
/// Errors   ER_ERROR_ARGUMENT.   Memory: none.
er_result description_change_of(er_context *context, description_settings *s, double density, er_rig_change *out);

/// The settings that can change a finished rig: those of a def that were given, over its `change`.
/// @param given  bits of the above   @return borrows from the def.   Memory: none.
er_rig_change description_changes(unsigned given, const er_rig_def *rig);

/// How a description is opened: bits.
enum {
    DESCRIPTION_BESIDE = 1, ///< it was found beside a model, not named: it goes by the rule of er_file_open_reference()
    DESCRIPTION_OUTSIDE = 2 ///< then it may lie elsewhere
};

/// A description of a rig, read.
typedef struct open_description {
    description_settings settings; ///< borrows from the state
    struct lua_State *state;       ///< private
} open_description;

/// Reads a description of a rig: Lua that returns a table (docs/lua.md). It runs in a state of its own, without files,
/// other code or whatever could run on for ever, for at most 10 million steps in 16 MiB.
/// @param path  kept by settings that name a pose file, which is found from its folder
/// @param how   DESCRIPTION_BESIDE, DESCRIPTION_OUTSIDE or 0
/// @param out   ER_OK: to be closed; otherwise all zeros
/// Errors   ER_ERROR_FILE (cannot be read; over 1 MiB), ER_ERROR_FORMAT (FILE:LINE: what is wrong), ER_ERROR_MEMORY
/// Memory   of its own until it is closed.   Threads: one call per context at a time.
er_result description_open(er_context *context, const char *path, unsigned how, open_description *out);

/// Closes it; all zeros are fine.
void description_close(open_description *s);

/// The path of the description that lies beside a model: its own with `.rig.lua` in place of its ending. Whether there
/// is such a file.
/// @param out  [size], written
bool description_find(const char *model, char *out, size_t size);

#endif
