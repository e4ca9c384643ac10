/// @file
/// Motions of things that come and go, as arrays for numpy.
#include <eigenrig/plots.h>

#include "base/failure.h"
#include "formats/curves/npz_archive.h"

static er_result check(er_context *context, const er_trajectories *p, const char *path)
{
    if (p == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_trajectories_write_npz needs places and a path");
    bool whole = p->count >= 0 && p->frame_count >= 1 && p->time != NULL &&
                 (p->count == 0 ||
                  (p->name != NULL && p->pose != NULL && p->velocity != NULL && p->spin != NULL && p->present != NULL));
    return whole ? ER_OK : er_fail(context, ER_ERROR_ARGUMENT, "places lack frames, or one of their arrays");
}

static er_result add(eri_npz *z, const void *places)
{
    er_result r = ER_OK;
    const er_trajectories *p = places;
    const size_t frames = (size_t)p->frame_count, count = (size_t)p->count, rows[3] = {frames, count, 3};
    ERI_TRY(eri_npz_add_numbers(z, "time", 1, rows, p->time));
    ERI_TRY(eri_npz_add_text(z, "name", p->count, p->name));
    ERI_TRY(eri_npz_add_places(z, frames, count, p->pose));
    ERI_TRY(eri_npz_add_rows(z, "velocity", 3, rows, p->velocity, sizeof *p->velocity));
    ERI_TRY(eri_npz_add_rows(z, "spin", 3, rows, p->spin, sizeof *p->spin));
    ERI_TRY(eri_npz_add(z, (eri_npz_array){"present", 'i', sizeof *p->present, {frames, count}, 2, p->present}));
done:
    return r;
}

er_result er_trajectories_write_npz(er_context *context, const er_trajectories *places, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, places, path);
    return r == ER_OK ? eri_npz_write(context, path, add, places) : r;
}
