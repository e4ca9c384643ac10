// Motions of regions against the bodies that they hang on: energy, direction, bends, and the two sides.
#include "identity/group_motion.h"

#include <math.h>
#include <string.h>

enum { MANY_BENDS = 7 }; // names count no more

// Sorts in a body by its place. Those of one place are in the order in which they come.
static void put_step(eri_bend_steps *steps, eri_bend_step step)
{
    int at = steps->count++;
    for (; at > 0 && steps->step[at - 1].at > step.at; --at)
        steps->step[at] = steps->step[at - 1];
    steps->step[at] = step;
}

// Bends are read from joints in order of their depth. Where a trunk leaves its first body both ways, one way counts
// backwards.
static void list_joints(const eri_motion_reader *s, eri_bend_steps *steps, const er_region *region, const int *depth)
{
    const er_model *m = s->model;
    for (int k = 0; k < region->body_count; ++k) {
        int first = region->body[k], joint = m->tree_joint[first];
        if (joint < 0 || m->joint[joint].parent < 0) continue;
        const er_joint *j = &m->joint[joint];
        eri_bend_step step = {
            .body = j->child, .above = j->parent, .at = depth[j->child], .factor = sqrt(j->stiffness[0])};
        if (region->kind == ER_REGION_TRUNK) {
            if (depth[first] == 0) continue;
            while (depth[first] > 1)
                first = m->tree_parent[first];
            if (first != region->body[1]) {
                step.at = -step.at;
                step.factor = -step.factor;
            }
        }
        put_step(steps, step);
    }
}

// The axis that joints turn about in a way.
static er_vec3 turning_axis(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    const er_gait_body *body = s->regions->body;
    if (way == ERI_WAY_TWIST) return region->along;
    if (region->kind == ER_REGION_TRUNK && way != ERI_WAY_SIDE) return body->left;
    return er_v3_unit(er_v3_cross(region->along, eri_frame_axis(s->regions, way)), body->left);
}

// Limbs branch a trunk, so its bends are read from the turns of its bodies along it.
static void list_bodies(const eri_motion_reader *s, eri_bend_steps *steps, const er_region *region)
{
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k];
        put_step(steps, (eri_bend_step){.body = i, .at = er_v3_dot(s->sums.body[i].middle, region->along)});
    }
    for (int way = ERI_WAY_SIDE; way < ERI_WAY_COUNT; ++way)
        for (int k = 0; k < steps->count; ++k) {
            er_vec3 momentum = er_m3_mul_v(s->sums.body[steps->step[k].body].inertia, steps->axis[way]);
            steps->size[way * steps->count + k] = sqrt(er_v3_dot(steps->axis[way], momentum));
        }
}

static er_result list_steps(er_arena *arena, eri_motion_reader *s, int index, const int *depth, int *children)
{
    er_result r = ER_OK;
    const er_region *region = &s->regions->region[index];
    eri_bend_steps *steps = &s->steps[index];
    ERI_TRY_RESERVE(steps->step, arena, eri_bend_step, region->body_count);
    for (int way = 0; way < ERI_WAY_COUNT; ++way)
        steps->axis[way] = turning_axis(s, region, (eri_way)way);
    for (int k = 0; k < region->body_count; ++k) {
        int up = s->model->tree_parent[region->body[k]];
        if (up >= 0 && s->regions->of_body[up] == index) ++children[up];
    }
    for (int k = 0; k < region->body_count && region->kind == ER_REGION_TRUNK; ++k)
        steps->branches |= children[region->body[k]] > (k == 0 ? 2 : 1);
    if (steps->branches) {
        ERI_TRY_NEW(steps->size, arena, double, ERI_WAY_COUNT * region->body_count);
        list_bodies(s, steps, region);
    } else {
        list_joints(s, steps, region, depth);
    }
done:
    return r;
}

er_result eri_motion_reader_create(er_arena *arena, const er_model *model, const er_regions *regions,
                                   eri_motion_reader *s)
{
    er_result r = ER_OK;
    int n = model->body_count, *depth, *children;
    *s = (eri_motion_reader){.model = model, .regions = regions};
    ERI_TRY(eri_mode_sums_create(arena, model, regions, &s->sums));
    ERI_TRY_NEW(s->value, arena, double, n);
    ERI_TRY_RESERVE(s->turn, arena, eri_lanes, n);
    ERI_TRY_NEW(s->steps, arena, eri_bend_steps, regions->count);
    ERI_TRY_NEW(depth, arena, int, n);
    ERI_TRY_NEW(children, arena, int, n);
    for (int k = 0; k < n; ++k) {
        int i = model->order[k], up = model->tree_parent[i];
        depth[i] = up >= 0 && regions->of_body[up] == regions->of_body[i] ? depth[up] + 1 : 0;
    }
    for (int k = 0; k < regions->count; ++k)
        ERI_TRY(list_steps(arena, s, k, depth, children));
done:
    return r;
}

// Turns below a share of the largest are not counted: limbs shake each other. A body without limbs has no such turns.
static double least_share(const eri_motion_reader *s)
{
    return s->regions->count > 1 ? 0.25 : 0.02;
}

ERI_LANES_DO(count_changes, (eri_motion_reader * s, eri_bend_steps *steps, eri_way way), (s, steps, way))
{
    er_vec3 axis = steps->axis[way];
    const double *size = steps->size + (ptrdiff_t)way * steps->count;
    eri_lanes none = {0}, one = none + 1.0, most = none, last = none, changes = none;
    for (int k = 0; k < steps->count; ++k) {
        const eri_lanes *own = s->sums.own + 6 * (ptrdiff_t)steps->step[k].body;
        s->turn[k] = size[k] * (axis.x * own[0] + axis.y * own[1] + axis.z * own[2]);
        most = eri_lanes_larger(most, eri_lanes_magnitude(s->turn[k]));
    }
    most *= least_share(s);
    for (int k = 0; k < steps->count; ++k) {
        eri_lanes turn = s->turn[k];
        eri_mask unseen = eri_lanes_below(eri_lanes_magnitude(turn), most);
        changes += eri_lanes_choose(eri_lanes_below(turn * last, none) & ~unseen, one, none);
        last = eri_lanes_choose(unseen, last, turn);
    }
    steps->changes[way] = changes;
}

void eri_motion_read(eri_motion_reader *s, const er_mode *mode, int count)
{
    eri_mode_sums_read(&s->sums, mode, count);
    for (int r = 0; r < s->regions->count; ++r)
        for (int way = ERI_WAY_SIDE; way < ERI_WAY_COUNT && s->steps[r].branches; ++way)
            count_changes(s, &s->steps[r], (eri_way)way);
}

// A group's share is that of its joints in the energy of the springs; without strain that of its motion.
void eri_motion_choose(eri_motion_reader *s, int k, double *share, double *motion)
{
    const er_regions *regions = s->regions;
    const eri_mode_sums *sums = &s->sums;
    double strain = (*sums->whole_strain)[k], whole = (*sums->whole_motion)[k], energy = 0.0;
    s->lane = k;
    for (int g = 0; g < regions->group_count; ++g) {
        motion[g] = whole > 0.0 ? sums->motion[g][k] / whole : 0.0;
        share[g] = strain > 0.0 ? sums->strain[g][k] / strain : 0.0;
    }
    for (int i = 0; i < regions->count && !(strain > 0.0); ++i) {
        energy += sums->of_region[i].energy[k];
        share[regions->region[i].group] += sums->of_region[i].energy[k];
    }
    for (int g = 0; g < regions->group_count && energy > 0.0; ++g)
        share[g] /= energy;
}

// Three numbers of the mode at hand.
static er_vec3 vector_of(const eri_motion_reader *s, const eri_lanes v[3])
{
    return er_v3(v[0][s->lane], v[1][s->lane], v[2][s->lane]);
}

// --- directions

// A limb cannot move along itself, so its swings are of two kinds: a leg's and a tail's in the plane of symmetry or
// across it, a raised arm's to the front or in the plane across the body. Each is named by the axis nearest to it.
static void merge_ways(const eri_motion_reader *s, const er_region *region, double weight[ERI_WAY_COUNT])
{
    double along[3];
    for (int way = 0; way < 3; ++way)
        along[way] = fabs(er_v3_dot(region->along, eri_frame_axis(s->regions, (eri_way)way)));
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

// --- bends: changes of sign of the joints' turns along a region

// More than two bends of a branched trunk cannot be told. It bends once if its ends turn against each other, twice if
// its middle turns against both ends. Ahead and up it turns about one axis.
static int bends_of_branched(const eri_motion_reader *s, const eri_bend_steps *steps, bool floats, eri_way way)
{
    int bends = 1 + (int)steps->changes[way == ERI_WAY_AHEAD ? ERI_WAY_UP : way][s->lane];
    bends = (bends > 2 + floats ? 2 + floats : bends) - floats;
    return bends < 1 ? 1 : bends;
}

// The turn of a joint counts times the root of its stiffness: a thin tip counts as much as a stiff root. Turns at one
// depth are added.
static int bends_of(const eri_motion_reader *s, int index, eri_way way)
{
    int count = 0, bends = 1;
    double most = 0.0, last = 0.0;
    const eri_bend_steps *steps = &s->steps[index];
    if (steps->branches) return bends_of_branched(s, steps, s->sums.region[index].floats, way);
    er_vec3 axis = steps->axis[way];
    for (int k = 0; k < steps->count; ++k) {
        const eri_bend_step *step = &steps->step[k];
        er_vec3 own = vector_of(s, s->sums.v + 6 * (ptrdiff_t)step->body),
                above = vector_of(s, s->sums.v + 6 * (ptrdiff_t)step->above);
        double turn = er_v3_dot(er_v3_sub(own, above), axis) * step->factor;
        if (k > 0 && step->at == steps->step[k - 1].at)
            s->value[count - 1] += turn;
        else
            s->value[count++] = turn;
    }
    for (int k = 0; k < count; ++k)
        most = fmax(most, fabs(s->value[k]));
    for (int k = 0; k < count && bends < MANY_BENDS; ++k) {
        if (fabs(s->value[k]) < least_share(s) * most) continue;
        bends += s->value[k] * last < 0.0;
        last = s->value[k] > 0.0 ? 1.0 : -1.0;
    }
    return bends;
}

// --- sides

// Whether a region moves like the mirror image of its twin.
static eri_manner manner_of(const eri_motion_reader *s, int region, int twin)
{
    const eri_region_sums *sums = s->sums.of_region, *first = &sums[region < twin ? region : twin];
    double norm = sqrt(sums[region].energy[s->lane] * sums[twin].energy[s->lane]), common = first->common[s->lane];
    if (fabs(common) < 0.3 * norm) return ERI_MANNER_BOTH;
    return common > 0.0 ? ERI_MANNER_TOGETHER : ERI_MANNER_ALTERNATING;
}

eri_group_motion eri_motion_of_group(const eri_motion_reader *s, int index)
{
    const er_region_group *group = &s->regions->group[index];
    const eri_region_sums *sums = s->sums.of_region;
    int most = group->region[0], k = s->lane;
    double weight[ERI_WAY_COUNT] = {0};
    for (int i = 0; i < group->region_count; ++i) {
        int region = group->region[i];
        if (sums[region].energy[k] > sums[most].energy[k] * (1.0 + 1e-6)) most = region;
        for (int way = 0; way < ERI_WAY_COUNT; ++way)
            weight[way] += sums[region].way[way][k];
    }
    const er_region *lead = &s->regions->region[most];
    eri_group_motion out = {.region = most};
    if (!eri_is_seen_to_bend(lead->kind) && lead->kind != ER_REGION_HEAD) merge_ways(s, lead, weight);
    out.way = strongest(weight, &out.clear);
    double other = second_share(weight, out.way);
    out.aslant = out.way != ERI_WAY_TWIST && other > 0.6 * out.clear;
    if (out.aslant) out.clear += other;
    out.bend = lead->kind == ER_REGION_HEAD ? 1 : bends_of(s, most, out.way);
    if (lead->twin >= 0 && sums[lead->twin].energy[k] > 0.1 * sums[most].energy[k])
        out.manner = manner_of(s, most, lead->twin);
    return out;
}

// The mean shift of a region over the root of its mean square: near 0 if its parts move against each other.
static double mean_shift(const eri_motion_reader *s, const er_region *region, eri_way way)
{
    double mean = 0.0, square = 0.0;
    for (int k = 0; k < region->body_count; ++k) {
        double v =
            er_v3_dot(vector_of(s, s->sums.own + 6 * (ptrdiff_t)region->body[k] + 3), eri_frame_axis(s->regions, way));
        mean += v / region->body_count;
        square += v * v / region->body_count;
    }
    return square > 0.0 ? mean / sqrt(square) : 0.0;
}

int eri_motion_phase(const eri_motion_reader *s, int group, int other, eri_way way)
{
    const er_region *a = &s->regions->region[s->regions->group[group].region[0]],
                    *b = &s->regions->region[s->regions->group[other].region[0]];
    if (a->kind == ER_REGION_TRUNK || b->kind == ER_REGION_TRUNK) return 0; // a bend has no side
    double x = mean_shift(s, a, way), y = mean_shift(s, b, way);
    return fabs(x) < 0.5 || fabs(y) < 0.5 ? 0 : x * y > 0.0 ? 1 : -1;
}
