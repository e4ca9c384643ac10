// A scene on the graphics card.
#include "viewer/draw/model.h"

#include <stddef.h>
#include <stdlib.h>

#include <eigenrig/rig.h>
#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

// ---- what a body carries

static er_vec3 rest_point(const draw_model *m, const vertex *v, int k)
{
    return er_affine_point(m->slot[v->slot[k]].rest, er_v3(v->position[0], v->position[1], v->position[2]));
}

er_vec3 model_posed_point(const draw_model *m, const er_pose *displacement, const vertex *v)
{
    er_vec3 sum = {0};
    double weights = 0.0;
    for (int k = 0; k < MOST_INFLUENCES && v->weight[k] > 0; ++k) {
        er_vec3 x = rest_point(m, v, k);
        int body = m->slot[v->slot[k]].body;
        if (displacement != NULL && body < m->model->body_count) x = er_pose_point(displacement[body], x);
        sum = er_v3_madd(sum, v->weight[k], x);
        weights += v->weight[k];
    }
    return er_v3_scale(1.0 / weights, sum);
}

static void widen(er_vec3 *low, er_vec3 *high, er_vec3 x)
{
    *low = er_v3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
    *high = er_v3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
}

// Bones count only where nothing else is shown.
static int point_count(const draw_model *m)
{
    return m->vertex_count > 0 ? m->vertex_count : 2 * m->model->body_count;
}

static bool stays(const draw_model *m, const vertex *v)
{
    bool moves = false;
    for (int k = 0; k < MOST_INFLUENCES && v->weight[k] > 0; ++k)
        moves |= m->slot[v->slot[k]].body < m->model->body_count;
    return !moves;
}

static bool is_scenery(const draw_model *m, int k)
{
    return m->some_move && m->vertex_count > 0 && stays(m, &m->vertex[k]);
}

static er_vec3 point_at(const draw_model *m, const er_pose *pose, const er_pose *displacement, int k)
{
    if (m->vertex_count > 0) return model_posed_point(m, displacement, &m->vertex[k]);
    return er_pose_point(model_frame(m, pose, k / 2), k % 2 == 0 ? m->head[k / 2] : m->tip[k / 2]);
}

static draw_bounds bounds_of(const draw_model *m, const er_pose *pose, const er_pose *displacement)
{
    draw_bounds b = {
        .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, .floor = HUGE_VAL};
    for (int k = 0; k < point_count(m); ++k) {
        if (is_scenery(m, k)) continue;
        er_vec3 x = point_at(m, pose, displacement, k);
        widen(&b.low, &b.high, x);
        b.floor = fmin(b.floor, er_v3_dot(x, m->up));
    }
    b.centre = er_v3_scale(0.5, er_v3_add(b.low, b.high));
    for (int k = 0; k < point_count(m); ++k)
        if (!is_scenery(m, k)) b.radius = fmax(b.radius, er_v3_distance(b.centre, point_at(m, pose, displacement, k)));
    b.radius = fmax(b.radius, 1e-3 * m->model->size);
    return b;
}

bool draw_model_has_scenery(const draw_model *m)
{
    return m->reach[m->model->body_count + 1].radius >= 0.0;
}

draw_bounds draw_model_bounds(const draw_model *m, const er_pose *pose)
{
    if (pose == NULL) return m->rest;
    painter *p = m->painter;
    for (int b = 0; b < m->model->body_count; ++b)
        p->displacement[b] = model_displacement(m, pose, b);
    draw_bounds bounds = bounds_of(m, pose, p->displacement);
    bounds.floor = m->rest.floor;
    return bounds;
}

// Spheres round what each body carries: centres of boxes, then the farthest points.
static er_result measure_reach(er_context *context, draw_model *m)
{
    int bodies = m->model->body_count, n = bodies + 2;
    er_vec3 *box = malloc(2 * (size_t)n * sizeof *box);
    if (box == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory for %d bodies", n);
    for (int b = 0; b < n; ++b) {
        box[2 * b] = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
        box[2 * b + 1] = er_v3_scale(-1.0, box[2 * b]);
        if (b < bodies) {
            widen(&box[2 * b], &box[2 * b + 1], er_pose_point(m->model->body[b].pose, m->head[b]));
            widen(&box[2 * b], &box[2 * b + 1], er_pose_point(m->model->body[b].pose, m->tip[b]));
        }
    }
    for (const batch *some = m->batch; some < m->batch + m->batch_count; ++some)
        for (int i = some->first_vertex; i < some->first_vertex + some->vertex_count; ++i)
            for (int k = 0; k < MOST_INFLUENCES && m->vertex[i].weight[k] > 0; ++k) {
                int b = some->scenery ? bodies + 1 : m->slot[m->vertex[i].slot[k]].body;
                widen(&box[2 * b], &box[2 * b + 1], rest_point(m, &m->vertex[i], k));
            }
    for (int b = 0; b < n; ++b) {
        double diagonal = er_v3_distance(box[2 * b], box[2 * b + 1]);
        m->reach[b] = (sphere){er_v3_scale(0.5, er_v3_add(box[2 * b], box[2 * b + 1])),
                               diagonal < HUGE_VAL ? 0.5 * diagonal : -1.0};
    }
    free(box);
    return ER_OK;
}

// ---- bones

static er_result bones_build(er_context *context, draw_model *m)
{
    const er_model *model = m->model;
    er_bones *bones;
    er_result r = er_bones_create(context, model, &bones);
    for (int b = 0; r == ER_OK && b < model->body_count; ++b) {
        m->head[b] = er_pose_point_inverse(model->body[b].pose, bones->head[b]);
        m->tip[b] = er_pose_point_inverse(model->body[b].pose, bones->tip[b]);
    }
    er_bones_destroy(bones);
    return r;
}

void draw_bones(const draw_model *m, const er_pose *pose, er_vec3 *head, er_vec3 *tip)
{
    for (int b = 0; b < m->model->body_count; ++b) {
        er_pose frame = model_frame(m, pose, b);
        if (head != NULL) head[b] = er_pose_point(frame, m->head[b]);
        if (tip != NULL) tip[b] = er_pose_point(frame, m->tip[b]);
    }
}

// ---- upload

static void attribute(int place, int count, GLenum type, size_t offset)
{
    glEnableVertexAttribArray((GLuint)place);
    glVertexAttribPointer((GLuint)place, count, type, type == GL_UNSIGNED_SHORT, sizeof(vertex), (const void *)offset);
}

static void integer_attribute(int place, size_t offset)
{
    glEnableVertexAttribArray((GLuint)place);
    glVertexAttribIPointer((GLuint)place, 4, GL_UNSIGNED_INT, sizeof(vertex), (const void *)offset);
}

static er_result upload(er_context *context, draw_model *m)
{
    glGenVertexArrays(1, &m->vertex_array);
    glGenBuffers(1, &m->vertex_buffer);
    glGenBuffers(1, &m->index_buffer);
    glBindVertexArray(m->vertex_array);
    glBindBuffer(GL_ARRAY_BUFFER, m->vertex_buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m->index_buffer);
    painter_has_failed(); // by others
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)m->vertex_count * sizeof(vertex)), m->vertex, GL_STATIC_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)m->index_count * sizeof *m->index), m->index,
                 GL_STATIC_DRAW);
    bool full = painter_has_failed();
    ++m->painter->uploads.meshes;
    attribute(0, 3, GL_FLOAT, offsetof(vertex, position));
    attribute(1, 3, GL_FLOAT, offsetof(vertex, normal));
    attribute(2, 2, GL_FLOAT, offsetof(vertex, uv));
    attribute(3, 4, GL_UNSIGNED_SHORT, offsetof(vertex, colour));
    integer_attribute(4, offsetof(vertex, slot));
    integer_attribute(5, offsetof(vertex, slot) + 4 * sizeof(uint32_t));
    attribute(6, 4, GL_UNSIGNED_SHORT, offsetof(vertex, weight));
    attribute(7, 4, GL_UNSIGNED_SHORT, offsetof(vertex, weight) + 4 * sizeof(uint16_t));
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    return full ? er_fail(context, ER_ERROR_MEMORY, "the graphics card has no room for %d vertices", m->vertex_count)
                : ER_OK;
}

static er_result make_room(er_context *context, draw_model *m)
{
    size_t n = (size_t)m->model->body_count;
    m->body_count = m->model->body_count;
    m->reach = malloc((n + 2) * sizeof *m->reach);
    m->head = malloc(n * sizeof *m->head);
    m->tip = malloc(n * sizeof *m->tip);
    if (m->reach == NULL || m->head == NULL || m->tip == NULL)
        return er_fail(context, ER_ERROR_MEMORY, "out of memory for %zu bodies", n);
    return painter_make_body_room(m->painter, m->model->body_count + 1);
}

// Bones and reach of a model whose slots and vertices stand: they depend on the equilibrium.
static er_result set_equilibrium(er_context *context, draw_model *m)
{
    m->some_move = false;
    for (int k = 0; k < m->vertex_count && !m->some_move; ++k)
        m->some_move = !stays(m, &m->vertex[k]);
    er_result r = bones_build(context, m);
    if (r == ER_OK) r = measure_reach(context, m);
    if (r == ER_OK) m->rest = bounds_of(m, NULL, NULL);
    return r;
}

static er_result fill(er_context *context, draw_model *m, const er_recording_target *target)
{
    mesh_build b;
    er_result r = make_room(context, m);
    if (r != ER_OK) return r;
    r = mesh_build_scene(context, target, m->model->body_count, &b);
    m->slot_count = b.slot_count;
    m->slot = b.slot;
    m->vertex_count = b.vertex_count;
    m->vertex = b.vertex;
    m->index_count = b.index_count;
    m->index = b.index;
    m->batch_count = b.batch_count;
    m->batch = b.batch;
    if (r == ER_OK && 1 + 4 * (int64_t)m->slot_count > m->painter->most_texels)
        r = er_fail(context, ER_ERROR_ARGUMENT, "a skin of %d joints is larger than this graphics card takes (%d)",
                    m->slot_count, (m->painter->most_texels - 1) / 4);
    if (r == ER_OK) r = set_equilibrium(context, m);
    if (r == ER_OK) r = materials_upload(context, target->scene, m);
    return r == ER_OK ? upload(context, m) : r;
}

er_result draw_model_create(painter *p, const er_recording_target *target, const er_model *model, draw_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (p == NULL) return ER_ERROR_ARGUMENT;
    if (target == NULL || target->scene == NULL || target->node_body == NULL || target->world == NULL || model == NULL)
        return er_fail(p->context, ER_ERROR_ARGUMENT, "draw_model_create needs a target with its scene, and a model");
    draw_model *m = malloc(sizeof *m);
    if (m == NULL) return er_fail(p->context, ER_ERROR_MEMORY, "out of memory");
    *m = (draw_model){.painter = p, .serial = ++p->models, .model = model, .up = target->scene->up};
    er_result r = fill(p->context, m, target);
    if (r != ER_OK) {
        draw_model_destroy(m);
        return r;
    }
    *out = m;
    return ER_OK;
}

static bool is_mirrored(er_affine a)
{
    return er_m3_det(a.linear) < 0.0;
}

// Whether every slot carries what hangs on it as it did, wound the same way, and what moved moves.
static bool keeps_batches(const draw_model *m, const er_recording_target *target)
{
    bool same = true;
    for (int i = 0; same && i < m->slot_count; ++i) {
        const slot *s = &m->slot[i];
        same = is_mirrored(slot_rest(s, target)) == is_mirrored(s->rest) &&
               (target->node_body[s->node] >= 0) == (s->body < m->body_count);
    }
    return same;
}

bool draw_model_follow(draw_model *m, const er_recording_target *target, const er_model *model)
{
    if (model->body_count != m->body_count || (target != NULL && !keeps_batches(m, target))) return false;
    m->model = model;
    if (target == NULL) return true;
    for (int i = 0; i < m->slot_count; ++i) {
        slot *s = &m->slot[i];
        int body = target->node_body[s->node];
        s->rest = slot_rest(s, target);
        s->body = body >= 0 && body < model->body_count ? body : model->body_count;
    }
    return set_equilibrium(m->painter->context, m) == ER_OK;
}

void draw_model_destroy(draw_model *m)
{
    if (m == NULL) return;
    if (m->texture != NULL) glDeleteTextures(m->texture_count, m->texture);
    glDeleteVertexArrays(1, &m->vertex_array);
    glDeleteBuffers(1, &m->vertex_buffer);
    glDeleteBuffers(1, &m->index_buffer);
    free(m->slot);
    free(m->vertex);
    free(m->index);
    free(m->batch);
    free(m->surface);
    free(m->texture);
    free(m->reach);
    free(m->head);
    free(m->tip);
    free(m);
}
