// The parts of a body that presets name: trunk, head, tail, arms, legs and wings.
#include <math.h>

#include "gait/gesture.h"
#include "rig/mirror/bone_names.h"

enum { MOST_MODES = 256 };

static bool is_below(const er_model *model, int above, int body)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

static unsigned named_parts(const er_model *model, int body)
{
    return eri_read_bone_name(model->body[body].name).parts;
}

// The wanted parts that the names of a body and its ancestors tell; 0 for none.
static unsigned parts_above(const er_model *model, int body, unsigned wanted)
{
    unsigned all = 0;
    for (; body >= 0; body = model->tree_parent[body])
        all |= named_parts(model, body);
    return all & wanted;
}

static void mark(eri_gesture_search *m, int top, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] < 0 && is_below(m->model, top, b)) m->part[b] = part;
}

static bool is_in_middle(const eri_gesture_search *m, int body)
{
    return m->body->mirror[body] == body;
}

// The body in the middle that a limb hangs on, or -1 for the world.
static int holder_of(const eri_gesture_search *m, int body)
{
    while (body >= 0 && !is_in_middle(m, body))
        body = m->model->tree_parent[body];
    return body;
}

// The end in the middle farthest along a direction. Without names the head is in front and above, the tail behind.
static int farthest_end(const eri_gesture_search *m, er_vec3 along)
{
    int best = -1;
    for (int b = 0; b < m->model->body_count; ++b) {
        if (m->part[b] >= 0 || !is_in_middle(m, b)) continue;
        if (best < 0 || er_v3_dot(m->middle[b], along) > er_v3_dot(m->middle[best], along)) best = b;
    }
    return best;
}

bool eri_gesture_has(const eri_gesture_search *m, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] == part) return true;
    return false;
}

// The chain that leads to an end, up to the first branch that is not small.
static void mark_chain(eri_gesture_search *m, int end, int part)
{
    const er_model *model = m->model;
    int top = end;
    for (int up = model->tree_parent[end]; up >= 0 && model->tree_parent[up] >= 0; up = model->tree_parent[up]) {
        int branches = 0;
        for (int b = 0; b < model->body_count; ++b)
            branches += model->tree_parent[b] == up;
        if (branches > 1) break;
        top = up;
    }
    mark(m, top, part);
}

// Whether names tell of limbs: a hand has no tail.
static bool has_limbs(const eri_gesture_search *m)
{
    const unsigned limbs = ERI_PART_FOOT | ERI_PART_TOE | ERI_PART_LEG | ERI_PART_ARM | ERI_PART_HAND | ERI_PART_FINGER;
    unsigned all = 0;
    for (int b = 0; b < m->model->body_count; ++b)
        all |= named_parts(m->model, b);
    return (all & limbs) != 0;
}

// Without limbs (fish, snakes) the last third of the body is its tail, and the first sixth its head.
static void mark_lengthwise(eri_gesture_search *m)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int b = 0; b < m->model->body_count; ++b) {
        low = fmin(low, er_v3_dot(m->middle[b], m->body->forward));
        high = fmax(high, er_v3_dot(m->middle[b], m->body->forward));
    }
    for (int b = 0; b < m->model->body_count; ++b) {
        double at = (er_v3_dot(m->middle[b], m->body->forward) - low) / fmax(high - low, 1e-12);
        if (m->part[b] < 0 && at < 1.0 / 3.0 && !eri_gesture_has(m, PART_TAIL)) m->part[b] = PART_COUNT;
        if (m->part[b] < 0 && at > 5.0 / 6.0 && !eri_gesture_has(m, PART_HEAD)) m->part[b] = PART_COUNT + 1;
    }
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] >= PART_COUNT) m->part[b] = m->part[b] == PART_COUNT ? PART_TAIL : PART_HEAD;
}

static void find_parts(eri_gesture_search *m)
{
    const er_model *model = m->model;
    const er_gait_body *body = m->body;
    for (int b = 0; b < model->body_count; ++b)
        m->part[b] = -1;
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        int top = foot->body;
        for (int k = 1; k < foot->joint_count; ++k)
            top = model->tree_parent[top];
        mark(m, top, PART_LEGS);
        mark(m, foot->sole, PART_LEGS);
    }
    for (int i = 0; i < body->wing_count; ++i)
        mark(m, body->wing[i].body, PART_WINGS);
    for (int b = 0; b < model->body_count; ++b) {
        if (m->part[b] >= 0) continue;
        if (parts_above(model, b, ERI_PART_TAIL) != 0)
            m->part[b] = PART_TAIL;
        else if (parts_above(model, b, ERI_PART_HEAD) != 0)
            m->part[b] = PART_HEAD;
    }
    if (body->foot_count == 0 && body->wing_count == 0 && !has_limbs(m)) mark_lengthwise(m);
    if (!eri_gesture_has(m, PART_HEAD)) {
        int end = farthest_end(m, er_v3_add(body->up, er_v3_scale(body->foot_count > 2 ? 1.0 : 0.2, body->forward)));
        if (end >= 0 && model->tree_parent[end] >= 0) mark_chain(m, end, PART_HEAD);
    }
    for (int b = 0; b < model->body_count; ++b) { // limbs to the sides
        if (m->part[b] >= 0 || is_in_middle(m, b)) continue;
        int holder = holder_of(m, b);
        m->part[b] = holder >= 0 && m->part[holder] >= 0 ? m->part[holder] : PART_ARMS;
    }
    for (int b = 0; b < model->body_count; ++b)
        if (m->part[b] < 0) m->part[b] = PART_TRUNK;
}

static er_result make_room(er_arena *arena, eri_gesture_search *m)
{
    er_result r = ER_OK;
    int n = m->model->body_count;
    ERI_TRY_NEW(m->part, arena, int, n);
    ERI_TRY_NEW(m->middle, arena, er_vec3, n);
    m->mode_count = m->modes->count < MOST_MODES ? m->modes->count : MOST_MODES;
    ERI_TRY_NEW(m->moves, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ERI_TRY_NEW(m->goes, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ERI_TRY_NEW(m->used, arena, bool, m->mode_count);
    ERI_TRY_NEW(m->seen, arena, bool, m->mode_count);
    for (int b = 0; b < n; ++b) {
        m->middle[b] = er_pose_point(m->model->body[b].pose, m->model->body[b].com);
        m->mass += m->model->body[b].mass;
    }
done:
    return r;
}

er_result eri_gesture_read(eri_gesture_search *m, const er_rig *rig, const er_gait_def *def, er_arena *arena)
{
    er_result r = er_gait_body_read(m->context, m->model, rig, def, &m->body);
    if (r == ER_OK) r = make_room(arena, m);
    if (r == ER_OK) find_parts(m);
    return r;
}

double eri_preset_pace(const er_gait_body *body)
{
    return fmin(fmax(sqrt(body->height / 1.7 * 9.81 / body->gravity), 0.6), 1.6);
}

// The trunk moves relative to the feet; other parts relative to the body of another part that they hang on.
void eri_gesture_displacements(const eri_gesture_search *m, const er_pose *pose, er_vec3 *goes, er_vec3 *moves)
{
    const er_model *model = m->model;
    er_vec3 feet = {0, 0, 0};
    for (int i = 0; i < m->body->foot_count; ++i) {
        const er_gait_foot *foot = &m->body->foot[i];
        er_vec3 went = er_v3_sub(er_pose_point(pose[foot->body], foot->heel),
                                 er_pose_point(model->body[foot->body].pose, foot->heel));
        feet = er_v3_madd(feet, 1.0 / m->body->foot_count, went);
    }
    for (int b = 0; b < model->body_count; ++b) {
        int from = b;
        while (from >= 0 && m->part[from] == m->part[b])
            from = model->tree_parent[from];
        er_vec3 now = er_pose_point(pose[b], model->body[b].com), base = er_v3_add(m->middle[b], feet);
        if (m->part[b] != PART_TRUNK)
            base = from >= 0 ? er_pose_point(pose[from], er_pose_point_inverse(model->body[from].pose, m->middle[b]))
                             : m->middle[b];
        goes[b] = er_v3_sub(now, m->middle[b]);
        moves[b] = er_v3_sub(now, base);
    }
}

double eri_gesture_along(const eri_gesture_search *m, int way, er_vec3 v)
{
    return way == WAY_SIDE    ? er_v3_dot(v, m->body->left)
           : way == WAY_UP    ? er_v3_dot(v, m->body->up)
           : way == WAY_AHEAD ? er_v3_dot(v, m->body->forward)
                              : er_v3_norm(v);
}

double eri_gesture_percent(const eri_gesture_search *m)
{
    return 0.01 * fmax(m->body->height, 0.5 * m->model->size);
}
