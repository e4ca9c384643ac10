/// @file
/// Loads the velocities of solver bodies and articulations from a world's state, and integrates their positions.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "dynamics/contact/contact_solver.h"
#include "dynamics/free_rotation.h"

static const double energy_tol = 1e-9;                   // of an articulation's energy: a step may add so much
static const double blow_tol = 1e-2;                     // of a free body's: only a blow adds more in a step
static const double flight_tol = 1e-5;                   // of the rates of a flight: far more than it may err
static const double still_turn = 1e-6, slow_turn = 1e-3; // rad in a step: trees that turn less need less care

// ---- Creation

er_result eri_solver_state_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    double **vectors[] = {&s->state.V,
                          &s->state.dV,
                          &s->state.displacement,
                          &s->state.unconstrained,
                          &s->state.initial,
                          &s->restitution.displacement};
    for (size_t i = 0; i < ERI_COUNT(vectors); ++i)
        ERI_TRY_NEW(*vectors[i], w->arena, double, s->bodies.width);
    ERI_TRY_NEW(s->state.rate_change, w->arena, double, w->multibody->velocity_count);
    ERI_TRY_NEW(s->state.coordinate_change, w->arena, double, w->multibody->velocity_count);
    ERI_TRY_NEW(s->state.q, w->arena, double, w->position_count);
    ERI_TRY_NEW(s->state.u, w->arena, double, w->velocity_count);
    ERI_TRY_NEW(s->state.du, w->arena, double, w->velocity_count);
    ERI_TRY_NEW(s->state.course, w->arena, eri_course, s->bodies.articulation_count);
    s->state.substeps = w->def.contact.substeps;
done:
    return r;
}

// ---- Bodies without joints

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static er_mat3 rotated_inertia(er_mat3 axes, er_mat3 inertia)
{
    return er_m3_mul(er_m3_mul(axes, inertia), er_m3_transpose(axes));
}

// Writes a body's pose and twist from its coordinates and rates.
static void show_body(er_world *w, int body, const double *q, const double *u)
{
    const eri_limb *l = &w->multibody->limb[w->tree->link_of_body[body]];
    const er_pose rest = w->model->body[body].pose;
    er_quat turn = er_q_unit(er_q(q[l->q], q[l->q + 1], q[l->q + 2], q[l->q + 3]));
    er_pose pose = {er_q_mul(rest.q, turn), er_v3_add(rest.p, er_m3_mul_v(l->near_axes, get(q + l->q + 4)))};
    er_quat back = er_q_conj(turn);
    w->pose[body] = pose;
    w->twist[body] = (er_twist){er_q_rotate(back, get(u + l->u)), er_q_rotate(back, get(u + l->u + 3))};
}

// Work that workers share.
typedef struct show_job {
    er_world *w;
    const double *q, *u;
    bool all;
} show_job;

static void show_some(void *job, int worker, int count)
{
    const show_job *x = job;
    const eri_contacts *s = x->w->contacts;
    int end = eri_team_share(s->bodies.count, worker + 1, count);
    for (int i = eri_team_share(s->bodies.count, worker, count); i < end; ++i) {
        if (i < s->bodies.static_count || (!x->all && eri_slot_is_asleep(&s->sleep, i))) continue;
        show_body(x->w, s->bodies.model_body[i], x->q, x->u);
    }
}

void eri_contacts_show(er_world *w, double time, const double *q, const double *u, bool all)
{
    eri_minimal_focus(w, true);
    eri_minimal_bodies(w, time, q, u, w->pose, w->twist);
    eri_minimal_focus(w, false);
    eri_team_run(w->contacts->workers.team, show_some, &(show_job){w, q, u, all});
}

static void update_inverse_inertia(eri_solver_body *b, er_mat3 axes, const er_body *body)
{
    if (b->is_round) {
        b->inverse_inertia[0] = b->inverse_inertia[1] = b->inverse_inertia[2] = 1.0 / body->inertia.m[0][0];
        return;
    }
    er_mat3 J = er_m3_inverse(rotated_inertia(axes, body->inertia));
    const double entry[6] = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]};
    memcpy(b->inverse_inertia, entry, sizeof entry);
}

static er_vec3 multiply_inverse_inertia(const eri_solver_body *b, er_vec3 a)
{
    const double *J = b->inverse_inertia;
    return er_v3(J[0] * a.x + J[3] * a.y + J[4] * a.z, J[3] * a.x + J[1] * a.y + J[5] * a.z,
                 J[4] * a.x + J[5] * a.y + J[2] * a.z);
}

// A held body or a body without joints: its place and velocity, and its acceleration by forces.
static void load_body(er_world *w, int i)
{
    eri_contacts *s = w->contacts;
    eri_solver_body *b = &s->bodies.body[i];
    int index = s->bodies.model_body[i];
    const er_body *body = &w->model->body[index];
    const er_pose *pose = &w->pose[index];
    double *V = s->state.V + ERI_LANE_COUNT * i, *dV = s->state.dV + ERI_LANE_COUNT * i;
    er_vec3 arm = er_q_rotate(pose->q, body->com), spin = er_q_rotate(pose->q, w->twist[index].angular);
    b->com = er_v3_add(pose->p, arm);
    put(spin, V);
    put(er_v3_add(er_q_rotate(pose->q, w->twist[index].linear), er_v3_cross(spin, arm)), V + 3);
    if (i < s->bodies.static_count) return;
    update_inverse_inertia(b, er_m3_from_q(pose->q), body);
    V[6] = b->inverse_mass, V[7] = b->inverse_inertia[0];
    er_vec3 fall = w->def.gravity, turn = er_v3(0, 0, 0);
    if (w->forces->any) {
        fall = er_v3_madd(fall, b->inverse_mass, w->wrench[index].force);
        turn = multiply_inverse_inertia(b, w->wrench[index].torque);
    }
    put(turn, dV);
    put(fall, dV + 3);
}

// Writes the coordinates and rates of a body without joints.   @param velocity  of its centre of mass
static void write_body(const er_world *w, int index, er_pose at, er_vec3 spin, er_vec3 velocity, double *q, double *u)
{
    const eri_limb *l = &w->multibody->limb[w->tree->link_of_body[index]];
    const er_body *body = &w->model->body[index];
    er_vec3 arm = er_q_rotate(at.q, body->com);
    er_mat3 back = er_m3_transpose(l->near_axes);
    er_quat E = er_q_mul(er_q_conj(body->pose.q), at.q);
    q[l->q] = E.w, q[l->q + 1] = E.x, q[l->q + 2] = E.y, q[l->q + 3] = E.z;
    put(er_m3_mul_v(back, er_v3_sub(at.p, body->pose.p)), q + l->q + 4);
    put(er_m3_mul_v(back, spin), u + l->u);
    put(er_m3_mul_v(back, er_v3_sub(velocity, er_v3_cross(spin, arm))), u + l->u + 3);
}

// The spin of a body that turned from one orientation to another. It keeps its angular momentum. Where it would gain
// energy by that, as a thin body about its own axis, it keeps its spin in its own axes instead.
// @param tolerance  of its energy: it may gain so much
static er_vec3 turned_spin(const er_body *body, er_quat from, er_quat to, er_vec3 spin, double tolerance)
{
    er_vec3 momentum = er_m3_mul_v(rotated_inertia(er_m3_from_q(from), body->inertia), spin);
    er_mat3 there = rotated_inertia(er_m3_from_q(to), body->inertia);
    er_vec3 kept = er_m3_mul_v(er_m3_inverse(there), momentum);
    if (er_v3_dot(kept, momentum) <= (1.0 + tolerance) * er_v3_dot(spin, momentum)) return kept;
    return er_q_rotate(er_q_mul(to, er_q_conj(from)), spin);
}

// Moves a body by its displacement. Its rotation conserves the angular momentum and the energy.
static void integrate_body(er_world *w, int i, double *q, double *u)
{
    eri_contacts *s = w->contacts;
    const eri_solver_body *b = &s->bodies.body[i];
    int index = s->bodies.model_body[i];
    const er_body *body = &w->model->body[index];
    const double *V = s->state.V + ERI_LANE_COUNT * i, *displacement = s->state.displacement + ERI_LANE_COUNT * i;
    const eri_rolling_motion *rolling = eri_rolling_motion_of(&s->rolling, i);
    const er_quat from = w->pose[index].q;
    er_quat at = from;
    if (rolling != NULL) {
        write_body(w, index, rolling->pose, rolling->spin, rolling->velocity, q, u);
        return;
    }
    er_vec3 turn = get(displacement), spin = get(V);
    if (b->is_round) {
        at = er_q_unit(er_q_mul(er_q_exp(turn), at));
    } else {
        er_mat3 here = rotated_inertia(er_m3_from_q(from), body->inertia);
        at = eri_rotate_free(from, body->inertia, er_m3_mul_v(here, turn));
        spin = turned_spin(body, from, at, spin, blow_tol);
    }
    er_vec3 arm = er_q_rotate(at, body->com), origin = er_v3_sub(er_v3_add(b->com, get(displacement + 3)), arm);
    write_body(w, index, (er_pose){at, origin}, spin, get(V + 3), q, u);
}

void eri_solver_place_body(const er_world *w, int i, er_pose pose, double *q, double *u)
{
    int index = w->contacts->bodies.model_body[i];
    const eri_limb *l = &w->multibody->limb[w->tree->link_of_body[index]];
    const er_body *body = &w->model->body[index];
    er_vec3 spin = er_m3_mul_v(l->near_axes, get(u + l->u)), arm = er_q_rotate(w->pose[index].q, body->com);
    er_vec3 velocity = er_v3_add(er_m3_mul_v(l->near_axes, get(u + l->u + 3)), er_v3_cross(spin, arm));
    write_body(w, index, pose, turned_spin(body, w->pose[index].q, pose.q, spin, energy_tol), velocity, q, u);
}

double eri_solver_body_heat(const er_world *w, double h)
{
    const eri_contacts *s = w->contacts;
    double heat = 0.0;
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        const er_body *body = &w->model->body[s->bodies.model_body[i]];
        const double *V = s->state.V + ERI_LANE_COUNT * i, *V0 = s->state.initial + ERI_LANE_COUNT * i,
                     *dV = s->state.dV + ERI_LANE_COUNT * i;
        const eri_rolling_motion *rolling = eri_rolling_motion_of(&s->rolling, i);
        double change[6], mean[6];
        heat += rolling != NULL ? rolling->heat : 0.0;
        if (rolling != NULL) continue;
        for (int k = 0; k < 6; ++k)
            change[k] = V[k] - V0[k] - h * dV[k], mean[k] = 0.5 * (V[k] + V0[k]);
        er_quat q = w->pose[s->bodies.model_body[i]].q;
        er_vec3 impulse = s->bodies.body[i].is_round
                              ? er_v3_scale(body->inertia.m[0][0], get(change))
                              : er_m3_mul_v(rotated_inertia(er_m3_from_q(q), body->inertia), get(change));
        heat -= er_v3_dot(impulse, get(mean)) + body->mass * er_v3_dot(get(change + 3), get(mean + 3));
    }
    return heat;
}

// ---- Articulations

static bool is_asleep(const eri_contacts *s, const eri_articulation *g)
{
    return eri_slot_is_asleep(&s->sleep, g->offset / ERI_LANE_COUNT);
}

// The factor of rates that restores the energy of a flight, which is nearly 1.
static double flight_share(double share)
{
    return fmin(fmax(share, 1.0 - flight_tol), 1.0 + flight_tol);
}

// Shifts a floating tree as one body to where its centre of mass goes, and turns it so that its angular momentum is
// conserved. Steps of bodies around a joint lose a little of both. A tree that flies keeps its energy too.
static void conserve_momentum(const er_world *w, const eri_articulation *g, const eri_spin *before,
                              const eri_spin *after, double *q, double *u)
{
    const eri_spin now = *after;
    const eri_limb *root = &w->multibody->limb[g->first_limb];
    er_mat3 slack = er_m3_inverse(now.inertia);
    er_vec3 turn = er_m3_mul_v(slack, er_v3_sub(before->momentum, now.momentum));
    er_vec3 slide = er_v3_cross(turn, er_v3_sub(eri_minimal_origin(w, g->first_limb), now.centre));
    if (g->flies) slide = er_v3_add(slide, er_v3_sub(before->velocity, now.velocity));
    er_mat3 back = er_m3_transpose(root->near_axes);
    double *at = u + root->u, *shift = q + root->q + 4;
    put(er_v3_add(get(at), er_m3_mul_v(back, turn)), at);
    put(er_v3_add(get(at + 3), er_m3_mul_v(back, slide)), at + 3);
    put(er_v3_add(get(shift), er_m3_mul_v(back, er_v3_sub(before->centre, now.centre))), shift);
    er_vec3 spin = er_m3_mul_v(slack, before->momentum);
    double rigid = 0.5 * er_v3_dot(spin, before->momentum);
    double energy =
        now.energy + er_v3_dot(turn, now.momentum) + 0.5 * er_v3_dot(turn, er_v3_sub(before->momentum, now.momentum));
    if (!g->flies && energy <= before->energy + energy_tol * fabs(before->energy)) return;
    if (g->flies && !(energy - rigid > flight_tol * energy)) return; // it turns as one body
    // the motion of the limbs about the centre of mass has no momentum: it takes the difference, then the turn
    double share = rigid < before->energy ? sqrt((before->energy - rigid) / (energy - rigid)) : 0.0;
    if (g->flies) share = flight_share(share);
    if (rigid > before->energy) spin = er_v3_scale(sqrt(fmax(before->energy, 0.0) / rigid), spin);
    er_vec3 velocity = g->flies ? before->velocity : now.velocity;
    er_vec3 arm = er_v3_sub(eri_minimal_origin(w, g->first_limb), now.centre);
    er_vec3 along = er_m3_mul_v(back, er_v3_add(velocity, er_v3_cross(spin, arm)));
    for (int i = 0; i < g->velocity_count; ++i)
        u[g->first_velocity + i] *= share;
    put(er_v3_madd(get(at), 1.0 - share, er_m3_mul_v(back, spin)), at);
    put(er_v3_madd(get(at + 3), 1.0 - share, along), at + 3);
}

static double kinetic(const eri_spin *all)
{
    return all->energy + 0.5 * all->mass * er_v3_dot(all->velocity, all->velocity);
}

// The energy of the part of the old velocity that is across the new one; at most that of the part along it.
static double energy_lost_in_turning(const eri_spin *before, const eri_spin *now)
{
    double all = er_v3_dot(before->velocity, before->velocity);
    double ahead = er_v3_dot(before->velocity, er_v3_unit(now->velocity, er_v3(0, 0, 0)));
    return 0.5 * now->mass * fmin(fmax(all - ahead * ahead, 0.0), ahead * ahead);
}

// Keeps the energy of an attached articulation from growing by more than the work of gravity. It would grow where the
// same momentum turns a smaller moment of inertia, and because gravity worked along straight paths. A swing moves with
// the velocities at the step's end, so its fall is corrected to the mean of both ends, and the energy that its centre
// of mass lost in turning is restored.
static void limit_energy(const er_world *w, const eri_articulation *g, double h, const eri_spin *before,
                         const eri_spin *now, double *u)
{
    bool swings = eri_articulation_swings(g);
    if (swings && g->is_conserving && g->is_slow)
        return; // its energy oscillates, and a bound would take from it each time
    er_vec3 aside = er_v3_sub(now->centre, before->centre);
    if (swings) aside = er_v3_madd(aside, 0.5 * h, er_v3_sub(before->velocity, now->velocity));
    double had = kinetic(before) + now->mass * er_v3_dot(w->def.gravity, aside), has = kinetic(now);
    double most = has + (swings ? energy_lost_in_turning(before, now) : 0.0);
    double share = has > 0.0 ? sqrt(fmin(fmax(had, 0.0), most) / has) : 1.0;
    for (int i = 0; i < g->velocity_count; ++i)
        u[g->first_velocity + i] *= share;
}

// Gives an attached tree that flew the energy that it had and that of its fall.
// @param start  of the step
static void keep_energy(const er_world *w, const eri_articulation *g, const eri_spin *start, const eri_spin *now,
                        double *u)
{
    er_vec3 way = er_v3_sub(now->centre, start->centre);
    double had = kinetic(start) + now->mass * er_v3_dot(w->def.gravity, way), has = kinetic(now);
    double share = has > 0.0 ? flight_share(sqrt(fmax(had, 0.0) / has)) : 1.0;
    for (int i = 0; i < g->velocity_count; ++i)
        u[g->first_velocity + i] *= share;
}

static bool moves(const er_world *w, int ground)
{
    const eri_motion_at m = eri_ground_motion(w, ground);
    return er_v3_dot(m.linear, m.linear) + er_v3_dot(m.angular, m.angular) > 0.0;
}

// Whether a held body that moves carries an articulation.
static bool is_led(const er_world *w, const eri_articulation *g)
{
    const eri_multibody *t = w->multibody;
    for (int i = g->first_limb; i < g->last_limb; ++i)
        if (t->tree.link[i].parent < 0 && moves(w, t->tree.link[i].above)) return true;
    for (int k = 0; k < t->loop_count; ++k) {
        const eri_end *a = &t->loop[k].parent, *b = &t->loop[k].child;
        bool is_own = (a->limb >= g->first_limb && a->limb < g->last_limb) ||
                      (b->limb >= g->first_limb && b->limb < g->last_limb);
        if (is_own && ((a->limb < 0 && moves(w, a->ground)) || (b->limb < 0 && moves(w, b->ground)))) return true;
    }
    return false;
}

// Whether forces other than weight act on an articulation.
static bool is_forced(const er_world *w, const eri_articulation *g)
{
    for (int i = g->first_limb; i < g->last_limb && w->forces->any; ++i) {
        const er_wrench *f = &w->wrench[w->tree->link[i].body];
        if (er_v3_dot(f->force, f->force) + er_v3_dot(f->torque, f->torque) > 0.0) return true;
    }
    return false;
}

// Whether some limb of an articulation turns so far in a step that its momenta matter: a thin limb gains spin about
// its own axis by its moment across over that along, times the turn.
// @param least  rad, for a limb of equal moments
// @param twist  [6 limb_count], of the step
static bool turns(const er_world *w, const eri_articulation *g, double least, const double *twist)
{
    for (int i = g->first_limb; i < g->last_limb; ++i) {
        const double *J = w->multibody->limb[i].inertia, *turn = twist + 6 * (size_t)i, trace = J[0] + J[1] + J[2];
        double det = J[0] * (J[1] * J[2] - J[5] * J[5]) - J[3] * (J[3] * J[2] - J[5] * J[4]) +
                     J[4] * (J[3] * J[5] - J[1] * J[4]);
        double angle = er_v3_norm(er_v3(turn[0], turn[1], turn[2]));
        if (!(angle * trace * trace * trace < 27.0 * least * det)) return true;
    }
    return false;
}

static uint64_t hash_tree(const er_world *w, const eri_articulation *g, const double *q, const double *u)
{
    int first = w->multibody->limb[g->first_limb].q;
    int last = g->last_limb < w->tree->link_count ? w->multibody->limb[g->last_limb].q : w->multibody->position_count;
    uint64_t hash = eri_hash_text((const char *)(q + first), (size_t)(last - first) * sizeof *q);
    return hash ^ eri_hash_text((const char *)(u + g->first_velocity), (size_t)g->velocity_count * sizeof *u);
}

// Takes what an articulation kept on the way to (q, u) in place of what rounding left of it.
// @param drift  how far its centre of mass moves in the step
// @param spin   what its momenta would be after the step; its centre is written
// @param course  written: that after the step
static void follow_course(const er_world *w, const eri_articulation *g, const eri_spin *start, er_vec3 drift,
                          const double *q, const double *u, eri_spin *spin, eri_course *course)
{
    er_vec3 centre = start->centre, rest = er_v3(0, 0, 0);
    if (g->flies && g->is_floating && course->state == hash_tree(w, g, q, u)) {
        spin->momentum = er_v3_add(course->momentum, er_v3_sub(spin->momentum, start->momentum));
        spin->velocity = er_v3_add(course->velocity, er_v3_sub(spin->velocity, start->velocity));
        spin->energy = course->energy + (spin->energy - start->energy);
        centre = course->centre, rest = course->rest;
    }
    er_vec3 way = er_v3_add(drift, rest);
    spin->centre = er_v3_add(centre, way);
    *course = (eri_course){.momentum = spin->momentum,
                           .velocity = spin->velocity,
                           .centre = spin->centre,
                           .rest = er_v3_sub(way, er_v3_sub(spin->centre, centre)),
                           .energy = spin->energy};
}

// The articulations as single bodies, by momenta and energies of their limbs.
static void lump(const er_world *w, bool with_inertia, const er_wrench *momentum, const double *energy, eri_spin *spin)
{
    const eri_contacts *s = w->contacts;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        spin[i] = eri_minimal_spin(w, g->first_limb, g->last_limb, with_inertia && g->is_floating, momentum, energy);
    }
}

// Moves flying trees by their equations, the others by the step's change.
static er_result move_articulations(er_world *w, double h, const double *twist, er_wrench *momentum, double *q)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        eri_articulation *g = &s->bodies.articulation[i];
        g->is_conserving = false;
        g->flies &= turns(w, g, still_turn, twist) || is_led(w, g);
        g->is_searched =
            !g->is_looped && !g->flies && !is_asleep(s, g) && !is_led(w, g) && turns(w, g, slow_turn, twist);
    }
    ERI_TRY(eri_tree_motion_conserve(w, h, q, s->state.coordinate_change, momentum));
    ERI_TRY(eri_tree_flights_advance(w, h, q, s->state.u));
    eri_multibody_move(w->multibody, 0, w->multibody->jointed_count, s->state.coordinate_change, q);
    eri_tree_flights_land(s, q, NULL);
done:
    return r;
}

static er_result integrate_articulations(er_world *w, double time, double *q, double *u)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double h = time - eri_ode_time(w->solver), *energy, *none, *rate;
    er_wrench *momentum;
    eri_spin *start, *spin, *now;
    ERI_TRY_RESERVE(momentum, s->narrow.now.arena, er_wrench, w->multibody->jointed_count);
    ERI_TRY_RESERVE(energy, s->narrow.now.arena, double, w->multibody->jointed_count);
    ERI_TRY_RESERVE(rate, s->narrow.now.arena, double, w->multibody->velocity_count);
    ERI_TRY_NEW(start, s->narrow.now.arena, eri_spin, s->bodies.articulation_count);
    ERI_TRY_NEW(spin, s->narrow.now.arena, eri_spin, s->bodies.articulation_count);
    ERI_TRY_NEW(now, s->narrow.now.arena, eri_spin, s->bodies.articulation_count);
    if (s->flights != NULL) {
        ERI_TRY_NEW(none, s->narrow.now.arena, double, w->multibody->velocity_count);
        eri_minimal_momenta(w, none, momentum, energy);
        lump(w, false, momentum, energy, start);
    }
    eri_minimal_momenta(w, s->state.rate_change, momentum, energy);
    lump(w, false, momentum, energy, spin);
    const double *twist = eri_minimal_twists(w, s->state.coordinate_change);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        er_vec3 drift = eri_minimal_drift(w, g->first_limb, g->last_limb, twist);
        follow_course(w, g, s->flights != NULL ? &start[i] : &spin[i], drift, q, u, &spin[i], &s->state.course[i]);
    }
    ERI_TRY(move_articulations(w, h, twist, momentum, q));
    for (int i = 0; i < w->multibody->velocity_count; ++i)
        rate[i] = s->state.u[i] + s->state.rate_change[i];
    ERI_TRY(eri_minimal_keep(w, time, q, momentum, rate, u));
    eri_tree_flights_land(s, NULL, u);
    eri_minimal_momenta(w, u, momentum, energy);
    lump(w, true, momentum, energy, now);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        if (g->flies && is_forced(w, g)) continue; // that changes its momentum and energy on the way
        bool is_driven = g->flies ? g->is_driven : is_led(w, g);
        if (!g->is_floating && is_driven) continue; // a held body that moves gives energy to what it carries
        if (g->is_floating) {
            conserve_momentum(w, g, &spin[i], &now[i], q, u);
            if (g->flies) s->state.course[i].state = hash_tree(w, g, q, u);
        } else if (g->flies)
            keep_energy(w, g, &start[i], &now[i], u);
        else
            limit_energy(w, g, h, &spin[i], &now[i], u);
    }
done:
    return r;
}

// ---- Whole states

static void clear_velocities(eri_contacts *s, int at, int count)
{
    memset(s->state.V + at, 0, (size_t)count * sizeof(double));
    memset(s->state.dV + at, 0, (size_t)count * sizeof(double));
}

void eri_solver_update_motion(er_world *w)
{
    for (int i = w->multibody->jointed_count; i < w->tree->link_count && w->forces->any; ++i) {
        int b = w->tree->link[i].body;
        w->motion[b] = eri_body_motion_of(&w->model->body[b], &w->pose[b], &w->twist[b]);
    }
}

// Copies the twists of limbs to their slots.
static void load_limbs(const eri_contacts *s, const double *twist, double *V)
{
    for (int i = 0; i < (s->bodies.width - s->bodies.limbs_offset) / ERI_LANE_COUNT; ++i)
        memcpy(V + s->bodies.limbs_offset + ERI_LANE_COUNT * i, twist + 6 * (size_t)i, 6 * sizeof(double));
}

// Work that workers share.
typedef struct body_job {
    er_world *w;
    double *q, *u;
} body_job;

static void load_some(void *job, int worker, int count)
{
    er_world *w = ((const body_job *)job)->w;
    eri_contacts *s = w->contacts;
    int end = eri_team_share(s->bodies.count, worker + 1, count);
    for (int i = eri_team_share(s->bodies.count, worker, count); i < end; ++i)
        if (eri_slot_is_asleep(&s->sleep, i))
            clear_velocities(s, ERI_LANE_COUNT * i, ERI_LANE_COUNT);
        else if (i > 0)
            load_body(w, i);
}

static void integrate_some(void *job, int worker, int count)
{
    const body_job *all = job;
    const eri_contacts *s = all->w->contacts;
    int end = eri_team_share(s->bodies.count, worker + 1, count);
    for (int i = eri_team_share(s->bodies.count, worker, count); i < end; ++i)
        if (i >= s->bodies.static_count && !eri_slot_is_asleep(&s->sleep, i)) integrate_body(all->w, i, all->q, all->u);
}

void eri_solver_load_velocities(er_world *w, const double *du)
{
    eri_contacts *s = w->contacts;
    eri_team_run(s->workers.team, load_some, &(body_job){w, NULL, NULL});
    if (s->bodies.articulation_count == 0) return;
    load_limbs(s, eri_minimal_own_twists(w), s->state.V);
    const double *rate = eri_minimal_twists(w, du);
    load_limbs(s, rate, s->state.dV);
    s->state.swing_speed = eri_minimal_swing(w, rate);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        if (is_asleep(s, g)) clear_velocities(s, g->offset, ERI_LANE_COUNT * (g->last_limb - g->first_limb));
    }
}

bool eri_contact_strikes(const eri_contact_point *c, double least, double h, const er_vec3 spin[2],
                         const er_vec3 velocity[2], er_vec3 arm[2])
{
    if (c->distance <= 0.0) return false;
    er_vec3 way = er_v3_sub(velocity[1], velocity[0]);
    er_vec3 speed = er_v3_sub(er_v3_cross(spin[1], arm[1]), er_v3_cross(spin[0], arm[0]));
    double closing = -er_v3_dot(c->normal, er_v3_add(way, speed));
    if (closing <= least || c->distance >= closing * h) return false;
    arm[0] = er_v3_madd(arm[0], 0.5 * c->distance / closing, way);
    arm[1] = er_v3_madd(arm[1], -0.5 * c->distance / closing, way);
    return true;
}

bool eri_solver_strikes(const eri_contacts *s, const eri_contact_point *c, const int offset[2], er_vec3 arm[2])
{
    er_vec3 spin[2], velocity[2];
    for (int side = 0; side < 2; ++side) {
        if (offset[side] < ERI_LANE_COUNT * s->bodies.static_count) return false;
        spin[side] = get(s->state.V + offset[side]);
        velocity[side] = get(s->state.V + offset[side] + 3);
    }
    return eri_contact_strikes(c, s->state.impact_speed, s->state.step, spin, velocity, arm);
}

er_result eri_solver_integrate_positions(er_world *w, double time, double *q, double *u)
{
    eri_contacts *s = w->contacts;
    er_result r = s->bodies.articulation_count > 0 ? integrate_articulations(w, time, q, u) : ER_OK;
    if (r == ER_OK) eri_team_run(s->workers.team, integrate_some, &(body_job){w, q, u});
    return r;
}

void eri_solver_restore_sleeping(const er_world *w, double *q, double *u)
{
    const eri_contacts *s = w->contacts;
    const double *was = eri_ode_positions(w->solver);
    for (int i = 0; i < s->bodies.articulation_count; ++i) {
        const eri_articulation *g = &s->bodies.articulation[i];
        if (!is_asleep(s, g)) continue;
        int begin = w->multibody->limb[g->first_limb].q;
        int end =
            g->last_limb < w->tree->link_count ? w->multibody->limb[g->last_limb].q : w->multibody->position_count;
        memcpy(q + begin, was + begin, (size_t)(end - begin) * sizeof *q);
        memset(u + g->first_velocity, 0, (size_t)g->velocity_count * sizeof *u);
    }
}
