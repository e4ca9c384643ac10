// Memory, clocks and the environment in WebAssembly, where one thread runs in one process.
// Functions for processes, signals and libraries loaded at run time do not exist: the parts that call them are not
// built.
#include "base/platform.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/platform_signals.h"

// ---- Text

// Merges two sorted halves of items[count] by way of `room`.
static void merge_halves(char *items, size_t count, size_t size, char *room,
                         int (*compare)(const void *, const void *, void *user), void *user)
{
    size_t half = count / 2, left = 0, right = half;
    memcpy(room, items, half * size);
    for (size_t to = 0; left < half; ++to) {
        bool take_right = right < count && compare(items + right * size, room + left * size, user) < 0;
        const char *from = take_right ? items + right++ * size : room + left++ * size;
        memmove(items + to * size, from, size);
    }
}

static void sort_with(char *items, size_t count, size_t size, char *room,
                      int (*compare)(const void *, const void *, void *user), void *user)
{
    if (count < 2) return;
    sort_with(items, count / 2, size, room, compare, user);
    sort_with(items + count / 2 * size, count - count / 2, size, room, compare, user);
    merge_halves(items, count, size, room, compare, user);
}

// Keeps the order of equal items, as the GNU C library does.
void eri_platform_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *user),
                       void *user)
{
    char *room = malloc(count / 2 * size + 1);
    if (room == NULL) abort(); // the GNU C library sorts in place here
    sort_with(items, count, size, room, compare, user);
    free(room);
}

const char *eri_platform_error_text(int error)
{
    return strerror(error);
}

// ---- Memory

double eri_platform_memory_limit(void)
{
    return HUGE_VAL;
}

double eri_platform_memory_mapped(void)
{
    return 0.0;
}

double eri_platform_memory_physical(void)
{
    return 4294967296.0; // the addresses of 32 bits
}

int eri_platform_cores(void)
{
    return 1;
}

int eri_platform_process(void)
{
    return getpid();
}

uint64_t eri_platform_system_number(void)
{
    return 0;
}

bool eri_process_exists(int process)
{
    return process == getpid();
}

const char *eri_platform_trusted_variable(const char *name)
{
    return getenv(name);
}

const sigset_t *eri_signals_before_hold(void)
{
    return NULL;
}

// Emscripten declares it and does not define it.
int sync_file_range(int file, off_t offset, off_t size, unsigned flags)
{
    (void)file, (void)offset, (void)size, (void)flags;
    return 0;
}

// ---- Clocks

double eri_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Threads: none begins, so nothing has to be locked.

bool eri_thread_begin(eri_thread *thread, void *(*work)(void *user), void *user)
{
    (void)thread, (void)work, (void)user;
    return false;
}

void eri_thread_join(eri_thread *thread)
{
    (void)thread;
}

void eri_mutex_init(eri_mutex *mutex)
{
    (void)mutex;
}

void eri_mutex_finish(eri_mutex *mutex)
{
    (void)mutex;
}

void eri_mutex_lock(eri_mutex *mutex)
{
    (void)mutex;
}

void eri_mutex_unlock(eri_mutex *mutex)
{
    (void)mutex;
}

void eri_condition_init(eri_condition *condition)
{
    (void)condition;
}

void eri_condition_finish(eri_condition *condition)
{
    (void)condition;
}

void eri_condition_wait(eri_condition *condition, eri_mutex *mutex)
{
    (void)condition, (void)mutex;
}

void eri_condition_wake_all(eri_condition *condition)
{
    (void)condition;
}

void eri_platform_lock_process(void)
{
}

void eri_platform_unlock_process(void)
{
}
