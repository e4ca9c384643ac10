// Vectors, twists and wrenches of articulated_sweep.h, with entries VALUE, times coefficients of a limb, which are
// REAL. Included once for each pair of these; OF() names types and functions. No guard, and no use to anyone else.

typedef struct OF(vector) {
    VALUE x, y, z;
} OF(vector);

// A motion's two halves, or a wrench's.
typedef struct OF(pair) {
    OF(vector) a, l;
} OF(pair);

INLINE OF(vector) OF(add)(OF(vector) a, OF(vector) b)
{
    return (OF(vector)){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE OF(vector) OF(sub)(OF(vector) a, OF(vector) b)
{
    return (OF(vector)){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINE OF(vector) OF(madd)(OF(vector) a, VALUE s, vector b)
{
    return (OF(vector)){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

INLINE VALUE OF(dot)(vector a, OF(vector) b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE OF(vector) OF(cross)(vector a, OF(vector) b)
{
    return (OF(vector)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE VALUE OF(dot2)(pair a, OF(pair) b)
{
    return OF(dot)(a.a, b.a) + OF(dot)(a.l, b.l);
}

INLINE OF(pair) OF(madd2)(OF(pair) a, VALUE s, pair b)
{
    return (OF(pair)){OF(madd)(a.a, s, b.a), OF(madd)(a.l, s, b.l)};
}

INLINE OF(vector) OF(times)(const matrix *M, OF(vector) a)
{
    return (OF(vector)){M->m[0][0] * a.x + M->m[0][1] * a.y + M->m[0][2] * a.z,
                        M->m[1][0] * a.x + M->m[1][1] * a.y + M->m[1][2] * a.z,
                        M->m[2][0] * a.x + M->m[2][1] * a.y + M->m[2][2] * a.z};
}

INLINE OF(vector) OF(times_transposed)(const matrix *M, OF(vector) a)
{
    return (OF(vector)){M->m[0][0] * a.x + M->m[1][0] * a.y + M->m[2][0] * a.z,
                        M->m[0][1] * a.x + M->m[1][1] * a.y + M->m[2][1] * a.z,
                        M->m[0][2] * a.x + M->m[1][2] * a.y + M->m[2][2] * a.z};
}

INLINE OF(vector) OF(times_symmetric)(const symmetric *M, OF(vector) a)
{
    return (OF(vector)){M->xx * a.x + M->xy * a.y + M->xz * a.z, M->xy * a.x + M->yy * a.y + M->yz * a.z,
                        M->xz * a.x + M->yz * a.y + M->zz * a.z};
}

INLINE OF(pair) OF(get)(const VALUE *x)
{
    return (OF(pair)){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

INLINE void OF(put)(OF(pair) a, VALUE *x)
{
    x[0] = a.a.x, x[1] = a.a.y, x[2] = a.a.z;
    x[3] = a.l.x, x[4] = a.l.y, x[5] = a.l.z;
}
