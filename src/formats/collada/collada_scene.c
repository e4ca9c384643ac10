// Everything of a Collada file but the clip: pictures, materials, meshes, skins, nodes.
#include "formats/collada/collada_scene.h"

#include <string.h>

#include "formats/collada/collada_source.h"

enum { NONE = -1 };

typedef struct collada_writer {
    eri_xml *xml;
    const eri_dae_plan *plan;
    const er_scene *scene;
    const char *const *image_file; // [image_count]
    const char **image;            // [image_count], ids
    const char **material;         // [material_count], ids
    const char **mesh;             // [drawn_count], ids of the geometries
    const char **skin;             // [drawn_count], ids of the controllers
} collada_writer;

// --- pictures and materials

static er_result put_images(collada_writer *w)
{
    er_result r = ER_OK;
    if (w->scene->image_count == 0) goto done;
    eri_xml_open(w->xml, "library_images");
    for (int i = 0; i < w->scene->image_count; ++i) {
        w->image[i] = eri_xml_part_id(w->xml, w->image_file[i], "image");
        if (w->image[i] == NULL) ERI_TRY(ER_ERROR_MEMORY);
        eri_xml_open(w->xml, "image");
        eri_xml_attribute(w->xml, "id", w->image[i]);
        eri_xml_attribute(w->xml, "name", w->image[i]);
        eri_xml_leaf(w->xml, "init_from", w->image_file[i]);
        eri_xml_close(w->xml);
    }
    eri_xml_close(w->xml);
done:
    return r;
}

// The <newparam>s of a picture: a surface, and a sampler of it that a <texture> then names.
static void put_sampler(collada_writer *w, int image)
{
    if (image == NONE) return;
    eri_xml *xml = w->xml;
    eri_xml_open(xml, "newparam");
    eri_xml_attribute_f(xml, "sid", "%s-surface", w->image[image]);
    eri_xml_open(xml, "surface");
    eri_xml_attribute(xml, "type", "2D");
    eri_xml_leaf(xml, "init_from", w->image[image]);
    eri_xml_close(xml);
    eri_xml_close(xml);
    eri_xml_open(xml, "newparam");
    eri_xml_attribute_f(xml, "sid", "%s-sampler", w->image[image]);
    eri_xml_open(xml, "sampler2D");
    eri_xml_open(xml, "source");
    eri_xml_text(xml, w->image[image]);
    eri_xml_text(xml, "-surface");
    eri_xml_close(xml);
    eri_xml_close(xml);
    eri_xml_close(xml);
}

static void put_texture(collada_writer *w, int image)
{
    eri_xml_open(w->xml, "texture");
    eri_xml_attribute_f(w->xml, "texture", "%s-sampler", w->image[image]);
    eri_xml_attribute(w->xml, "texcoord", "UVMap");
    eri_xml_close(w->xml);
}

static void put_color(collada_writer *w, const char *element, const float *rgb, float alpha, int image)
{
    const float rgba[4] = {rgb[0], rgb[1], rgb[2], alpha};
    eri_xml_open(w->xml, element);
    if (image != NONE) {
        put_texture(w, image);
    } else {
        eri_xml_open(w->xml, "color");
        eri_xml_floats(w->xml, rgba, 4, 4);
        eri_xml_close(w->xml);
    }
    eri_xml_close(w->xml);
}

static void put_value(collada_writer *w, const char *element, float value)
{
    eri_xml_open(w->xml, element);
    eri_xml_open(w->xml, "float");
    eri_xml_floats(w->xml, &value, 1, 1);
    eri_xml_close(w->xml);
    eri_xml_close(w->xml);
}

static void put_transparency(collada_writer *w, const er_material *m)
{
    static const float white[3] = {1.0f, 1.0f, 1.0f};
    if (m->alpha_mode == ER_ALPHA_OPAQUE) return;
    eri_xml_open(w->xml, "transparent");
    eri_xml_attribute(w->xml, "opaque", "A_ONE");
    if (m->base_color_image != NONE) {
        put_texture(w, m->base_color_image);
    } else {
        const float rgba[4] = {white[0], white[1], white[2], m->base_color[3]};
        eri_xml_open(w->xml, "color");
        eri_xml_floats(w->xml, rgba, 4, 4);
        eri_xml_close(w->xml);
    }
    eri_xml_close(w->xml);
    put_value(w, "transparency", m->base_color_image != NONE ? m->base_color[3] : 1.0f);
}

// Blinn's exponent for a highlight of the same width. The importer inverts it; a roughness of 1 has no highlight.
static float shininess(float roughness)
{
    float r = fmaxf(roughness, 0.01f);
    return 2.0f / (r * r) - 2.0f;
}

static void put_bump(collada_writer *w, int image)
{
    if (image == NONE) return;
    eri_xml_open(w->xml, "extra");
    eri_xml_open(w->xml, "technique");
    eri_xml_attribute(w->xml, "profile", "FCOLLADA");
    eri_xml_open(w->xml, "bump");
    put_texture(w, image);
    for (int i = 0; i < 3; ++i)
        eri_xml_close(w->xml);
}

static void put_effect(collada_writer *w, const er_material *m, const char *id)
{
    eri_xml *xml = w->xml;
    bool once = m->emissive_image != m->base_color_image;
    bool normal = m->normal_image != m->base_color_image && m->normal_image != m->emissive_image;
    eri_xml_open(xml, "effect");
    eri_xml_attribute(xml, "id", id);
    eri_xml_open(xml, "profile_COMMON");
    put_sampler(w, m->base_color_image);
    put_sampler(w, once ? m->emissive_image : NONE);
    put_sampler(w, normal ? m->normal_image : NONE);
    eri_xml_open(xml, "technique");
    eri_xml_attribute(xml, "sid", "common");
    eri_xml_open(xml, "phong");
    put_color(w, "emission", m->emissive, 1.0f, m->emissive_image);
    put_color(w, "diffuse", m->base_color, 1.0f, m->base_color_image);
    put_value(w, "shininess", shininess(m->roughness));
    put_value(w, "reflectivity", m->metallic);
    put_transparency(w, m);
    eri_xml_close(xml); // phong
    put_bump(w, m->normal_image);
    eri_xml_close(xml); // technique
    if (m->double_sided) {
        eri_xml_open(xml, "extra");
        eri_xml_open(xml, "technique");
        eri_xml_attribute(xml, "profile", "GOOGLEEARTH");
        eri_xml_leaf(xml, "double_sided", "1");
        eri_xml_close(xml);
        eri_xml_close(xml);
    }
    eri_xml_close(xml); // profile_COMMON
    eri_xml_close(xml); // effect
}

static er_result put_materials(collada_writer *w)
{
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    const char **effect;
    int count = w->scene->material_count;
    ERI_TRY_NEW(effect, xml->arena, const char *, count);
    if (count == 0) goto done;
    eri_xml_open(xml, "library_effects");
    for (int i = 0; i < count; ++i) {
        const er_material *m = &w->scene->material[i];
        w->material[i] = eri_xml_part_id(xml, m->name, "material");
        effect[i] = eri_xml_part_id(xml, m->name, "effect");
        if (w->material[i] == NULL || effect[i] == NULL) ERI_TRY(ER_ERROR_MEMORY);
        put_effect(w, m, effect[i]);
    }
    eri_xml_close(xml);
    eri_xml_open(xml, "library_materials");
    for (int i = 0; i < count; ++i) {
        eri_xml_open(xml, "material");
        eri_xml_attribute(xml, "id", w->material[i]);
        if (w->scene->material[i].name[0] != '\0') eri_xml_attribute(xml, "name", w->scene->material[i].name);
        eri_xml_open(xml, "instance_effect");
        eri_xml_attribute_f(xml, "url", "#%s", effect[i]);
        eri_xml_close(xml);
        eri_xml_close(xml);
    }
    eri_xml_close(xml);
done:
    return r;
}

// --- meshes

static const char *const xyz[] = {"X", "Y", "Z", NULL};

static void put_vectors(collada_writer *w, const char *id, const float *value, int count, const char *const *names)
{
    size_t width = 0;
    while (names[width] != NULL)
        ++width;
    eri_dae_open_source(w->xml, id, "float_array", width * (size_t)count);
    eri_xml_floats(w->xml, value, width * (size_t)count, width);
    eri_dae_close_source(w->xml, id, count, names, "float");
}

// Collada's texture coordinates begin at the lower left.
static er_result put_uvs(collada_writer *w, const char *id, const er_mesh *mesh)
{
    static const char *const names[] = {"S", "T", NULL};
    er_result r = ER_OK;
    float *flipped;
    ERI_TRY_RESERVE(flipped, w->xml->arena, float, 2 * (size_t)mesh->vertex_count);
    for (ptrdiff_t i = 0; i < mesh->vertex_count; ++i) {
        flipped[2 * i] = mesh->uv[2 * i];
        flipped[2 * i + 1] = 1.0f - mesh->uv[2 * i + 1];
    }
    put_vectors(w, id, flipped, mesh->vertex_count, names);
done:
    return r;
}

enum { POSITIONS, NORMALS, UVS, COLORS, VERTICES, PART_COUNT };

static void put_triangles(collada_writer *w, const er_mesh *mesh, const char *const part[PART_COUNT])
{
    eri_xml *xml = w->xml;
    eri_xml_open(xml, "triangles");
    if (mesh->material != NONE) eri_xml_attribute(xml, "material", "material");
    eri_xml_attribute_f(xml, "count", "%d", mesh->triangle_count);
    eri_dae_put_input(xml, "VERTEX", part[VERTICES], 0, -1);
    if (mesh->normal != NULL) eri_dae_put_input(xml, "NORMAL", part[NORMALS], 0, -1);
    if (mesh->uv != NULL) eri_dae_put_input(xml, "TEXCOORD", part[UVS], 0, 0);
    if (mesh->color != NULL) eri_dae_put_input(xml, "COLOR", part[COLORS], 0, 0);
    eri_xml_open(xml, "p");
    eri_xml_ints(xml, mesh->index, 3 * (size_t)mesh->triangle_count, 24);
    eri_xml_close(xml);
    eri_xml_close(xml);
}

static const er_mesh *mesh_of(const collada_writer *w, const eri_dae_drawn *drawn)
{
    return &w->scene->mesh[w->scene->instance[drawn->instance].mesh];
}

// Positions put into the bind pose, as doubles: nine digits of them are written.
static er_result put_positions(collada_writer *w, const char *id, const er_mesh *mesh, er_affine shape)
{
    er_result r = ER_OK;
    double *placed;
    ERI_TRY_RESERVE(placed, w->xml->arena, double, 3 * (size_t)mesh->vertex_count);
    for (ptrdiff_t i = 0; i < mesh->vertex_count; ++i) {
        const float *x = mesh->position + 3 * i;
        er_vec3 y = er_affine_point(shape, er_v3((double)x[0], (double)x[1], (double)x[2]));
        placed[3 * i] = y.x, placed[3 * i + 1] = y.y, placed[3 * i + 2] = y.z;
    }
    eri_dae_open_source(w->xml, id, "float_array", 3 * (size_t)mesh->vertex_count);
    eri_xml_doubles(w->xml, placed, 3 * (size_t)mesh->vertex_count, 3);
    eri_dae_close_source(w->xml, id, mesh->vertex_count, xyz, "float");
done:
    return r;
}

// Normals go by the inverse's transpose.
static er_result put_normals(collada_writer *w, const char *id, const er_mesh *mesh, er_affine shape)
{
    er_result r = ER_OK;
    float *turned;
    er_mat3 m = er_m3_transpose(er_m3_inverse(shape.linear));
    ERI_TRY_RESERVE(turned, w->xml->arena, float, 3 * (size_t)mesh->vertex_count);
    for (ptrdiff_t i = 0; i < mesh->vertex_count; ++i) {
        const float *x = mesh->normal + 3 * i;
        er_vec3 y = er_m3_mul_v(m, er_v3((double)x[0], (double)x[1], (double)x[2]));
        y = er_v3_unit(y, er_v3(0, 0, 0));
        turned[3 * i] = (float)y.x, turned[3 * i + 1] = (float)y.y, turned[3 * i + 2] = (float)y.z;
    }
    put_vectors(w, id, turned, mesh->vertex_count, xyz);
done:
    return r;
}

static er_result put_geometry(collada_writer *w, int index)
{
    static const char *const parts[PART_COUNT] = {"positions", "normals", "uvs", "colors", "vertices"};
    static const char *const rgba[] = {"R", "G", "B", "A", NULL};
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    const eri_dae_drawn *drawn = &w->plan->drawn[index];
    const er_mesh *mesh = mesh_of(w, drawn);
    const char *part[PART_COUNT], *id = eri_xml_part_id(xml, mesh->name, "mesh");
    if (id == NULL) ERI_TRY(ER_ERROR_MEMORY);
    w->mesh[index] = id;
    for (int i = 0; i < PART_COUNT; ++i) {
        part[i] = eri_xml_part_id(xml, id, parts[i]);
        if (part[i] == NULL) ERI_TRY(ER_ERROR_MEMORY);
    }
    eri_xml_open(xml, "geometry");
    eri_xml_attribute(xml, "id", id);
    if (mesh->name[0] != '\0') eri_xml_attribute(xml, "name", mesh->name);
    eri_xml_open(xml, "mesh");
    ERI_TRY(put_positions(w, part[POSITIONS], mesh, drawn->bind_shape));
    if (mesh->normal != NULL) ERI_TRY(put_normals(w, part[NORMALS], mesh, drawn->bind_shape));
    if (mesh->uv != NULL) ERI_TRY(put_uvs(w, part[UVS], mesh));
    if (mesh->color != NULL) put_vectors(w, part[COLORS], mesh->color, mesh->vertex_count, rgba);
    eri_xml_open(xml, "vertices");
    eri_xml_attribute(xml, "id", part[VERTICES]);
    eri_dae_put_input(xml, "POSITION", part[POSITIONS], -1, -1);
    eri_xml_close(xml);
    put_triangles(w, mesh, part);
    eri_xml_close(xml); // mesh
    eri_xml_close(xml); // geometry
done:
    return r;
}

// --- skins

// The influences of all vertices, one for each joint: [vertex_count + 1] starts into joint and weight.
typedef struct influences {
    int *count; // [vertex_count]
    int *pair;  // [2 total]: bone of the mesh, index of the weight
    float *weight;
    int total;
} influences;

static void add_influence(influences *in, int first, int joint, float weight)
{
    for (int i = first; i < in->total; ++i)
        if (in->pair[2 * (ptrdiff_t)i] == joint) {
            in->weight[i] += weight;
            return;
        }
    in->pair[2 * (ptrdiff_t)in->total] = joint;
    in->pair[2 * (ptrdiff_t)in->total + 1] = in->total;
    in->weight[in->total++] = weight;
}

static er_result gather_influences(collada_writer *w, const eri_dae_drawn *drawn, influences *in)
{
    er_result r = ER_OK;
    const er_mesh *mesh = mesh_of(w, drawn);
    bool rigid = w->scene->instance[drawn->instance].skin == NONE;
    const int *start = rigid ? NULL : mesh->influence_start;
    size_t most = (size_t)mesh->vertex_count + (start != NULL ? (size_t)start[mesh->vertex_count] : 0);
    *in = (influences){0};
    ERI_TRY_NEW(in->count, w->xml->arena, int, mesh->vertex_count);
    ERI_TRY_NEW(in->pair, w->xml->arena, int, 2 * most);
    ERI_TRY_NEW(in->weight, w->xml->arena, float, most);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        int first = in->total;
        for (int k = start != NULL ? start[v] : 0; start != NULL && k < start[v + 1]; ++k)
            add_influence(in, first, mesh->influence_joint[k], mesh->influence_weight[k]);
        if (in->total == first) add_influence(in, first, drawn->bone_count - 1, 1.0f);
        in->count[v] = in->total - first;
    }
done:
    return r;
}

enum { JOINTS, BINDS, WEIGHTS, SKIN_PART_COUNT };

static er_result put_joints(collada_writer *w, const eri_dae_drawn *drawn, const char *const part[SKIN_PART_COUNT])
{
    static const char *const joint[] = {"JOINT", NULL}, *const transform[] = {"TRANSFORM", NULL};
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    size_t bones = (size_t)drawn->bone_count, count = bones + (size_t)drawn->above_count;
    double *rows;
    ERI_TRY_RESERVE(rows, xml->arena, double, 16 * count);
    eri_dae_open_source(xml, part[JOINTS], "Name_array", count);
    for (size_t i = 0; i < count; ++i) {
        const eri_dae_bone *bone = &w->plan->bone[i < bones ? drawn->bone[i] : drawn->above[i - bones]];
        if (i > 0) eri_xml_text(xml, " ");
        eri_xml_text(xml, bone->id);
        eri_xml_rows(bone->inverse_bind, rows + 16 * i);
    }
    eri_dae_close_source(xml, part[JOINTS], (int)count, joint, "name");
    eri_dae_open_source(xml, part[BINDS], "float_array", 16 * count);
    eri_xml_doubles(xml, rows, 16 * count, 16);
    eri_dae_close_source(xml, part[BINDS], (int)count, transform, "float4x4");
done:
    return r;
}

static er_result put_weights(collada_writer *w, const eri_dae_drawn *drawn, const char *const part[SKIN_PART_COUNT])
{
    static const char *const weight[] = {"WEIGHT", NULL};
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    influences in;
    ERI_TRY(gather_influences(w, drawn, &in));
    eri_dae_open_source(xml, part[WEIGHTS], "float_array", (size_t)in.total);
    eri_xml_floats(xml, in.weight, (size_t)in.total, 8);
    eri_dae_close_source(xml, part[WEIGHTS], in.total, weight, "float");
    eri_xml_open(xml, "joints");
    eri_dae_put_input(xml, "JOINT", part[JOINTS], -1, -1);
    eri_dae_put_input(xml, "INV_BIND_MATRIX", part[BINDS], -1, -1);
    eri_xml_close(xml);
    eri_xml_open(xml, "vertex_weights");
    eri_xml_attribute_f(xml, "count", "%d", mesh_of(w, drawn)->vertex_count);
    eri_dae_put_input(xml, "JOINT", part[JOINTS], 0, -1);
    eri_dae_put_input(xml, "WEIGHT", part[WEIGHTS], 1, -1);
    eri_xml_open(xml, "vcount");
    eri_xml_ints(xml, in.count, (size_t)mesh_of(w, drawn)->vertex_count, 24);
    eri_xml_close(xml);
    eri_xml_open(xml, "v");
    eri_xml_ints(xml, in.pair, 2 * (size_t)in.total, 24);
    eri_xml_close(xml);
    eri_xml_close(xml);
done:
    return r;
}

static er_result put_controller(collada_writer *w, int index)
{
    static const char *const parts[SKIN_PART_COUNT] = {"joints", "binds", "weights"};
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    const eri_dae_drawn *drawn = &w->plan->drawn[index];
    const char *part[SKIN_PART_COUNT], *id = eri_xml_part_id(xml, w->mesh[index], "skin");
    if (id == NULL) ERI_TRY(ER_ERROR_MEMORY);
    w->skin[index] = id;
    for (int i = 0; i < SKIN_PART_COUNT; ++i) {
        part[i] = eri_xml_part_id(xml, id, parts[i]);
        if (part[i] == NULL) ERI_TRY(ER_ERROR_MEMORY);
    }
    eri_xml_open(xml, "controller");
    eri_xml_attribute(xml, "id", id);
    eri_xml_open(xml, "skin");
    eri_xml_attribute_f(xml, "source", "#%s", w->mesh[index]);
    eri_xml_open(xml, "bind_shape_matrix");
    eri_xml_affine(xml, er_affine_identity()); // done to the positions: Blender loses shear here
    eri_xml_close(xml);
    ERI_TRY(put_joints(w, drawn, part));
    ERI_TRY(put_weights(w, drawn, part));
    eri_xml_close(xml); // skin
    eri_xml_close(xml); // controller
done:
    return r;
}

// One for each mesh that is drawn, not shared: Blender follows a geometry to one object.
static er_result put_library(collada_writer *w, const char *element, er_result (*put_one)(collada_writer *, int))
{
    er_result r = ER_OK;
    if (w->plan->drawn_count == 0) goto done;
    eri_xml_open(w->xml, element);
    for (int i = 0; i < w->plan->drawn_count; ++i)
        ERI_TRY(put_one(w, i));
    eri_xml_close(w->xml);
done:
    return r;
}

// --- nodes

static void put_material_binding(collada_writer *w, int material)
{
    eri_xml *xml = w->xml;
    if (material == NONE) return;
    eri_xml_open(xml, "bind_material");
    eri_xml_open(xml, "technique_common");
    eri_xml_open(xml, "instance_material");
    eri_xml_attribute(xml, "symbol", "material");
    eri_xml_attribute_f(xml, "target", "#%s", w->material[material]);
    eri_xml_open(xml, "bind_vertex_input");
    eri_xml_attribute(xml, "semantic", "UVMap");
    eri_xml_attribute(xml, "input_semantic", "TEXCOORD");
    eri_xml_attribute(xml, "input_set", "0");
    for (int i = 0; i < 4; ++i)
        eri_xml_close(xml);
}

static void open_node(collada_writer *w, const char *id, const char *name, const char *type)
{
    eri_xml_open(w->xml, "node");
    eri_xml_attribute(w->xml, "id", id);
    if (name != NULL) eri_xml_attribute(w->xml, "name", name);
    eri_xml_attribute(w->xml, "sid", id);
    eri_xml_attribute(w->xml, "type", type);
}

static void put_matrix(collada_writer *w, er_affine local)
{
    eri_xml_open(w->xml, "matrix");
    eri_xml_attribute(w->xml, "sid", "transform");
    eri_xml_affine(w->xml, local);
    eri_xml_close(w->xml);
}

static er_result put_drawn(collada_writer *w)
{
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    for (int i = 0; i < w->plan->drawn_count; ++i) {
        const er_mesh *mesh = mesh_of(w, &w->plan->drawn[i]);
        const char *id = eri_xml_id(xml, mesh->name[0] != '\0' ? mesh->name : "mesh");
        if (id == NULL) ERI_TRY(ER_ERROR_MEMORY);
        open_node(w, id, mesh->name[0] != '\0' ? mesh->name : NULL, "NODE");
        eri_xml_open(xml, "instance_controller");
        eri_xml_attribute_f(xml, "url", "#%s", w->skin[i]);
        eri_xml_open(xml, "skeleton");
        eri_xml_text(xml, "#");
        eri_xml_text(xml, w->plan->top_id);
        eri_xml_close(xml);
        put_material_binding(w, mesh->material);
        eri_xml_close(xml);
        eri_xml_close(xml);
    }
done:
    return r;
}

// The nodes as lists of children.
typedef struct node_forest {
    int *child, *sibling; // [node_count]: first child, next sibling, -1
} node_forest;

static er_result plant(collada_writer *w, node_forest *f)
{
    er_result r = ER_OK;
    const er_scene *scene = w->scene;
    ERI_TRY_NEW(f->child, w->xml->arena, int, scene->node_count);
    ERI_TRY_NEW(f->sibling, w->xml->arena, int, scene->node_count);
    for (int i = 0; i < scene->node_count; ++i)
        f->child[i] = f->sibling[i] = NONE;
    for (int i = scene->node_count; i-- > 0;) {
        int parent = scene->node[i].parent;
        if (parent == NONE) continue;
        f->sibling[i] = f->child[parent];
        f->child[parent] = i;
    }
done:
    return r;
}

static void open_joint(collada_writer *w, int i)
{
    open_node(w, w->plan->bone[i].id, w->plan->name[i], "JOINT");
    put_matrix(w, w->plan->local[i]);
    for (int b = w->plan->bone[i].next; b != NONE; b = w->plan->bone[b].next) {
        open_node(w, w->plan->bone[b].id, NULL, "JOINT");
        put_matrix(w, er_affine_identity());
        eri_xml_close(w->xml);
    }
}

// Down a tree without a stack of calls: hostile ones are deep.
static void put_tree(collada_writer *w, const node_forest *f, int root)
{
    for (int i = root; i != NONE;) {
        open_joint(w, i);
        if (f->child[i] != NONE) {
            i = f->child[i];
            continue;
        }
        eri_xml_close(w->xml);
        while (i != root && f->sibling[i] == NONE) {
            i = w->scene->node[i].parent;
            eri_xml_close(w->xml);
        }
        i = i == root ? NONE : f->sibling[i];
    }
}

static er_result put_nodes(collada_writer *w)
{
    er_result r = ER_OK;
    eri_xml *xml = w->xml;
    node_forest f;
    ERI_TRY(plant(w, &f));
    eri_xml_open(xml, "library_visual_scenes");
    eri_xml_open(xml, "visual_scene");
    eri_xml_attribute(xml, "id", w->plan->scene_id);
    eri_xml_attribute(xml, "name", w->plan->scene_id);
    if (w->plan->top_made) {
        open_node(w, w->plan->top_id, NULL, "JOINT");
        put_matrix(w, er_affine_identity());
    }
    for (int i = 0; i < w->scene->node_count; ++i)
        if (w->scene->node[i].parent == NONE) put_tree(w, &f, i);
    if (w->plan->top_made) eri_xml_close(xml);
    ERI_TRY(put_drawn(w));
    eri_xml_close(xml);
    eri_xml_close(xml);
    eri_xml_open(xml, "scene");
    eri_xml_open(xml, "instance_visual_scene");
    eri_xml_attribute_f(xml, "url", "#%s", w->plan->scene_id);
    eri_xml_close(xml);
    eri_xml_close(xml);
done:
    return r;
}

// --- the whole

er_result eri_dae_put_scene(eri_xml *xml, const eri_dae_plan *plan, const char *const *image)
{
    er_result r = ER_OK;
    const er_scene *scene = plan->scene;
    collada_writer w = {.xml = xml, .plan = plan, .scene = scene, .image_file = image};
    ERI_TRY_NEW(w.image, xml->arena, const char *, scene->image_count);
    ERI_TRY_NEW(w.material, xml->arena, const char *, scene->material_count);
    ERI_TRY_NEW(w.mesh, xml->arena, const char *, plan->drawn_count);
    ERI_TRY_NEW(w.skin, xml->arena, const char *, plan->drawn_count);
    ERI_TRY(put_images(&w));
    ERI_TRY(put_materials(&w));
    ERI_TRY(put_library(&w, "library_geometries", put_geometry));
    ERI_TRY(put_library(&w, "library_controllers", put_controller));
    ERI_TRY(put_nodes(&w));
done:
    return r;
}
