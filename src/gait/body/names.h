/// @file
/// Private: what names of bones say: a side, a part of the body, and which other name is the twin.
#ifndef ER_GAIT_BODY_NAMES_H
#define ER_GAIT_BODY_NAMES_H

#include <stdbool.h>

/// Parts of a body that names tell; flags.
enum {
    ER_PART_FOOT = 1 << 0,  ///< foot, hoof, paw, pes
    ER_PART_ANKLE = 1 << 1, ///< of people the foot; of animals higher up
    ER_PART_TOE = 1 << 2,
    ER_PART_LEG = 1 << 3, ///< leg, thigh, shin, knee ...
    ER_PART_ARM = 1 << 4,
    ER_PART_HAND = 1 << 5,
    ER_PART_FINGER = 1 << 6,
    ER_PART_FIN = 1 << 7,
    ER_PART_WING = 1 << 8,
    ER_PART_FEELER = 1 << 9, ///< tentacle, antenna, whisker
    ER_PART_TAIL = 1 << 10,
    ER_PART_HEAD = 1 << 11, ///< head, skull, neck
    ER_PART_FACE = 1 << 12, ///< eye, nose, jaw ...: what a head has in front
    ER_PART_EAR = 1 << 13,
    ER_PART_LOOSE = 1 << 14, ///< hair, cloth, props: no limb
    ER_PART_FRONT = 1 << 15, ///< front, fore
    ER_PART_HIND = 1 << 16,  ///< hind, rear, back

    /// What no foot is called.
    ER_PART_NO_FOOT = ER_PART_FINGER | ER_PART_FIN | ER_PART_WING | ER_PART_FEELER | ER_PART_TAIL | ER_PART_HEAD |
                      ER_PART_FACE | ER_PART_EAR | ER_PART_LOOSE
};

enum { ER_NAME_LENGTH = 96 };

/// What a name says.
typedef struct er_named {
    int side;                   ///< 1 left, -1 right, 0 neither
    unsigned parts;             ///< ER_PART_*
    char twin[ER_NAME_LENGTH];  ///< the name with * for its side: alike of twins
    char loose[ER_NAME_LENGTH]; ///< the same without a number that a converter appended: "_017"
} er_named;

/// Reads a name in the conventions of Blender, Maya, 3ds Max, Mixamo, Unreal, VRM and others.
er_named er_gait_read_name(const char *name);

/// -1 where a name says right, 1 left, 0 neither.
int er_gait_side_of_name(const char *name);

#endif
