// Modes by spectrum slicing. Each lane of a sweep shifts the pencil to a slice of the spectrum of its own and finds
// that slice's modes by Lanczos on (1 - sigma A)^-1, whose eigenvalues lambda / (lambda - sigma) are far from 1 near
// the shift. The pivots of each factorisation count the eigenvalues below its shift, so it is known beforehand how many
// there are to find. Source: Ericsson & Ruhe, Math. Comp. 35 (1980); Grimes, Lewis & Simon, SIAM J. Matrix Anal. 15
// (1994); docs/math/sparse.md.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modal/solver.h"

enum {
    MARKS = 256,
    SLICES = ER_LANE_COUNT,
    STEPS = 48,      // of Lanczos, at most
    FEW_STEPS = 20,  // at least, however long the vectors are
    BASIS = 1 << 22, // lanes of all vectors together, before there are fewer steps: 256 MiB
    STRIDE = 4,      // from look to look at what has converged
    PASSES = 200,
    IDLE = 8 // of these in a row that find nothing
};

// So many elastic modes lie below lambda.
typedef struct mark {
    double lambda;
    int count;
} mark;

// Modes with low <= lambda < high.
typedef struct slice {
    double low, high;
    int expected; // by the marks
    int needed;   // of those: fewer where the last slice is a cluster that reaches beyond what is wanted
} slice;

struct er_slices {
    er_shifted *shifted;
    er_lanczos *lanczos;
    double sigma[ER_LANE_COUNT]; // shifts of the present factorisation
    mark mark[MARKS];
    int mark_count;
    slice slice[SLICES + 1];
    int slice_count;
    int slice_of[ER_LANE_COUNT];
    double *lambda;                      // [most + 1], of the columns of Y
    er_lanes *value, *residual, *weight; // [STEPS], [STEPS], [STEPS x STEPS]
    er_lanes *sets;                      // [4 x STEPS], weights of shapes that are combined together
    er_lanes *found[4];                  // each [N]
    double *spare;                       // [N]
};

er_result er_slices_create(er_reduced *s)
{
    er_result r = ER_OK;
    struct er_slices *p;
    int columns = s->rows, // as many as any stiffness can ask for
        steps = BASIS / columns > FEW_STEPS ? BASIS / columns : FEW_STEPS;
    ER_TRY(er_arena_create(s->context, &s->slicing));
    ER_TRY_NEW(p, s->slicing, struct er_slices, 1);
    ER_TRY(er_shifted_create(s->slicing, s->tree, &p->shifted));
    ER_TRY(er_lanczos_create(s->slicing, columns, steps < STEPS ? steps : STEPS, &p->lanczos));
    ER_TRY_NEW(p->lambda, s->slicing, double, s->most + SPARE_SHAPES);
    ER_TRY_NEW(p->value, s->slicing, er_lanes, STEPS);
    ER_TRY_NEW(p->residual, s->slicing, er_lanes, STEPS);
    ER_TRY_NEW(p->weight, s->slicing, er_lanes, STEPS * STEPS);
    ER_TRY_NEW(p->sets, s->slicing, er_lanes, 4 * STEPS);
    ER_TRY_NEW(p->spare, s->slicing, double, columns);
    s->slices = p;
done:
    return r;
}

// (1 - sigma A)^-1 y
static void shifted_product(void *self, const er_lanes *y, er_lanes *out)
{
    const er_reduced *s = self;
    if (s->closed != NULL)
        er_closed_solve(s->closed, s->tree, s->slices->shifted, y, out);
    else
        er_shifted_solve(s->slices->shifted, s->tree, y, NULL, out, NULL);
}

static void insert_mark(struct er_slices *p, mark m)
{
    int at = p->mark_count;
    if (at == MARKS) return;
    while (at > 0 && p->mark[at - 1].lambda > m.lambda)
        --at;
    bool monotone =
        (at == 0 || p->mark[at - 1].count <= m.count) && (at == p->mark_count || p->mark[at].count >= m.count);
    if (!monotone || (at > 0 && p->mark[at - 1].lambda == m.lambda)) return; // rounding, close to an eigenvalue
    memmove(p->mark + at + 1, p->mark + at, (size_t)(p->mark_count - at) * sizeof(mark));
    p->mark[at] = m;
    ++p->mark_count;
}

// Factors at eight shifts. One that comes too near an eigenvalue for its pivots to be trusted moves a little.
static void factor_at(er_reduced *s, const double *sigma)
{
    struct er_slices *p = s->slices;
    int below[ER_LANE_COUNT];
    double growth[ER_LANE_COUNT];
    memcpy(p->sigma, sigma, sizeof p->sigma);
    for (int turn = 0;; ++turn) {
        bool sound = true;
        er_shifted_factor(p->shifted, s->tree, p->sigma, below, growth);
        if (s->closed != NULL) er_closed_factor(s->closed, s->tree, p->shifted, below, growth);
        for (int k = 0; k < ER_LANE_COUNT; ++k)
            sound &= growth[k] < 1e9;
        if (sound || turn == 3) break;
        for (int k = 0; k < ER_LANE_COUNT; ++k)
            if (!(growth[k] < 1e9)) p->sigma[k] *= 1.0 + 1e-4 * (turn + 1);
    }
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        if (p->sigma[k] > 0.0) insert_mark(p, (mark){p->sigma[k], below[k] - s->zero_count});
}

// A lower bound of the lowest eigenvalue, near enough: 1 / trace(A), by random vectors.
static double lowest_guess(er_reduced *s)
{
    int N = s->rows;
    er_lanes *y = s->panel[0], *Ay = s->panel[1], strain = {0}, energy = {0};
    uint32_t state = 1;
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < ER_LANE_COUNT; ++k) {
            state = state * 1664525u + 1013904223u;
            y[i][k] = (state >> 31) ? 1.0 : -1.0;
        }
    if (s->closed != NULL) er_closed_project(s->closed, s->tree, y);
    er_reduced_apply(s, y, NULL, Ay, s->slack, NULL);
    for (int i = 0; i < N; ++i) {
        strain += y[i] * y[i];
        energy += y[i] * Ay[i];
    }
    double trace = 0.0;
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        trace = fmax(trace, energy[k] / strain[k] * s->elastic_count);
    return 1.0 / trace;
}

// The last mark with less than `count` modes below it; -1: none. The next one has at least as many.
static int mark_before(const struct er_slices *p, int count)
{
    int at = -1;
    while (at + 1 < p->mark_count && p->mark[at + 1].count < count)
        ++at;
    return at;
}

static bool is_point(double low, double high)
{
    return high - low <= 1e-7 * high;
}

// A shift between the marks about `count`, where that many modes are to be expected below; 0: it is known well enough.
static double refine(const er_reduced *s, int count, int slack)
{
    const struct er_slices *p = s->slices;
    int a = mark_before(p, count);
    mark below = a >= 0 ? p->mark[a] : (mark){p->mark[0].lambda / 64.0, 0}, above = p->mark[a + 1];
    if (above.count - count <= slack || is_point(below.lambda, above.lambda)) return 0.0;
    double part = (count + 0.5 * slack + 0.5 - below.count) / (double)(above.count - below.count);
    part = fmin(fmax(part, 0.05), 0.95);
    return below.lambda * pow(above.lambda / below.lambda, part);
}

// Marks that reach beyond `count` modes, or are all there are.
static void climb(er_reduced *s, int count)
{
    struct er_slices *p = s->slices;
    double base = p->mark_count > 0 ? p->mark[p->mark_count - 1].lambda : lowest_guess(s) / 16.0;
    for (int turn = 0; turn < 40 && (p->mark_count == 0 || p->mark[p->mark_count - 1].count < count); ++turn) {
        double sigma[ER_LANE_COUNT];
        for (int k = 0; k < ER_LANE_COUNT; ++k)
            sigma[k] = base *= turn == 0 ? 8.0 : 64.0;
        factor_at(s, sigma);
    }
}

static void add_slice(struct er_slices *p, mark low, mark high, int needed)
{
    int expected = high.count - low.count;
    if (expected > 0)
        p->slice[p->slice_count++] = (slice){low.lambda, high.lambda, expected, needed < expected ? needed : expected};
}

// From mark to mark. A cluster at the upper end, of which only some are wanted, is a slice by itself.
static void lay_slices(struct er_slices *p, mark low, const int *target, int slices)
{
    p->slice_count = 0;
    int last = mark_before(p, low.count + 1);
    if (last >= 0 && p->mark[last].lambda > low.lambda) low = p->mark[last]; // nothing lies below it
    for (int i = 0; i < slices; ++i) {
        int before = mark_before(p, target[i]);
        mark under = before >= 0 ? p->mark[before] : low, high = p->mark[before + 1];
        if (high.lambda <= low.lambda) continue;
        bool cluster = high.count > target[slices - 1] && is_point(under.lambda, high.lambda);
        if (cluster && under.lambda > low.lambda) {
            add_slice(p, low, under, INT_MAX);
            low = under;
        }
        add_slice(p, low, high, cluster ? target[slices - 1] - low.count : INT_MAX);
        low = high;
    }
}

// Cuts the modes from `low` on, `count` of them or a few more, in slices of about equal numbers.
static void cut(er_reduced *s, mark low, int count)
{
    struct er_slices *p = s->slices;
    int slices = count / 2 < 1 ? 1 : count / 2 > SLICES ? SLICES : count / 2, target[SLICES];
    for (int i = 0; i < slices; ++i)
        target[i] = low.count + (int)((double)count * (i + 1) / slices + 0.5);
    for (int turn = 0; turn < 12; ++turn) {
        double sigma[ER_LANE_COUNT];
        int used = 0;
        for (int i = 0; i < slices; ++i) {
            double x = refine(s, target[i], i + 1 < slices ? 1 + turn / 3 : turn > 3 ? 6 : 2);
            if (x > low.lambda) sigma[used++] = x;
        }
        if (used == 0) break;
        for (int k = used; k < ER_LANE_COUNT; ++k)
            sigma[k] = sigma[k % used] * (1.0 + 0.01 * (k - used + 1));
        factor_at(s, sigma);
    }
    lay_slices(p, low, target, slices);
}

static int found_in(const er_reduced *s, double low, double high)
{
    int count = 0;
    for (int k = 0; k < s->elastic; ++k)
        count += s->slices->lambda[k] >= low && s->slices->lambda[k] < high;
    return count;
}

static bool lacks(const er_reduced *s, const slice *c)
{
    return found_in(s, c->low, c->high) < c->needed;
}

// The first part of a slice between two marks that lacks modes: at either end of it they may be too dense for shifts
// that are spread over the whole.
static slice narrowed(const er_reduced *s, slice c)
{
    const struct er_slices *p = s->slices;
    int first = 0;
    while (first < p->mark_count && p->mark[first].lambda < c.low)
        ++first;
    for (int i = first; i + 1 < p->mark_count && p->mark[i + 1].lambda <= c.high; ++i) {
        double low = p->mark[i].lambda, high = p->mark[i + 1].lambda;
        if (found_in(s, low, high) < p->mark[i + 1].count - p->mark[i].count) return (slice){low, high, 0, 0};
    }
    return c;
}

// A shift for each lane, in slices that lack modes; `narrow` where the last ones found none.
static bool aim(er_reduced *s, bool narrow)
{
    struct er_slices *p = s->slices;
    int open[SLICES + 1], count = 0;
    for (int i = 0; i < p->slice_count; ++i)
        if (lacks(s, &p->slice[i])) open[count++] = i;
    if (count == 0) return false;
    double sigma[ER_LANE_COUNT];
    for (int k = 0; k < ER_LANE_COUNT; ++k) {
        slice c = p->slice[p->slice_of[k] = open[k % count]];
        if (narrow) c = narrowed(s, c);
        int lanes = (ER_LANE_COUNT - k % count + count - 1) / count;
        int rank = k / count;
        double part = (rank + 1.0) / (lanes + 1.0);
        double low = c.low > 0.0 ? c.low : c.high / 64.0;
        sigma[k] = low * pow(c.high / low, part);
    }
    factor_at(s, sigma);
    return true;
}

static double ritz_lambda(const struct er_slices *p, int i, int lane)
{
    double nu = p->value[i][lane];
    return p->sigma[lane] * (1.0 + 1.0 / nu);
}

// Far below the shift, about -1, the values of modes run together, and with what does not close the loops.
static bool accepted(const struct er_slices *p, int i, int lane)
{
    const slice *c = &p->slice[p->slice_of[lane]];
    double lambda = ritz_lambda(p, i, lane), nu = p->value[i][lane];
    return p->residual[i][lane] <= 1e-10 * fabs(nu) && fabs(nu + 1.0) > 1e-4 && lambda >= c->low && lambda < c->high;
}

static int accepted_in_lane(const struct er_slices *p, int lane)
{
    int count = 0;
    for (int i = 0; i < p->lanczos->steps; ++i)
        count += accepted(p, i, lane);
    return count;
}

// Steps after which that many eigenvalues near a shift have converged in the best of cases; and how many a slice may
// hold to converge within so many steps as a rule.
static int first_look(int count)
{
    return 16 + 2 * (count < 10 ? count : 10);
}

static int modes_within(int steps)
{
    int count = (steps - 12) / 4;
    return count < 8 ? count : 8;
}

// Runs until every lane has what its slice lacks, or there is no more room.
static void run(er_reduced *s, unsigned seed, bool locked)
{
    struct er_slices *p = s->slices;
    er_lanczos *l = p->lanczos;
    l->rows = s->rows;
    l->product = shifted_product;
    l->self = s;
    l->locked = s->Y.a;
    l->locked_count = locked ? s->elastic : 0;
    int most = l->rows < l->most ? l->rows : l->most, hardest = 0;
    for (int k = 0; k < ER_LANE_COUNT; ++k) {
        const slice *c = &p->slice[p->slice_of[k]];
        int lacks = c->needed - found_in(s, c->low, c->high);
        hardest = lacks > hardest ? lacks : hardest;
    }
    er_lanczos_start(l, seed);
    for (bool done = false; !done;) {
        int until = l->steps == 0 ? first_look(hardest) : l->steps + STRIDE;
        while (l->steps < until && l->steps < most)
            er_lanczos_step(l);
        done = l->steps == most;
        if (done) break;
        er_lanczos_ritz(l, p->value, p->residual, NULL);
        done = true;
        for (int k = 0; k < ER_LANE_COUNT && done; ++k) {
            const slice *c = &p->slice[p->slice_of[k]];
            done = accepted_in_lane(p, k) >= c->needed - found_in(s, c->low, c->high);
        }
    }
    er_lanczos_ritz(l, p->value, p->residual, p->weight);
}

// Takes column `at` of Y, just combined, as the next shape, unless what it has beyond those of the same eigenvalue is
// rounding.
static void keep_shape(er_reduced *s, int at, double lambda)
{
    struct er_slices *p = s->slices;
    int N = s->rows;
    double *x = er_matrix_column(s->Y, at), *into = er_matrix_column(s->Y, s->elastic), square;
    for (int k = 0; k < s->elastic; ++k) {
        if (fabs(p->lambda[k] - lambda) > 1e-5 * lambda) continue;
        const double *y = er_matrix_column(s->Y, k);
        er_linalg_axpy(N, -er_linalg_dot(N, x, y), y, x);
    }
    square = er_linalg_dot(N, x, x);
    if (square < 1e-4) return;
    for (int i = 0; i < N; ++i)
        into[i] = x[i] / sqrt(square);
    p->lambda[s->elastic++] = lambda;
}

// Up to four shapes of each lane that are combined together: which Ritz vector of a lane (-1: none), and their weights.
typedef struct handful {
    int sets, count;
    int index[4][ER_LANE_COUNT];
    const er_lanes *weight[4];
} handful;

static handful pick(struct er_slices *p, int next[ER_LANE_COUNT], int room)
{
    int m = p->lanczos->steps;
    handful h = {0};
    for (bool any = true; any && h.sets < 4;) {
        er_lanes *weight = p->sets + h.sets * STEPS;
        any = false;
        for (int k = 0; k < ER_LANE_COUNT; ++k) {
            int i = next[k];
            while (i < m && !accepted(p, i, k))
                ++i;
            bool taken = i < m && h.count < room;
            next[k] = taken ? i + 1 : i;
            h.index[h.sets][k] = taken ? i : -1;
            h.count += taken;
            any |= taken;
            for (int j = 0; j < m; ++j)
                weight[j][k] = taken ? p->weight[i * m + j][k] : 0.0;
        }
        h.weight[h.sets] = weight;
        h.sets += any;
    }
    return h;
}

// Combines them into columns of Y past those in use.
static void combine(er_reduced *s, const handful *h)
{
    enum { ROWS = 64 }; // that stay in the first-level cache
    er_lanes block[4 * ROWS];
    int N = s->rows;
    for (int first = 0; first < N; first += ROWS) {
        int count = N - first < ROWS ? N - first : ROWS, at = s->elastic;
        er_lanczos_combine(s->slices->lanczos, first, count, h->sets, h->weight, block);
        for (int set = 0; set < h->sets; ++set)
            for (int k = 0; k < ER_LANE_COUNT; ++k) {
                if (h->index[set][k] < 0) continue;
                double *into = er_matrix_column(s->Y, at++) + first;
                for (int i = 0; i < count; ++i)
                    into[i] = block[set * count + i][k];
            }
    }
}

// Turns what the lanes accepted into columns of Y.   @return how many were new
static int harvest(er_reduced *s)
{
    int before = s->elastic, next[ER_LANE_COUNT] = {0};
    for (;;) {
        handful h = pick(s->slices, next, s->Y.cols - s->elastic);
        if (h.sets == 0) break;
        combine(s, &h);
        int at = s->elastic;
        for (int set = 0; set < h.sets; ++set)
            for (int k = 0; k < ER_LANE_COUNT; ++k)
                if (h.index[set][k] >= 0) keep_shape(s, at++, ritz_lambda(s->slices, h.index[set][k], k));
    }
    return s->elastic - before;
}

// Columns of Y in ascending lambda.
static void sort(er_reduced *s)
{
    struct er_slices *p = s->slices;
    size_t bytes = (size_t)s->rows * sizeof(double);
    for (int k = 0; k < s->elastic; ++k) { // by exchange: the columns arrive in few sorted runs
        int least = k;
        for (int i = k + 1; i < s->elastic; ++i)
            if (p->lambda[i] < p->lambda[least]) least = i;
        if (least == k) continue;
        double lambda = p->lambda[k], *a = er_matrix_column(s->Y, k), *b = er_matrix_column(s->Y, least);
        p->lambda[k] = p->lambda[least];
        p->lambda[least] = lambda;
        memcpy(p->spare, a, bytes);
        memcpy(a, b, bytes);
        memcpy(b, p->spare, bytes);
    }
}

// A Y, in the memory that joint entries will take. What of Y rounding has taken out of the closed shapes is put right.
static er_matrix apply_to_shapes(er_reduced *s)
{
    int N = s->rows;
    er_matrix AY = {N, s->elastic, s->joint.a};
    for (int first = 0; first < s->elastic; first += ER_LANE_COUNT) {
        int count = s->elastic - first < ER_LANE_COUNT ? s->elastic - first : ER_LANE_COUNT;
        er_lanes_gather(N, count, er_matrix_column(s->Y, first), N, s->panel[0]);
        if (s->closed != NULL) {
            er_closed_project(s->closed, s->tree, s->panel[0]);
            er_lanes_scatter(N, count, s->panel[0], er_matrix_column(s->Y, first), N);
        }
        er_reduced_apply(s, s->panel[0], NULL, s->panel[1], s->slack, NULL);
        er_lanes_scatter(N, count, s->panel[1], er_matrix_column(AY, first), N);
    }
    return AY;
}

// One step of Ogita and Aishima's refinement (Jpn. J. Ind. Appl. Math. 35, 2018), which converges quadratically: the
// change Y E that, to first order, leaves Y'Y = 1 and Y'AY diagonal. Shapes of different slices are as far from either
// as their runs had converged.
static void refine_shapes(er_reduced *s)
{
    int N = s->rows, k = s->elastic;
    er_matrix AY = apply_to_shapes(s);
    double *R = s->gram.a, *H = s->gram.a + (size_t)k * (size_t)k;
    er_linalg_gram(N, k, s->Y.a, N, false, R, k);
    er_linalg_multiply_transposed(k, k, N, s->Y.a, N, AY.a, N, H, k);
    for (int j = 0; j < k; ++j)
        for (int i = 0; i < j; ++i) {
            size_t ij = (size_t)i + (size_t)j * (size_t)k, ji = (size_t)j + (size_t)i * (size_t)k,
                   ii = (size_t)i * (size_t)(k + 1), jj = (size_t)j * (size_t)(k + 1);
            double a = H[ii] / R[ii], b = H[jj] / R[jj], off = -R[ij], h = 0.5 * (H[ij] + H[ji]);
            bool apart = fabs(a - b) > 1e-7 * fmax(a, b);
            H[ij] = apart ? (h + b * off) / (b - a) : 0.5 * off;
            H[ji] = apart ? (h + a * off) / (a - b) : 0.5 * off;
        }
    for (int j = 0; j < k; ++j)
        H[(size_t)j * (size_t)(k + 1)] = 1.5 - 0.5 * R[(size_t)j * (size_t)(k + 1)];
    for (int first = 0; first < N; first += s->chunk.rows) {
        int rows = N - first < s->chunk.rows ? N - first : s->chunk.rows;
        for (int j = 0; j < k; ++j)
            memcpy(er_matrix_column(s->chunk, j), er_matrix_column(s->Y, j) + first, (size_t)rows * sizeof(double));
        er_linalg_multiply(rows, k, k, s->chunk.a, s->chunk.rows, H, k, s->Y.a + first, N);
    }
}

static mark mark_at(er_reduced *s, double lambda)
{
    struct er_slices *p = s->slices;
    double sigma[ER_LANE_COUNT];
    for (int k = 0; k < ER_LANE_COUNT; ++k)
        sigma[k] = lambda * (1.0 + 1e-3 * k);
    factor_at(s, sigma);
    for (int i = 0; i < p->mark_count; ++i)
        if (p->mark[i].lambda >= lambda * (1.0 - 1e-12)) return p->mark[i];
    return (mark){0};
}

// All modes of the slices that are laid.
static er_result find_batch(er_reduced *s)
{
    struct er_slices *p = s->slices;
    int idle = 0, expected = 0, found = 0;
    for (unsigned pass = 0; pass < PASSES && idle < IDLE && aim(s, idle > 0); ++pass) {
        run(s, pass, pass > 0);
        idle = harvest(s) > 0 ? 0 : idle + 1;
    }
    double low = p->slice[0].low * (1.0 - 1e-9), high = p->slice[p->slice_count - 1].high * (1.0 + 1e-9);
    for (int i = 0; i < p->slice_count; ++i)
        expected += p->slice[i].needed;
    found = found_in(s, low, high);
    if (found >= expected) return ER_OK;
    return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                   "%d of the %d modes from %g to %g Hz were not found; another method may find them", expected - found,
                   expected, sqrt(low) / (2.0 * ER_PI), sqrt(high) / (2.0 * ER_PI));
}

er_result er_modal_sparse(er_reduced *s)
{
    er_result r = ER_OK;
    struct er_slices *p = s->slices;
    int N = s->elastic_count, want = s->wanted - s->zeros;
    mark low = {0.0, 0};
    s->Y.rows = s->rows;
    s->elastic = 0;
    p->mark_count = 0;
    if (s->def.min_hz > 0.0) low = mark_at(s, er_modal_eigenvalue(s->def.min_hz));
    s->skipped = low.count;
    int last = low.count + want < N ? low.count + want : N;
    if (s->def.max_hz < HUGE_VAL) {
        mark high = mark_at(s, er_modal_eigenvalue(s->def.max_hz));
        last = high.count < last ? high.count : last;
    }
    want = last - low.count;
    int batch = SLICES * modes_within(p->lanczos->most);
    while (low.count < last) {
        int count = last - low.count < batch ? last - low.count : batch;
        climb(s, low.count + count);
        cut(s, low, count);
        ER_TRY(find_batch(s));
        slice top = p->slice[p->slice_count - 1];
        low.lambda = top.high;
        for (int i = 0; i < p->slice_count; ++i)
            low.count += p->slice[i].expected;
        int kept = 0; // marks further on serve the next batch
        for (int i = 0; i < p->mark_count; ++i)
            if (p->mark[i].lambda >= top.high) p->mark[kept++] = p->mark[i];
        p->mark_count = kept;
    }
    sort(s);
    if (s->elastic > want) s->elastic = want > 0 ? want : 0;
    refine_shapes(s);
done:
    return r;
}
