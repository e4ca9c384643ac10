/// @file
/// The small steps of a sweep: twists and wrenches of eight vectors, carried from reference point to reference point,
/// and 6 x 6 inertias. Source: Featherstone, Rigid Body Dynamics Algorithms, 2.
#ifndef ERI_MODEL_FOREST_FOREST_SWEEP_H
#define ERI_MODEL_FOREST_FOREST_SWEEP_H

#include <assert.h>

#include "model/forest/forest.h"

/// A twist (w; v) or a wrench (torque; force) in each lane.
typedef struct eri_spatial {
    eri_lanes x[6];
} eri_spatial;

/// x += r x y, three rows each.
ERI_LANES_INLINE void eri_add_cross(eri_lanes *x, const double r[3], const eri_lanes *y)
{
    double a = r[0], b = r[1], c = r[2];
    x[0] += b * y[2] - c * y[1];
    x[1] += c * y[0] - a * y[2];
    x[2] += a * y[1] - b * y[0];
}

/// A wrench about the reference point r away becomes one about the parent's.
ERI_LANES_INLINE void eri_wrench_to_parent(eri_spatial *p, const double r[3])
{
    eri_add_cross(p->x, r, p->x + 3);
}

/// A twist at the parent's reference point becomes one at the point r away: v + w x r.
ERI_LANES_INLINE void eri_twist_to_child(eri_spatial *a, const double r[3])
{
    const double back[3] = {-r[0], -r[1], -r[2]};
    eri_add_cross(a->x + 3, back, a->x);
}

/// Hands a link's wrench to its parent, in the slot that both know.
ERI_LANES_INLINE void eri_hand_up(const eri_forest_link *l, eri_spatial *p, eri_spatial *pending)
{
    if (l->up_slot < 0) return;
    assert(l->up_slot >= 0 && l->up_slot < ERI_TREE_SLOTS);
    eri_wrench_to_parent(p, l->r);
    if (l->last) {
        pending[l->up_slot] = *p;
        return;
    }
    for (int x = 0; x < 6; ++x)
        pending[l->up_slot].x[x] += p->x[x];
}

/// The twist that a link has from its parent; none from the world.
ERI_LANES_INLINE void eri_take_down(const eri_forest_link *l, const eri_spatial *pending, eri_spatial *a)
{
    *a = (eri_spatial){{{0}}};
    if (l->up_slot < 0) return;
    assert(l->up_slot >= 0 && l->up_slot < ERI_TREE_SLOTS);
    *a = pending[l->up_slot];
    eri_twist_to_child(a, l->r);
}

/// The body's inertia at the link's reference point, maps (w; v) to (angular; linear) momentum.
ERI_LANES_INLINE void eri_link_inertia(const eri_forest_link *l, double I[6][6])
{
    double m = l->mass, x = l->c[0], y = l->c[1], z = l->c[2];
    const double *J = l->inertia;
    const double top[3][6] = {
        {J[0] + m * (y * y + z * z), J[3] - m * x * y, J[4] - m * x * z, 0.0, -m * z, m * y},
        {J[3] - m * x * y, J[1] + m * (x * x + z * z), J[5] - m * y * z, m * z, 0.0, -m * x},
        {J[4] - m * x * z, J[5] - m * y * z, J[2] + m * (x * x + y * y), -m * y, m * x, 0.0},
    };
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 6; ++k) {
            I[i][k] = top[i][k];
            I[i + 3][k] = k < 3 ? top[k][i + 3] : i + 3 == k ? m : 0.0;
        }
}

/// That inertia and what the link's children have handed up.
static inline void eri_link_gather(const eri_forest_link *l, double (*pending)[6][6], double I[6][6])
{
    eri_link_inertia(l, I);
    for (int a = 0; a < 6 && l->slot >= 0; ++a)
        for (int b = 0; b < 6; ++b)
            I[a][b] += pending[l->slot][a][b];
}

/// Hands an inertia (changed) to the parent, about its reference point, in the slot that both know.
static inline void eri_inertia_up(const eri_forest_link *l, double I[6][6], double (*pending)[6][6])
{
    if (l->up_slot < 0) return;
    const double *r = l->r;
    for (int k = 0; k < 6; ++k) {
        I[0][k] += r[1] * I[5][k] - r[2] * I[4][k];
        I[1][k] += r[2] * I[3][k] - r[0] * I[5][k];
        I[2][k] += r[0] * I[4][k] - r[1] * I[3][k];
    }
    for (int k = 0; k < 6; ++k) {
        I[k][0] += r[1] * I[k][5] - r[2] * I[k][4];
        I[k][1] += r[2] * I[k][3] - r[0] * I[k][5];
        I[k][2] += r[0] * I[k][4] - r[1] * I[k][3];
    }
    double(*into)[6] = pending[l->up_slot];
    for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
            into[a][b] = I[a][b] + (l->last ? 0.0 : into[a][b]);
}

/// Column c of a link, scaled by K^-1/2 where it has a spring.
static inline void eri_scaled_direction(const eri_forest *tree, const eri_forest_link *l, int c, double S[6])
{
    double scale = c < l->spring_count ? tree->scale[l->spring + c] : 1.0;
    for (int i = 0; i < 6; ++i)
        S[i] = l->S[c][i] * scale;
}

/// s . y over its first rows.
ERI_LANES_INLINE eri_lanes eri_project(const double *s, const eri_spatial *y, int rows)
{
    eri_lanes sum = s[0] * y->x[0];
    for (int i = 1; i < rows; ++i)
        sum += s[i] * y->x[i];
    return sum;
}

#endif
