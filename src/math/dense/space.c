// The space that BLAS works in: taken before it is needed, so that there being none is an error.
#include <pthread.h>
#include <sys/mman.h>

#include <cblas.h>

#include "math/dense/dense.h"

// OpenBLAS maps space for each call at a time, keeps it for later ones, and where the system gives none asks again for
// ever (0.3.21, memory.c). It exports what its own routines take and give it back by.
void *blas_memory_alloc(int unused);
void blas_memory_free(void *space);

enum { MOST_THREADS = 128, BUFFER = 128 << 20 }; // bytes, on x86-64; nowhere larger

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread;      // has a value in those that are counted
static int threads;               // that use BLAS, of those that live
static int spaces;                // taken so far
static void *space[MOST_THREADS]; // [spaces]

static void leave(void *value)
{
    (void)value;
    pthread_mutex_lock(&lock);
    --threads;
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    pthread_key_create(&thread, leave);
}

// Whether the system would give so many bytes of addresses now.
static bool can_map(size_t bytes)
{
    void *trial = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return trial != MAP_FAILED && munmap(trial, bytes) == 0;
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
    while (!taken && count < MOST_THREADS && spaces < MOST_THREADS && can_map(BUFFER)) {
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
    pthread_once(&once, make_key);
    if (pthread_getspecific(thread) != NULL) return ER_OK;
    pthread_mutex_lock(&lock);
    bool ready = (spaces > threads || take_another()) && pthread_setspecific(thread, &threads) == 0;
    threads += ready;
    pthread_mutex_unlock(&lock);
    return ready
               ? ER_OK
               : er_fail(context, ER_ERROR_MEMORY,
                         "out of memory: OpenBLAS works in 128 MiB of addresses for each thread, and the system gives "
                         "no more; raise the limit (ulimit -v)");
}

void eri_linalg_set_threads(int wanted)
{
    enum { STACK = 8 << 20 };
    int more = wanted - openblas_get_num_threads();
    if (wanted < 1 || (more > 0 && !can_map((size_t)more * ((size_t)BUFFER + STACK)))) return;
    openblas_set_num_threads(wanted);
}
