/// @file
/// Vectors of eight contacts side by side, a lane each.
#ifndef ER_DYNAMICS_CONTACT_EIGHT_H
#define ER_DYNAMICS_CONTACT_EIGHT_H

#include "dynamics/contact/contact.h"

typedef struct vector {
    er_lanes x, y, z;
} vector;

typedef struct body {
    vector w, v;           // angular, linear
    er_lanes mass, moment; // their inverses; of V alone, and of bodies without joints
} body;

ER_LANES_INLINE er_lanes splat(double x)
{
    const er_lanes zero = {0};
    return zero + x;
}

ER_LANES_INLINE vector add(vector a, vector b)
{
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

ER_LANES_INLINE vector sub(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

ER_LANES_INLINE vector scale(er_lanes s, vector a)
{
    return (vector){s * a.x, s * a.y, s * a.z};
}

ER_LANES_INLINE er_lanes dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ER_LANES_INLINE vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Eight numbers from one on.
ER_LANES_INLINE const er_lanes_loose *numbers_at(const double *x)
{
    return (const er_lanes_loose *)x;
}

// er_touching_tangent() of eight.
ER_LANES_INLINE vector tangent(vector n)
{
    er_lanes sign = (er_lanes)(((er_mask)n.z & ~0x7fffffffffffffff) | (er_mask)splat(1.0)), a = -1.0 / (sign + n.z);
    return (vector){n.x * n.y * a, sign + n.y * n.y * a, -n.y};
}

ER_LANES_INLINE bool any(er_mask m)
{
    m |= __builtin_shufflevector(m, m, 4, 5, 6, 7, 0, 1, 2, 3);
    m |= __builtin_shufflevector(m, m, 2, 3, 0, 1, 6, 7, 4, 5);
    return (m[0] | m[1]) != 0;
}

// Rows of eight numbers to eight columns, and back.
ER_LANES_INLINE void transpose(er_lanes r[8])
{
    er_lanes a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; ++k) {
            b[i + k] = __builtin_shufflevector(a[i + k], a[i + 2 + k], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + 2 + k] = __builtin_shufflevector(a[i + k], a[i + 2 + k], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; ++k) {
        r[k] = __builtin_shufflevector(b[k], b[4 + k], 0, 1, 2, 3, 8, 9, 10, 11);
        r[4 + k] = __builtin_shufflevector(b[k], b[4 + k], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// Of eight places in V, what stands there.
ER_LANES_INLINE body take(const double *V, const int at[ER_LANE_COUNT])
{
    er_lanes r[8];
    for (int l = 0; l < 8; ++l)
        r[l] = *(const er_lanes *)(V + at[l]);
    transpose(r);
    return (body){{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, r[6], r[7]};
}

ER_LANES_INLINE er_lanes root(er_lanes x)
{
    er_lanes out;
    for (int l = 0; l < ER_LANE_COUNT; ++l)
        out[l] = __builtin_sqrt(x[l]);
    return out;
}

static inline void put(vector *out, int lane, er_vec3 a)
{
    out->x[lane] = a.x, out->y[lane] = a.y, out->z[lane] = a.z;
}

#endif
