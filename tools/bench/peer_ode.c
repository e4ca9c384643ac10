// ODE as a peer: bodies, joints by its big matrix, springs as torques set before each step.
#include "tools/bench/peer.h"

#include <stdio.h>

#ifdef BENCH_HAS_ODE

#include <stdlib.h>

#include "tools/bench/ode_library.h"

typedef struct ode {
    const bench_scene *scene;
    dWorldID world;
    dBodyID *body;   // [body_count], in their centres of mass
    dJointID *joint; // [joint_count]
    bool lost;
} ode;

static er_vec3 centre_of(const er_model *m, int body)
{
    return er_pose_point(m->body[body].pose, m->body[body].com);
}

// The state at time 0.
static void build(ode *p)
{
    const bench_scene *s = p->scene;
    const er_model *m = s->model;
    p->lost = false;
    p->world = od.dWorldCreate();
    od.dWorldSetGravity(p->world, s->gravity.x, s->gravity.y, s->gravity.z);
    od.dWorldSetCFM(p->world, 0.0);
    for (int b = 0; b < m->body_count; ++b) {
        const er_body *from = &m->body[b];
        const double(*I)[3] = from->inertia.m;
        er_vec3 at = centre_of(m, b), w = er_q_rotate(from->pose.q, s->twist[b].angular);
        er_vec3 v =
            er_q_rotate(from->pose.q, er_v3_add(s->twist[b].linear, er_v3_cross(s->twist[b].angular, from->com)));
        const dQuaternion q = {from->pose.q.w, from->pose.q.x, from->pose.q.y, from->pose.q.z};
        dMass mass;
        od.dMassSetParameters(&mass, from->mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
        p->body[b] = od.dBodyCreate(p->world);
        od.dBodySetMass(p->body[b], &mass);
        od.dBodySetPosition(p->body[b], at.x, at.y, at.z);
        od.dBodySetQuaternion(p->body[b], q);
        od.dBodySetLinearVel(p->body[b], v.x, v.y, v.z);
        od.dBodySetAngularVel(p->body[b], w.x, w.y, w.z);
    }
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        er_vec3 at = j->frame.p, axis = er_q_rotate(j->frame.q, er_v3(0, 0, 1));
        bool ball = j->type == ER_JOINT_SPHERICAL;
        p->joint[k] = ball ? od.dJointCreateBall(p->world, NULL) : od.dJointCreateHinge(p->world, NULL);
        od.dJointAttach(p->joint[k], p->body[j->child], j->parent >= 0 ? p->body[j->parent] : NULL);
        if (ball) {
            od.dJointSetBallAnchor(p->joint[k], at.x, at.y, at.z);
            continue;
        }
        od.dJointSetHingeAnchor(p->joint[k], at.x, at.y, at.z);
        od.dJointSetHingeAxis(p->joint[k], -axis.x, -axis.y, -axis.z); // ODE's angle is that of the first body against
                                                                       // the second
    }
}

static void destroy(void *self)
{
    ode *p = self;
    if (p->world != NULL) od.dWorldDestroy(p->world);
    free(p->body);
    free(p->joint);
    free(p);
}

static void *create(const bench_scene *scene, char *why, size_t size)
{
    if (!bench_ode_load(why, size)) return NULL;
    snprintf(why, size, "there is no memory");
    ode *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->scene = scene;
    p->body = calloc((size_t)scene->model->body_count, sizeof *p->body);
    p->joint = calloc((size_t)scene->model->joint_count + 1, sizeof *p->joint);
    if (p->body != NULL && p->joint != NULL) return p;
    destroy(p);
    return NULL;
}

static void start(void *self)
{
    ode *p = self;
    if (p->world != NULL) od.dWorldDestroy(p->world);
    build(p);
}

// The change of orientation since equilibrium, and the angular velocity, of a body or the world.
static er_quat turn_of(const ode *p, int body, er_vec3 *rate)
{
    *rate = er_v3(0, 0, 0);
    if (body < 0) return er_q_identity();
    const dReal *q = od.dBodyGetQuaternion(p->body[body]), *w = od.dBodyGetAngularVel(p->body[body]);
    *rate = er_v3(w[0], w[1], w[2]);
    return er_q_mul(er_q(q[0], q[1], q[2], q[3]), er_q_conj(p->scene->model->body[body].pose.q));
}

static void pull_ball(const ode *p, const er_joint *j)
{
    er_vec3 w, above;
    er_quat child = turn_of(p, j->child, &w), parent = turn_of(p, j->parent, &above);
    er_vec3 turn = er_q_log(er_q_mul(child, er_q_conj(parent))); // equal springs have no preferred axes
    er_vec3 torque = er_v3_madd(er_v3_scale(-j->stiffness[0], turn), -j->damping[0], er_v3_sub(w, above));
    od.dBodyAddTorque(p->body[j->child], torque.x, torque.y, torque.z);
    if (j->parent >= 0) od.dBodyAddTorque(p->body[j->parent], -torque.x, -torque.y, -torque.z);
}

// ODE ends the program if numbers leave their range.
static bool stays_in_range(ode *p, int body)
{
    const dReal *w = od.dBodyGetAngularVel(p->body[body]);
    p->lost = p->lost || !(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] < 1e12);
    return !p->lost;
}

static void advance(void *self, int method, double step, int count)
{
    ode *p = self;
    const er_model *m = p->scene->model;
    (void)method;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < m->joint_count; ++k) {
            const er_joint *j = &m->joint[k];
            if (!stays_in_range(p, j->child)) return;
            if (j->stiffness[0] == 0.0 && j->damping[0] == 0.0) continue;
            if (j->type == ER_JOINT_SPHERICAL)
                pull_ball(p, j);
            else
                od.dJointAddHingeTorque(p->joint[k], -j->stiffness[0] * od.dJointGetHingeAngle(p->joint[k]) -
                                                         j->damping[0] * od.dJointGetHingeAngleRate(p->joint[k]));
        }
        od.dWorldStep(p->world, step);
    }
}

static void places(void *self, er_vec3 *centre)
{
    const ode *p = self;
    for (int b = 0; b < p->scene->model->body_count; ++b) {
        const dReal *at = od.dBodyGetPosition(p->body[b]);
        centre[b] = p->lost ? er_v3(NAN, NAN, NAN) : er_v3(at[0], at[1], at[2]);
    }
}

const bench_peer bench_ode = {"ODE", {"semi-implicit Euler"}, create, destroy, start, advance, NULL, places};

#else

static void *create(const bench_scene *scene, char *why, size_t size)
{
    (void)scene;
    snprintf(why, size, "not installed when this program was built (libode-dev)");
    return NULL;
}

const bench_peer bench_ode = {.name = "ODE", .method = {"semi-implicit Euler"}, .create = create};

#endif
