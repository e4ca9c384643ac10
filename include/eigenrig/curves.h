/// @file
/// A motion as numbers, for spreadsheets (CSV) and for numpy (NPZ).
///
/// Joints and bodies have names in these files, all different: those of the model, "joint 3" or "body 3" (by index)
/// where there is none, " (2)", " (3)", ... appended from the second of a name on; bytes that are not UTF-8 become
/// U+FFFD. A coordinate is called by er_joint_type_freedom()'s names: tx ty tz for rotations about, x y z for shifts
/// along the axes of the joint's frame.
#ifndef EIGENRIG_CURVES_H
#define EIGENRIG_CURVES_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A motion; all of it borrowed. Numbers are finite, at most 1e50 in size.
typedef struct er_curves {
    const er_model *model; ///< names of joints and bodies
    int frame_count;       ///< >= 1
    const double *time;    ///< [frame_count], s, strictly ascending
    const double *q;       ///< [frame_count x coordinate_count], a row a frame: displacements from equilibrium, rad, m.
                           ///< A row x of er_motion_poses() has these first, and more where a root floats
    const er_pose *pose;   ///< [frame_count x body_count], a row a frame: world poses, m; NULL where there are none
} er_curves;

/// Writes joint coordinates as CSV (RFC 4180, lines ending in LF), a line a frame: "time_s", then a column
/// "JOINT.COORDINATE" for every coordinate in the order of q; seconds, degrees and metres, with as many digits as read
/// back the same double. Whole or not at all; a file that exists is replaced.
/// @param path  "-" writes to standard output
/// Errors   ER_ERROR_ARGUMENT (NULL; a time, a coordinate or a pose that may not be: named), ER_ERROR_FILE,
///          ER_ERROR_MEMORY
/// Memory   scratch: some twice the file.   Threads: one call per context at a time.
ER_API er_result er_curves_write_csv(er_context *context, const er_curves *curves, const char *path);

/// Writes an archive for numpy.load(), not compressed, the same bytes for the same motion; C order. With F frames,
/// J joints, C coordinates and B bodies:
///   time              [F]          float64, s
///   q                 [F x C]      float64, displacements from equilibrium, rad and m
///   joint_names       [J]          text
///   coordinate_names  [C]          text, "tx" ... "z"
///   coordinate_joint  [C]          int32, index into joint_names
///   body_names        [B]          text; this and the next only where there are poses
///   position          [F x B x 3]  float64, of body frames in the world, m
///   orientation       [F x B x 4]  float64, w x y z
/// Whole or not at all; a file that exists is replaced.
/// @param path  "-" writes to standard output
/// Errors   as er_curves_write_csv()
/// Memory   scratch: the file and its poses, in the context's; the file once more in libzip's, malloc.
/// Threads  one call per context at a time.
/// Source   numpy's format .npy 1.0 (numpy.lib.format), in a ZIP archive of stored entries (PKWARE APPNOTE 6.3).
ER_API er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path);

#ifdef __cplusplus
}
#endif
#endif
