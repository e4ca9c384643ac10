// Text on Windows, whose C library lacks the extensions of POSIX and GNU.
#include "base/platform_windows.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/platform.h"

// ---- UTF-16

wchar_t *eri_windows_text(const char *text)
{
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *out = length > 0 ? malloc((size_t)length * sizeof *out) : NULL;
    if (out == NULL) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, length);
    return out;
}

wchar_t *eri_windows_path(const char *path)
{
    enum { LONGEST = 240 }; // of a path without the prefix, and room for a name below it
    wchar_t *out = eri_windows_text(path);
    if (out == NULL) return NULL;
    for (wchar_t *c = out; *c != L'\0'; ++c)
        if (*c == L'/') *c = L'\\';
    if (wcslen(out) < LONGEST) return out;
    DWORD size = GetFullPathNameW(out, 0, NULL, NULL);
    wchar_t *whole = malloc((size + 4) * sizeof *whole);
    if (whole != NULL) {
        memcpy(whole, L"\\\\?\\", 4 * sizeof *whole);
        GetFullPathNameW(out, size, whole + 4, NULL);
        if (whole[4] == L'\\') memmove(whole, whole + 4, (wcslen(whole + 4) + 1) * sizeof *whole);
    }
    free(out);
    return whole;
}

bool eri_windows_utf8(const wchar_t *path, char *out, size_t size)
{
    if (wcsncmp(path, L"\\\\?\\", 4) == 0) path += 4;
    if (WideCharToMultiByte(CP_UTF8, 0, path, -1, out, (int)size, NULL, NULL) <= 0) return false;
    for (char *c = out; *c != '\0'; ++c)
        if (*c == '\\') *c = '/';
    return true;
}

// ---- Errors

int eri_windows_failed(void)
{
    static const struct {
        DWORD theirs;
        int ours;
    } pairs[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT},      {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_FILE_EXISTS, EEXIST},         {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},         {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_LOCK_VIOLATION, EWOULDBLOCK}, {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_NAME, ENOENT},      {ERROR_BAD_EXE_FORMAT, ENOEXEC},     {ERROR_DIRECTORY, ENOTDIR}};
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        if (pairs[i].theirs == error) errno = pairs[i].ours;
    return -1;
}

const char *eri_platform_error_text(int error)
{
    return strerror(error); // in English everywhere
}

const char *eri_platform_signal_text(int signal)
{
    (void)signal;
    return "unknown signal";
}

// ---- Functions that the C library lacks

const void *eri_platform_find(const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
    if (wanted_size == 0) return bytes;
    for (const char *at = bytes, *first; size >= wanted_size; size -= (size_t)(first + 1 - at), at = first + 1) {
        first = memchr(at, *(const char *)wanted, size - wanted_size + 1);
        if (first == NULL) return NULL;
        if (memcmp(first, wanted, wanted_size) == 0) return first;
    }
    return NULL;
}

typedef struct ordered {
    int (*compare)(const void *, const void *, void *);
    void *user;
} ordered;

static int compare_ordered(void *how, const void *a, const void *b)
{
    const ordered *by = how;
    return by->compare(a, b, by->user);
}

void eri_platform_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *user),
                       void *user)
{
    ordered how = {compare, user};
    qsort_s(items, count, size, compare_ordered, &how);
}

ptrdiff_t eri_platform_read_line(char **line, size_t *room, int end, FILE *file)
{
    size_t size = 0;
    int c;
    while ((c = getc(file)) != EOF) {
        if (size + 2 > *room || *line == NULL) {
            size_t more = 2 * size + 128;
            char *longer = realloc(*line, more);
            if (longer == NULL) return -1;
            *line = longer;
            *room = more;
        }
        (*line)[size++] = (char)c;
        if (c == end) break;
    }
    if (size == 0) return -1;
    (*line)[size] = '\0';
    return (ptrdiff_t)size;
}

FILE *eri_platform_null_stream(void)
{
    return fopen("NUL", "wb");
}

bool eri_point_begin(eri_point_locale *locale)
{
    const char *now = setlocale(LC_NUMERIC, NULL);
    locale->plain = _strdup(now != NULL ? now : "C");
    if (locale->plain == NULL) return false;
    _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    setlocale(LC_NUMERIC, "C");
    return true;
}

void eri_point_end(eri_point_locale *locale)
{
    if (locale->plain == NULL) return;
    setlocale(LC_NUMERIC, locale->plain);
    free(locale->plain);
    locale->plain = NULL;
}
