// Motions of regions against the bodies that they hang on: energy, direction, bends, and the two sides.
#include "identity/group_motion.h"

#include <math.h>
#include <string.h>

// Joints between two regions belong to the limb, whichever of its ends is nearer to the root.
static int group_of_joint(const er_regions *regions, const er_joint *j)
{
    int child = regions->of_body[j->child], parent = j->parent >= 0 ? regions->of_body[j->parent] : -1;
    bool limb_above = parent >= 0 && regions->region[child].kind == ER_REGION_TRUNK;
    return regions->region[limb_above ? parent : child].group;
}

// Whether a joint to the world holds the first body of a region.
static bool is_held(const er_model *model, const er_region *region)
{
    int root = region->body[0], joint = model->tree_joint[root];
    return model->tree_parent[root] < 0 && joint >= 0 && model->joint[joint].type != ER_JOINT_FREE;
}

// The centre of mass of a region without anchor, and its inertia as one rigid body.
static void describe_whole(const eri_motion_reader *s, eri_region_shape *shape, const er_region *region)
{
    er_mat3 inertia = {0};
    for (int k = 0; k < region->body_count; ++k) {
        const eri_summed_body *b = &s->body[region->body[k]];
        shape->centre = er_v3_madd(shape->centre, b->mass / region->mass, b->middle);
    }
    for (int k = 0; k < region->body_count; ++k) {
        const eri_summed_body *b = &s->body[region->body[k]];
        er_vec3 d = er_v3_sub(b->middle, shape->centre);
        inertia = er_m3_madd(inertia, 1.0, b->inertia);
        inertia = er_m3_madd(inertia, b->mass * er_v3_dot(d, d), er_m3_identity());
        inertia = er_m3_madd(inertia, -b->mass, er_m3_outer(d, d));
    }
    shape->inverse = er_m3_inverse(inertia);
}

// Sorts in a body by its place. Those of one place are in the order in which they come.
static void put_step(eri_region_shape *shape, eri_bend_step step)
{
    int at = shape->step_count++;
    for (; at > 0 && shape->step[at - 1].at > step.at; --at)
        shape->step[at] = shape->step[at - 1];
    shape->step[at] = step;
}

// Bends are read from joints in order of their depth. Where a trunk leaves its first body both ways, one way counts
// backwards.
static void list_joints(const eri_motion_reader *s, eri_region_shape *shape, const er_region *region, const int *depth)
{
    const er_model *m = s->model;
    for (int k = 0; k < region->body_count; ++k) {
        int first = region->body[k], joint = m->tree_joint[first];
        if (joint < 0 || m->joint[joint].parent < 0) continue;
        eri_bend_step step = {.body = m->joint[joint].child, .at = depth[m->joint[joint].child]};
        step.factor = sqrt(m->joint[joint].stiffness[0]);
        if (region->kind == ER_REGION_TRUNK) {
            if (depth[first] == 0) continue;
            while (depth[first] > 1)
                first = m->tree_parent[first];
            if (first != region->body[1]) {
                step.at = -step.at;
                step.factor = -step.factor;
            }
        }
        put_step(shape, step);
    }
}

// Limbs branch a trunk, so its bends are read from the turns of its bodies along it.
static void list_bodies(const eri_motion_reader *s, eri_region_shape *shape, const er_region *region)
{
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        put_step(shape, (eri_bend_step){.body = i, .at = er_v3_dot(s->body[i].middle, region->along)});
    }
}

static er_result describe_region(er_arena *arena, eri_motion_reader *s, int index, const int *depth, int *children)
{
    er_result r = ER_OK;
    const er_region *region = &s->regions->region[index];
    eri_region_shape *shape = &s->shape[index];
    ERI_TRY_RESERVE(shape->step, arena, eri_bend_step, region->body_count);
    bool trunk = region->kind == ER_REGION_TRUNK;
    shape->held = is_held(s->model, region);
    if (trunk && !shape->held) describe_whole(s, shape, region);
    for (int k = 0; k < region->body_count; ++k) {
        int up = s->model->tree_parent[region->body[k]];
        if (up >= 0 && s->regions->of_body[up] == index) ++children[up];
    }
    for (int k = 0; k < region->body_count; ++k)
        shape->branches |= trunk && children[region->body[k]] > (k == 0 ? 2 : 1);
    if (shape->branches)
        list_bodies(s, shape, region);
    else
        list_joints(s, shape, region, depth);
done:
    return r;
}

er_result eri_motion_reader_create(er_arena *arena, const er_model *model, const er_regions *regions,
                                   eri_motion_reader *s)
{
    er_result r = ER_OK;
    int n = model->body_count, *joint_group, *depth, *children;
    *s = (eri_motion_reader){.model = model, .regions = regions};
    ERI_TRY_NEW(s->turn, arena, er_vec3, n);
    ERI_TRY_NEW(s->shift, arena, er_vec3, n);
    ERI_TRY_NEW(s->own_turn, arena, er_vec3, n);
    ERI_TRY_NEW(s->own_shift, arena, er_vec3, n);
    ERI_TRY_NEW(s->read, arena, int, n);
    ERI_TRY_NEW(s->value, arena, double, n);
    ERI_TRY_NEW(s->energy, arena, double, regions->count);
    ERI_TRY_NEW(s->shape, arena, eri_region_shape, regions->count);
    ERI_TRY_NEW(joint_group, arena, int, model->joint_count);
    ERI_TRY_NEW(depth, arena, int, n);
    ERI_TRY_NEW(children, arena, int, n);
    for (int k = 0; k < n; ++k) {
        int i = model->order[k], up = model->tree_parent[i];
        depth[i] = up >= 0 && regions->of_body[up] == regions->of_body[i] ? depth[up] + 1 : 0;
    }
    for (int j = 0; j < model->joint_count; ++j)
        joint_group[j] = group_of_joint(regions, &model->joint[j]);
    s->joint_group = joint_group;
    ERI_TRY(eri_mode_sums_create(arena, model, regions, joint_group, &s->sums));
    s->body = s->sums.body;
    for (int k = 0; k < regions->count; ++k)
        ERI_TRY(describe_region(arena, s, k, depth, children));
done:
    return r;
}

// --- velocities

// The motion of a body, worked out where it is first asked for.
static void see(const eri_motion_reader *s, int i)
{
    if (s->read[i] == s->now) return;
    const double *v = s->mode->body + 6 * (ptrdiff_t)i;
    er_vec3 turn = er_v3(v[0], v[1], v[2]), shift = er_v3(v[3], v[4], v[5]);
    s->shift[i] = er_m3_mul_v(s->body[i].axes, er_v3_add(shift, er_v3_cross(turn, s->body[i].com)));
    s->turn[i] = er_m3_mul_v(s->body[i].axes, turn);
    s->read[i] = s->now;
}

static er_vec3 turn_of(const eri_motion_reader *s, int i)
{
    see(s, i);
    return s->turn[i];
}

static double energy_of(const eri_motion_reader *s, int body, er_vec3 turn, er_vec3 shift)
{
    const eri_summed_body *b = &s->body[body];
    return b->mass * er_v3_dot(shift, shift) + er_v3_dot(turn, er_m3_mul_v(b->inertia, turn));
}

// The motion of a region without anchor is measured against its own motion as one rigid body.
static void subtract_rigid(eri_motion_reader *s, const eri_region_shape *shape, const er_region *region)
{
    er_vec3 momentum = {0, 0, 0}, spin = {0, 0, 0};
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        const eri_summed_body *b = &s->body[i];
        see(s, i);
        momentum = er_v3_madd(momentum, b->mass / region->mass, s->shift[i]);
        spin = er_v3_add(spin, er_m3_mul_v(b->inertia, s->turn[i]));
        spin = er_v3_madd(spin, b->mass, er_v3_cross(er_v3_sub(b->middle, shape->centre), s->shift[i]));
    }
    er_vec3 turn = er_m3_mul_v(shape->inverse, spin);
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        er_vec3 carried = er_v3_add(momentum, er_v3_cross(turn, er_v3_sub(s->body[i].middle, shape->centre)));
        s->own_turn[i] = er_v3_sub(s->turn[i], turn);
        s->own_shift[i] = er_v3_sub(s->shift[i], carried);
    }
}

static void subtract_anchor(eri_motion_reader *s, int i)
{
    int anchor = s->regions->anchor[i];
    see(s, i);
    s->own_turn[i] = s->turn[i];
    s->own_shift[i] = s->shift[i];
    if (anchor < 0) return;
    see(s, anchor);
    er_vec3 arm = er_v3_sub(s->body[i].middle, s->body[anchor].middle),
            carried = er_v3_add(s->shift[anchor], er_v3_cross(s->turn[anchor], arm));
    s->own_turn[i] = er_v3_sub(s->turn[i], s->turn[anchor]);
    s->own_shift[i] = er_v3_sub(s->shift[i], carried);
}

static void read_region(eri_motion_reader *s, int index)
{
    const er_region *region = &s->regions->region[index];
    const eri_region_shape *shape = &s->shape[index];
    bool floats = region->kind == ER_REGION_TRUNK && !shape->held;
    if (floats) subtract_rigid(s, shape, region);
    s->energy[index] = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        if (!floats) subtract_anchor(s, i);
        s->energy[index] += energy_of(s, i, s->own_turn[i], s->own_shift[i]);
    }
}

static void read_group(eri_motion_reader *s, const er_region_group *group)
{
    for (int i = 0; i < group->region_count; ++i)
        read_region(s, group->region[i]);
}

static void begin(eri_motion_reader *s, const er_mode *mode)
{
    s->mode = mode;
    ++s->now;
}

void eri_motion_read_modes(eri_motion_reader *s, const er_mode *mode, int count)
{
    s->first = mode;
    eri_mode_sums_read(&s->sums, mode, count);
}

// A group's share is that of its joints in the energy of the springs; without strain that of its motion.
double eri_motion_choose(eri_motion_reader *s, int k, double *share, double *motion)
{
    const er_regions *regions = s->regions;
    const eri_mode_sums *sums = &s->sums;
    double strain = (*sums->whole_strain)[k], whole = (*sums->whole_motion)[k], energy = 0.0;
    begin(s, s->first + k);
    for (int g = 0; g < regions->group_count; ++g) {
        motion[g] = whole > 0.0 ? sums->motion[g][k] / whole : 0.0;
        share[g] = strain > 0.0 ? sums->strain[g][k] / strain : 0.0;
    }
    if (strain > 0.0) return (*sums->parity)[k];
    for (int i = 0; i < regions->count; ++i) {
        read_region(s, i);
        energy += s->energy[i];
        share[regions->region[i].group] += s->energy[i];
    }
    for (int g = 0; g < regions->group_count && energy > 0.0; ++g)
        share[g] /= energy;
    return (*sums->parity)[k];
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
        er_vec3 turn = er_v3_sub(turn_of(s, joint->child), turn_of(s, joint->parent));
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
        double m = s->body[i].mass, ahead = er_v3_dot(s->own_turn[i], body->forward),
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
               inertia = er_v3_dot(region->along, er_m3_mul_v(s->body[i].inertia, region->along));
        for (int way = ERI_WAY_AHEAD; way <= ERI_WAY_UP; ++way) {
            er_vec3 axis = frame_axis(s, (eri_way)way);
            double own = er_v3_dot(s->own_shift[i], axis);
            shifts[way] += leg ? fabs(own * er_v3_dot(s->shift[i], axis)) : own * own;
        }
        whole += er_v3_dot(s->own_shift[i], s->own_shift[i]);
        weight[ERI_WAY_TWIST] += twist * twist * inertia / s->body[i].mass;
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

// More than two bends of a branched trunk cannot be told. It bends once if its ends turn against each other, twice if
// its middle turns against both ends.
static int bends_of_branched(const eri_motion_reader *s, const eri_region_shape *shape, er_vec3 axis)
{
    for (int k = 0; k < shape->step_count; ++k) {
        int i = shape->step[k].body;
        double size = sqrt(er_v3_dot(axis, er_m3_mul_v(s->body[i].inertia, axis)));
        s->value[k] = er_v3_dot(s->own_turn[i], axis) * size;
    }
    int bends = count_bends(s, s->value, shape->step_count) - (shape->held ? 0 : 1);
    return bends < 1 ? 1 : bends < 2 ? bends : 2;
}

// The turn of a joint counts times the root of its stiffness: a thin tip counts as much as a stiff root. Turns at one
// depth are added.
static int bends_of(const eri_motion_reader *s, const er_region *region, const eri_region_shape *shape, eri_way way)
{
    int count = 0;
    er_vec3 axis = turning_axis(s, region, way);
    if (shape->branches) return bends_of_branched(s, shape, axis);
    for (int k = 0; k < shape->step_count; ++k) {
        const eri_bend_step *step = &shape->step[k];
        int up = s->model->joint[s->model->tree_joint[step->body]].parent;
        double turn = er_v3_dot(er_v3_sub(turn_of(s, step->body), turn_of(s, up)), axis) * step->factor;
        if (k > 0 && step->at == shape->step[k - 1].at)
            s->value[count - 1] += turn;
        else
            s->value[count++] = turn;
    }
    return count_bends(s, s->value, count);
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
        double m = s->body[i].mass;
        both += m * er_v3_dot(here, there) + er_v3_dot(s->own_turn[i], er_m3_mul_v(s->body[i].inertia, turn));
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
    out.bend = lead->kind == ER_REGION_HEAD ? 1 : bends_of(s, lead, &s->shape[out.region], out.way);
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
