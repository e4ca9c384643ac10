// Threads as long as one piece of work lasts.
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>

#include "base/arena.h"

typedef struct helper {
    pthread_t thread;
    void (*work)(void *worker);
    void *worker;
} helper;

static void *help(void *self)
{
    helper *h = self;
    h->work(h->worker);
    return NULL;
}

void er_threads_run(void (*work)(void *worker), void *workers, int count, size_t size)
{
    assert(count >= 0 && count <= ER_THREADS_MOST);
    helper helpers[ER_THREADS_MOST];
    int started = 1;
    for (int i = 1; i < count; ++i)
        helpers[i] = (helper){.work = work, .worker = (char *)workers + (size_t)i * size};
    while (started < count && pthread_create(&helpers[started].thread, NULL, help, &helpers[started]) == 0)
        ++started;
    if (count > 0) work(workers);
    for (int i = 1; i < started; ++i)
        pthread_join(helpers[i].thread, NULL);
}

struct er_crew {
    er_arena *arena;
    er_context_def of;
    pthread_mutex_t lock;
    int count; // of contexts of its own
    er_context *context[ER_THREADS_MOST];
};

static void *allocate_alone(void *user, size_t size)
{
    er_crew *crew = user;
    pthread_mutex_lock(&crew->lock);
    void *memory = crew->of.allocate(crew->of.user, size);
    pthread_mutex_unlock(&crew->lock);
    return memory;
}

static void release_alone(void *user, void *memory)
{
    er_crew *crew = user;
    pthread_mutex_lock(&crew->lock);
    crew->of.release(crew->of.user, memory);
    pthread_mutex_unlock(&crew->lock);
}

er_result er_crew_create(er_context *of, int count, er_crew **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_crew *crew = NULL;
    *out = NULL;
    ER_TRY(er_arena_create(of, &arena));
    ER_TRY_NEW(crew, arena, er_crew, 1);
    crew->arena = arena;
    crew->of = er_context_def_of(of);
    crew->context[0] = of;
    pthread_mutex_init(&crew->lock, NULL);
    er_context_def def = crew->of;
    def.allocate = allocate_alone;
    def.release = release_alone;
    def.user = crew;
    for (; count > 1 && crew->count < count; ++crew->count)
        ER_TRY(er_context_create(&def, &crew->context[crew->count]));
    *out = crew;
    return ER_OK;
done:
    if (crew != NULL)
        er_crew_destroy(crew);
    else
        er_arena_destroy(arena);
    return er_fail(of, r, "out of memory");
}

er_context *er_crew_context(const er_crew *crew, int worker)
{
    return crew->context[worker];
}

void er_crew_destroy(er_crew *crew)
{
    if (crew == NULL) return;
    for (int i = 0; i < crew->count; ++i)
        er_context_destroy(crew->context[i]);
    pthread_mutex_destroy(&crew->lock);
    er_arena_destroy(crew->arena);
}
