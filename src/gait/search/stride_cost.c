// The cost of a stride: a weighted sum of terms, each 0 at its best and about 1 where it makes a gait useless.
#include "gait/stride.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Penalises strides that are too short to travel and too long to be no leap.
static double progress_of(const er_gait_body *body, const eri_stride *s)
{
    double wanted = larger(1.3 * body->leg, 0.4 * body->height), most = larger(3.0 * body->leg, 1.5 * body->height);
    return 4.0 * eri_square(larger(0.0, 1.0 - larger(s->length, 0.0) / wanted)) +
           eri_square(larger(0.0, s->length / most - 1.0));
}

static double clearance_of(const er_gait_body *body, const eri_stride *s)
{
    double sum = 0.0;
    for (int f = 0; f < s->feet; ++f)
        sum += eri_square(larger(0.0, 1.0 - s->step[f].clearance / (0.1 * body->leg))) +
               eri_square(larger(0.0, s->step[f].clearance / (0.45 * body->leg) - 1.0));
    return sum / s->feet + 2.0 * s->scrape;
}

static double share_of(const eri_stride *s)
{
    double sum = 0.0;
    for (int f = 0; f < s->feet; ++f) {
        double duty = s->step[f].duty;
        sum += eri_square(larger(0.0, duty - 0.7) / 0.2) + eri_square(larger(0.0, 0.35 - duty) / 0.2);
    }
    return sum / s->feet + eri_square(larger(0.0, s->flight - 0.3) / 0.3);
}

static double symmetry_of(const er_gait_body *body, const eri_stride *s)
{
    double sum = 0.0;
    for (int f = 0; f < s->feet; ++f) {
        int m = body->foot[f].mirror;
        if (m < 0) continue;
        sum += eri_square((s->step[f].duty - s->step[m].duty) / 0.25) +
               eri_square((s->step[f].clearance - s->step[m].clearance) / (0.15 * body->leg));
    }
    return sum / s->feet;
}

const char *er_gait_weight_name(int which)
{
    static const char *const names[ER_GAIT_WEIGHT_COUNT] = {"progress", "drift",    "slip",      "clearance", "share",
                                                            "effort",   "attitude", "excursion", "symmetry"};
    return which >= 0 && which < ER_GAIT_WEIGHT_COUNT ? names[which] : NULL;
}

double *er_gait_weight(er_gait_weights *weights, int which)
{
    double *const place[ER_GAIT_WEIGHT_COUNT] = {&weights->progress,  &weights->drift,     &weights->slip,
                                                 &weights->clearance, &weights->share,     &weights->effort,
                                                 &weights->attitude,  &weights->excursion, &weights->symmetry};
    return which >= 0 && which < ER_GAIT_WEIGHT_COUNT ? place[which] : NULL;
}

double eri_stride_cost(const er_gait_body *body, const er_gait_weights *w, const eri_stride *s)
{
    if (!(s->length > 0.01 * body->leg) || s->feet == 0) return HUGE_VAL; // it does not travel
    double attitude = eri_square(s->tilt[0] / 0.35) + eri_square(s->tilt[1] / 0.35) +
                      0.5 * eri_square(s->tilt[2] / 0.5) + 0.5 * eri_square(s->bob / (0.25 * body->leg));
    return w->progress * progress_of(body, s) + w->drift * 4.0 * eri_square(s->drift / s->length) +
           w->slip * 1.5 * eri_square(s->slip / 0.7) + w->clearance * clearance_of(body, s) + w->share * share_of(s) +
           w->effort * s->effort / 0.1 + w->attitude * attitude +
           w->excursion * eri_square(eri_square(s->angle / 1.0)) + w->symmetry * symmetry_of(body, s);
}

// Mean energies over a stride: potential sum of a^2 f^2 lambda / 4, kinetic with lambda as the square of the pace.
void eri_gait_effort(const eri_mix_sampler *w, const eri_gait_mix *t, eri_stride *s)
{
    double potential = 0.0, kinetic = 0.0;
    s->angle = 0.0;
    for (int v = 0; v < t->count; ++v) {
        const eri_gait_component *component = &t->component[v];
        double moved = eri_square(component->angle * w->factor[component->mode]);
        potential += 0.25 * moved * w->eigenvalue[component->mode];
        kinetic += 0.25 * moved * eri_square(2.0 * ER_PI * component->harmonic);
        s->angle += fabs(component->angle);
    }
    s->own_hz = kinetic > 0.0 ? sqrt(potential / kinetic) : 0.0;
    s->effort = kinetic / eri_square(s->period) / (w->mass * w->body->gravity * larger(fabs(s->length), 1e-12));
}

// sin(h w (-t) + phase) = sin(h w t + pi - phase)
void eri_gait_reverse(eri_gait_mix *t)
{
    for (int v = 0; v < t->count; ++v)
        t->component[v].phase = remainder(ER_PI - t->component[v].phase, 2.0 * ER_PI);
}

static void turn_round(eri_gait_mix *t, eri_paths *p)
{
    eri_gait_reverse(t);
    int rows = 3 * p->feet + 3 * p->trunks, n = p->count;
    for (int row = 0; row < rows; ++row) {
        double *x = row < p->feet       ? p->ahead + row * n
                    : row < 2 * p->feet ? p->left + (row - p->feet) * n
                    : row < 3 * p->feet ? p->up + (row - 2 * p->feet) * n
                                        : p->tilt + (row - 3 * p->feet) * n;
        for (int i = 1, k = n - 1; i < k; ++i, --k) { // frame 0 stays
            double swap = x[i];
            x[i] = x[k];
            x[k] = swap;
        }
    }
}

void eri_gait_evaluate(eri_mix_sampler *w, eri_stride_ground *g, eri_gait_mix *t, eri_stride *out)
{
    eri_mix_sampler_pose(w, t);
    eri_stride_ground_walk(w->body, &w->paths, g, out);
    if (out->length < 0.0) {
        turn_round(t, &w->paths);
        eri_stride_ground_walk(w->body, &w->paths, g, out);
    }
    eri_gait_effort(w, t, out);
}

// A row of few frames between those of many.
static void spread(int rows, const double *few, int offset, double *many)
{
    for (int row = 0; row < rows; ++row)
        for (int i = 0; i < ERI_GAIT_FRAMES; ++i)
            many[row * ERI_GAIT_FINE + i * (ERI_GAIT_FINE / ERI_GAIT_FRAMES) + offset] = few[row * ERI_GAIT_FRAMES + i];
}

void eri_gait_evaluate_finely(eri_mix_sampler *w, eri_paths *fine, eri_stride_ground *ground, const eri_gait_mix *t,
                              eri_stride *s)
{
    for (int k = 0; k < ERI_GAIT_FINE / ERI_GAIT_FRAMES; ++k) {
        eri_gait_mix later = *t;
        for (int v = 0; v < later.count; ++v)
            later.component[v].phase += 2.0 * ER_PI * later.component[v].harmonic * k / ERI_GAIT_FINE;
        eri_mix_sampler_pose(w, &later);
        spread(fine->feet, w->paths.ahead, k, fine->ahead);
        spread(fine->feet, w->paths.left, k, fine->left);
        spread(fine->feet, w->paths.up, k, fine->up);
        spread(3 * fine->trunks, w->paths.tilt, k, fine->tilt);
    }
    eri_stride_ground_walk(w->body, fine, ground, s);
    eri_gait_effort(w, t, s);
}
