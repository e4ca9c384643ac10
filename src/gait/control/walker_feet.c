// Feet: their loads, which of them stand, where the others go.
#include "gait/control/walker.h"

#define EARLY 0.6        // of the swing: a touch after it begins the stance
#define STRETCHED 0.985  // of the reach: a leg so straight leaves,
#define LATE_STANCE 0.6  // after this part of its stance
#define LOST 0.1         // tau: a standing foot without load for so long has left the ground
#define BEARS 0.2        // of its even share of the weight: another foot is loaded
#define FORESIGHT 0.7    // of omega: how the error of the divergent component is taken to grow
#define FARTHEST 0.5     // legs, of a step's correction
#define LEVEL_FROM 0.5   // of the swing: the sole turns level
#define LEVEL_WITHIN 0.4 // from then on
#define SINK_SPEED 0.3   // sqrt(g L), of a foot that is late
#define STIFF 8.0        // rad / tau, of feet
#define MOST_FOOT 12.0   // g, acceleration of a foot
#define MOST_TURN 60.0   // g / L, of a sole

// ---- Loads

static void add_slip(er_walker *w, const eri_walk_body *b, er_vec3 at, double load)
{
    er_vec3 v = er_v3_add(b->origin_velocity, er_v3_cross(b->spin, er_v3_sub(at, b->pose.p)));
    v = er_v3_madd(v, -er_v3_dot(v, w->up), w->up);
    w->memory->slid += load * er_v3_norm(v);
    w->memory->slid_load += load;
}

double eri_walk_take_loads(er_walker *w, const er_world *world, int *most)
{
    double others = 0.0, heaviest = 0.0;
    *most = -1;
    for (int i = 0; i < w->leg_count; ++i)
        w->memory_step[i].load = 0.0;
    for (int k = 0; k < er_world_contact_count(world); ++k) {
        er_contact c = er_world_contact(world, k);
        int a = er_world_shape_body(world, c.shape[0]) - w->def.first_body;
        int b = er_world_shape_body(world, c.shape[1]) - w->def.first_body;
        bool ours[2] = {a >= 0 && a < w->model->body_count, b >= 0 && b < w->model->body_count};
        if (ours[0] == ours[1]) continue;
        int body = ours[0] ? a : b, foot = w->body[body].foot;
        double load = fabs(er_v3_dot(c.impulse, w->up)) / w->step;
        if (foot >= 0) {
            w->memory_step[foot].load += load;
            add_slip(w, &w->body[body], c.point, load);
            continue;
        }
        others += load;
        if (load > heaviest) heaviest = load, *most = body;
    }
    return others;
}

// ---- Standing and swinging

static void locate(er_walker *w, eri_walk_leg *leg)
{
    const eri_walk_body *foot = &w->body[leg->body];
    leg->heel_at = er_pose_point(foot->pose, leg->heel);
    leg->heel_velocity =
        er_v3_add(foot->origin_velocity, er_v3_cross(foot->spin, er_v3_sub(leg->heel_at, foot->pose.p)));
    leg->sole_at = eri_walk_sole(leg, w->pose);
    leg->ground = eri_walk_ground(w, leg->sole_at, &leg->normal);
}

static double stretch(const er_walker *w, const eri_walk_leg *leg)
{
    return er_v3_distance(w->body[leg->chain[0]].hinge, leg->heel_at) / leg->reach;
}

static bool another_bears(const er_walker *w, int leg)
{
    for (int i = 0; i < w->leg_count; ++i)
        if (i != leg && w->memory_step[i].load > BEARS * w->mass * w->g / w->leg_count) return true;
    return false;
}

static void schedule_leg(er_walker *w, int i)
{
    eri_walk_leg *leg = &w->leg[i];
    eri_walk_step *step = &w->memory_step[i];
    bool stood = step->stands;
    leg->since = w->memory->walks ? eri_fraction(w->memory->phase - leg->touchdown) : 0.5 * leg->duty;
    leg->due = leg->since < leg->duty;
    if (leg->due && step->touched && w->memory->walks && leg->since > LATE_STANCE * leg->duty &&
        stretch(w, leg) > STRETCHED && another_bears(w, i))
        step->early = true;
    if (!leg->due) step->early = false;
    double swung = (leg->since - leg->duty) / (1.0 - leg->duty);
    step->aloft = step->load > 0.0 ? 0.0 : step->aloft + w->step;
    if (step->early || step->aloft > LOST * w->tau)
        step->touched = false;
    else if (leg->due || swung > EARLY)
        step->touched |= step->load > 0.0;
    else
        step->touched = false;
    step->stands = step->touched;
    if (stood && !step->stands) step->left = leg->heel_at;
    if (!leg->due && step->stands) leg->since -= 1.0; // ahead of its time
}

void eri_walk_schedule(er_walker *w)
{
    double sum = 0.0;
    w->shift[0] = w->shift[1] = 0.0;
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *leg = &w->leg[i];
        locate(w, leg);
        schedule_leg(w, i);
        double weight = eri_walk_weight(leg, leg->since), place[2];
        if (!w->memory_step[i].stands || weight <= 0.0) continue;
        eri_walk_neutral(w, leg, leg->since, place);
        er_vec3 off = er_v3_sub(leg->sole_at, w->memory->path);
        w->shift[0] += weight * (er_v3_dot(off, w->ahead) - place[0]);
        w->shift[1] += weight * (er_v3_dot(off, w->aside) - place[1]);
        sum += weight;
    }
    for (int c = 0; c < 2; ++c)
        w->shift[c] = sum > 0.0 ? w->shift[c] / sum : 0.0;
}

// ---- Goals

static void keep_standing(const er_walker *w, eri_walk_leg *leg)
{
    const eri_walk_body *foot = &w->body[leg->body];
    double rate = STIFF / w->tau;
    er_vec3 up = er_q_rotate(foot->pose.q, er_q_rotate(er_q_conj(w->model->body[leg->body].pose.q), w->up));
    leg->acceleration = er_v3_scale(-rate, leg->heel_velocity);
    leg->turn = er_v3_madd(er_v3_scale(0.25 * rate * rate, er_v3_cross(up, leg->normal)), -rate, foot->spin);
}

// The place of the heel at its next touchdown. Errors of the divergent component move it.
// @param normal  of the ground there, written
static er_vec3 foothold(const er_walker *w, const eri_walk_leg *leg, double remaining, er_vec3 *normal)
{
    double grown = exp(FORESIGHT * w->omega * remaining), place[2];
    const double speed[2] = {w->memory->now.ahead, w->memory->now.aside};
    er_vec3 at = w->memory->path, along[2] = {w->ahead, w->aside};
    eri_walk_neutral(w, leg, 0.0, place);
    for (int c = 0; c < 2; ++c) {
        double by = w->shift[c] + (w->error[c] - w->shift[c]) * grown;
        by = eri_clamp(by, -FARTHEST * w->leg_length, FARTHEST * w->leg_length);
        double way = place[c] + by + (w->memory->walks ? speed[c] * remaining : 0.0);
        at = er_v3_madd(at, way, along[c]);
    }
    er_vec3 ankle = er_q_rotate(w->turned, leg->ankle);
    at = er_v3_madd(at, eri_walk_ground(w, at, normal) + leg->rest - er_v3_dot(at, w->up), w->up);
    return er_v3_add(at, er_v3_madd(ankle, -er_v3_dot(ankle, w->up), w->up));
}

typedef struct way {
    er_vec3 at, velocity, acceleration;
} way;

// From where the heel left to the foothold: a quintic, and a bump upwards.
static way swing(const er_walker *w, const eri_walk_leg *leg, er_vec3 from, er_vec3 to, double s)
{
    double time = (1.0 - leg->duty) * w->stride, rate = ERI_WALK_HURRY / time, bump = eri_walk_bump(w, leg, from, to);
    double u = fmin(1.0, s * ERI_WALK_HURRY), back = 1.0 - u;
    double x = eri_walk_swung(s), v = 30.0 * u * u * back * back * rate;
    double a = 60.0 * u * back * (1.0 - 2.0 * u) * rate * rate;
    double rise = 16.0 * s * s * (1.0 - s) * (1.0 - s), rising = 32.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / time;
    double bends = (32.0 - 192.0 * s + 192.0 * s * s) / (time * time);
    er_vec3 way_to = er_v3_sub(to, from);
    return (way){er_v3_madd(er_v3_madd(from, x, way_to), bump * rise, w->up),
                 er_v3_madd(er_v3_scale(v, way_to), bump * rising, w->up),
                 er_v3_madd(er_v3_scale(a, way_to), bump * bends, w->up)};
}

static void keep_swinging(er_walker *w, int i)
{
    eri_walk_leg *leg = &w->leg[i];
    const eri_walk_body *foot = &w->body[leg->body], *hip = &w->body[leg->chain[0]];
    bool late = leg->due && !w->memory_step[i].early;
    double stiff = STIFF / w->tau, s = leg->due ? (late ? 1.0 : 0.0) : (leg->since - leg->duty) / (1.0 - leg->duty);
    way to = {leg->heel_at, er_v3_scale(-SINK_SPEED * sqrt(w->g * w->leg_length), w->up), er_v3(0, 0, 0)};
    er_vec3 normal = leg->normal, place = foothold(w, leg, (1.0 - leg->since) * w->stride, &normal);
    if (!late) to = swing(w, leg, w->memory_step[i].left, place, s);
    er_vec3 down = er_v3_sub(to.at, hip->hinge);
    double far = er_v3_norm(down), most = ERI_WALK_REACH * leg->reach;
    if (far > most) to.at = er_v3_madd(hip->hinge, most / far, down);
    er_vec3 pull = er_v3_madd(er_v3_scale(stiff * stiff, er_v3_sub(to.at, leg->heel_at)), 2.0 * stiff,
                              er_v3_sub(to.velocity, leg->heel_velocity));
    leg->acceleration = eri_at_most(er_v3_add(to.acceleration, pull), MOST_FOOT * w->g);
    double level = eri_clamp((s - LEVEL_FROM) / LEVEL_WITHIN, 0.0, 1.0);
    er_quat sole =
        er_q_slerp(eri_walk_whole_at(w, w->memory->phase, leg->body).turn, w->model->body[leg->body].pose.q, level);
    er_quat wanted =
        er_q_mul(er_q_slerp(eri_walk_pitch(w), eri_walk_onto(w, normal), level), er_q_mul(w->turned, sole));
    er_vec3 off = er_q_log(er_q_mul(wanted, er_q_conj(foot->pose.q)));
    leg->turn = eri_at_most(er_v3_madd(er_v3_scale(stiff * stiff, off), -2.0 * stiff, foot->spin),
                            MOST_TURN * w->g / w->leg_length);
}

void eri_walk_aim(er_walker *w)
{
    for (int i = 0; i < w->leg_count; ++i)
        if (w->memory_step[i].stands)
            keep_standing(w, &w->leg[i]);
        else
            keep_swinging(w, i);
}
