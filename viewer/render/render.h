/// @file
/// Pictures, contact sheets and films without a window: a model at rest, in a mode or in a mix; or all of its modes at
/// once.
#ifndef ERI_VIEWER_RENDER_RENDER_H
#define ERI_VIEWER_RENDER_RENDER_H

#include <eigenrig/gait.h>
#include <eigenrig/identity.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#include "app/project/project_motion.h"
#include "viewer/draw/draw.h"

/// The model that is drawn; all of it borrowed for the call.
typedef struct render_subject {
    const er_recording_target *target; ///< its scene is what is shown: bone shapes where the model has no mesh
    const er_model *model;
    const er_modes *modes; ///< of this model; NULL will do for RENDER_REST
} render_subject;

typedef enum render_what {
    RENDER_REST,  ///< the model at equilibrium
    RENDER_MODE,  ///< a mode
    RENDER_MIX,   ///< a mix of modes
    RENDER_CLIP,  ///< a clip
    RENDER_SHEET, ///< the palette: a cell for each of the lowest elastic modes, and their spectrum
    RENDER_GAIT,  ///< a gait with its feet held; the camera goes with it
    RENDER_STRIP, ///< gaits: a row for each, a stride in eight pictures. A picture, never a film
    RENDER_RIG,   ///< the rig from three sides: bodies, feet, facing. A picture, never a film
    RENDER_WHAT_COUNT
} render_what;

/// The direction from which the camera looks. It is as near as the whole motion allows.
typedef enum render_view {
    RENDER_VIEW_BEST, ///< of a mode: the one of the next four that shows most motion; else three-quarter
    RENDER_VIEW_THREE_QUARTER,
    RENDER_VIEW_SIDE, ///< the model's left
    RENDER_VIEW_FRONT,
    RENDER_VIEW_TOP,
    RENDER_VIEW_GIVEN, ///< yaw and pitch
    RENDER_VIEW_COUNT
} render_view;

/// "best", "three-quarter", "side", "front", "top" or "given".   Memory: static.
const char *render_view_name(render_view view);

/// Options of a picture or film. Take render_default_def(), then change fields.
typedef struct render_def {
    render_what what;         ///<                                                               [RENDER_REST]
    int mode;                 ///< for RENDER_MODE: index as the palette prints it               [0]
    const er_mix *mix;        ///< for RENDER_MIX; borrowed for the call                         [NULL]
    int plant_count;          ///< for RENDER_MIX: er_motion_def.plant_count                      [0]
    const er_hold *plant;     ///< and er_motion_def.plant                                       [NULL]
    const er_clip *clip;      ///< for RENDER_CLIP; for RENDER_MIX what the mix lies over, of some duration   [NULL]
    const int *body_node;     ///< with a clip: er_rig.body_node                                 [NULL]
    const er_gaits *gaits;    ///< for RENDER_GAIT and RENDER_STRIP; borrowed for the call      [NULL]
    const er_gait_body *body; ///< for RENDER_RIG; borrowed for the call                     [NULL]
    const er_gait_motion *const *motion; ///< theirs, [count] of a strip, of RENDER_GAIT the one shown   [NULL]
    double degrees;                      ///< amplitude of modes, as er_mode_amplitude() takes it           [20]
    const er_mode_bound *bound;          ///< [modes->count], their degrees take the place of `degrees`; a sheet says
                                         ///< what bounds them; NULL: none                                 [NULL]
    double phase;                        ///< rad: of a picture of a mode, and where its film begins        [0]
    double time;                         ///< s: of a picture of a mix, a clip or a gait                    [0]
    bool ghosts; ///< see-through figures beside the one: of a mode both ends of the swing, the positive one
                 ///< blue, the other orange; of a mix an eighth of its duration later, blue, and earlier,
                 ///< orange. A sheet has them in any case                          [false]
    const er_mode_names *names; ///< of a sheet: its modes by name; NULL: by the joints that move most        [NULL]
    int count;                  ///< cells of a sheet, at most, 1 to 400                           [20]
    int width, height;          ///< pixels, 16 to 8192. Both 0: 960 x 720; of a sheet, what cells of 360 x 300 take [0]
    double fps;                 ///< frames a second of a film, > 0, at most 1000                  [30]
    double duration;      ///< s, > 0, at most 1000; 0: one loop: the cycle of a mix (5 s if envelopes keep it from
                          ///< looping), or whole periods of a mode that make 2 s or more      [0]
    render_view view;     ///<                                                               [RENDER_VIEW_BEST]
    double yaw, pitch;    ///< for RENDER_VIEW_GIVEN: rad, as draw_camera's                  [0]
    draw_surface surface; ///<                                                               [DRAW_SHADED]
    bool mesh, skeleton;  ///< what is shown; one of them at least                           [true, false]
    bool scenery;         ///< meshes that no body moves are drawn like all others; false: they are faded and behind
                          ///< all others, or left out of pages                                  [false]
    bool world;           ///< the subject is a world: no floor is drawn but its own                 [false]
    bool dark;            ///< the theme                                                     [false]
    bool transparent;     ///< no background; .mp4 has no room for that                      [false]
    const char *title;    ///< of a page; NULL: the model's name, after that of its folder if the file has a common name
                          ///< such as scene.gltf  [NULL]
    const char *subtitle; ///< of a sheet, beside it; NULL: none                             [NULL]
    bool (*progress)(void *user, int done, int all); ///< called after every frame; returning false ends the film,
                                                     ///< and nothing is written. NULL: none [NULL]
    void *user;                                      ///< passed to it                          [NULL]
} render_def;
render_def render_default_def(void);

/// Facts about a picture or film that was written.
typedef struct render_report {
    int width, height; ///< pixels
    int frames;        ///< 1 of a picture
    double duration;   ///< s, 0 of a picture
    int cells;         ///< of a sheet, else 0
    double share;      ///< of the amplitude that loops of joints can follow; 1: all of it
    int texture_side;  ///< draw_model_texture_side()
    bool stale;        ///< a numbered frame of an older film follows the last one, and players will go on to it
    double slowed;     ///< Hz, the lowest frequency of a film that plays slower than it is; 0: none
} render_report;

/// Checks that a path can be written.
/// Errors   ER_ERROR_ARGUMENT: unknown ending; a format without transparency; a film of a strip or a rig
er_result render_check_path(er_context *context, const render_def *def, const char *path);

/// The default phase of a mode, rad: the end of its swing; 0 for films and with ghosts.
double render_default_phase(const render_def *def, const char *path);

/// Writes the subtitle of a sheet: "24 bodies, 23 joints, 500 kg, ...".
/// @param rig  NULL for a rig file   @param law  NULL if unknown   @param text  [256], written
void render_subtitle(const er_model *model, const er_rig *rig, const er_stiffness *law, char *text);

/// Warns about parts of a picture or film that differ from what was asked for.
void render_warn(const render_def *def, const render_report *report, const project_listener *listener);

/// Whether pictures can be drawn here.   Errors   ER_ERROR_SYSTEM: no OpenGL.
er_result render_check(er_context *context);

/// Draws and writes. Frame i of a film shows the time i / fps. A loop has round(duration fps) frames; frequencies move
/// to whole cycles in it, so that the first frame follows the last without a jump. A cycle has at least eight frames
/// and is no longer than the film; modes that are too fast or too slow are shown at the nearest possible frequency.
/// @param path    a film if film_is_path(); otherwise .png, or "-" for a PNG on standard output; written whole or not
/// at all
/// @param report  written on ER_OK; may be NULL
/// Errors   ER_ERROR_ARGUMENT (a value out of its range; no such mode; a sheet of a rig without elastic modes; ended by
///          `progress`; as er_motion_create()), ER_ERROR_SYSTEM (no OpenGL; no ffmpeg, which .mp4, .webm and .gif
///          need), ER_ERROR_FILE, ER_ERROR_MEMORY, ER_ERROR_NO_CONVERGENCE (a loop of a mix cannot follow)
er_result render_write(er_context *context, const render_subject *subject, const render_def *def, const char *path,
                       render_report *report);

#endif
