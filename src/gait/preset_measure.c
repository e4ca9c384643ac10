// Measures how far the parts of a preset go in given poses, beside what its moves ask for.
#include <math.h>

#include "gait/act.h"
#include "gait/stride/reach.h"

typedef struct measurer {
    eri_gesture_search search;
    int count;
    const er_pose *pose; // [count x body_count]
    er_vec3 centre;      // of mass at rest
    er_vec3 *goes, *moves;
} measurer;

// The largest displacement of the part's bodies, m; to one side if `sense` is not 0.
static double displacement(const measurer *m, int part, int way, double sense)
{
    const eri_gesture_search *s = &m->search;
    double most = 0.0;
    for (int i = 0; i < m->count; ++i) {
        eri_gesture_displacements(s, m->pose + (size_t)i * (size_t)s->model->body_count, m->goes, m->moves);
        for (int b = 0; b < s->model->body_count; ++b) {
            if (s->part[b] != part || s->model->body[b].mass <= ERI_GESTURE_LEAST_SHARE * s->mass) continue;
            double along = eri_gesture_along(s, way, m->moves[b]);
            most = fmax(most, sense != 0.0 ? sense * along : fabs(along));
        }
    }
    return most;
}

// The largest shift of the centre of mass to one side, m.
static double shift(const measurer *m, er_vec3 way, double sense)
{
    double most = 0.0;
    for (int i = 0; i < m->count; ++i) {
        er_vec3 at = eri_act_centre(m->search.model, m->pose + (size_t)i * (size_t)m->search.model->body_count);
        most = fmax(most, sense * er_v3_dot(er_v3_sub(at, m->centre), way));
    }
    return most;
}

// The largest rise, m, or with a sense of -1 the largest fall, of the roots over feet that stand.
static double rise(const measurer *m, double sense)
{
    const er_model *model = m->search.model;
    int root = eri_act_hips(&m->search);
    double most = 0.0;
    while (model->tree_parent[root] >= 0)
        root = model->tree_parent[root];
    for (int i = 0; i < m->count; ++i) {
        er_pose by =
            er_pose_displacement(model->body[root].pose, m->pose[(size_t)i * (size_t)model->body_count + (size_t)root]);
        er_vec3 moved = er_v3_sub(er_pose_point(by, m->centre), m->centre);
        most = fmax(most, sense * er_v3_dot(moved, m->search.body->up));
    }
    return most;
}

static er_quat turned(const measurer *m, const er_pose *pose, int body)
{
    return body >= 0 ? er_q_mul(pose[body].q, er_q_conj(m->search.model->body[body].pose.q)) : er_q(1, 0, 0, 0);
}

// The largest turn of a body against another one, or -1 for the world, to one side, rad.
static double turn(const measurer *m, int body, int from, er_vec3 axis, double sense)
{
    double most = 0.0;
    for (int i = 0; i < m->count && body >= 0; ++i) {
        const er_pose *pose = m->pose + (size_t)i * (size_t)m->search.model->body_count;
        er_vec3 by = er_q_log(er_q_mul(er_q_conj(turned(m, pose, from)), turned(m, pose, body)));
        most = fmax(most, sense * er_v3_dot(by, axis));
    }
    return most;
}

static er_vec3 axis_of(const er_gait_body *body, int way)
{
    if (way == ERI_ACT_NOD) return body->left;
    return way == ERI_ACT_TILT ? er_v3_scale(-1.0, body->forward) : body->up;
}

static er_vec3 way_of(const er_gait_body *body, int way)
{
    if (way == WAY_SIDE) return body->left;
    return way == WAY_AHEAD ? body->forward : body->up;
}

static double reached_in_time(const measurer *m, const eri_act_track *t)
{
    const eri_gesture_search *s = &m->search;
    double sense = t->most < 0.0 ? -1.0 : 1.0, degree = sense * 180.0 / ER_PI;
    int head = eri_act_head(s), chest = eri_act_chest(s), hips = eri_act_hips(s);
    if (eri_act_turns(t->way)) {
        er_vec3 axis = axis_of(s->body, t->way);
        if (t->part == PART_HEAD) return degree * turn(m, head, chest, axis, sense);
        if (t->part == PART_TRUNK) return degree * turn(m, chest, hips, axis, sense);
        return degree * turn(m, hips, -1, axis, sense);
    }
    if (t->part == ERI_ACT_BODY && t->way == WAY_UP) return 0.0 + sense * rise(m, sense) / (0.01 * s->body->height);
    if (t->part == ERI_ACT_BODY) return sense * shift(m, way_of(s->body, t->way), sense) / (0.01 * s->body->height);
    return sense * displacement(m, t->part, t->way, sense) / eri_gesture_percent(s);
}

static bool has_stiff_legs(const er_gait_body *body)
{
    bool stiff = body->foot_count > 0;
    for (int f = 0; f < body->foot_count; ++f)
        stiff &= body->foot[f].joint_count < 2;
    return stiff;
}

// Why a move falls short; NULL if it does not.
static const char *reason(const measurer *m, int part, int way, double asked, double reached, bool timed)
{
    const double enough = 0.9, hardly = 0.02;
    bool body = part == ERI_ACT_BODY;
    if (fabs(reached) >= enough * fabs(asked)) return NULL;
    if (!body && !eri_gesture_has(&m->search, part)) return "the rig has no such part";
    if (body && way == WAY_UP && has_stiff_legs(m->search.body)) return "its legs have no knee, so it cannot crouch";
    if (body) return m->search.body->foot_count > 0 ? "its legs bend or reach no further" : "the rig has no feet";
    if (eri_act_turns(way)) return "no joint turns it so far";
    if (!timed && part == PART_TRUNK && way == WAY_UP && m->search.body->foot_count > 0)
        return "no mode lowers it over feet that stand; squash, land and sit bend the legs";
    if (fabs(reached) < hardly * fabs(asked)) return "no mode moves it so";
    return "modes that move it so reach their limit of 20 degrees, or feet hold it";
}

static er_result measure_all(measurer *m, const er_preset *preset, er_preset_part *out, int *count)
{
    eri_gesture_goal goal[ER_PRESET_MOST_MOVES];
    eri_act act;
    bool timed = er_preset_is_timed(preset);
    er_result r = timed ? eri_act_parse(m->search.context, preset->moves, m->search.body->foot_count, &act)
                        : eri_gesture_parse(m->search.context, preset->moves, goal, count);
    if (r != ER_OK) return r;
    if (timed) *count = act.count;
    for (int i = 0; i < *count; ++i) {
        int part = timed ? act.track[i].part : goal[i].part, way = timed ? act.track[i].way : goal[i].way;
        double asked = timed ? act.track[i].most : goal[i].percent,
               reached = timed ? reached_in_time(m, &act.track[i])
                               : displacement(m, part, way, 0.0) / eri_gesture_percent(&m->search);
        out[i] = (er_preset_part){.part = part == ERI_ACT_BODY ? "body" : eri_part_names[part],
                                  .way = eri_act_way_name(way),
                                  .degrees = eri_act_turns(way),
                                  .asked = asked,
                                  .reached = reached,
                                  .why = reason(m, part, way, asked, reached, timed)};
    }
    return ER_OK;
}

er_result er_preset_measure(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                            const er_preset *preset, int pose_count, const er_pose *pose, er_preset_part *part,
                            int *part_count)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || preset == NULL || preset->moves == NULL || pose_count < 1 || pose == NULL || part == NULL ||
        part_count == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_preset_measure needs a model, a preset, poses and a place for its results");
    const er_modes none = {0};
    measurer m = {.search = {.context = context, .model = model, .modes = &none}, .count = pose_count, .pose = pose};
    er_arena *scratch = NULL;
    er_result r = ER_OK;
    *part_count = 0;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_gesture_read(&m.search, rig, def, scratch));
    ERI_TRY_NEW(m.goes, scratch, er_vec3, model->body_count);
    ERI_TRY_NEW(m.moves, scratch, er_vec3, model->body_count);
    m.centre = eri_root_centre(model);
    r = measure_all(&m, preset, part, part_count);
done:
    er_gait_body_destroy(m.search.body);
    eri_arena_destroy(scratch);
    return r;
}
