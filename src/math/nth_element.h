/// @file
/// Private half of the math room: selection along an axis, for trees of boxes.
#ifndef ERI_MATH_NTH_ELEMENT_H
#define ERI_MATH_NTH_ELEMENT_H

/// The middle of an item, and its index.
typedef struct eri_centroid {
    double at[3];
    int index;
} eri_centroid;

/// Moves the `n` least of `count` along an axis (0, 1, 2) to the front. Equal ones are ordered by their index.
/// Source: Hoare, Algorithm 65: Find, Comm. ACM 4 (1961).
void eri_nth_element(eri_centroid *item, int count, int n, int axis);

#endif
