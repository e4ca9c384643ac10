/// @file
/// Arrays that grow by one item.
#ifndef ERI_APP_ENGINE_GROW_H
#define ERI_APP_ENGINE_GROW_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// Makes room for one more item; the array doubles when it is full.
/// @param array  address of the pointer to the items, which may move
/// @param room   items that fit, updated
/// @param count  items in use
/// @param size   bytes of an item
/// @return false when memory ran out: the array is as it was
static inline bool engine_grow(void *array, int *room, int count, size_t size)
{
    if (count < *room) return true;
    int more = *room < 8 ? 8 : 2 * *room;
    void *old, *grown;
    memcpy(&old, array, sizeof old);
    grown = realloc(old, (size_t)more * size);
    if (grown == NULL) return false;
    memcpy(array, &grown, sizeof grown);
    *room = more;
    return true;
}

#endif
