// Mixes, their motions, and the clips and curves of these, by promises in Lua.
#include "promises.h"

int main(void)
{
    return promises_run("script_mix", "mix");
}
