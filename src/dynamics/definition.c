/// @file
/// The definition of a world: defaults and checks.
#include "dynamics/definition.h"

#include <math.h>

#include "base/threads.h"
#include "dynamics/ties.h"

er_force er_default_force(void)
{
    return (er_force){.other = -1, .tag = ER_DEF_TAG};
}

er_motor er_default_motor(void)
{
    return (er_motor){.most = HUGE_VAL, .tag = ER_DEF_TAG};
}

er_world_shape er_default_world_shape(void)
{
    return (er_world_shape){.body = -1, .pose = er_pose_identity(), .friction = 0.5, .tag = ER_DEF_TAG};
}

er_world_def er_default_world_def(void)
{
    return (er_world_def){
        .route = ER_ROUTE_REDUCED,
        .rotation_state = ER_ROTATION_QUATERNION,
        .integrator = ER_INTEGRATE_AUTO,
        .friction_rule = ER_COMBINE_GEOMETRIC_MEAN,
        .restitution_rule = ER_COMBINE_MINIMUM,
        .tolerance = 1e-6,
        .min_step = 1e-9,
        .max_step = 1.0 / 30.0,
        .drift_tolerance = 1e-10,
        .most_impacts = 10000,
        .impact_tolerance = 1e-9,
        .contact =
            {.substeps = 4, .frequency = 30.0, .damping = 10.0, .push_out = 3.0, .threads = 1, .sleep_speed = 0.02},
        .reference = {.iterations = 10000, .accuracy = 1e-3, .relaxation = 1.0, .erp = 0.2},
        .tag = ER_DEF_TAG};
}

static bool is_vector(er_vec3 a)
{
    return eri_is_number(a.x) && eri_is_number(a.y) && eri_is_number(a.z);
}

static bool is_amount(double x)
{
    return x >= 0.0 && eri_is_number(x);
}

static er_result refuse_force(er_context *context, int index, const er_force *f, const char *what)
{
    const char *name = f->name != NULL ? f->name : "";
    return er_fail(context, ER_ERROR_ARGUMENT, "force %d \"%s\": %s", index, name, what);
}

static const char *wrong_samples(const er_force *f)
{
    if (f->sample_count < 2 || f->sample_count > 200) return "a schedule has 2 to 200 samples";
    if (f->sample == NULL) return "sample is NULL";
    for (int i = 0; i < f->sample_count; ++i) {
        const er_force_sample *s = &f->sample[i];
        if (!eri_is_number(s->time) || !is_vector(s->force) || !is_vector(s->torque)) return "a sample is not a number";
        if (i > 0 && !(s->time > s[-1].time)) return "times of samples do not ascend";
    }
    return NULL;
}

static const char *wrong_force(const er_world_def *def, const er_force *f)
{
    int bodies = def->model->body_count;
    if (f->tag != ER_DEF_TAG) return "was not made by er_default_force()";
    if (f->body < 0 || f->body >= bodies) return "there is no such body";
    if (!is_vector(f->point)) return "point is not a number";
    switch (f->kind) {
    case ER_FORCE_CONSTANT:
        return is_vector(f->force) && is_vector(f->torque) ? NULL : "force or torque is not a number";
    case ER_FORCE_SCHEDULE:
        return wrong_samples(f);
    case ER_FORCE_SPRING:
        if (f->other < -1 || f->other >= bodies) return "there is no such other body";
        if (f->other == f->body) return "a spring needs two bodies, or one and the world";
        if (!is_vector(f->other_point)) return "other_point is not a number";
        return is_amount(f->stiffness) && is_amount(f->damping) && is_amount(f->rest)
                   ? NULL
                   : "stiffness, damping or rest is not a number >= 0";
    case ER_FORCE_DRAG:
        return is_amount(f->linear_drag) && is_amount(f->quadratic_drag) && is_amount(f->angular_drag)
                   ? NULL
                   : "a drag is not a number >= 0";
    }
    return "there is no such kind";
}

static const char *wrong_motor(const er_world_def *def, const er_motor *m)
{
    if (m->tag != ER_DEF_TAG) return "was not made by er_default_motor()";
    if (m->coordinate < 0 || m->coordinate >= def->model->coordinate_count) return "there is no such coordinate";
    if (!is_amount(m->stiffness) || !is_amount(m->damping)) return "stiffness or damping is not a number >= 0";
    if (!eri_is_number(m->position) || !eri_is_number(m->velocity)) return "position or velocity is not a number";
    return m->most > 0.0 ? NULL : "most is not above 0";
}

static const char *wrong_arrays(const er_world_def *def)
{
    if (def->force_count < 0 || (def->force_count > 0 && def->force == NULL)) return "force_count without forces";
    if (def->motor_count < 0 || (def->motor_count > 0 && def->motor == NULL)) return "motor_count without motors";
    for (int c = 0; def->rest != NULL && c < def->model->coordinate_count; ++c)
        if (!eri_is_number(def->rest[c])) return "rest is not a number";
    if (def->guide != NULL && def->held == NULL) return "guide without held bodies";
    return NULL;
}

static const char *wrong_choice(const er_world_def *def)
{
    if ((int)def->route < 0 || def->route > ER_ROUTE_MULTIPLIERS) return "there is no such route";
    if ((int)def->rotation_state < 0 || def->rotation_state > ER_ROTATION_MATRIX)
        return "there is no such rotation_state";
    if ((int)def->friction_rule < 0 || def->friction_rule > ER_COMBINE_MULTIPLY)
        return "there is no such friction_rule";
    if ((int)def->restitution_rule < 0 || def->restitution_rule > ER_COMBINE_MULTIPLY)
        return "there is no such restitution_rule";
    if (def->integrator < ER_INTEGRATE_AUTO || def->integrator > ER_INTEGRATE_CONTACT)
        return "there is no such integrator";
    return NULL;
}

static bool is_share(double x)
{
    return x >= 0.0 && x <= 1.0;
}

static const char *wrong_shape(const er_world_def *def, const er_world_shape *s)
{
    if (s->tag != ER_DEF_TAG) return "was not made by er_default_world_shape()";
    if (!er_v3_finite(s->surface.angular) || !er_v3_finite(s->surface.linear))
        return "has a surface that is not finite";
    bool runs = er_v3_norm(s->surface.angular) + er_v3_norm(s->surface.linear) > 0.0;
    bool is_soft = def->integrator == ER_INTEGRATE_AUTO || def->integrator == ER_INTEGRATE_CONTACT;
    if (runs && !is_soft) return "has a surface that runs, which needs integrator contact (or auto)";
    if (s->body < -1 || s->body >= def->model->body_count) return "body: there is no such body";
    bool moves = s->body >= 0 && (def->held == NULL || !def->held[s->body]);
    if (!er_v3_finite(s->pose.p)) return "pose.p is not finite";
    if (!(fabs(er_q_dot(s->pose.q, s->pose.q) - 1.0) <= 2e-3)) return "pose.q is not a unit quaternion";
    if (!is_share(s->restitution)) return "restitution is not in [0, 1]";
    if (!is_amount(s->friction)) return "friction is not a number >= 0";
    if (!is_amount(s->rolling) || !is_amount(s->spinning)) return "rolling or spinning is not a number >= 0";
    if (!er_v3_finite(s->grain)) return "grain is not finite";
    if (!is_amount(s->grain_friction)) return "grain_friction is not a number >= 0";
    if (er_v3_norm(s->grain) > 0.0 && !(is_soft && def->route == ER_ROUTE_REDUCED))
        return "grain needs integrator contact (or auto) and route reduced";
    if ((s->rolling > 0.0 || s->spinning > 0.0) && def->integrator != ER_INTEGRATE_AUTO &&
        def->integrator != ER_INTEGRATE_CONTACT)
        return "rolling and spinning need integrator contact (or auto)";
    if (moves && (s->shape.kind == ER_SHAPE_PLANE || s->shape.kind == ER_SHAPE_MESH))
        return "body: a plane or a mesh needs the world or a held body";
    if (!is_soft && s->shape.kind != ER_SHAPE_HULL)
        return "shape.kind is not HULL, and only integrator contact (or auto) takes other shapes";
    return NULL;
}

static er_result check_shapes(er_context *context, const er_world_def *def)
{
    if (def->shape_count < 0 || (def->shape_count > 0 && def->shape == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "world: shape_count without shapes");
    for (int i = 0; i < def->shape_count; ++i) {
        const char *wrong = wrong_shape(def, &def->shape[i]), *name = def->shape[i].name;
        if (wrong == NULL && er_shape_check(context, &def->shape[i].shape) != ER_OK) wrong = er_context_error(context);
        if (wrong != NULL)
            return er_fail(context, ER_ERROR_ARGUMENT, "shape[%d] \"%s\" of the world: %s", i, name != NULL ? name : "",
                           wrong);
    }
    return ER_OK;
}

static er_result check_ties(er_context *context, const er_world_def *def)
{
    if (def->tie_count < 0 || (def->tie_count > 0 && def->tie == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "world: tie_count without ties");
    for (int i = 0; i < def->tie_count; ++i) {
        const char *wrong = eri_tie_wrong(def, &def->tie[i]), *name = def->tie[i].name;
        if (wrong != NULL)
            return er_fail(context, ER_ERROR_ARGUMENT, "tie[%d] \"%s\" of the world: %s", i, name != NULL ? name : "",
                           wrong);
    }
    return ER_OK;
}

static er_result check_apart(er_context *context, const er_world_def *def)
{
    if (def->apart_count < 0 || (def->apart_count > 0 && def->apart == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "world: apart_count without pairs");
    for (int i = 0; i < def->apart_count; ++i) {
        er_body_pair p = def->apart[i];
        if (p.a < 0 || p.a >= def->model->body_count || p.b < 0 || p.b >= def->model->body_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "apart[%d] of the world: there are no bodies %d and %d", i, p.a,
                           p.b);
    }
    return ER_OK;
}

static const char *wrong_reference(const er_world_def *def)
{
    const er_reference_def *s = &def->reference;
    if ((int)s->solver < 0 || s->solver > ER_REFERENCE_DIRECT) return "there is no such reference.solver";
    if (s->iterations < 1 || s->iterations > 1000000) return "reference.iterations is not in [1, 1000000]";
    if (!is_amount(s->accuracy)) return "reference.accuracy is not a number >= 0";
    if (!(s->relaxation > 0.0 && s->relaxation < 2.0)) return "reference.relaxation is not in (0, 2)";
    if (!is_share(s->erp)) return "reference.erp is not in [0, 1]";
    if (!is_amount(s->cfm)) return "reference.cfm is not a number >= 0";
    if (s->cone && s->solver == ER_REFERENCE_DIRECT) return "reference.cone is not for the direct solver";
    for (int j = 0; j < def->model->joint_count; ++j) {
        if (s->joint_erp != NULL && !is_share(s->joint_erp[j])) return "reference.joint_erp is not in [0, 1]";
        if (s->joint_cfm != NULL && !is_amount(s->joint_cfm[j])) return "reference.joint_cfm is not a number >= 0";
    }
    return NULL;
}

static const char *wrong_contact(const er_world_def *def)
{
    const er_contact_def *c = &def->contact;
    if (c->substeps < 1 || c->substeps > 1000) return "contact.substeps is not in [1, 1000]";
    if (!(c->frequency > 0.0 && eri_is_number(c->frequency))) return "contact.frequency is not above 0";
    if (!(c->damping > 0.0 && eri_is_number(c->damping))) return "contact.damping is not above 0";
    if (!(c->push_out > 0.0 && eri_is_number(c->push_out))) return "contact.push_out is not above 0";
    if (c->threads < 1 || c->threads > ERI_THREADS_MOST) return "contact.threads is not in [1, 8]";
    if (!is_amount(c->sleep_time)) return "contact.sleep_time is not a number >= 0";
    if (!is_amount(c->sleep_speed)) return "contact.sleep_speed is not a number >= 0";
    return NULL;
}

er_result eri_world_def_check(er_context *context, const er_world_def *def)
{
    if (def == NULL || def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "world: the def was not made by er_default_world_def()");
    if (def->model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "world: model is NULL");
    if (def->model->damping_ratio != 0.0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "the model's damping_ratio %g acts on modes only: set it to 0, and use dampers of joints or "
                       "rayleigh factors",
                       def->model->damping_ratio);
    if (!is_vector(def->gravity)) return er_fail(context, ER_ERROR_ARGUMENT, "gravity is not a number");
    const char *wrong = wrong_arrays(def);
    if (wrong == NULL) wrong = wrong_choice(def);
    if (wrong == NULL) wrong = wrong_contact(def);
    if (wrong == NULL) wrong = wrong_reference(def);
    if (wrong == NULL) wrong = eri_joint_break_wrong(def);
    if (wrong != NULL) return er_fail(context, ER_ERROR_ARGUMENT, "world: %s", wrong);
    for (int i = 0; i < def->force_count; ++i)
        if ((wrong = wrong_force(def, &def->force[i])) != NULL) return refuse_force(context, i, &def->force[i], wrong);
    for (int i = 0; i < def->motor_count; ++i)
        if ((wrong = wrong_motor(def, &def->motor[i])) != NULL)
            return er_fail(context, ER_ERROR_ARGUMENT, "motor %d: %s", i, wrong);
    if (!(def->tolerance >= 1e-14 && def->tolerance <= 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "tolerance %g is not in [1e-14, 1]", def->tolerance);
    if (!(def->min_step >= 0.0 && def->max_step > 0.0 && def->max_step >= def->min_step && isfinite(def->max_step)))
        return er_fail(context, ER_ERROR_ARGUMENT, "steps from %g s to %g s are no range of steps", def->min_step,
                       def->max_step);
    if (!(def->drift_tolerance > 0.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "drift_tolerance %g is not above 0", def->drift_tolerance);
    if (!(def->most_impacts >= 1))
        return er_fail(context, ER_ERROR_ARGUMENT, "most_impacts %d is not above 0", def->most_impacts);
    if (!(def->impact_tolerance >= 1e-13 && def->impact_tolerance <= 1e-3))
        return er_fail(context, ER_ERROR_ARGUMENT, "impact_tolerance %g is not in [1e-13, 1e-3]",
                       def->impact_tolerance);
    er_result r = check_apart(context, def);
    if (r == ER_OK) r = check_ties(context, def);
    return r == ER_OK ? check_shapes(context, def) : r;
}
