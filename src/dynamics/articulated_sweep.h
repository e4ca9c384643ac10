// The sweeps of articulated.h for one kind of real number. Included once for each, with REAL and LIMBS() set: no guard,
// and no use to anyone else.
#include <string.h>

#include "dynamics/articulated.h"

typedef struct matrix {
    REAL m[3][3];
} matrix;

typedef struct symmetric {
    REAL xx, yy, zz, xy, xz, yz;
} symmetric;

#define INLINE ERI_LANES_INLINE

#define VALUE REAL
#define OF(name) name
#include "dynamics/articulated_algebra.h"

// [A B; B' C]: takes a twist's rate (angular, linear) to a wrench (torque, force).
typedef struct inertia {
    symmetric A;
    matrix B;
    symmetric C;
} inertia;

typedef enum shape { ONE_TURN, THREE_TURNS, ANY } shape;

// Where a limb is, or a part of the ground, and how it moves.
typedef struct place {
    matrix W; // its axes
    vector p; // reference point
    pair v, rate;
} place;

typedef struct limb {
    shape shape;
    int up, ground, u, freedom;
    bool inverse;
    const eri_link *link;
    const eri_limb *fixed;
    int column; // the first of its columns, of ANY
    place at;
    vector r; // from the reference point above (of the ground: its origin) to this
    vector c; // to the centre of mass
    inertia I;
    union {              // what lies apart is fetched apart
        struct {         // ONE_TURN
            vector axis; // S = (axis; 0)
            pair Y;      // I S
            REAL inverse_D;
        };
        struct {         // THREE_TURNS
            symmetric G; // the inverse of A + armature, world axes
            matrix P;    // the parent side's axes; minus them where inverse
        };
    };
} limb;

// A column of a joint of any type: D = L diag(1 / inverse_D) L', Y = I S L^-T.
typedef struct column {
    pair S, Y;
    REAL L[6], inverse_D;
} column;

struct LIMBS() {
    const eri_multibody *multibody;
    int first, count, columns; // those looked at: [first, count)
    limb *limb;
    column *column;
    const double *products; // [3 count]: xy, xz and yz of the armature of three turns; NULL: 0
};

INLINE REAL real(double x)
{
    const REAL zero = {0};
    return zero + x;
}

INLINE vector vec(er_vec3 a)
{
    return (vector){real(a.x), real(a.y), real(a.z)};
}

INLINE vector scale(REAL s, vector a)
{
    return (vector){s * a.x, s * a.y, s * a.z};
}

// M a of a constant a.
INLINE vector carry(const matrix *M, er_vec3 a)
{
    return (vector){M->m[0][0] * a.x + M->m[0][1] * a.y + M->m[0][2] * a.z,
                    M->m[1][0] * a.x + M->m[1][1] * a.y + M->m[1][2] * a.z,
                    M->m[2][0] * a.x + M->m[2][1] * a.y + M->m[2][2] * a.z};
}

INLINE vector col(const matrix *M, int j)
{
    return (vector){M->m[0][j], M->m[1][j], M->m[2][j]};
}

INLINE void set_col(matrix *M, int j, vector a)
{
    M->m[0][j] = a.x, M->m[1][j] = a.y, M->m[2][j] = a.z;
}

INLINE matrix constant(const er_mat3 *a)
{
    matrix M;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            M.m[i][j] = real(a->m[i][j]);
    return M;
}

INLINE matrix product(const matrix *a, const matrix *b)
{
    matrix M;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            M.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return M;
}

INLINE matrix product_constant(const matrix *a, const er_mat3 *b)
{
    matrix M;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            M.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return M;
}

INLINE matrix product_transposed(const matrix *a, const matrix *b)
{
    matrix M;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            M.m[i][j] = a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
    return M;
}

// W J W' of a constant J.
INLINE symmetric turned(const matrix *W, const double J[6])
{
    REAL t[3][3];
    for (int i = 0; i < 3; ++i) {
        t[i][0] = W->m[i][0] * J[0] + W->m[i][1] * J[3] + W->m[i][2] * J[4];
        t[i][1] = W->m[i][0] * J[3] + W->m[i][1] * J[1] + W->m[i][2] * J[5];
        t[i][2] = W->m[i][0] * J[4] + W->m[i][1] * J[5] + W->m[i][2] * J[2];
    }
#define ENTRY(i, j) (t[i][0] * W->m[j][0] + t[i][1] * W->m[j][1] + t[i][2] * W->m[j][2])
    return (symmetric){ENTRY(0, 0), ENTRY(1, 1), ENTRY(2, 2), ENTRY(0, 1), ENTRY(0, 2), ENTRY(1, 2)};
#undef ENTRY
}

// sin and cos: the rest to the nearest quarter turn as series, the first term left out below half a unit in the last
// place; then turned by the quarters m, whose sine and cosine are m (4 - m^2) / 3 and 1 - m^2 (7 - m^2) / 6.
INLINE void sine_cosine(REAL x, REAL *sine, REAL *cosine)
{
    const double magic = 6755399441055744.0; // 1.5 x 2^52: adding and taking it off rounds
    const double quarter[3] = {1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21};
    REAL k = (x * 0.63661977236758134308 + magic) - magic;
    REAL r = ((x - k * quarter[0]) - k * quarter[1]) - k * quarter[2], v = r * r;
    REAL m = k - 4.0 * ((k * 0.25 + magic) - magic), mm = m * m;
    REAL s = real(-1.0 / 1307674368000.0), c = real(1.0 / 20922789888000.0);
    s = 1.0 / 6227020800.0 + v * s;
    s = -1.0 / 39916800.0 + v * s;
    s = 1.0 / 362880.0 + v * s;
    s = -1.0 / 5040.0 + v * s;
    s = 1.0 / 120.0 + v * s;
    s = -1.0 / 6.0 + v * s;
    s = r + r * (v * s);
    c = -1.0 / 87178291200.0 + v * c;
    c = 1.0 / 479001600.0 + v * c;
    c = -1.0 / 3628800.0 + v * c;
    c = 1.0 / 40320.0 + v * c;
    c = -1.0 / 720.0 + v * c;
    c = 1.0 / 24.0 + v * c;
    c = 1.0 - v * (0.5 - v * c);
    REAL sm = m * (4.0 - mm) * (1.0 / 3.0), cm = 1.0 - mm * (7.0 - mm) * (1.0 / 6.0);
    *sine = sm * c + cm * s;
    *cosine = cm * c - sm * s;
}

// The rotation of a quaternion of any norm.
INLINE matrix rotation(const REAL *q)
{
    REAL w = q[0], x = q[1], y = q[2], z = q[3], s = 2.0 / (w * w + x * x + y * y + z * z);
    REAL sx = s * x, sy = s * y, sz = s * z;
    REAL wx = w * sx, wy = w * sy, wz = w * sz, xx = x * sx, xy = x * sy, xz = x * sz, yy = y * sy, yz = y * sz,
         zz = z * sz;
    return (matrix){{{1.0 - (yy + zz), xy - wz, xz + wy},
                     {xy + wz, 1.0 - (xx + zz), yz - wx},
                     {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

// M times the turn by an angle about its axis k.
INLINE matrix turn_about(const matrix *M, int k, REAL s, REAL c)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    vector a = col(M, i), b = col(M, j);
    matrix out = *M;
    set_col(&out, i, madd(scale(c, a), s, b));
    set_col(&out, j, madd(scale(c, b), -s, a));
    return out;
}

INLINE void take_ground(const eri_ground_state *g, place *at)
{
    at->W = constant(&g->axes);
    at->p = vec(g->origin);
    at->v = (pair){vec(g->angular), vec(g->linear)};
    at->rate = (pair){vec(g->angular_rate), vec(g->linear_rate)};
}

// Motion of the reference point of a limb whose joint's origin is fixed in both.
INLINE void carry_point(limb *l, const place *up)
{
    vector wr = cross(up->v.a, l->r);
    l->at.p = add(up->p, l->r);
    l->at.v.l = add(up->v.l, wr);
    l->at.rate.l = add(add(up->rate.l, cross(up->rate.a, l->r)), cross(up->v.a, wr));
}

INLINE void place_one_turn(limb *l, const place *up, const REAL *q)
{
    REAL s, c;
    sine_cosine(*q, &s, &c);
    if (l->inverse) s = -s;
    matrix near = product_constant(&up->W, &l->fixed->near_axes);
    l->r = carry(&up->W, l->fixed->near_origin);
    l->at.W = turn_about(&near, 2, s, c);
    l->at.p = add(up->p, l->r);
    l->axis = col(&near, 2);
    if (l->inverse) l->axis = scale(real(-1.0), l->axis);
}

INLINE void move_one_turn(limb *l, const place *up, const REAL *q, const REAL *u)
{
    place_one_turn(l, up, q);
    vector turn = scale(*u, l->axis);
    l->at.v.a = add(up->v.a, turn);
    l->at.rate.a = add(up->rate.a, cross(up->v.a, turn));
    carry_point(l, up);
}

INLINE void place_three_turns(limb *l, const place *up, const REAL *q)
{
    matrix E = rotation(q), near = product_constant(&up->W, &l->fixed->near_axes);
    l->r = carry(&up->W, l->fixed->near_origin);
    l->at.W = l->inverse ? product_transposed(&near, &E) : product(&near, &E);
    l->P = l->inverse ? l->at.W : near;
    if (l->inverse)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                l->P.m[i][j] = -l->P.m[i][j];
    l->at.p = add(up->p, l->r);
}

INLINE void move_three_turns(limb *l, const place *up, const REAL *q, const REAL *u)
{
    place_three_turns(l, up, q);
    vector turn = times(&l->P, (vector){u[0], u[1], u[2]});
    l->at.v.a = add(up->v.a, turn);
    l->at.rate.a = add(up->rate.a, cross(up->v.a, turn));
    carry_point(l, up);
}

// Its columns, and what it moves by: turns about axes a_k of the parent's side P, shifts along d_k = P e_k.
INLINE void move_any(limb *l, column *S, const place *up, const REAL *q, const REAL *u)
{
    const eri_limb *f = l->fixed;
    const vector zero = {real(0), real(0), real(0)};
    const eri_turning way = eri_joint_turns(l->link->type)->way;
    bool free_turns = way == ERI_TURNS_FREELY;
    const REAL *shift = q + free_turns; // entry c of them belongs to column c
    matrix near = product_constant(&up->W, &f->near_axes), E, tilted = near;
    REAL s = real(0), c = real(1), s2 = s, c2 = c;
    if (free_turns) {
        E = rotation(q);
        l->at.W = l->inverse ? product_transposed(&near, &E) : product(&near, &E);
    } else if (way == ERI_TURNS_CARDAN) {
        sine_cosine(q[0], &s, &c);
        sine_cosine(q[1], &s2, &c2);
        if (l->inverse) {
            tilted = turn_about(&near, 1, -s2, c2); // carries y as the child's side does
            l->at.W = turn_about(&tilted, 0, -s, c);
        } else {
            tilted = turn_about(&near, 0, s, c);
            l->at.W = turn_about(&tilted, 1, s2, c2);
        }
    } else if (way == ERI_TURNS_ABOUT_Z) {
        sine_cosine(q[0], &s, &c);
        l->at.W = turn_about(&near, 2, l->inverse ? -s : s, c);
    } else {
        l->at.W = near;
    }
    const matrix *P = l->inverse ? &l->at.W : &near;
    vector apart = zero, turn = zero, slide = zero, twice = zero;
    for (int k = 0; k < f->freedom; ++k) {
        int axis = f->axis[k];
        if (axis < 3) {
            vector a = way == ERI_TURNS_CARDAN && axis == 1 ? col(&tilted, 1) : col(P, axis);
            S[k].S = (pair){a, zero};
            turn = madd(turn, u[k], a);
            if (l->link->pitch != 0.0) { // a screw
                vector d = scale(real(l->link->pitch), a);
                S[k].S.l = d;
                apart = madd(apart, q[k], d);
                slide = madd(slide, u[k], d);
            }
        } else {
            vector d = col(P, axis - 3);
            S[k].S = (pair){zero, d};
            apart = madd(apart, shift[k], d);
            slide = madd(slide, u[k], d);
        }
    }
    if (way == ERI_TURNS_CARDAN) twice = scale(u[0] * u[1], cross(S[0].S.a, S[1].S.a));
    vector hinge = carry(&up->W, f->near_origin), w = up->v.a;
    if (!l->inverse) {
        l->at.v.a = add(w, turn);
        l->at.rate.a = add(up->rate.a, add(cross(w, turn), twice));
        l->r = add(hinge, apart);
        carry_point(l, up);
        l->at.v.l = add(l->at.v.l, slide);
        l->at.rate.l = madd(l->at.rate.l, real(2.0), cross(w, slide));
        return;
    }
    l->at.v.a = sub(w, turn);
    l->at.rate.a = sub(up->rate.a, add(cross(w, turn), twice));
    l->r = hinge;
    carry_point(l, up);
    l->r = sub(hinge, apart);
    l->at.p = sub(l->at.p, apart);
    vector swing = cross(l->at.v.a, apart);
    l->at.v.l = sub(l->at.v.l, add(swing, slide));
    l->at.rate.l = sub(l->at.rate.l, add(cross(l->at.rate.a, apart), cross(l->at.v.a, madd(swing, real(2.0), slide))));
    for (int k = 0; k < f->freedom; ++k) {
        S[k].S.l = sub(cross(S[k].S.a, apart), S[k].S.l);
        S[k].S.a = scale(real(-1.0), S[k].S.a);
    }
}

// The body's inertia about the reference point, and the wrench that its motion needs.
INLINE void weigh(limb *l, REAL *wrench)
{
    const eri_limb *f = l->fixed;
    symmetric J = turned(&l->at.W, f->inertia);
    vector c = carry(&l->at.W, f->com), w = l->at.v.a;
    double m = f->mass;
    REAL x = m * c.x, y = m * c.y, z = m * c.z;
    const REAL none = real(0), mass = real(m);
    l->c = c;
    l->I.A = (symmetric){J.xx + (y * c.y + z * c.z),
                         J.yy + (x * c.x + z * c.z),
                         J.zz + (x * c.x + y * c.y),
                         J.xy - x * c.y,
                         J.xz - x * c.z,
                         J.yz - y * c.z};
    l->I.B = (matrix){{{none, -z, y}, {z, none, -x}, {-y, x, none}}};
    l->I.C = (symmetric){mass, mass, mass, none, none, none};
    vector a = add(add(l->at.rate.l, cross(l->at.rate.a, c)), cross(w, cross(w, c)));
    vector force = scale(mass, a);
    vector torque = add(add(times_symmetric(&J, l->at.rate.a), cross(w, times_symmetric(&J, w))), cross(c, force));
    wrench[0] = torque.x, wrench[1] = torque.y, wrench[2] = torque.z;
    wrench[3] = force.x, wrench[4] = force.y, wrench[5] = force.z;
}

// Where the limb above is, or the ground, which is put into `root`.
INLINE const place *place_above(const struct LIMBS() * s, const limb *l, const eri_ground_state *ground, place *root)
{
    if (l->up >= 0) return &s->limb[l->up].at;
    take_ground(&ground[l->ground], root);
    return root;
}

ERI_LANES_DO(move, (struct LIMBS() * s, const REAL *q, const REAL *u, const eri_ground_state *ground, REAL *wrench),
             (s, q, u, ground, wrench))
{
    for (int i = s->first; i < s->count; ++i) {
        limb *l = &s->limb[i];
        const eri_limb *f = l->fixed;
        place root;
        const place *up = place_above(s, l, ground, &root);
        if (l->shape == ONE_TURN)
            move_one_turn(l, up, q + f->q, u + f->u);
        else if (l->shape == THREE_TURNS)
            move_three_turns(l, up, q + f->q, u + f->u);
        else
            move_any(l, s->column + l->column, up, q + f->q, u + f->u);
        weigh(l, wrench + 6 * (size_t)i);
    }
}

// Where limbs are, and no more.
ERI_LANES_DO(place_all, (struct LIMBS() * s, const REAL *q, const eri_ground_state *ground), (s, q, ground))
{
    const REAL still[6] = {real(0)};
    for (int i = s->first; i < s->count; ++i) {
        limb *l = &s->limb[i];
        place root;
        const place *up = place_above(s, l, ground, &root);
        if (l->shape == ONE_TURN)
            place_one_turn(l, up, q + l->fixed->q);
        else if (l->shape == THREE_TURNS)
            place_three_turns(l, up, q + l->fixed->q);
        else
            move_any(l, s->column + l->column, up, q + l->fixed->q, still);
    }
}

INLINE pair apply(const inertia *I, pair a)
{
    return (pair){add(times_symmetric(&I->A, a.a), times(&I->B, a.l)),
                  add(times_transposed(&I->B, a.a), times_symmetric(&I->C, a.l))};
}

// I - f y y'
INLINE inertia deflated(const inertia *I, REAL f, pair y)
{
    const symmetric *A = &I->A, *C = &I->C;
    const matrix *B = &I->B;
    vector a = scale(f, y.a), l = scale(f, y.l);
    return (inertia){{A->xx - a.x * y.a.x, A->yy - a.y * y.a.y, A->zz - a.z * y.a.z, A->xy - a.x * y.a.y,
                      A->xz - a.x * y.a.z, A->yz - a.y * y.a.z},
                     {{{B->m[0][0] - a.x * y.l.x, B->m[0][1] - a.x * y.l.y, B->m[0][2] - a.x * y.l.z},
                       {B->m[1][0] - a.y * y.l.x, B->m[1][1] - a.y * y.l.y, B->m[1][2] - a.y * y.l.z},
                       {B->m[2][0] - a.z * y.l.x, B->m[2][1] - a.z * y.l.y, B->m[2][2] - a.z * y.l.z}}},
                     {C->xx - l.x * y.l.x, C->yy - l.y * y.l.y, C->zz - l.z * y.l.z, C->xy - l.x * y.l.y,
                      C->xz - l.x * y.l.z, C->yz - l.y * y.l.z}};
}

// [r] C
INLINE matrix crossed(vector r, const symmetric *C)
{
    return (matrix){{{r.y * C->xz - r.z * C->xy, r.y * C->yz - r.z * C->yy, r.y * C->zz - r.z * C->yz},
                     {r.z * C->xx - r.x * C->xz, r.z * C->xy - r.x * C->yz, r.z * C->xz - r.x * C->zz},
                     {r.x * C->xy - r.y * C->xx, r.x * C->yy - r.y * C->xy, r.x * C->yz - r.y * C->xz}}};
}

// Adds an inertia without turns, seen from a point that lies -r from its own: T = [r] C, -T [r].
INLINE void add_shifted_mass(inertia *up, const symmetric *C, vector r)
{
    matrix T = crossed(r, C);
    up->A.xx -= T.m[0][1] * r.z - T.m[0][2] * r.y;
    up->A.yy -= T.m[1][2] * r.x - T.m[1][0] * r.z;
    up->A.zz -= T.m[2][0] * r.y - T.m[2][1] * r.x;
    up->A.xy -= T.m[0][2] * r.x - T.m[0][0] * r.z;
    up->A.xz -= T.m[0][0] * r.y - T.m[0][1] * r.x;
    up->A.yz -= T.m[1][0] * r.y - T.m[1][1] * r.x;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            up->B.m[i][j] += T.m[i][j];
    up->C.xx += C->xx, up->C.yy += C->yy, up->C.zz += C->zz;
    up->C.xy += C->xy, up->C.xz += C->xz, up->C.yz += C->yz;
}

// Adds an inertia seen from a point that lies -r from its own: T = B + [r] C, A + [r] B' - T [r].
INLINE void add_shifted(inertia *up, const inertia *I, vector r)
{
    const symmetric *C = &I->C;
    matrix T = crossed(r, C);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            T.m[i][j] += I->B.m[i][j];
#define B(i, j) I->B.m[i][j]
#define T(i, j) T.m[i][j]
    // ([r] B')_ij = (r x row j of B)_i, (T [r])_ij = (row i of T x r)_j
    up->A.xx += I->A.xx + (r.y * B(0, 2) - r.z * B(0, 1)) - (T(0, 1) * r.z - T(0, 2) * r.y);
    up->A.yy += I->A.yy + (r.z * B(1, 0) - r.x * B(1, 2)) - (T(1, 2) * r.x - T(1, 0) * r.z);
    up->A.zz += I->A.zz + (r.x * B(2, 1) - r.y * B(2, 0)) - (T(2, 0) * r.y - T(2, 1) * r.x);
    up->A.xy += I->A.xy + (r.y * B(1, 2) - r.z * B(1, 1)) - (T(0, 2) * r.x - T(0, 0) * r.z);
    up->A.xz += I->A.xz + (r.y * B(2, 2) - r.z * B(2, 1)) - (T(0, 0) * r.y - T(0, 1) * r.x);
    up->A.yz += I->A.yz + (r.z * B(2, 0) - r.x * B(2, 2)) - (T(1, 0) * r.y - T(1, 1) * r.x);
#undef B
#undef T
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            up->B.m[i][j] += T.m[i][j];
    up->C.xx += C->xx, up->C.yy += C->yy, up->C.zz += C->zz;
    up->C.xy += C->xy, up->C.xz += C->xz, up->C.yz += C->yz;
}

INLINE symmetric inverse(const symmetric *a)
{
    REAL x = a->yy * a->zz - a->yz * a->yz, y = a->yz * a->xz - a->xy * a->zz, z = a->xy * a->yz - a->yy * a->xz;
    REAL s = 1.0 / (a->xx * x + a->xy * y + a->xz * z);
    return (symmetric){s * x, s * (a->xx * a->zz - a->xz * a->xz), s * (a->xx * a->yy - a->xy * a->xy), s * y,
                       s * z, s * (a->xy * a->xz - a->xx * a->yz)};
}

// C - B' G B, what is left of an inertia whose three turns are free; G = A^-1.
INLINE symmetric free_mass(const inertia *I, const symmetric *G)
{
    vector b[3], Gb[3];
    for (int j = 0; j < 3; ++j) {
        b[j] = col(&I->B, j);
        Gb[j] = times_symmetric(G, b[j]);
    }
    return (symmetric){I->C.xx - dot(b[0], Gb[0]), I->C.yy - dot(b[1], Gb[1]), I->C.zz - dot(b[2], Gb[2]),
                       I->C.xy - dot(b[0], Gb[1]), I->C.xz - dot(b[0], Gb[2]), I->C.yz - dot(b[1], Gb[2])};
}

// I - (A; B') G (A B) of three turns with an armature: G = (A + E)^-1.
INLINE void factor_three_turns(limb *l, const double *armature, const double *products, inertia *rest)
{
    double e[6] = {armature[0], armature[1], armature[2]};
    for (int c = 0; c < 3 && products != NULL; ++c)
        e[3 + c] = products[c];
    symmetric A = l->I.A, E = turned(&l->P, e);
    symmetric D = {A.xx + E.xx, A.yy + E.yy, A.zz + E.zz, A.xy + E.xy, A.xz + E.xz, A.yz + E.yz};
    l->G = inverse(&D);
    // A - A G A = A G E, but symmetric by the first form
    const vector a[3] = {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
    vector Ga[3];
    for (int j = 0; j < 3; ++j)
        Ga[j] = times_symmetric(&l->G, a[j]);
    rest->A = (symmetric){A.xx - dot(a[0], Ga[0]), A.yy - dot(a[1], Ga[1]), A.zz - dot(a[2], Ga[2]),
                          A.xy - dot(a[0], Ga[1]), A.xz - dot(a[0], Ga[2]), A.yz - dot(a[1], Ga[2])};
    for (int j = 0; j < 3; ++j) {
        vector b = col(&l->I.B, j), Gb = times_symmetric(&l->G, b);
        set_col(&rest->B, j, (vector){b.x - dot(a[0], Gb), b.y - dot(a[1], Gb), b.z - dot(a[2], Gb)});
    }
    rest->C = free_mass(&l->I, &l->G);
}

INLINE bool is_zero(const double *armature)
{
    return armature[0] == 0.0 && armature[1] == 0.0 && armature[2] == 0.0;
}

// Column by column: Y_c = I S_c of the inertia that the columns before left.
INLINE void factor_any(limb *l, column *S, const double *armature, inertia *rest)
{
    *rest = l->I;
    for (int c = 0; c < l->freedom; ++c) {
        pair y = apply(&l->I, S[c].S);
        REAL D = dot2(S[c].S, y) + (armature != NULL ? armature[c] : 0.0);
        for (int k = 0; k < c; ++k) { // L_ck D_k = S_c' I S_k - sum of L_cm D_m L_km
            REAL part = dot2(S[c].S, S[k].Y);
            S[c].L[k] = part * S[k].inverse_D;
            y = madd2(y, -S[c].L[k], S[k].Y);
            D -= part * S[c].L[k];
        }
        S[c].Y = y;
        S[c].inverse_D = 1.0 / D;
        *rest = deflated(rest, S[c].inverse_D, y);
    }
}

// A limb's part of the factors of H; what is left of its inertia goes to the limb above.
INLINE void factor_limb(struct LIMBS() * s, limb *l, const double *armature)
{
    const double *extra = armature != NULL ? armature + l->u : NULL;
    inertia rest;
    if (l->shape == ONE_TURN) {
        l->Y = (pair){times_symmetric(&l->I.A, l->axis), times_transposed(&l->I.B, l->axis)};
        REAL D = dot(l->axis, l->Y.a);
        if (extra != NULL) D += *extra;
        l->inverse_D = 1.0 / D;
        if (l->up < 0) return;
        rest = deflated(&l->I, l->inverse_D, l->Y);
    } else if (l->shape == THREE_TURNS && (extra == NULL || is_zero(extra))) {
        l->G = inverse(&l->I.A);
        if (l->up < 0) return;
        symmetric C = free_mass(&l->I, &l->G);
        add_shifted_mass(&s->limb[l->up].I, &C, l->r);
        return;
    } else if (l->shape == THREE_TURNS) {
        factor_three_turns(l, extra, s->products != NULL ? s->products + 3 * (l - s->limb) : NULL, &rest);
    } else {
        factor_any(l, s->column + l->column, extra, &rest);
    }
    if (l->up >= 0) add_shifted(&s->limb[l->up].I, &rest, l->r);
}

ERI_LANES_DO(factor, (struct LIMBS() * s, const double *armature), (s, armature))
{
    for (int i = s->count - 1; i >= s->first; --i)
        factor_limb(s, &s->limb[i], armature);
}

#include "dynamics/articulated_joint.h"
#undef VALUE
#undef OF

// Adds a wrench as it acts at a point that lies -r from its own.
INLINE void add_wrench(REAL *up, pair f, vector r)
{
    pair sum = get(up);
    sum.a = add(sum.a, add(f.a, cross(r, f.l)));
    sum.l = add(sum.l, f.l);
    put(sum, up);
}

// Passes the wrench that a limb needs to the limb above.
INLINE void hand_down(const struct LIMBS() * s, int i, const REAL *force, REAL *wrench, REAL *rate)
{
    const limb *l = &s->limb[i];
    pair f = hand_on(s, l, force + l->u, get(wrench + 6 * (size_t)i), rate + l->u);
    if (l->up >= 0) add_wrench(wrench + 6 * (size_t)l->up, f, l->r);
}

// From the roots up, what each limb gets from the one above it and its joint.
INLINE void give_all(const struct LIMBS() * s, REAL *rate, REAL *twist)
{
    const vector zero = {real(0), real(0), real(0)};
    for (int i = s->first; i < s->count; ++i) {
        const limb *l = &s->limb[i];
        pair a = {zero, zero};
        if (l->up >= 0) {
            a = get(twist + 6 * (size_t)l->up);
            a.l = add(a.l, cross(a.a, l->r));
        }
        put(give_rates(s, l, a, rate + l->u), twist + 6 * (size_t)i);
    }
}

ERI_LANES_DO(solve, (struct LIMBS() * s, const REAL *force, REAL *wrench, REAL *rate, REAL *twist),
             (s, force, wrench, rate, twist))
{
    for (int i = s->count - 1; i >= s->first; --i)
        hand_down(s, i, force, wrench, rate);
    give_all(s, rate, twist);
}

// Both at once: of large rigs most of the time goes into fetching limbs.
ERI_LANES_DO(factor_and_solve,
             (struct LIMBS() * s, const double *armature, const REAL *force, REAL *wrench, REAL *rate, REAL *twist),
             (s, armature, force, wrench, rate, twist))
{
    for (int i = s->count - 1; i >= s->first; --i) {
        factor_limb(s, &s->limb[i], armature);
        hand_down(s, i, force, wrench, rate);
    }
    give_all(s, rate, twist);
}

ERI_LANES_DO(balance, (const struct LIMBS() * s, REAL *wrench, REAL *force), (s, wrench, force))
{
    for (int i = s->count - 1; i >= s->first; --i) {
        const limb *l = &s->limb[i];
        pair f = get(wrench + 6 * (size_t)i);
        project(s, l, f, force + l->u);
        if (l->up >= 0) add_wrench(wrench + 6 * (size_t)l->up, f, l->r);
    }
}

// A body's frame lies `arm` from its limb's reference point and has axes R = W body_axes:
// (R'w)' = R'w', (R'v)' = R'(v' - w x v).
INLINE pair body_rate(const limb *l, pair change, vector gravity)
{
    matrix R = product_constant(&l->at.W, &l->fixed->body_axes);
    vector arm = carry(&l->at.W, l->fixed->body_frame.p), w = l->at.v.a, swing = cross(w, arm);
    vector turn = add(l->at.rate.a, change.a), v = add(l->at.v.l, swing);
    vector a = add(add(add(l->at.rate.l, change.l), gravity), add(cross(turn, arm), cross(w, swing)));
    return (pair){times_transposed(&R, turn), times_transposed(&R, sub(a, cross(w, v)))};
}

er_result LIMBS(_create)(er_arena *arena, const eri_multibody *m, struct LIMBS() * *out)
{
    er_result r = ER_OK;
    struct LIMBS() * s;
    ERI_TRY_NEW(s, arena, struct LIMBS(), 1);
    s->multibody = m;
    s->count = m->tree.link_count;
    ERI_TRY_NEW(s->limb, arena, limb, s->count);
    for (int i = 0; i < s->count; ++i) {
        const eri_link *link = &m->tree.link[i];
        const eri_limb *f = &m->limb[i];
        limb *l = &s->limb[i];
        l->link = link;
        l->fixed = f;
        l->up = link->parent;
        l->ground = link->above >= 0 ? link->above : m->model->body_count;
        l->u = f->u;
        l->freedom = f->freedom;
        l->inverse = link->inverse;
        l->shape = link->type == ER_JOINT_REVOLUTE ? ONE_TURN : link->type == ER_JOINT_SPHERICAL ? THREE_TURNS : ANY;
        l->column = s->columns;
        if (l->shape == ANY) s->columns += f->freedom;
    }
    ERI_TRY_NEW(s->column, arena, column, s->columns);
    *out = s;
done:
    return r;
}

void LIMBS(_move)(struct LIMBS() * s, const REAL *q, const REAL *u, const eri_ground_state *ground, REAL *wrench)
{
    move(s, q, u, ground, wrench);
}

void LIMBS(_place)(struct LIMBS() * s, const REAL *q, const eri_ground_state *ground)
{
    place_all(s, q, ground);
}

void LIMBS(_set_products)(struct LIMBS() * s, const double *products)
{
    s->products = products;
}

void LIMBS(_factor)(struct LIMBS() * s, const double *armature)
{
    factor(s, armature);
}

void LIMBS(_factor_and_solve)(struct LIMBS() * s, const double *armature, const REAL *force, REAL *wrench, REAL *rate,
                              REAL *twist)
{
    factor_and_solve(s, armature, force, wrench, rate, twist);
}

void LIMBS(_solve)(struct LIMBS() * s, const REAL *force, REAL *wrench, REAL *rate, REAL *twist)
{
    solve(s, force, wrench, rate, twist);
}

void LIMBS(_force)(const struct LIMBS() * s, REAL *wrench, REAL *force)
{
    balance(s, wrench, force);
}
