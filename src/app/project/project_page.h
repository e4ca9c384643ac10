/// @file
/// A palette as a page, whose reader mixes the modes.
#ifndef ERI_APP_PROJECT_PROJECT_PAGE_H
#define ERI_APP_PROJECT_PROJECT_PAGE_H

#include <eigenrig/identity.h>
#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

/// Whether a palette is written to this path as modes. A page of a rig with loops holds clips, as other formats do,
/// and so do pages with a clip each ("{clip}" in the path).
bool project_pages_modes(const er_model *model, const char *path);

/// Writes a page with the elastic modes held.
/// @param model,rig,modes,names,whole_body,degrees,target  as project_record_palette() takes them
/// @param only_new  without the scene's own clips
/// @param count     written: how many modes the page has
/// Errors   as project_bound_modes() and er_page_write_modes()
er_result project_write_page(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                             const er_mode_names *names, bool whole_body, double degrees,
                             const er_recording_target *target, bool only_new, const char *path, int *count);

#endif
