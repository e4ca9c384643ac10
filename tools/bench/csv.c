// The CSV file of a benchmark, written beside its place and moved there whole.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/bench/bench.h"

typedef struct csv {
    FILE *file;
    const char *path; // NULL for standard output
    char *part;       // NULL if the path itself is written
} csv;

static bool open_csv(const char *path, csv *out)
{
    eri_file_info facts;
    *out = (csv){.file = stdout};
    if (path == NULL || strcmp(path, "-") == 0) return true;
    out->path = path;
    if (eri_platform_stat(path, &facts) != 0 || facts.kind == ERI_FILE_REGULAR) {
        size_t size = strlen(path) + sizeof ".part";
        out->part = malloc(size);
        if (out->part == NULL) return false;
        snprintf(out->part, size, "%s.part", path);
    }
    out->file = fopen(out->part != NULL ? out->part : path, "w");
    if (out->file == NULL) free(out->part);
    return out->file != NULL;
}

static bool close_csv(csv *c)
{
    if (c->path == NULL) return true;
    bool ok = !ferror(c->file);
    ok = fclose(c->file) == 0 && ok;
    if (ok && c->part != NULL) ok = eri_platform_rename(c->part, c->path) == 0;
    int problem = errno;
    if (!ok && c->part != NULL) eri_platform_unlink(c->part);
    free(c->part);
    errno = problem;
    return ok;
}

bool bench_write(bench_runner *run, const bench_def *def, char *problem, size_t size)
{
    csv out;
    bool written = open_csv(def->output, &out), done = written && run(def, out.file, problem, size);
    if (written) written = close_csv(&out);
    if (!written) snprintf(problem, size, "%s: cannot be written: %s", def->output, strerror(errno));
    return done && written;
}

FILE *bench_table_stream(const char *path)
{
    return path != NULL && strcmp(path, "-") != 0 ? stdout : stderr;
}
