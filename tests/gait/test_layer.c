// Strides in a row, and a mix on top of them: feet go where the gait had them.
#include <eigenrig/gait.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gait/walkers.h"
#include "support/judge.h"

enum { STRIDES = 3 };

typedef struct layered {
    gait_search f;
    er_gait_motion *one;
    er_motion *mix;
} layered;

// Searched once, and only looked at.
static layered *shared(void)
{
    static layered l;
    if (l.one != NULL) return &l;
    l.f = find(make_quadruped(usual), 8);
    er_mix_component component[3];
    er_motion_def def = er_default_motion_def();
    assert_true(l.f.gaits->count > 0);
    ok(er_gait_move(context, l.f.model, l.f.modes, l.f.gaits, &l.f.gaits->gait[0], 30.0, &l.one));
    for (int i = 0; i < 3; ++i) {
        component[i] = er_default_mix_component();
        component[i].mode = 6 + 2 * i;
        component[i].degrees = 6.0;
    }
    def.loop = true;
    def.duration = STRIDES * l.one->time[l.one->frame_count - 1];
    const er_mix mix = {.name = "", .component_count = 3, .component = component};
    ok(er_motion_create(context, l.f.model, l.f.modes, &mix, &def, &l.mix));
    return &l;
}

static int tear_down_shared(void **state)
{
    layered *l = shared();
    er_motion_destroy(l->mix);
    er_gait_motion_destroy(l->one);
    lose(&l->f);
    return tear_down(state);
}

static const er_pose *at(const er_gait_motion *m, int frame)
{
    return m->pose + (size_t)frame * (size_t)m->model->body_count;
}

static void strides_alone_are_the_stride_again(void **state)
{
    const layered l = *shared();
    er_gait_motion *all = NULL;
    ok(er_gait_layer(context, l.one, l.f.gaits->body, STRIDES, NULL, NULL, 0, NULL, &all));
    int n = l.one->frame_count - 1;
    size_t size = (size_t)l.f.model->body_count * sizeof(er_pose);
    double period = l.one->time[n];
    assert_int_equal(all->frame_count, STRIDES * n + 1);
    for (int i = 0; i < all->frame_count; ++i) {
        assert_memory_equal(at(all, i), at(l.one, i % n), size);
        assert_true(fabs(all->time[i] - (i / n * period + l.one->time[i % n])) < 1e-12);
        er_vec3 far = er_v3_sub(all->travel[i], er_v3_scale((double)i / n, l.one->travel[n]));
        assert_true(er_v3_norm(far) < 1e-9);
        assert_memory_equal(all->stands + i * all->foot_count, l.one->stands + i % n * all->foot_count,
                            (size_t)all->foot_count);
    }
    er_gait_motion_destroy(all);
}

static void feet_and_what_is_planted_keep_the_gait(void **state)
{
    const layered l = *shared();
    er_gait_motion *all = NULL;
    const er_model *model = l.f.model;
    const er_gait_body *body = l.f.gaits->body;
    int head = 0, n = l.one->frame_count - 1;
    while (strcmp(model->body[head].name, "head") != 0)
        ++head;
    const er_hold plant[2] = {{.body = head}, {.body = body->foot[0].body}}; // feet are held anyway
    for (int planted = 0; planted <= 2; planted += 2) {
        double feet = 0.0, gap = 0.0, kept = 0.0, moved = 0.0;
        ok(er_gait_layer(context, l.one, body, STRIDES, l.mix, NULL, planted, plant, &all));
        for (int i = 0; i < all->frame_count; ++i) {
            const er_pose *now = at(all, i), *base = at(l.one, i % n);
            for (int f = 0; f < body->foot_count; ++f) {
                int b = body->foot[f].body;
                feet = fmax(feet, er_v3_distance(er_pose_point(now[b], body->foot[f].heel),
                                                 er_pose_point(base[b], body->foot[f].heel)));
                if (body->foot[f].flat)
                    feet = fmax(feet, er_v3_norm(er_q_log(er_q_mul(now[b].q, er_q_conj(base[b].q)))));
            }
            gap = fmax(gap, er_pose_joint_gap(model, now));
            kept = fmax(kept, er_v3_distance(now[head].p, base[head].p));
            for (int b = 0; b < model->body_count; ++b)
                moved = fmax(moved, er_v3_distance(now[b].p, base[b].p));
        }
        assert_memory_equal(at(all, 0), at(all, all->frame_count - 1), (size_t)model->body_count * sizeof(er_pose));
        measure_at_most("feet under a mix, m and rad", feet, 1e-8);
        measure_at_most("joints under a mix, m", gap, 1e-9);
        assert_true(moved > 0.01 && (planted > 0 ? kept < 1e-8 : kept > 1e-3));
        er_gait_motion_destroy(all);
    }
}

static void all_but_legs_goes_as_it_is_told(void **state)
{
    const layered l = *shared();
    er_gait_motion *all = NULL;
    const er_model *model = l.f.model;
    const er_gait_body *body = l.f.gaits->body;
    int n = l.one->frame_count - 1, width = model->coordinate_count, head = 0;
    double *over = calloc((size_t)n * (size_t)width, sizeof *over), feet = 0.0, off = 0.0;
    assert_non_null(over);
    while (strcmp(model->body[head].name, "head") != 0)
        ++head;
    int first = model->coordinate[model->tree_joint[head]];
    for (int i = 0; i < n; ++i)
        over[i * width + first] = 0.3 * sin(2.0 * ER_PI * i / n);
    ok(er_gait_layer(context, l.one, body, 1, NULL, over, 0, NULL, &all));
    for (int i = 0; i < n; ++i) {
        off = fmax(off, fabs(all->q[i * width + first] - over[i * width + first]));
        for (int f = 0; f < body->foot_count; ++f) {
            int b = body->foot[f].body;
            feet = fmax(feet, er_v3_distance(er_pose_point(at(all, i)[b], body->foot[f].heel),
                                             er_pose_point(at(l.one, i)[b], body->foot[f].heel)));
        }
    }
    for (int f = 0; f < body->foot_count; ++f) // whatever is told of legs
        for (int k = 0; k < body->foot[f].joint_count; ++k)
            for (int i = 0, c = model->coordinate[body->foot[f].joint[k]]; i < n; ++i)
                over[i * width + c] = 0.4;
    er_gait_motion *again = NULL;
    ok(er_gait_layer(context, l.one, body, 1, NULL, over, 0, NULL, &again));
    assert_memory_equal(again->pose, all->pose, (size_t)n * (size_t)model->body_count * sizeof(er_pose));
    er_gait_motion_destroy(again);
    measure_at_most("feet under what is told, m", feet, 1e-8);
    measure_at_most("the head, which no leg needs, rad", off, 1e-9);
    er_gait_motion_destroy(all);
    free(over);
}

static void what_cannot_be_is_refused(void **state)
{
    const layered l = *shared();
    const er_gait_body *body = l.f.gaits->body;
    er_gait_motion *all = (er_gait_motion *)&l; // not NULL
    char said[100];
    snprintf(said, sizeof said, "0 strides of %d frames", l.one->frame_count - 1);
    refused(er_gait_layer(context, l.one, body, 0, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all, said);
    refused(er_gait_layer(context, l.one, body, 10001, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all,
            "10001 strides");
    refused(er_gait_layer(context, NULL, body, 1, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all, "er_gait_layer");
    refused(er_gait_layer(context, l.one, NULL, 1, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all,
            "er_gait_layer");
    er_gait_motion fine = *l.one; // of so many frames that ten thousand strides are too many, each by itself is not
    fine.frame_count = 101;
    snprintf(said, sizeof said, "10000 strides of %d frames", fine.frame_count - 1);
    refused(er_gait_layer(context, &fine, body, 10000, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all, said);
    er_model other = *l.f.model;
    fine = *l.one;
    fine.model = &other;
    refused(er_gait_layer(context, &fine, body, 1, l.mix, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT, &all,
            "another model");
    const er_hold wrong[] = {{.body = -1}, {.body = l.f.model->body_count}, {.body = 1, .point = {NAN, 0, 0}}};
    const er_hold twice[] = {{.body = 1}, {.body = 1}};
    for (int i = 0; i < 3; ++i)
        refused(er_gait_layer(context, l.one, body, 1, NULL, NULL, 1, &wrong[i], &all), ER_ERROR_ARGUMENT, &all,
                "plant");
    refused(er_gait_layer(context, l.one, body, 1, NULL, NULL, 2, twice, &all), ER_ERROR_ARGUMENT, &all, "plant");
    refused(er_gait_layer(context, l.one, body, 1, NULL, NULL, -1, twice, &all), ER_ERROR_ARGUMENT, &all, "plant");
    refused(er_gait_layer(context, l.one, body, 1, NULL, NULL, 1, NULL, &all), ER_ERROR_ARGUMENT, &all, "plant");
    assert_int_equal(er_gait_layer(context, l.one, body, 1, NULL, NULL, 0, NULL, NULL), ER_ERROR_ARGUMENT);
    all = (er_gait_motion *)&l;
    assert_int_equal(er_gait_layer(NULL, l.one, body, 1, NULL, NULL, 0, NULL, &all), ER_ERROR_ARGUMENT);
    assert_null(all);
}

// A layer's numbers are those of the gait's strides, and it closes: coordinates are those of the poses.
static void coordinates_are_those_of_poses(void **state)
{
    const layered l = *shared();
    const er_model *model = l.f.model;
    er_gait_motion *all = NULL;
    ok(er_gait_layer(context, l.one, l.f.gaits->body, STRIDES, l.mix, NULL, 0, NULL, &all));
    int n = l.one->frame_count - 1, width = model->coordinate_count;
    assert_true(all->model == model && all->foot_count == l.one->foot_count && all->slide == l.one->slide);
    assert_true(all->sink == l.one->sink && all->correction == l.one->correction);
    double off = 0.0, moved = 0.0;
    for (int i = 0; i < all->frame_count; ++i) {
        double q[256];
        er_pose root[MOST_PARTS];
        er_model_coordinates(model, at(all, i), q, root);
        for (int c = 0; c < width; ++c) {
            off = fmax(off, fabs(q[c] - all->q[i * width + c]));
            moved = fmax(moved, fabs(q[c] - l.one->q[i % n * width + c]));
        }
        assert_true(fabs(er_v3_dot(all->travel[i], l.f.gaits->body->forward) -
                         (double)i / n * er_v3_dot(l.one->travel[n], l.f.gaits->body->forward)) < 1e-9);
    }
    measure_at_most("coordinates of what is laid, off its poses", off, 1e-9);
    assert_true(moved > 0.05 && width <= 256);
    assert_memory_equal(all->q, all->q + (all->frame_count - 1) * width, (size_t)width * sizeof *all->q);
    er_gait_motion_destroy(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strides_alone_are_the_stride_again), cmocka_unit_test(feet_and_what_is_planted_keep_the_gait),
        cmocka_unit_test(all_but_legs_goes_as_it_is_told),    cmocka_unit_test(coordinates_are_those_of_poses),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("gait_layer", tests, set_up, tear_down_shared);
}
