// Names that every reader takes for one name of one joint.
#include <string.h>

#include "base/names.h"
#include "formats/bvh/bvh_skeleton.h"

// Readers split a line at spaces, and join the words by one "_" or one space: names that differ in these alone are one.
static char *folded(er_arena *arena, const char *name)
{
    char *key = eri_arena_string(arena, name), *to = key;
    if (key == NULL) return NULL;
    for (const char *c = name; *c != '\0'; ++c)
        if (*c != ' ' || c[1] != ' ') *to++ = *c == ' ' ? '_' : *c;
    *to = '\0';
    return key;
}

static er_result number(eri_names *taken, const char *key, const char **name)
{
    er_result r = ER_OK;
    const char *base = *name;
    eri_name *equal = eri_names_find(taken, key);
    while (eri_names_find(taken, key) != NULL) {
        *name = eri_arena_printf(taken->arena, "%s_%d", base, ++equal->number);
        key = *name != NULL ? folded(taken->arena, *name) : NULL;
        if (key == NULL) return ER_ERROR_MEMORY;
    }
    ERI_TRY(eri_names_add(taken, key));
done:
    return r;
}

// Replaces control characters (C0, C1) and braces, which break the file's lines and blocks. Readers drop outer spaces.
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

static const char *own_name(er_arena *arena, const er_scene *scene, const eri_bvh_joint *joint)
{
    char *name = eri_arena_string(arena, joint->node < 0 ? "root" : scene->node[joint->node].name);
    if (name == NULL) return NULL;
    clean(name);
    return *name != '\0' ? name : eri_arena_printf(arena, "joint %d", joint->node);
}

// The first joint of a name keeps it.
er_result eri_bvh_name_joints(er_arena *arena, const er_scene *scene, eri_bvh_skeleton *skeleton)
{
    er_result r = ER_OK;
    eri_names taken = {.arena = arena};
    const char **again; // the key of what another joint is called, NULL otherwise
    ERI_TRY_NEW(again, arena, const char *, skeleton->count);
    for (int j = 0; j < skeleton->count; ++j) {
        eri_bvh_joint *joint = &skeleton->joint[j];
        if (joint->is_end) continue;
        joint->name = own_name(arena, scene, joint);
        const char *key = joint->name != NULL ? folded(arena, joint->name) : NULL;
        if (key == NULL) ERI_TRY(ER_ERROR_MEMORY);
        if (eri_names_find(&taken, key) != NULL)
            again[j] = key;
        else
            ERI_TRY(eri_names_add(&taken, key));
    }
    for (int j = 0; j < skeleton->count; ++j)
        if (again[j] != NULL) ERI_TRY(number(&taken, again[j], &skeleton->joint[j].name));
done:
    return r;
}
