/// @file
/// Sweep and prune: the ends of all boxes stay sorted along each axis. Boxes move little between updates, so insertion
/// sorts again in about linear time; and a pair can only begin or cease to meet where a low end passes a high one.
#include <eigenrig/collide.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define MOST 100000000 // boxes: ends and changes can be counted
#define MOVES 32       // a box: ends that pass more others are sorted anew
#define CHANGES 8      // a box: pairs that begin or cease to meet

/// A box grown by half the margin.
typedef struct er_box {
    double low[3], high[3];
} er_box;

/// An end of a box along an axis.
typedef struct er_end {
    double at;
    int box;
    bool high;
} er_end;

/// Pairs in a block of their own, which a larger one replaces.
typedef struct er_pairs {
    er_arena *arena;
    int count, capacity;
    er_sweep_pair *pair; ///< by a, then by b
} er_pairs;

struct er_sweep {
    er_arena *arena;
    int count;
    bool begun;           ///< ends are sorted, and pairs are those of the boxes
    er_box *box, *before; ///< [count], now and at the last update
    er_end *end[3];       ///< [2 count]
    int *active, *place;  ///< [count]: boxes that a sweep is in, and where each stands among them
    int change_count;
    er_sweep_pair *change; ///< [CHANGES count], pairs that may have begun or ceased to meet
    er_pairs pairs, next;
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
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY_NEW(sweep, arena, er_sweep, 1);
    sweep->arena = arena;
    sweep->count = count;
    ER_TRY_NEW(sweep->box, arena, er_box, n);
    ER_TRY_NEW(sweep->before, arena, er_box, n);
    for (int axis = 0; axis < 3; ++axis)
        ER_TRY_NEW(sweep->end[axis], arena, er_end, 2 * n);
    ER_TRY_NEW(sweep->active, arena, int, n);
    ER_TRY_NEW(sweep->place, arena, int, n);
    ER_TRY_NEW(sweep->change, arena, er_sweep_pair, CHANGES * n);
    *out = sweep;
    arena = NULL;
done:
    er_arena_destroy(arena);
    return r;
}

void er_sweep_destroy(er_sweep *sweep)
{
    if (sweep == NULL) return;
    er_arena_destroy(sweep->pairs.arena);
    er_arena_destroy(sweep->next.arena);
    er_arena_destroy(sweep->arena);
}

// ---- Boxes and pairs

static bool meet(const er_box *a, const er_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static er_sweep_pair pair_of(int a, int b)
{
    return a < b ? (er_sweep_pair){a, b} : (er_sweep_pair){b, a};
}

static int compare_pairs(const void *a, const void *b)
{
    const er_sweep_pair *x = a, *y = b;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

/// Empties pairs and makes room.   Errors: ER_ERROR_MEMORY.
static er_result make_room(er_context *context, er_pairs *pairs, long count)
{
    pairs->count = 0;
    if (count <= pairs->capacity) return ER_OK;
    er_arena *arena = NULL;
    er_sweep_pair *pair;
    er_result r = ER_OK;
    long capacity = count + count / 2;
    if (capacity > INT32_MAX) capacity = INT32_MAX;
    if (count > capacity) return er_fail(context, ER_ERROR_MEMORY, "%ld pairs of boxes meet: too many to list", count);
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY_NEW(pair, arena, er_sweep_pair, capacity);
    er_arena_destroy(pairs->arena);
    *pairs = (er_pairs){arena, 0, (int)capacity, pair};
    arena = NULL;
done:
    er_arena_destroy(arena);
    return r;
}

/// Whether an end comes before another: boxes that share a point meet, so low ends are first.
static bool comes_before(const er_end *x, const er_end *y)
{
    return x->at < y->at || (x->at == y->at && !x->high && y->high);
}

// ---- From the beginning

static int compare_ends(const void *a, const void *b)
{
    return comes_before(a, b) ? -1 : comes_before(b, a) ? 1 : 0;
}

static void sort_ends(er_sweep *sweep, int axis)
{
    for (int i = 0; i < sweep->count; ++i) {
        sweep->end[axis][2 * i] = (er_end){sweep->box[i].low[axis], i, false};
        sweep->end[axis][2 * i + 1] = (er_end){sweep->box[i].high[axis], i, true};
    }
    qsort(sweep->end[axis], 2 * (size_t)sweep->count, sizeof(er_end), compare_ends);
}

/// Pairs of boxes that overlap along an axis.
static double count_along(const er_sweep *sweep, int axis)
{
    double pairs = 0.0;
    int active = 0;
    for (int i = 0; i < 2 * sweep->count; ++i) {
        if (!sweep->end[axis][i].high) pairs += active;
        active += sweep->end[axis][i].high ? -1 : 1;
    }
    return pairs;
}

/// Sweeps along an axis.   @param pair  written, or NULL to count only   @return how many pairs meet
static long sweep_along(er_sweep *sweep, int axis, er_sweep_pair *pair)
{
    int active = 0;
    long count = 0;
    for (int i = 0; i < 2 * sweep->count; ++i) {
        int box = sweep->end[axis][i].box;
        if (sweep->end[axis][i].high) {
            int last = sweep->active[--active];
            sweep->active[sweep->place[box]] = last;
            sweep->place[last] = sweep->place[box];
            continue;
        }
        for (int k = 0; k < active; ++k)
            if (meet(&sweep->box[box], &sweep->box[sweep->active[k]])) {
                if (pair != NULL) pair[count] = pair_of(box, sweep->active[k]);
                ++count;
            }
        sweep->place[box] = active;
        sweep->active[active++] = box;
    }
    return count;
}

static er_result begin_anew(er_sweep *sweep)
{
    int best = 0;
    for (int axis = 0; axis < 3; ++axis) {
        sort_ends(sweep, axis);
        if (count_along(sweep, axis) < count_along(sweep, best)) best = axis;
    }
    long count = sweep_along(sweep, best, NULL);
    er_result r = make_room(er_arena_context(sweep->arena), &sweep->pairs, count);
    if (r != ER_OK) return r;
    sweep->pairs.count = (int)sweep_along(sweep, best, sweep->pairs.pair);
    if (count > 0) qsort(sweep->pairs.pair, (size_t)count, sizeof(er_sweep_pair), compare_pairs);
    sweep->begun = true;
    return ER_OK;
}

// ---- From the last update

/// Sorts an axis again, noting pairs whose ends pass.   @return false: too much has moved
static bool sort_again(er_sweep *sweep, int axis)
{
    er_end *end = sweep->end[axis];
    long moves = (long)MOVES * sweep->count;
    for (int i = 0; i < 2 * sweep->count; ++i) {
        const er_box *box = &sweep->box[end[i].box];
        end[i].at = end[i].high ? box->high[axis] : box->low[axis];
    }
    for (int i = 1; i < 2 * sweep->count; ++i) {
        er_end moving = end[i];
        int k = i;
        for (; k > 0 && comes_before(&moving, &end[k - 1]); --k) {
            int a = moving.box, b = end[k - 1].box;
            if (moving.high != end[k - 1].high &&
                meet(&sweep->box[a], &sweep->box[b]) != meet(&sweep->before[a], &sweep->before[b])) {
                if (sweep->change_count == CHANGES * sweep->count) return false;
                sweep->change[sweep->change_count++] = pair_of(a, b);
            }
            end[k] = end[k - 1];
        }
        end[k] = moving;
        moves -= i - k;
        if (moves < 0) return false;
    }
    return true;
}

/// The pairs of before with the changes made: both are in order.
static er_result merge(er_sweep *sweep)
{
    const er_pairs *from = &sweep->pairs;
    er_pairs *to = &sweep->next;
    er_result r = make_room(er_arena_context(sweep->arena), to, (long)from->count + sweep->change_count);
    if (r != ER_OK) return r;
    if (sweep->change_count > 0)
        qsort(sweep->change, (size_t)sweep->change_count, sizeof(er_sweep_pair), compare_pairs);
    int k = 0;
    for (int c = 0; c < sweep->change_count; ++c) {
        const er_sweep_pair *change = &sweep->change[c];
        if (c > 0 && compare_pairs(change, change - 1) == 0) continue; // on another axis too
        while (k < from->count && compare_pairs(&from->pair[k], change) < 0)
            to->pair[to->count++] = from->pair[k++];
        if (k < from->count && compare_pairs(&from->pair[k], change) == 0)
            ++k; // they met, and do no longer
        else
            to->pair[to->count++] = *change;
    }
    while (k < from->count)
        to->pair[to->count++] = from->pair[k++];
    er_pairs done = sweep->pairs;
    sweep->pairs = sweep->next;
    sweep->next = done;
    return ER_OK;
}

/// Follows what moved.   @return ER_OK and `begun` false: too much has
static er_result follow(er_sweep *sweep)
{
    sweep->change_count = 0;
    sweep->begun = false;
    for (int axis = 0; axis < 3; ++axis)
        if (!sort_again(sweep, axis)) return ER_OK;
    if (sweep->change_count > 0) {
        er_result r = merge(sweep);
        if (r != ER_OK) return r;
    }
    sweep->begun = true;
    return ER_OK;
}

static er_result check_boxes(const er_sweep *sweep, const er_vec3 *low, const er_vec3 *high)
{
    for (int i = 0; i < sweep->count; ++i) {
        er_vec3 a = low[i], b = high[i];
        if (!er_v3_finite(a) || !er_v3_finite(b) || !(a.x <= b.x && a.y <= b.y && a.z <= b.z))
            return er_fail(er_arena_context(sweep->arena), ER_ERROR_ARGUMENT,
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
    er_context *context = er_arena_context(sweep->arena);
    if (sweep->count > 0 && (low == NULL || high == NULL)) return er_fail(context, ER_ERROR_ARGUMENT, "boxes at NULL");
    if (!(margin >= 0.0 && isfinite(margin)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a margin of %g m between boxes: 0 or more is wanted", margin);
    er_result r = check_boxes(sweep, low, high);
    if (r != ER_OK) return r;
    er_box *before = sweep->box;
    sweep->box = sweep->before;
    sweep->before = before;
    for (int i = 0; i < sweep->count; ++i) {
        double m = 0.5 * margin;
        sweep->box[i] =
            (er_box){{low[i].x - m, low[i].y - m, low[i].z - m}, {high[i].x + m, high[i].y + m, high[i].z + m}};
    }
    if (sweep->begun) r = follow(sweep);
    if (r == ER_OK && !sweep->begun) r = begin_anew(sweep);
    if (r != ER_OK) return r;
    *pairs = sweep->pairs.pair;
    *pair_count = sweep->pairs.count;
    return ER_OK;
}
