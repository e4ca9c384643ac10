/// @file
/// Gestures: modes that together move one part of a body and leave the rest still.
#include "gait/gesture.h"

#include <string.h>

#include "gait/stride.h"

enum { MOST_TRIES = 8, MOST_STARTS = 8 };

#define LEAST_SCORE 0.1      // of a mode that does much else
#define FARTHER 3.0          // than the part is meant to go, that anything may
#define ENOUGH 0.8           // of a gesture that needs no other mode
#define LITTLE_SHARE 0.02    // of the degrees of a gesture's largest mode
#define GAIN 1.15            // of what a wish gets, that one more mode is worth
#define BUCKLES 2.0          // times as far as at little degrees
#define LITTLE_DEGREES 2.0   // at which modes are looked at
#define AS_GOOD (1.0 + 1e-6) // gestures that differ by rounding are one, and the first stays

// --- modes and parts

// Holds the feet, as when a preset that plants them plays: legs bend, and the body does not swing freely.
static er_result hold_feet(eri_gesture_search *m, const er_mode *slowest, er_arena *scratch)
{
    er_result r = ER_OK;
    er_hold *hold;
    ERI_TRY_NEW(hold, scratch, er_hold, m->body->foot_count);
    for (int i = 0; i < m->body->foot_count; ++i)
        hold[i] = eri_gait_hold_of(&m->body->foot[i]);
    r = eri_kinematics_hold(m->kinematics, m->context, m->body->foot_count, hold, 2.0 * ER_PI * slowest->frequency_hz);
done:
    return r;
}

static void sample_mode(eri_gesture_search *m, double factor, int k)
{
    size_t row = (size_t)k * (size_t)m->model->body_count;
    eri_gesture_displacements(m, m->pose, m->goes + row, m->moves + row);
    for (int b = 0; b < m->model->body_count; ++b) {
        m->goes[row + (size_t)b] = er_v3_scale(1.0 / factor, m->goes[row + (size_t)b]);
        m->moves[row + (size_t)b] = er_v3_scale(1.0 / factor, m->moves[row + (size_t)b]);
    }
}

// Errors   ER_ERROR_NO_CONVERGENCE: loops or feet cannot be held.
static er_result pose_mode(eri_gesture_search *m, int k, double factor)
{
    er_kinematics_mode(m->kinematics, &m->modes->mode[k], m->x);
    for (int c = 0; c < m->kinematics->width; ++c)
        m->x[c] *= factor;
    return er_kinematics_pose(m->kinematics, m->x, m->pose);
}

er_result eri_gesture_sample_modes(eri_gesture_search *m, bool planted, er_arena *scratch)
{
    er_result r = ER_OK;
    const er_mode *slowest = NULL;
    for (int k = 0; k < m->mode_count && slowest == NULL; ++k)
        if (m->modes->mode[k].kind == ER_MODE_ELASTIC) slowest = &m->modes->mode[k];
    if (slowest == NULL) return r;
    ERI_TRY(er_kinematics_create(m->context, m->model, &m->kinematics));
    if (planted && m->body->foot_count > 0) ERI_TRY(hold_feet(m, slowest, scratch));
    ERI_TRY_NEW(m->x, scratch, double, 2 * (size_t)m->kinematics->width);
    ERI_TRY_NEW(m->pose, scratch, er_pose, m->model->body_count);
    for (int k = 0; k < m->mode_count; ++k) {
        const er_mode *mode = &m->modes->mode[k];
        double factor = er_mode_amplitude(m->model, mode, LITTLE_DEGREES);
        if (mode->kind != ER_MODE_ELASTIC || !(factor > 0.0)) continue;
        r = pose_mode(m, k, factor);
        m->seen[k] = r == ER_OK;
        if (r == ER_ERROR_NO_CONVERGENCE) continue;
        ERI_TRY(r);
        sample_mode(m, factor, k);
    }
    r = ER_OK;
done:
    return r;
}

static double degrees_of(const eri_gesture_search *m, const eri_gesture *g, int i, double scale)
{
    return scale * fabs(g->factor[i]) / er_mode_amplitude(m->model, &m->modes->mode[g->mode[i]], 1.0);
}

static er_vec3 sum_of(const eri_gesture_search *m, const eri_gesture *g, const er_vec3 *of, int body)
{
    er_vec3 sum = {0, 0, 0};
    for (int i = 0; i < g->count; ++i)
        sum = er_v3_madd(sum, g->factor[i], of[(size_t)g->mode[i] * (size_t)m->model->body_count + (size_t)body]);
    return sum;
}

// Scales a gesture so that the part moves as far as asked, and no body much farther.
static void set_scale(const eri_gesture_search *m, const eri_gesture *g, const eri_gesture_goal *w,
                      eri_gesture_fit *how)
{
    double way = w->percent * eri_gesture_percent(m);
    how->scale = fmin(way / how->most, FARTHER * way / how->all);
    for (int i = 0; i < g->count; ++i)
        how->degrees = fmax(how->degrees, degrees_of(m, g, i, how->scale));
}

// The factor that limits the largest mode; the others keep their proportion.
static double reach_of(const eri_gesture_fit *how)
{
    return fmin(1.0, ER_PRESET_MOST_DEGREES / how->degrees);
}

// Products of two motions of a body (or of one with itself): its wanted motion, and its whole motion. The motion of the
// part counts half in the world and half relative to its parent, so neither a part that is merely carried along counts
// nor one that stays while the body turns below it. A trunk counts relative to the feet alone.
static void weigh(const eri_gesture_search *m, const eri_gesture_goal *w, int b, const er_vec3 goes[2],
                  const er_vec3 moves[2], double *wanted, double *all)
{
    bool own = m->part[b] == w->part, any = w->way == WAY_ANY;
    const er_vec3 *seen = w->part == PART_TRUNK ? moves : goes;
    double mass = m->model->body[b].mass;
    *wanted = 0.0;
    *all = m->part[b] == PART_LEGS && !own ? 0.0 : mass * er_v3_dot(moves[0], moves[1]); // legs give
    if (!own) return;
    *all = 0.5 * (*all + mass * er_v3_dot(seen[0], seen[1]));
    for (int i = 0; i < 2; ++i)
        *wanted += 0.5 * mass *
                   (any ? er_v3_dot(seen[i], moves[1 - i])
                        : eri_gesture_along(m, w->way, seen[i]) * eri_gesture_along(m, w->way, moves[1 - i]));
}

// The part's share of all motion, times the share of its motion in the wanted direction. It is reduced if a light body
// moves much farther than the part.
static eri_gesture_fit judge(const eri_gesture_search *m, const eri_gesture *g, const eri_gesture_goal *w)
{
    double wanted = 0.0, part = 0.0, all = 0.0, sum = 0.0;
    eri_gesture_fit out = {.sense = 1.0};
    for (int b = 0; b < m->model->body_count; ++b) {
        er_vec3 goes = sum_of(m, g, m->goes, b), moves = sum_of(m, g, m->moves, b);
        double mass = m->model->body[b].mass, way = eri_gesture_along(m, w->way, moves), good, much;
        weigh(m, w, b, (const er_vec3[2]){goes, goes}, (const er_vec3[2]){moves, moves}, &good, &much);
        all += much;
        if (mass > ERI_GESTURE_LEAST_SHARE * m->mass) out.all = fmax(out.all, er_v3_norm(goes));
        if (m->part[b] != w->part) continue;
        part += much;
        wanted += good;
        sum += mass * way;
        if (mass > ERI_GESTURE_LEAST_SHARE * m->mass) out.most = fmax(out.most, fabs(way));
    }
    if (!(part > 0.0) || !(all > 0.0) || !(out.most > 0.0)) return (eri_gesture_fit){.sense = 1.0};
    set_scale(m, g, w, &out);
    out.score = wanted / all * fmax(wanted / part, 0.0) * fmin(1.0, FARTHER * out.most / out.all);
    out.sense = sum < 0.0 ? -1.0 : 1.0;
    return out;
}

static eri_gesture alone(int k)
{
    return (eri_gesture){.count = 1, .mode = {k}, .factor = {1.0}};
}

// Sums over bodies of wanted and whole motion, for products of two motions.
typedef struct products {
    double wanted[3], all[3]; // first by first, first by second, second by second
} products;

static products multiply(const eri_gesture_search *m, const eri_gesture *g, int k, const eri_gesture_goal *w)
{
    const eri_gesture other = alone(k);
    products p = {0};
    for (int b = 0; b < m->model->body_count; ++b) {
        const er_vec3 goes[2] = {sum_of(m, g, m->goes, b), sum_of(m, &other, m->goes, b)},
                      moves[2] = {sum_of(m, g, m->moves, b), sum_of(m, &other, m->moves, b)};
        for (int i = 0; i < 3; ++i) {
            const int of[2] = {i / 2, (i + 1) / 2};
            double wanted, all;
            weigh(m, w, b, (const er_vec3[2]){goes[of[0]], goes[of[1]]}, (const er_vec3[2]){moves[of[0]], moves[of[1]]},
                  &wanted, &all);
            p.wanted[i] += wanted;
            p.all[i] += all;
        }
    }
    return p;
}

// Adds the amount t of a mode that maximises the part's share, where
// (W00 + 2 t W01 + t^2 W11) / (A00 + 2 t A01 + t^2 A11) has no slope.
static eri_gesture join(const eri_gesture_search *m, const eri_gesture *g, int k, const eri_gesture_goal *w)
{
    const products p = multiply(m, g, k, w);
    const double *W = p.wanted, *A = p.all;
    double a = W[2] * A[1] - W[1] * A[2], b = 0.5 * (W[2] * A[0] - W[0] * A[2]), c = W[1] * A[0] - W[0] * A[1];
    double root = sqrt(fmax(b * b - a * c, 0.0)), most = -(b + (b < 0.0 ? -root : root)), best = -1.0;
    const double slopes[2] = {most / a,
                              most != 0.0 ? c / most : HUGE_VAL}; // a is 0 of a mode that leaves the part still
    eri_gesture out = *g;
    for (int i = 0; i < 2; ++i) {
        double t = slopes[i];
        double share = (W[0] + t * (2.0 * W[1] + t * W[2])) / (A[0] + t * (2.0 * A[1] + t * A[2]));
        if (!(share > best) || !isfinite(t)) continue;
        best = share;
        out = *g;
        out.mode[out.count] = k;
        out.factor[out.count++] = t;
    }
    return out;
}

static bool holds(const eri_gesture *g, int k)
{
    bool any = false;
    for (int i = 0; i < g->count; ++i)
        any |= g->mode[i] == k;
    return any;
}

// Adds modes one by one that reduce the motion of other parts.
static void add_modes(const eri_gesture_search *m, const eri_gesture_goal *w, eri_gesture *g, eri_gesture_fit *how)
{
    for (bool more = true; more && g->count < ERI_GESTURE_MOST_TOGETHER && how->score < ENOUGH;) {
        eri_gesture best = *g;
        double worth = GAIN * how->score * reach_of(how);
        for (int k = 0; k < m->mode_count; ++k) {
            if (!m->seen[k] || holds(g, k)) continue;
            eri_gesture one = join(m, g, k, w);
            eri_gesture_fit own = judge(m, &one, w);
            if (!(own.score * reach_of(&own) > worth)) continue;
            worth = own.score * reach_of(&own);
            best = one;
            *how = own;
        }
        more = best.count > g->count;
        *g = best;
    }
}

static er_result pose_gesture(eri_gesture_search *m, const eri_gesture *g, double scale)
{
    int width = m->kinematics->width;
    memset(m->x, 0, (size_t)width * sizeof *m->x);
    for (int i = 0; i < g->count; ++i) {
        er_kinematics_mode(m->kinematics, &m->modes->mode[g->mode[i]], m->x + width);
        for (int c = 0; c < width; ++c)
            m->x[c] += scale * g->factor[i] * m->x[width + c];
    }
    return er_kinematics_pose(m->kinematics, m->x, m->pose);
}

// Whether the feet follow a gesture to both sides; straight legs cannot, or buckle.
static er_result follows(eri_gesture_search *m, const eri_gesture *g, const eri_gesture_fit *how, bool *out)
{
    double scale = how->scale * reach_of(how);
    *out = true;
    for (int side = -1; side <= 1 && *out; side += 2) {
        er_result r = pose_gesture(m, g, side * scale);
        if (r != ER_OK && r != ER_ERROR_NO_CONVERGENCE) return r;
        *out = r == ER_OK;
        for (int b = 0; b < m->model->body_count && *out; ++b)
            *out = er_v3_distance(er_pose_point(m->pose[b], m->model->body[b].com), m->middle[b]) <=
                   BUCKLES * scale * how->all;
    }
    return ER_OK;
}

// Prefers, among similar scores, gestures that reach the goal, then slower ones.
static double worth_of(const eri_gesture_search *m, const eri_gesture *g, const eri_gesture_fit *how, double score)
{
    double degrees = 0.0, hz = 0.0;
    int first = 0;
    while (!m->seen[first])
        ++first;
    for (int i = 0; i < g->count; ++i) {
        double own = degrees_of(m, g, i, how->scale);
        degrees += own;
        hz += own * m->modes->mode[g->mode[i]].frequency_hz;
    }
    if (!(hz > 0.0)) return 0.0;
    return fmin(score, ENOUGH) * reach_of(how) * m->modes->mode[first].frequency_hz * degrees / hz *
           (m->used[g->mode[0]] ? 0.1 : 1.0);
}

// The modes with the highest scores by themselves, best first.   @return their number
static int find_starts(const eri_gesture_search *m, const eri_gesture_goal *w, int start[MOST_STARTS])
{
    const double little = 0.02; // for one that is good in company alone
    double worth[MOST_STARTS];
    int count = 0;
    for (int k = 0; k < m->mode_count; ++k) {
        const eri_gesture one = alone(k);
        if (!m->seen[k]) continue;
        eri_gesture_fit own = judge(m, &one, w);
        double own_worth = worth_of(m, &one, &own, fmax(own.score, 0.0) + little);
        int at = count;
        for (; at > 0 && own_worth > worth[at - 1]; --at)
            if (at < MOST_STARTS) worth[at] = worth[at - 1], start[at] = start[at - 1];
        if (at == MOST_STARTS || !(own_worth > 0.0)) continue;
        worth[at] = own_worth;
        start[at] = k;
        count += count < MOST_STARTS;
    }
    return count;
}

// Drops modes that hardly move in the gesture.
static void leave_out_little(const eri_gesture_search *m, eri_gesture *g, const eri_gesture_fit *how)
{
    int kept = 0;
    for (int i = 0; i < g->count; ++i) {
        if (degrees_of(m, g, i, how->scale) < LITTLE_SHARE * how->degrees) continue;
        g->mode[kept] = g->mode[i];
        g->factor[kept++] = g->factor[i];
    }
    g->count = kept;
}

static bool choose(const eri_gesture_search *m, const eri_gesture_goal *w, eri_gesture_fit *best, eri_gesture *out)
{
    int start[MOST_STARTS], count = find_starts(m, w, start);
    double worth = 0.0;
    for (int i = 0; i < count; ++i) {
        eri_gesture g = alone(start[i]);
        eri_gesture_fit how = judge(m, &g, w);
        add_modes(m, w, &g, &how);
        leave_out_little(m, &g, &how);
        how = judge(m, &g, w);
        double own = worth_of(m, &g, &how, how.score);
        if (how.score < LEAST_SCORE || !(own > worth * AS_GOOD)) continue;
        worth = own;
        *best = how;
        *out = g;
    }
    return worth > 0.0;
}

// The best gesture, or its first mode alone if the feet cannot follow the others; a count of 0 for none.
er_result eri_gesture_find(eri_gesture_search *m, const eri_gesture_goal *w, eri_gesture_fit *best, eri_gesture *out)
{
    bool well = false;
    for (int tries = 0; tries < MOST_TRIES && !well && choose(m, w, best, out); ++tries) {
        int first = out->mode[0];
        er_result r = follows(m, out, best, &well);
        if (r == ER_OK && !well && out->count > 1) {
            *out = alone(first);
            *best = judge(m, out, w);
            if (best->score >= LEAST_SCORE) r = follows(m, out, best, &well);
        }
        if (r != ER_OK) return r;
        m->seen[first] = well;
    }
    if (!well) out->count = 0;
    return ER_OK;
}

double eri_gesture_degrees(const eri_gesture_search *m, const eri_gesture *g, int i, const eri_gesture_fit *how)
{
    double own = degrees_of(m, g, i, how->scale);
    return how->degrees > ER_PRESET_MOST_DEGREES ? own / how->degrees * ER_PRESET_MOST_DEGREES : own; // 20 to the bit
}
