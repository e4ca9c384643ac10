/// @file
/// Restricts the process that reads a model: it may read files below the model's folder, and answer. An exploited
/// parser finds no network, no program to start and no file to write.
#ifndef IMPORTER_SANDBOX_H
#define IMPORTER_SANDBOX_H

#include <stdbool.h>

/// Gives up all rights that reading a model does not need, for good. Landlock (Linux 5.13) restricts files, seccomp
/// system calls; if the kernel lacks one, the other is used alone.
/// @param model     path of the model: the file and all below its folder stay readable
/// @param anywhere  every file stays readable; no file can be written in any case
/// @return SANDBOX_*: the restrictions in force
unsigned imp_sandbox_enter(const char *model, bool anywhere);

enum {
    SANDBOX_FILES = 1, ///< Landlock
    SANDBOX_CALLS = 2, ///< seccomp
};

#endif
