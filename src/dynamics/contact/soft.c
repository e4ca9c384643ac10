/// @file
/// Contacts solved by sub-steps: soft where shapes overlap, then hard, so that undoing an overlap leaves no speed
/// behind (docs/math/contact.md).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

// A spring and damper of a frequency and a ratio, stepped implicitly.
static er_softness softness_of(const er_contact_def *def, double h)
{
    double omega = 2.0 * ER_PI * fmin(def->frequency, 0.25 / h), a = 2.0 * def->damping + h * omega;
    return (er_softness){omega / a, 1.0 / (h * omega * a), def->push_out};
}

static void let_go(er_contacts *s)
{
    er_blocks_let_go(s);
    er_responses_let_go(s);
}

// Velocities of the sub-step: what other forces change, and what contacts did in the one before, but for blows.
static void begin_part(er_contacts *s, double h, bool is_first)
{
    for (int i = 0; i < s->width; ++i) {
        double loose = s->V[i] + h * s->dV[i], standing = is_first ? 0.0 : s->V[i] - s->loose[i];
        s->loose[i] = loose;
        s->V[i] = loose + standing;
    }
    if (is_first) {
        er_blocks_warm(s);
        er_responses_warm(s);
    } else {
        let_go(s);
    }
}

static void go(er_contacts *s, double h)
{
    for (int i = 0; i < s->width; ++i)
        s->way[i] += h * s->V[i];
}

void er_contacts_solve(er_world *w, double h)
{
    er_contacts *s = w->contacts;
    int n = w->def.contact.substeps;
    double part = h / n, slow = 2.0 * er_v3_norm(w->def.gravity) * h;
    const er_softness soft = softness_of(&w->def.contact, part), hard = {0.0, 0.0, 0.0};
    memset(s->way, 0, (size_t)s->width * sizeof(double));
    memcpy(s->begin, s->V, (size_t)s->width * sizeof(double));
    for (int k = 0; k < n; ++k) {
        begin_part(s, part, k == 0);
        er_blocks_pass(s, part, soft, true, slow);
        er_responses_pass(s, part, soft, true, slow);
        go(s, part);
        er_blocks_pass(s, part, hard, false, slow);
        er_responses_pass(s, part, hard, false, slow);
    }
    for (int i = 0; i < s->width && s->rebounds; ++i)
        s->way[i] += s->late[i];
    memcpy(s->loose, s->V, (size_t)s->width * sizeof(double));
    let_go(s); // for the next step alone
    memcpy(s->V, s->loose, (size_t)s->width * sizeof(double));
    er_blocks_tell(s);
}
