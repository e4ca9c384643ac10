#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

// Of a rig that somebody described, whose words may be what is wrong.
static int fail_described(er_context *context, er_result r, const options *o)
{
    char file[8192];
    if (o->rig.change == NULL || o->description == NULL) return fail_work(context, r, o->model);
    snprintf(file, sizeof file, "%s, described by %s", o->model, o->description);
    return fail_work(context, r, file);
}

static int load_rig_file(er_context *context, options *o, loaded *out)
{
    static const char *const names[] = {"root",    "joints", "stiffness", "damping", "damping",
                                        "density", "mass",   "height",    "pose"};
    for (int i = 0; i < 9; ++i) {
        bool fits =
            i == GIVEN_ROOT || i == GIVEN_STIFFNESS || i == GIVEN_DAMPING || i == GIVEN_RAYLEIGH || i == GIVEN_MASS;
        if (o->rig_given[i] && !fits)
            return fail_usage("", "--%s says how a model becomes a rig; \"%s\" is a rig already", names[i], o->model);
    }
    if (o->rig.skeleton != NULL || o->rig.infer_parents)
        return fail_usage("", "--skeleton and --infer-parents read a model; \"%s\" is a rig already", o->model);
    er_result r = er_file_read_rig(context, o->model, &out->owned);
    if (r != ER_OK) return fail_work(context, r, o->model);
    er_rig_change change = o->rig.change != NULL ? *o->rig.change : er_default_rig_change();
    change.stiffness = o->rig_given[GIVEN_STIFFNESS] ? &o->rig.stiffness : NULL;
    change.damping_ratio = o->rig_given[GIVEN_DAMPING] ? o->rig.damping_ratio : -1.0;
    change.rayleigh_mass = o->rig_given[GIVEN_RAYLEIGH] ? o->rig.rayleigh_mass : -1.0;
    change.rayleigh_stiffness = o->rig_given[GIVEN_RAYLEIGH] ? o->rig.rayleigh_stiffness : -1.0;
    change.mass = o->rig.mass;
    change.fix_root = o->rig.root == ER_ROOT_FIXED;
    er_model *changed = NULL;
    r = er_rig_change_model(context, out->owned, &change, &changed);
    if (r != ER_OK) return fail_described(context, r, o);
    er_model_destroy(out->owned);
    out->owned = changed;
    out->model = changed;
    return EXIT_DONE;
}

static void say_notes(const options *o, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i)
        if (note[i].kind == ER_NOTE_WARNING)
            say_warning(o, "%s", note[i].text);
        else if (o->verbose && !o->quiet)
            say("%s: %s", o->model, note[i].text);
}

static er_result read_pose(er_context *context, options *o, loaded *out)
{
    out->pose = calloc((size_t)out->scene->node_count + 1, sizeof *out->pose);
    if (out->pose == NULL) return ER_ERROR_MEMORY;
    o->rig.pose_local = out->pose;
    return er_file_read_pose(context, o->pose_file, out->scene, out->pose);
}

int load(er_context *context, options *o, loaded *out)
{
    *out = (loaded){0};
    bool is_rig = er_file_is_rig(context, o->model);
    int status = open_description(context, o, is_rig, &out->described);
    if (status != EXIT_DONE) return status;
    if (out->described.state != NULL) o->rig.change = &out->described.settings.change;
    if (is_rig) return load_rig_file(context, o, out);
    er_result r = er_import_file(context, o->model, NULL, &out->scene);
    if (r == ER_OK) {
        say_notes(o, out->scene->note, out->scene->note_count);
        if (o->pose_file != NULL) r = read_pose(context, o, out);
        if (r != ER_OK) return fail_work(context, r, o->pose_file);
        r = er_rig_build(context, out->scene, &o->rig, &out->rig);
        if (r != ER_OK) return fail_described(context, r, o);
    }
    if (r != ER_OK) return fail_work(context, r, o->model);
    say_notes(o, out->rig->note, out->rig->note_count);
    out->model = out->rig->model;
    return EXIT_DONE;
}

void unload(loaded *l)
{
    free(l->pose);
    er_model_destroy(l->owned);
    er_rig_destroy(l->rig);
    er_scene_destroy(l->scene);
    script_close_sidecar(&l->described);
}

void write_redundant(const er_model *model, int joint, const er_redundant_row *row, int count, char text[80])
{
    static const char *const axes[] = {"tx", "ty", "tz", "x", "y", "z"};
    char names[24] = "";
    int redundant = 0;
    for (int i = 0; i < count; ++i) {
        if (row[i].joint != joint) continue;
        ++redundant;
        strcat(strcat(names, " "), axes[row[i].axis]);
    }
    int held = 6 - er_joint_type_freedom(model->joint[joint].type, NULL);
    if (redundant > 0)
        snprintf(text, 80, "%d of its %d constraints redundant:%s", redundant, held, names);
    else
        snprintf(text, 80, "none of its %d constraints redundant", held);
}

static void say_numbers(const options *o, const er_model *model, const er_modes *m)
{
    if (!o->verbose || o->quiet) return;
    say("route %s: G has %d rows, rank %d (smallest pivot kept %.2g, largest taken as zero %.2g)",
        er_modal_method_name(m->method), m->constraint_count, m->rank, m->rank_smallest_kept, m->rank_largest_zero);
    for (int k = 0; k < model->joint_count; ++k) {
        char redundant[80];
        if (!model->joint[k].closes_loop) continue;
        write_redundant(model, k, m->redundant, m->redundant_count, redundant);
        say("loop closed by joint \"%s\": %s", plain(model->joint[k].name), redundant);
    }
    say("%d modes: %d rigid, %d mechanisms, %d elastic", m->dof, m->rigid_count, m->mechanism_count,
        m->dof - m->rigid_count - m->mechanism_count);
    say("residuals: |G eta| %.2g, |eta'M eta - 1| %.2g, |K eta - lambda M eta| %.2g (relative)",
        m->residuals.constraint, m->residuals.gram, m->residuals.pencil);
    if (m->damped_count > 0) say("damping: |(mu^2 M + mu C + K) eta| %.2g (relative)", m->residuals.damped);
}

bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

int check_json_output(const char *name, const options *o)
{
    static const char *const models[] = {".glb", ".gltf", ".fbx", ".dae", ".bvh"};
    for (size_t i = 0; o->output != NULL && i < sizeof models / sizeof models[0]; ++i)
        if (ends_with(o->output, models[i]))
            return fail_usage(name, "%s writes JSON, and \"%s\" is named like a model; clips come from palette", name,
                              o->output);
    return EXIT_DONE;
}

static void modes_found(void *bar, int found, int wanted)
{
    progress_step(bar, found, wanted);
}

int modes_wanted(const options *o, const er_model *model)
{
    enum { SMALL_RIG = 100, FEW_MODES = 64 }; // bodies; beyond, a table of all modes serves nobody
    return o->count > 0 ? o->count : model->body_count > SMALL_RIG ? FEW_MODES : 0;
}

int solve(er_context *context, const options *o, const er_model *model, er_modes **out)
{
    er_modal_set_threads(o->threads);
    er_modal_def def = o->modal;
    def.mode_count = modes_wanted(o, model);
    progress bar = progress_begin(o, "modes");
    def.progress = modes_found;
    def.user = &bar;
    er_result r = er_modal_solve(context, model, &def, out);
    progress_end(&bar);
    if (r != ER_OK) return fail_work(context, r, o->model);
    say_numbers(o, model, *out);
    return EXIT_DONE;
}
