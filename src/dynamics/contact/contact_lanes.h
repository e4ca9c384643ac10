/// @file
/// Vectors of eight contacts, a lane each.
#ifndef ERI_DYNAMICS_CONTACT_CONTACT_LANES_H
#define ERI_DYNAMICS_CONTACT_CONTACT_LANES_H

#include "dynamics/contact/contact_solver.h"

typedef struct contact_vector {
    eri_lanes x, y, z;
} contact_vector;

// The slots of eight bodies.
typedef struct lane_bodies {
    contact_vector w, v;    // angular, linear
    eri_lanes mass, moment; // inverses; only if loaded from V, and only of solver bodies
} lane_bodies;

ERI_LANES_INLINE eri_lanes splat(double x)
{
    const eri_lanes zero = {0};
    return zero + x;
}

ERI_LANES_INLINE contact_vector add(contact_vector a, contact_vector b)
{
    return (contact_vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

ERI_LANES_INLINE contact_vector sub(contact_vector a, contact_vector b)
{
    return (contact_vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

ERI_LANES_INLINE contact_vector scale(eri_lanes s, contact_vector a)
{
    return (contact_vector){s * a.x, s * a.y, s * a.z};
}

ERI_LANES_INLINE eri_lanes dot(contact_vector a, contact_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ERI_LANES_INLINE contact_vector cross(contact_vector a, contact_vector b)
{
    return (contact_vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Eight numbers from an address on.
ERI_LANES_INLINE const eri_lanes_loose *numbers_at(const double *x)
{
    return (const eri_lanes_loose *)x;
}

// eri_contact_tangent() of eight.
ERI_LANES_INLINE contact_vector tangent(contact_vector n)
{
    eri_lanes sign = (eri_lanes)(((eri_mask)n.z & ~0x7fffffffffffffff) | (eri_mask)splat(1.0)), a = -1.0 / (sign + n.z);
    return (contact_vector){n.x * n.y * a, sign + n.y * n.y * a, -n.y};
}

ERI_LANES_INLINE bool any(eri_mask m)
{
    m |= __builtin_shufflevector(m, m, 4, 5, 6, 7, 0, 1, 2, 3);
    m |= __builtin_shufflevector(m, m, 2, 3, 0, 1, 6, 7, 4, 5);
    return (m[0] | m[1]) != 0;
}

// Transposes eight rows of eight numbers.
ERI_LANES_INLINE void transpose(eri_lanes r[8])
{
    eri_lanes a[8], b[8];
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

// Loads the slots at eight offsets.
ERI_LANES_INLINE lane_bodies load_velocities(const double *V, const int at[ERI_LANE_COUNT])
{
    eri_lanes r[8];
    for (int l = 0; l < 8; ++l)
        r[l] = *(const eri_lanes *)(V + at[l]);
    transpose(r);
    return (lane_bodies){{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, r[6], r[7]};
}

ERI_LANES_INLINE eri_lanes root(eri_lanes x)
{
    eri_lanes out;
    for (int l = 0; l < ERI_LANE_COUNT; ++l)
        out[l] = __builtin_sqrt(x[l]);
    return out;
}

// The drives of eight contacts.
struct eri_constraint_drive {
    contact_vector velocity, acceleration;
};

ERI_LANES_INLINE contact_vector drive_at(const eri_constraint_drive *d, double time)
{
    return add(d->velocity, scale(splat(time), d->acceleration));
}

// How far it goes from the step's begin.
ERI_LANES_INLINE contact_vector drive_until(const eri_constraint_drive *d, double time)
{
    return scale(splat(time), drive_at(d, 0.5 * time));
}

static inline void put(contact_vector *out, int lane, er_vec3 a)
{
    out->x[lane] = a.x, out->y[lane] = a.y, out->z[lane] = a.z;
}

// The grains of eight contacts.
struct eri_constraint_grain {
    const eri_contact_grain *lane[ERI_LANE_COUNT]; // NULL: none
};

static inline void put_drive(const eri_contacts *s, const eri_contact_point *point, eri_constraint_drive *out, int lane)
{
    const eri_contact_drive *d = &s->narrow.drive[point - s->narrow.now.point];
    put(&out->velocity, lane, d->velocity);
    put(&out->acceleration, lane, d->acceleration);
}

#endif
