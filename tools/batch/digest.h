/// @file
/// SHA-256 of all that a result depends on.
#ifndef ERI_TOOLS_BATCH_DIGEST_H
#define ERI_TOOLS_BATCH_DIGEST_H

#include <stdint.h>

#include "tools/batch/batch.h"
#include "tools/batch/inputs.h"

enum { BATCH_DIGEST_SIZE = 65 }; ///< 64 hex digits and the end

/// The files of a model.
typedef struct batch_digest {
    char file[BATCH_DIGEST_SIZE];       ///< of the model's bytes; "" where it cannot be read
    char dependency[BATCH_DIGEST_SIZE]; ///< of the files that a glTF refers to, and of `besides`: names and contents;
                                        ///< "" for none
} batch_digest;

/// The files that were named; some may be equal.
struct batch_dependencies {
    int count;
    char *path[8];
    bool outside; // whether a glTF may refer to files outside its folder
};

/// @param besides  files that count as well
/// Errors   none: what cannot be read counts as missing.
void batch_digest_model(const char *path, const batch_dependencies *dependencies, batch_digest *out);

/// The SHA-256 of all keys, a line each.
void batch_digest_inputs(const batch_inputs *inputs, char out[BATCH_DIGEST_SIZE]);

/// The first 8 bytes of the SHA-256 of a text, the highest first.
uint64_t batch_digest_number(const char *text);

#endif
