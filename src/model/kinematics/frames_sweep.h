// The sweep of frames.h for one kind of real number. Included once for each, with REAL, VEC, TERMS and FRAMES() set: no
// guard, and no use to anyone else.
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "model/kinematics/kinematics.h"

enum {
    ROWS = 8, // of the product, at a time: with two vectors each they fill sixteen registers
    LANES = sizeof(VEC) / sizeof(REAL)
};

typedef REAL loose __attribute__((vector_size(64), aligned(sizeof(REAL)))); // rows of poses begin anywhere

// Series of cos h and of sin h / 2h in -h^2: 1 / (2n)! and 1 / 2(2n + 1)!. The first left out is below half a unit in
// the last place of 1 for h up to pi / 2.
static const REAL cosine[] = {1.0,
                              (REAL)(1.0 / 2.0),
                              (REAL)(1.0 / 24.0),
                              (REAL)(1.0 / 720.0),
                              (REAL)(1.0 / 40320.0),
                              (REAL)(1.0 / 3628800.0),
                              (REAL)(1.0 / 479001600.0),
                              (REAL)(1.0 / 87178291200.0),
                              (REAL)(1.0 / 20922789888000.0),
                              (REAL)(1.0 / 6402373705728000.0),
                              (REAL)(1.0 / 2432902008176640000.0)};
static const REAL sine[] = {(REAL)(1.0 / 2.0),
                            (REAL)(1.0 / 12.0),
                            (REAL)(1.0 / 240.0),
                            (REAL)(1.0 / 10080.0),
                            (REAL)(1.0 / 725760.0),
                            (REAL)(1.0 / 79833600.0),
                            (REAL)(1.0 / 12454041600.0),
                            (REAL)(1.0 / 2615348736000.0),
                            (REAL)(1.0 / 711374856192000.0),
                            (REAL)(1.0 / 243290200817664000.0),
                            (REAL)(1.0 / 102181884343418880000.0)};

typedef struct quaternion {
    VEC w, x, y, z;
} quaternion;

typedef struct frame_vector {
    VEC x, y, z;
} frame_vector;

typedef struct link {
    int body, up, first, group;
    bool cardan, inverse, turned_before, turned_after, shifted_after;
    int coordinate[6]; // of tx ty tz x y z in x; -1 where it is held
    REAL before[7], after[7], com[3];
    REAL share; // of the body in its group's mass
    REAL pitch; // of a screw
} link;

struct FRAMES() {
    int link_count, group_count;
    link *link;
    REAL (*centre)[3]; // [group_count], at equilibrium
    VEC (*drift)[2];   // [3 group_count]
};

static void put_pose(er_pose p, REAL out[7])
{
    const double all[7] = {p.q.w, p.q.x, p.q.y, p.q.z, p.p.x, p.p.y, p.p.z};
    for (int i = 0; i < 7; ++i)
        out[i] = (REAL)all[i];
}

static bool is_turned(er_quat q)
{
    return fabs(q.x) + fabs(q.y) + fabs(q.z) > 1e-15; // below that it changes no double
}

er_result FRAMES(_create)(er_arena *arena, const er_kinematics *k, struct FRAMES() * *out)
{
    er_result r = ER_OK;
    struct FRAMES() * f;
    const er_model *model = k->model;
    ERI_TRY_NEW(f, arena, struct FRAMES(), 1);
    f->link_count = model->body_count;
    f->group_count = k->group_count;
    ERI_TRY_NEW(f->link, arena, link, f->link_count);
    f->centre = eri_arena_alloc(arena, (size_t)f->group_count, sizeof *f->centre);
    ERI_TRY(f->centre != NULL ? ER_OK : ER_ERROR_MEMORY);
    f->drift = eri_arena_alloc(arena, 3 * (size_t)f->group_count, sizeof *f->drift);
    ERI_TRY(f->drift != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int g = 0; g < f->group_count; ++g) {
        const double c[3] = {k->group_centre[g].x, k->group_centre[g].y, k->group_centre[g].z};
        for (int i = 0; i < 3; ++i)
            f->centre[g][i] = (REAL)c[i];
    }
    for (int i = 0; i < f->link_count; ++i) {
        const eri_link *t = &k->tree.link[i];
        const eri_placement *c = &k->placement[i];
        const er_body *body = &model->body[t->body];
        link *l = &f->link[i];
        int axis[6], count = er_joint_type_freedom(t->type, axis);
        *l = (link){t->body,
                    t->above,
                    c->first,
                    c->group,
                    eri_joint_turns(t->type)->way == ERI_TURNS_CARDAN,
                    t->inverse,
                    is_turned(c->before.q),
                    is_turned(c->after.q),
                    er_v3_norm(c->after.p) > 1e-15 * model->size,
                    {-1, -1, -1, -1, -1, -1},
                    {0},
                    {0},
                    {(REAL)body->com.x, (REAL)body->com.y, (REAL)body->com.z},
                    (REAL)(c->group >= 0 ? body->mass / k->group_mass[c->group] : 0.0),
                    (REAL)t->pitch};
        for (int a = 0; a < count; ++a)
            l->coordinate[axis[a]] = c->first + a;
        put_pose(c->before, l->before);
        put_pose(c->after, l->after);
    }
    *out = f;
done:
    return r;
}

er_result FRAMES(_pack)(er_arena *arena, int rows, int count, const double *columns, REAL **out)
{
    er_result r = ER_OK;
    int blocks = (rows + ROWS - 1) / ROWS;
    ERI_TRY_NEW(*out, arena, REAL, (size_t)blocks * (size_t)count * ROWS);
    for (int i = 0; i < rows; ++i)
        for (int m = 0; m < count; ++m)
            (*out)[((size_t)(i / ROWS) * (size_t)count + (size_t)m) * ROWS + (size_t)(i % ROWS)] =
                (REAL)columns[(size_t)m * (size_t)rows + (size_t)i];
done:
    return r;
}

ERI_LANES_DO(blend, (int rows, int count, const REAL *matrix, const VEC *signal, VEC *x),
             (rows, count, matrix, signal, x))
{
    for (int first = 0; first < rows; first += ROWS) {
        VEC sum[ROWS][2] = {{{0}}};
        for (int m = 0; m < count; ++m, matrix += ROWS)
            for (int i = 0; i < ROWS; ++i) {
                sum[i][0] += matrix[i] * signal[2 * m];
                sum[i][1] += matrix[i] * signal[2 * m + 1];
            }
        memcpy(x + 2 * first, sum, sizeof sum);
    }
}

void FRAMES(_blend)(int rows, int count, const REAL *matrix, const VEC *signal, VEC *x)
{
    blend(rows, count, matrix, signal, x);
}

ERI_LANES_INLINE quaternion multiply(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

ERI_LANES_INLINE quaternion multiply_constant(quaternion a, const REAL b[4])
{
    return (quaternion){
        a.w * b[0] - a.x * b[1] - a.y * b[2] - a.z * b[3], a.w * b[1] + a.x * b[0] + a.y * b[3] - a.z * b[2],
        a.w * b[2] - a.x * b[3] + a.y * b[0] + a.z * b[1], a.w * b[3] + a.x * b[2] - a.y * b[1] + a.z * b[0]};
}

// Takes off what rounding has added to the length: a step of Newton's is enough.
ERI_LANES_INLINE quaternion unit(quaternion q)
{
    VEC scale = (REAL)1.5 - (REAL)0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (quaternion){scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

// p + R(q) v
ERI_LANES_INLINE frame_vector carried(quaternion q, frame_vector v, frame_vector p)
{
    VEC tx = q.y * v.z - q.z * v.y, ty = q.z * v.x - q.x * v.z, tz = q.x * v.y - q.y * v.x;
    tx += tx, ty += ty, tz += tz;
    return (frame_vector){p.x + v.x + q.w * tx + q.y * tz - q.z * ty, p.y + v.y + q.w * ty + q.z * tx - q.x * tz,
                          p.z + v.z + q.w * tz + q.x * ty - q.y * tx};
}

ERI_LANES_INLINE frame_vector splat(const REAL v[3])
{
    const VEC zero = {0};
    return (frame_vector){zero + v[0], zero + v[1], zero + v[2]};
}

// exp(r / 2) as er_q_exp(): cos h and sin h / 2h, h = |r| / 2, as series in v = -h^2, which ends at -(pi / 2)^2.
// Beyond, h is halved so often first, and doubled again: with u = cos h - 1, which keeps its digits, cos 2h - 1 = 2 u
// (u + 2), and sin 2h / 4h = cos h sin h / 2h.
ERI_LANES_INLINE quaternion exponential(int halvings, frame_vector r)
{
    VEC v = (r.x * r.x + r.y * r.y + r.z * r.z) * (REAL)-0.25;
    for (int n = 0; n < halvings; ++n)
        v *= (REAL)0.25;
    const VEC zero = {0};
    VEC u = zero + cosine[TERMS - 1], s = zero + sine[TERMS - 1];
#pragma GCC unroll 16
    for (int n = TERMS - 2; n >= 0; --n) {
        if (n > 0) u = cosine[n] + v * u;
        s = sine[n] + v * s;
    }
    u *= v;
    for (int n = 0; n < halvings; ++n) {
        s += u * s;
        u *= 2 * u + 4;
    }
    return (quaternion){1 + u, s * r.x, s * r.y, s * r.z};
}

ERI_LANES_INLINE VEC coordinate(const VEC *x, int index)
{
    const VEC zero = {0};
    return index >= 0 ? x[2 * index] : zero;
}

// up * before * X * after.
ERI_LANES_INLINE void carry(const link *l, int halvings, const VEC *x, quaternion *q, frame_vector *p)
{
    *p = carried(*q, splat(l->before + 4), *p);
    if (l->turned_before) *q = multiply_constant(*q, l->before);
    const int *at = l->coordinate;
    const VEC zero = {0};
    frame_vector turn = {coordinate(x, at[0]), coordinate(x, at[1]), coordinate(x, at[2])};
    quaternion E;
    if (l->cardan)
        E = multiply(exponential(halvings, (frame_vector){turn.x, zero, zero}),
                     exponential(halvings, (frame_vector){zero, turn.y, zero}));
    else
        E = exponential(halvings, turn);
    bool shifts = at[3] >= 0 || at[4] >= 0 || at[5] >= 0 || l->pitch != 0;
    frame_vector shift = {coordinate(x, at[3]), coordinate(x, at[4]), coordinate(x, at[5])};
    if (l->pitch != 0) shift.z = l->pitch * turn.z;
    if (l->inverse) {
        *q = multiply(*q, (quaternion){E.w, -E.x, -E.y, -E.z});
        if (shifts) *p = carried(*q, (frame_vector){-shift.x, -shift.y, -shift.z}, *p);
    } else {
        if (shifts) *p = carried(*q, shift, *p);
        *q = multiply(*q, E);
    }
    if (l->shifted_after) *p = carried(*q, splat(l->after + 4), *p);
    if (l->turned_after) *q = multiply_constant(*q, l->after);
}

ERI_LANES_INLINE VEC row(const REAL *at)
{
    return *(const loose *)at;
}

// Asks for a body's rows, which lie too far apart for a processor to guess what comes next.
ERI_LANES_INLINE void fetch(const REAL *rows, size_t stride)
{
    for (int r = 0; r < 7; ++r, rows += stride) {
        __builtin_prefetch(rows, 1);
        __builtin_prefetch(rows + LANES, 1);
        __builtin_prefetch(rows + 2 * LANES - 1, 1);
    }
}

ERI_LANES_DO(sweep, (const struct FRAMES() * f, const int *halvings, const VEC *x, size_t stride, REAL *pose),
             (f, halvings, x, stride, pose))
{
    const VEC zero = {0};
    VEC(*drift)[2] = f->drift;
    for (int i = 0; i < 3 * f->group_count; ++i)
        drift[i][0] = drift[i][1] = zero - f->centre[i / 3][i % 3];
    for (int i = 0; i < f->link_count; ++i) {
        const link *l = &f->link[i];
        if (i + 1 < f->link_count) fetch(pose + 7 * stride * (size_t)l[1].body, stride);
        for (int h = 0; h < 2; ++h) {
            quaternion q = {zero + 1, zero, zero, zero};
            frame_vector p = {zero, zero, zero};
            if (l->up >= 0) {
                const REAL *up = pose + 7 * stride * (size_t)l->up + h * LANES;
                q = (quaternion){row(up), row(up + stride), row(up + 2 * stride), row(up + 3 * stride)};
                p = (frame_vector){row(up + 4 * stride), row(up + 5 * stride), row(up + 6 * stride)};
            }
            carry(l, halvings[i], x + h, &q, &p);
            q = unit(q);
            const VEC all[7] = {q.w, q.x, q.y, q.z, p.x, p.y, p.z};
            REAL *out = pose + 7 * stride * (size_t)l->body + h * LANES;
            for (int r = 0; r < 7; ++r, out += stride)
                *(loose *)out = all[r];
            if (l->group < 0) continue;
            frame_vector centre = carried(q, splat(l->com), p);
            drift[3 * l->group][h] += l->share * centre.x;
            drift[3 * l->group + 1][h] += l->share * centre.y;
            drift[3 * l->group + 2][h] += l->share * centre.z;
        }
    }
    for (int i = 0; i < f->link_count; ++i) {
        const link *l = &f->link[i];
        for (int a = 0; a < 3 && l->group >= 0; ++a)
            for (int h = 0; h < 2; ++h)
                *(loose *)(pose + (7 * (size_t)l->body + 4 + (size_t)a) * stride + h * LANES) -=
                    drift[3 * l->group + a][h];
    }
}

void FRAMES(_pose)(const struct FRAMES() * f, const int *halvings, const VEC *x, size_t stride, REAL *pose)
{
    sweep(f, halvings, x, stride, pose);
}
