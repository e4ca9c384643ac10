// From a shape to a mode: units, sign, kind; and the mass metric of body twists.
#include "modal/mode_shape.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"

void eri_modal_units(const er_model *model, double *unit)
{
    for (int k = 0; k < model->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(model->joint[k].type, axis);
        for (int i = 0; i < count; ++i)
            unit[model->coordinate[k] + i] = axis[i] < 3 ? 1.0 : model->size;
    }
}

const double eri_same_eigenvalue = 1e-9, eri_near_eigenvalue = 2e-6;

bool eri_is_one_frequency(const er_mode *a, const er_mode *b, double tolerance)
{
    return fabs(a->eigenvalue - b->eigenvalue) <= tolerance * fmax(a->eigenvalue, b->eigenvalue);
}

bool eri_joint_is_free_root(const er_joint *j)
{
    return j->type == ER_JOINT_FREE && j->parent < 0;
}

er_vec3 eri_centre_of_mass(const er_model *model)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        sum = er_v3_madd(sum, body->mass, er_pose_point(body->pose, body->com));
        mass += body->mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

// No joint moves in a rigid mode but those of free roots: rounding is removed.
static void still_joints(const er_model *model, double *joint)
{
    for (int k = 0; k < model->joint_count; ++k)
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1] && !eri_joint_is_free_root(&model->joint[k]);
             ++c)
            joint[c] = 0.0;
}

ERI_LANES(double, largest, (const double *x, int count), (x, count))
{
    return eri_lanes_largest(x, count);
}

// The largest |x / unit|.
ERI_LANES(double, largest_in_units, (const double *x, const double *unit, int count), (x, unit, count))
{
    eri_lanes most = {0};
    int i = 0;
    for (; i + ERI_LANE_COUNT <= count; i += ERI_LANE_COUNT) {
        eri_lanes ratio = *(const eri_lanes_loose *)(x + i) / *(const eri_lanes_loose *)(unit + i);
        most = eri_lanes_larger(most, eri_lanes_magnitude(ratio));
    }
    double result = eri_lanes_largest((const double *)&most, ERI_LANE_COUNT);
    for (; i < count; ++i)
        result = fmax(result, fabs(x[i]) / unit[i]);
    return result;
}

// The first entry that is the largest but for rounding, so that the sign is the same everywhere; -1 of an empty array.
static int leading_entry(const double *x, const double *unit, int count)
{
    double most = largest_in_units(x, unit, count);
    for (int i = 0; i < count; ++i)
        if (fabs(x[i]) >= most * unit[i] * (1.0 - 1e-9)) return i;
    return -1;
}

ERI_LANES_DO(negate, (double *x, int count), (x, count))
{
    for (int i = 0; i < count; ++i)
        x[i] = 0.0 - x[i]; // and not -x[i], which makes -0 of 0
}

static void fix_sign(const er_model *model, const double *unit, double *body, double *joint)
{
    int coordinates = model->coordinate_count, columns = 6 * model->body_count;
    int j = leading_entry(joint, unit, coordinates);
    double most = largest(body, columns), lead = 0.0;
    if (j >= 0 && fabs(joint[j]) > 1e-9 * most * unit[j])
        lead = joint[j];
    else
        for (int i = 0; i < columns && lead == 0.0; ++i)
            if (fabs(body[i]) >= most * (1.0 - 1e-9)) lead = body[i];
    if (lead >= 0.0) return;
    negate(body, columns);
    negate(joint, coordinates);
}

void eri_mode_finish(const er_model *model, const double *unit, er_mode_kind kind, double eigenvalue, double *body,
                     double *joint, er_mode *mode)
{
    if (kind == ER_MODE_RIGID) still_joints(model, joint);
    fix_sign(model, unit, body, joint);
    mode->kind = kind;
    mode->eigenvalue = eigenvalue;
    mode->frequency_hz = sqrt(eigenvalue) / (2.0 * ER_PI);
    mode->body = body;
    mode->joint = joint;
}

void eri_mass_times(const er_model *model, const double *eta, double *out)
{
    for (int b = 0; b < model->body_count; ++b, eta += 6, out += 6) {
        const er_body *body = &model->body[b];
        er_vec3 w = er_v3(eta[0], eta[1], eta[2]), v = er_v3(eta[3], eta[4], eta[5]);
        er_vec3 p = er_v3_scale(body->mass, er_v3_add(v, er_v3_cross(w, body->com)));
        er_vec3 l = er_v3_add(er_m3_mul_v(body->inertia, w), er_v3_cross(body->com, p));
        const double momentum[6] = {l.x, l.y, l.z, p.x, p.y, p.z};
        memcpy(out, momentum, sizeof momentum);
    }
}

eri_mass_factor eri_mass_factor_of(const er_body *b)
{
    eri_mass_factor f = {.root_mass = sqrt(b->mass), .com = b->com};
    for (int j = 0; j < 3; ++j)
        for (int i = j; i < 3; ++i) {
            double sum = b->inertia.m[i][j];
            for (int k = 0; k < j; ++k)
                sum -= f.c[i][k] * f.c[j][k];
            f.c[i][j] = i == j ? sqrt(sum) : sum / f.c[j][j];
        }
    return f;
}

void eri_mass_multiply_transposed(const eri_mass_factor *f, double *x)
{
    er_vec3 w = er_v3(x[0], x[1], x[2]), v = er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(w, f->com));
    x[0] = f->c[0][0] * w.x + f->c[1][0] * w.y + f->c[2][0] * w.z;
    x[1] = f->c[1][1] * w.y + f->c[2][1] * w.z;
    x[2] = f->c[2][2] * w.z;
    x[3] = f->root_mass * v.x;
    x[4] = f->root_mass * v.y;
    x[5] = f->root_mass * v.z;
}

void eri_mass_solve_transposed(const eri_mass_factor *f, double *x)
{
    x[2] /= f->c[2][2];
    x[1] = (x[1] - f->c[2][1] * x[2]) / f->c[1][1];
    x[0] = (x[0] - f->c[1][0] * x[1] - f->c[2][0] * x[2]) / f->c[0][0];
    er_vec3 carried = er_v3_cross(er_v3(x[0], x[1], x[2]), f->com);
    x[3] = x[3] / f->root_mass - carried.x;
    x[4] = x[4] / f->root_mass - carried.y;
    x[5] = x[5] / f->root_mass - carried.z;
}
