// Contexts and arenas: what they take and give back, by a ledger, and what the address sanitizer sees of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/sanitizer.h"
#include "support/ledger.h"

enum { SMALL = 24, LARGE = 1 << 20, MIB = 1 << 20 }; // bytes; large blocks stay with the context

typedef struct memory {
    ledger ledger;
    er_context *context;
    er_arena *arena;
} memory;

static int begin_counted(void **state)
{
    memory *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->ledger.left = LEDGER_ALL;
    m->context = ledger_context(&m->ledger);
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
    *state = m;
    return 0;
}

static int end_counted(void **state)
{
    memory *m = *state;
    eri_arena_destroy(m->arena);
    ledger_end(&m->ledger, m->context);
    free(m);
    return 0;
}

// ---- contexts

static void a_context_is_made_whole_or_not_at_all(void **state)
{
    ledger l = {.left = 0};
    er_context *context = (er_context *)(void *)&l;
    er_context_def def = er_default_context_def();
    assert_true(def.flush && def.user == NULL);
    assert_int_equal(er_context_create(NULL, NULL), ER_ERROR_ARGUMENT);
    def.allocate = NULL;
    assert_int_equal(er_context_create(&def, &context), ER_ERROR_ARGUMENT);
    assert_null(context);
    def = er_default_context_def();
    def.release = NULL;
    assert_int_equal(er_context_create(&def, &context), ER_ERROR_ARGUMENT);
    def = ledger_def(&l);
    assert_int_equal(er_context_create(&def, &context), ER_ERROR_MEMORY);
    assert_null(context);
    l.left = 1;
    assert_int_equal(er_context_create(&def, &context), ER_OK);
    assert_string_equal(er_context_error(context), "");
    assert_true(eri_context_flushes(context));
    er_arena *arena = (er_arena *)(void *)&l;
    assert_int_equal(eri_arena_create(context, &arena), ER_ERROR_MEMORY);
    assert_null(arena);
    assert_string_equal(er_context_error(context), "out of memory");
    er_context_destroy(context);
    assert_int_equal(l.held, 0);
    def.flush = false;
    l.left = 1;
    assert_int_equal(er_context_create(&def, &context), ER_OK);
    assert_false(eri_context_flushes(context));
    er_context_destroy(context);
    assert_string_equal(er_context_error(NULL), "");
    assert_int_equal(er_fail(NULL, ER_ERROR_RIG, "%d", 1), ER_ERROR_RIG);
}

static void results_have_their_names(void **state)
{
#define NAMED(result) assert_string_equal(er_result_name(result), #result)
    NAMED(ER_OK);
    NAMED(ER_ERROR_ARGUMENT);
    NAMED(ER_ERROR_MEMORY);
    NAMED(ER_ERROR_FILE);
    NAMED(ER_ERROR_FORMAT);
    NAMED(ER_ERROR_IMPORT);
    NAMED(ER_ERROR_RIG);
    NAMED(ER_ERROR_NOT_POSDEF);
    NAMED(ER_ERROR_NO_CONVERGENCE);
    NAMED(ER_ERROR_SYSTEM);
    assert_string_equal(er_result_name((er_result)(ER_ERROR_SYSTEM + 1)), "unknown result");
}

static void a_path_ends_in_its_format(void **state)
{
    assert_true(er_path_ends_in("fox.glb", ".glb"));
    assert_true(er_path_ends_in("f.GLB", ".glb"));
    assert_false(er_path_ends_in(".glb", ".glb"));
    assert_false(er_path_ends_in("glb", ".glb"));
    assert_false(er_path_ends_in("fox.glb.bak", ".glb"));
    assert_false(er_path_ends_in("fox.gltf", ".glb"));
}

// ---- arenas

static void fill(er_arena *arena, int count, size_t size)
{
    for (int i = 0; i < count; ++i) {
        unsigned char *bytes = eri_arena_alloc(arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % 64, 0);
        for (size_t k = 0; k < size; ++k)
            if (bytes[k] != 0) fail_msg("byte %zu of %zu is not zero", k, size);
        memset(bytes, 0xA5, size);
    }
}

static void the_same_work_again_allocates_nothing(void **state)
{
    memory *m = *state;
    fill(m->arena, 300, 1000);
    fill(m->arena, 3, LARGE);
    long taken = m->ledger.asked;
    for (int i = 0; i < 5; ++i) {
        eri_arena_reset(m->arena);
        fill(m->arena, 300, 1000);
        fill(m->arena, 3, LARGE);
    }
    assert_int_equal(m->ledger.asked, taken);
}

// The arena itself costs an allocation.
static void what_an_arena_left_serves_the_next(void **state)
{
    memory *m = *state;
    fill(m->arena, 1, LARGE);
    eri_arena_destroy(m->arena);
    assert_true(m->ledger.bytes >= LARGE);
    long taken = m->ledger.asked;
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
    fill(m->arena, 1, LARGE);
    eri_arena_reset(m->arena);
    fill(m->arena, 1, LARGE / 3); // no more than four times too large
    assert_int_equal(m->ledger.asked, taken + 1);
    eri_arena_reset(m->arena);
    fill(m->arena, 1, LARGE / 5);
    assert_int_equal(m->ledger.asked, taken + 2);
}

static void a_spare_block_serves_again_and_again(void **state)
{
    memory *m = *state;
    assert_non_null(eri_arena_reserve(m->arena, (size_t)20 * MIB, 1));
    long taken = m->ledger.asked;
    for (int i = 1; i <= 10; ++i) { // more in all than a context keeps
        eri_arena_destroy(m->arena);
        assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
        assert_non_null(eri_arena_reserve(m->arena, (size_t)20 * MIB, 1));
        assert_int_equal(m->ledger.asked, taken + i);
    }
}

static void the_smallest_block_that_fits_is_taken(void **state)
{
    memory *m = *state;
    static const int thirds[] = {6, 4, 5}; // of a MiB, kept in this order
    er_arena *arena[3];
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(eri_arena_create(m->context, &arena[i]), ER_OK);
        fill(arena[i], 1, (size_t)thirds[i] * (MIB / 3));
    }
    for (int i = 0; i < 3; ++i)
        eri_arena_destroy(arena[i]);
    long taken = m->ledger.asked;
    for (int i = 0; i < 3; ++i) { // each leaves the larger ones to those after it
        assert_int_equal(eri_arena_create(m->context, &arena[i]), ER_OK);
        fill(arena[i], 1, (size_t)(4 + i) * (MIB / 3) - 128);
    }
    assert_int_equal(m->ledger.asked, taken + 3);
    for (int i = 0; i < 3; ++i)
        eri_arena_destroy(arena[i]);
}

static void small_blocks_go_back_at_once(void **state)
{
    memory *m = *state;
    fill(m->arena, 1, 1000);
    long held = m->ledger.held;
    eri_arena_destroy(m->arena);
    assert_int_equal(m->ledger.held, held - 2);
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
}

static void a_context_keeps_128_mib_at_most(void **state)
{
    memory *m = *state;
    size_t empty = m->ledger.bytes;
    for (int i = 0; i < 10; ++i)
        assert_non_null(eri_arena_reserve(m->arena, (size_t)20 * MIB, 1));
    eri_arena_destroy(m->arena);
    assert_true(m->ledger.bytes <= (size_t)128 * MIB + empty);
    assert_true(m->ledger.bytes >= (size_t)100 * MIB);
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
}

// 64 KiB to 128 MiB, both among them: what an arena takes with its third block, and the eighth of its largest.
static void what_a_context_keeps_has_exact_limits(void **state)
{
    memory *m = *state;
    static const size_t behind = ERI_SANITIZED ? 64 : 0;
    for (int more = -1; more <= 0; ++more) {
        assert_non_null(eri_arena_reserve(m->arena, (size_t)65536 + (size_t)(64 * (1 + more)) - 64 - behind, 1));
        long held = m->ledger.held;
        eri_arena_destroy(m->arena);
        assert_int_equal(m->ledger.held, held - (more < 0 ? 2 : 1));
        assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
    }
    fill(m->arena, 1, 40000); // of the one that is kept
    er_arena *other = NULL;
    assert_int_equal(eri_arena_create(m->context, &other), ER_OK);
    for (int i = 0; i < 9; ++i)
        assert_non_null(eri_arena_reserve(other, (size_t)16 * MIB - behind, 1));
    long held = m->ledger.held;
    eri_arena_destroy(other);
    assert_int_equal(m->ledger.held, held - 2);
}

// Blocks double, up to 16 MiB: few allocations, and little that is not asked for.
static void an_arena_takes_little_more_than_it_is_asked_for(void **state)
{
    memory *m = *state;
    size_t empty = m->ledger.bytes;
    long taken = m->ledger.asked;
    fill(m->arena, 1, 64);
    assert_non_null(
        eri_arena_reserve(m->arena, 16384 - 64 - (ERI_SANITIZED ? 2 * 64 : 0), 1)); // all that is left of it
    assert_int_equal(m->ledger.asked, taken + 1);
    assert_true(m->ledger.bytes - empty < 20000 && m->ledger.bytes - empty > 16384);
    for (int i = 0; i < 65536; ++i)
        assert_non_null(eri_arena_reserve(m->arena, 64, 1));
    size_t asked = (size_t)65536 * (ERI_SANITIZED ? 128 : 64);
    assert_true(m->ledger.bytes - empty < 3 * asked && m->ledger.asked - taken < 12);
    for (int i = 0; i < 100; ++i)
        assert_non_null(eri_arena_reserve(m->arena, MIB, 1));
    assert_true(m->ledger.bytes - empty < 3 * asked + (size_t)(100 + 2 * 16) * MIB);
    assert_non_null(eri_arena_reserve(m->arena, (size_t)50 * MIB, 1));
    assert_true(m->ledger.bytes - empty < 3 * asked + (size_t)(100 + 2 * 16 + 51) * MIB);
}

static void what_cannot_be_is_refused(void **state)
{
    memory *m = *state;
    static const size_t much[][2] = {{SIZE_MAX / 64 + 2, 64}, {SIZE_MAX / 2, 16}, {SIZE_MAX, 1}};
    for (size_t i = 0; i < ERI_COUNT(much); ++i) {
        assert_null(eri_arena_reserve(m->arena, much[i][0], much[i][1]));
        assert_non_null(strstr(er_context_error(m->context), "out of memory: "));
    }
    m->ledger.left = 0;
    assert_null(eri_arena_alloc(m->arena, 1000000, 3));
    assert_string_equal(er_context_error(m->context), "out of memory: 1000000 elements of 3 bytes");
    m->ledger.left = LEDGER_ALL;
    assert_non_null(eri_arena_alloc(m->arena, 0, 8));
    assert_non_null(eri_arena_alloc(m->arena, 8, 0));
    fill(m->arena, 1, 1000000);
}

static void words_are_copied(void **state)
{
    memory *m = *state;
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    char *copy = eri_arena_string(m->arena, text);
    assert_string_equal(copy, text);
    assert_ptr_not_equal(copy, text);
    assert_string_equal(eri_arena_string(m->arena, NULL), "");
    assert_string_equal(eri_arena_printf(m->arena, "%s-%d", "a", 7), "a-7");
    assert_string_equal(eri_arena_printf(m->arena, "%s", ""), "");
    assert_int_equal(strlen(eri_arena_printf(m->arena, "%s%s", text, text)), 2 * (sizeof text - 1));
    assert_ptr_equal(eri_arena_context(m->arena), m->context);
    m->ledger.left = 0;
    for (int i = 0; i < 10; ++i) // until the block is full
        copy = eri_arena_string(m->arena, text);
    assert_null(copy);
    assert_null(eri_arena_printf(m->arena, "%s%s", text, text));
    m->ledger.left = LEDGER_ALL;
}

static void notes_are_kept_in_order(void **state)
{
    memory *m = *state;
    eri_notes notes = {.arena = m->arena};
    for (int i = 0; i < 100; ++i)
        assert_int_equal(eri_notes_add(&notes, i % 3 == 0 ? ER_NOTE_WARNING : ER_NOTE_FACT, "note %d", i), ER_OK);
    assert_int_equal(notes.count, 100);
    for (int i = 0; i < 100; ++i) {
        char text[20];
        snprintf(text, sizeof text, "note %d", i);
        assert_string_equal(notes.items[i].text, text);
        assert_int_equal(notes.items[i].kind, i % 3 == 0 ? ER_NOTE_WARNING : ER_NOTE_FACT);
    }
    m->ledger.left = 0;
    er_result r = ER_OK;
    for (int i = 0; i < 1000 && r == ER_OK; ++i)
        r = eri_notes_add(&notes, ER_NOTE_FACT, "note %d", i);
    assert_int_equal(r, ER_ERROR_MEMORY);
    m->ledger.left = LEDGER_ALL;
}

// ---- what the address sanitizer sees

static int begin(void **state)
{
    memory *m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_int_equal(er_context_create(NULL, &m->context), ER_OK);
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
    *state = m;
    return 0;
}

static int end(void **state)
{
    memory *m = *state;
    eri_arena_destroy(m->arena);
    er_context_destroy(m->context);
    free(m);
    return 0;
}

static void skip_without_sanitizer(void)
{
    if (ERI_SANITIZED) return;
    print_message("# built without the address sanitizer\n");
    skip();
}

static bool poisoned(const void *byte)
{
#if ERI_SANITIZED
    return __asan_address_is_poisoned(byte);
#else
    (void)byte;
    return false;
#endif
}

static bool all_are(bool wanted, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        if (poisoned(bytes + i) != wanted) return false;
    return true;
}

static void an_array_ends_at_its_last_byte(void **state)
{
    memory *m = *state;
    skip_without_sanitizer();
    for (size_t size = 1; size <= 200; ++size) {
        char *one = eri_arena_alloc(m->arena, size, 1), *two = eri_arena_reserve(m->arena, 3, size);
        assert_true(all_are(false, one, size) && all_are(true, one + size, 64));
        assert_true(all_are(false, two, 3 * size) && all_are(true, two + 3 * size, 64));
    }
    assert_true(poisoned(eri_arena_alloc(m->arena, 0, 8)));
}

static void a_reset_takes_everything_back(void **state)
{
    memory *m = *state;
    skip_without_sanitizer();
    char *small = eri_arena_alloc(m->arena, SMALL, 1), *large = eri_arena_alloc(m->arena, LARGE, 1);
    eri_arena_reset(m->arena);
    assert_true(all_are(true, small, SMALL) && all_are(true, large, LARGE));
    char *again = eri_arena_reserve(m->arena, LARGE - 64, 1); // in the block of before
    assert_ptr_equal(again, large);
    assert_true(all_are(false, again, LARGE - 64) && all_are(true, again + LARGE - 64, 64));
}

static void an_arena_that_is_gone_takes_everything_with_it(void **state)
{
    memory *m = *state;
    skip_without_sanitizer();
    char *small = eri_arena_alloc(m->arena, SMALL, 1), *large = eri_arena_alloc(m->arena, LARGE, 1);
    eri_arena_destroy(m->arena);
    assert_true(all_are(true, small, SMALL) && all_are(true, large, LARGE));
    assert_int_equal(eri_arena_create(m->context, &m->arena), ER_OK);
    char *again = eri_arena_reserve(m->arena, LARGE - 64, 1); // of another arena's, by way of the context
    assert_ptr_equal(again, large);
    assert_true(all_are(false, again, LARGE - 64) && all_are(true, again + LARGE - 64, 64));
}

// An allocator of one's own may hand out again what it was given back.
static void *take_from(void *user, size_t size)
{
    char **free_bytes = user;
    char *taken = *free_bytes;
    *free_bytes += (size + 63) / 64 * 64;
    return taken;
}

static void leave(void *user, void *bytes)
{
    (void)user;
    (void)bytes;
}

static void what_goes_back_to_the_allocator_is_clean(void **state)
{
    skip_without_sanitizer();
    const size_t size = (size_t)8 << 20;
    char *bytes = aligned_alloc(64, size), *next = bytes;
    assert_non_null(bytes);
    er_context_def def = er_default_context_def();
    def.allocate = take_from;
    def.release = leave;
    def.user = &next;
    er_context *context = NULL;
    er_arena *arena = NULL;
    assert_int_equal(er_context_create(&def, &context), ER_OK);
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    assert_non_null(eri_arena_alloc(arena, SMALL, 1));
    assert_non_null(eri_arena_alloc(arena, LARGE, 1));
    eri_arena_destroy(arena);
    er_context_destroy(context);
    assert_true(all_are(false, bytes, (size_t)(next - bytes)));
    free(bytes);
}

// Whether the sanitizer ends a process that writes there.
static bool ends_who_writes(volatile char *byte)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(STDERR_FILENO); // its report
        *byte = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void a_slip_ends_the_program(void **state)
{
    memory *m = *state;
    skip_without_sanitizer();
    char *array = eri_arena_alloc(m->arena, SMALL, 1);
    assert_non_null(eri_arena_alloc(m->arena, SMALL, 1));
    assert_false(ends_who_writes(array + SMALL - 1));
    assert_true(ends_who_writes(array + SMALL));
    eri_arena_reset(m->arena);
    assert_true(ends_who_writes(array));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_is_made_whole_or_not_at_all),
        cmocka_unit_test(results_have_their_names),
        cmocka_unit_test(a_path_ends_in_its_format),
        cmocka_unit_test_setup_teardown(the_same_work_again_allocates_nothing, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(what_an_arena_left_serves_the_next, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(a_spare_block_serves_again_and_again, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(the_smallest_block_that_fits_is_taken, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(small_blocks_go_back_at_once, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(a_context_keeps_128_mib_at_most, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(what_a_context_keeps_has_exact_limits, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(an_arena_takes_little_more_than_it_is_asked_for, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(what_cannot_be_is_refused, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(words_are_copied, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(notes_are_kept_in_order, begin_counted, end_counted),
        cmocka_unit_test_setup_teardown(an_array_ends_at_its_last_byte, begin, end),
        cmocka_unit_test_setup_teardown(a_reset_takes_everything_back, begin, end),
        cmocka_unit_test_setup_teardown(an_arena_that_is_gone_takes_everything_with_it, begin, end),
        cmocka_unit_test(what_goes_back_to_the_allocator_is_clean),
        cmocka_unit_test_setup_teardown(a_slip_ends_the_program, begin, end),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
