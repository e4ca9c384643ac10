/// @file
/// The links of articulations that contacts touch, and single contact constraints on them.
#include "dynamics/contact/tree_links.h"

#include <math.h>
#include <string.h>

#include "dynamics/contact/bounded_rows.h"

// ---- Links

// Lists the contacts on articulations that are awake.   @param point  [point_count], written
static int list_points(const eri_contacts *s, int *point)
{
    int count = 0;
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        bool is_on_tree = s->bodies.limb[c->shape[0]] >= 0 || s->bodies.limb[c->shape[1]] >= 0;
        if (is_on_tree && !eri_contact_is_asleep(s, c)) point[count++] = i;
    }
    return count;
}

// Marks a limb and its ancestors; -1: none.
static void mark_limbs(const er_world *w, eri_tree_solver *r, int limb)
{
    for (int l = limb; l >= 0 && r->link_of_limb[l] < 0; l = w->tree->link[l].parent) {
        r->link_of_limb[l] = 0;
        ++r->link_count;
    }
}

// Marks the solver bodies and limbs that contacts and rows touch, and the ancestors of the limbs; counts them.
static void mark_links(const er_world *w, eri_tree_solver *r)
{
    const eri_contacts *s = w->contacts;
    memset(r->link_of_limb, -1, (size_t)w->multibody->jointed_count * sizeof(int));
    memset(r->link_of_body, -1, (size_t)s->bodies.count * sizeof(int));
    r->link_count = 0;
    for (int i = 0; i < r->point_count; ++i)
        for (int k = 0; k < 2; ++k) {
            int shape = s->narrow.now.point[r->point[i]].shape[k];
            if (s->bodies.limb[shape] < 0 && s->bodies.slot[shape] >= s->bodies.static_count) {
                r->link_count += r->link_of_body[s->bodies.slot[shape]] < 0;
                r->link_of_body[s->bodies.slot[shape]] = 0;
            }
            mark_limbs(w, r, s->bodies.limb[shape]);
        }
    for (int i = 0; i < s->rows.count; ++i)
        for (int k = 0; k < s->rows.row[i].side_count; ++k)
            mark_limbs(w, r, s->rows.row[i].side[k].limb);
}

// A limb's mobility: by its joint, and by its parent's mobility.
ERI_LANES_DO(prepare_limb_link, (const er_world *w, eri_tree_solver *r, int index, int limb), (w, r, index, limb))
{
    tree_link *l = &r->link[index];
    eri_lanes across[ERI_LANE_COUNT] = {{0}}, half[6];
    eri_minimal_link(w, limb, across, l->mobility);
    if (r->state[index].parent < 0) return;
    const eri_lanes *M = r->link[r->state[index].parent].mobility, *row = across;
    for (int c = 0; c < 6; ++c)
        half[c] = (M[0] * row[c][0] + M[1] * row[c][1]) + (M[2] * row[c][2] + M[3] * row[c][3]) +
                  (M[4] * row[c][4] + M[5] * row[c][5]); // M across'
    transpose(across);
    memcpy(l->from_parent, across, sizeof l->from_parent);
    for (int c = 0; c < 6; ++c)
        l->mobility[c] += times(l->from_parent, &half[c]);
}

static void prepare_body_link(const eri_solver_body *b, tree_link *l)
{
    const double *I = b->inverse_inertia, m = b->inverse_mass;
    const eri_lanes own[6] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]},
                              {0, 0, 0, m},       {0, 0, 0, 0, m},    {0, 0, 0, 0, 0, m}};
    memcpy(l->mobility, own, sizeof own);
}

static er_result prepare_loop_rows(er_world *w, tree_cursor *p, const eri_articulation *g)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_tree_solver *all = s->tree.solver;
    int rows = eri_minimal_row_count(w);
    double *rate;
    if (rows == 0) return ER_OK;
    ERI_TRY_NEW(p->row, s->narrow.now.arena, int, rows);
    for (int m = 0; m < rows; ++m) {
        int limb = eri_minimal_row_limb(w, m);
        if (limb >= g->first_limb && limb < g->last_limb) p->row[p->row_count++] = m;
    }
    ERI_TRY_NEW(rate, s->narrow.now.arena, double, rows);
    ERI_TRY_NEW(p->force, s->narrow.now.arena, double, p->row_count);
    for (int i = p->first; i < p->end; ++i) {
        ERI_TRY_NEW(all->state[i].row, s->narrow.now.arena, eri_lanes, 2 * (size_t)p->row_count);
        all->state[i].row_force = all->state[i].row + p->row_count;
    }
    for (int m = 0; m < p->row_count; ++m) {
        const double *twist = eri_minimal_row_twists(w, p->row[m]);
        for (int i = p->first; i < p->end; ++i)
            for (int c = 0; c < 6; ++c)
                all->state[i].row[m][c] =
                    twist[6 * ((all->state[i].offset - s->bodies.limbs_offset) / ERI_LANE_COUNT) + c];
    }
    for (int i = p->first; i < p->end; ++i)
        for (int c = 0; c < 6; ++c) {
            memset(rate, 0, (size_t)rows * sizeof *rate);
            for (int m = 0; m < p->row_count; ++m)
                rate[p->row[m]] = all->state[i].row[m][c];
            eri_minimal_row_forces(w, rate);
            for (int m = 0; m < p->row_count; ++m)
                all->state[i].row_force[m][c] = rate[p->row[m]];
        }
done:
    return r;
}

static er_result prepare_articulation(er_world *w, const eri_articulation *g, int *count)
{
    eri_contacts *s = w->contacts;
    eri_tree_solver *r = s->tree.solver;
    tree_cursor *p = &r->cursor[r->cursor_count];
    p->link = -1;
    p->first = *count;
    for (int limb = g->first_limb; limb < g->last_limb; ++limb) {
        if (r->link_of_limb[limb] < 0) continue;
        int i = r->link_of_limb[limb] = (*count)++, up = w->tree->link[limb].parent;
        r->state[i] = (link_state){.offset = s->bodies.limbs_offset + ERI_LANE_COUNT * limb,
                                   .parent = up >= 0 ? r->link_of_limb[up] : -1,
                                   .end = i + 1,
                                   .cursor = r->cursor_count,
                                   .origin = eri_minimal_origin(w, limb)};
        prepare_limb_link(w, r, i, limb);
    }
    p->end = *count;
    if (p->end == p->first) return ER_OK;
    for (int i = p->end - 1; i >= p->first; --i) {
        link_state *up = &r->state[r->state[i].parent];
        if (r->state[i].parent >= 0 && up->end < r->state[i].end) up->end = r->state[i].end;
    }
    ++r->cursor_count;
    return prepare_loop_rows(w, p, g);
}

static er_result prepare_links(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_tree_solver *all = s->tree.solver;
    int count = 0;
    mark_links(w, all);
    all->cursor_count = 0;
    size_t room = 1; // a power of two: the arena reuses blocks that are large enough
    while (room < (size_t)all->link_count)
        room *= 2;
    ERI_TRY_RESERVE(all->link, s->narrow.now.arena, tree_link, room);
    ERI_TRY_RESERVE(all->state, s->narrow.now.arena, link_state, room);
    ERI_TRY_NEW(all->cursor, s->narrow.now.arena, tree_cursor, all->link_count + 1);
    for (int i = 0; i < s->bodies.articulation_count; ++i)
        ERI_TRY(prepare_articulation(w, &s->bodies.articulation[i], &count));
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        if (all->link_of_body[i] < 0) continue;
        all->state[count] =
            (link_state){.offset = ERI_LANE_COUNT * i, .parent = -1, .end = count + 1, .cursor = all->cursor_count};
        prepare_body_link(&s->bodies.body[i], &all->link[count]);
        all->cursor[all->cursor_count++] = (tree_cursor){.first = count, .end = count + 1, .link = -1};
        all->link_of_body[i] = count++;
    }
done:
    return r;
}

er_result eri_tree_links_create(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    eri_tree_solver *all;
    ERI_TRY_NEW(all, s->narrow.now.arena, eri_tree_solver, 1);
    s->tree.solver = all;
    ERI_TRY_RESERVE(all->link_of_limb, s->narrow.now.arena, int, w->multibody->jointed_count);
    ERI_TRY_RESERVE(all->link_of_body, s->narrow.now.arena, int, s->bodies.count);
    ERI_TRY_RESERVE(all->point, s->narrow.now.arena, int, s->narrow.now.point_count);
    all->point_count = list_points(s, all->point);
    ERI_TRY(prepare_links(w));
done:
    return r;
}

// ---- Single constraints

// The twist of one link by a wrench on another of the same articulation.
INLINE eri_lanes twist_by_wrench(const eri_tree_solver *r, int to, int from, eri_lanes wrench)
{
    eri_lanes f = wrench, twist = {0};
    int i = from, first = -1;
    for (; i >= 0 && !is_ancestor(r, i, to); i = r->state[i].parent)
        f = times_transposed(r->link[i].from_parent, f);
    if (i >= 0) {
        twist = times(r->link[i].mobility, &f);
        for (int k = to; k != i; first = k, k = r->state[k].parent)
            r->state[k].next = first;
        for (int k = first; k >= 0; k = r->state[k].next)
            twist = times(r->link[k].from_parent, &twist);
    }
    for (int m = 0; m < r->cursor[r->state[to].cursor].row_count; ++m)
        twist -= eri_lanes_sum(r->state[from].row_force[m] * wrench) * r->state[to].row[m];
    return twist;
}

eri_contact_constraint eri_contact_constraint_of(const er_world *w, eri_contact_point *c)
{
    const eri_contacts *s = w->contacts;
    eri_contact_constraint out = {.point = c, .frame = eri_contact_frame_of(c)};
    for (int side = 0; side < 2; ++side) {
        out.link[side] = link_of(s, c->shape[side]);
        out.offset[side] = offset_of(&s->bodies, c->shape[side]);
        out.arm[side] = er_v3_sub(c->point, *origin_of(s, c->shape[side]));
    }
    eri_solver_strikes(s, c, out.offset, out.arm);
    return out;
}

// Whether a wrench on side `from` moves side `to`.
static bool is_coupled(const er_world *w, const eri_contact_constraint *c, int to, int from)
{
    const eri_contacts *s = w->contacts;
    bool tree[2] = {c->offset[to] >= s->bodies.limbs_offset, c->offset[from] >= s->bodies.limbs_offset};
    if (tree[0] != tree[1]) return false;
    if (!tree[0]) return to == from && c->offset[to] >= ERI_LANE_COUNT * s->bodies.static_count;
    return s->tree.solver->state[c->link[to]].cursor == s->tree.solver->state[c->link[from]].cursor;
}

// The twist of side `to` by a wrench on side `from`.
INLINE eri_lanes side_twist(const er_world *w, const eri_contact_constraint *c, int to, int from, eri_lanes wrench)
{
    const eri_contacts *s = w->contacts;
    if (c->offset[to] < s->bodies.limbs_offset)
        return body_twist(&s->bodies.body[c->offset[to] / ERI_LANE_COUNT], wrench);
    return twist_by_wrench(s->tree.solver, c->link[to], c->link[from], wrench);
}

ERI_LANES_DO(prepare, (const er_world *w, eri_contact_constraint *c), (w, c))
{
    double K[3][3] = {{0}}, alone = 0.0; // K along the normal if the sides were not coupled
    eri_lanes wrench[2][3];
    for (int side = 0; side < 2; ++side)
        for (int d = 0; d < 3; ++d)
            wrench[side][d] = side_wrench(c, side, c->frame.axis[d]);
    for (int to = 0; to < 2; ++to)
        for (int from = 0; from < 2; ++from) {
            if (!is_coupled(w, c, to, from)) continue;
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
    c->tangent_k = 0.5 * (x + y + sqrt((x - y) * (x - y) + 4.0 * xy * xy));
    if (!(c->tangent_k > singular_tol * c->K[0][0])) c->tangent_k = c->K[0][0]; // nothing moves along the tangents
    c->can_part = c->K[0][0] > singular_tol * alone; // joints may hold both sides together, to rounding
}

void eri_contact_constraint_prepare(const er_world *w, eri_contact_constraint *c)
{
    prepare(w, c);
}

double eri_contact_constraint_speed(const eri_contact_constraint *c, int direction, const double *X)
{
    er_vec3 v[2];
    for (int side = 0; side < 2; ++side) {
        const double *x = X + c->offset[side];
        v[side] = er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(er_v3(x[0], x[1], x[2]), c->arm[side]));
    }
    return er_v3_dot(c->frame.axis[direction], er_v3_sub(v[1], v[0]));
}

void eri_contact_constraint_apply(const er_world *w, const eri_contact_constraint *c, const double impulse[3],
                                  double *X)
{
    eri_contacts *s = w->contacts;
    er_vec3 p = eri_contact_frame_sum(&c->frame, impulse);
    for (int side = 0; side < 2; ++side) {
        eri_lanes f = side_wrench(c, side, p);
        if (c->offset[side] < s->bodies.limbs_offset) {
            *velocity_at(X, c->offset[side]) += body_twist(&s->bodies.body[c->offset[side] / ERI_LANE_COUNT], f);
            continue;
        }
        tree_cursor *cursor = &s->tree.solver->cursor[s->tree.solver->state[c->link[side]].cursor];
        reset_cursor(s->tree.solver, cursor, X);
        add_wrench(s->tree.solver, c->link[side], f);
        propagate(s->tree.solver, cursor, X);
    }
}
