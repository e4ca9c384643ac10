/// @file
/// Small models made on the spot, and a folder of their own to write them to.
#ifndef TESTS_SUPPORT_SAMPLE_H
#define TESTS_SUPPORT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_SIZE = 344, SAMPLE_POSITION = 0, SAMPLE_WEIGHT = 64, SAMPLE_INDEX = 128, SAMPLE_TIME = 272 };

/// The sample's buffer, little-endian: 4 positions, 4 x 4 joint bytes, 4 x 4 weights, 6 short indices, 2 inverse bind
/// matrices, 3 key times, 3 rotations and 2 loose floats.
void sample_buffer(uint8_t out[SAMPLE_SIZE]);

/// A strip of two triangles on two joints with one clip, as glTF with its buffer inside. To be freed.
char *sample_gltf(const uint8_t buffer[SAMPLE_SIZE]);

/// The same as GLB. To be freed.
uint8_t *sample_glb(const uint8_t buffer[SAMPLE_SIZE], size_t *size);

/// A GLB of a JSON text and a BIN chunk. To be freed.
uint8_t *sample_pack(const char *text, const uint8_t *bytes, size_t count, size_t *size);

/// `text` with `find`, which it must hold, put for `by`. To be freed, as is `text`, which it takes.
char *sample_replace(char *text, const char *find, const char *by);

/// A walking stick of three joints and two frames in BVH.
extern const char sample_bvh[];

/// A folder for this process, made when first asked for; sample_remove_folder() removes it and all in it.
const char *sample_folder(void);
void sample_remove_folder(void);

/// The path of a file in the folder; four are kept at a time.
const char *sample_path(const char *name);

/// Writes a file in the folder.   @return  its path, until the next call.
const char *sample_write(const char *name, const void *bytes, size_t size);

/// The folder of real models: EIGENRIG_RIGS, or shared/rigs beside the source's.
const char *sample_rigs(void);

/// The path of one of them, until the next call; NULL, and a sentence printed, where it is not there.
const char *sample_rig(const char *file);

#endif
