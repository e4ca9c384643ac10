// Which trees keep one centre of mass.
#include "base/disjoint.h"
#include "model/kinematics/kinematics.h"

// Whether a link begins a tree that no force holds in place: a free joint to the world may have springs.
static bool floats(const er_model *model, const eri_link *l)
{
    if (l->above >= 0 || l->type != ER_JOINT_FREE) return false;
    for (int i = 0; l->joint >= 0 && i < 6; ++i)
        if (model->joint[l->joint].stiffness[i] > 0.0) return false;
    return true;
}

// Trees that loops tie together keep one centre of mass; those tied to the world, or held, none. `body_count` stands
// for it.
er_result eri_kinematics_set_groups(er_kinematics *k)
{
    er_result r = ER_OK;
    const er_model *model = k->model;
    int n = model->body_count, *leader, *group;
    ERI_TRY_NEW(leader, k->scratch, int, n + 1);
    ERI_TRY_NEW(group, k->scratch, int, n + 1);
    for (int i = 0; i <= n; ++i)
        leader[i] = i, group[i] = -1;
    for (int i = 0; i < n; ++i) {
        const eri_link *l = &k->tree.link[i];
        if (!floats(model, l))
            leader[eri_set_find(leader, l->body)] = eri_set_find(leader, l->above >= 0 ? l->above : n);
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const er_joint *joint = &model->joint[j];
        if (joint->closes_loop)
            leader[eri_set_find(leader, joint->child)] = eri_set_find(leader, joint->parent >= 0 ? joint->parent : n);
    }
    for (int h = 0; h < k->holds.count; ++h)
        leader[eri_set_find(leader, k->holds.hold[h].body)] = eri_set_find(leader, n);
    k->group_count = 0;
    ERI_TRY_NEW(k->group_mass, k->arena, double, n);
    ERI_TRY_NEW(k->group_centre, k->arena, er_vec3, n);
    ERI_TRY_NEW(k->drift, k->arena, er_vec3, n);
    for (int i = 0; i < n; ++i) {
        eri_placement *c = &k->placement[i];
        const er_body *body = &model->body[k->tree.link[i].body];
        int top = eri_set_find(leader, k->tree.link[i].body);
        c->group = -1;
        if (top == eri_set_find(leader, n)) continue;
        if (group[top] < 0) group[top] = k->group_count++;
        int g = c->group = group[top];
        k->group_mass[g] += body->mass;
        k->group_centre[g] = er_v3_madd(k->group_centre[g], body->mass, er_pose_point(body->pose, body->com));
    }
    for (int g = 0; g < k->group_count; ++g)
        k->group_centre[g] = er_v3_scale(1.0 / k->group_mass[g], k->group_centre[g]);
done:
    return r;
}
