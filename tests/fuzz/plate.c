// CSV files of force plates, for two bodies. Rows that are read have ascending times.
#include <math.h>

#include "app/project/force_plate.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static er_body body[2] = {{.name = "foot"}, {.name = "a, b"}};
    const er_model model = {.body_count = 2, .body = body};
    er_context *context = fuzz_context();
    force_plate plate;
    er_result r = force_plate_read(context, &model, er_v3(0, 1, 0), fuzz_file("plate.csv", data, size), &plate);
    if (r == ER_OK) {
        fuzz_promise(plate.row_count > 0 && plate.body_count > 0 && plate.body_count <= 2, context,
                     "a plate has rows and bodies");
        for (int k = 0; k < plate.row_count; ++k)
            fuzz_promise(isfinite(plate.time[k]) && (k == 0 || plate.time[k] > plate.time[k - 1]), context,
                         "the times of a plate ascend");
        (void)force_plate_at(&plate, plate.body_count - 1, plate.time[plate.row_count / 2]);
    }
    force_plate_clear(&plate);
    er_context_destroy(context);
    return 0;
}
