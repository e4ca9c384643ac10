// A loose part: a model of its own whose carrier is the world, its modes, and the forces that its motion needs.
#include "motion/loose_part.h"

#include <string.h>

#include "base/arena.h"
#include "math/dense/dense.h"
#include "model/joint/joint.h"
#include "model/kinematics/kinematics.h"
#include "motion/modal_response.h"
#include "motion/secants.h"

enum { MOST_TRIES = 120, MOST_CYCLES = 100, STALE = 20, MOST_BALANCES = 40, LEAST_HARMONICS = 8 };

#define SAME 1e-9     // relative difference of the forces asked for from those tried: they ask for themselves
#define BALANCED 1e-5 // relative difference of the displacements of a cycle from those that its forces ask for
#define HIGHEST 30.0  // Hz, of the harmonics of a cycle: what clips of 60 frames a second can show
#define DIVERGES 1e4  // a square of that difference beyond the least so far
#define REPEATS 1e-9  // relative difference of the end of a cycle from its beginning
#define ROUGH 1e-4    // the difference of forces in the first cycle of many,
#define SHARE 0.01    // in later ones, over the difference of the cycle's end before,
#define FINEST 1e-11  // and at least

struct eri_loose_part {
    er_arena *arena, *scratch;
    const er_follow_def *def;
    const er_model *whole;
    int *body;       // [bodies of the part], of the whole; parents first
    er_model *model; // of these, in this order; what hangs on the carrier hangs on the world
    er_kinematics *kinematics;
    er_modes *modes;
    er_pose *frame; // [bodies], of the joint in the body
    er_pose *back;  // [bodies], its inverse
    int width, mode_count;
    double *column; // [mode_count x width], displacements of joints at q = 1
    double *w;      // [mode_count], rad/s
    double *zeta;   // [mode_count]
    double *end;    // [mode_count x 2], q and q' at the last instant

    // of one motion
    int count;
    eri_moving *motion;       // [count x body_count of the whole], the caller's
    eri_moving *rest;         // [count x bodies], the joint's frame in the tree parent, where springs rest
    double *carried;          // [width], tau_0
    double heavy;             // the largest norm of modal forces by weight alone, a measure of what is small
    double *q, *rate, *accel; // [mode_count x count]
    double *y, *y_rate, *y_accel, *force; // [width], at an instant, as all below
    er_pose *turn;                        // [bodies], the joint's displacement from rest
    er_wrench *needed;                    // [bodies], body axes, about its origin, with all that hangs on it
};

// ---- The part as a model

static er_result check_body(er_context *context, const er_model *m, int b)
{
    const er_joint *j = &m->joint[m->tree_joint[b]];
    if (j->child != b)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "the loose body \"%s\" is the parent of its joint \"%s\"; exchange parent and child",
                       m->body[b].name, j->name);
    for (int k = 0; k < m->joint_count; ++k)
        if (m->joint[k].closes_loop && (m->joint[k].parent == b || m->joint[k].child == b))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "the joint \"%s\" closes a loop at the loose body \"%s\"; a loose part must be open",
                           m->joint[k].name, m->body[b].name);
    return ER_OK;
}

// The bodies, parents first, and the place of each; -1 for others.
static er_result list_bodies(eri_loose_part *p, int root, const bool *loose, int *place, int *count)
{
    er_result r = ER_OK;
    const er_model *m = p->whole;
    *count = 0;
    for (int i = 0; i < m->body_count && r == ER_OK; ++i) {
        int b = m->order[i], parent = m->tree_parent[b];
        bool ours = b == root || (loose[b] && parent >= 0 && place[parent] >= 0);
        place[b] = ours ? *count : -1;
        if (!ours) continue;
        r = check_body(eri_arena_context(p->arena), m, b);
        p->body[(*count)++] = b;
    }
    return r;
}

static er_result make_model(eri_loose_part *p, const int *place, int count)
{
    er_result r = ER_OK;
    const er_model *m = p->whole;
    er_model_def def = er_default_model_def();
    er_body *body;
    er_joint *joint;
    ERI_TRY_NEW(body, p->scratch, er_body, count);
    ERI_TRY_NEW(joint, p->scratch, er_joint, count);
    for (int i = 0; i < count; ++i) {
        body[i] = m->body[p->body[i]];
        joint[i] = m->joint[m->tree_joint[p->body[i]]];
        joint[i].parent = i > 0 ? place[joint[i].parent] : -1;
        joint[i].child = i;
    }
    def.name = body[0].name;
    def.body_count = def.joint_count = count;
    def.body = body;
    def.joint = joint;
    def.damping_ratio = m->damping_ratio;
    def.rayleigh_mass = m->rayleigh_mass;
    def.rayleigh_stiffness = m->rayleigh_stiffness;
    r = er_model_create(eri_arena_context(p->arena), &def, &p->model);
done:
    return r;
}

// ---- Its modes

// The damping ratio at which each swing is `bounce` of the one before, to the other side.
static double bouncing(double bounce)
{
    double l = log(bounce);
    return bounce > 0.0 ? -l / sqrt(ER_PI * ER_PI + l * l) : 1.0;
}

static er_result take_modes(eri_loose_part *p)
{
    er_result r = ER_OK;
    const er_modes *modes = p->modes;
    const er_follow_swing *own;
    double scale, hz;
    if (modes->rigid_count + modes->mechanism_count > 0) {
        r = er_fail(eri_arena_context(p->arena), ER_ERROR_ARGUMENT,
                    "the loose part \"%s\" has %d motions that no spring resists; give its joints stiffness",
                    p->model->name, modes->rigid_count + modes->mechanism_count);
        goto done;
    }
    p->mode_count = modes->count;
    own = p->def->own != NULL && p->def->own[p->body[0]].hz > 0.0 ? &p->def->own[p->body[0]] : NULL;
    hz = own != NULL ? own->hz : p->def->hz;
    scale = hz > 0.0 ? hz / modes->mode[0].frequency_hz : 1.0;
    ERI_TRY_NEW(p->column, p->arena, double, (size_t)p->mode_count *(size_t)p->width);
    ERI_TRY_NEW(p->w, p->arena, double, p->mode_count);
    ERI_TRY_NEW(p->zeta, p->arena, double, p->mode_count);
    ERI_TRY_NEW(p->end, p->arena, double, 2 * (size_t)p->mode_count);
    for (int k = 0; k < p->mode_count; ++k) {
        const er_mode *mode = &modes->mode[k];
        er_kinematics_mode(p->kinematics, mode, p->column + (size_t)k * (size_t)p->width);
        p->w[k] = scale * 2.0 * ER_PI * mode->frequency_hz;
        p->zeta[k] = own != NULL ? own->zeta : p->def->bounce >= 0.0 ? bouncing(p->def->bounce) : mode->damping_ratio;
    }
done:
    return r;
}

static er_result make_instant(eri_loose_part *p)
{
    er_result r = ER_OK;
    double **row[] = {&p->y, &p->y_rate, &p->y_accel, &p->force, &p->carried};
    const er_model *m = p->model;
    for (size_t i = 0; i < ERI_COUNT(row); ++i)
        ERI_TRY_NEW(*row[i], p->arena, double, p->width);
    ERI_TRY_NEW(p->frame, p->arena, er_pose, m->body_count);
    ERI_TRY_NEW(p->back, p->arena, er_pose, m->body_count);
    ERI_TRY_NEW(p->turn, p->arena, er_pose, m->body_count);
    ERI_TRY_NEW(p->needed, p->arena, er_wrench, m->body_count);
    for (int i = 0; i < m->body_count; ++i) {
        p->frame[i] = er_pose_mul(er_pose_inverse(m->body[i].pose), m->joint[i].frame);
        p->back[i] = er_pose_inverse(p->frame[i]);
    }
done:
    return r;
}

er_result eri_loose_part_create(er_arena *arena, const er_model *model, int root, const bool *loose,
                                const er_follow_def *def, eri_loose_part **out)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(arena);
    int *place, count;
    eri_loose_part *p;
    ERI_TRY_NEW(p, arena, eri_loose_part, 1);
    *out = p;
    *p = (eri_loose_part){.arena = arena, .def = def, .whole = model};
    ERI_TRY(eri_arena_create(context, &p->scratch));
    ERI_TRY_NEW(p->body, arena, int, model->body_count);
    ERI_TRY_NEW(place, p->scratch, int, model->body_count);
    ERI_TRY(list_bodies(p, root, loose, place, &count));
    ERI_TRY(make_model(p, place, count));
    ERI_TRY(er_kinematics_create(context, p->model, &p->kinematics));
    p->width = er_kinematics_width(p->kinematics);
    ERI_TRY(er_modal_solve(context, p->model, NULL, &p->modes));
    ERI_TRY(take_modes(p));
    ERI_TRY(make_instant(p));
done:
    return r;
}

const er_modes *eri_loose_part_modes(const eri_loose_part *part, int *count, const int **body, double *w, double *zeta)
{
    *count = part->model->body_count;
    *body = part->body;
    *w = part->w[0];
    *zeta = part->zeta[0];
    return part->modes;
}

// M eta = K eta / w^2 with the springs as they were, so D = sum of 2 zeta w (M eta) (M eta)'.
void eri_loose_part_law(const eri_loose_part *p, double *stiffness, double *damping, double *carried)
{
    const er_model *m = p->model;
    double first = 2.0 * ER_PI * p->modes->mode[0].frequency_hz, scale = p->w[0] / first;
    size_t width = (size_t)p->width;
    memset(damping, 0, width * width * sizeof *damping);
    memcpy(carried, p->carried, width * sizeof *carried);
    for (int k = 0; k < p->mode_count; ++k) {
        const double *eta = p->column + (size_t)k * width;
        double own = p->w[k] / scale, factor = 2.0 * p->zeta[k] * p->w[k] / (own * own * own * own);
        for (int i = 0; i < m->joint_count; ++i)
            for (int c = m->coordinate[i]; c < m->coordinate[i + 1]; ++c)
                p->force[c] = m->joint[i].stiffness[c - m->coordinate[i]] * eta[c];
        for (size_t a = 0; a < width; ++a)
            eri_linalg_axpy(p->width, factor * p->force[a], p->force, damping + a * width);
    }
    for (int i = 0; i < m->joint_count; ++i)
        for (int c = m->coordinate[i]; c < m->coordinate[i + 1]; ++c)
            stiffness[c] = scale * scale * m->joint[i].stiffness[c - m->coordinate[i]];
}

void eri_loose_part_destroy(eri_loose_part *part)
{
    if (part == NULL) return;
    er_modes_destroy(part->modes);
    er_kinematics_destroy(part->kinematics);
    er_model_destroy(part->model);
    eri_arena_destroy(part->scratch);
}

// ---- Forces at an instant

static eri_moving *moving_of(const eri_loose_part *p, int instant, int body)
{
    return &p->motion[(size_t)instant * (size_t)p->whole->body_count + (size_t)body];
}

// Moves the bodies at an instant: where the springs rest, then displaced by y.
static void place_bodies(const eri_loose_part *p, int instant)
{
    const eri_moving *rest = p->rest + (size_t)instant * (size_t)p->model->body_count;
    for (int i = 0; i < p->model->body_count; ++i) {
        const er_joint *j = &p->model->joint[i];
        const double *y = p->y + p->model->coordinate[i], *rate = p->y_rate + p->model->coordinate[i],
                     *accel = p->y_accel + p->model->coordinate[i];
        eri_moving back = eri_moving_still(p->back[i]), turn = eri_moving_joint(j->type, j->pitch, y, rate, accel);
        eri_moving at = eri_moving_after(moving_of(p, instant, p->whole->tree_parent[p->body[i]]), &rest[i]);
        at = eri_moving_after(&at, &turn);
        at = eri_moving_after(&at, &back);
        at.pose.q = er_q_unit(at.pose.q);
        p->turn[i] = turn.pose;
        *moving_of(p, instant, p->body[i]) = at;
    }
}

// The same of poses alone.
static void place_poses(const eri_loose_part *p, int instant)
{
    const eri_moving *rest = p->rest + (size_t)instant * (size_t)p->model->body_count;
    for (int i = 0; i < p->model->body_count; ++i) {
        const er_joint *j = &p->model->joint[i];
        er_pose turn = eri_joint_displacement(j->type, j->pitch, p->y + p->model->coordinate[i]);
        er_pose at = er_pose_mul(moving_of(p, instant, p->whole->tree_parent[p->body[i]])->pose, rest[i].pose);
        at = er_pose_mul(er_pose_mul(at, turn), p->back[i]);
        at.q = er_q_unit(at.q);
        moving_of(p, instant, p->body[i])->pose = at;
    }
}

// Newton and Euler: m (a - g) and I w' + w x I w, body axes, about the body's origin.
static er_wrench needed_by(const er_body *body, const eri_moving *at, er_vec3 gravity, bool at_rest)
{
    er_vec3 force = er_v3_scale(-1.0, er_q_rotate(er_q_conj(at->pose.q), gravity)), torque = {0, 0, 0};
    if (!at_rest) {
        er_vec3 w = at->twist.angular, turn = at->rate.angular;
        er_vec3 a = er_v3_add(at->rate.linear, er_v3_cross(w, at->twist.linear)); // of the origin
        a = er_v3_add(a, er_v3_cross(turn, body->com));
        a = er_v3_add(a, er_v3_cross(w, er_v3_cross(w, body->com)));
        force = er_v3_add(force, a);
        torque = er_v3_add(er_m3_mul_v(body->inertia, turn), er_v3_cross(w, er_m3_mul_v(body->inertia, w)));
    }
    force = er_v3_scale(body->mass, force);
    return (er_wrench){er_v3_add(torque, er_v3_cross(body->com, force)), force};
}

// The wrench of a body's origin about another origin, where the body stands at `at`.
static er_wrench carried(er_pose at, er_wrench w)
{
    er_vec3 force = er_q_rotate(at.q, w.force);
    return (er_wrench){er_v3_add(er_q_rotate(at.q, w.torque), er_v3_cross(at.p, force)), force};
}

// J' tau: the forces along the displacements' coordinates that joints must exert, summed from the tips.
static void find_force(eri_loose_part *p, int instant, bool at_rest)
{
    const er_model *m = p->model;
    const eri_moving *rest = p->rest + (size_t)instant * (size_t)m->body_count;
    for (int i = 0; i < m->body_count; ++i)
        p->needed[i] = needed_by(&m->body[i], moving_of(p, instant, p->body[i]), p->def->gravity, at_rest);
    for (int i = m->body_count - 1; i >= 0; --i) {
        const er_joint *j = &m->joint[i];
        int first = m->coordinate[i];
        er_wrench at_child = carried(p->back[i], p->needed[i]);
        const er_pose turned = {p->turn[i].q, {0, 0, 0}};
        er_wrench w = carried(turned, at_child); // in the axes of the parent's side
        er_twist axis[6];
        eri_moving_joint_axes(j->type, j->pitch, p->y + first, axis);
        for (int c = 0; c < m->coordinate[i + 1] - first; ++c)
            p->force[first + c] = er_v3_dot(axis[c].angular, w.torque) + er_v3_dot(axis[c].linear, w.force);
        if (j->parent < 0) continue;
        er_wrench on = carried(er_pose_mul(rest[i].pose, p->turn[i]), at_child);
        er_wrench *sum = &p->needed[j->parent];
        sum->torque = er_v3_add(sum->torque, on.torque);
        sum->force = er_v3_add(sum->force, on.force);
    }
}

// Where springs rest at each instant: the joint's frame in the tree parent.
static void find_rest(const eri_loose_part *p)
{
    const er_model *whole = p->whole;
    eri_moving *to = p->rest;
    for (int k = 0; k < p->count; ++k)
        for (int i = 0; i < p->model->body_count; ++i) {
            int b = p->body[i], parent = whole->tree_parent[b];
            er_pose at = er_pose_mul(er_pose_inverse(whole->body[parent].pose), whole->body[b].pose);
            eri_moving in = eri_moving_still(p->frame[i]), rest = eri_moving_still(at);
            if (!p->def->rest_pose) rest = eri_moving_between(moving_of(p, k, parent), moving_of(p, k, b));
            *to++ = eri_moving_after(&rest, &in);
        }
}

// ---- Modes together

static double *row_of(double *matrix, int mode, int count)
{
    return matrix + (size_t)mode * (size_t)count;
}

// sum of q_k eta_k at an instant.
static void blend(const eri_loose_part *p, double *matrix, int instant, double *out)
{
    for (int c = 0; c < p->width; ++c)
        out[c] = 0.0;
    for (int k = 0; k < p->mode_count; ++k)
        eri_linalg_axpy(p->width, row_of(matrix, k, p->count)[instant], p->column + (size_t)k * (size_t)p->width, out);
}

static void take_instant(const eri_loose_part *p, int instant)
{
    blend(p, p->q, instant, p->y);
    blend(p, p->rate, instant, p->y_rate);
    blend(p, p->accel, instant, p->y_accel);
}

// The modal forces f that the motion at an instant asks for, of bodies that are placed.
static er_result read_modal_force(eri_loose_part *p, int instant, double *f)
{
    double all = 0.0;
    find_force(p, instant, false);
    for (int c = 0; c < p->width; ++c)
        p->force[c] -= p->carried[c];
    for (int k = 0; k < p->mode_count; ++k) {
        f[k] = row_of(p->accel, k, p->count)[instant] -
               eri_linalg_dot(p->width, p->column + (size_t)k * (size_t)p->width, p->force);
        all += fabs(f[k]);
    }
    if (isfinite(all)) return ER_OK;
    return er_fail(eri_arena_context(p->arena), ER_ERROR_ARGUMENT, "the motion of the loose part \"%s\" is not finite",
                   p->model->name);
}

static er_result find_modal_force(eri_loose_part *p, int instant, double *f)
{
    take_instant(p, instant);
    place_bodies(p, instant);
    return read_modal_force(p, instant, f);
}

// The norm of modal forces.
static double modal_norm(const eri_loose_part *p, const double *force)
{
    double sum = 0.0;
    for (int k = 0; k < p->mode_count; ++k) {
        double f = eri_linalg_dot(p->width, p->column + (size_t)k * (size_t)p->width, force);
        sum += f * f;
    }
    return sqrt(sum);
}

// tau_0: the weight in the joints that springs carry. Places the bodies where springs rest, where the motion may have
// them already.
static void find_carried(eri_loose_part *p, bool repeats)
{
    int instants = repeats ? p->count - 1 : 1;
    p->heavy = 0.0;
    for (int i = 0; i < p->model->body_count; ++i)
        p->turn[i] = er_pose_identity();
    for (int i = 0; i < p->count; ++i) {
        if (p->def->rest_pose) place_bodies(p, i);
        if (i >= instants) continue;
        find_force(p, i, true);
        eri_linalg_axpy(p->width, (1.0 - p->def->weight) / instants, p->force, p->carried);
        p->heavy = fmax(p->heavy, modal_norm(p, p->force));
    }
}

// The largest displacement of a joint.
// @param other  other modal coordinates, or NULL   @param apart  written then: the largest difference from theirs
static double measure_swing(const eri_loose_part *p, double *other, double *apart)
{
    double most = 0.0;
    for (int i = 0; i < p->count; ++i) {
        blend(p, p->q, i, p->y);
        most = fmax(most, eri_kinematics_widest(p->kinematics, p->y, NULL));
        if (other == NULL) continue;
        blend(p, other, i, p->y_rate);
        *apart = fmax(*apart, eri_kinematics_widest(p->kinematics, p->y, p->y_rate));
    }
    return most;
}

// Work space for one motion.
typedef struct following {
    bool repeats;
    const eri_loose_part *before;
    eri_oscillator *o;          // [mode_count]
    double *drive;              // [mode_count x count], the forces of the linear answer
    int harmonics;              // of a cycle
    double base, *wave;         // rad/s of the first; [2 harmonics + 1 x count - 1]
    double *cycle, *asks;       // [mode_count x 2 harmonics + 1], of q: tried, and what they ask for
    double *felt;               // [mode_count x count], forces at instants
    double *f, *asked;          // [mode_count], at an instant: tried, and what they ask for
    double *free_q, *free_rate; // [mode_count], to where a step goes if f is 0 at its end
    double *stepped[2];         // [mode_count], how much further q and q' go for each unit of f at a step's end,
    double *settled[2];         // in equilibrium,
    double *given[2];           // and in a state that is given
    double *from, *to;          // [2 x mode_count], a cycle's beginning and end: q and q' / w
    double same;                // relative difference of forces at which a step is solved
    eri_secants forces, cycles;
} following;

static er_result begin_run(eri_loose_part *p, double step, following *s)
{
    er_result r = ER_OK;
    size_t modes = (size_t)p->mode_count;
    double **row[] = {&s->f,          &s->asked,      &s->free_q,     &s->free_rate, &s->stepped[0],
                      &s->stepped[1], &s->settled[0], &s->settled[1], &s->given[0],  &s->given[1]};
    for (size_t i = 0; i < ERI_COUNT(row); ++i)
        ERI_TRY_NEW(*row[i], p->arena, double, modes);
    ERI_TRY_NEW(s->from, p->arena, double, 2 * modes);
    ERI_TRY_NEW(s->to, p->arena, double, 2 * modes);
    ERI_TRY_NEW(s->o, p->arena, eri_oscillator, modes);
    ERI_TRY_NEW(s->drive, p->arena, double, modes *(size_t)p->count);
    ERI_TRY(eri_secants_create(p->arena, p->mode_count, &s->forces));
    ERI_TRY(eri_secants_create(p->arena, 2 * p->mode_count, &s->cycles));
    for (size_t k = 0; k < modes; ++k) {
        double to[2];
        s->o[k] = eri_oscillator_of(p->w[k], p->zeta[k], step);
        eri_oscillator_step(&s->o[k], (double[2]){0.0, 1.0}, (double[2]){0.0, 0.0}, to);
        s->stepped[0][k] = to[0];
        s->stepped[1][k] = to[1];
        s->settled[0][k] = 1.0 / (p->w[k] * p->w[k]);
    }
done:
    return r;
}

// ---- The linear answer

static er_result solve_linear(eri_loose_part *p, following *s)
{
    for (int i = 0; i < p->count; ++i) {
        er_result r = read_modal_force(p, i, s->asked);
        if (r != ER_OK) return r;
        for (int k = 0; k < p->mode_count; ++k)
            row_of(s->drive, k, p->count)[i] = s->asked[k];
    }
    for (int k = 0; k < p->mode_count; ++k) {
        const double *force = row_of(s->drive, k, p->count);
        double state[2] = {0.0, 0.0};
        if (p->def->start == ER_FOLLOW_AFTER)
            memcpy(state, s->before->end + (ptrdiff_t)2 * k, sizeof state);
        else if (p->def->start == ER_FOLLOW_SETTLED && s->repeats)
            eri_oscillator_repeat(&s->o[k], p->count, force, state);
        else if (p->def->start == ER_FOLLOW_SETTLED)
            state[0] = force[0] / (p->w[k] * p->w[k]);
        s->from[2 * k] = state[0];
        s->from[2 * k + 1] = state[1] / p->w[k];
        eri_oscillator_run(&s->o[k], p->count, force, state, row_of(p->q, k, p->count), row_of(p->rate, k, p->count),
                           row_of(p->accel, k, p->count));
    }
    return ER_OK;
}

// ---- The true forces

// Moves the modes by the forces s->f, and finds the forces that this motion asks for.
static er_result try_forces(eri_loose_part *p, following *s, int instant, double *const gain[2])
{
    for (int k = 0; k < p->mode_count; ++k) {
        double w = p->w[k], q = s->free_q[k] + gain[0][k] * s->f[k], rate = s->free_rate[k] + gain[1][k] * s->f[k];
        row_of(p->q, k, p->count)[instant] = q;
        row_of(p->rate, k, p->count)[instant] = rate;
        row_of(p->accel, k, p->count)[instant] = s->f[k] - 2.0 * p->zeta[k] * w * rate - w * w * q;
    }
    bool finite = true;
    for (int k = 0; k < p->mode_count; ++k)
        finite &= fabs(s->f[k]) < 1e100;
    return finite ? find_modal_force(p, instant, s->asked) : ER_ERROR_NO_CONVERGENCE;
}

// Forces that ask for themselves.
static er_result solve_instant(eri_loose_part *p, following *s, int instant, double *const gain[2])
{
    double off = 0.0, all = 0.0;
    eri_secants_begin(&s->forces);
    for (int tries = 0; tries < MOST_TRIES; ++tries) {
        off = 0.0;
        all = p->heavy * p->heavy;
        er_result r = try_forces(p, s, instant, gain);
        if (r != ER_OK) return r;
        for (int k = 0; k < p->mode_count; ++k) {
            double spring = p->w[k] * p->w[k] * row_of(p->q, k, p->count)[instant];
            off += (s->asked[k] - s->f[k]) * (s->asked[k] - s->f[k]);
            all += s->asked[k] * s->asked[k] + spring * spring;
        }
        if (off <= s->same * s->same * all) return ER_OK;
        if ((tries + 1) % STALE == 0) eri_secants_forget(&s->forces);
        eri_secants_take(&s->forces, s->asked, s->f);
    }
    return off <= SAME * SAME * all ? ER_OK : ER_ERROR_NO_CONVERGENCE; // rounding may hide a finer difference
}

// The motion from s->from on, and its end.
static er_result march(eri_loose_part *p, following *s)
{
    er_result r = ER_OK;
    for (int i = 0; i < p->count && r == ER_OK; ++i) {
        for (int k = 0; k < p->mode_count; ++k) {
            const double *drive = row_of(s->drive, k, p->count);
            double to[2] = {s->from[2 * k], s->from[2 * k + 1] * p->w[k]};
            if (i > 0) {
                const double before[2] = {row_of(p->q, k, p->count)[i - 1], row_of(p->rate, k, p->count)[i - 1]};
                eri_oscillator_step(&s->o[k], (double[2]){s->f[k], 0.0}, before, to);
            }
            s->free_q[k] = to[0];
            s->free_rate[k] = to[1];
            s->f[k] = i > 0 ? s->f[k] + drive[i] - drive[i - 1] : drive[0];
        }
        r = solve_instant(p, s, i, i > 0 ? s->stepped : s->given);
    }
    for (int k = 0; k < p->mode_count && r == ER_OK; ++k) {
        s->to[2 * k] = row_of(p->q, k, p->count)[p->count - 1];
        s->to[2 * k + 1] = row_of(p->rate, k, p->count)[p->count - 1] / p->w[k];
    }
    return r;
}

static double difference(int size, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// Equilibrium with the first instant's forces.
static er_result settle(eri_loose_part *p, following *s)
{
    for (int k = 0; k < p->mode_count; ++k) {
        s->free_q[k] = s->free_rate[k] = 0.0;
        s->f[k] = row_of(s->drive, k, p->count)[0];
    }
    er_result r = solve_instant(p, s, 0, s->settled);
    for (int k = 0; k < p->mode_count; ++k)
        s->from[2 * k] = row_of(p->q, k, p->count)[0];
    return r;
}

// Cosines and sines of the cycle's harmonics at its instants, the constant first.
static er_result make_waves(eri_loose_part *p, double step, following *s)
{
    er_result r = ER_OK;
    int n = p->count - 1, most = (n - 1) / 2;
    double duration = n * step;
    s->harmonics = (int)fmin(most, fmax(LEAST_HARMONICS, floor(HIGHEST * duration)));
    s->base = 2.0 * ER_PI / duration;
    ERI_TRY_NEW(s->wave, p->arena, double, (size_t)(2 * s->harmonics + 1) * (size_t)n);
    for (int i = 0; i < n; ++i)
        s->wave[i] = 1.0;
    for (int h = 1; h <= s->harmonics; ++h)
        for (int i = 0; i < n; ++i) {
            double angle = 2.0 * ER_PI * (double)((long)h * i % n) / n;
            s->wave[(2 * h - 1) * n + i] = cos(angle);
            s->wave[2 * h * n + i] = sin(angle);
        }
done:
    return r;
}

// The harmonics of a row of instants.
static void analyse(const eri_loose_part *p, const following *s, const double *row, double *amount)
{
    int n = p->count - 1;
    for (int a = 0; a <= 2 * s->harmonics; ++a)
        amount[a] = (a > 0 ? 2.0 : 1.0) / n * eri_linalg_dot(n, s->wave + (ptrdiff_t)a * n, row);
}

// The displacement of a mode under a force of harmonics: H = 1 / (w_k^2 - w^2 + 2 i zeta w_k w).
static void respond(const eri_loose_part *p, const following *s, int mode, double *amount)
{
    double w = p->w[mode];
    amount[0] /= w * w;
    for (int h = 1; h <= s->harmonics; ++h) {
        double turn = h * s->base, re = w * w - turn * turn, im = 2.0 * p->zeta[mode] * w * turn;
        double size = re * re + im * im, c = amount[2 * h - 1], d = amount[2 * h];
        amount[2 * h - 1] = (re * c - im * d) / size; // of the cosine
        amount[2 * h] = (im * c + re * d) / size;     // of the sine
    }
}

// The motion of a mode from its harmonics.
static void synthesise(eri_loose_part *p, const following *s, int mode, const double *amount)
{
    double *row[3] = {row_of(p->q, mode, p->count), row_of(p->rate, mode, p->count), row_of(p->accel, mode, p->count)};
    int n = p->count - 1;
    for (int i = 0; i < n; ++i) {
        row[0][i] = amount[0];
        row[1][i] = row[2][i] = 0.0;
    }
    for (int h = 1; h <= s->harmonics; ++h) {
        double turn = h * s->base, c = amount[2 * h - 1], d = amount[2 * h];
        const double *cosine = s->wave + (ptrdiff_t)(2 * h - 1) * n, *sine = s->wave + (ptrdiff_t)2 * h * n;
        for (int i = 0; i < n; ++i) {
            double q = c * cosine[i] + d * sine[i];
            row[0][i] += q;
            row[1][i] += turn * (d * cosine[i] - c * sine[i]);
            row[2][i] -= turn * turn * q;
        }
    }
    for (int k = 0; k < 3; ++k)
        row[k][n] = row[k][0];
}

// The motion of the harmonics s->cycle, and the harmonics of the motion under the forces that it asks for.
static er_result try_cycle(eri_loose_part *p, following *s, double *off, double *all)
{
    er_result r = ER_OK;
    int n = p->count - 1, width = 2 * s->harmonics + 1;
    double sag = p->heavy / (p->w[0] * p->w[0]);
    *off = 0.0;
    *all = sag * sag;
    for (int k = 0; k < p->mode_count; ++k)
        synthesise(p, s, k, s->cycle + (ptrdiff_t)k * width);
    for (int i = 0; i < n && r == ER_OK; ++i) {
        r = find_modal_force(p, i, s->asked);
        for (int k = 0; k < p->mode_count; ++k)
            row_of(s->felt, k, p->count)[i] = s->asked[k];
    }
    for (int k = 0; k < p->mode_count; ++k) {
        double *asks = s->asks + (ptrdiff_t)k * width;
        const double *had = s->cycle + (ptrdiff_t)k * width;
        analyse(p, s, row_of(s->felt, k, p->count), asks);
        respond(p, s, k, asks);
        for (int a = 0; a < width; ++a) {
            *off += (asks[a] - had[a]) * (asks[a] - had[a]);
            *all += asks[a] * asks[a];
        }
    }
    return isfinite(*off) ? r : ER_ERROR_NO_CONVERGENCE;
}

// Harmonic balance: a whole cycle whose forces ask for it, from the linear answer on.
// @return  ER_ERROR_NO_CONVERGENCE: of a part for which the state must be followed from step to step
static er_result balance(eri_loose_part *p, double step, following *s, er_follow_part *out)
{
    er_result r = ER_OK;
    double off, all, first = HUGE_VAL;
    size_t size;
    eri_secants secants;
    ERI_TRY(make_waves(p, step, s));
    size = (size_t)p->mode_count * (size_t)(2 * s->harmonics + 1);
    ERI_TRY_NEW(s->cycle, p->arena, double, size);
    ERI_TRY_NEW(s->asks, p->arena, double, size);
    ERI_TRY_NEW(s->felt, p->arena, double, (size_t)p->mode_count *(size_t)p->count);
    ERI_TRY(eri_secants_create(p->arena, (int)size, &secants));
    for (int k = 0; k < p->mode_count; ++k) {
        double *amount = s->cycle + (ptrdiff_t)k * (2 * s->harmonics + 1);
        analyse(p, s, row_of(s->drive, k, p->count), amount);
        respond(p, s, k, amount);
    }
    for (int tries = 0; tries < MOST_BALANCES; ++tries) {
        ERI_TRY(try_cycle(p, s, &off, &all));
        ++out->cycles;
        if (off <= BALANCED * BALANCED * all) {
            out->exact = true;
            goto done;
        }
        first = fmin(first, off / all);
        if (off / all > DIVERGES * first) break;
        eri_secants_take(&secants, s->asks, s->cycle);
    }
    r = ER_ERROR_NO_CONVERGENCE;
done:
    return r;
}

// Marches, again and again until the end is the beginning if the motion repeats.
static er_result solve_exactly(eri_loose_part *p, double step, following *s, er_follow_part *out)
{
    int size = 2 * p->mode_count;
    bool settled = p->def->start == ER_FOLLOW_SETTLED, settles = settled && s->repeats;
    er_result r = settles ? balance(p, step, s, out) : ER_OK;
    if (r != ER_ERROR_NO_CONVERGENCE && (r != ER_OK || out->exact)) return r;
    s->same = settles ? ROUGH : SAME;
    out->cycles = 0;
    r = settled && !settles ? settle(p, s) : ER_OK;
    if (r != ER_OK) return r;
    while (!out->exact && out->cycles < MOST_CYCLES) {
        r = march(p, s);
        if (r != ER_OK) return r;
        ++out->cycles;
        double sag = p->heavy / (p->w[0] * p->w[0]), reach = sqrt(eri_linalg_dot(size, s->to, s->to)) + sag;
        double apart = difference(size, s->to, s->from), fine = fmax(SHARE * apart / reach, FINEST);
        out->exact = !settles || (apart <= REPEATS * reach && s->same <= SAME);
        s->same = fmin(s->same, fine);
        if (!out->exact) eri_secants_take(&s->cycles, s->to, s->from);
    }
    return out->exact ? ER_OK : ER_ERROR_NO_CONVERGENCE;
}

// The linear answer, then the exact one if there is one.
static er_result solve(eri_loose_part *p, double step, following *s, er_follow_part *out)
{
    er_result r = ER_OK;
    size_t size = (size_t)p->mode_count * (size_t)p->count;
    double *own[3] = {p->q, p->rate, p->accel}, apart = 0.0, most;
    ERI_TRY(solve_linear(p, s));
    if (p->def->linear) goto done;
    ERI_TRY_NEW(p->q, p->arena, double, size);
    ERI_TRY_NEW(p->rate, p->arena, double, size);
    ERI_TRY_NEW(p->accel, p->arena, double, size);
    r = solve_exactly(p, step, s, out);
    if (r == ER_ERROR_NO_CONVERGENCE) {
        p->q = own[0], p->rate = own[1], p->accel = own[2];
        r = ER_OK;
    } else if (r == ER_OK) {
        most = measure_swing(p, own[0], &apart);
        out->correction = most > 0.0 ? apart / most : 0.0;
    }
done:
    return r;
}

er_result eri_loose_part_follow(eri_loose_part *p, int count, double step, bool repeats, eri_moving *motion,
                                const eri_loose_part *before, er_follow_part *out)
{
    er_result r = ER_OK;
    size_t bodies = (size_t)p->model->body_count, size = (size_t)p->mode_count * (size_t)count;
    following s = {.repeats = repeats, .before = before};
    p->count = count;
    p->motion = motion;
    *out = (er_follow_part){
        .body = p->body[0], .body_count = p->model->body_count, .hz = p->w[0] / (2.0 * ER_PI), .zeta = p->zeta[0]};
    ERI_TRY_NEW(p->rest, p->arena, eri_moving, (size_t)count * bodies);
    ERI_TRY_NEW(p->q, p->arena, double, size);
    ERI_TRY_NEW(p->rate, p->arena, double, size);
    ERI_TRY_NEW(p->accel, p->arena, double, size);
    ERI_TRY(begin_run(p, step, &s));
    find_rest(p);
    find_carried(p, repeats);
    ERI_TRY(solve(p, step, &s, out));
    out->swing = p->def->amount * measure_swing(p, NULL, NULL);
    bool is_wild =
        !out->exact && !p->def->linear && !(out->swing <= ER_PI); // a linear answer of more than half a turn is none
    double amount = is_wild ? 0.0 : p->def->amount;
    if (is_wild) out->swing = 0.0;
    for (int k = 0; k < p->mode_count; ++k) {
        p->end[2 * k] = row_of(p->q, k, count)[count - 1];
        p->end[2 * k + 1] = row_of(p->rate, k, count)[count - 1];
    }
    for (int i = 0; i < count; ++i) {
        blend(p, p->q, i, p->y);
        for (int c = 0; c < p->width; ++c)
            p->y[c] *= amount;
        place_poses(p, i);
    }
done:
    return r;
}
