// Clips found and sampled at a time, nodes posed, meshes skinned.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/scene.h>

#include "base/suggest.h"
#include "base/text.h"
#include "scene/trs.h"

// The last key at or before `time`; 0 when all are later.
static int key_before(const er_channel *channel, double time)
{
    int low = 0, high = channel->key_count; // time[low] <= time < time[high], where they exist
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (channel->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static er_quat quat_of(const double *v)
{
    return er_q_unit(er_q(v[3], v[0], v[1], v[2]));
}

// glTF 2.0, C.5: Hermite with tangents per second, of the n numbers that start at each key's middle third.
static void sample_cubic(const er_channel *channel, int k, double time, int n, double *out)
{
    double step = channel->time[k + 1] - channel->time[k], t = (time - channel->time[k]) / step;
    const double *a = channel->value + 3 * n * (ptrdiff_t)k, *b = a + 3 * n;
    double t2 = t * t, t3 = t2 * t;
    for (int i = 0; i < n; ++i)
        out[i] = (2 * t3 - 3 * t2 + 1) * a[n + i] + step * (t3 - 2 * t2 + t) * a[2 * n + i] +
                 (3 * t2 - 2 * t3) * b[n + i] + step * (t3 - t2) * b[i];
}

static void sample_channel(const er_channel *channel, double time, double *out)
{
    int n = eri_values_per_key(channel->path), k = key_before(channel, time);
    bool cubic = channel->interpolation == ER_CUBIC;
    const double *a = channel->value + (cubic ? 3 * n * (ptrdiff_t)k + n : n * (ptrdiff_t)k);
    bool held = k + 1 == channel->key_count || time <= channel->time[k] || channel->interpolation == ER_STEP;
    if (held) {
        memcpy(out, a, (size_t)n * sizeof *out);
    } else if (cubic) {
        sample_cubic(channel, k, time, n, out);
    } else {
        double t = (time - channel->time[k]) / (channel->time[k + 1] - channel->time[k]);
        const double *b = a + n;
        if (channel->path == ER_PATH_ROTATION) {
            er_quat q = er_q_slerp(quat_of(a), quat_of(b), t);
            out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
        } else {
            for (int i = 0; i < n; ++i)
                out[i] = a[i] + t * (b[i] - a[i]);
        }
    }
}

void eri_trs_apply(const er_channel *channel, double time, eri_trs *trs)
{
    double v[4];
    sample_channel(channel, time, v);
    if (channel->path == ER_PATH_TRANSLATION)
        trs->translation = er_v3(v[0], v[1], v[2]);
    else if (channel->path == ER_PATH_SCALE)
        trs->scale = er_v3(v[0], v[1], v[2]);
    else
        trs->rotation = quat_of(v);
}

// By its name; else by the first that is the same but for the case of letters.
static const er_clip *clip_called(const er_scene *scene, const char *name)
{
    for (int c = 0; c < scene->clip_count; ++c)
        if (strcmp(scene->clip[c].name, name) == 0) return &scene->clip[c];
    for (int c = 0; c < scene->clip_count; ++c)
        if (eri_same_letters(scene->clip[c].name, name)) return &scene->clip[c];
    return NULL;
}

er_result er_scene_find_clip(er_context *context, const er_scene *scene, const char *name, const er_clip **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL || name == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_scene_find_clip needs a scene and a name");
    *out = clip_called(scene, name);
    if (*out != NULL) return ER_OK;
    bool digits = *name != '\0' && strspn(name, "0123456789") == strlen(name);
    long index = digits ? strtol(name, NULL, 10) : -1;
    if (index >= 0 && index < scene->clip_count) {
        *out = &scene->clip[index];
        return ER_OK;
    }
    if (scene->clip_count == 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no clip \"%s\": the file has no clips at all", name);
    suggestion meant = {.word = name};
    for (int c = 0; c < scene->clip_count; ++c)
        suggestion_try(&meant, scene->clip[c].name);
    if (meant.best != NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no clip \"%s\"; did you mean \"%s\"", name, meant.best);
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "there is no clip \"%s\"; the file has %d, from 0 (\"%s\") on, and `info` lists them", name,
                   scene->clip_count, scene->clip[0].name);
}

void er_scene_sample(const er_scene *scene, const er_clip *clip, double time, er_affine *local)
{
    for (int i = 0; i < scene->node_count; ++i)
        local[i] = scene->node[i].local;
    if (clip == NULL || clip->channel_count == 0) return;
    const er_channel *channel = clip->channel, *end = channel + clip->channel_count;
    while (channel < end) { // one node's channels at a time
        int node = channel->node;
        eri_trs trs = eri_trs_from_affine(local[node]);
        bool moved = false;
        for (; channel < end && channel->node == node; ++channel) {
            if (channel->path == ER_PATH_MORPH) continue;
            eri_trs_apply(channel, time, &trs);
            moved = true;
        }
        if (moved) local[node] = er_affine_from_trs(trs.translation, trs.rotation, trs.scale);
    }
}

void er_scene_world(const er_scene *scene, const er_affine *local, er_affine *world)
{
    for (int i = 0; i < scene->node_count; ++i) {
        int parent = scene->node[i].parent;
        world[i] = parent < 0 ? local[i] : er_affine_mul(world[parent], local[i]);
    }
}

void er_scene_skin(const er_scene *scene, int instance, const er_affine *world, double *position)
{
    const er_instance *drawn = &scene->instance[instance];
    const er_mesh *mesh = &scene->mesh[drawn->mesh];
    const er_skin *skin = drawn->skin >= 0 ? &scene->skin[drawn->skin] : NULL;
    const int *start = skin != NULL ? mesh->influence_start : NULL;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float *v = mesh->position + 3 * (ptrdiff_t)i;
        er_vec3 x = er_v3(v[0], v[1], v[2]), y = er_v3(0, 0, 0);
        if (start == NULL || start[i] == start[i + 1]) {
            y = er_affine_point(world[drawn->node], x);
        } else {
            double total = 0.0; // float weights sum to 1 only to float rounding
            for (int k = start[i]; k < start[i + 1]; ++k) {
                int j = mesh->influence_joint[k];
                double w = mesh->influence_weight[k];
                // y += w world[joint_j] inverse_bind_j x
                y = er_v3_madd(y, w, er_affine_point(world[skin->joint[j]], er_affine_point(skin->inverse_bind[j], x)));
                total += w;
            }
            y = er_v3_scale(1.0 / total, y);
        }
        double *out = position + 3 * (ptrdiff_t)i;
        out[0] = y.x, out[1] = y.y, out[2] = y.z;
    }
}
