// Memory of the solve in reduced coordinates: of a whole rig, or of its halves.
#include "modal/reduced.h"

#include "base/failure.h"

er_result eri_reduced_reserve(eri_reduced *s, er_arena *arena, const eri_extent *e)
{
    er_result r = ER_OK;
    for (int i = 0; i < 2; ++i)
        ERI_TRY_RESERVE(s->panel[i], arena, eri_lanes, e->rows);
    ERI_TRY_RESERVE(s->unsprung, arena, eri_lanes, e->columns);
    ERI_TRY_RESERVE(s->twist, arena, eri_lanes, 6 * (size_t)e->tree.bodies);
    ERI_TRY_RESERVE(s->shape, arena, eri_lanes, 6 * (size_t)e->tree.bodies);
    ERI_TRY_RESERVE(s->force, arena, eri_lanes, e->columns);
    ERI_TRY_NEW(s->unsprung_order, arena, int, e->columns);
    ERI_TRY_NEW(s->momentum, arena, double, 6 * (size_t)e->tree.bodies);
    ERI_TRY_NEW(s->eigenvalue, arena, double, e->modes + SPARE_SHAPES);
    ERI_TRY_RESERVE(s->unit, arena, double, e->tree.coordinates);
    ERI_TRY_RESERVE(s->factor, arena, eri_mass_factor, e->tree.bodies);
    ERI_TRY_RESERVE(s->station, arena, eri_station, e->tree.bodies);
    ERI_TRY(eri_matrix_reserve(arena, MEASURED_ROWS, e->modes + SPARE_SHAPES, &s->chunk));
    int whole = e->modes + ERI_LANE_COUNT - 1; // room for whole panels
    ERI_TRY(eri_matrix_reserve(arena, whole, 2 * whole, &s->gram));
done:
    return r;
}

er_result eri_reduced_reserve_modes(eri_reduced *s, er_arena *result, int bodies, int coordinates, int rows, int most)
{
    er_result r = ER_OK;
    size_t twists = 6 * (size_t)bodies * (size_t)most, shapes = (size_t)rows * (size_t)(most + SPARE_SHAPES);
    s->most = most;
    ERI_TRY_RESERVE(s->body.a, result, double, twists > shapes ? twists : shapes);
    s->body = (eri_matrix){6 * bodies, most, s->body.a};
    s->Y = (eri_matrix){rows, most + SPARE_SHAPES, s->body.a};
    if (rows > s->body.rows) ERI_TRY(eri_matrix_reserve(result, rows, most + SPARE_SHAPES, &s->Y)); // memory of its own
    ERI_TRY(eri_matrix_reserve(result, coordinates, most, &s->joint));
    ERI_TRY_NEW(s->mode, result, er_mode, most);
done:
    return r;
}

er_result eri_reduced_reserve_tree(eri_reduced *s, int columns)
{
    er_result r = ER_OK;
    ERI_TRY(columns <= ER_MODAL_MAX_COORDINATES
                ? ER_OK
                : er_fail(s->context, ER_ERROR_RIG,
                          "%d coordinates are too many for route tree, which takes up to %d; sparse takes them",
                          columns, ER_MODAL_MAX_COORDINATES));
    ERI_TRY(eri_eigen_create(s->arena, columns, &s->eigen));
    ERI_TRY_RESERVE(s->A, s->arena, double, (size_t)columns *(size_t)columns);
    ERI_TRY_NEW(s->theta, s->arena, double, columns);
done:
    return r;
}
