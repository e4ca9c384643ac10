// Sets the handler for C++ out of memory: a function in C that does not return.
#include "tools/importer/new_handler.h"

#include <new>

void imp_set_new_handler(void (*handler)(void))
{
    std::set_new_handler(handler);
}
