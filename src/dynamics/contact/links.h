/// @file
/// How blows go along trees (docs/math/contact.md, Blows along trees).
///
/// A *link* is a limb that contacts touch, or one on the way from it to its root, or a body without joints that touches
/// a tree. A blow on a link moves it by its mobility, and goes to others only when they are asked for: a *walk* stands
/// at one link of its grove, whose velocity is what all blows so far make it, and takes them along from link to link.
#ifndef ERI_DYNAMICS_CONTACT_LINKS_H
#define ERI_DYNAMICS_CONTACT_LINKS_H

#include "base/buffer.h"
#include "dynamics/contact/eight.h"

#define INLINE ERI_LANES_INLINE

// What a pass over contacts needs of a link, and no more: passes over many wait for memory.
typedef struct chain_link {
    eri_lanes mobility[6]; // columns: its twist by a wrench on it
    eri_lanes down[6];     // columns: its twist by that of the limb above
    eri_lanes felt;        // wrench on its subtree, not yet handed on
    eri_lanes told;        // the twist of the limb above that its own knows of
} chain_link;

// Where a link stands among others.
typedef struct station {
    int at;         // of its velocity in V
    int up, end;    // links: of the limb above, -1: none; past its subtree
    int walk;       // that goes to it
    int next;       // on the way to where eri_response_weigh() goes
    er_vec3 origin; // of a limb: its reference point
    eri_lanes *row,
        *hold; // [rows of its walk]: its twist by a force along a row; minus the row's force by a wrench on it
} station;

typedef struct tree_walk {
    int first, end; // its links
    int here;       // a link; -1: the ground
    int block;      // the first that may have its next contact
    bool struck;    // blows were dealt out that are not in V
    int row_count;  // of loops
    int *row;       // [row_count]
    double *force;  // [row_count], not yet in V
} tree_walk;

struct eri_responses {
    chain_link *link;
    station *station; // [link_count]
    tree_walk *walk;
    int link_count, walk_count;
    int *of_limb, *of_single; // [jointed_count], [single_count]: links; -1: none
    int *struck;              // [struck_count]: contacts
    int struck_count;
    eri_buffer steps; // of int: the links that walks go through, route by route
};

/// Of K: less is singular.
static const double thin = 1e-9;

/// Lists contacts that touch trees, and makes links and walks of what they touch.   Errors: ER_ERROR_MEMORY
er_result eri_links_create(er_world *w);

INLINE eri_lanes *at_place(double *V, int place)
{
    return (eri_lanes *)(V + place);
}

// Of six numbers in memory: they are spread over lanes as they are loaded.
INLINE eri_lanes times(const eri_lanes M[6], const eri_lanes *six)
{
    const double *x = (const double *)six;
    return (M[0] * x[0] + M[1] * x[1]) + (M[2] * x[2] + M[3] * x[3]) + (M[4] * x[4] + M[5] * x[5]);
}

// Sums of neighbours of both, in turns; then of neighbouring pairs.
INLINE eri_lanes sum_two(eri_lanes a, eri_lanes b)
{
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

INLINE eri_lanes sum_four(eri_lanes a, eri_lanes b)
{
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}

// M' x, whose lanes 6 and 7 are 0.
INLINE eri_lanes times_transposed(const eri_lanes M[6], eri_lanes x)
{
    const eri_lanes none = {0};
    eri_lanes a = sum_four(sum_two(M[0] * x, M[1] * x), sum_two(M[2] * x, M[3] * x));
    eri_lanes b = sum_four(sum_two(M[4] * x, M[5] * x), none);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

// Whether the way to a link leads through another.
INLINE bool leads(const eri_responses *r, int from, int to)
{
    return from <= to && to < r->station[from].end;
}

// Of a shape; -1: it stands still, or there are none.
static inline int link_of(const eri_contacts *s, int shape)
{
    if (s->limb[shape] >= 0) return s->responses->of_limb[s->limb[shape]];
    return s->responses != NULL ? s->responses->of_single[s->place[shape]] : -1;
}

// In V.
static inline int place_of(const eri_contacts *s, int shape)
{
    return s->limb[shape] >= 0 ? s->limbs_at + ERI_LANE_COUNT * s->limb[shape] : ERI_LANE_COUNT * s->place[shape];
}

// What a shape's velocities are of.
INLINE const er_vec3 *origin_of(const eri_contacts *s, int shape)
{
    return s->limb[shape] >= 0 ? &s->responses->station[link_of(s, shape)].origin : &s->single[s->place[shape]].com;
}

INLINE eri_lanes wrench_of(er_vec3 torque, er_vec3 force)
{
    return (eri_lanes){torque.x, torque.y, torque.z, force.x, force.y, force.z, 0, 0};
}

// On one side of a contact, by an impulse on the second.
INLINE eri_lanes side_wrench(const eri_response *c, int side, er_vec3 impulse)
{
    er_vec3 f = side == 0 ? er_v3_scale(-1.0, impulse) : impulse;
    return wrench_of(er_v3_cross(c->arm[side], f), f);
}

// From here on the limbs of a grove ask those above what has changed; to be said again where V has changed otherwise.
INLINE void set_out(eri_responses *r, const tree_walk *p, double *V)
{
    const eri_lanes none = {0};
    for (int i = p->first; i < p->end; ++i) {
        r->link[i].felt = none;
        if (r->station[i].up >= 0) r->link[i].told = *at_place(V, r->station[r->station[i].up].at);
    }
}

INLINE void move_by_rows(eri_responses *r, tree_walk *p, double *V)
{
    if (p->row_count == 0) return;
    for (int i = p->first; i < p->end; ++i)
        for (int m = 0; m < p->row_count; ++m)
            *at_place(V, r->station[i].at) += p->force[m] * r->station[i].row[m];
    for (int m = 0; m < p->row_count; ++m)
        p->force[m] = 0.0;
    set_out(r, p, V);
}

INLINE void feel_rows(const eri_responses *r, int i, eri_lanes wrench)
{
    const tree_walk *p = &r->walk[r->station[i].walk];
    for (int m = 0; m < p->row_count; ++m)
        p->force[m] -= eri_lanes_sum(r->station[i].hold[m] * wrench);
}

// A blow on any limb, whose velocities are to be told by spread().
INLINE void deal(eri_responses *r, int i, eri_lanes wrench)
{
    r->link[i].felt += wrench;
    r->walk[r->station[i].walk].struck = true;
    feel_rows(r, i, wrench);
}

// All velocities of a grove become those that blows dealt out make, limbs having been told of what was before.
INLINE void spread(eri_responses *r, tree_walk *p, double *V)
{
    const eri_lanes none = {0};
    if (!p->struck) return;
    p->struck = false;
    for (int i = p->end - 1; i >= p->first; --i)
        if (r->station[i].up >= 0) r->link[r->station[i].up].felt += times_transposed(r->link[i].down, r->link[i].felt);
    for (int i = p->first; i < p->end; ++i) {
        chain_link *l = &r->link[i];
        eri_lanes *v = at_place(V, r->station[i].at);
        *v += times(l->mobility, &l->felt);
        if (r->station[i].up >= 0) { // of what the limb above got from others
            const chain_link *up = &r->link[r->station[i].up];
            eri_lanes above = *at_place(V, r->station[r->station[i].up].at), f = times_transposed(l->down, l->felt);
            eri_lanes change = above - l->told - times(up->mobility, &f);
            *v += times(l->down, &change);
            l->told = above;
        }
        l->felt = none;
    }
    move_by_rows(r, p, V);
}

#endif
