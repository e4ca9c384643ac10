/// @file
/// One model in a process of its own, and what that process tells its parent, line by line:
///   digest FILE BESIDE     as soon as it is known; "-" for ""
///   kept                   nothing changed: the earlier lines hold
///   imported               its file is read; what befalls it before is the importer's
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

/// What the parent has read of it; pointers into the text that was given.
typedef struct batch_answer {
    batch_digest digest;
    bool kept, imported, unwritten;
    double seconds[BATCH_STAGE_COUNT];
    const char *line; ///< NULL: it ended before it had one
} batch_answer;

/// Takes what every process needs, once, for the processes forked from this one.
/// Errors   ER_ERROR_MEMORY
er_result batch_worker_prepare(er_context *context);

/// Does the model and ends the process.
_Noreturn void batch_worker(const batch_job *job);

/// Takes a text apart, which is changed.
void batch_answer_read(char *text, size_t size, batch_answer *out);

#endif
