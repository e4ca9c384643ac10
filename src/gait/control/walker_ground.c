// The ground as a walker knows it: heights, slopes, what a swinging foot must clear.
#include "gait/control/walker.h"

#define LOOKS 0.4   // legs: slopes are measured over twice that at least
#define SETTLES 0.5 // tau, until a change of slope counts
#define STEEPEST 0.6
#define LEVEL 1e-6    // rad: no slope at all
#define MOST_BUMP 0.4 // legs

double eri_walk_ground(const er_walker *w, er_vec3 at, er_vec3 *normal)
{
    *normal = w->up;
    at = er_v3_madd(at, er_v3_dot(er_v3_sub(w->centre, at), w->up), w->up);
    return w->def.ground != NULL ? w->def.ground(w->def.user, at, normal) : w->def.floor;
}

// The slope along a direction about a point, of so many metres either way.
static double slope_along(const er_walker *w, er_vec3 at, er_vec3 way, double far)
{
    er_vec3 normal;
    double ahead = eri_walk_ground(w, er_v3_madd(at, far, way), &normal);
    double back = eri_walk_ground(w, er_v3_madd(at, -far, way), &normal);
    return eri_clamp((ahead - back) / (2.0 * far), -STEEPEST, STEEPEST);
}

void eri_walk_feel_slope(er_walker *w, er_vec3 at, bool at_once)
{
    eri_walk_memory *m = w->memory;
    double far = LOOKS * w->leg_length, share = at_once ? 1.0 : 1.0 - exp(-w->step / (SETTLES * w->tau));
    if (w->def.ground == NULL) return;
    m->slope[0] += share * (slope_along(w, at, w->ahead, fmax(far, 0.5 * w->span)) - m->slope[0]);
    m->slope[1] += share * (slope_along(w, at, w->aside, far) - m->slope[1]);
}

double eri_walk_climb(const er_walker *w, er_vec3 way)
{
    return w->memory->slope[0] * er_v3_dot(way, w->ahead) + w->memory->slope[1] * er_v3_dot(way, w->aside);
}

er_quat eri_walk_pitch(const er_walker *w)
{
    return er_q_exp(er_v3_scale(w->around ? -atan(w->memory->slope[0]) : 0.0, w->aside));
}

er_quat eri_walk_onto(const er_walker *w, er_vec3 normal)
{
    er_vec3 axis = er_v3_cross(w->up, normal);
    double sine = er_v3_norm(axis);
    if (sine < LEVEL) return er_q_identity();
    return er_q_exp(er_v3_scale(atan2(sine, er_v3_dot(w->up, normal)) / sine, axis));
}

double eri_walk_below(const er_walker *w)
{
    double sum = 0.0, weight = 0.0;
    for (int i = 0; i < w->leg_count; ++i) {
        double one = w->memory_step[i].stands ? 1.0 : 0.1;
        const eri_walk_leg *leg = &w->leg[i];
        sum += one * (leg->ground + eri_walk_climb(w, er_v3_sub(w->centre, leg->sole_at)));
        weight += one;
    }
    return sum / weight;
}

double eri_walk_bump(const er_walker *w, const eri_walk_leg *leg, er_vec3 from, er_vec3 to)
{
    static const double part[] = {0.3, 0.5, 0.7};
    double usual = w->def.clearance * w->leg_length, most = usual;
    for (int k = 0; k < (int)ERI_COUNT(part) && w->def.ground != NULL; ++k) {
        double x = eri_walk_swung(part[k]), rise = 16.0 * part[k] * part[k] * (1.0 - part[k]) * (1.0 - part[k]);
        er_vec3 normal, at = er_v3_madd(er_v3_scale(1.0 - x, from), x, to);
        double low = er_v3_dot(at, w->up) - leg->rest - eri_walk_ground(w, at, &normal);
        most = fmax(most, usual - low / rise);
    }
    return fmin(most, MOST_BUMP * w->leg_length);
}
