// Surfaces put together by tests.
#include "meshes.h"

#include <math.h>
#include <string.h>

#define MANY 200000

static void *new_array(size_t size)
{
    void *memory = calloc(MANY, size);
    assert_non_null(memory);
    return memory;
}

mesh mesh_create(void)
{
    mesh m = {.position = new_array(3 * sizeof(double)),
              .weight = new_array(sizeof(double)),
              .index = new_array(3 * sizeof(int)),
              .start = new_array(sizeof(int)),
              .body = new_array(sizeof(int)),
              .place = er_affine_identity()};
    m.surface = (eri_skin_surface){0, m.position, 0, m.index, m.start, m.body, m.weight};
    return m;
}

void mesh_destroy(mesh *m)
{
    free(m->position);
    free(m->weight);
    free(m->index);
    free(m->start);
    free(m->body);
}

int add_vertex(mesh *m, er_vec3 x)
{
    int v = m->surface.vertex_count++;
    assert_true(v + 1 < MANY);
    er_vec3 p = er_affine_point(m->place, x);
    m->position[3 * v] = p.x;
    m->position[3 * v + 1] = p.y;
    m->position[3 * v + 2] = p.z;
    m->weight[v] = 1.0;
    m->body[v] = 0;
    m->start[v + 1] = v + 1;
    return v;
}

er_vec3 vertex(const mesh *m, int v)
{
    return er_v3(m->position[3 * v], m->position[3 * v + 1], m->position[3 * v + 2]);
}

void add_triangle(mesh *m, int a, int b, int c)
{
    int t = m->surface.triangle_count++;
    assert_true(t < MANY);
    m->index[3 * t] = a;
    m->index[3 * t + 1] = b;
    m->index[3 * t + 2] = c;
}

void turn_triangle(mesh *m, int t)
{
    int keep = m->index[3 * t + 1];
    m->index[3 * t + 1] = m->index[3 * t + 2];
    m->index[3 * t + 2] = keep;
}

void turn_from(mesh *m, int first)
{
    for (int t = first; t < m->surface.triangle_count; ++t)
        turn_triangle(m, t);
}

void add_patch(mesh *m, er_vec3 corner, er_vec3 u, er_vec3 v, int n, int k)
{
    int first = m->surface.vertex_count;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= k; ++j)
            add_vertex(m, er_v3_madd(er_v3_madd(corner, (double)i / n, u), (double)j / k, v));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j) {
            int a = first + i * (k + 1) + j, b = a + k + 1;
            add_triangle(m, a, b, b + 1);
            add_triangle(m, a, b + 1, a + 1);
        }
}

void add_box(mesh *m, er_vec3 h, int n)
{
    er_vec3 x = er_v3(2 * h.x, 0, 0), y = er_v3(0, 2 * h.y, 0), z = er_v3(0, 0, 2 * h.z);
    er_vec3 low = er_v3(-h.x, -h.y, -h.z);
    add_patch(m, low, y, x, 1, n);
    add_patch(m, low, x, z, n, 1);
    add_patch(m, er_v3_add(low, z), x, y, n, 1);
    add_patch(m, er_v3_add(low, y), z, x, 1, n);
    add_patch(m, low, z, y, 1, 1);
    add_patch(m, er_v3_add(low, x), y, z, 1, 1);
}

// A torus-like grid of n x k vertices, joined around in both ways.
static void join_around(mesh *m, int first, int n, int k)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j) {
            int a = first + i * k + j, b = first + i * k + (j + 1) % k;
            int c = first + (i + 1) % n * k + j, d = first + (i + 1) % n * k + (j + 1) % k;
            add_triangle(m, a, c, d);
            add_triangle(m, a, d, b);
        }
}

void add_torus(mesh *m, double ring, double tube, int n, int k)
{
    int first = m->surface.vertex_count;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j) {
            double a = 2 * ER_PI * i / n, b = 2 * ER_PI * j / k, r = ring + tube * cos(b);
            add_vertex(m, er_v3(r * cos(a), r * sin(a), tube * sin(b)));
        }
    join_around(m, first, n, k);
}

void add_revolved(mesh *m, const double *r, const double *z, int rings, int k)
{
    int first = m->surface.vertex_count;
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < k; ++j)
            add_vertex(m, er_v3(r[i] * cos(2 * ER_PI * j / k), r[i] * sin(2 * ER_PI * j / k), z[i]));
    int bottom = add_vertex(m, er_v3(0, 0, z[0])), top = add_vertex(m, er_v3(0, 0, z[rings - 1]));
    for (int j = 0; j < k; ++j) {
        int next = (j + 1) % k;
        for (int i = 0; i + 1 < rings; ++i) {
            int a = first + i * k + j, b = first + i * k + next;
            add_triangle(m, a, b, b + k);
            add_triangle(m, a, b + k, a + k);
        }
        add_triangle(m, bottom, first + next, first + j);
        add_triangle(m, top, first + (rings - 1) * k + j, first + (rings - 1) * k + next);
    }
}

double random_unit(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 23) - 1.0;
}

er_vec3 random_vec(unsigned *seed)
{
    double x = random_unit(seed), y = random_unit(seed), z = random_unit(seed);
    return er_v3(x, y, z);
}

er_quat random_quat(unsigned *seed)
{
    er_vec3 v = random_vec(seed);
    return er_q_unit(er_q(random_unit(seed), v.x, v.y, v.z));
}

void add_star(mesh *m, unsigned seed, int rings, int k)
{
    int first = m->surface.vertex_count;
    double r[64], z[64];
    assert_true(rings <= 64);
    for (int i = 0; i < rings; ++i) {
        double a = ER_PI * (i + 1) / (rings + 1);
        r[i] = sin(a);
        z[i] = -cos(a);
    }
    add_revolved(m, r, z, rings, k);
    er_affine inverse = er_affine_inverse(m->place);
    for (int v = first; v < m->surface.vertex_count; ++v) {
        er_vec3 x = er_affine_point(inverse, vertex(m, v));
        er_vec3 p = er_affine_point(m->place, er_v3_scale(1.0 + 0.35 * random_unit(&seed), x));
        memcpy(m->position + 3 * v, &p, sizeof p);
    }
}

void skin(mesh *m, int bodies, void (*weights)(er_vec3 x, double *weight))
{
    int count = 0;
    for (int v = 0; v < m->surface.vertex_count; ++v) {
        double weight[BODIES] = {0}, sum = 0.0;
        weights(vertex(m, v), weight);
        for (int b = 0; b < bodies; ++b)
            sum += weight[b];
        for (int b = 0; b < bodies; ++b) {
            if (weight[b] <= 0.0) continue;
            assert_true(count < MANY);
            m->body[count] = b;
            m->weight[count++] = weight[b] / sum;
        }
        m->start[v + 1] = count;
    }
}

void split_at_x(mesh *m, er_affine place)
{
    er_affine back = er_affine_inverse(place);
    m->place = er_affine_identity();
    for (int t = 0, count = m->surface.triangle_count; t < count; ++t) {
        int *corner = m->index + 3 * t;
        double x = 0.0;
        for (int i = 0; i < 3; ++i)
            x += er_affine_point(back, vertex(m, corner[i])).x;
        for (int i = 0; i < 3; ++i) {
            corner[i] = add_vertex(m, vertex(m, corner[i]));
            m->body[corner[i]] = x < 0.0 ? 0 : 1;
        }
    }
}

er_affine placed(unsigned seed, double scale)
{
    er_affine a = er_affine_from_pose((er_pose){random_quat(&seed), random_vec(&seed)});
    a.linear = er_m3_madd((er_mat3){{{0}}}, scale, a.linear);
    return a;
}
