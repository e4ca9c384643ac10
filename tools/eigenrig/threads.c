// OpenBLAS's threads, which start when the program is loaded: their number is chosen by loading it once more.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/eigenrig/cli.h"

// Each asks for 128 MiB of addresses and a stack, for ever where a limit forbids them; the rest is for what is done.
static bool have_room(int threads)
{
    const rlim_t each = (rlim_t)(128 + 8) << 20, rest = (rlim_t)1 << 30;
    struct rlimit most;
    return getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
           most.rlim_cur >= (rlim_t)threads * each + rest;
}

void load_with_threads(char **words, int threads)
{
    char text[16];
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    snprintf(text, sizeof text, "%d", have_room(threads) ? threads : 1);
    if (set != NULL && strcmp(set, text) == 0) return;
    setenv("OPENBLAS_NUM_THREADS", text, 1);
    execv("/proc/self/exe", words);
}

void keep_threads_in_limits(char **words)
{
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    int threads = set != NULL ? atoi(set) : 0;
    if (threads < 1) threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads > 1 && !have_room(threads)) load_with_threads(words, 1);
}
