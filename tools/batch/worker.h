/// @file
/// Works on one model in its own process, which sends its parent these lines:
///   digest FILE BESIDE     as soon as it is known; "-" for ""
///   kept                   nothing changed: the earlier line is still valid
///   imported               the file was read; earlier failures are the importer's
///   timing IMPORT RIG SOLVE WRITE
///   unwritten              before the line of a model that could not be written
///   {...}                  the line of the manifest, last
#ifndef ERI_TOOLS_BATCH_WORKER_H
#define ERI_TOOLS_BATCH_WORKER_H

#include "tools/batch/batch.h"
#include "tools/batch/digest.h"
#include "tools/batch/inputs.h"

/// A model and its places.
typedef struct batch_job {
    const batch_def *def;
    const batch_input *input;
    const char *earlier; ///< its line of an earlier run, or NULL
    const char *work;    ///< an empty folder of its own to write in
    int answer;          ///< a pipe's end
} batch_job;

/// The lines parsed by the parent; pointers into the given text.
typedef struct batch_answer {
    batch_digest digest;
    bool kept, imported, unwritten;
    double seconds[BATCH_STAGE_COUNT];
    const char *line; ///< NULL: the process ended before it sent one
} batch_answer;

/// Loads once what all forked workers need.
/// Errors   ER_ERROR_MEMORY
er_result batch_worker_prepare(er_context *context);

/// Works on the model and ends the process.
_Noreturn void batch_worker(const batch_job *job);

/// Parses the lines of a worker. Changes the text.
void batch_answer_read(char *text, size_t size, batch_answer *out);

#endif
