// The table of output formats by a path's ending, and the writers that need more than one call.
#include "app/project/outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/plots.h>

#include "base/failure.h"

enum { MOST_FRAMES = 100000000 }; // of curves

// Writes the scene as it was read, so that a BVH keeps its channels. Bone shapes have the same nodes.
static er_result write_bvh(er_context *context, const project_clips *r, const char *path)
{
    const er_scene *scene = r->source != NULL ? r->source : r->target->scene;
    const er_gait_motion *gait = r->gait; // its frame rate is a little higher, so that a stride has whole frames
    double fps = gait != NULL ? (gait->frame_count - 1) / gait->time[gait->frame_count - 1] : r->fps;
    return er_bvh_write(context, scene, r->target->keyed, &r->recording[0]->clip, fps, path);
}

// --- numbers

static er_result copy_curves(const er_gait_motion *m, bool travels, bool poses, er_curves *out)
{
    size_t count = (size_t)m->frame_count, width = (size_t)m->model->coordinate_count + 1,
           bodies = (size_t)m->model->body_count;
    double *time = malloc(count * sizeof *time), *q = malloc(count * width * sizeof *q);
    er_pose *pose = poses ? malloc(count * bodies * sizeof *pose) : NULL;
    *out = (er_curves){m->model, m->frame_count, time, q, pose};
    if (time == NULL || q == NULL || (poses && pose == NULL)) return ER_ERROR_MEMORY;
    memcpy(time, m->time, count * sizeof *time);
    memcpy(q, m->q, count * (width - 1) * sizeof *q);
    if (poses) memcpy(pose, m->pose, count * bodies * sizeof *pose);
    for (size_t i = 0; poses && travels && i < count * bodies; ++i)
        pose[i].p = er_v3_add(pose[i].p, m->travel[i / bodies]);
    return ER_OK;
}

// The motion at every frame and at its end. To be freed with free_curves().
static er_result make_curves(er_context *context, const project_clips *r, double fps, bool poses, er_curves *out)
{
    if (r->gait != NULL) return copy_curves(r->gait, r->travels, poses, out);
    er_motion *m = r->motion[0];
    int coordinates = r->model->coordinate_count;
    double steps = ceil(m->duration * fps - 1e-6);
    *out = (er_curves){0};
    if (!(steps < MOST_FRAMES))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second for %g s are more than %d frames", fps,
                       m->duration, MOST_FRAMES);
    size_t count = (size_t)(steps < 1.0 ? 1.0 : steps) + 1, bodies = (size_t)r->model->body_count;
    double *time = calloc(count, sizeof *time), *x = malloc((count * (size_t)m->width + 1) * sizeof *x);
    er_pose *pose = poses ? malloc(count * bodies * sizeof *pose) : NULL;
    *out = (er_curves){r->model, (int)count, time, x, pose};
    if (time == NULL || x == NULL || (poses && pose == NULL)) return eri_no_memory(context);
    for (size_t k = 0; k < count; ++k)
        time[k] = k + 1 < count ? (double)k / fps : m->duration;
    er_result result = er_motion_poses(m, (int)count, time, x, pose);
    for (size_t k = 1; result == ER_OK && k < count; ++k) // a row's roots lie behind its joints
        memmove(x + k * (size_t)coordinates, x + k * (size_t)m->width, (size_t)coordinates * sizeof *x);
    return result;
}

static void free_curves(er_curves *c)
{
    free((void *)c->time);
    free((void *)c->q);
    free((void *)c->pose);
}

static er_result write_curves(er_context *context, const project_clips *r, const char *path)
{
    er_curves curves;
    bool csv = er_path_ends_in(path, ".csv");
    er_result result = make_curves(context, r, r->fps, !csv, &curves);
    if (result == ER_OK) result = (csv ? er_curves_write_csv : er_curves_write_npz)(context, &curves, path);
    free_curves(&curves);
    return result;
}

// --- the plot

// A line for each component of the mode in the mix, or a grey one if it has none.
static int add_lines(const project_clips *r, int k, er_spectrum_line *line, char (*label)[16])
{
    const er_motion *m = r->motion[0];
    int count = 0, index = er_modes_index(r->modes, &r->modes->mode[k]);
    for (int v = 0; v < m->component_count; ++v)
        if (m->component[v].mode == index)
            line[count++] = (er_spectrum_line){m->component[v].hz, m->component[v].degrees, *label};
    if (count == 0 && r->modes->mode[k].frequency_hz > 0.0) // rigid modes have none of their own
        line[count++] = (er_spectrum_line){r->modes->mode[k].frequency_hz, 0.0, *label};
    snprintf(*label, sizeof *label, "%d", index);
    return count;
}

er_result project_write_plot(er_context *context, const project_clips *r, const char *path)
{
    enum { LEAST_FRAMES = 400 }; // for curves that look smooth
    double fps = fmax(r->fps, LEAST_FRAMES / r->motion[0]->duration);
    int count = 0;
    er_curves_figure plot = {.title = r->model->name, .subtitle = r->mix[0]->name};
    size_t modes = (size_t)r->modes->count + 1;
    er_spectrum_line *line = calloc(modes + (size_t)r->motion[0]->component_count, sizeof *line);
    char(*label)[16] = calloc(modes, sizeof *label);
    er_result result =
        line != NULL && label != NULL ? make_curves(context, r, fps, false, &plot.curves) : eri_no_memory(context);
    for (int k = 0; result == ER_OK && k < r->modes->count; ++k)
        count += add_lines(r, k, line + count, &label[k]);
    plot.line_count = count;
    plot.line = line;
    if (result == ER_OK) result = er_curves_plot(context, &plot, path);
    free_curves(&plot.curves);
    free(line);
    free(label);
    return result;
}

// --- the formats

const project_format project_formats[PROJECT_FORMAT_COUNT] = {
    [PROJECT_GLB] = {".glb", "glTF binary", false, false, er_gltf_write, NULL},
    [PROJECT_GLTF] = {".gltf", "glTF", false, false, er_gltf_write, NULL},
    [PROJECT_VRM] = {".vrm", "VRM", false, false, er_gltf_write, NULL},
    [PROJECT_VRMA] = {".vrma", "VRM animation", false, false, er_vrma_write, NULL},
    [PROJECT_FBX] = {".fbx", "FBX", false, false, er_fbx_write, NULL},
    [PROJECT_PAGE] = {".html", "a page for any browser", false, false, er_page_write, NULL},
    [PROJECT_COLLADA] = {".dae", "Collada", true, false, er_collada_write, NULL},
    [PROJECT_BVH] = {".bvh", "BVH", true, false, NULL, write_bvh},
    [PROJECT_CSV] = {".csv", "joint curves", true, true, NULL, write_curves},
    [PROJECT_NPZ] = {".npz", "NumPy", true, true, NULL, write_curves},
    [PROJECT_SVG] = {".svg", "a drawing", true, true, NULL, project_write_plot}};

const project_format *project_find_format(const char *path)
{
    for (int i = 0; i < PROJECT_FORMAT_COUNT; ++i)
        if (er_path_ends_in(path, project_formats[i].end)) return &project_formats[i];
    return strcmp(path, "-") == 0 ? &project_formats[0] : NULL;
}

bool project_holds_clips(const project_format *format)
{
    return format != NULL && format->scene != NULL && !format->single;
}

const char *project_format_endings(bool many)
{
    static char text[16 * PROJECT_FORMAT_COUNT]; // an ending and a separator each
    int left = 0;
    text[0] = '\0';
    for (int i = 0; i < PROJECT_FORMAT_COUNT; ++i)
        left += !many || project_holds_clips(&project_formats[i]);
    for (int i = 0; i < PROJECT_FORMAT_COUNT; ++i)
        if (!many || project_holds_clips(&project_formats[i]))
            strcat(strcat(text, *text == '\0' ? "" : left > 1 ? ", " : " or "), project_formats[i].end), --left;
    return text;
}

// The frames a second that takes have in common; 0 where they have none.
static double common_fps(int count, er_recording *const *recording)
{
    for (int i = 1; i < count; ++i)
        if (!(fabs(recording[i]->fps - recording[0]->fps) <= 1e-6 * recording[0]->fps)) return 0.0;
    return count > 0 ? recording[0]->fps : 0.0;
}

static er_result write_takes(er_context *context, const er_recording_target *target, int count,
                             er_recording *const *recording, bool only_new, const char *path)
{
    er_clip *clip = malloc(((size_t)count + 1) * sizeof *clip);
    if (clip == NULL) return eri_no_memory(context);
    for (int i = 0; i < count; ++i)
        clip[i] = recording[i]->clip;
    const project_format *format = project_find_format(path);
    er_scene scene = *target->scene;
    scene.fps = common_fps(count, recording);
    er_export_def def = er_default_export_def();
    def.drop_clips = only_new;
    er_result r = format->scene(context, &scene, count, clip, &def, path);
    free(clip);
    return r;
}

// The word of a path that stands for the name of a clip.
static const char clip_word[] = "{clip}";

// Finds the first clip of several whose file would have the same name; `at` if there is none.
static int first_alike(er_recording *const *recording, int at)
{
    char name[PROJECT_CLIP_NAME], other[PROJECT_CLIP_NAME];
    project_clip_name(recording[at]->clip.name, name);
    for (int i = 0; i < at; ++i) {
        project_clip_name(recording[i]->clip.name, other);
        if (strcmp(name, other) == 0) return i;
    }
    return at;
}

static er_result write_each(er_context *context, const er_recording_target *target, int count,
                            er_recording *const *recording, const char *path)
{
    const char *word = strstr(path, clip_word);
    er_result r = ER_OK;
    for (int i = 0; i < count && r == ER_OK; ++i) {
        char name[PROJECT_CLIP_NAME], number[16] = "", *file;
        project_clip_name(recording[i]->clip.name, name);
        if (first_alike(recording, i) != i) snprintf(number, sizeof number, "_%d", i + 1);
        if (asprintf(&file, "%.*s%s%s%s", (int)(word - path), path, name, number, word + strlen(clip_word)) < 0)
            return eri_no_memory(context);
        r = write_takes(context, target, 1, &recording[i], true, file);
        free(file);
    }
    return r;
}

void project_clip_name(const char *clip, char out[PROJECT_CLIP_NAME])
{
    size_t used = 0;
    for (const unsigned char *c = (const unsigned char *)clip; *c != '\0' && used + 1 < PROJECT_CLIP_NAME; ++c) {
        bool unfit = *c <= ' ' || *c == 127 || strchr("<>:\"/\\|?*{},", *c) != NULL;
        if (!unfit)
            out[used++] = (char)*c;
        else if (used > 0 && out[used - 1] != '_')
            out[used++] = '_';
    }
    while (used > 0 && used + 1 == PROJECT_CLIP_NAME && ((unsigned char)out[used - 1] & 0xc0) == 0x80)
        --used; // half of a letter
    while (used > 0 && (out[used - 1] == '_' || out[used - 1] == '.'))
        --used;
    memcpy(out + used, used > 0 ? "" : "_", used > 0 ? 1 : 2);
}

er_result project_write_takes(er_context *context, const er_recording_target *target, int count,
                              er_recording *const *recording, bool only_new, const char *path)
{
    if (strstr(path, clip_word) != NULL) return write_each(context, target, count, recording, path);
    return write_takes(context, target, count, recording, only_new, path);
}

er_result project_write_clips(er_context *context, const project_clips *r, const project_listener *listener,
                              const char *path)
{
    const project_format *format = project_find_format(path);
    if (r->over != NULL && format->curves)
        project_notify(listener, ER_NOTE_WARNING, "%s holds the mix alone, without the clip it lies over", path);
    if (r->travels && er_path_ends_in(path, ".csv"))
        project_notify(listener, ER_NOTE_WARNING,
                       "%s holds the coordinates of joints alone, not the way that the body travels", path);
    if (format->scene == NULL) return format->write(context, r, path);
    return project_write_takes(context, r->target, r->count, r->recording, r->only_new, path);
}
