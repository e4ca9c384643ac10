// The plan of the pendulum: footfalls, shares of the load, the periodic divergent component of motion.
#include "gait/control/walker.h"

#define RAMP 0.15         // of a stance: the load rises and falls over it
#define LEAST_WEIGHT 0.02 // of a foot that has just touched
#define LEAST_SHARE 0.15
#define LEAST_DUTY 0.25 // of gaits that fly
#define WIDER 0.01      // of the stride, by which a stance is widened
#define MOST_DUTY 0.9
enum { LAPS = 3 };        // until the divergent component's lead repeats
enum { MOST_WIDER = 90 }; // rounds

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
    leg->duty = fmax(duty, w->def.flies ? fmin(w->def.duty, LEAST_DUTY) : w->def.duty);
    leg->touchdown = eri_fraction((double)first / w->frame_count - 0.5 * (leg->duty - duty));
    er_vec3 sum = er_v3(0, 0, 0);
    for (int k = first; k < first + length; ++k)
        sum = er_v3_add(sum,
                        er_v3_sub(eri_walk_sole(leg, frame_poses(w, k)), eri_walk_mass_centre(w, frame_poses(w, k))));
    sum = er_v3_scale(1.0 / fmax(length, 1.0), sum);
    leg->ahead = er_v3_dot(sum, w->forward);
    leg->aside = er_v3_dot(sum, w->left);
}

// Moves the middles of twins' stances towards half a stride apart.
static void even_out(er_walker *w)
{
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *a = &w->leg[i], *b = a->mirror > i ? &w->leg[a->mirror] : NULL;
        if (b == NULL) continue;
        double apart = eri_fraction(b->touchdown + 0.5 * b->duty - a->touchdown - 0.5 * a->duty);
        double by = 0.5 * w->def.even * (0.5 - apart);
        a->touchdown = eri_fraction(a->touchdown - by);
        b->touchdown = eri_fraction(b->touchdown + by);
    }
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

static void widen_stance(eri_walk_leg *leg, double duty)
{
    leg->touchdown = eri_fraction(leg->touchdown - 0.5 * (duty - leg->duty));
    leg->duty = duty;
}

// Whether a foot stands at all times.
static bool always_stands(const er_walker *w)
{
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        bool stands = false;
        for (int i = 0; i < w->leg_count && !stands; ++i)
            stands = eri_fraction((double)k / ERI_WALK_PHASES - w->leg[i].touchdown) < w->leg[i].duty;
        if (!stands) return false;
    }
    return true;
}

// Widens all stances until they leave no flight.
static void close_flights(er_walker *w)
{
    for (int round = 0; round < MOST_WIDER && !always_stands(w); ++round)
        for (int i = 0; i < w->leg_count; ++i)
            widen_stance(&w->leg[i], fmin(w->leg[i].duty + WIDER, MOST_DUTY));
}

void eri_walk_read_footfalls(er_walker *w, const er_gait_motion *motion)
{
    double sum = 0.0;
    for (int i = 0; i < w->leg_count; ++i)
        read_stance(w, motion, i);
    even_out(w);
    if (!w->def.flies) close_flights(w);
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

// The periodic solutions of xi' = pull lead (xi - p) - v, backwards in time, and of c' = (xi - c) / lead - v.
static void solve_pendulum(er_walker *w, int c, double v)
{
    const int n = ERI_WALK_PHASES;
    eri_walk_plan *plan = w->plan;
    double h = w->stride / n, shrinks = 1.0, x = 0.0;
    for (int lap = 0; lap < 2; ++lap) {
        if (lap == 1) x /= 1.0 - shrinks; // what one stride adds, of all strides to come
        for (int k = n - 1; k >= 0; --k) {
            double rate = plan[k].pull * plan[k].lead, e = exp(-rate * h);
            double to = plan[k].pressure[c] + (rate > 0.0 ? v / rate : 0.0);
            x = rate > 0.0 ? to + (x - to) * e : x + v * h;
            plan[k].divergent[c] = x;
            if (lap == 0) shrinks *= e;
        }
    }
    x = 0.0;
    shrinks = 1.0;
    for (int lap = 0; lap < 2; ++lap) {
        if (lap == 1) x /= 1.0 - shrinks;
        for (int k = 0; k < n; ++k) {
            double e = exp(-h / plan[k].lead), to = plan[k].divergent[c] - v * plan[k].lead;
            plan[k].centre[c] = x;
            x = to + (x - to) * e;
            if (lap == 0) shrinks *= e;
        }
    }
}

// ---- Flight

// How much all feet bear at a place of the stride, over its mean.   @return whether a foot stands
static bool share_of_weight(const er_walker *w, double *out)
{
    double mean = 0.0;
    bool always = true;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        out[k] = 0.0;
        for (int i = 0; i < w->leg_count; ++i) {
            const eri_walk_leg *leg = &w->leg[i];
            out[k] += eri_walk_weight(leg, eri_fraction((double)k / ERI_WALK_PHASES - leg->touchdown));
        }
        mean += out[k] / ERI_WALK_PHASES;
        always &= out[k] > 0.0;
    }
    for (int k = 0; k < ERI_WALK_PHASES; ++k)
        out[k] = always ? 1.0 : out[k] / mean;
    return always;
}

// Sums a function of the stride up to one with a mean of 0.
static void sum_up(const double *from, double h, double *out)
{
    double sum = 0.0, mean = 0.0;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        out[k] = sum;
        mean += sum / ERI_WALK_PHASES;
        sum += h * from[k];
    }
    for (int k = 0; k < ERI_WALK_PHASES; ++k)
        out[k] -= mean;
}

void eri_walk_make_bounce(er_walker *w)
{
    const int n = ERI_WALK_PHASES;
    double share[ERI_WALK_PHASES], lift[ERI_WALK_PHASES], climb[ERI_WALK_PHASES], rise[ERI_WALK_PHASES];
    double h = w->stride / n, lead = 1.0 / w->omega;
    share_of_weight(w, share);
    for (int k = 0; k < n; ++k)
        lift[k] = w->g * (share[k] - 1.0);
    sum_up(lift, h, climb);
    sum_up(climb, h, rise);
    for (int k = 0; k < n; ++k) {
        eri_walk_plan *p = &w->plan[k];
        p->pull = w->omega * w->omega * share[k];
        p->lift = lift[k];
        p->climb = climb[k];
        p->rise = rise[k];
    }
    for (int lap = 0; lap < LAPS; ++lap) // lead' = pull lead^2 - 1, backwards in time
        for (int k = n - 1; k >= 0; --k) {
            double root = sqrt(w->plan[k].pull), t = root > 0.0 ? tanh(root * h) / root : h;
            lead = (lead + t) / (1.0 + w->plan[k].pull * t * lead);
            w->plan[k].lead = lead;
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
    still.pull = w->omega * w->omega;
    still.lead = 1.0 / w->omega;
    return still;
}
