// Linkages whose mobility textbooks tell, most of them against Gruebler's count, for tests of loops.
#ifndef TESTS_SUPPORT_LINKAGES_H
#define TESTS_SUPPORT_LINKAGES_H

#include "judge.h"

typedef struct linkage {
    const char *name;
    void (*build)(rig *r, dice *d); // anywhere in space, of random proportions; every joint has a spring
    int rigid;                      // motions as one: 6 where nothing ties it to the world
    int mobility;                   // of the joints
    int redundant;                  // constraints that follow from others
    const char *rows;               // these, "joint: axes, ..."; NULL where geometry leaves it open
} linkage;

enum { LINKAGE_COUNT = 14 };
extern const linkage linkages[LINKAGE_COUNT];

// Two routes name the same redundant constraints.
void expect_same_rows(const er_modes *a, const er_modes *b);

// As `rows` writes them.
void write_rows(char text[1024], const er_redundant_row *row, int count);

#endif
