// Files written whole or not at all, and read whole: a file beside the place, moved onto it when it is complete.
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/temporary.h"

#define PIPE_CHUNK ((size_t)65536)

static const char *remedy(int error, bool writing)
{
    switch (error) {
    case ENOSPC:
#ifdef EDQUOT // a share of the disk, which Windows does not know
    case EDQUOT:
#endif
        return "make room on the disk, or write elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
        return "change the permissions, or choose another place";
    case EFBIG:
        return "raise the limit on the size of files (ulimit -f)";
    case EISDIR:
        return "name a file inside it";
    case ENOENT:
    case ENOTDIR:
        return writing ? "create its folder first, or check the spelling" : "check the path";
    default:
        return "check the path, or choose another place";
    }
}

static er_result fail(er_context *context, const char *path, bool writing, int error)
{
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be %s: %s; %s", path, writing ? "written" : "read",
                   eri_platform_error_text(error), remedy(error, writing));
}

// Gives the new file the permissions of the one it replaces.
static int open_replacement(er_context *context, const char *path, const eri_file_info *old,
                            char name[ER_FILE_NAME_MAX], int *file)
{
    *file = eri_temporary_open(context, path, name);
    if (*file < 0) return errno;
    if (old == NULL || eri_platform_set_mode(*file, old->mode) == 0) return 0;
    int error = errno;
    eri_platform_close(*file);
    eri_platform_unlink(name);
    return error;
}

// Ends a file made by open_replacement(), of which `error` is known so far: in its place, or gone.
static int close_replacement(const er_context *context, const char *path, const char *name, int file, int error)
{
    bool flush = eri_context_flushes(context);
    if (error == 0 && flush && eri_platform_flush(file) != 0) error = errno;
    if (error == 0 && !flush) eri_platform_flush_soon(file); // the disk may begin meanwhile
    if (eri_platform_close(file) != 0 && error == 0) error = errno;
    if (error == 0 && eri_platform_rename(name, path) != 0) error = errno;
    if (error != 0) eri_platform_unlink(name);
    return error;
}

// Follows a path whose last link leads to no file yet.
static int follow_links(const char *path, char target[ER_FILE_NAME_MAX])
{
    enum { MOST_LINKS = 40 }; // as the system's own
    char link[ER_FILE_NAME_MAX];
    int length = snprintf(target, ER_FILE_NAME_MAX, "%s", path);
    for (int i = 0; i < MOST_LINKS && length < ER_FILE_NAME_MAX; ++i) {
        ptrdiff_t size = eri_platform_read_link(target, link, sizeof link - 1);
        if (size < 0) return errno == ENOENT ? 0 : errno;
        link[size] = '\0';
        char *slash = link[0] != '/' ? strrchr(target, '/') : NULL;
        char *name = slash != NULL ? slash + 1 : target; // what the link stands in place of
        length = (int)(name - target) + (int)size;
        if (length < ER_FILE_NAME_MAX) memcpy(name, link, (size_t)size + 1);
    }
    return length < ER_FILE_NAME_MAX ? ELOOP : ENAMETOOLONG;
}

// The regular file that a path leads to, through links, even if it does not exist yet.
static int find_target(const char *path, char target[ER_FILE_NAME_MAX], eri_file_info *info, bool *exists,
                       bool *regular)
{
    *exists = eri_platform_stat(path, info) == 0;
    *regular = !*exists || info->kind == ERI_FILE_REGULAR;
    if (!*exists && errno != ENOENT) return errno;
    if (*exists && info->kind == ERI_FILE_FOLDER) return EISDIR;
    if (!*exists) return follow_links(path, target);
    if (!*regular) {
        int length = snprintf(target, ER_FILE_NAME_MAX, "%s", path);
        return length < ER_FILE_NAME_MAX ? 0 : ENAMETOOLONG;
    }
    // a rename would pass over the write protection of the file itself
    if (!eri_platform_access(path, ERI_CAN_WRITE)) return errno;
    return eri_platform_real_path(path, target) == NULL ? errno : 0;
}

// Opens a temporary file that will replace the file at a path. `file` is -1 if the path leads to no regular file.
static int begin_replacement(er_context *context, const char *path, char target[ER_FILE_NAME_MAX],
                             char name[ER_FILE_NAME_MAX], int *file)
{
    eri_file_info info;
    bool exists, regular;
    *file = -1;
    int error = find_target(path, target, &info, &exists, &regular);
    return error == 0 && regular ? open_replacement(context, target, exists ? &info : NULL, name, file) : error;
}

er_result eri_stream_open(eri_stream *stream, er_context *context, const char *path)
{
    *stream = (eri_stream){.context = context, .path = path, .file = -1};
    if (strcmp(path, "-") == 0) {
        stream->path = "standard output";
        stream->file = ERI_OUTPUT;
        return ER_OK;
    }
    stream->error = begin_replacement(context, path, stream->target, stream->name, &stream->file);
    if (stream->error == 0 && stream->file < 0 && (stream->file = eri_platform_open(path, ERI_OPEN_WRITE)) < 0)
        stream->error = errno;
    return stream->error == 0 ? ER_OK : fail(context, path, true, stream->error);
}

void eri_stream_put(eri_stream *stream, const void *bytes, size_t size)
{
    if (stream->error == 0) stream->error = eri_platform_write_all(stream->file, bytes, size);
}

er_result eri_stream_close(eri_stream *stream)
{
    int error = stream->error;
    if (stream->name[0] != '\0')
        error = close_replacement(stream->context, stream->target, stream->name, stream->file, error);
    else if (stream->file != ERI_OUTPUT && eri_platform_close(stream->file) != 0 && error == 0)
        error = errno;
    return error == 0 ? ER_OK : fail(stream->context, stream->path, true, error);
}

er_result er_file_write(er_context *context, const char *path, const void *bytes, size_t size)
{
    if (context == NULL || path == NULL || (bytes == NULL && size > 0))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_write() was given NULL");
    eri_stream stream;
    er_result r = eri_stream_open(&stream, context, path);
    if (r != ER_OK) return r;
    eri_stream_put(&stream, bytes, size);
    return eri_stream_close(&stream);
}

er_result er_file_check_place(er_context *context, const char *path)
{
    if (context == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_check_place() was given NULL");
    char target[ER_FILE_NAME_MAX], name[ER_FILE_NAME_MAX];
    if (strcmp(path, "-") == 0) return ER_OK;
    int file, error = begin_replacement(context, path, target, name, &file);
    if (error != 0) return fail(context, path, true, error);
    if (file < 0) return ER_OK;
    eri_platform_close(file);
    eri_platform_unlink(name);
    return ER_OK;
}

er_result er_file_begin(er_context *context, const char *path, char *name)
{
    if (context == NULL || path == NULL || name == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_begin() was given NULL");
    char target[ER_FILE_NAME_MAX];
    *name = '\0';
    int file, error = begin_replacement(context, path, target, name, &file);
    if (error != 0) return *name = '\0', fail(context, path, true, error);
    if (file < 0)
        return er_fail(context, ER_ERROR_FILE,
                       "%s: is not a regular file, which another program needs to write; name a file", path);
    eri_platform_close(file);
    return ER_OK;
}

er_result er_file_finish(er_context *context, const char *path, const char *name, bool keep)
{
    if (context == NULL || path == NULL || name == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_file_finish() was given NULL");
    if (*name == '\0') return ER_OK;
    if (!keep) return eri_platform_unlink(name), ER_OK;
    eri_file_info info;
    char target[ER_FILE_NAME_MAX];
    bool exists, regular;
    int error = find_target(path, target, &info, &exists, &regular), file = -1;
    if (error == 0) {
        file = eri_platform_open(name, ERI_OPEN_READ);
        error = file < 0 ? errno : close_replacement(context, target, name, file, 0);
    }
    if (error == 0) return ER_OK;
    eri_platform_unlink(name);
    return fail(context, path, true, error);
}

// Reads to the end. `expected` is the size the file says it has; a pipe, or a file that grows, may hold more.
static er_result read_all(er_arena *arena, int file, const char *path, size_t expected, size_t limit, uint8_t **bytes,
                          size_t *size)
{
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    uint8_t *buffer = NULL;
    size_t used = 0, capacity = 0;
    size_t wanted = expected > 0 ? expected + 1 : PIPE_CHUNK; // one more, so that one read fills and the next ends
    for (ptrdiff_t count = 1; count != 0;) {
        if (used == capacity) {
            capacity = wanted <= limit ? wanted : limit + 1;
            wanted = 2 * capacity;
            uint8_t *grown;
            ERI_TRY_NEW(grown, arena, uint8_t, capacity + 1);
            if (used > 0) memcpy(grown, buffer, used);
            buffer = grown;
        }
        count = eri_platform_read(file, buffer + used, capacity - used);
        if (count < 0) return fail(context, path, false, errno);
        used += (size_t)count;
        if (used > limit)
            return er_fail(context, ER_ERROR_FILE,
                           "%s: cannot be read: it is larger than %zu bytes; use a smaller file", path, limit);
    }
    buffer[used] = 0;
    *bytes = buffer;
    *size = used;
done:
    return r;
}

er_result eri_file_read(er_arena *arena, const char *path, size_t limit, uint8_t **bytes, size_t *size)
{
    er_context *context = eri_arena_context(arena);
    bool standard = strcmp(path, "-") == 0;
    if (standard) path = "standard input";
    int file = standard ? ERI_INPUT : eri_platform_open(path, ERI_OPEN_READ);
    if (file < 0) return fail(context, path, false, errno);
    eri_file_info info;
    int error = eri_platform_stat_open(file, &info) != 0 ? errno : info.kind == ERI_FILE_FOLDER ? EISDIR : 0;
    size_t most = limit < PTRDIFF_MAX / 2 ? limit : PTRDIFF_MAX / 2;
    er_result r = error != 0 ? fail(context, path, false, error)
                             : read_all(arena, file, path, (size_t)info.size, most, bytes, size);
    if (!standard) eri_platform_close(file);
    return r;
}
