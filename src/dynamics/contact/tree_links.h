/// @file
/// How impulses move articulations (docs/math/contact.md, Impulses along trees).
///
/// A *link* is a limb that contacts touch, an ancestor of one, or a solver body that touches an articulation. An
/// impulse on a link changes its velocity by its mobility. Other links change lazily: each articulation has a *cursor*
/// at one link. The velocity there includes all impulses so far, and moving the cursor propagates them from link to
/// link.
#ifndef ERI_DYNAMICS_CONTACT_TREE_LINKS_H
#define ERI_DYNAMICS_CONTACT_TREE_LINKS_H

#include "base/buffer.h"
#include "dynamics/contact/contact_lanes.h"

#define INLINE ERI_LANES_INLINE

// All that a sweep over the contacts reads of a link, and no more: sweeps are bound by memory.
typedef struct tree_link {
    eri_lanes mobility[6];    // columns: its twist by a wrench on it
    eri_lanes from_parent[6]; // columns: its twist by the parent's twist
    eri_lanes wrench;         // on its subtree, not yet propagated to the parent
    eri_lanes parent_twist;   // the parent's twist that its own velocity includes
} tree_link;

// The rest of a link.
typedef struct link_state {
    int offset;           // of its velocity in V
    int parent, end;      // links: -1: none; past its subtree
    int cursor;           // of its articulation
    int next;             // work space: a path down
    er_vec3 origin;       // of a limb: its reference point
    eri_lanes *row;       // [loop rows]: its twist by a unit force along the row
    eri_lanes *row_force; // [loop rows]: minus the row's force by a wrench on it
} link_state;

// The cursor of an articulation, or of a solver body that touches one.
typedef struct tree_cursor {
    int first, end;      // its links
    int link;            // where it is; -1: the ground
    int next_constraint; // the first that may take its next contact
    bool has_wrench;     // links have wrenches that are not in V
    int row_count;       // loop rows
    int *row;            // [row_count]
    double *force;       // [row_count], not yet in V
} tree_cursor;

struct eri_tree_solver {
    tree_link *link;
    link_state *state; // [link_count]
    tree_cursor *cursor;
    int link_count, cursor_count;
    int *link_of_limb, *link_of_body; // [jointed_count], [bodies.count]; -1: none
    int *point;                       // [point_count]: contact points that touch articulations
    int point_count;
    eri_buffer path_steps; // of int: the links on the cursors' paths, path by path
};

/// Relative to K: smaller determinants are singular.
static const double singular_tol = 1e-9;

/// Lists the contacts that touch articulations, and makes links and cursors for them.   Errors: ER_ERROR_MEMORY
er_result eri_tree_links_create(er_world *w);

INLINE eri_lanes *velocity_at(double *V, int offset)
{
    return (eri_lanes *)(V + offset);
}

// M x, with x read from memory so that each number is broadcast as it is loaded.
INLINE eri_lanes times(const eri_lanes M[6], const eri_lanes *six)
{
    const double *x = (const double *)six;
    return (M[0] * x[0] + M[1] * x[1]) + (M[2] * x[2] + M[3] * x[3]) + (M[4] * x[4] + M[5] * x[5]);
}

// Sums of neighbours of both, alternating; then of neighbouring pairs.
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

// M' x; its lanes 6 and 7 are 0.
INLINE eri_lanes times_transposed(const eri_lanes M[6], eri_lanes x)
{
    const eri_lanes none = {0};
    eri_lanes a = sum_four(sum_two(M[0] * x, M[1] * x), sum_two(M[2] * x, M[3] * x));
    eri_lanes b = sum_four(sum_two(M[4] * x, M[5] * x), none);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
           __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

// Whether link `from` is `to` or an ancestor of it.
INLINE bool is_ancestor(const eri_tree_solver *r, int from, int to)
{
    return from <= to && to < r->state[from].end;
}

// The link of a shape; -1 if it is static.
static inline int link_of(const eri_contacts *s, int shape)
{
    if (s->bodies.limb[shape] >= 0) return s->tree.solver->link_of_limb[s->bodies.limb[shape]];
    return s->tree.solver != NULL ? s->tree.solver->link_of_body[s->bodies.slot[shape]] : -1;
}

// The offset of a shape's velocity in V.
static inline int offset_of(const eri_solver_bodies *s, int shape)
{
    return s->limb[shape] >= 0 ? s->limbs_offset + ERI_LANE_COUNT * s->limb[shape] : ERI_LANE_COUNT * s->slot[shape];
}

// The point that a shape's velocity is of.
INLINE const er_vec3 *origin_of(const eri_contacts *s, int shape)
{
    return s->bodies.limb[shape] >= 0 ? &s->tree.solver->state[link_of(s, shape)].origin
                                      : &s->bodies.body[s->bodies.slot[shape]].com;
}

INLINE eri_lanes wrench_of(er_vec3 torque, er_vec3 force)
{
    return (eri_lanes){torque.x, torque.y, torque.z, force.x, force.y, force.z, 0, 0};
}

// The wrench on one side of a contact by an impulse on the second.
INLINE eri_lanes side_wrench(const eri_contact_constraint *c, int side, er_vec3 impulse)
{
    er_vec3 f = side == 0 ? er_v3_scale(-1.0, impulse) : impulse;
    return wrench_of(er_v3_cross(c->arm[side], f), f);
}

// The change of a solver body's velocity by a wrench.
INLINE eri_lanes body_twist(const eri_solver_body *b, eri_lanes f)
{
    const double *I = b->inverse_inertia, m = b->inverse_mass;
    return (eri_lanes){I[0] * f[0] + I[3] * f[1] + I[4] * f[2],
                       I[3] * f[0] + I[1] * f[1] + I[5] * f[2],
                       I[4] * f[0] + I[5] * f[1] + I[2] * f[2],
                       m * f[3],
                       m * f[4],
                       m * f[5]};
}

// Starts an articulation's lazy propagation from V; to be called again after V has changed in another way.
INLINE void reset_cursor(eri_tree_solver *r, const tree_cursor *p, double *V)
{
    const eri_lanes none = {0};
    for (int i = p->first; i < p->end; ++i) {
        r->link[i].wrench = none;
        if (r->state[i].parent >= 0) r->link[i].parent_twist = *velocity_at(V, r->state[r->state[i].parent].offset);
    }
}

INLINE void apply_loop_forces(eri_tree_solver *r, tree_cursor *p, double *V)
{
    if (p->row_count == 0) return;
    for (int i = p->first; i < p->end; ++i)
        for (int m = 0; m < p->row_count; ++m)
            *velocity_at(V, r->state[i].offset) += p->force[m] * r->state[i].row[m];
    for (int m = 0; m < p->row_count; ++m)
        p->force[m] = 0.0;
    reset_cursor(r, p, V);
}

INLINE void add_loop_forces(const eri_tree_solver *r, int i, eri_lanes wrench)
{
    const tree_cursor *p = &r->cursor[r->state[i].cursor];
    for (int m = 0; m < p->row_count; ++m)
        p->force[m] -= eri_lanes_sum(r->state[i].row_force[m] * wrench);
}

// Adds a wrench to any link; propagate() brings it to V.
INLINE void add_wrench(eri_tree_solver *r, int i, eri_lanes wrench)
{
    r->link[i].wrench += wrench;
    r->cursor[r->state[i].cursor].has_wrench = true;
    add_loop_forces(r, i, wrench);
}

// Brings all added wrenches of an articulation to V.
INLINE void propagate(eri_tree_solver *r, tree_cursor *p, double *V)
{
    const eri_lanes none = {0};
    if (!p->has_wrench) return;
    p->has_wrench = false;
    for (int i = p->end - 1; i >= p->first; --i)
        if (r->state[i].parent >= 0)
            r->link[r->state[i].parent].wrench += times_transposed(r->link[i].from_parent, r->link[i].wrench);
    for (int i = p->first; i < p->end; ++i) {
        tree_link *l = &r->link[i];
        eri_lanes *v = velocity_at(V, r->state[i].offset);
        *v += times(l->mobility, &l->wrench);
        if (r->state[i].parent >= 0) { // the parent's change by wrenches on other links
            const tree_link *up = &r->link[r->state[i].parent];
            eri_lanes above = *velocity_at(V, r->state[r->state[i].parent].offset),
                      f = times_transposed(l->from_parent, l->wrench);
            eri_lanes change = above - l->parent_twist - times(up->mobility, &f);
            *v += times(l->from_parent, &change);
            l->parent_twist = above;
        }
        l->wrench = none;
    }
    apply_loop_forces(r, p, V);
}

#endif
