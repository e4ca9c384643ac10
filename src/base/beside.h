/// @file
/// Private: files in the folder of the running program.
#ifndef ERI_BASE_BESIDE_H
#define ERI_BASE_BESIDE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/platform.h"

/// Writes the path of a file in the folder of the running program, whether the file exists or not.
/// @param name  a file name, or a path relative to that folder
/// @return false, with an empty path, where it does not fit or the folder is unknown
static inline bool eri_beside(const char *name, char *path, size_t size)
{
    char program[ER_FILE_NAME_MAX];
    bool known = eri_platform_program(program) && strlen(program) < size;
    size_t at = known ? strlen(program) : 0;
    if (known) memcpy(path, program, at);
    while (at > 0 && path[at - 1] != '/')
        --at;
    bool fits = at > 0 && at + strlen(name) < size;
    snprintf(path + (fits ? at : 0), fits ? size - at : 1, "%s", fits ? name : "");
    return fits;
}

#endif
