// Bodies that stay as they stand: what is off, and how it changes.
#include <string.h>

#include "model/kinematics/kinematics.h"

static int rows_of(const er_hold *hold)
{
    return hold->turns ? 3 : 6;
}

static er_pose goal_of(const er_kinematics *k, int body)
{
    return k->goal != NULL ? k->goal[body] : k->model->body[body].pose;
}

static er_vec3 turned(const er_kinematics *k, const er_hold *hold, const er_pose *pose)
{
    return er_q_log(er_q_mul(pose[hold->body].q, er_q_conj(goal_of(k, hold->body).q)));
}

double eri_hold_errors(const er_kinematics *k, const eri_holds *holds, const er_pose *pose, double *error)
{
    const double size = k->model->size;
    double worst = 0.0;
    for (int h = 0; h < holds->count; ++h) {
        const er_hold *hold = &holds->hold[h];
        int rows = rows_of(hold);
        er_vec3 shift = er_v3_sub(er_pose_point(pose[hold->body], hold->point),
                                  er_pose_point(goal_of(k, hold->body), hold->point)),
                turn = turned(k, hold, pose);
        const double all[6] = {shift.x, shift.y, shift.z, size * turn.x, size * turn.y, size * turn.z};
        memcpy(error, all, (size_t)rows * sizeof *error);
        for (int i = 0; i < rows; ++i)
            worst = eri_worse(worst, error[i]);
        error += rows;
    }
    return worst;
}

void eri_hold_jacobian(const er_kinematics *k, const eri_holds *holds, const double *x, const er_pose *pose,
                       eri_matrix Jt, int column)
{
    const double size = k->model->size;
    for (int h = 0; h < holds->count; ++h) {
        const er_hold *hold = &holds->hold[h];
        er_vec3 at = er_pose_point(pose[hold->body], hold->point), log = turned(k, hold, pose);
        for (int l = k->tree.link_of_body[hold->body]; l >= 0; l = k->tree.link[l].parent) {
            int axis[6], count = er_joint_type_freedom(k->tree.link[l].type, axis);
            for (int a = 0; a < count; ++a) {
                er_twist v = eri_link_twist(k, l, axis[a], x, pose);
                er_vec3 shift = er_v3_add(v.linear, er_v3_cross(v.angular, at)), turn = eri_turn_rate(log, v.angular);
                const double all[6] = {shift.x, shift.y, shift.z, size * turn.x, size * turn.y, size * turn.z};
                for (int i = 0; i < rows_of(hold); ++i)
                    eri_matrix_column(Jt, column + i)[k->placement[l].first + a] = all[i];
            }
        }
        column += rows_of(hold);
    }
}

er_result eri_holds_check(er_context *context, const er_model *model, int count, const er_hold *hold)
{
    enum { MOST = 10000 };
    if (count < 0 || count > MOST || (count > 0 && hold == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d bodies cannot be planted", count);
    for (int i = 0; i < count; ++i) {
        if (hold[i].body < 0 || hold[i].body >= model->body_count || !isfinite(er_v3_norm(hold[i].point)))
            return er_fail(context, ER_ERROR_ARGUMENT, "plant %d is of body %d of %d, or its point is not finite", i,
                           hold[i].body, model->body_count);
        for (int k = 0; k < i; ++k)
            if (hold[k].body == hold[i].body)
                return er_fail(context, ER_ERROR_ARGUMENT, "body %d is to be planted twice", hold[i].body);
    }
    return ER_OK;
}

// A body that stays, on a joint to one that stays too or to the world, needs no rows: its joint is at rest.
static void lock_joints(er_kinematics *k, bool *stays)
{
    for (int h = 0; h < k->holds.count; ++h)
        stays[k->holds.hold[h].body] = !k->holds.hold[h].turns;
    for (int h = 0; h < k->holds.count; ++h) {
        const er_hold *hold = &k->holds.hold[h];
        int link = k->tree.link_of_body[hold->body], above = k->tree.link[link].above, first = k->placement[link].first;
        if (stays[hold->body] && (above < 0 || stays[above]))
            memset(k->locked + first, true, (size_t)er_joint_type_freedom(k->tree.link[link].type, NULL));
        else
            k->apart.hold[k->apart.count++] = *hold;
    }
}

static void count_rows(eri_holds *holds)
{
    for (int h = 0; h < holds->count; ++h)
        holds->rows += rows_of(&holds->hold[h]);
}

er_result eri_kinematics_hold(er_kinematics *k, er_context *context, int count, const er_hold *hold, double pace)
{
    er_result r = ER_OK;
    bool *stays;
    ERI_TRY(eri_holds_check(context, k->model, count, hold));
    ERI_TRY_NEW(k->holds.hold, k->arena, er_hold, count);
    ERI_TRY_NEW(k->apart.hold, k->arena, er_hold, count);
    ERI_TRY_NEW(k->locked, k->arena, bool, k->width);
    ERI_TRY_NEW(stays, k->scratch, bool, k->model->body_count);
    memcpy(k->holds.hold, hold, (size_t)count * sizeof *hold);
    k->holds.count = count;
    lock_joints(k, stays);
    count_rows(&k->holds);
    count_rows(&k->apart);
    k->pace = pace;
    ERI_TRY(eri_kinematics_weigh_springs(k, context));
    r = eri_kinematics_set_groups(k);
done:
    return r;
}
