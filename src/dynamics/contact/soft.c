/// @file
/// Contacts solved by sub-steps: soft where shapes overlap, then hard, so that undoing an overlap leaves no speed
/// behind (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

// A limb's end gives way far more than its tree weighs: with the spring of other bodies light feet that heaps stand on
// sink into what is below. Balls have it too: heaps of them are deep, and nothing of theirs rocks from corner to
// corner.
static const double firmer = 2.0;

// A spring and damper of a frequency and a ratio, stepped implicitly.
static eri_softness softness_of(const er_contact_def *def, double frequency, double h)
{
    double omega = 2.0 * ER_PI * fmin(frequency, 0.25 / h), a = 2.0 * def->damping + h * omega;
    return (eri_softness){omega / a, 1.0 / (h * omega * a), def->push_out};
}

// A solving of a step, which all workers share.
typedef struct solving {
    eri_contacts *s;
    int n;
    double part, slow;
    eri_softness soft, firm; // firm of balls, and of what touches trees
} solving;

// What touches trees is one worker's.
static void let_go(eri_contacts *s, const eri_worker_part *p)
{
    eri_blocks_let_go(s, p);
    if (p->worker == 0) eri_responses_let_go(s);
    eri_team_meet(s->team);
}

// Velocities of the sub-step: what other forces change, and what contacts did in the one before, but for blows.
static void begin_part(eri_contacts *s, const eri_worker_part *p, bool is_first, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        double loose = s->V[i] + p->h * s->dV[i], standing = is_first ? 0.0 : s->V[i] - s->loose[i];
        s->loose[i] = loose;
        s->V[i] = loose + standing;
    }
    eri_team_meet(s->team);
    if (!is_first) {
        let_go(s, p);
        return;
    }
    eri_blocks_warm(s, p);
    if (p->worker == 0) eri_responses_warm(s);
    eri_team_meet(s->team);
}

static void go(eri_contacts *s, const eri_worker_part *p, int begin, int end)
{
    for (int i = begin; i < end; ++i)
        s->way[i] += p->h * s->V[i];
    eri_team_meet(s->team);
}

static void pass(eri_contacts *s, const eri_worker_part *p, eri_softness soft, eri_softness firm, bool is_first)
{
    eri_blocks_pass(s, p, soft, firm, is_first);
    if (s->bundle_count == 0) return;
    if (p->worker == 0) eri_responses_pass(s, p->h, firm, is_first, p->slow);
    eri_team_meet(s->team);
}

static void end_parts(eri_contacts *s, const eri_worker_part *p, int begin, int end)
{
    size_t size = (size_t)(end - begin) * sizeof(double);
    for (int i = begin; i < end && (s->rebounds || s->swift); ++i)
        s->way[i] += s->late[i];
    memcpy(s->loose + begin, s->V + begin, size);
    eri_team_meet(s->team);
    let_go(s, p); // for the next step alone
    memcpy(s->V + begin, s->loose + begin, size);
    eri_blocks_tell(s, p);
}

static void solve(void *job, int worker, int count)
{
    const solving *all = job;
    eri_contacts *s = all->s;
    const eri_softness hard = {0.0, 0.0, 0.0};
    int movers = s->width / ERI_LANE_COUNT, begin = ERI_LANE_COUNT * eri_team_share(movers, worker, count);
    int end = ERI_LANE_COUNT * eri_team_share(movers, worker + 1, count);
    eri_worker_part p = {
        worker, count, all->part, all->slow, ERI_LANE_COUNT * s->still_count, (double *)&s->spill[worker]};
    memset(s->way + begin, 0, (size_t)(end - begin) * sizeof(double));
    memcpy(s->begin + begin, s->V + begin, (size_t)(end - begin) * sizeof(double));
    for (int k = 0; k < all->n; ++k) {
        begin_part(s, &p, k == 0, begin, end);
        pass(s, &p, all->soft, all->firm, true);
        go(s, &p, begin, end);
        pass(s, &p, hard, hard, false);
    }
    end_parts(s, &p, begin, end);
}

void eri_contacts_solve(er_world *w, double h)
{
    const er_contact_def *def = &w->def.contact;
    int n = def->substeps;
    solving all = {.s = w->contacts,
                   .n = n,
                   .part = h / n,
                   .slow = 2.0 * er_v3_norm(w->def.gravity) * h,
                   .soft = softness_of(def, def->frequency, h / n),
                   .firm = softness_of(def, firmer * def->frequency, h / n)};
    eri_team_run(w->contacts->team, solve, &all);
}
