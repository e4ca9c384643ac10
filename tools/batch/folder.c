// The folder that a batch writes to: made, locked, cleaned; its files written whole or not at all.
#include "tools/batch/folder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

char *batch_path(const char *format, ...)
{
    char *path = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&path, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : path;
}

int batch_make_folder(const char *path)
{
    char part[ER_FILE_NAME_MAX];
    if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) return ENAMETOOLONG;
    for (char *slash = strchr(part + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) *slash = '\0';
        if (eri_platform_make_folder(part) != 0 && errno != EEXIST) return errno;
        if (slash == NULL) break;
        *slash = '/';
    }
    eri_file_info info;
    return eri_platform_stat(path, &info) != 0 ? errno : info.kind == ERI_FILE_FOLDER ? 0 : ENOTDIR;
}

int batch_make_folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash == NULL || slash == file ? NULL : strndup(file, (size_t)(slash - file));
    int error = folder != NULL ? batch_make_folder(folder) : 0;
    free(folder);
    return error;
}

int batch_open_regular(const char *path)
{
    eri_file_info info;
    int file = eri_platform_open(path, ERI_OPEN_READ | ERI_OPEN_NO_WAIT);
    if (file >= 0 && (eri_platform_stat_open(file, &info) != 0 || info.kind != ERI_FILE_REGULAR)) {
        eri_platform_close(file);
        return -1;
    }
    return file;
}

void batch_empty_folder(const char *path)
{
    eri_listing *folder = eri_listing_open(path);
    if (folder == NULL) return;
    for (const char *e; (e = eri_listing_next(folder)) != NULL;) {
        if (strcmp(e, ".") == 0 || strcmp(e, "..") == 0) continue;
        char *below = batch_path("%s/%s", path, e);
        if (below != NULL && eri_platform_unlink(below) != 0 && errno == EISDIR) batch_remove_folder(below);
        free(below);
    }
    eri_listing_close(folder);
}

void batch_remove_folder(const char *path)
{
    batch_empty_folder(path);
    eri_platform_remove_folder(path);
}

er_result batch_lock(er_context *context, const char *path, bool shared, int *file)
{
    *file = eri_platform_open(path, ERI_OPEN_READ | ERI_OPEN_WRITE | ERI_OPEN_CREATE);
    if (*file < 0)
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be written (%s)", path, eri_platform_error_text(errno));
    if (eri_platform_lock(*file, shared) == 0) return ER_OK;
    int error = errno;
    eri_platform_close(*file);
    *file = -1;
    if (error == EWOULDBLOCK)
        return er_fail(context, ER_ERROR_SYSTEM,
                       "%s: another batch is at work in this folder; wait for it, or name another with -o", path);
    return er_fail(context, ER_ERROR_SYSTEM, "%s: cannot be locked (%s); write to a file system that has locks", path,
                   eri_platform_error_text(error));
}

static er_result fail(er_context *context, const char *path, int error)
{
    return er_fail(context, ER_ERROR_FILE, "%s: cannot be written (%s)", path, eri_platform_error_text(error));
}

er_result batch_file_begin(er_context *context, const char *path, batch_file *out)
{
    *out = (batch_file){NULL, strdup(path), batch_path("%s.part", path)};
    if (out->path == NULL || out->temporary == NULL) return batch_file_end(context, out, ER_ERROR_MEMORY);
    out->stream = fopen(out->temporary, "w");
    return out->stream != NULL ? ER_OK : batch_file_end(context, out, fail(context, path, errno));
}

er_result batch_file_end(er_context *context, batch_file *file, er_result result)
{
    if (file->stream != NULL) {
        errno = 0;
        bool flushed = eri_platform_flush_stream(file->stream) == 0;
        int error = flushed ? 0 : errno != 0 ? errno : EIO;
        if (fclose(file->stream) != 0 && error == 0) error = errno;
        if (result == ER_OK && error == 0 && eri_platform_rename(file->temporary, file->path) != 0) error = errno;
        if (result == ER_OK && error != 0) result = fail(context, file->path, error);
        if (result != ER_OK) eri_platform_unlink(file->temporary);
    }
    free(file->path);
    free(file->temporary);
    *file = (batch_file){0};
    return result;
}
