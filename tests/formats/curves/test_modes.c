// Files of modes: what is refused, and what is left behind when memory ends. Programs read them (tests/tools/eigenrig).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "motions.h"
#include "support/judge.h"

static char folder[] = "modes-XXXXXX", path[64];
static er_context *context;

// A rig, its modes and matrices, and a figure of its last mode.
typedef struct sample {
    er_model *model;
    er_modes *modes;
    er_modal_matrices *matrices;
    er_pose pose[RIG_MAX];
    er_mode_shape shape;
    er_modes_figure figure;
} sample;

static void make(sample *s)
{
    dice d = {5};
    rig r;
    rig_random(&r, &d, true);
    s->model = rig_model(context, &r);
    s->modes = rig_modes(context, s->model, ER_MODAL_AUTO);
    assert_int_equal(er_modal_matrices_create(context, s->model, NULL, &s->matrices), ER_OK);
    for (int b = 0; b < s->model->body_count; ++b)
        s->pose[b] = s->model->body[b].pose;
    s->shape = (er_mode_shape){s->modes->count - 1, "a joint, another", {s->pose, s->pose}};
    s->figure = (er_modes_figure){"title", "", s->model, s->modes, {0, 0, -1}, 1, &s->shape};
}

static void forget(sample *s)
{
    er_modal_matrices_destroy(s->matrices);
    er_modes_destroy(s->modes);
    er_model_destroy(s->model);
}

static er_result write_one(int which, er_context *own, const sample *s)
{
    switch (which) {
    case 0:
        return er_modes_write_csv(own, s->model, s->modes, path);
    case 1:
        return er_modes_write_npz(own, s->model, s->modes, path);
    case 2:
        return er_modal_matrices_write_npz(own, s->model, s->matrices, path);
    default:
        return er_modes_plot(own, &s->figure, path);
    }
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    sample s;
    make(&s);
    for (int which = 0; which < 4; ++which) {
        er_result r = ER_ERROR_MEMORY;
        long k = 0;
        for (; r != ER_OK; ++k) {
            ledger l = {.left = LEDGER_ALL};
            er_context *own = ledger_context(&l);
            l.left = k;
            r = write_one(which, own, &s);
            assert_true(r == ER_OK || (r == ER_ERROR_MEMORY && er_context_error(own)[0] != '\0'));
            assert_int_equal(count_files(folder), r == ER_OK);
            ledger_end(&l, own);
        }
        assert_true(k >= 3);
        unlink(path);
    }
    forget(&s);
}

static void refused(const er_modes_figure *figure, const char *to, const char *says)
{
    assert_int_equal(er_modes_plot(context, figure, to), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), says));
    assert_int_equal(count_files(folder), 0);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    sample s;
    make(&s);
    assert_int_equal(er_modes_write_csv(context, NULL, s.modes, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_csv(context, s.model, NULL, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_npz(context, s.model, s.modes, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_npz(NULL, s.model, s.modes, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_write_npz(context, s.model, NULL, path), ER_ERROR_ARGUMENT);
    rig r = {0};
    rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(0, 0, 0), er_pose_identity());
    er_model *other = rig_model(context, &r);
    assert_int_equal(er_modal_matrices_write_npz(context, other, s.matrices, path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modes_write_csv(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "another rig"));
    assert_int_equal(er_modes_write_npz(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    s.figure.model = other;
    refused(&s.figure, path, "another rig");
    s.figure.model = s.model;
    er_model_destroy(other);
    s.figure.up = er_v3(0, 0, 0);
    refused(&s.figure, path, "points nowhere");
    s.figure.up = er_v3(0, 0, -1);
    const er_mode_shape twice[] = {s.shape, s.shape};
    s.figure.shape = twice;
    s.figure.shape_count = 2;
    refused(&s.figure, path, "modes must ascend");
    s.figure.shape = &s.shape;
    s.figure.shape_count = 1;
    refused(NULL, path, "needs a model");
    refused(&s.figure, NULL, "needs a model");
    s.shape.mode = 1000000;
    refused(&s.figure, path, "mode 1000000");
    s.shape.mode = 0;
    s.pose[1].p.x = INFINITY;
    refused(&s.figure, path, "body 1");
    s.figure.shape = NULL;
    refused(&s.figure, path, "as many shapes");
    forget(&s);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.file", folder);
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    assert_int_equal(rmdir(folder), 0); // nothing was left there
    er_context_destroy(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_may_fail),
                                       cmocka_unit_test(wrong_calls_are_refused)};
    return cmocka_run_group_tests_name("files_of_modes", tests, set_up, tear_down);
}
