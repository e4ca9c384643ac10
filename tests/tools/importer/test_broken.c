// Files that are cut short or have bytes changed, an importer for each: the answer is a valid scene or a sentence.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <eigenrig/scene.h>

#include "support/context.h"
#include "support/sample.h"

static void a_truncated_glb_is_refused_at_every_length(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    size_t size;
    sample_buffer(buffer);
    uint8_t *glb = sample_glb(buffer, &size);
    for (size_t n = 1; n < size; n += 1 + n / 8) {
        er_scene *scene = NULL;
        assert_int_equal(er_import_file(context, sample_write("cut.glb", glb, n), NULL, &scene), ER_ERROR_FORMAT);
    }
    free(glb);
}

// Flips single bytes: the answer is a valid scene or a sentence.
static void flip_bytes(const char *name, const uint8_t *bytes, size_t size, int rounds)
{
    uint8_t *broken = malloc(size);
    unsigned seed = 12345;
    int read = 0;
    for (int i = 0; i < rounds; ++i) {
        memcpy(broken, bytes, size);
        for (int k = 0; k < 1 + i % 4; ++k) {
            seed = seed * 1664525u + 1013904223u;
            broken[(seed >> 8) % size] ^= (uint8_t)(1u << (seed >> 29));
        }
        er_scene *scene = NULL;
        er_result r = er_import_file(context, sample_write(name, broken, size), NULL, &scene);
        if (r == ER_OK)
            assert_int_equal(er_scene_validate(context, scene), ER_OK);
        else if (r != ER_ERROR_FORMAT && r != ER_ERROR_FILE) // nothing that our own readers read kills the importer
            fail_msg("round %d: %s", i, er_context_error(context));
        read += r == ER_OK;
        er_scene_destroy(scene);
    }
    assert_true(read > 0 && read < rounds);
    free(broken);
}

static void flipped_bytes_never_get_through(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    size_t size;
    sample_buffer(buffer);
    uint8_t *glb = sample_glb(buffer, &size);
    flip_bytes("flipped.glb", glb, size, every() ? 300 : 100);
    free(glb);
    flip_bytes("flipped.bvh", (const uint8_t *)sample_bvh, strlen(sample_bvh), every() ? 200 : 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_glb_is_refused_at_every_length),
        cmocka_unit_test(flipped_bytes_never_get_through),
    };
    return cmocka_run_group_tests_name("import_broken", tests, set_up, tear_down);
}
