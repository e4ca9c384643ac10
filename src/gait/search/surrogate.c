// Strides of eight mixes at once, one per lane. The first components are the same in all lanes and are summed once; the
// last one has its own phase in each lane. The steps are those of stride_ground.c and stride_cost.c for one mix,
// written without branches.
#include <string.h>

#include "base/lanes.h"
#include "gait/search/surrogate.h"

enum { N = ERI_GAIT_FRAMES, LANES = ERI_GAIT_PHASES }; // most frames of a stride
_Static_assert((int)LANES == (int)ERI_LANE_COUNT, "a phase a lane");

struct eri_surrogate {
    const eri_path_polynomials *polynomials;
    const er_gait_body *body;
    int frames;            // of a stride; the first so many of each array of N
    eri_lanesf wave[2][N]; // of the last component at 1 rad, by harmonic
    float sine[2][2][N];   // of the components in `base` at 1 rad: sine, cosine
    int base_count, base_mode[2];
    float signal[2][N], product[2][2][N];
    float *base;                   // [rows x frames], of the first components
    float *slope, *curve;          // [rows x frames], coefficients of the last component's first and second power
    const float *cube;             // [rows], of its third power
    const eri_lanesf *last;        // [frames]
    eri_lanesf *ahead, *left, *up; // [feet x frames]
    eri_lanesf *weight;            // [feet x frames], share of a frame in stance
    eri_lanesf floor[N], ride[N];
};

// The strides of all lanes; `middle` of a stance in frames.
typedef struct strides {
    eri_lanesf period, length, drift, slip, flight, bob, scrape, tilt[3];
    eri_lanesf duty[ERI_GAIT_MOST_FEET], middle[ERI_GAIT_MOST_FEET], clearance[ERI_GAIT_MOST_FEET];
} strides;

// --- paths

static const float *of_pair(const eri_path_polynomials *s, const float *table, int a, int b)
{
    return table + ((ptrdiff_t)a * s->modes + b) * s->rows;
}

// y += c x for every row and frame, c a row's.
ERI_LANES_DO(add_scaled, (int rows, int n, const float *c, const float *x, float *y), (rows, n, c, x, y))
{
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < n; ++i)
            y[row * n + i] += c[row] * x[i];
}

// Coefficients of a mode's first three powers, given the first components.
static void set_powers(eri_surrogate *s, int mode)
{
    const eri_path_polynomials *polynomials = s->polynomials;
    int rows = polynomials->rows, n = s->frames;
    const float *first = polynomials->first + (ptrdiff_t)mode * rows,
                *second = of_pair(polynomials, polynomials->second, mode, mode);
    s->cube = of_pair(polynomials, polynomials->third, mode, mode);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < n; ++i) {
            s->slope[row * n + i] = first[row];
            s->curve[row * n + i] = second[row];
        }
    for (int v = 0; v < s->base_count; ++v) {
        add_scaled(rows, n, of_pair(polynomials, polynomials->second, s->base_mode[v], mode), s->signal[v], s->slope);
        add_scaled(rows, n, of_pair(polynomials, polynomials->third, s->base_mode[v], mode), s->product[v][v],
                   s->slope);
        add_scaled(rows, n, of_pair(polynomials, polynomials->third, mode, s->base_mode[v]), s->signal[v], s->curve);
    }
    if (s->base_count == 2)
        add_scaled(
            rows, n,
            of_pair(polynomials, polynomials->mixed, s->base_mode[0] * polynomials->modes + s->base_mode[1], mode),
            s->product[0][1], s->slope);
}

static void add_base(eri_surrogate *s, const eri_gait_component *p)
{
    int v = s->base_count, n = s->frames;
    float a = (float)(p->angle * cos(p->phase)), b = (float)(p->angle * sin(p->phase));
    set_powers(s, p->mode);
    for (int i = 0; i < n; ++i)
        s->signal[v][i] = a * s->sine[p->harmonic - 1][0][i] + b * s->sine[p->harmonic - 1][1][i];
    for (int row = 0; row < s->polynomials->rows; ++row)
        for (int i = 0; i < n; ++i) {
            int k = row * n + i;
            float x = s->signal[v][i];
            s->base[k] += x * (s->slope[k] + x * (s->curve[k] + x * s->cube[row]));
        }
    for (int u = 0; u <= v; ++u)
        for (int i = 0; i < n; ++i)
            s->product[u][v][i] = s->signal[u][i] * s->signal[v][i];
    s->base_mode[s->base_count++] = p->mode;
}

void eri_surrogate_set_first(eri_surrogate *s, int count, const eri_gait_component *component)
{
    int n = s->frames;
    for (int row = 0; row < s->polynomials->rows; ++row)
        for (int i = 0; i < n; ++i)
            s->base[row * n + i] = s->polynomials->rest[row];
    s->base_count = 0;
    for (int v = 0; v < count; ++v)
        add_base(s, &component[v]);
}

void eri_surrogate_set_last(eri_surrogate *s, int mode, int harmonic)
{
    s->last = s->wave[harmonic - 1];
    set_powers(s, mode);
}

ERI_LANES_INLINE eri_lanesf at(const eri_surrogate *s, int n, int row, int frame, const eri_lanesf *signal)
{
    int k = row * n + frame;
    return s->base[k] + signal[frame] * (s->slope[k] + signal[frame] * (s->curve[k] + s->cube[row] * signal[frame]));
}

ERI_LANES_INLINE void lay_paths(eri_surrogate *s, int n, const eri_lanesf *signal)
{
    const eri_path_polynomials *polynomials = s->polynomials;
    int feet = polynomials->feet;
    for (int f = 0; f < feet; ++f)
        for (int i = 0; i < n; ++i) {
            s->ahead[f * n + i] = at(s, n, f, i, signal);
            s->left[f * n + i] = at(s, n, feet + f, i, signal);
        }
    for (int tip = 0; tip < polynomials->tips; ++tip) {
        int f = polynomials->foot_of[tip];
        bool more = tip > 0 && polynomials->foot_of[tip - 1] == f;
        for (int i = 0; i < n; ++i) {
            eri_lanesf up = at(s, n, 2 * feet + tip, i, signal);
            s->up[f * n + i] = more ? eri_lanesf_smaller(s->up[f * n + i], up) : up;
        }
    }
}

ERI_LANES_INLINE void find_tilt(const eri_surrogate *s, int n, const eri_lanesf *signal, eri_lanesf tilt[3])
{
    int first = 2 * s->polynomials->feet + s->polynomials->tips;
    tilt[0] = tilt[1] = tilt[2] = eri_lanesf_splat(0.0f);
    for (int k = 0; k < s->polynomials->trunks; ++k)
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < n; i += n / 16)
                tilt[a] = eri_lanesf_larger(tilt[a], eri_lanesf_magnitude(at(s, n, first + 3 * k + a, i, signal)));
}

// --- the ground

ERI_LANES_INLINE void set_floor(eri_surrogate *s, int n)
{
    for (int i = 0; i < n; ++i) {
        eri_lanesf lowest = s->up[i];
        for (int f = 1; f < s->polynomials->feet; ++f)
            lowest = eri_lanesf_smaller(lowest, s->up[f * n + i]);
        s->floor[i] = -lowest;
    }
}

// The longest stance of a stride and its middle, in frames.   @return frames with contact in all
ERI_LANES_INLINE eri_lanesf find_stance(int n, const eri_lanesf *up, const eri_lanesf *ride, eri_lanesf level,
                                        eri_lanesf *length, eri_lanesf *middle)
{
    const eri_lanesf zero = {0};
    eri_lanesf above = up[n - 1] + ride[n - 1] - level, run = zero, head = zero, best = zero, end = zero,
               touching = zero;
    eri_maskf was = above <= zero, first = was, left = {0};
    for (int i = 0; i < n; ++i) {
        eri_lanesf now = up[i] + ride[i] - level;
        eri_maskf in = now <= zero, ends = was & ~in;
        eri_lanesf part = above / (above - now), whole = run + part; // share of a frame until touchdown or lift-off
        head = eri_lanesf_choose(ends & ~left & first, whole, head); // a stance that began before the first frame
        eri_maskf longer = ends & (whole > best);
        best = eri_lanesf_choose(longer, whole, best);
        end = eri_lanesf_choose(longer, (float)(i - 1) + part, end);
        left |= ends;
        run = eri_lanesf_choose(in, eri_lanesf_choose(was, run + 1.0f, 1.0f - part), zero);
        touching -= __builtin_convertvector(in, eri_lanesf);
        was = in;
        above = now;
    }
    eri_maskf longer = was & (run + head > best);
    best = eri_lanesf_choose(longer, run + head, best);
    end = eri_lanesf_choose(longer, head + (float)(n - 1), end);
    best = eri_lanesf_choose(was & ~left, eri_lanesf_splat((float)n), best); // it never lifts
    *length = best;
    *middle = end - 0.5f * best;
    return touching;
}

// Share of each frame in a stance of `length` frames about `middle`.
ERI_LANES_INLINE void set_weights(int n, eri_lanesf length, eri_lanesf middle, eri_lanesf *weight)
{
    const eri_lanesf zero = {0}, one = eri_lanesf_splat(1.0f);
    middle = eri_lanesf_choose(middle < zero, middle + (float)n, middle);
    middle = eri_lanesf_choose(middle >= (float)n, middle - (float)n, middle);
    eri_lanesf half = eri_lanesf_choose(length > zero, 0.5f * length + 0.5f, zero);
    half = eri_lanesf_choose(length >= (float)n, eri_lanesf_splat((float)n), half); // it never lifts
    for (int i = 0; i < n; ++i) {
        eri_lanesf away = eri_lanesf_magnitude((float)i - middle);
        away = eri_lanesf_smaller(away, (float)n - away);
        weight[i] = eri_lanesf_smaller(eri_lanesf_larger(half - away, zero), one);
    }
}

ERI_LANES_INLINE void stand(eri_surrogate *s, int n, const eri_lanesf *ride, strides *out)
{
    const eri_lanesf zero = {0};
    float near = (float)(0.02 * s->body->leg);
    eri_lanesf scrape = zero;
    for (int f = 0; f < s->polynomials->feet; ++f) {
        const eri_lanesf *up = s->up + f * n;
        eri_lanesf most = zero, length, standing = zero;
        for (int i = 0; i < n; ++i)
            most = eri_lanesf_larger(most, up[i] + ride[i]);
        eri_lanesf touching =
            find_stance(n, up, ride, near + 0.1f * eri_lanesf_smaller(most, eri_lanesf_splat(10.0f * near)), &length,
                        &out->middle[f]);
        set_weights(n, length, out->middle[f], s->weight + f * n);
        for (int i = 0; i < n; ++i)
            standing += s->weight[f * n + i];
        out->duty[f] = length / (float)n;
        out->clearance[f] = most;
        scrape += eri_lanesf_larger(touching - standing, zero);
    }
    out->scrape = scrape / (float)(n * s->polynomials->feet);
}

// Stride length and drift by the feet in stance, their slip, and the time without any.
ERI_LANES_INLINE void push(const eri_surrogate *s, int n, strides *out)
{
    const eri_lanesf zero = {0};
    eri_lanesf ahead = zero, left = zero, squares = zero, all = zero, flight = zero;
    for (int i = 0; i < n; ++i) {
        int before = (i + n - 1) % n, after = (i + 1) % n;
        eri_lanesf held = zero;
        for (int f = 0; f < s->polynomials->feet; ++f) {
            eri_lanesf w = s->weight[f * n + i], a = s->ahead[f * n + after] - s->ahead[f * n + before],
                       b = s->left[f * n + after] - s->left[f * n + before];
            ahead += w * a;
            left += w * b;
            squares += w * (a * a + b * b);
            held += w;
        }
        all += held;
        flight += eri_lanesf_larger(1.0f - held, zero);
    }
    const float rate = 0.5f * (float)n; // of a stride's time
    all = eri_lanesf_larger(all, eri_lanesf_splat(1e-6f));
    eri_lanesf mean_a = ahead / all, mean_b = left / all;
    out->length = -rate * mean_a;
    out->drift = -rate * mean_b;
    eri_lanesf rest = eri_lanesf_larger(squares / all - mean_a * mean_a - mean_b * mean_b, zero);
    out->slip = eri_lanesf_root(rest / eri_lanesf_larger(mean_a * mean_a, eri_lanesf_splat(1e-30f)));
    out->flight = flight / (float)n;
}

// eri_gait_period(): x = length / leg gives T^2 g / leg = 2.3^(10/3) x^(-4/3), with the cube root by Newton's steps.
ERI_LANES_INLINE eri_lanesf squared_period(eri_lanesf x)
{
    x = eri_lanesf_smaller(eri_lanesf_larger(x, eri_lanesf_splat(0.3f)), eri_lanesf_splat(4.0f));
    eri_lanesf y = 1.0f / (0.6f + 0.28f * x); // of 1 / x
    for (int i = 0; i < 4; ++i)
        y = y * (4.0f - x * y * y * y) * (1.0f / 3.0f);
    return 16.060435f * y * y * y * y;
}

// The body on a moving floor, as in eri_stride_ground_walk(), but from the first frame on and for two strides, so that
// the second begins as it ends.
// @return lanes whose strides repeat
ERI_LANES_INLINE eri_maskf fly(eri_surrogate *s, int n, eri_lanesf gravity, eri_maskf *flew)
{
    const eri_lanesf *floor = s->floor;
    const float h = 1.0f / (float)n;
    eri_lanesf at = floor[0], speed = (floor[1] - floor[n - 1]) * (0.5f * (float)n), once = at;
    eri_maskf flies = {0}, lands = {0}, ever = {0};
    for (int k = 1; k <= 2 * n; ++k) {
        int i = k % n, before = (i + n - 1) % n, after = (i + 1) % n;
        eri_lanesf under = floor[i], fall = at + speed * h - gravity * (0.5f * h * h);
        eri_maskf now = fall > under;
        eri_lanesf onto = eri_lanesf_choose(flies, (floor[after] - floor[before]) * (0.5f * (float)n),
                                            (under - floor[before]) * (float)n);
        at = eri_lanesf_choose(now, fall, under);
        speed = eri_lanesf_choose(now, speed - gravity * h, onto);
        flies = now;
        if (k >= n) {
            lands |= ~now;
            ever |= now;
        }
        if (k == n) once = at;
        s->ride[i] = at;
    }
    *flew = ever;
    return lands & (eri_lanesf_magnitude(at - once) <= 1e-2f * h * gravity + 1e-9f);
}

// Whether the floor ever accelerates downward faster than gravity.
ERI_LANES_INLINE bool drops(const eri_surrogate *s, int n, eri_lanesf gravity)
{
    eri_lanesf least = gravity * (0.5f / (float)(n * n));
    eri_maskf any = {0};
    for (int i = 0; i < n; ++i)
        any |= 2.0f * s->floor[i] - s->floor[(i + 1) % n] - s->floor[(i + n - 1) % n] > least;
    return eri_lanesf_any(any);
}

// Reverses rows in time in some lanes; the first frame stays.
ERI_LANES_INLINE void turn(int n, eri_maskf back, eri_lanesf *x)
{
    for (int i = 1, k = n - 1; i < k; ++i, --k) {
        eri_lanesf early = x[i], late = x[k];
        x[i] = eri_lanesf_choose(back, late, early);
        x[k] = eri_lanesf_choose(back, early, late);
    }
}

// @param back  lanes in which time runs backward
// @return lanes whose strides repeat
ERI_LANES_INLINE eri_maskf ride(eri_surrogate *s, int n, eri_lanesf gravity, eri_maskf back, strides *out)
{
    const eri_lanesf zero = {0};
    eri_maskf flew, repeats;
    if (!drops(s, n, gravity)) {
        memcpy(s->ride, s->floor, (size_t)n * sizeof *s->ride);
        return ~(eri_maskf){0};
    }
    turn(n, back, s->floor);
    repeats = fly(s, n, gravity, &flew);
    turn(n, back, s->ride);
    if (!eri_lanesf_any(flew)) return repeats;
    stand(s, n, s->ride, out);
    push(s, n, out);
    return repeats & ((out->length < zero) == back);
}

ERI_LANES_INLINE void walk(eri_surrogate *s, int n, float angle, strides *out)
{
    const eri_lanesf zero = {0};
    const float leg = (float)s->body->leg;
    eri_lanesf signal[N];
    for (int i = 0; i < n; ++i)
        signal[i] = angle * s->last[i];
    lay_paths(s, n, signal);
    set_floor(s, n);
    stand(s, n, s->floor, out);
    push(s, n, out);
    eri_lanesf time = squared_period(eri_lanesf_magnitude(out->length) / leg); // times gravity over leg
    eri_maskf back = out->length < zero, repeats = ride(s, n, leg * time, back, out);
    out->period = eri_lanesf_root(time * (float)(s->body->leg / s->body->gravity));
    out->length = eri_lanesf_choose(repeats, eri_lanesf_magnitude(out->length), zero);
    for (int f = 0; f < s->polynomials->feet; ++f)
        out->middle[f] = eri_lanesf_choose(back, (float)n - out->middle[f], out->middle[f]);
    out->drift = eri_lanesf_choose(back, -out->drift, out->drift);
    find_tilt(s, n, signal, out->tilt);
    eri_lanesf low = s->ride[0], high = s->ride[0];
    for (int i = 1; i < n; ++i) {
        low = eri_lanesf_smaller(low, s->ride[i]);
        high = eri_lanesf_larger(high, s->ride[i]);
    }
    out->bob = high - low;
}

ERI_LANES_DO(walk_coarsely, (eri_surrogate * s, float angle, strides *out), (s, angle, out))
{
    walk(s, N / 2, angle, out);
}

ERI_LANES_DO(walk_finely, (eri_surrogate * s, float angle, strides *out), (s, angle, out))
{
    walk(s, N, angle, out);
}

void eri_surrogate_sample(eri_surrogate *s, double angle, eri_stride out[ERI_GAIT_PHASES])
{
    strides all;
    (s->frames < N ? walk_coarsely : walk_finely)(s, (float)angle, &all);
    for (int l = 0; l < LANES; ++l) {
        out[l].length = all.length[l];
        out[l].feet = s->polynomials->feet;
        if (!(out[l].length > 0.0)) continue;
        out[l].period = all.period[l];
        out[l].drift = all.drift[l];
        out[l].slip = all.slip[l];
        out[l].flight = all.flight[l];
        out[l].bob = all.bob[l];
        out[l].scrape = all.scrape[l];
        for (int a = 0; a < 3; ++a)
            out[l].tilt[a] = all.tilt[a][l];
        for (int f = 0; f < s->polynomials->feet; ++f) {
            double duty = all.duty[f][l], down = all.middle[f][l] / (float)s->frames - 0.5 * duty;
            out[l].step[f] = (er_gait_step){duty, down - floor(down), all.clearance[f][l]};
        }
    }
}

er_result eri_surrogate_create(er_arena *arena, const eri_path_polynomials *polynomials, const er_gait_body *body,
                               bool coarsely, eri_surrogate **out)
{
    er_result r = ER_OK;
    eri_surrogate *s;
    int n = coarsely ? N / 2 : N;
    size_t paths = (size_t)polynomials->feet * (size_t)n, rows = (size_t)polynomials->rows * (size_t)n;
    ERI_TRY_NEW(s, arena, eri_surrogate, 1);
    *s = (eri_surrogate){.polynomials = polynomials, .body = body, .frames = n};
    for (int h = 0; h < 2; ++h)
        for (int i = 0; i < n; ++i) {
            double turn = 2.0 * ER_PI * (h + 1) * i / n;
            s->sine[h][0][i] = (float)sin(turn);
            s->sine[h][1][i] = (float)cos(turn);
            for (int l = 0; l < LANES; ++l)
                s->wave[h][i][l] = (float)sin(turn + 2.0 * ER_PI * l / ERI_GAIT_PHASES);
        }
    ERI_TRY_NEW(s->base, arena, float, rows);
    ERI_TRY_NEW(s->slope, arena, float, rows);
    ERI_TRY_NEW(s->curve, arena, float, rows);
    ERI_TRY_NEW(s->ahead, arena, eri_lanesf, paths);
    ERI_TRY_NEW(s->left, arena, eri_lanesf, paths);
    ERI_TRY_NEW(s->up, arena, eri_lanesf, paths);
    ERI_TRY_NEW(s->weight, arena, eri_lanesf, paths);
    *out = s;
done:
    return r;
}
