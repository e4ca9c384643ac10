/// @file
/// Private: swings of modes in full dynamics.
#ifndef ERI_MOTION_MODE_SWING_H
#define ERI_MOTION_MODE_SWING_H

#include <eigenrig/motion.h>

#include "base/arena.h"

/// A copy of a model without dampers, for er_model_destroy().   Errors: ER_ERROR_MEMORY.
er_result eri_undamped_model(er_context *context, er_arena *scratch, const er_model *model, er_model **out);

/// Swings of the modes of one rig.
typedef struct eri_swings eri_swings;

/// @param model,modes  borrowed
/// Errors   as er_kinematics_create() and er_world_create(); ER_ERROR_MEMORY.   Memory: allocates the result.
er_result eri_swings_create(er_context *context, const er_model *model, const er_modes *modes, eri_swings **out);

/// NULL is fine.
void eri_swings_destroy(eri_swings *swings);

/// A trial to be made.
typedef struct eri_swing {
    const er_mode *mode; ///< elastic, of the rig
    double degrees;      ///< in (0, 180]
    int owner;           ///< the caller's
    int halvings;        ///< how often the step is halved at first, as a similar trial needed; written: at last
    er_result result;    ///< how it went; ER_ERROR_NO_CONVERGENCE: a loop cannot follow so far, or the motion cannot be
                         ///< integrated; the context has the message
    er_trial trial;      ///< ER_OK: the result
    double drift;        ///< likewise, the relative change of the energy
} eri_swing;

/// Where trials come from and go to.
typedef struct eri_swing_queue {
    void *user;
    bool (*take)(void *user, eri_swing *next);       ///< all of a trial up to `halvings`; false: none now
    void (*give)(void *user, const eri_swing *done); ///< a trial that is done
    bool (*goes_on)(void *user);                     ///< asked between steps; false: trials under way are dropped
} eri_swing_queue;

/// Makes trials until there is none to take, or the queue ends. Those of a tree are made eight side by side, by
/// steps of RK4; a trial that changes the energy is made again with shorter steps. Models with loops take one at a
/// time, by eri_swings_measure(). Results do not depend on what else is under way.
void eri_swings_run(eri_swings *swings, const eri_swing_queue *queue);

/// Makes one trial in a world of its own, with steps held to a tolerance.
/// @param swing  its mode and amplitude are read, the rest is written
/// @param queue  asked between steps whether to go on; NULL: goes on
/// Errors   ER_ERROR_ARGUMENT; ER_ERROR_NO_CONVERGENCE (as swing->result; the queue has ended); ER_ERROR_RIG,
///          ER_ERROR_NOT_POSDEF (as er_world_create()); ER_ERROR_MEMORY
er_result eri_swings_measure(eri_swings *swings, eri_swing *swing, const eri_swing_queue *queue);

#endif
