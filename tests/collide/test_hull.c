/// @file
/// Hulls: topology by its own laws, planes and mass properties against closed forms and lines through the solid, and
/// what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collide/shapes.h"
#include "support/context.h"
#include "support/ledger.h"

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void assert_near_v3(er_vec3 a, er_vec3 b, double tolerance)
{
    if (!(er_v3_distance(a, b) <= tolerance))
        fail_msg("(%.17g %.17g %.17g) is not (%.17g %.17g %.17g) within %g", a.x, a.y, a.z, b.x, b.y, b.z, tolerance);
}

static void assert_near_m3(er_mat3 a, er_mat3 b, double tolerance)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            assert_near(a.m[i][j], b.m[i][j], tolerance);
}

/// Everything that holds for the surface of a convex solid, looked up one by one.
/// @param tolerance  of lengths
static void assert_convex_surface(const er_hull *h, int count, const er_vec3 *point, double tolerance)
{
    assert_int_equal(h->vertex_count + h->face_count - h->edge_count, 2);
    assert_int_equal(h->face_start[h->face_count], 2 * h->edge_count);
    assert_int_equal(h->vertex_start[h->vertex_count], 2 * h->edge_count);
    double radius = 0;
    for (int v = 0; v < h->vertex_count; ++v) {
        if (v > 0) assert_true(h->source[v] > h->source[v - 1]);
        assert_memory_equal(&h->vertex[v], &point[h->source[v]], sizeof *point);
        radius = fmax(radius, er_v3_norm(point[h->source[v]]));
    }
    assert_true(h->radius == radius);
    for (int f = 0; f < h->face_count; ++f) {
        assert_near(er_v3_norm(h->plane[f].normal), 1, 1e-15);
        for (int i = 0; i < count; ++i)
            if (!(er_v3_dot(h->plane[f].normal, point[i]) <= h->plane[f].offset + tolerance))
                fail_msg("point %d is %g outside face %d", i,
                         er_v3_dot(h->plane[f].normal, point[i]) - h->plane[f].offset, f);
        int first = h->face_start[f], end = h->face_start[f + 1];
        assert_true(end - first >= 3);
        for (int c = first; c < end; ++c) {
            int v = h->face_vertex[c], w = h->face_vertex[c + 1 < end ? c + 1 : first];
            assert_true(v >= h->face_vertex[first]);
            assert_near(er_v3_dot(h->plane[f].normal, h->vertex[v]), h->plane[f].offset, tolerance);
            const er_hull_edge *e = &h->edge[h->face_edge[c]];
            int side = e->face[0] == f ? 0 : 1;
            assert_int_equal(e->face[side], f);
            assert_int_not_equal(e->face[1 - side], f);
            assert_int_equal(e->vertex[side], v);
            assert_int_equal(e->vertex[1 - side], w);
        }
    }
    for (int v = 0; v < h->vertex_count; ++v) {
        assert_true(h->vertex_start[v + 1] - h->vertex_start[v] >= 3);
        for (int s = h->vertex_start[v]; s < h->vertex_start[v + 1]; ++s) {
            const er_hull_edge *e = &h->edge[h->vertex_edge[s]];
            const er_hull_edge *n =
                &h->edge[h->vertex_edge[s + 1 < h->vertex_start[v + 1] ? s + 1 : h->vertex_start[v]]];
            int away = e->vertex[0] == v ? 0 : 1;
            assert_int_equal(e->vertex[away], v);
            assert_int_equal(e->vertex[1 - away], h->neighbour[s]);
            assert_int_equal(e->face[1 - away], n->vertex[0] == v ? n->face[0] : n->face[1]); // clockwise
        }
    }
}

static double face_area(const er_hull *h, int f)
{
    er_vec3 sum = {0};
    for (int c = h->face_start[f]; c < h->face_start[f + 1]; ++c) {
        int next = c + 1 < h->face_start[f + 1] ? c + 1 : h->face_start[f];
        er_vec3 o = h->vertex[h->face_vertex[h->face_start[f]]];
        sum = er_v3_add(sum, er_v3_cross(er_v3_sub(h->vertex[h->face_vertex[c]], o),
                                         er_v3_sub(h->vertex[h->face_vertex[next]], o)));
    }
    return er_v3_dot(sum, h->plane[f].normal) / 2;
}

// Points amid faces, edges and the inside are no corners, and triangles of one plane are one face.
static void a_box_has_six_faces(void **state)
{
    er_vec3 point[27];
    int corner[8], corners = 0;
    for (int i = 0; i < 27; ++i) {
        point[i] = er_v3(i % 3, 2 * (i / 3 % 3), 3 * (i / 9));
        if (i % 3 != 1 && i / 3 % 3 != 1 && i / 9 != 1) corner[corners++] = i;
    }
    er_hull *h = hull_of(27, point);
    assert_int_equal(h->vertex_count, 8);
    assert_int_equal(h->face_count, 6);
    assert_int_equal(h->edge_count, 12);
    assert_memory_equal(h->source, corner, sizeof corner);
    assert_convex_surface(h, 27, point, 1e-15);
    assert_near(h->volume, 2 * 4 * 6, 1e-13);
    assert_near_v3(h->centre, er_v3(1, 2, 3), 1e-15);
    assert_near_m3(h->inertia, (er_mat3){{{4 * (16 + 36), 0, 0}, {0, 4 * (4 + 36), 0}, {0, 0, 4 * (4 + 16)}}}, 1e-12);
    assert_near_v3(h->low, er_v3(0, 0, 0), 0);
    assert_near_v3(h->high, er_v3(2, 4, 6), 0);
    er_hull_destroy(h);
}

// x'x'' of a tetrahedron with corners at the origin and on the axes: integral of x^2 is a^3 b c / 60, of x y a^2 b^2 c
// / 120.
static void a_corner_tetrahedron_has_its_closed_form(void **state)
{
    double a = 2, b = 3, c = 5, v = a * b * c / 6;
    er_vec3 point[4] = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, m = {a / 4, b / 4, c / 4};
    er_hull *h = hull_of(4, point);
    assert_convex_surface(h, 4, point, 1e-15);
    assert_int_equal(h->face_count, 4);
    assert_near(h->volume, v, 1e-14);
    assert_near_v3(h->centre, m, 1e-15);
    double xx = v * a * a / 10 - v * m.x * m.x, yy = v * b * b / 10 - v * m.y * m.y,
           zz = v * c * c / 10 - v * m.z * m.z;
    double xy = v * a * b / 20 - v * m.x * m.y, yz = v * b * c / 20 - v * m.y * m.z,
           zx = v * c * a / 20 - v * m.z * m.x;
    assert_near_m3(h->inertia, (er_mat3){{{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}}, 1e-13);
    er_hull_destroy(h);
}

// The divergence theorem face by face; and lines through the solid along z, which planes cut, on a grid of n^2: their
// ends err by 1 / n^2 where the surface bends.
static void solids_weigh_what_lines_through_them_do(void **state)
{
    dice d = {7};
    for (int trial = 0; trial < 6; ++trial) {
        er_hull *h = roll_hull(&d, trial % 2, 10 + 30 * trial, 1);
        double volume = 0;
        for (int f = 0; f < h->face_count; ++f)
            volume += h->plane[f].offset * face_area(h, f) / 3;
        assert_near(h->volume, volume, 1e-14);
        enum { N = 300 };
        er_vec3 side = er_v3_sub(h->high, h->low), first = {0};
        double sum = 0, xx = 0, xy = 0, zz = 0, zx = 0;
        for (int i = 0; i < N * N; ++i) {
            double x = h->low.x + (i % N + 0.5) / N * side.x, y = h->low.y + (i / N + 0.5) / N * side.y;
            double low = h->low.z, high = h->high.z;
            for (int f = 0; f < h->face_count; ++f) {
                er_vec3 n = h->plane[f].normal;
                double z = (h->plane[f].offset - n.x * x - n.y * y) / n.z;
                if (n.z > 0) high = fmin(high, z);
                if (n.z < 0) low = fmax(low, z);
            }
            if (high <= low) continue;
            double cell = side.x * side.y / (N * N), w = cell * (high - low), z = (high + low) / 2;
            sum += w;
            first = er_v3_madd(first, w, er_v3(x, y, z));
            xx += w * x * x;
            xy += w * x * y;
            zx += w * z * x;
            zz += cell * (high * high * high - low * low * low) / 3;
        }
        er_vec3 c = er_v3_scale(1 / sum, first);
        assert_near(h->volume, sum, 2e-4 * sum);
        assert_near_v3(h->centre, c, 2e-4);
        assert_near(h->inertia.m[1][1], xx + zz - sum * (c.x * c.x + c.z * c.z), 5e-4 * sum);
        assert_near(h->inertia.m[0][1], -(xy - sum * c.x * c.y), 5e-4 * sum);
        assert_near(h->inertia.m[2][0], -(zx - sum * c.z * c.x), 5e-4 * sum);
        er_hull_destroy(h);
    }
}

// Sizes to 1e12 and 1e-9, places far from the origin, plates and needles a millionth as thick: Qhull merges what lies
// within some roundings of a plane.
static void surfaces_close_at_any_size(void **state)
{
    dice d = {11};
    for (int trial = 0; trial < trials(400); ++trial) {
        er_vec3 point[MOST_POINTS], shift = er_v3_scale(trial % 5 == 4 ? 1e3 : 0, roll_direction(&d));
        double size = pow(10, roll(&d, -9, 12));
        int kind = trial % KINDS, count = roll_int(&d, kind >= 4 ? 6 : 4, trial % 20 == 0 ? MOST_POINTS : 40);
        roll_points(&d, kind, count, size, point);
        for (int i = 0; i < count; ++i)
            point[i] = er_v3_madd(point[i], size, shift);
        er_hull *h = hull_of(count, point);
        assert_convex_surface(h, count, point, 5e-14 * size * (1 + er_v3_norm(shift)));
        if (kind == 4 && count % 2 == 0) assert_int_equal(h->face_count, count / 2 + 2); // a prism
        if (kind == 5 && count % 2 == 0) assert_int_equal(h->face_count, count / 2 + 1); // a pyramid
        er_hull_destroy(h);
    }
}

// Mass properties turn, move and scale as the solid does.
static void mass_properties_move_with_the_solid(void **state)
{
    dice d = {13};
    for (int trial = 0; trial < 50; ++trial) {
        er_vec3 point[40], moved[40];
        roll_points(&d, trial % 2, 40, 1, point);
        er_pose pose = {roll_rotation(&d), roll_in_box(&d, 10)};
        double s = pow(10, roll(&d, -3, 3));
        for (int i = 0; i < 40; ++i)
            moved[i] = er_v3_scale(s, er_pose_point(pose, point[i]));
        er_hull *a = hull_of(40, point), *b = hull_of(40, moved);
        er_mat3 turn = er_m3_from_q(pose.q), turned = er_m3_mul(turn, er_m3_mul(a->inertia, er_m3_transpose(turn)));
        assert_near(b->volume / (s * s * s), a->volume, 1e-12); // a shift of 10 loses 4 bits
        assert_near_v3(er_v3_scale(1 / s, b->centre), er_pose_point(pose, a->centre), 1e-12);
        assert_near_m3(er_m3_madd((er_mat3){{{0}}}, pow(s, -5), b->inertia), turned, 1e-12);
        er_hull_destroy(a);
        er_hull_destroy(b);
    }
}

static void boxes_hold_their_hulls_at_any_pose(void **state)
{
    dice d = {17};
    er_hull *h = box_hull(2, 4, 6);
    er_vec3 low, high;
    er_pose quarter = {er_q_exp(er_v3(0, 0, ER_PI / 2)), {10, 0, 0}};
    er_hull_box(h, quarter, &low, &high);
    assert_near_v3(low, er_v3(8, -1, -3), 1e-14);
    assert_near_v3(high, er_v3(12, 1, 3), 1e-14);
    er_hull_destroy(h);
    h = roll_hull(&d, 0, 100, 1);
    er_pose pose = {roll_rotation(&d), roll_in_box(&d, 10)};
    er_hull_box(h, pose, &low, &high);
    er_vec3 least = high, most = low;
    for (int v = 0; v < h->vertex_count; ++v) {
        er_vec3 x = er_pose_point(pose, h->vertex[v]);
        least = er_v3(fmin(least.x, x.x), fmin(least.y, x.y), fmin(least.z, x.z));
        most = er_v3(fmax(most.x, x.x), fmax(most.y, x.y), fmax(most.z, x.z));
    }
    assert_near_v3(low, least, 1e-14);
    assert_near_v3(high, most, 1e-14);
    er_hull_destroy(h);
}

/// The face of another hull whose corners come from the same points, which are numbered backwards there.
static int same_face(const er_hull *a, int f, const er_hull *b, int count)
{
    for (int g = 0; g < b->face_count; ++g) {
        int corners = a->face_start[f + 1] - a->face_start[f], same = 0;
        if (b->face_start[g + 1] - b->face_start[g] != corners) continue;
        for (int c = a->face_start[f]; c < a->face_start[f + 1]; ++c)
            for (int e = b->face_start[g]; e < b->face_start[g + 1]; ++e)
                same += a->source[a->face_vertex[c]] == count - 1 - b->source[b->face_vertex[e]];
        if (same == corners) return g;
    }
    return -1;
}

static void the_same_points_make_the_same_hull(void **state)
{
    dice d = {19};
    for (int kind = 0; kind < KINDS; ++kind) {
        er_vec3 point[100], backwards[100];
        roll_points(&d, kind, 100, 1, point);
        for (int i = 0; i < 100; ++i)
            backwards[99 - i] = point[i];
        er_hull *a = hull_of(100, point), *b = hull_of(100, point), *c = hull_of(100, backwards);
        assert_int_equal(a->edge_count, b->edge_count);
        assert_memory_equal(a->edge, b->edge, (size_t)a->edge_count * sizeof *a->edge);
        assert_memory_equal(a->face_vertex, b->face_vertex, 2 * (size_t)a->edge_count * sizeof *a->face_vertex);
        assert_memory_equal(a->plane, b->plane, (size_t)a->face_count * sizeof *a->plane);
        assert_memory_equal(&a->inertia, &b->inertia, sizeof a->inertia);
        if (kind != 5) { // which of many tips is taken is another
            assert_int_equal(a->face_count, c->face_count);
            for (int f = 0; f < a->face_count; ++f)
                assert_true(same_face(a, f, c, 100) >= 0);
        }
        er_hull_destroy(a);
        er_hull_destroy(b);
        er_hull_destroy(c);
    }
}

// ---- Faces given

static const int box_triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void a_surface_makes_the_hull_of_its_vertices(void **state)
{
    er_vec3 point[8];
    box_points(er_v3(1, 2, 3), 2, 4, 6, point);
    int turned[36];
    for (int i = 0; i < 36; ++i)
        turned[i] = box_triangles[i - i % 3 + (3 - i % 3) % 3];
    for (int k = 0; k < 3; ++k) {
        if (k == 2) // as if six digits had been written
            for (int i = 0; i < 8; ++i)
                point[i] = er_v3_add(point[i], er_v3(i * 1e-7, (i % 3) * -1e-7, (i % 5) * 1e-7));
        er_hull *h;
        assert_int_equal(er_hull_create_faces(context, 8, point, 12, k == 1 ? turned : box_triangles, &h), ER_OK);
        assert_int_equal(h->vertex_count, 8);
        if (k < 2) assert_int_equal(h->face_count, 6);
        assert_near(h->volume, 48, k < 2 ? 1e-13 : 1e-4);
        assert_convex_surface(h, 8, point, 1e-14);
        er_hull_destroy(h);
    }
}

// The triangles of a hull's faces, from any one on, seen from outside or all from inside, make a hull of its volume.
static void faces_of_hulls_make_the_hull_in_any_order(void **state)
{
    dice d = {41};
    for (int trial = 0; trial < trials(40); ++trial) {
        er_vec3 point[12];
        int index[3 * 20], count = 0;
        for (int i = 0; i < 12; ++i)
            point[i] = er_v3_scale(roll(&d, 0.5, 1.0), roll_direction(&d));
        er_hull *h, *again;
        assert_int_equal(er_hull_create(context, 12, point, &h), ER_OK);
        int first = trial % h->face_count, inside = trial % 2;
        for (int k = 0; k < h->face_count; ++k) {
            int f = (first + k) % h->face_count;
            const int *v = h->face_vertex + h->face_start[f];
            for (int c = 2; c < h->face_start[f + 1] - h->face_start[f]; ++c, ++count)
                index[3 * count] = v[0], index[3 * count + 1] = v[c - inside], index[3 * count + 2] = v[c - 1 + inside];
        }
        er_vec3 corner[12];
        memcpy(corner, h->vertex, (size_t)h->vertex_count * sizeof *corner);
        assert_int_equal(er_hull_create_faces(context, h->vertex_count, corner, count, index, &again), ER_OK);
        assert_near(again->volume, h->volume, 1e-12);
        er_hull_destroy(again);
        er_hull_destroy(h);
    }
}

#define REFUSED(call, named)                                                                                           \
    do {                                                                                                               \
        er_hull *refused = (er_hull *)(void *)&refused;                                                                \
        assert_refusal(context, call, ER_ERROR_ARGUMENT, named);                                                       \
        assert_null(refused);                                                                                          \
    } while (0)

static void surfaces_that_bound_no_convex_solid_are_refused(void **state)
{
    er_vec3 point[9];
    int index[42];
#define REFUSED_FACES(v, t, named) REFUSED(er_hull_create_faces(context, v, point, t, index, &refused), named)
#define RESET                                                                                                          \
    box_points(er_v3(0, 0, 0), 2, 4, 6, point);                                                                        \
    memcpy(index, box_triangles, sizeof box_triangles)
    RESET;
    REFUSED_FACES(8, 3, "3 triangles");
    REFUSED_FACES(8, 11, "1 triangles");
    index[4] = 8;
    REFUSED_FACES(8, 12, "vertex 8");
    index[4] = -1;
    REFUSED_FACES(8, 12, "vertex -1");
    index[4] = 1;
    REFUSED_FACES(8, 12, "triangle 1 has vertex 1");
    RESET;
    index[0] = 2;
    index[1] = 0;
    REFUSED_FACES(8, 12, "wind in opposite ways");
    RESET;
    memcpy(index + 36, index, 6 * sizeof *index);
    REFUSED_FACES(8, 14, "3 triangles");
    RESET;
    point[7] = er_v3(0, 0, 0); // a corner pressed in
    REFUSED_FACES(8, 12, "the solid is not convex");
    RESET;
    point[8] = er_v3(0, 0, 9);
    REFUSED_FACES(9, 12, "vertex 8 stands 6 m out of triangle 2");
    assert_int_equal(er_hull_create_faces(context, 8, NULL, 12, index, &(er_hull *){NULL}), ER_ERROR_ARGUMENT);
    assert_int_equal(er_hull_create_faces(context, 8, point, 12, NULL, &(er_hull *){NULL}), ER_ERROR_ARGUMENT);
    assert_int_equal(er_hull_create_faces(context, 8, point, 12, index, NULL), ER_ERROR_ARGUMENT);
}

// ---- Refusals

static void clouds_without_a_hull_are_refused_in_one_sentence(void **state)
{
    FILE *heard = tmpfile();
    int outside = dup(2);
    fflush(stderr);
    dup2(fileno(heard), 2);
    dice d = {23};
    er_vec3 point[20];
#define REFUSED_POINTS(n, words) REFUSED(er_hull_create(context, n, point, &refused), words)
    roll_points(&d, 0, 20, 1, point);
    REFUSED_POINTS(3, "a hull of 3 points: a solid has at least 4 corners");
    REFUSED_POINTS(-1, "a hull of -1 points");
    point[7].y = NAN;
    REFUSED_POINTS(20, "point 7 of a hull is");
    point[7].y = -HUGE_VAL;
    REFUSED_POINTS(20, "numbers of at most 1e+50 m are wanted");
    point[7].y = 1e51;
    REFUSED_POINTS(20, "point 7 of a hull is");
    for (int flat = 0; flat < 40; ++flat) {
        er_vec3 n = roll_direction(&d), o = roll_in_box(&d, 2);
        for (int i = 0; i < 20; ++i) {
            er_vec3 x = roll_in_box(&d, 1);
            point[i] = flat % 4 == 0   ? o                                                 // a point
                       : flat % 4 == 1 ? er_v3_madd(o, x.x, n)                             // a line
                                       : er_v3_add(o, er_v3_madd(x, -er_v3_dot(x, n), n)); // a plane
        }
        if (flat % 4 == 0)
            REFUSED_POINTS(20, "are 0 m apart at most: give the solid a size");
        else
            REFUSED_POINTS(20, "lie in one plane, to rounding: give the solid some thickness");
    }
    assert_int_equal(er_hull_create(context, 4, NULL, &(er_hull *){NULL}), ER_ERROR_ARGUMENT);
    assert_int_equal(er_hull_create(context, 4, point, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_hull_create(NULL, 4, point, &(er_hull *){NULL}), ER_ERROR_ARGUMENT);
    er_hull_destroy(NULL);
    fflush(stderr);
    dup2(outside, 2);
    close(outside);
    assert_int_equal(lseek(fileno(heard), 0, SEEK_END), 0);
    fclose(heard);
}

// Between a plane and a solid lies what rounding decides: a hull of it is whole, or it is said to have none.
static void plates_as_thin_as_rounding_have_a_whole_hull_or_none(void **state)
{
    dice d = {29};
    int made = 0, refused = 0;
    for (int trial = 0; trial < trials(1000); ++trial) {
        er_vec3 point[30];
        er_quat turn = roll_rotation(&d);
        double thickness = pow(10, roll(&d, -17, -11));
        int count = roll_int(&d, 4, 30);
        for (int i = 0; i < count; ++i) {
            er_vec3 x = roll_in_box(&d, 1);
            point[i] = er_q_rotate(turn, er_v3(x.x, trial % 2 ? x.y : thickness * x.y, thickness * x.z));
        }
        er_hull *hull;
        er_fail(context, ER_ERROR_ARGUMENT, "nothing");
        er_result r = er_hull_create(context, count, point, &hull);
        if (r == ER_OK) {
            ++made;
            assert_convex_surface(hull, count, point, 1e-12);
            assert_true(hull->volume > 0);
            er_hull_destroy(hull);
            continue;
        }
        ++refused;
        assert_refusal(context, r, ER_ERROR_ARGUMENT, "thickness");
    }
    assert_true(made > trials(100) && refused > trials(100));
}

static void a_hull_is_made_whole_or_not_at_all(void **state)
{
    er_vec3 point[8];
    box_points(er_v3(0, 0, 0), 2, 4, 6, point);
    ledger l = {.left = LEDGER_ALL};
    er_context *counted = ledger_context(&l);
    for (l.left = 0;; ++l.left) {
        long left = l.left;
        er_hull *hull = (er_hull *)(void *)&l;
        er_result r = er_hull_create_faces(counted, 8, point, 12, box_triangles, &hull);
        if (r == ER_OK) {
            er_hull_destroy(hull);
            break;
        }
        assert_int_equal(r, ER_ERROR_MEMORY);
        assert_null(hull);
        assert_true(left < 100);
        l.left = left;
    }
    l.left = LEDGER_ALL;
    ledger_end(&l, counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_six_faces),
        cmocka_unit_test(a_corner_tetrahedron_has_its_closed_form),
        cmocka_unit_test(solids_weigh_what_lines_through_them_do),
        cmocka_unit_test(surfaces_close_at_any_size),
        cmocka_unit_test(mass_properties_move_with_the_solid),
        cmocka_unit_test(boxes_hold_their_hulls_at_any_pose),
        cmocka_unit_test(the_same_points_make_the_same_hull),
        cmocka_unit_test(a_surface_makes_the_hull_of_its_vertices),
        cmocka_unit_test(faces_of_hulls_make_the_hull_in_any_order),
        cmocka_unit_test(surfaces_that_bound_no_convex_solid_are_refused),
        cmocka_unit_test(clouds_without_a_hull_are_refused_in_one_sentence),
        cmocka_unit_test(plates_as_thin_as_rounding_have_a_whole_hull_or_none),
        cmocka_unit_test(a_hull_is_made_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
