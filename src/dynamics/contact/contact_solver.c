/// @file
/// Solves contacts in sub-steps: first with soft constraints, then relaxed, so that correcting an overlap adds no speed
/// (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

// The frequency of articulations and balls, over that of other contacts. With the same frequency, light feet under a
// heavy load would sink in. Balls can be firmer because they do not rock from corner to corner.
static const double firm_ratio = 2.0;

// The longest sub-step of stacks over sqrt(size / g), the time in which a body falls over: those that sweeps settle,
// and those that are solved to convergence.
static const double sweep_share = 0.03, exact_share = 0.08;

enum { MAX_SUBSTEPS = 64 };

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
    double substep, gravity_speed;
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
    if (p->worker == 0) eri_tree_constraints_solve(s, p, firm, use_bias);
    if (p->worker == 0) eri_island_solver_solve(s, p, soft, use_bias);
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
    eri_worker_context p = {.worker = worker,
                            .worker_count = count,
                            .h = all->substep,
                            .impact_speed = s->state.impact_speed,
                            .gravity_speed = all->gravity_speed,
                            .static_end = ERI_LANE_COUNT * s->bodies.static_count,
                            .spill = (double *)&s->workers.spill[worker]};
    memset(s->state.displacement + begin, 0, (size_t)(end - begin) * sizeof(double));
    memcpy(s->state.initial + begin, s->state.V + begin, (size_t)(end - begin) * sizeof(double));
    for (int k = 0; k < all->n; ++k) {
        p.begin = k * p.h;
        p.middle = (k + 0.5) * p.h;
        begin_substep(s, &p, k == 0, begin, end);
        solve_constraints(s, &p, all->soft, all->firm, true);
        integrate_displacement(s, &p, begin, end);
        solve_constraints(s, &p, hard, hard, false);
    }
    end_substeps(s, &p, begin, end);
}

// The sub-steps for a body of a side of a contact; 0 if it needs no more than any.
static double substeps_of(const er_world *w, int shape, double h)
{
    const eri_contacts *s = w->contacts;
    int slot = s->bodies.slot[shape];
    if (slot < s->bodies.static_count || slot >= s->bodies.count) return 0.0;
    double fall = sqrt(s->bodies.body[slot].size / er_v3_norm(w->def.gravity));
    return ceil(h / ((s->direct.owns[slot] ? exact_share : sweep_share) * fall));
}

void eri_contacts_choose_substeps(er_world *w, double h)
{
    eri_contacts *s = w->contacts;
    int least = w->def.contact.substeps, before = s->state.substeps;
    double n = least;
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        bool are_balls = s->bodies.is_ball[c->shape[0]] && s->bodies.is_ball[c->shape[1]];
        for (int side = 0; side < 2 && !are_balls && !eri_contact_is_asleep(s, c); ++side)
            n = fmax(n, substeps_of(w, c->shape[side], h));
    }
    s->state.substeps = (int)fmin(n, fmax(least, MAX_SUBSTEPS));
    if (s->state.substeps == before) return;
    for (int i = 0; i < s->narrow.now.point_count; ++i)
        for (int d = 0; d < 3; ++d)
            s->narrow.now.point[i].impulse[d] *= (double)before / s->state.substeps;
}

void eri_contacts_solve(er_world *w, double h)
{
    const er_contact_def *def = &w->def.contact;
    int n = w->contacts->state.substeps;
    double frequency = def->frequency * n / def->substeps;
    solve_job all = {.s = w->contacts,
                     .n = n,
                     .substep = h / n,
                     .gravity_speed = er_v3_norm(w->def.gravity) * h / n,
                     .soft = softness_of(def, frequency, h / n),
                     .firm = softness_of(def, firm_ratio * frequency, h / n)};
    eri_team_run(w->contacts->workers.team, solve, &all);
}
