// Gaits, and what is made of them, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_gaits", "gaits");
}
