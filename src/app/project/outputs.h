/// @file
/// The table of output formats for motions, by the ending of a path.
#ifndef ERI_APP_PROJECT_OUTPUTS_H
#define ERI_APP_PROJECT_OUTPUTS_H

#include <eigenrig/formats.h>
#include <eigenrig/gait.h>
#include <eigenrig/motion.h>

#include "app/project/project_motion.h"

/// Motions of a rig, recorded; all borrowed.
typedef struct project_clips {
    const er_model *model;
    const er_modes *modes;
    const er_scene *source; ///< the file's own, so that a BVH keeps its channels; NULL for a rig file
    const er_recording_target *target;
    double fps; ///< of curves
    int count;  ///< >= 1
    er_mix *const *mix;
    er_motion *const *motion;       ///< [count]
    er_recording *const *recording; ///< [count]; not looked at for curves
    const er_gait_motion *gait;     ///< its frames are the curves, since a mix does not hold feet; NULL: the mix's
    const er_clip *over;            ///< the clip below the recordings; NULL: none
    bool travels;                   ///< of a gait: with root motion
    bool only_new;                  ///< without the model's own clips
} project_clips;

typedef struct project_format {
    const char *end;        ///< of a path, lower case
    const char *name;       ///< for people
    bool single;            ///< it holds one motion
    bool curves;            ///< it holds the coordinates of joints, no clips
    er_scene_writer *scene; ///< NULL: it holds no scene
    er_result (*write)(er_context *, const project_clips *, const char *path); ///< if `scene` is NULL
} project_format;

/// All of them, those that hold many clips first.
enum {
    PROJECT_GLB,
    PROJECT_GLTF,
    PROJECT_VRM,
    PROJECT_VRMA,
    PROJECT_FBX,
    PROJECT_PAGE,
    PROJECT_COLLADA,
    PROJECT_BVH,
    PROJECT_CSV,
    PROJECT_NPZ,
    PROJECT_SVG,
    PROJECT_FORMAT_COUNT
};
extern const project_format project_formats[PROJECT_FORMAT_COUNT];

/// By the path's ending, in any case; that of .glb for "-"; NULL for none of them.
const project_format *project_find_format(const char *path);

/// Whether a format holds a scene with many clips; NULL does not.
bool project_holds_clips(const project_format *format);

/// ".glb, .gltf, ... or .svg".   @param many  those that hold a scene with many clips   Memory: static.
const char *project_format_endings(bool many);

/// Writes every motion in the format of the path's ending, which must be known; only the first if the format holds one.
/// Warns if the format leaves out the clip below the recordings, or the root motion of a gait.
/// Errors   as the writer; ER_ERROR_MEMORY
er_result project_write_clips(er_context *context, const project_clips *r, const project_listener *listener,
                              const char *path);

enum { PROJECT_CLIP_NAME = 100 }; ///< bytes of a clip's name in a file's name

/// A clip's name as a part of a file's name: spaces, and letters that some system refuses in names, become "_".
void project_clip_name(const char *clip, char out[PROJECT_CLIP_NAME]);

/// Writes takes as clips of their target's scene, before its own clips or alone, in the format of the path's ending,
/// which must hold that many. If "{clip}" stands in the path, each take gets a file of its own, with its name there and
/// without the scene's clips. Errors   as the writer; ER_ERROR_MEMORY
er_result project_write_takes(er_context *context, const er_recording_target *target, int count,
                              er_recording *const *recording, bool only_new, const char *path);

/// Draws the first motion and the spectrum of its modes, SVG.
er_result project_write_plot(er_context *context, const project_clips *r, const char *path);

#endif
