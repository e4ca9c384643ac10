/// @file
/// Private: work that several threads share.
#ifndef ERI_BASE_THREADS_H
#define ERI_BASE_THREADS_H

#include <stddef.h>

#include <eigenrig/base.h>

enum { ERI_THREADS_MOST = 8 };

/// Runs each of several workers, the first in this thread, the others in threads of their own, and returns when all
/// have returned. If the system gives no more threads, the last workers do not run: so workers take pieces from a
/// shared list until none is left.
/// @param work     called with a pointer to a worker
/// @param workers  [count], `size` bytes each; 0 <= count <= ERI_THREADS_MOST
void eri_threads_run(void (*work)(void *worker), void *workers, int count, size_t size);

/// Threads that wait for work, for work that is repeated.
typedef struct eri_team eri_team;

/// @param count  of workers, 1 <= count <= ERI_THREADS_MOST, the caller's thread one of them; there are fewer where the
///               system gives no more threads
/// Errors   ER_ERROR_MEMORY; *out is NULL then
er_result eri_team_create(er_context *context, int count, eri_team **out);

/// NULL is fine.
void eri_team_destroy(eri_team *team);

/// How many workers there are.   @param team  NULL: 1
int eri_team_count(const eri_team *team);

/// Runs `work` in each worker side by side, and returns when all have returned.
/// @param team  NULL: the caller alone
/// @param work  called with `job`, which worker it is, and how many there are
void eri_team_run(eri_team *team, void (*work)(void *job, int worker, int count), void *job);

/// A barrier: returns when all workers have called it.   @param team  NULL: at once
void eri_team_meet(eri_team *team);

/// The first of a worker's items among `all`; the share ends where the next worker's begins.
static inline int eri_team_share(int all, int worker, int count)
{
    return (int)((long long)all * worker / count);
}

/// A context for each of several workers. Their memory comes from the caller's allocator, which is called by one
/// worker at a time.
typedef struct eri_contexts eri_contexts;

/// @param of     not to be used by others until the contexts are destroyed
/// @param count  1 <= count <= ERI_THREADS_MOST; a single worker has `of` itself
/// Errors   ER_ERROR_MEMORY; *out is NULL then
er_result eri_contexts_create(er_context *of, int count, eri_contexts **out);

/// @param worker  0 <= worker < count
er_context *eri_contexts_of(const eri_contexts *contexts, int worker);

/// Every object made with its contexts must have been destroyed before. NULL is fine.
void eri_contexts_destroy(eri_contexts *contexts);

#endif
