/// @file
/// Private: files that grow under names of their own beside their place.
#ifndef ERI_BASE_TEMPORARY_H
#define ERI_BASE_TEMPORARY_H

#include <eigenrig/base.h>

/// Makes a new file beside `path`, open for writing. What runs that were killed left in that folder is removed first:
/// files whose names say that a process of this system made them that is no more. Other systems' are left alone.
/// @param name  written: its path
/// @return  the file; -1, and errno says why
int eri_temporary_open(er_context *context, const char *path, char name[ER_FILE_NAME_MAX]);

#endif
