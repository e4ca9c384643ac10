// Surfaces, the stage of solids and the sun that lights it, as the graphics card is told of them; and wires in pixels.
#include <math.h>

#include <epoxy/gl.h>

#include "stage.h"
#include "viewer/draw/camera.h"
#include "viewer/draw/forms.h"
#include "viewer/draw/model.h"
#include "viewer/draw/solid.h"

static void expect_uniform(const stage *s, int program, int place, int count, const double wanted[4])
{
    float is[4] = {0};
    assert_true(place >= 0);
    glGetUniformfv(s->painter->program[program], place, is);
    for (int k = 0; k < count; ++k)
        near((double)is[k], wanted[k], 1e-6);
}

static void surfaces_are_told_as_they_are(void **state)
{
    enum { CLAY, COLOUR, SMOOTH, MASK, BLEND, PLAIN_LOOK, WIRES, DRAFT, CASES };
    stage *s = need_stage(state);
    for (int k = 0; k < CASES; ++k) {
        chain c = leaves(s->context);
        er_material *m = &c.material;
        m->metallic = 0.8f;
        m->roughness = k == SMOOTH ? 0.05f : 0.7f;
        if (k != CLAY) m->base_color[1] = 0.25f;
        m->base_color[3] = 0.5f;
        m->emissive[2] = k == CLAY ? 0.0f : 0.125f;
        if (k == MASK) m->alpha_mode = ER_ALPHA_MASK;
        if (k == BLEND) m->alpha_mode = ER_ALPHA_BLEND;
        m->alpha_cutoff = 0.375f;
        shot *p = shot_front(s, c);
        p->style.textures = k != PLAIN_LOOK;
        if (k == WIRES) p->style.surface = DRAW_WIREFRAME;
        p->style.draft = k == DRAFT;
        shoot(p);
        int program = k == DRAFT ? PROGRAM_SURFACE_DRAFT : PROGRAM_SURFACE;
        const mesh_places *u = &s->painter->mesh[program];
        bool clay = k == CLAY || k == PLAIN_LOOK || k == WIRES;
        const float *of = k == WIRES ? p->style.wire : p->style.clay;
        double base[4] = {1, 0.25, 1, 0.5}, glow[4] = {0, 0, clay ? 0.0 : 0.125};
        for (int i = 0; i < 3 && clay; ++i)
            base[i] = (double)linear_of(of[i]);
        if (clay) base[3] = 1.0;
        const double finish[4] = {clay ? 0.0 : 0.4,
                                  clay          ? 0.62
                                  : k == SMOOTH ? 0.15
                                                : (double)0.7f,
                                  k == MASK ? 0.375 : -1.0, k == BLEND};
        expect_uniform(s, program, u->base_colour, 4, base);
        expect_uniform(s, program, u->finish, 4, finish);
        expect_uniform(s, program, u->emissive, 3, glow);
        expect_uniform(s, program, u->plain, 1, (const double[4]){clay});
        expect_uniform(s, program, u->fade, 1, (const double[4]){1.0});
        expect_uniform(s, program, u->unlit, 1, (const double[4]){k == WIRES ? (double)0.7f : 0.0});
    }
}

static void points_grow_with_the_picture(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, leaves(s->context));
    p->style.surface = DRAW_POINTS;
    shoot(p);
    expect_uniform(s, PROGRAM_POINTS, s->painter->mesh[PROGRAM_POINTS].point_size, 1,
                   (const double[4]){3.0 + SIDE / 720.0});
}

// Edges of the first square are strong, those of the second behind it faint, and between them is nothing.
static void wires_that_faces_hide_are_faint(void **state)
{
    stage *s = need_stage(state);
    for (int ghost = 0; ghost < 2; ++ghost) {
        double at[2];
        shot *p = shot_front(s, leaves(s->context));
        p->camera.target = er_v3(0, 0.5, 0);
        p->camera.distance = 4.0;
        p->camera.yaw = 0.5; // so that the second one's left edge lies well within the first
        p->style.surface = DRAW_WIREFRAME;
        p->f.opacity = ghost ? 0.5f : 1.0f;
        shoot(p);
        int strongest[2] = {0, 0}; // along the left edges of both, m: half of the file's
        for (int leaf = 0; leaf < 2; ++leaf)
            for (int k = -2; k <= 2; ++k) {
                project(p, er_v3(-0.5, 0.3, leaf ? -0.25 : 0.0), at);
                int a = pixel(s, at[0] + k, at[1])[3];
                strongest[leaf] = a > strongest[leaf] ? a : strongest[leaf];
            }
        double share = ghost ? 0.5 : 1.0;
        assert_true(strongest[0] > 60 * share && strongest[0] <= 180 * share);
        assert_true(strongest[1] > 2 * share && strongest[1] < 30 * share);
        assert_int_equal(pixel_at(p, er_v3(0.2, 0.6, 0.0))[3], 0);
    }
}

// ---- the stage of solids

static void defaults_are_as_the_header_says(void **state)
{
    const draw_material m = draw_default_material();
    const draw_light l = draw_default_light();
    const draw_stage t = draw_default_stage();
    for (int k = 0; k < 3; ++k) {
        assert_true(m.ambient[k] == 0.3f && m.diffuse[k] == 0.7f && m.specular[k] == 0.2f);
        assert_true(l.ambient[k] == 0.0f && l.diffuse[k] == 0.8f && l.specular[k] == 0.5f && t.ambient[k] == 0.25f);
    }
    assert_true(m.shine == 20.0f && m.opacity == 1.0f && m.reflection == 0.0f && t.light_count == 0 && t.image == NULL);
    assert_true(t.background == DRAW_COLOURS && t.shading == DRAW_PHONG && t.facets == DRAW_FILL &&
                t.shown == DRAW_ACTORS);
}

// Hulls have a face's normal at each corner, and each edge once.
static void hulls_are_flat_and_have_each_edge_once(void **state)
{
    stage *s = need_stage(state);
    er_vec3 corner[8];
    er_hull *hull = NULL;
    draw_form *form = NULL;
    for (int i = 0; i < 8; ++i)
        corner[i] = er_v3(i & 1 ? 1 : -1, i & 2 ? 0.5 : -0.5, i & 4 ? 0.25 : -0.25);
    assert_int_equal(er_hull_create(s->context, 8, corner, &hull), ER_OK);
    const er_shape box = {.kind = ER_SHAPE_HULL, .hull = hull};
    assert_int_equal(draw_form_create(s->painter, &box, &form), ER_OK);
    assert_true(form->corner_count == 24 && form->triangle_corners == 36 && form->line_corners == 24 && !form->open);
    near(form->radius, sqrt(1.0 + 0.25 + 0.0625), 1e-6);
    form_corner at[24];
    uint32_t triangle[36], edge[24];
    glBindBuffer(GL_ARRAY_BUFFER, form->corners);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof at, at);
    glBindBuffer(GL_ARRAY_BUFFER, form->triangles);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof triangle, triangle);
    glBindBuffer(GL_ARRAY_BUFFER, form->lines);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof edge, edge);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    double area = 0.0, length = 0.0;
    for (int i = 0; i < 36; i += 3) {
        er_vec3 x[3], n = er_v3(at[triangle[i]].normal[0], at[triangle[i]].normal[1], at[triangle[i]].normal[2]);
        for (int k = 0; k < 3; ++k)
            x[k] = er_v3(at[triangle[i + k]].position[0], at[triangle[i + k]].position[1],
                         at[triangle[i + k]].position[2]);
        er_vec3 cross = er_v3_cross(er_v3_sub(x[1], x[0]), er_v3_sub(x[2], x[0]));
        near(er_v3_dot(cross, n), er_v3_norm(cross), 1e-6); // seen from outside
        assert_true(er_v3_dot(x[0], n) > 0.0);
        area += 0.5 * er_v3_norm(cross);
    }
    for (int i = 0; i < 24; i += 2)
        length += er_v3_distance(
            er_v3(at[edge[i]].position[0], at[edge[i]].position[1], at[edge[i]].position[2]),
            er_v3(at[edge[i + 1]].position[0], at[edge[i + 1]].position[1], at[edge[i + 1]].position[2]));
    near(area, 2.0 * (2.0 * 1.0 + 2.0 * 0.5 + 1.0 * 0.5), 1e-5);
    near(length, 4.0 * (2.0 + 1.0 + 0.5), 1e-5);
    draw_form_destroy(form);
    er_hull_destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_are_told_as_they_are),          cmocka_unit_test(points_grow_with_the_picture),
        cmocka_unit_test(wires_that_faces_hide_are_faint),        cmocka_unit_test(defaults_are_as_the_header_says),
        cmocka_unit_test(hulls_are_flat_and_have_each_edge_once),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
