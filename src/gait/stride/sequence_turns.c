// Coordinates of a sequence's sources between rows, and their means. Rotations take the short way where a source begins
// to count, and from then on the way that they took in the frame before.
#include "gait/stride/sequence.h"

void eri_sequence_weigh_rows(const eri_sequence_source *g, double at, int row[4], double weight[4])
{
    int n = g->rows, first = (int)floor(at);
    double u = at - first, u2 = u * u, u3 = u2 * u;
    const double w[4] = {-0.5 * u3 + u2 - 0.5 * u, 1.5 * u3 - 2.5 * u2 + 1.0, -1.5 * u3 + 2.0 * u2 + 0.5 * u,
                         0.5 * u3 - 0.5 * u2};
    for (int i = 0; i < 4; ++i) {
        int r = first - 1 + i;
        row[i] = g->repeats ? ((r % n) + n) % n : r < 0 ? 0 : r >= n ? n - 1 : r;
        weight[i] = w[i];
    }
}

// A whole number of turns added to an angle so that it is nearest to another.
static double near_angle(double x, double to)
{
    return x - 2.0 * ER_PI * round((x - to) / (2.0 * ER_PI));
}

static er_quat near_turn(er_quat q, er_quat to)
{
    return er_q_dot(q, to) < 0.0 ? er_q(-q.w, -q.x, -q.y, -q.z) : q;
}

static er_quat add_turn(er_quat sum, double weight, er_quat q)
{
    return er_q(sum.w + weight * q.w, sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z);
}

static const double *number(const eri_sequence *s, const eri_sequence_source *g, int row, int c)
{
    return &g->x[(size_t)row * (size_t)s->width + (size_t)c];
}

static er_quat turn_between(const eri_sequence *s, const eri_sequence_source *g, const int *row, const double *w, int c)
{
    er_quat sum = {0, 0, 0, 0}, first = {1, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        const double *x = number(s, g, row[i], c);
        er_quat q = er_q_exp(er_v3(x[0], x[1], x[2]));
        if (i == 0) first = q;
        sum = add_turn(sum, w[i], near_turn(q, first));
    }
    return er_q_unit(sum);
}

static double angle_between(const eri_sequence *s, const eri_sequence_source *g, const int *row, const double *w, int c)
{
    double sum = 0.0, before = *number(s, g, row[0], c);
    for (int i = 0; i < 4; ++i) {
        before = near_angle(*number(s, g, row[i], c), before);
        sum += w[i] * before;
    }
    return sum;
}

// s->sum keeps the mean of the angles and, as x, the weight of it.
static void add_angle(eri_sequence *s, eri_sequence_source *g, int c, double weight, double angle)
{
    er_quat *sum = &s->sum[c];
    if (g->met[c])
        angle = near_angle(angle, g->last[c].w);
    else if (sum->x > 0.0)
        angle = near_angle(angle, sum->w / sum->x);
    g->met[c] = true;
    g->last[c].w = angle;
    sum->w += weight * angle;
    sum->x += weight;
    s->x[c] = sum->w;
}

static void add_vector(eri_sequence *s, eri_sequence_source *g, int c, double weight, er_quat q)
{
    q = near_turn(q, g->met[c] ? g->last[c] : s->sum[c]);
    g->met[c] = true;
    g->last[c] = q;
    s->sum[c] = add_turn(s->sum[c], weight, q);
}

void eri_sequence_add(eri_sequence *s, eri_sequence_source *g, double at, double weight, int leg)
{
    int row[4];
    double w[4];
    eri_sequence_weigh_rows(g, at, row, w);
    for (int c = 0; c < s->width; ++c) {
        double sum = 0.0;
        if (s->leg_of[c] != leg || s->turn[c] == ERI_SEQUENCE_TURN_REST) continue;
        if (s->turn[c] == ERI_SEQUENCE_TURN_VECTOR) {
            add_vector(s, g, c, weight, turn_between(s, g, row, w, c));
        } else if (s->turn[c] == ERI_SEQUENCE_TURN_ANGLE) {
            add_angle(s, g, c, weight, angle_between(s, g, row, w, c));
        } else {
            for (int i = 0; i < 4; ++i)
                sum += w[i] * *number(s, g, row[i], c);
            s->x[c] += weight * sum;
        }
    }
}

void eri_sequence_finish(eri_sequence *s)
{
    for (int c = 0; c < s->width; ++c) {
        if (s->turn[c] != ERI_SEQUENCE_TURN_VECTOR) continue;
        er_vec3 turn = er_q_log(er_q_unit(s->sum[c]));
        s->x[c] = turn.x;
        s->x[c + 1] = turn.y;
        s->x[c + 2] = turn.z;
    }
}
