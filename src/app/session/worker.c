// A thread that does one piece of work at a time.
#include "app/session/worker.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/platform.h"

typedef enum phase { IDLE, BUSY, OVER } phase;

struct worker {
    eri_thread thread;
    eri_mutex lock;
    eri_condition changed;
    phase state;
    void (*work)(void *user);
    void *user;
};

static void *live(void *given)
{
    worker *w = given;
    eri_mutex_lock(&w->lock);
    while (w->state != OVER) {
        if (w->state == IDLE) {
            eri_condition_wait(&w->changed, &w->lock);
            continue;
        }
        eri_mutex_unlock(&w->lock);
        w->work(w->user);
        eri_mutex_lock(&w->lock);
        w->state = IDLE;
        eri_condition_wake_all(&w->changed);
    }
    eri_mutex_unlock(&w->lock);
    return NULL;
}

static void set_state(worker *w, phase state)
{
    eri_mutex_lock(&w->lock);
    w->state = state;
    eri_condition_wake_all(&w->changed);
    eri_mutex_unlock(&w->lock);
}

er_result worker_create(er_context *context, void (*work)(void *user), void *user, worker **out)
{
    worker *w = *out = calloc(1, sizeof *w);
    if (w == NULL) return eri_no_memory(context);
    w->work = work;
    w->user = user;
    eri_mutex_init(&w->lock);
    eri_condition_init(&w->changed);
    if (eri_thread_begin(&w->thread, live, w)) return ER_OK;
    eri_condition_finish(&w->changed);
    eri_mutex_finish(&w->lock);
    free(w);
    *out = NULL;
    return er_fail(context, ER_ERROR_SYSTEM, "the system gives no thread to work in");
}

void worker_destroy(worker *w)
{
    if (w == NULL) return;
    worker_wait(w, HUGE_VAL);
    set_state(w, OVER);
    eri_thread_join(&w->thread);
    eri_condition_finish(&w->changed);
    eri_mutex_finish(&w->lock);
    free(w);
}

void worker_begin(worker *w)
{
    set_state(w, BUSY);
}

bool worker_wait(worker *w, double seconds)
{
    bool for_ever = seconds > 1e6, late = false;
    double end = eri_seconds() + seconds;
    eri_mutex_lock(&w->lock);
    while (w->state == BUSY && !late && (for_ever || seconds > 0.0))
        if (for_ever)
            eri_condition_wait(&w->changed, &w->lock);
        else
            late = !eri_condition_wait_until(&w->changed, &w->lock, end);
    bool idle = w->state != BUSY;
    eri_mutex_unlock(&w->lock);
    return idle;
}
