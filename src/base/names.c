// Names told apart, by a hash table in an arena.
#include "base/names.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

// Where a name is or would be, by its hash; the next slot where one is taken. There is a free slot always.
static er_name *slot_of(const er_names *names, const char *text)
{
    assert(names->count < names->room); // or the search would have no end
    size_t at = (size_t)er_hash_bytes(ER_HASH_BEGIN, text, strlen(text)) % names->room;
    while (names->slot[at].text != NULL && strcmp(names->slot[at].text, text) != 0)
        at = (at + 1) % names->room;
    return &names->slot[at];
}

er_name *er_names_find(const er_names *names, const char *text)
{
    er_name *slot = names->room > 0 ? slot_of(names, text) : NULL;
    return slot != NULL && slot->text != NULL ? slot : NULL;
}

er_result er_names_add(er_names *names, const char *text)
{
    er_result r = ER_OK;
    assert(er_names_find(names, text) == NULL);
    if (2 * names->count >= names->room) {
        er_names grown = {.arena = names->arena, .count = names->count, .room = 4 * names->room + 64};
        ER_TRY_NEW(grown.slot, names->arena, er_name, grown.room);
        for (size_t i = 0; i < names->room; ++i)
            if (names->slot[i].text != NULL) *slot_of(&grown, names->slot[i].text) = names->slot[i];
        *names = grown;
    }
    *slot_of(names, text) = (er_name){text, 1};
    ++names->count;
done:
    return r;
}

// An entry counts the names made of its own, so that thousands of equal names take no longer than others.
const char *er_names_take(er_names *names, const char *text)
{
    er_name *equal = er_names_find(names, text);
    const char *free = text;
    while (free != NULL && er_names_find(names, free) != NULL)
        free = er_arena_printf(names->arena, "%s (%d)", text, ++equal->number);
    return free != NULL && er_names_add(names, free) == ER_OK ? free : NULL;
}
