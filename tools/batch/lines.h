/// @file
/// Lines of manifests, timings and journals, left in their files and found by a model's key. Ten thousand models take a
/// megabyte, so that forked processes start small.
#ifndef ERI_TOOLS_BATCH_LINES_H
#define ERI_TOOLS_BATCH_LINES_H

#include <stdint.h>
#include <stdio.h>

#include <eigenrig/base.h>
#include <jansson.h>

/// A line in a file, without its end.
typedef struct batch_line {
    int file; ///< index into batch_lines.file
    int64_t at;
    size_t length; ///< 0: there is none
} batch_line;

typedef struct batch_entry {
    char *key;
    batch_line manifest, timing;
} batch_entry;

enum { BATCH_MANIFEST, BATCH_TIMING };

typedef struct batch_lines {
    int count, room;
    batch_entry *entry; ///< [count], ascending by key
    int file_count, file_room;
    int *file; ///< [file_count], open for reading; closed by batch_lines_free()
} batch_lines;

/// Adds an entry without lines at the end; keys must come ascending, or batch_lines_sort() must follow.
/// Errors   ER_ERROR_MEMORY
er_result batch_lines_add(er_context *context, batch_lines *lines, const char *key);
void batch_lines_sort(batch_lines *lines);

/// The index of a key, -1 if absent.
int batch_lines_find(const batch_lines *lines, const char *key);

/// Adds a file of lines.   @param file  open for reading; owned by `lines` from now on
/// Errors   ER_ERROR_MEMORY; the file is closed then
er_result batch_lines_take(er_context *context, batch_lines *lines, int file, int *index);

/// Called with each whole line of JSON that has a key. A result other than ER_OK ends the reading.
typedef er_result batch_line_reader(void *user, const char *key, batch_line line);

/// Reads the lines of a file; skips lines that are no JSON objects with an "input".
/// @param end  NULL, or written: where the last whole line ends
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY, the reader's
er_result batch_lines_read(er_context *context, batch_lines *lines, int file, batch_line_reader *reader, void *user,
                           int64_t *end);

/// A line as text, to be freed; NULL without memory, or where the file cannot be read or the line is none.
char *batch_lines_text(const batch_lines *lines, batch_line line);
json_t *batch_lines_json(const batch_lines *lines, batch_line line);

/// Writes the lines of one kind, whole or not at all.
/// @param kind   BATCH_MANIFEST or BATCH_TIMING
/// @param first  a line before them; NULL for none
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result batch_lines_write(er_context *context, const batch_lines *lines, int kind, const char *first,
                            const char *path);

void batch_lines_free(batch_lines *lines);

#endif
