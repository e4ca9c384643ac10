/// @file
/// How a model becomes a rig: the settings that a description, a command line or a script may give.
#ifndef ERI_APP_SETTINGS_RIG_SETTINGS_H
#define ERI_APP_SETTINGS_RIG_SETTINGS_H

#include <eigenrig/rig.h>

#include "app/settings/setting.h"

/// Which settings were given: bits.
enum {
    GIVEN_ROOT = 1,
    GIVEN_JOINTS = 2, ///< the rule for all
    GIVEN_STIFFNESS = 4,
    GIVEN_DAMPING = 8,
    GIVEN_RAYLEIGH = 16,
    GIVEN_DENSITY = 32,
    GIVEN_MASS = 64,
    GIVEN_HEIGHT = 128,
    GIVEN_POSE = 256,
    GIVEN_SKELETON = 512,
    GIVEN_INFER = 1024,
    GIVEN_PROPS = 2048,
    GIVEN_HANG = 4096,
    GIVEN_FEET = 8192,
    GIVEN_FORWARD = 16384,
    GIVEN_PLANT = 32768,
    GIVEN_SYMMETRIZE = 65536,
    GIVEN_CHARACTER = 131072,
    GIVEN_TUNE = 262144 ///< the last
};

/// The row of a setting, placed in er_rig_def; SETTING_OTHER where it fills more than one field.
/// @param bit  one of the above   Memory: static.
const setting *rig_setting(unsigned bit);

/// Its name in a description.
const char *rig_setting_key(unsigned bit);

/// Where a body is at equilibrium. A body that is not placed moves with its parent, which is placed first.
typedef struct rig_place {
    const char *name;    ///< of the body; NULL: `body` is its index
    int body;            ///< its index; -1: `name` is its name
    bool at, faces;      ///< whether `position` and `orientation` are given
    er_vec3 position;    ///< of its frame, m, world
    bool optional;       ///< no error where there is no such body
    er_quat orientation; ///< of its frame, world
    er_vec3 turn;        ///< rotation vector about its origin, world axes, rad, applied last; 0: none
} rig_place;

/// All settings of a rig.
typedef struct rig_settings {
    unsigned given; ///< bits of the above
    bool optional;  ///< names that the model lacks are no error, unless an entry says otherwise
    er_rig_def rig;
    char clip[256];         ///< of a pose "CLIP@SECONDS"; rig.pose_clip points to it
    const char *pose_file;  ///< for ER_POSE_GIVEN: its path; NULL: places
    const char *pose_in;    ///< the description that names the file; NULL: a person did, who may name any file
    const char *pose_named; ///< the file's name as it stands there
    int place_count;        ///< for ER_POSE_GIVEN; 0: a file
    const rig_place *place; ///< [place_count]
    const char *feet;       ///< patterns of bodies that are feet, separated by commas; NULL: found by shape
    const char *plant;      ///< patterns of bodies that mixes keep fixed, separated by commas; NULL
    er_vec3 forward;        ///< which way the body faces; zero: found by shape
    const char *tune;       ///< frequencies of modes, for rig_settings_next_aim(); NULL: none
    er_rig_change change;   ///< single joints and bodies, welds, twins, loops; the law and what `rig` holds stay out
    er_joint_change *joint; ///< change.joint; density in kg/m^3 until rig_settings_set_densities(), 1 for none
    er_body_change *body;   ///< change.body, likewise
} rig_settings;

enum { RIG_AIM_NAME = 160 }; ///< bytes of the longest name of a mode, and a zero

/// A frequency that a mode is to have.
typedef struct rig_aim {
    char name[RIG_AIM_NAME]; ///< of the mode, or its index in digits
    double hz;
    bool at_least; ///< "2+": a higher frequency will do too
} rig_aim;

/// Reads the next aim of a text such as "tail sways:1.2,trunk:2+" and moves the text behind it. A name reaches to the
/// colon, so it may hold commas.
/// @return whether it is one
bool rig_settings_next_aim(const char **text, rig_aim *out);

/// Whether a text holds one aim or more, and nothing else.
bool rig_settings_are_aims(const char *text);

/// Nothing given, the library's defaults.
rig_settings rig_settings_default(void);

/// Turns the densities of single joints and bodies into factors: once, before `change` is used.
/// @param density  kg/m^3 of the rig; 0 where it is unknown: densities of single bodies are then refused
/// Errors   ER_ERROR_ARGUMENT
er_result rig_settings_set_densities(er_context *context, rig_settings *s, double density);

/// All settings as a change of a rig that exists already.
/// @param density  as above
/// @param out      borrows from `s`; written on ER_OK
/// Errors   ER_ERROR_ARGUMENT (a setting that only building a rig can use).   Memory: none.
er_result rig_settings_change(er_context *context, rig_settings *s, double density, er_rig_change *out);

/// The given settings of a def that can change an existing rig, over its `change`.
/// @param given  bits of the above   @return borrows from the def.   Memory: none.
er_rig_change rig_settings_given_changes(unsigned given, const er_rig_def *rig);

#endif
