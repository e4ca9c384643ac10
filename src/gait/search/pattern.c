// Footfall patterns of many legs. Three modes cannot make eight feet step one after the other, so mixes of more modes
// are fitted: each foot is given a loop forward and up at its own phase, and least squares finds the modes closest to
// it.
#include <string.h>

#include "gait/search/surrogate.h"

enum { MOST = ERI_GAIT_MAX_COMPONENTS, FOOT_ROWS = 3 };

// The lag of each row of feet against the row behind it, parts of a stride; left and right are half a stride apart. A
// lag of a half gives two alternating sets, a smaller lag a wave that runs forward.
static const double lags[] = {1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 8.0};
static const double swings[] = {0.2, 0.35}, lifts[] = {0.08, 0.2}; // of a leg
static const double weight[FOOT_ROWS] = {1.0, 0.5, 2.0};           // ahead, left, up
static const double ridge = 0.01;                                  // of a leg squared, on a rad squared

typedef struct fit {
    const eri_path_polynomials *polynomials;
    double leg;
    int rows;                 // FOOT_ROWS a foot
    double *first;            // [modes x rows], of a leg, weighed
    double *wanted[2], *left; // [rows], likewise: real and imaginary part of the goal; the residual
    int count, mode[MOST];
    double out[2][MOST]; // rad
} fit;

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static const double *column(const fit *f, int mode)
{
    return f->first + (ptrdiff_t)mode * f->rows;
}

// A foot's height is that of its first tip, since the corners of a sole that turns are close together.
static void set_columns(fit *f)
{
    const eri_path_polynomials *s = f->polynomials;
    for (int mode = 0; mode < s->modes; ++mode)
        for (int tip = s->tips - 1; tip >= 0; --tip) {
            int foot = s->foot_of[tip], row[FOOT_ROWS] = {foot, s->feet + foot, 2 * s->feet + tip};
            for (int k = 0; k < FOOT_ROWS; ++k)
                f->first[(ptrdiff_t)mode * f->rows + FOOT_ROWS * foot + k] =
                    weight[k] * (double)s->first[(ptrdiff_t)mode * s->rows + row[k]] / f->leg;
        }
}

// A foot moves swing cos(wt + phase) forward and -lift sin(wt + phase) up: forward in the air, backward on the ground.
// As imaginary parts of c e^(i wt), c is i swing e^(i phase) and -lift e^(i phase).
static void set_wanted(fit *f, const er_gait_body *body, double lag, double polynomials, double lift)
{
    for (int foot = 0; foot < f->polynomials->feet; ++foot) {
        double phase = 2.0 * ER_PI * (lag * (foot / 2) + (body->foot[foot].side < 0 ? 0.5 : 0.0));
        double *re = f->wanted[0] + FOOT_ROWS * foot, *im = f->wanted[1] + FOOT_ROWS * foot;
        re[0] = -weight[0] * polynomials * sin(phase), im[0] = weight[0] * polynomials * cos(phase);
        re[1] = im[1] = 0.0;
        re[2] = -weight[2] * lift * cos(phase), im[2] = -weight[2] * lift * sin(phase);
    }
}

// Ridge regression over the chosen modes, (A'A + ridge) x = A'b, by elimination without pivots (positive definite).
static void solve(fit *f)
{
    int n = f->count;
    double a[MOST][MOST + 2];
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k)
            a[i][k] = dot(f->rows, column(f, f->mode[i]), column(f, f->mode[k])) + (i == k ? ridge : 0.0);
        for (int part = 0; part < 2; ++part)
            a[i][n + part] = dot(f->rows, column(f, f->mode[i]), f->wanted[part]);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            double by = a[k][i] / a[i][i];
            for (int c = i; c < n + 2 && k != i; ++c)
                a[k][c] -= by * a[i][c];
        }
    for (int i = 0; i < n; ++i)
        for (int part = 0; part < 2; ++part)
            f->out[part][i] = a[i][n + part] / a[i][i];
}

static void set_left(fit *f, int part)
{
    memcpy(f->left, f->wanted[part], (size_t)f->rows * sizeof *f->left);
    for (int v = 0; v < f->count; ++v)
        for (int i = 0; i < f->rows; ++i)
            f->left[i] -= f->out[part][v] * column(f, f->mode[v])[i];
}

static bool is_taken(const fit *f, int mode)
{
    for (int v = 0; v < f->count; ++v)
        if (f->mode[v] == mode) return true;
    return false;
}

// Adds the mode that reduces the residual most (matching pursuit).
static void take_mode(fit *f, double *gain)
{
    int best = -1;
    memset(gain, 0, (size_t)f->polynomials->modes * sizeof *gain);
    for (int part = 0; part < 2; ++part) {
        set_left(f, part);
        for (int m = 0; m < f->polynomials->modes; ++m) {
            double along = dot(f->rows, column(f, m), f->left);
            gain[m] += along * along / (dot(f->rows, column(f, m), column(f, m)) + ridge);
        }
    }
    for (int m = 0; m < f->polynomials->modes; ++m)
        if (!is_taken(f, m) && (best < 0 || gain[m] > gain[best])) best = m;
    f->mode[f->count++] = best;
    solve(f);
}

static eri_gait_mix mix_of(const fit *f)
{
    eri_gait_mix mix = {.count = f->count};
    for (int v = 0; v < f->count; ++v)
        mix.component[v] =
            (eri_gait_component){f->mode[v], 1, hypot(f->out[0][v], f->out[1][v]), atan2(f->out[1][v], f->out[0][v])};
    return mix;
}

er_result eri_pattern_mixes(er_arena *arena, const eri_path_polynomials *polynomials, const er_gait_body *body,
                            eri_gait_mix **out, int *count)
{
    er_result r = ER_OK;
    fit f = {.polynomials = polynomials, .leg = body->leg, .rows = FOOT_ROWS * polynomials->feet};
    double *gain;
    enum { ALL = ERI_COUNT(lags) * ERI_COUNT(swings) * ERI_COUNT(lifts) };
    *count = 0;
    ERI_TRY_NEW(*out, arena, eri_gait_mix, ALL);
    ERI_TRY_NEW(f.first, arena, double, (size_t)polynomials->modes *(size_t)f.rows);
    ERI_TRY_NEW(f.wanted[0], arena, double, f.rows);
    ERI_TRY_NEW(f.wanted[1], arena, double, f.rows);
    ERI_TRY_NEW(f.left, arena, double, f.rows);
    ERI_TRY_NEW(gain, arena, double, polynomials->modes);
    set_columns(&f);
    for (int k = 0; k < ALL; ++k) {
        set_wanted(&f, body, lags[k / 4], swings[k / 2 % 2], lifts[k % 2]);
        for (f.count = 0; f.count < MOST && f.count < polynomials->modes;)
            take_mode(&f, gain);
        (*out)[(*count)++] = mix_of(&f);
    }
done:
    return r;
}
