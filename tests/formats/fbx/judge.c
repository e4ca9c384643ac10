// Two scenes compared by what they show: nodes, corners of triangles, clips.
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/trs.h"

enum { TIMES = 10 };

// Two scenes side by side. `to` has the node of `back` for each of `scene`.
typedef struct pair {
    const er_scene *scene, *back;
    int *to;                  // [node_count]
    er_affine *world, *there; // [node_count of each]
    er_affine *local;         // room for both
    double unit;              // of `back` in the scene's
    double size;
    judgement j;
} pair;

static void wrong(pair *p, const char *what, const char *name)
{
    if (p->j.wrong[0] == '\0') snprintf(p->j.wrong, sizeof p->j.wrong, "%s \"%.100s\"", what, name);
}

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (memory == NULL) abort();
    return memory;
}

void pose_written(const er_scene *scene, const er_clip *clip, double time, er_affine *local, er_affine *world)
{
    er_scene_sample(scene, clip, time, local);
    for (int i = 0; i < scene->node_count; ++i) { // shear is not written
        eri_trs trs = eri_trs_from_affine(local[i]);
        local[i] = er_affine_from_trs(trs.translation, trs.rotation, trs.scale);
    }
    er_scene_world(scene, local, world);
}

// --- nodes

// The name that a node is to have: the k-th of a name is "name (k)".
static void expected_name(const er_scene *scene, int node, char *out, size_t size)
{
    const char *name = scene->node[node].name;
    int nth = strcmp(name, "RootNode") == 0 ? 2 : 1;
    for (int i = 0; i < node; ++i)
        nth += strcmp(scene->node[i].name, name) == 0;
    if (name[0] == '\0')
        snprintf(out, size, "node %d", node);
    else if (nth == 1)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%s (%d)", name, nth);
}

static bool is_own_root(const er_scene *scene)
{
    int roots = 0;
    for (int i = 0; i < scene->node_count; ++i)
        roots += scene->node[i].parent < 0;
    return roots == 1 && strcmp(scene->node[0].name, "RootNode") == 0;
}

static void match_nodes(pair *p)
{
    bool own_root = is_own_root(p->scene);
    for (int i = 0; i < p->scene->node_count; ++i) {
        char name[2048];
        int parent = p->scene->node[i].parent, want = parent < 0 ? 0 : p->to[parent];
        expected_name(p->scene, i, name, sizeof name);
        p->to[i] = i == 0 && own_root ? 0 : -1;
        for (int k = 0; k < p->back->node_count && p->to[i] < 0; ++k)
            if (strcmp(p->back->node[k].name, name) == 0) p->to[i] = k;
        if (p->to[i] < 0) {
            wrong(p, "there is no node", name);
            p->to[i] = 0;
        } else if (p->to[i] > 0 && p->back->node[p->to[i]].parent != want) {
            wrong(p, "another parent has", name);
        }
    }
    p->j.more = p->back->node_count - p->scene->node_count - (own_root ? 0 : 1);
}

static double affine_error(const pair *p, er_affine a, er_affine b)
{
    double longest = 1e-300, error = er_v3_distance(a.translation, er_v3_scale(p->unit, b.translation)) / p->size;
    for (int k = 0; k < 3; ++k)
        longest = fmax(longest, er_v3_norm(er_m3_column(a.linear, k)));
    for (int k = 0; k < 3; ++k)
        error = fmax(error, er_v3_distance(er_m3_column(a.linear, k), er_m3_column(b.linear, k)) / longest);
    return error;
}

// A node that draws a skin and carries nothing may stand anywhere: the skin goes with its joints.
static bool is_free(const er_scene *scene, int node)
{
    bool draws = false;
    for (int i = 0; i < scene->node_count; ++i)
        if (scene->node[i].parent == node) return false;
    for (int i = 0; i < scene->instance_count; ++i)
        draws = draws || (scene->instance[i].node == node && scene->instance[i].skin >= 0);
    return draws;
}

static double nodes_error(const pair *p)
{
    double error = 0.0;
    for (int i = 0; i < p->scene->node_count; ++i)
        if (!is_free(p->scene, i)) error = fmax(error, affine_error(p, p->world[i], p->there[p->to[i]]));
    return error;
}

// --- meshes

// Corners of triangles in the world.
typedef struct corners {
    double *at; // [3 count]
    size_t count, capacity;
} corners;

static void add_corners(corners *c, const er_scene *scene, int instance, const er_affine *world, double unit)
{
    const er_mesh *mesh = &scene->mesh[scene->instance[instance].mesh];
    double *position = room(3 * (size_t)mesh->vertex_count, sizeof *position);
    size_t n = 3 * (size_t)mesh->triangle_count;
    er_scene_skin(scene, instance, world, position);
    c->at = realloc(c->at, 3 * (c->count + n + 1) * sizeof *c->at);
    for (size_t k = 0; k < 3 * n; ++k)
        c->at[3 * c->count + k] = unit * position[3 * (size_t)mesh->index[k / 3] + k % 3];
    c->count += n;
    free(position);
}

static int material_of(const er_scene *scene, int instance)
{
    return scene->mesh[scene->instance[instance].mesh].material;
}

static bool draws(const er_scene *scene, int instance)
{
    const er_mesh *mesh = &scene->mesh[scene->instance[instance].mesh];
    return mesh->vertex_count > 0 && mesh->triangle_count > 0;
}

// The instances at a node with a skin, those of the first's material first, and so on, as readers split them.
static void gather(const pair *p, int node, int skin, corners *c)
{
    const er_scene *s = p->scene;
    bool *done = room((size_t)s->instance_count, sizeof *done);
    for (int i = 0; i < s->instance_count; ++i) {
        if (done[i] || !draws(s, i) || s->instance[i].node != node || s->instance[i].skin != skin) continue;
        for (int k = i; k < s->instance_count; ++k) {
            if (done[k] || !draws(s, k) || s->instance[k].node != node || s->instance[k].skin != skin ||
                material_of(s, k) != material_of(s, i))
                continue;
            add_corners(c, s, k, p->world, 1.0);
            done[k] = true;
        }
    }
    free(done);
}

static bool gather_back(const pair *p, int node, bool *used, corners *c)
{
    bool any = false;
    for (int i = 0; i < p->back->instance_count; ++i)
        if (p->back->instance[i].node == node && !used[i]) {
            add_corners(c, p->back, i, p->there, p->unit);
            used[i] = any = true;
        }
    return any;
}

static bool is_new(const pair *p, int back)
{
    for (int i = 0; i < p->scene->node_count; ++i)
        if (p->to[i] == back) return false;
    return true;
}

// Judges what one node draws with one skin: it is on the node, or on a new one below it or below the root.
static double draw_error(pair *p, int node, int skin, bool *used)
{
    corners a = {0}, b = {0};
    double error = 0.0;
    gather(p, node, skin, &a);
    bool found = gather_back(p, p->to[node], used, &b);
    for (int k = 0; k < p->back->node_count && !found; ++k)
        if ((p->back->node[k].parent == p->to[node] || (skin >= 0 && p->back->node[k].parent == 0)) && is_new(p, k))
            found = gather_back(p, k, used, &b);
    if (a.count != b.count) wrong(p, "another number of triangles is at", p->scene->node[node].name);
    for (size_t i = 0; i < 3 * a.count && i < 3 * b.count; ++i)
        error = fmax(error, fabs(a.at[i] - b.at[i]) / p->size);
    free(a.at);
    free(b.at);
    return error;
}

static double meshes_error(pair *p)
{
    double error = 0.0;
    bool *used = room((size_t)p->back->instance_count, sizeof *used);
    for (int node = 0; node < p->scene->node_count; ++node)
        for (int skin = -1; skin < p->scene->skin_count; ++skin)
            for (int i = 0; i < p->scene->instance_count; ++i) {
                if (p->scene->instance[i].node != node || p->scene->instance[i].skin != skin || !draws(p->scene, i))
                    continue;
                error = fmax(error, draw_error(p, node, skin, used));
                break;
            }
    for (int i = 0; i < p->back->instance_count; ++i)
        if (!used[i]) wrong(p, "a mesh too many is at", p->back->node[p->back->instance[i].node].name);
    free(used);
    return error;
}

static void stretch(er_vec3 *low, er_vec3 *high, double x, double y, double z)
{
    *low = er_v3(fmin(low->x, x), fmin(low->y, y), fmin(low->z, z));
    *high = er_v3(fmax(high->x, x), fmax(high->y, y), fmax(high->z, z));
}

static double size_of(const pair *p)
{
    er_vec3 low = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = er_v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    corners c = {0};
    for (int i = 0; i < p->scene->node_count; ++i)
        stretch(&low, &high, p->world[i].translation.x, p->world[i].translation.y, p->world[i].translation.z);
    for (int i = 0; i < p->scene->instance_count; ++i)
        add_corners(&c, p->scene, i, p->world, 1.0);
    for (size_t i = 0; i < c.count; ++i)
        stretch(&low, &high, c.at[3 * i], c.at[3 * i + 1], c.at[3 * i + 2]);
    free(c.at);
    return fmax(1e-300, fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)));
}

// --- clips

double start_of(const er_clip *clip)
{
    double start = 0.0;
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].path != ER_PATH_MORPH) start = fmin(start, clip->channel[i].time[0]);
    return start;
}

static void judge_clip(pair *p, const er_clip *clip, const er_clip *there)
{
    double start = start_of(clip);
    p->j.length = fmax(p->j.length, fabs(clip->duration - start - there->duration));
    for (int k = 0; k < TIMES; ++k) {
        double time = (clip->duration - start) * (k + 0.37) / TIMES; // no key, most likely
        pose_written(p->scene, clip, start + time, p->local, p->world);
        p->size = size_of(p);
        pose_written(p->back, there, time, p->local, p->there);
        p->j.motion = fmax(p->j.motion, nodes_error(p));
        p->j.skin = fmax(p->j.skin, meshes_error(p));
    }
}

bool is_written(const er_clip *clip)
{
    for (int i = 0; i < clip->channel_count; ++i)
        if (clip->channel[i].path != ER_PATH_MORPH) return true;
    return false;
}

// A clip's name, or its index where it has none; and a number behind it where others had it.
static bool same_name(const char *want, int index, const char *got)
{
    char unnamed[32];
    snprintf(unnamed, sizeof unnamed, "clip %d", index);
    if (want[0] == '\0') want = unnamed;
    size_t n = strlen(want);
    return strncmp(want, got, n) == 0 && (got[n] == '\0' || strncmp(got + n, " (", 2) == 0);
}

static void judge_clips(pair *p, int clip_count, const er_clip *clip)
{
    int next = 0;
    for (int i = 0; i < p->scene->clip_count + clip_count; ++i) {
        const er_clip *c = i < clip_count ? &clip[i] : &p->scene->clip[i - clip_count];
        if (!is_written(c)) continue;
        if (next == p->back->clip_count ||
            !same_name(c->name, i < clip_count ? i : i - clip_count, p->back->clip[next].name)) {
            wrong(p, "another or no clip stands for", c->name);
            return;
        }
        judge_clip(p, c, &p->back->clip[next++]);
    }
    if (next < p->back->clip_count) wrong(p, "there is a clip too many:", p->back->clip[next].name);
}

judgement judge(const er_scene *scene, int clip_count, const er_clip *clip, const er_scene *back)
{
    size_t most = (size_t)(scene->node_count > back->node_count ? scene->node_count : back->node_count);
    pair p = {.scene = scene,
              .back = back,
              .unit = back->metres_per_unit / scene->metres_per_unit,
              .to = room(most, sizeof(int)),
              .world = room(most, sizeof(er_affine)),
              .there = room(most, sizeof(er_affine)),
              .local = room(most, sizeof(er_affine))};
    match_nodes(&p);
    pose_written(scene, NULL, 0.0, p.local, p.world);
    pose_written(back, NULL, 0.0, p.local, p.there);
    p.size = size_of(&p);
    p.j.rest = nodes_error(&p);
    p.j.skin = meshes_error(&p);
    judge_clips(&p, clip_count, clip);
    if (er_v3_dot(scene->up, back->up) < 0.5) wrong(&p, "another up has", scene->path);
    free(p.to);
    free(p.world);
    free(p.there);
    free(p.local);
    return p.j;
}
