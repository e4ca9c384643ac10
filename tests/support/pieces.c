// Scenes made by hand, piece by piece.
#include "pieces.h"

#include <string.h>

#include "hand.h"

const uint8_t red_png[69] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                             0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
                             0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
                             0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xc9, 0xfe, 0x92,
                             0xef, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

er_scene *empty_scene(er_arena *arena, double metres_per_unit, er_vec3 up)
{
    er_scene *scene = ERI_NEW(arena, er_scene, 1);
    scene->path = "made by hand";
    scene->format = ER_FORMAT_OTHER;
    scene->format_name = "made by hand";
    scene->metres_per_unit = metres_per_unit;
    scene->up = up;
    return scene;
}

void *copy(er_arena *arena, const void *from, size_t size)
{
    return memcpy(eri_arena_alloc(arena, 1, size), from, size);
}

er_mesh ribbon(er_arena *arena, const char *name, int segments, double length)
{
    er_mesh m = {.name = name, .vertex_count = 2 * segments + 2, .triangle_count = 2 * segments, .material = -1};
    float *position = ERI_NEW(arena, float, 3 * m.vertex_count), *normal = ERI_NEW(arena, float, 3 * m.vertex_count);
    float *uv = ERI_NEW(arena, float, 2 * m.vertex_count), *color = ERI_NEW(arena, float, 4 * m.vertex_count);
    int *index = ERI_NEW(arena, int, 3 * m.triangle_count);
    for (int i = 0; i < m.vertex_count; ++i) {
        position[3 * i] = (float)(i % 2) - 0.5f;
        position[3 * i + 2] = (float)(length * (i / 2) / segments);
        normal[3 * i + 1] = i == 0 ? 0.0f : -0.7f; // to be made unit; one without direction
        uv[2 * i] = (float)(i % 2);
        uv[2 * i + 1] = (float)(i / 2) / (float)segments;
        for (int c = 0; c < 4; ++c)
            color[4 * i + c] = (float)(i + c) / (float)(m.vertex_count + 4);
    }
    for (int s = 0; s < segments; ++s) {
        int v = 2 * s, quad[6] = {v, v + 1, v + 3, v, v + 3, v + 2};
        memcpy(index + 6 * s, quad, sizeof quad);
    }
    m.position = position;
    m.normal = normal;
    m.uv = uv;
    m.color = color;
    m.index = index;
    return m;
}

void influence(er_arena *arena, er_mesh *m, int joints, int most, bool some_loose)
{
    int *start = ERI_NEW(arena, int, m->vertex_count + 1), *joint = ERI_NEW(arena, int, m->vertex_count *most);
    float *weight = ERI_NEW(arena, float, m->vertex_count *most);
    for (int i = 0; i < m->vertex_count; ++i) {
        int count = some_loose && i % 5 == 0 ? 0 : 1 + i % most;
        float sum = 0.0f;
        start[i + 1] = start[i] + count;
        for (int k = 0; k < count; ++k) {
            joint[start[i] + k] = (i + 7 * k) % joints; // meets itself where joints is small
            weight[start[i] + k] = 1.0f + (float)((i + 3 * k) % 11);
            sum += weight[start[i] + k];
        }
        for (int k = 0; k < count; ++k)
            weight[start[i] + k] /= sum;
    }
    m->influence_start = start;
    m->influence_joint = joint;
    m->influence_weight = weight;
}

er_skin bind_skin(er_arena *arena, const er_scene *scene, const char *name, int first, int count, const er_affine *mesh)
{
    int *joint = ERI_NEW(arena, int, count);
    er_affine *inverse = ERI_NEW(arena, er_affine, count), *world = ERI_NEW(arena, er_affine, scene->node_count);
    hand_world(scene, world);
    for (int i = 0; i < count; ++i) {
        joint[i] = first + i;
        inverse[i] = er_affine_inverse(world[first + i]);
        if (mesh != NULL) inverse[i] = er_affine_mul(inverse[i], *mesh);
    }
    er_skin skin = {name, count, joint, inverse};
    return skin;
}
