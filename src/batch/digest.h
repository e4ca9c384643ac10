/// @file
/// What a result depends on, as SHA-256.
#ifndef ER_BATCH_DIGEST_H
#define ER_BATCH_DIGEST_H

#include <stdint.h>

enum { BATCH_DIGEST_SIZE = 65 }; ///< 64 hex digits and the end

/// The files of a model.
typedef struct batch_digest {
    char file[BATCH_DIGEST_SIZE];   ///< of the model's bytes; "" where it cannot be read
    char beside[BATCH_DIGEST_SIZE]; ///< of what a glTF refers to, and of `also`: names and contents; "" for none
} batch_digest;

/// @param also  files that count as well, NULL-ended
/// Errors   none: what cannot be read counts as missing.
void batch_digest_model(const char *path, const char *const *also, batch_digest *out);

/// The first 8 bytes of the SHA-256 of a text, the highest first.
uint64_t batch_digest_number(const char *text);

#endif
