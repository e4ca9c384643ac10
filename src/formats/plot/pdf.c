// Drawings as PDF by the program rsvg-convert: SVG goes in and PDF comes out through files in memory.
#include "formats/plot/pdf.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/curves/curve_names.h"

enum { INPUT, OUTPUT, MESSAGES, STREAMS };

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t count = write(file, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}

// 0, or the error number.
static int run(const int stream[STREAMS], int *status)
{
    static const char *const words[] = {"rsvg-convert", "--format=pdf", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    for (int i = 0; i < STREAMS && error == 0; ++i)
        error = posix_spawn_file_actions_adddup2(&actions, stream[i], i);
    if (error == 0) error = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)(uintptr_t)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, status, 0) < 0)
        if (errno != EINTR) error = errno;
    return error;
}

static er_result fail(er_context *context, const char *path, int error, int messages)
{
    char line[256];
    if (error == ENOENT)
        return er_fail(context, ER_ERROR_SYSTEM,
                       "%s: takes the program rsvg-convert, which is not installed; install it, or write .svg", path);
    ssize_t count = pread(messages, line, sizeof line - 1, 0);
    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return er_fail(context, ER_ERROR_SYSTEM, "%s: rsvg-convert cannot write it: %s; write .svg instead", path,
                   error != 0        ? strerror(error)
                   : line[0] != '\0' ? line
                                     : "it ended early");
}

// The whole of a file in memory.
static er_result take(er_arena *arena, int file, uint8_t **bytes, size_t *size)
{
    struct stat info;
    *size = fstat(file, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    *bytes = eri_arena_reserve(arena, *size, 1);
    if (*bytes == NULL) return ER_ERROR_MEMORY;
    if (pread(file, *bytes, *size, 0) != (ssize_t)*size) *size = 0;
    return ER_OK;
}

static er_result write_pdf(const eri_out *svg, const char *path)
{
    er_arena *arena = svg->text.arena;
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    int stream[STREAMS], open = 0, error = 0, status = 0;
    uint8_t *bytes;
    size_t size;
    ERI_TRY(svg->text.failure);
    while (open < STREAMS && (stream[open] = memfd_create("drawing", MFD_CLOEXEC)) >= 0)
        ++open;
    if (open < STREAMS || !write_all(stream[INPUT], svg->text.bytes, svg->text.size) ||
        lseek(stream[INPUT], 0, SEEK_SET) != 0)
        error = errno;
    if (error == 0) error = run(stream, &status);
    if (error != 0 || status != 0) ERI_TRY(fail(context, path, error, error == 0 ? stream[MESSAGES] : -1));
    ERI_TRY(take(arena, stream[OUTPUT], &bytes, &size));
    if (size < 5 || memcmp(bytes, "%PDF-", 5) != 0) ERI_TRY(fail(context, path, 0, stream[MESSAGES]));
    ERI_TRY(er_file_write(context, path, bytes, size));
done:
    while (open > 0)
        close(stream[--open]);
    return r;
}

er_result eri_drawing_write(const eri_out *svg, const char *path)
{
    return er_path_ends_in(path, ".pdf") ? write_pdf(svg, path) : eri_out_write(svg, path);
}
