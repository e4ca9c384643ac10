// ODE's library and its functions.
#ifdef BENCH_HAS_ODE

#include "tools/bench/ode_library.h"

#include <stdio.h>

#include "base/platform.h"

struct bench_ode_functions od;

bool bench_ode_load(char *why, size_t size)
{
    static void *library;
    if (library != NULL) return true;
    void *found = eri_library_load("libode.so", true);
    if (found == NULL) {
        snprintf(why, size, "not installed");
        return false;
    }
    bool whole = true;
#define FIND(name) *(void **)&od.name = eri_library_symbol(found, #name), whole = whole && od.name != NULL;
    ODE_FUNCTIONS(FIND)
    if (whole && od.dInitODE2(0) != 0) {
        library = found;
        return true;
    }
    snprintf(why, size, "installed, but does not start");
    eri_library_unload(found);
    return false;
}

#else

typedef int nothing; // a source file must not be empty

#endif
