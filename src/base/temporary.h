/// @file
/// Private: temporary files beside the files that they will replace.
#ifndef ERI_BASE_TEMPORARY_H
#define ERI_BASE_TEMPORARY_H

#include <eigenrig/base.h>

/// Makes a new file beside `path`, open for writing. Removes temporary files that killed runs of this system left in
/// that folder; those of other systems stay.
/// @param name  written: its path
/// @return  the file; -1, and errno says why
int eri_temporary_open(er_context *context, const char *path, char name[ER_FILE_NAME_MAX]);

#endif
