// Writes what only worlds have: the world itself as a file, its surfaces, and its frames.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_simulate.h"
#include "base/failure.h"
#include "base/platform.h"

project_world_format project_find_world_format(const char *path)
{
    if (er_path_ends_in(path, ".cfg") || er_path_ends_in(path, ".json")) return PROJECT_WORLD_FILE;
    if (er_path_ends_in(path, ".sur")) return PROJECT_WORLD_SURFACE;
    return er_path_ends_in(path, ".ste") ? PROJECT_WORLD_FRAMES : PROJECT_WORLD_NONE;
}

// Writes STEM0.ste, STEM1.ste, ..., all or none.
static er_result write_frames(er_context *context, const er_world_file *file, const er_world_frames *f,
                              const char *path)
{
    size_t stem = strlen(path) - strlen(".ste"), room = stem + 32, bodies = (size_t)f->model->body_count;
    char *name = malloc(room);
    er_result r = name != NULL ? ER_OK : eri_no_memory(context);
    int written = 0;
    for (; written < f->frame_count && r == ER_OK; written += r == ER_OK) {
        snprintf(name, room, "%.*s%d.ste", (int)stem, path, written);
        r = er_world_file_write_frame(context, file, f->time[written], f->pose + (size_t)written * bodies,
                                      f->twist + (size_t)written * bodies, name);
    }
    while (r != ER_OK && written-- > 0) {
        snprintf(name, room, "%.*s%d.ste", (int)stem, path, written);
        eri_platform_unlink(name);
    }
    free(name);
    return r;
}

er_result project_write_world(er_context *context, const er_world_file *file, const project_simulation_def *def,
                              const project_simulation *simulation, const char *path)
{
    const er_world_file as_asked = project_change_world(file, def);
    switch (project_find_world_format(path)) {
    case PROJECT_WORLD_FILE:
        return er_world_file_write(context, &as_asked, path);
    case PROJECT_WORLD_SURFACE:
        return er_world_file_write_surface(context, file, path);
    case PROJECT_WORLD_FRAMES:
        return write_frames(context, file, &simulation->frames, path);
    case PROJECT_WORLD_NONE:
        break;
    }
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in .cfg, .json, .sur or .ste", path);
}
