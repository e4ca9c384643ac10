// Threads as long as one piece of work lasts, and threads that wait for the next one.
#include "base/threads.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "base/platform.h"

typedef struct helper {
    eri_thread thread;
    void (*work)(void *worker);
    void *worker;
} helper;

static void *help(void *self)
{
    helper *h = self;
    h->work(h->worker);
    return NULL;
}

void eri_threads_run(void (*work)(void *worker), void *workers, int count, size_t size)
{
    assert(count >= 0 && count <= ERI_THREADS_MOST);
    helper helpers[ERI_THREADS_MOST];
    int started = 1;
    for (int i = 1; i < count; ++i)
        helpers[i] = (helper){.work = work, .worker = (char *)workers + (size_t)i * size};
    while (started < count && eri_thread_begin(&helpers[started].thread, help, &helpers[started]))
        ++started;
    if (count > 0) work(workers);
    for (int i = 1; i < started; ++i)
        eri_thread_join(&helpers[i].thread);
}

// ---- Teams

enum {
    SPINS = 300
}; // some 20 us: a pause in a step is shorter than what waking a thread takes. Then a thread sleeps:
   // on a busy machine the one that it waits for may not run before

struct eri_team {
    er_arena *arena;
    int count;
    void (*work)(void *job, int worker, int count);
    void *job;
    atomic_uint begun; // pieces of work
    atomic_int busy;   // helpers that are at it
    atomic_int come;   // workers that have come to where all meet
    atomic_uint met;   // times that all have
    atomic_int asleep; // workers that wait for `moves`
    bool ends;
    eri_mutex lock;
    eri_condition begins, moves;
    eri_thread thread[ERI_THREADS_MOST];
};

typedef struct seat {
    eri_team *team;
    int worker;
} seat;

static inline void pause_a_little(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// Whether the helpers are done, or all have met.
typedef bool condition(eri_team *team, unsigned met);

static bool is_idle(eri_team *team, unsigned met)
{
    (void)met;
    return atomic_load(&team->busy) == 0;
}

static bool has_met(eri_team *team, unsigned met)
{
    return atomic_load(&team->met) != met;
}

static void wait_until(eri_team *team, condition *holds, unsigned met)
{
    for (int spins = 0; spins < SPINS; ++spins) {
        if (holds(team, met)) return;
        pause_a_little();
    }
    eri_mutex_lock(&team->lock);
    atomic_fetch_add(&team->asleep, 1); // before it looks once more, so that nobody moves unseen
    while (!holds(team, met))
        eri_condition_wait(&team->moves, &team->lock);
    atomic_fetch_sub(&team->asleep, 1);
    eri_mutex_unlock(&team->lock);
}

// Wakes those that wait for what has just changed.
static void tell(eri_team *team)
{
    if (atomic_load(&team->asleep) == 0) return;
    eri_mutex_lock(&team->lock);
    eri_condition_wake_all(&team->moves);
    eri_mutex_unlock(&team->lock);
}

static unsigned next_begun(eri_team *team, unsigned last)
{
    for (int spins = 0; spins < SPINS; ++spins) {
        unsigned begun = atomic_load_explicit(&team->begun, memory_order_acquire);
        if (begun != last) return begun;
        pause_a_little();
    }
    eri_mutex_lock(&team->lock);
    while (atomic_load_explicit(&team->begun, memory_order_acquire) == last)
        eri_condition_wait(&team->begins, &team->lock);
    eri_mutex_unlock(&team->lock);
    return atomic_load_explicit(&team->begun, memory_order_acquire);
}

static void *serve(void *self)
{
    seat at = *(seat *)self;
    eri_team *team = at.team;
    unsigned last = 0;
    for (;;) {
        last = next_begun(team, last);
        if (team->ends) return NULL;
        team->work(team->job, at.worker, team->count);
        if (atomic_fetch_sub(&team->busy, 1) == 1) tell(team);
    }
}

static void begin(eri_team *team)
{
    eri_mutex_lock(&team->lock); // so that nobody goes to sleep meanwhile
    atomic_fetch_add_explicit(&team->begun, 1, memory_order_release);
    eri_condition_wake_all(&team->begins);
    eri_mutex_unlock(&team->lock);
}

er_result eri_team_create(er_context *context, int count, eri_team **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_team *team;
    seat *seats;
    assert(count >= 1 && count <= ERI_THREADS_MOST);
    *out = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(team, arena, eri_team, 1);
    ERI_TRY_NEW(seats, arena, seat, count);
    team->arena = arena;
    eri_mutex_init(&team->lock);
    eri_condition_init(&team->begins);
    eri_condition_init(&team->moves);
    team->count = 1;
    for (int i = 1; i < count; ++i, ++team->count) {
        seats[i] = (seat){team, i};
        if (!eri_thread_begin(&team->thread[i], serve, &seats[i])) break;
    }
    *out = team;
    return ER_OK;
done:
    eri_arena_destroy(arena);
    return r;
}

void eri_team_destroy(eri_team *team)
{
    if (team == NULL) return;
    team->ends = true;
    begin(team);
    for (int i = 1; i < team->count; ++i)
        eri_thread_join(&team->thread[i]);
    eri_condition_finish(&team->begins);
    eri_condition_finish(&team->moves);
    eri_mutex_finish(&team->lock);
    eri_arena_destroy(team->arena);
}

int eri_team_count(const eri_team *team)
{
    return team != NULL ? team->count : 1;
}

void eri_team_run(eri_team *team, void (*work)(void *job, int worker, int count), void *job)
{
    if (team == NULL || team->count == 1) {
        work(job, 0, 1);
        return;
    }
    team->work = work;
    team->job = job;
    atomic_store_explicit(&team->busy, team->count - 1, memory_order_relaxed);
    begin(team);
    work(job, 0, team->count);
    wait_until(team, is_idle, 0);
}

void eri_team_meet(eri_team *team)
{
    if (team == NULL || team->count == 1) return;
    unsigned met = atomic_load_explicit(&team->met, memory_order_acquire);
    if (atomic_fetch_add_explicit(&team->come, 1, memory_order_acq_rel) + 1 == team->count) {
        atomic_store_explicit(&team->come, 0, memory_order_relaxed);
        atomic_fetch_add(&team->met, 1);
        tell(team);
        return;
    }
    wait_until(team, has_met, met);
}

// ---- Crews

struct eri_contexts {
    er_arena *arena;
    er_context_def of;
    eri_mutex lock;
    int count; // of contexts of its own
    er_context *context[ERI_THREADS_MOST];
};

static void *allocate_alone(void *user, size_t size)
{
    eri_contexts *contexts = user;
    eri_mutex_lock(&contexts->lock);
    void *memory = contexts->of.allocate(contexts->of.user, size);
    eri_mutex_unlock(&contexts->lock);
    return memory;
}

static void release_alone(void *user, void *memory)
{
    eri_contexts *contexts = user;
    eri_mutex_lock(&contexts->lock);
    contexts->of.release(contexts->of.user, memory);
    eri_mutex_unlock(&contexts->lock);
}

er_result eri_contexts_create(er_context *of, int count, eri_contexts **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_contexts *contexts = NULL;
    *out = NULL;
    ERI_TRY(eri_arena_create(of, &arena));
    ERI_TRY_NEW(contexts, arena, eri_contexts, 1);
    contexts->arena = arena;
    contexts->of = eri_context_def_of(of);
    contexts->context[0] = of;
    eri_mutex_init(&contexts->lock);
    er_context_def def = contexts->of;
    def.allocate = allocate_alone;
    def.release = release_alone;
    def.user = contexts;
    for (; count > 1 && contexts->count < count; ++contexts->count)
        ERI_TRY(er_context_create(&def, &contexts->context[contexts->count]));
    *out = contexts;
    return ER_OK;
done:
    if (contexts != NULL)
        eri_contexts_destroy(contexts);
    else
        eri_arena_destroy(arena);
    return er_fail(of, r, "out of memory");
}

er_context *eri_contexts_of(const eri_contexts *contexts, int worker)
{
    return contexts->context[worker];
}

void eri_contexts_destroy(eri_contexts *contexts)
{
    if (contexts == NULL) return;
    for (int i = 0; i < contexts->count; ++i)
        er_context_destroy(contexts->context[i]);
    eri_mutex_finish(&contexts->lock);
    eri_arena_destroy(contexts->arena);
}
