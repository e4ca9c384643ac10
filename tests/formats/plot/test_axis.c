// Axes of plots: round values that fill them, with names that read back, as many as have room.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/plot/axis.h"
#include "formats/plot/svg.h"
#include "support/judge.h"

// Steps of ticks, ascending: 1, 2 or 5 times a power of ten.
static double nth_step(int n)
{
    static const double round[] = {1.0, 2.0, 5.0};
    int power = (int)floor(n / 3.0);
    return round[n - 3 * power] * pow(10.0, power);
}

static int step_number(double step)
{
    for (int n = -60; n <= 60; ++n)
        if (relative_error(step, nth_step(n)) < 1e-6) return n;
    fail_msg("%g is no step of ticks", step);
    return 0;
}

static double read_back(const char *name)
{
    bool negative = strncmp(name, "\xE2\x88\x92", 3) == 0;
    return negative ? -strtod(name + 3, NULL) : strtod(name, NULL);
}

// Pixels that two neighbours need.
static double needed(const eri_ticks *ticks, int i, double room, bool along)
{
    if (!along) return room;
    return room + 0.5 * (eri_svg_width(ticks->name[i - 1], ERI_SVG_FONT) + eri_svg_width(ticks->name[i], ERI_SVG_FONT));
}

static void expect_sound(const eri_axis *axis, const eri_ticks *ticks, double room, bool along)
{
    assert_true(ticks->count <= ERI_TICK_MOST);
    for (int i = 0; i < ticks->count; ++i) {
        double value = ticks->value[i];
        assert_true(value >= axis->low && value <= axis->high && (i == 0 || value > ticks->value[i - 1]));
        assert_true(fabs(read_back(ticks->name[i]) - value) <=
                    (along && !axis->logarithmic ? 1e-14 : 1e-5) * fabs(value));
        int digits = 0;
        for (const char *c = ticks->name[i]; *c != '\0' && *c != 'e'; ++c)
            digits += *c >= '0' && *c <= '9' && (digits > 0 || *c > '0');
        assert_true(digits <= (along ? 15 : 6)); // those above each other are short
        if (i == 0) continue;
        double apart = fabs(eri_axis_at(axis, value) - eri_axis_at(axis, ticks->value[i - 1]));
        if (ticks->count > 2) assert_true(apart >= needed(ticks, i, room, along));
    }
}

static void values_stand_in_proportion(void **state)
{
    eri_axis plain = {false, -2.0, 6.0, 100.0, 20.0}, powers = {true, 0.1, 1000.0, 0.0, 400.0};
    static const double expected[][4] = {{-2, 100, 0.1, 0}, {6, 20, 1000, 400}, {0, 80, 1, 100},
                                         {2, 60, 10, 200},  {-9, 100, 0, 0},    {1e9, 20, 1e9, 400}};
    for (size_t i = 0; i < ERI_COUNT(expected); ++i) {
        measure_at_most("pixel", fabs(eri_axis_at(&plain, expected[i][0]) - expected[i][1]), 1e-12);
        measure_at_most("pixel of a power", fabs(eri_axis_at(&powers, expected[i][2]) - expected[i][3]), 1e-12);
    }
}

static void ticks_are_as_many_as_have_room(void **state)
{
    dice d = {3};
    for (int trial = 0; trial < 4000; ++trial) {
        double size = pow(10.0, dice_uniform(&d, -9.0, 9.0)), pixels = dice_uniform(&d, 40.0, 900.0);
        eri_axis axis = {.low = size * dice_uniform(&d, -3.0, 3.0), .first = 500.0, .last = 500.0 + pixels};
        if (trial % 3 == 0) axis.last = 500.0 - pixels; // upwards
        bool along = trial % 2 == 0;
        if (along && trial % 5 == 0) axis.low += 1e7 * size; // as epochs: names need all their digits
        axis.high = axis.low + size;
        double room = dice_uniform(&d, 5.0, 40.0);
        eri_ticks ticks = eri_axis_ticks(&axis, room, along);
        expect_sound(&axis, &ticks, room, along);
        if (ticks.count < 3) continue;
        int n = step_number((ticks.value[ticks.count - 1] - ticks.value[0]) / (ticks.count - 1));
        double step = nth_step(n), finer = nth_step(n - 1);
        for (int i = 0; i < ticks.count; ++i) {
            double turns = ticks.value[i] / step;
            assert_true(fabs(turns - round(turns)) < 1e-6);
            assert_true(i == 0 || relative_error(ticks.value[i] - ticks.value[i - 1], step) < 1e-6);
        }
        assert_true(ticks.value[0] - step < axis.low && ticks.value[ticks.count - 1] + step > axis.high);
        if (!along) assert_true(size / finer > ERI_TICK_MOST - 1 || finer / size * pixels < room);
    }
}

static void names_side_by_side_leave_out_no_more_than_they_must(void **state)
{
    eri_axis axis = {false, 0.0, 10.0, 0.0, 0.0};
    for (axis.last = 60.0; axis.last < 600.0; axis.last += 1.0) {
        eri_ticks ticks = eri_axis_ticks(&axis, 8.0, true);
        expect_sound(&axis, &ticks, 8.0, true);
        double widest = 0.0; // of neighbours, were there a tick at every 1
        for (int i = 1; i <= 10; ++i) {
            char names[2][12];
            snprintf(names[0], sizeof names[0], "%d", i - 1);
            snprintf(names[1], sizeof names[1], "%d", i);
            widest =
                fmax(widest, 0.5 * (eri_svg_width(names[0], ERI_SVG_FONT) + eri_svg_width(names[1], ERI_SVG_FONT)));
        }
        assert_int_equal(ticks.count >= 11, axis.last / 10.0 >= 8.0 + widest);
    }
}

static void powers_of_ten_are_named_and_what_lies_between_where_there_is_room(void **state)
{
    dice d = {5};
    int dense = 0, sparse = 0, strided = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        double decades = dice_uniform(&d, 1.5, 12.0), room = dice_uniform(&d, 5.0, 30.0);
        eri_axis axis = {true, pow(10.0, dice_uniform(&d, -8.0, 8.0)), 0.0, 10.0, dice_uniform(&d, 100.0, 900.0)};
        axis.high = axis.low * pow(10.0, decades);
        eri_ticks ticks = eri_axis_ticks(&axis, room, false);
        expect_sound(&axis, &ticks, room, false);
        double pixels = (axis.last - axis.first) / decades; // of a decade
        int powers = 0, others = 0, first = 0;
        for (int i = 0; i < ticks.count; ++i) {
            int n = step_number(ticks.value[i]), power = (int)floor(n / 3.0);
            if (n != 3 * power) ++others;
            if (n == 3 * power && powers++ == 0) first = power;
        }
        int all = (int)floor(log10(axis.high) + 1e-12) - (int)ceil(log10(axis.low) - 1e-12) + 1;
        bool room_between = pixels * log10(2.0) >= room + 1e-9, room_for_all = pixels >= room + 1e-9;
        if (room_between && decades < 4.0) {
            ++dense;
            assert_true(powers == all && others >= 2 * (all - 1));
        } else if (!(pixels * log10(2.0) >= room - 1e-9)) {
            assert_int_equal(others, 0);
            if (room_for_all) assert_int_equal(powers, all);
            sparse += room_for_all;
            if (!room_for_all && powers > 1) {
                int stride = (int)lround(log10(ticks.value[1] / ticks.value[0]));
                ++strided;
                assert_true(stride > 1 && first % stride == 0 && (stride - 1) * pixels < room + 1e-9);
            }
        }
    }
    assert_true(dense > 100 && sparse > 100 && strided > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_in_proportion),
        cmocka_unit_test(ticks_are_as_many_as_have_room),
        cmocka_unit_test(names_side_by_side_leave_out_no_more_than_they_must),
        cmocka_unit_test(powers_of_ten_are_named_and_what_lies_between_where_there_is_room),
    };
    return cmocka_run_group_tests_name("axis", tests, NULL, NULL);
}
