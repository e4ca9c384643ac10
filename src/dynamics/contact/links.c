/// @file
/// Links of trees that contacts touch, and how a contact on them acts, one at a time.
#include "dynamics/contact/links.h"

#include <math.h>
#include <string.h>

// ---- Links

// Contacts that touch a tree, and one that is awake.   @param struck  [s->now.count], written
static int list_struck(const eri_contacts *s, int *struck)
{
    int count = 0;
    for (int i = 0; i < s->now.count; ++i) {
        const eri_touching *c = &s->now.item[i];
        bool strikes = s->limb[c->shape[0]] >= 0 || s->limb[c->shape[1]] >= 0;
        if (strikes && !eri_contacts_rests(s, c)) struck[count++] = i;
    }
    return count;
}

// Marks what they touch, and limbs from there to the roots; counts them.
static void mark(const er_world *w, eri_responses *r)
{
    const eri_contacts *s = w->contacts;
    memset(r->of_limb, -1, (size_t)w->tree->jointed_count * sizeof(int));
    memset(r->of_single, -1, (size_t)s->single_count * sizeof(int));
    r->link_count = 0;
    for (int i = 0; i < r->struck_count; ++i)
        for (int k = 0; k < 2; ++k) {
            int shape = s->now.item[r->struck[i]].shape[k];
            if (s->limb[shape] < 0 && s->place[shape] >= s->still_count) {
                r->link_count += r->of_single[s->place[shape]] < 0;
                r->of_single[s->place[shape]] = 0;
            }
            for (int l = s->limb[shape]; l >= 0 && r->of_limb[l] < 0; l = w->tree->limb[l].up) {
                r->of_limb[l] = 0;
                ++r->link_count;
            }
        }
}

// A link's mobility: its joint's own, and what the limb above lends it.
ERI_LANES static void link_limb(const er_world *w, eri_responses *r, int index, int limb)
{
    chain_link *l = &r->link[index];
    eri_lanes across[ERI_LANE_COUNT] = {{0}}, half[6];
    eri_minimal_link(w, limb, across, l->mobility);
    if (r->station[index].up < 0) return;
    const eri_lanes *M = r->link[r->station[index].up].mobility, *row = across;
    for (int c = 0; c < 6; ++c)
        half[c] = (M[0] * row[c][0] + M[1] * row[c][1]) + (M[2] * row[c][2] + M[3] * row[c][3]) +
                  (M[4] * row[c][4] + M[5] * row[c][5]); // M across'
    transpose(across);
    memcpy(l->down, across, sizeof l->down);
    for (int c = 0; c < 6; ++c)
        l->mobility[c] += times(l->down, &half[c]);
}

static void link_single(const eri_single *b, chain_link *l)
{
    const double *I = b->inverse, m = b->inverse_mass;
    const eri_lanes own[6] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]},
                              {0, 0, 0, m},       {0, 0, 0, 0, m},    {0, 0, 0, 0, 0, m}};
    memcpy(l->mobility, own, sizeof own);
}

static er_result link_rows(er_world *w, tree_walk *p, const eri_grove *g)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_responses *all = s->responses;
    int rows = eri_minimal_row_count(w);
    double *rate;
    if (rows == 0) return ER_OK;
    ERI_TRY_NEW(p->row, s->now.arena, int, rows);
    for (int m = 0; m < rows; ++m) {
        int limb = eri_minimal_row_limb(w, m);
        if (limb >= g->first_limb && limb < g->last_limb) p->row[p->row_count++] = m;
    }
    ERI_TRY_NEW(rate, s->now.arena, double, rows);
    ERI_TRY_NEW(p->force, s->now.arena, double, p->row_count);
    for (int i = p->first; i < p->end; ++i) {
        ERI_TRY_NEW(all->station[i].row, s->now.arena, eri_lanes, 2 * (size_t)p->row_count);
        all->station[i].hold = all->station[i].row + p->row_count;
    }
    for (int m = 0; m < p->row_count; ++m) {
        const double *twist = eri_minimal_row_twists(w, p->row[m]);
        for (int i = p->first; i < p->end; ++i)
            for (int c = 0; c < 6; ++c)
                all->station[i].row[m][c] = twist[6 * ((all->station[i].at - s->limbs_at) / ERI_LANE_COUNT) + c];
    }
    for (int i = p->first; i < p->end; ++i)
        for (int c = 0; c < 6; ++c) {
            memset(rate, 0, (size_t)rows * sizeof *rate);
            for (int m = 0; m < p->row_count; ++m)
                rate[p->row[m]] = all->station[i].row[m][c];
            eri_minimal_row_forces(w, rate);
            for (int m = 0; m < p->row_count; ++m)
                all->station[i].hold[m][c] = rate[p->row[m]];
        }
done:
    return r;
}

static er_result link_grove(er_world *w, const eri_grove *g, int *count)
{
    eri_contacts *s = w->contacts;
    eri_responses *r = s->responses;
    tree_walk *p = &r->walk[r->walk_count];
    p->here = -1;
    p->first = *count;
    for (int limb = g->first_limb; limb < g->last_limb; ++limb) {
        if (r->of_limb[limb] < 0) continue;
        int i = r->of_limb[limb] = (*count)++, up = w->tree->limb[limb].up;
        r->station[i] = (station){.at = s->limbs_at + ERI_LANE_COUNT * limb,
                                  .up = up >= 0 ? r->of_limb[up] : -1,
                                  .end = i + 1,
                                  .walk = r->walk_count,
                                  .origin = eri_minimal_origin(w, limb)};
        link_limb(w, r, i, limb);
    }
    p->end = *count;
    if (p->end == p->first) return ER_OK;
    for (int i = p->end - 1; i >= p->first; --i) {
        station *up = &r->station[r->station[i].up];
        if (r->station[i].up >= 0 && up->end < r->station[i].end) up->end = r->station[i].end;
    }
    ++r->walk_count;
    return link_rows(w, p, g);
}

static er_result make_links(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_responses *all = s->responses;
    int count = 0;
    mark(w, all);
    all->walk_count = 0;
    size_t room = 1; // as for bundles
    while (room < (size_t)all->link_count)
        room *= 2;
    ERI_TRY_RESERVE(all->link, s->now.arena, chain_link, room);
    ERI_TRY_RESERVE(all->station, s->now.arena, station, room);
    ERI_TRY_NEW(all->walk, s->now.arena, tree_walk, all->link_count + 1);
    for (int i = 0; i < s->grove_count; ++i)
        ERI_TRY(link_grove(w, &s->grove[i], &count));
    for (int i = s->still_count; i < s->single_count; ++i) {
        if (all->of_single[i] < 0) continue;
        all->station[count] = (station){.at = ERI_LANE_COUNT * i, .up = -1, .end = count + 1, .walk = all->walk_count};
        link_single(&s->single[i], &all->link[count]);
        all->walk[all->walk_count++] = (tree_walk){.first = count, .end = count + 1, .here = -1};
        all->of_single[i] = count++;
    }
done:
    return r;
}

er_result eri_links_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_responses *all;
    ERI_TRY_NEW(all, s->now.arena, eri_responses, 1);
    s->responses = all;
    ERI_TRY_RESERVE(all->of_limb, s->now.arena, int, w->tree->jointed_count);
    ERI_TRY_RESERVE(all->of_single, s->now.arena, int, s->single_count);
    ERI_TRY_RESERVE(all->struck, s->now.arena, int, s->now.count);
    all->struck_count = list_struck(s, all->struck);
    ERI_TRY(make_links(w));
done:
    return r;
}

// ---- How contacts act

// The twist of one link by a wrench on another of its walk.
INLINE eri_lanes response(const eri_responses *r, int to, int from, eri_lanes wrench)
{
    eri_lanes f = wrench, twist = {0};
    int i = from, first = -1;
    for (; i >= 0 && !leads(r, i, to); i = r->station[i].up)
        f = times_transposed(r->link[i].down, f);
    if (i >= 0) {
        twist = times(r->link[i].mobility, &f);
        for (int k = to; k != i; first = k, k = r->station[k].up)
            r->station[k].next = first;
        for (int k = first; k >= 0; k = r->station[k].next)
            twist = times(r->link[k].down, &twist);
    }
    for (int m = 0; m < r->walk[r->station[to].walk].row_count; ++m)
        twist -= eri_lanes_sum(r->station[from].hold[m] * wrench) * r->station[to].row[m];
    return twist;
}

INLINE eri_lanes single_twist(const eri_single *b, eri_lanes f)
{
    const double *I = b->inverse, m = b->inverse_mass;
    return (eri_lanes){I[0] * f[0] + I[3] * f[1] + I[4] * f[2],
                       I[3] * f[0] + I[1] * f[1] + I[5] * f[2],
                       I[4] * f[0] + I[5] * f[1] + I[2] * f[2],
                       m * f[3],
                       m * f[4],
                       m * f[5]};
}

eri_response eri_response_of(const er_world *w, eri_touching *c)
{
    const eri_contacts *s = w->contacts;
    eri_response out = {.contact = c, .directions = eri_touching_directions(c)};
    for (int side = 0; side < 2; ++side) {
        out.link[side] = link_of(s, c->shape[side]);
        out.at[side] = place_of(s, c->shape[side]);
        out.arm[side] = er_v3_sub(c->point, *origin_of(s, c->shape[side]));
    }
    return out;
}

// Whether one side moves by a wrench on another.
static bool is_moved(const er_world *w, const eri_response *c, int to, int from)
{
    const eri_contacts *s = w->contacts;
    bool tree[2] = {c->at[to] >= s->limbs_at, c->at[from] >= s->limbs_at};
    if (tree[0] != tree[1]) return false;
    if (!tree[0]) return to == from && c->at[to] >= ERI_LANE_COUNT * s->still_count;
    return s->responses->station[c->link[to]].walk == s->responses->station[c->link[from]].walk;
}

// Its twist.
INLINE eri_lanes side_twist(const er_world *w, const eri_response *c, int to, int from, eri_lanes wrench)
{
    const eri_contacts *s = w->contacts;
    if (c->at[to] < s->limbs_at) return single_twist(&s->single[c->at[to] / ERI_LANE_COUNT], wrench);
    return response(s->responses, c->link[to], c->link[from], wrench);
}

ERI_LANES static void weigh(const er_world *w, eri_response *c)
{
    double K[3][3] = {{0}}, alone = 0.0; // along the normal, were each side free of the other
    eri_lanes wrench[2][3];
    for (int side = 0; side < 2; ++side)
        for (int d = 0; d < 3; ++d)
            wrench[side][d] = side_wrench(c, side, c->directions.axis[d]);
    for (int to = 0; to < 2; ++to)
        for (int from = 0; from < 2; ++from) {
            if (!is_moved(w, c, to, from)) continue;
            for (int d = 0; d < 3; ++d) {
                eri_lanes twist = side_twist(w, c, to, from, wrench[from][d]);
                for (int e = 0; e <= d; ++e)
                    K[d][e] += eri_lanes_sum(wrench[to][e] * twist);
                if (d == 0 && to == from) alone += eri_lanes_sum(wrench[to][0] * twist);
            }
        }
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e <= d; ++e)
            c->K[d][e] = c->K[e][d] = K[d][e];
    double x = c->K[1][1], y = c->K[2][2], xy = c->K[1][2];
    c->lead = 0.5 * (x + y + sqrt((x - y) * (x - y) + 4.0 * xy * xy));
    if (!(c->lead > thin * c->K[0][0])) c->lead = c->K[0][0]; // nothing gives way along the tangents
    c->gives = c->K[0][0] > thin * alone; // parts of one mechanism may be unable to part, but for rounding
}

void eri_response_weigh(const er_world *w, eri_response *c)
{
    weigh(w, c);
}

double eri_response_rate(const eri_response *c, int direction, const double *X)
{
    er_vec3 v[2];
    for (int side = 0; side < 2; ++side) {
        const double *x = X + c->at[side];
        v[side] = er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(er_v3(x[0], x[1], x[2]), c->arm[side]));
    }
    return er_v3_dot(c->directions.axis[direction], er_v3_sub(v[1], v[0]));
}

void eri_response_strike(const er_world *w, const eri_response *c, const double impulse[3], double *X)
{
    eri_contacts *s = w->contacts;
    er_vec3 p = eri_directions_sum(&c->directions, impulse);
    for (int side = 0; side < 2; ++side) {
        eri_lanes f = side_wrench(c, side, p);
        if (c->at[side] < s->limbs_at) {
            *at_place(X, c->at[side]) += single_twist(&s->single[c->at[side] / ERI_LANE_COUNT], f);
            continue;
        }
        tree_walk *way = &s->responses->walk[s->responses->station[c->link[side]].walk];
        set_out(s->responses, way, X);
        deal(s->responses, c->link[side], f);
        spread(s->responses, way, X);
    }
}
