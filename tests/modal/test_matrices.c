// The matrices of a rig: entry by entry those of the judge, and at any pose those that the modes there are of; and by
// them residuals of shapes that are no modes.
#include "support/context.h"
#include "support/forest.h"
#include "support/linkages.h"

#include <math.h>
#include <string.h>

#include <eigenrig/motion.h>

#include "modal/reduced.h"

static er_modal_matrices *make(const er_model *model, const er_pose *pose)
{
    er_modal_matrices *m = NULL;
    if (er_modal_matrices_create(context, model, pose, &m) != ER_OK) fail_msg("%s", er_context_error(context));
    return m;
}

// [rows x columns], row-major. To be freed.
static double *dense(const er_triplets *t)
{
    double *a = calloc((size_t)t->row_count * (size_t)t->column_count + 1, sizeof *a);
    for (int k = 0; k < t->count; ++k) {
        assert_in_range(t->row[k], 0, t->row_count - 1);
        assert_in_range(t->column[k], 0, t->column_count - 1);
        double *at = &a[t->row[k] * t->column_count + t->column[k]];
        assert_true(t->value[k] != 0.0 && isfinite(t->value[k]) && *at == 0.0); // none twice
        *at = t->value[k];
    }
    return a;
}

static void multiply(const er_triplets *t, const double *x, double *y)
{
    memset(y, 0, (size_t)t->row_count * sizeof *y);
    for (int k = 0; k < t->count; ++k)
        y[t->row[k]] += t->value[k] * x[t->column[k]];
}

static void multiply_transposed(const er_triplets *t, const double *x, double *y)
{
    memset(y, 0, (size_t)t->column_count * sizeof *y);
    for (int k = 0; k < t->count; ++k)
        y[t->column[k]] += t->value[k] * x[t->row[k]];
}

static double norm(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// --- at equilibrium

static void same_entries(const char *what, const er_triplets *t, int rows, int columns, const real *wanted,
                         bool diagonal)
{
    double *a = dense(t), largest = 0.0, off = 0.0;
    assert_int_equal(t->row_count, rows);
    assert_int_equal(t->column_count, columns);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < columns; ++k) {
            double is = a[i * columns + k];
            double should = diagonal ? (i == k ? (double)wanted[i] : 0.0) : (double)wanted[i * columns + k];
            largest = fmax(largest, fabs(should));
            off = fmax(off, fabs(is - should));
        }
    measure_at_most(what, off / fmax(largest, 1e-300), 1e-14);
    free(a);
}

// G N = 0, and N has as many columns as there are motions, none of them made of the others: N'M N keeps its pivots.
static void admissible(const er_modal_matrices *m, int dof, double size)
{
    int n = m->N.row_count;
    double *N = dense(&m->N), *G = dense(&m->G), *gram = calloc((size_t)(dof * dof) + 1, sizeof *gram);
    assert_int_equal(m->N.column_count, dof);
    for (int k = 0; k < dof; ++k) {
        double length = 0.0;
        for (int i = 0; i < n; ++i)
            length = fmax(length, fabs(N[i * dof + k]) / (i % 6 < 3 ? 1.0 : size));
        assert_true(length > 0.0);
        for (int i = 0; i < n; ++i)
            N[i * dof + k] /= length * (i % 6 < 3 ? 1.0 : size);
    }
    for (int row = 0; row < m->G.row_count; ++row)
        for (int k = 0; k < dof; ++k) {
            double sum = 0.0;
            for (int i = 0; i < n; ++i)
                sum += G[row * n + i] * (i % 6 < 3 ? 1.0 : size) * N[i * dof + k];
            measure_at_most("G N", fabs(sum) / (m->constraint_axis[row] < 3 ? 1.0 : size), 1e-12);
        }
    for (int a = 0; a < dof; ++a) // by Gram and Schmidt: what a column adds to those before it
        for (int again = 0; again < 2; ++again) {
            for (int b = 0; b < a; ++b) {
                double part = 0.0;
                for (int i = 0; i < n; ++i)
                    part += N[i * dof + a] * N[i * dof + b];
                for (int i = 0; i < n; ++i)
                    N[i * dof + a] -= part * N[i * dof + b];
            }
            double rest = 0.0;
            for (int i = 0; i < n; ++i)
                rest += N[i * dof + a] * N[i * dof + a];
            assert_true(rest > 1e-12);
            for (int i = 0; i < n; ++i)
                N[i * dof + a] /= sqrt(rest);
        }
    free(gram);
    free(G);
    free(N);
}

// A column of N moves what it says, and nothing else: R N has a 1 there, and zeros at all other joints of the tree.
static void columns_move_what_they_say(const er_model *model, const er_modal_matrices *m)
{
    int rows = m->R.row_count, dof = m->N.column_count, kind = 0;
    double *N = dense(&m->N), *v = calloc((size_t)m->N.row_count, sizeof *v),
           *rate = calloc((size_t)rows + 1, sizeof *rate);
    for (int k = 0; k < dof; ++k) {
        const er_admissible *a = &m->admissible[k];
        int is = a->joint >= 0 ? 1 : a->body >= 0 ? 0 : 2;
        assert_true(is >= kind); // roots, joints, loops
        kind = is;
        if (is == 2) continue;
        for (int i = 0; i < m->N.row_count; ++i)
            v[i] = N[i * dof + k];
        multiply(&m->R, v, rate);
        for (int i = 0; i < rows; ++i) {
            if (model->joint[m->coordinate_joint[i]].closes_loop) continue;
            bool mine = m->coordinate_joint[i] == a->joint && m->coordinate_axis[i] == a->axis;
            assert_true(fabs(rate[i] - mine) < 1e-12 * fmax(1.0, model->size));
        }
    }
    free(rate);
    free(v);
    free(N);
}

static void judge_rig(const rig *r)
{
    er_model *model = rig_model(context, r);
    judge *j = judge_create(model);
    er_modal_matrices *m = make(model, NULL);
    same_entries("M", &m->M, j->n, j->n, j->M, false);
    same_entries("K", &m->K, j->coordinates, j->coordinates, j->k, true);
    same_entries("C", &m->C, j->coordinates, j->coordinates, j->c, true);
    same_entries("G", &m->G, j->rows, j->n, j->G, false);
    same_entries("R", &m->R, j->coordinates, j->n, j->R, false);
    admissible(m, j->dof, model->size);
    columns_move_what_they_say(model, m);
    for (int b = 0; b < model->body_count; ++b)
        assert_memory_equal(&m->pose[b], &model->body[b].pose, sizeof *m->pose);
    er_modal_matrices_destroy(m);
    judge_destroy(j);
    er_model_destroy(model);
}

static void matrices_are_those_of_the_judge(void **state)
{
    dice d = {31};
    rig r;
    for (int trial = 0; trial < trials(60); ++trial) {
        rig_random(&r, &d, trial % 2 == 1);
        judge_rig(&r);
    }
    for (int i = 0; i < LINKAGE_COUNT; ++i) {
        r = (rig){0};
        linkages[i].build(&r, &d);
        judge_rig(&r);
    }
}

// --- at another pose

// The rig whose equilibrium is a pose of this one; its universal joints become spherical, since the axes of one that
// has turned are no longer at right angles.
static void stand_at(rig *r, const er_model *model, const er_pose *pose)
{
    for (int k = 0; k < r->joint_count; ++k) {
        er_joint *j = &r->joint[k];
        const er_body *body = model->body;
        er_pose child = er_pose_mul(er_pose_mul(pose[j->child], er_pose_inverse(body[j->child].pose)), j->frame);
        if (j->parent >= 0)
            j->frame = er_pose_mul(er_pose_mul(pose[j->parent], er_pose_inverse(body[j->parent].pose)), j->frame);
        j->frame.p = child.p;
    }
    for (int b = 0; b < r->body_count; ++b)
        r->body[b].pose = pose[b];
}

// A pose of all modes at random, loops closed.   @return whether there is one
static bool swing(const er_model *model, dice *d, er_pose *pose)
{
    double x[6 * RIG_MAX] = {0}, part[6 * RIG_MAX];
    er_kinematics *k = NULL;
    assert_int_equal(er_kinematics_create(context, model, &k), ER_OK);
    er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
    for (int i = 0; i < modes->count; ++i) {
        double share = dice_uniform(d, -1, 1) * er_mode_amplitude(model, &modes->mode[i], 20.0);
        er_kinematics_mode(k, &modes->mode[i], part);
        for (int c = 0; c < er_kinematics_width(k); ++c)
            x[c] += share * part[c];
    }
    bool closed = er_kinematics_pose(k, x, pose) == ER_OK && er_pose_joint_gap(model, pose) < 1e-9 * model->size;
    er_modes_destroy(modes);
    er_kinematics_destroy(k);
    return closed;
}

// The modes that the rig has there: G eta = 0, and N'(R'KR eta - lambda M eta) = 0.
static void judge_modes(const er_modal_matrices *m, const er_model *there)
{
    er_modes *modes = rig_modes(context, there, ER_MODAL_AUTO);
    int n = m->N.row_count, rows = m->R.row_count, dof = m->N.column_count, most = n + m->G.row_count + rows + dof;
    double *rate = calloc((size_t)most, sizeof *rate), *stretch = calloc((size_t)most, sizeof *stretch),
           *force = calloc((size_t)most, sizeof *force), *push = calloc((size_t)most, sizeof *push),
           *pull = calloc((size_t)most, sizeof *pull), *mass = calloc((size_t)most, sizeof *mass),
           *leak = calloc((size_t)most, sizeof *leak);
    assert_int_equal(modes->dof, dof);
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        double largest = 0.0, off = 0.0, energy = 0.0, length = fmax(1.0, there->size);
        multiply(&m->G, mode->body, leak);
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(mode->body[i]) / (i % 6 < 3 ? 1.0 : there->size));
        for (int i = 0; i < m->G.row_count; ++i)
            measure_at_most("G eta at another pose",
                            fabs(leak[i]) / largest / (m->constraint_axis[i] < 3 ? 1.0 : there->size), 1e-8);
        multiply(&m->R, mode->body, stretch);
        multiply(&m->K, stretch, force);
        multiply_transposed(&m->R, force, rate);
        multiply_transposed(&m->N, rate, pull);
        multiply(&m->M, mode->body, mass);
        multiply_transposed(&m->N, mass, push);
        // Error of springs' forces, and of their energy, from rounding of R eta.
        double stiffest = norm(m->K.value, m->K.count), least = stiffest * pow(largest * length, 2.0);
        for (int i = 0; i < m->K.count; ++i)
            energy += m->K.value[i] * pow(stretch[m->K.row[i]], 2.0);
        measure_at_most("energy at another pose",
                        fabs(energy - mode->eigenvalue) / (mode->eigenvalue + 1e-6 * least + 1e-300), 1e-9);
        for (int i = 0; i < dof; ++i)
            off = fmax(off, fabs(pull[i] - mode->eigenvalue * push[i]));
        measure_at_most("pencil at another pose", off / (least / largest + 1e-300), 1e-9);
    }
    free(leak);
    free(mass);
    free(pull);
    free(push);
    free(force);
    free(stretch);
    free(rate);
    er_modes_destroy(modes);
}

static void matrices_at_a_pose_are_of_the_modes_there(void **state)
{
    dice d = {32};
    int met = 0, loops = 0;
    for (int trial = 0; trial < 60 + LINKAGE_COUNT; ++trial) {
        rig r = {0};
        er_pose pose[RIG_MAX];
        if (trial < 60) rig_random(&r, &d, trial % 2 == 1);
        if (trial >= 60) linkages[trial - 60].build(&r, &d);
        for (int k = 0; k < r.joint_count; ++k)
            if (r.joint[k].type == ER_JOINT_UNIVERSAL) r.joint[k].type = ER_JOINT_SPHERICAL;
        er_model *model = rig_model(context, &r);
        if (swing(model, &d, pose)) {
            er_modal_matrices *m = make(model, pose);
            stand_at(&r, model, pose);
            er_model *there = rig_model(context, &r);
            er_modes *modes = rig_modes(context, model, ER_MODAL_AUTO);
            if (modes->dof == m->N.column_count) { // else its mobility is of one pose alone
                admissible(m, modes->dof, model->size);
                judge_modes(m, there);
                ++met;
                loops += model->loop_count > 0;
            }
            er_modes_destroy(modes);
            er_modal_matrices_destroy(m);
            er_model_destroy(there);
        }
        er_model_destroy(model);
    }
    assert_true(met >= 50 && loops >= 20);
}

// --- refusals

static void wrong_calls_are_refused(void **state)
{
    dice d = {33};
    rig r;
    er_modal_matrices *m = (er_modal_matrices *)&d;
    rig_random(&r, &d, true);
    er_model *model = rig_model(context, &r);
    er_pose pose[RIG_MAX];
    for (int b = 0; b < r.body_count; ++b)
        pose[b] = model->body[b].pose;
    assert_int_equal(er_modal_matrices_create(context, model, pose, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_modal_matrices_create(context, NULL, pose, &m), ER_ERROR_ARGUMENT);
    assert_null(m);
    assert_int_equal(er_modal_matrices_create(NULL, model, pose, &m), ER_ERROR_ARGUMENT);
    pose[1].p.y = NAN;
    assert_int_equal(er_modal_matrices_create(context, model, pose, &m), ER_ERROR_ARGUMENT);
    pose[1] = (er_pose){{2, 0, 0, 0}, {0, 0, 0}};
    assert_refusal(context, er_modal_matrices_create(context, model, pose, &m), ER_ERROR_ARGUMENT, "body 1");
    int parted = model->joint[0].child;
    pose[1] = model->body[1].pose;
    pose[parted].p = er_v3_add(pose[parted].p, er_v3(0.1 * model->size, 0.2 * model->size, 0.3 * model->size));
    assert_int_equal(er_modal_matrices_create(context, model, pose, &m), ER_ERROR_ARGUMENT);
    er_modal_matrices_destroy(NULL);
    er_model_destroy(model);
}

// A chain of n bodies has 3 n (n + 1) numbers in N: each joint moves all that hangs on it.
static void more_entries_than_can_be_written_are_refused(void **state)
{
    enum { LONG = 5774 }; // 100,034,550 numbers
    er_body *body = calloc(LONG, sizeof *body);
    er_joint *joint = calloc(LONG, sizeof *joint);
    for (int i = 0; i < LONG; ++i) {
        body[i] = (er_body){.mass = 1.0, .inertia = er_m3_identity(), .pose = er_pose_identity()};
        joint[i] = (er_joint){.parent = i - 1, .child = i, .type = ER_JOINT_REVOLUTE, .frame = er_pose_identity()};
    }
    er_model_def def = er_default_model_def();
    er_model *model = NULL;
    er_modal_matrices *m = (er_modal_matrices *)body;
    def.body = body;
    def.joint = joint;
    def.body_count = def.joint_count = LONG;
    assert_int_equal(er_model_create(context, &def, &model), ER_OK);
    assert_refusal(context, er_modal_matrices_create(context, model, NULL, &m), ER_ERROR_RIG, "100034550");
    assert_null(m);
    er_model_destroy(model);
    free(joint);
    free(body);
}

static void any_allocation_may_fail(void **state)
{
    dice d = {34};
    rig r;
    do
        rig_random(&r, &d, true);
    while (!r.joint[r.joint_count - 1].closes_loop);
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *model = rig_model(own, &r);
        er_modal_matrices *m = (er_modal_matrices *)&l;
        l.left = k;
        result = er_modal_matrices_create(own, model, NULL, &m);
        assert_true(result == ER_OK || (result == ER_ERROR_MEMORY && m == NULL && er_context_error(own)[0] != '\0'));
        er_modal_matrices_destroy(m);
        er_model_destroy(model);
        ledger_end(&l, own);
    }
    assert_true(k > 2);
}

// --- residuals

// max |G eta| over the largest of eta, and max |eta' M eta - 1|.
static er_modal_residuals residuals_of(const er_modal_matrices *m, const er_model *model, const eri_matrix *eta)
{
    int n = eta->rows, rows = m->G.row_count;
    double *leak = calloc((size_t)rows + 1, sizeof *leak), *momentum = calloc((size_t)n, sizeof *momentum);
    er_modal_residuals found = {0};
    for (int k = 0; k < eta->cols; ++k) {
        double largest = 0.0;
        for (int i = 0; i < n; ++i)
            largest = fmax(largest, fabs(eri_matrix_column(*eta, k)[i]) / (i % 6 < 3 ? 1.0 : model->size));
        multiply(&m->G, eri_matrix_column(*eta, k), leak);
        for (int i = 0; i < rows; ++i)
            found.constraint =
                fmax(found.constraint, fabs(leak[i]) / largest / (m->constraint_axis[i] < 3 ? 1.0 : model->size));
        multiply(&m->M, eri_matrix_column(*eta, k), momentum);
        for (int j = 0; j < eta->cols; ++j) {
            double sum = j == k ? -1.0 : 0.0;
            for (int i = 0; i < n; ++i)
                sum += momentum[i] * eri_matrix_column(*eta, j)[i];
            found.gram = fmax(found.gram, fabs(sum));
        }
    }
    free(momentum);
    free(leak);
    return found;
}

// max |f - lambda eta' M eta| / |f| over all modes, f = eta' R' K R eta of one and all.
static double pencil_of(const er_modal_matrices *m, const er_modes *modes)
{
    int n = m->M.row_count, rates = m->R.row_count;
    double *momentum = calloc((size_t)n, sizeof *momentum), *rate = calloc((size_t)rates + 1, sizeof *rate),
           *force = calloc((size_t)rates + 1, sizeof *force), worst = 0.0;
    for (int k = 0; k < modes->count; ++k) {
        double difference = 0.0, whole = 0.0;
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        multiply(&m->M, modes->mode[k].body, momentum);
        multiply(&m->R, modes->mode[k].body, rate);
        multiply(&m->K, rate, force);
        for (int j = 0; j < modes->count; ++j) {
            double f = 0.0, inertial = 0.0;
            multiply(&m->R, modes->mode[j].body, rate);
            for (int i = 0; i < rates; ++i)
                f += rate[i] * force[i];
            for (int i = 0; i < n; ++i)
                inertial += modes->mode[j].body[i] * momentum[i];
            difference = hypot(difference, f - modes->mode[k].eigenvalue * inertial);
            whole = hypot(whole, f);
        }
        worst = fmax(worst, difference / whole);
    }
    free(momentum);
    free(rate);
    free(force);
    return worst;
}

// Masses so far apart that digits are lost, by which what is told is told apart from rounding.
static void residuals_are_those_of_the_shapes_handed_out(void **state)
{
    static rig r;
    static const er_modal_method method[] = {ER_MODAL_QR, ER_MODAL_SVD, ER_MODAL_TREE};
    dice d = {58};
    int lost[3] = {0};
    for (int trial = 0; trial < trials(60); ++trial) {
        rig_forest(&r, &d, 3 + dice_below(&d, 6), trial % 2 == 1);
        for (int b = 0; b < r.body_count; ++b) {
            double factor = pow(10.0, dice_uniform(&d, -5, 5));
            r.body[b].mass *= factor;
            r.body[b].inertia = er_m3_madd((er_mat3){0}, factor, r.body[b].inertia);
        }
        er_model *model = rig_model(context, &r);
        er_modal_matrices *m = make(model, NULL);
        for (int k = 0; k < 3; ++k) {
            er_modal_def def = er_default_modal_def();
            er_modes *modes = NULL;
            def.method = method[k];
            if (er_modal_solve(context, model, &def, &modes) != ER_OK) continue;
            eri_matrix eta = {6 * model->body_count, modes->count, NULL};
            if (modes->count == 0) continue;
            eta.a = malloc((size_t)eta.rows * (size_t)eta.cols * sizeof(double));
            for (int i = 0; i < eta.cols; ++i)
                memcpy(eri_matrix_column(eta, i), modes->mode[i].body, (size_t)eta.rows * sizeof(double));
            er_modal_residuals is = residuals_of(m, model, &eta), told = modes->residuals;
            measure_at_most("constraints' residual, off", fabs(told.constraint - is.constraint),
                            1e-13 + 0.1 * is.constraint);
            measure_at_most("masses' residual, off", fabs(told.gram - is.gram), 1e-13 + 0.1 * is.gram);
            lost[0] += is.constraint > 1e-12;
            lost[1] += is.gram > 1e-12;
            if (k < 2 || model->loop_count > 0) {
                double pencil = pencil_of(m, modes);
                // both by rates that rounding moves, each in its own way
                measure_at_most("pencil's residual, told to own", told.pencil / (1e-12 + pencil), 10.0);
                measure_at_most("pencil's residual, own to told", pencil / (1e-12 + told.pencil), 100.0);
                lost[2] += pencil > 1e-11;
            }
            free(eta.a);
            er_modes_destroy(modes);
        }
        er_modal_matrices_destroy(m);
        er_model_destroy(model);
    }
    assert_true(ERI_SANITIZED || (lost[0] > 0 && lost[1] > 0 && lost[2] > 0));
}

static void residuals_tell_what_shapes_do_not_obey(void **state)
{
    static rig r;
    dice d = {57};
    for (int trial = 0; trial < trials(40); ++trial) {
        rig_forest(&r, &d, 2 + dice_below(&d, 60), trial % 2 == 1);
        er_model *model = rig_model(context, &r);
        er_modal_matrices *m = make(model, NULL);
        er_arena *arena = NULL;
        eri_reduced s = {.model = model};
        er_modes modes = {.count = 1 + dice_below(&d, 20)};
        const eri_extent extent = {.tree = {.bodies = model->body_count}, .modes = modes.count};
        assert_int_equal(eri_arena_create(context, &arena), ER_OK);
        assert_int_equal(eri_reduced_reserve(&s, arena, &extent), ER_OK);
        assert_int_equal(eri_matrix_create(arena, 6 * model->body_count, modes.count, &s.body), ER_OK);
        for (int k = 0; k < modes.count; ++k)
            for (int i = 0; i < s.body.rows; ++i)
                eri_matrix_column(s.body, k)[i] = dice_uniform(&d, -1, 1) * (i % 6 < 3 ? 1.0 : model->size);
        eri_reduced_measure(&s, &modes);
        er_modal_residuals is = residuals_of(m, model, &s.body), told = modes.residuals;
        measure_at_most("residual of constraints", fabs(told.constraint - is.constraint), 1e-12 * is.constraint);
        measure_at_most("residual of masses", fabs(told.gram - is.gram), 1e-12 * is.gram);
        eri_arena_destroy(arena);
        er_modal_matrices_destroy(m);
        er_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_those_of_the_judge),
        cmocka_unit_test(matrices_at_a_pose_are_of_the_modes_there),
        cmocka_unit_test(residuals_tell_what_shapes_do_not_obey),
        cmocka_unit_test(residuals_are_those_of_the_shapes_handed_out),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(more_entries_than_can_be_written_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("matrices", tests, set_up, tear_down);
}
