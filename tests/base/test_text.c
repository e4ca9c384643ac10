// UTF-8 against its definition written out again, growing bytes against a plain array, numbers against printf().
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __GLIBC__
#include <fnmatch.h>
#endif

#include "base/buffer.h"
#include "base/number.h"
#include "base/platform.h"
#include "base/text.h"
#include "support/ledger.h"

typedef struct place {
    ledger ledger;
    er_context *context;
    er_arena *arena;
} place;

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->ledger.left = LEDGER_ALL;
    p->context = ledger_context(&p->ledger);
    assert_int_equal(eri_arena_create(p->context, &p->arena), ER_OK);
    *state = p;
    return 0;
}

static int end(void **state)
{
    place *p = *state;
    eri_arena_destroy(p->arena);
    ledger_end(&p->ledger, p->context);
    free(p);
    return 0;
}

// ---- Patterns

static void random_text(uint32_t *seed, const char *letters, int most, char *text)
{
    int length = (int)((*seed = *seed * 1664525u + 1013904223u) >> 8) % (most + 1);
    for (int i = 0; i < length; ++i)
        text[i] = letters[((*seed = *seed * 1664525u + 1013904223u) >> 8) % strlen(letters)];
    text[length] = '\0';
}

static void patterns_match_as_those_of_the_shell(void **state)
{
    static const char *const letters[] = {"aab**?", "ab*?[]!-\\", "ab[]^-:*", "a[:lph:]*b"};
    uint32_t seed = 7, answers = 0;
    char pattern[16], name[16];
    (void)state;
    for (int i = 0; i < 400000; ++i) {
        random_text(&seed, letters[i % 4], 9, pattern);
        random_text(&seed, i % 3 == 0 ? "ab]-[" : "ab", 7, name);
        bool matches = eri_platform_match(pattern, name);
#ifdef __GLIBC__ // musl has other opinions of odd sets, and Windows has no fnmatch()
        if (matches != (fnmatch(pattern, name, 0) == 0)) fail_msg("\"%s\" and \"%s\": not %d", pattern, name, matches);
#endif
        answers = 16777619u * answers + matches;
    }
    assert_int_equal(answers, 0xc432ec2d); // those of glibc, on every system
}

// ---- UTF-8

// The code point's bits in a sequence of so many bytes, whether that is allowed or not.
static void encode(unsigned code, int length, char text[5])
{
    static const unsigned lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    text[length] = '\0';
    for (int i = length - 1; i > 0; --i, code >>= 6)
        text[i] = (char)(0x80u | (code & 0x3Fu));
    text[0] = (char)(lead[length] | code);
}

static void a_plain_text_fits_and_is_seen(void **state)
{
    static const struct {
        const char *text, *plain;
    } cases[] = {{"", ""},
                 {"Höhe 漢 \xF0\x9F\x90\x8E", "Höhe 漢 \xF0\x9F\x90\x8E"},
                 {"a\tb\nc\x7F\x1B[31m", "a?b?c??[31m"},
                 {"\xC2\x9B\x9B"
                  "31m",
                  "??31m"}, // CSI as a character, and as a bare byte
                 {"a\xE2\x80\xAE"
                  "b\xE2\x80\xA8",
                  "a?b?"},                                                  // U+202E, U+2028
                 {"\xE2\x80\x8B\xEF\xBB\xBF\xF3\xA0\x81\x81", "???"},       // no width: U+200B, U+FEFF, U+E0041
                 {"\xC0\x9B\xE2\x80", "????"},                              // overlong, cut short
                 {"\xE2\x80\xA7\xE2\x80\xAF", "\xE2\x80\xA7\xE2\x80\xAF"}}; // the neighbours of those
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char out[64];
        assert_int_equal(er_text_plain(cases[i].text, out, strlen(cases[i].text) + 1), strlen(cases[i].plain));
        assert_string_equal(out, cases[i].plain);
        for (size_t size = 1; size <= strlen(cases[i].plain); ++size) { // cut between characters
            memset(out, 'x', sizeof out);
            size_t length = er_text_plain(cases[i].text, out, size);
            assert_true(length < size && size - length <= 4 && eri_utf8_valid(out));
            assert_memory_equal(out, cases[i].plain, length);
            assert_int_equal(out[length], '\0');
            assert_int_equal(out[length + 1], 'x');
        }
    }
}

static void sequences_are_those_of_the_standard(void **state)
{
    static const unsigned room[] = {0, 0x80, 0x800, 0x10000, 0x200000}; // code points that so many bytes hold
    for (int length = 2; length <= 4; ++length)
        for (unsigned code = 0; code < room[length]; ++code) {
            bool right = code >= room[length - 1] && (code < 0xD800 || code > 0xDFFF) && code <= 0x10FFFF;
            char text[5];
            encode(code, length, text);
            if (eri_utf8_length(text) != (right ? (size_t)length : 0))
                fail_msg("U+%04X in %d bytes: %zu", code, length, eri_utf8_length(text));
        }
    for (unsigned c = 0; c < 0x100; ++c) {
        const char text[2] = {(char)c, '\0'};
        assert_int_equal(eri_utf8_length(text), c > 0 && c < 0x80);
    }
}

static void a_sequence_is_whole(void **state)
{
    static const char *const whole[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\xA6\x8A"};
    for (size_t i = 0; i < ERI_COUNT(whole); ++i)
        for (size_t length = strlen(whole[i]), broken = 1; broken < length; ++broken) {
            char cut[5] = "", other[6] = "";
            memcpy(cut, whole[i], broken);
            memcpy(other, whole[i], length);
            assert_int_equal(eri_utf8_length(cut), 0);
            other[broken] = 'a';
            assert_int_equal(eri_utf8_length(other), 0);
            other[broken] = '\xC3';
            assert_int_equal(eri_utf8_length(other), 0);
        }
}

static void broken_text_is_repaired(void **state)
{
    place *p = *state;
    static const struct {
        const char *text, *repaired;
    } cases[] = {{"", ""},
                 {"Pfote \xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\x8A", "Pfote \xC3\xA9\xE2\x82\xAC\xF0\x9F\xA6\x8A"},
                 {"a\xFF"
                  "b\xC3",
                  "a\xEF\xBF\xBD"
                  "b\xEF\xBF\xBD"},
                 {"\x80\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        assert_int_equal(eri_utf8_valid(cases[i].text), strcmp(cases[i].text, cases[i].repaired) == 0);
        assert_string_equal(eri_utf8_repair(p->arena, cases[i].text), cases[i].repaired);
    }
    enum { BROKEN = 2000 }; // each byte becomes three, which are its own until the end
    char broken[BROKEN + 1] = "";
    memset(broken, '\x80', BROKEN);
    const char *repaired = eri_utf8_repair(p->arena, broken);
    assert_non_null(eri_arena_alloc(p->arena, 4 * BROKEN, 1));
    for (int i = 0; i < BROKEN; ++i)
        assert_memory_equal(repaired + 3 * i, "\xEF\xBF\xBD", 3);
    assert_int_equal(strlen(repaired), 3 * BROKEN);
    p->ledger.left = 0;
    char *long_text = malloc(1 << 20);
    assert_non_null(long_text);
    memset(long_text, 'x', (1 << 20) - 1);
    long_text[(1 << 20) - 1] = '\0';
    assert_null(eri_utf8_repair(p->arena, long_text));
    free(long_text);
}

// ---- bytes that grow

static void pieces_make_the_whole(void **state)
{
    place *p = *state;
    enum { MOST = 3 << 20 };
    char *whole = malloc(MOST), *piece = malloc(1 << 16);
    assert_true(whole != NULL && piece != NULL);
    eri_buffer buffer = {.arena = p->arena};
    size_t size = 0;
    unsigned seed = 1;
    for (int i = 0; size < MOST - (1 << 16); ++i) {
        seed = seed * 1664525u + 1013904223u;
        size_t count = (seed >> 8) % (i % 10 == 0 ? 1 << 16 : 500);
        for (size_t k = 0; k < count; ++k)
            piece[k] = (char)('a' + (i + (int)k) % 26);
        piece[count] = '\0';
        if (i % 3 == 0)
            eri_buffer_add(&buffer, piece, count);
        else if (i % 3 == 1)
            eri_buffer_text(&buffer, piece);
        else
            memcpy(eri_buffer_grow(&buffer, count), piece, count);
        memcpy(whole + size, piece, count);
        size += count;
        assert_true(buffer.size == size && buffer.size <= buffer.capacity);
    }
    assert_int_equal(buffer.failure, ER_OK);
    assert_memory_equal(buffer.bytes, whole, size);
    free(piece);
    free(whole);
}

// One piece that is larger than all before it twice over.
static void a_long_text_fits_at_once(void **state)
{
    place *p = *state;
    static const size_t sizes[] = {4095, 4096, 4097, 8192, 8193, 100000};
    for (size_t i = 0; i < ERI_COUNT(sizes); ++i)
        for (int before = 0; before <= 5; before += 5) {
            eri_buffer buffer = {.arena = p->arena};
            char *text = malloc(sizes[i] + 1);
            assert_non_null(text);
            memset(text, 'x', sizes[i]);
            text[sizes[i]] = '\0';
            eri_buffer_add(&buffer, "first", (size_t)before);
            eri_buffer_text(&buffer, text);
            eri_buffer_text(&buffer, "!");
            assert_int_equal(buffer.size, (size_t)before + sizes[i] + 1);
            assert_true(buffer.capacity >= buffer.size);
            assert_memory_equal(buffer.bytes, "first", (size_t)before);
            assert_memory_equal(buffer.bytes + before, text, sizes[i]);
            assert_int_equal(buffer.bytes[buffer.size - 1], '!');
            free(text);
        }
}

static void a_buffer_grows_when_it_is_full(void **state)
{
    place *p = *state;
    eri_buffer buffer = {.arena = p->arena};
    assert_non_null(eri_buffer_grow(&buffer, 0));
    size_t room = buffer.capacity;
    assert_true(room > 1 && buffer.size == 0);
    eri_buffer_grow(&buffer, room - 1);
    eri_buffer_add(&buffer, "x", 1);
    assert_true(buffer.size == room && buffer.capacity == room);
    eri_buffer_add(&buffer, "y", 1);
    assert_int_equal(buffer.capacity, 2 * room);
}

static void printed_text_is_never_cut(void **state)
{
    place *p = *state;
    for (int width = 0; width < 1000; ++width) {
        eri_buffer buffer = {.arena = p->arena};
        eri_buffer_printf(&buffer, "%s%*d%s", "a", width, 7, "b");
        char expected[1100];
        size_t length = (size_t)snprintf(expected, sizeof expected, "%s%*d%s", "a", width, 7, "b");
        assert_int_equal(buffer.size, length);
        assert_memory_equal(buffer.bytes, expected, length);
    }
    eri_buffer buffer = {.arena = p->arena};
    eri_buffer_printf(&buffer, "%s", "");
    eri_buffer_add(&buffer, NULL, 0);
    assert_true(buffer.size == 0 && buffer.failure == ER_OK);
    assert_non_null(eri_buffer_grow(&buffer, 0));
    eri_buffer_number(&buffer, -0.1);
    assert_int_equal(buffer.size, 4);
    assert_memory_equal(buffer.bytes, "-0.1", 4);
}

static void a_failure_stays(void **state)
{
    place *p = *state;
    eri_buffer buffer = {.arena = p->arena};
    eri_buffer_text(&buffer, "before");
    p->ledger.left = 0;
    char *large = calloc(1, 1 << 20);
    assert_non_null(large);
    eri_buffer_add(&buffer, large, 1 << 20);
    assert_int_equal(buffer.failure, ER_ERROR_MEMORY);
    p->ledger.left = LEDGER_ALL;
    eri_buffer_text(&buffer, "after");
    eri_buffer_printf(&buffer, "%d", 1);
    eri_buffer_number(&buffer, 1.0);
    assert_null(eri_buffer_grow(&buffer, 1));
    assert_int_equal(buffer.failure, ER_ERROR_MEMORY);
    assert_int_equal(buffer.size, 6);
    assert_memory_equal(buffer.bytes, "before", 6);
    free(large);
    eri_buffer refused = {.arena = p->arena, .failure = ER_ERROR_FILE}; // its owner's
    eri_buffer_text(&refused, "x");
    assert_true(refused.size == 0 && refused.failure == ER_ERROR_FILE);
    eri_buffer endless = {.arena = p->arena};
    eri_buffer_text(&endless, "x");
    assert_null(eri_buffer_grow(&endless, SIZE_MAX));
    assert_true(endless.size == 1 && endless.failure == ER_ERROR_MEMORY);
}

// ---- numbers

static void numbers_are_as_printed_in_the_c_locale(void **state)
{
    uint64_t bits = 1;
    for (int i = 0; i < 100000; ++i) {
        char text[ERI_NUMBER_PLACES_ROOM], expected[ERI_NUMBER_PLACES_ROOM];
        double x = i % 2 == 0 ? (i - 50000) / 64.0 : 0.0;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        if (i % 2 == 1) memcpy(&x, &bits, sizeof x);
        if (isnan(x)) continue;
        int digits = 1 + i % 17, places = i % (ERI_NUMBER_PLACES + 1);
        int length = snprintf(expected, sizeof expected, "%.*g", digits, x);
        assert_int_equal(eri_number_digits(x, digits, text), length);
        assert_string_equal(text, expected);
        length = snprintf(expected, sizeof expected, "%.*f", places, x);
        assert_int_equal(eri_number_places(x, places, text), length);
        assert_string_equal(text, expected);
    }
    char longest[ERI_NUMBER_PLACES_ROOM];
    assert_true(eri_number_places(-1.7976931348623157e308, ERI_NUMBER_PLACES, longest) < ERI_NUMBER_PLACES_ROOM);
    assert_true(eri_number_digits(-2.2250738585072014e-308, 17, longest) < ERI_NUMBER_ROOM);
}

static void a_stream_keeps_its_text_in_memory(void **state)
{
    (void)state;
    for (int lines = 0; lines <= 20000; lines += 10000) {
        char *text = NULL, line[32];
        size_t size = 99, at = 0;
        FILE *stream = eri_platform_text_stream(&text, &size);
        assert_non_null(stream);
        for (int i = 0; i < lines; ++i)
            fprintf(stream, "%d\n", i); // no CR on Windows
        assert_int_equal(eri_platform_text_end(stream, &text, &size), 0);
        assert_int_equal(strlen(text), size);
        for (int i = 0; i < lines; ++i, at += strlen(line)) {
            snprintf(line, sizeof line, "%d\n", i);
            assert_memory_equal(text + at, line, strlen(line));
        }
        assert_int_equal(at, size);
        free(text);
    }
}

static void numbers_have_a_point_in_every_locale(void **state)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"}; // those that are there
    for (size_t i = 0; i < ERI_COUNT(locales); ++i) {
        if (setlocale(LC_NUMERIC, locales[i]) == NULL) continue;
        char text[ERI_NUMBER_PLACES_ROOM];
        eri_number_text(1234.5, text);
        assert_string_equal(text, "1234.5");
        eri_number_digits(1234.5, 9, text);
        assert_string_equal(text, "1234.5");
        eri_number_places(1234.5, 2, text);
        assert_string_equal(text, "1234.50");
    }
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_those_of_the_shell),
        cmocka_unit_test(sequences_are_those_of_the_standard),
        cmocka_unit_test(a_sequence_is_whole),
        cmocka_unit_test(a_plain_text_fits_and_is_seen),
        cmocka_unit_test_setup_teardown(broken_text_is_repaired, begin, end),
        cmocka_unit_test_setup_teardown(pieces_make_the_whole, begin, end),
        cmocka_unit_test_setup_teardown(a_long_text_fits_at_once, begin, end),
        cmocka_unit_test_setup_teardown(a_buffer_grows_when_it_is_full, begin, end),
        cmocka_unit_test_setup_teardown(printed_text_is_never_cut, begin, end),
        cmocka_unit_test_setup_teardown(a_failure_stays, begin, end),
        cmocka_unit_test(a_stream_keeps_its_text_in_memory),
        cmocka_unit_test(numbers_are_as_printed_in_the_c_locale),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
