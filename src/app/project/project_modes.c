// The number of modes to solve for: er_modal_solve() counts modes of eigenvalue 0, people do not. Files of modes.
#include "app/project/project_modes.h"

#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/plots.h>

#include "base/failure.h"

// Trees with a body two joints from the root or more, at most MOST.
static int count_characters(const er_model *model)
{
    enum { MOST = 16 };
    int count = 0;
    bool *known = calloc((size_t)model->body_count, sizeof *known); // by its root
    for (int b = 0; known != NULL && b < model->body_count && count < MOST; ++b) {
        int up = model->tree_parent[b], above = up >= 0 ? model->tree_parent[up] : -1;
        if (above < 0 || model->tree_parent[above] >= 0 || known[above]) continue;
        known[above] = true;
        ++count;
    }
    free(known);
    return count > 0 ? count : 1;
}

int project_usual_modes(const er_model *model)
{
    enum { SMALL_RIG = 100, FEW_MODES = 64 }; // bodies; modes of a character
    return model->body_count > SMALL_RIG ? FEW_MODES * count_characters(model) : 0;
}

// Coordinates of the spanning forest that no spring holds: six of a root that floats, and those without stiffness.
static int count_unsprung(const er_model *model)
{
    int count = 0;
    for (int b = 0; b < model->body_count; ++b) {
        const er_joint *joint = model->tree_joint[b] >= 0 ? &model->joint[model->tree_joint[b]] : NULL;
        int freedoms = joint != NULL ? er_joint_type_freedom(joint->type, NULL) : 6;
        for (int i = 0; i < freedoms; ++i)
            count += joint == NULL || joint->stiffness[i] == 0.0;
    }
    return count;
}

void project_count_modes(const er_model *model, int elastic, er_modal_def *def)
{
    int zeros = def->min_hz > 0.0 ? 0 : count_unsprung(model);
    def->mode_count = elastic > 0 ? zeros + elastic : 0;
}

bool project_recount_modes(const er_modes *modes, int elastic, er_modal_def *def)
{
    if (elastic == 0) return false;
    int zeros = def->min_hz > 0.0 ? 0 : modes->rigid_count + modes->mechanism_count, wanted = zeros + elastic;
    bool cut = modes->count == def->mode_count && modes->first + modes->count < modes->dof;
    bool again = modes->count > wanted || (cut && modes->count < wanted);
    def->mode_count = wanted;
    return again;
}

er_result project_solve_modes(er_context *context, const er_model *model, const er_modal_def *def, int elastic,
                              er_modes **out)
{
    er_modal_def counted = *def;
    project_count_modes(model, elastic, &counted);
    er_result r = er_modal_solve(context, model, &counted, out);
    if (r != ER_OK || !project_recount_modes(*out, elastic, &counted)) return r;
    er_modes_destroy(*out);
    return er_modal_solve(context, model, &counted, out);
}

er_result project_bound_modes(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              er_mode_bound **out)
{
    er_rig_shapes *shapes = NULL;
    er_mode_bound *bound = malloc(((size_t)modes->count + 1) * sizeof *bound);
    *out = NULL;
    er_result r = bound != NULL ? ER_OK : er_fail(context, ER_ERROR_MEMORY, "out of memory");
    if (r == ER_OK && rig != NULL) r = er_rig_shapes_create(context, model, rig, &shapes);
    if (r == ER_OK) r = er_modes_bound(context, model, modes, shapes, er_default_mix_component().degrees, bound);
    er_rig_shapes_destroy(shapes);
    if (r == ER_OK)
        *out = bound;
    else
        free(bound);
    return r;
}

int project_elastic_count(const er_modes *modes)
{
    int count = 0;
    for (int k = 0; k < modes->count; ++k)
        count += modes->mode[k].kind == ER_MODE_ELASTIC;
    return count;
}

const char *const project_modes_ends[] = {".json", ".csv", ".npz", NULL};

er_result project_write_modes(er_context *context, const er_model *model, const er_modes *modes,
                              const er_mode_names *names, const er_mode_bound *bound, const char *path)
{
    if (strcmp(path, "-") == 0 || er_path_ends_in(path, ".json"))
        return er_palette_file_write(context, model, modes, names, NULL, bound, path);
    if (er_path_ends_in(path, ".csv")) return er_modes_write_csv(context, model, modes, path);
    if (er_path_ends_in(path, ".npz")) return er_modes_write_npz(context, model, modes, path);
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in .json, .csv or .npz", path);
}

er_result project_write_matrices(er_context *context, const er_model *model, const er_pose *pose, const char *path)
{
    er_modal_matrices *matrices = NULL;
    if (strcmp(path, "-") != 0 && !er_path_ends_in(path, ".npz"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: must end in .npz", path);
    er_result r = er_modal_matrices_create(context, model, pose, &matrices);
    if (r == ER_OK) r = er_modal_matrices_write_npz(context, model, matrices, path);
    er_modal_matrices_destroy(matrices);
    return r;
}
