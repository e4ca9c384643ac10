/// @file
/// Mixes as motions and motions as clips: what `animate`, `palette`, scripts and the session record alike.
#ifndef ERI_APP_PROJECT_PROJECT_MOTION_H
#define ERI_APP_PROJECT_PROJECT_MOTION_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Who is told what a user should know of work that goes on: sentences without a stop. All zeros: nobody.
typedef struct project_listener {
    void (*notify)(void *user, er_note_kind kind, const char *text);
    void *user;
} project_listener;

/// Tells it; NULL and all zeros are fine.
void project_notify(const project_listener *listener, er_note_kind kind, const char *format, ...) ER_PRINTF(3, 4);

/// A mix as a text says it: a mix file, where the text ends in .json, is "-" or there is a file of that name; or words.
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (words that are off), and as er_mix_file_read()
er_result project_read_mix(er_context *context, const char *text, er_mix **out);
bool project_names_file(const char *text); ///< whether such a text is a file

/// Whether there is a folder of this name.
bool project_is_folder(const char *path);

/// How many elastic modes to solve for, so that mixes find theirs: up to the highest index, and, where shapes are to be
/// found, as many again; `usual`, where that is more or 0, all.
int project_modes_of_mixes(const er_model *model, er_mix *const *mix, int count, int usual);

/// The body of the first node that goes with one and whose name is like a pattern; -1: none.
/// @param rig  NULL: of a rig file, which has no nodes
int project_find_node(const er_rig *rig, const char *pattern);

/// Finds a mix's modes by shape, as er_mix_fit(), and tells of those that are not very like, or have moved. An
/// amplitude at a node that is no bone is one at the body that the node goes with.
/// @param rig  NULL: of a rig file
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
er_result project_fit_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                          const er_mix *mix, const project_listener *listener, er_mix **out);

/// Whether any of its components swells or dies away. A mix that does not, and of which nobody says how long it lasts,
/// loops.
bool project_has_envelope(const er_mix *mix);

/// As er_motion_create(); tells of modes too fast for the frames, that move nothing, or play at another frequency than
/// was asked.
/// @param def  its fps are those of the clip
er_result project_make_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                              const er_motion_def *def, const project_listener *listener, er_motion **out);

/// Warns where planting takes most of a mix: one that moves little but what is planted.
/// @param def      as the motion was made by
/// @param planted  that motion
/// Errors   as er_motion_create() and er_motion_poses()
er_result project_warn_planted(er_context *context, const er_modes *modes, const er_mix *mix, const er_motion_def *def,
                               er_motion *planted, const project_listener *listener);

/// The nearest duration of whole frames, one at least, s: what a loop is to last, which stutters where its last frame
/// is cut short.
double project_whole_frames(double duration, double fps);

/// The clip that a mix is to lie upon. One without duration, a pose, is told and left out; where there is no listener
/// it is an error.
/// @param scene  NULL for a rig file, which has none
/// @param name   NULL: none is wanted
/// @param out    NULL where there is none
/// Errors   ER_ERROR_ARGUMENT, and as er_scene_find_clip()
er_result project_find_over(er_context *context, const er_scene *scene, const char *name,
                            const project_listener *listener, const er_clip **out);

/// A copy of a mix with a share of its amplitudes, >= 0.
/// @param out  ER_OK: a new object for er_mix_destroy(); otherwise NULL
er_result project_scale_mix(er_context *context, const er_mix *mix, double share, er_mix **out);

/// A motion at its full amplitudes, or, where loops of joints cannot follow, as far as they do: er_motion_reach().
/// @param fps    frames a second that it is looked at
/// @param share  written: of the amplitudes; 1 without loops
/// @param out    ER_OK: a new object for er_motion_destroy(); otherwise NULL
/// Errors   as er_motion_create()
er_result project_reach_motion(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                               const er_motion_def *def, double fps, double *share, er_motion **out);

/// Records a motion, as er_motion_record(); with tangents where every frame is a key and the rig has loops, which lines
/// would part between frames. Tells of loops that a tolerance parts.
er_result project_record_motion(er_context *context, er_motion *motion, const er_recording_target *target,
                                const er_recording_def *def, const project_listener *listener, er_recording **out);

/// A clip of every elastic mode that has one.
typedef struct project_palette {
    int count;
    er_recording **recording; ///< [count]
} project_palette;

/// Who is told how much of a work is done, and says whether to go on. All zeros: nobody.
typedef struct project_progress {
    bool (*step)(void *user, int done, int all);
    void *user;
} project_progress;

/// Records one period of every elastic mode held as a looping clip named "mode 03  1.42 Hz". A mode that is too fast or
/// too slow for a clip is left out; one whose loops of joints cannot follow gets a smaller amplitude. Both are told,
/// and so is a palette without clips.
/// @param degrees  amplitude, > 0
/// @param out      ER_OK: for project_palette_clear(); otherwise all zeros
/// Errors   as er_motion_create() and er_motion_record(); ER_ERROR_ARGUMENT where the progress ended it
er_result project_record_palette(er_context *context, const er_model *model, const er_modes *modes, double degrees,
                                 const er_recording_target *target, const project_listener *listener,
                                 const project_progress *progress, project_palette *out);
void project_palette_clear(project_palette *palette); ///< all zeros are fine

#endif
