/// @file
/// Constraints of contacts that touch articulations: eight at a time, a lane each. No two lanes of a constraint touch
/// the same articulation (tree_links.h).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "dynamics/contact/tree_links.h"

enum { MAX_ITERATIONS = 20 };

static const double converged = 1e-2; // of a contact's impulse: the next sweep continues from there

// How cursors get to the links of a constraint: steps up, then steps down.
typedef struct tree_path {
    int first, turn, last; // indices of path_steps
} tree_path;

// Three rows of lanes.
typedef struct lanes_matrix {
    contact_vector row[3];
} lanes_matrix;

struct eri_tree_constraint {
    eri_contact_point *point[ERI_LANE_COUNT];     // NULL: an empty lane
    int offset[2][ERI_LANE_COUNT];                // in V, of the first and the second side; 0: the world
    int link[2][ERI_LANE_COUNT];                  // -1: static
    int link_lanes[2];                            // bits: lanes that have links
    bool side_moves[2];                           // some lane's side is not the world
    bool has_loop_rows;                           // some lane's articulation has loops
    eri_constraint_drive *drive;                  // NULL: none
    eri_constraint_grain *grain;                  // NULL: none
    tree_path to_first, to_second, back_to_first; // the last two for lanes whose sides are one articulation
    contact_vector n, t, arm[2];  // normal, a tangent, from the velocity's reference point to the contact point
    eri_lanes K[3][3], tangent_k; // 1/kg, as of eri_contact_constraint
    eri_lanes initial_distance;   // m, at the step's begin
    eri_lanes distance;           // m
    eri_lanes friction;
    eri_lanes warm_limit; // N s: the most of the normal impulse that the next sub-step starts from
    eri_lanes impulse[3], total[3];
    eri_lanes impulse_time[3]; // N s^2: the integral of the total over the step
};

// ---- Along trees

// Propagates the wrenches on a subtree to the parent.
INLINE void propagate_up(const eri_tree_solver *r, int i, double *V)
{
    const eri_lanes none = {0};
    tree_link *l = &r->link[i], *up = &r->link[r->state[i].parent];
    eri_lanes f = times_transposed(l->from_parent, l->wrench), *v = velocity_at(V, r->state[r->state[i].parent].offset);
    *v += times(up->mobility, &f);
    up->wrench += f;
    l->wrench = none;
    l->parent_twist = *v;
}

// Propagates the parent's change of velocity to a link.
INLINE void propagate_down(const eri_tree_solver *r, int i, double *V)
{
    tree_link *l = &r->link[i];
    eri_lanes above = *velocity_at(V, r->state[r->state[i].parent].offset), change = above - l->parent_twist;
    *velocity_at(V, r->state[i].offset) += times(l->from_parent, &change);
    l->parent_twist = above;
}

INLINE void follow_path(const eri_tree_solver *r, const tree_path *path, double *V)
{
    const int *step = (const int *)(const void *)r->path_steps.bytes;
    for (int k = path->first; k < path->turn; ++k)
        propagate_up(r, step[k], V);
    for (int k = path->turn; k < path->last; ++k)
        propagate_down(r, step[k], V);
}

// Brings all impulses to the velocities of an articulation.
INLINE void flush_cursor(eri_tree_solver *r, tree_cursor *p, double *V)
{
    for (int i = p->link; i >= 0 && r->state[i].parent >= 0; i = r->state[i].parent)
        propagate_up(r, i, V);
    for (int i = p->first; i < p->end; ++i)
        if (r->state[i].parent >= 0) propagate_down(r, i, V);
    apply_loop_forces(r, p, V);
}

ERI_LANES_DO(reset_cursors, (eri_contacts * s), (s))
{
    for (int i = 0; i < s->tree.solver->cursor_count; ++i)
        reset_cursor(s->tree.solver, &s->tree.solver->cursor[i], s->state.V);
}

ERI_LANES_DO(flush_cursors, (eri_contacts * s), (s))
{
    for (int i = 0; i < s->tree.solver->cursor_count; ++i)
        flush_cursor(s->tree.solver, &s->tree.solver->cursor[i], s->state.V);
}

// Applies a wrench to a link at which its cursor is.
INLINE void apply_wrench(eri_tree_solver *r, int i, const eri_lanes *wrench, double *V)
{
    tree_link *l = &r->link[i];
    *velocity_at(V, r->state[i].offset) += times(l->mobility, wrench);
    l->wrench += *wrench;
}

ERI_LANES_DO(propagate_all, (eri_contacts * s), (s))
{
    for (int i = 0; i < s->tree.solver->cursor_count; ++i)
        propagate(s->tree.solver, &s->tree.solver->cursor[i], s->state.V);
}

// Velocities of one side, loop forces included.
INLINE lane_bodies velocities(const eri_tree_solver *r, const eri_tree_constraint *k, int end, double *V)
{
    eri_lanes row[ERI_LANE_COUNT];
    if (!k->side_moves[end]) return (lane_bodies){.w = {{0}, {0}, {0}}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        row[l] = *velocity_at(V, k->offset[end][l]);
    for (int l = 0; l < ERI_LANE_COUNT && k->has_loop_rows; ++l) {
        int i = k->link[end][l];
        const tree_cursor *w = &r->cursor[i >= 0 ? r->state[i].cursor : 0];
        for (int m = 0; i >= 0 && m < w->row_count; ++m)
            row[l] += w->force[m] * r->state[i].row[m];
    }
    transpose(row);
    return (lane_bodies){.w = {row[0], row[1], row[2]}, .v = {row[3], row[4], row[5]}};
}

INLINE contact_vector world_impulse(const eri_tree_constraint *k, const eri_lanes x[3])
{
    return add(scale(x[0], k->n), add(scale(x[1], k->t), scale(x[2], cross(k->n, k->t))));
}

// The wrenches of an impulse on one side, a row for each lane.
INLINE void wrenches(const eri_tree_constraint *k, int end, contact_vector p, eri_lanes row[ERI_LANE_COUNT])
{
    const eri_lanes none = {0};
    if (end == 0) p = scale(splat(-1.0), p);
    contact_vector torque = cross(k->arm[end], p);
    row[0] = torque.x, row[1] = torque.y, row[2] = torque.z;
    row[3] = p.x, row[4] = p.y, row[5] = p.z, row[6] = row[7] = none;
    transpose(row);
}

// Bits of the lanes whose impulse is not 0.
INLINE int lanes_with_impulse(const eri_lanes impulse[3])
{
    const eri_mask bit = {1, 2, 4, 8, 16, 32, 64, 128};
    eri_lanes size =
        eri_lanes_magnitude(impulse[0]) + eri_lanes_magnitude(impulse[1]) + eri_lanes_magnitude(impulse[2]);
    eri_mask m = eri_lanes_below(splat(0.0), size) & bit;
    m |= __builtin_shufflevector(m, m, 4, 5, 6, 7, 0, 1, 2, 3);
    m |= __builtin_shufflevector(m, m, 2, 3, 0, 1, 6, 7, 4, 5);
    return (int)(m[0] | m[1]);
}

// Applies an impulse while cursors are at the second sides; then they are at the first.
INLINE void apply_impulse(eri_contacts *s, const eri_tree_constraint *k, const eri_lanes impulse[3])
{
    eri_tree_solver *r = s->tree.solver;
    contact_vector p = world_impulse(k, impulse);
    int lanes = lanes_with_impulse(impulse);
    for (int e = 1; e >= 0; --e) {
        eri_lanes row[ERI_LANE_COUNT];
        if (e == 0) follow_path(r, &k->back_to_first, s->state.V);
        if (!k->side_moves[e]) continue;
        wrenches(k, e, p, row);
        for (int left = lanes & k->link_lanes[e]; left != 0; left &= left - 1) {
            int l = __builtin_ctz((unsigned)left);
            apply_wrench(r, k->link[e][l], &row[l], s->state.V);
            if (k->has_loop_rows) add_loop_forces(r, k->link[e][l], row[l]);
        }
    }
}

// Adds an impulse wherever cursors are; propagate() brings it to V.
INLINE void add_impulse(eri_contacts *s, const eri_tree_constraint *k, const eri_lanes impulse[3])
{
    contact_vector p = world_impulse(k, impulse);
    int lanes = lanes_with_impulse(impulse);
    for (int e = 1; e >= 0; --e) {
        eri_lanes row[ERI_LANE_COUNT];
        if (!k->side_moves[e]) continue;
        wrenches(k, e, p, row);
        for (int left = lanes & k->link_lanes[e]; left != 0; left &= left - 1) {
            int l = __builtin_ctz((unsigned)left);
            add_wrench(s->tree.solver, k->link[e][l], row[l]);
        }
    }
}

// ---- Prepare

// Adds the mobility of a side's contact point, lane by lane: v + w x arm of the twist (w; v) by a force there.
INLINE void add_point_mobility(const eri_tree_solver *r, const eri_tree_constraint *k, int e, lanes_matrix *P)
{
    eri_lanes row[3][ERI_LANE_COUNT] = {{{0}}};
    for (int left = k->link_lanes[e]; left != 0; left &= left - 1) {
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

// K of contacts whose sides are not coupled; 1 in empty lanes.
INLINE void prepare_k(const eri_tree_solver *r, eri_tree_constraint *k)
{
    const eri_lanes none = {0}, one = splat(1.0);
    const contact_vector axis[3] = {k->n, k->t, cross(k->n, k->t)};
    lanes_matrix P = {{{none, none, none}, {none, none, none}, {none, none, none}}};
    for (int e = 0; e < 2; ++e)
        if (k->link_lanes[e] != 0) add_point_mobility(r, k, e, &P);
    for (int d = 0; d < 3; ++d) {
        const contact_vector moved = {dot(P.row[0], axis[d]), dot(P.row[1], axis[d]), dot(P.row[2], axis[d])};
        for (int e = 0; e <= d; ++e)
            k->K[d][e] = k->K[e][d] = dot(axis[e], moved);
    }
    eri_mask is_used = eri_lanes_below(none, k->K[0][0]);
    for (int d = 0; d < 3; ++d)
        k->K[d][d] = eri_lanes_choose(is_used, k->K[d][d], one);
    eri_lanes x = k->K[1][1], y = k->K[2][2], xy = k->K[1][2];
    k->tangent_k = 0.5 * (x + y + root((x - y) * (x - y) + 4.0 * xy * xy));
    k->tangent_k = eri_lanes_choose(eri_lanes_below(singular_tol * k->K[0][0], k->tangent_k), k->tangent_k, k->K[0][0]);
}

// Contact points are scattered in memory: prefetch those of the next constraint.
INLINE void prefetch(const eri_tree_constraint *k)
{
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        for (size_t line = 0; line < sizeof(eri_contact_point) && k->point[l] != NULL; line += 64)
            __builtin_prefetch((const char *)k->point[l] + line);
}

// Loads offsets and links lane by lane, and the numbers of the contact points as eight rows turned to lanes.
ERI_LANES_DO(load_constraint, (const eri_contacts *s, eri_tree_constraint *k), (s, k))
{
    if (k + 1 < s->tree.constraint + s->tree.count) prefetch(k + 1);
    eri_lanes arm[ERI_LANE_COUNT] = {{0}}, is[ERI_LANE_COUNT] = {{0}}, has[ERI_LANE_COUNT] = {{0}};
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        eri_contact_point *c = k->point[l];
        k->offset[0][l] = k->offset[1][l] = 0;
        k->link[0][l] = k->link[1][l] = -1;
        if (c == NULL) continue;
        for (int e = 0; e < 2; ++e) {
            k->offset[e][l] = offset_of(&s->bodies, c->shape[e]);
            k->link[e][l] = link_of(s, c->shape[e]);
            k->side_moves[e] |= k->offset[e][l] != 0;
            k->link_lanes[e] |= (k->link[e][l] >= 0) << l;
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
    k->initial_distance = k->distance = is[6];
    k->friction = is[7];
    memset(k->total, 0, sizeof k->total);
    memset(k->impulse_time, 0, sizeof k->impulse_time);
    memcpy(k->impulse, has, sizeof k->impulse);
    for (int l = 0; l < ERI_LANE_COUNT && k->drive != NULL; ++l)
        if (k->point[l] != NULL) put_drive(s, k->point[l], k->drive, l);
    for (int l = 0; l < ERI_LANE_COUNT && k->grain != NULL; ++l)
        if (k->point[l] != NULL) k->grain->lane[l] = eri_grain_at(s, k->point[l]);
    prepare_k(s->tree.solver, k);
}

static void clear_lane(eri_tree_constraint *k, int lane)
{
    const er_vec3 none = {0, 0, 0};
    k->point[lane] = NULL;
    for (int e = 0; e < 2; ++e) {
        k->offset[e][lane] = 0;
        k->link[e][lane] = -1;
        k->link_lanes[e] &= ~(1 << lane);
    }
    put(&k->n, lane, none);
    put(&k->t, lane, none);
    k->initial_distance[lane] = k->distance[lane] = 0.0;
    for (int d = 0; d < 3; ++d)
        k->impulse[d][lane] = 0.0;
}

// K of a lane whose sides are coupled, or move loops.
static void set_coupled_k(const er_world *w, eri_tree_constraint *k, int lane)
{
    eri_contact_constraint c = eri_contact_constraint_of(w, k->point[lane]);
    eri_contact_constraint_prepare(w, &c);
    if (!c.can_part) {
        clear_lane(k, lane);
        return;
    }
    k->tangent_k[lane] = c.tangent_k;
    for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
            k->K[d][e][lane] = c.K[d][e];
}

// Sorts the contacts by the first link that they touch.   @param order  [point_count], written
static er_result sort_points(const eri_contacts *s, int *order)
{
    er_result r = ER_OK;
    const eri_tree_solver *all = s->tree.solver;
    int *key, *first;
    ERI_TRY_RESERVE(key, s->narrow.now.arena, int, all->point_count);
    ERI_TRY_NEW(first, s->narrow.now.arena, int, all->link_count + 1);
    for (int i = 0; i < all->point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[all->point[i]];
        int a = link_of(s, c->shape[0]), b = link_of(s, c->shape[1]);
        key[i] = a < 0 || (b >= 0 && b < a) ? b : a;
        ++first[key[i] + 1];
    }
    for (int k = 0; k < all->link_count; ++k)
        first[k + 1] += first[k];
    for (int i = 0; i < all->point_count; ++i)
        order[first[key[i]]++] = all->point[i];
done:
    return r;
}

// The first constraint from an index on that has a free lane.
// @param next  [constraints]: the index itself if it has a free lane, otherwise a later one to look at
static int free_constraint(int *next, int from)
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

// Chooses a contact's lane. The contacts of an articulation get successive constraints, in the order of its limbs.
static int assign_lane(eri_tree_solver *r, int a, int b, int *next, int *used)
{
    tree_cursor *first = &r->cursor[r->state[a >= 0 ? a : b].cursor],
                *second = &r->cursor[r->state[b >= 0 ? b : a].cursor];
    int a_next = first->next_constraint, b_next = second->next_constraint;
    int constraint = free_constraint(next, a_next > b_next ? a_next : b_next), lane = used[constraint]++;
    if (lane == ERI_LANE_COUNT - 1) next[constraint] = constraint + 1;
    first->next_constraint = second->next_constraint = constraint + 1;
    return ERI_LANE_COUNT * constraint + lane;
}

// Adds the steps up from a cursor to the common ancestor of its link and another; returns the ancestor.
static int add_steps_up(eri_tree_solver *r, int to)
{
    int i = r->cursor[r->state[to].cursor].link;
    for (; i >= 0 && !is_ancestor(r, i, to); i = r->state[i].parent)
        if (r->state[i].parent >= 0) eri_buffer_add(&r->path_steps, &i, sizeof i);
    return i;
}

// Adds the steps down from a link, or from the ground.
static void add_steps_down(eri_tree_solver *r, int from, int to)
{
    size_t count = 0;
    for (int i = to; i != from; i = r->state[i].parent)
        count += r->state[i].parent >= 0;
    int *step = eri_buffer_grow(&r->path_steps, count * sizeof *step);
    for (int i = to; i != from && step != NULL; i = r->state[i].parent)
        if (r->state[i].parent >= 0) step[--count] = i;
    r->cursor[r->state[to].cursor].link = to;
}

// Adds the paths of cursors to the first sides of some lanes and to the second sides of others.
static tree_path find_path(eri_tree_solver *r, const eri_tree_constraint *k, int first, int second)
{
    const int lanes[2] = {first, second}, size = (int)sizeof(int);
    int from[2][ERI_LANE_COUNT];
    tree_path out = {.first = (int)r->path_steps.size / size};
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (lanes[e] >> l & 1) from[e][l] = add_steps_up(r, k->link[e][l]);
    out.turn = (int)r->path_steps.size / size;
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (lanes[e] >> l & 1) add_steps_down(r, from[e][l], k->link[e][l]);
    out.last = (int)r->path_steps.size / size;
    return out;
}

// Bits of the lanes whose sides are one articulation.
static int coupled_lanes(const eri_tree_solver *r, const eri_tree_constraint *k)
{
    int out = 0;
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        int a = k->link[0][l], b = k->link[1][l];
        if (a >= 0 && b >= 0 && r->state[a].cursor == r->state[b].cursor) out |= 1 << l;
    }
    return out;
}

static bool has_loop_rows(const eri_tree_solver *r, const eri_tree_constraint *k)
{
    bool out = false;
    for (int e = 0; e < 2; ++e)
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (k->link[e][l] >= 0) out |= r->cursor[r->state[k->link[e][l]].cursor].row_count > 0;
    return out;
}

static void find_paths(eri_tree_solver *r, eri_tree_constraint *k, int coupled)
{
    k->to_first = find_path(r, k, k->link_lanes[0], k->link_lanes[1] & ~coupled);
    k->to_second = find_path(r, k, 0, coupled);
    k->back_to_first = find_path(r, k, coupled, 0);
}

// @param lane  [point_count], written: each contact's lane, counted over all constraints
static er_result assign_lanes(eri_contacts *s, const int *order, int *lane)
{
    er_result r = ER_OK;
    int *next, *used, count = s->tree.solver->point_count;
    ERI_TRY_RESERVE(next, s->narrow.now.arena, int, count + 1);
    ERI_TRY_NEW(used, s->narrow.now.arena, int, count + 1);
    for (int i = 0; i <= count; ++i)
        next[i] = i;
    for (int i = 0; i < count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[order[i]];
        lane[i] = assign_lane(s->tree.solver, link_of(s, c->shape[0]), link_of(s, c->shape[1]), next, used);
        if (lane[i] / ERI_LANE_COUNT >= s->tree.count) s->tree.count = lane[i] / ERI_LANE_COUNT + 1;
    }
done:
    return r;
}

static er_result prepare_constraints(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_tree_solver *all = s->tree.solver;
    int *order, *lane;
    size_t room = 1; // a power of two: the arena reuses blocks that are large enough
    ERI_TRY_RESERVE(order, s->narrow.now.arena, int, all->point_count);
    ERI_TRY_RESERVE(lane, s->narrow.now.arena, int, all->point_count);
    ERI_TRY(sort_points(s, order));
    ERI_TRY(assign_lanes(s, order, lane));
    while (room < (size_t)s->tree.count)
        room *= 2;
    ERI_TRY_RESERVE(s->tree.constraint, s->narrow.now.arena, eri_tree_constraint, room);
    eri_constraint_drive *drive = NULL;
    eri_constraint_grain *grain = NULL;
    if (s->narrow.drive != NULL) ERI_TRY_NEW(drive, s->narrow.now.arena, eri_constraint_drive, s->tree.count);
    if (s->narrow.grain != NULL) ERI_TRY_NEW(grain, s->narrow.now.arena, eri_constraint_grain, s->tree.count);
    for (int i = 0; i < s->tree.count; ++i) {
        memset(&s->tree.constraint[i], 0, offsetof(eri_tree_constraint, n));
        s->tree.constraint[i].drive = drive != NULL ? &drive[i] : NULL;
        s->tree.constraint[i].grain = grain != NULL ? &grain[i] : NULL;
    }
    for (int i = 0; i < all->point_count; ++i)
        s->tree.constraint[lane[i] / ERI_LANE_COUNT].point[lane[i] % ERI_LANE_COUNT] = &s->narrow.now.point[order[i]];
    all->path_steps = (eri_buffer){.arena = s->narrow.now.arena};
    for (int i = 0; i < s->tree.count; ++i) {
        eri_tree_constraint *k = &s->tree.constraint[i];
        load_constraint(s, k);
        k->has_loop_rows = has_loop_rows(all, k);
        int coupled = coupled_lanes(all, k);
        int coupled_or_looped = k->has_loop_rows ? k->link_lanes[0] | k->link_lanes[1] : coupled;
        for (int l = 0; l < ERI_LANE_COUNT; ++l)
            if (coupled_or_looped >> l & 1) set_coupled_k(w, k, l);
        find_paths(all, k, coupled & k->link_lanes[0]);
    }
    ERI_TRY(all->path_steps.failure);
done:
    return r;
}

er_result eri_tree_constraints_prepare(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    s->tree.count = 0;
    s->tree.solver = NULL;
    if (s->bodies.articulation_count == 0) return ER_OK;
    ERI_TRY(eri_tree_links_create(w));
    ERI_TRY(prepare_constraints(w));
done:
    return r;
}

// ---- Solve

ERI_LANES_DO(warm_start_all, (eri_contacts * s), (s))
{
    for (int i = 0; i < s->tree.count; ++i)
        add_impulse(s, &s->tree.constraint[i], s->tree.constraint[i].impulse);
}

void eri_tree_constraints_warm_start(eri_contacts *s)
{
    if (s->tree.count == 0) return;
    reset_cursors(s);
    warm_start_all(s);
    propagate_all(s);
}

// The velocity of the second side's point relative to the first's; also of displacements.
INLINE contact_vector relative_velocity(const eri_tree_constraint *k, const lane_bodies b[2])
{
    contact_vector first = add(b[0].v, cross(b[0].w, k->arm[0])), second = add(b[1].v, cross(b[1].w, k->arm[1]));
    return sub(second, first);
}

INLINE void relative_speeds(const eri_tree_constraint *k, const lane_bodies b[2], eri_lanes out[3])
{
    contact_vector v = relative_velocity(k, b);
    out[0] = dot(k->n, v);
    out[1] = dot(k->t, v);
    out[2] = dot(cross(k->n, k->t), v);
}

// Finds whether lanes stick that have a grain.
INLINE void check_grain(const eri_constraint_grain *grain, eri_lanes n, eri_lanes x, eri_lanes y, eri_mask possible,
                        eri_mask *sticks)
{
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        const double p[2] = {x[l], y[l]};
        if (grain->lane[l] != NULL) (*sticks)[l] = possible[l] & -(long)eri_grain_holds(grain->lane[l], n[l], p);
    }
}

// Replaces the changes of friction in lanes that slide and have a grain.
INLINE void follow_grain(const eri_constraint_grain *grain, eri_mask slides, const eri_lanes *impulse, eri_lanes a,
                         eri_lanes b, eri_lanes change[2])
{
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        double p[2] = {a[l], b[l]};
        if (grain->lane[l] == NULL || slides[l] == 0) continue;
        eri_grain_clamp(grain->lane[l], impulse[0][l], p);
        for (int d = 0; d < 2; ++d)
            change[d][l] = p[d] - impulse[1 + d][l];
    }
}

// Finds the impulses that leave the speed `target` along the normal and none along the tangents, and takes them in
// lanes where they are within the friction cone.   @return the other lanes
INLINE eri_mask stick(eri_lanes K[3][3], eri_lanes target, eri_lanes friction, const eri_constraint_grain *grain,
                      const eri_lanes *speed, eri_lanes *impulse)
{
    eri_lanes a = K[1][1] * K[2][2] - K[1][2] * K[1][2], b = K[1][2] * K[0][2] - K[0][1] * K[2][2];
    eri_lanes c = K[0][1] * K[1][2] - K[1][1] * K[0][2], det = K[0][0] * a + K[0][1] * b + K[0][2] * c;
    eri_mask is_regular = eri_lanes_below(singular_tol * K[0][0] * K[1][1] * K[2][2], det);
    eri_lanes p = target - speed[0], q = -speed[1], r = -speed[2],
              s = 1.0 / eri_lanes_choose(is_regular, det, splat(1.0));
    eri_lanes e = K[0][0] * K[2][2] - K[0][2] * K[0][2], f = K[0][1] * K[0][2] - K[0][0] * K[1][2];
    eri_lanes g = K[0][0] * K[1][1] - K[0][1] * K[0][1];
    eri_lanes n = impulse[0] + s * (a * p + b * q + c * r);
    eri_lanes x = impulse[1] + s * (b * p + e * q + f * r), y = impulse[2] + s * (c * p + f * q + g * r);
    eri_lanes most = friction * n;
    eri_mask possible = is_regular & ~eri_lanes_below(n, splat(0.0));
    eri_mask sticks = possible & ~eri_lanes_below(most * most, x * x + y * y);
    if (grain != NULL) check_grain(grain, n, x, y, possible, &sticks);
    impulse[0] = eri_lanes_choose(sticks, n, impulse[0]);
    impulse[1] = eri_lanes_choose(sticks, x, impulse[1]);
    impulse[2] = eri_lanes_choose(sticks, y, impulse[2]);
    return ~sticks;
}

// Finds, by iteration, the impulses of lanes that slide or part: the speed `target` along the normal, and friction on
// the cone against the slip.
// @param speed  read and written: kept up with the impulses
INLINE void slide(eri_mask slides, eri_lanes K[3][3], eri_lanes tangent_k, eri_lanes target, eri_lanes friction,
                  const eri_constraint_grain *grain, eri_lanes *speed, eri_lanes *impulse)
{
    const eri_lanes none = {0}, normal = 1.0 / K[0][0], tangent = 1.0 / tangent_k;
    for (int round = 0; round < MAX_ITERATIONS && any(slides); ++round) {
        eri_lanes n = eri_lanes_larger(impulse[0] - (speed[0] - target) * normal, none);
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
        eri_lanes along[2] = {eri_lanes_choose(slides, share * a - impulse[1], none),
                              eri_lanes_choose(slides, share * b - impulse[2], none)};
        if (grain != NULL) follow_grain(grain, slides, impulse, a, b, along);
        impulse[1] += along[0], impulse[2] += along[1];
        for (int d = 0; d < 3; ++d)
            speed[d] += K[d][1] * along[0] + K[d][2] * along[1];
        eri_lanes change = eri_lanes_magnitude(dn) + eri_lanes_magnitude(along[0]) + eri_lanes_magnitude(along[1]);
        slides &= eri_lanes_below(converged * impulse[0], change);
    }
}

INLINE void solve_one(eri_contacts *s, eri_tree_constraint *k, const eri_worker_context *p, eri_softness soft,
                      bool use_bias)
{
    const double h = p->h;
    const eri_lanes none = {0};
    lane_bodies b[2];
    follow_path(s->tree.solver, &k->to_first, s->state.V);
    b[0] = velocities(s->tree.solver, k, 0, s->state.V);
    follow_path(s->tree.solver, &k->to_second, s->state.V);
    b[1] = velocities(s->tree.solver, k, 1, s->state.V);
    eri_lanes speed[3], impulse[3], K[3][3];
    relative_speeds(k, b, speed);
    if (k->drive != NULL) {
        contact_vector driven = drive_at(k->drive, p->middle);
        speed[0] += dot(k->n, driven);
        speed[1] += dot(k->t, driven);
        speed[2] += dot(cross(k->n, k->t), driven);
    }
    if (!use_bias) { // positions have changed since the other sweep
        for (int e = 0; e < 2; ++e)
            if (k->side_moves[e]) b[e] = load_velocities(s->state.displacement, k->offset[e]);
        k->distance = k->initial_distance + dot(k->n, relative_velocity(k, b));
        if (k->drive != NULL) k->distance += dot(k->n, drive_until(k->drive, p->begin + h));
    }
    if (use_bias) k->warm_limit = k->impulse[0] + p->impact_speed / k->K[0][0];
    eri_mask overlaps = eri_lanes_below(k->distance, splat(1e-300));
    eri_lanes compliance = eri_lanes_choose(overlaps, soft.compliance * k->K[0][0], none);
    eri_lanes back = eri_lanes_larger(soft.bias_rate * k->distance, splat(-soft.push_out));
    eri_lanes target = -eri_lanes_choose(overlaps, back, k->distance * (1.0 / h));
    memcpy(K, k->K, sizeof K);
    memcpy(impulse, k->impulse, sizeof impulse);
    K[0][0] += compliance; // w + bias_rate distance + compliance impulse = 0
    speed[0] += compliance * impulse[0] * (1.0 - ERI_LOAD_SHARE);
    eri_mask slides = stick(K, target, k->friction, k->grain, speed, impulse);
    slide(slides, K, k->tangent_k, target, k->friction, k->grain, speed, impulse);
    eri_lanes change[3];
    for (int d = 0; d < 3; ++d) {
        change[d] = impulse[d] - k->impulse[d];
        k->impulse[d] = impulse[d];
        if (use_bias)
            k->impulse_time[d] += h * (k->total[d] + impulse[d]);
        else
            k->total[d] += impulse[d];
    }
    apply_impulse(s, k, change);
}

ERI_LANES_DO(solve_all, (eri_contacts * s, const eri_worker_context *p, eri_softness soft, bool use_bias),
             (s, p, soft, use_bias))
{
    for (int i = 0; i < s->tree.count; ++i)
        solve_one(s, &s->tree.constraint[i], p, soft, use_bias);
}

void eri_tree_constraints_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, bool use_bias)
{
    if (s->tree.count == 0) return;
    if (use_bias) reset_cursors(s);
    solve_all(s, p, soft, use_bias);
    flush_cursors(s);
}

ERI_LANES_DO(drop_all_impacts, (eri_contacts * s), (s))
{
    for (int i = 0; i < s->tree.count; ++i) {
        eri_tree_constraint *k = &s->tree.constraint[i];
        eri_mask impacts = eri_lanes_below(k->warm_limit, k->impulse[0]);
        if (!any(impacts)) continue;
        eri_lanes share = k->warm_limit / eri_lanes_choose(impacts, k->impulse[0], k->warm_limit), change[3];
        for (int d = 0; d < 3; ++d) {
            change[d] = eri_lanes_choose(impacts, (share - 1.0) * k->impulse[d], splat(0.0));
            k->impulse[d] += change[d];
        }
        add_impulse(s, k, change);
    }
}

void eri_tree_constraints_drop_impacts(eri_contacts *s)
{
    bool has_impact = false;
    for (int i = 0; i < s->tree.count; ++i)
        has_impact |= any(eri_lanes_below(s->tree.constraint[i].warm_limit, s->tree.constraint[i].impulse[0]));
    if (!has_impact) return;
    reset_cursors(s);
    drop_all_impacts(s);
    propagate_all(s);
}

void eri_contact_constraint_solve(double K[3][3], double tangent_k, double target, double friction,
                                  const eri_contact_grain *grain, double *speed, double *impulse)
{
    const eri_constraint_grain first = {{grain}}, *grains = grain != NULL ? &first : NULL;
    eri_lanes eight[3][3], speeds[3], impulses[3];
    for (int d = 0; d < 3; ++d) {
        speeds[d] = splat(speed[d]);
        impulses[d] = splat(impulse[d]);
        for (int e = 0; e < 3; ++e)
            eight[d][e] = splat(K[d][e]);
    }
    eri_mask slides = stick(eight, splat(target), splat(friction), grains, speeds, impulses);
    slide(slides, eight, splat(tangent_k), splat(target), splat(friction), grains, speeds, impulses);
    for (int d = 0; d < 3; ++d)
        impulse[d] = impulses[d][0];
}

// ---- Finish

static int tree_velocities(const eri_solver_bodies *s)
{
    if (s->articulation_count == 0) return 0;
    const eri_articulation *last = &s->articulation[s->articulation_count - 1];
    return last->first_velocity + last->velocity_count;
}

static void store_impulses(const eri_contacts *s)
{
    for (int i = 0; i < s->tree.count; ++i)
        for (int l = 0; l < ERI_LANE_COUNT; ++l) {
            const eri_tree_constraint *k = &s->tree.constraint[i];
            eri_contact_point *c = k->point[l];
            if (c == NULL) continue;
            c->distance = k->distance[l];
            for (int d = 0; d < 3; ++d)
                c->impulse[d] = k->impulse[d][l], c->total[d] = k->total[d][l];
        }
}

// One lane as a single constraint.
static eri_contact_constraint constraint_at(const eri_tree_constraint *k, int lane)
{
    eri_contact_constraint c = {.point = k->point[lane]};
    er_vec3 n = {k->n.x[lane], k->n.y[lane], k->n.z[lane]}, t = {k->t.x[lane], k->t.y[lane], k->t.z[lane]};
    c.frame = (eri_contact_frame){{n, t, er_v3_cross(n, t)}};
    for (int side = 0; side < 2; ++side) {
        c.offset[side] = k->offset[side][lane];
        c.arm[side] = er_v3(k->arm[side].x[lane], k->arm[side].y[lane], k->arm[side].z[lane]);
    }
    return c;
}

// Subtracts a contact's impulses, and their integrals, from the wrenches of limbs. Returns the energy that it took,
// from the mean of the velocities before and after, of a solver body on the other side too.
static double add_impulses(const er_world *w, const eri_contact_constraint *c, const double impulse_time[3],
                           double *wrench, double *wrench_time)
{
    static const eri_restitution_impulse none;
    const eri_contacts *s = w->contacts;
    const eri_contact_point *at = c->point;
    const eri_restitution_impulse *restitution =
        s->restitution.impulse != NULL ? &s->restitution.impulse[at - s->narrow.now.point] : &none;
    const eri_contact_frame *frame = &c->frame;
    er_vec3 total = eri_contact_frame_sum(frame, at->total);
    er_vec3 all = er_v3_add(total, eri_contact_frame_sum(frame, restitution->impulse));
    er_vec3 all_time =
        er_v3_add(eri_contact_frame_sum(frame, impulse_time), eri_contact_frame_sum(frame, restitution->impulse_time));
    double heat = 0.0;
    for (int side = 0; side < 2; ++side) {
        int offset = c->offset[side], limb = (offset - s->bodies.limbs_offset) / ERI_LANE_COUNT;
        bool is_body = offset < s->bodies.limbs_offset;
        if (offset == 0 || (is_body && offset >= ERI_LANE_COUNT * s->bodies.static_count)) continue;
        eri_lanes mean = *velocity_at(s->state.initial, offset) + *velocity_at(s->state.V, offset);
        heat -= 0.5 * eri_lanes_sum(side_wrench(c, side, total) * mean);
        if (is_body) continue;
        if (er_v3_norm(all) > 0.0)
            s->bodies.articulation[s->bodies.index_of[w->tree->link[limb].body].articulation].has_impulse = true;
        eri_lanes f = side_wrench(c, side, all), g = side_wrench(c, side, all_time);
        for (int i = 0; i < 6; ++i)
            wrench[6 * limb + i] -= f[i], wrench_time[6 * limb + i] -= g[i];
    }
    return heat;
}

// Adds what contacts change the rates and coordinates of trees by.
static er_result add_contacts(er_world *w, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double *wrench[2], *out[2] = {s->state.rate_change, s->state.coordinate_change}, *change;
    for (int k = 0; k < 2; ++k)
        ERI_TRY_NEW(wrench[k], s->narrow.now.arena, double, 6 * (size_t)w->multibody->jointed_count);
    ERI_TRY_NEW(change, s->narrow.now.arena, double, w->multibody->velocity_count);
    for (int i = 0; i < ERI_LANE_COUNT * s->tree.count; ++i) {
        const eri_tree_constraint *k = &s->tree.constraint[i / ERI_LANE_COUNT];
        int l = i % ERI_LANE_COUNT;
        const eri_contact_constraint c = constraint_at(k, l);
        const double impulse_time[3] = {k->impulse_time[0][l], k->impulse_time[1][l], k->impulse_time[2][l]};
        if (c.point != NULL) *heat += add_impulses(w, &c, impulse_time, wrench[0], wrench[1]);
    }
    for (int k = 0; k < 2; ++k) {
        eri_minimal_yield(w, wrench[k], change);
        if (k == 0) eri_joint_loads_add_loops(w, 1.0, false);
        for (int i = 0; i < tree_velocities(&s->bodies); ++i)
            out[k][i] += change[i];
    }
done:
    return r;
}

// Adds what forces change the rates and coordinates by: as sub-steps sum up, or for a swing with the rates at the end,
// which conserves its energy.
static void add_forces(const eri_contacts *s, const eri_articulation *g, double h, int n)
{
    double part = g->flies ? 0.5 : eri_articulation_swings(g) ? 1.0 : 0.5 * (n + 1) / n;
    for (int i = g->first_velocity; i < g->first_velocity + g->velocity_count; ++i) {
        s->state.rate_change[i] += h * s->state.du[i];
        s->state.coordinate_change[i] += h * (s->state.u[i] + part * h * s->state.du[i]);
    }
}

er_result eri_tree_constraints_finish(er_world *w, double h, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    size_t size = (size_t)tree_velocities(&s->bodies) * sizeof(double);
    store_impulses(s);
    if (size == 0) return eri_bounded_rows_finish(w, h, heat);
    memset(s->state.rate_change, 0, size);
    memset(s->state.coordinate_change, 0, size);
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        s->bodies.articulation[i].has_impulse = false;
    if (s->tree.count > 0) ERI_TRY(add_contacts(w, heat));
    ERI_TRY(eri_bounded_rows_finish(w, h, heat));
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        add_forces(s, &s->bodies.articulation[i], h, s->state.substeps);
done:
    return r;
}
