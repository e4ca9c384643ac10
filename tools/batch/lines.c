// Lines of manifests, timings and journals, left in their files and found by a model's key.
#include "tools/batch/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/batch/folder.h"

// Makes room for one more of `size` bytes each.
static bool grow(void **array, int count, int *room, size_t size)
{
    if (count < *room) return true;
    int more = *room > 0 ? 2 * *room : 64;
    void *grown = realloc(*array, (size_t)more * size);
    if (grown == NULL) return false;
    *array = grown;
    *room = more;
    return true;
}

er_result batch_lines_add(er_context *context, batch_lines *lines, const char *key)
{
    void *entries = lines->entry;
    bool grown = grow(&entries, lines->count, &lines->room, sizeof *lines->entry);
    char *copy = grown ? strdup(key) : NULL;
    lines->entry = entries;
    if (copy == NULL) return eri_no_memory_for(context, "the manifest");
    lines->entry[lines->count++] = (batch_entry){.key = copy};
    return ER_OK;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const batch_entry *)a)->key, ((const batch_entry *)b)->key);
}

void batch_lines_sort(batch_lines *lines)
{
    if (lines->count > 0) qsort(lines->entry, (size_t)lines->count, sizeof *lines->entry, by_key);
}

int batch_lines_find(const batch_lines *lines, const char *key)
{
    batch_entry wanted = {.key = (char *)(uintptr_t)key};
    if (lines->count == 0) return -1;
    const batch_entry *found = bsearch(&wanted, lines->entry, (size_t)lines->count, sizeof wanted, by_key);
    return found != NULL ? (int)(found - lines->entry) : -1;
}

er_result batch_lines_take(er_context *context, batch_lines *lines, int file, int *index)
{
    void *files = lines->file;
    bool grown = grow(&files, lines->file_count, &lines->file_room, sizeof *lines->file);
    lines->file = files;
    if (!grown) {
        eri_platform_close(file);
        return eri_no_memory_for(context, "the manifest");
    }
    *index = lines->file_count;
    lines->file[lines->file_count++] = file;
    return ER_OK;
}

er_result batch_lines_read(er_context *context, batch_lines *lines, int file, batch_line_reader *reader, void *user,
                           int64_t *end)
{
    int own = eri_platform_duplicate(lines->file[file]); // fclose() closes it
    FILE *stream = own >= 0 ? eri_platform_stream(own, "r") : NULL;
    if (stream == NULL) {
        if (own >= 0) eri_platform_close(own);
        return er_fail(context, ER_ERROR_FILE, "the manifest cannot be read (%s)", eri_platform_error_text(errno));
    }
    er_result r = ER_OK;
    char *text = NULL;
    size_t room = 0;
    int64_t at = 0;
    rewind(stream);
    for (ptrdiff_t got;
         r == ER_OK && (got = eri_platform_read_line(&text, &room, '\n', stream)) > 0 && text[got - 1] == '\n';
         at += got) {
        json_t *line = json_loadb(text, (size_t)got, 0, NULL);
        const char *key = json_string_value(json_object_get(line, "input"));
        if (key != NULL) r = reader(user, key, (batch_line){file, at, (size_t)got - 1});
        json_decref(line);
    }
    if (end != NULL) *end = at;
    if (r == ER_OK && ferror(stream)) r = er_fail(context, ER_ERROR_FILE, "the manifest cannot be read");
    free(text);
    fclose(stream);
    return r;
}

char *batch_lines_text(const batch_lines *lines, batch_line line)
{
    char *text = line.length > 0 ? malloc(line.length + 1) : NULL;
    if (text == NULL) return NULL;
    if (eri_platform_read_at(lines->file[line.file], text, line.length, line.at) != (ptrdiff_t)line.length) {
        free(text);
        return NULL;
    }
    text[line.length] = '\0';
    return text;
}

json_t *batch_lines_json(const batch_lines *lines, batch_line line)
{
    char *text = batch_lines_text(lines, line);
    json_t *value = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return value;
}

er_result batch_lines_write(er_context *context, const batch_lines *lines, int kind, const char *first,
                            const char *path)
{
    batch_file file;
    er_result r = batch_file_begin(context, path, &file);
    if (r != ER_OK) return r;
    if (first != NULL) fprintf(file.stream, "%s\n", first);
    for (int i = 0; i < lines->count && r == ER_OK; ++i) {
        batch_line line = kind == BATCH_MANIFEST ? lines->entry[i].manifest : lines->entry[i].timing;
        if (line.length == 0) continue; // a model that an interrupted run did not reach
        char *text = batch_lines_text(lines, line);
        if (text == NULL)
            r = er_fail(context, ER_ERROR_FILE, "%s: the lines of earlier runs cannot be read again", path);
        if (text != NULL) fprintf(file.stream, "%s\n", text);
        free(text);
    }
    return batch_file_end(context, &file, r);
}

void batch_lines_free(batch_lines *lines)
{
    for (int i = 0; i < lines->count; ++i)
        free(lines->entry[i].key);
    for (int i = 0; i < lines->file_count; ++i)
        eri_platform_close(lines->file[i]);
    free(lines->entry);
    free(lines->file);
    *lines = (batch_lines){0};
}
