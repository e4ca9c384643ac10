// Spring bones of VRM, read from a glTF source and put into a document. Source: VRMC_springBone 1.0 and VRM 0.0
// (secondaryAnimation), VRM Consortium.
#include "formats/gltf/gltf_springs.h"

#include <math.h>

#include <eigenrig/formats.h>

#include "base/arena.h"

#define VRM_0_TAIL 0.07 // file units: bones without children end so far on in VRM 0
#define SAME_PLACE 1e-3 // of a bone's length

static json_t *extension(const json_t *root, const char *name)
{
    return json_object_get(json_object_get(root, "extensions"), name);
}

// ---- Reading

typedef struct spring_reader {
    er_arena *arena;
    const er_scene *scene;
    int *node_at; // [document_count], nodes of the scene; -1: none
    int document_count;
    er_affine *world; // [node_count]
    er_spring_bones *out;
    er_spring_chain *chain;
    er_spring_collider *collider;
    int *first_collider; // [group_count + 1], of VRM 0: colliders of a group
    int group_count;
} spring_reader;

static int node_of(const spring_reader *s, const json_t *value)
{
    json_int_t i = json_is_integer(value) ? json_integer_value(value) : -1;
    return i >= 0 && i < s->document_count ? s->node_at[i] : -1;
}

static double number_of(const json_t *object, const char *key, double usual, double least, double most)
{
    const json_t *value = json_object_get(object, key);
    double x = json_is_number(value) ? json_number_value(value) : usual;
    return x >= least && x <= most ? x : usual;
}

static er_vec3 vector_of(const json_t *v, er_vec3 usual)
{
    er_vec3 out = usual;
    if (json_is_array(v) && json_array_size(v) == 3)
        out = er_v3(json_number_value(json_array_get(v, 0)), json_number_value(json_array_get(v, 1)),
                    json_number_value(json_array_get(v, 2)));
    else if (json_is_object(v))
        out = er_v3(json_number_value(json_object_get(v, "x")), json_number_value(json_object_get(v, "y")),
                    json_number_value(json_object_get(v, "z")));
    return er_v3_finite(out) ? out : usual;
}

static er_spring_joint joint_of(const json_t *told, const char *stiffness, double drag, int node, er_vec3 tail)
{
    return (er_spring_joint){
        .node = node,
        .tail = tail,
        .stiffness = number_of(told, stiffness, 1.0, 0.0, 1e9),
        .drag = number_of(told, "dragForce", drag, 0.0, 1.0),
        .gravity_power = number_of(told, "gravityPower", 0.0, -1e9, 1e9),
        .gravity_direction = vector_of(json_object_get(told, "gravityDir"), er_v3(0, -1, 0)),
        .hit_radius = number_of(told, "hitRadius", 0.0, 0.0, 1e9),
    };
}

static er_vec3 inside(const spring_reader *s, int node, er_vec3 at)
{
    er_vec3 p = er_affine_point(er_affine_inverse(s->world[node]), at);
    return er_v3_finite(p) ? p : er_v3(0, 0, 0);
}

static er_result add_chain(spring_reader *s, const json_t *name, const json_t *center, int count,
                           const er_spring_joint *joint)
{
    er_spring_chain *chain = &s->chain[s->out->chain_count];
    if (count == 0) return ER_OK;
    *chain = (er_spring_chain){.joint_count = count, .joint = joint, .center = node_of(s, center)};
    chain->name = eri_arena_string(s->arena, json_string_value(name));
    if (chain->name == NULL) return ER_ERROR_MEMORY;
    ++s->out->chain_count;
    return ER_OK;
}

static er_result read_line(spring_reader *s, const json_t *spring)
{
    er_result r = ER_OK;
    const json_t *joints = json_object_get(spring, "joints");
    size_t all = json_array_size(joints);
    er_spring_joint *joint;
    int count = 0;
    ERI_TRY_NEW(joint, s->arena, er_spring_joint, all);
    for (size_t i = 0; i + 1 < all; ++i) {
        const json_t *told = json_array_get(joints, i);
        int node = node_of(s, json_object_get(told, "node"));
        int next = node_of(s, json_object_get(json_array_get(joints, i + 1), "node"));
        if (node < 0 || next < 0) continue;
        joint[count++] = joint_of(told, "stiffness", 0.5, node, inside(s, node, s->world[next].translation));
    }
    r = add_chain(s, json_object_get(spring, "name"), json_object_get(spring, "center"), count, joint);
done:
    return r;
}

static er_result read_tree(spring_reader *s, const json_t *group, int root)
{
    er_result r = ER_OK;
    const er_scene *scene = s->scene;
    er_spring_joint *joint;
    bool *below;
    int count = 0;
    ERI_TRY_NEW(joint, s->arena, er_spring_joint, scene->node_count - root);
    ERI_TRY_NEW(below, s->arena, bool, scene->node_count);
    below[root] = true;
    for (int n = root; n < scene->node_count; ++n) {
        int parent = scene->node[n].parent;
        below[n] |= parent >= root && below[parent];
        if (!below[n]) continue;
        er_vec3 way = er_v3_unit(scene->node[n].local.translation, er_v3(0, 0, 0));
        joint[count++] = joint_of(group, "stiffiness", 0.4, n, er_v3_scale(VRM_0_TAIL, way));
    }
    for (int i = count - 1; i > 0; --i) { // the first child comes last, and stays
        int n = joint[i].node, parent = scene->node[n].parent;
        for (int k = 0; k < i; ++k)
            if (joint[k].node == parent) joint[k].tail = inside(s, parent, s->world[n].translation);
    }
    r = add_chain(s, json_object_get(group, "comment"), json_object_get(group, "center"), count, joint);
done:
    return r;
}

static er_spring_collider collider_of(int node, er_vec3 from, er_vec3 to, const json_t *shape)
{
    return (er_spring_collider){node, from, to, number_of(shape, "radius", 0.0, 0.0, 1e9)};
}

static er_result read_vrm_1(spring_reader *s, const json_t *told)
{
    er_result r = ER_OK;
    const json_t *colliders = json_object_get(told, "colliders"), *springs = json_object_get(told, "springs"), *value;
    size_t i;
    s->out->version = 1;
    ERI_TRY_NEW(s->chain, s->arena, er_spring_chain, json_array_size(springs));
    ERI_TRY_NEW(s->collider, s->arena, er_spring_collider, json_array_size(colliders));
    json_array_foreach(colliders, i, value)
    {
        const json_t *shape = json_object_get(value, "shape"), *sphere = json_object_get(shape, "sphere");
        const json_t *one = sphere != NULL ? sphere : json_object_get(shape, "capsule");
        er_vec3 from = vector_of(json_object_get(one, "offset"), er_v3(0, 0, 0));
        er_vec3 to = sphere != NULL ? from : vector_of(json_object_get(one, "tail"), from);
        int node = node_of(s, json_object_get(value, "node"));
        if (node >= 0) s->collider[s->out->collider_count++] = collider_of(node, from, to, one);
    }
    json_array_foreach(springs, i, value) ERI_TRY(read_line(s, value));
done:
    return r;
}

static er_result read_vrm_0(spring_reader *s, const json_t *told)
{
    er_result r = ER_OK;
    const json_t *groups = json_object_get(told, "boneGroups"), *sets = json_object_get(told, "colliderGroups");
    const json_t *group, *set, *value;
    size_t i, k, roots = 0, spheres = 0;
    s->out->version = 0;
    json_array_foreach(groups, i, group) roots += json_array_size(json_object_get(group, "bones"));
    json_array_foreach(sets, i, set) spheres += json_array_size(json_object_get(set, "colliders"));
    ERI_TRY_NEW(s->chain, s->arena, er_spring_chain, roots);
    ERI_TRY_NEW(s->collider, s->arena, er_spring_collider, spheres);
    json_array_foreach(sets, i, set) json_array_foreach(json_object_get(set, "colliders"), k, value)
    {
        er_vec3 at = vector_of(json_object_get(value, "offset"), er_v3(0, 0, 0));
        int node = node_of(s, json_object_get(set, "node"));
        at.z = -at.z; // VRM 0 has these in left-handed axes
        if (node >= 0) s->collider[s->out->collider_count++] = collider_of(node, at, at, value);
    }
    json_array_foreach(groups, i, group) json_array_foreach(json_object_get(group, "bones"), k, value)
    {
        int root = node_of(s, value);
        if (root >= 0) ERI_TRY(read_tree(s, group, root));
    }
done:
    return r;
}

static er_result index_nodes(spring_reader *s, const json_t *root)
{
    er_result r = ER_OK;
    er_affine *local;
    s->document_count = (int)json_array_size(json_object_get(root, "nodes"));
    ERI_TRY_NEW(s->node_at, s->arena, int, s->document_count);
    ERI_TRY_NEW(local, s->arena, er_affine, s->scene->node_count);
    ERI_TRY_NEW(s->world, s->arena, er_affine, s->scene->node_count);
    for (int i = 0; i < s->document_count; ++i)
        s->node_at[i] = -1;
    for (int n = 0; n < s->scene->node_count; ++n) {
        int at = s->scene->node[n].source_index;
        if (at >= 0 && at < s->document_count) s->node_at[at] = n;
    }
    er_scene_sample(s->scene, NULL, 0.0, local);
    er_scene_world(s->scene, local, s->world);
done:
    return r;
}

er_result er_spring_bones_read(er_context *context, const er_scene *scene, er_spring_bones **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_spring_bones_read needs a scene");
    er_result r = ER_OK;
    spring_reader s = {.scene = scene};
    eri_gltf_document document = {0};
    ERI_TRY(eri_arena_create(context, &s.arena));
    ERI_TRY_NEW(s.out, s.arena, er_spring_bones, 1);
    *s.out = (er_spring_bones){.version = 1, .arena = s.arena};
    if (scene->format == ER_FORMAT_GLTF && scene->source != NULL) {
        eri_gltf_start(&document, s.arena, scene->path, true);
        ERI_TRY(eri_gltf_load(&document, scene->path, scene->source));
        const json_t *one = extension(document.root, "VRMC_springBone"), *zero = extension(document.root, "VRM");
        ERI_TRY(index_nodes(&s, document.root));
        if (json_is_object(one))
            ERI_TRY(read_vrm_1(&s, one));
        else if (json_is_object(zero))
            ERI_TRY(read_vrm_0(&s, json_object_get(zero, "secondaryAnimation")));
    }
    s.out->chain = s.chain;
    s.out->collider = s.collider;
    *out = s.out;
    s.arena = NULL;
done:
    eri_gltf_finish(&document);
    eri_arena_destroy(s.arena);
    return r;
}

// ---- Writing

typedef struct spring_writer {
    eri_gltf_document *document;
    const er_scene *scene;
    double unit;  // of the written world in file units
    er_quat turn; // from the file's axes to the written world's
} spring_writer;

static int index_of(const spring_writer *w, int node)
{
    return w->scene->format == ER_FORMAT_GLTF ? w->scene->node[node].source_index : node;
}

// A node at the tail of a chain's last joint: a child that is there, or a new one.
static int tail_node(const spring_writer *w, const er_spring_joint *joint)
{
    const er_scene *scene = w->scene;
    for (int n = joint->node + 1; n < scene->node_count; ++n)
        if (scene->node[n].parent == joint->node && index_of(w, n) >= 0 &&
            er_v3_distance(scene->node[n].local.translation, joint->tail) <= SAME_PLACE * er_v3_norm(joint->tail))
            return index_of(w, n);
    int index;
    json_t *above = eri_gltf_at(w->document, "nodes", index_of(w, joint->node));
    json_t *node = eri_gltf_new(w->document, "nodes", &index);
    char *name = eri_arena_printf(w->document->arena, "%s end", scene->node[joint->node].name);
    if (name != NULL) eri_gltf_put_text(w->document, node, "name", name);
    eri_gltf_put_numbers(w->document, node, "translation", (double[]){joint->tail.x, joint->tail.y, joint->tail.z}, 3);
    eri_gltf_push(w->document, eri_gltf_list(w->document, above, "children"), json_integer(index));
    return index;
}

static er_vec3 gravity_of(const spring_writer *w, const er_spring_joint *joint)
{
    return er_q_rotate(w->turn, joint->gravity_direction);
}

static bool holds_node(const json_t *spring, int index)
{
    const json_t *joint;
    size_t i;
    json_array_foreach(json_object_get(spring, "joints"), i, joint)
    {
        const json_t *node = json_object_get(joint, "node");
        if (json_is_integer(node) && json_integer_value(node) == index) return true;
    }
    return false;
}

// Takes the first spring out of which a chain's nodes are, so that none is in two. NULL: none.
static json_t *take_old(const spring_writer *w, json_t *springs, const er_spring_chain *chain)
{
    json_t *old = NULL;
    for (size_t i = 0; i < json_array_size(springs);) {
        json_t *spring = json_array_get(springs, i);
        bool held = false;
        for (int k = 0; k < chain->joint_count; ++k)
            held |= holds_node(spring, index_of(w, chain->joint[k].node));
        if (held && old == NULL) old = json_incref(spring);
        if (held)
            json_array_remove(springs, i);
        else
            ++i;
    }
    return old;
}

static const json_t *old_joint(const json_t *old, int index)
{
    const json_t *joint;
    size_t i;
    json_array_foreach(json_object_get(old, "joints"), i, joint)
    {
        const json_t *node = json_object_get(joint, "node");
        if (json_is_integer(node) && json_integer_value(node) == index) return joint;
    }
    return NULL;
}

static void put_joint(const spring_writer *w, json_t *list, const er_spring_joint *joint, const json_t *old)
{
    json_t *told = eri_gltf_push(w->document, list, json_object());
    int index = index_of(w, joint->node);
    const json_t *hit = json_object_get(old_joint(old, index), "hitRadius");
    er_vec3 down = gravity_of(w, joint);
    eri_gltf_put(w->document, told, "node", json_integer(index));
    eri_gltf_put(w->document, told, "hitRadius",
                 json_real(json_is_number(hit) ? json_number_value(hit) : w->unit * joint->hit_radius));
    eri_gltf_put(w->document, told, "stiffness", json_real(w->unit * joint->stiffness));
    eri_gltf_put(w->document, told, "gravityPower", json_real(w->unit * joint->gravity_power));
    eri_gltf_put_numbers(w->document, told, "gravityDir", (double[]){down.x, down.y, down.z}, 3);
    eri_gltf_put(w->document, told, "dragForce", json_real(joint->drag));
}

static void put_line(const spring_writer *w, json_t *springs, const er_spring_chain *chain)
{
    json_t *old = take_old(w, springs, chain), *told = eri_gltf_push(w->document, springs, json_object());
    eri_gltf_put_text(w->document, told, "name", chain->name);
    json_t *joints = eri_gltf_put(w->document, told, "joints", json_array());
    for (int i = 0; i < chain->joint_count; ++i)
        put_joint(w, joints, &chain->joint[i], old);
    int tail = tail_node(w, &chain->joint[chain->joint_count - 1]);
    eri_gltf_put(w->document, eri_gltf_push(w->document, joints, json_object()), "node", json_integer(tail));
    for (const char *const *key = (const char *const[]){"colliderGroups", "center", NULL}; *key != NULL; ++key) {
        json_t *value = json_object_get(old, *key);
        if (value != NULL) eri_gltf_put(w->document, told, *key, json_incref(value));
    }
    json_decref(old);
}

static void put_vrm_1(const spring_writer *w, const er_spring_bones *bones)
{
    eri_gltf_document *d = w->document;
    json_t *extensions = json_object_get(d->root, "extensions");
    if (!json_is_object(extensions)) extensions = eri_gltf_put(d, d->root, "extensions", json_object());
    json_t *told = json_object_get(extensions, "VRMC_springBone"), *used = eri_gltf_list(d, d->root, "extensionsUsed");
    if (!json_is_object(told)) {
        told = eri_gltf_put(d, extensions, "VRMC_springBone", json_object());
        eri_gltf_put(d, told, "specVersion", json_string("1.0"));
        eri_gltf_push(d, used, json_string("VRMC_springBone"));
    }
    json_t *springs = eri_gltf_list(d, told, "springs");
    for (int i = 0; i < bones->chain_count && eri_gltf_check(d) == ER_OK; ++i)
        put_line(w, springs, &bones->chain[i]);
}

// Takes a root out of the groups of VRM 0. The result is a copy of its group, or NULL.
static json_t *take_root(const spring_writer *w, json_t *groups, int root)
{
    json_t *group, *bone, *copy = NULL;
    size_t i, k;
    json_array_foreach(groups, i, group) json_array_foreach(json_object_get(group, "bones"), k, bone)
    {
        json_int_t index = json_is_integer(bone) ? json_integer_value(bone) : -1;
        int node = root;
        while (node >= 0 && index_of(w, node) != index)
            node = w->scene->node[node].parent;
        if (node < 0) continue;
        if (node != root) {
            eri_gltf_fail(w->document, ER_ERROR_ARGUMENT,
                          "%s: cannot be written: \"%s\" swings with \"%s\" already, a spring bone of the file; make "
                          "that loose too",
                          w->document->path, w->scene->node[root].name, w->scene->node[node].name);
            return copy;
        }
        json_array_remove(json_object_get(group, "bones"), k--);
        if (copy == NULL) copy = json_copy(group);
    }
    return copy;
}

static void put_tree(const spring_writer *w, json_t *groups, const er_spring_chain *chain)
{
    const er_spring_joint *root = &chain->joint[0];
    eri_gltf_document *d = w->document;
    json_t *told = take_root(w, groups, root->node);
    bool known = told != NULL;
    told = eri_gltf_push(d, groups, known ? told : json_object());
    er_vec3 down = gravity_of(w, root);
    eri_gltf_put(d, told, "stiffiness", json_real(w->unit * root->stiffness)); // so spelt in VRM 0
    eri_gltf_put(d, told, "dragForce", json_real(root->drag));
    eri_gltf_put(d, told, "gravityPower", json_real(w->unit * root->gravity_power));
    json_t *way = eri_gltf_put(d, told, "gravityDir", json_object());
    eri_gltf_put(d, way, "x", json_real(down.x));
    eri_gltf_put(d, way, "y", json_real(down.y));
    eri_gltf_put(d, way, "z", json_real(down.z));
    if (!known) {
        eri_gltf_put_text(d, told, "comment", chain->name);
        eri_gltf_put(d, told, "hitRadius", json_real(w->unit * root->hit_radius));
        eri_gltf_put(d, told, "center", json_integer(-1));
        eri_gltf_put(d, told, "colliderGroups", json_array());
    }
    json_t *bones = eri_gltf_put(d, told, "bones", json_array());
    eri_gltf_push(d, bones, json_integer(index_of(w, root->node)));
}

static void put_vrm_0(const spring_writer *w, const er_spring_bones *bones)
{
    eri_gltf_document *d = w->document;
    json_t *vrm = extension(d->root, "VRM"), *told = json_object_get(vrm, "secondaryAnimation");
    if (!json_is_object(told)) told = eri_gltf_put(d, vrm, "secondaryAnimation", json_object());
    json_t *groups = eri_gltf_list(d, told, "boneGroups");
    for (int i = 0; i < bones->chain_count && eri_gltf_check(d) == ER_OK; ++i)
        put_tree(w, groups, &bones->chain[i]);
}

void eri_gltf_put_springs(eri_gltf_document *document, const er_scene *scene, const er_spring_bones *bones)
{
    bool same = scene->format == ER_FORMAT_GLTF;
    const spring_writer w = {document, scene, same ? 1.0 : scene->metres_per_unit,
                             same ? er_q_identity() : er_q_upright(scene->up)};
    if (bones->version == 0)
        put_vrm_0(&w, bones);
    else
        put_vrm_1(&w, bones);
}
