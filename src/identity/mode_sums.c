// Sums over the bodies of modes, eight modes at a time.
#include "identity/mode_sums.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool eri_is_seen_to_bend(er_region_kind kind)
{
    return kind == ER_REGION_TRUNK || kind == ER_REGION_NECK;
}

er_vec3 eri_frame_axis(const er_regions *regions, eri_way way)
{
    const er_gait_body *body = regions->body;
    return way == ERI_WAY_AHEAD ? body->forward : way == ERI_WAY_SIDE ? body->left : body->up;
}

// --- the model's part

// Joints between two regions belong to the limb, whichever of its ends is nearer to the root.
static int group_of_joint(const er_regions *regions, const er_joint *j)
{
    int child = regions->of_body[j->child], parent = j->parent >= 0 ? regions->of_body[j->parent] : -1;
    bool limb_above = parent >= 0 && regions->region[child].kind == ER_REGION_TRUNK;
    return regions->region[limb_above ? parent : child].group;
}

static void describe_body(const er_body *b, eri_summed_body *out)
{
    er_mat3 axes = er_m3_from_q(b->pose.q);
    *out = (eri_summed_body){.middle = er_pose_point(b->pose, b->com),
                             .com = b->com,
                             .axes = axes,
                             .inertia = er_m3_mul(er_m3_mul(axes, b->inertia), er_m3_transpose(axes)),
                             .mass = b->mass};
}

// Whether a joint to the world holds the first body of a region.
static bool is_held(const er_model *model, const er_region *region)
{
    int root = region->body[0], joint = model->tree_joint[root];
    return model->tree_parent[root] < 0 && joint >= 0 && model->joint[joint].type != ER_JOINT_FREE;
}

static void describe_region(const eri_mode_sums *s, const er_region *region, eri_summed_region *out)
{
    const er_gait_body *frame = s->regions->body;
    er_mat3 inertia = {0};
    out->floats = region->kind == ER_REGION_TRUNK && !is_held(s->model, region);
    out->upright = fabs(er_v3_dot(region->along, frame->up)) > 0.7;
    out->across = er_v3_unit(er_v3_cross(region->along, frame->left), frame->up);
    for (int k = 0; k < region->body_count; ++k) {
        eri_summed_body *b = &s->body[region->body[k]];
        b->girth = er_v3_dot(region->along, er_m3_mul_v(b->inertia, region->along)) / b->mass;
        out->centre = er_v3_madd(out->centre, b->mass / region->mass, b->middle);
    }
    for (int k = 0; k < region->body_count && out->floats; ++k) {
        const eri_summed_body *b = &s->body[region->body[k]];
        er_vec3 d = er_v3_sub(b->middle, out->centre);
        inertia = er_m3_madd(inertia, 1.0, b->inertia);
        inertia = er_m3_madd(inertia, b->mass * er_v3_dot(d, d), er_m3_identity());
        inertia = er_m3_madd(inertia, -b->mass, er_m3_outer(d, d));
    }
    if (out->floats) out->inverse = er_m3_inverse(inertia);
}

er_result eri_mode_sums_create(er_arena *arena, const er_model *model, const er_regions *regions, eri_mode_sums *out)
{
    er_result r = ER_OK;
    int bodies = model->body_count, *joint_group;
    eri_summed_body *body;
    eri_summed_region *region;
    *out = (eri_mode_sums){.model = model, .regions = regions};
    ERI_TRY_RESERVE(body, arena, eri_summed_body, bodies);
    ERI_TRY_NEW(region, arena, eri_summed_region, regions->count);
    ERI_TRY_RESERVE(joint_group, arena, int, model->joint_count);
    ERI_TRY_RESERVE(out->q, arena, eri_lanes, model->coordinate_count);
    ERI_TRY_RESERVE(out->v, arena, eri_lanes, 6 * (size_t)bodies);
    ERI_TRY_RESERVE(out->own, arena, eri_lanes, 6 * (size_t)bodies);
    ERI_TRY_RESERVE(out->of_region, arena, eri_region_sums, regions->count);
    ERI_TRY_RESERVE(out->strain, arena, eri_lanes, 2 * regions->group_count + 3);
    out->motion = out->strain + regions->group_count;
    out->parity = out->motion + regions->group_count;
    out->whole_strain = out->parity + 1;
    out->whole_motion = out->parity + 2;
    out->body = body;
    out->region = region;
    out->joint_group = joint_group;
    for (int i = 0; i < bodies; ++i)
        describe_body(&model->body[i], &body[i]);
    for (int j = 0; j < model->joint_count; ++j)
        joint_group[j] = group_of_joint(regions, &model->joint[j]);
    for (int k = 0; k < regions->count; ++k)
        describe_region(out, &regions->region[k], &region[k]);
done:
    return r;
}

// --- vectors of eight modes

ERI_LANES_SMALL eri_lanes dot(const eri_lanes a[3], const eri_lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ERI_LANES_SMALL eri_lanes along(er_vec3 a, const eri_lanes v[3])
{
    return a.x * v[0] + a.y * v[1] + a.z * v[2];
}

ERI_LANES_SMALL void multiply(const er_mat3 *a, const eri_lanes v[3], eri_lanes out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a->m[i][0] * v[0] + a->m[i][1] * v[1] + a->m[i][2] * v[2];
}

// out = v + w x arm
ERI_LANES_SMALL void add_carried(const eri_lanes v[3], const eri_lanes w[3], er_vec3 arm, eri_lanes out[3])
{
    out[0] = v[0] + (w[1] * arm.z - w[2] * arm.y);
    out[1] = v[1] + (w[2] * arm.x - w[0] * arm.z);
    out[2] = v[2] + (w[0] * arm.y - w[1] * arm.x);
}

// The image of a motion across a plane: a rotation is an axial vector.
ERI_LANES_SMALL void reflect(er_vec3 normal, const eri_lanes v[6], eri_lanes out[6])
{
    const double n[3] = {normal.x, normal.y, normal.z};
    eri_lanes turn = 2.0 * along(normal, v), shift = 2.0 * along(normal, v + 3);
    for (int a = 0; a < 3; ++a) {
        out[a] = turn * n[a] - v[a];
        out[3 + a] = v[3 + a] - shift * n[a];
    }
}

ERI_LANES_SMALL eri_lanes energy_of(const eri_summed_body *b, const eri_lanes v[6])
{
    eri_lanes spin[3];
    multiply(&b->inertia, v, spin);
    return b->mass * dot(v + 3, v + 3) + dot(v, spin);
}

// Twice the energy that two motions of a body have in common.
ERI_LANES_SMALL eri_lanes common_of(const eri_summed_body *b, const eri_lanes v[6], const eri_lanes w[6])
{
    eri_lanes spin[3];
    multiply(&b->inertia, v, spin);
    return b->mass * dot(v + 3, w + 3) + dot(spin, w);
}

// --- sums

// Twists of body frames become velocities of centres of mass, along the model's axes.
ERI_LANES_DO(turn_to_model, (eri_mode_sums * s), (s))
{
    for (int i = 0; i < s->model->body_count; ++i) {
        eri_lanes *v = s->v + 6 * (ptrdiff_t)i, shift[3];
        const eri_lanes turn[3] = {v[0], v[1], v[2]};
        add_carried(v + 3, turn, s->body[i].com, shift);
        multiply(&s->body[i].axes, turn, v);
        multiply(&s->body[i].axes, shift, v + 3);
    }
}

ERI_LANES_DO(sum_bodies, (eri_mode_sums * s), (s))
{
    const er_mirror *mirror = s->regions->mirror;
    eri_lanes both = {0}, own = {0}, other = {0};
    for (int g = 0; g < s->regions->group_count; ++g)
        s->motion[g] = (eri_lanes){0};
    for (int i = 0; i < s->model->body_count; ++i) {
        const eri_lanes *v = s->v + 6 * (ptrdiff_t)i;
        eri_lanes energy = energy_of(&s->body[i], v), image[6];
        s->motion[s->regions->region[s->regions->of_body[i]].group] += energy;
        own += energy;
        if (mirror->body[i] < 0) continue;
        reflect(mirror->normal, s->v + 6 * (ptrdiff_t)mirror->body[i], image);
        both += common_of(&s->body[i], image, v);
        other += energy_of(&s->body[i], image);
    }
    *s->whole_motion = own;
    for (int l = 0; l < ERI_LANE_COUNT; ++l) {
        double whole = own[l] > other[l] ? own[l] : other[l], p = whole > 0.0 ? both[l] / whole : 0.0;
        (*s->parity)[l] = p > 1.0 ? 1.0 : p < -1.0 ? -1.0 : p;
    }
}

ERI_LANES_DO(sum_springs, (eri_mode_sums * s), (s))
{
    const er_model *m = s->model;
    eri_lanes whole = {0};
    for (int g = 0; g < s->regions->group_count; ++g)
        s->strain[g] = (eri_lanes){0};
    for (int j = 0; j < m->joint_count; ++j)
        for (int c = m->coordinate[j]; c < m->coordinate[j + 1]; ++c) {
            eri_lanes energy = m->joint[j].stiffness[c - m->coordinate[j]] * s->q[c] * s->q[c];
            s->strain[s->joint_group[j]] += energy;
            whole += energy;
        }
    *s->whole_strain = whole;
}

// The motion of a region that floats is measured against its own motion as one rigid body.
ERI_LANES_INLINE void subtract_rigid(eri_mode_sums *s, const er_region *region, const eri_summed_region *rigid)
{
    eri_lanes shift[3] = {0}, spin[3] = {0}, turn[3];
    for (int k = 0; k < region->body_count; ++k) {
        const eri_summed_body *b = &s->body[region->body[k]];
        const eri_lanes *v = s->v + 6 * (ptrdiff_t)region->body[k];
        er_vec3 arm = er_v3_scale(-b->mass, er_v3_sub(b->middle, rigid->centre));
        eri_lanes own[3];
        multiply(&b->inertia, v, own);
        add_carried(own, v + 3, arm, own);
        for (int a = 0; a < 3; ++a) {
            shift[a] += b->mass / region->mass * v[3 + a];
            spin[a] += own[a];
        }
    }
    multiply(&rigid->inverse, spin, turn);
    for (int k = 0; k < region->body_count; ++k) {
        const eri_lanes *v = s->v + 6 * (ptrdiff_t)region->body[k];
        eri_lanes *own = s->own + 6 * (ptrdiff_t)region->body[k], carried[3];
        add_carried(shift, turn, er_v3_sub(s->body[region->body[k]].middle, rigid->centre), carried);
        for (int a = 0; a < 3; ++a) {
            own[a] = v[a] - turn[a];
            own[3 + a] = v[3 + a] - carried[a];
        }
    }
}

ERI_LANES_INLINE void subtract_anchor(eri_mode_sums *s, int body)
{
    int anchor = s->regions->anchor[body];
    const eri_lanes *v = s->v + 6 * (ptrdiff_t)body;
    eri_lanes *own = s->own + 6 * (ptrdiff_t)body, carried[3];
    if (anchor < 0) {
        for (int a = 0; a < 6; ++a)
            own[a] = v[a];
        return;
    }
    const eri_lanes *above = s->v + 6 * (ptrdiff_t)anchor;
    add_carried(above + 3, above, er_v3_sub(s->body[body].middle, s->body[anchor].middle), carried);
    for (int a = 0; a < 3; ++a) {
        own[a] = v[a] - above[a];
        own[3 + a] = v[3 + a] - carried[a];
    }
}

ERI_LANES_DO(find_own_motion, (eri_mode_sums * s), (s))
{
    for (int r = 0; r < s->regions->count; ++r) {
        const er_region *region = &s->regions->region[r];
        if (s->region[r].floats) subtract_rigid(s, region, &s->region[r]);
        eri_lanes energy = {0};
        for (int k = 0; k < region->body_count; ++k) {
            int i = region->body[k];
            if (!s->region[r].floats) subtract_anchor(s, i);
            energy += energy_of(&s->body[i], s->own + 6 * (ptrdiff_t)i);
        }
        s->of_region[r] = (eri_region_sums){.energy = energy};
    }
}

// Bends of trunks and necks: across their length they bend, along it they twist.
ERI_LANES_DO(weigh_bends, (eri_mode_sums * s), (s))
{
    for (int j = 0; j < s->model->joint_count; ++j) {
        const er_joint *joint = &s->model->joint[j];
        const er_region_group *group = &s->regions->group[s->joint_group[j]];
        if (!eri_is_seen_to_bend(group->kind) || joint->parent < 0) continue;
        const eri_lanes *child = s->v + 6 * (ptrdiff_t)joint->child, *parent = s->v + 6 * (ptrdiff_t)joint->parent,
                        turn[3] = {child[0] - parent[0], child[1] - parent[1], child[2] - parent[2]};
        for (int k = 0; k < group->region_count; ++k) {
            const eri_summed_region *region = &s->region[group->region[k]];
            eri_lanes nod = along(s->regions->body->left, turn), side = along(region->across, turn),
                      twist = along(s->regions->region[group->region[k]].along, turn),
                      *way = s->of_region[group->region[k]].way;
            way[region->upright ? ERI_WAY_AHEAD : ERI_WAY_UP] += joint->stiffness[0] * nod * nod;
            way[ERI_WAY_SIDE] += joint->stiffness[0] * side * side;
            way[ERI_WAY_TWIST] += joint->stiffness[0] * twist * twist;
        }
    }
}

// Heads are seen to turn, not to shift: ahead is a nod, side a turn, twist a tilt.
ERI_LANES_INLINE void weigh_turns(eri_mode_sums *s, const er_region *region, eri_lanes way[ERI_WAY_COUNT])
{
    const er_gait_body *frame = s->regions->body;
    for (int k = 0; k < region->body_count; ++k) {
        const eri_lanes *turn = s->own + 6 * (ptrdiff_t)region->body[k];
        double mass = s->body[region->body[k]].mass;
        eri_lanes ahead = along(frame->forward, turn), side = along(frame->left, turn), up = along(frame->up, turn);
        way[ERI_WAY_UP] += mass * side * side;
        way[ERI_WAY_SIDE] += mass * up * up;
        way[ERI_WAY_TWIST] += mass * ahead * ahead;
    }
}

// All bodies of a limb count alike: a light shin is seen to swing as well as a heavy thigh. A leg is seen against the
// ground too: one that stays where it is while the trunk turns above it does not swing. So directions of legs are
// weighed by motion against the trunk times that in space.
ERI_LANES_INLINE void weigh_shifts(eri_mode_sums *s, const er_region *region, eri_lanes way[ERI_WAY_COUNT])
{
    bool leg = region->kind == ER_REGION_LEG;
    eri_lanes shifts[3] = {0}, whole = {0};
    for (int k = 0; k < region->body_count; ++k) {
        double girth = s->body[region->body[k]].girth;
        const eri_lanes *own = s->own + 6 * (ptrdiff_t)region->body[k], *v = s->v + 6 * (ptrdiff_t)region->body[k];
        for (int a = ERI_WAY_AHEAD; a <= ERI_WAY_UP; ++a) {
            er_vec3 axis = eri_frame_axis(s->regions, (eri_way)a);
            eri_lanes shift = along(axis, own + 3);
            shifts[a] += leg ? eri_lanes_magnitude(shift * along(axis, v + 3)) : shift * shift;
        }
        whole += dot(own + 3, own + 3);
        eri_lanes twist = along(region->along, own);
        way[ERI_WAY_TWIST] += girth * twist * twist;
    }
    eri_lanes seen = shifts[0] + shifts[1] + shifts[2], none = {0},
              factor = eri_lanes_choose(eri_lanes_below(none, seen), whole / seen, none);
    for (int a = ERI_WAY_AHEAD; a <= ERI_WAY_UP; ++a)
        way[a] += shifts[a] * factor;
}

ERI_LANES_INLINE eri_lanes common_of_twins(const eri_mode_sums *s, const er_region *region)
{
    eri_lanes both = {0}, image[6];
    for (int k = 0; k < region->body_count; ++k) {
        int i = region->body[k], twin = s->regions->mirror->body[i];
        if (twin < 0) continue;
        reflect(s->regions->body->left, s->own + 6 * (ptrdiff_t)twin, image);
        both += common_of(&s->body[i], s->own + 6 * (ptrdiff_t)i, image);
    }
    return both;
}

ERI_LANES_DO(sum_regions, (eri_mode_sums * s), (s))
{
    for (int r = 0; r < s->regions->count; ++r) {
        const er_region *region = &s->regions->region[r];
        if (region->twin > r) s->of_region[r].common = common_of_twins(s, region);
        if (region->kind == ER_REGION_HEAD)
            weigh_turns(s, region, s->of_region[r].way);
        else if (!eri_is_seen_to_bend(region->kind))
            weigh_shifts(s, region, s->of_region[r].way);
    }
}

void eri_mode_sums_read(eri_mode_sums *s, const er_mode *mode, int count)
{
    const double *body[ERI_LANE_COUNT], *joint[ERI_LANE_COUNT];
    for (int k = 0; k < count; ++k) {
        body[k] = mode[k].body;
        joint[k] = mode[k].joint;
    }
    eri_lanes_gather_columns(6 * s->model->body_count, count, body, s->v);
    eri_lanes_gather_columns(s->model->coordinate_count, count, joint, s->q);
    turn_to_model(s);
    sum_bodies(s);
    sum_springs(s);
    find_own_motion(s);
    weigh_bends(s);
    sum_regions(s);
}
