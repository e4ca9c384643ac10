/// @file
/// A mirror symmetric rig in two halves: the motions that are their own mirror image, and those that are its negative.
/// Neither mixes with the other, so each has an eigenproblem of its own, of about half the size.
///
/// A half is a forest of the bodies of one side, with twice their mass and stiffness, and of those in the middle, with
/// the columns of their joints that are of the half. Its sweeps are those of any forest. Source: docs/math/identity.md.
#ifndef ERI_MODAL_HALVES_H
#define ERI_MODAL_HALVES_H

#include "modal/reduced.h"

typedef struct eri_halves eri_halves;

/// Halves of a rig, once its forest is made: sets s->halves, or leaves it NULL if the rig has loops, is not symmetric
/// to rounding, or would be solved no faster.
/// Errors  ER_ERROR_MEMORY, ER_ERROR_NO_CONVERGENCE
er_result eri_halves_create(eri_reduced *s);

/// Frees what lies outside the arena. NULL is fine.
void eri_halves_destroy(eri_halves *h);

/// Finds the modes of both halves in place of a route: sets s->elastic. Their shapes stay in the halves.
/// Errors  ER_ERROR_NO_CONVERGENCE, ER_ERROR_NOT_POSDEF
er_result eri_halves_solve(eri_reduced *s);

/// How many of the elastic modes are symmetric: they come first, then the antisymmetric ones, each ascending.
int eri_halves_first(const eri_halves *h);

/// The half of an elastic mode.
/// @param column  its index among the elastic ones; written: its column of the half's Y
eri_reduced *eri_halves_of(const eri_halves *h, int *column);

/// Shapes of the whole by panel[0], unsprung and twist of a half.
/// @param y  [rows], unsprung [unsprung_count], twist [6 link_count], of the whole, written
void eri_halves_widen(const eri_halves *h, const eri_reduced *half, eri_lanes *y, eri_lanes *unsprung,
                      eri_lanes *twist);

/// The forces on unsprung coordinates that start the zero mode k, one of either half; rigid ones first.
/// @param force  lane `lane` of [unsprung_count], written
void eri_halves_zero(const eri_halves *h, int k, int lane, eri_lanes *force);

#endif
