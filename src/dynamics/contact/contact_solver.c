/// @file
/// Solves contacts in sub-steps: first with soft constraints, then relaxed, so that correcting an overlap adds no speed
/// (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

// The frequency of articulations and balls, over that of other contacts. With the same frequency, light feet under a
// heavy load would sink in. Balls can be firmer because they do not rock from corner to corner.
static const double firm_ratio = 2.0;

// An implicit spring and damper of a frequency and a damping ratio.
static eri_softness softness_of(const er_contact_def *def, double frequency, double h)
{
    double omega = 2.0 * ER_PI * fmin(frequency, 0.25 / h), a = 2.0 * def->damping + h * omega;
    return (eri_softness){omega / a, 1.0 / (h * omega * a), def->push_out};
}

// Work that workers share.
typedef struct solve_job {
    eri_contacts *s;
    int n;
    double substep, impact_speed, gravity_speed;
    eri_softness soft, firm; // firm: balls and articulations
} solve_job;

// Worker 0 has all contacts of articulations.
static void drop_impacts(eri_contacts *s, const eri_worker_context *p)
{
    eri_body_constraints_drop_impacts(s, p);
    if (p->worker == 0) eri_tree_constraints_drop_impacts(s);
    eri_team_meet(s->workers.team);
}

static void begin_rows(eri_contacts *s, const eri_worker_context *p)
{
    if (s->rows.count == 0) return;
    if (p->worker == 0) eri_bounded_rows_begin(s, p->impact_speed);
    eri_team_meet(s->workers.team);
}

// Adds the forces of the sub-step to V and warm starts: the first sub-step from the stored impulses, later ones by
// keeping what contacts changed in the previous sub-step.
static void begin_substep(eri_contacts *s, const eri_worker_context *p, bool is_first, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        double unconstrained = s->state.V[i] + p->h * s->state.dV[i];
        double constraint_change = is_first ? 0.0 : s->state.V[i] - s->state.unconstrained[i];
        s->state.unconstrained[i] = unconstrained;
        s->state.V[i] = unconstrained + constraint_change;
    }
    eri_team_meet(s->workers.team);
    if (!is_first) {
        drop_impacts(s, p);
        begin_rows(s, p);
        return;
    }
    eri_body_constraints_warm_start(s, p);
    if (p->worker == 0) eri_tree_constraints_warm_start(s);
    if (p->worker == 0) eri_island_solver_warm_start(s);
    eri_team_meet(s->workers.team);
    begin_rows(s, p);
}

static void integrate_displacement(eri_contacts *s, const eri_worker_context *p, int begin, int end)
{
    for (int i = begin; i < end; ++i)
        s->state.displacement[i] += p->h * s->state.V[i];
    eri_team_meet(s->workers.team);
}

static void solve_constraints(eri_contacts *s, const eri_worker_context *p, eri_softness soft, eri_softness firm,
                              bool use_bias)
{
    if (s->rows.count > 0) {
        if (p->worker == 0) eri_bounded_rows_solve(s, p->h, use_bias, soft.push_out);
        eri_team_meet(s->workers.team);
    }
    eri_body_constraints_solve(s, p, soft, firm, use_bias);
    if (s->tree.count == 0 && s->direct.count == 0) return;
    if (p->worker == 0) eri_tree_constraints_solve(s, p->h, firm, use_bias, p->impact_speed);
    if (p->worker == 0) eri_island_solver_solve(s, p->h, p->gravity_speed, soft, use_bias);
    eri_team_meet(s->workers.team);
}

static void end_substeps(eri_contacts *s, const eri_worker_context *p, int begin, int end)
{
    size_t size = (size_t)(end - begin) * sizeof(double);
    for (int i = begin; i < end && (s->restitution.is_any || s->narrow.is_continuous); ++i)
        s->state.displacement[i] += s->restitution.displacement[i];
    memcpy(s->state.unconstrained + begin, s->state.V + begin, size);
    eri_team_meet(s->workers.team);
    drop_impacts(s, p); // from the stored impulses, not from V
    memcpy(s->state.V + begin, s->state.unconstrained + begin, size);
    eri_body_constraints_store(s, p);
    if (p->worker == 0) eri_island_solver_store(s);
}

static void solve(void *job, int worker, int count)
{
    const solve_job *all = job;
    eri_contacts *s = all->s;
    const eri_softness hard = {0.0, 0.0, 0.0};
    int slots = s->bodies.width / ERI_LANE_COUNT, begin = ERI_LANE_COUNT * eri_team_share(slots, worker, count);
    int end = ERI_LANE_COUNT * eri_team_share(slots, worker + 1, count);
    eri_worker_context p = {worker,
                            count,
                            all->substep,
                            all->impact_speed,
                            all->gravity_speed,
                            ERI_LANE_COUNT * s->bodies.static_count,
                            (double *)&s->workers.spill[worker]};
    memset(s->state.displacement + begin, 0, (size_t)(end - begin) * sizeof(double));
    memcpy(s->state.initial + begin, s->state.V + begin, (size_t)(end - begin) * sizeof(double));
    for (int k = 0; k < all->n; ++k) {
        begin_substep(s, &p, k == 0, begin, end);
        solve_constraints(s, &p, all->soft, all->firm, true);
        integrate_displacement(s, &p, begin, end);
        solve_constraints(s, &p, hard, hard, false);
    }
    end_substeps(s, &p, begin, end);
}

void eri_contacts_solve(er_world *w, double h)
{
    const er_contact_def *def = &w->def.contact;
    int n = def->substeps;
    solve_job all = {.s = w->contacts,
                     .n = n,
                     .substep = h / n,
                     .impact_speed = 2.0 * er_v3_norm(w->def.gravity) * h,
                     .gravity_speed = er_v3_norm(w->def.gravity) * h / n,
                     .soft = softness_of(def, def->frequency, h / n),
                     .firm = softness_of(def, firm_ratio * def->frequency, h / n)};
    eri_team_run(w->contacts->workers.team, solve, &all);
}
