// Memory, limits and libraries on POSIX.
#include "base/platform.h"

#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>
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
