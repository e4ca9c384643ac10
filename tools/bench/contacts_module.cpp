// Bullet as a contact engine, in a module of its own, so that only programs that load it need Bullet. Single precision,
// as Bullet comes; all other settings are its defaults.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "tools/bench/contacts.h"

namespace
{

btVector3 vector(er_vec3 v)
{
    return {btScalar(v.x), btScalar(v.y), btScalar(v.z)};
}

btTransform transform(er_pose p)
{
    return btTransform(btQuaternion(btScalar(p.q.x), btScalar(p.q.y), btScalar(p.q.z), btScalar(p.q.w)), vector(p.p));
}

struct Filter : btOverlapFilterCallback {
    const er_world_shape *shape;

    // Bodies store the index of their shape.
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override
    {
        int i = static_cast<btCollisionObject *>(a->m_clientObject)->getUserIndex();
        int j = static_cast<btCollisionObject *>(b->m_clientObject)->getUserIndex();
        return i >= 0 && j >= 0 && !bench_shapes_pass(&shape[i], &shape[j]);
    }
};

struct Bullet {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    Filter filter;
    btEmptyShape nothing;
    std::vector<std::unique_ptr<btCollisionShape>> shape;
    std::vector<std::unique_ptr<btRigidBody>> body; // the scene's, then those that stand in the world
    std::vector<std::unique_ptr<btTypedConstraint>> joint;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    int body_count = 0;
    btScalar step = 0;

    ~Bullet()
    {
        for (auto &j : joint)
            world.removeConstraint(j.get());
        for (auto &b : body)
            world.removeRigidBody(b.get());
    }
};

std::unique_ptr<btCollisionShape> shape_of(const er_shape &s)
{
    if (s.kind == ER_SHAPE_SPHERE) return std::make_unique<btSphereShape>(btScalar(s.radius));
    if (s.kind == ER_SHAPE_CAPSULE) return std::make_unique<btCapsuleShapeZ>(btScalar(s.radius), btScalar(s.length));
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
}

void add_body(Bullet &b, btCollisionShape *shape, int index, double friction, double mass, er_mat3 inertia,
              er_pose pose)
{
    btVector3 moments = {btScalar(inertia.m[0][0]), btScalar(inertia.m[1][1]), btScalar(inertia.m[2][2])};
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, moments);
    info.m_startWorldTransform = transform(pose);
    info.m_friction = btScalar(friction); // of a pair, the product
    b.body.push_back(std::make_unique<btRigidBody>(info));
    b.body.back()->setUserIndex(index);
    b.body.back()->setActivationState(DISABLE_DEACTIVATION);
    b.world.addRigidBody(b.body.back().get());
}

void add_joint(Bullet &b, const er_model &m, const er_joint &j)
{
    btRigidBody &child = *b.body[size_t(j.child)];
    btTransform there = transform(er_pose_mul(er_pose_inverse(m.body[j.child].pose), j.frame));
    bool hinge = j.type == ER_JOINT_REVOLUTE;
    if (j.parent < 0) {
        if (hinge)
            b.joint.push_back(std::make_unique<btHingeConstraint>(child, there));
        else
            b.joint.push_back(std::make_unique<btPoint2PointConstraint>(child, there.getOrigin()));
    } else {
        btRigidBody &parent = *b.body[size_t(j.parent)];
        btTransform here = transform(er_pose_mul(er_pose_inverse(m.body[j.parent].pose), j.frame));
        if (hinge)
            b.joint.push_back(std::make_unique<btHingeConstraint>(parent, child, here, there));
        else
            b.joint.push_back(
                std::make_unique<btPoint2PointConstraint>(parent, child, here.getOrigin(), there.getOrigin()));
    }
    b.world.addConstraint(b.joint.back().get());
}

void fill(Bullet &b, const bench_contact_scene &s)
{
    std::vector<int> first(size_t(s.model->body_count), -1);
    b.filter.shape = s.shape;
    b.world.getPairCache()->setOverlapFilterCallback(&b.filter);
    b.world.setGravity(vector(s.gravity));
    b.world.getDispatchInfo().m_useContinuous = false;
    b.world.setForceUpdateAllAabbs(false); // of what stands still
    b.world.getSolverInfo().m_numIterations = 10;
    for (int i = 0; i < s.shape_count; ++i) {
        b.shape.push_back(shape_of(s.shape[i].shape));
        if (s.shape[i].body >= 0) first[size_t(s.shape[i].body)] = i;
    }
    for (int i = 0; i < s.model->body_count; ++i) {
        const er_body &body = s.model->body[i];
        int k = first[size_t(i)];
        add_body(b, k < 0 ? &b.nothing : b.shape[size_t(k)].get(), k, k < 0 ? 0.0 : std::sqrt(s.shape[k].friction),
                 body.mass, body.inertia, body.pose);
    }
    for (int i = 0; i < s.shape_count; ++i)
        if (s.shape[i].body < 0)
            add_body(b, b.shape[size_t(i)].get(), i, std::sqrt(s.shape[i].friction), 0.0, er_mat3(), s.shape[i].pose);
    for (int k = 0; k < s.model->joint_count; ++k)
        add_joint(b, *s.model, s.model->joint[k]);
    b.body_count = s.model->body_count;
}

void *create(er_context *, const bench_contact_scene *scene, double step, char *, size_t)
{
    auto b = new Bullet;
    b->step = btScalar(step);
    fill(*b, *scene);
    return b;
}

void destroy(void *self)
{
    delete static_cast<Bullet *>(self);
}

bool advance(void *self)
{
    auto b = static_cast<Bullet *>(self);
    b->world.stepSimulation(b->step, 0);
    return true;
}

void poses(void *self, er_pose *pose)
{
    auto b = static_cast<Bullet *>(self);
    for (int i = 0; i < b->body_count; ++i) {
        btTransform at = b->body[size_t(i)]->getWorldTransform();
        btQuaternion q = at.getRotation();
        pose[i].q = er_q(q.w(), q.x(), q.y(), q.z());
        pose[i].p = er_v3(at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z());
    }
}

} // namespace

const bench_engine bench_contacts_module = {"bullet", create, destroy, advance, poses, nullptr};
