// The pose file (docs/formats.md).
#include <eigenrig/formats.h>

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "base/suggest.h"
#include "base/text.h"
#include "formats/json/json.h"
#include "scene/trs.h"

static er_result wrong(er_context *context, const char *path, size_t index, const char *key, const char *expected)
{
    return er_fail(context, ER_ERROR_FORMAT, "%s: nodes[%zu].%s: expected %s", path, index, key, expected);
}

// Nodes by name, those of one name in the scene's order, and how many of each name the file has had.
typedef struct node_names {
    const er_scene *scene;
    int *sorted; // [node_count], nodes
    int *taken;  // [node_count], at the first of a name
} node_names;

static int by_name(const void *a, const void *b, void *scene)
{
    int i = *(const int *)a, k = *(const int *)b;
    const er_node *node = ((const er_scene *)scene)->node;
    int order = strcmp(node[i].name, node[k].name);
    return order != 0 ? order : (i > k) - (i < k);
}

static er_result sort_names(er_arena *arena, const er_scene *scene, node_names *names)
{
    er_result r = ER_OK;
    names->scene = scene;
    ERI_TRY_NEW(names->sorted, arena, int, scene->node_count);
    ERI_TRY_NEW(names->taken, arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        names->sorted[i] = i;
    if (scene->node_count > 1)
        eri_platform_sort(names->sorted, (size_t)scene->node_count, sizeof *names->sorted, by_name,
                          (void *)(uintptr_t)scene);
done:
    return r;
}

// The next node of a name; -1 when there is none, `*known` where all of that name are taken.
static int take_node(node_names *names, const char *name, bool *known)
{
    int low = 0, count = names->scene->node_count, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(names->scene->node[names->sorted[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *known = low < count && strcmp(names->scene->node[names->sorted[low]].name, name) == 0;
    int at = *known ? low + names->taken[low]++ : count;
    if (at >= count || strcmp(names->scene->node[names->sorted[at]].name, name) != 0) return -1;
    return names->sorted[at];
}

static er_result read_vector(er_context *context, const char *path, size_t index, const json_t *object, const char *key,
                             er_vec3 *out)
{
    double x[3];
    const json_t *value = json_object_get(object, key);
    if (!eri_json_is_given(value)) return ER_OK;
    if (!eri_json_read_numbers(value, x, 3)) return wrong(context, path, index, key, "three numbers");
    *out = er_v3(x[0], x[1], x[2]);
    return ER_OK;
}

static er_result check_words(er_context *context, const char *path, size_t index, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (strcmp(key, "name") != 0 && strcmp(key, "translation") != 0 && strcmp(key, "rotation") != 0 &&
            strcmp(key, "scale") != 0)
            return er_fail(
                context, ER_ERROR_FORMAT,
                "%s: nodes[%zu]: the word \"%s\" is not known; there are name, translation, rotation and scale", path,
                index, key);
    }
    return ER_OK;
}

// @param known  the model has the name, but not so many of it
static er_result fail_name(er_context *context, const char *path, size_t index, const er_scene *scene, const char *name,
                           bool known)
{
    char text[SUGGESTION_TEXT];
    suggestion meant = {.word = name};
    for (int i = 0; i < scene->node_count && !known; ++i)
        suggestion_try(&meant, scene->node[i].name);
    return er_fail(context, ER_ERROR_FORMAT, "%s: nodes[%zu]: the model has no%s node \"%s\"%s", path, index,
                   known ? " further" : "", name, suggestion_text(&meant, text));
}

static er_result read_node(er_context *context, const char *path, const json_t *list, size_t index, node_names *names,
                           er_affine *local)
{
    er_result r = ER_OK;
    const json_t *object = json_array_get(list, index), *rotation = json_object_get(object, "rotation");
    const char *name = json_string_value(json_object_get(object, "name"));
    if (name == NULL) return wrong(context, path, index, "name", "the name of a node");
    bool known;
    int node = take_node(names, name, &known);
    if (node < 0) return fail_name(context, path, index, names->scene, name, known);
    eri_trs trs = eri_trs_from_affine(local[node]);
    double q[4];
    ERI_TRY(check_words(context, path, index, object));
    if (eri_json_is_given(rotation)) {
        if (!eri_json_read_numbers(rotation, q, 4) ||
            !(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) <= 1e-3))
            return wrong(context, path, index, "rotation", "a unit quaternion [w, x, y, z]");
        trs.rotation = er_q_unit(er_q(q[0], q[1], q[2], q[3]));
    }
    ERI_TRY(read_vector(context, path, index, object, "translation", &trs.translation));
    ERI_TRY(read_vector(context, path, index, object, "scale", &trs.scale));
    local[node] = er_affine_from_trs(trs.translation, trs.rotation, trs.scale);
done:
    return r;
}

static bool says_pose(const json_t *json)
{
    return eri_json_has_format(json, "eigenrig-pose");
}

static er_result read_pose(er_context *context, const char *path, const json_t *json, const er_scene *scene,
                           er_affine *local)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    node_names names;
    const json_t *list = json_object_get(json, "nodes");
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(sort_names(scratch, scene, &names));
    if (json_integer_value(json_object_get(json, "version")) != 1)
        ERI_TRY(er_fail(context, ER_ERROR_FORMAT, "%s: this is not version 1 of the pose file, the only one there is",
                        path));
    if (!json_is_array(list)) ERI_TRY(er_fail(context, ER_ERROR_FORMAT, "%s: \"nodes\" must be a list", path));
    for (int i = 0; i < scene->node_count; ++i)
        local[i] = scene->node[i].local;
    for (size_t i = 0; i < json_array_size(list); ++i)
        ERI_TRY(read_node(context, path, list, i, &names, local));
done:
    eri_arena_destroy(scratch);
    return r;
}

er_result er_pose_file_read(er_context *context, const char *path, const er_scene *scene, er_affine *local)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL || scene == NULL || local == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_pose_file_read needs a path, a scene and a place for the pose");
    json_t *json = NULL;
    er_result r = eri_json_read(context, path, "a pose file", &json);
    if (r != ER_OK) return r;
    r = says_pose(json) ? read_pose(context, path, json, scene, local)
                        : er_fail(context, ER_ERROR_FORMAT,
                                  "%s: not a pose file: it does not say \"format\": \"eigenrig-pose\"", path);
    json_decref(json);
    return r;
}

er_result er_pose_file_parse(er_context *context, const char *name, const char *text, size_t size,
                             const er_scene *scene, er_affine *local)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (name == NULL || (text == NULL && size > 0) || scene == NULL || local == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_pose_file_parse needs a name, a text, a scene and a place for the pose");
    json_error_t error;
    size_t mark = eri_utf8_mark(text, size);
    json_t *json =
        json_loadb(size > mark ? text + mark : "", size - mark, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    er_result r = json == NULL && json_error_code(&error) == json_error_out_of_memory
                      ? er_fail(context, ER_ERROR_MEMORY, "%s: out of memory", name)
                  : says_pose(json) ? read_pose(context, name, json, scene, local)
                                    : er_fail(context, ER_ERROR_FORMAT,
                                              "%s: not a pose file; eigenrig info --save-pose "
                                              "writes one",
                                              name);
    json_decref(json);
    return r;
}

static void put_node(eri_json_out *out, const char *name, const eri_trs *trs)
{
    const double translation[3] = {trs->translation.x, trs->translation.y, trs->translation.z},
                 rotation[4] = {trs->rotation.w, trs->rotation.x, trs->rotation.y, trs->rotation.z},
                 scale[3] = {trs->scale.x, trs->scale.y, trs->scale.z};
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", name);
    eri_json_numbers(out, "translation", translation, 3);
    eri_json_numbers(out, "rotation", rotation, 4);
    eri_json_numbers(out, "scale", scale, 3);
    eri_json_close(out, '}');
}

er_result er_pose_file_write(er_context *context, const er_scene *scene, const er_affine *local, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL || scene == NULL || local == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_pose_file_write needs a path, a scene and its pose");
    eri_json_out *out;
    er_result r = ER_OK;
    for (int i = 0; i < scene->node_count && r == ER_OK; ++i) {
        eri_trs trs = eri_trs_from_affine(local[i]);
        if (!er_v3_finite(trs.translation) || !er_v3_finite(trs.scale))
            r = er_fail(context, ER_ERROR_ARGUMENT, "%s: the pose of node %d is not finite", path, i);
    }
    if (r == ER_OK) r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    eri_json_text(out, "format", "eigenrig-pose");
    eri_json_integer(out, "version", 1);
    eri_json_open(out, "nodes", '[');
    for (int i = 0; i < scene->node_count; ++i) {
        eri_trs trs = eri_trs_from_affine(local[i]);
        put_node(out, scene->node[i].name, &trs);
    }
    eri_json_close(out, ']');
    return eri_json_end(out);
}
