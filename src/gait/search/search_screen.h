/// @file
/// Private: strides of mixes eight at a time, from paths of feet to third order in the amplitudes, so that a search
/// can look at every mix of three modes.
#ifndef ERI_GAIT_SEARCH_SEARCH_SCREEN_H
#define ERI_GAIT_SEARCH_SEARCH_SCREEN_H

#include "gait/stride.h"

enum { ERI_GAIT_PHASES = 8 }; ///< of a component, and so mixes side by side

// --- search_swing.c

/// What feet and trunk do, as polynomials in how far each mode is out, s in rad: a row is
/// rest + sum s_a first_a + sum s_a s_b second_ab + sum s_a s_a s_b third_ab + sum s_a s_b s_c mixed_abc,
/// the second sum over a <= b, the third over all a and b, the last over a < b < c. Rows: ahead, then left, of every
/// foot; the height of every tip above the ground; of every trunk roll, pitch and yaw.
typedef struct eri_swing {
    int modes, feet, tips, trunks, rows;
    int *foot_of;  ///< [tips]: what may stand; of a flat foot its heel, else the corners of its sole
    int *corner;   ///< [tips], -1 for a heel
    float *rest;   ///< [rows]
    float *first;  ///< [modes x rows]
    float *second; ///< [modes x modes x rows], either way round
    float *third;  ///< [modes x modes x rows]
    float *mixed;  ///< [modes x modes x modes x rows], any way round
} eri_swing;

/// Fitted to exact poses with one, two and three modes out by `ERI_GAIT_FIT`, forth and back.   Errors:
/// ER_ERROR_MEMORY.
#define ERI_GAIT_FIT 0.25 // rad
er_result eri_swing_create(er_arena *arena, eri_walker *w, eri_swing *out);

// --- pattern.c

/// Mixes of ERI_GAIT_MAX_COMPONENTS modes by which many feet step in turn: two sets, and waves along each side.
/// @param out  in `arena`   Errors: ER_ERROR_MEMORY.
er_result eri_pattern_mixes(er_arena *arena, const eri_swing *swing, const er_gait_body *body, eri_gait_try **out,
                            int *count);

// --- search_screen.c

/// Work space of a thread.
typedef struct eri_search_screen eri_search_screen;

/// @param swing     must outlive the screen
/// @param coarsely  by half of ERI_GAIT_FRAMES   Errors: ER_ERROR_MEMORY.
er_result eri_screen_create(er_arena *arena, const eri_swing *swing, const er_gait_body *body, bool coarsely,
                            eri_search_screen **out);

/// Sets the first components of the mixes to come, one or two, and then the mode that goes on top of them.   No
/// allocation.
void eri_screen_set_base(eri_search_screen *s, int count, const eri_gait_part *part);
void eri_screen_add(eri_search_screen *s, int mode, int harmonic);

/// Strides with that mode at `angle` and phase k / ERI_GAIT_PHASES of a turn; all but own_hz, effort and angle are set.
/// Those that go backward are turned round in time, as eri_gait_judge() does; a length of 0 for no gait.   No
/// allocation.
void eri_screen_walk(eri_search_screen *s, double angle, eri_stride out[ERI_GAIT_PHASES]);

#endif
