/// @file
/// Private: work that several threads share.
#ifndef ER_BASE_THREADS_H
#define ER_BASE_THREADS_H

#include <stddef.h>

enum { ER_THREADS_MOST = 8 };

/// Has each of several workers do what there is to do, side by side: the first in this thread, others in threads of
/// their own, and returns when all have returned. Where the system gives no more threads the last workers do nothing,
/// so each takes from what all share until nothing is left.
/// @param work     called with a pointer to a worker
/// @param workers  [count], `size` bytes each; 0 <= count <= ER_THREADS_MOST
void er_threads_run(void (*work)(void *worker), void *workers, int count, size_t size);

#endif
