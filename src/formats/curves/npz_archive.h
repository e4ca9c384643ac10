/// @file
/// Private: an archive of arrays for numpy under construction, a zip of NPY files.
#ifndef ERI_FORMATS_CURVES_NPZ_ARCHIVE_H
#define ERI_FORMATS_CURVES_NPZ_ARCHIVE_H

#include <zip.h>

#include <eigenrig/model.h>

#include "base/arena.h"

typedef struct eri_npz {
    er_context *context;
    er_arena *arena;
    const char *path;
    zip_source_t *store; ///< the archive's bytes
    zip_t *archive;
} eri_npz;

/// An array in C order.
typedef struct eri_npz_array {
    const char *name;
    char kind;       ///< 'f', 'i', 'c' or 'U'
    size_t width;    ///< bytes, of 'U' code points
    size_t shape[3]; ///< [dimensions]
    int dimensions;
    const void *data; ///< borrowed until the archive is saved
} eri_npz_array;

/// Adds an array.   Errors: ER_ERROR_MEMORY
er_result eri_npz_add(eri_npz *z, eri_npz_array a);

/// Adds doubles.   @param dimensions  0, one number alone, to 3
er_result eri_npz_add_numbers(eri_npz *z, const char *name, int dimensions, const size_t *shape, const double *data);

/// Adds doubles that lie in structures, [rows x columns]: of each structure the first `columns`, the last of `shape`.
/// @param rows      at the first double of the first
/// @param row_size  bytes from one to the next
er_result eri_npz_add_rows(eri_npz *z, const char *name, int dimensions, const size_t *shape, const void *rows,
                           size_t row_size);

/// Adds poses as "position" and "orientation" (w x y z).   @param pose  [frames x bodies]
er_result eri_npz_add_places(eri_npz *z, size_t frames, size_t bodies, const er_pose *pose);

/// Adds text of equal width, four bytes a code point, zeroes behind the last.   @param text  [count], UTF-8
er_result eri_npz_add_text(eri_npz *z, const char *name, int count, const char *const *text);

/// Adds what joints and their coordinates are called: joint_names, coordinate_names, coordinate_joint.
er_result eri_npz_add_joints(eri_npz *z, const er_model *model);

/// Adds what `data` has to an archive.
typedef er_result eri_npz_adder(eri_npz *z, const void *data);

/// Writes an archive whole or not at all.   Errors: ER_ERROR_MEMORY, ER_ERROR_FILE, and those of `add`
er_result eri_npz_write(er_context *context, const char *path, eri_npz_adder *add, const void *data);

#endif
