/// @file
/// Solves rows with bounds (bounded_rows.h), one after the other.
#include "dynamics/contact/bounded_rows.h"

#include <math.h>
#include <string.h>

#include "dynamics/contact/tree_links.h"
#include "dynamics/reference/complementarity.h"

enum { MAX_SWEEPS = 8, MAX_DIRECT_ROWS = 60, DIRECT_ROUNDS = 2 };

static const double converged = 1e-9;       // of a sweep's largest impulse
static const double correction_share = 0.5; // of an error, in a sub-step

er_result eri_bounded_rows_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    int ties = w->ties != NULL ? w->ties->count : 0;
    for (int i = 0; i < s->broad.shape_count; ++i)
        s->rows.rolls |= s->broad.shape[i].rolling > 0.0 || s->broad.shape[i].spinning > 0.0;
    if (s->reference != NULL || (ties == 0 && !s->rows.rolls)) return ER_OK;
    ERI_TRY_NEW(s->rows.scratch, w->arena, double, s->bodies.width);
    ERI_TRY_NEW(s->rows.node, w->arena, eri_tie_nodes, ties);
    s->rows.tie_count = ties;
    for (int i = 0; i < ties; ++i) {
        int body[ERI_TIE_BODIES];
        eri_tie_bodies(w, &w->ties->tie[i], body);
        for (int k = 0; k < ERI_TIE_BODIES; ++k) {
            eri_solver_index at = body[k] >= 0 ? s->bodies.index_of[body[k]] : (eri_solver_index){0, -1};
            int slot = at.articulation >= 0 ? s->bodies.articulation[at.articulation].offset / ERI_LANE_COUNT : at.body;
            s->rows.node[i].slot[k] = slot >= s->bodies.static_count ? slot : -1;
        }
    }
done:
    return r;
}

// ---- Prepare

er_result eri_bounded_rows_list(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    s->rows.count = 0;
    if (s->rows.scratch == NULL) return ER_OK;
    int ties = w->ties != NULL ? w->ties->count : 0, manifolds = s->rows.rolls ? s->narrow.now.manifold_count : 0;
    size_t room = 2 * (size_t)ties + 3 * (size_t)manifolds;
    ERI_TRY_RESERVE(s->rows.row, s->narrow.now.arena, eri_bounded_row, room);
    eri_tie_rows_list(w);
    eri_rolling_rows_list(w);
done:
    return r;
}

static void place_side(const er_world *w, eri_row_side *side, const er_tie *tie, int index)
{
    const eri_contacts *s = w->contacts;
    eri_solver_index at = side->body >= 0 ? s->bodies.index_of[side->body] : (eri_solver_index){0, -1};
    side->link = -1;
    if (side->limb >= 0) {
        side->link = s->tree.solver->link_of_limb[side->limb];
        side->offset = s->bodies.limbs_offset + ERI_LANE_COUNT * side->limb;
        side->origin = eri_minimal_origin(w, side->limb);
    } else {
        side->offset = ERI_LANE_COUNT * at.body;
        side->origin = side->body >= 0 ? s->bodies.body[at.body].com : er_v3(0, 0, 0);
    }
    if (tie != NULL && tie->kind != ER_TIE_GEAR) side->arm = er_v3_sub(eri_tie_point(w, tie, index), side->origin);
}

void eri_bounded_rows_prepare(er_world *w)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->rows.count; ++i) {
        eri_bounded_row *row = &s->rows.row[i];
        for (int k = 0; k < row->side_count; ++k)
            place_side(w, &row->side[k], row->tie, k);
        if (row->tie != NULL && row->tie->kind == ER_TIE_GEAR) eri_tie_row_set_gear(w, row);
    }
}

// ---- Impulses

static double speed_of(const eri_bounded_row *row, const double *X)
{
    double speed = 0.0;
    for (int k = 0; k < row->side_count; ++k)
        speed += eri_lanes_sum(row->side[k].J * *(const eri_lanes *)(X + row->side[k].offset));
    return speed;
}

// Applies an impulse to X, laid out as V.
ERI_LANES_DO(apply, (const eri_contacts *s, const eri_bounded_row *row, double impulse, double *X),
             (s, row, impulse, X))
{
    eri_tree_solver *all = s->tree.solver;
    for (int k = 0; k < row->side_count; ++k) {
        const eri_row_side *side = &row->side[k];
        eri_lanes wrench = impulse * side->J;
        if (side->link >= 0) {
            const tree_cursor *cursor = &all->cursor[all->state[side->link].cursor];
            if (!cursor->has_wrench) reset_cursor(all, cursor, X);
            add_wrench(all, side->link, wrench);
        } else if (side->offset >= ERI_LANE_COUNT * s->bodies.static_count) {
            *velocity_at(X, side->offset) += body_twist(&s->bodies.body[side->offset / ERI_LANE_COUNT], wrench);
        }
    }
    for (int k = 0; k < row->side_count; ++k)
        if (row->side[k].link >= 0) propagate(all, &all->cursor[all->state[row->side[k].link].cursor], X);
}

// Sets the slots to 0 that an impulse of the row changed.
static void clear(const eri_contacts *s, const eri_bounded_row *row, double *X)
{
    const eri_tree_solver *all = s->tree.solver;
    for (int k = 0; k < row->side_count; ++k) {
        const eri_row_side *side = &row->side[k];
        memset(X + side->offset, 0, ERI_LANE_COUNT * sizeof *X);
        if (side->link < 0) continue;
        const tree_cursor *cursor = &all->cursor[all->state[side->link].cursor];
        for (int i = cursor->first; i < cursor->end; ++i)
            memset(X + all->state[i].offset, 0, ERI_LANE_COUNT * sizeof *X);
    }
}

// K of a row. Joints may keep its bodies from moving along it: then it is 0.
static void find_k(const eri_contacts *s, eri_bounded_row *row)
{
    double alone = 0.0, *X = s->rows.scratch;
    for (int k = 0; k < row->side_count && s->tree.solver != NULL; ++k) {
        eri_bounded_row one = {.side_count = 1, .side[0] = row->side[k]};
        apply(s, &one, 1.0, X);
        alone += speed_of(&one, X);
        clear(s, &one, X);
    }
    apply(s, row, 1.0, X);
    row->K = speed_of(row, X);
    clear(s, row, X);
    if (!(row->K > singular_tol * alone)) row->K = 0.0;
}

// ---- Sub-steps

static bool is_friction(const eri_bounded_row *row)
{
    return row->law == ERI_LAW_ROLL || row->law == ERI_LAW_SPIN;
}

static void set_impulse(eri_contacts *s, eri_bounded_row *row, double impulse)
{
    double change = impulse - row->impulse;
    row->impulse = impulse;
    if (change != 0.0) apply(s, row, change, s->state.V);
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

void eri_bounded_rows_begin(eri_contacts *s, double impact_speed)
{
    for (int i = 0; i < s->rows.count; ++i) {
        eri_bounded_row *row = &s->rows.row[i];
        if (!is_friction(row)) eri_tie_row_place(s, row);
        if (!is_friction(row) || row->K == 0.0) find_k(s, row);
        double warm = row->committed + row->impulse, most = HUGE_VAL;
        if (!is_friction(row) && row->K > 0.0) most = fabs(row->start) + impact_speed / row->K;
        row->start = clamp(warm, -most, most);
        row->committed = row->impulse = 0.0;
        if (row->K > 0.0 && row->law != ERI_LAW_SPRING) set_impulse(s, row, row->start);
    }
}

// The length that the row asks for at the sub-step's end: part of an error is corrected.
static double target_of(const eri_bounded_row *row, double h, double push_out)
{
    double error = row->value - row->bound, most = push_out * h;
    if (row->law == ERI_LAW_MOST) error = fmax(error, 0.0);
    if (row->law == ERI_LAW_LEAST) error = fmin(error, 0.0);
    return row->bound + error - clamp(correction_share * error, -most, most);
}

static double within(const eri_bounded_row *row, double impulse)
{
    double sum = row->committed + impulse;
    if (row->law == ERI_LAW_MOST) sum = fmin(sum, 0.0);
    if (row->law == ERI_LAW_LEAST) sum = fmax(sum, 0.0);
    return sum - row->committed;
}

// The spring's force is that of the length at the step's begin, so that it keeps its energy, as long as that is stable:
// up to h^2 k K = 1. Beyond, it is in part that of the length at the end.
static double spring_impulse(const eri_bounded_row *row, double h)
{
    double k = row->tie->stiffness, c = row->tie->damping, stiff = h * h * k * row->K;
    double late = stiff > 1.0 ? 1.0 - 1.0 / stiff : 0.0, now = row->value - row->bound,
           then = row->predicted - row->bound, stretch = (1.0 - late) * now + late * then;
    double wanted = -h * k * stretch - c * (then - now);
    double impulse = row->impulse + (wanted - row->impulse) / (1.0 + h * row->K * (h * k * late + c));
    return stretch > 0.0 ? fmin(impulse, 0.0) : 0.0;
}

// Both rows of rolling friction, scaled to the disc.
static void solve_roll(eri_contacts *s, eri_bounded_row *row)
{
    double K = fmax(row[0].K, row[1].K);
    if (!(K > 0.0)) return;
    double sum[2];
    for (int k = 0; k < 2; ++k)
        sum[k] = row[k].committed + row[k].impulse - speed_of(&row[k], s->state.V) / K;
    double size = hypot(sum[0], sum[1]), share = size > row->bound ? row->bound / size : 1.0;
    for (int k = 0; k < 2; ++k)
        set_impulse(s, &row[k], share * sum[k] - row[k].committed);
}

// Solves one row.   @return the change of its impulse
static double solve_row(eri_contacts *s, eri_bounded_row *row, double h, bool use_bias, double push_out)
{
    double before = row->impulse;
    if (row->law == ERI_LAW_ROLL) {
        solve_roll(s, row);
        return fabs(row->impulse - before);
    }
    if (!(row->K > 0.0)) return 0.0;
    double speed = speed_of(row, s->state.V), impulse = before - speed / row->K;
    if (row->law == ERI_LAW_SPIN) {
        impulse = clamp(row->committed + impulse, -row->bound, row->bound) - row->committed;
    } else if (use_bias) {
        row->predicted = eri_tie_row_predict(s, row, h, speed);
        impulse = row->law == ERI_LAW_SPRING
                      ? spring_impulse(row, h)
                      : within(row, before - (row->predicted - target_of(row, h, push_out)) / (h * row->K));
    } else {
        bool acts = row->law == ERI_LAW_EXACT || (row->law != ERI_LAW_SPRING && row->committed != 0.0);
        impulse = acts ? within(row, impulse) : 0.0;
    }
    set_impulse(s, row, impulse);
    return fabs(row->impulse - before);
}

// ---- All rows of ties together

// A row that pulls has the unknown x = -(its impulses), so that x >= 0 and its speed w >= 0.
static double sign_of(const eri_bounded_row *row)
{
    return row->law == ERI_LAW_MOST ? -1.0 : 1.0;
}

// Finds, as a speed, what the row asks to be 0, or 0 or more.
static double residual_of(const eri_contacts *s, const eri_bounded_row *row, double h, bool use_bias, double push_out)
{
    double speed = speed_of(row, s->state.V);
    if (!use_bias) return sign_of(row) * speed;
    return sign_of(row) * (eri_tie_row_predict(s, row, h, speed) - target_of(row, h, push_out)) / h;
}

static int list_tie_rows(const eri_contacts *s, bool use_bias, int *list)
{
    int count = 0;
    for (int i = 0; i < s->rows.count; ++i) {
        const eri_bounded_row *row = &s->rows.row[i];
        bool acts = use_bias || row->law == ERI_LAW_EXACT || row->committed != 0.0;
        if (is_friction(row) || row->law == ERI_LAW_SPRING || !(row->K > 0.0) || !acts) continue;
        if (count == MAX_DIRECT_ROWS) return 0;
        list[count++] = i;
    }
    return count;
}

static void set_matrix(eri_contacts *s, const int *list, int n, double *A)
{
    for (int j = 0; j < n; ++j) {
        const eri_bounded_row *by = &s->rows.row[list[j]];
        apply(s, by, 1.0, s->rows.scratch);
        for (int i = 0; i < n; ++i) {
            const eri_bounded_row *row = &s->rows.row[list[i]];
            A[i * n + j] = sign_of(row) * sign_of(by) * speed_of(row, s->rows.scratch);
        }
        clear(s, by, s->rows.scratch);
    }
}

// Leaves the impulses as they are where no solution is found.
static er_result solve_together(eri_contacts *s, double h, bool use_bias, double push_out)
{
    er_result r = ER_OK;
    int list[MAX_DIRECT_ROWS], normal[MAX_DIRECT_ROWS], n = list_tie_rows(s, use_bias, list);
    double f[MAX_DIRECT_ROWS], x[MAX_DIRECT_ROWS], friction[MAX_DIRECT_ROWS] = {0}, *A;
    long pivots = 0;
    if (n < 2) return ER_OK;
    ERI_TRY_NEW(A, s->narrow.now.arena, double, (size_t)n *(size_t)n);
    set_matrix(s, list, n, A);
    for (int round = 0; round < DIRECT_ROUNDS; ++round) {
        for (int i = 0; i < n; ++i) {
            eri_bounded_row *row = &s->rows.row[list[i]];
            normal[i] = row->law == ERI_LAW_EXACT ? ERI_ROW_FREE : ERI_ROW_NORMAL;
            f[i] = residual_of(s, row, h, use_bias, push_out);
            for (int j = 0; j < n; ++j) {
                const eri_bounded_row *other = &s->rows.row[list[j]];
                f[i] -= A[i * n + j] * sign_of(other) * (other->committed + other->impulse);
            }
        }
        ERI_TRY(eri_direct_solve(s->narrow.now.arena, &(eri_complementarity){n, A, f, normal, friction}, x, &pivots));
        for (int i = 0; i < n; ++i) {
            eri_bounded_row *row = &s->rows.row[list[i]];
            set_impulse(s, row, sign_of(row) * x[i] - row->committed);
        }
    }
done:
    return r;
}

// Adds the impulses of a sweep to the sums. The next sub-step does not start from what they changed.
static void commit(eri_contacts *s, double h, bool use_bias)
{
    for (int i = 0; i < s->rows.count; ++i) {
        eri_bounded_row *row = &s->rows.row[i];
        for (int k = 0; k < row->side_count; ++k) {
            eri_row_side *side = &row->side[k];
            side->total += row->impulse * side->J;
            if (use_bias) side->time += h * side->total;
        }
        if (row->impulse != 0.0) apply(s, row, row->impulse, s->state.unconstrained);
        row->total += row->impulse;
    }
}

void eri_bounded_rows_solve(eri_contacts *s, double h, bool use_bias, double push_out)
{
    for (int i = 0; i < s->rows.count && !use_bias; ++i) {
        eri_bounded_row *row = &s->rows.row[i];
        row->committed += row->impulse;
        row->impulse = 0.0;
        if (!is_friction(row)) eri_tie_row_place(s, row);
    }
    bool is_solved = false;
    for (int n = 0; n < MAX_SWEEPS && !is_solved; ++n) {
        double most = 0.0, change = 0.0;
        for (int i = 0; i < s->rows.count; ++i) {
            eri_bounded_row *row = &s->rows.row[i];
            change = fmax(change, solve_row(s, row, h, use_bias, push_out));
            most = fmax(most, fabs(row->committed) + fabs(row->impulse));
            if (row->law == ERI_LAW_ROLL) ++i;
        }
        is_solved = change <= converged * most;
    }
    if (!is_solved) solve_together(s, h, use_bias, push_out);
    commit(s, h, use_bias);
}

// ---- Finish

// Subtracts a row's impulses, and their integrals, from the wrenches of limbs. Returns the energy that it took from
// articulations.
static double add_impulses(er_world *w, const eri_bounded_row *row, double *wrench, double *wrench_time)
{
    eri_contacts *s = w->contacts;
    double heat = 0.0;
    for (int k = 0; k < row->side_count; ++k) {
        const eri_row_side *side = &row->side[k];
        if (side->limb < 0) continue;
        eri_lanes mean = *velocity_at(s->state.initial, side->offset) + *velocity_at(s->state.V, side->offset);
        heat -= 0.5 * eri_lanes_sum(side->total * mean);
        if (row->total != 0.0) s->bodies.articulation[s->bodies.index_of[side->body].articulation].has_impulse = true;
        for (int c = 0; c < 6; ++c) {
            wrench[6 * side->limb + c] -= side->total[c];
            wrench_time[6 * side->limb + c] -= side->time[c];
        }
    }
    return heat;
}

static er_result add_to_trees(er_world *w, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double *wrench[2], *out[2] = {s->state.rate_change, s->state.coordinate_change}, *change;
    bool touches_trees = false;
    for (int i = 0; i < s->rows.count; ++i)
        for (int k = 0; k < s->rows.row[i].side_count; ++k)
            touches_trees |= s->rows.row[i].side[k].limb >= 0;
    if (!touches_trees) return ER_OK;
    for (int k = 0; k < 2; ++k)
        ERI_TRY_NEW(wrench[k], s->narrow.now.arena, double, 6 * (size_t)w->multibody->jointed_count);
    ERI_TRY_NEW(change, s->narrow.now.arena, double, w->multibody->velocity_count);
    for (int i = 0; i < s->rows.count; ++i)
        *heat += add_impulses(w, &s->rows.row[i], wrench[0], wrench[1]);
    const eri_articulation *last = &s->bodies.articulation[s->bodies.articulation_count - 1];
    for (int k = 0; k < 2; ++k) {
        eri_minimal_yield(w, wrench[k], change);
        if (k == 0) eri_joint_loads_add_loops(w, 1.0, false);
        for (int i = 0; i < last->first_velocity + last->velocity_count; ++i)
            out[k][i] += change[i];
    }
done:
    return r;
}

static er_vec3 begin_point(const eri_row_side *side)
{
    return er_v3_add(side->origin, side->arm);
}

// The energy of a stretched tie is not heat until it breaks.
static double stretch_energy(const eri_contacts *s, const eri_bounded_row *row, bool at_end)
{
    eri_bounded_row at = *row;
    if (row->law != ERI_LAW_SPRING) return 0.0;
    if (at_end)
        eri_tie_row_place(s, &at);
    else
        at.value = eri_tie_length(row->tie, (er_vec3[2]){begin_point(&at.side[0]), begin_point(&at.side[1])}, NULL);
    return eri_tie_energy(row->tie, at.value);
}

er_result eri_bounded_rows_finish(er_world *w, double h, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    if (s->rows.count == 0) return ER_OK;
    ERI_TRY(add_to_trees(w, heat));
    for (int i = 0; i < s->rows.count; ++i) {
        eri_bounded_row *row = &s->rows.row[i];
        double impulse = row->committed + row->impulse;
        if (row->manifold != NULL) {
            row->manifold->turn = er_v3_madd(row->manifold->turn, impulse, row->axis);
            continue;
        }
        int tie = (int)(row->tie - w->ties->tie);
        double sign = row->tie->kind == ER_TIE_GEAR ? 1.0 : -1.0, before = stretch_energy(s, row, false);
        *row->stored = impulse;
        eri_ties_set_force(w->ties, tie, w->ties->record[tie].force + sign * row->total / h);
        *heat -= (w->ties->record[tie].is_broken != 0.0 ? 0.0 : stretch_energy(s, row, true)) - before;
    }
done:
    return r;
}

void eri_bounded_rows_account(const er_world *w, double h, eri_account *account, double *heat)
{
    const eri_contacts *s = w->contacts;
    for (int i = 0; i < s->rows.count && w->def.guide != NULL; ++i) {
        const eri_bounded_row *row = &s->rows.row[i];
        for (int k = 0; k < row->side_count; ++k) {
            const eri_row_side *side = &row->side[k];
            if (side->body < 0 || w->held == NULL || !w->held[side->body]) continue;
            double work = -eri_lanes_sum(side->total * *velocity_at(s->state.V, side->offset));
            account->work += work / h;
            *heat += work; // it is among what the other side gained
        }
    }
}
