// OpenBLAS starts its threads when the program is loaded, so the program restarts itself to choose their number.
#include "tools/program/openblas_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

// Each thread asks for 128 MiB of addresses and a stack, and retries for ever under a limit; the rest is for the work.
static bool have_room(int threads)
{
    const double mib = 1024.0 * 1024.0, each = (128 + 8) * mib, rest = 1024.0 * mib;
    return eri_platform_memory_limit() >= threads * each + rest;
}

void load_with_threads(char **words, int threads)
{
    char text[16];
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    snprintf(text, sizeof text, "%d", have_room(threads) ? threads : 1);
    if (set != NULL && strcmp(set, text) == 0) return;
    eri_platform_set_variable("OPENBLAS_NUM_THREADS", text, true);
    eri_process_become(NULL, words);
}

void keep_threads_in_limits(char **words)
{
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    int threads = set != NULL ? atoi(set) : 0;
    if (threads < 1) threads = eri_platform_cores();
    if (threads > 1 && !have_room(threads)) load_with_threads(words, 1);
}
