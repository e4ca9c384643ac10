// Files that other files name: resolves a reference and decides whether it may be read. Checks are made on the opened
// file, so that it cannot be swapped in between.
#include "base/reference.h"
#include "base/letters.h"
#include "base/platform.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 200 // bytes of a reference in a sentence

// --- what it means

// 0 to 15, or -1.
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    char lower = eri_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// %41 to A, once, and backslashes to slashes, which writers on Windows mean.   @return whether it fits
static bool decode(const char *in, bool uri, char out[ER_FILE_NAME_MAX])
{
    size_t size = 0;
    for (; *in != '\0' && size + 1 < ER_FILE_NAME_MAX; ++in) {
        int high = uri && in[0] == '%' ? hex_digit(in[1]) : -1, low = high >= 0 ? hex_digit(in[2]) : -1;
        bool escaped = low >= 0 && high + low > 0; // %00 would cut the path short
        char c = escaped ? (char)(16 * high + low) : *in;
        out[size++] = c != '\\' ? c : '/';
        if (escaped) in += 2;
    }
    out[size] = '\0';
    return *in == '\0';
}

static bool is_absolute(const char *path)
{
    bool drive = eri_is_letter(path[0]) && path[1] == ':';
    return path[0] == '/' || drive || eri_same_start(path, "file:", 5) || strstr(path, "://") != NULL;
}

// RFC 3986, 5.2.4: "." and ".." go, but for ".." at the beginning. In place.
static void resolve_dots(char *path)
{
    char *to = path, *top = path; // nothing before `top` can be gone back over
    const char *stop = path + strlen(path);
    for (char *segment = path, *end; segment < stop; segment = end) {
        end = segment + strcspn(segment, "/");
        size_t length = (size_t)(end - segment);
        bool up = length == 2 && memcmp(segment, "..", 2) == 0, here = length == 1 && *segment == '.';
        end += strspn(end, "/");
        if (length == 0 || here) continue;
        if (up && to > top) {
            for (--to; to > top && to[-1] != '/';)
                --to;
            continue;
        }
        memmove(to, segment, length);
        to += length;
        *to++ = '/'; // perhaps in place of the NUL, which is not looked at any more
        if (up) top = to;
    }
    if (to > path) --to;
    *to = '\0';
}

bool eri_reference_path(const char *reference, unsigned flags, char path[ER_FILE_NAME_MAX])
{
    bool named, plain = (flags & ER_REFERENCE_PLAIN) != 0;
    if (plain)
        named = snprintf(path, ER_FILE_NAME_MAX, "%s", reference) < ER_FILE_NAME_MAX;
    else
        named = decode(reference, (flags & ER_REFERENCE_URI) != 0, path) && !is_absolute(path);
    if (named && !plain) resolve_dots(path);
    if (!named) *path = '\0';
    return *path != '\0';
}

bool eri_reference_climbs(const char *path)
{
    return strncmp(path, "..", 2) == 0 && (path[2] == '/' || path[2] == '\0');
}

// --- whether it may be read

// Whether a file that is open lies below a folder, links resolved.
static bool lies_below(int file, const char *folder)
{
    char target[ER_FILE_NAME_MAX], real[ER_FILE_NAME_MAX];
    if (!eri_platform_path_of(file, target) || eri_platform_real_path(folder, real) == NULL) return false;
    size_t prefix = strcmp(real, "/") == 0 ? 0 : strlen(real);
    return strncmp(target, real, prefix) == 0 && target[prefix] == '/';
}

static er_result refuse(er_context *context, const char *reference, const char *why)
{
    return er_fail(context, ER_ERROR_FILE, "\"%.*s\" %s", SHOWN, reference, why);
}

static er_result outside(er_context *context, const char *reference)
{
    return refuse(context, reference,
                  "lies outside the folder of the file that names it; put it there, or allow files outside "
                  "(--allow-outside)");
}

// A path alone is opened first: opening a pipe or a device could wait, or do something.
static er_result open_judged(er_context *context, const char *reference, const char *folder, const char *full,
                             bool anywhere, int *out)
{
    eri_file_info info;
    int at = eri_platform_open(full, ERI_OPEN_NAME);
    if (at < 0 || eri_platform_stat_open(at, &info) != 0) {
        char why[200];
        snprintf(why, sizeof why, "cannot be read (%s); put it beside the file that names it",
                 eri_platform_error_text(errno));
        if (at >= 0) eri_platform_close(at);
        return refuse(context, reference, why);
    }
    er_result r = ER_OK;
    if (!anywhere && !lies_below(at, folder))
        r = outside(context, reference);
    else if (info.kind != ERI_FILE_REGULAR)
        r = refuse(context, reference, "is not a regular file; put one in its place");
    if (r == ER_OK && (*out = eri_platform_reopen(at)) < 0)
        r = refuse(context, reference, "cannot be read; check its permissions");
    eri_platform_close(at);
    return r;
}

er_result er_file_open_reference(er_context *context, const char *file, const char *reference, unsigned flags, int *out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = -1;
    if (context == NULL || file == NULL || reference == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_open_reference() was given NULL");
    char path[ER_FILE_NAME_MAX], folder[ER_FILE_NAME_MAX], full[ER_FILE_NAME_MAX];
    if (!eri_reference_path(reference, flags, path))
        return refuse(context, reference,
                      "is no path from the folder of the file that names it, and nothing else is read; put it there");
    bool anywhere = (flags & ER_REFERENCE_OUTSIDE) != 0;
    if (!anywhere && eri_reference_climbs(path)) return outside(context, reference);
    const char *slash = strrchr(file, '/');
    int prefix = slash != NULL ? (int)(slash - file) + 1 : 0;
    int a = snprintf(folder, sizeof folder, "%.*s.", prefix, file),
        b = snprintf(full, sizeof full, "%.*s%s", prefix, file, path);
    if (a >= ER_FILE_NAME_MAX || b >= ER_FILE_NAME_MAX)
        return refuse(context, reference, "has too long a path; shorten it");
    return open_judged(context, reference, folder, full, anywhere, out);
}

er_result eri_reference_read(er_arena *arena, const char *file, const char *reference, unsigned flags, size_t most,
                             uint8_t **bytes, size_t *size)
{
    er_result r = ER_OK;
    eri_file_info info;
    int from = -1;
    *size = 0;
    ERI_TRY(er_file_open_reference(eri_arena_context(arena), file, reference, flags, &from));
    size_t wanted = eri_platform_stat_open(from, &info) == 0 && (uint64_t)info.size < most ? (size_t)info.size : most;
    ERI_TRY_RESERVE(*bytes, arena, uint8_t, wanted + 1);
    for (ptrdiff_t got = 1; got != 0 && *size < wanted;) {
        got = eri_platform_read(from, *bytes + *size, wanted - *size);
        if (got < 0) ERI_TRY(refuse(eri_arena_context(arena), reference, "cannot be read; check its disk"));
        *size += (size_t)got;
    }
    (*bytes)[*size] = 0;
done:
    if (from >= 0) eri_platform_close(from);
    return r;
}
