// Contact scenes: spheres in a box, a hanging bridge, falling people.
#include <math.h>
#include <stdlib.h>

#include "tools/bench/contacts.h"

const char *bench_scene_name(bench_scene_kind kind)
{
    static const char *const names[BENCH_SCENE_COUNT] = {"spheres", "bridge", "ragdolls"};
    return names[kind];
}

static er_pose pose_of(er_quat q, er_vec3 p)
{
    return (er_pose){q, p};
}

// Bodies, joints and shapes in the order they are added; their number is known.
typedef struct parts {
    er_body *body;
    er_joint *joint;
    er_world_shape *shape;
    int bodies, joints, shapes;
} parts;

static bool hold(parts *p, int bodies, int joints, int shapes)
{
    p->body = calloc((size_t)bodies, sizeof *p->body);
    p->joint = calloc((size_t)joints + 1, sizeof *p->joint);
    p->shape = calloc((size_t)shapes + 1, sizeof *p->shape);
    return p->body != NULL && p->joint != NULL && p->shape != NULL;
}

static int add_body(parts *p, double mass, er_mat3 inertia, er_pose pose)
{
    p->body[p->bodies] = (er_body){.mass = mass, .inertia = inertia, .pose = pose};
    return p->bodies++;
}

static er_joint *add_joint(parts *p, er_joint_type type, int parent, int child, er_pose frame)
{
    p->joint[p->joints] = (er_joint){.parent = parent, .child = child, .type = type, .frame = frame};
    return &p->joint[p->joints++];
}

static er_world_shape *add_shape(parts *p, er_shape shape, int body, er_pose pose)
{
    er_world_shape *out = &p->shape[p->shapes++];
    *out = er_default_world_shape();
    out->shape = shape;
    out->body = body;
    out->pose = pose;
    return out;
}

static void add_plane(parts *p, er_vec3 at, er_vec3 normal)
{
    const er_vec3 up = {0, 0, 1};
    er_quat turn = er_q_exp(er_v3_scale(acos(er_v3_dot(up, normal)), er_v3_cross(up, normal)));
    add_shape(p, (er_shape){.kind = ER_SHAPE_PLANE}, -1, pose_of(turn, at));
}

static er_mat3 diagonal(double x, double y, double z)
{
    return (er_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

// ---- spheres

// In [-0.5, 0.5), the same on every machine (splitmix64).
static double random_unit(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
}

static bool make_spheres(parts *p, int count)
{
    const double radius = 0.5, apart = 1.1, jitter = 0.08, above = 1.0, wider = 0.05, moment = 0.4 * radius * radius;
    int side = (int)ceil(cbrt(count) - 1e-9);
    uint64_t state = 1;
    if (!hold(p, count, 0, count + 5)) return false;
    for (int i = 0; i < count; ++i) {
        er_vec3 at = er_v3(apart * (i % side), apart * (i / side % side), above + radius + apart * (i / side / side));
        er_vec3 off = {random_unit(&state), 0, 0};
        off.y = random_unit(&state);
        off.z = random_unit(&state);
        int body =
            add_body(p, 1.0, diagonal(moment, moment, moment), pose_of(er_q_identity(), er_v3_madd(at, jitter, off)));
        add_shape(p, (er_shape){.kind = ER_SHAPE_SPHERE, .radius = radius}, body, er_pose_identity());
    }
    double low = -0.5 * apart - wider, high = apart * (side - 0.5) + wider;
    add_plane(p, er_v3(0, 0, 0), er_v3(0, 0, 1));
    add_plane(p, er_v3(low, 0, 0), er_v3(1, 0, 0));
    add_plane(p, er_v3(high, 0, 0), er_v3(-1, 0, 0));
    add_plane(p, er_v3(0, low, 0), er_v3(0, 1, 0));
    add_plane(p, er_v3(0, high, 0), er_v3(0, -1, 0));
    return true;
}

// ---- the bridge

static bool make_bridge(parts *p, int count)
{
    const double length = 1.0, width = 0.6, thick = 0.1, span = 0.8, below = 1.5, mass = 20.0, radius = 0.5;
    const double slope = acos(span), moment = 0.4 * mass * radius * radius;
    const er_quat across = er_q_exp(er_v3(0.5 * ER_PI, 0, 0)); // hinges turn about y
    er_vec3 end = er_v3(-0.5 * span * count, 0, 0);
    if (!hold(p, count + 1, count + 2, 0)) return false;
    for (int i = 0; i < count; ++i) {
        double down = i < count / 2 ? slope : i >= (count + 1) / 2 ? -slope : 0.0;
        er_quat turn = er_q_exp(er_v3(0, down, 0));
        er_vec3 along = er_q_rotate(turn, er_v3(length, 0, 0));
        er_mat3 inertia = diagonal((width * width + thick * thick) / 12.0, (length * length + thick * thick) / 12.0,
                                   (length * length + width * width) / 12.0);
        add_body(p, 1.0, inertia, pose_of(turn, er_v3_madd(end, 0.5, along)));
        add_joint(p, ER_JOINT_REVOLUTE, i - 1, i, pose_of(across, end));
        end = er_v3_add(end, along);
        if (i + 1 != count / 2) continue;
        p->body[count] = (er_body){.mass = mass, .inertia = diagonal(moment, moment, moment)};
        p->body[count].pose = pose_of(er_q_identity(), er_v3_add(end, er_v3(0, 0, -below)));
        add_joint(p, ER_JOINT_SPHERICAL, i, count, pose_of(er_q_identity(), end));
    }
    ++p->bodies; // the weight
    add_joint(p, ER_JOINT_REVOLUTE, -1, count - 1, pose_of(across, end))->closes_loop = true;
    return true;
}

// ---- people

enum { LIMBS = 16 };

// A capsule upright at x, its caps' centres at low and high; `at`: where it is tied to `parent`. Metres.
static const struct limb {
    int parent;
    bool hinge;
    double x, low, high, radius, at;
} limbs[LIMBS] = {
    {-1, false, 0.0, 0.95, 1.05, 0.11, 0.0},   {0, false, 0.0, 1.10, 1.20, 0.11, 1.075},
    {1, false, 0.0, 1.28, 1.42, 0.12, 1.24},   {2, false, 0.0, 1.58, 1.70, 0.09, 1.50}, // pelvis, belly, chest, head
    {2, false, 0.2, 1.15, 1.42, 0.05, 1.42},   {4, true, 0.2, 0.90, 1.13, 0.04, 1.14},
    {5, false, 0.2, 0.78, 0.86, 0.04, 0.88}, // arm, forearm, hand
    {2, false, -0.2, 1.15, 1.42, 0.05, 1.42},  {7, true, -0.2, 0.90, 1.13, 0.04, 1.14},
    {8, false, -0.2, 0.78, 0.86, 0.04, 0.88},  {0, false, 0.1, 0.52, 0.90, 0.07, 0.93},
    {10, true, 0.1, 0.12, 0.48, 0.05, 0.50},   {11, false, 0.1, 0.03, 0.06, 0.03, 0.09}, // thigh, shin, foot
    {0, false, -0.1, 0.52, 0.90, 0.07, 0.93},  {13, true, -0.1, 0.12, 0.48, 0.05, 0.50},
    {14, false, -0.1, 0.03, 0.06, 0.03, 0.09},
};

static er_shape capsule_of(const struct limb *l)
{
    return (er_shape){.kind = ER_SHAPE_CAPSULE, .radius = l->radius, .length = l->high - l->low};
}

// A person's density, of 75 kg in all.
static er_result weigh(er_context *context, double *density)
{
    double volume = 0.0, mass;
    er_vec3 centre;
    er_mat3 inertia;
    for (int i = 0; i < LIMBS; ++i) {
        er_shape shape = capsule_of(&limbs[i]);
        er_result r = er_shape_mass(context, &shape, 1.0, &mass, &centre, &inertia);
        if (r != ER_OK) return r;
        volume += mass;
    }
    *density = 75.0 / volume;
    return ER_OK;
}

// Rotates the bits so that people with equal bits are at least 5 m apart.
static uint32_t group_of(int column, int row)
{
    return 1u << (column % 6 + 6 * (row % 5));
}

static er_result make_person(er_context *context, parts *p, double density, double pitch, er_vec3 feet, uint32_t group)
{
    const er_quat turn = er_q_exp(er_v3(pitch, 0, 0)), across = er_q_exp(er_v3(0, 0.5 * ER_PI, 0));
    int first = p->bodies;
    for (int i = 0; i < LIMBS; ++i) {
        const struct limb *l = &limbs[i];
        er_shape shape = capsule_of(l);
        er_vec3 middle = {l->x, 0, 0.5 * (l->low + l->high)}, centre;
        er_mat3 inertia;
        double mass;
        er_result r = er_shape_mass(context, &shape, density, &mass, &centre, &inertia);
        if (r != ER_OK) return r;
        int body = add_body(p, mass, inertia, pose_of(turn, er_v3_add(feet, er_q_rotate(turn, middle))));
        er_world_shape *s = add_shape(p, shape, body, er_pose_identity());
        s->groups = s->ignores = group;
        if (l->parent < 0) continue;
        er_vec3 at = er_v3_add(feet, er_q_rotate(turn, er_v3(l->x, 0, l->at)));
        add_joint(p, l->hinge ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL, first + l->parent, body,
                  pose_of(l->hinge ? er_q_mul(turn, across) : turn, at));
    }
    return ER_OK;
}

static er_result make_people(er_context *context, parts *p, int count)
{
    const double apart = 1.0, above = 1.5;
    int side = (int)ceil(sqrt(count) - 1e-9);
    double density;
    if (!hold(p, LIMBS * count, LIMBS * count, LIMBS * count + 1)) return ER_ERROR_MEMORY;
    er_result r = weigh(context, &density);
    for (int k = 0; k < count && r == ER_OK; ++k) {
        er_vec3 feet = {apart * (k % side), apart * (k / side), above};
        r = make_person(context, p, density, 0.3 + 0.5 * k / (count - 1), feet, group_of(k % side, k / side));
    }
    add_plane(p, er_v3(0, 0, 0), er_v3(0, 0, 1));
    return r;
}

er_result bench_scene_begin(er_context *context, bench_scene_kind kind, int count, bench_contact_scene *out)
{
    parts p = {0};
    er_result r = ER_OK;
    *out = (bench_contact_scene){.gravity = er_v3(0, 0, kind == BENCH_SPHERES ? -0.9 : -9.81)};
    if (kind == BENCH_SPHERES && !make_spheres(&p, count)) r = ER_ERROR_MEMORY;
    if (kind == BENCH_BRIDGE && !make_bridge(&p, count)) r = ER_ERROR_MEMORY;
    if (kind == BENCH_RAGDOLLS) r = make_people(context, &p, count);
    out->shape = p.shape;
    out->shape_count = p.shapes;
    er_model_def def = er_default_model_def();
    def.body_count = p.bodies;
    def.body = p.body;
    def.joint_count = p.joints;
    def.joint = p.joint;
    if (r == ER_OK) r = er_model_create(context, &def, &out->model);
    free(p.body);
    free(p.joint);
    return r;
}

void bench_scene_end(bench_contact_scene *scene)
{
    er_model_destroy(scene->model);
    free(scene->shape);
}
