// Finds the up axis from the legs: from feet, known by name, to where the leg branches off the body.
#include "app/project/up_axis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"

static bool holds(const char *name, const char *part)
{
    for (; *name != '\0'; ++name) {
        size_t i = 0;
        while (part[i] != '\0' && eri_lower(name[i]) == part[i])
            ++i;
        if (part[i] == '\0') return true;
    }
    return false;
}

static bool is_foot(const er_node *node)
{
    static const char *const names[] = {"foot", "ankle", "hoof", "paw"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (holds(node->name, names[i])) return true;
    return false;
}

// The beginning of a leg: the last ancestor before a branch, at most six nodes above the foot.
static int leg_of(const er_scene *scene, const int *children, int foot)
{
    enum { MOST = 6 };
    int at = foot;
    for (int k = 0; k < MOST && scene->node[at].parent >= 0 && children[scene->node[at].parent] == 1; ++k)
        at = scene->node[at].parent;
    return at;
}

// The mean direction from feet to the beginnings of their legs: shorter the more they differ, 0 without legs.
static er_vec3 legs_up(const er_scene *scene, const int *children, const er_affine *world)
{
    er_vec3 sum = {0};
    int count = 0;
    for (int i = 0; i < scene->node_count; ++i) {
        if (!is_foot(&scene->node[i])) continue;
        int leg = leg_of(scene, children, i);
        er_vec3 way = er_v3_sub(world[leg].translation, world[i].translation);
        double far = er_v3_norm(way);
        if (leg == i || !(far > 0.0) || !isfinite(far)) continue;
        sum = er_v3_madd(sum, 1.0 / far, way);
        ++count;
    }
    return count > 1 ? er_v3_scale(1.0 / count, sum) : er_v3(0, 0, 0);
}

// The mean over a clip, or at rest.
static er_vec3 mean_up(const er_scene *scene, const int *children, const er_clip *clip, er_affine *local,
                       er_affine *world)
{
    enum { TIMES = 9 };
    int count = clip != NULL ? TIMES : 1;
    er_vec3 sum = {0};
    for (int k = 0; k < count; ++k) {
        er_scene_sample(scene, clip, clip != NULL ? clip->duration * (k + 0.5) / TIMES : 0.0, local);
        er_scene_world(scene, local, world);
        sum = er_v3_madd(sum, 1.0 / count, legs_up(scene, children, world));
    }
    return sum;
}

// The axis that a direction is close to; zero: none.
static er_vec3 clear_axis(er_vec3 way)
{
    const double clear = 0.8;
    if (fabs(way.x) > clear) return er_v3(copysign(1.0, way.x), 0, 0);
    if (fabs(way.y) > clear) return er_v3(0, copysign(1.0, way.y), 0);
    if (fabs(way.z) > clear) return er_v3(0, 0, copysign(1.0, way.z));
    return er_v3(0, 0, 0);
}

static const char *axis_name(er_vec3 axis)
{
    return axis.x > 0.0   ? "x"
           : axis.x < 0.0 ? "-x"
           : axis.y > 0.0 ? "y"
           : axis.y < 0.0 ? "-y"
           : axis.z > 0.0 ? "z"
                          : "-z";
}

static void judge(er_scene *scene, const int *children, er_affine *local, er_affine *world,
                  const project_listener *listener)
{
    const er_clip *clip = scene->clip_count > 0 && scene->clip[0].duration > 0.0 ? &scene->clip[0] : NULL;
    er_vec3 rest = clear_axis(mean_up(scene, children, NULL, local, world)), moving = rest;
    if (clip != NULL) moving = clear_axis(mean_up(scene, children, clip, local, world));
    if (er_v3_norm(moving) == 0.0 || er_v3_dot(moving, scene->up) > 0.5) return;
    if (er_v3_dot(rest, moving) > 0.5) {
        scene->up = rest;
        project_notify(
            listener, ER_NOTE_WARNING,
            "its legs stand along %s, so that is taken for up, which a BVH does not say; --up y says otherwise",
            axis_name(rest));
    } else { // the clip may begin with the character lying down
        project_notify(listener, ER_NOTE_WARNING, "its legs point along %s as it moves, up being y: --up %s turns it",
                       axis_name(moving), axis_name(moving));
    }
}

void project_set_up_axis(er_scene *scene, const project_request *request, const project_listener *listener)
{
    if (request != NULL && er_v3_norm(request->forward) > 0.0)
        scene->forward = er_v3_unit(request->forward, scene->forward);
    if (request != NULL && er_v3_norm(request->up) > 0.0) {
        scene->up = er_v3_unit(request->up, scene->up);
        return;
    }
    if (scene->format != ER_FORMAT_BVH) return;
    size_t n = (size_t)scene->node_count;
    int *children = calloc(n + 1, sizeof *children);
    er_affine *local = malloc((n + 1) * sizeof *local), *world = malloc((n + 1) * sizeof *world);
    for (int i = 0; children != NULL && i < scene->node_count; ++i)
        if (scene->node[i].parent >= 0) ++children[scene->node[i].parent];
    if (children != NULL && local != NULL && world != NULL) judge(scene, children, local, world, listener);
    free(children);
    free(local);
    free(world);
}
