/// @file
/// Films as numbered PNG files.
#ifndef ERI_VIEWER_RENDER_SEQUENCE_H
#define ERI_VIEWER_RENDER_SEQUENCE_H

#include <stdbool.h>

/// Whether a path is a folder, or ends in .png and holds one %d or %04d (any number of digits up to 9).
bool sequence_is_path(const char *path);

/// Whether such a path has a file for this frame number. False for other paths.
bool sequence_goes_on(const char *path, int number);

#endif
