// The check of every promise that scene.h makes about a scene, and transforms taken apart.
#include <string.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "base/text.h"
#include "scene/trs.h"

// Weights are normalised in double and kept as float: n of them sum to 1 within n / 2^25, n at most a few hundred.
#define WEIGHT_TOLERANCE 1e-5
#define UNIT_TOLERANCE 1e-6

void er_scene_destroy(er_scene *scene)
{
    if (scene != NULL) eri_arena_destroy(scene->arena); // the struct itself lies in its arena
}

eri_trs eri_trs_from_affine(er_affine a)
{
    er_mat3 m = a.linear;
    er_vec3 scale =
        er_v3(er_v3_norm(er_m3_column(m, 0)), er_v3_norm(er_m3_column(m, 1)), er_v3_norm(er_m3_column(m, 2)));
    if (er_m3_det(m) < 0.0) {
        scale.x = -scale.x;
        for (int i = 0; i < 3; ++i)
            m.m[i][0] = -m.m[i][0];
    }
    // Gram and Schmidt; a column that vanishes is completed from the others.
    er_vec3 none = er_v3(0, 0, 0);
    er_vec3 x0 = er_v3_unit(er_m3_column(m, 0), none), y0 = er_v3_unit(er_m3_column(m, 1), none),
            z0 = er_v3_unit(er_m3_column(m, 2), none);
    er_vec3 any = er_v3_perpendicular(er_v3_unit(y0, er_v3_unit(z0, er_v3(0, 1, 0))));
    er_vec3 x = er_v3_unit(x0, er_v3_unit(er_v3_cross(y0, z0), any));
    er_vec3 across = er_v3_unit(er_v3_cross(z0, x), er_v3_perpendicular(x));
    er_vec3 y = er_v3_unit(er_v3_madd(y0, -er_v3_dot(y0, x), x), across);
    y = er_v3_unit(er_v3_madd(y, -er_v3_dot(y, x), x), across); // again: the first leaves rounding where y is along x
    er_vec3 z = er_v3_cross(x, y);
    er_mat3 rotation = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    eri_trs r = {a.translation, er_q_from_m3(rotation), scale};
    return r;
}

bool eri_affine_near(er_affine a, er_affine b, double tolerance)
{
    double difference = er_v3_distance(a.translation, b.translation);
    double size = er_v3_norm(b.translation);
    for (int j = 0; j < 3; ++j) {
        difference = fmax(difference, er_v3_distance(er_m3_column(a.linear, j), er_m3_column(b.linear, j)));
        size = fmax(size, er_v3_norm(er_m3_column(b.linear, j)));
    }
    return difference <= tolerance * size;
}

static bool affine_finite(er_affine a)
{
    return er_v3_finite(er_m3_column(a.linear, 0)) && er_v3_finite(er_m3_column(a.linear, 1)) &&
           er_v3_finite(er_m3_column(a.linear, 2)) && er_v3_finite(a.translation);
}

bool eri_affine_invert(er_affine a, er_affine *inverse)
{
    *inverse = er_affine_inverse(a);
    return affine_finite(*inverse);
}

// Returns the failure unless the condition holds; conditions are written so that NaN fails them.
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) return er_fail(context, ER_ERROR_FORMAT, __VA_ARGS__);                                       \
    } while (0)

static bool index_or_none(int index, int count)
{
    return index >= -1 && index < count;
}

static bool floats_finite(const float *v, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(v[i])) return false;
    return true;
}

static bool floats_in_unit(const float *v, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!(v[i] >= 0.0f && v[i] <= 1.0f)) return false;
    return true;
}

static bool text_valid(const char *text)
{
    return text != NULL && eri_utf8_valid(text);
}

static er_result check_counts(er_context *context, const er_scene *s)
{
    const struct {
        const char *name;
        int count;
        const void *array;
    } arrays[] = {{"nodes", s->node_count, s->node},
                  {"meshes", s->mesh_count, s->mesh},
                  {"instances", s->instance_count, s->instance},
                  {"skins", s->skin_count, s->skin},
                  {"materials", s->material_count, s->material},
                  {"images", s->image_count, s->image},
                  {"clips", s->clip_count, s->clip},
                  {"notes", s->note_count, s->note}};
    for (size_t i = 0; i < ERI_COUNT(arrays); ++i)
        REQUIRE(arrays[i].count >= 0 && (arrays[i].count == 0 || arrays[i].array != NULL), "%d %s without an array",
                arrays[i].count, arrays[i].name);
    REQUIRE(s->added_count >= 0 && s->added_count <= s->instance_count, "%d of %d instances are said to be added",
            s->added_count, s->instance_count);
    REQUIRE(s->path != NULL, "the scene has no path");
    REQUIRE(text_valid(s->format_name), "the scene's format name is not UTF-8 text");
    REQUIRE((int)s->format >= ER_FORMAT_GLTF && (int)s->format <= ER_FORMAT_OTHER, "format %d does not exist",
            (int)s->format);
    REQUIRE(s->fps >= 0.0 && s->fps < HUGE_VAL, "%g frames a second are not finite, 0 or more", s->fps);
    REQUIRE(s->metres_per_unit > 0.0 && s->metres_per_unit < HUGE_VAL, "metres per unit %g is not positive and finite",
            s->metres_per_unit);
    REQUIRE(fabs(er_v3_norm(s->up) - 1.0) <= UNIT_TOLERANCE, "the up direction (%g, %g, %g) is not a unit vector",
            s->up.x, s->up.y, s->up.z);
    double forward = er_v3_norm(s->forward);
    REQUIRE(forward == 0.0 || fabs(forward - 1.0) <= UNIT_TOLERANCE,
            "the forward direction (%g, %g, %g) is not a unit vector", s->forward.x, s->forward.y, s->forward.z);
    return ER_OK;
}

static er_result check_node(er_context *context, const er_scene *scene, int i)
{
    const er_node *node = &scene->node[i];
    const unsigned all = ER_NODE_JOINT | ER_NODE_CAMERA | ER_NODE_LIGHT | ER_NODE_END_SITE;
    REQUIRE(text_valid(node->name), "the name of node %d is not UTF-8 text", i);
    REQUIRE(node->role == NULL || text_valid(node->role), "the role of node %d is not UTF-8 text", i);
    REQUIRE(node->parent >= -1 && node->parent < i, "node %d \"%s\" has parent %d, which does not come before it", i,
            node->name, node->parent);
    REQUIRE(affine_finite(node->local), "the transform of node %d \"%s\" is not finite", i, node->name);
    REQUIRE((node->flags & ~all) == 0, "node %d \"%s\" has unknown flags %u", i, node->name, node->flags);
    REQUIRE(node->source_index >= -1, "node %d \"%s\" has source index %d", i, node->name, node->source_index);
    REQUIRE(node->channel_count <= 6, "node %d \"%s\" has %d channels", i, node->name, node->channel_count);
    for (int k = 0; k < node->channel_count; ++k)
        REQUIRE(node->channels[k] <= ER_BVH_Z_ROTATION, "node %d \"%s\" has a channel of unknown kind %d", i,
                node->name, node->channels[k]);
    return ER_OK;
}

static er_result check_influences(er_context *context, const er_mesh *mesh, int i)
{
    const int *start = mesh->influence_start;
    REQUIRE(start[0] == 0, "the influences of mesh %d start at %d", i, start[0]);
    for (int v = 0; v < mesh->vertex_count; ++v)
        REQUIRE(start[v + 1] >= start[v], "the influences of mesh %d do not ascend at vertex %d", i, v);
    REQUIRE(start[mesh->vertex_count] == 0 || (mesh->influence_joint != NULL && mesh->influence_weight != NULL),
            "mesh %d has influences without joints or weights", i);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double sum = 0.0;
        for (int k = start[v]; k < start[v + 1]; ++k) {
            REQUIRE(mesh->influence_weight[k] > 0.0f && mesh->influence_joint[k] >= 0,
                    "vertex %d of mesh %d has weight %g on joint %d", v, i, (double)mesh->influence_weight[k],
                    mesh->influence_joint[k]);
            sum += mesh->influence_weight[k];
        }
        REQUIRE(start[v + 1] == start[v] || fabs(sum - 1.0) <= WEIGHT_TOLERANCE,
                "the weights of vertex %d of mesh %d sum to %g", v, i, sum);
    }
    return ER_OK;
}

static er_result check_mesh(er_context *context, const er_scene *scene, int i)
{
    const er_mesh *mesh = &scene->mesh[i];
    REQUIRE(text_valid(mesh->name), "the name of mesh %d is not UTF-8 text", i);
    REQUIRE(mesh->vertex_count >= 0 && mesh->triangle_count >= 0 && mesh->morph_count >= 0,
            "mesh %d has %d vertices, %d triangles, %d morph targets", i, mesh->vertex_count, mesh->triangle_count,
            mesh->morph_count);
    size_t n = (size_t)mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
    REQUIRE(n == 0 || mesh->position != NULL, "mesh %d has no positions", i);
    REQUIRE(floats_finite(mesh->position, 3 * n), "mesh %d has a position that is not finite", i);
    REQUIRE(mesh->normal == NULL || floats_finite(mesh->normal, 3 * n), "mesh %d has a normal that is not finite", i);
    REQUIRE(mesh->uv == NULL || floats_finite(mesh->uv, 2 * n), "mesh %d has a texture coordinate that is not finite",
            i);
    REQUIRE(mesh->color == NULL || floats_in_unit(mesh->color, 4 * n), "mesh %d has a colour outside [0, 1]", i);
    REQUIRE(corners == 0 || mesh->index != NULL, "mesh %d has triangles without indices", i);
    for (size_t k = 0; k < corners; ++k)
        REQUIRE(mesh->index[k] >= 0 && mesh->index[k] < mesh->vertex_count,
                "triangle %zu of mesh %d has vertex %d of %d", k / 3, i, mesh->index[k], mesh->vertex_count);
    REQUIRE(index_or_none(mesh->material, scene->material_count), "mesh %d has material %d of %d", i, mesh->material,
            scene->material_count);
    return mesh->influence_start != NULL ? check_influences(context, mesh, i) : ER_OK;
}

static er_result check_skin(er_context *context, const er_scene *scene, int i)
{
    const er_skin *skin = &scene->skin[i];
    REQUIRE(text_valid(skin->name), "the name of skin %d is not UTF-8 text", i);
    REQUIRE(skin->joint_count >= 0 && (skin->joint_count == 0 || (skin->joint != NULL && skin->inverse_bind != NULL)),
            "skin %d has %d joints without arrays", i, skin->joint_count);
    for (int k = 0; k < skin->joint_count; ++k) {
        REQUIRE(skin->joint[k] >= 0 && skin->joint[k] < scene->node_count, "joint %d of skin %d is node %d of %d", k, i,
                skin->joint[k], scene->node_count);
        REQUIRE(affine_finite(skin->inverse_bind[k]), "the inverse bind matrix of joint %d of skin %d is not finite", k,
                i);
    }
    return ER_OK;
}

// `joints_needed`: [mesh_count], one more than the largest joint index among a mesh's influences.
static er_result check_instance(er_context *context, const er_scene *scene, const int *joints_needed, int i)
{
    const er_instance *drawn = &scene->instance[i];
    REQUIRE(drawn->node >= 0 && drawn->node < scene->node_count, "instance %d is at node %d of %d", i, drawn->node,
            scene->node_count);
    REQUIRE(drawn->mesh >= 0 && drawn->mesh < scene->mesh_count, "instance %d draws mesh %d of %d", i, drawn->mesh,
            scene->mesh_count);
    REQUIRE(index_or_none(drawn->skin, scene->skin_count), "instance %d has skin %d of %d", i, drawn->skin,
            scene->skin_count);
    REQUIRE(drawn->skin < 0 || i < scene->instance_count - scene->added_count,
            "instance %d has skin %d, but was added to the file", i, drawn->skin);
    REQUIRE(drawn->skin < 0 || joints_needed[drawn->mesh] <= scene->skin[drawn->skin].joint_count,
            "mesh %d has weights on joint %d, but skin %d that it is drawn with has only %d joints", drawn->mesh,
            joints_needed[drawn->mesh] - 1, drawn->skin, scene->skin[drawn->skin].joint_count);
    return ER_OK;
}

static er_result check_material(er_context *context, const er_scene *scene, int i)
{
    const er_material *m = &scene->material[i];
    REQUIRE(text_valid(m->name), "the name of material %d is not UTF-8 text", i);
    REQUIRE(floats_in_unit(m->base_color, 4) && floats_in_unit(m->emissive, 3) && floats_in_unit(&m->metallic, 1) &&
                floats_in_unit(&m->roughness, 1) && floats_finite(&m->alpha_cutoff, 1),
            "material %d \"%s\" has a value outside [0, 1]", i, m->name);
    REQUIRE((int)m->alpha_mode >= ER_ALPHA_OPAQUE && (int)m->alpha_mode <= ER_ALPHA_BLEND,
            "material %d \"%s\" has unknown alpha mode %d", i, m->name, (int)m->alpha_mode);
    REQUIRE(index_or_none(m->base_color_image, scene->image_count) &&
                index_or_none(m->normal_image, scene->image_count) &&
                index_or_none(m->emissive_image, scene->image_count),
            "material %d \"%s\" has an image that does not exist", i, m->name);
    return ER_OK;
}

static er_result check_image(er_context *context, const er_scene *scene, int i)
{
    const er_image *image = &scene->image[i];
    REQUIRE(text_valid(image->name), "the name of image %d is not UTF-8 text", i);
    REQUIRE(image->mime != NULL && (strcmp(image->mime, "image/png") == 0 || strcmp(image->mime, "image/jpeg") == 0),
            "image %d is neither PNG nor JPEG", i);
    REQUIRE(image->size > 0 && image->bytes != NULL, "image %d is empty", i);
    return ER_OK;
}

static er_result check_channel(er_context *context, const er_scene *scene, const er_channel *c, int clip)
{
    REQUIRE(c->node >= 0 && c->node < scene->node_count, "clip %d moves node %d of %d", clip, c->node,
            scene->node_count);
    REQUIRE((int)c->path >= ER_PATH_TRANSLATION && (int)c->path <= ER_PATH_MORPH && (int)c->interpolation >= ER_STEP &&
                (int)c->interpolation <= ER_CUBIC,
            "clip %d has a channel of unknown path %d or interpolation %d", clip, (int)c->path, (int)c->interpolation);
    size_t n = (size_t)eri_values_per_key(c->path) * (c->interpolation == ER_CUBIC ? 3 : 1);
    REQUIRE(c->key_count >= 1 && c->time != NULL && (n == 0 || c->value != NULL),
            "clip %d has a channel on node %d without keys", clip, c->node);
    for (int k = 0; k < c->key_count; ++k) {
        REQUIRE(isfinite(c->time[k]) && (k == 0 || c->time[k] > c->time[k - 1]),
                "the key times of clip %d on node %d do not ascend at key %d", clip, c->node, k);
        for (size_t j = n * (size_t)k; j < n * ((size_t)k + 1); ++j)
            REQUIRE(isfinite(c->value[j]), "key %d of clip %d on node %d is not finite", k, clip, c->node);
        if (c->path == ER_PATH_ROTATION && c->interpolation != ER_CUBIC) {
            const double *v = c->value + n * (size_t)k;
            REQUIRE(fabs(er_q_dot(er_q(v[3], v[0], v[1], v[2]), er_q(v[3], v[0], v[1], v[2])) - 1.0) <= UNIT_TOLERANCE,
                    "rotation key %d of clip %d on node %d is not a unit quaternion", k, clip, c->node);
        }
    }
    return ER_OK;
}

// `seen`: [node_count] zeros, left as zeros: the paths of a node that this clip has, and the bit CLOSED once another
// node's channels have followed.
static er_result check_clip(er_context *context, const er_scene *scene, uint8_t *seen, int i)
{
    enum { CLOSED = 128 };
    const er_clip *clip = &scene->clip[i];
    REQUIRE(text_valid(clip->name), "the name of clip %d is not UTF-8 text", i);
    REQUIRE(isfinite(clip->duration), "the duration of clip %d is not finite", i);
    REQUIRE(clip->channel_count >= 0 && (clip->channel_count == 0 || clip->channel != NULL),
            "clip %d has %d channels without an array", i, clip->channel_count);
    for (int k = 0; k < clip->channel_count; ++k) {
        const er_channel *c = &clip->channel[k];
        er_result r = check_channel(context, scene, c, i);
        if (r != ER_OK) return r;
        REQUIRE((seen[c->node] & (CLOSED | 1u << c->path)) == 0,
                "the channels of clip %d on node %d are apart, or two have one path", i, c->node);
        seen[c->node] |= (uint8_t)(1u << c->path);
        if (k > 0 && clip->channel[k - 1].node != c->node) seen[clip->channel[k - 1].node] |= CLOSED;
        REQUIRE(c->time[c->key_count - 1] <= clip->duration, "clip %d ends at %g s, but has a key at %g s", i,
                clip->duration, c->time[c->key_count - 1]);
    }
    for (int k = 0; k < clip->channel_count; ++k)
        seen[clip->channel[k].node] = 0;
    return ER_OK;
}

static int joints_needed_by(const er_mesh *mesh)
{
    int most = 0;
    int count = mesh->influence_start != NULL ? mesh->influence_start[mesh->vertex_count] : 0;
    for (int k = 0; k < count; ++k)
        if (mesh->influence_joint[k] >= most) most = mesh->influence_joint[k] + 1;
    return most;
}

er_result er_scene_validate(er_context *context, const er_scene *scene)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "there is no scene to validate");
    er_result r = check_counts(context, scene);
    if (r != ER_OK) return r;
    er_arena *scratch = NULL;
    int *joints_needed = NULL;
    uint8_t *seen = NULL;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(joints_needed, scratch, int, scene->mesh_count);
    ERI_TRY_NEW(seen, scratch, uint8_t, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        ERI_TRY(check_node(context, scene, i));
    for (int i = 0; i < scene->mesh_count; ++i) {
        ERI_TRY(check_mesh(context, scene, i));
        joints_needed[i] = joints_needed_by(&scene->mesh[i]);
    }
    for (int i = 0; i < scene->skin_count; ++i)
        ERI_TRY(check_skin(context, scene, i));
    for (int i = 0; i < scene->instance_count; ++i)
        ERI_TRY(check_instance(context, scene, joints_needed, i));
    for (int i = 0; i < scene->material_count; ++i)
        ERI_TRY(check_material(context, scene, i));
    for (int i = 0; i < scene->image_count; ++i)
        ERI_TRY(check_image(context, scene, i));
    for (int i = 0; i < scene->clip_count; ++i)
        ERI_TRY(check_clip(context, scene, seen, i));
    for (int i = 0; i < scene->note_count; ++i)
        if (!text_valid(scene->note[i].text) || strpbrk(scene->note[i].text, "\r\n") != NULL)
            ERI_TRY(er_fail(context, ER_ERROR_FORMAT, "note %d is not one line of UTF-8 text", i));
done:
    eri_arena_destroy(scratch);
    return r;
}
