// Targets of the feet. In stance a foot keeps its foothold, and heel or toe rise where the leg would be too short. In
// swing it moves smoothly to the next foothold.
#include <string.h>

#include "gait/stride/reach.h"

typedef struct planter {
    const er_model *model;
    const er_gait_body *body;
    const er_gait_foot *foot;
    const eri_stride *stride;
    int count, first, length; // frames, where the stance begins, how many it has
    const er_vec3 *root;
    const er_pose *raw;
    er_vec3 middle; // of the footprint, at the stance's middle frame
    double *pitch;  // [count], rad, how far the sole is rolled: heel up for > 0; read while it stands
    eri_target *out;
} planter;

static er_pose raw_pose(const planter *p, int body, int frame)
{
    int i = frame % p->count;
    er_pose pose = p->raw[(size_t)i * (size_t)p->model->body_count + (size_t)body];
    pose.p = er_v3_add(pose.p, p->root[i]);
    return pose;
}

static er_vec3 raw_heel(const planter *p, int frame)
{
    return er_pose_point(raw_pose(p, p->foot->body, frame), p->foot->heel);
}

// The place of a foothold at a frame during or after the stance; the ground moves backward below the body.
static er_vec3 footprint(const planter *p, int frame)
{
    double middle = p->first + 0.5 * (p->length - 1), strides = (frame - middle) / p->count;
    return er_v3_madd(p->middle, -strides * p->stride->length, p->body->forward);
}

static void find_footprint(planter *p)
{
    er_vec3 sum = {0, 0, 0};
    p->middle = sum;
    for (int i = p->first; i < p->first + p->length; ++i)
        sum = er_v3_madd(sum, 1.0 / p->length, er_v3_sub(raw_heel(p, i), footprint(p, i)));
    double height = p->body->ground + p->foot->rest;
    p->middle = er_v3_madd(sum, height - er_v3_dot(sum, p->body->up), p->body->up);
}

// --- rolling over heel and toe

static er_vec3 across(er_vec3 v, er_vec3 axis)
{
    return er_v3_madd(v, -er_v3_dot(v, axis), axis);
}

static double smooth(double u)
{
    u = fmin(fmax(u, 0.0), 1.0);
    return u * u * (3.0 - 2.0 * u);
}

// A corner of the sole from the heel at rest: forward and up, m.
typedef struct corner {
    double ahead, up;
} corner;

static corner corner_of(const planter *p, int i)
{
    er_vec3 heel = er_pose_point(p->model->body[p->foot->body].pose, p->foot->heel),
            d = er_v3_sub(p->foot->point[i], heel);
    return (corner){er_v3_dot(d, p->body->forward), er_v3_dot(d, p->body->up)};
}

// The lowest corner; among equals the foremost, or the hindmost for way -1.
static corner first_corner(const planter *p, double way)
{
    corner best = corner_of(p, 0);
    for (int i = 1; i < p->foot->point_count; ++i) {
        corner c = corner_of(p, i);
        double higher = c.up - best.up;
        if (higher < 0.0 || (higher == 0.0 && way * c.ahead > way * best.ahead)) best = c;
    }
    return best;
}

// The next corner that a sole rolling over one comes down on, and its angle; infinite if there is none.
static corner next_corner(const planter *p, corner from, double way, double *angle)
{
    corner best = from;
    *angle = HUGE_VAL;
    for (int i = 0; i < p->foot->point_count; ++i) {
        corner c = corner_of(p, i);
        double along = way * (c.ahead - from.ahead), steep = atan2(c.up - from.up, along);
        if (along <= 1e-9 * p->body->height || steep >= *angle) continue;
        *angle = steep;
        best = c;
    }
    return best;
}

// The heel of a sole that rolled by `pitch` over its corners without sliding; > 0 raises the heel.
static er_vec3 rolled(const planter *p, er_vec3 flat, double pitch)
{
    double way = pitch < 0.0 ? -1.0 : 1.0, angle;
    corner on = first_corner(p, way);
    double ground = on.ahead;
    for (corner next = next_corner(p, on, way, &angle); angle < fabs(pitch); next = next_corner(p, on, way, &angle)) {
        ground += way * hypot(next.ahead - on.ahead, next.up - on.up);
        on = next;
    }
    er_vec3 arm = er_v3_madd(er_v3_scale(-on.ahead, p->body->forward), -on.up, p->body->up);
    arm = er_q_rotate(er_q_exp(er_v3_scale(pitch, p->body->left)), arm);
    return er_v3_add(er_v3_madd(flat, ground, p->body->forward), er_v3_madd(arm, -p->foot->rest, p->body->up));
}

// The foremost corner (hindmost for way -1) on the ground, relative to the heel at rest.
static er_vec3 end_of_sole(const planter *p, double way)
{
    double far = way * corner_of(p, 0).ahead;
    for (int i = 1; i < p->foot->point_count; ++i)
        far = fmax(far, way * corner_of(p, i).ahead);
    return er_v3_madd(er_v3_scale(way * far, p->body->forward), -p->foot->rest, p->body->up);
}

// How far a sole must roll for the leg to reach; 0 if it reaches, growing smoothly.
static double pitch_to_reach(const planter *p, er_vec3 hip, er_vec3 flat)
{
    const double most = 0.9, soft = 0.03;
    double far = er_v3_distance(hip, flat) / p->foot->reach, over = far - ERI_GAIT_STRETCH;
    double wanted = far - 0.5 * (over + sqrt(over * over + soft * soft)) +
                    0.5 * (sqrt(ERI_GAIT_STRETCH * ERI_GAIT_STRETCH + soft * soft) - ERI_GAIT_STRETCH);
    double ahead = er_v3_dot(er_v3_sub(hip, flat), p->body->forward) / p->foot->reach, way = ahead > 0.0 ? 1.0 : -1.0,
           low = 0.0, high = most;
    // past the angle at which the sole's end, heel and hip are in line, rolling increases the distance
    er_vec3 end = end_of_sole(p, way), a = er_v3_scale(-1.0, end), b = er_v3_sub(hip, er_v3_add(flat, end));
    b = er_v3_madd(b, -er_v3_dot(b, p->body->left), p->body->left);
    double line = way * atan2(er_v3_dot(er_v3_cross(a, b), p->body->left), er_v3_dot(a, b));
    if (over < -0.2 || line <= 0.0) return 0.0;
    high = fmin(high, line);
    for (int n = 0; n < 40; ++n) {
        double pitch = 0.5 * (low + high);
        if (er_v3_distance(hip, rolled(p, flat, way * pitch)) > wanted * p->foot->reach)
            low = pitch;
        else
            high = pitch;
    }
    return way * low * smooth(fabs(ahead) / 0.2) *
           smooth(line / 0.1); // flat below the hip, where heel and toe take turns
}

static er_vec3 hip_at(const planter *p, int frame)
{
    int joint = p->foot->joint[0], trunk = p->foot->trunk;
    er_vec3 at = er_pose_point_inverse(p->model->body[trunk].pose, p->model->joint[joint].frame.p);
    return er_pose_point(raw_pose(p, trunk, frame), at);
}

// The sole's orientation in the mix.
static er_quat natural_sole(const planter *p, int frame)
{
    er_quat now = raw_pose(p, p->foot->body, frame).q, rest = p->model->body[p->foot->body].pose.q;
    return er_q_mul(er_q_mul(now, er_q_conj(rest)), p->model->body[p->foot->sole].pose.q);
}

// At touchdown and lift-off soles roll as in the mix, up to the angle of a natural step, and lie flat in between. They
// roll farther if the leg would not reach. Soles without an ankle roll with the leg.
static void choose_pitches(planter *p, double *work)
{
    const double part = 0.6, toes_up = -0.45, heel_up = 0.8, ends = 0.35;
    er_quat rest = p->model->body[p->foot->sole].pose.q;
    int n = p->count, half = n / 40 > 1 ? n / 40 : 1;
    for (int i = p->first; i < p->first + n; ++i) {
        double u = (double)(i - p->first) / (p->length > 1 ? p->length - 1 : 1),
               rolls = u > 1.0 ? 1.0 : 1.0 - smooth(u / ends) + smooth((u - 1.0 + ends) / ends);
        double natural = er_v3_dot(er_q_log(er_q_mul(natural_sole(p, i), er_q_conj(rest))), p->body->left),
               pitch = p->foot->flat ? part * rolls * fmin(fmax(natural, toes_up), heel_up) : natural,
               reach = u > 1.0 || !p->foot->flat ? 0.0 : pitch_to_reach(p, hip_at(p, i), footprint(p, i));
        p->pitch[i % n] = reach > 0.0 ? fmax(pitch, reach) : reach < 0.0 ? fmin(pitch, reach) : pitch;
    }
    eri_smooth(n, half, p->pitch, work);
}

static eri_target stance_target(const planter *p, int frame)
{
    er_vec3 flat = footprint(p, frame);
    er_quat rest = p->model->body[p->foot->sole].pose.q;
    double pitch = p->pitch[(frame + p->count) % p->count]; // the frame before the first is one of them
    if (!p->foot->flat) { // its middle goes with it as it rolls; its height is that of its lowest corner
        er_vec3 way = er_v3_sub(rolled(p, flat, pitch), flat);
        return (eri_target){er_v3_add(flat, across(way, p->body->up)), rest, 1.0};
    }
    return (eri_target){rolled(p, flat, pitch), er_q_mul(er_q_exp(er_v3_scale(pitch, p->body->left)), rest), 1.0};
}

// --- swing

// How far a sole is below the ground at a target. Corners within `soft` of the lowest one count in part, so that the
// result is continuous when another corner becomes the lowest.
static double depth(const planter *p, const eri_target *t, double soft)
{
    er_pose rest = p->model->body[p->foot->sole].pose;
    er_vec3 heel = er_pose_point(p->model->body[p->foot->body].pose, p->foot->heel);
    er_quat turn = er_q_mul(t->sole, er_q_conj(rest.q));
    double lowest = HUGE_VAL, sum = 0.0, up[2] = {er_v3_dot(t->heel, p->body->up) - p->body->ground, 0.0};
    if (!p->foot->flat) return p->foot->rest - up[0];
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < p->foot->point_count; ++i) {
            er_vec3 arm = er_q_rotate(turn, er_v3_sub(p->foot->point[i], heel));
            up[1] = up[0] + er_v3_dot(arm, p->body->up);
            if (pass == 0)
                lowest = fmin(lowest, up[1]);
            else
                sum += exp((lowest - up[1]) / soft);
        }
    return soft * log(sum) - lowest;
}

// Limits the heel's distance from the hip smoothly, since a stretched knee would snap. Stances are within the limit.
static er_vec3 within_reach(const planter *p, int frame, er_vec3 heel)
{
    const double soft = 0.015; // of the leg
    if (p->foot->joint_count < 2) return heel;
    er_vec3 hip = hip_at(p, frame), d = er_v3_sub(heel, hip);
    double far = er_v3_norm(d) / p->foot->reach, over = far - ERI_GAIT_STRETCH;
    if (over <= 0.0) return heel;
    return er_v3_madd(hip, (ERI_GAIT_STRETCH + soft * tanh(over / soft)) / far, d);
}

// The rate of an offset over `some` frames, scaled to a whole swing and limited to twice the body's speed.
static er_vec3 easing(const planter *p, int frames, int some, er_vec3 change)
{
    if (some < 1) return er_v3(0, 0, 0);
    er_vec3 v = er_v3_scale((double)frames / some, change);
    double most = 2.0 * fabs(p->stride->length) * frames / p->count, fast = er_v3_norm(v);
    return fast > most ? er_v3_scale(most / fast, v) : v;
}

// The rotation from the sole of the mix to that of a target.
static er_vec3 turn_from(const planter *p, int frame, const eri_target *t)
{
    return er_q_log(er_q_mul(t->sole, er_q_conj(natural_sole(p, frame))));
}

static void swing(planter *p)
{
    const double part = 0.45; // of the swing, in which the sole turns to what the mix has, and back
    const er_vec3 none = {0, 0, 0};
    int n = p->count, last = p->first + p->length - 1, frames = n - p->length + 1; // from the last to the next first
    int some = n / 32 > 1 ? n / 32 : 1; // frames that velocities are read off
    some = some < p->length ? some : p->length > 1 ? p->length - 1 : 1;
    eri_target end = stance_target(p, last), before = stance_target(p, last - some), begin = stance_target(p, p->first),
               after = stance_target(p, p->first + some);
    er_vec3 from = er_v3_sub(end.heel, raw_heel(p, last)), to = er_v3_sub(begin.heel, raw_heel(p, p->first)),
            from_before = er_v3_sub(before.heel, raw_heel(p, last - some + n)),
            to_after = er_v3_sub(after.heel, raw_heel(p, p->first + some));
    er_vec3 leaving = easing(p, frames, some, er_v3_sub(from, from_before)),
            coming = easing(p, frames, some, er_v3_sub(to_after, to));
    er_vec3 left = turn_from(p, last, &end), left_before = turn_from(p, last - some + n, &before),
            met = turn_from(p, p->first, &begin), met_after = turn_from(p, p->first + some, &after);
    er_vec3 turning = er_v3_scale(part * frames / some, er_v3_sub(left, left_before)),
            meeting = er_v3_scale(part * frames / some, er_v3_sub(met_after, met));
    for (int k = 1; k < frames; ++k) {
        int i = (last + k) % n;
        double u = (double)k / frames, bell = 4.0 * u * (1.0 - u),
               holds = 1.0 - smooth(u / 0.35) + smooth((u - 0.65) / 0.35);
        eri_target *t = &p->out[i];
        er_vec3 turn = u < 0.5 ? eri_hermite(left, turning, none, none, fmin(u / part, 1.0))
                               : eri_hermite(none, none, met, meeting, fmax((u - 1.0 + part) / part, 0.0));
        *t = (eri_target){er_v3_add(raw_heel(p, i), eri_hermite(from, leaving, to, coming, u)),
                          er_q_mul(er_q_exp(turn), natural_sole(p, i)), holds};
        double sunk = depth(p, t, 0.008 * p->body->leg * bell) + 0.012 * p->body->leg * bell,
               rise = 0.01 * p->body->leg * bell;
        t->heel = er_v3_madd(t->heel, 0.5 * (sunk + sqrt(sunk * sunk + rise * rise)), p->body->up);
        t->heel = within_reach(p, i, t->heel);
    }
}

void eri_plant(const er_model *model, const er_gait_body *body, int foot, const eri_paths *paths, const eri_stride *s,
               const bool *stands, const er_vec3 *root, const er_pose *raw, double *work, eri_target *out)
{
    int n = paths->count, length = 0, first = 0;
    for (int i = 0; i < n; ++i)
        length += stands[i];
    for (int i = 0; i < n; ++i)
        if (stands[i] && !stands[(i + n - 1) % n]) first = i;
    planter p = {.model = model,
                 .body = body,
                 .foot = &body->foot[foot],
                 .stride = s,
                 .count = n,
                 .first = first,
                 .length = length,
                 .root = root,
                 .raw = raw,
                 .pitch = work,
                 .out = out};
    for (int i = 0; i < n && (length == 0 || length == n); ++i) // it flies all the time, or drags
        out[i] = (eri_target){raw_heel(&p, i), raw_pose(&p, p.foot->sole, i).q, 0.0};
    if (length == 0 || length == n) return;
    find_footprint(&p);
    choose_pitches(&p, work + n);
    for (int i = first; i < first + length; ++i)
        out[i % n] = stance_target(&p, i);
    swing(&p);
}
