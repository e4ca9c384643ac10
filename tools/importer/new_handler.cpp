#include "tools/importer/new_handler.h"

#include <new>

void er_set_new_handler(void (*handler)(void))
{
    std::set_new_handler(handler);
}
