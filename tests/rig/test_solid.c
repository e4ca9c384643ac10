// Surfaces made into solids: what is welded, that every part is a closed chain, whose its faces are, and what shells it
// makes.
#include <string.h>

#include "meshes.h"
#include "rig/mass/mass_solid.h"
#include "support/context.h"
#include "support/judge.h"

static mesh m;
static er_arena *arena;
static eri_mass_solid *solid;

static void begin(void)
{
    m = mesh_create();
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
}

static void end(void)
{
    eri_arena_destroy(arena);
    mesh_destroy(&m);
}

static void make(int bodies)
{
    assert_int_equal(eri_solid_build(arena, &m.surface, bodies, &solid), ER_OK);
}

static er_vec3 corner(int face, int c)
{
    return solid->position[solid->face[face].vertex[c]];
}

static er_vec3 twice_area(int face)
{
    return er_v3_cross(er_v3_sub(corner(face, 1), corner(face, 0)), er_v3_sub(corner(face, 2), corner(face, 0)));
}

static void positions_a_millionth_apart_are_one(void **state)
{
    dice d = {31};
    for (int i = 0; i < trials(400); ++i) {
        double scale = i % 2 == 0 ? 1.0 : 250.0, apart = i % 4 < 2 ? 0.95e-6 : 1.05e-6;
        begin();
        er_vec3 p = er_v3_scale(0.45, dice_vec3(&d)), way = er_v3_unit(dice_vec3(&d), er_v3(0, 0, 1));
        if (i % 8 >= 6) p = er_v3(1e-9 * i, -1e-9 * i, p.z); // beside where cells begin
        m.place = er_affine_from_trs(er_v3(7, 8, 9), er_q_identity(), er_v3(scale, scale, scale));
        int a = add_vertex(&m, p), b = add_vertex(&m, er_v3(-0.5, -0.5, -0.5)),
            c = add_vertex(&m, er_v3(0.5, 0.5, 0.5));
        int other = add_vertex(&m, er_v3_madd(p, apart, way)), e = add_vertex(&m, er_v3(-0.5, 0.5, 0.5));
        add_triangle(&m, a, b, c);
        add_triangle(&m, other, c, e);
        make(1);
        assert_true(fabs(solid->size / scale - 1.0) < 1e-9);
        assert_int_equal(solid->face[0].vertex[0], a);
        assert_int_equal(solid->face[1].vertex[0], apart < 1e-6 ? a : other);
        assert_int_equal(solid->face[1].skin[0], other); // whose weights stay its own
        assert_int_equal(solid->face[1].vertex[1], c);
        end();
    }
}

// As many directed edges of each part run one way as the other. Its area, volume and members are those of its faces.
static void check_chain(int own_faces)
{
    int *parts = calloc((size_t)solid->component_count + 1, sizeof *parts);
    bool *member = calloc((size_t)own_faces + 1, sizeof *member);
    for (int p = 0; p < solid->component_count; ++p) {
        const eri_component *part = &solid->component[p];
        double area = 0.0, volume = 0.0;
        for (int f = 0; f < solid->face_count; ++f) {
            if (solid->face[f].component != p) continue;
            const int *v = solid->face[f].vertex;
            parts[p] += f < own_faces;
            area += 0.5 * er_v3_norm(twice_area(f));
            volume += er_v3_dot(corner(f, 0), er_v3_cross(corner(f, 1), corner(f, 2))) / 6.0;
            for (int c = 0; c < 3; ++c) {
                int from = v[c], to = v[(c + 1) % 3], net = 0;
                for (int g = 0; g < solid->face_count; ++g)
                    for (int k = 0; k < 3 && solid->face[g].component == p; ++k) {
                        int a = solid->face[g].vertex[k], b = solid->face[g].vertex[(k + 1) % 3];
                        net += (a == from && b == to) - (a == to && b == from);
                    }
                assert_int_equal(net, 0);
            }
        }
        assert_true(fabs(part->area - area) < 1e-12 && fabs(part->volume - volume) < 1e-12);
        assert_int_equal(part->count, parts[p]);
        for (int i = part->first; i < part->first + part->count; ++i) {
            assert_int_equal(solid->face[solid->member[i]].component, p);
            assert_false(member[solid->member[i]]);
            member[solid->member[i]] = true;
        }
    }
    for (int f = 0; f < solid->face_count; ++f)
        for (int c = 0; c < 3; ++c) {
            int v = solid->face[f].skin[c];
            double sum = 0.0;
            for (int k = solid->influence_start[v]; k < solid->influence_start[v + 1]; ++k) {
                sum += solid->influence_weight[k];
                assert_true(solid->influence_body[k] >= 0 && solid->influence_body[k] <= solid->body_count);
                for (int i = solid->influence_start[v]; i < k; ++i)
                    assert_true(solid->influence_body[i] != solid->influence_body[k] || v < m.surface.vertex_count);
            }
            assert_true(fabs(sum - 1.0) < 1e-12);
        }
    free(member);
    free(parts);
}

// After orientation: shells hold all faces once, in their order, with the sums of their parts.
static void check_shells(void)
{
    bool *met = calloc((size_t)solid->face_count + 1, sizeof *met);
    for (int s = 0; s < solid->region_count; ++s) {
        const eri_region *shell = &solid->region[s];
        double volume = 0.0, area = 0.0;
        int owner = solid->face[solid->order[shell->first]].owner;
        assert_int_equal(shell->first, s > 0 ? solid->region[s - 1].first + solid->region[s - 1].count : 0);
        for (int i = shell->first; i < shell->first + shell->count; ++i) {
            int f = solid->order[i];
            assert_int_equal(solid->component[solid->face[f].component].region, s);
            assert_true(!met[f] && (i == shell->first || f > solid->order[i - 1]));
            met[f] = true;
            if (solid->face[f].owner != owner) owner = -1;
        }
        for (int p = 0; p < solid->component_count; ++p) {
            if (solid->component[p].region != s) continue;
            volume += solid->component[p].volume;
            area += solid->component[p].area;
        }
        assert_true(fabs(shell->volume - volume) < 1e-12 && fabs(shell->area - area) < 1e-12);
        assert_int_equal(shell->owner, owner);
    }
    for (int f = 0; f < solid->face_count; ++f)
        assert_true(met[f]);
    free(met);
}

static void by_sides(er_vec3 x, double *weight)
{
    weight[x.x > 0.0 ? 0 : 1] = 1.0;
    if (x.y > 0.3) weight[2] = 0.5;
}

// Some of the vertices of one body alone.
static void leave_to_nobody(void)
{
    for (int v = 0; v < m.surface.vertex_count; v += 4)
        if (m.start[v + 1] - m.start[v] == 1) m.weight[m.start[v]] = 0.0;
}

static void any_soup_becomes_closed_chains(void **state)
{
    dice d = {32};
    for (int trial = 0; trial < trials(40); ++trial) {
        begin();
        int vertices = 4 + trial % 9, triangles = 3 + trial % 30, caps = 0;
        for (int v = 0; v < vertices; ++v) {
            er_vec3 p = dice_vec3(&d);
            add_vertex(&m, trial % 3 == 0 ? er_v3(round(p.x), round(p.y), round(p.z)) : p);
        }
        for (int t = 0; t < triangles; ++t) {
            int a = dice_below(&d, vertices), b = dice_below(&d, vertices);
            add_triangle(&m, a, b, dice_below(&d, vertices));
        }
        skin(&m, 3, by_sides);
        leave_to_nobody();
        make(3);
        if (solid->face_count > 0) {
            int own = 0;
            while (own < solid->face_count && solid->face[own].vertex[2] < m.surface.vertex_count)
                ++own;
            for (int f = own; f < solid->face_count; ++f)
                caps += solid->face[f].vertex[2] >= m.surface.vertex_count;
            assert_int_equal(own + caps, solid->face_count);
            check_chain(own);
            assert_int_equal(eri_solid_grade(arena, solid, 1500), ER_OK);
            assert_int_equal(eri_solid_orient(arena, solid), ER_OK);
            check_shells();
        }
        end();
    }
}

// Each part takes the way that more of its area has; faces given again, either way, are left out.
static void faces_go_the_way_of_most_of_their_area(void **state)
{
    static const int turned[] = {0, 5, 13, 35}; // of 36 triangles
    for (int i = 0; i < 4; ++i) {
        begin();
        add_box(&m, er_v3(0.5, 0.4, 0.3), 8); // 2 + 4 x 8 quads, along x
        int count = m.surface.triangle_count;
        double out = 0.0, in = 0.0;
        for (int t = 0; t < count; ++t) {
            bool turn = (t * 7) % count < turned[i];
            const int *v = m.index + 3 * t;
            double area = er_v3_norm(er_v3_cross(er_v3_sub(vertex(&m, v[1]), vertex(&m, v[0])),
                                                 er_v3_sub(vertex(&m, v[2]), vertex(&m, v[0]))));
            *(turn ? &in : &out) += area;
            if (turn) turn_triangle(&m, t);
        }
        add_triangle(&m, m.index[0], m.index[1], m.index[2]);
        add_triangle(&m, m.index[3], m.index[5], m.index[4]);
        make(1);
        assert_int_equal(solid->face_count, count);
        assert_int_equal(solid->component_count, 1);
        double volume = 0.96 * 0.5; // size 1: a box of 1, 0.8 and 0.6
        assert_true(fabs(solid->component[0].volume - (out >= in ? volume : -volume)) < 1e-9);
        assert_true(fabs(solid->component[0].area - 3.76) < 1e-9);
        assert_int_equal(eri_solid_grade(arena, solid, 100), ER_OK);
        assert_int_equal(eri_solid_orient(arena, solid), ER_OK);
        assert_int_equal(solid->component[0].sign, out >= in ? 1 : -1);
        assert_true(fabs(solid->component[0].volume - volume) < 1e-9);
        end();
    }
}

// The middle of a rim, by length, and its weights; rims of parts that touch are theirs.
static void a_hole_is_closed_by_a_fan_to_its_rim_s_middle(void **state)
{
    begin();
    add_box(&m, er_v3(0.5, 0.25, 0.1), 4);
    m.surface.triangle_count -= 2; // at the end of x, 0.5 by 0.2
    int own = m.surface.triangle_count;
    // the rim's sides along z, at y = 0.25, are cut in two
    skin(&m, 3, by_sides);
    for (int v = 0; v < m.surface.vertex_count; ++v)
        for (int k = m.start[v]; k < m.start[v + 1]; ++k) {
            er_vec3 p = vertex(&m, v);
            m.body[k] = p.x < 0.4 ? 0 : p.y > 0.0 ? 1 : 2;
            m.weight[k] = 0.5; // scaled
        }
    make(3);
    check_chain(own);
    assert_int_equal(solid->face_count, own + 4);
    assert_int_equal(solid->vertex_count, m.surface.vertex_count + 1);
    int apex = m.surface.vertex_count;
    assert_true(er_v3_distance(solid->position[apex], er_v3(0.5, 0, 0)) < 1e-6);
    double weight[4] = {0};
    for (int k = solid->influence_start[apex]; k < solid->influence_start[apex + 1]; ++k)
        weight[solid->influence_body[k]] += solid->influence_weight[k];
    assert_true(weight[0] == 0.0 && fabs(weight[1] - 0.5) < 1e-12 && fabs(weight[2] - 0.5) < 1e-12 && weight[3] == 0.0);
    for (int f = own; f < solid->face_count; ++f) {
        assert_int_equal(solid->face[f].vertex[2], apex);
        assert_true(twice_area(f).x > 0.0); // outward
    }
    end();

    begin(); // a triangle: its rim's sides are 3, 4 and 5 long
    int a = add_vertex(&m, er_v3(0, 0, 0)), b = add_vertex(&m, er_v3(3, 0, 0)), c = add_vertex(&m, er_v3(0, 4, 0));
    add_triangle(&m, a, b, c);
    static const int body[] = {0, 1, 2};
    memcpy(m.body, body, sizeof body);
    make(3);
    assert_int_equal(solid->face_count, 4);
    er_vec3 at = er_v3_madd(solid->centre, solid->size, solid->position[3]);
    assert_true(er_v3_distance(at, er_v3((3 * 1.5 + 5 * 1.5) / 12.0, (5 * 2 + 4 * 2) / 12.0, 0)) < 1e-9);
    double part[3] = {(3 + 4) / 24.0, (3 + 5) / 24.0, (4 + 5) / 24.0};
    for (int k = solid->influence_start[3]; k < solid->influence_start[4]; ++k)
        assert_true(fabs(solid->influence_weight[k] - part[solid->influence_body[k]]) < 1e-12);
    end();
}

// Grains by the bodies' shares of the area, each an equal part of the cells; owners where all corners are one's.
static void cells_are_shared_by_area(void **state)
{
    for (int i = 0; i < 4; ++i) {
        static const int cells[] = {3000, 300, 100, 6000000};
        begin();
        add_star(&m, 4, 6, 9);
        skin(&m, 3, by_sides);
        leave_to_nobody();
        make(3);
        assert_int_equal(eri_solid_grade(arena, solid, cells[i]), ER_OK);
        double area[4] = {0}, cell_size[4];
        int bodies = 0;
        for (int f = 0; f < solid->face_count; ++f)
            for (int c = 0; c < 3; ++c) {
                int v = solid->face[f].skin[c];
                for (int k = solid->influence_start[v]; k < solid->influence_start[v + 1]; ++k)
                    area[solid->influence_body[k]] += er_v3_norm(twice_area(f)) / 6.0 * solid->influence_weight[k];
            }
        for (int b = 0; b < 4; ++b)
            bodies += area[b] > 0.0;
        assert_int_equal(bodies, 4);
        int share = cells[i] / 4 < 160 ? 160 : cells[i] / 4;
        for (int b = 0; b < 4; ++b)
            cell_size[b] = fmax(sqrt(area[b] / share), 4.8828e-4);
        assert_true(fabs(solid->slope - 2.0 / sqrt(share)) < 1e-15);
        for (int f = 0; f < solid->face_count; ++f) {
            double own = 0.0;
            int owner = -2;
            for (int c = 0; c < 3; ++c) {
                int v = solid->face[f].skin[c];
                for (int k = solid->influence_start[v]; k < solid->influence_start[v + 1]; ++k) {
                    int b = solid->influence_body[k];
                    own += cell_size[b] * solid->influence_weight[k] / 3.0;
                    owner = owner == -2 || owner == b ? b : -1;
                }
            }
            assert_true(fabs(solid->face[f].cell_size - own) < 1e-12);
            assert_int_equal(solid->face[f].owner, owner);
        }
        end();
    }
}

// Cavities go with what is around them; parts beside each other are shells of their own, whichever way they were
// turned.
static void shells_are_parts_with_their_cavities(void **state)
{
    static const struct {
        double at, half; // of a box inside or beside one of half side 1
        bool turned;
        int shells, sign; // of the small one, in the end
    } cases[] = {{0, 0.5, true, 1, 1}, {0, 0.5, false, 2, 1}, {3, 0.5, true, 2, -1}, {0.8, 0.5, true, 2, -1}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int all = 0; all < 2; ++all) {
            begin();
            add_box(&m, er_v3(1, 1, 1), 3);
            int first = m.surface.triangle_count;
            m.place.translation = er_v3(cases[i].at, 0.1, 0.2);
            add_box(&m, er_v3(cases[i].half, cases[i].half, cases[i].half), 3);
            if (cases[i].turned) turn_from(&m, first);
            if (all == 1) turn_from(&m, 0);
            make(1);
            assert_int_equal(solid->component_count, 2);
            assert_int_equal(eri_solid_grade(arena, solid, 500), ER_OK);
            assert_int_equal(eri_solid_orient(arena, solid), ER_OK);
            assert_int_equal(solid->region_count, cases[i].shells);
            int whole = all == 1 ? -1 : 1;
            assert_int_equal(solid->component[0].sign, whole);
            assert_int_equal(solid->component[1].sign, cases[i].sign * whole);
            double cube = solid->size * solid->size * solid->size;
            assert_true(fabs(solid->component[0].volume * cube - 8.0) < 1e-9);
            assert_true(fabs(solid->component[1].volume * cube - (cases[i].shells == 1 ? -1.0 : 1.0)) < 1e-9);
            check_shells();
            end();
        }
}

static void what_has_no_size_is_no_solid(void **state)
{
    begin();
    make(1);
    assert_int_equal(solid->face_count, 0);
    for (int i = 0; i < 3; ++i)
        add_vertex(&m, er_v3(1, 2, 3));
    add_triangle(&m, 0, 1, 2);
    make(1);
    assert_int_equal(solid->face_count, 0);
    static const double far[] = {0.9e50, 1.1e50, -0.9e50, -1.1e50};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 4; ++i) {
            m.surface.vertex_count = m.surface.triangle_count = 0;
            add_vertex(&m, er_v3(0, 0, 0));
            add_vertex(&m, er_v3(1, 1, 1));
            add_vertex(&m, er_v3(axis == 0 ? far[i] : 0, axis == 1 ? far[i] : 0, axis == 2 ? far[i] : 0));
            add_triangle(&m, 0, 1, 2);
            er_result r = eri_solid_build(arena, &m.surface, 1, &solid);
            const char named[] = {' ', (char)('x' + axis), ',', '\0'};
            if (i % 2 == 0) assert_int_equal(r, ER_OK);
            if (i % 2 == 1) assert_refusal(context, r, ER_ERROR_RIG, named);
        }
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_a_millionth_apart_are_one),
        cmocka_unit_test(any_soup_becomes_closed_chains),
        cmocka_unit_test(faces_go_the_way_of_most_of_their_area),
        cmocka_unit_test(a_hole_is_closed_by_a_fan_to_its_rim_s_middle),
        cmocka_unit_test(cells_are_shared_by_area),
        cmocka_unit_test(shells_are_parts_with_their_cavities),
        cmocka_unit_test(what_has_no_size_is_no_solid),
    };
    return cmocka_run_group_tests_name("solid", tests, set_up, tear_down);
}
