// The state a set begins in: where its bodies are and how they move, in Euler parameters.
#include "formats/bacin/bacin_set.h"

#include <math.h>
#include <string.h>

// omega = 2 E theta', the vector part of 2 theta' theta*; it is divided by |theta|^2, as parameters may be not quite
// unit. Two digits have to do: |theta|^2 within 0.02 of 1, theta . theta' within 0.02 of what it could be.
static er_result set_turn(const eri_bacin_text *text, const double theta[4], const double rate[4], eri_bacin_body *body)
{
    er_quat q = er_q(theta[0], theta[1], theta[2], theta[3]), dq = er_q(rate[0], rate[1], rate[2], rate[3]);
    double square = er_q_dot(q, q);
    if (!(fabs(square - 1.0) <= 0.02))
        return eri_bacin_wrong(text,
                               "body \"%.60s\": the squares of the Euler parameters %g %g %g %g add up to %g, not to 1",
                               body->name, q.w, q.x, q.y, q.z, square);
    if (!(fabs(er_q_dot(q, dq)) <= 0.02 * sqrt(er_q_dot(dq, dq))))
        return eri_bacin_wrong(
            text,
            "body \"%.60s\": the rates of the Euler parameters %g %g %g %g are not at right angles to "
            "them (theta . theta' = %g), so that these would not stay unit",
            body->name, dq.w, dq.x, dq.y, dq.z, er_q_dot(q, dq));
    er_quat turn = er_q_mul(dq, er_q_conj(q));
    body->pose.q = er_q_unit(q);
    body->omega = er_v3_scale(2.0 / square, er_v3(turn.x, turn.y, turn.z));
    return ER_OK;
}

static er_result read_body(eri_bacin_text *text, eri_bacin_body *body)
{
    er_result r = ER_OK;
    double x[14];
    ERI_TRY(eri_bacin_numbers(text, "a position, four Euler parameters, and the rates of both", 14, x));
    body->pose.p = er_v3(x[0], x[1], x[2]);
    body->velocity = er_v3(x[7], x[8], x[9]);
    r = set_turn(text, x + 3, x + 10, body);
done:
    return r;
}

er_result eri_bacin_read_state(eri_bacin_set *set)
{
    er_result r = ER_OK;
    eri_bacin_text text;
    int count, body;
    bool *placed;
    ERI_TRY(eri_bacin_open_beside(set, ".ste", NULL, &text));
    ERI_TRY(eri_bacin_begin(&text, "state", ERI_BACIN_DATE));
    ERI_TRY(eri_bacin_key_count(&text, "bodies", 30, &count));
    if (count != set->body_count)
        ERI_TRY(eri_bacin_wrong(&text, "there are %d bodies, not %d; each has a state", set->body_count, count));
    ERI_TRY(eri_bacin_key_numbers(&text, "time", 1, &set->time));
    ERI_TRY_NEW(placed, set->arena, bool, count);
    for (int i = 0; i < count; ++i) {
        ERI_TRY(eri_bacin_named(&text, &set->names, "body", &body));
        if (placed[body])
            ERI_TRY(
                eri_bacin_wrong(&text, "body \"%.60s\" has a state already; another has none", set->body[body].name));
        placed[body] = true;
        ERI_TRY(read_body(&text, &set->body[body]));
    }
    ERI_TRY(eri_bacin_end(&text, "state", "bodies", count));
done:
    return r;
}

er_pose eri_bacin_pose(const eri_bacin_set *set, int body)
{
    return body < 0 ? er_pose_identity() : set->body[body].pose;
}

er_twist eri_bacin_motion(const eri_bacin_set *set, int body, er_vec3 at)
{
    if (body < 0) return (er_twist){{0, 0, 0}, {0, 0, 0}};
    const eri_bacin_body *b = &set->body[body];
    return (er_twist){b->omega, er_v3_add(b->velocity, er_v3_cross(b->omega, er_v3_sub(at, b->pose.p)))};
}
