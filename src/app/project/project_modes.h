/// @file
/// Modes by the number of elastic ones. Modes of eigenvalue 0 are added, and keep their indices. Files of modes.
#ifndef ERI_APP_PROJECT_PROJECT_MODES_H
#define ERI_APP_PROJECT_PROJECT_MODES_H

#include <eigenrig/identity.h>
#include <eigenrig/modal.h>
#include <eigenrig/motion.h>
#include <eigenrig/scene.h>

/// The default number of elastic modes: 0, all of them, for a rig of up to 100 bodies. A larger one gets 64 for each of
/// its characters, up to 16: trees that have a body two joints from the root.
int project_usual_modes(const er_model *model);

/// Sets def->mode_count so that the modes held include `elastic` elastic ones, 0 for all. It is exact for rigs without
/// loops; loops may remove some of the modes of eigenvalue 0.
/// @param elastic  >= 0, at most 1e9
void project_count_modes(const er_model *model, int elastic, er_modal_def *def);

/// Corrects def->mode_count by the result of a solve.   @return whether another solve is needed
bool project_recount_modes(const er_modes *modes, int elastic, er_modal_def *def);

/// As er_modal_solve(), with `elastic` elastic modes, 0 for all; more than exist is clamped.
/// @param def  its mode_count is not looked at
er_result project_solve_modes(er_context *context, const er_model *model, const er_modal_def *def, int elastic,
                              er_modes **out);

/// How many of the modes held are elastic.
int project_elastic_count(const er_modes *modes);

/// Bounds the amplitudes of modes as er_modes_bound() does, up to the 20 degrees of a mix.
/// @param rig  of the model; NULL: it has no skin, so contact does not count
/// @param out  ER_OK: [modes->count], for free(); otherwise NULL
/// Errors   as er_modes_bound() and er_rig_shapes_create()
er_result project_bound_modes(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              er_mode_bound **out);

/// The endings of files that modes are written in, NULL behind the last: .json, the palette file; .csv; .npz.
extern const char *const project_modes_ends[];

/// Writes modes in the format that the path ends in, which is one of these; the palette file to "-".
/// @param bound  of the palette file; NULL: none
/// Errors   ER_ERROR_ARGUMENT (another ending: names these); as the writer
er_result project_write_modes(er_context *context, const er_model *model, const er_modes *modes,
                              const er_mode_names *names, const er_mode_bound *bound, const char *path);

/// Writes the matrices of a model as er_modal_matrices_write_npz() does.
/// @param pose    [body_count], or NULL for the equilibrium
/// Errors   ER_ERROR_ARGUMENT (the path does not end in .npz); as er_modal_matrices_create() and the writer
er_result project_write_matrices(er_context *context, const er_model *model, const er_pose *pose, const char *path);

/// The default and the largest number of shapes in a figure.
enum { PROJECT_FIGURE_SHAPES = 12, PROJECT_MOST_SHAPES = 400 };

/// Draws the modes held as er_modes_plot() does. The lowest that are not rigid have their shapes, labelled with the
/// joints that move most. No joint turns by more than 20 degrees, and no point moves more than a quarter of the rig's
/// size.
/// @param scene   its up is up on paper; NULL: +Y
/// @param shapes  how many at most, 0 to PROJECT_MOST_SHAPES
/// Errors   ER_ERROR_ARGUMENT (the path ends in neither .svg nor .pdf); as er_kinematics_pose() and er_modes_plot()
er_result project_plot_modes(er_context *context, const er_model *model, const er_modes *modes, const er_scene *scene,
                             int shapes, const char *path);

#endif
