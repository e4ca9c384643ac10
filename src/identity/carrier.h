/// @file
/// Private: least squares over what the probes of two rigs measure, with few modes of the other rig.
#ifndef ERI_IDENTITY_CARRIER_H
#define ERI_IDENTITY_CARRIER_H

#include "gait/stride.h"
#include "identity/probes.h"

enum { ERI_CARRY_COLUMNS = 3 }; ///< modes that make a component, or components that make a gait

/// Columns, and what they are multiplied with.
typedef struct eri_column_set {
    int count;
    int column[ERI_CARRY_COLUMNS];
    double factor[ERI_CARRY_COLUMNS][2]; ///< of sines and cosines
    double gain;                         ///< by which the sum of squares falls
} eri_column_set;

/// Normal equations of all columns: products of columns, and of columns with the wanted motion.
typedef struct eri_equations {
    int count;
    double *product; ///< [count x count]
    double *wanted;  ///< [count x 2]
    double *effort;  ///< [count], the price of a column's square; NULL: free
    double whole;    ///< the wanted motion's sum of squares
} eri_equations;

/// A mix on its way from one rig to another.
typedef struct eri_carrier {
    er_context *context;
    er_arena *arena;
    const er_carry_side *from, *to;
    er_carry_def def;
    const eri_mix_sampler *feet; ///< the modes of the other rig are those that move its feet; NULL: the lowest
    double most_degrees;         ///< of a component that is made
    const er_mix *mix;           ///< `fitted`
    er_mix *fitted;              ///< to `from`, owned
    eri_probes probes;
    int rows;               ///< three a probe
    int modes;              ///< of the other rig, these two
    const er_mode **mode;   ///< [modes]
    double *column;         ///< [modes x rows]
    double *wanted;         ///< [rows], of a component
    double pace;            ///< new frequencies over old ones
    er_mix_component *made; ///< [made_count]
    int made_count;
} eri_carrier;

/// Sets a column set's factors and gain.
void eri_equations_solve(const eri_equations *e, eri_column_set *set);

/// Checks what is given and fits the mix. context, from, to, def, most_degrees are set before.
er_result eri_carrier_begin(eri_carrier *s, const er_mix *mix);

/// Reads the other rig's modes by the probes, which are set before.   Errors: ER_ERROR_MEMORY
er_result eri_carrier_read_modes(eri_carrier *s);

/// Frees what the carrier holds.
void eri_carrier_end(eri_carrier *s);

/// @param columns  a multiple of the number of modes: harmonics, between which products are 0
/// Errors   ER_ERROR_MEMORY
er_result eri_carrier_equations(eri_carrier *s, int columns, eri_equations *out);

/// Reads the motion of a component of the mix into `wanted`.
void eri_carrier_read(eri_carrier *s, const er_mix_component *component);

/// Adds a mode's part; parts of one mode and frequency are summed.
/// @param factor  of sine and cosine
void eri_carrier_add(eri_carrier *s, er_mix_component like, const er_mode *mode, const double factor[2]);

/// The mix of what was added.   Errors: as er_mix_fit()
er_result eri_carrier_finish(const eri_carrier *s, er_mix **out);

/// The sum of products of two rows.
static inline double eri_row_product(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

#endif
