// What is in living scenes, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_scene", "scene");
}
