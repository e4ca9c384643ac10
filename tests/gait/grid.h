// Small walkers as the search sees them, and the grid of mixes that it looks through.
#ifndef TESTS_GAIT_GRID_H
#define TESTS_GAIT_GRID_H

#include "gait/search/surrogate.h"
#include "gait/stride.h"
#include "walkers.h"

// From set_up_grid to tear_down_grid, beside the context.
extern er_arena *arena;
extern er_gait_def defaults;

int set_up_grid(void **state);
int tear_down_grid(void **state);

// A small rig and what the search is made of.
typedef struct bench {
    er_model *model;
    er_modes *modes;
    er_gait_body *body;
    eri_mix_sampler *w;
    eri_evaluator judge;
} bench;

bench begin(er_model *model, int mode_count);
bench begin_flying(er_model *model, int mode_count); ///< of the modes that move wings
void end(bench *b);

// The k-th of all mixes of so many components on the search's grid, the first component once a stride at phase 0.
// @return false where it has a mode twice
bool mix_of_grid(int k, int count, int modes, eri_gait_mix *out);

// A row of the polynomials with so many modes out, each another, by so much.
double row_of(const eri_path_polynomials *s, int row, int count, const int *mode, const double *out);

#endif
