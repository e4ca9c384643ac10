/// @file
/// Room `batch`: processes many models, each in its own process. Writes a tree of outputs, a manifest, an HTML page and
/// a journal that survives an interrupted run (docs/batch.md). The caller supplies the function that works on a model.
#ifndef ERI_TOOLS_BATCH_BATCH_H
#define ERI_TOOLS_BATCH_BATCH_H

#include <stdio.h>

#include <eigenrig/base.h>
#include <eigenrig/modal.h>

/// Stages of the work on a model; times and failures are counted by stage.
typedef enum batch_stage { BATCH_IMPORT, BATCH_RIG, BATCH_SOLVE, BATCH_WRITE } batch_stage;

enum { BATCH_STAGE_COUNT = 4 };

/// The facts about one model, filled by the caller's function.
typedef struct batch_report batch_report;

/// Begins a stage: time and failures count towards it from now on. The first stage is BATCH_IMPORT. After ER_ERROR_FILE
/// in BATCH_WRITE the batch tests the output folder, and ends if nothing can be written there.
void batch_begin_stage(batch_report *report, batch_stage stage);

/// Overrides the reason that stage and result would give a failure.   @param reason  static; NULL: none
void batch_set_reason(batch_report *report, const char *reason);

/// Adds a warning about the model; `text` is copied.
void batch_warn(batch_report *report, const char *text);

/// Adds the figures of a model and its modes.
/// @param height  m; 0 where it is not known
void batch_measure(batch_report *report, const er_model *model, const er_modes *modes, double height);

/// Adds a JSON value to the model's line.
/// @param text  of the value; what is no JSON is left out
void batch_put(batch_report *report, const char *key, const char *text);

/// Adds a name to a list in the model's line. Texts are copied.
/// @param name  NULL creates the list, which may stay empty
void batch_name(batch_report *report, const char *list, const char *name);

/// Records what a pattern of a description matched in this model, under "matched" in its line.
/// @param name  NULL: no match so far
void batch_match(batch_report *report, const char *kind, const char *word, const char *name);

/// Works on one model in its own process, with a new context.
/// @param path  of the model
/// @param stem  path of the files to write without their endings; they are moved to their place when all succeed
/// Errors   any; the context's message becomes the model's error
typedef er_result batch_work(void *user, er_context *context, const char *path, const char *stem, batch_report *report);

/// Other files that a model's result depends on, such as descriptions and poses.
typedef struct batch_dependencies batch_dependencies;

/// Adds a file; `path` is copied.
void batch_add_dependency(batch_dependencies *dependencies, const char *path);

/// Allows references to files outside the model's folder.
void batch_allow_outside(batch_dependencies *dependencies);

/// Adds all files a model depends on; called in the model's own process.   @param path  of the model
typedef void batch_find_dependencies(void *user, const char *path, batch_dependencies *dependencies);

/// The result of a model, passed to `finished` when its process ends. Texts are borrowed for the call.
typedef struct batch_result {
    const char *input;         ///< as in the manifest
    const char *reason;        ///< of the failure; NULL: it is done
    const char *error;         ///< likewise
    int bodies;                ///< 0 where it failed
    double lowest_hz, seconds; ///< of its elastic modes, 0: none; wall clock
    int warning_count;
    const char *const *warning; ///< [warning_count]
    int ended, all;             ///< models finished so far, including those kept from an earlier run; total
} batch_result;

/// Options of a batch. Take batch_default_def(), then change fields.
typedef struct batch_def {
    const char *const *input; ///< [input_count] files, folders, globs, @LIST, - (standard input); borrowed
    int input_count;
    const char *output;  ///< folder, made where it is not there
    int jobs;            ///< processes at a time, >= 1                                               [cores]
    double timeout;      ///< s that a model may take, > 0                                            [300]
    double memory;       ///< bytes that a model may take, >= 64 MiB                                  [4 GiB]
    int shard, shards;   ///< the part of all models to do, 1 <= shard <= shards; 0 of 0: all         [0 0]
    bool resume;         ///< keep what an earlier run did of the same inputs, options and version    [false]
    const char *only;    ///< patterns of models, separated by commas; other models stay unchanged   [NULL]
    const char *name;    ///< of outputs without their endings, by batch_check_name()       [NULL: the input's name]
    const char *options; ///< the options that change results, as text                               [""]
    batch_find_dependencies *find_dependencies; ///< or NULL [NULL]
    batch_work *work;
    void (*progress)(void *user, int done, int all);            ///< or NULL
    void (*finished)(void *user, const batch_result *finished); ///< called after each model; or NULL
    void *user;                                                 ///< passed to all callbacks
} batch_def;

batch_def batch_default_def(void);

/// Checks a template of names: "{stem}" (needed) is the input's name without its ending, "{ending}" its ending without
/// the dot. "{clip}" is left to the caller's function, which finds it in the stem of its files. No slashes.
/// Errors   ER_ERROR_ARGUMENT
er_result batch_check_name(er_context *context, const char *name);

/// The outcome of a batch.
typedef struct batch_outcome {
    int count;        ///< models that were named (of this shard)
    int done;         ///< models with results
    int failed;       ///< models without results; the rest was not reached
    int kept;         ///< done and failed models kept from an earlier run
    int gone;         ///< entries of an earlier run whose inputs were not named again; dropped
    bool interrupted; ///< by a signal
} batch_outcome;

/// Processes all models. Each runs in a process with limits, and yields one line of the manifest in any case.
///
/// Writes below `output`: the models' files, by the inputs' paths below their common folder; manifest.jsonl, a line a
/// model, sorted, the same bytes for any number of jobs; timings.jsonl; index.html (not for a shard). A shard writes
/// manifest.I-of-N.jsonl and timings.I-of-N.jsonl.
/// @param table    NULL, or the stream for a table of results
/// @param outcome  written
/// Errors   ER_ERROR_ARGUMENT (inputs that are not there, an output that holds a batch and no `resume`), ER_ERROR_FILE
///          (cannot write; disk full), ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no process; another batch uses the folder). A
///          run with `resume` continues after an error
/// Threads  call while there is one thread; SIGINT, SIGTERM and SIGHUP end the batch cleanly.
er_result batch_run(er_context *context, const batch_def *def, FILE *table, batch_outcome *outcome);

/// Joins the shards of a batch: merges manifests, timings and files as if one run had made them, and writes the page.
/// @param folder   [folder_count], where shards wrote; files are linked or copied from those that are not `output`
/// @param outcome  written
/// Errors   ER_ERROR_ARGUMENT (no shards, missing ones, unfinished ones: says which), ER_ERROR_FILE, ER_ERROR_MEMORY,
///          ER_ERROR_SYSTEM
er_result batch_merge(er_context *context, int folder_count, const char *const *folder, const char *output, FILE *table,
                      batch_outcome *outcome);

#endif
