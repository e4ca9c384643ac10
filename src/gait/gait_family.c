// The family of a gait, by the phases of its footfalls and its duty factors.
// Source: Hildebrand, Symmetrical gaits of horses, Science 150 (1965), for gaits whose pairs are half a stride apart.
#include "gait/stride.h"

const char *er_gait_family_name(er_gait_family family)
{
    static const char *const names[ER_GAIT_FAMILY_COUNT] = {
        "walk",   "run",  "amble",  "trot",     "pace", "bound",  "canter",  "gallop", "pronk", "hop",
        "waddle", "skip", "tripod", "tetrapod", "wave", "ripple", "slither", "swim",   "flap"};
    return (unsigned)family < (unsigned)ER_GAIT_FAMILY_COUNT ? names[family] : "unknown";
}

// b after a, in (-1/2, 1/2].
static double lag(double a, double b)
{
    double d = b - a;
    return d - ceil(d - 0.5);
}

static double mean_duty(const eri_stride *s)
{
    double sum = 0.0;
    for (int f = 0; f < s->feet; ++f)
        sum += s->step[f].duty;
    return sum / s->feet;
}

// Phases are compared at mid-stance, since touchdown depends on the duty factor.
static double middle(const eri_stride *s, int f)
{
    return s->step[f].phase + 0.5 * s->step[f].duty;
}

static er_gait_family of_two(const eri_stride *s)
{
    double apart = fabs(lag(middle(s, 0), middle(s, 1)));
    if (apart < 0.15) return ER_GAIT_HOP;
    if (apart < 0.33) return ER_GAIT_SKIP;
    if (mean_duty(s) < 0.47) return ER_GAIT_RUN;
    return s->tilt[0] > 0.18 ? ER_GAIT_WADDLE : ER_GAIT_WALK;
}

// Feet in the order LF, RF, LH, RH.
static er_gait_family of_four(const eri_stride *s)
{
    double fore = fabs(lag(middle(s, 0), middle(s, 1))), hind = fabs(lag(middle(s, 2), middle(s, 3)));
    double same = lag(middle(s, 2), middle(s, 0)), other = lag(middle(s, 3), middle(s, 1)),
           diagonal = fabs(lag(middle(s, 3), middle(s, 0))), second = fabs(lag(middle(s, 2), middle(s, 1)));
    if (fore > 0.36 && hind > 0.36) {
        double side = fabs(0.5 * (same + (fabs(other - same) > 0.5 ? other + (same > 0.0 ? 1.0 : -1.0) : other)));
        if (side < 0.13) return ER_GAIT_PACE;
        if (side > 0.37) return ER_GAIT_TROT;
        return mean_duty(s) >= 0.5 ? ER_GAIT_WALK : ER_GAIT_AMBLE;
    }
    if (fore < 0.1 && hind < 0.1) return fabs(same) < 0.13 ? ER_GAIT_PRONK : ER_GAIT_BOUND;
    if ((diagonal < 0.07) != (second < 0.07) && fore > 0.15 && hind > 0.15) return ER_GAIT_CANTER;
    return ER_GAIT_GALLOP;
}

// Feet in rows from the front, left first.
static er_gait_family of_many(const er_gait_body *body, const eri_stride *s)
{
    double together = 0.0, sets = 0.0, across = 0.5, least = 1.0, most = -1.0; // parts of a stride
    for (int f = 1; f < s->feet; ++f) {
        int row = f / 2, side = body->foot[f].side < 0;
        double apart = fabs(lag(middle(s, 0), middle(s, f)));
        together = fmax(together, apart);
        sets = fmax(sets, fabs(apart - ((row + side) % 2 != 0 ? 0.5 : 0.0)));
        if (f % 2 != 0) across = fmin(across, fabs(lag(middle(s, f - 1), middle(s, f))));
        if (row == 0) continue;
        double after = lag(middle(s, f), middle(s, f - 2)); // of a foot, the one in front of it
        least = fmin(least, after);
        most = fmax(most, after);
    }
    double slowest = fmin(fabs(least), fabs(most)), fastest = fmax(fabs(least), fabs(most));
    if (together < 0.13) return ER_GAIT_PRONK;
    if (sets < 0.17) return s->feet == 8 ? ER_GAIT_TETRAPOD : ER_GAIT_TRIPOD;
    if (least * most <= 0.0 || across < 0.33) return ER_GAIT_RIPPLE; // to and fro, or both sides at once
    if (s->feet == 6 && slowest > 0.25 && fastest < 0.42) return ER_GAIT_TETRAPOD;
    return slowest > 0.04 && fastest < 0.3 ? ER_GAIT_WAVE : ER_GAIT_RIPPLE;
}

er_gait_family eri_gait_family_of(const er_gait_body *body, const eri_stride *s)
{
    bool pairs = true;
    for (int f = 0; f < s->feet; ++f)
        pairs &= body->foot[f].mirror == (f ^ 1);
    if (s->feet == 2) return of_two(s);
    return s->feet == 4 && pairs ? of_four(s) : of_many(body, s);
}
