// Numbers, not pixels: a picture gathers them before it is drawn, and of its frame the graphics card is told.
#include <math.h>

#include <epoxy/gl.h>

#include "stage.h"
#include "viewer/draw/camera.h"
#include "viewer/draw/forms.h"
#include "viewer/draw/gizmo.h"
#include "viewer/draw/images.h"
#include "viewer/draw/model.h"

static er_vec3 v(const float x[3])
{
    return er_v3(x[0], x[1], x[2]);
}

static const line *line_at(const painter *g, int i)
{
    return (const line *)(const void *)g->lines.data + i;
}

static int line_count(const painter *g)
{
    return (int)(g->lines.size / sizeof(line));
}

static void colours_are_linear_as_srgb_says(void **state)
{
    static const float cases[] = {0.0f, 0.02f, 0.0404f, 0.0405f, 0.2f, 0.5f, 0.9f, 1.0f};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double c = (double)cases[i];
        near((double)linear_of(cases[i]), c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4), 1e-6);
    }
}

// Every part of what is gathered makes another number, and the same parts the same.
static void digests_tell_pictures_apart(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_SHADED);
    p->style.skeleton = p->style.axes = true;
    painter *g = shot_open(p);
    painter_add(g, p->m, &p->f);
    const uint64_t whole = painter_digest(g);
    assert_true(painter_digest(g) == whole);
    double *const numbers[] = {&g->camera.yaw, &g->camera.target.z, &g->style.floor_step.z, &g->depth[0],  &g->depth[1],
                               &g->cast[0].x,  &g->cast[1].z,       &g->foot[0].y,          &g->foot[1].y, &g->floor,
                               &g->radius};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        double was = *numbers[i];
        *numbers[i] = nextafter(was, HUGE_VAL);
        if (painter_digest(g) == whole) fail_msg("number %zu does not count", i);
        *numbers[i] = was;
    }
    int *const counts[] = {&g->part[0], &g->part[3], &g->run[0].page, &g->run[0].count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        ++*counts[i];
        if (i != 2 && painter_digest(g) == whole) fail_msg("count %zu does not count", i);
        --*counts[i];
    }
    g->run[0].kind = RUN_GHOST;
    assert_true(painter_digest(g) != whole);
    g->run[0].kind = RUN_TRANSLUCENT;
    assert_true(painter_digest(g) == whole);
    ++p->m->serial;
    assert_true(painter_digest(g) != whole);
    --p->m->serial;
    stream *const streams[] = {&g->page[0].texels, &g->shapes[LAYER_SOLID][SHAPE_BONE],
                               &g->shapes[LAYER_SOLID][SHAPE_BALL], &g->lines};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; ++i) {
        assert_true(streams[i]->size > 8);
        for (int k = 0; k < 2; ++k) { // its first byte, and its last
            unsigned char *byte = streams[i]->data + (k == 0 ? 0 : streams[i]->size - 1);
            *byte ^= 1;
            if (painter_digest(g) == whole) fail_msg("stream %zu does not count", i);
            *byte ^= 1;
        }
        streams[i]->size -= 4;
        assert_true(painter_digest(g) != whole);
        streams[i]->size += 4;
    }
    assert_true(painter_digest(g) == whole);
    painter_end(g);
}

// Matrices: where a joint carries its vertices, from the camera's target; its tint before all.
static void matrices_carry_what_hangs_on_joints(void **state)
{
    for (int kind = 0; kind < 3; ++kind) {
        er_pose pose[BONES];
        shot *p = shot_usual(need_stage(state), DRAW_SHADED);
        shot_pose(p, 0.4, pose);
        p->f.shift = er_v3(0.3, -0.2, 0.5);
        p->f.scale = 1.5;
        p->f.selected = 2;
        p->f.opacity = kind == RUN_GHOST ? 0.5f : 1.0f;
        p->f.tint[1] = 0.25f;
        p->style.skeleton = kind == RUN_TRANSLUCENT;
        painter *g = shot_open(p);
        painter_add(g, p->m, &p->f);
        painter_add(g, p->m, &p->f);
        assert_true(g->run_count == 1 && g->run[0].count == 2 && g->run[0].first == 0 && g->page_count == 1);
        assert_int_equal(g->run[0].kind, kind);
        size_t texels = 1 + 4 * (size_t)p->m->slot_count;
        assert_int_equal(g->page[0].texels.size, 2 * texels * 16);
        const float *at = (const float *)(const void *)g->page[0].texels.data + 4 * texels; // the second
        assert_true(at[0] == 1.0f && at[1] == 0.25f && at[2] == 1.0f);
        near((double)at[3], kind == RUN_SOLID ? 1.0 : kind == RUN_TRANSLUCENT ? 0.36 : 0.5, 1e-6);
        double *wanted = chain_vertices(&p->c, pose);
        for (int i = 0; i < p->c.mesh.vertex_count; ++i) {
            const vertex *x = &p->m->vertex[i];
            double sum[3] = {0}, weights = 0.0;
            for (int k = 0; k < MOST_INFLUENCES; ++k) {
                const float *row = at + 4 + 16 * x->slot[k];
                if (x->weight[k] == 0) continue;
                for (int r = 0; r < 3; ++r)
                    sum[r] += x->weight[k] * ((double)row[4 * r] * (double)x->position[0] +
                                              (double)row[4 * r + 1] * (double)x->position[1] +
                                              (double)row[4 * r + 2] * (double)x->position[2] + (double)row[4 * r + 3]);
                weights += x->weight[k];
                near((double)row[12], p->m->slot[x->slot[k]].body == 2, 0.0);
                assert_true(row[13] == 0.0f && row[14] == 0.0f && row[15] == 0.0f);
            }
            er_vec3 is = er_v3_scale(1.0 / weights, er_v3(sum[0], sum[1], sum[2]));
            er_vec3 should = er_v3_madd(er_v3_sub(p->f.shift, p->camera.target), 1.5, vertex_at(wanted, i));
            near(er_v3_distance(is, should), 0.0, 1e-4);
        }
        free(wanted);
        painter_end(g);
    }
}

static void figures_that_fill_a_page_go_to_the_next(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_usual(s, DRAW_SHADED);
    int texels = 1 + 4 * p->m->slot_count, most = s->painter->most_texels;
    s->painter->most_texels = 2 * texels;
    painter *g = shot_open(p);
    for (int i = 0; i < 13; ++i) {
        p->f.opacity = i == 1 ? 0.5f : i == 12 ? 0.0f : 1.0f; // the last is not seen at all
        painter_add(g, p->m, &p->f);
    }
    assert_int_equal(g->figure_count, 12);
    assert_int_equal(g->page_count, 6);
    assert_int_equal(g->run_count, 7); // a page each, but where a ghost comes in between
    for (int i = 0; i < 6; ++i)
        assert_int_equal(g->page[i].texels.size, 2 * texels * 16);
    assert_true(g->run[1].kind == RUN_GHOST && g->run[1].first == texels && g->run[1].page == 0);
    assert_true(g->run[6].page == 5 && g->run[6].count == 2 && g->run[6].first == 0);
    g->figure_count = 4096;
    p->f.opacity = 1.0f;
    painter_add(g, p->m, &p->f);
    assert_int_equal(g->figure_count, 4096);
    g->figure_count = 12;
    painter_end(g);
    s->painter->most_texels = most;
    s->painter->most_texels = texels - 1; // a skin that no page holds
    draw_model *m = NULL;
    assert_int_equal(draw_model_create(s->painter, &p->c.target, p->c.model, &m), ER_ERROR_ARGUMENT);
    assert_null(m);
    s->painter->most_texels = texels;
    assert_int_equal(draw_model_create(s->painter, &p->c.target, p->c.model, &m), ER_OK);
    draw_model_destroy(m);
    s->painter->most_texels = most;
}

// Boxes hold every vertex, and no more than spheres round what each body carries.
static void boxes_hold_all_that_is_drawn(void **state)
{
    for (int ghost = 0; ghost < 2; ++ghost) {
        er_pose pose[BONES];
        shot *p = shot_usual(need_stage(state), DRAW_SHADED);
        shot_pose(p, 0.6, pose);
        p->f.shift = er_v3(0.3, -0.2, 0.5);
        p->f.scale = 1.5;
        p->f.opacity = ghost ? 0.5f : 1.0f;
        painter *g = shot_open(p);
        painter_add(g, p->m, &p->f);
        double *at = chain_vertices(&p->c, pose), low[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[4];
        for (int k = 0; k < 4; ++k)
            high[k] = -HUGE_VAL;
        for (int i = 0; i < p->c.mesh.vertex_count; ++i) {
            er_vec3 x = er_v3_madd(er_v3_sub(p->f.shift, p->camera.target), 1.5, vertex_at(at, i));
            for (int k = 0; k < 4; ++k) {
                double along = er_v3_dot(x, k < 3 ? g->sun[k] : g->axis[2]);
                low[k] = fmin(low[k], along);
                high[k] = fmax(high[k], along);
            }
        }
        free(at);
        double radius = 0.0; // of the largest sphere
        for (int b = 0; b < BONES; ++b)
            radius = fmax(radius, 1.5 * p->m->reach[b].radius);
        assert_true(p->m->reach[BONES].radius < 0.0 && p->m->reach[BONES + 1].radius < 0.0); // nothing stays
        assert_true(g->depth[0] <= low[3] && g->depth[0] >= low[3] - 2.0 * radius);
        assert_true(g->depth[1] >= high[3] && g->depth[1] <= high[3] + 2.0 * radius);
        for (int k = 0; k < 3; ++k) {
            double from = (&g->cast[0].x)[k], to = (&g->cast[1].x)[k];
            if (ghost)
                assert_true(from == HUGE_VAL && to == -HUGE_VAL); // it casts no shadow
            else
                assert_true(from <= low[k] && from >= low[k] - 2.0 * radius && to >= high[k] &&
                            to <= high[k] + 2.0 * radius);
        }
        draw_bounds b = draw_model_bounds(p->m, NULL);
        er_vec3 foot = er_v3_madd(p->f.shift, 1.5, b.centre);
        near(er_v3_distance(g->foot[0], foot) + er_v3_distance(g->foot[1], foot), 0.0, 1e-9);
        near(g->floor, 1.5 * b.floor - 0.2, 1e-9);
        near(g->radius, 1.5 * b.radius, 1e-9);
        p->f.shift = er_v3(2.0, 1.0, -3.0);
        p->f.scale = 0.5;
        painter_add(g, p->m, &p->f);
        er_vec3 other = er_v3_madd(p->f.shift, 0.5, b.centre);
        near(g->foot[0].x, fmin(foot.x, other.x), 1e-9);
        near(g->foot[1].x, fmax(foot.x, other.x), 1e-9);
        near(g->foot[0].z, fmin(foot.z, other.z), 1e-9);
        near(g->foot[1].y, fmax(foot.y, other.y), 1e-9);
        near(g->floor, fmin(1.5 * b.floor - 0.2, 0.5 * b.floor + 1.0), 1e-9);
        near(g->radius, 1.5 * b.radius, 1e-9);
        painter_end(g);
    }
}

// ---- signs

static void gizmos_are_three_rings_of_which_one_is_hot(void **state)
{
    static const float colour[3][3] = {{0.90f, 0.25f, 0.25f}, {0.35f, 0.75f, 0.25f}, {0.30f, 0.50f, 1.00f}};
    for (int parallel = 0; parallel < 2; ++parallel) {
        shot *p = shot_usual(need_stage(state), DRAW_SHADED);
        if (parallel) p->camera.fov = 0.0;
        const er_pose frame = {er_q_exp(er_v3(0.2, 0.5, -0.1)), {0.1, 0.7, 0.2}};
        double depth = p->camera.distance, radius;
        er_vec3 axis[3], eye = draw_camera_eye(&p->camera);
        draw_camera_axes(&p->camera, axis);
        depth -= er_v3_dot(er_v3_sub(frame.p, p->camera.target), axis[2]);
        radius = 0.13 * 2.0 * (parallel ? p->camera.distance * tan(0.3) : depth * tan(0.5 * p->camera.fov));
        painter *g = shot_open(p);
        painter_gizmo(g, &frame, 1);
        int each = line_count(g) / 3;
        assert_true(line_count(g) == 3 * GIZMO_STEPS);
        for (int i = 0; i < 3 * each; ++i) {
            const line *l = line_at(g, i);
            int ring = i / each;
            er_vec3 from = er_pose_point_inverse(frame, er_v3_add(v(l->from), p->camera.target));
            er_vec3 to = er_pose_point_inverse(frame, er_v3_add(v(l->to), p->camera.target));
            near(er_v3_norm(from), radius, 1e-4 * radius);
            near((&from.x)[ring], 0.0, 1e-5);
            near((&to.x)[ring], 0.0, 1e-5);
            near(er_v3_distance(from, to), 2.0 * radius * sin(ER_PI / GIZMO_STEPS), 1e-3 * radius);
            er_vec3 middle = er_v3_scale(0.5, er_v3_add(v(l->from), v(l->to)));
            er_vec3 out = er_v3_sub(er_v3_add(middle, p->camera.target), frame.p);
            double towards = er_v3_dot(out, parallel ? axis[2] : er_v3_sub(eye, frame.p));
            near((double)l->colour[3], towards < 0.0 ? 0.25 : 0.95, 1e-6);
            near((double)l->width, ring == 1 ? 4.0 : 2.5, 0.0);
            for (int k = 0; k < 3; ++k)
                near((double)l->colour[k],
                     ring == 1 ? (k == 0   ? 1.0
                                  : k == 1 ? 0.85
                                           : 0.25)
                               : (double)colour[ring][k],
                     1e-6);
        }
        painter_end(g);
    }
}

static const shape *shape_at(const painter *g, layer l, shape_kind kind, int i)
{
    return (const shape *)(const void *)g->shapes[l][kind].data + i;
}

static int shape_count(const painter *g, layer l, shape_kind kind)
{
    return (int)(g->shapes[l][kind].size / sizeof(shape));
}

static er_vec3 column(const shape *of, int k)
{
    return er_v3(of->row[0][k], of->row[1][k], of->row[2][k]);
}

static void bones_are_as_wide_as_they_are_long(void **state)
{
    for (int ghost = 0; ghost < 2; ++ghost) {
        er_pose pose[BONES];
        er_vec3 head[BONES], tip[BONES];
        shot *p = shot_usual(need_stage(state), DRAW_SHADED);
        shot_pose(p, 0.5, pose);
        p->f.scale = 2.0;
        p->f.shift = er_v3(0.1, 0.2, 0.3);
        p->f.selected = 1;
        p->f.opacity = ghost ? 0.5f : 1.0f;
        p->f.tint[0] = 0.5f;
        p->style.skeleton = true;
        draw_bones(p->m, pose, head, tip);
        painter *g = shot_open(p);
        painter_add(g, p->m, &p->f);
        layer l = ghost ? LAYER_GHOST : LAYER_SOLID;
        assert_int_equal(shape_count(g, l, SHAPE_BONE), BONES);
        assert_int_equal(shape_count(g, l, SHAPE_BALL), BONES);
        double size = 2.0 * draw_model_bounds(p->m, NULL).radius;
        for (int b = 0; b < BONES; ++b) {
            const shape *bone = shape_at(g, l, SHAPE_BONE, b), *ball = shape_at(g, l, SHAPE_BALL, b);
            er_vec3 at = er_v3_madd(er_v3_sub(p->f.shift, p->camera.target), 2.0, head[b]);
            er_vec3 along = er_v3_scale(2.0, er_v3_sub(tip[b], head[b]));
            double length = er_v3_norm(along), wide = fmin(0.12 * length, 0.045 * size);
            double round = fmin(fmax(0.055 * length, 0.004 * size), 0.013 * size);
            near(er_v3_distance(column(bone, 3), at) + er_v3_distance(column(ball, 3), at), 0.0, 1e-5);
            near(er_v3_distance(column(bone, 0), along), 0.0, 1e-5);
            for (int k = 1; k < 3; ++k) {
                near(er_v3_norm(column(bone, k)), wide, 1e-5);
                near(er_v3_dot(column(bone, k), along), 0.0, 1e-5);
            }
            near(er_v3_dot(er_v3_cross(column(bone, 0), column(bone, 1)), column(bone, 2)), length * wide * wide, 1e-5);
            for (int k = 0; k < 3; ++k) {
                near(er_v3_norm(column(ball, k)), round, 1e-5);
                float own = b == 1 ? p->style.selected[k] : p->style.bone[k] * p->f.tint[k];
                near((double)bone->colour[k], (double)linear_of(own), 1e-6);
                near((double)ball->colour[k], (double)linear_of(own), 1e-6);
            }
            near((double)bone->colour[3], (double)p->f.opacity, 0.0);
        }
        painter_end(g);
    }
}

static void axes_of_joints_are_as_long_as_half_a_bone(void **state)
{
    stage *s = need_stage(state);
    for (int hinge = 0; hinge < 2; ++hinge) {
        er_pose pose[2];
        shot *p = shot_of(s, chain_make(s->context, 2, 6), DRAW_SHADED);
        p->style.axes = true;
        ((er_joint *)(uintptr_t)p->c.model->joint)[0].type = hinge ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL;
        int free[6], count = er_joint_type_freedom(p->c.model->joint[0].type, free);
        shot_pose(p, 0.5, pose);
        p->f.scale = 2.0;
        p->f.shift = er_v3(0.1, 0.2, 0.3);
        painter *g = shot_open(p);
        painter_add(g, p->m, &p->f);
        assert_int_equal(line_count(g), 3);
        er_pose frame =
            er_pose_mul(er_pose_displacement(p->c.model->body[1].pose, pose[1]), p->c.model->joint[0].frame);
        er_vec3 at = er_v3_madd(er_v3_sub(p->f.shift, p->camera.target), 2.0, frame.p);
        double size = 2.0 * draw_model_bounds(p->m, NULL).radius;
        double bone = er_v3_distance(p->m->head[1], p->m->tip[1]),
               whole = fmin(fmax(0.5 * bone, 0.015 * size), 0.075 * size);
        for (int a = 0; a < 3; ++a) {
            const line *l = line_at(g, a);
            bool is_free = false;
            for (int i = 0; i < count; ++i)
                is_free |= free[i] % 3 == a;
            er_vec3 along = er_q_rotate(frame.q, er_v3(a == 0, a == 1, a == 2));
            near(er_v3_distance(v(l->from), at), 0.0, 1e-5);
            near(er_v3_distance(v(l->to), er_v3_madd(at, is_free ? whole : 0.5 * whole, along)), 0.0, 1e-5);
            near((double)l->width, is_free ? 2.0 : 1.0, 0.0);
            if (!is_free)
                for (int k = 0; k < 4; ++k)
                    near((double)l->colour[k], 0.5, 0.0);
            else // red, green, blue
                assert_true(l->colour[a] > 0.7f && l->colour[(a + 1) % 3] < 0.55f && l->colour[3] == 1.0f);
        }
        painter_end(g);
    }
}

static void the_centre_of_mass_has_a_drop_and_a_ring(void **state)
{
    er_pose pose[BONES];
    shot *p = shot_usual(need_stage(state), DRAW_SHADED);
    shot_pose(p, 0.5, pose);
    p->f.scale = 2.0;
    p->f.shift = er_v3(0.1, 0.2, 0.3);
    p->style.mass_centre = true;
    ((er_body *)(uintptr_t)p->c.model->body)[2].mass = 3.0;
    painter *g = shot_open(p);
    painter_add(g, p->m, &p->f);
    er_vec3 sum = er_v3(0, 0, 0);
    for (int b = 0; b < BONES; ++b)
        sum =
            er_v3_madd(sum, p->c.model->body[b].mass / (BONES + 2.0), er_pose_point(pose[b], p->c.model->body[b].com));
    er_vec3 centre = er_v3_sub(er_v3_madd(p->f.shift, 2.0, sum), p->camera.target), foot = centre;
    draw_bounds bounds = draw_model_bounds(p->m, NULL);
    foot.y = p->f.shift.y + 2.0 * bounds.floor - p->camera.target.y;
    double size = 2.0 * bounds.radius;
    assert_int_equal(shape_count(g, LAYER_OVER, SHAPE_MASS), 1);
    near(er_v3_distance(column(shape_at(g, LAYER_OVER, SHAPE_MASS, 0), 3), centre), 0.0, 1e-5);
    near(er_v3_norm(column(shape_at(g, LAYER_OVER, SHAPE_MASS, 0), 0)), 0.03 * size, 1e-5);
    assert_int_equal(line_count(g), 33);
    near(er_v3_distance(v(line_at(g, 0)->from), centre) + er_v3_distance(v(line_at(g, 0)->to), foot), 0.0, 1e-5);
    assert_true(line_at(g, 0)->dash == 5.0f && line_at(g, 0)->width == 1.5f);
    for (int i = 1; i <= 32; ++i) {
        const line *l = line_at(g, i), *next = line_at(g, i < 32 ? i + 1 : 1);
        near(er_v3_distance(v(l->from), foot), 0.05 * size, 1e-5);
        near((double)l->from[1], foot.y, 1e-5);
        near(er_v3_distance(v(l->to), v(next->from)), 0.0, 1e-5); // it is closed
        near(er_v3_distance(v(l->from), v(l->to)), 0.1 * size * sin(ER_PI / 32.0), 1e-5);
        assert_true(l->dash == 0.0f && l->width == 1.5f);
        near((double)l->colour[3], 0.85, 1e-6);
    }
    painter_end(g);
}

// A loop that gapes: a ball at each side, a dashed line between, and one from each bone that is elsewhere.
static void loops_that_gape_have_both_their_anchors(void **state)
{
    stage *s = need_stage(state);
    static const int of[2] = {0, BONES - 1};
    const er_vec3 closes = er_v3(0.4, 1.0, 0.2);
    draw_model *m;
    er_pose pose[BONES];
    er_vec3 head[BONES], tip[BONES];
    shot *p = shot_usual(s, DRAW_SHADED);
    er_model *closed = close_loops(p, 1, &of[1], &closes);
    assert_int_equal(draw_model_create(s->painter, &p->c.target, closed, &m), ER_OK);
    shot_pose(p, 0.5, pose);
    draw_bones(m, pose, head, tip);
    p->f.shift = er_v3(0.1, 0.2, 0.3);
    p->style.skeleton = true;
    p->style.mesh = false;
    painter *g = shot_open(p);
    painter_add(g, m, &p->f);
    assert_int_equal(shape_count(g, LAYER_OVER, SHAPE_BALL), 2);
    er_vec3 anchor[2];
    double size = draw_model_bounds(m, NULL).radius;
    int dashed = 0;
    for (int e = 0; e < 2; ++e) {
        er_pose moved = er_pose_displacement(closed->body[of[e]].pose, pose[of[e]]);
        anchor[e] = er_v3_add(er_pose_point(moved, closes), er_v3_sub(p->f.shift, p->camera.target));
        near(er_v3_distance(column(shape_at(g, LAYER_OVER, SHAPE_BALL, e), 3), anchor[e]), 0.0, 1e-5);
        near(er_v3_norm(column(shape_at(g, LAYER_OVER, SHAPE_BALL, e), 1)), 0.018 * size, 1e-5);
        er_vec3 ends[2] = {er_v3_add(head[of[e]], er_v3_sub(p->f.shift, p->camera.target)),
                           er_v3_add(tip[of[e]], er_v3_sub(p->f.shift, p->camera.target))};
        er_vec3 nearest = ends[er_v3_distance(ends[1], anchor[e]) < er_v3_distance(ends[0], anchor[e])];
        int there = 0;
        for (int i = 0; i < line_count(g); ++i)
            there += er_v3_distance(v(line_at(g, i)->from), nearest) < 1e-5 &&
                     er_v3_distance(v(line_at(g, i)->to), anchor[e]) < 1e-5 && line_at(g, i)->dash == 6.0f &&
                     line_at(g, i)->width == 2.0f;
        assert_int_equal(there, er_v3_distance(nearest, anchor[e]) > 0.02 * size);
        dashed += there;
    }
    int between = 0, all = 0;
    for (int i = 0; i < line_count(g); ++i) {
        all += line_at(g, i)->dash == 6.0f;
        between += er_v3_distance(v(line_at(g, i)->from), anchor[0]) < 1e-5 &&
                   er_v3_distance(v(line_at(g, i)->to), anchor[1]) < 1e-5;
    }
    assert_true(between == 1 && all == dashed + 1);
    painter_end(g);
    draw_model_destroy(m);
    er_model_destroy(closed);
}

// Bones that do not touch are linked, by a line from where the upper one leads.
static void bones_apart_are_linked(void **state)
{
    shot *p = shot_usual(need_stage(state), DRAW_SHADED);
    er_pose pose[BONES];
    chain_bend(&p->c, 0.0, pose);
    pose[2].p.x += 0.3;
    pose[3].p.x += 0.3;
    p->f.pose = pose;
    p->style.skeleton = true;
    p->f.opacity = 0.5f;
    er_vec3 head[BONES], tip[BONES];
    draw_bones(p->m, pose, head, tip);
    painter *g = shot_open(p);
    painter_add(g, p->m, &p->f);
    assert_int_equal(line_count(g), 1);
    const line *l = line_at(g, 0);
    near(er_v3_distance(v(l->from), er_v3_sub(tip[1], p->camera.target)), 0.0, 1e-5);
    near(er_v3_distance(v(l->to), er_v3_sub(head[2], p->camera.target)), 0.0, 1e-5);
    near((double)l->colour[3], 0.4, 1e-6);
    near((double)l->colour[0], (double)p->style.bone[0], 1e-6);
    assert_true(l->width == 2.0f && l->dash == 0.0f);
    painter_end(g);
}

// ---- the frame

static frame_block frame_of(const painter *g)
{
    frame_block f;
    glBindBuffer(GL_UNIFORM_BUFFER, g->frame_buffer);
    glGetBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof f, &f);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    return f;
}

static void clip_of(const float m[16], er_vec3 x, double out[4])
{
    const double at[4] = {x.x, x.y, x.z, 1.0};
    for (int i = 0; i < 4; ++i) {
        out[i] = 0.0;
        for (int k = 0; k < 4; ++k)
            out[i] += (double)m[4 * k + i] * at[k];
    }
}

static void frames_have_all_between_near_and_far(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 8; ++k) {
        er_pose pose[BONES];
        shot *p = shot_usual(s, DRAW_SHADED);
        shot_pose(p, 0.3 * (k & 3), pose);
        p->style.floor = k & 1;
        if (k & 2) p->camera.fov = 0.0;
        if (k & 4) p->camera.pitch = 1.2;
        shoot(p);
        const painter *g = s->painter;
        frame_block f = frame_of(g);
        double *at = chain_vertices(&p->c, pose), pixel[2], clip[4];
        for (int i = 0; i < p->c.mesh.vertex_count; ++i) {
            er_vec3 x = vertex_at(at, i);
            clip_of(f.clip, er_v3_sub(x, p->camera.target), clip);
            project(p, x, pixel);
            near(0.5 * SIDE * (1.0 + clip[0] / clip[3]), pixel[0], 1e-3);
            near(0.5 * SIDE * (1.0 - clip[1] / clip[3]), pixel[1], 1e-3);
            assert_true(fabs(clip[2]) < clip[3]);
        }
        free(at);
        er_vec3 axis[3], eye = er_v3_sub(draw_camera_eye(&p->camera), p->camera.target);
        draw_camera_axes(&p->camera, axis);
        near(er_v3_distance(v(f.eye), k & 2 ? axis[2] : eye), 0.0, 1e-5);
        near((double)f.eye[3], k & 2 ? 0.0 : 1.0, 0.0);
        near(er_v3_distance(v(f.up), p->camera.up), 0.0, 1e-6);
        near((double)f.up[3], 1.0, 0.0);
        er_vec3 fill = er_v3_unit(er_v3_madd(er_v3_scale(-0.8, axis[0]), 0.5, axis[2]), axis[0]); // from the left
        near(er_v3_distance(v(f.fill), fill), 0.0, 1e-6);
        assert_true(f.part[0] == 0.0f && f.part[2] == SIDE && f.part[3] == SIDE);
        draw_bounds b = draw_model_bounds(p->m, NULL);
        er_vec3 foot = er_v3_sub(er_v3(b.centre.x, b.floor, b.centre.z), p->camera.target);
        near(er_v3_distance(v(f.floor_centre), foot), 0.0, 1e-5);
        near((double)f.floor_centre[3], 7.0 * b.radius, 1e-4);
        double cell = (double)f.floor_cell[0], ten = pow(10.0, floor(log10(cell) + 1e-9));
        assert_true(fabs(cell / ten - 1.0) < 1e-3 || fabs(cell / ten - 2.0) < 1e-3 || fabs(cell / ten - 5.0) < 1e-3);
        assert_true(cell <= 0.22 * b.radius * 1.0001 && cell > 0.22 * b.radius / 2.51);
        near((double)f.floor_cell[1], 1.0, 0.0); // seen from above
        near(er_v3_distance(v(f.floor_x), er_v3(1, 0, 0)), 0.0, 1e-6);
        near(fabs(er_v3_dot(v(f.floor_z), er_v3(0, 0, 1))), 1.0, 1e-6);
        near((double)f.floor_x[3], fmod(b.centre.x / cell, 5.0), 1e-3);
        near(fabs((double)f.floor_z[3]), fabs(fmod(b.centre.z / cell, 5.0)), 1e-3);
        for (int c = 0; c < 3; ++c) {
            near((double)f.top[c], (double)p->style.background[0][c], 0.0);
            near((double)f.bottom[c], (double)p->style.background[1][c], 0.0);
            near((double)f.grid[c], (double)p->style.grid[c], 0.0);
            near((double)f.marked[c], (double)linear_of(p->style.selected[c]), 1e-6);
        }
        near((double)f.grid[3], 1.0, 0.0);
        near((double)f.sun[3], 0.0, 0.0); // without shadows
    }
}

static void floors_are_seen_from_below_faintly_and_step_as_asked(void **state)
{
    stage *s = need_stage(state);
    for (int parallel = 0; parallel < 2; ++parallel) {
        shot *p = shot_usual(s, DRAW_SHADED);
        p->style.floor = true;
        p->style.lines = false;
        if (parallel) p->camera.fov = 0.0;
        p->camera.pitch = -0.3;
        p->style.floor_height = 0.25;
        p->style.floor_step = er_v3(0.3, 0, -0.4);
        p->style.exposure = 2.0f;
        shoot(p);
        frame_block f = frame_of(s->painter);
        near((double)f.floor_cell[1], 0.25, 0.0);
        near((double)f.floor_centre[1], 0.25 - p->camera.target.y, 1e-6);
        near(er_v3_distance(v(f.floor_x), er_v3(0.6, 0, -0.8)), 0.0, 1e-6);
        double fifth =
            0.5 / (double)f.floor_cell[0] / 5.0; // every fifth line is strong, and after a step the same again
        near(fifth, round(fifth), 1e-3);
        assert_true(fifth > 0.999);
        near((double)f.grid[3], 0.0, 0.0);
        near((double)f.up[3], 2.0, 0.0);
    }
}

// The sun sees all that casts, in whole texels; of the floor it knows how deep it lies.
static void the_suns_map_holds_what_casts(void **state)
{
    stage *s = need_stage(state);
    for (int draft = 0; draft < 2; ++draft) {
        er_pose pose[BONES];
        shot *p = shot_usual(s, DRAW_SHADED);
        shot_pose(p, 0.4, pose);
        p->style.shadow = p->style.floor = true;
        p->style.draft = draft == 1;
        shoot(p);
        const painter *g = s->painter;
        frame_block f = frame_of(g);
        near((double)f.sun[3], 0.9, 1e-6);
        near(er_v3_distance(v(f.sun), g->sun[2]), 0.0, 1e-6);
        draw_camera like = {
            .up = {0, 1, 0}, .yaw = (double)p->style.light_yaw, .pitch = (double)p->style.light_pitch, .distance = 1.0};
        er_vec3 axis[3];
        draw_camera_axes(&like, axis);
        near(er_v3_distance(axis[2], g->sun[2]), 0.0, 1e-9);
        double *at = chain_vertices(&p->c, pose), seen[4], low = 1.0, high = 0.0;
        for (int i = 0; i < p->c.mesh.vertex_count; ++i) {
            clip_of(f.sun_clip, er_v3_sub(vertex_at(at, i), p->camera.target), seen);
            near(seen[3], 1.0, 1e-6);
            for (int c = 0; c < 3; ++c) {
                assert_true(seen[c] > 0.0 && seen[c] < 1.0);
                if (c < 2) low = fmin(low, seen[c]), high = fmax(high, seen[c]);
            }
        }
        free(at);
        assert_true(high - low > 0.45);                          // it is not much wider
        double side = (double)f.shadow[1] / (double)f.shadow[0]; // metres
        near((double)f.shadow[0], 1.0 / (draft ? 512.0 : 2048.0), 1e-9);
        near(fmod(4.0 * log2(side) + 4000.0 + 0.5, 1.0), 0.5, 1e-2); // in steps of a quarter of an octave
        near((double)f.shadow[2], 1.0 / (double)f.shadow[1] / 4.0, 1e-3 / (double)f.shadow[1]);
        double left[4], right[4]; // a metre across is so much of the map
        clip_of(f.sun_clip, er_v3(0, 0, 0), left);
        clip_of(f.sun_clip, g->sun[0], right);
        near(right[0] - left[0], 1.0 / side, 1e-5);
        clip_of(f.sun_clip, g->sun[1], right);
        near(right[1] - left[1], 1.0 / side, 1e-5);
        clip_of(f.sun_clip, g->sun[2], right);
        assert_true(right[2] < left[2]); // towards the sun depths are less
        // Anywhere on the floor its depth is that of the plane.
        for (int k = 0; k < 5; ++k) {
            er_vec3 x = er_v3(0.3 * k - 0.6, g->floor, 0.7 - 0.4 * k);
            clip_of(f.sun_clip, er_v3_sub(x, p->camera.target), seen);
            near((double)f.floor_depth[0] + (double)f.floor_depth[1] * seen[1], seen[2], 1e-4);
        }
        double deep = left[2] - right[2]; // of the map, to a metre
        near((double)f.floor_depth[2], 1.0 / deep, 1e-3 / deep);
        near((double)f.floor_depth[3], 1.0, 0.0);
        p->style.light_pitch = 0.04f; // along the floor it gives no shadow there
        shoot(p);
        f = frame_of(g);
        near((double)f.floor_depth[3], 0.0, 0.0);
    }
}

// ---- images

static void images_are_halved_until_they_fit(void **state)
{
    static const struct {
        int side, width, height, to[2];
    } cases[] = {{64, 64, 64, {64, 64}},
                 {63, 64, 64, {32, 32}},
                 {10, 64, 3, {8, 1}},
                 {1, 5, 1, {1, 1}},
                 {100, 7, 200, {3, 100}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int width = cases[i].width, height = cases[i].height;
        image_fit(cases[i].side, &width, &height);
        assert_true(width == cases[i].to[0] && height == cases[i].to[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_linear_as_srgb_says),
        cmocka_unit_test(digests_tell_pictures_apart),
        cmocka_unit_test(matrices_carry_what_hangs_on_joints),
        cmocka_unit_test(figures_that_fill_a_page_go_to_the_next),
        cmocka_unit_test(boxes_hold_all_that_is_drawn),
        cmocka_unit_test(gizmos_are_three_rings_of_which_one_is_hot),
        cmocka_unit_test(bones_are_as_wide_as_they_are_long),
        cmocka_unit_test(axes_of_joints_are_as_long_as_half_a_bone),
        cmocka_unit_test(the_centre_of_mass_has_a_drop_and_a_ring),
        cmocka_unit_test(loops_that_gape_have_both_their_anchors),
        cmocka_unit_test(bones_apart_are_linked),
        cmocka_unit_test(frames_have_all_between_near_and_far),
        cmocka_unit_test(floors_are_seen_from_below_faintly_and_step_as_asked),
        cmocka_unit_test(the_suns_map_holds_what_casts),
        cmocka_unit_test(images_are_halved_until_they_fit),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
