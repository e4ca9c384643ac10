/// @file
/// Private: work that several threads share.
#ifndef ERI_BASE_THREADS_H
#define ERI_BASE_THREADS_H

#include <stddef.h>

#include <eigenrig/base.h>

enum { ERI_THREADS_MOST = 8 };

/// Has each of several workers do what there is to do, side by side: the first in this thread, others in threads of
/// their own, and returns when all have returned. Where the system gives no more threads the last workers do nothing,
/// so each takes from what all share until nothing is left.
/// @param work     called with a pointer to a worker
/// @param workers  [count], `size` bytes each; 0 <= count <= ERI_THREADS_MOST
void eri_threads_run(void (*work)(void *worker), void *workers, int count, size_t size);

/// Threads that wait for work, for what is done again and again.
typedef struct eri_team eri_team;

/// @param count  of workers, 1 <= count <= ERI_THREADS_MOST, the caller's thread one of them; there are fewer where the
///               system gives no more threads
/// Errors   ER_ERROR_MEMORY; *out is NULL then
er_result eri_team_create(er_context *context, int count, eri_team **out);

/// NULL is fine.
void eri_team_destroy(eri_team *team);

/// How many workers there are.   @param team  NULL: 1
int eri_team_count(const eri_team *team);

/// Has each worker do a piece of work side by side, and returns when all have.
/// @param team  NULL: the caller alone
/// @param work  called with `job`, which worker it is, and how many there are
void eri_team_run(eri_team *team, void (*work)(void *job, int worker, int count), void *job);

/// In work: returns when all workers have come to here.   @param team  NULL: at once
void eri_team_meet(eri_team *team);

/// Where a worker's share of what is numbered from 0 on begins; it ends where the next one's does.
static inline int eri_team_share(int all, int worker, int count)
{
    return (int)((long long)all * worker / count);
}

/// A context for each of several workers, whose memory comes from the functions of the caller's, asked by one at a
/// time.
typedef struct eri_crew eri_crew;

/// @param of     not to be used by others until the end of the crew
/// @param count  1 <= count <= ERI_THREADS_MOST; a single worker has `of` itself
/// Errors   ER_ERROR_MEMORY; *out is NULL then
er_result eri_crew_create(er_context *of, int count, eri_crew **out);

/// @param worker  0 <= worker < count
er_context *eri_crew_context(const eri_crew *crew, int worker);

/// Every object made with its contexts must have been destroyed before. NULL is fine.
void eri_crew_destroy(eri_crew *crew);

#endif
