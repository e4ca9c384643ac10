// The text of small BVH files, word by word.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/formats.h>

#include "formats/bvh/bvh_skeleton.h"
#include "support/hand.h"
#include "support/place.h"

static int open_place(void **state)
{
    return place_open(state, "out.bvh", "again.bvh", "");
}

static const char *written(place *p, const er_scene *scene, const bool *bone, const er_clip *clip, double fps)
{
    if (er_bvh_write(p->own, scene, bone, clip, fps, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    char *text = ERI_NEW(p->arena, char, 1 << 16);
    FILE *file = fopen(p->out, "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void a_small_file_is_this(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    hand_node(&h, "a", -1, hand_at(1, 2, 3));
    hand_node(&h, "b", 0, hand_at(0.5, -1, 0));
    hand_node(&h, "c", 0, hand_at(0, 0, 0.123456789012));
    static const double time[] = {0, 0.08}, turn[] = {0, 0, 0, 1, 0, 0, 0.7071067811865476, 0.7071067811865476};
    const er_channel channel = {1, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn};
    const er_clip clip = {"clip", 0.08, 1, &channel};
    assert_string_equal(written(p, &h.scene, NULL, &clip, 25.0),
                        "HIERARCHY\n"
                        "ROOT a\n{\n\tOFFSET 0 0 0\n"
                        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                        "\tJOINT b\n\t{\n\t\tOFFSET 0.5 -1 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0.25 -0.5 0\n\t\t}\n\t}\n"
                        "\tJOINT c\n\t{\n\t\tOFFSET 0 0 0.123456789\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 0 0.061728395\n\t\t}\n\t}\n}\n"
                        "MOTION\nFrames: 3\nFrame Time: 0.04\n"
                        "1 2 3 0 0 0 0 0 0 0 0 0\n1 2 3 0 0 0 45 0 0 0 0 0\n1 2 3 0 0 0 90 0 0 0 0 0\n");
}

// Places have nine digits of the skeleton's size; one of a point has none, and a huge one no fractions.
static void places_have_digits_by_the_size_of_all(void **state)
{
    place *p = *state;
    static const struct {
        double size;
        const char *offset;
    } cases[] = {{1e12, "OFFSET 0 1000000000000 0\n"},
                 {7e9, "OFFSET 0 7000000000 0\n"},
                 {123456789.25, "OFFSET 0 123456789.2 0\n"},
                 {12.3456789123456, "OFFSET 0 12.34567891 0\n"},
                 {0.00123456789123456, "OFFSET 0 0.001234567891 0\n"},
                 {1e-45, "OFFSET 0 0 0\n"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        hand_init(&h);
        hand_node(&h, "a", -1, hand_at(0, 0, 0));
        hand_node(&h, "b", 0, hand_at(0, cases[i].size, 0));
        const char *text = written(p, &h.scene, NULL, NULL, 1.0);
        assert_non_null(strstr(text, "Frame Time: 1\n"));
        const char *got = strstr(strstr(text, "JOINT b"), "OFFSET");
        if (strncmp(got, cases[i].offset, strlen(cases[i].offset)) != 0) fail_msg("case %zu: %.40s", i, got);
    }
}

// So that a long chain's file does not grow by its square.
static void lines_begin_with_sixty_four_tabs_at_most(void **state)
{
    place *p = *state;
    enum { DEEP = 70 };
    er_node *node = ERI_NEW(p->arena, er_node, DEEP);
    hand h;
    hand_init(&h);
    for (int i = 0; i < DEEP; ++i)
        node[i] = (er_node){.name = eri_arena_printf(p->arena, "n%d", i), .parent = i - 1, .local = hand_at(0, 1, 0)};
    h.scene.node = node;
    h.scene.node_count = DEEP;
    const char *text = written(p, &h.scene, NULL, NULL, 1.0);
    for (int i = 1; i < DEEP; ++i) {
        char line[200], tabs[65] = {0};
        memset(tabs, '\t', i < 64 ? (size_t)i : 64);
        snprintf(line, sizeof line, "\n%sJOINT n%d\n%s{\n", tabs, i, tabs);
        if (strstr(text, line) == NULL) fail_msg("n%d", i);
    }
}

static void a_place_can_be_written_to_a_googol(void **state)
{
    static const double ends[] = {1e100, -1e100, 1.1e100, -1.1e100, NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(ends); ++i)
        for (int axis = 0; axis < 3; ++axis)
            assert_int_equal(
                eri_bvh_writable(er_v3(axis == 0 ? ends[i] : 0, axis == 1 ? ends[i] : 0, axis == 2 ? ends[i] : 0)),
                i < 2);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; ++at)
        ++count;
    return count;
}

// A leaf ends as the first of its ends says; an end elsewhere is none. A BVH source keeps all, and has no more.
static void ends_are_of_leaves_unless_a_source_had_them(void **state)
{
    place *p = *state;
    for (int source = 0; source < 2; ++source) {
        hand h;
        hand_init(&h);
        hand_node(&h, "hip", -1, hand_at(0, 0, 0));
        hand_node(&h, "end of hip", 0, hand_at(0, 0, 7));
        hand_node(&h, "leg", 0, hand_at(0, -1, 0));
        hand_node(&h, "toe", 2, hand_at(0, -2, 0));
        hand_node(&h, "heel", 2, hand_at(0, -3, 0));
        hand_node(&h, "lone end", -1, hand_at(9, 9, 9));
        hand_node(&h, "arm", 0, hand_at(2, 0, 0));
        h.scene.format = source ? ER_FORMAT_BVH : ER_FORMAT_OTHER;
        static const bool ends[] = {false, true, false, true, true, true, false};
        for (int i = 0; i < 7; ++i)
            h.node[i].flags = ends[i] ? ER_NODE_END_SITE : ER_NODE_JOINT;
        const char *text = written(p, &h.scene, NULL, NULL, 1.0);
        assert_int_equal(count_of(text, "End Site"), source ? 3 : 2);
        assert_int_equal(count_of(text, "OFFSET 0 -2 0\n"), 1);
        assert_int_equal(count_of(text, "OFFSET 0 -3 0\n"), source);
        assert_int_equal(count_of(text, "OFFSET 0 0 7\n"), source);
        assert_int_equal(count_of(text, "OFFSET 1 0 0\n"), !source); // half of the arm
        assert_int_equal(count_of(text, "JOINT "), 2);
        assert_int_equal(count_of(text, "ROOT "), 1);
    }
}

// A BVH source's channels come in its order, each once; a clip that needs others gets those for these.
static void channels_of_a_source_come_once_in_its_order(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, turn[] = {0, 0, 0, 1, 0, 0.6, 0, 0.8}, shift[] = {0, 1, 0, 1, 1, 0};
    static const struct {
        int count;
        uint8_t kind[6];
        bool turns, slides;
        const char *line;
    } cases[] = {{3, {3, 3, 1}, false, false, "CHANNELS 2 Xrotation Yposition\n"},
                 {0, {0}, false, false, "CHANNELS 0\n"},
                 {3, {5, 0, 4}, true, false, "CHANNELS 3 Zrotation Xposition Yrotation\n"},
                 {3, {5, 0, 3}, true, false, "CHANNELS 4 Xposition Zrotation Xrotation Yrotation\n"},
                 {3, {5, 1, 4}, false, true, "CHANNELS 5 Xposition Yposition Zposition Zrotation Yrotation\n"},
                 {2, {0, 4}, true, true, "CHANNELS 2 Xposition Yrotation\n"},
                 {1, {3}, true, true, "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        hand_init(&h);
        h.scene.format = ER_FORMAT_BVH;
        hand_node(&h, "hip", -1, hand_at(0, 0, 0));
        hand_node(&h, "leg", 0, hand_at(0, 1, 0));
        h.node[0].channel_count = 0;
        h.node[1].channel_count = (uint8_t)cases[i].count;
        memcpy(h.node[1].channels, cases[i].kind, 6);
        er_channel channels[2];
        int count = 0;
        if (cases[i].slides) channels[count++] = (er_channel){1, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift};
        if (cases[i].turns) channels[count++] = (er_channel){1, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn};
        const er_clip clip = {"clip", 1.0, count, channels};
        const char *text = strstr(written(p, &h.scene, NULL, &clip, 4.0), "JOINT leg"), *got = strstr(text, "CHANNELS");
        if (strncmp(got, cases[i].line, strlen(cases[i].line)) != 0) fail_msg("case %zu: %.60s", i, got);
    }
}

// Control characters, also those of two bytes, and braces become "_". Outer spaces go.
static void names_have_no_controls_braces_or_outer_spaces(void **state)
{
    place *p = *state;
    static const char *const cases[][2] = {{"a b", "a b"},
                                           {"  a  b ", "a  b"},
                                           {"\x1f\x01\x7f~", "___~"},
                                           {"{a}|z", "_a_|z"},
                                           {"\xc2\x80\xc2\x9f.", "__."},
                                           {"\xc2\xa0\xc3\x85", "\xc2\xa0\xc3\x85"},
                                           {"   ", "joint 0"},
                                           {"", "joint 0"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        hand h;
        char line[64];
        hand_init(&h);
        hand_node(&h, cases[i][0], -1, hand_at(0, 0, 0));
        snprintf(line, sizeof line, "HIERARCHY\nROOT %s\n{\n", cases[i][1]);
        assert_memory_equal(written(p, &h.scene, NULL, NULL, 1.0), line, strlen(line));
    }
}

// Names that differ in how many spaces part their words, or in these and "_", are one to some reader; the first keeps
// its.
static void names_that_readers_take_for_one_get_numbers(void **state)
{
    place *p = *state;
    static const char *const cases[][2] = {{"a b", "a b"},   {"a_b", "a_b_2"}, {"a  b", "a  b_3"}, {"a_b_4", "a_b_4"},
                                           {"a b", "a b_5"}, {"a__b", "a__b"}, {"a _ b", "a _ b"}, {"a_b", "a_b_6"}};
    hand h;
    hand_init(&h);
    for (int i = 0; i < (int)ERI_COUNT(cases); ++i)
        hand_node(&h, cases[i][0], i - 1, hand_at(0, 1, 0));
    const char *text = written(p, &h.scene, NULL, NULL, 1.0);
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char line[64];
        snprintf(line, sizeof line, "%s %s\n", i == 0 ? "ROOT" : "JOINT", cases[i][1]);
        if (count_of(text, line) != 1) fail_msg("no \"%s\" in %s", line, text);
    }
}

// A leaf without a length has an end a tenth of the size above it; numbers that round to nothing have no sign.
static void a_leaf_without_a_length_ends_upwards(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    hand_node(&h, "a", -1, hand_at(0, 0, 0));
    hand_node(&h, "b", 0, hand_at(-1e-13, 4, -1e-13));
    hand_node(&h, "c", 1, hand_at(0, 0, 0));
    const char *text = written(p, &h.scene, NULL, NULL, 1.0);
    assert_int_equal(count_of(text, "OFFSET 0 4 0\n"), 1);
    assert_non_null(strstr(strstr(text, "JOINT c"), "OFFSET 0 0.4 0\n"));
    assert_int_equal(count_of(text, "-"), 0);
}

static er_result write_slowly(er_context *own, const er_scene *scene, int clip_count, const er_clip *clip,
                              const er_export_def *def, const char *path)
{
    (void)def;
    return er_bvh_write(own, scene, NULL, clip_count > 0 ? clip : NULL, 1.0, path);
}

static void a_dash_is_standard_output(void **state)
{
    place *p = *state;
    hand h;
    hand_init(&h);
    hand_node(&h, "a", -1, hand_at(1, 2, 3));
    assert_goes_to_standard_output(p, write_slowly, &h.scene, p->out);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(a_small_file_is_this),
        TEST(a_dash_is_standard_output),
        TEST(places_have_digits_by_the_size_of_all),
        TEST(lines_begin_with_sixty_four_tabs_at_most),
        TEST(a_place_can_be_written_to_a_googol),
        TEST(ends_are_of_leaves_unless_a_source_had_them),
        TEST(channels_of_a_source_come_once_in_its_order),
        TEST(names_have_no_controls_braces_or_outer_spaces),
        TEST(names_that_readers_take_for_one_get_numbers),
        TEST(a_leaf_without_a_length_ends_upwards),
    };
    return cmocka_run_group_tests_name("bvh_text", tests, NULL, NULL);
}
