/// @file
/// Private: fixed points x = g(x) by secants, the extrapolation of Anderson (Walker and Ni, SIAM J. Numer. Anal. 49,
/// 2011): the next x is where differences of earlier values say that g(x) - x is least.
#ifndef ERI_MOTION_SECANTS_H
#define ERI_MOTION_SECANTS_H

#include <stdbool.h>

#include "base/arena.h"

enum { ERI_SECANTS_HELD = 12 };

/// Memory of earlier values.
typedef struct eri_secants {
    int size;                                        ///< of x
    int held, at;                                    ///< differences, and where the next one goes
    bool follows;                                    ///< a value came before, of the same g
    double *off;                                     ///< [size], g(x) - x of the value before
    double *asked;                                   ///< [size], g(x) of it
    double *d_off;                                   ///< [ERI_SECANTS_HELD x size], differences from value to value
    double *d_asked;                                 ///< likewise
    double gram[ERI_SECANTS_HELD][ERI_SECANTS_HELD]; ///< of d_off
} eri_secants;

/// Errors   ER_ERROR_MEMORY.   Memory: of the arena.
er_result eri_secants_create(er_arena *arena, int size, eri_secants *out);

/// Begins with another g, near enough that its differences are those of the one before.
void eri_secants_begin(eri_secants *secants);

/// Begins without the differences held.
void eri_secants_forget(eri_secants *secants);

/// Takes a value, and gives the next x to try.
/// @param asked  [size], g(x)   @param x  [size], read and written
void eri_secants_take(eri_secants *secants, const double *asked, double *x);

#endif
