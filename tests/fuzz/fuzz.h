// Shared by the harnesses: a context with little memory, a folder for files, and mutations that keep JSON valid.
// libFuzzer calls LLVMFuzzerTestOneInput() of each with inputs that it makes; a harness ends by a signal if a promise
// is broken.
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>

#include <eigenrig/formats.h>
#include <eigenrig/worlds.h>

#include "formats/import/scene_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

/// A new context with 256 MiB, so that allocations fail too; it does not wait for the disk.
er_context *fuzz_context(void);

/// The path of a file in this process's folder, good until the 16th call from here; the folder goes at the end.
const char *fuzz_path(const char *name);

/// The same, with these bytes in the file.
const char *fuzz_file(const char *name, const void *bytes, size_t size);

/// Reads the bytes of a file as the importer does, by one of its readers.
/// @param arena  ER_OK or not: where not NULL, to be destroyed
er_result fuzz_read(er_context *context, er_result (*read)(imp_reader *, imp_bytes), const char *path, er_arena **arena,
                    er_scene **out);

/// Reads the same bytes in memory: a scene if fuzz_read() made one, or one line that begins with the name. Bytes that
/// need decoders or files are refused.
/// @param read  whether fuzz_read() took the bytes for such a model
void fuzz_import_bytes(er_context *context, const uint8_t *data, size_t size, bool read);

/// Ends the program if a promise does not hold; the sentence names the promise.
void fuzz_promise(bool holds, const er_context *context, const char *sentence);

/// Whether two files hold the same bytes.
bool fuzz_same_files(const char *a, const char *b);

/// An answer of the importer through the pipe and back.
void fuzz_cross_wire(er_context *context, er_scene *scene);

/// Fails unless both scenes stand alike, in metres with +Y up: at rest or at four times of a clip. Nodes are paired by
/// index, or by name if their numbers differ.
/// @param a, b       clip or NULL: at rest; of a BVH without one, b is its frame
/// @param step       s between the times
/// @param tolerance  of a metre and of the scene's size
void fuzz_same_stance(er_context *context, const er_scene *x, const er_clip *a, const er_scene *y, const er_clip *b,
                      double step, double tolerance);

/// Makes one to three changes of a JSON text that keep it valid: values, keys and branches are removed, added, swapped.
size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t room, unsigned seed);

#endif
