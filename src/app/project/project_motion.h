/// @file
/// Mixes become motions, and motions become clips: for `animate`, `palette`, scripts and the session.
#ifndef ERI_APP_PROJECT_PROJECT_MOTION_H
#define ERI_APP_PROJECT_PROJECT_MOTION_H

#include <eigenrig/identity.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Receives notes and warnings for the user: sentences without a full stop. All zeros: nobody listens.
typedef struct project_listener {
    void (*notify)(void *user, er_note_kind kind, const char *text);
    void *user;
} project_listener;

/// Sends a note to a listener, which may be NULL or all zeros.
void project_notify(const project_listener *listener, er_note_kind kind, const char *format, ...) ER_PRINTF(3, 4);

/// Reads a mix from a text: the path of a mix file (see project_names_file()), or components in words.
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (malformed words), and as er_mix_file_read()
er_result project_read_mix(er_context *context, const char *text, er_mix **out);

/// Whether the text of a mix has names of modes, which er_mode_names_in_mix() replaces. A path has none.
bool project_mix_has_names(const char *text);
bool project_names_file(const char *text); ///< it ends in .json, is "-", or such a file exists

/// Whether the path is a folder.
bool project_is_folder(const char *path);

/// How many elastic modes mixes need: up to their highest index, and twice as many if modes are found by shape. At
/// least `usual`; 0: all.
int project_modes_of_mixes(const er_model *model, er_mix *const *mix, int count, int usual);

/// The body of the first node that matches a pattern and belongs to a body; -1: none.
/// @param rig  NULL for a rig file, which has no nodes
int project_find_node(const er_rig *rig, const char *pattern);

/// Finds a mix's modes by shape, as er_mix_fit(), and reports modes that are less alike or have another index. An
/// amplitude at a node that is no bone applies to the node's body.
/// @param rig  NULL for a rig file
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
er_result project_fit_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                          const er_mix *mix, const project_listener *listener, er_mix **out);

/// Whether a component has an attack, a decay or damping. A mix without one, and without a duration, loops.
bool project_has_envelope(const er_mix *mix);

/// Whether a mode decays by itself.
bool project_any_damping(const er_modes *modes);

/// Makes a motion as er_motion_create(), and warns of modes that are too fast for the frame rate, move nothing, or play
/// at another frequency than requested.
/// @param def  its fps is that of the clip
er_result project_make_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                              const er_motion_def *def, const project_listener *listener, er_motion **out);

/// Warns if planting leaves little of a mix.
/// @param def      that the motion was made with
/// @param planted  the motion
/// Errors   as er_motion_create() and er_motion_poses()
er_result project_warn_planted(er_context *context, const er_modes *modes, const er_mix *mix, const er_motion_def *def,
                               er_motion *planted, const project_listener *listener);

/// Rounds the duration of a loop to whole frames, at least one, s. A loop with a part of a frame would stutter.
double project_whole_frames(double duration, double fps);

/// Finds the clip below a mix. A clip without duration is left out with a warning; without a listener it is an error.
/// @param scene  NULL for a rig file, which has no clips
/// @param name   NULL: none
/// @param out    written; NULL for none
/// Errors   ER_ERROR_ARGUMENT, and as er_scene_find_clip()
er_result project_find_over(er_context *context, const er_scene *scene, const char *name,
                            const project_listener *listener, const er_clip **out);

/// A copy of a mix with its amplitudes scaled by `share`, >= 0.
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
er_result project_scale_mix(er_context *context, const er_mix *mix, double share, er_mix **out);

/// Makes a motion. Its amplitudes are scaled down where loops of joints cannot follow (er_motion_reach()).
/// @param fps    frames a second to check
/// @param share  written: the scale; 1 without loops
/// @param out    ER_OK: a new object for er_motion_destroy(); otherwise NULL
/// Errors   as er_motion_create()
er_result project_reach_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                               const er_motion_def *def, double fps, double *share, er_motion **out);

/// Records a motion as er_motion_record(). A rig with loops gets cubic keys, since linear ones would open the loops
/// between frames. Warns if a tolerance opens loops.
er_result project_record_motion(er_context *context, er_motion *motion, const er_recording_target *target,
                                const er_recording_def *def, const project_listener *listener, er_recording **out);

/// Clips of the elastic modes.
typedef struct project_palette {
    int count;
    er_recording **recording; ///< [count]
} project_palette;

/// Called with the progress of some work; returns whether to go on. All zeros: nobody is called.
typedef struct project_progress {
    bool (*step)(void *user, int done, int all);
    void *user;
} project_progress;

/// Records one period of every elastic mode held as a looping clip named "mode 03  tail sways  1.42 Hz". A mode that is
/// too fast or too slow for a clip is left out; one whose loops of joints cannot follow gets a smaller amplitude. Both
/// are told, and so is a palette without clips.
/// @param whole_body  leave out modes that er_mode_name.whole_body says are none
/// @param names    of these modes; NULL: clips are named "mode 03  1.42 Hz"
/// @param rig      for project_bound_modes()
/// @param degrees  amplitude, > 0; 0: as far as project_bound_modes() allows, which is told
/// @param out      ER_OK: for project_palette_clear(); otherwise all zeros
/// Errors   as er_motion_create() and er_motion_record(); ER_ERROR_ARGUMENT (the progress ended it)
er_result project_record_palette(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                 const er_mode_names *names, bool whole_body, double degrees,
                                 const er_recording_target *target, const project_listener *listener,
                                 const project_progress *progress, project_palette *out);
void project_palette_clear(project_palette *palette); ///< all zeros are fine

#endif
