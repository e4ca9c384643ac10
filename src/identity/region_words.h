/// @file
/// Private: the region that a bone's name tells.
#ifndef ERI_IDENTITY_REGION_WORDS_H
#define ERI_IDENTITY_REGION_WORDS_H

#include <eigenrig/identity.h>

/// The kind of region that the words of a name tell, or -1. Words are English, German, French, Spanish, Italian and
/// Japanese, in the conventions of rigs.
int eri_region_of_name(const char *name);

/// The finger that the words of a name tell: "thumb", "index finger", "middle finger", "ring finger", "little finger";
/// "finger" if they tell none.   Memory: static.
const char *eri_finger_of_name(const char *name);

/// A name without its side, its number and words that say nothing, such as "bone" or "joint": "wheel" of "Wheel.L.001".
/// @param out  [size], written
void eri_name_stem(const char *name, char *out, size_t size);

#endif
