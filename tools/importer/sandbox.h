/// @file
/// What the process that reads a model may still do: read files below the model's folder, and answer. A file that finds
/// a hole in a parser finds no network, no program to start and nothing to write behind it.
#ifndef IMPORTER_SANDBOX_H
#define IMPORTER_SANDBOX_H

#include <stdbool.h>

/// Gives up, for good, what reading a model does not take. Files are shut away by Landlock (Linux 5.13), system calls
/// by seccomp; where the kernel has one of them the other stands alone.
/// @param model     path of the model: it, and what lies below its folder, stays readable
/// @param anywhere  every file stays readable; none can be written either way
/// @return SANDBOX_*: what the kernel put in place
unsigned imp_sandbox_enter(const char *model, bool anywhere);

enum {
    SANDBOX_FILES = 1, ///< Landlock
    SANDBOX_CALLS = 2, ///< seccomp
};

#endif
