/// @file
/// Private: side, part of the body and twin that names of bones tell.
#ifndef ERI_RIG_MIRROR_BONE_NAMES_H
#define ERI_RIG_MIRROR_BONE_NAMES_H

#include <stdbool.h>

/// Parts of a body that names tell; flags.
enum {
    ERI_PART_FOOT = 1 << 0,  ///< foot, hoof, paw, pes
    ERI_PART_ANKLE = 1 << 1, ///< of people the foot; of animals higher up
    ERI_PART_TOE = 1 << 2,
    ERI_PART_LEG = 1 << 3, ///< leg, thigh, shin, knee ...
    ERI_PART_ARM = 1 << 4,
    ERI_PART_HAND = 1 << 5,
    ERI_PART_FINGER = 1 << 6,
    ERI_PART_FIN = 1 << 7,
    ERI_PART_WING = 1 << 8,
    ERI_PART_FEELER = 1 << 9, ///< tentacle, antenna, whisker
    ERI_PART_TAIL = 1 << 10,
    ERI_PART_HEAD = 1 << 11, ///< head, skull, neck
    ERI_PART_FACE = 1 << 12, ///< eye, nose, jaw ...: what a head has in front
    ERI_PART_EAR = 1 << 13,
    ERI_PART_LOOSE = 1 << 14, ///< hair, cloth, props: no limb
    ERI_PART_FRONT = 1 << 15, ///< front, fore
    ERI_PART_HIND = 1 << 16,  ///< hind, rear, back

    /// Words that no foot is called by.
    ERI_PART_NO_FOOT = ERI_PART_FINGER | ERI_PART_FIN | ERI_PART_WING | ERI_PART_FEELER | ERI_PART_TAIL |
                       ERI_PART_HEAD | ERI_PART_FACE | ERI_PART_EAR | ERI_PART_LOOSE
};

enum { ERI_NAME_LENGTH = 96 };

/// Side and parts that a name tells.
typedef struct eri_named {
    int side;                    ///< 1 left, -1 right, 0 neither
    unsigned parts;              ///< ERI_PART_*
    char twin[ERI_NAME_LENGTH];  ///< the name with * for its side: alike of twins
    char loose[ERI_NAME_LENGTH]; ///< the same without a number that a converter appended: "_017"
} eri_named;

enum { ERI_NAME_WORDS = 16 };

/// The words of a name, in lower case.
typedef struct eri_name_words {
    int count;
    char text[ERI_NAME_LENGTH]; ///< words ended by zeros
    const char *word[ERI_NAME_WORDS];
    char joined[ERI_NAME_LENGTH];
} eri_name_words;

/// Takes a name apart where its case, its digits or its separators change.
/// @param out  written; it points into itself, so it must stay where it is
void eri_split_name(const char *name, eri_name_words *out);

/// Reads a name in the conventions of Blender, Maya, 3ds Max, Mixamo, Unreal, VRM and others.
eri_named eri_read_bone_name(const char *name);

#endif
