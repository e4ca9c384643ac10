// Reads the body of a rig: sides, feet, front.
#include <stdlib.h>
#include <string.h>

#include "gait/body/body.h"

er_gait_def er_default_gait_def(void)
{
    return (er_gait_def){.best = 6, .mode_count = 24, .weights = {1, 1, 1, 1, 1, 1, 1, 1, 1}, .tag = ER_DEF_TAG};
}

// --- measures

static void measure(eri_body_reader *b)
{
    er_gait_body *out = b->out;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < b->cloud.count; ++i) {
        double h = er_v3_dot(b->cloud.point[i], out->up);
        low = fmin(low, h);
        high = fmax(high, h);
    }
    out->ground = low;
    out->height = high - low;
}

er_result eri_gait_read_sides(eri_body_reader *b)
{
    eri_mirror_search m = {.model = b->model, .rig = b->rig, .up = b->out->up, .arena = b->scratch};
    er_result r = ER_OK;
    int *mirror;
    ERI_TRY(eri_mirror_search_run(&m));
    ERI_TRY_NEW(mirror, b->arena, int, b->model->body_count);
    memcpy(mirror, m.image, (size_t)b->model->body_count * sizeof *mirror);
    b->middle = m.middle;
    b->centre = m.centre;
    b->named = m.named;
    b->mapped = m.mapped;
    b->twin = m.twin;
    b->on_side = m.on_side;
    b->offset = m.offset;
    b->out->left = m.left;
    b->out->symmetry = m.cost;
    b->out->mirror = mirror;
    if (b->mirror != NULL) ERI_TRY(eri_mirror_create(b->context, &m, b->mirror));
done:
    return r;
}

static er_result choose_gravity(eri_body_reader *b)
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
    return eri_notes_add(&b->notes, ER_NOTE_FACT, "the tempo follows from a size of %.3g m, taken as %.3g m", size,
                         size * scale);
}

// Length of a leg: the hip's height, or 0.6 of its distance from the foot if that is larger (sprawling legs).
static double leg_length(const eri_body_reader *b, const er_gait_foot *foot)
{
    er_vec3 hip = b->model->joint[foot->joint[0]].frame.p,
            heel = er_pose_point(b->model->body[foot->body].pose, foot->heel);
    return fmax(er_v3_dot(hip, b->out->up) - b->out->ground, 0.6 * er_v3_distance(hip, heel));
}

static double leg_of(const eri_body_reader *b)
{
    const er_gait_body *out = b->out;
    double sum = 0.0;
    for (int i = 0; i < out->foot_count; ++i)
        sum += leg_length(b, &out->foot[i]);
    return out->foot_count > 0 ? fmax(sum / out->foot_count, 1e-3 * out->height) : 0.25 * b->model->size;
}

static er_result say_without_feet(eri_body_reader *b)
{
    const er_gait_body *out = b->out;
    if (out->foot_count > 0 || eri_gait_no_feet(b)) return ER_OK;
    return eri_notes_add(&b->notes, ER_NOTE_WARNING,
                         "no feet were found in pairs at low ends of limbs, so the body is assumed to %s; --feet names "
                         "feet, --up sets the up axis",
                         out->wing_count > 0 ? "fly"
                         : out->lies         ? "slither"
                                             : "swim");
}

static er_result check(const eri_body_reader *b)
{
    const er_gait_def *d = &b->def;
    if (b->model == NULL || d->tag != ER_DEF_TAG)
        return er_fail(b->context, ER_ERROR_ARGUMENT,
                       "a gait's body needs a model, and NULL or a def made by er_default_gait_def()");
    if (b->rig != NULL && b->rig->model->body_count != b->model->body_count)
        return er_fail(b->context, ER_ERROR_ARGUMENT, "the model is not that of the rig beside it");
    if (!er_v3_finite(d->up))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "up (%g, %g, %g) is not a direction", d->up.x, d->up.y, d->up.z);
    if (!er_v3_finite(d->forward))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "forward (%g, %g, %g) is not a direction", d->forward.x,
                       d->forward.y, d->forward.z);
    if (!(d->gravity >= 0.0 && d->gravity < HUGE_VAL))
        return er_fail(b->context, ER_ERROR_ARGUMENT, "a gravity of %g m/s^2 is not positive", d->gravity);
    return ER_OK;
}

static er_result check_forward(const eri_body_reader *b)
{
    er_vec3 forward = b->def.forward, up = b->out->up;
    double length = er_v3_norm(forward);
    if (length == 0.0 || fabs(er_v3_dot(forward, up)) < 0.99 * length) return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT,
                   "forward is along up, (%.3g, %.3g, %.3g); say which way the body faces on level ground", up.x, up.y,
                   up.z);
}

// Checks have passed.
static er_result read_body(eri_body_reader b, er_gait_body **out)
{
    er_result r = ER_OK;
    ERI_TRY(eri_arena_create(b.context, &b.arena));
    ERI_TRY(eri_arena_create(b.context, &b.scratch));
    ERI_TRY_NEW(b.out, b.arena, er_gait_body, 1);
    b.notes = (eri_notes){.arena = b.arena};
    b.out->up = er_v3_unit(b.def.up, b.rig != NULL ? b.rig->scene->up : er_v3(0, 1, 0));
    ERI_TRY(check_forward(&b));
    ERI_TRY(eri_gait_read_cloud(&b));
    measure(&b);
    ERI_TRY(eri_gait_read_sides(&b));
    ERI_TRY(eri_gait_read_feet(&b));
    ERI_TRY(eri_gait_read_facing(&b));
    ERI_TRY(choose_gravity(&b));
    b.out->leg = leg_of(&b);
    eri_gait_read_waves(&b);
    ERI_TRY(eri_gait_read_wings(&b));
    ERI_TRY(say_without_feet(&b));
    b.out->stance = eri_gait_stance_of(&b);
    b.out->note = b.notes.items;
    b.out->note_count = b.notes.count;
    b.out->arena = b.arena;
    *out = b.out;
    b.arena = NULL;
done:
    eri_arena_destroy(b.scratch);
    eri_arena_destroy(b.arena);
    return r;
}

er_result er_gait_body_read(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *def,
                            er_gait_body **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    eri_body_reader b = {
        .context = context, .model = model, .rig = rig, .def = def != NULL ? *def : er_default_gait_def()};
    er_result r = check(&b);
    return r == ER_OK ? read_body(b, out) : r;
}

er_result eri_gait_body_and_mirror(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, er_gait_body **out, er_mirror **mirror)
{
    *out = NULL;
    *mirror = NULL;
    eri_body_reader b = {.context = context,
                         .model = model,
                         .rig = rig,
                         .def = def != NULL ? *def : er_default_gait_def(),
                         .mirror = mirror};
    er_result r = check(&b);
    if (r == ER_OK) r = eri_mirror_check_size(context, model);
    if (r == ER_OK) r = read_body(b, out);
    if (r == ER_OK) return ER_OK;
    er_mirror_destroy(*mirror);
    *mirror = NULL;
    return r;
}

void er_gait_body_destroy(er_gait_body *body)
{
    if (body != NULL) eri_arena_destroy(body->arena);
}
