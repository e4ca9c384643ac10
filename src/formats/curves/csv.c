// Curves as a table: CSV, a row a time.
#include "formats/curves/curve_names.h"
#include "formats/curves/table.h"

static void put_frame(eri_out *out, const er_curves *c, int frame)
{
    const er_model *m = c->model;
    const double *q = c->q + (size_t)frame * (size_t)m->coordinate_count;
    eri_out_exact(out, c->time[frame]);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            double value = q[m->coordinate[k] + i] * (axis[i] < 3 ? 180.0 / ER_PI : 1.0);
            eri_table_numbers(out, &value, 1);
        }
    }
    eri_out_text(out, "\n");
}

er_result er_curves_write_csv(er_context *context, const er_curves *curves, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    eri_out out = {0};
    ERI_TRY(eri_curves_check(context, curves, path, "er_curves_write_csv"));
    ERI_TRY(eri_out_begin(&out, context));
    eri_out_text(&out, "time_s");
    ERI_TRY(eri_table_coordinates(&out, curves->model, ""));
    eri_out_text(&out, "\n");
    for (int f = 0; f < curves->frame_count && out.text.failure == ER_OK; ++f)
        put_frame(&out, curves, f);
    ERI_TRY(eri_out_write(&out, path));
done:
    eri_out_end(&out);
    return r;
}
