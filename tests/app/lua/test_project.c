// What scripts and commands do alike, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_project", "project");
}
