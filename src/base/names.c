// Names told apart, by a hash table in an arena.
#include "base/names.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

// The slot of a name, or the free one that it would take. There is always a free slot.
static eri_name *slot_of(const eri_names *names, const char *text)
{
    assert(names->count < names->room); // or the search would have no end
    size_t at = (size_t)eri_hash_bytes(ERI_HASH_BEGIN, text, strlen(text)) % names->room;
    while (names->slot[at].text != NULL && strcmp(names->slot[at].text, text) != 0)
        at = (at + 1) % names->room;
    return &names->slot[at];
}

eri_name *eri_names_find(const eri_names *names, const char *text)
{
    eri_name *slot = names->room > 0 ? slot_of(names, text) : NULL;
    return slot != NULL && slot->text != NULL ? slot : NULL;
}

er_result eri_names_add(eri_names *names, const char *text)
{
    er_result r = ER_OK;
    assert(eri_names_find(names, text) == NULL);
    if (2 * names->count >= names->room) {
        eri_names grown = {.arena = names->arena, .count = names->count, .room = 4 * names->room + 64};
        ERI_TRY_NEW(grown.slot, names->arena, eri_name, grown.room);
        for (size_t i = 0; i < names->room; ++i)
            if (names->slot[i].text != NULL) *slot_of(&grown, names->slot[i].text) = names->slot[i];
        *names = grown;
    }
    *slot_of(names, text) = (eri_name){text, 1};
    ++names->count;
done:
    return r;
}

// An entry counts the names made of its own, so that thousands of equal names take no longer than others.
const char *eri_names_take(eri_names *names, const char *text)
{
    eri_name *equal = eri_names_find(names, text);
    const char *free = text;
    while (free != NULL && eri_names_find(names, free) != NULL)
        free = eri_arena_printf(names->arena, "%s (%d)", text, ++equal->number);
    return free != NULL && eri_names_add(names, free) == ER_OK ? free : NULL;
}
