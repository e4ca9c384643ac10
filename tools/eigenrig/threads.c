// OpenBLAS's threads, which start when the program is loaded: their number is chosen by loading it once more.
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/eigenrig/cli.h"

// Each asks for 128 MiB of addresses and a stack, for ever where a limit forbids them; the rest is for what is done.
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
