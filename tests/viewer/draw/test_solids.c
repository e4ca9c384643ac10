// Solids in pictures, judged by Phong's formula worked out here, and by where things must be seen.
#include <math.h>

#include "stage.h"
#include "viewer/draw/solid.h"

static const float white[3] = {1, 1, 1};

static void show(const set *t)
{
    set_open(t);
    painter_solid(t->s->painter, &t->solid);
    read_back(t->s);
}

// 0 to 255, with what is above 0.62 pressed under white.
static double shown(double c)
{
    double knee = 0.62, above = fmax(c - knee, 0.0) / (1.0 - knee);
    c = fmin(c, knee) + (1.0 - knee) * (1.0 - exp(-above));
    return 255.0 * (c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055);
}

// Phong's formula at a place with a normal, seen from the camera.
static double phong(const set *t, int k, er_vec3 at, er_vec3 n)
{
    er_vec3 origin, way;
    draw_camera_ray(&t->camera, SIDE, SIDE, 0.5 * SIDE, 0.5 * SIDE, &origin, &way);
    er_vec3 v = er_v3_unit(er_v3_sub(origin, at), n);
    double ambient = t->stage.ambient[k], sum = 0.0, tint = t->solid.tint[k];
    for (int i = 0; i < t->stage.light_count; ++i) {
        const draw_light *l = &t->stage.light[i];
        er_vec3 to = er_v3_unit(er_v3_sub(l->position, at), n);
        double nl = er_v3_dot(n, to);
        er_vec3 r = er_v3_madd(er_v3_scale(-1.0, to), 2.0 * nl, n);
        ambient += l->ambient[k];
        if (nl <= 0.0) continue;
        sum += t->material.diffuse[k] * tint * l->diffuse[k] * nl;
        sum += t->material.specular[k] * l->specular[k] * pow(fmax(er_v3_dot(r, v), 0.0), (double)t->material.shine);
    }
    return sum + t->material.ambient[k] * tint * ambient;
}

static void compare(const set *t, double x, double y, const double wanted[3])
{
    for (int k = 0; k < 3; ++k) {
        int is = pixel(t->s, x, y)[k];
        if (fabs(is - wanted[k]) > 2.0) fail_msg("pixel %g %g: %d of colour %d, not %g", x, y, is, k, wanted[k]);
    }
}

static void a_ball_is_lit_as_phong_says(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_SPHERE);
    const float diffuse[3] = {0.8f, 0.5f, 0.3f}, tint[3] = {1.0f, 0.9f, 0.7f}, dim[3] = {0.3f, 0.2f, 0.5f};
    memcpy(t.material.diffuse, diffuse, sizeof diffuse);
    memcpy(t.solid.tint, tint, sizeof tint);
    t.stage.light_count = 2;
    t.stage.light[1] = (draw_light){.position = {-3, 1, 4}};
    memcpy(t.stage.light[1].ambient, dim, sizeof dim);
    memcpy(t.stage.light[1].diffuse, dim, sizeof dim);
    memcpy(t.stage.light[1].specular, diffuse, sizeof diffuse);
    show(&t);
    int bright = 0;
    for (int y = 50; y <= 150; y += 10)
        for (int x = 50; x <= 150; x += 10) {
            er_vec3 from, way, n;
            double away, wanted[3];
            draw_camera_ray(&t.camera, SIDE, SIDE, x + 0.5, y + 0.5, &from, &way);
            if (!er_shape_ray(&t.shape, t.solid.pose, from, way, HUGE_VAL, &away, &n)) continue;
            if (er_v3_dot(n, way) > -0.3) continue; // chords are seen from their arcs at the rim
            for (int k = 0; k < 3; ++k)
                wanted[k] = shown(phong(&t, k, er_v3_madd(from, away, way), n));
            compare(&t, x, y, wanted);
            bright += wanted[0] > 220.0; // highlights are among them
        }
    assert_true(bright > 2);
}

// How many colours a row through the middle has.
static int colours_of_row(const set *t)
{
    int count = 0;
    for (int x = 1; x < SIDE; ++x)
        count += memcmp(pixel(t->s, x, 97), pixel(t->s, x - 1, 97), 4) != 0;
    return count;
}

static void facets_are_plain_when_flat_and_smooth_by_corner(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_SPHERE);
    int count[3];
    for (int shading = DRAW_PHONG; shading <= DRAW_FLAT; ++shading) {
        t.stage.shading = (draw_shading)shading;
        show(&t);
        count[shading] = colours_of_row(&t);
    }
    assert_in_range(count[DRAW_FLAT], 8, 40); // half of 16 facets around are seen, and their edges
    assert_true(count[DRAW_GOURAUD] > 50 && count[DRAW_PHONG] > 50);
}

static void edges_leave_holes_and_corners_are_points(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_BOX);
    show(&t);
    int filled = count_drawn(t.s);
    assert_int_equal(pixel(t.s, 100, 90)[3], 255);
    t.stage.facets = DRAW_LINE;
    show(&t);
    int lines = count_drawn(t.s);
    t.stage.facets = DRAW_POINT;
    show(&t);
    int points = count_drawn(t.s);
    t.stage.facets = DRAW_FILL;
    t.stage.shading = DRAW_WIRE;
    show(&t);
    assert_int_equal(pixel(t.s, 100, 90)[3], 0);
    assert_in_range(count_drawn(t.s), filled / 30, filled / 3);
    assert_in_range(lines, filled / 30, filled / 3);
    assert_in_range(points, 8, lines / 2);
}

// A leaf across the picture, as far towards the camera as z says, in one colour that light does not change.
static void add_leaf(set *t, double z, const float rgb[3], float opacity)
{
    er_shape leaf = {.kind = ER_SHAPE_BOX, .half = {1, 1, 0.01}};
    draw_material paint = {.opacity = opacity, .shine = 1};
    memcpy(paint.ambient, rgb, 3 * sizeof *rgb);
    draw_solid s = {.shape = &leaf, .pose = {er_q_identity(), {0, 0, z}}, .material = &paint, .tint = {1, 1, 1}};
    painter_solid(t->s->painter, &s);
}

static void what_is_seen_through_blends_from_far_to_near(void **state)
{
    static const float red[3] = {0.7f, 0, 0}, green[3] = {0, 0.7f, 0}, blue[3] = {0, 0, 0.7f};
    const double full = shown(0.7);
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_BOX);
    memcpy(t.stage.ambient, white, sizeof white);
    t.stage.light_count = 0;
    for (int order = 0; order < 2; ++order) {
        set_open(&t);
        add_leaf(&t, order ? 1 : 0, order ? blue : green, order ? 0.25f : 0.5f);
        add_leaf(&t, -1, red, 1.0f);
        add_leaf(&t, order ? 0 : 1, order ? green : blue, order ? 0.5f : 0.25f);
        read_back(t.s);
        compare(&t, 100, 100, (double[]){0.75 * 0.5 * full, 0.75 * 0.5 * full, 0.25 * full});
    }
}

// A picture of all directions: blue in front, red behind, green between; as PNG.
static uint8_t *make_world(size_t *size)
{
    enum { WIDE = 64, HIGH = 32 };
    uint8_t rgb[HIGH][WIDE][3] = {{{0}}};
    for (int y = 0; y < HIGH; ++y)
        for (int x = 0; x < WIDE; ++x) {
            bool front = x >= WIDE / 3 && x < 2 * WIDE / 3, behind = x < WIDE / 6 || x >= 5 * WIDE / 6;
            rgb[y][x][front ? 2 : behind ? 0 : 1] = 230;
        }
    return encode_png(WIDE, HIGH, false, rgb[0][0], size);
}

static void mirrors_show_what_is_around(void **state)
{
    stage *s = need_stage(state);
    set t;
    size_t size;
    uint8_t *bytes = make_world(&size);
    draw_image *world = NULL;
    assert_int_equal(draw_image_create(s->painter, size, bytes, &world), ER_OK);
    set_begin(&t, s, ER_SHAPE_BOX);
    t.camera.yaw = t.camera.pitch = 0.0; // towards the front
    t.style.transparent = false;
    t.material = (draw_material){.opacity = 1.0f, .shine = 1.0f, .reflection = 1.0f};
    t.stage.image = world;
    t.stage.background = DRAW_SURROUNDING;
    show(&t);
    compare(&t, 100, 100, (double[]){230, 0, 0}); // the colour behind the camera
    compare(&t, 10, 100, (double[]){0, 0, 230});
    t.stage.background = DRAW_BITMAP;
    show(&t);
    compare(&t, 100, 100, (double[]){0, 0, 230}); // of the direction that it is seen in: the middle
    compare(&t, 10, 30, (double[]){0, 230, 0});   // its shape is kept: a square of twice as wide a picture is seen
    t.stage.background = DRAW_COLOURS;
    show(&t);
    compare(&t, 100, 100, (double[]){0, 0, 0}); // nothing is mirrored
    draw_image_destroy(world);
    assert_int_equal(draw_image_create(s->painter, size / 2, bytes, &world), ER_ERROR_FORMAT);
    assert_null(world);
    free(bytes);
}

static void the_sky_is_blue_above_and_its_sun_stands_where_the_light_does(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_SPHERE);
    t.style.transparent = false;
    t.stage.background = DRAW_SKY;
    t.camera = draw_camera_look(er_v3(0, 0, 0), er_v3(0, 1, -0.2), er_v3(0, 1, 0), 0.5);
    t.solid.pose.p = er_v3(0, -100, 0);
    t.stage.light[0].position = er_v3(0, -5, 0);
    show(&t);
    const uint8_t *up = pixel(t.s, 100, 100);
    assert_true(up[2] > up[0]);
    t.camera = draw_camera_look(er_v3(0, 0, 0), er_v3(4, 5, 6), er_v3(0, 1, 0), 0.5);
    t.stage.light[0].position = er_v3(4000, 5000, 6000);
    show(&t);
    assert_in_range(pixel(t.s, 100, 100)[0], 254, 255);
    assert_in_range(pixel(t.s, 120, 100)[0], 0, 250);
}

static void a_light_casts_shadows_from_where_it_stands(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_SPHERE);
    t.style.shadow = true;
    t.camera = (draw_camera){.up = {0, 1, 0}, .distance = 12.0, .pitch = 0.9, .fov = 0.5};
    t.stage.light[0].position =
        er_v3(-4, 4, 0); // at 45 degrees: the middle of the shadow is as far as the ball is high
    t.material.specular[0] = t.material.specular[1] = t.material.specular[2] = 0.0f;
    er_shape plane = {.kind = ER_SHAPE_PLANE};
    draw_solid ground = t.solid;
    ground.shape = &plane;
    ground.pose.q = er_q_exp(er_v3(-0.5 * ER_PI, 0, 0));
    t.solid.pose.p = er_v3(-2, 2, 0);
    t.shape.radius = 0.5;
    set_open(&t);
    painter_solid(t.s->painter, &ground);
    painter_solid(t.s->painter, &t.solid);
    read_back(t.s);
    const er_vec3 dark = er_v3(0, 0, 0), open[3] = {er_v3(0, 0, 1.6), er_v3(1.9, 0, 0), er_v3(0, 0, -1.6)};
    double at[2], wanted[3];
    assert_true(draw_camera_project(&t.camera, SIDE, SIDE, dark, at));
    wanted[0] = wanted[1] = wanted[2] = shown(t.material.ambient[0] * t.stage.ambient[0]);
    compare(&t, at[0], at[1], wanted);
    for (int i = 0; i < 3; ++i) {
        assert_true(draw_camera_project(&t.camera, SIDE, SIDE, open[i], at));
        for (int k = 0; k < 3; ++k)
            wanted[k] = shown(phong(&t, k, open[i], er_v3(0, 1, 0)));
        compare(&t, at[0], at[1], wanted);
    }
}

static void joints_are_seen_through_what_they_join(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_BOX);
    draw_joint joint = {.anchor = {0, 0.3, 0}, .end_count = 2, .end = {{-0.5, -0.3, 0}, {0.5, -0.3, 0}}};
    double at[3][2];
    assert_true(draw_camera_project(&t.camera, SIDE, SIDE, joint.anchor, at[0]));
    for (int i = 0; i < 2; ++i) {
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(joint.anchor, joint.end[i]));
        assert_true(draw_camera_project(&t.camera, SIDE, SIDE, middle, at[1 + i]));
    }
    int drawn[DRAW_SHOWN];
    for (int k = 0; k < DRAW_SHOWN; ++k) {
        t.stage.shown = (draw_visible)k;
        set_open(&t);
        painter_solid(t.s->painter, &t.solid);
        painter_joint(t.s->painter, &joint);
        read_back(t.s);
        drawn[k] = count_drawn(t.s);
        for (int i = 0; i < 3; ++i) { // the box is grey
            const uint8_t *c = pixel(t.s, at[i][0], at[i][1]);
            assert_int_equal(abs(c[0] - c[2]) > 60, t.stage.shown != DRAW_ACTORS);
        }
    }
    assert_true(drawn[DRAW_JOINTS] < drawn[DRAW_ACTORS] / 4);
    assert_int_equal(drawn[DRAW_ACTORS_AND_JOINTS], drawn[DRAW_ACTORS]);
}

static bool is_lit(const set *t, int x, int y, er_vec3 at, er_vec3 n)
{
    return fabs(pixel(t->s, x, y)[1] - shown(phong(t, 1, at, n))) < 4.0;
}

// Whether a shape is drawn where its rays meet it, but for pixels at its rim, and lit as it is turned there, but for
// those at its edges.
static void compare_outline(set *t)
{
    int wrong = 0, inside = 0, lit = 0;
    t->solid.pose = (er_pose){er_q_exp(er_v3(0.5, 0.3, 0.2)), {0.1, -0.1, 0.2}};
    show(t);
    for (int y = 1; y < SIDE; y += 3)
        for (int x = 1; x < SIDE; x += 3) {
            er_vec3 from, way, n;
            double away;
            draw_camera_ray(&t->camera, SIDE, SIDE, x + 0.5, y + 0.5, &from, &way);
            bool hit = er_shape_ray(&t->shape, t->solid.pose, from, way, HUGE_VAL, &away, &n);
            int opacity = pixel(t->s, x, y)[3];
            wrong += hit ? opacity == 0 : opacity == 255;
            inside += hit;
            lit += hit && is_lit(t, x, y, er_v3_madd(from, away, way), n);
        }
    if (t->shape.kind != ER_SHAPE_MESH) assert_in_range(lit, inside * 9 / 10, inside); // a surface is smooth
    if (wrong > 0 || inside < 100) fail_msg("shape %d: %d of %d pixels", t->shape.kind, wrong, inside);
}

static void every_shape_is_drawn_where_it_is(void **state)
{
    static const er_vec3 corner[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 0.7}, {0, 0, -0.7}};
    static const double height[9] = {0, 0.2, 0, 0.3, 0.5, 0.1, 0, 0.2, 0};
    stage *s = need_stage(state);
    set t;
    er_hull *hull = NULL;
    er_surface *hills = NULL;
    for (int kind = ER_SHAPE_SPHERE; kind <= ER_SHAPE_MESH; ++kind) {
        set_begin(&t, s, (er_shape_kind)kind);
        t.shape.radius = 0.7;
        if (kind == ER_SHAPE_PLANE) continue; // fades
        if (kind == ER_SHAPE_HULL) assert_int_equal(er_hull_create(s->context, 6, corner, &hull), ER_OK);
        if (kind == ER_SHAPE_MESH)
            assert_int_equal(er_surface_create_heights(s->context, 3, 3, 0.6, 0.6, height, &hills), ER_OK);
        t.shape.hull = hull;
        t.shape.surface = hills;
        if (kind >= ER_SHAPE_HULL) assert_int_equal(draw_form_create(s->painter, &t.shape, &t.solid.form), ER_OK);
        compare_outline(&t);
        if (kind >= ER_SHAPE_HULL) draw_form_destroy(t.solid.form);
    }
    t.shape.kind = ER_SHAPE_BOX;
    assert_int_equal(draw_form_create(s->painter, &t.shape, &t.solid.form), ER_ERROR_ARGUMENT);
    er_hull_destroy(hull);
    er_surface_destroy(hills);
}

static void the_same_picture_is_not_drawn_again(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_BOX);
    for (int k = 0; k < 5; ++k) { // anew, the same, moved, seen through, and that otherwise
        if (k == 0) draw_target_bind(t.s->target);
        if (k == 2) t.solid.pose.p.x = 0.01;
        if (k > 2) t.material.opacity = 0.5f + 0.1f * (float)k;
        painter_solid(set_go_on(&t), &t.solid);
        assert_int_equal(painter_end(t.s->painter), k != 1);
    }
}

static void what_falls_for_ever_takes_nothing_from_the_rest(void **state)
{
    set t;
    set_begin(&t, need_stage(state), ER_SHAPE_BOX);
    t.style.shadow = true;
    show(&t);
    int drawn = count_drawn(t.s);
    draw_solid lost = t.solid;
    for (double away = 1e2; away < 1e9; away *= 10.0) {
        lost.pose.p = er_v3(0, -away, 0);
        set_open(&t);
        painter_solid(t.s->painter, &t.solid);
        painter_solid(t.s->painter, &lost);
        read_back(t.s);
        assert_int_equal(count_drawn(t.s), drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_lit_as_phong_says),
        cmocka_unit_test(facets_are_plain_when_flat_and_smooth_by_corner),
        cmocka_unit_test(edges_leave_holes_and_corners_are_points),
        cmocka_unit_test(what_is_seen_through_blends_from_far_to_near),
        cmocka_unit_test(mirrors_show_what_is_around),
        cmocka_unit_test(the_sky_is_blue_above_and_its_sun_stands_where_the_light_does),
        cmocka_unit_test(a_light_casts_shadows_from_where_it_stands),
        cmocka_unit_test(joints_are_seen_through_what_they_join),
        cmocka_unit_test(every_shape_is_drawn_where_it_is),
        cmocka_unit_test(the_same_picture_is_not_drawn_again),
        cmocka_unit_test(what_falls_for_ever_takes_nothing_from_the_rest),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
