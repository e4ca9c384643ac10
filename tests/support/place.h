// The folder of a test of a scene writer, and the promises of all writers.
#ifndef TESTS_SUPPORT_PLACE_H
#define TESTS_SUPPORT_PLACE_H

#include <eigenrig/formats.h>

#include "base/arena.h"
#include "ledger.h"

typedef struct place {
    ledger ledger;
    er_context *context; // whose memory goes by it
    er_context *own;
    er_arena *arena; // of the scenes
    char folder[64];
    char out[128], again[128], beside[128]; // in it
} place;

// A place with names for its files, or an error for cmocka. It may be closed either way.
int place_open(void **state, const char *out, const char *again, const char *beside);

// Removes all; an error where memory was not given back.
int place_close(void **state);

// How many files lie in the folder; removes them when asked to.
int files(const place *p, bool sweep);

// One line that names this, and a folder as it was.
void assert_refused(place *p, er_scene_writer *write, const er_scene *scene, const er_clip *clip, const char *path,
                    er_result expected, const char *named);

// Missing arguments, and paths of other formats, are refused.
void assert_arguments_refused(place *p, er_scene_writer *write, const er_scene *scene, const char *ending);

// Scenes that are not valid are refused: a clip of a node that does not exist, a node without a place.
void assert_broken_refused(place *p, er_scene_writer *write, er_scene *scene);

// For the path "-" a file goes to standard output: the same as goes to `path`.
void assert_goes_to_standard_output(place *p, er_scene_writer *write, const er_scene *scene, const char *path);

// Fails the k-th allocation of a ledger for k = 0, 1, ...: an error (ER_ERROR_MEMORY, or `other`), nothing written,
// nothing leaked, then success; what was written is gone then.
void assert_outlasts_memory(place *p, er_scene_writer *write, ledger *fails, const er_scene *scene, int clip_count,
                            const er_clip *clip, const char *path, er_result other);

#endif
