// Clocks, threads and limits, by what a process sees of them.
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/sanitizer.h"
#include "base/threads.h"
#include "support/ledger.h"

// ---- clocks

static void time_goes_on_while_one_sleeps(void **state)
{
    const struct timespec nap = {0, 50000000};
    double start = eri_seconds(), before = eri_thread_seconds(), last = start;
    nanosleep(&nap, NULL);
    double slept = eri_seconds() - start, worked = eri_thread_seconds() - before;
    if (!(slept >= 0.05 && slept < 40.0)) fail_msg("a nap of 0.05 s took %g s", slept);
    if (!(worked >= 0.0 && worked < 0.04)) fail_msg("%g s of the processor were slept through", worked);
    for (int i = 0; i < 100000; ++i) {
        double now = eri_seconds();
        assert_true(now >= last);
        last = now;
    }
}

static void a_thread_pays_for_its_work(void **state)
{
    double start = eri_seconds(), before = eri_thread_seconds(), worked = 0.0;
    while (worked < 0.02)
        worked = eri_thread_seconds() - before;
    double passed = eri_seconds() - start;
    if (!(passed >= 0.9 * worked)) fail_msg("%g s of work in %g s", worked, passed);
}

// ---- threads

enum { TASKS = 1000 };

typedef struct work {
    atomic_int next;
    int done[TASKS];
    pthread_barrier_t *together;
} work;

typedef struct worker {
    work *work;
    pthread_t thread;
    int tasks;
    bool returned;
} worker;

static void take_tasks(void *self)
{
    worker *w = self;
    w->thread = pthread_self();
    if (w->work->together != NULL) pthread_barrier_wait(w->work->together); // none goes on before all are there
    for (int task; (task = atomic_fetch_add(&w->work->next, 1)) < TASKS; ++w->tasks)
        ++w->work->done[task];
    w->returned = true;
}

static bool all_done_once(const work *w)
{
    for (int i = 0; i < TASKS; ++i)
        if (w->done[i] != 1) return false;
    return true;
}

static void workers_go_side_by_side(void **state)
{
    eri_threads_run(take_tasks, NULL, 0, sizeof(worker)); // nobody works
    for (int count = 1; count <= ERI_THREADS_MOST; ++count) {
        pthread_barrier_t together;
        work shared = {.together = &together};
        worker workers[ERI_THREADS_MOST + 1] = {{.work = NULL}};
        for (int i = 0; i < count; ++i)
            workers[i].work = &shared;
        assert_int_equal(pthread_barrier_init(&together, NULL, (unsigned)count), 0);
        eri_threads_run(take_tasks, workers, count, sizeof *workers);
        pthread_barrier_destroy(&together);
        assert_true(all_done_once(&shared));
        assert_true(pthread_equal(workers[0].thread, pthread_self()));
        int tasks = 0;
        for (int i = 0; i < count; ++i) {
            assert_true(workers[i].returned);
            for (int k = 0; k < i; ++k)
                assert_false(pthread_equal(workers[i].thread, workers[k].thread));
            tasks += workers[i].tasks;
        }
        assert_int_equal(tasks, TASKS);
        assert_false(workers[count].returned);
    }
}

// Work in two halves: each worker's own number, then, when all have come together, the sum of all.
typedef struct halves {
    eri_team *team;
    long round, number[ERI_THREADS_MOST], sum[ERI_THREADS_MOST];
} halves;

static void do_halves(void *job, int which, int count)
{
    halves *h = job;
    h->number[which] = h->round + which;
    eri_team_meet(h->team);
    h->sum[which] = 0;
    for (int i = 0; i < count; ++i)
        h->sum[which] += h->number[i];
}

static void a_team_works_again_and_again(void **state)
{
    er_context *context = NULL;
    assert_int_equal(er_context_create(NULL, &context), ER_OK);
    for (int count = 0; count <= 4; ++count) {
        halves h = {.team = NULL};
        if (count > 0) assert_int_equal(eri_team_create(context, count, &h.team), ER_OK);
        int workers = eri_team_count(h.team);
        assert_int_equal(workers, count > 0 ? count : 1);
        for (h.round = 0; h.round < 500; ++h.round) {
            if (h.round % 100 == 99) nanosleep(&(struct timespec){0, 2000000}, NULL); // they fall asleep
            eri_team_run(h.team, do_halves, &h);
            for (int i = 0; i < workers; ++i)
                assert_int_equal(h.sum[i], workers * h.round + workers * (workers - 1) / 2);
        }
        eri_team_destroy(h.team);
    }
    eri_team_destroy(NULL);
    er_context_destroy(context);
    for (int count = 1, all = 0; count <= 5; ++count, all += 3) { // shares lie side by side, from the first to the last
        assert_int_equal(eri_team_share(all, 0, count), 0);
        assert_int_equal(eri_team_share(all, count, count), all);
        for (int i = 0; i < count; ++i) {
            int share = eri_team_share(all, i + 1, count) - eri_team_share(all, i, count);
            assert_true(share == all / count || share == all / count + 1);
        }
    }
}

static bool in_a_child(bool (*holds)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(holds() ? 0 : 1);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A thread's stack needs memory.
static bool one_does_the_work_of_all(void)
{
    work shared = {.together = NULL};
    worker workers[4] = {
        {&shared, 0, 0, false}, {&shared, 0, 0, false}, {&shared, 0, 0, false}, {&shared, 0, 0, false}};
    eri_platform_limit(ERI_LIMIT_MEMORY, 4096.0);
    eri_threads_run(take_tasks, workers, 4, sizeof *workers);
    return all_done_once(&shared) && workers[0].tasks == TASKS && !workers[1].returned && !workers[3].returned;
}

// ---- contexts of workers

// A host's memory that tells whether two asked for it at once, or gave back.
typedef struct counter {
    atomic_int inside, taken;
    atomic_bool at_once;
} counter;

static void come_and_go(counter *c)
{
    if (atomic_fetch_add(&c->inside, 1) > 0) atomic_store(&c->at_once, true);
    nanosleep(&(struct timespec){0, 20000}, NULL);
    atomic_fetch_sub(&c->inside, 1);
}

static void *take_counted(void *user, size_t size)
{
    counter *c = user;
    come_and_go(c);
    atomic_fetch_add(&c->taken, 1);
    return malloc(size);
}

static void give_counted(void *user, void *memory)
{
    counter *c = user;
    come_and_go(c);
    atomic_fetch_sub(&c->taken, 1);
    free(memory);
}

typedef struct member {
    er_context *context;
    pthread_barrier_t *together;
    int failed;
} member;

static void use_memory(void *self)
{
    member *m = self;
    pthread_barrier_wait(m->together);
    for (int i = 0; i < 40; ++i) {
        er_arena *arena = NULL;
        m->failed += eri_arena_create(m->context, &arena) != ER_OK || eri_arena_alloc(arena, 100, 1) == NULL;
        eri_arena_destroy(arena);
    }
}

static void a_crew_asks_for_memory_one_at_a_time(void **state)
{
    for (int count = 1; count <= 4; count += 3) {
        counter c = {.inside = 0};
        er_context *context = NULL;
        eri_contexts *contexts = NULL;
        er_context_def def = er_default_context_def();
        pthread_barrier_t together;
        member members[4];
        def.allocate = take_counted;
        def.release = give_counted;
        def.user = &c;
        assert_int_equal(er_context_create(&def, &context), ER_OK);
        assert_int_equal(eri_contexts_create(context, count, &contexts), ER_OK);
        assert_int_equal(pthread_barrier_init(&together, NULL, (unsigned)count), 0);
        for (int i = 0; i < count; ++i) {
            members[i] = (member){eri_contexts_of(contexts, i), &together, 0};
            assert_true((members[i].context == context) == (count == 1));
            for (int k = 0; k < i; ++k)
                assert_ptr_not_equal(members[i].context, members[k].context);
        }
        eri_threads_run(use_memory, members, count, sizeof *members);
        pthread_barrier_destroy(&together);
        for (int i = 0; i < count; ++i)
            assert_int_equal(members[i].failed, 0);
        assert_false(atomic_load(&c.at_once));
        eri_contexts_destroy(contexts);
        er_context_destroy(context);
        assert_int_equal(atomic_load(&c.taken), 0);
    }
    eri_contexts_destroy(NULL);
}

static int threads_of_this_process(void)
{
    int count = 0;
    DIR *list = opendir("/proc/self/task");
    for (struct dirent *e; list != NULL && (e = readdir(list)) != NULL;)
        count += e->d_name[0] != '.';
    if (list != NULL) closedir(list);
    return count;
}

// Wherever memory ends: what was taken is given back, threads too, and a sentence says so.
static void teams_and_crews_are_whole_or_not_at_all(void **state)
{
    int before = threads_of_this_process(), refused[2] = {0, 0};
    for (int kind = 0; kind < 2; ++kind) {
        er_result r = ER_ERROR_MEMORY;
        for (long left = 0; r != ER_OK; ++left) {
            ledger l = {.left = LEDGER_ALL};
            er_context *context = ledger_context(&l);
            eri_team *team = (eri_team *)(void *)&l;
            eri_contexts *contexts = (eri_contexts *)(void *)&l;
            l.left = left;
            r = kind == 0 ? eri_team_create(context, 3, &team) : eri_contexts_create(context, 3, &contexts);
            if (r != ER_OK) {
                assert_int_equal(r, ER_ERROR_MEMORY);
                assert_true(kind == 0 ? team == NULL : contexts == NULL);
                assert_non_null(strstr(er_context_error(context), "out of memory"));
                ++refused[kind];
            }
            if (r == ER_OK) assert_int_equal(l.asked - 1, left);
            if (r == ER_OK && kind == 0) assert_int_equal(threads_of_this_process(), before + 2);
            if (kind == 0) eri_team_destroy(team);
            if (kind == 1) eri_contexts_destroy(contexts);
            for (int i = 0; i < 1000 && threads_of_this_process() > before; ++i)
                nanosleep(&(struct timespec){0, 1000000}, NULL); // the system is slower than those who wait for them
            assert_int_equal(threads_of_this_process(), before);
            ledger_end(&l, context);
        }
    }
    assert_true(refused[0] == 2 && refused[1] == 5); // an arena and its block; and a context each
}

// ---- without threads

static void where_there_are_no_threads_one_does_it_all(void **state)
{
    if (ERI_SANITIZED) {
        print_message("# the address sanitizer needs its memory\n");
        skip();
    }
    assert_true(in_a_child(one_does_the_work_of_all));
}

// ---- limits

static rlim_t limit_of(int resource, bool hard)
{
    struct rlimit now;
    getrlimit(resource, &now);
    return hard ? now.rlim_max : now.rlim_cur;
}

static bool limits_only_fall(void)
{
    static const struct {
        double asked;
        rlim_t left;
    } steps[] = {{1000.0, 1000}, {2000.0, 1000}, {500.0, 500}, {500.5, 500}};
    for (size_t i = 0; i < ERI_COUNT(steps); ++i) {
        eri_platform_limit(ERI_LIMIT_SECONDS, steps[i].asked);
        if (limit_of(RLIMIT_CPU, true) != steps[i].left || limit_of(RLIMIT_CPU, false) != steps[i].left) return false;
    }
    eri_platform_limit(ERI_LIMIT_MEMORY, 1e12);
    return (limit_of(RLIMIT_AS, false) == (rlim_t)1e12) == !ERI_SANITIZED;
}

static void limits_fall_and_never_rise(void **state)
{
    assert_true(in_a_child(limits_only_fall));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_goes_on_while_one_sleeps),
        cmocka_unit_test(a_thread_pays_for_its_work),
        cmocka_unit_test(where_there_are_no_threads_one_does_it_all), // while no stacks are left over
        cmocka_unit_test(workers_go_side_by_side),
        cmocka_unit_test(a_crew_asks_for_memory_one_at_a_time),
        cmocka_unit_test(a_team_works_again_and_again),
        cmocka_unit_test(teams_and_crews_are_whole_or_not_at_all),
        cmocka_unit_test(limits_fall_and_never_rise),
    };
    return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}
