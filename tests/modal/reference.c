// Modes of a trusted route, and clusters of close frequencies, to measure those of another route by.
#include "reference.h"

#include <stdio.h>
#include <string.h>

static void *allocate(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

// L' eta body by body: (C' w; sqrt(m) (v + w x c)), J = C C'.
static void weigh(const er_model *model, const double *eta, real *out)
{
    for (int b = 0; b < model->body_count; ++b, eta += 6, out += 6) {
        const er_body *body = &model->body[b];
        real C[3][3] = {{0}}, c[3] = {body->com.x, body->com.y, body->com.z};
        for (int j = 0; j < 3; ++j)
            for (int i = j; i < 3; ++i) {
                real sum = body->inertia.m[i][j];
                for (int k = 0; k < j; ++k)
                    sum -= C[i][k] * C[j][k];
                C[i][j] = i == j ? sqrtl(sum) : sum / C[j][j];
            }
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            out[i] = 0.0L;
            for (int l = i; l < 3; ++l)
                out[i] += C[l][i] * (real)eta[l];
            out[3 + i] = sqrtl(body->mass) * ((real)eta[3 + i] + (real)eta[j] * c[k] - (real)eta[k] * c[j]);
        }
    }
}

static bool in_one_cluster(const reference *ref, int a, int b)
{
    int zeros = ref->rigid + ref->mechanism;
    if (b < zeros) return (a < ref->rigid) == (b < ref->rigid);
    return a >= zeros && ref->hz[b] - ref->hz[a] <= 5e-7 * ref->hz[b];
}

static void find_clusters(reference *ref)
{
    for (int k = 0; k < ref->count; ++k)
        ref->begin[k] = k > 0 && in_one_cluster(ref, k - 1, k) ? ref->begin[k - 1] : k;
    for (int k = ref->count - 1; k >= 0; --k)
        ref->end[k] = k + 1 < ref->count && in_one_cluster(ref, k, k + 1) ? ref->end[k + 1] : k + 1;
}

static reference make(int n, int count)
{
    return (reference){.n = n,
                       .count = count,
                       .hz = allocate(count, sizeof(double)),
                       .shape = allocate(n * count, sizeof(real)),
                       .begin = allocate(count, sizeof(int)),
                       .end = allocate(count, sizeof(int))};
}

reference reference_by(er_context *context, const er_model *model, er_modal_method method)
{
    er_modes *modes = rig_modes(context, model, method);
    reference ref = make(6 * model->body_count, modes->dof);
    assert_int_equal(modes->count, modes->dof);
    ref.rigid = modes->rigid_count;
    ref.mechanism = modes->mechanism_count;
    for (int k = 0; k < ref.count; ++k) {
        ref.hz[k] = modes->mode[k].frequency_hz;
        weigh(model, modes->mode[k].body, ref.shape + (size_t)k * (size_t)ref.n);
    }
    find_clusters(&ref);
    er_modes_destroy(modes);
    return ref;
}

reference reference_repeat(const reference *one, int times)
{
    reference ref = make(one->n * times, one->count * times);
    ref.rigid = one->rigid * times;
    ref.mechanism = one->mechanism * times;
    for (int k = 0; k < ref.count; ++k) {
        ref.hz[k] = one->hz[k / times];
        memcpy(ref.shape + (size_t)k * (size_t)ref.n + (size_t)(k % times * one->n),
               one->shape + (size_t)(k / times) * (size_t)one->n, (size_t)one->n * sizeof(real));
    }
    find_clusters(&ref);
    return ref;
}

void reference_destroy(reference *ref)
{
    free(ref->hz);
    free(ref->shape);
    free(ref->begin);
    free(ref->end);
}

void reference_window(const reference *ref, const er_modal_def *def, int *first, int *count)
{
    int begin = 0, end = ref->count;
    while (begin < end && ref->hz[begin] < def->min_hz)
        ++begin;
    while (end > begin && ref->hz[end - 1] > def->max_hz)
        --end;
    *first = begin;
    *count = def->mode_count > 0 && def->mode_count < end - begin ? def->mode_count : end - begin;
}

// sin of the angle between x and the span of the shapes of mode k's cluster.
static double angle_to_cluster(const reference *ref, int k, const real *x)
{
    size_t n = (size_t)ref->n;
    real *rest = allocate(ref->n, sizeof(real)), square = 0.0L;
    memcpy(rest, x, n * sizeof(real));
    for (int c = ref->begin[k]; c < ref->end[k]; ++c) {
        const real *a = ref->shape + (size_t)c * n;
        real share = 0.0L;
        for (size_t i = 0; i < n; ++i)
            share += a[i] * x[i];
        for (size_t i = 0; i < n; ++i)
            rest[i] -= share * a[i];
    }
    for (size_t i = 0; i < n; ++i)
        square += rest[i] * rest[i];
    free(rest);
    return (double)sqrtl(square);
}

// The relative distance, at most 1e-2, to the cluster nearest to mode k's: shapes are as much less certain as it is
// less.
static double clearance(const reference *ref, int k)
{
    int begin = ref->begin[k], end = ref->end[k], zeros = ref->rigid + ref->mechanism;
    double least = 1e-2;
    if (k < zeros) return least;
    if (begin > zeros) least = fmin(least, 1.0 - ref->hz[begin - 1] / ref->hz[begin]);
    if (end < ref->count) least = fmin(least, ref->hz[end] / ref->hz[end - 1] - 1.0);
    return least;
}

void reference_compare(const char *const what[2], const reference *ref, const er_model *model, const er_modal_def *def,
                       const er_modes *modes)
{
    int first, count;
    reference_window(ref, def, &first, &count);
    assert_int_equal(modes->dof, ref->count);
    assert_int_equal(modes->rigid_count, ref->rigid);
    assert_int_equal(modes->mechanism_count, ref->mechanism);
    assert_int_equal(modes->count, count);
    assert_int_equal(modes->first, first);
    assert_int_equal(modes->constraint_count - modes->rank, 0);
    assert_int_equal(modes->rank, ref->n - ref->count);
    real *x = allocate(ref->n, sizeof(real));
    for (int k = 0; k < count; ++k) {
        const er_mode *mode = &modes->mode[k];
        int at = first + k;
        assert_int_equal(mode->kind, at < ref->rigid                    ? ER_MODE_RIGID
                                     : at < ref->rigid + ref->mechanism ? ER_MODE_MECHANISM
                                                                        : ER_MODE_ELASTIC);
        if (mode->kind == ER_MODE_ELASTIC) {
            assert_true(mode->eigenvalue > 0.0);
            measure_at_most(what[0], relative_error(mode->frequency_hz, ref->hz[at]), 1e-9);
            assert_true(relative_error(mode->frequency_hz, sqrt(mode->eigenvalue) / (2.0 * ER_PI)) < 1e-15);
        } else {
            assert_true(mode->eigenvalue == 0.0 && mode->frequency_hz == 0.0);
        }
        assert_true(k == 0 || mode->eigenvalue >= modes->mode[k - 1].eigenvalue);
        if (what[1] == NULL) continue;
        weigh(model, mode->body, x);
        measure_at_most(what[1], angle_to_cluster(ref, at, x) * clearance(ref, at) / 1e-2, 1e-6);
    }
    free(x);
    measure_at_most("its own residuals: constraint", modes->residuals.constraint, 1e-10);
    // what is left of a low mode in a high one weighs as much more in M as its frequency is lower
    if (what[1] != NULL) measure_at_most("its own residuals: gram", modes->residuals.gram, 1e-7);
}

void reference_judge(er_context *context, const char *const what[2], const reference *ref, const er_model *model,
                     const er_modal_def *def)
{
    er_modes *modes = NULL;
    if (er_modal_solve(context, model, def, &modes) != ER_OK)
        fail_msg("%s, %d modes from %.17g to %.17g Hz: %s", er_modal_method_name(def->method), def->mode_count,
                 def->min_hz, def->max_hz, er_context_error(context));
    if (def->method != ER_MODAL_AUTO) assert_int_equal(modes->method, def->method);
    reference_compare(what, ref, model, def, modes);
    er_modes_destroy(modes);
}
