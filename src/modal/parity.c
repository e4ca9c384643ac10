// How symmetric a mode is.
#include <eigenrig/modal.h>

#include <math.h>

// The motion of a body's centre of mass.
typedef struct body_motion {
    er_vec3 turn, shift;
} body_motion;

static body_motion motion_of(const er_body *body, const double *v)
{
    er_vec3 turn = er_v3(v[0], v[1], v[2]);
    return (body_motion){turn, er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(turn, body->com))};
}

static body_motion momentum_of(const er_body *body, body_motion v)
{
    return (body_motion){er_m3_mul_v(body->inertia, v.turn), er_v3_scale(body->mass, v.shift)};
}

static double product(body_motion a, body_motion b)
{
    return er_v3_dot(a.turn, b.turn) + er_v3_dot(a.shift, b.shift);
}

double er_mode_parity(const er_model *model, const er_mirror *mirror, const er_mode *mode, double *image)
{
    double both = 0.0, own = 0.0, other = 0.0;
    er_mirror_reflect(model, mirror, mode->body, image);
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        body_motion here = motion_of(body, mode->body + 6 * (ptrdiff_t)b),
                    there = motion_of(body, image + 6 * (ptrdiff_t)b), momentum = momentum_of(body, here);
        both += product(there, momentum);
        own += product(here, momentum);
        other += product(there, momentum_of(body, there));
    }
    double whole = fmax(own, other);
    return whole > 0.0 ? fmax(-1.0, fmin(1.0, both / whole)) : 0.0;
}
