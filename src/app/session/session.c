// A session: opens models, and checks and applies setups.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/up_axis.h"
#include "app/session/session_inside.h"

er_result session_create(er_context *context, session **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return eri_no_memory(context);
    (*out)->context = context;
    return ER_OK;
}

static void close_all(session *s)
{
    session_drop_gaits(s->gaits);
    er_gait_motion_destroy(s->timed.motion);
    session_clear_history(&s->history);
    session_clear_layers(&s->in);
    session_drop_tune_start(s->tune_from);
    session_step_drop(&s->first);
    session_step_drop(&s->now);
    project_file_close(&s->file);
    project_description_close(s->described);
    free(s->tuning);
    free((char *)s->def.skeleton);
    free((char *)s->def.character);
    free(s->tune);
    free(s->pose_file);
    free(s->path);
}

void session_destroy(session *s)
{
    if (s == NULL) return;
    close_all(s);
    session_drop_recent(s);
    session_drop_presets(s);
    free(s);
}

// --- opening

static bool floats(const er_model *model)
{
    bool any = false;
    for (int b = 0; b < model->body_count; ++b) {
        int t = model->tree_joint[b];
        any |= t < 0 || (model->joint[t].type == ER_JOINT_FREE && model->joint[t].parent < 0);
    }
    return any;
}

// Applies the settings of a def that are not the defaults to a rig file's model.
static er_result change_file(er_context *context, const project_request *request, er_model **model)
{
    const er_rig_def *def = &request->rig;
    const er_rig_def usual = er_default_rig_def();
    const er_stiffness *a = &def->stiffness, *b = &usual.stiffness;
    er_rig_change change = er_default_rig_change();
    er_model *changed = NULL;
    if (a->uniform || a->hz != b->hz || a->alpha != b->alpha) change.stiffness = a;
    if (def->damping_ratio > 0.0) change.damping_ratio = def->damping_ratio;
    if (def->rayleigh_mass > 0.0) change.rayleigh_mass = def->rayleigh_mass;
    if (def->rayleigh_stiffness > 0.0) change.rayleigh_stiffness = def->rayleigh_stiffness;
    change.mass = def->mass;
    change.symmetrize = def->symmetrize;
    change.up = request->up;
    er_result r = er_rig_change_model(context, *model, &change, &changed);
    if (r != ER_OK) return r;
    er_model_destroy(*model);
    *model = changed;
    return ER_OK;
}

static er_result take_words(er_context *context, const char *what, const char *from, char *to, size_t size)
{
    if (from == NULL) return ER_OK;
    if (strlen(from) >= size)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s of %zu bytes are more than %zu", what, strlen(from), size - 1);
    memcpy(to, from, strlen(from) + 1);
    return ER_OK;
}

// The first step, from the request and the file.
static er_result begin(er_context *context, const project_file *file, const project_request *request, step *out)
{
    const er_rig_def *def = &request->rig;
    session_setup *setup = &out->setup;
    er_result r = take_words(context, "feet", request->feet, setup->feet, sizeof setup->feet);
    if (r == ER_OK) r = take_words(context, "props", def->props, setup->props, sizeof setup->props);
    if (r == ER_OK) r = take_words(context, "plant", request->plant, setup->plant, sizeof setup->plant);
    if (r != ER_OK) return r;
    const er_follow_def follow = er_default_follow_def();
    setup->follow =
        (session_follow){.bounce = follow.bounce, .weight = follow.weight, .amount = follow.amount, .hz = follow.hz};
    setup->forward = request->forward;
    setup->root = def->root;
    setup->joints = def->joints;
    setup->stiffness = def->stiffness;
    setup->damping_ratio = def->damping_ratio;
    setup->density = def->density;
    setup->pose = def->pose;
    setup->clip_time = def->pose_time;
    if (file->model != NULL) {
        setup->own_springs = true;
        setup->damping_ratio = file->model->damping_ratio;
        setup->pose = ER_POSE_REST;
        if (!floats(file->model)) setup->root = ER_ROOT_FIXED;
        return ER_OK;
    }
    const char *clip = def->pose_clip != NULL ? def->pose_clip : "";
    if (strlen(clip) >= sizeof setup->clip)
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no clip of a name of %zu bytes", strlen(clip));
    memcpy(setup->clip, clip, strlen(clip) + 1);
    if (def->pose != ER_POSE_GIVEN || def->pose_local == NULL) return ER_OK;
    out->pose = session_pose_new(def->pose_local, file->scene->node_count);
    return out->pose != NULL ? ER_OK : eri_no_memory(context);
}

static er_result keep_words(session *s, const char *path, const project_request *request)
{
    const char *skeleton = request->rig.skeleton, *character = request->rig.character, *pose = request->pose_file,
               *tune = request->tune;
    s->def = request->rig;
    s->given = request->given;
    s->def.skeleton = skeleton != NULL ? strdup(skeleton) : NULL;
    s->def.character = character != NULL ? strdup(character) : NULL;
    s->pose_file = pose != NULL ? strdup(pose) : NULL;
    s->tune = tune != NULL ? strdup(tune) : NULL;
    s->path = strdup(path);
    bool all = s->path != NULL && (tune == NULL || s->tune != NULL) && (skeleton == NULL || s->def.skeleton != NULL) &&
               (character == NULL || s->def.character != NULL) && (pose == NULL || s->pose_file != NULL);
    return all ? ER_OK : eri_no_memory(s->context);
}

// Chooses the pose that all commands choose if the request has none. The rig is kept until the first step is made, so
// that masses are not computed twice.
static er_result choose_pose(session *s, project_request *request)
{
    if (request->rig.pose != ER_POSE_REST || (request->given & GIVEN_POSE) != 0) return ER_OK;
    project_request plain = *request;
    plain.rig.change = NULL; // the tuning applies it
    er_result r = project_build_rig(s->context, s->file.scene, &plain, s->described, NULL, &s->opened);
    if (r != ER_OK) return r;
    request->rig.pose = s->opened->pose;
    request->rig.pose_clip = s->opened->pose_clip;
    request->rig.pose_time = 0.0;
    return ER_OK;
}

static er_result open_file(session *s, const char *path, project_request *request, const project_listener *listener)
{
    er_affine *pose = NULL;
    er_import_def import = er_default_import_def();
    import.allow_outside = request->allow_outside;
    er_result r = project_apply_description(s->context, path, request, &s->described);
    if (r == ER_OK) r = keep_words(s, path, request);
    if (r == ER_OK) r = project_file_open(s->context, path, &import, NULL, &s->file);
    if (r == ER_OK) r = project_check_patterns(s->context, s->described, s->file.scene, s->file.model);
    if (r == ER_OK && s->file.scene != NULL) project_set_up_axis(s->file.scene, request, listener);
    if (r == ER_OK && s->file.model != NULL) r = change_file(s->context, request, &s->file.model);
    if (r == ER_OK && s->file.scene != NULL)
        r = project_cite_description(s->context, project_read_pose(s->context, s->file.scene, request, &pose),
                                     project_pose_is_described(request) ? s->described : NULL);
    request->rig.pose_local = pose;
    if (r == ER_OK && s->file.scene != NULL) r = choose_pose(s, request);
    if (r == ER_OK) r = begin(s->context, &s->file, request, &s->first);
    free(pose);
    return r;
}

er_result session_open(session *s, const char *path, const project_request *request)
{
    project_request merged = request != NULL ? *request : project_default_request();
    session next = *s; // keeps the versions and the list of recent files
    next.file = (project_file){0};
    next.path = next.pose_file = next.tune = NULL;
    next.tuning = NULL;
    next.described = NULL;
    next.first = next.now = (step){0};
    next.in = (layers){0};
    next.history = (session_history){0};
    next.def.skeleton = next.def.character = NULL;
    next.gaits = NULL;
    next.timed = (timed_preset){0};
    next.tune_from = NULL;
    next.opened = NULL;
    const project_listener listener = session_listen(&next);
    er_result r = open_file(&next, path, &merged, &listener);
    if (r == ER_OK)
        r = project_cite_description(s->context, session_apply(&next, &next.first, false, true), next.described);
    if (r == ER_OK) r = project_check_matches(s->context, next.described, session_model(&next), &listener);
    if (r == ER_OK && next.opened != NULL && next.opened->pose != ER_POSE_REST)
        snprintf(next.message, sizeof next.message, "the rest pose is none to stand in, so \"%.100s\" is taken",
                 next.opened->pose_clip != NULL ? next.opened->pose_clip : "bind");
    if (r == ER_OK && next.warnings[0] != '\0') snprintf(next.message, sizeof next.message, "%.255s", next.warnings);
    er_rig_destroy(next.opened);
    next.opened = NULL;
    if (r != ER_OK) {
        close_all(&next);
        return r;
    }
    close_all(s);
    *s = next;
    return ER_OK;
}

// --- the setup

static bool ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool is_bone(const session *s, int node)
{
    const er_rig *rig = session_rig(s);
    return rig != NULL && node >= 0 && node < rig->scene->node_count && rig->bone[node];
}

static er_result check_setup(const session *s, const session_setup *setup)
{
    bool fits = setup->rule_count >= 0 && setup->rule_count <= SESSION_MAX_RULES && setup->aim_count >= 0 &&
                setup->aim_count <= SESSION_MAX_AIMS && setup->component_count >= 0 &&
                setup->component_count <= SESSION_MAX_COMPONENTS && ends(setup->clip, sizeof setup->clip) &&
                setup->reparent_count >= 0 && setup->reparent_count <= SESSION_MAX_REPARENTS &&
                ends(setup->props, sizeof setup->props) && ends(setup->feet, sizeof setup->feet) &&
                ends(setup->plant, sizeof setup->plant) && ends(setup->over, sizeof setup->over) &&
                ends(setup->mix_name, sizeof setup->mix_name) && ends(setup->follow.parts, sizeof setup->follow.parts);
    for (int i = 0; fits && i < setup->rule_count; ++i)
        fits = ends(setup->rule[i].pattern, sizeof setup->rule[i].pattern);
    fits = fits && ends(setup->timed, sizeof setup->timed) && setup->piece_count >= 0 &&
           setup->piece_count <= SESSION_MAX_PIECES;
    for (int i = 0; fits && i < setup->piece_count; ++i)
        fits = ends(setup->piece[i].what, sizeof setup->piece[i].what) && setup->piece[i].seconds > 0.0;
    if (!fits) return er_fail(s->context, ER_ERROR_ARGUMENT, "the setup has more than it can hold");
    if (!session_is_open(s)) return session_check_open(s);
    if ((unsigned)setup->root > ER_ROOT_FIXED)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "root %d is unknown", (int)setup->root);
    for (int i = 0; i < setup->rule_count; ++i)
        if (setup->rule[i].damping_ratio < 0.0)
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "joints \"%s\": damping ratio %g is not a number of 0 or more", setup->rule[i].pattern,
                           setup->rule[i].damping_ratio);
    if (!(setup->density > 0.0) || !isfinite(setup->density))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "density %g is not a positive number", setup->density);
    if (!(setup->damping_ratio >= 0.0))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "damping ratio %g is not a number of 0 or more",
                       setup->damping_ratio);
    if (setup->pose == ER_POSE_GIVEN && s->now.pose == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "no pose was given: turn a joint first");
    for (int i = 0; i < setup->reparent_count; ++i)
        if (!is_bone(s, setup->reparent[i].bone) ||
            (setup->reparent[i].parent != -1 && !is_bone(s, setup->reparent[i].parent)))
            return er_fail(s->context, ER_ERROR_ARGUMENT, "node %d on node %d: there is no such bone",
                           setup->reparent[i].bone, setup->reparent[i].parent);
    if (s->file.scene != NULL) return ER_OK;
    if (setup->joints != s->first.setup.joints || setup->pose != ER_POSE_REST)
        return er_fail(s->context, ER_ERROR_ARGUMENT,
                       "joints and poses are chosen when a model becomes a rig; \"%s\" is a rig already", s->path);
    if (setup->root != ER_ROOT_FIXED && !floats(s->file.model))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the rig file \"%s\" ties the root to the world", s->path);
    return ER_OK;
}

er_result session_set(session *s, const session_setup *setup, bool end)
{
    er_result r = check_setup(s, setup);
    if (r != ER_OK) return r;
    step next = {*setup, s->now.pose, s->now.factors};
    const er_stiffness *law = &setup->stiffness, *present = &s->now.setup.stiffness;
    if (law->uniform != present->uniform || law->k != present->k || law->hz != present->hz ||
        law->alpha != present->alpha)
        next.setup.own_springs = false;
    if (s->file.scene != NULL) next.setup.own_springs = false;
    return session_change(s, &next, end);
}

void session_show_mix(session_setup *setup)
{
    setup->timed[0] = '\0';
    setup->performs = false;
}

er_result session_play(session *s, int mode)
{
    session_commit(s);
    session_setup setup = s->now.setup;
    session_show_mix(&setup);
    setup.component_count = mode >= 0;
    setup.component[0] = (session_component){.mode = mode, .degrees = er_default_mix_component().degrees};
    setup.mix_name[0] = setup.over[0] = '\0';
    return session_set(s, &setup, true);
}

er_result session_play_clip(session *s, const char *clip)
{
    session_commit(s);
    session_setup setup = s->now.setup;
    session_show_mix(&setup);
    setup.component_count = 0;
    setup.mix_name[0] = '\0';
    if (strlen(clip) >= sizeof setup.over)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no clip of a name of %zu bytes", strlen(clip));
    snprintf(setup.over, sizeof setup.over, "%s", clip);
    return session_set(s, &setup, true);
}

er_result session_toggle(session *s, int mode)
{
    session_commit(s);
    session_setup setup = s->now.setup;
    int kept = 0;
    session_show_mix(&setup);
    for (int i = 0; i < setup.component_count; ++i)
        if (setup.component[i].mode != mode) setup.component[kept++] = setup.component[i];
    if (kept == setup.component_count) {
        if (kept == SESSION_MAX_COMPONENTS)
            return er_fail(s->context, ER_ERROR_ARGUMENT, "a mix holds %d modes at most", SESSION_MAX_COMPONENTS);
        setup.component[kept++] = (session_component){.mode = mode, .degrees = er_default_mix_component().degrees};
    }
    setup.component_count = kept;
    return session_set(s, &setup, true);
}
