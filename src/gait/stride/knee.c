// Knees: which way they bend, and a pose in which they do. Modes are sines and bend a knee as far backward as forward;
// a leg that comes through straight has two ways to reach, and would leap from one to the other.
#include "gait/stride/reach.h"

static const double least = 0.05, soft = 0.1; // rad: how far a knee stays bent, and how gently it is told
static const double slender = 0.15;           // of the leg, the least that its parts are long

static er_vec3 joint_at(const eri_leg *leg, int i, const er_pose *pose)
{
    return er_pose_mul(pose[eri_leg_link(leg, i)->above], eri_leg_placement(leg, i)->before).p;
}

static er_vec3 heel_of(const eri_leg *leg, const er_pose *pose)
{
    return er_pose_point(pose[leg->foot->body], leg->foot->heel);
}

// A leg as two parts, hip to knee and knee to heel, along the hinge and across it.
typedef struct two_parts {
    er_vec3 hinge;
    double upper, lower, aside; // m: what turns about the hinge, and what does not
    double bend;                // rad, 0 where straight, > 0 to the knee's side
} two_parts;

static two_parts parts_of(er_vec3 hip, er_vec3 knee, er_vec3 heel, er_vec3 hinge)
{
    er_vec3 upper = er_v3_sub(knee, hip), lower = er_v3_sub(heel, knee);
    double up = er_v3_dot(upper, hinge), low = er_v3_dot(lower, hinge);
    er_vec3 a = er_v3_madd(upper, -up, hinge), b = er_v3_madd(lower, -low, hinge);
    double bend = atan2(er_v3_dot(hinge, er_v3_cross(a, b)), er_v3_dot(a, b));
    return (two_parts){hinge, er_v3_norm(a), er_v3_norm(b), up + low, bend};
}

// --- at rest

static const double slight = 0.052; // rad: by less than three degrees a knee is bent by chance

// The sense of rotation about `axis` that limits leave more room to; 0 where there are none.
static double side_of_limits(const er_joint *joint, er_vec3 axis)
{
    int axes[6], count = er_joint_type_freedom(joint->type, axes);
    double side = 0.0, most = 0.7;
    for (int a = 0; a < count; ++a) {
        const double e[6] = {axes[a] == 0, axes[a] == 1, axes[a] == 2};
        double along = er_v3_dot(axis, er_q_rotate(joint->frame.q, er_v3(e[0], e[1], e[2]))),
               room = joint->limit[a][0] + joint->limit[a][1];
        if (fabs(along) < most || !(fabs(room) > 0.1)) continue; // NaN of those that are infinite both ways
        most = fabs(along);
        side = room * along > 0.0 ? 1.0 : -1.0;
    }
    return side;
}

// The joint that halves the leg best; 0 for none: where the leg leads aside, or parts are too short.
static int find_knee(const eri_leg *leg, const er_pose *rest)
{
    const double aside = 0.3;
    int best = 0;
    er_vec3 hip = joint_at(leg, 0, rest), heel = heel_of(leg, rest), all = er_v3_sub(heel, hip);
    double longest = slender * leg->foot->reach, length = er_v3_norm(all);
    for (int i = 1; i < leg->count; ++i) {
        er_vec3 upper = er_v3_sub(joint_at(leg, i, rest), hip), lower = er_v3_sub(all, upper);
        double a = er_v3_norm(upper), b = er_v3_norm(lower);
        if (fmin(a, b) <= longest || er_v3_dot(upper, all) < aside * a * length ||
            er_v3_dot(lower, all) < aside * b * length)
            continue;
        longest = fmin(a, b);
        best = i;
    }
    return best;
}

// How far joint i of the leg is bent about `axis`, as a sine.
static double bend_at(const eri_leg *leg, int i, const er_pose *rest, er_vec3 axis)
{
    const er_vec3 none = {0, 0, 0};
    er_vec3 at = joint_at(leg, i, rest), below = i + 1 < leg->count ? joint_at(leg, i + 1, rest) : heel_of(leg, rest);
    er_vec3 upper = er_v3_unit(er_v3_sub(at, joint_at(leg, i - 1, rest)), none),
            lower = er_v3_unit(er_v3_sub(below, at), none);
    return er_v3_dot(er_v3_cross(upper, lower), axis);
}

// The opposite side of the nearest bent joint of the leg, first above, since legs zigzag. 0 if none is bent.
static double side_of_others(const eri_leg *leg, const er_pose *rest, er_vec3 axis)
{
    for (int way = -1; way <= 1; way += 2)
        for (int i = leg->knee + way; i >= 1 && i < leg->count; i += way) {
            double bend = bend_at(leg, i, rest, axis);
            if (fabs(bend) > slight) return bend > 0.0 ? -1.0 : 1.0;
        }
    return 0.0;
}

// The axis that the knee bends about, at rest: as it is bent there; of a straight leg across the body, to the side that
// limits say, else the other way than the leg's next joint, else as a person's, so that what is below goes backward.
static er_vec3 find_hinge(const eri_leg *leg, const er_model *model, const er_gait_body *body, const er_pose *rest)
{
    er_vec3 hip = joint_at(leg, 0, rest), at = joint_at(leg, leg->knee, rest), none = {0, 0, 0},
            upper = er_v3_unit(er_v3_sub(at, hip), none), lower = er_v3_unit(er_v3_sub(heel_of(leg, rest), at), none),
            bent = er_v3_cross(upper, lower);
    double side = er_v3_dot(bent, body->left) < 0.0 ? -1.0 : 1.0;
    if (er_v3_norm(bent) < slight) {
        bent = none;
        side = side_of_limits(&model->joint[leg->foot->joint[leg->knee]], body->left);
        if (eri_leg_link(leg, leg->knee)->inverse) side = -side; // the joint's parent is the part below
        if (side == 0.0) side = side_of_others(leg, rest, body->left);
        if (side == 0.0) side = 1.0;
    }
    return er_v3_unit(er_v3_madd(bent, slight * side, body->left), body->left);
}

// The springs of a knee that turns every way are along its hinge and across it, and these stiffer.
static void stiffen(eri_leg *leg, const er_model *model, er_vec3 hinge)
{
    const int i = leg->knee;
    const double stiffer = 20.0;
    const er_joint *joint = &model->joint[leg->foot->joint[i]];
    er_vec3 a = er_q_rotate(er_q_conj(joint->frame.q), hinge), b = er_v3_perpendicular(a);
    const er_vec3 unit[3] = {a, b, er_v3_cross(a, b)};
    int c = 0;
    while (leg->direction[c].owner != i)
        ++c;
    const double stiffness[3] = {leg->direction[c].stiffness, leg->direction[c + 1].stiffness,
                                 leg->direction[c + 2].stiffness};
    for (int k = 0; k < 3; ++k) {
        const er_vec3 u = unit[k];
        double along = u.x * u.x * stiffness[0] + u.y * u.y * stiffness[1] + u.z * u.z * stiffness[2];
        leg->direction[c + k] = (eri_leg_direction){
            i, eri_leg_placement(leg, i)->first, 3, 0, {u.x, u.y, u.z}, k > 0 ? stiffer * along : along};
    }
}

er_result eri_leg_find_knee(er_arena *arena, eri_leg *leg, const er_model *model, const er_gait_body *body)
{
    er_pose *rest = eri_arena_alloc(arena, (size_t)model->body_count, sizeof *rest);
    if (rest == NULL) return ER_ERROR_MEMORY;
    for (int b = 0; b < model->body_count; ++b)
        rest[b] = model->body[b].pose;
    leg->knee = find_knee(leg, rest);
    if (leg->knee == 0) return ER_OK;
    er_vec3 hinge = find_hinge(leg, model, body, rest);
    two_parts p = parts_of(joint_at(leg, 0, rest), joint_at(leg, leg->knee, rest), heel_of(leg, rest), hinge);
    if (fmin(p.upper, p.lower) <= slender * leg->foot->reach) leg->knee = 0; // a straight leg that lies across the body
    if (leg->knee == 0) return ER_OK;
    leg->hinge = er_q_rotate(er_q_conj(rest[eri_leg_link(leg, leg->knee)->above].q), hinge);
    er_joint_type type = eri_leg_link(leg, leg->knee)->type;
    if (type == ER_JOINT_SPHERICAL || type == ER_JOINT_FREE) stiffen(leg, model, hinge);
    return ER_OK;
}

// --- in a pose

static two_parts parts_at(const eri_leg *leg, const er_pose *pose)
{
    return parts_of(joint_at(leg, 0, pose), joint_at(leg, leg->knee, pose), heel_of(leg, pose),
                    er_q_rotate(pose[eri_leg_link(leg, leg->knee)->above].q, leg->hinge));
}

double eri_leg_bend(const eri_leg *leg, const er_pose *pose)
{
    return leg->knee > 0 ? parts_at(leg, pose).bend : 0.0;
}

// Turns the knee about an axis by the least change in its springs.
static bool turn_knee(eri_leg *leg, er_vec3 axis, double angle, double *x, const er_pose *pose)
{
    double norm = 0.0;
    for (int c = 0; c < leg->width; ++c) {
        if (leg->direction[c].owner != leg->knee) continue;
        leg->change[c] = er_v3_dot(axis, eri_leg_twist(leg, c, x, pose).angular);
        norm += leg->change[c] * leg->change[c] / leg->direction[c].stiffness;
    }
    for (int c = 0; c < leg->width && norm > 0.0; ++c)
        if (leg->direction[c].owner == leg->knee)
            eri_leg_step(leg, c, angle * leg->change[c] / (leg->direction[c].stiffness * norm), x);
    return norm > 0.0;
}

static void bend_to(eri_leg *leg, double wanted, double *x, er_pose *pose)
{
    enum { TURNS = 3 };
    for (int turn = 0; turn < TURNS; ++turn) {
        two_parts p = parts_at(leg, pose);
        if (!turn_knee(leg, p.hinge, wanted - p.bend, x, pose)) break;
        eri_leg_pose(leg, x, pose);
    }
}

void eri_leg_keep_side(eri_leg *leg, double *x, er_pose *pose)
{
    if (leg->knee == 0) return;
    double over = parts_at(leg, pose).bend - least;
    bend_to(leg, least + 0.5 * (over + sqrt(over * over + soft * soft)), x, pose);
}

void eri_leg_two_bone(eri_leg *leg, er_vec3 heel, double *x, er_pose *pose)
{
    if (leg->knee == 0) return;
    const double straight = 0.15, near = 0.03; // rad; of the leg: a knee is not asked to be straighter, nor at once
    two_parts p = parts_at(leg, pose);
    double reach2 = p.upper * p.upper + p.lower * p.lower, twice = 2.0 * p.upper * p.lower,
           most = sqrt(reach2 + twice * cos(straight) + p.aside * p.aside), soft_far = near * most,
           over = er_v3_distance(joint_at(leg, 0, pose), heel) - most,
           far = most + 0.5 * (over - sqrt(over * over + soft_far * soft_far));
    double cosine = (far * far - p.aside * p.aside - reach2) / twice;
    bend_to(leg, acos(fmax(-1.0, fmin(1.0, cosine))), x, pose);
}
