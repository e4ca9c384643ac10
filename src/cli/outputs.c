// The formats that `animate` writes, and its plot.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <eigenrig/bvh.h>
#include <eigenrig/collada.h>
#include <eigenrig/fbx.h>
#include <eigenrig/plot.h>

#include "cli/animate.h"

// The scene as it was read, so that a BVH keeps its channels; bone shapes have the same nodes.
static er_result write_bvh(animation *a, const char *path)
{
    const er_scene *scene = a->l.scene != NULL ? a->l.scene : a->s.target.scene;
    return er_bvh_write(a->context, scene, a->s.target.keyed, &a->take[0]->clip, a->o->take.fps, path);
}

// --- numbers

// A gait's frames are its own: what holds its feet is no mix.
static er_result copy_curves(const er_gait_motion *m, bool poses, er_curves *out)
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
    return ER_OK;
}

// The motion at every frame and at its end. To be freed with free_curves().
static er_result make_curves(animation *a, double fps, bool poses, er_curves *out)
{
    if (a->gait_motion != NULL) return copy_curves(a->gait_motion, poses, out);
    er_motion *m = a->motion[0];
    int coordinates = a->l.model->coordinate_count;
    double steps = ceil(m->duration * fps - 1e-6);
    size_t count = (size_t)(steps < 1.0 ? 1.0 : steps) + 1, bodies = (size_t)a->l.model->body_count;
    double *time = calloc(count, sizeof *time), *x = malloc((count * (size_t)m->width + 1) * sizeof *x);
    er_pose *pose = poses ? malloc(count * bodies * sizeof *pose) : NULL;
    *out = (er_curves){a->l.model, (int)count, time, x, pose};
    if (time == NULL || x == NULL || (poses && pose == NULL)) return ER_ERROR_MEMORY;
    for (size_t k = 0; k < count; ++k)
        time[k] = k + 1 < count ? (double)k / fps : m->duration;
    er_result r = er_motion_poses(m, (int)count, time, x, pose);
    for (size_t k = 1; r == ER_OK && k < count; ++k) // a row's roots lie behind its joints
        memmove(x + k * (size_t)coordinates, x + k * (size_t)m->width, (size_t)coordinates * sizeof *x);
    return r;
}

static void free_curves(er_curves *c)
{
    free((void *)c->time);
    free((void *)c->q);
    free((void *)c->pose);
}

static er_result write_csv(animation *a, const char *path)
{
    er_curves curves;
    er_result r = make_curves(a, a->o->take.fps, false, &curves);
    if (r == ER_OK) r = er_curves_write_csv(a->context, &curves, path);
    free_curves(&curves);
    return r;
}

static er_result write_npz(animation *a, const char *path)
{
    er_curves curves;
    er_result r = make_curves(a, a->o->take.fps, true, &curves);
    if (r == ER_OK) r = er_curves_write_npz(a->context, &curves, path);
    free_curves(&curves);
    return r;
}

// --- the plot

// A line for each part that a mode has in the mix; a grey one where it has none.
static int add_lines(const animation *a, int k, er_plot_line *line, char (*label)[16])
{
    const er_motion *m = a->motion[0];
    int count = 0, index = a->modes->first + k;
    for (int v = 0; v < m->voice_count; ++v)
        if (m->voice[v].mode == index) line[count++] = (er_plot_line){m->voice[v].hz, m->voice[v].degrees, *label};
    if (count == 0 && a->modes->mode[k].frequency_hz > 0.0) // rigid modes have none of their own
        line[count++] = (er_plot_line){a->modes->mode[k].frequency_hz, 0.0, *label};
    snprintf(*label, sizeof *label, "%d", index);
    return count;
}

er_result write_plot(animation *a, const char *path)
{
    enum { LEAST_FRAMES = 400 }; // for curves that look smooth
    double fps = fmax(a->o->take.fps, LEAST_FRAMES / a->motion[0]->duration);
    int count = 0;
    er_plot plot = {.title = a->l.model->name, .subtitle = a->mix[0]->name};
    size_t modes = (size_t)a->modes->count + 1;
    er_plot_line *line = calloc(modes + (size_t)a->motion[0]->voice_count, sizeof *line);
    char(*label)[16] = calloc(modes, sizeof *label);
    er_result r = line != NULL && label != NULL ? make_curves(a, fps, false, &plot.curves) : ER_ERROR_MEMORY;
    for (int k = 0; r == ER_OK && k < a->modes->count; ++k)
        count += add_lines(a, k, line + count, &label[k]);
    plot.line_count = count;
    plot.line = line;
    if (r == ER_OK) r = er_plot_write(a->context, &plot, path);
    free_curves(&plot.curves);
    free(line);
    free(label);
    return r;
}

// --- which is which

static const output_format formats[] = {
    {".glb", false, false, er_gltf_write, NULL}, {".gltf", false, false, er_gltf_write, NULL},
    {".fbx", false, false, er_fbx_write, NULL},  {".dae", true, false, er_collada_write, NULL},
    {".bvh", true, false, NULL, write_bvh},      {".csv", true, true, NULL, write_csv},
    {".npz", true, true, NULL, write_npz}};

const output_format *find_output_format(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        size_t tail = strlen(formats[i].end);
        if (length > tail && strcasecmp(path + length - tail, formats[i].end) == 0) return &formats[i];
    }
    return strcmp(path, "-") == 0 ? &formats[0] : NULL;
}

const char *output_endings(bool scenes_only)
{
    static char text[64];
    int left = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        left += !scenes_only || formats[i].scene != NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        if (!scenes_only || formats[i].scene != NULL)
            strcat(strcat(text, *text == '\0' ? "" : left > 1 ? ", " : " or "), formats[i].end), --left;
    return text;
}

er_result write_output(animation *a, const char *path)
{
    const output_format *format = find_output_format(path);
    if (format->scene == NULL) return format->write(a, path);
    er_clip clip[MOST_MIXES];
    for (int i = 0; i < a->o->mix_count; ++i)
        clip[i] = a->take[i]->clip;
    return format->scene(a->context, a->s.target.scene, a->o->mix_count, clip, path);
}
