// A recording as a scene file: nodes and meshes of all solids, characters with their skins, and one clip.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_history.h"
#include "app/engine/engine_inside.h"
#include "base/failure.h"

#define GONE 1e-4 // the scale of an actor before it was added and after it was removed

/// A scene under construction. All that its arrays point to is the blocks', or the recording's.
typedef struct staging {
    er_context *context;
    const engine_recording *recording;
    er_scene scene;
    er_clip clip;
    er_node *node;
    er_mesh *mesh;
    er_instance *instance;
    er_skin *skin;
    er_material *material;
    er_image *image;
    er_channel *channel;
    int node_room, mesh_room, instance_room, skin_room, material_room, image_room, channel_room;
    struct form {
        er_shape shape;
        double face;
        int material, mesh;
    } * form; ///< meshes of shapes: those that are alike are one
    int form_count, form_room;
    double *time; ///< [frames], s, from 0
    int frames;
    void **block;
    int block_count, block_room;
    er_recording **moved; ///< of characters
    int moved_count, moved_room;
    bool full; ///< no memory was left
} staging;

static void *take(staging *s, size_t size)
{
    void *block = engine_grow(&s->block, &s->block_room, s->block_count, sizeof *s->block) ? malloc(size + 1) : NULL;
    if (block == NULL)
        s->full = true;
    else
        s->block[s->block_count++] = block;
    return block;
}

#define APPEND(s, array, count, room, ...)                                                                             \
    do {                                                                                                               \
        if (engine_grow(&(s)->array, &(s)->room, (s)->scene.count, sizeof *(s)->array))                                \
            (s)->array[(s)->scene.count++] = __VA_ARGS__;                                                              \
        else                                                                                                           \
            (s)->full = true;                                                                                          \
    } while (0)

static er_affine affine_of(er_pose p)
{
    return (er_affine){er_m3_from_q(p.q), p.p};
}

static int add_node(staging *s, const char *name, int parent, er_affine local)
{
    int index = s->scene.node_count;
    APPEND(s, node, node_count, node_room,
           (er_node){.name = name, .parent = parent, .local = local, .source_index = -1});
    return index;
}

static void add_channel(staging *s, er_channel channel)
{
    if (engine_grow(&s->channel, &s->channel_room, s->clip.channel_count, sizeof *s->channel))
        s->channel[s->clip.channel_count++] = channel;
    else
        s->full = true;
}

// ---- Solids

static void add_materials(staging *s, const engine *e)
{
    for (int i = 0; i < e->material_count; ++i) {
        const engine_material *m = &e->material[i];
        APPEND(s, material, material_count, material_room,
               (er_material){.name = "",
                             .base_color = {m->diffuse[0], m->diffuse[1], m->diffuse[2], m->opacity},
                             .metallic = m->reflection,
                             .roughness = sqrtf(2.0f / (m->shine + 2.0f)), // of Blinn's lobe
                             .alpha_cutoff = 0.5f,
                             .alpha_mode = m->opacity < 1.0f ? ER_ALPHA_BLEND : ER_ALPHA_OPAQUE,
                             .base_color_image = -1,
                             .normal_image = -1,
                             .emissive_image = -1});
    }
}

static bool is_same(const struct form *f, const engine_part *p)
{
    const er_shape *a = &f->shape, *b = &p->shape;
    return f->material == p->material && a->kind == b->kind && !(a->radius < b->radius || a->radius > b->radius) &&
           !(a->length < b->length || a->length > b->length) && er_v3_distance(a->half, b->half) <= 0.0 &&
           a->hull == b->hull && a->surface == b->surface && !(f->face < p->face || f->face > p->face);
}

// The mesh of a part; -1 without memory.
static int mesh_of(staging *s, const engine_part *p)
{
    er_triangles *t = NULL;
    for (int i = 0; i < s->form_count; ++i)
        if (is_same(&s->form[i], p)) return s->form[i].mesh;
    bool made = er_shape_triangulate(s->context, &p->shape, p->face, &t) == ER_OK &&
                engine_grow(&s->form, &s->form_room, s->form_count, sizeof *s->form);
    size_t corners = made ? 3 * (size_t)t->vertex_count : 0;
    float *position = made ? take(s, corners * sizeof *position) : NULL;
    float *normal = made ? take(s, corners * sizeof *normal) : NULL;
    int *index = made ? take(s, 3 * (size_t)t->triangle_count * sizeof *index) : NULL;
    if (position == NULL || normal == NULL || index == NULL) {
        er_triangles_destroy(t);
        s->full = true;
        return -1;
    }
    memcpy(position, t->position, corners * sizeof *position);
    memcpy(normal, t->normal, corners * sizeof *normal);
    memcpy(index, t->index, 3 * (size_t)t->triangle_count * sizeof *index);
    int mesh = s->scene.mesh_count;
    APPEND(s, mesh, mesh_count, mesh_room,
           (er_mesh){.name = "",
                     .vertex_count = t->vertex_count,
                     .triangle_count = t->triangle_count,
                     .position = position,
                     .normal = normal,
                     .index = index,
                     .material = p->material});
    s->form[s->form_count++] = (struct form){p->shape, p->face, p->material, mesh};
    er_triangles_destroy(t);
    return mesh;
}

static bool moves(const engine_history *h)
{
    for (int i = 1; i < h->count; ++i)
        if (memcmp(&h->frame[i].pose, &h->frame[0].pose, sizeof h->frame[0].pose) != 0) return true;
    return false;
}

static void add_keys(staging *s, const engine_history *h, int node)
{
    double *way = take(s, 3 * (size_t)s->frames * sizeof *way), *turn = take(s, 4 * (size_t)s->frames * sizeof *turn);
    if (way == NULL || turn == NULL) return;
    er_quat last = h->frame[0].pose.q;
    for (int f = 0; f < s->frames; ++f) {
        er_pose p = history_at(h, f)->pose;
        double sign = er_q_dot(p.q, last) < 0.0 ? -1.0 : 1.0;
        last = er_q(sign * p.q.w, sign * p.q.x, sign * p.q.y, sign * p.q.z);
        way[3 * f] = p.p.x, way[3 * f + 1] = p.p.y, way[3 * f + 2] = p.p.z;
        turn[4 * f] = last.x, turn[4 * f + 1] = last.y, turn[4 * f + 2] = last.z, turn[4 * f + 3] = last.w;
    }
    const er_channel channel = {.node = node, .interpolation = ER_LINEAR, .key_count = s->frames, .time = s->time};
    er_channel keys = channel;
    keys.path = ER_PATH_TRANSLATION;
    keys.value = way;
    add_channel(s, keys);
    keys.path = ER_PATH_ROTATION;
    keys.value = turn;
    add_channel(s, keys);
}

// Scales an actor to a point in frames before it was added, after it was removed, and in which it is hidden.
static void add_presence(staging *s, const engine_history *h, int node, double full)
{
    if (h->first == 0 && h->first + h->count >= s->recording->frame_count && h->is_shown) return;
    double *size = take(s, 3 * (size_t)s->frames * sizeof *size);
    if (size == NULL) return;
    for (int f = 0; f < s->frames; ++f)
        for (int k = 0; k < 3; ++k)
            size[3 * f + k] =
                f >= h->first && f < h->first + h->count && !history_at(h, f)->hidden ? full : GONE * full;
    add_channel(s, (er_channel){.node = node,
                                .path = ER_PATH_SCALE,
                                .interpolation = ER_STEP,
                                .key_count = s->frames,
                                .time = s->time,
                                .value = size});
}

static void add_actor(staging *s, const engine_history *h)
{
    int node = add_node(s, h->name, -1, affine_of(h->frame[0].pose));
    for (int i = 0; i < h->part_count; ++i) {
        const engine_part *p = &h->part[i];
        if (p->hidden || h->is_hidden) continue;
        int mesh = mesh_of(s, p), part = add_node(s, "", node, affine_of(p->pose));
        if (mesh >= 0)
            APPEND(s, instance, instance_count, instance_room, (er_instance){.node = part, .mesh = mesh, .skin = -1});
    }
    if (moves(h)) add_keys(s, h, node);
    add_presence(s, h, node, 1.0);
}

// ---- Characters

static int shifted(int index, int by)
{
    return index >= 0 ? index + by : -1;
}

// All of a character's own scene, below a node of its size.
static int add_character_scenes(staging *s, const engine_character *c, const char *name)
{
    const er_scene *own = c->target->scene;
    double size = c->scale * c->target->metres_per_unit;
    er_mat3 none = {{{0}}};
    int root = add_node(s, name, -1, (er_affine){er_m3_madd(none, size, er_m3_identity()), {0, 0, 0}});
    int nodes = s->scene.node_count, meshes = s->scene.mesh_count, skins = s->scene.skin_count;
    int materials = s->scene.material_count, images = s->scene.image_count;
    for (int i = 0; i < own->node_count; ++i) {
        er_node n = own->node[i];
        n.parent = n.parent >= 0 ? n.parent + nodes : root;
        n.source_index = -1;
        APPEND(s, node, node_count, node_room, n);
    }
    for (int i = 0; i < own->mesh_count; ++i) {
        er_mesh m = own->mesh[i];
        m.material = shifted(m.material, materials);
        APPEND(s, mesh, mesh_count, mesh_room, m);
    }
    for (int i = 0; i < own->instance_count; ++i) {
        er_instance n = own->instance[i];
        APPEND(s, instance, instance_count, instance_room,
               (er_instance){n.node + nodes, n.mesh + meshes, shifted(n.skin, skins)});
    }
    for (int i = 0; i < own->skin_count; ++i) {
        er_skin k = own->skin[i];
        int *joints = take(s, (size_t)k.joint_count * sizeof *joints);
        for (int j = 0; j < k.joint_count && joints != NULL; ++j)
            joints[j] = k.joint[j] + nodes;
        k.joint = joints;
        APPEND(s, skin, skin_count, skin_room, k);
    }
    for (int i = 0; i < own->material_count; ++i) {
        er_material m = own->material[i];
        m.base_color_image = shifted(m.base_color_image, images);
        m.normal_image = shifted(m.normal_image, images);
        m.emissive_image = shifted(m.emissive_image, images);
        APPEND(s, material, material_count, material_room, m);
    }
    for (int i = 0; i < own->image_count; ++i)
        APPEND(s, image, image_count, image_room, own->image[i]);
    return nodes;
}

static const engine_history *history_of(const engine_recording *r, int id)
{
    for (int i = 0; i < r->actor_count; ++i)
        if (r->actor[i].id == id) return &r->actor[i];
    return NULL;
}

static er_result add_characters(staging *s, const engine_character *c)
{
    int bodies = c->model->body_count;
    size_t rows = (size_t)s->frames * (size_t)bodies;
    er_pose *pose = take(s, rows * sizeof *pose);
    const engine_history *first = NULL;
    for (int b = 0; b < bodies && pose != NULL; ++b) {
        const engine_history *h = history_of(s->recording, c->actor[b]);
        if (first == NULL) first = h;
        for (int f = 0; f < s->frames; ++f) {
            er_pose *at = &pose[(size_t)f * (size_t)bodies + (size_t)b];
            *at = h != NULL ? er_pose_mul(history_at(h, f)->pose, c->place[b]) : c->model->body[b].pose;
            if (h != NULL) at->p = er_v3_scale(1.0 / c->scale, at->p);
        }
    }
    if (pose == NULL || !engine_grow(&s->moved, &s->moved_room, s->moved_count, sizeof *s->moved))
        return eri_no_memory_for(s->context, "a recording");
    char *name = take(s, first != NULL ? strlen(first->name) : 0);
    if (name == NULL) return eri_no_memory_for(s->context, "a recording");
    size_t length = first != NULL ? strcspn(first->name, "/") : 0;
    if (first != NULL) memcpy(name, first->name, length);
    name[length] = '\0';
    int nodes = add_character_scenes(s, c, name);
    if (first != NULL) add_presence(s, first, nodes - 1, c->scale * c->target->metres_per_unit);
    const er_recorded_poses poses = {.model = c->model, .count = s->frames, .time = s->time, .pose = pose};
    er_recording_def def = er_default_recording_def();
    er_recording *moved = NULL;
    er_result r = er_poses_record(s->context, &poses, c->target, &def, &moved);
    if (r != ER_OK) return r;
    s->moved[s->moved_count++] = moved;
    for (int i = 0; i < moved->clip.channel_count; ++i) {
        er_channel channel = moved->clip.channel[i];
        channel.node += nodes;
        add_channel(s, channel);
    }
    return ER_OK;
}

// ---- Together

static void point_at_all(staging *s, const char *name)
{
    s->scene.node = s->node;
    s->scene.mesh = s->mesh;
    s->scene.instance = s->instance;
    s->scene.skin = s->skin;
    s->scene.material = s->material;
    s->scene.image = s->image;
    s->clip.name = name;
    s->clip.channel = s->channel;
    s->clip.duration = s->time[s->frames - 1];
}

static void clear(staging *s)
{
    for (int i = 0; i < s->moved_count; ++i)
        er_recording_destroy(s->moved[i]);
    for (int i = 0; i < s->block_count; ++i)
        free(s->block[i]);
    free(s->moved);
    free(s->block);
    free(s->form);
    free(s->channel);
    free(s->image);
    free(s->material);
    free(s->skin);
    free(s->instance);
    free(s->mesh);
    free(s->node);
}

static er_result fill(staging *s)
{
    const engine_recording *r = s->recording;
    // a clip has two frames: of one alone the second is the same, a step later
    s->frames = r->frame_count > 1 ? r->frame_count : 2;
    s->time = take(s, (size_t)s->frames * sizeof *s->time);
    if (s->time == NULL) return eri_no_memory_for(s->context, "a recording");
    for (int f = 0; f < s->frames; ++f)
        s->time[f] = f < r->frame_count ? r->time[f] - r->time[0] : r->engine->settings.step;
    add_materials(s, r->engine);
    for (int i = 0; i < r->actor_count; ++i)
        if (r->actor[i].character == 0) add_actor(s, &r->actor[i]);
    er_result result = ER_OK;
    for (int i = 0; i < r->character_count && result == ER_OK; ++i)
        result = add_characters(s, &r->character[i]);
    return result == ER_OK && s->full ? eri_no_memory_for(s->context, "a recording") : result;
}

er_result engine_recording_write(er_context *context, const engine_recording *recording, er_scene_writer *write,
                                 const char *name, const char *path)
{
    if (recording->frame_count == 0) return er_fail(context, ER_ERROR_ARGUMENT, "%s: no frame was recorded", path);
    staging s = {
        .context = context,
        .recording = recording,
        .scene = {
            .path = "", .format = ER_FORMAT_OTHER, .format_name = "scene", .metres_per_unit = 1.0, .up = {0, 1, 0}}};
    er_result r = fill(&s);
    if (r == ER_OK) {
        point_at_all(&s, name);
        r = write(context, &s.scene, 1, &s.clip, NULL, path);
    }
    clear(&s);
    return r;
}
