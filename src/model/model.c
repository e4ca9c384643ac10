// Models checked and copied, their spanning tree found, their pose changed.
// The spanning tree is found over undirected joints, so a tree may cross a joint from child to parent.
#include <eigenrig/model.h>

#include <string.h>

#include "base/arena.h"
#include "model/check.h"
#include "model/tree.h"

static const int max_count = 10000000;

// Sizes of numbers that are let in: products of a few of them, and of their roots and inverses, are doubles too.
static const double least = 1e-50, most = 1e50;

er_model_def er_default_model_def(void)
{
    er_model_def def = {.tag = ER_DEF_TAG};
    return def;
}

er_model_def er_model_def_of(const er_model *model)
{
    return (er_model_def){.name = model->name,
                          .source = model->source,
                          .body_count = model->body_count,
                          .body = model->body,
                          .joint_count = model->joint_count,
                          .joint = model->joint,
                          .damping_ratio = model->damping_ratio,
                          .rayleigh_mass = model->rayleigh_mass,
                          .rayleigh_stiffness = model->rayleigh_stiffness,
                          .tag = ER_DEF_TAG};
}

er_body er_default_body(void)
{
    er_body body = {.pose = er_pose_identity()};
    return body;
}

er_joint er_default_joint(void)
{
    er_joint joint = {.parent = -1, .frame = er_pose_identity(), .swing = HUGE_VAL, .twist = {-HUGE_VAL, HUGE_VAL}};
    for (int c = 0; c < 6; ++c) {
        joint.limit[c][0] = -HUGE_VAL;
        joint.limit[c][1] = HUGE_VAL;
    }
    return joint;
}

er_pose er_joint_frame_along(er_vec3 origin, er_vec3 axis)
{
    er_vec3 z = er_v3_unit(axis, er_v3(0, 0, 1)), x = er_v3_perpendicular(z), y = er_v3_cross(z, x);
    er_mat3 axes = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return (er_pose){er_q_from_m3(axes), origin};
}

static bool point_is_bounded(er_vec3 p)
{
    return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

// Refuses a wrong pose and names its field.
static er_result check_pose(er_context *context, const char *kind, int i, const char *name, const char *field,
                            er_pose p)
{
    if (!(fabs(er_q_dot(p.q, p.q) - 1.0) < 1e-3))
        return er_fail(context, ER_ERROR_RIG,
                       "%s %d \"%s\": %s has the orientation (%g, %g, %g, %g), which is not a "
                       "unit quaternion (w, x, y, z)",
                       kind, i, name, field, p.q.w, p.q.x, p.q.y, p.q.z);
    if (!point_is_bounded(p.p))
        return er_fail(context, ER_ERROR_RIG,
                       "%s %d \"%s\": %s has the position (%g, %g, %g), which is not finite or "
                       "beyond %g",
                       kind, i, name, field, p.p.x, p.p.y, p.p.z, most);
    return ER_OK;
}

// Whether m + shift I is positive definite: the pivots of its Cholesky factor.
static bool is_positive_definite(er_mat3 m, double shift)
{
    double l[3][3] = {{0}};
    for (int j = 0; j < 3; ++j)
        for (int i = j; i < 3; ++i) {
            double sum = m.m[i][j] + (i == j ? shift : 0.0);
            for (int k = 0; k < j; ++k)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return true;
}

// A positive definite J, beyond doubt of rounding, whose second-moment matrix tr(J)/2 I - J is positive semidefinite:
// the triangle inequality, on which a plate sits exactly.
static bool inertia_is_physical(er_mat3 j)
{
    double trace = j.m[0][0] + j.m[1][1] + j.m[2][2];
    er_mat3 second = er_m3_madd((er_mat3){0}, -1.0, j);
    return trace >= least && is_positive_definite(j, -1e-14 * trace) &&
           is_positive_definite(second, (0.5 + 1e-9) * trace);
}

er_result eri_model_check_body(er_context *context, int i, const er_body *b)
{
    const char *name = b->name != NULL ? b->name : "";
    if (!(b->mass >= least && b->mass <= most))
        return er_fail(context, ER_ERROR_RIG, "body %d \"%s\": mass %g is not a positive number from %g to %g", i, name,
                       b->mass, least, most);
    if (!point_is_bounded(b->com))
        return er_fail(context, ER_ERROR_RIG, "body %d \"%s\": the centre of mass (com) is not finite, or beyond %g", i,
                       name, most);
    double asymmetry = 0.0, largest = 0.0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            if (!(fabs(b->inertia.m[r][c]) <= most))
                return er_fail(context, ER_ERROR_RIG, "body %d \"%s\": the inertia is not finite, or beyond %g", i,
                               name, most);
            asymmetry = fmax(asymmetry, fabs(b->inertia.m[r][c] - b->inertia.m[c][r]));
            largest = fmax(largest, fabs(b->inertia.m[r][c]));
        }
    if (asymmetry > 1e-6 * largest)
        return er_fail(context, ER_ERROR_RIG, "body %d \"%s\": the inertia is not symmetric", i, name);
    if (!inertia_is_physical(b->inertia))
        return er_fail(context, ER_ERROR_RIG,
                       "body %d \"%s\": the inertia is not that of any solid (it must be positive definite, and each "
                       "principal moment at most the sum of the other two)",
                       i, name);
    return check_pose(context, "body", i, name, "pose", b->pose);
}

er_result eri_model_check_joint(er_context *context, int i, const er_joint *j, int body_count)
{
    const char *name = j->name != NULL ? j->name : "";
    if (j->parent < -1 || j->parent >= body_count)
        return er_fail(context, ER_ERROR_RIG,
                       "joint %d \"%s\": parent %d is no body (there are %d, and -1 is the world)", i, name, j->parent,
                       body_count);
    if (j->child < 0 || j->child >= body_count)
        return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": child %d is no body (there are %d)", i, name, j->child,
                       body_count);
    if (j->parent == j->child)
        return er_fail(
            context, ER_ERROR_RIG,
            "joint %d \"%s\": joins body %d to itself; start from er_default_joint() and set parent and child", i, name,
            j->child);
    if ((unsigned)j->type >= ER_JOINT_TYPE_COUNT)
        return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": unknown type %d", i, name, (int)j->type);
    er_result r = check_pose(context, "joint", i, name, "frame", j->frame);
    if (r != ER_OK) return r;
    if (j->type == ER_JOINT_SCREW && !(fabs(j->pitch) >= least && fabs(j->pitch) <= most))
        return er_fail(context, ER_ERROR_RIG,
                       "joint %d \"%s\": the pitch %g of a screw is not a number from %g to %g in size (m per radian)",
                       i, name, j->pitch, least, most);
    for (int c = 0; c < er_joint_type_freedom(j->type, NULL); ++c) {
        if (j->stiffness[c] != 0.0 && !(j->stiffness[c] >= least && j->stiffness[c] <= most))
            return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": stiffness %g is neither 0 nor from %g to %g", i,
                           name, j->stiffness[c], least, most);
        if (!(j->damping[c] >= 0.0 && j->damping[c] <= most))
            return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": damping %g is not a number from 0 to %g", i, name,
                           j->damping[c], most);
        if (!(j->limit[c][0] <= j->limit[c][1] && j->limit[c][0] < HUGE_VAL && j->limit[c][1] > -HUGE_VAL))
            return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": limits [%g, %g] are not in order", i, name,
                           j->limit[c][0], j->limit[c][1]);
    }
    if (j->type != ER_JOINT_SPHERICAL) return ER_OK;
    if (!(j->swing >= 0.0))
        return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": swing %g is not a number >= 0", i, name, j->swing);
    if (!(j->twist[0] <= j->twist[1] && j->twist[0] < HUGE_VAL && j->twist[1] > -HUGE_VAL))
        return er_fail(context, ER_ERROR_RIG, "joint %d \"%s\": twist [%g, %g] is not in order", i, name, j->twist[0],
                       j->twist[1]);
    return ER_OK;
}

// A quaternion that is unit to rounding stays as it is, so that a rig read from a file is the one that was written.
static er_quat normalised(er_quat q)
{
    return fabs(er_q_dot(q, q) - 1.0) <= 4e-15 ? q : er_q_unit(q);
}

static er_result copy_bodies(er_model *m, const er_model_def *def)
{
    er_result r = ER_OK;
    er_body *bodies;
    ERI_TRY_NEW(bodies, m->arena, er_body, def->body_count);
    for (int i = 0; i < def->body_count; ++i) {
        er_body *b = &bodies[i];
        *b = def->body[i];
        b->pose.q = normalised(b->pose.q);
        b->inertia = er_m3_madd(er_m3_madd((er_mat3){0}, 0.5, b->inertia), 0.5, er_m3_transpose(b->inertia));
        b->name = eri_arena_string(m->arena, b->name);
        if (b->name == NULL) return ER_ERROR_MEMORY;
    }
    m->body = bodies;
    m->body_count = def->body_count;
done:
    return r;
}

static er_result copy_joints(er_model *m, const er_model_def *def)
{
    er_result r = ER_OK;
    er_joint *joints;
    int *coordinate;
    ERI_TRY_NEW(joints, m->arena, er_joint, def->joint_count);
    ERI_TRY_NEW(coordinate, m->arena, int, def->joint_count + 1);
    for (int i = 0; i < def->joint_count; ++i) {
        er_joint *j = &joints[i];
        *j = def->joint[i];
        j->frame.q = normalised(j->frame.q);
        j->name = eri_arena_string(m->arena, j->name);
        if (j->name == NULL) return ER_ERROR_MEMORY;
        int count = er_joint_type_freedom(j->type, NULL);
        if (j->type != ER_JOINT_SCREW) j->pitch = 0.0;
        if (j->type != ER_JOINT_SPHERICAL) j->swing = j->twist[1] = HUGE_VAL, j->twist[0] = -HUGE_VAL;
        for (int c = count; c < 6; ++c)
            j->stiffness[c] = j->damping[c] = j->limit[c][0] = j->limit[c][1] = 0.0;
        coordinate[i + 1] = coordinate[i] + count;
        m->loop_count += j->closes_loop;
    }
    m->joint = joints;
    m->joint_count = def->joint_count;
    m->coordinate = coordinate;
    m->coordinate_count = coordinate[def->joint_count];
done:
    return r;
}

// Roots are the world, then bodies that are no joint's child. A tree of k joints has k children and k + 1 bodies, so
// every tree has such a body, and what is not reached from them lies on a cycle.
static er_result find_tree(er_context *context, er_model *m)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    int n = m->body_count, *tree_joint, *tree_parent, *order;
    bool *is_child;
    eri_tree tree;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(tree_joint, m->arena, int, n);
    ERI_TRY_NEW(tree_parent, m->arena, int, n);
    ERI_TRY_NEW(order, m->arena, int, n);
    ERI_TRY_NEW(is_child, scratch, bool, n);
    ERI_TRY(eri_tree_reserve(scratch, scratch, n, m->joint_count, &tree));
    for (int j = 0; j < m->joint_count; ++j)
        if (!m->joint[j].closes_loop) is_child[m->joint[j].child] = true;
    eri_tree_begin(&tree, m, NULL, NULL);
    eri_tree_grow(&tree, -1, ERI_BREADTH_FIRST);
    for (int i = 0; i < n; ++i)
        if (tree.link_of_body[i] < 0 && !is_child[i]) eri_tree_grow(&tree, i, ERI_BREADTH_FIRST);
    if (tree.cycle >= 0)
        r = er_fail(context, ER_ERROR_RIG,
                    "joint %d \"%s\" closes a cycle of joints; mark it \"closes_loop\": true if that is meant",
                    tree.cycle, m->joint[tree.cycle].name);
    for (int i = 0; i < n && r == ER_OK; ++i)
        if (tree.link_of_body[i] < 0)
            r = er_fail(context, ER_ERROR_RIG,
                        "body %d \"%s\" lies on a cycle of joints; mark one \"closes_loop\": true", i, m->body[i].name);
    for (int i = 0; i < tree.link_count; ++i) {
        const eri_link *l = &tree.link[i];
        tree_joint[l->body] = l->joint;
        tree_parent[l->body] = l->above;
        order[i] = l->body;
    }
    m->tree_joint = tree_joint;
    m->tree_parent = tree_parent;
    m->order = order;
done:
    eri_arena_destroy(scratch);
    return r;
}

static double model_size(const er_model *m)
{
    er_vec3 lo = er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), hi = er_v3_scale(-1.0, lo);
    double gyration = 0.0;
    for (int i = 0; i < m->body_count + m->joint_count; ++i) {
        bool is_body = i < m->body_count;
        const er_body *b = &m->body[is_body ? i : 0];
        er_vec3 points[2] = {is_body ? b->pose.p : m->joint[i - m->body_count].frame.p, er_v3(0, 0, 0)};
        points[1] = is_body ? er_pose_point(b->pose, b->com) : points[0];
        for (int k = 0; k < 2; ++k) {
            lo = er_v3(fmin(lo.x, points[k].x), fmin(lo.y, points[k].y), fmin(lo.z, points[k].z));
            hi = er_v3(fmax(hi.x, points[k].x), fmax(hi.y, points[k].y), fmax(hi.z, points[k].z));
        }
        if (is_body)
            gyration = fmax(gyration, sqrt((b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2]) / b->mass));
    }
    return fmax(er_v3_distance(lo, hi), gyration);
}

er_result eri_model_check_damping(er_context *context, const er_model_def *def)
{
    const struct {
        const char *name;
        double value;
    } given[] = {{"damping ratio", def->damping_ratio},
                 {"Rayleigh factor of the mass", def->rayleigh_mass},
                 {"Rayleigh factor of the stiffness", def->rayleigh_stiffness}};
    for (size_t i = 0; i < ERI_COUNT(given); ++i)
        if (!(given[i].value >= 0.0 && given[i].value <= most))
            return er_fail(context, ER_ERROR_RIG, "%s %g is not a number from 0 to %g", given[i].name, given[i].value,
                           most);
    return ER_OK;
}

er_result er_model_create(er_context *context, const er_model_def *def, er_model **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (def == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_model_create needs a def made by er_default_model_def()");
    if (def->body_count < 1 || def->body_count > max_count)
        return er_fail(context, ER_ERROR_RIG, "a rig needs 1 to %d bodies, not %d", max_count, def->body_count);
    if (def->joint_count < 0 || def->joint_count > max_count)
        return er_fail(context, ER_ERROR_RIG, "a rig has 0 to %d joints, not %d", max_count, def->joint_count);
    if (def->body == NULL || (def->joint_count > 0 && def->joint == NULL))
        return er_fail(context, ER_ERROR_RIG, "%d bodies and %d joints are counted, but an array of them is NULL",
                       def->body_count, def->joint_count);
    er_result sound = eri_model_check_damping(context, def);
    if (sound != ER_OK) return sound;

    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_model *m = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(m, arena, er_model, 1);
    m->arena = arena;
    m->damping_ratio = def->damping_ratio;
    m->rayleigh_mass = def->rayleigh_mass;
    m->rayleigh_stiffness = def->rayleigh_stiffness;
    for (int i = 0; i < def->body_count; ++i)
        ERI_TRY(eri_model_check_body(context, i, &def->body[i]));
    for (int i = 0; i < def->joint_count; ++i)
        ERI_TRY(eri_model_check_joint(context, i, &def->joint[i], def->body_count));
    m->name = eri_arena_string(arena, def->name);
    m->source = eri_arena_string(arena, def->source);
    if (m->name == NULL || m->source == NULL) {
        r = ER_ERROR_MEMORY;
        goto done;
    }
    ERI_TRY(copy_bodies(m, def));
    ERI_TRY(copy_joints(m, def));
    ERI_TRY(find_tree(context, m));
    m->size = model_size(m);
    *out = m;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_model_destroy(er_model *model)
{
    if (model != NULL) eri_arena_destroy(model->arena);
}
