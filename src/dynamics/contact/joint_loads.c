/// @file
/// The mean loads of joints over a step, from what the momenta of bodies change by: forces, contacts and ties give a
/// part of the change, and joints give the rest, from the leaves of the trees to their roots. Their work, where held
/// bodies lead them.
#include <string.h>

#include "dynamics/contact/bounded_rows.h"

// How a held body stood at the step's begin, and how it had moved until then.
typedef struct led_begin {
    er_pose pose;
    er_twist twist;
} led_begin;

struct eri_joint_loads {
    er_vec3 *com;        // [body_count], m, at the step's begin
    er_wrench *momentum; // [body_count], N s and N m s, about the centre of mass, at the step's begin
    er_wrench *given;    // [body_count], N s and N m s, about the centre of mass: what joints give
    er_wrench *loop;     // [loops], N s and N m s: what loop joints give their child, about its side's origin
    int *led;            // [led_count]: held bodies that may move, with joints
    led_begin *begin;    // [body_count], of those
    int led_count;
    double *rate; // [velocity_count], work space
    double jolt;  // J: what the step's begin adds by itself where a held body begins to move otherwise
    double work;  // J
};

static void list_led(const er_world *w, eri_joint_loads *s)
{
    for (int b = 0; b < w->model->body_count && w->held != NULL && w->def.guide != NULL; ++b) {
        bool has_joint = false;
        for (int k = 0; k < w->model->joint_count && w->held[b] && !has_joint; ++k)
            has_joint = w->model->joint[k].child == b || w->model->joint[k].parent == b;
        if (has_joint) s->led[s->led_count++] = b;
    }
}

static bool can_break(const er_world *w)
{
    return w->ties != NULL && w->ties->joint_count > 0;
}

er_result eri_joint_loads_create(er_world *w)
{
    er_result r = ER_OK;
    eri_joint_loads *s;
    size_t bodies = (size_t)w->model->body_count;
    if (!can_break(w) && (w->held == NULL || w->def.guide == NULL)) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_joint_loads, 1);
    ERI_TRY_NEW(s->led, w->arena, int, bodies);
    list_led(w, s);
    if (!can_break(w) && s->led_count == 0) return ER_OK;
    ERI_TRY_NEW(s->com, w->arena, er_vec3, bodies);
    ERI_TRY_NEW(s->momentum, w->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->given, w->arena, er_wrench, bodies);
    ERI_TRY_NEW(s->begin, w->arena, led_begin, bodies);
    ERI_TRY_NEW(s->loop, w->arena, er_wrench, w->multibody->loop_count);
    ERI_TRY_NEW(s->rate, w->arena, double, w->multibody->velocity_count);
    w->contacts->loads = s;
done:
    return r;
}

static eri_joint_loads *loads_of(const er_world *w)
{
    return w->contacts->loads;
}

static er_vec3 com_of(const er_world *w, int body)
{
    return er_pose_point(w->pose[body], w->model->body[body].com);
}

static er_wrench momentum_of(const er_world *w, int body)
{
    const er_body *b = &w->model->body[body];
    er_quat q = w->pose[body].q;
    er_vec3 spin = w->twist[body].angular, v = er_v3_add(w->twist[body].linear, er_v3_cross(spin, b->com));
    return (er_wrench){er_q_rotate(q, er_m3_mul_v(b->inertia, spin)), er_q_rotate(q, er_v3_scale(b->mass, v))};
}

// The energy that blows add by themselves at the step's begin, where a guide is told anew.
static double jolts(er_world *w, double time)
{
    eri_joint_loads *s = loads_of(w);
    double sum = 0.0;
    if (s->led_count == 0 || w->contacts->reference != NULL) return 0.0;
    for (int k = 0; k < s->led_count; ++k)
        eri_world_move_held(w, time, s->led[k]);
    memcpy(s->rate, w->contacts->state.u, (size_t)w->multibody->velocity_count * sizeof *s->rate);
    for (int i = 0; i < w->multibody->group_count; ++i)
        sum += eri_minimal_jolt(w, &w->multibody->group[i], time, w->contacts->state.q, s->rate);
    return sum;
}

void eri_joint_loads_begin(er_world *w, double time)
{
    eri_joint_loads *s = loads_of(w);
    if (s == NULL) return;
    memset(s->loop, 0, (size_t)w->multibody->loop_count * sizeof *s->loop);
    memset(s->given, 0, (size_t)w->model->body_count * sizeof *s->given);
    for (int i = 0; i < w->multibody->jointed_count; ++i) {
        int b = w->tree->link[i].body;
        s->com[b] = com_of(w, b);
        s->momentum[b] = momentum_of(w, b);
    }
    for (int k = 0; k < s->led_count; ++k)
        s->begin[s->led[k]] = (led_begin){w->pose[s->led[k]], w->twist[s->led[k]]};
    s->jolt = jolts(w, time);
}

void eri_joint_loads_add_loops(er_world *w, double factor, bool with_springs)
{
    eri_joint_loads *s = loads_of(w);
    for (int k = 0; s != NULL && k < w->multibody->loop_count; ++k) {
        const eri_closure *l = &w->multibody->loop[k];
        if (!with_springs && w->flies[l->child.limb >= 0 ? l->child.limb : l->parent.limb]) continue;
        er_wrench f = eri_minimal_loop_wrench(w, k, with_springs);
        s->loop[k].torque = er_v3_madd(s->loop[k].torque, factor, f.torque);
        s->loop[k].force = er_v3_madd(s->loop[k].force, factor, f.force);
    }
}

void eri_joint_loads_set_loop(er_world *w, int loop, er_wrench impulse)
{
    if (loads_of(w) != NULL) loads_of(w)->loop[loop] = impulse;
}

// Adds a wrench about a point, with a sign, to what a body needs.
static void add(eri_joint_loads *s, int body, double sign, er_wrench f, er_vec3 point, er_vec3 com)
{
    if (body < 0) return;
    er_vec3 torque = er_v3_add(f.torque, er_v3_cross(er_v3_sub(point, com), f.force));
    s->given[body].torque = er_v3_madd(s->given[body].torque, sign, torque);
    s->given[body].force = er_v3_madd(s->given[body].force, sign, f.force);
}

void eri_joint_loads_add(er_world *w, int body, er_wrench impulse)
{
    eri_joint_loads *s = loads_of(w);
    if (s != NULL && body >= 0) add(s, body, -1.0, impulse, s->com[body], s->com[body]);
}

void eri_joint_loads_add_loop(er_world *w, int joint, er_wrench impulse)
{
    eri_joint_loads *s = loads_of(w);
    for (int k = 0; s != NULL && k < w->multibody->loop_count; ++k)
        if (w->multibody->loop[k].joint == joint) {
            s->loop[k].torque = er_v3_add(s->loop[k].torque, impulse.torque);
            s->loop[k].force = er_v3_add(s->loop[k].force, impulse.force);
        }
}

static void subtract_contacts(er_world *w)
{
    eri_joint_loads *s = loads_of(w);
    const eri_contacts *c = w->contacts;
    for (int i = 0; i < er_world_contact_count(w); ++i) {
        er_contact at = er_world_contact(w, i);
        for (int k = 0; k < 2; ++k) {
            int body = c->broad.shape[at.shape[k]].body;
            er_wrench f = {{0, 0, 0}, at.impulse};
            if (body >= 0) add(s, body, k == 0 ? 1.0 : -1.0, f, at.point, s->com[body]);
        }
    }
    for (int i = 0; i < c->rows.count; ++i)
        for (int k = 0; k < c->rows.row[i].side_count; ++k) {
            const eri_row_side *side = &c->rows.row[i].side[k];
            const double *x = (const double *)&side->total;
            er_wrench f = {er_v3(x[0], x[1], x[2]), er_v3(x[3], x[4], x[5])};
            if (side->body >= 0) add(s, side->body, -1.0, f, side->origin, s->com[side->body]);
        }
}

// Finds what joints gave each body in the step.
static void find_given(er_world *w, double h)
{
    eri_joint_loads *s = loads_of(w);
    for (int i = 0; i < w->multibody->jointed_count; ++i) {
        int b = w->tree->link[i].body;
        er_wrench now = momentum_of(w, b);
        s->given[b].torque = er_v3_add(s->given[b].torque, er_v3_sub(now.torque, s->momentum[b].torque));
        s->given[b].force = er_v3_add(s->given[b].force, er_v3_sub(now.force, s->momentum[b].force));
        er_vec3 way = er_v3_sub(com_of(w, b), s->com[b]); // torques are about where it ends
        er_wrench f = {{0, 0, 0}, er_v3_scale(w->model->body[b].mass, w->def.gravity)};
        if (w->forces->any) f = (er_wrench){w->wrench[b].torque, er_v3_add(f.force, w->wrench[b].force)};
        f.torque = er_v3_madd(f.torque, -0.5, er_v3_cross(way, f.force));
        s->given[b].torque = er_v3_add(s->given[b].torque, er_v3_cross(way, s->momentum[b].force));
        s->given[b].torque = er_v3_madd(s->given[b].torque, -h, f.torque);
        s->given[b].force = er_v3_madd(s->given[b].force, -h, f.force);
    }
    subtract_contacts(w);
}

static bool is_held(const er_world *w, int body)
{
    return body >= 0 && w->held != NULL && w->held[body] && w->def.guide != NULL;
}

// The work of a held body that gives an impulse about a point. The reference solver gives all of it at once, while the
// body goes over from one velocity to the next one.
static double work_of(const er_world *w, int body, er_wrench impulse, er_vec3 point, double h)
{
    const led_begin *from = &loads_of(w)->begin[body];
    const er_pose *to = &w->pose[body];
    er_vec3 turn = er_q_log(er_q_mul(to->q, er_q_conj(from->pose.q))), way = er_v3_sub(to->p, from->pose.p);
    er_vec3 middle = er_v3_madd(from->pose.p, 0.5, way);
    if (w->contacts->reference != NULL) {
        er_vec3 turns =
            er_v3_add(er_q_rotate(from->pose.q, from->twist.angular), er_q_rotate(to->q, w->twist[body].angular));
        er_vec3 goes =
            er_v3_add(er_q_rotate(from->pose.q, from->twist.linear), er_q_rotate(to->q, w->twist[body].linear));
        turn = er_v3_scale(0.5 * h, turns), way = er_v3_scale(0.5 * h, goes);
    }
    er_vec3 path = er_v3_add(way, er_v3_cross(turn, er_v3_sub(point, middle)));
    return (er_v3_dot(impulse.force, path) + er_v3_dot(impulse.torque, turn)) / h;
}

// Takes a joint's impulse on its child, about the joint's origin there, and hands it on to both bodies.
static void take(er_world *w, int joint, er_wrench impulse, double h)
{
    eri_joint_loads *s = loads_of(w);
    const er_joint *j = &w->model->joint[joint];
    er_vec3 origin = eri_joint_ends_at(w->model, joint, w->pose, w->twist).Q.p;
    add(s, j->child, -1.0, impulse, origin, com_of(w, j->child));
    if (j->parent >= 0) add(s, j->parent, 1.0, impulse, origin, com_of(w, j->parent));
    if (is_held(w, j->parent)) s->work += work_of(w, j->parent, impulse, origin, h);
    if (is_held(w, j->child)) s->work -= work_of(w, j->child, impulse, origin, h);
    er_wrench load = {er_v3_scale(1.0 / h, impulse.torque), er_v3_scale(1.0 / h, impulse.force)};
    if (can_break(w)) eri_ties_set_load(w->ties, joint, load);
}

static bool is_needed(const er_world *w)
{
    const eri_joint_loads *s = loads_of(w);
    for (int k = 0; s != NULL && k < s->led_count; ++k) {
        const er_twist *a = &s->begin[s->led[k]].twist, *b = &w->twist[s->led[k]];
        const er_vec3 v[] = {a->angular, a->linear, b->angular, b->linear};
        for (int i = 0; i < 4; ++i)
            if (er_v3_dot(v[i], v[i]) > 0.0) return true;
    }
    return s != NULL && can_break(w);
}

double eri_joint_loads_end(er_world *w, double h)
{
    eri_joint_loads *s = loads_of(w);
    if (!is_needed(w)) return 0.0;
    s->work = -s->jolt; // the blow acts while the velocity changes, and its half is in what follows
    find_given(w, h);
    for (int k = 0; k < w->multibody->loop_count; ++k)
        take(w, w->multibody->loop[k].joint, s->loop[k], h);
    for (int i = w->multibody->jointed_count - 1; i >= 0; --i) {
        const eri_link *l = &w->tree->link[i];
        if (l->joint < 0) continue;
        er_vec3 origin = eri_joint_ends_at(w->model, l->joint, w->pose, w->twist).Q.p;
        er_wrench on = s->given[l->body]; // what the joint gives the limb, about the limb's centre of mass
        on.torque = er_v3_add(on.torque, er_v3_cross(er_v3_sub(com_of(w, l->body), origin), on.force));
        double sign = l->inverse ? -1.0 : 1.0;
        take(w, l->joint, (er_wrench){er_v3_scale(sign, on.torque), er_v3_scale(sign, on.force)}, h);
    }
    return s->work;
}
