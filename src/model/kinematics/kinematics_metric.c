// The norms of a change of coordinates: the mass norm where loops are closed, the energy of springs where bodies are
// held.
#include <string.h>

#include "model/kinematics/kinematics.h"

// --- the mass matrix at equilibrium, by composite inertias (Featherstone 2008, 6.2)

// About a point: mass, first moment, moments; kg, kg m, kg m^2.
typedef struct composite_inertia {
    double mass;
    er_vec3 moment;
    er_mat3 second;
} composite_inertia;

static composite_inertia body_inertia(const er_body *body, er_vec3 point)
{
    er_vec3 c = er_v3_sub(er_pose_point(body->pose, body->com), point);
    er_mat3 turn = er_m3_from_q(body->pose.q), cross = er_m3_skew(c);
    er_mat3 about_centre = er_m3_mul(turn, er_m3_mul(body->inertia, er_m3_transpose(turn)));
    return (composite_inertia){body->mass, er_v3_scale(body->mass, c),
                               er_m3_madd(about_centre, -body->mass, er_m3_mul(cross, cross))};
}

static composite_inertia sum(const composite_inertia *a, const composite_inertia *b)
{
    return (composite_inertia){a->mass + b->mass, er_v3_add(a->moment, b->moment),
                               er_m3_madd(a->second, 1.0, b->second)};
}

static er_twist momentum(const composite_inertia *i, er_twist v)
{
    return (er_twist){er_v3_add(er_m3_mul_v(i->second, v.angular), er_v3_cross(i->moment, v.linear)),
                      er_v3_add(er_v3_scale(i->mass, v.linear), er_v3_cross(v.angular, i->moment))};
}

static double power(er_twist v, er_twist p)
{
    return er_v3_dot(v.angular, p.angular) + er_v3_dot(v.linear, p.linear);
}

static er_result take_room(er_kinematics *k)
{
    er_result r = ER_OK;
    if (k->y != NULL) return r;
    ERI_TRY_NEW(k->asked, k->arena, double, k->width);
    ERI_TRY_NEW(k->from, k->arena, double, k->width);
    ERI_TRY_NEW(k->target, k->arena, double, k->width);
    ERI_TRY_NEW(k->y, k->arena, double, k->width);
    ERI_TRY_NEW(k->step, k->arena, double, k->width);
done:
    return r;
}

er_result eri_kinematics_weigh(er_kinematics *k, er_context *context)
{
    er_result r = ER_OK;
    const er_model *model = k->model;
    int n = k->width, bodies = model->body_count;
    composite_inertia *composite;
    er_twist *column;
    double *rest;
    er_pose *pose;
    er_vec3 point = model->body[0].pose.p;
    ERI_TRY(eri_matrix_create(k->arena, n, n, &k->mass_root));
    ERI_TRY(take_room(k));
    ERI_TRY_NEW(composite, k->scratch, composite_inertia, bodies);
    ERI_TRY_NEW(column, k->scratch, er_twist, n);
    ERI_TRY_NEW(rest, k->scratch, double, n);
    ERI_TRY_NEW(pose, k->scratch, er_pose, bodies);
    for (int b = 0; b < bodies; ++b) {
        pose[b] = model->body[b].pose;
        composite[b] = body_inertia(&model->body[b], point);
    }
    for (int i = bodies - 1; i >= 0; --i) {
        const eri_link *l = &k->tree.link[i];
        const composite_inertia *own = &composite[l->body];
        int axis[6], count = er_joint_type_freedom(l->type, axis);
        for (int a = 0; a < count; ++a) {
            er_twist v = eri_link_twist(k, i, axis[a], rest, pose);
            v.linear = er_v3_add(v.linear, er_v3_cross(v.angular, point));
            column[k->placement[i].first + a] = v;
        }
        if (l->above >= 0) composite[l->above] = sum(&composite[l->above], own);
    }
    for (int i = 0; i < n; ++i)
        eri_matrix_column(k->mass_root, i)[i] = 1.0; // stays for loop joints, which carry nothing
    for (int i = 0; i < bodies; ++i) {
        const eri_link *link = k->tree.link;
        int first = k->placement[i].first, end = first + er_joint_type_freedom(link[i].type, NULL);
        for (int a = first; a < end; ++a) {
            er_twist p = momentum(&composite[link[i].body], column[a]);
            for (int up = i; up >= 0; up = link[up].parent)
                for (int c = 0, b = k->placement[up].first; c < er_joint_type_freedom(link[up].type, NULL); ++c, ++b) {
                    double m = power(column[b], p);
                    eri_matrix_column(k->mass_root, a)[b] = m;
                    eri_matrix_column(k->mass_root, b)[a] = m;
                }
        }
    }
    r = eri_linalg_cholesky(context, k->mass_root);
done:
    return r;
}

// --- the energy in the springs, where bodies are held. A floating root has no
// spring: it counts as if its tree moved rigidly, at a pace, so that W = K + pace^2 M_rigid is one number a joint's
// coordinate and one block of six a root.

// Begins a tree that no spring ties to the world.
static bool is_loose(const er_model *model, const eri_link *l)
{
    double most = 0.0;
    for (int i = 0; l->joint >= 0 && i < 6; ++i)
        most = fmax(most, model->joint[l->joint].stiffness[i]);
    return l->above < 0 && l->type == ER_JOINT_FREE && most == 0.0;
}

static double mean_stiffness(const er_model *model)
{
    double total = 0.0;
    int turns = 0;
    for (int j = 0; j < model->joint_count; ++j) {
        int axis[6], count = er_joint_type_freedom(model->joint[j].type, axis);
        for (int a = 0; a < count; ++a)
            if (axis[a] < 3 && model->joint[j].stiffness[a] > 0.0) total += model->joint[j].stiffness[a], ++turns;
    }
    return turns > 0 ? total / turns : 1.0;
}

// A joint without spring gives as one that has a hundredth of the others'.
static void set_springs(er_kinematics *k)
{
    const er_model *model = k->model;
    const double least = 0.01 * mean_stiffness(model);
    for (int j = 0; j < model->joint_count; ++j) {
        int axis[6], count = er_joint_type_freedom(model->joint[j].type, axis);
        for (int a = 0; a < count; ++a) {
            double unit = axis[a] < 3 ? 1.0 : model->size;
            k->spring_root[model->coordinate[j] + a] = sqrt(fmax(model->joint[j].stiffness[a], least / (unit * unit)));
        }
    }
    for (int i = 0; i < model->body_count; ++i)
        for (int c = 0; is_loose(model, &k->tree.link[i]) && c < 6; ++c)
            k->spring_root[k->placement[i].first + c] = 0.0;
}

// The inertia of a root's tree at equilibrium, about the root's frame.
static composite_inertia tree_inertia(const er_kinematics *k, int root)
{
    composite_inertia all = {0};
    for (int i = 0; i < k->model->body_count; ++i) {
        int top = i;
        while (k->tree.link[top].parent >= 0)
            top = k->tree.link[top].parent;
        if (top != root) continue;
        const composite_inertia own = body_inertia(&k->model->body[k->tree.link[i].body], k->placement[root].frame.p);
        all = sum(&all, &own);
    }
    return all;
}

static er_result weigh_root(const er_kinematics *k, er_context *context, int root, double *block)
{
    const eri_matrix m = {6, 6, block};
    const composite_inertia tree = tree_inertia(k, root);
    const er_quat q = k->placement[root].frame.q, back = er_q_conj(q);
    for (int a = 0; a < 6; ++a) {
        er_vec3 way = er_q_rotate(q, er_v3(a % 3 == 0, a % 3 == 1, a % 3 == 2)), none = {0, 0, 0};
        er_twist p = momentum(&tree, (er_twist){a < 3 ? way : none, a < 3 ? none : way});
        er_vec3 angular = er_q_rotate(back, p.angular), linear = er_q_rotate(back, p.linear);
        const double column[6] = {angular.x, angular.y, angular.z, linear.x, linear.y, linear.z};
        memcpy(eri_matrix_column(m, a), column, sizeof column);
    }
    return eri_linalg_cholesky(context, m);
}

er_result eri_kinematics_weigh_springs(er_kinematics *k, er_context *context)
{
    er_result r = ER_OK;
    int roots = 0;
    ERI_TRY(take_room(k));
    ERI_TRY_NEW(k->spring_root, k->arena, double, k->width);
    set_springs(k);
    for (int i = 0; i < k->model->body_count; ++i)
        roots += is_loose(k->model, &k->tree.link[i]);
    ERI_TRY_NEW(k->loose, k->arena, int, roots);
    ERI_TRY_NEW(k->loose_root, k->arena, double, 36 * (size_t)roots);
    for (int i = 0; i < k->model->body_count; ++i) {
        if (!is_loose(k->model, &k->tree.link[i])) continue;
        ERI_TRY(weigh_root(k, context, i, k->loose_root + 36 * (size_t)k->loose_count));
        k->loose[k->loose_count++] = k->placement[i].first;
    }
done:
    return r;
}

void eri_kinematics_unweigh(const er_kinematics *k, bool transpose, eri_matrix b)
{
    if (k->holds.count == 0) {
        eri_linalg_triangular_solve(transpose, k->mass_root, b);
        return;
    }
    for (int j = 0; j < b.cols; ++j) {
        double *column = eri_matrix_column(b, j);
        for (int i = 0; i < k->loose_count; ++i) {
            double *six = column + k->loose[i];
            eri_linalg_triangular_solve(transpose, (eri_matrix){6, 6, k->loose_root + 36 * (size_t)i},
                                        (eri_matrix){6, 1, six});
            for (int c = 0; c < 6; ++c)
                six[c] /= k->pace;
        }
        for (int c = 0; c < k->width; ++c)
            if (k->spring_root[c] > 0.0) column[c] /= k->spring_root[c]; // none of what is loose has one
    }
}
