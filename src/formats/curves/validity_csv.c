// How far modes are true, as a table.
#include <eigenrig/plots.h>

#include "formats/curves/table.h"

static er_result write(er_context *context, const er_validity *validity, const char *path)
{
    er_result r = ER_OK;
    eri_out out = {0};
    ERI_TRY(eri_out_begin(&out, context));
    eri_out_text(&out, "mode,amplitude_degrees,frequency_shift,leakage\n");
    for (int k = 0; k < validity->count; ++k) {
        const er_mode_validity *mode = &validity->mode[k];
        for (int i = 0; i < mode->trial_count; ++i) {
            const er_trial *t = &mode->trial[i];
            const double number[] = {t->degrees, t->shift, t->leakage};
            eri_out_printf(&out, "%d", mode->mode);
            eri_table_numbers(&out, number, (int)ERI_COUNT(number));
            eri_out_text(&out, "\n");
        }
    }
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}

er_result er_validity_write_csv(er_context *context, const er_validity *validity, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (validity == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_validity_write_csv needs a validity and a path");
    return write(context, validity, path);
}
