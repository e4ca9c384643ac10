// Random rigs of any size: a few trees of all joint types, with loops on demand.
#include "forest.h"

#include <string.h>

static const er_joint_type types[] = {ER_JOINT_REVOLUTE,    ER_JOINT_SCREW,     ER_JOINT_UNIVERSAL,
                                      ER_JOINT_SPHERICAL,   ER_JOINT_SPHERICAL, ER_JOINT_PRISMATIC,
                                      ER_JOINT_CYLINDRICAL, ER_JOINT_PLANAR,    ER_JOINT_POINT_ON_PLANE,
                                      ER_JOINT_FIXED,       ER_JOINT_FREE};

static er_joint_type draw_type(dice *d)
{
    return types[dice_below(d, sizeof types / sizeof *types)];
}

static void draw_springs(er_joint *j, dice *d)
{
    for (int i = 0; i < er_joint_type_freedom(j->type, NULL); ++i)
        j->stiffness[i] = dice_below(d, 5) == 0 ? 0.0 : pow(10.0, dice_uniform(d, 0, 2));
}

static er_pose near(dice *d, er_vec3 p)
{
    er_quat q = dice_quat(d);
    return (er_pose){q, er_v3_madd(p, 0.4, dice_vec3(d))};
}

static void add_body(rig *r, dice *d, er_vec3 beside)
{
    er_pose pose = near(d, beside);
    double mass = pow(10.0, dice_uniform(d, -3, 3)), s[3];
    for (int k = 0; k < 3; ++k) { // second moments of a solid some decimetres across
        double extent = dice_uniform(d, 0.05, 0.4);
        s[k] = mass * extent * extent;
    }
    er_vec3 com = er_v3_madd(pose.p, 0.3, dice_vec3(d));
    rig_add_body(r, mass, er_v3(s[1] + s[2], s[2] + s[0], s[0] + s[1]), dice_quat(d), com, pose);
}

static void add_loops(rig *r, dice *d)
{
    static const er_joint_type loop_types[] = {ER_JOINT_POINT_ON_PLANE, ER_JOINT_SPHERICAL, ER_JOINT_PLANAR,
                                               ER_JOINT_POINT_ON_PLANE, ER_JOINT_FREE};
    int n = r->body_count;
    for (int i = 1 + dice_below(d, 3); i > 0; --i) {
        int a = dice_below(d, n), b = (a + 1 + dice_below(d, n - 1)) % n;
        er_joint *j;
        if (r->joint_count > 0 && dice_below(d, 3) == 0) {
            er_joint copy = r->joint[dice_below(d, r->joint_count)];
            j = rig_add_joint(r, copy.type, copy.parent, copy.child, copy.frame);
        } else {
            er_joint_type type = loop_types[dice_below(d, 5)];
            int parent = dice_below(d, 4) == 0 ? -1 : a;
            j = rig_add_joint(r, type, parent, b, near(d, r->body[a].pose.p));
        }
        draw_springs(j, d);
        j->closes_loop = true;
    }
}

void rig_forest(rig *r, dice *d, int bodies, bool loops)
{
    memset(r, 0, sizeof *r);
    int reach = dice_below(d, 2) == 0 ? 3 : bodies; // slender or bushy
    for (int i = 0; i < bodies; ++i) {
        int back = i < reach ? i : reach, other = i > 0 && dice_below(d, 12) > 0 ? i - 1 - dice_below(d, back) : -1;
        add_body(r, d, other >= 0 ? r->body[other].pose.p : er_v3_scale(3.0, dice_vec3(d)));
        if (other < 0 && dice_below(d, 2) == 0) continue; // a free root
        bool reversed = other >= 0 && dice_below(d, 3) == 0;
        er_joint_type type = draw_type(d);
        er_pose frame = near(d, r->body[i].pose.p);
        draw_springs(rig_add_joint(r, type, reversed ? i : other, reversed ? other : i, frame), d);
    }
    if (loops && bodies > 1) add_loops(r, d);
}

forest_counts forest_count(const er_model *model)
{
    forest_counts n = {0};
    for (int b = 0; b < model->body_count; ++b)
        n.rigid += model->tree_joint[b] < 0 ? 6 : 0;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        for (int i = 0; i < er_joint_type_freedom(j->type, NULL); ++i)
            ++*(j->stiffness[i] > 0.0                       ? &n.elastic
                : j->type == ER_JOINT_FREE && j->parent < 0 ? &n.rigid
                                                            : &n.mechanism);
    }
    return n;
}
