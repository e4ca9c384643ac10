/// @file
/// Measured forces of the ground on bodies: the CSV of a force plate.
#ifndef ERI_APP_PROJECT_FORCE_PLATE_H
#define ERI_APP_PROJECT_FORCE_PLATE_H

#include <eigenrig/plots.h>

/// The contents of a file.
typedef struct force_plate {
    int row_count;   ///< >= 1
    int body_count;  ///< bodies that it names, >= 1
    int *body;       ///< [body_count]
    double *time;    ///< [row_count], s, strictly ascending
    er_wrench *load; ///< [row_count x body_count], about the world's origin, world axes
} force_plate;

/// Reads a file with the columns "time_s", and "BODY.force_x" y z, "BODY.centre_x" y z of each body, in any order.
/// "BODY.twist" is 0 where it is missing. Other columns are ignored, so that er_loads_write_csv()'s files can be read.
/// @param up   world, unit: twists are about it
/// @param out  for force_plate_clear(), whatever the result
/// Errors   ER_ERROR_FILE, ER_ERROR_FORMAT (names the line or the column), ER_ERROR_MEMORY
er_result force_plate_read(er_context *context, const er_model *model, er_vec3 up, const char *path, force_plate *out);

/// The wrench on the i-th body at a time, linear between rows.
er_wrench force_plate_at(const force_plate *plate, int i, double time);

void force_plate_clear(force_plate *plate); ///< all zeros are fine

#endif
