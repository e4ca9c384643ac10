/// @file
/// Contacts of bodies without joints, with each other and with the ground, eight at a time.
///
/// Contacts are coloured so that no two of one colour move the same body, lowest colour first; a block has eight of one
/// colour, a lane each. The blocks of a colour could be solved in any order; colours follow one another as the rows of
/// Gauss and Seidel do.
#include <math.h>
#include <string.h>

#include "dynamics/contact/eight.h"

#define INLINE ERI_LANES_INLINE

// The last one is of those for which none is left: alone in their blocks, and one after the other.
enum { COLOURS = ERI_CONTACT_COLOURS, FEW = 8 };

// The least of what a pass needs, for passes over many contacts wait for memory.
struct eri_block {
    int at[2][ERI_LANE_COUNT]; // places in V, of the first and the second; 0: the world
    contact_vector n;          // normal
    eri_lanes reach[2];        // m: of balls, along n from the centres to the point
    eri_lanes mass, least;     // kg: that the normal impulse meets, and the least that a tangent one does
    eri_lanes begin, distance; // m, at the step's begin and now
    eri_lanes friction;
    eri_lanes lasting;             // N s: of the normal impulse, the most that lasts for the next sub-step
    contact_vector impulse, total; // N s, on the second, world axes
};

// What a block has besides where not all are balls.
struct eri_lever {
    contact_vector arm[2];   // m, from the centres of mass to the point
    eri_lanes inverse[2][6]; // of the inertias in world axes
};

// What stands still is the same as before: lanes share it, and it is not written, for other threads read it.
INLINE void give(const body *b, const eri_worker_part *p, double *V, const int at[ERI_LANE_COUNT])
{
    eri_lanes r[8] = {b->w.x, b->w.y, b->w.z, b->v.x, b->v.y, b->v.z, b->mass, b->moment};
    transpose(r);
    for (int l = 0; l < 8; ++l)
        *(eri_lanes *)(at[l] < p->still ? p->spill : V + at[l]) = r[l];
}

// The velocity of the second's point against the first's.
INLINE contact_vector apart(const eri_block *k, const eri_lever *lever, const body b[2])
{
    contact_vector v = sub(b[1].v, b[0].v);
    if (lever == NULL) return add(v, cross(sub(scale(k->reach[1], b[1].w), scale(k->reach[0], b[0].w)), k->n));
    return add(v, sub(cross(b[1].w, lever->arm[1]), cross(b[0].w, lever->arm[0])));
}

INLINE contact_vector times(const eri_lanes I[6], contact_vector a)
{
    return (contact_vector){I[0] * a.x + I[3] * a.y + I[4] * a.z, I[3] * a.x + I[1] * a.y + I[5] * a.z,
                            I[4] * a.x + I[5] * a.y + I[2] * a.z};
}

// By an impulse on the second, and against it on the first.
INLINE void strike(const eri_block *k, const eri_lever *lever, contact_vector p, body b[2])
{
    b[0].v = sub(b[0].v, scale(b[0].mass, p));
    b[1].v = add(b[1].v, scale(b[1].mass, p));
    if (lever == NULL) {
        contact_vector turn = cross(k->n, p);
        b[0].w = sub(b[0].w, scale(b[0].moment * k->reach[0], turn));
        b[1].w = add(b[1].w, scale(b[1].moment * k->reach[1], turn));
    } else {
        b[0].w = sub(b[0].w, times(lever->inverse[0], cross(lever->arm[0], p)));
        b[1].w = add(b[1].w, times(lever->inverse[1], cross(lever->arm[1], p)));
    }
}

// ---- Making

// What an impulse along a changes the speed along b by.
INLINE eri_lanes response(const eri_lever *lever, const body both[2], contact_vector a, contact_vector b)
{
    eri_lanes sum = (both[0].mass + both[1].mass) * dot(a, b);
    for (int side = 0; side < 2; ++side)
        sum += dot(cross(lever->arm[side], b), times(lever->inverse[side], cross(lever->arm[side], a)));
    return sum;
}

// What its contacts are, eight rows of their numbers turned to lanes.
INLINE void take_contacts(eri_block *k, eri_touching *const item[ERI_LANE_COUNT])
{
    eri_lanes is[ERI_LANE_COUNT] = {{0}}, has[ERI_LANE_COUNT] = {{0}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        if (item[l] == NULL) continue;
        is[l] = *numbers_at(&item[l]->point.x);
        has[l] = *numbers_at(item[l]->impulse);
    }
    transpose(is);
    transpose(has);
    k->n = (contact_vector){is[3], is[4], is[5]};
    k->begin = k->distance = is[6];
    k->friction = is[7];
    contact_vector t = tangent(k->n), s = cross(k->n, t);
    k->impulse = add(add(scale(has[0], k->n), scale(has[1], t)), scale(has[2], s));
}

ERI_LANES static void weigh(eri_block *k, const eri_lever *lever, eri_touching *const item[ERI_LANE_COUNT],
                            const double *V)
{
    take_contacts(k, item);
    const body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    eri_lanes K = b[0].mass + b[1].mass, lead;
    if (lever == NULL) {
        lead = K;
        for (int side = 0; side < 2; ++side)
            lead += k->reach[side] * k->reach[side] * b[side].moment;
    } else {
        contact_vector t = tangent(k->n), s = cross(k->n, t);
        eri_lanes x = response(lever, b, t, t), y = response(lever, b, s, s), xy = response(lever, b, t, s);
        K = response(lever, b, k->n, k->n);
        lead = 0.5 * (x + y + root((x - y) * (x - y) + 4.0 * xy * xy));
    }
    eri_mask moves = eri_lanes_below(splat(0.0), K); // else an empty lane
    k->mass = 1.0 / eri_lanes_choose(moves, K, splat(1.0));
    k->least = 1.0 / eri_lanes_choose(moves, lead, splat(1.0));
}

// -1: it is a tree's.
static int single_of(const eri_contacts *s, int shape)
{
    return s->place[shape] < s->single_count ? s->place[shape] : -1;
}

static void put_sides(const eri_contacts *s, eri_block *k, eri_lever *lever, int lane, const eri_touching *c)
{
    for (int side = 0; side < 2; ++side) {
        int single = single_of(s, c->shape[side]);
        const eri_single *b = &s->single[single];
        er_vec3 arm = er_v3_sub(c->point, b->com);
        k->at[side][lane] = ERI_LANE_COUNT * single;
        k->reach[side][lane] = er_v3_dot(c->normal, arm);
        if (lever == NULL) continue;
        put(&lever->arm[side], lane, arm);
        for (int i = 0; i < 6; ++i)
            lever->inverse[side][i][lane] = b->inverse[i];
    }
}

// Of each contact twice its colour, and one more where not both are balls; counts how many there are of each.
static void colour(eri_contacts *s, uint64_t *used, int *key, int count[])
{
    for (int i = 0; i < s->now.count; ++i) {
        const eri_touching *c = &s->now.item[i];
        int a = single_of(s, c->shape[0]), b = single_of(s, c->shape[1]);
        key[i] = -1;
        if (a < 0 || b < 0 || eri_contacts_rests(s, c)) continue;
        uint64_t taken = used[a] | used[b], bit = ~taken & (taken + 1); // the lowest that is free
        int lowest = bit >> COLOURS == 0 ? __builtin_ctzll(bit) : COLOURS;
        if (lowest < COLOURS) {
            if (a >= s->still_count) used[a] |= bit;
            if (b >= s->still_count) used[b] |= bit;
        }
        key[i] = 2 * lowest + !(s->ball[c->shape[0]] && s->ball[c->shape[1]]);
        ++count[key[i]];
    }
}

// Where there is room for contacts: blocks of each colour in a row, those of balls first.
static er_result make_room(eri_contacts *s, const int *count, int *first)
{
    er_result r = ER_OK;
    eri_lever *lever;
    int levers = 0;
    s->block_count = 0;
    for (int k = 0; k < 2 * COLOURS + 2; ++k) {
        int width = k < 2 * COLOURS ? ERI_LANE_COUNT : 1;
        if (k % 2 == 0) s->colour[k / 2] = s->block_count;
        first[k] = s->block_count * ERI_LANE_COUNT;
        s->block_count += (count[k] + width - 1) / width;
        if (k % 2 == 1) levers += (count[k] + width - 1) / width;
    }
    s->colour[COLOURS + 1] = s->block_count;
    size_t room = 1; // grows by doubling, for blocks of memory are used again where they are large enough
    while (room < (size_t)s->block_count)
        room *= 2;
    ERI_TRY_RESERVE(s->block, s->now.arena, eri_block, room);
    ERI_TRY_NEW(s->in_block, s->now.arena, eri_touching *, room * ERI_LANE_COUNT);
    ERI_TRY_RESERVE(s->struck, s->now.arena, bool, room);
    ERI_TRY_RESERVE(s->lever, s->now.arena, eri_lever *, room);
    ERI_TRY_RESERVE(lever, s->now.arena, eri_lever, levers > 0 ? room : 0);
    for (int k = 0; k < 2 * COLOURS + 2; ++k) {
        int end = k + 1 < 2 * COLOURS + 2 ? first[k + 1] / ERI_LANE_COUNT : s->block_count;
        for (int i = first[k] / ERI_LANE_COUNT; i < end; ++i)
            s->lever[i] = k % 2 == 1 ? lever++ : NULL;
    }
done:
    return r;
}

// Contacts of a block are anywhere, so they are sent for a block ahead.
static void send_for(const eri_contacts *s, int block, int end)
{
    for (int l = 0; l < ERI_LANE_COUNT && block < end; ++l) {
        const char *c = (const char *)s->in_block[ERI_LANE_COUNT * block + l];
        for (size_t line = 0; line < sizeof(eri_touching) && c != NULL; line += 64)
            __builtin_prefetch(c + line);
    }
}

static void fill(void *job, int worker, int count)
{
    eri_contacts *s = job;
    int end = eri_team_share(s->block_count, worker + 1, count);
    for (int i = eri_team_share(s->block_count, worker, count); i < end; ++i) {
        eri_block *k = &s->block[i];
        eri_lever *lever = s->lever[i];
        eri_touching **item = &s->in_block[ERI_LANE_COUNT * i];
        send_for(s, i + 1, end);
        memset(k, 0, sizeof *k);
        if (lever != NULL) memset(lever, 0, sizeof *lever);
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (item[l] != NULL) put_sides(s, k, lever, l, item[l]);
        weigh(k, lever, item, s->V);
    }
}

er_result eri_blocks_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    uint64_t *used;
    int *key, count[2 * COLOURS + 2] = {0}, first[2 * COLOURS + 2];
    s->block_count = 0;
    memset(s->colour, 0, sizeof s->colour);
    if (s->single_count == s->still_count) return ER_OK;
    ERI_TRY_NEW(used, s->now.arena, uint64_t, s->single_count);
    ERI_TRY_NEW(key, s->now.arena, int, s->now.count);
    colour(s, used, key, count);
    ERI_TRY(make_room(s, count, first));
    for (int i = 0; i < s->now.count; ++i) {
        if (key[i] < 0) continue;
        s->in_block[first[key[i]]] = &s->now.item[i];
        first[key[i]] += key[i] < 2 * COLOURS ? 1 : ERI_LANE_COUNT;
    }
    eri_team_run(s->team, fill, s);
done:
    return r;
}

// ---- Passes

INLINE void strike_with(const eri_block *k, const eri_lever *lever, contact_vector impulse, const eri_worker_part *p,
                        double *V)
{
    body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    strike(k, lever, impulse, b);
    give(&b[0], p, V, k->at[0]);
    give(&b[1], p, V, k->at[1]);
}

// A worker's blocks of a colour; few are one worker's, as are those that no colour was left for.
static void share(const eri_contacts *s, const eri_worker_part *p, int colour, int *begin, int *end)
{
    int first = s->colour[colour], all = s->colour[colour + 1] - first;
    bool alone = colour == COLOURS || all < FEW;
    int worker = alone && p->worker > 0 ? p->count : p->worker, next = alone ? p->count : worker + 1;
    *begin = first + eri_team_share(all, worker, p->count);
    *end = first + eri_team_share(all, next, p->count);
}

ERI_LANES static void warm_some(eri_contacts *s, const eri_worker_part *p, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        const eri_block *k = &s->block[i];
        if (s->lever[i] == NULL)
            strike_with(k, NULL, k->impulse, p, s->V);
        else
            strike_with(k, s->lever[i], k->impulse, p, s->V);
    }
}

void eri_blocks_warm(eri_contacts *s, const eri_worker_part *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        warm_some(s, p, begin, end);
        eri_team_meet(s->team);
    }
}

ERI_LANES static void let_go(eri_block *k, const eri_lever *lever, const eri_worker_part *p, double *V)
{
    eri_lanes load = dot(k->n, k->impulse);
    eri_mask blow = eri_lanes_below(k->lasting, load);
    eri_lanes share = eri_lanes_choose(blow, k->lasting / eri_lanes_choose(blow, load, splat(1.0)), splat(1.0));
    strike_with(k, lever, scale(share - 1.0, k->impulse), p, V);
    k->impulse = scale(share, k->impulse);
}

void eri_blocks_let_go(eri_contacts *s, const eri_worker_part *p)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        for (int i = begin; i < end; ++i)
            if (s->struck[i]) let_go(&s->block[i], s->lever[i], p, s->V);
        eri_team_meet(s->team);
    }
}

// A change of the normal impulse of balls changes nothing along the tangents.
// @return where it got a blow
INLINE eri_mask pass(eri_block *k, const eri_lever *lever, const eri_worker_part *p, eri_softness soft, bool is_first,
                     double *V, const double *way)
{
    const eri_lanes none = {0}, one = splat(1.0);
    body b[2] = {take(V, k->at[0]), take(V, k->at[1])};
    eri_lanes load = dot(k->n, k->impulse);
    if (is_first) {
        const body moved[2] = {take(way, k->at[0]), take(way, k->at[1])};
        k->distance = k->begin + dot(k->n, lever == NULL ? sub(moved[1].v, moved[0].v) : apart(k, lever, moved));
        k->lasting = load + p->slow * k->mass;
    }
    contact_vector w = apart(k, lever, b), slip = sub(k->impulse, scale(load, k->n));
    eri_lanes speed = dot(k->n, w);
    eri_mask overlaps = eri_lanes_below(k->distance, splat(1e-300));
    eri_lanes bias = eri_lanes_choose(overlaps, eri_lanes_larger(soft.bias * k->distance, splat(-soft.push_out)),
                                      k->distance * (1.0 / p->h));
    eri_lanes borne = eri_lanes_choose(overlaps, splat(soft.give * (1.0 - ERI_CONTACT_STANDING)), none) * load;
    eri_lanes yield = eri_lanes_choose(overlaps, splat(1.0 / (1.0 + soft.give)), one);
    eri_lanes sum = eri_lanes_larger(load - ((speed + bias) * k->mass + borne) * yield, none);
    contact_vector had = add(scale(sum, k->n), slip);
    if (lever != NULL) {
        strike(k, lever, sub(had, k->impulse), b);
        w = apart(k, lever, b), speed = dot(k->n, w);
    }
    slip = sub(slip, scale(k->least, sub(w, scale(speed, k->n))));
    eri_lanes most = k->friction * sum, square = dot(slip, slip);
    eri_mask slides = eri_lanes_below(most * most, square);
    eri_lanes share = eri_lanes_choose(slides, most / root(eri_lanes_choose(slides, square, one)), one);
    contact_vector has = add(scale(sum, k->n), scale(share, slip));
    strike(k, lever, sub(has, lever != NULL ? had : k->impulse), b);
    k->impulse = has;
    if (!is_first) k->total = add(k->total, has);
    give(&b[0], p, V, k->at[0]);
    give(&b[1], p, V, k->at[1]);
    return eri_lanes_below(k->lasting, sum);
}

ERI_LANES static void pass_some(eri_contacts *s, const eri_worker_part *p, eri_softness soft, eri_softness firm,
                                bool is_first, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        eri_block *k = &s->block[i];
        const eri_lever *lever = s->lever[i];
        if (is_first && lever == NULL)
            pass(k, NULL, p, firm, true, s->V, s->way);
        else if (is_first)
            pass(k, lever, p, soft, true, s->V, s->way);
        else if (lever == NULL)
            s->struck[i] = any(pass(k, NULL, p, firm, false, s->V, s->way));
        else
            s->struck[i] = any(pass(k, lever, p, soft, false, s->V, s->way));
    }
}

void eri_blocks_pass(eri_contacts *s, const eri_worker_part *p, eri_softness soft, eri_softness firm, bool is_first)
{
    for (int c = 0, begin, end; c <= COLOURS && s->colour[c] < s->block_count; ++c) {
        share(s, p, c, &begin, &end);
        pass_some(s, p, soft, firm, is_first, begin, end);
        eri_team_meet(s->team);
    }
}

ERI_LANES static void tell(const eri_block *k, eri_touching *const item[ERI_LANE_COUNT])
{
    const contact_vector *impulse = &k->impulse, *total = &k->total, t = tangent(k->n), s = cross(k->n, t);
    eri_lanes row[ERI_LANE_COUNT] = {dot(k->n, *impulse), dot(t, *impulse), dot(s, *impulse),
                                     dot(k->n, *total),   dot(t, *total),   dot(s, *total)};
    transpose(row);
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        if (item[l] == NULL) continue;
        item[l]->distance = k->distance[l];
        for (int d = 0; d < 3; ++d)
            item[l]->impulse[d] = row[l][d], item[l]->total[d] = row[l][3 + d];
    }
}

void eri_blocks_tell(eri_contacts *s, const eri_worker_part *p)
{
    int last = eri_team_share(s->block_count, p->worker + 1, p->count);
    for (int i = eri_team_share(s->block_count, p->worker, p->count); i < last; ++i) {
        send_for(s, i + 1, last);
        tell(&s->block[i], &s->in_block[ERI_LANE_COUNT * i]);
    }
}
