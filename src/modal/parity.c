// How symmetric a mode is.
#include <eigenrig/modal.h>

#include <math.h>

#include "modal/mode_shape.h"

// The product of two motions of a body in the mass metric.
static double product(const er_body *body, const double *a, const double *b)
{
    er_vec3 turn = er_v3(a[0], a[1], a[2]), other = er_v3(b[0], b[1], b[2]);
    er_vec3 shift = er_v3_add(er_v3(a[3], a[4], a[5]), er_v3_cross(turn, body->com)),
            along = er_v3_add(er_v3(b[3], b[4], b[5]), er_v3_cross(other, body->com));
    return body->mass * er_v3_dot(shift, along) + er_v3_dot(turn, er_m3_mul_v(body->inertia, other));
}

double er_mode_parity(const er_model *model, const er_mirror *mirror, const er_mode *mode, double *image)
{
    double both = 0.0, own = 0.0, other = 0.0;
    er_mirror_reflect(model, mirror, mode->body, image);
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        const double *here = mode->body + 6 * (ptrdiff_t)b, *there = image + 6 * (ptrdiff_t)b;
        both += product(body, here, there);
        own += product(body, here, here);
        other += product(body, there, there);
    }
    double whole = fmax(own, other);
    return whole > 0.0 ? fmax(-1.0, fmin(1.0, both / whole)) : 0.0;
}
