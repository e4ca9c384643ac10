// Bullet as a rival: rigid bodies with constraints by sequential impulses, in the precision of the installed library.
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "tools/reality/rivals.hpp"

namespace
{

btVector3 vector(const vector3 &v)
{
    return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])};
}

vector3 vector(const btVector3 &v)
{
    return {double(v.x()), double(v.y()), double(v.z())};
}

btTransform transform(const vector3 &p, const quaternion &q)
{
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])), vector(p));
}

struct bullet_body {
    std::unique_ptr<btTriangleMesh> mesh;
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btDefaultMotionState> motion;
    std::unique_ptr<btRigidBody> rigid;
};

class bullet_world : public rival_world
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<bullet_body> body;
    std::vector<std::unique_ptr<btTypedConstraint>> joint;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btScalar h;

    btRigidBody &rigid(int b)
    {
        return b < 0 ? btTypedConstraint::getFixedBody() : *body[size_t(b)].rigid;
    }

  public:
    bullet_world(double step, const vector3 &gravity) : h(btScalar(step))
    {
        world.setGravity(vector(gravity));
    }

    ~bullet_world() override
    {
        for (auto &j : joint)
            world.removeConstraint(j.get());
        for (auto &b : body)
            world.removeRigidBody(b.rigid.get());
    }

    int add(const rival_body &from) override;
    void join(const rival_joint &j) override;

    void lead(int b, const vector3 &p, const quaternion &q) override
    {
        body[size_t(b)].motion->setWorldTransform(transform(p, q));
    }

    void set(int b, const vector3 &velocity, const vector3 &spin) override
    {
        rigid(b).setLinearVelocity(vector(velocity));
        rigid(b).setAngularVelocity(vector(spin));
    }

    rival_state state(int b) const override
    {
        const btRigidBody &from = *body[size_t(b)].rigid;
        btQuaternion q = from.getWorldTransform().getRotation();
        return {vector(from.getWorldTransform().getOrigin()),
                {double(q.w()), double(q.x()), double(q.y()), double(q.z())},
                vector(from.getLinearVelocity()),
                vector(from.getAngularVelocity())};
    }

    void step() override
    {
        world.stepSimulation(h, 0);
    }
};

std::unique_ptr<btCollisionShape> shape_of(const rival_shape &s, btTriangleMesh *mesh)
{
    btScalar r = btScalar(s.size[0]), length = btScalar(s.size[1]);
    if (s.kind == "sphere") return std::make_unique<btSphereShape>(r);
    if (s.kind == "box") return std::make_unique<btBoxShape>(0.5 * vector(s.size));
    if (s.kind == "plane") return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), btScalar(0));
    if (s.kind == "mesh") return std::make_unique<btBvhTriangleMeshShape>(mesh, true);
    if (s.kind == "capsule") {
        if (s.along == 0) return std::make_unique<btCapsuleShapeX>(r, length);
        if (s.along == 1) return std::make_unique<btCapsuleShape>(r, length);
        return std::make_unique<btCapsuleShapeZ>(r, length);
    }
    if (s.kind != "cylinder") throw std::invalid_argument(s.kind);
    btScalar half = length / 2;
    if (s.along == 0) return std::make_unique<btCylinderShapeX>(btVector3(half, r, r));
    if (s.along == 1) return std::make_unique<btCylinderShape>(btVector3(r, half, r));
    return std::make_unique<btCylinderShapeZ>(btVector3(r, r, half));
}

int bullet_world::add(const rival_body &from)
{
    bullet_body b;
    bool is_moved = from.motion == "moved";
    if (from.shape.kind == "mesh") {
        b.mesh = std::make_unique<btTriangleMesh>();
        const auto &c = from.shape.corners;
        for (size_t k = 0; k + 2 < c.size(); k += 3)
            b.mesh->addTriangle(vector(from.shape.points[size_t(c[k])]), vector(from.shape.points[size_t(c[k + 1])]),
                                vector(from.shape.points[size_t(c[k + 2])]));
    }
    b.shape = shape_of(from.shape, b.mesh.get());
    b.motion = std::make_unique<btDefaultMotionState>(transform(from.p, from.q));
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(is_moved ? from.mass : 0), b.motion.get(), b.shape.get(),
                                                  is_moved ? vector(from.inertia) : btVector3(0, 0, 0));
    info.m_friction = btScalar(std::sqrt(from.friction)); // a pair has the product
    info.m_restitution = btScalar(std::sqrt(from.restitution));
    b.rigid = std::make_unique<btRigidBody>(info);
    b.rigid->setActivationState(DISABLE_DEACTIVATION);
    if (from.motion == "led")
        b.rigid->setCollisionFlags(b.rigid->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    if (is_moved) {
        b.rigid->setLinearVelocity(vector(from.velocity));
        b.rigid->setAngularVelocity(vector(from.spin));
    }
    if (from.swept_radius > 0) {
        b.rigid->setCcdMotionThreshold(btScalar(from.swept_radius));
        b.rigid->setCcdSweptSphereRadius(btScalar(from.swept_radius));
    }
    world.addRigidBody(b.rigid.get());
    body.push_back(std::move(b));
    return int(body.size()) - 1;
}

void bullet_world::join(const rival_joint &j)
{
    btRigidBody &a = rigid(j.a), &b = rigid(j.b);
    btTransform to_a = a.getWorldTransform().inverse(), to_b = b.getWorldTransform().inverse();
    btVector3 at = vector(j.at), axis = vector(j.axis).normalized(), across, third;
    btPlaneSpace1(axis, across, third);
    if (j.kind == "ball")
        joint.push_back(std::make_unique<btPoint2PointConstraint>(a, b, to_a * at, to_b * at));
    else if (j.kind == "hinge") {
        // Its frame's z is the axis.
        btMatrix3x3 turn(across.x(), third.x(), axis.x(), across.y(), third.y(), axis.y(), across.z(), third.z(),
                         axis.z());
        btTransform frame(turn, at);
        auto hinge = std::make_unique<btHingeConstraint>(a, b, to_a * frame, to_b * frame, true);
        if (j.is_limited) hinge->setLimit(btScalar(j.low), btScalar(j.high));
        if (j.is_driven) hinge->enableAngularMotor(true, btScalar(j.speed), btScalar(j.most) * h);
        joint.push_back(std::move(hinge));
    } else if (j.kind == "prismatic") {
        btMatrix3x3 turn(axis.x(), across.x(), third.x(), axis.y(), across.y(), third.y(), axis.z(), across.z(),
                         third.z());
        btTransform frame(turn, at);
        auto slider = std::make_unique<btSliderConstraint>(a, b, to_a * frame, to_b * frame, true);
        slider->setLowerLinLimit(1);
        slider->setUpperLinLimit(-1); // none
        joint.push_back(std::move(slider));
    } else if (j.kind == "fixed") {
        btTransform frame(btMatrix3x3::getIdentity(), at);
        joint.push_back(std::make_unique<btFixedConstraint>(a, b, to_a * frame, to_b * frame));
    } else
        throw std::invalid_argument(j.kind);
    world.addConstraint(joint.back().get(), true);
}

} // namespace

std::unique_ptr<rival_world> make_bullet(double step, const vector3 &gravity)
{
    return std::make_unique<bullet_world>(step, gravity);
}
