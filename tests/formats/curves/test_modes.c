// Files of modes: what is refused, and what is left behind when memory ends. Programs read them (tests/tools/eigenrig).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/plots.h>

#include "base/arena.h"
#include "support/context.h"
#include "support/judge.h"
#include "support/sample.h"

static char path[512];

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

static int which;

static er_result write_one(er_context *own, const void *of)
{
    const sample *s = of;
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
    sample s;
    make(&s);
    for (which = 0; which < 4; ++which)
        ledger_refuse_each(write_one, &s, path);
    forget(&s);
}

// ---- NPZ

// The numbers of an array of the file, whose entries are stored as they are; NULL where there is none of that name.
static const double *array(const char *bytes, size_t size, const char *name, size_t count)
{
    static double numbers[4096];
    char entry[64];
    unsigned short header = 0;
    snprintf(entry, sizeof entry, "%s.npy", name);
    const char *at = memmem(bytes, size, entry, strlen(entry));
    if (at == NULL || at[-1] == '_') return NULL; // the end of a longer name
    at = memmem(at, (size_t)(bytes + size - at), "\x93NUMPY", 6);
    assert_non_null(at);
    memcpy(&header, at + 8, sizeof header);
    assert_true(count <= 4096 && at + 10 + header + 8 * count <= bytes + size);
    memcpy(numbers, at + 10 + header, count * sizeof *numbers);
    return numbers;
}

// A rod on three springy hinges of the world, one of them damped or all as they are stiff: each mode with its own
// shape, or mixed.
static er_modes *damped_modes(double damping, bool alike, er_model **model)
{
    rig r = {0};
    for (int i = 0; i < 3; ++i) {
        er_pose at = {er_q_identity(), er_v3(0.3 * i, 0.1 * i * i, 0)};
        rig_add_body(&r, 1.0 + i, er_v3(0.1, 0.2, 0.3), er_q_identity(), er_v3(0.3 * i + 0.2, 0, 0.1), at);
        er_joint *j = rig_add_joint(&r, ER_JOINT_REVOLUTE, i - 1, i, at);
        j->stiffness[0] = 10.0;
        j->damping[0] = alike || i == 1 ? damping : 0.0;
    }
    *model = rig_model(context, &r);
    return rig_modes(context, *model, ER_MODAL_AUTO);
}

// mu = -decay +- 2 pi i damped_hz; the shape of a pair's second root is the conjugate of the first's, that of a mode by
// itself 1 in its own place.
static void roots_and_their_shapes_are_those_of_the_modes(void **state)
{
    static const struct {
        double damping;
        bool alike;
    } cases[] = {{0.02, false}, {0.02, true}, {20.0, false}, {0.0, true}};
    int pairs = 0, slow = 0, mixed = 0;
    for (int i = 0; i < 4; ++i) {
        er_model *model;
        er_modes *modes = damped_modes(cases[i].damping, cases[i].alike, &model);
        size_t size, n = (size_t)modes->count;
        bool any = false;
        assert_int_equal(er_modes_write_npz(context, model, modes, path), ER_OK);
        char *bytes = read_bytes(path, &size);
        const double *root = array(bytes, size, "root", 4 * n);
        assert_int_equal(root != NULL, modes->damped_count > 0);
        for (int k = 0; k < modes->damped_count; ++k) {
            const er_damped_mode *d = &modes->damped[k];
            double beat = 2.0 * ER_PI * modes->mode[k].damped_hz;
            assert_true(root[4 * k] == -d->decay[0] && root[4 * k + 2] == -d->decay[1]);
            assert_true(fabs(root[4 * k + 1] - beat) <= 1e-14 * beat && root[4 * k + 3] == -root[4 * k + 1]);
            any |= d->shape[0] != NULL;
            pairs += beat > 0.0;
            slow += beat == 0.0;
        }
        const double *shape = array(bytes, size, "damped_shape", 4 * n * n);
        assert_int_equal(shape != NULL, any);
        mixed += any;
        for (size_t k = 0; any && k < n; ++k)
            for (size_t of = 0; of < n; ++of) {
                const er_damped_mode *d = &modes->damped[k];
                const double *one = shape + 2 * (2 * k * n + of), *other = one + 2 * n;
                bool own = d->shape[0] == NULL, pair = modes->mode[k].damped_hz > 0.0;
                double first = own ? of == k : d->shape[0][of], second = own ? of == k : d->shape[1][of];
                assert_true(one[0] == first && other[0] == (pair ? first : second));
                assert_true(one[1] == (pair && !own ? second : 0.0) && other[1] == -one[1]);
            }
        free(bytes);
        unlink(path);
        er_modes_destroy(modes);
        er_model_destroy(model);
    }
    assert_true(pairs > 0 && slow > 0 && mixed > 0 && mixed < 4);
}

// ---- what is wrong

static void wrong_calls_are_refused(void **state)
{
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
    assert_int_equal(er_modes_write_npz(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    er_model_destroy(other);
    forget(&s);
}

static int open_folder(void **state)
{
    snprintf(path, sizeof path, "%s", sample_path("a.file"));
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_may_fail),
                                       cmocka_unit_test(roots_and_their_shapes_are_those_of_the_modes),
                                       cmocka_unit_test(wrong_calls_are_refused)};
    return cmocka_run_group_tests_name("files_of_modes", tests, open_folder, tear_down);
}
