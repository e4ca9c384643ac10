// The joints of a set: where both bodies have them, whether they are together there, and which of them close loops.
#include "formats/bacin/bacin_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The counts of numbers that each type has for its first and second body; a Fixed joint's other side is space. 3
// numbers are a point; 6 a point and an axis w; 9 these and a direction u across the axis; 4 a plane a b c d.
static const struct form {
    const char *word;
    er_joint_type type;
    int first, second;
    bool axis, across; // held: w, u
} forms[] = {
    {"Universal", ER_JOINT_SPHERICAL, 3, 3, false, false},  {"Fixed", ER_JOINT_SPHERICAL, 3, 0, false, false},
    {"Plane", ER_JOINT_POINT_ON_PLANE, 3, 4, false, false}, {"Cylindrical", ER_JOINT_CYLINDRICAL, 6, 6, true, false},
    {"Prismatic", ER_JOINT_PRISMATIC, 9, 9, true, true},    {"Revolution", ER_JOINT_REVOLUTE, 6, 6, true, false}};

// A joint as one of its bodies has it.
typedef struct side {
    int body;
    er_pose frame; // in the body: z is w or the plane's normal, x is u
} side;

// ---- one side

static er_quat turned_to(er_vec3 z, er_vec3 x)
{
    er_vec3 y = er_v3_cross(z, x);
    return er_q_from_m3((er_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}});
}

static er_result make_frame(const eri_bacin_text *text, int count, const double *n, er_pose *frame)
{
    er_vec3 none = er_v3(0, 0, 0);
    *frame = (er_pose){er_q_identity(), er_v3(n[0], n[1], n[2])};
    if (count == 3) return ER_OK;
    er_vec3 along = count == 4 ? frame->p : er_v3(n[3], n[4], n[5]), z = er_v3_unit(along, none);
    if (er_v3_norm(z) == 0.0) return eri_bacin_wrong(text, "an axis or a normal of 0 0 0 has no direction");
    if (count == 4) frame->p = er_v3_scale(-n[3] / er_v3_norm(along), z);
    er_vec3 x = er_v3_perpendicular(z);
    if (count == 9) {
        er_vec3 u = er_v3_unit(er_v3(n[6], n[7], n[8]), none);
        x = er_v3_madd(u, -er_v3_dot(u, z), z);
        if (!(er_v3_norm(x) > 1e-3))
            return eri_bacin_wrong(text, "the direction u = %g %g %g does not lie across the axis", n[6], n[7], n[8]);
        x = er_v3_unit(x, none);
    }
    frame->q = turned_to(z, x);
    return ER_OK;
}

static er_result read_side(eri_bacin_text *text, const eri_bacin_set *set, int count, side *out)
{
    static const char *const what[10] = {[3] = "a point x y z",
                                         [4] = "a plane a b c d",
                                         [6] = "a point x y z and an axis w",
                                         [9] = "a point x y z, an axis w and a direction u across it"};
    double n[9];
    er_result r = eri_bacin_body_named(text, set, &out->body);
    if (r == ER_OK) r = eri_bacin_numbers(text, what[count], count, n);
    return r == ER_OK ? make_frame(text, count, n, &out->frame) : r;
}

// ---- both sides

enum { HELD_X = 1, HELD_Y = 2, HELD_Z = 4 };

// The shifts that a type holds, of its frame.
static int held_shifts(er_joint_type type)
{
    bool free_z = type == ER_JOINT_CYLINDRICAL || type == ER_JOINT_PRISMATIC;
    return type == ER_JOINT_POINT_ON_PLANE ? HELD_Z : free_z ? HELD_X | HELD_Y : HELD_X | HELD_Y | HELD_Z;
}

static double held_part(int held, er_vec3 v)
{
    er_vec3 part = er_v3(held & HELD_X ? v.x : 0.0, held & HELD_Y ? v.y : 0.0, held & HELD_Z ? v.z : 0.0);
    return er_v3_norm(part);
}

// Files may have three digits: this much of a rad, and of the distances in which numbers are rounded.
static const double loose = 1e-3;

// Whether the parent's frame P and the child's Q are together, and stay so at first.
static er_result check_together(const eri_bacin_text *text, const eri_bacin_set *set, const struct form *form,
                                const char *name, side parent, side child, er_pose P, er_pose Q)
{
    er_pose X = er_pose_mul(er_pose_inverse(P), Q);
    er_vec3 z = er_q_rotate(X.q, er_v3(0, 0, 1)), x = er_q_rotate(X.q, er_v3(1, 0, 0));
    int held = held_shifts(form->type);
    double reach = er_v3_norm(parent.frame.p) + er_v3_norm(child.frame.p) + 1e-9 * er_v3_norm(Q.p);
    double gap = held_part(held, X.p), turn = form->axis ? hypot(z.x, z.y) : 0.0;
    if (form->across) turn = fmax(turn, fabs(x.y));
    if (!(gap <= loose * reach))
        return eri_bacin_wrong(text, "the joint \"%.60s\" does not close: its bodies have it %g m apart; change %s",
                               name, gap, "their places in the state or its points");
    if (!(turn <= loose))
        return eri_bacin_wrong(text, "the joint \"%.60s\" does not close: its axes are %g rad apart", name,
                               asin(fmin(turn, 1)));
    er_twist a = eri_bacin_motion(set, parent.body, Q.p), b = eri_bacin_motion(set, child.body, Q.p);
    er_quat to = er_q_conj(P.q);
    er_vec3 shift = er_q_rotate(to, er_v3_sub(b.linear, a.linear)),
            spin = er_q_rotate(to, er_v3_sub(b.angular, a.angular));
    double speed = er_v3_norm(a.linear) + er_v3_norm(b.linear), rate = er_v3_norm(a.angular) + er_v3_norm(b.angular);
    double apart = held_part(held, shift), off = form->axis ? hypot(spin.x, spin.y) : 0.0;
    if (form->across) off = fmax(off, fabs(spin.z));
    if (apart > loose * (speed + rate * reach) || off > loose * rate)
        return eri_bacin_wrong(text,
                               "the velocities tear the joint \"%.60s\" apart, at %g m/s and %g rad/s; change them in "
                               "the state",
                               name, apart, off);
    return ER_OK;
}

static er_result read_joint(eri_bacin_text *text, const eri_bacin_set *set, er_joint *out)
{
    er_result r = ER_OK;
    const char *type;
    size_t k = 0;
    side one, two = {ERI_BACIN_WORLD_INDEX, er_pose_identity()};
    ERI_TRY(eri_bacin_entry(text, "joint", &out->name));
    ERI_TRY(eri_bacin_take(text, "the type of a joint", &type));
    while (k < ERI_COUNT(forms) && strcmp(type, forms[k].word) != 0)
        ++k;
    if (k == ERI_COUNT(forms))
        return eri_bacin_wrong(text,
                               "there is no type \"%.60s\" of joints; there are Universal, Fixed, Plane, Cylindrical, "
                               "Prismatic and Revolution",
                               type);
    ERI_TRY(read_side(text, set, forms[k].first, &one));
    if (forms[k].second > 0) ERI_TRY(read_side(text, set, forms[k].second, &two));
    if (one.body == two.body)
        return eri_bacin_wrong(text, "the joint \"%.60s\" joins a body to itself; it has two, or one and %s", out->name,
                               ERI_BACIN_WORLD);
    bool swap = two.body < 0 || (forms[k].type == ER_JOINT_POINT_ON_PLANE); // the plane's is the parent
    side parent = swap ? two : one, child = swap ? one : two;
    if (child.body < 0)
        return eri_bacin_wrong(text, "the joint \"%.60s\" holds a point of space; its point is a body's", out->name);
    er_pose Q = er_pose_mul(eri_bacin_pose(set, child.body), child.frame);
    if (forms[k].second == 0) parent.frame = (er_pose){er_q_identity(), Q.p};
    er_pose P = er_pose_mul(eri_bacin_pose(set, parent.body), parent.frame);
    ERI_TRY(check_together(text, set, &forms[k], out->name, parent, child, P, Q));
    out->parent = parent.body;
    out->child = child.body;
    out->type = forms[k].type;
    out->frame = (er_pose){er_q_unit(P.q), Q.p};
    for (int c = 0; c < 6; ++c) {
        out->limit[c][0] = -HUGE_VAL;
        out->limit[c][1] = HUGE_VAL;
    }
    out->swing = out->twist[1] = HUGE_VAL, out->twist[0] = -HUGE_VAL;
done:
    return r;
}

// ---- bodies held by three points

// A joint among all, for sorting by the two that it joins.
typedef struct body_pair {
    int low, high, joint;
} body_pair;

static int by_pair(const void *a, const void *b)
{
    const body_pair *x = a, *y = b;
    return x->low != y->low     ? (x->low < y->low ? -1 : 1)
           : x->high != y->high ? (x->high < y->high ? -1 : 1)
                                : x->joint - y->joint;
}

// Whether points of joints do not all lie in one line; of fewer than three they do.
static bool span_a_plane(const er_joint *joint, const body_pair *group, int count)
{
    er_vec3 origin = joint[group[0].joint].frame.p, far = er_v3(0, 0, 0);
    for (int i = 1; i < count; ++i) {
        er_vec3 d = er_v3_sub(joint[group[i].joint].frame.p, origin);
        if (er_v3_norm(d) > er_v3_norm(far)) far = d;
    }
    for (int i = 1; i < count; ++i) {
        er_vec3 d = er_v3_sub(joint[group[i].joint].frame.p, origin);
        if (er_v3_norm(er_v3_cross(far, d)) > 1e-6 * er_v3_dot(far, far)) return true;
    }
    return false;
}

// Two bodies that share three points or more, not in one line, do not move against each other: the first of those
// joints holds them altogether, and the others, redundant then, go.
static er_result weld(eri_bacin_set *set)
{
    er_result r = ER_OK;
    body_pair *p;
    bool *gone;
    int count = 0, kept = 0;
    ERI_TRY_NEW(p, set->arena, body_pair, set->joint_count);
    ERI_TRY_NEW(gone, set->arena, bool, set->joint_count);
    for (int k = 0; k < set->joint_count; ++k) {
        const er_joint *j = &set->joint[k];
        bool up = j->parent < j->child;
        if (j->type == ER_JOINT_SPHERICAL)
            p[count++] = (body_pair){up ? j->parent : j->child, up ? j->child : j->parent, k};
    }
    qsort(p, (size_t)count, sizeof *p, by_pair);
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && p[next].low == p[first].low && p[next].high == p[first].high;)
            ++next;
        if (!span_a_plane(set->joint, &p[first], next - first)) continue;
        set->joint[p[first].joint].type = ER_JOINT_FIXED;
        for (int i = first + 1; i < next; ++i)
            gone[p[i].joint] = true;
    }
    for (int k = 0; k < set->joint_count; ++k)
        if (!gone[k]) set->joint[kept++] = set->joint[k];
    set->joint_count = kept;
done:
    return r;
}

// ---- loops

static int root_of(int *up, int i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

// A joint between what joints before it have tied together closes a loop; the world is the last place.
static er_result find_loops(eri_bacin_set *set)
{
    er_result r = ER_OK;
    int *up;
    ERI_TRY_NEW(up, set->arena, int, set->body_count + 1);
    for (int i = 0; i <= set->body_count; ++i)
        up[i] = i;
    for (int k = 0; k < set->joint_count; ++k) {
        er_joint *j = &set->joint[k];
        int a = root_of(up, j->parent < 0 ? set->body_count : j->parent), b = root_of(up, j->child);
        j->closes_loop = a == b;
        up[a] = b;
    }
done:
    return r;
}

er_result eri_bacin_read_joints(eri_bacin_set *set)
{
    er_result r = ER_OK;
    eri_bacin_text text;
    bool missing;
    ERI_TRY(eri_bacin_open_beside(set, ".ctr", &missing, &text));
    if (missing) return ER_OK;
    ERI_TRY(eri_bacin_begin(&text, "constraints", ERI_BACIN_DATE));
    ERI_TRY(eri_bacin_key_count(&text, "constraints", 16, &set->joint_count));
    ERI_TRY_NEW(set->joint, set->arena, er_joint, set->joint_count);
    for (int k = 0; k < set->joint_count; ++k)
        ERI_TRY(read_joint(&text, set, &set->joint[k]));
    ERI_TRY(eri_bacin_end(&text, "constraints", "constraints", set->joint_count));
    ERI_TRY(weld(set));
    ERI_TRY(find_loops(set));
done:
    return r;
}
