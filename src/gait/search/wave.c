// Travel without feet (undulation): two modes a quarter of a cycle apart make a wave along the body. The wave propels
// the body because the drag of its surroundings is larger across the body than along it. Sources: Gray & Hancock, The
// propulsion of sea-urchin spermatozoa, J. Exp. Biol. 32 (1955), for the drag; Feeny, A complex orthogonal
// decomposition for wave motion analysis, J. Sound Vib. 310 (2008), for how purely a wave travels.
#include <string.h>

#include "gait/stride.h"

er_result eri_wave_create(er_arena *arena, const er_model *model, const er_gait_body *body, bool upright, eri_wave *out)
{
    er_result r = ER_OK;
    int n = model->body_count;
    *out = (eri_wave){.across = upright ? body->up : body->left, .ratio = body->lies ? 10.0 : 8.0, .count = n};
    ERI_TRY_NEW(out->neighbour, arena, int, n);
    ERI_TRY_NEW(out->swing, arena, double, 2 * (size_t)n);
    ERI_TRY_NEW(out->pose, arena, er_pose, ERI_GAIT_FRAMES * (size_t)n);
    ERI_TRY_NEW(out->middle, arena, er_vec3, 3 * (size_t)n);
    for (int i = 0; i < n; ++i) { // its parent; for a root its heaviest child
        int up = model->tree_parent[i];
        for (int k = 0; k < n && model->tree_parent[i] < 0; ++k)
            if (model->tree_parent[k] == i && (up < 0 || model->body[k].mass > model->body[up].mass)) up = k;
        bool fin = body->mirror[i] >= 0 && body->mirror[i] != i; // a fin at the side is no part of the wave
        out->neighbour[i] = up >= 0 && !fin ? up : i;
    }
done:
    return r;
}

// --- drag

typedef struct flat {
    double x, y; // ahead, across
} flat;

static flat flatten(const eri_wave *wave, const er_gait_body *body, er_vec3 v)
{
    return (flat){er_v3_dot(v, body->forward), er_v3_dot(v, wave->across)};
}

static void set_middles(const eri_wave *wave, const er_model *model, const er_pose *pose, er_vec3 *middle)
{
    for (int i = 0; i < wave->count; ++i)
        middle[i] = er_pose_point(pose[i], model->body[i].com);
}

// The body's velocity U at which the drag forces cancel: sum D (v + U) = 0, D = length (t t' + ratio (1 - t t')).
static er_vec3 pushed(const eri_wave *wave, const er_gait_body *body, const er_vec3 *before, const er_vec3 *now,
                      const er_vec3 *after)
{
    double xx = 0.0, xy = 0.0, yy = 0.0, fx = 0.0, fy = 0.0;
    for (int i = 0; i < wave->count; ++i) {
        flat t = flatten(wave, body, er_v3_sub(now[i], now[wave->neighbour[i]]));
        flat v = flatten(wave, body, er_v3_scale(0.5, er_v3_sub(after[i], before[i])));
        double length = hypot(t.x, t.y), less = wave->ratio - 1.0;
        if (!(length > 0.0)) continue;
        double a = length * (wave->ratio - less * t.x * t.x / (length * length)), b = -less * t.x * t.y / length,
               c = length * (wave->ratio - less * t.y * t.y / (length * length));
        xx += a, xy += b, yy += c;
        fx += a * v.x + b * v.y;
        fy += b * v.x + c * v.y;
    }
    double det = xx * yy - xy * xy;
    if (!(det > 0.0)) return er_v3(0, 0, 0);
    return er_v3_add(er_v3_scale(-(yy * fx - xy * fy) / det, body->forward),
                     er_v3_scale(-(xx * fy - xy * fx) / det, wave->across));
}

// The travelling index of displacements a cos wt + b sin wt along the body: the ratio of the axes of the ellipse that
// (a, b) spans.
static double purity(const eri_wave *wave)
{
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (int i = 0; i < wave->count; ++i) {
        if (wave->neighbour[i] == i) continue;
        double a = wave->swing[2 * i], b = wave->swing[2 * i + 1];
        aa += a * a, ab += a * b, bb += b * b;
    }
    double mean = 0.5 * (aa + bb), spread = hypot(0.5 * (aa - bb), ab);
    return mean > 0.0 ? sqrt(fmax(0.0, mean - spread) / (mean + spread)) : 0.0;
}

double eri_wave_travel(eri_wave *wave, const er_model *model, const er_gait_body *body, int count, const er_pose *pose,
                       er_vec3 *path)
{
    size_t n = (size_t)wave->count;
    er_vec3 *before = wave->middle, *now = before + n, *after = now + n;
    memset(wave->swing, 0, 2 * n * sizeof *wave->swing);
    set_middles(wave, model, pose + (size_t)(count - 1) * n, before);
    set_middles(wave, model, pose, now);
    path[0] = er_v3(0, 0, 0);
    for (int f = 0; f < count; ++f) {
        set_middles(wave, model, pose + (size_t)((f + 1) % count) * n, after);
        path[f + 1] = er_v3_add(path[f], pushed(wave, body, before, now, after));
        for (size_t i = 0; i < n; ++i) {
            double y = er_v3_dot(now[i], wave->across), angle = 2.0 * ER_PI * f / count;
            wave->swing[2 * i] += y * cos(angle);
            wave->swing[2 * i + 1] += y * sin(angle);
        }
        er_vec3 *first = before;
        before = now, now = after, after = first;
    }
    return purity(wave);
}

// --- cost

static void set_stride(eri_mix_sampler *w, eri_wave *wave, const eri_gait_mix *t, eri_stride *out)
{
    er_vec3 path[ERI_GAIT_FRAMES + 1];
    eri_mix_sampler_pose(w, t);
    for (int f = 0; f < ERI_GAIT_FRAMES; ++f)
        for (int i = 0; i < wave->count; ++i)
            wave->pose[(size_t)f * (size_t)wave->count + (size_t)i] = eri_mix_sampler_lane(w, i, f);
    double pure = eri_wave_travel(wave, w->model, w->body, ERI_GAIT_FRAMES, wave->pose, path);
    *out = (eri_stride){.length = er_v3_dot(path[ERI_GAIT_FRAMES], w->body->forward),
                        .drift = er_v3_dot(path[ERI_GAIT_FRAMES], wave->across),
                        .slip = 1.0 - pure};
    eri_paths_tilt(&w->paths, out->tilt);
}

void eri_wave_evaluate(eri_mix_sampler *w, eri_wave *wave, eri_gait_mix *t, eri_stride *out)
{
    set_stride(w, wave, t, out);
    if (out->length < 0.0) {
        eri_gait_reverse(t);
        set_stride(w, wave, t, out);
    }
    out->period = eri_gait_period(w->body, fabs(out->length));
    eri_gait_effort(w, t, out);
}

double eri_wave_cost(const er_model *model, const er_gait_weights *w, bool upright, const eri_stride *s)
{
    if (!(s->length > 1e-4 * model->size)) return HUGE_VAL; // it does not travel
    double wanted = 0.1 * model->size, aside = upright ? s->tilt[2] : s->tilt[1];
    double rare = upright ? 0.5 : 0.0; // most swimmers bend sideways
    return rare + w->progress * 4.0 * eri_square(fmax(0.0, 1.0 - s->length / wanted)) +
           w->drift * 4.0 * eri_square(s->drift / s->length) + w->slip * 3.0 * eri_square(s->slip) +
           w->effort * s->effort / 0.2 + w->attitude * (eri_square(s->tilt[0] / 0.35) + eri_square(aside / 0.35)) +
           w->excursion * eri_square(eri_square(s->angle / 1.2));
}

// --- the search

typedef struct wave_searcher {
    eri_mix_sampler *w;
    const er_gait_def *def;
    eri_wave wave;
    bool upright;
    long long tried;
} wave_searcher;

static void evaluate(void *self, eri_gait_mix mix, eri_candidate *out)
{
    wave_searcher *s = self;
    *out = (eri_candidate){.mix = mix, .upright = s->upright};
    out->family = s->w->body->lies ? ER_GAIT_SLITHER : ER_GAIT_SWIM;
    eri_wave_evaluate(s->w, &s->wave, &out->mix, &out->stride);
    out->cost = eri_wave_cost(s->w->model, &s->def->weights, s->upright, &out->stride);
    ++s->tried;
}

er_result eri_wave_search(er_arena *arena, eri_mix_sampler *w, const er_gait_def *def, eri_candidate **candidate,
                          int *count, er_gaits *size)
{
    er_result r = ER_OK;
    size_t n = (size_t)w->mode_count;
    int planes = w->body->waves[0] + w->body->waves[1], planes_done = 0;
    *count = 0;
    ERI_TRY_NEW(*candidate, arena, eri_candidate, n * n);
    for (int plane = 0; plane < 2; ++plane) {
        if (!w->body->waves[plane]) continue;
        wave_searcher s = {.w = w, .def = def, .upright = plane == 1};
        ERI_TRY(eri_wave_create(arena, w->model, w->body, s.upright, &s.wave));
        for (int a = 0; a < w->mode_count; ++a) {
            if (eri_gait_is_stopped(def)) ERI_TRY(eri_gait_fail_stopped(eri_arena_context(arena)));
            for (int b = a + 1; b < w->mode_count; ++b) {
                eri_candidate best = eri_pair_search(evaluate, &s, a, b);
                if (best.cost < HUGE_VAL) (*candidate)[(*count)++] = best;
            }
            if (def->progress != NULL)
                def->progress(def->user, planes_done * w->mode_count + a + 1, planes * w->mode_count);
        }
        ++planes_done;
        size->tried = size->posed += s.tried;
    }
    eri_candidates_sort(*count, *candidate);
done:
    return r;
}
