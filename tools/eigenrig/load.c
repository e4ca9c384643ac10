// Shared by commands: loads models, builds rigs, solves for modes, reads mixes, checks outputs in advance.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_tune.h"
#include "app/project/up_axis.h"
#include "base/platform.h"
#include "tools/eigenrig/cli.h"

// Refuses options that turn a model into a rig if the file is a rig already.
static er_result check_rig_options(er_context *context, const options *o, const project_description *described)
{
    static const struct {
        unsigned bit;
        const char *name, *key; // of the option, in a description
    } unfit[] = {{GIVEN_JOINTS, "joints", "joints"},
                 {GIVEN_DENSITY, "density", "density"},
                 {GIVEN_HEIGHT, "height", "height"},
                 {GIVEN_POSE, "pose", "pose"},
                 {GIVEN_SKELETON, "skeleton", "skeleton"},
                 {GIVEN_INFER, "infer-parents", "infer_parents"},
                 {GIVEN_CHARACTER, "character", "character"},
                 {GIVEN_PROPS, "props", "props"},
                 {GIVEN_HANG, "hang", "hang"}};
    unsigned given = described != NULL ? o->asked.given & ~described->gives : o->asked.given;
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; ++i)
        if ((given & unfit[i].bit) != 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "--%s applies to models only; \"%s\" is a rig already",
                           unfit[i].name, o->model);
        else if ((o->asked.given & unfit[i].bit) != 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: %s applies to models only; \"%s\" is a rig already",
                           described->path, unfit[i].key, o->model);
    return ER_OK;
}

static er_result change_rig_file(er_context *context, const options *o, loaded *out)
{
    er_rig_change change = rig_settings_given_changes(o->asked.given, &o->asked.rig);
    er_model *changed = NULL;
    er_symmetry symmetry;
    change.up = o->asked.up;
    change.symmetry = &symmetry;
    er_result r = er_rig_change_model(context, out->owned, &change, &changed);
    if (r != ER_OK) return r;
    if (change.symmetrize) er_symmetry_tell(changed, &symmetry, out->symmetry, sizeof out->symmetry);
    if (change.symmetrize && !o->quiet) print_note("%s: %s", o->model, out->symmetry);
    er_model_destroy(out->owned);
    out->owned = changed;
    out->model = changed;
    return ER_OK;
}

er_result describe_rig(er_context *context, options *o, loaded *out)
{
    bool named = o->asked.description != NULL;
    *out = (loaded){0};
    er_result r = project_apply_description(context, o->model, &o->asked, &out->described);
    out->file = r == ER_ERROR_FILE || r == ER_ERROR_FORMAT ? NULL : o->model; // messages about the description name its
                                                                              // own file
    o->gait.forward = o->asked.forward;
    o->gait.up = o->asked.up;
    if (out->described != NULL && !named && !o->quiet && o->on_warning == NULL)
        print_note("%s: described by %s", o->model, out->described->path);
    return r;
}

er_result open_scene(er_context *context, const options *o, const er_import_def *def, loaded *out)
{
    if (er_file_is_rig(context, o->model) && check_rig_options(context, o, out->described) != ER_OK)
        return ER_ERROR_ARGUMENT;
    project_file file;
    project_listener listener = listener_of(o);
    er_import_def import = def != NULL ? *def : er_default_import_def();
    import.allow_outside = o->asked.allow_outside;
    er_result r = project_file_open(context, o->model, &import, &listener, &file);
    out->meshes = o->meshes;
    out->scene = file.scene;
    out->owned = file.model;
    out->world = file.world;
    if (out->scene != NULL) project_set_up_axis(file.scene, &o->asked, &listener);
    return r;
}

static er_result build_rig(er_context *context, const options *o, loaded *out)
{
    project_listener listener = listener_of(o);
    er_result r = project_build_rig(context, out->scene, &o->asked, out->described, &listener, &out->rig);
    const char *pose = o->asked.pose_file;
    if (r == ER_OK)
        out->model = out->rig->model;
    else if (pose != NULL && strncmp(er_context_error(context), pose, strlen(pose)) == 0)
        out->file = NULL; // the message names the pose file
    return r;
}

static void tell_tuning(void *user, er_note_kind kind, const char *text)
{
    const options *o = user;
    if (kind == ER_NOTE_WARNING)
        print_warning(o, "%s", text);
    else if (!o->quiet && o->on_warning == NULL)
        print_note("%s", text);
}

static er_result tune_rig(er_context *context, options *o, loaded *out)
{
    er_model *tuned;
    const project_listener listener = {tell_tuning, o};
    er_result r = project_tuned_model(context, out->model, out->rig, &o->gait, o->asked.tune, &listener, &tuned);
    bool described = out->described != NULL && (out->described->gives & GIVEN_TUNE) != 0;
    if (r != ER_OK) return project_cite_description(context, r, described ? out->described : NULL);
    er_model_destroy(out->owned);
    out->model = out->owned = tuned;
    return ER_OK;
}

er_result open_rig(er_context *context, options *o, loaded *out)
{
    er_result r = project_check_patterns(context, out->described, out->scene, out->owned);
    if (r != ER_OK) return r;
    r = out->scene != NULL ? build_rig(context, o, out)
                           : project_cite_description(context, change_rig_file(context, o, out), out->described);
    if (r != ER_OK) return r;
    project_drop_unknown(&o->asked, out->described, out->model, out->rig);
    if (o->gait.feet == NULL) o->gait.feet = o->asked.feet;
    if (o->asked.tune != NULL && (r = tune_rig(context, o, out)) != ER_OK) return r;
    project_listener listener = listener_of(o);
    return project_check_matches(context, out->described, out->model, &listener);
}

// Checked before the work, which may take long. A folder may hold the frames of a film.
static er_result check_places(er_context *context, const options *o)
{
    const char *const drawn[] = {o->save_pose, o->save_description, o->save_mix, o->plot, o->footfalls, o->strip};
    er_result r = ER_OK;
    for (int i = 0; i < o->output_count && r == ER_OK; ++i)
        if (!project_is_folder(o->outputs[i])) r = er_file_check_place(context, o->outputs[i]);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn && r == ER_OK; ++i)
        if (drawn[i] != NULL) r = er_file_check_place(context, drawn[i]);
    return r;
}

// Says how high the model is in the clips that will be written, which keep the scale of the file.
static void tell_height(const options *o, const er_rig *rig)
{
    const double same = 1e-3;
    bool clips = false;
    for (int i = 0; i < o->output_count; ++i) {
        const project_format *format = project_find_format(o->outputs[i]);
        clips |= format != NULL && format->scene != NULL;
    }
    double ratio = rig->scene->metres_per_unit / rig->metres_per_unit;
    if (clips && !o->quiet && fabs(ratio - 1.0) > same)
        print_note("clips keep the scale of the file: the model is %.3g m high in them, and %.3g m in computations and "
                   "in the speeds that are printed",
                   rig->height * ratio, rig->height);
}

int load_unjudged(er_context *context, options *o, loaded *out)
{
    *out = (loaded){0};
    o->asked.walks |= o->gait_name != NULL || o->sequence != NULL || o->blend_space != NULL;
    er_result r = check_places(context, o);
    if (r == ER_OK) r = describe_rig(context, o, out);
    if (r == ER_OK && er_file_is_rig(context, o->model) && check_rig_options(context, o, out->described) != ER_OK)
        return fail_usage("", "%s", er_context_error(context));
    if (r == ER_OK) r = open_scene(context, o, NULL, out);
    if (r == ER_OK) r = open_rig(context, o, out);
    if (r == ER_OK && out->rig != NULL) tell_height(o, out->rig);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, out->file);
}

int load(er_context *context, options *o, loaded *out)
{
    return strict_status(o, load_unjudged(context, o, out));
}

void unload(loaded *l)
{
    er_mode_names_destroy(l->names);
    er_model_destroy(l->owned);
    er_rig_destroy(l->rig);
    er_scene_destroy(l->scene);
    er_world_file_destroy(l->world);
    project_description_close(l->described);
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

static void print_numbers(const options *o, const er_model *model, const er_modes *m)
{
    if (!o->verbose || o->quiet) return;
    print_note("route %s%s: G has %d rows, rank %d (smallest pivot kept %.2g, largest taken as zero %.2g)",
               er_modal_method_name(m->method), m->halves ? ", in symmetric halves" : "", m->constraint_count, m->rank,
               m->rank_smallest_kept, m->rank_largest_zero);
    for (int k = 0; k < model->joint_count; ++k) {
        char redundant[80];
        if (!model->joint[k].closes_loop) continue;
        write_redundant(model, k, m->redundant, m->redundant_count, redundant);
        print_note("loop closed by joint \"%s\": %s", plain(model->joint[k].name), redundant);
    }
    print_note("%d modes: %d rigid, %d mechanisms, %d elastic", m->dof, m->rigid_count, m->mechanism_count,
               m->dof - m->rigid_count - m->mechanism_count);
    print_note("residuals: |G eta| %.2g, |eta'M eta - 1| %.2g, |K eta - lambda M eta| %.2g (relative)",
               m->residuals.constraint, m->residuals.gram, m->residuals.pencil);
    if (m->damped_count > 0) print_note("damping: |(mu^2 M + mu C + K) eta| %.2g (relative)", m->residuals.damped);
}

static int check_ending(const char *name, const char *const *end, const char *output)
{
    if (strcmp(output, "-") == 0) return EXIT_DONE;
    char known[80] = "";
    for (size_t i = 0; end[i] != NULL; ++i) {
        if (er_path_ends_in(output, end[i])) return EXIT_DONE;
        strcat(strcat(known, i == 0 ? "" : end[i + 1] != NULL ? ", " : " or "), end[i]);
    }
    const project_format *format = project_find_format(output);
    return fail_usage(name, "%s writes %s, but \"%s\" %s", name, known, output,
                      format != NULL && !format->curves ? "is named like a model; clips come from palette"
                                                        : "has another ending");
}

int check_output_ending(const char *name, const char *const *end, const options *o)
{
    int status = EXIT_DONE;
    for (int i = 0; i < o->output_count && status == EXIT_DONE; ++i)
        status = check_ending(name, end, o->outputs[i]);
    return status;
}

int check_json(const char *name, const options *o)
{
    const char *const path[] = {o->palette, o->plot, o->footfalls, o->strip, o->matrices};
    bool piped = false;
    for (size_t i = 0; i < sizeof path / sizeof *path; ++i)
        piped |= path[i] != NULL && strcmp(path[i], "-") == 0;
    for (int i = 0; i < o->output_count; ++i)
        piped |= strcmp(o->outputs[i], "-") == 0;
    if (piped && o->json) return fail_usage(name, "--json uses standard output; name a file instead of -");
    return EXIT_DONE;
}

int check_terminal(const char *name, const options *o)
{
    for (int i = 0; i < o->output_count; ++i)
        if (strcmp(o->outputs[i], "-") == 0 && eri_platform_is_terminal(ERI_OUTPUT))
            return fail_usage(name, "the output is binary, and standard output is a terminal; add > FILE or | PROGRAM");
    return EXIT_DONE;
}

static void modes_found(void *bar, int found, int wanted)
{
    progress_step(bar, found, wanted);
}

int modes_wanted(const options *o, const er_model *model)
{
    return o->count > 0 ? o->count : project_usual_modes(model);
}

int solve(er_context *context, const options *o, const er_model *model, er_modes **out)
{
    er_modal_set_threads(o->threads);
    er_modal_def def = o->modal;
    progress bar = progress_begin(o, "modes");
    def.progress = modes_found;
    def.user = &bar;
    er_result r = project_solve_modes(context, model, &def, modes_wanted(o, model), out);
    progress_end(&bar);
    if (r != ER_OK) return fail_work(context, r, o->model);
    print_numbers(o, model, *out);
    return EXIT_DONE;
}

er_result write_palette_file(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                             const er_validity *validity, const char *path)
{
    er_mode_names *names;
    er_result r = project_name_modes(context, l->model, l->rig, &o->gait, modes, &names);
    if (r == ER_OK) r = er_palette_file_write(context, l->model, modes, names, validity, NULL, path);
    er_mode_names_destroy(names);
    return r;
}

bool options_name_modes(const options *o)
{
    bool any = o->mode_name != NULL;
    for (int i = 0; i < o->mix_count; ++i)
        any |= project_mix_has_names(o->mixes[i]);
    return any;
}

int take_mode_names(er_context *context, const char *name, options *o, loaded *l)
{
    er_modes *modes = NULL;
    int status = solve(context, o, l->model, &modes);
    if (status == EXIT_DONE) status = name_modes(context, o, l, modes, &l->names);
    er_modes_destroy(modes);
    if (status != EXIT_DONE) return status;
    if (l->names == NULL) return fail_usage(name, "the modes of \"%s\" have no names; give their indices", o->model);
    if (o->mode_name != NULL) {
        o->picture.mode = er_mode_names_find(l->names, o->mode_name);
        if (o->picture.mode < 0) return fail_usage(name, "--mode: no mode is called \"%s\"", o->mode_name);
    }
    for (int i = 0; i < o->mix_count; ++i)
        if (project_mix_has_names(o->mixes[i]) &&
            er_mode_names_in_mix(context, l->names, o->mixes[i], &o->mixes[i]) != ER_OK)
            return fail_usage(name, "%s", er_context_error(context));
    return EXIT_DONE;
}

int name_modes(er_context *context, const options *o, const loaded *l, const er_modes *modes, er_mode_names **out)
{
    er_result r = project_name_modes(context, l->model, l->rig, &o->gait, modes, out);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
}

bool same_file(const char *a, const char *b)
{
    eri_file_info x, y;
    if (strcmp(a, b) == 0) return true;
    return eri_platform_stat(a, &x) == 0 && eri_platform_stat(b, &y) == 0 && x.kind == ERI_FILE_REGULAR &&
           x.device == y.device && x.number == y.number;
}

int read_mix(er_context *context, const char *name, const char *text, er_mix **out)
{
    er_result r = project_read_mix(context, text, out);
    if (r == ER_ERROR_ARGUMENT) return fail_usage(name, "%s", er_context_error(context));
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, text);
}

int modes_of_mixes(const options *o, const er_model *model, er_mix *const *mix, int count)
{
    int usual = modes_wanted(o, model);
    return o->count > 0 ? usual : project_modes_of_mixes(model, mix, count, usual);
}
