// Root motion's node: found among those above all bodies, or added between them and what is above.
#include "app/project/project_root.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/letters.h"

static bool is_below(const er_scene *scene, int node, int above)
{
    while (node >= 0 && node != above)
        node = scene->node[node].parent;
    return node == above;
}

static bool is_above_bodies(const er_recording_target *t, int node)
{
    for (int i = 0; i < t->scene->node_count; ++i)
        if (t->node_body[i] >= 0 && i != node && !is_below(t->scene, i, node)) return false;
    return true;
}

// Whether a mesh hangs on a node or follows it as a joint.
static bool bears_surface(const er_scene *scene, int node)
{
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_instance *drawn = &scene->instance[i];
        const er_mesh *mesh = &scene->mesh[drawn->mesh];
        if (drawn->skin < 0) {
            if (drawn->node == node) return true;
            continue;
        }
        const er_skin *skin = &scene->skin[drawn->skin];
        for (int k = 0; mesh->influence_start != NULL && k < mesh->influence_start[mesh->vertex_count]; ++k)
            if (skin->joint[mesh->influence_joint[k]] == node) return true;
    }
    return false;
}

// The lowest node of no body that is above all bodies; -1: none.
static int top_of_bodies(const er_recording_target *t)
{
    int top = -2;
    for (int i = 0; i < t->scene->node_count; ++i) {
        if (t->node_body[i] < 0) continue;
        int parent = t->scene->node[i].parent;
        if (top == -2) top = parent;
        while (top >= 0 && !is_below(t->scene, i, top))
            top = t->scene->node[top].parent;
    }
    while (top >= 0 && (t->node_body[top] >= 0 || !is_above_bodies(t, top)))
        top = t->scene->node[top].parent;
    return top < 0 ? -1 : top;
}

// --- memory that a target owns

struct project_rooted {
    project_rooted *next;
    max_align_t data[];
};

static void *add_block(er_context *context, project_rooted **list, size_t count, size_t size)
{
    project_rooted *block = calloc(1, sizeof *block + count * size);
    if (block == NULL) {
        eri_no_memory(context);
        return NULL;
    }
    block->next = *list;
    *list = block;
    return block->data;
}

void project_root_clear(project_rooted *rooted)
{
    while (rooted != NULL) {
        project_rooted *next = rooted->next;
        free(rooted);
        rooted = next;
    }
}

// Fails as a function that frees what `list` has.
#define TRY_NEW(pointer, w, count)                                                                                     \
    do {                                                                                                               \
        (pointer) = add_block((w)->context, &(w)->rooted, (size_t)(count), sizeof *(pointer));                         \
        if ((pointer) == NULL) return ER_ERROR_MEMORY;                                                                 \
    } while (0)

// --- a root that is added

typedef struct rooter {
    er_context *context;
    project_rooted *rooted;
    const er_recording_target *from;
    er_scene *scene;
    int top, place; // the node that the new one hangs on, -1 for none; and the new one
} rooter;

static int moved(const rooter *w, int node)
{
    return node >= w->place ? node + 1 : node;
}

// Whether some body is at a node or below it.
static bool carries_bodies(const er_recording_target *t, int node)
{
    for (int i = node; i < t->scene->node_count; ++i)
        if (t->node_body[i] >= 0 && is_below(t->scene, i, node)) return true;
    return false;
}

static er_result put_nodes(rooter *w, project_target *out)
{
    const er_scene *from = w->from->scene;
    size_t n = (size_t)from->node_count + 1;
    er_node *node;
    int *body;
    bool *keyed;
    er_affine *world;
    TRY_NEW(node, w, n);
    TRY_NEW(body, w, n);
    TRY_NEW(keyed, w, n);
    TRY_NEW(world, w, n);
    for (int i = 0; i < from->node_count; ++i) {
        int at = moved(w, i), parent = from->node[i].parent;
        node[at] = from->node[i];
        node[at].parent = parent == w->top && carries_bodies(w->from, i) ? w->place
                          : parent < 0                                   ? -1
                                                                         : moved(w, parent);
        body[at] = w->from->node_body[i];
        keyed[at] = w->from->keyed != NULL && w->from->keyed[i];
        world[at] = w->from->world[i];
    }
    node[w->place] = (er_node){
        .name = "root", .parent = w->top, .local = er_affine_identity(), .flags = ER_NODE_JOINT, .source_index = -1};
    body[w->place] = -1;
    world[w->place] = w->top >= 0 ? world[w->top] : er_affine_identity();
    if (from->format == ER_FORMAT_BVH) {
        const uint8_t six[6] = {ER_BVH_X_POSITION, ER_BVH_Y_POSITION, ER_BVH_Z_POSITION,
                                ER_BVH_Z_ROTATION, ER_BVH_X_ROTATION, ER_BVH_Y_ROTATION};
        node[w->place].channel_count = 6;
        memcpy(node[w->place].channels, six, sizeof six);
    }
    w->scene->node = node;
    w->scene->node_count = (int)n;
    out->target.node_body = body;
    out->target.world = world;
    out->target.keyed = w->from->keyed != NULL ? keyed : NULL;
    return ER_OK;
}

static er_result put_instances(rooter *w)
{
    const er_scene *from = w->from->scene;
    er_instance *instance;
    TRY_NEW(instance, w, from->instance_count);
    for (int i = 0; i < from->instance_count; ++i) {
        instance[i] = from->instance[i];
        instance[i].node = moved(w, instance[i].node);
    }
    w->scene->instance = instance;
    return ER_OK;
}

// The new root is the last joint of a skin, bound as it stands to the skin's first joint below it.
static er_result put_skin(rooter *w, const er_affine *world, const er_skin *from, er_skin *out)
{
    int *joint, first = -1;
    er_affine *bind;
    *out = *from;
    TRY_NEW(joint, w, from->joint_count + 1);
    TRY_NEW(bind, w, from->joint_count + 1);
    for (int k = 0; k < from->joint_count; ++k) {
        joint[k] = moved(w, from->joint[k]);
        bind[k] = from->inverse_bind[k];
        if (first < 0 && is_below(w->scene, joint[k], w->place)) first = k;
    }
    out->joint = joint;
    out->inverse_bind = bind;
    if (first < 0) return ER_OK;
    er_affine inverse = er_affine_inverse(world[w->place]);
    joint[from->joint_count] = w->place;
    bind[from->joint_count] = er_affine_mul(inverse, er_affine_mul(world[joint[first]], bind[first]));
    ++out->joint_count;
    return ER_OK;
}

static er_result put_clips(rooter *w)
{
    const er_scene *from = w->from->scene;
    er_clip *clip;
    TRY_NEW(clip, w, from->clip_count);
    for (int i = 0; i < from->clip_count; ++i) {
        er_channel *channel;
        clip[i] = from->clip[i];
        TRY_NEW(channel, w, clip[i].channel_count);
        for (int k = 0; k < clip[i].channel_count; ++k) {
            channel[k] = clip[i].channel[k];
            channel[k].node = moved(w, channel[k].node);
        }
        clip[i].channel = channel;
    }
    w->scene->clip = clip;
    return ER_OK;
}

static er_result make_scene(rooter *w, project_target *out)
{
    er_skin *skin;
    TRY_NEW(w->scene, w, 1);
    *w->scene = *w->from->scene;
    er_result r = put_nodes(w, out);
    if (r == ER_OK) r = put_instances(w);
    if (r != ER_OK) return r;
    TRY_NEW(skin, w, w->scene->skin_count);
    for (int i = 0; i < w->scene->skin_count && r == ER_OK; ++i)
        r = put_skin(w, out->target.world, &w->from->scene->skin[i], &skin[i]);
    w->scene->skin = skin;
    return r == ER_OK ? put_clips(w) : r;
}

static er_result add_root(er_context *context, project_target *target, int *node)
{
    const er_recording_target from = target->target;
    rooter w = {.context = context, .from = &from, .top = top_of_bodies(&from)};
    project_target out = *target;
    w.place = w.top + 1;
    er_result r = make_scene(&w, &out);
    if (r != ER_OK) {
        project_root_clear(w.rooted);
        return r;
    }
    out.target.scene = w.scene;
    out.rooted = w.rooted;
    *target = out;
    *node = w.place;
    return ER_OK;
}

// --- a node of the model

// Takes a node without surface away from its body, so that it can move by itself.
static er_result free_node(er_context *context, project_target *target, int node)
{
    size_t count = (size_t)target->target.scene->node_count;
    int *body = add_block(context, &target->rooted, count, sizeof *body);
    if (body == NULL) return ER_ERROR_MEMORY;
    memcpy(body, target->target.node_body, count * sizeof *body);
    body[node] = -1;
    target->target.node_body = body;
    return ER_OK;
}

er_result project_root_set(er_context *context, const char *name, project_target *target, int *node)
{
    const er_recording_target *t = &target->target;
    bool flat = strcmp(name, "flat") == 0, root = flat || strcmp(name, "root") == 0;
    int found = -1;
    for (int i = 0; i < t->scene->node_count && found < 0; ++i)
        if (flat ? eri_same_letters(t->scene->node[i].name, "root") && is_above_bodies(t, i) &&
                       !bears_surface(t->scene, i)
                 : strcmp(t->scene->node[i].name, name) == 0)
            found = i;
    if (found < 0 && root) return add_root(context, target, node);
    if (found < 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "root-motion: no node is called \"%s\"; \"root\" is added", name);
    if (!is_above_bodies(t, found) || bears_surface(t->scene, found))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "root-motion: node \"%s\" is a body, or is not above all bodies; \"flat\" uses or adds a root",
                       name);
    *node = found;
    return t->node_body[found] >= 0 ? free_node(context, target, found) : ER_OK;
}
