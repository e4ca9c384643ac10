/// @file
/// Private to the platform of Windows: text in UTF-16, and error numbers of C.
#ifndef ERI_BASE_PLATFORM_WINDOWS_H
#define ERI_BASE_PLATFORM_WINDOWS_H

#include <stdbool.h>
#include <wchar.h>

/// A path in UTF-16 with backslashes; an absolute one with the prefix that lets it be longer than 260 characters.
/// @return  from malloc(); NULL: errno
wchar_t *eri_windows_path(const char *path);

/// Text in UTF-16.   @return from malloc(); NULL: errno
wchar_t *eri_windows_text(const char *text);

/// UTF-16 as UTF-8, backslashes as slashes, without the prefix.   @param out [size]   @return whether it fits
bool eri_windows_utf8(const wchar_t *path, char *out, size_t size);

/// Sets errno by GetLastError().   @return -1
int eri_windows_failed(void);

#endif
