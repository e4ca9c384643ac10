// What the harnesses share: a context with little memory, a folder for files, and mutations that keep JSON JSON.
// libFuzzer calls LLVMFuzzerTestOneInput() of each with inputs that it makes; a harness ends by a signal where a
// promise is broken.
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>

#include <eigenrig/formats.h>
#include <eigenrig/worlds.h>

#include "tools/importer/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/// A new context that has 256 MiB, so that refusals of memory are met too, and does not wait for the disk.
er_context *fuzz_context(void);

/// The path of a file in this process's folder, good until the 16th call from here; the folder goes at the end.
const char *fuzz_path(const char *name);

/// The same, with these bytes in the file.
const char *fuzz_file(const char *name, const void *bytes, size_t size);

/// Reads the bytes of a file as the importer does, by one of its readers.
/// @param arena  ER_OK or not: where not NULL, to be destroyed
er_result fuzz_read(er_context *context, er_result (*read)(imp_reader *, imp_bytes), const char *path, er_arena **arena,
                    er_scene **out);

/// The program ends where this does not hold: the sentence says what was promised.
void fuzz_promise(bool holds, const er_context *context, const char *sentence);

/// Whether two files hold the same bytes.
bool fuzz_same_files(const char *a, const char *b);

/// An answer of the importer through the pipe and back.
void fuzz_cross_wire(er_context *context, er_scene *scene);

/// Both scenes stand alike, in metres with +Y up: their nodes by index, or where there are more or fewer by name, at
/// rest or at four times of a clip.
/// @param a, b       clip or NULL: at rest; of a BVH without one, b is its frame
/// @param step       s between the times
/// @param tolerance  of a metre and of the scene's size
void fuzz_same_stance(er_context *context, const er_scene *x, const er_clip *a, const er_scene *y, const er_clip *b,
                      double step, double tolerance);

/// One to three changes of a JSON text that leave it JSON: values, keys and branches go, come, change places.
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t room, unsigned seed);

#endif
