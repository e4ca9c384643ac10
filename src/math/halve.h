/// @file
/// Private half of the math room: points halved along an axis, for trees of boxes.
#ifndef ERI_MATH_HALVE_H
#define ERI_MATH_HALVE_H

/// A thing's middle, and which thing that is.
typedef struct eri_middle {
    double at[3];
    int index;
} eri_middle;

/// Moves the `half` least of `count` along an axis (0, 1, 2) to the front; of those alike there the lesser index is
/// less (Hoare, Algorithm 65: Find, 1961).
void eri_halve(eri_middle *middle, int count, int half, int axis);

#endif
