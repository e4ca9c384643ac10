// Corrections of bodies: parents, welds, props, feet; and the rig as a description.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_parts.h"
#include "app/project/write_description.h"
#include "app/session/session_inside.h"

// Checks that the rig of a model has such a body.
static er_result check_body(const session *s, int body)
{
    if (session_rig(s) == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the bodies of a rig file cannot be chosen; open a model");
    if (body >= 0 && body < session_model(s)->body_count) return ER_OK;
    return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no body %d", body);
}

er_result session_set_parent(session *s, int body, int on)
{
    er_result r = check_body(s, body);
    if (r == ER_OK && on != -1) r = check_body(s, on);
    if (r != ER_OK) return r;
    const int *node = session_rig(s)->body_node;
    session_commit(s);
    session_setup setup = s->now.setup;
    int at = 0;
    while (at < setup.reparent_count && setup.reparent[at].bone != node[body])
        ++at;
    if (at == SESSION_MAX_REPARENTS)
        return er_fail(s->context, ER_ERROR_ARGUMENT,
                       "%d bodies were hung elsewhere, and no more can be kept; save the description and open it again",
                       SESSION_MAX_REPARENTS);
    setup.reparent[at] = (session_reparent){node[body], on >= 0 ? node[on] : -1};
    setup.reparent_count += at == setup.reparent_count;
    return session_set(s, &setup, true);
}

// --- welds

bool session_is_welded(const session *s, int body)
{
    const er_model *model = session_model(s);
    int joint = model != NULL && body >= 0 && body < model->body_count ? model->tree_joint[body] : -1;
    return joint >= 0 && model->joint[joint].type == ER_JOINT_FIXED;
}

// A name as a pattern that matches nothing else.   @return whether it fits
static bool put_pattern(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (const char *c = name; *c != '\0' && used + 2 < size; ++c) {
        if (strchr("*?[\\", *c) != NULL) out[used++] = '\\';
        out[used++] = *c;
        if (c[1] == '\0') {
            out[used] = '\0';
            return true;
        }
    }
    return false;
}

static void take_rule_out(session_setup *setup, int i)
{
    memmove(&setup->rule[i], &setup->rule[i + 1], (size_t)(setup->rule_count - i - 1) * sizeof setup->rule[0]);
    --setup->rule_count;
}

static int find_rule(const session_setup *setup, const char *pattern)
{
    for (int i = 0; i < setup->rule_count; ++i)
        if (strcmp(setup->rule[i].pattern, pattern) == 0) return i;
    return -1;
}

// The type of the joint without welds.
static int own_type(const session *s, int joint)
{
    er_joint_type type = s->in.untuned->model->joint[joint].type;
    return type != ER_JOINT_FIXED ? (int)type : (int)ER_JOINT_SPHERICAL;
}

static er_result set_type(session *s, const char *pattern, int type)
{
    session_setup setup = s->now.setup;
    int i = find_rule(&setup, pattern);
    if (i < 0 && setup.rule_count == SESSION_MAX_RULES)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there are %d rules, and no more can be kept; take one out",
                       SESSION_MAX_RULES);
    if (i < 0) {
        i = setup.rule_count++;
        setup.rule[i] = (session_rule){.density = 1.0};
        snprintf(setup.rule[i].pattern, sizeof setup.rule[i].pattern, "%s", pattern);
    }
    setup.rule[i].type = type;
    const session_rule *rule = &setup.rule[i];
    if (type < 0 && rule->hz == 0.0 && rule->damping_ratio == 0.0 && rule->density == 1.0) take_rule_out(&setup, i);
    return session_set(s, &setup, true);
}

er_result session_weld(session *s, int body, bool welded)
{
    char pattern[sizeof s->now.setup.rule[0].pattern];
    er_result r = check_body(s, body);
    if (r != ER_OK) return r;
    const er_model *model = session_model(s);
    int joint = model->tree_joint[body];
    if (joint < 0 || model->joint[joint].parent < 0)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "\"%s\" has no parent to be welded to", model->body[body].name);
    if (!put_pattern(model->joint[joint].name, pattern, sizeof pattern))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the joint's name is too long for a rule");
    session_commit(s);
    if (welded) return set_type(s, pattern, ER_JOINT_FIXED);
    int i = find_rule(&s->now.setup, pattern);
    if (i >= 0 && s->now.setup.rule[i].type == ER_JOINT_FIXED) {
        r = set_type(s, pattern, -1);
        if (r != ER_OK || !session_is_welded(s, body)) return r;
    }
    return set_type(s, pattern, own_type(s, joint));
}

// --- props and feet

static er_result cannot_tell(const session *s, const char *what)
{
    return er_fail(s->context, ER_ERROR_ARGUMENT,
                   "%s are listed by name, with commas between: a name is missing, has a comma, or there are too many",
                   what);
}

static void name_props(const er_scene *scene, int node, bool prop, bool *props)
{
    props[node] |= prop;
    for (int i = 0; i < scene->node_count; ++i)
        if (strcmp(scene->node[i].name, scene->node[node].name) == 0) props[i] &= prop;
}

er_result session_set_prop(session *s, int node, bool prop)
{
    const er_rig *rig = session_rig(s);
    if (rig == NULL || node < 0 || node >= rig->scene->node_count)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "there is no node %d that could be a prop", node);
    bool *props = malloc((size_t)rig->scene->node_count * sizeof *props);
    if (props == NULL) return eri_no_memory(s->context);
    memcpy(props, rig->prop, (size_t)rig->scene->node_count * sizeof *props);
    int bone = node;
    while (bone >= 0 && !rig->bone[bone])
        bone = rig->scene->node[bone].parent;
    name_props(rig->scene, node, prop, props);
    if (!prop && bone >= 0) name_props(rig->scene, bone, false, props); // everything on a prop is a prop
    session_commit(s);
    session_setup setup = s->now.setup;
    bool told = project_list_props(rig->scene, props, setup.props, sizeof setup.props);
    free(props);
    return told ? session_set(s, &setup, true) : cannot_tell(s, "props");
}

const er_gait_body *session_gait_body(session *s)
{
    if (!session_is_open(s) || session_model(s)->body_count > ER_GAIT_MAX_BODIES) return NULL;
    if (s->in.gait_body == NULL) session_read_gait_body(s, s->in.untuned, &s->now.setup, &s->in.gait_body);
    return s->in.gait_body;
}

// The tuned model has the bodies of the untuned one.
static void read_regions(session *s)
{
    const untuned *f = s->in.untuned;
    er_gait_def def = session_gait_def(&s->now.setup);
    if (s->in.regions == NULL) er_regions_create(s->context, f->model, f->rig, &def, &s->in.regions);
}

er_result session_find_parts(session *s, const char *option, const char *names, bool *found)
{
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    read_regions(s);
    return project_find_parts(s->context, session_model(s), s->in.regions, option, names, false, found);
}

const er_mode_names *session_names(session *s)
{
    if (!session_is_open(s) || s->in.names != NULL) return s->in.names;
    read_regions(s);
    if (s->in.regions != NULL)
        er_mode_names_create(s->context, s->in.tuned->model, s->in.regions, session_modes(s), &s->in.names);
    return s->in.names;
}

static mode_bounds *create_bounds(session *s)
{
    mode_bounds *b = calloc(1, sizeof *b);
    if (b == NULL) return NULL;
    size_t count = (size_t)session_modes(s)->count + 1;
    b->bound = malloc(count * sizeof *b->bound);
    b->known = calloc(count, sizeof *b->known);
    const er_rig *rig = s->in.untuned->rig;
    er_result r = b->bound != NULL && b->known != NULL ? ER_OK : ER_ERROR_MEMORY;
    if (r == ER_OK && rig != NULL) r = er_rig_shapes_create(s->context, s->in.tuned->model, rig, &b->shapes);
    if (r == ER_OK) return b;
    session_bounds_destroy(b);
    return NULL;
}

const er_mode_bound *session_bound(session *s, int mode)
{
    const er_mode *held = session_mode(s, mode);
    if (held == NULL) return NULL;
    if (s->in.bounds == NULL) s->in.bounds = create_bounds(s);
    mode_bounds *b = s->in.bounds;
    if (b == NULL) return NULL;
    const er_modes *modes = session_modes(s);
    ptrdiff_t k = held - modes->mode;
    if (b->known[k]) return &b->bound[k];
    er_result r =
        er_modes_bound_one(s->context, s->in.tuned->model, modes, mode, b->shapes, SESSION_MOST_DEGREES, &b->bound[k]);
    if (r != ER_OK)
        b->bound[k] = (er_mode_bound){
            .limit = HUGE_VAL, .contact = HUGE_VAL, .linear = HUGE_VAL, .degrees = SESSION_MOST_DEGREES};
    b->known[k] = true;
    return &b->bound[k];
}

static bool is_foot(const er_gait_body *body, int which)
{
    bool foot = false;
    for (int i = 0; i < body->foot_count; ++i)
        foot |= body->foot[i].body == which;
    return foot;
}

er_result session_set_foot(session *s, int which, bool foot)
{
    er_result r = check_body(s, which);
    if (r != ER_OK) return r;
    const er_gait_body *body = session_gait_body(s);
    if (body == NULL) return er_fail(s->context, ER_ERROR_ARGUMENT, "the feet of this rig cannot be found");
    const er_model *model = session_model(s);
    char list[sizeof s->now.setup.feet];
    size_t used = 0;
    for (int b = 0; b < model->body_count; ++b) {
        bool nearest = b == which || b == body->mirror[which];
        if (nearest ? !foot : !is_foot(body, b)) continue;
        if (used > 0 && used + 1 < sizeof list) list[used++] = ',';
        if (strchr(model->body[b].name, ',') != NULL ||
            !put_pattern(model->body[b].name, list + used, sizeof list - used))
            return cannot_tell(s, "feet");
        used += strlen(list + used);
    }
    session_commit(s);
    session_setup setup = s->now.setup;
    snprintf(setup.feet, sizeof setup.feet, "%s", used > 0 ? list : "none");
    return session_set(s, &setup, true);
}

// --- the description

// The request with all changes since, as a command line would make it.
static project_request ask(const session *s)
{
    const er_rig_def usual = er_default_rig_def();
    const session_setup *now = &s->now.setup;
    project_request request = project_default_request();
    const er_stiffness *law = &now->stiffness, *plain = &usual.stiffness;
    bool graded = !law->uniform && law->hz == plain->hz && law->alpha == plain->alpha;
    request.rig = s->def;
    request.rig.root = now->root;
    request.rig.joints = now->joints;
    request.rig.stiffness = now->stiffness;
    request.rig.damping_ratio = now->damping_ratio;
    request.rig.density = now->density;
    request.rig.mass = s->def.mass * now->density / s->first.setup.density;
    request.rig.pose = now->pose;
    request.rig.pose_clip = now->clip;
    request.rig.pose_time = now->clip_time;
    request.rig.props = now->props[0] != '\0' ? now->props : NULL;
    request.pose_file = now->pose == ER_POSE_GIVEN ? s->pose_file : NULL;
    request.feet = now->feet;
    request.forward = now->forward;
    request.plant = now->plant;
    request.tune = s->now.factors == NULL ? s->tune : NULL; // else the springs have it
    request.given = s->given & ~(unsigned)(GIVEN_JOINTS | GIVEN_FEET | GIVEN_FORWARD | GIVEN_PLANT);
    if (s->now.factors != NULL) request.given &= ~(unsigned)GIVEN_TUNE;
    if (now->root != usual.root) request.given |= GIVEN_ROOT;
    if (now->joints != usual.joints) request.given |= GIVEN_JOINTS;
    if (!graded) request.given |= GIVEN_STIFFNESS;
    if (now->damping_ratio != usual.damping_ratio) request.given |= GIVEN_DAMPING;
    if (now->density != usual.density) request.given |= GIVEN_DENSITY;
    if (now->pose != usual.pose) request.given |= GIVEN_POSE;
    if (now->feet[0] != '\0') request.given |= GIVEN_FEET;
    if (now->plant[0] != '\0') request.given |= GIVEN_PLANT;
    if (er_v3_norm(now->forward) > 0.0) request.given |= GIVEN_FORWARD;
    return request;
}

// Adds the springs of all joints, as numbers, if the user has tuned modes.
static er_result add_springs(session *s, er_rig_change *change, er_joint_change **joint)
{
    enum { LONGEST = 256 };
    const er_model *model = session_model(s);
    if (s->now.factors == NULL) return ER_OK;
    size_t most = (size_t)change->joint_count + (size_t)model->joint_count;
    er_joint_change *grown = realloc(*joint, most * (sizeof **joint + LONGEST));
    if (grown == NULL) return eri_no_memory(s->context);
    *joint = grown;
    change->joint = grown;
    char(*name)[LONGEST] = (char(*)[LONGEST])(grown + most);
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *has = &model->joint[k];
        int axis[6], free = er_joint_type_freedom(has->type, axis);
        if (free == 0) continue;
        if (!put_pattern(has->name, name[k], LONGEST)) return cannot_tell(s, "joints");
        er_joint_change *own = &grown[change->joint_count++];
        *own = er_default_joint_change();
        own->pattern = name[k];
        for (int c = 0; c < free; ++c)
            own->spring[axis[c]] = has->stiffness[c];
    }
    return ER_OK;
}

er_result session_save_description(session *s, const char *path)
{
    if (session_rig(s) == NULL)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "a description says how a model becomes a rig: open a model");
    session_commit(s);
    project_request request = ask(s);
    er_rig_change change;
    er_joint_change *joint;
    bool filed = s->pose_file != NULL && s->now.pose == s->first.pose;
    if (s->now.setup.pose == ER_POSE_GIVEN && !filed)
        return er_fail(s->context, ER_ERROR_ARGUMENT,
                       "a description names poses by their files: save this one, and open the model by --pose FILE");
    if (!project_can_name_pose(&request, path))
        return er_fail(s->context, ER_ERROR_ARGUMENT,
                       "a description names pose files below its own folder; put \"%s\" there", s->pose_file);
    er_result r = session_rig_change(s, &s->now.setup, &change, &joint);
    if (r != ER_OK) return r;
    request.rig.change = &change;
    r = add_springs(s, &change, &joint);
    if (r == ER_OK) r = project_write_description(s->context, &request, session_rig(s), session_model(s), path);
    free(joint);
    return r;
}
