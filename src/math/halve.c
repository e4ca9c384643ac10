/// @file
/// Points halved along an axis.
#include "math/halve.h"

#include <stdbool.h>

static bool comes_before(const eri_middle *a, const eri_middle *b, int axis)
{
    double x = a->at[axis], y = b->at[axis];
    return x < y || (x == y && a->index < b->index);
}

void eri_halve(eri_middle *middle, int count, int half, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        eri_middle pivot = middle[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (comes_before(&middle[i], &pivot, axis))
                ++i;
            while (comes_before(&pivot, &middle[j], axis))
                --j;
            if (i <= j) {
                eri_middle kept = middle[i];
                middle[i++] = middle[j];
                middle[j--] = kept;
            }
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}
