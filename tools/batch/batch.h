/// @file
/// Room `batch`: many models, each in a process of its own, written to a tree of outputs with a manifest, a page to
/// look at them and a journal that survives whatever ends the run (docs/batch.md).
///
/// What is done with a model is not this room's matter: the caller gives a function for it.
#ifndef ERI_TOOLS_BATCH_BATCH_H
#define ERI_TOOLS_BATCH_BATCH_H

#include <stdio.h>

#include <eigenrig/base.h>
#include <eigenrig/modal.h>

/// Where a model's time goes, and where it failed.
typedef enum batch_stage { BATCH_IMPORT, BATCH_RIG, BATCH_SOLVE, BATCH_WRITE } batch_stage;

enum { BATCH_STAGE_COUNT = 4 };

/// What is said about one model; the worker's function fills it.
typedef struct batch_report batch_report;

/// From now on time counts as this stage's, and a failure is one of it. BATCH_IMPORT at first. After an ER_ERROR_FILE
/// at BATCH_WRITE the folder of outputs is tried, and the batch ends where nothing can be written to it.
void batch_begin_stage(batch_report *report, batch_stage stage);

/// Another reason than that of the stage and result, if it fails now.   @param reason  static; NULL: none
void batch_set_reason(batch_report *report, const char *reason);

/// Something a user should know about the model; `text` is copied.
void batch_warn(batch_report *report, const char *text);

/// The figures of a model and its modes.
/// @param height  m; 0 where it is not known
void batch_measure(batch_report *report, const er_model *model, const er_modes *modes, double height);

/// A name in a list of the model's line. Texts are copied.
/// @param name  NULL: the list is there, and may stay empty
void batch_name(batch_report *report, const char *list, const char *name);

/// What a description's word of a kind ("joints") stands for in this model, in "matched" of its line.
/// @param name  NULL: nothing, as far as is known
void batch_match(batch_report *report, const char *kind, const char *word, const char *name);

/// Works on one model, in a process of its own; the context is new.
/// @param path  of the model
/// @param stem  of all files to write: append ".json", ".glb", ... They get to their place when all is done
/// Errors   any; the context's sentence becomes the model's error
typedef er_result batch_work(void *user, er_context *context, const char *path, const char *stem, batch_report *report);

/// Files beside a model that its result depends on, such as descriptions and poses.
typedef struct batch_dependencies batch_dependencies;

/// Adds one; `path` is copied.
void batch_add_dependency(batch_dependencies *dependencies, const char *path);

/// What a model refers to may lie outside its folder.
void batch_allow_outside(batch_dependencies *dependencies);

/// Names them all, in the model's own process.   @param path  of the model
typedef void batch_find_dependencies(void *user, const char *path, batch_dependencies *dependencies);

/// What came of a model, as it is told when its process ends. Texts are borrowed for the call.
typedef struct batch_result {
    const char *input;         ///< as in the manifest
    const char *reason;        ///< of the failure; NULL: it is done
    const char *error;         ///< likewise
    int bodies;                ///< 0 where it failed
    double lowest_hz, seconds; ///< of its elastic modes, 0: none; wall clock
    int warning_count;
    const char *warning; ///< the first; NULL: none
    int ended, all;      ///< models that ended so far, those that stand as an earlier run left them too; of how many
} batch_result;

/// What to do. Take batch_default_def(), then change fields.
typedef struct batch_def {
    const char *const *input; ///< [input_count] files, folders, globs, @LIST, - (standard input); borrowed
    int input_count;
    const char *output;  ///< folder, made where it is not there
    int jobs;            ///< processes at a time, >= 1                                               [cores]
    double timeout;      ///< s that a model may take, > 0                                            [300]
    double memory;       ///< bytes that a model may take, >= 64 MiB                                  [4 GiB]
    int shard, shards;   ///< the part of all models to do, 1 <= shard <= shards; 0 of 0: all         [0 0]
    bool resume;         ///< keep what an earlier run did of the same inputs, options and version    [false]
    const char *only;    ///< patterns of models, commas between; what is not like one stands as it did   [NULL]
    const char *options; ///< whatever changes results, as text                                      [""]
    batch_find_dependencies *find_dependencies; ///< or NULL [NULL]
    batch_work *work;
    void (*progress)(void *user, int done, int all);            ///< or NULL
    void (*finished)(void *user, const batch_result *finished); ///< of each that was worked on, at once; or NULL
    void *user;                                                 ///< handed to all
} batch_def;

batch_def batch_default_def(void);

/// What came of a batch.
typedef struct batch_outcome {
    int count;        ///< models that were named (of this shard)
    int done;         ///< of them, those with results
    int failed;       ///< those without; the rest was not come to
    int kept;         ///< of both, those that stand as an earlier run left them
    int gone;         ///< entries of an earlier run whose inputs were not named this time: left out
    bool interrupted; ///< by a signal
} batch_outcome;

/// Does all models. Each gets a process under limits; whatever becomes of it is one line of the manifest.
///
/// Written below `output`: the models' files, by the inputs' paths below their common folder; manifest.jsonl, a line a
/// model, sorted, the same bytes for any number of jobs; timings.jsonl; index.html (not for a shard). A shard's are
/// manifest.I-of-N.jsonl and timings.I-of-N.jsonl.
/// @param table    NULL, or where to print what came of each model
/// @param outcome  written
/// Errors   ER_ERROR_ARGUMENT (inputs that are not there, an output that holds a batch and no `resume`), ER_ERROR_FILE
///          (what cannot be written; a full disk), ER_ERROR_MEMORY, ER_ERROR_SYSTEM (no process; another batch works
///          there). What was done is kept for a run with `resume`
/// Threads  call while there is one thread; SIGINT, SIGTERM and SIGHUP end it cleanly meanwhile.
er_result batch_run(er_context *context, const batch_def *def, FILE *table, batch_outcome *outcome);

/// Joins the shards of a batch: their manifests, timings and files become those of one run, and the page is made.
/// @param folder   [folder_count], where shards wrote; files are linked or copied from those that are not `output`
/// @param outcome  written
/// Errors   ER_ERROR_ARGUMENT (no shards, missing ones, unfinished ones: says which), ER_ERROR_FILE, ER_ERROR_MEMORY,
///          ER_ERROR_SYSTEM
er_result batch_merge(er_context *context, int folder_count, const char *const *folder, const char *output, FILE *table,
                      batch_outcome *outcome);

#endif
