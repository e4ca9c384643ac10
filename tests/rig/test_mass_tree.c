// Queries of the quadrature of masses: nearest faces, faces near a cube, lines through the surface. Each is compared
// with a search of all faces, and winding numbers with solid angles.
#include <float.h>
#include <string.h>

#include "meshes.h"
#include "rig/mass/box.h"
#include "rig/mass/cells.h"
#include "support/context.h"

static mesh m;
static er_arena *arena;
static eri_mass_solid *solid;
static eri_face_tree *tree;

static void by_slices(er_vec3 x, double *weight)
{
    weight[x.z < -0.3 ? 0 : x.z < 0.2 ? 1 : 2] = 1.0;
    if (fabs(x.x) > 0.8) weight[3] = 0.5;
}

// Made ready, as a whole: a tree of all faces.
static void make_solid(int bodies, int cells)
{
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    assert_int_equal(eri_solid_build(arena, &m.surface, bodies, &solid), ER_OK);
    assert_int_equal(eri_solid_grade(arena, solid, cells), ER_OK);
    assert_int_equal(eri_solid_orient(arena, solid), ER_OK);
    assert_int_equal(eri_face_tree_build(arena, solid, solid->face_count, solid->order, &tree), ER_OK);
}

// A star, a ring through it that is turned inside out, and a face without area.
static int set_up_solid(void **state)
{
    m = mesh_create();
    add_star(&m, 5, 7, 10);
    int first = m.surface.triangle_count;
    m.place.translation = er_v3(0.9, 0.1, 0.2);
    add_torus(&m, 0.6, 0.25, 12, 7);
    turn_from(&m, first);
    m.place.translation = er_v3(0, 0, 0);
    int middle = add_vertex(&m, er_v3_scale(0.5, er_v3_add(vertex(&m, 0), vertex(&m, 1))));
    add_triangle(&m, 0, middle, 1);
    skin(&m, 4, by_slices);
    make_solid(4, 1500);
    return 0;
}

static int tear_down_solid(void **state)
{
    eri_arena_destroy(arena);
    mesh_destroy(&m);
    return 0;
}

static er_vec3 corner_of(int face, int corner)
{
    return solid->position[solid->face[face].vertex[corner]];
}

// Random places of the box around the solid, and a little beyond.
static er_vec3 somewhere(unsigned *seed)
{
    return er_v3_scale(0.6, random_vec(seed));
}

static eri_cube random_cube(unsigned *seed)
{
    eri_cube cube = {somewhere(seed), 0.0};
    cube.half = 0.3 * pow(0.02, 0.5 * (random_unit(seed) + 1.0));
    return cube;
}

static er_vec3 within(eri_cube cube, unsigned *seed)
{
    return er_v3_madd(cube.centre, cube.half, random_vec(seed));
}

// ---- by trying all

static double segment_distance(er_vec3 x, er_vec3 a, er_vec3 b)
{
    er_vec3 along = er_v3_sub(b, a);
    double length2 = er_v3_dot(along, along);
    double t = length2 > 0.0 ? fmin(fmax(er_v3_dot(er_v3_sub(x, a), along) / length2, 0.0), 1.0) : 0.0;
    return er_v3_distance(x, er_v3_madd(a, t, along));
}

static double face_distance(int face, er_vec3 x)
{
    er_vec3 p[3], n, foot;
    double best = HUGE_VAL;
    bool above = true;
    for (int c = 0; c < 3; ++c)
        p[c] = corner_of(face, c);
    n = er_v3_unit(er_v3_cross(er_v3_sub(p[1], p[0]), er_v3_sub(p[2], p[0])), er_v3(0, 0, 0));
    double height = er_v3_dot(n, er_v3_sub(x, p[0]));
    foot = er_v3_madd(x, -height, n);
    for (int c = 0; c < 3; ++c) {
        er_vec3 a = p[c], b = p[(c + 1) % 3];
        best = fmin(best, segment_distance(x, a, b));
        above &= er_v3_dot(n, er_v3_cross(er_v3_sub(b, a), er_v3_sub(foot, a))) > 0.0;
    }
    return above ? fabs(height) : best;
}

static double surface_distance(er_vec3 x)
{
    double best = HUGE_VAL;
    for (int f = 0; f < solid->face_count; ++f)
        best = fmin(best, face_distance(f, x));
    return best;
}

// Sum of solid angles (Van Oosterom, Strackee 1983), faces as their parts are turned.
static int slow_winding(er_vec3 x)
{
    double sum = 0.0;
    for (int f = 0; f < solid->face_count; ++f) {
        er_vec3 p[3];
        double n[3];
        for (int c = 0; c < 3; ++c) {
            p[c] = er_v3_sub(corner_of(f, c), x);
            n[c] = er_v3_norm(p[c]);
        }
        double angle = 2.0 * atan2(er_v3_dot(p[0], er_v3_cross(p[1], p[2])),
                                   n[0] * n[1] * n[2] + er_v3_dot(p[0], p[1]) * n[2] + er_v3_dot(p[1], p[2]) * n[0] +
                                       er_v3_dot(p[2], p[0]) * n[1]);
        sum += solid->component[solid->face[f].component].sign * angle;
    }
    return (int)lround(sum / (4.0 * ER_PI));
}

static void box_of(int face, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        low[k] = fmin(eri_axis(corner_of(face, 0), k),
                      fmin(eri_axis(corner_of(face, 1), k), eri_axis(corner_of(face, 2), k)));
        high[k] = fmax(eri_axis(corner_of(face, 0), k),
                       fmax(eri_axis(corner_of(face, 1), k), eri_axis(corner_of(face, 2), k)));
    }
}

static double gap(const double low[3], const double high[3], eri_cube cube)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double c = eri_axis(cube.centre, k), away = fmax(fmax(low[k] - c - cube.half, c - cube.half - high[k]), 0.0);
        sum += away * away;
    }
    return sqrt(sum);
}

// From the nearest point of the surface to the farthest corner of a cube.
static double reach_of(eri_cube cube, const eri_nearest *nearest)
{
    er_vec3 p = {0};
    double reach = 0.0;
    for (int c = 0; c < 3; ++c)
        p = er_v3_madd(p, nearest->share[c], corner_of(nearest->face, c));
    for (int i = 0; i < 8; ++i) {
        er_vec3 corner = er_v3_madd(cube.centre, cube.half, er_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        reach = fmax(reach, er_v3_distance(p, corner));
    }
    return reach;
}

// The faces below a node.
static void gather(int node, bool *below)
{
    if (tree->node[node].face >= 0) {
        below[tree->node[node].face] = true;
        return;
    }
    gather(node + 1, below);
    gather(tree->node[node].second, below);
}

static const int whole_tree[] = {0};
static const eri_near everything = {1, whole_tree};

// ---- tests

static double middle_of(int face, int axis)
{
    return eri_axis(corner_of(face, 0), axis) + eri_axis(corner_of(face, 1), axis) + eri_axis(corner_of(face, 2), axis);
}

// A node's box, cell_size and owner are those of all faces below it, which are halved where their middles spread most.
static void check_node(int node, int *leaves)
{
    const eri_face_tree_node *n = &tree->node[node];
    size_t faces = (size_t)solid->face_count;
    bool *first = calloc(faces, sizeof *first), *second = calloc(faces, sizeof *second);
    double low[3], high[3], finest = HUGE_VAL, spread[3] = {0}, all_low[3], all_high[3];
    double split[2][3] = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    int owner = -2, count[2] = {0};
    for (int k = 0; k < 3; ++k)
        all_low[k] = HUGE_VAL, all_high[k] = -HUGE_VAL;
    if (n->face < 0) {
        gather(node + 1, first);
        gather(n->second, second);
    } else {
        first[n->face] = true;
        ++*leaves;
    }
    for (int k = 0; k < 3; ++k) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int f = 0; f < solid->face_count; ++f) {
            if (!first[f] && !second[f]) continue;
            box_of(f, low, high);
            all_low[k] = fmin(all_low[k], low[k]);
            all_high[k] = fmax(all_high[k], high[k]);
            least = fmin(least, middle_of(f, k));
            most = fmax(most, middle_of(f, k));
            if (first[f]) split[0][k] = fmax(split[0][k], middle_of(f, k));
            if (second[f]) split[1][k] = fmin(split[1][k], middle_of(f, k));
        }
        spread[k] = most - least;
        assert_true(n->low[k] == all_low[k] && n->high[k] == all_high[k]);
    }
    for (int f = 0; f < solid->face_count; ++f) {
        if (!first[f] && !second[f]) continue;
        ++count[second[f]];
        finest = fmin(finest, solid->face[f].cell_size);
        owner = owner == -2 || owner == solid->face[f].owner ? solid->face[f].owner : -1;
    }
    assert_true(n->finest == finest && n->owner == owner);
    assert_true(n->extent == fmax(n->high[0] - n->low[0], fmax(n->high[1] - n->low[1], n->high[2] - n->low[2])));
    if (n->face < 0) {
        int widest = spread[0] >= spread[1] && spread[0] >= spread[2] ? 0 : spread[1] >= spread[2] ? 1 : 2;
        assert_true(count[1] - count[0] == 0 || count[1] - count[0] == 1);
        assert_true(split[0][widest] <= split[1][widest]);
        check_node(node + 1, leaves);
        check_node(n->second, leaves);
    }
    free(first);
    free(second);
}

static void a_tree_s_boxes_are_those_of_its_faces(void **state)
{
    int leaves = 0;
    check_node(0, &leaves);
    assert_int_equal(leaves, solid->face_count);
}

static void a_face_made_ready_lies_in_its_ball(void **state)
{
    int thin = 0;
    for (int f = 0; f < solid->face_count; ++f) {
        const eri_face_plane *flat = &tree->plane[f];
        er_vec3 middle = er_v3((double)flat->middle[0], (double)flat->middle[1], (double)flat->middle[2]);
        double most = 0.0;
        for (int c = 0; c < 3; ++c)
            most = fmax(most, er_v3_distance(middle, corner_of(f, c)));
        assert_true(most <= (double)flat->radius && (double)flat->radius < most + 2e-6);
        assert_int_equal(flat->face, f);
        er_vec3 ab = er_v3_sub(corner_of(f, 1), corner_of(f, 0)), ac = er_v3_sub(corner_of(f, 2), corner_of(f, 0));
        er_vec3 n = er_v3_cross(ab, ac);
        thin += flat->thin;
        assert_int_equal(flat->thin, er_v3_norm(n) < 1e-9 * er_v3_norm(ab) * er_v3_norm(ac));
        if (!flat->thin) assert_true(er_v3_distance(flat->normal, er_v3_unit(n, n)) < 1e-12);
    }
    assert_true(thin > 0);
}

static void expect_nearest(er_vec3 x, eri_nearest found, double distance, double tolerance)
{
    er_vec3 p = {0};
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        assert_true(found.share[c] >= 0.0);
        sum += found.share[c];
        p = er_v3_madd(p, found.share[c], corner_of(found.face, c));
    }
    assert_true(fabs(sum - 1.0) < 1e-9);
    assert_true(fabs(sqrt(found.distance2) - distance) < tolerance);
    assert_true(fabs(er_v3_distance(p, x) - sqrt(found.distance2)) < 1e-7);
}

static void the_nearest_face_is_that_of_all(void **state)
{
    unsigned seed = 1;
    for (int i = 0; i < trials(400); ++i) {
        er_vec3 x = somewhere(&seed);
        int from = (int)((random_unit(&seed) + 1.0) * 0.5 * solid->face_count) % solid->face_count;
        expect_nearest(x, eri_face_tree_nearest(tree, everything, x, from), surface_distance(x), 1e-9);
    }
    for (int f = 0; f < solid->face_count; ++f) { // at corners and on edges and faces
        const er_vec3 a = corner_of(f, 0), b = corner_of(f, 1), c = corner_of(f, 2);
        const er_vec3 on[] = {a, er_v3_scale(0.5, er_v3_add(b, c)),
                              er_v3_scale(1.0 / 3.0, er_v3_add(a, er_v3_add(b, c)))};
        for (int i = 0; i < 3; ++i)
            expect_nearest(on[i], eri_face_tree_nearest(tree, everything, on[i], 0), 0.0, 1e-7);
    }
}

// All that was dropped is farther from the cube than what is nearest can be; what is kept is not.
static void a_list_is_narrowed_to_what_a_cube_needs(void **state)
{
    unsigned seed = 2;
    size_t faces = (size_t)solid->face_count;
    int *out = calloc(2 * faces, sizeof *out), passed = 0, owned = 0, inner = 0;
    bool *kept = calloc(faces, sizeof *kept), *one = calloc(faces, sizeof *one);
    for (int i = 0; i < trials(200); ++i) {
        eri_cube cube = random_cube(&seed);
        eri_near near = everything;
        for (int depth = 0; depth < 3; ++depth) { // each in the one before
            eri_nearest nearest = eri_face_tree_nearest(tree, near, cube.centre, 0);
            eri_vicinity vicinity;
            int *list = depth % 2 == 0 ? out : out + faces;
            int count = eri_face_tree_narrow(tree, near, cube, &nearest, list, &vicinity);
            double reach = reach_of(cube, &nearest), finest = HUGE_VAL;
            int owner = solid->face[nearest.face].owner;
            bool may_pass = false, passes = false;
            near = (eri_near){count, list};
            memset(kept, 0, faces);
            for (int k = 0; k < count; ++k) {
                const eri_face_tree_node *n = &tree->node[list[k]];
                assert_true(gap(n->low, n->high, cube) <= reach * (1.0 + 1e-8));
                may_pass |= gap(n->low, n->high, cube) == 0.0;
                memset(one, 0, faces);
                gather(list[k], one);
                int below = 0;
                for (size_t f = 0; f < faces; ++f) {
                    double low[3], high[3];
                    if (!one[f]) continue;
                    assert_false(kept[f]); // once
                    kept[f] = true;
                    ++below;
                    finest = fmin(finest, solid->face[f].cell_size);
                    if (solid->face[f].owner != owner) owner = -1;
                    box_of((int)f, low, high);
                    // what is whole is small, or needed to the last face
                    if (n->extent > 4.0 * cube.half)
                        assert_true(gap(low, high, cube) <= reach + 4.0 * sqrt(3.0) * cube.half);
                }
                inner += below > 1;
            }
            for (size_t f = 0; f < faces; ++f) {
                double low[3], high[3];
                box_of((int)f, low, high);
                double away = gap(low, high, cube);
                passes |= away == 0.0;
                assert_true(kept[f] || away > reach * (1.0 - 1e-8));
            }
            assert_true(vicinity.finest == finest && vicinity.owner == owner);
            assert_true(vicinity.passed ? may_pass : !passes);
            passed += vicinity.passed;
            owned += vicinity.owner >= 0;
            for (int k = 0; k < 3; ++k) {
                er_vec3 x = within(cube, &seed);
                double d = surface_distance(x);
                expect_nearest(x, eri_face_tree_nearest(tree, near, x, nearest.face), d, 1e-9);
            }
            cube = (eri_cube){er_v3_madd(cube.centre, 0.5 * cube.half, er_v3(depth == 1 ? -1 : 1, 1, -1)),
                              0.5 * cube.half};
        }
    }
    assert_true(passed >= trials(21) && owned >= trials(21) && inner >= trials(21)); // all of it was there to be judged
    free(one);
    free(kept);
    free(out);
}

// Leaves by their nodes, all of the tree's or those whose boxes meet a cube.
static int leaves_of(const eri_cube *cube, int *leaf)
{
    int count = 0;
    for (int i = 0; i < 2 * solid->face_count - 1; ++i) {
        double low[3], high[3];
        if (tree->node[i].face < 0) continue;
        box_of(tree->node[i].face, low, high);
        if (cube == NULL || gap(low, high, *cube) == 0.0) leaf[count++] = i;
    }
    return count;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void leaves_that_pass_a_cube_are_found(void **state)
{
    unsigned seed = 3;
    size_t faces = (size_t)solid->face_count;
    int *out = calloc(faces, sizeof *out), *slow = calloc(faces, sizeof *slow), some = 0;
    for (int i = 0; i < trials(200); ++i) {
        eri_cube cube = random_cube(&seed);
        int count = eri_face_tree_passing(tree, everything, cube, out), expected = leaves_of(&cube, slow);
        qsort(out, (size_t)count, sizeof *out, ascending);
        assert_int_equal(count, expected);
        assert_memory_equal(out, slow, (size_t)count * sizeof *out);
        some += count > 0;
    }
    assert_true(some >= trials(21));
    free(slow);
    free(out);
}

static int sum_of_steps(int count, const eri_crossing *crossing, double low, double high)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += crossing[i].at > low && crossing[i].at <= high ? crossing[i].step : 0;
    return sum;
}

static void lines_cross_the_surface_where_its_winding_number_changes(void **state)
{
    unsigned seed = 4;
    size_t faces = (size_t)solid->face_count;
    eri_crossing *all = calloc(faces, sizeof *all), *some = calloc(faces, sizeof *some);
    int *leaf = calloc(faces, sizeof *leaf), leaves = leaves_of(NULL, leaf), inside = 0;
    for (int i = 0; i < trials(300); ++i) {
        er_vec3 x = somewhere(&seed);
        if (surface_distance(x) < 1e-4) continue;
        int winding = slow_winding(x);
        inside += winding != 0;
        for (int axis = 0; axis < 3; ++axis) {
            double at = eri_axis(x, axis), low = at - 0.2, high = at + 0.1;
            int count = eri_face_tree_line(tree, axis, x, HUGE_VAL, all);
            assert_int_equal(sum_of_steps(count, all, -HUGE_VAL, HUGE_VAL), 0);
            assert_int_equal(sum_of_steps(count, all, -HUGE_VAL, at), winding);
            for (int k = 0; k < count; ++k) { // on the face's plane
                er_vec3 p = axis == 0   ? er_v3(all[k].at, x.y, x.z)
                            : axis == 1 ? er_v3(x.x, all[k].at, x.z)
                                        : er_v3(x.x, x.y, all[k].at);
                assert_true(face_distance(all[k].face, p) < 1e-9);
            }
            int until = eri_face_tree_line(tree, axis, x, at, some);
            assert_int_equal(sum_of_steps(until, some, -HUGE_VAL, HUGE_VAL), winding);
            assert_true(sum_of_steps(until, some, at, HUGE_VAL) == 0);
            int between = eri_leaves_line(tree, leaves, leaf, axis, x, low, high, some), expected = 0;
            for (int k = 0; k < count; ++k)
                expected += all[k].at > low && all[k].at <= high;
            assert_int_equal(between, expected);
            assert_int_equal(sum_of_steps(between, some, low, high), sum_of_steps(count, all, low, high));
        }
    }
    assert_true(inside >= trials(21));
    free(leaf);
    free(some);
    free(all);
}

static void between_two_places_the_winding_number_changes_by_steps(void **state)
{
    unsigned seed = 6;
    int *leaf = calloc((size_t)solid->face_count, sizeof *leaf), leaves = leaves_of(NULL, leaf), changes = 0;
    for (int i = 0; i < trials(400); ++i) {
        er_vec3 x = somewhere(&seed), y = i % 4 == 0 ? er_v3_madd(x, 0.1, random_vec(&seed)) : somewhere(&seed);
        if (surface_distance(x) < 1e-4 || surface_distance(y) < 1e-4) continue;
        int step = slow_winding(y) - slow_winding(x);
        changes += step != 0;
        assert_int_equal(eri_face_tree_step(tree, everything, x, y), step);
        assert_int_equal(eri_face_tree_step(tree, everything, y, x), -step);
        assert_int_equal(eri_leaves_step(tree, leaves, leaf, x, y), step);
        assert_int_equal(eri_leaves_step(tree, leaves, leaf, x, x), 0);
    }
    assert_true(changes >= trials(21));
    free(leaf);
}

// Nodes within reach that are leaves, or smaller than what is fine.
static int count_pooled(int node, eri_cube cube, double reach, double fine)
{
    const eri_face_tree_node *n = &tree->node[node];
    if (gap(n->low, n->high, cube) > reach) return 0;
    if (n->face >= 0 || n->extent < fine) return 1;
    return count_pooled(node + 1, cube, reach, fine) + count_pooled(n->second, cube, reach, fine);
}

static void a_pool_s_nearest_face_is_that_of_all_but_for_what_is_fine(void **state)
{
    unsigned seed = 7;
    eri_face_balls pool;
    int fewer = 0;
    assert_int_equal(eri_face_balls_create(arena, solid->face_count, &pool), ER_OK);
    for (int i = 0; i < trials(150); ++i) {
        eri_cube cube = random_cube(&seed);
        eri_nearest nearest = eri_face_tree_nearest(tree, everything, cube.centre, 0);
        int whole = 0;
        for (int k = 0; k < 3; ++k) {
            double fine = k == 0 ? 0.0 : k == 1 ? 0.03 : 0.3, largest = 0.0;
            eri_face_balls_fill(&pool, tree, everything, cube, &nearest, fine);
            if (k == 0) whole = pool.count;
            fewer += pool.count < whole;
            assert_int_equal(pool.count, count_pooled(0, cube, reach_of(cube, &nearest) * (1.0 + 1e-12), fine));
            for (int f = 0; f < pool.count; ++f) {
                const eri_face_plane *flat = &tree->plane[pool.face[f]];
                assert_true(pool.x[f] == flat->middle[0] && pool.y[f] == flat->middle[1] &&
                            pool.z[f] == flat->middle[2]);
                assert_true(fabs((double)pool.radius[f] - fmax((double)flat->radius - fine, 0.0)) < 1e-7);
                largest = fmax(largest, (double)pool.radius[f]);
            }
            assert_true(pool.largest == largest);
            for (int p = 0; p < 4; ++p) {
                er_vec3 x = within(cube, &seed);
                double d = surface_distance(x);
                eri_nearest found = eri_face_balls_nearest(&pool, x);
                assert_true(sqrt(found.distance2) > d - 1e-6);
                expect_nearest(x, found, d, 2e-6 + (1.0 + sqrt(3.0)) * fine);
            }
        }
    }
    assert_true(fewer >= trials(21));
}

// ---- the quadrature

// The result by docs/math/mass.md for a cube of half side 1/2 about the origin, whose bodies have equal weights
// everywhere.
typedef struct cuboids {
    double cell_size, slope;
    bool owned; // by one body
    long count;
    double volume, second; // of all, its trace about the origin
} cuboids;

static void add_cuboid(cuboids *c, er_vec3 at, er_vec3 half)
{
    double volume = 8.0 * half.x * half.y * half.z;
    ++c->count;
    c->volume += volume;
    c->second += volume * (er_v3_dot(at, at) + er_v3_dot(half, half) / 3.0);
}

// Lines through a cube, along the axis whose side of the solid is nearest.
static void add_lines(cuboids *c, er_vec3 at, double half)
{
    double centre[3] = {at.x, at.y, at.z}, width = half / 4.0;
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (fabs(centre[k]) > fabs(centre[axis]) + 1e-9) axis = k;
    double low = fmax(centre[axis] - half, -0.5), high = fmin(centre[axis] + half, 0.5);
    for (int i = 0; i < 16; ++i) {
        double p[3], h[3] = {width, width, width};
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        p[u] = centre[u] - half + (2 * (i / 4) + 1) * width;
        p[v] = centre[v] - half + (2 * (i % 4) + 1) * width;
        if (fabs(p[u]) > 0.5 || fabs(p[v]) > 0.5) continue;
        int pieces = c->owned ? 1 : (int)ceil((high - low) / half);
        h[axis] = 0.5 * (high - low) / pieces;
        for (int k = 0; k < pieces; ++k) {
            p[axis] = low + (2 * k + 1) * h[axis];
            add_cuboid(c, er_v3(p[0], p[1], p[2]), er_v3(h[0], h[1], h[2]));
        }
    }
}

static void add_cube(cuboids *c, er_vec3 at, double half)
{
    double out[3] = {fabs(at.x) - 0.5, fabs(at.y) - 0.5, fabs(at.z) - 0.5}, most = fmax(out[0], fmax(out[1], out[2]));
    double beyond = er_v3_norm(er_v3(fmax(out[0], 0.0), fmax(out[1], 0.0), fmax(out[2], 0.0)));
    double distance = most > 0.0 ? beyond : -most, wanted = 2.0 * fmax(c->cell_size, c->slope * distance);
    bool meets = most <= half, encloses = most < -half; // the side nearest passes it, or lies beyond
    if (!meets) return;
    if (encloses && (c->owned || 2.0 * half <= wanted)) {
        double h = c->owned ? half : half / 3.0;
        for (int i = 0; i < (c->owned ? 1 : 27); ++i) {
            er_vec3 step = c->owned ? er_v3(0, 0, 0) : er_v3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            add_cuboid(c, er_v3_madd(at, 2.0 * h, step), er_v3(h, h, h));
        }
    } else if (!encloses && 2.0 * half <= fmin(wanted, 0.5)) {
        add_lines(c, at, half);
    } else {
        for (int i = 0; i < 8; ++i)
            add_cube(c, er_v3_madd(at, 0.5 * half, er_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)), 0.5 * half);
    }
}

static int sharing; // bodies of each vertex, equally

static void equally(er_vec3 x, double *weight)
{
    (void)x;
    for (int b = 0; b < sharing; ++b)
        weight[b] = 1.0;
}

static void a_cube_is_cut_as_the_manual_says(void **state)
{
    static const struct {
        int bodies, cells;
    } cases[] = {{1, 1500}, {1, 90}, {2, 1000}, {3, 60}, {40, 3000}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        int bodies = cases[i].bodies, share = cases[i].cells / (bodies > 2 ? bodies : 2);
        share = share < 160 ? 160 : share;
        m = mesh_create();
        m.place.translation = er_v3(3, 2, 1);
        add_box(&m, er_v3(0.37, 0.37, 0.37), 1);
        sharing = bodies;
        skin(&m, bodies, equally);
        make_solid(bodies, cases[i].cells);
        eri_cells found = {0};
        found.mass = eri_arena_alloc(arena, (size_t)bodies + 1, sizeof *found.mass);
        assert_int_equal(eri_cells_integrate(arena, tree, &solid->region[0], &found), ER_OK);
        cuboids slow = {.cell_size = sqrt(6.0 / bodies / share), .slope = 2.0 / sqrt(share), .owned = bodies == 1};
        add_cube(&slow, er_v3(0, 0, 0), 0.53125); // a sixteenth larger than the solid
        assert_int_equal(found.count, slow.count);
        assert_true(fabs(found.volume / slow.volume - 1.0) < 1e-12 && found.signed_volume == found.volume);
        double sum = 0.0;
        for (int b = 0; b < bodies; ++b) {
            const eri_mass *own = &found.mass[b];
            assert_true(fabs(own->mass * bodies / slow.volume - 1.0) < 1e-10);
            assert_true(er_v3_norm(own->moment) < 2e-3 * own->mass); // which side is nearest to an edge, rounding says
            sum += own->second.m[0][0] + own->second.m[1][1] + own->second.m[2][2];
        }
        assert_true(fabs(sum / slow.second - 1.0) < 1e-10);
        assert_true(found.mass[bodies].mass == 0.0);
        eri_arena_destroy(arena);
        mesh_destroy(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_s_boxes_are_those_of_its_faces, set_up_solid, tear_down_solid),
        cmocka_unit_test_setup_teardown(a_face_made_ready_lies_in_its_ball, set_up_solid, tear_down_solid),
        cmocka_unit_test_setup_teardown(the_nearest_face_is_that_of_all, set_up_solid, tear_down_solid),
        cmocka_unit_test_setup_teardown(a_list_is_narrowed_to_what_a_cube_needs, set_up_solid, tear_down_solid),
        cmocka_unit_test_setup_teardown(leaves_that_pass_a_cube_are_found, set_up_solid, tear_down_solid),
        cmocka_unit_test_setup_teardown(lines_cross_the_surface_where_its_winding_number_changes, set_up_solid,
                                        tear_down_solid),
        cmocka_unit_test_setup_teardown(between_two_places_the_winding_number_changes_by_steps, set_up_solid,
                                        tear_down_solid),
        cmocka_unit_test_setup_teardown(a_pool_s_nearest_face_is_that_of_all_but_for_what_is_fine, set_up_solid,
                                        tear_down_solid),
        cmocka_unit_test(a_cube_is_cut_as_the_manual_says),
    };
    return cmocka_run_group_tests_name("mass_tree", tests, set_up, tear_down);
}
