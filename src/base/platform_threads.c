// Clocks and threads by POSIX, which MinGW has too.
#include "base/platform.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

// The clock that threads wait by. MinGW has no other than the one that may be set.
#ifdef _WIN32
#define WAITING_CLOCK CLOCK_REALTIME
#else
#define WAITING_CLOCK CLOCK_MONOTONIC
#endif

// ---- Clocks

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double eri_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double eri_thread_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double eri_process_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static struct timespec timespec_of(double seconds)
{
    double whole = floor(seconds);
    return (struct timespec){(time_t)whole, (long)(1e9 * (seconds - whole))};
}

void eri_platform_sleep(double seconds)
{
    struct timespec t = timespec_of(seconds);
    nanosleep(&t, NULL);
}

// ---- Threads

_Static_assert(sizeof(pthread_t) <= sizeof(eri_thread) && sizeof(pthread_mutex_t) <= sizeof(eri_mutex) &&
                   sizeof(pthread_cond_t) <= sizeof(eri_condition),
               "there is room for what the system has");
_Static_assert(_Alignof(pthread_mutex_t) <= _Alignof(eri_mutex) && _Alignof(pthread_cond_t) <= _Alignof(eri_condition),
               "what the system has is aligned");

bool eri_thread_begin(eri_thread *thread, void *(*work)(void *user), void *user)
{
    pthread_t id;
    bool begun = pthread_create(&id, NULL, work, user) == 0;
    if (begun) memcpy(thread->room, &id, sizeof id);
    return begun;
}

void eri_thread_join(eri_thread *thread)
{
    pthread_t id;
    memcpy(&id, thread->room, sizeof id);
    pthread_join(id, NULL);
}

void eri_mutex_init(eri_mutex *mutex)
{
    pthread_mutex_init((pthread_mutex_t *)mutex->room, NULL);
}

void eri_mutex_finish(eri_mutex *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex->room);
}

void eri_mutex_lock(eri_mutex *mutex)
{
    pthread_mutex_lock((pthread_mutex_t *)mutex->room);
}

void eri_mutex_unlock(eri_mutex *mutex)
{
    pthread_mutex_unlock((pthread_mutex_t *)mutex->room);
}

void eri_condition_init(eri_condition *condition)
{
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, WAITING_CLOCK);
    pthread_cond_init((pthread_cond_t *)condition->room, &steady);
    pthread_condattr_destroy(&steady);
}

void eri_condition_finish(eri_condition *condition)
{
    pthread_cond_destroy((pthread_cond_t *)condition->room);
}

void eri_condition_wait(eri_condition *condition, eri_mutex *mutex)
{
    pthread_cond_wait((pthread_cond_t *)condition->room, (pthread_mutex_t *)mutex->room);
}

bool eri_condition_wait_until(eri_condition *condition, eri_mutex *mutex, double until)
{
    struct timespec end = timespec_of(until - eri_seconds() + seconds_of(WAITING_CLOCK));
    return pthread_cond_timedwait((pthread_cond_t *)condition->room, (pthread_mutex_t *)mutex->room, &end) == 0;
}

void eri_condition_wake_all(eri_condition *condition)
{
    pthread_cond_broadcast((pthread_cond_t *)condition->room);
}

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

void eri_platform_lock_process(void)
{
    pthread_mutex_lock(&process_lock);
}

void eri_platform_unlock_process(void)
{
    pthread_mutex_unlock(&process_lock);
}

static pthread_once_t end_once = PTHREAD_ONCE_INIT;
static pthread_key_t end_key; // the eri_thread_end of a thread

static void call_end(void *end)
{
    ((const eri_thread_end *)end)->call();
}

static void make_end_key(void)
{
    pthread_key_create(&end_key, call_end);
}

bool eri_thread_at_end(const eri_thread_end *end)
{
    pthread_once(&end_once, make_end_key);
    return pthread_setspecific(end_key, end) == 0;
}
