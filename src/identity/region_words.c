// Regions by the names of bones.
#include "identity/region_words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "rig/mirror/bone_names.h"

// The first line with a word in the name counts: a finger of the left hand is no hand, the tail of a coat no tail. "="
// is before words that count only if they stand alone.
static const struct {
    er_region_kind kind;
    const char *words;
} lines[] = {
    {ER_REGION_CLOTH, "skirt =cape cloak coat cloth dress scarf ribbon =robe sleeve belt =collar =tie =hood "
                      "jacket pants =rock mantel =jupe =falda =gonna スカート リボン ネクタイ"},
    {ER_REGION_PROP, "weapon sword shield =gun rifle =axe =bow knife =hat helmet =bag backpack =prop =tool "
                     "slot =item =staff spear saddle glasses waffe schwert =arme =epee =espada =spada 武器"},
    {ER_REGION_HAIR, "hair ponytail pigtail twintail bangs =fringe braid beard =mane =haar =haare =zopf "
                     "cheveux =meche =pelo cabello capelli 髪 ツインテ"},
    {ER_REGION_FEELER, "antenna feeler whisker tentac =horn antler fühler antenne antena 触角"},
    {ER_REGION_FINGER, "finger thumb pinky pinkie index =ring =little metacarp phalan daumen zeige doigt pouce "
                       "annulaire auriculaire dedo pulgar meñique =dito pollice mignolo 親指 人指 中指 薬指 小指"},
    {ER_REGION_EAR, "=ear =ears =ohr ohren oreille oreja orecchi 耳"},
    {ER_REGION_TONGUE, "tongue zunge =langue lengua lingua 舌"},
    {ER_REGION_JAW, "jaw mandible mouth =chin beak teeth tooth kiefer =mund machoire mâchoire "
                    "bouche mandibula =boca mascella bocca 顎 あご 口"},
    {ER_REGION_FACE, "eye =brow brows nose snout muzzle =lip lips cheek =face =auge augen =nase gesicht oeil "
                     "yeux visage =ojo nariz occhio naso 目 眉"},
    {ER_REGION_NECK, "neck cervic =hals nacken =cou cuello collo =首"},
    {ER_REGION_TAIL, "tail schwanz schweif =queue =cola =rabo =coda caud 尾 しっぽ"},
    {ER_REGION_WING, "wing feather flügel fluegel =aile =ala 翼 羽"},
    {ER_REGION_FIN, "=fin =fins flipper fluke dorsal flosse nageoire aleta pinna ひれ"},
    {ER_REGION_HAND, "hand wrist palm =fist carpal poignet =mano muñeca polso 手"},
    {ER_REGION_ARM, "=arm =arms forearm upperarm lowerarm uparm shoulder shldr clavic elbow humerus scapula "
                    "oberarm unterarm schulter ellbogen =bras epaule épaule =coude brazo hombro =codo braccio "
                    "spalla gomito 腕 肩 ひじ"},
    {ER_REGION_LEG, "leg thigh =shin calf knee femur tibia coxa tarsus foot feet toe ankle hoof =paw =ball "
                    "gaskin cannon pastern =hock =bein oberschenkel unterschenkel =knie fuss fuß zeh jambe "
                    "cuisse mollet genou =pied orteil pierna muslo rodilla pantorrilla =pie gamba coscia "
                    "ginocchio piede 足 ひざ つま先"},
    {ER_REGION_HEAD, "head skull =kopf schädel =tete tête cabeza =testa 頭"},
    {ER_REGION_TRUNK, "spine chest torso pelvis =hips =body waist abdomen belly stomach =rib ribs ribcage "
                      "thorax breast =trunk lumbar =back =hip =root =rump wirbel rücken brust becken rumpf "
                      "bauch hüfte colonne bassin torse poitrine columna cadera pecho tronco schiena bacino "
                      "petto 上半身 下半身 センター 腰 胸"},
};

static bool says(const eri_name_words *name, const char *word, size_t length)
{
    char text[32];
    bool whole = *word == '=';
    memcpy(text, word + whole, length - whole);
    text[length - whole] = '\0';
    for (int i = 0; i < name->count; ++i)
        if (whole ? strcmp(name->word[i], text) == 0 : strstr(name->word[i], text) != NULL) return true;
    return false;
}

static uint64_t bit_of(char letter)
{
    return (uint64_t)1 << ((unsigned char)letter & 63);
}

// A word whose first letter is nowhere in the name is passed over.
static bool says_any(const eri_name_words *name, const char *word)
{
    uint64_t letters = 0;
    for (int i = 0; i < name->count; ++i)
        for (const char *c = name->word[i]; *c != '\0'; ++c)
            letters |= bit_of(*c);
    while (*word != '\0') {
        size_t length = 0;
        while (word[length] != ' ' && word[length] != '\0')
            ++length;
        if ((letters & bit_of(word[*word == '='])) != 0 && says(name, word, length)) return true;
        word += length + (word[length] == ' ');
    }
    return false;
}

int eri_region_of_name(const char *name)
{
    eri_name_words words;
    eri_named named = eri_read_bone_name(name);
    eri_split_name(named.twin, &words);
    for (size_t i = 0; i < ERI_COUNT(lines); ++i)
        if (says_any(&words, lines[i].words)) return (int)lines[i].kind;
    return -1;
}

const char *eri_finger_of_name(const char *name)
{
    static const char *const fingers[][2] = {
        {"thumb", "thumb daumen pouce pulgar pollice 親指"},
        {"index finger", "index zeige indice índice 人指 人差指"},
        {"middle finger", "middle mittel majeur medio 中指"},
        {"ring finger", "ring annulaire anular anulare 薬指"},
        {"little finger", "little pinky pinkie =klein auriculaire meñique mignolo 小指"}};
    eri_name_words words;
    eri_named named = eri_read_bone_name(name);
    eri_split_name(named.twin, &words);
    for (size_t i = 0; i < ERI_COUNT(fingers); ++i)
        if (says_any(&words, fingers[i][1])) return fingers[i][0];
    return "finger";
}

void eri_name_stem(const char *name, char *out, size_t size)
{
    static const char *const empty[] = {"bone",    "joint",    "node",      "part", "body",   "bip",  "def",
                                        "jnt",     "link",     "mesh",      "geo",  "object", "the",  "root",
                                        "rig",     "armature", "group",     "null", "end",    "ctrl", "skeleton",
                                        "segment", "seg",      "mixamorig", "cube", "element"};
    eri_name_words words;
    eri_named named = eri_read_bone_name(name);
    eri_split_name(named.twin, &words);
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < words.count; ++i) {
        bool says_nothing = strlen(words.word[i]) < 3;
        for (size_t k = 0; k < ERI_COUNT(empty); ++k)
            says_nothing |= strcmp(words.word[i], empty[k]) == 0;
        size_t length = strlen(words.word[i]);
        if (says_nothing || used + length + 2 > size) continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? " " : "", words.word[i]);
    }
}
