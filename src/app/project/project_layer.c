// Several strides of a gait, with a mix on top or a clip below.
#include "app/project/project_layer.h"

#include <stdlib.h>

#include "base/failure.h"

enum { MOST_STRIDES = 1000 };

// Joint coordinates of the clip, stretched to the frames of all strides.
static er_result read_over(er_context *context, const er_model *model, const project_layer *l, int frames, double **out)
{
    const er_rig *rig = l->rig;
    const er_recording_target target = er_rig_target(rig);
    size_t width = (size_t)model->coordinate_count;
    er_affine *local = calloc((size_t)rig->scene->node_count, sizeof *local);
    er_pose *pose = calloc((size_t)model->body_count, sizeof *pose);
    *out = calloc((size_t)frames * width + 1, sizeof **out);
    er_result r = local != NULL && pose != NULL && *out != NULL ? ER_OK : eri_no_memory(context);
    for (int i = 0; i < frames && r == ER_OK; ++i) {
        er_scene_sample(rig->scene, l->over, l->over->duration * i / frames, local);
        r = er_poses_of_nodes(context, model, &target, rig->body_node, local, pose);
        if (r == ER_OK) er_model_coordinates(model, pose, *out + (size_t)i * width, NULL);
    }
    free(local);
    free(pose);
    return r;
}

// Joint coordinates of all strides: the gait's, and in the joints of some parts the clip's, with the mix added.
// @param over  [frames x coordinate_count], the clip's; read and written
static er_result mix_parts(const project_layer *l, const er_gait_motion *one, er_motion *top, int frames, double *over)
{
    const er_model *model = one->model;
    size_t width = (size_t)model->coordinate_count;
    double stride = one->time[one->frame_count - 1];
    er_result r = ER_OK;
    double *x = top != NULL ? calloc((size_t)top->width + 1, sizeof *x) : NULL;
    for (int i = 0; i < frames && r == ER_OK; ++i) {
        int n = one->frame_count - 1, at = i % n;
        double *row = over + (size_t)i * width, time = i / n * stride + one->time[at];
        const double *gait = one->q + (size_t)at * width;
        if (top != NULL) r = er_motion_poses(top, 1, &time, x, NULL);
        for (int b = 0; b < model->body_count; ++b) {
            int j = model->tree_joint[b];
            for (int c = j >= 0 ? model->coordinate[j] : 0; j >= 0 && c < model->coordinate[j + 1]; ++c)
                row[c] = (l->part[b] && l->over != NULL ? row[c] : gait[c]) + (l->part[b] && x != NULL ? x[c] : 0.0);
        }
    }
    free(x);
    return r;
}

static int count_strides(const project_layer *l)
{
    double slowest = l->gait->hz, strides = (l->over != NULL ? l->over->duration : l->duration) * l->gait->hz;
    for (int v = 0; l->mix != NULL && v < l->mix->component_count; ++v) {
        const er_mix_component *c = &l->mix->component[v];
        slowest = fmin(slowest, c->hz > 0.0 ? c->hz : c->harmonic > 0 ? l->gait->hz : fmax(c->shape_hz, 0.01));
    }
    return (int)fmin(fmax(round(strides > 0.0 ? strides : l->gait->hz / slowest), 1.0), MOST_STRIDES);
}

er_result project_layer_gait(er_context *context, const project_layer *l, const project_listener *listener,
                             er_gait_motion **motion, er_motion **top, int *strides)
{
    er_gait_motion *one = *motion, *all = NULL;
    double *over = NULL, stride = one->time[one->frame_count - 1];
    er_result r = ER_OK;
    *top = NULL;
    *strides = count_strides(l);
    er_motion_def def = er_default_motion_def();
    def.duration = *strides * stride;
    def.loop = true;
    def.fps = l->fps;
    if (l->mix != NULL) {
        er_mix cycled = *l->mix;
        cycled.cycle = stride;
        r = project_make_motion(context, one->model, l->modes, &cycled, &def, listener, top);
    }
    if (r == ER_OK && l->over != NULL) r = read_over(context, one->model, l, *strides * (one->frame_count - 1), &over);
    const int frames = *strides * (one->frame_count - 1);
    if (r == ER_OK && l->part != NULL && over == NULL) {
        over = calloc((size_t)frames * (size_t)one->model->coordinate_count + 1, sizeof *over);
        if (over == NULL) r = eri_no_memory(context);
    }
    if (r == ER_OK && l->part != NULL) r = mix_parts(l, one, *top, frames, over);
    if (r == ER_OK)
        r = er_gait_layer(context, one, l->body, *strides, l->part != NULL ? NULL : *top, over, l->plants->count,
                          l->plants->hold, &all);
    free(over);
    if (r == ER_OK) {
        er_gait_motion_destroy(one);
        *motion = all;
    } else {
        er_motion_destroy(*top);
        *top = NULL;
    }
    return r;
}
