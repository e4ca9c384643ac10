// Models and worlds in full dynamics, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_simulation", "simulation");
}
