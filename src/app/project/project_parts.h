/// @file
/// Bodies by the names of regions and by patterns.
#ifndef ERI_APP_PROJECT_PROJECT_PARTS_H
#define ERI_APP_PROJECT_PROJECT_PARTS_H

#include <eigenrig/identity.h>

/// Finds the bodies that a list names. A word is a region or a group of regions ("tail", "left ear", "ears"), or else a
/// pattern of bodies' names with * and ?.
/// @param regions  NULL: patterns alone
/// @param option   the name of the list in messages
/// @param names    words separated by commas
/// @param hanging  bodies that hang on those found are found too
/// @param found    [body_count], written
/// Errors   ER_ERROR_ARGUMENT: a word that finds nothing (suggests the nearest name), no word at all
er_result project_find_parts(er_context *context, const er_model *model, const er_regions *regions, const char *option,
                             const char *names, bool hanging, bool *found);

#endif
