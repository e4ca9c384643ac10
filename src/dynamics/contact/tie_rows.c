/// @file
/// Rows of ties: ropes, rods, pulleys and gears (docs/math/contact.md, Ties).
#include <math.h>

#include "dynamics/contact/bounded_rows.h"

static bool is_active(const eri_contacts *s, const eri_ties *ties, int tie)
{
    const int *node = s->rows.node[tie].slot;
    bool moves = false;
    if (ties->record[tie].is_broken != 0.0) return false;
    for (int k = 0; k < ERI_TIE_BODIES; ++k)
        moves |= node[k] >= 0 && !eri_slot_is_asleep(&s->sleep, node[k]);
    return moves;
}

// @param index  0 or 1: a tie may have two rows
static void add_row(er_world *w, int tie, int index, eri_row_law law, double bound)
{
    eri_contacts *s = w->contacts;
    const er_tie *t = &w->ties->tie[tie];
    eri_bounded_row *row = &s->rows.row[s->rows.count++];
    int body[ERI_TIE_BODIES];
    *row = (eri_bounded_row){.law = law, .tie = t, .stored = &w->ties->record[tie].impulse[index], .bound = bound};
    row->side_count = t->kind == ER_TIE_GEAR ? ERI_TIE_BODIES : 2;
    eri_tie_bodies(w, t, body);
    for (int k = 0; k < row->side_count; ++k) {
        bool is_limb = body[k] >= 0 && s->bodies.index_of[body[k]].articulation >= 0;
        row->side[k].body = body[k];
        row->side[k].limb = is_limb ? w->tree->link_of_body[body[k]] : -1;
    }
    row->impulse = row->start = *row->stored;
}

void eri_tie_rows_list(er_world *w)
{
    const eri_ties *ties = w->ties;
    for (int i = 0; ties != NULL && i < ties->count; ++i) {
        const er_tie *t = &ties->tie[i];
        if (!is_active(w->contacts, ties, i)) continue;
        if (t->kind == ER_TIE_GEAR)
            add_row(w, i, 0, ERI_LAW_EXACT, ties->record[i].offset);
        else if (t->kind == ER_TIE_PULLEY)
            add_row(w, i, 0, ERI_LAW_MOST, t->most);
        else if (t->least == t->most)
            add_row(w, i, 0, ERI_LAW_EXACT, t->most);
        else {
            if (t->most < HUGE_VAL) add_row(w, i, 0, t->stiffness > 0.0 ? ERI_LAW_SPRING : ERI_LAW_MOST, t->most);
            if (t->least > 0.0) add_row(w, i, 1, ERI_LAW_LEAST, t->least);
        }
        ties->record[i].force = 0.0;
    }
}

// ---- Points

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

// The arm and the point of a side, displaced.
static er_vec3 displaced(const eri_contacts *s, const eri_row_side *side, er_vec3 *arm)
{
    const double *d = s->state.displacement + side->offset;
    *arm = er_q_rotate(er_q_exp(get(d)), side->arm);
    return er_v3_add(er_v3_add(side->origin, get(d + 3)), *arm);
}

void eri_tie_row_place(const eri_contacts *s, eri_bounded_row *row)
{
    er_vec3 arm[2], point[2], pull[2];
    if (row->tie->kind == ER_TIE_GEAR) {
        row->value = row->begin;
        for (int k = 0; k < row->side_count; ++k)
            row->value +=
                eri_lanes_sum(row->side[k].J * *(const eri_lanes *)(s->state.displacement + row->side[k].offset));
        return;
    }
    for (int k = 0; k < 2; ++k)
        point[k] = displaced(s, &row->side[k], &arm[k]);
    row->value = eri_tie_length(row->tie, point, pull);
    for (int k = 0; k < 2; ++k) {
        er_vec3 t = er_v3_cross(arm[k], pull[k]);
        row->side[k].J = (eri_lanes){t.x, t.y, t.z, pull[k].x, pull[k].y, pull[k].z, 0, 0};
    }
}

double eri_tie_row_predict(const eri_contacts *s, const eri_bounded_row *row, double h, double speed)
{
    er_vec3 arm, point[2];
    if (row->tie->kind == ER_TIE_GEAR) return row->value + h * speed;
    for (int k = 0; k < 2; ++k) {
        const double *v = s->state.V + row->side[k].offset;
        point[k] = displaced(s, &row->side[k], &arm);
        er_vec3 turned = er_q_rotate(er_q_exp(er_v3_scale(h, get(v))), arm);
        point[k] = er_v3_add(er_v3_madd(point[k], h, get(v + 3)), er_v3_sub(turned, arm));
    }
    return eri_tie_length(row->tie, point, NULL);
}

// ---- Gears

// The row of a coordinate's rate on one body of its joint.
static eri_lanes rate_row(const eri_row_side *side, const eri_rows *rows, int axis, double share)
{
    er_vec3 along = er_v3_scale(share, rows->axis[axis]), none = {0, 0, 0}, turn = along, shift = none;
    if (axis >= 3) {
        shift = along;
        turn = er_v3_cross(er_v3_sub(rows->origin, side->origin), along);
    }
    return (eri_lanes){turn.x, turn.y, turn.z, shift.x, shift.y, shift.z, 0, 0};
}

void eri_tie_row_set_gear(const er_world *w, eri_bounded_row *row)
{
    const er_tie *t = row->tie;
    for (int k = 0; k < 2; ++k) {
        int axis, joint = eri_tie_joint(w->model, t->coordinate[k], &axis);
        const er_joint *j = &w->model->joint[joint];
        eri_joint_ends ends = eri_joint_ends_at(w->model, joint, w->pose, w->twist);
        eri_rows rows = eri_rows_at(j->type, j->pitch, ends.P, ends.Q);
        double share = k == 0 ? 1.0 : -t->ratio;
        row->side[2 * k].J = rate_row(&row->side[2 * k], &rows, axis, -share);
        row->side[2 * k + 1].J = rate_row(&row->side[2 * k + 1], &rows, axis, share);
    }
    row->begin = w->near[t->coordinate[0]] - t->ratio * w->near[t->coordinate[1]];
}
