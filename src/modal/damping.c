// Damped modes: complex roots and shapes from the undamped modes.
// The roots of (mu^2 + mu C + Omega^2) u = 0 in the coordinates of the modes, where M is 1 (docs/math/damping.md):
//   C = B'B + D,   B = c^1/2 R eta (the dampers of joints),   D diagonal (ratio and Rayleigh factors).
// A mode that B'B does not couple to another has its two roots in closed form. The coupled ones, zero modes turned so
// that B'B is diagonal among them, have the states v = mu x of all and y = Omega x of the elastic ones:
//   mu (v; y) = [ -C  -Omega ; Omega  0 ] (v; y),
// where the root 0 of each zero mode is left out, so exact, and the norm of a state is its energy.
#include "modal/damping.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense/dense.h"
#include "modal/equal_roots.h"
#include "modal/mode_shape.h"

typedef double complex number;

enum { MOST_POLISH = 3 };
static const double polished = 1e-12; // residual that needs no polish
static const double lost = 1e-3;      // residual of a shape that is meaningless; the error of mu goes with its square

// A pair of conjugate roots, by the one above the real axis, or a real root.
typedef struct root {
    number mu;
    number *u; // [coupled modes], |u| = 1
    bool is_pair;
} root;

typedef struct damper {
    er_arena *scratch;
    const er_model *model;
    er_modes *modes;
    er_mode *mode;          // [count]
    er_damped_mode *damped; // [count]
    double *omega;          // [count]
    double *diagonal;       // [count], the diagonal of D
    eri_matrix B;           // [dampers x count]
    eri_matrix BB;          // B'B, where there are dampers
    double tol;
    int *coupled; // [coupled_count], the zero modes among them first
    int coupled_count, zero_count;
    eri_matrix turn;   // [zero_count x zero_count], orthogonal: coupled zero modes to directions damped one by one
    eri_matrix turned; // [dampers x coupled_count], B of the coupled modes with the zero modes turned
    eri_matrix C;      // [coupled_count x coupled_count], turned
    root *roots;       // [root_count]
    int root_count;
    number *rates;  // [dampers], work space
    number *forces; // [coupled_count], likewise
} damper;

// The largest entry of twists in zero modes, lengths in units of the rig's size.
static double zero_motion(const damper *d)
{
    double largest = 0.0;
    for (int k = 0; k < d->modes->count; ++k)
        for (int i = 0; i < 6 * d->model->body_count && d->omega[k] == 0.0; ++i)
            largest = fmax(largest, fabs(d->mode[k].body[i]) / (i % 6 < 3 ? 1.0 : d->model->size));
    return largest;
}

// Whether zero modes move coordinate i of a joint. They strain no spring, and a coordinate that loops tie to springs
// has what rounding left of their motion.
static bool zero_modes_move(const damper *d, int joint, int i, double motion)
{
    const er_joint *j = &d->model->joint[joint];
    int axis[6];
    er_joint_type_freedom(j->type, axis);
    double largest = 0.0;
    for (int k = 0; k < d->modes->count; ++k)
        if (d->omega[k] == 0.0) largest = fmax(largest, fabs(d->mode[k].joint[d->model->coordinate[joint] + i]));
    return !(j->stiffness[i] > 0.0) && largest > d->tol * motion * (axis[i] < 3 ? 1.0 : d->model->size);
}

static er_result describe(damper *d)
{
    er_result r = ER_OK;
    const er_model *model = d->model;
    int count = d->modes->count, rows = 0;
    ERI_TRY_NEW(d->omega, d->scratch, double, count);
    ERI_TRY_NEW(d->diagonal, d->scratch, double, count);
    ERI_TRY_NEW(d->coupled, d->scratch, int, count);
    for (int k = 0; k < count; ++k) {
        double omega = d->omega[k] = sqrt(d->mode[k].eigenvalue);
        d->diagonal[k] =
            model->rayleigh_mass + (model->rayleigh_stiffness * omega + 2.0 * model->damping_ratio) * omega;
    }
    for (int j = 0; j < model->joint_count; ++j)
        for (int i = 0; i < er_joint_type_freedom(model->joint[j].type, NULL); ++i)
            rows += model->joint[j].damping[i] > 0.0;
    ERI_TRY(eri_matrix_create(d->scratch, rows, count, &d->B));
    double motion = zero_motion(d);
    for (int j = 0, row = 0; j < model->joint_count; ++j)
        for (int i = 0; i < er_joint_type_freedom(model->joint[j].type, NULL); ++i) {
            if (!(model->joint[j].damping[i] > 0.0)) continue;
            bool zeros_move = zero_modes_move(d, j, i, motion);
            for (int k = 0; k < count; ++k)
                if (zeros_move || d->omega[k] > 0.0)
                    eri_matrix_column(d->B, k)[row] =
                        sqrt(model->joint[j].damping[i]) * d->mode[k].joint[model->coordinate[j] + i];
            ++row;
        }
    if (rows > 0) ERI_TRY(eri_matrix_product(d->scratch, true, d->B, false, d->B, &d->BB));
done:
    return r;
}

static double damping_of(const damper *d, int k)
{
    return d->diagonal[k] + (d->B.rows > 0 ? eri_matrix_column(d->BB, k)[k] : 0.0);
}

// mu^2 + c mu + omega^2 = 0, c = 2 zeta omega; x = 2 omega / c stays in range where squares would not.
static void damp_alone(damper *d, int k)
{
    er_mode *mode = &d->mode[k];
    double omega = d->omega[k], c = damping_of(d, k), *decay = d->damped[k].decay;
    mode->damping_ratio = omega > 0.0 ? c / (2.0 * omega) : 0.0;
    mode->damped_hz = 0.0;
    if (omega > 0.0 && mode->damping_ratio < 1.0) {
        double zeta = mode->damping_ratio;
        mode->damped_hz = mode->frequency_hz * sqrt((1.0 - zeta) * (1.0 + zeta));
        decay[0] = decay[1] = 0.5 * c;
    } else if (c > 0.0) {
        double x = 2.0 * omega / c;
        decay[1] = 0.5 * c * (1.0 + sqrt(fmax(0.0, (1.0 - x) * (1.0 + x))));
        decay[0] = omega * (omega / decay[1]);
    }
}

// The modes that B'B couples, elastic ones by falling damping, so that the state matrix is graded downwards and the QR
// algorithm keeps the digits of slow roots (Stewart 2001, Matrix Algorithms II, 2.4); all others are done here.
static void part(damper *d)
{
    int count = d->modes->count;
    for (int k = 0; k < count; ++k) {
        bool coupled = false;
        for (int i = 0; i < count && d->B.rows > 0; ++i)
            coupled |= i != k && eri_matrix_column(d->BB, k)[i] != 0.0;
        if (!coupled) {
            damp_alone(d, k);
            continue;
        }
        d->zero_count += d->omega[k] == 0.0;
        int at = d->coupled_count++;
        for (; at > d->zero_count && damping_of(d, k) > damping_of(d, d->coupled[at - 1]); --at)
            d->coupled[at] = d->coupled[at - 1];
        d->coupled[at] = k;
    }
}

static er_result beyond_doubles(const damper *d)
{
    return er_fail(eri_arena_context(d->scratch), ER_ERROR_NO_CONVERGENCE,
                   "the joints' dampers are too strong, or too far apart in size, for doubles: the motions that they "
                   "slow most are lost; bring the dampers closer to the springs");
}

// B of the zero modes is U diag(s) V': along V they are damped one by one, by s^2, and by nothing where s is rounding.
static er_result turn_zero_modes(damper *d)
{
    er_result r = ER_OK;
    int rows = d->B.rows, zeros = d->zero_count;
    eri_matrix B = {0}, BV = {0};
    double *values;
    ERI_TRY(eri_matrix_create(d->scratch, rows, d->coupled_count, &d->turned));
    ERI_TRY(eri_matrix_create(d->scratch, rows, zeros, &B));
    for (int k = 0; k < d->coupled_count; ++k)
        memcpy(eri_matrix_column(d->turned, k), eri_matrix_column(d->B, d->coupled[k]), (size_t)rows * sizeof(double));
    memcpy(B.a, d->turned.a, (size_t)rows * (size_t)zeros * sizeof(double));
    ERI_TRY(eri_linalg_svd(d->scratch, B, &values, &d->turn));
    ERI_TRY(eri_matrix_product(d->scratch, false, eri_matrix_columns(d->turned, 0, zeros), false, d->turn, &BV));
    for (int k = 0; k < zeros; ++k)
        if (k >= rows || !(values[k] > d->tol * values[0]))
            memset(eri_matrix_column(BV, k), 0, (size_t)rows * sizeof(double));
    memcpy(d->turned.a, BV.a, (size_t)rows * (size_t)zeros * sizeof(double));
done:
    return r;
}

static er_result damping_matrix(damper *d)
{
    er_result r = ER_OK;
    int n = d->coupled_count, zeros = d->zero_count;
    ERI_TRY(eri_matrix_product(d->scratch, true, d->turned, false, d->turned, &d->C));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double *entry = &eri_matrix_column(d->C, j)[i];
            *entry = i == j ? *entry + d->diagonal[d->coupled[i]] : i < zeros && j < zeros ? 0.0 : *entry;
            if (!isfinite(*entry)) ERI_TRY(beyond_doubles(d));
        }
done:
    return r;
}

static er_result state_matrix(const damper *d, eri_matrix *A)
{
    er_result r = ER_OK;
    int n = d->coupled_count, zeros = d->zero_count;
    ERI_TRY(eri_matrix_create(d->scratch, 2 * n - zeros, 2 * n - zeros, A));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            eri_matrix_column(*A, j)[i] = -eri_matrix_column(d->C, j)[i];
    for (int k = zeros; k < n; ++k) {
        int y = n - zeros + k;
        eri_matrix_column(*A, k)[y] = d->omega[d->coupled[k]];
        eri_matrix_column(*A, y)[k] = -d->omega[d->coupled[k]];
    }
done:
    return r;
}

// |u| = 1 and its largest entry real and positive; of entries that tie within rounding the first counts.
static void normalise(number *u, int n)
{
    double norm = 0.0;
    int at = 0;
    for (int k = 0; k < n; ++k) {
        norm = hypot(norm, cabs(u[k]));
        if (cabs(u[k]) > cabs(u[at]) * (1.0 + 1e-9)) at = k;
    }
    number phase = cabs(u[at]) > 0.0 ? conj(u[at]) / cabs(u[at]) : 1.0;
    for (int k = 0; k < n && norm > 0.0; ++k)
        u[k] = u[k] * phase / norm;
}

// u from a state: y / omega keeps the digits of slow roots, v / mu those of fast ones. Scaled by mu, which may be 0.
static void read_shape(const damper *d, number mu, const double *re, const double *im, number *u)
{
    int n = d->coupled_count, zeros = d->zero_count;
    for (int k = 0; k < n; ++k) {
        double omega = d->omega[d->coupled[k]];
        int at = omega > cabs(mu) ? n - zeros + k : k;
        number state = re[at] + (im != NULL ? im[at] * I : 0.0);
        u[k] = at == k ? state : state * (mu != 0.0 ? mu : 1.0) / omega;
    }
    normalise(u, n);
}

// The rates B u of the dampers.
static void damper_rates(const damper *d, const number *u)
{
    memset(d->rates, 0, (size_t)d->turned.rows * sizeof *d->rates);
    for (int k = 0; k < d->coupled_count; ++k)
        for (int i = 0; i < d->turned.rows; ++i)
            d->rates[i] += eri_matrix_column(d->turned, k)[i] * u[k];
}

static void damping_forces(const damper *d, const number *u, number *force) // C u
{
    memset(force, 0, (size_t)d->coupled_count * sizeof *force);
    for (int k = 0; k < d->coupled_count; ++k)
        for (int i = 0; i < d->coupled_count; ++i)
            force[i] += eri_matrix_column(d->C, k)[i] * u[k];
}

// mu from its shape: the root of u'(mu^2 + mu C + Omega^2) u next to it (u', as it stands, is the left eigenvector of a
// symmetric problem, so an error of u counts squared). What Newton would carry far is nearly double: it stays.
static void refine(const damper *d, root *x)
{
    number a = 0.0, b = 0.0, l = 0.0;
    damper_rates(d, x->u);
    for (int i = 0; i < d->turned.rows; ++i)
        b += d->rates[i] * d->rates[i];
    for (int k = 0; k < d->coupled_count; ++k) {
        double omega = d->omega[d->coupled[k]];
        a += x->u[k] * x->u[k];
        b += d->diagonal[d->coupled[k]] * x->u[k] * x->u[k];
        l += omega * x->u[k] * (omega * x->u[k]);
    }
    for (int i = 0; i < 3; ++i) {
        number step = ((a * x->mu + b) * x->mu + l) / (2.0 * a * x->mu + b);
        if (!(cabs(step) < 1e-2 * cabs(x->mu))) break;
        x->mu -= step;
    }
}

// |(mu^2 + mu C + Omega^2) u| over the sum of its terms. A drift that dies away at 1e-10 of the highest frequency and
// slower, so slowly that rounding of the springs shows, is measured by that rate.
static double residual(const damper *d, const root *x)
{
    double sum = 0.0, inertial = 0.0, damped = 0.0, elastic = 0.0, fastest = 0.0;
    damping_forces(d, x->u, d->forces);
    for (int k = 0; k < d->coupled_count; ++k) {
        double omega = d->omega[d->coupled[k]];
        number a = x->mu * x->mu * x->u[k], c = x->mu * d->forces[k], e = omega * omega * x->u[k];
        sum = hypot(sum, cabs(a + c + e));
        inertial = hypot(inertial, cabs(a));
        damped = hypot(damped, cabs(c));
        elastic = hypot(elastic, cabs(e));
        fastest = fmax(fastest, omega);
    }
    return sum > 0.0 ? sum / (inertial + damped + elastic + 1e-20 * fastest * fastest) : 0.0;
}

// A step of inverse iteration, u <- Q^-1 Q' u with Q = mu^2 + mu C + Omega^2. The QR algorithm is right to eps times
// the largest entry of the state matrix, which may be much for slow roots.
static er_result polish(const damper *d, root *x)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    int n = d->coupled_count;
    number *Q, *u;
    bool solved;
    ERI_TRY(eri_arena_create(eri_arena_context(d->scratch), &scratch));
    ERI_TRY_NEW(Q, scratch, number, (size_t)n * (size_t)n);
    ERI_TRY_NEW(u, scratch, number, n);
    damping_forces(d, x->u, u);
    for (int j = 0; j < n; ++j) {
        double omega = d->omega[d->coupled[j]];
        for (int i = 0; i < n; ++i)
            Q[(size_t)i + (size_t)j * (size_t)n] =
                x->mu * eri_matrix_column(d->C, j)[i] + (i == j ? x->mu * x->mu + omega * omega : 0.0);
        u[j] += 2.0 * x->mu * x->u[j];
    }
    ERI_TRY(eri_linalg_solve(scratch, n, Q, u, &solved));
    if (solved) {
        memcpy(x->u, u, (size_t)n * sizeof *u);
        normalise(x->u, n);
        refine(d, x);
    }
done:
    eri_arena_destroy(scratch);
    return r;
}

// Zero modes back from the directions they were turned to.
static void turn_back(const damper *d, number *u)
{
    memcpy(d->forces, u, (size_t)d->zero_count * sizeof *u);
    for (int i = 0; i < d->zero_count; ++i) {
        u[i] = 0.0;
        for (int k = 0; k < d->zero_count; ++k)
            u[i] += eri_matrix_column(d->turn, k)[i] * d->forces[k];
    }
    normalise(u, d->coupled_count);
}

// For mu < 0 near 0 the symmetric mu^2 + mu C + Omega^2 has a negative eigenvalue for each zero mode that is damped,
// for mu -> -inf none: so there is a real root for each, and a pair for no more than each elastic mode. Pairs beyond
// that are equal real roots that rounding has split. So are pairs as near to the real axis as rounding; a double root
// of one shape, as of critical damping, is split by the root of that.
static void mend_split_roots(const damper *d, const double *re, double *im, int states)
{
    int pairs = 0;
    for (int j = 0; j < states; ++j) {
        if (im[j] > 0.0 && im[j] < 1e-11 * fabs(re[j])) im[j] = im[j + 1] = 0.0;
        pairs += im[j] > 0.0;
    }
    for (; pairs > d->coupled_count - d->zero_count; --pairs) {
        int at = -1;
        for (int j = 0; j < states; ++j)
            if (im[j] > 0.0 && (at < 0 || im[j] * fabs(re[at]) < im[at] * fabs(re[j]))) at = j;
        im[at] = im[at + 1] = 0.0;
    }
}

static er_result find_root(damper *d, number mu, const double *re, const double *im, root *x)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(x->u, d->scratch, number, d->coupled_count);
    x->mu = mu;
    x->is_pair = im != NULL;
    read_shape(d, mu, re, im, x->u);
    refine(d, x);
    double error = residual(d, x);
    for (int i = 0; i < MOST_POLISH && error > polished; ++i) {
        ERI_TRY(polish(d, x));
        error = residual(d, x);
    }
    if (!(error < lost)) ERI_TRY(beyond_doubles(d));
    d->modes->residuals.damped = fmax(d->modes->residuals.damped, error);
    turn_back(d, x->u);
done:
    return r;
}

static er_result find_roots(damper *d)
{
    er_result r = ER_OK;
    eri_matrix A = {0}, V = {0};
    double *re, *im;
    ERI_TRY(turn_zero_modes(d));
    ERI_TRY(damping_matrix(d));
    ERI_TRY(state_matrix(d, &A));
    ERI_TRY(eri_linalg_eigen(d->scratch, A, &re, &im, &V));
    mend_split_roots(d, re, im, A.rows);
    ERI_TRY_NEW(d->roots, d->scratch, root, A.rows);
    ERI_TRY_NEW(d->rates, d->scratch, number, d->turned.rows);
    ERI_TRY_NEW(d->forces, d->scratch, number, d->coupled_count);
    for (int j = 0; j < A.rows; ++j) {
        const double *imaginary = im[j] > 0.0 ? eri_matrix_column(V, j + 1) : NULL;
        ERI_TRY(find_root(d, re[j] + im[j] * I, eri_matrix_column(V, j), imaginary, &d->roots[d->root_count++]));
        j += imaginary != NULL;
    }
done:
    return r;
}

static bool is_same_root(const root *x, const root *y)
{
    return x->is_pair == y->is_pair && x->mu != 0.0 && cabs(x->mu - y->mu) <= eri_same_eigenvalue * cabs(x->mu);
}

// Equal roots have shapes up to a turn among them. Modes of equal frequency would share them by rounding.
static er_result turn_equal_roots(damper *d)
{
    er_result r = ER_OK;
    bool *done_with;
    ERI_TRY_NEW(done_with, d->scratch, bool, d->root_count);
    for (int i = 0; i < d->root_count; ++i) {
        number *shape[ERI_MOST_EQUAL_ROOTS];
        int count = 0;
        for (int j = i; j < d->root_count && count < ERI_MOST_EQUAL_ROOTS; ++j) {
            if (done_with[j] || !is_same_root(&d->roots[i], &d->roots[j])) continue;
            done_with[j] = true;
            shape[count++] = d->roots[j].u;
        }
        if (count < 2) continue;
        ERI_TRY(eri_turn_equal_roots(d->scratch, count, d->coupled_count, d->coupled, shape));
        for (int j = 0; j < count; ++j)
            normalise(shape[j], d->coupled_count);
    }
done:
    return r;
}

// A root that may go to a mode.
typedef struct root_match {
    long share; // of the root's kinetic energy that the mode holds, in millionths: ties within rounding are ties
    int turn;   // pairs choose first, then roots 0, then other real ones
    int root, mode;
} root_match;

static int better_first(const void *a, const void *b)
{
    const root_match *x = a, *y = b;
    if (x->turn != y->turn) return x->turn > y->turn ? 1 : -1;
    if (x->share != y->share) return x->share < y->share ? 1 : -1;
    return x->root != y->root ? (x->root > y->root) - (x->root < y->root) : (x->mode > y->mode) - (x->mode < y->mode);
}

static int slower_first(const void *a, const void *b)
{
    double x = cabs(((const root *)a)->mu), y = cabs(((const root *)b)->mu);
    return (x > y) - (x < y);
}

// owner[root] is the mode a root goes to, pairs before real roots, those of the largest share first. An elastic
// mode has room for a pair or two real roots, none of them 0; a zero mode for one beside its root 0.
static er_result match_roots(damper *d, int *owner)
{
    er_result r = ER_OK;
    root_match *matches;
    int count = 0, *room;
    qsort(d->roots, (size_t)d->root_count, sizeof *d->roots, slower_first);
    ERI_TRY_NEW(matches, d->scratch, root_match, (size_t)d->root_count * (size_t)d->coupled_count);
    ERI_TRY_NEW(room, d->scratch, int, d->modes->count);
    for (int k = 0; k < d->coupled_count; ++k)
        room[d->coupled[k]] = k < d->zero_count ? 1 : 2;
    for (int i = 0; i < d->root_count; ++i) {
        const root *x = &d->roots[i];
        bool still = x->mu == 0.0;
        owner[i] = -1;
        for (int k = 0; k < (still ? d->zero_count : d->coupled_count); ++k) {
            double size = cabs(x->u[k]);
            matches[count++] = (root_match){lround(1e6 * size * size),
                                            x->is_pair ? 0
                                            : still    ? 1
                                                       : 2,
                                            i, d->coupled[k]};
        }
    }
    qsort(matches, (size_t)count, sizeof *matches, better_first);
    for (int i = 0; i < count; ++i) {
        const root_match *m = &matches[i];
        int need = d->roots[m->root].is_pair ? 2 : 1;
        if (owner[m->root] >= 0 || room[m->mode] < need) continue;
        owner[m->root] = m->mode;
        room[m->mode] -= need;
    }
done:
    return r;
}

// The real parts of u, or the imaginary ones, as coefficients over all modes held.
static er_result write_shape(const damper *d, const number *u, bool imaginary, const double **out)
{
    er_result r = ER_OK;
    double *shape;
    ERI_TRY_NEW(shape, d->modes->arena, double, d->modes->count);
    for (int k = 0; k < d->coupled_count; ++k)
        shape[d->coupled[k]] = imaginary ? cimag(u[k]) : creal(u[k]);
    *out = shape;
done:
    return r;
}

static er_result write_pair(const damper *d, const root *x, int k)
{
    er_result r = ER_OK;
    er_damped_mode *damped = &d->damped[k];
    damped->decay[0] = damped->decay[1] = fmax(0.0, -creal(x->mu));
    d->mode[k].damping_ratio = damped->decay[0] / cabs(x->mu);
    d->mode[k].damped_hz = fabs(cimag(x->mu)) / (2.0 * ER_PI);
    ERI_TRY(write_shape(d, x->u, false, &damped->shape[0]));
    ERI_TRY(write_shape(d, x->u, true, &damped->shape[1]));
done:
    return r;
}

// Roots come slowest first, so a mode's second one is the faster.
static er_result write_real(const damper *d, const root *x, int k)
{
    er_result r = ER_OK;
    er_damped_mode *damped = &d->damped[k];
    bool elastic = d->omega[k] > 0.0;
    int side = elastic && damped->shape[0] == NULL ? 0 : 1;
    damped->decay[side] = fmax(0.0, -creal(x->mu));
    ERI_TRY(write_shape(d, x->u, false, &damped->shape[side]));
    if (elastic && side == 1) {
        double slow = sqrt(damped->decay[0]), fast = sqrt(damped->decay[1]);
        d->mode[k].damping_ratio = 0.5 * (slow / fast + fast / slow);
        if (!isfinite(d->mode[k].damping_ratio)) ERI_TRY(beyond_doubles(d));
    }
done:
    return r;
}

static er_result damp_coupled(damper *d)
{
    er_result r = ER_OK;
    int *owner;
    double *still;
    ERI_TRY(find_roots(d));
    ERI_TRY(turn_equal_roots(d));
    ERI_TRY_NEW(owner, d->scratch, int, d->root_count);
    ERI_TRY(match_roots(d, owner));
    for (int k = 0; k < d->zero_count; ++k) { // displaced along itself, a mode of no frequency stays
        ERI_TRY_NEW(still, d->modes->arena, double, d->modes->count);
        still[d->coupled[k]] = 1.0;
        d->damped[d->coupled[k]].shape[0] = still;
    }
    for (int i = 0; i < d->root_count; ++i) {
        const root *x = &d->roots[i];
        ERI_TRY(x->is_pair ? write_pair(d, x, owner[i]) : write_real(d, x, owner[i]));
    }
done:
    return r;
}

er_result eri_modal_damp(er_arena *scratch, const er_model *model, double tol, er_modes *modes, er_mode *mode)
{
    er_result r = ER_OK;
    damper d = {.scratch = scratch, .model = model, .modes = modes, .mode = mode, .tol = tol};
    ERI_TRY(describe(&d));
    ERI_TRY_NEW(d.damped, modes->arena, er_damped_mode, modes->count);
    part(&d);
    if (d.coupled_count > 0) ERI_TRY(damp_coupled(&d));
    bool damped =
        d.B.rows > 0 || model->damping_ratio > 0.0 || model->rayleigh_mass > 0.0 || model->rayleigh_stiffness > 0.0;
    modes->damped = d.damped;
    modes->damped_count = damped ? modes->count : 0;
done:
    return r;
}
