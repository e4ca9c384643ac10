/// @file
/// Contacts of bodies without joints, with each other and with the ground, eight at a time.
///
/// Contacts are coloured so that no two of one colour move the same body, lowest colour first; a block has eight of one
/// colour, a lane each. The blocks of a colour could be solved in any order; colours follow one another as the rows of
/// Gauss and Seidel do.
#include <math.h>
#include <string.h>

#include "dynamics/contact/eight.h"

#define INLINE ER_LANES_INLINE

// The last one is of those for which none is left: alone in their blocks, and one after the other.
enum { COLOURS = ER_CONTACT_COLOURS, FEW = 8 };

struct er_block {
    int at[2][ER_LANE_COUNT];        // places in V, of the first and the second; 0: the world
    bool round;                      // all inertias are the same about all axes: inverse[.][0]
    vector n, t, arm[2];             // normal, a tangent, from the centres of mass to the point
    er_lanes mass[2], inverse[2][6]; // inverses, those of the inertias in world axes
    er_lanes K, lead;                // what the normal impulse meets, and the most that a tangent one does; 1/kg
    er_lanes begin, distance;        // m, at the step's begin and now
    er_lanes friction;
    er_lanes lasting; // N s: of the normal impulse, the most that lasts for the next sub-step
    er_lanes impulse[3], total[3];
};

// What stands still is the same as before: lanes share it, and it is not written, for other threads read it.
INLINE void give(const body *b, const er_part *p, double *V, const int at[ER_LANE_COUNT])
{
    const er_lanes none = {0};
    er_lanes r[8] = {b->w.x, b->w.y, b->w.z, b->v.x, b->v.y, b->v.z, none, none};
    transpose(r);
    for (int l = 0; l < 8; ++l)
        *(er_lanes *)(at[l] < p->still ? p->spill : V + at[l]) = r[l];
}

// The velocity of the second's point against the first's.
INLINE vector apart(const er_block *k, const body b[2])
{
    vector first = add(b[0].v, cross(b[0].w, k->arm[0])), second = add(b[1].v, cross(b[1].w, k->arm[1]));
    return sub(second, first);
}

INLINE vector divide(const er_block *k, int side, bool round, vector a)
{
    const er_lanes *I = k->inverse[side];
    if (round) return scale(I[0], a);
    return (vector){I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
                    I[4] * a.x + I[5] * a.y + I[2] * a.z};
}

// An impulse on the second, and against it on the first.
INLINE void strike(const er_block *k, bool round, vector p, body b[2])
{
    b[0].v = sub(b[0].v, scale(k->mass[0], p));
    b[1].v = add(b[1].v, scale(k->mass[1], p));
    b[0].w = sub(b[0].w, divide(k, 0, round, cross(k->arm[0], p)));
    b[1].w = add(b[1].w, divide(k, 1, round, cross(k->arm[1], p)));
}

// ---- Making

// What an impulse along a changes the speed along b by.
INLINE er_lanes response(const er_block *k, vector a, vector b)
{
    er_lanes sum = (k->mass[0] + k->mass[1]) * dot(a, b);
    for (int side = 0; side < 2; ++side)
        sum += dot(cross(k->arm[side], b), divide(k, side, k->round, cross(k->arm[side], a)));
    return sum;
}

ER_LANES static void weigh(er_block *k)
{
    vector s = cross(k->n, k->t);
    er_lanes x = response(k, k->t, k->t), y = response(k, s, s), xy = response(k, k->t, s);
    k->K = response(k, k->n, k->n);
    k->lead = 0.5 * (x + y + root((x - y) * (x - y) + 4.0 * xy * xy));
}

static int single_of(const er_contacts *s, int shape)
{
    int owner = s->shape[shape].body;
    return owner < 0 ? 0 : s->mover[owner].single;
}

static void put_contact(const er_contacts *s, er_block *k, int lane, er_touching *c)
{
    for (int side = 0; side < 2; ++side) {
        int single = single_of(s, c->shape[side]);
        const er_single *b = &s->single[single];
        k->at[side][lane] = ER_LANE_COUNT * single;
        put(&k->arm[side], lane, er_v3_sub(c->point, b->com));
        k->mass[side][lane] = b->inverse_mass;
        for (int i = 0; i < 6; ++i)
            k->inverse[side][i][lane] = b->inverse[i];
    }
    put(&k->n, lane, c->axis[0]);
    put(&k->t, lane, c->axis[1]);
    k->begin[lane] = k->distance[lane] = c->distance;
    k->friction[lane] = c->friction;
    for (int d = 0; d < 3; ++d)
        k->impulse[d][lane] = c->impulse[d];
}

static bool is_round(const er_contacts *s, const er_touching *c)
{
    return s->single[single_of(s, c->shape[0])].round && s->single[single_of(s, c->shape[1])].round;
}

// Of each contact twice its colour, and one more where it is not round; counts how many there are of each.
static void colour(er_contacts *s, uint64_t *used, int *key, int count[])
{
    for (int i = 0; i < s->now.count; ++i) {
        const er_touching *c = &s->now.item[i];
        int a = single_of(s, c->shape[0]), b = single_of(s, c->shape[1]);
        key[i] = -1;
        if (a < 0 || b < 0 || er_contacts_rests(s, c)) continue;
        uint64_t taken = used[a] | used[b], bit = ~taken & (taken + 1); // the lowest that is free
        int lowest = bit >> COLOURS == 0 ? __builtin_ctzll(bit) : COLOURS;
        if (lowest < COLOURS) {
            if (a >= s->still_count) used[a] |= bit;
            if (b >= s->still_count) used[b] |= bit;
        }
        key[i] = 2 * lowest + !is_round(s, c);
        ++count[key[i]];
    }
}

// Where there is room for contacts: blocks of each colour in a row.
static er_result make_room(er_contacts *s, const int *count, int *first)
{
    er_result r = ER_OK;
    s->block_count = 0;
    for (int k = 0; k < 2 * COLOURS + 2; ++k) {
        int width = k < 2 * COLOURS ? ER_LANE_COUNT : 1;
        if (k % 2 == 0) s->colour[k / 2] = s->block_count;
        first[k] = s->block_count * ER_LANE_COUNT;
        s->block_count += (count[k] + width - 1) / width;
    }
    s->colour[COLOURS + 1] = s->block_count;
    size_t room = 1; // grows by doubling, for blocks of memory are used again where they are large enough
    while (room < (size_t)s->block_count)
        room *= 2;
    ER_TRY_RESERVE(s->block, s->now.arena, er_block, room);
    ER_TRY_NEW(s->in_block, s->now.arena, er_touching *, room * ER_LANE_COUNT);
    ER_TRY_RESERVE(s->struck, s->now.arena, bool, room);
done:
    return r;
}

static void fill(void *job, int worker, int count)
{
    er_contacts *s = job;
    int end = er_team_share(s->block_count, worker + 1, count);
    for (int i = er_team_share(s->block_count, worker, count); i < end; ++i) {
        er_block *k = &s->block[i];
        er_touching **item = &s->in_block[ER_LANE_COUNT * i];
        memset(k, 0, sizeof *k);
        k->round = true;
        for (int l = 0; l < ER_LANE_COUNT; ++l) {
            if (item[l] == NULL) continue;
            k->round &= is_round(s, item[l]);
            put_contact(s, k, l, item[l]);
        }
        weigh(k);
        for (int l = 0; l < ER_LANE_COUNT; ++l)
            if (!(k->K[l] > 0.0)) k->K[l] = k->lead[l] = 1.0; // an empty lane
    }
}

er_result er_blocks_create(er_world *w)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    uint64_t *used;
    int *key, count[2 * COLOURS + 2] = {0}, first[2 * COLOURS + 2];
    s->block_count = 0;
    memset(s->colour, 0, sizeof s->colour);
    if (s->single_count == s->still_count) return ER_OK;
    ER_TRY_NEW(used, s->now.arena, uint64_t, s->single_count);
    ER_TRY_NEW(key, s->now.arena, int, s->now.count);
    colour(s, used, key, count);
    ER_TRY(make_room(s, count, first));
    for (int i = 0; i < s->now.count; ++i) {
        if (key[i] < 0) continue;
        s->in_block[first[key[i]]] = &s->now.item[i];
        first[key[i]] += key[i] < 2 * COLOURS ? 1 : ER_LANE_COUNT;
    }
    er_team_run(s->team, fill, s);
done:
    return r;
}

// ---- Passes

INLINE vector impulse_of(const er_block *k)
{
    vector s = cross(k->n, k->t);
    return add(scale(k->impulse[0], k->n), add(scale(k->impulse[1], k->t), scale(k->impulse[2], s)));
}

INLINE void warm(const er_block *k, bool round, const er_part *p, double *V)
{
    body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    strike(k, round, impulse_of(k), b);
    give(&b[0], p, V, k->at[0]);
    give(&b[1], p, V, k->at[1]);
}

// A worker's blocks of a colour; few are one worker's, as are those that no colour was left for.
static void share(const er_contacts *s, const er_part *p, int colour, int *begin, int *end)
{
    int first = s->colour[colour], all = s->colour[colour + 1] - first;
    bool alone = colour == COLOURS || all < FEW;
    int worker = alone && p->worker > 0 ? p->count : p->worker, next = alone ? p->count : worker + 1;
    *begin = first + er_team_share(all, worker, p->count);
    *end = first + er_team_share(all, next, p->count);
}

ER_LANES static void warm_some(er_contacts *s, const er_part *p, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        const er_block *k = &s->block[i];
        if (k->round)
            warm(k, true, p, s->V);
        else
            warm(k, false, p, s->V);
    }
}

void er_blocks_warm(er_contacts *s, const er_part *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        warm_some(s, p, begin, end);
        er_team_meet(s->team);
    }
}

ER_LANES static void let_go(er_block *k, const er_part *p, double *V)
{
    er_mask blow = er_lanes_below(k->lasting, k->impulse[0]);
    body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    er_lanes share = er_lanes_choose(blow, k->lasting / er_lanes_choose(blow, k->impulse[0], splat(1.0)), splat(1.0));
    strike(k, k->round, scale(share - 1.0, impulse_of(k)), b);
    for (int d = 0; d < 3; ++d)
        k->impulse[d] *= share;
    give(&b[0], p, V, k->at[0]);
    give(&b[1], p, V, k->at[1]);
}

void er_blocks_let_go(er_contacts *s, const er_part *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        for (int i = begin; i < end; ++i)
            if (s->struck[i]) let_go(&s->block[i], p, s->V);
        er_team_meet(s->team);
    }
}

INLINE void pass(er_block *k, bool round, const er_part *p, er_softness soft, bool is_first, double *V,
                 const double *way)
{
    const er_lanes none = {0};
    body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    if (is_first) {
        const body moved[2] = {take(way, k->at[0]), take(way, k->at[1])};
        k->distance = k->begin + dot(k->n, apart(k, moved));
    }
    er_mask overlaps = er_lanes_below(k->distance, splat(1e-300));
    er_lanes speed = dot(k->n, apart(k, b));
    if (is_first) k->lasting = k->impulse[0] + p->slow / k->K;
    er_lanes give_way = er_lanes_choose(overlaps, splat(soft.give), none);
    er_lanes bias = er_lanes_choose(overlaps, er_lanes_larger(soft.bias * k->distance, splat(-soft.push_out)),
                                    k->distance * (1.0 / p->h));
    er_lanes borne = give_way * (1.0 - ER_CONTACT_STANDING) * k->impulse[0];
    er_lanes sum = er_lanes_larger(k->impulse[0] - ((speed + bias) / k->K + borne) / (1.0 + give_way), none);
    strike(k, round, scale(sum - k->impulse[0], k->n), b);
    k->impulse[0] = sum;
    vector rel = apart(k, b), s = cross(k->n, k->t);
    er_lanes x = k->impulse[1] - dot(k->t, rel) / k->lead, y = k->impulse[2] - dot(s, rel) / k->lead;
    er_lanes most = k->friction * sum, square = x * x + y * y;
    er_mask slides = er_lanes_below(most * most, square);
    er_lanes share = er_lanes_choose(slides, most / root(er_lanes_choose(slides, square, splat(1.0))), splat(1.0));
    x *= share, y *= share;
    strike(k, round, add(scale(x - k->impulse[1], k->t), scale(y - k->impulse[2], s)), b);
    k->impulse[1] = x, k->impulse[2] = y;
    for (int d = 0; d < 3 && !is_first; ++d)
        k->total[d] += k->impulse[d];
    give(&b[0], p, V, k->at[0]);
    give(&b[1], p, V, k->at[1]);
}

ER_LANES static void pass_some(er_contacts *s, const er_part *p, er_softness soft, bool is_first, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        er_block *k = &s->block[i];
        if (k->round && is_first)
            pass(k, true, p, soft, true, s->V, s->way);
        else if (k->round)
            pass(k, true, p, soft, false, s->V, s->way);
        else if (is_first)
            pass(k, false, p, soft, true, s->V, s->way);
        else
            pass(k, false, p, soft, false, s->V, s->way);
        if (!is_first) s->struck[i] = any(er_lanes_below(k->lasting, k->impulse[0]));
    }
}

void er_blocks_pass(er_contacts *s, const er_part *p, er_softness soft, bool is_first)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        pass_some(s, p, soft, is_first, begin, end);
        er_team_meet(s->team);
    }
}

void er_blocks_tell(er_contacts *s, const er_part *p)
{
    int last = er_team_share(s->block_count, p->worker + 1, p->count);
    for (int i = er_team_share(s->block_count, p->worker, p->count); i < last; ++i)
        for (int l = 0; l < ER_LANE_COUNT; ++l) {
            const er_block *k = &s->block[i];
            er_touching *c = s->in_block[ER_LANE_COUNT * i + l];
            if (c == NULL) continue;
            c->distance = k->distance[l];
            for (int d = 0; d < 3; ++d)
                c->impulse[d] = k->impulse[d][l], c->total[d] = k->total[d][l];
        }
}
