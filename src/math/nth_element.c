/// @file
/// Selection along an axis.
#include "math/nth_element.h"

#include <stdbool.h>

static bool comes_before(const eri_centroid *a, const eri_centroid *b, int axis)
{
    double x = a->at[axis], y = b->at[axis];
    return x < y || (x == y && a->index < b->index);
}

void eri_nth_element(eri_centroid *item, int count, int n, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        eri_centroid pivot = item[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (comes_before(&item[i], &pivot, axis))
                ++i;
            while (comes_before(&pivot, &item[j], axis))
                --j;
            if (i <= j) {
                eri_centroid kept = item[i];
                item[i++] = item[j];
                item[j--] = kept;
            }
        }
        if (n <= j)
            high = j;
        else if (n >= i)
            low = i;
        else
            return;
    }
}
