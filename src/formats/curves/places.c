/// @file
/// Motions of things that come and go, as arrays for numpy.
#include <eigenrig/formats.h>

#include "base/failure.h"
#include "formats/curves/archive.h"

static er_result check(er_context *context, const er_places *p, const char *path)
{
    if (p == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_places_write_npz needs places and a path");
    bool whole = p->count >= 0 && p->frame_count >= 1 && p->time != NULL &&
                 (p->count == 0 ||
                  (p->name != NULL && p->pose != NULL && p->velocity != NULL && p->spin != NULL && p->present != NULL));
    return whole ? ER_OK : er_fail(context, ER_ERROR_ARGUMENT, "places lack frames, or one of their arrays");
}

static er_result add(er_npz *z, const er_places *p)
{
    er_result r = ER_OK;
    const size_t frames = (size_t)p->frame_count, count = (size_t)p->count, rows[3] = {frames, count, 3};
    ER_TRY(er_npz_add_numbers(z, "time", 1, rows, p->time));
    ER_TRY(er_npz_add_text(z, "name", p->count, p->name));
    ER_TRY(er_npz_add_places(z, frames, count, p->pose));
    ER_TRY(er_npz_add_rows(z, "velocity", 3, rows, p->velocity, sizeof *p->velocity));
    ER_TRY(er_npz_add_rows(z, "spin", 3, rows, p->spin, sizeof *p->spin));
    ER_TRY(er_npz_add(z, (er_npz_array){"present", 'i', sizeof *p->present, {frames, count}, 2, p->present}));
done:
    return r;
}

er_result er_places_write_npz(er_context *context, const er_places *places, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_npz z = {0};
    ER_TRY(check(context, places, path));
    ER_TRY(er_npz_begin(&z, context, path));
    ER_TRY(add(&z, places));
    ER_TRY(er_npz_save(&z));
done:
    er_npz_end(&z);
    return r;
}
