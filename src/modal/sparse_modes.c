// Modes by spectrum slicing. Each lane of a sweep shifts the pencil to a slice of the spectrum of its own and finds
// that slice's modes by Lanczos on (1 - sigma A)^-1, whose eigenvalues lambda / (lambda - sigma) are far from 1 near
// the shift. The pivots of each factorisation count the eigenvalues below its shift, so it is known beforehand how many
// there are to find. Source: Ericsson & Ruhe, Math. Comp. 35 (1980); Grimes, Lewis & Simon, SIAM J. Matrix Anal. 15
// (1994); docs/math/sparse.md.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "modal/reduced.h"

enum {
    BOUNDS = 256,
    SLICES = ERI_LANE_COUNT,
    STEPS = 48,      // of Lanczos, at most
    FEW_STEPS = 24,  // at least, however long the vectors are
    BASIS = 6 << 20, // lanes of all vectors together, before there are fewer steps: 384 MiB
    STRIDE = 4,      // steps between tests of convergence
    PASSES = 200,
    IDLE = 8 // of these in a row that find nothing
};

// A bound of slices: `count` elastic modes lie below lambda.
typedef struct slice_bound {
    double lambda;
    int count;
} slice_bound;

// Modes with low <= lambda < high.
typedef struct slice {
    double low, high;
    int expected; // from the counts at its bounds
    int needed;   // of those: fewer where the last slice is a cluster that reaches beyond what is wanted
} slice;

struct eri_slices {
    eri_shifted *shifted;
    eri_lanczos *lanczos;
    double sigma[ERI_LANE_COUNT]; // shifts of the present factorisation
    slice_bound bound[BOUNDS];
    int bound_count;
    slice slice[SLICES + 1];
    int slice_count;
    int slice_of[ERI_LANE_COUNT];
    double growth_limit;                  // how far a factorisation may magnify rounding and still count
    bool loops;                           // the rig has some
    bool begun;                           // bounds are of the present numbers
    int cut;                              // turns of cuts that the bounds have had
    double *lambda;                       // [most + SPARE_SHAPES], of the columns of Y
    eri_lanes *value, *residual, *weight; // [STEPS], [STEPS], [STEPS x STEPS]
    eri_lanes *sets;                      // [4 x STEPS], weights of shapes that are combined together
    double *spare;                        // [N]
};

er_result eri_slices_create(eri_reduced *s, const eri_reduced *other)
{
    er_result r = ER_OK;
    struct eri_slices *p;
    int columns = s->rows, // as many as any stiffness can ask for
        steps = BASIS / columns > FEW_STEPS ? BASIS / columns : FEW_STEPS;
    ERI_TRY(eri_arena_create(s->context, &s->slicing));
    ERI_TRY_NEW(p, s->slicing, struct eri_slices, 1);
    ERI_TRY(eri_shifted_create(s->slicing, s->tree, &p->shifted));
    if (other != NULL)
        p->lanczos = other->slices->lanczos;
    else
        ERI_TRY(eri_lanczos_create(s->slicing, columns, steps < STEPS ? steps : STEPS, &p->lanczos));
    ERI_TRY_NEW(p->lambda, s->slicing, double, s->most + SPARE_SHAPES);
    ERI_TRY_RESERVE(p->value, s->slicing, eri_lanes, STEPS);
    ERI_TRY_RESERVE(p->residual, s->slicing, eri_lanes, STEPS);
    ERI_TRY_RESERVE(p->weight, s->slicing, eri_lanes, STEPS * STEPS);
    ERI_TRY_RESERVE(p->sets, s->slicing, eri_lanes, 4 * STEPS);
    ERI_TRY_RESERVE(p->spare, s->slicing, double, columns);
    s->slices = p;
done:
    return r;
}

// (1 - sigma A)^-1 y
static void shifted_product(void *self, const eri_lanes *y, eri_lanes *out)
{
    const eri_reduced *s = self;
    if (s->pencil != NULL)
        eri_loop_pencil_solve(s->pencil, s->tree, s->slices->shifted, y, out);
    else
        eri_shifted_solve(s->slices->shifted, s->tree, y, NULL, out, NULL);
}

static void insert_bound(struct eri_slices *p, slice_bound m)
{
    int at = p->bound_count;
    if (at == BOUNDS) return;
    while (at > 0 && p->bound[at - 1].lambda > m.lambda)
        --at;
    bool monotone =
        (at == 0 || p->bound[at - 1].count <= m.count) && (at == p->bound_count || p->bound[at].count >= m.count);
    if (!monotone || (at > 0 && p->bound[at - 1].lambda == m.lambda)) return; // rounding, close to an eigenvalue
    memmove(p->bound + at + 1, p->bound + at, (size_t)(p->bound_count - at) * sizeof(slice_bound));
    p->bound[at] = m;
    ++p->bound_count;
}

// Factors at eight shifts. A shift too near an eigenvalue for stable pivots moves a little; if that does not help, it
// is not counted.
static void factor_at(eri_reduced *s, const double *sigma)
{
    struct eri_slices *p = s->slices;
    int below[ERI_LANE_COUNT];
    double growth[ERI_LANE_COUNT];
    memcpy(p->sigma, sigma, sizeof p->sigma);
    for (int turn = 0;; ++turn) {
        bool stable = true;
        eri_shifted_factor(p->shifted, s->tree, p->sigma, below, growth);
        if (s->pencil != NULL) eri_loop_pencil_factor(s->pencil, s->tree, p->shifted, below, growth);
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            stable &= growth[k] < p->growth_limit;
        if (stable || turn == 3) break;
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            if (!(growth[k] < p->growth_limit)) p->sigma[k] *= 1.0 + 1e-4 * (turn + 1);
    }
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        if (p->sigma[k] > 0.0 && growth[k] < p->growth_limit)
            insert_bound(p, (slice_bound){p->sigma[k], below[k] - s->zero_count});
}

// A lower bound of the lowest eigenvalue, near enough: 1 / trace(A), by random vectors.
static double lowest_guess(eri_reduced *s)
{
    int N = s->rows;
    eri_lanes *y = s->panel[0], *Ay = s->panel[1], strain = {0}, energy = {0};
    uint32_t state = 1;
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < ERI_LANE_COUNT; ++k) {
            state = state * 1664525u + 1013904223u;
            y[i][k] = (state >> 31) ? 1.0 : -1.0;
        }
    if (s->pencil != NULL) eri_loop_pencil_project(s->pencil, s->tree, y);
    eri_reduced_apply(s, y, NULL, Ay, s->unsprung, NULL);
    for (int i = 0; i < N; ++i) {
        strain += y[i] * y[i];
        energy += y[i] * Ay[i];
    }
    double trace = 0.0;
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        trace = fmax(trace, energy[k] / strain[k] * s->elastic_count);
    return 1.0 / trace;
}

// The last bound with less than `count` modes below it; -1: none. The next one has at least as many.
static int bound_before(const struct eri_slices *p, int count)
{
    int at = -1;
    while (at + 1 < p->bound_count && p->bound[at + 1].count < count)
        ++at;
    return at;
}

static bool is_point(double low, double high)
{
    return high - low <= 1e-7 * high;
}

// Marks that reach beyond `count` modes, or are all there are.
static void extend_bounds(eri_reduced *s, int count)
{
    struct eri_slices *p = s->slices;
    double base = p->bound_count > 0 ? p->bound[p->bound_count - 1].lambda : lowest_guess(s) / 16.0;
    for (int turn = 0; turn < 40 && (p->bound_count == 0 || p->bound[p->bound_count - 1].count < count); ++turn) {
        double sigma[ERI_LANE_COUNT];
        for (int k = 0; k < ERI_LANE_COUNT; ++k)
            sigma[k] = base *= turn == 0 ? 8.0 : 64.0;
        factor_at(s, sigma);
    }
}

static void add_slice(struct eri_slices *p, slice_bound low, slice_bound high, int needed)
{
    int expected = high.count - low.count;
    if (expected > 0)
        p->slice[p->slice_count++] = (slice){low.lambda, high.lambda, expected, needed < expected ? needed : expected};
}

// From bound to bound. Where the modes end that are wanted at all, a cluster may reach further; it is a slice by
// itself, of which only some are needed.
static void lay_slices(struct eri_slices *p, slice_bound low, const int *target, int slices, int end)
{
    p->slice_count = 0;
    int last = bound_before(p, low.count + 1);
    if (last >= 0 && p->bound[last].lambda > low.lambda) low = p->bound[last]; // nothing lies below it
    for (int i = 0; i < slices; ++i) {
        int before = bound_before(p, target[i]);
        slice_bound under = before >= 0 ? p->bound[before] : low, high = p->bound[before + 1];
        if (high.lambda <= low.lambda) continue;
        bool cluster = high.count > end && is_point(under.lambda, high.lambda);
        if (cluster && under.lambda > low.lambda) {
            add_slice(p, low, under, INT_MAX);
            low = under;
        }
        add_slice(p, low, high, cluster ? end - low.count : INT_MAX);
        low = high;
    }
}

// Shifts that split the modes about `count` further, as many as there are lanes for, until at most `excess` are above.
static int split_shifts(const struct eri_slices *p, int count, int excess, double lowest, double *sigma, int lanes)
{
    int a = bound_before(p, count), used = 0;
    slice_bound below = a >= 0 ? p->bound[a] : (slice_bound){p->bound[0].lambda / 64.0, 0}, above = p->bound[a + 1];
    if (above.count - count <= excess || is_point(below.lambda, above.lambda)) return 0;
    double middle = (count + 0.5 * excess + 0.5 - below.count) / (double)(above.count - below.count);
    middle = fmin(fmax(middle, 0.05), 0.95);
    for (int k = 1; k <= lanes; ++k) {
        double at = lanes == 1 ? middle : k / (lanes + 1.0);
        double x = below.lambda * pow(above.lambda / below.lambda, at);
        if (x > lowest && x > below.lambda && x < above.lambda) sigma[used++] = x;
    }
    return used;
}

// Shifts that split about the targets, the last of which ends what is wanted.   @return false if they are split
static bool cut_shifts(const struct eri_slices *p, const int *target, int slices, double lowest, int turn,
                       double sigma[ERI_LANE_COUNT])
{
    double spare[ERI_LANE_COUNT];
    int used = 0, top = slices - 1, excess = turn < 3 ? 2 : 6;
    for (int i = 0; i < top; ++i)
        used += split_shifts(p, target[i], 1 + turn / 3, lowest, sigma + used, 1);
    used += split_shifts(p, target[top], excess, lowest, sigma + used, turn < 3 ? 1 : ERI_LANE_COUNT - used);
    if (used == 0) return false;
    int more = used < ERI_LANE_COUNT ? split_shifts(p, target[top], 0, lowest, spare, ERI_LANE_COUNT - used) : 0;
    for (int k = 0; k < more; ++k)
        sigma[used + k] = spare[k];
    for (int k = used + more; k < ERI_LANE_COUNT; ++k)
        sigma[k] = sigma[k % used] * (1.0 + 0.01 * (k - used + 1));
    return true;
}

// Cuts for about equal numbers of modes.   @return how many slices they make
static int set_targets(int from, int count, int target[SLICES])
{
    int slices = count / 2 < 1 ? 1 : count / 2 > SLICES ? SLICES : count / 2;
    for (int i = 0; i < slices; ++i)
        target[i] = from + (int)((double)count * (i + 1) / slices + 0.5);
    return slices;
}

// Cuts the modes from `low` on, `count` of them or a few more, in slices of about equal numbers; `end` modes are wanted
// at all.
static void cut_slices(eri_reduced *s, slice_bound low, int count, int end)
{
    struct eri_slices *p = s->slices;
    int target[SLICES], slices = set_targets(low.count, count, target);
    double sigma[ERI_LANE_COUNT];
    for (int turn = p->cut; turn < 16 && cut_shifts(p, target, slices, low.lambda, turn, sigma); ++turn)
        factor_at(s, sigma);
    lay_slices(p, low, target, slices, end);
}

static int found_in(const eri_reduced *s, double low, double high)
{
    int count = 0;
    for (int k = 0; k < s->elastic; ++k)
        count += s->slices->lambda[k] >= low && s->slices->lambda[k] < high;
    return count;
}

static bool lacks(const eri_reduced *s, const slice *c)
{
    return found_in(s, c->low, c->high) < c->needed;
}

// The first part of a slice between two bounds that lacks modes: at either end of it they may be too dense for shifts
// that are spread over the whole.
static slice narrowed(const eri_reduced *s, slice c)
{
    const struct eri_slices *p = s->slices;
    int first = 0;
    while (first < p->bound_count && p->bound[first].lambda < c.low)
        ++first;
    for (int i = first; i + 1 < p->bound_count && p->bound[i + 1].lambda <= c.high; ++i) {
        double low = p->bound[i].lambda, high = p->bound[i + 1].lambda;
        if (found_in(s, low, high) < p->bound[i + 1].count - p->bound[i].count) return (slice){low, high, 0, 0};
    }
    return c;
}

// A shift for each lane, in slices that lack modes; `narrow` where the last ones found none.
static bool choose_shifts(eri_reduced *s, unsigned pass, bool narrow)
{
    struct eri_slices *p = s->slices;
    int open[SLICES + 1], count = 0;
    for (int i = 0; i < p->slice_count; ++i)
        if (lacks(s, &p->slice[i])) open[count++] = i;
    if (count == 0) return false;
    double sigma[ERI_LANE_COUNT];
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        slice c = p->slice[p->slice_of[k] = open[k % count]];
        if (narrow) c = narrowed(s, c);
        int lanes = (ERI_LANE_COUNT - k % count + count - 1) / count;
        int rank = k / count;
        double part = (rank + 1.0) / (lanes + 1.0) + 0.3 / (lanes + 1.0) * sin(2.4 * pass); // never the same twice
        double low = c.low > 0.0 ? c.low : c.high / 64.0;
        sigma[k] = low * pow(c.high / low, part);
    }
    factor_at(s, sigma);
    return true;
}

static double ritz_lambda(const struct eri_slices *p, int i, int lane)
{
    double nu = p->value[i][lane];
    return p->sigma[lane] * (1.0 + 1.0 / nu);
}

// Far below the shift, about -1, the values of modes run together, and with those of shapes that do not close the
// loops.
static bool accepted(const struct eri_slices *p, int i, int lane)
{
    const slice *c = &p->slice[p->slice_of[lane]];
    double lambda = ritz_lambda(p, i, lane), nu = p->value[i][lane];
    double noise = DBL_EPSILON * p->lanczos->size[lane]; // a product's: large where the shift meets an eigenvalue
    return p->residual[i][lane] + noise <= 1e-10 * fabs(nu) && (!p->loops || fabs(nu + 1.0) > 1e-4) &&
           lambda >= c->low && lambda < c->high;
}

static int accepted_in_lane(const struct eri_slices *p, int lane)
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
static void run_lanczos(eri_reduced *s, unsigned seed, bool locked)
{
    struct eri_slices *p = s->slices;
    eri_lanczos *l = p->lanczos;
    l->rows = s->rows;
    l->product = shifted_product;
    l->self = s;
    l->locked = s->Y.a;
    l->locked_count = locked ? s->elastic : 0;
    int most = l->rows < l->most ? l->rows : l->most, hardest = 0;
    for (int k = 0; k < ERI_LANE_COUNT; ++k) {
        const slice *c = &p->slice[p->slice_of[k]];
        int lacks = c->needed - found_in(s, c->low, c->high);
        hardest = lacks > hardest ? lacks : hardest;
    }
    eri_lanczos_start(l, seed);
    for (bool done = false; !done;) {
        int until = l->steps == 0 ? first_look(hardest) : l->steps + STRIDE;
        while (l->steps < until && l->steps < most)
            eri_lanczos_step(l);
        eri_lanczos_ritz(l, p->value, p->residual, p->weight);
        done = true;
        for (int k = 0; k < ERI_LANE_COUNT && l->steps < most && done; ++k) {
            const slice *c = &p->slice[p->slice_of[k]];
            done = accepted_in_lane(p, k) >= c->needed - found_in(s, c->low, c->high);
        }
    }
}

// Takes column `at` of Y, just combined, as the next shape, unless what it has beyond those of the same eigenvalue is
// rounding.
static void keep_shape(eri_reduced *s, int at, double lambda)
{
    struct eri_slices *p = s->slices;
    int N = s->rows;
    double *x = eri_matrix_column(s->Y, at), *into = eri_matrix_column(s->Y, s->elastic), square;
    for (int k = 0; k < s->elastic; ++k) {
        if (fabs(p->lambda[k] - lambda) > 1e-5 * lambda) continue;
        const double *y = eri_matrix_column(s->Y, k);
        eri_linalg_axpy(N, -eri_linalg_dot(N, x, y), y, x);
    }
    square = eri_linalg_dot(N, x, x);
    if (square < 1e-2) return;
    for (int i = 0; i < N; ++i)
        into[i] = x[i] / sqrt(square);
    p->lambda[s->elastic++] = lambda;
}

// Up to four shapes of each lane that are combined together: which Ritz vector of a lane (-1: none), and their weights.
typedef struct selection {
    int sets;
    int index[4][ERI_LANE_COUNT];
    const eri_lanes *weight[4];
} selection;

// @param quota  [slice_count], how many more a slice needs: of a cluster that reaches too far, no more than that
static selection select_shapes(struct eri_slices *p, int next[ERI_LANE_COUNT], int *quota)
{
    int m = p->lanczos->steps;
    selection h = {0};
    for (bool any = true; any && h.sets < 4;) {
        eri_lanes *weight = p->sets + h.sets * STEPS;
        any = false;
        for (int k = 0; k < ERI_LANE_COUNT; ++k) {
            int i = next[k];
            while (i < m && !accepted(p, i, k))
                ++i;
            bool taken = i < m && quota[p->slice_of[k]] > 0;
            quota[p->slice_of[k]] -= taken;
            next[k] = taken ? i + 1 : i;
            h.index[h.sets][k] = taken ? i : -1;
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
static void combine(eri_reduced *s, const selection *h)
{
    enum { ROWS = 64 }; // that stay in the first-level cache
    eri_lanes block[4 * ROWS];
    int N = s->rows;
    for (int first = 0; first < N; first += ROWS) {
        int count = N - first < ROWS ? N - first : ROWS, at = s->elastic;
        eri_lanczos_combine(s->slices->lanczos, first, count, h->sets, h->weight, block);
        for (int set = 0; set < h->sets; ++set)
            for (int k = 0; k < ERI_LANE_COUNT; ++k) {
                if (h->index[set][k] < 0) continue;
                double *into = eri_matrix_column(s->Y, at++) + first;
                for (int i = 0; i < count; ++i)
                    into[i] = block[set * count + i][k];
            }
    }
}

// Turns what the lanes accepted into columns of Y.   @return how many were new
static int collect_shapes(eri_reduced *s)
{
    const struct eri_slices *p = s->slices;
    int before = s->elastic, next[ERI_LANE_COUNT] = {0}, quota[SLICES + 1], room = s->Y.cols - s->elastic;
    for (int i = 0; i < p->slice_count; ++i) {
        int lacks = p->slice[i].needed - found_in(s, p->slice[i].low, p->slice[i].high);
        quota[i] = lacks < room ? lacks : room;
        room -= quota[i] > 0 ? quota[i] : 0;
    }
    for (;;) {
        selection h = select_shapes(s->slices, next, quota);
        if (h.sets == 0) break;
        combine(s, &h);
        int at = s->elastic;
        for (int set = 0; set < h.sets; ++set)
            for (int k = 0; k < ERI_LANE_COUNT; ++k)
                if (h.index[set][k] >= 0) keep_shape(s, at++, ritz_lambda(s->slices, h.index[set][k], k));
    }
    return s->elastic - before;
}

// Columns of Y in ascending lambda.
static void sort(eri_reduced *s)
{
    struct eri_slices *p = s->slices;
    size_t bytes = (size_t)s->rows * sizeof(double);
    for (int k = 0; k < s->elastic; ++k) { // by exchange: the columns arrive in few sorted runs
        int least = k;
        for (int i = k + 1; i < s->elastic; ++i)
            if (p->lambda[i] < p->lambda[least]) least = i;
        if (least == k) continue;
        double lambda = p->lambda[k], *a = eri_matrix_column(s->Y, k), *b = eri_matrix_column(s->Y, least);
        p->lambda[k] = p->lambda[least];
        p->lambda[least] = lambda;
        memcpy(p->spare, a, bytes);
        memcpy(a, b, bytes);
        memcpy(b, p->spare, bytes);
    }
}

// Marks close about lambda, on both sides of it: on it rounding would have to decide.
static void bound_around(eri_reduced *s, double lambda)
{
    double sigma[ERI_LANE_COUNT];
    for (int k = 0; k < ERI_LANE_COUNT; ++k)
        sigma[k] = lambda * (1.0 + (k % 2 == 0 ? -1e-7 : 1e-7) * pow(16.0, k / 2));
    factor_at(s, sigma);
}

// The last slice_bound below lambda, or the first one from it on; with no bound, no or all modes.
static slice_bound bound_beside(const eri_reduced *s, double lambda, bool below)
{
    const struct eri_slices *p = s->slices;
    int at = 0;
    while (at < p->bound_count && p->bound[at].lambda < lambda)
        ++at;
    if (below) return at > 0 ? p->bound[at - 1] : (slice_bound){0.0, 0};
    return at < p->bound_count ? p->bound[at] : (slice_bound){HUGE_VAL, s->elastic_count};
}

// All modes of the slices that are laid.
static er_result find_batch(eri_reduced *s)
{
    struct eri_slices *p = s->slices;
    int idle = 0, missing = 0;
    if (p->slice_count == 0)
        return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                       "frequencies are too far apart in size for doubles; bring masses or stiffnesses closer");
    for (unsigned pass = 0; pass < PASSES && idle < IDLE && choose_shifts(s, pass, idle > 0); ++pass) {
        run_lanczos(s, pass, pass > 0);
        idle = collect_shapes(s) > 0 ? 0 : idle + 1;
        int found_now = s->zeros + s->elastic;
        if (s->def.progress != NULL)
            s->def.progress(s->def.user, found_now < s->wanted ? found_now : s->wanted, s->wanted);
    }
    for (int i = 0; i < p->slice_count; ++i) {
        int lacks = p->slice[i].needed - found_in(s, p->slice[i].low, p->slice[i].high);
        missing += lacks > 0 ? lacks : 0;
    }
    if (missing == 0) return ER_OK;
    return er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                   "%d of the modes from %g to %g Hz were not found; ask for fewer, or bring masses and stiffnesses "
                   "closer",
                   missing, sqrt(p->slice[0].low) / (2.0 * ER_PI),
                   sqrt(p->slice[p->slice_count - 1].high) / (2.0 * ER_PI));
}

// Keeps the modes that the window holds, `want` at most.
static void keep_window(eri_reduced *s, double lowest, double highest, int want)
{
    struct eri_slices *p = s->slices;
    int first = 0, end;
    while (first < s->elastic && p->lambda[first] < lowest)
        ++first;
    for (end = first; end < s->elastic && end - first < want && p->lambda[end] <= highest;)
        ++end;
    size_t count = (size_t)(end - first);
    memmove(s->Y.a, eri_matrix_column(s->Y, first), count * (size_t)s->Y.rows * sizeof(double));
    memmove(p->lambda, p->lambda + first, count * sizeof(double));
    s->elastic = end - first;
    s->skipped += first;
}

static er_result find_all(eri_reduced *s)
{
    er_result r = ER_OK;
    struct eri_slices *p = s->slices;
    int N = s->elastic_count, want = s->wanted - s->zeros;
    slice_bound low = {0.0, 0};
    s->Y.rows = s->rows;
    s->elastic = 0;
    double lowest = eri_modal_eigenvalue(s->def.min_hz), highest = eri_modal_eigenvalue(s->def.max_hz);
    int beside = 0; // modes between the bound that it begins with and the window
    if (s->def.min_hz > 0.0) {
        bound_around(s, lowest);
        low = bound_beside(s, lowest, true);
        beside = bound_beside(s, lowest, false).count - low.count;
    }
    int last = want < N - low.count - beside ? low.count + beside + want : N;
    if (highest < HUGE_VAL) {
        bound_around(s, highest);
        slice_bound high = bound_beside(s, highest, false);
        last = high.count < last ? high.count : last;
    }
    s->skipped = low.count;
    int batch = SLICES * modes_within(p->lanczos->most);
    while (low.count < last) {
        int left = last - low.count, batches = (left + batch - 1) / batch, count = (left + batches - 1) / batches;
        extend_bounds(s, low.count + count);
        cut_slices(s, low, count, last);
        ERI_TRY(find_batch(s));
        slice top = p->slice[p->slice_count - 1];
        low.lambda = top.high;
        for (int i = 0; i < p->slice_count; ++i)
            low.count += p->slice[i].expected;
        int kept = 0; // bounds further on serve the next batch
        for (int i = 0; i < p->bound_count; ++i)
            if (p->bound[i].lambda >= top.high) p->bound[kept++] = p->bound[i];
        p->bound_count = kept;
    }
    sort(s);
    keep_window(s, lowest, highest, want);
    memcpy(s->eigenvalue, p->lambda, (size_t)s->elastic * sizeof(double));
done:
    return r;
}

static void begin(eri_reduced *s)
{
    struct eri_slices *p = s->slices;
    eri_shifted_prepare(p->shifted, s->tree);
    p->loops = s->pencil != NULL;
    p->growth_limit = 1e8;
    p->bound_count = p->cut = 0;
    p->begun = true;
}

// Masses that lie far apart cost every factorisation digits. Its result is taken if no other is better.
er_result eri_modal_sparse(eri_reduced *s)
{
    er_result r = ER_ERROR_NO_CONVERGENCE;
    if (!s->slices->begun) begin(s);
    for (; r == ER_ERROR_NO_CONVERGENCE && s->slices->growth_limit < 1e13; s->slices->growth_limit *= 1e2) {
        r = find_all(s);
        s->slices->bound_count = s->slices->cut = 0;
    }
    s->slices->begun = false;
    return r;
}

// ---- Two halves of a rig

static void factor_both(eri_reduced *const half[2], const double *sigma)
{
    factor_at(half[0], sigma);
    factor_at(half[1], sigma);
}

// The bounds that both halves have, with the modes of both.
static void add_bounds(eri_reduced *const half[2], struct eri_slices *out)
{
    const struct eri_slices *a = half[0]->slices, *b = half[1]->slices;
    out->bound_count = 0;
    for (int i = 0, j = 0; i < a->bound_count && j < b->bound_count;) {
        double x = a->bound[i].lambda, y = b->bound[j].lambda;
        if (x == y) out->bound[out->bound_count++] = (slice_bound){x, a->bound[i].count + b->bound[j].count};
        i += x <= y;
        j += y <= x;
    }
}

// Bounds beyond `count` modes of both, and between slices of those from `from` on.
//   @return the bound past the last; 0 if none was found
static double bound_both(eri_reduced *const half[2], int from, int count)
{
    struct eri_slices both;
    int target[SLICES], slices, last, turn = 0;
    double sigma[ERI_LANE_COUNT], base = fmin(lowest_guess(half[0]), lowest_guess(half[1])) / 16.0;
    add_bounds(half, &both);
    for (int k = both.bound_count; k < 40 && (k == 0 || both.bound[both.bound_count - 1].count < count); ++k) {
        for (int i = 0; i < ERI_LANE_COUNT; ++i)
            sigma[i] = base *= i == 0 && both.bound_count == 0 ? 8.0 : 64.0;
        factor_both(half, sigma);
        add_bounds(half, &both);
    }
    slices = set_targets(from, count - from, target);
    for (; turn < 4 && both.bound_count > 0 && cut_shifts(&both, target, slices, 0.0, turn, sigma); ++turn) {
        factor_both(half, sigma);
        add_bounds(half, &both);
    }
    half[0]->slices->cut = half[1]->slices->cut = turn;
    last = bound_before(&both, count) + 1;
    return last < both.bound_count ? both.bound[last].lambda : 0.0;
}

void eri_slices_share(eri_reduced *const half[2], int want)
{
    int all = half[0]->elastic_count + half[1]->elastic_count, before[2] = {0, 0};
    double lowest = eri_modal_eigenvalue(half[0]->def.min_hz);
    if (half[0]->elastic_count == 0 || half[1]->elastic_count == 0) return;
    for (int k = 0; k < 2; ++k)
        begin(half[k]);
    for (int k = 0; k < 2 && lowest > 0.0; ++k) {
        bound_around(half[k], lowest);
        before[k] = bound_beside(half[k], lowest, false).count;
    }
    int from = before[0] + before[1], batch = SLICES * modes_within(half[0]->slices->lanczos->most);
    if (want >= all - from) return;
    double end = bound_both(half, want > batch ? from + want - batch : from, from + want);
    for (int k = 0; k < 2 && end > 0.0; ++k) {
        int own = bound_beside(half[k], end, false).count - before[k];
        half[k]->wanted = own < half[k]->wanted ? own : half[k]->wanted;
    }
}
