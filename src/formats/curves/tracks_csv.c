// Frequencies over a change of springs, as a table.
#include <eigenrig/plots.h>

#include "formats/curves/table.h"

er_result er_mode_tracks_write_csv(er_context *context, const er_mode_tracks *tracks, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (tracks == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mode_tracks_write_csv needs tracks and a path");
    er_result r = ER_OK;
    eri_out out = {0};
    ERI_TRY(eri_out_begin(&out, context));
    eri_out_text(&out, "stiffness_factor");
    for (int k = 0; k < tracks->count; ++k)
        eri_out_printf(&out, ",mode_%d_hz,mode_%d_certainty", tracks->mode[k], tracks->mode[k]);
    eri_out_text(&out, "\n");
    for (int p = 0; p < tracks->point_count; ++p) {
        eri_out_exact(&out, tracks->factor[p]);
        for (int k = 0; k < tracks->count; ++k) {
            ptrdiff_t at = (ptrdiff_t)p * tracks->count + k;
            bool lost = tracks->certainty[at] == 0.0;
            const double number[] = {tracks->hz[at], tracks->certainty[at]};
            if (lost)
                eri_out_text(&out, ",,0");
            else
                eri_table_numbers(&out, number, 2);
        }
        eri_out_text(&out, "\n");
    }
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}
