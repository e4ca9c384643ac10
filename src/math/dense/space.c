// The space that BLAS works in: taken before it is needed, so that there being none is an error.

#include <cblas.h>

#include "base/platform.h"
#include "math/dense/dense.h"

// OpenBLAS maps space for each call at a time, keeps it for later ones, and where the system gives none asks again for
// ever (0.3.21, memory.c). It exports what its own routines take and give it back by.
void *blas_memory_alloc(int unused);
void blas_memory_free(void *space);

enum { MOST_THREADS = 128, BUFFER = 128 << 20 }; // bytes, on x86-64; nowhere larger

static _Thread_local bool counted; // whether this thread is one of `threads`
static int threads;                // that use BLAS, of those that live
static int spaces;                 // taken so far
static void *space[MOST_THREADS];  // [spaces]

static void leave(void)
{
    eri_platform_lock_process();
    --threads;
    eri_platform_unlock_process();
    counted = false;
}

static bool is_known(const void *one)
{
    for (int i = 0; i < spaces; ++i)
        if (space[i] == one) return true;
    return false;
}

// One more than there are: those that are there and idle are held meanwhile.
static bool take_another(void)
{
    void *held[MOST_THREADS];
    int count = 0;
    bool taken = false;
    while (!taken && count < MOST_THREADS && spaces < MOST_THREADS && eri_platform_can_map(BUFFER)) {
        held[count] = blas_memory_alloc(0);
        taken = held[count] != NULL && !is_known(held[count]);
        if (taken) space[spaces++] = held[count];
        count += held[count] != NULL;
    }
    while (count > 0)
        blas_memory_free(held[--count]);
    return taken;
}

er_result eri_linalg_ready(er_context *context)
{
    static const eri_thread_end end = {leave};
    if (counted) return ER_OK;
    eri_platform_lock_process();
    counted = (spaces > threads || take_another()) && eri_thread_at_end(&end);
    threads += counted;
    eri_platform_unlock_process();
    return counted
               ? ER_OK
               : er_fail(context, ER_ERROR_MEMORY,
                         "out of memory: OpenBLAS works in 128 MiB of addresses for each thread, and the system gives "
                         "no more; raise the limit (ulimit -v)");
}

void eri_linalg_set_threads(int wanted)
{
    enum { STACK = 8 << 20 };
    int more = wanted - openblas_get_num_threads();
    if (wanted < 1 || (more > 0 && !eri_platform_can_map((size_t)more * ((size_t)BUFFER + STACK)))) return;
    openblas_set_num_threads(wanted);
}
