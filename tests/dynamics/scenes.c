#include "dynamics/scenes.h"

#include <math.h>
#include <string.h>

#include "support/context.h"

void scene_clear(scene *s)
{
    memset(s, 0, sizeof *s);
    s->def = er_default_world_def();
    s->def.gravity = er_v3(0, 0, -g);
    s->def.integrator = ER_INTEGRATE_CONTACT;
    s->def.max_step = 1.0 / hz;
}

static er_world_shape *add_shape(scene *s, er_shape solid, int body, er_pose pose, double friction, double restitution)
{
    assert_true(s->shape_count < SCENE_MOST);
    s->shape[s->shape_count] = (er_world_shape){.tag = ER_DEF_TAG,
                                                .shape = solid,
                                                .body = body,
                                                .pose = pose,
                                                .friction = friction,
                                                .restitution = restitution};
    return &s->shape[s->shape_count++];
}

int scene_add(scene *s, er_shape solid, double mass, er_pose pose, double friction, double restitution)
{
    double weight;
    er_vec3 centre;
    er_mat3 J;
    if (er_shape_mass(context, &solid, 1.0, &weight, &centre, &J) != ER_OK) fail_msg("%s", er_context_error(context));
    double share = mass / weight;
    er_vec3 moments = er_v3(share * J.m[0][0], share * J.m[1][1], share * J.m[2][2]);
    int body = rig_add_body(&s->rig, mass, moments, pose.q, er_pose_point(pose, centre), pose);
    add_shape(s, solid, body, er_pose_identity(), friction, restitution);
    return body;
}

void scene_add_plane(scene *s, er_vec3 through, er_quat tilt, double friction)
{
    add_shape(s, (er_shape){.kind = ER_SHAPE_PLANE}, -1, (er_pose){tilt, through}, friction, 1.0);
}

void scene_add_fixed(scene *s, er_shape solid, er_pose pose, double friction)
{
    add_shape(s, solid, -1, pose, friction, 1.0);
}

er_shape scene_ball(double radius)
{
    return (er_shape){.kind = ER_SHAPE_SPHERE, .radius = radius};
}

er_shape scene_brick(double x, double y, double z)
{
    return (er_shape){.kind = ER_SHAPE_BOX, .half = {x, y, z}};
}

er_shape scene_pill(double radius, double length)
{
    return (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = radius, .length = length};
}

er_world *scene_another(scene *s)
{
    er_world *w = NULL;
    s->def.model = s->model;
    s->def.shape_count = s->shape_count;
    s->def.shape = s->shape;
    if (er_world_create(context, &s->def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

er_world *scene_begin(scene *s)
{
    s->model = rig_model(context, &s->rig);
    return scene_another(s);
}

void scene_end(scene *s, er_world *w)
{
    er_world_destroy(w);
    er_model_destroy(s->model);
    s->model = NULL;
}

void scene_advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

double scene_energy(er_world *w)
{
    return er_world_measure_energy(w).mechanical;
}

double scene_fastest(const scene *s, const er_world *w)
{
    double fastest = 0.0;
    for (int b = 0; b < s->rig.body_count; ++b)
        fastest = fmax(fastest, er_v3_norm(er_world_twist(w)[b].linear));
    return fastest;
}

double scene_deepest(const er_world *w)
{
    double deepest = 0.0;
    for (int i = 0; i < er_world_contact_count(w); ++i)
        deepest = fmax(deepest, -er_world_contact(w, i).distance);
    return deepest;
}

// The same group: pills of one body pass through each other.
static int add_limb(scene *s, double radius, double mass, er_pose frame, er_vec3 from, er_vec3 to)
{
    er_vec3 along = er_v3_sub(to, from), z = er_v3(0, 0, 1);
    double length = er_v3_norm(along), cosine = along.z / length;
    er_vec3 axis = er_v3_cross(z, along);
    double sine = er_v3_norm(axis);
    er_quat turn = sine > 1e-12 ? er_q_exp(er_v3_scale(acos(cosine) / sine, axis)) : er_q_identity();
    er_pose pose = {turn, er_v3_scale(0.5, er_v3_add(from, to))};
    int body = scene_add(s, scene_pill(radius, length), mass, er_pose_mul(frame, pose), 0.6, 0.0);
    s->shape[s->shape_count - 1].groups = s->shape[s->shape_count - 1].ignores = 1;
    return body;
}

int scene_chain(scene *s, int links, double height, double last_mass)
{
    int body = -1;
    for (int i = 0; i < links; ++i) {
        double x = 0.5 * i, z = height;
        body = add_limb(s, 0.08, i + 1 < links ? 1.0 : last_mass, er_pose_identity(), er_v3(x - 0.15, 0, z),
                        er_v3(x + 0.15, 0, z));
        if (i > 0)
            rig_add_joint(&s->rig, i % 2 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, body - 1, body,
                          (er_pose){er_q_exp(er_v3(1, 0, 0)), er_v3(x - 0.25, 0, z)});
    }
    return body;
}

void scene_ragdoll(scene *s, double height, er_quat tilt, er_vec3 at)
{
    er_pose frame = {tilt, er_v3_add(at, er_v3(0, 0, height))};
    er_quat across = er_q_exp(er_v3(0, 0.5 * ER_PI, 0));
    int trunk = add_limb(s, 0.14, 30.0, frame, er_v3(0, 0, 1.0), er_v3(0, 0, 1.4));
    int head = add_limb(s, 0.1, 5.0, frame, er_v3(0, 0, 1.66), er_v3(0, 0, 1.7));
    rig_add_joint(&s->rig, ER_JOINT_SPHERICAL, trunk, head,
                  er_pose_mul(frame, (er_pose){er_q_identity(), {0, 0, 1.55}}));
    for (int side = -1; side <= 1; side += 2) {
        double y = 0.12 * side, out = 0.25 * side;
        const er_vec3 hip = {0, y, 0.9}, knee = {0.02, y, 0.5}, foot = {0, y, 0.08};
        const er_vec3 shoulder = {0, out, 1.4}, elbow = {0, 1.2 * out, 1.15}, hand = {0.1, 1.2 * out, 0.9};
        int thigh = add_limb(s, 0.07, 9.0, frame, hip, er_v3(0.02, y, 0.58));
        int shin = add_limb(s, 0.06, 5.0, frame, er_v3(0.02, y, 0.44), foot);
        int upper = add_limb(s, 0.05, 3.0, frame, shoulder, er_v3(0, 1.18 * out, 1.2));
        int lower = add_limb(s, 0.045, 2.0, frame, er_v3(0.02, 1.2 * out, 1.1), hand);
        rig_add_joint(&s->rig, ER_JOINT_SPHERICAL, trunk, thigh, er_pose_mul(frame, (er_pose){er_q_identity(), hip}));
        rig_add_joint(&s->rig, ER_JOINT_REVOLUTE, thigh, shin,
                      er_pose_mul(frame, (er_pose){er_q_exp(er_v3(0.5 * ER_PI, 0, 0)), knee}));
        rig_add_joint(&s->rig, ER_JOINT_SPHERICAL, trunk, upper,
                      er_pose_mul(frame, (er_pose){er_q_identity(), shoulder}));
        rig_add_joint(&s->rig, ER_JOINT_REVOLUTE, upper, lower, er_pose_mul(frame, (er_pose){across, elbow}));
    }
}
