// How well a body can stand in a pose: symmetric, feet level, legs long, hips and shoulders level.
#include "gait/body/body.h"

// Mean distance of limbs from their mirror images, over the size.
static double asymmetry_of(const eri_body_reader *b)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < b->model->body_count; ++i) {
        if (b->twin[i] < 0) continue;
        er_vec3 here = eri_body_origin(b, i), there = eri_body_origin(b, b->twin[i]);
        double across = er_v3_dot(here, b->out->left) - b->offset;
        er_vec3 image = er_v3_madd(here, -2.0 * across, b->out->left);
        sum += er_v3_distance(image, there);
        ++count;
    }
    return count > 0 ? sum / count / b->model->size : 0.0;
}

// The mean sine of the slope of hips and shoulders.
static double roll_of(const eri_body_reader *b)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < b->model->body_count; ++i) {
        if (b->twin[i] <= i || !eri_tops_limb(b->model, b->twin, i)) continue;
        er_vec3 d = er_v3_sub(eri_body_origin(b, i), eri_body_origin(b, b->twin[i]));
        if (er_v3_norm(d) < 0.01 * b->model->size) continue;
        sum += fabs(er_v3_dot(d, b->out->up)) / er_v3_norm(d);
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

static double height_of(const eri_body_reader *b, er_vec3 x)
{
    return er_v3_dot(x, b->out->up) - b->out->ground;
}

// Over the legs' length: the difference in height of the feet, and how much shorter the legs are than stretched.
static void measure_legs(const eri_body_reader *b, double *step, double *crouch)
{
    const double bent = 0.75; // of a leg's length, that animals with bent legs stand at
    double low = HUGE_VAL, high = -HUGE_VAL, hips = 0.0, reach = 0.0;
    bool arched = b->out->foot_count > 4; // insects and spiders hang between their knees
    for (int i = 0; i < b->out->foot_count; ++i) {
        const er_gait_foot *foot = &b->out->foot[i];
        double sole = HUGE_VAL;
        for (int k = 0; k < foot->point_count; ++k)
            sole = fmin(sole, height_of(b, foot->point[k]));
        low = fmin(low, sole);
        high = fmax(high, sole);
        hips += height_of(b, b->model->joint[foot->joint[0]].frame.p) - foot->rest;
        reach += foot->reach;
    }
    *step = reach > 0.0 ? (high - low) * b->out->foot_count / reach : 0.0;
    *crouch = reach > 0.0 && !arched ? fmax(0.0, bent - hips / reach) : 0.0;
}

double eri_gait_stance_of(const eri_body_reader *b)
{
    double step, crouch;
    measure_legs(b, &step, &crouch);
    return exp(-8.0 * asymmetry_of(b) - 2.0 * step - 2.0 * crouch - roll_of(b));
}
