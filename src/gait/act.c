// Presets in time as motions: the body moves as a whole, head and trunk turn, modes move other parts, legs follow.
#include <string.h>

#include "gait/act.h"
#include "gait/stride/reach.h"

#define OFF 0.003         // of a leg, how far a foot that stands may be off its place
#define FOLDED 2.3        // rad, the most that a knee bends
#define LEAST_FRAMES 16   // of a motion
#define ENOUGH_SHARE 0.02 // of a depth, that bisection finds

/// A chain that turns a part: an eri_leg whose end keeps no place, only a direction.
typedef struct act_chain {
    er_gait_foot end;
    eri_leg leg;
    bool is_there;
} act_chain;

typedef struct act_mover {
    eri_gesture_search search;
    eri_act act;
    eri_act_height height;
    double metres, seconds, share; // of one per cent; without a flight; of the depths
    er_arena *arena, *scratch;
    er_kinematics *kinematics;
    int width;
    double *column[ER_PRESET_MOST_MOVES]; // [width], what a track of modes does at its key of largest size; NULL: none
    act_chain chain[2];                   // of trunk and head
    eri_leg *leg;                         // [foot_count]
    double *above;                        // [foot_count], m, by which a foot at rest stands above its soft lowest point
    bool bends;                           // whether some leg has a knee
    bool *of_leg;                         // [width], coordinates that legs, toes and soles have
    er_vec3 centre;                       // of mass at rest
    double *x, *before;                   // [width]
    er_gait_motion *out;
} act_mover;

// --- making

// A chain from `end` up to, and without, `top`, or the first body of another part if that is -1.
static er_result make_chain(act_mover *m, int end, int top, act_chain *out)
{
    er_result r = ER_OK;
    const er_model *model = m->search.model;
    int *joint, count = 0, up = end;
    ERI_TRY_NEW(joint, m->scratch, int, model->body_count);
    while (up >= 0 && model->tree_joint[up] >= 0 &&
           (top >= 0 ? up != top : m->search.part[up] == m->search.part[end])) {
        joint[count++] = model->tree_joint[up];
        up = model->tree_parent[up];
    }
    if (count == 0 || up < 0 || (top >= 0 && up != top)) return ER_OK;
    for (int i = 0; i < count / 2; ++i) {
        int last = joint[count - 1 - i];
        joint[count - 1 - i] = joint[i];
        joint[i] = last;
    }
    out->end = (er_gait_foot){.name = "",
                              .body = end,
                              .sole = end,
                              .trunk = up,
                              .joint_count = count,
                              .joint = joint,
                              .reach = 1e3 * model->size}; // so long that no joint counts as a knee
    ERI_TRY(eri_leg_create(m->scratch, model, m->kinematics, m->search.body, &out->end, &out->leg));
    out->is_there = true;
done:
    return r;
}

static er_result make_chains(act_mover *m)
{
    er_result r = ER_OK;
    int head = eri_act_head(&m->search), chest = eri_act_chest(&m->search);
    if (head >= 0) ERI_TRY(make_chain(m, head, -1, &m->chain[PART_HEAD]));
    if (chest >= 0) ERI_TRY(make_chain(m, chest, eri_act_hips(&m->search), &m->chain[PART_TRUNK]));
done:
    return r;
}

static void mark_joint(act_mover *m, int joint)
{
    for (int c = m->search.model->coordinate[joint]; c < m->search.model->coordinate[joint + 1]; ++c)
        m->of_leg[c] = true;
}

static er_result make_legs(act_mover *m)
{
    er_result r = ER_OK;
    const er_model *model = m->search.model;
    const er_gait_body *body = m->search.body;
    ERI_TRY_NEW(m->of_leg, m->scratch, bool, m->width);
    ERI_TRY_NEW(m->leg, m->scratch, eri_leg, body->foot_count);
    ERI_TRY_NEW(m->above, m->scratch, double, body->foot_count);
    for (int f = 0; f < body->foot_count; ++f) {
        const er_gait_foot *foot = &body->foot[f];
        ERI_TRY(eri_leg_create(m->scratch, model, m->kinematics, body, foot, &m->leg[f]));
        m->bends |= foot->joint_count > 1;
        for (int k = 0; k < foot->joint_count; ++k)
            mark_joint(m, foot->joint[k]);
        for (int b = 0; b < model->body_count; ++b)
            if (model->tree_joint[b] >= 0 && (eri_hangs_on(model, foot->body, b) || eri_hangs_on(model, foot->sole, b)))
                mark_joint(m, model->tree_joint[b]);
    }
done:
    return r;
}

// Finds the modes of a track. Legs and roots have no part in it: they follow.
static er_result make_column(act_mover *m, const eri_act_track *t, double **out)
{
    er_result r = ER_OK;
    eri_gesture_goal goal = {.part = t->part, .way = t->way, .cycles = 1, .percent = fabs(t->most)};
    eri_gesture_fit how = {0};
    eri_gesture g = {0};
    *out = NULL;
    if (!eri_gesture_has(&m->search, t->part)) return ER_OK;
    ERI_TRY(eri_gesture_find(&m->search, &goal, &how, &g));
    if (g.count == 0) return ER_OK;
    m->search.used[g.mode[0]] = true;
    ERI_TRY_NEW(*out, m->scratch, double, m->width);
    for (int k = 0; k < g.count; ++k) {
        const er_mode *mode = &m->search.modes->mode[g.mode[k]];
        double factor = er_mode_amplitude(m->search.model, mode, eri_gesture_degrees(&m->search, &g, k, &how));
        if (how.sense * g.factor[k] < 0.0) factor = -factor;
        er_kinematics_mode(m->kinematics, mode, m->before);
        for (int c = 0; c < m->search.model->coordinate_count; ++c)
            if (!m->of_leg[c]) (*out)[c] += factor * m->before[c];
    }
done:
    return r;
}

static bool is_modal(const eri_act_track *t)
{
    return t->part != ERI_ACT_BODY && !eri_act_turns(t->way);
}

static er_result make_columns(act_mover *m, bool planted)
{
    er_result r = ER_OK;
    bool any = false;
    for (int i = 0; i < m->act.count; ++i)
        any |= is_modal(&m->act.track[i]);
    if (any) ERI_TRY(eri_gesture_sample_modes(&m->search, planted, m->scratch));
    for (int i = 0; i < m->act.count; ++i)
        if (is_modal(&m->act.track[i])) ERI_TRY(make_column(m, &m->act.track[i], &m->column[i]));
done:
    return r;
}

// --- posing

static double degrees(const act_mover *m, int part, int way, double at)
{
    return eri_act_value(eri_act_find(&m->act, part, way), at);
}

// The turn of a part, as a rotation vector: the front goes down, to the left; the top to the left.
static er_vec3 turn_of(const act_mover *m, int part, double at)
{
    const er_gait_body *body = m->search.body;
    double share = part == ERI_ACT_BODY ? m->share : 1.0, unit = share * ER_PI / 180.0;
    er_vec3 sum = er_v3_scale(unit * degrees(m, part, ERI_ACT_NOD, at), body->left);
    sum = er_v3_madd(sum, -unit * degrees(m, part, ERI_ACT_TILT, at), body->forward);
    return er_v3_madd(sum, unit * degrees(m, part, ERI_ACT_TURN, at), body->up);
}

// Turns all roots about the centre of mass at rest, then shifts them.
static void place_roots(const act_mover *m, er_vec3 turn, er_vec3 shift, double *x)
{
    const er_model *model = m->search.model;
    er_quat q = er_q_exp(turn);
    er_pose by = {q, er_v3_add(shift, er_v3_sub(m->centre, er_q_rotate(q, m->centre)))};
    double *at = x + model->coordinate_count;
    for (int b = 0; b < model->body_count; ++b) {
        if (model->tree_joint[b] >= 0) continue;
        er_pose rest = model->body[b].pose, moved = er_pose_mul(er_pose_inverse(rest), er_pose_mul(by, rest));
        er_vec3 w = er_q_log(moved.q);
        const double six[6] = {w.x, w.y, w.z, moved.p.x, moved.p.y, moved.p.z};
        memcpy(at, six, sizeof six);
        at += 6;
    }
}

// a y = b for a symmetric matrix of three rows, by cofactors.
static er_vec3 solve3(const er_vec3 a[3], er_vec3 b)
{
    er_vec3 c0 = er_v3_cross(a[1], a[2]), c1 = er_v3_cross(a[2], a[0]), c2 = er_v3_cross(a[0], a[1]);
    double det = er_v3_dot(a[0], c0);
    er_vec3 sum = er_v3_add(er_v3_scale(b.x, c0), er_v3_add(er_v3_scale(b.y, c1), er_v3_scale(b.z, c2)));
    return er_v3_scale(det != 0.0 ? 1.0 / det : 0.0, sum);
}

// Turns the end of a chain by a rotation, with the least energy in its springs.
static void turn_chain(act_mover *m, act_chain *chain, er_vec3 turn, er_pose *pose)
{
    enum { STEPS = 20 };
    eri_leg *leg = &chain->leg;
    const double damping = 1e-9;
    er_quat goal = er_q_mul(er_q_exp(turn), pose[chain->end.body].q);
    for (int n = 0; n < STEPS; ++n) {
        er_vec3 left = er_q_log(er_q_mul(goal, er_q_conj(pose[chain->end.body].q))),
                a[3] = {{damping, 0, 0}, {0, damping, 0}, {0, 0, damping}};
        if (er_v3_norm(left) < 1e-12) break;
        for (int c = 0; c < leg->width; ++c) {
            er_vec3 j = eri_leg_twist(leg, c, m->x, pose).angular,
                    k = er_v3_scale(1.0 / leg->direction[c].stiffness, j);
            a[0] = er_v3_madd(a[0], j.x, k);
            a[1] = er_v3_madd(a[1], j.y, k);
            a[2] = er_v3_madd(a[2], j.z, k);
        }
        er_vec3 y = solve3(a, left);
        for (int c = 0; c < leg->width; ++c)
            leg->change[c] = er_v3_dot(eri_leg_twist(leg, c, m->x, pose).angular, y) / leg->direction[c].stiffness;
        for (int c = 0; c < leg->width; ++c)
            eri_leg_step(leg, c, leg->change[c], m->x);
        eri_leg_pose(leg, m->x, pose);
    }
}

// How the body is held at a time: its height as that of the roots while it stands, of the centre of mass in a flight
// and while it is pushed off and stopped.
typedef struct act_hold {
    double at, height, lift; // fraction of the time; m; m, of the feet
    bool of_centre;
} act_hold;

static act_hold hold_at(const act_mover *m, double time)
{
    const eri_act_height *h = &m->height;
    double share = m->bends ? m->share : 0.0, height = eri_act_height_at(h, &m->act, m->metres, share, time);
    return (act_hold){eri_act_fraction(h, time), height, eri_act_lift_at(h, time, height),
                      h->flies && time > h->begin && time < h->end};
}

static er_vec3 wanted_centre(const act_mover *m, const act_hold *hold)
{
    const er_gait_body *body = m->search.body;
    double unit = m->share * m->metres;
    er_vec3 v = er_v3_madd(m->centre, hold->height, body->up);
    v = er_v3_madd(v, unit * degrees(m, ERI_ACT_BODY, WAY_AHEAD, hold->at), body->forward);
    return er_v3_madd(v, unit * degrees(m, ERI_ACT_BODY, WAY_SIDE, hold->at), body->left);
}

// The place of a foot: where it is at rest, lifted in flight with its toes down.
static eri_target target_of(const act_mover *m, int f, double lift)
{
    const double droop = 0.5, far = 0.15; // rad; of the leg
    const er_gait_foot *foot = &m->search.body->foot[f];
    const er_pose *rest = &m->search.model->body[foot->body].pose;
    double part = lift / (lift + far * m->search.body->leg);
    er_quat turn = er_q_exp(er_v3_scale(droop * part * part, m->search.body->left));
    return (eri_target){er_v3_madd(er_pose_point(*rest, foot->heel), lift - m->above[f], m->search.body->up),
                        er_q_mul(turn, m->search.model->body[foot->sole].pose.q), 1.0};
}

static void bend_legs(act_mover *m, double lift, er_pose *pose)
{
    for (int f = 0; f < m->search.body->foot_count; ++f) {
        eri_target target = target_of(m, f, lift);
        eri_leg_reach(&m->leg[f], m->search.model, m->search.body, &target, m->x, pose);
    }
}

static void straighten_legs(act_mover *m)
{
    for (int c = 0; c < m->search.model->coordinate_count; ++c)
        if (m->of_leg[c]) m->x[c] = 0.0;
}

// Shifts the body until its centre of mass is where it is wanted. While it stands, the height is that of the roots, and
// they move aside on the arc of a straight leg, so that legs reach.
static void follow_centre(act_mover *m, const act_hold *hold, er_pose *pose)
{
    enum { TURNS = 12 };
    const double longest = 0.9 * m->search.body->leg;
    er_vec3 want = wanted_centre(m, hold), turn = turn_of(m, ERI_ACT_BODY, hold->at), up = m->search.body->up,
            shift = er_v3_sub(want, m->centre);
    for (int n = 0; n < TURNS; ++n) {
        straighten_legs(m);
        place_roots(m, turn, shift, m->x);
        eri_kinematics_open(m->kinematics, m->x, pose);
        bend_legs(m, hold->lift, pose);
        er_vec3 off = er_v3_sub(want, eri_act_centre(m->search.model, pose));
        if (!hold->of_centre) {
            double height = er_v3_dot(shift, up), aside = fmin(er_v3_norm(er_v3_madd(shift, -height, up)), longest),
                   arc = m->search.body->leg - sqrt(m->search.body->leg * m->search.body->leg - aside * aside);
            off = er_v3_madd(off, hold->height - arc - height - er_v3_dot(off, up), up);
        }
        if (er_v3_norm(off) < 1e-10 * m->search.model->size) break;
        shift = er_v3_add(shift, off);
    }
}

static er_result close_loops(act_mover *m, er_pose *pose)
{
    eri_kinematics_open(m->kinematics, m->x, pose);
    return m->search.model->loop_count > 0 ? eri_kinematics_close(m->kinematics, m->x, pose) : ER_OK;
}

// Soles elsewhere in the rig move with their feet.
static void carry_soles(const act_mover *m, er_pose *pose)
{
    const er_model *model = m->search.model;
    for (int f = 0; f < m->search.body->foot_count; ++f) {
        const er_gait_foot *foot = &m->search.body->foot[f];
        if (foot->sole == foot->body) continue;
        er_pose by = er_pose_displacement(model->body[foot->body].pose, pose[foot->body]);
        for (int b = 0; b < model->body_count; ++b)
            if (eri_hangs_on(model, foot->sole, b)) pose[b] = er_pose_mul(by, model->body[b].pose);
    }
}

static er_result pose_by(act_mover *m, const act_hold *hold, er_pose *pose)
{
    const double at = hold->at;
    memset(m->x, 0, (size_t)m->width * sizeof *m->x);
    for (int i = 0; i < m->act.count; ++i) {
        const eri_act_track *t = &m->act.track[i];
        double part = eri_act_value(t, at) / fabs(t->most);
        for (int c = 0; c < m->search.model->coordinate_count && m->column[i] != NULL; ++c)
            m->x[c] += part * m->column[i][c];
    }
    eri_kinematics_open(m->kinematics, m->x, pose);
    if (m->chain[PART_TRUNK].is_there) {
        turn_chain(m, &m->chain[PART_TRUNK], turn_of(m, PART_TRUNK, at), pose);
        eri_kinematics_open(m->kinematics, m->x, pose);
    }
    if (m->chain[PART_HEAD].is_there) turn_chain(m, &m->chain[PART_HEAD], turn_of(m, PART_HEAD, at), pose);
    if (m->search.body->foot_count > 0 && eri_act_moves_body(&m->act)) follow_centre(m, hold, pose);
    er_result r = close_loops(m, pose);
    if (r == ER_OK) carry_soles(m, pose);
    return r;
}

static er_result pose_at(act_mover *m, double time, er_pose *pose)
{
    act_hold hold = hold_at(m, time);
    return pose_by(m, &hold, pose);
}

// --- reach

// Sets how far feet at rest stand above the points that eri_leg_reach() puts on the ground.
static void find_above(act_mover *m, er_pose *pose)
{
    for (int b = 0; b < m->search.model->body_count; ++b)
        pose[b] = m->search.model->body[b].pose;
    for (int f = 0; f < m->search.body->foot_count; ++f) {
        eri_target target = target_of(m, f, 0.0);
        er_vec3 off = eri_leg_position_error(&m->leg[f], m->search.model, m->search.body, &target, pose);
        m->above[f] = er_v3_dot(off, m->search.body->up);
    }
}

// Whether all feet that stand are where they are wanted at a time, and no knee is folded too far.
static er_result reaches(act_mover *m, double time, er_pose *pose, bool *out)
{
    act_hold hold = hold_at(m, time);
    er_result r = pose_by(m, &hold, pose);
    for (int f = 0; f < m->search.body->foot_count && r == ER_OK; ++f) {
        eri_target target = target_of(m, f, hold.lift);
        er_vec3 off = eri_leg_position_error(&m->leg[f], m->search.model, m->search.body, &target, pose);
        if (hold.lift == 0.0 && er_v3_norm(off) > OFF * m->search.body->foot[f].reach) *out = false;
        if (eri_leg_bend(&m->leg[f], pose) > FOLDED) *out = false;
    }
    return r;
}

// How far the centre of mass is below its height at rest, m, if the roots are at a height over feet that stand.
static er_result depth_at(act_mover *m, double at, double height, er_pose *pose, double *out)
{
    act_hold hold = {.at = at, .height = height};
    er_result r = pose_by(m, &hold, pose);
    er_vec3 down = er_v3_sub(m->centre, eri_act_centre(m->search.model, pose));
    *out = er_v3_dot(down, m->search.body->up);
    return r;
}

// Plans the flight. It leaves the ground, and meets it, with legs that are nearly straight.
static er_result plan(act_mover *m, er_pose *pose)
{
    enum { TURNS = 4 };
    const double straight = 0.05, part = 0.4; // of the leg, of the depth: so far the roots are below their rest
    const er_gait_body *body = m->search.body;
    eri_act_height *h = &m->height;
    eri_act_ends ends;
    er_result r = eri_act_find_ends(m->search.context, &m->act, &ends);
    if (r != ER_OK || !ends.flies) {
        *h = (eri_act_height){.seconds = m->seconds};
        return r;
    }
    double share = m->bends ? m->share : 0.0, least = HUGE_VAL, low;
    for (int i = ends.falls ? 1 : 0; i < 2 && r == ER_OK; ++i) {
        double height = share * m->metres * ends.height[i];
        least = fmin(least, -height);
        r = depth_at(m, ends.at[i], height, pose, &ends.depth[i]);
    }
    double bent = fmin(straight * body->leg, part * least);
    low = bent;
    for (int n = 0; n < TURNS && r == ER_OK; ++n) {
        double leave = 0.0, touch = 0.0;
        eri_act_plan(&ends, m->metres, m->seconds, body->gravity, low, h);
        if (!h->falls) r = depth_at(m, eri_act_fraction(h, h->leave), -bent, pose, &leave);
        if (r == ER_OK) r = depth_at(m, eri_act_fraction(h, h->touch), -bent, pose, &touch);
        low = h->falls ? touch : fmax(leave, touch);
    }
    if (r == ER_OK) eri_act_plan(&ends, m->metres, m->seconds, body->gravity, low, h);
    return r;
}

// Whether all keys of the body can be had with the present share.
static er_result try_share(act_mover *m, er_pose *pose, bool *out)
{
    enum { TIMES = 24 };
    er_result r = plan(m, pose);
    *out = true;
    for (int i = 0; i <= TIMES && r == ER_OK && *out; ++i)
        r = reaches(m, m->height.seconds * i / TIMES, pose, out);
    return r;
}

// The largest share of the body's keys that legs can follow.
static er_result find_share(act_mover *m, er_pose *pose)
{
    bool good;
    double low = 0.0, high = 1.0;
    m->share = 1.0;
    er_result r = try_share(m, pose, &good);
    if (r != ER_OK || good || m->search.body->foot_count == 0) return r;
    while (high - low > ENOUGH_SHARE && r == ER_OK) {
        m->share = 0.5 * (low + high);
        r = try_share(m, pose, &good);
        *(good ? &low : &high) = m->share;
    }
    m->share = low;
    return r == ER_OK ? plan(m, pose) : r;
}

// --- the result

static void measure(const act_mover *m, int frame, er_gait_motion *out, const er_pose *pose)
{
    for (int f = 0; f < out->foot_count; ++f) {
        const er_gait_foot *foot = &m->search.body->foot[f];
        out->sink = fmax(out->sink, -eri_sole_height(m->search.model, m->search.body, foot, pose));
        if (!out->stands[frame * out->foot_count + f]) continue;
        er_vec3 off = er_v3_sub(er_pose_point(pose[foot->body], foot->heel),
                                er_pose_point(m->search.model->body[foot->body].pose, foot->heel));
        off = er_v3_madd(off, -er_v3_dot(off, m->search.body->up), m->search.body->up);
        out->slide = fmax(out->slide, er_v3_norm(off));
    }
}

static er_result fill(act_mover *m, double fps)
{
    er_result r = ER_OK;
    double frames = fmax(ceil(m->height.seconds * fps - 1e-6), LEAST_FRAMES);
    int count = (int)frames + 1, feet = m->search.body->foot_count;
    size_t bodies = (size_t)m->search.model->body_count, width = (size_t)m->search.model->coordinate_count;
    double *time, *q;
    er_pose *pose;
    er_vec3 *travel;
    bool *stands;
    ERI_TRY_NEW(m->out, m->arena, er_gait_motion, 1);
    ERI_TRY_NEW(time, m->arena, double, count);
    ERI_TRY_NEW(q, m->arena, double, (size_t)count *width);
    ERI_TRY_NEW(pose, m->arena, er_pose, (size_t)count * bodies);
    ERI_TRY_NEW(travel, m->arena, er_vec3, count);
    ERI_TRY_NEW(stands, m->arena, bool, (size_t)count *(size_t)feet);
    *m->out = (er_gait_motion){.model = m->search.model,
                               .frame_count = count,
                               .time = time,
                               .q = q,
                               .pose = pose,
                               .travel = travel,
                               .foot_count = feet,
                               .stands = stands,
                               .arena = m->arena};
    for (int i = 0; i < count; ++i) {
        er_pose *now = pose + (size_t)i * bodies;
        time[i] = m->height.seconds * i / frames;
        ERI_TRY(pose_at(m, time[i], now));
        memcpy(q + (size_t)i * width, m->x, width * sizeof *q);
        for (size_t c = 0; c < width; ++c)
            m->out->correction = fmax(m->out->correction, m->of_leg[c] ? fabs(m->x[c]) : 0.0);
        for (int f = 0; f < feet; ++f)
            stands[i * feet + f] =
                !m->height.flies || time[i] >= m->height.touch || (!m->height.falls && time[i] <= m->height.leave);
        measure(m, i, m->out, now);
    }
    const double *first = q, *last = q + (size_t)(count - 1) * width;
    double apart = er_v3_distance(eri_act_centre(m->search.model, pose),
                                  eri_act_centre(m->search.model, pose + (size_t)(count - 1) * bodies));
    for (size_t c = 0; c < width; ++c)
        apart = fmax(apart, fabs(first[c] - last[c]));
    m->out->once = m->height.falls || apart > 1e-6 * fmax(1.0, m->search.model->size);
done:
    return r;
}

static er_result check(er_context *context, const er_model *model, const er_modes *modes, const er_preset *preset,
                       double fps)
{
    if (model == NULL || modes == NULL || preset == NULL || preset->name == NULL || !er_preset_is_timed(preset))
        return er_fail(context, ER_ERROR_ARGUMENT, "er_preset_move needs a model, its modes and a preset in time");
    if (!(preset->seconds > 0.0 && preset->seconds <= ERI_PRESET_MOST_SECONDS))
        return er_fail(context, ER_ERROR_ARGUMENT, "preset %s: %g seconds are not between 0 and %d", preset->name,
                       preset->seconds, (int)ERI_PRESET_MOST_SECONDS);
    if (!(fps > 0.0 && fps * preset->seconds <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second for %g s are none, or too many", fps,
                       preset->seconds);
    return ER_OK;
}

er_result er_preset_move(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                         const er_gait_def *def, const er_preset *preset, double fps, er_gait_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, modes, preset, fps);
    if (r != ER_OK) return r;
    act_mover m = {.search = {.context = context, .model = model, .modes = modes}, .share = 1.0};
    er_pose *pose;
    ERI_TRY(eri_arena_create(context, &m.arena));
    ERI_TRY(eri_arena_create(context, &m.scratch));
    ERI_TRY(eri_gesture_read(&m.search, rig, def, m.scratch));
    ERI_TRY(eri_act_parse(context, preset->moves, m.search.body->foot_count, &m.act));
    ERI_TRY(er_kinematics_create(context, model, &m.kinematics));
    m.width = er_kinematics_width(m.kinematics);
    m.centre = eri_root_centre(model);
    m.metres = 0.01 * m.search.body->height;
    m.seconds = preset->seconds * eri_preset_pace(m.search.body);
    ERI_TRY_NEW(m.x, m.scratch, double, m.width);
    ERI_TRY_NEW(m.before, m.scratch, double, m.width);
    ERI_TRY_NEW(pose, m.scratch, er_pose, model->body_count);
    ERI_TRY(make_legs(&m));
    ERI_TRY(make_chains(&m));
    ERI_TRY(make_columns(&m, preset->plant == NULL || strcmp(preset->plant, "none") != 0));
    if (m.search.body->foot_count == 0 && eri_act_find(&m.act, ERI_ACT_BODY, WAY_UP) != NULL)
        ERI_TRY(er_fail(context, ER_ERROR_RIG, "preset %s: the rig has no feet to stand on", preset->name));
    find_above(&m, pose);
    ERI_TRY(find_share(&m, pose));
    ERI_TRY(fill(&m, fps));
    *out = m.out;
    m.arena = NULL;
done:
    er_kinematics_destroy(m.search.kinematics);
    er_kinematics_destroy(m.kinematics);
    er_gait_body_destroy(m.search.body);
    eri_arena_destroy(m.scratch);
    eri_arena_destroy(m.arena);
    return r;
}
