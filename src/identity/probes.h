/// @file
/// Private: measures of a motion that two rigs have in common.
#ifndef ERI_IDENTITY_PROBES_H
#define ERI_IDENTITY_PROBES_H

#include <eigenrig/identity.h>

#include "base/arena.h"

/// A shift or a turn at a place of a rig, in the body's frame.
typedef struct eri_probe {
    int body;   ///< -1: the rig has no such place
    int other;  ///< with `blend`: the turn between that of `body` and that of this body
    int anchor; ///< the body against which motion is measured; -1: none
    er_vec3 at; ///< the place, model's axes
    double blend;
    bool turns;     ///< a turn, rad; otherwise a shift times `weight`
    er_vec3 weight; ///< of the components forward, left and up
} eri_probe;

/// Probes of two rigs, one beside the other.
typedef struct eri_probes {
    int count;
    eri_probe *from, *to; ///< [count]
    int *part;            ///< [count], what a probe belongs to: a pair of regions, or a foot
    int part_count;
} eri_probes;

/// Probes of the regions of both rigs. A region without counterpart has probes of one rig.   Errors: ER_ERROR_MEMORY.
er_result eri_probe_regions(er_arena *arena, const er_carry_side *from, const er_carry_side *to, eri_probes *out);

/// Probes of the feet that both rigs have; none if they have none in common.   Errors: ER_ERROR_MEMORY.
er_result eri_probe_feet(er_arena *arena, const er_carry_side *from, const er_carry_side *to, eri_probes *out);

/// The foot of another rig that corresponds to a foot; -1: none.
int eri_foot_like(const er_gait_body *from, int foot, const er_gait_body *to);

/// Measures a mode.   @param value  [3 count], written
void eri_probes_read(const er_carry_side *side, int count, const eri_probe *probe, const er_mode *mode, double *value);

#endif
