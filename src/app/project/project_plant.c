// Finds the bodies to plant by name, and how each is held: by its pose, or by the point that it stands on.
#include "app/project/project_plant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/clip_poser.h"
#include "app/settings/setting.h"
#include "base/failure.h"
#include "base/letters.h"
#include "base/platform.h"
#include "base/suggest.h"

enum { LONGEST_NAME = 256, POSE_FREEDOMS = 7 }; // six to hold a body's pose, and one for its ancestors to move

typedef struct project_planter {
    er_context *context;
    const er_model *model;
    const er_rig *rig;
    const er_gait_body *body; // NULL where it cannot be read
    const er_bones *bones;
    bool *planted; // [body_count]
    project_plants *out;
} project_planter;

// --- how a body is held

static int freedoms_above(const er_model *model, int body)
{
    int count = 0;
    for (; model->tree_joint[body] >= 0 && model->tree_parent[body] >= 0; body = model->tree_parent[body])
        count += er_joint_type_freedom(model->joint[model->tree_joint[body]].type, NULL);
    return count;
}

static bool is_root(const er_model *model, int body)
{
    return model->tree_parent[body] < 0;
}

static void plant(project_planter *p, er_hold hold)
{
    if (p->planted[hold.body]) return;
    p->planted[hold.body] = true;
    p->out->hold[p->out->count++] = hold;
}

static bool hangs_on(const er_model *model, int above, int body)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

// Toes of a flat foot stay too, or they would turn. They turn with a foot that turns.
static void plant_toes(project_planter *p, const er_gait_foot *foot)
{
    for (int b = 0; b < p->model->body_count && foot->flat; ++b)
        if (hangs_on(p->model, foot->sole, b)) plant(p, (er_hold){.body = b});
}

static void plant_foot(project_planter *p, const er_gait_foot *foot)
{
    if (foot->sole != foot->body) plant(p, (er_hold){.body = foot->sole});
    plant(p, (er_hold){.body = foot->body, .turns = !foot->flat || foot->sole != foot->body, .point = foot->heel});
    plant_toes(p, foot);
}

static const er_gait_foot *foot_of(const project_planter *p, int body)
{
    for (int i = 0; p->body != NULL && i < p->body->foot_count; ++i)
        if (p->body->foot[i].body == body || p->body->foot[i].sole == body) return &p->body->foot[i];
    return NULL;
}

static void plant_body(project_planter *p, int body)
{
    const er_gait_foot *foot = foot_of(p, body);
    if (foot != NULL) {
        plant_foot(p, foot);
        return;
    }
    bool turns = !is_root(p->model, body) && freedoms_above(p->model, body) < POSE_FREEDOMS;
    er_vec3 tip = er_pose_point_inverse(p->model->body[body].pose, p->bones->tip[body]);
    plant(p, (er_hold){.body = body, .turns = turns, .point = turns ? tip : er_v3(0, 0, 0)});
}

// --- names

static er_result plant_feet(project_planter *p)
{
    if (p->body == NULL || p->body->foot_count == 0)
        return er_fail(p->context, ER_ERROR_ARGUMENT, "plant feet: no feet were found; name bodies instead");
    for (int i = 0; i < p->body->foot_count; ++i)
        plant_foot(p, &p->body->foot[i]);
    return ER_OK;
}

static er_result plant_nodes(project_planter *p, const char *pattern, int *found)
{
    const er_scene *scene = p->rig != NULL ? p->rig->scene : NULL;
    for (int i = 0; scene != NULL && i < scene->node_count; ++i) {
        if (!eri_platform_match(pattern, scene->node[i].name)) continue;
        if (p->rig->node_body[i] < 0)
            return er_fail(p->context, ER_ERROR_ARGUMENT, "plant %s: the node \"%s\" belongs to no body", pattern,
                           scene->node[i].name);
        plant_body(p, p->rig->node_body[i]);
        ++*found;
    }
    return ER_OK;
}

static er_result fail_name(const project_planter *p, const char *pattern)
{
    suggestion nearest = {.word = pattern};
    if (eri_same_letters(pattern, "foot")) nearest.best = "feet"; // which is off by more than a slip
    suggestion_try(&nearest, "feet");
    for (int b = 0; b < p->model->body_count; ++b)
        suggestion_try(&nearest, p->model->body[b].name);
    for (int i = 0; p->rig != NULL && i < p->rig->scene->node_count; ++i)
        suggestion_try(&nearest, p->rig->scene->node[i].name);
    char text[SUGGESTION_TEXT];
    return er_fail(p->context, ER_ERROR_ARGUMENT, "plant %s: no body or node has this name%s", pattern,
                   suggestion_text(&nearest, text));
}

static er_result plant_named(project_planter *p, const char *pattern)
{
    int found = 0;
    for (int b = 0; b < p->model->body_count; ++b) {
        if (!eri_platform_match(pattern, p->model->body[b].name)) continue;
        plant_body(p, b);
        ++found;
    }
    er_result r = found == 0 ? plant_nodes(p, pattern, &found) : ER_OK;
    if (r != ER_OK || found > 0) return r;
    return strcmp(pattern, "feet") == 0 ? plant_feet(p) : fail_name(p, pattern);
}

static er_result plant_all(project_planter *p, const char *names)
{
    char pattern[LONGEST_NAME];
    er_result r = ER_OK;
    for (const char *rest = names; r == ER_OK && setting_next_word(&rest, pattern, sizeof pattern) != NULL;)
        if (*pattern != '\0') r = plant_named(p, pattern);
    if (r == ER_OK && p->out->count == p->model->body_count)
        return er_fail(p->context, ER_ERROR_ARGUMENT,
                       "plant %s: fixes every body, so nothing could move; leave some out", names);
    return r;
}

// The feet, for their soles; NULL if they cannot be read, since other bodies can still be planted.
static er_gait_body *read_body(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *gait)
{
    er_gait_body *body = NULL;
    if (model->body_count <= ER_GAIT_MAX_BODIES) er_gait_body_read(context, model, rig, gait, &body);
    return body;
}

er_result project_find_plants(er_context *context, const er_model *model, const er_rig *rig, const char *names,
                              const er_gait_def *gait, project_plants *out)
{
    *out = (project_plants){0};
    if (names == NULL || *names == '\0' || strcmp(names, "none") == 0) return ER_OK;
    er_bones *bones = NULL;
    er_gait_body *body = read_body(context, model, rig, gait);
    size_t bodies = (size_t)model->body_count;
    bool *planted = calloc(bodies, sizeof *planted);
    out->hold = calloc(bodies, sizeof *out->hold);
    out->names = strdup(names);
    er_result r = planted != NULL && out->hold != NULL && out->names != NULL ? er_bones_create(context, model, &bones)
                                                                             : eri_no_memory(context);
    project_planter p = {context, model, rig, body, bones, planted, out};
    if (r == ER_OK) r = plant_all(&p, names);
    if (r != ER_OK) project_plants_clear(out);
    free(planted);
    er_bones_destroy(bones);
    er_gait_body_destroy(body);
    return r;
}

// --- seats

enum { LOOKS = 16 };

#define SEATED 0.7 // of the height of the hips over the sole as the rig stands: below that they sit

// The height of a leg's hip over its heel.   @param pose  [body_count]; NULL: the equilibrium
static double hip_height(const er_model *m, const er_gait_body *body, const er_gait_foot *foot, const er_pose *pose)
{
    er_vec3 hip = m->joint[foot->joint[0]].frame.p;
    er_pose heel = pose != NULL ? pose[foot->body] : m->body[foot->body].pose;
    if (pose != NULL) hip = er_pose_point(pose[foot->trunk], er_pose_point_inverse(m->body[foot->trunk].pose, hip));
    return er_v3_dot(body->up, er_v3_sub(hip, er_pose_point(heel, foot->heel)));
}

// Whether the hips of all legs of a trunk are low.
static bool sits(const er_model *m, const er_gait_body *body, int trunk, const er_pose *pose)
{
    double now = 0.0, stands = 0.0;
    for (int i = 0; i < body->foot_count; ++i) {
        if (body->foot[i].trunk != trunk) continue;
        now += hip_height(m, body, &body->foot[i], pose);
        stands += hip_height(m, body, &body->foot[i], NULL);
    }
    return now < SEATED * stands;
}

// Plants a trunk that sits at the clip's end, or for half of the clip.
static er_result plant_seat(const project_planter *p, clip_poser *at, int trunk, double *x, er_pose *pose)
{
    int seated = 0;
    bool last = false;
    er_result r = ER_OK;
    for (int k = 0; k < LOOKS && r == ER_OK; ++k) {
        r = clip_poser_poses(at, at->clip->duration * k / LOOKS, x, pose);
        last = r == ER_OK && sits(p->model, p->body, trunk, pose);
        seated += last;
    }
    if (r == ER_OK && (last || 2 * seated >= LOOKS)) p->out->hold[p->out->count++] = (er_hold){.body = trunk};
    return r;
}

static bool is_planted(const project_plants *plants, int body)
{
    bool found = false;
    for (int i = 0; i < plants->count; ++i)
        found |= plants->hold[i].body == body;
    return found;
}

static bool is_first_of_trunk(const er_gait_body *body, int foot)
{
    int first = 0;
    while (body->foot[first].trunk != body->foot[foot].trunk)
        ++first;
    return first == foot;
}

er_result project_plant_seats(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *gait,
                              const er_clip *over, project_plants *plants)
{
    er_gait_body *body = plants->count > 0 && over != NULL ? read_body(context, model, rig, gait) : NULL;
    if (body == NULL) return ER_OK;
    const project_planter p = {.context = context, .model = model, .rig = rig, .body = body, .out = plants};
    clip_poser at = {0};
    er_result r = clip_poser_create(context, model, rig, &at);
    double *x = malloc(((size_t)at.width + 1) * sizeof *x);
    er_pose *pose = malloc((size_t)model->body_count * sizeof *pose);
    if (r == ER_OK && (x == NULL || pose == NULL)) r = eri_no_memory(context);
    at.clip = over;
    for (int i = 0; i < body->foot_count && r == ER_OK; ++i)
        if (is_planted(plants, body->foot[i].body) && !is_planted(plants, body->foot[i].trunk) &&
            is_first_of_trunk(body, i))
            r = plant_seat(&p, &at, body->foot[i].trunk, x, pose);
    free(pose);
    free(x);
    clip_poser_clear(&at);
    er_gait_body_destroy(body);
    return r;
}

void project_plants_clear(project_plants *plants)
{
    free(plants->hold);
    free(plants->names);
    *plants = (project_plants){0};
}
