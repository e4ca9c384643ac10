// The CSV file of a benchmark, written beside its place and moved there whole.
#include "tools/bench/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

bool bench_csv_open(const char *path, bench_csv *out)
{
    eri_file_info facts;
    *out = (bench_csv){.file = stdout};
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

bool bench_csv_close(bench_csv *c)
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

FILE *bench_table_stream(const char *path)
{
    return path != NULL && strcmp(path, "-") != 0 ? stdout : stderr;
}
