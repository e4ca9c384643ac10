// Requested poses: a pose file, or places of bodies.
#include "app/project/project_pose.h"

#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/apply_description.h"
#include "base/failure.h"
#include "base/platform.h"
#include "base/suggest.h"

static er_affine local_of(const er_scene *scene, const er_affine *world, int node)
{
    int up = scene->node[node].parent;
    er_affine local = up < 0 ? world[node] : er_affine_mul(er_affine_inverse(world[up]), world[node]);
    return er_v3_finite(local.translation) ? local : scene->node[node].local;
}

void project_equilibrium(const er_rig *rig, er_affine *local)
{
    for (int i = 0; i < rig->scene->node_count; ++i)
        local[i] = local_of(rig->scene, rig->world, i);
}

// --- places

static er_result find_body(er_context *context, const er_model *model, const rig_place *place, int *out)
{
    int found = 0;
    *out = place->body;
    if (place->body >= model->body_count)
        return er_fail(context, ER_ERROR_ARGUMENT, "pose: there is no body %d; there are 0 to %d", place->body,
                       model->body_count - 1);
    if (place->body >= 0 && place->name != NULL && strcmp(model->body[place->body].name, place->name) != 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "pose: body %d is \"%s\", not \"%s\"", place->body,
                       model->body[place->body].name, place->name);
    suggestion nearest = {.word = place->name};
    char text[SUGGESTION_TEXT];
    for (int b = 0; place->body < 0 && b < model->body_count; ++b) {
        suggestion_try(&nearest, model->body[b].name);
        if (strcmp(model->body[b].name, place->name) != 0) continue;
        *out = b;
        ++found;
    }
    if (place->body >= 0 || found == 1) return ER_OK;
    *out = -1;
    if (found == 0 && place->optional) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "pose: %s called \"%s\"%s",
                   found == 0 ? "no body is" : "several bodies are", place->name,
                   found == 0 ? suggestion_text(&nearest, text) : "; give an index");
}

static er_pose place_body(er_pose pose, const rig_place *place)
{
    if (place->at) pose.p = place->position;
    if (place->faces) pose.q = place->orientation;
    pose.q = er_q_unit(er_q_mul(er_q_exp(place->turn), pose.q));
    return pose;
}

// The displacement of each body from rest, in the world. A body that is not placed moves with its parent.
static void move_bodies(const er_model *model, const rig_place *const *place, er_pose *moved)
{
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i], up = model->tree_parent[b];
        moved[b] = up >= 0 ? moved[up] : er_pose_identity();
        if (place[b] == NULL) continue;
        er_pose rest = model->body[b].pose, carried = er_pose_mul(moved[b], rest);
        moved[b] = er_pose_displacement(rest, place_body(carried, place[b]));
    }
}

// Nodes of bodies move with them, others with their parent node. A node that moves with its parent keeps its local
// transform to the bit.
static void move_nodes(const er_rig *rig, const er_pose *moved, er_affine *world, er_affine *local)
{
    const er_scene *scene = rig->scene;
    for (int i = 0; i < scene->node_count; ++i) {
        int up = scene->node[i].parent, body = rig->node_body[i], above = up >= 0 ? rig->node_body[up] : -1;
        local[i] = scene->node[i].local;
        world[i] = up >= 0 ? er_affine_mul(world[up], local[i]) : local[i];
        if (body < 0 || (up >= 0 && above >= 0 && memcmp(&moved[body], &moved[above], sizeof *moved) == 0)) continue;
        er_affine by = er_affine_from_pose(moved[body]);
        by.translation = er_v3_scale(1.0 / rig->metres_per_unit, by.translation);
        world[i] = er_affine_mul(by, rig->world[i]);
        local[i] = local_of(scene, world, i);
    }
}

static er_result place_bodies(er_context *context, const er_rig *rest, const project_request *request, er_affine *local)
{
    const er_model *model = rest->model;
    const rig_place **place = calloc((size_t)model->body_count, sizeof *place);
    er_pose *moved = calloc((size_t)model->body_count, sizeof *moved);
    er_affine *world = calloc((size_t)rest->scene->node_count, sizeof *world);
    er_result r = place != NULL && moved != NULL && world != NULL ? ER_OK : eri_no_memory(context);
    for (int i = 0; i < request->place_count && r == ER_OK; ++i) {
        int body;
        r = find_body(context, model, &request->place[i], &body);
        if (r == ER_OK && body >= 0) place[body] = &request->place[i];
    }
    if (r == ER_OK) move_bodies(model, place, moved);
    if (r == ER_OK) move_nodes(rest, moved, world, local);
    free(world);
    free(moved);
    free(place);
    return r;
}

// Builds a rig at rest first, since places name its bodies.
static er_result read_places(er_context *context, const er_scene *scene, const project_request *request,
                             er_affine *local)
{
    er_rig *rest = NULL;
    er_rig_def def = request->rig;
    def.pose = ER_POSE_REST;
    def.change = NULL;
    er_result r = er_rig_build(context, scene, &def, &rest);
    if (r == ER_OK) r = place_bodies(context, rest, request, local);
    er_rig_destroy(rest);
    return r;
}

// --- a file

bool project_pose_is_described(const project_request *request)
{
    return request->place_count > 0 || request->pose_in != NULL;
}

// @return the number of bytes read, -1 on an error
static ptrdiff_t read_up_to(int file, char *text, size_t room)
{
    size_t size = 0;
    for (ptrdiff_t got = 1; got != 0 && size < room;) {
        got = eri_platform_read(file, text + size, room - size);
        if (got < 0) return -1;
        size += (size_t)got;
    }
    return (ptrdiff_t)size;
}

// A description may come from the sender of the model, so the size of the file that it names is limited.
static er_result read_named(er_context *context, const er_scene *scene, const project_request *request,
                            er_affine *local)
{
    size_t most = ((size_t)1 << 20) + ((size_t)scene->node_count << 10);
    int file;
    er_result r = er_file_open_reference(context, request->pose_in, request->pose_named,
                                         request->allow_outside ? ER_REFERENCE_OUTSIDE : 0u, &file);
    if (r != ER_OK) return er_fail(context, r, "pose %s", er_context_error(context));
    char *text = malloc(most + 1);
    ptrdiff_t size = text != NULL ? read_up_to(file, text, most + 1) : 0;
    eri_platform_close(file);
    if (text == NULL)
        r = eri_no_memory(context);
    else if (size < 0)
        r = er_fail(context, ER_ERROR_FILE, "%s: cannot be read; check its disk", request->pose_file);
    else if ((size_t)size > most)
        r = er_fail(context, ER_ERROR_FORMAT, "%s: larger than %zu bytes, the most for a pose of this model",
                    request->pose_file, most);
    else
        r = er_pose_file_parse(context, request->pose_file, text, (size_t)size, scene, local);
    free(text);
    return r;
}

static er_result read_file(er_context *context, const er_scene *scene, const project_request *request, er_affine *local)
{
    return request->pose_in != NULL ? read_named(context, scene, request, local)
                                    : er_pose_file_read(context, request->pose_file, scene, local);
}

er_result project_read_pose(er_context *context, const er_scene *scene, const project_request *request, er_affine **out)
{
    *out = NULL;
    if (request->rig.pose != ER_POSE_GIVEN || (request->pose_file == NULL && request->place_count == 0)) return ER_OK;
    er_affine *local = calloc((size_t)scene->node_count + 1, sizeof *local);
    er_result r = local == NULL                ? eri_no_memory(context)
                  : request->pose_file != NULL ? read_file(context, scene, request, local)
                                               : read_places(context, scene, request, local);
    if (r == ER_OK)
        *out = local;
    else
        free(local);
    return r;
}
