/// @file
/// Collects the facts about a model in its process and writes them as a line of the manifest.
#ifndef ERI_TOOLS_BATCH_REPORT_H
#define ERI_TOOLS_BATCH_REPORT_H

#include "tools/batch/batch.h"
#include "tools/batch/digest.h"

#include <jansson.h>

struct batch_report {
    batch_stage stage;
    double began;                      // when, s
    double seconds[BATCH_STAGE_COUNT]; // of the stages that have ended
    json_t *figures;                   // NULL: not measured
    json_t *names;                     // lists of names, "matched", and values of the caller
    json_t *warnings;
    const char *fail_reason; // the reason, if the stage does not tell it; or NULL
    int answer;              // where to report that the model was read
};

/// The first members of every line.
typedef struct batch_identity {
    const char *key;
    const batch_digest *digest;
    const char *options;
} batch_identity;

/// Writes a line of worker.h to the parent; ends the process if the pipe is closed.
void batch_send(int answer, const char *text);

void batch_report_begin(batch_report *report, int answer);
void batch_report_end(batch_report *report); ///< frees what it holds

/// Makes the line of a model that succeeded.   @param outputs  array of {"path", "bytes"}; taken
/// Lines are to be freed; NULL without memory.
char *batch_line_done(const batch_identity *id, batch_report *report, json_t *outputs);

/// Makes the line of a model that failed.
/// @param report  NULL where its process died
char *batch_line_failed(const batch_identity *id, batch_report *report, const char *reason, const char *error);

/// The reason code of a failure.
const char *batch_reason(er_result r, batch_stage stage);

/// Whether a failure may pass on another try, because it did not come from the model's bytes alone.
bool batch_reason_may_pass(const char *reason);

/// Whether a line was made from the same files, options and version.
bool batch_line_is_of(const json_t *line, const batch_identity *id);

#endif
