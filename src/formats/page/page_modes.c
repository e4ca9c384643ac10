// Modes as displacements in joint coordinates, and the constants of the sweep that makes poses of them.
#include "formats/page/page_modes.h"

#include "formats/modes_belong.h"
#include "model/kinematics/kinematics.h"

static void put_pose(eri_gltf_document *document, json_t *object, const char *key, er_pose pose)
{
    const double all[7] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z, pose.p.x, pose.p.y, pose.p.z};
    eri_gltf_put_numbers(document, object, key, all, 7);
}

// Where each of tx ty tz x y z stands in a displacement; -1: it is held.
static void put_coordinates(eri_gltf_document *document, json_t *object, const eri_link *link, int first)
{
    int axis[6], at[6] = {-1, -1, -1, -1, -1, -1}, count = er_joint_type_freedom(link->type, axis);
    for (int a = 0; a < count; ++a)
        at[axis[a]] = first + a;
    json_t *list = eri_gltf_put(document, object, "coordinates", json_array());
    for (int a = 0; a < 6; ++a)
        eri_gltf_push(document, list, json_integer(at[a]));
}

static void put_link(eri_gltf_document *document, json_t *links, const er_kinematics *k, int i)
{
    const eri_link *link = &k->tree.link[i];
    const eri_placement *place = &k->placement[i];
    const er_body *body = &k->model->body[link->body];
    const double com[3] = {body->com.x, body->com.y, body->com.z};
    json_t *object = eri_gltf_push(document, links, json_object());
    eri_gltf_put(document, object, "body", json_integer(link->body));
    eri_gltf_put(document, object, "above", json_integer(link->above));
    put_coordinates(document, object, link, place->first);
    put_pose(document, object, "before", place->before);
    put_pose(document, object, "after", place->after);
    eri_gltf_put(document, object, "cardan", json_boolean(link->type == ER_JOINT_UNIVERSAL));
    eri_gltf_put(document, object, "inverse", json_boolean(link->inverse));
    eri_gltf_put(document, object, "pitch", json_real(link->pitch));
    eri_gltf_put(document, object, "group", json_integer(place->group));
    double share = place->group >= 0 ? body->mass / k->group_mass[place->group] : 0.0;
    eri_gltf_put(document, object, "share", json_real(share));
    eri_gltf_put_numbers(document, object, "com", com, 3);
}

// New floats at the end of the buffer; their accessor becomes a member.
static float *put_floats(eri_gltf_document *document, json_t *object, const char *key, size_t count)
{
    size_t offset = 0;
    int index;
    float *room = (float *)(void *)eri_gltf_add_bytes(document, count * sizeof *room, &offset);
    int view = eri_gltf_view(document, offset, count * sizeof *room, 0);
    eri_gltf_accessor(document, view, 0, ERI_GLTF_FLOAT, (int)count, "SCALAR", &index);
    eri_gltf_put(document, object, key, json_integer(index));
    return room;
}

static void put_tree(eri_gltf_document *document, json_t *extras, const er_kinematics *k,
                     const er_recording_target *target)
{
    int nodes = target->scene->node_count;
    json_t *tree = eri_gltf_put(document, extras, "tree", json_object());
    eri_gltf_put(document, tree, "metres_per_unit", json_real(target->metres_per_unit));
    eri_gltf_put(document, tree, "width", json_integer(k->width));
    eri_gltf_put(document, tree, "group_count", json_integer(k->group_count));
    json_t *links = eri_gltf_put(document, tree, "links", json_array());
    for (int i = 0; i < k->model->body_count; ++i)
        put_link(document, links, k, i);
    json_t *body = eri_gltf_put(document, tree, "node_body", json_array());
    for (int i = 0; i < nodes; ++i)
        eri_gltf_push(document, body, json_integer(target->node_body[i]));
    float *world = put_floats(document, tree, "node_world", 12 * (size_t)nodes);
    for (int i = 0; i < nodes && world != NULL; ++i, world += 12) {
        for (int c = 0; c < 9; ++c)
            world[c] = (float)target->world[i].linear.m[c % 3][c / 3]; // columns
        world[9] = (float)target->world[i].translation.x;
        world[10] = (float)target->world[i].translation.y;
        world[11] = (float)target->world[i].translation.z;
    }
}

static void put_mode(eri_gltf_document *document, json_t *list, const er_page_modes *m, int i)
{
    const er_mode *mode = &m->modes->mode[i];
    const er_mode_name *name = er_mode_names_at(m->names, m->modes->first + i);
    json_t *object = eri_gltf_push(document, list, json_object());
    eri_gltf_put(document, object, "index", json_integer(m->modes->first + i));
    eri_gltf_put(document, object, "hz", json_real(mode->frequency_hz));
    eri_gltf_put(document, object, "degrees", json_real(m->degrees[i]));
    if (name == NULL) return;
    eri_gltf_put_text(document, object, "name", name->name);
    eri_gltf_put(document, object, "whole_body", json_boolean(name->whole_body));
}

static er_result check(er_context *context, const er_page_modes *m)
{
    if (m->model == NULL || m->modes == NULL || m->target == NULL || m->degrees == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_page_write_modes needs a model, its modes, target and degrees");
    if (m->model->loop_count > 0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "a page cannot close the %d loops of this rig; give it clips of the modes",
                       m->model->loop_count);
    if (!eri_modes_belong(m->modes, m->model))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_page_write_modes needs modes of its model");
    return ER_OK;
}

er_result eri_page_put_modes(eri_gltf_document *document, json_t *extras, const er_page_modes *m)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(document->arena);
    er_kinematics *k = NULL;
    double *x;
    int count = 0;
    ERI_TRY(check(context, m));
    ERI_TRY(er_kinematics_create(context, m->model, &k));
    ERI_TRY_NEW(x, document->arena, double, k->width);
    put_tree(document, extras, k, m->target);
    json_t *list = eri_gltf_put(document, extras, "modes", json_array());
    for (int i = 0; i < m->modes->count; ++i)
        count += m->degrees[i] > 0.0;
    float *shape = put_floats(document, extras, "shapes", (size_t)count * (size_t)k->width);
    for (int i = 0; i < m->modes->count && shape != NULL; ++i) {
        if (!(m->degrees[i] > 0.0)) continue;
        put_mode(document, list, m, i);
        er_kinematics_mode(k, &m->modes->mode[i], x);
        double factor = er_mode_amplitude(m->model, &m->modes->mode[i], m->degrees[i]);
        for (int c = 0; c < k->width; ++c)
            *shape++ = (float)(factor * x[c]);
    }
    r = eri_gltf_check(document);
done:
    er_kinematics_destroy(k);
    return r;
}
