// er_redundancy_create(): the redundant constraints of a model's loops.
#include <eigenrig/model.h>

#include "model/forest/loops.h"

er_result er_redundancy_create(er_context *context, const er_model *model, double tol, er_redundancy **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_redundancy_create needs a model");
    if (!(tol > 0.0 && tol < 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "rank tolerance %g is not in (0, 1)", tol);
    er_result r = ER_OK;
    er_arena *arena = NULL, *scratch = NULL;
    er_redundancy *result;
    er_redundant_row *row;
    eri_forest *tree;
    eri_loops *loops;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_forest_create(scratch, model, &tree));
    ERI_TRY(eri_loops_create(scratch, tree, tol, &loops));
    ERI_TRY_NEW(result, arena, er_redundancy, 1);
    ERI_TRY(eri_loops_redundant(arena, loops, &row));
    *result = (er_redundancy){.constraint_count = 6 * model->joint_count - model->coordinate_count,
                              .count = loops->redundant_count,
                              .row = row,
                              .smallest_kept = loops->smallest_kept,
                              .largest_zero = loops->largest_zero,
                              .arena = arena};
    result->rank = result->constraint_count - result->count;
    *out = result;
    arena = NULL;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_redundancy_destroy(er_redundancy *redundancy)
{
    if (redundancy != NULL) eri_arena_destroy(redundancy->arena);
}
