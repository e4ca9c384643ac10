/// @file
/// Private: programs in the folder of the running one. Inline, so that programs which link the shared library have it.
#ifndef ERI_BASE_BESIDE_H
#define ERI_BASE_BESIDE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Writes the path of a file in the folder of the running program, whether the file exists or not.
/// @param name  a file name, or a path relative to that folder
/// @return false, with an empty path, where it does not fit or the folder is unknown
static inline bool eri_beside(const char *name, char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size);
    size_t at = length > 0 && (size_t)length < size ? (size_t)length : 0;
    while (at > 0 && path[at - 1] != '/')
        --at;
    bool fits = at > 0 && at + strlen(name) < size;
    snprintf(path + (fits ? at : 0), fits ? size - at : 1, "%s", fits ? name : "");
    return fits;
}

#endif
