// Threads as long as one piece of work lasts.
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>

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
