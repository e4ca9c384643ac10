// The stand: the equilibrium, its hips lowered over feet that stay.
#include "gait/control/walker.h"

#include <string.h>

#include "gait/control/walker_algebra.h"

enum { ROUNDS = 60 };

#define BENDS 0.5     // of the way to the pose in mid-swing: knees begin on their own side
#define SOFT 1e-3     // of reach^2
#define MOST_TURN 0.3 // rad, of a joint in a round

// Turns a body and all below it about a point.
static void turn_subtree(const er_walker *w, er_pose *pose, int top, er_vec3 about, er_vec3 turn)
{
    er_quat q = er_q_exp(turn);
    for (int i = 0; i < w->body_count; ++i) {
        int b = w->order[i];
        int up = b;
        while (up >= 0 && up != top)
            up = w->body[up].parent;
        if (up < 0) continue;
        pose[b] =
            (er_pose){er_q_unit(er_q_mul(q, pose[b].q)), er_v3_add(about, er_q_rotate(q, er_v3_sub(pose[b].p, about)))};
    }
}

// Turns the leg's joints part of the way to those in mid-swing.
static void bend_leg(er_walker *w, const eri_walk_leg *leg, er_pose *pose)
{
    double phase = leg->touchdown + 0.5 * (1.0 + leg->duty);
    for (int k = 0; k < leg->count; ++k) {
        int at = leg->chain[k];
        eri_walk_take_pose(w, pose);
        const eri_walk_body *b = &w->body[at];
        er_quat own = er_q_mul(er_q_conj(pose[b->parent].q), pose[at].q);
        er_quat swung = eri_walk_joint_at(w, phase, at).turn;
        er_vec3 turn = er_q_rotate(pose[b->parent].q, er_q_log(er_q_mul(swung, er_q_conj(own))));
        turn_subtree(w, pose, at, b->hinge, eri_walk_free_part(b, er_v3_scale(BENDS, turn)));
    }
}

// Brings the heel, and a flat sole, to a place by the leg's joints.
static void reach(er_walker *w, eri_walk_leg *leg, er_vec3 heel, er_quat sole, er_pose *pose)
{
    eri_walk_take_pose(w, pose);
    const eri_walk_body *foot = &w->body[leg->body];
    leg->heel_at = er_pose_point(foot->pose, leg->heel);
    er_vec3 turn = er_q_log(er_q_mul(sole, er_q_conj(foot->pose.q)));
    double y[6];
    eri_join(er_v3_sub(heel, leg->heel_at), er_v3_scale(w->turn_length, turn), y);
    eri_walk_factor_task(w, leg, SOFT);
    eri_cholesky_solve(leg->task, leg->rows, y);
    for (int k = leg->count - 1; k >= 0; --k) {
        const eri_walk_body *b = &w->body[leg->chain[k]];
        er_vec3 by = eri_at_most(eri_walk_task_turning(w, leg, b, y), MOST_TURN);
        turn_subtree(w, pose, leg->chain[k], b->hinge, by);
    }
}

er_result eri_walk_make_stand(er_walker *w)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(w->stand, w->arena, er_pose, w->model->body_count);
    double height = 0.0;
    memcpy(w->stand, w->rest, (size_t)w->model->body_count * sizeof *w->stand);
    height = er_v3_dot(eri_walk_mass_centre(w, w->rest), w->up) - w->def.body->ground;
    for (int i = 0; i < w->leg_count; ++i)
        bend_leg(w, &w->leg[i], w->stand);
    for (int b = 0; b < w->model->body_count; ++b)
        w->stand[b].p = er_v3_madd(w->stand[b].p, fmin(w->height - height, 0.0), w->up);
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < w->leg_count; ++i) {
            const er_body *foot = &w->model->body[w->leg[i].body];
            reach(w, &w->leg[i], er_pose_point(foot->pose, w->leg[i].heel), foot->pose.q, w->stand);
        }
done:
    return r;
}
