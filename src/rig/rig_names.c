// The meaning of bone names, by the conventions of common rigs. Used where nothing else decides.
#include <string.h>

#include "base/letters.h"
#include "rig/build.h"

// Whether a list has a word of a name. Words are split at capitals and at characters that are no letters.
static bool has_word(const char *name, const char *const *words)
{
    for (const char *at = name; *at != '\0';) {
        size_t n = 0;
        while (eri_is_letter(at[n]) && (n == 0 || !eri_is_upper(at[n]) || eri_is_upper(at[n - 1])))
            ++n;
        for (int k = 0; words[k] != NULL; ++k)
            if (strlen(words[k]) == n && eri_same_start(at, words[k], n)) return true;
        at += n > 0 ? n : 1;
    }
    return false;
}

static bool has_part(const char *name, const char *const *parts)
{
    for (int k = 0; parts[k] != NULL; ++k)
        for (const char *at = name; *at != '\0'; ++at)
            if (eri_same_start(at, parts[k], strlen(parts[k]))) return true;
    return false;
}

bool eri_rig_names_socket(const char *name, bool hands)
{
    static const char *const parts[] = {"slot", "socket", "weapon", "attach", "holster", NULL};
    static const char *const words[] = {"prop", "props", "item", "equip", "tool", NULL};
    return has_part(name, parts) || (hands && has_word(name, words));
}

bool eri_rig_names_hand(const char *name)
{
    static const char *const parts[] = {"hand", "fist", "wrist", "palm", "finger", "thumb", "pinky", NULL};
    static const char *const words[] = {"index", "middle", "ring", NULL};
    return has_part(name, parts) || has_word(name, words);
}

bool eri_rig_names_side(const char *name)
{
    static const char *const words[] = {"l", "r", "left", "right", NULL};
    return has_word(name, words);
}

// Rigify (ORG-, MCH-, WGT-, tweak_), Unreal (ik_), 3ds Max's Biped (Footsteps), Maya (ctrl, grp), Quaternius (IK,
// PoleTarget).
bool eri_rig_names_control(const char *name)
{
    static const char *const words[] = {"ik",     "org",     "mch",        "wgt",       "vis",  "tweak",
                                        "ctrl",   "ctl",     "control",    "grp",       "pole", "aim",
                                        "target", "locator", "controller", "footsteps", NULL};
    return has_word(name, words);
}

bool eri_rig_names_deforming(const char *name)
{
    return strncmp(name, "DEF-", 4) == 0 || strncmp(name, "DEF_", 4) == 0;
}
