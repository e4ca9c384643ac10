// A thread that does one piece of work at a time.
#include "app/session/worker.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/failure.h"

typedef enum phase { IDLE, BUSY, OVER } phase;

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    phase state;
    void (*work)(void *user);
    void *user;
};

static void *live(void *given)
{
    worker *w = given;
    pthread_mutex_lock(&w->lock);
    while (w->state != OVER) {
        if (w->state == IDLE) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        w->work(w->user);
        pthread_mutex_lock(&w->lock);
        w->state = IDLE;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void set_state(worker *w, phase state)
{
    pthread_mutex_lock(&w->lock);
    w->state = state;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

er_result worker_create(er_context *context, void (*work)(void *user), void *user, worker **out)
{
    pthread_condattr_t steady;
    worker *w = *out = calloc(1, sizeof *w);
    if (w == NULL) return eri_no_memory(context);
    w->work = work;
    w->user = user;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, &steady);
    pthread_condattr_destroy(&steady);
    if (pthread_create(&w->thread, NULL, live, w) == 0) return ER_OK;
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
    *out = NULL;
    return er_fail(context, ER_ERROR_SYSTEM, "the system gives no thread to work in");
}

void worker_destroy(worker *w)
{
    if (w == NULL) return;
    worker_wait(w, HUGE_VAL);
    set_state(w, OVER);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void worker_begin(worker *w)
{
    set_state(w, BUSY);
}

// The time in so many seconds.
static struct timespec after(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double whole = floor(seconds);
    t.tv_sec += (time_t)whole;
    t.tv_nsec += (long)(1e9 * (seconds - whole));
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        ++t.tv_sec;
    }
    return t;
}

bool worker_wait(worker *w, double seconds)
{
    bool for_ever = seconds > 1e6, late = false;
    struct timespec end = after(for_ever || !(seconds > 0.0) ? 0.0 : seconds);
    pthread_mutex_lock(&w->lock);
    while (w->state == BUSY && !late && (for_ever || seconds > 0.0))
        if (for_ever)
            pthread_cond_wait(&w->changed, &w->lock);
        else
            late = pthread_cond_timedwait(&w->changed, &w->lock, &end) == ETIMEDOUT;
    bool idle = w->state != BUSY;
    pthread_mutex_unlock(&w->lock);
    return idle;
}
