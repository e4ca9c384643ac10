// Families of rigs of any number of bodies: chains, trees, characters, nets and curtains.
#include "tools/bench/rigs.h"

#include <stdio.h>
#include <stdlib.h>

#include <eigenrig/rig.h>

static const double width = 2.0; // m: length of the chain, width of net and curtain

// Bodies and joints under construction, with room for all bodies and for two joints a body.
typedef struct rods {
    er_body *body;
    er_joint *joint;
    int wanted, bodies, joints;
} rods;

static bool complete(const rods *r)
{
    return r->bodies == r->wanted;
}

// A solid cylinder along the x axis of `pose`, which is its frame, from the origin to `length`.
static int add_rod(rods *r, er_pose pose, double length, double radius, double mass)
{
    double along = 0.5 * mass * radius * radius, across = 0.5 * along + mass * length * length / 12.0;
    r->body[r->bodies] = (er_body){.mass = mass,
                                   .com = {0.5 * length, 0, 0},
                                   .inertia = {{{along, 0, 0}, {0, across, 0}, {0, 0, across}}},
                                   .pose = pose};
    return r->bodies++;
}

static double length_of(const rods *r, int body)
{
    return 2.0 * r->body[body].com.x;
}

static er_vec3 tail_of(const rods *r, int body)
{
    return er_pose_point(r->body[body].pose, er_v3(length_of(r, body), 0, 0));
}

// A joint whose axes are those of its child.
static void add_joint(rods *r, er_joint_type type, int parent, int child, er_vec3 at, double stiffness,
                      bool closes_loop)
{
    er_joint *j = &r->joint[r->joints++];
    *j = (er_joint){.parent = parent,
                    .child = child,
                    .type = type,
                    .frame = {r->body[child].pose.q, at},
                    .closes_loop = closes_loop};
    for (int c = 0; c < 6; ++c) {
        j->stiffness[c] = stiffness;
        j->limit[c][0] = -HUGE_VAL;
        j->limit[c][1] = HUGE_VAL;
    }
    j->swing = j->twist[1] = HUGE_VAL, j->twist[0] = -HUGE_VAL;
}

// A rod that hangs by its head.
static void hang(rods *r, er_joint_type type, int parent, int child, double stiffness)
{
    add_joint(r, type, parent, child, r->body[child].pose.p, stiffness, false);
}

static void chain(rods *r)
{
    const double bending_stiffness = 1.0, mass = 1.0;
    double length = width / r->wanted;
    for (int i = 0; i < r->wanted; ++i) {
        er_pose pose = {er_q_identity(), {i * length, 0, 0}};
        add_rod(r, pose, length, 0.01, mass / r->wanted);
        if (i > 0) hang(r, ER_JOINT_SPHERICAL, i - 1, i, bending_stiffness / length);
    }
}

static void tree(rods *r)
{
    const double shrink = 0.8, fork = 35.0 * ER_PI / 180.0, thickness = 0.1, density = 1000.0;
    er_pose pose = er_pose_identity();
    double length = 0.5;
    for (int i = 0; i < r->wanted; ++i) {
        int parent = (i - 1) / 2;
        if (i > 0) {
            bool odd = ilogb(i + 1.0) % 2 == 1; // branches of a level fork in one plane, those of the next level across
                                                // it
            double turn = i % 2 == 1 ? fork : -fork;
            er_quat q = er_q_exp(odd ? er_v3(0, 0, turn) : er_v3(0, turn, 0));
            pose = (er_pose){er_q_unit(er_q_mul(r->body[parent].pose.q, q)), tail_of(r, parent)};
            length = shrink * length_of(r, parent);
        }
        double radius = thickness * length;
        add_rod(r, pose, length, radius, density * ER_PI * radius * radius * length);
        if (i > 0) hang(r, ER_JOINT_SPHERICAL, parent, i, 1.0);
    }
}

// SplitMix64 (Steele, Lea, Flood 2014), as a number in [0, 1).
static double random_unit(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static er_vec3 random_vector(uint64_t *seed, double size)
{
    double x = random_unit(seed), y = random_unit(seed), z = random_unit(seed);
    return er_v3(size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1));
}

static void character(rods *r)
{
    const double bend = 0.4, thickness = 0.15; // bend in rad, from bone to bone of a limb
    uint64_t seed = 1;
    int longest = 1 + (int)(0.5 * sqrt(r->wanted)); // bones of a limb
    for (int left = 0, at = -1; !complete(r); --left) {
        er_pose pose = er_pose_identity();
        bool new_limb = left == 0;
        if (new_limb) {
            left = 1 + (int)(longest * random_unit(&seed));
            at = (int)(r->bodies * random_unit(&seed));
        }
        if (r->bodies > 0) {
            er_quat turn = er_q_exp(random_vector(&seed, new_limb ? 1.5 : bend));
            pose = (er_pose){er_q_unit(er_q_mul(r->body[at].pose.q, turn)), tail_of(r, at)};
        }
        double length = 0.05 * pow(10.0, random_unit(&seed)), mass = 0.2 * pow(10.0, random_unit(&seed));
        int bone = add_rod(r, pose, length, thickness * length, mass);
        if (bone > 0) hang(r, random_unit(&seed) < 0.5 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE, at, bone, 1.0);
        at = bone;
    }
}

// Across the plane z = 0.
static er_pose mirrored(er_pose pose)
{
    return (er_pose){{pose.q.w, -pose.q.x, -pose.q.y, pose.q.z}, {pose.p.x, pose.p.y, -pose.p.z}};
}

// A fifth of the bodies, less or more by one, are the trunk. Each limb has a bone on either side, one after the other.
static void animal(rods *r)
{
    const double bend = 0.4, thickness = 0.15;
    uint64_t seed = 1;
    int trunk = r->wanted < 10 ? 1 : r->wanted / 5, longest = 1 + (int)(0.5 * sqrt(r->wanted));
    trunk += (r->wanted - trunk) % 2;
    for (int i = 0; i < trunk; ++i) {
        er_quat turn = er_q_exp(er_v3(0, 0, bend * (2 * random_unit(&seed) - 1)));
        er_pose pose = er_pose_identity();
        if (i > 0) pose = (er_pose){er_q_unit(er_q_mul(r->body[i - 1].pose.q, turn)), tail_of(r, i - 1)};
        double length = 0.1 * pow(3.0, random_unit(&seed)), mass = pow(3.0, random_unit(&seed));
        add_rod(r, pose, length, thickness * length, mass);
        if (i > 0) hang(r, ER_JOINT_SPHERICAL, i - 1, i, 1.0);
    }
    for (int left = 0, at[2] = {-1, -1}; !complete(r); --left) {
        bool new_limb = left == 0;
        if (new_limb) {
            left = 1 + (int)(longest * random_unit(&seed));
            int from = (int)(r->bodies * random_unit(&seed)), first = from - (from - trunk) % 2;
            at[0] = from < trunk ? from : first;
            at[1] = from < trunk ? from : first + 1;
        }
        er_quat turn = er_q_exp(random_vector(&seed, new_limb ? 1.5 : bend));
        er_pose pose = {er_q_unit(er_q_mul(r->body[at[0]].pose.q, turn)), tail_of(r, at[0])};
        double length = 0.05 * pow(10.0, random_unit(&seed)), mass = 0.2 * pow(10.0, random_unit(&seed));
        er_joint_type type = random_unit(&seed) < 0.5 ? ER_JOINT_SPHERICAL : ER_JOINT_REVOLUTE;
        for (int side = 0; side < 2; ++side) {
            int bone = add_rod(r, side == 0 ? pose : mirrored(pose), length, thickness * length, mass);
            hang(r, type, at[side], bone, 1.0);
            at[side] = bone;
        }
    }
}

static er_quat down(void)
{
    return er_q_exp(er_v3(0, 0, -0.5 * ER_PI));
}

// Row by row: the rods along a row of knots, then those down from it. All rods of a knot are joined to one of them, its
// hub: the rod from the left or, in the first column, from above. A knot with both closes a mesh.
static void net(rods *r, int *above)
{
    const double stiffness = 1.0, mass = 1.0 / r->wanted;
    int columns = (int)ceil(0.5 * (1.0 + sqrt(1.0 + 2.0 * r->wanted))); // 2 c (c - 1) rods make the whole square
    double length = width / (columns - 1), radius = 0.05 * length;
    for (int row = 0; !complete(r); ++row) {
        int first = r->bodies;
        for (int c = 0; c + 1 < columns && !complete(r); ++c) {
            er_pose pose = {er_q_identity(), {c * length, -row * length, 0}};
            int rod = add_rod(r, pose, length, radius, mass);
            if (c > 0 || row > 0) hang(r, ER_JOINT_SPHERICAL, c > 0 ? rod - 1 : above[0], rod, stiffness);
            if (row > 0) add_joint(r, ER_JOINT_SPHERICAL, rod, above[c + 1], tail_of(r, rod), stiffness, true);
        }
        for (int c = 0; c < columns && !complete(r); ++c) {
            er_pose pose = {down(), {c * length, -row * length, 0}};
            int rod = add_rod(r, pose, length, radius, mass);
            hang(r, ER_JOINT_SPHERICAL, c > 0 ? first + c - 1 : row > 0 ? above[0] : first, rod, stiffness);
            above[c] = rod;
        }
    }
}

static void curtain(rods *r, int *above)
{
    enum { TIED = 3 }; // every third row of links
    const double stiffness = 1.0, mass = 1.0 / r->wanted;
    int columns = 1 + (int)sqrt(0.5 * r->wanted);
    double length = width / (columns - 1), radius = 0.05 * length;
    for (int c = 0; c < columns; ++c)
        above[c] = -1; // the world
    for (int row = 1; !complete(r); ++row) {
        for (int c = 0; c < columns && !complete(r); ++c) {
            er_pose pose = {down(), {c * length, -(row - 1) * length, 0}};
            int link = add_rod(r, pose, length, radius, mass);
            hang(r, ER_JOINT_SPHERICAL, above[c], link, stiffness);
            above[c] = link;
        }
        for (int c = 0; c + 1 < columns && row % TIED == 0 && !complete(r); ++c) {
            er_pose pose = {er_q_identity(), {c * length, -row * length, 0}};
            int tie = add_rod(r, pose, length, radius, mass);
            hang(r, ER_JOINT_SPHERICAL, above[c], tie, stiffness);
            add_joint(r, ER_JOINT_SPHERICAL, above[c + 1], tie, tail_of(r, tie), stiffness, true);
        }
    }
}

static const char *const names[BENCH_RIG_COUNT] = {"chain", "tree", "character", "animal", "net", "curtain"};

const char *bench_rig_name(bench_rig rig)
{
    return names[rig];
}

static void lay(rods *r, bench_rig rig, int *above)
{
    if (rig == BENCH_CHAIN) chain(r);
    if (rig == BENCH_TREE) tree(r);
    if (rig == BENCH_CHARACTER) character(r);
    if (rig == BENCH_ANIMAL) animal(r);
    if (rig == BENCH_NET) net(r, above);
    if (rig == BENCH_CURTAIN) curtain(r, above);
}

static er_result graded(er_context *context, er_model **model)
{
    const er_stiffness law = {.hz = 2.0, .alpha = 0.5};
    er_rig_change change = er_default_rig_change();
    er_model *soft = *model;
    change.stiffness = &law;
    er_result r = er_rig_change_model(context, soft, &change, model);
    er_model_destroy(soft);
    return r;
}

// Makes room for the bodies, and for the joints of a tree or of nets.
static bool begin(rods *r, int bodies)
{
    size_t n = (size_t)bodies;
    *r = (rods){.body = calloc(n, sizeof *r->body), .joint = calloc(2 * n, sizeof *r->joint), .wanted = bodies};
    return r->body != NULL && r->joint != NULL;
}

static er_result finish(er_context *context, rods *r, const char *name, er_model **out)
{
    er_model_def def = er_default_model_def();
    def.name = name;
    def.body_count = r->bodies;
    def.body = r->body;
    def.joint_count = r->joints;
    def.joint = r->joint;
    return er_model_create(context, &def, out);
}

er_result bench_rig_create(er_context *context, bench_rig rig, int bodies, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (bodies < BENCH_LEAST_BODIES || bodies > BENCH_MOST_BODIES || (unsigned)rig >= BENCH_RIG_COUNT)
        return ER_ERROR_ARGUMENT;
    rods r;
    int *above = calloc((size_t)bodies + 1, sizeof *above);
    er_result result = ER_ERROR_MEMORY;
    if (begin(&r, bodies) && above != NULL) {
        char name[64];
        snprintf(name, sizeof name, "%s_%d", names[rig], bodies);
        lay(&r, rig, above);
        result = finish(context, &r, name, out);
    }
    free(above);
    free(r.joint);
    free(r.body);
    if (result == ER_OK && (rig == BENCH_TREE || rig == BENCH_CHARACTER || rig == BENCH_ANIMAL))
        result = graded(context, out);
    return result;
}

// ---- Double pendulum and person

er_result bench_pendulum_create(er_context *context, er_model **out)
{
    rods r;
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_result result = begin(&r, 2) ? ER_OK : ER_ERROR_MEMORY;
    for (int i = 0; i < 2 && result == ER_OK; ++i) {
        add_rod(&r, (er_pose){er_q_identity(), {i, 0, 0}}, 1.0, 0.05, 1.0);
        hang(&r, ER_JOINT_REVOLUTE, i - 1, i, 0.0);
    }
    if (result == ER_OK) result = finish(context, &r, "pendulum", out);
    free(r.joint);
    free(r.body);
    return result;
}

typedef struct part {
    int up;
    bool hinge;
    double from[3], to[3], radius, mass; // m, kg
} part;

// Arms, then legs; the right ones mirror the left ones.
static const part trunk[] = {{-1, false, {0, 0.95, 0}, {0, 1.10, 0}, 0.12, 12.0},
                             {0, false, {0, 1.10, 0}, {0, 1.25, 0}, 0.11, 12.0},
                             {1, false, {0, 1.25, 0}, {0, 1.45, 0}, 0.13, 16.0},
                             {2, false, {0, 1.50, 0}, {0, 1.75, 0}, 0.09, 5.0}},
                  limbs[] = {{2, false, {0.20, 1.42, 0}, {0.22, 1.14, 0}, 0.045, 2.2},
                             {-1, true, {0.22, 1.14, 0}, {0.24, 0.88, 0.03}, 0.038, 1.3},
                             {-1, false, {0.24, 0.88, 0.03}, {0.24, 0.70, 0.05}, 0.035, 0.5},
                             {0, false, {0.09, 0.92, 0}, {0.10, 0.50, 0.02}, 0.07, 7.0},
                             {-1, true, {0.10, 0.50, 0.02}, {0.10, 0.09, 0}, 0.05, 3.0},
                             {-1, false, {0.10, 0.09, 0}, {0.10, 0.03, 0.20}, 0.04, 1.0}};

static void add_part(rods *r, const part *p, int up, double side)
{
    er_vec3 from = er_v3(side * p->from[0], p->from[1], p->from[2]), to = er_v3(side * p->to[0], p->to[1], p->to[2]);
    er_vec3 along = er_v3_unit(er_v3_sub(to, from), er_v3(1, 0, 0)), x = er_v3(1, 0, 0);
    er_quat turn = er_q_unit(er_q(1.0 + er_v3_dot(x, along), 0, -along.z, along.y)); // x to `along`
    int rod = add_rod(r, (er_pose){turn, from}, er_v3_distance(from, to), p->radius, p->mass);
    if (up < 0) return;
    hang(r, p->hinge ? ER_JOINT_REVOLUTE : ER_JOINT_SPHERICAL, up, rod, 10.0);
    for (int c = 0; c < 6; ++c)
        r->joint[r->joints - 1].damping[c] = 0.05;
}

er_result bench_ragdoll_create(er_context *context, er_model **out)
{
    enum { TRUNK = sizeof trunk / sizeof *trunk, LIMBS = sizeof limbs / sizeof *limbs };
    rods r;
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    er_result result = begin(&r, TRUNK + 2 * LIMBS) ? ER_OK : ER_ERROR_MEMORY;
    for (int i = 0; i < TRUNK && result == ER_OK; ++i)
        add_part(&r, &trunk[i], trunk[i].up, 1.0);
    for (int i = 0; i < 2 * LIMBS && result == ER_OK; ++i) {
        const part *p = &limbs[i % LIMBS];
        add_part(&r, p, p->up >= 0 ? p->up : r.bodies - 1, i < LIMBS ? 1.0 : -1.0);
    }
    if (result == ER_OK) result = finish(context, &r, "ragdoll", out);
    free(r.joint);
    free(r.body);
    return result;
}
