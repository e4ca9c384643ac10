/// @file
/// Ties: ropes, rods, pulleys and gears, as both routes need them.
#ifndef ERI_DYNAMICS_TIES_H
#define ERI_DYNAMICS_TIES_H

#include "dynamics/world.h"

/// A tie from step to step; numbers, so that states save them.
typedef struct eri_tie_record {
    double impulse[2]; ///< N s, of the last sub-step, of each row: for the warm start
    double force;      ///< N, mean of the last step; as er_tie_state
    double offset;     ///< GEAR: q0 - ratio q1 when the state was set
    double is_broken;  ///< 0 or 1
} eri_tie_record;

/// A joint that can break, from step to step.
typedef struct eri_joint_record {
    er_wrench load;   ///< mean of the last step; as er_world_joint_load()
    double is_broken; ///< 0 or 1
} eri_joint_record;

struct eri_ties {
    int count;
    const er_tie *tie;
    eri_tie_record *record;     ///< [count]
    int joint_count;            ///< 0 if no joint can break
    const er_joint_break *load; ///< [joint_count]
    eri_joint_record *joint;    ///< [joint_count]
};

enum { ERI_TIE_BODIES = 4 };

/// The bodies that a tie acts on: [4], -1 for the world and unused places.
void eri_tie_bodies(const er_world *w, const er_tie *tie, int body[ERI_TIE_BODIES]);

/// The joint of a coordinate, and which of a joint's six directions the coordinate is.
int eri_tie_joint(const er_model *m, int coordinate, int *axis);

/// A point of a DISTANCE or PULLEY in the world, as the state stands.
er_vec3 eri_tie_point(const er_world *w, const er_tie *tie, int side);

/// The length of a DISTANCE or PULLEY with its points in given places.
/// @param pull  [2], written: the gradient by each point, or NULL
double eri_tie_length(const er_tie *tie, const er_vec3 point[2], er_vec3 pull[2]);

/// Takes the mean force of a tie in a step (er_tie_state.force), and whether it breaks.
void eri_ties_set_force(eri_ties *ties, int tie, double force);

/// The energy of a stretched tie of a length, J.
double eri_tie_energy(const er_tie *tie, double length);

/// Says why a tie or joint_break of a def is refused; NULL: it is fine.
const char *eri_tie_wrong(const er_world_def *def, const er_tie *tie);
const char *eri_joint_break_wrong(const er_world_def *def);

/// Copies the def's ties and breaking loads; NULL if there are none.   Errors: ER_ERROR_MEMORY
er_result eri_ties_create(er_world *w, eri_ties **out);

/// Takes a joint's mean load in a step, and whether it breaks.
void eri_ties_set_load(eri_ties *ties, int joint, er_wrench load);

/// A new state begins: no impulses, nothing is broken.
void eri_ties_start(er_world *w);

/// The records as bytes.
size_t eri_ties_size(const eri_ties *ties);
void eri_ties_save(const eri_ties *ties, void *bytes);
void eri_ties_restore(eri_ties *ties, const void *bytes);

#endif
