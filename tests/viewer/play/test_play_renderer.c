// A scene of the engine shown, and the same drawn by hand with what viewer/draw has: both are one picture.
#include "../draw/stage.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "viewer/draw/painter.h"
#include "viewer/play/play_renderer.h"

enum { WIDE = 72, HIGH = 56 };

typedef struct scene {
    stage *s;
    engine *e;
    play_renderer *show;
    // the same by hand
    draw_camera camera;
    draw_style style;
    draw_stage by_hand;
} scene;

// Black behind everything; a light that is nobody's default.
static void scene_begin(scene *t, stage *s)
{
    *t = (scene){.s = s, .style = draw_default_style(false), .by_hand = draw_default_stage()};
    assert_int_equal(draw_target_resize(s->target, SIDE, SIDE), ER_OK);
    assert_int_equal(engine_create(s->context, &t->e), ER_OK);
    engine_settings rules = engine_default_settings();
    rules.gravity = er_v3(0, 0, 0);
    assert_int_equal(engine_set_settings(t->e, &rules), ER_OK);
    assert_int_equal(play_renderer_create(s->context, s->painter, t->e, &t->show), ER_OK);
    engine_view *v = engine_get_view(t->e);
    v->eye = er_v3(1, 2, 6);
    v->target = er_v3(0.1, 0.2, -0.1);
    v->fov = 0.7;
    v->background = ENGINE_COLOUR;
    for (int k = 0; k < 3; ++k)
        v->top[k] = v->bottom[k] = t->style.background[0][k] = t->style.background[1][k] = 0.0f;
    const engine_light light = {.position = {3, 5, 4},
                                .ambient = {0.1f, 0.0f, 0.2f},
                                .diffuse = {0.9f, 0.7f, 0.8f},
                                .specular = {0.3f, 0.6f, 0.1f}};
    assert_true(engine_add_light(t->e, &light) > 0);
    t->by_hand.light_count = 1;
    t->by_hand.light[0] = (draw_light){{3, 5, 4}, {0.1f, 0.0f, 0.2f}, {0.9f, 0.7f, 0.8f}, {0.3f, 0.6f, 0.1f}};
    t->camera = draw_camera_look(v->eye, v->target, er_v3(0, 1, 0), 0.7);
}

static void scene_end(scene *t)
{
    play_renderer_destroy(t->show);
    engine_destroy(t->e);
}

static void open_by_hand(scene *t)
{
    draw_target_bind(t->s->target); // so that it is drawn even if the target shows it
    painter_begin(t->s->painter, t->s->target, 0, 0, WIDE, HIGH, &t->camera, &t->style);
    assert_int_equal(painter_stage(t->s->painter, &t->by_hand), ER_OK);
}

// Ends what was drawn by hand; the scene is then the same picture, but for what numbers are rounded to.
static void compare(scene *t, double between, bool draft)
{
    static uint8_t wanted[4 * SIDE * SIDE];
    painter_end(t->s->painter);
    draw_target_read(t->s->target, wanted);
    draw_target_bind(t->s->target);
    assert_int_equal(play_renderer_draw(t->show, between, t->s->target, WIDE, HIGH, draft), ER_OK);
    draw_target_read(t->s->target, t->s->rgba);
    int seen = 0;
    for (int i = 0; i < 4 * SIDE * HIGH; ++i) {
        if (i / 4 % SIDE >= WIDE) continue;
        seen += i % 4 < 3 && wanted[i] > 40;
        if (abs(wanted[i] - t->s->rgba[i]) > 1)
            fail_msg("pixel %d %d: %d of colour %d, not %d", i / 4 % SIDE, i / 4 / SIDE, t->s->rgba[i], i % 4,
                     wanted[i]);
    }
    assert_true(seen > 50);
}

static const engine_material paint = {.ambient = {0.5f, 0.2f, 0.3f},
                                      .diffuse = {0.3f, 0.8f, 0.6f},
                                      .specular = {0.2f, 0.4f, 0.9f},
                                      .shine = 9.0f,
                                      .opacity = 0.7f,
                                      .reflection = 0.4f,
                                      .friction = 0.5,
                                      .density = 1000.0};
static const draw_material painted = {{0.5f, 0.2f, 0.3f}, {0.3f, 0.8f, 0.6f}, {0.2f, 0.4f, 0.9f}, 9.0f, 0.7f, 0.4f};

static const er_shape half_ball = {.kind = ER_SHAPE_SPHERE, .radius = 0.5};

static void add_solid(scene *t, const er_shape *of, er_pose pose, const draw_material *material, double reach)
{
    const draw_solid solid = {.shape = of, .pose = pose, .material = material, .tint = {1, 1, 1}, .reach = reach};
    painter_solid(t->s->painter, &solid);
}

// The ball of put_ball() in the middle, by hand.
static void compare_ball(scene *t, const draw_material *material)
{
    open_by_hand(t);
    add_solid(t, &half_ball, er_pose_identity(), material, 0.0);
    compare(t, 1.0, false);
}

// A ball, something hidden, and a box that is seen through, on one actor that moves; and a plane.
static void actors_are_shown_as_their_parts_between_two_steps(void **state)
{
    scene t;
    scene_begin(&t, need_stage(state));
    const er_pose aside = {er_q_exp(er_v3(0.3, 0.4, 0.2)), {1.0, 0.1, 0.0}};
    engine_part part[3] = {
        {.shape = {.kind = ER_SHAPE_SPHERE, .radius = 0.6}, .pose = er_pose_identity()},
        {.shape = {.kind = ER_SHAPE_SPHERE, .radius = 0.6}, .pose = {er_q_identity(), {0, 1.4, 0}}, .hidden = true},
        {.shape = {.kind = ER_SHAPE_BOX, .half = {0.3, 0.5, 0.4}}, .pose = aside, .material = 1}};
    assert_int_equal(engine_add_material(t.e, &paint), 1);
    engine_actor_def def = engine_default_actor();
    def.part = part;
    def.part_count = 3;
    def.pose.p = er_v3(-0.6, 0, 0);
    def.velocity = er_v3(0, 0, 0);
    int id, plane;
    assert_int_equal(engine_add_actor(t.e, &def, &id), ER_OK);
    engine_part ground = {
        .shape = {.kind = ER_SHAPE_PLANE}, .pose = {er_q_exp(er_v3(-0.5 * ER_PI, 0, 0)), {0, -1.2, 0}}, .face = 3.0};
    engine_actor_def still = engine_default_actor();
    still.motion = ENGINE_STATIC;
    still.part = &ground;
    still.part_count = 1;
    assert_int_equal(engine_add_actor(t.e, &still, &plane), ER_OK);
    const er_vec3 velocity = er_v3(18, 6, 0); // 0.3 m and 0.1 m a step
    assert_int_equal(engine_move(t.e, id, NULL, &velocity, NULL), ER_OK);
    assert_int_equal(engine_step(t.e), ER_OK);
    const draw_material plain = draw_default_material();
    for (int k = 0; k < 3; ++k) { // the last without shadows
        double between = k == 0 ? 0.25 : 1.0;
        er_pose at = {er_q_identity(), er_v3_madd(er_v3(-0.6, 0, 0), between / 60.0, velocity)};
        t.style.draft = k == 1;
        engine_get_view(t.e)->shadows = t.style.shadow = k < 2;
        open_by_hand(&t);
        add_solid(&t, &part[0].shape, at, &plain, 0.0);
        add_solid(&t, &part[2].shape, er_pose_mul(at, aside), &painted, 0.0);
        add_solid(&t, &ground.shape, ground.pose, &plain, 3.0);
        compare(&t, between, k == 1);
    }
    scene_end(&t);
}

static int put_actor(scene *t, er_shape of, engine_motion motion, er_vec3 place, int material)
{
    engine_part part = {.shape = of, .pose = er_pose_identity(), .material = material};
    engine_actor_def def = engine_default_actor();
    def.motion = motion;
    def.part = &part;
    def.part_count = 1;
    def.pose.p = place;
    int id;
    assert_int_equal(engine_add_actor(t->e, &def, &id), ER_OK);
    return id;
}

static int put_ball(scene *t, er_vec3 place, int material)
{
    return put_actor(t, half_ball, ENGINE_DYNAMIC, place, material);
}

static void the_view_says_how_light_is_spread_and_what_of_facets_is_seen(void **state)
{
    static const draw_shading shading[ENGINE_SHADINGS] = {[ENGINE_FLAT] = DRAW_FLAT,
                                                          [ENGINE_GOURAUD] = DRAW_GOURAUD,
                                                          [ENGINE_PHONG] = DRAW_PHONG,
                                                          [ENGINE_WIREFRAME] = DRAW_WIRE};
    static const draw_facets facets[ENGINE_POLYGONS] = {
        [ENGINE_FILL] = DRAW_FILL, [ENGINE_LINES] = DRAW_LINE, [ENGINE_POINTS] = DRAW_POINT};
    const draw_material plain = draw_default_material();
    stage *s = need_stage(state);
    scene t;
    scene_begin(&t, s);
    engine_view *v = engine_get_view(t.e);
    put_ball(&t, er_v3(0, 0, 0), 0);
    const float ambient[3] = {0.5f, 0.3f, 0.1f};
    memcpy(v->ambient, ambient, sizeof ambient);
    memcpy(t.by_hand.ambient, ambient, sizeof ambient);
    for (int k = 0; k < ENGINE_SHADINGS + ENGINE_POLYGONS; ++k) {
        v->shading = k < ENGINE_SHADINGS ? (engine_shading)k : ENGINE_PHONG;
        v->polygons = k < ENGINE_SHADINGS ? ENGINE_FILL : (engine_polygons)(k - ENGINE_SHADINGS);
        t.by_hand.shading = shading[v->shading];
        t.by_hand.facets = facets[v->polygons];
        compare_ball(&t, &plain);
    }
    scene_end(&t);
}

// From twice the camera's distance above its target, and as far to the right and back by 0.8.
static void a_scene_without_lights_is_lit_from_beside_its_camera(void **state)
{
    const draw_material plain = draw_default_material();
    scene t;
    scene_begin(&t, need_stage(state));
    put_ball(&t, er_v3(0, 0, 0), 0);
    assert_true(engine_remove_light(t.e, engine_light_at(t.e, 0)->id));
    er_vec3 back = er_v3_sub(engine_get_view(t.e)->eye, engine_get_view(t.e)->target);
    double far = er_v3_norm(back);
    er_vec3 right = er_v3_unit(er_v3_cross(er_v3(0, 1, 0), back), er_v3(1, 0, 0));
    er_vec3 place = er_v3_madd(engine_get_view(t.e)->target, 2.0 * far, er_v3(0, 1, 0));
    place = er_v3_madd(er_v3_madd(place, 1.6, back), 1.6 * far, right);
    t.by_hand.light[0] = draw_default_light();
    t.by_hand.light[0].position = place;
    compare_ball(&t, &plain);
    const engine_light other[2] = {{.position = {-5, 0, 2}, .diffuse = {0.2f, 0.3f, 0.9f}},
                                   {.position = {5, 3, 2}, .ambient = {0.1f, 0.3f, 0.2f}, .specular = {1, 1, 1}}};
    for (int i = 0; i < 2; ++i) {
        assert_true(engine_add_light(t.e, &other[i]) > 0);
        t.by_hand.light[i] = (draw_light){.position = other[i].position};
        memcpy(t.by_hand.light[i].ambient, other[i].ambient, sizeof other[i].ambient);
        memcpy(t.by_hand.light[i].diffuse, other[i].diffuse, sizeof other[i].diffuse);
        memcpy(t.by_hand.light[i].specular, other[i].specular, sizeof other[i].specular);
    }
    t.by_hand.light_count = 2;
    compare_ball(&t, &plain);
    scene_end(&t);
}

static double srgb(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

static void colours_behind_a_scene_are_given_as_light(void **state)
{
    static const float top[3] = {0.002f, 0.05f, 0.6f}, bottom[3] = {0.9f, 0.2f, 0.0031f};
    scene t;
    scene_begin(&t, need_stage(state));
    engine_view *v = engine_get_view(t.e);
    for (int k = 0; k < 3; ++k) {
        v->top[k] = top[k];
        v->bottom[k] = bottom[k];
        t.style.background[0][k] = (float)srgb((double)top[k]);
        t.style.background[1][k] = (float)srgb((double)bottom[k]);
    }
    open_by_hand(&t);
    compare(&t, 1.0, false);
    scene_end(&t);
}

// ---- joints

// A rope is a line between its points; a pulley's goes over its wheels. Gears are not shown.
static void ropes_are_shown_with_joints(void **state)
{
    stage *s = need_stage(state);
    const er_vec3 wheel[2] = {{-1, 1, 0}, {1, 1, 0}}, point[2] = {{-1, 0.1, 0}, {1, 0.5, 0.1}};
    for (int kind = ER_TIE_DISTANCE; kind <= ER_TIE_PULLEY; ++kind) {
        scene t;
        scene_begin(&t, s);
        engine_get_view(t.e)->shown = ENGINE_JOINTS;
        t.by_hand.shown = DRAW_JOINTS;
        engine_tie_def def = engine_default_tie();
        def.law.kind = (er_tie_kind)kind;
        def.law.most = 9.0;
        def.actor[0] = put_ball(&t, er_v3(-1, 0, 0), 0);
        def.actor[1] = put_ball(&t, er_v3(1, 0.5, 0), 0);
        memcpy(def.point, point, sizeof point);
        memcpy(def.law.wheel, wheel, sizeof wheel);
        int id;
        if (engine_add_tie(t.e, &def, &id) != ER_OK) fail_msg("%s", er_context_error(s->context));
        open_by_hand(&t);
        for (int i = 0; i < 2 && kind == ER_TIE_PULLEY; ++i)
            painter_joint(s->painter, &(draw_joint){wheel[i], 2, {point[i], wheel[1 - i]}, {0, 0, 0}});
        if (kind == ER_TIE_DISTANCE) painter_joint(s->painter, &(draw_joint){point[0], 1, {point[1]}, {0, 0, 0}});
        compare(&t, 1.0, false);
        scene_end(&t);
    }
}

static void joints_are_shown_at_their_anchors_with_their_axes(void **state)
{
    static const struct {
        er_joint_type type;
        bool axis;
    } types[] = {{ER_JOINT_REVOLUTE, true},   {ER_JOINT_PRISMATIC, true}, {ER_JOINT_SPHERICAL, false},
                 {ER_JOINT_FIXED, false},     {ER_JOINT_UNIVERSAL, true}, {ER_JOINT_FREE, false},
                 {ER_JOINT_CYLINDRICAL, true}};
    stage *s = need_stage(state);
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        for (int ends = 1; ends <= 2; ++ends) {
            scene t;
            scene_begin(&t, s);
            engine_get_view(t.e)->shown = ENGINE_JOINTS;
            t.by_hand.shown = DRAW_JOINTS;
            int a = put_ball(&t, er_v3(-1, 0, 0), 0), b = put_ball(&t, er_v3(1, 0.5, 0), 0), id;
            engine_joint_def def = engine_default_joint();
            def.actor[0] = ends == 2 ? a : 0;
            def.actor[1] = b;
            def.type = types[i].type;
            def.frame = (er_pose){er_q_exp(er_v3(0.4, 0.9, 0)), {0.1, 0.9, 0.2}};
            if (engine_add_joint(t.e, &def, &id) != ER_OK) fail_msg("%s", er_context_error(s->context));
            draw_joint sign = {.anchor = {0.1, 0.9, 0.2}, .end_count = ends, .end = {{1, 0.5, 0}, {1, 0.5, 0}}};
            if (ends == 2) sign.end[0] = er_v3(-1, 0, 0);
            if (types[i].axis) sign.axis = er_q_rotate(def.frame.q, er_v3(0, 0, 1));
            open_by_hand(&t);
            painter_joint(s->painter, &sign);
            compare(&t, 1.0, false);
            scene_end(&t);
        }
}

// ---- forms

static er_hull *box_hull(stage *s, double half)
{
    er_vec3 corner[8];
    er_hull *hull = NULL;
    for (int i = 0; i < 8; ++i)
        corner[i] = er_v3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
    assert_int_equal(er_hull_create(s->context, 8, corner, &hull), ER_OK);
    return hull;
}

// Forms of hulls that lie anywhere in memory, added in an order that is not theirs.
static void hulls_keep_their_own_forms(void **state)
{
    enum { COUNT = 20 };
    stage *s = need_stage(state);
    scene t;
    er_hull *hull[COUNT];
    scene_begin(&t, s);
    const draw_material plain = draw_default_material();
    for (int i = 0; i < COUNT; ++i)
        hull[i] = box_hull(s, 0.1 + 0.02 * i);
    unsigned made = 0;
    for (int n = 0; n < COUNT; ++n) {
        int i = 7 * n % COUNT;
        put_actor(&t, (er_shape){.kind = ER_SHAPE_HULL, .hull = hull[i]}, ENGINE_STATIC,
                  er_v3(n % 5 - 2, 0.8 * (n / 5) - 1.2, 0), 0);
        made = s->painter->models;
        assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
        assert_true(s->painter->models >= made + 1);
        made = s->painter->models;
        assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
        assert_int_equal(s->painter->models, made); // forms are kept
    }
    draw_form *form[COUNT];
    open_by_hand(&t);
    for (int n = 0; n < COUNT; ++n) {
        const er_shape form_shape = {.kind = ER_SHAPE_HULL, .hull = hull[7 * n % COUNT]};
        assert_int_equal(draw_form_create(s->painter, &form_shape, &form[n]), ER_OK);
        const draw_solid solid = {.shape = &form_shape,
                                  .pose = {er_q_identity(), {n % 5 - 2, 0.8 * (n / 5) - 1.2, 0}},
                                  .material = &plain,
                                  .tint = {1, 1, 1},
                                  .form = form[n]};
        painter_solid(s->painter, &solid);
    }
    compare(&t, 1.0, false);
    for (int n = 0; n < COUNT; ++n)
        draw_form_destroy(form[n]);
    scene_end(&t);
    for (int i = 0; i < COUNT; ++i)
        er_hull_destroy(hull[i]);
}

static void a_surface_is_shown(void **state)
{
    static const double height[9] = {0, 0.4, 0, 0.6, 1.0, 0.2, 0, 0.4, 0};
    stage *s = need_stage(state);
    scene t;
    er_surface *hills = NULL;
    scene_begin(&t, s);
    const draw_material plain = draw_default_material();
    assert_int_equal(er_surface_create_heights(s->context, 3, 3, 1.0, 1.0, height, &hills), ER_OK);
    const er_shape form_shape = {.kind = ER_SHAPE_MESH, .surface = hills};
    put_actor(&t, form_shape, ENGINE_STATIC, er_v3(0, 0, 0), 0);
    draw_form *form = NULL;
    open_by_hand(&t);
    assert_int_equal(draw_form_create(s->painter, &form_shape, &form), ER_OK);
    const draw_solid solid = {
        .shape = &form_shape, .pose = er_pose_identity(), .material = &plain, .tint = {1, 1, 1}, .form = form};
    painter_solid(s->painter, &solid);
    compare(&t, 1.0, false);
    draw_form_destroy(form);
    scene_end(&t);
    er_surface_destroy(hills);
}

// ---- characters

static int add_character(scene *t, const shot *p, er_vec3 place, double scale)
{
    engine_character_def def = engine_default_character();
    def.model = p->c.model;
    def.target = &p->c.target;
    def.place.p = place;
    def.scale = scale;
    int id;
    if (engine_add_character(t->e, &def, &id) != ER_OK) fail_msg("%s", er_context_error(t->s->context));
    return id;
}

static void characters_are_sent_once_and_given_back(void **state)
{
    enum { JOINTS = 3 };
    stage *s = need_stage(state);
    scene t;
    shot p[2]; // the second has fewer bones
    scene_begin(&t, s);
    for (int i = 0; i < 2; ++i) {
        chain c = chain_make(s->context, JOINTS - i, 12);
        for (int v = 0; v < c.mesh.vertex_count; ++v) // large enough to be seen
            ((float *)(uintptr_t)c.mesh.position)[3 * v + v % 3] += 0.4f;
        shot_begin(&p[i], s, c, DRAW_SHADED);
    }
    int sent = painter_uploads(s->painter).meshes;
    int first = add_character(&t, &p[1], er_v3(-1, -0.5, 0), 2.0);
    add_character(&t, &p[0], er_v3(1, -0.5, 0), 1.5);
    for (int k = 0; k < 2; ++k)
        assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
    assert_int_equal(painter_uploads(s->painter).meshes, sent + 2);
    for (int k = 0; k < 2; ++k) {
        open_by_hand(&t);
        for (int i = k; i < 2; ++i) {
            const shot *of = &p[i == 0];
            er_pose pose[JOINTS];
            double scale = i == 0 ? 2.0 : 1.5;
            draw_figure figure = draw_default_figure();
            for (int b = 0; b < of->c.count; ++b) {
                pose[b] = of->c.model->body[b].pose;
                pose[b].p = er_v3_madd(pose[b].p, 1.0 / scale, er_v3(i == 0 ? -1 : 1, -0.5, 0));
            }
            figure.pose = pose;
            figure.scale = scale;
            painter_add(s->painter, of->m, &figure);
        }
        compare(&t, 1.0, false);
        if (k == 0) assert_true(engine_remove_character(t.e, first));
    }
    assert_int_equal(painter_uploads(s->painter).meshes, sent + 2); // the one that stays is not sent again
    scene_end(&t);
    for (int i = 0; i < 2; ++i)
        shot_end(&p[i]);
}

// ---- pictures behind a scene

// A picture in a file, and for what is drawn by hand.
static draw_image *make_picture(stage *s, const char *path, int red)
{
    uint8_t rgb[16][3];
    draw_image *image = NULL;
    size_t size;
    for (int i = 0; i < 16; ++i) {
        rgb[i][0] = (uint8_t)red;
        rgb[i][1] = (uint8_t)(i % 4 * 60);
        rgb[i][2] = (uint8_t)(i / 4 * 60);
    }
    uint8_t *bytes = encode_png(4, 4, false, rgb[0], &size);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    assert_int_equal(draw_image_create(s->painter, size, bytes, &image), ER_OK);
    free(bytes);
    return image;
}

static void pictures_lie_behind_a_scene_until_another_is_named(void **state)
{
    stage *s = need_stage(state);
    char path[2][32] = {"/tmp/eigenrig_show_XXXXXX", "/tmp/eigenrig_show_XXXXXX"};
    scene t;
    draw_image *image[2];
    scene_begin(&t, s);
    engine_view *v = engine_get_view(t.e);
    assert_int_equal(engine_add_material(t.e, &paint), 1);
    put_ball(&t, er_v3(0, 0, 0), 1);
    for (int i = 0; i < 2; ++i) {
        close(mkstemp(path[i]));
        image[i] = make_picture(s, path[i], i == 0 ? 250 : 20);
    }
    static const struct {
        engine_background background;
        draw_background by_hand;
        int picture; // -1: none
    } cases[] = {{ENGINE_BITMAP, DRAW_BITMAP, 0},
                 {ENGINE_COLOUR, DRAW_COLOURS, 0},
                 {ENGINE_ENVIRONMENT, DRAW_SURROUNDING, 0},
                 {ENGINE_ENVIRONMENT, DRAW_SURROUNDING, 1},
                 {ENGINE_ENVIRONMENT, DRAW_SKY, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int which = cases[i].picture;
        v->background = cases[i].background;
        snprintf(v->picture, sizeof v->picture, "%s", which >= 0 ? path[which] : "");
        t.by_hand.background = cases[i].by_hand;
        t.by_hand.image = which >= 0 ? image[which] : NULL;
        compare_ball(&t, &painted);
        if (which == 0) unlink(path[0]); // it was read
    }
    unlink(path[1]);
    for (int i = 0; i < 2; ++i)
        draw_image_destroy(image[i]);
    scene_end(&t);
}

static void a_background_that_is_none_is_told_once(void **state)
{
    stage *s = need_stage(state);
    char path[] = "/tmp/eigenrig_show_XXXXXX";
    int file = mkstemp(path);
    scene t;
    scene_begin(&t, s);
    engine_view *v = engine_get_view(t.e);
    put_ball(&t, er_v3(0, 0, 0), 0);
    v->background = ENGINE_BITMAP;
    assert_int_equal(write(file, "no picture", 10), 10);
    close(file);
    const struct {
        const char *path;
        er_result r;
    } cases[] = {{path, ER_ERROR_FORMAT}, {"/no/where", ER_ERROR_FILE}, {"/", ER_ERROR_FILE}, {path, ER_ERROR_FORMAT}};
    for (int i = 0; i < 4; ++i) {
        snprintf(v->picture, sizeof v->picture, "%s", cases[i].path);
        assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), cases[i].r);
        assert_memory_equal(er_context_error(s->context), cases[i].path, strlen(cases[i].path));
        assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
    }
    assert_int_equal(truncate(path, 0), 0); // nothing at all in it
    v->picture[0] = '\0';
    assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
    snprintf(v->picture, sizeof v->picture, "%s", path);
    assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_ERROR_FILE);
    unlink(path);
    scene_end(&t);
}

static void the_camera_goes_along_with_what_it_follows(void **state)
{
    stage *s = need_stage(state);
    scene t;
    scene_begin(&t, s);
    engine_view *v = engine_get_view(t.e);
    const er_vec3 eye = v->eye, velocity = er_v3(6, 0, 0);
    v->follow = put_ball(&t, er_v3(0, 0, 0), 0);
    assert_int_equal(play_renderer_draw(t.show, 1.0, s->target, WIDE, HIGH, false), ER_OK);
    assert_int_equal(engine_move(t.e, v->follow, NULL, &velocity, NULL), ER_OK);
    assert_int_equal(engine_step(t.e), ER_OK);
    assert_int_equal(play_renderer_draw(t.show, 0.5, s->target, WIDE, HIGH, false), ER_OK);
    assert_true(er_v3_distance(v->eye, er_v3_add(eye, er_v3(0.05, 0, 0))) < 1e-9);
    scene_end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actors_are_shown_as_their_parts_between_two_steps),
        cmocka_unit_test(the_view_says_how_light_is_spread_and_what_of_facets_is_seen),
        cmocka_unit_test(a_scene_without_lights_is_lit_from_beside_its_camera),
        cmocka_unit_test(colours_behind_a_scene_are_given_as_light),
        cmocka_unit_test(joints_are_shown_at_their_anchors_with_their_axes),
        cmocka_unit_test(ropes_are_shown_with_joints),
        cmocka_unit_test(hulls_keep_their_own_forms),
        cmocka_unit_test(a_surface_is_shown),
        cmocka_unit_test(characters_are_sent_once_and_given_back),
        cmocka_unit_test(pictures_lie_behind_a_scene_until_another_is_named),
        cmocka_unit_test(a_background_that_is_none_is_told_once),
        cmocka_unit_test(the_camera_goes_along_with_what_it_follows),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
