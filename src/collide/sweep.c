/// @file
/// Which of many boxes meet. Space is cut into rows along one axis, as wide as the boxes; each row is swept along it,
/// with the rows beside it (docs/math/collide.md). Boxes are sought with a skin around them, so that as long as none
/// leaves its own, the pairs found last only need to be looked through.
#include <eigenrig/collide.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define MOST 100000000 // boxes: pairs can be counted
#define SKIN 0.05      // of the rows' width, on each side
#define MOVES 8        // a box: a row whose boxes pass more others is sorted anew
#define EXPONENTS 2200 // of the sizes of doubles, base 2

/// A box grown by half the margin, or by the skin too.
typedef struct eri_box {
    double low[3], high[3];
} eri_box;

/// A box in its row.
typedef struct eri_place {
    double low; ///< along the row
    int box;
} eri_place;

/// Pairs in a block of their own, which a larger one replaces.
typedef struct eri_pairs {
    er_arena *arena;
    int count, capacity;
    er_sweep_pair *pair;
} eri_pairs;

struct er_sweep {
    er_arena *arena;
    int count;
    bool begun;          ///< `near` are the pairs of `skin`
    eri_box *box, *skin; ///< [count], now, and when they were last sought

    // State of the last search.
    int along, across[2]; ///< axes of a row, and of the picture of all rows
    double width;         ///< of a row; larger boxes are in none
    int rows[2];          ///< powers of 2; rows farther apart than that are taken for one
    int *row;             ///< [count], of each box; -1: none
    int *start;           ///< [rows[0] rows[1] + 1], into `place`
    eri_place *place;     ///< [count], by row, then by `low`
    eri_box *placed;      ///< [count], their boxes
    eri_place *before;    ///< [count], as they were
    int large_count;
    int *large; ///< [count], boxes in no row

    int *group;                   ///< [count + 1], where each box's pairs begin
    eri_pairs found, near, pairs; ///< as found; by a, then by b, with skins; without
};

er_result er_sweep_create(er_context *context, int count, er_sweep **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (count < 0 || count > MOST)
        return er_fail(context, ER_ERROR_ARGUMENT, "a sweep over %d boxes: from 0 to %d are wanted", count, MOST);
    er_arena *arena = NULL;
    er_sweep *sweep;
    er_result r = ER_OK;
    size_t n = (size_t)count;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(sweep, arena, er_sweep, 1);
    sweep->arena = arena;
    sweep->count = count;
    ERI_TRY_NEW(sweep->box, arena, eri_box, n);
    ERI_TRY_NEW(sweep->skin, arena, eri_box, n);
    ERI_TRY_NEW(sweep->row, arena, int, n);
    ERI_TRY_NEW(sweep->start, arena, int, n + 17);
    ERI_TRY_NEW(sweep->place, arena, eri_place, n);
    ERI_TRY_NEW(sweep->placed, arena, eri_box, n);
    ERI_TRY_NEW(sweep->before, arena, eri_place, n);
    ERI_TRY_NEW(sweep->large, arena, int, n);
    ERI_TRY_NEW(sweep->group, arena, int, n + 1);
    for (int i = 0; i < count; ++i)
        sweep->place[i].box = i;
    *out = sweep;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_sweep_destroy(er_sweep *sweep)
{
    if (sweep == NULL) return;
    eri_arena_destroy(sweep->found.arena);
    eri_arena_destroy(sweep->near.arena);
    eri_arena_destroy(sweep->pairs.arena);
    eri_arena_destroy(sweep->arena);
}

// ---- Boxes and pairs

/// Without branches: nobody can guess them.
static inline int meet(const eri_box *a, const eri_box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

/// Makes room for pairs, those there are kept.   Errors: ER_ERROR_MEMORY.
static er_result make_room(er_context *context, eri_pairs *pairs, long count)
{
    if (count <= pairs->capacity) return ER_OK;
    er_arena *arena = NULL;
    er_sweep_pair *pair;
    er_result r = ER_OK;
    long capacity = count + count / 2;
    if (capacity > INT32_MAX) capacity = INT32_MAX;
    if (count > capacity) return er_fail(context, ER_ERROR_MEMORY, "%ld pairs of boxes meet: too many to list", count);
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_RESERVE(pair, arena, er_sweep_pair, capacity);
    if (pairs->count > 0) memcpy(pair, pairs->pair, (size_t)pairs->count * sizeof *pair);
    eri_arena_destroy(pairs->arena);
    *pairs = (eri_pairs){arena, pairs->count, (int)capacity, pair};
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

/// Keeps a pair where it meets.
static er_result find(er_sweep *sweep, int a, int b, int meets)
{
    eri_pairs *found = &sweep->found;
    if (found->count == found->capacity) {
        er_result r = make_room(eri_arena_context(sweep->arena), found, (long)found->count + 64);
        if (r != ER_OK) return r;
    }
    found->pair[found->count] = a < b ? (er_sweep_pair){a, b} : (er_sweep_pair){b, a};
    found->count += meets;
    return ER_OK;
}

// ---- Rows

/// The longest side of a box.
static double size_of(const eri_box *box)
{
    return fmax(box->high[0] - box->low[0], fmax(box->high[1] - box->low[1], box->high[2] - box->low[2]));
}

/// Binary exponent of a size, from 0 on: the lowest if the size is not positive, the highest if it is infinite.
static int exponent_of(double size)
{
    return !(size > 0.0) ? 0 : size < HUGE_VAL ? ilogb(size) + EXPONENTS / 2 : EXPONENTS - 1;
}

/// The size that all boxes have at most but for a few, the square root of their count.
static double common_size(const er_sweep *sweep)
{
    int with[EXPONENTS] = {0}, top = EXPONENTS - 1, few = (int)sqrt(sweep->count), over = 0;
    double most = 0.0;
    for (int i = 0; i < sweep->count; ++i)
        ++with[exponent_of(size_of(&sweep->box[i]))];
    while (top > 0 && over + with[top] <= few)
        over += with[top--];
    for (int i = 0; i < sweep->count; ++i) {
        double size = size_of(&sweep->box[i]);
        if (size > most && size < HUGE_VAL && exponent_of(size) <= top) most = size;
    }
    return most > 0.0 ? most : 1.0;
}

/// How far the boxes' middles are from each other along each axis, in the mean.
static void find_spread(const er_sweep *sweep, double *spread)
{
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0.0, mean = 0.0;
        for (int i = 0; i < sweep->count; ++i)
            mean += sweep->box[i].low[axis] / sweep->count;
        for (int i = 0; i < sweep->count; ++i)
            sum += fabs(sweep->box[i].low[axis] - mean) / sweep->count;
        spread[axis] = 4.0 * sum; // as long as what is spread evenly
    }
}

static int power_of_two(double most)
{
    int power = 4; // so that the rows on both sides are two
    while (2.0 * power <= most)
        power *= 2;
    return power;
}

/// Cuts space into rows: along the axis on which boxes are spread farthest, no more than there are boxes.
static void cut_rows(er_sweep *sweep)
{
    double spread[3];
    find_spread(sweep, spread);
    sweep->along = spread[0] >= spread[1] && spread[0] >= spread[2] ? 0 : spread[1] >= spread[2] ? 1 : 2;
    sweep->across[0] = (sweep->along + 1) % 3;
    sweep->across[1] = (sweep->along + 2) % 3;
    sweep->width = (1.0 + 4.0 * SKIN) * common_size(sweep);
    double wanted[2];
    for (int k = 0; k < 2; ++k)
        wanted[k] = fmax(4.0, 2.0 * (spread[sweep->across[k]] / sweep->width + 1.0));
    double narrow = fmin(wanted[0], fmax(4.0, sqrt(sweep->count)));
    sweep->rows[0] = power_of_two(fmin(wanted[0], fmax(narrow, sweep->count / wanted[1])));
    sweep->rows[1] = power_of_two(fmin(wanted[1], fmax(4.0, (double)sweep->count / sweep->rows[0])));
}

/// Which row of `rows` a place is in.
static int cell_of(double at, double width, int rows)
{
    double cell = floor(at / width);
    if (!(fabs(cell) < 1e15)) cell = fabs(cell) < HUGE_VAL ? fmod(cell, rows) : 0.0;
    return (int)((long long)cell & (rows - 1));
}

/// The row of a cell of the picture of all rows, which repeats itself.
static int row_at(const er_sweep *sweep, int u, int v)
{
    return (u & (sweep->rows[0] - 1)) * sweep->rows[1] + (v & (sweep->rows[1] - 1));
}

static void place_all(er_sweep *sweep)
{
    int rows = sweep->rows[0] * sweep->rows[1], kept = 0;
    memset(sweep->start, 0, (size_t)(rows + 1) * sizeof *sweep->start);
    sweep->large_count = 0;
    for (int i = 0; i < sweep->count; ++i) {
        const eri_box *box = &sweep->skin[i];
        sweep->row[i] = -1;
        if (!(size_of(box) <= sweep->width)) continue;
        int u = cell_of(box->low[sweep->across[0]], sweep->width, sweep->rows[0]);
        int v = cell_of(box->low[sweep->across[1]], sweep->width, sweep->rows[1]);
        sweep->row[i] = u * sweep->rows[1] + v;
        ++sweep->start[sweep->row[i] + 1];
    }
    for (int r = 0; r < rows; ++r)
        sweep->start[r + 1] += sweep->start[r];
    // In the order of before, in which they are nearly sorted.
    memcpy(sweep->before, sweep->place, (size_t)sweep->count * sizeof *sweep->place);
    for (int k = 0; k < sweep->count; ++k) {
        int i = sweep->before[k].box, row = sweep->row[i];
        if (row < 0)
            sweep->large[sweep->large_count++] = i;
        else {
            sweep->place[sweep->start[row]++] = (eri_place){sweep->skin[i].low[sweep->along], i};
            ++kept;
        }
    }
    for (int k = 0; k < sweep->large_count; ++k)
        sweep->place[kept + k] = (eri_place){0.0, sweep->large[k]};
    for (int r = rows; r > 0; --r)
        sweep->start[r] = sweep->start[r - 1];
    sweep->start[0] = 0;
}

static int compare_places(const void *a, const void *b)
{
    const eri_place *x = a, *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->box > y->box) - (x->box < y->box);
}

static void sort_row(eri_place *place, int count)
{
    long moves = (long)MOVES * count;
    for (int i = 1; i < count; ++i) {
        eri_place moving = place[i];
        int k = i;
        for (; k > 0 && moving.low < place[k - 1].low; --k)
            place[k] = place[k - 1];
        place[k] = moving;
        moves -= i - k;
        if (moves < 0) {
            qsort(place, (size_t)count, sizeof *place, compare_places);
            return;
        }
    }
}

// ---- Pairs

/// The pairs of a box and those of places from `next` on that begin before it ends.
static er_result sweep_from(er_sweep *sweep, const eri_box *box, int i, int next, int end)
{
    for (int k = next; k < end && sweep->place[k].low <= box->high[sweep->along]; ++k) {
        er_result r = find(sweep, i, sweep->place[k].box, meet(box, &sweep->placed[k]));
        if (r != ER_OK) return r;
    }
    return ER_OK;
}

/// Two rows, or one with itself: of a pair the box that begins first finds the other.
static er_result sweep_rows(er_sweep *sweep, int a, int b)
{
    const eri_place *place = sweep->place;
    int i = sweep->start[a], j = sweep->start[b], end_a = sweep->start[a + 1], end_b = sweep->start[b + 1];
    er_result r = ER_OK;
    if (a == b) {
        for (; i < end_a && r == ER_OK; ++i)
            r = sweep_from(sweep, &sweep->placed[i], place[i].box, i + 1, end_a);
        return r;
    }
    while (i < end_a && j < end_b && r == ER_OK)
        if (place[i].low <= place[j].low) {
            r = sweep_from(sweep, &sweep->placed[i], place[i].box, j, end_b);
            ++i;
        } else {
            r = sweep_from(sweep, &sweep->placed[j], place[j].box, i, end_a);
            ++j;
        }
    return r;
}

/// Each row with itself and with four of those around it: the others find it.
static er_result sweep_all_rows(er_sweep *sweep)
{
    static const int beside[5][2] = {{0, 0}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
    for (int u = 0; u < sweep->rows[0]; ++u)
        for (int v = 0; v < sweep->rows[1]; ++v) {
            int row = row_at(sweep, u, v);
            if (sweep->start[row] == sweep->start[row + 1]) continue;
            for (int k = 0; k < 5; ++k) {
                er_result r = sweep_rows(sweep, row, row_at(sweep, u + beside[k][0], v + beside[k][1]));
                if (r != ER_OK) return r;
            }
        }
    return ER_OK;
}

/// The first place of a row from which boxes may reach `low`: none is longer than the rows are wide.
static int first_reaching(const er_sweep *sweep, int row, double low)
{
    int from = sweep->start[row], to = sweep->start[row + 1];
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (sweep->place[middle].low < low - sweep->width)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/// Rows, from the one before the first that a box is in, in which boxes may meet it.   @return how many
static int rows_over(const er_sweep *sweep, const eri_box *box, int k, int *first)
{
    double low = box->low[sweep->across[k]] - sweep->width, high = box->high[sweep->across[k]];
    double over = floor(high / sweep->width) - floor(low / sweep->width) + 1.0;
    bool all = !(over < sweep->rows[k]);
    *first = all ? 0 : cell_of(low, sweep->width, sweep->rows[k]);
    return all ? sweep->rows[k] : (int)over;
}

/// Boxes that are in no row: through all rows they reach, and with each other.
static er_result sweep_large(er_sweep *sweep)
{
    er_result r = ER_OK;
    for (int k = 0; k < sweep->large_count; ++k) {
        int i = sweep->large[k], first[2], count[2];
        const eri_box *box = &sweep->skin[i];
        for (int axis = 0; axis < 2; ++axis)
            count[axis] = rows_over(sweep, box, axis, &first[axis]);
        for (int u = 0; u < count[0]; ++u)
            for (int v = 0; v < count[1]; ++v) {
                int row = row_at(sweep, first[0] + u, first[1] + v);
                ERI_TRY(sweep_from(sweep, box, i, first_reaching(sweep, row, box->low[sweep->along]),
                                   sweep->start[row + 1]));
            }
        for (int other = 0; other < k; ++other)
            ERI_TRY(find(sweep, i, sweep->large[other], meet(box, &sweep->skin[sweep->large[other]])));
    }
done:
    return r;
}

static int compare_pairs(const void *a, const void *b)
{
    const er_sweep_pair *x = a, *y = b;
    return (x->b > y->b) - (x->b < y->b);
}

static void sort_group(er_sweep_pair *pair, int count)
{
    if (count > 64) {
        qsort(pair, (size_t)count, sizeof *pair, compare_pairs);
        return;
    }
    for (int i = 1; i < count; ++i) {
        er_sweep_pair moving = pair[i];
        int k = i;
        for (; k > 0 && moving.b < pair[k - 1].b; --k)
            pair[k] = pair[k - 1];
        pair[k] = moving;
    }
}

/// The pairs found, by a, then by b.
static er_result sort_pairs(er_sweep *sweep)
{
    const eri_pairs *found = &sweep->found;
    sweep->near.count = 0;
    er_result r = make_room(eri_arena_context(sweep->arena), &sweep->near, found->count);
    if (r != ER_OK) return r;
    int *group = sweep->group;
    memset(group, 0, ((size_t)sweep->count + 1) * sizeof *group);
    for (int k = 0; k < found->count; ++k)
        ++group[found->pair[k].a + 1];
    for (int i = 0; i < sweep->count; ++i)
        group[i + 1] += group[i];
    for (int k = 0; k < found->count; ++k)
        sweep->near.pair[group[found->pair[k].a]++] = found->pair[k];
    for (int i = 0, from = 0; i < sweep->count; from = group[i++])
        if (group[i] > from) sort_group(sweep->near.pair + from, group[i] - from);
    sweep->near.count = found->count;
    return ER_OK;
}

// ---- Updates

/// Finds the pairs of boxes with skins.
static er_result seek(er_sweep *sweep)
{
    sweep->begun = false;
    sweep->found.count = 0;
    cut_rows(sweep);
    double skin = SKIN * sweep->width;
    for (int i = 0; i < sweep->count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            sweep->skin[i].low[axis] = sweep->box[i].low[axis] - skin;
            sweep->skin[i].high[axis] = sweep->box[i].high[axis] + skin;
        }
    place_all(sweep);
    for (int row = 0; row < sweep->rows[0] * sweep->rows[1]; ++row)
        sort_row(sweep->place + sweep->start[row], sweep->start[row + 1] - sweep->start[row]);
    for (int k = 0; k < sweep->count; ++k)
        sweep->placed[k] = sweep->skin[sweep->place[k].box];
    er_result r = sweep_all_rows(sweep);
    if (r == ER_OK) r = sweep_large(sweep);
    if (r == ER_OK) r = sort_pairs(sweep);
    sweep->begun = r == ER_OK;
    return r;
}

/// Takes the boxes, grown by half the margin.   @return whether each is within its skin
static bool take_boxes(er_sweep *sweep, const er_vec3 *low, const er_vec3 *high, double margin)
{
    double m = 0.5 * margin;
    bool within = true;
    for (int i = 0; i < sweep->count; ++i) {
        eri_box box = {{low[i].x - m, low[i].y - m, low[i].z - m}, {high[i].x + m, high[i].y + m, high[i].z + m}};
        const eri_box *skin = &sweep->skin[i];
        for (int axis = 0; axis < 3; ++axis)
            within &= skin->low[axis] <= box.low[axis] && box.high[axis] <= skin->high[axis];
        sweep->box[i] = box;
    }
    return within;
}

static int is_box(er_vec3 a, er_vec3 b)
{
    return (a.x <= b.x) & (a.y <= b.y) & (a.z <= b.z) & (a.x >= -DBL_MAX) & (a.y >= -DBL_MAX) & (a.z >= -DBL_MAX) &
           (b.x <= DBL_MAX) & (b.y <= DBL_MAX) & (b.z <= DBL_MAX);
}

static er_result check_boxes(const er_sweep *sweep, const er_vec3 *low, const er_vec3 *high)
{
    for (int i = 0; i < sweep->count; ++i) {
        er_vec3 a = low[i], b = high[i];
        if (!is_box(a, b))
            return er_fail(eri_arena_context(sweep->arena), ER_ERROR_ARGUMENT,
                           "box %d is from (%g, %g, %g) to (%g, %g, %g): finite numbers are wanted, the low ones first",
                           i, a.x, a.y, a.z, b.x, b.y, b.z);
    }
    return ER_OK;
}

er_result er_sweep_update(er_sweep *sweep, const er_vec3 *low, const er_vec3 *high, double margin,
                          const er_sweep_pair **pairs, int *pair_count)
{
    if (sweep == NULL || pairs == NULL || pair_count == NULL) return ER_ERROR_ARGUMENT;
    *pairs = NULL;
    *pair_count = 0;
    er_context *context = eri_arena_context(sweep->arena);
    if (sweep->count > 0 && (low == NULL || high == NULL)) return er_fail(context, ER_ERROR_ARGUMENT, "boxes at NULL");
    if (!(margin >= 0.0 && isfinite(margin)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a margin of %g m between boxes: 0 or more is wanted", margin);
    er_result r = check_boxes(sweep, low, high);
    if (r != ER_OK) return r;
    if (!take_boxes(sweep, low, high, margin) || !sweep->begun) r = seek(sweep);
    if (r == ER_OK) r = make_room(context, &sweep->pairs, sweep->near.count);
    if (r != ER_OK) return r;
    sweep->pairs.count = 0;
    for (int k = 0; k < sweep->near.count; ++k) {
        er_sweep_pair pair = sweep->pairs.pair[sweep->pairs.count] = sweep->near.pair[k];
        sweep->pairs.count += meet(&sweep->box[pair.a], &sweep->box[pair.b]);
    }
    *pairs = sweep->pairs.pair;
    *pair_count = sweep->pairs.count;
    return ER_OK;
}

// ---- Queries

static int compare_ints(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int er_sweep_over(const er_sweep *sweep, er_vec3 low, er_vec3 high, int *box)
{
    if (!sweep->begun) return 0;
    const eri_box all = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    int found = 0, first[2], count[2];
    for (int axis = 0; axis < 2; ++axis)
        count[axis] = rows_over(sweep, &all, axis, &first[axis]);
    for (int u = 0; u < count[0]; ++u)
        for (int v = 0; v < count[1]; ++v) {
            int row = row_at(sweep, first[0] + u, first[1] + v);
            int k = first_reaching(sweep, row, all.low[sweep->along]), end = sweep->start[row + 1];
            for (; k < end && sweep->place[k].low <= all.high[sweep->along]; ++k) {
                box[found] = sweep->place[k].box;
                found += meet(&all, &sweep->box[box[found]]);
            }
        }
    for (int k = 0; k < sweep->large_count; ++k)
        if (meet(&all, &sweep->box[sweep->large[k]])) box[found++] = sweep->large[k];
    qsort(box, (size_t)found, sizeof *box, compare_ints);
    return found;
}
