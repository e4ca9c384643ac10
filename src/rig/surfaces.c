// The meshes of a rig as surfaces whose vertices have weights of bones.
#include "rig/build.h"

// The bone of an influence's joint; the last index is for vertices of no bone.
static int influence_bone(const builder *b, const er_instance *instance, int joint)
{
    int bone = b->owner[b->scene->skin[instance->skin].joint[joint]];
    return bone >= 0 ? bone : b->scene->node_count;
}

bool eri_rig_drawn_on_bones(const builder *b, const er_instance *instance)
{
    if (instance->skin < 0) return b->owner[instance->node] >= 0;
    const er_mesh *mesh = &b->scene->mesh[instance->mesh];
    for (int k = 0; mesh->influence_start != NULL && k < mesh->influence_start[mesh->vertex_count]; ++k)
        if (influence_bone(b, instance, mesh->influence_joint[k]) < b->scene->node_count) return true;
    return false;
}

typedef struct surface_builder {
    int vertices, triangles, influences; // filled so far
    double *position;
    int *index, *start, *body;
    double *weight;
} surface_builder;

// In file units, so that the cells of the solid do not depend on the scale.
static void append_instance(const builder *b, const er_affine *world, int which, surface_builder *out)
{
    const er_instance *instance = &b->scene->instance[which];
    const er_mesh *mesh = &b->scene->mesh[instance->mesh];
    int base = out->vertices, nobody = b->scene->node_count;
    double *position = out->position + 3 * (size_t)base;
    er_scene_skin(b->scene, which, world, position);
    bool skinned = instance->skin >= 0 && mesh->influence_start != NULL;
    for (int v = 0; v < mesh->vertex_count; ++v) {
        int first = skinned ? mesh->influence_start[v] : 0, last = skinned ? mesh->influence_start[v + 1] : 0;
        for (int k = first; k < last; ++k) {
            out->body[out->influences] = influence_bone(b, instance, mesh->influence_joint[k]);
            out->weight[out->influences++] = (double)mesh->influence_weight[k];
        }
        if (first == last) {
            out->body[out->influences] = b->owner[instance->node] >= 0 ? b->owner[instance->node] : nobody;
            out->weight[out->influences++] = 1.0;
        }
        out->start[base + v + 1] = out->influences;
    }
    for (int t = 0; t < 3 * mesh->triangle_count; ++t)
        out->index[3 * out->triangles + t] = base + mesh->index[t];
    out->vertices += mesh->vertex_count;
    out->triangles += mesh->triangle_count;
}

// All meshes of one node bound one solid: importers split a surface by material.
//   @param first  the node's first instance, -1 for none
//   @param next   [instance_count], the next of the same node
static er_result surface_of_node(builder *b, const er_affine *world, int first, const int *next, eri_skin_surface *out)
{
    er_result r = ER_OK;
    const er_scene *s = b->scene;
    size_t vertices = 0, triangles = 0, influences = 0;
    *out = (eri_skin_surface){0};
    for (int i = first; i >= 0; i = next[i]) {
        const er_mesh *mesh = &s->mesh[s->instance[i].mesh];
        if (!eri_rig_drawn_on_bones(b, &s->instance[i])) continue;
        vertices += (size_t)mesh->vertex_count;
        triangles += (size_t)mesh->triangle_count;
        influences += (size_t)mesh->vertex_count;
        if (mesh->influence_start != NULL) influences += (size_t)mesh->influence_start[mesh->vertex_count];
    }
    if (vertices == 0) return ER_OK;
    surface_builder fill = {0};
    ERI_TRY_NEW(fill.position, b->scratch, double, 3 * vertices);
    ERI_TRY_NEW(fill.index, b->scratch, int, 3 * triangles);
    ERI_TRY_NEW(fill.start, b->scratch, int, vertices + 1);
    ERI_TRY_NEW(fill.body, b->scratch, int, influences);
    ERI_TRY_NEW(fill.weight, b->scratch, double, influences);
    for (int i = first; i >= 0; i = next[i])
        if (eri_rig_drawn_on_bones(b, &s->instance[i])) append_instance(b, world, i, &fill);
    *out = (eri_skin_surface){fill.vertices, fill.position, fill.triangles, fill.index,
                              fill.start,    fill.body,     fill.weight};
done:
    return r;
}

er_result eri_rig_surfaces(builder *b, const er_affine *world, eri_skin_surface **out, int *count, int **node)
{
    er_result r = ER_OK;
    int *first, *next;
    *count = 0;
    if (node != NULL) ERI_TRY_NEW(*node, b->scratch, int, b->scene->node_count);
    ERI_TRY_NEW(*out, b->scratch, eri_skin_surface, b->scene->node_count);
    ERI_TRY_NEW(first, b->scratch, int, b->scene->node_count);
    ERI_TRY_NEW(next, b->scratch, int, b->scene->instance_count);
    for (int i = 0; i < b->scene->node_count; ++i)
        first[i] = -1;
    for (int i = b->scene->instance_count - 1; i >= 0; --i) { // backwards, so that lists begin with their first
        next[i] = first[b->scene->instance[i].node];
        first[b->scene->instance[i].node] = i;
    }
    for (int i = 0; i < b->scene->node_count; ++i) {
        eri_skin_surface surface = {0};
        if (first[i] >= 0) ERI_TRY(surface_of_node(b, world, first[i], next, &surface));
        if (surface.triangle_count == 0) continue;
        if (node != NULL) (*node)[*count] = i;
        (*out)[(*count)++] = surface;
    }
done:
    return r;
}
