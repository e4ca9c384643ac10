// Vectors, quaternions, JSON and the words of the module, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_values", "values");
}
