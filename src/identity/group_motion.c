// Motions of regions against the bodies that they hang on: energy, direction, bends, and the two sides.
#include "identity/group_motion.h"

#include <math.h>
#include <string.h>

static er_mat3 turned(er_mat3 r, er_mat3 inertia)
{
    return er_m3_mul(er_m3_mul(r, inertia), er_m3_transpose(r));
}

// Joints between two regions belong to the limb, whichever of its ends is nearer to the root.
static int group_of_joint(const er_regions *regions, const er_joint *j)
{
    int child = regions->of_body[j->child], parent = j->parent >= 0 ? regions->of_body[j->parent] : -1;
    bool limb_above = parent >= 0 && regions->region[child].kind == ER_REGION_TRUNK;
    return regions->region[limb_above ? parent : child].group;
}

er_result eri_motion_reader_create(er_arena *arena, const er_model *model, const er_regions *regions,
                                   eri_motion_reader *s)
{
    er_result r = ER_OK;
    int n = model->body_count;
    *s = (eri_motion_reader){.model = model, .regions = regions};
    ERI_TRY_NEW(s->middle, arena, er_vec3, n);
    ERI_TRY_NEW(s->inertia, arena, er_mat3, n);
    ERI_TRY_NEW(s->axes, arena, er_mat3, n);
    ERI_TRY_NEW(s->depth, arena, int, n);
    ERI_TRY_NEW(s->turn, arena, er_vec3, n);
    ERI_TRY_NEW(s->shift, arena, er_vec3, n);
    ERI_TRY_NEW(s->own_turn, arena, er_vec3, n);
    ERI_TRY_NEW(s->own_shift, arena, er_vec3, n);
    ERI_TRY_NEW(s->joint_group, arena, int, model->joint_count);
    ERI_TRY_NEW(s->energy, arena, double, regions->count);
    for (int i = 0; i < n; ++i) {
        const er_body *body = &model->body[i];
        s->middle[i] = er_pose_point(body->pose, body->com);
        s->axes[i] = er_m3_from_q(body->pose.q);
        s->inertia[i] = turned(s->axes[i], body->inertia);
    }
    for (int k = 0; k < n; ++k) {
        int i = model->order[k], up = model->tree_parent[i];
        s->depth[i] = up >= 0 && regions->of_body[up] == regions->of_body[i] ? s->depth[up] + 1 : 0;
    }
    for (int j = 0; j < model->joint_count; ++j)
        s->joint_group[j] = group_of_joint(regions, &model->joint[j]);
done:
    return r;
}

// --- velocities

static void read_velocities(eri_motion_reader *s, const er_mode *mode)
{
    for (int i = 0; i < s->model->body_count; ++i) {
        const er_body *body = &s->model->body[i];
        const double *v = mode->body + 6 * (ptrdiff_t)i;
        er_vec3 turn = er_v3(v[0], v[1], v[2]), shift = er_v3(v[3], v[4], v[5]);
        s->shift[i] = er_m3_mul_v(s->axes[i], er_v3_add(shift, er_v3_cross(turn, body->com)));
        s->turn[i] = er_m3_mul_v(s->axes[i], turn);
    }
}

static double energy_of(const eri_motion_reader *s, int body, er_vec3 turn, er_vec3 shift)
{
    return s->model->body[body].mass * er_v3_dot(shift, shift) + er_v3_dot(turn, er_m3_mul_v(s->inertia[body], turn));
}

// The motion of a region without anchor is measured against its own motion as one rigid body.
static void subtract_rigid(eri_motion_reader *s, const er_region *region)
{
    er_vec3 centre = {0, 0, 0}, momentum = {0, 0, 0}, spin = {0, 0, 0};
    er_mat3 inertia = {0};
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        centre = er_v3_madd(centre, s->model->body[i].mass / region->mass, s->middle[i]);
        momentum = er_v3_madd(momentum, s->model->body[i].mass / region->mass, s->shift[i]);
    }
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        double m = s->model->body[i].mass;
        er_vec3 d = er_v3_sub(s->middle[i], centre);
        spin = er_v3_add(spin, er_m3_mul_v(s->inertia[i], s->turn[i]));
        spin = er_v3_madd(spin, m, er_v3_cross(d, s->shift[i]));
        inertia = er_m3_madd(inertia, 1.0, s->inertia[i]);
        inertia = er_m3_madd(inertia, m * er_v3_dot(d, d), er_m3_identity());
        const double x[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
                inertia.m[a][c] -= m * x[a] * x[c];
    }
    er_vec3 turn = er_m3_mul_v(er_m3_inverse(inertia), spin);
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        er_vec3 carried = er_v3_add(momentum, er_v3_cross(turn, er_v3_sub(s->middle[i], centre)));
        s->own_turn[i] = er_v3_sub(s->turn[i], turn);
        s->own_shift[i] = er_v3_sub(s->shift[i], carried);
    }
}

// Whether a joint to the world holds the first body of a region.
static bool is_held(const er_model *model, const er_region *region)
{
    int root = region->body[0], joint = model->tree_joint[root];
    return model->tree_parent[root] < 0 && joint >= 0 && model->joint[joint].type != ER_JOINT_FREE;
}

static void read_region(eri_motion_reader *s, int index)
{
    const er_region *region = &s->regions->region[index];
    if (region->kind == ER_REGION_TRUNK && !is_held(s->model, region)) {
        subtract_rigid(s, region);
    } else {
        for (int k = 0; k < region->body_count; ++k) {
            int i = region->body[k], anchor = s->regions->anchor[i];
            er_vec3 carried = {0, 0, 0}, turn = {0, 0, 0};
            if (anchor >= 0) {
                turn = s->turn[anchor];
                er_vec3 d = er_v3_sub(s->middle[i], s->middle[anchor]);
                carried = er_v3_add(s->shift[anchor], er_v3_cross(turn, d));
            }
            s->own_turn[i] = er_v3_sub(s->turn[i], turn);
            s->own_shift[i] = er_v3_sub(s->shift[i], carried);
        }
    }
    s->energy[index] = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        s->energy[index] += energy_of(s, i, s->own_turn[i], s->own_shift[i]);
    }
}

static void read_group(eri_motion_reader *s, const er_region_group *group)
{
    for (int i = 0; i < group->region_count; ++i)
        read_region(s, group->region[i]);
}

static double strain_of(const er_model *model, const er_mode *mode, int joint)
{
    int at = model->coordinate[joint], count = model->coordinate[joint + 1] - at;
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += model->joint[joint].stiffness[i] * mode->joint[at + i] * mode->joint[at + i];
    return sum;
}

// A group's share is that of its joints in the energy of the springs; without strain that of its motion.
void eri_motion_read(eri_motion_reader *s, const er_mode *mode, double *share)
{
    const er_regions *regions = s->regions;
    double strain = 0.0, energy = 0.0;
    read_velocities(s, mode);
    memset(share, 0, (size_t)regions->group_count * sizeof *share);
    for (int j = 0; j < s->model->joint_count; ++j) {
        double own = strain_of(s->model, mode, j);
        share[s->joint_group[j]] += own;
        strain += own;
    }
    for (int k = 0; k < regions->count && !(strain > 0.0); ++k) {
        read_region(s, k);
        energy += s->energy[k];
        share[regions->region[k].group] += s->energy[k];
    }
    double whole = strain > 0.0 ? strain : energy;
    for (int g = 0; g < regions->group_count && whole > 0.0; ++g)
        share[g] /= whole;
}

double eri_motion_parity(const eri_motion_reader *s)
{
    const er_mirror *mirror = s->regions->mirror;
    double both = 0.0, own = 0.0, other = 0.0;
    for (int i = 0; i < s->model->body_count; ++i) {
        int image = mirror->body[i];
        own += energy_of(s, i, s->turn[i], s->shift[i]);
        if (image < 0) continue;
        er_vec3 shift = s->shift[image], turn = er_v3_scale(-1.0, s->turn[image]);
        shift = er_v3_madd(shift, -2.0 * er_v3_dot(shift, mirror->normal), mirror->normal);
        turn = er_v3_madd(turn, -2.0 * er_v3_dot(turn, mirror->normal), mirror->normal);
        er_vec3 spin = er_m3_mul_v(s->inertia[i], turn);
        both += s->model->body[i].mass * er_v3_dot(shift, s->shift[i]) + er_v3_dot(spin, s->turn[i]);
        other += s->model->body[i].mass * er_v3_dot(shift, shift) + er_v3_dot(spin, turn);
    }
    double whole = fmax(own, other);
    return whole > 0.0 ? fmax(-1.0, fmin(1.0, both / whole)) : 0.0;
}

// --- directions

static er_vec3 frame_axis(const eri_motion_reader *s, eri_way way)
{
    const er_gait_body *body = s->regions->body;
    return way == ERI_WAY_AHEAD ? body->forward : way == ERI_WAY_SIDE ? body->left : body->up;
}

static bool is_seen_to_bend(er_region_kind kind)
{
    return kind == ER_REGION_TRUNK || kind == ER_REGION_NECK;
}

// Bends of a trunk or neck: across its length they bend it, along it they twist it.
static void weigh_bends(const eri_motion_reader *s, const er_region *region, double weight[ERI_WAY_COUNT])
{
    const er_gait_body *body = s->regions->body;
    bool upright = fabs(er_v3_dot(region->along, body->up)) > 0.7;
    int group = region->group;
    er_vec3 across = er_v3_unit(er_v3_cross(region->along, body->left), body->up);
    for (int j = 0; j < s->model->joint_count; ++j) {
        const er_joint *joint = &s->model->joint[j];
        if (s->joint_group[j] != group || joint->parent < 0) continue;
        er_vec3 turn = er_v3_sub(s->turn[joint->child], s->turn[joint->parent]);
        double k = joint->stiffness[0], nod = er_v3_dot(turn, body->left), side = er_v3_dot(turn, across),
               twist = er_v3_dot(turn, region->along);
        weight[upright ? ERI_WAY_AHEAD : ERI_WAY_UP] += k * nod * nod;
        weight[ERI_WAY_SIDE] += k * side * side;
        weight[ERI_WAY_TWIST] += k * twist * twist;
    }
}

// Heads are seen to turn, not to shift: ahead is a nod, side a turn, twist a tilt.
static void weigh_turns(const eri_motion_reader *s, const er_region *region, double weight[ERI_WAY_COUNT])
{
    const er_gait_body *body = s->regions->body;
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        double m = s->model->body[i].mass, ahead = er_v3_dot(s->own_turn[i], body->forward),
               side = er_v3_dot(s->own_turn[i], body->left), up = er_v3_dot(s->own_turn[i], body->up);
        weight[ERI_WAY_UP] += m * side * side;
        weight[ERI_WAY_SIDE] += m * up * up;
        weight[ERI_WAY_TWIST] += m * ahead * ahead;
    }
}

// All bodies of a limb count alike: a light shin is seen to swing as well as a heavy thigh. A leg is seen against the
// ground too: one that stays where it is while the trunk turns above it does not swing. So directions of legs are
// weighed by motion against the trunk times that in space.
static void weigh_shifts(const eri_motion_reader *s, const er_region *region, double weight[ERI_WAY_COUNT])
{
    bool leg = region->kind == ER_REGION_LEG;
    double shifts[3] = {0}, whole = 0.0, seen = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        double twist = er_v3_dot(s->own_turn[i], region->along),
               inertia = er_v3_dot(region->along, er_m3_mul_v(s->inertia[i], region->along));
        for (int way = ERI_WAY_AHEAD; way <= ERI_WAY_UP; ++way) {
            er_vec3 axis = frame_axis(s, (eri_way)way);
            double own = er_v3_dot(s->own_shift[i], axis);
            shifts[way] += leg ? fabs(own * er_v3_dot(s->shift[i], axis)) : own * own;
        }
        whole += er_v3_dot(s->own_shift[i], s->own_shift[i]);
        weight[ERI_WAY_TWIST] += twist * twist * inertia / s->model->body[i].mass;
    }
    for (int way = ERI_WAY_AHEAD; way <= ERI_WAY_UP; ++way)
        seen += shifts[way];
    for (int way = ERI_WAY_AHEAD; way <= ERI_WAY_UP && seen > 0.0; ++way)
        weight[way] += shifts[way] * whole / seen;
}

// A limb cannot move along itself, so its swings are of two kinds: a leg's and a tail's in the plane of symmetry or
// across it, a raised arm's to the front or in the plane across the body. Each is named by the axis nearest to it.
static void merge_ways(const eri_motion_reader *s, const er_region *region, double weight[ERI_WAY_COUNT])
{
    double along[3];
    for (int way = 0; way < 3; ++way)
        along[way] = fabs(er_v3_dot(region->along, frame_axis(s, (eri_way)way)));
    int other = along[ERI_WAY_SIDE] > 0.5 ? ERI_WAY_SIDE : ERI_WAY_AHEAD;
    bool upright = along[ERI_WAY_UP] > along[other];
    int to = upright ? other : ERI_WAY_UP, from = upright ? ERI_WAY_UP : other;
    weight[to] += weight[from];
    weight[from] = 0.0;
}

static eri_way strongest(const double weight[ERI_WAY_COUNT], double *clear)
{
    int best = 0;
    double sum = 0.0;
    for (int way = 0; way < ERI_WAY_COUNT; ++way) {
        sum += weight[way];
        if (weight[way] > weight[best]) best = way;
    }
    *clear = sum > 0.0 ? weight[best] / sum : 0.0;
    return (eri_way)best;
}

// The largest share of another direction.
static double second_share(const double weight[ERI_WAY_COUNT], eri_way way)
{
    double other = 0.0, sum = 0.0;
    for (int k = 0; k < ERI_WAY_COUNT; ++k) {
        if (k != (int)way && k != ERI_WAY_TWIST) other = fmax(other, weight[k]);
        sum += weight[k];
    }
    return sum > 0.0 ? other / sum : 0.0;
}

// The axis that joints turn about in a way.
static er_vec3 turning_axis(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    const er_gait_body *body = s->regions->body;
    if (way == ERI_WAY_TWIST) return region->along;
    if (region->kind == ER_REGION_TRUNK && way != ERI_WAY_SIDE) return body->left;
    return er_v3_unit(er_v3_cross(region->along, frame_axis(s, way)), body->left);
}

// --- bends: changes of sign of the joints' turns along a region

enum { MOST_STEPS = 64 };

// Turns below a share of the largest are not counted: limbs shake each other. A body without limbs has no such turns.
static int count_bends(const eri_motion_reader *s, const double *value, int count)
{
    double most = 0.0, least = s->regions->count > 1 ? 0.25 : 0.02;
    int bends = 1, last = 0;
    for (int i = 0; i < count; ++i)
        most = fmax(most, fabs(value[i]));
    for (int i = 0; i < count; ++i) {
        if (fabs(value[i]) < least * most) continue;
        int sign = value[i] > 0.0 ? 1 : -1;
        bends += last != 0 && sign != last;
        last = sign;
    }
    return bends;
}

typedef struct placed_turn {
    double at, turn;
} placed_turn;

// The turn of a joint in a way, times the root of its stiffness: a thin tip counts as much as a stiff root.
static double bend_of_joint(const eri_motion_reader *s, const er_joint *joint, er_vec3 axis)
{
    er_vec3 turn = s->turn[joint->child];
    if (joint->parent >= 0) turn = er_v3_sub(turn, s->turn[joint->parent]);
    return er_v3_dot(turn, axis) * sqrt(joint->stiffness[0]);
}

// Joints are in order of their depth. Where a trunk leaves its first body both ways, one way counts backwards.
static bool read_step(const eri_motion_reader *s, const er_region *region, int joint, er_vec3 axis, placed_turn *out)
{
    const er_joint *j = &s->model->joint[joint];
    int first = j->child;
    if (j->parent < 0) return false;
    *out = (placed_turn){s->depth[j->child], bend_of_joint(s, j, axis)};
    if (region->kind != ER_REGION_TRUNK) return true;
    if (s->depth[first] == 0) return false;
    while (s->depth[first] > 1)
        first = s->model->tree_parent[first];
    if (first != region->body[1]) *out = (placed_turn){-out->at, -out->turn};
    return true;
}

static bool is_chain(const eri_motion_reader *s, const er_region *region)
{
    for (int k = 0; k < region->body_count; ++k) {
        int children = 0;
        for (int i = 0; i < region->body_count; ++i)
            children += s->model->tree_parent[region->body[i]] == region->body[k];
        if (children > (k == 0 ? 2 : 1)) return false;
    }
    return true;
}

// Limbs branch a trunk, so its bends are read from the turns of its bodies, and more than two cannot be told. It bends
// once if its ends turn against each other, twice if its middle turns against both ends.
static int bends_of_branched_trunk(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    placed_turn list[MOST_STEPS];
    double value[MOST_STEPS];
    int count = 0;
    er_vec3 axis = turning_axis(s, region, way);
    for (int k = 0; k < region->body_count && count < MOST_STEPS; ++k) {
        int i = region->body[k], at = count++;
        double size = sqrt(er_v3_dot(axis, er_m3_mul_v(s->inertia[i], axis)));
        placed_turn own = {er_v3_dot(s->middle[i], region->along), er_v3_dot(s->own_turn[i], axis) * size};
        for (; at > 0 && list[at - 1].at > own.at; --at)
            list[at] = list[at - 1];
        list[at] = own;
    }
    for (int i = 0; i < count; ++i)
        value[i] = list[i].turn;
    int bends = count_bends(s, value, count) - (is_held(s->model, region) ? 0 : 1);
    return bends < 1 ? 1 : bends < 2 ? bends : 2;
}

static int bends_of(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    placed_turn list[MOST_STEPS], own;
    double value[MOST_STEPS];
    int count = 0, joint;
    if (region->kind == ER_REGION_TRUNK && !is_chain(s, region)) return bends_of_branched_trunk(s, region, way);
    er_vec3 axis = turning_axis(s, region, way);
    for (int k = 0; k < region->body_count && count < MOST_STEPS; ++k) {
        joint = s->model->tree_joint[region->body[k]];
        if (joint < 0 || !read_step(s, region, joint, axis, &own)) continue;
        int at = 0;
        while (at < count && list[at].at < own.at)
            ++at;
        if (at < count && list[at].at == own.at) {
            list[at].turn += own.turn;
            continue;
        }
        memmove(list + at + 1, list + at, (size_t)(count++ - at) * sizeof *list);
        list[at] = own;
    }
    for (int i = 0; i < count; ++i)
        value[i] = list[i].turn;
    return count_bends(s, value, count);
}

// --- sides

// How alike a region's motion is to the mirror image of its twin's: 1 together, -1 alternating.
static double likeness(const eri_motion_reader *s, const er_region *region)
{
    const er_mirror *mirror = s->regions->mirror;
    er_vec3 left = s->regions->body->left;
    double both = 0.0, own = 0.0, other = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k], image = mirror->body[i];
        if (image < 0) continue;
        er_vec3 here = s->own_shift[i], there = s->own_shift[image];
        there = er_v3_madd(there, -2.0 * er_v3_dot(there, left), left);
        er_vec3 turn = s->own_turn[image];
        turn = er_v3_madd(er_v3_scale(-1.0, turn), 2.0 * er_v3_dot(turn, left), left);
        double m = s->model->body[i].mass;
        both += m * er_v3_dot(here, there) + er_v3_dot(s->own_turn[i], er_m3_mul_v(s->inertia[i], turn));
        own += energy_of(s, i, s->own_turn[i], s->own_shift[i]);
        other += energy_of(s, i, turn, there);
    }
    return own > 0.0 && other > 0.0 ? both / sqrt(own * other) : 0.0;
}

static eri_manner manner_of(const eri_motion_reader *s, const er_region *region)
{
    double alike = likeness(s, region);
    if (fabs(alike) < 0.3) return ERI_MANNER_BOTH;
    return alike > 0.0 ? ERI_MANNER_TOGETHER : ERI_MANNER_ALTERNATING;
}

eri_group_motion eri_motion_of_group(eri_motion_reader *s, int index)
{
    const er_region_group *group = &s->regions->group[index];
    const er_region *all = s->regions->region;
    eri_group_motion out = {.region = group->region[0]};
    double weight[ERI_WAY_COUNT] = {0};
    read_group(s, group);
    for (int i = 0; i < group->region_count; ++i) {
        int k = group->region[i];
        if (s->energy[k] > s->energy[out.region] * (1.0 + 1e-6)) out.region = k;
        if (is_seen_to_bend(all[k].kind))
            weigh_bends(s, &all[k], weight);
        else if (all[k].kind == ER_REGION_HEAD)
            weigh_turns(s, &all[k], weight);
        else
            weigh_shifts(s, &all[k], weight);
    }
    const er_region *lead = &all[out.region];
    if (!is_seen_to_bend(lead->kind) && lead->kind != ER_REGION_HEAD) merge_ways(s, lead, weight);
    out.way = strongest(weight, &out.clear);
    double other = second_share(weight, out.way);
    out.aslant = out.way != ERI_WAY_TWIST && other > 0.6 * out.clear;
    if (out.aslant) out.clear += other;
    out.bend = lead->kind == ER_REGION_HEAD ? 1 : bends_of(s, lead, out.way);
    if (lead->twin >= 0 && s->energy[lead->twin] > 0.1 * s->energy[out.region]) out.manner = manner_of(s, lead);
    return out;
}

// The mean shift of a region over the root of its mean square: near 0 if its parts move against each other.
static double mean_shift(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        double v = er_v3_dot(s->own_shift[region->body[k]], frame_axis(s, way));
        mean += v / region->body_count;
        square += v * v / region->body_count;
    }
    return square > 0.0 ? mean / sqrt(square) : 0.0;
}

int eri_motion_phase(eri_motion_reader *s, int group, int other, eri_way way)
{
    const er_region *a = &s->regions->region[s->regions->group[group].region[0]],
                    *b = &s->regions->region[s->regions->group[other].region[0]];
    if (a->kind == ER_REGION_TRUNK || b->kind == ER_REGION_TRUNK) return 0; // a bend has no side
    read_group(s, &s->regions->group[group]);
    read_group(s, &s->regions->group[other]);
    double x = mean_shift(s, a, way), y = mean_shift(s, b, way);
    return fabs(x) < 0.5 || fabs(y) < 0.5 ? 0 : x * y > 0.0 ? 1 : -1;
}
