// The plan of the pendulum: footfalls, shares of the load, the periodic divergent component of motion.
#include "gait/control/walker.h"

#define RAMP 0.15         // of a stance: the load rises and falls over it
#define LEAST_WEIGHT 0.02 // of a foot that has just touched
#define LEAST_SHARE 0.15
#define SPANS 0.4 // legs: feet farther apart than this share the load by their places

double eri_walk_weight(const eri_walk_leg *leg, double since)
{
    double s = since / leg->duty;
    return s < 0.0 || s >= 1.0 ? 0.0 : leg->share * fmin(1.0, fmin(s, 1.0 - s) / RAMP + LEAST_WEIGHT);
}

void eri_walk_neutral(const er_walker *w, const eri_walk_leg *leg, double since, double out[2])
{
    double ahead = (0.5 * leg->duty - since) * w->stride; // s, times the speed
    const er_walker_wish *now = &w->memory->now;
    out[0] = leg->ahead + (w->memory->walks ? now->ahead * ahead : 0.0);
    out[1] = leg->aside + (w->memory->walks ? now->aside * ahead : 0.0);
}

// ---- Footfalls

er_vec3 eri_walk_mass_centre(const er_walker *w, const er_pose *pose)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int i = 0; i < w->body_count; ++i) {
        int b = w->order[i];
        sum = er_v3_madd(sum, w->body[b].mass / w->mass, er_pose_point(pose[b], w->body[b].com));
    }
    return sum;
}

er_vec3 eri_walk_sole(const eri_walk_leg *leg, const er_pose *pose)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int k = 0; k < leg->point_count; ++k)
        sum = er_v3_madd(sum, 1.0 / leg->point_count, er_pose_point(pose[leg->point_body[k]], leg->point[k]));
    return sum;
}

static const er_pose *frame_poses(const er_walker *w, int frame)
{
    return w->gait_pose + (size_t)(frame % w->frame_count) * (size_t)w->model->body_count;
}

// The longest run of frames in which a foot stands.   @return its length, from *first on
static int longest_stance(const er_gait_motion *motion, int count, int foot, int *first)
{
    int best = 0;
    *first = 0;
    for (int k = 0; k < count; ++k) {
        int n = 0;
        while (n < count && motion->stands[(size_t)((k + n) % count) * (size_t)motion->foot_count + (size_t)foot])
            ++n;
        if (n > best) best = n, *first = k;
    }
    return best;
}

static void read_stance(er_walker *w, const er_gait_motion *motion, int i)
{
    eri_walk_leg *leg = &w->leg[i];
    int first, length = longest_stance(motion, w->frame_count, i, &first);
    double duty = (double)length / w->frame_count;
    leg->duty = fmax(duty, w->def.duty);
    leg->touchdown = eri_fraction((double)first / w->frame_count - 0.5 * (leg->duty - duty));
    er_vec3 sum = er_v3(0, 0, 0);
    for (int k = first; k < first + length; ++k)
        sum = er_v3_add(sum,
                        er_v3_sub(eri_walk_sole(leg, frame_poses(w, k)), eri_walk_mass_centre(w, frame_poses(w, k))));
    sum = er_v3_scale(1.0 / fmax(length, 1.0), sum);
    leg->ahead = er_v3_dot(sum, w->forward);
    leg->aside = er_v3_dot(sum, w->left);
}

// Twins stand at mirror images.
static void mirror_places(er_walker *w)
{
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *a = &w->leg[i], *b = a->mirror > i ? &w->leg[a->mirror] : NULL;
        if (b == NULL) continue;
        a->ahead = b->ahead = 0.5 * (a->ahead + b->ahead);
        a->aside = 0.5 * w->def.width * (a->aside - b->aside);
        b->aside = -a->aside;
    }
}

// Shares the load so that the mean centre of pressure lies below the centre of mass. If shares cannot, all feet move
// ahead or back.
static void share_load(er_walker *w)
{
    double first = 0.0, second = 0.0, least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        first += leg->duty * leg->ahead;
        second += leg->duty * leg->ahead * leg->ahead;
        least = fmin(least, leg->ahead);
        most = fmax(most, leg->ahead);
    }
    w->span = most - least;
    w->around = w->span > SPANS * w->leg_length && least < 0.0 && most > 0.0;
    double borne = 0.0, mean = 0.0;
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *leg = &w->leg[i];
        leg->share = w->around ? fmax(LEAST_SHARE, 1.0 - first / second * leg->ahead) : 1.0;
        borne += leg->duty * leg->share;
        mean += leg->duty * leg->share * leg->ahead;
    }
    for (int i = 0; i < w->leg_count; ++i)
        w->leg[i].ahead -= mean / borne;
}

void eri_walk_read_footfalls(er_walker *w, const er_gait_motion *motion)
{
    double sum = 0.0;
    for (int i = 0; i < w->leg_count; ++i)
        read_stance(w, motion, i);
    for (int k = 0; k < w->frame_count; ++k)
        sum += er_v3_dot(eri_walk_mass_centre(w, frame_poses(w, k)), w->up);
    w->gait_height = sum / w->frame_count;
    mirror_places(w);
    share_load(w);
}

// ---- The pendulum

// The centre of pressure at a phase.   @return whether a foot stands
static bool pressure_at(const er_walker *w, double phase, double out[2])
{
    double sum = 0.0;
    out[0] = out[1] = 0.0;
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        double since = eri_fraction(phase - leg->touchdown), weight = eri_walk_weight(leg, since), at[2];
        eri_walk_neutral(w, leg, since, at);
        sum += weight;
        for (int c = 0; c < 2; ++c)
            out[c] += weight * at[c];
    }
    for (int c = 0; c < 2 && sum > 0.0; ++c)
        out[c] /= sum;
    return sum > 0.0;
}

// In flight the pressure moves from its last place to the next.
static void bridge_flight(er_walker *w, const bool *known)
{
    const int n = ERI_WALK_PHASES;
    for (int k = 0; k < n; ++k) {
        if (known[k]) continue;
        int a = k, b = k;
        while (!known[(a + n) % n] && k - a < n)
            --a;
        while (!known[b % n] && b - k < n)
            ++b;
        double part = (double)(k - a) / (b - a);
        for (int c = 0; c < 2; ++c)
            w->plan[k].pressure[c] =
                (1.0 - part) * w->plan[(a + n) % n].pressure[c] + part * w->plan[b % n].pressure[c];
    }
}

// The periodic solutions of xi' = omega (xi - p) - v, backwards in time, and of c' = omega (xi - c) - v.
static void solve_pendulum(er_walker *w, int c, double v)
{
    const int n = ERI_WALK_PHASES;
    eri_walk_plan *plan = w->plan;
    double e = exp(-w->omega * w->stride / n), lag = v / w->omega, whole = 1.0 - pow(e, n), x = 0.0;
    for (int lap = 0; lap < 2; ++lap) {
        if (lap == 1) x /= whole; // what one stride adds, of all strides to come
        for (int k = n - 1; k >= 0; --k) {
            double to = plan[k].pressure[c] + lag;
            x = to + (x - to) * e;
            plan[k].divergent[c] = x;
        }
    }
    x = 0.0;
    for (int lap = 0; lap < 2; ++lap) {
        if (lap == 1) x /= whole;
        for (int k = 0; k < n; ++k) {
            double to = plan[k].divergent[c] - lag;
            plan[k].centre[c] = x;
            x = to + (x - to) * e;
        }
    }
}

void eri_walk_make_plan(er_walker *w, double ahead, double aside)
{
    bool known[ERI_WALK_PHASES], any = false;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        known[k] = pressure_at(w, (double)k / ERI_WALK_PHASES, w->plan[k].pressure);
        any |= known[k];
    }
    if (any) bridge_flight(w, known);
    solve_pendulum(w, 0, ahead);
    solve_pendulum(w, 1, aside);
    w->planned[0] = ahead;
    w->planned[1] = aside;
}

eri_walk_plan eri_walk_plan_at(const er_walker *w)
{
    if (w->memory->walks) return w->plan[(int)(eri_fraction(w->memory->phase) * ERI_WALK_PHASES) % ERI_WALK_PHASES];
    eri_walk_plan still = {0};
    double sum = 0.0;
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        sum += leg->share;
        still.pressure[0] += leg->share * leg->ahead;
        still.pressure[1] += leg->share * leg->aside;
    }
    for (int c = 0; c < 2; ++c)
        still.divergent[c] = still.centre[c] = still.pressure[c] /= sum;
    return still;
}
