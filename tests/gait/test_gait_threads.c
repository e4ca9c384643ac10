// The search by several threads, in a program of its own and on few modes: the thread sanitizer takes its time.
#include "walkers.h"

static void the_same_rig_gives_the_same_bits_for_any_threads(void **state)
{
    er_modal_set_threads(1);
    gait_search a = find(make_biped(usual), 4);
    for (int threads = 1; threads <= 5; threads += 2) {
        er_modal_set_threads(threads);
        gait_search b = find(make_biped(usual), 4);
        assert_true(a.gaits->count > 0);
        assert_int_equal(a.gaits->count, b.gaits->count);
        assert_true(a.gaits->tried == b.gaits->tried && a.gaits->posed == b.gaits->posed);
        for (int i = 0; i < a.gaits->count; ++i) {
            const er_gait *x = &a.gaits->gait[i], *y = &b.gaits->gait[i];
            assert_string_equal(x->name, y->name);
            assert_memory_equal(&x->hz, &y->hz, offsetof(er_gait, step) - offsetof(er_gait, hz));
            for (int v = 0; v < x->mix->component_count; ++v)
                assert_true(x->mix->component[v].degrees == y->mix->component[v].degrees &&
                            x->mix->component[v].phase == y->mix->component[v].phase);
        }
        lose(&b);
    }
    er_modal_set_threads(1);
    lose(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_rig_gives_the_same_bits_for_any_threads)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
