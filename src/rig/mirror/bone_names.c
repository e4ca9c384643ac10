// Reads sides and parts from the names of bones. A name is split into words where its case, its digits or its
// separators change: "mixamorig:LeftUpLeg", "Bip01 L Thigh", "b_RightFoot02_022", "DEF-shin.R.001", "lShldr", "hand_l".
#include "rig/mirror/bone_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/letters.h"

typedef enum match {
    WITHIN, // anywhere in a word
    AHEAD,  // at a word's beginning: rearleg, but not forearm
    WHOLE,  // the whole word
    ALONE,  // the only word beside the side
    JOINED  // anywhere in all words, as one
} word_match;

static const struct {
    const char *word;
    word_match how;
    unsigned part;
} dictionary[] = {
    {"foot", WITHIN, ERI_PART_FOOT},       {"feet", WITHIN, ERI_PART_FOOT},      {"hoof", WITHIN, ERI_PART_FOOT},
    {"hooves", WITHIN, ERI_PART_FOOT},     {"paw", WITHIN, ERI_PART_FOOT},       {"pes", WHOLE, ERI_PART_FOOT},
    {"fuss", WHOLE, ERI_PART_FOOT},        {"fuß", WHOLE, ERI_PART_FOOT},        {"ankle", WITHIN, ERI_PART_ANKLE},
    {"足首", WITHIN, ERI_PART_ANKLE},      {"toe", WITHIN, ERI_PART_TOE},        {"つま先", WITHIN, ERI_PART_TOE},
    {"ball", ALONE, ERI_PART_TOE},         {"leg", WITHIN, ERI_PART_LEG},        {"thigh", WITHIN, ERI_PART_LEG},
    {"shin", WITHIN, ERI_PART_LEG},        {"calf", WITHIN, ERI_PART_LEG},       {"knee", WITHIN, ERI_PART_LEG},
    {"femur", WITHIN, ERI_PART_LEG},       {"tibia", WITHIN, ERI_PART_LEG},      {"tarsus", WITHIN, ERI_PART_LEG},
    {"coxa", WITHIN, ERI_PART_LEG},        {"gaskin", WITHIN, ERI_PART_LEG},     {"cannon", WITHIN, ERI_PART_LEG},
    {"pastern", WITHIN, ERI_PART_LEG},     {"hock", WHOLE, ERI_PART_LEG},        {"hip", WHOLE, ERI_PART_LEG},
    {"足", WHOLE, ERI_PART_LEG},           {"ひざ", WITHIN, ERI_PART_LEG},       {"arm", WHOLE, ERI_PART_ARM},
    {"forearm", WITHIN, ERI_PART_ARM},     {"upperarm", WITHIN, ERI_PART_ARM},   {"lowerarm", WITHIN, ERI_PART_ARM},
    {"shoulder", WITHIN, ERI_PART_ARM},    {"shldr", WITHIN, ERI_PART_ARM},      {"clavic", WITHIN, ERI_PART_ARM},
    {"collar", WITHIN, ERI_PART_ARM},      {"elbow", WITHIN, ERI_PART_ARM},      {"humerus", WITHIN, ERI_PART_ARM},
    {"hand", WITHIN, ERI_PART_HAND},       {"wrist", WITHIN, ERI_PART_HAND},     {"palm", WITHIN, ERI_PART_HAND},
    {"fist", WITHIN, ERI_PART_HAND},       {"finger", WITHIN, ERI_PART_FINGER},  {"thumb", WITHIN, ERI_PART_FINGER},
    {"pinky", WITHIN, ERI_PART_FINGER},    {"index", WITHIN, ERI_PART_FINGER},   {"ring", WHOLE, ERI_PART_FINGER},
    {"metacarp", WITHIN, ERI_PART_FINGER}, {"fin", WHOLE, ERI_PART_FIN},         {"fins", WHOLE, ERI_PART_FIN},
    {"flipper", WITHIN, ERI_PART_FIN},     {"fluke", WITHIN, ERI_PART_FIN},      {"wing", WITHIN, ERI_PART_WING},
    {"feather", WITHIN, ERI_PART_WING},    {"tentac", WITHIN, ERI_PART_FEELER},  {"antenna", WITHIN, ERI_PART_FEELER},
    {"feeler", WITHIN, ERI_PART_FEELER},   {"whisker", WITHIN, ERI_PART_FEELER}, {"tail", WITHIN, ERI_PART_TAIL},
    {"head", WITHIN, ERI_PART_HEAD},       {"skull", WITHIN, ERI_PART_HEAD},     {"neck", WITHIN, ERI_PART_HEAD},
    {"eye", WITHIN, ERI_PART_FACE},        {"nose", WITHIN, ERI_PART_FACE},      {"beak", WITHIN, ERI_PART_FACE},
    {"snout", WITHIN, ERI_PART_FACE},      {"muzzle", WITHIN, ERI_PART_FACE},    {"jaw", WITHIN, ERI_PART_FACE},
    {"mouth", WITHIN, ERI_PART_FACE},      {"tongue", WITHIN, ERI_PART_FACE},    {"teeth", WITHIN, ERI_PART_FACE},
    {"tooth", WITHIN, ERI_PART_FACE},      {"mandible", WITHIN, ERI_PART_FACE},  {"brow", WITHIN, ERI_PART_FACE},
    {"chin", WHOLE, ERI_PART_FACE},        {"face", WHOLE, ERI_PART_FACE},       {"lip", WHOLE, ERI_PART_FACE},
    {"beard", WITHIN, ERI_PART_FACE},      {"ear", WHOLE, ERI_PART_EAR},         {"ears", WHOLE, ERI_PART_EAR},
    {"hair", WITHIN, ERI_PART_LOOSE},      {"ponytail", WITHIN, ERI_PART_LOOSE}, {"pigtail", WITHIN, ERI_PART_LOOSE},
    {"skirt", WITHIN, ERI_PART_LOOSE},     {"cape", WHOLE, ERI_PART_LOOSE},      {"cloak", WITHIN, ERI_PART_LOOSE},
    {"coat", WITHIN, ERI_PART_LOOSE},      {"cloth", WITHIN, ERI_PART_LOOSE},    {"dress", WITHIN, ERI_PART_LOOSE},
    {"scarf", WITHIN, ERI_PART_LOOSE},     {"ribbon", WITHIN, ERI_PART_LOOSE},   {"slot", WITHIN, ERI_PART_LOOSE},
    {"weapon", WITHIN, ERI_PART_LOOSE},    {"sword", WITHIN, ERI_PART_LOOSE},    {"shield", WITHIN, ERI_PART_LOOSE},
    {"gun", WHOLE, ERI_PART_LOOSE},        {"front", WITHIN, ERI_PART_FRONT},    {"forelimb", JOINED, ERI_PART_FRONT},
    {"foreleg", JOINED, ERI_PART_FRONT},   {"forefoot", JOINED, ERI_PART_FRONT}, {"forepaw", JOINED, ERI_PART_FRONT},
    {"hind", WITHIN, ERI_PART_HIND},       {"rear", AHEAD, ERI_PART_HIND},       {"back", WHOLE, ERI_PART_HIND},
};

// --- words

static bool is_letter(char c)
{
    return eri_is_letter(c) || (unsigned char)c >= 0x80;
}

// Where a word begins inside of a run of letters: fooT|Bar, L|Hip.
static bool begins_word(const char *name, size_t i)
{
    bool capital = eri_is_upper(name[i]);
    return capital && (!eri_is_upper(name[i - 1]) || eri_is_lower(name[i + 1]));
}

void eri_split_name(const char *name, eri_name_words *out)
{
    size_t used = 0;
    *out = (eri_name_words){0};
    for (size_t i = 0; name[i] != '\0' && used + 2 < sizeof out->text; ++i) {
        bool letter = is_letter(name[i]), inside = i > 0 && is_letter(name[i - 1]);
        if (letter && inside && begins_word(name, i)) inside = false;
        if (!inside && used > 0 && out->text[used - 1] != '\0') ++used; // over the zero that ends the word before
        if (!letter) continue;
        if (!inside && out->count == ERI_NAME_WORDS) break;
        if (!inside) out->word[out->count++] = out->text + used;
        out->text[used++] = eri_lower(name[i]);
    }
    for (int i = 0; i < out->count; ++i)
        strcat(out->joined, out->word[i]);
}

// FBX Converter writes what it takes for no letter as its code: FBXASC046 is a dot.
static void decode(const char *name, char out[ERI_NAME_LENGTH])
{
    static const char sign[] = "FBXASC";
    size_t used = 0;
    for (size_t i = 0; name[i] != '\0' && used + 1 < ERI_NAME_LENGTH; ++i) {
        const char *code = name + i + sizeof sign - 1;
        bool coded = strncmp(name + i, sign, sizeof sign - 1) == 0 && eri_is_digit(code[0]) && eri_is_digit(code[1]) &&
                     eri_is_digit(code[2]);
        int letter = coded ? 100 * (code[0] - '0') + 10 * (code[1] - '0') + code[2] - '0' : 0;
        bool printed = letter >= ' ' && letter < 127;
        out[used++] = printed ? (char)letter : name[i];
        if (printed) i += sizeof sign + 1;
    }
    out[used] = '\0';
}

// --- sides

typedef struct marker {
    int side;
    size_t at, length;
} marker;

static marker find_word(const char *name)
{
    static const struct {
        const char *word;
        int side;
    } known[] = {{"left", 1}, {"right", -1}, {"links", 1}, {"rechts", -1}, {"左", 1}, {"右", -1}};
    for (size_t i = 0; name[i] != '\0'; ++i)
        for (size_t k = 0; k < ERI_COUNT(known); ++k)
            if (eri_same_start(name + i, known[k].word, strlen(known[k].word)))
                return (marker){known[k].side, i, strlen(known[k].word)};
    return (marker){0};
}

static bool is_part(const char *word, size_t length)
{
    for (size_t k = 0; k < ERI_COUNT(dictionary); ++k)
        if (dictionary[k].part != ERI_PART_EAR && strlen(dictionary[k].word) == length &&
            eri_same_start(word, dictionary[k].word, length))
            return true;
    return false;
}

static bool is_sign(char c)
{
    return eri_is_letter(c) || eri_is_digit(c);
}

// A letter by itself, as in leg_L_2 or Foot.R; a capital at a word's end or start, FootR, LHip, lShldr; or one beside a
// word for a part: lhand.
static marker find_letter(const char *name)
{
    for (size_t i = 0; name[i] != '\0'; ++i) {
        char c = eri_lower(name[i]), after = name[i + 1];
        if (c != 'l' && c != 'r') continue;
        bool first = i == 0 || !is_sign(name[i - 1]), last = !is_sign(after);
        bool ends = last && eri_is_upper(name[i]) && i > 0 && eri_is_lower(name[i - 1]);
        bool starts = first && eri_is_upper(after) && eri_is_lower(name[i + 2]);
        size_t run = strspn(name + i + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool beside = first && run > 0 && is_part(name + i + 1, run);
        if ((first && last) || ends || starts || beside) return (marker){c == 'l' ? 1 : -1, i, 1};
    }
    return (marker){0};
}

static marker find_side(const char *name)
{
    marker word = find_word(name);
    return word.side != 0 ? word : find_letter(name);
}

// --- the whole

static unsigned part_of(const eri_name_words *w)
{
    unsigned parts = 0;
    for (size_t k = 0; k < ERI_COUNT(dictionary); ++k)
        for (int i = 0; i < w->count; ++i) {
            const char *word = w->word[i], *at = strstr(word, dictionary[k].word);
            bool whole = strcmp(word, dictionary[k].word) == 0;
            bool says = dictionary[k].how == WITHIN  ? at != NULL
                        : dictionary[k].how == AHEAD ? at == word
                        : dictionary[k].how == WHOLE ? whole
                        : dictionary[k].how == ALONE ? whole && w->count == 1
                                                     : strstr(w->joined, dictionary[k].word) != NULL;
            if (says) parts |= dictionary[k].part;
        }
    return parts;
}

eri_named eri_read_bone_name(const char *name)
{
    eri_named out = {0};
    char plain[ERI_NAME_LENGTH];
    eri_name_words w;
    decode(name, plain);
    marker side = find_side(plain);
    out.side = side.side;
    if (snprintf(out.twin, sizeof out.twin, "%.*s*%s", (int)side.at, plain, plain + side.at + side.length) < 0)
        out.twin[0] = '\0';
    eri_split_name(out.twin, &w);
    out.parts = part_of(&w);
    memcpy(out.loose, out.twin, sizeof out.loose);
    char *number = strrchr(out.loose, '_');
    if (number != NULL && number[1] != '\0' && strspn(number + 1, "0123456789") == strlen(number + 1)) *number = '\0';
    return out;
}
