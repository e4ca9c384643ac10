/// @file
/// Ties: their defaults and checks, where their points are, and what states keep of them.
#include "dynamics/ties.h"

#include <math.h>
#include <string.h>

#include "dynamics/definition.h"

er_tie er_default_tie(void)
{
    return (er_tie){.body = {-1, -1}, .most = HUGE_VAL, .ratio = 1.0, .break_force = HUGE_VAL, .tag = ER_DEF_TAG};
}

// ---- Checks

static bool is_vector(er_vec3 a)
{
    return eri_is_number(a.x) && eri_is_number(a.y) && eri_is_number(a.z);
}

static const char *wrong_points(const er_world_def *def, const er_tie *t)
{
    for (int k = 0; k < 2; ++k) {
        if (t->body[k] < -1 || t->body[k] >= def->model->body_count) return "body: there is no such body";
        if (!is_vector(t->point[k])) return "point is not a number";
        if (t->kind == ER_TIE_PULLEY && !is_vector(t->wheel[k])) return "wheel is not a number";
    }
    if (t->body[0] == t->body[1] && (t->kind == ER_TIE_DISTANCE || t->body[0] < 0))
        return "body: a tie needs two bodies, or one and the world";
    return NULL;
}

static const char *wrong_lengths(const er_tie *t)
{
    if (!(t->least >= 0.0 && eri_is_number(t->least))) return "least is not a number >= 0";
    if (!(t->most >= t->least)) return "most is below least";
    if (t->kind == ER_TIE_PULLEY && !eri_is_number(t->most)) return "most is not set, and a pulley needs it";
    if (!(t->stiffness >= 0.0 && eri_is_number(t->stiffness))) return "stiffness is not a number >= 0";
    if (!(t->damping >= 0.0 && eri_is_number(t->damping))) return "damping is not a number >= 0";
    bool stretches = t->stiffness > 0.0 || t->damping > 0.0;
    if (stretches && t->kind == ER_TIE_PULLEY) return "stiffness and damping are for ties of kind DISTANCE";
    if (stretches && !(t->most > t->least && eri_is_number(t->most))) return "stiffness needs least < most";
    if (t->damping > 0.0 && t->stiffness == 0.0) return "damping needs a stiffness";
    return NULL;
}

static bool is_moving(const er_world_def *def, int body)
{
    return body >= 0 && (def->held == NULL || !def->held[body]);
}

static const char *wrong_gear(const er_world_def *def, const er_tie *t)
{
    const er_model *m = def->model;
    bool moves = false;
    for (int k = 0; k < 2; ++k) {
        int axis;
        if (t->coordinate[k] < 0 || t->coordinate[k] >= m->coordinate_count)
            return "coordinate: there is no such coordinate";
        const er_joint *j = &m->joint[eri_tie_joint(m, t->coordinate[k], &axis)];
        moves |= is_moving(def, j->parent) || is_moving(def, j->child);
    }
    if (t->coordinate[0] == t->coordinate[1]) return "coordinate: a gear needs two coordinates";
    return moves ? NULL : "coordinate: no joint of the gear moves";
}

const char *eri_tie_wrong(const er_world_def *def, const er_tie *t)
{
    if (t->tag != ER_DEF_TAG) return "was not made by er_default_tie()";
    if ((int)t->kind < 0 || t->kind > ER_TIE_GEAR) return "there is no such kind";
    if (def->integrator != ER_INTEGRATE_AUTO && def->integrator != ER_INTEGRATE_CONTACT)
        return "ties need integrator contact (or auto)";
    if (!(t->break_force > 0.0)) return "break_force is not above 0";
    if (t->kind != ER_TIE_DISTANCE && !(fabs(t->ratio) > 0.0 && eri_is_number(t->ratio)))
        return "ratio is 0 or not a number";
    if (t->kind == ER_TIE_GEAR) return wrong_gear(def, t);
    if (t->kind == ER_TIE_PULLEY && !(t->ratio > 0.0)) return "ratio is not above 0";
    const char *wrong = wrong_points(def, t);
    return wrong != NULL ? wrong : wrong_lengths(t);
}

const char *eri_joint_break_wrong(const er_world_def *def)
{
    if (def->joint_break == NULL) return NULL;
    if (def->integrator != ER_INTEGRATE_AUTO && def->integrator != ER_INTEGRATE_CONTACT)
        return "joint_break needs integrator contact (or auto)";
    for (int j = 0; j < def->model->joint_count; ++j)
        if (!(def->joint_break[j].force > 0.0) || !(def->joint_break[j].torque > 0.0))
            return "joint_break is not above 0";
    return NULL;
}

// ---- Where ties are

int eri_tie_joint(const er_model *m, int coordinate, int *axis)
{
    int joint = 0, free[6];
    while (m->coordinate[joint + 1] <= coordinate)
        ++joint;
    er_joint_type_freedom(m->joint[joint].type, free);
    *axis = free[coordinate - m->coordinate[joint]];
    return joint;
}

void eri_tie_bodies(const er_world *w, const er_tie *t, int body[ERI_TIE_BODIES])
{
    body[0] = t->body[0], body[1] = t->body[1];
    body[2] = body[3] = -1;
    for (int k = 0; k < 2 && t->kind == ER_TIE_GEAR; ++k) {
        int axis, joint = eri_tie_joint(w->model, t->coordinate[k], &axis);
        body[2 * k] = w->model->joint[joint].parent;
        body[2 * k + 1] = w->model->joint[joint].child;
    }
}

er_vec3 eri_tie_point(const er_world *w, const er_tie *t, int side)
{
    int body = t->body[side];
    return body >= 0 ? er_pose_point(w->pose[body], t->point[side]) : t->point[side];
}

double eri_tie_length(const er_tie *t, const er_vec3 point[2], er_vec3 pull[2])
{
    er_vec3 way[2], unused[2];
    const er_vec3 none = {0, 0, 0};
    if (pull == NULL) pull = unused;
    if (t->kind == ER_TIE_DISTANCE) {
        way[1] = er_v3_sub(point[1], point[0]);
        pull[1] = er_v3_unit(way[1], none);
        pull[0] = er_v3_scale(-1.0, pull[1]);
        return er_v3_norm(way[1]);
    }
    double length = 0.0;
    for (int k = 0; k < 2; ++k) {
        double share = k == 0 ? 1.0 : t->ratio;
        way[k] = er_v3_sub(point[k], t->wheel[k]);
        pull[k] = er_v3_scale(share, er_v3_unit(way[k], none));
        length += share * er_v3_norm(way[k]);
    }
    return length;
}

double eri_tie_energy(const er_tie *t, double length)
{
    double stretch = fmax(length - t->most, 0.0);
    return t->kind == ER_TIE_DISTANCE && t->stiffness > 0.0 ? 0.5 * t->stiffness * stretch * stretch : 0.0;
}

// ---- Made and kept

static er_result copy_ties(er_world *w, eri_ties *out)
{
    er_result r = ER_OK;
    er_tie *tie;
    out->count = w->def.tie_count;
    ERI_TRY_NEW(tie, w->arena, er_tie, out->count);
    ERI_TRY_NEW(out->record, w->arena, eri_tie_record, out->count);
    for (int i = 0; i < out->count; ++i) {
        tie[i] = w->def.tie[i];
        tie[i].name = NULL;
    }
    out->tie = tie;
done:
    return r;
}

er_result eri_ties_create(er_world *w, eri_ties **out)
{
    er_result r = ER_OK;
    eri_ties *ties;
    er_joint_break *load;
    *out = NULL;
    if (w->def.tie_count == 0 && w->def.joint_break == NULL) return ER_OK;
    ERI_TRY_NEW(ties, w->arena, eri_ties, 1);
    ERI_TRY(copy_ties(w, ties));
    ties->joint_count = w->def.joint_break != NULL ? w->model->joint_count : 0;
    ERI_TRY_NEW(load, w->arena, er_joint_break, ties->joint_count);
    ERI_TRY_NEW(ties->joint, w->arena, eri_joint_record, ties->joint_count);
    if (ties->joint_count > 0) memcpy(load, w->def.joint_break, (size_t)ties->joint_count * sizeof *load);
    ties->load = load;
    *out = ties;
done:
    return r;
}

void eri_ties_set_load(eri_ties *ties, int joint, er_wrench load)
{
    eri_joint_record *record = &ties->joint[joint];
    record->load = load;
    if (er_v3_norm(load.force) > ties->load[joint].force || er_v3_norm(load.torque) > ties->load[joint].torque)
        record->is_broken = 1.0;
}

void eri_ties_set_force(eri_ties *ties, int tie, double force)
{
    ties->record[tie].force = force;
    ties->record[tie].is_broken = fabs(force) > ties->tie[tie].break_force ? 1.0 : 0.0;
}

void eri_ties_start(er_world *w)
{
    eri_ties *ties = w->ties;
    if (ties == NULL) return;
    for (int i = 0; i < ties->count; ++i) {
        const er_tie *t = &ties->tie[i];
        ties->record[i] = (eri_tie_record){0};
        if (t->kind == ER_TIE_GEAR)
            ties->record[i].offset = w->near[t->coordinate[0]] - t->ratio * w->near[t->coordinate[1]];
    }
    if (ties->joint_count > 0) memset(ties->joint, 0, (size_t)ties->joint_count * sizeof *ties->joint);
}

size_t eri_ties_size(const eri_ties *ties)
{
    if (ties == NULL) return 0;
    return (size_t)ties->count * sizeof *ties->record + (size_t)ties->joint_count * sizeof *ties->joint;
}

void eri_ties_save(const eri_ties *ties, void *bytes)
{
    if (ties == NULL) return;
    size_t size = (size_t)ties->count * sizeof *ties->record;
    if (ties->count > 0) memcpy(bytes, ties->record, size);
    if (ties->joint_count > 0)
        memcpy((char *)bytes + size, ties->joint, (size_t)ties->joint_count * sizeof *ties->joint);
}

void eri_ties_restore(eri_ties *ties, const void *bytes)
{
    if (ties == NULL) return;
    size_t size = (size_t)ties->count * sizeof *ties->record;
    if (ties->count > 0) memcpy(ties->record, bytes, size);
    if (ties->joint_count > 0)
        memcpy(ties->joint, (const char *)bytes + size, (size_t)ties->joint_count * sizeof *ties->joint);
}

// ---- Read

er_tie_state er_world_tie(const er_world *w, int tie)
{
    const er_tie *t = &w->ties->tie[tie];
    const eri_tie_record *record = &w->ties->record[tie];
    er_tie_state out = {.force = record->force, .broken = record->is_broken != 0.0};
    if (t->kind == ER_TIE_GEAR) {
        out.length = w->near[t->coordinate[0]] - t->ratio * w->near[t->coordinate[1]];
        return out;
    }
    const er_vec3 point[2] = {eri_tie_point(w, t, 0), eri_tie_point(w, t, 1)};
    out.length = eri_tie_length(t, point, NULL);
    return out;
}

bool er_world_joint_is_broken(const er_world *w, int joint)
{
    return w->ties != NULL && w->ties->joint_count > 0 && w->ties->joint[joint].is_broken != 0.0;
}

er_wrench er_world_joint_load(const er_world *w, int joint)
{
    const er_wrench none = {{0, 0, 0}, {0, 0, 0}};
    return w->ties != NULL && w->ties->joint_count > 0 ? w->ties->joint[joint].load : none;
}
