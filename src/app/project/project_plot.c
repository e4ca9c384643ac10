// The figure of a model's modes: both ends of each mode's swing, labelled with the joints that move most.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "app/project/moving_joints.h"
#include "app/project/project_modes.h"
#include "base/failure.h"
#include "base/letters.h"

enum { LABEL = 256 };

typedef struct project_figure {
    er_mode_shape *shape;
    er_pose *pose;        // [2 count x bodies]
    char (*label)[LABEL]; // [count]
    double *travel, *x;
    er_kinematics *kinematics;
} project_figure;

static void write_label(const er_model *model, const er_mode *mode, double *travel, char label[LABEL])
{
    int joint[3], count = project_moving_joints(model, mode, travel, 3, joint);
    size_t used = 0;
    label[0] = '\0';
    for (int i = 0; i < count && used < LABEL; ++i)
        used += (size_t)snprintf(label + used, LABEL - used, "%s%s", i > 0 ? ", " : "", model->joint[joint[i]].name);
}

// The amplitude: no joint turns by more than a mix's default, no point moves more than a quarter of the rig's size.
static double largest(const er_model *model, const er_mode *mode)
{
    double turned = er_mode_amplitude(model, mode, er_default_mix_component().degrees),
           far = er_mode_excursion(model, mode, -1);
    return far > 0.0 ? fmin(turned, 0.25 * model->size / far) : turned;
}

// The pose at a share of the amplitude, halved until loops of joints can follow.
static er_result swing(project_figure *f, const er_model *model, const er_mode *mode, double share, er_pose *pose)
{
    const double least = 1.0 / 64.0, most = largest(model, mode);
    int width = er_kinematics_width(f->kinematics);
    er_result r = ER_ERROR_NO_CONVERGENCE;
    for (double part = 1.0; part >= least && r == ER_ERROR_NO_CONVERGENCE; part *= 0.5) {
        er_kinematics_mode(f->kinematics, mode, f->x);
        for (int i = 0; i < width; ++i)
            f->x[i] *= share * part * most;
        r = er_kinematics_pose(f->kinematics, f->x, pose);
    }
    return r;
}

static er_result reserve(er_context *context, const er_model *model, int count, project_figure *f)
{
    size_t shapes = (size_t)count + 1, bodies = (size_t)model->body_count;
    er_result r = er_kinematics_create(context, model, &f->kinematics);
    if (r != ER_OK) return r;
    f->shape = calloc(shapes, sizeof *f->shape);
    f->pose = malloc(2 * shapes * bodies * sizeof *f->pose);
    f->label = malloc(shapes * sizeof *f->label);
    f->travel = malloc(((size_t)model->joint_count + 1) * sizeof *f->travel);
    f->x = malloc(((size_t)er_kinematics_width(f->kinematics) + 1) * sizeof *f->x);
    bool there = f->shape != NULL && f->pose != NULL && f->label != NULL && f->travel != NULL && f->x != NULL;
    return there ? ER_OK : eri_no_memory(context);
}

static void free_figure(project_figure *f)
{
    er_kinematics_destroy(f->kinematics);
    free(f->shape);
    free(f->pose);
    free(f->label);
    free(f->travel);
    free(f->x);
}

er_result project_plot_modes(er_context *context, const er_model *model, const er_modes *modes, const er_scene *scene,
                             int shapes, const char *path)
{
    project_figure f = {0};
    char subtitle[160];
    if (strcmp(path, "-") != 0 && !er_path_ends_in(path, ".svg") && !er_path_ends_in(path, ".pdf"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in .svg or .pdf", path);
    int first = 0, elastic = project_elastic_count(modes);
    while (first < modes->count && modes->mode[first].kind == ER_MODE_RIGID)
        ++first;
    int count = modes->count - first < shapes ? modes->count - first : shapes;
    er_result r = reserve(context, model, count, &f);
    for (int i = 0; i < count && r == ER_OK; ++i) {
        const er_mode *mode = &modes->mode[first + i];
        er_pose *end = f.pose + 2 * (size_t)i * (size_t)model->body_count;
        write_label(model, mode, f.travel, f.label[i]);
        r = swing(&f, model, mode, 1.0, end);
        if (r == ER_OK) r = swing(&f, model, mode, -1.0, end + model->body_count);
        f.shape[i] = (er_mode_shape){er_modes_index(modes, mode), f.label[i], {end, end + model->body_count}};
    }
    snprintf(subtitle, sizeof subtitle, "%d %s; %d of %d elastic modes in the spectrum, %d drawn", model->body_count,
             eri_bodies(model->body_count), elastic, modes->dof - modes->rigid_count - modes->mechanism_count, count);
    const er_modes_figure of = {.title = model->name,
                                .subtitle = subtitle,
                                .model = model,
                                .modes = modes,
                                .up = scene != NULL ? scene->up : er_v3(0, 1, 0),
                                .shape_count = count,
                                .shape = f.shape};
    if (r == ER_OK) r = er_modes_plot(context, &of, path);
    free_figure(&f);
    return r;
}
