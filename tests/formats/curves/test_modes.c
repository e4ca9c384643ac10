// Files of modes: what is refused, and what is left behind when memory ends. Programs read them (tests/tools/eigenrig).
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
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

// ---- drawings

// ---- shapes

enum { LINKS = 4, SHAPES = 7, PAPER_CELL = 120, PAPER_ROOM = 106, PAPER_TALLEST = 150 }; // points

typedef struct box {
    double low[2], high[2];
} box;

// ---- what is wrong

static void refused(const er_modes_figure *figure, const char *to, const char *says)
{
    assert_int_equal(er_modes_plot(context, figure, to), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), says));
    assert_int_equal(count_files(folder), 0);
}

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
    assert_non_null(strstr(er_context_error(context), "another rig"));
    assert_int_equal(er_modes_write_npz(context, other, s.modes, path), ER_ERROR_ARGUMENT);
    s.figure.model = other;
    refused(&s.figure, path, "another rig");
    s.figure.model = s.model;
    er_model_destroy(other);
    s.figure.up = er_v3(0, 0, 0);
    refused(&s.figure, path, "up is (");
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
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.file", folder);
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    assert_int_equal(rmdir(folder), 0); // nothing was left there
    er_context_destroy(context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_may_fail),
                                       cmocka_unit_test(roots_and_their_shapes_are_those_of_the_modes),
                                       cmocka_unit_test(wrong_calls_are_refused)};
    return cmocka_run_group_tests_name("files_of_modes", tests, set_up, tear_down);
}
