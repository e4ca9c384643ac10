// Parts of the search: polynomials against the poses that they are fitted to, strides of eight mixes at once against
// strides one by one, patterns of many feet against their equations, descent of pairs.
#include <string.h>

#include "grid.h"
#include "support/judge.h"

// ---- polynomials

enum { MOST_ROWS = 64 };

// All rows in a frame of what was posed, from the poses alone.
static void rows_of_poses(const bench *b, const eri_path_polynomials *s, int frame, double *row)
{
    er_pose pose[MOST_PARTS];
    eri_paths p;
    ok(eri_paths_create(arena, s->feet, s->trunks, 1, &p));
    for (int i = 0; i < b->model->body_count; ++i)
        pose[i] = eri_mix_sampler_lane(b->w, i, frame);
    eri_paths_set(&p, b->body, b->model, b->w->trunk, 0, pose);
    memcpy(row, p.ahead, (size_t)s->feet * sizeof *row);
    memcpy(row + s->feet, p.left, (size_t)s->feet * sizeof *row);
    for (int tip = 0; tip < s->tips; ++tip) {
        const er_gait_foot *foot = &b->body->foot[s->foot_of[tip]];
        er_pose now = pose[foot->body], rest = b->model->body[foot->body].pose;
        er_vec3 at = er_pose_point(now, foot->heel);
        if (s->corner[tip] >= 0) at = er_pose_point(now, er_pose_point_inverse(rest, foot->point[s->corner[tip]]));
        row[2 * s->feet + tip] = er_v3_dot(at, b->body->up) - b->body->ground - (s->corner[tip] < 0 ? foot->rest : 0.0);
    }
    memcpy(row + 2 * s->feet + s->tips, p.tilt, 3 * (size_t)s->trunks * sizeof *row);
}

// The parts of a row that change their sign with all modes, or do not: of poses, or of polynomials.
typedef struct parts {
    double even, odd;
} parts;

static void expect_parts(const bench *b, const eri_path_polynomials *s, int count, const int *mode, const double *out,
                         bool even)
{
    eri_vec32 signal[3][2] = {0};
    double row[2][MOST_ROWS], back[3];
    for (int v = 0; v < count; ++v) {
        back[v] = -out[v];
        signal[v][0][0] = (float)out[v];
        signal[v][0][1] = (float)back[v];
    }
    eri_mix_sampler_pose_signals(b->w, count, mode, (const eri_vec32(*)[2])signal);
    for (int k = 0; k < 2; ++k)
        rows_of_poses(b, s, k, row[k]);
    for (int i = 0; i < s->rows; ++i) {
        double forth = row_of(s, i, count, mode, out), rear = row_of(s, i, count, mode, back);
        measure_at_most("odd part of a row, off the poses", fabs(row[0][i] - row[1][i] - forth + rear), 4e-6);
        if (even)
            measure_at_most("even part of a row, off the poses", fabs(row[0][i] + row[1][i] - forth - rear), 4e-6);
    }
}

// Polynomials meet the poses of the fit: one mode at the angle of the fit and at twice that, two modes both ways, three
// modes.
static void polynomials_pass_through_what_they_are_fitted_to(void **state)
{
    const double d = ERI_GAIT_FIT;
    for (int stool = 0; stool < 2; ++stool) {
        bench b = begin(stool == 1 ? make_stool() : make_biped(usual), 5);
        eri_path_polynomials s;
        int tips = 0, modes = b.w->mode_count; // 6 where the fifth and the next have one frequency
        b.body->ground -= 0.03;                // so that something is not 0 at rest
        ok(eri_path_polynomials_create(arena, b.w, &s));
        for (int f = 0; f < b.body->foot_count; ++f) // a heel, or the corners of a sole that turns
            for (int i = 0; i < (stool == 1 ? b.body->foot[f].point_count : 1); ++i, ++tips)
                assert_true(s.foot_of[tips] == f && s.corner[tips] == (stool == 1 ? i : -1));
        assert_true(s.tips == tips && s.feet == b.body->foot_count && s.modes == modes && s.trunks == b.w->trunk_count);
        assert_true(s.rows == 2 * s.feet + s.tips + 3 * s.trunks && s.rows <= MOST_ROWS);
        expect_parts(&b, &s, 0, NULL, NULL, true);
        for (int a = 0; a < modes; ++a) {
            expect_parts(&b, &s, 1, &a, (double[]){d}, true);
            expect_parts(&b, &s, 1, &a, (double[]){2.0 * d}, false);
            for (int c = a + 1; c < modes; ++c) {
                expect_parts(&b, &s, 2, (int[]){a, c}, (double[]){d, d}, false);
                expect_parts(&b, &s, 2, (int[]){c, a}, (double[]){d, -d}, false);
                for (int e = c + 1; e < modes; ++e)
                    expect_parts(&b, &s, 3, (int[]){e, a, c}, (double[]){d, d, d}, false);
                // what even parts with both ways of two modes differ by is the product of the two
                eri_vec32 signal[2][2] = {0};
                double row[4][MOST_ROWS];
                for (int k = 0; k < 4; ++k)
                    for (int v = 0; v < 2; ++v)
                        signal[v][0][k] = (float)((k >> v & 1) == 0 ? d : -d);
                eri_mix_sampler_pose_signals(b.w, 2, (int[]){a, c}, (const eri_vec32(*)[2])signal);
                for (int k = 0; k < 4; ++k)
                    rows_of_poses(&b, &s, k, row[k]);
                for (int i = 0; i < s.rows; ++i) {
                    double product = (row[0][i] + row[3][i] - row[1][i] - row[2][i]) / (4.0 * d * d);
                    for (int k = 0; k < 2; ++k) {
                        int cell = ((k == 0 ? a : c) * modes + (k == 0 ? c : a)) * s.rows + i;
                        measure_at_most("product of two modes", fabs((double)s.second[cell] - product), 2e-5);
                    }
                }
                for (int e = 0; e < modes; ++e) // any way round
                    for (int i = 0; i < s.rows && e != a && e != c; ++i) {
                        float first = s.mixed[((a * modes + c) * modes + e) * s.rows + i];
                        assert_true(s.mixed[((c * modes + a) * modes + e) * s.rows + i] == first);
                        assert_true(s.mixed[((e * modes + c) * modes + a) * s.rows + i] == first);
                    }
            }
        }
        end(&b);
    }
}

// ---- eight mixes at once

enum { FEW = 5, FEET = 4, TIPS = 6, TRUNKS = 2, ROWS = 2 * FEET + TIPS + 3 * TRUNKS };

// A swing by hand: one mode has feet go ahead and back by turns, one lifts them by turns, one all at once; beside that,
// and of higher orders, all do whatever is thrown.
typedef struct made {
    int foot_of[TIPS], corner[TIPS];
    float rest[ROWS], first[FEW * ROWS], second[FEW * FEW * ROWS], third[FEW * FEW * ROWS];
    float mixed[FEW * FEW * FEW * ROWS];
    er_gait_foot foot[FEET];
    eri_path_polynomials swing;
    er_gait_body body;
} made;

static void make_swing(made *m, dice *d)
{
    static const int foot_of[TIPS] = {0, 1, 1, 2, 3, 3};
    *m = (made){0};
    memcpy(m->foot_of, foot_of, sizeof foot_of);
    m->swing = (eri_path_polynomials){FEW,       FEET,    TIPS,     TRUNKS,    ROWS,     m->foot_of,
                                      m->corner, m->rest, m->first, m->second, m->third, m->mixed};
    for (int a = 0; a < FEW * ROWS; ++a)
        m->first[a] = (float)dice_uniform(d, -0.03, 0.03);
    for (int i = 0; i < ROWS; ++i)
        m->rest[i] = (float)dice_uniform(d, 0.0, 0.01);
    for (int a = 0; a < FEW; ++a)
        for (int c = 0; c < FEW; ++c)
            for (int i = 0; i < ROWS; ++i) {
                m->third[(a * FEW + c) * ROWS + i] = (float)dice_uniform(d, -0.05, 0.05);
                if (c <= a)
                    m->second[(a * FEW + c) * ROWS + i] = m->second[(c * FEW + a) * ROWS + i] =
                        (float)dice_uniform(d, -0.05, 0.05);
                for (int e = 0; e < c && c < a; ++e) {
                    const int all[3] = {a, c, e};
                    float mixed = (float)dice_uniform(d, -0.3, 0.3);
                    for (int k = 0; k < 6; ++k) // any way round
                        m->mixed[((all[k % 3] * FEW + all[(k + 1 + k / 3) % 3]) * FEW + all[(k + 2 - k / 3) % 3]) *
                                     ROWS +
                                 i] = mixed;
                }
            }
    for (int f = 0; f < FEET; ++f) {
        m->first[f] += f == 0 || f == 3 ? 0.9f : -0.9f;
        m->foot[f] = (er_gait_foot){.side = f % 2 == 0 ? 1 : -1, .mirror = f ^ 1};
    }
    for (int tip = 0; tip < TIPS; ++tip) {
        m->first[ROWS + 2 * FEET + tip] += foot_of[tip] == 0 || foot_of[tip] == 3 ? 0.16f : -0.16f;
        m->first[2 * ROWS + 2 * FEET + tip] += 0.5f;
    }
    m->body = (er_gait_body){.leg = 0.8, .gravity = 9.81, .height = 1.5, .foot_count = FEET, .foot = m->foot};
}

static void turn_round(int n, int rows, double *x)
{
    for (int row = 0; row < rows; ++row)
        for (int i = 1, k = n - 1; i < k; ++i, --k) {
            double early = x[row * n + i];
            x[row * n + i] = x[row * n + k];
            x[row * n + k] = early;
        }
}

// The part of a stride that feet touch the ground without weight, frames counted by theirs.
static double scrape_of(const er_gait_body *body, const eri_paths *p, const eri_stride_ground *g,
                        const eri_stride *stride)
{
    double sum = 0.0, near = 0.02 * body->leg;
    for (int f = 0; f < p->feet; ++f) {
        double level = near + 0.1 * fmin(stride->step[f].clearance, 10.0 * near), without = 0.0;
        for (int i = 0; i < p->count; ++i)
            without += (p->up[f * p->count + i] + g->ride[i] <= level) - g->weight[f * p->count + i];
        sum += fmax(without, 0.0);
    }
    return sum / (p->count * p->feet);
}

// A mix by the polynomials, a frame after the other, let go on the ground; turned round in time where it goes backward.
static eri_stride walk(const er_gait_body *body, const eri_path_polynomials *s, eri_paths *p, eri_stride_ground *g,
                       const eri_gait_mix *mix)
{
    int n = p->count, mode[3];
    eri_stride out = {0};
    for (int i = 0; i < n; ++i) {
        double angle[3], lowest[ERI_GAIT_MOST_FEET];
        for (int v = 0; v < mix->count; ++v) {
            const eri_gait_component *part = &mix->component[v];
            mode[v] = part->mode;
            angle[v] = part->angle * sin(2.0 * ER_PI * part->harmonic * i / n + part->phase);
        }
        for (int f = 0; f < s->feet; ++f) {
            p->ahead[f * n + i] = row_of(s, f, mix->count, mode, angle);
            p->left[f * n + i] = row_of(s, s->feet + f, mix->count, mode, angle);
            lowest[f] = HUGE_VAL;
        }
        for (int tip = 0; tip < s->tips; ++tip)
            lowest[s->foot_of[tip]] =
                fmin(lowest[s->foot_of[tip]], row_of(s, 2 * s->feet + tip, mix->count, mode, angle));
        for (int f = 0; f < s->feet; ++f)
            p->up[f * n + i] = lowest[f];
        for (int k = 0; k < 3 * s->trunks; ++k) // looked at sixteen times a stride
            p->tilt[k * n + i] =
                i % (n / 16) == 0 ? row_of(s, 2 * s->feet + s->tips + k, mix->count, mode, angle) : 0.0;
    }
    eri_stride_ground_walk(body, p, g, &out);
    if (out.length < 0.0) {
        turn_round(n, s->feet, p->ahead);
        turn_round(n, s->feet, p->left);
        turn_round(n, s->feet, p->up);
        eri_stride_ground_walk(body, p, g, &out);
    }
    out.scrape = scrape_of(body, p, g, &out);
    return out;
}

static bool is_near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-4 * scale;
}

// All that is said of a stride.
static bool are_alike(const er_gait_body *body, const eri_stride *a, const eri_stride *b)
{
    bool same = is_near(a->length, b->length, body->leg) && is_near(a->period, b->period, b->period) &&
                is_near(a->drift, b->drift, body->leg) && is_near(a->slip, b->slip, 1.0 + b->slip) &&
                is_near(a->flight, b->flight, 1.0) && is_near(a->bob, b->bob, body->leg) &&
                is_near(a->scrape, b->scrape, 1.0) && a->feet == b->feet;
    for (int k = 0; k < 3; ++k)
        same &= is_near(a->tilt[k], b->tilt[k], 1.0);
    for (int f = 0; f < b->feet; ++f) {
        const er_gait_step *x = &a->step[f], *y = &b->step[f];
        bool some = y->duty > 0.0 && y->duty < 1.0;
        same &= is_near(x->duty, y->duty, 1.0) && is_near(x->clearance, y->clearance, body->leg) &&
                (!some || is_near(remainder(x->phase - y->phase, 1.0), 0.0, 1.0)) && x->phase >= 0.0 && x->phase < 1.0;
    }
    return same;
}

// One component, or two, below the last, at amplitudes and phases that are on no grid: strides are those of the ground,
// but for mixes in which rounding decides whether a foot touches or which of two stances is the longer.
static void strides_are_those_of_the_ground(void **state)
{
    static made m;
    dice d = {4001};
    for (int coarsely = 0; coarsely < 2; ++coarsely) {
        const int frames = coarsely ? ERI_GAIT_FRAMES / 2 : ERI_GAIT_FRAMES;
        eri_surrogate *surrogate;
        eri_paths p;
        eri_stride_ground g;
        int walks = 0, apart = 0, flights = 0, scrapes = 0;
        make_swing(&m, &d);
        ok(eri_surrogate_create(arena, &m.swing, &m.body, coarsely == 1, &surrogate));
        ok(eri_paths_create(arena, FEET, TRUNKS, frames, &p));
        ok(eri_stride_ground_create(arena, FEET, frames, &g));
        for (int turn = 0; turn < trials(200); ++turn) {
            static const int modes[][3] = {{0, 1}, {1, 0}, {0, 2}, {0, 1, 3}, {4, 0, 1}, {1, 2, 0}, {0, 3, 2}};
            int which = turn % (int)ERI_COUNT(modes);
            eri_gait_mix mix = {.count = which < 3 ? 2 : 3};
            for (int v = 0; v < mix.count; ++v) {
                bool leads = modes[which][v] < 3;
                mix.component[v] = (eri_gait_component){modes[which][v], 1, 0.0, dice_uniform(&d, -3.0, 3.0)};
                mix.component[v].angle = dice_uniform(&d, leads ? 0.2 : 0.05, leads ? 0.6 : 0.2);
                if (!leads) mix.component[v].harmonic = 2;
            }
            eri_gait_component *last = &mix.component[mix.count - 1];
            eri_stride stride[ERI_GAIT_PHASES];
            eri_surrogate_set_first(surrogate, mix.count - 1, mix.component);
            eri_surrogate_set_last(surrogate, last->mode, last->harmonic);
            eri_surrogate_sample(surrogate, last->angle, stride);
            for (int k = 0; k < ERI_GAIT_PHASES; ++k) {
                last->phase = 2.0 * ER_PI * k / ERI_GAIT_PHASES;
                eri_stride known = walk(&m.body, &m.swing, &p, &g, &mix);
                assert_int_equal(stride[k].feet, FEET);
                if (fmax(known.length, stride[k].length) < 0.2 * m.body.leg) continue; // it slips about
                if (known.scrape > 0.06) continue; // of two stances either may be the longer
                ++walks;
                flights += known.flight > 0.05;
                scrapes += known.scrape > 0.01;
                apart += !are_alike(&m.body, &stride[k], &known);
            }
        }
        print_message("# %d frames: of %d strides, %d with flights, %d with scrapes, %d are apart\n", frames, walks,
                      flights, scrapes, apart);
        assert_true(walks > trials(600) && apart < 0.04 * walks);
        assert_true(ERI_SANITIZED || (flights > 40 && scrapes > 60)); // few trials meet few kinds
    }
}

// ---- many feet in turn

enum { MANY = 6, PATTERN_MODES = 12, PATTERN_TIPS = 9 };

// A swing by hand: what modes do to feet and tips is thrown.
typedef struct thrown {
    int foot_of[PATTERN_TIPS];
    float first[PATTERN_MODES * (2 * MANY + PATTERN_TIPS)];
    er_gait_foot foot[MANY];
    eri_path_polynomials swing;
    er_gait_body body;
} thrown;

static void throw_swing(thrown *t, int modes)
{
    static const int foot_of[PATTERN_TIPS] = {0, 0, 1, 2, 2, 2, 3, 4, 5};
    dice d = {4002};
    *t = (thrown){0};
    memcpy(t->foot_of, foot_of, sizeof foot_of);
    t->swing =
        (eri_path_polynomials){.modes = modes, .feet = MANY, .tips = PATTERN_TIPS, .rows = 2 * MANY + PATTERN_TIPS};
    t->swing.foot_of = t->foot_of;
    t->swing.first = t->first;
    for (int i = 0; i < modes * t->swing.rows; ++i)
        t->first[i] = (float)dice_uniform(&d, -0.3, 0.3);
    for (int f = 0; f < MANY; ++f)
        t->foot[f] = (er_gait_foot){.side = f % 2 == 0 ? 1 : -1};
    t->body = (er_gait_body){.leg = 0.8, .foot_count = MANY, .foot = t->foot};
}

enum { EQUATIONS = 3 * MANY };

// Motions of feet by modes, and the wanted ones: ahead, half of what is aside, twice of what is up, over a leg.
static void set_equations(const thrown *t, double lag, double ahead, double lift, double (*P)[PATTERN_MODES],
                          double (*b)[2])
{
    int rows = t->swing.rows;
    for (int f = 0; f < MANY; ++f) {
        int tip = 0;
        while (t->foot_of[tip] != f) // the first of its tips says how high it is
            ++tip;
        for (int m = 0; m < t->swing.modes; ++m) {
            P[3 * f][m] = (double)t->first[m * rows + f] / t->body.leg;
            P[3 * f + 1][m] = 0.5 * (double)t->first[m * rows + MANY + f] / t->body.leg;
            P[3 * f + 2][m] = 2.0 * (double)t->first[m * rows + 2 * MANY + tip] / t->body.leg;
        }
        double phase = 2.0 * ER_PI * (lag * (f / 2) + 0.5 * (f % 2));
        // parts of sin and of cos: ahead cos(wt + phase), -lift sin(wt + phase)
        b[3 * f][0] = -ahead * sin(phase), b[3 * f][1] = ahead * cos(phase);
        b[3 * f + 1][0] = b[3 * f + 1][1] = 0.0;
        b[3 * f + 2][0] = -2.0 * lift * cos(phase), b[3 * f + 2][1] = -2.0 * lift * sin(phase);
    }
}

// The slope of |P c - b|^2 + |c|^2 / 100 along every mode, of sin and of cos, for the first `count` modes of a mix.
static void slope(const thrown *t, const eri_gait_mix *mix, int count, double (*c)[2], double (*P)[PATTERN_MODES],
                  double (*b)[2], double (*out)[2])
{
    for (int part = 0; part < 2; ++part) {
        double left[EQUATIONS];
        for (int i = 0; i < EQUATIONS; ++i) {
            left[i] = -b[i][part];
            for (int v = 0; v < count; ++v)
                left[i] += P[i][mix->component[v].mode] * c[v][part];
        }
        for (int m = 0; m < t->swing.modes; ++m) {
            out[m][part] = 0.0;
            for (int i = 0; i < EQUATIONS; ++i)
                out[m][part] += P[i][m] * left[i];
        }
        for (int v = 0; v < count; ++v)
            out[mix->component[v].mode][part] += 0.01 * c[v][part];
    }
}

// Least squares of the first modes of a mix, by going downhill along each in turn, often.
static void solve_slowly(const thrown *t, const eri_gait_mix *mix, int count, double (*P)[PATTERN_MODES],
                         double (*b)[2], double (*c)[2])
{
    double s[PATTERN_MODES][2];
    memset(c, 0, ERI_GAIT_MAX_COMPONENTS * sizeof *c);
    for (int turn = 0; turn < 400; ++turn)
        for (int v = 0; v < count; ++v) {
            double square = 0.01;
            slope(t, mix, count, c, P, b, s);
            for (int i = 0; i < EQUATIONS; ++i)
                square += P[i][mix->component[v].mode] * P[i][mix->component[v].mode];
            for (int part = 0; part < 2; ++part)
                c[v][part] -= s[mix->component[v].mode][part] / square;
        }
}

// Eight modes, or all if there are fewer, give each pattern once, at its least sum of squares. Each mode is the one
// that helps most with what those before it left.
static void patterns_are_the_nearest_that_modes_come(void **state)
{
    static const double lags[] = {1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 8.0}, aheads[] = {0.2, 0.35},
                        lifts[] = {0.08, 0.2};
    static thrown t;
    for (int modes = 5; modes <= PATTERN_MODES; modes += PATTERN_MODES - 5) {
        eri_gait_mix *mix;
        int count, met[16] = {0};
        throw_swing(&t, modes);
        ok(eri_pattern_mixes(arena, &t.swing, &t.body, &mix, &count));
        assert_int_equal(count, 16);
        for (int k = 0; k < 16; ++k) {
            double P[EQUATIONS][PATTERN_MODES], b[EQUATIONS][2], s[PATTERN_MODES][2];
            set_equations(&t, lags[k / 4], aheads[k / 2 % 2], lifts[k % 2], P, b);
            for (int i = 0; i < count; ++i) {
                double c[ERI_GAIT_MAX_COMPONENTS][2], most = 0.0;
                assert_int_equal(mix[i].count, modes < ERI_GAIT_MAX_COMPONENTS ? modes : ERI_GAIT_MAX_COMPONENTS);
                for (int v = 0; v < mix[i].count; ++v) {
                    const eri_gait_component *part = &mix[i].component[v];
                    assert_true(part->harmonic == 1 && part->angle >= 0.0 && part->mode >= 0 && part->mode < modes);
                    for (int u = 0; u < v; ++u)
                        assert_int_not_equal(part->mode, mix[i].component[u].mode);
                    c[v][0] = part->angle * cos(part->phase);
                    c[v][1] = part->angle * sin(part->phase);
                }
                slope(&t, &mix[i], mix[i].count, c, P, b, s);
                for (int v = 0; v < mix[i].count; ++v)
                    most = fmax(most, hypot(s[mix[i].component[v].mode][0], s[mix[i].component[v].mode][1]));
                if (most > 1e-9) continue;
                ++met[k];
                for (int taken = 0; taken < mix[i].count; ++taken) {
                    double gain[PATTERN_MODES] = {0}, best = 0.0;
                    solve_slowly(&t, &mix[i], taken, P, b, c);
                    slope(&t, &mix[i], taken, c, P, b, s);
                    for (int m = 0; m < modes; ++m) {
                        double square = 0.01;
                        bool is_taken = false;
                        for (int v = 0; v < taken; ++v)
                            is_taken |= mix[i].component[v].mode == m;
                        for (int e = 0; e < EQUATIONS; ++e)
                            square += P[e][m] * P[e][m];
                        gain[m] = (s[m][0] * s[m][0] + s[m][1] * s[m][1]) / square;
                        if (!is_taken) best = fmax(best, gain[m]);
                    }
                    assert_true(gain[mix[i].component[taken].mode] > best * (1.0 - 1e-6));
                }
            }
            assert_int_equal(met[k], 1);
        }
    }
}

// ---- pairs

// A bowl that pairs are judged by, and all mixes that were asked for.
typedef struct bowl {
    double least[3], floor; // amplitudes and phase where cost is least, and what it is there
    int count;
    eri_gait_mix asked[200];
    double said[200];
} bowl;

static void judge_bowl(void *self, eri_gait_mix mix, eri_candidate *out)
{
    bowl *b = self;
    double a = mix.component[0].angle - b->least[0], c = mix.component[1].angle - b->least[1],
           turn = remainder(mix.component[1].phase - b->least[2], 2.0 * ER_PI);
    *out = (eri_candidate){.mix = mix, .cost = b->floor + 3.0 * (a * a + c * c) + turn * turn};
    assert_true(b->count < (int)ERI_COUNT(b->asked));
    b->asked[b->count] = mix;
    b->said[b->count++] = out->cost;
}

// The search finds the bottom of a bowl, or the nearest place within bounds; and the best point of a grid if the bowl
// is too high everywhere. It returns the best mix that was asked for.
static void pairs_go_downhill_within_bounds(void **state)
{
    const double far = 0.5 + 0.1 * (1.0 - pow(0.7, 7.0)) / 0.3; // the sum of steps that are each 0.7 of the one before
    const struct {
        double least[3], floor, bottom[2];
        int asked;
    } rows[] = {{{0.3, 0.4, 1.0}, 0.5, {0.3, 0.4}, 0},   {{0.2, 0.55, -2.6}, 0.1, {0.2, 0.55}, 0},
                {{0.6, 0.1, 0.1}, 2.0, {0.6, 0.1}, 0},   {{1.4, 0.3, 1.5}, 0.0, {far, 0.3}, 0},
                {{-0.3, 0.3, 1.5}, 0.0, {0.02, 0.3}, 0}, {{0.3, 1.3, 1.5}, 0.0, {0.3, far}, 0},
                {{0.4, -0.2, 1.5}, 0.0, {0.4, 0.02}, 0}, {{0.3, 0.42, 1.0}, 4.1, {0.3, 0.5}, 36},
                {{0.3, 0.4, 1.0}, 3.5, {0.3, 0.4}, 0}};
    for (size_t k = 0; k < ERI_COUNT(rows); ++k) {
        static bowl b;
        b = (bowl){.floor = rows[k].floor};
        memcpy(b.least, rows[k].least, sizeof b.least);
        eri_candidate best = eri_pair_search(judge_bowl, &b, 7, 3);
        double said = HUGE_VAL;
        int on_grid = 0;
        for (int i = 0; i < b.count; ++i) {
            const eri_gait_component *part = b.asked[i].component;
            assert_true(b.asked[i].count == 2 && part[0].mode == 7 && part[1].mode == 3);
            assert_true(part[0].harmonic == 1 && part[1].harmonic == 1 && part[0].phase == 0.0);
            for (int v = 0; v < 2; ++v)
                assert_true(part[v].angle > 0.02 && part[v].angle < far + 1e-9);
            said = fmin(said, b.said[i]);
            static const double level[] = {0.15, 0.3, 0.5};
            for (int p = 0; p < 36; ++p)
                on_grid += part[0].angle == level[p / 12] && part[1].angle == level[p / 4 % 3] &&
                           fabs(part[1].phase - ER_PI * (0.25 + 0.5 * (p % 4))) < 1e-12;
        }
        assert_true(best.cost == said && on_grid >= 36);
        for (int i = 0; i < 36; ++i)
            for (int l = 0; l < i; ++l)
                assert_memory_not_equal(&b.asked[i], &b.asked[l], sizeof b.asked[i]);
        if (rows[k].asked > 0)
            assert_int_equal(b.count, rows[k].asked);
        else
            assert_true(b.count > 36 + 20 && b.count <= 36 + 7 * 6);
        for (int v = 0; v < 2; ++v)
            measure_at_most("amplitude of the best of a pair, off the bottom",
                            fabs(best.mix.component[v].angle - rows[k].bottom[v]), 0.03);
        if (rows[k].asked == 0)
            measure_at_most("phase of the best of a pair, off the bottom",
                            fabs(remainder(best.mix.component[1].phase - b.least[2], 2.0 * ER_PI)), 0.1);
    }
}

// ---- downhill

// No step of the last length along one number leads to a better mix, of its family unless it roams, that is within
// bounds.
static void expect_bottom(bench *b, bool closely, const eri_candidate *found)
{
    const double step = 0.6 * 0.6 * 0.6 * 0.6, least = 0.02, most = 0.75;
    for (int k = 0; k < 2 * found->mix.count; ++k)
        for (int sign = -1; sign <= 1; sign += 2) {
            eri_gait_mix mix = found->mix;
            eri_candidate near;
            if (k % 2 == 0)
                mix.component[k / 2].angle += sign * step * 0.08;
            else
                mix.component[k / 2].phase += sign * step * 0.4;
            bool within = true;
            for (int v = 0; v < mix.count; ++v)
                within &= mix.component[v].angle > least && mix.component[v].angle < most;
            if (!within) continue;
            near = (eri_candidate){.mix = mix};
            if (closely)
                eri_evaluator_evaluate_finely(&b->judge, 0.0, &near);
            else
                eri_evaluator_evaluate(&b->judge, mix, &near);
            assert_true(near.cost >= found->cost || (!b->judge.any_family && near.family != found->family));
        }
}

static void ways_downhill_end_at_a_bottom(void **state)
{
    enum { MODES = 5 };
    bench b = begin(make_biped(usual), MODES);
    dice d = {4003};
    int ended = 0, better = 0, moved = 0;
    for (int turn = 0; turn < trials(150); ++turn) {
        eri_gait_mix mix;
        eri_candidate found;
        do {
            if (!mix_of_grid(dice_below(&d, 15 * 240 * 240), 2 + turn % 2, MODES, &mix)) continue;
            eri_evaluator_evaluate(&b.judge, mix, &found);
        } while (mix.count == 0 || !(found.cost < 6.0));
        bool closely = turn % 16 == 7;
        if (closely) eri_evaluator_evaluate_finely(&b.judge, 0.0, &found);
        if (!(found.cost < HUGE_VAL)) continue;
        eri_candidate from = found;
        b.judge.any_family = turn % 3 == 0;
        int posed = eri_evaluator_refine(&b.judge, closely, &found);
        assert_true(found.cost <= from.cost && posed >= 4 * mix.count && posed < 250 + 4 * 3 + 1);
        assert_true(found.family == from.family || b.judge.any_family);
        moved += found.family != from.family;
        better += found.cost < 0.9 * from.cost;
        for (int v = 0; v < mix.count; ++v)
            assert_true(found.mix.component[v].mode == from.mix.component[v].mode &&
                        found.mix.component[v].harmonic == from.mix.component[v].harmonic);
        eri_candidate again;
        eri_evaluator_evaluate(&b.judge, found.mix, &again); // what is said of it is of it
        if (closely) eri_evaluator_evaluate_finely(&b.judge, 0.0, &again);
        assert_true(fabs(again.cost - found.cost) < 1e-2 * (1.0 + found.cost));
        if (posed >= 250) continue;
        ++ended;
        expect_bottom(&b, closely, &found);
    }
    print_message("# of %d ways downhill %d end, %d at less than nine tenths, %d in another family\n", trials(150),
                  ended, better, moved);
    assert_true(ERI_SANITIZED || (ended > 20 && better > 20 && moved > 0));
    end(&b);
}

// A mix looked at closely is posed at 256 frames, each of which is what its displacement says.
static void close_looks_are_at_every_eighth_of_a_frame(void **state)
{
    enum { FINE = ERI_GAIT_FINE };
    bench b = begin(make_biped(usual), 4);
    eri_candidate found = {.mix = {2, {{1, 1, 0.3, 0.4}, {2, 2, 0.2, -1.0}}}};
    const int mode[2] = {1, 2};
    eri_paths known;
    ok(eri_paths_create(arena, 2, b.w->trunk_count, FINE, &known));
    for (int i = 0; i < FINE; ++i) {
        eri_vec32 signal[2][2] = {0};
        er_pose pose[MOST_PARTS];
        for (int v = 0; v < 2; ++v) {
            const eri_gait_component *part = &found.mix.component[v];
            signal[v][0][0] = (float)(part->angle * sin(2.0 * ER_PI * part->harmonic * i / FINE + part->phase));
        }
        eri_mix_sampler_pose_signals(b.w, 2, mode, (const eri_vec32(*)[2])signal);
        for (int k = 0; k < b.model->body_count; ++k)
            pose[k] = eri_mix_sampler_lane(b.w, k, 0);
        eri_paths_set(&known, b.body, b.model, b.w->trunk, i, pose);
    }
    eri_evaluator_evaluate_finely(&b.judge, 0.0, &found);
    const eri_paths *fine = &b.judge.fine;
    assert_true(fine->count == FINE && fine->feet == 2 && fine->trunks == b.w->trunk_count);
    for (int i = 0; i < 2 * FINE; ++i) {
        measure_at_most("a close look, ahead", fabs(fine->ahead[i] - known.ahead[i]), 1e-5);
        measure_at_most("a close look, to the left", fabs(fine->left[i] - known.left[i]), 1e-5);
        measure_at_most("a close look, up", fabs(fine->up[i] - known.up[i]), 1e-5);
    }
    for (int i = 0; i < 3 * fine->trunks * FINE; ++i)
        measure_at_most("a close look, turned", fabs(fine->tilt[i] - known.tilt[i]), 1e-5);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_pass_through_what_they_are_fitted_to),
        cmocka_unit_test(strides_are_those_of_the_ground),
        cmocka_unit_test(patterns_are_the_nearest_that_modes_come),
        cmocka_unit_test(pairs_go_downhill_within_bounds),
        cmocka_unit_test(ways_downhill_end_at_a_bottom),
        cmocka_unit_test(close_looks_are_at_every_eighth_of_a_frame),
    };
    return cmocka_run_group_tests(tests, set_up_grid, tear_down_grid);
}
