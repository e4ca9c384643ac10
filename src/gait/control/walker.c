// A walker in a world: its start, and a step of control.
#include "gait/control/walker.h"

#include <string.h>

#include "gait/control/walker_algebra.h"

#define WAITS 0.06        // legs: a larger error of the divergent component moves the path
#define RETURNS 0.06      // sqrt(g L): the path's speed back to its line
#define MOST_PULL 0.6     // g, of the centre of mass along the ground
#define MOST_LIFT 2.0     // g, upwards
#define TOO_FAR 0.12      // legs: an error that a stand does not bear, so it steps
#define HIGH 4.0          // rad / tau: height of the centre of mass,
#define SINKS 1.0         // tau, from the height at which it was placed to that of the plan
#define TRUNK 3.0         // orientation of the trunk,
#define POSTURE 6.0       // joints,
#define LEGS 0.6          // of that, those of legs
#define MOST_TRUNK 4.0    // g / L
#define MOST_POSTURE 60.0 // g / L
#define GATHERS 0.1       // g: a change of the wish
#define TURNS 0.5         // rad / tau^2, likewise
#define SETTLES 1.0       // strides on the spot before it stands
#define BLENDS 0.3        // 1 / tau, between the gait's posture and that of the stand
#define WILD 30.0         // rad / tau: joints that turn faster are only braked
#define FALL_LEAN (0.25 * ER_PI)
#define FALL_LOAD 0.1 // of the weight
#define FALL_HEIGHT 0.4
#define FALL_SECONDS 0.1

// ---- Start

void eri_walk_turn_axes(er_walker *w)
{
    w->turned = er_q_exp(er_v3_scale(w->memory->heading, w->up));
    w->ahead = er_q_rotate(w->turned, w->forward);
    w->aside = er_q_rotate(w->turned, w->left);
}

static er_vec3 mass_velocity(const er_walker *w, const er_pose *pose, const er_twist *twist)
{
    er_vec3 sum = er_v3(0, 0, 0);
    for (int i = 0; i < w->body_count; ++i) {
        int b = w->order[i];
        er_vec3 v = er_v3_add(twist[b].linear, er_v3_cross(twist[b].angular, w->body[b].com));
        sum = er_v3_madd(sum, w->body[b].mass / w->mass, er_q_rotate(pose[b].q, v));
    }
    return sum;
}

// How far poses must rise until no sole is below the ground.
static double rise_of(const er_walker *w, const er_pose *pose)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < w->leg_count; ++i)
        for (int k = 0; k < w->leg[i].point_count; ++k) {
            er_vec3 normal, at = er_pose_point(pose[w->leg[i].point_body[k]], w->leg[i].point[k]);
            most = fmax(most, eri_walk_ground(w, at, &normal) - er_v3_dot(at, w->up));
        }
    return most;
}

// The gait's pose and velocity at a phase, as though it had come so far; or the equilibrium's.
static void pose_at(const er_walker *w, double phase, int b, er_pose *pose, er_twist *twist)
{
    *twist = (er_twist){{0, 0, 0}, {0, 0, 0}};
    *pose = w->stand[b];
    if (phase < 0.0 || (b != w->root && w->body[b].all == 0.0)) return;
    double by = 0.5 / w->frame_count;
    er_pose before = eri_walk_pose_at(w, phase - by, b), after = eri_walk_pose_at(w, phase + by, b);
    *pose = eri_walk_pose_at(w, phase, b);
    double rate = 1.0 / (2.0 * by * w->stride);
    er_vec3 velocity = er_v3_madd(er_v3_scale(rate, er_v3_sub(after.p, before.p)), w->speed, w->forward);
    twist->angular = er_v3_scale(rate, er_q_log(er_q_mul(er_q_conj(before.q), after.q)));
    twist->linear = er_q_rotate(er_q_conj(pose->q), velocity);
}

static void begin(er_walker *w, double heading, double phase)
{
    memset(w->memory, 0, w->memory_size);
    w->memory->heading = heading;
    w->memory->walks = phase >= 0.0;
    w->memory->style = w->memory->walks ? 1.0 : 0.0;
    w->memory->phase = fmax(phase, 0.0);
    if (w->memory->walks) w->memory->now.ahead = w->memory->wish.ahead = w->speed;
    w->memory->state.touches = -1;
    eri_walk_make_plan(w, w->memory->now.ahead, 0.0);
}

er_vec3 eri_walk_left_at(const er_walker *w, const eri_walk_leg *leg, double since, er_vec3 heel)
{
    double x = eri_walk_swung((since - leg->duty) / (1.0 - leg->duty)), place[2];
    if (x > 0.9) return heel;
    eri_walk_neutral(w, leg, 0.0, place);
    double now = er_v3_dot(er_v3_sub(heel, w->memory->path), w->ahead);
    double to = place[0] + w->memory->now.ahead * (1.0 - since) * w->stride +
                er_v3_dot(er_q_rotate(w->turned, leg->ankle), w->ahead);
    er_vec3 normal, from = er_v3_madd(heel, (now - x * to) / (1.0 - x) - now, w->ahead);
    return er_v3_madd(from, eri_walk_ground(w, from, &normal) + leg->rest - er_v3_dot(from, w->up), w->up);
}

static void begin_steps(er_walker *w, const er_pose *pose)
{
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        er_vec3 heel = er_pose_point(pose[leg->body], leg->heel);
        double since = eri_fraction(w->memory->phase - leg->touchdown);
        bool stands = !w->memory->walks || since < leg->duty;
        w->memory_step[i] = (eri_walk_step){.stands = stands,
                                            .touched = stands,
                                            .load = stands ? 1.0 : 0.0,
                                            .left = stands ? heel : eri_walk_left_at(w, leg, since, heel)};
    }
}

double er_walker_calm_phase(const er_walker *w)
{
    double best = -1.0, calm = 0.0;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        double phase = (double)k / ERI_WALK_PHASES, least = 1.0;
        for (int i = 0; i < w->leg_count; ++i) {
            double since = eri_fraction(phase - w->leg[i].touchdown), duty = w->leg[i].duty;
            double part = since < duty ? since / duty : (since - duty) / (1.0 - duty);
            least = fmin(least, fmin(part, 1.0 - part));
        }
        if (least > best + 1e-9) best = least, calm = phase;
    }
    return calm;
}

void er_walker_place(er_walker *w, er_vec3 at, double heading, double phase, er_pose *pose, er_twist *twist)
{
    begin(w, heading, phase);
    eri_walk_turn_axes(w);
    for (int b = 0; b < w->model->body_count; ++b)
        pose_at(w, phase, b, &pose[b], &twist[b]);
    eri_walk_plan plan = eri_walk_plan_at(w);
    er_vec3 centre = eri_walk_mass_centre(w, pose);
    er_vec3 flat = er_v3_madd(at, -er_v3_dot(at, w->up), w->up);
    w->centre = at;
    eri_walk_feel_slope(w, at, true);
    er_quat turn = er_q_mul(eri_walk_pitch(w), w->turned);
    for (int b = 0; b < w->model->body_count; ++b)
        pose[b] = er_pose_mul((er_pose){turn, er_v3_sub(at, er_q_rotate(turn, centre))}, pose[b]);
    double rise = rise_of(w, pose);
    for (int b = 0; b < w->model->body_count; ++b)
        pose[b].p = er_v3_madd(pose[b].p, rise, w->up);
    er_vec3 normal;
    w->memory->above = er_v3_dot(at, w->up) + rise - eri_walk_ground(w, at, &normal) - w->height - plan.rise;
    w->memory->path = er_v3_madd(er_v3_madd(flat, -plan.centre[0], w->ahead), -plan.centre[1], w->aside);
    w->memory->line = w->memory->path;
    if (w->memory->walks) {
        er_vec3 by = er_v3_scale(-1.0, mass_velocity(w, pose, twist));
        by = er_v3_madd(by, (plan.divergent[0] - plan.centre[0]) / plan.lead, w->ahead);
        by = er_v3_madd(by, (plan.divergent[1] - plan.centre[1]) / plan.lead, w->aside);
        by = er_v3_madd(by, plan.climb, w->up);
        for (int b = 0; b < w->model->body_count; ++b)
            twist[b].linear = er_v3_add(twist[b].linear, er_q_rotate(er_q_conj(pose[b].q), by));
    }
    begin_steps(w, pose);
}

// ---- Wishes

er_result er_walker_go(er_walker *w, er_walker_wish wish)
{
    double most = 3.0 * w->speed, turn = 1.0 / w->tau;
    bool fine = fabs(wish.ahead) <= most && fabs(wish.aside) <= most && fabs(wish.turn) <= turn;
    if (!fine)
        return er_fail(w->context, ER_ERROR_ARGUMENT,
                       "a wish of %g and %g m/s and %g rad/s is not within %g m/s and %g rad/s", wish.ahead, wish.aside,
                       wish.turn, most, turn);
    w->memory->wish = wish;
    return ER_OK;
}

static double towards(double now, double wish, double most)
{
    return now + eri_clamp(wish - now, -most, most);
}

// The phase at which a stand turns into steps: where the plan on the spot is nearest to a stand.
static double first_phase(const er_walker *w)
{
    double best = HUGE_VAL, phase = 0.0;
    for (int k = 0; k < ERI_WALK_PHASES; ++k) {
        int standing = 0;
        for (int i = 0; i < w->leg_count; ++i)
            standing += eri_fraction((double)k / ERI_WALK_PHASES - w->leg[i].touchdown) < w->leg[i].duty;
        const eri_walk_plan *plan = &w->plan[k];
        double off = fabs(plan->divergent[0] - plan->centre[0]) + fabs(plan->divergent[1] - plan->centre[1]) +
                     fabs(plan->divergent[1]) + w->leg_length * (w->leg_count - standing) / w->leg_count;
        if (off < best) best = off, phase = (double)k / ERI_WALK_PHASES;
    }
    return phase;
}

static void follow_wish(er_walker *w)
{
    eri_walk_memory *m = w->memory;
    double by = GATHERS * w->g * w->step;
    bool still = m->wish.ahead == 0.0 && m->wish.aside == 0.0 && m->wish.turn == 0.0;
    double off = fmax(fabs(w->error[0] - w->shift[0]), fabs(w->error[1] - w->shift[1])); // from the feet
    if (!m->walks && (!still || off > TOO_FAR * w->leg_length)) {
        m->walks = true;
        m->calm = 0.0;
        eri_walk_make_plan(w, 0.0, 0.0);
        m->phase = first_phase(w);
    }
    if (m->walks) {
        m->now.ahead = towards(m->now.ahead, m->wish.ahead, by);
        m->now.aside = towards(m->now.aside, m->wish.aside, by);
        m->now.turn = towards(m->now.turn, m->wish.turn, TURNS * w->step / (w->tau * w->tau));
        if (m->now.ahead != w->planned[0] || m->now.aside != w->planned[1])
            eri_walk_make_plan(w, m->now.ahead, m->now.aside);
    }
    bool stopped = still && m->now.ahead == 0.0 && m->now.aside == 0.0 && m->now.turn == 0.0;
    m->calm = stopped && m->walks ? m->calm + w->step : 0.0;
    if (m->calm > SETTLES * w->stride) {
        bool all = true;
        for (int i = 0; i < w->leg_count; ++i)
            all &= w->memory_step[i].stands;
        if (all || m->calm > 2.0 * SETTLES * w->stride) m->walks = false;
    }
    m->style = towards(m->style, m->walks ? 1.0 : 0.0, BLENDS * w->step / w->tau);
    m->state.stands = !m->walks;
}

// ---- Tasks

static void find_error(er_walker *w)
{
    eri_walk_plan plan = eri_walk_plan_at(w);
    er_vec3 along[2] = {w->ahead, w->aside}, off = er_v3_sub(w->centre, w->memory->path);
    for (int c = 0; c < 2; ++c)
        w->error[c] = er_v3_dot(er_v3_madd(off, plan.lead, w->velocity), along[c]) - plan.divergent[c];
}

// The path waits for the body, and goes back to its line beside it.
static void wait_for_body(er_walker *w)
{
    eri_walk_memory *m = w->memory;
    double most = WAITS * w->leg_length, back = RETURNS * sqrt(w->g * w->leg_length) * w->step;
    er_vec3 along[2] = {w->ahead, w->aside};
    for (int c = 0; c < 2; ++c) {
        double by = w->error[c] - eri_clamp(w->error[c], -most, most);
        if (c == 1) by += eri_clamp(er_v3_dot(er_v3_sub(m->line, m->path), w->aside) - by, -back, back);
        m->path = er_v3_madd(m->path, by, along[c]);
        w->error[c] -= by;
        w->shift[c] -= by;
    }
}

// No higher than standing legs reach.
static double height_within_reach(const er_walker *w, double height, double now)
{
    for (int i = 0; i < w->leg_count; ++i) {
        const eri_walk_leg *leg = &w->leg[i];
        if (!w->memory_step[i].stands) continue;
        er_vec3 down = er_v3_sub(w->body[leg->chain[0]].hinge, leg->heel_at);
        double up = er_v3_dot(down, w->up), along = er_v3_dot(down, down) - up * up;
        double room = sqrt(fmax(0.0, ERI_WALK_REACH * ERI_WALK_REACH * leg->reach * leg->reach - along));
        height = fmin(height, fmax(now + room - up, 0.8 * w->gait_height));
    }
    return height;
}

static void want_centre(er_walker *w)
{
    eri_walk_plan plan = eri_walk_plan_at(w);
    er_vec3 along[2] = {w->ahead, w->aside}, off = er_v3_sub(w->centre, w->memory->path);
    for (int c = 0; c < 2; ++c) {
        double pressure = plan.pressure[c] + w->shift[c] + 2.0 * (w->error[c] - w->shift[c]);
        double pull = plan.pull * (er_v3_dot(off, along[c]) - pressure);
        w->wanted[c] = eri_clamp(pull, -MOST_PULL * w->g, MOST_PULL * w->g);
    }
    double rate = HIGH / w->tau, now = er_v3_dot(w->centre, w->up) - eri_walk_below(w);
    w->memory->above *= exp(-w->step / (SINKS * w->tau));
    double height = height_within_reach(w, w->height + plan.rise + w->memory->above, now);
    double climb = er_v3_dot(w->velocity, w->up) - eri_walk_climb(w, w->velocity) - plan.climb;
    w->wanted[2] =
        eri_clamp(plan.lift + rate * rate * (height - now) - 2.0 * rate * climb, -0.9 * w->g, MOST_LIFT * w->g);
}

static void want_trunk(er_walker *w)
{
    const eri_walk_body *b = &w->body[w->trunk];
    eri_walk_pose gait = eri_walk_whole_at(w, w->memory->phase, w->trunk);
    er_quat still = w->model->body[w->trunk].pose.q;
    er_quat wanted = er_q_mul(er_q_mul(eri_walk_pitch(w), w->turned), er_q_slerp(still, gait.turn, w->memory->style));
    er_vec3 spin = er_q_rotate(w->turned, er_v3_scale(w->memory->style / w->stride, gait.rate));
    spin = er_v3_madd(spin, w->memory->now.turn, w->up);
    er_vec3 off = er_q_log(er_q_mul(wanted, er_q_conj(b->pose.q)));
    double rate = TRUNK / w->tau;
    er_vec3 turn = er_v3_madd(er_v3_scale(rate * rate, off), 2.0 * rate, er_v3_sub(spin, b->spin));
    turn = eri_at_most(turn, MOST_TRUNK * w->g / w->leg_length);
    w->wanted[3] = er_v3_dot(turn, w->ahead);
    w->wanted[4] = er_v3_dot(turn, w->aside);
    w->wanted[5] = er_v3_dot(turn, w->up);
}

// Joints turn as in the gait.
static void want_posture(er_walker *w)
{
    for (int i = 0; i < w->body_count; ++i) {
        eri_walk_body *b = &w->body[w->order[i]];
        b->posture = er_v3(0, 0, 0);
        if (b->parent < 0 || b->turns == 0) continue;
        const eri_walk_body *p = &w->body[b->parent];
        double rate = POSTURE / w->tau * (b->leg >= 0 ? LEGS : 1.0);
        eri_walk_pose gait = eri_walk_joint_at(w, w->memory->phase, w->order[i]);
        if (w->memory->style < 1.0) {
            er_quat still = er_q_mul(er_q_conj(w->stand[b->parent].q), w->stand[w->order[i]].q);
            gait.turn = er_q_slerp(still, gait.turn, w->memory->style);
            gait.rate = er_v3_scale(w->memory->style, gait.rate);
        }
        er_quat own = er_q_mul(er_q_conj(p->pose.q), b->pose.q);
        er_vec3 spin = er_q_rotate(er_q_conj(p->pose.q), er_v3_sub(b->spin, p->spin));
        er_vec3 off = er_q_log(er_q_mul(gait.turn, er_q_conj(own)));
        er_vec3 turn = er_v3_madd(er_v3_scale(rate * rate, off), 2.0 * rate,
                                  er_v3_sub(er_v3_scale(1.0 / w->stride, gait.rate), spin));
        turn = eri_at_most(turn, MOST_POSTURE * w->g / w->leg_length);
        b->posture = eri_walk_free_part(b, er_q_rotate(p->pose.q, turn));
    }
}

// ---- The step

// Sets a joint's motors: they damp about the spin to come, and the torque is a shift of their target.
static er_result drive(er_walker *w, er_world *world, const eri_walk_body *b)
{
    er_result r = ER_OK;
    double most = w->def.torque * w->mass * w->g * w->leg_length, norm = 0.0;
    er_vec3 torque = eri_walk_free_part(b, b->torque), spin = er_v3_sub(b->spin, w->body[b->parent].spin);
    norm = er_v3_norm(torque);
    w->memory->state.torque = fmax(w->memory->state.torque, norm / (w->mass * w->g * w->leg_length));
    w->memory->state.capped |= norm > most;
    bool wild = er_v3_norm(spin) > WILD / w->tau;
    if (wild) torque = er_v3(0, 0, 0);
    if (!(norm <= most)) torque = isfinite(norm) ? er_v3_scale(most / norm, torque) : er_v3(0, 0, 0);
    w->memory->state.work += fmax(0.0, er_v3_dot(torque, spin)) * w->step;
    for (int c = 0; c < b->turns && r == ER_OK; ++c) {
        double rate = wild ? 0.0 : er_v3_dot(b->axis[c], er_v3_madd(spin, w->step, b->turning));
        double force = er_v3_dot(b->axis[c], torque);
        r = er_world_drive(world, w->coordinate[b->joint] + b->coordinate[c], 0.0,
                           eri_clamp(rate + force / b->damping, -1e40, 1e40));
    }
    return r;
}

// A walker that has fallen is a doll: its joints resist, no more.
static er_result go_limp(er_walker *w, er_world *world)
{
    er_result r = ER_OK;
    for (int k = 0; k < w->motor_count && r == ER_OK; ++k)
        r = er_world_drive(world, w->motor[k].coordinate, 0.0, 0.0);
    return r;
}

static double lean_of(const er_walker *w)
{
    er_vec3 own = er_q_rotate(er_q_conj(w->model->body[w->trunk].pose.q), w->up);
    return acos(eri_clamp(er_v3_dot(er_q_rotate(w->body[w->trunk].pose.q, own), w->up), -1.0, 1.0));
}

static void judge(er_walker *w, double others, int most)
{
    eri_walk_memory *m = w->memory;
    if (m->state.fallen != ER_WALKER_UPRIGHT) return;
    double fade = exp(-w->step / FALL_SECONDS), weight = w->mass * w->g;
    double height = er_v3_dot(w->centre, w->up) - eri_walk_below(w);
    m->borne = fade * m->borne + (1.0 - fade) * others;
    m->state.fallen = m->borne > FALL_LOAD * weight               ? ER_WALKER_TOUCHES
                      : !(lean_of(w) <= FALL_LEAN)                ? ER_WALKER_LEANS
                      : !(height >= FALL_HEIGHT * w->gait_height) ? ER_WALKER_SINKS
                                                                  : ER_WALKER_UPRIGHT;
    m->state.touches = m->state.fallen == ER_WALKER_TOUCHES ? most : -1;
}

static void go_on(er_walker *w)
{
    eri_walk_memory *m = w->memory;
    er_vec3 way =
        er_v3_add(er_v3_scale(m->now.ahead * w->step, w->ahead), er_v3_scale(m->now.aside * w->step, w->aside));
    if (m->walks) {
        m->phase = eri_fraction(m->phase + w->step / w->stride);
        m->path = er_v3_add(m->path, way);
        m->heading += m->now.turn * w->step;
    }
    double along = er_v3_dot(er_v3_sub(m->path, m->line), w->ahead); // the line keeps up, and stays aside
    m->line = er_v3_madd(m->line, along, w->ahead);
    if (m->walks) m->line = er_v3_madd(m->line, m->now.aside * w->step, w->aside);
}

static void note_state(er_walker *w)
{
    eri_walk_memory *m = w->memory;
    m->state.phase = m->phase;
    m->state.heading = m->heading;
    m->state.centre = w->centre;
    m->state.velocity = w->velocity;
    m->state.slip = m->slid_load > 0.0 ? m->slid / m->slid_load : 0.0;
}

er_result er_walker_control(er_walker *w, er_world *world)
{
    double root[6];
    int most;
    er_result r = ER_OK;
    eri_walk_turn_axes(w);
    eri_walk_take_state(w, world);
    if (er_world_contact_count(world) > 0 || er_world_time(world) > 0.0) {
        double others = eri_walk_take_loads(w, world, &most);
        eri_walk_schedule(w);
        judge(w, others, most);
    } else {
        eri_walk_schedule(w);
    }
    if (w->memory->state.fallen != ER_WALKER_UPRIGHT) {
        note_state(w);
        return go_limp(w, world);
    }
    eri_walk_feel_slope(w, w->centre, false);
    find_error(w);
    wait_for_body(w);
    follow_wish(w);
    want_centre(w);
    want_trunk(w);
    want_posture(w);
    eri_walk_aim(w);
    eri_walk_weigh(w);
    eri_walk_push(w, root);
    eri_walk_accelerate(w, root);
    eri_walk_find_torques(w);
    for (int i = 1; i < w->body_count && r == ER_OK; ++i)
        r = drive(w, world, &w->body[w->order[i]]);
    note_state(w);
    go_on(w);
    return r;
}

er_walker_state er_walker_measure(const er_walker *walker)
{
    return walker->memory->state;
}

double er_walker_load(const er_walker *walker, int foot)
{
    return walker->memory_step[foot].load;
}

size_t er_walker_state_size(const er_walker *walker)
{
    return walker->memory_size;
}

void er_walker_save(const er_walker *walker, void *bytes)
{
    memcpy(bytes, walker->memory, walker->memory_size);
}

void er_walker_restore(er_walker *walker, const void *bytes)
{
    memcpy(walker->memory, bytes, walker->memory_size);
    eri_walk_make_plan(walker, walker->memory->now.ahead, walker->memory->now.aside);
}
