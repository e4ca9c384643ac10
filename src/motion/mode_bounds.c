// How far modes may swing: limits of joints, contact of the body with itself, and the truth of the linear mode.
#include "base/failure.h"
#include "motion/mode_truth.h"

static const double SHIFT = 0.02, LEAK = 0.5; // of the frequency, as er_default_validity_def(); of the energy
static const double APART = 0.01;             // of the rig's size: nearer parts share skin
static const double OVERLAP = 0.03;           // likewise: smaller overlaps are of shapes that are larger than the skin
enum { SAMPLES = 4, HALVINGS = 6 }; // of the way to the amplitude that is asked for; of the search between two

const char *er_bound_name(er_bound bound)
{
    static const char *const names[] = {"asked", "limit", "contact", "linear"};
    return (unsigned)bound < ERI_COUNT(names) ? names[bound] : "unknown";
}

// ---- limits

static double limit_of(const er_model *model, const er_mode *mode)
{
    double factor = HUGE_VAL, one = er_mode_amplitude(model, mode, 1.0);
    for (int j = 0; j < model->joint_count; ++j)
        for (int c = model->coordinate[j]; c < model->coordinate[j + 1]; ++c) {
            const double *limit = model->joint[j].limit[c - model->coordinate[j]];
            double way = fmin(limit[1], -limit[0]), turn = fabs(mode->joint[c]);
            if (way > 0.0 && turn > 0.0) factor = fmin(factor, way / turn);
        }
    return factor / one;
}

// ---- contact

typedef struct shape_pair {
    int shape[2];
} shape_pair;

typedef struct contact_finder {
    const er_model *model;
    const er_rig_shapes *shapes;
    er_kinematics *kinematics;
    double *x;           // [width]
    er_pose *pose;       // [body_count]
    er_vec3 *low, *high; // [shapes], boxes at a pose
    shape_pair *pair;    // [pair_count], that may meet
    int pair_count;
} contact_finder;

static bool are_neighbours(const er_model *model, int a, int b)
{
    for (int j = 0; j < model->joint_count; ++j) {
        const er_joint *joint = &model->joint[j];
        if ((joint->parent == a && joint->child == b) || (joint->parent == b && joint->child == a)) return true;
    }
    return false;
}

static bool may_meet(const contact_finder *f, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    if (a == b || are_neighbours(f->model, a, b)) return false;
    for (int i = 0; i < f->shapes->pair_count; ++i)
        if (f->shapes->pair[i].a == low && f->shapes->pair[i].b == high) return false;
    return true;
}

static er_pose pose_of(const contact_finder *f, int shape)
{
    const er_body_shape *s = &f->shapes->shape[shape];
    return er_pose_mul(f->pose[s->body], s->pose);
}

static double distance_of(const contact_finder *f, int a, int b)
{
    er_closest closest;
    er_shape_closest(&f->shapes->shape[a].shape, pose_of(f, a), &f->shapes->shape[b].shape, pose_of(f, b), NULL,
                     &closest);
    return closest.distance;
}

static er_result create_finder(er_arena *arena, const er_model *model, const er_rig_shapes *shapes,
                               er_kinematics *kinematics, contact_finder *out)
{
    er_result r = ER_OK;
    size_t count = (size_t)shapes->count;
    *out = (contact_finder){.model = model, .shapes = shapes, .kinematics = kinematics};
    ERI_TRY_NEW(out->x, arena, double, er_kinematics_width(kinematics));
    ERI_TRY_NEW(out->pose, arena, er_pose, model->body_count);
    ERI_TRY_NEW(out->low, arena, er_vec3, count);
    ERI_TRY_NEW(out->high, arena, er_vec3, count);
    ERI_TRY_NEW(out->pair, arena, shape_pair, count * count / 2 + 1);
    for (int b = 0; b < model->body_count; ++b)
        out->pose[b] = model->body[b].pose;
    for (int a = 0; a < shapes->count; ++a)
        for (int b = a + 1; b < shapes->count; ++b)
            if (may_meet(out, shapes->shape[a].body, shapes->shape[b].body) &&
                distance_of(out, a, b) > APART * model->size)
                out->pair[out->pair_count++] = (shape_pair){{a, b}};
done:
    return r;
}

static bool boxes_overlap(const contact_finder *f, int a, int b)
{
    return f->low[a].x <= f->high[b].x && f->low[b].x <= f->high[a].x && f->low[a].y <= f->high[b].y &&
           f->low[b].y <= f->high[a].y && f->low[a].z <= f->high[b].z && f->low[b].z <= f->high[a].z;
}

// Whether two shapes overlap at a factor of a mode by more than skin is thick.
static er_result find_contact(contact_finder *f, const er_mode *mode, double factor, bool *out)
{
    er_result r = ER_OK;
    *out = false;
    er_kinematics_mode(f->kinematics, mode, f->x);
    for (int i = 0; i < er_kinematics_width(f->kinematics); ++i)
        f->x[i] *= factor;
    r = er_kinematics_pose(f->kinematics, f->x, f->pose);
    if (r == ER_ERROR_NO_CONVERGENCE) return ER_OK; // a loop does not follow so far
    if (r != ER_OK) return r;
    for (int s = 0; s < f->shapes->count; ++s)
        er_shape_box(&f->shapes->shape[s].shape, pose_of(f, s), &f->low[s], &f->high[s]);
    for (int i = 0; i < f->pair_count && !*out; ++i) {
        int a = f->pair[i].shape[0], b = f->pair[i].shape[1];
        *out = boxes_overlap(f, a, b) && distance_of(f, a, b) < -OVERLAP * f->model->size;
    }
    return ER_OK;
}

// The first contact of a mode that swings to both sides, degrees.
static er_result contact_of(contact_finder *f, const er_mode *mode, double most, double *out)
{
    er_result r = ER_OK;
    double one = er_mode_amplitude(f->model, mode, 1.0);
    *out = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        double free = 0.0, end = fmin(most, *out), met = HUGE_VAL;
        bool meets = false;
        for (int i = 1; i <= SAMPLES && !meets; ++i) {
            double degrees = end * i / SAMPLES;
            ERI_TRY(find_contact(f, mode, side * degrees * one, &meets));
            *(meets ? &met : &free) = degrees;
        }
        for (int i = 0; i < HALVINGS && met < HUGE_VAL; ++i) {
            double degrees = 0.5 * (free + met);
            ERI_TRY(find_contact(f, mode, side * degrees * one, &meets));
            *(meets ? &met : &free) = degrees;
        }
        if (met < HUGE_VAL) *out = free;
    }
done:
    return r;
}

// ---- all

static void take_least(er_mode_bound *bound, double degrees, er_bound by)
{
    if (!(degrees < bound->degrees)) return;
    bound->degrees = degrees;
    bound->by = by;
}

static er_result bound_mode(const er_model *model, const er_modes *modes, const er_mode *mode, contact_finder *contact,
                            eri_truth *truth, double most, er_mode_bound *out)
{
    er_result r = ER_OK;
    *out = (er_mode_bound){.limit = HUGE_VAL, .contact = HUGE_VAL, .linear = HUGE_VAL, .degrees = most};
    if (mode->kind != ER_MODE_ELASTIC || !(er_mode_amplitude(model, mode, 1.0) > 0.0)) return ER_OK;
    out->limit = limit_of(model, mode);
    if (contact->pair_count > 0) ERI_TRY(contact_of(contact, mode, most, &out->contact));
    if (truth != NULL) ERI_TRY(eri_truth_find(truth, er_modes_index(modes, mode), SHIFT, LEAK, &out->linear));
    take_least(out, out->limit, ER_BOUND_LIMIT);
    take_least(out, out->contact, ER_BOUND_CONTACT);
    take_least(out, out->linear, ER_BOUND_LINEAR);
done:
    return r;
}

static er_result bound_modes(er_context *context, const er_model *model, const er_modes *modes, const er_mode *first,
                             int count, const er_rig_shapes *shapes, double most, er_mode_bound *bound)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_kinematics *kinematics = NULL;
    eri_truth *truth = NULL;
    contact_finder contact = {0};
    ERI_TRY(eri_arena_create(context, &arena));
    if (shapes != NULL) {
        ERI_TRY(er_kinematics_create(context, model, &kinematics));
        ERI_TRY(create_finder(arena, model, shapes, kinematics, &contact));
    }
    if (model->loop_count == 0) ERI_TRY(eri_truth_create(context, model, modes, &truth));
    for (int k = 0; k < count; ++k)
        ERI_TRY(bound_mode(model, modes, &first[k], &contact, truth, most, &bound[k]));
done:
    eri_truth_destroy(truth);
    er_kinematics_destroy(kinematics);
    eri_arena_destroy(arena);
    return r;
}

static er_result check(er_context *context, const er_model *model, const er_modes *modes, double most,
                       const er_mode_bound *bound)
{
    if (model != NULL && modes != NULL && bound != NULL && most > 0.0 && most <= 180.0) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "bounds need a model, its modes, degrees in (0, 180] and room for the bounds");
}

er_result er_modes_bound(er_context *context, const er_model *model, const er_modes *modes, const er_rig_shapes *shapes,
                         double most, er_mode_bound *bound)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, modes, most, bound);
    if (r != ER_OK) return r;
    return bound_modes(context, model, modes, modes->mode, modes->count, shapes, most, bound);
}

er_result er_modes_bound_one(er_context *context, const er_model *model, const er_modes *modes, int index,
                             const er_rig_shapes *shapes, double most, er_mode_bound *bound)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, model, modes, most, bound);
    if (r != ER_OK) return r;
    const er_mode *mode = er_modes_find(modes, index);
    if (mode == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "there is no mode %d to bound", index);
    return bound_modes(context, model, modes, mode, 1, shapes, most, bound);
}
