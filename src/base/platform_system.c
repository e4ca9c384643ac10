// Memory, limits, clocks, threads and libraries on POSIX.
#include "base/platform.h"

#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/sanitizer.h"

// ---- Memory and limits

// The C library's type of RLIMIT_*, which clang tells from int.
#ifdef __GLIBC__
typedef __rlimit_resource_t resource;
#else
typedef int resource;
#endif

void eri_platform_limit(eri_limit limit, double most)
{
    static const resource limits[] = {RLIMIT_AS, RLIMIT_CPU, RLIMIT_CORE};
    struct rlimit now, then = {(rlim_t)most, (rlim_t)most};
    if (ERI_SANITIZED && limit == ERI_LIMIT_MEMORY) return; // its shadow memory alone is larger than any useful limit
    if (getrlimit(limits[limit], &now) == 0 && now.rlim_max < then.rlim_max)
        then.rlim_cur = then.rlim_max = now.rlim_max; // RLIM_INFINITY is above all
    setrlimit(limits[limit], &then);
}

double eri_platform_memory_limit(void)
{
    struct rlimit most;
    bool limited = getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
    return limited ? (double)most.rlim_cur : HUGE_VAL;
}

double eri_platform_memory_mapped(void)
{
    double pages = 0.0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0.0;
    if (fscanf(file, "%lf", &pages) != 1) pages = 0.0;
    fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

double eri_platform_memory_physical(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

double eri_platform_heap_used(void)
{
#ifdef __GLIBC__
    struct mallinfo2 m = mallinfo2();
    return (double)(m.uordblks + m.hblkhd);
#else
    return 0.0;
#endif
}

bool eri_platform_can_map(size_t bytes)
{
    void *trial = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return trial != MAP_FAILED && munmap(trial, bytes) == 0;
}

int eri_platform_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

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
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
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
    struct timespec end = timespec_of(until);
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

// ---- Libraries loaded at run time

void *eri_library_load(const char *name, bool now)
{
    return dlopen(name, (now ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
}

void *eri_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void eri_library_unload(void *library)
{
    dlclose(library);
}

const char *eri_library_error(void)
{
    return dlerror();
}
