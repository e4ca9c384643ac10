// Pictures, judged by where things must be seen in them.
#include <math.h>

#include <epoxy/gl.h>

#include "stage.h"

// How far the nearest vertex is seen from a pixel, and whether each vertex has a pixel drawn.
static void compare_points(const stage *s, const chain *c, const draw_camera *camera, const er_pose *pose)
{
    double *at = chain_vertices(c, pose), *seen = calloc(2 * (size_t)c->mesh.vertex_count, sizeof *seen);
    assert_non_null(seen);
    for (int v = 0; v < c->mesh.vertex_count; ++v) {
        er_vec3 x = vertex_at(at, v);
        assert_true(draw_camera_project(camera, SIDE, SIDE, x, &seen[2 * v]));
        if (pixel(s, seen[2 * v], seen[2 * v + 1])[3] == 0) fail_msg("vertex %d is not drawn where it is", v);
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        if (s->rgba[4 * i + 3] == 0) continue;
        double nearest = HUGE_VAL;
        for (int v = 0; v < c->mesh.vertex_count; ++v)
            nearest = fmin(nearest, hypot(seen[2 * v] - i % SIDE - 0.5, seen[2 * v + 1] - i / SIDE - 0.5));
        if (nearest > 4.0) fail_msg("pixel %d %d is drawn, %g pixels from any vertex", i % SIDE, i / SIDE, nearest);
    }
    free(at);
    free(seen);
}

static void vertices_are_drawn_where_the_scene_skins_them(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 4; ++k) { // straight, bent; in perspective and parallel
        shot *p = shot_usual(s, DRAW_POINTS);
        er_pose pose[BONES];
        if (k > 1) p->camera.fov = 0.0;
        shot_pose(p, k % 2 == 0 ? 0.0 : 0.5, pose);
        shoot(p);
        compare_points(s, &p->c, &p->camera, pose);
    }
}

static void far_from_the_origin_nothing_shakes(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_POINTS);
    er_pose pose[BONES];
    uint8_t *near = malloc(4 * SIDE * SIDE);
    assert_non_null(near);
    shot_pose(p, 0.4, pose);
    shoot(p);
    memcpy(near, s->rgba, 4 * SIDE * SIDE);
    p->f.shift = er_v3(1 << 20, -(1 << 21), 1 << 20); // floats are an eighth of a metre apart there
    p->camera.target = er_v3_add(p->camera.target, p->f.shift);
    shoot(p);
    compare_points(s, &p->c,
                   &(draw_camera){p->camera.up, er_v3_sub(p->camera.target, p->f.shift), p->camera.distance,
                                  p->camera.yaw, p->camera.pitch, p->camera.fov},
                   pose);
    free(near);
}

static void a_ghost_is_one_translucent_surface(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, leaves(s->context));
    p->f.opacity = 0.5f;
    shoot(p);
    assert_in_range(pixel(s, 100, 100)[3], 126, 129); // two layers would be 191
    assert_int_equal(pixel(s, 2, 2)[3], 0);
    p->f.opacity = 1.0f;
    shoot(p);
    assert_int_equal(pixel(s, 100, 100)[3], 255);
    p->f.opacity = 0.0f;
    shoot(p);
    assert_int_equal(count_drawn(s), 0);
}

// A second pair of leaves, nearer and half beside the first, hangs on a node of its own.
static void scenery_is_faded_and_hides_nothing(void **state)
{
    stage *s = need_stage(state);
    const struct {
        float opacity;
        int beside, before; // its alpha; whether the figure behind it looks as it did
    } cases[] = {{0.25f, 64, true}, {0.0f, 0, true}, {1.0f, 255, false}};
    er_vec3 point;
    uint8_t alone[4];
    shot *p = shot_front(s, leaves(s->context));
    p->f.selected = 0; // so that it has another colour
    shoot(p);
    memcpy(alone, pixel(s, 120, 100), sizeof alone);
    assert_false(draw_model_has_scenery(p->m));
    draw_bounds bounds = draw_model_bounds(p->m, NULL);
    const er_node node[3] = {p->c.node[0], p->c.node[1], {.name = "", .parent = -1, .source_index = -1}};
    er_affine world[3] = {p->c.world[0], p->c.world[1], er_affine_identity()};
    int body[3] = {0, 1, -1};
    const er_instance instance[2] = {p->c.instance, {.mesh = 0, .node = 2, .skin = -1}};
    world[2].translation = er_v3(1, 0, 1);
    p->c.scene.node_count = 3;
    p->c.scene.node = node;
    p->c.scene.instance_count = 2;
    p->c.scene.instance = instance;
    p->c.target = (er_recording_target){&p->c.scene, body, NULL, world, 0.5};
    shot_remake(p);
    draw_bounds with = draw_model_bounds(p->m, NULL);
    assert_true(draw_model_has_scenery(p->m));
    assert_memory_equal(&with, &bounds, sizeof bounds);
    for (int i = 0; i < 3; ++i) {
        p->style.scenery = cases[i].opacity;
        shoot(p);
        assert_in_range(pixel(s, 195, 100)[3], cases[i].beside - (i == 0), cases[i].beside + (i == 0));
        assert_int_equal(memcmp(pixel(s, 120, 100), alone, sizeof alone) == 0, cases[i].before);
    }
    assert_int_equal(draw_pick_point(p->m, &p->camera, SIDE, SIDE, 120, 100, NULL, &p->style, &point),
                     -1); // it is solid
    p->style.scenery = 0.9f;
    assert_int_equal(draw_pick_point(p->m, &p->camera, SIDE, SIDE, 120, 100, NULL, &p->style, &point), 0);
    assert_true(fabs(point.z) < 1e-6); // not that of the leaf before it
    body[2] = 1;
    assert_false(draw_model_follow(p->m, &p->c.target, p->c.model));
}

static void alpha_modes_are_kept(void **state)
{
    stage *s = need_stage(state);
    const struct {
        er_alpha_mode mode;
        float alpha;
        int low, high;
    } cases[] = {{ER_ALPHA_OPAQUE, 0.2f, 255, 255},
                 {ER_ALPHA_MASK, 0.2f, 0, 0},
                 {ER_ALPHA_MASK, 0.8f, 255, 255},
                 {ER_ALPHA_BLEND, 0.5f, 180, 195}}; // both leaves: 3/4
    for (int i = 0; i < 4; ++i) {
        chain c = leaves(s->context);
        c.material.alpha_mode = cases[i].mode;
        c.material.alpha_cutoff = 0.5f;
        c.material.base_color[1] = 0.1f; // a colour, so that it is not clay
        c.material.base_color[3] = cases[i].alpha;
        shot *p = shot_front(s, c);
        shoot(p);
        assert_in_range(pixel(s, 100, 100)[3], cases[i].low, cases[i].high);
    }
}

static void one_sided_faces_of_gltf_are_seen_from_the_front_alone(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 16; ++k) {
        bool behind = k & 1, two_sided = k & 2, mirrored = k & 4, clay = k & 8;
        chain c = leaves(s->context);
        c.material.double_sided = two_sided;
        if (mirrored) c.world[0].linear.m[0][0] = -1.0;
        shot *p = shot_front(s, c);
        p->camera.yaw = behind ? ER_PI : 0.0;
        p->style.textures = !clay;
        p->c.scene.format = ER_FORMAT_GLTF; // other files do not say which side is seen
        shot_remake(p);
        shoot(p);
        assert_int_equal(pixel(s, 100, 100)[3], behind && !two_sided ? 0 : 255);
    }
}

static void several_figures_are_drawn_as_each_alone(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_POINTS);
    er_pose pose[2][BONES];
    bool *alone = calloc(SIDE * SIDE, sizeof *alone);
    assert_non_null(alone);
    draw_figure f[2] = {p->f, p->f};
    for (int i = 0; i < 2; ++i) {
        chain_bend(&p->c, 0.4 * i, pose[i]);
        f[i].pose = pose[i];
        f[i].shift = er_v3(0.6 * i, 0.1, 0);
        p->f = f[i];
        shoot(p);
        for (int k = 0; k < SIDE * SIDE; ++k)
            alone[k] |= s->rgba[4 * k + 3] > 0;
    }
    for (int i = 0; i < 2; ++i)
        painter_add(i == 0 ? shot_open(p) : s->painter, p->m, &f[i]);
    read_back(s);
    for (int k = 0; k < SIDE * SIDE; ++k)
        assert_int_equal(s->rgba[4 * k + 3] > 0, alone[k]);
    free(alone);
}

static void a_part_of_a_target_is_drawn_and_the_rest_stays(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, leaves(s->context));
    p->style = draw_default_style(false);
    uint8_t *before = malloc(4 * SIDE * SIDE);
    assert_non_null(before);
    shoot(p);
    memcpy(before, s->rgba, 4 * SIDE * SIDE);
    p->style = draw_default_style(true);
    painter_begin(s->painter, s->target, 10, 20, 50, 30, &p->camera, &p->style);
    read_back(s);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int x = i % SIDE, y = i / SIDE;
        bool inside = x >= 10 && x < 60 && y >= 20 && y < 50;
        bool same = memcmp(before + 4 * i, s->rgba + 4 * i, 4) == 0;
        if (same == inside) fail_msg("pixel %d %d", x, y);
        assert_int_equal(s->rgba[4 * i + 3], 255);
    }
    free(before);
}

static void without_a_target_the_bound_framebuffer_is_drawn_upon(void **state)
{
    enum { WIDE = 64, HIGH = 40 };
    stage *s = need_stage(state);
    draw_style style = draw_default_style(false);
    draw_camera camera = front_camera();
    uint8_t rgba[4 * WIDE * HIGH];
    GLuint frame, buffer[2];
    GLint bound, viewport[4];
    glGenFramebuffers(1, &frame);
    glGenRenderbuffers(2, buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    for (int k = 0; k < 2; ++k) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer[k]);
        glRenderbufferStorage(GL_RENDERBUFFER, k == 0 ? GL_RGBA8 : GL_DEPTH_COMPONENT24, WIDE, HIGH);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, k == 0 ? GL_COLOR_ATTACHMENT0 : GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                  buffer[k]);
    }
    glViewport(0, 0, WIDE, HIGH);
    glClear(GL_COLOR_BUFFER_BIT);
    painter_begin(s->painter, NULL, 10, 5, 20, 15, &camera, &style);
    painter_end(s->painter);
    draw_read_bound(WIDE, HIGH, rgba);
    for (int i = 0; i < WIDE * HIGH; ++i) {
        int x = i % WIDE, y = i / WIDE;
        assert_int_equal(rgba[4 * i + 3], x >= 10 && x < 30 && y >= 5 && y < 20 ? 255 : 0);
    }
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    glGetIntegerv(GL_VIEWPORT, viewport);
    assert_int_equal(bound, frame);
    assert_true(viewport[0] == 0 && viewport[1] == 0 && viewport[2] == WIDE && viewport[3] == HIGH);
    assert_false(glIsEnabled(GL_DEPTH_TEST) || glIsEnabled(GL_BLEND) || glIsEnabled(GL_SCISSOR_TEST) ||
                 glIsEnabled(GL_CULL_FACE));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &frame);
    glDeleteRenderbuffers(2, buffer);
}

static void a_figure_darkens_the_floor_and_a_ghost_does_not(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, leaves(s->context));
    p->style = draw_default_style(false);
    int dark[3] = {0};
    p->camera.pitch = 1.2; // from above
    p->style.light_yaw = 0.0f;
    for (int k = 0; k < 3; ++k) {
        p->style.shadow = k > 0;
        p->f.opacity = k == 2 ? 0.5f : 1.0f;
        shoot(p);
        for (int i = 0; i < SIDE * SIDE; ++i)
            dark[k] += s->rgba[4 * i] < 150 && s->rgba[4 * i + 2] < 150;
    }
    assert_true(dark[1] > dark[0] + 500);
    assert_true(dark[2] < dark[0] + 50);
}

static void what_glows_is_seen_in_its_own_colour(void **state)
{
    stage *s = need_stage(state);
    chain c = leaves(s->context);
    c.material.base_color[0] = c.material.base_color[1] = c.material.base_color[2] = 0.0f;
    c.material.emissive[0] = 1.0f;
    shot *p = shot_front(s, c);
    shoot(p);
    const uint8_t *seen = pixel(s, 100, 100);
    assert_true(seen[0] > 200 && seen[1] < 60 && seen[2] < 60);
}

static void what_others_left_set_in_opengl_changes_no_picture(void **state)
{
    stage *s = need_stage(state);
    static uint8_t before[4 * SIDE * SIDE];
    shot *p = shot_front(s, leaves(s->context));
    p->style = draw_default_style(false);
    p->camera.pitch = 1.2; // so that the shadow is seen
    p->style.light_yaw = 0.0f;
    shoot(p);
    memcpy(before, s->rgba, sizeof before);
    p->style.light_yaw = 1.0f; // another shadow
    shoot(p);
    p->style.light_yaw = 0.0f;
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ONE);
    glEnable(GL_CULL_FACE);
    shoot(p);
    assert_memory_equal(s->rgba, before, sizeof before);
    glDisable(GL_CULL_FACE);
}

static void the_selected_body_is_coloured_by_its_weights(void **state)
{
    shot *p = shot_usual(need_stage(state), DRAW_POINTS);
    er_pose pose[BONES];
    chain_bend(&p->c, 0.0, pose);
    double *at = chain_vertices(&p->c, pose);
    p->f.selected = BONES - 1;
    p->style.selected[0] = 1.0f, p->style.selected[1] = p->style.selected[2] = 0.0f;
    shoot(p);
    const uint8_t *marked = pixel_at(p, vertex_at(at, p->c.mesh.vertex_count - 3)),
                  *plain = pixel_at(p, vertex_at(at, 0));
    assert_true(marked[0] > 2 * marked[2]);
    assert_true(plain[0] < 2 * plain[2]);
    free(at);
}

static void bones_go_from_joint_to_joint_and_are_found_there(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_POINTS);
    er_pose pose[BONES];
    er_vec3 head[BONES], tip[BONES];
    p->style.surface = DRAW_SHADED;
    p->style.mesh = false;
    p->style.skeleton = true;
    shot_pose(p, 0.5, pose);
    draw_bones(p->m, pose, head, tip);
    shoot(p);
    for (int b = 0; b < BONES; ++b) {
        assert_true(er_v3_distance(head[b], pose[b].p) < 1e-12);
        assert_true(er_v3_distance(tip[b], er_pose_point(pose[b], er_v3(0, 0.5, 0))) < 1e-12);
        double at[2];
        er_vec3 middle = er_v3_scale(0.5, er_v3_add(head[b], tip[b]));
        project(p, middle, at);
        assert_int_equal(pixel(s, at[0], at[1])[3], 255);
        assert_int_equal(draw_pick_body(p->m, &p->camera, SIDE, SIDE, at[0], at[1], pose), b);
    }
    assert_int_equal(draw_pick_body(p->m, &p->camera, SIDE, SIDE, 2, 2, pose), -1);
}

// A joint that closes a loop tells where a bone leads when no other joint does.
static void loops_lead_bones_that_nothing_else_leads(void **state)
{
    stage *s = need_stage(state);
    const er_vec3 at[2] = {er_v3(0.3, 0.7, 0.0), er_v3(0.2, 2.2, 0.1)};
    const int child[2] = {1, BONES - 1};
    draw_model *m;
    er_vec3 tip[BONES];
    shot *p = shot_usual(s, DRAW_POINTS);
    er_model *closed = close_loops(p, 2, child, at);
    assert_int_equal(draw_model_create(s->painter, &p->c.target, closed, &m), ER_OK);
    draw_bones(m, NULL, NULL, tip);
    assert_true(er_v3_distance(tip[1], closed->body[2].pose.p) < 1e-12);
    assert_true(er_v3_distance(tip[BONES - 1], at[1]) < 1e-12);
    draw_model_destroy(m);
    er_model_destroy(closed);
}

static void the_front_one_of_two_bones_is_found(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, chain_make(s->context, 3, 3));
    er_pose pose[3];
    double at[2];
    for (int front = 0; front < 3; ++front) { // all in one line of sight
        for (int b = 0; b < 3; ++b)
            pose[b] = (er_pose){er_q_identity(), {0, 0.2, b == front ? 0.6 : -0.3 * b}};
        project(p, er_v3(0, 0.45, 0), at);
        assert_int_equal(draw_pick_body(p->m, &p->camera, SIDE, SIDE, at[0], at[1], pose), front);
    }
}

// Each triangle's middle is what lies there, or something before it: by where er_scene_skin() puts the corners.
// @return how many are hidden by others
static int pick_middles(const shot *p, const er_pose *pose)
{
    double *corner = chain_vertices(&p->c, pose), at[2], again[2];
    er_vec3 axis[3], point;
    int hidden = 0;
    draw_camera_axes(&p->camera, axis);
    for (int i = 0; i < TRIANGLES; ++i) {
        er_vec3 middle = er_v3(0, 0, 0);
        for (int k = 0; k < 3; ++k) {
            const double *x = corner + 3 * (size_t)p->c.mesh.index[3 * i + k];
            middle = er_v3_madd(middle, 1.0 / 3.0, er_v3(x[0], x[1], x[2]));
        }
        project(p, middle, at);
        assert_in_range(draw_pick_point(p->m, &p->camera, SIDE, SIDE, at[0], at[1], pose, &p->style, &point), 0,
                        BONES - 1);
        bool same = er_v3_distance(point, middle) < 1e-5;
        assert_true(same || er_v3_dot(er_v3_sub(point, middle), axis[2]) > 0.0);
        project(p, point, again);
        assert_true(hypot(again[0] - at[0], again[1] - at[1]) < 1e-3);
        hidden += !same;
    }
    free(corner);
    return hidden;
}

static void a_point_under_a_pixel_lies_on_the_mesh(void **state)
{
    stage *s = need_stage(state);
    er_pose pose[BONES];
    er_vec3 point;
    chain c = chain_make(s->context, BONES, TRIANGLES);
    float *position = (float *)(uintptr_t)c.mesh.position;
    for (int v = 0; v < c.mesh.vertex_count; ++v) // large enough to hide others
        position[3 * v + v % 3] += v % 3 < 2 ? 1.6f : 0.0f;
    shot *p = shot_front(s, c);
    chain_bend(&p->c, 0.1, pose);
    assert_in_range(pick_middles(p, pose), 4, TRIANGLES - 4);
    assert_int_equal(draw_pick_point(p->m, &p->camera, SIDE, SIDE, 2, 2, pose, &p->style, &point), -1);
}

// Without a mesh it is a point of the bone: the one that the pixel lies upon.
static void a_point_under_a_pixel_lies_on_a_bone(void **state)
{
    shot *p = shot_usual(need_stage(state), DRAW_POINTS);
    er_pose pose[BONES];
    er_vec3 head[BONES], tip[BONES], point;
    double at[2];
    chain_bend(&p->c, 0.5, pose);
    draw_bones(p->m, pose, head, tip);
    p->style.mesh = false;
    for (int b = 0; b < BONES; ++b) {
        er_vec3 there = er_v3_add(er_v3_scale(0.3, head[b]), er_v3_scale(0.7, tip[b]));
        project(p, there, at);
        assert_int_equal(draw_pick_point(p->m, &p->camera, SIDE, SIDE, at[0], at[1], pose, &p->style, &point), b);
        assert_true(er_v3_distance(point, there) < 1e-9);
    }
}

static void bounds_hold_every_vertex_closely(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_POINTS);
    er_pose pose[BONES];
    for (int k = 0; k < 3; ++k) {
        chain_bend(&p->c, 0.4 * k, pose);
        draw_bounds b = draw_model_bounds(p->m, k == 0 ? NULL : pose);
        draw_camera camera = draw_camera_frame(&b, er_v3(0, 1, 0), 1.0);
        double *at = chain_vertices(&p->c, pose), low = HUGE_VAL, farthest = 0.0, pixel[2];
        for (int v = 0; v < p->c.mesh.vertex_count; ++v) {
            er_vec3 x = vertex_at(at, v);
            low = fmin(low, x.y);
            farthest = fmax(farthest, er_v3_distance(x, b.centre));
            assert_true(draw_camera_project(&camera, SIDE, SIDE, x, pixel));
            assert_true(pixel[0] >= 0 && pixel[0] <= SIDE && pixel[1] >= 0 && pixel[1] <= SIDE);
        }
        assert_true(fabs(low - b.low.y) < 1e-4 && fabs(farthest - b.radius) < 1e-4);
        if (k == 0) assert_true(fabs(b.floor - low) < 1e-4);
        free(at);
    }
}

// The chain's model and nodes as they stand in a pose.
static er_model *stand(const stage *s, chain *c, const er_pose *pose)
{
    er_body body[8];
    er_joint joint[8];
    er_model *model = NULL;
    er_model_def def = er_default_model_def();
    memcpy(body, c->model->body, (size_t)c->count * sizeof *body);
    memcpy(joint, c->model->joint, (size_t)c->model->joint_count * sizeof *joint);
    for (int i = 0; i < c->count; ++i) {
        er_affine moved = er_affine_from_pose(er_pose_mul(pose[i], er_pose_inverse(body[i].pose)));
        moved.translation = er_v3_scale(2.0, moved.translation);
        c->world[i] = er_affine_mul(moved, c->world[i]);
        body[i].pose = pose[i];
        if (i > 0) joint[i - 1].frame = pose[i];
    }
    def.body_count = c->count;
    def.body = body;
    def.joint_count = c->model->joint_count;
    def.joint = joint;
    assert_int_equal(er_model_create(s->context, &def, &model), ER_OK);
    return model;
}

static void another_equilibrium_is_drawn_without_sending_meshes(void **state)
{
    stage *s = need_stage(state);
    er_pose pose[3];
    static uint8_t followed[4 * SIDE * SIDE];
    shot *p = shot_of(s, chain_make(s->context, 3, 60), DRAW_SHADED);
    p->style.skeleton = true;
    chain_bend(&p->c, 0.5, pose);
    draw_uploads before = painter_uploads(s->painter);
    er_model *bent = stand(s, &p->c, pose);
    draw_model *same = p->m;
    assert_true(draw_model_follow(same, &p->c.target, bent));
    assert_int_equal(painter_uploads(s->painter).meshes, before.meshes);
    shoot(p);
    memcpy(followed, s->rgba, sizeof followed);
    assert_int_equal(draw_model_create(s->painter, &p->c.target, bent, &p->m), ER_OK);
    assert_int_equal(painter_uploads(s->painter).meshes, before.meshes + 1);
    shoot(p);
    assert_memory_equal(s->rgba, followed, sizeof followed);
    draw_bounds a = draw_model_bounds(same, NULL), b = draw_model_bounds(p->m, NULL);
    assert_memory_equal(&a, &b, sizeof b);
    p->c.world[1].linear = er_m3_madd((er_mat3){0}, -1.0, p->c.world[1].linear); // faces are wound the other way
    assert_false(draw_model_follow(same, &p->c.target, bent));
    draw_model_destroy(same);
    er_model_destroy(bent);
}

static void lines_and_rings_are_drawn_over_everything(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_front(s, leaves(s->context));
    const er_vec3 line[2] = {{-1, 0.5, -0.4}, {1, 0.5, -0.4}}; // behind the first leaf
    const float green[4] = {0, 1, 0, 1};
    er_pose ring = {er_q_identity(), {0, 0.5, -0.4}};
    painter_add(shot_open(p), p->m, &p->f);
    painter_lines(s->painter, 1, line, green, 5.0f);
    read_back(s);
    const uint8_t *on = pixel(s, 100, 100), *beside = pixel(s, 100, 106);
    assert_true(on[1] > 200 && on[0] < 50);
    assert_true(beside[0] > 50);
    painter_gizmo(shot_open(p), &ring, -1);
    read_back(s);
    int found = 0, drawn = 0;
    for (int i = 0; i < SIDE * SIDE; ++i)
        if (s->rgba[4 * i + 3] > 100) {
            ++drawn;
            found += draw_pick_gizmo(&p->camera, SIDE, SIDE, i % SIDE + 0.5, i / SIDE + 0.5, &ring) >= 0;
        }
    assert_true(drawn > 100);
    assert_int_equal(found, drawn);
}

static bool draw_again(const shot *p)
{
    painter_begin(p->s->painter, p->s->target, 0, 0, SIDE, SIDE, &p->camera, &p->style);
    painter_add(p->s->painter, p->m, &p->f);
    return painter_end(p->s->painter);
}

static void what_a_target_shows_already_is_not_drawn_again(void **state)
{
    stage *s = need_stage(state);
    er_pose bent[2];
    shot *p = shot_front(s, leaves(s->context));
    shoot(p);
    assert_false(draw_again(p));
    chain_bend(&p->c, 1e-3, bent);
    p->f.pose = bent;
    assert_true(draw_again(p));
    assert_false(draw_again(p));
    p->camera.yaw += 1e-4;
    assert_true(draw_again(p));
    p->style.exposure *= 1.001f;
    assert_true(draw_again(p));
    p->f.selected = 0;
    assert_true(draw_again(p));
    draw_target_bind(s->target); // and what others drew there is not taken for a picture
    assert_true(draw_again(p));
    shot_remake(p); // another model, though it may lie where the first lay
    assert_true(draw_again(p));
}

// With the floor and its shadow; a draft's are coarser, and the rest is where it is.
static void a_draft_looks_like_the_picture(void **state)
{
    stage *s = need_stage(state);
    uint8_t fine[4 * SIDE * SIDE];
    shot *p = shot_front(s, leaves(s->context));
    p->style = draw_default_style(true);
    p->camera.pitch = 0.5;
    shoot(p);
    memcpy(fine, s->rgba, sizeof fine);
    p->style.draft = true;
    shoot(p);
    double sum = 0.0;
    int far = 0;
    for (int i = 0; i < 4 * SIDE * SIDE; ++i) {
        int off = abs(fine[i] - s->rgba[i]);
        sum += off;
        far += off > 40;
    }
    assert_true(sum > 0.0);
    assert_true(sum / (4.0 * SIDE * SIDE) < 1.0 && far < SIDE * SIDE / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_drawn_where_the_scene_skins_them),
        cmocka_unit_test(far_from_the_origin_nothing_shakes),
        cmocka_unit_test(a_ghost_is_one_translucent_surface),
        cmocka_unit_test(scenery_is_faded_and_hides_nothing),
        cmocka_unit_test(alpha_modes_are_kept),
        cmocka_unit_test(one_sided_faces_of_gltf_are_seen_from_the_front_alone),
        cmocka_unit_test(several_figures_are_drawn_as_each_alone),
        cmocka_unit_test(a_part_of_a_target_is_drawn_and_the_rest_stays),
        cmocka_unit_test(without_a_target_the_bound_framebuffer_is_drawn_upon),
        cmocka_unit_test(a_figure_darkens_the_floor_and_a_ghost_does_not),
        cmocka_unit_test(what_glows_is_seen_in_its_own_colour),
        cmocka_unit_test(what_others_left_set_in_opengl_changes_no_picture),
        cmocka_unit_test(the_selected_body_is_coloured_by_its_weights),
        cmocka_unit_test(bones_go_from_joint_to_joint_and_are_found_there),
        cmocka_unit_test(loops_lead_bones_that_nothing_else_leads),
        cmocka_unit_test(the_front_one_of_two_bones_is_found),
        cmocka_unit_test(a_point_under_a_pixel_lies_on_the_mesh),
        cmocka_unit_test(a_point_under_a_pixel_lies_on_a_bone),
        cmocka_unit_test(bounds_hold_every_vertex_closely),
        cmocka_unit_test(another_equilibrium_is_drawn_without_sending_meshes),
        cmocka_unit_test(lines_and_rings_are_drawn_over_everything),
        cmocka_unit_test(what_a_target_shows_already_is_not_drawn_again),
        cmocka_unit_test(a_draft_looks_like_the_picture),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
