// The table of joint types.
#include "model/joint/joint_kind.h"

#include <string.h>

// clang-format off
#define KINDS(KIND)                                                                 \
    KIND(ER_JOINT_REVOLUTE,       "revolute",       about_z, 1, {2})                \
    KIND(ER_JOINT_UNIVERSAL,      "universal",      cardan,  2, {0, 1})             \
    KIND(ER_JOINT_SPHERICAL,      "spherical",      freely,  3, {0, 1, 2})          \
    KIND(ER_JOINT_PRISMATIC,      "prismatic",      not,     1, {5})                \
    KIND(ER_JOINT_CYLINDRICAL,    "cylindrical",    about_z, 2, {2, 5})             \
    KIND(ER_JOINT_PLANAR,         "planar",         about_z, 3, {2, 3, 4})          \
    KIND(ER_JOINT_POINT_ON_PLANE, "point_on_plane", freely,  5, {0, 1, 2, 3, 4})    \
    KIND(ER_JOINT_FIXED,          "fixed",          not,     0, {0})                \
    KIND(ER_JOINT_FREE,           "free",           freely,  6, {0, 1, 2, 3, 4, 5}) \
    KIND(ER_JOINT_SCREW,          "screw",          about_z, 1, {2})
// clang-format on

#define ENTRY(type, name, turns, ...) [type] = {name, &eri_turns_##turns, __VA_ARGS__},
const eri_joint_kind eri_joint_kinds[ER_JOINT_TYPE_COUNT] = {KINDS(ENTRY)};

int er_joint_type_freedom(er_joint_type type, int *free_coordinate)
{
    if ((unsigned)type >= ER_JOINT_TYPE_COUNT) return 0;
    int count = eri_joint_kinds[type].freedom;
    if (free_coordinate != NULL) memcpy(free_coordinate, eri_joint_kinds[type].axis, (size_t)count * sizeof(int));
    return count;
}

const char *er_joint_type_name(er_joint_type type)
{
    return (unsigned)type < ER_JOINT_TYPE_COUNT ? eri_joint_kinds[type].name : "unknown";
}

int er_joint_type_find(const char *name)
{
    for (int t = 0; name != NULL && t < ER_JOINT_TYPE_COUNT; ++t)
        if (strcmp(name, eri_joint_kinds[t].name) == 0) return t;
    return -1;
}

const char *er_joint_type_list(void)
{
#define NAME(type, name, ...) ", " name
    static const char names[] = KINDS(NAME);
    return names + 2;
}
