/// @file
/// Gaits in words, alone and blended: "walk", "walk:0.3+run"; and blend spaces of them.
#ifndef ERI_APP_PROJECT_PROJECT_BLEND_H
#define ERI_APP_PROJECT_PROJECT_BLEND_H

#include <eigenrig/gait.h>

enum { PROJECT_MOST_STRIDES = 64 }; ///< of a blend space

/// Whether a text is a blend, "NAME:SHARE+NAME" with a number as SHARE.
bool project_is_blend(const char *text);

/// Makes one stride of a gait or of a blend.
/// @param text  a gait's name, or "A:SHARE+B": SHARE of A, 0 to 1, and the rest of B
/// @param fps   as for er_gait_move()
/// @param out   ER_OK: for er_gait_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a share outside 0 to 1; no such gait: names those that there are), as er_gait_move() and
///          er_gait_blend()
er_result project_make_stride(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                              const char *text, double fps, er_gait_motion **out);

/// Strides of one phase and one number of frames, for the blend space of an engine. Released by
/// project_strides_clear().
typedef struct project_strides {
    int count;
    char name[PROJECT_MOST_STRIDES][80]; ///< words and speed: "walk 124cm_s", "walk-0.3-run 190cm_s"
    double speed[PROJECT_MOST_STRIDES];  ///< m/s
    er_gait_motion *motion[PROJECT_MOST_STRIDES];
} project_strides;

/// Makes the strides of a blend space. Their frames are as many as the slowest stride needs at `fps`.
/// @param text  gaits and blends, separated by commas, 2 to PROJECT_MOST_STRIDES
/// @param out   ER_OK: set; otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (the number of names), as project_make_stride()
er_result project_make_strides(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                               const char *text, double fps, project_strides *out);

/// Frees them; all zeros are fine.
void project_strides_clear(project_strides *strides);

#endif
