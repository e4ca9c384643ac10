/// @file
/// Private to the importer: the handler for C++ out of memory.
#ifndef ERI_TOOLS_IMPORTER_NEW_HANDLER_H
#define ERI_TOOLS_IMPORTER_NEW_HANDLER_H

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `handler`, which must not return, when operator new finds no memory. Otherwise readers in C++ might swallow
/// the exception or die of it, which would hide the cause.
void imp_set_new_handler(void (*handler)(void));

#ifdef __cplusplus
}
#endif
#endif
