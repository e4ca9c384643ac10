/// @file
/// A figure as functions of space: the distance to its skin, and the region, colour and bones at a point of the skin.
///
/// Distances are exact for round cones and first-order close to the skin of stretched ones; smooth unions are
/// polynomial, so that everything here is +, -, x, / and square roots: the same bits on every machine.
#ifndef ERI_MAKE_FIELD_H
#define ERI_MAKE_FIELD_H

#include "figure.h"

/// Distance to the skin, m, negative inside.
double field_at(const figure *f, er_vec3 x);

/// The gradient of field_at() by differences over a twentieth of a cell, towards the outside; norm about 1.
er_vec3 field_gradient(const figure *f, er_vec3 x);

/// The point of the skin near x, by Newton steps along the gradient.
/// @param normal  unit, written unless NULL
er_vec3 field_project(const figure *f, er_vec3 x, er_vec3 *normal);

/// The region at a point of the skin.
/// @param detail  of the shape it lies on, written unless NULL
int field_region(const figure *f, er_vec3 x, double *detail);

/// The factor on a region's colour at a point of the skin: tints of its shapes, and ambient shade.
/// @param normal  unit
/// @param tint    [3], in [0, 1], written
void field_tint(const figure *f, er_vec3 x, er_vec3 normal, int region, double *tint);

/// How much each bone owns a point of the skin.
/// @param share  [bone_count], written: >= 0, sum 1
/// @return distance to the nearest of the owning bones' segments, m
double field_bones(const figure *f, er_vec3 x, double *share);

#endif
