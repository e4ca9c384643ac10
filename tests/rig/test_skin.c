// Skin that bones share, judged by a slow route: places found by comparing all vertices, integrals by a rule of three
// points, which is exact for products of linear weights.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "rig/skin.h"
#include "support/context.h"
#include "support/judge.h"

enum { SURFACES = 3, VERTICES = 40, TRIANGLES = 60, INFLUENCES = 3, BONES = 20 };

typedef struct patch {
    double position[3 * VERTICES];
    int index[3 * TRIANGLES], start[VERTICES + 1], body[INFLUENCES * VERTICES];
    double weight[INFLUENCES * VERTICES];
} patch;

// Vertices on a coarse grid, so that many are in one place; the last bone is nobody's.
static eri_skin_surface random_patch(dice *d, patch *p)
{
    for (int v = 0; v < VERTICES; ++v) {
        double left = 1.0;
        for (int k = 0; k < 3; ++k)
            p->position[3 * v + k] = (double)dice_below(d, 3) + 0.25 * k;
        p->start[v + 1] = p->start[v];
        for (int i = 0; i < INFLUENCES; ++i) {
            double share = dice_uniform(d, 0.0, left);
            p->body[p->start[v + 1]] = dice_below(d, BONES + 1);
            p->weight[p->start[v + 1]++] = share;
            left -= share;
        }
    }
    for (int i = 0; i < 3 * TRIANGLES; ++i)
        p->index[i] = dice_below(d, VERTICES);
    return (eri_skin_surface){VERTICES, p->position, TRIANGLES, p->index, p->start, p->body, p->weight};
}

static er_vec3 point_of(const eri_skin_surface *s, int vertex)
{
    return er_v3(s->position[3 * vertex], s->position[3 * vertex + 1], s->position[3 * vertex + 2]);
}

// Mean weights of all vertices of all surfaces that are where one is.
static void mean_weights(int count, const eri_skin_surface *all, er_vec3 at, double near, double weight[BONES])
{
    int here = 0;
    memset(weight, 0, BONES * sizeof *weight);
    for (int s = 0; s < count; ++s)
        for (int v = 0; v < all[s].vertex_count; ++v) {
            if (er_v3_distance(point_of(&all[s], v), at) > near) continue;
            ++here;
            for (int k = all[s].influence_start[v]; k < all[s].influence_start[v + 1]; ++k)
                if (all[s].influence_body[k] < BONES) weight[all[s].influence_body[k]] += all[s].influence_weight[k];
        }
    for (int b = 0; b < BONES; ++b)
        weight[b] /= here;
}

static void add_slowly(int count, const eri_skin_surface *all, double shared[BONES][BONES])
{
    memset(shared, 0, BONES * BONES * sizeof(double));
    for (int s = 0; s < count; ++s)
        for (int t = 0; t < all[s].triangle_count; ++t) {
            er_vec3 p[3];
            double w[3][BONES];
            for (int c = 0; c < 3; ++c) {
                p[c] = point_of(&all[s], all[s].index[3 * t + c]);
                mean_weights(count, all, p[c], 1e-3, w[c]);
            }
            double area = 0.5 * er_v3_norm(er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0])));
            for (int i = 0; i < BONES; ++i)
                for (int j = 0; j < BONES; ++j)
                    for (int c = 0; c < 3; ++c) { // in the middle of each edge
                        double a = 0.5 * (w[c][i] + w[(c + 1) % 3][i]), b = 0.5 * (w[c][j] + w[(c + 1) % 3][j]);
                        shared[i][j] += area / 3.0 * a * b;
                    }
        }
}

static eri_skin_graph graph_of(er_arena *arena, int count, const eri_skin_surface *surface, int bones, double near)
{
    eri_skin_graph graph;
    assert_int_equal(eri_skin_graph_make(arena, count, surface, bones, near, &graph), ER_OK);
    return graph;
}

static void bones_share_the_integral_of_the_product_of_their_weights(void **state)
{
    dice d = {5};
    for (int round = 0; round < 4; ++round) {
        static patch patches[SURFACES];
        static double shared[BONES][BONES];
        eri_skin_surface surface[SURFACES] = {0};
        er_arena *arena;
        int count = round % SURFACES + 1;
        memset(patches, 0, sizeof patches);
        for (int s = 0; s < count; ++s)
            surface[s] = random_patch(&d, &patches[s]);
        surface[0].triangle_count -= round; // of different sizes
        add_slowly(count, surface, shared);
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        eri_skin_graph graph = graph_of(arena, count, surface, BONES, 1e-3);
        assert_int_equal(graph.start[0], 0);
        for (int i = 0; i < BONES; ++i) {
            int others = 0;
            for (int j = 0; j < BONES; ++j) {
                double expected = i != j ? shared[i][j] : 0.0;
                others += expected > 0.0;
                measure_at_most("skin shared", fabs(eri_skin_shared(&graph, i, j) - expected), 1e-12);
            }
            assert_int_equal(graph.start[i + 1] - graph.start[i], others);
            for (int k = graph.start[i]; k < graph.start[i + 1]; ++k)
                assert_true(k == graph.start[i] || graph.contact[k].bone > graph.contact[k - 1].bone);
        }
        eri_arena_destroy(arena);
    }
}

// Two triangles that meet in an edge, each of its own bone, their vertices apart along one axis.
static void vertices_within_half_of_what_is_near_are_in_one_place(void **state)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int far = 0; far < 2; ++far) {
            double position[] = {0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0};
            static const int index[] = {0, 1, 2, 3, 4, 5}, start[] = {0, 1, 2, 3, 4, 5, 6};
            static const int body[] = {0, 0, 0, 1, 1, 1};
            static const double weight[] = {1, 1, 1, 1, 1, 1};
            for (int v = 3; v < 6; ++v)
                position[3 * v + axis] += far == 1 ? 0.006 : 0.004;
            const eri_skin_surface surface = {6, position, 2, index, start, body, weight};
            er_arena *arena;
            assert_int_equal(eri_arena_create(context, &arena), ER_OK);
            eri_skin_graph graph = graph_of(arena, 1, &surface, 2, 0.01);
            assert_int_equal(eri_skin_shared(&graph, 0, 1) > 0.0, far == 0);
            eri_arena_destroy(arena);
        }
}

// No more than 32 bones of a place, nor of a triangle, are looked at: the first.
static void the_first_bones_of_a_triangle_count(void **state)
{
    enum { MANY = 60 };
    static const double position[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const int index[] = {0, 1, 2};
    for (int spread = 0; spread < 2; ++spread) {
        int start[4] = {0, spread == 1 ? MANY / 3 : MANY, spread == 1 ? 2 * MANY / 3 : MANY, MANY}, body[MANY];
        double weight[MANY], area = 0.5, expected;
        for (int i = 0; i < MANY; ++i) {
            body[i] = MANY - 1 - i;
            weight[i] = 1.0;
        }
        const eri_skin_surface surface = {3, position, 1, index, start, body, weight};
        er_arena *arena;
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        eri_skin_graph graph = graph_of(arena, 1, &surface, MANY, 0.01);
        for (int i = 0; i < MANY; ++i)
            for (int j = 0; j < i; ++j) {
                bool of_one_corner = spread == 0 || (MANY - 1 - i) / 20 == (MANY - 1 - j) / 20;
                expected = area * (of_one_corner ? 1.0 / 6.0 : 1.0 / 12.0);
                if (MANY - 1 - j >= 32) expected = 0.0;
                measure_at_most("skin of many", fabs(eri_skin_shared(&graph, i, j) - expected), 1e-15);
                assert_true(eri_skin_shared(&graph, j, i) == eri_skin_shared(&graph, i, j));
            }
        eri_arena_destroy(arena);
    }
}

static void nothing_shares_nothing(void **state)
{
    er_arena *arena;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    eri_skin_graph graph = graph_of(arena, 0, NULL, 3, 1.0);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(graph.start[i + 1], 0);
    assert_true(eri_skin_shared(&graph, 0, 1) == 0.0);
    eri_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bones_share_the_integral_of_the_product_of_their_weights),
        cmocka_unit_test(vertices_within_half_of_what_is_near_are_in_one_place),
        cmocka_unit_test(the_first_bones_of_a_triangle_count),
        cmocka_unit_test(nothing_shares_nothing),
    };
    return cmocka_run_group_tests_name("skin", tests, set_up, tear_down);
}
