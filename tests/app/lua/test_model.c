// Models, their bodies and joints, modes and matrices, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_model", "model");
}
