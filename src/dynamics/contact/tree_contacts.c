/// @file
/// Contacts that touch trees, eight at a time, a lane each, no two of a block on the same tree (links.h).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dynamics/contact/links.h"

enum { MOST_ROUNDS = 20 };

static const double settled = 1e-2; // of a contact's impulse: the next pass goes on from there

// How walks go to where a bundle needs them: links that are left upwards, then those that are come to from above.
typedef struct route {
    int first, turn, last; // of the steps
} route;

// Three rows of lanes.
typedef struct lanes_matrix {
    contact_vector row[3];
} lanes_matrix;

struct eri_bundle {
    eri_touching *item[ERI_LANE_COUNT]; // NULL: none
    int at[2][ERI_LANE_COUNT];          // places in V, of the first and the second; 0: the world
    int link[2][ERI_LANE_COUNT];        // -1: it stands still
    int moving[2];                      // bits: lanes that have links
    bool moves[2];                      // whether there is more than the world on a side
    bool has_rows;                      // whether any of its walks has rows of loops
    route there, across, back;   // to the first ends, from there to the second, and back where they are of one walk
    contact_vector n, t, arm[2]; // normal, a tangent, from what the velocities are of to the point
    eri_lanes K[3][3], lead;     // what impulses change speeds by, and the most that a tangent one does; 1/kg
    eri_lanes begin;             // m, the distance at the step's begin
    eri_lanes distance;          // m
    eri_lanes friction;
    eri_lanes lasting; // N s: of the normal impulse, the most that lasts for the next sub-step
    eri_lanes impulse[3], total[3];
    eri_lanes way[3]; // N s^2: the sum by time of all impulses so far
};

// ---- Along trees

// Tells the limb above of the blows on a subtree.
INLINE void climb(const eri_responses *r, int i, double *V)
{
    const eri_lanes none = {0};
    chain_link *l = &r->link[i], *up = &r->link[r->station[i].up];
    eri_lanes f = times_transposed(l->down, l->felt), *v = at_place(V, r->station[r->station[i].up].at);
    *v += times(up->mobility, &f);
    up->felt += f;
    l->felt = none;
    l->told = *v;
}

// Tells a limb of how the one above has come to move.
INLINE void descend(const eri_responses *r, int i, double *V)
{
    chain_link *l = &r->link[i];
    eri_lanes above = *at_place(V, r->station[r->station[i].up].at), change = above - l->told;
    *at_place(V, r->station[i].at) += times(l->down, &change);
    l->told = above;
}

INLINE void go(const eri_responses *r, const route *way, double *V)
{
    const int *step = (const int *)(const void *)r->steps.bytes;
    for (int k = way->first; k < way->turn; ++k)
        climb(r, step[k], V);
    for (int k = way->turn; k < way->last; ++k)
        descend(r, step[k], V);
}

// All velocities of a grove become those that all blows make.
INLINE void come_home(eri_responses *r, tree_walk *p, double *V)
{
    for (int i = p->here; i >= 0 && r->station[i].up >= 0; i = r->station[i].up)
        climb(r, i, V);
    for (int i = p->first; i < p->end; ++i)
        if (r->station[i].up >= 0) descend(r, i, V);
    move_by_rows(r, p, V);
}

ERI_LANES static void set_all_out(eri_contacts *s)
{
    for (int i = 0; i < s->responses->walk_count; ++i)
        set_out(s->responses, &s->responses->walk[i], s->V);
}

ERI_LANES static void come_all_home(eri_contacts *s)
{
    for (int i = 0; i < s->responses->walk_count; ++i)
        come_home(s->responses, &s->responses->walk[i], s->V);
}

// A blow on a limb at which its walk is.
INLINE void hit(eri_responses *r, int i, const eri_lanes *wrench, double *V)
{
    chain_link *l = &r->link[i];
    *at_place(V, r->station[i].at) += times(l->mobility, wrench);
    l->felt += *wrench;
}

ERI_LANES static void spread_all(eri_contacts *s)
{
    for (int i = 0; i < s->responses->walk_count; ++i)
        spread(s->responses, &s->responses->walk[i], s->V);
}

INLINE body velocities(const eri_responses *r, const eri_bundle *k, int end, double *V)
{
    eri_lanes row[ERI_LANE_COUNT];
    if (!k->moves[end]) return (body){.w = {{0}, {0}, {0}}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        row[l] = *at_place(V, k->at[end][l]);
    for (int l = 0; l < ERI_LANE_COUNT && k->has_rows; ++l) {
        int i = k->link[end][l];
        const tree_walk *w = &r->walk[i >= 0 ? r->station[i].walk : 0];
        for (int m = 0; i >= 0 && m < w->row_count; ++m)
            row[l] += w->force[m] * r->station[i].row[m];
    }
    transpose(row);
    return (body){.w = {row[0], row[1], row[2]}, .v = {row[3], row[4], row[5]}};
}

INLINE contact_vector along(const eri_bundle *k, const eri_lanes x[3])
{
    return add(scale(x[0], k->n), add(scale(x[1], k->t), scale(x[2], cross(k->n, k->t))));
}

// An impulse on one side as wrenches, lane by lane.
INLINE void wrenches(const eri_bundle *k, int end, contact_vector p, eri_lanes row[ERI_LANE_COUNT])
{
    const eri_lanes none = {0};
    if (end == 0) p = scale(splat(-1.0), p);
    contact_vector torque = cross(k->arm[end], p);
    row[0] = torque.x, row[1] = torque.y, row[2] = torque.z;
    row[3] = p.x, row[4] = p.y, row[5] = p.z, row[6] = row[7] = none;
    transpose(row);
}

// Lanes in which there is an impulse, as bits.
INLINE int lanes_of(const eri_lanes impulse[3])
{
    const eri_mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
    eri_lanes size =
        eri_lanes_magnitude(impulse[0]) + eri_lanes_magnitude(impulse[1]) + eri_lanes_magnitude(impulse[2]);
    eri_mask m = eri_lanes_below(splat(0.0), size) & bit;
    m |= __builtin_shufflevector(m, m, 4, 5, 6, 7, 0, 1, 2, 3);
    m |= __builtin_shufflevector(m, m, 2, 3, 0, 1, 6, 7, 4, 5);
    return (int)(m[0] | m[1]);
}

// Walks are at the second ends; they come to the first.
INLINE void strike(eri_contacts *s, const eri_bundle *k, const eri_lanes impulse[3])
{
    eri_responses *r = s->responses;
    contact_vector p = along(k, impulse);
    int struck = lanes_of(impulse);
    for (int e = 1; e >= 0; --e) {
        eri_lanes row[ERI_LANE_COUNT];
        if (e == 0) go(r, &k->back, s->V);
        if (!k->moves[e]) continue;
        wrenches(k, e, p, row);
        for (int left = struck & k->moving[e]; left != 0; left &= left - 1) {
            int l = __builtin_ctz((unsigned)left);
            hit(r, k->link[e][l], &row[l], s->V);
            if (k->has_rows) feel_rows(r, k->link[e][l], row[l]);
        }
    }
}

// The same, wherever walks are.
INLINE void deal_all(eri_contacts *s, const eri_bundle *k, const eri_lanes impulse[3])
{
    contact_vector p = along(k, impulse);
    int struck = lanes_of(impulse);
    for (int e = 1; e >= 0; --e) {
        eri_lanes row[ERI_LANE_COUNT];
        if (!k->moves[e]) continue;
        wrenches(k, e, p, row);
        for (int left = struck & k->moving[e]; left != 0; left &= left - 1) {
            int l = __builtin_ctz((unsigned)left);
            deal(s->responses, k->link[e][l], row[l]);
        }
    }
}

// ---- Blocks

// Adds how an end's point moves by forces on it: with (w; v) the twist by a wrench, v + w x arm, of each lane's own
// mobility.
INLINE void add_yield(const eri_responses *r, const eri_bundle *k, int e, lanes_matrix *P)
{
    eri_lanes row[3][ERI_LANE_COUNT] = {{{0}}};
    for (int left = k->moving[e]; left != 0; left &= left - 1) {
        int l = __builtin_ctz((unsigned)left);
        const eri_lanes *M = r->link[k->link[e][l]].mobility; // symmetric
        double x = k->arm[e].x[l], y = k->arm[e].y[l], z = k->arm[e].z[l];
        row[0][l] = M[3] + (M[1] * z - M[2] * y);
        row[1][l] = M[4] + (M[2] * x - M[0] * z);
        row[2][l] = M[5] + (M[0] * y - M[1] * x);
    }
    for (int i = 0; i < 3; ++i) {
        transpose(row[i]);
        const contact_vector w = {row[i][0], row[i][1], row[i][2]}, v = {row[i][3], row[i][4], row[i][5]};
        P->row[i] = add(P->row[i], add(v, cross(w, k->arm[e])));
    }
}

// K of contacts whose ends know nothing of each other; of empty lanes 1.
INLINE void weigh_all(const eri_responses *r, eri_bundle *k)
{
    const eri_lanes none = {0}, one = splat(1.0);
    const contact_vector axis[3] = {k->n, k->t, cross(k->n, k->t)};
    lanes_matrix P = {{{none, none, none}, {none, none, none}, {none, none, none}}};
    for (int e = 0; e < 2; ++e)
        if (k->moving[e] != 0) add_yield(r, k, e, &P);
    for (int d = 0; d < 3; ++d) {
        const contact_vector moved = {dot(P.row[0], axis[d]), dot(P.row[1], axis[d]), dot(P.row[2], axis[d])};
        for (int e = 0; e <= d; ++e)
            k->K[d][e] = k->K[e][d] = dot(axis[e], moved);
    }
    eri_mask gives = eri_lanes_below(none, k->K[0][0]);
    for (int d = 0; d < 3; ++d)
        k->K[d][d] = eri_lanes_choose(gives, k->K[d][d], one);
    eri_lanes x = k->K[1][1], y = k->K[2][2], xy = k->K[1][2];
    k->lead = 0.5 * (x + y + root((x - y) * (x - y) + 4.0 * xy * xy));
    k->lead = eri_lanes_choose(eri_lanes_below(thin * k->K[0][0], k->lead), k->lead, k->K[0][0]);
}

// Contacts of a block are anywhere, so they are sent for a block ahead.
INLINE void send_for(const eri_bundle *k)
{
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        for (size_t line = 0; line < sizeof(eri_touching) && k->item[l] != NULL; line += 64)
            __builtin_prefetch((const char *)k->item[l] + line);
}

// Where contacts act, lane by lane; then what they are, eight rows of their numbers turned to lanes.
ERI_LANES static void fill(const eri_contacts *s, eri_bundle *k)
{
    if (k + 1 < s->bundle + s->bundle_count) send_for(k + 1);
    eri_lanes arm[ERI_LANE_COUNT] = {{0}}, is[ERI_LANE_COUNT] = {{0}}, has[ERI_LANE_COUNT] = {{0}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        eri_touching *c = k->item[l];
        k->at[0][l] = k->at[1][l] = 0;
        k->link[0][l] = k->link[1][l] = -1;
        if (c == NULL) continue;
        for (int e = 0; e < 2; ++e) {
            k->at[e][l] = place_of(s, c->shape[e]);
            k->link[e][l] = link_of(s, c->shape[e]);
            k->moves[e] |= k->at[e][l] != 0;
            k->moving[e] |= (k->link[e][l] >= 0) << l;
        }
        er_vec3 a = er_v3_sub(c->point, *origin_of(s, c->shape[0]));
        er_vec3 b = er_v3_sub(c->point, *origin_of(s, c->shape[1]));
        arm[l] = (eri_lanes){a.x, a.y, a.z, b.x, b.y, b.z};
        is[l] = *numbers_at(&c->point.x);
        has[l] = *numbers_at(c->impulse);
    }
    transpose(arm);
    transpose(is);
    transpose(has);
    k->arm[0] = (contact_vector){arm[0], arm[1], arm[2]};
    k->arm[1] = (contact_vector){arm[3], arm[4], arm[5]};
    k->n = (contact_vector){is[3], is[4], is[5]};
    k->t = tangent(k->n);
    k->begin = k->distance = is[6];
    k->friction = is[7];
    memset(k->total, 0, sizeof k->total);
    memset(k->way, 0, sizeof k->way);
    memcpy(k->impulse, has, sizeof k->impulse);
    weigh_all(s->responses, k);
}

static void put_empty(eri_bundle *k, int lane)
{
    const er_vec3 none = {0, 0, 0};
    k->item[lane] = NULL;
    for (int e = 0; e < 2; ++e) {
        k->at[e][lane] = 0;
        k->link[e][lane] = -1;
        k->moving[e] &= ~(1 << lane);
    }
    put(&k->n, lane, none);
    put(&k->t, lane, none);
    k->begin[lane] = k->distance[lane] = 0.0;
    for (int d = 0; d < 3; ++d)
        k->impulse[d][lane] = 0.0;
}

// Of a lane whose ends are of one mechanism.
static void put_weights(const er_world *w, eri_bundle *k, int lane)
{
    eri_response c = eri_response_of(w, k->item[lane]);
    eri_response_weigh(w, &c);
    if (!c.gives) {
        put_empty(k, lane);
        return;
    }
    k->lead[lane] = c.lead;
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
            k->K[d][e][lane] = c.K[d][e];
}

// Contacts that touch trees, by the first link that they touch.   @param order  [struck_count], written
static er_result sort(const eri_contacts *s, int *order)
{
    er_result r = ER_OK;
    const eri_responses *all = s->responses;
    int *key, *first;
    ERI_TRY_RESERVE(key, s->now.arena, int, all->struck_count);
    ERI_TRY_NEW(first, s->now.arena, int, all->link_count + 1);
    for (int i = 0; i < all->struck_count; ++i) {
        const eri_touching *c = &s->now.item[all->struck[i]];
        int a = link_of(s, c->shape[0]), b = link_of(s, c->shape[1]);
        key[i] = a < 0 || (b >= 0 && b < a) ? b : a;
        ++first[key[i] + 1];
    }
    for (int k = 0; k < all->link_count; ++k)
        first[k + 1] += first[k];
    for (int i = 0; i < all->struck_count; ++i)
        order[first[key[i]]++] = all->struck[i];
done:
    return r;
}

// The first block from one on that has a free lane.   @param next  [blocks]: where to look instead, itself where free
static int free_block(int *next, int from)
{
    int to = from;
    while (next[to] != to)
        to = next[to];
    while (next[from] != to) {
        int then = next[from];
        next[from] = to;
        from = then;
    }
    return to;
}

// Where a contact goes: blocks of a walk's contacts follow each other in the order of its limbs.
static int place(eri_responses *r, int a, int b, int *next, int *used)
{
    tree_walk *first = &r->walk[r->station[a >= 0 ? a : b].walk], *second = &r->walk[r->station[b >= 0 ? b : a].walk];
    int block = free_block(next, first->block > second->block ? first->block : second->block), lane = used[block]++;
    if (lane == ERI_LANE_COUNT - 1) next[block] = block + 1;
    first->block = second->block = block + 1;
    return ERI_LANE_COUNT * block + lane;
}

// The way up from where a walk is until it leads to a link, which is found; added to the steps.
static int add_ups(eri_responses *r, int to)
{
    int i = r->walk[r->station[to].walk].here;
    for (; i >= 0 && !leads(r, i, to); i = r->station[i].up)
        if (r->station[i].up >= 0) eri_buffer_add(&r->steps, &i, sizeof i);
    return i;
}

// The way down from a link, or from the ground.
static void add_downs(eri_responses *r, int from, int to)
{
    size_t count = 0;
    for (int i = to; i != from; i = r->station[i].up)
        count += r->station[i].up >= 0;
    int *step = eri_buffer_grow(&r->steps, count * sizeof *step);
    for (int i = to; i != from && step != NULL; i = r->station[i].up)
        if (r->station[i].up >= 0) step[--count] = i;
    r->walk[r->station[to].walk].here = to;
}

// Adds to the steps how walks come to the first ends of some lanes' contacts, and to the second ends of some.
static route find_route(eri_responses *r, const eri_bundle *k, int first, int second)
{
    const int lanes[2] = {first, second}, size = (int)sizeof(int);
    int from[2][ERI_LANE_COUNT];
    route out = {.first = (int)r->steps.size / size};
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (lanes[e] >> l & 1) from[e][l] = add_ups(r, k->link[e][l]);
    out.turn = (int)r->steps.size / size;
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (lanes[e] >> l & 1) add_downs(r, from[e][l], k->link[e][l]);
    out.last = (int)r->steps.size / size;
    return out;
}

// Lanes whose ends are of one walk, as bits.
static int single_walks(const eri_responses *r, const eri_bundle *k)
{
    int out = 0;
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        int a = k->link[0][l], b = k->link[1][l];
        if (a >= 0 && b >= 0 && r->station[a].walk == r->station[b].walk) out |= 1 << l;
    }
    return out;
}

static bool has_rows(const eri_responses *r, const eri_bundle *k)
{
    bool out = false;
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (k->link[e][l] >= 0) out |= r->walk[r->station[k->link[e][l]].walk].row_count > 0;
    return out;
}

static void find_routes(eri_responses *r, eri_bundle *k, int one)
{
    k->there = find_route(r, k, k->moving[0], k->moving[1] & ~one);
    k->across = find_route(r, k, 0, one);
    k->back = find_route(r, k, one, 0);
}

// Each contact's lane, of all blocks'.   @param lane  [struck_count], written
static er_result find_lanes(eri_contacts *s, const int *order, int *lane)
{
    er_result r = ER_OK;
    int *next, *used, count = s->responses->struck_count;
    ERI_TRY_RESERVE(next, s->now.arena, int, count + 1);
    ERI_TRY_NEW(used, s->now.arena, int, count + 1);
    for (int i = 0; i <= count; ++i)
        next[i] = i;
    for (int i = 0; i < count; ++i) {
        const eri_touching *c = &s->now.item[order[i]];
        lane[i] = place(s->responses, link_of(s, c->shape[0]), link_of(s, c->shape[1]), next, used);
        if (lane[i] / ERI_LANE_COUNT >= s->bundle_count) s->bundle_count = lane[i] / ERI_LANE_COUNT + 1;
    }
done:
    return r;
}

static er_result make_blocks(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_responses *all = s->responses;
    int *order, *lane;
    size_t room = 1; // grows by doubling, for blocks of memory are used again where they are large enough
    ERI_TRY_RESERVE(order, s->now.arena, int, all->struck_count);
    ERI_TRY_RESERVE(lane, s->now.arena, int, all->struck_count);
    ERI_TRY(sort(s, order));
    ERI_TRY(find_lanes(s, order, lane));
    while (room < (size_t)s->bundle_count)
        room *= 2;
    ERI_TRY_RESERVE(s->bundle, s->now.arena, eri_bundle, room);
    for (int i = 0; i < s->bundle_count; ++i)
        memset(&s->bundle[i], 0, offsetof(eri_bundle, n));
    for (int i = 0; i < all->struck_count; ++i)
        s->bundle[lane[i] / ERI_LANE_COUNT].item[lane[i] % ERI_LANE_COUNT] = &s->now.item[order[i]];
    all->steps = (eri_buffer){.arena = s->now.arena};
    for (int i = 0; i < s->bundle_count; ++i) {
        eri_bundle *k = &s->bundle[i];
        fill(s, k);
        k->has_rows = has_rows(all, k);
        int one = single_walks(all, k), tied = k->has_rows ? k->moving[0] | k->moving[1] : one;
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (tied >> l & 1) put_weights(w, k, l);
        find_routes(all, k, one & k->moving[0]);
    }
    ERI_TRY(all->steps.failure);
done:
    return r;
}

er_result eri_responses_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    s->bundle_count = 0;
    s->responses = NULL;
    if (s->grove_count == 0) return ER_OK;
    ERI_TRY(eri_links_create(w));
    ERI_TRY(make_blocks(w));
done:
    return r;
}

// ---- Passes

ERI_LANES static void warm_all(eri_contacts *s)
{
    for (int i = 0; i < s->bundle_count; ++i)
        deal_all(s, &s->bundle[i], s->bundle[i].impulse);
}

void eri_responses_warm(eri_contacts *s)
{
    if (s->bundle_count == 0) return;
    set_all_out(s);
    warm_all(s);
    spread_all(s);
}

// The velocity of the second's point against the first's, or the way.
INLINE contact_vector apart(const eri_bundle *k, const body b[2])
{
    contact_vector first = add(b[0].v, cross(b[0].w, k->arm[0])), second = add(b[1].v, cross(b[1].w, k->arm[1]));
    return sub(second, first);
}

INLINE void speeds(const eri_bundle *k, const body b[2], eri_lanes out[3])
{
    contact_vector v = apart(k, b);
    out[0] = dot(k->n, v);
    out[1] = dot(k->t, v);
    out[2] = dot(cross(k->n, k->t), v);
}

// The impulses that leave the speed `aim` along the normal and none along the tangents; where they are within the cone
// of friction they are taken.   @return where not
INLINE eri_mask stick(eri_lanes K[3][3], eri_lanes aim, eri_lanes friction, const eri_lanes *speed, eri_lanes *impulse)
{
    eri_lanes a = K[1][1] * K[2][2] - K[1][2] * K[1][2], b = K[1][2] * K[0][2] - K[0][1] * K[2][2];
    eri_lanes c = K[0][1] * K[1][2] - K[1][1] * K[0][2], det = K[0][0] * a + K[0][1] * b + K[0][2] * c;
    eri_mask whole = eri_lanes_below(thin * K[0][0] * K[1][1] * K[2][2], det);
    eri_lanes p = aim - speed[0], q = -speed[1], r = -speed[2], s = 1.0 / eri_lanes_choose(whole, det, splat(1.0));
    eri_lanes e = K[0][0] * K[2][2] - K[0][2] * K[0][2], f = K[0][1] * K[0][2] - K[0][0] * K[1][2];
    eri_lanes g = K[0][0] * K[1][1] - K[0][1] * K[0][1];
    eri_lanes n = impulse[0] + s * (a * p + b * q + c * r);
    eri_lanes x = impulse[1] + s * (b * p + e * q + f * r), y = impulse[2] + s * (c * p + f * q + g * r);
    eri_lanes most = friction * n;
    eri_mask sticks = whole & ~eri_lanes_below(n, splat(0.0)) & ~eri_lanes_below(most * most, x * x + y * y);
    impulse[0] = eri_lanes_choose(sticks, n, impulse[0]);
    impulse[1] = eri_lanes_choose(sticks, x, impulse[1]);
    impulse[2] = eri_lanes_choose(sticks, y, impulse[2]);
    return ~sticks;
}

// The impulses that leave the speed `aim` along the normal and slide, or are none: within the cone of friction, against
// the slip.
// @param K      what impulses change the speeds by
// @param speed  as they are; changed as impulses are
INLINE void slide(eri_mask slides, eri_lanes K[3][3], eri_lanes lead, eri_lanes aim, eri_lanes friction,
                  eri_lanes *speed, eri_lanes *impulse)
{
    const eri_lanes none = {0}, normal = 1.0 / K[0][0], tangent = 1.0 / lead;
    for (int round = 0; round < MOST_ROUNDS && any(slides); ++round) {
        eri_lanes n = eri_lanes_larger(impulse[0] - (speed[0] - aim) * normal, none);
        eri_lanes dn = eri_lanes_choose(slides, n - impulse[0], none);
        impulse[0] += dn;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][0] * dn;
        eri_lanes a = impulse[1] - speed[1] * tangent, b = impulse[2] - speed[2] * tangent,
                  most = friction * impulse[0];
        eri_lanes square = a * a + b * b;
        eri_mask beyond = eri_lanes_below(most * most, square);
        eri_lanes share =
            eri_lanes_choose(beyond, most / root(eri_lanes_choose(beyond, square, splat(1.0))), splat(1.0));
        eri_lanes da = eri_lanes_choose(slides, share * a - impulse[1], none);
        eri_lanes db = eri_lanes_choose(slides, share * b - impulse[2], none);
        impulse[1] += da, impulse[2] += db;
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][1] * da + K[d][2] * db;
        eri_lanes change = eri_lanes_magnitude(dn) + eri_lanes_magnitude(da) + eri_lanes_magnitude(db);
        slides &= eri_lanes_below(settled * impulse[0], change);
    }
}

INLINE void pass(eri_contacts *s, eri_bundle *k, double h, eri_softness soft, bool is_first, double slow)
{
    const eri_lanes none = {0};
    body b[2];
    go(s->responses, &k->there, s->V);
    b[0] = velocities(s->responses, k, 0, s->V);
    go(s->responses, &k->across, s->V);
    b[1] = velocities(s->responses, k, 1, s->V);
    eri_lanes speed[3], impulse[3], K[3][3];
    speeds(k, b, speed);
    if (!is_first) { // it has gone since the other pass
        for (int e = 0; e < 2; ++e)
            if (k->moves[e]) b[e] = take(s->way, k->at[e]);
        k->distance = k->begin + dot(k->n, apart(k, b));
    }
    if (is_first) k->lasting = k->impulse[0] + slow / k->K[0][0];
    eri_mask overlaps = eri_lanes_below(k->distance, splat(1e-300));
    eri_lanes give = eri_lanes_choose(overlaps, soft.give * k->K[0][0], none);
    eri_lanes back = eri_lanes_larger(soft.bias * k->distance, splat(-soft.push_out));
    eri_lanes aim = -eri_lanes_choose(overlaps, back, k->distance * (1.0 / h));
    memcpy(K, k->K, sizeof K);
    memcpy(impulse, k->impulse, sizeof impulse);
    K[0][0] += give; // w + bias distance + give impulse = 0
    speed[0] += give * impulse[0] * (1.0 - ERI_CONTACT_STANDING);
    eri_mask slides = stick(K, aim, k->friction, speed, impulse);
    slide(slides, K, k->lead, aim, k->friction, speed, impulse);
    eri_lanes change[3];
    for (int d = 0; d < 3; ++d) {
        change[d] = impulse[d] - k->impulse[d];
        k->impulse[d] = impulse[d];
        if (is_first)
            k->way[d] += h * (k->total[d] + impulse[d]);
        else
            k->total[d] += impulse[d];
    }
    strike(s, k, change);
}

ERI_LANES static void pass_all(eri_contacts *s, double h, eri_softness soft, bool is_first, double slow)
{
    for (int i = 0; i < s->bundle_count; ++i)
        pass(s, &s->bundle[i], h, soft, is_first, slow);
}

void eri_responses_pass(eri_contacts *s, double h, eri_softness soft, bool is_first, double slow)
{
    if (s->bundle_count == 0) return;
    if (is_first) set_all_out(s);
    pass_all(s, h, soft, is_first, slow);
    come_all_home(s);
}

ERI_LANES static void let_all_go(eri_contacts *s)
{
    for (int i = 0; i < s->bundle_count; ++i) {
        eri_bundle *k = &s->bundle[i];
        eri_mask blow = eri_lanes_below(k->lasting, k->impulse[0]);
        if (!any(blow)) continue;
        eri_lanes share = k->lasting / eri_lanes_choose(blow, k->impulse[0], k->lasting), change[3];
        for (int d = 0; d < 3; ++d) {
            change[d] = eri_lanes_choose(blow, (share - 1.0) * k->impulse[d], splat(0.0));
            k->impulse[d] += change[d];
        }
        deal_all(s, k, change);
    }
}

void eri_responses_let_go(eri_contacts *s)
{
    bool has_blow = false;
    for (int i = 0; i < s->bundle_count; ++i)
        has_blow |= any(eri_lanes_below(s->bundle[i].lasting, s->bundle[i].impulse[0]));
    if (!has_blow) return;
    set_all_out(s);
    let_all_go(s);
    spread_all(s);
}

void eri_response_solve(double K[3][3], double lead, double aim, double friction, double *speed, double *impulse)
{
    eri_lanes eight[3][3], speeds[3], impulses[3];
    for (int d = 0; d < 3; ++d) {
        speeds[d] = splat(speed[d]);
        impulses[d] = splat(impulse[d]);
        for (int e = 0; e < 3; ++e)
            eight[d][e] = splat(K[d][e]);
    }
    eri_mask slides = stick(eight, splat(aim), splat(friction), speeds, impulses);
    slide(slides, eight, splat(lead), splat(aim), splat(friction), speeds, impulses);
    for (int d = 0; d < 3; ++d)
        impulse[d] = impulses[d][0];
}

// ---- What came of it

static int tree_velocities(const eri_contacts *s)
{
    return s->grove_count > 0 ? s->grove[s->grove_count - 1].velocity + s->grove[s->grove_count - 1].count : 0;
}

static void tell(const eri_contacts *s)
{
    for (int i = 0; i < s->bundle_count; ++i)
        for (int l = 0; l < ERI_LANE_COUNT; ++l) {
            const eri_bundle *k = &s->bundle[i];
            eri_touching *c = k->item[l];
            if (c == NULL) continue;
            c->distance = k->distance[l];
            for (int d = 0; d < 3; ++d)
                c->impulse[d] = k->impulse[d][l], c->total[d] = k->total[d][l];
        }
}

// Where a contact acts that has a lane.
static eri_response response_at(const eri_bundle *k, int lane)
{
    eri_response c = {.contact = k->item[lane]};
    er_vec3 n = {k->n.x[lane], k->n.y[lane], k->n.z[lane]}, t = {k->t.x[lane], k->t.y[lane], k->t.z[lane]};
    c.directions = (eri_directions){{n, t, er_v3_cross(n, t)}};
    for (int side = 0; side < 2; ++side) {
        c.at[side] = k->at[side][lane];
        c.arm[side] = er_v3(k->arm[side].x[lane], k->arm[side].y[lane], k->arm[side].z[lane]);
    }
    return c;
}

// Takes what a contact gives limbs from what they need, blows and their ways; returns what it took of energy, by the
// mean of the speeds that impulses met and left: that of a body without joints is counted with it.
static double add_need(const er_world *w, const eri_response *c, const double gone[3], double *needed,
                       double *needed_way)
{
    static const eri_blow none;
    const eri_contacts *s = w->contacts;
    const eri_touching *at = c->contact;
    const eri_blow *blow = s->blow != NULL ? &s->blow[at - s->now.item] : &none;
    const eri_directions *along = &c->directions;
    er_vec3 total = eri_directions_sum(along, at->total);
    er_vec3 all = er_v3_add(total, eri_directions_sum(along, blow->impulse));
    er_vec3 way = er_v3_add(eri_directions_sum(along, gone), eri_directions_sum(along, blow->way));
    double heat = 0.0;
    for (int side = 0; side < 2; ++side) {
        int place = c->at[side], limb = (place - s->limbs_at) / ERI_LANE_COUNT;
        if (place == 0 || (place >= ERI_LANE_COUNT * s->still_count && place < s->limbs_at)) continue;
        eri_lanes mean = *at_place(s->begin, place) + *at_place(s->V, place);
        heat -= 0.5 * eri_lanes_sum(side_wrench(c, side, total) * mean);
        if (place < s->limbs_at) continue;
        if (er_v3_norm(all) > 0.0) s->grove[s->mover[w->tree->limb[limb].body].grove].struck = true;
        eri_lanes f = side_wrench(c, side, all), g = side_wrench(c, side, way);
        for (int i = 0; i < 6; ++i)
            needed[6 * limb + i] -= f[i], needed_way[6 * limb + i] -= g[i];
    }
    return heat;
}

static er_result yield(er_world *w, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double *needed[2], *out[2] = {s->change, s->shift}, *change;
    for (int k = 0; k < 2; ++k)
        ERI_TRY_NEW(needed[k], s->now.arena, double, 6 * (size_t)w->tree->jointed_count);
    ERI_TRY_NEW(change, s->now.arena, double, w->tree->velocity_count);
    for (int i = 0; i < ERI_LANE_COUNT * s->bundle_count; ++i) {
        const eri_bundle *k = &s->bundle[i / ERI_LANE_COUNT];
        int l = i % ERI_LANE_COUNT;
        const eri_response c = response_at(k, l);
        const double gone[3] = {k->way[0][l], k->way[1][l], k->way[2][l]};
        if (c.contact != NULL) *heat += add_need(w, &c, gone, needed[0], needed[1]);
    }
    for (int k = 0; k < 2; ++k) {
        eri_minimal_yield(w, needed[k], change);
        for (int i = 0; i < tree_velocities(s); ++i)
            out[k][i] += change[i];
    }
done:
    return r;
}

// Adds what else changes a tree's rates, and how far it goes: what sub-steps go in all, or, where it swings, by the
// rates at the end, which takes nothing from it.
static void add_forces(const eri_contacts *s, const eri_grove *g, double h, int n)
{
    double part = eri_grove_swings(g) ? 1.0 : 0.5 * (n + 1) / n;
    for (int i = g->velocity; i < g->velocity + g->count; ++i) {
        s->change[i] += h * s->du[i];
        s->shift[i] += h * (s->u[i] + part * h * s->du[i]);
    }
}

er_result eri_responses_end(er_world *w, double h, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    size_t size = (size_t)tree_velocities(s) * sizeof(double);
    tell(s);
    if (size == 0) return ER_OK;
    memset(s->change, 0, size);
    memset(s->shift, 0, size);
    for (int i = 0; i < s->grove_count; ++i)
        s->grove[i].struck = false;
    if (s->bundle_count > 0) ERI_TRY(yield(w, heat));
    for (int i = 0; i < s->grove_count; ++i)
        add_forces(s, &s->grove[i], h, w->def.contact.substeps);
done:
    return r;
}
