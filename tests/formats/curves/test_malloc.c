// libzip takes its memory from malloc: every one of its allocations fails once.
#include <eigenrig/plots.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "motions.h"
#include "support/sample.h"

static long left, held;
static bool watching;

#if ERI_SANITIZED || !defined(__GLIBC__)
static const bool counted = false; // malloc is the sanitizer's, or has no other name
#else
static const bool counted = true;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static bool refused(void)
{
    return watching && left-- <= 0;
}

static void *handed(void *memory)
{
    held += watching && memory != NULL;
    return memory;
}

void *malloc(size_t size)
{
    return refused() ? NULL : handed(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : handed(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (refused()) return NULL;
    return memory == NULL ? handed(__libc_malloc(size)) : __libc_realloc(memory, size);
}

void free(void *memory)
{
    held -= watching && memory != NULL;
    __libc_free(memory);
}
#endif

// The context's own memory, which is not what fails here.
static void *allocate_unseen(void *user, size_t size)
{
    (void)user;
    bool was = watching;
    watching = false;
    void *memory = malloc(size);
    watching = was;
    return memory;
}

static void release_unseen(void *user, void *memory)
{
    (void)user;
    bool was = watching;
    watching = false;
    free(memory);
    watching = was;
}

static char path[512];

static er_result write_watched(er_context *context, const er_curves *curves, long allocations)
{
    left = allocations;
    held = 0;
    watching = true;
    er_result r = er_curves_write_npz(context, curves, path);
    watching = false;
    return r;
}

static void any_allocation_of_the_archive_may_fail(void **state)
{
    if (!counted) {
        print_message("# malloc cannot be counted here\n");
        skip();
    }
    er_context *context = NULL;
    er_context_def def = er_default_context_def();
    def.allocate = allocate_unseen;
    def.release = release_unseen;
    assert_int_equal(er_context_create(&def, &context), ER_OK);
    motion m = motion_case(context, "plain");
    long k = 0;
    assert_int_equal(write_watched(context, &m.plot.curves, LONG_MAX), ER_OK);
    size_t whole_size, size;
    char *whole = read_bytes(path, &whole_size);
    er_result r = ER_ERROR_MEMORY;
    for (; r != ER_OK; ++k) {
        unlink(path);
        r = write_watched(context, &m.plot.curves, k);
        assert_true(r == ER_OK || r == ER_ERROR_MEMORY);
        assert_in_range(held, 0, r == ER_OK ? 0 : 2); // libzip 1.7.3 loses small blocks of its own in zip_close()
        assert_int_equal(count_files(sample_folder()), r == ER_OK);
    }
    char *bytes = read_bytes(path, &size);
    assert_int_equal(size, whole_size);
    assert_memory_equal(bytes, whole, size);
    print_message("# %ld allocations\n", k);
    assert_true(k > 20);
    free(bytes);
    free(whole);
    motion_free(&m);
    er_context_destroy(context);
}

static int set_up(void **state)
{
    setenv("TZ", "UTC", 1); // without it the C library reads its zone anew, into memory it keeps, for each date
    tzset();
    snprintf(path, sizeof path, "%s", sample_path("a.npz"));
    return 0;
}

static int tear_down(void **state)
{
    sample_remove_folder();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_of_the_archive_may_fail)};
    return cmocka_run_group_tests_name("curves_malloc", tests, set_up, tear_down);
}
