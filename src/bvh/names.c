// Names that every reader takes for one name of one joint.
#include <string.h>

#include "bvh/skeleton.h"

// A name that is taken; `last` of the numbers put behind it.
typedef struct entry {
    const char *name;
    unsigned last;
} entry;

typedef struct name_table {
    er_arena *arena;
    entry *slot; // [size], open addressing
    size_t size; // a power of two, more than twice the names
} name_table;

// Readers split a line at spaces, and join the words by one "_" or one space.
static char folded(const char **at)
{
    char c = **at;
    if (c == '\0') return c;
    while (c == ' ' && (*at)[1] == ' ')
        ++*at;
    ++*at;
    return c == ' ' ? '_' : c;
}

static bool same(const char *a, const char *b)
{
    char x, y;
    do {
        x = folded(&a);
        y = folded(&b);
    } while (x == y && x != '\0');
    return x == y;
}

// FNV-1a (Fowler, Noll, Vo), 64 bits.
static size_t hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (char c = folded(&name); c != '\0'; c = folded(&name))
        h = (h ^ (unsigned char)c) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static entry *find(const name_table *t, const char *name)
{
    size_t at = hash(name) & (t->size - 1);
    while (t->slot[at].name != NULL && !same(t->slot[at].name, name))
        at = (at + 1) & (t->size - 1);
    return &t->slot[at];
}

// The first joint of a name keeps it.
static bool claim(const name_table *t, const char *name)
{
    entry *slot = find(t, name);
    bool free = slot->name == NULL;
    if (free) slot->name = name;
    return free;
}

static er_result number(const name_table *t, const char **name)
{
    entry *first = find(t, *name);
    const char *base = *name;
    while (!claim(t, *name)) {
        first->last = first->last == 0 ? 2 : first->last + 1;
        *name = er_arena_printf(t->arena, "%s_%u", base, first->last);
        if (*name == NULL) return ER_ERROR_MEMORY;
    }
    return ER_OK;
}

// What breaks a line, a word or a block of the file: C0 and C1 controls, braces. Spaces at the ends are lost anyway.
static void clean(char *name)
{
    char *to = name;
    for (const char *c = name + strspn(name, " "); *c != '\0'; ++c) {
        unsigned char byte = (unsigned char)*c;
        bool wide_control = byte == 0xC2 && (unsigned char)c[1] < 0xA0;
        if (wide_control) ++c;
        *to++ = (char)(byte < ' ' || byte == 0x7F || wide_control || byte == '{' || byte == '}' ? '_' : byte);
    }
    while (to > name && to[-1] == ' ')
        --to;
    *to = '\0';
}

static const char *own_name(er_arena *arena, const er_scene *scene, const er_bvh_joint *joint)
{
    char *name = er_arena_string(arena, joint->node < 0 ? "root" : scene->node[joint->node].name);
    if (name == NULL) return NULL;
    clean(name);
    return *name != '\0' ? name : er_arena_printf(arena, "joint %d", joint->node);
}

er_result er_bvh_name_joints(er_arena *arena, const er_scene *scene, er_bvh_skeleton *skeleton)
{
    er_result r = ER_OK;
    name_table t = {arena, NULL, 1};
    bool *named;
    while (t.size < 2 * (size_t)skeleton->count + 1)
        t.size *= 2;
    ER_TRY_NEW(t.slot, arena, entry, t.size);
    ER_TRY_NEW(named, arena, bool, skeleton->count);
    for (int j = 0; j < skeleton->count; ++j) {
        er_bvh_joint *joint = &skeleton->joint[j];
        if (joint->is_end) continue;
        joint->name = own_name(arena, scene, joint);
        if (joint->name == NULL) ER_TRY(ER_ERROR_MEMORY);
        named[j] = claim(&t, joint->name);
    }
    for (int j = 0; j < skeleton->count; ++j)
        if (!skeleton->joint[j].is_end && !named[j]) ER_TRY(number(&t, &skeleton->joint[j].name));
done:
    return r;
}
