// A thread that works while its owner goes on, or waits.
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "app/session/worker.h"
#include "base/platform.h"
#include "support/context.h"

typedef struct task {
    int done;        // pieces
    atomic_bool let; // it ends no piece before
} task;

static void work(void *user)
{
    task *t = user;
    const struct timespec moment = {0, 200000};
    while (!atomic_load(&t->let))
        nanosleep(&moment, NULL);
    ++t->done;
}

static void one_piece_is_done_at_a_time(void **state)
{
    task t = {.done = 0};
    worker *w = NULL;
    atomic_store(&t.let, true);
    assert_int_equal(worker_create(context, work, &t, &w), ER_OK);
    assert_true(worker_wait(w, 0.0) && worker_wait(w, HUGE_VAL) && worker_wait(w, -1.0)); // none is being done
    for (int i = 1; i <= 5; ++i) {
        worker_begin(w);
        assert_true(worker_wait(w, HUGE_VAL));
        assert_int_equal(t.done, i);
    }
    atomic_store(&t.let, false);
    worker_begin(w);
    double start = eri_seconds();
    assert_false(worker_wait(w, 0.0));
    assert_false(worker_wait(w, 0.03));
    double took = eri_seconds() - start;
    assert_true(took >= 0.029 && took < 20.0);
    assert_int_equal(t.done, 5);
    atomic_store(&t.let, true);
    assert_true(worker_wait(w, 100.0));
    assert_true(eri_seconds() - start < 50.0); // no longer than the work takes
    assert_int_equal(t.done, 6);
    worker_begin(w);
    worker_destroy(w); // which waits
    assert_int_equal(t.done, 7);
    worker_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_piece_is_done_at_a_time),
    };
    return cmocka_run_group_tests_name("worker", tests, set_up, tear_down);
}
