// Motions of bodies in a mirror.
#include <eigenrig/model.h>

#include <string.h>

#include "base/arena.h"

static er_vec3 reflect(const er_mirror *mirror, er_vec3 x)
{
    return er_v3_madd(x, -2.0 * er_v3_dot(mirror->normal, x), mirror->normal);
}

void er_mirror_reflect(const er_model *model, const er_mirror *mirror, const double *eta, double *out)
{
    memset(out, 0, 6 * (size_t)model->body_count * sizeof *out);
    for (int b = 0; b < model->body_count; ++b) {
        int image = mirror->body[b];
        if (image < 0) continue;
        const er_body *from = &model->body[b], *to = &model->body[image];
        const double *v = eta + 6 * (ptrdiff_t)b;
        er_vec3 turn = er_v3(v[0], v[1], v[2]),
                shift = er_v3_add(er_v3(v[3], v[4], v[5]), er_v3_cross(turn, from->com));
        turn = er_v3_scale(-1.0, reflect(mirror, er_q_rotate(from->pose.q, turn))); // an axial vector
        shift = reflect(mirror, er_q_rotate(from->pose.q, shift));
        turn = er_q_rotate(er_q_conj(to->pose.q), turn);
        shift = er_v3_sub(er_q_rotate(er_q_conj(to->pose.q), shift), er_v3_cross(turn, to->com));
        const double twist[6] = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
        memcpy(out + 6 * (ptrdiff_t)image, twist, sizeof twist);
    }
}

void er_mirror_destroy(er_mirror *mirror)
{
    if (mirror != NULL) eri_arena_destroy(mirror->arena);
}
