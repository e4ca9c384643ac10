// ODE as an engine of contact: its quick step, spaces by hashing, friction in proportion to the normal force.
#include "tools/bench/contacts.h"

#include <stdio.h>

#ifdef BENCH_HAS_ODE

#include <stdlib.h>

#include "tools/bench/ode_library.h"

enum { ITERATIONS = 10, MOST_POINTS = 4 };

typedef struct ode {
    const er_model *model;
    double step;
    dWorldID world;
    dSpaceID space;
    dJointGroupID touches; // of a step
    dBodyID *body;         // [body_count]
} ode;

static void add_body(ode *p, int b)
{
    const er_body *from = &p->model->body[b];
    const double(*I)[3] = from->inertia.m;
    const dQuaternion q = {from->pose.q.w, from->pose.q.x, from->pose.q.y, from->pose.q.z};
    dMass mass;
    od.dMassSetParameters(&mass, from->mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
    p->body[b] = od.dBodyCreate(p->world);
    od.dBodySetMass(p->body[b], &mass);
    od.dBodySetPosition(p->body[b], from->pose.p.x, from->pose.p.y, from->pose.p.z);
    od.dBodySetQuaternion(p->body[b], q);
}

static void add_joint(ode *p, const er_joint *j)
{
    er_vec3 at = j->frame.p, axis = er_q_rotate(j->frame.q, er_v3(0, 0, 1));
    bool ball = j->type == ER_JOINT_SPHERICAL;
    dJointID joint = ball ? od.dJointCreateBall(p->world, NULL) : od.dJointCreateHinge(p->world, NULL);
    od.dJointAttach(joint, p->body[j->child], j->parent >= 0 ? p->body[j->parent] : NULL);
    if (ball) {
        od.dJointSetBallAnchor(joint, at.x, at.y, at.z);
        return;
    }
    od.dJointSetHingeAnchor(joint, at.x, at.y, at.z);
    od.dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
}

static void add_shape(ode *p, er_world_shape *s)
{
    er_vec3 normal = er_q_rotate(s->pose.q, er_v3(0, 0, 1));
    dGeomID geom = s->shape.kind == ER_SHAPE_SPHERE ? od.dCreateSphere(p->space, s->shape.radius)
                   : s->shape.kind == ER_SHAPE_CAPSULE
                       ? od.dCreateCapsule(p->space, s->shape.radius, s->shape.length)
                       : od.dCreatePlane(p->space, normal.x, normal.y, normal.z, er_v3_dot(normal, s->pose.p));
    od.dGeomSetData(geom, s);
    if (s->body >= 0) od.dGeomSetBody(geom, p->body[s->body]);
}

static void destroy(void *self)
{
    ode *p = self;
    od.dJointGroupDestroy(p->touches);
    od.dSpaceDestroy(p->space);
    od.dWorldDestroy(p->world);
    free(p->body);
    free(p);
}

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    (void)context;
    if (!bench_ode_load(why, size)) return NULL;
    ode *p = calloc(1, sizeof *p);
    if (p != NULL) p->body = calloc((size_t)scene->model->body_count, sizeof *p->body);
    if (p == NULL || p->body == NULL) {
        free(p);
        snprintf(why, size, "there is no memory");
        return NULL;
    }
    p->model = scene->model;
    p->step = step;
    p->world = od.dWorldCreate();
    p->space = od.dHashSpaceCreate(NULL);
    p->touches = od.dJointGroupCreate(0);
    od.dWorldSetGravity(p->world, scene->gravity.x, scene->gravity.y, scene->gravity.z);
    od.dWorldSetAutoDisableFlag(p->world, 0);
    od.dWorldSetQuickStepNumIterations(p->world, ITERATIONS);
    for (int b = 0; b < scene->model->body_count; ++b)
        add_body(p, b);
    for (int k = 0; k < scene->model->joint_count; ++k)
        add_joint(p, &scene->model->joint[k]);
    for (int s = 0; s < scene->shape_count; ++s)
        add_shape(p, &scene->shape[s]);
    return p;
}

static void touch(void *self, dGeomID a, dGeomID b)
{
    const ode *p = self;
    const er_world_shape *shape[2] = {od.dGeomGetData(a), od.dGeomGetData(b)};
    dContactGeom point[MOST_POINTS];
    if (bench_shapes_pass(shape[0], shape[1])) return;
    int count = od.dCollide(a, b, MOST_POINTS, point, sizeof *point);
    for (int i = 0; i < count; ++i) {
        dContact contact = {.geom = point[i]};
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = sqrt(shape[0]->friction * shape[1]->friction);
        od.dJointAttach(od.dJointCreateContact(p->world, p->touches, &contact), od.dGeomGetBody(a), od.dGeomGetBody(b));
    }
}

static bool advance(void *self)
{
    ode *p = self;
    od.dSpaceCollide(p->space, p, touch);
    bool done = od.dWorldQuickStep(p->world, p->step) != 0;
    od.dJointGroupEmpty(p->touches);
    return done;
}

static void poses(void *self, er_pose *pose)
{
    const ode *p = self;
    for (int b = 0; b < p->model->body_count; ++b) {
        const dReal *at = od.dBodyGetPosition(p->body[b]), *q = od.dBodyGetQuaternion(p->body[b]);
        pose[b] = (er_pose){er_q(q[0], q[1], q[2], q[3]), er_v3(at[0], at[1], at[2])};
    }
}

const bench_engine bench_contacts_ode = {"ode", create, destroy, advance, poses, NULL};

#else

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    (void)context, (void)scene, (void)step;
    snprintf(why, size, "not installed when this program was built (libode-dev)");
    return NULL;
}

const bench_engine bench_contacts_ode = {.name = "ode", .create = create};

#endif
