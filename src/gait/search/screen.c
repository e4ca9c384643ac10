// Strides of eight mixes at once, a mix a lane: the components that they share are added up before, the last one has a
// phase of its own in each lane. What ground.c and score.c do with one mix, without a branch that lanes would part at.
#include <string.h>

#include "base/lanes.h"
#include "gait/search/screen.h"

enum { N = ER_GAIT_FRAMES, LANES = ER_GAIT_PHASES };
_Static_assert((int)LANES == (int)ER_LANE_COUNT, "a phase a lane");

struct er_screen {
    const er_swing *swing;
    const er_gait_body *body;
    er_lanesf wave[2][N]; // of the last component at 1 rad, by harmonic
    float sine[2][2][N];  // of the components in `base` at 1 rad: sine, cosine
    int base_count, base_mode[2];
    float signal[2][N], product[2][2][N];
    float *base;                  // [rows x N], of the first components
    float *slope, *curve;         // [rows x N], what the last component adds by its first power, and by its second
    const float *cube;            // [rows], and by its third
    const er_lanesf *last;        // [N]
    er_lanesf *ahead, *left, *up; // [feet x N]
    er_lanesf *weight;            // [feet x N], part of a frame that a foot stands
    er_lanesf floor[N], ride[N];
};

// The strides of all lanes.
typedef struct strides {
    er_lanesf period, length, drift, slip, flight, bob, scrape, tilt[3];
    er_lanesf duty[ER_GAIT_MOST_FEET], middle[ER_GAIT_MOST_FEET], clearance[ER_GAIT_MOST_FEET]; // middle in frames
} strides;

// --- paths

static const float *of_pair(const er_swing *s, const float *table, int a, int b)
{
    return table + ((ptrdiff_t)a * s->modes + b) * s->rows;
}

// y += c x for every row and frame, c a row's.
ER_LANES static void add_scaled(int rows, const float *c, const float *x, float *y)
{
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < N; ++i)
            y[row * N + i] += c[row] * x[i];
}

// What a mode adds by its first three powers on top of the first components.
static void set_powers(er_screen *s, int mode)
{
    const er_swing *swing = s->swing;
    int rows = swing->rows;
    const float *first = swing->first + (ptrdiff_t)mode * rows, *second = of_pair(swing, swing->second, mode, mode);
    s->cube = of_pair(swing, swing->third, mode, mode);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < N; ++i) {
            s->slope[row * N + i] = first[row];
            s->curve[row * N + i] = second[row];
        }
    for (int v = 0; v < s->base_count; ++v) {
        add_scaled(rows, of_pair(swing, swing->second, s->base_mode[v], mode), s->signal[v], s->slope);
        add_scaled(rows, of_pair(swing, swing->third, s->base_mode[v], mode), s->product[v][v], s->slope);
        add_scaled(rows, of_pair(swing, swing->third, mode, s->base_mode[v]), s->signal[v], s->curve);
    }
    if (s->base_count == 2)
        add_scaled(rows, of_pair(swing, swing->mixed, s->base_mode[0] * swing->modes + s->base_mode[1], mode),
                   s->product[0][1], s->slope);
}

static void add_base(er_screen *s, const er_gait_part *p)
{
    int v = s->base_count;
    float a = (float)(p->angle * cos(p->phase)), b = (float)(p->angle * sin(p->phase));
    set_powers(s, p->mode);
    for (int i = 0; i < N; ++i)
        s->signal[v][i] = a * s->sine[p->harmonic - 1][0][i] + b * s->sine[p->harmonic - 1][1][i];
    for (int row = 0; row < s->swing->rows; ++row)
        for (int i = 0; i < N; ++i) {
            int k = row * N + i;
            float x = s->signal[v][i];
            s->base[k] += x * (s->slope[k] + x * (s->curve[k] + x * s->cube[row]));
        }
    for (int u = 0; u <= v; ++u)
        for (int i = 0; i < N; ++i)
            s->product[u][v][i] = s->signal[u][i] * s->signal[v][i];
    s->base_mode[s->base_count++] = p->mode;
}

void er_screen_set_base(er_screen *s, int count, const er_gait_part *part)
{
    for (int row = 0; row < s->swing->rows; ++row)
        for (int i = 0; i < N; ++i)
            s->base[row * N + i] = s->swing->rest[row];
    s->base_count = 0;
    for (int v = 0; v < count; ++v)
        add_base(s, &part[v]);
}

void er_screen_add(er_screen *s, int mode, int harmonic)
{
    s->last = s->wave[harmonic - 1];
    set_powers(s, mode);
}

ER_LANES_INLINE er_lanesf at(const er_screen *s, int row, int frame, const er_lanesf *signal)
{
    int k = row * N + frame;
    return s->base[k] + signal[frame] * (s->slope[k] + signal[frame] * (s->curve[k] + s->cube[row] * signal[frame]));
}

ER_LANES_INLINE void lay_paths(er_screen *s, const er_lanesf *signal)
{
    const er_swing *swing = s->swing;
    int feet = swing->feet;
    for (int f = 0; f < feet; ++f)
        for (int i = 0; i < N; ++i) {
            s->ahead[f * N + i] = at(s, f, i, signal);
            s->left[f * N + i] = at(s, feet + f, i, signal);
        }
    for (int tip = 0; tip < swing->tips; ++tip) {
        int f = swing->foot_of[tip];
        bool more = tip > 0 && swing->foot_of[tip - 1] == f;
        for (int i = 0; i < N; ++i) {
            er_lanesf up = at(s, 2 * feet + tip, i, signal);
            s->up[f * N + i] = more ? er_lanesf_smaller(s->up[f * N + i], up) : up;
        }
    }
}

ER_LANES_INLINE void find_tilt(const er_screen *s, const er_lanesf *signal, er_lanesf tilt[3])
{
    int first = 2 * s->swing->feet + s->swing->tips;
    tilt[0] = tilt[1] = tilt[2] = er_lanesf_splat(0.0f);
    for (int k = 0; k < s->swing->trunks; ++k)
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < N; i += 2)
                tilt[a] = er_lanesf_larger(tilt[a], er_lanesf_magnitude(at(s, first + 3 * k + a, i, signal)));
}

// --- the ground

ER_LANES_INLINE void set_floor(er_screen *s)
{
    for (int i = 0; i < N; ++i) {
        er_lanesf lowest = s->up[i];
        for (int f = 1; f < s->swing->feet; ++f)
            lowest = er_lanesf_smaller(lowest, s->up[f * N + i]);
        s->floor[i] = -lowest;
    }
}

// The longest time that a foot touches in a stride, in frames, and the middle of it; how many frames it touches at all.
ER_LANES_INLINE er_lanesf find_stance(const er_lanesf *up, const er_lanesf *ride, er_lanesf level, er_lanesf *length,
                                      er_lanesf *middle)
{
    const er_lanesf zero = {0};
    er_lanesf above = up[N - 1] + ride[N - 1] - level, run = zero, head = zero, best = zero, end = zero,
              touching = zero;
    er_maskf was = above <= zero, first = was, left = {0};
    for (int i = 0; i < N; ++i) {
        er_lanesf now = up[i] + ride[i] - level;
        er_maskf in = now <= zero, ends = was & ~in;
        er_lanesf part = above / (above - now), whole = run + part; // of a frame until it comes down, or lifts
        head = er_lanesf_choose(ends & ~left & first, whole, head); // what began before the first frame
        er_maskf longer = ends & (whole > best);
        best = er_lanesf_choose(longer, whole, best);
        end = er_lanesf_choose(longer, (float)(i - 1) + part, end);
        left |= ends;
        run = er_lanesf_choose(in, er_lanesf_choose(was, run + 1.0f, 1.0f - part), zero);
        touching -= __builtin_convertvector(in, er_lanesf);
        was = in;
        above = now;
    }
    er_maskf longer = was & (run + head > best);
    best = er_lanesf_choose(longer, run + head, best);
    end = er_lanesf_choose(longer, head + (float)(N - 1), end);
    best = er_lanesf_choose(was & ~left, er_lanesf_splat((float)N), best); // it never lifts
    *length = best;
    *middle = end - 0.5f * best;
    return touching;
}

// How much of each frame a foot stands that stands for `length` frames about `middle`.
ER_LANES_INLINE void set_weights(er_lanesf length, er_lanesf middle, er_lanesf *weight)
{
    const er_lanesf zero = {0}, one = er_lanesf_splat(1.0f);
    middle = er_lanesf_choose(middle < zero, middle + (float)N, middle);
    middle = er_lanesf_choose(middle >= (float)N, middle - (float)N, middle);
    er_lanesf half = er_lanesf_choose(length > zero, 0.5f * length + 0.5f, zero);
    for (int i = 0; i < N; ++i) {
        er_lanesf away = er_lanesf_magnitude((float)i - middle);
        away = er_lanesf_smaller(away, (float)N - away);
        weight[i] = er_lanesf_smaller(er_lanesf_larger(half - away, zero), one);
    }
}

ER_LANES_INLINE void stand(er_screen *s, const er_lanesf *ride, strides *out)
{
    const er_lanesf zero = {0};
    float near = (float)(0.02 * s->body->leg);
    er_lanesf scrape = zero;
    for (int f = 0; f < s->swing->feet; ++f) {
        const er_lanesf *up = s->up + f * N;
        er_lanesf most = zero, length, standing = zero;
        for (int i = 0; i < N; ++i)
            most = er_lanesf_larger(most, up[i] + ride[i]);
        er_lanesf touching = find_stance(up, ride, near + 0.1f * er_lanesf_smaller(most, er_lanesf_splat(10.0f * near)),
                                         &length, &out->middle[f]);
        set_weights(length, out->middle[f], s->weight + f * N);
        for (int i = 0; i < N; ++i)
            standing += s->weight[f * N + i];
        out->duty[f] = length / (float)N;
        out->clearance[f] = most;
        scrape += er_lanesf_larger(touching - standing, zero);
    }
    out->scrape = scrape / (float)(N * s->swing->feet);
}

// How far standing feet carry the body, how much they slip, and how long none stands.
ER_LANES_INLINE void push(const er_screen *s, strides *out)
{
    const er_lanesf zero = {0};
    er_lanesf ahead = zero, left = zero, squares = zero, all = zero, flight = zero;
    for (int i = 0; i < N; ++i) {
        int before = (i + N - 1) % N, after = (i + 1) % N;
        er_lanesf held = zero;
        for (int f = 0; f < s->swing->feet; ++f) {
            er_lanesf w = s->weight[f * N + i], a = s->ahead[f * N + after] - s->ahead[f * N + before],
                      b = s->left[f * N + after] - s->left[f * N + before];
            ahead += w * a;
            left += w * b;
            squares += w * (a * a + b * b);
            held += w;
        }
        all += held;
        flight += er_lanesf_larger(1.0f - held, zero);
    }
    const float rate = 0.5f * N; // of a stride's time
    all = er_lanesf_larger(all, er_lanesf_splat(1e-6f));
    er_lanesf mean_a = ahead / all, mean_b = left / all;
    out->length = -rate * mean_a;
    out->drift = -rate * mean_b;
    er_lanesf rest = er_lanesf_larger(squares / all - mean_a * mean_a - mean_b * mean_b, zero);
    out->slip = er_lanesf_root(rest / er_lanesf_larger(mean_a * mean_a, er_lanesf_splat(1e-30f)));
    out->flight = flight / (float)N;
}

// er_gait_period(): x = length / leg gives T^2 g / leg = 2.3^(10/3) x^(-4/3), with the cube root by Newton's steps.
ER_LANES_INLINE er_lanesf squared_period(er_lanesf x)
{
    x = er_lanesf_smaller(er_lanesf_larger(x, er_lanesf_splat(0.3f)), er_lanesf_splat(4.0f));
    er_lanesf y = 1.0f / (0.6f + 0.28f * x); // of 1 / x
    for (int i = 0; i < 4; ++i)
        y = y * (4.0f - x * y * y * y) * (1.0f / 3.0f);
    return 16.060435f * y * y * y * y;
}

// The body on a floor that moves, as er_ground_walk() has it, but from the first frame on: twice round, so that the
// second time begins as it ends.
// @return where a stride is like the last
ER_LANES_INLINE er_maskf fly(er_screen *s, er_lanesf gravity, er_maskf *flew)
{
    const er_lanesf *floor = s->floor;
    const float h = 1.0f / N;
    er_lanesf at = floor[0], speed = (floor[1] - floor[N - 1]) * (0.5f * N), once = at;
    er_maskf flies = {0}, lands = {0}, ever = {0};
    for (int k = 1; k <= 2 * N; ++k) {
        int i = k % N, before = (i + N - 1) % N, after = (i + 1) % N;
        er_lanesf under = floor[i], fall = at + speed * h - gravity * (0.5f * h * h);
        er_maskf now = fall > under;
        er_lanesf onto =
            er_lanesf_choose(flies, (floor[after] - floor[before]) * (0.5f * N), (under - floor[before]) * (float)N);
        at = er_lanesf_choose(now, fall, under);
        speed = er_lanesf_choose(now, speed - gravity * h, onto);
        flies = now;
        if (k >= N) {
            lands |= ~now;
            ever |= now;
        }
        if (k == N) once = at;
        s->ride[i] = at;
    }
    *flew = ever;
    return lands & (er_lanesf_magnitude(at - once) <= 1e-2f * h * gravity + 1e-9f);
}

ER_LANES static void walk(er_screen *s, float angle, strides *out)
{
    const er_lanesf zero = {0};
    const float leg = (float)s->body->leg;
    er_lanesf signal[N];
    for (int i = 0; i < N; ++i)
        signal[i] = angle * s->last[i];
    lay_paths(s, signal);
    set_floor(s);
    stand(s, s->floor, out);
    push(s, out);
    if (!er_lanesf_any(out->length > zero)) return;
    er_lanesf time = squared_period(er_lanesf_magnitude(out->length) / leg); // times gravity over leg
    er_maskf flew, repeats = fly(s, leg * time, &flew);
    if (er_lanesf_any(flew)) {
        er_maskf ahead = out->length > zero;
        stand(s, s->ride, out);
        push(s, out);
        repeats &= ahead;
    }
    out->period = er_lanesf_root(time * (float)(s->body->leg / s->body->gravity));
    out->length = er_lanesf_choose(repeats, er_lanesf_larger(out->length, zero), zero);
    find_tilt(s, signal, out->tilt);
    er_lanesf low = s->ride[0], high = s->ride[0];
    for (int i = 1; i < N; ++i) {
        low = er_lanesf_smaller(low, s->ride[i]);
        high = er_lanesf_larger(high, s->ride[i]);
    }
    out->bob = high - low;
}

void er_screen_walk(er_screen *s, double angle, er_stride out[ER_GAIT_PHASES])
{
    strides all;
    walk(s, (float)angle, &all);
    for (int l = 0; l < LANES; ++l) {
        out[l].length = fmax(all.length[l], 0.0);
        out[l].feet = s->swing->feet;
        if (!(out[l].length > 0.0)) continue;
        out[l].period = all.period[l];
        out[l].drift = all.drift[l];
        out[l].slip = all.slip[l];
        out[l].flight = all.flight[l];
        out[l].bob = all.bob[l];
        out[l].scrape = all.scrape[l];
        for (int a = 0; a < 3; ++a)
            out[l].tilt[a] = all.tilt[a][l];
        for (int f = 0; f < s->swing->feet; ++f) {
            double duty = all.duty[f][l], down = all.middle[f][l] / N - 0.5 * duty;
            out[l].step[f] = (er_gait_step){duty, down - floor(down), all.clearance[f][l]};
        }
    }
}

er_result er_screen_create(er_arena *arena, const er_swing *swing, const er_gait_body *body, er_screen **out)
{
    er_result r = ER_OK;
    er_screen *s;
    size_t paths = (size_t)swing->feet * N;
    ER_TRY_NEW(s, arena, er_screen, 1);
    *s = (er_screen){.swing = swing, .body = body};
    for (int h = 0; h < 2; ++h)
        for (int i = 0; i < N; ++i) {
            double turn = 2.0 * ER_PI * (h + 1) * i / N;
            s->sine[h][0][i] = (float)sin(turn);
            s->sine[h][1][i] = (float)cos(turn);
            for (int l = 0; l < LANES; ++l)
                s->wave[h][i][l] = (float)sin(turn + 2.0 * ER_PI * l / ER_GAIT_PHASES);
        }
    ER_TRY_NEW(s->base, arena, float, (size_t)swing->rows *N);
    ER_TRY_NEW(s->slope, arena, float, (size_t)swing->rows *N);
    ER_TRY_NEW(s->curve, arena, float, (size_t)swing->rows *N);
    ER_TRY_NEW(s->ahead, arena, er_lanesf, paths);
    ER_TRY_NEW(s->left, arena, er_lanesf, paths);
    ER_TRY_NEW(s->up, arena, er_lanesf, paths);
    ER_TRY_NEW(s->weight, arena, er_lanesf, paths);
    *out = s;
done:
    return r;
}
