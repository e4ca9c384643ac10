// A body as a traveller sees it: sides, feet, front.
#include <stdlib.h>
#include <string.h>

#include "gait/body/body.h"

er_gait_def er_default_gait_def(void)
{
    return (er_gait_def){.best = 6, .mode_count = 24, .weights = {1, 1, 1, 1, 1, 1, 1, 1, 1}, .tag = ER_DEF_TAG};
}

// --- the front

// The end of the body that a name tells: 1 the front, -1 the back.
static double end_of_name(const char *name)
{
    static const char *const front[] = {"head", "neck", "skull", "jaw", "snout", "nose", "eye", "tongue", "beak"};
    for (size_t i = 0; i < ER_COUNT(front); ++i)
        if (strcasestr(name, front[i]) != NULL) return 1.0;
    return strcasestr(name, "tail") != NULL ? -1.0 : 0.0;
}

static double vote_of_names(const er_body_reader *b, er_vec3 way)
{
    double vote = 0.0;
    for (int i = 0; i < b->model->body_count; ++i)
        vote += end_of_name(b->model->body[i].name) * er_v3_dot(er_v3_sub(b->middle[i], b->centre), way);
    return vote / b->model->size;
}

// Who says left of a body means it.
static double vote_of_sides(const er_body_reader *b, er_vec3 way)
{
    er_vec3 left = er_v3_cross(b->out->up, way);
    double vote = 0.0;
    for (int i = 0; i < b->model->body_count; ++i)
        vote +=
            er_gait_side_of_name(b->model->body[i].name) * (er_v3_dot(b->middle[i], left) - er_v3_dot(b->centre, left));
    return vote / b->model->size;
}

// Soles reach farther to the front of the ankle than to its back.
static double vote_of_feet(const er_body_reader *b, er_vec3 way)
{
    double vote = 0.0;
    for (int i = 0; i < b->out->foot_count; ++i) {
        const er_gait_foot *foot = &b->out->foot[i];
        for (int k = 0; k < foot->point_count; ++k)
            vote += er_v3_dot(er_v3_sub(foot->point[k], er_body_origin(b, foot->sole)), way) / foot->point_count;
    }
    return b->out->foot_count > 0 ? vote / b->out->foot_count / b->out->height : 0.0;
}

// Heads are carried high.
static double vote_of_height(const er_body_reader *b, er_vec3 way)
{
    double vote = 0.0, top = b->out->ground + 0.85 * b->out->height;
    int count = 0;
    for (int i = 0; i < b->cloud.count; ++i) {
        if (er_v3_dot(b->cloud.point[i], b->out->up) < top) continue;
        vote += er_v3_dot(er_v3_sub(b->cloud.point[i], b->centre), way);
        ++count;
    }
    return count > 0 ? vote / count / b->model->size : 0.0;
}

// A body that crawls or swims is thick in front and thin behind.
static double vote_of_bulk(const er_body_reader *b, er_vec3 way)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < b->cloud.count && b->out->foot_count == 0; ++i) {
        low = fmin(low, er_v3_dot(b->cloud.point[i], way));
        high = fmax(high, er_v3_dot(b->cloud.point[i], way));
    }
    return b->out->foot_count == 0 ? (er_v3_dot(b->centre, way) - 0.5 * (low + high)) / b->model->size : 0.0;
}

static er_result choose_front(er_body_reader *b)
{
    er_gait_body *out = b->out;
    if (er_v3_norm(b->def.forward) > 0.0) {
        er_vec3 flat = er_v3_madd(b->def.forward, -er_v3_dot(b->def.forward, out->up), out->up);
        out->forward = er_v3_unit(flat, er_v3_cross(out->left, out->up));
        out->facing = 1.0;
    } else {
        er_vec3 way = er_v3_cross(out->left, out->up);
        double vote = 2.0 * vote_of_names(b, way) + 2.0 * vote_of_sides(b, way) + 12.0 * vote_of_feet(b, way) +
                      vote_of_height(b, way) + 4.0 * vote_of_bulk(b, way) + 0.02 * (way.z + way.x);
        out->forward = vote < 0.0 ? er_v3_scale(-1.0, way) : way;
        out->facing = fmin(0.95, fabs(vote));
    }
    out->forward = er_v3_add(out->forward, er_v3(0, 0, 0)); // people read it, and -0 is none to them
    out->left = er_v3_cross(out->up, out->forward);
    if (out->facing >= 0.05) return ER_OK;
    return er_notes_add(&b->notes, ER_NOTE_WARNING,
                        "which way the body faces is a guess: (%.2g, %.2g, %.2g); --forward says it", out->forward.x,
                        out->forward.y, out->forward.z);
}

// --- feet from the front to the back

static double ahead(const er_body_reader *b, const er_gait_foot *foot)
{
    er_vec3 sum = {0, 0, 0};
    for (int k = 0; k < foot->point_count; ++k)
        sum = er_v3_madd(sum, 1.0 / foot->point_count, foot->point[k]);
    return er_v3_dot(sum, b->out->forward);
}

static er_result name_feet(er_body_reader *b)
{
    er_gait_foot *foot = (er_gait_foot *)b->out->foot;
    int count = b->out->foot_count;
    static const char *const of_four[] = {"LF", "RF", "LH", "RH"};
    bool pairs = count > 0;
    for (int i = 0; i < count; ++i)
        pairs &= foot[i].mirror >= 0;
    for (int i = 0; i < count; ++i) {
        const char *letter = foot[i].side > 0 ? "L" : foot[i].side < 0 ? "R" : "M";
        foot[i].name = pairs && count == 2   ? letter
                       : pairs && count == 4 ? of_four[i]
                       : count == 1          ? "foot"
                                             : er_arena_printf(b->arena, "%s%d", letter, pairs ? i / 2 + 1 : i + 1);
        if (foot[i].name == NULL) return ER_ERROR_MEMORY;
    }
    return ER_OK;
}

// Pairs stay together: both have the mean of their places.
static er_result order_feet(er_body_reader *b)
{
    er_result r = ER_OK;
    er_gait_foot *foot = (er_gait_foot *)b->out->foot, swap;
    int count = b->out->foot_count, *body;
    double *key;
    ER_TRY_NEW(key, b->scratch, double, count);
    ER_TRY_NEW(body, b->scratch, int, count);
    for (int i = 0; i < count; ++i) {
        er_vec3 left = er_body_origin(b, foot[i].body);
        foot[i].side = foot[i].side == 0 ? 0 : er_v3_dot(left, b->out->left) > b->offset ? 1 : -1;
        body[i] = foot[i].mirror >= 0 ? foot[foot[i].mirror].body : -1;
    }
    for (int i = 0; i < count; ++i) {
        double here = ahead(b, &foot[i]);
        key[i] = foot[i].mirror >= 0 ? 0.5 * (here + ahead(b, &foot[foot[i].mirror])) : here;
        key[i] += 1e-6 * b->model->size * foot[i].side;
    }
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && key[k] > key[k - 1]; --k) {
            double t = key[k];
            int other = body[k];
            swap = foot[k], foot[k] = foot[k - 1], foot[k - 1] = swap;
            key[k] = key[k - 1], key[k - 1] = t;
            body[k] = body[k - 1], body[k - 1] = other;
        }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
            if (foot[k].body == body[i]) foot[i].mirror = k;
    r = name_feet(b);
done:
    return r;
}

er_result er_gait_read_facing(er_body_reader *b)
{
    er_vec3 before = b->out->left;
    er_result r = choose_front(b);
    if (er_v3_dot(before, b->out->left) < 0.0) b->offset = -b->offset;
    return r == ER_OK ? order_feet(b) : r;
}

// --- measures

static er_result measure(er_body_reader *b)
{
    er_result r = ER_OK;
    er_gait_body *out = b->out;
    double low = HUGE_VAL, high = -HUGE_VAL, mass = 0.0;
    for (int i = 0; i < b->cloud.count; ++i) {
        double h = er_v3_dot(b->cloud.point[i], out->up);
        low = fmin(low, h);
        high = fmax(high, h);
    }
    out->ground = low;
    out->height = high - low;
    ER_TRY_NEW(b->middle, b->scratch, er_vec3, b->model->body_count);
    for (int i = 0; i < b->model->body_count; ++i) {
        const er_body *body = &b->model->body[i];
        b->middle[i] = er_pose_point(body->pose, body->com);
        b->centre = er_v3_madd(b->centre, body->mass, b->middle[i]);
        mass += body->mass;
    }
    b->centre = er_v3_scale(1.0 / mass, b->centre);
done:
    return r;
}

static er_result choose_gravity(er_body_reader *b)
{
    er_gait_body *out = b->out;
    double size = fmax(out->height, b->model->size), scale = 1.0;
    out->gravity = b->def.gravity > 0.0 ? b->def.gravity : 9.81;
    if (b->def.gravity > 0.0 || (size <= 10.0 && size >= 0.02)) return ER_OK;
    for (; size * scale > 3.0;)
        scale *= 0.1;
    for (; size * scale < 0.3;)
        scale *= 10.0;
    out->gravity = 9.81 / scale;
    return er_notes_add(&b->notes, ER_NOTE_FACT, "%.3g m across is taken as %.3g m to keep time by", size,
                        size * scale);
}

static double leg_of(const er_body_reader *b)
{
    const er_gait_body *out = b->out;
    double sum = 0.0;
    for (int i = 0; i < out->foot_count; ++i)
        sum += er_v3_dot(b->model->joint[out->foot[i].joint[0]].frame.p, out->up) - out->ground;
    return out->foot_count > 0 ? fmax(sum / out->foot_count, 1e-3 * out->height) : 0.25 * b->model->size;
}

static er_result check(const er_body_reader *b)
{
    const er_gait_def *d = &b->def;
    if (b->model == NULL || d->tag != ER_DEF_TAG)
        return er_fail(b->context, ER_ERROR_ARGUMENT,
                       "a gait's body needs a model, and NULL or a def made by er_default_gait_def()");
    if (b->rig != NULL && b->rig->model->body_count != b->model->body_count)
        return er_fail(b->context, ER_ERROR_ARGUMENT, "the model is not that of the rig beside it");
    if (!er_v3_finite(d->up))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "up (%g, %g, %g) is no direction", d->up.x, d->up.y, d->up.z);
    if (!er_v3_finite(d->forward))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "forward (%g, %g, %g) is no direction", d->forward.x,
                       d->forward.y, d->forward.z);
    if (!(d->gravity >= 0.0 && d->gravity < HUGE_VAL))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "a gravity of %g m/s^2 is not positive", d->gravity);
    return ER_OK;
}

static er_result check_forward(const er_body_reader *b)
{
    er_vec3 forward = b->def.forward, up = b->out->up;
    double length = er_v3_norm(forward);
    if (length == 0.0 || fabs(er_v3_dot(forward, up)) < 0.99 * length) return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT,
                   "forward is along up, (%.3g, %.3g, %.3g); say which way the body faces on level ground", up.x, up.y,
                   up.z);
}

er_result er_gait_body_read(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                            er_gait_body **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_body_reader b = {
        .context = context, .model = model, .rig = rig, .def = def != NULL ? *def : er_default_gait_def()};
    er_result r = check(&b);
    if (r != ER_OK) return r;
    ER_TRY(er_arena_create(context, &b.arena));
    ER_TRY(er_arena_create(context, &b.scratch));
    ER_TRY_NEW(b.out, b.arena, er_gait_body, 1);
    b.notes = (er_notes){.arena = b.arena};
    b.out->up = er_v3_unit(b.def.up, rig != NULL ? rig->scene->up : er_v3(0, 1, 0));
    ER_TRY(check_forward(&b));
    ER_TRY(er_gait_read_cloud(&b));
    ER_TRY(measure(&b));
    ER_TRY(er_gait_read_sides(&b));
    ER_TRY(er_gait_read_feet(&b));
    ER_TRY(er_gait_read_facing(&b));
    ER_TRY(choose_gravity(&b));
    b.out->leg = leg_of(&b);
    b.out->note = b.notes.items;
    b.out->note_count = b.notes.count;
    b.out->arena = b.arena;
    *out = b.out;
    b.arena = NULL;
done:
    er_arena_destroy(b.scratch);
    er_arena_destroy(b.arena);
    return r;
}

void er_gait_body_destroy(er_gait_body *body)
{
    if (body != NULL) er_arena_destroy(body->arena);
}
