// ODE as a rival, in the precision of the installed library.
#include <ode/ode.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "tools/reality/rivals.hpp"

namespace
{

constexpr int most_points = 8;
constexpr double surface_layer = 1e-4; // m: contacts that overlap less stay

struct ode_body {
    dBodyID id = nullptr; // none of a plane
    dGeomID geom = nullptr;
    rival_body from;
    std::vector<dReal> points;
    std::vector<dTriIndex> corners;
    vector3 next_p; // of a led body
    quaternion next_q;
};

class ode_world : public rival_world
{
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID touches = dJointGroupCreate(0);
    std::vector<std::unique_ptr<ode_body>> body;
    double h;
    bool is_quick;

    dBodyID id(int b) const
    {
        return b < 0 ? nullptr : body[size_t(b)]->id;
    }

    static void touch(void *self, dGeomID a, dGeomID b);
    void lead_all();

  public:
    ode_world(double step, const vector3 &g, bool quick) : h(step), is_quick(quick)
    {
        dWorldSetGravity(world, g[0], g[1], g[2]);
        dWorldSetContactSurfaceLayer(world, surface_layer);
        dWorldSetQuickStepNumIterations(world, 50);
    }

    ~ode_world() override
    {
        dJointGroupDestroy(touches);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }

    int add(const rival_body &from) override;
    void join(const rival_joint &j) override;

    void lead(int b, const vector3 &p, const quaternion &q) override
    {
        body[size_t(b)]->next_p = p;
        body[size_t(b)]->next_q = q;
    }

    void set(int b, const vector3 &v, const vector3 &spin) override
    {
        dBodySetLinearVel(id(b), v[0], v[1], v[2]);
        dBodySetAngularVel(id(b), spin[0], spin[1], spin[2]);
    }

    rival_state state(int b) const override
    {
        if (id(b) == nullptr) return {body[size_t(b)]->from.p, body[size_t(b)]->from.q, {}, {}};
        const dReal *p = dBodyGetPosition(id(b)), *q = dBodyGetQuaternion(id(b)), *v = dBodyGetLinearVel(id(b)),
                    *w = dBodyGetAngularVel(id(b));
        return {{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    }

    void step() override
    {
        lead_all();
        dSpaceCollide(space, this, touch);
        if (is_quick)
            dWorldQuickStep(world, h);
        else
            dWorldStep(world, h);
        dJointGroupEmpty(touches);
        for (auto &b : body)
            if (b->id != nullptr && b->from.motion == "led") {
                const dQuaternion q = {b->next_q[0], b->next_q[1], b->next_q[2], b->next_q[3]};
                dBodySetPosition(b->id, b->next_p[0], b->next_p[1], b->next_p[2]);
                dBodySetQuaternion(b->id, q);
            }
    }
};

dGeomID geom_of(dSpaceID space, ode_body &b)
{
    const rival_shape &s = b.from.shape;
    if (s.kind == "sphere") return dCreateSphere(space, s.size[0]);
    if (s.kind == "box") return dCreateBox(space, s.size[0], s.size[1], s.size[2]);
    if (s.kind == "capsule") return dCreateCapsule(space, s.size[0], s.size[1]);
    if (s.kind == "cylinder") return dCreateCylinder(space, s.size[0], s.size[1]);
    if (s.kind == "plane") {
        const quaternion &q = b.from.q;
        double x = 2 * (q[1] * q[2] - q[0] * q[3]), y = 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
               z = 2 * (q[2] * q[3] + q[0] * q[1]);
        return dCreatePlane(space, x, y, z, x * b.from.p[0] + y * b.from.p[1] + z * b.from.p[2]);
    }
    if (s.kind != "mesh") throw std::invalid_argument(s.kind);
    for (const vector3 &p : s.points)
        b.points.insert(b.points.end(), p.begin(), p.end());
    for (int c : s.corners)
        b.corners.push_back(dTriIndex(c));
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, b.points.data(), 3 * sizeof(dReal), int(s.points.size()), b.corners.data(),
                                int(b.corners.size()), 3 * sizeof(dTriIndex));
    return dCreateTriMesh(space, data, nullptr, nullptr, nullptr);
}

int ode_world::add(const rival_body &from)
{
    auto made = std::make_unique<ode_body>();
    ode_body &b = *made;
    b.from = from;
    b.next_p = from.p;
    b.next_q = from.q;
    b.geom = geom_of(space, b);
    dGeomSetData(b.geom, &b);
    body.push_back(std::move(made));
    if (from.shape.kind == "plane") return int(body.size()) - 1;
    const dQuaternion q = {from.q[0], from.q[1], from.q[2], from.q[3]};
    b.id = dBodyCreate(world);
    dBodySetPosition(b.id, from.p[0], from.p[1], from.p[2]);
    dBodySetQuaternion(b.id, q);
    if (from.motion == "moved") {
        dMass mass;
        dMassSetParameters(&mass, from.mass, 0, 0, 0, from.inertia[0], from.inertia[1], from.inertia[2], 0, 0, 0);
        dBodySetMass(b.id, &mass);
        dBodySetLinearVel(b.id, from.velocity[0], from.velocity[1], from.velocity[2]);
        dBodySetAngularVel(b.id, from.spin[0], from.spin[1], from.spin[2]);
    } else
        dBodySetKinematic(b.id);
    dGeomSetBody(b.geom, b.id);
    bool is_long = from.shape.kind == "capsule" || from.shape.kind == "cylinder"; // along z in ODE
    const double half = std::sqrt(0.5);
    const dQuaternion to_x = {half, 0, half, 0}, to_y = {half, -half, 0, 0};
    if (is_long && from.shape.along < 2) dGeomSetOffsetQuaternion(b.geom, from.shape.along == 0 ? to_x : to_y);
    return int(body.size()) - 1;
}

void ode_world::join(const rival_joint &j)
{
    dJointID joint = j.kind == "ball"        ? dJointCreateBall(world, nullptr)
                     : j.kind == "hinge"     ? dJointCreateHinge(world, nullptr)
                     : j.kind == "prismatic" ? dJointCreateSlider(world, nullptr)
                                             : dJointCreateFixed(world, nullptr);
    dJointAttach(joint, id(j.b), id(j.a));
    if (j.kind == "ball") dJointSetBallAnchor(joint, j.at[0], j.at[1], j.at[2]);
    if (j.kind == "prismatic") dJointSetSliderAxis(joint, j.axis[0], j.axis[1], j.axis[2]);
    if (j.kind == "fixed") dJointSetFixed(joint);
    if (j.kind != "hinge") return;
    dJointSetHingeAnchor(joint, j.at[0], j.at[1], j.at[2]);
    dJointSetHingeAxis(joint, j.axis[0], j.axis[1], j.axis[2]);
    if (j.is_limited) {
        dJointSetHingeParam(joint, dParamLoStop, j.low);
        dJointSetHingeParam(joint, dParamHiStop, j.high);
    }
    if (!j.is_driven) return;
    dJointSetHingeParam(joint, dParamVel, j.speed);
    dJointSetHingeParam(joint, dParamFMax, j.most);
}

// Led bodies move evenly within the step.
void ode_world::lead_all()
{
    for (auto &b : body) {
        if (b->id == nullptr || b->from.motion != "led") continue;
        const dReal *p = dBodyGetPosition(b->id), *q = dBodyGetQuaternion(b->id);
        const quaternion &n = b->next_q;
        double turn[4] = {n[0] * q[0] + n[1] * q[1] + n[2] * q[2] + n[3] * q[3],
                          -n[0] * q[1] + n[1] * q[0] - n[2] * q[3] + n[3] * q[2],
                          -n[0] * q[2] + n[2] * q[0] - n[3] * q[1] + n[1] * q[3],
                          -n[0] * q[3] + n[3] * q[0] - n[1] * q[2] + n[2] * q[1]};
        double sine = std::sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
        double angle = 2 * std::atan2(turn[0] < 0 ? -sine : sine, std::fabs(turn[0]));
        double rate = sine > 0 ? angle / (sine * h) : 0;
        dBodySetLinearVel(b->id, (b->next_p[0] - p[0]) / h, (b->next_p[1] - p[1]) / h, (b->next_p[2] - p[2]) / h);
        dBodySetAngularVel(b->id, rate * turn[1], rate * turn[2], rate * turn[3]);
    }
}

void ode_world::touch(void *self, dGeomID a, dGeomID b)
{
    const ode_world *w = static_cast<ode_world *>(self);
    const ode_body *first = static_cast<ode_body *>(dGeomGetData(a)),
                   *second = static_cast<ode_body *>(dGeomGetData(b));
    dContactGeom point[most_points];
    if (first->from.motion != "moved" && second->from.motion != "moved") return;
    if (first->id != nullptr && second->id != nullptr && dAreConnected(first->id, second->id)) return;
    int count = dCollide(a, b, most_points, point, sizeof *point);
    for (int i = 0; i < count; ++i) {
        dContact contact = {};
        contact.geom = point[i];
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = std::sqrt(first->from.friction * second->from.friction);
        contact.surface.bounce = std::sqrt(first->from.restitution * second->from.restitution);
        if (contact.surface.bounce > 0) contact.surface.mode |= dContactBounce;
        dJointAttach(dJointCreateContact(w->world, w->touches, &contact), first->id, second->id);
    }
}

} // namespace

std::unique_ptr<rival_world> make_ode(double step, const vector3 &gravity, bool is_quick)
{
    static const bool is_ready = dInitODE2(0) != 0;
    if (!is_ready) throw std::runtime_error("ODE does not start");
    return std::make_unique<ode_world>(step, gravity, is_quick);
}
