// Drawings as PDF by the program rsvg-convert: SVG goes in and PDF comes out through files in memory.
#include "formats/plot/pdf.h"

#include <errno.h>
#include <string.h>

#include "base/platform.h"
#include "formats/curves/curve_names.h"

enum { INPUT, OUTPUT, MESSAGES, STREAMS };

// 0, or the error number.
static int run(const int stream[STREAMS], eri_process_end *end)
{
    static const char *const words[] = {"rsvg-convert", "--format=pdf", NULL};
    eri_spawn_def how = eri_default_spawn_def(words[0], words);
    how.search = true;
    how.input = stream[INPUT];
    how.output = stream[OUTPUT];
    how.errors = stream[MESSAGES];
    int child, error = eri_process_spawn(&how, &child);
    if (error == 0 && !eri_process_wait(child, end)) error = errno;
    return error;
}

static er_result fail(er_context *context, const char *path, int error, int messages)
{
    char line[256];
    if (error == ENOENT)
        return er_fail(context, ER_ERROR_SYSTEM,
                       "%s: needs the program rsvg-convert, which is not installed; install it, or write .svg", path);
    ptrdiff_t count = eri_platform_read_at(messages, line, sizeof line - 1, 0);
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
    eri_file_info info;
    *size = eri_platform_stat_open(file, &info) == 0 && info.size > 0 ? (size_t)info.size : 0;
    *bytes = eri_arena_reserve(arena, *size, 1);
    if (*bytes == NULL) return ER_ERROR_MEMORY;
    if (eri_platform_read_at(file, *bytes, *size, 0) != (ptrdiff_t)*size) *size = 0;
    return ER_OK;
}

static er_result write_pdf(const eri_out *svg, const char *path)
{
    er_arena *arena = svg->text.arena;
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    int stream[STREAMS], open = 0, error = 0;
    eri_process_end end = {0};
    uint8_t *bytes;
    size_t size;
    ERI_TRY(svg->text.failure);
    while (open < STREAMS && (stream[open] = eri_platform_memory_file("drawing")) >= 0)
        ++open;
    if (open < STREAMS) error = errno;
    if (error == 0) error = eri_platform_write_all(stream[INPUT], svg->text.bytes, svg->text.size);
    if (error == 0 && eri_platform_seek(stream[INPUT], 0) != 0) error = errno;
    if (error == 0) error = run(stream, &end);
    if (error != 0 || end.status != 0 || end.signal != 0)
        ERI_TRY(fail(context, path, error, error == 0 ? stream[MESSAGES] : -1));
    ERI_TRY(take(arena, stream[OUTPUT], &bytes, &size));
    if (size < 5 || memcmp(bytes, "%PDF-", 5) != 0) ERI_TRY(fail(context, path, 0, stream[MESSAGES]));
    ERI_TRY(er_file_write(context, path, bytes, size));
done:
    while (open > 0)
        eri_platform_close(stream[--open]);
    return r;
}

er_result eri_drawing_write(const eri_out *svg, const char *path)
{
    return er_path_ends_in(path, ".pdf") ? write_pdf(svg, path) : eri_out_write(svg, path);
}
