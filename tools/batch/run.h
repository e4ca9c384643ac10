/// @file
/// Paths in the folder of a batch, and the outputs that runs and merges both write.
#ifndef ERI_TOOLS_BATCH_RUN_H
#define ERI_TOOLS_BATCH_RUN_H

#include "tools/batch/batch.h"
#include "tools/batch/lines.h"

enum { BATCH_TEXT_SIZE = 1 << 14 }; ///< of any path as batch_utf8() writes it, or a sentence

/// Paths of the files that a run keeps.
typedef struct batch_paths {
    char *manifest, *timings;        ///< manifest.jsonl or manifest.I-of-N.jsonl, ...
    char *page;                      ///< index.html
    char *hidden;                    ///< .batch
    char *lock;                      ///< .batch/lock: exclusive for a whole run, shared by shards
    char *own;                       ///< .batch/whole or .batch/I-of-N
    char *own_lock, *journal, *work; ///< in `own`: the journal
    char *ledger;                    ///< likewise: lines of all outputs there ever were, for outputs.c
    char *trial;                     ///< likewise: written to test whether the folder can be written
} batch_paths;

/// @param shard  of `shards`; 0 of 0: the whole
/// Errors   ER_ERROR_MEMORY
er_result batch_paths_create(er_context *context, const char *output, int shard, int shards, batch_paths *out);
void batch_paths_free(batch_paths *paths);

/// Counts models, those that are done and those that failed.
void batch_lines_count(const batch_lines *lines, batch_outcome *outcome);

/// The frequency of the lowest elastic mode in a line of the manifest; 0 if there is none.
double batch_line_lowest_hz(const json_t *line);

/// Writes the HTML page (page.c).
er_result batch_page_write(er_context *context, const batch_lines *lines, const char *path);

/// Prints the results of all models as a table (table.c).
void batch_table_print(const batch_lines *lines, FILE *out);

#endif
