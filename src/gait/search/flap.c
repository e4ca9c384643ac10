// Flight: mixes of modes in which the wings beat in phase, up and down. The pace is that of birds of the same shape,
// the speed follows from the Strouhal number at which birds, bats and insects cruise. Sources: Pennycuick, Wingbeat
// frequency of birds in steady cruising flight, J. Exp. Biol. 199 (1996), whose law for birds of one shape is f ~
// sqrt(g / span); Taylor, Nudds, Thomas, Flying and swimming animals cruise at a Strouhal number tuned for high power
// efficiency, Nature 425 (2003).
#include "gait/stride.h"

enum { BEST = 12, N = ERI_GAIT_FRAMES };

static const double pace = 1.5;     // Hz sqrt(span / g): 2 to 3 Hz of an eagle
static const double strouhal = 0.3; // frequency times the tip's stroke over the speed
static const double stroke = 1.2;   // the tip's stroke over the wing's length, of a full beat
static const double thrust = 0.15;  // of a full beat, the share of the air's force that acts forward
static const double in_phase = 0.5; // least parity of a mode that moves both wings alike

er_result eri_flap_create(er_arena *arena, eri_mix_sampler *w, const er_gait_weights *weights, eri_flap *out)
{
    er_result r = ER_OK;
    const er_model *model = w->model;
    const er_gait_body *body = w->body;
    *out = (eri_flap){.w = w, .weights = weights};
    ERI_TRY_NEW(out->wing, arena, int, model->body_count);
    ERI_TRY_NEW(out->normal, arena, er_vec3, model->body_count);
    ERI_TRY_NEW(out->beat, arena, double, N *(size_t)body->wing_count);
    ERI_TRY_NEW(out->sweep, arena, double, N *(size_t)body->wing_count);
    for (int i = 0; i < model->body_count; ++i) {
        out->wing[i] = eri_wing_of(model, body, i);
        if (out->wing[i] < 0) continue;
        const er_gait_wing *wing =
            &body->wing[out->wing[i]]; // the wing's plane holds its length and the forward direction
        er_vec3 along = er_v3_sub(er_pose_point(model->body[wing->tip].pose, wing->end),
                                  model->joint[model->tree_joint[wing->body]].frame.p);
        er_vec3 across = er_v3_unit(er_v3_cross(along, body->forward), body->up);
        out->normal[i] = er_q_rotate(er_q_conj(model->body[i].pose.q), across);
    }
done:
    return r;
}

// The tip's displacement from rest relative to the trunk, over the span: up and forward.
static void set_tip(eri_flap *flap, int wing, int frame)
{
    const eri_mix_sampler *w = flap->w;
    const er_gait_wing *of = &w->body->wing[wing];
    er_pose trunk = eri_mix_sampler_lane(w, of->trunk, frame), rest = w->model->body[of->trunk].pose;
    er_vec3 now = er_pose_point_inverse(trunk, er_pose_point(eri_mix_sampler_lane(w, of->tip, frame), of->end));
    er_vec3 moved = er_v3_sub(er_pose_point(rest, now), er_pose_point(w->model->body[of->tip].pose, of->end));
    flap->beat[wing * N + frame] = er_v3_dot(moved, w->body->up) / of->span;
    flap->sweep[wing * N + frame] = er_v3_dot(moved, w->body->forward) / of->span;
}

// The share of the air's force that acts forward, -1 to 1. Wings are plates; the force opposes their normal velocity
// and grows with its square.
static double pushed(const eri_flap *flap)
{
    const eri_mix_sampler *w = flap->w;
    double ahead = 0.0, all = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        if (flap->wing[i] < 0) continue;
        const er_body *body = &w->model->body[i];
        er_vec3 before = er_pose_point(eri_mix_sampler_lane(w, i, N - 2), body->com),
                now = er_pose_point(eri_mix_sampler_lane(w, i, N - 1), body->com);
        for (int f = 0; f < N; ++f) {
            er_vec3 after = er_pose_point(eri_mix_sampler_lane(w, i, f), body->com), way = er_v3_sub(after, before);
            er_vec3 normal = er_q_rotate(eri_mix_sampler_lane(w, i, (f + N - 1) % N).q, flap->normal[i]);
            double across = er_v3_dot(way, normal), force = body->mass * fabs(across) * across;
            ahead -= force * er_v3_dot(normal, w->body->forward);
            all += fabs(force);
            before = now, now = after;
        }
    }
    return all > 0.0 ? ahead / all : 0.0;
}

static double range(const double *x)
{
    double low = x[0], high = x[0];
    for (int i = 1; i < N; ++i) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    return high - low;
}

// The share of the tips' motion that is not a beat in phase.
static double stray(const eri_flap *flap)
{
    int wings = flap->w->body->wing_count;
    double mean[N] = {0}, own = 0.0, all = 0.0;
    for (int k = 0; k < wings; ++k)
        for (int i = 0; i < N; ++i)
            mean[i] += flap->beat[k * N + i] / wings;
    for (int k = 0; k < wings; ++k)
        for (int i = 0; i < N; ++i) {
            double beat = flap->beat[k * N + i], sweep = flap->sweep[k * N + i];
            own += eri_square(beat - mean[i]) + eri_square(sweep);
            all += eri_square(beat) + eri_square(sweep);
        }
    return all > 0.0 ? sqrt(own / all) : 1.0;
}

// @return the share of the air's force that acts forward
static double set_stride(eri_flap *flap, const eri_gait_mix *mix, eri_stride *out)
{
    eri_mix_sampler *w = flap->w;
    int wings = w->body->wing_count;
    eri_mix_sampler_pose(w, mix);
    *out = (eri_stride){.flight = 1.0, .feet = w->body->foot_count};
    for (int k = 0; k < wings; ++k) {
        for (int i = 0; i < N; ++i)
            set_tip(flap, k, i);
        out->length += range(flap->beat + k * N) * w->body->wing[k].span / wings / strouhal;
    }
    out->slip = stray(flap);
    eri_paths_tilt(&w->paths, out->tilt);
    return pushed(flap);
}

static double period_of(const er_gait_body *body)
{
    double span = 0.0;
    for (int k = 0; k < body->wing_count; ++k)
        span = fmax(span, 2.0 * body->wing[k].span);
    return sqrt(span / body->gravity) / pace;
}

static double cost_of(const eri_flap *flap, double ahead, const eri_stride *s)
{
    const er_gait_weights *w = flap->weights;
    double least = HUGE_VAL;
    for (int k = 0; k < flap->w->body->wing_count; ++k)
        least = fmin(least, range(flap->beat + k * N));
    if (!(least > 0.01)) return HUGE_VAL; // a wing does not move
    return w->progress *
               (4.0 * eri_square(fmax(0.0, 1.0 - least / stroke)) + eri_square(fmax(0.0, least / stroke - 1.2)) +
                0.5 * eri_square(fmax(0.0, 1.0 - ahead / thrust))) +
           w->slip * 3.0 * eri_square(s->slip) + w->effort * s->effort / 0.2 +
           w->attitude *
               (eri_square(s->tilt[0] / 0.35) + eri_square(s->tilt[1] / 0.35) + eri_square(s->tilt[2] / 0.5)) +
           w->excursion * eri_square(eri_square(s->angle / 1.2));
}

void eri_flap_evaluate(eri_flap *flap, double period, eri_gait_mix mix, eri_candidate *out)
{
    *out = (eri_candidate){.mix = mix, .family = ER_GAIT_FLAP};
    double ahead = set_stride(flap, &mix, &out->stride);
    if (ahead < 0.0) { // reversed in time it acts forward
        eri_gait_reverse(&out->mix);
        ahead = -ahead;
    }
    out->stride.period = period > 0.0 ? period : period_of(flap->w->body);
    eri_gait_effort(flap->w, &out->mix, &out->stride);
    out->cost = cost_of(flap, ahead, &out->stride);
}

// --- the search

typedef struct flap_searcher {
    eri_flap flap;
    long long tried;
} flap_searcher;

static void evaluate(void *self, eri_gait_mix mix, eri_candidate *out)
{
    flap_searcher *s = self;
    eri_flap_evaluate(&s->flap, 0.0, mix, out);
    ++s->tried;
}

er_result eri_flap_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size)
{
    er_result r = ER_OK;
    size_t n = (size_t)w->mode_count;
    flap_searcher s = {.tried = 0};
    *count = 0;
    ERI_TRY_NEW(*candidate, arena, eri_candidate, n * n);
    ERI_TRY(eri_flap_create(arena, w, &def->weights, &s.flap));
    for (int a = 0; a < w->mode_count; ++a)
        for (int b = a + 1; b < w->mode_count && w->parity[a] > in_phase; ++b) {
            if (w->parity[b] <= in_phase) continue;
            eri_candidate best = eri_pair_search(evaluate, &s, a, b);
            if (best.cost < HUGE_VAL) (*candidate)[(*count)++] = best;
        }
    eri_candidates_sort(*count, *candidate);
    if (*count > BEST) *count = BEST;
    size->tried += s.tried;
    size->posed += s.tried;
done:
    return r;
}
