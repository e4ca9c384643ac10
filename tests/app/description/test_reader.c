// Values of options, as texts and in tables of a Lua state of the test's own: what is taken, and what is said of the
// rest.
#include <limits.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "tables.h"

static double least, most, number;
static int whole, greatest;

static void read_number_a(reader *r, int table)
{
    number = reader_number(r, table, "a", least, most, 9.0);
}

static void numbers_are_within_their_bounds(void **state)
{
    static const struct {
        const char *table;
        double least, most, value;
        const char *says;
    } rows[] = {{"{a = 1}", 1, 5, 1, ""},
                {"{a = 5, b = 7}", 1, 5, 5, ""},
                {"{}", 1, 5, 9, ""},
                {"{a = 0.9}", 1, 5, 0, "a: "},
                {"{a = 5.5}", 1, 5, 0, "a: "},
                {"{a = '3'}", 1, 5, 0, "a: "},
                {"{a = 0}", 1, HUGE_VAL, 0, "a: "},
                {"{a = math.huge}", 1, HUGE_VAL, HUGE_VAL, ""},
                {"{a = true}", -HUGE_VAL, HUGE_VAL, 0, "a: "},
                {"{a = -1e300}", -HUGE_VAL, HUGE_VAL, -1e300, ""}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        least = rows[i].least;
        most = rows[i].most;
        expect_said(rows[i].table, read_number_a, rows[i].says);
        assert_true(*rows[i].says != '\0' || number == rows[i].value);
    }
    least = -HUGE_VAL;
    expect_said("{a = 0/0}", read_number_a, "a: ");
}

static void read_whole_a(reader *r, int table)
{
    whole = reader_whole(r, table, "a", 2, greatest, 4);
}

static void whole_numbers_are_whole_and_within_their_bounds(void **state)
{
    static const struct {
        const char *table;
        int most, value;
        const char *says;
    } rows[] = {{"{a = 2}", 7, 2, ""},
                {"{a = 7.0}", 7, 7, ""},
                {"{b = 5}", 7, 4, ""},
                {"{a = 1}", 7, 0, "a: "},
                {"{a = 8}", 7, 0, "a: "},
                {"{a = 2.5}", 7, 0, "a: "},
                {"{a = '3'}", 7, 0, "a: "},
                {"{a = 2147483647}", INT_MAX, INT_MAX, ""},
                {"{a = 2147483648}", INT_MAX, 0, "a: "}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        greatest = rows[i].most;
        expect_said(rows[i].table, read_whole_a, rows[i].says);
        assert_true(*rows[i].says != '\0' || whole == rows[i].value);
    }
}

static bool otherwise, flag;

static void read_flag_a(reader *r, int table)
{
    flag = reader_flag(r, table, "a", otherwise);
}

static char text[64];

static void read_text_a(reader *r, int table)
{
    snprintf(text, sizeof text, "%s", reader_text(r, table, "a", "none"));
}

static void read_names_a(reader *r, int table)
{
    if (!reader_field(r, table, "a")) return;
    snprintf(text, sizeof text, "%s", reader_top_names(r));
    reader_done(r);
}

static void flags_texts_and_names_are_told_apart(void **state)
{
    for (int k = 0; k < 2; ++k) {
        otherwise = k == 1;
        expect_said("{}", read_flag_a, "");
        assert_true(flag == otherwise);
        expect_said("{a = true}", read_flag_a, "");
        assert_true(flag);
        expect_said("{a = false}", read_flag_a, "");
        assert_false(flag);
    }
    expect_said("{a = 1}", read_flag_a, "a: ");
    expect_said("{a = 'x y'}", read_text_a, "");
    assert_string_equal(text, "x y");
    expect_said("{}", read_text_a, "");
    assert_string_equal(text, "none");
    expect_said("{a = 5}", read_text_a, "a: ");
    expect_said("{a = 'x\\0y'}", read_text_a, "a: ");
    static const struct {
        const char *table, *names;
    } rows[] = {{"{a = 'one'}", "one"}, {"{a = {'one', 'two', 'three'}}", "one,two,three"}, {"{a = {}}", ""}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        expect_said(rows[i].table, read_names_a, "");
        assert_string_equal(text, rows[i].names);
    }
    expect_said("{a = {'one', 2}}", read_names_a, "a: ");
    expect_said("{a = {'x\\0y'}}", read_names_a, "a: ");
    expect_said("{a = 7}", read_names_a, "a: ");
}

static int choices;

static void read_choice_a(reader *r, int table)
{
    static const char *const words[] = {"ab", "cd", "ef", "gh"};
    whole = reader_choice(r, table, "a", words, choices, 8);
}

static void a_choice_is_one_of_its_words(void **state)
{
    static const struct {
        const char *table;
        int count, value;
        const char *says;
    } rows[] = {{"{a = 'ab'}", 3, 0, ""},    {"{a = 'ef'}", 3, 2, ""},    {"{}", 3, 8, ""},
                {"{a = 'gh'}", 3, 0, "a: "}, {"{a = 'ef'}", 2, 0, "a: "}, {"{a = 1}", 2, 0, "a: "}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        choices = rows[i].count;
        expect_said(rows[i].table, read_choice_a, rows[i].says);
        assert_true(*rows[i].says != '\0' || whole == rows[i].value);
    }
}

// ---- keys and paths

static const char *const two_keys[] = {"length", "width", NULL}, *const four_keys[] = {"ab", "cd", "ef", "gh", NULL};

static void check_two(reader *r, int table)
{
    reader_check_keys(r, table, two_keys);
}

static void check_four_words(reader *r, int table)
{
    reader_check_words(r, table, four_keys);
}

static void check_inside(reader *r, int table)
{
    if (!reader_field(r, table, "in")) return;
    reader_enter(r, "[3]");
    reader_check_keys(r, -1, two_keys);
    reader_leave(r);
    reader_done(r);
}

static void enter_too_deep(reader *r, int table)
{
    (void)table;
    for (int i = 0; i < READER_DEPTH; ++i)
        reader_enter(r, "a");
    number = r->depth;
    reader_enter(r, "a");
}

static void keys_are_known_words(void **state)
{
    expect_said("{}", check_two, "");
    expect_said("{length = 1, width = 2}", check_two, "");
    expect_said("{lenght = 1}", check_two, "lenght: ");
    assert_non_null(strstr(said_of("{lenght = 1}", check_two), " length"));
    expect_said("{xyz = 1}", check_two, "xyz: ");
    assert_non_null(strstr(said_of("{xyz = 1}", check_two), "length and width"));
    expect_said("{7}", check_two, "1: not known here; known are length and width");
    expect_said("5", check_two, "expected a table, not 5");
    expect_said("{5, 6, ab = 1, gh = 2}", check_four_words, "");
    expect_said("{5, xyz = 1}", check_four_words, "xyz: ");
    expect_said("{['in'] = {xyz = 1}}", check_inside, "in[3].xyz: ");
    expect_said("{['in'] = {width = 1}}", check_inside, "");
    expect_said("{}", enter_too_deep, "tables");
    assert_true(number == READER_DEPTH);
}

// ---- settings, in tables and as texts

typedef struct fields {
    double before, number;
    const char *name;
    int count, choice;
    bool flag;
} fields;

static const char *const words[] = {"one", "two", "three", NULL};
static fields out;
static setting of;

static void read_setting_a(reader *r, int table)
{
    flag = reader_setting(r, table, "a", &of, &out);
}

#define FIELD(kind, field)                                                                                             \
    {                                                                                                                  \
        kind, offsetof(fields, field), .least = 1, .most = 5, .choices = words                                         \
    }

static void a_setting_of_a_table_goes_to_its_field(void **state)
{
    static const setting each[] = {FIELD(SETTING_NUMBER, number), FIELD(SETTING_TEXT, name), FIELD(SETTING_FLAG, flag),
                                   FIELD(SETTING_WHOLE, count), FIELD(SETTING_CHOICE, choice)};
    static const char *const good[] = {"{a = 5}", "{a = 'x'}", "{a = true}", "{a = 5}", "{a = 'three'}"};
    static const char *const bad[] = {"{a = 0}", "{a = 1}", "{a = 1}", "{a = 6}", "{a = 'four'}"};
    static const char *const says[] = {"a: ", "a: ", "a: ", "a: ", "a: "};
    for (int i = 0; i < 5; ++i) {
        out = (fields){.before = 7.0};
        of = each[i];
        expect_said("{b = 1}", read_setting_a, "");
        assert_false(flag);
        expect_said(bad[i], read_setting_a, says[i]);
        assert_true(out.number == 0.0 && out.name == NULL && !out.flag && out.count == 0 && out.choice == 0);
        expect_said(good[i], read_setting_a, "");
        assert_true(flag && out.before == 7.0);
        assert_true(out.number == (i == 0 ? 5.0 : 0.0) && out.flag == (i == 2));
        assert_true(out.count == (i == 3 ? 5 : 0) && out.choice == (i == 4 ? 2 : 0) && (out.name != NULL) == (i == 1));
    }
    of = (setting){SETTING_NUMBER, offsetof(fields, number), .least = 1, .most = 5, .above = true, .unit = 0.5};
    expect_said("{a = 1}", read_setting_a, "a: ");
    expect_said("{a = 3}", read_setting_a, "");
    assert_true(out.number == 1.5);
}

static void a_setting_is_read_from_a_text(void **state)
{
    const setting number_of = FIELD(SETTING_NUMBER, number), count = FIELD(SETTING_WHOLE, count);
    setting above = number_of, long_way = {SETTING_NUMBER, offsetof(fields, number), .most = 5, .length = true};
    above.above = true;
    above.unit = 3.0;
    const struct {
        const setting *of;
        const char *text;
        bool taken;
        double value;
    } rows[] = {
        {&number_of, "1", true, 1},     {&number_of, "5", true, 5},      {&number_of, "0.5", false, 0},
        {&number_of, "5.5", false, 0},  {&number_of, "2x", false, 0},    {&number_of, "", false, 0},
        {&number_of, "nan", false, 0},  {&number_of, "inf", false, 0},   {&number_of, "2m", false, 0},
        {&above, "1", false, 0},        {&above, "1.5", true, 4.5},      {&count, "3", true, 3},
        {&count, "3.5", false, 0},      {&count, "6", false, 0},         {&count, "5", true, 5},
        {&long_way, "2", true, 2},      {&long_way, "2m", true, 2},      {&long_way, "2.5cm", true, 0.025},
        {&long_way, "4000mm", true, 4}, {&long_way, "6000mm", false, 0}, {&long_way, "m", false, 0},
        {&long_way, "mm", false, 0},    {&long_way, "2 m", false, 0},    {&long_way, "2km", false, 0},
        {&long_way, "2 ", false, 0},
    };
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        out = (fields){0};
        if (setting_read(rows[i].of, rows[i].text, &out) != rows[i].taken) fail_msg("\"%s\"", rows[i].text);
        assert_true(fabs((rows[i].of == &count ? out.count : out.number) - rows[i].value) < 1e-15);
    }
    char digits[80] = "2.";
    for (int length = 63; length <= 64; ++length) { // the longest number before a unit
        memset(digits + 2, '0', (size_t)length - 2);
        strcpy(digits + length, "m");
        assert_int_equal(setting_read(&long_way, digits, &out), length == 63);
    }
    const setting name = FIELD(SETTING_TEXT, name), flag_of = FIELD(SETTING_FLAG, flag);
    const setting choice = FIELD(SETTING_CHOICE, choice), other = FIELD(SETTING_OTHER, number);
    out = (fields){0};
    assert_true(setting_read(&name, "x", &out) && strcmp(out.name, "x") == 0);
    assert_true(setting_read(&flag_of, NULL, &out) && out.flag);
    assert_true(setting_read(&choice, "two", &out) && out.choice == 1);
    assert_false(setting_read(&choice, "four", &out));
    assert_int_equal(out.choice, 1);
    assert_false(setting_read(&other, "1", &out));
    assert_true(out.number == 0.0 && out.before == 0.0);
}

// ---- values

static er_vec3 vector;
static er_quat quat;

static void read_vector(reader *r, int table)
{
    lua_pushnil(r->L);
    flag = reader_to_vec3(r->L, table, &vector);
}

static void read_quat(reader *r, int table)
{
    lua_pushnil(r->L);
    flag = reader_to_quat(r->L, table, &quat);
}

static void read_way(reader *r, int table)
{
    (void)table;
    vector = reader_top_way(r);
}

static void push_array(reader *r, int table)
{
    const char *byte = reader_push_array(r->L, 1000, 8);
    (void)table;
    number = 0.0;
    for (int i = 0; i < 8000; ++i)
        number += byte[i] != 0;
    reader_push_array(r->L, 0, 8);
    reader_push_array(r->L, 5, 0);
    reader_push_array(r->L, (size_t)1 << 61, 8);
}

static void put_class(const char *class, const void *value, size_t size)
{
    memcpy(lua_newuserdatauv(L, size, 0), value, size);
    luaL_newmetatable(L, class);
    lua_setmetatable(L, -2);
    lua_setglobal(L, "value");
}

static void vectors_and_quaternions_are_tables_or_objects(void **state)
{
    static const char *const none[] = {"{1, 2}", "{1, 2, 3, 4, 5}", "{1, 2, '3'}", "{}", "5", "'x'"};
    for (size_t i = 0; i < ERI_COUNT(none); ++i) {
        expect_said(none[i], read_vector, "");
        assert_false(flag);
        expect_said(none[i], read_quat, "");
        assert_false(flag);
    }
    expect_said("{1, 2, 3}", read_vector, "");
    assert_true(flag && vector.x == 1.0 && vector.y == 2.0 && vector.z == 3.0);
    expect_said("{1, 2, 3}", read_quat, "");
    assert_false(flag);
    expect_said("{1, 2, 3, 4}", read_vector, "");
    assert_false(flag);
    expect_said("{2, -4, 5, 6}", read_quat, ""); // of size 9
    assert_true(flag && fabs(quat.w - 2.0 / 9.0) + fabs(quat.x + 4.0 / 9.0) < 1e-15);
    assert_true(fabs(quat.y - 5.0 / 9.0) + fabs(quat.z - 6.0 / 9.0) < 1e-15);
    static const char *const sizeless[] = {"{0, 0, 0, 0}", "{1e200, 0, 0, 0}", "{0, 0, 0, 0/0}"};
    for (size_t i = 0; i < ERI_COUNT(sizeless); ++i) {
        expect_said(sizeless[i], read_quat, "");
        assert_false(flag);
    }
    const er_vec3 v = {4, 5, 6};
    const er_quat q = {0, 0, 3, 0};
    put_class(READER_VEC3, &v, sizeof v);
    expect_said("value", read_vector, "");
    assert_true(flag && vector.x == 4.0 && vector.y == 5.0 && vector.z == 6.0);
    expect_said("value", read_quat, "");
    assert_false(flag);
    put_class(READER_QUAT, &q, sizeof q);
    expect_said("value", read_quat, "");
    assert_true(flag && quat.y == 1.0 && quat.w == 0.0);
    expect_said("{}", push_array, "not enough memory");
    assert_true(number == 0.0);
}

static void a_way_is_an_axis_or_a_vector(void **state)
{
    static const char *const axes[] = {"'x'", "'y'", "'z'", "'-x'", "'-y'", "'-z'"};
    for (int i = 0; i < 6; ++i) {
        expect_said(axes[i], read_way, "");
        double s = i < 3 ? 1.0 : -1.0;
        const double at[3] = {i % 3 == 0 ? s : 0.0, i % 3 == 1 ? s : 0.0, i % 3 == 2 ? s : 0.0};
        assert_true(vector.x == at[0] && vector.y == at[1] && vector.z == at[2]);
    }
    expect_said("{0, 3, 4}", read_way, "");
    assert_true(vector.y == 3.0 && vector.z == 4.0);
    static const char *const none[] = {"'w'", "{0, 0, 0}", "5", "{1}"};
    for (size_t i = 0; i < ERI_COUNT(none); ++i)
        expect_said(none[i], read_way, "expected x, -z and so on, or a vector that is not 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_within_their_bounds),
        cmocka_unit_test(whole_numbers_are_whole_and_within_their_bounds),
        cmocka_unit_test(flags_texts_and_names_are_told_apart),
        cmocka_unit_test(a_choice_is_one_of_its_words),
        cmocka_unit_test(keys_are_known_words),
        cmocka_unit_test(a_setting_of_a_table_goes_to_its_field),
        cmocka_unit_test(a_setting_is_read_from_a_text),
        cmocka_unit_test(vectors_and_quaternions_are_tables_or_objects),
        cmocka_unit_test(a_way_is_an_axis_or_a_vector),
    };
    return cmocka_run_group_tests_name("reader", tests, set_up_lua, tear_down_lua);
}
