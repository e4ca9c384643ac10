// Merges shards: sorts their lines together, and links their files from other folders.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/batch/batch.h"
#include "tools/batch/folder.h"
#include "tools/batch/inputs.h"
#include "tools/batch/run.h"

// A shard's manifest that was found.
typedef struct shard {
    const char *folder;
    int number;
} shard;

typedef struct merge {
    er_context *context;
    batch_lines lines;
    shard *shard; // [shard_count]
    int shard_count, shard_room, shards;
    char first[128];        // line of the manifests: what all inputs are
    const char **folder_of; // [lines.file_count], the folder of each file of lines
} merge;

static er_result add_shard(merge *m, const char *folder, int number, int shards)
{
    if (m->shards != 0 && m->shards != shards)
        return er_fail(m->context, ER_ERROR_ARGUMENT,
                       "%s: shard %d of %d cannot be joined with shards of %d; they are parts of different runs",
                       folder, number, shards, m->shards);
    m->shards = shards;
    if (m->shard_count == m->shard_room) {
        int room = m->shard_room > 0 ? 2 * m->shard_room : 16;
        shard *grown = realloc(m->shard, (size_t)room * sizeof *grown);
        if (grown == NULL) return eri_no_memory_for(m->context, "the shards");
        m->shard = grown;
        m->shard_room = room;
    }
    m->shard[m->shard_count++] = (shard){folder, number};
    return ER_OK;
}

static er_result find_shards(merge *m, const char *folder)
{
    eri_listing *list = eri_listing_open(folder);
    if (list == NULL)
        return er_fail(m->context, ER_ERROR_FILE, "%s: the folder cannot be read (%s)", folder,
                       eri_platform_error_text(errno));
    er_result r = ER_OK;
    for (const char *e; r == ER_OK && (e = eri_listing_next(list)) != NULL;) {
        int number = 0, shards = 0, end = 0;
        bool named = sscanf(e, "manifest.%d-of-%d.jsonl%n", &number, &shards, &end) == 2 && end > 0;
        if (named && e[end] == '\0' && number >= 1 && number <= shards) r = add_shard(m, folder, number, shards);
    }
    eri_listing_close(list);
    return r;
}

static int by_number(const void *a, const void *b)
{
    return ((const shard *)a)->number - ((const shard *)b)->number;
}

static er_result check_shards(merge *m)
{
    if (m->shard_count == 0)
        return er_fail(m->context, ER_ERROR_ARGUMENT, "there are no shards (manifest.I-of-N.jsonl) to join");
    qsort(m->shard, (size_t)m->shard_count, sizeof *m->shard, by_number);
    for (int i = 0; i < m->shard_count; ++i) {
        const shard *s = &m->shard[i];
        if (i > 0 && s->number == s[-1].number)
            return er_fail(m->context, ER_ERROR_ARGUMENT, "shard %d of %d is there twice, in %s and in %s", s->number,
                           m->shards, s[-1].folder, s->folder);
    }
    for (int i = 0; i < m->shards; ++i)
        if (i == m->shard_count || m->shard[i].number != i + 1)
            return er_fail(m->context, ER_ERROR_ARGUMENT, "shard %d of %d is missing; run it with --shard %d/%d first",
                           i + 1, m->shards, i + 1, m->shards);
    return ER_OK;
}

// ---- lines

static er_result add_line(void *user, const char *key, batch_line line)
{
    merge *m = user;
    er_result r = batch_lines_add(m->context, &m->lines, key);
    if (r == ER_OK) m->lines.entry[m->lines.count - 1].manifest = line;
    return r;
}

static er_result fail_short(merge *m, const shard *s)
{
    return er_fail(m->context, ER_ERROR_FORMAT,
                   "%s: the manifest of shard %d of %d has lost lines; run it with --shard %d/%d --resume first",
                   s->folder, s->number, m->shards, s->number, m->shards);
}

// Checks that a manifest and its timings list the same models.
static er_result add_timing(void *user, const char *key, batch_line line)
{
    merge *m = user;
    int i = batch_lines_find(&m->lines, key);
    if (i < 0) return fail_short(m, &m->shard[line.file - m->shard_count]);
    m->lines.entry[i].timing = line;
    return ER_OK;
}

static er_result read_lines(merge *m, const shard *s, const char *path, batch_line_reader *reader)
{
    int file = eri_platform_open(path, ERI_OPEN_READ), index;
    if (file < 0)
        return er_fail(m->context, ER_ERROR_FILE, "%s: cannot be read (%s)", path, eri_platform_error_text(errno));
    er_result r = batch_lines_take(m->context, &m->lines, file, &index);
    if (r != ER_OK) return r;
    m->folder_of[index] = s->folder;
    int64_t end = 0;
    eri_file_info info;
    r = batch_lines_read(m->context, &m->lines, index, reader, m, &end);
    bool cut = r == ER_OK && eri_platform_stat_open(m->lines.file[index], &info) == 0 && end != info.size;
    return cut ? fail_short(m, s) : r;
}

// Reads the first line of a shard's manifest.
static er_result check_inputs(merge *m, const shard *s, const char *path)
{
    char first[sizeof m->first] = "";
    FILE *file = fopen(path, "r");
    bool there = file != NULL && fgets(first, sizeof first, file) != NULL && strncmp(first, "{\"inputs\":", 10) == 0;
    if (file != NULL) fclose(file);
    if (!there) return fail_short(m, s);
    if (*m->first == '\0') memcpy(m->first, first, sizeof first);
    if (strcmp(m->first, first) == 0) return ER_OK;
    return er_fail(m->context, ER_ERROR_ARGUMENT,
                   "%s: shard %d of %d is of other inputs than shard %d; they are parts of different runs", s->folder,
                   s->number, m->shards, m->shard[0].number);
}

static er_result read_shard(merge *m, const shard *s, int kind)
{
    batch_paths p;
    er_result r = batch_paths_create(m->context, s->folder, s->number, m->shards, &p);
    if (r == ER_OK && eri_platform_access(p.journal, ERI_EXISTS))
        r = er_fail(m->context, ER_ERROR_ARGUMENT,
                    "%s: shard %d of %d is unfinished; continue it with --shard %d/%d --resume first", s->folder,
                    s->number, m->shards, s->number, m->shards);
    if (r == ER_OK && kind == BATCH_MANIFEST) r = check_inputs(m, s, p.manifest);
    if (r == ER_OK)
        r = read_lines(m, s, kind == BATCH_MANIFEST ? p.manifest : p.timings,
                       kind == BATCH_MANIFEST ? add_line : add_timing);
    batch_paths_free(&p);
    return r;
}

static er_result read_shards(merge *m)
{
    er_result r = ER_OK;
    m->folder_of = calloc(2 * (size_t)m->shard_count, sizeof *m->folder_of);
    if (m->folder_of == NULL) return eri_no_memory_for(m->context, "the shards");
    for (int i = 0; i < m->shard_count && r == ER_OK; ++i)
        r = read_shard(m, &m->shard[i], BATCH_MANIFEST);
    batch_lines_sort(&m->lines);
    for (int i = 0; i < m->shard_count && r == ER_OK; ++i)
        r = read_shard(m, &m->shard[i], BATCH_TIMING);
    for (int i = 1; i < m->lines.count && r == ER_OK; ++i)
        if (strcmp(m->lines.entry[i].key, m->lines.entry[i - 1].key) == 0)
            r = er_fail(m->context, ER_ERROR_ARGUMENT, "%s is in two shards; they are parts of different runs",
                        m->lines.entry[i].key);
    return r;
}

// Every line of one run names the same program and options.
static er_result check_options(merge *m)
{
    json_t *first = m->lines.count > 0 ? batch_lines_json(&m->lines, m->lines.entry[0].manifest) : NULL;
    er_result r = ER_OK;
    for (int i = 1; i < m->lines.count && r == ER_OK; ++i) {
        json_t *line = batch_lines_json(&m->lines, m->lines.entry[i].manifest);
        static const char *const same[] = {"version", "options"};
        for (size_t k = 0; k < sizeof same / sizeof *same && r == ER_OK; ++k) {
            json_t *a = json_object_get(first, same[k]), *b = json_object_get(line, same[k]);
            if (a == b || json_equal(a, b)) continue;
            const char *mine = json_string_value(a), *other = json_string_value(b);
            r = er_fail(m->context, ER_ERROR_ARGUMENT,
                        "%s was made with %s \"%s\", and %s with \"%s\"; they are parts of different runs",
                        m->lines.entry[0].key, same[k], mine != NULL ? mine : "", m->lines.entry[i].key,
                        other != NULL ? other : "");
        }
        json_decref(line);
    }
    json_decref(first);
    return r;
}

// ---- files

static bool same_folder(const char *a, const char *b)
{
    eri_file_info x, y;
    return eri_platform_stat(a, &x) == 0 && eri_platform_stat(b, &y) == 0 && x.device == y.device &&
           x.number == y.number;
}

static er_result copy(er_context *context, const char *from, const char *to)
{
    batch_file file;
    char bytes[1 << 16];
    FILE *source = fopen(from, "rb");
    if (source == NULL)
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be read (%s)", from, eri_platform_error_text(errno));
    er_result r = batch_file_begin(context, to, &file);
    if (r == ER_OK) {
        for (size_t got; (got = fread(bytes, 1, sizeof bytes, source)) > 0;)
            fwrite(bytes, 1, got, file.stream);
        if (ferror(source)) r = er_fail(context, ER_ERROR_FILE, "%s: cannot be read", from);
        r = batch_file_end(context, &file, r);
    }
    fclose(source);
    return r;
}

static er_result take_over(merge *m, const char *folder, const char *output, const char *path)
{
    char *from = batch_path("%s/%s", folder, path), *to = batch_path("%s/%s", output, path);
    er_result r = from != NULL && to != NULL ? ER_OK : eri_no_memory_for(m->context, "the shards");
    if (r == ER_OK) batch_bytes(from);
    if (r == ER_OK) batch_bytes(to);
    int error = r == ER_OK ? batch_make_folder_of(to) : 0;
    if (error != 0)
        r = er_fail(m->context, ER_ERROR_FILE, "%s: cannot be written (%s)", to, eri_platform_error_text(error));
    if (r == ER_OK) eri_platform_unlink(to);
    if (r == ER_OK && eri_platform_link(from, to) != 0) r = copy(m->context, from, to);
    free(from);
    free(to);
    return r;
}

static er_result take_over_all(merge *m, const char *output)
{
    er_result r = ER_OK;
    for (int i = 0; i < m->lines.count && r == ER_OK; ++i) {
        batch_line line = m->lines.entry[i].manifest;
        const char *folder = m->folder_of[line.file];
        if (same_folder(folder, output)) continue;
        size_t k;
        json_t *all = batch_lines_json(&m->lines, line), *item;
        json_array_foreach(json_object_get(all, "outputs"), k, item)
        {
            const char *path = json_string_value(json_object_get(item, "path"));
            // a path of a manifest never leads out of the folder
            bool below = path != NULL && path[0] != '/' && strstr(path, "../") == NULL;
            if (r == ER_OK && below) r = take_over(m, folder, output, path);
        }
        json_decref(all);
    }
    return r;
}

static er_result write_merged(merge *m, const batch_paths *p, const char *output, int *lock)
{
    int error = batch_make_folder(p->hidden);
    if (error != 0)
        return er_fail(m->context, ER_ERROR_FILE, "%s: cannot be made (%s)", p->hidden, eri_platform_error_text(error));
    er_result r = batch_lock(m->context, p->lock, false, lock);
    if (r == ER_OK) r = take_over_all(m, output);
    if (r == ER_OK) r = batch_lines_write(m->context, &m->lines, BATCH_MANIFEST, NULL, p->manifest);
    if (r == ER_OK) r = batch_lines_write(m->context, &m->lines, BATCH_TIMING, NULL, p->timings);
    return r == ER_OK ? batch_page_write(m->context, &m->lines, p->page) : r;
}

er_result batch_merge(er_context *context, int folder_count, const char *const *folder, const char *output, FILE *table,
                      batch_outcome *outcome)
{
    merge m = {.context = context};
    batch_paths paths = {0};
    int lock = -1;
    er_result r = ER_OK;
    *outcome = (batch_outcome){0};
    for (int i = 0; i < folder_count && r == ER_OK; ++i)
        r = find_shards(&m, folder[i]);
    if (r == ER_OK) r = check_shards(&m);
    if (r == ER_OK) r = read_shards(&m);
    if (r == ER_OK) r = check_options(&m);
    if (r == ER_OK) r = batch_paths_create(context, output, 0, 0, &paths);
    if (r == ER_OK) r = write_merged(&m, &paths, output, &lock);
    if (r == ER_OK) batch_lines_count(&m.lines, outcome);
    if (r == ER_OK && table != NULL) batch_table_print(&m.lines, table);
    if (lock >= 0) eri_platform_close(lock);
    batch_paths_free(&paths);
    batch_lines_free(&m.lines);
    free(m.folder_of);
    free(m.shard);
    return r;
}
