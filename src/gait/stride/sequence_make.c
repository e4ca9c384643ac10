// The items of a sequence as sources of rows, and its result as a motion.
#include <string.h>

#include "gait/stride/sequence.h"
#include "motion/signal.h"

static er_result make_source(eri_sequence *s, int rows, eri_sequence_source *g)
{
    er_result r = ER_OK;
    size_t n = (size_t)rows, feet = (size_t)s->body->foot_count;
    g->rows = rows;
    ERI_TRY_NEW(g->x, s->scratch, double, n *(size_t)s->width);
    ERI_TRY_NEW(g->apart, s->scratch, er_twist, n * (size_t)s->model->body_count);
    ERI_TRY_NEW(g->heel, s->scratch, er_vec3, n * feet);
    ERI_TRY_NEW(g->sole, s->scratch, er_quat, n * feet);
    ERI_TRY_NEW(g->touch, s->scratch, double, feet);
    ERI_TRY_NEW(g->duty, s->scratch, double, feet);
    ERI_TRY_NEW(g->print, s->scratch, er_vec3, feet);
    ERI_TRY_NEW(g->met, s->scratch, bool, s->width);
    ERI_TRY_NEW(g->last, s->scratch, er_quat, s->width);
done:
    return r;
}

// --- gaits

// Touchdown, duty and mid-stance footprint of each foot.
static void find_stances(const er_gait_motion *m, eri_sequence_source *g)
{
    int n = g->rows, feet = m->foot_count;
    for (int f = 0; f < feet; ++f) {
        int length = 0, first = 0;
        er_vec3 sum = {0, 0, 0};
        for (int i = 0; i < n; ++i) {
            length += m->stands[i * feet + f];
            if (m->stands[i * feet + f] && !m->stands[(i + n - 1) % n * feet + f]) first = i;
        }
        g->touch[f] = (double)first / n;
        g->duty[f] = (double)length / n;
        for (int i = first; i < first + length; ++i) {
            double strides = (i - first) / (double)n - 0.5 * g->duty[f];
            sum = er_v3_add(sum, er_v3_madd(g->heel[f * n + i % n], strides, g->travel));
        }
        g->print[f] = er_v3_scale(length > 0 ? 1.0 / length : 0.0, sum);
    }
}

static er_result read_gait(eri_sequence *s, const er_gait_motion *m, eri_sequence_source *g)
{
    int n = m->frame_count - 1;
    er_result r = make_source(s, n, g);
    if (r != ER_OK) return r;
    g->repeats = true;
    g->seconds = m->time[n];
    g->travel = m->travel[n];
    for (int i = 0; i < n; ++i)
        eri_sequence_read(s, m->pose + (size_t)i * (size_t)s->model->body_count, g, i);
    find_stances(m, g);
    return ER_OK;
}

// The largest part of a stride by which a foot's mid-stance moves from one gait to the next, if that is shifted.
static double largest_move(const eri_sequence *s, const eri_sequence_source *from, const eri_sequence_source *to,
                           double shift)
{
    double most = 0.0;
    for (int f = 0; f < s->body->foot_count; ++f) {
        double by = to->touch[f] + 0.5 * to->duty[f] - from->touch[f] - 0.5 * from->duty[f] - shift;
        most = fmax(most, fabs(by - round(by)));
    }
    return most;
}

// Shifts the phase of each gait against the gait before so that no foot's stance moves far in the stride.
static void align_gaits(eri_sequence *s)
{
    enum { STEPS = 240 };
    const eri_sequence_source *before = NULL;
    for (int i = 0; i < s->count; ++i) {
        eri_sequence_source *g = &s->source[i];
        double least = HUGE_VAL;
        if (s->item[i].gait == NULL) continue;
        for (int k = 0; k < STEPS && before != NULL; ++k) {
            double shift = (double)k / STEPS, most = largest_move(s, before, g, shift);
            if (!(most < least - 1e-9)) continue;
            least = most;
            g->offset = before->offset + shift;
        }
        before = g;
    }
}

// --- clips

// Poses of a clip, without its mean travel along the ground.
static er_result read_clip(eri_sequence *s, const er_sequence_item *item, eri_sequence_source *g)
{
    size_t bodies = (size_t)s->model->body_count;
    int n = item->repeats ? item->pose_count - 1 : item->pose_count, last = item->pose_count - 1;
    er_result r = make_source(s, n, g);
    if (r != ER_OK) return r;
    g->repeats = item->repeats;
    g->seconds = item->clip_seconds;
    int root = 0;
    while (s->model->tree_joint[root] >= 0)
        ++root;
    er_vec3 from = item->pose[root].p, to = item->pose[(size_t)last * bodies + (size_t)root].p,
            way = er_v3_sub(to, from);
    g->travel = er_v3_madd(way, -er_v3_dot(way, s->body->up), s->body->up);
    for (int i = 0; i < n; ++i) {
        memcpy(s->pose, item->pose + (size_t)i * bodies, bodies * sizeof *s->pose);
        for (size_t b = 0; b < bodies; ++b)
            s->pose[b].p = er_v3_madd(s->pose[b].p, -(double)i / last, g->travel);
        eri_sequence_read(s, s->pose, g, i);
    }
    return ER_OK;
}

static er_result read_items(eri_sequence *s)
{
    er_result r = ER_OK;
    for (int i = 0; i < s->count; ++i) {
        const er_sequence_item *item = &s->item[i];
        eri_sequence_source *g = &s->source[i];
        if (item->gait != NULL) {
            ERI_TRY(read_gait(s, item->gait, g));
        } else if (item->mix != NULL) {
            g->seconds = 1.0;
            g->stands = item->stands;
            ERI_TRY(make_source(s, 1, g));
        } else {
            ERI_TRY(read_clip(s, item, g));
        }
    }
    align_gaits(s);
done:
    return r;
}

// --- the sequence

static void mark_leg(eri_sequence *s, int f, int joint)
{
    for (int c = s->model->coordinate[joint]; joint >= 0 && c < s->model->coordinate[joint + 1]; ++c)
        s->leg_of[c] = f;
}

// Finds the coordinates that are angles or parts of rotation vectors.
static void find_turns(eri_sequence *s)
{
    const er_model *model = s->model;
    for (int j = 0; j < model->joint_count; ++j) {
        int axis[6], count = er_joint_type_freedom(model->joint[j].type, axis), first = model->coordinate[j];
        bool vector = count >= 3 && axis[0] == 0 && axis[1] == 1 && axis[2] == 2;
        for (int a = 0; a < count; ++a)
            if (axis[a] < 3 && first + a < model->coordinate_count)
                s->turn[first + a] = !vector  ? ERI_SEQUENCE_TURN_ANGLE
                                     : a == 0 ? ERI_SEQUENCE_TURN_VECTOR
                                              : ERI_SEQUENCE_TURN_REST;
    }
    for (int c = model->coordinate_count; c + 6 <= s->width; c += 6)
        for (int a = 0; a < 3; ++a)
            s->turn[c + a] = a == 0 ? ERI_SEQUENCE_TURN_VECTOR : ERI_SEQUENCE_TURN_REST;
}

static er_result find_legs(eri_sequence *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->leg_of, s->scratch, int, s->width);
    ERI_TRY_NEW(s->turn, s->scratch, uint8_t, s->width);
    find_turns(s);
    ERI_TRY_NEW(s->leg, s->scratch, eri_leg, s->body->foot_count);
    for (int c = 0; c < s->width; ++c)
        s->leg_of[c] = -1;
    for (int f = 0; f < s->body->foot_count; ++f) {
        const er_gait_foot *foot = &s->body->foot[f];
        ERI_TRY(eri_leg_create(s->scratch, s->model, s->kinematics, s->body, foot, &s->leg[f]));
        for (int k = 0; k < foot->joint_count; ++k)
            mark_leg(s, f, foot->joint[k]);
        for (int b = 0; b < s->model->body_count; ++b)
            if (s->model->tree_joint[b] >= 0 && eri_hangs_on(s->model, foot->body, b))
                mark_leg(s, f, s->model->tree_joint[b]);
    }
done:
    return r;
}

static er_result make_room(eri_sequence *s, er_arena *arena)
{
    er_result r = ER_OK;
    size_t n = (size_t)s->frames, feet = (size_t)s->body->foot_count, bodies = (size_t)s->model->body_count;
    ERI_TRY_NEW(s->source, s->scratch, eri_sequence_source, s->count);
    ERI_TRY_NEW(s->weight, s->scratch, double, s->count);
    ERI_TRY_NEW(s->foot_weight, s->scratch, double, feet *(size_t)s->count);
    ERI_TRY_NEW(s->sum, s->scratch, er_quat, s->width);
    ERI_TRY_NEW(s->time, arena, double, n);
    ERI_TRY_NEW(s->travel, arena, er_vec3, n);
    ERI_TRY_NEW(s->out_pose, arena, er_pose, n * bodies);
    ERI_TRY_NEW(s->phase, s->scratch, double, n);
    ERI_TRY_NEW(s->steady, s->scratch, double, n);
    ERI_TRY_NEW(s->row, s->scratch, double, n *(size_t)s->width);
    ERI_TRY_NEW(s->row_apart, s->scratch, er_twist, n * bodies);
    ERI_TRY_NEW(s->target, s->scratch, eri_target, n * feet);
    ERI_TRY_NEW(s->print, s->scratch, er_vec3, n * feet);
    ERI_TRY_NEW(s->stance, s->scratch, bool, n *feet);
    ERI_TRY_NEW(s->x, s->scratch, double, s->width);
    ERI_TRY_NEW(s->apart, s->scratch, er_twist, bodies);
    ERI_TRY_NEW(s->pose, s->scratch, er_pose, bodies);
    ERI_TRY_NEW(s->open, s->scratch, er_pose, bodies);
    ERI_TRY_NEW(s->heel, s->scratch, er_vec3, feet);
    ERI_TRY_NEW(s->sole, s->scratch, er_quat, feet);
done:
    return r;
}

// Where items begin and how long their transitions are; each ends within both items.
static er_result set_times(eri_sequence *s, double *total)
{
    er_result r = ER_OK;
    *total = 0.0;
    ERI_TRY_NEW(s->begin, s->scratch, double, s->count);
    ERI_TRY_NEW(s->blend, s->scratch, double, s->count);
    s->span = eri_arena_alloc(s->scratch, (size_t)s->count * (size_t)s->body->foot_count, sizeof *s->span);
    if (s->span == NULL) ERI_TRY(ER_ERROR_MEMORY);
    for (int i = 0; i < s->count; ++i) {
        s->begin[i] = *total;
        *total += s->item[i].seconds;
        if (i > 0) s->blend[i] = fmin(s->item[i].blend, fmin(s->item[i - 1].seconds, s->item[i].seconds));
        if (i > 0) s->blend[i] = fmax(s->blend[i], 1e-6);
    }
done:
    return r;
}

// @param first  of the frames that are returned
static er_result fill(const eri_sequence *s, er_arena *arena, int first, int count, bool repeats, er_gait_motion **out)
{
    er_result r = ER_OK;
    er_gait_motion *m;
    double *time, *q;
    er_vec3 *travel;
    bool *stands;
    size_t width = (size_t)s->model->coordinate_count, bodies = (size_t)s->model->body_count;
    int feet = s->body->foot_count;
    ERI_TRY_NEW(m, arena, er_gait_motion, 1);
    ERI_TRY_NEW(time, arena, double, count);
    ERI_TRY_NEW(travel, arena, er_vec3, count);
    ERI_TRY_NEW(q, arena, double, (size_t)count *width);
    ERI_TRY_NEW(stands, arena, bool, (size_t)count *(size_t)feet);
    for (int i = 0; i < count; ++i) {
        int k = first + i;
        time[i] = s->time[k] - s->time[first];
        travel[i] = er_v3_sub(s->travel[k], s->travel[first]);
        memcpy(q + (size_t)i * width, s->row + (size_t)k * (size_t)s->width, width * sizeof *q);
        for (int f = 0; f < feet; ++f)
            stands[i * feet + f] = s->stance[(size_t)f * (size_t)s->frames + (size_t)k];
    }
    er_pose *pose = s->out_pose + (size_t)first * bodies;
    if (repeats) {
        memcpy(pose + (size_t)(count - 1) * bodies, pose, bodies * sizeof *pose);
        memcpy(q + (size_t)(count - 1) * width, q, width * sizeof *q);
    }
    *m = (er_gait_motion){.model = s->model,
                          .frame_count = count,
                          .time = time,
                          .q = q,
                          .pose = pose,
                          .travel = travel,
                          .foot_count = feet,
                          .stands = stands,
                          .slide = s->slide,
                          .sink = s->sink,
                          .correction = s->correction,
                          .once = !repeats,
                          .arena = arena};
    *out = m;
done:
    return r;
}

static er_result check_item(er_context *context, const er_model *model, int i, const er_sequence_item *item)
{
    int kinds = (item->gait != NULL) + (item->mix != NULL) + (item->pose != NULL);
    if (kinds != 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "item %d of the sequence needs a gait, a mix or poses: one of them",
                       i);
    if ((item->gait != NULL && (item->gait->model != model || item->gait->once)) ||
        (item->mix != NULL && item->mix->model != model))
        return er_fail(context, ER_ERROR_ARGUMENT, "item %d of the sequence is of another model, or a sequence itself",
                       i);
    if (!(item->seconds > 0.0 && item->seconds <= 1e5) || !(item->blend >= 0.0 && item->blend <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "item %d of the sequence: %g s with a transition of %g s", i,
                       item->seconds, item->blend);
    if (item->pose != NULL && (item->pose_count < 3 || !(item->clip_seconds > 0.0 && item->clip_seconds <= 1e5)))
        return er_fail(context, ER_ERROR_ARGUMENT, "item %d of the sequence: %d poses over %g s", i, item->pose_count,
                       item->clip_seconds);
    return ER_OK;
}

static er_result begin(eri_sequence *s, er_arena **arena)
{
    er_result r = eri_arena_create(s->context, arena);
    if (r == ER_OK) r = eri_arena_create(s->context, &s->scratch);
    if (r == ER_OK) r = er_kinematics_create(s->context, s->model, &s->kinematics);
    if (r == ER_OK) s->width = s->kinematics->width;
    return r == ER_OK ? find_legs(s) : r;
}

// Runs s->frames frames, `rows` in a span of time, and takes `count` of them from `first` on.
static er_result play(eri_sequence *s, er_arena *arena, double span, double rows, double total, int first, int count,
                      bool loops, er_gait_motion **out)
{
    er_result r = make_room(s, arena);
    for (int k = 0; k < s->frames && r == ER_OK; ++k)
        s->time[k] = k + 1 < s->frames ? span * k / rows : total;
    if (r == ER_OK) r = read_items(s);
    if (r == ER_OK) r = eri_sequence_run(s);
    return r == ER_OK ? fill(s, arena, first, count, loops, out) : r;
}

// The arena is that of a result that is there.
static er_result end(const eri_sequence *s, er_arena *arena, er_result r)
{
    er_kinematics_destroy(s->kinematics);
    eri_arena_destroy(s->scratch);
    if (r != ER_OK) eri_arena_destroy(arena);
    return r;
}

er_result er_gait_sequence(er_context *context, const er_model *model, const er_gait_body *body, int count,
                           const er_sequence_item *item, double fps, er_gait_motion **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || body == NULL || item == NULL || count < 1 || count > ER_SEQUENCE_MOST_ITEMS)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_gait_sequence needs a model, its body, and 1 to %d items",
                       (int)ER_SEQUENCE_MOST_ITEMS);
    if (!(fps > 0.0 && fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", fps);
    er_result r = ER_OK;
    er_arena *arena = NULL;
    double total;
    eri_sequence s = {.context = context, .model = model, .body = body, .count = count, .item = item};
    for (int i = 0; i < count && r == ER_OK; ++i)
        r = check_item(context, model, i, &item[i]);
    if (r != ER_OK) return r;
    ERI_TRY(begin(&s, &arena));
    ERI_TRY(set_times(&s, &total));
    if (!(total * fps <= 1e6))
        ERI_TRY(er_fail(context, ER_ERROR_ARGUMENT, "%g s at %g frames a second are too many frames", total, fps));
    s.frames = (int)fmax(ceil(total * fps - 1e-6), 1.0) + 1;
    r = play(&s, arena, 1.0, fps, total, 0, s.frames, false, out);
done:
    return end(&s, arena, r);
}

er_result er_gait_blend(er_context *context, const er_model *model, const er_gait_body *body, const er_gait_motion *a,
                        const er_gait_motion *b, double share, double fps, er_gait_motion **out)
{
    enum { STRIDES = 3 }; // the one in the middle is returned: its stances are whole
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || body == NULL || a == NULL || b == NULL || !(share >= 0.0 && share <= 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_gait_blend needs a model, its body, two strides and a share of 0 to 1");
    if (!(fps > 0.0 && fps <= 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "%g frames a second is not between 0 and 100000", fps);
    const er_sequence_item item[2] = {{.seconds = 1.0, .gait = a}, {.seconds = 1.0, .gait = b}};
    const double fixed[2] = {1.0 - share, share};
    er_result r = check_item(context, model, 0, &item[0]);
    if (r == ER_OK) r = check_item(context, model, 1, &item[1]);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    double total, period = 1.0 / ((1.0 - share) / a->time[a->frame_count - 1] + share / b->time[b->frame_count - 1]),
                  rows = fmax(ceil(period * fps - 1e-6), 16.0);
    eri_sequence s = {.context = context, .model = model, .body = body, .count = 2, .item = item, .fixed = fixed};
    ERI_TRY(begin(&s, &arena));
    ERI_TRY(set_times(&s, &total));
    s.frames = STRIDES * (int)rows + 1;
    r = play(&s, arena, period, rows, period * (s.frames - 1) / rows, (int)rows, (int)rows + 1, true, out);
done:
    return end(&s, arena, r);
}
