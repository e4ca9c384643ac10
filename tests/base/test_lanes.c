// Panels of eight lanes: every number comes to the place that the header says, and no other is touched.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/lanes.h"

enum { MOST_ROWS = 35, GAP = 3, STRIDE = MOST_ROWS + GAP };

static double entry(int row, int column)
{
    return 1.0 + row + 100.0 * column;
}

static void columns_become_lanes_and_lanes_columns(void **state)
{
    static double columns[ERI_LANE_COUNT * STRIDE], back[ERI_LANE_COUNT * STRIDE];
    static eri_lanes panel[MOST_ROWS + 1];
    for (int rows = 0; rows <= MOST_ROWS; ++rows)
        for (int count = 0; count <= ERI_LANE_COUNT; ++count) {
            for (int i = 0; i < ERI_LANE_COUNT * STRIDE; ++i) {
                columns[i] = entry(i % STRIDE, i / STRIDE);
                back[i] = -columns[i];
            }
            for (int i = 0; i <= MOST_ROWS; ++i)
                for (int k = 0; k < ERI_LANE_COUNT; ++k)
                    panel[i][k] = -0.5;
            eri_lanes_gather(rows, count, columns, STRIDE, panel);
            for (int i = 0; i <= MOST_ROWS; ++i)
                for (int k = 0; k < ERI_LANE_COUNT; ++k)
                    assert_true(panel[i][k] == (i >= rows ? -0.5 : k < count ? entry(i, k) : 0.0));
            eri_lanes_scatter(rows, count, panel, back, STRIDE);
            const double *backwards[ERI_LANE_COUNT];
            for (int k = 0; k < count; ++k)
                backwards[k] = columns + (count - 1 - k) * STRIDE;
            eri_lanes_gather_columns(rows, count, backwards, panel);
            for (int i = 0; i < rows; ++i)
                for (int k = 0; k < ERI_LANE_COUNT; ++k)
                    assert_true(panel[i][k] == (k < count ? entry(i, count - 1 - k) : 0.0));
            for (int i = 0; i < ERI_LANE_COUNT * STRIDE; ++i)
                assert_true(back[i] == (i % STRIDE < rows && i / STRIDE < count ? columns[i] : -columns[i]));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_become_lanes_and_lanes_columns)};
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
