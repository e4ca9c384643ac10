// Writes simulations: a folder of tables and drawings, a clip, or curves.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/outputs.h"
#include "app/project/project_simulate.h"
#include "base/failure.h"
#include "base/platform.h"

static er_result write_joints(er_context *context, const er_world_frames *f, const char *path)
{
    const er_curves curves = {f->model, f->frame_count, f->time, f->q, f->pose};
    return er_curves_write_csv(context, &curves, path);
}

static const struct {
    const char *name;
    er_result (*write)(er_context *, const er_world_frames *, const char *);
} tables[] = {{"energy.csv", er_frames_write_energy},       {"momentum.csv", er_frames_write_momentum},
              {"bodies.csv", er_frames_write_bodies},       {"joints.csv", write_joints},
              {"reactions.csv", er_frames_write_reactions}, {"contacts.csv", er_frames_write_contacts},
              {"frames.npz", er_frames_write_npz},          {"energy.svg", er_frames_plot_energy}};

enum { TABLES = sizeof tables / sizeof *tables };

// Writes all tables under other names, and gives them theirs once all are there.
static er_result write_tables(er_context *context, const er_world_frames *frames, const char *folder)
{
    size_t room = strlen(folder) + 64;
    char *path = malloc(room), *own = malloc(room);
    er_result r = path != NULL && own != NULL ? ER_OK : eri_no_memory(context);
    int written = 0;
    for (; written < TABLES && r == ER_OK; written += r == ER_OK) {
        snprintf(own, room, "%s/.%d-%s", folder, eri_platform_process(), tables[written].name);
        r = tables[written].write(context, frames, own);
        if (r == ER_OK) continue;
        const char *why = er_context_error(context);
        bool begins = strncmp(why, own, strlen(own)) == 0;
        r = er_fail(context, r, "%s/%s%s%s", folder, tables[written].name, begins ? "" : ": ",
                    why + (begins ? strlen(own) : 0));
    }
    for (int i = 0; i < written; ++i) {
        snprintf(own, room, "%s/.%d-%s", folder, eri_platform_process(), tables[i].name);
        snprintf(path, room, "%s/%s", folder, tables[i].name);
        if (r == ER_OK && eri_platform_rename(own, path) != 0)
            r = er_fail(context, ER_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
        if (r != ER_OK) eri_platform_unlink(own);
    }
    free(path);
    free(own);
    return r;
}

er_result project_write_simulation(er_context *context, const project_simulation *simulation, const char *folder)
{
    bool made = eri_platform_make_folder(folder) == 0;
    if (!made && errno != EEXIST)
        return er_fail(context, ER_ERROR_FILE, "%s: the folder cannot be made: %s", folder, strerror(errno));
    er_result r = write_tables(context, &simulation->frames, folder);
    if (r != ER_OK && made) eri_platform_remove_folder(folder);
    return r;
}

er_result project_record_simulation(er_context *context, const project_simulation *simulation,
                                    const er_recording_target *target, const char *name, er_recording **out)
{
    const er_world_frames *f = &simulation->frames;
    double *time = malloc((size_t)f->frame_count * sizeof *time);
    if (time == NULL) return eri_no_memory(context);
    for (int k = 0; k < f->frame_count; ++k)
        time[k] = f->time[k] - f->time[0]; // clips begin at 0
    const er_recorded_poses poses = {f->model, f->frame_count, time, f->pose, false, -1, NULL};
    er_recording_def def = er_default_recording_def();
    def.name = name;
    er_result r = er_poses_record(context, &poses, target, &def, out);
    free(time);
    return r;
}

er_result project_write_simulated(er_context *context, const project_simulation *simulation, const er_scene *source,
                                  const er_recording_target *target, const char *path)
{
    const er_world_frames *frames = &simulation->frames;
    const project_format *format = project_find_format(path);
    if (format == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in %s", path, project_format_endings(false));
    if (frames->frame_count < 2)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: one frame is not a motion; make it longer",
                       path);
    if (er_path_ends_in(path, ".csv")) return write_joints(context, frames, path);
    if (er_path_ends_in(path, ".npz")) return er_frames_write_npz(context, frames, path);
    if (er_path_ends_in(path, ".svg")) return er_frames_plot_energy(context, frames, path);
    er_recording *recording = NULL;
    er_result r = project_record_simulation(context, simulation, target, "simulation", &recording);
    if (r == ER_OK && format->scene != NULL) r = project_write_takes(context, target, 1, &recording, false, path);
    if (r == ER_OK && format->scene == NULL)
        r = er_bvh_write(context, source != NULL ? source : target->scene, target->keyed, &recording->clip,
                         simulation->fps, path);
    er_recording_destroy(recording);
    return r;
}
