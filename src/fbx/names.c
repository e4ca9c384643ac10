#include "fbx/names.h"

#include <string.h>

// A name, and the number that its next namesake tries first.
typedef struct er_fbx_name {
    const char *text;
    int next;
} er_fbx_name;

// Where a name is, or would be.
static er_fbx_name **find(const er_fbx_names *names, const char *text)
{
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char *c = text; *c != '\0'; ++c)
        hash = (hash ^ (uint8_t)*c) * 1099511628211u;
    size_t i = hash & (names->slot_count - 1);
    while (names->slot[i] != NULL && strcmp(names->slot[i]->text, text) != 0)
        i = (i + 1) & (names->slot_count - 1);
    return &names->slot[i];
}

static bool make_room(er_fbx_names *names)
{
    if (2 * (names->used + 1) <= names->slot_count) return true;
    er_fbx_names wider = {names->arena, NULL, names->slot_count > 0 ? 2 * names->slot_count : 64, names->used};
    wider.slot = ER_NEW(names->arena, er_fbx_name *, wider.slot_count);
    if (wider.slot == NULL) return false;
    for (size_t i = 0; i < names->slot_count; ++i)
        if (names->slot[i] != NULL) *find(&wider, names->slot[i]->text) = names->slot[i];
    *names = wider;
    return true;
}

const char *er_fbx_take_name(er_fbx_names *names, const char *name)
{
    if (!make_room(names)) return NULL;
    er_fbx_name *equal = *find(names, name);
    const char *text = equal == NULL ? er_arena_string(names->arena, name) : name;
    while (text != NULL && *find(names, text) != NULL)
        text = er_arena_printf(names->arena, "%s (%d)", name, equal->next++);
    er_fbx_name *taken = text != NULL ? ER_NEW(names->arena, er_fbx_name, 1) : NULL;
    if (taken == NULL) return NULL;
    *taken = (er_fbx_name){text, 2};
    *find(names, text) = taken;
    ++names->used;
    return text;
}
