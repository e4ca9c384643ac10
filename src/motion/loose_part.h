/// @file
/// Private: one loose part of a rig, a subtree whose carrier follows a motion, and its own vibrations about that.
#ifndef ERI_MOTION_LOOSE_PART_H
#define ERI_MOTION_LOOSE_PART_H

#include <eigenrig/motion.h>

#include "base/arena.h"
#include "motion/moving.h"

/// A loose part.
typedef struct eri_loose_part eri_loose_part;

/// Checks a def for loose parts of a model.   Errors: ER_ERROR_ARGUMENT
er_result eri_follow_check(er_context *context, const er_model *model, const er_follow_def *def);

/// @param model  borrowed   @param root  the body that hangs on the carrier by its tree joint
/// @param loose  [body_count]: the part is root and all loose bodies that hang on it
/// @param def    borrowed for the life of the part
/// Errors   ER_ERROR_ARGUMENT (names the body or joint: a loop, a joint turned round, no spring), as er_modal_solve()
/// Memory   of the arena, and objects of their own.
er_result eri_loose_part_create(er_arena *arena, const er_model *model, int root, const bool *loose,
                                const er_follow_def *def, eri_loose_part **out);

/// The modes of a part with its carrier held, of a model of its bodies.
/// @param count  written: bodies of that model
/// @param body  written: [count], each body's index in the whole; parents first
/// @param w     written: rad/s, of the first mode with its springs scaled
/// @param zeta  written: its damping ratio
const er_modes *eri_loose_part_modes(const eri_loose_part *part, int *count, const int **body, double *w, double *zeta);

/// The law that the joints obey: tau = carried - K y - D y', all modes damped alike.
/// @param stiffness  [coordinates of the part's model], written: K, which is diagonal
/// @param damping    [coordinates squared], written: D, symmetric
/// @param carried    [coordinates], written: of the last motion
void eri_loose_part_law(const eri_loose_part *part, double *stiffness, double *damping, double *carried);

/// Frees what is not the arena's. NULL is fine.
void eri_loose_part_destroy(eri_loose_part *part);

/// The loose part of a follow-through, by its index in er_follow.part.
const eri_loose_part *eri_follow_loose_part(const er_follow *follow, int part);

/// Solves the part's motion, and replaces its bodies' motions.
/// @param count   instants   @param step  s   @param repeats  the last instant is the first again
/// @param motion  [count x body_count], of all bodies; those of the part are read as what the springs rest at (but for
///                def->rest_pose) and written
/// @param state   the end of an earlier motion of the same part; NULL: none
/// @param out     written
/// Errors   ER_ERROR_ARGUMENT (a result that is not finite), ER_ERROR_MEMORY
er_result eri_loose_part_follow(eri_loose_part *part, int count, double step, bool repeats, eri_moving *motion,
                                const eri_loose_part *before, er_follow_part *out);

#endif
