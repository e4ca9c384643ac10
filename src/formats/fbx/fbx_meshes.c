// Geometries, skins and clusters.
#include <string.h>

#include "formats/fbx/fbx_writer.h"

// A Geometry that is written, of meshes that are drawn rigidly: it may be drawn again.
typedef struct morph_shape {
    struct morph_shape *next; // with the same first mesh
    const eri_fbx_draw *draw;
    int64_t id;
} morph_shape;

// The influences of a skin's joint on the vertices of a Geometry.
typedef struct cluster {
    int *vertex;    // [count]
    double *weight; // [count]
    int count;
} cluster;

// --- planning

#define SAME_PLACE 1e-6 // relative; rounding of a file's 32-bit floats

// Where a Model stands on another, or on the root (NONE); whether translation, rotation and scale lead there.
static bool stand_on(const eri_fbx_writer *w, int node, er_affine world, eri_trs *place)
{
    er_affine base = node != ERI_FBX_NONE ? w->world[node] : er_affine_identity(), inverse;
    if (!eri_affine_invert(base, &inverse)) return false;
    *place = eri_trs_from_affine(er_affine_mul(inverse, world));
    er_affine local = er_affine_from_trs(place->translation, place->rotation, place->scale);
    return eri_affine_near(er_affine_mul(base, local), world, SAME_PLACE);
}

// Places the Model that draws a skin where its clusters have it, TransformLink x Transform: the node's own, or one
// below it, or, where the node's own went with another skin, one below the root.
//   @param draw  the last of its node's draws
static void place_skinned(const eri_fbx_writer *w, eri_fbx_draw *draw)
{
    const eri_fbx_draw *first = draw;
    while (first > w->draw && first[-1].node == draw->node)
        --first;
    er_affine bind = w->mesh_bind[draw->skin];
    if (!draw->apart && eri_affine_near(w->world[draw->node], bind, SAME_PLACE)) return;
    if (!draw->apart && stand_on(w, w->scene->node[draw->node].parent, bind, &draw->place)) return;
    draw->apart = true;
    bool nests = first != draw && first->skin != ERI_FBX_NONE && !first->apart;
    draw->at_root = nests || !stand_on(w, draw->node, bind, &draw->place);
    if (draw->at_root) stand_on(w, ERI_FBX_NONE, bind, &draw->place);
}

er_result eri_fbx_plan_draws(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    const er_scene *scene = writer->scene;
    er_arena *arena = writer->document->arena;
    const er_instance *instance = scene->instance;
    int *order = NULL;
    bool *parent = NULL;
    ERI_TRY_NEW(order, arena, int, scene->instance_count);
    ERI_TRY_NEW(parent, arena, bool, scene->node_count);
    ERI_TRY_NEW(writer->draw, arena, eri_fbx_draw, scene->instance_count);
    for (int i = 0; i < scene->node_count; ++i)
        if (scene->node[i].parent != ERI_FBX_NONE) parent[scene->node[i].parent] = true;
    int count = eri_scene_draws(scene, order);
    for (int i = 0; i < count; ++i) {
        const er_instance *one = &instance[order[i]];
        eri_fbx_draw *last = writer->draw_count > 0 ? &writer->draw[writer->draw_count - 1] : NULL;
        bool again = last != NULL && last->node == one->node;
        if (again && last->skin == one->skin) {
            ++last->count;
            continue;
        }
        // Blender moves a skinned mesh to its armature: what hangs on it would go along, its keys would move it again
        bool moved = one->skin != ERI_FBX_NONE && (parent[one->node] || writer->keyed[one->node] != 0);
        eri_fbx_draw *draw = &writer->draw[writer->draw_count++];
        *draw = (eri_fbx_draw){.node = one->node,
                               .skin = one->skin,
                               .order = order + i,
                               .count = 1,
                               .apart = again || writer->limb[one->node] || moved,
                               .place = {.rotation = er_q_identity(), .scale = {1, 1, 1}}};
        if (!draw->apart) draw->place = writer->rest[one->node];
        if (one->skin != ERI_FBX_NONE) place_skinned(writer, draw);
    }
done:
    return r;
}

static const er_mesh *mesh_of(const eri_fbx_writer *w, const eri_fbx_draw *draw, int i)
{
    return &w->scene->mesh[w->scene->instance[draw->order[i]].mesh];
}

static bool same_meshes(const eri_fbx_writer *w, const eri_fbx_draw *a, const eri_fbx_draw *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; ++i)
        same = mesh_of(w, a, i) == mesh_of(w, b, i);
    return same;
}

// --- geometry

// A layer of values: one for each vertex, and for each corner which.
static void put_layer(eri_fbx_document *d, const char *layer, const char *values, const char *indices,
                      const double *value, size_t value_count, const int *corner, size_t corner_count)
{
    eri_fbx_open(d, layer);
    eri_fbx_add_int(d, 0);
    eri_fbx_put_int(d, "Version", 101);
    eri_fbx_put_text(d, "Name", "");
    eri_fbx_put_text(d, "MappingInformationType", "ByPolygonVertex");
    eri_fbx_put_text(d, "ReferenceInformationType", "IndexToDirect");
    eri_fbx_put_doubles(d, values, value, value_count);
    eri_fbx_open(d, indices);
    eri_fbx_add_ints(d, corner, corner_count);
    eri_fbx_close(d);
    eri_fbx_close(d);
}

// Meshes one after another.
typedef struct pile {
    const eri_fbx_writer *w;
    const eri_fbx_draw *draw;
    size_t vertex_count, triangle_count;
    double *value;   // [4 vertex_count], room for one layer
    int *corner;     // [3 triangle_count], vertices
    int *slot;       // [triangle_count], which of the Model's materials
    int64_t *picked; // [slot_count], those materials
    int slot_count;
} pile;

typedef const float *(*attribute)(const er_mesh *mesh);

static const float *positions(const er_mesh *mesh)
{
    return mesh->position;
}

static const float *normals(const er_mesh *mesh)
{
    return mesh->normal;
}

static const float *uvs(const er_mesh *mesh)
{
    return mesh->uv;
}

static const float *colors(const er_mesh *mesh)
{
    return mesh->color;
}

// Fills `value` with an attribute of n numbers; `fallback` stands where a mesh lacks it. False where all lack it.
static bool fill(pile *p, attribute of, size_t n, const double *fallback)
{
    bool any = false;
    double *out = p->value;
    for (int i = 0; i < p->draw->count; ++i) {
        const er_mesh *mesh = mesh_of(p->w, p->draw, i);
        const float *in = of(mesh);
        any = any || in != NULL;
        for (size_t k = 0; k < n * (size_t)mesh->vertex_count; ++k)
            *out++ = in != NULL ? (double)in[k] : fallback[k % n];
    }
    return any;
}

// Unit normals; one that has no direction gets +Y.
static void make_unit(pile *p)
{
    for (size_t i = 0; i < p->vertex_count; ++i) {
        double *v = p->value + 3 * i;
        er_vec3 n = er_v3_unit(er_v3(v[0], v[1], v[2]), er_v3(0, 1, 0));
        v[0] = n.x, v[1] = n.y, v[2] = n.z;
    }
}

static void put_layers(pile *p)
{
    static const double none[3] = {0, 0, 0}, white[4] = {1, 1, 1, 1};
    eri_fbx_document *d = p->w->document;
    size_t n = p->vertex_count, corners = 3 * p->triangle_count;
    bool has_normals = fill(p, normals, 3, none);
    if (has_normals) {
        make_unit(p);
        put_layer(d, "LayerElementNormal", "Normals", "NormalsIndex", p->value, 3 * n, p->corner, corners);
    }
    bool has_uvs = fill(p, uvs, 2, none);
    for (size_t i = 0; i < n; ++i)
        p->value[2 * i + 1] = 1.0 - p->value[2 * i + 1]; // upwards
    if (has_uvs) put_layer(d, "LayerElementUV", "UV", "UVIndex", p->value, 2 * n, p->corner, corners);
    bool has_colors = fill(p, colors, 4, white);
    if (has_colors) put_layer(d, "LayerElementColor", "Colors", "ColorIndex", p->value, 4 * n, p->corner, corners);
    eri_fbx_open(d, "LayerElementMaterial");
    eri_fbx_add_int(d, 0);
    eri_fbx_put_int(d, "Version", 101);
    eri_fbx_put_text(d, "Name", "");
    eri_fbx_put_text(d, "MappingInformationType", p->slot_count > 1 ? "ByPolygon" : "AllSame");
    eri_fbx_put_text(d, "ReferenceInformationType", "IndexToDirect");
    eri_fbx_open(d, "Materials");
    eri_fbx_add_ints(d, p->slot, p->slot_count > 1 ? p->triangle_count : 1);
    eri_fbx_close(d);
    eri_fbx_close(d);
    const struct {
        bool has;
        const char *type;
    } layers[] = {{has_normals, "LayerElementNormal"},
                  {has_uvs, "LayerElementUV"},
                  {has_colors, "LayerElementColor"},
                  {true, "LayerElementMaterial"}};
    eri_fbx_open(d, "Layer");
    eri_fbx_add_int(d, 0);
    eri_fbx_put_int(d, "Version", 100);
    for (size_t i = 0; i < ERI_COUNT(layers); ++i) {
        if (!layers[i].has) continue;
        eri_fbx_open(d, "LayerElement");
        eri_fbx_put_text(d, "Type", layers[i].type);
        eri_fbx_put_int(d, "TypedIndex", 0);
        eri_fbx_close(d);
    }
    eri_fbx_close(d);
}

// A Model's material for a mesh: each is connected once.
static int slot_of(pile *p, const er_mesh *mesh)
{
    int index = mesh->material != ERI_FBX_NONE ? mesh->material : p->w->scene->material_count;
    int64_t material = p->w->material[index];
    int slot = 0;
    while (slot < p->slot_count && p->picked[slot] != material)
        ++slot;
    if (slot == p->slot_count) p->picked[p->slot_count++] = material;
    return slot;
}

static er_result fill_pile(pile *p)
{
    er_result r = ER_OK;
    er_arena *arena = p->w->document->arena;
    const eri_fbx_draw *draw = p->draw;
    for (int i = 0; i < draw->count; ++i) {
        p->vertex_count += (size_t)mesh_of(p->w, draw, i)->vertex_count;
        p->triangle_count += (size_t)mesh_of(p->w, draw, i)->triangle_count;
    }
    if (p->vertex_count > INT32_MAX / 4 || p->triangle_count > INT32_MAX / 4)
        return er_fail(eri_arena_context(arena), ER_ERROR_FILE,
                       "%s: cannot be written: the meshes of node %d have %zu triangles; use a smaller model",
                       p->w->document->path, draw->node, p->triangle_count);
    ERI_TRY_RESERVE(p->value, arena, double, 4 * p->vertex_count);
    ERI_TRY_RESERVE(p->corner, arena, int, 3 * p->triangle_count);
    ERI_TRY_RESERVE(p->slot, arena, int, p->triangle_count);
    ERI_TRY_NEW(p->picked, arena, int64_t, draw->count);
    int *corner = p->corner, *slot = p->slot, base = 0;
    for (int i = 0; i < draw->count; ++i) {
        const er_mesh *mesh = mesh_of(p->w, draw, i);
        int material = slot_of(p, mesh);
        for (int k = 0; k < 3 * mesh->triangle_count; ++k)
            *corner++ = base + mesh->index[k];
        for (int k = 0; k < mesh->triangle_count; ++k)
            *slot++ = material;
        base += mesh->vertex_count;
    }
done:
    return r;
}

// Vertices without influences stay with the node, whose place is not their Model's.
static void carry_loose(pile *p)
{
    er_affine inverse;
    const eri_fbx_draw *draw = p->draw;
    if (draw->skin == ERI_FBX_NONE || !eri_affine_invert(p->w->mesh_bind[draw->skin], &inverse)) return;
    er_affine carry = er_affine_mul(inverse, p->w->world[draw->node]);
    double *at = p->value;
    for (int i = 0; i < draw->count; ++i) {
        const int *start = mesh_of(p->w, draw, i)->influence_start;
        for (int v = 0; v < mesh_of(p->w, draw, i)->vertex_count; ++v, at += 3) {
            if (start != NULL && start[v] < start[v + 1]) continue;
            er_vec3 there = er_affine_point(carry, er_v3(at[0], at[1], at[2]));
            at[0] = there.x, at[1] = there.y, at[2] = there.z;
        }
    }
}

static er_result put_geometry(pile *p, int64_t id)
{
    er_result r = ER_OK;
    eri_fbx_document *d = p->w->document;
    int *polygon;
    size_t corners = 3 * p->triangle_count;
    ERI_TRY_RESERVE(polygon, d->arena, int, corners);
    for (size_t i = 0; i < corners; ++i)
        polygon[i] = i % 3 == 2 ? ~p->corner[i] : p->corner[i]; // a polygon's last is complemented
    eri_fbx_open_object(d, ERI_FBX_GEOMETRY, id, mesh_of(p->w, p->draw, 0)->name, "Geometry", "Mesh");
    eri_fbx_put_int(d, "GeometryVersion", 124);
    fill(p, positions, 3, NULL);
    for (size_t i = 0; i < 3 * p->vertex_count; ++i)
        p->value[i] *= p->w->unit;
    carry_loose(p);
    eri_fbx_put_doubles(d, "Vertices", p->value, 3 * p->vertex_count);
    eri_fbx_open(d, "PolygonVertexIndex");
    eri_fbx_add_ints(d, polygon, corners);
    eri_fbx_close(d);
    put_layers(p);
    eri_fbx_close(d);
done:
    return r;
}

// --- skins

static void count_influences(const pile *p, cluster *of)
{
    for (int i = 0; i < p->draw->count; ++i) {
        const er_mesh *mesh = mesh_of(p->w, p->draw, i);
        int total = mesh->influence_start != NULL ? mesh->influence_start[mesh->vertex_count] : 0;
        for (int k = 0; k < total; ++k)
            ++of[mesh->influence_joint[k]].count;
    }
}

// A vertex comes once in a cluster, though it may follow a joint twice.
static void add_influence(cluster *c, int vertex, double weight)
{
    if (c->count > 0 && c->vertex[c->count - 1] == vertex) {
        c->weight[c->count - 1] += weight;
        return;
    }
    c->vertex[c->count] = vertex;
    c->weight[c->count++] = weight;
}

static er_result gather_influences(const pile *p, int joint_count, cluster **out)
{
    er_result r = ER_OK;
    er_arena *arena = p->w->document->arena;
    cluster *of;
    int base = 0;
    ERI_TRY_NEW(of, arena, cluster, joint_count);
    count_influences(p, of);
    for (int j = 0; j < joint_count; ++j) {
        ERI_TRY_RESERVE(of[j].vertex, arena, int, of[j].count);
        ERI_TRY_RESERVE(of[j].weight, arena, double, of[j].count);
        of[j].count = 0;
    }
    for (int i = 0; i < p->draw->count; ++i) {
        const er_mesh *mesh = mesh_of(p->w, p->draw, i);
        const int *start = mesh->influence_start;
        for (int v = 0; start != NULL && v < mesh->vertex_count; ++v)
            for (int k = start[v]; k < start[v + 1]; ++k)
                add_influence(&of[mesh->influence_joint[k]], base + v, (double)mesh->influence_weight[k]);
        base += mesh->vertex_count;
    }
    *out = of;
done:
    return r;
}

// @param transform  from the Geometry's space to the Model's
static void put_cluster(const pile *p, int64_t skin_id, int node, er_affine transform, er_affine link, int64_t model,
                        const cluster *c)
{
    const eri_fbx_writer *w = p->w;
    eri_fbx_document *d = w->document;
    int64_t id = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_DEFORMER, id, w->scene->node[node].name, "SubDeformer", "Cluster");
    eri_fbx_put_int(d, "Version", 100);
    if (c->count > 0) {
        eri_fbx_open(d, "Indexes");
        eri_fbx_add_ints(d, c->vertex, (size_t)c->count);
        eri_fbx_close(d);
        eri_fbx_put_doubles(d, "Weights", c->weight, (size_t)c->count);
    }
    eri_fbx_put_affine(d, "Transform", transform);
    eri_fbx_put_affine(d, "TransformLink", link);
    eri_fbx_put_affine(d, "TransformAssociateModel", w->armature[node]);
    eri_fbx_close(d);
    eri_fbx_connect(d, id, skin_id, NULL);
    eri_fbx_connect(d, model, id, NULL);
}

static void put_joint(const pile *p, int64_t skin_id, int k, const cluster *c)
{
    const eri_fbx_writer *w = p->w;
    const er_skin *skin = &w->scene->skin[p->draw->skin];
    const eri_fbx_duplicate *twice = &w->duplicates[w->first_duplicate[p->draw->skin] + k];
    int node = skin->joint[k];
    bool second = twice->node != ERI_FBX_NONE;
    put_cluster(p, skin_id, node, eri_fbx_scaled(w, skin->inverse_bind[k]), second ? twice->bind : w->bind[node],
                second ? twice->model : w->model[node], c);
}

// A limb that is no joint of the skin.
static void put_other(const pile *p, int64_t skin_id, int node)
{
    const eri_fbx_writer *w = p->w;
    er_affine inverse;
    if (w->lists[node] != p->draw->skin || !eri_affine_invert(w->bind[node], &inverse)) return;
    put_cluster(p, skin_id, node, er_affine_mul(inverse, w->mesh_bind[p->draw->skin]), w->bind[node], w->model[node],
                &(cluster){0});
}

static er_result put_skin(const pile *p, int64_t geometry)
{
    er_result r = ER_OK;
    eri_fbx_document *d = p->w->document;
    const er_skin *skin = &p->w->scene->skin[p->draw->skin];
    cluster *of = NULL;
    ERI_TRY(gather_influences(p, skin->joint_count, &of));
    int64_t id = eri_fbx_new_id(d);
    eri_fbx_open_object(d, ERI_FBX_DEFORMER, id, skin->name, "Deformer", "Skin");
    eri_fbx_put_int(d, "Version", 101);
    eri_fbx_open(d, "Link_DeformAcuracy");
    eri_fbx_add_double(d, 50.0);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_connect(d, id, geometry, NULL);
    for (int k = 0; k < skin->joint_count; ++k)
        put_joint(p, id, k, &of[k]);
    for (int i = 0; i < p->w->scene->node_count; ++i)
        put_other(p, id, i);
done:
    return r;
}

// --- the whole

static er_result put_draw(eri_fbx_writer *w, eri_fbx_draw *draw, morph_shape **shapes)
{
    er_result r = ER_OK;
    eri_fbx_document *d = w->document;
    morph_shape **known = &shapes[mesh_of(w, draw, 0) - w->scene->mesh], *same = NULL;
    pile p = {.w = w, .draw = draw};
    ERI_TRY(fill_pile(&p));
    for (morph_shape *s = *known; s != NULL && same == NULL && draw->skin == ERI_FBX_NONE; s = s->next)
        if (same_meshes(w, s->draw, draw)) same = s;
    int64_t geometry = same != NULL ? same->id : eri_fbx_new_id(d);
    draw->model = draw->apart ? eri_fbx_put_model_apart(w, draw->node, draw->at_root, draw->place,
                                                        mesh_of(w, draw, 0)->name, "Mesh")
                              : w->model[draw->node];
    eri_fbx_connect(d, geometry, draw->model, NULL);
    for (int i = 0; i < p.slot_count; ++i)
        eri_fbx_connect(d, p.picked[i], draw->model, NULL);
    if (same != NULL) goto done;
    ERI_TRY(put_geometry(&p, geometry));
    if (draw->skin != ERI_FBX_NONE) {
        ERI_TRY(put_skin(&p, geometry));
    } else {
        ERI_TRY_NEW(same, d->arena, morph_shape, 1);
        *same = (morph_shape){*known, draw, geometry};
        *known = same;
    }
done:
    return r;
}

er_result eri_fbx_put_draws(eri_fbx_writer *writer)
{
    er_result r = ER_OK;
    morph_shape **shapes;
    ERI_TRY_NEW(shapes, writer->document->arena, morph_shape *, writer->scene->mesh_count);
    for (int i = 0; i < writer->draw_count; ++i)
        ERI_TRY(put_draw(writer, &writer->draw[i], shapes));
done:
    return r;
}
