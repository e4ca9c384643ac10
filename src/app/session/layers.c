// The layers of a session: a change of the setup remakes only the layers that depend on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_inside.h"

// --- given poses

shared_pose *session_pose_new(const er_affine *local, int count)
{
    shared_pose *pose = malloc(sizeof *pose + (size_t)count * sizeof *local);
    if (pose == NULL) return NULL;
    pose->users = 1;
    memcpy(pose->local, local, (size_t)count * sizeof *local);
    return pose;
}

void session_pose_drop(shared_pose *pose)
{
    if (pose != NULL && --pose->users == 0) free(pose);
}

void session_factors_drop(shared_factors *factors)
{
    if (factors != NULL && --factors->users == 0) free(factors);
}

void session_drop_tune_start(tune_start *t)
{
    if (t == NULL) return;
    session_factors_drop(t->before);
    er_model_destroy(t->model);
    free(t->list);
    free(t->shape);
    free(t->joint);
    free(t);
}

void session_step_share(step *p)
{
    if (p->pose != NULL) ++p->pose->users;
    if (p->factors != NULL) ++p->factors->users;
}

void session_step_drop(step *p)
{
    session_pose_drop(p->pose);
    session_factors_drop(p->factors);
}

// --- differences of setups

static bool same_bodies(const session_setup *a, const session_setup *b)
{
    bool same = a->reparent_count == b->reparent_count && strcmp(a->props, b->props) == 0;
    for (int i = 0; same && i < a->reparent_count; ++i)
        same = a->reparent[i].bone == b->reparent[i].bone && a->reparent[i].parent == b->reparent[i].parent;
    return same;
}

bool session_same_gait_body(const session_setup *a, const session_setup *b)
{
    return strcmp(a->feet, b->feet) == 0 && memcmp(&a->forward, &b->forward, sizeof a->forward) == 0;
}

static bool same_form(const step *a, const step *b)
{
    const session_setup *x = &a->setup, *y = &b->setup;
    if (x->joints != y->joints || x->pose != y->pose || !same_bodies(x, y)) return false;
    if (x->pose == ER_POSE_CLIP) return strcmp(x->clip, y->clip) == 0 && x->clip_time == y->clip_time;
    return x->pose != ER_POSE_GIVEN || a->pose == b->pose;
}

static bool same_law(const er_stiffness *a, const er_stiffness *b)
{
    return a->uniform == b->uniform && (a->uniform ? a->k == b->k : a->hz == b->hz && a->alpha == b->alpha);
}

static bool same_rule(const session_rule *a, const session_rule *b)
{
    return strcmp(a->pattern, b->pattern) == 0 && a->hz == b->hz && a->damping_ratio == b->damping_ratio &&
           a->density == b->density && a->type == b->type;
}

static bool same_tuning(const step *x, const step *y)
{
    const session_setup *a = &x->setup, *b = &y->setup;
    bool same = x->factors == y->factors && a->root == b->root && a->own_springs == b->own_springs &&
                same_law(&a->stiffness, &b->stiffness) && a->damping_ratio == b->damping_ratio &&
                a->density == b->density && a->rule_count == b->rule_count;
    for (int i = 0; same && i < a->rule_count; ++i)
        same = same_rule(&a->rule[i], &b->rule[i]);
    return same;
}

bool session_same_rig(const step *a, const step *b)
{
    return same_form(a, b) && same_tuning(a, b) && session_same_gait_body(&a->setup, &b->setup);
}

static bool same_follow(const session_follow *a, const session_follow *b)
{
    return strcmp(a->parts, b->parts) == 0 && a->hz == b->hz && a->bounce == b->bounce && a->weight == b->weight &&
           a->amount == b->amount && a->rest_pose == b->rest_pose;
}

bool session_same_components(const session_setup *a, const session_setup *b)
{
    bool same = a->component_count == b->component_count && strcmp(a->mix_name, b->mix_name) == 0 &&
                strcmp(a->plant, b->plant) == 0 && strcmp(a->over, b->over) == 0 && same_follow(&a->follow, &b->follow);
    for (int i = 0; same && i < a->component_count; ++i) {
        const session_component *v = &a->component[i], *w = &b->component[i];
        same = v->mode == w->mode && v->degrees == w->degrees && v->hz == w->hz && v->phase == w->phase &&
               v->mute == w->mute && v->solo == w->solo;
    }
    return same;
}

bool session_same_sequence(const session_setup *a, const session_setup *b)
{
    bool same = strcmp(a->timed, b->timed) == 0 && a->performs == b->performs && a->piece_count == b->piece_count;
    for (int i = 0; same && i < a->piece_count; ++i)
        same = strcmp(a->piece[i].what, b->piece[i].what) == 0 && a->piece[i].seconds == b->piece[i].seconds;
    return same;
}

// --- the rig

static er_result build_rig(session *s, const step *next, er_rig **out)
{
    er_rig_def def = s->def;
    er_hang *hang = NULL;
    er_result r = session_list_reparents(s, &next->setup, &hang, &def.hang_count);
    if (r != ER_OK) return r;
    def.hang = hang;
    def.props = next->setup.props[0] != '\0' ? next->setup.props : NULL;
    def.root = ER_ROOT_FREE; // the tuning fixes it
    def.joints = next->setup.joints;
    def.pose = next->setup.pose;
    def.pose_clip = next->setup.clip;
    def.pose_time = next->setup.clip_time;
    def.pose_local = next->pose != NULL ? next->pose->local : NULL;
    def.like = s->opened != NULL ? s->opened : session_rig(s);
    def.change = NULL; // likewise
    r = er_rig_build(s->context, s->file.scene, &def, out);
    free(hang);
    return r;
}

er_result session_make_untuned(session *s, const step *next, untuned **out)
{
    untuned *f = calloc(1, sizeof *f);
    if (f == NULL) return eri_no_memory(s->context);
    f->model = s->file.model;
    er_result r = s->file.scene != NULL ? build_rig(s, next, &f->rig) : ER_OK;
    if (f->rig != NULL) f->model = f->rig->model;
    if (r == ER_OK) r = project_target_set(s->context, f->model, f->rig, s->file.world, &f->shown);
    if (r != ER_OK) {
        session_untuned_destroy(f);
        f = NULL;
    }
    *out = f;
    return r;
}

untuned *session_untuned_share(untuned *f)
{
    ++f->users;
    return f;
}

void session_untuned_destroy(untuned *f)
{
    if (f == NULL || f->users-- > 0) return;
    project_target_clear(&f->shown);
    er_rig_destroy(f->rig);
    free(f);
}

// --- the tuning

static er_joint_change joint_change(const session_rule *rule)
{
    er_joint_change change = er_default_joint_change();
    change.pattern = rule->pattern;
    change.type = rule->type;
    change.hz = rule->hz;
    if (rule->damping_ratio != 0.0) change.damping_ratio = rule->damping_ratio;
    change.density = rule->density;
    return change;
}

er_result session_rig_change(const session *s, const session_setup *setup, er_rig_change *out, er_joint_change **joint)
{
    *out = s->def.change != NULL ? *s->def.change : er_default_rig_change();
    int described = out->joint_count, count = described + setup->rule_count;
    *joint = calloc((size_t)count + 1, sizeof **joint);
    if (*joint == NULL) return eri_no_memory(s->context);
    for (int i = 0; i < count; ++i)
        (*joint)[i] = i < described ? out->joint[i] : joint_change(&setup->rule[i - described]);
    out->joint_count = count;
    out->joint = *joint;
    return ER_OK;
}

static er_result change_model(session *s, const untuned *f, const session_setup *setup, er_model **out)
{
    er_rig_change change;
    er_joint_change *joint;
    er_result r = session_rig_change(s, setup, &change, &joint);
    if (r != ER_OK) return r;
    change.stiffness = setup->own_springs ? NULL : &setup->stiffness;
    change.damping_ratio = setup->damping_ratio;
    if (s->file.scene != NULL) {
        change.rayleigh_mass = s->def.rayleigh_mass;
        change.rayleigh_stiffness = s->def.rayleigh_stiffness;
    }
    change.density = setup->density / s->first.setup.density;
    if (s->def.change != NULL) change.mass = s->def.mass * change.density; // after the masses of single bodies
    change.fix_root = setup->root == ER_ROOT_FIXED;
    r = er_rig_change_model(s->context, f->model, &change, out);
    free(joint);
    return r;
}

// @param factor  [joint_count], of the stiffness of each joint
static er_result multiply_springs(er_context *context, const double *factor, er_model **model)
{
    er_rig_change change = er_default_rig_change();
    er_model *made = NULL;
    change.factor_count = (*model)->joint_count;
    change.factor = factor;
    er_result r = er_rig_change_model(context, *model, &change, &made);
    if (r != ER_OK) return r;
    er_model_destroy(*model);
    *model = made;
    return ER_OK;
}

// Tunes modes: the factors are those of the model as opened, so that the user's changes act on the tuned rig.
static er_result tune_modes(session *s, const untuned *f, const session_setup *setup, er_model **model)
{
    const project_listener listener = session_listen(s);
    const er_gait_def def = session_gait_def(setup);
    const er_model *m = *model;
    er_result r = ER_OK;
    if (s->tuning == NULL) {
        r = project_tune(s->context, m, f->rig, &def, s->tune, &listener, &s->tuning);
        s->tuned_joints = m->joint_count;
    }
    if (r != ER_OK) return r;
    if (s->tuned_joints != m->joint_count) {
        project_notify(&listener, ER_NOTE_WARNING, "modes are not tuned any more: the rig has %d joints, and had %d",
                       m->joint_count, s->tuned_joints);
        return ER_OK;
    }
    return multiply_springs(s->context, s->tuning, model);
}

static bool fits(const shared_factors *factors, const er_model *model)
{
    return factors != NULL && factors->count == model->joint_count;
}

er_result session_make_tuned(session *s, const untuned *f, const step *next, tuned **out)
{
    const er_stiffness alone = {.hz = 1.0, .alpha = 1.0};
    tuned *t = calloc(1, sizeof *t);
    *out = NULL;
    if (t == NULL) return eri_no_memory(s->context);
    er_result r = change_model(s, f, &next->setup, &t->model);
    if (r == ER_OK && s->tune != NULL) r = tune_modes(s, f, &next->setup, &t->model);
    if (r == ER_OK && fits(next->factors, t->model)) r = multiply_springs(s->context, next->factors->factor, &t->model);
    if (r == ER_OK) r = er_kinematics_create(s->context, t->model, &t->kinematics);
    if (r == ER_OK) {
        t->unit = calloc((size_t)t->model->coordinate_count + 1, sizeof *t->unit);
        t->x = calloc((size_t)er_kinematics_width(t->kinematics) + 1, sizeof *t->x);
        t->travel = calloc((size_t)t->model->joint_count + 1, sizeof *t->travel);
        if (t->unit == NULL || t->x == NULL || t->travel == NULL) r = eri_no_memory(s->context);
    }
    if (r == ER_OK) r = er_stiffness_apply(s->context, t->model, &alone, t->unit);
    if (r != ER_OK) {
        session_tuned_destroy(t);
        t = NULL;
    }
    *out = t;
    return r;
}

void session_tuned_destroy(tuned *t)
{
    if (t == NULL) return;
    er_kinematics_destroy(t->kinematics);
    free(t->unit);
    free(t->x);
    free(t->travel);
    er_model_destroy(t->model);
    free(t);
}

er_result session_find_plants(session *s, const untuned *f, const session_setup *setup, project_plants **out)
{
    er_gait_def def = er_default_gait_def();
    def.feet = setup->feet[0] != '\0' ? setup->feet : NULL;
    def.forward = setup->forward;
    *out = NULL;
    if (setup->plant[0] == '\0') return ER_OK;
    project_plants *plants = calloc(1, sizeof *plants);
    if (plants == NULL) return eri_no_memory(s->context);
    const er_clip *over = NULL;
    er_result r = project_find_plants(s->context, f->model, f->rig, setup->plant, &def, plants);
    if (r == ER_OK && f->rig != NULL && setup->over[0] != '\0')
        r = project_find_over(s->context, f->rig->scene, setup->over, NULL, &over);
    if (r == ER_OK) r = project_plant_seats(s->context, f->model, f->rig, &def, over, plants);
    if (r == ER_OK)
        *out = plants;
    else
        session_plants_destroy(plants);
    return r;
}

void session_plants_destroy(project_plants *plants)
{
    if (plants == NULL) return;
    project_plants_clear(plants);
    free(plants);
}

// --- all of them

void session_bounds_destroy(mode_bounds *bounds)
{
    if (bounds == NULL) return;
    er_rig_shapes_destroy(bounds->shapes);
    free(bounds->bound);
    free(bounds->known);
    free(bounds);
}

void session_clear_layers(layers *in)
{
    er_mode_names_destroy(in->names);
    session_bounds_destroy(in->bounds);
    er_regions_destroy(in->regions);
    er_gait_body_destroy(in->gait_body);
    session_playback_destroy(in->playback);
    session_plants_destroy(in->plants);
    session_solvers_destroy(in->solvers);
    session_tuned_destroy(in->tuned);
    session_untuned_destroy(in->untuned);
    *in = (layers){0};
}

// Destroys the layers that `kept` does not share.
static void clear_rest(layers *in, const layers *kept)
{
    if (in->names == kept->names) in->names = NULL;
    if (in->bounds == kept->bounds) in->bounds = NULL;
    if (in->regions == kept->regions) in->regions = NULL;
    if (in->gait_body == kept->gait_body) in->gait_body = NULL;
    if (in->playback == kept->playback) in->playback = NULL;
    if (in->plants == kept->plants) in->plants = NULL;
    if (in->solvers == kept->solvers) in->solvers = NULL;
    if (in->tuned == kept->tuned) in->tuned = NULL;
    if (in->untuned == kept->untuned) in->untuned = NULL;
    session_clear_layers(in);
}

// Whether both show the same scene, with the same number of bodies.
static bool same_scene(const untuned *a, const untuned *b)
{
    return a != NULL && a->shown.target.scene == b->shown.target.scene && a->model->body_count == b->model->body_count;
}

// Whether the user set feet or facing: they are then read at once, so that impossible ones are refused.
static bool says_stand(const session_setup *setup)
{
    return setup->feet[0] != '\0' || er_v3_norm(setup->forward) > 0.0;
}

er_result session_apply(session *s, const step *next, bool follow, bool measure)
{
    layers made = s->in, old = s->in;
    step wanted = *next;
    char message[sizeof s->message] = "";
    bool opening = s->in.untuned == NULL;
    bool reform = opening || !same_form(&s->now, next);
    bool restand = reform || !session_same_gait_body(&s->now.setup, &next->setup);
    bool replant = restand || strcmp(s->now.setup.plant, next->setup.plant) != 0 ||
                   strcmp(s->now.setup.over, next->setup.over) != 0;
    bool retune = reform || !same_tuning(&s->now, next);
    er_result r = ER_OK;
    if (restand) made.gait_body = NULL, made.regions = NULL;
    if (restand || retune) made.names = NULL;
    if (retune) made.bounds = NULL;
    if (reform) r = session_make_untuned(s, next, &made.untuned);
    if (r == ER_OK && made.gait_body == NULL && says_stand(&next->setup))
        r = session_read_gait_body(s, made.untuned, &next->setup, &made.gait_body);
    if (r == ER_OK && replant) r = session_find_plants(s, made.untuned, &next->setup, &made.plants);
    if (r == ER_OK && retune) r = session_make_tuned(s, made.untuned, next, &made.tuned);
    if (r == ER_OK && retune) r = session_solve(s, &made);
    if (r == ER_OK && wanted.factors != NULL && !fits(wanted.factors, made.tuned->model)) {
        snprintf(message, sizeof message, "modes are not tuned any more, because the rig has other joints");
        wanted.factors = NULL;
        wanted.setup.aim_count = 0;
    }
    if (r == ER_OK && retune && follow && !opening)
        r = session_track_modes(s->context, &s->in, &made, &wanted.setup, message, sizeof message);
    if (r == ER_OK && (retune || restand || !session_same_components(&s->now.setup, &next->setup)))
        r = session_make_playback(s->context, &made, &wanted.setup, measure, &made.playback);
    if (r != ER_OK) {
        clear_rest(&made, &old);
        return r;
    }
    session_step_share(&wanted);
    session_step_drop(&s->now);
    s->in = made;
    s->now = wanted;
    s->scene_version += !same_scene(old.untuned, made.untuned);
    s->shape_version += reform;
    s->modes_version += retune;
    memcpy(s->message, message, sizeof message);
    clear_rest(&old, &made);
    return ER_OK;
}
