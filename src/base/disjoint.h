/// @file
/// Private: disjoint sets of indices, by union and find. `set[i]` is another member of i's set, or i for the one member
/// that stands for all. Join two sets by set[eri_set_find(set, a)] = eri_set_find(set, b).
#ifndef ERI_BASE_DISJOINT_H
#define ERI_BASE_DISJOINT_H

/// The member that stands for i's set. Shortens the way there (path halving).
static inline int eri_set_find(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

#endif
