// ODE's library and its functions.
#ifdef BENCH_HAS_ODE

#include "tools/bench/ode_library.h"

#include <dlfcn.h>
#include <stdio.h>

struct bench_ode_functions od;

bool bench_ode_load(char *why, size_t size)
{
    static void *library;
    if (library != NULL) return true;
    void *found = dlopen("libode.so", RTLD_NOW | RTLD_LOCAL);
    if (found == NULL) {
        snprintf(why, size, "not installed");
        return false;
    }
    bool whole = true;
#define FIND(name) *(void **)&od.name = dlsym(found, #name), whole = whole && od.name != NULL;
    ODE_FUNCTIONS(FIND)
    if (whole && od.dInitODE2(0) != 0) {
        library = found;
        return true;
    }
    snprintf(why, size, "installed, but does not start");
    dlclose(found);
    return false;
}

#else

typedef int nothing; // a file has to have something in it

#endif
