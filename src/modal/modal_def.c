// The def of a solve: names of methods and kinds, the defaults, and their checks.
#include <math.h>

#include "modal/reduced.h"

const char *er_mode_kind_name(er_mode_kind kind)
{
    static const char *const names[] = {"rigid", "mechanism", "elastic"};
    return (size_t)kind < ERI_COUNT(names) ? names[kind] : "unknown";
}

const char *er_modal_method_name(er_modal_method method)
{
    static const char *const names[] = {"auto", "qr", "svd", "tree", "sparse"};
    return (size_t)method < ERI_COUNT(names) ? names[method] : "unknown";
}

er_modal_def er_default_modal_def(void)
{
    er_modal_def def = {.max_hz = HUGE_VAL, .rank_tol = 1e-10, .tag = ER_DEF_TAG};
    return def;
}

er_result eri_modal_check_def(er_context *context, const er_modal_def *d)
{
    if (d->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "modes need NULL or a def made by er_default_modal_def()");
    if (!(d->rank_tol > 0.0 && d->rank_tol < 1.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "rank tolerance %g is not in (0, 1)", d->rank_tol);
    if (!(d->max_hz > 0.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "highest frequency %g is not above 0", d->max_hz);
    if (!(d->min_hz >= 0.0 && d->min_hz <= d->max_hz && d->min_hz < HUGE_VAL))
        return er_fail(context, ER_ERROR_ARGUMENT, "lowest frequency %g is not from 0 to the highest, %g", d->min_hz,
                       d->max_hz);
    if ((unsigned)d->method >= ER_MODAL_METHOD_COUNT)
        return er_fail(context, ER_ERROR_ARGUMENT, "modal method %d is unknown", (int)d->method);
    if (d->mode_count < 0) return er_fail(context, ER_ERROR_ARGUMENT, "mode count %d is negative", d->mode_count);
    return ER_OK;
}
