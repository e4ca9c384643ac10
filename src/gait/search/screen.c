// Strides of eight mixes at once, a mix a lane: the components that they share are added up before, the last one has a
// phase of its own in each lane. What ground.c and score.c do with one mix, without a branch that lanes would part at.
#include <string.h>

#include "base/lanes.h"
#include "gait/search/screen.h"

enum { N = ER_GAIT_FRAMES, LANES = ER_GAIT_PHASES }; // at most so many frames
_Static_assert((int)LANES == (int)ER_LANE_COUNT, "a phase a lane");

struct er_screen {
    const er_swing *swing;
    const er_gait_body *body;
    int frames;           // of a stride: so many of each array of N
    er_lanesf wave[2][N]; // of the last component at 1 rad, by harmonic
    float sine[2][2][N];  // of the components in `base` at 1 rad: sine, cosine
    int base_count, base_mode[2];
    float signal[2][N], product[2][2][N];
    float *base;                  // [rows x frames], of the first components
    float *slope, *curve;         // [rows x frames], what the last component adds by its first power, and its second
    const float *cube;            // [rows], and by its third
    const er_lanesf *last;        // [frames]
    er_lanesf *ahead, *left, *up; // [feet x frames]
    er_lanesf *weight;            // [feet x frames], part of a frame that a foot stands
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
ER_LANES static void add_scaled(int rows, int n, const float *c, const float *x, float *y)
{
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < n; ++i)
            y[row * n + i] += c[row] * x[i];
}

// What a mode adds by its first three powers on top of the first components.
static void set_powers(er_screen *s, int mode)
{
    const er_swing *swing = s->swing;
    int rows = swing->rows, n = s->frames;
    const float *first = swing->first + (ptrdiff_t)mode * rows, *second = of_pair(swing, swing->second, mode, mode);
    s->cube = of_pair(swing, swing->third, mode, mode);
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < n; ++i) {
            s->slope[row * n + i] = first[row];
            s->curve[row * n + i] = second[row];
        }
    for (int v = 0; v < s->base_count; ++v) {
        add_scaled(rows, n, of_pair(swing, swing->second, s->base_mode[v], mode), s->signal[v], s->slope);
        add_scaled(rows, n, of_pair(swing, swing->third, s->base_mode[v], mode), s->product[v][v], s->slope);
        add_scaled(rows, n, of_pair(swing, swing->third, mode, s->base_mode[v]), s->signal[v], s->curve);
    }
    if (s->base_count == 2)
        add_scaled(rows, n, of_pair(swing, swing->mixed, s->base_mode[0] * swing->modes + s->base_mode[1], mode),
                   s->product[0][1], s->slope);
}

static void add_base(er_screen *s, const er_gait_part *p)
{
    int v = s->base_count, n = s->frames;
    float a = (float)(p->angle * cos(p->phase)), b = (float)(p->angle * sin(p->phase));
    set_powers(s, p->mode);
    for (int i = 0; i < n; ++i)
        s->signal[v][i] = a * s->sine[p->harmonic - 1][0][i] + b * s->sine[p->harmonic - 1][1][i];
    for (int row = 0; row < s->swing->rows; ++row)
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

void er_screen_set_base(er_screen *s, int count, const er_gait_part *part)
{
    int n = s->frames;
    for (int row = 0; row < s->swing->rows; ++row)
        for (int i = 0; i < n; ++i)
            s->base[row * n + i] = s->swing->rest[row];
    s->base_count = 0;
    for (int v = 0; v < count; ++v)
        add_base(s, &part[v]);
}

void er_screen_add(er_screen *s, int mode, int harmonic)
{
    s->last = s->wave[harmonic - 1];
    set_powers(s, mode);
}

ER_LANES_INLINE er_lanesf at(const er_screen *s, int n, int row, int frame, const er_lanesf *signal)
{
    int k = row * n + frame;
    return s->base[k] + signal[frame] * (s->slope[k] + signal[frame] * (s->curve[k] + s->cube[row] * signal[frame]));
}

ER_LANES_INLINE void lay_paths(er_screen *s, int n, const er_lanesf *signal)
{
    const er_swing *swing = s->swing;
    int feet = swing->feet;
    for (int f = 0; f < feet; ++f)
        for (int i = 0; i < n; ++i) {
            s->ahead[f * n + i] = at(s, n, f, i, signal);
            s->left[f * n + i] = at(s, n, feet + f, i, signal);
        }
    for (int tip = 0; tip < swing->tips; ++tip) {
        int f = swing->foot_of[tip];
        bool more = tip > 0 && swing->foot_of[tip - 1] == f;
        for (int i = 0; i < n; ++i) {
            er_lanesf up = at(s, n, 2 * feet + tip, i, signal);
            s->up[f * n + i] = more ? er_lanesf_smaller(s->up[f * n + i], up) : up;
        }
    }
}

ER_LANES_INLINE void find_tilt(const er_screen *s, int n, const er_lanesf *signal, er_lanesf tilt[3])
{
    int first = 2 * s->swing->feet + s->swing->tips;
    tilt[0] = tilt[1] = tilt[2] = er_lanesf_splat(0.0f);
    for (int k = 0; k < s->swing->trunks; ++k)
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < n; i += n / 16)
                tilt[a] = er_lanesf_larger(tilt[a], er_lanesf_magnitude(at(s, n, first + 3 * k + a, i, signal)));
}

// --- the ground

ER_LANES_INLINE void set_floor(er_screen *s, int n)
{
    for (int i = 0; i < n; ++i) {
        er_lanesf lowest = s->up[i];
        for (int f = 1; f < s->swing->feet; ++f)
            lowest = er_lanesf_smaller(lowest, s->up[f * n + i]);
        s->floor[i] = -lowest;
    }
}

// The longest time that a foot touches in a stride, in frames, and the middle of it; how many frames it touches at all.
ER_LANES_INLINE er_lanesf find_stance(int n, const er_lanesf *up, const er_lanesf *ride, er_lanesf level,
                                      er_lanesf *length, er_lanesf *middle)
{
    const er_lanesf zero = {0};
    er_lanesf above = up[n - 1] + ride[n - 1] - level, run = zero, head = zero, best = zero, end = zero,
              touching = zero;
    er_maskf was = above <= zero, first = was, left = {0};
    for (int i = 0; i < n; ++i) {
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
    end = er_lanesf_choose(longer, head + (float)(n - 1), end);
    best = er_lanesf_choose(was & ~left, er_lanesf_splat((float)n), best); // it never lifts
    *length = best;
    *middle = end - 0.5f * best;
    return touching;
}

// How much of each frame a foot stands that stands for `length` frames about `middle`.
ER_LANES_INLINE void set_weights(int n, er_lanesf length, er_lanesf middle, er_lanesf *weight)
{
    const er_lanesf zero = {0}, one = er_lanesf_splat(1.0f);
    middle = er_lanesf_choose(middle < zero, middle + (float)n, middle);
    middle = er_lanesf_choose(middle >= (float)n, middle - (float)n, middle);
    er_lanesf half = er_lanesf_choose(length > zero, 0.5f * length + 0.5f, zero);
    half = er_lanesf_choose(length >= (float)n, er_lanesf_splat((float)n), half); // it never lifts
    for (int i = 0; i < n; ++i) {
        er_lanesf away = er_lanesf_magnitude((float)i - middle);
        away = er_lanesf_smaller(away, (float)n - away);
        weight[i] = er_lanesf_smaller(er_lanesf_larger(half - away, zero), one);
    }
}

ER_LANES_INLINE void stand(er_screen *s, int n, const er_lanesf *ride, strides *out)
{
    const er_lanesf zero = {0};
    float near = (float)(0.02 * s->body->leg);
    er_lanesf scrape = zero;
    for (int f = 0; f < s->swing->feet; ++f) {
        const er_lanesf *up = s->up + f * n;
        er_lanesf most = zero, length, standing = zero;
        for (int i = 0; i < n; ++i)
            most = er_lanesf_larger(most, up[i] + ride[i]);
        er_lanesf touching =
            find_stance(n, up, ride, near + 0.1f * er_lanesf_smaller(most, er_lanesf_splat(10.0f * near)), &length,
                        &out->middle[f]);
        set_weights(n, length, out->middle[f], s->weight + f * n);
        for (int i = 0; i < n; ++i)
            standing += s->weight[f * n + i];
        out->duty[f] = length / (float)n;
        out->clearance[f] = most;
        scrape += er_lanesf_larger(touching - standing, zero);
    }
    out->scrape = scrape / (float)(n * s->swing->feet);
}

// How far standing feet carry the body, how much they slip, and how long none stands.
ER_LANES_INLINE void push(const er_screen *s, int n, strides *out)
{
    const er_lanesf zero = {0};
    er_lanesf ahead = zero, left = zero, squares = zero, all = zero, flight = zero;
    for (int i = 0; i < n; ++i) {
        int before = (i + n - 1) % n, after = (i + 1) % n;
        er_lanesf held = zero;
        for (int f = 0; f < s->swing->feet; ++f) {
            er_lanesf w = s->weight[f * n + i], a = s->ahead[f * n + after] - s->ahead[f * n + before],
                      b = s->left[f * n + after] - s->left[f * n + before];
            ahead += w * a;
            left += w * b;
            squares += w * (a * a + b * b);
            held += w;
        }
        all += held;
        flight += er_lanesf_larger(1.0f - held, zero);
    }
    const float rate = 0.5f * (float)n; // of a stride's time
    all = er_lanesf_larger(all, er_lanesf_splat(1e-6f));
    er_lanesf mean_a = ahead / all, mean_b = left / all;
    out->length = -rate * mean_a;
    out->drift = -rate * mean_b;
    er_lanesf rest = er_lanesf_larger(squares / all - mean_a * mean_a - mean_b * mean_b, zero);
    out->slip = er_lanesf_root(rest / er_lanesf_larger(mean_a * mean_a, er_lanesf_splat(1e-30f)));
    out->flight = flight / (float)n;
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
ER_LANES_INLINE er_maskf fly(er_screen *s, int n, er_lanesf gravity, er_maskf *flew)
{
    const er_lanesf *floor = s->floor;
    const float h = 1.0f / (float)n;
    er_lanesf at = floor[0], speed = (floor[1] - floor[n - 1]) * (0.5f * (float)n), once = at;
    er_maskf flies = {0}, lands = {0}, ever = {0};
    for (int k = 1; k <= 2 * n; ++k) {
        int i = k % n, before = (i + n - 1) % n, after = (i + 1) % n;
        er_lanesf under = floor[i], fall = at + speed * h - gravity * (0.5f * h * h);
        er_maskf now = fall > under;
        er_lanesf onto = er_lanesf_choose(flies, (floor[after] - floor[before]) * (0.5f * (float)n),
                                          (under - floor[before]) * (float)n);
        at = er_lanesf_choose(now, fall, under);
        speed = er_lanesf_choose(now, speed - gravity * h, onto);
        flies = now;
        if (k >= n) {
            lands |= ~now;
            ever |= now;
        }
        if (k == n) once = at;
        s->ride[i] = at;
    }
    *flew = ever;
    return lands & (er_lanesf_magnitude(at - once) <= 1e-2f * h * gravity + 1e-9f);
}

// Whether the floor falls away anywhere faster than a body that rests on it can follow.
ER_LANES_INLINE bool drops(const er_screen *s, int n, er_lanesf gravity)
{
    er_lanesf least = gravity * (0.5f / (float)(n * n));
    er_maskf any = {0};
    for (int i = 0; i < n; ++i)
        any |= 2.0f * s->floor[i] - s->floor[(i + 1) % n] - s->floor[(i + n - 1) % n] > least;
    return er_lanesf_any(any);
}

// Turns rows round in time in some lanes: the first frame stays.
ER_LANES_INLINE void turn(int n, er_maskf back, er_lanesf *x)
{
    for (int i = 1, k = n - 1; i < k; ++i, --k) {
        er_lanesf early = x[i], late = x[k];
        x[i] = er_lanesf_choose(back, late, early);
        x[k] = er_lanesf_choose(back, early, late);
    }
}

// @param back  the lanes that time runs backward in
// @return where a stride is like the last
ER_LANES_INLINE er_maskf ride(er_screen *s, int n, er_lanesf gravity, er_maskf back, strides *out)
{
    const er_lanesf zero = {0};
    er_maskf flew, repeats;
    if (!drops(s, n, gravity)) {
        memcpy(s->ride, s->floor, (size_t)n * sizeof *s->ride);
        return ~(er_maskf){0};
    }
    turn(n, back, s->floor);
    repeats = fly(s, n, gravity, &flew);
    turn(n, back, s->ride);
    if (!er_lanesf_any(flew)) return repeats;
    stand(s, n, s->ride, out);
    push(s, n, out);
    return repeats & ((out->length < zero) == back);
}

ER_LANES_INLINE void walk(er_screen *s, int n, float angle, strides *out)
{
    const er_lanesf zero = {0};
    const float leg = (float)s->body->leg;
    er_lanesf signal[N];
    for (int i = 0; i < n; ++i)
        signal[i] = angle * s->last[i];
    lay_paths(s, n, signal);
    set_floor(s, n);
    stand(s, n, s->floor, out);
    push(s, n, out);
    er_lanesf time = squared_period(er_lanesf_magnitude(out->length) / leg); // times gravity over leg
    er_maskf back = out->length < zero, repeats = ride(s, n, leg * time, back, out);
    out->period = er_lanesf_root(time * (float)(s->body->leg / s->body->gravity));
    out->length = er_lanesf_choose(repeats, er_lanesf_magnitude(out->length), zero);
    for (int f = 0; f < s->swing->feet; ++f)
        out->middle[f] = er_lanesf_choose(back, (float)n - out->middle[f], out->middle[f]);
    out->drift = er_lanesf_choose(back, -out->drift, out->drift);
    find_tilt(s, n, signal, out->tilt);
    er_lanesf low = s->ride[0], high = s->ride[0];
    for (int i = 1; i < n; ++i) {
        low = er_lanesf_smaller(low, s->ride[i]);
        high = er_lanesf_larger(high, s->ride[i]);
    }
    out->bob = high - low;
}

ER_LANES static void walk_coarsely(er_screen *s, float angle, strides *out)
{
    walk(s, N / 2, angle, out);
}

ER_LANES static void walk_finely(er_screen *s, float angle, strides *out)
{
    walk(s, N, angle, out);
}

void er_screen_walk(er_screen *s, double angle, er_stride out[ER_GAIT_PHASES])
{
    strides all;
    (s->frames < N ? walk_coarsely : walk_finely)(s, (float)angle, &all);
    for (int l = 0; l < LANES; ++l) {
        out[l].length = all.length[l];
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
            double duty = all.duty[f][l], down = all.middle[f][l] / (float)s->frames - 0.5 * duty;
            out[l].step[f] = (er_gait_step){duty, down - floor(down), all.clearance[f][l]};
        }
    }
}

er_result er_screen_create(er_arena *arena, const er_swing *swing, const er_gait_body *body, bool coarsely,
                           er_screen **out)
{
    er_result r = ER_OK;
    er_screen *s;
    int n = coarsely ? N / 2 : N;
    size_t paths = (size_t)swing->feet * (size_t)n, rows = (size_t)swing->rows * (size_t)n;
    ER_TRY_NEW(s, arena, er_screen, 1);
    *s = (er_screen){.swing = swing, .body = body, .frames = n};
    for (int h = 0; h < 2; ++h)
        for (int i = 0; i < n; ++i) {
            double turn = 2.0 * ER_PI * (h + 1) * i / n;
            s->sine[h][0][i] = (float)sin(turn);
            s->sine[h][1][i] = (float)cos(turn);
            for (int l = 0; l < LANES; ++l)
                s->wave[h][i][l] = (float)sin(turn + 2.0 * ER_PI * l / ER_GAIT_PHASES);
        }
    ER_TRY_NEW(s->base, arena, float, rows);
    ER_TRY_NEW(s->slope, arena, float, rows);
    ER_TRY_NEW(s->curve, arena, float, rows);
    ER_TRY_NEW(s->ahead, arena, er_lanesf, paths);
    ER_TRY_NEW(s->left, arena, er_lanesf, paths);
    ER_TRY_NEW(s->up, arena, er_lanesf, paths);
    ER_TRY_NEW(s->weight, arena, er_lanesf, paths);
    *out = s;
done:
    return r;
}
